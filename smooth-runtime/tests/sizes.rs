//! The size arithmetic of generated `const fn`s.
use smooth_runtime::{
    ShapeError,
    private::{size, size_add, size_div, size_max, size_min, size_mul, size_of_blocks, size_rem, size_term},
};

#[test]
fn results_in_range_are_exact() {
    let (a, b) = (Some(7), Some(3));
    let results = [
        (size_mul(a, b), 21),
        (size_add(a, b), 10),
        (size_div(a, b), 2),
        (size_rem(a, b), 1),
        (size_min(a, b), 3),
        (size_max(a, b), 7),
        (size_div(Some(-4), b), -2),
        (size_rem(Some(-4), b), 2),
        (size_term(5, []), 5),
        (size_term(-5, [7, 3]), -105),
    ];
    for (found, expected) in results {
        assert_eq!(found, Some(expected));
    }
}

#[test]
fn overflow_and_division_by_zero_are_none() {
    let (max, two) = (Some(i128::MAX), Some(2));
    let nothing = [
        size_mul(max, two),
        size_add(max, two),
        size_term(1, [usize::MAX; 3]),
        size_div(two, Some(0)),
        size_rem(two, Some(0)),
        size_min(None, two),
        size_max(two, None),
        size_of_blocks(1, max, 1),
        size_of_blocks(1, None, 8),
    ];
    assert_eq!(nothing, [None; 9]);
}

#[test]
fn each_block_is_rounded_up_to_a_multiple_of_64() {
    for (n, len, bytes) in [(1, -7, 0), (1, 0, 0), (1, 1, 64), (1, 8, 64), (2, 9, 256)] {
        assert_eq!(size_of_blocks(n, Some(len), 8), Some(bytes));
    }
}

#[test]
fn a_size_is_at_most_isize_max() {
    const N: Option<i128> = Some(isize::MAX as i128);
    const FINE: Result<usize, ShapeError> = size(N, "f", "n");
    assert_eq!(FINE, Ok(isize::MAX as usize));
    let overflow = Err(ShapeError::Overflow { kernel: "f", size: "n + 1" });
    assert_eq!(size(size_add(N, Some(1)), "f", "n + 1"), overflow);
    assert_eq!(size(None, "f", "n + 1"), overflow);
    let negative = ShapeError::Negative { kernel: "f", size: "n", value: -1 };
    assert_eq!(size(Some(-1), "f", "n"), Err(negative));
}
