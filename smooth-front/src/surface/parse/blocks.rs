//! Blocks: statements, `let`s, patterns, the final expression.

use super::consts::local_constant;
use super::elements::is_one;
use super::fragments::inner;
use super::probes::is_matches;
use super::rejections::chains::is_iterator;
use super::{Parser, extent, identifiers};
use crate::diag::{codes, hints};
use crate::mapped::{Mapped, PushAll};
use crate::surface::{Expr, ExprKind, Extent, Pattern, Stmt, TypeKind, key, plain, text};
use quote::ToTokens;

/// Whether `e` is what syn makes of a `;` alone.
fn is_empty(e: &syn::Expr) -> bool {
    matches!(e, syn::Expr::Verbatim(tokens) if tokens.is_empty())
}

/// Whether an expression has a value and does nothing else.
fn is_pure(e: &ExprKind) -> bool {
    match e {
        ExprKind::Tuple(parts) => !parts.is_empty(),
        ExprKind::Lit(..) | ExprKind::Decimal(_) | ExprKind::Path(_) | ExprKind::Binary(..) | ExprKind::Unary(..) => {
            true
        }
        ExprKind::Same(_) | ExprKind::Index(..) | ExprKind::Slice(..) | ExprKind::Field(..) => true,
        ExprKind::Array(_) | ExprKind::Repeat(..) | ExprKind::Cast(..) | ExprKind::Closure(_) => true,
        _ => false,
    }
}

