//! Overwriting: whether a term may write to the storage of an array that it reads.
//!
//! ```text
//! build{d} n (λi. d[i] ← … x[i] …)   ⟶   build{d} n (λi. d[i] ← … previous d[i] …)         x is in d
//! ```
//!
//! SaC's conditions: equal shapes, pointwise access, last use. Inside a loop, an element is read only under the indices
//! that the loop writes next, and before it writes there. Terms that are evaluated before the first loop may read any
//! element.

use crate::dps::{Alias, Alloc, Build, Copy, Dest, Fill, Let, RowThere, Step, Term, View, are_apart};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::role::Role;
use crate::sorted::sort_by_key;

/// The array that is overwritten, and the storage that it is in.
pub(super) struct Overwrite<'a> {
    /// The array.
    pub x: VarId,
    /// The storage that it is in, which the term writes.
    pub d: &'a Dest,
}

impl Overwrite<'_> {
    /// Whether `t`, which writes all of `d`, may do so while `x` is in it.
    pub(super) fn is_sound_in(&self, t: &Term) -> bool {
        self.is_pointwise(t, &[])
    }

    /// Replaces reads of `x` by reads of previous values of `d`.
    pub(super) fn apply(&self, t: &mut Term) {
        self.rewrite(t, false);
    }

    /// As [`is_sound_in`](Self::is_sound_in), for a term inside the loops with the indices `own`: it writes under
    /// these, and may read under these.
    fn is_pointwise(&self, t: &Term, own: &[Term]) -> bool {
        match t {
            Term::Build(Build { count, index, body }) => {
                let own: Vec<Term> = own.iter().cloned().chain([Term::Var(*index)]).collect_vec();
                self.reads(count, &own[..own.len() - 1]) && self.is_pointwise(body, &own)
            }
            Term::Store(d, value) => self.reads(value, own) && self.within(d, own),
            Term::Let(Let { value, body, .. }) => self.reads(value, own) && self.is_pointwise(body, own),
            Term::Fill(Fill { write, body, .. }) => {
                !self.writes(write) && self.reads(write, own) && self.is_pointwise(body, own)
            }
            Term::Alloc(Alloc { blocks, body }) => {
                blocks.iter().filter_map(|b| b.placement.dest()).all(|d| !self.meets(d)) && self.is_pointwise(body, own)
            }
            Term::Alias(Alias { view, body, .. }) => {
                view.base != self.x
                    && view.operands().into_iter().all(|t| self.reads(t, own))
                    && self.is_pointwise(body, own)
            }
            Term::If(c, a, b) => self.reads(c, own) && self.is_pointwise(a, own) && self.is_pointwise(b, own),
            Term::Copy(_) if own.is_empty() => self.is_no_op(t) || !self.mentions(t),
            // Copies that become no-ops move to the end: until then, every term may read `x`.
            Term::Seq(ts) if ts.iter().any(|t| self.is_no_op(t)) => {
                own.is_empty() && ts.iter().all(|t| self.is_no_op(t) || !self.writes(t) && self.reads(t, own))
            }
            Term::Seq(ts) => {
                let last = ts.iter().rposition(|t| self.mentions(t));
                let first = ts.iter().position(|t| self.writes(t));
                let before = |k: usize| first.is_none_or(|f| k < f);
                // No term after the first one that writes may read `x`.
                last.is_none_or(|l| before(l) || first == Some(l))
                    && ts
                        .iter()
                        .enumerate()
                        .all(|(k, t)| if before(k) { self.reads(t, own) } else { self.is_pointwise(t, own) })
            }
            t => !self.mentions(t) || !self.writes(t) && self.reads(t, own),
        }
    }

    /// Whether a term copies the whole of `x` to the storage of `x`: a copy that becomes a no-op.
    fn is_no_op(&self, t: &Term) -> bool {
        matches!(t, Term::Copy(Copy { dest, view, .. }) if view.base == self.x && view.steps.is_empty() && dest == self.d)
    }

    /// Whether a destination is in other storage, or exactly under `own`.
    fn within(&self, d: &Dest, own: &[Term]) -> bool {
        match (d, self.d) {
            (Dest::Storage(_, path), Dest::Storage(_, prefix)) if self.meets(d) => {
                path.strip_prefix(prefix.as_slice()).is_some_and(|rest| rest.starts_with(own))
            }
            _ => true,
        }
    }

    /// Whether a term, which writes elsewhere, reads `x` under `own` only.
    fn reads(&self, t: &Term, own: &[Term]) -> bool {
        let mut fine = true;
        t.each(&mut |t| fine &= self.node_reads(t, own));
        fine
    }

    /// As [`reads`](Self::reads), for a node without its parts.
    fn node_reads(&self, t: &Term, own: &[Term]) -> bool {
        let inside = |v: &&View| v.base == self.x;
        if let Term::AlreadyThere(_, x) | Term::RowThere(RowThere { array: x, .. }) = t
            && *x == self.x
        {
            return false;
        }
        if own.is_empty() {
            return true;
        }
        // Inside a loop only single elements, each of which is read before it is written.
        let element = |v: &View| indices(v).is_some_and(|is| is.starts_with(own));
        match t {
            Term::Load(v) => !inside(&v) || element(v),
            t => !t.views().iter().any(inside),
        }
    }

    fn mentions(&self, t: &Term) -> bool {
        t.uses(self.x) > 0
    }

    /// Whether a term uses the storage of `x`, other than rows beside it.
    pub(super) fn writes(&self, t: &Term) -> bool {
        t.any(&|t| {
            let mut uses = 0;
            t.own_uses(&mut |r| uses += usize::from(self.d.root() == Some(r)));
            uses > t.dests().iter().filter(|d| d.root() == self.d.root() && !self.meets(d)).count()
        })
    }

    /// Whether a destination is in the storage of `x`, unless it is a row beside it.
    fn meets(&self, d: &Dest) -> bool {
        match (d, self.d) {
            (Dest::Storage(r, path), Dest::Storage(s, own)) => r == s && !are_apart(path, own),
            _ => d.root() == self.d.root(),
        }
    }

    fn rewrite(&self, t: &mut Term, inside: bool) {
        let in_body = inside || matches!(t, Term::Build(_));
        // An index may be an element of `x` as well.
        for (role, part) in t.parts_mut() {
            self.rewrite(part, if role == Role::Often { in_body } else { inside });
        }
        match t {
            Term::Load(v) if inside && v.base == self.x => {
                if let (Some(is), Dest::Storage(r, prefix)) = (indices(v), self.d) {
                    *t = Term::Previous(Dest::Storage(*r, prefix.iter().cloned().chain(is).collect_vec()));
                }
            }
            // The copies that are no-ops come last.
            Term::Seq(ts) => sort_by_key(ts, |t| *t == self.no_op()),
            t if self.is_no_op(t) => *t = self.no_op(),
            _ => {}
        }
    }

    fn no_op(&self) -> Term {
        Term::AlreadyThere(self.d.clone(), self.x)
    }
}

