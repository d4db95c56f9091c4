//! Loop-invariant motion.
//!
//! ```text
//! build n (λi. C[e])   ⟶   let t = if n > 0 then e else 0 in build n (λi. C[t])                 e a scalar
//! build n (λi. C[e])   ⟶   if n > 0 then let t = e in build n (λi. C[t]) else build n (λi. 0)   e an array
//! ```
//!
//! and the same for `sum` and `ifold`, for greatest terms `e` that use nothing of the loop, that each step
//! evaluates whatever happens in it, and that cost more than LLVM sees to itself. Without the condition where
//! the count is a positive constant. Inner loops first: what leaves one of them may then leave the next.
//!
//! Keeps: nothing runs that did not; a loop of no steps evaluates no part of its body. Costs: an array that was
//! one step's lives as long as the loop.
//!
//! Not done: terms that call functions from outside; sizes and indices that are mere arithmetic, which the
//! shapes follow best where they are; an array out of two loops, of which the inner one may be empty.

use super::fuse::element_price;
use super::number::{LOOP, cost, is_loop, is_part, may_not_run, own_cost};
use crate::fsmooth::{Expr, Kernel, Kind, build, take};
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::span::Origin;
use crate::ty::{Scalar, Type};
use crate::value::Lit;
use std::collections::BTreeMap;

/// From a division on: several loads, a root, a function, a loop.
const DEAR: u32 = 4;
/// A count up to this price is evaluated a second time, for the condition.
const COUNT: u32 = 3;

/// Moves what it can.
pub(super) fn apply(kernel: &mut Kernel) {
    walk(&mut kernel.body, &mut kernel.names);
}

fn walk(e: &mut Expr, names: &mut Names) {
    e.children_mut().into_iter().for_each(|c| walk(c, names));
    if is_loop(e) && !matches!(e.kind(), Kind::Lam(..)) {
        hoist(e, names);
    }
}

/// Moves terms out of one loop.
fn hoist(e: &mut Expr, names: &mut Names) {
    let o = e.origin();
    let steps = match e.children()[0].kind() {
        Kind::Lit(l) => l.as_int(),
        _ => None,
    };
    if steps == Some(0) {
        return;
    }
    let always = steps.is_some();
    let without = if always { None } else { Without::of(e, names) };
    let mut motion = Motion {
        facts: vec![],
        binders: BTreeMap::new(),
        moved: vec![],
        guards: vec![],
        conditional: false,
        cheap: BTreeMap::new(),
        arrays: always || without.is_some(),
        names,
    };
    for v in e.binders() {
        motion.binders.insert(v, 0);
    }
    let Some(body) = e.children_mut().pop() else { return };
    motion.look(body);
    if !motion.facts.iter().enumerate().any(|(k, f)| motion.leaves(k, f)) {
        return;
    }
    motion.extract(body, &mut 0);
    let Motion { moved, .. } = motion;
    let guarded = |own: Option<&Expr>| -> Vec<(VarId, Expr)> {
        let guards = |(x, t, guards): &(VarId, Expr, Vec<Expr>)| (*x, under(own.into_iter().chain(guards), t.clone()));
        moved.iter().map(guards).collect()
    };
    if always {
        wrap(e, guarded(None));
    } else if moved.iter().all(|(_, t, _)| t.ty().scalar().is_some()) {
        let (count, condition) = condition(e, names);
        wrap(e, count.into_iter().chain(guarded(Some(&condition))).collect());
    } else if let Some(without) = without {
        let start = start(e, names);
        let (count, condition) = condition(e, names);
        let none = without.value(e, names);
        wrap(e, guarded(None));
        let some = take(e);
        *e = build::branch(condition, some, none, o);
        wrap(e, start.into_iter().chain(count).collect());
    }
}

/// A scalar under conditions that have no binders, zero elsewhere.
fn under<'e>(conditions: impl Iterator<Item = &'e Expr>, mut t: Expr) -> Expr {
    let o = t.origin();
    let Some(zero) = zero(t.ty(), o) else { return t };
    let mut distinct: Vec<Expr> = vec![];
    for c in conditions {
        if !distinct.contains(c) {
            distinct.push(c.clone());
        }
    }
    // What left an inner loop has its condition with it.
    while let Kind::If(c, _, no) = t.kind()
        && **no == zero
        && distinct.contains(c)
        && let Some(yes) = t.children_mut().into_iter().nth(1)
    {
        t = take(yes);
    }
    distinct.into_iter().rev().fold(t, |t, c| build::branch(c, t, zero.clone(), o))
}

/// `let x̄ = ē in` around a term.
fn wrap(e: &mut Expr, lets: Vec<(VarId, Expr)>) {
    for (x, t) in lets.into_iter().rev() {
        let o = t.origin();
        let body = take(e);
        *e = build::bind(x, t, body, o);
    }
}

