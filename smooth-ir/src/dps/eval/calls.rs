//! Calls of kernels.

use super::Machine;
use super::memory::Part;
use crate::dps::{Arg, Call, Dest, Term};
use crate::fsmooth::Callee;
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::shape::card::{Atom, Card};
use crate::value::{Lit, Value};

impl Machine<'_> {
    /// Counts a callee's frame, which is on top of the caller's while it runs.
    fn callee_frame(&mut self, callee: &Callee, sizes: &[Card]) -> Result<u64, String> {
        let atoms = crate::shape::entry_atoms(&callee.params);
        let values = sizes.iter().map(|c| self.card(c)).all_ok()?;
        let lookup = |a: &Atom| atoms.iter().position(|b| a == b).map_or(-1, |k| values[k] as i128);
        let bytes = callee.companion.frame.eval(&lookup).and_then(|b| u64::try_from(b).ok());
        let bytes = bytes.ok_or("a callee's frame is too large")?;
        self.peak = self.peak.max(self.in_use + bytes);
        Ok(bytes)
    }

    /// Applies a function parameter to numbers.
    pub(super) fn apply(&mut self, f: VarId, args: &[Term]) -> Result<Option<Lit>, String> {
        let args = args.iter().map(|t| self.value(t).map(Value::Scalar)).all_ok()?;
        let f = self.p.interface.params.iter().find(|p| p.var == f).ok_or("no such function")?;
        Ok(Some(self.world.apply(&f.name, &args)?.scalar()))
    }

    pub(super) fn call(&mut self, Call { callee, dests, args, sizes, .. }: &Call) -> Result<Option<Lit>, String> {
        let callee = &self.p.interface.callees[*callee];
        let bytes = self.callee_frame(callee, sizes)?;
        let mut values = Vec::new();
        let written = dests.iter().filter(|d| d.root().is_some()).map(|d| self.dest(d)).all_ok()?;
        let there = |k: usize| args.iter().any(|a| matches!(a, Arg::There(j) if *j == k));
        let given = dests.iter().enumerate().filter(|(k, d)| d.root().is_some() && !there(*k));
        let given = given.map(|(_, d)| self.dest(d)).all_ok()?;
        if let Some(t) = &self.touches {
            // Its destinations and its arguments are live while the callee runs.
            given.iter().for_each(|to| (0..to.len()).for_each(|c| t.write(to.block, to.offset + c)));
            t.call(bytes);
        }
        for a in args {
            values.push(match a {
                Arg::Scalar(t) => Value::Scalar(self.value(t)?),
                Arg::View(v, _) => {
                    let part = self.view(v)?;
                    written.iter().try_for_each(|to| apart(&part, to))?;
                    self.read(&part)?
                }
                Arg::There(k) => {
                    let part = self.dest(&dests[*k])?;
                    self.read(&part)?
                }
            });
        }
        let result = self.world.answer(callee, &values)?;
        if dests.is_empty() {
            return Ok(Some(result.scalar()));
        }
        let touches = self.touches.take();
        for (k, (d, v)) in dests.iter().zip(result.leaves()).enumerate() {
            match (d, v) {
                (d, Value::Array(a)) if there(k) => {
                    let to = self.dest(d)?;
                    a.data.iter().enumerate().try_for_each(|(k, l)| self.overwrite(&to.cell(k), *l))?;
                }
                (Dest::Cell(c), v) => self.assign(*c, v.scalar())?,
                (d, Value::Array(a)) => {
                    let to = self.dest(d)?;
                    self.write(&to, &a.data)?;
                }
                (d, v) => {
                    let to = self.dest(d)?;
                    self.store(&to, v.scalar())?;
                }
            }
        }
        self.touches = touches;
        Ok(None)
    }
}

/// Traps a part that is read while it is written.
pub(super) fn apart(read: &Part, written: &Part) -> Result<(), String> {
    let ends = |p: &Part| (p.offset, p.offset + p.len());
    let ((a, b), (c, d)) = (ends(read), ends(written));
    if read.block == written.block && a < d && c < b {
        Err("a cell is read and written at once".into())
    } else {
        Ok(())
    }
}
