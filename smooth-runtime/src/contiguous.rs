//! The constructors and accessors that `View`, `ViewMut` and `Array` have in common.

/// Implements them for one of the three. `$data` is the type of the contiguous elements; `$new` and `$try_new` are the
/// names of the row-major constructors.
macro_rules! contiguous {
    ($array:ident$(<$lifetime:lifetime>)?, $data:ty, $new:ident, $try_new:ident) => {
        impl<$($lifetime,)? T, const R: usize> $array<$($lifetime,)? T, R> {
            /// An array of the given shape with the elements of `data`, row after row.
            ///
            /// # Panics
            /// If the shape needs more or fewer elements than there are.
            #[track_caller]
            #[inline]
            pub fn $new(data: $data, shape: [usize; R]) -> Self {
                match Self::filled(data, shape) {
                    Ok(array) => array,
                    Err(error) => error.raise(),
                }
            }

            /// An array of the given shape with the elements of `data`, row after row.
            ///
            /// # Errors
            /// [`ShapeError::Elements`] if the shape needs more or fewer elements than there are.
            #[inline]
            pub fn $try_new(data: $data, shape: [usize; R]) -> Result<Self, ShapeError> {
                Self::filled(data, shape)
            }
        }

        impl<$($lifetime,)? T, const R: usize> $array<$($lifetime,)? T, R, ColumnMajor> {
            /// An array of the given shape (`[rows, columns]` at rank 2) with the elements of `data`, column after
            /// column.
            ///
            /// # Panics
            /// If the shape needs more or fewer elements than there are.
            #[track_caller]
            #[inline]
            pub fn column_major(data: $data, shape: [usize; R]) -> Self {
                match Self::filled(data, shape) {
                    Ok(array) => array,
                    Err(error) => error.raise(),
                }
            }

            /// An array of the given shape (`[rows, columns]` at rank 2) with the elements of `data`, column after
            /// column.
            ///
            /// # Errors
            /// [`ShapeError::Elements`] if the shape needs more or fewer elements than there are.
            #[inline]
            pub fn try_column_major(data: $data, shape: [usize; R]) -> Result<Self, ShapeError> {
                Self::filled(data, shape)
            }
        }

        impl<$($lifetime,)? T, const R: usize, L: Layout> $array<$($lifetime,)? T, R, L> {
            #[inline]
            pub(crate) fn filled(data: $data, shape: [usize; R]) -> Result<Self, ShapeError> {
                crate::shape::check(stringify!($array), data.len(), &shape)?;
                Ok(Self::of(data, shape))
            }

            /// An array whose shape is known to fit its elements.
            pub(crate) const fn of(data: $data, shape: [usize; R]) -> Self {
                $array { data, shape, layout: PhantomData }
            }

            /// The length along each axis.
            pub const fn shape(&self) -> [usize; R] {
                self.shape
            }

            /// The number of elements.
            pub const fn len(&self) -> usize {
                self.data.len()
            }

            /// Whether there are no elements.
            pub const fn is_empty(&self) -> bool {
                self.data.is_empty()
            }
        }
    };
}
pub(crate) use contiguous;
