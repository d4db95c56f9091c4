//! A second proof that every access is in range, from the loops alone.
//!
//! ```text
//! for i < n { … b[o] … }        0 ≤ o,  o + 1 ≤ len b   ⟸   0 ≤ i ≤ n - 1, the conditions and checks before it, the entry checks
//! ```
//!
//! The checks of indices were dropped where terms were still arrays of arrays (`lower`, `storage/checks.rs`), by
//! `shape::prove`. The proof here is about the numbers of elements that the generated code uses, in the order in which its
//! loops run: another statement, by another method (`proof.rs`), which covers the addresses after the passes on loops.
//! It shares with the first proof the polynomials (`shape/card.rs`), and nothing else. It relies on three things that the
//! generated code does: an address whose terms may wrap is computed so that its value is all that matters
//! (`Card::may_wrap`), sizes are computed without wrapping, and a function runs only after its entry checks.
//!
//! A name stands for another symbol whenever it gets another value (`ranges/symbols.rs`). After a branch that symbol is one of
//! two numbers (`ranges/arms.rs`), and where an iteration begins it has the invariants as bounds (`ranges/invariants.rs`).

#![allow(dead_code, reason = "each test takes what it needs")]

#[path = "ranges/arms.rs"]
mod arms;
#[path = "ranges/conditions.rs"]
mod conditions;
#[path = "ranges/invariants.rs"]
mod invariants;
#[path = "ranges/numbers.rs"]
mod numbers;
#[path = "ranges/products.rs"]
mod products;
#[path = "ranges/proof.rs"]
mod proof;
#[path = "ranges/simplex.rs"]
mod simplex;
#[path = "ranges/symbols.rs"]
mod symbols;
#[path = "ranges/told.rs"]
mod told;

use invariants::Loop;
use numbers::{Known, Says};
use products::Fact;
use smooth_core::loops::{Access, Arg, Block, BufferId, Expr, For, Function, Memory, Order};
use smooth_core::loops::{Out, Output, Place, Reduce, Spread, Stmt, Turn, With};
use smooth_core::name::VarId;
use smooth_core::prim::Prim;
use smooth_core::shape::card::Card;
use smooth_core::shape::{Check, Dim, ParamKind, print};
use smooth_core::sorted::Set;
use smooth_core::ty::Scalar;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;
use symbols::{LARGEST, Symbols};

/// An access that is not proved to be in range.
#[derive(Clone, Debug)]
pub struct Unproved {
    /// The first of the accessed elements.
    pub access: Access,
    /// The number of elements.
    pub len: Card,
    /// The text for a failure: the access, the goals that do not follow, and the facts.
    pub shown: String,
}

/// The number of accesses of a function, and those of them that are not proved. `entry` are the checks that were passed
/// before it runs.
pub fn unproved(f: &Function, entry: &[Check]) -> (usize, Vec<Unproved>) {
    let mut known = Known {
        f,
        symbols: Rc::new(Symbols::default()),
        facts: vec![],
        sizes: vec![],
        values: BTreeMap::new(),
        signed: BTreeMap::new(),
        says: BTreeMap::new(),
        checked: vec![],
        usizes: BTreeSet::new(),
        variables: BTreeSet::new(),
    };
    for c in entry {
        match c {
            Check::Equal { left, right, .. } => {
                [left.sub(right), right.sub(left)].into_iter().for_each(|c| known.learn(c))
            }
            Check::Size { size } => known.learn(size.clone()),
            Check::Slice { start, end, len, .. } => {
                [start.clone(), end.sub(start), len.sub(end)].into_iter().for_each(|c| known.learn(c));
            }
        }
    }
    for p in &f.interface.params {
        match &p.kind {
            ParamKind::Scalar(Scalar::Usize) => drop(known.usizes.insert(p.var)),
            ParamKind::Array(_, dims) => {
                known.usizes.extend(dims.iter().filter_map(|d| if let Dim::Size(v) = d { Some(*v) } else { None }));
            }
            _ => {}
        }
    }
    // A slice has at most `isize::MAX` bytes.
    let given = f
        .buffers
        .iter()
        .filter(|b| matches!(b.memory, Memory::Argument | Memory::Strided(_) | Memory::InOut | Memory::Result));
    let twice = |n: &Card| Card::var(LARGEST).sub(&n.mul(&Card::lit(2))).sub(&Card::lit(1));
    let slices = given.map(|b| twice(&b.len));
    // The extents of results were computed before.
    let shapes = f.results.iter().filter_map(|o| if let Output::Buffer(_, shape) = o { Some(shape) } else { None });
    let extents = shapes.flatten().map(|n| Card::var(LARGEST).sub(n));
    known.sizes = slices.chain(extents).filter_map(numbers::fact).collect();
    let mut walk = Walk { f, known, accesses: 0, found: vec![], exits: vec![] };
    walk.stmts(&f.body);
    (walk.accesses, walk.found)
}

