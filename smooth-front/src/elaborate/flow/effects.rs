//! The effects of statements: the variables that they assign, and the places that they jump to.
//!
//! ```text
//! assigned (x = e)        = {x} ∪ assigned e
//! assigned {let y; s̄}     = assigned s̄ ∖ {y}
//! exits (while c {s̄})     = (exits c ∪ exits s̄) ∖ {break, continue}
//! diverges (if c {s̄} else {t̄}) = diverges s̄ ∧ diverges t̄
//! ```
//!
//! Effects depend on names alone, so that they are known before a term is elaborated: the state of a loop is the tuple of
//! the variables that it assigns. A declaration has a number, larger than those of all earlier ones. So the variables from
//! outside of a term are those with numbers below the first one inside.

use crate::elaborate::context::scope::token;
use crate::link::Export;
use crate::mapped::{Mapped, PushAll};
use crate::sorted::Map;
use crate::surface::{
    self, Arm, Case, Child, Expr, ExprKind, Function, NodeId, Pattern, Source, Stmt, assigns_to_its_receiver,
};
use proc_macro2::Ident;
use std::rc::Rc;

/// The target of an exit: the end of the function, closure, loop or block with this number, or the next iteration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Target {
    Return(NodeId),
    Break(NodeId),
    Continue(NodeId),
}

/// The exits of a term to one target.
#[derive(Clone)]
pub(crate) struct Site {
    /// The number of exits.
    pub(crate) count: usize,
    /// The number of the first one, and its value.
    pub(crate) exit: NodeId,
    pub(crate) value: Option<Rc<Expr>>,
    /// The declaration after the newest one that the value mentions.
    newest: usize,
}

/// The names through which a variable is assigned, with their declarations: the one in the assignment, then, as long as
/// that is a mutable reference, the one that it borrows. The last one is the variable.
type Way = Rc<[(usize, Ident)]>;

/// The effects of a term.
#[derive(Clone, Default)]
pub(crate) struct Effects {
    /// The variables from outside of it that it assigns, by the number of their declaration.
    assigned: Map<usize, Way>,
    /// Its exits to places outside of it.
    pub(crate) exits: Map<Target, Site>,
    /// Whether it never completes.
    pub(crate) diverges: bool,
    /// Whether there is an assertion in it.
    pub(crate) asserts: bool,
    /// The number of the first declaration inside.
    start: usize,
}

impl Effects {
    /// Adds the effects of a part.
    fn add(&mut self, part: Effects) {
        self.assigned.extend(part.assigned);
        for (target, site) in part.exits {
            self.exits.entry(target).and_modify(|s| s.count += site.count).or_insert(site);
        }
        self.diverges |= part.diverges;
        self.asserts |= part.asserts;
    }

    fn is_none(&self) -> bool {
        self.assigned.is_empty() && self.exits.is_empty() && !self.diverges && !self.asserts
    }

    /// Whether it panics on every path that does not run forever.
    pub(crate) fn fails(&self) -> bool {
        self.diverges && self.asserts && self.exits.is_empty()
    }

    /// Whether it assigns a variable of this name, and has no other effect.
    pub(crate) fn only_assigns(&self, name: &Ident) -> bool {
        self.exits.is_empty() && !self.diverges && self.assigned().all(|i| surface::same_name(i, name))
    }

    /// The assigned variables, by names that are visible before the term. A variable's own name may be shadowed at that point;
    /// the first alias declared outside the term cannot be.
    pub(crate) fn assigned(&self) -> impl Iterator<Item = &Ident> {
        self.assigned.values().filter_map(|way| way.iter().find(|(n, _)| *n < self.start)).map(|(_, i)| i)
    }

    /// Whether the value of an exit may be computed after the term instead: there is one such exit, and the value
    /// depends on variables from outside only, which keep their values from the exit on.
    pub(crate) fn may_wait(&self, site: &Site) -> bool {
        site.count == 1 && site.newest <= self.start
    }
}

