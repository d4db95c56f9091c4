//! Unrolling: loops over small static ranges become straight-line code.
//!
//! ```text
//! build 3 (λi. e)         ⟶  [e[0/i], e[1/i], e[2/i]]
//! sum 3 (λi. e)           ⟶  (e[0/i] + e[1/i]) + e[2/i]          fewer than 32 terms: one per lane
//! minimum 1 (λi. e)       ⟶  let s = ∞ in let x = e[0/i] in if x < s then x else s
//! ifold 2 (λs i. e) e₀    ⟶  let s = (let s = e₀ in e[0/i]) in e[1/i]      i in e, or s a size
//! slice x 1 3             ⟶  [x[1], x[2]]                          of numbers
//! ```
//!
//! Views, which are arrays of other arrays' elements, come last: once their rows are literals, fusion cannot put them
//! where they are read.
//!
//! Keeps: every operation and its order. Costs: size, bounded. A loop that calls a closure waits until the closure's
//! body has replaced the call: loops in closures that call each other in loops would grow to the product of all their
//! counts.

use crate::analysis::cost::COPY;
use crate::analysis::terms::{base, constant};
use crate::fsmooth::{Build, Combine, Expr, IFold, Kernel, Kind, Monoid, Reduce, build, records};
use crate::mapped::{Both, Mapped};
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::sorted::Set;
use crate::span::Origin;
use crate::ty::{Scalar, Type};

/// The largest count that is unrolled; at most 31, so that a sum in lanes is a sum in order.
const TIMES: i128 = 16;

/// Unrolls everywhere but in views, inner loops first. Returns whether a loop was unrolled.
pub(super) fn apply(kernel: &mut Kernel) -> bool {
    let views = views(&kernel.body);
    all_but(&views, kernel)
}

/// Unrolls the views that fusion has left, too.
pub(super) fn finish(kernel: &mut Kernel) -> bool {
    all_but(&Set::new(), kernel)
}

fn all_but(views: &Set<VarId>, kernel: &mut Kernel) -> bool {
    let outside: Vec<VarId> = kernel.interface.params.iter().mapped(|p| p.var);
    let names = &mut kernel.names;
    let mut any = false;
    kernel.body.each_mut(&mut |e| {
        if let Kind::Build(Build { index, .. }) = e.kind()
            && views.contains(index)
        {
            return;
        }
        if let Some(flat) = unrolled(e, names, &outside) {
            *e = flat;
            any = true;
        }
    });
    any
}

/// The indices of the views that would be unrolled in part: named arrays whose elements are those of a second array, in
/// a different order.
fn views(e: &Expr) -> Set<VarId> {
    let mut views = Set::new();
    e.each(&mut |e| {
        if let Kind::Let(_, a, _) = e.kind()
            && is_view(a)
            && flat_size(a).is_none()
        {
            indices(a, &mut views);
        }
    });
    views
}

fn is_view(e: &Expr) -> bool {
    match e.kind() {
        Kind::Build(Build { body, .. }) => is_view(body),
        _ => base(e).is_some() && e.ty().scalar().is_some(),
    }
}

fn indices(e: &Expr, found: &mut Set<VarId>) {
    if let Kind::Build(Build { index, body, .. }) = e.kind() {
        found.insert(*index);
        indices(body, found);
    }
}

/// The size of nested builds when all of them are unrolled; `None` if they are not.
fn flat_size(e: &Expr) -> Option<usize> {
    let Kind::Build(Build { count, body, .. }) = e.kind() else { return Some(e.size()) };
    let n = usize::try_from(constant(count)?).ok()?;
    let size = flat_size(body)?.checked_mul(n)?;
    (n as i128 <= TIMES && size <= COPY).then_some(size + 1)
}

/// The count of a loop that is unrolled. The functions from `outside` have no body that could replace a call.
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

/// The terms of a reduction combined, first to last. Neutral starts are left out where that keeps all bits.
fn reduced(with: Monoid, s: Scalar, terms: Vec<Expr>, names: &mut Names, o: Origin) -> Expr {
    let empty = build::lit(with.empty(s), o);
    let chain = |p: Prim, terms: Vec<Expr>| terms.into_iter().reduce(|a, b| build::prim(p, vec![a, b], o));
    let better = match with {
        Monoid::Sum => return chain(Prim::Add, terms).unwrap_or(empty),
        Monoid::Prod => return chain(Prim::Mul, terms).unwrap_or(empty),
        Monoid::Min if s.is_int() => return chain(Prim::Min, terms).unwrap_or(empty),
        Monoid::Max if s.is_int() => return chain(Prim::Max, terms).unwrap_or(empty),
        Monoid::Min => Prim::Lt,
        Monoid::Max => Prim::Gt,
    };
    // A NaN is never better, not even as the first term.
    let var = |x: VarId| build::var(x, Type::Scalar(s), o);
    terms.into_iter().fold(empty, |best, term| {
        let [x, b] = ["term", "best"].both(|name| names.fresh(name));
        let chosen = build::branch(build::prim(better, vec![var(x), var(b)], o), var(x), var(b), o);
        build::bind(b, best, build::bind(x, term, chosen, o), o)
    })
}

fn unrolled(e: &Expr, names: &mut Names, outside: &[VarId]) -> Option<Expr> {
    let o = e.origin();
    match e.kind() {
        Kind::Build(Build { count: n, index: i, body }) => {
            let n = small(n, body, outside).filter(|n| *n > 0)?;
            let elements = (0..n).mapped(|k| at(body, *i, k, names));
            Some(records::literal(elements, names, o))
        }
        Kind::Reduce(Reduce { count, index, body, with: Combine::Named(with), .. }) if e.ty().scalar().is_some() => {
            let n = small(count, body, outside)?;
            let terms = (0..n).mapped(|k| at(body, *index, k, names));
            Some(reduced(*with, e.scalar(), terms, names, o))
        }
        Kind::Slice(a, s, t) if a.ty().rank() == 1 && matches!(a.kind(), Kind::Var(_)) => {
            let (s, t) = (u64::try_from(constant(s)?).ok()?, u64::try_from(constant(t)?).ok()?);
            let fits = t > s && i128::from(t - s) <= TIMES;
            fits.then(|| build::array((s..t).mapped(|k| build::get((**a).clone(), build::index(k, o), o)), o))
        }
        Kind::IFold(IFold { count, init, state, index, test: None, body }) if init.ty().scalar().is_some() => {
            let n = small(count, body, outside)?;
            // Iterations that are all alike stay a loop, which LLVM may know: a polynomial division, a power.
            if n > 1 && !body.mentions(*index) && *init.ty() != Type::USIZE {
                return None;
            }
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
