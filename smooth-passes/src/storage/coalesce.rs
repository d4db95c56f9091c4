//! Coalescing: a copy of a whole array is dropped if both ends may be one storage, and a fold keeps its state in one
//! buffer.
//!
//! ```text
//! alloc P (λr. let y{r} = (… copy r x …) in t)   ⟶   alloc in s P (λr. let y{r} = (… already_there r x …) in t)    x is in s
//! ifold … (λs. (copy s' s ; set s'[k] ← t))       ⟶   in one buffer: ifold … (λs. (already_there s' s ; set s'[k] ← t))
//! alloc P (λr. let x{r} = copy r v in t)          ⟶   let x = v in t                      v is a part of an array
//! ifold … (λ a b. … copy b' a)                    ⟶   in the buffers of a and b, which change places
//! ifold … (λs. …) (copy s₀ x)                     ⟶   ifold at home … (already_there s₀ x)               x is in s's home
//! ```
//!
//! if no array is read after its storage was overwritten. This is the destruction of SSA form with arrays for
//! registers: updates in statement order leave the versions of one variable, whose live ranges do not meet.
//!
//! A *web* is a set of places that are to be one piece of memory (as the live ranges that are coalesced in register
//! allocation). Candidates are tried against a run of the program on names (`run.rs`): a web of storage holds one value
//! at a time, and a read of any other value is a conflict. Folds come first, one after the other from the inside out,
//! and then copies: all of them at once, and in case of a conflict, each half. If starting a fold in its destination
//! saves no copy, that fold is dropped and the search restarts.
//!
//! Peak: never rises, since allocations are removed and none is added.

mod collect;
mod home;
mod rotate;
mod run;

use super::borrowed::borrowed;
use super::live::Interval;
use crate::dps::{Alias, Alloc, Block, Copy, Dest, Fill, Fold, Placement, Program, State, Term, View};
use crate::mapped::{Both, Mapped, PushAll};
use crate::name::VarId;
use crate::role::Role;
use crate::shape::Shape;
use crate::sorted::{Map, Set, sort_by_key};
use crate::ty::Scalar;
use rotate::Through;

/// A place for an array: some storage, or a row of it.
struct Place {
    r: VarId,
    path: Vec<Term>,
    elem: Scalar,
    shape: Shape,
    /// The nodes in which it is in scope.
    scope: Interval,
    /// The node that allocates it, if it is a block of the frame.
    block: Option<usize>,
}

/// The arrays of a program, their storage and their copies.
#[derive(Default)]
struct Arrays {
    places: Vec<Place>,
    /// The places that are whole storage.
    whole: Map<VarId, usize>,
    /// The in-out arrays, which are in their destinations when the program begins.
    given: Vec<VarId>,
    /// The place of each named array; that of a fold's state, as soon as it is in one buffer.
    homes: Map<VarId, usize>,
    /// The array that a name is a part of, and whether the name is all of it.
    parts: Map<VarId, (VarId, bool)>,
    /// A fold's names for its buffers, and the place of its destination.
    buffers: Map<VarId, usize>,
    /// For each node, in order of evaluation, the number after its last part.
    ends: Vec<usize>,
    /// The nodes that use an array or some storage.
    uses: Map<VarId, Vec<usize>>,
    /// Copies of whole arrays: the place of the copy, and the array.
    copies: Vec<(usize, VarId)>,
    /// Copies of parts of arrays: the name of the copy, and that of the array.
    views: Vec<(VarId, VarId)>,
    /// The array states of folds, inner ones first: the state and its two buffers, and its destination.
    states: Vec<(VarId, [usize; 3])>,
    /// Places whose arrays are updated.
    updated: Vec<usize>,
    /// For each place, the representative of its web.
    webs: Vec<usize>,
    /// The first storage of states that begin in their destinations.
    at_home: Set<VarId>,
}

/// The result of the search.
struct Done {
    /// The states that are in one buffer.
    in_one_buffer: Set<VarId>,
    /// The states whose buffers change places, each with the one in whose buffer its next value is.
    turns: Map<VarId, VarId>,
    /// The block that each block is placed in.
    around: Map<usize, usize>,
    /// The folds that begin in their destinations, by their indices.
    at_home: Set<VarId>,
}

/// The maximum number of nodes that are examined in one program; beyond it, copies stay.
const VISITS: usize = 4_000_000;

