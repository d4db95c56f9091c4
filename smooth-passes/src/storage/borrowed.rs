//! Rows that are states in two buffers, or in buffers that change places, and rows that a call takes.
//!
//! ```text
//! alloc in d[k̄] P (λr. … ifold … (in r and s) … already_there d[k̄] x …)
//!                          ⟶   alloc P (λr. … ifold … (in r and s) … copy d[k̄] x …)         the fold uses more of d
//! ifold … (in d[k̄] and s)
//!                          ⟶   alloc P (λr. let x{r} = ifold … (in r and s) in copy d[k̄] x)      no row to take out
//! ```
//!
//! As long as such a fold runs, it has borrowed its buffers, and the storage that one of them is a part of has no name. A
//! call borrows its destinations and its arguments in the same way. A fold whose buffer is a part of the destination
//! itself, with no block in between, or a row that has to stay there, gets a block, and its last state is copied.
//!
//! Peak: as before the row was placed. A block for a fold is as large as its row, which is more than there was before if
//! what else is used of the storage is smaller than that.

use super::live::Liveness;
use crate::dps::{
    Alloc, Arg, Block, Call, Copy, Dest, Fill, Fold, Leaf, Placement, Program, RowThere, State, Step, Term, View,
};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::shape::{Shape, total};
use crate::sorted::{Map, Set};
use crate::span::Origin;

/// Takes such rows out of storage that their folds use otherwise.
pub(super) fn borrowed(program: &mut Program) {
    let mut tried = Set::new();
    loop {
        let is_row = |t: &Term| matches!(t, Term::Alloc(_)) && t.dests().into_iter().any(is_part);
        if !program.body.any(&is_row) {
            return;
        }
        let (liveness, names, rows) = (Liveness::of(program), Set::new(), Set::new());
        let mut search = Search { program, liveness, names, rows, tried: &tried };
        program.body.each(&mut |t| match t {
            Term::Fold(f) => search.names.extend(f.states.iter().filter(|s| turns(s)).flat_map(State::binders)),
            Term::RowThere(RowThere { row, .. }) => {
                let mut r = search.liveness.storage_of(*row);
                while let Some(s) = r.filter(|s| search.rows.insert(*s)) {
                    r = search.liveness.around(s).map(|(outer, _)| outer);
                }
            }
            _ => {}
        });
        let mut found = None;
        program.body.each(&mut |t| {
            if found.is_none() {
                found = match t {
                    Term::Fold(f) => search.shared(f, t),
                    Term::Call(c) => search.called(c),
                    _ => None,
                };
            }
        });
        let Some(row) = found else { return };
        let before = search.liveness;
        tried.insert(row);
        give_a_block(program, row);
        place_alone(program, row, &before);
    }
}

fn is_part(d: &Dest) -> bool {
    matches!(d, Dest::Storage(_, path) if !path.is_empty())
}

/// Whether a state has buffers that change places.
fn turns(s: &State) -> bool {
    matches!(s, State::Array { other: Some(_), .. } | State::Array { onto: Some(_), .. })
}

struct Search<'p> {
    program: &'p Program,
    liveness: Liveness,
    /// The states that have buffers of their own, and the storage that these are.
    names: Set<VarId>,
    /// The storage of rows that are in their arrays, and what it is placed in.
    rows: Set<VarId>,
    /// The rows and the states that were taken out.
    tried: &'p Set<VarId>,
}

