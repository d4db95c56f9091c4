//! In-place update: an array that dies where another is made of it, element by element, gives it its storage.
//!
//! ```text
//! let x = t{r} in alloc P (λs. let y = build{s} n (λi. … x[i] …) in t₂)
//!                          ⟶   alloc in r P (λs. let y = build{s} n (λi. … old s[i] …) in t₂)   x dead in t₂
//! alloc P (λr. let x = t{r} in … build{d} n (λi. … x[i] …))
//!                          ⟶   alloc in d P (λr. let x = t{r} in … build{d} n (λi. … old d[i] …))
//! alloc P (λr. let x = t{r} in … copy d x)   ⟶   alloc in d P (λr. let x = t{r} in … here d x)
//! ifold … (λs. build{s'} n (λi. … s[i] …))   ⟶   the same in one buffer
//! ifold … (λs. alloc P (λr. let y = build{r} n (λi. … s[i] …) in … copy s' y))
//!                          ⟶   alloc in s' P (λr. let y = build{r} n (λi. … old r[i] …) in … here s' y), in one buffer
//! ```
//!
//! Peak: never rises, since an allocation goes and none comes.

use super::live::Lives;
use super::overwrite::{Over, copied, target};
use crate::dps::{Alias, Alloc, Block, Dest, Fill, Fold, Home, Leaf, Program, State, Term};
use crate::name::VarId;
use crate::shape::Shape;
use crate::ty::Scalar;
use std::collections::{BTreeMap, BTreeSet};

/// What is in scope.
struct Scope {
    lives: Lives,
    /// Storage, by its elements and shape.
    storage: BTreeMap<VarId, (Scalar, Shape)>,
    /// Arrays, with their storage.
    arrays: Vec<(VarId, VarId)>,
    /// Their last uses, with their places in `arrays`.
    ends: BTreeSet<(usize, usize)>,
    /// Storage that lives in other storage of its shape, and where.
    homes: BTreeMap<VarId, Dest>,
}

/// Updates in place wherever it may.
pub(super) fn in_place(program: &mut Program) {
    let lives = Lives::of(program);
    let mut scope =
        Scope { lives, storage: BTreeMap::new(), arrays: vec![], ends: BTreeSet::new(), homes: BTreeMap::new() };
    for leaf in &program.results {
        if let Leaf::Storage(r, elem, shape) = leaf {
            scope.storage.insert(*r, (*elem, shape.clone()));
        }
    }
    scope.walk(&mut program.body);
}

impl Scope {
    fn walk(&mut self, t: &mut Term) {
        let outside = self.arrays.len();
        match t {
            Term::Alloc(Alloc { blocks, body }) => {
                if let [b] = blocks.as_mut_slice()
                    && b.home == Home::Frame
                    && let Some(Filled { x, alone, write, body }) = filled(body, b.r)
                    && !(alone && self.over_a_dead_array(b, x, write))
                {
                    self.in_the_destination(b, x, write, body);
                }
                self.storage.extend(blocks.iter().map(|b| (b.r, (b.elem, b.shape.clone()))));
                self.walk(body);
            }
            Term::Fill(Fill { arrays, write, body, .. }) => {
                self.walk(write);
                for (x, r) in arrays.iter().copied() {
                    self.ends.insert((self.lives.last_use(x), self.arrays.len()));
                    self.arrays.push((x, r));
                }
                self.walk(body);
            }
            Term::Fold(Fold { states, init, step, then, .. }) => {
                self.walk(init);
                for s in states.iter() {
                    if let State::Array { next, elem, shape, .. } = s {
                        self.storage.insert(*next, (*elem, shape.clone()));
                    }
                }
                self.step_in_place(states, step);
                self.walk(step);
                self.walk(then);
            }
            t => t.children_mut().for_each(|c| self.walk(c)),
        }
        for (k, (x, _)) in self.arrays.drain(outside..).enumerate() {
            self.ends.remove(&(self.lives.last_use(x), outside + k));
        }
    }

    /// `let y = t{s} in …` over an array whose last use is in `t`.
    fn over_a_dead_array(&mut self, b: &mut Block, y: VarId, write: &mut Term) -> bool {
        let (start, full) = self.lives.fill(y);
        let d = Dest::Storage(b.r, vec![]);
        let dies_here = |(x, r): &&(VarId, VarId)| {
            self.storage.get(r).is_some_and(|(elem, shape)| *elem == b.elem && *shape == b.shape)
                && self.is_alone(*x, *r, b.r, full)
                && Over { x: *x, d: &d }.may(write)
                && !self.strangers(write, *x, *r)
        };
        let ends = self.ends.range((start, 0)..=(full, usize::MAX));
        let mut ends: Vec<usize> = ends.map(|(_, k)| *k).collect();
        ends.sort_unstable();
        let Some((x, r)) = ends.iter().rev().map(|k| &self.arrays[*k]).find(dies_here).copied() else { return false };
        Over { x, d: &d }.apply(write);
        // What `x` is in has its very shape: a chain of updates is in one place, and not each in the last.
        let home = self.homes.get(&r).cloned().unwrap_or(Dest::Storage(r, vec![]));
        self.homes.insert(b.r, home.clone());
        b.home = Home::In(home);
        self.lives.settle(b.r, self.lives.root(r));
        true
    }

    /// Whether nothing but `x` is wanted in its storage `r` while `s` is in use, and `x` only until `s` is full.
    fn is_alone(&self, x: VarId, r: VarId, s: VarId, full: usize) -> bool {
        let root = self.lives.root(r);
        let Some(span) = self.lives.seen_from(s, root) else { return false };
        let begun = self.lives.fill(x).1;
        let own = |b: &(usize, usize)| b.0 <= begun && b.1 <= full;
        self.lives.busy(root).iter().all(|b| b.1 < span.0 || b.0 > span.1 || own(b))
    }

