//! The iterator of a `for` loop: a range or an array, with adapters.

use super::fragments::inner;
use super::rejections::chains::{Chain, Run, as_a_loop, is_iterator};
use super::{Parser, words};
use crate::diag::codes;
use crate::mapped::Mapped;
use crate::surface::{Adapter, Expr, Items, Source, key, text};
use quote::ToTokens;

/// The adapters of a `for` loop. A range has to stand in parentheses before them.
const ADAPTERS: [&str; 6] = ["rev", "step_by", "enumerate", "zip", "skip", "take"];

/// The loops that are meant by one over `(a..b, c..d)` or `[a..b]`.
fn nested(e: &syn::Expr, p: &syn::Pat) -> Option<String> {
    let (syn::Expr::Tuple(syn::ExprTuple { elems: ranges, .. })
    | syn::Expr::Array(syn::ExprArray { elems: ranges, .. })) = inner(e)
    else {
        return None;
    };
    let shown = |t: &dyn ToTokens| text::expression(t.to_token_stream());
    let names: Vec<String> = match p {
        syn::Pat::Tuple(t) => t.elems.iter().map(|p| shown(p)).collect(),
        p => vec![shown(p)],
    };
    let all = !ranges.is_empty() && ranges.iter().all(|r| matches!(inner(r), syn::Expr::Range(_)));
    if !all || names.len() != ranges.len() {
        return None;
    }
    let heads: Vec<String> = names.iter().zip(ranges).map(|(i, r)| format!("for {i} in {} {{ ", shown(r))).collect();
    Some(format!("write `{}…{}`", heads.concat(), " }".repeat(heads.len())))
}

