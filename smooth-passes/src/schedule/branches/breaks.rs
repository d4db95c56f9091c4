//! Exits: a loop is left where a flag that ends it is set.
//!
//! ```text
//! for i < n { while not f and e; s̄; if c { ū; f ← true } else { v̄ }; t̄ }
//!   ⟶   for i < n { while e; s̄; if c { ū; f ← true; t̄; break } else { v̄ }; t̄ }
//! ```
//!
//! where `f` is false before the loop and in each iteration that goes on; elsewhere the test stays. `break` is `while false`.
//! In `t̄` a branch on a flag that is known is the arm that is taken. Behind an inner loop that a flag ended, the outer loop is
//! left if its next iteration would not begin.
//!
//! Needs: that the truth of flags on a path decides the test of the next iteration, before which nothing but names is computed,
//! and that `t̄` is short: each exit has its own copy. Keeps: all values behind the loop, and the order of all statements.
//! Pays: a flag is a number that lives across iterations, a test in each, and a reason for conditional moves: they chain what
//! a branch would let the CPU compute ahead. Linear search in 256 sums takes half of the time.

use crate::loops::visit::{Part, on_all_paths};
use crate::loops::{Block, Expr, For, Function, Order, Place, Stmt};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::pass::Switches;
use crate::prim::Prim;
use crate::schedule::facts::decide::spliced;
use crate::schedule::rewrite::copy::copied;
use crate::schedule::rewrite::replaced::in_body;
use crate::sorted::{Map, Set};
use crate::ty::Scalar;
use crate::value::Lit;
use std::collections::VecDeque;

/// The maximum number of statements that an exit has a copy of.
const SHORT: usize = 24;

/// The flags whose values are known.
type Truths = Map<VarId, bool>;

/// Leaves all loops where their flags are set.
pub(crate) fn breaks(f: &mut Function, _: &Switches) -> bool {
    let flagged = |s: &Stmt| matches!(s, Stmt::While(e) if !flags(e).is_empty());
    if !f.body.iter().any(|s| s.any(&flagged)) {
        return false;
    }
    in_body(f, |b, f| {
        *b = block(f, b, &mut Truths::new(), None);
        true
    })
}

/// The statements until the end of an iteration.
struct Rest<'r> {
    stmts: &'r [Stmt],
    /// Those behind the statement around.
    outer: Option<&'r Rest<'r>>,
    /// The head of the loop: names, and the tests whether an iteration begins.
    head: &'r [Stmt],
}

/// The statements of a block in which `truths` holds, first at its beginning, then at its end. `rest` follows it, if a flag ends
/// the loop around.
fn block(f: &mut Function, b: &[Stmt], truths: &mut Truths, rest: Option<&Rest<'_>>) -> Block {
    let mut out = Block::new();
    for (k, s) in b.iter().enumerate() {
        let behind = rest.map(|r| Rest { stmts: &b[k + 1..], outer: rest, head: r.head });
        let behind = behind.as_ref();
        match s {
            Stmt::If(c, yes, no) => {
                if let Some(t) = truth(c, truths).filter(|_| rest.is_some()) {
                    let taken = block(f, if t { yes } else { no }, truths, behind);
                    out.push_all(spliced(taken));
                } else {
                    let (mut holds, mut fails) = (truths.clone(), truths.clone());
                    assume(c, true, &mut holds);
                    assume(c, false, &mut fails);
                    let yes = arm(f, yes, &mut holds, behind);
                    let no = arm(f, no, &mut fails, behind);
                    *truths = match (is_left(&yes), is_left(&no)) {
                        (true, _) => fails,
                        (_, true) => holds,
                        _ => both(&holds, &fails),
                    };
                    out.push(Stmt::If(c.clone(), yes, no));
                }
            }
            Stmt::Block(inner) => {
                let inner = block(f, inner, truths, behind);
                out.push(Stmt::Block(inner));
            }
            Stmt::For(l @ For { order: Order::Sequential, .. }) => {
                let l = looped(f, l, truths);
                out.push(Stmt::For(l));
                for x in heads(s) {
                    if truths.contains_key(&x) {
                        continue;
                    }
                    let mut set = truths.clone();
                    set.insert(x, true);
                    if let Some(exit) = exit(f, &set, behind) {
                        out.push(Stmt::If(Expr::Var(x), exit, vec![]));
                        truths.insert(x, false);
                    }
                }
            }
            s => {
                let mut s = s.clone();
                for inner in s.blocks_mut() {
                    let mut inside = truths.clone();
                    forget(inner, &mut inside);
                    *inner = block(f, inner, &mut inside, None);
                }
                meet(&s, truths);
                out.push(s);
            }
        }
        if is_left(&out) {
            break;
        }
    }
    out
}

