//! The way out of a mismatch of two types: a second line of the message, or nothing.

use crate::elaborate::advice::common::common;
use crate::fsmooth::Expr;
use crate::mapped::Mapped;
use crate::surface::{Expr as Surface, ExprKind, Pattern, terms};
use crate::ty::{Scalar, Type};
use crate::value::Lit;

/// The hint for an integer literal where a float is expected, the most common mistake of all.
pub(crate) fn as_float(e: &Surface, wanted: &Type) -> String {
    let whole = |e: &Surface| if let ExprKind::Lit(Lit::Int(n, _), _) = &e.kind { Some(*n) } else { None };
    let (number, minus) = match &crate::elaborate::context::tail(e).kind {
        ExprKind::Unary("neg", a) => (whole(a), "-"),
        _ => (whole(crate::elaborate::context::tail(e)), ""),
    };
    let number = number.filter(|_| wanted.scalar().is_some_and(Scalar::is_float));
    number.map(|n| format!("\nwrite `{minus}{n}.0`")).unwrap_or_default()
}

/// The way out for the term `e` of type `found` where a term of type `wanted` is expected.
pub(crate) fn way(e: &Surface, found: &Type, wanted: &Type) -> String {
    if let (ExprKind::Unary("neg", _), Type::Scalar(to)) = (&crate::elaborate::context::tail(e).kind, wanted)
        && to.is_int()
        && !to.is_signed()
    {
        return format!("\n`{}` has no negative numbers: use a signed type, as `i64`", to.name());
    }
    if let (Type::Array(from, rank), Type::Array(to, other)) = (found, wanted)
        && rank == other
        && from.is_number()
        && to.is_number()
    {
        return format!("\nconvert each element, as in `{}`", by_elements(e, *rank, to.name()));
    }
    if let Some(way) = regrouped(e, found, wanted) {
        return format!("\nwrite `{way}`");
    }
    let literal = as_float(e, wanted);
    if literal.is_empty() { conversion(found, wanted) } else { literal }
}

/// A tuple as an array, or an array as a tuple, with the user's parts.
fn regrouped(e: &Surface, found: &Type, wanted: &Type) -> Option<String> {
    let e = crate::elaborate::context::tail(e);
    let (open, close, parts) = match (found, wanted) {
        (Type::Tuple(ts), Type::Array(s, 1)) if ts.iter().all(|t| t.scalar() == Some(*s)) => ("[", "]", ts),
        (Type::Array(s, 1), Type::Tuple(ts)) if ts.iter().all(|t| t.scalar() == Some(*s)) => ("(", ")", ts),
        _ => return None,
    };
    let texts = match &e.kind {
        ExprKind::Tuple(es) | ExprKind::Array(es) => es.iter().map(terms::term).collect::<Option<Vec<_>>>()?,
        _ => {
            let a = terms::root(e).and_then(|_| terms::receiver(e))?;
            let part = |k| if open == "[" { format!("{a}.{k}") } else { format!("{a}[{k}]") };
            (0..parts.len()).map(part).collect()
        }
    };
    Some(format!("{open}{}{close}", texts.join(", ")))
}

/// An array whose elements are those of another one, converted.
fn by_elements(e: &Surface, rank: usize, to: &str) -> String {
    let a = terms::receiver(e).unwrap_or_else(|| "a".into());
    let indices = ["i", "j", "k", "l"].get(..rank).unwrap_or(&["i"]);
    let lengths: Vec<String> = (0..indices.len()).map(|k| format!("{a}{}.len()", "[0]".repeat(k))).collect_vec();
    let lengths = if let [n] = &lengths[..] { n.clone() } else { format!("[{}]", lengths.join(", ")) };
    format!("build({lengths}, |{}| {a}[{}] as {to})", indices.join(", "), indices.join("]["))
}

/// The way out for an integer of another type in the place of an index.
pub(crate) fn index(e: &Surface, s: Scalar) -> String {
    let text = terms::receiver(crate::elaborate::context::tail(e)).unwrap_or_else(|| "k".into());
    match s.is_signed() {
        true => format!(
            "write `{text}.max(0) as usize`, in which a number below 0 becomes 0: `as usize` alone makes it a large one"
        ),
        false => format!("write `{text} as usize`"),
    }
}

