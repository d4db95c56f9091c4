//! Loop-invariant code motion.
//!
//! ```text
//! build n (λi. C[e])   ⟶   let t = if n > 0 then e else 0 in build n (λi. C[t])                 e a scalar
//! build n (λi. C[e])   ⟶   if n > 0 then let t = e in build n (λi. C[t]) else build n (λi. 0)   e an array
//! ```
//!
//! and likewise for `sum` and `ifold`, for the largest terms `e` that use no variable of the loop, that every iteration
//! evaluates, and that cost more than LLVM moves or than a copy. If the count is a positive constant, there is no
//! condition. Inner loops first: a term that leaves one of them may then leave the next.
//!
//! Keeps: nothing is evaluated that was not; a loop without iterations evaluates no part of its body. Costs: an array
//! that lived for one iteration lives as long as the loop.
//!
//! Not done: terms of folds that end early; terms that call functions from outside; sizes and indices that are mere
//! arithmetic, which the shapes track best in place; an array out of two loops if the inner one may have no iterations.

use crate::analysis::cost::{self, GUARD, HOIST, LOOP, Place};
use crate::analysis::terms::{has_binders, is_part};
use crate::fsmooth::edit::Edits;
use crate::fsmooth::{Build, Combine, Expr, IFold, Kernel, Kind, Monoid, Reduce, Slot, build, take};
use crate::mapped::{Mapped, PushAll};
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::sorted::Map;
use crate::span::Origin;
use crate::ty::{Scalar, Type};
use crate::value::Lit;

/// Moves all such terms. Returns whether there were any.
pub(super) fn apply(kernel: &mut Kernel) -> bool {
    let mut changed = false;
    let names = &mut kernel.names;
    kernel.body.each_mut(&mut |e| changed |= hoist(e, names));
    changed
}

/// Moves terms out of one loop. Returns whether there were any.
fn hoist(e: &mut Expr, names: &mut Names) -> bool {
    let o = e.origin();
    let Some(own) = e.as_loop() else { return false };
    // A fold that ends before its first iteration evaluates no part of its body.
    if e.part(Slot::Test).is_some() {
        return false;
    }
    let steps = match own.count.kind() {
        Kind::Lit(l) => l.as_int(),
        _ => None,
    };
    if steps == Some(0) {
        return false;
    }
    let always = steps.is_some();
    let without = if always { None } else { Without::of(e, names) };
    let mut motion = Motion {
        facts: vec![],
        binders: Map::new(),
        moved: vec![],
        guards: vec![],
        edits: Edits::default(),
        conditional: false,
        cheap: Map::new(),
        arrays: always || without.is_some(),
        names,
    };
    for v in e.binders() {
        motion.binders.insert(v, 0);
    }
    let Some(body) = e.part_mut(Slot::Body) else { return false };
    motion.look(body);
    if !(0..motion.facts.len()).any(|k| motion.leaves(k)) {
        return false;
    }
    motion.decide(body, 0);
    let Motion { moved, edits, cheap, .. } = motion;
    edits.apply(body);
    drop_unused(body, &cheap);
    let guarded = |own: Option<&Expr>| -> Vec<(VarId, Expr)> {
        let guards = |(x, t, guards): &(VarId, Expr, Vec<Expr>)| (*x, under(own.into_iter().chain(guards), t.clone()));
        moved.iter().mapped(guards)
    };
    if always {
        wrap(e, guarded(None));
    } else if moved.iter().all(|(_, t, _)| t.ty().scalar().is_some()) {
        let (count, condition) = condition(e, names);
        wrap(e, count.into_iter().chain(guarded(Some(&condition))).collect_vec());
    } else if let Some(without) = without {
        let start = start(e, names);
        let (count, condition) = condition(e, names);
        let none = without.value(e, names);
        wrap(e, guarded(None));
        let some = take(e);
        *e = build::branch(condition, some, none, o);
        wrap(e, start.into_iter().chain(count).collect_vec());
    }
    true
}

