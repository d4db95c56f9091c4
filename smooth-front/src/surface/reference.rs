//! Surface → plain Rust on nested `Vec`s: the oracle. Slow and obvious; shares no code with the passes.
//!
//! Every variable owns its value, and every use of an array clones it. The user's own identifiers are kept, so that
//! rustc resolves them, hygiene included.

mod constants;
mod convert;
mod functions;
mod in_out;
mod kernels;
mod places;
mod probes;
mod reductions;
mod statements;

use super::layout::Layout;
use super::rust::{Runtime, called, float, hidden, indexed, operator, placed, size_name, spanned};
use super::{Expr, ExprKind, Function, Pattern, TypeExpr, TypeKind, TypeParams, function_like, key};
use crate::mapped::Mapped;
use crate::prim::{Prim, Spelling};
use crate::sorted::Map;
use crate::ty::{Scalar, Type};
use crate::value::Lit;
use constants::{mixed, vectors};
use convert::converted;
use places::{Early, at};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};

/// The results of elaboration that the reference uses.
#[derive(Clone, Copy)]
pub struct Types<'a> {
    /// The types of expressions.
    pub exprs: &'a Map<usize, Type>,
    /// The types of closure parameters, by the closure's number.
    pub closures: &'a Map<usize, Vec<Type>>,
    /// The types that expressions have before they are converted.
    pub conversions: &'a Map<usize, Type>,
    /// The types of the arguments and of the result.
    pub interface: &'a (Vec<Type>, Type),
    /// The kernel's type parameters.
    pub type_params: &'a TypeParams,
    /// The const generics that cannot be inferred from the arguments: the reference takes them as parameters.
    pub own_not_inferable: &'a [String],
    /// For each callee, by its path, which arguments it changes.
    pub changed: &'a [(String, Vec<bool>)],
    /// For each callee, by its path, its generic parameters.
    pub generics: &'a [(String, Generics)],
    /// Whether elementary functions are those of std.
    pub strict: bool,
}

/// The generic parameters of a callee.
pub struct Generics {
    /// For each of them, in order, whether it is a type.
    pub are_types: Vec<bool>,
    /// The const generics that cannot be inferred from its arguments, by their numbers.
    pub not_inferable: Vec<usize>,
}

