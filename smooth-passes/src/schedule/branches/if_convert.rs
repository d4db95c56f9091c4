//! If-conversion: both of two values are computed if that is cheap, so that an innermost loop has no branch.
//!
//! ```text
//! if c then a else b                      ⟶  let x = a; let y = b; if c then x else y
//! a && b, a || b                          ⟶  a & b, a | b
//! if c { s̄; p ← a } else { t̄; p ← b }     ⟶  s̄; t̄; p ← if c then a else b
//! if c { s̄; b[o] ← a }                    ⟶  s̄; b[o] ← if c then a else b[o]           b[o] read before in any case
//! if c { x ← b[o]; s̄ } else { t̄ }         ⟶  let y = b[o]; if c { x ← y; s̄ } else { t̄ }
//! ```
//!
//! LLVM moves no load out of a branch, which may protect it. So a loop with `if mask[i] { x[i] } else { 0.0 }` is not
//! vectorised, and with irregular data half of the predictions fail. LLVM speculates everything else, and finds common
//! subexpressions of both arms, so a branch without such a load stays.
//!
//! Needs: values that cannot panic, and loads that are in range and initialised without the condition: of arguments, of
//! copies, and of the state of a fold. Pays: in innermost loops that are independent or inside an independent one, and
//! in reductions. Costs: the time of the value that is not needed, at most the target's bound (`Selects`).
//!
//! Without a new load LLVM decides as well itself, and better: it sees that `if c { x * y } else { 0.1 * y }` is one
//! multiplication. Elements of storage that a kernel is filling stay under their conditions, since a read of what is
//! not written is undefined even where its value is not used.

use crate::loops::{
    Access, Block, BufferId, Expr, For, Function, Left, Memory, Order, Place, Reason, Reduce, Remark, Stmt, Turn, With,
};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::pass::{PassId, Switches};
use crate::prim::Prim;
use crate::schedule::facts::access::reads;
use crate::schedule::facts::carried::hands_on;
use crate::schedule::facts::decide::{Decide, has_loop};
use crate::schedule::facts::parts::is_instruction;
use crate::schedule::facts::total::is_total;
use crate::schedule::rewrite::replaced::in_body;
use crate::shape::card::Card;
use crate::shape::condition::Known;
use crate::sorted::Set;
use crate::ty::Scalar;

/// Converts all branches for which it pays.
pub(crate) fn if_convert(f: &mut Function, _: &Switches) -> bool {
    in_body(f, |b, f| {
        let (cx, full, sure) = (Decide::new(f), Set::new(), vec![]);
        let mut walk =
            Walk { cx, full, sure, turns: vec![], independent: 0, inner: None, before: vec![], changed: false };
        walk.block(b);
        walk.changed
    })
}

struct Walk<'f> {
    cx: Decide<'f>,
    /// Buffers whose elements are all written.
    full: Set<BufferId>,
    /// Elements that every iteration reads unconditionally, so that loading them speculatively is safe.
    sure: Vec<Access>,
    /// The turns so far, whose names change places.
    turns: Vec<Turn>,
    /// The number of surrounding independent loops.
    independent: usize,
    /// The innermost loop around the place, if it could be a vector.
    inner: Option<VarId>,
    /// The statements that were moved before this one.
    before: Block,
    changed: bool,
}

