//! Where values are: destinations, views of arrays, the blocks of an allocation.

use super::Term;
use crate::name::VarId;
use crate::shape::Shape;
use crate::shape::card::Card;
use crate::span::Origin;
use crate::ty::Scalar;

/// A destination: a scalar variable, or a part of some storage.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Dest {
    /// A scalar variable, assigned once.
    Cell(VarId),
    /// `r[i₁]…[iₖ]` (the paper's `stgOff`); the indices are loop indices and constants, in range by
    /// construction.
    Storage(VarId, Vec<Term>),
}

/// A part of an array that is read: a variable and steps into it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct View {
    /// The array.
    pub base: VarId,
    /// Indices and slices, outermost first.
    pub steps: Vec<Step>,
}

/// A step into an array.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Step {
    /// `[i]`. Checked against the length where it could not be proved to be in range.
    At {
        /// The index.
        index: Term,
        /// The length to check against.
        check: Option<Card>,
        /// The user's index expression.
        origin: Origin,
    },
    /// `[s..e]`.
    Range {
        /// First index.
        start: Term,
        /// One past the last.
        end: Term,
        /// The length to check against.
        check: Option<Card>,
        /// The user's slice expression.
        origin: Origin,
    },
}

/// One block of an allocation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Block {
    /// The storage.
    pub r: VarId,
    /// Element type.
    pub elem: Scalar,
    /// Shape.
    pub shape: Shape,
    /// For how many elements there has to be room: as many as it has, or most in any round of the loops around.
    pub room: Card,
    /// Where it is.
    pub home: Home,
}

/// Where a block finds its bytes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Home {
    /// In the frame.
    Frame,
    /// In a local variable: small and of static size. Decided by `plan`.
    Local,
    /// From the system, and given back at the end of the scope. Decided by `plan`.
    Heap,
    /// Nowhere: no elements.
    Empty,
    /// In storage whose own value is dead by then, or not there yet.
    In(Dest),
}
