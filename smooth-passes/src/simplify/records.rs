//! Arrays of tuples, which are tuples of arrays: made whole where one `build` computes them, so that they are fused
//! like any array, and split where that costs nothing.
//!
//! ```text
//! let x = build n (λi. e) in … x.k[j] …      ⟶  … x[j].k …                     an element of the whole
//! let x = build n (λi. (e, f)) in … x[j].1 … ⟶  let y = build n (λi. f) in … y[j] …   if no part but that is used
//! build n (λi. (a[i], e))                    ⟶  (build n (λi. a[i]), build n (λi. e))  views cost nothing apart
//! x[j]                                       ⟶  (x.0[j], x.1[j])                in the end, for the remaining reads
//! ```
//!
//! Keeps: every element that is computed was computed, and each once. The last rule is not exported, so that callers
//! fuse with whole elements too.

use crate::analysis::terms::{base, offset, trivial};
use crate::fsmooth::{Build, Expr, Kernel, Kind, build, records, take};
use crate::mapped::Mapped;
use crate::name::{Names, VarId};
use crate::pass::{PassId, Switches};
use crate::sorted::{Map, Set};
use crate::ty::Type;

/// Makes elements whole, drops parts that nothing uses, and splits views off. Returns whether the kernel changed.
pub(super) fn gather(kernel: &mut Kernel, on: &Switches) -> bool {
    let mut any = false;
    let names = &mut kernel.names;
    kernel.body.each_mut(&mut |e| any |= split_views(e, names));
    let mut wholes = Map::new();
    kernel.body.each(&mut |e| {
        if let Kind::Let(x, a, _) = e.kind()
            && matches!(a.kind(), Kind::Build(_))
            && matches!(a.ty(), Type::Tuple(_))
        {
            wholes.insert(*x, levels(a));
        }
    });
    if wholes.is_empty() {
        return any;
    }
    kernel.body.each_mut(&mut |e| any |= whole(e, &wholes));
    if on.has(PassId::Dce) {
        any |= drop_parts(kernel, &wholes);
    }
    any
}

/// `x[j] ⟶ (x.0[j], x.1[j])`, everywhere. Returns whether there was such a read.
pub(crate) fn spread(kernel: &mut Kernel) -> bool {
    let (names, mut any) = (&mut kernel.names, false);
    kernel.body.each_mut(&mut |e| any |= records::spread(e, names));
    any
}

/// The number of directly nested builds, and so of indices that all parts have in common.
fn levels(a: &Expr) -> usize {
    match a.kind() {
        Kind::Build(Build { body, .. }) => 1 + levels(body),
        _ => 0,
    }
}

/// The variable that a term is, or is an element or slice of, and the number of indices that are applied.
fn element_of(e: &Expr) -> Option<(VarId, usize)> {
    match e.kind() {
        Kind::Var(x) => Some((*x, 0)),
        Kind::Get(a, _) => element_of(a).map(|(x, n)| (x, n + 1)),
        Kind::Slice(a, ..) => element_of(a),
        Kind::Proj(a, _) => element_of(a),
        _ => None,
    }
}

/// `x.k[j] ⟶ x[j].k`, `slice x.k s t ⟶ (slice x s t).k`, `length x.k ⟶ length x`
fn whole(e: &mut Expr, wholes: &Map<VarId, usize>) -> bool {
    let below = |a: &Expr, more: usize| match a.kind() {
        Kind::Proj(t, _) => element_of(t).is_some_and(|(x, n)| wholes.get(&x).is_some_and(|all| n + more < *all)),
        _ => false,
    };
    let o = e.origin();
    match &mut e.kind {
        Kind::Get(a, i) if below(a, 0) => {
            let Kind::Proj(t, k) = &mut a.kind else { return false };
            let mut element = build::get(take(t), take(i), o);
            whole(&mut element, wholes);
            *e = build::proj(element, *k, o);
        }
        Kind::Slice(a, s, t) if below(a, 0) => {
            let Kind::Proj(x, k) = &mut a.kind else { return false };
            let mut part = build::slice(take(x), take(s), take(t), o);
            whole(&mut part, wholes);
            *e = build::proj(part, *k, o);
        }
        Kind::Len(a, axis) if below(a, *axis) => {
            let Kind::Proj(t, _) = &mut a.kind else { return false };
            let mut len = build::len(take(t), *axis, o);
            whole(&mut len, wholes);
            *e = len;
        }
        _ => return false,
    }
    true
}

