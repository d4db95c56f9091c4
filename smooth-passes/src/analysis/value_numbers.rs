//! Value numbering: terms get one number if they have one value wherever both occur.
//!
//! ```text
//! number (let x = a in b)    =  number b, where x has the number of a; if a may panic and b may not need x,
//!                               the number of both
//! number (build n (λi. e))   =  number (build n (λj. e[j/i]))          the names of loop variables do not matter
//! ```
//!
//! One walk over the tree, children first; equal keys get equal numbers from a map. A loop's variables are keyed by the
//! loop's height, the number of loops nested in it: equal loops have equal heights, and the loops around a term have
//! different ones. The keys of an open term thus do not say *which* loop of that height is meant; the number of an
//! occurrence is its key together with the loop variables that its value depends on.
//!
//! A term that calls a function from outside has a unique number: two such calls may differ.

use super::cost::{self, Place};
use crate::fsmooth::{Combine, Expr, Kind, Monoid, Order, Reduce, Slot};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::Prim;
use crate::sorted::{Map, Set};
use crate::value::Lit;

/// A node of a term. Nodes are numbered parents first, in the order of evaluation.
#[derive(Debug)]
pub(crate) struct Node<'e> {
    /// The term.
    pub term: &'e Expr,
    /// The node above; the root's is the root.
    pub parent: usize,
    /// Its place in that node.
    pub slot: Slot,
    /// Nodes above.
    pub depth: usize,
    /// The first node after those of the term.
    pub end: usize,
    /// The outermost term that is evaluated exactly when this one is, as far as the syntax shows: a branch, the body of
    /// a loop, or the root.
    pub region: usize,
    /// The cost of evaluating it once.
    pub cost: u32,
    /// Whether it calls no function from outside.
    pub pure: bool,
    /// Whether evaluating it, or a value that it names, may panic.
    panics: bool,
    /// The number of its value.
    pub value: u32,
    jump: usize,
}

/// A term with the numbers of all its nodes.
#[derive(Debug, Default)]
pub(crate) struct ValueNumbers<'e> {
    /// Parents first.
    pub nodes: Vec<Node<'e>>,
    heights: Vec<u32>,
    keys: Map<Key, u32>,
    /// Sets of loop variables; the first is empty.
    sets: Vec<Vec<VarId>>,
    set_of: Map<Vec<VarId>, usize>,
    values: Map<(u32, usize), u32>,
    bound: Map<VarId, (u32, usize)>,
    /// The nodes that bind the variables.
    binder: Map<VarId, usize>,
    /// The variables of `let`s whose values may panic.
    partial: Set<VarId>,
    /// The variables of `let`s that are evaluated whenever the scope of the `let` is.
    needed: Set<VarId>,
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Key {
    Var(VarId),
    Loop(u32, u8),
    Lit(Lit),
    Const(usize),
    Node(Tag, Vec<u32>),
    Unique(usize),
}

#[derive(PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Tag {
    Prim(Prim),
    Let,
    If,
    Build,
    IFold,
    Update(Option<Prim>),
    Reduce(Option<Monoid>, Order),
    Get,
    Len(usize),
    Slice,
    Demand,
    Array,
    Tuple,
    Proj(usize),
    Call(usize),
}

impl<'e> ValueNumbers<'e> {
    /// Numbers a term.
    pub(crate) fn of(e: &'e Expr) -> Self {
        let mut n = ValueNumbers { sets: vec![vec![]], ..ValueNumbers::default() };
        n.set_of.insert(vec![], 0);
        n.height(e);
        n.walk(e, 0, Slot::Operand, 0);
        n
    }

    fn height(&mut self, e: &Expr) -> u32 {
        let at = self.heights.len();
        self.heights.push(0);
        let (mut inner, mut is_loop) = (0, false);
        e.each_part(&mut |slot, c| {
            inner = inner.max(self.height(c));
            is_loop |= slot.role().repeats();
        });
        self.heights[at] = inner + u32::from(is_loop);
        self.heights[at]
    }

