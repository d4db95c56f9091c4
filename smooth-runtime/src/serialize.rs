//! serde: an array is a struct of its `shape` and its `data`, which has the elements in row-major order whatever the
//! layout in memory. So no format, not even one without field names, can return the data transposed.
use crate::{Array, Layout, RowMajor, View, ViewMut, shape};
use alloc::{format, vec::Vec};
use serde::{
    Deserialize, Deserializer, Serialize, Serializer,
    de::Error as _,
    ser::{SerializeSeq, SerializeStruct},
};

/// The elements in row-major order.
struct Elements<'a, T, const R: usize, L>(View<'a, T, R, L>);

impl<T: Serialize, const R: usize, L: Layout> Serialize for Elements<'_, T, R, L> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut seq = serializer.serialize_seq(Some(self.0.len()))?;
        for index in shape::indices::<RowMajor, R>(self.0.shape, self.0.len()) {
            seq.serialize_element(&self.0[index])?;
        }
        seq.end()
    }
}

/// As a struct of `shape` and `data`, the latter in row-major order.
impl<T: Serialize, const R: usize, L: Layout> Serialize for View<'_, T, R, L> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut fields = serializer.serialize_struct("Array", 2)?;
        fields.serialize_field("shape", &self.shape[..])?;
        fields.serialize_field("data", &Elements(*self))?;
        fields.end()
    }
}

/// As a struct of `shape` and `data`, the latter in row-major order.
impl<T: Serialize, const R: usize, L: Layout> Serialize for ViewMut<'_, T, R, L> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.as_view().serialize(serializer)
    }
}

/// As a struct of `shape` and `data`, the latter in row-major order.
///
/// ```
/// # use smooth_runtime::Array;
/// let a = Array::column_major(vec![1, 3, 2, 4], [2, 2]);
/// let text = serde_json::to_string(&a).unwrap();
/// assert_eq!(text, r#"{"shape":[2,2],"data":[1,2,3,4]}"#);
/// assert_eq!(serde_json::from_str::<Array<i32, 2>>(&text).unwrap(), [[1, 2], [3, 4]]);
/// ```
impl<T: Serialize, const R: usize, L: Layout> Serialize for Array<T, R, L> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.view().serialize(serializer)
    }
}

/// A deserialised array whose shape has not been checked yet.
#[derive(Deserialize)]
#[serde(rename = "Array", deny_unknown_fields)]
struct Parts<T> {
    shape: Vec<usize>,
    data: Vec<T>,
}

/// From a struct of `shape` and `data`, which must fit each other and the rank.
impl<'de, T: Deserialize<'de>, const R: usize, L: Layout> Deserialize<'de> for Array<T, R, L> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let Parts { shape, data } = Parts::deserialize(deserializer)?;
        let shape: [usize; R] = shape
            .try_into()
            .map_err(|shape| D::Error::custom(format!("Array: the shape {shape:?} does not have {R} axes")))?;
        let rows = Array::<T, R>::try_from_vec(data, shape).map_err(D::Error::custom)?;
        if L::IS_ROW_MAJOR {
            return Ok(Array::of(rows.data, shape));
        }
        // Each index occurs once, so that the elements can be moved.
        let mut rows = Array::<_, R>::of(rows.data.into_iter().map(Some).collect(), shape);
        Ok(Array::by_index(shape, |index| rows[index].take().expect("taken once")))
    }
}
