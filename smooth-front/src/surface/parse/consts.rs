//! Constants of a body: `const K: usize = 3;` in a block.

use super::{Parser, extent, identifiers};
use crate::diag::codes;
use crate::surface::{Generic, Pattern, Stmt, key, same_name};
use proc_macro2::Ident;
use quote::ToTokens;

/// A constant with a name.
pub(super) fn local_constant(s: &syn::Stmt) -> Option<&syn::ItemConst> {
    match s {
        syn::Stmt::Item(syn::Item::Const(c)) if c.ident != "_" => Some(c),
        _ => None,
    }
}

/// The names that a constant mentions.
fn mentioned(c: &syn::ItemConst) -> Vec<Ident> {
    let mut names = Vec::new();
    identifiers(c.ty.to_token_stream(), &mut names);
    identifiers(c.expr.to_token_stream(), &mut names);
    names
}

impl Parser<'_> {
    /// `const K: t = e;` is `let K: t = e;` before everything else in the block, and after the constants that `e` mentions.
    pub(super) fn local_constants(&mut self, b: &syn::Block, stmts: &mut Vec<Stmt>) {
        let mut rest: Vec<&syn::ItemConst> = b.stmts.iter().filter_map(local_constant).collect();
        while !rest.is_empty() {
            let waits = |c: &&syn::ItemConst| mentioned(c).iter().any(|i| rest.iter().any(|d| same_name(&d.ident, i)));
            // Of constants that need each other rustc says so.
            let c = rest.remove(rest.iter().position(|c| !waits(c)).unwrap_or(0));
            let at = extent(&c.ident);
            let (ty, value) = (self.ty(&c.ty), self.expr(&c.expr));
            self.own_names_only(c);
            // The reference has it as it is: rustc checks that it is constant, and what patterns compare with it.
            self.constants.insert(value.id, c.to_token_stream());
            stmts.push(Stmt::Let(Pattern::Name(Some(c.ident.clone()), Some(ty), at, false), value));
        }
    }

    /// Rejects generic parameters in a constant, as Rust does.
    fn own_names_only(&mut self, c: &syn::ItemConst) {
        let generic = mentioned(c).into_iter().find(|i| {
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
