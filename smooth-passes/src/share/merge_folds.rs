//! Independent loops over one range become one loop.
//!
//! ```text
//! let x = ifold n (λs i. e₁) a₁ in … let y = ifold n (λt j. e₂) a₂ in …
//!     ⟶   let z = ifold n (λu i. (e₁[u.0/s], e₂[u.1/t, i/j])) (a₁, a₂) in … z.0 … z.1 …
//! let x = sum n (λi. e₁) in … let y = sum n (λj. e₂) in …
//!     ⟶   let z = sum n (λi. (e₁, e₂[i/j])) in … z.0 … z.1 …
//! let x = build n (λi. e₁) in … let y = build n (λj. e₂) in …
//!     ⟶   let z = build n (λi. (e₁, e₂[i/j])) in … z.0 … z.1 …
//! ```
//!
//! and likewise for two products, minima or maxima, if neither needs the other, both are evaluated whenever the term
//! around them is, and `e₂` needs nothing between them that calls a function from outside. The terms that the second
//! needs move before the first. Both arrays are live then, which takes more memory if the first one was dead before the
//! second one was built.
//!
//! Needs: value numbers, for equal counts. Keeps: each component's iterations and the order of its additions.
//!
//! When it gains, measured on x86-64 with SSE2, two or three at once against one by one, at 100, 1000 and a
//! million elements (time together / time apart):
//!
//! | | 100 | 1000 | 10⁶ |
//! |---|---|---|---|
//! | folds: a chain of a product and a sum | 0.50 | 0.50 | 0.49 |
//! | folds: largest and least | 0.76 | 0.67 | 0.66 |
//! | sums in source order that share nothing | 0.86 | 0.53 | 0.75 |
//! | sums in lanes that share nothing | 1.17 | 1.37 | 1.04 |
//! | sums in lanes that share their arrays | 1.33 | 1.92 | 1.74 |
//! | sums in lanes that share a root | 0.96 | 0.99 | 1.01 |
//! | sums in lanes that share an exponential | 0.50 | 0.50 | 0.50 |
//! | sums in lanes of a sine and a cosine of one angle | 0.60 | 0.61 | 0.62 |
//! | arrays that share a root | 0.68 | 0.68 | 0.68 |
//! | arrays that share a quotient of 11 additions | 0.50 | 0.54 | 0.65 |
//! | arrays of a sine and a cosine of one angle | 0.62 | 0.63 | 0.61 |
//! | arrays whose elements are these sums in lanes | 0.73 | 0.74 | – |
//! | arrays that share only loads | 0.98 | 1.00 | 0.64 |
//!
//! An iteration of a fold or of a sum in source order waits for the one before, and two loops can wait at one time.
//! Sums in lanes already fill the machine, and the lanes of two do not fit its registers: merging pays only if both
//! need one elementary function or loop, or apply different ones to one argument, or if they read an element of each row,
//! so that their lanes are no vectors, and share what is worth a store and a load. This holds for folds with loops in
//! their steps too. Arrays are merged if the terms that they share are worth a store and a load. If they share only
//! loads, they stay apart: merging gains nothing as long as the source is in a cache, and takes streams of memory.

use crate::analysis::cost::{self, ELEMENTARY, HOIST, LOOP, Place, RECOMPUTE};
use crate::analysis::value_numbers::ValueNumbers;
use crate::fsmooth::edit::Edits;
use crate::fsmooth::{Combine, Expr, IFold, Kernel, Kind, Loop, Order, Reduce, Slot, build, take};
use crate::mapped::{Both, Mapped};
use crate::name::{Names, VarId};
use crate::sorted::{Map, Set};
use crate::ty::Type;
use std::ops::Range;

/// The maximum number of scalars that one loop carries: half of the registers.
const CARRIED: usize = 8;
/// The maximum number of later folds among which a partner is searched.
const WINDOW: usize = 16;

