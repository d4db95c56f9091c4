//! Arrays and storage as Rust: the slice and the offset of each, and the allocation of storage.

use super::body::{Body, inner, local, scalar_type};
use crate::dps::{Block, Dest, Placement, Step, Term, View};
use crate::name::VarId;
use crate::shape::card::Card;
use crate::shape::{Shape, total};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

impl Body<'_> {
    /// `index * stride`, without a stride of 1; `None` for index 0.
    fn scaled(&self, index: TokenStream, is_zero: bool, stride: &Card) -> Option<TokenStream> {
        match stride.constant() {
            _ if is_zero => None,
            Some(1) => Some(index),
            _ => {
                let (rt, stride) = (self.rt, self.size(stride));
                Some(quote!(#rt::times(#index, #stride)))
            }
        }
    }

    fn offset(&self, parts: Vec<TokenStream>) -> TokenStream {
        let rt = self.rt;
        parts.into_iter().reduce(|a, b| quote!(#rt::plus(#a, #b))).unwrap_or(quote!(0usize))
    }

    /// The parts of a view's offset, in order of evaluation. Those of a column-major parameter begin with the last index,
    /// so that the user's first index is checked first.
    fn view(&self, v: &View) -> Vec<TokenStream> {
        let mut shape = self.shape_of(v.base);
        let mut parts = Vec::new();
        for s in &v.steps {
            let stride = total(&shape[1..]);
            match s {
                Step::At { index, check, origin } => {
                    let mut i = self.operand(index);
                    if let Some(len) = check {
                        let len = self.size(len);
                        i = self.checked("index", quote!(#i, #len), *origin);
                    }
                    parts.extend(self.scaled(i, is_zero(index) && check.is_none(), &stride));
                    shape.remove(0);
                }
                Step::Range { start, end, check, origin } => {
                    let (s, e) = (self.operand(start), self.operand(end));
                    let first = match check {
                        Some(len) => {
                            let len = self.size(len);
                            let (start, end) = (inner("start"), inner("end"));
                            let range = self.checked("range", quote!(#start, #end, #len), *origin);
                            quote!({ let (#start, #end) = (#s, #e); #range; #start })
                        }
                        None => s,
                    };
                    parts.extend(self.scaled(first, is_zero(start) && check.is_none(), &stride));
                }
            }
        }
        if self.p.params.iter().any(|p| p.var == v.base && p.column_major) {
            parts.reverse();
        }
        parts
    }

    /// A cell of an array: the rest of the array from the cell's row on, and the cell's offset in that.
    pub(super) fn element(&self, v: &View) -> (TokenStream, TokenStream) {
        self.in_its_row(&self.idents.var(v.base), self.view(v), "row")
    }

    /// A cell of some storage likewise, by the function of the run-time library that makes rows.
    pub(super) fn cell(&self, d: &Dest, row: &str) -> (TokenStream, TokenStream) {
        let (root, parts, _) = self.destination(d);
        self.in_its_row(&root, parts, row)
    }

    /// LLVM can tell cells of different columns apart if the row is a pointer of its own.
    fn in_its_row(&self, base: &Ident, mut parts: Vec<TokenStream>, row: &str) -> (TokenStream, TokenStream) {
        let (rt, row) = (self.rt, local(row));
        let offset = parts.pop().unwrap_or(quote!(0usize));
        (parts.iter().fold(quote!(#base), |a, part| quote!(#rt::#row(#a, #part))), offset)
    }

    /// The slice that a view names.
    pub(super) fn slice(&self, v: &View, shape: &Shape) -> TokenStream {
        let rt = self.rt;
        if let Some(r) = self.p.storage_of(v.base) {
            return self.values(r);
        }
        let base = self.idents.var(v.base);
        if v.steps.is_empty() {
            return quote!(#base);
        }
        let offset = self.offset(self.view(v));
        let len = self.size(&total(shape));
        quote!(#rt::part(#base, #offset, #len))
    }

    /// The storage of a destination, its offset in the storage, and its shape.
    pub(super) fn dest(&self, d: &Dest) -> (Ident, TokenStream, Shape) {
        let (root, parts, shape) = self.destination(d);
        (root, self.offset(parts), shape)
    }

    fn destination(&self, d: &Dest) -> (Ident, Vec<TokenStream>, Shape) {
        let Dest::Storage(r, is) = d else { unreachable!("a cell is not storage") };
        let mut shape = self.shape_of(*r);
        let (root, start) = self.place(*r);
        let mut parts: Vec<TokenStream> = start.into_iter().collect();
        for i in is {
            let stride = total(&shape[1..]);
            parts.extend(self.scaled(self.operand(i), is_zero(i), &stride));
            shape.remove(0);
        }
        (root, parts, shape)
    }

    /// The variable that holds some storage, and the offset of the storage in it unless it is all of it.
    fn place(&self, r: VarId) -> (Ident, Option<TokenStream>) {
        self.parts.borrow().get(&r).cloned().unwrap_or_else(|| (self.idents.var(r), None))
    }

    /// The cells of a destination as a slice.
    pub(super) fn cells(&self, d: &Dest) -> TokenStream {
        let rt = self.rt;
        let (r, offset, shape) = self.dest(d);
        if let Dest::Storage(whole, is) = d
            && is.is_empty()
            && self.place(*whole).1.is_none()
        {
            return quote!(&mut *#r);
        }
        let len = self.size(&total(&shape));
        quote!(#rt::part_mut(#r, #offset, #len))
    }

    /// The values in some storage, once all of it is written.
    pub(super) fn values(&self, r: VarId) -> TokenStream {
        let (rt, len) = (self.rt, self.size(&total(&self.shape_of(r))));
        match self.place(r) {
            (r, None) => quote!(#rt::init(&*#r)),
            (r, Some(start)) => quote!(#rt::init(#rt::part(&*#r, #start, #len))),
        }
    }

    pub(super) fn alloc(&self, blocks: &[Block]) -> TokenStream {
        let rt = self.rt;
        let (frame, heap, rest) = (inner("frame"), inner("heap"), inner("rest"));
        let (mut sizes, mut lets) = (Vec::new(), TokenStream::new());
        for Block { r, elem, shape, capacity, placement } in blocks {
            self.know(*r, shape);
            let (name, ty, len) = (self.idents.var(*r), scalar_type(*elem), self.size(&total(shape)));
            lets.extend(match placement {
                Placement::Frame => quote!(let (#name, #frame) = #rt::split::<#ty>(&mut *#frame, #len);),
                Placement::Local => {
                    let most = self.size(capacity);
                    let part = (total(shape) != *capacity).then(|| quote!([..#len]));
                    quote! {
                        let mut #name = [::core::mem::MaybeUninit::<#ty>::uninit(); #most];
                        let #name: &mut #rt::Cells<#ty> = &mut #name #part;
                    }
                }
                Placement::Heap => {
                    sizes.push(quote!(#rt::block::<#ty>(#len)));
                    quote!(let (#name, #rest) = #rt::split::<#ty>(#rest, #len);)
                }
                Placement::Empty => quote!(let #name: &mut #rt::Cells<#ty> = &mut [];),
                Placement::In(d) => {
                    let (root, start, inside) = self.dest(d);
                    let whole = matches!(d, Dest::Storage(s, is) if is.is_empty() && self.place(*s).1.is_none());
                    let part = !whole || total(&inside) != total(shape);
                    self.parts.borrow_mut().insert(*r, (root, part.then_some(start)));
                    TokenStream::new()
                }
            });
        }
        match sizes.as_slice() {
            [] => lets,
            sizes => quote!(let mut #heap = #rt::Heap::new(&[#(#sizes),*]); let #rest = #heap.cells(); #lets),
        }
    }

    /// Whether a destination is in storage that is placed in other storage, and so may overwrite another value.
    pub(super) fn is_inside(&self, d: &Dest) -> bool {
        matches!(d, Dest::Storage(r, _) if self.parts.borrow().contains_key(r))
    }

    pub(super) fn is_array(&self, d: &Dest) -> bool {
        match d {
            Dest::Cell(_) => false,
            Dest::Storage(r, is) => self.shape_of(*r).len() > is.len(),
        }
    }
}

fn is_zero(t: &Term) -> bool {
    match t {
        Term::Size(c, _) => c.constant() == Some(0),
        Term::Lit(l) => l.as_int() == Some(0),
        _ => false,
    }
}
