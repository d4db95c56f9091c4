//! Calls of kernels that change arguments.
//!
//! ```text
//! f(ē, &mut p, &mut q)     let t = f(ē, p, q); p = t.0; q = t.1
//! the same with a result   let t = f(ē, p, q); p = t.1; q = t.2;   its value is t.0
//! ```
//!
//! In F̃ a kernel returns what it changes (`in_out`).

use crate::diag::codes;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Binding, Place, Scope, Step, Want};
use crate::elaborate::flow::assign::Assignment;
use crate::elaborate::flow::chain::{Chain, Joined, Let};
use crate::elaborate::flow::places::minus;
use crate::elaborate::terms::records;
use crate::fsmooth::{Expr, build};
use crate::mapped::Mapped;
use crate::surface::{self, Expr as Surface, ExprKind, Extent, terms};
use crate::ty::Type;

impl Cx<'_> {
    /// For each argument, whether a call changes it; none if `f` is not a kernel that changes arguments.
    pub(crate) fn changed_by(&self, f: &Surface, scope: &Scope) -> Option<Vec<bool>> {
        let ExprKind::Path(path) = &f.kind else { return None };
        if path.get_ident().is_some_and(|i| scope.lookup(i).is_some()) {
            return None;
        }
        let key = surface::path_key(path);
        let (_, export) = self.interface.linked.iter().find(|(p, _)| surface::path_key(p) == key)?;
        let changed = export.changed();
        changed.contains(&true).then_some(changed)
    }

    /// A call of a kernel that changes arguments, as a step.
    pub(crate) fn changing_call(
        &mut self,
        e: &Surface,
        ((f, args), changed): ((&Surface, &[Surface]), &[bool]),
        scope: &Scope,
        want: Option<&Type>,
    ) -> Option<Joined> {
        let (mut chain, mut places, mut complete) = (Chain::new(scope), Vec::new(), true);
        let last = args.iter().rposition(|a| self.effects(a).is_some());
        for (k, a) in args.iter().enumerate() {
            let value = if changed.get(k) == Some(&true) {
                if self.not_lent(f, a, &chain.scope) {
                    complete = false;
                    continue;
                }
                let place = self.passed_place(a, &mut chain);
                place.and_then(|p| {
                    let value = self.read(&p, &chain.scope, a.at)?;
                    places.push((a, p));
                    Some(value)
                })
            } else if last.is_some_and(|last| k <= last) && !self.is_function(a, &chain.scope) {
                let value = self.operand(a, None, &mut chain);
                value.map(|v| self.named("operand", v, &mut chain.lets))
            } else {
                continue;
            };
            match value {
                Some(value) => drop(self.flow.given.insert(a.id, value)),
                None => complete = false,
            }
        }
        if !complete {
            return None;
        }
        self.borrowed_once(f, args, changed, &chain.scope)?;
        let call = self.expr(e, Want { ty: want, scope: &chain.scope })?;
        let types: Vec<Type> = places.iter().mapped(|(_, p)| p.ty.clone());
        let (result, last) = self.taken_apart(call, &types, &mut chain.lets);
        let result = result.unwrap_or_else(|| {
            let o = self.origin(e.at);
            build::tuple(vec![], o)
        });
        self.typed.types.insert(e.id, result.ty().clone());
        for ((a, place), value) in places.into_iter().zip(last) {
            self.put_back(&place, value, (a, e.at), &mut chain)?;
        }
        Some((chain, Some(result)))
    }

    /// Rejects an argument that a call changes and that is not passed by `&mut`, as in Rust: a mutable reference is passed by its
    /// name.
    fn not_lent(&mut self, f: &Surface, a: &Surface, scope: &Scope) -> bool {
        let lent = match &a.kind {
            ExprKind::Path(p) => match p.get_ident().and_then(|i| scope.lookup(i)) {
                Some(Binding::Mutable(m)) => self.flow.mutables[m.0].lent,
                _ => true,
            },
            ExprKind::Same(_) => self.flow.copies.contains(&a.id),
            ExprKind::Index(..) | ExprKind::Slice(..) | ExprKind::Field(..) => false,
            _ => true,
        };
        let place = if let ExprKind::Same(a) = &a.kind { a } else { a };
        let (Some(text), Some(name)) = (terms::term(place).filter(|_| !lent), terms::root(f)) else { return false };
        let text = text.trim_start_matches('&');
        self.helped(
            &codes::STATE,
            a.at,
            format!("`{name}` changes this argument, and takes it by `&mut`"),
            &format!("write `&mut {text}`"),
        );
        true
    }

    /// The place of an argument that a call changes. A slice is a value with a size here, and checked as such.
    fn passed_place(&mut self, e: &Surface, chain: &mut Chain) -> Option<Place> {
        let (a, s, t) = match &e.kind {
            ExprKind::Same(a) if !self.flow.copies.contains(&e.id) => return self.passed_place(a, chain),
            ExprKind::Borrow(a) => return self.passed_place(a, chain),
            ExprKind::Slice(a, s, t) => (a, s, t),
            _ => return self.place(e, chain),
        };
        let place = self.place(a, chain);
        self.stays(s.iter().chain(t).map(|b| &**b))?;
        let ends = self.ends(e, [s.as_deref(), t.as_deref()], chain);
        let mut place = place?;
        if !place.ty.is_array() || matches!(place.steps.last(), Some(Step::Range(..))) {
            return self.place(e, chain);
        }
        let (start, end) = ends?;
        let end = match end {
            Some(end) => end,
            None => self.length(&place, &chain.scope, e.at)?,
        };
        let start = self.repeatable("start", start, &mut chain.lets);
        let end = self.repeatable("end", end, &mut chain.lets);
        place.steps.push(Step::Range(start.clone(), minus(end, start)));
        self.typed.types.insert(e.id, place.ty.clone());
        Some(place)
    }

    /// The parts of a call's value: its result, if it has one, and the last values of the arguments that it changes.
    fn taken_apart(&mut self, call: Expr, changed: &[Type], lets: &mut Vec<Let>) -> (Option<Expr>, Vec<Expr>) {
        let parts = if let Type::Tuple(ts) = call.ty() { ts.len() } else { 1 };
        let o = call.origin();
        let values = |columns: Vec<Expr>| {
            let mut columns = columns.into_iter();
            changed.iter().filter_map(|t| records::value_of_columns(t, &mut columns, o)).collect_vec()
        };
        if parts == 1 {
            return (None, values(vec![call]));
        }
        let all = self.named("call", call, lets);
        let mut parts = (0..parts).mapped(|k| build::proj(all.clone(), k, o));
        let columns: usize = changed.iter().map(|t| if t.has_records() { t.leaf_count() } else { 1 }).sum();
        let last = parts.split_off(parts.len() - columns);
        (parts.pop().map(|result| self.named("result", result, lets)), values(last))
    }

    /// Writes back the value that a callee has given a place.
    fn put_back(&mut self, place: &Place, value: Expr, (a, at): (&Surface, Extent), chain: &mut Chain) -> Option<()> {
        if !matches!(place.steps.last(), Some(Step::Range(..))) {
            return self.write(&Assignment { op: None, place: a, value: a.at, at }, place, value, chain);
        }
        let row = self.named("slice", value, &mut chain.lets);
        let (count, o) = (self.length(place, &chain.scope, a.at)?, self.origin(at));
        self.rewrite(place, a.at, chain, |cx, array, inner| {
            Some(cx.each(array, (inner, count), at, &mut |k| build::get(row.clone(), k, o)))
        })
    }

    /// Rejects a call that changes an argument that is not a place.
    pub(crate) fn changes_a_place(&mut self, n: usize, args: &[Surface]) -> Option<()> {
        let export = &self.interface.linked[n].1;
        let (name, changed) = (export.name.clone(), export.changed());
        let given = |a: &Surface| self.flow.given.contains_key(&a.id);
        let wrong: Vec<&Surface> =
            args.iter().zip(changed).filter(|(a, changed)| *changed && !given(a)).mapped(|(a, _)| a);
        for a in &wrong {
            let message =
                format!("`{name}` changes this argument\npass a mutable variable or a row of one, as in `&mut a`");
            self.error(&codes::STATE, a.at, message);
        }
        wrong.is_empty().then_some(())
    }
}
