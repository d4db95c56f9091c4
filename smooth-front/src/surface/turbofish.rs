//! The generic arguments of a call: `k::<f64, _, 3>(…)`.

use super::TypeParams;
use crate::ty::Scalar;

/// The arguments for the callee's type parameters and those for its sizes, each in order; `None` for `_`.
#[derive(Default)]
pub struct Turbofish<'p> {
    /// The types.
    pub types: Vec<Option<Scalar>>,
    /// The sizes.
    pub sizes: Vec<Option<&'p syn::GenericArgument>>,
}

impl<'p> Turbofish<'p> {
    /// The generic arguments of a path. A written argument shows whether it is a type. For `_` this follows from the position:
    /// `are_types` says of each of the callee's generic parameters whether it is a type.
    pub fn of(path: &'p syn::Path, are_types: &[bool], own: &TypeParams) -> Turbofish<'p> {
        let mut found = Turbofish::default();
        let Some(syn::PathArguments::AngleBracketed(list)) = path.segments.last().map(|s| &s.arguments) else {
            return found;
        };
        for (k, a) in list.args.iter().enumerate() {
            let scalar =
                if let syn::GenericArgument::Type(syn::Type::Path(p)) = a { own.scalar(&p.path) } else { None };
            match a {
                syn::GenericArgument::Type(syn::Type::Infer(_)) if are_types.get(k) == Some(&true) => {
                    found.types.push(None);
                }
                syn::GenericArgument::Type(syn::Type::Infer(_)) => found.sizes.push(None),
                _ if scalar.is_some() => found.types.push(scalar),
                a => found.sizes.push(Some(a)),
            }
        }
        found
    }
}

/// The number or the name that is a size: `3`, `N`, `{ N }`.
pub fn size(a: &syn::GenericArgument) -> Option<syn::Expr> {
    let e = match a {
        syn::GenericArgument::Type(syn::Type::Path(syn::TypePath { attrs, qself, path })) => {
            return Some(syn::Expr::Path(syn::ExprPath {
                attrs: attrs.clone(),
                qself: qself.clone(),
                path: path.clone(),
            }));
        }
        syn::GenericArgument::Const(e) => e,
        _ => return None,
    };
    let e = match e {
        syn::Expr::Block(b) => match b.block.stmts.as_slice() {
            [syn::Stmt::Expr(e, None)] => e,
            _ => return None,
        },
        e => e,
    };
    matches!(e, syn::Expr::Lit(_) | syn::Expr::Path(_)).then(|| e.clone())
}
