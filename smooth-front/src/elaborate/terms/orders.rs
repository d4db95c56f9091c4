//! The orders and the names of a kernel's reductions, from its own text, before any callee is inlined.

mod monoids;

use crate::fsmooth::{Expr, orders};
use crate::name::VarId;
use crate::sorted::Set;

/// Gives all reductions of a kernel their order, and their names.
pub(crate) fn settle(body: &mut Expr, loops: &Set<VarId>) {
    monoids::settle(body);
    orders::settle(body, loops, &|_| true);
}
