//! Blocks an independent loop around sequential ones: its index becomes the innermost one.
//!
//! ```text
//! for i < n any { s₁; for j < m { s₂ }; s₃ }
//!   ⟶  for g < ⌈n / B⌉ any {
//!        let w = min(B, n - B·g)
//!        open x̄[B]                                 one for each variable that lives in several of the parts
//!        for l < w any { s₁ }
//!        for j < m { for l < w any { s₂ } }
//!        for l < w any { s₃ }                      i = B·g + l, x = x̄[l]
//!      }
//! ```
//!
//! LLVM makes vectors of the innermost loop, and only if its iterations are independent: a sum in source order, a fold, a
//! recurrence are not, but several of them side by side are. No sum is reordered.
//!
//! Needs: inner loops that run equally often for each `i`, without an early end, statements that cannot panic where a
//! check is concerned, and no temporary in memory. Pays: if the inner loops read and write side by side along `i`, or do not read along it at all, and if
//! their operations are instructions for vectors. Costs: `B` elements of a local array for each variable between the parts.

use super::lane::{At, Places, in_slot, lane, slot};
use super::parts::{Part, binders, crossing, declared, is_instruction, parts, write_apart};
use super::{in_body, replaced};
use crate::loops::{Access, Block, BufferId, Expr, For, Function, Left, Order, Place, Reason, Stmt};
use crate::name::VarId;
use crate::pass::{PassId, Switches};
use crate::shape::card::{Card, Op};
use crate::span::Origin;
use crate::ty::Scalar;
use std::collections::BTreeMap;

/// Elements that all local arrays of a block have together, so that they stay in the nearest cache.
const ELEMENTS: i128 = 1024;

/// The largest block: longer ones read no faster.
const LONGEST: i128 = 512;

/// Variables that may live between the parts of one loop.
const SLOTS: usize = 16;

/// Blocks all loops for which it pays.
pub(super) fn block(f: &mut Function, _: &Switches) -> bool {
    in_body(f, |b, f| replaced(b, f, PassId::Block, blocked))
}

fn blocked(l: &For, f: &mut Function) -> Result<Stmt, Left> {
    let For { index, count, body, .. } = l;
    if !body.iter().any(|s| matches!(s, Stmt::For(For { order: Order::Sequential, .. }))) {
        return Err(None);
    }
    let parts = parts(body)?;
    let fixed = count.constant();
    if fixed.is_some_and(|n| n < 16) {
        return Err(Some(Reason::Few));
    }
    if !write_apart(&parts, &[*index]) {
        return Err(Some(Reason::Writes));
    }
    let mut bound = BTreeMap::new();
    body.iter().for_each(|s| binders(s, &mut bound));
    parts.iter().try_for_each(|p| pays(p, *index, &bound, false)).map_err(Some)?;
    let slots = crossing(&parts, &bound).filter(|s| s.len() <= SLOTS).ok_or(Some(Reason::Large))?;
    let length = (ELEMENTS / slots.len().max(1).next_power_of_two() as i128).min(LONGEST);
    let (g, w) = (f.names.fresh("block"), f.names.fresh("width"));
    let (begin, width) = match fixed {
        Some(n) if n <= length => (Card::lit(0), count.clone()),
        _ => (Card::var(g).mul(&Card::lit(length)), Card::var(w)),
    };
    let slots: BTreeMap<VarId, BufferId> = slots.into_iter().map(|x| (x, slot(f, x, bound[&x], length))).collect();
    let mut cx = Blocking { f, index: *index, begin: begin.clone(), width: width.clone(), slots, declared: vec![] };
    declared(body, &mut cx.declared);
    let mut inside = cx.all(&parts).ok_or(Some(Reason::Large))?;
    if !cx.slots.is_empty() {
        inside.insert(0, Stmt::Open(cx.slots.values().copied().collect()));
    }
    if begin.constant() == Some(0) {
        return Ok(Stmt::Block(inside));
    }
    let rest = Card::op(Op::Min, &Card::lit(length), &count.sub(&begin));
    inside.insert(0, Stmt::Let(w, Scalar::Usize, Expr::Size(rest, Origin::default())));
    let groups = Card::op(Op::Div, &count.add(&Card::lit(length - 1)), &Card::lit(length));
    Ok(Stmt::For(For { index: g, count: groups, order: Order::Any, body: inside }))
}

