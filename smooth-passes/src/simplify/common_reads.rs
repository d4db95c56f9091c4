//! Reads that agree become one, so that the array can be fused with it.
//!
//! ```text
//! let x = build n (λi. e) in … sum n (λj. … x[j] … x[j] …)
//!     ⟶  let x = build n (λi. e) in … sum n (λj. let r = x[j] in … r … r …)
//! let x = build n (λi. let a = … in build m (λk. e)) in … sum n (λi. sum m (λj. … x[i][j] …))
//!     ⟶  let x = … in … sum n (λi. let r = x[i] in sum m (λj. … r[j] …))
//! ```
//!
//! if all reads of `x` begin with equal indices, and the loops around the place of `r` visit the named part at most
//! once, so that it becomes the single reading use that fusion needs. The indices must be `total` unless one of the
//! reads is evaluated whenever the place of `r` is: the program may not evaluate them there.
//!
//! Keeps: all of `x` was computed, so no element is computed that was not, and each once. Gains: at most a row is
//! stored instead of all of `x`.

use crate::analysis::reads::Reads;
use crate::analysis::uses::{LoopId, Read, Uses, VarUses};
use crate::fsmooth::{Expr, Kernel, Kind, build, take};
use crate::mapped::Mapped;
use crate::name::{Names, VarId};
use crate::shape::Shape;
use crate::sorted::{Map, Set};

/// Names the common part of the reads of an array, for all such arrays. Returns whether there were any.
pub(super) fn apply(kernel: &mut Kernel, dce: bool) -> bool {
    let occ = Uses::of(kernel, dce);
    let candidates: Vec<_> = occ.builds.iter().filter(|(x, _)| has_several(occ.get(*x))).collect_vec();
    if candidates.is_empty() {
        return false;
    }
    let mut bounds = Reads::new(kernel, &occ);
    let mut lets = Set::new();
    kernel.body.each(&mut |e| {
        if let Kind::Let(x, ..) = e.kind() {
            lets.insert(*x);
        }
    });
    let plans: Vec<Plan> = candidates
        .into_iter()
        .filter_map(|(x, array)| {
            let shape = bounds.readable(*x, array)?;
            if bounds.is_read_by_columns(array, &occ.get(*x).reads) {
                return None;
            }
            let mut cx = Agreement { occ: &occ, bounds: &mut bounds, lets: &lets };
            cx.plan(*x, array, &shape)
        })
        .collect_vec();
    let some = !plans.is_empty();
    let mut naming = Naming::default();
    for plan in plans {
        naming.plans.entry(plan.binder).or_default().push(plan);
    }
    naming.carry_out(&mut kernel.body, &mut kernel.names);
    some
}

/// Whether an array is only read, and a name for a part of it could leave one use of several, or of several axes.
fn has_several(u: &VarUses<'_>) -> bool {
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
    occ: &'o Uses<'k>,
    bounds: &'a mut Reads<'k, 'o>,
    lets: &'a Set<VarId>,
}

impl<'k> Agreement<'_, 'k, '_> {
    fn plan(&mut self, x: VarId, array: &'k Expr, shape: &Shape) -> Option<Plan> {
        let occ = self.occ;
        let uses = occ.get(x);
        let [first, others @ ..] = uses.reads.as_slice() else { return None };
        let agree = |k: &usize| others.iter().all(|r| r.indices.get(*k) == first.indices.get(*k));
        let common = (0..first.indices.len()).take_while(agree).count();
        for levels in (1..=common).rev() {
            // The array already has a single use of this number of axes.
            if others.is_empty() && levels == first.levels() {
                continue;
            }
            let indices = first.indices[..levels].to_vec();
            let Some(at) = self.place(&indices, &uses.reads, uses.home) else { continue };
            let region = if at == uses.home { uses.region } else { occ.loops[at].region };
            let read = Read { indices, range: None, at, region };
            if self.has(shape, &read, &uses.reads) && self.bounds.reads_each_element_once(&read, uses.home, array) {
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

    /// Whether a read is in bounds, and evaluating its indices there panics only where one of the `reads` would panic.
    fn has(&mut self, shape: &Shape, read: &Read<'k>, reads: &[Read<'k>]) -> bool {
        self.bounds.is_in_bounds(shape, read)
            && (self.occ.surely_reads(read.region, reads) || self.bounds.total(&read.indices, shape, read.at))
    }

    /// The innermost loop whose index occurs in `indices`. `None` if a read lies outside its body, if the indices
    /// mention a second variable that is bound inside it, or if a `build` of rows lies between it and one of several
    /// reads: such a nest stays whole.
    fn place(&self, indices: &[&Expr], reads: &[Read<'_>], home: LoopId) -> Option<LoopId> {
        let occ = self.occ;
        let free: Set<VarId> = indices.iter().flat_map(|i| i.free()).collect();
        let indexed_by = |l: &LoopId| occ.loops[*l].range.is_some_and(|(i, _)| free.contains(&i));
        let at = occ.between(reads[0].at, home).find(indexed_by).unwrap_or(home);
        let in_body = |r: &Read<'_>| occ.is_inside(r.region, occ.loops[at].region);
        let around = |r: &Read<'_>| at == home || (occ.between(r.at, home).any(|l| l == at) && in_body(r));
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

/// The walk that binds and uses the names.
#[derive(Default)]
struct Naming {
    /// By the variable whose binder they are placed at.
    plans: Map<VarId, Vec<Plan>>,
    /// The names for parts of arrays, with the number of indices that they stand for.
    names: Map<VarId, (VarId, usize)>,
}

impl Naming {
    fn carry_out(&mut self, e: &mut Expr, names: &mut Names) {
        if let Some(r) = self.part(e, 0) {
            *e = build::var(r, e.ty().clone(), e.origin());
            return;
        }
        let plans: Vec<Plan> = e.binders().iter().filter_map(|b| self.plans.remove(b)).flatten().collect_vec();
        for p in &plans {
            self.names.insert(p.x, (names.again(p.x), p.levels));
        }
        e.each_child_mut(&mut |c| self.carry_out(c, names));
        if let Some(body) = e.scope_mut() {
            for p in plans {
                let o = p.part.origin();
                *body = build::bind(self.names[&p.x].0, p.part, take(body), o);
            }
        }
    }

    /// The name for `x[ī]`.
    fn part(&self, e: &Expr, levels: usize) -> Option<VarId> {
        match e.kind() {
            Kind::Get(a, _) => self.part(a, levels + 1),
            Kind::Var(x) => self.names.get(x).filter(|(_, all)| *all == levels).map(|(r, _)| *r),
            _ => None,
        }
    }
}