/// Whether a loop runs at all; and its count, if that gets a name of its own for it.
fn condition(e: &mut Expr, names: &mut Names) -> (Option<(VarId, Expr)>, Expr) {
    let o = e.origin();
    let mut bound = None;
    if let Some(count) = e.children_mut().into_iter().next()
        && (cost(count) > COUNT || binds(count))
    {
        let n = names.fresh("count");
        let value = std::mem::replace(count, build::var(n, Type::USIZE, o));
        bound = Some((n, value));
    }
    let count = e.children()[0].renamed(names);
    (bound, build::prim(Prim::Gt, vec![count, build::index(0, o)], o))
}

/// Whether a term has binders, which a copy would need anew.
fn binds(e: &Expr) -> bool {
    e.count(|t| !t.binders().is_empty()) > 0
}

/// The name of a fold's initial state, where that may not stand in the text twice.
fn start(e: &mut Expr, names: &mut Names) -> Option<(VarId, Expr)> {
    let o = e.origin();
    let Kind::IFold { init, .. } = &mut e.kind else { return None };
    if is_there(init) {
        return None;
    }
    let x = names.fresh("start");
    let variable = build::var(x, init.ty().clone(), o);
    Some((x, std::mem::replace(&mut **init, variable)))
}

/// The value of a loop that has no iterations, as far as the loop's body says: its count and its initial state are
/// the loop's own.
enum Without {
    /// A sum of nothing.
    Zeros(Expr),
    /// No elements of this shape.
    Elements(VarId, Expr),
    InitialState,
}

impl Without {
    /// `None` where it takes code twice.
    fn of(e: &Expr, names: &mut Names) -> Option<Without> {
        let zeros = zero(e.ty(), e.origin());
        match e.kind() {
            Kind::Sum { .. } => zeros.map(Without::Zeros),
            Kind::IFold { init, .. } => (is_there(init) || zeros.is_some()).then_some(Without::InitialState),
            Kind::Build(_, i, body) => {
                let element = empty_element(body, &mut vec![*i], names)?;
                Some(Without::Elements(names.again(*i), element))
            }
            _ => None,
        }
    }

    /// The value of the loop `e`, whose count and initial state may have names by now.
    fn value(self, e: &Expr, names: &mut Names) -> Expr {
        match self {
            Without::Zeros(zeros) => zeros,
            Without::Elements(i, element) => build::build(e.children()[0].renamed(names), i, element, e.origin()),
            Without::InitialState => e.children()[1].renamed(names),
        }
    }
}

/// Whether a term may stand in the text twice: it is there already, or an array of what is, or a tuple of these.
fn is_there(e: &Expr) -> bool {
    match e.kind() {
        Kind::Lit(_) | Kind::Var(_) => true,
        Kind::Build(..) => element_price(e) <= 1,
        Kind::Tuple(es) => es.iter().all(is_there),
        _ => is_part(e),
    }
}

/// Zeros of a type without arrays.
fn zero(t: &Type, o: Origin) -> Option<Expr> {
    match t {
        Type::Scalar(s) => Some(build::lit(Lit::zero(*s), o)),
        Type::Tuple(ts) => Some(build::tuple(ts.iter().map(|t| zero(t, o)).collect::<Option<_>>()?, o)),
        _ => None,
    }
}

/// A term of the shape of an element that is never computed; `None` where its extents mention a `bound` variable.
fn empty_element(e: &Expr, bound: &mut Vec<VarId>, names: &mut Names) -> Option<Expr> {
    match e.kind() {
        _ if !e.ty().is_array() => zero(e.ty(), e.origin()),
        Kind::Build(n, j, body) if !bound.iter().any(|v| n.mentions(*v)) => {
            bound.push(*j);
            let inner = empty_element(body, bound, names)?;
            Some(build::build(n.renamed(names), names.again(*j), inner, e.origin()))
        }
        Kind::Let(x, _, b) => {
            bound.push(*x);
            empty_element(b, bound, names)
        }
        _ => None,
    }
}

/// What is known of a node of the body.
struct Fact {
    /// The lowest number in the loop that binds a variable of the term: a binder's is one more than its node's,
    /// and the loop's is 0. The variable is bound in the term itself if that is more than the term's own number.
    binder: usize,
    cost: u32,
    pure: bool,
    /// The price from which on it leaves, if a name can stand for it.
    least: Option<u32>,
    end: usize,
}

struct Motion<'n> {
    /// By the numbers of the nodes of the body, parents first.
    facts: Vec<Fact>,
    /// The nodes that bind variables; none for those whose value is the same in each step.
    binders: BTreeMap<VarId, usize>,
    /// What leaves the loop, and the conditions under which a step evaluates it, outermost first.
    moved: Vec<(VarId, Expr, Vec<Expr>)>,
    /// The conditions around the current term.
    guards: Vec<Expr>,
    /// Variables that stay in the loop, and are the same in each step all the same.
    cheap: BTreeMap<VarId, Expr>,
    arrays: bool,
    /// Whether the current term may not be evaluated in each step.
    conditional: bool,
    names: &'n mut Names,
}

