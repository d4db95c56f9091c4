//! States of a fold whose buffers change places.
//!
//! ```text
//! ifold … (λ a b. (… a' …, copy b' a))   ⟶   a' is written to the buffer of b, and b' is in the buffer of a
//! ```
//!
//! if nothing reads `b` after the step begins to write its buffer. Two buffers alternate, without a copy.
//!
//! After `n` steps each state has moved `n` places along its cycle, so it begins where it ends in its destination. A
//! fold that may end early does not know `n`. It begins at home, in the destinations, and exchanges the values of a
//! pair after the last step if they are in each other's place; a single state in two buffers is copied then.

use super::{Arrays, run};
use crate::dps::{Fold, State, Term};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::sorted::{Map, Set};

/// The terms that take a state to the place of another one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Through {
    /// A copy alone.
    Copies,
    /// Updates as well: `(a, b) = (b, a); b[0] = 0.0`.
    Versions,
}

impl Arrays {
    /// The states of each fold whose buffers may change places, each with the state in whose buffer its next value
    /// would be.
    pub(super) fn permutations(&self, body: &Term, through: Through) -> Vec<Map<VarId, VarId>> {
        let mut found = Vec::new();
        body.each(&mut |t| {
            if let Term::Fold(f) = t {
                let states = self.permutation(f, through);
                // A fold that ends early only knows how to bring pairs home.
                let home = |states: &Map<VarId, VarId>| states.iter().all(|(x, y)| states.get(y) == Some(x));
                found.push_all(states.filter(|states| f.test.is_none() || home(states)));
            }
        });
        found
    }

    /// Lets buffers change places if that is sound. The result has these states, each with the state in whose buffer its
    /// next value is.
    pub(super) fn rotate(
        &mut self,
        permutations: Vec<Map<VarId, VarId>>,
        body: &Term,
        visits: &mut usize,
    ) -> Map<VarId, VarId> {
        let mut turns = Map::new();
        for candidate in permutations {
            let next = |x: &VarId| self.states.iter().find(|(y, _)| x == y).map(|(_, [_, next, _])| *next);
            let places: Vec<(VarId, usize)> =
                candidate.iter().filter_map(|(x, onto)| Some((*onto, next(x)?))).collect_vec();
            self.homes.extend(places.iter().copied());
            if places.iter().all(|(_, p)| run::is_sound(self, self.web(*p), body, visits)) {
                self.updated.push_all(places.iter().map(|(_, p)| *p));
                let of = |x: &VarId| self.states.iter().find(|(y, _)| x == y).map(|(_, [.., dest])| *dest);
                let dests: Vec<usize> = candidate.keys().filter_map(of).collect_vec();
                self.updated.push_all(dests);
                turns.extend(candidate);
            } else {
                self.homes.retain(|x, _| places.iter().all(|(y, _)| x != y));
            }
        }
        turns
    }

    /// The state whose buffer the step writes for each state. Copies of states to other states determine some, or later
    /// versions of other states do; the rest follows in order. `None` if no state takes another one's place.
    fn permutation(&self, f: &Fold, through: Through) -> Option<Map<VarId, VarId>> {
        let arrays: Vec<(VarId, usize)> =
            f.states.iter().filter_map(|s| Some((name(s)?, place(self, s)?))).collect_vec();
        let from = |next: usize| -> Vec<VarId> {
            let state = |x: VarId| arrays.iter().map(|(y, _)| *y).find(|y| self.is_all_of(x, *y));
            let copied = self.copies.iter().filter(|(to, _)| *to == next);
            let mut found: Vec<VarId> = copied.filter_map(|(_, x)| state(*x)).collect_vec();
            if found.is_empty() && through == Through::Versions {
                found.push_all(self.versions(next).into_iter().filter_map(state));
            }
            found
        };
        let all: Vec<(VarId, Vec<VarId>)> = arrays.iter().map(|(x, next)| (*x, from(*next))).collect_vec();
        let mut onto: Map<VarId, VarId> = Map::new();
        for (x, found) in &all {
            if let Some(y) = found.first().filter(|y| *y != x && !onto.values().any(|z| z == *y)) {
                onto.insert(*x, *y);
            }
        }
        if onto.is_empty() {
            return None;
        }
        // A chain of copies ends in a buffer that is computed and not copied.
        let heads: Vec<VarId> = onto.values().filter(|y| !onto.contains_key(y)).copied().collect_vec();
        for head in heads {
            let mut last = head;
            while let Some((x, _)) = onto.iter().find(|(_, y)| **y == last) {
                last = *x;
            }
            onto.insert(head, last);
        }
        let alike = |x: &VarId, y: &VarId| {
            let of = |v: &VarId| arrays.iter().find(|(x, _)| x == v).map(|(_, p)| &self.places[*p]);
            of(x).zip(of(y)).is_some_and(|(p, q)| p.elem == q.elem && p.shape == q.shape)
        };
        onto.iter().all(|(x, y)| alike(x, y)).then_some(onto)
    }

    /// The arrays with a later version in a place: those that are copied there, or to the storage of such an array.
    fn versions(&self, place: usize) -> Vec<VarId> {
        let (mut found, mut open, mut seen) = (Vec::new(), vec![place], Set::new());
        while let Some(place) = open.pop() {
            if !seen.insert(place) {
                continue;
            }
            // A fold begins with a copy to its first buffer, and ends in its destination.
            open.push_all(self.states.iter().filter(|(_, [.., dest])| *dest == place).map(|(_, [first, ..])| *first));
            for (_, x) in self.copies.iter().filter(|(to, _)| *to == place) {
                found.push(*x);
                open.push_all(self.storage_of(*x));
            }
        }
        found
    }
}

fn name(s: &State) -> Option<VarId> {
    match s {
        State::Array { x, other: Some(_), .. } => Some(*x),
        _ => None,
    }
}

/// The place of the next state.
fn place(arrays: &Arrays, s: &State) -> Option<usize> {
    match s {
        State::Array { next, .. } => arrays.whole.get(next).copied(),
        State::Scalar { .. } => None,
    }
}
