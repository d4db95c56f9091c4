//! When storage holds a value that is still wanted.
//!
//! A walk in the order of execution numbers the nodes. What happens in a loop to something from outside the loop
//! happens, as far as the outside can tell, from the loop's first number to its last: the next turn comes.

use crate::dps::{Alias, Alloc, Dest, Fill, Fold, Leaf, Let, Program, State, Term};
use crate::name::VarId;
use crate::role::Role;
use std::collections::BTreeMap;

/// From one number to another, both included.
pub(super) type Span = (usize, usize);

/// When something is written, and inside which loops.
type Write = (usize, Vec<usize>);

/// What is known of one storage.
#[derive(Default)]
pub(super) struct Storage {
    /// The loops around its allocation, outermost first.
    loops: Vec<usize>,
    /// When it exists.
    scope: Span,
    /// When it holds what is wanted.
    pub busy: Vec<Span>,
}

/// An array that has a name.
#[derive(Clone)]
struct Named {
    /// The storage that it is in; none for an argument.
    root: Option<VarId>,
    /// The array that it is a part of.
    of: Option<VarId>,
    loops: usize,
    uses: Vec<(usize, Option<usize>)>,
}

/// The lifetimes of a program.
#[derive(Default)]
pub(super) struct Lives {
    now: usize,
    around: Vec<usize>,
    loops: Vec<Span>,
    storage: BTreeMap<VarId, Storage>,
    names: BTreeMap<VarId, Named>,
    /// What lives in other storage.
    inside: BTreeMap<VarId, VarId>,
    /// Writes of each storage.
    writes: BTreeMap<VarId, Vec<Write>>,
    /// The array that was last put into a storage.
    content: BTreeMap<VarId, VarId>,
    /// Values: the array, its storage, its first write, when it was full, the loops around.
    values: Vec<(VarId, VarId, Write, usize)>,
    /// Spans of use that belong to no value: a fold's other buffer.
    borrowed: Vec<(VarId, Span, Vec<usize>)>,
    /// When an array's write begins and ends.
    fills: BTreeMap<VarId, Span>,
    /// Where the tail of an allocation's scope begins.
    tails: BTreeMap<VarId, usize>,
}

impl Lives {
    pub(super) fn of(p: &Program) -> Lives {
        let mut l = Lives::default();
        for leaf in &p.results {
            if let Leaf::Storage(r, ..) = leaf {
                l.storage.insert(*r, Storage::default());
            }
        }
        l.walk(&p.body);
        let end = l.now + 1;
        for (x, r, first, full) in std::mem::take(&mut l.values) {
            let last = l.last_use(x).max(full);
            l.occupy(r, (first.0, last), &first.1);
        }
        for (r, span, loops) in std::mem::take(&mut l.borrowed) {
            l.occupy(r, span, &loops);
        }
        for leaf in &p.results {
            if let Leaf::Storage(r, ..) = leaf
                && let Some((at, loops)) = l.writes.get(r).and_then(|w| w.first()).cloned()
            {
                l.occupy(*r, (at, end), &loops);
            }
        }
        l
    }

    /// The storage that `r` lives in, in the end.
    pub(super) fn root(&self, r: VarId) -> VarId {
        self.inside.get(&r).map_or(r, |d| self.root(*d))
    }

    /// The storage that an array is in; none for an argument.
    pub(super) fn root_of(&self, x: VarId) -> Option<VarId> {
        let named = self.names.get(&x)?;
        match named.of {
            Some(of) => self.root_of(of),
            None => named.root.map(|r| self.root(r)),
        }
    }

    /// The last number at which somebody reads `x` or a part of it.
    pub(super) fn last_use(&self, x: VarId) -> usize {
        let uses = self.names.get(&x).map_or(&[][..], |n| &n.uses);
        uses.iter().map(|(at, l)| l.map_or(*at, |l| self.loops[l].1)).max().unwrap_or(0)
    }

