//! Loops that threads share: a closure for one part, which is a part of the instance that runs it.
//!
//! Strips are parameters of a closure, and not captured, so that LLVM knows them to be apart from everything that is read.

use super::body::{Body, always, cpu, inner, scalar_type};
use super::sizes;
use crate::loops::Spread;
use crate::schedule::GRAIN;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

impl Body<'_> {
    pub(super) fn spread(&self, s: &Spread) -> TokenStream {
        let (rt, always) = (self.rt, always());
        let (instance, frame, run) = (cpu(), inner("frame"), inner("run"));
        let (first, len) = (self.idents.var(s.first), self.idents.var(s.len));
        let (count, body) = (self.size(&s.count), self.block(&s.body));
        let (each, grain) = (sizes::checked(&s.work, self.idents, rt), Literal::i128_unsuffixed(GRAIN));
        let (bytes, parts) = (
            sizes::bytes(&s.frame, self.idents, rt),
            match s.parts {
                Some(n) => Literal::u32_unsuffixed(n).to_token_stream(),
                None => quote!(::core::primitive::usize::MAX),
            },
        );
        let strips = s.strips.iter().rev().fold(quote!(()), |others, strip| {
            let (home, from) = (self.buffer(strip.home.buffer), self.offset(&strip.home.offset));
            let width = self.size(&strip.width);
            quote!((#rt::strip(&mut *#home, #from, #width, #count), #others))
        });
        let names: Vec<_> = s.strips.iter().map(|strip| self.buffer(strip.name)).collect();
        let types = s.strips.iter().map(|strip| {
            let elem = scalar_type(self.f.buffer(strip.home.buffer).elem);
            quote!(&mut #rt::Cells<#elem>)
        });
        let numbers: Vec<_> = (0..names.len()).map(|k| inner(&format!("strip{k}"))).collect();
        let pattern = numbers.iter().rev().fold(quote!(()), |others, x| quote!((#x, #others)));
        let (usize, bytes_type) = (quote!(::core::primitive::usize), quote!(::core::primitive::u8));
        let memory = format_ident!("Memory", span = proc_macro2::Span::mixed_site());
        quote! {{
            let #run = ::core::convert::identity(
                #always
                |#first: #usize, #len: #usize, #(#names: #types,)* #frame: &mut [::core::mem::MaybeUninit<#bytes_type>]| { #body }
            );
            #rt::spread(
                #instance,
                #rt::Work { count: #count, each: #each, grain: #grain },
                #rt::#memory { parts: #parts, bytes: #bytes },
                #strips,
                &mut *#frame,
                #always
                |#first, #len, #pattern, #frame| #run(#first, #len, #(#numbers.cells(),)* #frame),
            );
        }}
    }
}
