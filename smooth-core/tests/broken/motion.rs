//! Mistakes of passes that move terms or elements out of loops of DPS-F̃.

use smooth_core::dps::{Build, Dest, Fold, Let, Program, State, Step, Term, View};
use smooth_core::name::VarId;
use smooth_core::prim::Prim;
use smooth_core::shape::card::{Atom, Op};
use smooth_core::span::Origin;
use smooth_core::ty::Scalar;
use smooth_core::value::Lit;
use std::collections::BTreeSet;

fn divides(t: &Term) -> bool {
    match t {
        Term::Prim(Prim::Div | Prim::Rem, ..) => true,
        Term::Size(c, _) => c.atoms().iter().any(|a| matches!(a, Atom::Op(Op::Div | Op::Rem, ..))),
        _ => false,
    }
}

/// `let x = if n > 0 then a % b else 0 in build n (λi. t) ⟶ let x = a % b in build n (λi. t)`.
pub fn divided_without_an_iteration(p: &mut Program) {
    p.body.each_mut(&mut |t| {
        if let Term::Let(Let { ty: Scalar::Usize, value, .. }) = t
            && let Term::If(c, a, none) = &mut **value
            && matches!(**c, Term::Prim(Prim::Gt, ..))
            && matches!(**none, Term::Lit(_))
            && a.any(&divides)
        {
            **value = a.take();
        }
    });
}

/// `build n (λi. if c then t{a % b} else u) ⟶ let x = if n > 0 then a % b else 0 in build n (λi. if c then t{x} else u)`.
pub fn divided_out_of_a_branch(p: &mut Program) {
    let names = &mut p.names;
    p.body.each_mut(&mut |t| {
        let (Term::Build(Build { count, body, .. }) | Term::Fold(Fold { count, test: None, step: body, .. })) = t
        else {
            return;
        };
        let mut bound: BTreeSet<VarId> = BTreeSet::new();
        body.each(&mut |t| bound.extend(t.binders()));
        let mut found = None;
        body.each(&mut |t| {
            let Term::If(_, a, b) = t else { return };
            for branch in [a, b] {
                branch.each(&mut |t| {
                    let own = |t: &Term| match t {
                        Term::Size(c, _) => !bound.iter().any(|v| c.mentions(*v)),
                        _ => false,
                    };
                    if divides(t) && own(t) && found.is_none() {
                        found = Some(t.clone());
                    }
                });
            }
        });
        let (Some(value), runs @ Term::Size(..)) = (found, (**count).clone()) else { return };
        let index = if let Term::Build(b) = t { Some(b.index) } else { None };
        if let (Some(i), Term::Size(c, _)) = (index, &value)
            && c.mentions(i)
        {
            return;
        }
        let x = names.fresh("fixed");
        t.each_mut(&mut |t| {
            if *t == value {
                *t = Term::Var(x);
            }
        });
        let [zero, none] = [(); 2].map(|()| Term::Lit(Lit::usize(0)));
        let runs = Term::Prim(Prim::Gt, vec![runs, zero], Origin::default());
        let value = Box::new(Term::If(Box::new(runs), Box::new(value), Box::new(none)));
        *t = Term::Let(Let { x, ty: Scalar::Usize, value, body: Box::new(t.take()) });
    });
}

/// The elements that a step sets in the array of a state that has one buffer: the array, its version in the step, and
/// the place, if nothing in it changes.
fn kept(f: &Fold) -> Option<(VarId, VarId, Vec<Term>, Scalar)> {
    let mut bound: BTreeSet<VarId> = BTreeSet::from([f.index]);
    f.step.each(&mut |t| bound.extend(t.binders()));
    bound.extend(f.states.iter().flat_map(State::binders));
    let fixed = |t: &Term| match t {
        Term::Var(v) => !bound.contains(v),
        Term::Size(c, _) => !bound.iter().any(|v| c.mentions(*v)),
        t => matches!(t, Term::Lit(_)),
    };
    f.states.iter().find_map(|s| {
        let State::Array { x, first, elem, shape, other: None, .. } = s else { return None };
        let mut start = None;
        f.init.each(&mut |t| {
            if let Term::AlreadyThere(Dest::Storage(r, path), y) = t
                && r == first
                && path.is_empty()
            {
                start = Some(*y);
            }
        });
        let mut place = None;
        f.step.each(&mut |t| {
            if let Term::Set(Dest::Storage(_, path), _) = t
                && path.len() == shape.len()
                && path.iter().all(fixed)
            {
                place = Some(path.clone());
            }
        });
        Some((start?, *x, place?, *elem))
    })
}

/// The element that a loop changes is loaded before the loop, which may have no iterations.
pub fn loaded_without_an_iteration(p: &mut Program) {
    let names = &mut p.names;
    p.body.each_mut(&mut |t| {
        let Term::Fold(f) = t else { return };
        let Some((base, _, place, ty)) = kept(f) else { return };
        let steps = place.into_iter().map(|index| Step::At { index, check: None, origin: Origin::default() }).collect();
        let value = Box::new(Term::Load(View { base, steps }));
        *t = Term::Let(Let { x: names.fresh("element"), ty, value, body: Box::new(t.take()) });
    });
}

/// Every element that the step reads is taken for the one that it sets.
pub fn any_element_is_kept(p: &mut Program) {
    p.body.each_mut(&mut |t| {
        let Term::Fold(f) = t else { return };
        let Some((_, x, place, _)) = kept(f) else { return };
        f.step.each_mut(&mut |t| {
            if let Term::Load(View { base, steps }) = t
                && *base == x
                && steps.len() == place.len()
            {
                for (s, i) in steps.iter_mut().zip(&place) {
                    *s = Step::At { index: i.clone(), check: None, origin: Origin::default() };
                }
            }
        });
    });
}
