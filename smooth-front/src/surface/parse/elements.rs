//! Patterns of arrays: `let [x, y, z] = p;`.

use super::{Parser, extent};
use crate::surface::{Expr, ExprKind, Extent, Pattern, Stmt};
use crate::value::Lit;
use proc_macro2::{Ident, Span};

impl Parser<'_> {
    /// A pattern without arrays in it, and the `let`s that take those apart.
    pub(super) fn whole_pattern(&mut self, p: &syn::Pat) -> (Pattern, Vec<Stmt>) {
        let outside = std::mem::take(&mut self.taken_apart);
        let pattern = self.pattern(p);
        (pattern, std::mem::replace(&mut self.taken_apart, outside))
    }

    /// `body`, after these `let`s.
    pub(super) fn after(&mut self, elements: Vec<Stmt>, body: Expr) -> Expr {
        let at = body.at;
        if elements.is_empty() { body } else { self.node(ExprKind::Block(elements, Box::new(body)), at) }
    }

    /// The pattern of an array is a name, with a `let` for each element.
    ///
    /// ```text
    /// let [p, q] = e;  =  let a = e; let a = (a of length 2); let p = a[0]; let q = a[1];
    /// ```
    pub(super) fn array_pattern(&mut self, s: &syn::PatSlice, at: Extent) -> Pattern {
        let name = Ident::new(&format!("elements{}", self.nodes), Span::mixed_site().located_at(at.0));
        let array = |p: &mut Self| Box::new(p.node(ExprKind::Path(name.clone().into()), at));
        let pattern = Pattern::Name(Some(name.clone()), None, at, false);
        let known = ExprKind::OfLength(array(self), s.elems.len());
        let mut lets = vec![Stmt::Let(pattern.clone(), self.node(known, at))];
        for (k, p) in s.elems.iter().enumerate().filter(|(_, p)| !matches!(p, syn::Pat::Wild(_))) {
            let at = extent(p);
            let (p, mut inner) = self.whole_pattern(p);
            let k = Box::new(self.node(ExprKind::Lit(Lit::usize(k as u64), true), at));
            let element = ExprKind::Index(array(self), k);
            lets.push(Stmt::Let(p, self.node(element, at)));
            lets.append(&mut inner);
        }
        self.taken_apart.append(&mut lets);
        pattern
    }
}

/// Whether an element of an array's pattern stands for one element, and not for several.
pub(super) fn is_one(p: &syn::Pat) -> bool {
    match p {
        syn::Pat::Rest(_) => false,
        syn::Pat::Ident(i) => i.subpat.is_none(),
        _ => true,
    }
}
