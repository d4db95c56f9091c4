//! Chains of iterator methods: not values of the language. The error has the language's own spelling.

use super::fragments::inner;
use super::{Parser, words};
use crate::diag::codes;
use crate::surface::ExprKind;
use quote::ToTokens;

/// The methods that make an iterator of an array, or another iterator of an iterator.
const SOURCES: [&str; 9] =
    ["iter", "iter_mut", "into_iter", "chunks", "chunks_exact", "windows", "drain", "split", "chunks_mut"];

/// Whether an expression calls methods of iterators: `a.iter()…`, `a.windows(2)…`, `(a..b).map(…)`.
pub(super) fn is_iterator(e: &syn::Expr) -> bool {
    source(e).is_some()
}

/// The array whose elements are iterated over, and the call that makes the iterator; no array for a range.
fn source(e: &syn::Expr) -> Option<(Option<&syn::Expr>, &syn::Expr)> {
    match inner(e) {
        syn::Expr::MethodCall(m) if is_range(&m.receiver) => Some((None, &m.receiver)),
        syn::Expr::MethodCall(m) => source(&m.receiver)
            .or_else(|| SOURCES.contains(&m.method.to_string().as_str()).then_some((Some(&*m.receiver), e))),
        _ => None,
    }
}

fn is_range(e: &syn::Expr) -> bool {
    matches!(inner(e), syn::Expr::Range(_))
}

impl Parser<'_> {
    /// Rejects a chain of iterator methods that is used as a value, if this is one.
    pub(super) fn chain(&mut self, e: &syn::Expr, m: &syn::ExprMethodCall) -> Option<ExprKind> {
        let (array, iterator) = source(e)?;
        let array = array.map(|a| words(a.to_token_stream()));
        // `a.iter().max().unwrap()` is `max` of the elements.
        let m = match &*m.receiver {
            syn::Expr::MethodCall(inner) if m.method == "unwrap" || m.method == "expect" => inner,
            _ => m,
        };
        let direct = std::ptr::eq(&*m.receiver, iterator) && array.is_some();
        let i = self.unused_index();
        let (n, item) = match &array {
            Some(a) if direct => (format!("{a}.len()"), format!("{a}[{i}]")),
            Some(a) => (format!("{a}.len()"), "…".into()),
            None => ("n".into(), "…".into()),
        };
        let method = m.method.to_string();
        let written = match method.as_str() {
            "sum" => format!("`sum({n}, |{i}| {item})`"),
            "product" => format!("`prod({n}, |{i}| {item})`"),
            "min" | "max" | "any" | "all" => format!("`{method}({n}, |{i}| {item})`"),
            "count" => format!("`count({n}, |{i}| …)`"),
            "fold" => format!("`ifold({n}, init, |state, {i}| …)`"),
            "map" | "collect" => format!("`build({n}, |{i}| …)`"),
            "scan" => format!("`scan({n}, init, |state, {i}| …)`"),
            _ => format!("a loop, `for {i} in 0..{n}`, or `build({n}, |{i}| …)`"),
        };
        let message = format!("an iterator is not a value of the language: `.{method}(…)`");
        let help = format!("write {written}; `for x in a.iter()` is a loop");
        self.helped(&codes::OUTSIDE, e, message, &help);
        Some(ExprKind::Error)
    }
    /// A name for the index of a closure that hides no name of the kernel.
    fn unused_index(&self) -> String {
        let mut used = Vec::new();
        super::identifiers(self.item.clone(), &mut used);
        let free = |name: &&str| !used.iter().any(|i| i == name);
        ["i", "j", "k", "l", "p", "q", "r", "s"].into_iter().find(free).unwrap_or("index").into()
    }
}
