//! Passes on F̃ with a mistake.

use smooth_core::fsmooth::{Expr, Kernel, Kind, build};
use smooth_core::name::VarId;
use smooth_core::prim::Prim;
use smooth_core::ty::Type;
use smooth_core::value::Lit;

fn everywhere(k: &mut Kernel, rule: impl Fn(&Expr) -> Option<Expr>) {
    k.body.each_mut(&mut |e| {
        if let Some(new) = rule(e) {
            *e = new;
        }
    });
}

fn literal(e: &Expr) -> Option<Lit> {
    if let Kind::Lit(l) = e.kind() { Some(*l) } else { None }
}

fn is(e: &Expr, x: VarId) -> bool {
    matches!(e.kind(), Kind::Var(v) if *v == x)
}

fn replaced(e: &Expr, x: VarId, by: &Expr) -> Expr {
    let mut e = e.clone();
    e.replace(x, &mut || by.clone());
    e
}

/// `let x = a in b ⟶ b[a/x]`, whatever is bound in `a`, and however often it is used.
pub fn copied_binders(k: &mut Kernel) {
    everywhere(k, |e| match e.kind() {
        Kind::Let(x, a, b) if !a.ty().is_fn() && b.count(|e| is(e, *x)) == 2 => Some(replaced(b, *x, a)),
        _ => None,
    });
}

/// `ifold (λs i. let x = a in b) ⟶ let x = a in ifold (λs i. b)`, whatever is in `a`.
pub fn out_of_the_fold(k: &mut Kernel) {
    everywhere(k, |e| {
        let o = e.origin();
        let Kind::IFold { count, init, state, index, body } = e.kind() else { return None };
        let Kind::Let(x, a, b) = body.kind() else { return None };
        let fold = build::ifold((**count).clone(), (**init).clone(), *state, *index, (**b).clone(), o);
        Some(build::bind(*x, (**a).clone(), fold, o))
    });
}

/// `x + 0.0 ⟶ x`, which is wrong for −0.0.
pub fn plus_zero(k: &mut Kernel) {
    everywhere(k, |e| match e.kind() {
        Kind::Prim(Prim::Add, args) if literal(&args[1]) == Some(Lit::f64(0.0)) => Some(args[0].clone()),
        _ => None,
    });
}

/// `x * 0.0 ⟶ 0.0`, which is wrong for negative numbers, infinities and NaN.
pub fn times_zero(k: &mut Kernel) {
    everywhere(k, |e| match e.kind() {
        Kind::Prim(Prim::Mul, args) if literal(&args[1]) == Some(Lit::f64(0.0)) => Some(args[1].clone()),
        _ => None,
    });
}

/// `let x = a in b ⟶ b` where `x` occurs once.
pub fn used_let(k: &mut Kernel) {
    everywhere(k, |e| match e.kind() {
        Kind::Let(x, _, b) if b.count(|e| is(e, *x)) == 1 => Some((**b).clone()),
        _ => None,
    });
}

/// `ifold (λs i. e) e₀ n ⟶ e[n − 1/i]` where `s` is not in `e`: there may be no last step.
pub fn last_step_alone(k: &mut Kernel) {
    everywhere(k, |e| {
        let o = e.origin();
        let Kind::IFold { count, state, index, body, .. } = e.kind() else { return None };
        let last = build::prim(Prim::Sub, vec![(**count).clone(), build::index(1, o)], o);
        (!body.mentions(*state)).then(|| build::bind(*index, last, (**body).clone(), o))
    });
}

/// The same term with all indices called alike.
fn forgotten(e: &Expr) -> Expr {
    let mut e = e.clone();
    e.each_mut(&mut |e| {
        if matches!(e.kind(), Kind::Var(_)) && *e.ty() == Type::USIZE {
            *e = build::index(0, e.origin());
        }
    });
    e
}

/// `a[i] ⊕ a[j] ⟶ a[i] ⊕ a[i]`.
pub fn any_index_is_equal(k: &mut Kernel) {
    everywhere(k, |e| {
        let Kind::Prim(op, args) = e.kind() else { return None };
        let [a, b] = args.as_slice() else { return None };
        let gets = matches!((a.kind(), b.kind()), (Kind::Get(..), Kind::Get(..)));
        let alike = gets && a != b && forgotten(a) == forgotten(b);
        alike.then(|| build::prim(*op, vec![a.clone(), a.clone()], e.origin()))
    });
}

