//! In-place update: if an array is computed element by element from one that is dead afterwards, it takes its storage.
//!
//! ```text
//! let x{r} = t in alloc P (λs. let y{s} = build n (λi. … x[i] …) in t₂)
//!                          ⟶   alloc in r P (λs. let y{s} = build n (λi. … previous s[i] …) in t₂)   x dead in t₂
//! alloc P (λr. let x{r} = t in … build{d} n (λi. … x[i] …))
//!                          ⟶   alloc in d P (λr. let x{r} = t in … build{d} n (λi. … previous d[i] …))
//! alloc P (λr. let x{r} = t in … copy d x)   ⟶   alloc in d P (λr. let x{r} = t in … already_there d x)
//! ifold … (λs. build{s'} n (λi. … s[i] …))   ⟶   in one buffer: ifold … (λs. build{s'} n (λi. … previous s'[i] …))
//! ifold … (λ a b. (build{a'} n (λi. … b[i] …) ; copy b' a))
//!                          ⟶   in two buffers that change places: … (build{a'} n (λi. … previous a'[i] …) ; already_there b' a)
//! ifold … (λs. alloc P (λr. let y{r} = build n (λi. … s[i] …) in … copy s' y))
//!                          ⟶   alloc in s' P (λr. let y{r} = build n (λi. … previous r[i] …) in … already_there s' y)
//!                              in one buffer
//! ```
//!
//! Peak: never rises, since an allocation is removed and none is added.

use super::borrowed::borrowed;
use super::in_out::{is_copy_of, settle};
use super::live::Liveness;
use super::overwrite::{Overwrite, copied, target};
use crate::dps::{Alias, Alloc, Block, Copy, Dest, Fill, Fold, Leaf, Placement, Program, RowThere, State, Term};
use crate::name::VarId;
use crate::shape::Shape;
use crate::sorted::{Map, Set};
use crate::ty::Scalar;

/// The storage and the arrays in scope.
struct Scope {
    liveness: Liveness,
    /// Storage, with its element type and shape.
    storage: Map<VarId, (Scalar, Shape)>,
    /// Arrays, with their storage, in the order in which they were named.
    arrays: Vec<(VarId, VarId)>,
    /// Their last uses, with their indices in `arrays`.
    ends: Set<(usize, usize)>,
    /// Blocks that were placed in other storage of their shape, and where.
    placed: Map<VarId, Dest>,
    /// The in-out arrays that are in the destinations at first.
    given: Map<VarId, VarId>,
    /// The states that are where their folds write next ones.
    present: Map<VarId, VarId>,
}

/// Updates in place wherever that is sound.
pub(super) fn in_place(program: &mut Program) {
    let liveness = Liveness::of(program);
    let mut scope = Scope {
        liveness,
        storage: Map::new(),
        arrays: vec![],
        ends: Set::new(),
        placed: Map::new(),
        given: Map::new(),
        present: Map::new(),
    };
    for leaf in &program.results {
        if let Leaf::Storage(r, elem, shape) = leaf {
            scope.storage.insert(*r, (*elem, shape.clone()));
            scope.given.extend(program.given_in(*r).map(|x| (*r, x)));
        }
    }
    scope.walk(&mut program.body);
    borrowed(program);
    settle(program);
}