    /// `let x = t{r} in …` in the destination that the rest writes, if the rest reads `x` where it writes.
    fn in_the_destination(&mut self, b: &mut Block, x: VarId, write: &Term, body: &mut Term) {
        if self.lives.last_use(x) < self.lives.tail(b.r) {
            return;
        }
        let Some(d @ Dest::Storage(..)) = target(body, x) else { return };
        let Dest::Storage(r, path) = &d else { return };
        let Some((elem, shape)) = self.storage.get(r) else { return };
        let alike = *elem == b.elem && shape.get(path.len()..) == Some(b.shape.as_slice());
        let over = Over { x, d: &d };
        let free = |t: &Term| t.uses(*r) == 0;
        if !alike || !free(write) || self.strangers(write, x, *r) || self.strangers(body, x, *r) {
            return;
        }
        if !each_tail(body, &free, &mut |t| over.may(t)) {
            return;
        }
        each_tail(body, &free, &mut |t| {
            over.apply(t);
            true
        });
        let root = self.lives.root(*r);
        self.homes.insert(b.r, d.clone());
        b.home = Home::In(d);
        self.lives.settle(b.r, root);
    }

    /// Whether a term has another name for `x`, or to do with its storage in another way than by writing `r`.
    fn strangers(&self, t: &Term, x: VarId, r: VarId) -> bool {
        let root = self.lives.root(r);
        let lives_there = |v: VarId| self.lives.root_of(v) == Some(root);
        let mut found = false;
        t.each(&mut |t| {
            found |= t.views().iter().any(|v| v.base != x && lives_there(v.base));
            found |= match t {
                Term::Alias(Alias { view, .. }) => view.base == x,
                Term::Here(_, y) => *y == x || lives_there(*y),
                Term::Old(d) => d.root().is_some_and(|s| self.lives.root(s) == root),
                Term::Alloc(_) => t.dests().iter().any(|d| d.root().is_some_and(|s| self.lives.root(s) == root)),
                t => t.dests().iter().any(|d| d.root().is_some_and(|s| s != r && self.lives.root(s) == root)),
            };
        });
        found
    }

    /// `ifold … (λs. build{s'} n (λi. … s[i] …))` in one buffer.
    fn step_in_place(&mut self, states: &mut [State], step: &mut Term) {
        for s in states {
            let State::Array { x, next, other, .. } = s else { continue };
            let d = Dest::Storage(*next, vec![]);
            let mut aliases = false;
            step.each(&mut |t| aliases |= matches!(t, Term::Alias(Alias { view, .. }) if view.base == *x));
            match self.by_a_name(*x, *next, aliases, step) {
                Named::InOneBuffer => {
                    *other = None;
                    self.lives.in_one_buffer(*x, *next);
                    continue;
                }
                Named::InTheOther => continue,
                Named::No => {}
            }
            let over = Over { x: *x, d: &d };
            if other.is_some() && over.may(step) {
                over.apply(step);
                *other = None;
                self.lives.in_one_buffer(*x, *next);
            }
        }
    }
}

/// What is put into a storage, and what follows.
struct Filled<'t> {
    x: VarId,
    /// Whether nothing else is computed with it.
    alone: bool,
    write: &'t mut Term,
    body: &'t mut Term,
}

/// What `r` is allocated for, beside the other parts of a tuple.
fn filled(t: &mut Term, r: VarId) -> Option<Filled<'_>> {
    match t {
        Term::Alloc(Alloc { body, .. }) => filled(body, r),
        Term::Fill(Fill { cells, arrays, write, body }) => {
            let (x, _) = arrays.iter().find(|(_, s)| *s == r)?;
            Some(Filled { x: *x, alone: cells.is_empty() && arrays.len() == 1, write, body })
        }
        _ => None,
    }
}

/// Whether a fold's next state has a name before it is copied to where it goes, and is now made there.
enum Named {
    No,
    /// In the other one of two buffers.
    InTheOther,
    /// Over the old state.
    InOneBuffer,
}

impl Scope {
    /// A step that makes the next state of `x` under a name, and then copies it.
    fn by_a_name(&mut self, x: VarId, next: VarId, aliases: bool, t: &mut Term) -> Named {
        match t {
            Term::Alloc(Alloc { blocks, body }) => {
                if let [b] = blocks.as_mut_slice()
                    && b.home == Home::Frame
                    && let Some(Filled { x: y, alone: true, write, body }) = filled(body, b.r)
                    && copied(body, y) == Some(&Dest::Storage(next, vec![]))
                {
                    self.in_the_destination(b, y, write, body);
                    if b.home == Home::Frame {
                        return Named::No;
                    }
                    let d = Dest::Storage(b.r, vec![]);
                    let over = Over { x, d: &d };
                    if aliases || body.uses(x) > 0 || !over.may(write) {
                        return Named::InTheOther;
                    }
                    over.apply(write);
                    return Named::InOneBuffer;
                }
                self.by_a_name(x, next, aliases, body)
            }
            t => t.scope_mut().map_or(Named::No, |body| self.by_a_name(x, next, aliases, body)),
        }
    }
}

/// Whether `f` holds for the tails of a term, and `free` for what stands before them.
fn each_tail(t: &mut Term, free: &impl Fn(&Term) -> bool, f: &mut impl FnMut(&mut Term) -> bool) -> bool {
    match t {
        Term::If(c, a, b) => free(c) && each_tail(a, free, f) && each_tail(b, free, f),
        t if t.scope().is_none() => f(t),
        t => {
            t.split_scope_mut().is_some_and(|(before, body)| before.iter().all(|t| free(t)) && each_tail(body, free, f))
        }
    }
}
