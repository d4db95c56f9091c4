//! The companion shape function as a `const fn`: it performs all entry checks.

use super::body::inner;
use super::compiled::FrameAt;
use super::names::Idents;
use super::sizes::{bytes, checked};
use crate::fsmooth::Kernel;
use crate::infer::show_atom;
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::shape::bytes::Bytes;
use crate::shape::card::{Atom, Card};
use crate::shape::{Check, Companion, Dim, Param, Shape, Source, open_sizes, value_of};
use crate::surface::rust::Runtime;
use crate::ty::{Scalar, Type};
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

/// The arguments that sizes may depend on: arrays, `usize`s, and the other integers on which they do.
pub(super) fn sized(params: &[Param]) -> impl Iterator<Item = &Param> + Clone {
    let is_sized = |p: &Param| p.ty().is_array() || p.ty() == Type::USIZE || value_of(params, p).is_some();
    params.iter().filter(move |p| p.is_argument() && is_sized(p))
}

/// The parameters of `shape` and `scratch`: the extents of each array argument, the value of each integer, the open sizes.
pub(super) fn size_params(params: &[Param], idents: &Idents<'_>) -> Vec<(Ident, TokenStream)> {
    let ty = |p: &Param| match (p.dims().len(), p.ty().scalar()) {
        (0, s) => format_ident!("{}", s.map_or("usize", Scalar::name)).to_token_stream(),
        (rank, _) => extents(rank),
    };
    let open = open_sizes(params).into_iter().map(|v| (idents.var(v), quote!(usize)));
    sized(params).map(|p| (idents.var(p.var), ty(p))).chain(open).collect_vec()
}