impl Parser<'_> {
    /// The iterator of a loop. Where the language does not have it, the way out computes its items in the body.
    pub(super) fn items_of(&mut self, f: &syn::ExprForLoop) -> Option<Items> {
        if let Some(help) = nested(&f.expr, &f.pat) {
            let message = "a loop over several ranges: a `for` loop runs over one";
            self.helped(&codes::UNBOUNDED, &f.expr, message, &help);
            return None;
        }
        match Chain::of(&f.expr).filter(|c| is_iterator(&f.expr) && c.rejected().is_some()) {
            Some(chain) => {
                let m = chain.rejected()?;
                self.not_a_loop(&f.expr, m, Some(&f.pat))
            }
            None => self.items(&f.expr),
        }
    }

    /// Rejects a loop over the iterator `e`, because of the call `m`.
    fn not_a_loop(&mut self, e: &syn::Expr, m: &syn::ExprMethodCall, pattern: Option<&syn::Pat>) -> Option<Items> {
        let known = self.known();
        let chain = Chain::of(e)?;
        let pattern = pattern.map(|p| words(p.to_token_stream()));
        let help = as_a_loop(&chain, usize::MAX, pattern, &known)
            .unwrap_or_else(|| "loop over the indices, `for i in 0..n`, and compute the rest from them".into());
        let message = format!(
            "a loop over `{}.{}(…)`: a `for` loop runs over a range or over the elements of an array, with `.rev()`, `.step_by(k)`, `.enumerate()`, `.zip(…)`, `.skip(k)` and `.take(k)`",
            words(m.receiver.to_token_stream()),
            m.method
        );
        self.helped(&codes::UNBOUNDED, m, message, &help);
        None
    }

    /// Ranges and arrays, and the adapters with which the number of items is known before the loop.
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
        if let Some((end, calls)) = adapters_of(end) {
            let (end, start) = (words(end.to_token_stream()), words(start.to_token_stream()));
            let range = format!("({start}{}{end}){calls}", words(r.limits.to_token_stream()));
            let message =
                format!("`{calls}` is called on the end of this range, `{end}`, and not on the range\nwrite `{range}`");
            self.reject(&codes::UNBOUNDED, r, message);
            return None;
        }
        let (start, end) = (self.expr(start), self.expr(end));
        let inclusive = matches!(r.limits, syn::RangeLimits::Closed(_));
        Some(Items { source: Source::Range { start, end, inclusive }, adapters: vec![] })
    }

    fn adapted(&mut self, e: &syn::Expr, m: &syn::ExprMethodCall) -> Option<Items> {
        let name = m.method.to_string();
        let args: Vec<&syn::Expr> = m.args.iter().collect_vec();
        match (name.as_str(), args.as_slice()) {
            ("iter" | "iter_mut", []) => {
                let array = self.expr(&m.receiver);
                Some(elements(array, name == "iter_mut"))
            }
            ("into_iter" | "copied" | "cloned" | "by_ref", []) => self.items(&m.receiver),
            ("rev", []) => self.with(&m.receiver, |_| Some(Adapter::Rev)),
            ("enumerate", []) => self.with(&m.receiver, |_| Some(Adapter::Enumerate)),
            ("step_by", [syn::Expr::Unary(k)]) if matches!(k.op, syn::UnOp::Neg(_)) => {
                self.backwards(m, &k.expr);
                None
            }
            ("zip", [other]) if self.is_open(&m.receiver, other, m) => None,
            ("step_by", [k]) => self.with(&m.receiver, |p| Some(Adapter::StepBy(p.expr(k)))),
            ("skip", [k]) => self.with(&m.receiver, |p| Some(Adapter::Skip(p.expr(k)))),
            ("take", [k]) => self.with(&m.receiver, |p| Some(Adapter::Take(p.expr(k)))),
            ("zip", [other]) => self.with(&m.receiver, |p| p.items(other).map(Adapter::Zip)),
            _ if super::rejections::chains::is_iterator(e) => self.not_a_loop(e, m, None),
            ("rows" | "outer_iter" | "row_iter" | "axis_iter", _) => {
                let (m, args) = (words(m.receiver.to_token_stream()), if args.is_empty() { "" } else { "…" });
                let message = format!(
                    "a loop over `{m}.{name}({args})`, but an array has no such method\nwrite `{m}.iter()`: the elements of a matrix are its rows"
                );
                self.reject(&codes::UNBOUNDED, e, message);
                None
            }
            _ => Some(self.by_value(e)),
        }
    }

    /// Rejects a step below 0.
    fn backwards(&mut self, m: &syn::ExprMethodCall, step: &syn::Expr) {
        let (items, step) = (ascending(&m.receiver), words(step.to_token_stream()));
        let then = if step == "1" { String::new() } else { format!(".step_by({step})") };
        let message = format!(
            "a step is at least 1, and this one is negative\nwrite `{items}.rev(){then}`: `.rev()` walks from the last to the first"
        );
        self.reject(&codes::UNBOUNDED, m, message);
    }

    /// Rejects a range without an end in a `.zip(…)`: it ends with the other sequence.
    fn is_open(&mut self, a: &syn::Expr, b: &syn::Expr, m: &syn::ExprMethodCall) -> bool {
        let open = |e: &syn::Expr| match inner(e) {
            syn::Expr::Range(r) if r.end.is_none() => r.start.as_ref().map(|s| words(s.to_token_stream())),
            _ => None,
        };
        let (start, other, at) = match (open(a), open(b)) {
            (Some(start), None) => (start, b, a),
            (None, Some(start)) => (start, a, b),
            _ => return false,
        };
        let known = self.known();
        let n = Run::of(other, &known).and_then(|r| r.count().map(String::from)).unwrap_or_else(|| "n".into());
        let end = match (start.as_str(), start.parse::<u64>()) {
            ("0", _) => n,
            (_, Ok(_)) => format!("{n} + {start}"),
            _ => format!("{start} + {n}"),
        };
        let first = std::ptr::eq(at, a);
        let (items, args) = (words(other.to_token_stream()), words(m.args.to_token_stream()));
        let written =
            if first { format!("({start}..{end}).zip({args})") } else { format!("{items}.zip({start}..{end})") };
        let items = if is_iterator(other) { items } else { format!("{}.iter()", items.trim_start_matches('&')) };
        let numbered = match (first, start == "0") {
            _ if matches!(inner(other), syn::Expr::Range(_)) => String::new(),
            (true, true) => format!(", or `{items}.enumerate()`"),
            (true, false) => format!(", or `{items}.enumerate()`, which counts from 0"),
            (false, true) => format!(", or `{items}.enumerate()`, whose pairs begin with the number"),
            (false, false) => {
                format!(", or `{items}.enumerate()`, which counts from 0, and whose pairs begin with the number")
            }
        };
        self.reject(
            &codes::UNBOUNDED,
            at,
            format!("a range without an end in a `.zip(…)`\nwrite `{written}`{numbered}"),
        );
        true
    }

    fn with(&mut self, inner: &syn::Expr, adapter: impl FnOnce(&mut Self) -> Option<Adapter>) -> Option<Items> {
        let items = self.items(inner);
        let adapter = adapter(self);
        let mut items = items?;
        items.adapters.push(adapter?);
        Some(items)
    }
}

/// The end of a range without the adapters after it, and the text of these.
fn adapters_of(end: &syn::Expr) -> Option<(&syn::Expr, String)> {
    let (mut end, mut calls) = (end, String::new());
    while let syn::Expr::MethodCall(m) = end
        && ADAPTERS.iter().any(|a| m.method == a)
    {
        calls = format!(".{}({}){calls}", m.method, words(m.args.to_token_stream()));
        end = &m.receiver;
    }
    (!calls.is_empty()).then_some((end, calls))
}

fn elements(array: Expr, mutable: bool) -> Items {
    Items { source: Source::Elements { array, mutable }, adapters: vec![] }
}

/// The text of a loop's iterator. A range down to a number, `n..0`, would be empty: it is `0..n`.
fn ascending(e: &syn::Expr) -> String {
    let number = |e: &syn::Expr| matches!(inner(e), syn::Expr::Lit(_));
    match inner(e) {
        syn::Expr::Range(r)
            if let (Some(start), Some(end)) = (&r.start, &r.end)
                && number(end)
                && !number(start) =>
        {
            format!("({}..{})", words(end.to_token_stream()), words(start.to_token_stream()))
        }
        _ => words(e.to_token_stream()),
    }
}
