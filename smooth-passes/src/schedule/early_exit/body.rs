//! The parts of a body around a loop that ends early, and whether its steps are vector instructions.
//!
//! ```text
//! s₁; for k < m { t̄; while c; s̄ }; s₃             if c and t̄ do not depend on k; otherwise
//!   ⟶  s₁; ended ← false; for k < m { while not ended; t̄; if c { s̄ } else { ended ← true } }; s₃
//! ```

use crate::loops::visit::{Part, on_all_paths};
use crate::loops::{Access, Block, Buffer, Expr, For, Function, Left, Memory, Place, Reason, Reduce, Stmt};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::prim::Prim;
use crate::schedule::facts::access::reads;
use crate::schedule::facts::decide::Decide;
use crate::schedule::facts::parts::is_vector;
use crate::schedule::facts::parts::{binders, is_simple, obstacle};
use crate::shape::card::Card;
use crate::shape::facts::Facts;
use crate::sorted::{Map, Set};
use crate::span::Origin;
use crate::ty::Scalar;
use crate::value::Lit;

/// A literal.
pub(crate) fn number(n: i128, s: Scalar) -> Expr {
    Expr::Lit(if s.is_float() { Lit::float(n as f64, s) } else { Lit::Int(n, s) })
}

/// The number to which an expression adds 1, and the origin of the addition.
pub(crate) fn incremented(e: &Expr) -> Option<(VarId, Origin)> {
    let Expr::Prim(Prim::Add, es, origin) = e else { return None };
    match es.as_slice() {
        [Expr::Var(x), Expr::Lit(Lit::Int(1, _))] | [Expr::Lit(Lit::Int(1, _)), Expr::Var(x)] => Some((*x, *origin)),
        _ => None,
    }
}

/// The number of steps between two tests.
pub(crate) const STEPS: i128 = 8;

/// The parts of a body.
pub(crate) struct Parts {
    /// Variables that are declared before the loop.
    pub declared: Map<VarId, Scalar>,
    pub before: Block,
    pub index: VarId,
    pub count: Card,
    /// The statements that the test needs, and the test.
    pub test: Block,
    pub runs: Expr,
    pub step: Block,
    pub after: Block,
    /// The terms of a total.
    pub terms: Vec<Expr>,
    /// All variables that are bound in the body.
    pub bound: Map<VarId, Scalar>,
    /// The statements that compute the count, before the outer loop.
    pub limits: Block,
}

impl Parts {
    pub fn of(
        f: &mut Function,
        around: (VarId, &Card),
        body: &Block,
        at: usize,
        reduce: Option<&Reduce>,
    ) -> Result<Parts, Left> {
        let outer = around.0;
        let Stmt::For(For { index, count, body: inside, .. }) = &body[at] else { return Err(None) };
        let Some(k) = inside.iter().position(|s| matches!(s, Stmt::While(_))) else { return Err(Some(Reason::Ends)) };
        let Stmt::While(runs) = &inside[k] else { return Err(None) };
        let (test, step) = (inside[..k].to_vec(), inside[k + 1..].to_vec());
        for s in body[..at].iter().chain(&test).chain(&step) {
            if !is_simple(s) {
                return Err(obstacle(s).or(Some(Reason::Ends)));
            }
            if stores(s) {
                return Err(Some(Reason::OwnArray));
            }
        }
        let mut bound = Map::new();
        body.iter().for_each(|s| binders(s, &mut bound));
        if body.iter().any(|s| assigns_outside(s, &bound)) {
            return Err(Some(Reason::Writes));
        }
        if bound.keys().chain([&outer]).any(|v| count.mentions(*v)) {
            return Err(Some(Reason::Lengths));
        }
        // Lengths of buffers are not rewritten.
        let of_its_own =
            |b: &Buffer| b.len.mentions(outer) || matches!(&b.memory, Memory::Local(most) if most.mentions(outer));
        if f.buffers.iter().any(of_its_own) {
            return Err(Some(Reason::OwnArray));
        }
        if count.constant().is_some_and(|n| n < STEPS) {
            return Err(Some(Reason::Few));
        }
        let mut declared = Map::new();
        let mut before = vec![];
        for s in &body[..at] {
            match s {
                Stmt::Var(x, s) => drop(declared.insert(*x, *s)),
                s => before.push(s.clone()),
            }
        }
        let terms = reduce.map_or(vec![], |r| r.terms.clone());
        let mut after = body[at + 1..].to_vec();
        drop_copies(&mut after, &terms);
        let (index, count, runs) = (*index, count.clone(), runs.clone());
        Ok(Parts { declared, before, index, count, test, runs, step, after, terms, bound, limits: vec![] })
    }

