//! Operations on scalars: operators, casts and methods. An operand without a type of its own takes the other's.

mod conversions;
mod methods;

use crate::diag::{codes, hints};
use crate::elaborate::advice::counts::{counted, given};
use crate::elaborate::advice::elementwise;
use crate::elaborate::advice::mismatch::as_float;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Scope, Want};
use crate::fsmooth::{Expr, Kind, build};
use crate::mapped::{Both, Mapped, PushAll};
use crate::prim::{Prim, Spelling};
use crate::reduction::Order;
use crate::surface::{self, Expr as Surface, ExprKind, Extent};
use crate::ty::{Bound, Scalar, Type};
use crate::value::Lit;

/// The bound that gives a type parameter an operation which its own bound does not have.
fn stronger(p: Prim, args: &[Expr]) -> Option<Bound> {
    let own: Vec<Scalar> = args.iter().map(|a| a.ty().scalar()).all_some()?;
    let open = own.iter().copied().find(|s| s.is_open() && !s.is_float())?;
    let fraction = |k: usize| matches!(args[k].kind(), Kind::Lit(Lit::Float(..)));
    let raised = |b: Bound| -> Vec<Scalar> {
        let raise = |(k, s): (usize, &Scalar)| match if b == Bound::Real && fraction(k) { open } else { *s } {
            Scalar::Open(own, k) => Scalar::Open(b.max(own), k),
            s => s,
        };
        own.iter().enumerate().mapped(raise)
    };
    Bound::ALL.into_iter().find(|b| p.result(&raised(*b)).is_ok())
}

