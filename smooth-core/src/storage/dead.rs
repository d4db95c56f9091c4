//! Dead allocation (Fig. 9).
//!
//! ```text
//! let x = t₁{r} in t₂   ⟶  t₂     x is not read in t₂
//! alloc P (λr. t)       ⟶  t      r does not occur in t
//! ```
//!
//! Writing has no effect but the written cells, so what nobody reads need not be written.

use crate::dps::{Program, Term};

/// Removes dead writes, and the storage they wrote to, from the inside out.
pub(super) fn dead(program: &mut Program) {
    program.body.each_mut(&mut |t| match t {
        Term::Fill { x, r, write, body } if body.uses(*x) == 0 && owns(write, *r) => {
            *t = std::mem::replace(&mut **body, Term::Seq(vec![]))
        }
        Term::Alloc { r, body, .. } if body.uses(*r) == 0 => *t = std::mem::replace(&mut **body, Term::Seq(vec![])),
        Term::Alias { x, body, .. } if body.uses(*x) == 0 => *t = std::mem::replace(&mut **body, Term::Seq(vec![])),
        _ => {}
    });
}

/// Whether a write goes to `r` alone, and is there at all: the leaves of a tuple are written together.
fn owns(write: &Term, r: crate::name::VarId) -> bool {
    use crate::dps::Dest;
    let mut inner = std::collections::BTreeSet::from([r]);
    let mut foreign = *write == Term::Seq(vec![]);
    write.each(&mut |t| {
        match t {
            Term::Alloc { r, .. } => drop(inner.insert(*r)),
            Term::Cells { cells, .. } => inner.extend(cells.iter().map(|(c, _)| *c)),
            Term::Fold { states, .. } => inner.extend(states.iter().flat_map(|s| match s {
                crate::dps::State::Scalar { next, .. } => vec![*next],
                crate::dps::State::Array { first, next, .. } => vec![*first, *next],
            })),
            _ => {}
        }
        foreign |= t.dests().iter().any(|d| match d {
            Dest::Cell(v) | Dest::Storage(v, _) => !inner.contains(v),
        });
    });
    !foreign
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dps::{Dest, Home};
    use crate::name::VarId;
    use crate::shape::card::Card;
    use crate::ty::Scalar;
    use crate::value::Lit;

    fn program(body: Term) -> Program {
        let mut names = crate::name::Names::default();
        for _ in 0..8 {
            names.fresh("v");
        }
        Program {
            name: "p".into(),
            names,
            params: vec![],
            callees: vec![],
            consts: vec![],
            result_type: crate::ty::Type::F64,
            results: vec![],
            body,
        }
    }

    fn alloc(r: u32, write: Term, body: Term) -> Term {
        let fill = Term::Fill { x: VarId(r + 1), r: VarId(r), write: Box::new(write), body: Box::new(body) };
        Term::Alloc {
            r: VarId(r),
            elem: Scalar::F64,
            shape: vec![Card::lit(1)],
            home: Home::Frame,
            body: Box::new(fill),
        }
    }

    fn store(r: u32) -> Term {
        Term::Store(Dest::Storage(VarId(r), vec![Term::Size(Card::lit(0))]), Box::new(Term::Lit(Lit::f64(1.0))))
    }

    #[test]
    fn unread_storage_goes() {
        let one = Term::Lit(Lit::f64(1.0));
        let mut p = program(alloc(0, store(0), one.clone()));
        dead(&mut p);
        assert_eq!(p.body, one);
    }

    #[test]
    fn a_write_that_also_fills_other_storage_stays() {
        let body = alloc(0, Term::Seq(vec![store(0), store(5)]), Term::Lit(Lit::f64(1.0)));
        let mut p = program(body.clone());
        dead(&mut p);
        assert_eq!(p.body, body);
    }
}
