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
//! Needs: inner loops that run equally often for each `i`, without an early end, and statements that cannot panic where a
//! check is concerned. Pays: if the inner loops read and write side by side along `i`, or do not read along it at all, and if
//! their operations are instructions for vectors. Costs: `B` elements of a local array for each variable between the parts.

use crate::loops::{Access, Block, Buffer, BufferId, Expr, For, Function, Memory, Order, Place, Stmt};
use crate::name::VarId;
use crate::pass::Switches;
use crate::prim::Prim;
use crate::shape::card::{Card, Op};
use crate::span::Origin;
use crate::ty::Scalar;
use std::collections::{BTreeMap, BTreeSet};

/// Elements that all local arrays of a block have together, so that they stay in the nearest cache.
const ELEMENTS: i128 = 1024;

/// The largest block: longer ones read no faster.
const LONGEST: i128 = 512;

/// Variables that may live between the parts of one loop.
const SLOTS: usize = 16;

/// Blocks all loops for which it pays.
pub(super) fn block(f: &mut Function, _: &Switches) -> bool {
    let mut body = std::mem::take(&mut f.body);
    let changed = each(&mut body, f);
    f.body = body;
    changed
}

fn each(b: &mut Block, f: &mut Function) -> bool {
    let mut changed = false;
    for s in b {
        match blocked(s, f) {
            Some(new) => {
                *s = new;
                changed = true;
            }
            None => s.blocks_mut().into_iter().for_each(|b| changed |= each(b, f)),
        }
    }
    changed
}

/// A part of a loop's body.
enum Part {
    /// Statements without loops.
    Lanes(Vec<Stmt>),
    /// A sequential loop.
    Loop(VarId, Card, Vec<Part>),
}

fn blocked(s: &Stmt, f: &mut Function) -> Option<Stmt> {
    let Stmt::For(For { index, count, order: Order::Any, body }) = s else { return None };
    let parts = parts(body)?;
    let fixed = count.constant();
    if !parts.iter().any(|p| matches!(p, Part::Loop(..))) || fixed.is_some_and(|n| n < 16) {
        return None;
    }
    let mut bound = BTreeMap::new();
    body.iter().for_each(|s| binders(s, &mut bound));
    if !parts.iter().all(|p| pays(p, *index, &bound, false)) {
        return None;
    }
    let slots = crossing(&parts, &bound)?;
    let length = (ELEMENTS / slots.len().max(1).next_power_of_two() as i128).min(LONGEST);
    let (g, w) = (f.names.fresh("block"), f.names.fresh("width"));
    let (begin, width) = match fixed {
        Some(n) if n <= length => (Card::lit(0), count.clone()),
        _ => (Card::var(g).mul(&Card::lit(length)), Card::var(w)),
    };
    let slots: BTreeMap<VarId, BufferId> = slots.into_iter().map(|x| (x, slot(f, x, bound[&x], length))).collect();
    let mut cx = Blocking { f, index: *index, begin: begin.clone(), width: width.clone(), slots, declared: vec![] };
    declared(body, &mut cx.declared);
    let mut inside = cx.all(&parts)?;
    if !cx.slots.is_empty() {
        inside.insert(0, Stmt::Open(cx.slots.values().copied().collect()));
    }
    if begin.constant() == Some(0) {
        return Some(Stmt::Block(inside));
    }
    let rest = Card::op(Op::Min, &Card::lit(length), &count.sub(&begin));
    inside.insert(0, Stmt::Let(w, Scalar::Usize, Expr::Size(rest, Origin::default())));
    let groups = Card::op(Op::Div, &count.add(&Card::lit(length - 1)), &Card::lit(length));
    Some(Stmt::For(For { index: g, count: groups, order: Order::Any, body: inside }))
}

fn slot(f: &mut Function, x: VarId, elem: Scalar, length: i128) -> BufferId {
    let (name, len) = (f.names.again(x), Card::lit(length));
    f.buffers.push(Buffer { name, elem, len: len.clone(), memory: Memory::Local(len) });
    BufferId(f.buffers.len() as u32 - 1)
}

/// The parts of a body; `None` if there is something in it that cannot be blocked.
fn parts(b: &Block) -> Option<Vec<Part>> {
    let (mut all, mut lanes) = (vec![], vec![]);
    for s in b {
        match s {
            // Declared again in the part that needs it.
            Stmt::Var(..) => {}
            Stmt::For(For { index, count, order: Order::Sequential, body }) => {
                all.push(Part::Lanes(std::mem::take(&mut lanes)));
                all.push(Part::Loop(*index, count.clone(), parts(body)?));
            }
            s if is_simple(s) => lanes.push(s.clone()),
            _ => return None,
        }
    }
    all.push(Part::Lanes(lanes));
    all.retain(|p| !matches!(p, Part::Lanes(lanes) if lanes.is_empty()));
    Some(all)
}

