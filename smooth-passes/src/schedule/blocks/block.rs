//! Strip-mine and interchange: blocks of an independent loop around sequential ones, whose index becomes the innermost
//! one.
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
//!
//! total ← sum (i < n) { s̄; e }
//!   ⟶  for g < ⌈n / B⌉ { …; for l < w any { x̄[l] ← e }; for q < w / 16 { for k < 16 any { lanes[k] ← lanes[k] + x̄[16·q + k] } } }
//! ```
//!
//! LLVM vectorises the innermost loop, and only if its iterations are independent: a sum in source order, a fold, a
//! recurrence are not, but several of them interleaved are, and so are several sums in lanes that read across rows. No sum is
//! reordered: lanes are loops
//! ([`crate::schedule::rewrite::terms`]). Statements that do not vary between the iterations, checks among them, run
//! once for the block.
//!
//! Needs: inner loops with a count that does not depend on `i`, without an early end, and no call of a kernel.
//! Temporaries are privatised for each iteration, and rows that are read several times are packed as columns
//! ([`crate::schedule::rewrite::side`]). Pays: if there is a fold, a sum across rows or a loop through a column inside, if the
//! accesses of the inner loops are adjacent along `i` or do not depend on it, and if all operations are vector instructions or
//! elementary functions. Costs: `B` elements of a local array for each variable that lives in several parts.
//!
//! Measured (medians of several alternating runs, default flags): 300 sums over columns of 2000 are 5 times faster,
//! 50 steps of a recurrence for 10 000 starting values 5 times; 78 columns of 128 rows, each divided by a root of its own, 3 times,
//! and 1500 columns of 1500 rows 8 times; fewer than four columns stay as they are. A block has up to 512 iterations, and its
//! arrays 8 KiB, or 16 KiB with lanes of sums and copies of rows. A check that is the same in all iterations is made once
//! (`schedule/facts/uniform.rs`).

use crate::loops::{Access, Block, BufferId, Expr, For, Function, Left, Memory, Order, Place, Reason, Reduce, Stmt};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::pass::{PassId, Switches};
use crate::prim::Prim;
use crate::reduction::LANES;
use crate::schedule::facts::decide::has_loop;
use crate::schedule::facts::parts::{Part, binders, crossing, declared, is_instructions, parts_of};
use crate::schedule::facts::uniform::{Varying, indices};
use crate::schedule::rewrite::copy::copied;
use crate::schedule::rewrite::lane::{At, Places, in_slot, lane, slot};
use crate::schedule::rewrite::remainder::compared;
use crate::schedule::rewrite::replaced::{in_body, replaced};
use crate::schedule::rewrite::side::{Body, Placed, Side, count_uses};
use crate::schedule::rewrite::terms::{Totals, in_loops, summed};
use crate::schedule::rewrite::trial::attempt;
use crate::shape::bytes::Bytes;
use crate::shape::card::{Atom, Card, Op};
use crate::sorted::{Map, Set};
use crate::span::Origin;
use crate::ty::Scalar;

/// The maximum number of variables that live in several parts of one loop.
const SLOTS: usize = 16;

/// The number of iterations from which on a loop of known length has blocks.
const SHORT: i128 = 16;

/// Blocks all loops for which it pays.
pub(crate) fn block(f: &mut Function, _: &Switches) -> bool {
    in_body(f, block_loops)
}

/// Blocks the loops of a function's body.
pub(crate) fn block_loops(b: &mut Block, f: &mut Function) -> bool {
    let mut everywhere = Map::new();
    count_uses(b, &mut everywhere);
    let mut short = Set::new();
    b.iter().for_each(|s| {
        s.walk(&mut |s| match s {
            Stmt::Let(x, Scalar::Usize, Expr::Size(c, _)) if is_short(c) => drop(short.insert(*x)),
            _ => {}
        });
    });
    replaced(b, f, PassId::Block, &|s, f| {
        let (index, count, body, reduce) = match s {
            Stmt::For(For { index, count, order: Order::Any, body }) => (*index, count, body, None),
            Stmt::Reduce(r) => (r.index, &r.count, &r.body, Some(r)),
            _ => return Err(None),
        };
        if !has_fold(body, 0) && !has_loop_across(body, index) {
            return Err(None);
        }
        let is_named = |c: &Card| matches!(c.as_atom(), Some(Atom::Var(x)) if short.contains(x));
        if count.constant().is_some_and(|n| n < SHORT) || is_named(count) {
            return Err(Some(Reason::Few));
        }
        // Of two independent loops around one fold, the remark is about the inner one.
        let inner = |left: Left| left.filter(|_| !around_another(body));
        attempt(f, |f| blocked(s, f, (index, count, body, reduce), &everywhere)).map_err(inner)
    })
}

