//! Comparisons by an `Ordering` in Rust: `x.partial_cmp(&y) == Some(Ordering::Less)` is `x < y`.

use super::super::fragments::inner;
use super::super::{Parser, words};
use crate::diag::codes;
use crate::mapped::Both;
use crate::surface::ExprKind;
use quote::ToTokens;

/// The operands of `x.cmp(&y)`, as they are compared with an operator.
fn ordered(e: &syn::Expr) -> Option<[String; 2]> {
    let syn::Expr::MethodCall(m) = inner(e) else { return None };
    let known = ["cmp", "partial_cmp", "total_cmp"].iter().any(|name| m.method == name);
    let y = m.args.first().filter(|_| known && m.args.len() == 1)?;
    let y = if let syn::Expr::Reference(r) = inner(y) { &*r.expr } else { y };
    Some([&*m.receiver, y].both(|e| words(e.to_token_stream())))
}

/// The operator that an `Ordering`, or `Some` of it, stands for.
fn operator(e: &syn::Expr) -> Option<&'static str> {
    match inner(e) {
        syn::Expr::Call(c) if matches!(inner(&c.func), syn::Expr::Path(f) if f.path.is_ident("Some")) => {
            operator(c.args.first()?)
        }
        syn::Expr::Path(p) => match p.path.segments.last()?.ident.to_string().as_str() {
            "Less" => Some("<"),
            "Equal" => Some("=="),
            "Greater" => Some(">"),
            _ => None,
        },
        _ => None,
    }
}

/// The `if` that a `match` on `x.cmp(&y)` means, without the values of its arms.
pub(in crate::surface::parse) fn by_order(m: &syn::ExprMatch) -> Option<String> {
    let [x, y] = ordered(&m.expr)?;
    let (mut arms, last) = (String::new(), m.arms.len().saturating_sub(1));
    for (k, arm) in m.arms.iter().enumerate() {
        // A pattern of an `Ordering` is a path, or `Some` of one, as an expression is.
        let op = syn::parse2(arm.pat.to_token_stream()).ok().and_then(|e| operator(&e));
        arms += &match op {
            Some(op) if k < last => format!("if {x} {op} {y} {{ … }} else "),
            _ => "{ … }".into(),
        };
        if op.is_none() {
            break;
        }
    }
    Some(format!("write `{arms}`"))
}

impl Parser<'_> {
    /// Rejects `x.cmp(&y) == Ordering::Less`, if this is a comparison with one.
    pub(in crate::surface::parse) fn compared_order(&mut self, b: &syn::ExprBinary) -> Option<ExprKind> {
        let (operands, op) = (ordered(&b.left)?, operator(&b.right)?);
        let op = match (&b.op, op) {
            (syn::BinOp::Eq(_), op) => op,
            (syn::BinOp::Ne(_), "<") => ">=",
            (syn::BinOp::Ne(_), ">") => "<=",
            (syn::BinOp::Ne(_), _) => "!=",
            _ => return None,
        };
        Some(self.no_order(b, &operands, op))
    }

    /// Rejects `x.cmp(&y).is_lt()`, if this is such a test.
    pub(in crate::surface::parse) fn tested_order(
        &mut self,
        e: &syn::Expr,
        m: &syn::ExprMethodCall,
    ) -> Option<ExprKind> {
        let operands = ordered(&m.receiver)?;
        let op = match m.method.to_string().as_str() {
            "is_lt" => "<",
            "is_le" => "<=",
            "is_gt" => ">",
            "is_ge" => ">=",
            "is_eq" => "==",
            "is_ne" => "!=",
            _ => return None,
        };
        Some(self.no_order(e, &operands, op))
    }

    fn no_order(&mut self, at: &impl ToTokens, [x, y]: &[String; 2], op: &str) -> ExprKind {
        let message = "an `Ordering` is not a value of a kernel";
        self.helped(&codes::OUTSIDE, at, message, &format!("write `({x} {op} {y})`"));
        ExprKind::Error
    }
}