/// Whether statements of several iterations may be interleaved.
fn is_simple(s: &Stmt) -> bool {
    let expr = |e: &Expr| !e.any(&|e| matches!(e, Expr::App(..)));
    match s {
        Stmt::Let(_, _, e) | Stmt::Assign(_, e) => expr(e),
        Stmt::Var(..) => true,
        Stmt::If(c, a, b) => expr(c) && a.iter().chain(b).all(is_simple),
        _ => false,
    }
}

fn each_lane<'p>(parts: &'p [Part], f: &mut impl FnMut(&'p Stmt)) {
    for p in parts {
        match p {
            Part::Lanes(lanes) => lanes.iter().for_each(&mut *f),
            Part::Loop(_, _, inside) => each_lane(inside, f),
        }
    }
}

/// The variables that a body declares, in its sequential loops as well.
fn declared(b: &Block, found: &mut Vec<(VarId, Scalar)>) {
    for s in b {
        match s {
            Stmt::Var(x, s) => found.push((*x, *s)),
            Stmt::For(For { body, .. }) => declared(body, found),
            _ => {}
        }
    }
}

fn binders(s: &Stmt, found: &mut BTreeMap<VarId, Scalar>) {
    if let Stmt::Let(x, s, _) | Stmt::Var(x, s) = s {
        found.insert(*x, *s);
    }
    s.blocks().into_iter().flatten().for_each(|s| binders(s, found));
}

/// Whether vectors pay in a part; `inner`: in a sequential loop.
fn pays(p: &Part, i: VarId, bound: &BTreeMap<VarId, Scalar>, inner: bool) -> bool {
    match p {
        Part::Lanes(lanes) => !inner || lanes.iter().all(|s| is_vector(s, i, bound)),
        Part::Loop(_, count, inside) => {
            !bound.keys().chain([&i]).any(|v| count.mentions(*v)) && inside.iter().all(|p| pays(p, i, bound, true))
        }
    }
}

/// Whether a statement is one on vectors, along `i`.
fn is_vector(s: &Stmt, i: VarId, bound: &BTreeMap<VarId, Scalar>) -> bool {
    let written = match s {
        Stmt::Assign(Place::Element(a), _) => stride(a, i, bound) == Some(1),
        Stmt::Let(..) | Stmt::Var(..) | Stmt::Assign(Place::Var(_), _) => true,
        _ => false,
    };
    written && s.exprs().iter().all(|e| is_vector_expr(e, i, bound))
}

fn is_vector_expr(e: &Expr, i: VarId, bound: &BTreeMap<VarId, Scalar>) -> bool {
    let itself = match e {
        Expr::Load(a) => matches!(stride(a, i, bound), Some(0 | 1)),
        Expr::Prim(p, ..) => is_instruction(*p),
        // An address is not computed unless its element is needed.
        Expr::If(es) => es[1..].iter().all(|e| !e.loads()),
        Expr::Size(c, _) => !c.mentions(i),
        Expr::Var(v) => *v != i,
        Expr::App(..) => false,
        Expr::Lit(_) | Expr::Const(_) => true,
    };
    itself && e.operands().iter().all(|e| is_vector_expr(e, i, bound))
}

/// Whether there is an instruction for vectors.
fn is_instruction(p: Prim) -> bool {
    match p {
        Prim::Add | Prim::Sub | Prim::Mul | Prim::Div | Prim::Neg | Prim::Not | Prim::Abs | Prim::Min | Prim::Max => {
            true
        }
        Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge | Prim::Eq | Prim::Ne | Prim::And | Prim::Or => true,
        Prim::BitAnd | Prim::BitOr | Prim::BitXor | Prim::WrappingAdd | Prim::WrappingSub | Prim::WrappingMul => true,
        p => p == Prim::Sqrt,
    }
}

/// The distance of an access from the one of the next iteration, if it is the same for all.
fn stride(a: &Access, i: VarId, bound: &BTreeMap<VarId, Scalar>) -> Option<i128> {
    let (slope, rest) = a.offset.linear_in(i)?;
    if bound.keys().any(|v| rest.mentions(*v)) { None } else { slope.constant() }
}

