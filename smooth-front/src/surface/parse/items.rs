//! What a `for` loop iterates over: a range or an array, with adapters.

use super::fragments::inner;
use super::{Parser, words};
use crate::diag::codes;
use crate::surface::{Adapter, Expr, Items, Source, key};
use quote::ToTokens;

impl Parser<'_> {
    /// Ranges and arrays, and the adapters that keep how many there are a number known before the loop.
    pub(super) fn items(&mut self, e: &syn::Expr) -> Option<Items> {
        match inner(e) {
            syn::Expr::Range(r) => self.range(r),
            syn::Expr::Reference(r) => {
                let array = self.expr(&r.expr);
                Some(elements(array, r.mutability.is_some()))
            }
            syn::Expr::MethodCall(m) => self.adapted(e, m),
            syn::Expr::Path(p) if p.path.get_ident().is_some_and(|i| self.references.contains(&key(i))) => {
                Some(elements(self.expr(e), true))
            }
            _ => Some(self.by_value(e)),
        }
    }

    /// An array whose elements are those before the loop, whatever the loop assigns.
    pub(super) fn by_value(&mut self, e: &syn::Expr) -> Items {
        let array = self.expr(e);
        self.copies.insert(array.id);
        elements(array, false)
    }

    fn range(&mut self, r: &syn::ExprRange) -> Option<Items> {
        let (Some(start), Some(end)) = (&r.start, &r.end) else {
            let message = "a loop over a range without both ends\nwrite `for i in a..b`, or a `loop` that counts";
            self.reject(&codes::UNBOUNDED, r, message);
            return None;
        };
        let (start, end) = (self.expr(start), self.expr(end));
        let inclusive = matches!(r.limits, syn::RangeLimits::Closed(_));
        Some(Items { source: Source::Range { start, end, inclusive }, adapters: vec![] })
    }

    fn adapted(&mut self, e: &syn::Expr, m: &syn::ExprMethodCall) -> Option<Items> {
        let name = m.method.to_string();
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        match (name.as_str(), args.as_slice()) {
            ("iter" | "iter_mut", []) => {
                let array = self.expr(&m.receiver);
                Some(elements(array, name == "iter_mut"))
            }
            ("into_iter" | "copied" | "cloned" | "by_ref", []) => self.items(&m.receiver),
            ("rev", []) => self.with(&m.receiver, |_| Some(Adapter::Rev)),
            ("enumerate", []) => self.with(&m.receiver, |_| Some(Adapter::Enumerate)),
            ("step_by", [k]) => self.with(&m.receiver, |p| Some(Adapter::StepBy(p.expr(k)))),
            ("skip", [k]) => self.with(&m.receiver, |p| Some(Adapter::Skip(p.expr(k)))),
            ("take", [k]) => self.with(&m.receiver, |p| Some(Adapter::Take(p.expr(k)))),
            ("zip", [other]) => self.with(&m.receiver, |p| p.items(other).map(Adapter::Zip)),
            _ if super::chains::is_iterator(e) => {
                let message = format!(
                    "a loop over `{}(…)`: a `for` loop runs over a range or over the elements of an array, with `.rev()`, `.step_by(k)`, `.enumerate()`, `.zip(…)`, `.skip(k)` and `.take(k)`\n{}",
                    words(m.receiver.to_token_stream()) + "." + &name,
                    by_indices(&name, &words(m.receiver.to_token_stream()), args.first()),
                );
                self.reject(&codes::UNBOUNDED, e, message);
                None
            }
            _ => Some(self.by_value(e)),
        }
    }

    fn with(&mut self, inner: &syn::Expr, adapter: impl FnOnce(&mut Self) -> Option<Adapter>) -> Option<Items> {
        let items = self.items(inner);
        let adapter = adapter(self);
        let mut items = items?;
        items.adapters.push(adapter?);
        Some(items)
    }
}

/// How a loop over an iterator becomes one over indices.
fn by_indices(name: &str, a: &str, argument: Option<&&syn::Expr>) -> String {
    let size = argument.and_then(|e| words(e.to_token_stream()).parse::<usize>().ok());
    let last = size.map_or(0, |k| k.saturating_sub(1));
    match (name, size) {
        ("windows", Some(2..)) => format!(
            "write `for i in 0..{a}.len().saturating_sub({last})`, with the elements `{a}[i]` to `{a}[i + {last}]`"
        ),
        ("chunks", Some(k @ 2..)) => {
            format!("write `for i in (0..{a}.len()).step_by({k})`, with the elements from `{a}[i]` on")
        }
        ("chunks_exact", Some(k @ 2..)) => {
            format!("write `for i in 0..{a}.len() / {k}`, with the elements `{a}[{k} * i]` to `{a}[{k} * i + {last}]`")
        }
        _ => "loop over the indices, `for i in 0..n`, and compute the rest from them".into(),
    }
}

fn elements(array: Expr, mutable: bool) -> Items {
    Items { source: Source::Elements { array, mutable }, adapters: vec![] }
}
