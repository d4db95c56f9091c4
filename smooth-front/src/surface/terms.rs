//! Terms as text, for messages: as they are written, or with their numbers converted before anything is computed from them.
//!
//! ```text
//! sum(n, |i| a[i])  in u32      sum(n, |i| a[i] as u32)
//! (a[0] + 1) * k    in f64      (a[0] as f64 + 1.0) * k as f64
//! ```

use super::{Expr, ExprKind, Pattern, TypeExpr, TypeKind, path_key, plain};
use crate::mapped::Mapped;
use crate::ty::Scalar;
use crate::value::Lit;

/// Precedence levels: an operand whose level is below that of its place is put into parentheses.
const ATOM: u8 = 10;
const PREFIX: u8 = 9;
const CAST: u8 = 8;
const LOOSE: u8 = 0;

/// The text of a term; none if it contains statements or types.
pub fn term(e: &Expr) -> Option<String> {
    Some(Terms { to: None, of: &|_| None }.text(e, &[])?.0)
}

/// The text of a term whose numbers become `to` before they are added, multiplied and so on. `of` knows the types of terms.
pub fn converted(e: &Expr, to: Scalar, of: &dyn Fn(&Expr) -> Option<Scalar>) -> Option<String> {
    Some(Terms { to: Some(to), of }.text(e, &[])?.0)
}

/// The text of an operand of a binary operator, converted.
pub fn operand(e: &Expr, op: &str, to: Scalar, of: &dyn Fn(&Expr) -> Option<Scalar>) -> Option<String> {
    let terms = Terms { to: Some(to), of };
    Some(beside(terms.text(e, &[])?, tightness(op), op.starts_with('<')))
}

/// The text of an operand as it is.
pub fn in_place(e: &Expr, op: &str) -> Option<String> {
    Some(beside(Terms { to: None, of: &|_| None }.text(e, &[])?, tightness(op), op.starts_with('<')))
}

/// The text of an operand that is converted once it is computed.
pub fn cast(e: &Expr, op: &str, to: Scalar) -> Option<String> {
    let text = beside(Terms { to: None, of: &|_| None }.text(e, &[])?, CAST, false);
    Some(beside((format!("{text} as {}", to.name()), CAST), tightness(op), op.starts_with('<')))
}

/// The text of what a method is called on.
pub fn receiver(e: &Expr) -> Option<String> {
    Some(beside(Terms { to: None, of: &|_| None }.text(e, &[])?, ATOM, false))
}

/// The text of each argument of a call, in the place of anything, and without a `&mut`.
pub fn operands(args: &[Expr]) -> Vec<Option<String>> {
    args.iter().mapped(|a| receiver(if let ExprKind::Borrow(a) = &a.kind { a } else { a }))
}

/// The value of a type that is all zeros.
pub fn zero(t: &TypeExpr) -> Option<String> {
    Some(match &t.kind {
        TypeKind::Scalar(Scalar::Bool) => "false".into(),
        TypeKind::Scalar(s) => if s.has_float_literals() { "0.0" } else { "0" }.into(),
        TypeKind::Array(elem, Some(n)) => format!("[{}; {}]", zero(elem)?, term(n)?),
        TypeKind::Tuple(ts) if ts.len() > 1 => {
            format!("({})", ts.iter().map(zero).collect::<Option<Vec<_>>>()?.join(", "))
        }
        _ => return None,
    })
}

/// The variable that a place is a part of.
pub fn root(place: &Expr) -> Option<String> {
    match &place.kind {
        ExprKind::Path(p) => Some(path_key(p)),
        ExprKind::Index(a, _) | ExprKind::Field(a, _) | ExprKind::Same(a) => root(a),
        _ => None,
    }
}

struct Terms<'t> {
    to: Option<Scalar>,
    of: &'t dyn Fn(&Expr) -> Option<Scalar>,
}

type Text = (String, u8);

