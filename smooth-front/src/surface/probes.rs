//! Probes: `dbg!` and the assertions. They look at values and change none.

use super::{Child, Expr, ExprKind};
use crate::mapped::Mapped;
use proc_macro2::{Ident, Literal};

/// `dbg!(e)`: the value of `e`, printed.
#[derive(Clone)]
pub struct Dbg {
    /// The printed value; `None` for `dbg!()`, which prints its place.
    pub value: Option<Expr>,
    /// Its text.
    pub text: String,
}

/// `assert!(c, …)` and the like.
#[derive(Clone)]
pub struct Assert {
    /// The condition.
    pub claim: Claim,
    /// Whether it is one of `debug_assert!`, `debug_assert_eq!`, `debug_assert_ne!`.
    pub debug: bool,
    /// The user's message.
    pub message: Option<Message>,
}

/// The condition of an assertion. `panic!()` is an assertion that never holds.
#[derive(Clone)]
pub enum Claim {
    /// `assert!(c)`, with the text of `c`.
    Holds(Expr, String),
    /// `assert_eq!(a, b)`.
    Equal(Expr, Expr),
    /// `assert_ne!(a, b)`.
    Differ(Expr, Expr),
    /// `panic!()`, or one of those that say why.
    Never(Failing),
}

/// The macros that panic in any case.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Failing {
    /// `panic!`
    Panic,
    /// `unreachable!`
    Unreachable,
    /// `todo!`
    Todo,
    /// `unimplemented!`
    Unimplemented,
}

impl Failing {
    /// The macro of this name.
    pub fn of(name: &str) -> Option<Failing> {
        [Failing::Panic, Failing::Unreachable, Failing::Todo, Failing::Unimplemented]
            .into_iter()
            .find(|f| f.name() == name)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Failing::Panic => "panic",
            Failing::Unreachable => "unreachable",
            Failing::Todo => "todo",
            Failing::Unimplemented => "unimplemented",
        }
    }
}

impl Claim {
    /// The terms that it looks at.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Claim::Holds(c, _) => vec![c],
            Claim::Equal(a, b) | Claim::Differ(a, b) => vec![a, b],
            Claim::Never(_) => vec![],
        }
    }

    /// Whether it never holds.
    pub fn is_never(&self) -> bool {
        matches!(self, Claim::Never(_))
    }
}

/// The message of an assertion.
#[derive(Clone)]
pub struct Message {
    /// The format string.
    pub format: Literal,
    /// Its arguments: those that are written, and those that the format string names.
    pub args: Vec<(Option<Ident>, Expr)>,
}

impl Assert {
    /// Its parts, in order of evaluation.
    pub fn exprs(&self) -> Vec<&Expr> {
        let args = self.message.iter().flat_map(|m| &m.args).map(|(_, e)| e);
        self.claim.exprs().into_iter().chain(args).collect_vec()
    }
}

impl Expr {
    /// Whether there is a probe in it.
    pub fn has_probes(&self) -> bool {
        self.has(&|kind| matches!(kind, ExprKind::Dbg(_) | ExprKind::Assert(_)))
    }

    /// Whether there is an assertion in it that some builds do not have.
    pub fn asserts_in_debug_builds(&self) -> bool {
        self.has(&|kind| matches!(kind, ExprKind::Assert(a) if a.debug))
    }

    fn has(&self, what: &dyn Fn(&ExprKind) -> bool) -> bool {
        let part = |c: Child| if let Child::Expr(e) = c { e.has(what) } else { false };
        what(&self.kind) || self.children().into_iter().any(part)
    }
}
