//! The room for what a loop remembers: a size that its number of steps does not exceed.
//!
//! ```text
//! most (within a b) = min a b            a, which panics unless a ≤ b: the end of a part of an array
//! most (a - b) = most a - least b        least (within a b) = a
//! most (max e s - s) = most e - s        of a range of other integers than sizes, as in `0..n as i64`
//! ```
//!
//! A number that is a size is its own bound. Where the loop is never run, since what is in front of it panics, any size will do.

use super::lengths::Lengths;
use crate::fsmooth::{Expr, Kind, build};
use crate::prim::{Prim, Spelling};
use crate::ty::Type;
use crate::value::Lit;

/// A size that a number of steps does not exceed. `None` where that comes from data.
pub(super) fn room(n: &Expr, lengths: &Lengths) -> Option<Expr> {
    if lengths.is_size(n) {
        return Some(n.clone());
    }
    let most = |e: &Expr| room(e, lengths);
    match &n.kind {
        Kind::Var(x) => most(lengths.named(*x)?),
        Kind::Prim(Prim::Within | Prim::Min, es) => least_of(most(&es[0]), most(&es[1])),
        Kind::Prim(Prim::Sub, es) => {
            let a = most(&es[0])?;
            Some(match least(&es[1], lengths) {
                Some(b) => less(a, b),
                None => a,
            })
        }
        Kind::Prim(p @ (Prim::Add | Prim::Max), es) => Some(both(*p, most(&es[0])?, most(&es[1])?)),
        Kind::Prim(Prim::DivCeil | Prim::Steps, es) => most(&es[0]),
        Kind::Prim(p, es) if p.spelling() == Spelling::Cast => difference(&es[0], lengths, false),
        // `s..=e`, of other integers.
        Kind::If(c, none, steps) if none.kind == index(0, n).kind => match (&c.kind, &value(steps, lengths).kind) {
            (Kind::Prim(Prim::Lt, _), Kind::Prim(Prim::SaturatingAdd, es)) => {
                Some(both(Prim::Add, difference(&es[0], lengths, true)?, index(1, n)))
            }
            _ => None,
        },
        _ => None,
    }
}

/// A size that a number is at least.
fn least(e: &Expr, lengths: &Lengths) -> Option<Expr> {
    match &value(e, lengths).kind {
        _ if lengths.is_size(e) => Some(e.clone()),
        Kind::Prim(Prim::Within, es) => least(&es[0], lengths),
        _ => None,
    }
}

/// The length of the range of integers that a number is, converted: of `max e s - s`, or of `e - s` where it is not empty.
fn difference(e: &Expr, lengths: &Lengths, is_not_empty: bool) -> Option<Expr> {
    let Kind::Prim(p, es) = &value(e, lengths).kind else { return None };
    match (p, es.as_slice()) {
        (Prim::WrappingSub, [end, start]) => {
            let end = match &value(end, lengths).kind {
                Kind::Prim(Prim::Max, es) if es[1] == *start => &es[0],
                _ if is_not_empty => end,
                _ => return None,
            };
            let end = above(end, lengths)?;
            let number = if let Kind::Lit(l) = &start.kind { l.as_int() } else { None };
            Some(match number {
                Some(k) if k < 0 => both(Prim::Add, end, index(u64::try_from(-k).ok()?, e)),
                Some(k) => less(end, index(u64::try_from(k).ok()?, e)),
                None => {
                    above(start, lengths)?;
                    end
                }
            })
        }
        (p, [e]) if p.spelling() == Spelling::Cast => difference(e, lengths, is_not_empty),
        _ => None,
    }
}

/// A size that an integer does not exceed, which is made of sizes. A size that does not fit is less, or negative.
fn above(e: &Expr, lengths: &Lengths) -> Option<Expr> {
    let above = |e: &Expr| above(e, lengths);
    let number = |e: &Expr| if let Kind::Lit(l) = &e.kind { l.as_int() } else { None };
    let e = value(e, lengths);
    match &e.kind {
        Kind::Lit(_) => Some(index(u64::try_from(number(e)?.max(0)).ok()?, e)),
        Kind::Prim(p, es) => match (p, es.as_slice()) {
            (p, [n]) if p.spelling() == Spelling::Cast && n.ty == Type::USIZE => room(n, lengths),
            (Prim::Add, [a, b]) => Some(both(Prim::Add, above(a)?, above(b)?)),
            (Prim::Sub, [a, b]) if number(b).is_some_and(|k| k >= 0) => Some(less(above(a)?, above(b)?)),
            (Prim::Min, [a, b]) => least_of(above(a), above(b)),
            _ => None,
        },
        _ => None,
    }
}

/// The term that a name stands for, and each other term.
fn value<'e>(e: &'e Expr, lengths: &'e Lengths) -> &'e Expr {
    match &e.kind {
        Kind::Var(x) => lengths.named(*x).map_or(e, |other| value(other, lengths)),
        _ => e,
    }
}

/// The lesser one of the numbers that are known.
fn least_of(a: Option<Expr>, b: Option<Expr>) -> Option<Expr> {
    match (a, b) {
        (Some(a), Some(b)) => Some(both(Prim::Min, a, b)),
        (a, b) => a.or(b),
    }
}

/// `a - b`, or 0.
fn less(a: Expr, b: Expr) -> Expr {
    if matches!(b.kind, Kind::Lit(Lit::Int(0, _))) { a } else { both(Prim::SaturatingSub, a, b) }
}

fn both(p: Prim, a: Expr, b: Expr) -> Expr {
    let o = a.origin;
    build::prim(p, vec![a, b], o)
}

fn index(n: u64, at: &Expr) -> Expr {
    build::index(n, at.origin)
}
