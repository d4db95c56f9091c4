//! Column-major arguments and results: outside the kernel the first index varies fastest, inside everything is
//! row-major.
//!
//! ```text
//! λm. e          ⟶  λmᵗ. let m = (mᵗ)ᵀ in e
//! λx̄. e          ⟶  λx̄. let r = e in rᵀ
//! k e            ⟶  k (eᵀ)          if the parameter of k is column-major
//! ```
//!
//! A transpose that is read element by element is never stored: fusion turns it into an index.

use super::Cx;
use crate::fsmooth::{Expr, build};
use crate::name::VarId;
use crate::span::Origin;
use crate::ty::Type;

impl Cx<'_> {
    /// `aᵀ`: `build n_r (λi₀. … build n₀ (λi_r. a[i_r] … [i₀]))`.
    pub(super) fn transposed(&mut self, a: Expr) -> Expr {
        let (rank, o) = (a.ty().rank(), a.origin());
        let x = self.names.fresh("rows");
        let whole = build::var(x, a.ty().clone(), o);
        let indices: Vec<VarId> = (0..rank).map(|_| self.names.fresh("i")).collect();
        let element = indices.iter().rev().fold(whole.clone(), |t, i| build::get(t, build::var(*i, Type::USIZE, o), o));
        let loops = indices.iter().enumerate().rev();
        let body = loops.fold(element, |e, (k, i)| build::build(build::len(whole.clone(), rank - 1 - k, o), *i, e, o));
        build::bind(x, a, body, o)
    }

    /// A value with the leaves transposed whose flag is set.
    pub(super) fn transposed_leaves(&mut self, e: Expr, flags: &[bool]) -> Expr {
        if !flags.contains(&true) {
            return e;
        }
        let o = e.origin();
        let x = self.names.fresh("result");
        let (whole, mut flags) = (build::var(x, e.ty().clone(), o), flags.iter());
        let transposed = self.transposed_parts(whole, &mut flags, o);
        build::bind(x, e, transposed, o)
    }

    fn transposed_parts(&mut self, e: Expr, flags: &mut std::slice::Iter<'_, bool>, o: Origin) -> Expr {
        match e.ty().clone() {
            Type::Tuple(ts) => {
                let parts =
                    (0..ts.len()).map(|k| self.transposed_parts(build::proj(e.clone(), k, o), flags, o)).collect();
                build::tuple(parts, o)
            }
            _ if flags.next() == Some(&true) => self.transposed(e),
            _ => e,
        }
    }
}
