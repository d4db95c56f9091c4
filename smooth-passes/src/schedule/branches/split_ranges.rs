//! Index-set splitting: the range of a loop is split where a comparison with its index changes, so that the inside has
//! no tests.
//!
//! ```text
//! for i < n { s̄ }
//!   ⟶  if c₁ ≤ c₂ ≤ … ≤ n
//!        for i₀ < c₁ { s̄[i₀] }; for i₁ < c₂ - c₁ { s̄[c₁ + i₁] }; …; for iₖ < n - cₖ { s̄[cₖ + iₖ] }
//!      else for i < n { s̄ }
//! ```
//!
//! The index has narrower bounds in each part. They decide `i == c`, `i < c`, `max(i, c)`, `(i + 1) % n`, and checks of
//! `i - 1` and `i + 1` (`decide.rs`). A part of one iteration needs no loop. Order is kept, so it makes no difference
//! whether iterations are independent. The original loop is for sizes with fewer elements than cuts, and is left out if
//! sizes are static.
//!
//! Pays: in innermost loops, if a test keeps LLVM from making vectors. Costs: code, three times the body for each index
//! that is split, within [`BUDGET`]. The border parts of an outer index are split further only if the body is small. A
//! sequential loop inside an independent one is left to `block.rs`, and a loop that carries a number is not vectorised
//! anyway.
//!
//! There are at most three parts an axis: several cuts near one end are one, and the few iterations there keep their
//! tests. The parts are exact integers, so there is one test before the outermost loop, such as `2 ≤ n && 2 ≤ m`. A
//! test whose operands might overflow is not made, and then the loop is not split. Counts of a loop that may end
//! early and orders of reductions are left alone. The gain is vector code, and not the tests: LLVM cannot prove that
//! a selected address is adjacent to the next one.

use crate::loops::{Block, Expr, For, Function, Left, Order, Reason, Remark, Stmt};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::pass::{PassId, Switches};
use crate::prim::Prim;
use crate::schedule::facts::carried::hands_on;
use crate::schedule::facts::decide::{Decide, has_loop, spliced};
use crate::schedule::facts::splits::{Outermost, Progress};
use crate::schedule::rewrite::copy::copied;
use crate::schedule::rewrite::replaced::in_body;
use crate::shape::card::{Atom, Card, Op};
use crate::shape::condition::Known;
use crate::span::Origin;
use crate::ty::Scalar;

/// The maximum number of nodes that all copies in one kernel have together.
const BUDGET: usize = 6000;

/// The maximum number of nodes of a body that is also split inside the border part of an outer index.
const SMALL: usize = 120;

/// Splits all loops for which it pays.
pub(crate) fn split_ranges(f: &mut Function, _: &Switches) -> bool {
    in_body(f, |b, f| {
        let mut cx = Decide::new(f);
        (cx.borders, cx.each_loop) = (Some(Progress::default()), inside);
        each(&mut cx, b)
    })
}

/// Walks the statements outside of loops that are split, which are not simplified.
fn each(cx: &mut Decide<'_>, b: &mut Block) -> bool {
    let mut changed = false;
    for mut s in std::mem::take(b) {
        cx.note(&s);
        if let Stmt::Let(x, Scalar::Usize, e) = &s {
            cx.name(*x, e);
        }
        if let Stmt::For(l) = &mut s {
            if let Some(new) = cut(cx, l) {
                b.push_all(new);
                changed = true;
                continue;
            }
            let For { index, count, order, body } = l;
            let count = cx.card(count);
            enter(cx, *order, |cx| cx.each_time(*index, &count, |cx| changed |= each(cx, body)));
        } else {
            s.blocks_mut().into_iter().for_each(|b| changed |= each(cx, b));
        }
        b.push(s);
    }
    changed
}

/// Whether an operation on indices is decided by their bounds.
pub(crate) fn compares(p: Prim) -> bool {
    matches!(p, Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge | Prim::Eq | Prim::Ne | Prim::Min | Prim::Max | Prim::Clamp)
        || matches!(p, Prim::SaturatingSub | Prim::Rem)
}

/// A loop inside one that is split.
fn inside(cx: &mut Decide<'_>, l: For, out: &mut Block) {
    if cx.borders.is_some() {
        if let Some(new) = cut(cx, &l) {
            out.push_all(new);
            return;
        }
        enter(cx, l.order, |cx| cx.plain_loop(l, out));
    } else {
        cx.plain_loop(l, out);
    }
}

