//! A state of a fold that is also stored as a row of a second state is read from that row.
//!
//! ```text
//! ifold (λ(x, a) i. … (e, a with [i] = e)) (x₀, a₀) n
//!     ⟶   ifold (λ a i. let x = (if i == 0 then x₀ else a[i - 1]) in … a with [i] = e) a₀ n
//! ifold (λ(x, a) i. … (e, a with [i] = x)) (x₀, a₀) n
//!     ⟶   ifold (λ a i. a with [i] = (if i == 0 then x₀ else let x = a[i - 1] in e[i - 1 / i])) a₀ n
//! ```
//!
//! if the last `x` is not used. There may be other states; in the second rule, `e` must not need one of them, nor they or a test `x`. `x` is an
//! array: it would be stored twice, as the state and as the row. Any place that depends on `i` alone serves as `[i]`. A
//! scan is such a fold (`elaborate/terms/scans.rs`).
//!
//! The first step reads the initial state in place, under the condition `i == 0`, which LLVM takes out of the inner
//! loops.

use crate::fsmooth::{Expr, IFold, Kernel, Kind, Update, build, take};
use crate::mapped::Mapped;
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::sorted::Set;
use crate::span::Origin;
use crate::ty::Type;

/// Drops the states that are kept as rows. Returns whether there was one.
pub(crate) fn apply(kernel: &mut Kernel) -> bool {
    let (names, mut any) = (&mut kernel.names, false);
    kernel.body.each_mut(&mut |e| {
        while let Some(new) = without_a_state(e, names) {
            *e = new;
            any = true;
        }
    });
    any
}

/// The state `x` that is kept as a row of the state `a`.
struct Kept {
    x: usize,
    a: usize,
    /// The indices of the row.
    at: Vec<Expr>,
    /// The names that the next state needs, if it is kept before the step that changes it.
    needs: Option<Set<VarId>>,
}

/// The step of a fold: names, and the next states.
type Step = (Vec<(VarId, Expr)>, Vec<Expr>);

/// A borrowed [`Step`].
type View<'e> = (Vec<(VarId, &'e Expr)>, &'e [Expr]);

/// `let last = ifold … in rest` without a state that is kept elsewhere.
fn without_a_state(e: &Expr, names: &mut Names) -> Option<Expr> {
    let o = e.origin;
    let Kind::Let(last, fold, rest) = &e.kind else { return None };
    let (last, Kind::IFold(f)) = (*last, &fold.kind) else { return None };
    let Kind::Tuple(inits) = &f.init.kind else { return None };
    let is_row = |x: &Type| x.is_array() && inits.iter().any(|a| a.ty.rank() > x.rank());
    if !inits.iter().any(|x| is_row(&x.ty)) || !has_parts_only(rest, last) {
        return None;
    }
    let (x_types, state) = (inits.iter().mapped(|x| x.ty.clone()), f.state);
    // `kept` removes names from the fold, which stay if there is no such state.
    let mut f = f.clone();
    let kept = kept(&mut f, &x_types)?;
    let mut rest = (**rest).clone();
    without_unused_names(&mut rest, last);
    if reads_part(&rest, last, kept.x) {
        return None;
    }
    let (state_type, Kind::Tuple(mut inits)) = (f.init.ty, f.init.kind) else { return None };
    let first = names.fresh("first");
    let x0 = inits.remove(kept.x);
    let start = build::var(first, x0.ty.clone(), o);

    let index = || build::var(f.index, Type::USIZE, o);
    let before = || build::prim(Prim::Sub, vec![index(), build::index(1, o)], o);
    let is_first = || build::prim(Prim::Eq, vec![index(), build::index(0, o)], o);
    let mut previous = build::proj(build::var(state, state_type, o), kept.a, o);
    for i in kept.at {
        let mut i = i;
        i.replace(f.index, &mut || before());
        previous = build::get(previous, i, o);
    }
    let (mut lets, mut steps) = step(*f.body)?;
    let mut test = f.test.map(|t| *t);
    let next = steps.remove(kept.x);
    match kept.needs {
        None => {
            let chosen = build::branch(is_first(), start.clone(), previous, o);
            let all = lets.iter_mut().map(|(_, e)| e).chain(&mut steps).chain(&mut test);
            all.for_each(|e| put(e, (state, kept.x), &start, &chosen));
        }
        Some(needs) => {
            let (needed, others): (Vec<_>, Vec<_>) = lets.into_iter().partition(|(v, _)| needs.contains(v));
            lets = others;
            let mut next = bound(needed, next, o);
            next.replace(f.index, &mut || before());
            put(&mut next, (state, kept.x), &start, &previous);
            let a = kept.a - usize::from(kept.x < kept.a);
            let update = match &steps[a].kind {
                Kind::Var(v) => lets.iter_mut().find(|(x, _)| x == v).map(|(_, e)| e)?,
                _ => &mut steps[a],
            };
            let Kind::Update(Update { value, .. }) = &mut update.kind else { return None };
            **value = build::branch(is_first(), start, next, o);
        }
    }
    let init = one_or_tuple(inits, o);
    let ty = init.ty.clone();
    let mut body = bound(lets, one_or_tuple(steps, o), o);
    [&mut body].into_iter().chain(&mut test).for_each(|e| renumber(e, state, &ty, kept.x));
    renumber(&mut rest, last, &ty, kept.x);
    let fold = build::ifold(*f.count, init, (state, f.index), body, o);
    let fold = test.into_iter().fold(fold, build::while_holds);
    Some(build::bind(first, x0, build::bind(last, fold, rest, o), o))
}

