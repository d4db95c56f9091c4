//! The surface tree of statements.

use super::{Case, Expr, Pattern};

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
