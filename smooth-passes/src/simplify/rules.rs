//! Local rules: each looks at one node and its parts, and has its equation above it.

use crate::analysis::terms::{constant, extent};
use crate::fsmooth::{Demand, Expr, Kernel, Kind, Required, Slot, build, records, take};
use crate::mapped::Mapped;
use crate::name::Names;
use crate::pass::{PassId, Switches};
use crate::prim::Prim;
use crate::shape::{Dim, Param};
use crate::simplify::rounding::rounding;
use crate::ty::Type;
use crate::value::Lit;

/// Applies all rules everywhere, children first. Returns whether one was applied.
pub(super) fn apply(kernel: &mut Kernel, on: &Switches) -> bool {
    let (fuse, fold) = (on.has(PassId::Fuse), on.has(PassId::Fold));
    let (params, names) = (&kernel.interface.params, &mut kernel.names);
    let mut any = false;
    kernel.body.each_mut(&mut |e| {
        // A rule's result may be a redex of a different rule; each rule makes the term smaller.
        for _ in 0..8 {
            let changed = beta(e)
                || project(e)
                || name_extent(e, params)
                || of_tuple(e, names)
                || float_check(e)
                || fuse && get_of_literal(e)
                || fuse && fuse_len(e)
                || fold
                    && (fold_constants(e)
                        || identities(e)
                        || rounding(e)
                        || fold_if(e)
                        || fold_check(e)
                        || power(e, names));
            if !changed {
                break;
            }
            any = true;
        }
    });
    any
}

/// `powi x 2 ⟶ let y = x in y · y`; the third power as `y · (y · y)`, the fourth as the square of a square: the
/// multiplications of `powi`.
fn power(e: &mut Expr, names: &mut Names) -> bool {
    let o = e.origin;
    let Kind::Prim(Prim::Powi, args) = &mut e.kind else { return false };
    let Some(n @ 2..=4) = literal(&args[1]).and_then(|l| l.as_int()) else { return false };
    let x = take(&mut args[0]);
    let (ty, y, z) = (x.ty().clone(), names.fresh("base"), names.fresh("square"));
    let product = |a, b| build::prim(Prim::Mul, vec![build::var(a, ty.clone(), o), b], o);
    let square = product(y, build::var(y, ty.clone(), o));
    let power = match n {
        2 => square,
        3 => product(y, square),
        _ => build::bind(z, square, product(z, build::var(z, ty.clone(), o)), o),
    };
    *e = build::bind(y, x, power, o);
    true
}

/// Takes checks out of terms, everywhere. Returns whether there was one.
pub(super) fn float_checks(kernel: &mut Kernel) -> bool {
    let mut any = false;
    kernel.body.each_mut(&mut |e| any |= float_check(e));
    any
}

/// `length a` of a parameter ⟶ the size, number or parameter that its type names.
fn name_extent(e: &mut Expr, params: &[Param]) -> bool {
    let Kind::Len(a, axis) = e.kind() else { return false };
    let Kind::Var(v) = a.kind() else { return false };
    let Some(dim) = params.iter().find(|p| p.var == *v).and_then(|p| p.dims().get(*axis)) else { return false };
    *e = match dim {
        Dim::Lit(n) => build::index(*n, e.origin),
        Dim::Size(v) | Dim::Param(v) => build::var(*v, Type::USIZE, e.origin),
        Dim::Anon => return false,
    };
    true
}

/// `(λx̄. e) ē ⟶ let x̄ = ē in e`
fn beta(e: &mut Expr) -> bool {
    let Kind::App(f, args) = &mut e.kind else { return false };
    let Kind::Lam(ps, body) = &mut f.kind else { return false };
    let (o, mut body) = (e.origin, take(body));
    for ((x, _), a) in std::mem::take(ps).into_iter().zip(std::mem::take(args)).rev() {
        body = build::bind(x, a, body, o);
    }
    *e = body;
    true
}

/// `(ē).k ⟶ e_k`
fn project(e: &mut Expr) -> bool {
    let Kind::Proj(t, k) = &mut e.kind else { return false };
    let Kind::Tuple(es) = &mut t.kind else { return false };
    let part = take(&mut es[*k]);
    *e = part;
    true
}

/// `(ē)[i] ⟶ (e₀[i], …)`, likewise for slices and lengths of tuples of arrays
fn of_tuple(e: &mut Expr, names: &mut Names) -> bool {
    let of = match e.kind() {
        Kind::Get(a, _) | Kind::Slice(a, ..) | Kind::Len(a, _) => a,
        _ => return false,
    };
    matches!(of.kind(), Kind::Tuple(_)) && records::spread(e, names)
}

/// `f (demand s ≤ t ≤ n in e) ⟶ demand s ≤ t ≤ n in f e`, likewise for the other checks, if `f` evaluates the part
/// exactly once: a term that may be fused or named is found after the check. Not out of the scope of a `let`, whose
/// variable the check may mention.
fn float_check(e: &mut Expr) -> bool {
    let floats = |slot: Slot| slot.role().is_once() && slot != Slot::Scope;
    let mut checks = Vec::new();
    for (_, part) in e.parts_mut().into_iter().filter(|(slot, _)| floats(*slot)) {
        while let Kind::Demand(d) = &mut part.kind {
            let Demand { what, then } = d;
            let then = take(then);
            checks.push((
                std::mem::replace(what, Required::Evaluated(Box::new(build::index(0, part.origin)))),
                part.origin,
            ));
            *part = then;
        }
    }
    let some = !checks.is_empty();
    for (what, o) in checks.into_iter().rev() {
        *e = build::require(what, take(e), o);
    }
    some
}