    /// The parts of a loop whose test depends on its state alone, once its limits are in the count.
    pub fn settled(mut self, f: &mut Function) -> Result<Parts, Left> {
        if self.test.iter().any(|s| s.mentions(self.index)) || self.runs.mentions(self.index) {
            self.remember(f);
        }
        let assigned = |s: &Stmt| self.declared.keys().any(|x| s.binds(*x));
        if self.test.iter().any(assigned) { Err(Some(Reason::Ends)) } else { Ok(self) }
    }

    /// Adds a state that says whether the test has failed, because it might hold again later.
    fn remember(&mut self, f: &mut Function) {
        let ended = f.names.fresh("ended");
        let set = |b: bool| Stmt::Assign(Place::Var(ended), Expr::Lit(Lit::Bool(b)));
        self.declared.insert(ended, Scalar::Bool);
        self.bound.insert(ended, Scalar::Bool);
        self.before.push(set(false));
        let not = Expr::Prim(Prim::Not, vec![Expr::Var(ended)], Origin::default());
        let runs = std::mem::replace(&mut self.runs, not);
        let step = std::mem::replace(&mut self.step, std::mem::take(&mut self.test));
        self.step.push(Stmt::If(runs, step, vec![set(true)]));
    }

    /// The loop's body.
    pub fn inside(&self) -> Block {
        let runs = Stmt::While(self.runs.clone());
        self.test.iter().cloned().chain([runs]).chain(self.step.iter().cloned()).collect_vec()
    }

    /// The variables that live in several of the parts.
    pub fn crossing(&self) -> Set<VarId> {
        let inside = self.inside();
        let uses = |v: VarId, b: &Block| usize::from(b.iter().any(|s| s.binds(v) || s.mentions(v)));
        let last = |v: VarId| usize::from(uses(v, &self.after) > 0 || self.terms.iter().any(|e| e.mentions(v)));
        let several = |v: &VarId| uses(*v, &self.before) + uses(*v, &inside) + last(*v) > 1;
        self.bound.keys().copied().filter(several).collect()
    }
}

/// Drops copies of numbers that are never read.
fn drop_copies(after: &mut Block, terms: &[Expr]) {
    let unread = |after: &Block, x: VarId| !after.iter().any(|s| s.mentions(x)) && !terms.iter().any(|e| e.mentions(x));
    let copy = |s: &Stmt| if let Stmt::Assign(Place::Var(x), Expr::Var(_)) = s { Some(*x) } else { None };
    while let Some(at) = after.iter().position(|s| copy(s).is_some_and(|x| unread(after, x))) {
        after.remove(at);
    }
}

/// Whether it writes an element.
fn stores(s: &Stmt) -> bool {
    s.any(&|s| matches!(s, Stmt::Assign(Place::Element(_), _)))
}

/// Whether it assigns a number that is declared outside the body.
fn assigns_outside(s: &Stmt, bound: &Map<VarId, Scalar>) -> bool {
    let other = |x: &VarId| !bound.contains_key(x);
    s.any_part(&|p| matches!(p, Part::Assigns(x) if other(x)))
}

/// Whether a block assigns a number on all paths.
pub(crate) fn gives(b: &[Stmt], v: VarId) -> bool {
    on_all_paths(b, &|s| matches!(s, Stmt::Let(x, ..) | Stmt::Assign(Place::Var(x), _) if *x == v))
}

/// The parts and their surroundings, for the decision whether vectorising pays.
pub(crate) struct Look<'l, 'f> {
    pub cx: Decide<'f>,
    pub loops: &'l [(VarId, Card)],
    pub parts: &'l Parts,
    pub index: VarId,
}

