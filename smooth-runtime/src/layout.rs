//! The order of the elements of an array in memory.
use core::{fmt::Debug, hash::Hash};

/// An order of the elements in memory: [`RowMajor`] or [`ColumnMajor`].
///
/// A layout changes the position of an element in memory, never its index: `v[[i, j]]` is in row `i` and column `j`
/// in either layout.
pub trait Layout: sealed::Sealed + Copy + Default + Debug + Eq + Hash + Send + Sync + 'static {
    /// `"row-major"` or `"column-major"`.
    const NAME: &'static str;

    /// The other layout, which the same elements have after the axes are reversed.
    type Reversed: Layout<Reversed = Self>;

    #[doc(hidden)]
    const IS_ROW_MAJOR: bool;

    /// The axis with the `k`th largest stride among `rank` axes.
    #[doc(hidden)]
    #[inline(always)]
    fn axis(rank: usize, k: usize) -> usize {
        if Self::IS_ROW_MAJOR { k } else { rank - 1 - k }
    }
}

/// The last index varies fastest: rows are contiguous, as in std's nested arrays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RowMajor;

/// The first index varies fastest: columns are contiguous, as in Fortran, nalgebra and faer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct ColumnMajor;

impl Layout for RowMajor {
    const NAME: &'static str = "row-major";
    type Reversed = ColumnMajor;
    const IS_ROW_MAJOR: bool = true;
}

impl Layout for ColumnMajor {
    const NAME: &'static str = "column-major";
    type Reversed = RowMajor;
    const IS_ROW_MAJOR: bool = false;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::RowMajor {}
    impl Sealed for super::ColumnMajor {}
}
