//! Expressions, one function per rule of Fig. 2.

use crate::diag::{codes, hints};
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Binding, Scope, Want};
use crate::elaborate::flow::chain::Chain;
use crate::elaborate::interface::constants::Numbers;
use crate::elaborate::terms::records;
use crate::fsmooth::{Expr, build};
use crate::mapped::Mapped;
use crate::surface::{self, Expr as Surface, ExprKind, Extent, terms};
use crate::ty::{Scalar, Type};
use crate::value::Lit;

impl Cx<'_> {
    /// Γ ⊢ e : T. A literal or constant has the type that unification found for it, else the type that is wanted.
    pub(crate) fn expr(&mut self, e: &Surface, want: Want) -> Option<Expr> {
        if let Some(value) = self.flow.take_given(e.id) {
            self.typed.types.insert(e.id, value.ty().clone());
            return Some(value);
        }
        if let (Some(begins), ExprKind::Lit(Lit::Int(n, _), _)) = (self.typed.mixed.get(&e.id), &e.kind) {
            return Some(self.mixed_literal(*n, *begins, e));
        }
        let inferred = self.typed.literals.get(&e.id).map(|s| Type::Scalar(*s));
        let typed = self.form(e, want.with(inferred.as_ref().or(want.ty)))?;
        if typed.ty().is_fn() && !matches!(e.kind, ExprKind::Path(_) | ExprKind::Same(_)) {
            return Some(typed);
        }
        self.typed.types.insert(e.id, typed.ty().clone());
        Some(match want.ty {
            Some(wanted) => self.converted(typed, wanted, e),
            None => typed,
        })
    }

    /// `[x; n]`, and `[[x; m]; n]` as nested `build`s of `x`, which is evaluated once.
    fn t_repeat(&mut self, e: &Surface, want: Want) -> Option<Expr> {
        let (mut x, mut counts, mut element) = (e, Vec::new(), want.ty.cloned());
        while let ExprKind::Repeat(inner, n) = &x.kind {
            counts.push(self.usize(n, want.scope));
            element = element.and_then(|t| t.element());
            x = inner;
        }
        let value = self.expr(x, want.with(element.as_ref()));
        let counts: Vec<Expr> = counts.into_iter().all_some()?;
        let value = self.element(value?, x.at)?;
        let (y, o) = (self.names.fresh("element"), self.origin(e.at));
        let mut array = build::var(y, value.ty().clone(), o);
        for n in counts.into_iter().rev() {
            let i = self.names.fresh("i");
            array = records::list(n, i, array, o);
        }
        Some(build::bind(y, value, array, o))
    }

    fn form(&mut self, e: &Surface, want: Want) -> Option<Expr> {
        let scope = want.scope;
        match &e.kind {
            ExprKind::Lit(l, fixed) => self.t_literal(*l, *fixed, want.ty, e.at),
            ExprKind::Decimal(digits) => self.t_decimal(digits, want.ty, e.at),
            ExprKind::Path(p) => match self.typed.tables.get(&e.id).cloned() {
                Some(table) => self.t_table(p, &table, e.at, want),
                None => self.t_var(p, e.at, want),
            },
            ExprKind::Binary(op, a, b) => self.t_operator(op, [a, b], e.at, want),
            ExprKind::Unary(op, a) => self.t_prefix(op, a, e.at, want),
            ExprKind::Same(a) => {
                let a = self.expr(a, want)?;
                self.value(a, e.at)
            }
            ExprKind::OfLength(a, count) => self.t_of_length(a, *count, e.at, scope),
            ExprKind::Call(f, args) => self.call(f, args, e.at, want),
            ExprKind::Method(a, m, args) => self.t_method((a, m), args, e.at, want),
            ExprKind::Index(a, i) => self.t_get(a, i, e.at, scope),
            ExprKind::Slice(a, s, t) => self.t_slice(a, (s.as_deref(), t.as_deref()), e.at, scope),
            ExprKind::Array(es) => self.t_array(es, e.at, want),
            ExprKind::Repeat(..) => self.t_repeat(e, want),
            ExprKind::Tuple(es) => {
                let wanted = match want.ty {
                    Some(Type::Tuple(ts)) if ts.len() == es.len() => ts.iter().mapped(Some),
                    _ => vec![None; es.len()],
                };
                let parts =
                    es.iter().zip(wanted).mapped(|(x, t)| self.expr(x, want.with(t)).and_then(|t| self.value(t, x.at)));
                let parts: Vec<Expr> = parts.into_iter().all_some()?;
                self.few_parts(parts.iter().map(Expr::ty), e.at)?;
                let o = self.origin(e.at);
                Some(build::tuple(parts, o))
            }
            ExprKind::Field(a, k) => {
                let mut t = self.expr(a, scope.any())?;
                if let Some(columns) = records::columns(t.ty()) {
                    t = self.converted(t, &Type::Tuple(columns), a);
                }
                let a = t;
                match a.ty() {
                    Type::Tuple(ts) if *k < ts.len() => {
                        let o = self.origin(e.at);
                        Some(build::proj(a, *k, o))
                    }
                    t => {
                        let message = format!(
                            "a value of type {t} has no field {k}{}",
                            crate::elaborate::advice::mismatch::parts(t)
                        );
                        self.error(&codes::MISMATCH, e.at, message);
                        None
                    }
                }
            }
            ExprKind::Cast(a, to) => self.t_cast(a, *to, e.at, scope),
            ExprKind::If(c, a, b) => self.t_if([c, a, b], e.at, want),
            ExprKind::Block(..) | ExprKind::Match(..) => self.body(e, want, None),
            ExprKind::Closure(_) => {
                self.error(
                    &codes::FUNCTION_VALUE,
                    e.at,
                    "a closure is used as a value\nbind it with `let` and call it, or pass it to a function; built-in functions take it last, as in `ifold(n, 0.0, |s, i| …)`",
                );
                None
            }
            ExprKind::Error => None,
            ExprKind::Borrow(a) => {
                let message = "a mutable reference has two uses only: an argument of a kernel, and a `let`\npass it, as in `f(&mut y)`, or bind it, as in `let row = &mut m[i];`";
                self.error(&codes::STATE, a.at, message);
                None
            }
            ExprKind::Wild => {
                self.error(&codes::OUTSIDE, e.at, "`_` is not a value\nwrite the value");
                None
            }
            ExprKind::Assign(..) | ExprKind::For(_) | ExprKind::While(..) | ExprKind::Loop(..) => self.alone(e, want),
            ExprKind::Labelled(..) | ExprKind::Break(..) | ExprKind::Continue(_) | ExprKind::Return(_) => {
                self.alone(e, want)
            }
            ExprKind::Dbg(_) | ExprKind::Assert(_) => self.probe_alone(e, want),
        }
    }

    /// A statement that changes no variable from outside, as a term.
    fn alone(&mut self, e: &Surface, want: Want) -> Option<Expr> {
        let (chain, value) = self.join(e, want.scope, Some(want.ty))?;
        Some(crate::elaborate::flow::chain::bind_all(chain.lets, value?))
    }

    /// Rejects a function where a value is expected.
    pub(crate) fn value(&mut self, e: Expr, at: Extent) -> Option<Expr> {
        if e.ty().is_fn() {
            self.error(
                &codes::FUNCTION_VALUE,
                at,
                "a function is stored or returned\ncall the function, and store or return its result",
            );
            return None;
        }
        Some(e)
    }

    /// Rejects a value that an array cannot hold.
    pub(crate) fn element(&mut self, e: Expr, at: Extent) -> Option<Expr> {
        let e = self.value(e, at)?;
        if Type::array_of(e.ty()).is_none() {
            self.error(
                &codes::PARAM_TYPE,
                at,
                format!("an array of {}\narrays hold numbers, `bool`s, tuples or arrays of them", e.ty()),
            );
            return None;
        }
        Some(e)
    }

    /// A term of type `usize`.
    pub(crate) fn usize(&mut self, e: &Surface, scope: &Scope) -> Option<Expr> {
        let t = self.expr(e, scope.want(&Type::USIZE))?;
        self.as_usize(t, e)
    }

    /// A size or an index as a step, since it may assign.
    pub(crate) fn index(&mut self, e: &Surface, chain: &mut Chain) -> Option<Expr> {
        let t = self.operand(e, Some(&Type::USIZE), chain)?;
        self.as_usize(t, e)
    }

    pub(crate) fn as_usize(&mut self, t: Expr, e: &Surface) -> Option<Expr> {
        if *t.ty() != Type::USIZE {
            let message = format!("a size or index must be a `usize`, but this has type {}", t.ty());
            let own = match &e.kind {
                ExprKind::Unary("neg", _) => Some("count from the start: the last element is `a[a.len() - 1]`"),
                ExprKind::Decimal(_) => Some("an index or a size is written without a point, as in `a[1]`"),
                _ if matches!(t.ty(), Type::Tuple(_)) || matches!(e.kind, ExprKind::Array(_)) => {
                    Some("write an index for each axis, as in `m[i][j]`, and sizes as `build([n, k], |i, j| …)`")
                }
                _ => None,
            };
            if let Some(help) = own {
                self.helped(&codes::MISMATCH, e.at, message, help);
                return None;
            }
            match t.ty().scalar().filter(|s| s.is_int()) {
                Some(s) => {
                    self.helped(&codes::MISMATCH, e.at, message, &crate::elaborate::advice::mismatch::index(e, s))
                }
                None => {
                    let way = match (crate::elaborate::context::tail(e), terms::receiver(e)) {
                        (Surface { kind: ExprKind::Cast(a, _), .. }, _)
                            if self.typed.types.get(&a.id) == Some(&Type::USIZE) =>
                        {
                            terms::term(a).map(|n| format!("\nwrite `{n}`"))
                        }
                        (_, Some(text)) if t.ty().scalar().is_some_and(Scalar::is_float) => Some(format!(
                            "\nas an index it is `{text} as usize`; a size is never computed with floats: pass it as a `usize` parameter"
                        )),
                        _ => None,
                    };
                    let way =
                        way.unwrap_or_else(|| crate::elaborate::advice::mismatch::conversion(t.ty(), &Type::USIZE));
                    self.error(&codes::MISMATCH, e.at, message + &way);
                }
            }
            return None;
        }
        Some(t)
    }

    fn t_literal(&mut self, l: Lit, fixed: bool, wanted: Option<&Type>, at: Extent) -> Option<Expr> {
        let o = self.origin(at);
        let Lit::Int(n, own) = l else { return Some(build::lit(l, o)) };
        let s = wanted.and_then(Type::scalar).filter(|s| !fixed && s.may_overflow()).unwrap_or(own);
        if n as u128 > s.most() {
            let message = format!(
                "the literal `{}` does not fit in `{}` (at most {})\nwrite a smaller number, or take a larger type",
                n as u128,
                s.name(),
                s.most()
            );
            self.error(&codes::MISMATCH, at, message);
            return None;
        }
        Some(build::lit(if s.is_open() { Lit::float(n as f64, s) } else { Lit::Int(n, s) }, o))
    }

    /// An integer that is used as a float: reports it, and continues with the float.
    fn mixed_literal(&mut self, n: i128, begins: bool, e: &Surface) -> Expr {
        let s = self.typed.literals.get(&e.id).copied().unwrap_or(Scalar::F64);
        let ty = Type::Scalar(s);
        // The parser's number wraps from 2^127 on.
        let whole = n as u128;
        let wanted =
            if begins { format!("what begins with it is used as {ty}") } else { format!("{ty} is wanted here") };
        self.error(&codes::MISMATCH, e.at, format!("`{whole}` is an integer, but {wanted}\nwrite `{whole}.0`"));
        let o = self.origin(e.at);
        self.typed.types.insert(e.id, ty);
        build::lit(Lit::float(whole as f64, s), o)
    }

    fn t_decimal(&mut self, digits: &str, wanted: Option<&Type>, at: Extent) -> Option<Expr> {
        let s = wanted.and_then(Type::scalar).filter(|s| s.is_float()).unwrap_or(Scalar::F64);
        let o = self.origin(at);
        Some(build::lit(surface::decimal(digits, s)?, o))
    }

    /// T-Var; also constants and names of the standard library.
    pub(crate) fn t_var(&mut self, path: &syn::Path, at: Extent, want: Want) -> Option<Expr> {
        if let Some(ident) = path.get_ident()
            && let Some(binding) = want.scope.find(ident)
        {
            return match binding {
                Binding::Var(v, ty) => {
                    let o = self.origin(at);
                    Some(build::var(v, ty, o))
                }
                Binding::Mutable(m) => self.current(m, want.scope, at),
                Binding::Part(p) => self.read(&p, want.scope, at),
                Binding::Closure(_) => {
                    self.error(&codes::FUNCTION_VALUE, at, format!("the closure `{ident}` is used as a value"));
                    None
                }
                Binding::Broken => None,
            };
        }
        if let Some(l) = surface::consts::std_constant(path) {
            let o = self.origin(at);
            // Where a type parameter is wanted, the constants of `f64` have that type.
            let generic =
                want.ty.and_then(Type::scalar).filter(|s| s.is_float() && s.is_open() && l.scalar().is_float());
            return Some(build::lit(generic.map_or(l, |s| Lit::float(l.as_f64(), s)), o));
        }
        if let Some(message) = surface::consts::no_constant(path) {
            self.error(&codes::UNKNOWN_NAME, at, message);
            return None;
        }
        if let Some(s) = self.interface.type_params.scalar(path) {
            let zero = if s.has_float_literals() { "0.0" } else { "0" };
            let message = format!("`{}` is a type, not a value", surface::path_key(path));
            let help =
                format!("write a value of this type, as in `{}`", if s == Scalar::Bool { "false" } else { zero });
            self.helped(&codes::UNKNOWN_NAME, at, message, &help);
            return None;
        }
        if surface::function_like(path) {
            let shown = surface::path_key(path);
            let hint = path
                .get_ident()
                .and_then(|i| want.scope.similar(i))
                .map(|s| format!("\ndid you mean `{s}`?"))
                .unwrap_or_default();
            self.error(&codes::UNKNOWN_NAME, at, format!("nothing in scope is called `{shown}`{hint}"));
            return None;
        }
        if let Some(way) = hints::constant(&surface::path_key(path)) {
            let message = format!("`{}` is not a value of a kernel", surface::path_key(path));
            self.helped(&codes::OUTSIDE, at, message, way);
            return None;
        }
        match want.ty {
            Some(Type::Scalar(s)) if s.is_open() => Some(self.constant(path, Scalar::F64, None, at)),
            Some(Type::Scalar(ty)) => Some(self.constant(path, *ty, None, at)),
            Some(Type::Array(elem, rank)) => {
                let all = Numbers { rank: *rank, ..Numbers::default() };
                self.constant_array(path, &all, (*elem, None), at)
            }
            _ => {
                self.error(
                    &codes::MISMATCH,
                    at,
                    format!(
                        "the type of the constant `{}` is not known here\nwrite the type, as in `let x: f64 = {0};`",
                        surface::path_key(path)
                    ),
                );
                None
            }
        }
    }

    fn t_if(&mut self, [c, a, b]: [&Surface; 3], at: Extent, want: Want) -> Option<Expr> {
        let tc = self.expr(c, want.with(Some(&Type::BOOL)));
        if let Some(t) = &tc
            && *t.ty() != Type::BOOL
        {
            let message = format!("a condition must be a `bool`, but this has type {}", t.ty());
            self.helped(&codes::MISMATCH, c.at, message, crate::elaborate::advice::mismatch::condition(c, t.ty()));
        }
        let ta = self.expr(a, want).and_then(|t| self.value(t, a.at));
        let ty = ta.as_ref().map(|t| t.ty().clone());
        let tb = self.expr(b, want.with(ty.as_ref().or(want.ty))).and_then(|t| self.value(t, b.at));
        let (tc, ta, tb) = (tc?, ta?, tb?);
        if ta.ty() != tb.ty() {
            self.different_branches(ta.ty(), tb.ty(), at);
            return None;
        }
        let o = self.origin(at);
        Some(build::branch(tc, ta, tb, o))
    }

    fn t_get(&mut self, a: &Surface, i: &Surface, at: Extent, scope: &Scope) -> Option<Expr> {
        let ta = self.expr(a, scope.any());
        let ti = self.usize(i, scope);
        let ta = ta?;
        if !ta.ty().is_array() {
            self.error(
                &codes::NOT_AN_ARRAY,
                a.at,
                format!(
                    "a value of type {} cannot be indexed{}",
                    ta.ty(),
                    crate::elaborate::advice::mismatch::parts(ta.ty())
                ),
            );
            return None;
        }
        let o = self.origin(at);
        Some(build::get(ta, ti?, o))
    }

    fn t_slice(
        &mut self,
        a: &Surface,
        (s, t): (Option<&Surface>, Option<&Surface>),
        at: Extent,
        scope: &Scope,
    ) -> Option<Expr> {
        let ta = self.expr(a, scope.any());
        let start = s.map(|s| self.usize(s, scope));
        let end = t.map(|t| self.usize(t, scope));
        let ta = ta?;
        if !ta.ty().is_array() {
            self.error(
                &codes::NOT_AN_ARRAY,
                a.at,
                format!(
                    "a value of type {} cannot be sliced{}",
                    ta.ty(),
                    crate::elaborate::advice::mismatch::parts(ta.ty())
                ),
            );
            return None;
        }
        let o = self.origin(at);
        let start = start.unwrap_or_else(|| Some(build::index(0, o)))?;
        if let Some(end) = end {
            return Some(build::slice(ta, start, end?, o));
        }
        if matches!(ta.kind(), crate::fsmooth::Kind::Var(_)) {
            let end = build::len(ta.clone(), 0, o);
            return Some(build::slice(ta, start, end, o));
        }
        let x = self.names.fresh("array");
        let whole = build::var(x, ta.ty().clone(), o);
        let end = build::len(whole.clone(), 0, o);
        Some(build::bind(x, ta, build::slice(whole, start, end, o), o))
    }

    fn t_array(&mut self, es: &[Surface], at: Extent, want: Want) -> Option<Expr> {
        if es.is_empty() {
            let message = "an empty array literal has no element type";
            let help = format!("{}; an array without elements is `build(0, |_| 0.0)`", hints::SIZED);
            self.helped(&codes::OUTSIDE, at, message, &help);
            return None;
        }
        let mut element = want.ty.and_then(Type::element);
        let mut terms = Vec::new();
        for e in es {
            let t = self.expr(e, want.with(element.as_ref())).and_then(|t| self.element(t, e.at));
            element = element.or_else(|| t.as_ref().map(|t| t.ty().clone()));
            terms.push(t);
        }
        let terms: Vec<Expr> = terms.into_iter().all_some()?;
        for (t, e) in terms.iter().zip(es) {
            if t.ty() != terms[0].ty() {
                let way = crate::elaborate::advice::mismatch::elements(t.ty(), terms[0].ty());
                let message = format!("this element has type {}, the first one {}{way}", t.ty(), terms[0].ty());
                self.error(&codes::MISMATCH, e.at, message);
                return None;
            }
        }
        let o = self.origin(at);
        Some(records::as_list(build::array(terms, o)))
    }
}
