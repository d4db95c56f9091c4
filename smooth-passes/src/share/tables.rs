//! Tables of what an inner loop computes again in each iteration of the loop around it.
//!
//! ```text
//! build n (λi. C[build m (λj. D[e])])
//!   ⟶  let t = build m (λj. if n > 0 then e else 0) in build n (λi. C[build m (λj. D[t[j]])])
//! ```
//!
//! and likewise for `sum` and `ifold`, for the largest terms `e` of floats that use `j` and no other variable of the loops, that every
//! iteration evaluates, and that have an operation which is dearer than a store and a load: a root or an elementary function.
//!
//! Keeps: nothing is evaluated that was not. Costs: an array of `m` numbers, where the term reads one.
//!
//! Not done: terms that read no array along `j`, whose table might be larger than all that the kernel is given; terms of folds that
//! end early; an inner loop whose count is more than a name, or a number from the caller that is the length of no array; an outer
//! one of few iterations.

use super::licm::{condition, under, wrap};
use crate::analysis::cost::{self, Place, RECOMPUTE};
use crate::fsmooth::{Expr, Kernel, Kind, Slot, build};
use crate::mapped::PushAll;
use crate::name::{Names, VarId};
use crate::shape::Dim;
use crate::sorted::Set;
use crate::ty::Type;

/// The number of iterations from which on a loop is worth a table, if it is known.
const FEW: i128 = 4;

/// Makes tables for all loops. Returns whether there were any.
pub(super) fn apply(kernel: &mut Kernel) -> bool {
    let unbounded = unbounded(kernel);
    let (mut changed, names) = (false, &mut kernel.names);
    kernel.body.each_mut(&mut |e| changed |= tabulated(e, &unbounded, names));
    changed
}

/// The numbers from the caller that are the length of no array: none of them may become one.
fn unbounded(kernel: &Kernel) -> Set<VarId> {
    let mut all: Set<VarId> = kernel.interface.params.iter().filter(|p| !p.ty().is_array()).map(|p| p.var).collect();
    for d in kernel.interface.params.iter().flat_map(|p| p.dims()) {
        if let Dim::Size(v) | Dim::Param(v) = d {
            all.remove(v);
        }
    }
    kernel.body.each(&mut |e| {
        if let Kind::Build(b) = e.kind()
            && let Kind::Var(v) = b.count.kind()
        {
            all.remove(v);
        }
    });
    all
}

/// Makes tables for one outer loop.
fn tabulated(e: &mut Expr, unbounded: &Set<VarId>, names: &mut Names) -> bool {
    let Some(own) = e.as_loop() else { return false };
    let steps = if let Kind::Lit(l) = own.count.kind() { l.as_int() } else { None };
    if e.part(Slot::Test).is_some() || steps.is_some_and(|n| n < FEW) || own.body.count(is_dear) == 0 {
        return false;
    }
    let mut found = Tables { bound: e.binders(), unbounded, tables: vec![], names };
    let Some(body) = e.part_mut(Slot::Body) else { return false };
    found.outer(body);
    let tables = found.tables;
    if tables.is_empty() {
        return false;
    }
    let (mut lets, mut some) = (vec![], None);
    if steps.is_none() {
        let (count, condition) = condition(e, names);
        lets.push_all(count);
        some = Some(condition);
    }
    for (t, m, j, term) in tables {
        let (o, element) = (term.origin(), under(some.iter(), term));
        lets.push((t, build::build(m, j, element, o)));
    }
    wrap(e, lets);
    true
}

/// Whether a node costs more than a store and a load.
fn is_dear(e: &Expr) -> bool {
    matches!(e.kind(), Kind::Prim(p, _) if p.cost() >= RECOMPUTE) && e.ty().scalar().is_some_and(|s| s.is_float())
}

/// A search for terms in the body of an outer loop.
struct Tables<'n> {
    /// The variables of the loops and of what is named in them.
    bound: Vec<VarId>,
    /// The names that are no lengths.
    unbounded: &'n Set<VarId>,
    /// The tables: name, count, index and element.
    tables: Vec<(VarId, Expr, VarId, Expr)>,
    names: &'n mut Names,
}

impl Tables<'_> {
    /// Looks for inner loops that every iteration runs.
    fn outer(&mut self, e: &mut Expr) {
        let is_length = |n: &Expr| match n.kind() {
            Kind::Var(v) => !self.unbounded.contains(v),
            n => matches!(n, Kind::Lit(_)),
        };
        let inner = e.as_loop().filter(|l| is_length(l.count));
        let inner = inner.filter(|l| !self.bound.iter().any(|v| l.count.mentions(*v)));
        if let Some(l) = inner
            && e.part(Slot::Test).is_none()
        {
            let (m, j, outside) = (l.count.clone(), l.index, self.bound.len());
            self.bound.extend(e.binders().into_iter().filter(|v| *v != j));
            if let Some(body) = e.part_mut(Slot::Body) {
                self.inner(body, &m, j);
            }
            self.bound.truncate(outside);
            return;
        }
        let binders = e.binders();
        e.each_part_mut(&mut |slot, part| {
            if slot.role().is_once() {
                let outside = self.bound.len();
                self.bound.extend(binders.iter().filter(|_| slot.is_scope()));
                self.outer(part);
                self.bound.truncate(outside);
            }
        });
    }

    /// Replaces the largest terms of the index alone that every iteration of an inner loop evaluates.
    fn inner(&mut self, e: &mut Expr, m: &Expr, j: VarId) {
        if self.is_term(e, j) {
            let o = e.origin();
            let known = self.tables.iter().find(|(_, count, k, t)| {
                let mut t = t.clone();
                t.replace(*k, &mut || build::var(j, Type::USIZE, o));
                count == m && t == *e
            });
            let t = known.map_or_else(
                || {
                    let (t, k) = (self.names.fresh("table"), self.names.again(j));
                    let mut term = e.renamed(self.names);
                    term.replace(j, &mut || build::var(k, Type::USIZE, o));
                    (t, Some((t, m.clone(), k, term)))
                },
                |(t, ..)| (*t, None),
            );
            self.tables.push_all(t.1);
            let array = build::var(t.0, Type::Array(e.scalar(), 1), o);
            *e = build::get(array, build::var(j, Type::USIZE, o), o);
            return;
        }
        let binders = e.binders();
        e.each_part_mut(&mut |slot, part| {
            if slot.role().is_once() {
                let outside = self.bound.len();
                self.bound.extend(binders.iter().filter(|_| slot.is_scope()));
                self.inner(part, m, j);
                self.bound.truncate(outside);
            }
        });
    }

    /// Whether a term is dear, a number by operations and elements of arrays along the index, and varies with it alone.
    fn is_term(&self, e: &Expr, j: VarId) -> bool {
        let plain = |e: &Expr| {
            matches!(e.kind(), Kind::Var(_) | Kind::Lit(_) | Kind::Const(_) | Kind::Prim(..) | Kind::Get(..))
        };
        e.ty().scalar().is_some_and(|s| s.is_float())
            && e.count(|e| matches!(e.kind(), Kind::Get(_, i) if i.mentions(j))) > 0
            && e.count(is_dear) > 0
            && e.count(|e| !plain(e)) == 0
            && !self.bound.iter().any(|v| e.mentions(*v))
            && cost::of(e, Place::Here) >= RECOMPUTE
    }
}
