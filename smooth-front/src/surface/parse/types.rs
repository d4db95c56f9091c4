//! Signatures and written types.

use super::fragments::{inner, inner_type};
use super::{Parser, extent, has_fn, words};
use crate::diag::{codes, hints};
use crate::mapped::Mapped;
use crate::surface::{Expr, ExprKind, Extent, Generic, TypeExpr, TypeKind, TypeParams};
use crate::ty::{Bound, Scalar};
use crate::value::Lit;
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

impl Parser<'_> {
    pub(super) fn signature(&mut self, sig: &syn::Signature) {
        let name = &sig.ident;
        let qualifiers = [
            sig.asyncness.as_ref().map(|t| (t.to_token_stream(), "`async`")),
            sig.constness.as_ref().map(|t| (t.to_token_stream(), "`const`")),
            sig.abi.as_ref().map(|t| (t.to_token_stream(), "`extern`")),
            sig.variadic.as_ref().map(|t| (t.to_token_stream(), "variadic")),
            Some(sig.safety.to_token_stream()).filter(|t| !t.is_empty()).map(|t| (t, "`unsafe`")),
        ];
        for (tokens, qualifier) in qualifiers.into_iter().flatten() {
            let way = match qualifier {
                "`const`" => "remove `const`: a kernel runs at run time; compute a constant with plain Rust",
                "variadic" => "pass the arguments as an array, `&[f64; n]`",
                "`async`" => "remove `async`, and call the kernel from an `async` function",
                "`unsafe`" => "remove `unsafe`: a kernel has nothing unsafe in it",
                _ => "remove `extern`, and call the kernel from an `extern` function",
            };
            self.reject(&codes::ITEM, &tokens, format!("`{name}` is {qualifier}, and a kernel is a plain `fn`\n{way}"));
        }
        if let Some(t) = sig.generics.type_params().find(|t| t.ident == *name) {
            let message = format!(
                "`{name}` is the name of the kernel and of its type parameter: a kernel is a module too, which the type would hide\nrename one of them"
            );
            self.reject(&codes::ITEM, &t.ident, message);
        }
    }

    /// `<T: Real, U: Scalar, const N: usize>`, with bounds in place or in a `where` clause.
    pub(super) fn generics(&mut self, generics: &syn::Generics) {
        let clauses = generics.where_clause.iter().flat_map(|w| &w.predicates);
        let (mut bounds, mut found) = (Vec::new(), Vec::new());
        for clause in clauses {
            match clause {
                syn::WherePredicate::Type(t)
                    if t.lifetimes.is_none()
                        && generics.type_params().any(|p| p.ident == words(t.bounded_ty.to_token_stream())) =>
                {
                    bounds.push((words(t.bounded_ty.to_token_stream()), &t.bounds));
                }
                other => self.reject(&codes::ITEM, other, "bounds are allowed on type parameters only\nwrite bounds such as `T: Real`, and nothing else after `where`"),
            }
        }
        for g in &generics.params {
            match g {
                syn::GenericParam::Const(c) if matches!(&c.ty, syn::Type::Path(p) if p.path.is_ident("usize")) => {
                    found.push(Generic::Const(c.ident.clone()));
                }
                syn::GenericParam::Type(t) => {
                    let behind = bounds.iter().filter(|(name, _)| t.ident == *name).flat_map(|(_, b)| b.iter());
                    let bound = bound(t.bounds.iter().chain(behind));
                    if bound.is_none() {
                        let message = format!(
                            "the type parameter `{}` must be bounded by `Real`, `Number` or `Scalar` and nothing else",
                            t.ident
                        );
                        match t
                            .bounds
                            .iter()
                            .chain(bounds.iter().filter(|(n, _)| t.ident == *n).flat_map(|(_, b)| b.iter()))
                            .find_map(function_bound)
                        {
                            Some(f) => {
                                let help = format!("a function is a parameter of its own type: write `f: impl {f}`");
                                self.helped(&codes::ITEM, t, message, &help);
                            }
                            None => {
                                let help = format!(
                                    "write `{0}: Real` for floats, `{0}: Number` for all numbers, `{0}: Scalar` for `bool` too: these bounds include the operations",
                                    t.ident
                                );
                                self.helped(&codes::ITEM, t, message, &help);
                            }
                        }
                    }
                    // A rejected one has all operations, so that nothing else is reported about it.
                    found.push(Generic::Type(t.ident.clone(), bound.unwrap_or(Bound::Real)));
                }
                syn::GenericParam::Lifetime(l) => self.reject(
                    &codes::ITEM,
                    l,
                    "a lifetime parameter: a kernel returns owned values, so its references need no lifetimes\nremove it: write `&[f64; n]` in place of `&'a [f64; n]`",
                ),
                g => self.reject(
                    &codes::ITEM,
                    g,
                    "this generic parameter is neither a type nor a size\nwrite `T: Real`, `T: Number` or `T: Scalar` for a type, and `const N: usize` for a size",
                ),
            }
        }
        let types = found.iter().filter(|g| matches!(g, Generic::Type(..))).count();
        if types > Scalar::MAX_OPEN {
            let message = format!(
                "{types} type parameters: at most {} are supported\nuse one type parameter for all values of the same type",
                Scalar::MAX_OPEN
            );
            self.reject(&codes::ITEM, generics, message);
            found.retain(|g| matches!(g, Generic::Const(_)));
        }
        self.generics = found;
    }

    /// A written scalar type: one of Rust's, or a type parameter.
    pub(super) fn scalar(&self, path: &syn::Path) -> Option<Scalar> {
        TypeParams::of(&self.generics).scalar(path)
    }

    pub(super) fn ty(&mut self, t: &syn::Type) -> TypeExpr {
        let at = extent(t);
        let kind = match t {
            syn::Type::Paren(t) => return self.ty(&t.elem),
            syn::Type::Group(t) => return self.ty(&t.elem),
            syn::Type::Reference(r) => {
                // An array of references was rejected as such.
                let place = |e: Extent| format!("{:?}", e.0);
                if r.mutability.is_some() && self.diags.iter().all(|d| place(d.span) != place(at)) {
                    self.reject(
                        &codes::PARAM_TYPE,
                        t,
                        "`&mut` inside another type\nan array that a kernel changes is a parameter of its own, as in `y: &mut [f64; n]`",
                    );
                }
                if matches!(inner_type(&r.elem), syn::Type::Tuple(_)) {
                    self.reject(
                        &codes::PARAM_TYPE,
                        t,
                        "a reference to a tuple: only arrays are borrowed\nwrite the tuple without `&`, and borrow the arrays in it, as in `(&[f64; n], f64)`",
                    );
                }
                return self.ty(&r.elem);
            }
            syn::Type::Array(_) | syn::Type::Slice(_) if has_vecs(t) => return self.no_type(t, at),
            syn::Type::Array(a) if let Some(kind) = self.exchanged(a) => kind,
            syn::Type::Array(a) => {
                let len = match inner(&a.len) {
                    syn::Expr::Infer(_) => None,
                    e => Some(self.length(e)),
                };
                TypeKind::Array(Box::new(self.ty(&a.elem)), len)
            }
            syn::Type::Slice(s) => TypeKind::Array(Box::new(self.ty(&s.elem)), None),
            syn::Type::Tuple(ts) => TypeKind::Tuple(ts.elems.iter().mapped(|t| self.ty(t))),
            syn::Type::Path(p) if p.qself.is_none() => match self.scalar(&p.path) {
                Some(s) => TypeKind::Scalar(s),
                None => return self.no_type(t, at),
            },
            syn::Type::ImplTrait(i) => match self.fn_bound(&i.bounds) {
                Some(kind) => kind,
                None => return self.no_type(t, at),
            },
            _ => return self.no_type(t, at),
        };
        if let TypeKind::Array(elem, _) = &kind {
            let elements = match &elem.kind {
                TypeKind::Tuple(ts) if ts.is_empty() => Some("empty tuples"),
                TypeKind::Tuple(_) if has_unit(elem) => Some("tuples with an empty part"),
                _ if has_fn(elem) => Some("functions"),
                _ => None,
            };
            if let Some(elements) = elements {
                self.diags.error_between(
                    &codes::PARAM_TYPE,
                    at,
                    format!("an array of {elements}\narrays hold numbers, `bool`s, tuples or arrays of them"),
                );
            }
        }
        TypeExpr { kind, at }
    }

    /// Rejects `[n; f64]`, and reads it as `[f64; n]`.
    fn exchanged(&mut self, a: &syn::TypeArray) -> Option<TypeKind> {
        let syn::Expr::Path(elem) = inner(&a.len) else { return None };
        let elem = self.scalar(&elem.path)?;
        let (message, length) =
            ("the type of the elements comes first, and the length behind it", words(a.elem.to_token_stream()));
        let length = match inner_type(&a.elem) {
            syn::Type::Path(p) => {
                self.reject(&codes::PARAM_TYPE, a, format!("{message}\nwrite `[{}; {length}]`", elem.name()));
                self.node(ExprKind::Path(p.path.clone()), extent(p))
            }
            _ => {
                self.reject(
                    &codes::PARAM_TYPE,
                    a,
                    format!("{message}\nwrite `[{0}; n]`, and `[[{0}; k]; n]` for rows", elem.name()),
                );
                return Some(TypeKind::Array(Box::new(TypeExpr { kind: TypeKind::Scalar(elem), at: extent(a) }), None));
            }
        };
        Some(TypeKind::Array(Box::new(TypeExpr { kind: TypeKind::Scalar(elem), at: extent(a) }), Some(length)))
    }

    /// The type of a result: of a kernel, or of a function that it takes. In Rust a reference is no new value.
    pub(super) fn result(&mut self, t: &syn::Type) -> TypeExpr {
        if let Some(r) = reference(t) {
            let own = match inner_type(&r.elem) {
                syn::Type::Slice(s) => format!("[{}; _]", words(s.elem.to_token_stream())),
                t => words(t.to_token_stream()),
            };
            let sign = if r.mutability.is_some() { "&mut " } else { "&" };
            let shown = format!("{sign}{}", words(r.elem.to_token_stream()));
            let message = format!("a result of type `{shown}`: what is returned is a value, not a reference");
            self.reject(&codes::PARAM_TYPE, r, format!("{message}\nwrite `{own}`"));
        }
        self.ty(t)
    }

    /// Rejects 128-bit integers in the types of parameters and results.
    pub(super) fn narrow(&mut self, t: &TypeExpr) {
        match &t.kind {
            TypeKind::Scalar(s) if s.is_wide() => {
                let message = format!(
                    "`{0}` is a type for variables inside a kernel, not for what it takes and returns\npass and return the two halves, as in `(x >> 64) as u64` and `x as u64`",
                    s.name()
                );
                self.diags.error_between(&codes::PARAM_TYPE, t.at, message);
            }
            TypeKind::Scalar(_) => {}
            TypeKind::Array(elem, _) => self.narrow(elem),
            TypeKind::Tuple(ts) => ts.iter().for_each(|t| self.narrow(t)),
            TypeKind::Fn(ts, r) => ts.iter().chain([&**r]).for_each(|t| self.narrow(t)),
        }
    }

    /// The length of an array.
    fn length(&mut self, e: &syn::Expr) -> Expr {
        let length = self.expr(e);
        if let ExprKind::Lit(Lit::Int(..), _) = length.kind
            && !matches!(length.kind, ExprKind::Lit(Lit::Int(_, Scalar::Usize), _))
        {
            self.reject(
                &codes::PARAM_TYPE,
                e,
                format!(
                    "the length `{}` is not a `usize`\nwrite a number without a suffix, as in `[f64; 3]`",
                    e.to_token_stream()
                ),
            );
            return self.node(ExprKind::Error, length.at);
        }
        length
    }

    pub(super) fn no_type(&mut self, t: &syn::Type, at: Extent) -> TypeExpr {
        let shown = words(t.to_token_stream());
        let message = format!("the language has no type `{shown}`");
        match hints::type_(&shown) {
            Some(help) => self.diags.helped(&codes::PARAM_TYPE, at, message, &help),
            None => self.diags.error_between(&codes::PARAM_TYPE, at, message),
        }
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
                    let params = sig.inputs.iter().mapped(|a| self.ty(&a.ty));
                    let syn::ReturnType::Type(_, r) = &sig.output else { return None };
                    let (mut params, mut r): (Vec<TypeExpr>, TypeExpr) = (params, self.result(r));
                    for (k, t) in params.iter_mut().chain([&mut r]).filter(|t| has_fn(t)).enumerate() {
                        if k == 0 {
                            let message = "a function parameter takes and returns numbers and arrays, not functions\npass the inner function as a parameter of its own, as in `f: impl Fn(f64) -> f64`";
                            self.diags.error_between(&codes::FUNCTION_VALUE, t.at, message);
                        }
                        // rustc would reject it in the stub, too.
                        t.kind = TypeKind::Scalar(Scalar::F64);
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

/// The first reference in a type of a result.
fn reference(t: &syn::Type) -> Option<&syn::TypeReference> {
    match inner_type(t) {
        syn::Type::Reference(r) => Some(r),
        syn::Type::Tuple(ts) => ts.elems.iter().find_map(reference),
        syn::Type::Array(a) => reference(&a.elem),
        syn::Type::Slice(s) => reference(&s.elem),
        _ => None,
    }
}

/// `Fn(f64) -> f64` among bounds.
fn function_bound(b: &syn::TypeParamBound) -> Option<String> {
    let syn::TypeParamBound::Trait(t) = b else { return None };
    let last = t.path.segments.last()?;
    let is_function = ["Fn", "FnMut", "FnOnce"].iter().any(|name| last.ident == name);
    is_function.then(|| format!("Fn{}", words(last.arguments.to_token_stream())))
}

/// The bound of a type parameter: the strongest of those that are written, which has the others, `Copy` and `Clone` as
/// supertraits.
fn bound<'b>(bounds: impl Iterator<Item = &'b syn::TypeParamBound>) -> Option<Bound> {
    let mut found = None;
    for b in bounds {
        let syn::TypeParamBound::Trait(t) = b else { return None };
        let name = t.path.segments.last()?.ident.to_string();
        match Bound::from_name(&name) {
            Some(b) => found = found.max(Some(b)),
            None if name == "Copy" || name == "Clone" => {}
            None => return None,
        }
    }
    found
}

/// The bounds of all type parameters, as predicates of a `where` clause.
pub(super) fn bounds(generics: &syn::Generics) -> TokenStream {
    let named = generics.type_params().filter(|t| !t.bounds.is_empty()).map(|t| {
        let (name, bounds) = (&t.ident, &t.bounds);
        quote!(#name: #bounds)
    });
    let behind = generics.where_clause.iter().flat_map(|w| &w.predicates).map(ToTokens::to_token_stream);
    let all = named.chain(behind);
    quote!(#(#all),*)
}

/// Whether the elements of an array, at any depth, are `Vec`s: then the type is an array of arrays.
fn has_vecs(t: &syn::Type) -> bool {
    match inner_type(t) {
        syn::Type::Array(syn::TypeArray { elem, .. }) | syn::Type::Slice(syn::TypeSlice { elem, .. }) => has_vecs(elem),
        syn::Type::Path(p) => p.path.segments.last().is_some_and(|s| s.ident == "Vec"),
        _ => false,
    }
}

/// Whether a part of a tuple, at any depth, is an empty tuple.
fn has_unit(t: &TypeExpr) -> bool {
    matches!(&t.kind, TypeKind::Tuple(ts) if ts.is_empty() || ts.iter().any(has_unit))
}
