//! The public functions of a kernel's module: `into`, `try_into`, and the function that a plain call runs.

use super::abi::is_passed;
use super::body::{inner, local};
use super::compiled::FrameAt;
use super::compiled::Items;
use super::doc::Docs;
use super::generics::Sizes;
use super::queries::reversed_if;
use super::types::Boundary;
use crate::mapped::Mapped;
use crate::shape::card::Atom;
use crate::shape::{Param, Source, open_sizes, value_of};
use crate::surface::layout::destinations;
use crate::ty::Type;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use syn::Lifetime;

/// A destination: its number among the leaves of the result, its boundary form, its name, and its name in messages.
pub(super) struct Out<'a> {
    pub(super) leaf: usize,
    bound: &'a Boundary,
    pub(super) name: Ident,
    text: String,
}

impl Items<'_> {
    /// The name of a flat argument: of a part of a tuple, one of the compiler's own.
    pub(super) fn flat_ident(&self, p: &Param) -> Ident {
        match &p.source {
            Source::Argument(way) if way.len() == 1 => self.names[way[0]].clone(),
            Source::Argument(way) => inner(&way.iter().mapped(ToString::to_string).join("_")),
            _ => local(&p.name),
        }
    }

    /// The statements that destructure tuples and convert to views and rows.
    pub(super) fn opened(&self) -> TokenStream {
        let (rt, mut out) = (&self.rt, TokenStream::new());
        let flat = self.flat();
        let mut leaves = flat.iter().map(|(p, _)| self.flat_ident(p));
        for (name, b) in self.names.iter().zip(&self.args) {
            let pattern = pattern(b, &mut leaves);
            if matches!(b, Boundary::Tuple(_)) {
                out.extend(quote!(let #pattern = #name;));
            }
        }
        flat.iter().for_each(|(p, b)| out.extend(self.wrapped(&self.flat_ident(p), &p.kind, b)));
        for (p, b) in flat.iter().filter(|(_, b)| b.has_rows()) {
            let (name, e, text) = (self.flat_ident(p), b.element(rt), &p.name);
            let (ty, convert) =
                if p.in_out { (quote!(&mut [#e]), quote!(rows_mut)) } else { (quote!(&[#e]), quote!(rows_of)) };
            out.extend(quote! {
                let #name: #ty = match #rt::#convert(#name, __NAME, #text) { #rt::Ok(rows) => rows, #rt::Err(e) => return #rt::Err(e) };
            });
        }
        for (p, b) in flat.iter().filter(|(_, b)| b.is_view()) {
            let (name, view) = (self.flat_ident(p), b.view_arguments(rt));
            out.extend(match b {
                _ if p.in_out => quote!(let mut #name: #rt::ViewMut<'_, #view> = #rt::Into::into(#name);),
                Boundary::Strided(..) => {
                    quote!(let #name: #rt::StridedView<'_, #view> = #rt::Into::into(#name);)
                }
                _ => quote!(let #name: #rt::View<'_, #view> = #rt::Into::into(#name);),
            });
        }
        out
    }

    /// The cells of the in-out arrays.
    fn in_out_cells(&self) -> Vec<TokenStream> {
        let (rt, flat) = (&self.rt, self.flat());
        let arrays = flat.iter().filter(|(p, b)| p.in_out && b.rank() > 0);
        let cells = arrays.map(|(p, b)| {
            let name = self.flat_ident(p);
            match b {
                Boundary::Static(..) => quote!(#rt::flat_one_cells(#name)),
                Boundary::Slice(..) => quote!(#rt::flat_cells(#name)),
                _ => quote!(#rt::cells(#name.as_mut_slice())),
            }
        });
        cells.collect_vec()
    }

    /// The numbers that `body` returns as a value `numbers`: statements that write those of in-out parameters, and the
    /// result's own, nested as in the result.
    fn numbers(&self) -> (TokenStream, TokenStream) {
        let flat = self.flat();
        let written: Vec<Ident> =
            flat.iter().filter(|(p, b)| p.in_out && b.rank() == 0).mapped(|(p, _)| self.flat_ident(p));
        let all = self.scalars().len();
        let number = |k: usize| {
            let at = Literal::usize_unsuffixed(k);
            if all == 1 { quote!(numbers) } else { quote!(numbers.#at) }
        };
        let returned = self.result.only(&|b| b.rank() == 0);
        let own = all - written.len();
        let stores = written.iter().enumerate().map(|(k, name)| {
            let value = number(own + k);
            quote!(*#name = #value;)
        });
        let nested = returned.as_ref().is_some_and(|r| own != r.parts());
        let value = match returned {
            Some(r) if nested || !written.is_empty() => r.assembled(&mut (0..own).map(number)),
            None if !written.is_empty() => quote!(()),
            _ => quote!(numbers),
        };
        (quote!(#(#stores)*), value)
    }

    /// `plan(…)`, for the arguments.
    fn planned(&self) -> TokenStream {
        let mut args = Vec::new();
        for (p, b) in self.flat() {
            let name = self.flat_ident(p);
            match b {
                Boundary::View(..) | Boundary::ColumnMajor(..) | Boundary::Strided(..) => {
                    args.push(reversed_if(p.column_major, &quote!(#name.shape()), b.rank()));
                }
                Boundary::Slice(_, inner) => args.push(quote!([#name.len(), #(#inner),*])),
                Boundary::Static(_, dims) => args.push(quote!([#(#dims),*])),
                Boundary::Scalar(_) if p.ty() == Type::USIZE && p.in_out => args.push(quote!(*#name)),
                Boundary::Scalar(_)
                    if p.ty() == Type::USIZE || value_of(&self.c.kernel.interface.params, p).is_some() =>
                {
                    args.push(quote!(#name));
                }
                _ => {}
            }
        }
        let (turbofish, open) = (self.turbofish(Some(Sizes::NotInferable)), self.open_names());
        quote!(plan #turbofish(#(#args,)* #(#open),*))
    }

    /// The arguments of `body` after the destinations, and the statements before the call: the sizes of in-out arrays,
    /// which the call borrows.
    fn abi_args(&self) -> (TokenStream, TokenStream) {
        let rt = &self.rt;
        let (mut before, mut out) = (TokenStream::new(), TokenStream::new());
        let flat = self.flat();
        for (p, b) in flat.iter().filter(|(p, _)| is_passed(p)) {
            let name = self.flat_ident(p);
            out.extend(match b {
                _ if p.in_out => quote!(*#name,),
                Boundary::View(..) | Boundary::ColumnMajor(..) => quote!(#name.as_slice(),),
                Boundary::Strided(..) => quote!(#name.elements(),),
                Boundary::Slice(..) => quote!(#rt::flat(#name),),
                Boundary::Static(..) => quote!(#rt::flat_one(#name),),
                _ => quote!(#name,),
            });
        }
        out.extend(self.hidden().into_iter().map(|(_, value)| quote!(#value,)));
        for (_, p, axis, size) in self.abi_lengths() {
            if p.in_out {
                let bound = inner(&format!("size{}_{axis}", p.var.0));
                before.extend(quote!(let #bound = #size;));
                out.extend(quote!(#bound,));
            } else {
                out.extend(quote!(#size,));
            }
        }
        let open = self.open_names();
        (before, quote!(#out #(#open,)* frame))
    }

    /// The sizes of the body, hidden ones first: the names of its parameters, and their values.
    pub(super) fn abi_values(&self) -> Vec<(Ident, TokenStream)> {
        let hidden = self.hidden().into_iter().map(|(p, value)| (self.idents.var(p.var), value));
        let lengths = self.abi_lengths().into_iter().map(|(a, _, _, size)| (self.idents.atom(&a), size));
        let open = open_sizes(&self.c.kernel.interface.params).into_iter().zip(self.open_names());
        hidden.chain(lengths).chain(open.map(|(v, name)| (self.idents.var(v), quote!(#name)))).collect_vec()
    }

    /// The sizes that are lengths of arguments, each with the argument, the axis and the value.
    fn abi_lengths(&self) -> Vec<(Atom, &Param, usize, TokenStream)> {
        let (flat, sizes) = (self.flat(), self.c.kernel.sizes());
        let mut out = vec![];
        for a in Self::abi_sizes(&self.c.kernel.interface.params) {
            let (var, axis) = match &a {
                Atom::Var(v) => sizes.iter().find(|(w, ..)| w == v).map_or((*v, 0), |(_, p, axis)| (*p, *axis)),
                Atom::Len(v, axis) => (*v, *axis as usize),
                Atom::Op(..) | Atom::Untracked => unreachable!("an atom that is not known at entry"),
            };
            let Some((p, b)) = flat.iter().find(|(p, _)| p.var == var) else { continue };
            let (name, at) = (self.flat_ident(p), Literal::usize_unsuffixed(p.logical(axis)));
            let size = match b {
                Boundary::View(..) | Boundary::ColumnMajor(..) | Boundary::Strided(..) => quote!(#name.shape()[#at]),
                Boundary::Slice(_, inner) if axis > 0 => inner[axis - 1].clone(),
                Boundary::Static(_, dims) => dims[axis].clone(),
                _ => quote!(#name.len()),
            };
            out.push((a, *p, axis, size));
        }
        out
    }

    /// A name that no parameter and no open size has: `out`, or `out_` if there is a parameter `out`.
    pub(super) fn free(&self, name: &str) -> Ident {
        free(name, &[&self.names[..], &self.open_names()].concat())
    }

    /// The names of the open sizes among the parameters of the public functions.
    pub(super) fn open_names(&self) -> Vec<Ident> {
        let open = open_sizes(&self.c.kernel.interface.params);
        open.into_iter().mapped(|v| free(self.c.kernel.names.name(v), &self.names))
    }

    pub(super) fn outs(&self) -> Vec<Out<'_>> {
        let arrays: Vec<_> = self.result.leaves().into_iter().enumerate().filter(|(_, b)| b.rank() > 0).collect_vec();
        let named = |((leaf, bound), text): (_, String)| Out { leaf, bound, name: self.free(&text), text };
        arrays.into_iter().zip(destinations(self.c.surface)).mapped(named)
    }

    /// The statements that compare a destination's shape with the result's, and its cells.
    fn destination(&self, o: &Out<'_>) -> (TokenStream, TokenStream) {
        let (rt, name, text, b) = (&self.rt, &o.name, &o.text, o.bound);
        let at = Literal::usize_unsuffixed(o.leaf);
        let compared = |found: TokenStream, expected: TokenStream| {
            quote! {
                if let #rt::Err(e) = #rt::destination(__NAME, #text, #found, #expected) {
                    return #rt::Err(e);
                }
            }
        };
        match b {
            Boundary::Static(..) => (quote!(), quote!(#rt::flat_one_cells(#name))),
            Boundary::Slice(..) => {
                let compared = compared(quote!([#name.len()]), quote!([plan.#at[0]]));
                let e = b.element(rt);
                let rows = b.has_rows().then(|| {
                    quote! {
                        let #name: &mut [#e] = match #rt::rows_out(#name, __NAME, #text) {
                            #rt::Ok(rows) => rows,
                            #rt::Err(e) => return #rt::Err(e),
                        };
                    }
                });
                (quote!(#rows #compared), quote!(#rt::flat_cells(#name)))
            }
            _ => {
                let view = b.view_arguments(rt);
                let expected = reversed_if(matches!(b, Boundary::ColumnMajor(..)), &quote!(plan.#at), b.rank());
                let compared = compared(quote!(#name.shape()), expected);
                let check = quote! {
                    let mut #name: #rt::ViewMut<'_, #view> = #rt::Into::into(#name);
                    #compared
                };
                (check, quote!(#rt::cells(#name.as_mut_slice())))
            }
        }
    }

    /// `into`, `try_into`, and `try_call`, which a plain call runs.
    pub(super) fn family(&self, docs: &Docs) -> TokenStream {
        let Docs { into, try_into, try_call, .. } = docs;
        let (rt, args, outs) = (&self.rt, &self.names, self.outs());
        let mut lifetimes: Vec<Lifetime> = Vec::new();
        let types = self.argument_types(&self.args, &mut lifetimes);
        let call_generics = self.generics(&lifetimes, true, Some(Sizes::All));
        let out_types: Vec<TokenStream> = outs.iter().mapped(|o| o.bound.destination(rt, &mut lifetimes));
        let into_generics = self.generics(&lifetimes, true, Some(Sizes::All));
        let turbofish = self.turbofish(Some(Sizes::All));
        let open = self.open_names();
        let (open_params, open): (Vec<_>, Vec<_>) = open.into_iter().map(|name| (quote!(#name: usize), name)).unzip();
        let out_names: Vec<&Ident> = outs.iter().mapped(|o| &o.name);
        let arena = self.free("arena");
        let returned = self.result.only(&|b| b.rank() == 0).map(|b| b.owned(rt));
        let (ret, returns) = (returned.clone().unwrap_or(quote!(())), returned.map(|r| quote!(-> #r)));
        let (opened, plan) = (self.opened(), self.planned());
        let (checks, cells): (Vec<_>, Vec<_>) = outs.iter().map(|o| self.destination(o)).unzip();
        let last = Literal::usize_unsuffixed(self.result.leaves().len());
        let ((before, raw), entry) = (self.abi_args(), self.entry());
        let (in_out, (stores, value)) = (self.in_out_cells(), self.numbers());
        let call = self.call_parts(&outs, &before, &quote!(#(#in_out,)* #raw));
        let taken = quote!(match #rt::Scratch::frame(#arena, __NAME, plan.#last) { #rt::Ok(frame) => frame, #rt::Err(e) => return #rt::Err(e) });
        let frame = match self.frame_at() {
            FrameAt::Stack => quote!(let mut frame = #rt::StackFrame::new(); let frame = frame.bytes();),
            FrameAt::StackIfSmall => quote! {
                let (mut small, mut frame) = (#rt::StackFrame::new(), #rt::None);
                let frame: &mut #rt::Cells<u8> =
                    if plan.#last == 0 { small.bytes() } else { frame.insert(#taken) };
            },
            FrameAt::Nowhere | FrameAt::Arena => quote!(let mut frame = #taken; let frame = &mut *frame;),
        };
        let owned = self.result.owned(rt);
        let owned_fns = self.owning(quote! {
            #try_call
            #[inline]
            #[track_caller]
            pub fn try_call #call_generics(#(#args: #types,)* #(#open_params),*) -> #rt::Result<#owned, #rt::ShapeError> {
                #opened
                let plan = match #plan { #rt::Ok(plan) => plan, #rt::Err(e) => return #rt::Err(e) };
                #call
            }
        });
        quote! {
            #try_into
            #[inline]
            #[track_caller]
            pub fn try_into #into_generics(#(#out_names: #out_types,)* #(#args: #types,)* #(#open_params,)* #arena: &mut impl #rt::Scratch) -> #rt::Result<#ret, #rt::ShapeError> {
                #opened
                let plan = match #plan { #rt::Ok(plan) => plan, #rt::Err(e) => return #rt::Err(e) };
                #(#checks)*
                #frame
                #before
                let numbers = #rt::proven!(#entry(#(#cells,)* #(#in_out,)* #raw));
                #stores
                #rt::Ok(#value)
            }
            #into
            #[inline]
            #[track_caller]
            pub fn into #into_generics(#(#out_names: #out_types,)* #(#args: #types,)* #(#open_params,)* #arena: &mut impl #rt::Scratch) #returns {
                #rt::raised(try_into #turbofish(#(#out_names,)* #(#args,)* #(#open,)* #arena))
            }
            #owned_fns
        }
    }

    /// The plain call: allocates the owned leaves, runs the body, and assembles the result.
    fn call_parts(&self, outs: &[Out<'_>], before: &TokenStream, raw: &TokenStream) -> TokenStream {
        let (rt, entry) = (&self.rt, self.entry());
        let made: Vec<Ident> = (0..outs.len()).mapped(|k| inner(&format!("made{k}")));
        let shape = |o: &Out<'_>| {
            let at = Literal::usize_unsuffixed(o.leaf);
            reversed_if(matches!(o.bound, Boundary::ColumnMajor(..)), &quote!(plan.#at), o.bound.rank())
        };
        let allocated = outs.iter().zip(&made).map(|(o, made)| {
            let (e, shape) = (o.bound.element(rt), shape(o));
            let memory = match o.bound {
                Boundary::Static(..) => quote!(UnwrittenElement::<#e>::new()),
                Boundary::Slice(..) => quote!(Unwritten::<#e>::vec(#shape[0])),
                _ => quote!(Unwritten::<#e>::array(#shape)),
            };
            quote!(let mut #made = #rt::#memory;)
        });
        let allocated: TokenStream = allocated.collect();
        let last = Literal::usize_unsuffixed(self.result.leaves().len());
        let call = quote!(#rt::proven!(#entry(#(#made.cells(),)* #raw)));
        let with = |with: TokenStream| {
            quote! {
                let numbers = match #rt::#with(__NAME, plan.#last, |frame| #call) {
                    #rt::Ok(numbers) => numbers,
                    #rt::Err(e) => return #rt::Err(e),
                };
            }
        };
        let run = match self.frame_at() {
            FrameAt::Nowhere => quote!(let frame: &mut #rt::Cells<u8> = &mut []; let numbers = #call;),
            FrameAt::Stack => {
                quote!(let mut frame = #rt::StackFrame::new(); let frame = frame.bytes(); let numbers = #call;)
            }
            FrameAt::StackIfSmall => with(quote!(with_small_frame)),
            FrameAt::Arena => with(quote!(with_frame)),
        };
        let (scalars, (stores, _)) = (self.scalars().len(), self.numbers());
        let mut arrays = outs.iter().zip(&made).map(|(o, made)| match o.bound {
            Boundary::Static(..) | Boundary::Slice(..) => quote!(#made.written()),
            _ => {
                let shape = shape(o);
                quote!(#made.written_array(#shape))
            }
        });
        let mut numbers = (0..scalars).map(|k| {
            let k = Literal::usize_unsuffixed(k);
            if scalars == 1 { quote!(numbers) } else { quote!(numbers.#k) }
        });
        let leaves = self.result.leaves().into_iter();
        let mut values = leaves.filter_map(|b| if b.rank() > 0 { arrays.next() } else { numbers.next() });
        let value = self.result.assembled(&mut values);
        let value = if outs.is_empty() { value } else { quote!(#rt::proven!(#value)) };
        quote!(#before #allocated #run #stores #rt::Ok(#value))
    }
}

/// A name that is not taken.
fn free(name: &str, taken: &[Ident]) -> Ident {
    let mut name = name.to_string();
    while taken.iter().any(|p| *p == name) {
        name.push('_');
    }
    local(&name)
}

/// A pattern that names the leaves of an argument.
fn pattern(b: &Boundary, leaves: &mut impl Iterator<Item = Ident>) -> TokenStream {
    match b {
        Boundary::Tuple(bs) => {
            let parts: Vec<TokenStream> = bs.iter().mapped(|b| pattern(b, leaves));
            quote!((#(#parts,)*))
        }
        _ => leaves.next().map_or(quote!(_), |leaf| quote!(#leaf)),
    }
}

impl Boundary {
    /// A value, assembled from its leaves.
    pub(super) fn assembled(&self, leaves: &mut impl Iterator<Item = TokenStream>) -> TokenStream {
        match self {
            Boundary::Tuple(bs) => {
                let parts: Vec<TokenStream> = bs.iter().mapped(|b| b.assembled(leaves));
                quote!((#(#parts,)*))
            }
            _ => leaves.next().expect("a value for each leaf"),
        }
    }
}
