//! Value numbers: terms that have the same value wherever both stand get the same number.
//!
//! ```text
//! number (let x = a in b)    =  number b, where x has the number of a; if a may panic and b may not need x,
//!                               the number of both
//! number (build n (λi. e))   =  number (build n (λj. e[j/i]))          names of loop variables do not count
//! ```
//!
//! One walk over the tree, children first; equal keys get equal numbers from a map. A loop's variables are
//! keyed by the loop's height, the number of loops nested in it: equal loops have equal heights, and of
//! the loops around a term no two have the same. The keys of an open term thus do not say *which* loop of
//! that height is meant; the number of an occurrence is its key together with the loop variables that its
//! value depends on.
//!
//! A term that calls a function from outside has a number of its own: such calls may differ each time.

use crate::fsmooth::{Expr, Kind, Order};
use crate::name::VarId;
use crate::prim::Prim;
use crate::ty::Type;
use crate::value::Lit;
use std::collections::{BTreeMap, BTreeSet};

/// A node of a term; nodes are numbered parents first, in the order of evaluation.
#[derive(Debug)]
pub(super) struct Node<'e> {
    /// The term.
    pub term: &'e Expr,
    /// The node above; the root's is the root.
    pub parent: usize,
    /// Which child of it.
    pub child: usize,
    /// Nodes above.
    pub depth: usize,
    /// The first node after those of the term.
    pub end: usize,
    /// The outermost term that is evaluated if and only if this one is, as far as the form tells: a branch, the
    /// body of a loop, or the root.
    pub region: usize,
    /// The price of evaluating it once.
    pub cost: u32,
    /// Whether it calls no function from outside.
    pub pure: bool,
    /// Whether evaluating it may panic, or what it names may do so.
    panics: bool,
    /// The number of its value.
    pub value: u32,
    jump: usize,
}

/// A term with the numbers of all its nodes.
#[derive(Debug, Default)]
pub(super) struct Numbered<'e> {
    /// Parents first.
    pub nodes: Vec<Node<'e>>,
    heights: Vec<u32>,
    keys: BTreeMap<Key, u32>,
    /// Sets of loop variables; the first is empty.
    sets: Vec<Vec<VarId>>,
    set_of: BTreeMap<Vec<VarId>, usize>,
    values: BTreeMap<(u32, usize), u32>,
    bound: BTreeMap<VarId, (u32, usize)>,
    /// The nodes that bind the variables.
    binder: BTreeMap<VarId, usize>,
    /// The variables of `let`s that have been evaluated wherever the term behind the `let` has.
    needed: BTreeSet<VarId>,
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
    Sum(Order),
    Get,
    Len(usize),
    Slice,
    Array,
    Tuple,
    Proj(usize),
    Call(usize),
}

/// What a load costs, and a step of a loop.
const LOAD: u32 = 1;
/// Loops and calls of kernels: always worth doing once.
pub(super) const LOOP: u32 = 1 << 16;

impl<'e> Numbered<'e> {
    /// Numbers a term.
    pub(super) fn of(e: &'e Expr) -> Self {
        let mut n = Numbered { sets: vec![vec![]], ..Numbered::default() };
        n.set_of.insert(vec![], 0);
        n.height(e);
        n.walk(e, 0, 0, 0);
        n
    }

    fn height(&mut self, e: &Expr) -> u32 {
        let at = self.heights.len();
        self.heights.push(0);
        let inner = e.children().into_iter().map(|c| self.height(c)).max().unwrap_or(0);
        self.heights[at] = inner + u32::from(is_loop(e));
        self.heights[at]
    }

    fn walk(&mut self, term: &'e Expr, parent: usize, child: usize, region: usize) -> (u32, usize) {
        let at = self.nodes.len();
        // A second way up that skips as many nodes as its start and the next such way do together: log n steps lead
        // from a node to any above it.
        let (depth, jump) = match self.nodes.get(parent) {
            None => (0, 0),
            Some(p) => {
                let far = &self.nodes[p.jump];
                let even = p.depth - far.depth == far.depth - self.nodes[far.jump].depth;
                (p.depth + 1, if even { far.jump } else { parent })
            }
        };
        let pure = !matches!(term.kind(), Kind::App(..) | Kind::Lam(..));
        let (cost, panics) = (own_cost(term), self.may_panic(term, region));
        self.nodes.push(Node { term, parent, child, depth, end: 0, region, cost, pure, panics, value: 0, jump });
        let mut parts = Vec::new();
        for (k, c) in term.children().into_iter().enumerate() {
            self.enter(term, at, k, &parts);
            let own = self.nodes.len();
            let inner = if may_not_run(term, k) { own } else { region };
            parts.push(self.walk(c, at, k, inner));
            self.nodes[at].cost = self.nodes[at].cost.saturating_add(self.nodes[own].cost);
            self.nodes[at].pure &= self.nodes[own].pure;
            self.nodes[at].panics |= self.nodes[own].panics;
        }
        let (key, set) = self.value_of(term, at, &parts);
        let next = self.values.len() as u32;
        self.nodes[at].value = *self.values.entry((key, set)).or_insert(next);
        self.nodes[at].end = self.nodes.len();
        (key, set)
    }