/// The variables that occur in several parts; `None` if there are too many, or if an address depends on one.
fn crossing(parts: &[Part], bound: &BTreeMap<VarId, Scalar>) -> Option<BTreeSet<VarId>> {
    let mut seen: BTreeMap<VarId, usize> = BTreeMap::new();
    count(parts, bound, &mut seen);
    let crossing: BTreeSet<VarId> = seen.into_iter().filter(|(_, n)| *n > 1).map(|(v, _)| v).collect();
    let mut plain = true;
    each_lane(parts, &mut |s| plain &= !crossing.iter().any(|v| s.addresses(*v)));
    (plain && crossing.len() <= SLOTS).then_some(crossing)
}

/// In how many parts each variable occurs.
fn count(parts: &[Part], bound: &BTreeMap<VarId, Scalar>, seen: &mut BTreeMap<VarId, usize>) {
    for p in parts {
        match p {
            Part::Lanes(lanes) => {
                for v in bound.keys().filter(|v| lanes.iter().any(|s| s.binds(**v) || s.mentions(**v))) {
                    *seen.entry(*v).or_insert(0) += 1;
                }
            }
            Part::Loop(_, _, inside) => count(inside, bound, seen),
        }
    }
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
                let lane = self.f.names.fresh("lane");
                let local = |v: &VarId| !self.slots.contains_key(v) && lanes.iter().any(|s| s.binds(*v));
                let mut body: Block =
                    self.declared.iter().filter(|(v, _)| local(v)).map(|(v, s)| Stmt::Var(*v, *s)).collect();
                body.extend(self.stmts(lanes, lane)?);
                For { index: lane, count: self.width.clone(), order: Order::Any, body }
            }
        }))
    }

    fn stmts(&self, b: &[Stmt], lane: VarId) -> Option<Block> {
        b.iter().map(|s| self.stmt(s, lane)).collect()
    }

    fn stmt(&self, s: &Stmt, lane: VarId) -> Option<Stmt> {
        Some(match s {
            Stmt::Let(x, s, e) => match self.slot(*x, lane) {
                Some(place) => Stmt::Assign(place, self.expr(e, lane)?),
                None => Stmt::Let(*x, *s, self.expr(e, lane)?),
            },
            Stmt::Assign(Place::Var(x), e) => {
                Stmt::Assign(self.slot(*x, lane).unwrap_or(Place::Var(*x)), self.expr(e, lane)?)
            }
            Stmt::Assign(Place::Element(a), e) => {
                Stmt::Assign(Place::Element(self.access(a, lane)?), self.expr(e, lane)?)
            }
            Stmt::If(c, a, b) => Stmt::If(self.expr(c, lane)?, self.stmts(a, lane)?, self.stmts(b, lane)?),
            s => s.clone(),
        })
    }

    fn slot(&self, x: VarId, lane: VarId) -> Option<Place> {
        Some(Place::Element(Access { buffer: *self.slots.get(&x)?, offset: Card::var(lane) }))
    }

    fn access(&self, a: &Access, lane: VarId) -> Option<Access> {
        Some(Access { buffer: a.buffer, offset: self.card(&a.offset, lane)? })
    }

    fn card(&self, c: &Card, lane: VarId) -> Option<Card> {
        let c = c.replace(self.index, &self.begin.add(&Card::var(lane)));
        (!c.is_untracked()).then_some(c)
    }

    fn expr(&self, e: &Expr, lane: VarId) -> Option<Expr> {
        let all = |es: &[Expr]| es.iter().map(|e| self.expr(e, lane)).collect::<Option<Vec<_>>>();
        Some(match e {
            Expr::Var(x) if *x == self.index => Expr::Size(self.card(&Card::var(*x), lane)?, Origin::default()),
            Expr::Var(x) => match self.slot(*x, lane) {
                Some(Place::Element(a)) => Expr::Load(a),
                _ => e.clone(),
            },
            Expr::Size(c, origin) => Expr::Size(self.card(c, lane)?, *origin),
            Expr::Load(a) => Expr::Load(self.access(a, lane)?),
            Expr::Prim(p, es, origin) => Expr::Prim(*p, all(es)?, *origin),
            Expr::App(f, es, s) => Expr::App(*f, all(es)?, *s),
            Expr::If(es) => Expr::If(Box::new(all(&es[..])?.try_into().ok()?)),
            Expr::Lit(_) | Expr::Const(_) => e.clone(),
        })
    }
}
