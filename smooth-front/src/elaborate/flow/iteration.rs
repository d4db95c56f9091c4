//! Loops: folds whose state is the tuple of the variables that they assign.
//!
//! ```text
//! for i in a..b {s̄}        = ifold (λ(x, …) k. let i = a + k in S⟦s̄⟧; (x', …)) (x, …) (max b a - a)
//! for i in (a..b).rev()    : i = a + (n - 1 - k)         n the number of iterations without the adapter
//! … .step_by(s)            : i = a + k·s, (n + s - 1) / s iterations
//! for y in a.iter() {s̄}    = for k in 0..a.len() {let y = a[k]; s̄}
//! while c {s̄}              = ifold (λx k. while S⟦c⟧ do S⟦s̄⟧; x') x usize::MAX
//! loop {s̄}                 = while true {s̄}
//! if c {break} s̄           at the head of a body: the test of the fold
//! break                    elsewhere: a part of the state, and the test that it is false
//! ```

use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Mutable, Scope, Version};
use crate::elaborate::flow::chain::{Chain, End, Flow, Joined, Let, evaluated, zero};
use crate::elaborate::flow::control::{bind_needed, pack};
use crate::elaborate::flow::effects::Target;
use crate::elaborate::flow::items::Walk;
use crate::elaborate::flow::stand_ins::note_items;
use crate::elaborate::flow::statements::{Region, Then};
use crate::fsmooth::{Expr, build};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::prim::Prim;
use crate::sorted::Map;
use crate::span::Origin;
use crate::surface::{Expr as Surface, ExprKind, For, NodeId, Stmt};
use crate::ty::Type;
use crate::value::Lit;

/// The parts of a loop.
struct Body<'e> {
    id: NodeId,
    /// The condition of a `while`.
    test: Option<&'e Surface>,
    /// The conditions under which a body ends the loop before it does anything else.
    heads: Vec<&'e Surface>,
    stmts: &'e [Stmt],
    last: &'e Surface,
}

impl<'e> Body<'e> {
    fn parts(&self) -> Vec<&'e Surface> {
        let stmts = self.stmts.iter().filter_map(|s| match s {
            Stmt::Let(_, e) | Stmt::Do(e) => Some(e),
            Stmt::Declare(_) => None,
        });
        stmts.chain([self.last]).collect_vec()
    }
}