impl Scope {
    fn walk(&mut self, t: &mut Term) {
        let outside = self.arrays.len();
        match t {
            Term::Alloc(Alloc { blocks, body }) => {
                if let [b] = blocks.as_mut_slice()
                    && b.placement == Placement::Frame
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
                    self.ends.insert((self.liveness.last_use(x), self.arrays.len()));
                    self.arrays.push((x, r));
                }
                self.walk(body);
            }
            Term::Fold(Fold { count, at_home, states, init, test, step, then, .. }) => {
                self.walk(count);
                self.walk(init);
                test.iter_mut().for_each(|t| self.walk(t));
                for s in states.iter() {
                    if let State::Array { next, elem, shape, .. } = s {
                        self.storage.insert(*next, (*elem, shape.clone()));
                    }
                }
                self.step_in_place(states, *at_home || test.is_some(), step);
                self.walk(step);
                self.walk(then);
            }
            t => t.each_child_mut(&mut |c| self.walk(c)),
        }
        for (k, (x, _)) in self.arrays.drain(outside..).enumerate() {
            self.ends.remove(&(self.liveness.last_use(x), outside + k));
        }
    }

    /// `let y{s} = t in …` in the storage of an array whose last use is in `t`.
    fn over_a_dead_array(&mut self, b: &mut Block, y: VarId, write: &mut Term) -> bool {
        let (start, full) = self.liveness.fill(y);
        let d = Dest::Storage(b.r, vec![]);
        let dies_here = |(x, r): &&(VarId, VarId)| {
            self.storage.get(r).is_some_and(|(elem, shape)| *elem == b.elem && *shape == b.shape)
                && self.is_alone(*x, *r, b.r, full)
                && Overwrite { x: *x, d: &d }.is_sound_in(write)
                && !self.has_others(write, *x, &Dest::Storage(*r, vec![]), None)
        };
        let ends = self.ends.range((start, 0)..=(full, usize::MAX));
        let ends: Set<usize> = ends.map(|(_, k)| *k).collect();
        let Some((x, r)) = ends.iter().rev().map(|k| &self.arrays[*k]).find(dies_here).copied() else { return false };
        Overwrite { x, d: &d }.apply(write);
        // All of a chain of updates is placed in the first storage, which has the shape of each.
        let place = self.placed.get(&r).cloned().unwrap_or(Dest::Storage(r, vec![]));
        self.placed.insert(b.r, place.clone());
        b.placement = Placement::In(place);
        self.liveness.settle(b.r, r, &[]);
        true
    }

    /// Whether `x` is the only live value in its storage `r` while `s` is in use, and is dead once `s` is full.
    fn is_alone(&self, x: VarId, r: VarId, s: VarId, full: usize) -> bool {
        let root = self.liveness.root(r);
        let Some(range) = self.liveness.seen_from(s, root) else { return false };
        let begun = self.liveness.fill(x).1;
        let own = |b: &(usize, usize)| b.0 <= begun && b.1 <= full;
        self.liveness.live_ranges(root).iter().all(|b| b.1 < range.0 || b.0 > range.1 || own(b))
    }

    /// `let x{r} = t in …` in the destination that the rest writes, if the rest reads each element of `x` where it
    /// writes it.
    fn in_the_destination(&mut self, b: &mut Block, x: VarId, write: &mut Term, body: &mut Term) {
        if self.liveness.last_use(x) < self.liveness.body_of_scope(b.r) {
            return;
        }
        let Some(d @ Dest::Storage(..)) = target(body, x) else { return };
        let Dest::Storage(r, path) = &d else { return };
        let Some((elem, shape)) = self.storage.get(r) else { return };
        let alike = *elem == b.elem && shape.get(path.len()..) == Some(b.shape.as_slice());
        let over = Overwrite { x, d: &d };
        let free = |t: &Term| !over.writes(t);
        let given = self.given.get(r).copied();
        let home = given.is_some_and(|y| is_copy_of(write, y));
        if given.is_some_and(|y| body.uses(y) > 0 || write.uses(y) > 0 && !home) {
            return;
        }
        let present = self.present.get(r).copied().filter(|_| path.is_empty());
        if !alike
            || !free(write)
            || !home && self.has_others(write, x, &d, present)
            || self.has_others(body, x, &d, None)
        {
            return;
        }
        let own = Dest::Storage(b.r, vec![]);
        let over_present = present.map(|x| Overwrite { x, d: &own });
        if over_present.as_ref().is_some_and(|over| !over.is_sound_in(write)) {
            return;
        }
        if !each_body(body, &free, &mut |t| over.is_sound_in(t)) {
            return;
        }
        each_body(body, &free, &mut |t| {
            over.apply(t);
            true
        });
        over_present.iter().for_each(|over| over.apply(write));
        self.liveness.settle(b.r, *r, path);
        self.placed.insert(b.r, d.clone());
        b.placement = Placement::In(d);
    }

    /// Whether a term has an alias of `x`, or accesses its storage other than by writing `d` and by reading `but`.
    fn has_others(&self, t: &Term, x: VarId, d: &Dest, but: Option<VarId>) -> bool {
        let Dest::Storage(r, path) = d else { return true };
        let place = self.liveness.place(*r, path);
        let touches = |d: &Dest| self.liveness.meets(d, &place);
        let is_there = |v: VarId| self.liveness.storage_of(v).is_some_and(|s| touches(&Dest::Storage(s, vec![])));
        t.any(&|t| {
            let other = match t {
                Term::Alias(Alias { view, .. }) => view.base == x,
                Term::AlreadyThere(_, y) => *y == x || is_there(*y),
                Term::RowThere(RowThere { array, row, .. }) => {
                    [array, row].into_iter().any(|y| *y == x || is_there(*y))
                }
                Term::Previous(d) => touches(d),
                Term::Alloc(_) => t.dests().into_iter().any(touches),
                t => t.dests().into_iter().any(|d| d.root() != Some(*r) && touches(d)),
            };
            other || t.views().iter().any(|v| v.base != x && Some(v.base) != but && is_there(v.base))
        })
    }

    /// `ifold … (λs. build{s'} n (λi. … s[i] …))` in one buffer.
    fn step_in_place(&mut self, states: &mut [State], pairs: bool, step: &mut Term) {
        self.exchange(states, pairs, step);
        for s in states {
            let State::Array { x, next, other, onto, .. } = s else { continue };
            if other.is_some() && self.overwrites(*x, *next, step) {
                *other = None;
                self.liveness.in_one_buffer(*x, *next);
            }
            if other.is_none() {
                self.present.insert(*next, onto.unwrap_or(*x));
            }
        }
    }

    /// `ifold … (λ a b. (build{a'} n (λi. … b[i] …) ; copy b' a))` in two buffers that change places; more states
    /// likewise, each of which but the first is the one before it, and the first is computed over the last. `pairs`: not
    /// for more than two.
    fn exchange(&mut self, states: &mut [State], pairs: bool, step: &mut Term) {
        let (mut all, mut before) = (Vec::new(), Map::new());
        for s in states.iter() {
            if let State::Array { x, next, other: Some(_), elem, shape, .. } = s {
                all.push((*x, *next, *elem, shape.clone()));
                before.extend(copied_to(*next, step).map(|y| (*x, y)));
            }
        }
        for (head, next, elem, shape) in &all {
            let (mut chain, mut last) = (vec![(*head, *next)], *head);
            while !before.contains_key(head)
                && let Some((x, next, ..)) =
                    all.iter().find(|(x, _, e, s)| before.get(x) == Some(&last) && e == elem && s == shape)
            {
                chain.push((*x, *next));
                last = *x;
            }
            if chain.len() < 2 || pairs && chain.len() > 2 || !self.overwrites(last, *next, step) {
                continue;
            }
            // Each next value is written where the state before it is, the first one where the last is.
            for (x, next) in chain {
                let state = states.iter_mut().find(|s| matches!(s, State::Array { x: y, .. } if *y == x));
                if let Some(State::Array { other, onto, .. }) = state {
                    (*other, *onto) = (None, Some(last));
                }
                self.liveness.in_one_buffer(last, next);
                let d = Dest::Storage(next, vec![]);
                step.each_mut(&mut |t| {
                    if matches!(t, Term::Copy(Copy { dest, .. }) if *dest == d) && x != *head {
                        *t = Term::AlreadyThere(d.clone(), last);
                    }
                });
                last = x;
            }
        }
    }

    /// Whether a step may write `next` where `x` is; if so, it does.
    fn overwrites(&mut self, x: VarId, next: VarId, step: &mut Term) -> bool {
        let d = Dest::Storage(next, vec![]);
        let aliases = step.any(&|t| matches!(t, Term::Alias(Alias { view, .. }) if view.base == x));
        match self.by_a_name(x, next, aliases, step) {
            Named::InOneBuffer => true,
            Named::InTheOther => false,
            Named::No => {
                let over = Overwrite { x, d: &d };
                let sound = over.is_sound_in(step);
                if sound {
                    over.apply(step);
                }
                sound
            }
        }
    }
}