impl Parser<'_> {
    pub(super) fn block(&mut self, b: &syn::Block, at: Extent) -> Expr {
        let mut stmts = Vec::new();
        let mut last = None;
        let outside = self.references.clone();
        // The last value of the whole body is its value.
        let whole = std::mem::take(&mut self.has_result);
        self.local_constants(b, &mut stmts);
        for (k, s) in b.stmts.iter().enumerate() {
            let tail = k + 1 == b.stmts.len();
            match s {
                syn::Stmt::Local(l) => self.local(l, &mut stmts),
                syn::Stmt::Expr(e, _) if is_empty(e) => {}
                syn::Stmt::Expr(e, None) if tail => last = Some(self.expr(e)),
                syn::Stmt::Expr(e, _) => stmts.push(Stmt::Do(self.statement(e, tail && whole))),
                s if local_constant(s).is_some() => {}
                syn::Stmt::Item(i) => {
                    let message = "an item inside a kernel: a body consists of statements, constants and a final expression\nmove it out of the function; a function in a kernel is a closure, `let f = |x: f64| …;`";
                    self.reject(&codes::OUTSIDE, i, message);
                    let name = match i {
                        syn::Item::Fn(f) => Some(&f.sig.ident),
                        syn::Item::Static(s) => Some(&s.ident),
                        _ => None,
                    };
                    // It stays in scope, so that its uses are not reported as well.
                    stmts.push_all(name.map(|name| {
                        let at = extent(name);
                        Stmt::Let(Pattern::Name(Some(name.clone()), None, at, false), self.node(ExprKind::Error, at))
                    }));
                }
                syn::Stmt::Macro(m) => {
                    let kind = self.macro_expr(&m.mac);
                    let e = self.node(kind, extent(&m.mac));
                    let rejected = matches!(e.kind, ExprKind::Error);
                    if tail && (rejected || m.semi_token.is_none()) {
                        last = Some(e);
                    } else if is_matches(&m.mac) {
                        let e = self.unused(&m.mac, e.at, tail && whole);
                        stmts.push(Stmt::Do(e));
                    } else if !rejected {
                        stmts.push(Stmt::Do(e));
                    }
                }
            }
        }
        self.references = outside;
        // A term that never has a value is a statement, with or without a `;`.
        let has_none = |e: &mut Expr| {
            matches!(e.kind, ExprKind::Assign(..) | ExprKind::For(_) | ExprKind::While(..))
                || matches!(&e.kind, ExprKind::Assert(a) if !a.claim.is_never())
        };
        if let Some(e) = last.take_if(has_none) {
            stmts.push(Stmt::Do(e));
        }
        let last = last.unwrap_or_else(|| self.node(ExprKind::Tuple(vec![]), at));
        self.node(ExprKind::Block(stmts, Box::new(last)), at)
    }

    /// An expression as a statement, for its effects. Rejects one that cannot have any.
    fn statement(&mut self, e: &syn::Expr, tail: bool) -> Expr {
        let value = self.expr(e);
        if !self.no_result && is_pure(&value.kind) {
            return self.unused(e, value.at, tail);
        }
        value
    }

    /// Rejects a statement that does nothing.
    fn unused(&mut self, e: &impl ToTokens, at: Extent, tail: bool) -> Expr {
        self.reject(&codes::OUTSIDE, e, hints::unused(tail));
        self.node(ExprKind::Error, at)
    }

    fn local(&mut self, l: &syn::Local, stmts: &mut Vec<Stmt>) {
        let before = self.diags.iter().count();
        if let Some(mut value) = self.let_else(l) {
            let mut names = Vec::new();
            identifiers(l.pat.to_token_stream(), &mut names);
            let at = extent(l);
            for i in names {
                let value = std::mem::replace(&mut value, ExprKind::Error);
                stmts.push(Stmt::Let(Pattern::Name(Some(i), None, at, false), self.node(value, at)));
            }
            return;
        }
        let (pattern, mut elements) = self.whole_pattern(&l.pat);
        self.distinct_names(std::slice::from_ref(&pattern), &elements, &l.pat);
        let Some(init) = &l.init else {
            if !elements.is_empty() {
                let message = "an array is taken apart, but there is no value yet\ndeclare the names one by one, or give the `let` a value";
                self.reject(&codes::OUTSIDE, &l.pat, message);
            }
            return stmts.push(Stmt::Declare(pattern));
        };
        if let Some((token, _)) = &init.diverge {
            let message = "`let … else` is outside the language\nremove the `else`: a name or a tuple of names matches every value; decide with `if` or `match`";
            self.reject(&codes::OUTSIDE, token, message);
        }
        let bound = self.diags.iter().count() == before;
        if let (Pattern::Name(Some(name), ..), e) = (&pattern, inner(&init.expr))
            && (is_iterator(e) || matches!(e, syn::Expr::Range(_)))
        {
            self.iterators.push((plain(name), text::expression(e.to_token_stream())));
        }
        let value = self.expr(&init.expr);
        if let (Pattern::Name(Some(name), ..), syn::Expr::Reference(r)) = (&pattern, inner(&init.expr))
            && r.mutability.is_some()
        {
            self.references.insert(key(name));
        }
        // The names of a rejected pattern stay in scope, so that their uses are not reported as well.
        stmts.push(Stmt::Let(pattern, if bound { value } else { self.node(ExprKind::Error, extent(l)) }));
        stmts.append(&mut elements);
    }

    pub(super) fn pattern(&mut self, p: &syn::Pat) -> Pattern {
        let at = extent(p);
        match p {
            syn::Pat::Ident(i) if i.by_ref.is_none() && i.subpat.is_none() => {
                self.references.remove(&key(&i.ident));
                Pattern::Name(Some(i.ident.clone()), None, at, i.mutability.is_some())
            }
            syn::Pat::Wild(_) => Pattern::Name(None, None, at, false),
            syn::Pat::Type(t) => {
                let ty = self.ty(&t.ty);
                match self.pattern(&t.pat) {
                    Pattern::Name(name, _, at, mutable) => Pattern::Name(name, Some(ty), at, mutable),
                    rest @ Pattern::Rest(_) => rest,
                    Pattern::Tuple(mut ps, at) => {
                        if let TypeKind::Tuple(ts) = ty.kind {
                            ps = Pattern::of_parts(&ps, ts.len()).unwrap_or(ps);
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
            syn::Pat::Rest(_) => Pattern::Rest(at),
            syn::Pat::Tuple(t) if rests(t) <= 1 => Pattern::Tuple(t.elems.iter().mapped(|p| self.pattern(p)), at),
            syn::Pat::Slice(s) if s.elems.iter().all(is_one) => self.array_pattern(s, at),
            syn::Pat::Paren(p) => self.pattern(&p.pat),
            syn::Pat::Reference(r) if r.mutability.is_none() => self.pattern(&r.pat),
            _ => {
                self.helped(
                    &codes::OUTSIDE,
                    p,
                    "this pattern is outside the language: bind a name, or a tuple or an array of names",
                    "bind the value to a name and take its parts: `a[0]`, `a[1]` of an array, `t.0`, `t.1` of a tuple",
                );
                let mut names = Vec::new();
                identifiers(p.to_token_stream(), &mut names);
                Pattern::Tuple(names.into_iter().mapped(|i| Pattern::Name(Some(i), None, at, false)), at)
            }
        }
    }
}

/// The number of `..` in a tuple pattern.
pub(super) fn rests(t: &syn::PatTuple) -> usize {
    t.elems.iter().filter(|p| matches!(p, syn::Pat::Rest(_))).count()
}
