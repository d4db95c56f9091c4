//! Mistakes in the facts of index proofs. The pass itself runs, but on a changed program, and its proofs are applied to the
//! original one.

use smooth_core::dps::{self, Build, Dest, Fill, Fold, Program, State, Step, Term};
use smooth_core::fsmooth::{Expr, Kernel, Kind, Reduce, build};
use smooth_core::lower::{lower, normalise};
use smooth_core::pipeline::Stages;
use smooth_core::prim::Prim;
use smooth_core::span::Origin;
use smooth_core::storage::remaining;
use smooth_core::ty::Scalar;
use smooth_core::value::Lit;
use std::collections::BTreeSet;

/// Drops those checks of `p` that the pass drops in the changed program.
fn believed(p: &mut Program, change: impl FnOnce(&mut Program)) {
    let mut seen = p.clone();
    change(&mut seen);
    let kept = remaining(&seen, &[]).into_iter().map(|r| r.origin.0).collect();
    keep(p, &kept);
}

/// Drops all other checks.
fn keep(p: &mut Program, kept: &BTreeSet<u32>) {
    let drops = |o: &Origin| !kept.contains(&o.0);
    p.body.each_mut(&mut |t| {
        match t {
            Term::InRange(i, _, o) if drops(o) => *t = i.take(),
            Term::Demand(_, o) if drops(o) => *t = Term::Lit(Lit::Bool(true)),
            _ => {}
        }
        for s in t.views_mut().into_iter().flat_map(|v| &mut v.steps) {
            if let Step::At { check, origin, .. } | Step::Range { check, origin, .. } = s
                && drops(origin)
            {
                *check = None;
            }
        }
    });
}

fn folds(p: &mut Program, mut change: impl FnMut(&mut Fold)) {
    p.body.each_mut(&mut |t| {
        if let Term::Fold(f) = t {
            change(f);
        }
    });
}

/// The cells that the next states of a fold are assigned to, if they are numbers.
fn numbers(f: &Fold) -> Vec<smooth_core::name::VarId> {
    let number = |s: &State| match s {
        State::Scalar { next, ty: Scalar::Usize, .. } => Some(*next),
        _ => None,
    };
    f.states.iter().filter_map(number).collect()
}

/// No mistake.
pub fn nothing(p: &mut Program) {
    believed(p, |_| {});
}

/// Each number in a state starts at 0: the base case is forgotten.
pub fn starts_at_zero(p: &mut Program) {
    believed(p, |p| {
        folds(p, |f| {
            let own = numbers(f);
            f.init.each_mut(&mut |t| {
                if let Term::Store(Dest::Cell(v), value) = t
                    && own.contains(v)
                {
                    **value = Term::Lit(Lit::usize(0));
                }
            });
        });
    });
}

/// Each number in a state keeps its value: the step is forgotten.
pub fn never_changes(p: &mut Program) {
    believed(p, |p| {
        folds(p, |f| {
            for s in f.states.clone() {
                let State::Scalar { now, next, ty: Scalar::Usize } = s else { continue };
                f.step.each_mut(&mut |t| {
                    if let Term::Store(Dest::Cell(v), value) = t
                        && *v == next
                    {
                        **value = Term::Var(now);
                    }
                });
            }
        });
    });
}

/// One of the two paths through each choice of a step.
fn one_path(p: &mut Program, first: bool) {
    believed(p, |p| {
        folds(p, |f| {
            f.step.each_mut(&mut |t| {
                if let Term::If(_, a, b) = t {
                    let assigns = |t: &Term| t.any(&|t| matches!(t, Term::Store(Dest::Cell(_), _)));
                    if assigns(a) && assigns(b) {
                        let (from, to) = if first { (a, b) } else { (b, a) };
                        **to = (**from).clone();
                    }
                }
            });
        });
    });
}

/// The second branch is not looked at.
pub fn first_path_alone(p: &mut Program) {
    one_path(p, true);
}

/// The first branch is not looked at.
pub fn second_path_alone(p: &mut Program) {
    one_path(p, false);
}

/// `a <= b` is `a < b`, in the tests of loops.
pub fn strict_tests(p: &mut Program) {
    believed(p, |p| {
        folds(p, |f| {
            f.test.iter_mut().for_each(|t| {
                t.each_mut(&mut |t| {
                    if let Term::Prim(op, ..) = t {
                        *op = match *op {
                            Prim::Le => Prim::Lt,
                            Prim::Ge => Prim::Gt,
                            op => op,
                        };
                    }
                });
            });
        });
    });
}

/// The test of a loop holds after it.
pub fn tested_after_the_loop(p: &mut Program) {
    believed(p, |p| {
        p.body.each_mut(&mut |t| {
            let Term::Fill(Fill { write, body, .. }) = t else { return };
            let mut after = None;
            write.each(&mut |t| {
                let Term::Fold(Fold { test: Some(test), then, .. }) = t else { return };
                let mut test = (**test).clone();
                then.each(&mut |t| {
                    if let Term::Store(Dest::Cell(cell), state) = t {
                        test.each_mut(&mut |t| {
                            if *t == **state {
                                *t = Term::Var(*cell);
                            }
                        });
                    }
                });
                after = Some(test);
            });
            if let Some(test) = after {
                **body = Term::If(Box::new(test), Box::new(body.take()), Box::new(Term::Seq(vec![])));
            }
        });
    });
}

