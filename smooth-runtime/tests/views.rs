//! Borrowed arrays.
use smooth_runtime::{View, ViewMut};

const DATA: [i32; 6] = [1, 2, 3, 4, 5, 6];

#[test]
fn a_view_is_a_slice_and_a_shape() {
    let view = View::new(&DATA, [2, 3]);
    assert_eq!((view.shape(), view.as_slice(), view.into_slice()), ([2, 3], &DATA[..], &DATA[..]));
    assert_eq!(view[[1, 2]], 6);
    assert_eq!(view[1], [4, 5, 6]);
    assert_eq!(view.at(1), View::new(&[4, 5, 6], [3]));
    assert!(view.rows().rev().eq([[4, 5, 6], [1, 2, 3]]));
    assert_ne!(view, View::new(&[1, 2, 3, 4, 5, 7], [2, 3]));
    assert_eq!(View::new(&[7], [])[[]], 7);
}

#[test]
fn elements_and_shape_must_agree() {
    assert!(View::try_new(&DATA, [2, 3]).is_ok());
    assert!(View::try_new(&DATA, [2, 4]).is_err());
    assert!(View::try_new(&DATA, [usize::MAX, 3]).is_err());
    assert!(View::try_new(&[0; 0], [usize::MAX, usize::MAX, 0]).is_ok());
    assert!(ViewMut::try_new(&mut [0; 0], [1]).is_err());
}

#[test]
#[should_panic(expected = "View: 6 elements do not fit the shape [2, 4]")]
fn a_wrong_shape_panics() {
    View::new(&DATA, [2, 4]);
}

#[test]
#[should_panic(expected = "ViewMut: 6 elements do not fit the shape [7]")]
fn a_wrong_shape_panics_mutably() {
    ViewMut::new(&mut DATA.clone(), [7]);
}

#[test]
#[should_panic(expected = "index out of bounds: the len of axis 1 is 3 but the index is 3")]
fn each_axis_is_checked() {
    let _ = View::new(&DATA, [2, 3])[[0, 3]];
}

#[test]
#[should_panic(expected = "index out of bounds: the len of axis 0 is 2 but the index is 2")]
fn rows_are_checked() {
    let _ = View::new(&DATA, [2, 3])[2];
}

#[test]
fn an_empty_inner_axis_has_rows_all_the_same() {
    let view = View::new(&[0; 0], [3, 0]);
    assert_eq!(view.rows().len(), 3);
    assert_eq!(format!("{view:?}"), "[[], [], []]");
}

#[test]
fn every_rank_is_taken_apart() {
    let data: [usize; 64] = core::array::from_fn(|i| i);
    let part = View::new(&data, [2; 6]).at(1).at(0).at(1).at(1).at(0);
    assert_eq!(part, View::from(&[44, 45]));
}

#[test]
fn a_view_is_shown_nested() {
    let view = View::new(&[1.0, 2.0, 3.0, 4.0], [2, 2]);
    assert_eq!(format!("{view:?}"), "[[1.0, 2.0], [3.0, 4.0]]");
    assert_eq!(format!("{view:.2?}"), "[[1.00, 2.00], [3.00, 4.00]]");
    assert_eq!(format!("{:?}", View::new(&DATA, [1, 2, 3])), "[[[1, 2, 3], [4, 5, 6]]]");
    assert_eq!(format!("{:?}", View::new(&[7], [])), "7");
}

#[test]
fn a_mutable_view_writes_through() {
    let mut data = DATA;
    let mut view = ViewMut::new(&mut data, [2, 3]);
    view[[0, 1]] = 20;
    view[1][2] = 60;
    view.reborrow().into_mut_slice()[0] = 10;
    view.as_mut_slice()[4] = 50;
    assert_eq!((view[[0, 0]], &view[1], view.shape()), (10, &[4, 50, 60][..], [2, 3]));
    assert_eq!(view.as_view(), View::new(view.as_slice(), [2, 3]));
    assert_eq!(format!("{view:?}"), "[[10, 20, 3], [4, 50, 60]]");
    assert_eq!(data, [10, 20, 3, 4, 50, 60]);
}

/// As a kernel takes its arguments.
fn shape<'a, const R: usize>(view: impl Into<View<'a, i32, R>>) -> [usize; R] {
    view.into().shape()
}

/// As a kernel takes its destination.
fn clear<'a, const R: usize>(view: impl Into<ViewMut<'a, i32, R>>) -> [usize; R] {
    let mut view = view.into();
    view.as_mut_slice().fill(0);
    view.shape()
}

#[test]
fn std_arrays_are_arguments_and_destinations() {
    let mut line = [1, 2];
    assert_eq!((shape(&line), shape(&line[..]), shape([1, 2].as_slice())), ([2], [2], [2]));
    assert_eq!((clear(&mut line), clear(&mut line[..])), ([2], [2]));

    let mut plane = [[1, 2, 3], [4, 5, 6]];
    assert_eq!((shape(&plane), shape(&plane[..])), ([2, 3], [2, 3]));
    assert_eq!((clear(&mut plane), clear(&mut plane[1..])), ([2, 3], [1, 3]));
    assert_eq!(plane, [[0; 3]; 2]);

    let mut space = [[[1; 4]; 3]; 2];
    assert_eq!((shape(&space), shape(&space[..])), ([2, 3, 4], [2, 3, 4]));
    assert_eq!((clear(&mut space), clear(&mut space[..])), ([2, 3, 4], [2, 3, 4]));

    let view = View::from(&plane);
    assert_eq!((shape(view), View::from(&view)), ([2, 3], view));
    let mut view = ViewMut::from(&mut plane);
    assert_eq!((clear(&mut view), clear(view)), ([2, 3], [2, 3]));
}

#[test]
#[cfg(feature = "alloc")]
fn vectors_are_arguments_and_destinations() {
    let (mut line, mut plane, mut space) = (vec![1], vec![[1, 2]; 3], vec![[[1; 4]; 3]; 2]);
    assert_eq!((shape(&line), shape(&plane), shape(&space)), ([1], [3, 2], [2, 3, 4]));
    assert_eq!((clear(&mut line), clear(&mut plane)), ([1], [3, 2]));
    assert_eq!(clear(&mut space), [2, 3, 4]);
    assert_eq!((line, plane, space), (vec![0], vec![[0; 2]; 3], vec![[[0; 4]; 3]; 2]));
}
