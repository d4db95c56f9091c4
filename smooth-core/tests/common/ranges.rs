//! A second proof that every access is in range, from the loops alone.
//!
//! ```text
//! for i < n { … b[o] … }        0 ≤ o,  o + 1 ≤ len b   ⟸   0 ≤ i ≤ n - 1, the conditions and checks before it, the entry checks
//! ```
//!
//! The checks of indices were dropped where terms were still arrays of arrays (`lower`, `storage/checks.rs`), by
//! `shape::prove`. What is proved here is about the numbers of elements that the generated code uses, in the order in which its
//! loops run: another statement, by another method (`proof.rs`), also about what the passes on loops made of the addresses.
//! It shares with the first proof the polynomials (`shape/card.rs`), and nothing else. It relies on three things that the
//! generated code does: an address whose terms may wrap is computed so that its value is all that matters
//! (`Card::may_wrap`), sizes are computed without wrapping, and a function runs only behind its entry checks.
//!
//! A number that a loop changes has a bound here if a condition or a check before the access says it in the same iteration, or
//! if the bound is an invariant of the loop (`ranges/invariants.rs`). Other such accesses are found, and [`Unproved::varies`]
//! says so.

#![allow(dead_code)]

#[path = "ranges/invariants.rs"]
mod invariants;
#[path = "ranges/numbers.rs"]
mod numbers;
#[path = "ranges/proof.rs"]
mod proof;

use numbers::Known;
use smooth_core::loops::{Access, Arg, Block, BufferId, Expr, For, Function, Memory};
use smooth_core::loops::{Out, Place, Reduce, Spread, Stmt, Turn, With};
use smooth_core::name::VarId;
use smooth_core::prim::Prim;
use smooth_core::shape::card::{Atom, Card};
use smooth_core::shape::{Check, Dim, ParamKind, print};
use smooth_core::ty::Scalar;
use std::collections::BTreeSet;

/// An access that is not proved to be in range.
#[derive(Clone, Debug)]
pub struct Unproved {
    /// The elements: so many from there on.
    pub access: Access,
    /// How many.
    pub len: Card,
    /// Whether its number depends on one that a loop changes, or that comes from data.
    pub varies: bool,
    /// What is known there: polynomials that are at least 0.
    pub facts: Vec<Card>,
}

impl Unproved {
    /// The access, and what is known where it is.
    pub fn show(&self, f: &Function) -> String {
        let card = |c: &Card| print::card(c, &f.names);
        let b = f.buffer(self.access.buffer);
        let facts: Vec<String> = self.facts.iter().map(|c| format!("{} >= 0", card(c))).collect();
        format!(
            "{}: {}[{} .. + {}] may not be in 0..{}; known: {}",
            f.name,
            f.names.unique(b.name),
            card(&self.access.offset),
            card(&self.len),
            card(&b.len),
            facts.join(", ")
        )
    }
}

/// The number of accesses of a function, and those of them that are not proved. `entry` are the checks that were passed
/// before it runs.
pub fn unproved(f: &Function, entry: &[Check]) -> (usize, Vec<Unproved>) {
    let mut known = Known::default();
    for c in entry {
        known.facts.extend(match c {
            Check::Equal { left, right, .. } => vec![left.sub(right), right.sub(left)],
            Check::Size { size } => vec![size.clone()],
            Check::Slice { start, end, len, .. } => vec![start.clone(), end.sub(start), len.sub(end)],
        });
    }
    for p in &f.params {
        match &p.kind {
            ParamKind::Scalar(Scalar::Usize) => drop(known.usizes.insert(p.var)),
            ParamKind::Array(_, dims) => {
                known.usizes.extend(dims.iter().filter_map(|d| if let Dim::Size(v) = d { Some(*v) } else { None }));
            }
            _ => {}
        }
    }
    let mut walk = Walk { f, known, data: BTreeSet::new(), accesses: 0, found: vec![], goals: vec![], left: vec![] };
    walk.stmts(&f.body);
    (walk.accesses, walk.found)
}

