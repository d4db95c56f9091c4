//! Passes on F̃ with a mistake.

use smooth_core::fsmooth::{Build, Combine, Expr, IFold, Kernel, Kind, Monoid, Reduce, build};
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

/// `let x = a in b ⟶ b[a/x]`, also if `x` occurs twice: the binders in `a` are copied.
pub fn copied_binders(k: &mut Kernel) {
    everywhere(k, |e| match e.kind() {
        Kind::Let(x, a, b) if !a.ty().is_fn() && b.count(|e| is(e, *x)) == 2 => Some(replaced(b, *x, a)),
        _ => None,
    });
}

/// Reads the first element of a table for each index.
pub fn first_of_table(k: &mut Kernel) {
    let names = k.names.clone();
    everywhere(k, |e| match e.kind() {
        Kind::Get(a, i) if matches!(a.kind(), Kind::Var(t) if names.name(*t) == "table") && literal(i).is_none() => {
            Some(build::get((**a).clone(), build::index(0, e.origin()), e.origin()))
        }
        _ => None,
    });
}

/// `ifold (λs i. let x = a in b) ⟶ let x = a in ifold (λs i. b)`, also if `a` mentions `s` or `i`.
pub fn out_of_the_fold(k: &mut Kernel) {
    everywhere(k, |e| {
        let o = e.origin();
        let Kind::IFold(IFold { count, init, state, index, test: None, body }) = e.kind() else { return None };
        let Kind::Let(x, a, b) = body.kind() else { return None };
        let fold = build::ifold((**count).clone(), (**init).clone(), (*state, *index), (**b).clone(), o);
        Some(build::bind(*x, (**a).clone(), fold, o))
    });
}

/// `x + 0.0 ⟶ x`: wrong for −0.0.
pub fn plus_zero(k: &mut Kernel) {
    everywhere(k, |e| match e.kind() {
        Kind::Prim(Prim::Add, args) if literal(&args[1]) == Some(Lit::f64(0.0)) => Some(args[0].clone()),
        _ => None,
    });
}

/// `x * 0.0 ⟶ 0.0`: wrong for negative numbers, infinities and NaN.
pub fn times_zero(k: &mut Kernel) {
    everywhere(k, |e| match e.kind() {
        Kind::Prim(Prim::Mul, args) if literal(&args[1]) == Some(Lit::f64(0.0)) => Some(args[1].clone()),
        _ => None,
    });
}

