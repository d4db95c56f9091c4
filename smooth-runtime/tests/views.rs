//! Borrowed arrays.
use smooth_runtime::{ColumnMajor, View, ViewMut};

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
fn an_empty_inner_axis_keeps_its_rows() {
    let view = View::new(&[0; 0], [3, 0]);
    assert_eq!(view.rows().len(), 3);
    assert_eq!(format!("{view:?}"), "[[], [], []]");
}

#[test]
fn at_reduces_the_rank_by_one() {
    let data: [usize; 64] = core::array::from_fn(|i| i);
    let part = View::new(&data, [2; 6]).at(1).at(0).at(1).at(1).at(0);
    assert_eq!(part, View::from(&[44, 45]));
}

#[test]
fn debug_prints_nested_lists() {
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

#[test]
fn the_first_index_of_a_column_major_view_varies_fastest() {
    let view = View::column_major(&DATA, [2, 3]);
    assert_eq!((view.shape(), view.as_slice()), ([2, 3], &DATA[..]));
    assert_eq!([view[[0, 0]], view[[1, 0]], view[[0, 1]], view[[1, 2]]], [1, 2, 3, 6]);
    assert!(view.columns().eq([[1, 2], [3, 4], [5, 6]]));
    assert_eq!(format!("{view:?}"), "[[1, 3, 5], [2, 4, 6]]");
    assert_eq!(view, View::column_major(&DATA, [2, 3]));
    assert_ne!(view, View::column_major(&DATA, [3, 2]));
    assert_eq!(view.t(), View::new(&DATA, [3, 2]));
    assert_eq!(view.t().t(), view);
    assert_eq!(View::try_column_major(&DATA, [2, 2]).unwrap_err(), View::try_new(&DATA, [2, 2]).unwrap_err());

    let data: [usize; 24] = core::array::from_fn(|i| i);
    let view = View::column_major(&data, [2, 3, 4]);
    for (i, j, k) in (0..2).flat_map(|i| (0..3).flat_map(move |j| (0..4).map(move |k| (i, j, k)))) {
        assert_eq!((view[[i, j, k]], view.t()[[k, j, i]]), (i + 2 * j + 6 * k, view[[i, j, k]]));
    }
    assert_eq!(
        format!("{view:?}").replace(' ', ""),
        "[[[0,6,12,18],[2,8,14,20],[4,10,16,22]],[[1,7,13,19],[3,9,15,21],[5,11,17,23]]]"
    );
    assert_eq!(View::column_major(&[7], [])[[]], 7);
    assert_eq!(format!("{:?}", View::column_major(&[0; 0], [2, 0])), "[[], []]");
}

#[test]
#[should_panic(expected = "index out of bounds: the len of axis 1 is 3 but the index is 3")]
fn each_axis_of_a_column_major_view_is_checked() {
    let _ = View::column_major(&DATA, [2, 3])[[0, 3]];
}

#[test]
#[should_panic(expected = "ViewMut: 6 elements do not fit the shape [2, 2]")]
fn a_wrong_column_major_shape_panics() {
    ViewMut::column_major(&mut DATA.clone(), [2, 2]);
}

#[test]
fn a_column_major_view_writes_through() {
    let mut data = DATA;
    let mut view = ViewMut::column_major(&mut data, [2, 3]);
    view[[1, 0]] = 20;
    view.reborrow()[[0, 2]] = 50;
    view.columns_mut().nth(1).unwrap().fill(0);
    assert_eq!(view, View::column_major(&[1, 20, 0, 0, 50, 6], [2, 3]));
    assert_eq!(format!("{view:?}"), "[[1, 0, 50], [20, 0, 6]]");
    assert_eq!((data, ViewMut::<u8, 2, ColumnMajor>::default().shape()), ([1, 20, 0, 0, 50, 6], [0, 0]));
}

#[test]
fn iterators_and_subarrays() {
    let view = View::new(&DATA, [2, 3]);
    assert_eq!((view.len(), view.is_empty(), View::new(&[0; 0], [0, 3]).is_empty()), (6, false, true));
    assert!(view.iter().eq(&DATA));
    let mut data = DATA;
    let mut view = ViewMut::new(&mut data, [2, 3]);
    view.iter_mut().for_each(|x| *x += 1);
    for (i, row) in (10..).zip(view.rows_mut()) {
        row[0] = i;
    }
    assert_eq!(view.rows_mut().len(), 2);
    assert_eq!((view.rows().len(), view.len()), (2, 6));
    assert_eq!(view, [[10, 3, 4], [11, 6, 7]]);
    assert!(view.iter().copied().eq([10, 3, 4, 11, 6, 7]));
    assert_eq!(ViewMut::new(&mut [0; 0], [3, 0]).rows_mut().map(|row| row.len()).collect::<Vec<_>>(), [0; 3]);

    let mut data: [usize; 24] = core::array::from_fn(|i| i);
    let mut view = ViewMut::new(&mut data, [2, 3, 4]);
    view.at_mut(1).at_mut(2)[[3]] = 0;
    view.at_mut(0)[1][0] = 100;
    assert_eq!((view.at(1).at(2), view.at(0)[[1, 0]]), (View::from(&[20, 21, 22, 0]), 100));
}

#[test]
#[should_panic(expected = "index out of bounds: the len of axis 0 is 2 but the index is 2")]
fn mutable_parts_are_checked() {
    ViewMut::new(&mut DATA.clone(), [2, 3]).at_mut(2);
}

#[test]
fn equality_compares_shape_and_elements() {
    let mut data = DATA;
    let view = ViewMut::new(&mut data, [2, 3]);
    assert_eq!(view, View::new(&DATA, [2, 3]));
    assert_eq!(View::new(&DATA, [2, 3]), view);
    assert_ne!(view, View::new(&DATA, [3, 2]));
    assert_eq!(view, [[1, 2, 3], [4, 5, 6]]);
    assert_ne!(view, [[1, 2, 3], [4, 5, 7]]);
    assert_ne!(view, [[1, 2], [3, 4], [5, 6]]);
    assert_eq!(View::new(&DATA, [1, 2, 3]), [[[1, 2, 3], [4, 5, 6]]]);
    assert_eq!((View::<u8, 2>::default().shape(), View::<u8, 2>::default().len()), ([0, 0], 0));
    assert_ne!(View::new(&[f64::NAN], [1]), View::new(&[f64::NAN], [1]));
}

/// Takes its argument as a kernel does.
fn shape<'a, const R: usize>(view: impl Into<View<'a, i32, R>>) -> [usize; R] {
    view.into().shape()
}

/// Takes its destination as a kernel does.
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

    let mut deep = [[[[[[1; 7]; 6]; 5]; 4]; 3]; 2];
    assert_eq!((shape(&deep[0][0]), shape(&deep[0][0][..1])), ([4, 5, 6, 7], [1, 5, 6, 7]));
    assert_eq!((shape(&deep[0]), shape(&deep[0][..1])), ([3, 4, 5, 6, 7], [1, 4, 5, 6, 7]));
    assert_eq!((clear(&mut deep), clear(&mut deep[..1])), ([2, 3, 4, 5, 6, 7], [1, 3, 4, 5, 6, 7]));
    assert_eq!(deep, [[[[[[0; 7]; 6]; 5]; 4]; 3]; 2]);

    let view = View::from(&plane);
    assert_eq!((shape(view), View::from(&view)), ([2, 3], view));
    let mut view = ViewMut::from(&mut plane);
    assert_eq!((shape(&view), clear(&mut view), clear(view)), ([2, 3], [2, 3], [2, 3]));
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
