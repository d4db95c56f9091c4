//! Reductions of floats that keep source order although the kernel is portable.
//!
//! ```text
//! build m (λj. … sum n (λl. … b[l][j] …))   ⟶   build m (λj. … sum_in_order n (λl. … b[l][j] …))
//! ```
//!
//! where the term reads an array with the reduction's index in an earlier position and the index of a `build` or of a `for`
//! around it in the last one. Adjacent elements then belong to different reductions, so that lanes would gain nothing.

use crate::fsmooth::instantiate::in_source_order;
use crate::fsmooth::{Build, Expr, Kind, Order, Reduce};
use crate::name::VarId;
use crate::sorted::{Map, Set};

/// Gives the reductions with these indices their order, where `loops` are the indices of loops around the term.
pub fn settle(e: &mut Expr, loops: &Set<VarId>, of: &dyn Fn(VarId) -> bool) {
    Orders { builds: vec![], loops, of, names: Map::default() }.walk(e);
}

struct Orders<'l> {
    /// The indices of the builds around the place.
    builds: Vec<VarId>,
    /// The indices of all `for` loops.
    loops: &'l Set<VarId>,
    /// The reductions that are looked at.
    of: &'l dyn Fn(VarId) -> bool,
    /// The `let`s that name a variable or a part of an array.
    names: Map<VarId, Expr>,
}

impl Orders<'_> {
    fn walk(&mut self, e: &mut Expr) {
        if let Kind::Let(x, a, _) = &e.kind
            && matches!(a.kind(), Kind::Var(_) | Kind::Get(..))
        {
            self.names.insert(*x, (**a).clone());
        }
        let depth = self.builds.len();
        if let Kind::Build(Build { index, .. }) = e.kind() {
            self.builds.push(*index);
        }
        e.each_child_mut(&mut |c| self.walk(c));
        self.builds.truncate(depth);
        if let Kind::Reduce(Reduce { index, body, order: Order::Lanes, .. }) = e.kind()
            && (self.of)(*index)
            && self.strides(body, *index)
        {
            in_source_order(e);
        }
    }

    /// Whether adjacent reductions read adjacent elements in a term.
    fn strides(&self, e: &Expr, index: VarId) -> bool {
        if let Kind::Get(..) = e.kind() {
            let mut indices = Vec::new();
            self.indices(e, &mut indices);
            if let Some((last, earlier)) = indices.split_last()
                && last.is_some_and(|v| self.builds.contains(&v) || self.loops.contains(&v))
                && earlier.contains(&Some(index))
            {
                return true;
            }
        }
        e.any_child(&mut |c| self.strides(c, index))
    }

    /// The indices of a read, first to last, as far as they are variables.
    fn indices(&self, e: &Expr, found: &mut Vec<Option<VarId>>) {
        match e.kind() {
            Kind::Get(a, i) => {
                self.indices(a, found);
                found.push(self.variable(i));
            }
            Kind::Var(x) => self.names.get(x).into_iter().for_each(|part| self.indices(part, found)),
            _ => {}
        }
    }

    fn variable(&self, e: &Expr) -> Option<VarId> {
        let Kind::Var(v) = e.kind() else { return None };
        self.names.get(v).map_or(Some(*v), |named| self.variable(named))
    }
}
