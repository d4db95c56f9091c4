//! Induction: a part of a fold's state that is a number by its index alone is no state.
//!
//! ```text
//! ifold n (λ(s, p) j. (e, p + a + c j)) (s₀, p₀)   ⟶   (ifold n (λs j. e[p₀ + a j + c (j² - j) / 2 / p]) s₀, p₀ + a n + c (n² - n) / 2)
//! ```
//!
//! where `a` and `c` are the same in all steps. What is left may be a sum, whose steps need no state.

use crate::fsmooth::{Expr, IFold, Kind, build, take};
use crate::mapped::{Mapped, PushAll};
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::sorted::Map;
use crate::span::Origin;
use crate::ty::Type;

/// Takes such parts out of all folds.
pub(super) fn induction(body: &mut Expr, names: &mut Names) {
    body.each_mut(&mut |e| while closed(e, names) {});
}

/// A part of the state in each step: the one before, and these.
#[derive(Default)]
struct Step {
    /// The number of times that it is the one before.
    before: i64,
    /// The factor of the index.
    index: i64,
    plus: Vec<Expr>,
    minus: Vec<Expr>,
}

/// Takes one part out of a fold. Returns whether there was one.
fn closed(e: &mut Expr, names: &mut Names) -> bool {
    let o = e.origin;
    let Kind::IFold(f) = &e.kind else { return false };
    let Type::Tuple(ts) = &f.init.ty else { return false };
    let (Kind::Tuple(starts), None) = (&f.init.kind, &f.test) else { return false };
    let (mut lets, mut value) = (Map::new(), &*f.body);
    while let Kind::Let(x, e, body) = &value.kind {
        lets.insert(*x, &**e);
        value = body;
    }
    let Kind::Tuple(next) = &value.kind else { return false };
    if ts.len() < 2 || has_whole(&f.body, f.state) {
        return false;
    }
    let bound = names_in(&f.body);
    let found = (0..ts.len()).filter(|k| ts[*k] == Type::USIZE).find_map(|k| {
        let mut step = Step::default();
        let of = Of { f, k, lets: &lets, bound: &bound };
        (of.add(&next[k], true, &mut step).is_some() && step.before == 1).then_some((k, step))
    });
    let Some((k, step)) = found else { return false };
    let start = starts[k].clone();
    let at = |j: &Expr| step.after(&start, j, o);
    let last = at(&f.count);
    let IFold { count, init, state, index, body, .. } = f.clone();
    let (mut count, mut init, mut body) = (*count, *init, *body);
    let Kind::Tuple(mut starts) = std::mem::replace(&mut init.kind, Kind::Tuple(vec![])) else { return false };
    starts.remove(k);
    let start = if starts.len() == 1 { starts.remove(0) } else { build::tuple(starts, o) };
    // Another name: a part of a part of the old state is no part of the new one.
    let new = names.again(state);
    let now = build::var(new, start.ty.clone(), o);
    let single = ts.len() == 2;
    let part = |whole: &Expr, m: usize| {
        if single { whole.clone() } else { build::proj(whole.clone(), if m > k { m - 1 } else { m }, o) }
    };
    set_next(&mut body, k, &start.ty);
    let here = at(&build::var(index, Type::USIZE, o));
    body.each_mut(&mut |e| {
        if let Kind::Proj(a, m) = &e.kind
            && matches!(a.kind, Kind::Var(v) if v == state)
        {
            *e = if *m == k { here.renamed(names) } else { part(&now, *m) };
        }
    });
    let fold = build::ifold(take(&mut count), start, (new, index), body, o);
    let (all, ty) = (names.again(state), fold.ty.clone());
    let whole = build::var(all, ty, o);
    let parts = (0..ts.len()).mapped(|m| if m == k { last.clone() } else { part(&whole, m) });
    *e = build::bind(all, fold, build::tuple(parts, o), o);
    true
}

/// A part of the state of a fold.
struct Of<'a> {
    f: &'a IFold,
    k: usize,
    lets: &'a Map<VarId, &'a Expr>,
    bound: &'a [VarId],
}

impl Of<'_> {
    /// Adds a term to a step, or subtracts it.
    fn add(&self, e: &Expr, plus: bool, step: &mut Step) -> Option<()> {
        let one = if plus { 1 } else { -1 };
        match &e.kind {
            Kind::Proj(a, m) if *m == self.k && matches!(a.kind, Kind::Var(v) if v == self.f.state) => {
                step.before += one
            }
            Kind::Var(v) if *v == self.f.index => step.index += one,
            Kind::Var(v) if self.lets.contains_key(v) => return self.add(self.lets[v], plus, step),
            Kind::Prim(p @ (Prim::Add | Prim::Sub), es) => {
                self.add(&es[0], plus, step)?;
                return self.add(&es[1], plus == (*p == Prim::Add), step);
            }
            _ => {
                let own = |v: &VarId| *v == self.f.state || *v == self.f.index || self.bound.contains(v);
                if e.free().iter().any(own) {
                    return None;
                }
                if plus { step.plus.push(e.clone()) } else { step.minus.push(e.clone()) }
            }
        }
        Some(())
    }
}

impl Step {
    /// The part after `j` steps. What is added comes first: no difference is negative.
    fn after(&self, start: &Expr, j: &Expr, o: Origin) -> Expr {
        let op = |p, a: Expr, b: Expr| build::prim(p, vec![a, b], o);
        let squares = op(Prim::Sub, op(Prim::Mul, j.clone(), j.clone()), j.clone());
        let squares = op(Prim::Div, squares, build::index(2, o));
        let of_index = (self.index != 0).then(|| op(Prim::Mul, build::index(self.index.unsigned_abs(), o), squares));
        let times = |es: &[Expr]| es.iter().mapped(|e| op(Prim::Mul, e.clone(), j.clone()));
        let (mut plus, mut minus) = (times(&self.plus), times(&self.minus));
        if self.index > 0 {
            plus.push_all(of_index)
        } else {
            minus.push_all(of_index)
        }
        let sum = plus.into_iter().fold(start.clone(), |a, b| op(Prim::Add, a, b));
        minus.into_iter().fold(sum, |a, b| op(Prim::Sub, a, b))
    }
}

/// Removes a part of the value of a step.
fn set_next(mut e: &mut Expr, k: usize, ty: &Type) {
    loop {
        if let Kind::Tuple(es) = &mut e.kind {
            es.remove(k);
            if es.len() == 1 {
                *e = es.remove(0);
            } else {
                e.ty.clone_from(ty);
            }
            return;
        }
        e.ty.clone_from(ty);
        let Kind::Let(_, _, body) = &mut e.kind else { return };
        e = body;
    }
}

/// Whether a variable is used other than by its parts.
fn has_whole(e: &Expr, x: VarId) -> bool {
    match &e.kind {
        Kind::Proj(a, _) if matches!(a.kind, Kind::Var(v) if v == x) => false,
        Kind::Var(v) => *v == x,
        _ => e.any_child(&mut |e| has_whole(e, x)),
    }
}

fn names_in(e: &Expr) -> Vec<VarId> {
    let mut all = e.binders();
    e.each(&mut |e| all.extend(e.binders()));
    all
}