/// Whether a size is less than that of a block that pays: a remainder by a small number, such as what tiles leave.
fn is_short(c: &Card) -> bool {
    let less = |n: &Card, by: i128| n.constant().is_some_and(|n| n <= by * SHORT);
    match c.as_atom() {
        Some(Atom::Op(Op::Rem, _, n)) => less(n, 1),
        Some(Atom::Op(Op::Div, a, by)) => {
            matches!((a.as_atom(), by.constant()), (Some(Atom::Op(Op::Rem, _, n)), Some(by)) if less(n, by))
        }
        _ => false,
    }
}

/// Whether there is a sequential loop in a body that may have more than `few` iterations.
fn has_fold(b: &Block, few: i128) -> bool {
    let long = |c: &Card| c.constant().is_none_or(|n| n > few);
    let is_fold = |s: &Stmt| matches!(s, Stmt::For(For { order: Order::Sequential, count, .. }) if long(count));
    b.iter().any(|s| s.any(&is_fold))
}

/// Whether there is an innermost loop in a body that goes along the index of the loop around, and not along its own: a sum in
/// lanes across rows, or an independent loop through columns.
fn has_loop_across(b: &Block, index: VarId) -> bool {
    let slope = |a: &Access, i: VarId| a.offset.linear_in(i).map(|(slope, _)| slope);
    let is_beside = |c: Option<Card>| matches!(c.and_then(|c| c.constant()), Some(0 | 1));
    let is_across = |s: &Stmt| {
        let (own, body, columns) = match s {
            Stmt::For(For { index, order: Order::Any, body, .. }) => (*index, body, true),
            Stmt::Reduce(r) => (r.index, &r.body, false),
            _ => return false,
        };
        // The lanes of a sum of sums would not fit in registers, and the version for few terms is better.
        if has_loop(body) {
            return false;
        }
        let (mut far, mut adjacent) = (false, true);
        s.each_access(&mut |a| {
            far |= slope(a, own).is_some_and(|c| c.constant().is_none_or(|n| columns && n > 1));
            adjacent &= is_beside(slope(a, index));
        });
        far && adjacent
    };
    b.iter().any(is_across)
}

/// Whether there is an independent loop around a sequential one in a body.
fn around_another(b: &Block) -> bool {
    let is_around = |s: &Stmt| matches!(s, Stmt::For(For { order: Order::Any, body, .. }) if has_fold(body, 0));
    b.iter().any(|s| s.any(&is_around))
}

type Loop<'s> = (VarId, &'s Card, &'s Block, Option<&'s Reduce>);

