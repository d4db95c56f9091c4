//! Indices out of range panic as in Rust, at the kernel's line, unless a condition guards them.

use super::*;

const AT: u32 = line!() + 4;

#[smooth]
fn pick(a: &[f64; n], k: usize) -> f64 {
    a[k]
}

#[test]
fn out_of_range_panics_as_in_rust_at_the_kernels_line() {
    let a = &[1.0, 2.0, 3.0];
    let text = "index out of bounds: the len is 3 but the index is 3";
    let expected = Report { text: text.into(), file: file!().into(), line: AT };
    assert_eq!(panic_of(|| pick(a, 3)), expected);
    assert_eq!(panic_of(|| pick::into(a, 3, &mut Arena::new())), expected);
    assert_eq!(pick(a, 2), 3.0);
    let rust = |a: &[f64], k: usize| a[k];
    assert_eq!(panic_of(|| rust(a, 3)).text, expected.text);
    let text = format!("index out of bounds: the len is 0 but the index is {}", usize::MAX);
    assert_eq!(panic_of(|| pick(&[], usize::MAX)).text, text);
}

const NESTED_AT: u32 = line!() + 5;

#[smooth]
fn pick_row(m: &[[f64; k]; n], i: usize, j: usize) -> f64 {
    let row = &m[0];
    m[i][j] + row[0]
}

#[test]
fn each_axis_of_a_matrix_is_checked() {
    let m = [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]];
    let report = panic_of(|| pick_row(&m, 3, 0));
    assert_eq!(report.text, "index out of bounds: the len is 3 but the index is 3");
    assert_eq!(report.line, NESTED_AT);
    // Within the memory of the matrix, but not within the row.
    let report = panic_of(|| pick_row(&m, 0, 2));
    assert_eq!(report.text, "index out of bounds: the len is 2 but the index is 2");
    assert_eq!(report.line, NESTED_AT);
    assert_eq!(pick_row(&m, 2, 1), 7.0);
}

#[smooth]
fn guarded(a: &[f64; n], k: usize) -> f64 {
    if k < n { a[k] } else { -1.0 }
}

#[smooth]
fn neighbours(a: &[f64; n]) -> [f64; n] {
    build(n, |i| {
        let left = if i > 0 { a[i - 1] } else { 0.0 };
        let right = if i + 1 < n { a[i + 1] } else { 0.0 };
        left + right
    })
}

#[smooth]
fn first_or(a: &[f64; n], x: f64) -> f64 {
    if n == 0 || a[0] < 0.0 { x } else { a[0] }
}

#[smooth]
fn guarded_let(a: &[f64; n], k: usize) -> f64 {
    let value = |i: usize| a[i] * 2.0;
    if k < n {
        let v = value(k);
        v + 1.0
    } else {
        0.0
    }
}

#[smooth]
fn guarded_in_loop(a: &[f64; n], k: usize) -> f64 {
    sum(n, |i| if k < n && i > 0 { a[k] * a[i] } else { 0.0 })
}

#[smooth]
fn never(a: &[f64; n], k: usize) -> f64 {
    sum(0 * n, |_| a[k]) + ifold(n - n, 1.0, |s, _| s * a[k])
}

#[test]
fn conditions_guard_indices() {
    let a = &[1.0, 2.0, 4.0];
    assert_eq!((guarded(a, 2), guarded(a, 3), guarded(&[], 0)), (4.0, -1.0, -1.0));
    assert_eq!((neighbours(a), neighbours(&[5.0]), neighbours(&[])), (vec![2.0, 5.0, 2.0], vec![0.0], vec![]));
    assert_eq!((first_or(&[], 7.0), first_or(&[-1.0], 7.0), first_or(a, 7.0)), (7.0, 7.0, 1.0));
    assert_eq!((guarded_let(a, 1), guarded_let(a, 3)), (5.0, 0.0));
    assert_eq!((guarded_in_loop(a, 1), guarded_in_loop(a, 9)), (12.0, 0.0));
    assert_eq!((never(a, 9), never(&[], 0)), (1.0, 1.0));
}

#[smooth]
fn before(a: &[f64; n], k: usize) -> f64 {
    a[k - 1]
}

#[smooth]
fn counted(a: &[f64; n], from: usize, to: usize) -> f64 {
    sum(to - from, |i| a[from + i])
}

