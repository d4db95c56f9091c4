//! A run of a program on names: which array does a web of storage hold, and is it the one that is read?
//!
//! ```text
//! let x{r} = t in …    afterwards r's web holds x alone
//! copy r x             if x is in r's web, the value loses the name x and nothing happens
//! d ← t, …             any other write leaves a value without a name there
//! v                    a conflict unless the web holds the array that v is a part of
//! ```
//!
//! A loop is run until the state before its first iteration is that before every iteration. Loops that do not use the
//! web are skipped.
//!
//! Nested loops, branches that keep a state, tuples of states and calls need no rules of their own. An array in the
//! storage of a row is written in the array around it, so that the web of the array is run again when a row's web
//! grows.

use super::Arrays;
use crate::dps::{Alias, Copy, Dest, Fill, Fold, State, Term, are_apart};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::role::Role;
use crate::sorted::Set;

/// A read of an array that has been overwritten.
struct Conflict;

/// A run on names, for one web.
struct Run<'a> {
    arrays: &'a Arrays,
    web: usize,
    /// The storage that the web is in, or may be in.
    storage: Set<VarId>,
    /// The names of its arrays and of their parts.
    names: Set<VarId>,
    /// The nodes that use the web's storage or arrays.
    uses: Set<usize>,
    /// The array that the web holds.
    holds: Option<VarId>,
    /// The buffers that the surrounding fold in two buffers writes now, if one of its buffers is the web's. Nothing else
    /// may write.
    owners: Option<Set<VarId>>,
    visits: &'a mut usize,
}

/// Whether the web may be one piece of memory.
pub(super) fn is_sound(arrays: &Arrays, web: usize, body: &Term, visits: &mut usize) -> bool {
    let mut storage: Set<VarId> = arrays.members(web).map(|p| arrays.places[p].r).collect();
    loop {
        // The buffers of a fold are its destination and a second one; those of an inner fold are in one of these.
        let buffers = arrays.buffers.iter().filter(|(_, d)| storage.contains(&arrays.places[**d].r)).map(|(r, _)| *r);
        // A row and its array share memory, so the web also uses the storage of all places that share that of either.
        let rows = arrays.places.iter().enumerate();
        let rows = rows.filter(|(_, p)| storage.contains(&p.r) && !is_apart(arrays, web, p.r, &p.path));
        let rows = rows.flat_map(|(p, _)| arrays.members(arrays.web(p))).map(|p| arrays.places[p].r);
        let more: Vec<VarId> = buffers.chain(rows).filter(|r| !storage.contains(r)).collect_vec();
        if more.is_empty() {
            break;
        }
        storage.extend(more);
    }
    let names = arrays.homes.keys().chain(arrays.parts.keys()).copied();
    let names: Set<VarId> = names.filter(|x| arrays.home(*x).is_some_and(|p| arrays.web(p) == web)).collect();
    let uses = storage.iter().chain(&names).filter_map(|v| arrays.uses.get(v)).flatten().copied().collect();
    let holds = arrays.given.iter().copied().find(|x| names.contains(x));
    Run { arrays, web, storage, names, uses, holds, owners: None, visits }.term(body, 0).is_ok()
}

/// Whether storage at a path is a row that the web does not contain. All places of the web in this storage must be
/// rows.
fn is_apart(arrays: &Arrays, web: usize, r: VarId, path: &[Term]) -> bool {
    let mut own = arrays.members(web).map(|p| &arrays.places[p]).filter(|p| p.r == r).peekable();
    own.peek().is_some() && own.all(|p| are_apart(&p.path, path))
}

