//! How often each variable is used, and whether from inside a loop that its binder is outside of.

use crate::fsmooth::{Expr, Kernel, Kind};
use crate::name::VarId;

/// The uses of one variable.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Occ {
    /// Number of occurrences in the text.
    pub count: usize,
    /// Whether one of them is under a loop or function that does not enclose the binder.
    pub in_loop: bool,
    depth: usize,
}

/// The uses of all variables of a kernel, as it was when they were counted.
#[derive(Debug)]
pub(super) struct Occurrences(Vec<Option<Occ>>);

impl Occurrences {
    pub(super) fn of(kernel: &Kernel) -> Self {
        let mut occ = Occurrences(vec![Some(Occ::default()); kernel.names.count()]);
        occ.walk(&kernel.body, 0);
        occ
    }

    /// The uses of `v`; `None` for a variable made since.
    pub(super) fn get(&self, v: VarId) -> Option<Occ> {
        self.0.get(v.0 as usize).copied().flatten()
    }

    fn at(&mut self, v: VarId) -> &mut Occ {
        self.0[v.0 as usize].get_or_insert_default()
    }

    fn walk(&mut self, e: &Expr, depth: usize) {
        if let Kind::Var(v) = e.kind() {
            let occ = self.at(*v);
            occ.count += 1;
            occ.in_loop |= depth > occ.depth;
            return;
        }
        let inner = depth + usize::from(is_loop(e));
        for b in e.binders() {
            self.at(b).depth = inner;
        }
        let children = e.children();
        let last = children.len().wrapping_sub(1);
        for (k, c) in children.into_iter().enumerate() {
            self.walk(c, if k == last { inner } else { depth });
        }
    }
}

/// Whether the last child of a node may be evaluated any number of times.
pub(super) fn is_loop(e: &Expr) -> bool {
    matches!(e.kind(), Kind::Build(..) | Kind::Sum { .. } | Kind::IFold { .. } | Kind::Lam(..))
}
