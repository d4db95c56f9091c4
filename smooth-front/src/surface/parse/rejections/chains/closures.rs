//! The closures of iterator methods, as far as a way out needs them: the names of their parameters, and whether they only
//! compare, add or multiply their arguments.

use super::super::super::words;
use super::atom;
use crate::mapped::{Both, Mapped, PushAll};
use crate::surface::parse::fragments::inner;
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;

/// The parameter of a closure, without the `&` of a pattern.
pub(super) fn parameter(f: &syn::Expr, at: usize) -> Option<String> {
    let syn::Expr::Closure(c) = inner(f) else { return None };
    Some(words(unreferenced(c.inputs.get(at)?).to_token_stream()))
}

fn unreferenced(mut p: &syn::Pat) -> &syn::Pat {
    loop {
        p = match p {
            syn::Pat::Reference(r) => &r.pat,
            syn::Pat::Paren(inner) => &inner.pat,
            syn::Pat::Type(t) => &t.pat,
            p => return p,
        }
    }
}

/// The reduction by a function of two numbers, if it has a name: `f64::max`, `|a, b| a + b`.
pub(super) fn combines(f: &syn::Expr) -> Option<&'static str> {
    let named = |name: &syn::Ident| ["min", "max"].into_iter().find(|n| name == n);
    let c = match inner(f) {
        syn::Expr::Path(p) => return named(&p.path.segments.last()?.ident),
        syn::Expr::Closure(c) => c,
        _ => return None,
    };
    let (operands, with) = match inner(&c.body) {
        syn::Expr::MethodCall(m) => ([&*m.receiver, m.args.first()?], named(&m.method)?),
        syn::Expr::Binary(b) => {
            let with = match b.op {
                syn::BinOp::Add(_) => "sum",
                syn::BinOp::Mul(_) => "prod",
                _ => return None,
            };
            ([&*b.left, &*b.right], with)
        }
        _ => return None,
    };
    let [a, b] = operands.map(|e| which(c, e, false));
    (a? != b?).then_some(with)
}

/// Whether a function of two items compares them, or the second parts of pairs, and whether in the opposite order.
pub(super) fn compares(f: &syn::Expr, pairs: bool) -> Option<bool> {
    const ORDERS: [&str; 3] = ["cmp", "partial_cmp", "total_cmp"];
    let c = match inner(f) {
        syn::Expr::Path(p) => {
            let name = &p.path.segments.last()?.ident;
            return (!pairs && ORDERS.iter().any(|n| name == n)).then_some(false);
        }
        syn::Expr::Closure(c) => c,
        _ => return None,
    };
    let mut body = inner(&c.body);
    while let syn::Expr::MethodCall(m) = body {
        if ORDERS.iter().any(|n| m.method == n) {
            let [a, b] = [&*m.receiver, m.args.first()?].both(|e| which(c, e, pairs));
            return if a? == b? { None } else { a.map(|a| a == 1) };
        }
        if !["unwrap", "expect", "unwrap_or"].iter().any(|n| m.method == n) {
            return None;
        }
        body = inner(&m.receiver);
    }
    None
}

/// Whether a closure returns its item, or the second part of a pair.
pub(super) fn is_identity(f: &syn::Expr, pairs: bool) -> bool {
    matches!(inner(f), syn::Expr::Closure(c) if c.inputs.len() == 1 && which(c, &c.body, pairs).is_some())
}

/// Whether a closure returns all elements of its item: `|row| row.iter()`.
pub(super) fn is_rows(f: &syn::Expr) -> bool {
    let syn::Expr::Closure(c) = inner(f) else { return false };
    let mut body = inner(&c.body);
    while let syn::Expr::MethodCall(m) = body
        && ["iter", "into_iter", "copied", "cloned"].iter().any(|n| m.method == n)
    {
        body = inner(&m.receiver);
    }
    c.inputs.len() == 1 && which(c, body, false).is_some()
}

/// The number of the parameter that an expression is, or with `pairs` the second part of.
fn which(c: &syn::ExprClosure, e: &syn::Expr, pairs: bool) -> Option<usize> {
    let name = match strip(e) {
        syn::Expr::Path(p) => p.path.get_ident()?,
        syn::Expr::Field(f) if pairs && matches!(&f.member, syn::Member::Unnamed(k) if k.index == 1) => {
            let syn::Expr::Path(p) = strip(&f.base) else { return None };
            let name = p.path.get_ident()?;
            return c.inputs.iter().position(|p| is_name(unreferenced(p), name));
        }
        _ => return None,
    };
    c.inputs.iter().position(|p| match unreferenced(p) {
        syn::Pat::Tuple(t) if pairs => t.elems.get(1).is_some_and(|p| is_name(unreferenced(p), name)),
        p => !pairs && is_name(p, name),
    })
}