impl Run<'_> {
    fn term(&mut self, t: &Term, at: usize) -> Result<(), Conflict> {
        let end = self.arrays.ends[at];
        if self.uses.range(at..=end).next().is_none() {
            return Ok(());
        }
        *self.visits = self.visits.checked_sub(1).ok_or(Conflict)?;
        let mut next = at + 1;
        let mut parts = Vec::new();
        t.each_part(&mut |role, part| {
            parts.push((role, part, next));
            next = self.arrays.ends[next] + 1;
        });
        match t {
            Term::Fold(f) => return self.fold(f, &parts),
            Term::If(..) => {
                let [c, a, b] = parts[..] else { return Err(Conflict) };
                self.term(c.1, c.2)?;
                let before = self.holds;
                self.term(a.1, a.2)?;
                let after = std::mem::replace(&mut self.holds, before);
                self.term(b.1, b.2)?;
                self.holds = self.holds.filter(|x| after == Some(*x));
                return Ok(());
            }
            Term::Fill(Fill { arrays, .. }) => {
                let [write, body] = parts[..] else { return Err(Conflict) };
                self.term(write.1, write.2)?;
                // A web holds one value, and each of these is written.
                if arrays.iter().filter(|(x, _)| self.is_ours(*x)).count() > 1 {
                    return Err(Conflict);
                }
                arrays.iter().for_each(|(x, _)| self.name(*x));
                return self.term(body.1, body.2);
            }
            // Its body may be the end of the array that it names a part of.
            Term::Alias(Alias { view, .. }) => {
                let Some((body, operands)) = parts.split_last() else { return Err(Conflict) };
                operands.iter().try_for_each(|i| self.term(i.1, i.2))?;
                self.read(view.base)?;
                return self.term(body.1, body.2);
            }
            _ => {}
        }
        for (role, part, at) in parts {
            match role {
                Role::Once => self.term(part, at)?,
                Role::Maybe => {
                    let before = self.holds;
                    self.term(part, at)?;
                    self.holds = self.holds.filter(|x| before == Some(*x));
                }
                Role::Often | Role::Deferred => self.iterations(|run| run.term(part, at))?,
            }
        }
        self.own(t)
    }

    /// A loop. Before each iteration the web holds the same array as before the loop, if every iteration leaves it
    /// there.
    fn iterations(&mut self, mut body: impl FnMut(&mut Self) -> Result<(), Conflict>) -> Result<(), Conflict> {
        let before = self.holds;
        body(self)?;
        if self.holds != before {
            self.holds = None;
            body(self)?;
            self.holds = None;
        }
        Ok(())
    }

    /// The reads and writes of a node itself.
    fn own(&mut self, t: &Term) -> Result<(), Conflict> {
        match t {
            Term::Copy(Copy { dest, view, .. }) if view.steps.is_empty() && self.is_inside(dest, view.base) => {
                self.hand_over(view.base)
            }
            Term::AlreadyThere(d, x) if self.is_inside(d, *x) => self.hand_over(*x),
            t => {
                let reads = t.views().iter().any(|v| self.is_ours(v.base));
                t.views().into_iter().try_for_each(|v| self.read(v.base))?;
                let dests: Vec<&Dest> = t.dests().into_iter().filter(|d| self.touches(d)).collect_vec();
                // A copy of a part of the web, and a call, read while they write.
                if reads && !dests.is_empty() {
                    return Err(Conflict);
                }
                dests.into_iter().try_for_each(|d| self.write(d))
            }
        }
    }

    fn fold(&mut self, f: &Fold, parts: &[(Role, &Term, usize)]) -> Result<(), Conflict> {
        let arrays = self.arrays;
        let (mut ours, mut firsts, mut nexts) = (Vec::new(), Set::new(), Set::new());
        for s in &f.states {
            let State::Array { x, first, next, dest, other, .. } = s else { continue };
            if arrays.homes.get(x).is_some_and(|p| arrays.web(*p) == self.web) {
                ours.push(*x);
            } else if arrays.is_in_one_buffer(*x) {
                // It is written like any other storage.
            } else if self.touches(dest) || other.is_some_and(|o| self.storage.contains(&o)) {
                firsts.insert(*first);
                nexts.insert(*next);
            }
        }
        let outer = self.owners.clone();
        // If a fold begins in its destinations, the buffers are its own from the first step on.
        let at_home = f.states.iter().filter_map(State::first).any(|r| arrays.at_home.contains(&r));
        let own = |run: &mut Self, buffers: &Set<VarId>| {
            if !buffers.is_empty() {
                run.holds = None;
                run.owners = Some(buffers.clone());
            }
        };
        if !at_home {
            own(self, &firsts);
        }
        for (_, part, at) in parts {
            if std::ptr::eq(*part, &raw const *f.step) {
                continue;
            }
            if f.test.as_ref().is_some_and(|t| std::ptr::eq(*part, &raw const **t)) {
                continue;
            }
            if std::ptr::eq(*part, &raw const *f.then) {
                own(self, &nexts);
                self.steps(f, parts, &ours)?;
                self.owners.clone_from(&outer);
                if self.owners.is_none() && !ours.is_empty() {
                    self.holds = None;
                }
            }
            self.term(part, *at)?;
        }
        Ok(())
    }

    /// The iterations of a fold. `ours`: the states that are in the web.
    fn steps(&mut self, f: &Fold, parts: &[(Role, &Term, usize)], ours: &[VarId]) -> Result<(), Conflict> {
        let often: Vec<_> = parts.iter().filter(|(role, ..)| *role == Role::Often).copied().collect_vec();
        debug_assert_eq!(often.len(), 1 + usize::from(f.test.is_some()));
        let once = |run: &mut Self| often.iter().try_for_each(|(_, part, at)| run.term(part, *at));
        match ours {
            [] => self.iterations(once),
            [x] => {
                self.name(*x);
                once(self)
            }
            _ => Err(Conflict),
        }
    }

    /// Names the array that was written.
    fn name(&mut self, x: VarId) {
        if self.arrays.homes.contains_key(&x) && self.is_ours(x) {
            self.holds = Some(x);
        }
    }

    fn is_ours(&self, x: VarId) -> bool {
        self.names.contains(&x)
    }

    /// Whether a destination may be in the web's storage.
    fn touches(&self, d: &Dest) -> bool {
        let Dest::Storage(r, path) = d else { return false };
        self.storage.contains(r) && !is_apart(self.arrays, self.web, *r, path)
    }

    fn read(&self, x: VarId) -> Result<(), Conflict> {
        if !self.is_ours(x) || self.holds == Some(self.arrays.whole_of(x)) { Ok(()) } else { Err(Conflict) }
    }

    /// A copy that becomes a no-op: the contents are no longer `x`, but the copy.
    fn hand_over(&mut self, x: VarId) -> Result<(), Conflict> {
        self.read(x)?;
        self.holds = None;
        Ok(())
    }

    /// Whether a destination is all of the web, and the array is in it.
    fn is_inside(&self, d: &Dest, x: VarId) -> bool {
        self.arrays.is_whole(x)
            && self.is_ours(x)
            && self.arrays.place(d).is_some_and(|p| self.arrays.web(p) == self.web)
    }

    fn write(&mut self, d: &Dest) -> Result<(), Conflict> {
        let Some(r) = d.root() else { return Ok(()) };
        if self.owners.as_ref().is_some_and(|owners| !self.is_in(r, owners)) {
            return Err(Conflict);
        }
        self.holds = None;
        Ok(())
    }

    /// Whether storage is one of these buffers or inside of one: in one web with it, or the buffer of a fold whose
    /// destination is.
    fn is_in(&self, r: VarId, buffers: &Set<VarId>) -> bool {
        let arrays = self.arrays;
        let (mut open, mut seen) = (vec![r], Set::new());
        while let Some(r) = open.pop() {
            if buffers.contains(&r) {
                return true;
            }
            if seen.insert(r) {
                let web = arrays.whole.get(&r).into_iter().flat_map(|p| arrays.members(arrays.web(*p)));
                open.push_all(web.chain(arrays.buffers.get(&r).copied()).map(|p| arrays.places[p].r));
            }
        }
        false
    }
}