/// A state that is stored as a row of a second state.
fn kept(f: &mut IFold, types: &[Type]) -> Option<Kept> {
    let state = f.state;
    if ![&f.body].into_iter().chain(&f.test).all(|e| has_parts_only(e, state)) {
        return None;
    }
    without_names(&mut f.body, state);
    let (lets, steps) = views(&f.body)?;
    // The value of a name, if it is a second name or a part of the state.
    let value = |v: &VarId| lets.iter().find(|(x, _)| x == v).map(|(_, e)| *e);
    let told = |e: &Expr| {
        let mut e = e.clone();
        while let Kind::Var(v) = e.kind()
            && let Some(other) = value(v).filter(|e| matches!(e.kind(), Kind::Var(_) | Kind::Proj(..)))
        {
            e = other.clone();
        }
        e
    };
    let is_part = |e: &Expr, k: usize| part_of(e, state) == Some(k);
    for (a, e) in steps.iter().enumerate() {
        let e = match told(e).kind() {
            Kind::Var(v) => value(v),
            _ => Some(e),
        };
        let Some(Kind::Update(Update { array, indices, op: None, value: row })) = e.map(Expr::kind) else { continue };
        let plain = |i: &Expr| {
            i.count(|e| !matches!(e.kind(), Kind::Var(_) | Kind::Lit(_) | Kind::Prim(..))) == 0
                && i.size() <= INDEX
                && !lets.iter().any(|(v, _)| i.mentions(*v))
        };
        if !is_part(&told(array), a) || !row.ty.is_array() || !indices.iter().all(plain) {
            continue;
        }
        let row = told(row);
        let mut states = (0..steps.len()).filter(|x| *x != a && types[*x] == row.ty);
        let at = || indices.clone();
        if named(&row).is_some_and(|v| value(&v).is_some())
            && let Some(x) = states.clone().find(|x| told(&steps[*x]) == row)
        {
            return Some(Kept { x, a, at: at(), needs: None });
        }
        // What the test reads is the state before the step, which has no row yet.
        let in_test = |x: usize| f.test.as_ref().is_some_and(|t| reads_part(t, state, x));
        if let Some(x) = states.find(|x| is_part(&row, *x) && !in_test(*x))
            && let Some(needs) = needed(&lets, steps, state, x)
        {
            return Some(Kept { x, a, at: at(), needs: Some(needs) });
        }
    }
    None
}

/// The maximum size of an index of a row that is computed again, in nodes.
const INDEX: usize = 8;

/// The names that the next state `x` needs, if nothing else does, and if it needs no other state. Nothing else reads `x`, but for the
/// row that is stored.
fn needed(lets: &[(VarId, &Expr)], steps: &[Expr], state: VarId, x: usize) -> Option<Set<VarId>> {
    let mut needs = Set::new();
    let mut all = vec![&steps[x]];
    for (v, e) in lets.iter().rev() {
        if all.iter().any(|t| t.mentions(*v)) {
            needs.insert(*v);
            all.push(e);
        }
    }
    let others = steps.iter().enumerate().filter(|(k, _)| *k != x).map(|(_, e)| e);
    let others = others.chain(lets.iter().filter(|(v, _)| !needs.contains(v)).map(|(_, e)| *e)).collect_vec();
    let reads = others.iter().map(|t| t.count(|e| part_of(e, state) == Some(x))).sum::<usize>();
    let mut reads_others = false;
    for t in &all {
        t.each(&mut |t| reads_others |= part_of(t, state).is_some_and(|k| k != x));
    }
    let free = !others.iter().any(|t| needs.iter().any(|v| t.mentions(*v)));
    (free && !reads_others && reads == 1).then_some(needs)
}

