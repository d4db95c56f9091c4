//! Total indices: those that may be evaluated at a place where the program does not evaluate them.
//!
//! A proof that an index is in range assumes that the index was evaluated: then no divisor in it was 0, and nothing
//! overflowed. That is enough to drop the check at the index itself, and to replace the read there. A term that moves
//! to a place where the program may not evaluate it, out of a branch or before a loop, must satisfy more: it panics
//! for no values of its variables.
//!
//! ```text
//! total x, total n            variables have been evaluated, or the place is not in their scope
//! total (a / b)  ⟸  total a, total b, 1 <= b
//! total (a - b)  ⟸  total a, total b, b <= a
//! total (a + b)  ⟸  total a, total b, a + b <= n        n an extent or a count that exists
//! ```
//!
//! Products as sums, remainders as quotients. Proofs about operands may use the facts that total operands imply.

use super::reads::Reads;
use super::uses::LoopId;
use crate::fsmooth::{Expr, Kind};
use crate::mapped::Mapped;
use crate::prim::Prim;
use crate::shape::Shape;
use crate::shape::card::Card;

impl Reads<'_, '_> {
    /// Whether indices of an array of these extents have values in every iteration of the loop `at`.
    pub(crate) fn total(&mut self, indices: &[&Expr], extents: &Shape, at: LoopId) -> bool {
        let Some(loops) = self.loops_around(at) else { return false };
        let mut exist: Vec<Card> = loops.iter().filter_map(|(_, n)| n.clone()).collect_vec();
        self.facts.go_inside(loops);
        // A row has extents if the indices before it have values.
        indices.iter().zip(extents).all(|(i, n)| {
            exist.push(n.clone());
            self.is_total(i, &exist)
        })
    }

    fn is_total(&mut self, e: &Expr, exist: &[Card]) -> bool {
        match e.kind() {
            Kind::Var(_) | Kind::Lit(_) | Kind::Const(_) => true,
            Kind::Len(a, _) => matches!(a.kind(), Kind::Var(_)),
            Kind::Prim(p, args) => args.iter().all(|a| self.is_total(a, exist)) && self.has_result(*p, e, args, exist),
            _ => false,
        }
    }

    /// Whether an operation on total operands does not panic.
    fn has_result(&mut self, p: Prim, e: &Expr, args: &[Expr], exist: &[Card]) -> bool {
        let (value, last) = (self.infer.shape(e).card(), args.last().and_then(|a| self.infer.shape(a).card()));
        match (p, value, last) {
            (Prim::Div | Prim::Rem, _, Some(divisor)) => self.facts.at_least_zero(&divisor.sub(&Card::lit(1))),
            (Prim::Sub, Some(value), _) => self.facts.at_least_zero(&value),
            (Prim::Add | Prim::Mul, Some(value), _) => exist.iter().any(|n| self.facts.at_least_zero(&n.sub(&value))),
            (Prim::Min | Prim::Max | Prim::Through, ..) => true,
            _ => false,
        }
    }
}
