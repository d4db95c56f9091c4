//! Surface → plain Rust on nested `Vec`s: the oracle. Slow and obvious; shares no line with the passes.
//!
//! Every variable owns its value, every use of an array clones it. The user's own identifiers are kept,
//! so that Rust's name resolution and hygiene decide what they mean.

mod kernels;

use super::rust::{float, scalar, size_name};
use super::{Closure, Expr, ExprKind, Function, Pattern, Stmt, TypeExpr, TypeKind, float_function, function_like, key};
use crate::prim::{Prim, Spelling};
use crate::ty::{Scalar, Type};
use crate::value::Lit;
use kernels::borrowed;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote};
use std::collections::BTreeMap;

/// The types that elaboration found.
#[derive(Clone, Copy)]
pub struct Types<'a> {
    /// Of expressions.
    pub exprs: &'a BTreeMap<usize, Type>,
    /// Of closure parameters, by the closure's number.
    pub closures: &'a BTreeMap<usize, Vec<Type>>,
    /// The kernel's type parameters.
    pub reals: &'a [String],
    /// The const generics that no argument tells, which are parameters.
    pub own_not_inferable: &'a [String],
    /// For each callee by its path, which of its const generics no argument tells.
    pub not_inferable: &'a [(String, Vec<usize>)],
}