impl Cx<'_> {
    pub(crate) fn for_loop(&mut self, e: &Surface, f: &For, scope: &Scope) -> Option<Chain> {
        let mut chain = Chain::new(scope);
        let walk = self.walk(f, &mut chain);
        let names = self.flow.stand_ins.len();
        note_items(self, f, &chain.scope);
        let body = self.loop_body(e.id, None, &f.body);
        let after = self.fold(e, (&body, walk), &chain.scope, None);
        self.flow.stand_ins.truncate(names);
        chain.then(after?);
        Some(chain)
    }

    pub(crate) fn while_loop(&mut self, e: &Surface, c: &Surface, body: &Surface, scope: &Scope) -> Option<Chain> {
        let body = self.loop_body(e.id, Some(c), body);
        self.fold(e, (&body, Some(Walk::endless())), scope, None)
    }

    /// `loop {s̄}`, with the value that leaves it.
    pub(crate) fn endless_loop(&mut self, e: &Surface, body: &Surface, scope: &Scope) -> Option<Joined> {
        let o = self.origin(e.at);
        let does = self.effects(body);
        let mut chain = Chain::new(scope);
        let target = Target::Break(e.id);
        let site = does.as_ref().and_then(|d| d.exits.get(&target));
        if let (Some(does), Some(site)) = (&does, site) {
            self.expect_value((target, site), does, (None, e.at), &mut chain)?;
        }
        let parts = self.loop_body(e.id, None, body);
        let after = self.fold(e, (&parts, Some(Walk::endless())), &chain.scope, Some(target))?;
        chain.then(after);
        let value = match site.and_then(|s| s.value.as_ref().map(|v| (s, v))) {
            Some((s, v)) if self.flow.waiting.contains(&s.exit) => self.operand(v, None, &mut chain)?,
            Some(_) => {
                let m = *self.flow.exit_values.get(&target)?;
                self.current(m, &chain.scope, e.at)?
            }
            None => build::tuple(vec![], o),
        };
        Some((chain, Some(value)))
    }

    /// The statements of a body, without those at its head that only end the loop.
    fn loop_body<'e>(&self, id: NodeId, test: Option<&'e Surface>, body: &'e Surface) -> Body<'e> {
        let (mut stmts, last): (&[Stmt], &Surface) = match &body.kind {
            ExprKind::Block(stmts, last) => (stmts, last),
            _ => (&[], body),
        };
        let mut heads = Vec::new();
        while let [Stmt::Do(first), rest @ ..] = stmts
            && let ExprKind::If(c, yes, no) = &first.kind
            && self.effects(c).is_none()
            && self.stops(yes, id)
            && matches!(&no.kind, ExprKind::Tuple(es) if es.is_empty())
        {
            heads.push(&**c);
            stmts = rest;
        }
        Body { id, test, heads, stmts, last }
    }

    /// Whether a branch is `break;` and nothing else.
    fn stops(&self, e: &Surface, id: NodeId) -> bool {
        match &e.kind {
            ExprKind::Block(stmts, last) => match (stmts.as_slice(), &last.kind) {
                ([Stmt::Do(e)], ExprKind::Tuple(es)) if es.is_empty() => self.stops(e, id),
                ([], _) => self.stops(last, id),
                _ => false,
            },
            ExprKind::Break(_, None) => self.flow.does.targets.get(&e.id) == Some(&Target::Break(id)),
            _ => false,
        }
    }

    /// A loop as a fold; `value` is the exit whose value leaves it.
    fn fold(
        &mut self,
        e: &Surface,
        (body, walk): (&Body, Option<Walk>),
        scope: &Scope,
        value: Option<Target>,
    ) -> Option<Chain> {
        let o = self.origin(e.at);
        let inside = body.parts();
        // A condition that assigns is a part of the body.
        let assigning = body.test.filter(|c| self.effects(c).is_some());
        let stops = assigning.is_some()
            || inside.iter().filter_map(|p| self.effects(p)).any(|d| d.exits.contains_key(&Target::Break(body.id)));
        let mut leaves: Vec<Target> = self.effects(e).iter().flat_map(|d| d.exits.keys().copied()).collect_vec();
        let outer = leaves.clone();
        if stops {
            leaves.push(Target::Break(body.id));
        }
        let start = self.not_taken(leaves.iter().copied(), scope, o);
        let start = if matches!(e.kind, ExprKind::Loop(..)) { self.given_at_end(e, start, o) } else { start };
        // A variable without a value before the loop is local to one iteration.
        let mut state: Vec<Mutable> =
            self.outs(&[e], &start).into_iter().filter(|m| start.version(*m).is_some()).collect_vec();
        for target in leaves.iter().chain(&value) {
            state.extend(self.flow.flags.get(target).filter(|_| leaves.contains(target)));
            state.extend(self.flow.exit_values.get(target).filter(|m| start.version(**m).is_some()));
        }
        let mut seen = crate::sorted::Set::new();
        state.retain(|m| seen.insert(*m));

        let mut init = Vec::new();
        for m in &state {
            init.push(self.current(*m, &start, e.at)?);
        }
        let types: Vec<Type> = init.iter().mapped(|e| e.ty().clone());
        self.few_parts(&types, e.at)?;
        let whole = if let [t] = types.as_slice() { t.clone() } else { Type::Tuple(types.clone()) };
        let name = if let [m] = state.as_slice() { self.flow.mutables[m.0].name.clone() } else { "state".into() };
        let (s, k) = (self.names.fresh(&name), walk.as_ref().map_or("k".into(), Walk::index_name));
        let k = self.names.fresh(&k);

        let (opened, inner) = self.opened(&state, &build::var(s, whole.clone(), o), &start);
        let test = self.test(body, &leaves, (walk.as_ref(), k), (&opened, &inner));
        let (opened, inner) = self.opened(&state, &build::var(s, whole, o), &start);
        let mut inner = inner;
        let skipped = Target::Continue(body.id);
        let flag = self.flag(skipped);
        inner = inner.assigned(flag, Version::Value(build::lit(Lit::Bool(false), o)));
        let items = match &walk {
            Some(w) => self.item(w, k, &mut inner),
            None => None,
        };
        if items.is_none()
            && let ExprKind::For(f) = &e.kind
        {
            crate::elaborate::flow::lets::broken_names(&f.pattern, &mut inner);
        }
        let region = Region { outs: state.clone(), value: false, want: None, end: Some(skipped) };
        let flow = match assigning {
            Some(c) => self.tested(c, body, &inner, &region),
            None => self.sequence((body.stmts, body.last), &inner, &Then::End, &region),
        };
        let (walk, items, flow, test) = (walk?, items?, flow?, test?);
        if state.is_empty() {
            return Some(self.asserting((flow.after(items).after(opened), test), (walk, s, k), scope, o));
        }
        let asserts = flow.asserts();
        let mut starts = Map::new();
        for (j, m) in state.iter().enumerate() {
            if let Some(Version::Value(e)) = inner.version(*m) {
                starts.insert(j, e);
            }
        }
        let mut finish = |values: Vec<Option<Expr>>| {
            let kept = |(j, v): (usize, Option<Expr>)| v.or_else(|| starts.get(&j).cloned());
            pack(values.into_iter().enumerate().filter_map(kept).collect_vec(), o)
        };
        let next = flow.after(items).after(opened).term(&mut finish);
        let mut fold = build::ifold(walk.count(o), pack(init, o), (s, k), next, o);
        if let Some(test) = test {
            fold = build::while_holds(fold, test);
        }
        let mut lets = Vec::new();
        let after = self.named(&name, fold, &mut lets);
        lets.push_all(asserts.then(|| evaluated(&after)));
        let (opened, end) = self.opened(&state, &after, scope);
        lets.push_all(opened);
        // Flags of exits that are taken inside of the loop alone do not matter after it.
        let mut result = scope.clone();
        for m in state
            .iter()
            .filter(|m| !self.is_own_flag(**m, body.id) || outer.iter().any(|t| self.flow.flags.get(t) == Some(m)))
        {
            if let Some(v) = end.version(*m) {
                result = result.assigned(*m, v);
            }
        }
        Some(Chain { lets, scope: result })
    }

    /// A loop that changes nothing: it may check something.
    fn asserting(
        &mut self,
        (body, test): (Flow, Option<Expr>),
        (walk, s, k): (Walk, VarId, VarId),
        scope: &Scope,
        o: Origin,
    ) -> Chain {
        let mut chain = Chain::new(scope);
        if body.asserts() {
            let state = build::var(s, Type::USIZE, o);
            let next = body.term(&mut |_| state.clone());
            let fold = build::ifold(walk.count(o), build::index(0, o), (s, k), next, o);
            chain.lets.push(evaluated(&test.map_or(fold.clone(), |test| build::while_holds(fold, test))));
        }
        chain
    }

    /// Gives dummy values to variables whose first assignment is inside the `loop`, so that the fold has an initial state.
    /// They are overwritten before they are read. Their types must be known before the loop.
    fn given_at_end(&mut self, e: &Surface, scope: Scope, o: Origin) -> Scope {
        let mut given = scope;
        for m in self.outs(&[e], &given) {
            if given.version(m).is_none()
                && let Some(value) = self.flow.mutables[m.0].ty.as_ref().and_then(|t| zero(t, o))
            {
                given = given.assigned(m, Version::Value(value));
            }
        }
        given
    }

    /// `if c {s̄} else {break}`.
    fn tested(&mut self, c: &Surface, body: &Body, scope: &Scope, region: &Region) -> Option<Flow> {
        let mut chain = Chain::new(scope);
        let c = self.condition(c, &mut chain);
        let flow = self.sequence((body.stmts, body.last), &chain.scope, &Then::End, region);
        let (c, flow, o) = (c?, flow?, Default::default());
        let flag = self.flag(Target::Break(body.id));
        let stopped = chain.scope.assigned(flag, Version::Value(build::lit(Lit::Bool(true), o)));
        let stop = Flow::new(End::Exit(self.results(None, &stopped, region)?));
        Some(Flow::branch(c, flow, stop, o).after(chain.lets))
    }

    fn is_own_flag(&self, m: Mutable, id: NodeId) -> bool {
        [Target::Break(id), Target::Continue(id)].iter().any(|t| self.flow.flags.get(t) == Some(&m))
    }

    /// The variables of a state, and the scope in which they have its values.
    fn opened(&mut self, state: &[Mutable], whole: &Expr, scope: &Scope) -> (Vec<Let>, Scope) {
        let (mut lets, mut scope) = (Vec::new(), scope.clone());
        for (j, m) in state.iter().enumerate() {
            let part = if state.len() == 1 { whole.clone() } else { build::proj(whole.clone(), j, whole.origin()) };
            let name = self.flow.mutables[m.0].name.clone();
            let part = self.named(&name, part, &mut lets);
            scope = scope.assigned(*m, Version::Value(part));
        }
        (lets, scope)
    }

    /// Whether an iteration takes place: the inner `None` where it always does.
    fn test(
        &mut self,
        body: &Body,
        leaves: &[Target],
        (walk, k): (Option<&Walk>, crate::name::VarId),
        (opened, scope): (&[Let], &Scope),
    ) -> Option<Option<Expr>> {
        let mut all: Option<Expr> = None;
        let mut add = |e: Expr| {
            all = Some(match all.take() {
                Some(a) => build::prim(Prim::And, vec![a, e.clone()], e.origin()),
                None => e,
            });
        };
        for t in leaves {
            let taken = self.taken(*t, scope, Default::default());
            let o = taken.origin();
            add(build::prim(Prim::Not, vec![taken], o));
        }
        let mut chain = Chain { lets: opened.to_vec(), scope: scope.clone() };
        let mut complete = true;
        if let Some(c) = body.test.filter(|c| self.effects(c).is_none()) {
            match self.condition(c, &mut chain) {
                Some(c) => add(c),
                None => complete = false,
            }
        }
        if !body.heads.is_empty() {
            let items = walk.and_then(|w| self.item(w, k, &mut chain.scope));
            chain.lets.push_all(items?);
            for c in &body.heads {
                match self.condition(c, &mut chain) {
                    Some(c) => {
                        let o = c.origin();
                        add(build::prim(Prim::Not, vec![c], o));
                    }
                    None => complete = false,
                }
            }
        }
        complete.then(|| all.map(|e| bind_needed(chain.lets, e)))
    }
}
