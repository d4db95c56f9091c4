//! Reductions as text.

use super::Reader;
use crate::dps::{Combine, Dest, Reduce, Reduces, Term};
use crate::fsmooth::Monoid;
use crate::lex::Fault;
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::span::Origin;
use crate::ty::Scalar;

impl Reader<'_, '_> {
    /// After `(`: a reduction `sum [T] o (λ i. t))`, if that follows.
    pub(super) fn reduction(&mut self) -> Option<Result<Term, Fault>> {
        let (with, order) = Monoid::from_word(self.c.peek())?;
        self.c.take();
        Some((|| {
            let elem = self.elem();
            let count = Box::new(self.operand()?);
            let index = self.index()?;
            self.c.expect(".")?;
            let body = self.boxed()?;
            self.c.expect(")")?;
            self.c.expect(")")?;
            Ok(Term::Reduce(Reduce { count, index, elem, body, with, order, origin: Origin::default() }))
        })())
    }

    /// After `d, … ←`: reductions in one loop, if they follow.
    pub(super) fn reductions(&mut self, dests: &[Dest]) -> Option<Result<Term, Fault>> {
        let dests = dests.to_vec();
        if self.c.eat("reduce") {
            return Some(self.combine(dests));
        }
        let (with, order) = Monoid::from_word(self.c.peek())?;
        self.c.take();
        Some((|| {
            let elem = self.elem();
            let count = Box::new(self.operand()?);
            let index = self.index()?;
            self.c.expect("to")?;
            let terms = self.list(".", Self::var)?;
            let body = self.boxed()?;
            self.c.expect(")")?;
            Ok(Term::Reduces(Reduces {
                count,
                index,
                elem,
                terms,
                body,
                dests,
                with,
                order,
                origin: Origin::default(),
            }))
        })())
    }

    fn combine(&mut self, dests: Vec<Dest>) -> Result<Term, Fault> {
        let count = Box::new(self.operand()?);
        let index = self.index()?;
        self.c.expect("to")?;
        let (terms, elems) = self.list(".", Self::cell)?.into_iter().unzip();
        let body = self.boxed()?;
        self.c.expect(")")?;
        self.c.expect("by")?;
        self.c.expect("(")?;
        self.c.expect("λ")?;
        let (left, right) = self.list("to", |r| Ok((r.var()?, r.var()?)))?.into_iter().unzip();
        let next = self.list(".", Self::cell)?.into_iter().mapped(|(v, _)| v);
        let combine = self.boxed()?;
        self.c.expect(")")?;
        self.c.expect("from")?;
        self.c.expect("(")?;
        let init = self.boxed()?;
        self.c.expect(")")?;
        Ok(Term::Combine(Combine { count, index, elems, terms, body, left, right, next, combine, init, dests }))
    }

    /// `x[: T]`.
    fn cell(&mut self) -> Result<(VarId, Scalar), Fault> {
        Ok((self.var()?, self.typed()))
    }
}
