//! Sizes → Rust: in bodies as plain `usize` arithmetic, at entry as checked arithmetic.

use super::names::Idents;
use crate::shape::bytes::Bytes;
use crate::shape::card::{Atom, Card, Op};
use proc_macro2::{Literal, TokenStream};
use quote::quote;

/// A `usize` expression. A difference that is negative at run time panics, as Rust's own would in a
/// debug build: the proofs about loops take counts for what they are as integers.
pub(super) fn plain(c: &Card, idents: &Idents<'_>, rt: &TokenStream) -> TokenStream {
    let (mut plus, mut minus) = (Vec::new(), Vec::new());
    for (k, powers) in c.terms() {
        let mut factors = Vec::new();
        for (a, power) in powers {
            let factor = match a {
                Atom::Op(op, x, y) => {
                    let (x, y) = (plain(x, idents, rt), plain(y, idents, rt));
                    match op {
                        Op::Div => quote!((#x / #y)),
                        Op::Rem => quote!((#x % #y)),
                        Op::Min => quote!(::core::cmp::Ord::min(#x, #y)),
                        Op::Max => quote!(::core::cmp::Ord::max(#x, #y)),
                        Op::Mul => quote!((#x * #y)),
                    }
                }
                a => {
                    let ident = idents.atom(a);
                    quote!(#ident)
                }
            };
            factors.extend(std::iter::repeat_n(factor, *power as usize));
        }
        let size = usize::try_from(k.unsigned_abs()).unwrap_or(usize::MAX);
        if size != 1 || factors.is_empty() {
            let lit = Literal::usize_unsuffixed(size);
            factors.insert(0, quote!(#lit));
        }
        let term = factors.into_iter().reduce(|a, b| quote!(#a * #b)).unwrap_or_default();
        if k < 0 { minus.push(term) } else { plus.push(term) }
    }
    let sum = |ts: Vec<TokenStream>| ts.into_iter().reduce(|a, b| quote!(#a + #b));
    match (sum(plus), sum(minus)) {
        (None, None) => quote!(0usize),
        (Some(p), None) if c.constant().is_some() || c.as_atom().is_some() => quote!(#p),
        (Some(p), None) => quote!((#p)),
        (p, Some(m)) => {
            let p = p.unwrap_or(quote!(0usize));
            quote!(#rt::sub(#p, #m))
        }
    }
}

/// An `Option<i128>` expression in which nothing can overflow unnoticed; usable in `const fn`.
pub(super) fn checked(c: &Card, idents: &Idents<'_>, rt: &TokenStream) -> TokenStream {
    let mut sum: Option<TokenStream> = None;
    for (k, powers) in c.terms() {
        let lit = Literal::i128_suffixed(k.abs());
        let minus = (k < 0).then(|| quote!(-));
        let mut product: Option<TokenStream> =
            (k != 1 || powers.is_empty()).then(|| quote!(::core::option::Option::Some(#minus #lit)));
        for (a, power) in powers {
            let factor = match a {
                Atom::Op(op, x, y) => {
                    let (x, y) = (checked(x, idents, rt), checked(y, idents, rt));
                    match op {
                        Op::Div => quote!(#rt::size_div(#x, #y)),
                        Op::Rem => quote!(#rt::size_rem(#x, #y)),
                        Op::Min => quote!(#rt::size_min(#x, #y)),
                        Op::Max => quote!(#rt::size_max(#x, #y)),
                        Op::Mul => quote!(#rt::size_mul(#x, #y)),
                    }
                }
                a => {
                    let ident = idents.atom(a);
                    quote!(::core::option::Option::Some(#ident as i128))
                }
            };
            for _ in 0..*power {
                product = Some(match product {
                    Some(p) => quote!(#rt::size_mul(#p, #factor)),
                    None => factor.clone(),
                });
            }
        }
        let product = product.unwrap_or_default();
        sum = Some(match sum {
            Some(s) => quote!(#rt::size_add(#s, #product)),
            None => product,
        });
    }
    sum.unwrap_or(quote!(::core::option::Option::Some(0i128)))
}

/// The bytes of a frame as a checked expression; what a condition may keep from existing counts as no
/// less than nothing.
pub(super) fn bytes(b: &Bytes, idents: &Idents<'_>, rt: &TokenStream) -> TokenStream {
    let some = |n: u64| {
        let lit = Literal::i128_suffixed(n.into());
        quote!(::core::option::Option::Some(#lit))
    };
    let sums = b.sums().iter().map(|s| {
        let blocks = s.arrays.iter().map(|((elem, len), n)| {
            let (len, zero) = (checked(len, idents, rt), some(0));
            let (size, n) = (some(elem.bytes()), some(*n));
            quote!(#rt::size_mul(#n, #rt::round64(#rt::size_mul(#rt::size_max(#len, #zero), #size))))
        });
        blocks.fold(some(s.constant), |sum, block| quote!(#rt::size_add(#sum, #block)))
    });
    sums.reduce(|a, b| quote!(#rt::size_max(#a, #b))).unwrap_or_else(|| some(0))
}