/// Coalesces wherever that is sound.
pub(super) fn coalesce(program: &mut Program) {
    let arrays = Arrays::of(program);
    if arrays.states.is_empty() && arrays.copies.is_empty() {
        return;
    }
    let mut visits = VISITS;
    let [copied, changed] = [Through::Copies, Through::Versions].both(|t| arrays.permutations(&program.body, t));
    // Versions on the way to another state's place avoid copies in some programs, and cause copies in others.
    let other = (changed != copied).then(|| {
        let mut other = program.body.clone();
        Arrays::of(program).coalesced(&mut other, changed, &mut visits);
        other
    });
    arrays.coalesced(&mut program.body, copied, &mut visits);
    if let Some(other) = other.filter(|other| copies(other) < copies(&program.body)) {
        program.body = other;
    }
    borrowed(program);
}

/// The numbers of copies at each depth of loops, the innermost first.
fn copies(body: &Term) -> [usize; 8] {
    fn count(t: &Term, around: usize, found: &mut [usize; 8]) {
        found[7 - around.min(7)] += usize::from(matches!(t, Term::Copy(_)));
        t.each_part(&mut |role, part| count(part, around + usize::from(role == Role::Often), found));
    }
    let mut found = [0; 8];
    count(body, 0, &mut found);
    found
}

impl Arrays {
    /// Coalesces. The buffers of these states may change places.
    fn coalesced(mut self, body: &mut Term, permutations: Vec<Map<VarId, VarId>>, visits: &mut usize) {
        let turns = self.rotate(permutations, body, visits);
        let mut folds = self.may_begin_at_home(body, &turns);
        let before = (self.webs.clone(), self.homes.clone(), self.updated.clone());
        let in_one_buffer = loop {
            // Folds that begin in their destinations come first: such a state may be the initial state of a later fold,
            // or be kept by one.
            folds.retain(|f| self.begins_at_home(f, body, visits));
            let in_one_buffer = self.merge_states(&turns, body, visits);
            self.merge_copies(body, visits);
            let all = folds.len();
            self.spare_copies(&mut folds, &in_one_buffer);
            if folds.len() == all {
                break in_one_buffer;
            }
            (self.webs, self.homes, self.updated) = before.clone();
            self.at_home.clear();
        };
        for (x, of) in std::mem::take(&mut self.views) {
            // A copy that shares its storage with further places exists to be overwritten.
            if self.homes.get(&x).is_some_and(|p| self.members(self.web(*p)).count() > 1) {
                continue;
            }
            let home = self.homes.remove(&x);
            self.parts.insert(x, (of, false));
            if let Some(web) = self.home(of).map(|p| self.web(p))
                && !run::is_sound(&self, web, body, visits)
            {
                self.parts.remove(&x);
                self.homes.extend(home.map(|p| (x, p)));
            }
        }
        let at_home = folds.iter().map(|f| f.index).collect();
        let done = Done { in_one_buffer, turns, around: self.around(), at_home };
        self.rewrite(body, &done);
    }
}

impl Arrays {
    fn web(&self, place: usize) -> usize {
        self.webs[place]
    }

    /// The place of the array that a name belongs to.
    fn home(&self, x: VarId) -> Option<usize> {
        self.homes.get(&self.whole_of(x)).copied()
    }

    /// The array that a name is a part of, or the name itself.
    fn whole_of(&self, mut x: VarId) -> VarId {
        while let Some((of, _)) = self.parts.get(&x) {
            x = *of;
        }
        x
    }

    /// Whether a name is a name of the whole array `x`.
    fn is_all_of(&self, y: VarId, x: VarId) -> bool {
        self.is_whole(y) && self.whole_of(y) == x
    }

    /// The place of a destination, if it is one that an array may be in.
    fn place(&self, d: &Dest) -> Option<usize> {
        match d {
            Dest::Cell(_) => None,
            Dest::Storage(r, path) if path.is_empty() => self.whole.get(r).copied(),
            Dest::Storage(r, path) => self.places.iter().position(|p| p.r == *r && p.path == *path),
        }
    }

    /// Whether a state, its buffers and its destination are one web.
    fn is_in_one_buffer(&self, x: VarId) -> bool {
        let (state, home) = (self.states.iter().find(|(y, _)| *y == x), self.homes.get(&x));
        state.zip(home).is_some_and(|((_, buffers), home)| buffers.iter().all(|p| self.web(*p) == self.web(*home)))
    }