impl Terms<'_> {
    /// The writer without a conversion, for indices, counts and conditions.
    fn plain(&self) -> Terms<'_> {
        Terms { to: None, of: self.of }
    }

    /// `own`: names that have the type already.
    fn text(&self, e: &Expr, own: &[String]) -> Option<Text> {
        match &e.kind {
            ExprKind::Block(stmts, last) if stmts.is_empty() => self.text(last, own),
            ExprKind::Lit(Lit::Int(n, _), false) if *n >= 0 && self.to.is_some_and(Scalar::has_float_literals) => {
                Some((format!("{n}.0"), ATOM))
            }
            ExprKind::Lit(Lit::Int(n, _), false) if *n >= 0 => Some((n.to_string(), ATOM)),
            ExprKind::Decimal(digits) => Some((digits.clone(), ATOM)),
            // Floats have no bit operations. Where a float is wanted, so is a quotient of floats.
            ExprKind::Binary("%" | "&" | "|" | "^" | "<<" | ">>", ..) if self.to.is_some_and(Scalar::is_float) => {
                self.leaf(e, own)
            }
            ExprKind::Binary(op, a, b) => {
                let level = tightness(op);
                let shift = matches!(*op, "<<" | ">>");
                let left = beside(self.text(a, own)?, level, op.starts_with('<'));
                let right = if shift { self.plain().text(b, own)? } else { self.text(b, own)? };
                Some((format!("{left} {op} {}", beside(right, level + 1, false)), level))
            }
            ExprKind::Unary(op, a) => {
                let sign = if *op == "neg" { "-" } else { "!" };
                Some((format!("{sign}{}", beside(self.text(a, own)?, PREFIX, false)), PREFIX))
            }
            ExprKind::If(c, a, b) => {
                let (c, a, b) = (self.plain().text(c, own)?.0, self.text(a, own)?.0, self.text(b, own)?.0);
                Some((format!("if {c} {{ {a} }} else {{ {b} }}"), LOOSE))
            }
            ExprKind::Same(a) if self.to.is_some() => self.text(a, own),
            ExprKind::Tuple(es) if self.to.is_some() && es.len() > 1 => {
                let parts: Option<Vec<String>> = es.iter().map(|e| Some(self.text(e, own)?.0)).all_some();
                Some((format!("({})", parts?.join(", ")), ATOM))
            }
            ExprKind::Call(f, args) => match (&f.kind, self.to) {
                (ExprKind::Path(p), Some(_)) => self.built_in(&path_key(p), args, own).or_else(|| self.leaf(e, own)),
                _ => self.leaf(e, own),
            },
            ExprKind::Method(a, m, args) if self.to.is_some() => {
                let (name, a) = (plain(m), beside(self.text(a, own)?, ATOM, false));
                let float = self.to.is_some_and(Scalar::is_float);
                let name = if name == "pow" && float { "powi".into() } else { name };
                let args: Option<Vec<String>> = match name.as_str() {
                    "abs_diff" | "rem_euclid" if float => return self.leaf(e, own),
                    "pow" | "powi" => args.iter().map(|a| Some(self.plain().text(a, own)?.0)).all_some(),
                    "abs" | "min" | "max" | "clamp" | "signum" | "abs_diff" | "rem_euclid" => {
                        args.iter().map(|a| Some(self.text(a, own)?.0)).all_some()
                    }
                    _ => return self.leaf(e, own),
                };
                Some((format!("{a}.{name}({})", args?.join(", ")), ATOM))
            }
            _ => self.leaf(e, own),
        }
    }

    /// A reduction or a fold, with its terms converted.
    fn built_in(&self, name: &str, args: &[Expr], own: &[String]) -> Option<Text> {
        let (f, before) = args.split_last()?;
        let ExprKind::Closure(c) = &f.kind else { return None };
        let params: Option<Vec<String>> = c.params.iter().map(parameter).all_some();
        let (params, mut own) = (params?, own.to_vec());
        let start = match name {
            "sum" | "prod" | "min" | "max" | "build" => 1,
            "ifold" | "scan" | "scan_exclusive" => {
                own.push(params.first()?.clone());
                2
            }
            _ => return None,
        };
        if before.len() != start {
            return None;
        }
        let mut all = vec![self.plain().text(&before[0], &own)?.0];
        if let Some(init) = before.get(1) {
            all.push(self.text(init, &own)?.0);
        }
        all.push(format!("|{}| {}", params.join(", "), self.text(&c.body, &own)?.0));
        Some((format!("{name}({})", all.join(", ")), ATOM))
    }

    /// A term that is read as it is, and converted as a whole.
    fn leaf(&self, e: &Expr, own: &[String]) -> Option<Text> {
        let plain = self.plain().written(e, own)?;
        let has_it = matches!(&e.kind, ExprKind::Path(p) if own.contains(&path_key(p)));
        match self.to {
            Some(to) if !has_it && (self.of)(e) != Some(to) => {
                Some((format!("{} as {}", beside(plain, CAST, false), to.name()), CAST))
            }
            _ => Some(plain),
        }
    }

    /// A term as it is written.
    fn written(&self, e: &Expr, own: &[String]) -> Option<Text> {
        let all = |es: &[Expr]| -> Option<String> {
            let texts: Option<Vec<String>> = es.iter().map(|e| Some(self.text(e, own)?.0)).all_some();
            Some(texts?.join(", "))
        };
        let atom = |e: &Expr| Some(beside(self.text(e, own)?, ATOM, false));
        Some(match &e.kind {
            ExprKind::Path(p) => (path_key(p), ATOM),
            ExprKind::Lit(Lit::Bool(b), _) => (b.to_string(), ATOM),
            ExprKind::Lit(Lit::Int(n, s), true) if *n >= 0 => (format!("{n}{}", s.name()), ATOM),
            // `&` and `*` do not matter in an operand.
            ExprKind::Same(a) => return self.text(a, own),
            ExprKind::Borrow(a) => (format!("&mut {}", beside(self.text(a, own)?, PREFIX, false)), PREFIX),
            ExprKind::Field(a, k) => (format!("{}.{k}", atom(a)?), ATOM),
            ExprKind::Index(a, i) => (format!("{}[{}]", atom(a)?, self.text(i, own)?.0), ATOM),
            ExprKind::Slice(a, s, t) => {
                let end = |e: &Option<Box<Expr>>| -> Option<String> {
                    Some(match e {
                        Some(e) => beside(self.text(e, own)?, LOOSE + 1, false),
                        None => String::new(),
                    })
                };
                (format!("&{}[{}..{}]", atom(a)?, end(s)?, end(t)?), PREFIX)
            }
            ExprKind::Call(f, args) => (format!("{}({})", atom(f)?, all(args)?), ATOM),
            ExprKind::Method(a, m, args) => (format!("{}.{}({})", atom(a)?, plain(m), all(args)?), ATOM),
            ExprKind::Cast(a, to) => (format!("{} as {}", beside(self.text(a, own)?, CAST, false), to.name()), CAST),
            ExprKind::Tuple(es) if es.len() > 1 => (format!("({})", all(es)?), ATOM),
            ExprKind::Array(es) => (format!("[{}]", all(es)?), ATOM),
            ExprKind::Repeat(x, n) => (format!("[{}; {}]", self.text(x, own)?.0, self.text(n, own)?.0), ATOM),
            ExprKind::Closure(c) if c.of.is_none() => {
                let params: Option<Vec<String>> = c.params.iter().map(parameter).all_some();
                (format!("|{}| {}", params?.join(", "), self.text(&c.body, own)?.0), LOOSE)
            }
            ExprKind::Binary(..) => return self.text(e, own),
            _ => return None,
        })
    }
}

