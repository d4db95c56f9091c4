//! Buffers as Rust: their elements, their parts, and the statements that open them.

use super::body::{Body, inner};
use super::sizes;
use crate::loops::{Access, BufferId, Memory, Turn};
use crate::mapped::Mapped;
use crate::shape::card::Card;
use crate::shape::total;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// The number of bytes from which on a local array is aligned to cache lines: its vectors then cross none. Shorter arrays are
/// in registers, or are not worth a frame of that alignment.
const LONG: i128 = 256;

impl Body<'_> {
    /// The variable of a buffer.
    pub(super) fn buffer(&self, b: BufferId) -> Ident {
        self.idents.var(self.f.buffer(b).name)
    }

    /// The value of an element.
    pub(super) fn load(&self, a: &Access) -> TokenStream {
        let (rt, b) = (self.rt, self.buffer(a.buffer));
        if let Memory::Strided(_) = self.f.buffer(a.buffer).memory {
            let offset = sizes::signed(&a.offset, self.idents, rt);
            return quote!(#b.at(#offset));
        }
        let (row, offset) = sizes::offset(&a.offset, self.idents, rt);
        let read = if self.f.buffer(a.buffer).memory == Memory::Argument { quote!(at) } else { quote!(old) };
        match row {
            Some(row) => quote!(#rt::#read(#rt::row(#b, #row), #offset)),
            None => quote!(#rt::#read(#b, #offset)),
        }
    }

    /// Gives an element a value that reads no element of its buffer.
    pub(super) fn put(&self, a: &Access, value: &TokenStream) -> TokenStream {
        let (rt, b) = (self.rt, self.buffer(a.buffer));
        match sizes::offset(&a.offset, self.idents, rt) {
            (Some(row), offset) => quote!(#rt::put(#rt::row_mut(#b, #row), #offset, #value);),
            (None, offset) => quote!(#rt::put(#b, #offset, #value);),
        }
    }

    /// The number of an element, or of the end after the last: the integer that the polynomial denotes is a `usize`.
    pub(super) fn offset(&self, c: &Card) -> TokenStream {
        match sizes::offset(c, self.idents, self.rt) {
            (Some(row), rest) => {
                let rt = self.rt;
                quote!(#rt::plus(#row, #rest))
            }
            (None, offset) => offset,
        }
    }

    fn is_whole(&self, a: &Access, len: &Card) -> bool {
        a.offset.constant() == Some(0) && self.f.buffer(a.buffer).len == *len
    }

    /// Elements to be written, as a slice.
    pub(super) fn cells(&self, a: &Access, len: &Card) -> TokenStream {
        let (rt, r) = (self.rt, self.buffer(a.buffer));
        if self.is_whole(a, len) {
            return quote!(&mut *#r);
        }
        let (offset, len) = (self.offset(&a.offset), self.size(len));
        quote!(#rt::part_mut(#r, #offset, #len))
    }

    /// Elements that are written, as a slice.
    pub(super) fn values(&self, a: &Access, len: &Card) -> TokenStream {
        let (rt, b) = (self.rt, self.buffer(a.buffer));
        let part = if self.is_whole(a, len) {
            quote!(&*#b)
        } else {
            let (offset, len) = (self.offset(&a.offset), self.size(len));
            quote!(#rt::part(&*#b, #offset, #len))
        };
        if self.f.buffer(a.buffer).memory == Memory::Argument { part } else { quote!(#rt::init(#part)) }
    }

    /// Elements for a callee that takes their strides with them.
    pub(super) fn strided(&self, a: &Access, shape: &[Card], strides: &[Card]) -> TokenStream {
        let rt = self.rt;
        let steps = strides.iter().map(|s| sizes::signed(s, self.idents, rt));
        if let Memory::Strided(_) = self.f.buffer(a.buffer).memory {
            let (b, offset) = (self.buffer(a.buffer), sizes::signed(&a.offset, self.idents, rt));
            return quote!(#b.part(#offset, [#(#steps),*]));
        }
        let elements = self.values(a, &total(shape));
        quote!(#rt::Strided::of(#elements, [#(#steps),*]))
    }

    pub(super) fn open(&self, bs: &[BufferId]) -> TokenStream {
        let rt = self.rt;
        let (frame, heap, rest) = (inner("frame"), inner("heap"), inner("rest"));
        let (mut sizes, mut lets) = (Vec::new(), TokenStream::new());
        for b in bs.iter().map(|b| self.f.buffer(*b)) {
            let (name, ty, len) = (self.idents.var(b.name), rt.scalar(b.elem), self.size(&b.len));
            lets.extend(match &b.memory {
                Memory::Frame => quote!(let (#name, #frame) = #rt::split::<#ty>(&mut *#frame, #len);),
                Memory::Local(most) => {
                    let part = (b.len != *most).then(|| quote!([..#len]));
                    let long = most.constant().is_some_and(|n| n * i128::from(b.elem.bytes()) >= LONG);
                    let most = self.size(most);
                    let array = quote!([::core::mem::MaybeUninit::<#ty>::uninit(); #most]);
                    let (array, within) =
                        if long { (quote!(#rt::Lines(#array)), quote!(.0)) } else { (array, quote!()) };
                    quote! {
                        let mut #name = #array;
                        let #name: &mut #rt::Cells<#ty> = &mut #name #within #part;
                    }
                }
                Memory::Heap => {
                    sizes.push(quote!(#rt::block::<#ty>(#len)));
                    quote!(let (#name, #rest) = #rt::split::<#ty>(#rest, #len);)
                }
                Memory::Empty => quote!(let #name: &mut #rt::Cells<#ty> = &mut [];),
                Memory::Argument
                | Memory::Strided(_)
                | Memory::InOut
                | Memory::Result
                | Memory::Turn
                | Memory::Part => {
                    unreachable!("a buffer that is not opened")
                }
            });
        }
        match sizes.as_slice() {
            [] => lets,
            sizes => quote!(let mut #heap = #rt::Heap::new(&[#(#sizes),*]); let #rest = #heap.cells(); #lets),
        }
    }

    /// The buffers of a fold that change places.
    pub(super) fn turn(&self, t: &Turn) -> TokenStream {
        let m = t.names.len();
        let names: Vec<Ident> = t.names.iter().mapped(|b| self.buffer(*b));
        let homes = t.names.iter().zip(&t.homes).map(|(b, home)| self.cells(home, &self.f.buffer(*b).len));
        let homes: Vec<TokenStream> = homes.collect_vec();
        let rotated = |by: usize| {
            let homes = (0..m).map(|k| &homes[(k + m - by) % m]);
            quote!((#(#homes),*))
        };
        let at_once = rotated(0);
        if t.by.constant() == Some(0) {
            let begin = names.iter().map(|x| self.home(x));
            return quote!(let (#(mut #names),*) = #at_once; #(let #begin = #names.as_ptr();)*);
        }
        let by = self.size(&t.by);
        let arms = (1..m).map(|by| {
            let rotated = rotated(by);
            quote!(#by => #rotated,)
        });
        quote!(let (#(mut #names),*) = match #by % #m { #(#arms)* _ => #at_once };)
    }

    fn home(&self, name: &Ident) -> Ident {
        inner(&format!("{name}_home"))
    }

    /// Moves the state of a fold to its destination, after a fold that began there.
    pub(super) fn settle(&self, t: &Turn) -> TokenStream {
        let rt = self.rt;
        let names: Vec<Ident> = t.names.iter().mapped(|b| self.buffer(*b));
        let [one, other] = names.as_slice() else {
            unreachable!("only pairs change places in a fold that begins at home")
        };
        let home = self.home(one);
        if t.one {
            quote!(#rt::settle(#home, &*#one, &mut *#other);)
        } else {
            quote!(#rt::settle_both(#home, &mut *#one, &mut *#other);)
        }
    }
}
