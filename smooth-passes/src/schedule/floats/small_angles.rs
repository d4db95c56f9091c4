//! Argument-range splitting: the reduction of large angles is kept out of loops, since a loop with a call is not
//! vectorised.
//!
//! ```text
//! for i < n { s̄[sin e] }
//!   ⟶  m ← max (i < n) { t̄; |e| }                       t̄: the values that e needs
//!       if m ≤ 2²⁰ { for i < n { s̄[near_sin e] } } else { for i < n { s̄[sin e] } }
//! x̄ ← reduce (i < n) { … }   likewise, with x̄ assigned on both sides
//! ```
//!
//! Both sides give the same bits. Needs: angles that are computed in every iteration, from values that the loop does
//! not change, and without a panic. Pays: in innermost loops that could be vectors. Costs: the angles twice, so at most
//! the target's bound of work (`angles`), and the code of the loop twice.
//!
//! Angles up to 2²⁰ are reduced by three parts of π/2, without a branch. Beyond, a table of 1280 bits of 2/π is
//! needed, hence a call: `sin` of the whole range takes 6 to 8 ns in every instruction set, without the call 4.2, 2.2
//! and 1.4 ns. A reduction without a branch would gather several numbers from the table for each element, and take at
//! least as many operations as the rest, for the sake of angles that hardly occur.

use crate::loops::{Block, Expr, For, Function, Order, Place, Reduce, Stmt, With};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::pass::Switches;
use crate::prim::Prim;
use crate::reduction::Monoid;
use crate::schedule::facts::carried::hands_on;
use crate::schedule::facts::decide::{Decide, has_loop};
use crate::schedule::facts::total::total_cost;
use crate::schedule::rewrite::copy::copied;
use crate::schedule::rewrite::replaced::{each_replaced, in_body};
use crate::sorted::Set;
use crate::span::Origin;
use crate::value::Lit;

/// Splits every loop where it pays.
pub(crate) fn small_angles(f: &mut Function, _: &Switches) -> bool {
    in_body(f, |b, f| {
        let mut walk = Walk { cx: Decide::new(f), changed: false };
        walk.block(b);
        walk.changed
    })
}

struct Walk<'f> {
    cx: Decide<'f>,
    changed: bool,
}

