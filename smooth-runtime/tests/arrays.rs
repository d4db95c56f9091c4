//! Owned arrays.
#![cfg(feature = "alloc")]
use smooth_runtime::{Array, ColumnMajor, ShapeError, View, ViewMut};

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
fn from_fn_calls_in_row_major_order() {
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
fn nested_vectors_convert_both_ways() {
    let nested = vec![vec![1, 2], vec![3, 4], vec![5, 6]];
    let array = Array::from_nested(&nested).unwrap();
    assert_eq!((array.shape(), array.to_nested()), ([3, 2], nested));
    assert_eq!(Array::<i32, 2>::from_nested(&[]).unwrap().shape(), [0, 0]);
    assert_eq!(Array::<i32, 2>::from_nested(&[vec![], vec![]]).unwrap().shape(), [2, 0]);
    let array = Array::from_vec(vec![1, 2, 3, 4], [2, 1, 2]);
    assert_eq!(array.to_nested(), [[[1, 2]], [[3, 4]]]);
    assert_eq!(array.view().to_nested(), array.to_nested());
    assert_eq!(Array::from_elem([2, 1, 2, 1, 1, 1], 7).to_nested(), [[[[[[7]]], [[[7]]]]], [[[[[7]]], [[[7]]]]]]);
}

#[test]
fn an_error_names_the_ragged_row() {
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

#[test]
fn copies_convert_between_layouts() {
    let rows = Array::from_fn([2, 3], |[i, j]| 10 * i + j);
    let columns = rows.to_column_major();
    assert_eq!((columns.shape(), columns.as_slice()), ([2, 3], &[0, 10, 1, 11, 2, 12][..]));
    assert_eq!(columns, Array::column_major(vec![0, 10, 1, 11, 2, 12], [2, 3]));
    assert!((0..2).all(|i| (0..3).all(|j| columns[[i, j]] == rows[[i, j]])));
    assert_eq!((columns.to_row_major(), columns.to_column_major()), (rows.clone(), columns.clone()));
    assert_eq!((rows.view().to_column_major(), columns.clone().view_mut().to_row_major()), (columns, rows));

    let deep = Array::from_fn([2, 3, 4], |[i, j, k]| 100 * i + 10 * j + k);
    assert_eq!(deep.to_column_major().to_row_major(), deep);
    assert_eq!(deep.to_column_major().as_slice()[..4], [0, 100, 10, 110]);
    assert_eq!(Array::from_elem([3, 0], 1).to_column_major().shape(), [3, 0]);
}

#[test]
fn a_column_major_array_is_an_argument_and_a_destination() {
    let mut array = Array::column_major(vec![1, 2, 3, 4, 5, 6], [2, 3]);
    array[[1, 0]] = 20;
    array.columns_mut().last().unwrap()[0] = 50;
    assert_eq!(View::<_, 2, ColumnMajor>::from(&array)[[1, 0]], 20);
    ViewMut::<_, 2, ColumnMajor>::from(&mut array)[[0, 1]] = 30;
    assert!(array.columns().eq([[1, 20], [30, 4], [50, 6]]));
    assert_eq!(format!("{array:?}"), "[[1, 30, 50], [20, 4, 6]]");
    assert_eq!((array.len(), Array::<u8, 2, ColumnMajor>::default().is_empty()), (6, true));
    assert!(Array::try_column_major(vec![1], [2, 3]).is_err());
}

#[test]
fn iterators_and_subarrays() {
    let mut array = Array::from_elem([2, 2, 2], 1);
    array.at_mut(1)[0][1] = 5;
    array.iter_mut().for_each(|x| *x *= 2);
    assert_eq!(array, [[[2, 2], [2, 2]], [[2, 10], [2, 2]]]);
    assert_eq!(array.iter().sum::<i32>(), 24);
    let mut array = Array::from([[1, 2], [3, 4]]);
    array.rows_mut().for_each(|row| row.reverse());
    assert_eq!(array, [[2, 1], [4, 3]]);
    assert_eq!((array.view(), array.clone().view_mut()), (View::from(&[[2, 1], [4, 3]]), array.clone().view_mut()));
    assert_eq!(array, array.view());
}

#[test]
fn rows_have_two_ends() {
    let mut array = Array::from_fn([3, 2], |[i, j]| 10 * i + j);
    assert!(array.rows().rev().eq([[20, 21], [10, 11], [0, 1]]));
    let mut rows = array.rows_mut();
    let (Some(first), Some(last)) = (rows.next(), rows.next_back()) else { panic!("three rows") };
    first.swap_with_slice(last);
    assert_eq!(rows.len(), 1);
    assert_eq!(rows.next_back().unwrap(), [10, 11]);
    assert!(rows.next().is_none() && rows.next_back().is_none());
    drop(rows);
    assert_eq!(array, [[20, 21], [10, 11], [0, 1]]);
    let mut empty = Array::<u8, 2>::from_vec(vec![], [2, 0]);
    assert!(empty.rows_mut().rev().all(|row| row.is_empty()));
    assert_eq!((empty.rows().count(), empty.rows_mut().count()), (2, 2));
    let mut columns = Array::column_major(vec![1, 2, 3, 4], [2, 2]);
    assert_eq!(columns.columns_mut().next_back().unwrap(), [3, 4]);
}

#[test]
fn an_element_has_an_array_or_a_tuple_as_its_index() {
    let mut array = Array::from([[1, 2, 3], [4, 5, 6]]);
    array[(0, 1)] = 20;
    assert_eq!((array[(0, 1)], array[[0, 1]], array[0][1]), (20, 20, 20));
    assert_eq!(
        (array.get((1, 2)), array.get([1, 2]), array.get((2, 0)), array.get((0, 3))),
        (Some(&6), Some(&6), None, None)
    );
    *array.get_mut((1, 0)).unwrap() = 40;
    assert!(array.get_mut([1, 3]).is_none());
    assert_eq!(array, [[1, 20, 3], [40, 5, 6]]);

    let mut line = Array::from_vec(vec![7, 8], [2]);
    line[1] += 1;
    assert_eq!((line[1], line[[1]], line.get(0), line.get(2)), (9, 9, Some(&7), None));
    let mut deep = Array::from_elem([1, 2, 1, 2, 1, 3], 0);
    deep[(0, 1, 0, 1, 0, 2)] = 5;
    assert_eq!((deep[[0, 1, 0, 1, 0, 2]], deep.as_slice().iter().position(|&x| x == 5)), (5, Some(11)));
    assert_eq!((Array::from_elem([], 3)[[]], Array::from_elem([1, 1, 1], 3)[(0, 0, 0)]), (3, 3));

    let columns = array.to_column_major();
    assert_eq!((columns[(1, 0)], columns.get((0, 2)), columns.get((2, 0))), (40, Some(&3), None));
}

#[test]
#[should_panic(expected = "index out of bounds: the len of axis 1 is 3 but the index is 3")]
fn each_axis_of_a_tuple_is_checked() {
    let _ = Array::from_elem([2, 3], 0)[(0, 3)];
}

#[test]
fn map_keeps_the_shape_and_the_layout() {
    let array = Array::from([[1.0, 4.0], [9.0, 16.0]]);
    assert_eq!(array.map(f64::sqrt), [[1.0, 2.0], [3.0, 4.0]]);
    let mut calls = vec![];
    let columns = array.to_column_major().map(|x| {
        calls.push(x);
        x as i32
    });
    assert_eq!((columns.shape(), columns.as_slice()), ([2, 2], &[1, 9, 4, 16][..]));
    assert_eq!(calls, [1.0, 9.0, 4.0, 16.0]);
    let words = Array::from_vec(vec!["a", "bc"], [1, 2]).map(String::from);
    assert_eq!(words.map(|word| word.len()), [[1, 2]]);
}

#[test]
fn for_loops_run_over_the_elements() {
    let mut array = Array::from([[1, 2], [3, 4]]);
    for x in &mut array {
        *x *= 10;
    }
    let mut sum = 0;
    for x in &array {
        sum += x;
    }
    for x in array.view() {
        sum += x;
    }
    for x in array.view_mut() {
        *x += 1;
    }
    assert_eq!((sum, array.clone().into_iter().collect::<Vec<_>>()), (200, vec![11, 21, 31, 41]));
    assert_eq!(Vec::from(array), [11, 21, 31, 41]);
}

#[test]
fn arrays_equal_nested_arrays_and_vectors_from_both_sides() {
    /// Both directions agree.
    fn equal<A: PartialEq<B>, B: PartialEq<A>>(a: &A, b: &B) -> bool {
        let equal = a == b;
        assert_eq!(b == a, equal);
        equal
    }
    let line = Array::from_vec(vec![1, 2], [2]);
    assert!(equal(&line, &[1, 2]) && equal(&line, &vec![1, 2]) && equal(&line.view(), &[1, 2]));
    assert!(!equal(&line, &[1, 3]) && !equal(&line, &[1, 2, 3]) && !equal(&line, &vec![1]));
    let mut m = Array::from([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
    assert_eq!(m, [[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
    assert_eq!([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], m);
    assert_eq!(m, vec![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]);
    assert_eq!(vec![[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], m);
    let rows = vec![vec![1.0, 2.0], vec![3.0, 4.0], vec![5.0, 6.0]];
    assert!(equal(&m, &rows));
    for other in [&rows[..2], &[&rows[..], &rows[2..]].concat(), &[rows[0].clone(), rows[1].clone(), vec![5.0]]] {
        assert!(!equal(&m, &other.to_vec()));
    }
    assert!(!equal(&m, &[[1.0, 3.0, 5.0], [2.0, 4.0, 6.0]]));
    assert!(equal(&m.view(), &[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]));
    assert!(equal(&m.view_mut(), &[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]));
    m[(2, 1)] = f64::NAN;
    assert_ne!(m, m.clone());

    let deep = Array::from_vec(vec![1, 2, 3, 4], [2, 1, 2]);
    assert!(equal(&deep, &[[[1, 2]], [[3, 4]]]) && equal(&deep, &vec![vec![vec![1, 2]], vec![vec![3, 4]]]));
    assert!(!equal(&deep, &vec![vec![vec![1, 2]], vec![vec![3, 5]]]) && !equal(&deep, &vec![vec![vec![1, 2]]]));
    assert!(equal(&Array::<i32, 2>::from_vec(vec![], [2, 0]), &vec![vec![], vec![]]));
}

#[test]
fn the_transpose_is_a_view() {
    let mut array = Array::from([[1, 2, 3], [4, 5, 6]]);
    assert_eq!((array.t().shape(), array.t()[(2, 1)]), ([3, 2], 6));
    assert_eq!(array.t().to_row_major(), [[1, 4], [2, 5], [3, 6]]);
    assert_eq!(array.view_mut().t().to_row_major(), array.t().to_row_major());
    assert_eq!(array.to_column_major().t(), array.view().t().to_row_major());
}

#[test]
fn std_arrays_convert_to_arrays() {
    assert_eq!(Array::from([1, 2]), Array::from_vec(vec![1, 2], [2]));
    assert_eq!(Array::from(vec![[1, 2], [3, 4], [5, 6]]), [[1, 2], [3, 4], [5, 6]]);
    assert_eq!(Array::<_, 3>::from([[[1, 2]], [[3, 4]]]).shape(), [2, 1, 2]);
    assert_eq!(Array::<_, 6>::from([[[[[[1u8; 6]; 5]; 4]; 3]; 2]; 1]).shape(), [1, 2, 3, 4, 5, 6]);
}

#[test]
fn nested_rows_may_be_vectors_or_slices() {
    let rows = vec![vec![1, 2, 3], vec![4, 5, 6]];
    let expected = Array::from([[1, 2, 3], [4, 5, 6]]);
    assert_eq!(Array::<_, 2>::try_from(&rows[..]).unwrap(), expected);
    assert_eq!(Array::<_, 2>::try_from(&[&[1, 2, 3][..], &[4, 5, 6]][..]).unwrap(), expected);
    assert_eq!(Array::<_, 2>::try_from(rows).unwrap(), expected);

    let planes = vec![vec![vec![1, 2], vec![3, 4]], vec![vec![5, 6], vec![7, 8]]];
    let array = Array::<_, 3>::try_from(&planes[..]).unwrap();
    assert_eq!((array.to_nested(), &array), (planes.clone(), &Array::try_from(planes).unwrap()));
    let shape = |planes: Vec<Vec<Vec<u8>>>| Array::<_, 3>::try_from(planes).map(|a| a.shape());
    assert_eq!(shape(vec![]), Ok([0, 0, 0]));
    assert_eq!(shape(vec![vec![]; 2]), Ok([2, 0, 0]));
    assert_eq!(shape(vec![vec![vec![]; 3]; 2]), Ok([2, 3, 0]));
}

#[test]
fn an_error_names_the_ragged_row_or_plane() {
    let error = Array::<i32, 2>::try_from(vec![vec![1], vec![1, 2]]).unwrap_err();
    assert_eq!(error, ShapeError::Ragged { kernel: "Array", plane: None, row: 1, found: 2, expected: 1 });
    let text = |planes: Vec<Vec<Vec<i32>>>| Array::<i32, 3>::try_from(&planes[..]).unwrap_err().to_string();
    let row = |n| vec![0; n];
    assert_eq!(
        text(vec![vec![row(2), row(2)], vec![row(2), row(1)]]),
        "Array: row 1 of plane 1 has length 1, but row 0 of plane 0 has length 2"
    );
    assert_eq!(
        text(vec![vec![row(2), row(3)], vec![row(2), row(1)]]),
        "Array: row 1 of plane 0 has length 3, but row 0 of plane 0 has length 2"
    );
    assert_eq!(
        text(vec![vec![row(2), row(2)], vec![row(2)]]),
        "Array: the number of rows of plane 1 is 1, but that of plane 0 is 2"
    );
    assert_eq!(text(vec![vec![], vec![row(2)]]), "Array: the number of rows of plane 1 is 1, but that of plane 0 is 0");
}