impl Search<'_> {
    /// The storage that `r` is placed in, if it is not a buffer of a fold.
    fn around(&self, r: VarId) -> Option<(VarId, &[Term])> {
        self.liveness.around(r).filter(|_| !self.names.contains(&r))
    }

    /// The storage or the buffer whose name is used for `r`.
    fn used_for(&self, r: VarId) -> VarId {
        self.around(r).map_or(r, |(outer, _)| self.used_for(outer))
    }

    /// A row that is a buffer of a fold which uses more of the row's storage, or a state if its buffer cannot be taken out.
    fn shared(&self, f: &Fold, t: &Term) -> Option<VarId> {
        let homes = f.states.iter().filter_map(State::dest).filter_map(Dest::root);
        let mut used = homes.mapped(|r| self.used_for(r));
        for part in t.children() {
            // The buffers are borrowed after the steps were counted, and after the first states were written there.
            let before = f.begins_at_home() && std::ptr::eq(part, &raw const *f.init);
            if before || [&f.count, &f.then].into_iter().any(|t| std::ptr::eq(part, &raw const **t)) {
                continue;
            }
            part.each(&mut |t| {
                t.own_uses(&mut |v| used.push(self.used_for(self.liveness.storage_of(v).unwrap_or(v))));
            });
        }
        f.states.iter().filter(|s| turns(s)).find_map(|s| {
            let State::Array { x, dest, .. } = s else { return None };
            let r = dest.root().filter(|r| self.times(*r, &used) > 1)?;
            self.row(r).or(Some(*x).filter(|x| !self.tried.contains(x)))
        })
    }

    /// A row that a call takes together with another part of the same storage, one of them to write.
    fn called(&self, c: &Call) -> Option<VarId> {
        let written: Vec<VarId> = c.dests.iter().filter_map(Dest::root).collect();
        let stored = |a: &Arg| if let Arg::View(w, _) = a { self.liveness.storage_of(w.base) } else { None };
        let read: Vec<VarId> = c.args.iter().filter_map(stored).collect();
        let used = written.iter().mapped(|r| self.used_for(*r));
        let borrowed = [&*used, &*read.iter().mapped(|r| self.used_for(*r))].concat();
        let first = written.iter().find_map(|r| if self.times(*r, &borrowed) > 1 { self.row(*r) } else { None });
        first.or_else(|| read.iter().find_map(|r| if self.times(*r, &used) > 0 { self.row(*r) } else { None }))
    }

    /// The number of these that are the storage whose name is used for `r`.
    fn times(&self, r: VarId, used: &[VarId]) -> usize {
        let home = self.used_for(r);
        used.iter().filter(|s| **s == home).count()
    }

    /// The row that `r` is, or is placed in, unless it is a part of its array without a copy, which has to stay there.
    fn row(&self, r: VarId) -> Option<VarId> {
        let (outer, path) = self.around(r)?;
        if path.is_empty() { self.row(outer) } else { Some(r).filter(|r| self.is_free(*r) && self.moves(*r)) }
    }

    /// Whether `r` may leave its array, and did not yet. The storage of a state cannot: it stays after the first try.
    fn is_free(&self, r: VarId) -> bool {
        !self.rows.contains(&r) && !self.tried.contains(&r)
    }

    /// Whether all that is read as the last value at the place of the row `r` is the array that is in `r`.
    fn moves(&self, r: VarId) -> bool {
        let (at, l) = (self.liveness.place(r, &[]), &self.liveness);
        let other = |s: VarId| !is_in(l, s, r);
        let reads = |t: &Term| matches!(t, Term::Previous(d) if l.meets(d, &at) && d.root().is_some_and(other));
        let (mut read, mut of_row, mut others) = (0, 0, false);
        self.program.body.each(&mut |t| {
            read += usize::from(reads(t));
            match t {
                Term::Alloc(Alloc { blocks, .. }) => {
                    others |= blocks.iter().any(|b| other(b.r) && l.place(b.r, &[]) == at);
                }
                Term::Fold(f) => {
                    let mut homes = f.states.iter().filter_map(State::dest);
                    others |= homes.any(|d| l.meets(d, &at) && d.root().is_some_and(other));
                }
                Term::Fill(Fill { arrays, body, .. }) if arrays.iter().any(|(_, s)| *s == r) => {
                    body.each(&mut |t| of_row += usize::from(reads(t) && within(l, t, &at).is_some()));
                }
                _ => {}
            }
        });
        read == 0 || read == of_row && !others
    }
}