/// `if c then a else b ⟶ let x = a in if c then x else b`: `a` may fail where `c` does not hold.
pub fn out_of_the_branch(k: &mut Kernel) {
    let names = std::cell::RefCell::new(k.names.clone());
    everywhere(k, |e| {
        let o = e.origin();
        let Kind::If(c, a, b) = e.kind() else { return None };
        let x = names.borrow_mut().fresh("shared");
        let branch = build::branch((**c).clone(), build::var(x, a.ty().clone(), o), (**b).clone(), o);
        (a.size() > 2).then(|| build::bind(x, (**a).clone(), branch, o))
    });
    k.names = names.into_inner();
}

/// `let x = build n (λi. e) in … x[j ⊕ …] … ⟶ … e[j/i] …`: what is done to the index is forgotten.
pub fn stale_index(k: &mut Kernel) {
    let names = std::cell::RefCell::new(k.names.clone());
    everywhere(k, |e| {
        let o = e.origin();
        let Kind::Let(x, a, b) = e.kind() else { return None };
        let Kind::Build(_, i, element) = a.kind() else { return None };
        let mut b = (**b).clone();
        b.each_mut(&mut |e| {
            if let Kind::Get(a, index) = e.kind()
                && is(a, *x)
                && let Kind::Prim(_, args) = index.kind()
                && matches!(args[0].kind(), Kind::Var(_))
            {
                let lambda = build::lam(vec![(*i, Type::USIZE)], (**element).clone(), o);
                let copy = lambda.renamed(&mut names.borrow_mut());
                *e = build::app(copy, vec![args[0].clone()], o);
            }
        });
        Some(build::bind(*x, (**a).clone(), b, o))
    });
    k.names = names.into_inner();
}

/// `let x = build n (λi. e) in b ⟶ let x = e[0/i] …`: every element is taken for the first.
pub fn first_element(k: &mut Kernel) {
    everywhere(k, |e| {
        let o = e.origin();
        let Kind::Let(x, a, b) = e.kind() else { return None };
        let Kind::Build(..) = a.kind() else { return None };
        let mut b = (**b).clone();
        b.each_mut(&mut |e| {
            if let Kind::Get(a, _) = e.kind()
                && is(a, *x)
            {
                *e = build::get((**a).clone(), build::index(0, o), o);
            }
        });
        Some(build::bind(*x, (**a).clone(), b, o))
    });
}

/// The terms of a sum over a small number.
fn terms(e: &Expr, k: &mut smooth_core::name::Names) -> Option<Vec<Expr>> {
    let Kind::Sum { count, index, body, .. } = e.kind() else { return None };
    let n = literal(count)?.as_int().filter(|n| (2..8).contains(n))?;
    let at = |i: i128, k: &mut smooth_core::name::Names| {
        replaced(&body.renamed(k), *index, &build::index(i as u64, e.origin()))
    };
    Some((0..n).map(|i| at(i, k)).collect())
}

/// `sum 3 (λi. e) ⟶ e[0/i] + e[1/i]`.
pub fn one_too_few(k: &mut Kernel) {
    let names = std::cell::RefCell::new(k.names.clone());
    everywhere(k, |e| {
        let mut terms = terms(e, &mut names.borrow_mut())?;
        terms.pop();
        terms.into_iter().reduce(|a, b| build::prim(Prim::Add, vec![a, b], e.origin()))
    });
    k.names = names.into_inner();
}

/// `sum 3 (λi. e) ⟶ e[0/i] + (e[1/i] + e[2/i])`.
pub fn from_the_right(k: &mut Kernel) {
    let names = std::cell::RefCell::new(k.names.clone());
    everywhere(k, |e| {
        let terms = terms(e, &mut names.borrow_mut())?;
        terms.into_iter().rev().reduce(|b, a| build::prim(Prim::Add, vec![a, b], e.origin()))
    });
    k.names = names.into_inner();
}
