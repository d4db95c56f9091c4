//! The surface tree of statements.

use super::{Expr, Pattern};
use proc_macro2::Ident;

/// A statement of a block.
#[derive(Clone)]
pub enum Stmt {
    /// `let p = e;`.
    Let(Pattern, Expr),
    /// `let p;`: its names are assigned later.
    Declare(Pattern),
    /// `e;`: an assignment, a loop, a branch or a call, for what it does to variables.
    Do(Expr),
}

/// An arm of a `match`: `p | q if guard => body`.
#[derive(Clone)]
pub struct Arm {
    /// Its alternatives.
    pub patterns: Vec<Case>,
    /// Its guard.
    pub guard: Option<Expr>,
    /// Its value.
    pub body: Expr,
}

/// A pattern of a `match` on numbers, `bool`s and tuples of them.
#[derive(Clone)]
pub enum Case {
    /// `_`.
    Any,
    /// `x`, or `x @ p`: a name for the value.
    Bind(Ident, Option<Box<Case>>),
    /// `1`, `-1`, `true`, `K`.
    Value(Expr),
    /// `a..b`, `a..=b`, `a..`, `..b`, `..=b`: the ends, and whether the last one is included.
    Range(Option<Expr>, Option<Expr>, bool),
    /// `p | q` inside another pattern.
    Either(Vec<Case>),
    /// `(p, q)`.
    Tuple(Vec<Case>),
}

impl Case {
    /// The names in it, left to right; those of the first alternative if there are several.
    pub fn names(&self) -> Vec<&Ident> {
        match self {
            Case::Any | Case::Value(_) | Case::Range(..) => vec![],
            Case::Bind(i, inner) => std::iter::once(i).chain(inner.iter().flat_map(|c| c.names())).collect(),
            Case::Either(cs) => cs.first().map_or(vec![], Case::names),
            Case::Tuple(cs) => cs.iter().flat_map(Case::names).collect(),
        }
    }

    /// The expressions in it: literals, constants and the ends of ranges.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Case::Any => vec![],
            Case::Bind(_, inner) => inner.iter().flat_map(|c| c.exprs()).collect(),
            Case::Value(e) => vec![e],
            Case::Range(a, b, _) => a.iter().chain(b).collect(),
            Case::Either(cs) | Case::Tuple(cs) => cs.iter().flat_map(Case::exprs).collect(),
        }
    }
}

/// A `for` loop: `'label: for pattern in items { body }`.
#[derive(Clone)]
pub struct For {
    /// Its label.
    pub label: Option<syn::Lifetime>,
    /// The pattern of an item.
    pub pattern: Pattern,
    /// What it iterates over.
    pub items: Items,
    /// Its body, a block without a value.
    pub body: Expr,
}

/// What a `for` loop iterates over.
#[derive(Clone)]
pub enum Items {
    /// `a..b`, `a..=b`, with adapters in the order in which they are written.
    Range {
        /// The first number.
        start: Expr,
        /// The end.
        end: Expr,
        /// Whether the end is included: `a..=b`.
        inclusive: bool,
        /// `.rev()` and `.step_by(k)`.
        adapters: Vec<Adapter>,
    },
    /// `a.iter()`, `&a`, `a.iter_mut()`, `&mut a`.
    Elements {
        /// The array.
        array: Expr,
        /// Whether the elements are assigned to: `iter_mut`.
        mutable: bool,
        /// `.enumerate()`, `.rev()`, `.step_by(k)`, in the order in which they are written.
        adapters: Vec<Adapter>,
    },
}

impl Items {
    /// The expressions in it, in order of evaluation.
    pub fn exprs(&self) -> Vec<&Expr> {
        let (first, adapters) = match self {
            Items::Range { start, end, adapters, .. } => (vec![start, end], adapters),
            Items::Elements { array, adapters, .. } => (vec![array], adapters),
        };
        let steps = adapters.iter().filter_map(|a| if let Adapter::StepBy(k) = a { Some(k) } else { None });
        first.into_iter().chain(steps).collect()
    }
}

/// An adapter of an iterator.
#[derive(Clone)]
pub enum Adapter {
    /// `.rev()`.
    Rev,
    /// `.step_by(k)`.
    StepBy(Expr),
    /// `.enumerate()`.
    Enumerate,
}