struct Walk<'f> {
    f: &'f Function,
    known: Known,
    /// Numbers that are no polynomials.
    data: BTreeSet<VarId>,
    accesses: usize,
    found: Vec<Unproved>,
    /// What is wanted of the numbers that the loops around change.
    goals: Vec<Card>,
    /// What has held so far wherever the innermost loop was left.
    left: Vec<Card>,
}

impl Walk<'_> {
    /// What is in a scope of its own, where more is known. What it changes is unknown after it.
    fn under(&mut self, facts: &[Card], changed: &BTreeSet<VarId>, f: impl FnOnce(&mut Self)) {
        let mut outside = self.known.clone();
        self.known.facts.extend(facts.iter().cloned());
        f(self);
        changed.iter().for_each(|x| outside.forget(*x));
        self.known = outside;
    }

    fn block(&mut self, b: &Block, facts: &[Card]) {
        self.under(facts, &targets(b), |walk| walk.stmts(b));
    }

    fn stmts(&mut self, b: &Block) {
        b.iter().for_each(|s| self.stmt(s));
    }

    fn stmt(&mut self, s: &Stmt) {
        match s {
            Stmt::Let(x, ty, e) => {
                self.expr(e);
                self.bind(*x, *ty, e);
            }
            Stmt::Var(x, ty) => {
                self.known.assigned.insert(*x);
                if *ty == Scalar::Usize {
                    self.known.usizes.insert(*x);
                }
            }
            Stmt::Assign(p, e) => {
                self.expr(e);
                match p {
                    Place::Element(a) => self.access(a, &Card::lit(1)),
                    Place::Var(x) => {
                        let value = self.known.integer(e, self.f);
                        self.known.assign(*x, value);
                    }
                }
            }
            Stmt::Check { index, len, .. } => {
                self.expr(index);
                let len = self.known.card(len);
                if let Some(i) = self.known.integer(index, self.f) {
                    self.known.facts.extend([len.sub(&i).sub(&Card::lit(1)), i]);
                } else if let Some(i) = self.known.ring(index, self.f) {
                    self.known.checked.push((i, len));
                }
            }
            Stmt::CheckRange { start, end, len, .. } => {
                [start, end].into_iter().for_each(|e| self.expr(e));
                let len = self.known.card(len);
                if let (Some(s), Some(e)) = (self.known.integer(start, self.f), self.known.integer(end, self.f)) {
                    self.known.facts.extend([e.sub(&s), len.sub(&e), s]);
                }
            }
            Stmt::If(c, a, b) => {
                self.expr(c);
                let says = self.known.condition(c, self.f);
                let changed: BTreeSet<VarId> = targets(a).union(&targets(b)).copied().collect();
                let mut both = self.wanted(&changed);
                for (arm, says) in [(a, &says.holds), (b, &says.fails)] {
                    self.under(says, &changed, |walk| {
                        walk.stmts(arm);
                        both.retain(|g| walk.known.clearly(g));
                    });
                }
                self.known.facts.extend(both);
            }
            Stmt::While(e) => {
                self.expr(e);
                let says = self.known.condition(e, self.f);
                self.leave(&says.fails);
                self.known.facts.extend(says.holds);
            }
            Stmt::Block(b) => self.block(b, &[]),
            Stmt::For(For { index, count, body, .. }) => {
                self.each_time(*index, count, &targets(body), |walk| walk.stmts(body));
            }
            Stmt::Reduce(r) => self.reduce(r),
            Stmt::Copy { to, from, len, .. } => [to, from].into_iter().for_each(|a| self.access(a, len)),
            Stmt::Turn(Turn { names, homes, .. }) | Stmt::Settle(Turn { names, homes, .. }) => {
                names.iter().zip(homes).for_each(|(name, home)| self.access(home, &self.len(*name)));
            }
            Stmt::Call(c) => {
                for a in &c.args {
                    match a {
                        Arg::Scalar(e) => self.expr(e),
                        Arg::Array(a, shape, _) => self.argument(a, shape),
                        Arg::There(_) => {}
                    }
                }
                for o in &c.outs {
                    match o {
                        Out::Place(Place::Element(a)) => self.access(a, &Card::lit(1)),
                        Out::Array(a, shape) => self.access(a, &product(shape)),
                        Out::Place(Place::Var(x)) => self.known.forget(*x),
                    }
                }
            }
            Stmt::Spread(s) => self.spread(s),
            Stmt::Open(_) | Stmt::Swap(..) => {}
        }
    }

    /// A part begins at the number `first · width` behind the home, and ends before the home's buffer does.
    fn spread(&mut self, Spread { first, len, count, strips, body, .. }: &Spread) {
        self.known.usizes.extend([first, len]);
        let (first, len) = (Card::var(*first), Card::var(*len));
        let facts = [self.known.card(count).sub(&first).sub(&len), len.sub(&Card::lit(1))];
        self.under(&facts, &targets(body), |walk| {
            for s in strips {
                let offset = s.home.offset.add(&first.mul(&s.width));
                walk.access(&Access { buffer: s.home.buffer, offset }, &walk.len(s.name));
            }
            walk.stmts(body);
        });
    }

    fn reduce(&mut self, r: &Reduce) {
        let Reduce { index, count, body, terms, with, totals, elems } = r;
        self.each_time(*index, count, &targets(body), |walk| {
            walk.stmts(body);
            terms.iter().for_each(|e| walk.expr(e));
        });
        let numbers = |xs: &[VarId]| {
            let of_usize = xs.iter().zip(elems).filter(|(_, s)| **s == Scalar::Usize);
            of_usize.map(|(x, _)| *x).collect::<Vec<_>>()
        };
        if let With::Function { init, left, right, body, next } = with {
            init.iter().for_each(|e| self.expr(e));
            self.known.usizes.extend([numbers(left), numbers(right)].concat());
            self.data.extend(left.iter().chain(right));
            self.under(&[], &targets(body), |walk| {
                walk.stmts(body);
                next.iter().for_each(|e| walk.expr(e));
            });
        }
        self.known.usizes.extend(numbers(totals));
        self.data.extend(totals);
    }

    fn each_time(&mut self, index: VarId, count: &Card, changed: &BTreeSet<VarId>, f: impl Fn(&mut Self)) {
        self.known.usizes.insert(index);
        let last = self.known.card(count).sub(&Card::lit(1));
        let mut facts = vec![last.sub(&Card::var(index)), last];
        let before = self.now();
        let walk = |walk: &mut Self, facts: &[Card]| {
            changed.iter().for_each(|x| walk.known.forget(*x));
            walk.under(facts, changed, &f);
        };
        walk(self, &facts);
        // Few loops need more than their conditions and checks say.
        let open = !self.numbers(changed).is_empty() && self.found[before.found..].iter().any(|u| u.varies);
        if open || !self.wanted(changed).is_empty() {
            self.back_to(before);
            let invariants = self.invariants(index, &facts, changed, &f);
            facts.extend(invariants.always);
            walk(self, &facts);
            self.known.facts.extend(invariants.after);
        }
    }

    /// What a name stands for.
    fn bind(&mut self, x: VarId, ty: Scalar, e: &Expr) {
        if ty == Scalar::Bool {
            let says = self.known.condition(e, self.f);
            self.known.says.insert(x, says);
        }
        if ty != Scalar::Usize {
            return;
        }
        self.known.usizes.insert(x);
        if let Some(c) = self.known.integer(e, self.f) {
            if self.known.define(x, c) {
                self.data.insert(x);
            }
            return;
        }
        self.data.insert(x);
        let most = self.known.most(e, self.f);
        self.known.facts.extend(most.into_iter().map(|c| c.sub(&Card::var(x))));
        if let Expr::If(es) = e {
            let says = self.known.condition(&es[0], self.f);
            let value = |facts: &[Card], e: &Expr| {
                let mut then = self.known.clone();
                then.facts.extend(facts.iter().cloned());
                then.integer(e, self.f)
            };
            if let (Some(a), Some(b)) = (value(&says.holds, &es[1]), value(&says.fails, &es[2])) {
                self.known.cases.insert(x, vec![(says.holds, a), (says.fails, b)]);
            }
        }
    }

    fn expr(&mut self, e: &Expr) {
        match e {
            Expr::Load(a) => self.access(a, &Card::lit(1)),
            Expr::If(es) => {
                self.expr(&es[0]);
                let says = self.known.condition(&es[0], self.f);
                self.under(&says.holds, &BTreeSet::new(), |walk| walk.expr(&es[1]));
                self.under(&says.fails, &BTreeSet::new(), |walk| walk.expr(&es[2]));
            }
            Expr::Prim(p @ (Prim::And | Prim::Or), es, _) => {
                self.expr(&es[0]);
                let says = self.known.condition(&es[0], self.f);
                let facts = if *p == Prim::And { says.holds } else { says.fails };
                self.under(&facts, &BTreeSet::new(), |walk| walk.expr(&es[1]));
            }
            e => e.operands().iter().for_each(|e| self.expr(e)),
        }
    }

    fn len(&self, b: BufferId) -> Card {
        self.f.buffer(b).len.clone()
    }

    /// Elements that are used: none of them is out of range.
    fn access(&mut self, a: &Access, len: &Card) {
        self.accesses += 1;
        if let Memory::Strided(_) = self.f.buffer(a.buffer).memory {
            assert_eq!(len.constant(), Some(1), "neighbours in a strided argument");
            return self.part(a, &[]);
        }
        let all = self.len(a.buffer);
        self.in_range(a, (&a.offset, len), &all);
    }

    /// The argument of a call: of a strided one, each index is in range of its axis.
    fn argument(&mut self, a: &Access, shape: &[Card]) {
        match self.f.buffer(a.buffer).memory {
            Memory::Strided(_) => {
                self.accesses += 1;
                self.part(a, shape);
            }
            _ => self.access(a, &product(shape)),
        }
    }

    /// A part along the last axes of a strided argument.
    fn part(&mut self, a: &Access, shape: &[Card]) {
        let f = self.f;
        let b = f.buffer(a.buffer);
        let Memory::Strided(strides) = &b.memory else { unreachable!("a strided argument") };
        let param = f.params.iter().find(|p| p.var == b.name).expect("a strided buffer is an argument");
        let indices = a.indices(strides).expect("the checker has seen it");
        for (axis, i) in indices.iter().enumerate() {
            let len = (axis + shape.len()).checked_sub(strides.len()).map_or(Card::lit(1), |k| shape[k].clone());
            self.in_range(a, (i, &len), &param.extent(axis));
        }
    }

    /// Whether so many from an offset on are in range of all.
    fn in_range(&mut self, a: &Access, (offset, len): (&Card, &Card), all: &Card) {
        let [all, offset, len] = [all, offset, len].map(|c| self.known.card(c));
        let rest = all.sub(&offset).sub(&len);
        let passed = |(i, n): &(Card, Card)| *i == offset && i.may_wrap() && self.known.follows(&all.sub(n));
        let in_range = self.known.follows(&offset) && self.known.follows(&rest)
            || len.constant() == Some(1) && self.known.checked.iter().any(passed);
        if !in_range {
            let changes = |x| self.known.assigned.contains(x) || self.data.contains(x);
            let varies = offset.atoms().iter().any(|a| matches!(a, Atom::Var(x) if changes(x)));
            self.found.push(Unproved { access: a.clone(), len, varies, facts: self.known.facts.clone() });
        }
    }
}

/// The number of elements of an array.
fn product(shape: &[Card]) -> Card {
    shape.iter().fold(Card::lit(1), |n, c| n.mul(c))
}

/// What statements bind or assign.
fn targets(b: &Block) -> BTreeSet<VarId> {
    let mut found = BTreeSet::new();
    b.iter().for_each(|s| s.targets(&mut found));
    found
}
