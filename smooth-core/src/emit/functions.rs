//! Functions from Rust that take or return arrays.
//!
//! A body calls such a function as it calls another body: destinations, each with its shape where a view needs one, then
//! flat arguments. The public functions take a function of the boundary's types, with the arguments first, and wrap it:
//!
//! ```text
//! impl Fn(&[f64; n], &[[f64; k]; n]) -> ([f64; n], f64)                   written
//! impl FnMut(&[f64], View<'_, f64, 2>, &mut [f64]) -> f64                 from Rust
//! &mut impl FnMut(&mut Cells<f64>, &[f64], &[f64], [usize; 2]) -> f64     in the body
//! ```
//!
//! A result of static size is returned, as by a kernel.

use super::body::{Body, always, inner};
use super::compiled::Items;
use super::types::Boundary;
use super::types::{arrow, tuple};
use crate::loops::{Arg, Call, Out};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::shape::{ParamKind, Shape, Signature};
use crate::surface::rust::Runtime;
use crate::ty::{Scalar, Type};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::{ToTokens, quote};

/// Whether a function's argument or destination comes with its shape: the length of a slice is one.
fn has_shape(rank: usize) -> bool {
    rank > 1
}

fn shape_type(rank: usize, rt: &Runtime) -> TokenStream {
    let usize = rt.usize();
    let rank = Literal::usize_unsuffixed(rank);
    quote!([#usize; #rank])
}

/// The type of a body's parameter that is a function.
pub(super) fn in_the_body(s: &Signature, rt: &Runtime) -> TokenStream {
    let leaves = s.result_type.leaves();
    if s.is_of_numbers() {
        let numbers = s.params.iter().map(|p| rt.scalar(p.ty().expect_scalar()));
        let r = rt.scalar(s.result_type.expect_scalar());
        return quote!(&impl ::core::ops::Fn(#(#numbers),*) -> #r);
    }
    let mut types = Vec::new();
    let mut push = |ty: TokenStream, rank: usize| {
        types.push(ty);
        types.push_all(has_shape(rank).then(|| shape_type(rank, rt)));
    };
    let mut numbers = Vec::new();
    for t in &leaves {
        match t {
            Type::Array(s, rank) => {
                let s = rt.scalar(*s);
                push(quote!(&mut #rt::Cells<#s>), *rank);
            }
            t => numbers.push(rt.scalar(t.expect_scalar()).into()),
        }
    }
    for p in &s.params {
        match p.ty() {
            Type::Array(s, rank) => {
                let s = rt.scalar(s);
                push(quote!(&[#s]), rank);
            }
            t => push(rt.scalar(t.expect_scalar()).into(), 0),
        }
    }
    let ret = arrow(numbers);
    quote!(&mut impl ::core::ops::FnMut(#(#types),*) #ret)
}

impl Body<'_> {
    /// The call of a function parameter.
    pub(super) fn call_of_argument(&self, f: VarId, c: &Call) -> TokenStream {
        let f = self.idents.var(f);
        let shaped = |array: TokenStream, shape: &Shape| {
            let extents = shape.iter().map(|n| self.size(n));
            if has_shape(shape.len()) { quote!(#array, [#(#extents),*]) } else { array }
        };
        let outs = c.outs.iter().filter_map(|o| match o {
            Out::Array(a, shape) => Some(shaped(self.cells(a, &crate::shape::total(shape)), shape)),
            Out::Place(_) => None,
        });
        let args = c.args.iter().map(|a| match a {
            Arg::Scalar(e) => self.expr(e),
            Arg::Array(a, shape, _) => shaped(self.values(a, &crate::shape::total(shape)), shape),
            Arg::There(_) => unreachable!("a function changes no argument"),
        });
        let all = outs.chain(args);
        quote!(#f(#(#all),*))
    }
}

impl Boundary {
    /// Whether a function of Rust returns it, as a number or an array of static size.
    fn is_returned(&self) -> bool {
        matches!(self, Boundary::Scalar(_) | Boundary::Static(..))
    }

    /// The type of an argument of a function of Rust.
    fn given(&self, rt: &Runtime) -> TokenStream {
        match self {
            Boundary::View(..) | Boundary::ColumnMajor(..) => {
                let view = self.view_arguments(rt);
                quote!(#rt::View<'_, #view>)
            }
            Boundary::Tuple(bs) => {
                let bs = bs.iter().map(|b| b.given(rt));
                quote!((#(#bs,)*))
            }
            Boundary::Slice(..) => {
                let e = self.element(rt);
                quote!(&[#e])
            }
            b => b.argument(rt, &mut Vec::new()),
        }
    }

    /// The form of a closure for a function of Rust with these parameters and this result, if it has destinations.
    pub(super) fn written_by(ps: &[Boundary], r: &Boundary) -> Option<String> {
        let leaves = r.leaves();
        let outs = leaves.iter().filter(|b| !b.is_returned()).count();
        let numbered = |name: &str, n: usize| -> Vec<String> {
            if n == 1 { vec![name.into()] } else { (0..n).mapped(|k| format!("{name}{k}")) }
        };
        let (args, outs) = (numbered("x", ps.len()), numbered("out", outs));
        if outs.is_empty() {
            return None;
        }
        let closure = format!("|{}, {}|", args.join(", "), outs.join(", "));
        // `into` has destinations for static arrays, too, which this function returns.
        if leaves.iter().any(|b| matches!(b, Boundary::Static(..))) {
            return Some(format!("`{closure} …`"));
        }
        let all = [&outs[..], &args[..]].concat().join(", ");
        Some(format!("`{closure} …`, and for a kernel `g`, `{closure} g::into({all}, &mut arena)`"))
    }

    /// The type of a function of Rust with these parameters and this result.
    pub(super) fn function(ps: &[Boundary], r: &Boundary, rt: &Runtime) -> TokenStream {
        let (args, leaves) = (ps.iter().map(|p| p.given(rt)), r.leaves());
        if let (Boundary::Scalar(_), true) = (r, ps.iter().all(|p| matches!(p, Boundary::Scalar(_)))) {
            let r = r.element(rt);
            return quote!(impl ::core::ops::Fn(#(#args),*) -> #r);
        }
        let dests = leaves.iter().filter(|b| !b.is_returned()).map(|b| match b {
            Boundary::View(..) => {
                let view = b.view_arguments(rt);
                quote!(#rt::ViewMut<'_, #view>)
            }
            b => {
                let e = b.element(rt);
                quote!(&mut [#e])
            }
        });
        let ret = r.only(&Boundary::is_returned).map(|r| r.owned(rt)).map(|r| quote!(-> #r));
        let all = args.chain(dests);
        quote!(impl ::core::ops::FnMut(#(#all),*) #ret)
    }
}

impl Items<'_> {
    /// The statements that wrap a function of Rust as a function for the body.
    pub(super) fn wrapped(&self, f: &Ident, kind: &ParamKind, b: &Boundary) -> TokenStream {
        let (ParamKind::Fn(s), Boundary::Fn(ps, r)) = (kind, b) else { return quote!() };
        if s.is_of_numbers() {
            return quote!(let #f = &#f;);
        }
        let (rt, inline) = (&self.rt, always());
        let (mut params, mut dests, mut stores, mut numbers) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let leaves = r.leaves();
        // A pattern that names the returned values.
        let values = (0..leaves.len()).filter(|k| leaves[*k].is_returned()).map(|k| inner(&format!("value{k}")));
        let returned = r.only(&Boundary::is_returned);
        let pattern = returned.map_or(quote!(()), |r| r.assembled(&mut values.map(|value| value.to_token_stream())));
        for (k, b) in leaves.into_iter().enumerate() {
            let (name, shape) = (inner(&format!("to{k}")), inner(&format!("to{k}_shape")));
            if let Some(elem) = b.array_of() {
                let elem = rt.scalar(elem);
                params.push(quote!(#name: &mut #rt::Cells<#elem>));
                let ty = shape_type(b.rank(), rt);
                params.push_all(has_shape(b.rank()).then(|| quote!(#shape: #ty)));
            }
            let e = b.element(rt);
            let value = inner(&format!("value{k}"));
            match b {
                Boundary::Static(..) => stores.push(quote!(#rt::copy(#name, #rt::flat_one(&#value));)),
                Boundary::Slice(_, inner) if inner.is_empty() => dests.push(quote!(#rt::zeroed(#name))),
                Boundary::Slice(..) => dests.push(quote!(#rt::elements_mut::<#e>(#rt::zeroed(#name), #shape[0]))),
                Boundary::View(..) => dests.push(quote!(#rt::ViewMut::new(#rt::zeroed(#name), #shape))),
                _ => numbers.push(quote!(#value)),
            }
        }
        let mut flat = Vec::new();
        for (k, (p, b)) in s.params.iter().zip(ps.iter().flat_map(Boundary::leaves)).enumerate() {
            let (name, shape, e) = (inner(&format!("of{k}")), inner(&format!("of{k}_shape")), b.element(rt));
            match p.ty() {
                Type::Array(s, rank) => {
                    let (s, ty) = (rt.scalar(s), shape_type(rank, rt));
                    params.push(quote!(#name: &[#s]));
                    params.push_all(has_shape(rank).then(|| quote!(#shape: #ty)));
                }
                t => {
                    let t = rt.scalar(t.expect_scalar());
                    params.push(quote!(#name: #t));
                }
            }
            flat.push(match b {
                Boundary::Static(..) => quote!(#rt::element::<#e>(#name)),
                Boundary::Slice(_, inner) if !inner.is_empty() => quote!(#rt::elements::<#e>(#name, #shape[0])),
                Boundary::View(..) => quote!(#rt::View::new(#name, #shape)),
                _ => quote!(#name),
            });
        }
        let mut flat = flat.into_iter();
        let args: Vec<TokenStream> = ps.iter().mapped(|p| p.assembled(&mut flat));
        let value = tuple(numbers);
        // Attributes on closures are stable only for arguments of calls.
        quote! {
            let mut #f = #f;
            let #f = &mut ::core::convert::identity(#inline |#(#params),*| {
                let #pattern = #f(#(#args,)* #(#dests),*);
                #(#stores)*
                #value
            });
        }
    }
}

impl Boundary {
    /// The elements of an array.
    fn array_of(&self) -> Option<Scalar> {
        match self {
            Boundary::Static(s, _) | Boundary::Slice(s, _) | Boundary::View(s, _) | Boundary::ColumnMajor(s, _) => {
                Some(*s)
            }
            _ => None,
        }
    }
}
