//! The way out of a mismatch of two types of numbers: the user's own term, with its numbers converted *before* anything is
//! computed from them, to a type that has the values of both. A sum of bytes may not fit into a byte, and a conversion after
//! the sum comes too late.
//!
//! ```text
//! sum(n, |i| a[i])  of u8, where u32 is wanted     sum(n, |i| a[i] as u32)
//! a[i] * b[i]       of u8 and u16                  a[i] as u16 * b[i], or in the type that is wanted, if it holds both
//! let s = a + b; s  of u8, where u32 is wanted     let s = a as u32 + b as u32;
//! ```

use crate::elaborate::advice::common::common;
use crate::elaborate::advice::mismatch;
use crate::elaborate::context::Cx;
use crate::mapped::Mapped;
use crate::surface::{Expr as Surface, ExprKind, Pattern, plain, terms};
use crate::ty::{Scalar, Type};

impl Cx<'_> {
    /// The way out for a term of type `found` where `wanted` is: a second line of the message, or nothing.
    pub(crate) fn way(&self, e: &Surface, found: &Type, wanted: &Type) -> String {
        let plain = mismatch::way(e, found, wanted);
        if let (Type::Tuple(ts), Type::Tuple(to)) = (found, wanted) {
            return self.parts_early(e, ts, to).unwrap_or(plain);
        }
        let (Some(from), Some(to)) = (number(found), number(wanted)) else { return plain };
        if !found.is_array() && !plain.contains("convert it with `as`") || found.rank() != wanted.rank() {
            return plain;
        }
        let narrow = from.is_int() && to.is_int() && to.bytes() < from.bytes();
        let help = match found.is_array() {
            // The elements of an array are converted where they are computed, if that is here.
            true => Some(e).filter(|e| computes_elements(e)).and_then(|e| self.early(e, to)),
            false if loses(from, to) || to.is_float() && divides(e) => self.early(e, to),
            false => self.late(e, to),
        };
        let help = help.map(|h| if narrow { format!("{h}, which keeps the lowest bits only") } else { h });
        help.map_or(plain, |help| format!("\n{help}"))
    }

    /// The way out for two terms that are compared: the one that the other's type holds is converted.
    pub(crate) fn sides(&self, (a, ta): (&Surface, &Type), (b, tb): (&Surface, &Type)) -> String {
        match (number(ta), number(tb)) {
            (Some(x), Some(y)) if common(x, y, None) == y => self.way(a, ta, tb),
            _ => self.way(b, tb, ta),
        }
    }

    /// The early conversion of a tuple of numbers of one type, a sum of several.
    fn parts_early(&self, e: &Surface, found: &[Type], wanted: &[Type]) -> Option<String> {
        let numbers = |ts: &[Type]| ts.iter().map(Type::scalar).all_some();
        let (from, to) = (numbers(found)?, numbers(wanted)?);
        let (&to, tail) = (to.first().filter(|t| to.iter().all(|u| u == *t))?, crate::elaborate::context::tail(e));
        let taken = matches!(tail.kind, ExprKind::Tuple(_) | ExprKind::Call(..)) && from.len() == wanted.len();
        if !taken || !from.iter().all(|s| *s == to || loses(*s, to)) {
            return None;
        }
        let text = terms::converted(e, to, &|e| self.scalar_of(e))?;
        (!text.ends_with(to.name())).then(|| format!("\nwrite `{text}`"))
    }

    /// A term with a conversion of its value.
    fn late(&self, e: &Surface, to: Scalar) -> Option<String> {
        let e = crate::elaborate::context::tail(e);
        let text = terms::term(e)?;
        let text = match &e.kind {
            ExprKind::Binary(..) | ExprKind::Unary(..) | ExprKind::If(..) => format!("({text})"),
            ExprKind::Slice(..) | ExprKind::Closure(_) | ExprKind::Array(_) => return None,
            _ => text,
        };
        Some(format!("write `{text} as {}`", to.name()))
    }

    /// A term with conversions of its operands, before they are added and multiplied.
    fn early(&self, e: &Surface, to: Scalar) -> Option<String> {
        let e = crate::elaborate::context::tail(e);
        let name = match &e.kind {
            ExprKind::Path(p) => p.get_ident().map(plain),
            _ => None,
        };
        if let Some(name) = name {
            let lets = self.typed.computed.iter().rev().find(|(n, _)| *n == name);
            let init = lets.and_then(|(_, init)| terms::converted(init, to, &|e| self.scalar_of(e)));
            return match init {
                Some(init) => Some(format!(
                    "write `let {name} = {init};`: what does not fit is lost before a conversion of `{name}`"
                )),
                None if self.flow.has_mutable(&name) => Some(format!(
                    "declare it as `let mut {name}: {0}`, and convert what it is computed from, as in `x as {0}`: what does not fit is lost before a conversion of `{name}`",
                    to.name()
                )),
                None => self.late(e, to),
            };
        }
        terms::converted(e, to, &|e| self.scalar_of(e)).map(|text| format!("write `{text}`"))
    }

    /// The way out for a binary operation of numbers of two types.
    pub(crate) fn operands_meet(
        &self,
        op: &str,
        (a, ta): (&Surface, Scalar),
        (b, tb): (&Surface, Scalar),
        wanted: Option<Scalar>,
    ) -> Option<String> {
        // A stronger bound of a type parameter may be what is missing.
        if [ta, tb].iter().any(|s| !s.is_number() || s.is_open() && !s.is_float()) {
            return None;
        }
        // In a closure the type that is wanted may be that of the operands: the result's, if it has the values of both.
        let result = self.interface.result.as_ref().and_then(number).filter(|r| *r != Scalar::Usize && r.is_int());
        let closure = wanted.is_some_and(|w| w == ta || w == tb) && ta.is_int() && tb.is_int();
        let wanted = result.filter(|r| closure && r.holds(ta) && r.holds(tb)).or(wanted);
        let to = common(ta, tb, wanted);
        let of = |e: &Surface| self.scalar_of(e);
        let side = |e: &Surface, s: Scalar, op: &str| match s == to {
            true => Some(terms::in_place(e, op)?),
            // The value of a term of a wide type is converted, once.
            false if loses(s, to) || s.is_float() || to.is_float() && divides(e) => terms::operand(e, op, to, &of),
            false => terms::cast(e, op, to),
        };
        let (left, right) = (side(a, ta, op)?, side(b, tb, terms::behind(op))?);
        let back = match wanted {
            // The operands of an index may be negative, but not the index.
            Some(Scalar::Usize) if to.is_signed() && to.is_int() => {
                let index = format!("({left} {op} {right}).max(0) as usize");
                return Some(format!(
                    "write `{index}`, in which a number below 0 becomes 0: `as usize` alone makes it a large one"
                ));
            }
            Some(Scalar::Usize) if to != Scalar::Usize => {
                return Some(format!("write `({left} {op} {right}) as usize`"));
            }
            _ => String::new(),
        };
        Some(format!("write `{left} {op} {right}`{back}"))
    }

    /// The way out for `place op= value` of two types.
    pub(crate) fn assigned_meets(
        &self,
        op: &str,
        place: (&Surface, Scalar),
        value: (&Surface, Scalar),
    ) -> Option<String> {
        let ((p, to), (v, from)) = (place, value);
        if !to.is_number() || !from.is_number() || to.is_open() || from.is_open() {
            return None;
        }
        let target = terms::term(p)?;
        let target = if self.flow.is_behind(p.id) { format!("*{target}") } else { target };
        if common(to, from, None) != to && !(to == Scalar::Usize && !from.is_signed() || to.is_float()) {
            let wide = common(to, from, None).name();
            let (value, name) = (terms::cast(v, op, to)?, terms::root(p)?);
            let value_wide = terms::cast(v, op, common(to, from, None)).unwrap_or_default();
            let value_wide = if wide == from.name() { terms::term(v)? } else { value_wide };
            return Some(format!(
                "declare `{name}` with numbers of type `{wide}`, and write `{target} {op}= {value_wide}`; `{target} {op}= {value}` keeps the lowest bits only"
            ));
        }
        let value = if loses(from, to) || to.is_float() && divides(v) {
            terms::operand(v, "||", to, &|e| self.scalar_of(e))?
        } else {
            terms::cast(v, "||", to)?
        };
        Some(format!("write `{target} {op}= {value}`"))
    }

    /// The type of a term that was looked at.
    fn scalar_of(&self, e: &Surface) -> Option<Scalar> {
        self.typed.types.get(&e.id).and_then(Type::scalar)
    }

    /// Keeps what a name is computed from, for a message that needs it.
    pub(crate) fn note_computed(&mut self, p: &Pattern, e: &Surface, ty: &Type) {
        let small = ty.scalar().is_some_and(|s| s.is_int() && s.bytes() < 8);
        let computed = !matches!(
            crate::elaborate::context::tail(e).kind,
            ExprKind::Path(_) | ExprKind::Index(..) | ExprKind::Lit(..)
        );
        if let (Pattern::Name(Some(i), None, _, false), true) = (p, small && computed) {
            self.typed.computed.push((plain(i), crate::elaborate::context::tail(e).clone()));
        }
    }
}

