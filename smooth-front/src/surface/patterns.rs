//! The patterns of the surface tree. In a tuple, `..` stands for as many `_` as are missing.

use super::{Expr, Extent, TypeExpr};
use crate::mapped::Mapped;
use proc_macro2::Ident;

/// The pattern of a parameter, a `let` or a closure parameter.
#[derive(Clone)]
pub enum Pattern {
    /// `x`, `_`, with the type if one is written, and whether it is `mut`.
    Name(Option<Ident>, Option<TypeExpr>, Extent, bool),
    /// `(a, b)`.
    Tuple(Vec<Pattern>, Extent),
    /// `..`, in a tuple.
    Rest(Extent),
}

impl Pattern {
    /// The names in it, left to right.
    pub fn names(&self) -> Vec<&Ident> {
        match self {
            Pattern::Name(name, ..) => name.iter().collect_vec(),
            Pattern::Tuple(ps, _) => ps.iter().flat_map(Pattern::names).collect_vec(),
            Pattern::Rest(_) => vec![],
        }
    }

    /// The patterns of the `count` parts of a tuple; none if their number does not fit.
    pub fn of_parts(ps: &[Pattern], count: usize) -> Option<Vec<Pattern>> {
        let any =
            |p: &Pattern| if let Pattern::Rest(at) = p { Some(Pattern::Name(None, None, *at, false)) } else { None };
        spread(ps, count, any)
    }
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
    /// `..`, in a tuple.
    Rest,
}

impl Case {
    /// The names in it, left to right; those of the first alternative if there are several.
    pub fn names(&self) -> Vec<&Ident> {
        match self {
            Case::Any | Case::Rest | Case::Value(_) | Case::Range(..) => vec![],
            Case::Bind(i, inner) => std::iter::once(i).chain(inner.iter().flat_map(|c| c.names())).collect_vec(),
            Case::Either(cs) => cs.first().map_or(vec![], Case::names),
            Case::Tuple(cs) => cs.iter().flat_map(Case::names).collect_vec(),
        }
    }

    /// The expressions in it: literals, constants and the ends of ranges.
    pub fn exprs(&self) -> Vec<&Expr> {
        match self {
            Case::Any | Case::Rest => vec![],
            Case::Bind(_, inner) => inner.iter().flat_map(|c| c.exprs()).collect_vec(),
            Case::Value(e) => vec![e],
            Case::Range(a, b, _) => a.iter().chain(b).collect_vec(),
            Case::Either(cs) | Case::Tuple(cs) => cs.iter().flat_map(Case::exprs).collect_vec(),
        }
    }

    /// The patterns of the `count` parts of a tuple; none if their number does not fit.
    pub fn of_parts(cs: &[Case], count: usize) -> Option<Vec<Case>> {
        spread(cs, count, |c| matches!(c, Case::Rest).then_some(Case::Any))
    }
}

/// `count` patterns: `..`, for which `any` returns a pattern, is replaced by as many of these as are missing.
fn spread<P: Clone>(ps: &[P], count: usize, any: impl Fn(&P) -> Option<P>) -> Option<Vec<P>> {
    let Some((at, p)) = ps.iter().enumerate().find_map(|(k, p)| Some((k, any(p)?))) else {
        return (ps.len() == count).then(|| ps.to_vec());
    };
    let missing = (count + 1).checked_sub(ps.len())?;
    Some(
        ps[..at]
            .iter()
            .cloned()
            .chain(std::iter::repeat_n(p, missing))
            .chain(ps[at + 1..].iter().cloned())
            .collect_vec(),
    )
}
