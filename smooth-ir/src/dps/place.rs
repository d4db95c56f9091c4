//! Places of values: destinations, views of arrays, blocks of an allocation.

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
    /// `r[i₁]…[iₖ]` (the paper's `stgOff`). The indices carry no check. Where a term writes, they are loop indices and
    /// constants, in range by construction; where it reads a previous value, they are indices that were proved.
    Storage(VarId, Vec<Term>),
}

impl Dest {
    /// The part of it at an index.
    pub fn at(self, i: Term) -> Dest {
        match self {
            Dest::Storage(r, mut path) => {
                path.push(i);
                Dest::Storage(r, path)
            }
            cell @ Dest::Cell(_) => cell,
        }
    }
}

/// Whether two parts of some storage are different rows: they differ by a constant index, and so in all iterations of the
/// loops around.
pub fn are_apart(path: &[Term], other: &[Term]) -> bool {
    let index = |t: &Term| if let Term::Size(c, _) = t { c.constant() } else { None };
    path.iter().zip(other).any(|(i, j)| index(i).zip(index(j)).is_some_and(|(i, j)| i != j))
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
    /// `[i]`. Checked against the length unless it was proved to be in range.
    At {
        /// The index.
        index: Term,
        /// The length to check against.
        check: Option<Card>,
        /// The user's index expression.
        origin: Origin,
    },
    /// `[s..e]`, checked or not as [`Step::At`] is.
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
    /// The number of elements that are planned for it: an upper bound of the shape's size over all iterations of the
    /// surrounding loops.
    pub capacity: Card,
    /// Its memory.
    pub placement: Placement,
}

/// The memory of a block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Placement {
    /// In the frame.
    Frame,
    /// In a local variable: small and of static size. Decided by `plan`.
    Local,
    /// Allocated by the system, and freed at the end of the scope. Decided by `plan`.
    Heap,
    /// Nowhere: the block has no elements.
    Empty,
    /// Inside other storage, at a time when that holds no live value.
    In(Dest),
}