/// The type of the extents of an array, by a name: each length in an array type is a constant that rustc checks for itself.
pub(super) fn extents(rank: usize) -> TokenStream {
    let name = format_ident!("Extents{rank}");
    quote!(__rt::#name)
}

/// Whether a check compares numbers and constants only: rustc evaluates it.
pub(super) fn is_constant(kernel: &Kernel, c: &Check) -> bool {
    let constant = |p: &Param| matches!(p.source, Source::Const(_));
    let known =
        |a: &Atom| matches!(a, Atom::Var(v) if kernel.interface.params.iter().any(|p| p.var == *v && constant(p)));
    matches!(c, Check::Equal { .. }) && c.cards().iter().all(|c| c.atoms().into_iter().all(known))
}

/// The checks of numbers and constants, which fail while the crate is compiled.
pub(super) fn constant_checks(
    kernel: &Kernel,
    companion: &Companion,
    idents: &Idents<'_>,
    hidden: &[(&Param, TokenStream)],
    at: Span,
) -> TokenStream {
    let rt = &Runtime::inside();
    let e = Entry { kernel, idents, rt };
    let checks = companion.checks.iter().filter(|c| is_constant(kernel, c));
    let asserts = checks.filter_map(|c| {
        let Check::Equal { left, right, reason } = c else { return None };
        let text = format!("{}: {} must equal {}: {reason}", kernel.interface.name, e.show(left), e.show(right));
        let lets = hidden.iter().filter(|(p, _)| p.ty() == Type::USIZE && e.mentions(c, p)).map(|(p, value)| {
            let v = idents.var(p.var);
            quote!(let #v: usize = #value;)
        });
        let (left, right) = (checked(left, idents, e.rt), checked(right, idents, e.rt));
        Some(quote_spanned! {at=>
            const _: () = {
                #(#lets)*
                match (#left, #right) {
                    (#rt::Some(left), #rt::Some(right)) if left == right => {}
                    _ => ::core::panic!(#text),
                }
            };
        })
    });
    asserts.collect()
}

/// The entry of a kernel.
pub(super) struct Entry<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) idents: &'a Idents<'a>,
    pub(super) rt: &'a Runtime,
}

/// The parameters and the body of `plan`: `Ok((shapes of the leaves, bytes))`, or the failed check as an error. `hidden` are
/// the hidden parameters and their values.
pub(super) fn plan(
    e: &Entry<'_>,
    companion: &Companion,
    hidden: &[(&Param, TokenStream)],
    frame_at: FrameAt,
) -> (TokenStream, TokenStream) {
    let Entry { kernel, idents, rt } = e;
    let sizes = hidden.iter().filter(|(p, _)| p.ty() == Type::USIZE);
    let hidden = sizes.map(|(p, value)| {
        let v = idents.var(p.var);
        match kernel
            .interface
            .params
            .iter()
            .find(|of| value_of(&kernel.interface.params, of).is_some_and(|q| q.var == p.var))
        {
            Some(of) => {
                let of = idents.var(of.var);
                quote!(let #v: usize = #of as usize;)
            }
            None => quote!(let #v: usize = #value;),
        }
    });
    let mut out = quote!(#(#hidden)*);
    out.extend(e.arguments());
    for c in companion.checks.iter().filter(|c| !is_constant(kernel, c)) {
        out.extend(e.check(c));
    }
    let mut leaves = Vec::new();
    let results = companion.result.iter().take(companion.results(&kernel.interface.params));
    for (k, (shape, ty)) in results.zip(companion.result_type.leaves()).enumerate() {
        let dims = shape.iter().mapped(|c| e.size(c));
        let name = inner(&format!("shape{k}"));
        let extents = extents(dims.len());
        out.extend(quote!(let #name: #extents = [#(#dims),*];));
        // An array as large as an argument fits in memory; any other may be too large.
        if let (Type::Array(elem, _), false) = (&ty, e.like_an_argument(shape)) {
            let all = crate::shape::total(shape);
            let bytes = all.mul(&Card::lit(elem.bytes().into()));
            let product = e.sized(&bytes, &e.show(&all));
            out.extend(quote!(let _ = #product;));
        }
        leaves.push(name);
    }
    let bytes = e.frame(&companion.frame, frame_at);
    (e.parameters(), quote!(#out #rt::Ok((#(#leaves,)* #bytes,))))
}

impl Entry<'_> {
    fn mentions(&self, c: &Check, p: &Param) -> bool {
        c.cards().iter().any(|c| c.mentions(p.var))
    }

    fn show(&self, c: &Card) -> String {
        c.plain().show(&|a| show_atom(self.kernel, a))
    }

    /// A size as a `usize`, checked if it could be negative or overflow.
    fn size(&self, c: &Card) -> TokenStream {
        if let Some(n) = c.constant().and_then(|n| usize::try_from(n).ok()) {
            let n = Literal::usize_unsuffixed(n);
            return quote!(#n);
        }
        if let Some(a @ (Atom::Var(_) | Atom::Len(..))) = c.as_atom() {
            let a = self.idents.atom(a);
            return quote!(#a);
        }
        self.sized(c, &self.show(c))
    }

    /// Whether a shape is static, or has one extent, the length of an argument of rank 1. The number of rows of an argument
    /// does not count: empty rows take no memory.
    fn like_an_argument(&self, shape: &Shape) -> bool {
        let length = |a: &Atom| {
            self.kernel.interface.params.iter().any(|p| match p.dims() {
                [Dim::Size(v)] => *a == Atom::Var(*v),
                [_] => *a == Atom::Len(p.var, 0),
                _ => false,
            })
        };
        match shape.as_slice() {
            [one] => one.constant().is_some() || one.as_atom().is_some_and(length),
            all => all.iter().all(|c| c.constant().is_some()),
        }
    }

    /// A checked size; `text` names it in the error.
    fn sized(&self, c: &Card, text: &str) -> TokenStream {
        let (value, rt) = (checked(c, self.idents, self.rt), self.rt);
        quote!(match #rt::size(#value, __NAME, #text) {
            #rt::Ok(size) => size,
            #rt::Err(e) => return #rt::Err(e),
        })
    }

    /// The parameters, arrays by their extents: a pattern needs no check of an index.
    fn parameters(&self) -> TokenStream {
        let patterns = sized(&self.kernel.interface.params).map(|p| match p.dims().len() {
            0 => self.idents.var(p.var).to_token_stream(),
            rank => {
                let extents = (0..rank).map(|axis| self.extent(p, axis));
                quote!([#(#extents),*])
            }
        });
        let open = open_sizes(&self.kernel.interface.params).into_iter().map(|v| self.idents.var(v).to_token_stream());
        let types = size_params(&self.kernel.interface.params, self.idents).into_iter().map(|(_, ty)| ty);
        let parameters = patterns.chain(open).zip(types).map(|(p, ty)| quote!(#p: #ty));
        quote!(#(#parameters),*)
    }

    /// The name of an extent of an argument: that of a size at its first occurrence.
    fn extent(&self, p: &Param, axis: usize) -> Ident {
        match p.dims()[axis] {
            Dim::Size(v) if self.binds(p, axis, v) => self.idents.var(v),
            _ => self.idents.atom(&Atom::Len(p.var, axis as u32)),
        }
    }

    /// Whether this is the first occurrence of a size.
    fn binds(&self, p: &Param, axis: usize, size: VarId) -> bool {
        self.kernel.sizes().contains(&(size, p.var, axis))
    }

    /// Compares each size with its first occurrence, which names it.
    fn arguments(&self) -> TokenStream {
        let rt = self.rt;
        let mut out = TokenStream::new();
        let sizes = self.kernel.sizes();
        for p in self.kernel.interface.params.iter().filter(|p| p.is_argument()) {
            let (text, rank) = (&p.name, Literal::usize_unsuffixed(p.dims().len()));
            for (axis, d) in p.dims().iter().enumerate() {
                let (expected, size, from) = match d {
                    Dim::Anon => continue,
                    Dim::Size(v) if self.binds(p, axis, *v) => continue,
                    Dim::Lit(n) => {
                        let n = Literal::u64_unsuffixed(*n);
                        (quote!(#n), String::new(), String::new())
                    }
                    Dim::Size(v) | Dim::Param(v) => {
                        let from = sizes.iter().find(|(w, ..)| w == v).map_or(*v, |(_, by, _)| *by);
                        let ident = self.idents.var(*v);
                        (
                            quote!(#ident),
                            self.kernel.names.name(*v).to_string(),
                            self.kernel
                                .interface
                                .params
                                .iter()
                                .find(|q| q.var == from)
                                .map_or(String::new(), |q| q.name.clone()),
                        )
                    }
                };
                let (found, axis) = (self.extent(p, axis), Literal::usize_unsuffixed(p.logical(axis)));
                out.extend(quote! {
                    if #found != #expected {
                        return #rt::mismatch(__NAME, #text, [#axis, #rank], [#found, #expected], [#size, #from]);
                    }
                });
            }
        }
        out
    }

    fn check(&self, c: &Check) -> TokenStream {
        let rt = self.rt;
        match c {
            Check::Equal { left, right, reason } => {
                let (l, r) = (self.size(left), self.size(right));
                let (lt, rt_text) = (self.show(left), self.show(right));
                quote! {
                    let (left, right) = (#l, #r);
                    if left != right {
                        return #rt::Err(#rt::ShapeError::Unequal {
                            kernel: __NAME, left: #lt, left_value: left, right: #rt_text, right_value: right, reason: #reason,
                        });
                    }
                }
            }
            Check::Size { size } => {
                let size = self.size(size);
                quote!(let _ = #size;)
            }
            Check::Slice { start, end, len, text } => {
                let len = self.size(len);
                let (s, e) = (checked(start, self.idents, self.rt), checked(end, self.idents, self.rt));
                quote! {
                    let len = #len;
                    match (#s, #e) {
                        (#rt::Some(start), #rt::Some(end)) => {
                            if start < 0 || start > end || end > len as i128 {
                                return #rt::Err(#rt::ShapeError::Slice { kernel: __NAME, slice: #text, start, end, len });
                            }
                        }
                        _ => return #rt::Err(#rt::ShapeError::Overflow { kernel: __NAME, size: #text }),
                    }
                }
            }
        }
    }

    /// The bytes to request from the arena, with padding to align any block.
    fn frame(&self, b: &Bytes, at: FrameAt) -> TokenStream {
        let rt = self.rt;
        let most = match (at, b.known()) {
            (FrameAt::Nowhere | FrameAt::Stack, _) => return quote!(0),
            (FrameAt::Arena, Some(n)) => {
                let n = Literal::u64_unsuffixed(n + crate::shape::bytes::ALIGN - 1);
                return quote!(#n);
            }
            (FrameAt::Arena, None) => quote!(0),
            (FrameAt::StackIfSmall, _) => quote!(..=#rt::SMALL),
        };
        let value = bytes(b, self.idents, rt);
        quote!(match #rt::size(#value, __NAME, "of the scratch memory") {
            #rt::Ok(#most) => 0,
            #rt::Ok(bytes) => bytes + (#rt::ALIGN - 1),
            #rt::Err(e) => return #rt::Err(e),
        })
    }
}