/// Why vectors do not pay in a part; `inner`: in a sequential loop.
fn pays(p: &Part, i: VarId, bound: &BTreeMap<VarId, Scalar>, inner: bool) -> Result<(), Reason> {
    match p {
        Part::Lanes(_) if !inner => Ok(()),
        Part::Lanes(lanes) => lanes.iter().try_for_each(|s| is_vector(s, i, bound)),
        Part::Loop(_, count, _) if bound.keys().chain([&i]).any(|v| count.mentions(*v)) => Err(Reason::Lengths),
        Part::Loop(_, _, inside) => inside.iter().try_for_each(|p| pays(p, i, bound, true)),
    }
}

/// Whether a statement is one on vectors, along `i`.
fn is_vector(s: &Stmt, i: VarId, bound: &BTreeMap<VarId, Scalar>) -> Result<(), Reason> {
    // Both arms of a branch become values to choose from, unless one of them needs memory.
    let chosen = |s: &Stmt| match s {
        Stmt::Let(_, _, e) | Stmt::Assign(Place::Var(_), e) if !e.loads() => is_vector(s, i, bound),
        Stmt::Var(..) => Ok(()),
        _ => Err(Reason::Branch),
    };
    match s {
        Stmt::Assign(Place::Element(a), _) if stride(a, i, bound) != Some(1) => return Err(Reason::Distance),
        Stmt::Let(..) | Stmt::Var(..) | Stmt::Assign(..) => {}
        Stmt::If(_, a, b) => a.iter().chain(b).try_for_each(chosen)?,
        _ => return Err(Reason::Branch),
    }
    s.exprs().into_iter().try_for_each(|e| is_vector_expr(e, i, bound))
}

fn is_vector_expr(e: &Expr, i: VarId, bound: &BTreeMap<VarId, Scalar>) -> Result<(), Reason> {
    match e {
        Expr::Load(a) if !matches!(stride(a, i, bound), Some(0 | 1)) => return Err(Reason::Distance),
        Expr::Prim(p, ..) if !is_instruction(*p) => return Err(Reason::Operation(*p)),
        // An address is not computed unless its element is needed.
        Expr::If(es) if es[1..].iter().any(Expr::loads) => return Err(Reason::Branch),
        Expr::Size(c, _) if c.mentions(i) => return Err(Reason::Counts),
        Expr::Var(v) if *v == i => return Err(Reason::Counts),
        Expr::App(..) => return Err(Reason::Calls),
        _ => {}
    }
    e.operands().iter().try_for_each(|e| is_vector_expr(e, i, bound))
}

/// The distance of an access from the one of the next iteration, if it is the same for all.
fn stride(a: &Access, i: VarId, bound: &BTreeMap<VarId, Scalar>) -> Option<i128> {
    let (slope, rest) = a.offset.linear_in(i)?;
    if bound.keys().any(|v| rest.mentions(*v)) { None } else { slope.constant() }
}

struct Blocking<'f> {
    f: &'f mut Function,
    index: VarId,
    begin: Card,
    width: Card,
    slots: BTreeMap<VarId, BufferId>,
    /// What [`parts`] left out.
    declared: Vec<(VarId, Scalar)>,
}

impl Blocking<'_> {
    fn all(&mut self, parts: &[Part]) -> Option<Block> {
        parts.iter().map(|p| self.part(p)).collect()
    }

    fn part(&mut self, p: &Part) -> Option<Stmt> {
        Some(Stmt::For(match p {
            Part::Loop(index, count, inside) => {
                let body = self.all(inside)?;
                For { index: *index, count: count.clone(), order: Order::Sequential, body }
            }
            Part::Lanes(lanes) => {
                let index = self.f.names.fresh("lane");
                let at = Card::var(index);
                let mut numbers: Places = self.slots.iter().map(|(x, b)| (*x, in_slot(*b, &at))).collect();
                numbers.insert(self.index, At::Size(self.begin.add(&at)));
                let body = lane(self.f, lanes, &self.declared, &numbers)?;
                For { index, count: self.width.clone(), order: Order::Any, body }
            }
        }))
    }
}