/// `demand 1 ≤ 2 ≤ 3 in e ⟶ e`, `assert true else f in e ⟶ e`
fn fold_check(e: &mut Expr) -> bool {
    let Kind::Demand(Demand { what, then }) = &mut e.kind else { return false };
    let holds = match what {
        Required::InOrder(ends) => {
            let ends = ends.each_ref().map(constant);
            ends.iter().all(Option::is_some) && ends.is_sorted()
        }
        Required::Holds(parts) => literal(&parts[0]) == Some(Lit::Bool(true)),
        Required::Evaluated(_) => false,
    };
    if !holds {
        return false;
    }
    let then = take(then);
    *e = then;
    true
}

/// `[ē][k] ⟶ e_k`
fn get_of_literal(e: &mut Expr) -> bool {
    let Kind::Get(a, i) = &mut e.kind else { return false };
    let Kind::Array(es) = &mut a.kind else { return false };
    let Some(k) = constant(i).filter(|k| *k < es.len() as i128) else { return false };
    let element = take(&mut es[k as usize]);
    *e = element;
    true
}

/// Fig. 4: `length (build e₀ e₁) ⟶ e₀`, and the lengths of the other array forms.
fn fuse_len(e: &mut Expr) -> bool {
    let Kind::Len(a, axis) = &e.kind else { return false };
    if matches!(a.kind, Kind::Var(_)) {
        return false;
    }
    match extent(a, *axis) {
        Some(n) => {
            *e = n;
            true
        }
        None => false,
    }
}

fn literal(e: &Expr) -> Option<Lit> {
    match &e.kind {
        Kind::Lit(l) => Some(*l),
        _ => None,
    }
}

/// `op n̄ ⟶ its value`, if every machine computes that value. An operation that would panic stays.
fn fold_constants(e: &mut Expr) -> bool {
    let Kind::Prim(p, args) = &e.kind else { return false };
    let Some(values) = args.iter().map(literal).all_some() else { return false };
    // The rounding of a literal of a type parameter is not known yet: an integer that became one might lose digits.
    let from_int = values.iter().any(|l| l.as_int().is_some());
    let open = values.iter().any(|l| l.scalar().is_open())
        || from_int && e.ty.scalar().is_some_and(|s| s.may_overflow() && s.is_open());
    if !p.exact() || open {
        return false;
    }
    match p.eval(&values) {
        Ok(l) => {
            *e = build::lit(l, e.origin);
            true
        }
        Err(_) => false,
    }
}

/// Identities that hold for every value of the type, NaN, infinities and signed zeros included:
/// `x + 0 = x` for integers only, `x - 0.0 = x`, `1.0 * x = x`, `x / 1.0 = x`, `x + (-0.0) = x`,
/// `-(-x) = x` for floats only, `(x + m) + n = x + (m + n)` for `usize` constants.
fn identities(e: &mut Expr) -> bool {
    let int = e.ty == Type::USIZE;
    let Kind::Prim(p, args) = &mut e.kind else { return false };
    let lit = |k: usize| args.get(k).and_then(literal);
    let is = |k: usize, x: f64, n: i128| match lit(k) {
        Some(Lit::Float(bits, _)) => bits == x.to_bits(),
        Some(Lit::Int(m, _)) => m == n,
        _ => false,
    };
    let kept = match p {
        Prim::Add if int && is(0, f64::NAN, 0) => 1,
        Prim::Add if int && is(1, f64::NAN, 0) => 0,
        Prim::Add if !int && is(0, -0.0, 0) => 1,
        Prim::Add if !int && is(1, -0.0, 0) => 0,
        Prim::Sub if is(1, 0.0, 0) => 0,
        Prim::Mul if is(0, 1.0, 1) => 1,
        Prim::Mul | Prim::Div if is(1, 1.0, 1) => 0,
        Prim::And if lit(0) == Some(Lit::Bool(true)) => 1,
        Prim::And if lit(1) == Some(Lit::Bool(true)) || lit(0) == Some(Lit::Bool(false)) => 0,
        Prim::Or if lit(0) == Some(Lit::Bool(false)) => 1,
        Prim::Or if lit(1) == Some(Lit::Bool(false)) || lit(0) == Some(Lit::Bool(true)) => 0,
        Prim::Add if int => return add_constants(e),
        // The negative of an integer may overflow.
        Prim::Neg if matches!(e.ty.scalar(), Some(s) if !s.is_float()) => return false,
        Prim::Neg | Prim::Not => {
            let op = *p;
            let Kind::Prim(q, inner) = &mut args[0].kind else { return false };
            if *q != op {
                return false;
            }
            let x = take(&mut inner[0]);
            *e = x;
            return true;
        }
        _ => return false,
    };
    let x = take(&mut args[kept]);
    *e = x;
    true
}

fn add_constants(e: &mut Expr) -> bool {
    let o = e.origin;
    let Kind::Prim(_, args) = &mut e.kind else { return false };
    let Some(n) = constant(&args[1]) else { return false };
    let Kind::Prim(Prim::Add, inner) = &mut args[0].kind else { return false };
    let Some(m) = constant(&inner[1]) else { return false };
    let Ok(sum) = u64::try_from(m + n) else { return false };
    let x = take(&mut inner[0]);
    *e = build::prim(Prim::Add, vec![x, build::index(sum, o)], o);
    true
}

/// `if true then a else b ⟶ a`, `if c then a else a ⟶ a`
fn fold_if(e: &mut Expr) -> bool {
    let Kind::If(c, a, b) = &mut e.kind else { return false };
    let kept = match literal(c) {
        Some(Lit::Bool(true)) => take(a),
        Some(Lit::Bool(false)) => take(b),
        _ if a == b => take(a),
        _ => return false,
    };
    *e = kept;
    true
}