fn is_name(p: &syn::Pat, name: &syn::Ident) -> bool {
    matches!(p, syn::Pat::Ident(i) if i.ident == *name)
}

/// An expression without `&`, `*` and parentheses.
pub(super) fn strip(e: &syn::Expr) -> &syn::Expr {
    match inner(e) {
        syn::Expr::Reference(r) => strip(&r.expr),
        syn::Expr::Unary(u) if matches!(u.op, syn::UnOp::Deref(_)) => strip(&u.expr),
        e => e,
    }
}

/// The value of a closure for an item, if the closure is a term of its parameter: `x * x` of `a[i]` is `a[i] * a[i]`.
pub(super) fn applied(f: &syn::Expr, item: &str) -> Option<String> {
    let syn::Expr::Closure(c) = inner(f) else { return None };
    // Of a slice only a name is indexed.
    if item.contains('&') {
        return None;
    }
    let [param] = c.inputs.iter().collect_vec()[..] else { return None };
    let mut values = Vec::new();
    bound(unreferenced(param), item, &mut values)?;
    let plain = |t: &TokenTree| match t {
        TokenTree::Group(g) => g.delimiter() != Delimiter::Brace,
        TokenTree::Punct(p) => p.as_char() != '|',
        TokenTree::Ident(i) => i != "let",
        TokenTree::Literal(_) => true,
    };
    let tokens = replaced(inner(&c.body).to_token_stream(), &values, &plain)?;
    let text = crate::surface::text::expression(tokens);
    (!item.contains('…')).then_some(text)
}

/// The names of a pattern with what they are.
fn bound(p: &syn::Pat, item: &str, values: &mut Vec<(String, String)>) -> Option<()> {
    match p {
        syn::Pat::Ident(i) if i.subpat.is_none() => {
            values.push((i.ident.to_string(), item.to_string()));
            Some(())
        }
        syn::Pat::Wild(_) => Some(()),
        syn::Pat::Tuple(t) => {
            let items = parts(item).filter(|items| items.len() == t.elems.len())?;
            t.elems.iter().zip(&items).try_for_each(|(p, item)| bound(unreferenced(p), item, values))
        }
        _ => None,
    }
}

/// Tokens with names replaced by terms, without the `*` before them.
fn replaced(
    tokens: TokenStream,
    values: &[(String, String)],
    plain: &dyn Fn(&TokenTree) -> bool,
) -> Option<TokenStream> {
    let mut out: Vec<TokenTree> = Vec::new();
    for t in tokens {
        if !plain(&t) {
            return None;
        }
        let value = |i: &proc_macro2::Ident| values.iter().find(|(name, _)| i == name).map(|(_, v)| v);
        match t {
            TokenTree::Ident(i) if let Some(v) = value(&i).filter(|_| !is_punct(out.last(), '.')) => {
                // A `*` or a `&` that no operand stands before belongs to the name.
                while is_punct(out.last(), '*') || is_punct(out.last(), '&') {
                    let before = out.len().checked_sub(2).map(|k| &out[k]);
                    let operand = match before {
                        Some(TokenTree::Punct(_)) | None => false,
                        Some(TokenTree::Ident(i)) => i != "if" && i != "else" && i != "in",
                        Some(_) => true,
                    };
                    if operand {
                        break;
                    }
                    out.pop();
                }
                out.push_all(atom(v).parse::<TokenStream>().ok()?);
            }
            // A single argument needs no parentheses.
            TokenTree::Group(g)
                if let [TokenTree::Ident(i)] = &g.stream().into_iter().collect_vec()[..]
                    && let Some(v) = value(i) =>
            {
                out.push(TokenTree::Group(proc_macro2::Group::new(g.delimiter(), v.parse().ok()?)));
            }
            TokenTree::Group(g) => {
                let inner = replaced(g.stream(), values, plain)?;
                out.push(TokenTree::Group(proc_macro2::Group::new(g.delimiter(), inner)));
            }
            t => out.push(t),
        }
    }
    Some(out.into_iter().collect())
}

fn is_punct(t: Option<&TokenTree>, c: char) -> bool {
    matches!(t, Some(TokenTree::Punct(p)) if p.as_char() == c)
}

/// The parts of the text of a tuple.
pub(super) fn parts(tuple: &str) -> Option<Vec<String>> {
    let inner = tuple.strip_prefix('(')?.strip_suffix(')')?;
    let (mut depth, mut parts) = (0, vec![String::new()]);
    for c in inner.chars() {
        depth += i32::from("([{".contains(c)) - i32::from(")]}".contains(c));
        match c {
            _ if depth < 0 => return None,
            ',' if depth == 0 => parts.push(String::new()),
            _ => parts.last_mut()?.push(c),
        }
    }
    let parts: Vec<String> = parts.iter().mapped(|p| p.trim().to_string());
    (parts.len() > 1).then_some(parts)
}