/// `x % d ⟶ x`, though `x` may be `d` or more.
pub fn any_remainder(k: &mut Kernel) {
    everywhere(k, |e| match e.kind() {
        Kind::Prim(Prim::Rem, args) if *e.ty() == Type::USIZE => Some(args[0].clone()),
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

/// `ifold (λs i. e) e₀ n ⟶ e[n − 1/i]` where `s` is not in `e`: there may be no last iteration.
pub fn last_step_alone(k: &mut Kernel) {
    everywhere(k, |e| {
        let o = e.origin();
        let Kind::IFold(IFold { count, state, index, body, .. }) = e.kind() else { return None };
        let last = build::prim(Prim::Sub, vec![(**count).clone(), build::index(1, o)], o);
        (!body.mentions(*state)).then(|| build::bind(*index, last, (**body).clone(), o))
    });
}

/// The term with one name for all indices.
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

/// `if c then … a ÷ b … ⟶ let q = a ÷ b in if c then … q …`, and the same for a loop, which may have no iterations: the
/// divisor may be 0 outside.
pub fn out_of_its_guard(k: &mut Kernel) {
    let names = std::cell::RefCell::new(k.names.clone());
    everywhere(k, |e| {
        let o = e.origin();
        let guarded = match e.kind() {
            Kind::If(_, yes, _) => &**yes,
            _ => looped(e)?.1,
        };
        let mut bound = e.binders();
        guarded.each(&mut |e| bound.extend(e.binders()));
        let mut divisions = Vec::new();
        guarded.each(&mut |e| {
            if let Kind::Get(_, i) = e.kind() {
                i.each(&mut |d| {
                    divisions.extend(matches!(d.kind(), Kind::Prim(Prim::Div | Prim::Rem, _)).then(|| d.clone()))
                });
            }
        });
        let d = divisions.into_iter().find(|d| !bound.iter().any(|v| d.mentions(*v)))?;
        let q = names.borrow_mut().fresh("q");
        let mut e = e.clone();
        e.each_mut(&mut |t| {
            if *t == d {
                *t = build::var(q, Type::USIZE, o);
            }
        });
        Some(build::bind(q, d, e, o))
    });
    k.names = names.into_inner();
}

/// `x[e][f] ⟶ x[f][e]`: the rule for a column-major array, applied to a row-major one.
pub fn swapped_indices(k: &mut Kernel) {
    everywhere(k, |e| {
        let o = e.origin();
        let Kind::Get(row, f) = e.kind() else { return None };
        let Kind::Get(x, i) = row.kind() else { return None };
        let fits = e.ty().scalar().is_some() && matches!(x.kind(), Kind::Var(_)) && i != f;
        fits.then(|| build::get(build::get((**x).clone(), (**f).clone(), o), (**i).clone(), o))
    });
}

/// `let x = build n (λi. e) in … x[j ⊕ …] … ⟶ … e[j/i] …`: the arithmetic on the index is dropped.
pub fn stale_index(k: &mut Kernel) {
    let names = std::cell::RefCell::new(k.names.clone());
    everywhere(k, |e| {
        let o = e.origin();
        let Kind::Let(x, a, b) = e.kind() else { return None };
        let Kind::Build(Build { index: i, body: element, .. }) = a.kind() else { return None };
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
        let Kind::Build(_) = a.kind() else { return None };
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
    let Kind::Reduce(Reduce { count, index, body, with: Combine::Named(Monoid::Sum), .. }) = e.kind() else {
        return None;
    };
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
        // A reduction of tuples adds several numbers.
        let numbers = e.ty().scalar().is_some();
        let terms = terms(e, &mut names.borrow_mut()).filter(|_| numbers)?;
        terms.into_iter().rev().reduce(|b, a| build::prim(Prim::Add, vec![a, b], e.origin()))
    });
    k.names = names.into_inner();
}

/// The index and the body of a loop.
fn looped(e: &Expr) -> Option<(Vec<VarId>, &Expr)> {
    match e.kind() {
        Kind::Build(Build { index: i, body, .. }) => Some((vec![*i], body)),
        Kind::Reduce(Reduce { index, body, .. }) => Some((vec![*index], body)),
        Kind::IFold(IFold { state, index, body, .. }) => Some((vec![*state, *index], body)),
        _ => None,
    }
}

/// The first element of an array in a term, not under a condition or in a function, that `fits`.
fn element(e: &Expr, fits: &impl Fn(&Expr) -> bool) -> Option<Expr> {
    match e.kind() {
        Kind::Get(..) if e.ty().scalar().is_some() && fits(e) => Some(e.clone()),
        Kind::If(c, ..) => element(c, fits),
        Kind::Lam(..) => None,
        _ => e.children().into_iter().find_map(|c| element(c, fits)),
    }
}

/// `λi. … a … ⟶ let x = a in λi. … x …`.
fn moved(k: &mut Kernel, fits: impl Fn(&Expr, &Expr, &[VarId]) -> bool) {
    let names = std::cell::RefCell::new(k.names.clone());
    everywhere(k, |e| {
        let o = e.origin();
        let (own, body) = looped(e)?;
        let a = element(body, &|a| fits(a, body, &own))?;
        let x = names.borrow_mut().fresh("invariant");
        let mut e = e.clone();
        e.each_mut(&mut |e| {
            if *e == a {
                *e = build::var(x, a.ty().clone(), o);
            }
        });
        Some(build::bind(x, a, e, o))
    });
    k.names = names.into_inner();
}

/// An element at the loop's own index is computed before the loop.
pub fn moved_with_its_index(k: &mut Kernel) {
    moved(k, |a, _, own| own.iter().any(|i| a.mentions(*i)));
}

/// An element that is the same in each iteration is computed before the loop, also if there is no iteration.
pub fn moved_without_a_step(k: &mut Kernel) {
    moved(k, |a, body, own| {
        let mut bound = own.to_vec();
        body.each(&mut |e| bound.extend(e.binders()));
        let Kind::Get(_, i) = a.kind() else { return false };
        literal(i).is_none() && !bound.iter().any(|v| a.mentions(*v))
    });
}

/// `ifold n (λs i. e) (build m (λj. a)) ⟶ if n > 0 then ifold n (λs i. e) (build m (λj. a)) else build n (λj. a)`: the
/// count of a fold is not an extent of its state.
pub fn count_for_an_extent(k: &mut Kernel) {
    let names = std::cell::RefCell::new(k.names.clone());
    everywhere(k, |e| {
        let o = e.origin();
        let Kind::IFold(IFold { count, init, .. }) = e.kind() else { return None };
        let names = &mut *names.borrow_mut();
        let init = init.renamed(names);
        let Kind::Build(Build { index: j, body: a, .. }) = init.kind() else { return None };
        let none = build::build(count.renamed(names), *j, (**a).clone(), o);
        let runs = build::prim(Prim::Gt, vec![count.renamed(names), build::index(0, o)], o);
        Some(build::branch(runs, e.clone(), none, o))
    });
    k.names = names.into_inner();
}

/// `let x = sum n (λi. a) in let y = sum n (λj. b) in c ⟶ one fold`, though `x` is in `b`.
pub fn dependent_folds(k: &mut Kernel) {
    let names = std::cell::RefCell::new(k.names.clone());
    everywhere(k, |e| {
        let o = e.origin();
        let Kind::Let(x, first, rest) = e.kind() else { return None };
        let Kind::Let(y, second, rest) = rest.kind() else { return None };
        let sum = Combine::Named(Monoid::Sum);
        let (Kind::Reduce(first), Kind::Reduce(second)) = (first.kind(), second.kind()) else { return None };
        let (Reduce { count: n, index: i, body: a, .. }, Reduce { count: m, index: j, body: b, .. }) = (first, second);
        if first.with != sum || second.with != sum {
            return None;
        }
        if n != m || !b.mentions(*x) {
            return None;
        }
        let names = &mut *names.borrow_mut();
        let (s, sums) = (names.fresh("sums"), names.fresh("sums"));
        let two = Type::Tuple(vec![Type::F64, Type::F64]);
        let part = |v: VarId, k: usize| build::proj(build::var(v, two.clone(), o), k, o);
        let b = replaced(&replaced(b, *j, &build::var(*i, Type::USIZE, o)), *x, &part(s, 0));
        let zero = || build::lit(Lit::f64(0.0), o);
        let add = |k: usize, e: Expr| build::prim(Prim::Add, vec![part(s, k), e], o);
        let step = build::tuple(vec![add(0, (**a).clone()), add(1, b)], o);
        let fold = build::ifold((**n).clone(), build::tuple(vec![zero(), zero()], o), (s, *i), step, o);
        let rest = build::bind(*x, part(sums, 0), build::bind(*y, part(sums, 1), (**rest).clone(), o), o);
        Some(build::bind(sums, fold, rest, o))
    });
    k.names = names.into_inner();
}

/// `minimum n (λi. e) ⟶ if n > 0 then minimum n (λi. e) else 0`.
pub fn empty_is_zero(k: &mut Kernel) {
    let names = std::cell::RefCell::new(k.names.clone());
    everywhere(k, |e| {
        let o = e.origin();
        let Kind::Reduce(Reduce { count, with: Combine::Named(with), .. }) = e.kind() else { return None };
        let s = e.ty().scalar().filter(|_| *with != Monoid::Sum)?;
        let runs = build::prim(Prim::Gt, vec![count.renamed(&mut names.borrow_mut()), build::index(0, o)], o);
        Some(build::branch(runs, e.clone(), build::lit(Lit::zero(s), o), o))
    });
    k.names = names.into_inner();
}

/// `reduce n (λi. e) f e₀ ⟶ reduce n (λk. let i = if 2k < n then 2k else 2k + 1 - n in e) f e₀` for odd `n`: as lanes would
/// that take every other term.
pub fn strided_lanes(k: &mut Kernel) {
    let names = std::cell::RefCell::new(k.names.clone());
    everywhere(k, |e| {
        let Kind::Reduce(Reduce { count, index, body, with: with @ Combine::Function(_), order }) = e.kind() else {
            return None;
        };
        let (o, [n, k]) = (e.origin(), ["count", "k"].map(|name| names.borrow_mut().fresh(name)));
        let var = |v: VarId| build::var(v, Type::USIZE, o);
        let prim = |p: Prim, a: Expr, b: Expr| build::prim(p, vec![a, b], o);
        let twice = || prim(Prim::Mul, build::index(2, o), var(k));
        let odd = prim(Prim::Eq, prim(Prim::Rem, var(n), build::index(2, o)), build::index(1, o));
        let apart = prim(Prim::Sub, prim(Prim::Add, twice(), build::index(1, o)), var(n));
        let apart = build::branch(prim(Prim::Lt, twice(), var(n)), twice(), apart, o);
        let term = build::bind(*index, build::branch(odd, apart, var(k), o), (**body).clone(), o);
        let all = build::reduce(with.clone(), *order, (var(n), k), term, o);
        Some(build::bind(n, (**count).clone(), all, o))
    });
    k.names = names.into_inner();
}

/// `reduce n (λi. e) (λa b. e') e₀ ⟶ reduce n (λi. e) (λb a. e') e₀`.
pub fn swapped_operands(k: &mut Kernel) {
    everywhere(k, |e| {
        let Kind::Reduce(Reduce { count, index, body, with: Combine::Function(f), order }) = e.kind() else {
            return None;
        };
        let with = build::combiner(f.init.clone(), f.right, f.left, f.body.clone());
        Some(build::reduce(with, *order, ((**count).clone(), *index), (**body).clone(), e.origin()))
    });
}
