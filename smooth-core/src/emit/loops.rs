//! Sums and folds as Rust.

use super::body::{Body, inner, scalar_type};
use super::turns::{Turns, cycles};
use crate::dps::{Dest, Fold, State, Sum, Sums, Term};
use crate::fsmooth::Order;
use crate::ty::Scalar;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

impl Body<'_> {
    pub(super) fn sum(&self, Sum { count, index, elem, body, order }: &Sum) -> TokenStream {
        let rt = self.rt;
        let sum = match order {
            Order::Source => quote!(sum_ordered),
            Order::Lanes if has_loop(body) => quote!(sum_nested),
            Order::Lanes => quote!(sum),
        };
        let (n, i, body) = (self.operand(count), self.idents.var(*index), self.block(body));
        let (usize, elem) = (scalar_type(Scalar::Usize), scalar_type(*elem));
        quote!(#rt::#sum(#n, |#i: #usize| -> #elem { #body }))
    }

    pub(super) fn sums(&self, Sums { count, index, elem, terms, body, dests, order }: &Sums) -> TokenStream {
        let rt = self.rt;
        let sums = match order {
            Order::Source => quote!(sums_ordered),
            Order::Lanes if has_loop(body) => quote!(sums_nested),
            Order::Lanes => quote!(sums),
        };
        let (n, i, body) = (self.operand(count), self.idents.var(*index), self.block(body));
        let (usize, elem) = (scalar_type(Scalar::Usize), scalar_type(*elem));
        let terms: Vec<Ident> = terms.iter().map(|t| self.idents.var(*t)).collect();
        let (width, totals) = (terms.len(), inner("totals"));
        let stores = dests.iter().enumerate().map(|(k, d)| match d {
            Dest::Cell(v) => {
                let v = self.idents.var(*v);
                quote!(#v = #totals[#k];)
            }
            d => {
                let (r, offset, _) = self.dest(d);
                quote!(#rt::put(#r, #offset, #totals[#k]);)
            }
        });
        quote! {
            let #totals: [#elem; #width] = #rt::#sums(#n, |#i: #usize| {
                #(let #terms: #elem;)*
                { #body }
                [#(#terms),*]
            });
            #(#stores)*
        }
    }

    pub(super) fn fold(&self, Fold { count, index, test, states, init, step, then }: &Fold) -> TokenStream {
        let rt = self.rt;
        let (n, i, count) = (self.operand(count), self.idents.var(*index), inner("count"));
        let usize = scalar_type(Scalar::Usize);
        let (mut buffers, mut firsts) = (vec![], vec![]);
        let (mut declare_next, mut start, mut begin, mut read, mut free, mut end, mut settle) =
            (vec![], vec![], vec![], vec![], vec![], vec![], vec![]);
        for s in states {
            match s {
                State::Scalar { now, next, ty } => {
                    let (now, next, ty) = (self.idents.var(*now), self.idents.var(*next), scalar_type(*ty));
                    declare_next.push(quote!(let #next: #ty;));
                    start.push(quote!(let mut #now: #ty = #next;));
                    end.push(quote!(#now = #next;));
                }
                State::Array { x, first, next, dest, other, onto, shape, .. } => {
                    for v in [x, first, next] {
                        self.know(*v, shape);
                    }
                    let dest = self.cells(dest);
                    let (name, first) = (self.idents.var(*x), self.idents.var(*first));
                    let (now, spare) = (inner(&format!("{name}_now")), inner(&format!("{name}_spare")));
                    begin.push(match other {
                        // How many iterations there are is not known: the last state may be in the other buffer.
                        Some(o) if test.is_some() => {
                            let other = self.cells(&Dest::Storage(*o, vec![]));
                            let home = inner(&format!("{name}_home"));
                            settle.push(quote!(#rt::settle(#home, &*#now, &mut *#spare);));
                            quote! {
                                let (mut #now, mut #spare) = (#dest, #other);
                                let #home = #now.as_ptr();
                            }
                        }
                        Some(o) => {
                            let other = self.cells(&Dest::Storage(*o, vec![]));
                            quote!(let (mut #now, mut #spare) = if #count % 2 == 0 { (#dest, #other) } else { (#other, #dest) };)
                        }
                        // The buffers of a cycle are made below.
                        None if onto.is_some() => {
                            buffers.push((*x, dest));
                            TokenStream::new()
                        }
                        None => quote!(let #now = #dest;),
                    });
                    firsts.push(quote!(let #first = &mut *#now;));
                    read.push(quote!(let #name = #rt::init(&*#now);));
                    if other.is_some() {
                        let next = self.idents.var(*next);
                        read.push(quote!(let #next = &mut *#spare;));
                        free.push(quote!(::core::mem::swap(&mut #now, &mut #spare);));
                    } else {
                        let now = onto.map_or(now, |y| self.now(y));
                        self.parts.borrow_mut().insert(*next, (now, None));
                    }
                }
            }
        }
        for cycle in cycles(states) {
            let cells: Vec<&TokenStream> =
                cycle.iter().filter_map(|x| Some(&buffers.iter().find(|(y, _)| y == x)?.1)).collect();
            self.turns(
                &cycle,
                &cells,
                test.is_some(),
                &mut Turns { begin: &mut begin, free: &mut free, settle: &mut settle },
            );
        }
        let test = test.as_ref().map(|t| {
            let test = self.operand(t);
            quote!(if !#test { break; })
        });
        let (init, step, then) = (self.block(init), self.block(step), self.block(then));
        quote! {
            let #count: #usize = #n;
            #(#begin)*
            #(#firsts)*
            #(#declare_next)*
            { #init }
            #(#start)*
            for #i in 0..#count {
                #(#read)*
                #test
                #(#declare_next)*
                { #step }
                #(#end)*
                #(#free)*
            }
            #(#settle)*
            #then
        }
    }
}

/// Whether a term contains a loop: then its code is not repeated for the tail of a sum.
fn has_loop(t: &Term) -> bool {
    t.any(&|t| t.is_loop() || matches!(t, Term::Call(_) | Term::Copy(_)))
}