/// `build n (λi. (a[s + i], e)) ⟶ (build n (λi. a[s + i]), build n (λi. e))`
fn split_views(e: &mut Expr, names: &mut Names) -> bool {
    let o = e.origin();
    let Kind::Build(Build { count, index, body }) = &mut e.kind else { return false };
    let Kind::Tuple(es) = &body.kind else { return false };
    let apart: Vec<bool> = es.iter().mapped(|e| is_view(e, *index));
    if !apart.contains(&true) || !trivial(count) {
        return false;
    }
    let (n, i) = (take(count), *index);
    let Kind::Tuple(es) = take(body).kind else { return false };
    let column = |e: Expr, names: &mut Names| {
        let j = names.again(i);
        let mut e = e;
        e.replace(i, &mut || build::var(j, Type::USIZE, o));
        build::build(n.clone(), j, e, o)
    };
    let mut rest: Vec<Expr> = Vec::new();
    let mut parts: Vec<Option<Expr>> = Vec::new();
    for (e, apart) in es.into_iter().zip(&apart) {
        if *apart {
            parts.push(Some(column(e, names)));
        } else {
            parts.push(None);
            rest.push(e);
        }
    }
    let others = rest.len();
    let computed = match others {
        0 => None,
        1 => Some(column(rest.remove(0), names)),
        _ => Some(column(build::tuple(rest, o), names)),
    };
    let x = names.fresh("rest");
    let ty = computed.as_ref().map(|c| c.ty().clone());
    let mut next = 0;
    let mut other = || {
        let whole = build::var(x, ty.clone().unwrap_or(Type::USIZE), o);
        next += 1;
        if others == 1 { whole } else { build::proj(whole, next - 1, o) }
    };
    let tuple = build::tuple(parts.into_iter().mapped(|p| p.unwrap_or_else(&mut other)), o);
    *e = match computed {
        Some(rest) => build::bind(x, rest, tuple, o),
        None => tuple,
    };
    true
}

/// Whether an element is one of a second array, or does not depend on the index.
fn is_view(e: &Expr, i: VarId) -> bool {
    match e.kind() {
        Kind::Get(a, place) => base(a).is_some() && !a.mentions(i) && offset(place, i).is_some(),
        _ => e.ty().scalar().is_some() && trivial(e) && !e.mentions(i),
    }
}

/// Removes the parts of the arrays `wholes` that are not used. Returns whether there were any.
fn drop_parts(kernel: &mut Kernel, wholes: &Map<VarId, usize>) -> bool {
    let mut used: Map<VarId, Option<Set<usize>>> = wholes.keys().map(|x| (*x, Some(Set::new()))).collect();
    note_uses(&kernel.body, &mut used);
    let mut plans: Map<VarId, (VarId, Vec<usize>, Option<Type>)> = Map::new();
    for (x, parts) in used {
        if let Some(parts) = parts.filter(|p| !p.is_empty()) {
            plans.insert(x, (kernel.names.again(x), parts.into_iter().collect_vec(), None));
        }
    }
    if plans.is_empty() {
        return false;
    }
    rewrite(&mut kernel.body, &mut plans)
}

/// Notes the parts that `e` uses; `None` for all of them.
fn note_uses(e: &Expr, used: &mut Map<VarId, Option<Set<usize>>>) {
    match e.kind() {
        Kind::Proj(t, k) if path(t).is_some_and(|x| used.contains_key(&x)) => {
            if let Some(Some(parts)) = path(t).and_then(|x| used.get_mut(&x)) {
                parts.insert(*k);
            }
            indices(t, used);
        }
        Kind::Len(a, _) if path(a).is_some_and(|x| used.contains_key(&x)) => indices(a, used),
        Kind::Var(x) => {
            if let Some(parts) = used.get_mut(x) {
                *parts = None;
            }
        }
        _ => e.each_child(&mut |c| note_uses(c, used)),
    }
}

