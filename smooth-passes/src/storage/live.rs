//! Liveness of storage: the intervals in which a block holds a value that is still read.
//!
//! A walk in evaluation order numbers the nodes. Something declared outside a loop and used inside it is in use, seen
//! from outside, from the loop's first number to its last, since a further iteration may follow.

use crate::dps::{Alias, Alloc, Dest, Fill, Fold, Leaf, Let, Program, RowThere, State, Term, are_apart};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::role::Role;
use crate::sorted::Map;

/// An interval of numbers, both ends included.
pub(super) type Interval = (usize, usize);

/// The number of a write, and the loops around it.
type Write = (usize, Vec<usize>);

/// Facts about a block of storage.
#[derive(Default)]
pub(super) struct Storage {
    /// The loops around its allocation, outermost first.
    loops: Vec<usize>,
    /// The interval from its allocation to its release.
    scope: Interval,
    /// The intervals in which it holds a value that is still read.
    pub live_ranges: Vec<Interval>,
}

/// Facts about a named array.
#[derive(Clone)]
struct Named {
    /// The storage that it is in; none for an argument, unless it is in-out.
    r: Option<VarId>,
    /// The array that it is a part of.
    of: Option<VarId>,
    /// The number of loops around its name.
    loops: usize,
    /// The number of each read, and the outermost loop around the read that is inside the name's scope.
    uses: Vec<(usize, Option<usize>)>,
}

/// The value of a named array: its storage, its first write, and the end of its writes.
struct Value {
    x: VarId,
    r: VarId,
    first_write: Write,
    full: usize,
}

/// The live ranges of a program's storage.
#[derive(Default)]
pub(super) struct Liveness {
    now: usize,
    /// The loops around the present node, outermost first.
    around: Vec<usize>,
    loops: Vec<Interval>,
    storage: Map<VarId, Storage>,
    names: Map<VarId, Named>,
    /// Blocks that are placed in other storage, with their place there.
    inside: Map<VarId, (VarId, Vec<Term>)>,
    writes: Map<VarId, Vec<Write>>,
    /// The last arrays that were put into each storage, with their places there.
    content: Map<VarId, Vec<(Vec<Term>, VarId)>>,
    values: Vec<Value>,
    /// The intervals in which folds use their second buffers, and the loops around.
    buffers: Vec<(VarId, Interval, Vec<usize>)>,
    /// The intervals in which arrays are written.
    fills: Map<VarId, Interval>,
    /// The first node of the body of a block's scope.
    bodies: Map<VarId, usize>,
}