/// The indices of an element that needs no check; none if the view is not an element, or needs one.
fn indices(v: &View) -> Option<Vec<Term>> {
    let index = |s: &Step| match s {
        Step::At { index, check: None, .. } => Some(index.clone()),
        _ => None,
    };
    v.steps.iter().map(index).all_some()
}

/// The destination that a term writes as a whole, if it reads `x` for it: the one that it copies `x` to, or the one
/// that its loops and branches have in common.
pub(super) fn target(t: &Term, x: VarId) -> Option<Dest> {
    copied(t, x).cloned().or_else(|| built(t, x))
}

/// The destination that a term copies the whole of `x` to in the end.
pub(super) fn copied(t: &Term, x: VarId) -> Option<&Dest> {
    match t.body_of_scope() {
        Term::Copy(Copy { dest, view, .. }) => (view.base == x && view.steps.is_empty()).then_some(dest),
        Term::If(_, a, b) => copied(a, x).or_else(|| copied(b, x)),
        Term::Seq(ts) => ts.iter().find_map(|t| copied(t, x)),
        _ => None,
    }
}

fn built(t: &Term, x: VarId) -> Option<Dest> {
    match t.body_of_scope() {
        Term::If(_, a, b) => built(a, x).or_else(|| built(b, x)),
        Term::Seq(ts) => ts.iter().find_map(|t| built(t, x)),
        Term::Build(Build { index, body, .. }) if body.uses(x) > 0 => match element(body, *index)? {
            Dest::Storage(r, path) => {
                let at = path.iter().position(|i| *i == Term::Var(*index))?;
                Some(Dest::Storage(r, path[..at].to_vec()))
            }
            Dest::Cell(_) => None,
        },
        _ => None,
    }
}

/// A destination in a loop's body that contains the loop's index.
fn element(t: &Term, index: VarId) -> Option<Dest> {
    let mut found = None;
    t.each(&mut |t| {
        for d in t.dests() {
            if let Dest::Storage(_, path) = d
                && path.contains(&Term::Var(index))
            {
                found.get_or_insert_with(|| d.clone());
            }
        }
    });
    found
}
