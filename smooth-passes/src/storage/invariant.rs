//! Loop-invariant divisions leave the loop.
//!
//! ```text
//! build n (λi. C[a % b])   ⟶   let x = if n > 0 then a % b else 0 in build n (λi. C[x])
//! ```
//!
//! and likewise for folds, for numbers of type `usize` that every iteration evaluates: the row and the column of a
//! torus. It comes after all checks were dropped, since their proofs need an index at its use (`share/licm.rs` leaves
//! it there), and LLVM does not move operations that may panic.
//!
//! Keeps: nothing is evaluated that was not. Peak: unchanged.

use crate::dps::{Build, Fold, Let, Program, Term};
use crate::mapped::{Both, Mapped};
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::shape::card::{Atom, Card, Op};
use crate::sorted::Set;
use crate::span::Origin;
use crate::ty::Scalar;
use crate::value::Lit;

/// Moves all such divisions, out of inner loops first.
pub(super) fn invariant(p: &mut Program) {
    let names = &mut p.names;
    p.body.each_mut(&mut |t| hoist(t, names));
}

fn hoist(t: &mut Term, names: &mut Names) {
    let mut bound: Set<VarId> = t.binders().into_iter().collect();
    let (count, body) = match t {
        Term::Build(Build { count, body, .. }) => (count, body),
        Term::Fold(Fold { count, test: None, step, .. }) => (count, step),
        _ => return,
    };
    let runs = match &**count {
        Term::Size(c, _) if c.constant().is_some_and(|n| n > 0) => None,
        count @ (Term::Size(..) | Term::Var(_)) => Some(count.clone()),
        _ => return,
    };
    body.each(&mut |t| bound.extend(t.binders()));
    let mut motion = Motion { bound, moved: vec![], names };
    motion.look(body);
    for (x, value) in motion.moved.into_iter().rev() {
        let value = match &runs {
            Some(n) => {
                let [zero, none] = [(); 2].both(|()| Term::Lit(Lit::usize(0)));
                let runs = Term::Prim(Prim::Gt, vec![n.clone(), zero], Origin::default());
                Term::If(Box::new(runs), Box::new(value), Box::new(none))
            }
            None => value,
        };
        *t = Term::Let(Let { x, ty: Scalar::Usize, value: Box::new(value), body: Box::new(t.take()) });
    }
}

struct Motion<'n> {
    /// The variables of the loop.
    bound: Set<VarId>,
    moved: Vec<(VarId, Term)>,
    names: &'n mut Names,
}

impl Motion<'_> {
    /// Moves the divisions of a term that every iteration evaluates.
    fn look(&mut self, t: &mut Term) {
        match t {
            Term::Let(Let { ty: Scalar::Usize, value, .. }) => self.take(value),
            Term::Load(view) => view.operands_mut().into_iter().for_each(|i| self.take(i)),
            _ => {}
        }
        let once: Vec<bool> = t.parts().iter().mapped(|(role, _)| role.is_once());
        t.children_mut().zip(once).filter(|(_, once)| *once).for_each(|(part, _)| self.look(part));
    }

    /// Moves a number if it divides and is loop-invariant.
    fn take(&mut self, t: &mut Term) {
        if !matches!(t, Term::Prim(..) | Term::If(..)) || !t.any(&divides) || !self.is_same(t) {
            return;
        }
        let x = match self.moved.iter().find(|(_, other)| other == t) {
            Some((x, _)) => *x,
            None => {
                let x = self.names.fresh("fixed");
                self.moved.push((x, t.clone()));
                x
            }
        };
        *t = Term::Var(x);
    }

    fn is_same(&self, t: &Term) -> bool {
        match t {
            Term::Lit(_) => true,
            Term::Var(v) => !self.bound.contains(v),
            Term::Size(c, _) => !self.bound.iter().any(|v| c.mentions(*v)),
            Term::Prim(_, ts, _) => ts.iter().all(|t| self.is_same(t)),
            Term::If(c, a, b) => self.is_same(c) && self.is_same(a) && self.is_same(b),
            _ => false,
        }
    }
}

fn divides(t: &Term) -> bool {
    let of_sizes = |c: &Card| c.atoms().into_iter().any(|a| matches!(a, Atom::Op(Op::Div | Op::Rem, ..)));
    match t {
        Term::Prim(Prim::Div | Prim::Rem, ..) => true,
        Term::Size(c, _) => of_sizes(c),
        _ => false,
    }
}