impl Look<'_, '_> {
    /// The elements that a step reads and the test does not, or the reason why the step is not made of vector
    /// instructions.
    pub fn early(&self) -> Result<Vec<Access>, Reason> {
        let Parts { test, runs, step, .. } = self.parts;
        let all = test.iter().chain(step);
        all.clone().try_for_each(|s| self.is_vector(s))?;
        self.is_vector_expr(runs)?;
        let mut sure = reads(runs);
        sure.push_all(test.iter().flat_map(Stmt::exprs).flat_map(reads));
        let mut found = vec![];
        each_load(runs, &mut found);
        all.for_each(|s| loads(s, &mut found));
        let mut early: Vec<Access> = vec![];
        for a in found.into_iter().filter(|a| !sure.contains(a)) {
            if !self.is_there(&a) {
                return Err(Reason::Unsure);
            }
            if !early.contains(&a) {
                early.push(a);
            }
        }
        Ok(early)
    }

    /// Whether an element is in range and has a value in each step of each iteration.
    fn is_there(&self, a: &Access) -> bool {
        let buffer = self.cx.f.buffer(a.buffer);
        let full = match buffer.memory {
            Memory::Argument => true,
            Memory::InOut => !self.parts.after.iter().any(|s| s.uses(a.buffer)),
            _ => false,
        };
        // Only the loops around the place are known to run.
        let (mut sizes, mut around) = (vec![&a.offset], vec![]);
        for (x, n) in self.loops.iter().rev() {
            if sizes.iter().any(|c| c.mentions(*x)) {
                sizes.push(n);
                around.push((*x, Some(n.clone()).filter(|n| self.cx.is_fixed(n))));
            }
        }
        let mut facts = Facts::default();
        around.into_iter().rev().for_each(|(x, n)| facts.enter_loop(x, n));
        full && self.cx.is_fixed(&a.offset) && facts.in_range(&a.offset, &buffer.len)
    }

    fn is_vector(&self, s: &Stmt) -> Result<(), Reason> {
        let mut is = Ok(());
        s.walk(&mut |s| {
            is = is.and_then(|()| s.exprs().into_iter().try_for_each(|e| self.is_vector_expr(e)));
        });
        is
    }

    fn is_vector_expr(&self, e: &Expr) -> Result<(), Reason> {
        match e {
            Expr::Load(a) if !self.is_side_by_side(a) => return Err(Reason::Distance(a.buffer, self.index)),
            Expr::Prim(p, es, _) if !self.is_instruction(*p, es) => return Err(Reason::Operation(*p)),
            Expr::Size(c, _) if c.mentions(self.index) => return Err(Reason::Counts(self.index)),
            Expr::Var(v) if *v == self.index => return Err(Reason::Counts(self.index)),
            _ => {}
        }
        e.operands().iter().try_for_each(|e| self.is_vector_expr(e))
    }

    fn is_instruction(&self, p: Prim, es: &[Expr]) -> bool {
        let int = matches!(p, Prim::Div | Prim::Rem) && self.cx.scalar(&es[0]).is_int();
        // A division by a power of two is a shift or a mask.
        let shift = |e: &Expr| matches!(e, Expr::Lit(l) if l.as_int().is_some_and(|n| n > 0 && n & (n - 1) == 0));
        if int { shift(&es[1]) } else { is_vector(p) }
    }

    /// Whether successive iterations read adjacent elements, or one element.
    fn is_side_by_side(&self, a: &Access) -> bool {
        let own = self.parts.bound.keys().any(|v| a.offset.mentions(*v));
        let slope = a.offset.linear_in(self.index).and_then(|(slope, _)| slope.constant());
        !own && matches!(slope, Some(0 | 1))
    }
}

fn each_load(e: &Expr, found: &mut Vec<Access>) {
    if let Expr::Load(a) = e {
        found.push(a.clone());
    }
    e.operands().iter().for_each(|e| each_load(e, found));
}

fn loads(s: &Stmt, found: &mut Vec<Access>) {
    s.walk(&mut |s| s.exprs().into_iter().for_each(|e| each_load(e, found)));
}
