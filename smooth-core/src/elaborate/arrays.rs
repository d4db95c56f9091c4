//! The methods that assign to arrays, as folds of updates of single elements, which never need a second array.
//!
//! ```text
//! a.fill(x)                = ifold (λa k. a with [k] = x) a a.len()
//! a[s..e].fill(x)          = ifold (λa k. a with [s + k] = x) a (e - s)
//! a.copy_from_slice(&b)    = ifold (λa k. a with [k] = b[k]) a a.len()
//! a[i].copy_from_slice(&b) = a with [i] = b
//! a.swap(i, j)             = let x = a[i]; let y = a[j] in a with [i] = y with [j] = x
//! ```
//!
//! The rows of `a.swap(i, j)` are swapped element by element.

use super::Cx;
use super::calls::{counted, given};
use super::flow::{Let, bind_all};
use super::places::{Done, Place, Step, in_slice, part, part_written, plus, updated, within};
use super::scope::{Scope, Want};
use crate::diag::codes;
use crate::fsmooth::{Expr, build};
use crate::surface::{Expr as Surface, ExprKind, Extent};
use crate::ty::Type;
use proc_macro2::Ident;

impl Cx<'_> {
    pub(super) fn assigning_method(
        &mut self,
        a: &Surface,
        m: &Ident,
        args: &[Surface],
        at: Extent,
        scope: &Scope,
    ) -> Option<Done> {
        let (mut lets, mut scope) = (Vec::new(), scope.clone());
        let name = m.to_string();
        let place = self.place(a, &scope, &mut lets)?;
        if !place.ty.is_array() {
            let message = format!("`{name}` of a value of type {}: only arrays have it", place.ty);
            self.error(&codes::NOT_AN_ARRAY, a.at, message);
            return None;
        }
        let arity = if name == "swap" { 2 } else { 1 };
        if args.len() != arity {
            let message = format!("`{name}` takes {}, but {}", counted(arity), given(args.len()));
            self.error(&codes::ARITY, at, message);
            return None;
        }
        // The parts of tuples around the array stay as they are.
        let fields = place.steps.iter().rposition(|s| matches!(s, Step::Field(_))).map_or(0, |k| k + 1);
        let (outer, inner) = (place.steps[..fields].to_vec(), place.steps[fields..].to_vec());
        let whole = self.current(place.root, &scope, a.at)?;
        let array = part(whole.clone(), &outer);
        let new = match name.as_str() {
            "swap" => self.swapped(array, &inner, args, &scope, &mut lets, at),
            "fill" => self.filled(array, &place, &inner, &args[0], &mut scope, &mut lets, at),
            _ => self.copied(array, &place, &inner, &args[0], &mut scope, &mut lets, at),
        }?;
        let whole = part_written(whole, &outer, &mut |_, _| new.clone());
        let scope = self.assign_whole(place.root, whole, &scope, &mut lets)?;
        Some((lets, scope))
    }

    /// A fold over the elements at a place, each of which gets a value.
    pub(super) fn each(
        &mut self,
        array: Expr,
        inner: &[Step],
        count: Expr,
        at: Extent,
        element: &mut dyn FnMut(Expr) -> Expr,
    ) -> Expr {
        let o = self.origin(at);
        let (s, k) = (self.names.fresh("array"), self.names.fresh("k"));
        let mut steps = inner.to_vec();
        steps.push(Step::Index(build::var(k, Type::USIZE, o)));
        let state = build::var(s, array.ty().clone(), o);
        let value = element(build::var(k, Type::USIZE, o));
        let body = updated(state, &steps, None, value, o);
        build::ifold(count, array, s, k, body, o)
    }

    #[allow(clippy::too_many_arguments)]
    fn filled(
        &mut self,
        array: Expr,
        place: &Place,
        inner: &[Step],
        value: &Surface,
        scope: &mut Scope,
        lets: &mut Vec<Let>,
        at: Extent,
    ) -> Option<Expr> {
        let element = place.ty.element()?;
        let x = self.operand(value, Some(&element), lets, scope)?;
        self.same_type(&element, &x, value)?;
        let x = self.named("element", x, lets);
        let count = self.length(place, scope, at)?;
        Some(self.each(array, inner, count, at, &mut |_| x.clone()))
    }

    #[allow(clippy::too_many_arguments)]
    fn copied(
        &mut self,
        array: Expr,
        place: &Place,
        inner: &[Step],
        value: &Surface,
        scope: &mut Scope,
        lets: &mut Vec<Let>,
        at: Extent,
    ) -> Option<Expr> {
        if let (Some(Step::Index(_)), false) = (inner.last(), is_slice(value)) {
            let row = self.operand(value, Some(&place.ty), lets, scope)?;
            self.same_type(&place.ty, &row, value)?;
            let o = self.origin(at);
            return Some(updated(array, inner, None, row, o));
        }
        let (b, start, given) = self.elements(value, lets, scope)?;
        self.same_type(&place.ty, &b, value)?;
        let count = self.length(place, scope, at)?;
        // Both have one length.
        let count = if given == count { count } else { within(count.clone(), within(given, count)) };
        let o = self.origin(at);
        let mut element = |k: Expr| {
            let i = start.clone().map_or(k.clone(), |s| plus(s, k.clone()));
            build::get(b.clone(), i, o)
        };
        Some(self.each(array, inner, count, at, &mut element))
    }

    fn same_type(&mut self, wanted: &Type, e: &Expr, at: &Surface) -> Option<()> {
        if wanted == e.ty() {
            return Some(());
        }
        let hint = super::operators::as_float(at, wanted);
        let message = format!("{wanted} is wanted here, but this value has type {}{hint}", e.ty());
        self.error(&codes::MISMATCH, at.at, message);
        None
    }

    fn swapped(
        &mut self,
        array: Expr,
        inner: &[Step],
        args: &[Surface],
        scope: &Scope,
        lets: &mut Vec<Let>,
        at: Extent,
    ) -> Option<Expr> {
        let indices: Vec<Option<Expr>> = args
            .iter()
            .map(|i| {
                let t = self.expr(i, Want { ty: Some(&Type::USIZE), scope })?;
                if *t.ty() == Type::USIZE {
                    return Some(self.repeatable("at", in_slice(t, inner), lets));
                }
                let message = format!("a size or index must be a `usize`, but this has type {}", t.ty());
                self.error(&codes::MISMATCH, i.at, message);
                None
            })
            .collect();
        let indices: Vec<Expr> = indices.into_iter().collect::<Option<_>>()?;
        let steps = |i: &Expr| inner.iter().cloned().chain([Step::Index(i.clone())]).collect::<Vec<_>>();
        let (a, b) = (steps(&indices[0]), steps(&indices[1]));
        let element = part(array.clone(), &a).ty().clone();
        self.swapped_at(array, &a, &b, &element, at)
    }

    /// Swaps two elements, or the elements of two rows.
    fn swapped_at(&mut self, array: Expr, a: &[Step], b: &[Step], element: &Type, at: Extent) -> Option<Expr> {
        let o = self.origin(at);
        if element.is_array() {
            let axis = a.iter().filter(|s| matches!(s, Step::Index(_))).count();
            let array = if let crate::fsmooth::Kind::Var(_) = array.kind() {
                (vec![], array)
            } else {
                let mut lets = Vec::new();
                let array = self.named("array", array, &mut lets);
                (lets, array)
            };
            let (lets, array) = array;
            let (s, k) = (self.names.fresh("array"), self.names.fresh("k"));
            let state = build::var(s, array.ty().clone(), o);
            let deeper = |steps: &[Step]| {
                let k = Step::Index(build::var(k, Type::USIZE, o));
                steps.iter().cloned().chain([k]).collect::<Vec<_>>()
            };
            let body = self.swapped_at(state, &deeper(a), &deeper(b), &element.element()?, at)?;
            let count = build::len(array.clone(), axis, o);
            return Some(bind_all(lets, build::ifold(count, array, s, k, body, o)));
        }
        let mut lets = Vec::new();
        let array = self.named("array", array, &mut lets);
        let x = self.named("x", part(array.clone(), a), &mut lets);
        let y = self.named("y", part(array.clone(), b), &mut lets);
        let array = updated(array, a, None, y, o);
        Some(bind_all(lets, updated(array, b, None, x, o)))
    }
}

/// Whether a term is a slice, whose size may depend on data.
fn is_slice(e: &Surface) -> bool {
    match &e.kind {
        ExprKind::Slice(..) => true,
        ExprKind::Same(a) => is_slice(a),
        _ => false,
    }
}
