//! L̃ → the body of a Rust function: loops over flat slices, in the user's names.
//!
//! Arguments are `&[T]`, or an address and strides (`Strided`). All other buffers are `&mut [MaybeUninit<T>]`. The rest of
//! the frame is always called `frame`.
//! Accesses have no check: they were proved to be in range by the shapes (`lower`), or a check comes before them.
//! Elements are written before they are read, in the order that `loops::eval` checks. The operations themselves are in the
//! run-time library.

use super::names::Idents;
use super::sizes;
use crate::loops::{Block, Expr, For, Function, Memory, Order, Output, Place, Stmt};
use crate::mapped::Mapped;
use crate::prim::Prim;
use crate::shape::card::Card;
use crate::span::{Origin, Spans};
use crate::surface::rust::{Runtime, Tokens};
pub(super) use crate::surface::rust::{called, is_keyword, placed, spanned};
use crate::ty::Scalar;
use crate::value::Lit;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, format_ident, quote};

pub(super) struct Body<'p> {
    pub(super) f: &'p Function,
    pub(super) idents: &'p Idents<'p>,
    pub(super) rt: &'p Runtime,
    pub(super) spans: &'p Spans,
}

/// An identifier that cannot refer to an item of the user's; a keyword gets a `_`.
pub(super) fn local(name: &str) -> Ident {
    if is_keyword(name) {
        return format_ident!("{name}_", span = Span::mixed_site());
    }
    Ident::new(name, Span::mixed_site())
}

/// An identifier of the compiler's own, which differs from the names of all the user's variables.
pub(super) fn inner(name: &str) -> Ident {
    local(&format!("__{name}"))
}

/// The instance that runs, in fast kernels.
pub(super) fn cpu() -> Ident {
    inner("cpu")
}

/// A zero that LLVM does not know, in kernels with [`Prim::Opaque`].
pub(super) fn zero() -> Ident {
    inner("zero")
}