    /// When the write of an array begins and ends.
    pub(super) fn fill(&self, x: VarId) -> Span {
        self.fills.get(&x).copied().unwrap_or((0, usize::MAX))
    }

    /// Where the tail of the scope of `r` begins.
    pub(super) fn tail(&self, r: VarId) -> usize {
        self.tails.get(&r).copied().unwrap_or(0)
    }

    /// When `r` is in use, as seen from where `s` was allocated; none if it never is.
    pub(super) fn seen_from(&self, r: VarId, s: VarId) -> Option<Span> {
        self.seen_within(r, self.storage.get(&s)?.loops.len())
    }

    /// When `r` is in use, as seen from inside the outermost so many of the loops around it; none if it never is.
    pub(super) fn seen_within(&self, r: VarId, loops: usize) -> Option<Span> {
        let r = self.storage.get(&r)?;
        let first = r.busy.iter().map(|b| b.0).min()?;
        let last = r.busy.iter().map(|b| b.1).max()?;
        Some(match r.loops.get(loops) {
            Some(l) => (self.loops[*l].0.min(first), self.loops[*l].1.max(last)),
            None => (first, last),
        })
    }

    /// How many loops are around the allocation of `r`.
    pub(super) fn loops_around(&self, r: VarId) -> usize {
        self.storage.get(&r).map_or(0, |s| s.loops.len())
    }

    /// When `r` exists.
    pub(super) fn scope(&self, r: VarId) -> Span {
        self.storage.get(&r).map_or((0, 0), |s| s.scope)
    }

    /// When a storage holds what is wanted.
    pub(super) fn busy(&self, s: VarId) -> &[Span] {
        self.storage.get(&s).map_or(&[], |s| &s.busy)
    }

    /// The state of a fold is in the one buffer that the fold has.
    pub(super) fn in_one_buffer(&mut self, x: VarId, next: VarId) {
        let root = self.root(next);
        self.names.entry(x).and_modify(|n| n.root = Some(root));
    }

    /// `r` lives in `s` from now on.
    pub(super) fn settle(&mut self, r: VarId, s: VarId) {
        if let Some(span) = self.seen_from(r, s) {
            self.storage.entry(s).or_default().busy.push(span);
        }
        self.inside.insert(r, s);
    }

    /// `r`, and what it lives in, is in use at a span within these loops.
    fn occupy(&mut self, r: VarId, span: Span, within: &[usize]) {
        let mut r = Some(r);
        while let Some(s) = r {
            if let Some(storage) = self.storage.get_mut(&s) {
                let (from, to) = match within.get(storage.loops.len()) {
                    Some(l) => (self.loops[*l].0.min(span.0), self.loops[*l].1.max(span.1)),
                    None => span,
                };
                storage.busy.push((from, to));
            }
            r = self.inside.get(&s).copied();
        }
    }

    fn read(&mut self, x: VarId) {
        let (now, mut x) = (self.now, Some(x));
        while let Some(v) = x {
            let Some(named) = self.names.get_mut(&v) else { return };
            named.uses.push((now, self.around.get(named.loops).copied()));
            x = named.of;
        }
    }

    fn write(&mut self, d: &Dest) {
        let mut r = d.root();
        while let Some(s) = r {
            self.writes.entry(s).or_default().push((self.now, self.around.clone()));
            r = self.inside.get(&s).copied();
        }
    }

    fn name(&mut self, x: VarId, root: Option<VarId>, of: Option<VarId>) {
        self.names.insert(x, Named { root, of, loops: self.around.len(), uses: vec![] });
    }

    fn visit(&mut self, t: &Term) {
        self.walk(t);
    }

    /// The indices of a node's destinations.
    fn operands(&mut self, t: &Term) {
        t.dests().into_iter().flat_map(Dest::operands).for_each(|i| self.visit(i));
    }