/// The array that a term is, or is an element or slice of, all parts of it.
fn path(e: &Expr) -> Option<VarId> {
    match e.kind() {
        Kind::Var(x) => Some(*x),
        Kind::Get(a, _) | Kind::Slice(a, ..) => path(a),
        _ => None,
    }
}

/// Notes the uses in the indices of a path.
fn indices(e: &Expr, used: &mut Map<VarId, Option<Set<usize>>>) {
    let mut parts = e.children();
    if let Some(a) = parts.next() {
        indices(a, used);
    }
    parts.for_each(|i| note_uses(i, used));
}

/// Replaces the arrays in `plans` by those of the parts that are used. Returns whether there were unused parts.
fn rewrite(e: &mut Expr, plans: &mut Map<VarId, (VarId, Vec<usize>, Option<Type>)>) -> bool {
    let mut any = false;
    if let Kind::Let(x, a, _) = &mut e.kind
        && let Some((y, parts, ty)) = plans.get_mut(x)
    {
        let all = if let Type::Tuple(ts) = a.ty() { ts.len() } else { 0 };
        if parts.len() < all && has_parts(a) {
            let fewer = of_parts(take(a), parts);
            (*ty, *x) = (Some(fewer.ty().clone()), *y);
            **a = fewer;
            any = true;
        } else {
            plans.remove(x);
        }
    }
    if let Kind::Proj(t, k) = &mut e.kind
        && let Some((_, parts, Some(_))) = path(t).and_then(|x| plans.get(&x))
    {
        let (single, place) = (parts.len() == 1, parts.iter().position(|p| p == k).unwrap_or(0));
        let whole = renamed(take(t), plans);
        let o = e.origin();
        *e = if single { whole } else { build::proj(whole, place, o) };
        return true;
    }
    if let Kind::Len(a, axis) = &mut e.kind
        && let Some((.., Some(_))) = path(a).and_then(|x| plans.get(&x))
    {
        let (whole, axis) = (renamed(take(a), plans), *axis);
        *e = build::len(whole, axis, e.origin());
        return true;
    }
    e.each_child_mut(&mut |c| any |= rewrite(c, plans));
    any
}

/// A path with its array replaced.
fn renamed(e: Expr, plans: &mut Map<VarId, (VarId, Vec<usize>, Option<Type>)>) -> Expr {
    let o = e.origin();
    match e.kind {
        Kind::Get(a, mut i) => {
            rewrite(&mut i, plans);
            build::get(renamed(*a, plans), *i, o)
        }
        Kind::Slice(a, mut s, mut t) => {
            rewrite(&mut s, plans);
            rewrite(&mut t, plans);
            build::slice(renamed(*a, plans), *s, *t, o)
        }
        Kind::Var(x) => match plans.get(&x) {
            Some((y, _, Some(ty))) => build::var(*y, ty.clone(), o),
            _ => e,
        },
        _ => e,
    }
}

/// Whether the elements of a build are tuples whose parts are separate terms.
fn has_parts(e: &Expr) -> bool {
    match e.kind() {
        Kind::Build(Build { body, .. }) | Kind::Let(_, _, body) => has_parts(body),
        Kind::If(_, a, b) => has_parts(a) && has_parts(b),
        Kind::Tuple(_) => true,
        _ => false,
    }
}

/// A nest of builds with only some parts of the elements.
fn of_parts(e: Expr, parts: &[usize]) -> Expr {
    let o = e.origin();
    match e.kind {
        Kind::Build(Build { count, index, body }) => build::build(*count, index, of_parts(*body, parts), o),
        Kind::Let(x, a, b) => build::bind(x, *a, of_parts(*b, parts), o),
        Kind::If(c, a, b) => build::branch(*c, of_parts(*a, parts), of_parts(*b, parts), o),
        Kind::Tuple(mut es) => match parts {
            [k] => es.swap_remove(*k),
            ks => build::tuple(ks.iter().mapped(|k| take(&mut es[*k])), o),
        },
        _ => e,
    }
}