/// The effects of all terms of a function that have any, and the targets of its exits, by their numbers.
#[derive(Default)]
pub(crate) struct Table {
    pub(crate) effects: Map<NodeId, Rc<Effects>>,
    pub(crate) targets: Map<NodeId, Target>,
}

/// The effects of the terms of a function.
pub(crate) fn table(f: &Function, linked: &[(syn::Path, Export)], debug_assertions: bool) -> Table {
    let changing = linked.iter().map(|(p, e)| (surface::path_key(p), e.changed()));
    let changing = changing.filter(|(_, changed)| changed.contains(&true)).collect();
    let mut w = Walk { function: f.body.id, changing, debug_assertions, ..Walk::default() };
    f.params.iter().for_each(|p| w.declare(&p.pattern, None));
    w.declare_token();
    w.expr(&f.body);
    w.table
}

/// A loop or a block with a label, around the current term.
struct Around {
    id: NodeId,
    label: Option<String>,
    is_loop: bool,
}

#[derive(Default)]
struct Walk {
    table: Table,
    /// The declarations of each name, innermost last.
    names: Map<String, Vec<usize>>,
    /// The names in the order of declaration, to take them out of scope.
    declared: Vec<String>,
    /// For each declaration, the way to the variable: itself alone, unless it is a mutable reference.
    ways: Vec<Way>,
    around: Vec<Around>,
    /// The function or closure around the term.
    function: NodeId,
    /// The declarations that were mentioned, in order.
    mentions: Vec<usize>,
    /// The kernels that change arguments, by their paths, and which.
    changing: Map<String, Vec<bool>>,
    /// Whether `debug_assert!` and its like hold.
    debug_assertions: bool,
}

impl Walk {
    fn declare_name(&mut self, i: &Ident, borrowed: Option<&Way>) {
        let (key, number) = (surface::key(i), self.ways.len());
        self.names.entry(key.clone()).or_default().push(number);
        self.declared.push(key);
        let own = (number, i.clone());
        self.ways.push(std::iter::once(own).chain(borrowed.into_iter().flat_map(|w| w.iter().cloned())).collect());
    }

    fn declare(&mut self, p: &Pattern, borrowed: Option<&Way>) {
        p.names().into_iter().for_each(|i| self.declare_name(i, borrowed));
    }

    /// The variable that the probes of a function or closure assign.
    fn declare_token(&mut self) {
        self.declare_name(&token(), None);
    }

    fn assign_token(&self, own: &mut Effects) {
        let way = self.find(&token()).map(|n| self.ways[n].clone());
        own.assigned.extend(way.and_then(|w| Some((w.last()?.0, w))));
    }

    fn find(&self, i: &Ident) -> Option<usize> {
        self.names.get(&surface::key(i)).and_then(|ns| ns.last().copied())
    }

    /// Ends the scope of the names from the `count`th on.
    fn leave(&mut self, count: usize) {
        for key in self.declared.drain(count..) {
            self.names.get_mut(&key).map(Vec::pop);
        }
    }

    /// The way to the variable that a place is a part of.
    fn way(&self, place: &Expr) -> Option<Way> {
        match &place.kind {
            ExprKind::Path(p) => Some(self.ways[self.find(p.get_ident()?)?].clone()),
            ExprKind::Field(a, _) | ExprKind::Index(a, _) | ExprKind::Slice(a, ..) => self.way(a),
            ExprKind::Same(a) | ExprKind::Borrow(a) => self.way(a),
            _ => None,
        }
    }

    fn assign(&mut self, place: &Expr, own: &mut Effects) {
        match &place.kind {
            ExprKind::Tuple(places) => places.iter().for_each(|p| self.assign(p, own)),
            _ => own.assigned.extend(self.way(place).and_then(|w| Some((w.last()?.0, w)))),
        }
    }