/// Whether it follows from facts that a polynomial is at least 0.
pub fn follows(goal: &Card, facts: &[Card]) -> bool {
    let facts: Vec<Fact> = facts.iter().cloned().filter_map(numbers::fact).collect();
    proof::follows(goal, &facts, &BTreeMap::new(), proof::MUCH)
}

struct Walk<'f> {
    f: &'f Function,
    known: Known<'f>,
    accesses: usize,
    found: Vec<Unproved>,
    /// The knowledge at each exit of the innermost loop.
    exits: Vec<Known<'f>>,
}

impl<'f> Walk<'f> {
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
                self.known.variables.insert(*x);
                self.known.values.remove(x);
                if *ty == Scalar::Usize {
                    self.known.usizes.insert(*x);
                    self.known.assign(*x, None);
                }
            }
            Stmt::Assign(p, e) => {
                self.expr(e);
                match p {
                    Place::Element(a) => self.access(a, &Card::lit(1)),
                    Place::Var(x) => {
                        let ty = if self.known.usizes.contains(x) { Scalar::Usize } else { Scalar::Bool };
                        self.bind(*x, ty, e);
                    }
                }
            }
            Stmt::Check { index, len, .. } => {
                self.expr(index);
                let len = self.known.card(len);
                if let Some(i) = self.known.ring(index) {
                    self.known.checked.push((i, len.clone()));
                }
                let i = self.known.integer(index, LARGEST);
                self.known.learn(len.sub(&i).sub(&Card::lit(1)));
                self.known.learn(i);
            }
            Stmt::CheckRange { start, end, len, .. } => {
                [start, end].into_iter().for_each(|e| self.expr(e));
                let len = self.known.card(len);
                let [s, e] = [start, end].map(|e| self.known.integer(e, LARGEST));
                [e.sub(&s), len.sub(&e), s].into_iter().for_each(|c| self.known.learn(c));
            }
            Stmt::If(c, a, b) => {
                self.expr(c);
                let says = self.known.condition(c).with_choice(&self.known.symbols);
                let from = self.known.facts.len();
                let a = self.under(&says.holds, |walk| walk.stmts(a));
                let b = self.under(&says.fails, |walk| walk.stmts(b));
                self.join(from, &a, &b);
            }
            Stmt::While(e) => {
                self.expr(e);
                let says = self.known.condition(e);
                let mut left = self.known.clone();
                left.facts.extend(says.fails);
                self.exits.push(left);
                self.known.facts.extend(says.holds);
            }
            Stmt::Block(b) => {
                let inside = self.under(&[], |walk| walk.stmts(b));
                self.after(inside);
            }
            Stmt::For(For { index, count, order, body }) => {
                self.repeat(*index, count, *order == Order::Sequential, body, |walk| walk.stmts(body));
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
                        Out::Place(Place::Var(x)) => self.forget(*x),
                    }
                }
            }
            Stmt::Spread(s) => self.spread(s),
            Stmt::Open(_) | Stmt::Swap(..) => {}
        }
    }

    fn repeat(&mut self, index: VarId, count: &Card, in_order: bool, body: &Block, f: impl Fn(&mut Self)) {
        let count = count.constant().map_or_else(|| self.known.card(count), numbers::number);
        self.each_time(&Loop { index, count, changed: &targets(body), in_order }, f);
    }

    /// A part begins at the element `first · width` of the whole buffer, and ends inside of that buffer.
    fn spread(&mut self, Spread { first, len, count, strips, body, .. }: &Spread) {
        self.known.usizes.extend([first, len]);
        let (first, len) = (Card::var(*first), Card::var(*len));
        let facts = [self.known.card(count).sub(&first).sub(&len), len.sub(&Card::lit(1))];
        let facts: Vec<Fact> = facts.into_iter().filter_map(numbers::fact).collect();
        self.under(&facts, |walk| {
            for s in strips {
                let offset = s.home.offset.add(&first.mul(&s.width));
                walk.access(&Access { buffer: s.home.buffer, offset }, &walk.len(s.name));
            }
            walk.stmts(body);
        });
    }

    fn reduce(&mut self, r: &Reduce) {
        let Reduce { index, count, body, terms, with, totals, elems } = r;
        self.repeat(*index, count, false, body, |walk| {
            walk.stmts(body);
            terms.iter().for_each(|e| walk.expr(e));
        });
        if let With::Function { init, left, right, body, next } = with {
            init.iter().for_each(|e| self.expr(e));
            self.under(&[], |walk| {
                [left, right].into_iter().for_each(|xs| walk.unknown(xs, elems));
                walk.stmts(body);
                next.iter().for_each(|e| walk.expr(e));
            });
            targets(body).iter().for_each(|x| self.forget(*x));
        }
        self.unknown(totals, elems);
    }

    /// Drops all knowledge of a name.
    fn forget(&mut self, x: VarId) {
        self.known.says.remove(&x);
        self.known.assign(x, None);
    }

    /// Introduces names without any knowledge.
    fn unknown(&mut self, names: &[VarId], types: &[Scalar]) {
        for (x, _) in names.iter().zip(types).filter(|(_, ty)| **ty == Scalar::Usize) {
            self.known.usizes.insert(*x);
            self.known.assign(*x, None);
        }
    }

    /// Binds a name to the value of an expression.
    fn bind(&mut self, x: VarId, ty: Scalar, e: &Expr) {
        match ty {
            Scalar::Bool => {
                let says = self.known.condition(e);
                let says = if says.holds.is_empty() && says.fails.is_empty() {
                    Says::default().with_choice(&self.known.symbols)
                } else {
                    says
                };
                self.known.says.insert(x, Rc::new(says));
            }
            Scalar::Usize => {
                self.known.usizes.insert(x);
                let value = self.known.integer(e, x);
                self.known.assign(x, Some(value));
            }
            Scalar::I64 | Scalar::Isize => {
                let value = self.known.signed(e, x);
                self.known.signed.insert(x, value);
            }
            _ => {}
        }
    }

    fn expr(&mut self, e: &Expr) {
        match e {
            Expr::Load(a) => self.access(a, &Card::lit(1)),
            Expr::If(es) => {
                self.expr(&es[0]);
                let says = self.known.condition(&es[0]);
                self.under(&says.holds, |walk| walk.expr(&es[1]));
                self.under(&says.fails, |walk| walk.expr(&es[2]));
            }
            Expr::Prim(p @ (Prim::And | Prim::Or), es, _) => {
                self.expr(&es[0]);
                let says = self.known.condition(&es[0]);
                let facts = if *p == Prim::And { says.holds } else { says.fails };
                self.under(&facts, |walk| walk.expr(&es[1]));
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
        let param = f.interface.params.iter().find(|p| p.var == b.name).expect("a strided buffer is an argument");
        let indices = a.indices(strides).expect("the checker has seen it");
        for (axis, i) in indices.iter().enumerate() {
            let len = (axis + shape.len()).checked_sub(strides.len()).map_or(Card::lit(1), |k| shape[k].clone());
            self.in_range(a, (i, &len), &param.extent(axis));
        }
    }

    /// Proves that `len` elements from `offset` on are in the range of `all` elements.
    fn in_range(&mut self, a: &Access, (offset, len): (&Card, &Card), all: &Card) {
        let [all, offset, len] = [all, offset, len].map(|c| self.known.card(c));
        let rest = all.sub(&offset).sub(&len);
        let passed = |(i, n): &(Card, Card)| *i == offset && i.may_wrap() && self.known.follows(&all.sub(n));
        let goals = [offset.clone(), rest];
        let open = |k: &Known<'f>| goals.iter().filter(|g| !k.follows(g)).cloned().collect::<Vec<_>>();
        let checked = len.constant() == Some(1) && self.known.checked.iter().any(passed);
        let mut left = if checked { vec![] } else { open(&self.known) };
        if !left.is_empty() && self.known.learn_of_wrapped() {
            left = open(&self.known);
        }
        if !left.is_empty() {
            let shown = self.show(a, &offset, &len, &left);
            self.found.push(Unproved { access: a.clone(), len, shown });
        }
    }

    fn show(&self, a: &Access, offset: &Card, len: &Card, open: &[Card]) -> String {
        let b = self.f.buffer(a.buffer);
        let card = |c: &Card| self.known.symbols.show(c, self.f);
        let all = |cs: Vec<&Card>| cs.into_iter().map(|c| format!("{} >= 0", card(c))).collect::<Vec<_>>().join(", ");
        format!(
            "{}: {}[{} = {} .. + {}] may not be in 0..{}; open: {}; known: {}",
            self.f.interface.name,
            self.f.names.unique(b.name),
            print::card(&a.offset, &self.f.names),
            card(offset),
            card(len),
            card(&self.known.card(&b.len)),
            all(open.iter().collect()),
            all(self.known.facts.iter().map(|f| &***f).collect())
        )
    }
}

/// The number of elements of an array.
fn product(shape: &[Card]) -> Card {
    shape.iter().fold(Card::lit(1), |n, c| n.mul(c))
}

/// The variables that statements bind or assign.
fn targets(b: &Block) -> BTreeSet<VarId> {
    let mut found = Set::new();
    b.iter().for_each(|s| s.targets(&mut found));
    found.into_iter().collect()
}
