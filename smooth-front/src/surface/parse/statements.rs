//! Statements: assignments, loops, and the jumps that leave them.

use super::elements::{places, takes_apart};
use super::extent::of_block;
use super::fragments::inner;
use super::{Parser, extent};
use crate::diag::codes;
use crate::mapped::Mapped;
use crate::surface::{Expr, ExprKind, For, Pattern, Stmt, key};
use proc_macro2::{Ident, Span};
use quote::ToTokens;

/// A loop or block that a `break` can leave.
pub(super) struct Target {
    label: Option<String>,
    form: Form,
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    For,
    While,
    Loop,
    Block,
}

impl Form {
    fn name(self) -> &'static str {
        match self {
            Form::For => "a `for` loop",
            Form::While => "a `while` loop",
            Form::Loop => "a `loop`",
            Form::Block => "a block",
        }
    }
}

/// Whether a part of a tuple of places is `..`.
fn is_rest(e: &syn::Expr) -> bool {
    matches!(e, syn::Expr::Range(r) if r.start.is_none() && r.end.is_none())
}

fn has_rest(e: &syn::Expr) -> bool {
    match inner(e) {
        syn::Expr::Tuple(t) => t.elems.iter().any(|e| is_rest(e) || has_rest(e)),
        _ => false,
    }
}