    /// Returns where the tail of the term begins.
    fn walk(&mut self, t: &Term) -> usize {
        self.now += 1;
        let enter = self.now;
        t.views().iter().for_each(|v| self.read(v.base));
        match t {
            Term::Let(Let { value, body, .. }) => {
                self.walk(value);
                return self.walk(body);
            }
            Term::Alloc(Alloc { blocks, body }) => {
                self.operands(t);
                for b in blocks {
                    self.storage
                        .insert(b.r, Storage { loops: self.around.clone(), scope: (enter, enter), busy: vec![] });
                    if let Some(root) = b.home.dest().and_then(Dest::root) {
                        self.inside.insert(b.r, root);
                    }
                }
                let tail = self.walk(body);
                for b in blocks {
                    self.tails.insert(b.r, tail);
                    self.storage.entry(b.r).and_modify(|s| s.scope.1 = self.now);
                }
                return tail;
            }
            Term::Alias(Alias { x, view, body, .. }) => {
                view.operands().into_iter().for_each(|t| self.visit(t));
                self.name(*x, None, Some(view.base));
                return self.walk(body);
            }
            Term::Fill(Fill { arrays, write, body, .. }) => {
                let written = |l: &Lives, r| l.writes.get(&r).map_or(0, Vec::len);
                let before: Vec<usize> = arrays.iter().map(|(_, r)| written(self, *r)).collect();
                self.walk(write);
                for ((x, r), before) in arrays.iter().zip(before) {
                    let first = self.writes.get(r).and_then(|w| w.get(before)).cloned();
                    let first = first.unwrap_or((enter, self.around.clone()));
                    self.fills.insert(*x, (enter, self.now));
                    self.values.push((*x, *r, first, self.now));
                    self.name(*x, Some(*r), None);
                    self.content.insert(self.root(*r), *x);
                }
                return self.walk(body);
            }
            Term::Fold(Fold { count, states, init, step, then, .. }) => {
                self.walk(count);
                self.operands(t);
                let start = self.now;
                self.fold(states, init, step);
                let span = (start, self.now);
                for s in states {
                    if let State::Array { other: Some(o), .. } = s {
                        self.borrowed.push((*o, span, self.around.clone()));
                    }
                }
                self.walk(then);
            }
            Term::Old(d) => {
                self.operands(t);
                if let Some(x) = d.root().and_then(|r| self.content.get(&self.root(r))) {
                    self.read(*x);
                }
            }
            Term::Here(d, x) => {
                self.operands(t);
                self.read(*x);
                self.write(d);
            }
            t => {
                for (role, part) in t.parts() {
                    if role == Role::Often {
                        self.turns(|l| l.visit(part));
                    } else {
                        self.visit(part);
                    }
                }
                // What a call or a copy reads, it reads while it writes.
                t.views().iter().for_each(|v| self.read(v.base));
                t.dests().into_iter().for_each(|d| self.write(d));
            }
        }
        self.now += 1;
        enter
    }

    /// The states of a fold: written from the start, read and written in every step.
    fn fold(&mut self, states: &[State], init: &Term, step: &Term) {
        for s in states {
            if let State::Array { x, first, next, dest, .. } = s {
                self.write(dest);
                if let Some(root) = dest.root() {
                    self.inside.insert(*first, root);
                    self.inside.insert(*next, root);
                }
                self.name(*x, None, None);
            }
        }
        self.walk(init);
        for s in states {
            if let State::Array { x, next, .. } = s {
                self.content.insert(self.root(*next), *x);
            }
        }
        self.turns(|l| l.visit(step));
    }

    fn turns(&mut self, body: impl FnOnce(&mut Self)) {
        self.now += 1;
        let l = self.loops.len();
        self.loops.push((self.now, self.now));
        self.around.push(l);
        body(self);
        self.around.pop();
        self.now += 1;
        self.loops[l].1 = self.now;
    }
}
