//! Patterns of arrays: `let [x, y, z] = p;`.

use super::{Parser, extent};
use crate::diag::codes;
use crate::sorted::Set;
use crate::surface::{Adapter, Expr, ExprKind, Extent, Pattern, Source, Stmt, key, plain};
use crate::value::Lit;
use proc_macro2::{Ident, Span};
use quote::ToTokens;

impl Parser<'_> {
    /// A pattern without arrays in it, and the `let`s that take those apart.
    pub(super) fn whole_pattern(&mut self, p: &syn::Pat) -> (Pattern, Vec<Stmt>) {
        let outside = std::mem::take(&mut self.taken_apart);
        let pattern = self.pattern(p);
        (pattern, std::mem::replace(&mut self.taken_apart, outside))
    }

    /// Rejects a name that occurs twice in patterns with arrays in them: rustc sees one `let` after the other for these.
    pub(super) fn distinct_names(&mut self, patterns: &[Pattern], elements: &[Stmt], whole: &impl ToTokens) {
        let inner = elements.iter().filter_map(|s| match s {
            Stmt::Let(_, Expr { kind: ExprKind::OfLength(..), .. }) => None,
            Stmt::Let(p, _) => Some(p),
            _ => None,
        });
        let mut seen = Set::new();
        let twice = patterns.iter().chain(inner).flat_map(Pattern::names).find(|name| !seen.insert(key(name)));
        if let Some(name) = twice.filter(|_| !elements.is_empty()) {
            let message = format!(
                "the name `{}` occurs twice in this pattern\nrename one of them, or write `_` for what is not needed",
                plain(name)
            );
            self.reject(&codes::OUTSIDE, whole, message);
        }
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
        let name = Ident::new(&format!("pattern{}", self.nodes), Span::mixed_site().located_at(at.0));
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

/// The parts of a pattern that stand for elements that a loop assigns to. The last adapter is the outermost part of an item.
pub(super) fn places<'p>(p: &'p Pattern, adapters: &[Adapter], source: &Source) -> Vec<&'p Pattern> {
    match (adapters.split_last(), p) {
        (Some((Adapter::Enumerate, rest)), Pattern::Tuple(ps, _)) => {
            ps.last().map_or_else(Vec::new, |p| places(p, rest, source))
        }
        (Some((Adapter::Zip(other), rest)), Pattern::Tuple(ps, _)) if let [first, second] = ps.as_slice() => {
            let mut all = places(first, rest, source);
            all.append(&mut places(second, &other.adapters, &other.source));
            all
        }
        (Some((_, rest)), p) => places(p, rest, source),
        (None, p) if matches!(source, Source::Elements { mutable: true, .. }) => vec![p],
        (None, _) => vec![],
    }
}

/// Whether a pattern takes one of these places apart.
pub(super) fn takes_apart(places: &[&Pattern], elements: &[Stmt]) -> bool {
    let mut arrays = elements.iter().filter_map(|s| match s {
        Stmt::Let(Pattern::Name(name, ..), Expr { kind: ExprKind::OfLength(..), .. }) => name.as_ref(),
        _ => None,
    });
    arrays.any(|a| places.iter().any(|p| p.names().contains(&a)))
}

/// Whether an element of an array's pattern stands for one element, and not for several.
pub(super) fn is_one(p: &syn::Pat) -> bool {
    match p {
        syn::Pat::Rest(_) => false,
        syn::Pat::Ident(i) => i.subpat.is_none(),
        _ => true,
    }
}
