//! Folds: where their states are in each iteration.

use super::Machine;
use super::memory::Part;
use crate::dps::{Fold, State};
use crate::value::Value;
use std::collections::BTreeMap;

impl Machine<'_> {
    /// Runs a fold, without the term that follows it.
    pub(super) fn fold(&mut self, Fold { count, index, test, states, init, step, .. }: &Fold) -> Result<(), String> {
        let n = self.usize(count)?;
        // The initial state goes to the buffer from which the last step ends up in the destination. In place there is
        // one buffer.
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
        self.advance(states)?;
        for k in 0..n {
            self.index(*index, k);
            if let Some(test) = test {
                for s in states {
                    if let State::Array { x, .. } = s
                        && let Some((now, ..)) = buffers.get(x)
                    {
                        self.parts.insert(*x, now.clone());
                    }
                }
                if !self.bool(test)? {
                    return self.end_early(buffers.into_values());
                }
            }
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
            self.advance(states)?;
        }
        buffers.values().try_for_each(|(now, _, wanted)| self.hand_over(now, wanted))
    }

    /// Ends a fold between two steps: a state that is not in its destination is copied there.
    fn end_early(&mut self, buffers: impl Iterator<Item = (Part, Part, Part)>) -> Result<(), String> {
        for (now, _, wanted) in buffers {
            if (now.block, now.offset) == (wanted.block, wanted.offset) {
                self.hand_over(&now, &wanted)?;
            } else {
                let Value::Array(a) = self.read(&now)? else { return Err("a state that is no array".into()) };
                self.write(&wanted, &a.data)?;
            }
        }
        Ok(())
    }

    /// After a step: `next` becomes `now`.
    fn advance(&mut self, states: &[State]) -> Result<(), String> {
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