/// The way out for an operation of tuples of numbers, and for the comparison of arrays.
pub(crate) fn part_by_part(op: &str, (a, ta): (&Surface, &Type), (b, tb): (&Surface, &Type)) -> Option<String> {
    let name = |e: &Surface| terms::term(e).filter(|t| t.chars().all(|c| c.is_alphanumeric() || "_.[]".contains(c)));
    let (x, y) = (name(a)?, name(b)?);
    let numbers = |t: &Type| match t {
        Type::Tuple(ts) if ts.len() > 1 && ts.iter().all(|t| t.scalar().is_some_and(Scalar::is_number)) => {
            Some(ts.len())
        }
        _ => None,
    };
    match (numbers(ta), numbers(tb)) {
        _ if !["+", "-", "*", "/"].contains(&op) => {}
        (Some(n), Some(m)) if n == m => {
            let parts = (0..n).map(|k| format!("{x}.{k} {op} {y}.{k}")).collect_vec().join(", ");
            let complex = match (op, n) {
                ("*", 2) => {
                    format!("; of complex numbers, `({x}.0 * {y}.0 - {x}.1 * {y}.1, {x}.0 * {y}.1 + {x}.1 * {y}.0)`")
                }
                _ => String::new(),
            };
            return Some(format!("write `({parts})`{complex}"));
        }
        (Some(n), None) if tb.scalar().is_some_and(Scalar::is_number) => {
            return Some(format!("write `({})`", (0..n).map(|k| format!("{x}.{k} {op} {y}")).collect_vec().join(", ")));
        }
        (None, Some(n)) if ta.scalar().is_some_and(Scalar::is_number) => {
            return Some(format!("write `({})`", (0..n).map(|k| format!("{x} {op} {y}.{k}")).collect_vec().join(", ")));
        }
        _ => {}
    }
    let (Type::Array(s, rank), true) = (ta, ta == tb && ["==", "!="].contains(&op)) else { return None };
    let index = ["i", "j"].iter().find(|i| **i != x && **i != y)?;
    let same = match rank {
        1 => format!("({x}.len() == {y}.len() && all({x}.len(), |{index}| {x}[{index}] == {y}[{index}]))"),
        2 if s.is_number() => format!(
            "({x}.len() == {y}.len() && all({x}.len(), |i| {x}[i].len() == {y}[i].len() && all({x}[i].len(), |j| {x}[i][j] == {y}[i][j])))"
        ),
        _ => return None,
    };
    Some(format!("write `{}{same}`", if op == "!=" { "!" } else { "" }))
}

