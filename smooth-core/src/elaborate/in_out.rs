//! In-out parameters: the kernel computes its result and the last value of each of them.
//!
//! ```text
//! λx̄ ȳ. e   ⟶   λx̄ ȳ. (e, ȳ′)        ȳ′: the variables ȳ after e; without a result only these, and one is no tuple
//! ```

use super::scope::{Binding, Scope};
use super::{Cx, WrittenShape};
use crate::fsmooth::{Expr, build};
use crate::shape::{Dim, Param};
use crate::span::Origin;
use crate::surface::Function;
use crate::ty::Type;

impl Cx<'_> {
    /// The body of a kernel whose result is `result`, in the scope after it.
    pub(super) fn with_last_values(&self, f: &Function, result: Expr, after: &Scope) -> Expr {
        let o = result.origin();
        let names = f.params.iter().filter(|p| p.in_out).flat_map(|p| p.pattern.names());
        let last = names.filter_map(|name| match after.find(name) {
            Some(Binding::Var(v, ty)) => Some(build::var(v, ty, o)),
            _ => None,
        });
        let last: Vec<Expr> = last.collect();
        if last.is_empty() { result } else { joined(result, last, o) }
    }
}

/// The result and the last values.
fn joined(result: Expr, last: Vec<Expr>, o: Origin) -> Expr {
    let result = (*result.ty() != Type::Tuple(vec![])).then_some(result);
    let mut all: Vec<Expr> = result.into_iter().chain(last).collect();
    if all.len() == 1 { all.remove(0) } else { build::tuple(all, o) }
}

/// The shapes that the last values must have: those of the arguments, as they are stored.
pub(super) fn written_shapes(params: &[Param], o: Origin) -> Vec<WrittenShape> {
    let extent = |p: &Param, axis: usize| match &p.dims()[axis] {
        Dim::Lit(n) => build::index(*n, o),
        Dim::Size(v) | Dim::Param(v) => build::var(*v, Type::USIZE, o),
        Dim::Anon => build::len(build::var(p.var, p.ty(), o), axis, o),
    };
    let shape = |p: &Param| (0..p.dims().len()).map(|axis| Some(extent(p, axis))).collect();
    params.iter().filter(|p| p.in_out).map(shape).collect()
}
