//! Accumulator promotion: an element that every iteration of a loop reads and writes is a number while the loop runs.
//!
//! ```text
//! ifold n (λk over s in one buffer. (already_there s' s ; set s'[ī] ← t{s[ī]})) from already_there s y
//!     ⟶   ifold n (λk over v. v' ← t{v}) from v' ← y[ī] then (already_there d y ; set d[ī] ← v)
//! ```
//!
//! if the loop changes no part of `ī` and accesses no other place of `s`, and `ī` is in range before the loop, which
//! may have no iterations. LLVM promotes only if nothing in the loop can panic.
//!
//! Peak: unchanged.

use crate::dps::{Alloc, Block, Dest, Fill, Fold, Let, Placement, State, Step, Term, View};
use crate::mapped::{Both, Mapped, PushAll};
use crate::name::{Names, VarId};
use crate::shape::Shape;
use crate::sorted::{Map, Set};
use crate::span::Origin;
use crate::ty::Scalar;

/// The fold with numbers instead of such elements of its states, if there are any. `in_range` says whether a place is
/// in an array of a shape before the loop.
pub(super) fn promote(f: &Fold, names: &mut Names, in_range: &mut dyn FnMut(&[Term], &Shape) -> bool) -> Option<Fold> {
    let in_one_buffer = |s: &State| matches!(s, State::Array { other: None, onto: None, .. });
    if f.test.is_some() || !f.states.iter().any(in_one_buffer) {
        return None;
    }
    let mut new = f.clone();
    let mut any = false;
    for k in 0..f.states.len() {
        // A state that cannot be promoted does not change.
        any |= in_one_buffer(&f.states[k]) && promote_one(&mut new, k, names, in_range).is_some();
    }
    any.then_some(new)
}

fn promote_one(
    f: &mut Fold,
    k: usize,
    names: &mut Names,
    in_range: &mut dyn FnMut(&[Term], &Shape) -> bool,
) -> Option<()> {
    let State::Array { x, first, next, dest, elem, shape, .. } = f.states[k].clone() else { return None };
    let Dest::Storage(r, row) = dest.clone() else { return None };
    let storage = names_of(next, &f.step);
    let path = place(&f.step, &storage).filter(|path| path.len() == shape.len())?;
    let mut bound = vec![f.index];
    f.step.each(&mut |t| bound.push_all(t.binders()));
    bound.push_all(f.states.iter().filter_map(|s| if let State::Scalar { now, .. } = s { Some(*now) } else { None }));
    let is_fixed = |t: &Term| match t {
        Term::Var(v) => !bound.contains(v),
        Term::Size(c, _) => !bound.iter().any(|v| c.mentions(*v)),
        t => matches!(t, Term::Lit(_)),
    };
    if !path.iter().all(is_fixed) || !in_range(&path, &shape) {
        return None;
    }
    let [now, then] = ["element", "next"].both(|name| names.fresh(name));
    let mut init = (*f.init).clone();
    let y = start(&mut init, first)?;
    if init.uses(first) > 0 {
        return None;
    }
    let mut step = (*f.step).clone();
    let mut state = Element { storage, path, elem, to: then, values: Map::from([(x, now)]), names };
    if !state.written(&mut step) {
        return None;
    }
    let steps = state.path.iter().map(|i| Step::At { index: i.clone(), check: None, origin: Origin::default() });
    let value = Term::Load(View { base: y, steps: steps.collect_vec() });
    let place = Dest::Storage(r, row.into_iter().chain(state.path).collect_vec());
    f.states[k] = State::Scalar { now, next: then, ty: elem };
    *f.init = after(init, Term::Store(Dest::Cell(then), Box::new(value)));
    *f.step = step;
    let back = Term::Seq(vec![Term::AlreadyThere(dest, y), Term::Set(place, Box::new(Term::Var(now)))]);
    *f.then = after(back, f.then.take());
    Some(())
}

/// `a ; b`
fn after(a: Term, b: Term) -> Term {
    let terms = |t: Term| if let Term::Seq(ts) = t { ts } else { vec![t] };
    let mut all = terms(a);
    // A sequence's value is that of its last term.
    all.push_all(if matches!(&b, Term::Seq(ts) if ts.is_empty()) && !all.is_empty() { vec![] } else { vec![b] });
    Term::Seq(all)
}

/// Some storage and the blocks in a term that are all of it.
fn names_of(r: VarId, t: &Term) -> Set<VarId> {
    let mut storage = Set::from([r]);
    t.each(&mut |t| {
        if let Term::Alloc(Alloc { blocks, .. }) = t {
            for b in blocks {
                if is_all_of(b, &storage) {
                    storage.insert(b.r);
                }
            }
        }
    });
    storage
}

fn is_all_of(b: &Block, storage: &Set<VarId>) -> bool {
    matches!(&b.placement, Placement::In(Dest::Storage(r, path)) if path.is_empty() && storage.contains(r))
}

/// The indices of the first element of some storage that a term sets.
fn place(t: &Term, storage: &Set<VarId>) -> Option<Vec<Term>> {
    let mut found = None;
    t.each(&mut |t| {
        if let Term::Set(Dest::Storage(s, path), _) = t
            && storage.contains(s)
            && found.is_none()
        {
            found = Some(path.clone());
        }
    });
    found
}