/// The node that fills a block.
struct Filled<'t> {
    x: VarId,
    /// Whether it names nothing else.
    alone: bool,
    write: &'t mut Term,
    body: &'t mut Term,
}

/// The node that fills `r`, which may be allocated together with the other parts of a tuple.
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

/// The outcome for a fold's next state that has a name before it is copied to its destination.
enum Named {
    /// There is no such name, or the state cannot be computed in the destination.
    No,
    /// It is computed in the other one of two buffers.
    InTheOther,
    /// It overwrites the present state.
    InOneBuffer,
}

impl Scope {
    /// A step that computes the next state of `x` under a name, and then copies it.
    fn by_a_name(&mut self, x: VarId, next: VarId, aliases: bool, t: &mut Term) -> Named {
        match t {
            Term::Alloc(Alloc { blocks, body }) => {
                if let [b] = blocks.as_mut_slice()
                    && b.placement == Placement::Frame
                    && let Some(Filled { x: y, alone: true, write, body }) = filled(body, b.r)
                    && copied(body, y) == Some(&Dest::Storage(next, vec![]))
                {
                    self.in_the_destination(b, y, write, body);
                    if b.placement == Placement::Frame {
                        return Named::No;
                    }
                    let d = Dest::Storage(b.r, vec![]);
                    let over = Overwrite { x, d: &d };
                    if aliases || body.uses(x) > 0 || !over.is_sound_in(write) {
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

/// The array that a step copies to `next`, and does not read afterwards.
fn copied_to(next: VarId, step: &Term) -> Option<VarId> {
    let (mut found, mut others) = (None, false);
    step.each(&mut |t| match t {
        Term::Copy(Copy { dest, view, .. })
            if found.is_none() && *dest == Dest::Storage(next, vec![]) && view.steps.is_empty() =>
        {
            found = Some(view.base);
        }
        t => {
            others |= t.dests().iter().any(|d| d.root() == Some(next));
            others |= t.views().iter().any(|v| found == Some(v.base));
        }
    });
    found.filter(|_| !others)
}

/// Whether `f` holds for the bodies of all scopes at the head of a term, one for each branch, and `free` for the terms
/// that are evaluated before them.
fn each_body(t: &mut Term, free: &impl Fn(&Term) -> bool, f: &mut impl FnMut(&mut Term) -> bool) -> bool {
    match t {
        Term::If(c, a, b) => free(c) && each_body(a, free, f) && each_body(b, free, f),
        t if t.scope().is_none() => f(t),
        t => {
            t.split_scope_mut().is_some_and(|(before, body)| before.iter().all(|t| free(t)) && each_body(body, free, f))
        }
    }
}
