//! `D⟦a with [ī] = v⟧`: a copy of the array, with one element overwritten.
//!
//! ```text
//! D⟦a with [ī] = v⟧ d    =  let x = D⟦v⟧ in let k̄ = ī in (D⟦a⟧ d ; set d[k̄] ← x)
//! D⟦a with [ī] ⊕= v⟧ d   =  let x = D⟦v⟧ in let k̄ = ī in let y = a[k̄] ⊕ x in (copy d a ; set d[k̄] ← y)
//! ```
//!
//! The element and its place are evaluated first, since they may read the old array, in whose storage the new one may
//! be: `storage::coalesce` removes the copy where the old array is dead.

use super::{Lower, into};
use crate::dps::{Dest, Let, Step, Term, View};
use crate::fsmooth::{Expr, Kind, Update};
use crate::mapped::PushAll;
use crate::name::VarId;
use crate::shape::card::Card;
use crate::simplify::rows::changed_row;
use crate::span::Origin;
use crate::ty::Scalar;

impl Lower<'_> {
    pub(super) fn update(&mut self, u: &Update, d: &Dest, origin: Origin) -> Term {
        let Update { array, indices, op, value } = u;
        if let (Some(row), Kind::Call(k, args)) =
            (changed_row(array, indices, value, &self.infer.kernel.interface.callees), value.kind())
        {
            return self.row_call((array, indices), (*k, args, row), d, origin);
        }
        let elem = self.scalar_type(value);
        let mut lets = Vec::new();
        let x = self.named("value", elem, |cx| cx.scalar(value), &mut lets);
        let mut shape = self.infer.shape(array).extents();
        let mut at = Vec::new();
        for i in indices {
            let len = shape.remove(0);
            at.push(self.place(i, len, origin, &mut lets));
        }
        let x = match op {
            None => x,
            Some(op) => {
                let old = self.element(array, &at, origin);
                // The second operand of a shift is of another type.
                let elem = indices.iter().fold(array.ty().clone(), |t, _| t.element().expect("an array has elements"));
                self.named("sum", elem.expect_scalar(), |_| Term::Prim(*op, vec![old, x], origin), &mut lets)
            }
        };
        let element = at.into_iter().fold(d.clone(), |d, i| into(&d, i));
        let mut old = self.write(array, std::slice::from_ref(d));
        if let Term::Copy(copy) = &mut old {
            // The update needs the copy, and not the name of the array.
            copy.origin = origin;
        }
        let all = Term::Seq(vec![old, Term::Set(element, Box::new(x))]);
        bound(lets, all)
    }

    /// A row that a callee changes, once it is in its destination.
    fn row_call(
        &mut self,
        (array, indices): (&Expr, &[Expr]),
        (k, args, row): (usize, &[Expr], usize),
        d: &Dest,
        origin: Origin,
    ) -> Term {
        let (mut shape, mut element, mut lets) = (self.infer.shape(array).extents(), d.clone(), Vec::new());
        for i in indices {
            let len = shape.remove(0);
            element = into(&element, self.place(i, len, origin, &mut lets));
        }
        let all = self.write(array, std::slice::from_ref(d));
        bound(lets, self.calling(k, args, vec![element], Some((row, all))))
    }

    /// An index, checked unless it is proved to be in range.
    fn place(&mut self, i: &Expr, len: Card, origin: Origin, lets: &mut Vec<(VarId, Scalar, Term)>) -> Term {
        let value = |cx: &mut Self| {
            let (i, proved) = cx.index(i, &len);
            if proved { i } else { Term::InRange(Box::new(i), len, origin) }
        };
        self.named("at", Scalar::Usize, value, lets)
    }

    /// The element `a[k̄]`.
    fn element(&mut self, array: &Expr, at: &[Term], origin: Origin) -> Term {
        let View { base, mut steps } = self.view(array);
        steps.push_all(at.iter().map(|i| Step::At { index: i.clone(), check: None, origin }));
        Term::Load(View { base, steps })
    }

    /// A name for a number, unless it is one already.
    pub(super) fn named(
        &mut self,
        name: &str,
        ty: Scalar,
        value: impl FnOnce(&mut Self) -> Term,
        lets: &mut Vec<(VarId, Scalar, Term)>,
    ) -> Term {
        match value(self) {
            atom @ (Term::Var(_) | Term::Lit(_) | Term::Size(..)) => atom,
            value => {
                let x = self.names.fresh(name);
                lets.push((x, ty, value));
                Term::Var(x)
            }
        }
    }
}

/// `let`s around a term.
pub(super) fn bound(lets: Vec<(VarId, Scalar, Term)>, body: Term) -> Term {
    lets.into_iter()
        .rev()
        .fold(body, |body, (x, ty, value)| Term::Let(Let { x, ty, value: Box::new(value), body: Box::new(body) }))
}