/// The term whose value a function returns.
pub(crate) fn result(f: &Surface) -> &Surface {
    if let ExprKind::Closure(c) = &f.kind { crate::elaborate::context::tail(&c.body) } else { f }
}

/// Whether a term is a call of a built-in function that makes an array, or a name, which may be of one.
fn computes_elements(e: &Surface) -> bool {
    match &crate::elaborate::context::tail(e).kind {
        ExprKind::Call(f, _) => {
            matches!(&f.kind, ExprKind::Path(p) if ["build", "scan", "scan_exclusive"].iter().any(|name| p.is_ident(name)))
        }
        ExprKind::Path(_) => true,
        _ => false,
    }
}

/// Whether a quotient of integers is a part of a sum or a product: converted before, it has a fraction.
fn divides(e: &Surface) -> bool {
    match &crate::elaborate::context::tail(e).kind {
        ExprKind::Binary("/", ..) => true,
        ExprKind::Binary("+" | "-" | "*", a, b) => divides(a) || divides(b),
        ExprKind::Unary("neg", a) | ExprKind::Same(a) => divides(a),
        _ => false,
    }
}

/// The type of a number, or of the elements of an array.
fn number(t: &Type) -> Option<Scalar> {
    match t {
        Type::Scalar(s) | Type::Array(s, _) => Some(*s).filter(|s| s.is_number() && !s.is_open()),
        _ => None,
    }
}

/// Whether numbers of the first type may be too large for it when they are computed, and not for the second.
fn loses(from: Scalar, to: Scalar) -> bool {
    from.is_int() && from.bytes() < 8 && (to.is_float() || to.bytes() > from.bytes())
}
