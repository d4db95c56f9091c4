//! Conversions from vectors of vectors, which must not be ragged, and to them.
use crate::{Array, ShapeError, View};
use alloc::vec::Vec;

/// The number of rows and their common length: that of row 0 or, in a plane of several, the length in the pair
/// `plane` of index and length.
fn matrix<T>(rows: &[impl AsRef<[T]>], plane: Option<(usize, usize)>) -> Result<[usize; 2], ShapeError> {
    let lengths = || rows.iter().map(|row| row.as_ref().len());
    let expected = plane.map_or_else(|| lengths().next().unwrap_or(0), |(_, expected)| expected);
    let plane = plane.map(|(plane, _)| plane);
    match lengths().enumerate().find(|&(_, found)| found != expected) {
        Some((row, found)) => Err(ShapeError::Ragged { kernel: "Array", plane, row, found, expected }),
        None => Ok([rows.len(), expected]),
    }
}

/// The number of planes, of rows in each plane, and of elements in each row.
fn space<T>(planes: &[impl AsRef<[Vec<T>]>]) -> Result<[usize; 3], ShapeError> {
    let expected = planes.first().map_or(0, |plane| plane.as_ref().len());
    let length = planes.first().and_then(|plane| plane.as_ref().first()).map_or(0, Vec::len);
    for (i, plane) in planes.iter().enumerate() {
        let plane = plane.as_ref();
        if plane.len() != expected {
            return Err(ShapeError::Planes { kernel: "Array", plane: i, found: plane.len(), expected });
        }
        matrix(plane, Some((i, length)))?;
    }
    Ok([planes.len(), expected, length])
}

impl<T> Array<T, 2> {
    /// An array of these rows.
    ///
    /// # Errors
    /// [`ShapeError::Ragged`] for the first row whose length differs from that of row 0.
    pub fn from_nested(rows: &[Vec<T>]) -> Result<Self, ShapeError>
    where
        T: Clone,
    {
        rows.try_into()
    }
}

/// `to_nested`, which collects one part for each first index.
macro_rules! to_nested {
    ($($rank:literal: $nested:ty, |$view:ident, $i:ident| $part:expr;)*) => {$(
        impl<T: Clone> View<'_, T, $rank> {
            /// A copy of the elements in nested vectors, the first index outermost.
            #[allow(clippy::type_complexity, reason = "as deep as the array")]
            pub fn to_nested(&self) -> $nested {
                let $view = self;
                (0..self.shape[0]).map(|$i| $part).collect()
            }
        }

        impl<T: Clone> Array<T, $rank> {
            /// A copy of the elements in nested vectors, the first index outermost, as `f::reference` uses them.
            #[allow(clippy::type_complexity, reason = "as deep as the array")]
            pub fn to_nested(&self) -> $nested {
                self.view().to_nested()
            }
        }
    )*};
}

to_nested! {
    2: Vec<Vec<T>>, |v, i| v[i].to_vec();
    3: Vec<Vec<Vec<T>>>, |v, i| v.at(i).to_nested();
    4: Vec<Vec<Vec<Vec<T>>>>, |v, i| v.at(i).to_nested();
    5: Vec<Vec<Vec<Vec<Vec<T>>>>>, |v, i| v.at(i).to_nested();
    6: Vec<Vec<Vec<Vec<Vec<Vec<T>>>>>>, |v, i| v.at(i).to_nested();
}

/// ```
/// # use smooth_runtime::Array;
/// let a = Array::<f64, 2>::try_from(vec![vec![1.0, 2.0], vec![3.0, 4.0]]).unwrap();
/// assert_eq!(a, [[1.0, 2.0], [3.0, 4.0]]);
/// let error = Array::<f64, 2>::try_from(vec![vec![1.0, 2.0], vec![3.0]]).unwrap_err();
/// assert_eq!(error.to_string(), "Array: row 1 has length 1, but row 0 has length 2");
/// ```
impl<T> TryFrom<Vec<Vec<T>>> for Array<T, 2> {
    type Error = ShapeError;

    fn try_from(rows: Vec<Vec<T>>) -> Result<Self, ShapeError> {
        let shape = matrix(&rows, None)?;
        Array::filled(rows.into_iter().flatten().collect(), shape)
    }
}

/// From rows of any type that is `AsRef<[T]>`: vectors, slices, arrays, boxes.
impl<T: Clone, Row: AsRef<[T]>> TryFrom<&[Row]> for Array<T, 2> {
    type Error = ShapeError;

    fn try_from(rows: &[Row]) -> Result<Self, ShapeError> {
        let shape = matrix(rows, None)?;
        Array::filled(rows.iter().flat_map(AsRef::as_ref).cloned().collect(), shape)
    }
}

/// ```
/// # use smooth_runtime::Array;
/// let error = Array::<_, 3>::try_from(vec![vec![vec![1, 2]], vec![vec![3]]]).unwrap_err();
/// assert_eq!(error.to_string(), "Array: row 0 of plane 1 has length 1, but row 0 of plane 0 has length 2");
/// ```
impl<T> TryFrom<Vec<Vec<Vec<T>>>> for Array<T, 3> {
    type Error = ShapeError;

    fn try_from(planes: Vec<Vec<Vec<T>>>) -> Result<Self, ShapeError> {
        let shape = space(&planes)?;
        Array::filled(planes.into_iter().flatten().flatten().collect(), shape)
    }
}

impl<T: Clone> TryFrom<&[Vec<Vec<T>>]> for Array<T, 3> {
    type Error = ShapeError;

    fn try_from(planes: &[Vec<Vec<T>>]) -> Result<Self, ShapeError> {
        let shape = space(planes)?;
        Array::filled(planes.iter().flatten().flatten().cloned().collect(), shape)
    }
}
