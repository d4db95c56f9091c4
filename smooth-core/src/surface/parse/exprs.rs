//! Expressions, and the constructs that are rejected by name.

use super::{DEPTH, Parser, extent};
use crate::diag::codes;
use crate::surface::{Closure, Expr, ExprKind, decimal, key};
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
            self.reject(&codes::TOO_LARGE, e, format!("expressions nest deeper than {DEPTH} levels"));
            return self.node(ExprKind::Error, extent(e));
        }
        self.depth += 1;
        let kind = self.kind(e);
        self.depth -= 1;
        self.node(kind, extent(e))
    }

    pub(super) fn kind(&mut self, e: &syn::Expr) -> ExprKind {
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
                    self.reject(&codes::STATE, e, "`&mut` is outside the language: nothing in a kernel is mutable");
                }
                ExprKind::Same(self.boxed(&r.expr))
            }
            syn::Expr::Call(c) => {
                let f = self.boxed(&c.func);
                ExprKind::Call(f, c.args.iter().map(|a| self.expr(a)).collect())
            }
            syn::Expr::MethodCall(m) => {
                if let Some(t) = &m.turbofish {
                    self.reject(&codes::OUTSIDE, t, "a method call has no type arguments in the language");
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
                    self.outside(e, format!("the field `{n}`: the language has tuples (`t.0`) but no structs"))
                }
            },
            syn::Expr::Cast(c) => {
                let to = if let syn::Type::Path(p) = &*c.ty { self.scalar(&p.path) } else { None };
                match to.filter(|s| *s != Scalar::Bool) {
                    Some(to) => ExprKind::Cast(self.boxed(&c.expr), to),
                    None => {
                        self.reject(&codes::PARAM_TYPE, &c.ty, "only a number type can follow `as`");
                        ExprKind::Error
                    }
                }
            }
            syn::Expr::If(i) => self.conditional(i),
            syn::Expr::Block(b) if b.label.is_none() => self.block(&b.block, extent(b)).kind,
            syn::Expr::Closure(c) => self.closure(c),
            _ => self.rejected(e),
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
            syn::Lit::Int(i) => match (Scalar::from_name(i.suffix()), i.base10_parse::<u64>()) {
                (None, Ok(n)) if i.suffix().is_empty() => return ExprKind::Lit(Lit::usize(n), false),
                (Some(s), Ok(n)) if s.is_int() => {
                    if i128::from(n) <= s.range().1 + i128::from(s.is_signed()) {
                        return ExprKind::Lit(Lit::Int(n.into(), s), true);
                    }
                    let message = format!("the literal `{n}` does not fit in `{}` (at most {})", s.name(), s.range().1);
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
        let message = format!(
            "the literal `{}` is outside the language: literals are `bool`s and numbers of the language's types",
            l.to_token_stream()
        );
        self.diags.error_between(&codes::PARAM_TYPE, at, message);
        ExprKind::Error
    }

    pub(super) fn binary(&mut self, b: &syn::ExprBinary) -> ExprKind {
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
            B::BitAnd(_) => "&",
            B::BitOr(_) => "|",
            B::BitXor(_) => "^",
            B::Shl(_) => "<<",
            B::Shr(_) => ">>",
            _ => {
                self.assignment(b, &b.left);
                return ExprKind::Error;
            }
        };
        let left = self.boxed(&b.left);
        ExprKind::Binary(op, left, self.boxed(&b.right))
    }

    /// Rejects `x = e` and `x[i] += e`: an argument, an element or a variable is assigned to.
    pub(super) fn assignment(&mut self, at: &impl ToTokens, target: &syn::Expr) {
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
        match name.filter(|i| self.params.contains(&key(i))) {
            Some(i) => self.reject(&codes::ARGUMENT_MUTATION, at, format!("assignment to the argument `{i}`")),
            None if element => self.reject(&codes::STATE, at, "assignment to an element: arrays are immutable values"),
            None => self.reject(&codes::STATE, at, "assignment: the language has no mutable variables"),
        }
    }

    pub(super) fn index(&mut self, i: &syn::ExprIndex) -> ExprKind {
        let base = self.boxed(&i.expr);
        match &*i.index {
            syn::Expr::Range(r) => {
                if matches!(r.limits, syn::RangeLimits::Closed(_)) {
                    self.reject(&codes::RANK, r, "an inclusive range: write slices as `&a[start..end]`");
                }
                let start = r.start.as_ref().map(|e| self.boxed(e));
                let end = r.end.as_ref().map(|e| self.boxed(e));
                ExprKind::Slice(base, start, end)
            }
            e => ExprKind::Index(base, self.boxed(e)),
        }
    }

    pub(super) fn conditional(&mut self, i: &syn::ExprIf) -> ExprKind {
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

    pub(super) fn closure(&mut self, c: &syn::ExprClosure) -> ExprKind {
        if let Some(t) = c.asyncness.as_ref().map(|t| t.span()).or(c.constness.as_ref().map(|t| t.span())) {
            self.diags.error(&codes::OUTSIDE, t, "a closure cannot be `async` or `const`");
        }
        let params = c.inputs.iter().map(|p| self.pattern(p)).collect();
        let body = self.expr(&c.body);
        if let syn::ReturnType::Type(_, t) = &c.output {
            self.ty(t);
        }
        ExprKind::Closure(Box::new(Closure { params, body }))
    }

    /// The constructs that an error names.
    pub(super) fn rejected(&mut self, e: &syn::Expr) -> ExprKind {
        use syn::Expr as E;
        let (code, message): (&'static codes::Code, &str) = match e {
            E::While(_) => (&codes::UNBOUNDED, "a `while` loop has no bound that is known before it starts"),
            E::Loop(_) => (&codes::UNBOUNDED, "a `loop` has no bound that is known before it starts"),
            E::ForLoop(_) => {
                (&codes::UNBOUNDED, "a `for` loop acts through mutable variables, and the language has none")
            }
            E::Break(_) | E::Continue(_) => (&codes::UNBOUNDED, "there is no loop to leave"),
            E::Assign(a) => {
                self.assignment(a, &a.left);
                return ExprKind::Error;
            }
            E::Match(_) => (&codes::OUTSIDE, "`match` is outside the language: use `if`/`else`"),
            E::Let(_) => (&codes::OUTSIDE, "`let` as a condition is outside the language"),
            E::Return(_) => (&codes::OUTSIDE, "`return` is outside the language: the last expression is the result"),
            E::Try(_) => (&codes::OUTSIDE, "`?` is outside the language: a kernel has no errors to propagate"),
            E::Macro(m) => {
                self.macro_call(&m.mac);
                return ExprKind::Error;
            }
            E::Struct(_) => (&codes::OUTSIDE, "structs are outside the language: use a tuple"),
            E::Range(_) => (&codes::RANK, "a range is allowed in a slice only, `&a[start..end]`"),
            E::Unsafe(_) => (&codes::OUTSIDE, "`unsafe` is outside the language"),
            E::Async(_) | E::Await(_) => (&codes::OUTSIDE, "`async` is outside the language"),
            E::Const(_) => (&codes::OUTSIDE, "a `const` block is outside the language"),
            E::Infer(_) => (&codes::OUTSIDE, "`_` is not a value"),
            E::RawAddr(_) => (&codes::OUTSIDE, "raw pointers are outside the language"),
            E::Block(_) => (&codes::OUTSIDE, "a labelled block is outside the language"),
            E::Path(_) => (&codes::OUTSIDE, "a qualified path is outside the language"),
            _ => (&codes::OUTSIDE, "this expression is outside the language"),
        };
        self.reject(code, e, message);
        ExprKind::Error
    }
}
