//! Closures, functions as arguments, calls.

use super::convert::converted;
use super::kernels::borrowed;
use super::{Reference, places, unelaborated};
use crate::mapped::Mapped;
use crate::surface::rust::hidden;
use crate::surface::{Closure, Expr, ExprKind, axes, builtin, functions, has_axes, key, number_function};
use crate::ty::{Scalar, Type};
use proc_macro2::{Ident, TokenStream};
use quote::{quote, quote_spanned};

impl Reference<'_> {
    pub(super) fn closure(&mut self, c: &Closure, types: &[Type]) -> TokenStream {
        let depth = self.bound.len();
        let params: Vec<TokenStream> = c.params.iter().zip(types).mapped(|(p, t)| {
            let (p, t) = (self.bind(p), self.rust_type(t));
            quote!(#p: #t)
        });
        let body = self.owned(&c.body);
        self.leave(depth);
        quote_spanned!(places::at(&c.body)=> |#(#params),*| #body)
    }

    /// A function as an argument: a closure, a variable, or a kernel's name.
    pub(super) fn function(&mut self, f: &Expr) -> TokenStream {
        let rt = self.rt;
        match &f.kind {
            ExprKind::Closure(c) => {
                let types = self.closure_types(f);
                self.closure(c, &types)
            }
            ExprKind::Same(f) => self.function(f),
            ExprKind::Path(p) if self.is_bound(p) => quote!(&#p),
            ExprKind::Path(p) => {
                let Type::Fn(ps, r) = self.ty(f) else { unelaborated(f) };
                let names: Vec<Ident> = (0..ps.len()).mapped(|k| hidden(&format!("x{k}")));
                let types = ps.iter().map(|t| self.rust_type(t));
                let stored = names.iter().zip(ps).filter(|(_, t)| t.has_records()).map(|(n, t)| {
                    let value = converted(t, &t.stored(), quote!(#n), rt);
                    quote!(let #n = #value;)
                });
                let args = names.iter().zip(ps).map(|(n, t)| borrowed(&t.stored(), quote!(#n)));
                let (callee, sizes) = self.callee(p);
                let args = args.chain(sizes);
                let call = quote!({ #(#stored)* #callee(#(#args),*) });
                let call = if r.has_records() { self.other(&r.stored(), r, call) } else { call };
                quote!(|#(#names: #types),*| #call)
            }
            _ => unelaborated(f),
        }
    }

    /// A function of this type, from one of another type that is the same in F̃.
    pub(super) fn adapted(&self, to: &Type, from: &Type, function: TokenStream) -> TokenStream {
        let (Type::Fn(ps, r), Type::Fn(qs, s)) = (to, from) else { return function };
        let names: Vec<Ident> = (0..ps.len()).mapped(|k| hidden(&format!("x{k}")));
        let types = ps.iter().map(|t| self.rust_type(t));
        let given = names.iter().zip(ps.iter().zip(qs)).map(|(n, (p, q))| match p == q {
            true => quote!(#n),
            false => converted(p, q, quote!(#n), self.rt),
        });
        let call = quote!(__function(#(#given),*));
        let call = if r == s { call } else { self.other(s, r, call) };
        quote!({ let __function = #function; move |#(#names: #types),*| #call })
    }

    pub(super) fn call(&mut self, e: &Expr, f: &Expr, args: &[Expr]) -> TokenStream {
        let rt = self.rt;
        let ExprKind::Path(path) = &f.kind else { unelaborated(f) };
        if self.is_bound(path) {
            let args = args.iter().mapped(|a| self.owned(a));
            return quote!(#path(#(#args),*));
        }
        if let Some((ty, name)) = number_function(path) {
            // A constant has no type of its own here: Rust knows it.
            let from = args.first().and_then(|a| self.types.exprs.get(&a.id)).map(Type::expect_scalar);
            let args = args.iter().mapped(|a| self.owned(a));
            let of_rust = from.map_or(ty.is_int(), |s| s == Scalar::Bool);
            let ty = rt.scalar(ty);
            match name.as_str() {
                "from" if of_rust => {
                    return quote_spanned!(e.at.0=> {
                        let __from: #ty = ::core::convert::From::from(#(#args)*);
                        __from
                    });
                }
                "from" if from.is_some_and(Scalar::is_open) => return quote!(#rt::math::cast::<#ty, _>(#(#args)*)),
                "from" => return quote!((#(#args)* as #ty)),
                _ => {}
            }
            return self.method(&name, &args, e.at.0);
        }
        let is_function = |i: &Ident| {
            let last = args.last().and_then(|a| self.types.exprs.get(&a.id));
            self.bound.contains(&key(i)).then(|| last.is_some_and(Type::is_fn))
        };
        match builtin(path, args, is_function).as_deref() {
            Some("build") => {
                let ns = axes(&args[0]).iter().mapped(|n| self.owned(n));
                let (n_names, i_names): (Vec<Ident>, Vec<Ident>) =
                    (0..ns.len()).map(|k| (hidden(&format!("n{k}")), hidden(&format!("i{k}")))).unzip();
                let f = self.function(&args[1]);
                let body = n_names.iter().zip(&i_names).rev().fold(
                    quote!(__f(#(#i_names),*)),
                    |body, (n, i)| quote!(#rt::reference::build(#n, |#i: ::core::primitive::usize| #body)),
                );
                quote!({ #(let #n_names: ::core::primitive::usize = #ns;)* let __f = #f; #body })
            }
            Some("stop_gradient") => self.owned(&args[0]),
            Some(name @ ("scan" | "scan_exclusive")) => self.scan(name, &args[0], &args[1], &args[2]),
            Some(name) if has_axes(name) => self.reduction(name, args, e.at.0),
            Some(name) => {
                let first = args.len() - functions(name);
                let values = args[..first].iter().mapped(|v| self.owned(v));
                let functions = args[first..].iter().mapped(|f| self.function(f));
                self.helper(name, quote!(#(#values,)* #(#functions),*), e.at.0)
            }
            _ => {
                let call = self.kernel(path, args);
                let ty = self.types.conversions.get(&e.id).unwrap_or_else(|| self.ty(e));
                if ty.has_records() { self.other(&ty.stored(), ty, call) } else { call }
            }
        }
    }
}
