//! The statements that the reverse mode gives, and what their rules ask of them. No other stage sees them.
//!
//! ```text
//! s ::= s ; s | let x = e in s | x̄[ī] += e | if e then s else s | for i < n { s } | let x̄ = (all that was added to it) in s
//!     | back s̄ = ē for i < n { s } → ē′
//! ```

use super::form::STRIP;
use crate::analysis::cost;
use crate::fsmooth::{Build, Expr, Kind, Required, build};
use crate::mapped::Mapped;
use crate::name::{Names, VarId};
use crate::sorted::Set;
use crate::span::Origin;
use crate::ty::{Scalar, Type};
use crate::value::Lit;

/// A `let`, or a check, before a term or a statement.
#[derive(Clone, Debug)]
pub(super) enum Before {
    Let(VarId, Expr),
    Check(Required, Origin),
}

/// Statements, one after the other.
pub(super) type Block = Vec<Statement>;

/// A statement.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    /// A name, or a check.
    Before(Before),
    /// `x̄[ī] += e`: a number at a place, or a whole array.
    Add(VarId, Vec<Expr>, Expr),
    /// `if c then s else s`.
    If(Expr, Block, Block),
    /// `for i < n { s }`.
    For(Expr, VarId, Block),
    /// Here `x̄` is complete: all that was added to it before in this block.
    Total(VarId, Shape),
    /// Steps, one after the other.
    Back(Box<Back>),
}

/// `back s̄ = ē for i < n { s } → ē′`: steps that carry numbers and arrays, and add to others.
#[derive(Clone, Debug)]
pub(super) struct Back {
    /// The name of the value of the steps forward.
    pub(super) of: VarId,
    pub(super) count: Expr,
    pub(super) index: VarId,
    pub(super) carried: Vec<Carried>,
    pub(super) body: Block,
    /// The condition of a step; without it the step does nothing.
    pub(super) when: Option<Expr>,
}

/// A part of what steps carry.
#[derive(Clone, Debug)]
pub(super) struct Carried {
    /// Its name in a step.
    pub(super) now: VarId,
    /// Its first value.
    pub(super) start: Expr,
    /// The name, in a step, of what the next one has.
    pub(super) next: VarId,
    /// The name of its last value, behind all steps.
    pub(super) last: VarId,
}

/// The shape of an accumulator.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    pub(super) extents: Vec<Expr>,
    pub(super) scalar: Scalar,
    pub(super) origin: Origin,
}

impl Shape {
    /// The shape of a number or an array.
    pub(super) fn of(leaf: &Expr) -> Shape {
        let extents = (0..leaf.ty.rank()).mapped(|axis| build::len(leaf.clone(), axis, leaf.origin));
        Shape { extents, scalar: leaf.ty.leaf_scalars()[0], origin: leaf.origin }
    }

    /// Zeros of it, without its first axes.
    pub(super) fn zeros(&self, first: usize, names: &mut Names) -> Expr {
        let none = build::lit(Lit::zero(self.scalar), self.origin);
        let extents = self.extents[first..].iter().rev();
        extents.fold(none, |e, n| build::build(n.clone(), names.fresh("i"), e, self.origin))
    }
}

/// `let x̄ = ē in e`, with the checks among them.
pub(super) fn before(lets: Vec<Before>, e: Expr) -> Expr {
    lets.into_iter().rev().fold(e, |e, b| wrapped(b, e))
}

fn wrapped(b: Before, e: Expr) -> Expr {
    match b {
        Before::Let(x, value) => {
            let o = value.origin;
            build::bind(x, value, e, o)
        }
        Before::Check(what, o) => build::require(what, e, o),
    }
}

/// The same, without the names that `e` does not need. Checks stay.
pub(super) fn before_needed(lets: Vec<Before>, e: Expr) -> Expr {
    let mut needed = e.free();
    lets.into_iter().rev().fold(e, |e, b| {
        let keeps = match &b {
            Before::Let(x, value) => {
                needed.contains(x) && {
                    needed.extend(value.free().iter().copied());
                    true
                }
            }
            Before::Check(what, _) => {
                what.terms().iter().for_each(|t| needed.extend(t.free().iter().copied()));
                true
            }
        };
        if keeps { wrapped(b, e) } else { e }
    })
}

/// `f` for each statement, outermost first.
pub(super) fn each<'s>(block: &'s [Statement], f: &mut dyn FnMut(&'s Statement)) {
    for s in block {
        f(s);
        match s {
            Statement::If(_, a, b) => {
                each(a, f);
                each(b, f);
            }
            Statement::For(_, _, body) => each(body, f),
            Statement::Back(b) => each(&b.body, f),
            Statement::Before(_) | Statement::Add(..) | Statement::Total(..) => {}
        }
    }
}

impl Before {
    /// `f` for each term.
    pub(super) fn each_term_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        match self {
            Before::Let(_, e) => f(e),
            Before::Check(what, _) => what.terms_mut().iter_mut().for_each(f),
        }
    }
}

