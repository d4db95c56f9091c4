//! Signatures and written types.

use super::{Parser, extent, has_fn, words};
use crate::diag::codes;
use crate::surface::{Extent, Param, TypeExpr, TypeKind};
use crate::ty::Scalar;
use quote::ToTokens;

impl Parser<'_> {
    pub(super) fn signature(&mut self, sig: &syn::Signature) {
        let name = &sig.ident;
        let qualifiers = [
            sig.asyncness.as_ref().map(|t| (t.to_token_stream(), "`async`")),
            sig.constness.as_ref().map(|t| (t.to_token_stream(), "`const`")),
            sig.abi.as_ref().map(|t| (t.to_token_stream(), "`extern`")),
            sig.variadic.as_ref().map(|t| (t.to_token_stream(), "variadic")),
            Some(sig.safety.to_token_stream()).filter(|t| !t.is_empty()).map(|t| (t, "`unsafe`")),
            sig.generics.lt_token.map(|t| (t.to_token_stream(), "generic")),
            sig.generics.where_clause.as_ref().map(|t| (t.to_token_stream(), "bounded by `where`")),
        ];
        for (tokens, what) in qualifiers.into_iter().flatten() {
            self.reject(&codes::ITEM, &tokens, format!("`{name}` is {what}: such a function cannot be a kernel"));
        }
    }

    pub(super) fn param(&mut self, arg: &syn::FnArg) -> Option<Param> {
        let syn::FnArg::Typed(arg) = arg else {
            self.reject(&codes::ITEM, arg, "`self` is no kernel parameter: kernels are free functions");
            return None;
        };
        self.attrs(&arg.attrs);
        let name = match &*arg.pat {
            syn::Pat::Ident(i) if i.by_ref.is_none() && i.subpat.is_none() => {
                if i.mutability.is_some() {
                    self.reject(
                        &codes::ARGUMENT_MUTATION,
                        i,
                        format!("`{}` is declared `mut`, but arguments are never changed", i.ident),
                    );
                }
                i.ident.clone()
            }
            other => {
                self.reject(&codes::ITEM, other, "a kernel's parameter is a plain name");
                return None;
            }
        };
        Some(Param { name, ty: self.ty(&arg.ty) })
    }

    pub(super) fn attrs(&mut self, attrs: &[syn::Attribute]) {
        for a in attrs {
            self.reject(&codes::ATTRIBUTE, a, "an attribute inside a kernel");
        }
    }

    pub(super) fn ty(&mut self, t: &syn::Type) -> TypeExpr {
        let at = extent(t);
        let kind = match t {
            syn::Type::Paren(t) => return self.ty(&t.elem),
            syn::Type::Group(t) => return self.ty(&t.elem),
            syn::Type::Reference(r) => {
                if r.mutability.is_some() {
                    self.reject(
                        &codes::ARGUMENT_MUTATION,
                        t,
                        "a kernel cannot change an argument: `&mut` has no place in its signature",
                    );
                }
                return self.ty(&r.elem);
            }
            syn::Type::Array(a) => {
                let len = match &a.len {
                    syn::Expr::Infer(_) => None,
                    e => Some(self.expr(e)),
                };
                TypeKind::Array(Box::new(self.ty(&a.elem)), len)
            }
            syn::Type::Slice(s) => TypeKind::Array(Box::new(self.ty(&s.elem)), None),
            syn::Type::Tuple(ts) => TypeKind::Tuple(ts.elems.iter().map(|t| self.ty(t)).collect()),
            syn::Type::Path(p) if p.qself.is_none() => {
                match p.path.get_ident().and_then(|i| Scalar::from_name(&i.to_string())) {
                    Some(s) => TypeKind::Scalar(s),
                    None => return self.no_type(t, at),
                }
            }
            syn::Type::ImplTrait(i) => match self.fn_bound(&i.bounds) {
                Some(kind) => kind,
                None => return self.no_type(t, at),
            },
            _ => return self.no_type(t, at),
        };
        if let TypeKind::Array(elem, _) = &kind {
            let what = match elem.kind {
                TypeKind::Tuple(_) => Some("tuples"),
                TypeKind::Fn(..) => Some("functions"),
                _ => None,
            };
            if let Some(what) = what {
                self.diags.error_between(
                    &codes::PARAM_TYPE,
                    at,
                    format!("an array of {what}: arrays hold numbers, `bool`s or arrays of them"),
                );
            }
        }
        TypeExpr { kind, at }
    }

    pub(super) fn no_type(&mut self, t: &syn::Type, at: Extent) -> TypeExpr {
        let shown = words(t.to_token_stream());
        if self.generics.contains(&shown) {
            return TypeExpr { kind: TypeKind::Scalar(Scalar::F64), at };
        }
        self.diags.error_between(&codes::PARAM_TYPE, at, format!("the language has no type `{shown}`"));
        TypeExpr { kind: TypeKind::Scalar(Scalar::F64), at }
    }

    pub(super) fn fn_bound(
        &mut self,
        bounds: &syn::punctuated::Punctuated<syn::TypeParamBound, syn::Token![+]>,
    ) -> Option<TypeKind> {
        let mut found = None;
        for b in bounds {
            let syn::TypeParamBound::Trait(t) = b else { continue };
            let last = t.path.segments.last()?;
            match &last.arguments {
                syn::PathArguments::Parenthesized(sig) if last.ident == "Fn" => {
                    let params = sig.inputs.iter().map(|a| self.ty(&a.ty)).collect();
                    let syn::ReturnType::Type(_, r) = &sig.output else { return None };
                    let (params, r): (Vec<TypeExpr>, TypeExpr) = (params, self.ty(r));
                    if let Some(f) = params.iter().chain([&r]).find(|t| has_fn(t)) {
                        let message = "a function parameter takes and gives numbers and arrays, no functions";
                        self.diags.error_between(&codes::FUNCTION_VALUE, f.at, message);
                    }
                    found = Some(TypeKind::Fn(params, Box::new(r)));
                }
                _ if last.ident == "Copy" || last.ident == "Clone" => {}
                _ => return None,
            }
        }
        found
    }
}
