//! The boundary (DESIGN's table): how arguments come in, destinations are given, results go out.

use super::body::scalar_type;
use crate::surface::{ExprKind, TypeExpr, TypeKind};
use crate::ty::Scalar;
use crate::value::Lit;
use proc_macro2::{Literal, Span, TokenStream};
use quote::quote;
use syn::Lifetime;

/// What a written type is at the boundary.
#[derive(Clone, Debug)]
pub(super) enum Bound {
    /// By value.
    Scalar(Scalar),
    /// `[[T; 4]; 3]`: every size is a number.
    Static(Scalar, Vec<u64>),
    /// `[[T; 4]]`: the outermost size is open, the others are numbers.
    Slice(Scalar, Vec<u64>),
    /// An inner size is open: a view of that rank.
    View(Scalar, usize),
    /// A function of scalars, or of arrays.
    Fn(Vec<Bound>, Box<Bound>),
    /// Several values.
    Tuple(Vec<Bound>),
}

impl Bound {
    /// The boundary form of a written type.
    pub(super) fn of(t: &TypeExpr) -> Bound {
        match &t.kind {
            TypeKind::Scalar(s) => Bound::Scalar(*s),
            TypeKind::Tuple(ts) => Bound::Tuple(ts.iter().map(Bound::of).collect()),
            TypeKind::Fn(ps, r) => Bound::Fn(ps.iter().map(Bound::of).collect(), Box::new(Bound::of(r))),
            TypeKind::Array(..) => {
                let mut sizes = Vec::new();
                let elem = extents(t, &mut sizes);
                match sizes[1..].iter().copied().collect::<Option<Vec<u64>>>() {
                    None => Bound::View(elem, sizes.len()),
                    Some(inner) => match sizes[0] {
                        Some(n) => Bound::Static(elem, std::iter::once(n).chain(inner).collect()),
                        None => Bound::Slice(elem, inner),
                    },
                }
            }
        }
    }

    /// Scalars and arrays, left to right.
    pub(super) fn leaves(&self) -> Vec<&Bound> {
        match self {
            Bound::Tuple(bs) => bs.iter().flat_map(Bound::leaves).collect(),
            b => vec![b],
        }
    }

    pub(super) fn rank(&self) -> usize {
        match self {
            Bound::Static(_, dims) => dims.len(),
            Bound::Slice(_, inner) => 1 + inner.len(),
            Bound::View(_, rank) => *rank,
            _ => 0,
        }
    }

    /// `[[T; 4]; 3]` for extents 3 and 4.
    fn nested(elem: Scalar, dims: &[u64]) -> TokenStream {
        dims.iter().rev().fold(scalar_type(elem), |t, n| {
            let n = Literal::u64_unsuffixed(*n);
            quote!([#t; #n])
        })
    }

    /// The element of a slice, or the whole of a static array.
    pub(super) fn element(&self) -> TokenStream {
        match self {
            Bound::Static(s, dims) | Bound::Slice(s, dims) => Bound::nested(*s, dims),
            Bound::View(s, _) | Bound::Scalar(s) => scalar_type(*s),
            Bound::Fn(..) | Bound::Tuple(_) => quote!(()),
        }
    }

    /// The lifetime that the type of the `k`th argument or destination needs, if any: `impl Trait` has no
    /// anonymous ones.
    pub(super) fn lifetime(&self, role: &str, k: usize) -> Option<Lifetime> {
        matches!(self, Bound::View(..)).then(|| Lifetime::new(&format!("'{role}{k}"), Span::mixed_site()))
    }

    /// The type of the `k`th argument.
    pub(super) fn argument(&self, rt: &TokenStream, k: usize) -> TokenStream {
        let lifetime = self.lifetime("arg", k);
        let e = self.element();
        match self {
            Bound::Static(..) => quote!(&#e),
            Bound::Slice(..) => quote!(&[#e]),
            Bound::View(_, rank) => {
                let rank = Literal::usize_unsuffixed(*rank);
                quote!(impl ::core::convert::Into<#rt::View<#lifetime, #e, #rank>>)
            }
            Bound::Fn(ps, r) => {
                let (ps, r) = (ps.iter().map(Bound::element), r.element());
                quote!(impl ::core::ops::Fn(#(#ps),*) -> #r)
            }
            _ => e,
        }
    }

    /// The type of the `k`th destination.
    pub(super) fn destination(&self, rt: &TokenStream, k: usize) -> TokenStream {
        let lifetime = self.lifetime("out", k);
        let e = self.element();
        match self {
            Bound::Static(..) => quote!(&mut #e),
            Bound::Slice(..) => quote!(&mut [#e]),
            _ => {
                let rank = Literal::usize_unsuffixed(self.rank());
                quote!(impl ::core::convert::Into<#rt::ViewMut<#lifetime, #e, #rank>>)
            }
        }
    }

    /// The type of an owned result.
    pub(super) fn owned(&self, rt: &TokenStream) -> TokenStream {
        let e = self.element();
        match self {
            Bound::Slice(..) => quote!(#rt::Vec<#e>),
            Bound::View(_, rank) => {
                let rank = Literal::usize_unsuffixed(*rank);
                quote!(#rt::Array<#e, #rank>)
            }
            Bound::Tuple(bs) => {
                let bs = bs.iter().map(|b| b.owned(rt));
                quote!((#(#bs,)*))
            }
            _ => e,
        }
    }

    /// The type of an argument of the reference.
    pub(super) fn reference_argument(&self, rt: &TokenStream) -> TokenStream {
        match self {
            Bound::Scalar(_) => self.element(),
            Bound::Fn(ps, r) => {
                let (ps, r) = (ps.iter().map(|p| p.reference_value(rt)), r.reference_value(rt));
                quote!(impl ::core::ops::Fn(#(#ps),*) -> #r)
            }
            _ => {
                let inner = self.vectors(rt, self.rank() - 1);
                quote!(&[#inner])
            }
        }
    }

    /// The type of a value inside the reference.
    pub(super) fn reference_value(&self, rt: &TokenStream) -> TokenStream {
        match self {
            Bound::Tuple(bs) => {
                let bs = bs.iter().map(|b| b.reference_value(rt));
                quote!((#(#bs,)*))
            }
            b => b.vectors(rt, b.rank()),
        }
    }

    fn vectors(&self, rt: &TokenStream, rank: usize) -> TokenStream {
        let elem = match self {
            Bound::Static(s, _) | Bound::Slice(s, _) | Bound::View(s, _) | Bound::Scalar(s) => scalar_type(*s),
            _ => quote!(()),
        };
        (0..rank).fold(elem, |t, _| quote!(#rt::Vec<#t>))
    }
}

/// The written extents, outermost first, where they are numbers; the element type.
fn extents(t: &TypeExpr, sizes: &mut Vec<Option<u64>>) -> Scalar {
    match &t.kind {
        TypeKind::Array(elem, len) => {
            sizes.push(match len.as_ref().map(|e| &e.kind) {
                Some(ExprKind::Lit(Lit::Int(n, _), _)) => u64::try_from(*n).ok(),
                _ => None,
            });
            extents(elem, sizes)
        }
        TypeKind::Scalar(s) => *s,
        _ => Scalar::F64,
    }
}