/// The way out for the argument `e` of type `found`, where the parameter has type `param`. `closed` is that type without
/// type parameters of the callee, for the conversion.
pub(crate) fn argument(e: &Surface, found: &Type, param: &Type, closed: &Type) -> String {
    match (found.leaf_scalars().first(), param.leaf_scalars().first()) {
        (Some(s @ Scalar::Open(own, _)), Some(Scalar::Open(least, _))) if own < least => {
            format!("\nbound the type parameter by `{0}`, as in `{1}: {0}`", least.name(), s.name())
        }
        _ => way(e, found, closed),
    }
}

/// The conversion of a value of type `found` to type `wanted`, as a way out.
pub(crate) fn conversion(found: &Type, wanted: &Type) -> String {
    let way = match (found, wanted) {
        (Type::Scalar(Scalar::Bool), Type::Scalar(to)) if !to.is_float() => {
            "choose a number with `if`, as in `if b { 1 } else { 0 }`"
        }
        (Type::Scalar(Scalar::Bool), Type::Scalar(_)) => "choose a number with `if`, as in `if b { 1.0 } else { 0.0 }`",
        (Type::Scalar(s), Type::Scalar(Scalar::Bool)) if s.is_float() => "compare it, as in `x != 0.0`",
        (Type::Scalar(_), Type::Scalar(Scalar::Bool)) => "compare it, as in `k != 0`",
        (Type::Scalar(_), Type::Scalar(to)) => {
            return format!("\nconvert it with `as`, as in `x as {}`", Type::Scalar(*to));
        }
        (Type::Array(..), Type::Scalar(_)) => {
            "take an element, as in `a[i]`, or combine them, as in `sum(n, |i| a[i])`"
        }
        (Type::Scalar(_), Type::Array(_, 1)) => "make an array of it, as in `[x; n]`, or pass an array",
        (Type::Scalar(_), Type::Array(..)) => "make an array of it, as in `build([n, k], |i, j| x)`, or pass an array",
        (Type::Array(_, found), Type::Array(_, wanted)) if found > wanted => "take a row, as in `&m[i]`",
        (Type::Array(_, found), Type::Array(_, wanted)) if found < wanted => {
            "pass an array with more axes; `build([n, k], |i, j| …)` makes one with two, and `[a]` is `a` as the only row"
        }
        (Type::Array(..), Type::Array(to, 1)) => {
            let to = Type::Scalar(*to);
            return format!("\nconvert each element, as in `build(a.len(), |i| a[i] as {to})`");
        }
        (Type::Tuple(ts), Type::Tuple(to)) if ts.len() == to.len() => {
            let differs = ts.iter().zip(to).enumerate().find(|(_, (t, to))| t != to);
            return differs.map_or_else(String::new, |(k, (t, to))| {
                let way = conversion(t, to).replacen('\n', ": ", 1);
                format!("\npart {k} has type {t}, and {to} is wanted{way}")
            });
        }
        (Type::Tuple(ts), Type::Tuple(to)) if !ts.is_empty() && !to.is_empty() => {
            return format!("\nwrite a tuple of {} parts", to.len());
        }
        (Type::Tuple(_), Type::Tuple(_)) => return String::new(),
        (Type::Tuple(ts), _) if ts.is_empty() => {
            "there is no value here: a block ends with its value, without a `;`, and a kernel without a result only changes its arguments"
        }
        (Type::Tuple(ts), Type::Array(..)) if ts.iter().all(|t| *t == ts[0]) => {
            "write an array, as in `[x, y]`: parentheses make a tuple"
        }
        (Type::Tuple(_), _) => "take a part of the tuple, as in `t.0`",
        (Type::Records(..), Type::Array(..)) => {
            "make each element an array, `[x, y]` for `(x, y)`: parentheses make a tuple"
        }
        (Type::Array(..), Type::Records(..)) => {
            "make each element a tuple, `(x, y)` for `[x, y]`: brackets make an array"
        }
        (_, Type::Tuple(ts)) if !ts.is_empty() => "make a tuple of it, as in `(x, y)`",
        _ => return String::new(),
    };
    format!("\n{way}")
}

/// The way out for two branches with values of different types.
pub(crate) fn branches(a: &Type, b: &Type) -> String {
    let float = [a, b].into_iter().find(|t| t.scalar().is_some_and(Scalar::is_float));
    let mixed = [a, b].into_iter().any(|t| t.scalar().is_some_and(Scalar::is_int));
    match float {
        Some(to) if mixed => {
            format!("\nwrite an integer as a float, as in `0.0`, or convert it with `as`, as in `k as {to}`")
        }
        _ => match (a.scalar(), b.scalar()) {
            (Some(x), Some(y)) if x.is_int() && y.is_int() && !x.is_open() && !y.is_open() => {
                let to = common(x, y, None);
                let both = if to == x || to == y { "it" } else { "both" };
                format!("\nconvert {both} with `as`, as in `x as {}`", to.name())
            }
            _ => conversion(b, a),
        },
    }
}

