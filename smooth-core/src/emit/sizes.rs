//! Sizes → Rust: in bodies as plain `usize` arithmetic, at entry as checked arithmetic.

use super::names::Idents;
use crate::mapped::{Mapped, PushAll};
use crate::shape::bytes::Bytes;
use crate::shape::card::{Atom, Card, Op};
use crate::surface::rust::Runtime;
use crate::surface::rust::{called, placed};
use crate::ty::Scalar;
use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

/// A term without atoms keeps its coefficient, even 1.
const A_FACTOR: &str = "a factor in each term";

/// A `usize` expression for an extent of a value that exists: it was checked at entry, or when the slice was taken.
pub(super) fn plain(c: &Card, idents: &Idents<'_>, rt: &Runtime) -> TokenStream {
    if !c.never_negative() || c.atoms().iter().any(|a| matches!(a, Atom::Op(..) | Atom::Untracked)) {
        return exact(c, idents, rt, Span::mixed_site());
    }
    let terms: Vec<TokenStream> = c.terms().mapped(|(k, powers)| {
        product(k, powers, idents, rt).into_iter().reduce(|a, b| quote!(#a * #b)).expect(A_FACTOR)
    });
    match terms.as_slice() {
        [] => quote!(0usize),
        [one] if c.constant().is_some() || c.as_atom().is_some() => one.clone(),
        many => quote!((#(#many)+*)),
    }
}

/// A `usize` expression that panics in every build if the integer that it denotes is not a `usize`. For counts and the
/// operands of divisions: the proofs about indices treat these as integers. The panic is reported at `at`.
pub(super) fn exact(c: &Card, idents: &Idents<'_>, rt: &Runtime, at: Span) -> TokenStream {
    let call = |name: &str, args: TokenStream| {
        let name = Ident::new(name, at);
        called(quote!(#rt::#name), args, at)
    };
    let (mut plus, mut minus) = (Vec::new(), Vec::new());
    for (k, powers) in c.terms() {
        let factors = powers.iter().flat_map(|(a, power)| {
            let factor = match a {
                Atom::Op(op, x, y) => {
                    let (x, y) = (exact(x, idents, rt, at), exact(y, idents, rt, at));
                    match op {
                        Op::Div | Op::Rem => {
                            let (x, y) = (placed(&x, at), placed(&y, at));
                            if *op == Op::Div { quote!((#x / #y)) } else { quote!((#x % #y)) }
                        }
                        Op::Min => quote!(::core::cmp::Ord::min(#x, #y)),
                        Op::Max => quote!(::core::cmp::Ord::max(#x, #y)),
                        Op::Mul => call("mul", quote!(#x, #y)),
                        op => call(computed(*op), quote!(#x, #y)),
                    }
                }
                // An untracked size is not a valid one: panic.
                Atom::Untracked => call("sub", quote!(0, 1)),
                a => {
                    let ident = idents.atom(a);
                    quote!(#ident)
                }
            };
            std::iter::repeat_n(factor, *power as usize)
        });
        let factors: Vec<TokenStream> = coefficient(k, powers.is_empty(), rt).into_iter().chain(factors).collect_vec();
        let term = factors.into_iter().reduce(|a, b| call("mul", quote!(#a, #b))).expect(A_FACTOR);
        if k < 0 { minus.push(term) } else { plus.push(term) }
    }
    let sum = |ts: Vec<TokenStream>| ts.into_iter().reduce(|a, b| call("add", quote!(#a, #b)));
    match (sum(plus), sum(minus)) {
        (p, None) => p.unwrap_or(quote!(0usize)),
        (p, Some(m)) => {
            let p = p.unwrap_or(quote!(0usize));
            call("sub", quote!(#p, #m))
        }
    }
}

/// The function of the run-time library for an operation; with `size_` before it, for the checked one.
fn computed(op: Op) -> &'static str {
    if op == Op::NextPower { "next_power" } else { op.name() }
}

/// Whether a polynomial in sizes is at least a number, for a decision that does not matter if the polynomial is not a `usize`.
pub(super) fn at_least(c: &Card, least: i128, idents: &Idents<'_>, rt: &Runtime) -> TokenStream {
    if let Some(n) = c.constant() {
        let enough = n >= least;
        return quote!(#enough);
    }
    let (n, least) = (signed(c, idents, rt), Literal::i128_unsuffixed(least));
    quote!(#n >= #least)
}

/// The number of an element that exists, in two parts: the start of its row, if that is not 0, and the rest. LLVM can tell
/// elements of different columns apart if the row is a separate pointer.
pub(super) fn offset(c: &Card, idents: &Idents<'_>, rt: &Runtime) -> (Option<TokenStream>, TokenStream) {
    let is_exact = |a: &&Atom| matches!(a, Atom::Op(..) | Atom::Untracked) && part(a).is_none();
    if c.atoms().iter().any(is_exact) {
        return (None, exact(c, idents, rt, Span::mixed_site()));
    }
    if !c.never_negative() {
        return (None, wrapping(c, idents, rt));
    }
    // No part of a sum without negative terms is larger than the sum.
    let (rest, row): (Vec<_>, Vec<_>) = c.terms().partition(|(k, powers)| match powers {
        [] => true,
        [(_, power)] => (*k, *power) == (1, 1),
        _ => false,
    });
    let sum = |terms: Vec<Term<'_>>| {
        let products = terms.into_iter().map(|(k, powers)| {
            let factors = product(k, powers, idents, rt).into_iter();
            factors.reduce(|a, b| quote!(#rt::times(#a, #b))).expect(A_FACTOR)
        });
        products.reduce(|a, b| quote!(#rt::plus(#a, #b)))
    };
    (sum(row), sum(rest).unwrap_or(quote!(0usize)))
}

/// `a` and `b`, added, subtracted or multiplied as `usize`s that wrap. `a` is a name, a number or a call.
fn wrap(a: &TokenStream, op: &str, b: &TokenStream) -> TokenStream {
    let method = format_ident!("wrapping_{op}");
    quote!(#a.#method(#b))
}

/// A term of a size: its coefficient and powers.
type Term<'c> = (i128, &'c [(Atom, u32)]);

/// An expression for an integer that is a `usize`, though parts of it may not be: it wraps where it has to.
fn wrapping(c: &Card, idents: &Idents<'_>, rt: &Runtime) -> TokenStream {
    let (minus, plus): (Vec<_>, Vec<_>) = c.terms().partition(|(k, _)| *k < 0);
    let sum = |terms: Vec<Term<'_>>| {
        let products = terms.into_iter().map(|(k, powers)| {
            let factors = product(k.abs(), powers, idents, rt).into_iter();
            factors.reduce(|a, b| wrap(&a, "mul", &b)).expect(A_FACTOR)
        });
        products.reduce(|a, b| wrap(&a, "add", &b))
    };
    let plus = sum(plus).unwrap_or(quote!(0usize));
    match sum(minus) {
        Some(minus) => wrap(&plus, "sub", &minus),
        None => plus,
    }
}

/// An expression for an integer in two's complement, which may be negative: an offset in a strided argument, or a stride.
/// Only divisions and extremes, which do not commute with wrapping, are computed exactly.
pub(super) fn signed(c: &Card, idents: &Idents<'_>, rt: &Runtime) -> TokenStream {
    let mut sum: Option<TokenStream> = None;
    for (k, powers) in c.terms() {
        let atoms = powers.iter().flat_map(|(a, power)| {
            let factor = match a {
                Atom::Op(..) | Atom::Untracked => {
                    let number = exact(&Card::atom(a.clone()), idents, rt, Span::mixed_site());
                    quote!((#number))
                }
                a => {
                    let ident = idents.atom(a);
                    quote!(#ident)
                }
            };
            std::iter::repeat_n(factor, *power as usize)
        });
        let factors = coefficient(k, powers.is_empty(), rt).into_iter().chain(atoms);
        let product = factors.reduce(|a, b| wrap(&a, "mul", &b)).expect(A_FACTOR);
        sum = Some(match sum {
            None if k < 0 => wrap(&quote!(0usize), "sub", &product),
            None => product,
            Some(sum) if k < 0 => wrap(&sum, "sub", &product),
            Some(sum) => wrap(&sum, "add", &product),
        });
    }
    sum.unwrap_or(quote!(0usize))
}

/// The coefficient of a term; `None` if it is 1 and not `alone`.
fn coefficient(k: i128, alone: bool, rt: &Runtime) -> Option<TokenStream> {
    match u64::try_from(k.unsigned_abs()) {
        Ok(1) if !alone => None,
        // The count of a loop that only its test ends, on every target.
        Ok(u64::MAX) => Some(quote!(usize::MAX)),
        Ok(k) => {
            // Only a number with a type has methods.
            let lit: TokenStream = format!("{k}usize").parse().expect("a literal");
            Some(lit)
        }
        // Too large for any `usize`: panic.
        Err(_) => Some(quote!(#rt::add(usize::MAX, 1))),
    }
}

/// The operand and the divisor of an operation that is a `usize` for every operand.
fn part(a: &Atom) -> Option<(&Atom, i128)> {
    let Atom::Op(Op::Div | Op::Rem, x, y) = a else { return None };
    let simple = |a: &&Atom| matches!(a, Atom::Var(_) | Atom::Len(..));
    Some((x.as_atom().filter(simple)?, y.constant().filter(|n| (1..=u32::MAX.into()).contains(n))?))
}

/// The factors of a term, its coefficient first.
fn product(k: i128, powers: &[(Atom, u32)], idents: &Idents<'_>, rt: &Runtime) -> Vec<TokenStream> {
    let atoms = powers.iter().flat_map(|(a, power)| {
        let factor = match part(a) {
            Some((x, n)) => {
                let (x, n) = (idents.atom(x), Literal::i128_unsuffixed(n));
                if matches!(a, Atom::Op(Op::Div, ..)) { quote!((#x / #n)) } else { quote!((#x % #n)) }
            }
            None => idents.atom(a).to_token_stream(),
        };
        std::iter::repeat_n(factor, *power as usize)
    });
    coefficient(k, powers.is_empty(), rt).into_iter().chain(atoms).collect_vec()
}

/// An `Option<i128>` expression, `None` on overflow; usable in a `const fn`.
pub(super) fn checked(c: &Card, idents: &Idents<'_>, rt: &Runtime) -> TokenStream {
    let operation = |a: &Atom| match a {
        Atom::Op(op, x, y) => {
            let (x, y) = (checked(x, idents, rt), checked(y, idents, rt));
            Some(match op {
                Op::Div => quote!(#rt::size_div(#x, #y)),
                Op::Rem => quote!(#rt::size_rem(#x, #y)),
                Op::Min => quote!(#rt::size_min(#x, #y)),
                Op::Max => quote!(#rt::size_max(#x, #y)),
                Op::Mul => quote!(#rt::size_mul(#x, #y)),
                op => {
                    let name = format_ident!("size_{}", computed(*op));
                    quote!(#rt::#name(#x, #y))
                }
            })
        }
        Atom::Untracked => Some(quote!(#rt::None)),
        Atom::Var(_) | Atom::Len(..) => None,
    };
    let products = c.terms().map(|(k, powers)| {
        let (mut names, mut operations) = (Vec::new(), Vec::new());
        for (a, power) in powers {
            match operation(a) {
                Some(o) => operations.push_all(std::iter::repeat_n(o, *power as usize)),
                None => names.push_all(std::iter::repeat_n(idents.atom(a), *power as usize)),
            }
        }
        let (minus, lit) = ((k < 0).then(|| quote!(-)), Literal::u128_unsuffixed(k.unsigned_abs()));
        let named = (k != 1 || !names.is_empty() || operations.is_empty())
            .then(|| quote!(#rt::size_term(#minus #lit, [#(#names),*])));
        named.into_iter().chain(operations).reduce(|a, b| quote!(#rt::size_mul(#a, #b))).expect(A_FACTOR)
    });
    products.reduce(|a, b| quote!(#rt::size_add(#a, #b))).unwrap_or(quote!(#rt::Some(0)))
}

/// The bytes of a frame as a checked expression. The size of a block under a condition may be negative if the condition
/// does not hold, and then counts as 0.
pub(super) fn bytes(b: &Bytes, idents: &Idents<'_>, rt: &Runtime) -> TokenStream {
    let sums = b.sums().iter().map(|s| {
        let blocks = s.arrays.iter().map(|((elem, len), n)| {
            let (len, n) = (checked(len, idents, rt), Literal::u64_unsuffixed(*n));
            let size = match elem {
                Scalar::Open(..) => {
                    let ty = rt.scalar(*elem);
                    quote!(::core::mem::size_of::<#ty>())
                }
                elem => Literal::u64_unsuffixed(elem.bytes()).to_token_stream(),
            };
            quote!(#rt::size_of_blocks(#n, #len, #size))
        });
        let constant = Literal::u64_unsuffixed(s.constant);
        let constant = (s.constant > 0 || blocks.len() == 0).then(|| quote!(#rt::Some(#constant)));
        constant.into_iter().chain(blocks).reduce(|sum, block| quote!(#rt::size_add(#sum, #block)))
    });
    sums.flatten().reduce(|a, b| quote!(#rt::size_max(#a, #b))).unwrap_or(quote!(#rt::Some(0)))
}
