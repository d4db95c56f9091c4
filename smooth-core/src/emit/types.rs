//! The boundary: the Rust types of arguments, destinations and results. The table in `src/lib.rs` lists them.

use crate::mapped::Mapped;
use crate::surface::layout::Layout;
use crate::surface::rust::Runtime;
use crate::surface::{Expr, ExprKind, TypeExpr, TypeKind};
use crate::ty::Scalar;
use crate::value::Lit;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::quote;
use syn::Lifetime;

/// `T`, `(T, U)` or `()`.
pub(super) fn tuple(types: Vec<TokenStream>) -> TokenStream {
    match types.as_slice() {
        [one] => quote!(#one),
        many => quote!((#(#many),*)),
    }
}

/// `-> T`, or nothing if nothing is returned.
pub(super) fn arrow(types: Vec<TokenStream>) -> TokenStream {
    if types.is_empty() {
        return quote!();
    }
    let ret = tuple(types);
    quote!(-> #ret)
}

/// The form of a written type at the boundary.
#[derive(Clone, Debug)]
pub(super) enum Boundary {
    /// By value.
    Scalar(Scalar),
    /// `[[T; 4]; 3]`: every size is static. The sizes are Rust tokens.
    Static(Scalar, Vec<TokenStream>),
    /// `[[T; 4]]`: the outermost size is dynamic, the others are static.
    Slice(Scalar, Vec<TokenStream>),
    /// An inner size is dynamic: a view of this rank.
    View(Scalar, usize),
    /// A column-major view of this rank, whatever the sizes are.
    ColumnMajor(Scalar, usize),
    /// A strided view of this rank, whatever the sizes are.
    Strided(Scalar, usize),
    /// A function of scalars, or of arrays.
    Fn(Vec<Boundary>, Box<Boundary>),
    /// A tuple.
    Tuple(Vec<Boundary>),
}

/// A static length that is a path.
pub(super) enum Length {
    Constant(TokenStream),
    /// A const generic: Rust allows no arithmetic on it in types.
    Generic(Ident),
}

/// Finds the static length that a path denotes.
pub(super) type Lengths<'a> = dyn Fn(&syn::Path) -> Option<Length> + 'a;

impl Boundary {
    /// The boundary form of a written type.
    pub(super) fn of(t: &TypeExpr, lengths: &Lengths<'_>) -> Boundary {
        match &t.kind {
            TypeKind::Scalar(s) => Boundary::Scalar(*s),
            TypeKind::Tuple(ts) => Boundary::Tuple(ts.iter().mapped(|t| Boundary::of(t, lengths))),
            TypeKind::Fn(ps, r) => {
                Boundary::Fn(ps.iter().mapped(|p| Boundary::of(p, lengths)), Box::new(Boundary::of(r, lengths)))
            }
            TypeKind::Array(..) if t.is_of_tuples() => Boundary::of(&t.columns(), lengths),
            TypeKind::Array(..) => {
                let mut sizes = Vec::new();
                let elem = extents(t, lengths, &mut sizes);
                match sizes[1..].iter().cloned().all_some() {
                    None => Boundary::View(elem, sizes.len()),
                    Some(inner) => match sizes.swap_remove(0) {
                        Some(n) => Boundary::Static(elem, std::iter::once(n).chain(inner).collect_vec()),
                        None => Boundary::Slice(elem, inner),
                    },
                }
            }
        }
    }

    /// This form with these layouts of its leaves, in order.
    pub(super) fn with_layouts(self, layouts: &mut dyn Iterator<Item = Layout>) -> Boundary {
        match self {
            Boundary::Tuple(bs) => Boundary::Tuple(bs.into_iter().mapped(|b| b.with_layouts(layouts))),
            b => match (layouts.next(), b.scalar()) {
                (Some(Layout::Columns), Some(s)) => Boundary::ColumnMajor(s, b.rank()),
                (Some(Layout::Strided), Some(s)) => Boundary::Strided(s, b.rank()),
                _ => b,
            },
        }
    }

    pub(super) fn scalar(&self) -> Option<Scalar> {
        match self {
            Boundary::Scalar(s) | Boundary::Static(s, _) | Boundary::Slice(s, _) => Some(*s),
            Boundary::View(s, _) | Boundary::ColumnMajor(s, _) | Boundary::Strided(s, _) => Some(*s),
            Boundary::Fn(..) | Boundary::Tuple(_) => None,
        }
    }

    /// Scalars and arrays, left to right.
    pub(super) fn leaves(&self) -> Vec<&Boundary> {
        match self {
            Boundary::Tuple(bs) => bs.iter().flat_map(Boundary::leaves).collect_vec(),
            b => vec![b],
        }
    }

    /// The leaves for which a condition holds, nested as in this boundary; a tuple with one part left is that part.
    pub(super) fn only(&self, holds: &dyn Fn(&Boundary) -> bool) -> Option<Boundary> {
        let Boundary::Tuple(bs) = self else { return holds(self).then(|| self.clone()) };
        let mut left: Vec<Boundary> = bs.iter().filter_map(|b| b.only(holds)).collect_vec();
        if left.len() > 1 { Some(Boundary::Tuple(left)) } else { left.pop() }
    }

    /// The number of parts of a tuple, or 1.
    pub(super) fn parts(&self) -> usize {
        if let Boundary::Tuple(bs) = self { bs.len() } else { 1 }
    }

    pub(super) fn rank(&self) -> usize {
        match self {
            Boundary::Static(_, dims) => dims.len(),
            Boundary::Slice(_, inner) => 1 + inner.len(),
            Boundary::View(_, rank) | Boundary::ColumnMajor(_, rank) | Boundary::Strided(_, rank) => *rank,
            _ => 0,
        }
    }

    /// Whether only its outermost size is dynamic.
    pub(super) fn is_slice(&self) -> bool {
        matches!(self, Boundary::Slice(..))
    }

    /// Whether an argument of it is anything that has such rows.
    pub(super) fn has_rows(&self) -> bool {
        matches!(self, Boundary::Slice(_, inner) if !inner.is_empty())
    }

    /// Whether an argument of it is a view.
    pub(super) fn is_view(&self) -> bool {
        matches!(self, Boundary::View(..) | Boundary::ColumnMajor(..) | Boundary::Strided(..))
    }

    /// Whether an owned value of it is or contains a `Vec` or an `Array`.
    pub(super) fn is_on_the_heap(&self) -> bool {
        self.leaves().into_iter().any(|b| b.is_view() || matches!(b, Boundary::Slice(..)))
    }

    /// `[[T; 4]; 3]` for extents 3 and 4.
    fn nested(elem: Scalar, dims: &[TokenStream], rt: &Runtime) -> TokenStream {
        dims.iter().rev().fold(rt.scalar(elem).into(), |t, n| quote!([#t; #n]))
    }

    /// The element of a slice, or the whole of a static array.
    pub(super) fn element(&self, rt: &Runtime) -> TokenStream {
        match self {
            Boundary::Static(s, dims) | Boundary::Slice(s, dims) => Boundary::nested(*s, dims, rt),
            b => b.scalar().map_or(quote!(()), |s| rt.scalar(s).into()),
        }
    }

    /// The generic arguments of `View`, `ViewMut` and `Array`, without the lifetime.
    pub(super) fn view_arguments(&self, rt: &Runtime) -> TokenStream {
        let (e, rank) = (self.element(rt), Literal::usize_unsuffixed(self.rank()));
        match self {
            Boundary::ColumnMajor(..) => quote!(#e, #rank, #rt::ColumnMajor),
            _ => quote!(#e, #rank),
        }
    }

    /// The type of an argument. Adds the lifetimes that it needs to `lifetimes`: `impl Trait` allows no anonymous ones.
    pub(super) fn argument(&self, rt: &Runtime, lifetimes: &mut Vec<Lifetime>) -> TokenStream {
        let e = self.element(rt);
        match self {
            Boundary::Static(..) => quote!(&#e),
            b if b.has_rows() => quote!(&(impl #rt::AsRows<#e> + ?::core::marker::Sized)),
            Boundary::Slice(..) => quote!(&[#e]),
            Boundary::View(..) | Boundary::ColumnMajor(..) => {
                let (lifetime, view) = (fresh("arg", lifetimes), self.view_arguments(rt));
                quote!(impl #rt::IntoView<#lifetime, #view>)
            }
            Boundary::Strided(..) => {
                let (lifetime, view) = (fresh("arg", lifetimes), self.view_arguments(rt));
                quote!(impl #rt::IntoStridedView<#lifetime, #view>)
            }
            Boundary::Fn(ps, r) => Boundary::function(ps, r, rt),
            Boundary::Tuple(bs) => {
                let bs = bs.iter().mapped(|b| b.argument(rt, lifetimes));
                quote!((#(#bs,)*))
            }
            Boundary::Scalar(_) => e,
        }
    }

    /// The type of an in-out argument.
    pub(super) fn in_out(&self, rt: &Runtime, lifetimes: &mut Vec<Lifetime>) -> TokenStream {
        match self {
            Boundary::Scalar(_) => {
                let e = self.element(rt);
                quote!(&mut #e)
            }
            Boundary::Tuple(bs) => {
                let bs = bs.iter().mapped(|b| b.in_out(rt, lifetimes));
                quote!((#(#bs,)*))
            }
            b => b.destination(rt, lifetimes),
        }
    }

    /// The type of a destination.
    pub(super) fn destination(&self, rt: &Runtime, lifetimes: &mut Vec<Lifetime>) -> TokenStream {
        let e = self.element(rt);
        match self {
            Boundary::Static(..) => quote!(&mut #e),
            b if b.has_rows() => quote!(&mut (impl #rt::AsRowsMut<#e> + ?::core::marker::Sized)),
            Boundary::Slice(..) => quote!(&mut [#e]),
            _ => {
                let (lifetime, view) = (fresh("out", lifetimes), self.view_arguments(rt));
                quote!(impl #rt::IntoViewMut<#lifetime, #view>)
            }
        }
    }

    /// The type of an owned result.
    pub(super) fn owned(&self, rt: &Runtime) -> TokenStream {
        let e = self.element(rt);
        match self {
            Boundary::Slice(..) => quote!(#rt::Vec<#e>),
            Boundary::View(..) | Boundary::ColumnMajor(..) => {
                let view = self.view_arguments(rt);
                quote!(#rt::Array<#view>)
            }
            Boundary::Tuple(bs) => {
                let bs = bs.iter().map(|b| b.owned(rt));
                quote!((#(#bs,)*))
            }
            _ => e,
        }
    }

    /// The type of an argument of the reference.
    pub(super) fn reference_argument(&self, rt: &Runtime) -> TokenStream {
        match self {
            Boundary::Scalar(_) => self.element(rt),
            Boundary::Fn(ps, r) => {
                let (ps, r) = (ps.iter().map(|p| p.reference_value(rt)), r.reference_value(rt));
                quote!(impl ::core::ops::Fn(#(#ps),*) -> #r)
            }
            Boundary::Tuple(bs) => {
                let bs = bs.iter().map(|b| b.reference_argument(rt));
                quote!((#(#bs,)*))
            }
            _ => {
                let inner = self.vectors(rt, self.rank() - 1);
                quote!(&[#inner])
            }
        }
    }

    /// The type of an in-out argument of the reference.
    pub(super) fn reference_in_out(&self, rt: &Runtime) -> TokenStream {
        match self {
            Boundary::Scalar(_) => {
                let e = self.element(rt);
                quote!(&mut #e)
            }
            Boundary::Tuple(bs) => {
                let bs = bs.iter().map(|b| b.reference_in_out(rt));
                quote!((#(#bs,)*))
            }
            b => {
                let inner = b.vectors(rt, b.rank() - 1);
                quote!(&mut [#inner])
            }
        }
    }

    /// The type of a value inside the reference.
    pub(super) fn reference_value(&self, rt: &Runtime) -> TokenStream {
        match self {
            Boundary::Tuple(bs) => {
                let bs = bs.iter().map(|b| b.reference_value(rt));
                quote!((#(#bs,)*))
            }
            b => b.vectors(rt, b.rank()),
        }
    }

    fn vectors(&self, rt: &Runtime, rank: usize) -> TokenStream {
        (0..rank).fold(self.scalar().map_or(quote!(()), |s| rt.scalar(s).into()), |t, _| quote!(#rt::Vec<#t>))
    }
}

/// A fresh lifetime.
fn fresh(role: &str, lifetimes: &mut Vec<Lifetime>) -> Lifetime {
    let lifetime = Lifetime::new(&format!("'{role}{}", lifetimes.len()), Span::mixed_site());
    lifetimes.push(lifetime.clone());
    lifetime
}

/// The element type of an array. Pushes its extents, outermost first, `None` for those that are not static.
fn extents(t: &TypeExpr, lengths: &Lengths<'_>, sizes: &mut Vec<Option<TokenStream>>) -> Scalar {
    match &t.kind {
        TypeKind::Array(elem, len) => {
            sizes.push(len.as_ref().and_then(|e| length(e, lengths)));
            extents(elem, lengths, sizes)
        }
        TypeKind::Scalar(s) => *s,
        // Rejected; the stub needs some type.
        TypeKind::Tuple(_) | TypeKind::Fn(..) => Scalar::F64,
    }
}

fn length(e: &Expr, lengths: &Lengths<'_>) -> Option<TokenStream> {
    match &e.kind {
        ExprKind::Path(p) => match lengths(p)? {
            Length::Constant(n) => Some(n),
            Length::Generic(n) => Some(quote!(#n)),
        },
        ExprKind::Binary(op, a, b) => {
            let (op, a, b) = (arithmetic(op)?, constant(a, lengths)?, constant(b, lengths)?);
            Some(quote!(#a #op #b))
        }
        _ => constant(e, lengths),
    }
}

fn arithmetic(op: &str) -> Option<TokenStream> {
    if ["+", "-", "*", "/", "%"].contains(&op) { op.parse().ok() } else { None }
}

/// A number, or arithmetic on numbers and constants.
fn constant(e: &Expr, lengths: &Lengths<'_>) -> Option<TokenStream> {
    match &e.kind {
        ExprKind::Lit(Lit::Int(n, _), _) => {
            let n = Literal::u64_unsuffixed(u64::try_from(*n).ok()?);
            Some(quote!(#n))
        }
        ExprKind::Path(p) => match lengths(p)? {
            Length::Constant(n) => Some(n),
            Length::Generic(_) => None,
        },
        ExprKind::Binary(op, a, b) => {
            let (op, a, b) = (arithmetic(op)?, constant(a, lengths)?, constant(b, lengths)?);
            Some(quote!((#a #op #b)))
        }
        _ => None,
    }
}