impl Motion<'_> {
    fn look(&mut self, e: &Expr) -> (usize, u32, bool) {
        let at = self.facts.len();
        let least = self.least(e);
        self.facts.push(Fact { binder: usize::MAX, cost: 0, pure: true, least, end: 0 });
        let mut all = (usize::MAX, own_cost(e), !matches!(e.kind(), Kind::App(..) | Kind::Lam(..)));
        if let Kind::Var(v) = e.kind() {
            all.0 = self.binders.get(v).copied().unwrap_or(usize::MAX);
        }
        let children = e.children();
        let last = children.len().wrapping_sub(1);
        for (k, c) in children.into_iter().enumerate() {
            if k == last {
                let value = at + 1;
                let moves = |f: &Fact| self.leaves(value, f) || self.may_be_copied(value);
                let same = matches!(e.kind(), Kind::Let(..)) && self.facts.get(value).is_some_and(moves);
                let own = if same { usize::MAX } else { at + 1 };
                self.binders.extend(e.binders().into_iter().map(|v| (v, own)));
            }
            let outside = self.conditional;
            self.conditional |= may_not_run(e, k);
            let part = self.look(c);
            self.conditional = outside;
            all = (all.0.min(part.0), all.1.saturating_add(part.1), all.2 && part.2);
        }
        let end = self.facts.len();
        let own = &mut self.facts[at];
        (own.binder, own.cost, own.pure, own.end) = (all.0, all.1, all.2, end);
        all
    }

    /// Whether the value of a node is the same in each step.
    fn is_same(&self, at: usize) -> bool {
        self.facts[at].binder > at && self.facts[at].pure
    }

    /// Whether a node is to be moved.
    fn leaves(&self, at: usize, f: &Fact) -> bool {
        f.least.is_some_and(|least| f.cost >= least) && self.is_same(at)
    }

    /// Whether a node is the same in each step and may be evaluated once more.
    fn may_be_copied(&self, at: usize) -> bool {
        self.is_same(at) && self.facts[at].cost < self.facts[at].least.unwrap_or(DEAR)
    }

    fn least(&self, e: &Expr) -> Option<u32> {
        match (e.kind(), e.ty()) {
            (Kind::Let(..) | Kind::Tuple(_), _) | (Kind::Array(_), Type::Array(_, 1)) | (_, Type::Fn(..)) => None,
            // What a kernel or an array says of its size stays where the shapes can follow it.
            (_, Type::Scalar(Scalar::Usize)) => {
                (e.count(|e| matches!(e.kind(), Kind::Len(..) | Kind::Call(..))) == 0).then_some(LOOP)
            }
            (_, Type::Scalar(_)) => Some(DEAR),
            _ => (self.arrays && !self.conditional && !is_part(e)).then_some(DEAR),
        }
    }

    /// Takes out of `e`, the node `at`, what leaves the loop.
    fn extract(&mut self, e: &mut Expr, at: &mut usize) {
        let own = *at;
        if self.leaves(own, &self.facts[own]) {
            let x = self.names.fresh("fixed");
            let variable = build::var(x, e.ty().clone(), e.origin());
            let term = std::mem::replace(e, variable);
            self.leave(x, term);
            *at = self.facts[own].end;
            return;
        }
        *at += 1;
        if let Kind::Let(x, a, b) = &mut e.kind {
            let (x, value) = (*x, own + 1);
            if self.leaves(value, &self.facts[value]) {
                let term = take(a);
                self.leave(x, term);
                *e = take(b);
                *at = self.facts[value].end;
                return self.extract(e, at);
            }
            if self.may_be_copied(value) {
                self.cheap.insert(x, (**a).clone());
                *at = self.facts[value].end;
                self.extract(b, at);
                if !b.mentions(x) {
                    *e = take(b);
                }
                return;
            }
        }
        for k in 0..e.children().len() {
            let guard = self.guard(e, k, own);
            if may_not_run(e, k) && guard.is_none() {
                *at = self.facts[*at].end;
                continue;
            }
            let outside = self.guards.len();
            self.guards.extend(guard);
            if let Some(c) = e.children_mut().into_iter().nth(k) {
                self.extract(c, at);
            }
            self.guards.truncate(outside);
        }
    }

    /// The condition of a branch, if it is the same in each step and cheap: what left an inner loop stands in
    /// such branches.
    fn guard(&mut self, e: &Expr, k: usize, at: usize) -> Option<Expr> {
        let Kind::If(c, ..) = e.kind() else { return None };
        if k != 1 || !self.is_same(at + 1) || self.facts[at + 1].cost > COUNT || binds(c) {
            return None;
        }
        let mut c = c.renamed(self.names);
        self.with_values(&mut c);
        Some(c)
    }

    fn leave(&mut self, x: VarId, mut term: Expr) {
        self.with_values(&mut term);
        self.moved.push((x, term, self.guards.clone()));
    }

    /// Puts the values of variables that stay in their place.
    fn with_values(&mut self, e: &mut Expr) {
        while let Kind::Var(v) = e.kind()
            && let Some(value) = self.cheap.get(v)
        {
            *e = value.renamed(self.names);
        }
        e.children_mut().into_iter().for_each(|c| self.with_values(c));
    }
}
