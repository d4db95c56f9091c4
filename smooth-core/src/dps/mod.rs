//! DPS-F̃ (Fig. 5): every array is written into storage that its consumer gives.
//!
//! ```text
//! t ::= x | n | op t̄ | v                          scalars; v reads a cell
//!     | let x = t in t | if t then t else t
//!     | sum t (λi. t)
//!     | alloc P̄ (λr̄. t)                           storage for shapes, for the time of t
//!     | let x̄ = t{r̄} in t                         what t wrote into r̄, from now on called x̄
//!     | old d                                     a cell of d that is about to be overwritten
//!     | let x = v in t                            a name for a part of an array
//!     | build{d} N (λi. t{d[i]})                  d: a destination
//!     | ifold{…} | d ← t | copy{d} v | t ; t | call{d̄} k
//! ```
//!
//! Beside F̃ it has storage and destinations; it has no array-valued terms and no functions but those
//! from outside. A term that writes has no value; a scalar has no destination (the paper's `•`).
//!
//! # Lifetimes
//!
//! A `let x = t{r} in …` begins a new lifetime of `r`: `t` writes each cell of it once, and `x` names the cells
//! that it wrote. So storage may be filled again when nobody reads `x` any more, in the next turn of a loop or
//! for another array ([`Home::In`]); until it is written anew, what was there before is `old r`.

pub mod check;
pub mod eval;
mod place;
pub mod print;
mod term;
pub mod visit;

pub use place::{Block, Dest, Home, Step, View};
pub use term::{Alias, Alloc, Arg, Build, Call, Copy, Fill, Fold, Let, State, Sum, Sums, Term};

use crate::fsmooth::{Callee, Const};
use crate::name::{Names, VarId};
use crate::shape::{Param, Shape};
use crate::ty::{Scalar, Type};

/// A kernel in destination-passing style.
#[derive(Clone, Debug)]
pub struct Program {
    /// The function's name.
    pub name: String,
    /// Names of all variables.
    pub names: Names,
    /// How many type parameters it has.
    pub reals: usize,
    /// Parameters.
    pub params: Vec<Param>,
    /// Kernels it calls.
    pub callees: Vec<Callee>,
    /// Constants it uses.
    pub consts: Vec<Const>,
    /// The result's type.
    pub result_type: Type,
    /// The destinations of the result's leaves: storage for arrays, a cell for each scalar of a tuple.
    pub results: Vec<Leaf>,
    /// What it does; its value is the result where that is one scalar.
    pub body: Term,
}

impl Program {
    /// The program of a kernel that only exists inside other kernels.
    pub fn empty(k: &crate::fsmooth::Kernel) -> Program {
        Program {
            name: k.name.clone(),
            names: k.names.clone(),
            reals: k.reals,
            params: k.params.clone(),
            callees: k.callees.clone(),
            consts: k.consts.clone(),
            result_type: k.body.ty().clone(),
            results: vec![],
            body: Term::Seq(vec![]),
        }
    }

    /// Whether it is over type parameters.
    pub fn is_generic(&self) -> bool {
        self.reals > 0
    }
}

/// Where one leaf of a value goes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Leaf {
    /// A scalar variable that is assigned.
    Cell(VarId, Scalar),
    /// Storage of that shape.
    Storage(VarId, Scalar, Shape),
    /// Nowhere: the term's own value (`•`).
    Value(Scalar),
}
