//! `break`, `continue` and `return`.
//!
//! ```text
//! return e = the value of the function: e       where nothing is left to run
//!          | returned' = true, result' = e       elsewhere; what is left is guarded by `returned'`
//! ```
//!
//! An exit is a variable of type `bool`, false until it is taken, and every loop that it leaves ends where it is true.
//! Its value is a variable, too, unless it can be computed at the target: then the loops carry nothing for it.

use crate::diag::codes;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Mutable, Scope, Version};
use crate::elaborate::flow::chain::{Chain, End, Flow, zero};
use crate::elaborate::flow::effects::{Effects, Site, Target};
use crate::elaborate::flow::statements::{Region, Then};
use crate::fsmooth::{Expr, Kind, build};
use crate::mapped::Mapped;
use crate::span::Origin;
use crate::surface::{Expr as Surface, ExprKind, Extent, NodeId};
use crate::ty::Type;
use crate::value::Lit;

impl Cx<'_> {
    /// The variable that says whether an exit was taken.
    pub(crate) fn flag(&mut self, target: Target) -> Mutable {
        if let Some(m) = self.flow.flags.get(&target) {
            return *m;
        }
        let name = match target {
            Target::Return(_) => "returned",
            Target::Break(_) => "stopped",
            Target::Continue(_) => "skipped",
        };
        let m = self.mutable(name, Some(Type::BOOL));
        self.flow.flags.insert(target, m);
        m
    }

    /// Whether an exit was taken, where the flow is now.
    pub(crate) fn taken(&mut self, target: Target, scope: &Scope, o: Origin) -> Expr {
        let m = self.flag(target);
        match scope.version(m) {
            Some(Version::Value(e)) => e,
            _ => build::lit(Lit::Bool(false), o),
        }
    }

    /// A scope in which the exits to these targets were not taken.
    pub(crate) fn not_taken(&mut self, targets: impl IntoIterator<Item = Target>, scope: &Scope, o: Origin) -> Scope {
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
    pub(crate) fn exit(
        &mut self,
        e: &Surface,
        value: Option<&Surface>,
        scope: &Scope,
        region: &Region,
    ) -> Option<Flow> {
        let Some(target) = self.flow.does.targets.get(&e.id).copied() else {
            let what = if matches!(e.kind, ExprKind::Continue(_)) { "continue" } else { "break" };
            self.error(
                &codes::OUTSIDE,
                e.at,
                format!("`{what}` outside of a loop, or with a label that is not around it"),
            );
            return None;
        };
        if let (ExprKind::Return(None), Some(ty)) =
            (&e.kind, self.interface.result.clone().filter(|t| *t != Type::Tuple(vec![])))
            && target == Target::Return(self.flow.function)
        {
            let message = format!("`return` has no value, but the result is declared as {ty}");
            self.helped(&codes::MISMATCH, e.at, message, "write the value of the kernel behind it, as in `return x;`");
            return None;
        }
        let o = self.origin(e.at);
        if region.end == Some(target) && (region.value || value.is_none()) {
            let mut chain = Chain::new(scope);
            let value = match value {
                Some(v) => Some(self.exit_value(v, target, region.want.cloned(), &mut chain)?),
                None => region.value.then(|| build::tuple(vec![], o)),
            };
            return Some(Flow::new(End::Done(self.results(value, &chain.scope, region)?)).after(chain.lets));
        }
        let mut chain = Chain::new(scope);
        if let Some(v) = value.filter(|_| !self.flow.waiting.contains(&e.id)) {
            let want = self.flow.exit_values.get(&target).and_then(|m| self.flow.mutables[m.0].ty.clone());
            let term = self.exit_value(v, target, want, &mut chain)?;
            if let Some(m) = self.flow.exit_values.get(&target).copied() {
                self.assign_whole(m, term, &mut chain);
                if let Some(Version::Value(value)) = chain.scope.version(m) {
                    self.read_later(target, &value);
                }
            }
        }
        let flag = self.flag(target);
        let scope = chain.scope.assigned(flag, Version::Value(build::lit(Lit::Bool(true), o)));
        Some(Flow::new(End::Exit(self.results(None, &scope, region)?)).after(chain.lets))
    }

    /// The value of an exit, of the type that its target has.
    fn exit_value(&mut self, v: &Surface, target: Target, want: Option<Type>, chain: &mut Chain) -> Option<Expr> {
        let value = self.operand(v, want.as_ref(), chain)?;
        let value = self.value(value, v.at)?;
        let want = match target {
            Target::Return(f) if f == self.flow.function => self.interface.result.clone(),
            _ => want,
        };
        if let Some(want) = want.filter(|t| t != value.ty()) {
            let hint = self.way(v, value.ty(), &want);
            let message = format!("this value has type {}, but {want} is wanted here{hint}", value.ty());
            self.error(&codes::MISMATCH, crate::elaborate::context::tail(v).at, message);
            return None;
        }
        Some(value)
    }

    /// A term that may leave its region, and what follows it where it does not.
    pub(crate) fn guarded(&mut self, e: &Surface, scope: &Scope, then: &Then, region: &Region) -> Option<Flow> {
        let does = self.effects(e)?;
        let o = self.origin(e.at);
        let mut chain = Chain::new(&self.not_taken(does.exits.keys().copied(), scope, o));
        for (target, site) in does.exits.iter().filter(|(t, _)| region.end == Some(**t)) {
            self.expect_value((*target, site), &does, (region.want, e.at), &mut chain)?;
        }
        let wanted = then.wants_value(region).then_some(None);
        let Some((joined, value)) = self.join(e, &chain.scope, wanted) else {
            // The rest may have further errors.
            self.resume_after_error(scope, then, region);
            return None;
        };
        chain.then(joined);
        let Chain { lets, scope: after } = chain;
        if !does.diverges && wanted.is_some() && value.is_none() {
            let message = "this never has a value: what would give it one is behind an arm that matches everything, and leaves\nremove the arms behind that one, or move it to the end";
            self.error(&codes::OUTSIDE, e.at, message);
            return None;
        }
        let mut flow = if does.diverges { None } else { Some(self.resume(value, &after, then, region)?) };
        for (target, site) in &does.exits {
            let taken = self.taken(*target, &after, o);
            if matches!(taken.kind(), Kind::Lit(Lit::Bool(false))) {
                continue;
            }
            let mut left = Chain::new(&after);
            let end = if region.end == Some(*target) {
                let value = match &site.value {
                    Some(v) if self.flow.waiting.contains(&site.exit) => {
                        Some(self.exit_value(v, *target, region.want.cloned(), &mut left)?)
                    }
                    Some(_) => self.flow.exit_values.get(target).copied().and_then(|m| self.current(m, &after, e.at)),
                    None => region.value.then(|| build::tuple(vec![], o)),
                };
                End::Done(self.results(value, &left.scope, region)?)
            } else {
                End::Exit(self.results(None, &left.scope, region)?)
            };
            let left = Flow::new(end).after(left.lets);
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

    /// The type of the values that leave a loop, a block or a closure. The type of a number follows from all exits: the wanted
    /// type may be only that of a literal.
    pub(crate) fn leaving(&self, id: NodeId, want: Option<&Type>) -> Option<Type> {
        let found = self.typed.loop_types.get(&id);
        let number = found.filter(|t| t.scalar().is_some() && want.is_none_or(|w| w.scalar().is_some()));
        number.or(want).or(found).cloned()
    }

    /// Prepares for the value of an exit: it is computed at the target, or a variable holds it.
    pub(crate) fn expect_value(
        &mut self,
        (target, site): (Target, &Site),
        does: &Effects,
        (want, at): (Option<&Type>, Extent),
        chain: &mut Chain,
    ) -> Option<()> {
        if site.value.is_none() {
            return Some(());
        }
        if does.may_wait(site) {
            self.flow.waiting.insert(site.exit);
            return Some(());
        }
        let ty = match target {
            Target::Return(f) if f == self.flow.function => self.interface.result.clone(),
            Target::Return(f) | Target::Break(f) | Target::Continue(f) => self.leaving(f, want),
        };
        let Some(ty) = ty else {
            let message = "the type of the value that leaves this loop is not known\nkeep it in a variable with a type, as in `let x: f64 = …;`, and leave with that";
            self.error(&codes::STATE, at, message);
            return None;
        };
        let o = self.origin(at);
        let start = match target {
            Target::Return(f) if f == self.flow.function => self.empty_result(&ty, o),
            _ => zero(&ty, o),
        };
        let start = start.unwrap_or_else(|| {
            let message = "an array leaves this loop, and its size is not known before: declare `let mut` an array of its \
                           size before the loop, assign it, and leave without a value";
            self.unread(&ty, (Some(target), vec![]), &mut chain.lets, (at, message.into()))
        });
        let m = match self.flow.exit_values.get(&target) {
            Some(m) => *m,
            None => self.mutable("result", Some(ty)),
        };
        self.flow.exit_values.insert(target, m);
        self.assign_whole(m, start, chain);
        Some(())
    }

    /// A value of the shape of the kernel's result; none where the signature does not say it.
    pub(crate) fn empty_result(&mut self, ty: &Type, o: Origin) -> Option<Expr> {
        if let Some(zero) = zero(ty, o) {
            return Some(zero);
        }
        let shapes = self.interface.result_shapes.clone();
        let mut leaves = shapes.into_iter();
        self.empty_value(ty, &mut leaves, o)
    }

    fn empty_value(
        &mut self,
        ty: &Type,
        shapes: &mut dyn Iterator<Item = crate::fsmooth::WrittenShape>,
        o: Origin,
    ) -> Option<Expr> {
        if let Type::Records(..) = ty {
            let columns = self.empty_value(&ty.stored(), shapes, o)?;
            return Some(crate::elaborate::terms::records::retyped(columns, ty));
        }
        if let Type::Tuple(ts) = ty {
            let parts: Vec<Expr> = ts.iter().map(|t| self.empty_value(t, shapes, o)).all_some()?;
            return Some(build::tuple(parts, o));
        }
        let extents: Vec<Expr> = shapes.next()?.into_iter().all_some()?;
        let element = Type::Scalar(*ty.leaf_scalars().first()?);
        let start = zero(&element, o)?;
        Some(extents.into_iter().rev().fold(start, |e, n| build::build(n, self.names.fresh("i"), e, o)))
    }

    fn resume_after_error(&mut self, scope: &Scope, then: &Then, region: &Region) {
        if let Then::Bind(p, _, next) = then {
            let mut scope = scope.clone();
            crate::elaborate::flow::lets::broken_names(p, &mut scope);
            self.resume(None, &scope, next, region);
        } else if let Then::Statements(..) = then {
            self.resume(None, scope, then, region);
        }
    }
}
