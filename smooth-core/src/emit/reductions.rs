//! Reductions as Rust.

use super::body::{Body, always, cpu, inner, local};
use crate::loops::{Block, Expr, For, Reduce, Stmt, With};
use crate::mapped::Mapped;
use crate::name::VarId;
use proc_macro2::TokenStream;
use quote::quote;

impl Body<'_> {
    pub(super) fn reduce(&self, r: &Reduce) -> TokenStream {
        match &r.with {
            With::Monoid(m) => self.named(r, m.name()),
            With::Products => self.products(r),
            With::Function { init, left, right, body, next } => self.combine(r, init, (left, right), (body, next)),
        }
    }

    /// A function of the run-time library.
    fn named(&self, Reduce { index, count, elems, body, terms, totals, .. }: &Reduce, name: &str) -> TokenStream {
        let (rt, nested, inline) = (self.rt, if has_loop(body) { "_nested" } else { "" }, always());
        let (n, i, body) = (self.size(count), self.idents.var(*index), self.block(body));
        let usize = rt.usize();
        let (types, values): (_, Vec<TokenStream>) = (self.types(elems), terms.iter().mapped(|e| self.expr(e)));
        let names = self.variables(totals);
        if let ([x], [ty], [value]) = (names.as_slice(), types.as_slice(), values.as_slice()) {
            let sum = local(&format!("{name}{nested}"));
            return quote!(let #x: #ty = #rt::#sum(#n, #inline |#i: #usize| -> #ty { #body #value }););
        }
        let (sums, width, ty) = (local(&format!("{name}s{nested}")), names.len(), types.first());
        quote!(let [#(#names),*]: [#ty; #width] = #rt::#sums(#n, #inline |#i: #usize| { #body [#(#values),*] });)
    }

    /// A loop around one reduction. Several iterations of the loop run side by side.
    pub(super) fn rows(&self, For { index, count, body, .. }: &For) -> Option<TokenStream> {
        let [Stmt::Reduce(r @ Reduce { with: With::Monoid(m), .. }), after @ ..] = body.as_slice() else { return None };
        let ([total], [term], true) = (r.totals.as_slice(), r.terms.as_slice(), self.f.schedule.rows.contains(index))
        else {
            return None;
        };
        let (rt, inline, usize, ty) = (self.rt, always(), self.rt.usize(), self.types(&r.elems));
        let (n, k, rows) = (self.size(count), self.size(&r.count), local(&format!("{}_rows", m.name())));
        let [i, l, x] = [index, &r.index, total].map(|v| self.idents.var(*v));
        let (before, term, after) = (self.block(&r.body), self.expr(term), self.block(&after.to_vec()));
        Some(quote! {
            #rt::#rows(#n, #k, #inline |#i: #usize, #l: #usize| #(-> #ty)* { #before #term }, #inline |#i: #usize, #x: #(#ty)*| { #after });
        })
    }

    /// Sums of products.
    fn products(&self, Reduce { index, count, elems, body, terms, totals, .. }: &Reduce) -> TokenStream {
        let (rt, cpu, inline) = (self.rt, cpu(), always());
        let (n, i, body) = (self.size(count), self.idents.var(*index), self.block(body));
        let pairs = terms.chunks(2).map(|pair| {
            let pair = pair.iter().map(|e| self.expr(e));
            quote!((#(#pair),*))
        });
        let (usize, names, width) = (rt.usize(), self.variables(totals), totals.len());
        let ty = self.types(elems).into_iter().next();
        quote!(let [#(#names),*]: [#ty; #width] = #rt::products(#n, #cpu, #inline |#i: #usize| { #body [#(#pairs),*] });)
    }

    fn combine(
        &self,
        r: &Reduce,
        init: &[Expr],
        (left, right): (&[VarId], &[VarId]),
        (combine, next): (&Block, &[Expr]),
    ) -> TokenStream {
        let Reduce { index, count, elems, body, terms, totals, .. } = r;
        let (rt, n, i, usize) = (self.rt, self.size(count), self.idents.var(*index), self.rt.usize());
        let (left, right, totals) = (self.variables(left), self.variables(right), self.variables(totals));
        let types = self.types(elems);
        let values = |es: &[Expr]| {
            let es = es.iter().map(|e| self.expr(e));
            quote!((#(#es,)*))
        };
        let (start, ty) = (values(init), quote!((#(#types,)*)));
        let nested = has_loop(body) || has_loop(combine);
        let (body, term, combine, next) = (self.block(body), values(terms), self.block(combine), values(next));
        let (term, next) = (quote!({ #body #term }), quote!({ #combine #next }));
        if !nested {
            let inline = always();
            return quote! {
                let (#(#totals,)*): #ty =
                    #rt::reduce(
                        #n, #start, #inline |(#(#left,)*): #ty, (#(#right,)*): #ty| #next, #inline |#i: #usize| #term
                    );
            };
        }
        // The term and the combination may both use the frame, so they cannot be two closures, and neither is compiled twice.
        // After the terms of a lane one more step combines the lane with the total. The last part is the rest, whose terms are
        // combined with the total directly.
        let [count, run, part, from, to, step] = ["count", "run", "part", "from", "to", "step"].map(inner);
        let [total, lane, is_lane] = ["total", "lane", "is_lane"].map(inner);
        let lanes = quote!(#rt::RUNS);
        quote! {
            let (#(#totals,)*): #ty = {
                let mut #total: #ty = #start;
                let #count: #usize = #n;
                let #run: #usize = #rt::run(#count);
                for #part in 0..=#lanes {
                    let #is_lane = #part < #lanes;
                    let #from = #part * #run;
                    let #to = if #is_lane { #from + #run } else { #count };
                    let mut #lane: #ty = #total;
                    for #step in #from..if #is_lane && #run > 0 { #to + 1 } else { #to } {
                        let (#(#right,)*): #ty = if #step < #to {
                            let #i: #usize = #step;
                            #term
                        } else {
                            #lane
                        };
                        if #is_lane && #step == #from {
                            #lane = (#(#right,)*);
                            continue;
                        }
                        let (#(#left,)*): #ty = if #step < #to { #lane } else { #total };
                        *(if #step < #to { &mut #lane } else { &mut #total }) = #next;
                    }
                    if !#is_lane {
                        #total = #lane;
                    }
                }
                #total
            };
        }
    }
}

/// Whether a block contains a loop: then its code is not repeated for the tail of a reduction.
fn has_loop(b: &Block) -> bool {
    b.iter().any(|s| match s {
        Stmt::For(_) | Stmt::Reduce(_) | Stmt::Call(_) | Stmt::Copy { .. } => true,
        Stmt::If(_, a, b) => has_loop(a) || has_loop(b),
        Stmt::Block(b) => has_loop(b),
        _ => false,
    })
}