    fn walk(&mut self, term: &'e Expr, parent: usize, slot: Slot, region: usize) -> (u32, usize) {
        let at = self.nodes.len();
        // Jump pointers: a node's jump is its parent, or skips as far as the parent's next two jumps together, so that
        // any ancestor is O(log n) away.
        let (depth, jump) = match self.nodes.get(parent) {
            None => (0, 0),
            Some(p) => {
                let far = &self.nodes[p.jump];
                let even = p.depth - far.depth == far.depth - self.nodes[far.jump].depth;
                (p.depth + 1, if even { far.jump } else { parent })
            }
        };
        let node = Node {
            term,
            parent,
            slot,
            depth,
            end: 0,
            region,
            cost: cost::of_node(term, Place::Here),
            pure: !matches!(term.kind(), Kind::App(..) | Kind::Lam(..)),
            panics: self.may_panic(term, region),
            value: 0,
            jump,
        };
        self.nodes.push(node);
        let mut parts = Vec::new();
        for (slot, c) in term.parts() {
            if slot.is_scope() {
                self.enter(term, at, &parts);
            }
            let own = self.nodes.len();
            let inner = if slot.role().is_once() { region } else { own };
            parts.push(self.walk(c, at, slot, inner));
            self.nodes[at].cost = self.nodes[at].cost.saturating_add(self.nodes[own].cost);
            self.nodes[at].pure &= self.nodes[own].pure;
            self.nodes[at].panics |= self.nodes[own].panics;
            if let (Kind::Let(x, ..), Slot::Value) = (term.kind(), slot)
                && self.nodes[own].panics
            {
                self.partial.insert(*x);
            }
        }
        let (key, set) = self.value_of(term, at, &parts);
        let next = self.values.len() as u32;
        self.nodes[at].value = *self.values.entry((key, set)).or_insert(next);
        self.nodes[at].end = self.nodes.len();
        (key, set)
    }

    /// The numbers of the variables that a node binds, given those of its parts outside their scope.
    fn enter(&mut self, term: &Expr, at: usize, parts: &[(u32, usize)]) {
        self.binder.extend(term.binders().into_iter().map(|v| (v, at)));
        if let Kind::Let(x, ..) = term.kind() {
            let number = if self.nodes[at].pure { parts[0] } else { (self.key(Key::Var(*x)), 0) };
            self.bound.insert(*x, number);
        } else {
            for (which, v) in term.binders().into_iter().enumerate() {
                let key = self.key(Key::Loop(self.heights[at], which as u8));
                let set = self.set(vec![v]);
                self.bound.insert(v, (key, set));
            }
        }
    }

    /// Whether a node may panic, its children aside. Notes the variable of a `let` that is sure to be needed: one that
    /// occurs in the region of the `let`.
    fn may_panic(&mut self, term: &Expr, region: usize) -> bool {
        match term.kind() {
            Kind::Var(v) => {
                let Some(binder) = self.binder.get(v).map(|b| &self.nodes[*b]) else { return false };
                if !matches!(binder.term.kind(), Kind::Let(..)) {
                    return false;
                }
                if binder.region == region {
                    self.needed.insert(*v);
                }
                // A name for a term that may panic says that the term did not panic.
                self.partial.contains(v)
            }
            Kind::Prim(p, _) => term.ty().scalar().is_none_or(|s| p.may_panic(s)),
            Kind::Get(..) | Kind::Slice(..) | Kind::Update(_) | Kind::Demand(_) => true,
            Kind::Call(..) | Kind::App(..) => true,
            Kind::Lit(_) | Kind::Const(_) | Kind::Let(..) | Kind::If(..) | Kind::Lam(..) => false,
            Kind::Build(_) | Kind::IFold(_) | Kind::Reduce(_) => false,
            Kind::Len(..) | Kind::Array(_) | Kind::Tuple(_) | Kind::Proj(..) => false,
        }
    }

