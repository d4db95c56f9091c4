//! The order in which the elements of an array lie in memory.
use core::{fmt::Debug, hash::Hash};

/// An order of elements in memory: [`RowMajor`] or [`ColumnMajor`].
///
/// A layout changes where an element lies, never its index: `v[[i, j]]` is row `i`, column `j` in either.
pub trait Layout: sealed::Sealed + Copy + Default + Debug + Eq + Hash + Send + Sync + 'static {
    /// `"row-major"` or `"column-major"`.
    const NAME: &'static str;

    /// The other one: that of the same elements when the axes are reversed.
    type Reversed: Layout<Reversed = Self>;

    #[doc(hidden)]
    const IS_ROW_MAJOR: bool;

    /// Of `rank` axes, the one with the `k`th largest stride.
    #[doc(hidden)]
    #[inline(always)]
    fn axis(rank: usize, k: usize) -> usize {
        if Self::IS_ROW_MAJOR { k } else { rank - 1 - k }
    }
}

/// The last index runs fastest: rows lie one after the other, as in std's nested arrays.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RowMajor;

/// The first index runs fastest: columns lie one after the other, as in Fortran, nalgebra and faer.
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
