//! Folds: where their states are from step to step.

use super::Machine;
use super::memory::Part;
use crate::dps::{Fold, State};
use std::collections::BTreeMap;

impl Machine<'_> {
    /// All of a fold but what follows it.
    pub(super) fn fold(&mut self, Fold { count, index, states, init, step, .. }: &Fold) -> Result<(), String> {
        let n = self.usize(count)?;
        // The buffer that the initial state goes to, so that the last step writes the destination. In place they
        // are the same.
        let mut buffers = BTreeMap::new();
        for s in states {
            match s {
                State::Scalar { next, .. } => drop(self.scalars.remove(next)),
                State::Array { x, first, dest, other, .. } => {
                    let wanted = self.dest(dest)?;
                    let spare = other.map_or(Ok(wanted.clone()), |o| self.part(o))?;
                    let (now, free) =
                        if n.is_multiple_of(2) { (wanted.clone(), spare) } else { (spare, wanted.clone()) };
                    let now = Part { life: self.life(), ..now };
                    self.parts.insert(*first, now.clone());
                    buffers.insert(*x, (now, free, wanted));
                }
            }
        }
        self.term(init)?;
        self.turn(states)?;
        for k in 0..n {
            self.index(*index, k);
            for s in states {
                if let State::Array { x, next, .. } = s
                    && let Some((now, free, _)) = buffers.get_mut(x)
                {
                    self.read(now)?;
                    free.life = self.life();
                    self.parts.insert(*x, now.clone());
                    self.parts.insert(*next, free.clone());
                    std::mem::swap(now, free);
                }
            }
            self.term(step)?;
            self.turn(states)?;
        }
        buffers.values().try_for_each(|(now, _, wanted)| self.hand_over(now, wanted))
    }

    /// What was `next` is `now`.
    fn turn(&mut self, states: &[State]) -> Result<(), String> {
        for s in states {
            if let State::Scalar { now, next, .. } = s {
                let l = self.scalar(*next)?;
                self.scalars.remove(next);
                self.scalars.insert(*now, l);
            }
        }
        Ok(())
    }
}