    fn value_of(&mut self, term: &Expr, at: usize, parts: &[(u32, usize)]) -> (u32, usize) {
        let tag = match term.kind() {
            Kind::Var(v) => {
                return match self.bound.get(v) {
                    Some(number) => *number,
                    None => (self.key(Key::Var(*v)), 0),
                };
            }
            // Its value alone does not say that `x` has one.
            Kind::Let(x, ..) if self.partial.contains(x) && !self.needed.contains(x) => Tag::Let,
            Kind::Let(..) => return parts[1],
            Kind::Lit(l) => return (self.key(Key::Lit(*l)), 0),
            Kind::Const(k) => return (self.key(Key::Const(*k)), 0),
            Kind::App(..) | Kind::Lam(..) => return (self.key(Key::Unique(at)), 0),
            Kind::Prim(p, _) => Tag::Prim(*p),
            Kind::If(..) => Tag::If,
            Kind::Build(_) => Tag::Build,
            Kind::IFold(_) => Tag::IFold,
            Kind::Update(u) => Tag::Update(u.op),
            Kind::Reduce(Reduce { with, order, .. }) => match with {
                Combine::Named(m) => Tag::Reduce(Some(*m), *order),
                Combine::Function(_) => Tag::Reduce(None, *order),
            },
            Kind::Get(..) => Tag::Get,
            Kind::Len(_, axis) => Tag::Len(*axis),
            Kind::Slice(..) => Tag::Slice,
            Kind::Demand(_) => Tag::Demand,
            Kind::Array(_) => Tag::Array,
            Kind::Tuple(_) => Tag::Tuple,
            Kind::Proj(_, k) => Tag::Proj(*k),
            Kind::Call(k, _) => Tag::Call(*k),
        };
        if !self.nodes[at].pure {
            return (self.key(Key::Unique(at)), 0);
        }
        let mut set = parts.iter().fold(0, |s, (_, t)| self.union(s, *t));
        if term.is_loop() {
            let own = term.binders();
            let rest = self.sets[set].iter().copied().filter(|v| !own.contains(v)).collect_vec();
            set = self.set(rest);
        }
        (self.key(Key::Node(tag, parts.iter().mapped(|(key, _)| *key))), set)
    }

    fn key(&mut self, key: Key) -> u32 {
        let next = self.keys.len() as u32;
        *self.keys.entry(key).or_insert(next)
    }

    fn set(&mut self, vs: Vec<VarId>) -> usize {
        if let Some(known) = self.set_of.get(&vs) {
            return *known;
        }
        self.sets.push(vs.clone());
        self.set_of.insert(vs, self.sets.len() - 1);
        self.sets.len() - 1
    }

    fn union(&mut self, a: usize, b: usize) -> usize {
        if a == b || b == 0 {
            return a;
        }
        let vs: Set<VarId> = self.sets[a].iter().chain(&self.sets[b]).copied().collect();
        self.set(vs.into_iter().collect_vec())
    }

    /// Whether the free variables of a term are also in scope around the node `place`.
    pub(crate) fn in_scope(&self, term: &Expr, place: usize) -> bool {
        term.free().iter().all(|v| self.binder.get(v).is_none_or(|b| *b < place))
    }

    /// The parts of a node.
    pub(crate) fn parts(&self, at: usize) -> impl Iterator<Item = usize> {
        let end = self.nodes[at].end;
        std::iter::successors(Some(at + 1), |k| Some(self.nodes.get(*k)?.end)).take_while(move |k| *k < end)
    }

    /// The part of a node in that place.
    pub(crate) fn part(&self, at: usize, slot: Slot) -> Option<usize> {
        self.parts(at).find(|k| self.nodes[*k].slot == slot)
    }

    /// Whether `a` is `b` or an ancestor of it.
    pub(crate) fn holds(&self, a: usize, b: usize) -> bool {
        a <= b && b < self.nodes[a].end
    }

    /// The innermost node that holds both: their lowest common ancestor.
    pub(crate) fn meet(&self, mut a: usize, b: usize) -> usize {
        while !self.holds(a, b) {
            let far = self.nodes[a].jump;
            a = if self.holds(far, b) { self.nodes[a].parent } else { far };
        }
        a
    }

    /// The part of `a` that holds its descendant `b`.
    pub(crate) fn below(&self, a: usize, mut b: usize) -> usize {
        let depth = self.nodes[a].depth + 1;
        while self.nodes[b].depth > depth {
            let far = self.nodes[b].jump;
            b = if self.nodes[far].depth < depth { self.nodes[b].parent } else { far };
        }
        b
    }
}
