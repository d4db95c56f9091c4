//! Checks that a term carries.
//!
//! ```text
//! D⟦demand s ≤ t ≤ n in e⟧ d̄   =   let c = demand ⟨s⟩ ⟨t⟩ ⟨n⟩ in D⟦e⟧ d̄        ⟨e⟩: e, computed without wrapping
//! D⟦assert t else f in e⟧ d̄    =   let c = assert D⟦t⟧ D⟦f⟧ in D⟦e⟧ d̄
//! D⟦evaluate t in e⟧ d̄         =   let x = D⟦t⟧ in D⟦e⟧ d̄                      nothing for a variable
//! ```
//!
//! The facts of a check are used by the last pass alone (`storage/checks.rs`), which sees the checks that are still
//! there.

use super::Lower;
use crate::dps::{Let, Term};
use crate::fsmooth::{Demand, Expr, Kind, Required, Slot};
use crate::infer::ValueShape;
use crate::prim::Prim;
use crate::ty::{Scalar, Type};

impl Lower<'_> {
    /// A check, and the term after it. A check that the loops and conditions around it prove is dropped.
    pub(super) fn demand(&mut self, e: &Expr, d: &Demand, then: impl FnOnce(&mut Self) -> Term) -> Term {
        let origin = e.origin();
        let ends = match &d.what {
            Required::InOrder(ends) => ends.each_ref().map(|e| self.integer(e)),
            Required::Holds(parts) => {
                let [condition, failure] = &**parts;
                let condition = self.scalar(condition);
                let failure = self.part(e, Slot::Failure, |cx| cx.scalar(failure));
                return self.before(Scalar::Bool, Term::Assert(Box::new([condition, failure]), origin), then);
            }
            Required::Evaluated(value) => match value.ty() {
                Type::Scalar(s) if !matches!(value.kind(), Kind::Var(_)) => {
                    let value = self.scalar(value);
                    return self.before(*s, value, then);
                }
                _ => return then(self),
            },
        };
        if let [Term::Size(start, _), Term::Size(end, _), Term::Size(len, _)] = &ends
            && self.infer.facts().holds_slice(start, end, len)
        {
            return then(self);
        }
        self.before(Scalar::Bool, Term::Demand(ends.into(), origin), then)
    }

    /// A number that is evaluated before a term.
    fn before(&mut self, ty: Scalar, value: Term, then: impl FnOnce(&mut Self) -> Term) -> Term {
        let x = self.names.fresh("checked");
        Term::Let(Let { x, ty, value: Box::new(value), body: Box::new(then(self)) })
    }

    /// A number that a proof may take for an integer: no operation in it wraps.
    fn integer(&mut self, e: &Expr) -> Term {
        match (self.infer.shape(e), e.kind()) {
            (ValueShape::Scalar(Some(c)), _) if self.is_closed(&c, e) => Term::Size(c, e.origin()),
            (_, Kind::Prim(p @ (Prim::Add | Prim::Sub | Prim::Mul), args)) => {
                self.exact_operation(*p, args, Self::integer, e.origin()).unwrap_or_else(|| self.scalar(e))
            }
            _ => self.exact(e),
        }
    }
}
