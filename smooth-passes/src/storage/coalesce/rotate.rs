//! States of a fold whose buffers change places.
//!
//! ```text
//! ifold … (λ a b. (… a' …, copy b' a))   ⟶   a' is written to the buffer of b, and b' is in the buffer of a
//! ```
//!
//! if nothing reads `b` after the step begins to write its buffer. Two buffers alternate, without a copy.

use super::{Arrays, run};
use crate::dps::{Copy, Dest, Fold, State, Term};
use crate::name::VarId;
use crate::sorted::Map;

impl Arrays {
    /// The states whose buffers change places, each with the one in whose buffer its next value is.
    pub(super) fn rotate(&mut self, body: &Term, visits: &mut usize) -> Map<VarId, VarId> {
        let mut folds = Vec::new();
        body.each(&mut |t| {
            if let Term::Fold(f) = t {
                folds.push(f);
            }
        });
        let mut turns = Map::new();
        for f in folds {
            let Some(candidate) = self.permutation(f) else { continue };
            if f.test.is_some() && candidate.iter().any(|(x, y)| candidate.get(y) != Some(x)) {
                continue;
            }
            let next = |x: &VarId| {
                f.states
                    .iter()
                    .find_map(|s| matches!(s, State::Array { x: y, .. } if y == x).then(|| place(self, s))?)
            };
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

    /// The state whose buffer the step writes for each state. Copies of states to other states determine some, the rest
    /// follows in order. `None` if no state is copied to a different one.
    fn permutation(&self, f: &Fold) -> Option<Map<VarId, VarId>> {
        let arrays: Vec<(VarId, usize)> = f.states.iter().filter_map(|s| Some((name(s)?, place(self, s)?))).collect();
        let copied = |to: usize| {
            let from = |d: &Dest, x: VarId| {
                let of = |y: &VarId| self.is_all_of(x, *y);
                (self.place(d) == Some(to)).then(|| arrays.iter().map(|(y, _)| *y).find(of)).flatten()
            };
            let mut found = None;
            f.step.each(&mut |t| {
                if let Term::Copy(Copy { dest, view, .. }) = t
                    && view.steps.is_empty()
                {
                    found = found.or(from(dest, view.base));
                }
            });
            found
        };
        let mut onto: Map<VarId, VarId> = Map::new();
        for (x, next) in &arrays {
            if let Some(y) = copied(*next).filter(|y| y != x && !onto.values().any(|z| z == y)) {
                onto.insert(*x, y);
            }
        }
        if onto.is_empty() {
            return None;
        }
        // A chain of copies ends in a buffer that is computed and not copied.
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
