//! Folds: the buffers of their states in each iteration.

use super::Machine;
use super::memory::Part;
use crate::dps::{Fold, State};
use crate::name::VarId;
use crate::sorted::Map;

impl Machine<'_> {
    /// Runs a fold, without the term that follows it.
    pub(super) fn fold(&mut self, f: &Fold) -> Result<(), String> {
        let Fold { count, index, test, states, init, step, .. } = f;
        let n = self.usize(count)?;
        // The initial state is written to the buffer from which the last step ends in the destination. In place there
        // is one buffer.
        let mut buffers = Map::new();
        for s in states {
            match s {
                State::Scalar { next, .. } => drop(self.scalars.remove(next)),
                State::Array { x, dest, other, .. } => {
                    let wanted = self.dest(dest)?;
                    let spare = other.map_or(Ok(wanted.clone()), |o| self.part(o))?;
                    let (now, free) = if f.begins_at_home() || n.is_multiple_of(2) {
                        (wanted.clone(), spare)
                    } else {
                        (spare, wanted.clone())
                    };
                    let now = Part { life: self.life(), ..now };
                    buffers.insert(*x, (now, free, wanted));
                }
            }
        }
        let wanted: Map<VarId, Part> = buffers.iter().map(|(x, (.., wanted))| (*x, wanted.clone())).collect();
        for s in states {
            let State::Array { x, first, .. } = s else { continue };
            let Some((now, ..)) = buffers.get_mut(x) else { continue };
            if let Some(end) = turns(states, *x, n, f.begins_at_home()).and_then(|y| wanted.get(&y)) {
                *now = Part { life: now.life, ..end.clone() };
            }
            self.parts.insert(*first, now.clone());
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
                    return self.bring_home(buffers.into_values());
                }
            }
            let present: Map<VarId, Part> = buffers.iter().map(|(x, (now, ..))| (*x, now.clone())).collect();
            for s in states {
                if let State::Array { x, next, onto, .. } = s
                    && let Some((now, free, _)) = buffers.get_mut(x)
                {
                    self.full(now)?;
                    if let Some(place) = onto.and_then(|y| present.get(&y)) {
                        *free = place.clone();
                    }
                    free.life = self.life();
                    self.parts.insert(*x, now.clone());
                    self.parts.insert(*next, free.clone());
                    std::mem::swap(now, free);
                }
            }
            self.term(step)?;
            self.advance(states)?;
        }
        if f.begins_at_home() {
            return self.bring_home(buffers.into_values());
        }
        buffers.values().try_for_each(|(now, _, wanted)| self.hand_over(now, wanted))
    }

    /// Ends a fold that began at home after some number of steps: copies each state that is not in its destination
    /// there.
    fn bring_home(&mut self, buffers: impl Iterator<Item = (Part, Part, Part)>) -> Result<(), String> {
        let states = buffers.map(|(now, _, wanted)| Ok((self.read(&now)?, now, wanted)));
        for (value, now, wanted) in states.collect::<Result<Vec<_>, String>>()? {
            if (now.block, now.offset) == (wanted.block, wanted.offset) {
                self.hand_over(&now, &wanted)?;
            } else {
                self.write(&wanted, &value.array().data)?;
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

/// The state in whose destination the buffer of `x` ends after `n` steps, if buffers change places.
fn turns(states: &[State], x: VarId, n: usize, at_home: bool) -> Option<VarId> {
    let mut cycle = vec![x];
    loop {
        let last = *cycle.last()?;
        let next = states.iter().find_map(|s| match s {
            State::Array { x, onto, .. } if *x == last => Some(*onto),
            _ => None,
        })??;
        if next == x {
            break;
        }
        cycle.push(next);
    }
    // A step moves each state to the buffer of the next state of the cycle. The initial state is `steps` steps before
    // its end.
    let steps = if at_home { 0 } else { n % cycle.len() };
    Some(cycle[(cycle.len() - steps) % cycle.len()])
}
