//! The first and the last token of a construct.
//!
//! Every expression is asked for them. To write the tokens of each would be quadratic in the nesting depth of expressions, and
//! slow at any depth. So for the most common expressions they follow from those of the parts.

use super::super::Extent;
use proc_macro2::Span;
use quote::ToTokens;
use syn::Expr;

/// The spans of the first and the last token.
pub fn extent(t: &impl ToTokens) -> Extent {
    let mut tokens = t.to_token_stream().into_iter();
    let Some(first) = tokens.next().map(|t| t.span()) else {
        return (Span::call_site(), Span::call_site());
    };
    (first, tokens.last().map_or(first, |t| t.span()))
}

/// Those of a block: its braces.
pub(super) fn of_block(b: &syn::Block) -> Extent {
    let braces = b.brace_token.span.join();
    (braces, braces)
}

/// Those of an expression.
pub(super) fn of_expr(e: &Expr) -> Extent {
    match e {
        Expr::Binary(b) if b.attrs.is_empty() => (of_expr(&b.left).0, of_expr(&b.right).1),
        Expr::Index(i) if i.attrs.is_empty() => (of_expr(&i.expr).0, i.bracket_token.span.join()),
        Expr::Call(c) if c.attrs.is_empty() => (of_expr(&c.func).0, c.paren_token.span.join()),
        Expr::MethodCall(c) if c.attrs.is_empty() => (of_expr(&c.receiver).0, c.paren_token.span.join()),
        Expr::Reference(r) if r.attrs.is_empty() => (r.and_token.span, of_expr(&r.expr).1),
        Expr::If(i) if i.attrs.is_empty() => {
            let last = i.else_branch.as_ref().map_or(of_block(&i.then_branch), |(_, e)| of_expr(e));
            (i.if_token.span, last.1)
        }
        Expr::ForLoop(f) if f.attrs.is_empty() && f.label.is_none() => (f.for_token.span, of_block(&f.body).1),
        Expr::While(w) if w.attrs.is_empty() && w.label.is_none() => (w.while_token.span, of_block(&w.body).1),
        Expr::Block(b) if b.attrs.is_empty() && b.label.is_none() => of_block(&b.block),
        Expr::Paren(p) if p.attrs.is_empty() => {
            let parens = p.paren_token.span.join();
            (parens, parens)
        }
        Expr::Path(p) if p.attrs.is_empty() && p.qself.is_none() => match p.path.get_ident() {
            Some(i) => (i.span(), i.span()),
            None => extent(e),
        },
        Expr::Lit(l) if l.attrs.is_empty() => (l.lit.span(), l.lit.span()),
        _ => extent(e),
    }
}