/// Merges all such folds. Returns whether there were any.
pub(super) fn apply(kernel: &mut Kernel) -> bool {
    walk(&mut kernel.body, true, &mut kernel.names)
}

/// Merges folds in outer terms first, since loops in the elements of two arrays may then be in those of one. `root`:
/// the term is evaluated independently of the term around it.
fn walk(e: &mut Expr, root: bool, names: &mut Names) -> bool {
    let mut changed = false;
    while root && merge(e, names) {
        changed = true;
    }
    for (slot, part) in e.parts_mut() {
        changed |= walk(part, !slot.role().is_once(), names);
    }
    changed
}

/// Merges the first folds in a chain of `let`s that may be merged.
fn merge(e: &mut Expr, names: &mut Names) -> bool {
    let Some(plan) = plan(e) else { return false };
    let z = names.fresh("both");
    let (merged, types) = joined(&plan.folds, names);
    let parts = plan.at.iter().enumerate().map(|(k, at)| {
        let tuple = build::var(z, Type::Tuple(types.clone()), merged.origin());
        (*at, build::proj(tuple, k, merged.origin()))
    });
    Edits { replace: parts.collect(), ..Edits::default() }.apply(e);
    let mut items = Vec::new();
    while let Kind::Let(x, a, b) = &mut e.kind {
        let (x, a, b) = (*x, take(a), take(b));
        items.push((x, a));
        *e = b;
    }
    let mut before = Vec::new();
    let mut after = Vec::new();
    for (k, item) in items.into_iter().enumerate() {
        if k < plan.first || plan.needed.contains(&k) { before.push(item) } else { after.push(item) }
    }
    before.push((z, merged));
    for (x, a) in before.into_iter().chain(after).rev() {
        let (body, o) = (take(e), a.origin());
        *e = build::bind(x, a, body, o);
    }
    true
}

/// Folds to be merged.
struct Plan {
    /// The folds, and the numbers of their nodes.
    folds: Vec<Expr>,
    at: Vec<usize>,
    /// The number of the `let` before which they are put, and the numbers of those after it that they need.
    first: usize,
    needed: Set<usize>,
}

/// A fold in the chain.
struct Candidate<'e> {
    at: usize,
    item: usize,
    term: &'e Expr,
    count: u32,
    needs: Vec<usize>,
}

fn plan(e: &Expr) -> Option<Plan> {
    // This test is cheaper than value numbers, and fails for most terms.
    let mut seen = Vec::new();
    if !has_pair(e, &mut seen) {
        return None;
    }
    let tree = ValueNumbers::of(e);
    // The chain: the numbers of the values of its `let`s, and of the term at its end.
    let (mut starts, mut bound, mut last) = (Vec::new(), Map::new(), 0);
    while let Kind::Let(x, ..) = tree.nodes[last].term.kind()
        && let (Some(value), Some(scope)) = (tree.part(last, Slot::Value), tree.part(last, Slot::Scope))
    {
        bound.insert(*x, starts.len());
        starts.push(value);
        last = scope;
    }
    starts.push(last);
    let needs = |t: &Expr| -> Vec<usize> { t.free().iter().filter_map(|v| bound.get(v).copied()).collect_vec() };
    let mut folds: Vec<Candidate<'_>> = Vec::new();
    for (at, n) in tree.nodes.iter().enumerate() {
        if n.region == 0
            && n.pure
            && carried(n.term).is_some()
            && !folds.iter().rev().take(WINDOW).any(|f| tree.holds(f.at, at))
        {
            let item = starts.partition_point(|s| *s <= at) - 1;
            if let Some(count) = tree.part(at, Slot::Count).filter(|_| tree.in_scope(n.term, starts[item])) {
                folds.push(Candidate { at, item, term: n.term, count: tree.nodes[count].value, needs: needs(n.term) });
            }
        }
    }
    let related = |a: &Candidate<'_>, b: &Candidate<'_>| a.count == b.count && same_kind(a.term, b.term);
    let lonely = (0..folds.len()).all(|k| !folds[k + 1..].iter().take(WINDOW).any(|b| related(&folds[k], b)));
    if lonely {
        return None;
    }
    let depends: Vec<Vec<usize>> = starts.iter().mapped(|s| needs(tree.nodes[*s].term));
    let pure: Vec<bool> = starts.iter().mapped(|s| tree.nodes[*s].pure);
    for (k, leader) in folds.iter().enumerate() {
        let (mut chosen, mut needed) = (vec![leader], Set::new());
        let mut scalars = carried(leader.term)?;
        for f in folds[k + 1..].iter().take(WINDOW).filter(|f| related(leader, f)) {
            let size = carried(f.term)?;
            let Some(more) = movable(f, &chosen, &depends, &pure) else { continue };
            let free = !needed.contains(&f.item) && scalars + size <= CARRIED;
            if free && chosen.iter().any(|c| gains(c.term, f.term)) {
                scalars += size;
                needed.extend(more);
                chosen.push(f);
            }
        }
        if chosen.len() > 1 {
            let folds = chosen.iter().mapped(|c| c.term.clone());
            return Some(Plan { folds, at: chosen.iter().mapped(|c| c.at), first: leader.item, needed });
        }
    }
    None
}

