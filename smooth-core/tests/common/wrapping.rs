//! Programs as release builds compute them.
#![allow(dead_code, reason = "each test takes what it needs")]

use smooth_core::dps::{Program, State, Term};
use smooth_core::name::VarId;
use smooth_core::prim::Prim;
use smooth_core::shape::card::Atom;
use smooth_core::shape::entry_atoms;
use smooth_core::ty::Scalar;
use std::collections::BTreeSet;

/// The program in which sums, differences and products of `usize` wrap.
pub fn wrapping(p: &Program) -> Program {
    let mut p = p.clone();
    let size = |a: Atom| if let Atom::Var(v) = a { Some(v) } else { None };
    let mut numbers: BTreeSet<VarId> = entry_atoms(&p.interface.params).into_iter().filter_map(size).collect();
    p.body.each(&mut |t| {
        numbers.extend(t.binders());
        let mut not = |v: &VarId, ty: &Scalar| {
            if *ty != Scalar::Usize {
                numbers.remove(v);
            }
        };
        match t {
            Term::Let(l) => not(&l.x, &l.ty),
            Term::Fill(f) => f.cells.iter().for_each(|(c, ty)| not(c, ty)),
            Term::Fold(f) => f.states.iter().for_each(|s| {
                if let State::Scalar { now, next, ty } = s {
                    not(now, ty);
                    not(next, ty);
                }
            }),
            _ => {}
        }
    });
    // Without a literal of another type and with a number, it is an operation on numbers.
    fn is_number(t: &Term, numbers: &BTreeSet<VarId>) -> bool {
        match t {
            Term::Var(v) => numbers.contains(v),
            Term::Lit(l) => l.scalar() == Scalar::Usize,
            Term::Size(..) => true,
            Term::Prim(Prim::WrappingAdd | Prim::WrappingSub | Prim::WrappingMul, ts, _) => is_number(&ts[0], numbers),
            Term::InRange(..) => true,
            _ => false,
        }
    }
    p.body.each_mut(&mut |t| {
        if let Term::Prim(op, ts, _) = t
            && ts.iter().any(|t| is_number(t, &numbers))
        {
            *op = match *op {
                Prim::Add => Prim::WrappingAdd,
                Prim::Sub => Prim::WrappingSub,
                Prim::Mul => Prim::WrappingMul,
                other => other,
            };
        }
    });
    p
}
