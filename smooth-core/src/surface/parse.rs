//! Rust tokens → surface tree. The only reader of Rust; rejects by name what is outside the language.

use super::{Closure, Expr, ExprKind, Extent, Function, Param, Pattern, Stmt, TypeExpr, TypeKind};
use crate::diag::{Diags, codes};
use crate::ty::Scalar;
use crate::value::Lit;
use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::ToTokens;
use syn::spanned::Spanned;

/// How deep expressions may nest. Every stage recurses over them.
const DEPTH: usize = 200;

/// Tokens as people write them: a blank between words and after a comma, none around other punctuation.
fn words(tokens: TokenStream) -> String {
    let text = tokens.to_string();
    let word = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
    let mut out = String::new();
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let last = out.chars().last();
        if c != ' ' || word(last) && word(chars.peek().copied()) || matches!(last, Some(',' | ';')) {
            out.push(c);
        }
    }
    out.replace("->", " -> ").replace('+', " + ")
}

/// First and last token of anything.
pub fn extent(t: &impl ToTokens) -> Extent {
    let mut tokens = t.to_token_stream().into_iter();
    let Some(first) = tokens.next().map(|t| t.span()) else {
        return (Span::call_site(), Span::call_site());
    };
    (first, tokens.last().map_or(first, |t| t.span()))
}

/// Reads a function. Everything outside the language is reported; what could be read comes back even
/// then, so that later stages may stand in for it.
pub fn parse(item: TokenStream, diags: &mut Diags) -> Option<Function> {
    let f: syn::ItemFn = match syn::parse2(item) {
        Ok(f) => f,
        Err(e) => {
            diags.error(&codes::SYNTAX, e.span(), format!("`#[smooth]` expects a function: {e}"));
            return None;
        }
    };
    let mut p = Parser {
        diags,
        nodes: 0,
        depth: 0,
        generics: f.sig.generics.params.iter().map(generic_name).collect(),
        no_result: matches!(f.sig.output, syn::ReturnType::Default),
        params: vec![],
    };
    p.signature(&f.sig);
    let params: Vec<Param> = f.sig.inputs.iter().filter_map(|a| p.param(a)).collect();
    for (k, a) in params.iter().enumerate() {
        if params[..k].iter().any(|b| super::key(&b.name) == super::key(&a.name)) {
            p.reject(&codes::ITEM, &a.name, format!("two parameters are called `{}`", a.name));
        }
    }
    let result = match &f.sig.output {
        syn::ReturnType::Type(_, t) => p.ty(t),
        syn::ReturnType::Default => {
            p.reject(
                &codes::ITEM,
                &f.sig.ident,
                format!("`{}` has no result: a kernel returns what it computes", f.sig.ident),
            );
            TypeExpr { kind: TypeKind::Tuple(vec![]), at: extent(&f.sig.ident) }
        }
    };
    if matches!(&result.kind, TypeKind::Tuple(ts) if ts.is_empty()) && !p.no_result {
        p.diags.error_between(
            &codes::ITEM,
            result.at,
            format!("`{}` has no result: a kernel returns what it computes", f.sig.ident),
        );
    }
    if has_fn(&result) {
        p.diags.error_between(&codes::FUNCTION_VALUE, result.at, "a kernel cannot return a function");
    }
    let complete = params.len() == f.sig.inputs.len() && p.generics.is_empty() && !p.no_result && p.diags.is_empty();
    p.params = params.iter().map(|q| super::key(&q.name)).collect();
    p.attributes_in(f.block.to_token_stream());
    let body = p.block(&f.block, extent(&f.block));
    Some(Function { attrs: f.attrs, vis: f.vis, name: f.sig.ident, params, result, body, complete })
}

/// Every identifier of a pattern, whatever it means there.
fn identifiers(tokens: TokenStream, names: &mut Vec<proc_macro2::Ident>) {
    for t in tokens {
        match t {
            TokenTree::Ident(i) => names.push(i),
            TokenTree::Group(g) => identifiers(g.stream(), names),
            _ => {}
        }
    }
}

