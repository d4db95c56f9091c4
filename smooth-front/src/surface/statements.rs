//! The surface tree of statements.

use super::{Case, Expr, Pattern};
use crate::mapped::{Mapped, PushAll};

/// A statement of a block.
#[derive(Clone)]
pub enum Stmt {
    /// `let p = e;`.
    Let(Pattern, Expr),
    /// `let p;`: its names are assigned later.
    Declare(Pattern),
    /// `e;`: an assignment, a loop, a branch or a call, for its effects.
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
    /// Its iterator.
    pub items: Items,
    /// Its body, a block without a value.
    pub body: Expr,
}

/// The iterator of a `for` loop.
#[derive(Clone)]
pub struct Items {
    /// The source that the adapters change.
    pub source: Source,
    /// The adapters, in the order in which they are written.
    pub adapters: Vec<Adapter>,
}

/// A range, or the elements of an array.
#[derive(Clone)]
pub enum Source {
    /// `a..b`, `a..=b`.
    Range {
        /// The first number.
        start: Expr,
        /// The end.
        end: Expr,
        /// Whether the end is included: `a..=b`.
        inclusive: bool,
    },
    /// `a.iter()`, `&a`, `a.iter_mut()`, `&mut a`.
    Elements {
        /// The array.
        array: Expr,
        /// Whether the elements are assigned to: `iter_mut`.
        mutable: bool,
    },
}

impl Items {
    /// The expressions in it, in order of evaluation.
    pub fn exprs(&self) -> Vec<&Expr> {
        let first = match &self.source {
            Source::Range { start, end, .. } => vec![start, end],
            Source::Elements { array, .. } => vec![array],
        };
        let more = self.adapters.iter().flat_map(|a| match a {
            Adapter::StepBy(k) | Adapter::Skip(k) | Adapter::Take(k) => vec![k],
            Adapter::Zip(other) => other.exprs(),
            Adapter::Rev | Adapter::Enumerate => vec![],
        });
        first.into_iter().chain(more).collect_vec()
    }

    /// The parts of the pattern of an item, each with its source: none for a counter.
    pub fn parts<'p>(&'p self, p: &'p Pattern) -> Vec<(&'p Pattern, Option<&'p Source>)> {
        let (mut own, mut others) = (p, Vec::new());
        for a in self.adapters.iter().rev() {
            let pair = if let Pattern::Tuple(ps, _) = own { ps.as_slice() } else { &[] };
            match (a, pair) {
                (Adapter::Enumerate, [counter, item]) => {
                    others.push((counter, None));
                    own = item;
                }
                (Adapter::Zip(other), [item, second]) => {
                    others.push_all(other.parts(second));
                    own = item;
                }
                _ => {}
            }
        }
        std::iter::once((own, Some(&self.source))).chain(others).collect_vec()
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
    /// `.skip(k)`.
    Skip(Expr),
    /// `.take(k)`.
    Take(Expr),
    /// `.zip(b.iter())`.
    Zip(Items),
}
