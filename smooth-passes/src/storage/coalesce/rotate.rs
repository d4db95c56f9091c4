//! States of a fold whose buffers change places.
//!
//! ```text
//! ifold … (λ a b. (… a' …, copy b' a))   ⟶   a' is written where b was, and b' is where a was
//! ```
//!
//! if nothing reads `b` when the step begins to write there: two buffers that take turns, without a copy.

use super::{Arrays, run};
use crate::dps::{Fold, State, Term};
use crate::name::VarId;
use crate::sorted::{Map, Set};

/// What takes a state to the place of another one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Through {
    /// A copy alone.
    Copies,
    /// Updates as well: `(a, b) = (b, a); b[0] = 0.0`.
    Versions,
}

impl Arrays {
    /// The states of each fold whose buffers may change places, each with the one in whose buffer its next value would be.
    pub(super) fn permutations(&self, body: &Term, through: Through) -> Vec<Map<VarId, VarId>> {
        let mut found = Vec::new();
        body.each(&mut |t| {
            if let Term::Fold(f) = t {
                let states = self.permutation(f, through);
                // A fold that ends early only knows how to bring pairs home.
                let home = |states: &Map<VarId, VarId>| states.iter().all(|(x, y)| states.get(y) == Some(x));
                found.extend(states.filter(|states| f.test.is_none() || home(states)));
            }
        });
        found
    }

    /// Lets buffers change places where that is sound: these states, each with the one in whose buffer its next value is.
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
                candidate.iter().filter_map(|(x, onto)| Some((*onto, next(x)?))).collect();
            self.homes.extend(places.iter().copied());
            if places.iter().all(|(_, p)| run::is_sound(self, self.web(*p), body, visits)) {
                self.updated.extend(places.iter().map(|(_, p)| *p));
                let of = |x: &VarId| self.states.iter().find(|(y, _)| x == y).map(|(_, [.., dest])| *dest);
                let dests: Vec<usize> = candidate.keys().filter_map(of).collect();
                self.updated.extend(dests);
                turns.extend(candidate);
            } else {
                self.homes.retain(|x, _| places.iter().all(|(y, _)| x != y));
            }
        }
        turns
    }

    /// Which state's buffer the step writes for each state: given by the copies of states into others, the rest in
    /// order. `None` if no state is copied into another.
    fn permutation(&self, f: &Fold, through: Through) -> Option<Map<VarId, VarId>> {
        let arrays: Vec<(VarId, usize)> = f.states.iter().filter_map(|s| Some((name(s)?, place(self, s)?))).collect();
        let from = |next: usize| -> Vec<VarId> {
            let state = |x: VarId| arrays.iter().map(|(y, _)| *y).find(|y| self.is_all_of(x, *y));
            let copied = self.copies.iter().filter(|(to, _)| *to == next);
            let mut found: Vec<VarId> = copied.filter_map(|(_, x)| state(*x)).collect();
            if found.is_empty() && through == Through::Versions {
                found.extend(self.versions(next).into_iter().filter_map(state));
            }
            found
        };
        let all: Vec<(VarId, Vec<VarId>)> = arrays.iter().map(|(x, next)| (*x, from(*next))).collect();
        let mut onto: Map<VarId, VarId> = Map::new();
        for (x, found) in &all {
            if let Some(y) = found.first().filter(|y| *y != x && !onto.values().any(|z| z == *y)) {
                onto.insert(*x, *y);
            }
        }
        if onto.is_empty() {
            return None;
        }
        // A chain of copies ends where something new is computed: in the buffer that nobody copies.
        let heads: Vec<VarId> = onto.values().filter(|y| !onto.contains_key(y)).copied().collect();
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
}

impl Arrays {
    /// The arrays of which something in a place is a later version: those that are copied there, and to where these are.
    fn versions(&self, place: usize) -> Vec<VarId> {
        let (mut found, mut open, mut seen) = (Vec::new(), vec![place], Set::new());
        while let Some(place) = open.pop() {
            if !seen.insert(place) {
                continue;
            }
            // A fold begins with a copy to its first buffer, and ends in its destination.
            open.extend(self.states.iter().filter(|(_, [.., dest])| *dest == place).map(|(_, [first, ..])| *first));
            for (_, x) in self.copies.iter().filter(|(to, _)| *to == place) {
                found.push(*x);
                open.extend(self.storage_of(*x));
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
