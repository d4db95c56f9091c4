//! The public functions of a kernel's module: `into`, `try_into`, and what is behind the plain call.

use super::body::{inner, local};
use super::items::{Items, arrow, tuple};
use super::types::Bound;
use crate::shape::card::Atom;
use crate::ty::Scalar;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;
use syn::Lifetime;

impl Items<'_> {
    /// The names of the parameters of the public functions.
    pub(super) fn arg_idents(&self) -> Vec<Ident> {
        self.c.kernel.params.iter().map(|p| local(&p.name)).collect()
    }

    /// The statements that plan a call, from the arguments: `views`, then `plan(…)`.
    fn planned(&self) -> (TokenStream, TokenStream) {
        let rt = &self.rt;
        let (mut views, mut args) = (TokenStream::new(), Vec::new());
        for (p, b) in self.c.kernel.params.iter().zip(&self.params) {
            let name = local(&p.name);
            match b {
                Bound::View(_, rank) => {
                    let (e, rank) = (b.element(), Literal::usize_unsuffixed(*rank));
                    views.extend(quote!(let #name: #rt::View<'_, #e, #rank> = ::core::convert::Into::into(#name);));
                    args.push(quote!(#name.shape()));
                }
                Bound::Slice(_, inner) => {
                    let inner = inner.iter().map(|n| Literal::u64_unsuffixed(*n));
                    args.push(quote!([#name.len(), #(#inner),*]));
                }
                Bound::Static(_, dims) => {
                    let dims = dims.iter().map(|n| Literal::u64_unsuffixed(*n));
                    args.push(quote!([#(#dims),*]));
                }
                Bound::Scalar(Scalar::Usize) => args.push(quote!(#name)),
                _ => {}
            }
        }
        (views, quote!(plan(#(#args),*)))
    }

    /// The arguments of `body` after the destinations.
    fn raw_args(&self, frame: &TokenStream) -> TokenStream {
        let rt = &self.rt;
        let mut out = TokenStream::new();
        for (p, b) in self.c.kernel.params.iter().zip(&self.params) {
            let name = local(&p.name);
            out.extend(match b {
                Bound::View(..) => quote!(#name.as_slice(),),
                Bound::Slice(..) => quote!(#rt::flat(#name),),
                Bound::Static(..) => quote!(#rt::flat_one(#name),),
                Bound::Fn(..) => quote!(&#name,),
                _ => quote!(#name,),
            });
        }
        let sizes = self.c.kernel.sizes();
        for a in Self::raw_atoms(&self.c.kernel.params) {
            let (var, axis) = match a {
                Atom::Var(v) => sizes.iter().find(|(w, ..)| *w == v).map_or((v, 0), |(_, p, axis)| (*p, *axis)),
                Atom::Len(v, axis) => (v, axis as usize),
                Atom::Op(..) | Atom::Lost => unreachable!("no entry atom"),
            };
            let Some((p, b)) = self.c.kernel.params.iter().zip(&self.params).find(|(p, _)| p.var == var) else {
                continue;
            };
            let (name, at) = (local(&p.name), Literal::usize_unsuffixed(axis));
            out.extend(match b {
                Bound::View(..) => quote!(#name.shape()[#at],),
                _ => quote!(#name.len(),),
            });
        }
        quote!(#out #frame)
    }

    /// `into`, `try_into` and the helper behind the plain call.
    pub(super) fn family(&self) -> TokenStream {
        let (rt, c) = (&self.rt, self.c);
        let args = self.arg_idents();
        let types: Vec<TokenStream> = self.params.iter().enumerate().map(|(k, b)| b.argument(rt, k)).collect();
        let lifetimes: Vec<Lifetime> =
            self.params.iter().enumerate().filter_map(|(k, b)| b.lifetime("arg", k)).collect();
        let leaves = self.result.leaves();
        let arrays: Vec<(usize, &Bound)> =
            leaves.iter().enumerate().filter(|(_, b)| b.rank() > 0).map(|(k, b)| (k, *b)).collect();
        // `out`, or `out_` beside a parameter of that name.
        let taken = |n: &str| c.kernel.params.iter().any(|p| p.name == n);
        let free = |n: &str| {
            let mut name = n.to_string();
            while taken(&name) {
                name.push('_');
            }
            local(&name)
        };
        let out_names: Vec<String> =
            (0..arrays.len()).map(|k| if arrays.len() == 1 { "out".to_string() } else { format!("out{k}") }).collect();
        let outs: Vec<Ident> = out_names.iter().map(|n| free(n)).collect();
        let out_types: Vec<TokenStream> = arrays.iter().map(|(k, b)| b.destination(rt, *k)).collect();
        let out_lifetimes: Vec<Lifetime> = arrays.iter().filter_map(|(k, b)| b.lifetime("out", *k)).collect();
        let arena = free("arena");
        let ret = tuple(self.scalars());
        let returns = arrow(self.scalars());
        let (views, plan) = self.planned();
        let mut shapes = TokenStream::new();
        let mut cells = Vec::new();
        for (((k, b), out), text) in arrays.iter().zip(&outs).zip(&out_names) {
            let (at, rank) = (Literal::usize_unsuffixed(*k), Literal::usize_unsuffixed(b.rank()));
            let e = b.element();
            let (found, cell) = match b {
                Bound::Static(..) => (None, quote!(#rt::flat_one_cells(#out))),
                Bound::Slice(..) => (Some(quote!(#out.len())), quote!(#rt::flat_cells(#out))),
                _ => {
                    shapes
                        .extend(quote!(let mut #out: #rt::ViewMut<'_, #e, #rank> = ::core::convert::Into::into(#out);));
                    (None, quote!(#rt::cells(#out.as_mut_slice())))
                }
            };
            if let Some(found) = found {
                shapes.extend(quote! {
                    if #found != plan.#at[0] {
                        return ::core::result::Result::Err(#rt::ShapeError::Destination { kernel: NAME, destination: #text, axis: 0, rank: #rank, found: #found, expected: plan.#at[0] });
                    }
                });
            } else if matches!(b, Bound::View(..)) {
                shapes.extend(quote! {
                    let mut axis = 0;
                    while axis < #rank {
                        if #out.shape()[axis] != plan.#at[axis] {
                            return ::core::result::Result::Err(#rt::ShapeError::Destination { kernel: NAME, destination: #text, axis, rank: #rank, found: #out.shape()[axis], expected: plan.#at[axis] });
                        }
                        axis += 1;
                    }
                });
            }
            cells.push(cell);
        }
        let last = Literal::usize_unsuffixed(leaves.len());
        let raw = self.raw_args(&quote!(frame));
        let pass_views: Vec<&Ident> = args.iter().collect();
        let call = self.call_parts(&arrays, &raw);
        let owned = self.result.owned(rt);
        let owned_fn = quote! {
            #[inline]
            #[track_caller]
            pub fn call<#(#lifetimes),*>(#(#args: #types),*) -> #owned {
                #views
                let plan = match #plan { ::core::result::Result::Ok(plan) => plan, ::core::result::Result::Err(e) => e.raise() };
                #call
            }
        };
        quote! {
            #[inline]
            #[track_caller]
            pub fn try_into<#(#lifetimes,)* #(#out_lifetimes),*>(#(#outs: #out_types,)* #(#args: #types,)* #arena: &mut #rt::Arena<'_>) -> ::core::result::Result<#ret, #rt::ShapeError> {
                #views
                let plan = match #plan { ::core::result::Result::Ok(plan) => plan, ::core::result::Result::Err(e) => return ::core::result::Result::Err(e) };
                #shapes
                let frame = match #arena.frame(NAME, plan.#last) { ::core::result::Result::Ok(frame) => frame, ::core::result::Result::Err(e) => return ::core::result::Result::Err(e) };
                ::core::result::Result::Ok(unsafe { body(#(#cells,)* #raw) })
            }
            #[inline]
            #[track_caller]
            pub fn into<#(#lifetimes,)* #(#out_lifetimes),*>(#(#outs: #out_types,)* #(#args: #types,)* #arena: &mut #rt::Arena<'_>) #returns {
                match try_into(#(#outs,)* #(#pass_views,)* #arena) { ::core::result::Result::Ok(value) => value, ::core::result::Result::Err(e) => e.raise() }
            }
            #owned_fn
        }
    }

    /// The plain call: makes the owned leaves around the body, innermost last, and puts them together.
    fn call_parts(&self, arrays: &[(usize, &Bound)], raw: &TokenStream) -> TokenStream {
        let rt = &self.rt;
        let outs: Vec<Ident> = (0..arrays.len()).map(|k| inner(&format!("cells{k}"))).collect();
        let mut made = quote!(body(#(#outs,)* #raw));
        for ((k, b), out) in arrays.iter().zip(&outs).rev() {
            let (at, e) = (Literal::usize_unsuffixed(*k), b.element());
            made = match b {
                Bound::Static(..) => quote!(#rt::make::<#e, _>(|#out| #made)),
                Bound::Slice(..) => quote!(#rt::make_vec::<#e, _>(plan.#at[0], |#out| #made)),
                _ => quote!(#rt::make_array::<#e, _, #rt::RowMajor, _>(plan.#at, |#out| #made)),
            };
        }
        let last = Literal::usize_unsuffixed(self.result.leaves().len());
        let run = if self.c.companion.frame.known() == Some(0) {
            quote!(let frame: &mut [::core::mem::MaybeUninit<::core::primitive::u8>] = &mut []; let made = unsafe { #made };)
        } else {
            quote! {
                let made = #rt::with_arena(|arena| {
                    let frame = match arena.frame(NAME, plan.#last) { ::core::result::Result::Ok(frame) => frame, ::core::result::Result::Err(e) => e.raise() };
                    unsafe { #made }
                });
            }
        };
        // made = (array₀, (array₁, … scalars))
        let mut places: Vec<TokenStream> = Vec::new();
        let (mut array, mut scalar) = (quote!(made), 0usize);
        let scalars = self.result.leaves().iter().filter(|b| b.rank() == 0).count();
        let mut rest = quote!(made);
        for _ in arrays {
            rest = quote!(#rest.1);
        }
        for b in self.result.leaves() {
            if b.rank() > 0 {
                places.push(quote!(#array.0));
                array = quote!(#array.1);
            } else {
                let k = Literal::usize_unsuffixed(scalar);
                places.push(if scalars == 1 { rest.clone() } else { quote!(#rest.#k) });
                scalar += 1;
            }
        }
        let value = assemble(&self.result, &mut places.into_iter());
        quote!(#run #value)
    }
}

/// The leaves in the form of the result.
fn assemble(b: &Bound, leaves: &mut impl Iterator<Item = TokenStream>) -> TokenStream {
    match b {
        Bound::Tuple(bs) => {
            let parts: Vec<TokenStream> = bs.iter().map(|b| assemble(b, leaves)).collect();
            quote!((#(#parts,)*))
        }
        _ => leaves.next().unwrap_or_default(),
    }
}