/// The variable that a term is a part of.
fn named(e: &Expr) -> Option<VarId> {
    match e.kind() {
        Kind::Var(v) => Some(*v),
        Kind::Proj(of, _) => named(of),
        _ => None,
    }
}

/// `k` where a term is the part `k` of a tuple variable.
fn part_of(e: &Expr, whole: VarId) -> Option<usize> {
    match e.kind() {
        Kind::Proj(of, k) => matches!(of.kind(), Kind::Var(v) if *v == whole).then_some(*k),
        _ => None,
    }
}

/// Whether a tuple variable occurs only where one of its parts is taken.
fn has_parts_only(e: &Expr, whole: VarId) -> bool {
    let all = e.count(|t| matches!(t.kind(), Kind::Var(v) if *v == whole));
    all == e.count(|t| part_of(t, whole).is_some())
}

fn reads_part(e: &Expr, whole: VarId, k: usize) -> bool {
    e.count(|t| part_of(t, whole) == Some(k)) > 0
}

/// `let y = s.k in e ⟶ e` where `y` is not used.
fn without_unused_names(e: &mut Expr, whole: VarId) {
    while let Kind::Let(y, value, body) = &mut e.kind
        && part_of(value, whole).is_some()
    {
        if body.mentions(*y) {
            return without_unused_names(body, whole);
        }
        *e = take(body);
    }
}

/// `let y = s.k in e ⟶ e[s.k/y]`, likewise for a tuple of parts.
fn without_names(e: &mut Expr, state: VarId) {
    let is_part = |e: &Expr| part_of(e, state).is_some();
    if let Kind::Let(y, value, body) = &mut e.kind {
        let parts = match &value.kind {
            Kind::Tuple(parts) if parts.iter().all(is_part) && has_parts_only(body, *y) => Some(parts.clone()),
            _ => None,
        };
        if parts.is_some() || is_part(value) {
            let (y, value, mut body) = (*y, take(value), take(body));
            match parts {
                Some(parts) => body.each_mut(&mut |e| {
                    if let Some(k) = part_of(e, y) {
                        *e = parts[k].clone();
                    }
                }),
                None => body.replace(y, &mut || value.clone()),
            }
            *e = body;
            return without_names(e, state);
        }
    }
    e.each_child_mut(&mut |c| without_names(c, state));
}

/// Replaces a part of a state by `value`, and by `length` where only the length of the part is needed.
fn put(e: &mut Expr, (state, k): (VarId, usize), length: &Expr, value: &Expr) {
    if part_of(e, state) == Some(k) {
        *e = value.clone();
    } else if let Kind::Len(a, _) = &mut e.kind
        && part_of(a, state) == Some(k)
    {
        **a = length.clone();
    } else {
        e.each_child_mut(&mut |c| put(c, (state, k), length, value));
    }
}

/// The parts of a variable whose type is a tuple without its part `gone`.
fn renumber(e: &mut Expr, whole: VarId, ty: &Type, gone: usize) {
    e.each_mut(&mut |e| {
        let Some(k) = part_of(e, whole) else { return };
        let (o, all) = (e.origin, build::var(whole, ty.clone(), e.origin));
        let is_tuple = matches!(ty, Type::Tuple(_));
        *e = if is_tuple { build::proj(all, k - usize::from(k > gone), o) } else { all };
    });
}

fn one_or_tuple(mut parts: Vec<Expr>, o: Origin) -> Expr {
    match parts.pop() {
        Some(one) if parts.is_empty() => one,
        last => build::tuple(parts.into_iter().chain(last).collect_vec(), o),
    }
}

/// The names in front of a tuple, and its parts.
fn views(body: &Expr) -> Option<View<'_>> {
    let (mut lets, mut e) = (Vec::new(), body);
    loop {
        match e.kind() {
            Kind::Let(x, a, b) => {
                lets.push((*x, &**a));
                e = b;
            }
            Kind::Tuple(parts) => return Some((lets, parts)),
            _ => return None,
        }
    }
}

/// The step of a fold with this body.
fn step(body: Expr) -> Option<Step> {
    let (mut lets, mut e) = (Vec::new(), body);
    loop {
        match e.kind {
            Kind::Let(x, a, b) => {
                lets.push((x, *a));
                e = *b;
            }
            Kind::Tuple(parts) => return Some((lets, parts)),
            _ => return None,
        }
    }
}

fn bound(lets: Vec<(VarId, Expr)>, body: Expr, o: Origin) -> Expr {
    lets.into_iter().rev().fold(body, |body, (x, a)| build::bind(x, a, body, o))
}
