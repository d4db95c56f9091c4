//! Terms with effects as steps of a chain of `let`s.
//!
//! ```text
//! join s = let (v, x', …) = S⟦s⟧ in …      the value of s, and the variables that it assigns
//! ```
//!
//! Values that are the same at each end of the term are not parts of the tuple. A term with one end needs no tuple.

use crate::diag::codes;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Binding, Mutable, Scope, Version};
use crate::elaborate::flow::borrows::indices_of_place;
use crate::elaborate::flow::chain::{Chain, End, Flow, Joined, Let, bind_all, evaluated, zero};
use crate::elaborate::flow::effects::Target;
use crate::elaborate::flow::statements::{Region, Then};
use crate::fsmooth::{Expr, Kind, build};
use crate::mapped::{Mapped, PushAll};
use crate::span::Origin;
use crate::surface::{Child, Expr as Surface, ExprKind, Extent, assigns_to_its_receiver, path_key};
use crate::ty::Type;
use crate::value::Lit;

impl Cx<'_> {
    /// A term with effects as a step: afterwards the variables that it assigns have new values. `want` is the wanted
    /// type, where the value is wanted.
    pub(crate) fn join(&mut self, e: &Surface, scope: &Scope, want: Option<Option<&Type>>) -> Option<Joined> {
        let unit = |cx: &mut Self, chain| {
            let o = cx.origin(e.at);
            (chain, Some(build::tuple(vec![], o)))
        };
        match &e.kind {
            ExprKind::Assign(op, place, value) => {
                let chain = self.assign((*op, place, value), e.at, scope)?;
                Some(unit(self, chain))
            }
            ExprKind::For(f) => {
                let chain = self.for_loop(e, f, scope)?;
                Some(unit(self, chain))
            }
            ExprKind::While(_, c, body) => {
                let chain = self.while_loop(e, c, body, scope)?;
                Some(unit(self, chain))
            }
            ExprKind::Loop(_, body) => self.endless_loop(e, body, scope),
            ExprKind::Method(a, m, args) if assigns_to_its_receiver(m) => {
                let chain = self.assigning_method((a, m), args, e.at, scope)?;
                Some(unit(self, chain))
            }
            ExprKind::Method(a, m, args) if m == "swap_with_slice" => {
                self.swap_with_slice(a, args, e.at);
                None
            }
            ExprKind::If(..) | ExprKind::Match(..) | ExprKind::Block(..) => self.joined(e, (e, None), scope, want),
            ExprKind::Labelled(_, body) => {
                let left = self.leaving(e.id, want.flatten());
                let want = want.map(|w| left.as_ref().or(w));
                self.joined(e, (body, Some(Target::Break(e.id))), scope, want)
            }
            ExprKind::Break(..) | ExprKind::Continue(_) | ExprKind::Return(_) => {
                let region = Region { outs: vec![], value: false, want: None, end: None };
                if !self.flow.does.targets.contains_key(&e.id) {
                    self.exit(e, None, scope, &region);
                    return None;
                }
                let message = "`break`, `continue` or `return` inside of an expression\nmake it a statement of its own";
                self.error(&codes::OUTSIDE, e.at, message);
                None
            }
            ExprKind::Dbg(d) => self.dbg(e, d, scope, want.flatten()),
            ExprKind::Assert(a) => {
                let chain = self.assertion(e, a, scope)?;
                Some(unit(self, chain))
            }
            ExprKind::Call(f, args) if let Some(changed) = self.changed_by(f, scope) => {
                self.changing_call(e, ((f, args), &changed), scope, want.flatten())
            }
            _ => self.operands(e, scope, want.flatten()),
        }
    }

    /// The branches in `body`, as a step.
    fn joined(
        &mut self,
        e: &Surface,
        (body, end): (&Surface, Option<Target>),
        scope: &Scope,
        want: Option<Option<&Type>>,
    ) -> Option<Joined> {
        let outs = self.outs(&[e], scope);
        let region = Region { outs, value: want.is_some(), want: want.flatten(), end };
        let flow = self.flow(body, scope, &Then::End, &region)?;
        self.close(flow, &region, scope, e.at)
    }

    /// The variables that statements change: those that they assign, and the exits that they may take, with the values of
    /// these.
    pub(crate) fn outs(&mut self, statements: &[&Surface], scope: &Scope) -> Vec<Mutable> {
        let mut outs = Vec::new();
        let effects: Vec<_> = statements.iter().filter_map(|s| self.effects(s)).collect_vec();
        for i in effects.iter().flat_map(|d| d.assigned()) {
            match scope.lookup(i) {
                Some(Binding::Mutable(m)) => outs.push(m),
                Some(Binding::Part(p)) => outs.push(p.root),
                _ => {}
            }
        }
        for target in effects.iter().flat_map(|d| d.exits.keys()) {
            outs.push(self.flag(*target));
            outs.extend(self.flow.exit_values.get(target).filter(|m| scope.version(**m).is_some()));
        }
        let mut seen = crate::sorted::Set::new();
        outs.retain(|m| seen.insert(*m));
        outs
    }

    /// Binds the results of a flow: without a tuple if it has one end, and without a part for values that are the same at each
    /// end.
    pub(crate) fn close(&mut self, flow: Flow, region: &Region, scope: &Scope, at: Extent) -> Option<Joined> {
        let Flow { mut lets, end } = flow;
        let width = region.outs.len() + usize::from(region.value);
        let flow = Flow::new(end);
        let asserts = flow.asserts_in_branches();
        let o = self.origin(at);
        let mut columns: Vec<Column> = Vec::new();
        for k in 0..width {
            columns.push(self.column((&flow, k), region, (o, at), &mut lets)?);
        }
        let changed: Vec<usize> = (0..width).filter(|k| matches!(columns[*k], Column::Changed(_))).collect_vec();
        let term = if changed.is_empty() {
            if asserts {
                let term = flow.term(&mut |_| build::index(0, o));
                lets.push(evaluated(&term));
            }
            None
        } else {
            let missing: Vec<Option<Expr>> =
                columns.iter().mapped(|c| if let Column::Changed(zero) = c { zero.clone() } else { None });
            let pick = |values: Vec<Option<Expr>>, k: usize| values[k].clone().or_else(|| missing[k].clone());
            let mut finish = |values: Vec<Option<Expr>>| {
                let parts: Vec<Expr> = changed.iter().filter_map(|k| pick(values.clone(), *k)).collect_vec();
                pack(parts, o)
            };
            Some(flow.term(&mut finish))
        };
        let name = |cx: &Self, k: usize| match k.checked_sub(usize::from(region.value)) {
            Some(out) => cx.flow.mutables[region.outs[out].0].name.clone(),
            None => "value".into(),
        };
        let parts = match term {
            None => vec![],
            Some(term) if changed.len() == 1 => {
                let name = name(self, changed[0]);
                let one = self.named(&name, term, &mut lets);
                lets.push_all(asserts.then(|| evaluated(&one)));
                vec![one]
            }
            Some(term) => {
                self.few_parts([term.ty()], at)?;
                let whole = self.named("branch", term, &mut lets);
                lets.push_all(asserts.then(|| evaluated(&whole)));
                let mut parts = Vec::new();
                for (part, k) in changed.iter().enumerate() {
                    let name = name(self, *k);
                    parts.push(self.named(&name, build::proj(whole.clone(), part, o), &mut lets));
                }
                parts
            }
        };
        let mut next = changed.iter().zip(parts).collect::<crate::sorted::Map<_, _>>();
        let (mut value, mut scope) = (None, scope.clone());
        for (k, column) in columns.into_iter().enumerate() {
            let e = match column {
                Column::Changed(_) => next.remove(&k),
                Column::Same(e) => Some(e),
                Column::Unset => None,
            };
            match k.checked_sub(usize::from(region.value)) {
                None => value = e,
                Some(out) => {
                    if let Some(e) = e {
                        scope = scope.assigned(region.outs[out], Version::Value(e));
                    }
                }
            }
        }
        Some((Chain { lets, scope }, value))
    }

    /// The values that the ends of a flow have in one place of the results.
    fn column(
        &mut self,
        (flow, k): (&Flow, usize),
        region: &Region,
        (o, at): (Origin, Extent),
        lets: &mut Vec<Let>,
    ) -> Option<Column> {
        let ends = flow.ends();
        let mut values = Vec::new();
        for end in &ends {
            match end {
                End::Done(vs) if vs[k].is_none() => return Some(Column::Unset),
                End::Done(vs) | End::Exit(vs) => values.push(vs[k].as_ref()),
                End::If(..) | End::Never => {}
            }
        }
        let Some(first) = values.iter().flatten().next().copied() else { return Some(Column::Unset) };
        let fixed = matches!(first.kind(), Kind::Var(_) | Kind::Lit(_));
        // An end that nobody reads agrees with everything.
        if fixed && (values.len() == 1 || values.iter().flatten().all(|v| *v == first)) {
            let all = values.iter().all(Option::is_some) || !matches!(first.kind(), Kind::Var(_));
            if all {
                return Some(Column::Same(first.clone()));
            }
        }
        if values.len() == 1 {
            return Some(Column::Same(first.clone()));
        }
        if let Some(other) = values.iter().flatten().find(|v| v.ty() != first.ty()) {
            let (a, b) = (first.ty().clone(), other.ty().clone());
            self.different_branches(&a, &b, at);
            return None;
        }
        let missing = values.iter().any(Option::is_none);
        let mut zero = zero(first.ty(), o);
        if missing && zero.is_none() {
            let what = match k.checked_sub(usize::from(region.value)) {
                Some(out) => format!("`{}`", self.flow.mutables[region.outs[out].0].name),
                None => "the value".into(),
            };
            let message =
                format!("this may be left before {what}, an array, is known\nleave before or after this statement");
            let later = values.iter().flatten().mapped(|v| (*v).clone());
            zero = Some(self.unread(&first.ty().clone(), (None, later), lets, (at, message)));
        }
        Some(Column::Changed(zero))
    }

    pub(crate) fn different_branches(&mut self, a: &Type, b: &Type, at: Extent) {
        let unit = Type::Tuple(vec![]);
        let message = if *a == unit || *b == unit {
            format!(
                "one branch has type {}, the other has no value\nend each branch with a value, without a `;` after it, and write the `else`",
                if *a == unit { b } else { a }
            )
        } else {
            format!("one branch has type {a}, the other {b}{}", crate::elaborate::advice::mismatch::branches(a, b))
        };
        self.error(&codes::MISMATCH, at, message);
    }

    /// A term with operands that have effects: each operand is evaluated under a name, in order.
    fn operands(&mut self, e: &Surface, scope: &Scope, want: Option<&Type>) -> Option<Joined> {
        if let ExprKind::Binary(op @ ("&&" | "||"), a, b) = &e.kind
            && self.effects(b).is_some()
        {
            return self.short_circuit(op, (a, b), scope, e.at);
        }
        let mut chain = Chain::new(scope);
        // A variable is read after the indices are known.
        let parts = match indices_of_place(e, &|e| self.flow.copies.contains(&e.id)) {
            Some(indices) => indices,
            None => e
                .children()
                .into_iter()
                .filter_map(|c| if let Child::Expr(e) = c { Some(e) } else { None })
                .collect_vec(),
        };
        self.evaluated(e, &parts, &mut chain)?;
        let value = self.expr(e, crate::elaborate::context::scope::Want { ty: want, scope: &chain.scope })?;
        Some((chain, Some(value)))
    }

    /// Evaluates operands of a term in order, up to the last one that has effects: those after it may be evaluated with the
    /// term.
    fn evaluated(&mut self, e: &Surface, parts: &[&Surface], chain: &mut Chain) -> Option<()> {
        let mut complete = true;
        let last = parts.iter().rposition(|p| self.effects(p).is_some());
        for p in parts.iter().take(last.map_or(0, |k| k + 1)) {
            if self.is_function(p, &chain.scope) || matches!(&e.kind, ExprKind::Call(f, _) if f.id == p.id) {
                continue;
            }
            // What a rejected kernel changes is not known.
            if matches!(p.kind, ExprKind::Borrow(_)) && self.calls_a_rejected_kernel(e) {
                complete = false;
                continue;
            }
            match self.operand(p, None, chain) {
                Some(value) => {
                    let value = self.named("operand", value, &mut chain.lets);
                    self.flow.given.insert(p.id, value);
                }
                None => complete = false,
            }
        }
        complete.then_some(())
    }

    fn calls_a_rejected_kernel(&self, e: &Surface) -> bool {
        let ExprKind::Call(f, _) = &e.kind else { return false };
        let ExprKind::Path(path) = &f.kind else { return false };
        let is_callee = |p: &syn::Path| path_key(p) == path_key(path);
        self.interface.linked.iter().any(|(p, export)| is_callee(p) && export.poisoned())
    }

    /// Whether an operand is a closure or the name of a function: it is evaluated where it is applied.
    pub(crate) fn is_function(&self, e: &Surface, scope: &Scope) -> bool {
        match &e.kind {
            ExprKind::Closure(_) => true,
            ExprKind::Path(p) => match p.get_ident().and_then(|i| scope.lookup(i)) {
                Some(Binding::Closure(_)) => true,
                Some(Binding::Var(_, ty)) => ty.is_fn(),
                Some(_) => false,
                None => self.interface.linked.iter().any(|(linked, _)| path_key(linked) == path_key(p)),
            },
            _ => false,
        }
    }

    /// `a && b` and `a || b`, where `b` has effects.
    fn short_circuit(&mut self, op: &str, (a, b): (&Surface, &Surface), scope: &Scope, at: Extent) -> Option<Joined> {
        let mut before = Chain::new(scope);
        let c = self.condition(a, &mut before)?;
        let outs = self.outs(&[b], &before.scope);
        let region = Region { outs, value: true, want: Some(&Type::BOOL), end: None };
        let flow = self.flow(b, &before.scope, &Then::End, &region)?;
        let o = self.origin(at);
        let known = build::lit(Lit::Bool(op == "||"), o);
        let other = Flow::new(End::Done(self.results(Some(known), &before.scope, &region)?));
        let flow = if op == "&&" { Flow::branch(c, flow, other, o) } else { Flow::branch(c, other, flow, o) };
        self.close(flow.after(before.lets), &region, &before.scope, at)
    }
}

/// The values that the ends of a flow have in one place of the results.
enum Column {
    /// One variable or literal at all ends, or the only value.
    Same(Expr),
    /// Different values. Ends without a value get this one.
    Changed(Option<Expr>),
    /// An end that completes has no value.
    Unset,
}

/// A tuple, or the value itself if it is one.
pub(crate) fn pack(mut parts: Vec<Expr>, o: Origin) -> Expr {
    if parts.len() == 1 { parts.swap_remove(0) } else { build::tuple(parts, o) }
}

/// `let`s around a term, without those that it does not need.
pub(crate) fn bind_needed(lets: Vec<Let>, body: Expr) -> Expr {
    let mut lets = lets;
    let mut body = body;
    while let Some(l) = lets.pop() {
        match &l {
            Let::Value(x, _) if !body.mentions(*x) => {}
            _ => body = bind_all(vec![l], body),
        }
    }
    body
}
