//! Functions and methods of Rust's library for which the language has another spelling, whatever their operands are: the way
//! out has the user's own operands. Those that depend on types are in `elaborate/terms/operators/methods.rs`.

use super::super::fragments::inner;
use super::super::{Parser, words};
use crate::diag::{codes, hints};
use crate::mapped::Mapped;
use crate::surface::{ExprKind, is_builtin, never_a_kernel, path_key, text};
use crate::ty::{Bound, Scalar};
use quote::ToTokens;

/// The call that makes the `Result` or the `Option` of `e.try_into().unwrap()`, `usize::try_from(x).unwrap()` and
/// `a.checked_add(b).unwrap()`, and whether it is a conversion: it is rejected, with a way out for both calls.
pub(in crate::surface::parse) fn fallible(m: &syn::ExprMethodCall) -> Option<(&syn::Expr, bool)> {
    let takes = [
        "unwrap",
        "expect",
        "unwrap_or",
        "unwrap_or_default",
        "unwrap_or_else",
        "is_some",
        "is_none",
        "is_ok",
        "is_err",
    ];
    let e = inner(&m.receiver);
    let (checked, converts) = match e {
        syn::Expr::MethodCall(m) => (m.method.to_string().starts_with("checked_"), m.method == "try_into"),
        syn::Expr::Call(c) => match inner(&c.func) {
            syn::Expr::Path(f) => (false, f.path.segments.last().is_some_and(|s| s.ident == "try_from")),
            _ => (false, false),
        },
        _ => (false, false),
    };
    ((checked || converts) && takes.iter().any(|t| m.method == t)).then_some((e, converts))
}

/// A term before `as` or a shift, in parentheses if it needs them.
fn operand(e: &syn::Expr) -> String {
    let text = words(e.to_token_stream());
    match inner(e) {
        syn::Expr::Binary(_) | syn::Expr::Unary(_) | syn::Expr::Range(_) => format!("({text})"),
        _ => text,
    }
}

/// The number of items of a range, and its start unless that is 0.
fn count(e: &syn::Expr) -> Option<(String, Option<String>)> {
    let syn::Expr::Range(r) = e else { return None };
    let end = r.end.as_ref().map(|e| text::expression(e.to_token_stream()))?;
    let closed = matches!(r.limits, syn::RangeLimits::Closed(_));
    let start = r.start.as_ref().map(|e| operand(e)).filter(|s| s != "0");
    let n = match (&start, closed) {
        (None, false) => end,
        (None, true) => format!("{end} + 1"),
        (Some(start), true) if start == "1" => end,
        (Some(start), true) => format!("{end} + 1 - {start}"),
        (Some(start), false) => format!("{end} - {start}"),
    };
    Some((n, start))
}

/// An argument without `&`, in the place of any operand.
pub(in crate::surface::parse) fn argument(e: &syn::Expr) -> Option<String> {
    let e = if let syn::Expr::Reference(r) = inner(e) { inner(&r.expr) } else { inner(e) };
    let text = text::expression(e.to_token_stream());
    Some(match e {
        syn::Expr::Binary(_) | syn::Expr::Unary(_) | syn::Expr::Cast(_) => format!("({text})"),
        _ => text,
    })
}

/// An array as it is passed: `&a`, once.
fn borrowed(e: &syn::Expr) -> String {
    let e = if let syn::Expr::Reference(r) = inner(e) { inner(&r.expr) } else { inner(e) };
    format!("&{}", words(e.to_token_stream()))
}

/// A literal that a type has for 0 or 1, or as its default.
pub(in crate::surface::parse) fn literal(s: Scalar, name: &str) -> Option<&'static str> {
    let whole = !s.is_float() || matches!(s, Scalar::Open(bound, _) if bound < Bound::Real);
    Some(match (name, whole) {
        ("default", _) if s == Scalar::Bool => "false",
        ("zero" | "default", false) => "0.0",
        ("zero" | "default", true) => "0",
        ("one", false) => "1.0",
        ("one", true) => "1",
        _ => return None,
    })
}

