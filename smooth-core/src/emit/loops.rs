//! Reductions and folds as Rust.

use super::body::{Body, inner, local, scalar_type};
use super::turns::{Turns, cycles};
use crate::dps::{Combine, Dest, Fold, Reduce, Reduces, State, Term};
use crate::fsmooth::Order;
use crate::name::VarId;
use crate::ty::Scalar;
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

impl Body<'_> {
    /// The function of the run-time library for a reduction of this name.
    fn reduction(name: &str, order: Order, body: &Term) -> Ident {
        let suffix = match order {
            Order::Source => "_ordered",
            Order::Lanes if has_loop(body) => "_nested",
            Order::Lanes => "",
        };
        local(&format!("{name}{suffix}"))
    }

    pub(super) fn reduce(&self, Reduce { count, index, elem, body, with, order }: &Reduce) -> TokenStream {
        let (rt, sum) = (self.rt, Self::reduction(with.name(), *order, body));
        let (n, i, body) = (self.operand(count), self.idents.var(*index), self.block(body));
        let (usize, elem) = (scalar_type(Scalar::Usize), scalar_type(*elem));
        quote!(#rt::#sum(#n, |#i: #usize| -> #elem { #body }))
    }

    pub(super) fn reduces(&self, r: &Reduces) -> TokenStream {
        let Reduces { count, index, elem, terms, body, dests, with, order } = r;
        let (rt, sums) = (self.rt, Self::reduction(&format!("{}s", with.name()), *order, body));
        let (n, i, body) = (self.operand(count), self.idents.var(*index), self.block(body));
        let (usize, elem) = (scalar_type(Scalar::Usize), scalar_type(*elem));
        let terms: Vec<Ident> = terms.iter().map(|t| self.idents.var(*t)).collect();
        let (width, totals) = (terms.len(), inner("totals"));
        let stores = dests.iter().enumerate().map(|(k, d)| self.put(d, quote!(#totals[#k])));
        quote! {
            let #totals: [#elem; #width] = #rt::#sums(#n, |#i: #usize| {
                #(let #terms: #elem;)*
                { #body }
                [#(#terms),*]
            });
            #(#stores)*
        }
    }

    /// Stores a value that uses no storage.
    fn put(&self, d: &Dest, value: TokenStream) -> TokenStream {
        let rt = self.rt;
        match d {
            Dest::Cell(v) => {
                let v = self.idents.var(*v);
                quote!(#v = #value;)
            }
            d => {
                let (r, offset) = self.cell(d, "row_mut");
                quote!(#rt::put(#r, #offset, #value);)
            }
        }
    }

    /// A term that assigns these cells, as a tuple.
    fn tuple_of(&self, cells: &[VarId], elems: &[Scalar], t: &Term) -> TokenStream {
        let (names, types) = (self.variables(cells), elems.iter().map(|s| scalar_type(*s)));
        let term = self.block(t);
        quote!({ #(let #names: #types;)* { #term } (#(#names,)*) })
    }

    fn variables(&self, vs: &[VarId]) -> Vec<Ident> {
        vs.iter().map(|v| self.idents.var(*v)).collect()
    }

    pub(super) fn combine(&self, c: &Combine) -> TokenStream {
        let Combine { count, index, elems, terms, body, left, right, next, combine, init, dests } = c;
        let (rt, n, i, usize) = (self.rt, self.operand(count), self.idents.var(*index), scalar_type(Scalar::Usize));
        let (left, right) = (self.variables(left), self.variables(right));
        let types: Vec<TokenStream> = elems.iter().map(|s| scalar_type(*s)).collect();
        let start = self.tuple_of(next, elems, init);
        let (term, next) = (self.tuple_of(terms, elems, body), self.tuple_of(next, elems, combine));
        let (start_name, totals, ty) = (inner("start"), inner("totals"), quote!((#(#types,)*)));
        let stores = dests.iter().enumerate().map(|(k, d)| {
            let k = Literal::usize_unsuffixed(k);
            self.put(d, quote!(#totals.#k))
        });
        let value = if has_loop(body) || has_loop(combine) {
            // Both may use the frame, so that they cannot be two closures; and neither is compiled twice. The lanes are
            // terms of their own behind the terms that they combine.
            let [count, full, merged, lanes, step] = ["count", "full", "merged", "lanes", "step"].map(inner);
            let lane_count = quote!(#rt::LANES);
            quote! {{
                let #count: #usize = #n;
                let #full = #count / #lane_count * #lane_count;
                let #merged = if #full > 0 { #full + #lane_count } else { 0 };
                let mut #lanes = [#start_name; #lane_count];
                let mut #totals: #ty = #start_name;
                for #step in 0..#count + (#merged - #full) {
                    let (#(#right,)*): #ty = if #step < #full || #step >= #merged {
                        let #i: #usize = if #step < #full { #step } else { #step - (#merged - #full) };
                        #term
                    } else {
                        #lanes[#step - #full]
                    };
                    let (#(#left,)*): #ty = if #step < #full { #lanes[#step % #lane_count] } else { #totals };
                    *(if #step < #full { &mut #lanes[#step % #lane_count] } else { &mut #totals }) = #next;
                }
                #totals
            }}
        } else {
            quote!(#rt::reduce(#n, #start_name, |(#(#left,)*): #ty, (#(#right,)*): #ty| #next, |#i: #usize| #term))
        };
        quote! {
            let #start_name: #ty = #start;
            let #totals: #ty = #value;
            #(#stores)*
        }
    }

    pub(super) fn fold(&self, Fold { count: steps, index, test, states, init, step, then }: &Fold) -> TokenStream {
        let rt = self.rt;
        let (n, i, count) = (self.operand(steps), self.idents.var(*index), inner("count"));
        let usize = scalar_type(Scalar::Usize);
        let (mut buffers, mut firsts, mut late) = (vec![], vec![], vec![]);
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
                    let begins_there = other.is_none() && onto.is_none() && is_only_there(init, *first);
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
                        // It is borrowed when the initial states are there: they may still be read from it.
                        None if begins_there => {
                            late.push(quote!(let #now = #dest;));
                            TokenStream::new()
                        }
                        None => quote!(let #now = #dest;),
                    });
                    if !begins_there {
                        firsts.push(quote!(let #first = &mut *#now;));
                    }
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
        // The counter of a `while` would be one more number to keep, and one more reason to end.
        let reads_index = |t: &Term| t.uses(*index) > 0;
        let counted = !is_endless(steps) || reads_index(step) || test.as_deref().is_none_or(reads_index);
        let (counter, head) = if counted {
            (quote!(let #count: #usize = #n;), quote!(for #i in 0..#count))
        } else {
            (quote!(), quote!(loop))
        };
        let test = test.as_ref().map(|t| {
            let test = self.operand(t);
            quote!(if !#test { break; })
        });
        let (init, step, then) = (self.block(init), self.block(step), self.block(then));
        quote! {
            #counter
            #(#begin)*
            #(#firsts)*
            #(#declare_next)*
            { #init }
            #(#late)*
            #(#start)*
            #head {
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

/// The count of a loop that ends by its test alone.
fn is_endless(count: &Term) -> bool {
    let most = Some(i128::from(u64::MAX));
    match count {
        Term::Size(c, _) => c.constant() == most,
        Term::Lit(l) => l.as_int() == most,
        _ => false,
    }
}

/// Whether the initial state in `first` is there already: nothing is written.
fn is_only_there(init: &Term, first: VarId) -> bool {
    let there = init.count(|t| matches!(t, Term::AlreadyThere(d, _) if d.root() == Some(first)));
    there > 0 && there == init.uses(first)
}

/// Whether a term contains a loop: then its code is not repeated for the tail of a reduction.
fn has_loop(t: &Term) -> bool {
    t.any(&|t| t.is_loop() || matches!(t, Term::Call(_) | Term::Copy(_)))
}
