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
pub mod print;
pub mod visit;

use crate::fsmooth::{Callee, Const, Order};
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::shape::bytes::Bytes;
use crate::shape::card::Card;
use crate::shape::{Param, Shape};
use crate::span::Origin;
use crate::ty::{Scalar, Type};
use crate::value::Lit;

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

/// A state of a fold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// A scalar, called `now` in a step, which assigns `next`.
    Scalar {
        /// Its value before a step, and after the last.
        now: VarId,
        /// Its value after the step.
        next: VarId,
        /// Its type.
        ty: Scalar,
    },
    /// An array, called `x` in a step, which writes `next`. Two buffers take turns so that the last step
    /// writes the destination.
    Array {
        /// The state inside a step.
        x: VarId,
        /// Storage that the initial state is written to.
        first: VarId,
        /// Storage that a step writes.
        next: VarId,
        /// Where the last state is wanted.
        dest: Dest,
        /// The other buffer; none where each step overwrites the state in place.
        other: Option<VarId>,
        /// Element type.
        elem: Scalar,
        /// Shape.
        shape: Shape,
    },
}

/// A term.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Term {
    /// A scalar variable.
    Var(VarId),
    /// A constant.
    Lit(Lit),
    /// A constant of the user's crate.
    Const(usize),
    /// A size as a `usize`.
    Size(Card),
    /// `op t̄`.
    Prim(Prim, Vec<Term>, Origin),
    /// Reads the cell that a view has come down to.
    Load(View),
    /// Reads a cell that has not been written yet in the storage's present lifetime.
    Old(Dest),
    /// A function from outside, applied to scalars.
    App(VarId, Vec<Term>, Scalar),
    /// `let x = t in t` for a scalar.
    Let(VarId, Scalar, Box<Term>, Box<Term>),
    /// Conditional; both branches are values, or both write.
    If(Box<Term>, Box<Term>, Box<Term>),
    /// `sum t (λi. t)`.
    Sum {
        /// Number of terms.
        count: Box<Term>,
        /// Index.
        index: VarId,
        /// Type of the terms.
        elem: Scalar,
        /// Term.
        body: Box<Term>,
        /// Order of additions.
        order: Order,
    },
    /// Several sums in one loop: `d̄ ← sum t (λi. t{v̄})`.
    Sums {
        /// Number of terms.
        count: Box<Term>,
        /// Index.
        index: VarId,
        /// Type of the terms.
        elem: Scalar,
        /// The numbers that the body assigns, one for each sum.
        terms: Vec<VarId>,
        /// Assigns each of them once.
        body: Box<Term>,
        /// Where the sums go.
        dests: Vec<Dest>,
        /// Order of additions.
        order: Order,
    },
    /// `alloc P̄ (λr̄. t)`: one allocation, of one block unless some were merged.
    Alloc {
        /// Its blocks.
        blocks: Vec<Block>,
        /// Their scope.
        body: Box<Term>,
    },
    /// `let x̄ = t{r̄} in t`: the leaves of one value.
    Fill {
        /// Scalars, by branches or several at once.
        cells: Vec<(VarId, Scalar)>,
        /// Arrays with their storage.
        arrays: Vec<(VarId, VarId)>,
        /// Assigns each scalar once, and writes every cell of the storage once.
        write: Box<Term>,
        /// Reads them.
        body: Box<Term>,
    },
    /// `let x = v in t`.
    Alias {
        /// The name.
        x: VarId,
        /// What it names.
        view: View,
        /// Element type.
        elem: Scalar,
        /// Shape of the view.
        shape: Shape,
        /// Its scope.
        body: Box<Term>,
    },
    /// `build{d} N (λi. t)`.
    Build {
        /// Number of elements.
        count: Box<Term>,
        /// Index.
        index: VarId,
        /// Writes the element.
        body: Box<Term>,
    },
    /// `ifold`: `init` writes or assigns the first states, `step` the next ones.
    Fold {
        /// Number of steps.
        count: Box<Term>,
        /// Index.
        index: VarId,
        /// States.
        states: Vec<State>,
        /// Assigns `next` of scalars, writes `first` of arrays.
        init: Box<Term>,
        /// Assigns and writes `next`.
        step: Box<Term>,
        /// Goes on with the last scalars; the arrays are in their destinations.
        then: Box<Term>,
    },
    /// `d ← t`.
    Store(Dest, Box<Term>),
    /// `copy{d} v` (D-VarVector).
    Copy {
        /// Destination.
        dest: Dest,
        /// Source.
        view: View,
        /// Shape of both.
        shape: Shape,
    },
    /// What a copy of `x` into the destination would write is there already: `x` lives in it.
    Here(Dest, VarId),
    /// One after the other; the last one's value.
    Seq(Vec<Term>),
    /// A call in destination-passing style.
    Call {
        /// Which.
        callee: usize,
        /// Destinations of the result's leaves; none for a single scalar, which is the value.
        dests: Vec<Dest>,
        /// Arguments.
        args: Vec<Arg>,
        /// The callee's sizes, in the order of its entry atoms.
        sizes: Vec<Card>,
        /// The callee's frame for these sizes, or the largest in any round of the loops around.
        frame: Bytes,
    },
}

/// An argument of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arg {
    /// A number.
    Scalar(Term),
    /// An array and its shape.
    View(View, Shape),
}
