//! `match`: arms, guards, and the patterns of numbers, `bool`s and tuples of them.

use super::blocks::rests;
use super::{Parser, extent, identifiers};
use crate::diag::codes;
use crate::mapped::{Both, Mapped};
use crate::surface::{Arm, Case, Expr, ExprKind, function_like};
use quote::ToTokens;
use syn::Token;
use syn::parse::ParseStream;
use syn::spanned::Spanned;

impl Parser<'_> {
    pub(super) fn t_match(&mut self, m: &syn::ExprMatch) -> ExprKind {
        if let Some(rejected) = self.matched_option(m) {
            return rejected;
        }
        let value = self.boxed(&m.expr);
        let before = self.diags.iter().count();
        let cases: Vec<(Vec<Case>, Option<&syn::Expr>)> = m.arms.iter().mapped(|a| self.arm(&a.pat));
        let known = self.diags.iter().count() == before;
        let arms = cases.into_iter().zip(&m.arms).map(|((patterns, guard), a)| {
            let guard = guard.map(|g| *self.condition(g));
            Arm { patterns, guard, body: self.expr(&a.body) }
        });
        let arms = arms.collect_vec();
        // As with a rejected pattern of a `let`: the names stay in scope, and nothing is compared with the value.
        let value = if known { value } else { Box::new(self.node(ExprKind::Error, extent(&m.expr))) };
        ExprKind::Match(value, arms)
    }

    /// `matches!(e, p)` is `match e { p => true, _ => false }`.
    pub(super) fn matches(&mut self, m: &syn::Macro) -> ExprKind {
        let parsed = m.parse_body_with(|input: ParseStream| {
            let value: syn::Expr = input.parse()?;
            input.parse::<Token![,]>()?;
            let mut pat = syn::Pat::parse_multi_with_leading_vert(input)?;
            if input.peek(Token![if]) {
                let (if_token, guard) = (input.parse()?, input.parse()?);
                pat = syn::Pat::Guard(syn::PatGuard { attrs: vec![], pat: Box::new(pat), if_token, guard });
            }
            input.parse::<Option<Token![,]>>()?;
            Ok((value, pat))
        });
        let Ok((value, pat)) = parsed else {
            self.reject(&codes::OUTSIDE, m, "`matches!` takes a value and a pattern, as in `matches!(x, 1 | 3..=5)`");
            return ExprKind::Error;
        };
        let at = m.path.span();
        let rest = syn::Pat::Wild(syn::PatWild { attrs: vec![], underscore_token: Token![_](at) });
        let arms = [(pat, true), (rest, false)].both(|(pat, holds)| {
            let lit = syn::Lit::Bool(syn::LitBool::new(holds, at));
            let body = Box::new(syn::Expr::Lit(syn::ExprLit { attrs: vec![], lit }));
            syn::Arm { attrs: vec![], pat, fat_arrow_token: Token![=>](at), body, comma: None }
        });
        self.t_match(&syn::ExprMatch {
            attrs: vec![],
            match_token: Token![match](at),
            expr: Box::new(value),
            brace_token: syn::token::Brace(at),
            arms: arms.into(),
        })
    }

    /// The alternatives of an arm, and its guard.
    fn arm<'p>(&mut self, p: &'p syn::Pat) -> (Vec<Case>, Option<&'p syn::Expr>) {
        match p {
            syn::Pat::Guard(g) => (self.arm(&g.pat).0, Some(&g.guard)),
            p => match self.case(p) {
                Case::Either(cases) => (cases, None),
                case => (vec![case], None),
            },
        }
    }

    fn case(&mut self, p: &syn::Pat) -> Case {
        match p {
            syn::Pat::Wild(_) => Case::Any,
            syn::Pat::Paren(p) => self.case(&p.pat),
            syn::Pat::Reference(r) if r.mutability.is_none() => self.case(&r.pat),
            syn::Pat::Or(o) => Case::Either(o.cases.iter().mapped(|p| self.case(p))),
            syn::Pat::Rest(_) => Case::Rest,
            syn::Pat::Tuple(t) if rests(t) <= 1 => Case::Tuple(t.elems.iter().mapped(|p| self.case(p))),
            syn::Pat::Ident(i) if i.by_ref.is_none() && i.mutability.is_none() => match &i.subpat {
                Some((_, inner)) => Case::Bind(i.ident.clone(), Some(Box::new(self.case(inner)))),
                // As rustc does where a constant has this name.
                None if !function_like(&i.ident.clone().into()) => {
                    Case::Value(self.node(ExprKind::Path(i.ident.clone().into()), extent(i)))
                }
                None => Case::Bind(i.ident.clone(), None),
            },
            syn::Pat::Lit(l) => Case::Value(self.constant(&l.lit)),
            syn::Pat::Path(path) if let Some(plain) = self.plain_path(path) => {
                Case::Value(self.node(ExprKind::Path(plain), extent(path)))
            }
            syn::Pat::Range(r) => {
                let start = r.start.as_ref().map(|e| self.end(e));
                let end = r.end.as_ref().map(|e| self.end(e));
                Case::Range(start, end, matches!(r.limits, syn::RangeLimits::Closed(_)))
            }
            _ => {
                let message = "this pattern is outside the language\na `match` compares numbers, `bool`s and tuples of them with literals, constants, ranges and names";
                self.reject(&codes::OUTSIDE, p, message);
                let mut names = Vec::new();
                identifiers(p.to_token_stream(), &mut names);
                Case::Tuple(names.into_iter().mapped(|i| Case::Bind(i, None)))
            }
        }
    }

    /// The end of a range.
    fn end(&mut self, e: &syn::Expr) -> Expr {
        match e {
            syn::Expr::Lit(l) => self.constant(&l.lit),
            e => self.expr(e),
        }
    }

    /// A literal of a pattern, which may be negative.
    fn constant(&mut self, l: &syn::Lit) -> Expr {
        let at = extent(l);
        let positive = match l {
            syn::Lit::Int(i) => i.to_string().strip_prefix('-').map(|s| syn::Lit::Int(syn::LitInt::new(s, i.span()))),
            syn::Lit::Float(f) => {
                f.to_string().strip_prefix('-').map(|s| syn::Lit::Float(syn::LitFloat::new(s, f.span())))
            }
            _ => None,
        };
        let kind = self.literal(positive.as_ref().unwrap_or(l));
        let value = self.node(kind, at);
        if positive.is_some() { self.node(ExprKind::Unary("neg", Box::new(value)), at) } else { value }
    }
}