fn enter(cx: &mut Decide<'_>, order: Order, f: impl FnOnce(&mut Decide<'_>)) {
    let more = usize::from(order == Order::Any);
    if let Some(p) = &mut cx.borders {
        p.independent += more;
    }
    f(cx);
    if let Some(p) = &mut cx.borders {
        p.independent -= more;
    }
}

fn remark(cx: &mut Decide<'_>, l: &For, left: Left) {
    cx.f.schedule.remarks.push(Remark { pass: PassId::SplitRanges, about: l.index, left });
}

fn left(cx: &mut Decide<'_>, l: &For, reason: Reason) -> Option<Block> {
    remark(cx, l, Some(reason));
    None
}

/// The parts of a loop; `None` if it is not split.
fn cut(cx: &mut Decide<'_>, l: &For) -> Option<Block> {
    let mut progress = cx.borders.clone()?;
    let size: usize = l.body.iter().map(nodes).sum();
    let sequential = l.order == Order::Sequential && (progress.independent > 0 || hands_on(&l.body));
    let deep = progress.borders > 1 || (progress.borders > 0 && size > SMALL);
    if sequential || deep || l.body.iter().any(Stmt::may_end_loop) || !cx.is_fixed(&l.count) {
        return None;
    }
    let cuts = cx.cuts(l);
    let most = (cuts.len() + 1) * size;
    if cuts.is_empty() {
        return None;
    }
    if progress.copied + most > BUDGET {
        return left(cx, l, Reason::Large);
    }
    let ends: Vec<Card> = [Card::default()].into_iter().chain(cuts).chain([cx.card(&l.count)]).collect_vec();
    let names = progress.outermost.as_ref().map_or(cx.f.names.count(), |o| o.names);
    let mut tests = vec![];
    for pair in ends.windows(2) {
        let length = pair[1].sub(&pair[0]);
        if !cx.facts.at_least_zero(&length) {
            // A test of the indices of surrounding loops would run in each iteration.
            let known = |a: &Atom| !matches!(a, Atom::Var(x) if x.0 as usize >= names || cx.is_index(*x));
            if !length.atoms().into_iter().all(known) {
                return left(cx, l, Reason::Unknown);
            }
            test(&length)?;
            tests.push(length);
        }
    }
    remark(cx, l, None);
    progress.copied += most;
    let inner = progress.outermost.is_some();
    let around = progress.outermost.get_or_insert(Outermost { names, tests: vec![] });
    around.add(&tests);
    if inner {
        cx.borders = Some(progress);
        return Some(parts(cx, l, &ends, &tests));
    }
    // The assumptions of inner loops decide conditions outside of them too, so they are collected first.
    let mut relied = tests;
    if has_loop(&l.body) {
        cx.borders = Some(Progress { looking: true, ..progress.clone() });
        parts(cx, l, &ends, &relied);
        relied = cx.borders.as_mut()?.outermost.take()?.tests;
    }
    cx.borders = Some(progress);
    let all = parts(cx, l, &ends, &relied);
    let mut around = cx.borders.as_mut()?.outermost.take()?;
    around.add(&relied);
    let relied = around.tests;
    let tests = relied.iter().filter_map(test).reduce(both);
    Some(match tests {
        None => spliced(all),
        Some(tests) => vec![Stmt::If(tests, all, vec![Stmt::For(l.clone())])],
    })
}

/// The parts between these ends, given that these sizes are not negative.
fn parts(cx: &mut Decide<'_>, l: &For, ends: &[Card], known: &[Card]) -> Block {
    let outside = cx.facts.enter(&Known::not_negative(known.iter().cloned()));
    let mut all = Block::new();
    for (k, pair) in ends.windows(2).enumerate() {
        let at_an_end = k == 0 || k + 2 == ends.len();
        let is_border = at_an_end && pair[1].sub(&pair[0]).constant().is_some();
        if is_border && cx.borders.as_ref().is_some_and(|p| p.looking) {
            continue;
        }
        all.push_all(part(cx, l, (&pair[0], &pair[1]), is_border));
    }
    cx.facts.leave(outside);
    all
}

