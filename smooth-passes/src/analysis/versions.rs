//! Arrays that a later version replaces: updates and folds write over them if they are dead by then.
//!
//! A read of such an array must not move after the update. The old version would be alive there, and have to be copied.

use crate::fsmooth::{Expr, Kernel, Kind};
use crate::name::VarId;
use crate::shape::{self, Param};
use crate::sorted::Set;

/// An array: a variable, or a component of one.
type Path = (VarId, Vec<usize>);

/// The arrays that later versions may replace.
#[derive(Default, Debug)]
pub(crate) struct Versions {
    replaced: Set<Path>,
}

impl Versions {
    /// The arrays of a kernel that occur as a whole. None in a kernel that updates nothing.
    pub(crate) fn of(kernel: &Kernel) -> Versions {
        let mut v = Versions::default();
        let in_out = |params: &[Param]| shape::in_out(params) > 0;
        let updates = |e: &Expr| match e.kind() {
            Kind::Update(_) => true,
            Kind::Call(k, _) => in_out(&kernel.interface.callees[*k].params),
            _ => false,
        };
        if in_out(&kernel.interface.params) || kernel.body.count(updates) > 0 {
            v.occurs(&kernel.body);
            // A parameter that is borrowed by `&` is never overwritten.
            v.replaced.retain(|(x, _)| kernel.interface.params.iter().all(|p| p.var != *x || p.in_out));
        }
        v
    }

    fn occurs(&mut self, e: &Expr) {
        match e.kind() {
            Kind::Get(..) | Kind::Len(..) | Kind::Slice(..) => e.each_child(&mut |c| {
                if path(c).is_none() {
                    self.occurs(c);
                }
            }),
            _ => match path(e) {
                Some(p) if e.ty().scalar().is_none() => drop(self.replaced.insert(p)),
                Some(_) => {}
                None => e.each_child(&mut |c| self.occurs(c)),
            },
        }
    }

    /// Whether a term reads an array that a later version may replace.
    pub(crate) fn are_read_by(&self, e: &Expr) -> bool {
        !self.replaced.is_empty() && self.reads(e)
    }

    fn reads(&self, e: &Expr) -> bool {
        match path(e) {
            Some((x, at)) => {
                let part = |p: &&Path| p.0 == x && (p.1.starts_with(&at) || at.starts_with(&p.1));
                e.ty().scalar().is_none() && self.replaced.iter().any(|p| part(&p))
            }
            None => e.any_child(&mut |c| self.reads(c)),
        }
    }
}

/// `x.k.l`.
fn path(e: &Expr) -> Option<Path> {
    match e.kind() {
        Kind::Var(v) => Some((*v, vec![])),
        Kind::Proj(a, k) => {
            let (x, mut at) = path(a)?;
            at.push(*k);
            Some((x, at))
        }
        _ => None,
    }
}
