//! Reads of arrays: whether they are in bounds, and how often they read an element.

use super::cost::{self, RECOMPUTE};
use super::uses::{LoopId, Read, RegionId, Uses};
use crate::fsmooth::{Expr, Kernel, Slot};
use crate::infer::Infer;
use crate::mapped::{Both, Mapped};
use crate::name::VarId;
use crate::role::Role;
use crate::shape::Shape;
use crate::shape::card::{Atom, Card};
use crate::shape::condition::Known;
use crate::shape::facts::{Counted, Facts};
use crate::sorted::{Map, Set};

/// The facts about the reads of a kernel. Lowering derives equal ones.
pub(crate) struct Reads<'k, 'o> {
    pub(crate) infer: Infer<'k>,
    /// Facts at the place in question.
    pub(crate) facts: Facts,
    pub(crate) occ: &'o Uses<'k>,
    /// The arrays that replace their only reader in this walk.
    pub(crate) moving: Set<VarId>,
    /// Loops with their counts, where these are tracked.
    loops: Map<LoopId, Counted>,
}

impl<'k, 'o> Reads<'k, 'o> {
    pub(crate) fn new(kernel: &'k Kernel, occ: &'o Uses<'k>) -> Self {
        let mut infer = Infer::new(kernel);
        infer.shape(&kernel.body);
        Reads { facts: infer.facts().clone(), infer, occ, moving: Set::new(), loops: Map::new() }
    }

    /// Whether a read is in bounds for all sizes, if the conditions around it hold and its indices have been evaluated:
    /// a division in one of them implies that its divisor is at least 1. So the answer holds at the place of the read,
    /// and elsewhere only if the indices are [`total`](Reads::total) there.
    pub(crate) fn is_in_bounds(&mut self, shape: &Shape, r: &Read<'_>) -> bool {
        let Some(loops) = self.loops_around(r.at) else { return false };
        let mut card = |e: &Expr| self.infer.shape(e).card();
        let indices = r.indices.iter().mapped(|i| card(i));
        let range = r.range.map(|(s, t)| (card(s), card(t)));
        self.facts.go_inside(loops);
        let outside = self.facts.enter(&Known::default());
        let bounded = |cx: &Self| {
            let inside = |(i, n): (&Option<Card>, &Card)| i.as_ref().is_some_and(|i| cx.facts.in_range(i, n));
            let part = || match (&range, shape.get(indices.len())) {
                (None, _) => true,
                (Some((Some(s), Some(t))), Some(n)) => cx.facts.holds_slice(s, t, n),
                _ => false,
            };
            indices.len() <= shape.len() && indices.iter().zip(shape).all(inside) && part()
        };
        let proved = bounded(self) || (self.assume_conditions(r.region) && bounded(self));
        self.facts.leave(outside);
        proved
    }

    /// Whether a slice may be taken of the elements instead of the array, after a check that it is in range: it needs
    /// no more memory than the array would, even if the check is never reached.
    pub(crate) fn may_be_checked(&mut self, shape: &Shape, r: &Read<'_>) -> bool {
        let Some((s, t)) = r.range else { return false };
        let whole = Read { indices: r.indices.clone(), range: None, at: r.at, region: r.region };
        let Some(loops) = self.loops_around(r.at).filter(|_| self.is_in_bounds(shape, &whole)) else { return false };
        let ends = [s, t].both(|e| self.infer.shape(e).card());
        let ([Some(s), Some(t)], Some(len)) = (ends, shape.get(r.indices.len())) else { return false };
        let is_condition = |slot: &Slot| slot.role() == Role::Maybe && *slot != Slot::Checked;
        let at_entry = self.occ.parts_around(r.region).iter().all(|(_, slot)| !is_condition(slot))
            && [&s, &t, len]
                .into_iter()
                .flat_map(Card::atoms)
                .all(|a| matches!(a, Atom::Op(..)) || self.facts.knows(a));
        self.facts.go_inside(loops);
        let outside = self.facts.enter(&Known::default());
        self.assume_conditions(r.region);
        let fits = at_entry || self.facts.at_least_zero(&len.sub(&t).add(&s));
        self.facts.leave(outside);
        fits
    }