impl Parser<'_> {
    /// `target = value`, `target op= value`.
    pub(super) fn assignment(&mut self, op: Option<&'static str>, target: &syn::Expr, value: &syn::Expr) -> ExprKind {
        let value = self.boxed(value);
        if op.is_none() && has_rest(target) {
            return self.parts(target, *value);
        }
        let place = Box::new(self.target(target, op.is_none()));
        ExprKind::Assign(op, place, value)
    }

    /// `(a, .., b) = e` is `{ let (x, .., y) = e; a = x; b = y; }`, as in Rust.
    fn parts(&mut self, target: &syn::Expr, value: Expr) -> ExprKind {
        let (at, mut stores) = (value.at, Vec::new());
        let pattern = self.taken_apart(target, &mut stores);
        stores.insert(0, Stmt::Let(pattern, value));
        ExprKind::Block(stores, Box::new(self.node(ExprKind::Tuple(vec![]), at)))
    }

    /// The pattern of a tuple of places, and the assignments to them.
    fn taken_apart(&mut self, e: &syn::Expr, stores: &mut Vec<Stmt>) -> Pattern {
        let at = extent(e);
        match inner(e) {
            syn::Expr::Infer(_) => Pattern::Name(None, None, at, false),
            _ if is_rest(e) => Pattern::Rest(at),
            syn::Expr::Tuple(t) if t.elems.iter().filter(|e| is_rest(e)).count() <= 1 => {
                Pattern::Tuple(t.elems.iter().mapped(|e| self.taken_apart(e, stores)), at)
            }
            _ => {
                let part = Ident::new(&format!("__part{}", stores.len()), Span::mixed_site().located_at(at.0));
                let place = Box::new(self.target(e, false));
                let value = Box::new(self.node(ExprKind::Path(part.clone().into()), at));
                stores.push(Stmt::Do(self.node(ExprKind::Assign(None, place, value), at)));
                Pattern::Name(Some(part), None, at, false)
            }
        }
    }

    /// `std::mem::swap(&mut a, &mut b)` is `(a, b) = (b, a)`, and where an index assigns,
    /// `{ let i = …; let j = …; (a[i], b[j]) = (b[j], a[i]) }`: each index is evaluated once.
    pub(super) fn swap(&mut self, c: &syn::ExprCall) -> Option<ExprKind> {
        let syn::Expr::Path(f) = &*c.func else { return None };
        let names: Vec<String> = f.path.segments.iter().mapped(|s| s.ident.to_string());
        let names: Vec<&str> = names.iter().mapped(String::as_str);
        let args: Vec<&syn::Expr> = c.args.iter().collect_vec();
        let (["std" | "core", "mem", "swap"] | ["mem", "swap"], [a, b]) = (names.as_slice(), args.as_slice()) else {
            return None;
        };
        // A variable that is a borrow is swapped by its name.
        let (a, b) = (behind(a), behind(b));
        let mut values = [self.expr(a), self.expr(b)];
        let mut places = [self.target(a, false), self.target(b, false)];
        let mut indices = vec![];
        if values.iter().any(Expr::assigns) {
            places.iter_mut().for_each(|e| self.name_indices(e, &mut indices));
            values.iter_mut().fold(vec![], |mut again, e| {
                self.name_indices(e, &mut again);
                again
            });
        }
        values.reverse();
        let value = Box::new(self.node(ExprKind::Tuple(values.into()), extent(c)));
        let place = Box::new(self.node(ExprKind::Tuple(places.into()), extent(c)));
        let swap = ExprKind::Assign(None, place, value);
        if indices.is_empty() {
            return Some(swap);
        }
        let swap = self.node(swap, extent(c));
        indices.push(Stmt::Do(swap));
        Some(ExprKind::Block(indices, Box::new(self.node(ExprKind::Tuple(vec![]), extent(c)))))
    }

    /// Gives the indices of a place names, in order of evaluation.
    fn name_indices(&mut self, place: &mut Expr, lets: &mut Vec<Stmt>) {
        match &mut place.kind {
            ExprKind::Index(a, i) => {
                self.name_indices(a, lets);
                if !matches!(i.kind, ExprKind::Lit(..)) {
                    let name = Ident::new(&format!("__index{}", lets.len()), Span::mixed_site().located_at(i.at.0));
                    let named = self.node(ExprKind::Path(name.clone().into()), i.at);
                    let index = std::mem::replace(&mut **i, named);
                    lets.push(Stmt::Let(Pattern::Name(Some(name), None, index.at, false), index));
                }
            }
            ExprKind::Field(a, _) | ExprKind::Same(a) | ExprKind::Borrow(a) => self.name_indices(a, lets),
            _ => {}
        }
    }

    /// The left-hand side of an assignment; with `parts`, also `_` and a tuple of places.
    fn target(&mut self, e: &syn::Expr, parts: bool) -> Expr {
        match inner(e) {
            syn::Expr::Infer(_) if parts => self.node(ExprKind::Wild, extent(e)),
            syn::Expr::Tuple(t) if parts => {
                let places = t.elems.iter().mapped(|e| self.target(e, true));
                self.node(ExprKind::Tuple(places), extent(e))
            }
            syn::Expr::Index(i) if matches!(inner(&i.index), syn::Expr::Range(_)) => {
                let message = "a slice cannot be assigned as a whole\nfill it with `a[s..e].fill(x)`, or copy an array into it with `a[s..e].copy_from_slice(&b)`";
                self.reject(&codes::STATE, e, message);
                self.node(ExprKind::Error, extent(e))
            }
            syn::Expr::Path(_) | syn::Expr::Index(_) | syn::Expr::Field(_) => self.expr(e),
            syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => self.expr(e),
            _ => {
                let message = "only a variable, an element or a part of a tuple can be assigned\nassign to a variable, `x = …`, an element, `a[i] = …`, or a part, `t.0 = …`";
                self.reject(&codes::STATE, e, message);
                self.node(ExprKind::Error, extent(e))
            }
        }
    }

    pub(super) fn for_loop(&mut self, f: &syn::ExprForLoop) -> ExprKind {
        let before = self.diags.iter().count();
        let outside = self.references.clone();
        let mut items = self.items_of(f);
        let (pattern, elements) = self.whole_pattern(&f.pat);
        self.distinct_names(std::slice::from_ref(&pattern), &elements, &f.pat);
        let mut assigned = items.as_ref().map_or_else(Vec::new, |i| places(&pattern, &i.adapters, &i.source));
        if takes_apart(&assigned, &elements) {
            if matches!(inner(&f.expr), syn::Expr::Path(_)) {
                (items, assigned) = (Some(self.by_value(&f.expr)), vec![]);
            } else {
                let message = "the names of this pattern are copies, but the loop is over places\nname the row, and assign to its elements, as in `for row in m.iter_mut() { row[0] += 1.0; }`";
                self.reject(&codes::STATE, &f.pat, message);
            }
        }
        self.references.extend(assigned.iter().flat_map(|p| p.names()).map(key));
        let known = self.diags.iter().count() == before;
        let body = self.body(Form::For, f.label.as_ref(), &f.body);
        self.references = outside;
        let body = self.after(elements, body);
        // The body of a loop over something that was rejected would be type-checked without the types of its items.
        match items.filter(|_| known) {
            Some(items) => ExprKind::For(Box::new(For { label: label(f.label.as_ref()), pattern, items, body })),
            None => ExprKind::Error,
        }
    }

    pub(super) fn while_loop(&mut self, w: &syn::ExprWhile) -> ExprKind {
        let cond = self.condition(&w.cond);
        let body = self.body(Form::While, w.label.as_ref(), &w.body);
        let body = self.under(&w.cond, body);
        ExprKind::While(label(w.label.as_ref()), cond, Box::new(body))
    }

    pub(super) fn endless_loop(&mut self, l: &syn::ExprLoop) -> ExprKind {
        let body = self.body(Form::Loop, l.label.as_ref(), &l.body);
        ExprKind::Loop(label(l.label.as_ref()), Box::new(body))
    }

    pub(super) fn labelled_block(&mut self, name: &syn::Label, b: &syn::ExprBlock) -> ExprKind {
        let body = self.body(Form::Block, Some(name), &b.block);
        ExprKind::Labelled(name.name.clone(), Box::new(body))
    }

    fn body(&mut self, form: Form, label: Option<&syn::Label>, block: &syn::Block) -> Expr {
        self.targets.push(Target { label: label.map(|l| key(&l.name.ident)), form });
        let body = self.block(block, of_block(block));
        self.targets.pop();
        body
    }

    pub(super) fn break_from(&mut self, b: &syn::ExprBreak) -> ExprKind {
        let value = b.expr.as_ref().map(|e| self.boxed(e));
        let Some(form) = self.target_of(b.label.as_ref(), b) else { return ExprKind::Error };
        if value.is_some() && matches!(form, Form::For | Form::While) {
            let message = format!(
                "`break` with a value leaves {}, which has no value\nassign the value to a `let mut` variable before the `break`, or write a `loop`",
                form.name()
            );
            self.reject(&codes::UNBOUNDED, b, message);
            return ExprKind::Error;
        }
        ExprKind::Break(b.label.clone(), value)
    }

    pub(super) fn continue_with(&mut self, c: &syn::ExprContinue) -> ExprKind {
        match self.target_of(c.label.as_ref(), c) {
            None => return ExprKind::Error,
            Some(Form::Block) => {
                self.reject(
                    &codes::UNBOUNDED,
                    c,
                    "`continue` needs a loop, but this label is on a block\nleave the block with `break` and its label",
                );
                return ExprKind::Error;
            }
            Some(_) => {}
        }
        ExprKind::Continue(c.label.clone())
    }

    /// The loop or the block that a jump leaves.
    fn target_of(&mut self, label: Option<&syn::Lifetime>, at: &impl ToTokens) -> Option<Form> {
        let wanted = label.map(|l| key(&l.ident));
        let found = self.targets.iter().rev().find(|t| match &wanted {
            Some(_) => t.label == wanted,
            None => t.form != Form::Block,
        });
        let form = found.map(|t| t.form);
        if form.is_none() {
            let message = match label {
                Some(l) => format!(
                    "no loop and no block around this is labelled `{l}`\nput the label before the loop, as in `{l}: for i in 0..n`"
                ),
                None => format!(
                    "`{}` is outside of a loop\nput it inside the loop that it is for, or leave the kernel with `return`; a closure cannot leave a loop around it",
                    at.to_token_stream().into_iter().next().map(|t| t.to_string()).unwrap_or_default()
                ),
            };
            self.reject(&codes::UNBOUNDED, at, message);
        }
        form
    }
}

fn behind(e: &syn::Expr) -> &syn::Expr {
    if let syn::Expr::Reference(r) = inner(e) { &r.expr } else { e }
}

fn label(label: Option<&syn::Label>) -> Option<syn::Lifetime> {
    label.map(|l| l.name.clone())
}
