//! The boundary forms of a kernel's arguments and result, and the lengths in them.

use super::compiled::Compiled;
use super::types::{Boundary, Length};
use crate::mapped::Mapped;
use crate::surface::layout::Layout;
use crate::surface::{Function, TypeExpr, function_like, key, rust};
use proc_macro2::TokenStream;

/// The boundary forms of arguments and result. `constant` writes a constant.
pub(super) fn boundary(c: &Compiled<'_>, constant: &Constants<'_>) -> (Vec<Boundary>, Boundary) {
    let of = |t: &TypeExpr| Boundary::of(t, &|path| length(c.surface, path, constant));
    let layout = |by_columns: bool, strided: bool| match (by_columns, strided) {
        (true, _) => Layout::Columns,
        (false, true) => Layout::Strided,
        (false, false) => Layout::Rows,
    };
    let arguments = c.kernel.interface.params.iter().filter(|p| p.is_argument());
    let mut arguments = arguments.map(|p| layout(p.column_major, p.strided));
    let mut results = c.companion.column_major.iter().map(|by_columns| layout(*by_columns, false));
    let args = c.surface.params.iter().mapped(|p| of(&p.ty).with_layouts(&mut arguments));
    (args, of(&c.surface.result).with_layouts(&mut results))
}

/// Writes a constant, by its path.
pub(super) type Constants<'a> = dyn Fn(&syn::Path) -> Option<TokenStream> + 'a;

/// The static length that a path denotes: a const generic or a constant.
pub(super) fn length(f: &Function, path: &syn::Path, constant: &Constants<'_>) -> Option<Length> {
    if let Some(name) = path.get_ident() {
        if f.const_generics().into_iter().any(|g| key(g) == key(name)) {
            return Some(Length::Generic(rust::const_name(name)));
        }
        if function_like(path) || f.binds(name) {
            return None;
        }
    }
    constant(path).map(Length::Constant)
}
