//! Mistakes about which element a read is of.

use super::broken_loops::each;
use smooth_core::fsmooth::{Expr, Kernel, Kind, Slot, build, take};
use smooth_core::loops::{Access, Expr as Number, For, Function, Reduce as Totals, Stmt};
use smooth_core::name::VarId;
use smooth_core::shape::card::Card;

/// The elements of variables in a term, without those that mention names bound in the term, unless `all`.
fn elements(e: &Expr, all: bool) -> Vec<Expr> {
    let (mut bound, mut found) = (vec![], vec![]);
    e.each(&mut |e| bound.extend(e.binders()));
    e.each(&mut |e| {
        let is_element = matches!(e.kind(), Kind::Get(x, _) if matches!(x.kind(), Kind::Var(_)));
        if is_element && e.ty().scalar().is_some() && (all || !bound.iter().any(|v| e.mentions(*v))) {
            found.push(e.clone());
        }
    });
    found
}

/// `λj. … x[e] … x[f] … ⟶ λj. let r = x[e] in … r … r …` for elements that a rule takes for one.
fn named(k: &mut Kernel, all: bool, rule: impl Fn(&Expr, &Expr) -> bool) {
    let names = &mut k.names;
    k.body.each_mut(&mut |e| {
        let Some(body) = e.part_mut(Slot::Body) else { return };
        let others = elements(body, all);
        let Some(first) = elements(body, false).into_iter().find(|e| others.iter().any(|f| rule(e, f))) else { return };
        let (r, o) = (names.fresh("read"), first.origin());
        body.each_mut(&mut |e| {
            if *e == first || rule(&first, e) {
                *e = build::var(r, first.ty().clone(), o);
            }
        });
        let inner = take(body);
        *body = build::bind(r, first, inner, o);
    });
}

/// Reads of one array agree whatever their indices are.
pub fn reads_agree(k: &mut Kernel) {
    let array = |e: &Expr| match e.kind() {
        Kind::Get(x, _) if e.ty().scalar().is_some() => Some((**x).clone()),
        _ => None,
    };
    named(k, true, |e, f| e != f && array(e).is_some() && array(e) == array(f));
}

/// A read that is evaluated in a branch alone is evaluated before it.
pub fn named_before_its_branch(k: &mut Kernel) {
    named(k, false, |e, f| e == f);
}

/// Changes every address.
fn addresses(f: &mut Function, change: &impl Fn(&mut Access, &[VarId])) {
    let mut indices = vec![];
    each(&mut f.body, &mut |s| {
        if let Stmt::For(For { index, .. }) | Stmt::Reduce(Totals { index, .. }) = s {
            indices.push(*index);
        }
    });
    each(&mut f.body, &mut |s| {
        s.accesses_mut().into_iter().for_each(|a| change(a, &indices));
        for e in s.exprs_mut() {
            e.each_mut(&mut |e| {
                if let Number::Load(a) = e {
                    change(a, &indices);
                }
            });
        }
    });
}

/// `x[i·c + j] ⟶ x[i + j]`.
pub fn rows_of_one_element(f: &mut Function) {
    addresses(f, &|a, indices| {
        for i in indices {
            if let Some((slope, rest)) = a.offset.linear_in(*i)
                && slope.constant().is_none()
            {
                a.offset = rest.add(&Card::var(*i));
            }
        }
    });
}

/// `x[i + 1] ⟶ x[i]`.
pub fn without_the_distance(f: &mut Function) {
    addresses(f, &|a, indices| {
        let at_zero = indices.iter().fold(a.offset.clone(), |c, i| c.replace(*i, &Card::lit(0)));
        if at_zero != a.offset && at_zero.constant().is_some_and(|n| n > 0) {
            a.offset = a.offset.sub(&at_zero);
        }
    });
}
