//! Which arrays are never built: fusion of a `build` with its consumers (Fig. 4, through a `let`).
//!
//! ```text
//! let x = build n (λi. e) in … x[a] … slice x s t … length x …
//!     ⟶  … let i = a in e … build (t - s) (λk. let i = s + k in e) … n …
//! ```
//!
//! when every use reads an element, a row or a part, or the length; every index is one that the array
//! surely has; and no work is repeated:
//! - there is a single reading use, and the loops around it visit each element at most once, and each row whose
//!   elements share dear work, or
//! - the element is cheap (a few operations: less than a store and a load), and hardly dearer than a load where a loop
//!   comes back to it again and again; it is not stored for its order then (`order`).
//!
//! Several uses that agree in their indices become one first (`agree`).
//!
//! An array with several consumers, or read many times at random places, stays unless cheap. What is
//! cheap is seen when everything that goes into the element is in it, by [`cost::is_cheap`].
//! And the other way round: a build of what is surely there in an array that stays is a part of it (`parts`).

use super::inline::has_extents;
use crate::analysis::cost::{self, RECOMPUTE, innermost};
use crate::analysis::terms::{base, trivial};
use crate::analysis::uses::{LoopId, Part, Read, Uses};
use crate::fsmooth::{Build, Expr, Kernel, Kind};
use crate::infer::Infer;
use crate::name::VarId;
use crate::shape::card::{Atom, Card};
use crate::shape::facts::Facts;
use crate::shape::{Dim, Shape};
use std::collections::BTreeMap;

/// How an array may be fused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fusion {
    /// At its only use.
    Once,
    /// At all its uses, if it is cheap ([`cost::is_cheap`]).
    Cheap,
    /// At all its uses, some of which come back to an element in a loop, if it is [`is_as_cheap_as_a_load`].
    Again,
    /// It is all of another array.
    Whole,
    /// It is a part of another array.
    Part,
}

/// The fusion of every array for which there is one: by the variable of its `let`, or, where an array is read
/// where it stands or is a part of another, by the index of its `build`.
pub(super) fn fusions(kernel: &Kernel, occ: &Uses<'_>) -> BTreeMap<VarId, Fusion> {
    let readable = |x: &VarId| {
        let u = occ.get(*x);
        u.count > 0 && u.reads.len() + u.lengths == u.count
    };
    let builds: Vec<_> = occ.builds.iter().filter(|(x, _)| readable(x)).collect();
    if builds.is_empty() && occ.directs.is_empty() && occ.parts.is_empty() {
        return BTreeMap::new();
    }
    let mut bounds = Bounds::new(kernel, occ);
    let of_lets = builds.into_iter().filter_map(|(x, array)| Some((*x, bounds.fusion(*x, array)?)));
    let mut all: BTreeMap<VarId, Fusion> = of_lets.collect();
    for d in &occ.directs {
        let Kind::Build(Build { index: j, .. }) = d.array.kind() else { continue };
        let shape = bounds.infer.shape(d.array).extents();
        if bounds.surely_has(&shape, &d.read) && bounds.bounds_sizes(d.array, &d.read) {
            all.insert(*j, Fusion::Once);
        }
    }
    for p in &occ.parts {
        let stays = base(p.array).is_some_and(|a| !all.contains_key(&a));
        if stays
            && !all.contains_key(&p.index)
            && let Some(fusion) = bounds.part(p)
        {
            all.insert(p.index, fusion);
        }
    }
    all
}

/// What is known of indices and loops: the same that lowering knows.
pub(super) struct Bounds<'k, 'o> {
    pub(super) infer: Infer<'k>,
    /// Facts at the place that is looked at.
    pub(super) facts: Facts,
    pub(super) occ: &'o Uses<'k>,
    /// Loops with their counts, where they can be followed.
    loops: BTreeMap<LoopId, (VarId, Option<Card>)>,
}

impl<'k, 'o> Bounds<'k, 'o> {
    pub(super) fn new(kernel: &'k Kernel, occ: &'o Uses<'k>) -> Self {
        let mut infer = Infer::new(kernel);
        infer.shape(&kernel.body);
        Bounds { facts: infer.facts().clone(), infer, occ, loops: BTreeMap::new() }
    }

    fn fusion(&mut self, x: VarId, array: &Expr) -> Option<Fusion> {
        let occ = self.occ;
        let uses = occ.get(x);
        let rank = array.ty().rank();
        let shape = self.readable(x, array)?;
        if !uses.reads.iter().all(|r| self.surely_has(&shape, r) && self.bounds_sizes(array, r)) {
            return None;
        }
        match uses.reads.as_slice() {
            [] => Some(Fusion::Once),
            [r] if self.visits_once(r, uses.home, array) => Some(Fusion::Once),
            reads if reads.iter().any(|r| r.levels() != rank) => None,
            reads if reads.iter().all(|r| self.visits_once(r, uses.home, array)) => Some(Fusion::Cheap),
            _ if self.stays_for_its_order(array, uses) => None,
            _ => Some(Fusion::Again),
        }
    }

