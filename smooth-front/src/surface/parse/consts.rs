//! Constants of a body: `const K: usize = 3;` in a block.

use super::{Parser, extent};
use crate::diag::codes;
use crate::mapped::Mapped;
use crate::surface::{Generic, Pattern, Stmt, key, same_name};
use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::ToTokens;

/// A constant with a name.
pub(super) fn local_constant(s: &syn::Stmt) -> Option<&syn::ItemConst> {
    match s {
        syn::Stmt::Item(syn::Item::Const(c)) if c.ident != "_" => Some(c),
        _ => None,
    }
}

/// The names that tokens mention, but for members and names after `::`; `heads`: also names before `::`.
fn mentioned(tokens: TokenStream, heads: bool, names: &mut Vec<Ident>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect_vec();
    let is = |k: Option<usize>, c: char| matches!(k.and_then(|k| tokens.get(k)), Some(TokenTree::Punct(p)) if p.as_char() == c);
    for (k, t) in tokens.iter().enumerate() {
        match t {
            TokenTree::Group(g) => mentioned(g.stream(), heads, names),
            TokenTree::Ident(i) => {
                let member = is(k.checked_sub(1), '.') && !is(k.checked_sub(2), '.');
                let behind = is(k.checked_sub(1), ':') && is(k.checked_sub(2), ':');
                let head = is(Some(k + 1), ':') && is(Some(k + 2), ':');
                if !member && !behind && (heads || !head) {
                    names.push(i.clone());
                }
            }
            _ => {}
        }
    }
}

impl Parser<'_> {
    /// `const K: t = e;` is `let K: t = e;` before everything else in the block, and after the constants that `e` mentions.
    pub(super) fn local_constants(&mut self, b: &syn::Block, stmts: &mut Vec<Stmt>) {
        let mut rest: Vec<&syn::ItemConst> = b.stmts.iter().filter_map(local_constant).collect_vec();
        while !rest.is_empty() {
            let waits = |c: &&syn::ItemConst| {
                let mut names = Vec::new();
                mentioned(c.ty.to_token_stream(), false, &mut names);
                mentioned(c.expr.to_token_stream(), false, &mut names);
                names.iter().any(|i| rest.iter().any(|d| same_name(&d.ident, i)))
            };
            // rustc reports constants that need each other.
            let c = rest.remove(rest.iter().position(|c| !waits(c)).unwrap_or(0));
            let at = extent(&c.ident);
            let (ty, value) = (self.ty(&c.ty), self.expr(&c.expr));
            self.own_names_only(c, b);
            // The reference has it unchanged: rustc checks that it is constant, and the patterns that compare with it.
            self.constants.insert(value.id, c.to_token_stream());
            stmts.push(Stmt::Let(Pattern::Name(Some(c.ident.clone()), Some(ty), at, false), value));
        }
    }

    /// Rejects generic parameters in a constant, as Rust does.
    fn own_names_only(&mut self, c: &syn::ItemConst, b: &syn::Block) {
        let (mut types, mut values) = (Vec::new(), Vec::new());
        mentioned(c.ty.to_token_stream(), true, &mut types);
        mentioned(c.expr.to_token_stream(), true, &mut values);
        // A constant may have the name of a type parameter.
        values.retain(|i| !b.stmts.iter().filter_map(local_constant).any(|d| same_name(&d.ident, i)));
        let generic = types.into_iter().chain(values).find(|i| {
            self.generics.iter().any(|g| match g {
                Generic::Type(name, _) | Generic::Const(name) => key(name) == key(i),
            })
        });
        if let Some(name) = generic {
            let message = format!(
                "a constant cannot depend on the generic parameter `{name}`\nwrite `let` in the place of `const`"
            );
            self.reject(&codes::OUTSIDE, &name, message);
        }
    }
}
