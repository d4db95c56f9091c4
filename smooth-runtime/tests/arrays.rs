//! Owned arrays.
#![cfg(feature = "alloc")]
use smooth_runtime::{Array, View, ViewMut};

#[test]
fn an_array_is_a_vector_and_a_shape() {
    let mut array = Array::from_vec(vec![1, 2, 3, 4, 5, 6], [2, 3]);
    assert_eq!((array.shape(), array[[1, 0]], array[1][0]), ([2, 3], 4, 4));
    array[[1, 0]] = 40;
    array[1][1] = 50;
    array.as_mut_slice()[0] = 10;
    array.view_mut()[[0, 1]] = 20;
    assert_eq!(array.as_slice(), [10, 20, 3, 40, 50, 6]);
    assert_eq!(array.view(), View::new(&[10, 20, 3, 40, 50, 6], [2, 3]));
    assert_eq!(array.at(1), View::from(&[40, 50, 6]));
    assert!(array.rows().eq([[10, 20, 3], [40, 50, 6]]));
    assert_eq!(format!("{array:?}"), "[[10, 20, 3], [40, 50, 6]]");
    assert_eq!(array.clone(), array);
    assert_eq!(array.into_vec(), [10, 20, 3, 40, 50, 6]);
}

#[test]
fn an_array_is_an_argument_and_a_destination() {
    let mut array = Array::from_elem([1, 2, 2], 7);
    assert_eq!(View::from(&array), View::from(&[[[7, 7], [7, 7]]]));
    ViewMut::from(&mut array)[[0, 1, 1]] = 8;
    assert_eq!(array[[0, 1, 1]], 8);
}

#[test]
fn a_function_fills_an_array_in_order() {
    let mut calls = 0;
    let array = Array::from_fn([2, 1, 3], |[i, j, k]| {
        calls += 1;
        (calls, 100 * i + 10 * j + k)
    });
    assert!(array.as_slice().iter().map(|x| x.0).eq(1..=6));
    assert!(array.as_slice().iter().map(|x| x.1).eq([0, 1, 2, 100, 101, 102]));
    assert_eq!(array[[1, 0, 2]].1, 102);
    assert_eq!(Array::from_fn([], |[]| 5).as_slice(), [5]);
    assert_eq!(Array::from_fn([3, 0], |_| -> u8 { unreachable!() }).shape(), [3, 0]);
}

#[test]
fn the_default_is_empty() {
    let array = Array::<f64, 3>::default();
    assert_eq!((array.shape(), array.as_slice()), ([0; 3], &[][..]));
}

#[test]
fn nested_and_back() {
    let nested = vec![vec![1, 2], vec![3, 4], vec![5, 6]];
    let array = Array::from_nested(&nested).unwrap();
    assert_eq!((array.shape(), array.to_nested()), ([3, 2], nested));
    assert_eq!(Array::<i32, 2>::from_nested(&[]).unwrap().shape(), [0, 0]);
    assert_eq!(Array::<i32, 2>::from_nested(&[vec![], vec![]]).unwrap().shape(), [2, 0]);
    let array = Array::from_vec(vec![1, 2, 3, 4], [2, 1, 2]);
    assert_eq!(array.to_nested(), [[[1, 2]], [[3, 4]]]);
}

#[test]
fn a_ragged_row_is_named() {
    let error = Array::from_nested(&[vec![1, 2], vec![3, 4], vec![5]]).unwrap_err();
    assert_eq!(error.to_string(), "Array: row 2 has length 1, but row 0 has length 2");
}

#[test]
fn elements_and_shape_must_agree() {
    let error = Array::try_from_vec(vec![1, 2, 3], [2, 2]).unwrap_err();
    assert_eq!(error.to_string(), "Array: 3 elements do not fit the shape [2, 2]");
}

#[test]
#[should_panic(expected = "Array: 3 elements do not fit the shape [2, 2]")]
fn a_wrong_shape_panics() {
    Array::from_vec(vec![1, 2, 3], [2, 2]);
}

#[test]
#[should_panic(expected = "Array: the size of its shape is too large")]
fn a_shape_too_large_panics() {
    Array::from_elem([usize::MAX, 2], ());
}
