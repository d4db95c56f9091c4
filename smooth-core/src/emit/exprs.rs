//! Expressions and calls as Rust.

use super::body::{Body, placed, spanned};
use crate::fsmooth::{Callee, Via};
use crate::loops::{Arg, Call, Expr, Out, Place};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::{Prim, Spelling};
use crate::shape::card::{Atom, Card};
use crate::shape::total;
use crate::span::Origin;
use crate::surface::rust::{float, operator};
use crate::ty::{Scalar, Type};
use crate::value::Lit;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};

/// The tokens of a text that the compiler wrote.
fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|e| panic!("`{text}` is not a token: {e}"))
}

impl Body<'_> {
    /// An expression, as an operand.
    pub(super) fn expr(&self, e: &Expr) -> TokenStream {
        let rt = self.rt;
        match e {
            Expr::Var(v) => self.idents.var(*v).to_token_stream(),
            Expr::Lit(l) => self.literal(*l),
            Expr::Const(k) => {
                let c = format_ident!("C{k}");
                quote!(<Kernel as Body>::#c)
            }
            Expr::Size(c, origin) => super::sizes::exact(c, self.idents, rt, self.spans.get(*origin)),
            Expr::Load(a) => self.load(a),
            Expr::If(es) => {
                let [c, a, b] = &**es;
                let (c, a, b) = (self.expr(c), self.expr(a), self.expr(b));
                quote!((if #c { #a } else { #b }))
            }
            Expr::App(f, es, _) => {
                let (f, es) = (self.idents.var(*f), es.iter().map(|e| self.expr(e)));
                quote!(#f(#(#es),*))
            }
            Expr::Prim(p, es, origin) => self.prim(*p, es, *origin),
        }
    }

    fn literal(&self, l: Lit) -> TokenStream {
        match l {
            Lit::Float(bits, s) => float(f64::from_bits(bits), s, self.rt),
            Lit::Int(i, s) => {
                let wide = s == Scalar::U128;
                let magnitude = if wide { i as u128 } else { i.unsigned_abs() };
                let lit = tokens(&format!("{magnitude}{}", s.name()));
                if i < 0 && !wide { quote!((-#lit)) } else { lit }
            }
            Lit::Bool(b) => quote!(#b),
        }
    }

    fn prim(&self, p: Prim, args: &[Expr], origin: Origin) -> TokenStream {
        let (rt, span) = (self.rt, self.at(origin));
        let a: Vec<TokenStream> = args.iter().mapped(|a| self.expr(a));
        let (x, y) = (&a[0], a.get(1));
        match p.spelling() {
            Spelling::Infix => {
                let at = if p.may_panic(Scalar::I64) { self.spans.get(origin) } else { span };
                let op = operator(p.name(), at);
                match y {
                    Some(y) if p.may_panic(Scalar::I64) => {
                        let (x, y) = (placed(x, at), placed(y, at));
                        quote_spanned!(span=> (#x #op #y))
                    }
                    _ => quote_spanned!(span=> (#x #op #y)),
                }
            }
            Spelling::Prefix if p == Prim::Neg => {
                let at = self.spans.get(origin);
                let (op, x) = (operator("-", at), placed(x, at));
                quote_spanned!(span=> (#op #x))
            }
            Spelling::Prefix => quote_spanned!(span=> (!#x)),
            Spelling::Cast => {
                let to = p.target().unwrap_or_else(|| panic!("`{}` casts to no type", p.name()));
                let ty = rt.scalar(to);
                match (to, !self.f.interface.types.is_empty()) {
                    // Rust has no `as` for type parameters.
                    (Scalar::Open(..), _) => quote_spanned!(span=> #rt::math::to_number::<#ty, _>(#x)),
                    (_, true) => quote_spanned!(span=> #rt::math::cast::<#ty, _>(#x)),
                    _ => quote_spanned!(span=> (#x as #ty)),
                }
            }
            Spelling::Internal if p == Prim::Choose => quote!(#rt::choose(#(#a),*)),
            Spelling::Internal if p == Prim::Opaque => {
                let zero = super::body::zero();
                quote!(#rt::opaque(#(#a),*, #zero))
            }
            Spelling::Internal if p == Prim::Contract => {
                let cpu = super::body::cpu();
                quote!(#rt::contract(#cpu, #(#a),*))
            }
            Spelling::Internal => self.checked(p.name(), quote!(#(#a),*), origin),
            Spelling::Method | Spelling::Function if self.f.fast && p.is_elementary() => {
                let (name, cpu) = (Ident::new(p.name(), span), super::body::cpu());
                quote_spanned!(span=> #rt::fused::#name(#cpu, #(#a),*))
            }
            Spelling::Method | Spelling::Function => {
                // Every token has the user's location: rustc reports there that a feature for the function is missing.
                let (name, rt) = (Ident::new(p.name(), span), spanned(rt.to_token_stream(), span));
                quote_spanned!(span=> #rt::math::#name(#(#a),*))
            }
        }
    }

    /// A call: its destinations first, then its arguments, then the sizes that are not arguments.
    pub(super) fn call(&self, c: &Call) -> TokenStream {
        let (callee, function) = (&self.f.interface.callees[c.callee], format_ident!("call{}", c.callee));
        let arrays = c.outs.iter().filter_map(|o| match o {
            Out::Array(a, shape) => Some(self.cells(a, &total(shape))),
            Out::Place(_) => None,
        });
        let args = c.args.iter().filter_map(|a| match a {
            Arg::Scalar(e) => Some(self.expr(e)),
            Arg::Array(a, shape, None) => Some(self.values(a, &total(shape))),
            Arg::Array(a, shape, Some(strides)) => Some(self.strided(a, shape, strides)),
            Arg::There(_) => None,
        });
        let sizes = raw_sizes(callee, &c.sizes).map(|n| self.size(n));
        let frame = super::body::inner("frame");
        // The callee's types need not mention all of the kernel's type parameters.
        let types = Scalar::params(&self.f.interface.types).mapped(|s| self.rt.scalar(s));
        let types = if types.is_empty() { quote!() } else { quote!(::<#(#types),*>) };
        let call = match callee.via {
            Via::Argument(f) => self.call_of_argument(f, c),
            _ => quote!(<Kernel as Body>::#function #types(#(#arrays,)* #(#args,)* #(#sizes,)* &mut *#frame)),
        };
        let places: Vec<&Place> =
            c.outs.iter().filter_map(|o| if let Out::Place(p) = o { Some(p) } else { None }).collect_vec();
        let numbers: Vec<Ident> = (0..places.len()).mapped(|k| super::body::inner(&format!("number{k}")));
        let stores = places.iter().zip(&numbers).map(|(p, x)| self.store(p, &quote!(#x)));
        match numbers.as_slice() {
            [] => quote!(#call;),
            [one] => quote!(let #one = #call; #(#stores)*),
            many => quote!(let (#(#many),*) = #call; #(#stores)*),
        }
    }

    /// Stores a value that reads no buffer.
    pub(super) fn store(&self, p: &Place, value: &TokenStream) -> TokenStream {
        match p {
            Place::Var(v) => {
                let v = self.idents.var(*v);
                quote!(#v = #value;)
            }
            Place::Element(a) => self.put(a, value),
        }
    }
}

/// The sizes that a callee's body takes as separate parameters: those that are not arguments.
pub(super) fn raw_sizes<'c>(callee: &Callee, sizes: &'c [Card]) -> impl Iterator<Item = &'c Card> {
    let params: Vec<VarId> = callee.params.iter().filter(|p| p.ty() == Type::USIZE).mapped(|p| p.var);
    let atoms = crate::shape::entry_atoms(&callee.params);
    atoms.into_iter().zip(sizes).filter(move |(a, _)| !matches!(a, Atom::Var(v) if params.contains(v))).map(|(_, c)| c)
}
