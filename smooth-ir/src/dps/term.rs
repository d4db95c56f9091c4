//! The nodes of DPS-F̃.

use super::{Block, Dest, View};
use crate::fsmooth::{Monoid, Order};
use crate::name::VarId;
use crate::prim::Prim;
use crate::shape::Shape;
use crate::shape::bytes::Bytes;
use crate::shape::card::Card;
use crate::span::Origin;
use crate::ty::Scalar;
use crate::value::Lit;

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
    Size(Card, Origin),
    /// `op t̄`.
    Prim(Prim, Vec<Term>, Origin),
    /// Reads a cell: a view with an index for each axis.
    Load(View),
    /// Reads the value that a cell has from the storage's previous lifetime, until it is overwritten.
    Previous(Dest),
    /// A function parameter, applied to scalars.
    App(VarId, Vec<Term>, Scalar),
    /// `let x = t in t` for a scalar.
    Let(Let),
    /// Conditional; both branches are values, or both write.
    If(Box<Term>, Box<Term>, Box<Term>),
    /// `sum t (λi. t)` and the other named reductions.
    Reduce(Reduce),
    /// Several reductions by one named operation, in one loop: `d̄ ← sum t (λi. t{v̄})`.
    Reduces(Reduces),
    /// A reduction by a function: `d̄ ← reduce t (λi. t{v̄}) (λāb̄. t{v̄}) t{v̄}`.
    Combine(Combine),
    /// `alloc P̄ (λr̄. t)`: one allocation, of one block unless some were merged.
    Alloc(Alloc),
    /// `let x̄{r̄} = t in t`: names for the leaves of one value.
    Fill(Fill),
    /// `let x = v in t`.
    Alias(Alias),
    /// `build{d} N (λi. t)`.
    Build(Build),
    /// `ifold`: `init` writes or assigns the first states, `step` the next ones.
    Fold(Fold),
    /// `d ← t`.
    Store(Dest, Box<Term>),
    /// `set d ← t`: overwrites an element of an array that is full.
    Set(Dest, Box<Term>),
    /// `in_range t N`: the index `t`, which panics unless it is below `N`.
    InRange(Box<Term>, Card, Origin),
    /// `demand t₁ t₂ t₃`: true; a panic unless `t₁ <= t₂ <= t₃`.
    Demand(Vec<Term>, Origin),
    /// `assert t₁ t₂`: true; where `t₁` is false, `t₂` is evaluated, which panics.
    Assert(Box<[Term; 2]>, Origin),
    /// `copy{d} v` (D-VarVector).
    Copy(Copy),
    /// Marks a copy that became a no-op: `x` already occupies the destination.
    AlreadyThere(Dest, VarId),
    /// As `AlreadyThere`, for an array and one row of it: `d` is `a with [k̄] = x`.
    RowThere(RowThere),
    /// Terms in sequence; its value is that of the last one.
    Seq(Vec<Term>),
    /// A call in destination-passing style.
    Call(Call),
}

/// `let x = value in body` for a scalar.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Let {
    /// The name.
    pub x: VarId,
    /// Its type.
    pub ty: Scalar,
    /// Its value.
    pub value: Box<Term>,
    /// Its scope.
    pub body: Box<Term>,
}

/// `sum count (λ index. body)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduce {
    /// Number of terms.
    pub count: Box<Term>,
    /// Index.
    pub index: VarId,
    /// Type of the terms.
    pub elem: Scalar,
    /// Term.
    pub body: Box<Term>,
    /// The operation that combines the terms.
    pub with: Monoid,
    /// The order in which it combines them.
    pub order: Order,
    /// The source of the reduction, for an overflow in it.
    pub origin: Origin,
}

/// Several reductions in one loop: `dests ← sum count (λ index. body{terms})`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reduces {
    /// Number of terms.
    pub count: Box<Term>,
    /// Index.
    pub index: VarId,
    /// Type of the terms.
    pub elem: Scalar,
    /// The numbers that the body assigns, one for each reduction.
    pub terms: Vec<VarId>,
    /// Assigns each of them once.
    pub body: Box<Term>,
    /// The destinations of the results.
    pub dests: Vec<Dest>,
    /// The operation that combines the terms.
    pub with: Monoid,
    /// The order in which it combines them.
    pub order: Order,
    /// The source of the reductions, for an overflow in one.
    pub origin: Origin,
}