    fn all<'e>(&mut self, es: impl IntoIterator<Item = &'e Expr>, own: &mut Effects) {
        es.into_iter().for_each(|e| own.add(self.expr(e)));
    }

    fn expr(&mut self, e: &Expr) -> Effects {
        let (start, scope) = (self.ways.len(), self.declared.len());
        let mut own = Effects { start, ..Effects::default() };
        self.form(e, &mut own);
        self.leave(scope);
        drop(own.assigned.split_off(&start));
        if !own.is_none() {
            self.table.effects.insert(e.id, Rc::new(own.clone()));
        }
        own
    }

    fn form(&mut self, e: &Expr, own: &mut Effects) {
        match &e.kind {
            ExprKind::Path(p) => self.mentions.push_all(p.get_ident().and_then(|i| self.find(i))),
            ExprKind::Assign(_, place, value) => {
                self.all([&**value, &**place], own);
                self.assign(place, own);
            }
            ExprKind::Borrow(a) => {
                self.all([&**a], own);
                self.assign(a, own);
            }
            ExprKind::Method(a, m, args) => {
                self.all(std::iter::once(&**a).chain(args), own);
                if assigns_to_its_receiver(m) {
                    self.assign(a, own);
                }
            }
            ExprKind::Call(f, args) => {
                self.all(std::iter::once(&**f).chain(args), own);
                if let ExprKind::Path(path) = &f.kind
                    && path.get_ident().is_none_or(|i| self.find(i).is_none())
                    && let Some(changed) = self.changing.get(&surface::path_key(path)).cloned()
                {
                    args.iter().zip(changed).filter(|(_, changed)| *changed).for_each(|(a, _)| self.assign(a, own));
                }
            }
            ExprKind::If(c, a, b) => {
                self.all([&**c], own);
                let (a, b) = (self.expr(a), self.expr(b));
                self.alternatives([a, b], own);
            }
            ExprKind::Match(value, arms) => {
                self.all([&**value], own);
                let arms: Vec<Effects> = arms.iter().mapped(|a| self.arm(a));
                self.alternatives(arms, own);
            }
            ExprKind::Block(stmts, last) => {
                stmts.iter().for_each(|s| self.statement(s, own));
                self.all([&**last], own);
            }
            ExprKind::Closure(c) => {
                let outer = (std::mem::take(&mut self.around), std::mem::replace(&mut self.function, e.id));
                c.params.iter().for_each(|p| self.declare(p, None));
                self.declare_token();
                self.expr(&c.body);
                (self.around, self.function) = outer;
            }
            ExprKind::For(f) => {
                self.all(f.items.exprs(), own);
                for (p, source) in f.items.parts(&f.pattern) {
                    let borrowed = match source {
                        Some(Source::Elements { array, mutable: true }) => self.way(array),
                        _ => None,
                    };
                    self.declare(p, borrowed.as_ref());
                }
                self.repeat(e.id, &f.label, [&f.body], own);
                own.diverges = false;
            }
            ExprKind::While(label, c, body) => {
                self.repeat(e.id, label, [&**c, &**body], own);
                own.diverges = false;
            }
            ExprKind::Loop(label, body) => {
                own.diverges = !self.repeat(e.id, label, [&**body], own);
            }
            ExprKind::Labelled(label, body) => {
                let leaves = self.inside(e.id, (Some(label), false), [&**body], own);
                own.diverges &= !leaves;
            }
            ExprKind::Break(label, value) => {
                let label = label.as_ref().map(|l| surface::key(&l.ident));
                let found = self.around.iter().rev().find(|a| match &label {
                    Some(_) => a.label == label,
                    None => a.is_loop,
                });
                let target = found.map(|a| Target::Break(a.id));
                self.exit(e, target, value.as_deref(), own);
            }
            ExprKind::Continue(label) => {
                let label = label.as_ref().map(|l| surface::key(&l.ident));
                let found = self.around.iter().rev().find(|a| a.is_loop && (label.is_none() || a.label == label));
                let target = found.map(|a| Target::Continue(a.id));
                self.exit(e, target, None, own);
            }
            ExprKind::Return(value) => self.exit(e, Some(Target::Return(self.function)), value.as_deref(), own),
            ExprKind::Dbg(d) => {
                self.all(&d.value, own);
                self.assign_token(own);
            }
            ExprKind::Assert(a) => {
                let mut parts = Effects { start: own.start, ..Effects::default() };
                self.all(a.exprs(), &mut parts);
                // Where it does not hold, its parts are looked at, but do nothing.
                if self.debug_assertions || !a.debug {
                    own.add(parts);
                }
                own.asserts = true;
                own.diverges |= a.claim.is_never();
            }
            _ => {
                for c in e.children() {
                    match c {
                        Child::Expr(e) => self.all([e], own),
                        Child::Pattern(p) => self.declare(p, None),
                        Child::Case(_) => {}
                    }
                }
            }
        }
    }

    fn statement(&mut self, s: &Stmt, own: &mut Effects) {
        match s {
            Stmt::Let(p, e) => {
                // A mutable reference assigns where it is used.
                let borrowed = if let ExprKind::Borrow(place) = &e.kind { self.way(place) } else { None };
                match &e.kind {
                    ExprKind::Borrow(place) => self.all([&**place], own),
                    _ => self.all([e], own),
                }
                self.declare(p, borrowed.as_ref());
            }
            Stmt::Declare(p) => self.declare(p, None),
            Stmt::Do(e) => self.all([e], own),
        }
    }

    fn arm(&mut self, arm: &Arm) -> Effects {
        let (start, scope) = (self.ways.len(), self.declared.len());
        let mut own = Effects::default();
        self.all(arm.patterns.iter().flat_map(Case::exprs), &mut own);
        let names: Vec<&Ident> = arm.patterns.first().map_or(vec![], Case::names);
        names.into_iter().for_each(|i| self.declare_name(i, None));
        self.all(arm.guard.iter().chain([&arm.body]), &mut own);
        self.leave(scope);
        drop(own.assigned.split_off(&start));
        own
    }

    /// Adds the effects of alternative parts, one of which runs.
    fn alternatives(&mut self, parts: impl IntoIterator<Item = Effects>, own: &mut Effects) {
        let before = own.diverges;
        let mut all = true;
        for part in parts {
            all &= part.diverges;
            own.add(part);
        }
        own.diverges = before || all;
    }

    /// The parts of a loop. Returns whether one leaves it.
    fn repeat<'e>(
        &mut self,
        id: NodeId,
        label: &Option<syn::Lifetime>,
        parts: impl IntoIterator<Item = &'e Expr>,
        own: &mut Effects,
    ) -> bool {
        self.inside(id, (label.as_ref(), true), parts, own)
    }

    fn inside<'e>(
        &mut self,
        id: NodeId,
        (label, is_loop): (Option<&syn::Lifetime>, bool),
        parts: impl IntoIterator<Item = &'e Expr>,
        own: &mut Effects,
    ) -> bool {
        self.around.push(Around { id, label: label.map(|l| surface::key(&l.ident)), is_loop });
        self.all(parts, own);
        self.around.pop();
        own.exits.remove(&Target::Continue(id));
        own.exits.remove(&Target::Break(id)).is_some()
    }

    fn exit(&mut self, e: &Expr, target: Option<Target>, value: Option<&Expr>, own: &mut Effects) {
        let (from, start) = (self.mentions.len(), self.ways.len());
        self.all(value, own);
        let newest = self.mentions[from..].iter().filter(|m| **m < start).max().map_or(0, |m| m + 1);
        // A value with effects cannot be computed later.
        let newest = if own.is_none() { newest } else { usize::MAX };
        own.diverges = true;
        let Some(target) = target else { return };
        self.table.targets.insert(e.id, target);
        let site = Site { count: 1, exit: e.id, value: value.map(|v| Rc::new(v.clone())), newest };
        own.add(Effects { exits: Map::from([(target, site)]), diverges: true, ..Effects::default() });
    }
}
