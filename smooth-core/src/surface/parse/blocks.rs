//! Blocks: `let`s, patterns, the final expression.

use super::{Parser, extent, identifiers};
use crate::diag::codes;
use crate::surface::{Expr, ExprKind, Extent, Pattern, Stmt, TypeKind, path_key};
use quote::ToTokens;

/// What syn makes of a `;` alone.
fn is_empty(e: &syn::Expr) -> bool {
    matches!(e, syn::Expr::Verbatim(tokens) if tokens.is_empty())
}

impl Parser<'_> {
    pub(super) fn block(&mut self, b: &syn::Block, at: Extent) -> Expr {
        let mut stmts = Vec::new();
        let mut last = None;
        for (k, s) in b.stmts.iter().enumerate() {
            let tail = k + 1 == b.stmts.len();
            match s {
                syn::Stmt::Local(l) => stmts.push(self.local(l)),
                syn::Stmt::Expr(e, semi) if is_empty(e) => {
                    self.reject(&codes::OUTSIDE, semi, "a `;` that ends nothing: remove it");
                }
                syn::Stmt::Expr(e, None) if tail => last = Some(self.expr(e)),
                syn::Stmt::Expr(e, semi) => self.statement(e, semi.is_some() && tail),
                syn::Stmt::Item(i) => {
                    self.reject(
                        &codes::OUTSIDE,
                        i,
                        "an item inside a kernel: a body consists of `let`s and a final expression",
                    );
                }
                syn::Stmt::Macro(m) => self.macro_call(&m.mac),
            }
        }
        let reported = |s: &syn::Stmt| match s {
            syn::Stmt::Expr(e, _) => !is_empty(e),
            s => matches!(s, syn::Stmt::Macro(_)),
        };
        let last = last.unwrap_or_else(|| {
            if !self.no_result && !b.stmts.iter().any(reported) {
                self.diags.error_between(
                    &codes::OUTSIDE,
                    at,
                    "this block ends without a value: end it with an expression",
                );
            }
            self.node(ExprKind::Error, at)
        });
        self.node(ExprKind::Block(stmts, Box::new(last)), at)
    }

    /// Rejects an expression statement: only `let`s may precede the final expression.
    pub(super) fn statement(&mut self, e: &syn::Expr, tail_with_semicolon: bool) {
        if self.no_result {
            return;
        }
        let before = self.diags.iter().count();
        self.expr(e);
        if self.diags.iter().count() == before {
            let message = if tail_with_semicolon {
                "the `;` discards the value of this expression: a block ends with its value"
            } else {
                "the value of this statement is not used: kernels have no side effects"
            };
            self.reject(&codes::OUTSIDE, e, message);
        }
    }

    pub(super) fn local(&mut self, l: &syn::Local) -> Stmt {
        let before = self.diags.iter().count();
        let pattern = self.pattern(&l.pat);
        let Some(init) = &l.init else {
            self.reject(&codes::STATE, l, "a `let` without a value");
            return Stmt::Let(pattern, self.node(ExprKind::Error, extent(l)));
        };
        if init.diverge.is_some() {
            self.reject(&codes::OUTSIDE, l, "`let … else` is outside the language");
        }
        let bound = self.diags.iter().count() == before;
        let value = self.expr(&init.expr);
        // The names of a rejected pattern stay in scope, so that their uses are not reported as well.
        Stmt::Let(pattern, if bound { value } else { self.node(ExprKind::Error, extent(l)) })
    }

    pub(super) fn pattern(&mut self, p: &syn::Pat) -> Pattern {
        let at = extent(p);
        match p {
            syn::Pat::Ident(i) if i.by_ref.is_none() && i.subpat.is_none() => {
                if i.mutability.is_some() {
                    self.reject(
                        &codes::STATE,
                        p,
                        format!("`{}` is mutable: the language has no mutable variables", i.ident),
                    );
                }
                Pattern::Name(Some(i.ident.clone()), None, at, i.mutability.is_some())
            }
            syn::Pat::Wild(_) => Pattern::Name(None, None, at, false),
            syn::Pat::Type(t) => {
                let ty = self.ty(&t.ty);
                match self.pattern(&t.pat) {
                    Pattern::Name(name, _, at, mutable) => Pattern::Name(name, Some(ty), at, mutable),
                    Pattern::Tuple(mut ps, at) => {
                        if let TypeKind::Tuple(ts) = ty.kind {
                            for (p, t) in ps.iter_mut().zip(ts) {
                                if let Pattern::Name(_, ty @ None, ..) = p {
                                    *ty = Some(t);
                                }
                            }
                        }
                        Pattern::Tuple(ps, at)
                    }
                }
            }
            syn::Pat::Tuple(t) => Pattern::Tuple(t.elems.iter().map(|p| self.pattern(p)).collect(), at),
            syn::Pat::Paren(p) => self.pattern(&p.pat),
            syn::Pat::Reference(r) if r.mutability.is_none() => self.pattern(&r.pat),
            _ => {
                self.reject(
                    &codes::OUTSIDE,
                    p,
                    "this pattern is outside the language: bind a name or a tuple of names",
                );
                let mut names = Vec::new();
                identifiers(p.to_token_stream(), &mut names);
                Pattern::Tuple(names.into_iter().map(|i| Pattern::Name(Some(i), None, at, false)).collect(), at)
            }
        }
    }

    pub(super) fn macro_call(&mut self, m: &syn::Macro) {
        self.reject(
            &codes::OUTSIDE,
            m,
            format!(
                "the macro `{}!` inside a kernel: macros are not expanded before the kernel is compiled",
                path_key(&m.path)
            ),
        );
    }
}
