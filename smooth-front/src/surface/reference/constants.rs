//! Constants of the user's: they are Rust's own values, numbers and arrays, where all other arrays are vectors.

use super::Reference;
use crate::surface::rust::Runtime;
use crate::surface::{Expr, ExprKind};
use crate::ty::Type;
use proc_macro2::TokenStream;
use quote::quote;

impl Reference<'_> {
    /// A constant of the user's, with its type ascribed: if the type is wrong, rustc points at the name alone, and drops the
    /// error as a duplicate of the one for `Body::C0`.
    pub(super) fn constant(&self, path: &syn::Path, e: &Expr) -> TokenStream {
        // A const generic is a variable here, and may not occur in a `const`.
        let generic = path.get_ident().is_some_and(|i| self.is_generic(i));
        let path = self.path(path);
        match self.types.exprs.get(&e.id).and_then(Type::scalar) {
            Some(s) if !generic => {
                let ty = self.rt.scalar(s);
                quote!({ const __SMOOTH_CONSTANT: #ty = #path; __SMOOTH_CONSTANT })
            }
            _ => path,
        }
    }

    /// Whether an array or a tuple is a constant or part of one, which consists of arrays and not of vectors.
    pub(super) fn is_constant(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Path(p) => {
                let several = |t: &Type| t.is_array() || matches!(t, Type::Tuple(_));
                !self.is_bound(p) && self.types.exprs.get(&e.id).is_some_and(several)
            }
            ExprKind::Index(a, _) | ExprKind::Field(a, _) | ExprKind::Same(a) | ExprKind::OfLength(a, _) => {
                self.is_constant(a)
            }
            ExprKind::Block(stmts, last) => stmts.is_empty() && self.is_constant(last),
            _ => false,
        }
    }
}

/// Whether it consists of tuples that have arrays in them.
pub(super) fn mixed(t: &Type) -> bool {
    match t {
        Type::Tuple(ts) | Type::Records(ts, _) => ts.iter().any(|t| t.is_array() || mixed(t)),
        _ => false,
    }
}

/// A constant array as nested vectors.
pub(super) fn vectors(rt: &Runtime, place: &TokenStream, rank: usize) -> TokenStream {
    match rank {
        0 | 1 => quote!(#place.to_vec()),
        rank => {
            let row = vectors(rt, &quote!((*__row)), rank - 1);
            quote!(#rt::reference::rows(&#place[..], |__row| #row))
        }
    }
}
