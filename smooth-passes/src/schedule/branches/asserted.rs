//! Assertions that say the same in each iteration are made once, before their loop.
//!
//! ```text
//! for i < n { s̄; if e { call fail }; t̄ }   ⟶   if n > 0 { if e { call fail } }; for i < n { s̄; t̄ }
//! ```
//!
//! and so for the terms of a reduction, where neither `e` nor the message reads an element, nor a number that the loop
//! computes, and no `while` in `s̄` ends the loop before. Out of a branch in the loop, whose condition is such a one, it leaves
//! with that condition. Inner loops first: what leaves one of them may leave the next.
//!
//! Keeps: the first iteration would evaluate it. It may fail before something else does. What the assertion proved was used
//! before: no index of the loop has a check that it makes superfluous.

use crate::loops::visit::each_block_inner_first;
use crate::loops::{Arg, Block, Call, Expr, For, Function, Out, Place, Reduce, Stmt};
use crate::mapped::PushAll;
use crate::name::VarId;
use crate::pass::Switches;
use crate::prim::Prim;
use crate::schedule::rewrite::replaced::in_body;
use crate::shape::card::Card;
use crate::sorted::Set;
use crate::span::Origin;
use crate::value::Lit;

/// Moves all such assertions; whether there were any.
pub(crate) fn asserted(f: &mut Function, _: &Switches) -> bool {
    in_body(f, |b, _| {
        let mut changed = false;
        each_block_inner_first(b, &mut |b| changed |= out_of_loops(b));
        changed
    })
}

fn out_of_loops(b: &mut Block) -> bool {
    let mut changed = false;
    for mut s in std::mem::take(b) {
        let mut own = Set::new();
        s.targets(&mut own);
        if let Stmt::For(For { count, body, .. }) | Stmt::Reduce(Reduce { count, body, .. }) = &mut s {
            let leaving = leaving(body, &own);
            if !leaving.is_empty() {
                changed = true;
                b.push_all(if_any(count, leaving));
            }
        }
        b.push(s);
    }
    changed
}

/// Takes the assertions out of a body, and out of branches in it, that are the same in each iteration; `own` are the numbers
/// that the loop computes.
fn leaving(body: &mut Block, own: &Set<VarId>) -> Block {
    let ends = body.iter().position(Stmt::may_end_loop).unwrap_or(body.len());
    let rest = body.split_off(ends);
    let mut leaving = vec![];
    for mut s in std::mem::take(body) {
        if asserts(&s) && is_same(&s, own) {
            leaving.push(s);
            continue;
        }
        if let Stmt::If(c, a, b) = &mut s
            && !reads(c)
            && !own.iter().any(|v| c.mentions(*v))
        {
            let (a, b) = (self::leaving(a, own), self::leaving(b, own));
            if !(a.is_empty() && b.is_empty()) {
                leaving.push(Stmt::If(c.clone(), a, b));
            }
        }
        body.push(s);
    }
    body.push_all(rest);
    leaving
}

/// The statements, if there is an iteration.
fn if_any(count: &Card, then: Block) -> Block {
    match count.constant() {
        Some(n) if n > 0 => then,
        _ => {
            let (o, none) = (Origin::default(), Expr::Lit(Lit::usize(0)));
            let some = Expr::Prim(Prim::Gt, vec![Expr::Size(count.clone(), o), none], o);
            vec![Stmt::If(some, then, vec![])]
        }
    }
}

/// Whether a statement is a branch that computes nothing but numbers for a message, and fails.
fn asserts(s: &Stmt) -> bool {
    let fails = |s: &Stmt| matches!(s, Stmt::Call(Call { fails: Some(_), .. }));
    let alone = |s: &Stmt| matches!(s, Stmt::Let(..) | Stmt::Var(..) | Stmt::Assign(Place::Var(_), _) | Stmt::If(..));
    matches!(s, Stmt::If(..)) && s.any(&fails) && !s.any(&|s| !fails(s) && !alone(s))
}

/// Whether an assertion reads no element, and nothing of `own` but what it computes itself.
fn is_same(s: &Stmt, own: &Set<VarId>) -> bool {
    let mut inside = Set::new();
    declared(s, &mut inside);
    let mut targets = Set::new();
    s.targets(&mut targets);
    let elements = s.any_expr(&is_outside) || passes_arrays(s);
    !elements
        && targets.iter().all(|v| inside.contains(v))
        && own.iter().all(|v| inside.contains(v) || !s.mentions(*v) && !s.addresses(*v))
}

/// Whether a condition reads an element or calls a function.
fn reads(e: &Expr) -> bool {
    e.any(&is_outside)
}

fn is_outside(e: &Expr) -> bool {
    matches!(e, Expr::Load(_) | Expr::App(..))
}

fn declared(s: &Stmt, found: &mut Set<VarId>) {
    s.walk(&mut |s| {
        if let Stmt::Let(x, ..) | Stmt::Var(x, _) = s {
            found.insert(*x);
        }
    });
}

fn passes_arrays(s: &Stmt) -> bool {
    s.any(&|s| match s {
        Stmt::Call(c) => {
            c.args.iter().any(|a| !matches!(a, Arg::Scalar(_)))
                || c.outs.iter().any(|o| !matches!(o, Out::Place(Place::Var(_))))
        }
        _ => false,
    })
}
