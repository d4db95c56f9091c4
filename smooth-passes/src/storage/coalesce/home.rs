//! Folds in two buffers that begin in their destinations.
//!
//! ```text
//! ifold … (λs. …) (copy s₀ x)   ⟶   ifold at home … (λs. …) (already_there s₀ x)        x is in the destination of s
//! ```
//!
//! A fold in two buffers begins in the one from which the last step writes the destination, so that nothing has to be
//! moved there in the end. But an initial state that exists must be copied, and inside a loop that keeps it in one
//! place, the last state must be copied back. A fold that begins in its destinations copies neither. The move of its
//! last state is left to `schedule/memory/double_buffers.rs`, which takes it out of the surrounding loops.
//!
//! Whether the first states can be in the destinations is the question of coalescing: home and first storage are one
//! web. All such folds are tried together, since one may begin with what another one leaves. Cycles of three buffers
//! begin where they end: to bring them home would be a rotation of arrays, which is no less than the copies. A second
//! buffer that the outer loop opens in each iteration, because another array has its place outside, keeps its fold at
//! home in the outer loop; then an odd number of steps costs one copy.

use super::Arrays;
use crate::dps::{Fold, State, Term};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::sorted::{Map, Set};

/// A fold that may begin in its destinations.
pub(super) struct Candidate {
    pub(super) index: VarId,
    /// Its states in two buffers, each with its first storage and its destination.
    states: Vec<(VarId, [usize; 2])>,
}

impl Arrays {
    /// The folds with a state that begins as a copy of an array, which may be in its destination, or as the result of
    /// such a fold.
    pub(super) fn may_begin_at_home(&self, body: &Term, turns: &Map<VarId, VarId>) -> Vec<Candidate> {
        let mut found = Vec::new();
        body.each(&mut |t| {
            if let Term::Fold(f) = t {
                found.push_all(self.candidate(f, turns));
            }
        });
        chosen(&mut found, |f| f.states.iter().any(|(_, [first, _])| self.copies.iter().any(|(to, _)| to == first)));
        found
    }

    fn candidate(&self, f: &Fold, turns: &Map<VarId, VarId>) -> Option<Candidate> {
        let mut states = Vec::new();
        for s in &f.states {
            let State::Array { x, other: Some(_), .. } = s else { continue };
            // Only pairs of buffers can be moved to their destinations.
            if turns.get(x).is_some_and(|y| turns.get(y) != Some(x)) {
                return None;
            }
            let (_, [first, _, dest]) = self.states.iter().find(|(y, _)| x == y)?;
            states.push((*x, [*first, *dest]));
        }
        (!states.is_empty()).then_some(Candidate { index: f.index, states })
    }

    /// Puts first states into the destinations of their fold, if that is sound.
    pub(super) fn begins_at_home(&mut self, f: &Candidate, body: &Term, visits: &mut usize) -> bool {
        let places: Vec<[usize; 2]> = f.states.iter().mapped(|(_, places)| *places);
        let first: Vec<VarId> = places.iter().mapped(|[first, _]| self.places[*first].r);
        self.at_home.extend(&first);
        let sound = self.merge(&places, body, visits);
        if sound {
            self.updated.push_all(places.iter().map(|[_, dest]| *dest));
        } else {
            self.at_home.retain(|r| !first.contains(r));
        }
        sound
    }

    /// Keeps the folds with a state in two buffers whose initial state is a copy of an array in its storage.
    pub(super) fn spare_copies(&self, folds: &mut Vec<Candidate>, in_one_buffer: &Set<VarId>) {
        chosen(folds, |f| {
            let states = f.states.iter().filter(|(x, _)| !in_one_buffer.contains(x));
            states.map(|(_, [first, _])| first).any(|first| {
                let is_there = |x: VarId| self.storage_of(x).is_some_and(|p| self.web(p) == self.web(*first));
                self.copies.iter().any(|(to, x)| to == first && is_there(*x))
            })
        });
    }
}

/// Keeps the folds that are wanted, and those that compute initial states of later folds that are kept.
fn chosen(folds: &mut Vec<Candidate>, is_wanted: impl Fn(&Candidate) -> bool) {
    let mut computed = Set::new();
    folds.reverse();
    folds.retain(|f| {
        let keep = is_wanted(f) || f.states.iter().any(|(_, [first, _])| computed.contains(first));
        computed.extend(f.states.iter().filter(|_| keep).map(|(_, [_, dest])| *dest));
        keep
    });
    folds.reverse();
}
