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

use crate::diag::codes;
use crate::elaborate::context::Cx;
use crate::fsmooth::{Expr, build};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::span::Origin;
use crate::surface::layout::{Layouts, destinations, ranks};
use crate::surface::{Function, Param, key, plain};
use crate::ty::Type;
use proc_macro2::Ident;

impl Cx<'_> {
    /// Reports names in layouts that are not names of arrays, or of arrays that cannot have the layout.
    pub(crate) fn check_layouts(&mut self, f: &Function, layouts: &Layouts) {
        let is_result = |c: &Ident| destinations(f).iter().any(|n| *n == plain(c));
        for c in &layouts.column_major {
            if !is_result(c) && !f.binds(c) {
                let message = format!("`{c}` is neither a parameter nor a destination");
                let own = destinations(f).iter().mapped(|d| format!("`{d}`"));
                let help = match own.as_slice() {
                    [] => "write the name of a parameter: the result is not an array".into(),
                    own => format!("write the name of a parameter, or {} for the result", own.join(" or ")),
                };
                self.helped(&codes::OPTION, (c.span(), c.span()), message, &help);
            }
        }
        for c in &layouts.strided {
            let parts = f.params.iter().flat_map(|p| p.parts().into_iter().map(move |part| (p, part)));
            let named = parts.filter(|(_, (name, _))| name.is_some_and(|name| key(name) == key(c)));
            let (message, help) = match named.map(|(p, (_, ty))| (p, ranks(ty))).next() {
                None if is_result(c) => (
                    format!("the destination `{c}` cannot be strided: a kernel writes contiguous arrays"),
                    "write to an array, and copy from it; `column_major(out)` stores a result by columns".into(),
                ),
                None => (format!("there is no parameter `{c}`"), "`strided` takes names of parameters".into()),
                Some((Param { in_out: true, .. }, _)) => (
                    format!("`{c}` is `&mut`, and cannot be strided: a kernel writes contiguous arrays"),
                    format!("take it by `&`, and return what changes; or do not declare `{c}` strided"),
                ),
                Some((_, ranks)) if ranks.iter().all(|r| *r == 0) => {
                    (format!("`{c}` is not an array, so it has no strides"), format!("do not declare `{c}` strided"))
                }
                Some(_) if layouts.column_major.iter().any(|d| key(d) == key(c)) => (
                    format!("`{c}` is declared column-major and strided"),
                    "a strided parameter takes column-major arrays, too: remove it from `column_major`".into(),
                ),
                Some(_) => continue,
            };
            self.helped(&codes::OPTION, (c.span(), c.span()), message, &help);
        }
    }

    /// `aᵀ`: `build n_r (λi₀. … build n₀ (λi_r. a[i_r] … [i₀]))`.
    pub(crate) fn transposed(&mut self, a: Expr) -> Expr {
        let (rank, o) = (a.ty().rank(), a.origin());
        let x = self.names.fresh("rows");
        let whole = build::var(x, a.ty().clone(), o);
        let indices: Vec<VarId> = (0..rank).mapped(|_| self.names.fresh("i"));
        let element = indices.iter().rev().fold(whole.clone(), |t, i| build::get(t, build::var(*i, Type::USIZE, o), o));
        let loops = indices.iter().enumerate().rev();
        let body = loops.fold(element, |e, (k, i)| build::build(build::len(whole.clone(), rank - 1 - k, o), *i, e, o));
        build::bind(x, a, body, o)
    }

    /// A value with the leaves transposed whose flag is set.
    pub(crate) fn transposed_leaves(&mut self, e: Expr, flags: &[bool]) -> Expr {
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
                let parts = (0..ts.len()).mapped(|k| self.transposed_parts(build::proj(e.clone(), k, o), flags, o));
                build::tuple(parts, o)
            }
            _ if flags.next() == Some(&true) => self.transposed(e),
            _ => e,
        }
    }
}