/// An attribute of closures: they are inlined into the code around them, whatever instructions it is compiled for.
pub(super) fn always() -> TokenStream {
    quote!(#[inline(always)])
}

impl Body<'_> {
    /// The statements of the body, its value last.
    pub(super) fn function(&self) -> TokenStream {
        let (strides, body) = (self.strides(), self.block(&self.f.body));
        let numbers = self.f.results.iter().filter_map(|o| match o {
            Output::Var(v) => Some(self.idents.var(*v)),
            Output::Buffer(..) => None,
        });
        let numbers: Vec<Ident> = numbers.collect_vec();
        let value = match numbers.as_slice() {
            [] => quote!(),
            [one] => one.to_token_stream(),
            many => quote!((#(#many),*)),
        };
        let (rt, zero) = (self.rt, zero());
        let opaque = |e: &Expr| matches!(e, Expr::Prim(Prim::Opaque, ..));
        let hides = self.f.body.iter().any(|s| s.any(&|s| s.exprs().iter().any(|e| e.any(&opaque))));
        let zero = if hides { quote!(let #zero = #rt::zero();) } else { quote!() };
        quote!(#strides #zero #body #value)
    }

    /// The strides of arguments, by their names.
    fn strides(&self) -> TokenStream {
        let strided = self.f.buffers.iter().filter_map(|b| match &b.memory {
            Memory::Strided(strides) => Some((self.idents.var(b.name), self.variables(strides))),
            _ => None,
        });
        strided.map(|(b, strides)| quote!(let [#(#strides),*] = #b.strides();)).collect()
    }

    pub(super) fn size(&self, c: &Card) -> TokenStream {
        sizes::plain(c, self.idents, self.rt)
    }

    /// The location of the user's tokens with the macro's hygiene.
    pub(super) fn at(&self, origin: Origin) -> Span {
        Span::mixed_site().located_at(self.spans.get(origin))
    }

    /// A call of a check that panics at the user's line.
    pub(super) fn checked(&self, name: &str, args: TokenStream, origin: Origin) -> TokenStream {
        let (rt, name) = (self.rt, Ident::new(name, Span::mixed_site()));
        called(quote!(#rt::#name), args, self.spans.get(origin))
    }

    /// The statements of a block.
    pub(super) fn block(&self, b: &Block) -> TokenStream {
        b.iter().map(|s| self.stmt(s)).collect()
    }

    fn stmt(&self, s: &Stmt) -> TokenStream {
        let rt = self.rt;
        match s {
            Stmt::Let(x, s, e) => {
                let (x, ty, e) = (self.idents.var(*x), rt.scalar(*s), self.expr(e));
                quote!(let #x: #ty = #e;)
            }
            Stmt::Var(x, s) => {
                let (x, ty) = (self.idents.var(*x), rt.scalar(*s));
                quote!(let mut #x: #ty;)
            }
            Stmt::Assign(p, e) => self.assign(p, e),
            Stmt::Open(bs) => self.open(bs),
            Stmt::Block(b) => {
                let b = self.block(b);
                quote!({ #b })
            }
            Stmt::Check { index, len, origin } => {
                let (i, n) = (self.expr(index), self.size(len));
                let check = self.checked("index", quote!(#i, #n), *origin);
                quote!(#check;)
            }
            Stmt::CheckRange { start, end, len, origin } => {
                let (s, e, n) = (self.expr(start), self.expr(end), self.size(len));
                let check = self.checked("range", quote!(#s, #e, #n), *origin);
                quote!(#check;)
            }
            Stmt::For(l) => self.run(l),
            Stmt::While(Expr::Lit(Lit::Bool(false))) => quote!(break;),
            Stmt::While(e) => {
                let e = self.expr(e);
                quote!(if !#e { break; })
            }
            Stmt::Reduce(r) => self.reduce(r),
            Stmt::If(c, a, b) => {
                let (c, a, b) = (self.expr(c), self.block(a), self.block(b));
                if b.is_empty() { quote!(if #c { #a }) } else { quote!(if #c { #a } else { #b }) }
            }
            Stmt::Copy { to, from, len, .. } if to.buffer == from.buffer => {
                let (b, len) = (self.buffer(to.buffer), self.size(len));
                let (to, from) = (self.offset(&to.offset), self.offset(&from.offset));
                quote!(#rt::copy_within(#b, #to, #from, #len);)
            }
            Stmt::Copy { to, from, len, .. } => {
                let (to, from) = (self.cells(to, len), self.values(from, len));
                quote!(#rt::copy(#to, #from);)
            }
            Stmt::Turn(t) => self.turn(t),
            Stmt::Swap(a, b) => {
                let (a, b) = (self.buffer(*a), self.buffer(*b));
                quote!(::core::mem::swap(&mut #a, &mut #b);)
            }
            Stmt::Settle(t) => self.settle(t),
            Stmt::Call(c) => self.call(c),
            Stmt::Spread(s) => self.spread(s),
        }
    }

    fn run(&self, l: &For) -> TokenStream {
        let For { index, count, body, .. } = l;
        let block = self.block(body);
        // The counter of a `while` would be one more number to keep, and one more reason to end.
        if count.constant() == Some(i128::from(u64::MAX)) && !body.iter().any(|s| s.mentions(*index)) {
            return quote!(loop { #block });
        }
        let (i, n) = (self.idents.var(*index), self.size(count));
        if updates_behind_a_check(l) {
            let end = inner("end");
            return quote!({
                let (mut #i, #end) = (0usize, #n);
                while #i < #end { #block #i += 1; }
            });
        }
        self.rows(l).unwrap_or_else(|| quote!(for #i in 0..#n { #block }))
    }

    fn assign(&self, p: &Place, e: &Expr) -> TokenStream {
        let value = self.expr(e);
        match p {
            // The store borrows the buffer before its last argument is evaluated.
            Place::Element(a) if e.loads_from(a.buffer) => {
                let new = inner("new");
                let store = self.store(p, &new.to_token_stream());
                quote!(let #new = #value; #store)
            }
            p => self.store(p, &value),
        }
    }

    /// Variables that statements assign.
    pub(super) fn variables(&self, vs: &[crate::name::VarId]) -> Vec<Ident> {
        vs.iter().mapped(|v| self.idents.var(*v))
    }

    pub(super) fn types(&self, elems: &[Scalar]) -> Vec<Tokens> {
        elems.iter().mapped(|s| self.rt.scalar(*s))
    }
}

/// Whether a sequential loop changes an element in place after a check. A `for` counts before its body, and LLVM leaves the
/// count between the check and the element. AMD's Zen 4 then needs a tenth more time, so such a loop counts at its end.
fn updates_behind_a_check(l: &For) -> bool {
    let updates = |s: &Stmt| match s {
        Stmt::Assign(Place::Element(a), _) => {
            let reads = |e: &Expr| matches!(e, Expr::Load(b) if a == b);
            l.body.iter().flat_map(Stmt::exprs).any(|e| e.any(&reads))
        }
        _ => false,
    };
    let is_checked = l.body.iter().any(|s| matches!(s, Stmt::Check { .. }));
    l.order == Order::Sequential && is_checked && l.body.iter().any(updates)
}