    /// The shape of an array whose length, where it is wanted, is known without it.
    pub(super) fn readable(&self, x: VarId, array: &Expr) -> Option<Shape> {
        if self.occ.get(x).lengths > 0 && !has_extents(array) {
            return None;
        }
        Some(self.infer.bound(x)?.extents())
    }

    /// Whether arrays in an element still have a largest size when the element's index is what is read at, and sizes that
    /// can be computed before the kernel runs: being in range does not say how large a term gets, nor that there is an
    /// index to be in range.
    fn bounds_sizes(&mut self, array: &Expr, r: &Read<'_>) -> bool {
        let Some(loops) = self.loops_around(r.at) else { return false };
        let indices: Vec<_> = r.indices.iter().map(|i| self.infer.shape(i).card()).collect();
        self.facts.go_inside(loops);
        // `scratch` receives only the `usize` arguments that occur in sizes, so a bound must not mention any other.
        let mut asked = self.facts.clone();
        let params = &self.infer.kernel.params;
        let written = |v: VarId| params.iter().flat_map(|p| p.dims()).any(|d| *d == Dim::Param(v));
        let number = |a: &Atom| params.iter().any(|p| p.dims().is_empty() && *a == Atom::Var(p.var) && !written(p.var));
        asked.forget(number);
        let bounded: Vec<bool> = indices.iter().map(|i| i.as_ref().is_some_and(|i| asked.upper(i).is_some())).collect();
        let mut sized = Vec::new();
        innermost(array).each(&mut |e| {
            let takes_room = matches!(e.kind(), Kind::Build(_) | Kind::IFold(_) | Kind::Call(..) | Kind::Slice(..));
            sized.extend((takes_room && e.ty().is_array()).then_some(e));
        });
        if sized.iter().all(|e| matches!(e.kind(), Kind::Slice(..))) {
            return true;
        }
        let all_bounded = r.range.is_none() && bounded.iter().all(|b| *b);
        all_bounded && sized.into_iter().all(|e| self.has_size_at_entry(e, array, &indices))
    }

    /// Whether the size of an array in an element can be evaluated where no iteration of the loops around may come to it,
    /// once the element's `indices` are known: storage whose size no longer depends on a loop is made before the loop.
    fn has_size_at_entry(&mut self, e: &Expr, array: &Expr, indices: &[Option<Card>]) -> bool {
        let mut card = |e: &Expr| self.infer.shape(e).card();
        let sizes = match e.kind() {
            Kind::Build(Build { count, .. }) => vec![card(count)],
            Kind::Slice(_, s, t) => vec![card(s).zip(card(t)).map(|(s, t)| t.sub(&s))],
            Kind::Call(..) => self.infer.shape(e).extents().into_iter().map(Some).collect(),
            // Its arrays are those of the first state.
            _ => return true,
        };
        let (mut own, mut rows) = (Vec::new(), array);
        while let Kind::Build(Build { index, body, .. }) = rows.kind() {
            own.push(*index);
            rows = body;
        }
        let at_read = |n: Card| {
            let known = own.iter().zip(indices).filter_map(|(i, at)| Some((i, at.as_ref()?)));
            known.fold(n, |n, (i, at)| n.replace(*i, at))
        };
        let loops = self.facts.loops();
        let varies = |n: &Card| loops.iter().any(|(i, _)| n.mentions(*i));
        let stays = |n: &Card| !own.iter().any(|i| n.mentions(*i)) || loops.is_empty();
        sizes.into_iter().flatten().filter(|n| !stays(n)).map(at_read).all(|n| varies(&n) || n.is_total())
    }

    /// Whether what is read is surely there, whatever the sizes are, once its indices have been evaluated: a division in
    /// one of them says that its divisor is at least 1. So the answer is about the place of the read alone, and about
    /// others where the indices are [`total`](Bounds::total).
    pub(super) fn surely_has(&mut self, shape: &Shape, r: &Read<'_>) -> bool {
        let Some(loops) = self.loops_around(r.at) else { return false };
        let mut card = |e: &Expr| self.infer.shape(e).card();
        let indices: Vec<_> = r.indices.iter().map(|i| card(i)).collect();
        let range = r.range.map(|(s, t)| (card(s), card(t)));
        self.facts.go_inside(loops);
        let inside = |(i, n): (&Option<Card>, &Card)| i.as_ref().is_some_and(|i| self.facts.in_range(i, n));
        let part = || match (&range, shape.get(indices.len())) {
            (None, _) => true,
            (Some((Some(s), Some(t))), Some(n)) => self.facts.holds_slice(s, t, n),
            _ => false,
        };
        indices.len() <= shape.len() && indices.iter().zip(shape).all(inside) && part()
    }