/// An arm of a branch, or the body of a loop, which is left at its end if the next iteration would not begin.
fn arm(f: &mut Function, b: &[Stmt], truths: &mut Truths, rest: Option<&Rest<'_>>) -> Block {
    let mut b = block(f, b, truths, rest);
    if !is_left(&b)
        && let Some(exit) = exit(f, truths, rest)
    {
        b.push_all(exit);
    }
    b
}

fn looped(f: &mut Function, l: &For, truths: &mut Truths) -> For {
    let mut inside = truths.clone();
    forget(&l.body, &mut inside);
    let (head, body) = l.body.split_at(head(&l.body));
    head.iter().for_each(|s| meet(s, &mut inside));
    let ends = head.iter().any(|s| matches!(s, Stmt::While(e) if !flags(e).is_empty()));
    let rest = Rest { stmts: &[], outer: None, head };
    let body = arm(f, body, &mut inside, Some(&rest).filter(|_| ends));
    let always = if is_left(&body) { truths.clone() } else { both(truths, &inside) };
    let mut all = Block::new();
    for s in head {
        match s {
            Stmt::While(e) => match under(e, &always) {
                Expr::Lit(Lit::Bool(true)) => {}
                e => all.push(Stmt::While(e)),
            },
            s => all.push(s.clone()),
        }
    }
    all.push_all(body);
    forget(&l.body, truths);
    For { index: l.index, count: l.count.clone(), order: l.order, body: all }
}

/// The number of statements at the head of a body up to its last test.
fn head(b: &[Stmt]) -> usize {
    let names = b.iter().take_while(|s| matches!(s, Stmt::Let(..) | Stmt::While(_))).count();
    b[..names].iter().rposition(|s| matches!(s, Stmt::While(_))).map_or(0, |last| last + 1)
}

/// The flags that end a loop.
fn heads(s: &Stmt) -> Vec<VarId> {
    let Stmt::For(l) = s else { return vec![] };
    let tests = l.body[..head(&l.body)].iter().filter_map(|s| if let Stmt::While(e) = s { Some(e) } else { None });
    tests.flat_map(flags).collect_vec()
}

/// The statements that are still to run in a loop, and its end, if they are few, can be copied, and no iteration begins
/// behind `rest`.
fn exit(f: &mut Function, truths: &Truths, rest: Option<&Rest<'_>>) -> Option<Block> {
    let (mut truths, mut exit) = (truths.clone(), Block::new());
    let head = rest?.head;
    let mut left = std::iter::successors(rest, |r| r.outer).flat_map(|r| r.stmts).collect::<VecDeque<&Stmt>>();
    while let Some(s) = left.pop_front() {
        if let Stmt::If(c, yes, no) = s
            && let Some(t) = truth(c, &truths)
        {
            (if t { yes } else { no }).iter().rev().for_each(|s| left.push_front(s));
            continue;
        }
        if s.any(&is_heavy) || exit.len() == SHORT {
            return None;
        }
        meet(s, &mut truths);
        exit.push(s.clone());
    }
    let ends = head.iter().any(|s| {
        let ends = matches!(s, Stmt::While(e) if truth(e, &truths) == Some(false));
        meet(s, &mut truths);
        ends
    });
    if !ends {
        return None;
    }
    let mut exit = copied(f, &exit);
    exit.push(Stmt::While(Expr::Lit(Lit::Bool(false))));
    Some(exit)
}

