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

use crate::diag::codes;
use crate::elaborate::advice::counts::{counted, given};
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Place, Scope, Step};
use crate::elaborate::flow::chain::{Chain, bind_all};
use crate::elaborate::flow::places::{in_slice, part, part_written, plus, updated, within};
use crate::fsmooth::{Expr, build};
use crate::mapped::Mapped;
use crate::surface::{Expr as Surface, ExprKind, Extent};
use crate::ty::Type;
use proc_macro2::Ident;

impl Cx<'_> {
    /// `a.swap(i, j)`, `a.fill(x)`, `a.copy_from_slice(&b)`. As in Rust the place is evaluated before the arguments.
    pub(crate) fn assigning_method(
        &mut self,
        (a, m): (&Surface, &Ident),
        args: &[Surface],
        at: Extent,
        scope: &Scope,
    ) -> Option<Chain> {
        let mut chain = Chain::new(scope);
        let place = self.place(a, &mut chain)?;
        if !place.ty.is_array() {
            let swapped =
                args.first().filter(|_| m == "swap").and_then(|b| crate::elaborate::flow::exchanges::of_places(a, b));
            let way = match swapped {
                Some(swapped) => format!("only arrays have it, and it takes two indices: write `{swapped};`"),
                None => "only arrays have it; assign to a number, as in `x = 0.0;`".into(),
            };
            let message = format!("a value of type {} has no method `{m}`\n{way}", place.ty);
            self.error(&codes::NOT_AN_ARRAY, a.at, message);
            return None;
        }
        let arity = if m == "swap" { 2 } else { 1 };
        if args.len() != arity {
            let swapped =
                args.first().filter(|_| m == "swap").and_then(|b| crate::elaborate::flow::exchanges::of_places(a, b));
            let way = swapped.map_or_else(String::new, |swapped| format!("\nwrite `{swapped};`"));
            let message = format!("`{m}` takes {}, but {}{way}", counted(arity), given(args.len()));
            self.error(&codes::ARITY, at, message);
            return None;
        }
        if let [i, j] = args
            && let Some(swapped) = crate::elaborate::flow::exchanges::of_tuples(a, [i, j])
        {
            let message = format!("`swap` takes two indices of one axis\nwrite `{swapped};`");
            self.error(&codes::MISMATCH, at, message);
            return None;
        }
        match args {
            [i, j] => self.swap([i, j], &place, (a.at, at), &mut chain),
            [x] if m == "fill" => self.fill(x, &place, (a.at, at), &mut chain),
            _ => self.copy(&args[0], &place, (a.at, at), &mut chain),
        }?;
        Some(chain)
    }

    /// Reports `a.swap_with_slice(&mut b)`.
    pub(crate) fn swap_with_slice(&mut self, a: &Surface, args: &[Surface], at: Extent) {
        let way = crate::elaborate::flow::exchanges::of_slices(a, args);
        let message = "arrays have no method `swap_with_slice`";
        self.helped(&codes::OUTSIDE, at, message, &format!("write `{way}`"));
    }

    /// Assigns the array at a place. `new` makes it from the innermost array around it that is not a row, and the steps from
    /// there on. The other parts of tuples around that array keep their values.
    pub(crate) fn rewrite(
        &mut self,
        place: &Place,
        at: Extent,
        chain: &mut Chain,
        new: impl FnOnce(&mut Self, Expr, &[Step]) -> Option<Expr>,
    ) -> Option<()> {
        let fields = place.steps.iter().rposition(|s| matches!(s, Step::Field(_))).map_or(0, |k| k + 1);
        let (outer, inner) = place.steps.split_at(fields);
        let whole = self.current(place.root, &chain.scope, at)?;
        let array = new(self, part(whole.clone(), outer), inner)?;
        let whole = part_written(whole, outer, &mut |_, _| array.clone());
        self.assign_whole(place.root, whole, chain);
        Some(())
    }

    /// A fold that gives each element at a place a value.
    pub(crate) fn each(
        &mut self,
        array: Expr,
        (inner, count): (&[Step], Expr),
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
        build::ifold(count, array, (s, k), body, o)
    }

    fn fill(&mut self, x: &Surface, place: &Place, (a, at): (Extent, Extent), chain: &mut Chain) -> Option<()> {
        let element = place.ty.element()?;
        let value = self.operand(x, Some(&element), chain)?;
        self.same_type(&element, &value, x)?;
        let value = self.named("element", value, &mut chain.lets);
        let count = self.length(place, &chain.scope, at)?;
        self.rewrite(place, a, chain, |cx, array, inner| {
            Some(cx.each(array, (inner, count), at, &mut |_| value.clone()))
        })
    }

    fn copy(&mut self, from: &Surface, place: &Place, (a, at): (Extent, Extent), chain: &mut Chain) -> Option<()> {
        if let (Some(Step::Index(_)), false) = (place.steps.last(), is_slice(from)) {
            let row = self.operand(from, Some(&place.ty), chain)?;
            self.same_type(&place.ty, &row, from)?;
            let o = self.origin(at);
            return self.rewrite(place, a, chain, |_, array, inner| Some(updated(array, inner, None, row, o)));
        }
        let (b, start, given) = self.elements(from, not_copied, chain)?;
        self.same_type(&place.ty, &b, from)?;
        let count = self.length(place, &chain.scope, at)?;
        // Both have one length.
        let count = if given == count { count } else { within(count.clone(), within(given, count)) };
        let o = self.origin(at);
        let mut element = |k: Expr| {
            let i = start.clone().map_or(k.clone(), |s| plus(s, k.clone()));
            build::get(b.clone(), i, o)
        };
        self.rewrite(place, a, chain, |cx, array, inner| Some(cx.each(array, (inner, count), at, &mut element)))
    }

    fn same_type(&mut self, wanted: &Type, e: &Expr, at: &Surface) -> Option<()> {
        if wanted == e.ty() {
            return Some(());
        }
        let hint = self.way(at, e.ty(), wanted);
        let message = format!("this value has type {}, but {wanted} is wanted here{hint}", e.ty());
        self.error(&codes::MISMATCH, at.at, message);
        None
    }

    fn swap(
        &mut self,
        indices: [&Surface; 2],
        place: &Place,
        (a, at): (Extent, Extent),
        chain: &mut Chain,
    ) -> Option<()> {
        let [i, j] = indices.map(|i| {
            let i = self.index(i, chain)?;
            Some(self.repeatable("at", in_slice(i, &place.steps), &mut chain.lets))
        });
        let (i, j) = (i?, j?);
        self.rewrite(place, a, chain, |cx, array, inner| {
            let steps = |i: Expr| inner.iter().cloned().chain([Step::Index(i)]).collect_vec();
            let (i, j) = (steps(i), steps(j));
            let element = part(array.clone(), &i).ty().clone();
            cx.swapped_at(array, [&i, &j], &element, at)
        })
    }

    /// Swaps two elements, or the elements of two rows.
    fn swapped_at(&mut self, array: Expr, [a, b]: [&[Step]; 2], element: &Type, at: Extent) -> Option<Expr> {
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
                steps.iter().cloned().chain([k]).collect_vec()
            };
            let body = self.swapped_at(state, [&deeper(a), &deeper(b)], &element.element()?, at)?;
            let count = build::len(array.clone(), axis, o);
            return Some(bind_all(lets, build::ifold(count, array, (s, k), body, o)));
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

fn not_copied(ty: &Type) -> String {
    format!("`copy_from_slice` takes an array, but this has type {ty}\nwrite `fill(x)` to give all elements one value")
}
