//! The arrays of a program, collected in one walk.

use super::{Arrays, Place, copied_part};
use crate::dps::{Alias, Alloc, Arg, Call, Copy, Dest, Fill, Fold, Leaf, Placement, Program, State, Term};
use crate::mapped::{Both, Mapped, PushAll};
use crate::name::VarId;
use crate::shape::Shape;
use crate::sorted::Map;
use crate::storage::live::Interval;
use crate::ty::Scalar;

/// A walk in the order of evaluation.
struct Walk {
    arrays: Arrays,
    /// The nodes in which each number is in scope.
    scopes: Map<VarId, Interval>,
    /// Rows that an array is put in.
    rows: Vec<(VarId, Vec<Term>)>,
    copies: Vec<(Dest, VarId)>,
    /// The storage of arrays that are updated.
    sets: Vec<VarId>,
    states: Vec<(VarId, VarId, VarId, Dest)>,
}

impl Arrays {
    pub(super) fn of(program: &Program) -> Arrays {
        let mut w = Walk {
            arrays: Arrays::default(),
            scopes: Map::new(),
            rows: vec![],
            copies: vec![],
            sets: vec![],
            states: vec![],
        };
        for leaf in &program.results {
            if let Leaf::Storage(r, elem, shape) = leaf {
                let place = w.place((*r, vec![]), *elem, shape.clone(), None);
                if let Some(x) = program.given_in(*r) {
                    w.arrays.homes.insert(x, place);
                    w.arrays.given.push(x);
                    w.sets.push(*r);
                }
            }
        }
        w.walk(&program.body);
        w.finish()
    }
}

impl Walk {
    fn place(&mut self, (r, path): (VarId, Vec<Term>), elem: Scalar, shape: Shape, block: Option<usize>) -> usize {
        let arrays = &mut self.arrays;
        let place = arrays.places.len();
        if path.is_empty() {
            arrays.whole.insert(r, place);
        }
        arrays.places.push(Place { r, path, elem, shape, scope: (0, usize::MAX), block });
        arrays.webs.push(place);
        place
    }

    fn walk(&mut self, t: &Term) {
        let at = self.arrays.ends.len();
        self.arrays.ends.push(at);
        let uses = &mut self.arrays.uses;
        t.own_uses(&mut |v| uses.entry(v).or_default().push(at));
        self.enter(t, at);
        for c in t.children() {
            let fold = if let Term::Fold(f) = t { Some(f) } else { None };
            let begin = self.arrays.ends.len();
            self.walk(c);
            let scope = (begin, self.arrays.ends.len() - 1);
            for s in fold.iter().flat_map(|f| &f.states) {
                let State::Array { first, next, .. } = s else { continue };
                let inside = |part: &Term| std::ptr::eq(part, c);
                let buffer = match fold {
                    Some(f) if inside(&f.init) => first,
                    Some(f) if inside(&f.step) => next,
                    _ => continue,
                };
                let place = self.arrays.whole[buffer];
                self.arrays.places[place].scope = scope;
            }
        }
        let end = self.arrays.ends.len() - 1;
        self.arrays.ends[at] = end;
        self.scopes.extend(t.binders().into_iter().map(|v| (v, (at, end))));
        if let Term::Alloc(Alloc { blocks, .. }) = t {
            for b in blocks {
                if let Some(place) = self.arrays.whole.get(&b.r) {
                    self.arrays.places[*place].scope = (at, end);
                }
            }
        }
        // Inner folds come first.
        if let Term::Fold(Fold { states, .. }) = t {
            for s in states {
                if let State::Array { x, first, next, dest, other: Some(_), .. } = s {
                    self.states.push((*x, *first, *next, dest.clone()));
                }
            }
        }
    }

    /// The places and names that a node introduces.
    fn enter(&mut self, t: &Term, at: usize) {
        self.arrays.views.push_all(copied_part(t).map(|(x, view)| (x, view.base)));
        match t {
            Term::Alloc(Alloc { blocks, .. }) => {
                for b in blocks.iter().filter(|b| b.placement == Placement::Frame) {
                    self.place((b.r, vec![]), b.elem, b.shape.clone(), Some(at));
                }
            }
            Term::Fold(Fold { states, .. }) => {
                for s in states {
                    if let State::Array { first, next, dest, elem, shape, .. } = s {
                        self.row(dest);
                        self.place((*first, vec![]), *elem, shape.clone(), None);
                        self.place((*next, vec![]), *elem, shape.clone(), None);
                    }
                }
            }
            Term::Fill(Fill { arrays, .. }) => {
                for (x, r) in arrays {
                    if let Some(place) = self.arrays.whole.get(r) {
                        self.arrays.homes.insert(*x, *place);
                    }
                }
            }
            Term::Alias(Alias { x, view, .. }) => {
                self.arrays.parts.insert(*x, (view.base, view.steps.is_empty()));
            }
            Term::Set(d, _) => self.sets.push_all(d.root()),
            Term::Call(Call { dests, args, .. }) => {
                for a in args {
                    if let Arg::There(k) = a {
                        self.sets.push_all(dests[*k].root());
                    }
                }
            }
            Term::Copy(Copy { dest, view, .. }) if view.steps.is_empty() => {
                self.row(dest);
                self.copies.push((dest.clone(), view.base));
            }
            _ => {}
        }
    }

    /// Remembers a row that an array is put in: under loop indices and constants.
    fn row(&mut self, d: &Dest) {
        let simple = |t: &Term| matches!(t, Term::Var(_) | Term::Size(..));
        if let Dest::Storage(r, path) = d
            && !path.is_empty()
            && path.iter().all(simple)
            && !self.rows.iter().any(|(s, p)| s == r && p == path)
        {
            self.rows.push((*r, path.clone()));
        }
    }

    fn finish(mut self) -> Arrays {
        for (r, path) in std::mem::take(&mut self.rows) {
            let Some(whole) = self.arrays.whole.get(&r).map(|p| &self.arrays.places[*p]) else { continue };
            let (elem, shape, mut scope) = (whole.elem, whole.shape[path.len()..].to_vec(), whole.scope);
            for i in &path {
                if let Term::Var(i) = i {
                    let own = self.scopes.get(i).copied().unwrap_or((0, usize::MAX));
                    scope = (scope.0.max(own.0), scope.1.min(own.1));
                }
            }
            let place = self.place((r, path), elem, shape, None);
            self.arrays.places[place].scope = scope;
        }
        let mut arrays = self.arrays;
        for (x, first, next, dest) in self.states {
            if let Some(d) = arrays.place(&dest) {
                let [first, next] = [first, next].both(|r| {
                    arrays.buffers.insert(r, d);
                    arrays.whole[&r]
                });
                arrays.states.push((x, [first, next, d]));
            }
        }
        let sets = self.sets;
        arrays.updated = (0..arrays.places.len()).filter(|p| sets.contains(&arrays.places[*p].r)).collect_vec();
        for (d, x) in self.copies {
            if let Some(d) = arrays.place(&d) {
                arrays.copies.push((d, x));
            }
        }
        arrays
    }
}
