//! Loops over small static ranges become straight-line code.
//!
//! ```text
//! build 3 (λi. e)         ⟶  [e[0/i], e[1/i], e[2/i]]
//! sum 3 (λi. e)           ⟶  (e[0/i] + e[1/i]) + e[2/i]          fewer than 32 terms: one per lane
//! ifold 2 (λs i. e) e₀    ⟶  let s = (let s = e₀ in e[0/i]) in e[1/i]
//! slice x 1 3             ⟶  [x[1], x[2]]                          of numbers
//! ```
//!
//! Keeps: every operation and its order. Costs: size, bounded. A loop that calls a function of the kernel waits until the
//! function's body is in the place of the call: loops in functions that call each other in loops would be a term of
//! all their counts' product.

use super::COPY;
use super::rules::constant;
use crate::fsmooth::{Expr, Kernel, Kind, build};
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::ty::Scalar;
use crate::value::Lit;

/// The largest count that is unrolled; at most 31, so that a sum in lanes is a sum in order.
const TIMES: i128 = 16;

/// Unrolls everywhere, inner loops first; whether there was something to unroll.
pub(super) fn apply(kernel: &mut Kernel) -> bool {
    let outside: Vec<VarId> = kernel.params.iter().map(|p| p.var).collect();
    let names = &mut kernel.names;
    let mut any = false;
    kernel.body.each_mut(&mut |e| {
        if let Some(flat) = unrolled(e, names, &outside) {
            *e = flat;
            any = true;
        }
    });
    any
}

/// The count of a loop that is to be unrolled; functions from `outside` have no body that could come in.
fn small(count: &Expr, body: &Expr, outside: &[VarId]) -> Option<u64> {
    let n = constant(count).filter(|n| *n <= TIMES)?;
    let calls = |e: &Expr| match e.kind() {
        Kind::App(f, _) => !matches!(f.kind(), Kind::Var(v) if outside.contains(v)),
        _ => false,
    };
    (n as usize * body.size() <= COPY && body.count(calls) == 0).then_some(n as u64)
}

fn at(body: &Expr, i: VarId, k: u64, names: &mut Names) -> Expr {
    let mut copy = body.renamed(names);
    let o = body.origin();
    copy.replace(i, &mut || build::index(k, o));
    copy
}

fn unrolled(e: &Expr, names: &mut Names, outside: &[VarId]) -> Option<Expr> {
    let o = e.origin();
    match e.kind() {
        Kind::Build(n, i, body) => {
            let n = small(n, body, outside).filter(|n| *n > 0)?;
            Some(build::array((0..n).map(|k| at(body, *i, k, names)).collect(), o))
        }
        Kind::Sum { count, index, body, .. } => {
            let n = small(count, body, outside)?;
            let terms = (0..n).map(|k| at(body, *index, k, names)).collect::<Vec<_>>();
            Some(
                terms
                    .into_iter()
                    .reduce(|a, b| build::prim(Prim::Add, vec![a, b], o))
                    .unwrap_or_else(|| build::lit(Lit::zero(e.ty().scalar().unwrap_or(Scalar::F64)), o)),
            )
        }
        Kind::Slice(a, s, t) if a.ty().rank() == 1 && matches!(a.kind(), Kind::Var(_)) => {
            let (s, t) = (u64::try_from(constant(s)?).ok()?, u64::try_from(constant(t)?).ok()?);
            let fits = t > s && i128::from(t - s) <= TIMES;
            fits.then(|| build::array((s..t).map(|k| build::get((**a).clone(), build::index(k, o), o)).collect(), o))
        }
        Kind::IFold { count, init, state, index, body } if init.ty().scalar().is_some() => {
            let n = small(count, body, outside)?;
            let mut s = (**init).clone();
            for k in 0..n {
                let mut step = at(body, *index, k, names);
                let x = names.again(*state);
                let variable = build::var(x, s.ty().clone(), o);
                step.replace(*state, &mut || variable.clone());
                s = build::bind(x, s, step, o);
            }
            Some(s)
        }
        _ => None,
    }
}
