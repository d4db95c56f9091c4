//! DPS-F̃ → the body of a Rust function: loops over flat slices, in the user's names.
//!
//! Arrays are `&[T]`, storage is `&mut [MaybeUninit<T>]`, the rest of the frame is always called `frame`.
//! Accesses without a check were proved to be in range by the shapes (`lower`), or are writes and reads in the order
//! that `dps::eval` checks. The operations themselves are in the run-time library.

use super::names::Idents;
use super::sizes;
use crate::dps::{Alias, Alloc, Arg, Build, Call, Copy, Dest, Fill, Leaf, Let, Program, Term};
use crate::fsmooth::Callee;
use crate::name::VarId;
use crate::prim::Spelling;
use crate::shape::Shape;
use crate::shape::card::Card;
use crate::span::{Origin, Spans};
use crate::surface::rust::float;
pub(super) use crate::surface::rust::scalar as scalar_type;
use crate::ty::{Scalar, Type};
use crate::value::Lit;
use proc_macro2::{Delimiter, Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use std::cell::RefCell;
use std::collections::BTreeMap;

pub(super) struct Body<'p> {
    pub(super) p: &'p Program,
    pub(super) idents: &'p Idents<'p>,
    pub(super) rt: &'p TokenStream,
    pub(super) spans: &'p Spans,
    /// Whether the kernel has type parameters: Rust has no `as` for their values.
    generic: bool,
    shapes: RefCell<BTreeMap<VarId, Shape>>,
    /// Storage that is placed in other storage: the variable of that, and the offset in it unless it is all of it.
    pub(super) parts: RefCell<BTreeMap<VarId, (Ident, Option<TokenStream>)>>,
}

/// An identifier that cannot refer to an item of the user's; a keyword gets a `_`.
pub(super) fn local(name: &str) -> Ident {
    match syn::parse_str::<Ident>(name) {
        Ok(_) => Ident::new(name, Span::mixed_site()),
        Err(_) => format_ident!("{name}_", span = Span::mixed_site()),
    }
}

/// An identifier of the compiler's own, which differs from the names of all the user's variables.
pub(super) fn inner(name: &str) -> Ident {
    local(&format!("__{name}"))
}

/// The tokens of a text that the compiler wrote.
fn tokens(text: &str) -> TokenStream {
    text.parse().unwrap_or_else(|e| panic!("`{text}` is not a token: {e}"))
}

/// The same tokens, all with one span.
fn spanned(tokens: TokenStream, span: Span) -> TokenStream {
    let at = |mut t: TokenTree| {
        t.set_span(span);
        t
    };
    tokens.into_iter().map(at).collect()
}