/// Removes the term that says which array is in the initial buffer.
fn start(init: &mut Term, first: VarId) -> Option<VarId> {
    let whole = Dest::Storage(first, vec![]);
    match init {
        Term::AlreadyThere(d, y) if *d == whole => {
            let y = *y;
            *init = Term::Seq(vec![]);
            Some(y)
        }
        Term::Seq(ts) => {
            let k = ts.iter().position(|t| matches!(t, Term::AlreadyThere(d, _) if *d == whole))?;
            let Term::AlreadyThere(_, y) = ts.remove(k) else { return None };
            Some(y)
        }
        _ => None,
    }
}

/// The element of one state in the step of a fold.
struct Element<'n> {
    /// The names of the storage.
    storage: Set<VarId>,
    path: Vec<Term>,
    elem: Scalar,
    /// The number that the step assigns.
    to: VarId,
    /// The names of the versions of the array, and those of their elements.
    values: Map<VarId, VarId>,
    names: &'n mut Names,
}

impl Element<'_> {
    /// Rewrites a term that writes the next state. Returns whether that is possible.
    fn written(&mut self, t: &mut Term) -> bool {
        if self.is_free(t) {
            return self.read(t);
        }
        match t {
            Term::Fill(Fill { cells, arrays, write, body }) if arrays.iter().any(|(_, r)| self.storage.contains(r)) => {
                let ([], [(v, _)]) = (cells.as_slice(), arrays.as_slice()) else { return false };
                let Some(value) = self.value(write) else { return false };
                let x = self.names.fresh("element");
                self.values.insert(*v, x);
                let written = self.written(body);
                *t = Term::Let(Let { x, ty: self.elem, value: Box::new(value), body: Box::new(body.take()) });
                written
            }
            Term::Alloc(Alloc { blocks, body }) if blocks.iter().all(|b| is_all_of(b, &self.storage)) => {
                let written = self.written(body);
                *t = body.take();
                written
            }
            Term::If(c, a, b) => self.read(c) && self.written(a) && self.written(b),
            t @ (Term::AlreadyThere(..) | Term::Set(..)) => {
                let mut one = Term::Seq(vec![t.take()]);
                let written = self.written(&mut one);
                *t = one;
                written
            }
            Term::Seq(ts) => {
                // The term that says that the array is there, and the one that overwrites its element, are adjacent.
                let Some(from) = ts.iter().position(|t| !self.is_free(t)) else { return false };
                let until = from + ts[from..].iter().take_while(|t| !self.is_free(t)).count();
                if ts[until..].iter().any(|t| !self.is_free(t)) {
                    return false;
                }
                let simple = |t: &Term| matches!(t, Term::AlreadyThere(..) | Term::Set(..));
                let own: Vec<Term> = ts.splice(from..until, [Term::Seq(vec![])]).collect_vec();
                let written = match <[Term; 1]>::try_from(own) {
                    Ok([mut one]) if !simple(&one) => {
                        let written = self.written(&mut one);
                        ts[from] = one;
                        written
                    }
                    own => {
                        let own = own.map_or_else(|own| own, Vec::from);
                        let value = self.value(&mut Term::Seq(own));
                        value.is_some_and(|v| {
                            ts[from] = Term::Store(Dest::Cell(self.to), Box::new(v));
                            true
                        })
                    }
                };
                written && ts.iter_mut().enumerate().all(|(k, t)| k == from || self.read(t))
            }
            // A name for a part of the array.
            t if self.is_used_by(t) => false,
            t => match t.split_scope_mut() {
                Some((before, body)) => before.into_iter().all(|t| self.read(t)) && self.written(body),
                None => false,
            },
        }
    }

    /// The element's value after a term that writes the array.
    fn value(&mut self, t: &mut Term) -> Option<Term> {
        let there = |d: &Dest| matches!(d, Dest::Storage(r, path) if path.is_empty() && self.storage.contains(r));
        match t {
            Term::AlreadyThere(d, y) if there(d) => self.values.get(y).map(|v| Term::Var(*v)),
            Term::Seq(ts) => match ts.as_mut_slice() {
                [one] => self.value(one),
                [Term::AlreadyThere(d, y), Term::Set(Dest::Storage(r, path), v)] if there(d) => {
                    let own = self.values.contains_key(y) && self.storage.contains(r) && *path == self.path;
                    (own && self.read(v)).then(|| v.take())
                }
                _ => None,
            },
            Term::If(c, a, b) => {
                let read = self.read(c);
                let (a, b) = (self.value(a)?, self.value(b)?);
                read.then(|| Term::If(Box::new(c.take()), Box::new(a), Box::new(b)))
            }
            Term::Let(Let { x, ty, value, body }) => {
                let read = self.read(value);
                let body = Box::new(self.value(body)?);
                read.then(|| Term::Let(Let { x: *x, ty: *ty, value: Box::new(value.take()), body }))
            }
            _ => None,
        }
    }

    /// Whether a term does not mention the storage.
    fn is_free(&self, t: &Term) -> bool {
        self.storage.iter().all(|r| t.uses(*r) == 0)
    }

    /// Whether a term, apart from its subterms, mentions the array.
    fn is_used_by(&self, t: &Term) -> bool {
        let mut used = false;
        t.own_uses(&mut |x| used |= self.values.contains_key(&x));
        used
    }

    /// Replaces the reads of the element. Returns whether the term does not use the array otherwise.
    fn read(&self, t: &mut Term) -> bool {
        t.each_mut(&mut |t| {
            if let Term::Load(View { base, steps }) = t
                && let Some(v) = self.values.get(base)
                && steps.len() == self.path.len()
                && steps.iter().zip(&self.path).all(|(s, i)| matches!(s, Step::At { index, .. } if index == i))
            {
                *t = Term::Var(*v);
            }
        });
        self.is_free(t) && self.values.keys().all(|x| t.uses(*x) == 0)
    }
}