#[test]
fn index_arithmetic_overflows_as_in_rust() {
    let a = &[1.0, 2.0, 3.0];
    assert_eq!((before(a, 1), counted(a, 1, 3), counted(a, 3, 3)), (1.0, 5.0, 0.0));
    let text = panic_of(|| before(a, 0)).text;
    if cfg!(debug_assertions) {
        assert_eq!(text, "attempt to subtract with overflow");
    } else {
        assert!(text.starts_with("index out of bounds"), "{text}");
    }
    panic_of(|| counted(a, 3, 2));
}

#[smooth]
fn unused_index(a: &[f64; n], k: usize) -> f64 {
    let x = a[k];
    let y = a[0];
    if k > n { y } else { x * 0.0 + y }
}

#[test]
fn indices_in_loops_and_callees_are_checked() {
    #[smooth]
    fn through(a: &[f64; n], k: usize) -> f64 {
        sum(2, |i| pick(a, k + i))
    }
    let a = &[1.0, 2.0, 3.0];
    assert_eq!(through(a, 1), 5.0);
    assert_eq!(panic_of(|| through(a, 2)).text, "index out of bounds: the len is 3 but the index is 3");
    assert_eq!(unused_index(a, 1), 1.0);
    // An unused binding is either not evaluated or panics as in Rust.
    let used = catch_unwind(|| unused_index(a, 9));
    assert!(used.is_err() || used.is_ok_and(|y| y == 1.0));
}

const BEST_AT: u32 = line!() + 4;

#[smooth]
fn best(a: &[f64; n]) -> usize {
    argmax(n, |i| a[i])
}

#[test]
fn the_best_of_nothing_panics_at_the_kernels_line() {
    let text = "an empty range has no smallest or largest element";
    let expected = Report { text: text.into(), file: file!().into(), line: BEST_AT };
    assert_eq!((panic_of(|| best(&[])), best(&[1.0, 2.0])), (expected, 1));
}

const ARITHMETIC_AT: u32 = line!() + 3;
/// One operation a line: sums, products, shifts, quotients, negatives, sizes, updates and the ends of loops.
#[smooth]
fn arithmetic(a: &[i32; n], x: i32, by: u32, k: usize, m: usize) -> i32 {
    let sum = x + 1;
    let product = x * 2;
    let shifted = 1 << by;
    let quotient = 100 / (x - 3);
    let negative = -x;
    let mut b = a.clone();
    b[k - 1] += x;
    b[by as usize % 32] = sum - 5;
    let mut all = product ^ shifted ^ quotient ^ negative;
    for i in (0..n - 2).step_by(2) {
        all ^= b[i];
    }
    for i in (0..=m - 1).rev() {
        all ^= b[i];
    }
    all
}

/// rustc takes the location of an overflow from the operands.
#[test]
fn arithmetic_panics_where_it_is_written() {
    let at = |line: u32, text: &str, run: &dyn Fn() -> i32| {
        let report = panic_of(run);
        assert_eq!((report.line, report.text.as_str()), (ARITHMETIC_AT + line, text));
        assert_eq!(report.file, file!());
    };
    let overflow = |what: &str| format!("attempt to {what} with overflow");
    let a = [1, 2, 3];
    at(1, &overflow("add"), &|| arithmetic(&a, i32::MAX, 0, 1, 1));
    at(2, &overflow("multiply"), &|| arithmetic(&a, i32::MAX - 1, 0, 1, 1));
    at(3, &overflow("shift left"), &|| arithmetic(&a, 1, 32, 1, 1));
    at(4, "attempt to divide by zero", &|| arithmetic(&a, 3, 0, 1, 1));
    at(7, &overflow("subtract"), &|| arithmetic(&a, 1, 0, 0, 1));
    at(7, &overflow("add"), &|| arithmetic(&[i32::MAX, 2, 3], 1, 0, 1, 1));
    at(8, "index out of bounds: the len is 3 but the index is 3", &|| arithmetic(&a, 1, 3, 1, 1));
    at(10, &overflow("subtract"), &|| arithmetic(&[1], 1, 0, 1, 1));
    at(13, &overflow("subtract"), &|| arithmetic(&[1, 2], 1, 0, 1, 0));
    assert_eq!(arithmetic(&a, 1, 0, 1, 1), 2 ^ 1 ^ -50 ^ -1 ^ -3 ^ -3);
}