/// `a - b` is `max a b - b`: no difference wraps.
pub fn nothing_wraps(p: &mut Program) {
    believed(p, |p| {
        folds(p, |f| {
            f.step.each_mut(&mut |t| {
                if let Term::Prim(op @ Prim::Sub, ts, o) = t {
                    let most = Term::Prim(Prim::Max, ts.clone(), *o);
                    *ts = vec![most, ts[1].clone()];
                    *op = Prim::Sub;
                }
            });
        });
    });
}

/// The checks of an iteration hold after the loop, although it may have no iteration.
pub fn checked_in_a_loop(p: &mut Program) {
    believed(p, |p| {
        p.body.each_mut(&mut |t| match t {
            Term::Build(Build { body, .. }) => *t = body.take(),
            Term::Reduce(dps::Reduce { body, .. }) => *t = body.take(),
            Term::Fold(Fold { init, step, then, .. }) => *t = Term::Seq(vec![init.take(), step.take(), then.take()]),
            _ => {}
        });
    });
}

fn operations(p: &mut Program, change: impl Fn(Prim, &mut Vec<Term>)) {
    believed(p, |p| {
        p.body.each_mut(&mut |t| {
            if let Term::Prim(op, ts, _) = t {
                change(*op, ts);
            }
        });
    });
}

/// `a % b` is `a % (b - 1)`.
pub fn smaller_remainders(p: &mut Program) {
    operations(p, |op, ts| {
        if op == Prim::Rem {
            let one = Term::Lit(Lit::usize(1));
            ts[1] = Term::Prim(Prim::Sub, vec![ts[1].take(), one], Origin::default());
        }
    });
}

/// The program that lowering makes where it believes its proofs about another kernel.
pub fn lowered(s: &Stages, change: fn(&mut Kernel)) -> Program {
    let lower = |k: Kernel| lower(normalise(k), &s.companion.result, &s.companion.sizes);
    let mut other = s.shared.clone();
    change(&mut other);
    let mut kept = BTreeSet::new();
    lower(other).body.each(&mut |t| {
        if let Term::InRange(_, _, o) | Term::Demand(_, o) = t {
            kept.insert(o.0);
        }
        for step in t.views().into_iter().flat_map(|v| &v.steps) {
            if let Step::At { check: Some(_), origin, .. } | Step::Range { check: Some(_), origin, .. } = step {
                kept.insert(origin.0);
            }
        }
    });
    let mut p = lower(s.shared.clone());
    keep(&mut p, &kept);
    p
}

fn each(k: &mut Kernel, change: impl Fn(&Expr) -> Option<Expr>) {
    k.body.each_mut(&mut |e| {
        if let Some(new) = change(e) {
            *e = new;
        }
    });
}

/// `if c then a else b` is `if not c then a else b`.
pub fn negated(k: &mut Kernel) {
    each(k, |e| {
        let (Kind::If(c, a, b), o) = (e.kind(), e.origin()) else { return None };
        let not = build::prim(Prim::Not, vec![(**c).clone()], o);
        Some(build::branch(not, (**a).clone(), (**b).clone(), o))
    });
}

fn operators(k: &mut Kernel, change: impl Fn(Prim) -> Prim) {
    each(k, |e| match e.kind() {
        Kind::Prim(p, args) if change(*p) != *p => Some(build::prim(change(*p), args.clone(), e.origin())),
        _ => None,
    });
}

/// `a <= b` is `a < b`.
pub fn at_most_is_less(k: &mut Kernel) {
    operators(k, |p| match p {
        Prim::Le => Prim::Lt,
        Prim::Ge => Prim::Gt,
        p => p,
    });
}

/// `sum n (λi. t)` is `sum (n - 1) (λi. t)`.
pub fn shorter_loops(k: &mut Kernel) {
    each(k, |e| match (e.kind(), e.origin()) {
        (Kind::Reduce(Reduce { count, index, body, with, order }), o) => {
            let less = build::prim(Prim::Sub, vec![(**count).clone(), build::index(1, o)], o);
            Some(build::reduce(with.clone(), *order, (less, *index), (**body).clone(), o))
        }
        _ => None,
    });
}

/// `max a b` is `min a b`.
pub fn least_is_most(k: &mut Kernel) {
    operators(k, |p| if p == Prim::Max { Prim::Min } else { p });
}

/// `a || b` is `a && b`.
pub fn or_is_and(k: &mut Kernel) {
    operators(k, |p| if p == Prim::Or { Prim::And } else { p });
}

/// `a % (b + 1)` is `a % b`.
pub fn smaller_divisors(k: &mut Kernel) {
    each(k, |e| {
        let Kind::Prim(Prim::Rem, args) = e.kind() else { return None };
        let Kind::Prim(Prim::Add, terms) = args[1].kind() else { return None };
        let [b, one] = terms.as_slice() else { return None };
        let Kind::Lit(l) = one.kind() else { return None };
        let smaller = build::prim(Prim::Rem, vec![args[0].clone(), b.clone()], e.origin());
        (l.as_int() == Some(1)).then_some(smaller)
    });
}