/// A scalar under conditions that have no binders, zero elsewhere.
pub(super) fn under<'e>(conditions: impl Iterator<Item = &'e Expr>, mut t: Expr) -> Expr {
    let o = t.origin();
    let Some(zero) = zero(t.ty(), o) else { return t };
    let mut distinct: Vec<Expr> = vec![];
    for c in conditions {
        if !distinct.contains(c) {
            distinct.push(c.clone());
        }
    }
    // A term that left an inner loop is already under conditions, which are not repeated.
    while let Kind::If(c, _, no) = t.kind()
        && **no == zero
        && distinct.contains(c)
        && let Some(yes) = t.part_mut(Slot::Then)
    {
        t = take(yes);
    }
    distinct.into_iter().rev().fold(t, |t, c| build::branch(c, t, zero.clone(), o))
}

/// `let x̄ = ē in` around a term.
pub(super) fn wrap(e: &mut Expr, lets: Vec<(VarId, Expr)>) {
    for (x, t) in lets.into_iter().rev() {
        let o = t.origin();
        let body = take(e);
        *e = build::bind(x, t, body, o);
    }
}

/// The name and value of a loop's count, if the count must not be repeated; and the condition that the loop has
/// iterations.
pub(super) fn condition(e: &mut Expr, names: &mut Names) -> (Option<(VarId, Expr)>, Expr) {
    let o = e.origin();
    let mut bound = None;
    let Some(count) = e.part_mut(Slot::Count) else { unreachable!("a loop has a count") };
    if cost::of(count, Place::Here) > GUARD || has_binders(count) {
        let n = names.fresh("count");
        let value = std::mem::replace(count, build::var(n, Type::USIZE, o));
        bound = Some((n, value));
    }
    let count = count.renamed(names);
    (bound, build::prim(Prim::Gt, vec![count, build::index(0, o)], o))
}

/// A name for a fold's initial state, unless the state may be repeated.
fn start(e: &mut Expr, names: &mut Names) -> Option<(VarId, Expr)> {
    let o = e.origin();
    let Kind::IFold(IFold { init, .. }) = &mut e.kind else { return None };
    if is_there(init) {
        return None;
    }
    let x = names.fresh("start");
    let variable = build::var(x, init.ty().clone(), o);
    Some((x, std::mem::replace(&mut **init, variable)))
}

/// The value of a loop without iterations, as far as its body determines it. The count and the initial state are read
/// from the loop later: [`value`](Without::value).
enum Without {
    /// A reduction of nothing.
    Neutral(Expr),
    /// No elements of this shape.
    Elements(VarId, Expr),
    InitialState,
}

impl Without {
    /// `None` if the value has no term that may be repeated.
    fn of(e: &Expr, names: &mut Names) -> Option<Without> {
        let zeros = zero(e.ty(), e.origin());
        match e.kind() {
            Kind::Reduce(Reduce { with: Combine::Named(with), .. }) => {
                neutral(*with, e.ty(), e.origin()).map(Without::Neutral)
            }
            Kind::Reduce(Reduce { with: Combine::Function(f), .. }) => {
                is_there(&f.init).then_some(Without::InitialState)
            }
            Kind::IFold(IFold { init, .. }) => (is_there(init) || zeros.is_some()).then_some(Without::InitialState),
            Kind::Build(Build { index, body, .. }) => {
                let element = empty_element(body, &mut vec![*index], names)?;
                Some(Without::Elements(names.again(*index), element))
            }
            _ => None,
        }
    }

    /// The value of the loop `e`, whose count and initial state may have names by now.
    fn value(self, e: &Expr, names: &mut Names) -> Expr {
        match self {
            Without::Neutral(value) => value,
            Without::Elements(i, element) => {
                let count = e.part(Slot::Count).expect("a loop has a count").renamed(names);
                build::build(count, i, element, e.origin())
            }
            Without::InitialState => e.part(Slot::Init).expect("a fold has an initial state").renamed(names),
        }
    }
}