/// The way out for an array with elements of different types.
pub(crate) fn elements(found: &Type, first: &Type) -> String {
    let to = match (first.scalar(), found.scalar()) {
        (Some(a), Some(b)) if a.is_number() && b.is_number() => &Type::Scalar(common(a, b, None)),
        _ => [first, found].into_iter().find(|t| t.scalar().is_some_and(Scalar::is_float)).unwrap_or(first),
    };
    format!("\nall elements of an array have one type: convert numbers with `as`, as in `x as {to}`")
}

/// The message for a pattern of a tuple, with these parts, whose value is not a tuple.
pub(crate) fn no_tuple(t: &Type, parts: &[Pattern]) -> String {
    let names = parts.iter().map(terms::parameter).collect::<Option<Vec<_>>>().filter(|_| t.is_array());
    let way = match names {
        Some(names) => format!("write `[{}]` for the elements of an array", names.join(", ")),
        None => "bind one name".into(),
    };
    format!("this pattern is a tuple, but the value has type {t}\n{way}")
}

/// The way out where a number or a `bool` is wanted, and `()` is given.
const NO_VALUE: &str = "an assignment has no value: compare with `==`";

/// The way out for a value of this type where a condition is expected.
pub(crate) fn condition(e: &Surface, t: &Type) -> &'static str {
    match t {
        Type::Scalar(s) if !s.is_float() && matches!(e.kind, ExprKind::Unary("not", _)) => {
            "compare it, as in `k == 0`: `!k` has the other bits of `k`"
        }
        Type::Array(..) | Type::Records(..) => "compare the elements, as in `all(n, |i| a[i] > 0.0)`",
        Type::Tuple(ts) if ts.is_empty() => NO_VALUE,
        Type::Tuple(_) => "compare a part of it, as in `t.0 > 0.0`",
        Type::Scalar(s) if !s.is_float() => "compare it, as in `k != 0`",
        _ => "compare it, as in `x != 0.0`",
    }
}

/// The way out for a field, an index or a slice of a value that has none: how its parts are read.
pub(crate) fn parts(t: &Type) -> &'static str {
    match t {
        Type::Tuple(_) => "\nthe parts of a tuple are `t.0`, `t.1`, and so on, up to the number of its parts",
        Type::Array(..) | Type::Records(..) => "\nthe elements of an array are `a[0]`, `a[1]`, and so on",
        Type::Scalar(_) => "\nonly arrays have elements, `a[i]`, and only tuples have parts, `t.0`",
        Type::Fn(..) => "\ncall the function first, as in `f(x)`",
    }
}

/// The way out for a call of something that is not a function.
pub(crate) fn not_called(name: &str, t: &Type) -> String {
    match t {
        Type::Array(..) | Type::Records(..) => format!("\nread an element with brackets, as in `{name}[i]`"),
        Type::Tuple(_) => format!("\nread a part, as in `{name}.0`"),
        _ => format!("\nonly kernels, closures and the built-in functions are called; a product is `{name} * (x + y)`"),
    }
}

