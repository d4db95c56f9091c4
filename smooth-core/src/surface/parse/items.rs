//! What a `for` loop iterates over: a range or an array, with adapters.

use super::{Parser, words};
use crate::diag::codes;
use crate::surface::{Adapter, Items};
use quote::ToTokens;

impl Parser<'_> {
    /// Ranges and arrays with `.rev()`, `.step_by(k)` and `.enumerate()`.
    pub(super) fn items(&mut self, e: &syn::Expr) -> Option<Items> {
        match e {
            syn::Expr::Paren(p) => self.items(&p.expr),
            syn::Expr::Group(p) => self.items(&p.expr),
            syn::Expr::Range(r) => self.range(r),
            syn::Expr::Reference(r) => {
                let array = self.expr(&r.expr);
                Some(Items::Elements { array, mutable: r.mutability.is_some(), adapters: vec![] })
            }
            syn::Expr::MethodCall(m) => self.adapted(e, m),
            _ => Some(Items::Elements { array: self.expr(e), mutable: false, adapters: vec![] }),
        }
    }

    fn range(&mut self, r: &syn::ExprRange) -> Option<Items> {
        let (Some(start), Some(end)) = (&r.start, &r.end) else {
            let message = "a loop over a range without both ends: write `for i in a..b`, or a `loop` that counts";
            self.reject(&codes::UNBOUNDED, r, message);
            return None;
        };
        let (start, end) = (self.expr(start), self.expr(end));
        let inclusive = matches!(r.limits, syn::RangeLimits::Closed(_));
        Some(Items::Range { start, end, inclusive, adapters: vec![] })
    }

    fn adapted(&mut self, e: &syn::Expr, m: &syn::ExprMethodCall) -> Option<Items> {
        let name = m.method.to_string();
        let args: Vec<&syn::Expr> = m.args.iter().collect();
        match (name.as_str(), args.as_slice()) {
            ("iter" | "iter_mut", []) => {
                let array = self.expr(&m.receiver);
                Some(Items::Elements { array, mutable: name == "iter_mut", adapters: vec![] })
            }
            ("into_iter" | "copied" | "cloned" | "by_ref", []) => self.items(&m.receiver),
            ("rev", []) => self.with(&m.receiver, |_| Adapter::Rev),
            ("enumerate", []) => self.with(&m.receiver, |_| Adapter::Enumerate),
            ("step_by", [k]) => self.with(&m.receiver, |p| Adapter::StepBy(p.expr(k))),
            _ if super::chains::is_iterator(e) => {
                let message = format!(
                    "a loop over `{}(…)`: a `for` loop runs over a range or over the elements of an array, with `.rev()`, `.step_by(k)` and `.enumerate()`; loop over the indices, `for i in 0..n`, and compute the rest from them",
                    words(m.receiver.to_token_stream()) + "." + &name,
                );
                self.reject(&codes::UNBOUNDED, e, message);
                None
            }
            _ => Some(Items::Elements { array: self.expr(e), mutable: false, adapters: vec![] }),
        }
    }

    fn with(&mut self, inner: &syn::Expr, adapter: impl FnOnce(&mut Self) -> Adapter) -> Option<Items> {
        let mut items = self.items(inner)?;
        let (Items::Range { adapters, .. } | Items::Elements { adapters, .. }) = &mut items;
        adapters.push(adapter(self));
        Some(items)
    }
}