    /// Keeps states in one buffer where that is sound; returns these states.
    fn merge_states(&mut self, turns: &Map<VarId, VarId>, body: &Term, visits: &mut usize) -> Set<VarId> {
        let mut in_one_buffer = Set::new();
        for (x, buffers) in self.states.clone() {
            // A step that copies the state updates it; one that computes it anew is left to `in_place`.
            if turns.contains_key(&x) || !self.copies.iter().any(|(_, y)| self.is_all_of(*y, x)) {
                continue;
            }
            self.homes.insert(x, buffers[1]);
            if self.merges(&buffers, body, visits) {
                in_one_buffer.insert(x);
                self.updated.push(buffers[1]);
            } else {
                self.homes.remove(&x);
            }
        }
        in_one_buffer
    }

    /// Merges the two ends of copies of arrays that are updated. An array that is merged with an updated one may be
    /// updated as well, so this repeats until there are no more.
    fn merge_copies(&mut self, body: &Term, visits: &mut usize) {
        let mut copies = self.copies.clone();
        loop {
            let updated: Set<usize> = self.updated.iter().map(|p| self.web(*p)).collect();
            let is_updated = |p: usize| updated.contains(&self.web(p));
            let mut now = Vec::new();
            copies.retain(|(to, x)| {
                let Some(from) = self.storage_of(*x).filter(|from| self.web(*from) != self.web(*to)) else {
                    return false;
                };
                let ready = is_updated(*to) || is_updated(from);
                now.push_all(ready.then_some([from, *to]));
                !ready
            });
            if now.is_empty() {
                break;
            }
            self.merge_all(&now, body, visits);
        }
    }

    /// The place that a name is all of.
    fn storage_of(&self, x: VarId) -> Option<usize> {
        self.home(x).filter(|_| self.is_whole(x))
    }

    /// Merges the webs of each pair, all at once if that is sound, and otherwise those of each half: a program with few
    /// conflicts is run few times.
    fn merge_all(&mut self, pairs: &[[usize; 2]], body: &Term, visits: &mut usize) {
        if let ([_, ..], false) = (pairs, self.merge(pairs, body, visits))
            && pairs.len() > 1
        {
            let (first, second) = pairs.split_at(pairs.len() / 2);
            self.merge_all(first, body, visits);
            self.merge_all(second, body, visits);
        }
    }

    /// Merges the webs of some places, if that is sound.
    fn merges(&mut self, places: &[usize; 3], body: &Term, visits: &mut usize) -> bool {
        let [a, b, c] = *places;
        self.merge(&[[a, b], [a, c]], body, visits)
    }

    /// Merges the webs of each pair, if all of that is sound.
    fn merge(&mut self, pairs: &[[usize; 2]], body: &Term, visits: &mut usize) -> bool {
        let alike = |p: &Place, q: &Place| p.elem == q.elem && p.shape == q.shape;
        if pairs.iter().any(|[p, q]| !alike(&self.places[*p], &self.places[*q])) {
            return false;
        }
        let before = self.webs.clone();
        for [p, q] in pairs {
            let (web, other) = (self.web(*p), self.web(*q));
            self.webs.iter_mut().filter(|w| **w == other).for_each(|w| *w = web);
        }
        let mut merged: Set<usize> = pairs.iter().map(|[p, _]| self.web(*p)).collect();
        // A write to the storage of a row is a write to the array, and vice versa.
        loop {
            let ours = |(k, _): &(usize, &Place)| merged.contains(&self.web(*k));
            let roots: Set<VarId> = self.places.iter().enumerate().filter(ours).map(|(_, p)| p.r).collect();
            let beside = self.places.iter().enumerate().filter(|(_, p)| roots.contains(&p.r));
            let more: Vec<usize> = beside.map(|(k, _)| self.web(k)).filter(|web| !merged.contains(web)).collect_vec();
            if more.is_empty() {
                break;
            }
            merged.extend(more);
        }
        let sound = merged.into_iter().all(|web| self.has_one_root(web) && run::is_sound(self, web, body, visits));
        if !sound {
            self.webs = before;
        }
        sound
    }

    fn members(&self, web: usize) -> impl Iterator<Item = usize> {
        (0..self.places.len()).filter(move |p| self.web(*p) == web)
    }

