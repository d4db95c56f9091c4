//! The parts of constants that a kernel takes.

use crate::surface;
use crate::ty::Scalar;

/// Numbers or `bool`s of a constant: of `T.0`, an array of rank 2 with elements `x`, the part `x.1.0`, which is an array of
/// rank 1.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// The part of the constant that has them.
    pub of: Vec<usize>,
    /// The rank of an array of them, or 0.
    pub rank: usize,
    /// The part of each element.
    pub part: Vec<usize>,
    /// The rank of an array that this part is, or 0.
    pub inner: usize,
}

impl Numbers {
    /// The part, as the user may write it.
    pub(super) fn name(&self, path: &syn::Path) -> String {
        let parts = self.of.iter().chain(&self.part);
        parts.fold(surface::path_key(path), |name, k| format!("{name}.{k}"))
    }

    /// The array that has this axis, and its number there.
    pub(super) fn axis(&self, axis: usize) -> (Numbers, usize) {
        let of = self.of.clone();
        match axis.checked_sub(self.rank) {
            None => (Numbers { of, ..Numbers::default() }, axis),
            Some(axis) => (Numbers { of, rank: self.rank, part: self.part.clone(), inner: 0 }, axis),
        }
    }
}

/// The part of a constant that a kernel takes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConstPart {
    /// Numbers, each cast to the type if there is one.
    Numbers(Numbers, Option<Scalar>),
    /// The extent of an array along an axis.
    Extent(Numbers, usize),
}

impl ConstPart {
    /// All of a constant that is a number.
    pub const VALUE: ConstPart =
        ConstPart::Numbers(Numbers { of: Vec::new(), rank: 0, part: Vec::new(), inner: 0 }, None);
}