/// Whether an exit has no copy of a statement.
fn is_heavy(s: &Stmt) -> bool {
    matches!(s, Stmt::For(_) | Stmt::Reduce(_) | Stmt::Spread(_) | Stmt::While(_) | Stmt::Call(_))
        || matches!(s, Stmt::Open(_) | Stmt::Turn(_) | Stmt::Settle(_))
}

/// Whether the last statement of a block ends the loop around it.
fn is_left(b: &[Stmt]) -> bool {
    let ends = |s: &Stmt| matches!(s, Stmt::While(Expr::Lit(Lit::Bool(false))));
    on_all_paths(&b[b.len().saturating_sub(1)..], &ends)
}

/// The flags that end a loop by themselves once they are set, with this test at its head.
fn flags(e: &Expr) -> Vec<VarId> {
    match e {
        Expr::Prim(Prim::And, es, _) => es.iter().flat_map(flags).collect_vec(),
        Expr::Prim(Prim::Not, es, _) => match &es[0] {
            Expr::Var(x) => vec![*x],
            _ => vec![],
        },
        _ => vec![],
    }
}

/// Drops what is known of numbers that statements assign.
fn forget(b: &[Stmt], truths: &mut Truths) {
    let mut assigned = Set::new();
    b.iter().for_each(|s| s.targets(&mut assigned));
    truths.retain(|x, _| !assigned.contains(x));
}

/// Notes the truths that hold behind a statement.
fn meet(s: &Stmt, truths: &mut Truths) {
    let value = match s {
        Stmt::Let(x, Scalar::Bool, e) | Stmt::Assign(Place::Var(x), e) => truth(e, truths).map(|t| (*x, t)),
        _ => None,
    };
    s.each_part_inside(&mut |p| {
        if let Part::Binds(x) | Part::Assigns(x) = p {
            truths.remove(x);
        }
    });
    if let Some((x, t)) = value {
        truths.insert(x, t);
    }
    if let Stmt::While(e) = s {
        assume(e, true, truths);
    }
}

/// Notes what a condition says.
fn assume(e: &Expr, holds: bool, truths: &mut Truths) {
    match (e, holds) {
        (Expr::Var(x), _) => drop(truths.insert(*x, holds)),
        (Expr::Prim(Prim::Not, es, _), _) => assume(&es[0], !holds, truths),
        (Expr::Prim(Prim::And | Prim::BitAnd, es, _), true) | (Expr::Prim(Prim::Or | Prim::BitOr, es, _), false) => {
            es.iter().for_each(|e| assume(e, holds, truths));
        }
        _ => {}
    }
}

/// The truths of both of two ways.
fn both(a: &Truths, b: &Truths) -> Truths {
    let mut all = a.clone();
    all.retain(|x, t| b.get(x) == Some(t));
    all
}

/// The value of a condition.
fn truth(e: &Expr, truths: &Truths) -> Option<bool> {
    match under(e, truths) {
        Expr::Lit(Lit::Bool(t)) => Some(t),
        _ => None,
    }
}

/// A condition without the flags that are known.
fn under(e: &Expr, truths: &Truths) -> Expr {
    match e {
        Expr::Var(x) => truths.get(x).map_or_else(|| e.clone(), |t| Expr::Lit(Lit::Bool(*t))),
        Expr::Prim(Prim::Not, es, o) => match under(&es[0], truths) {
            Expr::Lit(Lit::Bool(t)) => Expr::Lit(Lit::Bool(!t)),
            e => Expr::Prim(Prim::Not, vec![e], *o),
        },
        Expr::Prim(p @ (Prim::And | Prim::Or), es, o) => {
            let (a, b) = (under(&es[0], truths), under(&es[1], truths));
            let settles = Expr::Lit(Lit::Bool(*p == Prim::Or));
            match (&a, &b) {
                (Expr::Lit(_), _) => {
                    if a == settles {
                        a
                    } else {
                        b
                    }
                }
                (_, Expr::Lit(_)) if b != settles => a,
                _ => Expr::Prim(*p, vec![a, b], *o),
            }
        }
        e => e.clone(),
    }
}
