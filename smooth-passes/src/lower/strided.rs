//! Callees that take contiguous arrays get copies of strided ones.
//!
//! ```text
//! call k … m[ī] …   ⟶   let r = m[ī] in let c = build n₀ (λi₀. … r[i₀]…) in call k … c …
//! ```
//!
//! if `m` is a strided parameter, or a name for a part of one, and the parameter of `k` is not. A callee that is
//! inlined reads `m` in place; this is about calls and about functions from Rust. The loop that copies is a term like
//! any other: `c` has its place in the frame, and no rule about copies makes it a name of `m`.

use crate::fsmooth::{Expr, Kernel, Kind, build, take};
use crate::mapped::Mapped;
use crate::name::{Names, VarId};
use crate::sorted::Set;
use crate::ty::Type;

/// Whether a kernel has strided parameters.
pub(super) fn is_needed(kernel: &Kernel) -> bool {
    kernel.interface.params.iter().any(|p| p.strided)
}

/// Copies strided arguments of calls; operands have names already.
pub(super) fn contiguous(kernel: &mut Kernel) {
    let mut strided: Set<VarId> = kernel.interface.params.iter().filter(|p| p.strided).map(|p| p.var).collect();
    named(&kernel.body, &mut strided);
    let (names, callees) = (&mut kernel.names, &kernel.interface.callees);
    kernel.body.each_mut(&mut |e| {
        let Kind::Call(k, args) = &mut e.kind else { return };
        let mut copies = Vec::new();
        // An in-out argument is copied to its destination anyway.
        let contiguous = args.iter_mut().zip(&callees[*k].params).filter(|(_, p)| !p.strided && !p.in_out);
        contiguous.for_each(|(a, _)| copied(a, &strided, names, &mut copies));
        let o = e.origin();
        for (x, a) in copies.into_iter().rev() {
            *e = build::bind(x, a, take(e), o);
        }
    });
}

/// Adds the names for parts of strided arrays.
fn named(e: &Expr, strided: &mut Set<VarId>) {
    if let Kind::Let(x, a, _) = e.kind() {
        named(a, strided);
        if a.ty().is_array() && is_strided(value(a), strided) {
            strided.insert(*x);
        }
    }
    e.any_child(&mut |c| {
        named(c, strided);
        false
    });
}

/// The value of a term, after its `let`s.
fn value(mut e: &Expr) -> &Expr {
    while let Kind::Let(_, _, b) = e.kind() {
        e = b;
    }
    e
}

/// Whether a term is a part of a strided array.
fn is_strided(e: &Expr, strided: &Set<VarId>) -> bool {
    match e.kind() {
        Kind::Var(x) => strided.contains(x),
        Kind::Get(a, _) | Kind::Slice(a, ..) => is_strided(a, strided),
        _ => false,
    }
}

/// Replaces an argument that is a part of a strided array by a copy; the names of both are added to `copies`.
fn copied(a: &mut Expr, strided: &Set<VarId>, names: &mut Names, copies: &mut Vec<(VarId, Expr)>) {
    if !a.ty().is_array() || !is_strided(a, strided) {
        return;
    }
    let (o, ty) = (a.origin(), a.ty().clone());
    let rank = ty.rank();
    // The indices of the part are evaluated once.
    let of = match a.kind() {
        Kind::Var(x) => *x,
        _ => {
            let row = names.fresh("row");
            copies.push((row, std::mem::replace(a, build::var(row, ty.clone(), o))));
            row
        }
    };
    let of = build::var(of, ty.clone(), o);
    let indices: Vec<VarId> = (0..rank).mapped(|_| names.fresh("i"));
    let element = indices.iter().fold(of.clone(), |t, i| build::get(t, build::var(*i, Type::USIZE, o), o));
    let loops = indices.iter().enumerate().rev();
    let copy = loops.fold(element, |e, (axis, i)| build::build(build::len(of.clone(), axis, o), *i, e, o));
    let x = names.fresh("contiguous");
    copies.push((x, copy));
    *a = build::var(x, ty, o);
}