/// `f` for each term of a statement and of those inside of it.
pub(super) fn each_term_mut(s: &mut Statement, f: &mut dyn FnMut(&mut Expr)) {
    match s {
        Statement::Before(b) => b.each_term_mut(f),
        Statement::Add(_, at, e) => at.iter_mut().chain([e]).for_each(f),
        Statement::If(c, a, b) => {
            f(c);
            a.iter_mut().chain(b).for_each(|s| each_term_mut(s, f));
        }
        Statement::For(n, _, body) => {
            f(n);
            body.iter_mut().for_each(|s| each_term_mut(s, f));
        }
        Statement::Total(_, shape) => shape.extents.iter_mut().for_each(f),
        Statement::Back(b) => {
            f(&mut b.count);
            b.when.iter_mut().for_each(&mut *f);
            b.carried.iter_mut().for_each(|c| f(&mut c.start));
            b.body.iter_mut().for_each(|s| each_term_mut(s, f));
        }
    }
}

/// `f` for each shape in a statement.
pub(super) fn each_shape_mut(s: &mut Statement, f: &mut dyn FnMut(&mut Shape)) {
    match s {
        Statement::Total(_, shape) => f(shape),
        Statement::If(_, a, b) => a.iter_mut().chain(b).for_each(|s| each_shape_mut(s, f)),
        Statement::For(_, _, body) => body.iter_mut().for_each(|s| each_shape_mut(s, f)),
        Statement::Back(b) => b.body.iter_mut().for_each(|s| each_shape_mut(s, f)),
        Statement::Before(_) | Statement::Add(..) => {}
    }
}

/// The accumulators that a block adds to.
pub(super) fn added(block: &[Statement]) -> Set<VarId> {
    let mut all = Set::new();
    each(block, &mut |s| {
        if let Statement::Add(x, ..) = s {
            all.insert(*x);
        }
    });
    all
}

/// A block without all but the additions to one accumulator, or without these alone; and without loops that are empty then.
pub(super) fn only(block: &[Statement], keeps: &dyn Fn(VarId) -> bool) -> Block {
    let one = |s: &Statement| match s {
        Statement::Add(x, ..) => keeps(*x).then(|| s.clone()),
        Statement::If(c, a, b) => {
            let [a, b] = [a, b].map(|block| only(block, keeps));
            (does(&a) || does(&b)).then(|| Statement::If(c.clone(), a, b))
        }
        Statement::For(n, i, body) => {
            let body = only(body, keeps);
            does(&body).then(|| Statement::For(n.clone(), *i, body))
        }
        Statement::Before(_) | Statement::Total(..) | Statement::Back(_) => Some(s.clone()),
    };
    block.iter().filter_map(one).collect()
}

/// Whether a block adds anything.
fn does(block: &[Statement]) -> bool {
    block.iter().any(|s| !matches!(s, Statement::Before(_)))
}

/// The variables that a block uses.
pub(super) fn used(block: &[Statement]) -> Set<VarId> {
    let mut all = Set::new();
    each(block, &mut |s| {
        let mut of = |e: &Expr| all.extend(e.free().iter().copied());
        match s {
            Statement::Before(Before::Let(_, e)) | Statement::If(e, ..) | Statement::For(e, ..) => of(e),
            Statement::Total(_, shape) => shape.extents.iter().for_each(of),
            Statement::Before(Before::Check(what, _)) => what.terms().iter().for_each(of),
            Statement::Add(_, at, e) => at.iter().chain([e]).for_each(of),
            Statement::Back(b) => {
                of(&b.count);
                b.when.iter().for_each(&mut of);
                b.carried.iter().for_each(|c| of(&c.start));
                all.extend(b.carried.iter().map(|c| c.next).chain([b.of]));
            }
        }
    });
    all
}

/// An index as a term.
pub(super) fn index(i: VarId, o: Origin) -> Expr {
    build::var(i, Type::USIZE, o)
}

/// A block without the names that it does not need.
pub(super) fn pruned(block: Block) -> Block {
    pruned_for(block, Set::new())
}

/// A block without the names that it and what comes behind it do not need.
pub(super) fn pruned_for(block: Block, needed: Set<VarId>) -> Block {
    let block = block.into_iter().mapped(|s| match s {
        Statement::If(c, a, b) => Statement::If(c, pruned(a), pruned(b)),
        Statement::For(n, i, body) => Statement::For(n, i, pruned(body)),
        Statement::Back(b) => {
            let next = b.carried.iter().map(|c| c.next).collect();
            Statement::Back(Box::new(Back { body: pruned_for(b.body, next), ..*b }))
        }
        s => s,
    });
    let mut out = Block::new();
    let mut needed = needed;
    for s in block.into_iter().rev() {
        if let Statement::Before(Before::Let(x, _)) = &s
            && !needed.contains(x)
        {
            continue;
        }
        needed.extend(used(std::slice::from_ref(&s)).iter().copied());
        out.push(s);
    }
    out.reverse();
    out
}

/// Whether a term is not worth computing again.
pub(super) fn is_dear(e: &Expr) -> bool {
    match &e.kind {
        Kind::Slice(..) | Kind::Get(..) | Kind::Tuple(_) => false,
        // Of a strip, one iteration.
        Kind::Build(Build { count, body, .. }) if **count == build::index(STRIP, count.origin) => is_dear(body),
        _ => cost::of(e, cost::Place::Here) >= cost::RECOMPUTE,
    }
}