impl Liveness {
    pub(super) fn of(p: &Program) -> Liveness {
        let mut l = Liveness::default();
        for leaf in &p.results {
            if let Leaf::Storage(r, ..) = leaf {
                l.storage.insert(*r, Storage::default());
                if let Some(x) = p.given_in(*r) {
                    l.name(x, Some(*r), None);
                    l.put(*r, x);
                    l.fills.insert(x, (0, 0));
                    l.values.push(Value { x, r: *r, first_write: (0, vec![]), full: 0 });
                }
            }
        }
        l.walk(&p.body);
        let end = l.now + 1;
        for Value { x, r, first_write, full } in std::mem::take(&mut l.values) {
            let last = l.last_use(x).max(full);
            l.occupy(r, (first_write.0, last), &first_write.1);
        }
        for (r, range, loops) in std::mem::take(&mut l.buffers) {
            l.occupy(r, range, &loops);
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

    /// The storage that `r` is placed in, followed to the outermost.
    pub(super) fn root(&self, r: VarId) -> VarId {
        self.inside.get(&r).map_or(r, |(s, _)| self.root(*s))
    }

    /// The storage that `r` is placed in, and the path there.
    pub(super) fn around(&self, r: VarId) -> Option<(VarId, &[Term])> {
        self.inside.get(&r).map(|(s, path)| (*s, path.as_slice()))
    }

    /// The place of a part of some storage: the outermost storage around it, and the path there.
    pub(super) fn place(&self, r: VarId, path: &[Term]) -> (VarId, Vec<Term>) {
        match self.inside.get(&r) {
            Some((s, outer)) => self.place(*s, &[outer, path].concat()),
            None => (r, path.to_vec()),
        }
    }

    /// Whether a destination may share memory with a part of the outermost storage.
    pub(super) fn meets(&self, d: &Dest, (root, at): &(VarId, Vec<Term>)) -> bool {
        let Dest::Storage(r, path) = d else { return false };
        let (s, path) = self.place(*r, path);
        s == *root && !are_apart(&path, at)
    }

    /// The storage that an array is in; none for an argument.
    pub(super) fn root_of(&self, x: VarId) -> Option<VarId> {
        self.storage_of(x).map(|r| self.root(r))
    }

    /// The storage that an array is a part of.
    pub(super) fn storage_of(&self, x: VarId) -> Option<VarId> {
        let named = self.names.get(&x)?;
        named.of.map_or(named.r, |of| self.storage_of(of))
    }

    /// The last number at which `x` or a part of it is read.
    pub(super) fn last_use(&self, x: VarId) -> usize {
        let uses = self.names.get(&x).map_or(&[][..], |n| &n.uses);
        uses.iter().map(|(at, l)| l.map_or(*at, |l| self.loops[l].1)).max().unwrap_or(0)
    }

    /// The interval in which an array is written.
    pub(super) fn fill(&self, x: VarId) -> Interval {
        self.fills.get(&x).copied().unwrap_or((0, usize::MAX))
    }

    /// The first node of the body of the scope of `r`: the term below the allocations and names at its head.
    pub(super) fn body_of_scope(&self, r: VarId) -> usize {
        self.bodies.get(&r).copied().unwrap_or(0)
    }

    /// The live range of `r`, seen from where `s` was allocated; none if it is never used.
    pub(super) fn seen_from(&self, r: VarId, s: VarId) -> Option<Interval> {
        self.seen_within(r, self.storage.get(&s)?.loops.len())
    }

    /// The live range of `r`, widened to whole executions of every loop around it except the outermost `loops`; `None`
    /// if it is never used.
    pub(super) fn seen_within(&self, r: VarId, loops: usize) -> Option<Interval> {
        let r = self.storage.get(&r)?;
        let first = r.live_ranges.iter().map(|b| b.0).min()?;
        let last = r.live_ranges.iter().map(|b| b.1).max()?;
        Some(match r.loops.get(loops) {
            Some(l) => (self.loops[*l].0.min(first), self.loops[*l].1.max(last)),
            None => (first, last),
        })
    }

    /// The number of loops around the allocation of `r`.
    pub(super) fn loops_around(&self, r: VarId) -> usize {
        self.storage.get(&r).map_or(0, |s| s.loops.len())
    }

    /// The interval from the allocation of `r` to its release.
    pub(super) fn scope(&self, r: VarId) -> Interval {
        self.storage.get(&r).map_or((0, 0), |s| s.scope)
    }

    /// The intervals in which `s` holds a value that is still read.
    pub(super) fn live_ranges(&self, s: VarId) -> &[Interval] {
        self.storage.get(&s).map_or(&[], |s| &s.live_ranges)
    }

    /// Records that the state `x` of a fold is in the fold's only buffer.
    pub(super) fn in_one_buffer(&mut self, x: VarId, next: VarId) {
        self.names.entry(x).and_modify(|n| n.r = Some(next));
    }

    /// Records that `r` is placed in a part of `s`.
    pub(super) fn settle(&mut self, r: VarId, s: VarId, path: &[Term]) {
        let root = self.root(s);
        if let Some(range) = self.seen_from(r, root) {
            self.storage.entry(root).or_default().live_ranges.push(range);
        }
        self.inside.insert(r, (s, path.to_vec()));
    }

    /// Records that `r`, and the storage that it is placed in, are in use during an interval inside these loops.
    fn occupy(&mut self, r: VarId, range: Interval, within: &[usize]) {
        let mut r = Some(r);
        while let Some(s) = r {
            if let Some(storage) = self.storage.get_mut(&s) {
                let (from, to) = match within.get(storage.loops.len()) {
                    Some(l) => (self.loops[*l].0.min(range.0), self.loops[*l].1.max(range.1)),
                    None => range,
                };
                storage.live_ranges.push((from, to));
            }
            r = self.inside.get(&s).map(|(s, _)| *s);
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
            r = self.inside.get(&s).map(|(s, _)| *s);
        }
    }

    fn name(&mut self, x: VarId, r: Option<VarId>, of: Option<VarId>) {
        self.names.insert(x, Named { r, of, loops: self.around.len(), uses: vec![] });
    }

    /// Records that `x` is in `r` now. An array around that place keeps its other rows.
    fn put(&mut self, r: VarId, x: VarId) {
        let (root, path) = self.place(r, &[]);
        let content = self.content.entry(root).or_default();
        content.retain(|(at, _)| !at.starts_with(&path));
        content.push((path, x));
    }

    fn visit(&mut self, t: &Term) {
        self.walk(t);
    }

    /// The indices of a node's destinations.
    fn operands(&mut self, t: &Term) {
        t.dests().into_iter().flat_map(Dest::operands).for_each(|i| self.visit(i));
    }

    /// Numbers a term and everything below it. Returns the number of the first node in the body of its scope.
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
                    let storage = Storage { loops: self.around.clone(), scope: (enter, enter), live_ranges: vec![] };
                    self.storage.insert(b.r, storage);
                    if let Some(Dest::Storage(s, path)) = b.placement.dest() {
                        self.inside.insert(b.r, (*s, path.clone()));
                    }
                }
                let begin = self.walk(body);
                for b in blocks {
                    self.bodies.insert(b.r, begin);
                    self.storage.entry(b.r).and_modify(|s| s.scope.1 = self.now);
                }
                return begin;
            }
            Term::Alias(Alias { x, view, body, .. }) => {
                view.operands().into_iter().for_each(|t| self.visit(t));
                self.name(*x, None, Some(view.base));
                return self.walk(body);
            }
            Term::Fill(Fill { arrays, write, body, .. }) => {
                let written = |l: &Liveness, r| l.writes.get(&r).map_or(0, Vec::len);
                let before: Vec<usize> = arrays.iter().mapped(|(_, r)| written(self, *r));
                self.walk(write);
                for ((x, r), before) in arrays.iter().zip(before) {
                    let first = self.writes.get(r).and_then(|w| w.get(before)).cloned();
                    let first_write = first.unwrap_or((enter, self.around.clone()));
                    self.fills.insert(*x, (enter, self.now));
                    self.values.push(Value { x: *x, r: *r, first_write, full: self.now });
                    self.name(*x, Some(*r), None);
                    self.put(*r, *x);
                }
                return self.walk(body);
            }
            Term::Fold(f) => {
                self.walk(&f.count);
                self.operands(t);
                let start = self.now;
                self.fold(f);
                let range = (start, self.now);
                for s in &f.states {
                    if let State::Array { other: Some(o), .. } = s {
                        self.buffers.push((*o, range, self.around.clone()));
                    }
                }
                self.walk(&f.then);
            }
            Term::Previous(d) => {
                self.operands(t);
                if let Dest::Storage(r, path) = d {
                    let (root, path) = self.place(*r, path);
                    let content = self.content.get(&root).into_iter().flatten();
                    let read = content.filter(|(at, _)| !are_apart(at, &path)).mapped(|(_, x)| *x);
                    read.into_iter().for_each(|x| self.read(x));
                }
            }
            Term::RowThere(RowThere { dest, array, row, .. }) => {
                self.operands(t);
                [array, row].into_iter().for_each(|x| self.read(*x));
                self.write(dest);
            }
            Term::AlreadyThere(d, x) => {
                self.operands(t);
                self.read(*x);
                self.write(d);
            }
            t => {
                for (role, part) in t.parts() {
                    if role == Role::Often {
                        self.iterations(|l| l.visit(part));
                    } else {
                        self.visit(part);
                    }
                }
                // A call and a copy read while they write.
                t.views().iter().for_each(|v| self.read(v.base));
                t.dests().into_iter().for_each(|d| self.write(d));
            }
        }
        self.now += 1;
        enter
    }

    /// The states of a fold: written from the start, read and written in every iteration.
    fn fold(&mut self, Fold { states, init, test, step, .. }: &Fold) {
        for s in states {
            if let State::Array { x, first, next, dest, .. } = s {
                self.write(dest);
                if let Dest::Storage(s, path) = dest {
                    self.inside.insert(*first, (*s, path.clone()));
                    self.inside.insert(*next, (*s, path.clone()));
                }
                self.name(*x, None, None);
            }
        }
        for s in states {
            // A state in one buffer is where the next one is written: its own next one, or that of the state `onto`.
            if let State::Array { x, next, other: None, onto, .. } = s {
                let present = onto.unwrap_or(*x);
                self.names.entry(present).and_modify(|n| n.r = Some(*next));
            }
        }
        self.walk(init);
        for s in states {
            if let State::Array { x, next, onto, .. } = s {
                self.put(*next, onto.unwrap_or(*x));
            }
        }
        self.iterations(|l| {
            test.iter().for_each(|t| l.visit(t));
            l.visit(step);
        });
    }

    /// Visits the body of a loop.
    fn iterations(&mut self, body: impl FnOnce(&mut Self)) {
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