    /// Whether the loops between an array and a use of it read each element at most once: from the indices one
    /// can tell the loops' own. Where the elements of a row share dear work, from the indices of that row.
    pub(super) fn visits_once(&mut self, r: &Read<'_>, home: LoopId, array: &Expr) -> bool {
        let occ = self.occ;
        let apart = (1..=r.levels()).take_while(|levels| cost::of_levels(array, *levels) <= RECOMPUTE).count();
        if apart < r.levels() && r.range.is_some() {
            return false;
        }
        let Some(all) = self.loops_around(r.at) else { return false };
        let between: Vec<LoopId> = occ.between(r.at, home).collect();
        let mut open = all[all.len() - between.len()..].to_vec();
        let Some(indices) =
            r.indices.iter().take(apart).map(|i| self.infer.shape(i).card()).collect::<Option<Vec<_>>>()
        else {
            return open.is_empty();
        };
        // What is computed inside the loops may be anything each time.
        let varies = |a: &&Atom| match a {
            Atom::Var(v) | Atom::Len(v, _) => between.contains(&occ.get(*v).home) && !open.iter().any(|(i, _)| i == v),
            _ => false,
        };
        if indices.iter().any(|c| c.atoms().iter().any(varies)) {
            return false;
        }
        self.facts.go_inside(all);
        while !open.is_empty() {
            let recovered = indices.iter().find_map(|c| {
                let own: Vec<_> = open.iter().filter(|(i, _)| c.mentions(*i)).cloned().collect();
                (!own.is_empty() && self.tells(c, own.clone())).then_some(own)
            });
            let Some(recovered) = recovered else { return false };
            open.retain(|l| !recovered.contains(l));
        }
        true
    }

    /// Whether `c` is another for any other values of the loop indices: `s·i + rest`, or digits like those of
    /// `i·m + j` with `j < m`.
    fn tells(&self, c: &Card, mut own: Vec<(VarId, Option<Card>)>) -> bool {
        let slopes: Option<BTreeMap<VarId, Card>> = own.iter().map(|(i, _)| Some((*i, c.linear_in(*i)?.0))).collect();
        let Some(slopes) = slopes else { return false };
        if own.iter().any(|(i, _)| slopes.values().any(|s| s.mentions(*i))) {
            return false;
        }
        if let [(i, _)] = own.as_slice() {
            return slopes[i].constant().is_some_and(|s| s != 0);
        }
        // The lowest digit first; each next one weighs at least as much as all values of the one before.
        let mut weight = Card::lit(1);
        while let Some(k) = own.iter().position(|(i, _)| self.facts.at_least_zero(&slopes[i].sub(&weight))) {
            let lowest = |(i, _): &&(VarId, Option<Card>)| slopes[i] == weight;
            let k = own.iter().position(|l| lowest(&l)).unwrap_or(k);
            let (i, count) = own.remove(k);
            let Some(count) = count else { return false };
            weight = slopes[&i].mul(&count);
        }
        own.is_empty()
    }

    /// Whether a build is a part of another array.
    fn part(&mut self, p: &Part<'_>) -> Option<Fusion> {
        let loops = self.loops_around(p.at)?;
        let start = p.start.map_or(Some(Card::lit(0)), |s| self.infer.shape(s).card())?;
        let count = self.infer.shape(p.count).card()?;
        let len = self.infer.shape(p.array).extents().first()?.clone();
        self.facts.go_inside(loops);
        // The row is looked up also where no element of it is.
        if !self.facts.at_least_zero(&count.sub(&Card::lit(1))) && !self.has_value(p.array) {
            return None;
        }
        let whole = p.start.is_none() && count == len;
        let fits = self.facts.holds_slice(&start, &start.add(&count), &len);
        if whole { Some(Fusion::Whole) } else { fits.then_some(Fusion::Part) }
    }

    /// Whether a variable or a row of one is there whatever the arguments are. Its indices are variables and numbers,
    /// which have been evaluated.
    fn has_value(&mut self, a: &Expr) -> bool {
        let Kind::Get(of, i) = a.kind() else { return true };
        let len = self.infer.shape(of).extents().first().cloned();
        let place = self.infer.shape(i).card();
        trivial(i) && place.zip(len).is_some_and(|(i, n)| self.facts.in_range(&i, &n)) && self.has_value(of)
    }

    /// The loops around a place, outermost first; `None` inside a function, whose parameters may be anything.
    pub(super) fn loops_around(&mut self, at: LoopId) -> Option<Vec<(VarId, Option<Card>)>> {
        let occ = self.occ;
        let mut around = Vec::new();
        for l in occ.between(at, 0) {
            let (index, count) = occ.loops[l].range?;
            let known = self.loops.entry(l).or_insert_with(|| (index, self.infer.count(index, count)));
            around.push(known.clone());
        }
        around.reverse();
        Some(around)
    }
}
