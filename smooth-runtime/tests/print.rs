//! The output of `Display` and `LowerExp` for arrays and views.
#![cfg(feature = "alloc")]
use smooth_runtime::{Array, StridedView, View, ViewMut};

#[test]
fn elements_are_in_columns_and_rows_on_lines() {
    let a = Array::from([[1, -20, 3], [400, 5, 6]]);
    assert_eq!(a.to_string(), "[[  1, -20,   3],\n [400,   5,   6]]");
    assert_eq!(Array::from_vec(vec![1.5, 10.0], [2]).to_string(), "[1.5,  10]");
    assert_eq!(Array::from_elem([], 7).to_string(), "7");
    assert_eq!(Array::from([[true, false]]).to_string(), "[[ true, false]]");
    assert_eq!(Array::from_vec(vec!["ä", "öü"], [1, 2]).to_string(), "[[ ä, öü]]");
}

#[test]
fn matrices_of_higher_ranks_have_an_empty_line_between_them() {
    let a = Array::from_fn([2, 2, 2], |[i, j, k]| 100 * i + 10 * j + k);
    assert_eq!(a.to_string(), "[[[  0,   1],\n  [ 10,  11]],\n\n [[100, 101],\n  [110, 111]]]");
    let a = Array::from_fn([2, 1, 1, 1], |[i, ..]| i);
    assert_eq!(a.to_string(), "[[[[0]]],\n\n\n [[[1]]]]");
}

#[test]
fn the_format_is_that_of_the_elements() {
    let a = Array::from([[1.0, -22.25], [0.5, f64::NAN]]);
    assert_eq!(format!("{a}"), "[[     1, -22.25],\n [   0.5,    NaN]]");
    assert_eq!(format!("{a:.1}"), "[[  1.0, -22.2],\n [  0.5,   NaN]]");
    assert_eq!(format!("{a:8.1}"), "[[     1.0,    -22.2],\n [     0.5,      NaN]]");
    assert_eq!(format!("{a:2.1}"), format!("{a:.1}"));
    assert_eq!(format!("{a:+.0}"), "[[ +1, -22],\n [ +0, NaN]]");
    assert_eq!(format!("{a:<.1}"), "[[1.0  , -22.2],\n [0.5  , NaN  ]]");
    assert_eq!(format!("{:06.1}", Array::from([[1.0, 10.0]])), "[[0001.0, 0010.0]]");
    assert_eq!(format!("{:.2e}", Array::from([[1234.5, 0.5]])), "[[1.23e3, 5.00e-1]]".replace("[[1", "[[ 1"));
}

#[test]
fn views_print_as_arrays_do() {
    let mut data = [1, 20, 3, 4, 5, 6];
    let text = "[[ 1, 20,  3],\n [ 4,  5,  6]]";
    let columns = View::new(&data, [2, 3]).to_column_major();
    assert_eq!(columns.to_string(), text);
    assert_eq!(View::new(&data, [2, 3]).to_string(), text);
    let strided = StridedView::new(&data, 5, [2, 3], [-3, -1]);
    assert_eq!(strided.to_string(), "[[ 6,  5,  4],\n [ 3, 20,  1]]");
    assert_eq!(format!("{strided:?}"), "[[6, 5, 4], [3, 20, 1]]");
    assert_eq!(ViewMut::new(&mut data, [2, 3]).to_string(), text);
}

#[test]
fn empty_arrays_print_their_axes() {
    assert_eq!(Array::<f64, 2>::default().to_string(), "[]");
    assert_eq!(Array::from_elem([2, 0], 1).to_string(), "[[],\n []]");
    assert_eq!(Array::from_elem([0, 5], 1).to_string(), "[]");
}

#[test]
fn of_many_elements_the_ends_are_shown() {
    let a = Array::from_fn([1001], |[i]| i);
    assert_eq!(a.to_string(), "[   0,    1,    2, ...,  998,  999, 1000]");
    assert_eq!(format!("{a:#}").split(", ").count(), 1001);
    let a = Array::from_fn([1000], |[i]| i);
    assert_eq!(a.to_string().split(", ").count(), 1000);
    let a = Array::from_fn([200, 6], |[i, j]| 1000 * i + j);
    let text = "\
[[     0,      1,      2,      3,      4,      5],
 [  1000,   1001,   1002,   1003,   1004,   1005],
 [  2000,   2001,   2002,   2003,   2004,   2005],
 ...,
 [197000, 197001, 197002, 197003, 197004, 197005],
 [198000, 198001, 198002, 198003, 198004, 198005],
 [199000, 199001, 199002, 199003, 199004, 199005]]";
    assert_eq!(a.to_string(), text);
    // Elements that are not shown take no room.
    let mut a = Array::from_elem([40, 40], 0.0);
    a[(20, 20)] = 123456.0;
    assert_eq!(a.to_string().lines().next().unwrap(), "[[0, 0, 0, ..., 0, 0, 0],");
    assert_eq!(a.to_string().lines().count(), 7);
}

#[test]
fn strided_views_have_elements() {
    let data = [1, 2, 3, 4, 5, 6];
    let view = View::new(&data, [2, 3]).strided().reversed(0);
    assert_eq!((view[(0, 2)], view[[1, 0]], view.get((1, 1)), view.get([2, 0])), (6, 1, Some(&2), None));
    assert!(view.iter().eq(&[4, 5, 6, 1, 2, 3]));
    assert_eq!(view.iter().len(), 6);
}
