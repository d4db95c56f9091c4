//! Reads that agree become one, so that the array can be fused with it.
//!
//! ```text
//! let x = build n (λi. e) in … sum n (λj. … x[j] … x[j] …)
//!     ⟶  let x = build n (λi. e) in … sum n (λj. let r = x[j] in … r … r …)
//! let x = build n (λi. let a = … in build m (λk. e)) in … sum n (λi. sum m (λj. … x[i][j] …))
//!     ⟶  let x = … in … sum n (λi. let r = x[i] in sum m (λj. … r[j] …))
//! ```
//!
//! where all reads of `x` begin with the same indices, and the loops around the place of `r` visit what is
//! named at most once: the one reading use that fusion asks for.
//!
//! Keeps: `x` was computed whole, so no element of it is computed that was not, and each once. Gains: a row at
//! most is stored where all of `x` was.

use super::fuse::Bounds;
use super::occur::{LoopId, Occurrences, Read, Uses};
use crate::fsmooth::{Expr, Kernel, Kind, build, take};
use crate::name::{Names, VarId};
use std::collections::BTreeSet;

/// Names what the reads of one array have in common, for as many arrays as there are; whether there was one.
pub(super) fn apply(kernel: &mut Kernel, dce: bool) -> bool {
    let occ = Occurrences::of(kernel, dce);
    let candidates: Vec<_> = occ.builds.iter().filter(|(x, _)| has_several(occ.get(*x))).collect();
    if candidates.is_empty() {
        return false;
    }
    let mut bounds = Bounds::new(kernel, &occ);
    let mut lets = BTreeSet::new();
    kernel.body.each(&mut |e| {
        if let Kind::Let(x, ..) = e.kind() {
            lets.insert(*x);
        }
    });
    let plans: Vec<Plan> = candidates
        .into_iter()
        .filter_map(|(x, array)| {
            let shape = bounds.readable(*x, array)?;
            let mut cx = Agreement { occ: &occ, bounds: &mut bounds, lets: &lets };
            cx.plan(*x, array, &|bounds, read| bounds.surely_has(&shape, read))
        })
        .collect();
    for plan in &plans {
        plan.carry_out(&mut kernel.body, &mut kernel.names);
    }
    !plans.is_empty()
}

/// Whether an array is only read, and a name for a part of it could leave one use of several, or of several axes.
fn has_several(u: &Uses<'_>) -> bool {
    let only_read = !u.reads.is_empty() && u.reads.len() + u.lengths == u.count;
    only_read && (u.reads.len() > 1 || u.reads[0].levels() > 1)
}

/// `let r = x[ī]` around the body of a loop, or of the `let` of `x`.
struct Plan {
    x: VarId,
    part: Expr,
    levels: usize,
    /// The loop's index, or `x`.
    binder: VarId,
}

struct Agreement<'a, 'k, 'o> {
    occ: &'o Occurrences<'k>,
    bounds: &'a mut Bounds<'k, 'o>,
    lets: &'a BTreeSet<VarId>,
}

impl<'k> Agreement<'_, 'k, '_> {
    fn plan(
        &mut self,
        x: VarId,
        array: &'k Expr,
        is_there: &dyn Fn(&mut Bounds<'k, '_>, &Read<'k>) -> bool,
    ) -> Option<Plan> {
        let occ = self.occ;
        let uses = occ.get(x);
        let [first, others @ ..] = uses.reads.as_slice() else { return None };
        let agree = |k: &usize| others.iter().all(|r| r.indices.get(*k) == first.indices.get(*k));
        let common = (0..first.indices.len()).take_while(agree).count();
        for levels in (1..=common).rev() {
            // A single use of that many axes is there already.
            if others.is_empty() && levels == first.levels() {
                continue;
            }
            let indices = first.indices[..levels].to_vec();
            let Some(at) = self.place(&indices, &uses.reads, uses.home) else { continue };
            let read = Read { indices, range: None, at };
            if is_there(self.bounds, &read) && self.bounds.visits_once(&read, uses.home, array) {
                let o = array.origin();
                let part = read
                    .indices
                    .iter()
                    .fold(build::var(x, array.ty().clone(), o), |a, i| build::get(a, (*i).clone(), o));
                let binder = if at == uses.home { x } else { occ.loops[at].range?.0 };
                return Some(Plan { x, part, levels, binder });
            }
        }
        None
    }

    /// The innermost loop that the indices speak of, if all reads are in it and its index and what is bound
    /// outside is all they need; between it and them, no `build` of rows, which is best left whole.
    fn place(&self, indices: &[&Expr], reads: &[Read<'_>], home: LoopId) -> Option<LoopId> {
        let occ = self.occ;
        let free: BTreeSet<VarId> = indices.iter().flat_map(|i| i.free()).collect();
        let indexed_by = |l: &LoopId| occ.loops[*l].range.is_some_and(|(i, _)| free.contains(&i));
        let at = occ.between(reads[0].at, home).find(indexed_by).unwrap_or(home);
        let around = |r: &Read<'_>| at == home || occ.between(r.at, home).any(|l| l == at);
        let of_rows = |r: &Read<'_>| occ.between(r.at, at).any(|l| occ.loops[l].builds);
        let known = |v: &VarId| match occ.get(*v).home {
            own if own == at => !self.lets.contains(v),
            outer => self.encloses(outer, at),
        };
        let fits = reads.iter().all(around) && free.iter().all(known);
        (fits && (reads.len() == 1 || !reads.iter().any(of_rows))).then_some(at)
    }

    fn encloses(&self, outer: LoopId, inner: LoopId) -> bool {
        outer == 0 || self.occ.between(inner, 0).any(|l| l == outer)
    }
}

impl Plan {
    fn carry_out(&self, e: &mut Expr, names: &mut Names) {
        if e.binders().contains(&self.binder) {
            let (r, o) = (names.again(self.x), e.origin());
            if let Some(body) = e.children_mut().pop() {
                self.name(body, r);
                *body = build::bind(r, self.part.clone(), take(body), o);
            }
            return;
        }
        e.children_mut().into_iter().for_each(|c| self.carry_out(c, names));
    }

    /// `x[ī] ⟶ r`
    fn name(&self, e: &mut Expr, r: VarId) {
        if self.reads(e, self.levels) {
            *e = build::var(r, e.ty().clone(), e.origin());
            return;
        }
        e.children_mut().into_iter().for_each(|c| self.name(c, r));
    }

    fn reads(&self, e: &Expr, levels: usize) -> bool {
        match e.kind() {
            Kind::Get(a, _) if levels > 0 => self.reads(a, levels - 1),
            Kind::Var(v) => levels == 0 && *v == self.x,
            _ => false,
        }
    }
}