/// The number whose bytes these are, by shifts.
fn from_bytes(ty: Scalar, order: &str, bytes: &syn::Expr) -> String {
    let (ty, size) = (ty.name(), ty.bytes() as usize);
    let elements = match inner(bytes) {
        syn::Expr::Array(a) if a.elems.len() == size => a.elems.iter().mapped(operand),
        syn::Expr::Path(_) => (0..size).mapped(|k| format!("{}[{k}]", words(bytes.to_token_stream()))),
        _ => (0..size).mapped(|k| format!("b[{k}]")),
    };
    let shift = |k: usize| 8 * if order == "from_be_bytes" { size - 1 - k } else { k };
    let terms = elements.into_iter().enumerate().mapped(|(k, b)| match shift(k) {
        0 => format!("{b} as {ty}"),
        by => format!("({b} as {ty}) << {by}"),
    });
    format!("put the bytes together with shifts and `|`: `({})`", terms.join(" | "))
}

impl Parser<'_> {
    /// Rejects a function of a type of numbers that the language has in another spelling: `T::zero()`, `u32::from_be_bytes(…)`.
    pub(in crate::surface::parse) fn foreign_function(
        &mut self,
        path: &syn::Path,
        c: &syn::ExprCall,
    ) -> Option<ExprKind> {
        let [_, name] = path.segments.iter().collect_vec()[..] else { return None };
        let (ty, name) = (self.number(path)?, name.ident.to_string());
        let args: Vec<&syn::Expr> = c.args.iter().collect_vec();
        let way = match (name.as_str(), args.as_slice()) {
            (_, []) => format!("write the literal `{}`", literal(ty, &name)?),
            ("from_be_bytes" | "from_le_bytes" | "from_ne_bytes", [bytes]) if ty.is_int() => from_bytes(ty, &name, bytes),
            ("from_be_bytes" | "from_le_bytes" | "from_ne_bytes" | "from_bits", [_]) => {
                "there is no way from bits to a float in a kernel: take the floats as a parameter, which Rust makes of the bits"
                    .into()
            }
            ("try_from", [x]) if ty.is_int() && !ty.is_open() && ty.bytes() < 8 => {
                let (x, most) = (operand(x), ty.most());
                let least = if ty.is_signed() { format!("-{}", most + 1) } else { "0".into() };
                format!("write `({x} as {})`; it is the same number where `{x} <= {most}`, and of signed numbers `{x} >= {least}`", ty.name())
            }
            ("try_from", [x]) => format!("write `({} as {})`", operand(x), ty.name()),
            ("from_str_radix", _) | ("from_str", [_]) => "a kernel has no text: pass the number".into(),
            _ => return None,
        };
        let message = format!("`{}` is not a function of the language", path_key(path));
        self.helped(&codes::OUTSIDE, &c.func, message, &way);
        Some(ExprKind::Error)
    }

    /// Rejects a range, or a tuple or an array of ranges, in the place of a count: `sum(1..n, |i| …)`.
    pub(in crate::surface::parse) fn counted(&mut self, path: &syn::Path, c: &syn::ExprCall) -> Option<ExprKind> {
        let name = path.get_ident()?.to_string();
        let (first, f) = (inner(c.args.first()?), c.args.last()?);
        let (ranges, several): (Vec<&syn::Expr>, bool) = match first {
            syn::Expr::Tuple(t) => (t.elems.iter().collect(), true),
            syn::Expr::Array(t) => (t.elems.iter().collect(), true),
            e => (vec![e], false),
        };
        let counts = ranges.iter().map(|r| count(inner(r))).collect::<Option<Vec<_>>>()?;
        if !is_builtin(&name) || counts.is_empty() {
            return None;
        }
        let params: Vec<String> = match inner(f) {
            syn::Expr::Closure(c) => c.inputs.iter().map(|p| words(p.to_token_stream())).collect(),
            _ => vec![],
        };
        let shown = counts.iter().mapped(|(n, _)| n.as_str()).join(", ");
        let shown = if several { format!("[{shown}]") } else { shown };
        let others: Vec<String> = c.args.iter().skip(1).mapped(|a| match inner(a) {
            syn::Expr::Closure(_) => format!("|{}| …", params.join(", ")),
            a => text::expression(a.to_token_stream()),
        });
        let mut help = format!("write `{name}({shown}, {})`", others.join(", "));
        let indices = params.iter().skip(params.len().saturating_sub(counts.len()));
        for (i, (_, start)) in indices.zip(&counts) {
            if let Some(start) = start {
                help += &format!(", with `({i} + {start})` in the place of `{i}`");
            }
        }
        self.helped(&codes::RANK, first, format!("`{name}` takes a count, and passes the indices below it"), &help);
        Some(ExprKind::Error)
    }

    /// Rejects a call of what only a macro can take, as a text: `panic("…")`, and one of std's functions that change a place:
    /// `std::mem::replace(&mut x, y)`.
    pub(in crate::surface::parse) fn foreign_call(&mut self, path: &syn::Path, c: &syn::ExprCall) -> Option<ExprKind> {
        let name = path.segments.last()?.ident.to_string();
        let is_macro = path.get_ident().is_some();
        let foreign = |e: &syn::Expr| match inner(e) {
            syn::Expr::Lit(l) => is_macro && matches!(l.lit, syn::Lit::Str(_)),
            syn::Expr::Reference(r) => r.mutability.is_some() && never_a_kernel(path),
            e => is_macro && name == "matches" && matches!(e, syn::Expr::Range(_) | syn::Expr::Binary(_)),
        };
        if !c.args.iter().any(foreign) {
            return None;
        }
        let args = c.args.iter().mapped(argument);
        let way = hints::function(&name, &args)?;
        let shown = path_key(path);
        let message = match is_macro {
            true => format!("`{shown}` is not a function"),
            false => format!("`{shown}` is not a kernel, and kernels call only kernels"),
        };
        self.helped(if is_macro { &codes::OUTSIDE } else { &codes::NOT_A_KERNEL }, &c.func, message, &way);
        Some(ExprKind::Error)
    }

    /// Rejects a method that only arrays have in Rust, and that the language has in another spelling: `a.split_at(k)`.
    pub(in crate::surface::parse) fn foreign_method(&mut self, m: &syn::ExprMethodCall) -> Option<ExprKind> {
        let args: Vec<&syn::Expr> = m.args.iter().collect_vec();
        let (a, name) = (words(m.receiver.to_token_stream()), m.method.to_string());
        let way = match (name.as_str(), args.as_slice(), inner(&m.receiver)) {
            ("split_at", [k], _) => {
                let k = words(k.to_token_stream());
                format!("write the two slices, `(&{a}[..{k}], &{a}[{k}..])`")
            }
            ("split_at_mut", [k], _) => {
                let k = words(k.to_token_stream());
                format!(
                    "assign to the elements of `{a}` itself: `{a}[i]` of the first part, `{a}[{k} + i]` of the second; `{a}[..{k}]` and `{a}[{k}..]` are slices"
                )
            }
            ("concat", [], syn::Expr::Array(parts)) if parts.elems.len() > 1 => {
                let mut parts = parts.elems.iter().mapped(borrowed).into_iter();
                let first = parts.next().unwrap_or_default();
                let joined = parts.fold(first, |a, b| format!("&smooth::array::concat({a}, {b})"));
                format!("write `{}`", joined.trim_start_matches('&'))
            }
            _ => return None,
        };
        let message = format!("arrays have no method `{name}`");
        self.helped(&codes::OUTSIDE, &m.method, message, &way);
        Some(ExprKind::Error)
    }
}