/// The body of `f::reference`.
pub fn reference(f: &Function, types: Types<'_>, rt: &TokenStream) -> TokenStream {
    let mut r = Reference {
        types,
        rt,
        bound: super::BoundNames::default(),
        generics: f.const_generics().into_iter().map(key).collect(),
    };
    let told = |i: &&Ident| !types.own_not_inferable.contains(&key(i));
    let generics: Vec<Ident> = f.const_generics().into_iter().filter(told).cloned().collect();
    let mut lets = TokenStream::new();
    let mut sizes: Vec<String> = Vec::new();
    for p in &f.params {
        let name = &p.name;
        r.sizes(&p.ty, quote!(#name), f, &generics, &mut sizes, &mut lets);
    }
    r.bound.extend(sizes);
    for p in &f.params {
        let (attrs, pattern, value) = (&p.attrs, r.bind(&p.pattern), to_owned(&p.ty, p.name.to_token_stream()));
        let by_value = matches!(p.ty.kind, TypeKind::Scalar(_) | TypeKind::Fn(..));
        if by_value && attrs.is_empty() && matches!(p.pattern, Pattern::Name(Some(_), ..)) {
            continue;
        }
        // An argument that is there for its size alone is no unused one, unless the user expects it to be.
        let parts = p.parts().into_iter().filter(|_| attrs.is_empty());
        let sized = parts.filter(|(_, t)| !super::inferable_sizes(t, &generics, false).is_empty());
        let sized = sized.filter_map(|(name, _)| name);
        lets.extend(quote!(#(#attrs)* let #pattern = #value; #(let _ = &#sized;)*));
    }
    let body = r.owned(&f.body);
    quote!(#lets #body)
}

/// An argument as a value of the reference's own.
fn to_owned(t: &TypeExpr, place: TokenStream) -> TokenStream {
    match &t.kind {
        TypeKind::Array(..) => quote!(#place.to_vec()),
        TypeKind::Tuple(ts) => {
            let parts = ts.iter().enumerate().map(|(k, t)| {
                let k = Literal::usize_unsuffixed(k);
                to_owned(t, quote!(#place.#k))
            });
            quote!((#(#parts,)*))
        }
        _ => place,
    }
}

struct Reference<'a> {
    types: Types<'a>,
    rt: &'a TokenStream,
    bound: super::BoundNames,
    /// The const generics.
    generics: Vec<String>,
}

impl Reference<'_> {
    fn ty(&self, e: &Expr) -> Type {
        self.types.exprs.get(&e.id).cloned().unwrap_or(Type::F64)
    }

    fn rust_type(&self, t: &Type) -> TokenStream {
        let rt = self.rt;
        match t {
            Type::Scalar(s) => scalar(*s),
            Type::Array(s, rank) => (0..*rank).fold(scalar(*s), |t, _| quote!(#rt::Vec<#t>)),
            Type::Tuple(ts) => {
                let ts = ts.iter().map(|t| self.rust_type(t));
                quote!((#(#ts,)*))
            }
            Type::Fn(..) => quote!(_),
        }
    }

    /// `let n = a.len();` for each size that an argument at `place` tells first.
    fn sizes(
        &self,
        t: &TypeExpr,
        place: TokenStream,
        f: &Function,
        generics: &[Ident],
        told: &mut Vec<String>,
        lets: &mut TokenStream,
    ) {
        if let TypeKind::Tuple(ts) = &t.kind {
            for (k, t) in ts.iter().enumerate() {
                let k = Literal::usize_unsuffixed(k);
                self.sizes(t, quote!(#place.#k), f, generics, told, lets);
            }
        }
        let (mut t, mut depth) = (t, 0usize);
        while let TypeKind::Array(elem, len) = &t.kind {
            if let Some(ExprKind::Path(path)) = len.as_ref().map(|e| &e.kind)
                && let Some(size) = path.get_ident()
                && (function_like(path) || generics.iter().any(|g| key(g) == key(size)))
                && !f.binds(size)
                && !told.contains(&key(size))
            {
                let inner = (1..depth).fold(quote!(#place.first()), |t, _| quote!(#t.and_then(|row| row.first())));
                let value = if depth == 0 { quote!(#place.len()) } else { quote!(#inner.map_or(0, |row| row.len())) };
                let name = self.size(size);
                lets.extend(quote!(let #name: ::core::primitive::usize = #value; let _ = #name;));
                told.push(key(size));
            }
            (t, depth) = (elem, depth + 1);
        }
    }

    /// What a size is called.
    fn size(&self, ident: &Ident) -> Ident {
        if self.generics.contains(&key(ident)) { size_name(ident) } else { ident.clone() }
    }

    /// A name of the user's.
    fn path(&self, path: &syn::Path) -> TokenStream {
        match path.get_ident() {
            Some(i) if self.generics.contains(&key(i)) => size_name(i).to_token_stream(),
            _ => path.to_token_stream(),
        }
    }

    /// A constant of the user's. One of another type is an error on its name alone, not on all around it; and once, since
    /// rustc prints an error that says the same as the kernel's (`Body::C0`) one time.
    fn constant(&self, path: &syn::Path, e: &Expr) -> TokenStream {
        // A const generic that no argument tells is a parameter here.
        let generic = path.get_ident().is_some_and(|i| self.generics.contains(&key(i)));
        let path = self.path(path);
        match self.types.exprs.get(&e.id).and_then(Type::scalar) {
            Some(s) if !generic => {
                let ty = scalar(s);
                quote!({ const __SMOOTH_CONSTANT: #ty = #path; __SMOOTH_CONSTANT })
            }
            _ => path,
        }
    }

    fn is_bound(&self, path: &syn::Path) -> bool {
        path.get_ident().is_some_and(|i| self.bound.contains(&key(i)))
    }

    fn bind(&mut self, p: &Pattern) -> TokenStream {
        match p {
            Pattern::Name(Some(i), ..) => {
                self.bound.push(key(i));
                quote!(#i)
            }
            Pattern::Name(None, ..) => quote!(_),
            Pattern::Tuple(ps, _) => {
                let ps: Vec<_> = ps.iter().map(|p| self.bind(p)).collect();
                quote!((#(#ps,)*))
            }
        }
    }

    /// A copy of a value that is somewhere.
    fn copied(&self, e: &Expr, place: TokenStream) -> TokenStream {
        if self.ty(e).scalar().is_some() { place } else { quote!(::core::clone::Clone::clone(&#place)) }
    }

    /// Something to index or borrow.
    fn place(&mut self, e: &Expr) -> TokenStream {
        match &e.kind {
            ExprKind::Path(p) if self.is_bound(p) => self.path(p),
            ExprKind::Same(a) => self.place(a),
            ExprKind::Index(a, i) => {
                let (a, i) = (self.place(a), self.owned(i));
                quote!(#a[#i])
            }
            ExprKind::Field(a, k) => {
                let (a, k) = (self.place(a), Literal::usize_unsuffixed(*k));
                quote!(#a.#k)
            }
            ExprKind::Block(stmts, last) if stmts.is_empty() => self.place(last),
            _ => {
                let e = self.owned(e);
                quote!((#e))
            }
        }
    }

    /// A value of its own.
    fn owned(&mut self, e: &Expr) -> TokenStream {
        let rt = self.rt;
        match &e.kind {
            ExprKind::Lit(l, _) => self.literal(*l, e),
            ExprKind::Decimal(digits) => {
                let s = self.ty(e).scalar().unwrap_or(Scalar::F64);
                super::decimal(digits, s).map_or(quote!(()), |l| self.literal(l, e))
            }
            ExprKind::Path(p) if self.is_bound(p) => self.copied(e, self.path(p)),
            ExprKind::Path(p) => match super::consts::std_constant(p) {
                Some(l) => self.literal(l, e),
                None => self.constant(p, e),
            },
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.owned(a), self.owned(b));
                let op: TokenStream = op.parse().unwrap_or_default();
                quote!((#a #op #b))
            }
            ExprKind::Unary("neg", a) => {
                let a = self.owned(a);
                quote!((-#a))
            }
            ExprKind::Unary(_, a) => {
                let a = self.owned(a);
                quote!((!#a))
            }
            ExprKind::Same(a) => self.owned(a),
            ExprKind::Call(f, args) => self.call(f, args),
            ExprKind::Method(a, m, args) => {
                if m == "len" {
                    let a = self.place(a);
                    return quote!(#a.len());
                }
                let all: Vec<TokenStream> = std::iter::once(&**a).chain(args).map(|a| self.owned(a)).collect();
                self.method(&m.to_string(), &all)
            }
            ExprKind::Index(..) | ExprKind::Field(..) => {
                let place = self.place(e);
                self.copied(e, place)
            }
            ExprKind::Slice(a, s, t) => {
                let a = self.place(a);
                let s = s.as_ref().map_or(quote!(0), |s| self.owned(s));
                let t = t.as_ref().map_or(quote!(array.len()), |t| self.owned(t));
                quote!({ let array = &#a; #rt::reference::slice(array, (#s)..(#t)) })
            }
            ExprKind::Array(es) => {
                let es: Vec<_> = es.iter().map(|e| self.owned(e)).collect();
                quote!(#rt::Vec::from([#(#es),*]))
            }
            ExprKind::Repeat(x, n) => {
                let (x, n) = (self.owned(x), self.owned(n));
                quote!(#rt::reference::fill(#x, #n))
            }
            ExprKind::Tuple(es) => {
                let es: Vec<_> = es.iter().map(|e| self.owned(e)).collect();
                quote!((#(#es,)*))
            }
            ExprKind::Cast(a, to) => {
                let constant = !self.types.exprs.contains_key(&a.id);
                let from = self.ty(a).scalar().unwrap_or(*to);
                let (a, ty) = (self.owned(a), scalar(*to));
                match (from, *to) {
                    (_, Scalar::Real(_)) if constant => {
                        let double = scalar(Scalar::F64);
                        quote!(#rt::math::to_real::<#ty, _>(#a as #double))
                    }
                    (Scalar::Real(_), to) if from == to => a,
                    (_, Scalar::Real(_)) => quote!(#rt::math::to_real::<#ty, _>(#a)),
                    (Scalar::Real(_), _) => quote!((#rt::math::to_f64(#a) as #ty)),
                    _ => quote!((#a as #ty)),
                }
            }
            ExprKind::If(c, a, b) => {
                let (c, a, b) = (self.owned(c), self.owned(a), self.owned(b));
                quote!(if #c { #a } else { #b })
            }
            ExprKind::Block(stmts, last) => {
                let depth = self.bound.len();
                let mut out = TokenStream::new();
                for Stmt::Let(p, value) in stmts {
                    if let ExprKind::Closure(c) = &value.kind {
                        let Some(types) = self.types.closures.get(&value.id).cloned() else { continue };
                        let value = self.closure(c, &types);
                        let p = self.bind(p);
                        out.extend(quote!(let #p = #value;));
                        continue;
                    }
                    let value = self.owned(value);
                    let p = self.bind(p);
                    out.extend(quote!(let #p = #value;));
                }
                let last = self.owned(last);
                self.bound.truncate(depth);
                quote!({ #out #last })
            }
            ExprKind::Closure(_) | ExprKind::Error => quote!(::core::unreachable!()),
        }
    }

    fn literal(&self, l: Lit, e: &Expr) -> TokenStream {
        match (l, self.ty(e)) {
            (Lit::Int(n, _), t) => {
                let suffix = t.scalar().filter(|s| s.is_int()).unwrap_or(Scalar::Usize).name();
                format!("{n}{suffix}").parse().unwrap_or_default()
            }
            (Lit::Float(bits, _), t) => {
                let rt = self.rt;
                float(f64::from_bits(bits), t.scalar().unwrap_or(Scalar::F64), rt)
            }
            (Lit::Bool(b), _) => quote!(#b),
        }
    }

    fn method(&self, name: &str, args: &[TokenStream]) -> TokenStream {
        let rt = self.rt;
        if name == "sin_cos" {
            let x = &args[0];
            return quote!({ let angle = #x; (#rt::math::sin(angle), #rt::math::cos(angle)) });
        }
        let known = Prim::find(Spelling::Method, name).map_or("sqrt", Prim::name);
        let name = Ident::new(known, Span::mixed_site());
        quote!(#rt::math::#name(#(#args),*))
    }

    fn closure(&mut self, c: &Closure, types: &[Type]) -> TokenStream {
        let depth = self.bound.len();
        let params: Vec<TokenStream> = c
            .params
            .iter()
            .zip(types)
            .map(|(p, t)| {
                let (p, t) = (self.bind(p), self.rust_type(t));
                quote!(#p: #t)
            })
            .collect();
        let body = self.owned(&c.body);
        self.bound.truncate(depth);
        quote!(|#(#params),*| #body)
    }

    /// A function argument: a closure, a variable, or a kernel's name.
    fn function(&mut self, f: &Expr) -> TokenStream {
        match &f.kind {
            ExprKind::Closure(c) => {
                let types = self.types.closures.get(&f.id).cloned().unwrap_or_default();
                self.closure(c, &types)
            }
            ExprKind::Same(f) => self.function(f),
            ExprKind::Path(p) if self.is_bound(p) => quote!(&#p),
            ExprKind::Path(p) => {
                let Type::Fn(ps, _) = self.ty(f) else { return quote!(#p::__reference) };
                let names: Vec<Ident> =
                    (0..ps.len()).map(|k| Ident::new(&format!("x{k}"), Span::mixed_site())).collect();
                let types = ps.iter().map(|t| self.rust_type(t));
                let args = names.iter().zip(&ps).map(|(n, t)| borrowed(t, quote!(#n)));
                quote!(|#(#names: #types),*| #p::__reference(#(#args),*))
            }
            _ => quote!(()),
        }
    }

    fn call(&mut self, f: &Expr, args: &[Expr]) -> TokenStream {
        let rt = self.rt;
        let ExprKind::Path(path) = &f.kind else { return quote!(()) };
        if self.is_bound(path) {
            let args: Vec<_> = args
                .iter()
                .map(|a| {
                    if self.ty(a).is_fn() || matches!(a.kind, ExprKind::Closure(_)) {
                        self.function(a)
                    } else {
                        self.owned(a)
                    }
                })
                .collect();
            return quote!(#path(#(#args),*));
        }
        if let Some(name) = float_function(path) {
            let args: Vec<_> = args.iter().map(|a| self.owned(a)).collect();
            return self.method(&name, &args);
        }
        match path.get_ident().map(ToString::to_string).as_deref() {
            Some("build") => {
                let counts: Vec<&Expr> = match &args[0].kind {
                    ExprKind::Array(ns) => ns.iter().collect(),
                    _ => vec![&args[0]],
                };
                let ns: Vec<_> = counts.iter().map(|n| self.owned(n)).collect();
                let (n_names, i_names): (Vec<Ident>, Vec<Ident>) = (0..ns.len())
                    .map(|k| {
                        (
                            Ident::new(&format!("n{k}"), Span::mixed_site()),
                            Ident::new(&format!("i{k}"), Span::mixed_site()),
                        )
                    })
                    .unzip();
                let f = self.function(&args[1]);
                let body = n_names.iter().zip(&i_names).rev().fold(
                    quote!(f(#(#i_names),*)),
                    |body, (n, i)| quote!(#rt::reference::build(#n, |#i: ::core::primitive::usize| #body)),
                );
                quote!({ #(let #n_names: ::core::primitive::usize = #ns;)* let f = #f; #body })
            }
            Some(name @ ("sum" | "ifold")) => {
                let name = Ident::new(name, Span::mixed_site());
                let (last, values) = match args.split_last() {
                    Some((last, values)) => (self.function(last), values),
                    None => return quote!(()),
                };
                let values: Vec<_> = values.iter().map(|v| self.owned(v)).collect();
                quote!(#rt::reference::#name(#(#values,)* #last))
            }
            _ => self.kernel(path, args),
        }
    }
}
