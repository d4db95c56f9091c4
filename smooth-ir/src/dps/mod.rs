//! DPS-F̃ (Fig. 5): every array is written into storage that its consumer gives.
//!
//! ```text
//! t ::= x | n | op t̄ | v                          scalars; v reads a cell
//!     | let x = t in t | if t then t else t
//!     | sum t (λi. t)                             and product, minimum, maximum
//!     | d̄ ← reduce t (λi. t) (λā b̄. t) t          the terms combined by a function
//!     | alloc P̄ (λr̄. t)                           storage of shapes P̄ while t runs
//!     | let x̄{r̄} = t in t                         t fills the storage r̄; the arrays in it are called x̄
//!     | previous d                                a cell of d that is about to be overwritten
//!     | let x = v in t                            a name for a part of an array
//!     | build{d} N (λi. t{d[i]})                  d: a destination
//!     | ifold{…} | d ← t | copy{d} v | t ; t | call{d̄} k
//!     | set d ← t                                 overwrites an element of a full array
//!     | already_there d x | already_there d x but d[ī] y         copies that became no-ops
//! ```
//!
//! DPS-F̃ is F̃ with storage and destinations, and without array-valued terms; the only functions left are parameters.
//! A term that writes has no value; a scalar has no destination (the paper's `•`).
//!
//! # Lifetimes
//!
//! A `let x{r} = t in …` begins a new lifetime of `r`: `t` writes each cell of it once, and `x` names the cells that it
//! wrote. Storage may therefore be filled again once `x` is dead: in the next iteration of a loop, or for a different
//! array ([`Placement::In`]). Until a cell is written in the new lifetime, `previous r` reads the value that it held
//! before.

#[cfg(feature = "checked")]
pub mod check;
#[cfg(feature = "checked")]
pub mod eval;
#[cfg(feature = "checked")]
pub mod parse;
mod place;
pub mod print;
mod term;
pub mod visit;

pub use place::{Block, Dest, Placement, Step, View, are_apart};
pub use term::{
    Alias, Alloc, Arg, Build, Call, Combine, Copy, Fill, Fold, Let, Reduce, Reduces, RowThere, State, Term,
};

use crate::fsmooth::Interface;
use crate::name::{Names, VarId};
use crate::shape::{self, Param, Shape};
use crate::ty::{Scalar, Type};

/// A kernel in destination-passing style.
#[derive(Clone, Debug)]
pub struct Program {
    /// Its interface.
    pub interface: Interface,
    /// Names of all variables.
    pub names: Names,
    /// The result's type.
    pub result_type: Type,
    /// The destinations of the leaves of the result and of the in-out parameters' last values: storage for arrays, a
    /// cell for each scalar of a tuple. An in-out array is in its storage until a term writes there.
    pub results: Vec<Leaf>,
    /// The body; its value is the result where that is a single scalar.
    pub body: Term,
}

impl Program {
    /// The in-out parameters, each with the leaf that its last value is.
    pub fn in_out(&self) -> impl Iterator<Item = (&Param, &Leaf)> {
        let params = self.interface.params.iter().filter(|p| p.in_out);
        params.zip(&self.results[self.results.len().saturating_sub(shape::in_out(&self.interface.params))..])
    }

    /// The storage of an in-out array: an argument and a destination at once.
    pub fn storage_of(&self, param: VarId) -> Option<VarId> {
        self.in_out().find_map(|(p, l)| match l {
            Leaf::Storage(r, ..) if p.var == param => Some(*r),
            _ => None,
        })
    }

    /// The in-out array that is in this storage when the program begins.
    pub fn given_in(&self, r: VarId) -> Option<VarId> {
        self.in_out().find_map(|(p, l)| matches!(l, Leaf::Storage(s, ..) if *s == r).then_some(p.var))
    }
}

/// The destination of one leaf of the result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Leaf {
    /// A scalar variable that is assigned.
    Cell(VarId, Scalar),
    /// Storage of that shape.
    Storage(VarId, Scalar, Shape),
    /// Nowhere: the term's own value (`•`).
    Value(Scalar),
}