/// The way out for operands of types that the operation `name` does not take.
pub(crate) fn operands(name: &str, wanted: &str, args: &[Expr]) -> String {
    let scalars: Vec<Scalar> = args.iter().filter_map(|a| a.ty().scalar()).collect_vec();
    let any = |is: &dyn Fn(Scalar) -> bool| scalars.iter().any(|s| is(*s));
    let floats = any(&Scalar::is_float);
    let way = match name {
        _ if args.iter().any(|a| matches!(a.ty(), Type::Tuple(ts) if ts.is_empty())) => NO_VALUE,
        _ if args.iter().any(|a| matches!(a.ty(), Type::Tuple(_))) => "take a part of the tuple, as in `t.0`",
        _ if args.iter().any(|a| a.ty().is_fn()) => "call the function first, as in `f(x)`",
        "^" if floats => "write `x.powi(2)` or `x.powf(y)` for a power: `^` is the exclusive or of integers",
        "abs" if any(&|s| s.is_int() && !s.is_signed()) => {
            "write `i.abs_diff(j)` for how far two numbers are apart: `i - j` is never negative"
        }
        "powi" if scalars.get(1).is_some_and(|s| s.is_float()) => {
            "write `x.powf(y)` for an exponent that is not an integer"
        }
        "powi" if floats => "give the exponent the type `i32`, as in `x.powi(2)` or `x.powi(k as i32)`",
        "powi" => "convert to a float first, as in `(k as f64).powi(2)`",
        _ if name.ends_with("_signed") || name.ends_with("_unsigned") => {
            let (first, signed) = (scalars.first().copied().unwrap_or(Scalar::Usize), name.ends_with("_signed"));
            return match first.is_signed() == signed {
                _ if !first.is_int() => "\nconvert a float with `as`, as in `x as usize`".into(),
                true => format!(
                    "\nwrite `{}` for two numbers of one type",
                    name.replace("_signed", "").replace("_unsigned", "")
                ),
                false if signed => {
                    format!("\nconvert the second one, as in `i.{name}(d as {})`", first.signed().name())
                }
                false => format!("\nconvert the second one, as in `i.{name}(d as {})`", first.unsigned().name()),
            };
        }
        "pow" if floats => "write `x.powi(2)` for a whole exponent and `x.powf(y)` for any",
        "pow" => "give the exponent the type `u32`, as in `k.pow(2)` or `k.pow(e as u32)`",
        "-" if args.len() == 1 => "convert it to a type with negative numbers first, as in `-(k as i64)`",
        "&&" | "||" => "compare numbers first, as in `x > 0.0 && y > 0.0`",
        _ if any(&|s| s == Scalar::Bool) && !floats && !name.ends_with("f64") && !name.ends_with("f32") => {
            "choose a number with `if`, as in `if b { 1 } else { 0 }`"
        }
        _ if any(&|s| s == Scalar::Bool) => "choose a number with `if`, as in `if b { 1.0 } else { 0.0 }`",
        _ if wanted.contains("integer") && floats => "convert a float with `as`, as in `x as usize`",
        _ if wanted.contains("integer") && any(&Scalar::is_open) => {
            "a type parameter may be a float: convert to an integer first, as in `x as i64`"
        }
        _ if scalars.len() == 2 && wanted.contains("type `u32`") && scalars[1].is_int() => {
            return format!("\nconvert the second one, as in `x.{name}(k as u32)`");
        }
        _ if wanted.contains("integer") => {
            let widest = scalars.iter().filter(|s| s.is_int()).max_by_key(|s| s.bytes()).unwrap_or(&Scalar::Usize);
            return format!("\nconvert one of them with `as`, as in `k as {}`", widest.name());
        }
        _ if scalars.len() == 1 && wanted.contains("float") => "convert it with `as`, as in `x as f64`",
        _ if scalars.windows(2).any(|s| s[0] != s[1]) => {
            let parameter = scalars.iter().find(|s| s.is_open() && s.is_float());
            let to = parameter.copied().unwrap_or_else(|| common(scalars[0], scalars[1], None));
            return format!("\nconvert one of them with `as`, as in `x as {}`", Type::Scalar(to));
        }
        _ if wanted.contains("float") => "convert them with `as`, as in `x as f64`",
        _ => return String::new(),
    };
    format!("\n{way}")
}

/// The way out for a closure that has to return numbers and returns values of type `t`.
pub(crate) fn no_number(t: &Type) -> &'static str {
    match t {
        Type::Scalar(Scalar::Bool) => {
            "\nreturn a number, as in `if b { 1.0 } else { 0.0 }`; `count` counts where a condition holds"
        }
        Type::Scalar(_) => "\nbound the type parameter by `Number` or `Real`: values of a `Scalar` may be `bool`s",
        Type::Array(..) => {
            "\nreturn a number, as in `a[i]`; sum arrays element by element, as in `build(k, |j| sum(n, |i| m[i][j]))`"
        }
        _ => "\nreturn a number, as in `a[i]`",
    }
}

/// The type of a parameter, with `f64` for the callee's type parameter if messages show the type as `shown`.
pub(crate) fn closed(param: &Type, shown: &str) -> Type {
    match param {
        _ if shown == param.to_string() => param.clone(),
        Type::Scalar(s) if s.is_open() => Type::F64,
        Type::Array(s, rank) if s.is_open() => Type::Array(Scalar::F64, *rank),
        _ => param.clone(),
    }
}
