//! Strided views: their elements, and values that are not views.
#![cfg(feature = "alloc")]
use smooth_runtime::{Array, ShapeError, StridedView, View};

/// 0 to 11, as a matrix of 3 rows and 4 columns.
const DATA: [i32; 12] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11];

fn matrix() -> StridedView<'static, i32, 2> {
    View::new(&DATA, [3, 4]).strided()
}

fn rows<const R: usize>(v: StridedView<'_, i32, R>) -> String {
    format!("{v:?}")
}

#[test]
fn parts_of_a_matrix() {
    let m = matrix();
    assert_eq!((m.shape(), m.strides(), m.len()), ([3, 4], [4, 1], 12));
    assert_eq!(rows(m.step_by(1, 2)), "[[0, 2], [4, 6], [8, 10]]");
    assert_eq!(rows(m.step_by(1, 3)), "[[0, 3], [4, 7], [8, 11]]");
    assert_eq!(rows(m.step_by(0, 5)), "[[0, 1, 2, 3]]");
    assert_eq!(rows(m.slice(0, 1..).slice(1, 1..=2)), "[[5, 6], [9, 10]]");
    assert_eq!(rows(m.reversed(1).slice(0, ..1)), "[[3, 2, 1, 0]]");
    assert_eq!(rows(m.reversed(0).reversed(1).step_by(1, 2)), "[[11, 9], [7, 5], [3, 1]]");
    assert_eq!(rows(m.t().slice(0, 3..)), "[[3, 7, 11]]");
    assert_eq!(rows(m.step_by(0, 2).step_by(0, 2)), "[[0, 1, 2, 3]]");
    assert_eq!(m.reversed(0).reversed(0).strides(), m.strides());
    assert_eq!(m.step_by(1, 2).to_array(), [[0, 2], [4, 6], [8, 10]]);
}

#[test]
fn shapes_and_strides_by_hand() {
    assert_eq!(rows(StridedView::new(&DATA, 0, [3], [5])), "[0, 5, 10]");
    assert_eq!(rows(StridedView::new(&DATA, 11, [3, 2], [-4, -1])), "[[11, 10], [7, 6], [3, 2]]");
    assert_eq!(rows(StridedView::new(&DATA, 2, [2, 3], [0, 1])), "[[2, 3, 4], [2, 3, 4]]", "a stride of 0");
    assert_eq!(rows(StridedView::new(&DATA, 7, [1, 1], [100, -100])), "[[7]]", "no neighbours");
    assert_eq!(rows(StridedView::new(&DATA, 3, [], [])), "3");
    assert_eq!(rows(StridedView::new(&DATA, 1, [2, 2, 2], [6, 2, 1])), "[[[1, 2], [3, 4]], [[7, 8], [9, 10]]]");
    // A column of a column-major array is one piece.
    let columns = View::column_major(&DATA, [4, 3]).strided();
    assert_eq!((columns.strides(), columns[[1, 2]]), ([1, 4], 9));
}

#[test]
fn without_elements() {
    for v in [
        StridedView::new(&DATA, 0, [0, 3], [isize::MAX, isize::MIN]),
        StridedView::new(&DATA, 500, [3, 0], [1, 1]),
        StridedView::new(&DATA, 0, [usize::MAX, 0], [1, 1]),
        StridedView::new(&[], 0, [0, 0], [0, 0]),
        matrix().slice(0, 3..),
        matrix().slice(1, 2..2).reversed(1),
        matrix().slice(0, 3..3).step_by(0, usize::MAX).t(),
    ] {
        assert!(v.is_empty() && v.to_array().is_empty(), "{v:?}");
        let again = v.reversed(0).reversed(1).step_by(0, 7).t();
        assert!(again.to_array().is_empty());
    }
    assert_eq!(rows(matrix().step_by(0, usize::MAX).step_by(1, usize::MAX)), "[[0]]");
    let least = StridedView::new(&DATA, 0, [1], [isize::MIN]);
    assert_eq!(rows(least.reversed(0).step_by(0, 3)), "[0]");
}

fn error<const R: usize>(offset: usize, shape: [usize; R], strides: [isize; R]) -> String {
    let error = StridedView::try_new(&DATA, offset, shape, strides).unwrap_err();
    assert_eq!(error.kernel(), "StridedView");
    error.to_string()
}