/// Whether a term may be repeated: a name, a cheap array, or a tuple of these.
fn is_there(e: &Expr) -> bool {
    match e.kind() {
        Kind::Lit(_) | Kind::Var(_) => true,
        Kind::Build(_) => cost::of_element(e) <= 1,
        Kind::Tuple(es) => es.iter().all(is_there),
        _ => is_part(e),
    }
}

/// The value of a named reduction without terms.
fn neutral(with: Monoid, t: &Type, o: Origin) -> Option<Expr> {
    match t {
        Type::Scalar(s) => Some(build::lit(with.empty(*s), o)),
        Type::Tuple(ts) => Some(build::tuple(ts.iter().map(|t| neutral(with, t, o)).all_some()?, o)),
        _ => None,
    }
}

/// Zeros of a type without arrays.
fn zero(t: &Type, o: Origin) -> Option<Expr> {
    match t {
        Type::Scalar(s) => Some(build::lit(Lit::zero(*s), o)),
        Type::Tuple(ts) => Some(build::tuple(ts.iter().map(|t| zero(t, o)).all_some()?, o)),
        _ => None,
    }
}

/// A term of the shape of an element that is never computed; `None` where its extents mention a `bound` variable.
fn empty_element(e: &Expr, bound: &mut Vec<VarId>, names: &mut Names) -> Option<Expr> {
    match e.kind() {
        _ if !e.ty().is_array() => zero(e.ty(), e.origin()),
        Kind::Build(Build { count: n, index: j, body }) if !bound.iter().any(|v| n.mentions(*v)) => {
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

/// A node of the body.
struct Fact {
    /// The lowest number of a binder of a variable of the term: the loop has the number 0, and the node `k` of the body
    /// `k + 1`. If it exceeds the term's own `k`, the term itself binds the variable.
    binder: usize,
    cost: u32,
    pure: bool,
    /// The lowest cost at which it is moved; `None` if a name cannot replace it.
    least: Option<u32>,
    end: usize,
}

struct Motion<'n> {
    /// One for each node of the body, parents first.
    facts: Vec<Fact>,
    /// The nodes that bind variables; none for variables whose value is loop-invariant.
    binders: Map<VarId, usize>,
    /// The terms that leave the loop, with the conditions under which an iteration evaluates them, outermost first.
    moved: Vec<(VarId, Expr, Vec<Expr>)>,
    /// The conditions around the current term.
    guards: Vec<Expr>,
    /// Loop-invariant variables that stay in the loop because they are cheap.
    cheap: Map<VarId, Expr>,
    /// The changes to the body.
    edits: Edits,
    arrays: bool,
    /// Whether an iteration may skip the current term.
    conditional: bool,
    names: &'n mut Names,
}

impl Motion<'_> {
    fn look(&mut self, e: &Expr) -> (usize, u32, bool) {
        let at = self.facts.len();
        let least = self.least(e);
        self.facts.push(Fact { binder: usize::MAX, cost: 0, pure: true, least, end: 0 });
        let mut all = (usize::MAX, cost::of_node(e, Place::Here), !matches!(e.kind(), Kind::App(..) | Kind::Lam(..)));
        if let Kind::Var(v) = e.kind() {
            all.0 = self.binders.get(v).copied().unwrap_or(usize::MAX);
        }
        let mut value = None;
        for (slot, c) in e.parts() {
            if slot == Slot::Value {
                value = Some(self.facts.len());
            }
            if slot.is_scope() {
                let same = value.is_some_and(|value| self.leaves(value) || self.may_be_copied(value));
                let own = if same { usize::MAX } else { at + 1 };
                self.binders.extend(e.binders().into_iter().map(|v| (v, own)));
            }
            let outside = self.conditional;
            self.conditional |= !slot.role().is_once();
            let part = self.look(c);
            self.conditional = outside;
            all = (all.0.min(part.0), all.1.saturating_add(part.1), all.2 && part.2);
        }
        let end = self.facts.len();
        let own = &mut self.facts[at];
        (own.binder, own.cost, own.pure, own.end) = (all.0, all.1, all.2, end);
        all
    }

    /// Whether the value of a node is loop-invariant.
    fn is_same(&self, at: usize) -> bool {
        self.facts[at].binder > at && self.facts[at].pure
    }

    /// Whether a node is to be moved.
    fn leaves(&self, at: usize) -> bool {
        let f = &self.facts[at];
        f.least.is_some_and(|least| f.cost >= least) && self.is_same(at)
    }

    /// Whether the value of a node is loop-invariant and cheap to compute once more.
    fn may_be_copied(&self, at: usize) -> bool {
        self.is_same(at) && self.facts[at].cost < self.facts[at].least.unwrap_or(HOIST)
    }

    fn least(&self, e: &Expr) -> Option<u32> {
        match (e.kind(), e.ty()) {
            (Kind::Let(..) | Kind::Tuple(_), _) | (Kind::Array(_), Type::Array(_, 1)) | (_, Type::Fn(..)) => None,
            // The size of a kernel's or an array's result stays where the shapes can track it.
            (_, Type::Scalar(Scalar::Usize)) => {
                (e.count(|e| matches!(e.kind(), Kind::Len(..) | Kind::Call(..))) == 0).then_some(LOOP)
            }
            (_, Type::Scalar(_)) => Some(HOIST),
            // A copy would cost as much as the array, which the loop reads by elements and therefore does not store.
            (Kind::Build(_), _) if cost::of_element(e) <= 1 => None,
            _ => (self.arrays && !self.conditional && !is_part(e)).then_some(HOIST),
        }
    }

    /// Decides which terms of `e`, the node `at`, leave the loop.
    fn decide(&mut self, e: &Expr, at: usize) {
        if self.leaves(at) {
            let x = self.names.fresh("fixed");
            self.edits.replace.insert(at, build::var(x, e.ty().clone(), e.origin()));
            return self.leave(x, e.clone());
        }
        let (mut next, mut condition) = (at + 1, None);
        for (slot, part) in e.parts() {
            let own = next;
            next = self.facts[own].end;
            if slot == Slot::Condition {
                condition = Some((part, own));
            }
            if let (Kind::Let(x, ..), Slot::Value) = (e.kind(), slot) {
                if self.leaves(own) {
                    self.leave(*x, part.clone());
                    self.edits.unwrap.insert(at);
                    continue;
                }
                if self.may_be_copied(own) {
                    self.cheap.insert(*x, part.clone());
                    continue;
                }
            }
            let guard = condition.filter(|_| slot == Slot::Then).and_then(|(c, k)| self.guard(c, k));
            if !slot.role().is_once() && guard.is_none() {
                continue;
            }
            let outside = self.guards.len();
            self.guards.push_all(guard);
            self.decide(part, own);
            self.guards.truncate(outside);
        }
    }

    /// The condition of a branch, if it is loop-invariant and cheap. Terms that left an inner loop are in such
    /// branches.
    fn guard(&mut self, condition: &Expr, at: usize) -> Option<Expr> {
        if !self.is_same(at) || self.facts[at].cost > GUARD {
            return None;
        }
        let mut c = condition.renamed(self.names);
        self.with_values(&mut c);
        // It is written in front of each term.
        (!has_binders(&c)).then_some(c)
    }

    fn leave(&mut self, x: VarId, mut term: Expr) {
        self.with_values(&mut term);
        self.moved.push((x, term, self.guards.clone()));
    }

    /// Substitutes the values of variables that stay.
    fn with_values(&mut self, e: &mut Expr) {
        while let Kind::Var(v) = e.kind()
            && let Some(value) = self.cheap.get(v)
        {
            *e = value.renamed(self.names);
        }
        e.each_child_mut(&mut |c| self.with_values(c));
    }
}

/// `let x = a in b ⟶ b` for those of the `values` that nothing mentions any more.
fn drop_unused(e: &mut Expr, values: &Map<VarId, Expr>) {
    e.each_mut(&mut |e| {
        while let Kind::Let(x, _, b) = &mut e.kind
            && values.contains_key(x)
            && !b.mentions(*x)
        {
            *e = take(b);
        }
    });
}
