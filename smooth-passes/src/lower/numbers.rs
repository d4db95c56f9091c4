//! Counts, and numbers that must be the integers that the shape translation takes them for.

use super::Lower;
use crate::dps::{Let, Term};
use crate::fsmooth::{Expr, Kind, Slot};
use crate::infer::{ValueShape, size_prim};
use crate::mapped::Both;
use crate::name::VarId;
use crate::prim::Prim;
use crate::shape::card::{Atom, Card};
use crate::span::Origin;
use crate::ty::{Scalar, Type};

impl Lower<'_> {
    /// A `usize` that panics instead of wrapping if it is tracked; else those of its parts that are tracked do.
    pub(super) fn exact(&mut self, e: &Expr) -> Term {
        match (self.infer.shape(e), e.kind()) {
            _ if *e.ty() != Type::USIZE => self.scalar(e),
            // As a polynomial it adds its operands, which may be too much for a `usize`.
            _ if self.overflows(e) => self.scalar(e),
            (ValueShape::Scalar(Some(c)), _) if self.is_closed(&c, e) => Term::Size(c, e.origin()),
            (_, Kind::Let(x, a, b)) => self.d_let(*x, a, |cx| cx.exact(b)),
            (_, Kind::Demand(d)) => self.demand(e, d, |cx| cx.exact(&d.then)),
            (_, Kind::If(c, a, b)) => {
                let c = self.scalar(c);
                let (a, b) = (self.part(e, Slot::Then, |cx| cx.exact(a)), self.part(e, Slot::Else, |cx| cx.exact(b)));
                Term::If(Box::new(c), Box::new(a), Box::new(b))
            }
            (ValueShape::AtMost(_), Kind::Prim(p @ (Prim::Add | Prim::Sub | Prim::Mul), args)) => {
                self.exact_operation(*p, args, Self::exact, e.origin()).unwrap_or_else(|| self.scalar(e))
            }
            // The operands of all other operations are exact anyway.
            _ => self.scalar(e),
        }
    }

    /// Whether it is a `usize` that is tracked, and can be computed as its polynomial.
    pub(super) fn is_size(&mut self, e: &Expr) -> bool {
        let size = if *e.ty() == Type::USIZE { self.infer.shape(e).card() } else { None };
        size.is_some_and(|c| self.is_closed(&c, e)) && !self.overflows(e)
    }

    /// Whether an intermediate sum in the polynomial of a number may be too large for a `usize`, though the number is
    /// not.
    pub(super) fn overflows(&mut self, e: &Expr) -> bool {
        match e.kind() {
            Kind::Var(v) => self.computed.contains(v),
            Kind::Prim(Prim::DivCeil | Prim::Steps | Prim::StepsThrough, _) => true,
            Kind::Prim(Prim::SaturatingSub | Prim::Min, args) => args.iter().any(|a| self.overflows(a)),
            Kind::Prim(Prim::Through, args) => {
                let last = &args[1];
                let last = self.infer.shape(last).card().and_then(|c| self.infer.facts().upper(&c));
                let fits = |a: &&Atom| matches!(a, Atom::Op(..)) || self.lengths.contains(a);
                let small = |c: &Card| c.terms().all(|(k, _)| k.unsigned_abs() <= u32::MAX.into());
                last.is_none_or(|c| c.is_untracked() || !small(&c) || !c.atoms().iter().all(fits))
            }
            _ => false,
        }
    }

    /// An operation on two `usize` with a known bound: on exact integers, which get names.
    pub(super) fn exact_operation(
        &mut self,
        p: Prim,
        args: &[Expr],
        exact: fn(&mut Self, &Expr) -> Term,
        o: Origin,
    ) -> Option<Term> {
        let [a, b] = args else { return None };
        let [x, y] = [(); 2].both(|()| self.names.fresh("part"));
        let value = size_prim(p, &Card::var(x), &Card::var(y))?;
        let [a, b] = [a, b].both(|e| Box::new(exact(self, e)));
        let named = |x, value, body| Term::Let(Let { x, ty: Scalar::Usize, value, body: Box::new(body) });
        Some(named(x, a, named(y, b, Term::Size(value, o))))
    }

    /// An index, and whether it is proved to be below `len`.
    pub(super) fn index(&mut self, i: &Expr, len: &Card) -> (Term, bool) {
        match self.infer.shape(i) {
            // The bound holds for the exact integer.
            ValueShape::AtMost(most) if self.infer.facts().at_least_zero(&len.sub(&most).sub(&Card::lit(1))) => {
                (self.exact(i), true)
            }
            _ => {
                let value = self.infer.value(i);
                let wrapped = self.has_wrapped_name(i);
                let facts = self.infer.facts();
                // Any other index keeps its check and has a name after it. The last pass drops that check
                // (`storage/checks.rs`).
                let in_terms = |i: &Card| facts.has_terms_in_range(i, len) && !wrapped;
                let proved = value.is_some_and(|i| facts.is_index(&i, len) && in_terms(&i));
                (self.scalar(i), proved)
            }
        }
    }

    /// Whether an index with operations has a name in it for a number that may have wrapped.
    fn has_wrapped_name(&mut self, i: &Expr) -> bool {
        let mut names = vec![];
        i.each(&mut |e| {
            if let Kind::Var(v) = e.kind() {
                names.push((*v, e));
            }
        });
        !matches!(i.kind(), Kind::Var(_))
            && names.into_iter().any(|(v, e)| {
                let value = self.infer.value(e).filter(|c| *c != Card::var(v));
                value.is_some_and(|c| !self.infer.facts().is_exact(&c))
            })
    }

    /// Whether a size mentions no variable that the term itself binds. A size that is computed from data is tracked by its
    /// variable, which is out of scope outside the term.
    pub(super) fn is_closed(&self, c: &Card, e: &Expr) -> bool {
        e.count(|e| e.binders().into_iter().any(|v| self.infer.mentions(c, v))) == 0
    }

    /// Brings the index of a loop into scope, and lowers the count.
    pub(super) fn enter(&mut self, index: VarId, n: &Expr) -> Term {
        let (card, count) = self.count(n);
        self.enter_loop(index, n, card);
        count
    }

    /// Enters a loop whose count `n` is lowered already.
    pub(super) fn enter_loop(&mut self, index: VarId, n: &Expr, card: Option<Card>) {
        if card.is_none() {
            let shp = self.infer.shape(n);
            self.infer.limit_index(index, &shp);
        }
        self.infer.enter_loop(index, card);
    }

    /// A count, as a tracked size if possible. A polynomial that could be negative is emitted as a term, since the
    /// proofs do not cover `usize` arithmetic that wraps to a large number.
    pub(super) fn count(&mut self, n: &Expr) -> (Option<Card>, Term) {
        let card = self.infer.shape(n).card().filter(|c| self.is_closed(c, n));
        let term = match &card {
            Some(c) if is_name(c) || !self.overflows(n) => Term::Size(c.clone(), n.origin()),
            _ => self.exact(n),
        };
        (card, term)
    }
}

/// Whether a size needs no arithmetic.
fn is_name(c: &Card) -> bool {
    matches!(c.as_atom(), Some(Atom::Var(_) | Atom::Len(..)))
}