#[test]
fn elements_that_do_not_exist() {
    let lead = "StridedView: shape and strides lead from element";
    assert_eq!(error(0, [3, 4], [4, 2]), format!("{lead} 0 to element 14, but there are 12 elements"));
    assert_eq!(error(3, [2, 3], [-4, 1]), format!("{lead} 3 to element -1, but there are 12 elements"));
    assert_eq!(error(12, [1], [1]), format!("{lead} 12 to element 12, but there are 12 elements"));
    assert_eq!(error(12, [], []), format!("{lead} 12 to element 12, but there are 12 elements"));
    let one = StridedView::try_new(&[1.0], 0, [2], [1]).unwrap_err();
    assert_eq!(one.to_string(), format!("{lead} 0 to element 1, but there is 1 element"));
    assert!(matches!(one, ShapeError::Strides { found: 1, offset: 0, reached: 1, .. }));
}

#[test]
fn numbers_that_overflow() {
    for stride in [isize::MAX, isize::MIN, isize::MIN + 1, 1 << 62] {
        for shape in [[2, 2], [3, 4], [1 << 30, 1 << 20]] {
            let text = error(1, shape, [stride, stride]);
            assert!(text.contains("lead from element 1"), "{text}");
        }
    }
    assert!(error(usize::MAX, [2], [-1]).contains("to element 18446744073709551615"));
    let large = "StridedView: the size of its shape is too large";
    assert_eq!(error(0, [usize::MAX], [0]), large);
    assert_eq!(error(0, [1 << 32, 1 << 32], [0, 0]), large, "the product overflows");
    assert_eq!(error(0, [1 << 61], [0]), large, "elements of 4 bytes");
    let many = StridedView::new(&DATA, 5, [1 << 60], [0]);
    assert_eq!((many.len(), many[[(1 << 60) - 1]]), (1 << 60, 5));
}

#[test]
#[should_panic(expected = "StridedView: shape and strides lead from element 0 to element 12")]
fn new_panics() {
    let _ = StridedView::new(&DATA, 0, [13], [1]);
}

#[test]
#[should_panic(expected = "index out of bounds: the len of axis 1 is 2 but the index is 2")]
fn indices_are_checked() {
    let _ = matrix().step_by(1, 2)[[0, 2]];
}

#[test]
#[should_panic(expected = "out of range")]
fn slices_are_checked() {
    let _ = matrix().slice(1, 2..5);
}

#[test]
#[should_panic(expected = "the range ends behind the largest index")]
fn slices_of_all_indices_are_checked() {
    let _ = StridedView::<u8, 2>::new(&[], 0, [usize::MAX, 0], [1, 1]).slice(0, 4..=usize::MAX);
}

#[test]
#[should_panic(expected = "the step along axis 1 is 0")]
fn steps_are_checked() {
    let _ = matrix().step_by(1, 0);
}

#[test]
fn slices_of_all_ranges() {
    use std::panic::catch_unwind;
    for range in [0..0, 0..3, 1..2, 3..3] {
        assert_eq!(matrix().slice(0, range.clone()).shape()[0], range.len());
    }
    assert!(catch_unwind(|| matrix().slice(0, ..=usize::MAX)).is_err());
    assert!(catch_unwind(|| matrix().slice(2, ..)).is_err(), "no such axis");
    #[expect(clippy::reversed_empty_ranges, reason = "it is rejected")]
    let backwards = catch_unwind(|| matrix().slice(0, 2..1));
    assert!(backwards.is_err());
}

#[test]
fn what_converts() {
    fn first<'a, const R: usize>(v: impl Into<StridedView<'a, i32, R>>) -> i32 {
        v.into()[[0; R]]
    }
    let array = Array::from_vec(DATA.to_vec(), [3, 4]);
    let columns = array.to_column_major();
    let (by_reference, strided) = (&columns.view(), &matrix());
    assert_eq!([first(&array), first(&columns), first(array.view()), first(by_reference)], [0; 4]);
    assert_eq!([first(&DATA), first(&DATA[1..]), first(&DATA.to_vec()), first(matrix())], [0, 1, 0, 0]);
    assert_eq!([first(&[[1, 2], [3, 4]]), first(&vec![[5, 6]]), first(&[[[7]]]), first(strided)], [1, 5, 7, 0]);
    let same: StridedView<'_, i32, 2> = (&columns).into();
    assert_eq!(same.to_array(), array);
    let mut mutable = array.clone();
    assert_eq!(first(&mutable.view_mut()), 0);
}

#[test]
fn threads_share_views() {
    let v = matrix().t();
    let sums: Vec<i32> = std::thread::scope(|s| {
        let column = |i: usize| s.spawn(move || (0..3).map(|j| v[[i, j]]).sum());
        let all: Vec<_> = (0..4).map(column).collect();
        all.into_iter().map(|t| t.join().unwrap()).collect()
    });
    assert_eq!(sums, [12, 15, 18, 21]);
}
