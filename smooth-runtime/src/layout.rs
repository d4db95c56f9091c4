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

    /// Of `rank` axes, the one with the `k`th largest stride.
    #[doc(hidden)]
    fn axis(rank: usize, k: usize) -> usize;
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

    #[inline(always)]
    fn axis(_rank: usize, k: usize) -> usize {
        k
    }
}

impl Layout for ColumnMajor {
    const NAME: &'static str = "column-major";
    type Reversed = RowMajor;

    #[inline(always)]
    fn axis(rank: usize, k: usize) -> usize {
        rank - 1 - k
    }
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::RowMajor {}
    impl Sealed for super::ColumnMajor {}
}