/// A call of a function of the run-time library that panics at the user's line. Every token of it needs the user's own
/// span: a single token of the macro's would move the location to the attribute.
pub(super) fn called(rt: &TokenStream, name: &str, args: TokenStream, span: Span) -> TokenStream {
    let name = Ident::new(name, span);
    let path = spanned(quote!(#rt::#name), span);
    let mut group = Group::new(Delimiter::Parenthesis, args);
    group.set_span(span);
    quote!(#path #group)
}

/// An operand between parentheses with the user's own span. rustc takes the location of an overflow from the spans of the
/// operands, and a variable has the macro's hygiene, and with it the location of the attribute.
pub(super) fn placed(operand: &TokenStream, span: Span) -> TokenStream {
    let mut trees = operand.clone().into_iter();
    let mut group = match (trees.next(), trees.next()) {
        (Some(TokenTree::Group(g)), None) if g.delimiter() == Delimiter::Parenthesis => g,
        _ => Group::new(Delimiter::Parenthesis, operand.clone()),
    };
    group.set_span(span);
    TokenTree::Group(group).into()
}

impl<'p> Body<'p> {
    pub(super) fn new(p: &'p Program, idents: &'p Idents<'p>, rt: &'p TokenStream, spans: &'p Spans) -> Self {
        let mut shapes: BTreeMap<VarId, Shape> =
            p.params.iter().map(|q| (q.var, (0..q.dims().len()).map(|k| q.extent(k)).collect())).collect();
        for l in &p.results {
            if let Leaf::Storage(r, _, shape) = l {
                shapes.insert(*r, shape.clone());
            }
        }
        let generic = p.is_generic();
        Body { p, idents, rt, spans, generic, shapes: RefCell::new(shapes), parts: RefCell::default() }
    }

    /// The statements of the body, its value last.
    pub(super) fn function(&self) -> TokenStream {
        let cells: Vec<(Ident, TokenStream)> = self
            .p
            .results
            .iter()
            .filter_map(|l| if let Leaf::Cell(v, s) = l { Some((self.idents.var(*v), scalar_type(*s))) } else { None })
            .collect();
        let body = self.block(&self.p.body);
        if matches!(self.p.results.as_slice(), [Leaf::Value(_)]) {
            return body;
        }
        let (names, types): (Vec<_>, Vec<_>) = cells.into_iter().unzip();
        let value = match names.as_slice() {
            [] => return body,
            [one] => quote!(#one),
            many => quote!((#(#many),*)),
        };
        quote!(#(let #names: #types;)* { #body } #value)
    }

    pub(super) fn shape_of(&self, v: VarId) -> Shape {
        let shapes = self.shapes.borrow();
        shapes.get(&v).cloned().unwrap_or_else(|| panic!("the shape of `{}` is not known", self.p.names.unique(v)))
    }

    pub(super) fn know(&self, v: VarId, shape: &Shape) {
        self.shapes.borrow_mut().insert(v, shape.clone());
    }

    pub(super) fn size(&self, c: &Card) -> TokenStream {
        sizes::plain(c, self.idents, self.rt)
    }

    /// The location of the user's tokens with the macro's hygiene.
    fn at(&self, origin: Origin) -> Span {
        Span::mixed_site().located_at(self.spans.get(origin))
    }

    /// A call of a check that panics at the user's line.
    pub(super) fn checked(&self, name: &str, args: TokenStream, origin: Origin) -> TokenStream {
        called(self.rt, name, args, self.spans.get(origin))
    }

    /// A term as an operand: in braces or parentheses if it needs them.
    pub(super) fn operand(&self, t: &Term) -> TokenStream {
        match t {
            Term::Let(_) | Term::Alloc(_) | Term::Fill(_) | Term::Alias(_) | Term::Fold(_) | Term::Seq(_) => {
                let block = self.block(t);
                quote!({ #block })
            }
            Term::If(..) => {
                let e = self.block(t);
                quote!((#e))
            }
            _ => self.block(t),
        }
    }

    /// The statements of a block, its value last if there is one. Iterates over sequences of bindings, which may be too
    /// long for recursion.
    pub(super) fn block(&self, mut t: &Term) -> TokenStream {
        let mut out = TokenStream::new();
        loop {
            t = match t {
                Term::Let(Let { x, ty, value, body }) => {
                    let (x, ty, value) = (self.idents.var(*x), scalar_type(*ty), self.operand(value));
                    out.extend(quote!(let #x: #ty = #value;));
                    body
                }
                Term::Alloc(Alloc { blocks, body }) => {
                    out.extend(self.alloc(blocks));
                    body
                }
                Term::Fill(Fill { cells, arrays, write, body }) => {
                    let names = cells.iter().map(|(c, _)| self.idents.var(*c));
                    let types = cells.iter().map(|(_, s)| scalar_type(*s));
                    let write = self.block(write);
                    out.extend(quote!(#(let #names: #types;)* { #write }));
                    for (x, r) in arrays {
                        self.know(*x, &self.shape_of(*r));
                        let (x, values) = (self.idents.var(*x), self.values(*r));
                        out.extend(quote!(let #x = #values;));
                    }
                    body
                }
                Term::Alias(Alias { x, view, shape, body, .. }) => {
                    let view = self.slice(view, shape);
                    self.know(*x, shape);
                    let x = self.idents.var(*x);
                    out.extend(quote!(let #x = #view;));
                    body
                }
                last => {
                    out.extend(self.last(last));
                    return out;
                }
            }
        }
    }

    /// A term that binds no variables for later statements.
    fn last(&self, t: &Term) -> TokenStream {
        let rt = self.rt;
        match t {
            Term::Let(_) | Term::Alloc(_) | Term::Fill(_) | Term::Alias(_) => self.block(t),
            Term::Var(v) => self.idents.var(*v).to_token_stream(),
            Term::Lit(l) => self.literal(*l),
            Term::Const(k) => {
                let c = format_ident!("C{k}");
                quote!(<Kernel as Body>::#c)
            }
            Term::Size(c, origin) => sizes::exact(c, self.idents, self.rt, self.spans.get(*origin)),
            Term::Prim(p, args, origin) => self.prim(*p, args, *origin),
            Term::Load(v) => {
                let (base, offset) = self.element(v);
                quote!(#rt::at(#base, #offset))
            }
            Term::Previous(d) => {
                let (r, offset) = self.cell(d, "row");
                quote!(#rt::old(#r, #offset))
            }
            Term::AlreadyThere(..) => TokenStream::new(),
            Term::App(f, args, _) => {
                let (f, args) = (self.idents.var(*f), args.iter().map(|a| self.operand(a)));
                quote!(#f(#(#args),*))
            }
            Term::If(c, a, b) => {
                let (c, a, b) = (self.operand(c), self.block(a), self.block(b));
                quote!(if #c { #a } else { #b })
            }
            Term::Reduce(r) => self.reduce(r),
            Term::Reduces(r) => self.reduces(r),
            Term::Combine(c) => self.combine(c),
            Term::Build(Build { count, index, body }) => {
                let (n, i, body) = (self.operand(count), self.idents.var(*index), self.block(body));
                quote!(for #i in 0..#n { #body })
            }
            Term::Fold(f) => self.fold(f),
            Term::InRange(i, n, origin) => {
                let (i, n) = (self.operand(i), self.size(n));
                self.checked("index", quote!(#i, #n), *origin)
            }
            Term::Set(d, t) => self.last(&Term::Store(d.clone(), t.clone())),
            Term::Store(Dest::Cell(v), t) => {
                let (v, t) = (self.idents.var(*v), self.operand(t));
                quote!(#v = #t;)
            }
            Term::Store(d, t) => {
                let (r, offset) = self.cell(d, "row_mut");
                let value = self.operand(t);
                if !uses_storage(t) && (is_atom(t) || !self.is_inside(d)) {
                    return quote!(#rt::put(#r, #offset, #value););
                }
                // Evaluate the value first: it reads the storage, or allocates in it, and the store borrows that
                // storage mutably.
                let new = inner("new");
                quote!(let #new = #value; #rt::put(#r, #offset, #new);)
            }
            Term::Copy(Copy { dest, view, shape, .. }) => {
                let (to, from) = (self.cells(dest), self.slice(view, shape));
                quote!(#rt::copy(#to, #from);)
            }
            Term::Seq(ts) => {
                let ts = ts.iter().map(|t| {
                    let block = self.block(t);
                    if matches!(t, Term::Store(..) | Term::Copy(_) | Term::Build(_)) {
                        block
                    } else {
                        quote!({ #block })
                    }
                });
                quote!(#(#ts)*)
            }
            Term::Call(c) => self.call(c),
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

    fn prim(&self, p: crate::prim::Prim, args: &[Term], origin: Origin) -> TokenStream {
        let rt = self.rt;
        let span = self.at(origin);
        let a: Vec<TokenStream> = args.iter().map(|a| self.operand(a)).collect();
        let (x, y) = (&a[0], a.get(1));
        match p.spelling() {
            Spelling::Infix => {
                let at = if p.may_panic(Scalar::I64) { self.spans.get(origin) } else { span };
                let op = spanned(tokens(p.name()), at);
                match y {
                    Some(y) if p.may_panic(Scalar::I64) => {
                        let (x, y) = (placed(x, at), placed(y, at));
                        quote_spanned!(span=> (#x #op #y))
                    }
                    _ => quote_spanned!(span=> (#x #op #y)),
                }
            }
            Spelling::Prefix if p == crate::prim::Prim::Neg => {
                let at = self.spans.get(origin);
                let (op, x) = (spanned(quote!(-), at), placed(x, at));
                quote_spanned!(span=> (#op #x))
            }
            Spelling::Prefix => quote_spanned!(span=> (!#x)),
            Spelling::Cast => {
                let to = p.target().unwrap_or_else(|| panic!("`{}` casts to no type", p.name()));
                let ty = scalar_type(to);
                match (to, self.generic) {
                    (Scalar::Real(_), _) => quote_spanned!(span=> #rt::math::to_real::<#ty, _>(#x)),
                    (_, true) => quote_spanned!(span=> #rt::math::cast::<#ty, _>(#x)),
                    _ => quote_spanned!(span=> (#x as #ty)),
                }
            }
            Spelling::Internal => self.checked(p.name(), quote!(#(#a),*), origin),
            Spelling::Method => {
                // Every token has the user's location: rustc reports there that a feature for the function is missing.
                let (name, rt) = (Ident::new(p.name(), span), spanned(rt.clone(), span));
                quote_spanned!(span=> #rt::math::#name(#(#a),*))
            }
        }
    }

    fn call(&self, Call { callee: k, dests, args, sizes, .. }: &Call) -> TokenStream {
        let callee = &self.p.callees[*k];
        let function = format_ident!("call{k}");
        let outs: Vec<TokenStream> = dests.iter().filter(|d| self.is_array(d)).map(|d| self.cells(d)).collect();
        // The call borrows its destinations first. Arguments that use storage, or read the previous values in a
        // destination's storage, are evaluated before the call.
        let (mut before, mut passed) = (TokenStream::new(), Vec::new());
        for (k, a) in args.iter().enumerate() {
            match a {
                Arg::Scalar(t) if uses_storage(t) || !outs.is_empty() && !is_atom(t) => {
                    let (name, value) = (inner(&format!("argument{k}")), self.operand(t));
                    before.extend(quote!(let #name = #value;));
                    passed.push(name.to_token_stream());
                }
                Arg::Scalar(t) => passed.push(self.operand(t)),
                Arg::View(v, shape) => passed.push(self.slice(v, shape)),
                Arg::There(_) => {}
            }
        }
        let sizes = raw_sizes(callee, sizes).map(|c| self.size(c));
        let frame = inner("frame");
        // The callee's types need not mention all of the kernel's type parameters.
        let types: Vec<_> = (0..self.p.reals).map(|k| scalar_type(Scalar::Real(k as u8))).collect();
        let types = if types.is_empty() { quote!() } else { quote!(::<#(#types),*>) };
        let call = quote!(<Kernel as Body>::#function #types(#(#outs,)* #(#passed,)* #(#sizes,)* &mut *#frame));
        let cells: Vec<Ident> =
            dests.iter().filter_map(|d| if let Dest::Cell(v) = d { Some(self.idents.var(*v)) } else { None }).collect();
        match (dests.as_slice(), cells.as_slice()) {
            ([], _) if before.is_empty() => call,
            ([], _) => quote!({ #before #call }),
            (_, []) => quote!(#before #call;),
            (_, [c]) => quote!(#before #c = #call;),
            (_, cs) => quote!(#before (#(#cs),*) = #call;),
        }
    }
}

/// The sizes that a callee's body takes as parameters of their own: those that are not arguments.
pub(super) fn raw_sizes<'c>(callee: &Callee, sizes: &'c [Card]) -> impl Iterator<Item = &'c Card> {
    let params: Vec<VarId> = callee.params.iter().filter(|p| p.ty() == Type::USIZE).map(|p| p.var).collect();
    let atoms = crate::shape::entry_atoms(&callee.params);
    atoms
        .into_iter()
        .zip(sizes)
        .filter(move |(a, _)| !matches!(a, crate::shape::card::Atom::Var(v) if params.contains(v)))
        .map(|(_, c)| c)
}

/// Whether a number needs no computation.
fn is_atom(t: &Term) -> bool {
    matches!(t, Term::Var(_) | Term::Lit(_) | Term::Size(..))
}

/// Whether computing a number uses storage, which may contain the cell that the number is written to.
fn uses_storage(t: &Term) -> bool {
    t.any(&|t| matches!(t, Term::Previous(_) | Term::Alloc(_) | Term::Fill(_) | Term::Call(_)))
}