/// The body of `f::reference`.
pub fn reference(f: &Function, types: Types<'_>, rt: &Runtime) -> TokenStream {
    let mut r = Reference {
        types,
        rt,
        bound: super::BoundNames::default(),
        generics: f.const_generics().into_iter().mapped(key),
        borrows: Vec::new(),
        copies: &f.copies,
        constants: &f.constants,
        fresh: 0,
    };
    let inferable = |i: &&Ident| !types.own_not_inferable.contains(&key(i));
    let generics: Vec<Ident> = f.const_generics().into_iter().filter(inferable).cloned().collect_vec();
    let mut sizes: Vec<String> = Vec::new();
    let mut lets = r.sizes(f, &generics, &mut sizes);
    r.bound.extend(sizes);
    for (k, p) in f.params.iter().enumerate().filter(|(_, p)| in_out::is_bound(p)) {
        lets.extend(in_out::opened(k, p));
    }
    for (k, (p, ty)) in f.params.iter().zip(&types.interface.0).enumerate() {
        let place = p.name.to_token_stream();
        let value = if ty.has_records() && !ty.is_fn() {
            converted(&ty.stored(), ty, place, rt)
        } else {
            to_owned(&p.ty, place)
        };
        let (attrs, pattern) = (&p.attrs, r.bind(&p.pattern));
        if in_out::is_bound(p) {
            let value = in_out::given(k, p, ty, rt);
            lets.extend(quote!(#(#attrs)* #[allow(unused_mut)] let #pattern = #value;));
            continue;
        }
        if let (Type::Fn(..), true) = (ty, ty.has_records()) {
            let name = &p.name;
            let function = r.adapted(ty, &ty.stored(), quote!(#name));
            lets.extend(quote!(let #name = #function;));
        }
        let by_value = matches!(p.ty.kind, TypeKind::Scalar(_) | TypeKind::Fn(..));
        if by_value && attrs.is_empty() && matches!(p.pattern, Pattern::Name(Some(_), ..)) {
            continue;
        }
        // An argument that only supplies a size counts as used, unless the user put a lint attribute on it.
        let parts = p.parts().into_iter().filter(|_| attrs.is_empty());
        let sized = parts.filter(|(_, t)| !super::inferable_sizes(t, &generics, Layout::Rows).is_empty());
        let sized = sized.filter_map(|(name, _)| name);
        lets.extend(quote!(#(#attrs)* let #pattern = #value; #(let _ = &#sized;)*));
    }
    let body = in_out::closed(f, r.boundary(&f.body), &types.interface.0, rt);
    quote!(#lets #body)
}

/// An argument as an owned value.
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

/// The names in the type of the argument at `place` that are lengths, each with an array and how many dimensions are around.
fn sizes_in(t: &TypeExpr, place: TokenStream, found: &mut Vec<(syn::Path, (usize, TokenStream))>) {
    if let TypeKind::Tuple(ts) = &t.kind {
        for (k, t) in ts.iter().enumerate() {
            let k = Literal::usize_unsuffixed(k);
            sizes_in(t, quote!(#place.#k), found);
        }
    }
    let (mut t, mut depth) = (t, 0);
    while let TypeKind::Array(elem, len) = &t.kind {
        if let Some(ExprKind::Path(path)) = len.as_ref().map(|e| &e.kind) {
            found.push((path.clone(), (depth, place.clone())));
        }
        (t, depth) = (elem, depth + 1);
    }
}

struct Reference<'a> {
    types: Types<'a>,
    rt: &'a Runtime,
    bound: super::BoundNames,
    /// The const generics.
    generics: Vec<String>,
    /// The terms that are copies.
    copies: &'a crate::sorted::Set<usize>,
    /// The constants of the body.
    constants: &'a crate::sorted::Map<usize, TokenStream>,
    /// The names that borrow an element which is written, with their places among the bindings.
    borrows: Vec<(String, usize)>,
    /// The number of fresh names so far.
    fresh: usize,
}

impl Reference<'_> {
    fn ty(&self, e: &Expr) -> &Type {
        self.types.exprs.get(&e.id).unwrap_or_else(|| unelaborated(e))
    }

    /// The types of a closure's parameters.
    fn closure_types(&self, e: &Expr) -> Vec<Type> {
        self.types.closures.get(&e.id).unwrap_or_else(|| unelaborated(e)).clone()
    }

    fn rust_type(&self, t: &Type) -> TokenStream {
        let rt = self.rt;
        match t {
            Type::Scalar(s) => self.rt.scalar(*s).into(),
            Type::Array(s, rank) => (0..*rank).fold(self.rt.scalar(*s).into(), |t, _| quote!(#rt::Vec<#t>)),
            Type::Records(ts, rank) => {
                let element = self.rust_type(&Type::Tuple(ts.clone()));
                (0..*rank).fold(element, |t, _| quote!(#rt::Vec<#t>))
            }
            Type::Tuple(ts) => {
                let ts = ts.iter().map(|t| self.rust_type(t));
                quote!((#(#ts,)*))
            }
            Type::Fn(..) => quote!(_),
        }
    }

    /// `let n = a.len();` for each size that occurs in the arguments. An array without rows does not have their length:
    /// another argument may.
    fn sizes(&self, f: &Function, generics: &[Ident], bound: &mut Vec<String>) -> TokenStream {
        let mut found = Vec::new();
        for p in &f.params {
            let name = &p.name;
            sizes_in(&p.ty.columns(), quote!(#name), &mut found);
        }
        let mut lets = TokenStream::new();
        for (path, _) in &found {
            let Some(size) = path.get_ident().filter(|i| !f.binds(i) && !bound.contains(&key(i))) else { continue };
            if !function_like(path) && !generics.iter().any(|g| key(g) == key(size)) {
                continue;
            }
            // Names of a macro and of its caller differ, even if they are spelled alike.
            let is_own = |p: &syn::Path| p.get_ident().is_some_and(|i| key(i) == key(size));
            let own = || found.iter().filter(|(p, _)| is_own(p)).map(|(_, place)| place);
            let value = match own().find(|(depth, _)| *depth == 0) {
                Some((_, place)) => quote!(#place.len()),
                None => {
                    let rows = own().map(|(depth, place)| {
                        (1..*depth).fold(quote!(#place.first()), |t, _| quote!(#t.and_then(|__row| __row.first())))
                    });
                    let lengths = rows.map(|row| quote!(#row.map(|__row| __row.len())));
                    let first = lengths.reduce(|a, b| quote!(#a.or_else(|| #b)));
                    quote!(#first.unwrap_or(0))
                }
            };
            let name = self.size(size);
            lets.extend(quote!(let #name: ::core::primitive::usize = #value; let _ = #name;));
            bound.push(key(size));
        }
        lets
    }

    /// The name of a size in the reference.
    fn size(&self, ident: &Ident) -> Ident {
        if self.is_generic(ident) { size_name(ident) } else { ident.clone() }
    }

    /// A path of the user's; a const generic has another name inside the reference.
    fn path(&self, path: &syn::Path) -> TokenStream {
        match path.get_ident() {
            Some(i) if self.is_generic(i) => size_name(i).to_token_stream(),
            Some(i) if self.is_borrow(i) => quote!((*#i)),
            _ => path.to_token_stream(),
        }
    }

    fn is_generic(&self, ident: &Ident) -> bool {
        !self.generics.is_empty() && self.generics.contains(&key(ident))
    }

    fn is_bound(&self, path: &syn::Path) -> bool {
        path.get_ident().is_some_and(|i| self.bound.contains(&key(i)))
    }

    fn bind(&mut self, p: &Pattern) -> TokenStream {
        match p {
            Pattern::Name(Some(i), _, at, mutable) => {
                self.bound.push(key(i));
                // Lints about the variable are at the user's `mut`.
                if *mutable { quote_spanned!(at.0=> mut #i) } else { quote!(#i) }
            }
            Pattern::Name(None, ..) => quote!(_),
            Pattern::Rest(_) => quote!(..),
            Pattern::Tuple(ps, _) => {
                let ps = ps.iter().mapped(|p| self.bind(p));
                quote!((#(#ps,)*))
            }
        }
    }

    /// A copy of the value at a place.
    fn copied(&self, e: &Expr, place: TokenStream) -> TokenStream {
        match (self.ty(e), self.rt) {
            (ty, _) if !ty.is_array() && !mixed(ty) || !self.is_constant(e) => {}
            (ty, rt) if mixed(ty) => return quote!(#rt::reference::constant(&#place)),
            (ty, rt) => return vectors(rt, &place, ty.rank()),
        }
        match self.ty(e) {
            t if t.scalar().is_some() => place,
            // A name for `&mut a[s..t]` is a slice.
            t if t.is_array() => quote!(#place.to_vec()),
            _ => quote!(::core::clone::Clone::clone(&#place)),
        }
    }

    /// An owned value as it is at the boundary.
    fn boundary(&mut self, e: &Expr) -> TokenStream {
        let value = self.owned(e);
        match self.types.exprs.get(&e.id).filter(|t| t.has_records()) {
            Some(ty) => self.other(ty, &ty.stored(), value),
            None => value,
        }
    }

    /// A value as one of another type that is the same in F̃.
    fn other(&self, from: &Type, to: &Type, value: TokenStream) -> TokenStream {
        let name = hidden("value");
        let converted = converted(from, to, quote!(#name), self.rt);
        quote!({ let #name = #value; #converted })
    }

    /// A place expression, to index or borrow.
    fn place(&mut self, e: &Expr) -> TokenStream {
        match &e.kind {
            _ if self.types.conversions.contains_key(&e.id) => {
                let e = self.owned(e);
                quote!((#e))
            }
            ExprKind::Path(p) if self.is_bound(p) || self.is_constant(e) => self.path(p),
            ExprKind::Same(a) | ExprKind::Borrow(a) | ExprKind::OfLength(a, _) => self.place(a),
            // A copy, after its indices.
            ExprKind::Index(..) | ExprKind::Field(..) if e.assigns() => {
                let e = self.owned(e);
                quote!((#e))
            }
            ExprKind::Index(a, i) => {
                let (a, i) = (self.place(a), self.owned(i));
                indexed(&a, i, e.at.0)
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

    /// An owned value.
    fn owned(&mut self, e: &Expr) -> TokenStream {
        let value = self.unconverted(e);
        match self.types.conversions.get(&e.id) {
            Some(from) => self.other(from, &self.ty(e).clone(), value),
            None => value,
        }
    }

    /// An owned value, of the type that the expression has before conversion.
    fn unconverted(&mut self, e: &Expr) -> TokenStream {
        let rt = self.rt;
        if let Some(effect) = self.effect(e) {
            return effect;
        }
        match &e.kind {
            ExprKind::Lit(l, _) => self.literal(*l, e),
            ExprKind::Decimal(digits) => {
                let l = super::decimal(digits, self.ty(e).expect_scalar());
                self.literal(l.unwrap_or_else(|| unelaborated(e)), e)
            }
            ExprKind::Path(p) if self.is_bound(p) || self.is_constant(e) => self.copied(e, self.path(p)),
            ExprKind::Path(p) => match super::consts::std_constant(p) {
                Some(l) => self.literal(l, e),
                None => self.constant(p, e),
            },
            ExprKind::Binary(op, a, b) => {
                let (a, b) = (self.owned(a), self.owned(b));
                let op = operator(op, e.at.0);
                let (a, b) = (placed(&a, e.at.0), placed(&b, e.at.0));
                quote!((#a #op #b))
            }
            ExprKind::Unary("neg", a) => {
                let a = self.owned(a);
                {
                    let a = placed(&a, e.at.0);
                    quote_spanned!(e.at.0=> (-#a))
                }
            }
            ExprKind::Unary(_, a) => {
                let a = self.owned(a);
                quote!((!#a))
            }
            ExprKind::Same(a) | ExprKind::Borrow(a) | ExprKind::OfLength(a, _) => self.owned(a),
            ExprKind::Call(f, args) => self.call(e, f, args),
            ExprKind::Method(a, m, args) => {
                if m == "len" {
                    let a = self.place(a);
                    return quote!(#a.len());
                }
                let all: Vec<TokenStream> = std::iter::once(&**a).chain(args).mapped(|a| self.owned(a));
                self.method(&m.to_string(), &all, e.at.0)
            }
            ExprKind::Index(..) | ExprKind::Field(..) if e.assigns() => {
                let mut early = Early::of([e]);
                let place = self.target(e, &mut early);
                let (value, lets) = (self.copied(e, place), early.lets);
                quote!({ #lets #value })
            }
            ExprKind::Index(..) | ExprKind::Field(..) => {
                let place = self.place(e);
                self.copied(e, place)
            }
            ExprKind::Slice(a, s, t) if e.assigns() => {
                let mut early = Early::of([e]);
                let (a, array) = (self.target(a, &mut early), hidden("array"));
                let s = s.as_ref().map_or(quote!(0), |s| self.before(s, &mut early));
                let t = t.as_ref().map_or(quote!(#array.len()), |t| self.before(t, &mut early));
                let lets = early.lets;
                {
                    let slice = self.helper("slice", quote!(#array, (#s)..(#t)), e.at.0);
                    quote!({ #lets let #array = &#a; #slice })
                }
            }
            ExprKind::Slice(a, s, t) => {
                let a = match self.is_constant(a) {
                    true if self.ty(a).rank() > 1 || mixed(self.ty(a)) => self.owned(a),
                    // It may be a reference to an array.
                    true => self.place(a).into_iter().chain(quote!([..])).collect(),
                    false => self.place(a),
                };
                let array = hidden("array");
                let s = s.as_ref().map_or(quote!(0), |s| self.owned(s));
                let t = t.as_ref().map_or(quote!(#array.len()), |t| self.owned(t));
                {
                    let slice = self.helper("slice", quote!(#array, (#s)..(#t)), e.at.0);
                    quote!({ let #array = &#a; #slice })
                }
            }
            ExprKind::Array(es) => {
                let es = es.iter().mapped(|e| self.owned(e));
                quote!(<#rt::Vec<_> as ::core::convert::From<_>>::from([#(#es),*]))
            }
            ExprKind::Repeat(x, n) => {
                let (x, n) = (self.owned(x), self.owned(n));
                quote!(#rt::reference::fill(#x, #n))
            }
            ExprKind::Tuple(es) => {
                let es = es.iter().mapped(|e| self.owned(e));
                quote!((#(#es,)*))
            }
            ExprKind::Cast(a, to) => {
                // A constant that is cast has no type of its own here: Rust knows it.
                let known = self.types.exprs.get(&a.id);
                let (constant, from) = (known.is_none(), known.map_or(*to, Type::expect_scalar));
                let (a, ty) = (self.owned(a), self.rt.scalar(*to));
                match (from, *to) {
                    (_, Scalar::Open(..)) if constant => {
                        let double = self.rt.scalar(Scalar::F64);
                        quote!(#rt::math::to_number::<#ty, _>(#a as #double))
                    }
                    (Scalar::Open(..), to) if from == to => a,
                    (_, Scalar::Open(..)) => quote!(#rt::math::to_number::<#ty, _>(#a)),
                    (Scalar::Open(..), _) => quote!(#rt::math::cast::<#ty, _>(#a)),
                    _ => quote!((#a as #ty)),
                }
            }
            ExprKind::If(c, a, b) => self.branch(c, a, b),
            ExprKind::Block(stmts, last) => self.block(stmts, last),
            ExprKind::Dbg(d) => self.dbg(e, d),
            ExprKind::Assert(a) => self.assertion(e, a),
            _ => unelaborated(e),
        }
    }

    fn literal(&self, l: Lit, e: &Expr) -> TokenStream {
        let s = self.ty(e).expect_scalar();
        let tokens = match l {
            Lit::Int(n, _) if s.is_open() => float(n as f64, s, self.rt),
            // The literal 2^127 is that of `-2^127`, and not a negative number itself.
            Lit::Int(n, _) if n >= 0 || s != Scalar::U128 && n != i128::MIN => number(n, s),
            Lit::Int(n, _) if s == Scalar::U128 || matches!(e.kind, ExprKind::Lit(..)) => number(n as u128, s),
            Lit::Int(n, _) => number(n, s),
            Lit::Float(bits, _) => float(f64::from_bits(bits), s, self.rt),
            Lit::Bool(b) => quote!(#b),
        };
        spanned(tokens, at(e))
    }

    /// A call of a function of the run-time library, at the user's place: where it panics, the message names that.
    fn helper(&self, name: &str, args: TokenStream, at: Span) -> TokenStream {
        let (rt, name) = (self.rt, Ident::new(name, at));
        called(quote!(#rt::reference::#name), args, at)
    }

    fn method(&self, name: &str, args: &[TokenStream], at: Span) -> TokenStream {
        let rt = self.rt;
        if name == "sin_cos" {
            let x = &args[0];
            let (sin, cos) = (self.named(Prim::Sin), self.named(Prim::Cos));
            return quote!({ let __angle = #x; (#rt::math::#sin(__angle), #rt::math::#cos(__angle)) });
        }
        let p = Prim::find(Spelling::Method, name).unwrap_or_else(|| panic!("the method `{name}` was accepted"));
        let name = self.named(p);
        called(quote!(#rt::math::#name), quote!(#(#args),*), at)
    }

    /// The function of the run-time library for a method: in a strict kernel, elementary ones are those of std.
    fn named(&self, p: Prim) -> Ident {
        Ident::new(if self.types.strict { p.strict() } else { p }.name(), Span::mixed_site())
    }
}

fn number(n: impl std::fmt::Display, s: Scalar) -> TokenStream {
    format!("{n}{}", s.name()).parse().expect("a literal of Rust")
}

/// Panics at an expression that elaboration cannot have accepted: a bug of the compiler.
fn unelaborated(e: &Expr) -> ! {
    let start = e.at.0.start();
    panic!("the expression at {}:{} was accepted without a type", start.line, start.column)
}