fn blocked(
    s: &Stmt,
    f: &mut Function,
    (index, count, body, reduce): Loop<'_>,
    everywhere: &Map<BufferId, usize>,
) -> Result<Block, Left> {
    let target = &f.schedule.target.blocks;
    let mut opened = vec![];
    let mut body = in_loops(f, body, &mut opened).ok_or(None)?;
    let totals = match reduce {
        Some(r) => Some(Totals::of(f, r).ok_or(None)?),
        None => None,
    };
    // A term is a variable that lives beyond the parts.
    let terms: Vec<(VarId, Scalar)> = reduce.map_or(vec![], |r| r.elems.iter().mapped(|s| (f.names.fresh("term"), *s)));
    if let Some(r) = reduce {
        body.push_all(terms.iter().zip(&r.terms).map(|((x, s), e)| Stmt::Let(*x, *s, e.clone())));
    }
    let mut varying = Varying::of(index, &body);
    varying.numbers.extend(terms.iter().map(|(x, _)| *x));
    let mut bound = Map::new();
    body.iter().for_each(|s| binders(s, &mut bound));
    let mut names: Set<VarId> = bound.keys().copied().collect();
    indices(&body, &mut names);
    let mut targets = Set::new();
    body.iter().for_each(|s| s.targets(&mut targets));
    if !targets.is_subset(&names) {
        return Err(Some(Reason::Writes));
    }
    let row = f.names.fresh("row");
    let around = Body {
        index,
        count,
        around: s,
        statements: &body,
        opened: &opened,
        bound: &names,
        varying: &varying,
        row,
        everywhere,
    };
    let side = Side::of(f, &around).ok_or(Some(Reason::Writes))?;
    let parts = parts_of(&body, Order::Any, &|s| varying.is_once(s))?;
    let look = Look { index, varying: &varying, side: &side };
    let lengths = side.lengths(f);
    let own = side.elements(f);
    let beside = own > 0 || !lengths.is_empty();
    let folds = totals.is_some() || has_fold(around.statements, 0);
    parts.iter().try_for_each(|p| look.pays(p, false)).map_err(Some)?;
    if !parts.iter().any(|p| matches!(p, Part::Loop(..))) || (beside && !has_fold(around.statements, target.unrolled)) {
        return Err(None);
    }
    bound.retain(|x, _| varying.numbers.contains(x));
    let large = Some(Reason::Large);
    let mut slots = crossing(&parts, &bound).ok_or(large)?;
    slots.extend(terms.iter().map(|(x, _)| *x));
    if slots.len() > SLOTS {
        return Err(large);
    }
    let each = slots.len() as i128 + own;
    let most = if lengths.is_empty() { target.longest } else { target.short };
    let elements = if beside { target.beside } else { target.elements };
    let length = largest_power(most.min(elements / each.max(1)));
    if length < target.shortest {
        return Err(large);
    }
    let (g, w) = (f.names.fresh("block"), f.names.fresh("width"));
    let fixed = count.constant().filter(|n| *n <= length && totals.is_none());
    let (begin, width) = match fixed {
        Some(_) => (Card::lit(0), count.clone()),
        _ => (Card::var(g).mul(&Card::lit(length)), Card::var(w)),
    };
    let slots: Map<VarId, BufferId> = slots.into_iter().map(|x| (x, slot(f, x, bound[&x], length))).collect();
    let results: Vec<BufferId> = terms.iter().mapped(|(x, _)| slots[x]);
    let side = side.placed(f, length);
    let frame = side.buffers().filter(|b| f.buffer(*b).memory == Memory::Frame);
    let frame = frame.map(|b| Bytes::array(f.buffer(b).elem, f.buffer(b).len.clone()));
    f.schedule.block = frame.fold(Bytes::zero(), |all, b| all.and(&b)).or(&f.schedule.block);
    let mut cx = Blocking { f, index, begin: begin.clone(), width: width.clone(), slots, side, declared: vec![] };
    declared(&body, &mut cx.declared);
    let mut inside = cx.side.copies(cx.f, &begin, &width);
    inside.push_all(cx.all(&parts).ok_or(large)?);
    let open: Vec<BufferId> =
        cx.slots.values().copied().filter(|b| !results.contains(b)).chain(cx.side.buffers()).collect_vec();
    if !open.is_empty() {
        inside.insert(0, Stmt::Open(open));
    }
    let all = if fixed.is_some() {
        vec![Stmt::Block(inside)]
    } else {
        let rest = Card::op(Op::Min, &Card::lit(length), &count.sub(&begin));
        inside.insert(0, Stmt::Let(w, Scalar::Usize, Expr::Size(rest, Origin::default())));
        let groups = Card::op(Op::Div, &count.add(&Card::lit(length - 1)), &Card::lit(length));
        match &totals {
            None => vec![Stmt::For(For { index: g, count: groups, order: Order::Any, body: inside })],
            Some(t) => {
                let groups = For { index: g, count: groups, order: Order::Sequential, body: inside };
                summed(f, t, &results, groups, (count, w, length)).ok_or(large)?
            }
        }
    };
    let mut out = totals.as_ref().map_or(vec![], Totals::declare);
    let least = if lengths.is_empty() { target.columns } else { target.shortest };
    if lengths.is_empty() && (folds || count.constant().is_some()) {
        out.push_all(if totals.is_some() { vec![Stmt::Block(all)] } else { all });
        return Ok(out);
    }
    let enough = compared(Prim::Ge, count, least);
    let fits = lengths.iter().fold(enough, |all, c| {
        Expr::Prim(Prim::And, vec![all, compared(Prim::Le, c, target.private)], Origin::default())
    });
    out.push(Stmt::If(fits, all, as_before(f, s)));
    Ok(out)
}

/// A copy of the original loop, for sizes that the blocks do not support.
fn as_before(f: &mut Function, s: &Stmt) -> Block {
    let mut copy = copied(f, std::slice::from_ref(s));
    if let (Stmt::Reduce(r), Some(Stmt::Reduce(new))) = (s, copy.first()) {
        let totals = r.totals.iter().zip(&new.totals);
        let results: Block = totals.mapped(|(x, y)| Stmt::Assign(Place::Var(*x), Expr::Var(*y)));
        copy.push_all(results);
    }
    copy
}

/// The largest power of two that is at most `n`.
fn largest_power(n: i128) -> i128 {
    if n < 1 { 0 } else { 1 << n.ilog2() }
}