/// `dests ← reduce count (λ index. body{terms}) (λ left right. combine{next}) init{next}`, in lanes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Combine {
    /// Number of terms.
    pub count: Box<Term>,
    /// Index.
    pub index: VarId,
    /// Types of the components.
    pub elems: Vec<Scalar>,
    /// The components of a term.
    pub terms: Vec<VarId>,
    /// Assigns each of them once.
    pub body: Box<Term>,
    /// The components of the left operand: the terms combined so far.
    pub left: Vec<VarId>,
    /// The components of the right operand: the next term, or a lane's total.
    pub right: Vec<VarId>,
    /// The components of the result.
    pub next: Vec<VarId>,
    /// Assigns each of them once.
    pub combine: Box<Term>,
    /// Assigns each of them once, to the neutral value.
    pub init: Box<Term>,
    /// The destinations of the results.
    pub dests: Vec<Dest>,
}

/// `alloc blocks (λr̄. body)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alloc {
    /// Its blocks.
    pub blocks: Vec<Block>,
    /// Their scope.
    pub body: Box<Term>,
}

/// `let x̄{r̄} = write in body`: names for the leaves of one value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fill {
    /// The scalars that `write` assigns.
    pub cells: Vec<(VarId, Scalar)>,
    /// The arrays, each with its storage.
    pub arrays: Vec<(VarId, VarId)>,
    /// Assigns each scalar once, and writes every cell of the storage once.
    pub write: Box<Term>,
    /// Their scope.
    pub body: Box<Term>,
}

/// `let x = view in body`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Alias {
    /// The name.
    pub x: VarId,
    /// The part of an array that it names.
    pub view: View,
    /// Element type.
    pub elem: Scalar,
    /// Shape of the view.
    pub shape: Shape,
    /// Its scope.
    pub body: Box<Term>,
}

/// `build count (λ index. body)`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Build {
    /// Number of elements.
    pub count: Box<Term>,
    /// Index.
    pub index: VarId,
    /// Writes the element.
    pub body: Box<Term>,
}

/// `ifold count (λ states index. step) init`, and the term that follows it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fold {
    /// Number of iterations.
    pub count: Box<Term>,
    /// Index.
    pub index: VarId,
    /// Whether an iteration takes place; it reads the states and the index. None: always.
    pub test: Option<Box<Term>>,
    /// Whether the array states begin in their destinations although there is no test:
    /// [`begins_at_home`](Fold::begins_at_home).
    pub at_home: bool,
    /// States.
    pub states: Vec<State>,
    /// Assigns `next` of scalars, writes `first` of arrays.
    pub init: Box<Term>,
    /// Assigns and writes `next`.
    pub step: Box<Term>,
    /// The rest, in the scope of the last scalars. The last arrays are in their destinations.
    pub then: Box<Term>,
}

/// `copy dest view`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Copy {
    /// Destination.
    pub dest: Dest,
    /// Source.
    pub view: View,
    /// Shape of both.
    pub shape: Shape,
    /// The source of the term that needs the copy.
    pub origin: Origin,
}

/// `already_there dest array but dest[at] row`: the destination holds `array`, except that its row at `at` is the array
/// `row`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RowThere {
    /// Destination.
    pub dest: Dest,
    /// The array.
    pub array: VarId,
    /// The indices of the row, which are in range.
    pub at: Vec<Term>,
    /// The array that is the row.
    pub row: VarId,
}

/// `call callee dests args`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Call {
    /// The callee, by its number in the program's table.
    pub callee: usize,
    /// Destinations of the leaves of the result and of the in-out arguments' last values; none for a single scalar,
    /// which is the value.
    pub dests: Vec<Dest>,
    /// Arguments.
    pub args: Vec<Arg>,
    /// The callee's sizes, in the order of its entry atoms.
    pub sizes: Vec<Card>,
    /// The bytes of the callee's frame for these sizes: an upper bound over all iterations of the loops around.
    pub frame: Bytes,
}

/// A state of a fold.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum State {
    /// A scalar. A step reads it as `now` and assigns `next`.
    Scalar {
        /// Its value before a step, and after the last.
        now: VarId,
        /// Its value after the step.
        next: VarId,
        /// Its type.
        ty: Scalar,
    },
    /// An array. A step reads it as `x` and writes `next`. Two buffers alternate so that the last step writes the
    /// destination, or the last state is moved there.
    Array {
        /// The state inside a step.
        x: VarId,
        /// Storage that the initial state is written to.
        first: VarId,
        /// Storage that a step writes.
        next: VarId,
        /// The destination of the last state.
        dest: Dest,
        /// The other buffer; none where each step overwrites a state in place.
        other: Option<VarId>,
        /// The state whose buffer a step writes, if states exchange buffers; none if the state keeps its own.
        onto: Option<VarId>,
        /// Element type.
        elem: Scalar,
        /// Shape.
        shape: Shape,
    },
}

/// An argument of a call.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Arg {
    /// A number.
    Scalar(Term),
    /// An array and its shape.
    View(View, Shape),
    /// An in-out array: the one in the call's destination with this number.
    There(usize),
}