    /// Adds the facts of the conditions around a region. Returns whether there are any.
    fn assume_conditions(&mut self, region: RegionId) -> bool {
        let mut some = false;
        for (e, slot) in self.occ.parts_around(region) {
            let known = self.infer.known_where(&self.facts, e, slot);
            some |= known != Known::default();
            self.facts.assume(&known);
        }
        some
    }

    /// Whether the loops between an array and a use of it read each element at most once: the indices of the read
    /// determine those of the loops. If the elements of a row share expensive work, the indices of that row must.
    pub(crate) fn reads_each_element_once(&mut self, r: &Read<'_>, home: LoopId, array: &Expr) -> bool {
        let occ = self.occ;
        let shared = |levels: &usize| cost::of_levels(array, *levels, &self.moving);
        let apart = (1..=r.levels()).take_while(|levels| shared(levels) <= RECOMPUTE).count();
        if apart < r.levels() && r.range.is_some() {
            return false;
        }
        let Some(all) = self.loops_around(r.at) else { return false };
        let between: Vec<LoopId> = occ.between(r.at, home).collect_vec();
        let mut open = all[all.len() - between.len()..].to_vec();
        let Some(indices) = r.indices.iter().take(apart).map(|i| self.infer.shape(i).card()).all_some() else {
            return open.is_empty();
        };
        // A variable that is bound inside the loops may have any value in each iteration.
        let varies = |a: &&Atom| match a {
            Atom::Var(v) | Atom::Len(v, _) => {
                between.contains(&occ.get(self.infer.owner(*v)).home) && !open.iter().any(|(i, _)| i == v)
            }
            _ => false,
        };
        if indices.iter().any(|c| c.atoms().iter().any(varies)) {
            return false;
        }
        self.facts.go_inside(all);
        while !open.is_empty() {
            let determined = indices.iter().find_map(|c| {
                let own: Vec<_> = open.iter().filter(|(i, _)| c.mentions(*i)).cloned().collect_vec();
                (!own.is_empty() && self.is_injective_in(c, own.clone())).then_some(own)
            });
            let Some(determined) = determined else { return false };
            open.retain(|l| !determined.contains(l));
        }
        true
    }

    /// Whether `c` is injective in the loop indices `own`. Recognises `s·i + rest` and mixed-radix forms such as
    /// `i·m + j` with `j < m`.
    fn is_injective_in(&self, c: &Card, mut own: Vec<Counted>) -> bool {
        let slopes: Option<Map<VarId, Card>> = own.iter().map(|(i, _)| Some((*i, c.linear_in(*i)?.0))).collect();
        let Some(slopes) = slopes else { return false };
        if own.iter().any(|(i, _)| slopes.values().any(|s| s.mentions(*i))) {
            return false;
        }
        if let [(i, _)] = own.as_slice() {
            return slopes[i].constant().is_some_and(|s| s != 0);
        }
        // From the lowest digit up: the weight of each is at least the number of values of those below it.
        let mut weight = Card::lit(1);
        while let Some(k) = own.iter().position(|(i, _)| self.facts.at_least_zero(&slopes[i].sub(&weight))) {
            let lowest = |(i, _): &&Counted| slopes[i] == weight;
            let k = own.iter().position(|l| lowest(&l)).unwrap_or(k);
            let (i, count) = own.remove(k);
            let Some(count) = count else { return false };
            weight = slopes[&i].mul(&count);
        }
        own.is_empty()
    }

    /// The loops around a place, outermost first; `None` inside a function, whose parameters may be anything.
    pub(crate) fn loops_around(&mut self, at: LoopId) -> Option<Vec<Counted>> {
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