/// A parameter of a closure as it is written: without a type.
pub fn parameter(p: &Pattern) -> Option<String> {
    match p {
        Pattern::Name(None, None, ..) => Some("_".into()),
        Pattern::Name(Some(i), None, _, false) => Some(plain(i)),
        Pattern::Tuple(ps, _) => {
            let parts: Option<Vec<String>> = ps.iter().map(parameter).all_some();
            Some(format!("({})", parts?.join(", ")))
        }
        _ => None,
    }
}

/// An operator that binds as the right operand of `op` has to: `a - (b + c)`.
pub fn behind(op: &str) -> &'static str {
    match op {
        "*" | "/" | "%" => "as",
        "+" | "-" => "*",
        "<<" | ">>" => "+",
        "&" => ">>",
        "^" => "&",
        "|" => "^",
        _ => "|",
    }
}

/// The precedence of Rust's operator.
fn tightness(op: &str) -> u8 {
    match op {
        "as" => CAST,
        "*" | "/" | "%" => 7,
        "+" | "-" => 6,
        "<<" | ">>" => 5,
        "&" => 4,
        "^" => 3,
        "|" => 2,
        _ => 1,
    }
}

/// A text as an operand of at least the precedence `wanted`. With `angle`, `<` follows, which Rust reads as a bracket after
/// the type of a cast.
fn beside((text, level): Text, wanted: u8, angle: bool) -> String {
    if level < wanted || angle && level == CAST { format!("({text})") } else { text }
}