    /// The place that each block is put in: the innermost place of its web around its allocation, or the place that
    /// this one is put in.
    fn around(&self) -> Map<usize, usize> {
        let mut found = Map::new();
        // For each web, the places around the present one, innermost last.
        let mut around: Map<usize, Vec<usize>> = Map::new();
        let mut all: Vec<usize> = (0..self.places.len()).collect_vec();
        sort_by_key(&mut all, |p| (self.places[*p].scope.0, self.places[*p].block.is_some()));
        for p in all {
            let place = &self.places[p];
            let around = around.entry(self.web(p)).or_default();
            while around.last().is_some_and(|q| self.places[*q].scope.1 < place.scope.0) {
                around.pop();
            }
            if let Some(at) = place.block {
                // Blocks of one allocation are not nested.
                let is_outside = |q: &&usize| self.places[**q].block.is_none_or(|begin| begin < at);
                if let Some(q) = around.iter().rfind(is_outside) {
                    found.insert(p, found.get(q).copied().unwrap_or(*q));
                }
            }
            around.push(p);
        }
        found
    }

    /// Whether a web is one piece of memory: all of its places but one are inside of it, or names for parts of it.
    fn has_one_root(&self, web: usize) -> bool {
        let mut members: Vec<usize> = self.members(web).collect_vec();
        sort_by_key(&mut members, |p| (self.places[*p].scope.0, self.places[*p].block.is_some()));
        // The places around the present one, innermost last.
        let (mut around, mut roots): (Vec<usize>, usize) = (Vec::new(), 0);
        for p in members {
            let place = &self.places[p];
            while around.last().is_some_and(|q| self.places[*q].scope.1 < place.scope.0) {
                around.pop();
            }
            let of_a_fold = place.path.is_empty().then(|| self.buffers.get(&place.r)).flatten();
            let is_root = match (place.block, of_a_fold) {
                (Some(_), _) => around.is_empty(),
                (None, Some(dest)) => self.web(*dest) != web,
                (None, None) => true,
            };
            roots += usize::from(is_root);
            around.push(p);
        }
        roots == 1
    }

    /// Nests the blocks of each web, drops the copies inside a web, and the second buffers of folds.
    fn rewrite(&self, t: &mut Term, done: &Done) {
        if let Some(alias) = self.part(t) {
            *t = alias;
        }
        match t {
            Term::Alloc(Alloc { blocks, .. }) => {
                for b in blocks {
                    let block = self.whole.get(&b.r).filter(|p| self.places[**p].block.is_some());
                    if let Some(place) = block.and_then(|p| done.around.get(p)) {
                        let Place { r, path, .. } = &self.places[*place];
                        b.placement = Placement::In(Dest::Storage(*r, path.clone()));
                    }
                }
            }
            Term::Fold(Fold { index, at_home, states, .. }) => {
                *at_home |= done.at_home.contains(index);
                for s in states {
                    let State::Array { x, other, onto, .. } = s else { continue };
                    *onto = done.turns.get(x).copied();
                    if onto.is_some() || done.in_one_buffer.contains(x) {
                        *other = None;
                    }
                }
            }
            Term::Copy(Copy { dest, view, .. }) if view.steps.is_empty() => {
                let to = self.place(dest).map(|p| self.web(p));
                if to.is_some() && to == self.home(view.base).map(|p| self.web(p)) && self.is_whole(view.base) {
                    *t = Term::AlreadyThere(dest.clone(), view.base);
                }
            }
            _ => {}
        }
        t.each_child_mut(&mut |c| self.rewrite(c, done));
    }

    /// The name for a part of an array that a copy of it becomes.
    fn part(&self, t: &mut Term) -> Option<Term> {
        let (x, view) = copied_part(t)?;
        let view = view.clone();
        let Term::Alloc(Alloc { blocks, body }) = t else { return None };
        let (Term::Fill(Fill { body, .. }), true) = (&mut **body, self.parts.contains_key(&x)) else { return None };
        let Block { elem, shape, .. } = blocks.pop()?;
        Some(Term::Alias(Alias { x, view, elem, shape, body: Box::new(body.take()) }))
    }

    /// Whether a name is the name of a whole array.
    fn is_whole(&self, x: VarId) -> bool {
        self.parts.get(&x).is_none_or(|(of, all)| *all && self.is_whole(*of))
    }
}

/// `alloc P (λr. let x{r} = copy r v in t)`, where `v` is a part of an array: `x` and `v`.
fn copied_part(t: &Term) -> Option<(VarId, &View)> {
    let Term::Alloc(Alloc { blocks, body }) = t else { return None };
    let ([block], Term::Fill(Fill { cells, arrays, write, .. })) = (blocks.as_slice(), &**body) else { return None };
    let ([], [(x, r)], Term::Copy(Copy { dest, view, .. })) = (cells.as_slice(), arrays.as_slice(), &**write) else {
        return None;
    };
    let own = *r == block.r && *dest == Dest::Storage(*r, vec![]);
    (own && !view.steps.is_empty()).then_some((*x, view))
}
