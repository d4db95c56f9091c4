//! Expressions, and the constructs that are rejected by name.

use super::extent::{of_block, of_expr};
use super::fragments::{inner, inner_type};
use super::rejections::foreign::{argument, fallible};
use super::{DEPTH, Parser, extent, identifiers};
use crate::diag::{codes, hints};
use crate::mapped::{Mapped, PushAll};
use crate::surface::{Closure, Expr, ExprKind, Pattern, Stmt, decimal};
use crate::ty::Scalar;
use crate::value::Lit;
use quote::ToTokens;
use syn::spanned::Spanned;

impl Parser<'_> {
    pub(super) fn boxed(&mut self, e: &syn::Expr) -> Box<Expr> {
        Box::new(self.expr(e))
    }

    pub(super) fn expr(&mut self, e: &syn::Expr) -> Expr {
        if self.depth >= DEPTH {
            self.reject(
                &codes::TOO_LARGE,
                e,
                format!("expressions nest deeper than {DEPTH} levels\nbind parts to names with `let`, or write a loop"),
            );
            return self.node(ExprKind::Error, of_expr(e));
        }
        self.depth += 1;
        let kind = self.kind(e);
        self.depth -= 1;
        let node = self.node(kind, of_expr(e));
        if is_copy(e) {
            self.copies.insert(node.id);
        }
        if matches!(inner(e), syn::Expr::Unary(syn::ExprUnary { op: syn::UnOp::Deref(_), .. })) {
            self.behind.insert(node.id);
        }
        node
    }

    pub(super) fn kind(&mut self, e: &syn::Expr) -> ExprKind {
        match e {
            syn::Expr::Paren(p) => self.expr(&p.expr).kind,
            syn::Expr::Group(p) => self.expr(&p.expr).kind,
            syn::Expr::Lit(l) => self.literal(&l.lit),
            syn::Expr::Path(p) => self.path(e, p),
            syn::Expr::Binary(b) => self.binary(b),
            syn::Expr::Unary(u) => self.unary(e, u),
            syn::Expr::Reference(r) if r.mutability.is_some() => ExprKind::Borrow(self.boxed(&r.expr)),
            syn::Expr::Reference(r) => ExprKind::Same(self.boxed(&r.expr)),
            syn::Expr::Call(c) => self.call(c),
            syn::Expr::MethodCall(m) => self.method(e, m),
            syn::Expr::Index(i) => self.index(i),
            syn::Expr::Array(a) => ExprKind::Array(a.elems.iter().mapped(|e| self.expr(e))),
            syn::Expr::Repeat(r) => {
                let e = self.boxed(&r.expr);
                ExprKind::Repeat(e, self.boxed(&r.len))
            }
            syn::Expr::Tuple(t) => ExprKind::Tuple(t.elems.iter().mapped(|e| self.expr(e))),
            syn::Expr::Field(f) => match &f.member {
                syn::Member::Unnamed(i) => ExprKind::Field(self.boxed(&f.base), i.index as usize),
                syn::Member::Named(n) => self.field(e, &f.base, n),
            },
            syn::Expr::Cast(c) => self.cast(c),
            syn::Expr::If(i) => self.conditional(i),
            syn::Expr::Block(b) => match &b.label {
                Some(label) => self.labelled_block(label, b),
                None => self.block(&b.block, of_block(&b.block)).kind,
            },
            syn::Expr::Assign(a) => self.assignment(None, &a.left, &a.right),
            syn::Expr::ForLoop(f) => self.for_loop(f),
            syn::Expr::While(w) => self.while_loop(w),
            syn::Expr::Loop(l) => self.endless_loop(l),
            syn::Expr::Break(b) => self.break_from(b),
            syn::Expr::Continue(c) => self.continue_with(c),
            syn::Expr::Return(r) => ExprKind::Return(r.expr.as_ref().map(|e| self.boxed(e))),
            syn::Expr::Match(m) => self.t_match(m),
            syn::Expr::Macro(m) => self.macro_expr(&m.mac),
            syn::Expr::Closure(c) => self.closure(c),
            _ => self.rejected(e),
        }
    }

    fn path(&mut self, e: &syn::Expr, p: &syn::ExprPath) -> ExprKind {
        match self.plain_path(p) {
            Some(path) if let Some(rejected) = self.no_item(e, &path) => rejected,
            Some(path) => {
                let sugar = self.open_constant(&path).or_else(|| self.uncalled(&path));
                sugar.unwrap_or(ExprKind::Path(path))
            }
            None => self.rejected(e),
        }
    }

    fn unary(&mut self, e: &syn::Expr, u: &syn::ExprUnary) -> ExprKind {
        match u.op {
            syn::UnOp::Neg(_) => ExprKind::Unary("neg", self.boxed(&u.expr)),
            syn::UnOp::Not(_) => ExprKind::Unary("not", self.boxed(&u.expr)),
            // Otherwise `x ** 2` is `x * 2`.
            _ if let syn::Expr::Lit(_) = inner(&u.expr) => {
                self.outside(e, "a `*` before a number: a number is not a reference\nwrite `x.powi(2)` for a power")
            }
            _ => match self.optional(e) {
                Some(rejected) => rejected,
                None => ExprKind::Same(self.boxed(&u.expr)),
            },
        }
    }

    fn call(&mut self, c: &syn::ExprCall) -> ExprKind {
        if let Some(sugar) = self.swap(c) {
            return sugar;
        }
        if let syn::Expr::Path(f) = inner(&c.func)
            && let Some(path) = self.plain_path(f)
        {
            if let Some(rejected) = self.no_item(&c.func, &path) {
                return rejected;
            }
            if let Some(rejected) = self.foreign_function(&path, c) {
                return rejected;
            }
            if let Some(rejected) = self.counted(&path, c) {
                return rejected;
            }
            if let Some(rejected) = self.foreign_call(&path, c) {
                return rejected;
            }
            let args = c.args.iter().mapped(|a| self.expr(a));
            return self.call_by_path(path, of_expr(&c.func), args);
        }
        let f = self.boxed(&c.func);
        ExprKind::Call(f, c.args.iter().mapped(|a| self.expr(a)))
    }

    fn method(&mut self, e: &syn::Expr, m: &syn::ExprMethodCall) -> ExprKind {
        match fallible(m) {
            Some((e, false)) => return self.expr(e).kind,
            Some((e, true)) => {
                let receiver = match e {
                    syn::Expr::Call(c)
                        if let syn::Expr::Path(f) = inner(&c.func)
                            && let Some(path) = self.plain_path(f) =>
                    {
                        let args = c.args.iter().mapped(|a| self.expr(a));
                        let call = self.call_by_path(path, of_expr(&c.func), args);
                        Box::new(self.node(call, of_expr(e)))
                    }
                    _ => self.boxed(e),
                };
                let args = m.args.iter().filter(|_| m.method != "expect").mapped(|a| self.expr(a));
                return ExprKind::Method(receiver, m.method.clone(), args);
            }
            None => {}
        }
        let rejected = self.optional(e).or_else(|| self.chain(e));
        let rejected = rejected.or_else(|| self.tested_order(e, m)).or_else(|| self.foreign_method(m));
        if let Some(rejected) = rejected {
            return rejected;
        }
        if let Some(t) = &m.turbofish {
            let way = hints::in_library(&m.method.to_string(), 0);
            let way = way.as_deref().unwrap_or(
                "remove them; convert a number with `as`, and write the type of a `let`, as in `let x: f64 = …;`",
            );
            self.reject(&codes::OUTSIDE, t, format!("a method call has no type arguments in the language\n{way}"));
        }
        let receiver = self.boxed(&m.receiver);
        match m.method.to_string().as_str() {
            "clone" | "to_vec" | "to_owned" if m.args.is_empty() => ExprKind::Same(receiver),
            "is_empty" if m.args.is_empty() => {
                let len = syn::Ident::new("len", m.method.span());
                let len = self.node(ExprKind::Method(receiver, len, vec![]), extent(e));
                let none = self.node(ExprKind::Lit(Lit::usize(0), true), extent(e));
                ExprKind::Binary("==", Box::new(len), Box::new(none))
            }
            _ => ExprKind::Method(receiver, m.method.clone(), m.args.iter().mapped(|a| self.expr(a))),
        }
    }

    /// Rejects a field with a name, unless the parameter's type was rejected already.
    fn field(&mut self, e: &syn::Expr, base: &syn::Expr, name: &syn::Ident) -> ExprKind {
        if self.is_broken(base) {
            return ExprKind::Error;
        }
        let shown = argument(base).unwrap_or_default();
        let (why, way) = match hints::field(&name.to_string(), &shown) {
            Some(way) => ("numbers and arrays have none", way),
            None => (
                "the language has no structs",
                "pass the field as a parameter, or a tuple of fields, whose parts are `t.0`, `t.1`".into(),
            ),
        };
        self.outside(e, format!("the field `{name}`: {why}\n{way}"))
    }

    fn cast(&mut self, c: &syn::ExprCast) -> ExprKind {
        let to = if let syn::Type::Path(p) = inner_type(&c.ty) { self.scalar(&p.path) } else { None };
        match to.filter(|s| *s != Scalar::Bool) {
            Some(to) => ExprKind::Cast(self.boxed(&c.expr), to),
            None => {
                let shown = super::words(c.ty.to_token_stream());
                let message = format!("`as {shown}`: only a number type can follow `as`");
                let help = match shown.as_str() {
                    "bool" => "write a comparison, `x != 0.0` of a float and `k != 0` of an integer",
                    _ if shown.starts_with(char::is_uppercase) => {
                        "if it is an alias, write the type that it stands for: the macro sees only its name"
                    }
                    _ => "the number types are `f64`, `f32`, `usize`, `isize`, `i8` to `i128` and `u8` to `u128`",
                };
                self.helped(&codes::PARAM_TYPE, &c.ty, message, help);
                ExprKind::Error
            }
        }
    }

    pub(super) fn outside(&mut self, e: &syn::Expr, message: impl Into<String>) -> ExprKind {
        self.reject(&codes::OUTSIDE, e, message);
        ExprKind::Error
    }

    pub(super) fn literal(&mut self, l: &syn::Lit) -> ExprKind {
        let at = extent(l);
        match l {
            syn::Lit::Bool(b) => return ExprKind::Lit(Lit::Bool(b.value), true),
            syn::Lit::Float(f) if f.suffix().is_empty() => return ExprKind::Decimal(f.base10_digits().to_string()),
            syn::Lit::Float(f) => {
                if let Some(l) = Scalar::from_name(f.suffix()).and_then(|s| decimal(f.base10_digits(), s)) {
                    return ExprKind::Lit(l, true);
                }
            }
            syn::Lit::Int(i) => match (Scalar::from_name(i.suffix()), i.base10_parse::<u128>()) {
                (None, Ok(n)) if i.suffix().is_empty() => {
                    let own = if n > u64::MAX.into() { Scalar::U128 } else { Scalar::Usize };
                    return ExprKind::Lit(Lit::Int(n as i128, own), false);
                }
                (Some(s), Ok(n)) if s.is_int() => {
                    if n <= s.most() + u128::from(s.is_signed()) {
                        return ExprKind::Lit(Lit::Int(n as i128, s), true);
                    }
                    let message = format!(
                        "the literal `{n}` does not fit in `{}` (at most {})\nwrite a smaller number, or take a larger type",
                        s.name(),
                        s.most()
                    );
                    self.diags.error_between(&codes::PARAM_TYPE, at, message);
                    return ExprKind::Error;
                }
                (suffix, _) => {
                    if let Some(l) = suffix.and_then(|s| decimal(i.base10_digits(), s)) {
                        return ExprKind::Lit(l, true);
                    }
                }
            },
            syn::Lit::Byte(b) => return ExprKind::Lit(Lit::Int(b.value().into(), Scalar::U8), true),
            _ => {}
        }
        let message = format!("the literal `{}` is outside the language", l.to_token_stream());
        self.diags.helped(&codes::PARAM_TYPE, at, message, &super::rejections::texts::way_out(l));
        ExprKind::Error
    }

    pub(super) fn binary(&mut self, b: &syn::ExprBinary) -> ExprKind {
        use syn::BinOp as B;
        if let Some(rejected) = self.compared_order(b).or_else(|| self.chained(b)) {
            return rejected;
        }
        let (op, assigns) = match b.op {
            B::Add(_) => ("+", false),
            B::AddAssign(_) => ("+", true),
            B::Sub(_) => ("-", false),
            B::SubAssign(_) => ("-", true),
            B::Mul(_) => ("*", false),
            B::MulAssign(_) => ("*", true),
            B::Div(_) => ("/", false),
            B::DivAssign(_) => ("/", true),
            B::Rem(_) => ("%", false),
            B::RemAssign(_) => ("%", true),
            B::BitAnd(_) => ("&", false),
            B::BitAndAssign(_) => ("&", true),
            B::BitOr(_) => ("|", false),
            B::BitOrAssign(_) => ("|", true),
            B::BitXor(_) => ("^", false),
            B::BitXorAssign(_) => ("^", true),
            B::Shl(_) => ("<<", false),
            B::ShlAssign(_) => ("<<", true),
            B::Shr(_) => (">>", false),
            B::ShrAssign(_) => (">>", true),
            B::And(_) => ("&&", false),
            B::Or(_) => ("||", false),
            B::Eq(_) => ("==", false),
            B::Ne(_) => ("!=", false),
            B::Lt(_) => ("<", false),
            B::Le(_) => ("<=", false),
            B::Gt(_) => (">", false),
            B::Ge(_) => (">=", false),
            _ => return self.outside(&syn::Expr::Binary(b.clone()), "this operator is outside the language"),
        };
        if assigns {
            return self.assignment(Some(op), &b.left, &b.right);
        }
        let left = self.boxed(&b.left);
        ExprKind::Binary(op, left, self.boxed(&b.right))
    }

    pub(super) fn index(&mut self, i: &syn::ExprIndex) -> ExprKind {
        let base = self.boxed(&i.expr);
        match inner(&i.index) {
            syn::Expr::Range(r) => {
                if matches!(r.limits, syn::RangeLimits::Closed(_)) {
                    let end = r.end.as_ref().map(|e| super::words(e.to_token_stream())).unwrap_or_default();
                    let end = end.parse::<u64>().map_or(format!("{end} + 1"), |k| k.saturating_add(1).to_string());
                    let start = r.start.as_ref().map(|e| super::words(e.to_token_stream())).unwrap_or_default();
                    let message = format!(
                        "a slice with an inclusive range\nwrite `{start}..{end}`: the end of a slice is not in it"
                    );
                    self.reject(&codes::RANK, r, message);
                }
                let start = r.start.as_ref().map(|e| self.boxed(e));
                let end = r.end.as_ref().map(|e| self.boxed(e));
                ExprKind::Slice(base, start, end)
            }
            e => {
                if let ExprKind::Slice(_, None, None) = base.kind
                    && let syn::Expr::Index(all) = inner(&i.expr)
                {
                    let [a, j] = [&*all.expr, e].map(|e| super::words(e.to_token_stream()));
                    let message = format!("`{a}[..]` is all of `{a}`, so that `{a}[..][{j}]` is `{a}[{j}]`");
                    let help = format!("write `{a}[{j}]`; a column of a matrix is `build({a}.len(), |i| {a}[i][{j}])`");
                    self.helped(&codes::RANK, i, message, &help);
                    return ExprKind::Error;
                }
                ExprKind::Index(base, self.boxed(e))
            }
        }
    }

    pub(super) fn conditional(&mut self, i: &syn::ExprIf) -> ExprKind {
        let cond = self.condition(&i.cond);
        let yes = self.block(&i.then_branch, of_block(&i.then_branch));
        let yes = Box::new(self.under(&i.cond, yes));
        let no = match &i.else_branch {
            Some((_, no)) => self.boxed(no),
            None => Box::new(self.node(ExprKind::Tuple(vec![]), extent(i))),
        };
        ExprKind::If(cond, yes, no)
    }

    /// A condition. Where one compares, `=` for `==` is the usual mistake.
    pub(super) fn condition(&mut self, c: &syn::Expr) -> Box<Expr> {
        if let syn::Expr::Assign(_) = inner(c) {
            self.reject(
                &codes::MISMATCH,
                c,
                "a condition must be a `bool`, but this is an assignment\ncompare with `==`",
            );
            return Box::new(self.node(ExprKind::Error, of_expr(c)));
        }
        self.boxed(c)
    }

    /// The branch `body` under the condition `c`. The names of a rejected `let` stay in scope, so that their uses are not
    /// reported as well.
    pub(super) fn under(&mut self, c: &syn::Expr, body: Expr) -> Expr {
        let (mut open, mut names) = (vec![c], Vec::new());
        while let Some(c) = open.pop() {
            match inner(c) {
                syn::Expr::Let(l) => identifiers(l.pat.to_token_stream(), &mut names),
                syn::Expr::Binary(b) if matches!(b.op, syn::BinOp::And(_)) => open.push_all([&*b.left, &*b.right]),
                _ => {}
            }
        }
        if names.is_empty() {
            return body;
        }
        let at = body.at;
        let names = names.into_iter().mapped(|i| Pattern::Name(Some(i), None, at, false));
        let rejected = self.node(ExprKind::Error, at);
        self.node(ExprKind::Block(vec![Stmt::Let(Pattern::Tuple(names, at), rejected)], Box::new(body)), at)
    }

    pub(super) fn closure(&mut self, c: &syn::ExprClosure) -> ExprKind {
        if let Some(t) = c.asyncness.as_ref().map(|t| t.span()).or(c.constness.as_ref().map(|t| t.span())) {
            self.diags.error(&codes::OUTSIDE, t, "a closure cannot be `async` or `const`\nremove the word before it");
        }
        let (mut elements, references) = (vec![], self.references.clone());
        let params = c.inputs.iter().mapped(|p| {
            let (p, mut own) = self.whole_pattern(p);
            elements.append(&mut own);
            p
        });
        self.distinct_names(&params, &elements, &c.inputs);
        // A closure's jumps stay inside it.
        let outside = std::mem::take(&mut self.targets);
        let body = if let syn::Expr::Assign(_) = inner(&c.body) {
            let message =
                "a closure computes a value, but this is an assignment\ncompare with `==`, or assign in a `for` loop";
            self.reject(&codes::MISMATCH, &c.body, message);
            self.node(ExprKind::Error, of_expr(&c.body))
        } else {
            self.expr(&c.body)
        };
        (self.targets, self.references) = (outside, references);
        let body = self.after(elements, body);
        if let syn::ReturnType::Type(_, t) = &c.output {
            self.ty(t);
        }
        ExprKind::Closure(Box::new(Closure { params, body, of: None }))
    }

    /// The constructs that an error names.
    pub(super) fn rejected(&mut self, e: &syn::Expr) -> ExprKind {
        use syn::Expr as E;
        let (code, message): (&'static codes::Code, &str) = match e {
            E::Let(l) if checked_offset(&l.expr) => (
                &codes::OUTSIDE,
                "`let` as a condition is outside the language\nwrite `let j = i.saturating_add_signed(d);`, which stops at 0, or test before, as in `if d >= 0 || i >= d.unsigned_abs() { … }`",
            ),
            E::Let(l) => return self.let_condition(l),
            E::Try(_) => (
                &codes::OUTSIDE,
                "`?` is outside the language: a kernel has no errors to propagate\nleave it out; return a `bool` beside the value to say whether it is good, as in `(x, true)`",
            ),
            E::Struct(_) => (
                &codes::OUTSIDE,
                "structs are outside the language\nuse a tuple, as in `(x, y)`; its parts are `t.0`, `t.1`",
            ),
            E::Range(_) => (
                &codes::RANK,
                "a range is allowed in a slice only\nwrite a slice, `&a[start..end]`, a loop, `for i in start..end`, or a count, as in `sum(n, |i| a[i])`",
            ),
            E::Unsafe(_) => (
                &codes::OUTSIDE,
                "`unsafe` is outside the language\nremove it: indices that are proved to be in range have no check",
            ),
            E::Async(_) | E::Await(_) => (
                &codes::OUTSIDE,
                "`async` is outside the language\nremove it, and call the kernel from an `async` function",
            ),
            E::Const(_) => (
                &codes::OUTSIDE,
                "a `const` block is outside the language\nwrite its value, or declare a `const` outside of the kernel and use its name",
            ),
            E::Infer(_) => (&codes::OUTSIDE, "`_` is not a value\nwrite the value"),
            E::RawAddr(_) => {
                (&codes::OUTSIDE, "raw pointers are outside the language\nuse the array and an index, as in `a[i]`")
            }
            E::Path(_) => (
                &codes::OUTSIDE,
                "a qualified path is outside the language\nwrite a method of the value, as in `x.sqrt()`, or the path of a kernel, as in `module::kernel`",
            ),
            _ => (
                &codes::OUTSIDE,
                "this expression is outside the language\ndocs/reference.md lists the expressions that a kernel may have; compute this outside and pass it as a parameter",
            ),
        };
        self.reject(code, e, message);
        ExprKind::Error
    }
}

/// Whether a term is a copy: `x.clone()`.
fn is_copy(e: &syn::Expr) -> bool {
    match inner(e) {
        syn::Expr::MethodCall(m) => m.method == "clone" || m.method == "to_vec" || m.method == "to_owned",
        _ => false,
    }
}

/// Whether it is `i.checked_add_signed(d)`.
fn checked_offset(e: &syn::Expr) -> bool {
    matches!(e, syn::Expr::MethodCall(m) if m.method == "checked_add_signed")
}
