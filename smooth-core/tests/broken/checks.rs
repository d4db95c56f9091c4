//! Passes with a mistake about the checks that terms carry.

use crate::random::{PARAMS, Rng};
use smooth_core::dps::{Let, Program, Term};
use smooth_core::fsmooth::{Demand, Kernel, Kind, Required, build};
use smooth_core::prim::Prim;
use smooth_core::value::Lit;

/// Kernels that check slices and sizes at entry.
pub const LIBRARY: &str = "
#[smooth] fn head(a: &[f64; n], k: usize) -> f64 { let c = &a[..k]; sum(k, |i| a[i] + c[i]) }
#[smooth] fn tail(a: &[f64; n], k: usize) -> f64 { let t = build(n - k, |i| a[i + k]); sum(n - k, |i| t[i] * t[i]) }
";

/// A program with slices of built arrays, and calls of kernels that check slices at entry, most of them under conditions.
pub fn program(rng: &mut Rng) -> String {
    let element = rng.pick(&["a[i] * 2.0 + b[i]", "a[i].sqrt() + i as f64", "a[n - 1 - i].exp()"]);
    let slice = rng.pick(&["d[1..]", "d[p..]", "d[..p]", "d[1..n - 1]", "d[p - 1..n]", "d[2..n + 1]", "d[n - p..]"]);
    let read = rng.pick(&["c[i]", "c[i] * b[i]", "c[c.len() - 1 - i] + a[i]"]);
    let call = rng.pick(&["head(a, p)", "head(&d, p + 1)", "tail(b, p)", "head(&a[1..], p)"]);
    let value = match rng.below(3) {
        0 => call.to_string(),
        1 => format!("{{ let c = &{slice}; sum(c.len(), |i| {read}) }}"),
        _ => format!("{{ let c = &{slice}; sum(c.len(), |i| {read}) + {call} }}"),
    };
    let term = match rng.below(4) {
        0 => value,
        1 => format!("if yes {{ {value} }} else {{ s }}"),
        2 => format!("if p > 1 {{ {value} }} else {{ s }}"),
        _ => format!("sum(n, |j| if j > 0 && yes {{ {value} }} else {{ a[j] }})"),
    };
    format!("fn f({PARAMS}) -> f64 {{ let d = build(n, |i| {element}); {term} }}")
}

/// `demand s ≤ t ≤ n in … a[s + k] … ⟶ demand s ≤ t ≤ n in … a[k] …`: a slice is read from the beginning of its array.
pub fn without_its_offset(k: &mut Kernel) {
    k.body.each_mut(&mut |e| {
        let Kind::Demand(Demand { what: Required::InOrder(ends), .. }) = e.kind() else { return };
        let start = ends[0].clone();
        if matches!(start.kind(), Kind::Lit(l) if *l == Lit::usize(0)) {
            return;
        }
        e.each_mut(&mut |e| match e.kind() {
            Kind::Prim(Prim::Add, args) if args[0] == start => *e = args[1].clone(),
            _ => {}
        });
    });
}

/// `if c then demand s ≤ t ≤ n in a else b ⟶ demand s ≤ t ≤ n in if c then a else b`.
pub fn out_of_its_branch(k: &mut Kernel) {
    k.body.each_mut(&mut |e| {
        let o = e.origin();
        let Kind::If(c, a, b) = e.kind() else { return };
        let Kind::Demand(Demand { what: Required::InOrder(ends), then }) = a.kind() else { return };
        let ends = (**ends).clone();
        let bound = ends.iter().any(|e| e.count(|e| !e.binders().is_empty()) > 0);
        if !bound {
            let branch = build::branch((**c).clone(), (**then).clone(), (**b).clone(), o);
            *e = build::demand(ends, branch, o);
        }
    });
}

/// `assert c else f in e ⟶ e`
pub fn without_its_assertion(k: &mut Kernel) {
    without(k, |what| matches!(what, Required::Holds(_)));
}

/// `evaluate e in b ⟶ b`, where `e` is no variable: the value of a term that asserts is not used.
pub fn without_its_pin(k: &mut Kernel) {
    without(k, |what| matches!(what, Required::Evaluated(e) if !matches!(e.kind(), Kind::Var(_))));
}

fn without(k: &mut Kernel, drops: fn(&Required) -> bool) {
    k.body.each_mut(&mut |e| {
        if let Kind::Demand(Demand { what, then }) = e.kind()
            && drops(what)
        {
            *e = (**then).clone();
        }
    });
}

/// `assert c else f; t ⟶ t`
pub fn never_asserted(p: &mut Program) {
    p.body.each_mut(&mut |t| {
        if let Term::Assert(..) = t {
            *t = Term::Lit(Lit::Bool(true));
        }
    });
}

/// `let c = demand s t n in e ⟶ e`: a check that indices in `e` rely on.
pub fn without_its_check(p: &mut Program) {
    p.body.each_mut(&mut |t| {
        if let Term::Let(Let { value, body, .. }) = t
            && matches!(**value, Term::Demand(..))
        {
            *t = body.take();
        }
    });
}
