//! Probes: they run in the reference, in their place.

use super::Reference;
use crate::mapped::Mapped;
use crate::surface::probes::{Assert, Claim, Dbg};
use crate::surface::rust::hidden;
use crate::surface::{Expr, reports};
use proc_macro2::TokenStream;
use quote::quote;

impl Reference<'_> {
    /// `dbg!(e)`: a block with the value of `e`.
    pub(super) fn dbg(&mut self, e: &Expr, dbg: &Dbg) -> TokenStream {
        let Some(of) = &dbg.value else {
            let print = reports::print(dbg, None, e.at.0, self.rt);
            return quote!({ #print });
        };
        let (value, name) = (self.owned(of), hidden("value"));
        let print = reports::print(dbg, Some(quote!(#name)), e.at.0, self.rt);
        quote!({ let #name = #value; #print #name })
    }

    /// An assertion. The arguments of its message are computed where it does not hold.
    pub(super) fn assertion(&mut self, e: &Expr, a: &Assert) -> TokenStream {
        let sides: Vec<TokenStream> = a.claim.exprs().into_iter().mapped(|e| self.owned(e));
        let args = a.message.iter().flat_map(|m| &m.args).mapped(|(_, e)| self.owned(e));
        let names = [hidden("left"), hidden("right")];
        let [left, right] = &names;
        let holds = match &a.claim {
            Claim::Holds(..) | Claim::Never(_) => quote!(#(#sides)*),
            Claim::Equal(..) => quote!(#left == #right),
            Claim::Differ(..) => quote!(#left != #right),
        };
        let lets = match &a.claim {
            Claim::Holds(..) | Claim::Never(_) => quote!(),
            _ => quote!(#(let #names = #sides;)*),
        };
        let assertion = reports::assert(a, holds, &names.each_ref().map(|n| quote!(#n)), args, e.at.0);
        quote!({ #lets #assertion })
    }
}
