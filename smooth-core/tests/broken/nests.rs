//! Mistakes about the order of iterations.

use super::broken_loops::each;
use smooth_core::loops::visit::each_block;
use smooth_core::loops::{Access, Expr, For, Function, Memory, Order, Place, Stmt};
use smooth_core::name::VarId;
use smooth_core::prim::Prim;
use smooth_core::shape::card::{Atom, Card};
use smooth_core::ty::Scalar;
use smooth_core::value::Lit;

/// Takes the value of the second arm, and of none if it stands alone.
pub fn always_usual(f: &mut Function) {
    each(&mut f.body, &mut |s| match s {
        Stmt::Assign(_, e) => {
            if let Expr::If(es) = e {
                *e = es[2].clone();
            }
        }
        Stmt::If(_, seldom, usual) if usual.is_empty() => seldom.clear(),
        _ => {}
    });
}

/// Forgets where the ranges of independent loops begin, in addresses.
pub fn from_zero(f: &mut Function) {
    let mut indices = vec![];
    each(&mut f.body, &mut |s| {
        if let Stmt::For(l) = s {
            indices.push(l.index);
        }
    });
    let start = |a: &mut Access| {
        let (moves, rest): (Vec<_>, Vec<_>) =
            a.offset.terms().partition(|(_, powers)| indices.iter().any(|i| powers.contains(&(Atom::Var(*i), 1))));
        if !rest.is_empty() {
            let term = |(k, powers): (i128, &[(Atom, u32)])| {
                let times =
                    |c: Card, (a, power): &(Atom, u32)| (0..*power).fold(c, |c, _| c.mul(&Card::atom(a.clone())));
                powers.iter().fold(Card::lit(k), times)
            };
            a.offset = moves.into_iter().map(term).fold(Card::lit(0), |sum, c| sum.add(&c));
        }
    };
    each(&mut f.body, &mut |s| {
        if let Stmt::For(For { order: Order::Any, body, .. }) = s {
            body.iter_mut().for_each(|s| s.each_access_mut(&mut { start }));
        }
    });
}

/// Runs independent loops in the other direction where they write elements alone.
pub fn turned_writes(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::For(For { index, count, order: Order::Any, body }) = s {
            let at = count.sub(&Card::lit(1)).sub(&Card::var(*index));
            each(body, &mut |s| {
                s.accesses_mut().into_iter().for_each(|a| a.offset = a.offset.replace(*index, &at));
            });
        }
    });
}

/// Reads a matrix in the frame by columns where it was written by rows: the two indices of an address change places.
pub fn in_the_old_order(f: &mut Function) {
    let mut indices = vec![];
    each(&mut f.body, &mut |s| {
        if let Stmt::For(l) = s {
            indices.push(l.index);
        }
    });
    let frame: Vec<bool> = f.buffers.iter().map(|b| b.memory == Memory::Frame).collect();
    each(&mut f.body, &mut |s| {
        for e in s.exprs_mut() {
            e.each_mut(&mut |e| {
                let Expr::Load(a) = e else { return };
                let used: Vec<VarId> = indices.iter().copied().filter(|i| a.offset.mentions(*i)).collect();
                if let ([x, y], true) = (&used[..], frame[a.buffer.0 as usize]) {
                    let other = |v: VarId| Card::var(if v == *x { *y } else { *x });
                    a.offset = a.offset.subst(&|atom| match atom {
                        Atom::Var(v) if used.contains(v) => other(*v),
                        atom => Card::atom(atom.clone()),
                    });
                }
            });
        }
    });
}

/// Keeps one number for all rows that are interleaved.
pub fn one_number(f: &mut Function) {
    let local: Vec<bool> = f.buffers.iter().map(|b| matches!(b.memory, Memory::Local(_))).collect();
    each(&mut f.body, &mut |s| {
        if let Stmt::For(For { index, order: Order::Any, count, body }) = s
            && count.constant() == Some(4)
        {
            let mut first = |a: &mut Access| {
                if local[a.buffer.0 as usize] {
                    a.offset = a.offset.replace(*index, &Card::lit(0));
                }
            };
            body.iter_mut().for_each(|s| s.each_access_mut(&mut first));
        }
    });
}

/// Exchanges the loops that a condition chooses from.
pub fn other_way(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::If(_, yes, no) = s
            && [&yes, &no].iter().all(|b| matches!(b.as_slice(), [Stmt::For(l)] if l.order == Order::Any))
        {
            std::mem::swap(yes, no);
        }
    });
}

/// Forgets the last of the moves within a local array.
pub fn one_move_less(f: &mut Function) {
    let local: Vec<bool> = f.buffers.iter().map(|b| matches!(b.memory, Memory::Local(_))).collect();
    each_block(&mut f.body, &mut |b| {
        let moves = |k: usize| match &b[k..k + 2] {
            [Stmt::Let(x, _, Expr::Load(from)), Stmt::Assign(Place::Element(to), Expr::Var(y))] => {
                x == y && to.buffer == from.buffer && local[to.buffer.0 as usize]
            }
            _ => false,
        };
        if let Some(k) = (1..b.len()).rev().map(|k| k - 1).find(|k| moves(*k)) {
            b.remove(k + 1);
        }
    });
}

/// Puts every independent loop outside of the one around it.
pub fn always_outside(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        let Stmt::For(outer) = s else { return };
        if outer.order == Order::Any || outer.body.len() != 1 {
            return;
        }
        let Some(Stmt::For(inner)) = outer.body.first().cloned() else { return };
        if inner.order != Order::Any || inner.count.mentions(outer.index) {
            return;
        }
        let new = For { body: inner.body, ..outer.clone() };
        *outer = For { body: vec![Stmt::For(new)], ..inner };
    });
}

/// The numbers that begin as elements, and are stored there.
fn elements(f: &mut Function) -> Vec<VarId> {
    let mut found = vec![];
    each(&mut f.body, &mut |s| {
        if let Stmt::Assign(Place::Element(_), Expr::Var(x)) = s {
            found.push(*x);
        }
    });
    found
}

/// Begins each accumulation with 0.
pub fn from_nothing(f: &mut Function) {
    let elements = elements(f);
    each(&mut f.body, &mut |s| {
        if let Stmt::Assign(Place::Var(x), e @ Expr::Load(_)) = s
            && elements.contains(x)
        {
            *e = Expr::Lit(Lit::float(0.0, Scalar::F64));
        }
    });
}

/// Stores no accumulation.
pub fn never_stored(f: &mut Function) {
    let elements = elements(f);
    each(&mut f.body, &mut |s| {
        for b in s.blocks_mut() {
            b.retain(|s| !matches!(s, Stmt::Assign(Place::Element(_), Expr::Var(x)) if elements.contains(x)));
        }
    });
}

/// Leaves out the terms of sums that are loops.
pub fn without_terms(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        let Stmt::If(_, few, _) = s else { return };
        each(few, &mut |s| {
            if let Stmt::For(For { order: Order::Sequential, body, .. }) = s
                && let [.., Stmt::Let(term, ..), Stmt::Assign(Place::Var(_), e)] = body.as_slice()
                && e.mentions(*term)
            {
                body.pop();
            }
        });
    });
}

/// Takes the extreme of the lanes for that of the loop.
pub fn without_a_start(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::Let(_, _, e) = s
            && let Expr::If(es) = e
            && let [Expr::Prim(Prim::Gt | Prim::Lt, sides, _), chosen @ Expr::Var(_), Expr::Var(_)] = &**es
            && sides[0] == *chosen
        {
            *e = chosen.clone();
        }
    });
}
