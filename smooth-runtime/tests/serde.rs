//! Serialisation of arrays and back.
#![cfg(feature = "serde")]
use serde_json::{from_str, json, to_string, to_value};
use smooth_runtime::{Array, ColumnMajor, View, ViewMut};

#[test]
fn an_array_is_its_shape_and_its_data() {
    let array = Array::from([[1.5, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    let text = r#"{"shape":[2,3],"data":[1.5,2.0,3.0,4.0,5.0,6.0]}"#;
    assert_eq!((to_string(&array).unwrap(), from_str::<Array<f64, 2>>(text).unwrap()), (text.into(), array.clone()));
    assert_eq!(
        (to_string(&array.view()).unwrap(), to_string(&array.clone().view_mut()).unwrap()),
        (text.into(), text.into())
    );
    assert_eq!(to_value(View::from(&[true, false])).unwrap(), json!({"shape": [2], "data": [true, false]}));
    assert_eq!(to_value(ViewMut::new(&mut [0u8; 0], [3, 0])).unwrap(), json!({"shape": [3, 0], "data": []}));
}

#[test]
fn serialised_data_is_row_major_in_any_layout() {
    let rows = Array::from_fn([2, 3, 4], |[i, j, k]| 100 * i + 10 * j + k);
    let columns = rows.to_column_major();
    let text = to_string(&rows).unwrap();
    assert_eq!((to_string(&columns).unwrap(), to_string(&columns.view()).unwrap()), (text.clone(), text.clone()));
    assert_eq!(from_str::<Array<usize, 3, ColumnMajor>>(&text).unwrap(), columns);
    assert_eq!(from_str::<Array<usize, 3>>(&text).unwrap(), rows);
}

/// An element that cannot be cloned.
#[derive(serde::Deserialize, Debug, PartialEq)]
struct Moved(String);

#[test]
fn elements_are_moved_into_place() {
    let array: Array<Moved, 2, ColumnMajor> = from_str(r#"{"shape":[1,2],"data":["a","b"]}"#).unwrap();
    assert_eq!((&array[[0, 0]].0[..], &array[[0, 1]].0[..]), ("a", "b"));
}

#[test]
fn malformed_input_is_an_error() {
    let error = |text: &str| from_str::<Array<f64, 2, ColumnMajor>>(text).unwrap_err().to_string();
    let says = |text: &str, expected: &str| assert!(error(text).starts_with(expected), "{}", error(text));
    says(r#"{"shape":[2,2],"data":[1,2,3]}"#, "Array: 3 elements do not fit the shape [2, 2]");
    says(r#"{"shape":[4],"data":[1,2,3,4]}"#, "Array: the shape [4] does not have 2 axes");
    says(r#"{"shape":[18446744073709551615,2],"data":[]}"#, "Array: 0 elements do not fit the shape");
    says(r#"{"data":[]}"#, "missing field `shape`");
    says(r#"{"shape":[0,0],"data":[],"layout":"rows"}"#, "unknown field `layout`");
    says(r#"{"shape":[0,-1],"data":[]}"#, "invalid value: integer `-1`");
}