/// Whether the storage `s` is `r`, or is placed in it.
fn is_in(l: &Liveness, s: VarId, r: VarId) -> bool {
    s == r || l.around(s).is_some_and(|(outer, _)| is_in(l, outer, r))
}

/// The indices of the last value that is read in the part `at` of the outermost storage.
fn within(l: &Liveness, t: &Term, (root, at): &(VarId, Vec<Term>)) -> Option<Vec<Term>> {
    let Term::Previous(Dest::Storage(s, path)) = t else { return None };
    let (outer, path) = l.place(*s, path);
    path.strip_prefix(&**at).filter(|_| outer == *root).map(<[Term]>::to_vec)
}

/// Gives the last value of a state a block of its own, from which it is copied to its destination.
fn give_a_block(program: &mut Program, state: VarId) {
    let mut capacities = Map::new();
    program.body.each(&mut |t| {
        if let Term::Alloc(a) = t {
            capacities.extend(a.blocks.iter().map(|b| (b.r, b.capacity.clone())));
        }
    });
    let names = &mut program.names;
    program.body.each_mut(&mut |t| {
        let Term::Fold(Fold { states, .. }) = t else { return };
        for s in states {
            if let State::Array { x, dest, other, elem, shape, .. } = s
                && *x == state
            {
                let (r, last) = (names.fresh("home"), names.fresh("last"));
                // A second buffer is as large in all iterations of the loops around.
                let capacity = other.and_then(|o| capacities.get(&o).cloned()).unwrap_or_else(|| total(shape));
                let block = Block { r, elem: *elem, shape: shape.clone(), capacity, placement: Placement::Frame };
                let dest = std::mem::replace(dest, Dest::Storage(r, vec![]));
                let view = View { base: last, steps: vec![] };
                let copy = Term::Copy(Copy { dest, view, shape: shape.clone(), origin: Origin::default() });
                let (write, body) = (Box::new(t.take()), Box::new(copy));
                *t = Term::alloc(block, Term::Fill(Fill { cells: vec![], arrays: vec![(last, r)], write, body }));
                return;
            }
        }
    });
}

/// Gives a block memory of its own. What was the same memory is copied, and the row is read where it is now.
fn place_alone(program: &mut Program, row: VarId, before: &Liveness) {
    let at = before.place(row, &[]);
    let mut shapes: Map<VarId, Shape> = Map::new();
    for leaf in &program.results {
        if let Leaf::Storage(r, _, shape) = leaf {
            shapes.insert(*r, shape.clone());
        }
    }
    program.body.each_mut(&mut |t| {
        if let Term::Alloc(Alloc { blocks, .. }) = t {
            for b in blocks {
                shapes.insert(b.r, b.shape.clone());
                if b.r == row {
                    b.placement = Placement::Frame;
                }
            }
        } else if let Term::Fold(Fold { states, .. }) = t {
            for s in states {
                if let State::Array { next, shape, .. } = s {
                    shapes.insert(*next, shape.clone());
                }
            }
        }
    });
    program.body.each_mut(&mut |t| {
        let Term::Fill(Fill { arrays, body, .. }) = t else { return };
        let Some((x, _)) = arrays.iter().find(|(_, s)| *s == row) else { return };
        body.each_mut(&mut |t| {
            if let Some(path) = within(before, t, &at) {
                let step = |index: Term| Step::At { index, check: None, origin: Origin::default() };
                *t = Term::Load(View { base: *x, steps: path.mapped(step) });
            }
        });
    });
    let liveness = Liveness::of(program);
    program.body.each_mut(&mut |t| {
        if let Term::AlreadyThere(Dest::Storage(r, path), x) = t
            && let Some(s) = liveness.storage_of(*x)
            && liveness.place(*r, path) != liveness.place(s, &[])
            && let Some(shape) = shapes.get(&s)
        {
            let (dest, view) = (Dest::Storage(*r, path.clone()), View { base: *x, steps: vec![] });
            *t = Term::Copy(Copy { dest, view, shape: shape.clone(), origin: Origin::default() });
        }
    });
}
