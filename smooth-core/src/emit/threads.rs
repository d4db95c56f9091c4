//! Loops that threads share: a closure for one part, which is inlined into the instance that runs it.
//!
//! Strips are parameters of a closure, and not captured, so that LLVM knows that they alias nothing that is read.

use super::body::{Body, always, cpu, inner};
use super::sizes;
use crate::loops::{Access, Block, BufferId, Expr, Function, Memory, Spread, Stmt, Turn};
use crate::mapped::Mapped;
use crate::shape::ParamKind;
use crate::shape::card::{Atom, Card};
use crate::sorted::Set;
use proc_macro2::{Literal, TokenStream};
use quote::{ToTokens, format_ident, quote};

impl Body<'_> {
    pub(super) fn spread(&self, s: &Spread) -> TokenStream {
        let (rt, always) = (self.rt, always());
        let (instance, frame, run) = (cpu(), inner("frame"), inner("run"));
        let (first, len) = (self.idents.var(s.first), self.idents.var(s.len));
        let (count, body) = (self.size(&s.count), self.block(&s.body));
        let captured = self.captured(s);
        let grain = Literal::i128_unsuffixed(self.f.schedule.target.threads.grain);
        let each = sizes::checked(&s.work, self.idents, rt);
        let (bytes, parts) = (
            sizes::bytes(&s.frame, self.idents, rt),
            match s.parts {
                Some(n) => Literal::u32_unsuffixed(n).to_token_stream(),
                None => quote!(usize::MAX),
            },
        );
        let strips = s.strips.iter().rev().fold(quote!(()), |others, strip| {
            let (home, from) = (self.buffer(strip.home.buffer), self.offset(&strip.home.offset));
            let width = self.size(&strip.width);
            quote!((#rt::strip(&mut *#home, #from, #width, #count), #others))
        });
        let names = s.strips.iter().mapped(|strip| self.buffer(strip.name));
        let types = s.strips.iter().map(|strip| {
            let elem = rt.scalar(self.f.buffer(strip.home.buffer).elem);
            quote!(&mut #rt::Cells<#elem>)
        });
        let numbers = (0..names.len()).mapped(|k| inner(&format!("strip{k}")));
        let pattern = numbers.iter().rev().fold(quote!(()), |others, x| quote!((#x, #others)));
        let memory = format_ident!("Memory", span = proc_macro2::Span::mixed_site());
        quote! {{
            let #run = ::core::convert::identity(
                #always
                |#first: usize, #len: usize, #(#names: #types,)* #frame: &mut #rt::Cells<u8>| { #captured #body }
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

    /// Local copies of the numbers and buffers that a part reads from the code around it. Through the reference that a closure
    /// captures, a number would be read again after each store.
    fn captured(&self, s: &Spread) -> TokenStream {
        let mut reads = Reads::default();
        reads.block(&s.body, self.f);
        let mut own = Set::from([s.first, s.len]);
        s.body.iter().for_each(|s| s.targets(&mut own));
        let functions = self.f.interface.params.iter().filter(|p| matches!(p.kind, ParamKind::Fn(..)));
        own.extend(functions.map(|p| p.var));
        let numbers = reads.numbers.iter().filter(|a| !matches!(a, Atom::Var(v) if own.contains(v)));
        let numbers = numbers.map(|a| {
            let x = self.idents.atom(a);
            quote!(let #x = #x;)
        });
        let strips = s.strips.iter().map(|s| s.name);
        let opened: Set<BufferId> = reads.opened.iter().copied().chain(strips).collect();
        let buffers = reads.buffers.difference(&opened).map(|b| {
            let x = self.buffer(*b);
            let own = if let Memory::Strided(_) = self.f.buffer(*b).memory { quote!(#x) } else { quote!(&*#x) };
            quote!(let #x = #own;)
        });
        quote!(#(#numbers)* #(#buffers)*)
    }
}

/// The numbers and buffers that statements read.
#[derive(Default)]
struct Reads {
    numbers: Set<Atom>,
    buffers: Set<BufferId>,
    opened: Set<BufferId>,
}

impl Reads {
    fn size(&mut self, c: &Card) {
        let known = |a: &&Atom| matches!(a, Atom::Var(_) | Atom::Len(..));
        self.numbers.extend(c.atoms().into_iter().filter(known).cloned());
    }

    fn access(&mut self, a: &Access) {
        self.buffers.insert(a.buffer);
        self.size(&a.offset);
    }

    fn expr(&mut self, e: &Expr) {
        match e {
            Expr::Var(x) => drop(self.numbers.insert(Atom::Var(*x))),
            Expr::Size(c, _) => self.size(c),
            Expr::Load(a) => self.access(a),
            _ => {}
        }
        e.operands().iter().for_each(|e| self.expr(e));
    }

    fn block(&mut self, b: &Block, f: &Function) {
        for s in b {
            s.exprs().into_iter().for_each(|e| self.expr(e));
            s.accesses().into_iter().for_each(|a| self.access(a));
            s.cards().into_iter().for_each(|c| self.size(c));
            if let Stmt::Open(bs) | Stmt::Turn(Turn { names: bs, .. }) = s {
                self.opened.extend(bs);
                bs.iter().for_each(|b| self.size(&f.buffer(*b).len));
            }
            s.blocks().into_iter().for_each(|b| self.block(b, f));
        }
    }
}
