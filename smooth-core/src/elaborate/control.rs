//! Branches and exits.
//!
//! ```text
//! join s   = let (v, x', …) = S⟦s⟧ in …      the value of s, and the variables that it assigns
//! return e = the value of the function e, where nothing is left to run
//!          | exit' = true, result' = e        elsewhere; what is left is guarded by `exit'`
//! ```
//!
//! An exit is a variable of type `bool`, false until it is taken, and every loop that it leaves ends where it is true.
//! Its value is a variable, too, unless it can be computed at the target: then the loops carry nothing for it.

use super::Cx;
use super::effects::{Effects, Site, Target};
use super::flow::{End, Flow, Let, bind_all, zero};
use super::scope::{Binding, Mutable, Scope, Version};
use super::statements::{Region, Then};
use crate::diag::codes;
use crate::fsmooth::{Expr, Kind, build};
use crate::span::Origin;
use crate::surface::{Child, Expr as Surface, ExprKind, Extent, NodeId};
use crate::ty::Type;
use crate::value::Lit;

/// The `let`s of a term, its value if one is wanted, and the scope after it.
pub(super) type Joined = (Vec<Let>, Option<Expr>, Scope);

impl Cx<'_> {
    /// A term with effects as a step: afterwards the variables that it assigns have new values. `want` is the wanted
    /// type, where the value is wanted.
    pub(super) fn join(&mut self, e: &Surface, scope: &Scope, want: Option<Option<&Type>>) -> Option<Joined> {
        let unit = |cx: &mut Self, (lets, scope)| {
            let o = cx.origin(e.at);
            (lets, Some(build::tuple(vec![], o)), scope)
        };
        match &e.kind {
            ExprKind::Assign(op, place, value) => {
                let done = self.assign(*op, place, value, e.at, scope)?;
                Some(unit(self, done))
            }
            ExprKind::For(f) => {
                let done = self.for_loop(e, f, scope)?;
                Some(unit(self, done))
            }
            ExprKind::While(_, c, body) => {
                let done = self.while_loop(e, c, body, scope)?;
                Some(unit(self, done))
            }
            ExprKind::Loop(_, body) => self.endless_loop(e, body, scope),
            ExprKind::Method(a, m, args) if super::effects::ASSIGNING.iter().any(|name| m == name) => {
                let done = self.assigning_method(a, m, args, e.at, scope)?;
                Some(unit(self, done))
            }
            ExprKind::If(..) | ExprKind::Match(..) | ExprKind::Block(..) => self.joined(e, e, None, scope, want),
            ExprKind::Labelled(_, body) => self.joined(e, body, Some(Target::Break(e.id)), scope, want),
            ExprKind::Break(..) | ExprKind::Continue(_) | ExprKind::Return(_) => {
                let region = Region { outs: vec![], value: false, want: None, end: None };
                if !self.does.targets.contains_key(&e.id) {
                    self.exit(e, None, scope, &region);
                    return None;
                }
                let message = "an exit inside of an expression: make it a statement of its own";
                self.error(&codes::OUTSIDE, e.at, message);
                None
            }
            ExprKind::Call(f, args) if let Some(changed) = self.changed_by(f, scope) => {
                self.changing_call(e, args, &changed, scope, want.flatten())
            }
            _ => self.operands(e, scope, want.flatten()),
        }
    }

    /// The branches in `body`, as a step.
    fn joined(
        &mut self,
        e: &Surface,
        body: &Surface,
        end: Option<Target>,
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
    pub(super) fn outs(&mut self, statements: &[&Surface], scope: &Scope) -> Vec<Mutable> {
        let mut outs = Vec::new();
        let effects: Vec<_> = statements.iter().filter_map(|s| self.effects(s)).collect();
        for i in effects.iter().flat_map(|d| d.assigned.values()) {
            match scope.lookup(i) {
                Some(Binding::Mutable(m)) => outs.push(m),
                Some(Binding::Part(p)) => outs.push(p.root),
                _ => {}
            }
        }
        for target in effects.iter().flat_map(|d| d.exits.keys()) {
            outs.push(self.flag(*target));
            outs.extend(self.exit_values.get(target).filter(|m| scope.version(**m).is_some()));
        }
        let mut seen = std::collections::BTreeSet::new();
        outs.retain(|m| seen.insert(*m));
        outs
    }

    /// Binds what a flow gives: no tuple where it has one end, and no part for what is the same at each end.
    pub(super) fn close(&mut self, flow: Flow, region: &Region, scope: &Scope, at: Extent) -> Option<Joined> {
        let Flow { mut lets, end } = flow;
        let width = region.outs.len() + usize::from(region.value);
        let flow = Flow::new(end);
        let o = self.origin(at);
        let mut columns: Vec<Column> = Vec::new();
        for k in 0..width {
            columns.push(self.column(&flow, k, region, o, at)?);
        }
        let changed: Vec<usize> = (0..width).filter(|k| matches!(columns[*k], Column::Changed(_))).collect();
        let term = if changed.is_empty() {
            None
        } else {
            let missing: Vec<Option<Expr>> =
                columns.iter().map(|c| if let Column::Changed(zero) = c { zero.clone() } else { None }).collect();
            let pick = |values: Vec<Option<Expr>>, k: usize| values[k].clone().or_else(|| missing[k].clone());
            let mut finish = |values: Vec<Option<Expr>>| {
                let parts: Vec<Expr> = changed.iter().filter_map(|k| pick(values.clone(), *k)).collect();
                pack(parts, o)
            };
            Some(flow.term(&mut finish))
        };
        let name = |cx: &Self, k: usize| match k.checked_sub(usize::from(region.value)) {
            Some(out) => cx.mutables[region.outs[out].0].name.clone(),
            None => "value".into(),
        };
        let parts = match term {
            None => vec![],
            Some(term) if changed.len() == 1 => {
                let name = name(self, changed[0]);
                vec![self.named(&name, term, &mut lets)]
            }
            Some(term) => {
                self.few_parts([term.ty()], at)?;
                let whole = self.named("branch", term, &mut lets);
                let mut parts = Vec::new();
                for (part, k) in changed.iter().enumerate() {
                    let name = name(self, *k);
                    parts.push(self.named(&name, build::proj(whole.clone(), part, o), &mut lets));
                }
                parts
            }
        };
        let mut next = changed.iter().zip(parts).collect::<std::collections::BTreeMap<_, _>>();
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
        Some((lets, value, scope))
    }

    /// What the ends of a flow have in one place.
    fn column(&mut self, flow: &Flow, k: usize, region: &Region, o: Origin, at: Extent) -> Option<Column> {
        let ends = flow.ends();
        let mut values = Vec::new();
        for end in &ends {
            match end {
                End::Done(vs) if vs[k].is_none() => return Some(Column::Unset),
                End::Done(vs) | End::Exit(vs) => values.push(vs[k].as_ref()),
                End::If(..) => {}
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
        let zero = zero(first.ty(), o);
        if missing && zero.is_none() {
            let what = match k.checked_sub(usize::from(region.value)) {
                Some(out) => format!("`{}`", self.mutables[region.outs[out].0].name),
                None => "the value".into(),
            };
            let message =
                format!("a path leaves this statement before {what}, an array, is known: leave before or after it");
            self.error(&codes::STATE, at, message);
            return None;
        }
        Some(Column::Changed(zero))
    }

    pub(super) fn different_branches(&mut self, a: &Type, b: &Type, at: Extent) {
        let unit = Type::Tuple(vec![]);
        let message = if *a == unit || *b == unit {
            format!("one branch has type {}, the other has no value", if *a == unit { b } else { a })
        } else {
            format!("one branch has type {a}, the other {b}")
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
        let (mut lets, mut scope, mut complete) = (Vec::new(), scope.clone(), true);
        let parts: Vec<&Surface> =
            e.children().into_iter().filter_map(|c| if let Child::Expr(e) = c { Some(e) } else { None }).collect();
        let last = parts.iter().rposition(|p| self.effects(p).is_some());
        for p in parts.into_iter().take(last.map_or(0, |k| k + 1)) {
            if matches!(p.kind, ExprKind::Closure(_)) || is_function_name(e, p) {
                continue;
            }
            match self.operand(p, None, &mut lets, &mut scope) {
                Some(value) => {
                    let value = self.named("operand", value, &mut lets);
                    self.given.insert(p.id, value);
                }
                None => complete = false,
            }
        }
        let value = if complete { self.expr(e, super::scope::Want { ty: want, scope: &scope }) } else { None };
        Some((lets, Some(value?), scope))
    }

    /// `a && b` and `a || b`, where `b` has effects.
    fn short_circuit(&mut self, op: &str, (a, b): (&Surface, &Surface), scope: &Scope, at: Extent) -> Option<Joined> {
        let (mut lets, mut before) = (Vec::new(), scope.clone());
        let c = self.condition(a, &mut lets, &mut before)?;
        let outs = self.outs(&[b], &before);
        let region = Region { outs, value: true, want: Some(&Type::BOOL), end: None };
        let flow = self.flow(b, &before, &Then::End, &region)?;
        let o = self.origin(at);
        let known = build::lit(Lit::Bool(op == "||"), o);
        let other = Flow::new(End::Done(self.results(Some(known), &before, &region)?));
        let flow = if op == "&&" { Flow::branch(c, flow, other, o) } else { Flow::branch(c, other, flow, o) };
        self.close(flow.after(lets), &region, &before, at)
    }

    /// The variable that says whether an exit was taken.
    pub(super) fn flag(&mut self, target: Target) -> Mutable {
        if let Some(m) = self.flags.get(&target) {
            return *m;
        }
        let name = match target {
            Target::Return(_) => "returned",
            Target::Break(_) => "stopped",
            Target::Continue(_) => "skipped",
        };
        let m = self.mutable(name, Some(Type::BOOL));
        self.flags.insert(target, m);
        m
    }

    /// Whether an exit was taken, where the flow is now.
    pub(super) fn taken(&mut self, target: Target, scope: &Scope, o: Origin) -> Expr {
        let m = self.flag(target);
        match scope.version(m) {
            Some(Version::Value(e)) => e,
            _ => build::lit(Lit::Bool(false), o),
        }
    }

    /// The same scope, with exits that were not taken.
    pub(super) fn not_taken(&mut self, targets: impl IntoIterator<Item = Target>, scope: &Scope, o: Origin) -> Scope {
        let mut scope = scope.clone();
        for t in targets {
            let m = self.flag(t);
            if scope.version(m).is_none() {
                scope = scope.assigned(m, Version::Value(build::lit(Lit::Bool(false), o)));
            }
        }
        scope
    }

    /// `break`, `continue` and `return`.
    pub(super) fn exit(
        &mut self,
        e: &Surface,
        value: Option<&Surface>,
        scope: &Scope,
        region: &Region,
    ) -> Option<Flow> {
        let Some(target) = self.does.targets.get(&e.id).copied() else {
            let what = if matches!(e.kind, ExprKind::Continue(_)) { "continue" } else { "break" };
            self.error(
                &codes::OUTSIDE,
                e.at,
                format!("`{what}` outside of a loop, or with a label that is not around it"),
            );
            return None;
        };
        let o = self.origin(e.at);
        if region.end == Some(target) && (region.value || value.is_none()) {
            let (mut lets, mut scope) = (Vec::new(), scope.clone());
            let value = match value {
                Some(v) => Some(self.exit_value(v, target, region.want.cloned(), &mut lets, &mut scope)?),
                None => region.value.then(|| build::tuple(vec![], o)),
            };
            return Some(Flow::new(End::Done(self.results(value, &scope, region)?)).after(lets));
        }
        let (mut lets, mut scope) = (Vec::new(), scope.clone());
        if let Some(v) = value.filter(|_| !self.waiting.contains(&e.id)) {
            let want = self.exit_values.get(&target).and_then(|m| self.mutables[m.0].ty.clone());
            let term = self.exit_value(v, target, want, &mut lets, &mut scope)?;
            if let Some(m) = self.exit_values.get(&target).copied() {
                scope = self.assign_whole(m, term, &scope, &mut lets)?;
            }
        }
        let flag = self.flag(target);
        scope = scope.assigned(flag, Version::Value(build::lit(Lit::Bool(true), o)));
        Some(Flow::new(End::Exit(self.results(None, &scope, region)?)).after(lets))
    }

    /// The value of an exit, of the type that its target has.
    fn exit_value(
        &mut self,
        v: &Surface,
        target: Target,
        want: Option<Type>,
        lets: &mut Vec<Let>,
        scope: &mut Scope,
    ) -> Option<Expr> {
        let value = self.operand(v, want.as_ref(), lets, scope)?;
        let value = self.value(value, v.at)?;
        let want = match target {
            Target::Return(f) if f == self.function => self.result.clone(),
            _ => want,
        };
        if let Some(want) = want.filter(|t| t != value.ty()) {
            let hint = super::operators::as_float(v, &want);
            let message = format!("this value has type {}, but {want} is wanted here{hint}", value.ty());
            self.error(&codes::MISMATCH, super::tail(v).at, message);
            return None;
        }
        Some(value)
    }

    /// A term that may leave its region, and what follows it where it does not.
    pub(super) fn guarded(&mut self, e: &Surface, scope: &Scope, then: &Then, region: &Region) -> Option<Flow> {
        let does = self.effects(e)?;
        let o = self.origin(e.at);
        let (mut lets, mut before) = (Vec::new(), self.not_taken(does.exits.keys().copied(), scope, o));
        for (target, site) in does.exits.iter().filter(|(t, _)| region.end == Some(**t)) {
            before = self.expect_value(*target, site, &does, region.want, &before, (&mut lets, e.at))?;
        }
        let wanted = then.wants_value(region).then_some(None);
        let Some((more, value, after)) = self.join(e, &before, wanted) else {
            // The rest has errors of its own.
            self.resume_after_error(scope, then, region);
            return None;
        };
        lets.extend(more);
        let mut flow = if does.diverges { None } else { Some(self.resume(value, &after, then, region)?) };
        for (target, site) in &does.exits {
            let taken = self.taken(*target, &after, o);
            if matches!(taken.kind(), Kind::Lit(Lit::Bool(false))) {
                continue;
            }
            let (mut more, mut scope) = (Vec::new(), after.clone());
            let end = if region.end == Some(*target) {
                let value = match &site.value {
                    Some(v) if self.waiting.contains(&site.exit) => {
                        Some(self.exit_value(v, *target, region.want.cloned(), &mut more, &mut scope)?)
                    }
                    Some(_) => self.exit_values.get(target).copied().and_then(|m| self.current(m, &after, e.at)),
                    None => region.value.then(|| build::tuple(vec![], o)),
                };
                End::Done(self.results(value, &scope, region)?)
            } else {
                End::Exit(self.results(None, &scope, region)?)
            };
            let left = Flow::new(end).after(more);
            flow = Some(match flow {
                None => left,
                Some(_) if matches!(taken.kind(), Kind::Lit(_)) => left,
                Some(rest) => Flow::branch(taken, left, rest, o),
            });
        }
        match flow {
            Some(flow) => Some(flow.after(lets)),
            // It runs forever.
            None => Some(Flow::new(End::Exit(self.results(None, &after, region)?)).after(lets)),
        }
    }

    /// Prepares for the value of an exit: it is computed at the target, or a variable holds it.
    pub(super) fn expect_value(
        &mut self,
        target: Target,
        site: &Site,
        does: &Effects,
        want: Option<&Type>,
        scope: &Scope,
        (lets, at): (&mut Vec<Let>, Extent),
    ) -> Option<Scope> {
        if site.value.is_none() {
            return Some(scope.clone());
        }
        if does.may_wait(site) {
            self.waiting.insert(site.exit);
            return Some(scope.clone());
        }
        let ty = match target {
            Target::Return(f) if f == self.function => self.result.clone(),
            Target::Return(f) | Target::Break(f) | Target::Continue(f) => {
                want.cloned().or_else(|| self.loop_types.get(&f).cloned())
            }
        };
        let Some(ty) = ty else {
            let message = "the type of the value that leaves this loop is not known: keep it in a variable with a type";
            self.error(&codes::STATE, at, message);
            return None;
        };
        let o = self.origin(at);
        let start = match target {
            Target::Return(f) if f == self.function => self.empty_result(&ty, o),
            _ => zero(&ty, o),
        };
        let Some(start) = start else {
            let message = "an array leaves this loop, and its size is not known before: declare `let mut` an array of its \
                           size before the loop, assign it, and leave without a value";
            self.error(&codes::STATE, at, message);
            return None;
        };
        let m = match self.exit_values.get(&target) {
            Some(m) => *m,
            None => self.mutable("result", Some(ty)),
        };
        self.exit_values.insert(target, m);
        self.assign_whole(m, start, scope, lets)
    }

    /// A value of the shape of the kernel's result; none where the signature does not say it.
    fn empty_result(&mut self, ty: &Type, o: Origin) -> Option<Expr> {
        if let Some(zero) = zero(ty, o) {
            return Some(zero);
        }
        let shapes = self.result_shapes.clone();
        let mut leaves = shapes.into_iter();
        self.empty_value(ty, &mut leaves, o)
    }

    fn empty_value(
        &mut self,
        ty: &Type,
        shapes: &mut dyn Iterator<Item = super::WrittenShape>,
        o: Origin,
    ) -> Option<Expr> {
        if let Type::Records(..) = ty {
            let columns = self.empty_value(&ty.stored(), shapes, o)?;
            return Some(super::records::retyped(columns, ty));
        }
        if let Type::Tuple(ts) = ty {
            let parts: Vec<Expr> = ts.iter().map(|t| self.empty_value(t, shapes, o)).collect::<Option<_>>()?;
            return Some(build::tuple(parts, o));
        }
        let extents: Vec<Expr> = shapes.next()?.into_iter().collect::<Option<_>>()?;
        let element = Type::Scalar(*ty.leaf_scalars().first()?);
        let start = zero(&element, o)?;
        Some(extents.into_iter().rev().fold(start, |e, n| build::build(n, self.names.fresh("i"), e, o)))
    }

    fn resume_after_error(&mut self, scope: &Scope, then: &Then, region: &Region) {
        if let Then::Bind(p, _, next) = then {
            let mut scope = scope.clone();
            super::lets::broken_names(p, &mut scope);
            self.resume(None, &scope, next, region);
        } else if let Then::Statements(..) = then {
            self.resume(None, scope, then, region);
        }
    }
}

/// What the ends of a flow have in one place.
enum Column {
    /// The same variable or literal, or the only value.
    Same(Expr),
    /// Different values; the value of an end that has none.
    Changed(Option<Expr>),
    /// An end that completes has none.
    Unset,
}

/// A tuple, or the value itself if it is one.
pub(super) fn pack(mut parts: Vec<Expr>, o: Origin) -> Expr {
    if parts.len() == 1 { parts.swap_remove(0) } else { build::tuple(parts, o) }
}

/// Whether a part of a call is the name of what is called.
fn is_function_name(e: &Surface, p: &Surface) -> bool {
    let id: NodeId = p.id;
    matches!(&e.kind, ExprKind::Call(f, _) if f.id == id)
}

/// `let`s around a term, without those that it does not need.
pub(super) fn bind_needed(lets: Vec<Let>, body: Expr) -> Expr {
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