fn generic_name(g: &syn::GenericParam) -> String {
    match g {
        syn::GenericParam::Type(t) => t.ident.to_string(),
        syn::GenericParam::Const(c) => c.ident.to_string(),
        syn::GenericParam::Lifetime(l) => l.lifetime.to_string(),
    }
}

fn has_fn(t: &TypeExpr) -> bool {
    match &t.kind {
        TypeKind::Fn(..) => true,
        TypeKind::Array(e, _) => has_fn(e),
        TypeKind::Tuple(ts) => ts.iter().any(has_fn),
        TypeKind::Scalar(_) => false,
    }
}

struct Parser<'d> {
    diags: &'d mut Diags,
    nodes: usize,
    depth: usize,
    /// Names of generic parameters, which are rejected where they are declared.
    generics: Vec<String>,
    /// Whether the signature lacks a result, which is reported there.
    no_result: bool,
    /// The parameters' keys.
    params: Vec<String>,
}

impl Parser<'_> {
    fn reject(&mut self, code: &'static codes::Code, at: &impl ToTokens, message: impl Into<String>) {
        self.diags.error_between(code, extent(at), message);
    }

    fn node(&mut self, kind: ExprKind, at: Extent) -> Expr {
        self.nodes += 1;
        Expr { kind, at, id: self.nodes - 1 }
    }

    fn signature(&mut self, sig: &syn::Signature) {
        let name = &sig.ident;
        let qualifiers = [
            sig.asyncness.as_ref().map(|t| (t.to_token_stream(), "`async`")),
            sig.constness.as_ref().map(|t| (t.to_token_stream(), "`const`")),
            sig.abi.as_ref().map(|t| (t.to_token_stream(), "`extern`")),
            sig.variadic.as_ref().map(|t| (t.to_token_stream(), "variadic")),
            Some(sig.safety.to_token_stream()).filter(|t| !t.is_empty()).map(|t| (t, "`unsafe`")),
            sig.generics.lt_token.map(|t| (t.to_token_stream(), "generic")),
            sig.generics.where_clause.as_ref().map(|t| (t.to_token_stream(), "bounded by `where`")),
        ];
        for (tokens, what) in qualifiers.into_iter().flatten() {
            self.reject(&codes::ITEM, &tokens, format!("`{name}` is {what}: such a function cannot be a kernel"));
        }
    }

    fn param(&mut self, arg: &syn::FnArg) -> Option<Param> {
        let syn::FnArg::Typed(arg) = arg else {
            self.reject(&codes::ITEM, arg, "`self` is no kernel parameter: kernels are free functions");
            return None;
        };
        self.attrs(&arg.attrs);
        let name = match &*arg.pat {
            syn::Pat::Ident(i) if i.by_ref.is_none() && i.subpat.is_none() => {
                if i.mutability.is_some() {
                    self.reject(
                        &codes::ARGUMENT_MUTATION,
                        i,
                        format!("`{}` is declared `mut`, but arguments are never changed", i.ident),
                    );
                }
                i.ident.clone()
            }
            other => {
                self.reject(&codes::ITEM, other, "a kernel's parameter is a plain name");
                return None;
            }
        };
        Some(Param { name, ty: self.ty(&arg.ty) })
    }

    fn attrs(&mut self, attrs: &[syn::Attribute]) {
        for a in attrs {
            self.reject(&codes::ATTRIBUTE, a, "an attribute inside a kernel");
        }
    }

    fn ty(&mut self, t: &syn::Type) -> TypeExpr {
        let at = extent(t);
        let kind = match t {
            syn::Type::Paren(t) => return self.ty(&t.elem),
            syn::Type::Group(t) => return self.ty(&t.elem),
            syn::Type::Reference(r) => {
                if r.mutability.is_some() {
                    self.reject(
                        &codes::ARGUMENT_MUTATION,
                        t,
                        "a kernel cannot change an argument: `&mut` has no place in its signature",
                    );
                }
                return self.ty(&r.elem);
            }
            syn::Type::Array(a) => {
                let len = match &a.len {
                    syn::Expr::Infer(_) => None,
                    e => Some(self.expr(e)),
                };
                TypeKind::Array(Box::new(self.ty(&a.elem)), len)
            }
            syn::Type::Slice(s) => TypeKind::Array(Box::new(self.ty(&s.elem)), None),
            syn::Type::Tuple(ts) => TypeKind::Tuple(ts.elems.iter().map(|t| self.ty(t)).collect()),
            syn::Type::Path(p) if p.qself.is_none() => {
                match p.path.get_ident().and_then(|i| Scalar::from_name(&i.to_string())) {
                    Some(s) => TypeKind::Scalar(s),
                    None => return self.no_type(t, at),
                }
            }
            syn::Type::ImplTrait(i) => match self.fn_bound(&i.bounds) {
                Some(kind) => kind,
                None => return self.no_type(t, at),
            },
            _ => return self.no_type(t, at),
        };
        if let TypeKind::Array(elem, _) = &kind {
            let what = match elem.kind {
                TypeKind::Tuple(_) => Some("tuples"),
                TypeKind::Fn(..) => Some("functions"),
                _ => None,
            };
            if let Some(what) = what {
                self.diags.error_between(
                    &codes::PARAM_TYPE,
                    at,
                    format!("an array of {what}: arrays hold numbers, `bool`s or arrays of them"),
                );
            }
        }
        TypeExpr { kind, at }
    }

    /// Attributes stand on whatever Rust lets them; inside a kernel none of them means anything.
    fn attributes_in(&mut self, tokens: TokenStream) {
        let mut previous: Option<proc_macro2::Punct> = None;
        for t in tokens {
            match t {
                TokenTree::Group(g) => {
                    let hash = previous.take().filter(|_| g.delimiter() == Delimiter::Bracket);
                    match hash {
                        Some(hash) => self.diags.error_between(
                            &codes::ATTRIBUTE,
                            (hash.span(), g.span()),
                            "an attribute inside a kernel",
                        ),
                        None => self.attributes_in(g.stream()),
                    }
                }
                TokenTree::Punct(p) if p.as_char() == '#' => previous = Some(p),
                _ => previous = None,
            }
        }
    }

    fn no_type(&mut self, t: &syn::Type, at: Extent) -> TypeExpr {
        let shown = words(t.to_token_stream());
        if self.generics.contains(&shown) {
            return TypeExpr { kind: TypeKind::Scalar(Scalar::F64), at };
        }
        self.diags.error_between(&codes::PARAM_TYPE, at, format!("the language has no type `{shown}`"));
        TypeExpr { kind: TypeKind::Scalar(Scalar::F64), at }
    }

    fn fn_bound(
        &mut self,
        bounds: &syn::punctuated::Punctuated<syn::TypeParamBound, syn::Token![+]>,
    ) -> Option<TypeKind> {
        let mut found = None;
        for b in bounds {
            let syn::TypeParamBound::Trait(t) = b else { continue };
            let last = t.path.segments.last()?;
            match &last.arguments {
                syn::PathArguments::Parenthesized(sig) if last.ident == "Fn" => {
                    let params = sig.inputs.iter().map(|a| self.ty(&a.ty)).collect();
                    let syn::ReturnType::Type(_, r) = &sig.output else { return None };
                    let (params, r): (Vec<TypeExpr>, TypeExpr) = (params, self.ty(r));
                    if let Some(f) = params.iter().chain([&r]).find(|t| has_fn(t)) {
                        let message = "a function parameter takes and gives numbers and arrays, no functions";
                        self.diags.error_between(&codes::FUNCTION_VALUE, f.at, message);
                    }
                    found = Some(TypeKind::Fn(params, Box::new(r)));
                }
                _ if last.ident == "Copy" || last.ident == "Clone" => {}
                _ => return None,
            }
        }
        found
    }

    fn block(&mut self, b: &syn::Block, at: Extent) -> Expr {
        let mut stmts = Vec::new();
        let mut last = None;
        for (k, s) in b.stmts.iter().enumerate() {
            let tail = k + 1 == b.stmts.len();
            match s {
                syn::Stmt::Local(l) => stmts.push(self.local(l)),
                syn::Stmt::Expr(e, None) if tail => last = Some(self.expr(e)),
                syn::Stmt::Expr(e, semi) => self.statement(e, semi.is_some() && tail),
                syn::Stmt::Item(i) => {
                    self.reject(
                        &codes::OUTSIDE,
                        i,
                        "an item inside a kernel: a kernel's body is `let`s and an expression",
                    );
                }
                syn::Stmt::Macro(m) => self.macro_call(&m.mac),
            }
        }
        let last = last.unwrap_or_else(|| {
            if !self.no_result && !b.stmts.iter().any(|s| matches!(s, syn::Stmt::Expr(..) | syn::Stmt::Macro(_))) {
                self.diags.error_between(
                    &codes::OUTSIDE,
                    at,
                    "this block ends without a value: end it with an expression",
                );
            }
            self.node(ExprKind::Error, at)
        });
        self.node(ExprKind::Block(stmts, Box::new(last)), at)
    }

    /// An expression that stands where only a `let` may.
    fn statement(&mut self, e: &syn::Expr, tail_with_semicolon: bool) {
        if self.no_result {
            return;
        }
        let before = self.diags.iter().count();
        self.expr(e);
        if self.diags.iter().count() == before {
            let message = if tail_with_semicolon {
                "the value of this expression is thrown away by the `;`: a block ends with its value"
            } else {
                "the value of this statement is not used: kernels have no side effects"
            };
            self.reject(&codes::OUTSIDE, e, message);
        }
    }

    fn local(&mut self, l: &syn::Local) -> Stmt {
        let before = self.diags.iter().count();
        let pattern = self.pattern(&l.pat);
        let Some(init) = &l.init else {
            self.reject(&codes::STATE, l, "a `let` without a value");
            return Stmt::Let(pattern, self.node(ExprKind::Error, extent(l)));
        };
        if init.diverge.is_some() {
            self.reject(&codes::OUTSIDE, l, "`let … else` is outside the language");
        }
        let bound = self.diags.iter().count() == before;
        let value = self.expr(&init.expr);
        // The names of a rejected pattern are in scope, so that their uses are not reported too.
        Stmt::Let(pattern, if bound { value } else { self.node(ExprKind::Error, extent(l)) })
    }

    fn pattern(&mut self, p: &syn::Pat) -> Pattern {
        let at = extent(p);
        match p {
            syn::Pat::Ident(i) if i.by_ref.is_none() && i.subpat.is_none() => {
                if i.mutability.is_some() {
                    self.reject(
                        &codes::STATE,
                        p,
                        format!("`{}` is mutable: the language has no mutable variables", i.ident),
                    );
                }
                Pattern::Name(Some(i.ident.clone()), None, at)
            }
            syn::Pat::Wild(_) => Pattern::Name(None, None, at),
            syn::Pat::Type(t) => {
                let ty = self.ty(&t.ty);
                match self.pattern(&t.pat) {
                    Pattern::Name(name, _, at) => Pattern::Name(name, Some(ty), at),
                    Pattern::Tuple(mut ps, at) => {
                        if let TypeKind::Tuple(ts) = ty.kind {
                            for (p, t) in ps.iter_mut().zip(ts) {
                                if let Pattern::Name(_, ty @ None, _) = p {
                                    *ty = Some(t);
                                }
                            }
                        }
                        Pattern::Tuple(ps, at)
                    }
                }
            }
            syn::Pat::Tuple(t) => Pattern::Tuple(t.elems.iter().map(|p| self.pattern(p)).collect(), at),
            syn::Pat::Paren(p) => self.pattern(&p.pat),
            syn::Pat::Reference(r) if r.mutability.is_none() => self.pattern(&r.pat),
            _ => {
                self.reject(
                    &codes::OUTSIDE,
                    p,
                    "this pattern is outside the language: bind a name or a tuple of names",
                );
                let mut names = Vec::new();
                identifiers(p.to_token_stream(), &mut names);
                Pattern::Tuple(names.into_iter().map(|i| Pattern::Name(Some(i), None, at)).collect(), at)
            }
        }
    }

    fn macro_call(&mut self, m: &syn::Macro) {
        self.reject(
            &codes::OUTSIDE,
            m,
            format!(
                "the macro `{}!` inside a kernel: macros are not expanded before the kernel is compiled",
                super::path_key(&m.path)
            ),
        );
    }

    fn boxed(&mut self, e: &syn::Expr) -> Box<Expr> {
        Box::new(self.expr(e))
    }

    fn expr(&mut self, e: &syn::Expr) -> Expr {
        if self.depth >= DEPTH {
            self.reject(&codes::TOO_LARGE, e, format!("expressions nest deeper than {DEPTH} levels"));
            return self.node(ExprKind::Error, extent(e));
        }
        self.depth += 1;
        let kind = self.kind(e);
        self.depth -= 1;
        self.node(kind, extent(e))
    }

    fn kind(&mut self, e: &syn::Expr) -> ExprKind {
        match e {
            syn::Expr::Paren(p) => self.expr(&p.expr).kind,
            syn::Expr::Group(p) => self.expr(&p.expr).kind,
            syn::Expr::Lit(l) => self.literal(&l.lit),
            syn::Expr::Path(p) if p.qself.is_none() => ExprKind::Path(p.path.clone()),
            syn::Expr::Binary(b) => self.binary(b),
            syn::Expr::Unary(u) => match u.op {
                syn::UnOp::Neg(_) => ExprKind::Unary("neg", self.boxed(&u.expr)),
                syn::UnOp::Not(_) => ExprKind::Unary("not", self.boxed(&u.expr)),
                _ => ExprKind::Same(self.boxed(&u.expr)),
            },
            syn::Expr::Reference(r) => {
                if r.mutability.is_some() {
                    self.reject(
                        &codes::STATE,
                        e,
                        "`&mut` gives away something to change, but nothing in a kernel changes",
                    );
                }
                ExprKind::Same(self.boxed(&r.expr))
            }
            syn::Expr::Call(c) => {
                let f = self.boxed(&c.func);
                ExprKind::Call(f, c.args.iter().map(|a| self.expr(a)).collect())
            }
            syn::Expr::MethodCall(m) => {
                if let Some(t) = &m.turbofish {
                    self.reject(&codes::OUTSIDE, t, "type arguments are outside the language");
                }
                let receiver = self.boxed(&m.receiver);
                match m.method.to_string().as_str() {
                    "clone" | "to_vec" | "to_owned" if m.args.is_empty() => ExprKind::Same(receiver),
                    _ => ExprKind::Method(receiver, m.method.clone(), m.args.iter().map(|a| self.expr(a)).collect()),
                }
            }
            syn::Expr::Index(i) => self.index(i),
            syn::Expr::Array(a) => ExprKind::Array(a.elems.iter().map(|e| self.expr(e)).collect()),
            syn::Expr::Repeat(r) => {
                let e = self.boxed(&r.expr);
                ExprKind::Repeat(e, self.boxed(&r.len))
            }
            syn::Expr::Tuple(t) => ExprKind::Tuple(t.elems.iter().map(|e| self.expr(e)).collect()),
            syn::Expr::Field(f) => match &f.member {
                syn::Member::Unnamed(i) => ExprKind::Field(self.boxed(&f.base), i.index as usize),
                syn::Member::Named(n) => {
                    self.outside(e, format!("the field `{n}`: the language has tuples (`t.0`), no structs"))
                }
            },
            syn::Expr::Cast(c) => match &*c.ty {
                syn::Type::Path(p)
                    if p.path
                        .get_ident()
                        .is_some_and(|i| Scalar::from_name(&i.to_string()).is_some_and(|s| s != Scalar::Bool)) =>
                {
                    let to = Scalar::from_name(&p.path.segments[0].ident.to_string()).unwrap_or(Scalar::F64);
                    ExprKind::Cast(self.boxed(&c.expr), to)
                }
                t => {
                    self.reject(&codes::PARAM_TYPE, t, "casts go to `f64`, `usize` or `i32`");
                    ExprKind::Error
                }
            },
            syn::Expr::If(i) => self.conditional(i),
            syn::Expr::Block(b) if b.label.is_none() => self.block(&b.block, extent(b)).kind,
            syn::Expr::Closure(c) => self.closure(c),
            _ => self.rejected(e),
        }
    }

    fn outside(&mut self, e: &syn::Expr, message: impl Into<String>) -> ExprKind {
        self.reject(&codes::OUTSIDE, e, message);
        ExprKind::Error
    }

    fn literal(&mut self, l: &syn::Lit) -> ExprKind {
        let at = extent(l);
        match l {
            syn::Lit::Bool(b) => return ExprKind::Lit(Lit::Bool(b.value), true),
            syn::Lit::Float(f) if matches!(f.suffix(), "" | "f64") => {
                if let Ok(x) = f.base10_parse::<f64>() {
                    return ExprKind::Lit(Lit::f64(x), true);
                }
            }
            syn::Lit::Int(i) => match (i.suffix(), i.base10_parse::<u64>()) {
                ("f64", _) => {
                    if let Ok(x) = i.base10_digits().parse::<f64>() {
                        return ExprKind::Lit(Lit::f64(x), true);
                    }
                }
                ("", Ok(n)) => return ExprKind::Lit(Lit::usize(n), false),
                ("usize", Ok(n)) => return ExprKind::Lit(Lit::usize(n), true),
                ("i32", Ok(n)) if n <= i32::MAX as u64 => return ExprKind::Lit(Lit::Int(n.into(), Scalar::I32), true),
                _ => {}
            },
            _ => {}
        }
        self.diags.error_between(
            &codes::PARAM_TYPE,
            at,
            format!("the literal `{}`: literals are `f64`, `usize`, `i32` or `bool`", l.to_token_stream()),
        );
        ExprKind::Error
    }

    fn binary(&mut self, b: &syn::ExprBinary) -> ExprKind {
        use syn::BinOp as B;
        let op = match b.op {
            B::Add(_) => "+",
            B::Sub(_) => "-",
            B::Mul(_) => "*",
            B::Div(_) => "/",
            B::Rem(_) => "%",
            B::And(_) => "&&",
            B::Or(_) => "||",
            B::Eq(_) => "==",
            B::Ne(_) => "!=",
            B::Lt(_) => "<",
            B::Le(_) => "<=",
            B::Gt(_) => ">",
            B::Ge(_) => ">=",
            B::BitAnd(_) | B::BitOr(_) | B::BitXor(_) | B::Shl(_) | B::Shr(_) => {
                self.reject(&codes::OUTSIDE, &b.op, "bit operations are outside the language");
                return ExprKind::Error;
            }
            _ => {
                self.assignment(b, &b.left);
                return ExprKind::Error;
            }
        };
        let left = self.boxed(&b.left);
        ExprKind::Binary(op, left, self.boxed(&b.right))
    }

    /// `x = e`, `x[i] += e`: of an argument, or of what nobody can change either.
    fn assignment(&mut self, at: &impl ToTokens, target: &syn::Expr) {
        let (mut base, mut element) = (target, false);
        loop {
            base = match base {
                syn::Expr::Index(i) => {
                    element = true;
                    &i.expr
                }
                syn::Expr::Unary(u) => &u.expr,
                syn::Expr::Paren(p) => &p.expr,
                _ => break,
            };
        }
        let name = match base {
            syn::Expr::Path(p) => p.path.get_ident(),
            _ => None,
        };
        match name.filter(|i| self.params.contains(&super::key(i))) {
            Some(i) => self.reject(&codes::ARGUMENT_MUTATION, at, format!("an assignment to the argument `{i}`")),
            None if element => {
                self.reject(&codes::STATE, at, "an assignment to an element: arrays are values and never change")
            }
            None => self.reject(&codes::STATE, at, "assignment: the language has no mutable variables"),
        }
    }

    fn index(&mut self, i: &syn::ExprIndex) -> ExprKind {
        let base = self.boxed(&i.expr);
        match &*i.index {
            syn::Expr::Range(r) => {
                if matches!(r.limits, syn::RangeLimits::Closed(_)) {
                    self.reject(&codes::RANK, r, "an inclusive range: slices are written `&a[start..end]`");
                }
                let start = r.start.as_ref().map(|e| self.boxed(e));
                let end = r.end.as_ref().map(|e| self.boxed(e));
                ExprKind::Slice(base, start, end)
            }
            e => ExprKind::Index(base, self.boxed(e)),
        }
    }

    fn conditional(&mut self, i: &syn::ExprIf) -> ExprKind {
        if let syn::Expr::Let(l) = &*i.cond {
            self.reject(&codes::OUTSIDE, l, "`if let` is outside the language: conditions are `bool`s");
        }
        let cond = match &*i.cond {
            syn::Expr::Let(l) => Box::new(self.node(ExprKind::Error, extent(l))),
            c => self.boxed(c),
        };
        let yes = Box::new(self.block(&i.then_branch, extent(&i.then_branch)));
        match &i.else_branch {
            Some((_, no)) => ExprKind::If(cond, yes, self.boxed(no)),
            None => {
                self.reject(&codes::OUTSIDE, i, "an `if` without `else` has no value when its condition is false");
                ExprKind::Error
            }
        }
    }

    fn closure(&mut self, c: &syn::ExprClosure) -> ExprKind {
        if let Some(t) = c.asyncness.as_ref().map(|t| t.span()).or(c.constness.as_ref().map(|t| t.span())) {
            self.diags.error(&codes::OUTSIDE, t, "closures are plain: no `async`, no `const`");
        }
        let params = c.inputs.iter().map(|p| self.pattern(p)).collect();
        let body = self.expr(&c.body);
        if let syn::ReturnType::Type(_, t) = &c.output {
            self.ty(t);
        }
        ExprKind::Closure(Box::new(Closure { params, body }))
    }

    /// The constructs that have a name of their own in the error.
    fn rejected(&mut self, e: &syn::Expr) -> ExprKind {
        use syn::Expr as E;
        let (code, message): (&'static codes::Code, &str) = match e {
            E::While(_) => (&codes::UNBOUNDED, "a `while` loop has no bound that is known before it starts"),
            E::Loop(_) => (&codes::UNBOUNDED, "a `loop` has no bound that is known before it starts"),
            E::ForLoop(_) => {
                (&codes::UNBOUNDED, "a `for` loop works by changing variables, and the language has none that change")
            }
            E::Break(_) | E::Continue(_) => (&codes::UNBOUNDED, "there is no loop to leave"),
            E::Assign(a) => {
                self.assignment(a, &a.left);
                return ExprKind::Error;
            }
            E::Match(_) => (&codes::OUTSIDE, "`match` is outside the language: use `if`/`else`"),
            E::Let(_) => (&codes::OUTSIDE, "`let` as a condition is outside the language"),
            E::Return(_) => (&codes::OUTSIDE, "`return`: the value of the last expression is the result"),
            E::Try(_) => (&codes::OUTSIDE, "`?` is outside the language: kernels do not fail"),
            E::Macro(m) => {
                self.macro_call(&m.mac);
                return ExprKind::Error;
            }
            E::Struct(_) => (&codes::OUTSIDE, "structs are outside the language: use a tuple"),
            E::Range(_) => (&codes::RANK, "a range stands only in a slice, `&a[start..end]`"),
            E::Unsafe(_) => (&codes::OUTSIDE, "`unsafe` is outside the language"),
            E::Async(_) | E::Await(_) => (&codes::OUTSIDE, "`async` is outside the language"),
            E::Const(_) => (&codes::OUTSIDE, "a `const` block is outside the language"),
            E::Infer(_) => (&codes::OUTSIDE, "`_` is no value"),
            E::RawAddr(_) => (&codes::OUTSIDE, "raw pointers are outside the language"),
            E::Block(_) => (&codes::OUTSIDE, "a labelled block is outside the language"),
            E::Path(_) => (&codes::OUTSIDE, "a qualified path is outside the language"),
            _ => (&codes::OUTSIDE, "this expression is outside the language"),
        };
        self.reject(code, e, message);
        ExprKind::Error
    }
}