impl Cx<'_> {
    /// Whether an operand takes the type of the other operand.
    pub(crate) fn flexible(&self, e: &Surface, scope: &Scope) -> bool {
        match &e.kind {
            ExprKind::Lit(Lit::Int(..), fixed) => !fixed,
            ExprKind::Decimal(_) => true,
            ExprKind::Path(p) => {
                p.get_ident().is_none_or(|i| scope.find(i).is_none()) && surface::consts::std_constant(p).is_none()
            }
            ExprKind::Unary(_, a) | ExprKind::Same(a) => self.flexible(a, scope),
            ExprKind::Dbg(d) => d.value.as_ref().is_some_and(|a| self.flexible(a, scope)),
            ExprKind::Binary(_, a, b) => self.flexible(a, scope) && self.flexible(b, scope),
            ExprKind::Block(stmts, last) => stmts.is_empty() && self.flexible(last, scope),
            ExprKind::Lit(..) | ExprKind::Array(_) | ExprKind::Repeat(..) | ExprKind::Tuple(_) => false,
            ExprKind::Call(..) | ExprKind::Method(..) | ExprKind::Cast(..) | ExprKind::If(..) => false,
            ExprKind::Index(..) | ExprKind::Slice(..) | ExprKind::Field(..) => false,
            ExprKind::Closure(_) | ExprKind::Error => false,
            _ => false,
        }
    }

    pub(crate) fn t_operator(&mut self, op: &str, [a, b]: [&Surface; 2], at: Extent, want: Want) -> Option<Expr> {
        let p = Prim::find(Spelling::Infix, op)?;
        let comparing = matches!(p, Prim::Eq | Prim::Ne | Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge);
        let want = match p {
            Prim::And | Prim::Or => want.with(Some(&Type::BOOL)),
            _ if comparing => want.with(None),
            _ => want.if_scalar(),
        };
        if matches!(p, Prim::Shl | Prim::Shr) {
            let (ta, tb) = (self.expr(a, want), self.expr(b, want.with(Some(&Type::Scalar(Scalar::U32)))));
            return self.prim(p, vec![ta?, tb?], at);
        }
        let (ta, tb) = if self.flexible(a, want.scope) && !self.flexible(b, want.scope) {
            let tb = self.expr(b, want);
            let ty = tb.as_ref().map(|t| t.ty().clone());
            (self.expr(a, want.with(ty.as_ref().or(want.ty))), tb)
        } else {
            let ta = self.expr(a, want);
            let ty = ta.as_ref().map(|t| t.ty().clone());
            let tb = self.expr(b, want.with(ty.as_ref().or(want.ty)));
            (ta, tb)
        };
        let (ta, tb) = (ta?, tb?);
        if let Some(help) = single(a, &ta, &tb).or_else(|| single(b, &tb, &ta)) {
            let message = format!("`{op}` takes numbers of the same type, but got {} and {}", ta.ty(), tb.ty());
            self.helped(&codes::MISMATCH, at, message, &help);
            return None;
        }
        if let (Some(sa), Some(sb)) = (ta.ty().scalar(), tb.ty().scalar())
            && sa != sb
            && Prim::find(Spelling::Infix, op)
                .is_some_and(|p| p.result(&[sa, sa]).is_ok() && p.result(&[sb, sb]).is_ok())
            && let Some(help) = self.operands_meet(op, (a, sa), (b, sb), want.ty.and_then(Type::scalar))
        {
            let wanted = p.result(&[sa, sb]).err().unwrap_or("numbers of the same type");
            let message = format!("`{op}` takes {wanted}, but got {} and {}", ta.ty(), tb.ty());
            let whole = [(a, &ta), (b, &tb)].into_iter().find_map(|(e, t)| whole(e, t, &ta, &tb));
            self.helped(&codes::MISMATCH, at, message, whole.as_deref().unwrap_or(&help));
            return None;
        }
        if let Some(help) = crate::elaborate::advice::widen::part_by_part(op, (a, ta.ty()), (b, tb.ty())) {
            let message = format!("`{op}` takes numbers, but got {} and {}", ta.ty(), tb.ty());
            self.helped(&codes::MISMATCH, at, message, &help);
            return None;
        }
        if (ta.ty().is_array() || tb.ty().is_array())
            && let Some(help) = elementwise::operator(op, (a, ta.ty()), (b, tb.ty()))
        {
            let message = format!("`{op}` takes numbers, but got {} and {}", ta.ty(), tb.ty());
            self.helped(&codes::MISMATCH, at, message, &help);
            return None;
        }
        if comparing && matches!(ta.ty(), Type::Tuple(_)) && ta.ty() == tb.ty() {
            let (o, ty) = (self.origin(at), ta.ty().clone());
            let [x, y] = ["left", "right"].both(|name| self.names.fresh(name));
            let compared = self.t_compare(p, build::var(x, ty.clone(), o), build::var(y, ty, o), at)?;
            return Some(build::bind(x, ta, build::bind(y, tb, compared, o), o));
        }
        self.prim(p, vec![ta, tb], at)
    }

    /// Tuples are equal where all parts are. Their order is that of the first parts that differ.
    ///
    /// ```text
    /// (a, b) < (c, d)  =  if a != c then a < c else b < d
    /// ```
    fn t_compare(&mut self, p: Prim, a: Expr, b: Expr, at: Extent) -> Option<Expr> {
        let Type::Tuple(ts) = a.ty().clone() else { return self.prim(p, vec![a, b], at) };
        let o = self.origin(at);
        let part = |e: &Expr, k: usize| build::proj(e.clone(), k, o);
        let mut all: Option<Expr> = None;
        for k in (0..ts.len()).rev() {
            let own = self.t_compare(p, part(&a, k), part(&b, k), at)?;
            all = Some(match (p, all) {
                (_, None) => own,
                (Prim::Eq, Some(rest)) => build::prim(Prim::And, vec![own, rest], o),
                (Prim::Ne, Some(rest)) => build::prim(Prim::Or, vec![own, rest], o),
                (_, Some(rest)) => {
                    let differ = self.t_compare(Prim::Ne, part(&a, k), part(&b, k), at)?;
                    build::branch(differ, own, rest, o)
                }
            });
        }
        Some(all.unwrap_or_else(|| build::lit(Lit::Bool(matches!(p, Prim::Eq | Prim::Le | Prim::Ge)), o)))
    }

    pub(crate) fn t_prefix(&mut self, op: &str, a: &Surface, at: Extent, want: Want) -> Option<Expr> {
        let p = Prim::find(Spelling::Prefix, op)?;
        // The smallest integer of a type only exists with its sign: `128` does not fit in `i8`, `-128` does.
        if let (Prim::Neg, ExprKind::Lit(Lit::Int(n, own), fixed)) = (p, &a.kind)
            && !self.typed.mixed.contains_key(&a.id)
        {
            let inferred = self.typed.literals.get(&a.id).copied();
            let wanted = inferred.or(want.ty.and_then(Type::scalar)).filter(|s| s.is_int() && s.is_signed());
            let s = if *fixed { *own } else { wanted.unwrap_or(Scalar::I32) };
            // 2^127 is a negative number here. So is a larger literal, which does not fit in an `i128`.
            if s.is_signed() && (*n >= 0 || *n == i128::MIN) && n.wrapping_neg() >= s.least() {
                let o = self.origin(at);
                self.typed.types.insert(a.id, Type::Scalar(s));
                return Some(build::lit(Lit::Int(n.wrapping_neg(), s), o));
            }
        }
        let t = self.expr(a, want)?;
        if let (Prim::Neg, Kind::Lit(l)) = (p, t.kind())
            && l.scalar().is_float()
            && let Ok(l) = p.eval(&[*l])
        {
            return Some(build::lit(l, t.origin()));
        }
        let sign = if p == Prim::Neg { "-" } else { "!" };
        if let Some(help) = elementwise::each(a, t.ty(), &|e| format!("{sign}{e}")) {
            let message = format!("`{sign}` takes numbers, but got {}", t.ty());
            self.helped(&codes::MISMATCH, at, message, &help);
            return None;
        }
        self.prim(p, vec![t], at)
    }

    /// A scalar operation, once its argument types are checked.
    pub(crate) fn prim(&mut self, p: Prim, args: Vec<Expr>, at: Extent) -> Option<Expr> {
        let shown = || args.iter().mapped(|a| a.ty().to_string()).join(" and ");
        let wanted = match args.iter().map(|a| a.ty().scalar()).all_some() {
            Some(scalars) => p.result(&scalars).err(),
            None => Some("numbers"),
        };
        if let Some(wanted) = wanted {
            let name = match p.spelling() {
                Spelling::Prefix if p == Prim::Neg => "-".into(),
                Spelling::Prefix => "!".into(),
                Spelling::Cast => format!("as {}", p.name()),
                _ => p.name().to_string(),
            };
            // The most common mistake of all. In a shift a float would be wrong, too.
            let float = |b: &Expr| b.ty().scalar().is_some_and(Scalar::is_float);
            let mixed = !matches!(p, Prim::Shl | Prim::Shr) && args.iter().any(float);
            let whole = args.iter().filter(|_| mixed && name != "pow").find_map(|a| match a.kind() {
                Kind::Lit(Lit::Int(n, _)) => Some(*n),
                _ => None,
            });
            let hint = match whole {
                _ if let Some(bound) = stronger(p, &args) => {
                    let open = args.iter().filter_map(|a| a.ty().scalar()).find(|s| s.is_open() && !s.is_float());
                    let open = open.map_or("T", |s| s.name());
                    format!("\nthe bound `{0}` has this operation: write `{open}: {0}`", bound.name())
                }
                Some(n) if name == "^" => {
                    format!("\nwrite `x.powi({n})` for a power: `^` is the exclusive or of integers")
                }
                Some(n) => format!("\nwrite `{n}.0`"),
                None if args.iter().all(|a| a.ty().is_array()) && matches!(p, Prim::Eq | Prim::Ne) => {
                    "\ncompare arrays element by element, as in `all(n, |i| a[i] == b[i])`".into()
                }
                None if args.iter().any(|a| a.ty().is_array()) => {
                    "\ncombine arrays element by element, as in `build(a.len(), |i| …)`".into()
                }
                None => crate::elaborate::advice::mismatch::operands(&name, wanted, &args),
            };
            let message = format!("`{name}` takes {wanted}, but got {}", shown());
            self.error(&codes::MISMATCH, at, message + &hint);
            return None;
        }
        let o = self.origin(at);
        Some(build::prim(p, args, o))
    }

    pub(crate) fn t_cast(&mut self, a: &Surface, to: Scalar, at: Extent, scope: &Scope) -> Option<Expr> {
        if let Some(p) = self.constant_path(a, scope) {
            // No constant has a type parameter as its type: cast an `f64` constant.
            if to.is_open() {
                let t = self.constant(p, Scalar::F64, Some(Scalar::F64), at);
                return self.prim(Prim::cast(to)?, vec![t], at);
            }
            return Some(self.constant(p, to, Some(to), at));
        }
        // As in Rust the literal has the type that it is cast to.
        if let ExprKind::Unary("neg", n) = &a.kind
            && matches!(n.kind, ExprKind::Lit(Lit::Int(..), false))
            && to.is_int()
            && !to.is_signed()
        {
            let to = to.name();
            let message = format!("a negative number is cast to `{to}`, which has none");
            let help =
                format!("write `{to}::MAX` for the largest number, or the type of the literal, as in `-1i64 as {to}`");
            self.helped(&codes::MISMATCH, at, message, &help);
            return None;
        }
        let t = self.expr(a, scope.any())?;
        self.cast(t, to, at)
    }

    /// `t as to`.
    fn cast(&mut self, t: Expr, to: Scalar, at: Extent) -> Option<Expr> {
        if t.ty().scalar() == Some(to) {
            return Some(t);
        }
        if t.ty() == &Type::BOOL && to.is_int() {
            return Some(self.zero_or_one(t, to, at));
        }
        let Some(p) = Prim::cast(to) else {
            let message = format!(
                "`as {0}`: `{0}` may be `bool`, and only a number type can follow `as`\nbound the type parameter by `Number` or `Real`, which `bool` is not",
                to.name()
            );
            self.error(&codes::MISMATCH, at, message);
            return None;
        };
        self.prim(p, vec![t], at)
    }

    /// A `bool` as a number: `if t { 1 } else { 0 }`.
    fn zero_or_one(&mut self, t: Expr, to: Scalar, at: Extent) -> Expr {
        let o = self.origin(at);
        let number = |n: i128| if to.is_float() { Lit::float(n as f64, to) } else { Lit::Int(n, to) };
        build::branch(t, build::lit(number(1), o), build::lit(number(0), o), o)
    }

    /// `to::from(a)`: `to` has all values of the type of `a`. An `f64` takes sizes and indices as well: those of arrays are
    /// below 2^53. A conversion to a float from or to a type parameter is the one of `as`.
    pub(crate) fn t_from(&mut self, a: &Surface, to: Scalar, at: Extent, scope: &Scope) -> Option<Expr> {
        // Of a constant the reference calls Rust's `from`, where rustc compares the types.
        if self.constant_path(a, scope).is_some() {
            return self.t_cast(a, to, at, scope);
        }
        let wanted = Type::Scalar(to);
        let flexible = to.is_int() && self.flexible(a, scope);
        let t = self.expr(a, if flexible { scope.want(&wanted) } else { scope.any() })?;
        match t.ty().scalar() {
            Some(Scalar::Bool) => return Some(self.zero_or_one(t, to, at)),
            Some(s) if to.holds(s) => return self.cast(t, to, at),
            Some(s) if to.is_float() && (to.is_open() || s.is_open() || self.flexible(a, scope)) => {
                return self.cast(t, to, at);
            }
            Some(Scalar::Usize) if to == Scalar::F64 => return self.cast(t, to, at),
            _ => {}
        }
        let (to, way) = (to.name(), self.way(a, t.ty(), &wanted));
        let message =
            format!("`{to}::from` takes types of which `{to}` has all values, but this has type {}{way}", t.ty());
        self.error(&codes::MISMATCH, a.at, message);
        None
    }

    /// The path of a constant of the user's.
    fn constant_path<'e>(&self, e: &'e Surface, scope: &Scope) -> Option<&'e syn::Path> {
        match &e.kind {
            ExprKind::Same(a) => self.constant_path(a, scope),
            ExprKind::Path(p) => Some(p).filter(|p| self.flexible(e, scope) && !surface::function_like(p)),
            _ => None,
        }
    }

    /// The length of `a`, if it is a constant array or a row of one: the type of the elements does not matter.
    fn length_of_constant(&mut self, a: &Surface, at: Extent, scope: &Scope) -> Option<Option<Expr>> {
        let (mut root, mut indices) = (a, Vec::new());
        while let ExprKind::Index(a, i) = &root.kind {
            (root, _) = (&**a, indices.push(&**i));
        }
        let mut of = Vec::new();
        while let ExprKind::Field(a, k) = &root.kind {
            (root, _) = (&**a, of.insert(0, *k));
        }
        let array = crate::elaborate::interface::constants::Numbers {
            of,
            rank: indices.len() + 1,
            ..crate::elaborate::interface::constants::Numbers::default()
        };
        let path = self.constant_path(root, scope)?;
        let typed: Vec<Option<Expr>> = indices.iter().mapped(|i| self.usize(i, scope));
        let typed: Option<Vec<Expr>> = typed.into_iter().all_some();
        Some(typed.map(|indices| self.constant_extent(path, &array, indices.len(), at)))
    }

    pub(crate) fn t_method(
        &mut self,
        (a, m): (&Surface, &proc_macro2::Ident),
        args: &[Surface],
        at: Extent,
        want: Want,
    ) -> Option<Expr> {
        let scope = want.scope;
        let name = m.to_string();
        if name == "len" && args.is_empty() {
            if let Some(extent) = self.length_of_constant(a, at, scope) {
                return extent;
            }
            let t = self.expr(a, scope.any())?;
            if !t.ty().is_array() {
                self.error(&codes::NOT_AN_ARRAY, at, format!("a value of type {} has no length\nonly arrays have a length; the parts of a tuple are `t.0`, `t.1`", t.ty()));
                return None;
            }
            let o = self.origin(at);
            return Some(build::len(t, 0, o));
        }
        if self.no_value(a, &name, args, scope) {
            return None;
        }
        if conversions::fallible_method(self, (a, m), args, at, want) {
            return None;
        }
        let receiver = if self.flexible(a, scope) { want.with(want.ty.or(Some(&Type::F64))) } else { want.if_scalar() };
        let t = self.expr(a, receiver);
        if name == "swap_with_slice" {
            self.swap_with_slice(a, args, at);
            return None;
        }
        if self.is_foreign(t.as_ref(), &name) {
            self.foreign_method((a, t.as_ref()), m, args, want);
            return None;
        }
        self.float_method(t, (&name, (m.span(), m.span())), args, (at, scope))
    }

    /// `t.name(args)` for a scalar `t`.
    pub(crate) fn float_method(
        &mut self,
        t: Option<Expr>,
        (name, name_at): (&str, Extent),
        args: &[Surface],
        (at, scope): (Extent, &Scope),
    ) -> Option<Expr> {
        if name == "sin_cos" && args.is_empty() {
            let t = t?;
            let (x, o) = (self.names.fresh("angle"), self.origin(at));
            let angle = build::var(x, t.ty().clone(), o);
            let (s, c) = (self.meant(Prim::Sin), self.meant(Prim::Cos));
            let (s, c) = (self.prim(s, vec![angle.clone()], at)?, self.prim(c, vec![angle], at)?);
            return Some(build::bind(x, t, build::tuple(vec![s, c], o), o));
        }
        let Some(p) = Prim::find(Spelling::Method, name).filter(|_| !self.is_foreign(t.as_ref(), name)) else {
            self.no_method(t.as_ref().map(Expr::ty), (name, name_at), scope);
            return None;
        };
        if args.len() + 1 != p.arity() {
            self.error(
                &codes::ARITY,
                at,
                format!(
                    "`{name}` takes {}, but {}\n{}",
                    counted(p.arity() - 1),
                    given(args.len()),
                    hints::method_call(name, p.arity())
                ),
            );
            return None;
        }
        let wanted = t.as_ref().and_then(|t| t.ty().scalar()).map(|s| Type::Scalar(p.second(s)));
        let rest = args.iter().mapped(|a| self.expr(a, Want { ty: wanted.as_ref(), scope }));
        let mut all = vec![t?];
        all.push_all(rest.into_iter().all_some()?);
        self.prim(self.meant(p), all, at)
    }

    /// The primitive of a method in this kernel: a strict kernel has the elementary functions of std.
    fn meant(&self, p: Prim) -> Prim {
        if self.interface.order == Order::Source { p.strict() } else { p }
    }
}

/// The way out where a constant of std's `f64` meets an `f32`: that of `f32`.
fn single(e: &Surface, t: &Expr, other: &Expr) -> Option<String> {
    let ExprKind::Path(p) = &e.kind else { return None };
    let mixed = *t.ty() == Type::F64 && *other.ty() == Type::Scalar(Scalar::F32);
    (mixed && surface::consts::std_constant(p).is_some())
        .then(|| format!("write `{}`", surface::path_key(p).replacen("f64", "f32", 1)))
}

/// The way out for an integer literal as an operand next to a float: the literal as a float.
fn whole(e: &Surface, t: &Expr, a: &Expr, b: &Expr) -> Option<String> {
    let float = [a, b].into_iter().find(|t| t.ty().scalar().is_some_and(Scalar::is_float))?;
    match (t.kind(), &e.kind) {
        (Kind::Lit(Lit::Int(n, _)), _) => Some(format!("write `{n}.0`")),
        _ => Some(as_float(e, float.ty())).filter(|w| !w.is_empty()).map(|w| w.trim().into()),
    }
}
