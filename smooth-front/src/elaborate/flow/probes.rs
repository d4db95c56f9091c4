//! Probes: `dbg!`, the assertions, and `panic!` and its like.
//!
//! ```text
//! assert!(c, ē); s           assert c else call fail (0, ē) in s
//! panic!(ē)                  assert false else call fail (0, ē) in …
//! if c {s} else {panic!()}   assert c else call fail (0) in s                                (`flow.rs`)
//! debug_assert!(c, ē); s     the same in builds with debug assertions, and `s` in others: the macro is called for one of them
//! dbg!(e)                    let x = e; token' = call show (token, x) in x
//! a body with `dbg!`         let token = 0 in e     ⟶     demand 0 ≤ token' ≤ 0 in e′
//! ```
//!
//! An assertion is a check, which is evaluated with the term after it. So a branch or a loop with an assertion in it is
//! evaluated in its place (`evaluate`), whether its value is used or not. `simplify/pins.rs` keeps the assertions of closures
//! and callees.
//!
//! The *token* is a variable of each function and of each closure, which its `dbg!`s assign. A loop carries it, and branches
//! join it. So no pass takes a `dbg!` for dead, for equal to another one or for loop-invariant. It is always 0.

use crate::diag::codes;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Binding, Mutable, Scope, Version, Want, token};
use crate::elaborate::flow::chain::{Chain, Joined, Let, bind_all};
use crate::elaborate::flow::state::Probe;
use crate::elaborate::terms::records::as_stored;
use crate::fsmooth::{Callee, Expr, Required, Via, build};
use crate::mapped::{Both, Mapped};
use crate::name::VarId;
use crate::prim::Prim;
use crate::shape::bytes::Bytes;
use crate::shape::{Companion, Dim, Param, ParamKind, Source};
use crate::span::Origin;
use crate::surface::probes::{Assert, Claim, Dbg};
use crate::surface::{self, Expr as Surface, ExprKind};
use crate::ty::Type;
use crate::value::Lit;

/// A body that is evaluated after the probes in it.
pub(crate) fn settled(body: Expr, token: Option<Expr>, o: Origin) -> Expr {
    match token {
        Some(t) if !matches!(t.kind(), crate::fsmooth::Kind::Lit(_)) => {
            build::demand([build::index(0, o), t, build::index(0, o)], body, o)
        }
        _ => body,
    }
}

/// The parts of a value that are numbers and arrays of numbers.
fn leaves(e: Expr) -> Vec<Expr> {
    let e = as_stored(e);
    match e.ty().clone() {
        Type::Tuple(ts) => {
            let o = e.origin();
            (0..ts.len()).flat_map(|k| leaves(build::proj(e.clone(), k, o))).collect()
        }
        _ => vec![e],
    }
}