impl Walk<'_> {
    fn block(&mut self, b: &mut Block) {
        self.changed |= each_replaced(b, &mut |s| {
            self.cx.note(s);
            match s {
                Stmt::For(l) if l.order == Order::Any || !hands_on(&l.body) => self.split(s, (l.index, &l.body, &[])),
                Stmt::Reduce(r) if matches!(r.with, With::Monoid(_)) => self.split(s, (r.index, &r.body, &r.terms)),
                _ => None,
            }
        });
    }

    /// A loop in two versions, after a test of its angles.
    fn split(&mut self, s: &Stmt, (index, body, terms): (VarId, &Block, &[Expr])) -> Option<Block> {
        let plain = |s: &Stmt| matches!(s, Stmt::Let(..) | Stmt::Var(..) | Stmt::Assign(..) | Stmt::If(..));
        if has_loop(body) || !body.iter().all(plain) || body.iter().any(Stmt::may_end_loop) {
            return None;
        }
        body.iter().for_each(|s| self.cx.note(s));
        let mut angles = vec![];
        for s in body {
            if s.blocks().into_iter().flatten().any(turns) {
                return None;
            }
            s.exprs().into_iter().try_for_each(|e| angles_of(e, &mut angles))?;
        }
        terms.iter().try_for_each(|e| angles_of(e, &mut angles))?;
        let elem = self.cx.scalar(angles.first()?);
        let values = self.values(body, &angles)?;
        if angles.iter().any(|e| self.cx.scalar(e) != elem) {
            return None;
        }
        let (o, most) = (Origin::default(), self.cx.f.names.fresh("most"));
        let magnitudes = angles.into_iter().map(|e| Expr::Prim(Prim::Abs, vec![e], o));
        let largest = magnitudes.reduce(|a, b| Expr::Prim(Prim::Max, vec![a, b], o))?;
        let count = match s {
            Stmt::For(For { count, .. }) | Stmt::Reduce(Reduce { count, .. }) => count.clone(),
            _ => return None,
        };
        let test = Stmt::Reduce(Reduce {
            index,
            count,
            elems: vec![elem],
            body: values,
            terms: vec![largest],
            with: With::Monoid(Monoid::Max),
            totals: vec![most],
        });
        let mut all = copied(self.cx.f, &[test]);
        let Some(Stmt::Reduce(Reduce { totals, .. })) = all.last() else { return None };
        let bound = Expr::Lit(Lit::float(smooth_math::NEAR, elem));
        let is_near = Expr::Prim(Prim::Le, vec![Expr::Var(totals[0]), bound], o);
        let mut fast = s.clone();
        make_near(&mut fast);
        let (fast, slow) = (self.side(fast, &mut all), self.side(s.clone(), &mut vec![]));
        all.push(Stmt::If(is_near, fast, slow));
        Some(all)
    }

    /// A loop as one of two sides. The totals of a reduction are declared before them.
    fn side(&mut self, s: Stmt, before: &mut Block) -> Block {
        let bound = match &s {
            Stmt::Reduce(Reduce { elems, totals, .. }) => {
                totals.iter().copied().zip(elems.iter().copied()).collect_vec()
            }
            _ => vec![],
        };
        before.push_all(bound.iter().map(|(x, elem)| Stmt::Var(*x, *elem)));
        let mut side = copied(self.cx.f, &[s]);
        if let Some(Stmt::Reduce(Reduce { totals, .. })) = side.last() {
            let totals = totals.clone();
            side.push_all(bound.iter().zip(totals).map(|((x, _), t)| Stmt::Assign(Place::Var(*x), Expr::Var(t))));
        }
        side
    }

    /// The values that the angles need, in their order; `None` if the loop changes what these read.
    fn values(&self, body: &Block, angles: &[Expr]) -> Option<Block> {
        let mut wanted: Vec<&Expr> = angles.iter().collect_vec();
        let mut values = vec![];
        for s in body.iter().rev() {
            if let Stmt::Let(x, _, e) = s
                && wanted.iter().any(|w| w.mentions(*x))
            {
                wanted.push(e);
                values.push(s.clone());
            }
        }
        let mut targets = Set::new();
        body.iter().for_each(|s| s.targets(&mut targets));
        let known = |x: &VarId| values.iter().any(|s| matches!(s, Stmt::Let(y, ..) if x == y));
        let changed = targets.iter().any(|x| !known(x) && wanted.iter().any(|w| w.mentions(*x)));
        let written = |e: &Expr| matches!(e, Expr::Load(a) if body.iter().any(|s| s.writes(a.buffer)));
        let cost: Option<u32> = wanted.iter().map(|e| total_cost(&self.cx, e)).sum();
        values.reverse();
        let changed = changed || wanted.iter().any(|e| e.any(&written));
        (!changed && cost? <= self.cx.f.schedule.target.angles).then_some(values)
    }
}

/// Adds the angles that an expression needs unconditionally; `None` if one depends on a condition, or on a second
/// angle.
fn angles_of(e: &Expr, found: &mut Vec<Expr>) -> Option<()> {
    match e {
        Expr::Prim(p, es, _) if p.near().is_some() => {
            if turning(&es[0]) {
                return None;
            }
            if !found.contains(&es[0]) {
                found.push(es[0].clone());
            }
            Some(())
        }
        Expr::If(es) if turning(&es[1]) || turning(&es[2]) => None,
        Expr::Prim(Prim::And | Prim::Or, es, _) if turning(&es[1]) => None,
        e => e.operands().iter().try_for_each(|e| angles_of(e, found)),
    }
}

/// Whether there is a function of an angle in an expression.
fn turning(e: &Expr) -> bool {
    e.any(&|e| matches!(e, Expr::Prim(p, ..) if p.near().is_some()))
}

/// Whether there is a function of an angle in a statement.
fn turns(s: &Stmt) -> bool {
    s.any(&|s| s.exprs().into_iter().any(turning))
}

fn make_near(s: &mut Stmt) {
    s.each_expr_mut(&mut |e| {
        if let Expr::Prim(p, ..) = e {
            *p = p.near().unwrap_or(*p);
        }
    });
}