/// The loop and its privatised memory, for the decision whether a block pays.
struct Look<'s> {
    index: VarId,
    varying: &'s Varying,
    side: &'s Side,
}

impl Look<'_> {
    /// The reason why vectors do not pay in a part. `inner`: the part is in a sequential loop, or in a long one.
    fn pays(&self, p: &Part, inner: bool) -> Result<(), Reason> {
        match p {
            Part::Lanes(lanes) if inner => lanes.iter().try_for_each(|s| self.is_vector(s)),
            Part::Once(_) | Part::Lanes(_) => Ok(()),
            Part::Sum(_) => Err(Reason::InLanes),
            Part::Loop(_, count, ..) if self.varying.depends(count) => Err(Reason::Lengths),
            Part::Loop(_, count, order, inside) => {
                let few = *order == Order::Any && count.constant().is_some_and(|n| n <= LANES as i128);
                inside.iter().try_for_each(|p| self.pays(p, inner || !few))
            }
        }
    }

    /// The reason why a statement is not made of vector instructions along the index.
    fn is_vector(&self, s: &Stmt) -> Result<(), Reason> {
        // Both arms of a branch become values to choose from, unless one of them needs memory.
        let chosen = |s: &Stmt| match s {
            Stmt::Let(_, _, e) | Stmt::Assign(Place::Var(_), e) if !e.loads() => self.is_vector_expr(e),
            Stmt::Var(..) => Ok(()),
            _ => Err(Reason::Branch),
        };
        match s {
            Stmt::Assign(Place::Element(a), _) if !self.side.moves(a) && self.stride(a) != Some(1) => {
                return Err(Reason::Distance(a.buffer, self.index));
            }
            Stmt::Let(..) | Stmt::Var(..) | Stmt::Assign(..) => {}
            Stmt::If(_, a, b) => a.iter().chain(b).try_for_each(chosen)?,
            _ => return Err(Reason::Branch),
        }
        s.exprs().into_iter().try_for_each(|e| self.is_vector_expr(e))
    }

    fn is_vector_expr(&self, e: &Expr) -> Result<(), Reason> {
        match e {
            Expr::Load(a) if !self.side.moves(a) && !matches!(self.stride(a), Some(0 | 1)) => {
                return Err(Reason::Distance(a.buffer, self.index));
            }
            Expr::Prim(p, es, _) if !is_instructions(*p, es) => return Err(Reason::Operation(*p)),
            // An address is not computed unless its element is needed.
            Expr::If(es) if es[1..].iter().any(Expr::loads) => return Err(Reason::Branch),
            Expr::Size(c, _) if c.mentions(self.index) => return Err(Reason::Counts(self.index)),
            Expr::Var(v) if *v == self.index => return Err(Reason::Counts(self.index)),
            Expr::App(..) => return Err(Reason::Calls),
            _ => {}
        }
        e.operands().iter().try_for_each(|e| self.is_vector_expr(e))
    }

    /// The distance between the elements that two successive iterations access, if it is constant.
    fn stride(&self, a: &Access) -> Option<i128> {
        let (slope, rest) = a.offset.linear_in(self.index)?;
        if self.varying.depends(&rest) { None } else { slope.constant() }
    }
}

struct Blocking<'f> {
    f: &'f mut Function,
    index: VarId,
    begin: Card,
    width: Card,
    slots: Map<VarId, BufferId>,
    side: Placed,
    /// The declarations that [`parts_of`] leaves out.
    declared: Vec<(VarId, Scalar)>,
}

impl Blocking<'_> {
    fn all(&mut self, parts: &[Part]) -> Option<Block> {
        parts.iter().map(|p| self.part(p)).collect()
    }

    fn part(&mut self, p: &Part) -> Option<Stmt> {
        Some(Stmt::For(match p {
            Part::Sum(_) => return None,
            Part::Once(s) => return Some((**s).clone()),
            Part::Loop(index, count, order, inside) => {
                let body = self.all(inside)?;
                For { index: *index, count: count.clone(), order: *order, body }
            }
            Part::Lanes(lanes) => {
                let index = self.f.names.fresh("lane");
                let at = Card::var(index);
                let lanes = self.side.moved(lanes, self.index, &at);
                let mut numbers: Places = self.slots.iter().map(|(x, b)| (*x, in_slot(*b, &at))).collect();
                numbers.insert(self.index, At::Size(self.begin.add(&at)));
                let body = lane(self.f, &lanes, &self.declared, &numbers)?;
                For { index, count: self.width.clone(), order: Order::Any, body }
            }
        }))
    }
}