impl Cx<'_> {
    /// Whether probes run in a body, not counting those in closures.
    pub(crate) fn runs_probes(&self, body: &Surface) -> bool {
        let token = token();
        self.effects(body).is_some_and(|d| d.assigned().any(|i| surface::same_name(i, &token)))
    }

    /// Whether the only effect of a term is that probes run.
    pub(crate) fn only_probes(&self, e: &Surface) -> bool {
        self.effects(e).is_some_and(|d| d.only_assigns(&token()))
    }

    /// The scope of a body with probes, and their token.
    pub(crate) fn with_token(&mut self, scope: &Scope, o: Origin) -> (Scope, Mutable) {
        let m = self.mutable("token", Some(Type::USIZE));
        let scope = scope.with(&token(), Binding::Mutable(m));
        (scope.assigned(m, Version::Value(build::index(0, o))), m)
    }

    /// A probe as a separate term with a separate token.
    pub(crate) fn probe_alone(&mut self, e: &Surface, want: Want) -> Option<Expr> {
        let o = self.origin(e.at);
        let (scope, _) = self.with_token(want.scope, o);
        let (chain, value) = self.join(e, &scope, Some(want.ty))?;
        let token = self.token(&chain.scope, o);
        Some(bind_all(chain.lets, settled(value?, Some(token), o)))
    }

    /// The value of a `match` guard after its probes, as a step at the end of `chain`. The guard is evaluated only where it
    /// is reached.
    pub(crate) fn guard_with_probes(
        &mut self,
        reached: Option<Expr>,
        guard: Expr,
        behind: Chain,
        chain: &mut Chain,
    ) -> Expr {
        let o = guard.origin();
        let (before, after) = (self.token(&chain.scope, o), self.token(&behind.scope, o));
        let done = bind_all(behind.lets, build::tuple(vec![guard, after], o));
        let pair = match reached {
            Some(c) => build::branch(c, done, build::tuple(vec![build::lit(Lit::Bool(false), o), before], o), o),
            None => done,
        };
        let pair = self.named("guard", pair, &mut chain.lets);
        self.set_token(build::proj(pair.clone(), 1, o), chain);
        build::proj(pair, 0, o)
    }

    /// `dbg!(e)` as a step: its value is that of `e`.
    pub(crate) fn dbg(&mut self, e: &Surface, dbg: &Dbg, scope: &Scope, want: Option<&Type>) -> Option<Joined> {
        let mut chain = Chain::new(scope);
        let o = self.origin(e.at);
        let Some(of) = &dbg.value else {
            self.probe(e, vec![], &mut chain, o);
            return Some((chain, Some(build::tuple(vec![], o))));
        };
        let value = self.operand(of, want, &mut chain)?;
        let value = self.shown(value, of)?;
        let value = self.named("shown", value, &mut chain.lets);
        self.typed.types.insert(e.id, value.ty().clone());
        self.probe(e, vec![value.clone()], &mut chain, o);
        Some((chain, Some(value)))
    }

    /// An assertion as a step.
    pub(crate) fn assertion(&mut self, e: &Surface, a: &Assert, scope: &Scope) -> Option<Chain> {
        let o = self.origin(e.at);
        let before = self.diags.iter().count();
        a.exprs().into_iter().for_each(|part| self.changes_nothing(part, a.debug));
        let mut chain = Chain::new(scope);
        let claimed = self.claimed(&a.claim, &mut chain, o);
        // The message is looked at even where the condition was rejected, and computed only where it does not hold.
        let (mut inner, mut complete) = (Chain::new(&chain.scope), true);
        let (holds, mut shown) = claimed.map_or((None, vec![]), |(holds, shown)| (Some(holds), shown));
        for (_, arg) in a.message.iter().flat_map(|m| &m.args) {
            let value = self.operand(arg, None, &mut inner).and_then(|value| self.shown(value, arg));
            match value {
                Some(value) => shown.push(self.named("shown", value, &mut inner.lets)),
                None => complete = false,
            }
        }
        self.typed.types.insert(e.id, Type::Tuple(vec![]));
        let holds = holds.filter(|_| complete && self.diags.iter().count() == before)?;
        if a.debug && !self.flow.debug_assertions {
            return Some(Chain::new(scope));
        }
        let token = self.token(&inner.scope, o);
        let call = self.call_of_probe(e, token, shown, o);
        let failed = bind_all(inner.lets, call);
        chain.lets.push(Let::Check(Required::Holds(Box::new([holds, failed])), o));
        Some(chain)
    }

    /// The condition of an assertion, and the values that its message shows.
    fn claimed(&mut self, claim: &Claim, chain: &mut Chain, o: Origin) -> Option<(Expr, Vec<Expr>)> {
        let (a, b) = match claim {
            Claim::Never(_) => return Some((build::lit(Lit::Bool(false), o), vec![])),
            Claim::Holds(c, _) => return Some((self.condition(c, chain)?, vec![])),
            Claim::Equal(a, b) | Claim::Differ(a, b) => (a, b),
        };
        // A literal takes the type of the other side.
        let left = self.operand(a, None, chain).and_then(|t| self.shown(t, a));
        let left = left.map(|t| self.named("left", t, &mut chain.lets));
        let ty = left.as_ref().map(|t| t.ty().clone());
        let right = self.operand(b, ty.as_ref(), chain).and_then(|t| self.shown(t, b));
        let right = right.map(|t| self.named("right", t, &mut chain.lets));
        let (left, right) = (left?, right?);
        if left.ty() != right.ty() {
            let hint = self.sides((a, left.ty()), (b, right.ty()));
            let message =
                format!("an assertion compares a value of type {} with one of type {}{hint}", left.ty(), right.ty());
            self.error(&codes::MISMATCH, b.at, message);
            return None;
        }
        let equal = self.equal(left.clone(), right.clone(), o);
        let holds = if matches!(claim, Claim::Differ(..)) { build::prim(Prim::Not, vec![equal], o) } else { equal };
        Some((holds, vec![left, right]))
    }

    /// Whether two values are equal, arrays element by element.
    fn equal(&mut self, a: Expr, b: Expr, o: Origin) -> Expr {
        let both = |p: Prim, a: Expr, b: Expr| build::prim(p, vec![a, b], o);
        let rank = match a.ty().clone() {
            Type::Tuple(ts) => {
                let parts =
                    (0..ts.len()).map(|k| self.equal(build::proj(a.clone(), k, o), build::proj(b.clone(), k, o), o));
                let all = parts.collect::<Vec<_>>().into_iter().reduce(|a, b| both(Prim::And, a, b));
                return all.unwrap_or_else(|| build::lit(Lit::Bool(true), o));
            }
            Type::Array(..) | Type::Records(..) => a.ty().rank(),
            _ => return both(Prim::Eq, a, b),
        };
        let lengths =
            (0..rank).map(|axis| both(Prim::Eq, build::len(a.clone(), axis, o), build::len(b.clone(), axis, o)));
        let same = lengths.reduce(|a, b| both(Prim::And, a, b)).unwrap_or_else(|| build::lit(Lit::Bool(true), o));
        let elements = self.equal_elements(a, b, rank, o);
        build::branch(same, elements, build::lit(Lit::Bool(false), o), o)
    }

    /// Whether two arrays of equal lengths are equal: a loop for each dimension, which ends where two elements differ.
    fn equal_elements(&mut self, a: Expr, b: Expr, rank: usize, o: Origin) -> Expr {
        if rank == 0 {
            return self.equal(a, b, o);
        }
        let [i, s] = ["i", "holds"].both(|name| self.names.fresh(name));
        let element = |a: &Expr| build::get(a.clone(), build::var(i, Type::USIZE, o), o);
        let body = self.equal_elements(element(&a), element(&b), rank - 1, o);
        let count = build::len(a, 0, o);
        let fold = build::ifold(count, build::lit(Lit::Bool(true), o), (s, i), body, o);
        build::while_holds(fold, build::var(s, Type::BOOL, o))
    }

    /// A value that a probe can show.
    fn shown(&mut self, value: Expr, of: &Surface) -> Option<Expr> {
        if value.ty().is_fn() {
            self.error(
                &codes::FUNCTION_VALUE,
                of.at,
                "a function cannot be shown\nshow what it returns, as in `dbg!(f(x))`",
            );
            return None;
        }
        Some(value)
    }

    /// Rejects effects in a part of an assertion: some builds have no debug assertions, and a jump out of an assertion asserts
    /// nothing.
    fn changes_nothing(&mut self, part: &Surface, debug: bool) {
        let Some(does) = self.effects(part) else { return };
        let own = token();
        let changed = does.assigned().find(|i| !surface::same_name(i, &own)).map(surface::plain);
        let only = if debug { ": it runs in debug builds only" } else { "" };
        let message = match changed {
            Some(name) => format!("an assertion changes `{name}`{only}"),
            None if !does.exits.is_empty() => format!("an assertion leaves a loop, or the kernel{only}"),
            None => return,
        };
        self.helped(&codes::STATE, part.at, message, "do that in a statement before it");
    }

    /// The value of the token.
    fn token(&mut self, scope: &Scope, o: Origin) -> Expr {
        let current = match scope.lookup(&token()) {
            Some(Binding::Mutable(m)) => scope.version(m),
            _ => None,
        };
        if let Some(Version::Value(e)) = current { e } else { build::index(0, o) }
    }

    fn set_token(&mut self, value: Expr, chain: &mut Chain) {
        if let Some(Binding::Mutable(m)) = chain.scope.lookup(&token()) {
            chain.scope = chain.scope.assigned(m, Version::Value(value));
        }
    }

    /// Runs the probe `e` on these values.
    fn probe(&mut self, e: &Surface, values: Vec<Expr>, chain: &mut Chain, o: Origin) {
        let token = self.token(&chain.scope, o);
        let call = self.call_of_probe(e, token, values, o);
        let next = self.named("token", call, &mut chain.lets);
        self.set_token(next, chain);
    }

    fn call_of_probe(&mut self, e: &Surface, token: Expr, values: Vec<Expr>, o: Origin) -> Expr {
        let types: Vec<Type> = values.iter().mapped(|v| v.ty().clone());
        let args: Vec<Expr> = std::iter::once(token).chain(values.into_iter().flat_map(leaves)).collect();
        let known = self.flow.probes.iter().find(|p| p.expr.id == e.id && p.types == types).map(|p| p.callee);
        let callee = known.unwrap_or_else(|| self.new_probe(e, types, &args));
        build::call(callee, args, Type::USIZE, o)
    }

    /// A new entry of the table of callees.
    fn new_probe(&mut self, e: &Surface, types: Vec<Type>, args: &[Expr]) -> usize {
        let name = if matches!(e.kind, ExprKind::Dbg(_)) { Callee::DBG } else { Callee::ASSERT };
        let params = args.iter().enumerate().map(|(k, a)| {
            let kind = match a.ty() {
                Type::Array(s, rank) => ParamKind::Array(*s, vec![Dim::Anon; *rank]),
                t => ParamKind::Scalar(t.expect_scalar()),
            };
            let var: VarId = self.names.fresh("shown");
            Param {
                var,
                name: "shown".into(),
                kind,
                source: Source::Argument(vec![k]),
                column_major: false,
                strided: false,
                in_out: false,
            }
        });
        let params = params.collect();
        let companion = Companion {
            result_type: Type::USIZE,
            result: vec![vec![]],
            values: vec![None],
            checks: vec![],
            sizes: vec![],
            frame: Bytes::zero(),
            column_major: vec![false],
            asserts: false,
        };
        let callee = self.interface.callees.len();
        let via = Via::Probe(self.flow.probes.len());
        self.interface.callees.push(Callee { name: name.into(), params, companion, via, types: vec![] });
        self.flow.probes.push(Probe { expr: e.clone(), types, callee });
        callee
    }
}
