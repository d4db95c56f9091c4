//! Checks that a term carries.
//!
//! ```text
//! D⟦demand s ≤ t ≤ n in e⟧ d̄   =   let c = demand ⟨s⟩ ⟨t⟩ ⟨n⟩ in D⟦e⟧ d̄        ⟨e⟩: e, computed without wrapping
//! ```
//!
//! What the check says is used by the last pass alone (`storage/checks.rs`), which sees the checks that are still there.

use super::Lower;
use crate::dps::{Let, Term};
use crate::fsmooth::{Demand, Expr, Kind};
use crate::infer::ValueShape;
use crate::prim::Prim;
use crate::span::Origin;
use crate::ty::Scalar;

impl Lower<'_> {
    /// A check, and the term behind it. A check that the loops and conditions around it prove goes.
    pub(super) fn demand(
        &mut self,
        Demand { start, end, len, .. }: &Demand,
        origin: Origin,
        then: impl FnOnce(&mut Self) -> Term,
    ) -> Term {
        let ends = [start, end, len].map(|e| self.integer(e));
        if let [Term::Size(start, _), Term::Size(end, _), Term::Size(len, _)] = &ends
            && self.infer.facts().holds_slice(start, end, len)
        {
            return then(self);
        }
        let value = Box::new(Term::Demand(ends.into(), origin));
        Term::Let(Let { x: self.names.fresh("checked"), ty: Scalar::Bool, value, body: Box::new(then(self)) })
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