impl Walk<'_> {
    fn block(&mut self, b: &mut Block) {
        let (outside, full, sure) = (self.cx.facts.enter(&Known::default()), self.full.clone(), self.sure.len());
        for mut s in std::mem::take(b) {
            self.cx.note(&s);
            self.stmt(&mut s);
            let s = self.joined(s);
            b.append(&mut self.before);
            self.learn(&s);
            b.push(s);
        }
        self.full = full;
        self.sure.truncate(sure);
        self.cx.facts.leave(outside);
    }

    fn stmt(&mut self, s: &mut Stmt) {
        match s {
            Stmt::For(For { index, count, order, body }) => {
                let any = usize::from(*order == Order::Any);
                let inner = !has_loop(body) && (any + self.independent > 0 || !hands_on(body));
                let full = self.full.clone();
                self.full.extend(self.turns.iter().flat_map(|t| states(t, body)));
                self.independent += any;
                self.each_time(*index, count, inner, |walk| walk.block(body));
                self.independent -= any;
                self.full = full;
            }
            Stmt::Reduce(Reduce { index, count, body, terms, with: With::Monoid(_), .. }) => {
                let inner = !has_loop(body);
                self.each_time(*index, count, inner, |walk| {
                    walk.block(body);
                    terms.iter_mut().for_each(|e| walk.expr(e));
                    body.append(&mut walk.before);
                });
            }
            Stmt::If(c, a, b) => {
                self.expr(c);
                self.read(c);
                let before = std::mem::take(&mut self.before);
                self.block(a);
                self.block(b);
                self.before = before;
            }
            Stmt::Block(b) => self.block(b),
            Stmt::Turn(t) => self.turns.push(t.clone()),
            s => s.exprs_mut().into_iter().for_each(|e| self.expr(e)),
        }
    }

    /// Remarks that a branch was converted, or why it was left.
    fn remark(&mut self, left: Left) {
        self.changed |= left.is_none();
        let about = self.inner;
        self.cx.f.schedule.remarks.push_all(about.map(|about| Remark { pass: PassId::IfConvert, about, left }));
    }

    fn each_time(&mut self, index: VarId, count: &Card, inner: bool, f: impl FnOnce(&mut Self)) {
        let outside = self.cx.facts.enter(&Known::default());
        let count = Some(count.clone()).filter(|n| self.cx.is_fixed(n));
        self.cx.facts.enter_loop(index, count);
        let around = std::mem::replace(&mut self.inner, inner.then_some(index));
        f(self);
        self.inner = around;
        self.cx.facts.leave_loop();
        self.cx.facts.leave(outside);
    }

    /// Adds the facts that hold after a statement.
    fn learn(&mut self, s: &Stmt) {
        s.exprs().into_iter().for_each(|e| self.read(e));
        match s {
            Stmt::Let(x, Scalar::Usize, e) => {
                if let Some(c) = self.cx.integer(e).filter(|c| self.cx.is_fixed(c)) {
                    self.cx.define(*x, c);
                }
            }
            Stmt::Check { index, len, .. } => {
                if let Some(i) = self.cx.integer(index).filter(|i| self.cx.is_fixed(i) && self.cx.is_fixed(len)) {
                    let known = self.cx.facts.index(&i, len);
                    self.cx.facts.assume(&known);
                }
            }
            Stmt::Copy { to, len, .. } => {
                let b = self.cx.f.buffer(to.buffer);
                if to.offset.constant() == Some(0) && b.len == *len && b.memory != Memory::Turn {
                    self.full.insert(to.buffer);
                }
            }
            _ => {}
        }
    }

    /// A branch, as one assignment if its arms differ only in the value of one place.
    fn joined(&mut self, s: Stmt) -> Stmt {
        let Stmt::If(c, first, mut second) = s else { return s };
        let kept = match first.last() {
            Some(Stmt::Assign(Place::Element(a), _)) if second.is_empty() && self.independent > 0 => Some(a.clone()),
            _ => None,
        };
        let kept = kept.filter(|a| self.sure.contains(a) || reads(&c).contains(a));
        let stores = kept.is_some();
        second.extend(kept.map(|a| Stmt::Assign(Place::Element(a.clone()), Expr::Load(a))));
        let before = |cx: &mut Self, c, first, mut second: Block, left| {
            if stores {
                second.clear();
            }
            cx.read_before(c, [first, second], left)
        };
        let place = match (first.last(), second.last()) {
            (Some(Stmt::Assign(p, _)), Some(Stmt::Assign(q, _))) if p == q => p.clone(),
            _ => return before(self, c, first, second, None),
        };
        let needs = |s: &Stmt| s.exprs().into_iter().any(|e| self.waits(e));
        let needed = stores || first.iter().chain(&second).any(needs);
        if self.inner.is_none() || !needed {
            return before(self, c, first, second, None);
        }
        if let Err(left) = self.is_free(&first).and(self.is_free(&second)) {
            return before(self, c, first, second, Some(left));
        }
        let mut arms = vec![c];
        for arm in [first, second] {
            for s in arm {
                match s {
                    Stmt::Assign(_, e) => {
                        let is_kept = stores && matches!(e, Expr::Load(_));
                        let e = if is_kept { e } else { self.named(e) };
                        arms.push(e);
                    }
                    s => self.before.push(s),
                }
            }
        }
        self.remark(None);
        Stmt::Assign(place, Expr::If(Box::new(arms.try_into().expect("a condition and two arms"))))
    }

    /// A branch whose arms only compute numbers, with their loads moved before it. If no load can be moved, the remark
    /// is `left`.
    fn read_before(&mut self, c: Expr, mut arms: [Block; 2], left: Left) -> Stmt {
        let mut moved = false;
        let number = |s: &Stmt| matches!(s, Stmt::Let(..) | Stmt::Var(..) | Stmt::Assign(Place::Var(_), _));
        let all = arms.iter().flatten();
        let mut waiting: Vec<Access> = vec![];
        for a in all.clone().flat_map(|s| s.exprs()).flat_map(reads) {
            if !self.sure.contains(&a) && !waiting.contains(&a) {
                waiting.push(a);
            }
        }
        if self.inner.is_some() && all.clone().all(number) {
            for a in waiting {
                // An address that an arm computes is not known before it.
                let bound = arms.iter().flatten().any(|s| matches!(s, Stmt::Let(x, ..) if a.offset.mentions(*x)));
                let e = Expr::Load(a);
                if bound || self.cost(&e).is_none() {
                    continue;
                }
                let x = self.named(e.clone());
                let all = arms.iter_mut().flatten().flat_map(Stmt::exprs_mut);
                all.for_each(|part| {
                    part.each_mut(&mut |part| {
                        if *part == e {
                            *part = x.clone()
                        }
                    })
                });
                moved = true;
            }
        }
        let [first, second] = arms;
        if moved || left.is_some() {
            self.remark(left.filter(|_| !moved));
        }
        Stmt::If(c, first, second)
    }

    /// Whether the statements of an arm may run even if its condition does not hold.
    fn is_free(&mut self, arm: &Block) -> Result<(), Reason> {
        let cost = arm.iter().enumerate().try_fold(0, |sum, (k, s)| match s {
            Stmt::Let(_, _, e) => Some(sum + self.cost(e)?),
            Stmt::Assign(_, e) if k + 1 == arm.len() => Some(sum + self.cost(e)?),
            _ => None,
        });
        self.cheap(cost)
    }

    fn expr(&mut self, e: &mut Expr) {
        if self.inner.is_none() {
            return;
        }
        match e {
            Expr::If(es) => {
                let [c, a, b] = &mut **es;
                self.expr(c);
                let before = self.sure.len();
                self.read(c);
                let both: Vec<Access> = reads(a).into_iter().filter(|access| reads(b).contains(access)).collect_vec();
                self.sure.push_all(both);
                if self.waits(a) || self.waits(b) {
                    let free = self.is_cheap(a).and(self.is_cheap(b));
                    if free.is_ok() {
                        for arm in [a, b] {
                            self.expr(arm);
                            *arm = self.named(arm.clone());
                        }
                    }
                    self.remark(free.err());
                }
                self.sure.truncate(before);
            }
            Expr::Prim(p @ (Prim::And | Prim::Or), es, _) => {
                self.expr(&mut es[0]);
                let before = self.sure.len();
                self.read(&es[0]);
                let free = self.waits(&es[1]).then(|| self.is_cheap(&es[1]));
                self.sure.truncate(before);
                let Some(free) = free else { return };
                if free.is_ok() {
                    self.expr(&mut es[1]);
                    *p = if *p == Prim::And { Prim::BitAnd } else { Prim::BitOr };
                }
                self.remark(free.err());
            }
            e => e.operands_mut().iter_mut().for_each(|e| self.expr(e)),
        }
    }

    /// Records the elements that an expression reads unconditionally.
    fn read(&mut self, e: &Expr) {
        let fixed = reads(e).into_iter().filter(|a| self.cx.is_fixed(&a.offset));
        self.sure.push_all(fixed.collect_vec());
    }

    /// Whether an expression has a load that LLVM does not move out of a condition.
    fn waits(&self, e: &Expr) -> bool {
        e.any(&|e| matches!(e, Expr::Load(a) if !self.sure.contains(a)))
    }

    fn is_cheap(&mut self, e: &Expr) -> Result<(), Reason> {
        let cost = self.cost(e);
        self.cheap(cost)
    }

    /// Whether a value may be computed that is not needed; its cost is `None` if it might panic.
    fn cheap(&self, cost: Option<u32>) -> Result<(), Reason> {
        match cost {
            None => Err(Reason::Unsure),
            Some(cost) if cost > self.cx.f.schedule.target.selects.cost => Err(Reason::Costs),
            Some(_) => Ok(()),
        }
    }

    /// The cost of an expression; `None` if it may panic or have a load that is not safe.
    fn cost(&mut self, e: &Expr) -> Option<u32> {
        let sure = matches!(e, Expr::Load(a) if self.sure.contains(a));
        if !sure && !is_total(&mut self.cx, e, &self.full) {
            return None;
        }
        let itself = match e {
            Expr::Var(_) | Expr::Lit(_) | Expr::Const(_) => 0,
            Expr::Prim(p, ..) => (is_instruction(*p) || matches!(p, Prim::ToF64 | Prim::ToF32)).then_some(p.cost())?,
            _ => 1,
        };
        e.operands().iter().try_fold(itself, |sum, e| Some(sum + self.cost(e)?))
    }

    /// A name for a value that is computed before the statement.
    fn named(&mut self, e: Expr) -> Expr {
        if is_atom(&e) {
            return e;
        }
        let (x, s) = (self.cx.f.names.fresh("both"), self.cx.scalar(&e));
        let bound = Stmt::Let(x, s, e);
        self.cx.note(&bound);
        self.before.push(bound);
        Expr::Var(x)
    }
}

/// The buffers of a turn that hold a state in each iteration of a loop with this body.
fn states<'t>(t: &'t Turn, body: &Block) -> &'t [BufferId] {
    let swaps = body.iter().any(|s| matches!(s, Stmt::Swap(first, _) if *first == t.names[0]));
    match (swaps, t.one) {
        (false, _) => &[],
        (true, true) => &t.names[..1],
        (true, false) => &t.names,
    }
}

fn is_atom(e: &Expr) -> bool {
    matches!(e, Expr::Var(_) | Expr::Lit(_) | Expr::Const(_))
}