    /// The numbers of the variables that a node binds in its `k`th child.
    fn enter(&mut self, term: &Expr, at: usize, k: usize, parts: &[(u32, usize)]) {
        if k + 1 != term.children().len() {
            return;
        }
        self.binder.extend(term.binders().into_iter().map(|v| (v, at)));
        if let Kind::Let(x, ..) = term.kind() {
            let number = if self.nodes[at].pure { parts[0] } else { (self.key(Key::Var(*x)), 0) };
            self.bound.insert(*x, number);
        } else if is_loop(term) {
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
                // A name for what may panic says that it did not: so does what is made of it.
                self.nodes[self.binder[v] + 1].panics
            }
            Kind::Prim(p, _) => term.ty().scalar().is_none_or(|s| p.may_panic(s)),
            Kind::Get(..) | Kind::Slice(..) | Kind::Call(..) | Kind::App(..) => true,
            _ => false,
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
            Kind::Let(x, ..) if self.nodes[at + 1].panics && !self.needed.contains(x) => Tag::Let,
            Kind::Let(..) => return parts[1],
            Kind::Lit(l) => return (self.key(Key::Lit(*l)), 0),
            Kind::Const(k) => return (self.key(Key::Const(*k)), 0),
            Kind::App(..) | Kind::Lam(..) => return (self.key(Key::Unique(at)), 0),
            Kind::Prim(p, _) => Tag::Prim(*p),
            Kind::If(..) => Tag::If,
            Kind::Build(..) => Tag::Build,
            Kind::IFold { .. } => Tag::IFold,
            Kind::Sum { order, .. } => Tag::Sum(*order),
            Kind::Get(..) => Tag::Get,
            Kind::Len(_, axis) => Tag::Len(*axis),
            Kind::Slice(..) => Tag::Slice,
            Kind::Array(_) => Tag::Array,
            Kind::Tuple(_) => Tag::Tuple,
            Kind::Proj(_, k) => Tag::Proj(*k),
            Kind::Call(k, _) => Tag::Call(*k),
        };
        if !self.nodes[at].pure {
            return (self.key(Key::Unique(at)), 0);
        }
        let mut set = parts.iter().fold(0, |s, (_, t)| self.union(s, *t));
        if is_loop(term) {
            let own = term.binders();
            let rest = self.sets[set].iter().copied().filter(|v| !own.contains(v)).collect();
            set = self.set(rest);
        }
        (self.key(Key::Node(tag, parts.iter().map(|(key, _)| *key).collect())), set)
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
        let mut vs: Vec<VarId> = self.sets[a].iter().chain(&self.sets[b]).copied().collect();
        vs.sort_unstable();
        vs.dedup();
        self.set(vs)
    }

    /// Whether the variables of a term that are free in it are in scope around the node `place` as well.
    pub(super) fn in_scope(&self, term: &Expr, place: usize) -> bool {
        term.free().iter().all(|v| self.binder.get(v).is_none_or(|b| *b < place))
    }

    /// Whether `a` is `b` or stands above it.
    pub(super) fn holds(&self, a: usize, b: usize) -> bool {
        a <= b && b < self.nodes[a].end
    }

    /// The innermost node that is or stands above both.
    pub(super) fn meet(&self, mut a: usize, b: usize) -> usize {
        while !self.holds(a, b) {
            let far = self.nodes[a].jump;
            a = if self.holds(far, b) { self.nodes[a].parent } else { far };
        }
        a
    }

    /// The child of `a` that `b`, which stands below it, is or is in.
    pub(super) fn below(&self, a: usize, mut b: usize) -> usize {
        let depth = self.nodes[a].depth + 1;
        while self.nodes[b].depth > depth {
            let far = self.nodes[b].jump;
            b = if self.nodes[far].depth < depth { self.nodes[b].parent } else { far };
        }
        b
    }
}

/// Whether the last child of a node may be evaluated any number of times.
pub(super) fn is_loop(e: &Expr) -> bool {
    matches!(e.kind(), Kind::Build(..) | Kind::Sum { .. } | Kind::IFold { .. } | Kind::Lam(..))
}

/// Whether the `k`th child of a node may not be evaluated, or several times, where the node is evaluated.
pub(super) fn may_not_run(e: &Expr, k: usize) -> bool {
    match e.kind() {
        Kind::If(..) => k > 0,
        Kind::Prim(Prim::And | Prim::Or, _) => k > 0,
        _ => is_loop(e) && k + 1 == e.children().len(),
    }
}

/// The price of a node without its children, in additions.
pub(super) fn own_cost(e: &Expr) -> u32 {
    match e.kind() {
        Kind::Prim(p, _) => p.cost(),
        Kind::Get(..) if e.ty().is_array() => 0,
        Kind::Get(..) | Kind::If(..) => LOAD,
        Kind::Build(..) | Kind::IFold { .. } | Kind::Sum { .. } | Kind::Call(..) | Kind::App(..) => LOOP,
        // Rows are copied into it.
        Kind::Array(_) if e.ty().rank() > 1 => LOOP,
        _ => 0,
    }
}

/// The price of a term, in additions.
pub(super) fn cost(e: &Expr) -> u32 {
    e.children().iter().fold(own_cost(e), |sum, c| sum.saturating_add(cost(c)))
}

/// What an array is read through without being computed: a copy of such a term would be a copy of the array.
pub(super) fn is_part(e: &Expr) -> bool {
    let part = matches!(e.kind(), Kind::Get(..) | Kind::Slice(..) | Kind::Var(_) | Kind::Proj(..));
    part && !matches!(e.ty(), Type::Scalar(_))
}