/// Whether two folds of one kind are evaluated whenever the term is. Adds those that it meets to `seen`.
fn has_pair<'e>(e: &'e Expr, seen: &mut Vec<&'e Expr>) -> bool {
    if carried(e).is_some() {
        if seen.iter().any(|f| same_kind(f, e)) {
            return true;
        }
        seen.push(e);
    }
    let mut found = false;
    e.each_part(&mut |slot, part| found = found || slot.role().is_once() && has_pair(part, seen));
    found
}

/// The items from the first chosen fold on that a fold needs, or `None` if it needs a chosen one or something
/// that cannot be moved.
fn movable(f: &Candidate<'_>, chosen: &[&Candidate<'_>], depends: &[Vec<usize>], pure: &[bool]) -> Option<Set<usize>> {
    let first = chosen[0].item;
    let (mut open, mut seen) = (f.needs.clone(), Set::new());
    while let Some(item) = open.pop() {
        if item < first || !seen.insert(item) {
            continue;
        }
        if !pure[item] || chosen.iter().any(|c| c.item == item) {
            return None;
        }
        open.extend(&depends[item]);
    }
    Some(seen)
}

/// The number of scalars that a fold carries, if it carries nothing else.
fn carried(e: &Expr) -> Option<usize> {
    match e.kind() {
        Kind::Build(_) => Some(0),
        Kind::Reduce(Reduce { with: Combine::Named(_), .. }) if e.ty().scalar().is_some() => Some(1),
        // Folds that end early need not end together.
        Kind::IFold(IFold { test: None, .. }) => {
            let leaves = e.ty().leaves();
            leaves.iter().all(|t| t.scalar().is_some()).then_some(leaves.len())
        }
        _ => None,
    }
}

fn same_kind(a: &Expr, b: &Expr) -> bool {
    match (a.kind(), b.kind()) {
        (Kind::Reduce(x), Kind::Reduce(y)) => x.order == y.order && x.with == y.with && a.ty() == b.ty(),
        (Kind::IFold(_), Kind::IFold(_)) | (Kind::Build(_), Kind::Build(_)) => true,
        _ => false,
    }
}

/// Whether two loops are faster as one: the table above.
fn gains(a: &Expr, b: &Expr) -> bool {
    let (Some(x), Some(y)) = (a.as_loop(), b.as_loop()) else { return false };
    let is_array = matches!(a.kind(), Kind::Build(_));
    let waits = !is_array && !matches!(a.kind(), Kind::Reduce(Reduce { order: Order::Lanes, .. }));
    let cost = |l: &Loop<'_>| cost::of(l.body, Place::Here);
    let least = if is_array || across(x.body, x.index) { RECOMPUTE } else { ELEMENTARY };
    waits && cost(&x).saturating_add(cost(&y)) < LOOP || share(&x, &y, least)
}

