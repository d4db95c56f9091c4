//! Conversions of Rust that say whether the number fits: `u8::try_from(x).unwrap()`, `x.try_into().unwrap_or(255)`. The way out
//! has the same value, and panics where this does.
//!
//! ```text
//! u8::try_from(x).unwrap()           { assert!(x <= 255); x as u8 }
//! u8::try_from(x).unwrap_or(255)     x.min(255) as u8
//! u8::try_from(x).unwrap_or(7)       (if x <= 255 { x as u8 } else { 7 })
//! u32::try_from(x).unwrap()          x as u32          of a `u8`
//! ```

use crate::diag::codes;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::Want;
use crate::surface::{self, Expr as Surface, ExprKind, Extent, plain, terms};
use crate::ty::{Scalar, Type};
use proc_macro2::Ident;

/// Reports a method `m` of `a` that is such a conversion, or takes the number out of one.
pub(crate) fn fallible_method(
    cx: &mut Cx,
    (a, m): (&Surface, &Ident),
    args: &[Surface],
    at: Extent,
    want: Want,
) -> bool {
    let to = want.ty.and_then(Type::scalar);
    if m == "try_into" && args.is_empty() {
        return fallible(cx, (a, "try_into", to), None, at, want);
    }
    let after = Some((m, args));
    match &a.kind {
        ExprKind::Method(x, own, none) if own == "try_into" && none.is_empty() => {
            fallible(cx, (x, "try_into", to), after, at, want)
        }
        ExprKind::Call(f, xs) => match (&f.kind, &xs[..]) {
            (ExprKind::Path(p), [x])
                if let Some((to, name)) = surface::number_function(p)
                    && name == "try_from" =>
            {
                fallible(cx, (x, &surface::path_key(p), Some(to)), after, at, want)
            }
            _ => false,
        },
        _ => false,
    }
}

/// Reports the conversion `name` of `x`, of which `after` is the method that takes the number out, with its arguments.
pub(crate) fn fallible(
    cx: &mut Cx,
    (x, name, to): (&Surface, &str, Option<Scalar>),
    after: Option<(&Ident, &[Surface])>,
    at: Extent,
    want: Want,
) -> bool {
    let Some(t) = cx.expr(x, want.scope.any()) else { return true };
    let way = match (t.ty().scalar().filter(|s| s.is_number()), to.filter(|s| s.is_number()), terms::receiver(x)) {
        (Some(from), Some(to), Some(x)) => way(&x, from, to, after.map(|(m, args)| (plain(m), args))),
        (Some(_), None, Some(x)) => format!("convert it with `as`, as in `{x} as usize`"),
        (_, _, Some(x)) if x.starts_with("(&") => {
            format!("leave it out: write `{}`", x.trim_matches(['(', ')']))
        }
        (_, _, Some(x)) if t.ty().is_array() => {
            format!("write `&{x}[..3]` for an array of length 3, which panics where `{x}` is shorter")
        }
        _ => "convert it with `as`, as in `x as usize`".into(),
    };
    cx.helped(&codes::OUTSIDE, at, format!("`{name}` makes a `Result` in Rust, and a kernel has none"), &way);
    true
}

/// The same value of `x` as a number of type `to`.
fn way(x: &str, from: Scalar, to: Scalar, after: Option<(String, &[Surface])>) -> String {
    let cast = format!("{x} as {}", to.name());
    let whole = from.is_int() && to.is_int() && !from.is_open() && !to.is_open();
    let low = (whole && from.least() < to.least()).then(|| format!("{x} >= {}", to.least()));
    let high = (whole && from.most() > to.most()).then(|| format!("{x} <= {}", to.most()));
    let only_high = low.is_none();
    let fits = low.into_iter().chain(high).collect::<Vec<_>>().join(" && ");
    let (method, args) = after.unwrap_or_default();
    let other = match args {
        [Surface { kind: ExprKind::Closure(c), .. }] => terms::term(&c.body),
        [v] => terms::term(v),
        _ => None,
    };
    let other = if method == "unwrap_or_default" { "0".into() } else { other.unwrap_or_else(|| "…".into()) };
    let most = [to.most().to_string(), format!("{}::MAX", to.name())].contains(&other);
    let way = match method.as_str() {
        "is_ok" | "is_some" if fits.is_empty() => "true".into(),
        "is_ok" | "is_some" => fits,
        "is_err" | "is_none" if fits.is_empty() => "false".into(),
        "is_err" | "is_none" => format!("!({fits})"),
        _ if fits.is_empty() => cast,
        "unwrap_or" if only_high && most => format!("{x}.min({}) as {}", to.most(), to.name()),
        "unwrap_or" | "unwrap_or_else" | "unwrap_or_default" => format!("(if {fits} {{ {cast} }} else {{ {other} }})"),
        _ => format!("{{ assert!({fits}); {cast} }}"),
    };
    format!("write `{way}`")
}