/// The iterations of a loop from one index up to another.
fn part(cx: &mut Decide<'_>, l: &For, (from, to): (&Card, &Card), is_border: bool) -> Block {
    let count = to.sub(from);
    if count.constant() == Some(0) {
        return vec![];
    }
    let copy = copied(cx.f, &[Stmt::For(l.clone())]).pop();
    let Some(Stmt::For(For { index, order, body, .. })) = copy else { unreachable!("the copy of a loop is a loop") };
    if let Some(p) = &mut cx.borders {
        p.borders += usize::from(is_border);
    }
    let step = if from.constant() == Some(0) { index } else { cx.f.names.again(index) };
    let single = count.constant() == Some(1);
    let at = if single { from.clone() } else { from.add(&Card::var(step)) };
    let known = Known::not_negative([cx.card(&l.count).sub(&Card::lit(1)).sub(&at)]);
    let mut new = body;
    let recording = std::mem::replace(&mut cx.recording, !has_loop(&new));
    let mut decided = |cx: &mut Decide<'_>| new = cx.under(&known, std::mem::take(&mut new));
    if step != index || single {
        cx.define(index, at.clone());
    }
    if single {
        decided(cx);
    } else {
        enter(cx, order, |cx| cx.each_time(step, &count, decided));
    }
    cx.recording = recording;
    if let Some(p) = &mut cx.borders {
        p.borders -= usize::from(is_border);
    }
    if step != index || single {
        let value = Expr::Size(from.clone(), Origin::default());
        let value = if single { value } else { Expr::Prim(Prim::Add, vec![value, Expr::Var(step)], Origin::default()) };
        new.insert(0, Stmt::Let(index, Scalar::Usize, value));
    }
    crate::schedule::rewrite::unused::drop_unused(cx.f, &mut new);
    if single { spliced(new) } else { vec![Stmt::For(For { index: step, count, order, body: new })] }
}

fn nodes(s: &Stmt) -> usize {
    fn in_expr(e: &Expr) -> usize {
        1 + e.operands().iter().map(in_expr).sum::<usize>()
    }
    let mut all = 0;
    s.walk(&mut |s| all += 1 + s.exprs().into_iter().map(in_expr).sum::<usize>());
    all
}

fn both(a: Expr, b: Expr) -> Expr {
    Expr::Prim(Prim::And, vec![a, b], Origin::default())
}

/// Whether a number is a size, or a part of one.
fn is_plain(a: &Atom) -> bool {
    match a {
        Atom::Var(_) | Atom::Len(..) => true,
        Atom::Op(Op::Div | Op::Rem, a, b) => a.as_atom().is_some_and(is_plain) && b.constant().is_some_and(|n| n > 0),
        _ => false,
    }
}

/// A condition that holds only if a size is not negative, and never panics; `None` if there is no simple one.
///
/// ```text
/// x - k         k ≤ x                x - f·y + k   y ≤ (x + k) / f
/// x - f·y - k   k ≤ x && y ≤ (x - k) / f
/// ```
fn test(c: &Card) -> Option<Expr> {
    let k = c.terms().find(|(_, powers)| powers.is_empty()).map_or(0, |(k, _)| k);
    let (mut more, mut less): (Vec<&Atom>, Vec<(&Atom, i128)>) = (vec![], vec![]);
    for (factor, powers) in c.terms().filter(|(_, powers)| !powers.is_empty()) {
        let [(a, 1)] = powers else { return None };
        if !is_plain(a) {
            return None;
        }
        match factor {
            1 => more.push(a),
            f if f < 0 => less.push((a, -f)),
            _ => return None,
        }
    }
    let prim = |op, a, b| Expr::Prim(op, vec![a, b], Origin::default());
    let size = |c: Card| Expr::Size(c, Origin::default());
    let at_most = |a: Expr, b: Expr| prim(Prim::Le, a, b);
    let atom = |a: &Atom| Card::atom(a.clone());
    let part = |e: Expr, f: i128| if f == 1 { e } else { prim(Prim::Div, e, size(Card::lit(f))) };
    match (more.as_slice(), less.as_slice()) {
        ([x], []) => Some(at_most(size(Card::lit(-k)), size(atom(x)))),
        ([x], [(y, f)]) if k >= 0 => {
            let more = if *f == 1 { atom(x) } else { atom(x).add(&Card::lit(k)) };
            Some(at_most(size(atom(y)), part(size(more), *f)))
        }
        ([x], [(y, f)]) => {
            let less = part(size(atom(x).add(&Card::lit(k))), *f);
            Some(both(at_most(size(Card::lit(-k)), size(atom(x))), at_most(size(atom(y)), less)))
        }
        _ => None,
    }
}

impl Decide<'_> {
    fn is_index(&self, x: VarId) -> bool {
        self.facts.loops().iter().any(|(i, _)| *i == x)
    }
}