/// Whether a term reads one element of each row of an array, so that lanes are no vectors.
fn across(e: &Expr, index: VarId) -> bool {
    let is_index = |i: &Expr| matches!(i.kind(), Kind::Var(v) if *v == index);
    let own = matches!(e.kind(), Kind::Get(row, _) if matches!(row.kind(), Kind::Get(_, i) if is_index(i)));
    own || e.any_child(&mut |e| across(e, index))
}

/// Whether the bodies of two loops, or of loops in them, need a common term of this cost.
fn share(x: &Loop<'_>, y: &Loop<'_>, least: u32) -> bool {
    let mut both = build::tuple(vec![x.body.clone(), y.body.clone()], x.body.origin());
    both.replace(y.index, &mut || build::var(x.index, Type::USIZE, Default::default()));
    let tree = ValueNumbers::of(&both);
    let [a, b] = [0, 1].both(|k| tree.parts(0).nth(k).map_or(0..0, |at| at..tree.nodes[at].end));
    let expensive = |part: Range<usize>| -> Set<u32> {
        part.filter(|k| is_expensive(&tree, *k, least)).map(|k| tree.nodes[k].value).collect()
    };
    let loops = |part: Range<usize>| -> Vec<(u32, &Expr)> {
        let always = part.filter(|k| tree.nodes[*k].region == 0 && carried(tree.nodes[*k].term).is_some());
        always.filter_map(|k| Some((tree.nodes[tree.part(k, Slot::Count)?].value, tree.nodes[k].term))).collect_vec()
    };
    let both_need = |(n, p): &(u32, &Expr), (m, q): &(u32, &Expr)| {
        n == m && same_kind(p, q) && p.as_loop().zip(q.as_loop()).is_some_and(|(x, y)| share(&x, &y, ELEMENTARY))
    };
    !expensive(a.clone()).is_disjoint(&expensive(b.clone()))
        || loops(a).iter().any(|p| loops(b.clone()).iter().any(|q| both_need(p, q)))
}

/// Whether a term is worth computing once for two loops. So is an argument of an elementary function: it says that both
/// loops call one.
fn is_expensive(tree: &ValueNumbers<'_>, at: usize, least: u32) -> bool {
    let n = &tree.nodes[at];
    let is_argument = matches!(tree.nodes[n.parent].term.kind(), Kind::Prim(p, _) if p.cost() >= ELEMENTARY);
    n.region == 0 && n.pure && (n.cost >= least || is_argument && n.cost >= HOIST)
}

/// The one loop, and the types of its components.
fn joined(folds: &[Expr], names: &mut Names) -> (Expr, Vec<Type>) {
    let o = folds[0].origin();
    let types: Vec<Type> = folds.iter().mapped(|f| f.ty().clone());
    let u = names.fresh("states");
    let loops: Vec<Loop<'_>> = folds.iter().filter_map(Expr::as_loop).collect_vec();
    let (count, index) = (loops[0].count.clone(), loops[0].index);
    let (mut inits, mut steps) = (Vec::new(), Vec::new());
    for (k, (f, own)) in folds.iter().zip(&loops).enumerate() {
        let mut step = own.body.clone();
        step.replace(own.index, &mut || build::var(index, Type::USIZE, o));
        if let Kind::IFold(IFold { init, state, .. }) = f.kind() {
            inits.push((**init).clone());
            step.replace(*state, &mut || build::proj(build::var(u, Type::Tuple(types.clone()), o), k, o));
        }
        steps.push(step);
    }
    let steps = build::tuple(steps, o);
    let merged = match folds[0].kind() {
        Kind::Reduce(Reduce { with, order, .. }) => build::reduce(with.clone(), *order, (count, index), steps, o),
        Kind::Build(_) => build::build(count, index, steps, o),
        _ => build::ifold(count, build::tuple(inits, o), (u, index), steps, o),
    };
    (merged, types)
}
