//! The work of statements, as a polynomial in sizes.
//!
//! ```text
//! work (for i < n { s̄ }) = n · Σ work s̄             work (p ← e) = the cost of e, and 1 for each load and store
//! work (for i < n { for j < m { s̄ } }) = n · 4 ⌊n/8⌋ · Σ work s̄, if m depends on i: a triangle
//! work f                               = Σ work s̄ without each a · m for which there is a b · m · m' with a <= 4 b
//! ```

use crate::loops::target::Instances;
use crate::loops::{Block, Expr, Function, Place, Stmt};
use crate::name::VarId;
use crate::prim::Prim;
use crate::shape::card::{Atom, Card, Op};
use crate::shape::entry_atoms;
use crate::sorted::{Map, Set};
use crate::ty::Scalar;
use crate::value::Lit;

/// The work of a function, as a polynomial in its sizes. A loop whose count is not a polynomial in them counts as
/// enough ([`Instances`]).
pub(crate) fn work(f: &Function) -> Card {
    let known: Set<Atom> = entry_atoms(&f.interface.params).into_iter().collect();
    let target = &f.schedule.target.instances;
    let all = block_work(target, &f.body, &|c: &Card| c.atoms().into_iter().all(|a| known.contains(a)));
    if all.is_untracked() { Card::lit(target.enough) } else { leading(&all) }
}

/// The size without the terms that are dominated by a different term, so that a call has few terms to evaluate.
fn leading(c: &Card) -> Card {
    let power = |powers: &[(Atom, u32)], a: &Atom| powers.iter().find(|(b, _)| a == b).map_or(0, |(_, power)| *power);
    let divides = |m: &[(Atom, u32)], n: &[(Atom, u32)]| m.iter().all(|(a, power_in_m)| *power_in_m <= power(n, a));
    let is_small =
        |(a, m): &(i128, &[(Atom, u32)])| c.terms().any(|(b, n)| *m != n && divides(m, n) && *a <= b.saturating_mul(4));
    Card::of(c.terms().filter(|term| !is_small(term)))
}

/// The work of statements, as a polynomial in known sizes.
pub(crate) fn block_work(target: &Instances, b: &Block, is_known: &dyn Fn(&Card) -> bool) -> Card {
    Work::new(target, is_known).block(b)
}

/// The work of statements that have been visited.
pub(crate) struct Work<'k> {
    pub(crate) target: &'k Instances,
    is_known: &'k dyn Fn(&Card) -> bool,
    /// The values of names that are polynomials.
    pub(crate) values: Map<VarId, Card>,
    /// The indices of the surrounding loops, with half of their counts rounded down to whole vectors: shorter rows do
    /// not gain.
    pub(crate) halves: Vec<(VarId, Option<Card>)>,
}

impl<'k> Work<'k> {
    pub(crate) fn new(target: &'k Instances, is_known: &'k dyn Fn(&Card) -> bool) -> Work<'k> {
        Work { target, is_known, values: Map::new(), halves: vec![] }
    }

    fn block(&mut self, b: &Block) -> Card {
        b.iter().map(|s| self.stmt(s)).fold(Card::lit(0), |all, s| all.add(&s))
    }

    fn stmt(&mut self, s: &Stmt) -> Card {
        let own: i128 = s.exprs().into_iter().map(cost).sum();
        match s {
            Stmt::For(l) => self.times(&l.count, l.index, &l.body, 0),
            Stmt::Reduce(r) => self.times(&r.count, r.index, &r.body, own + 1),
            Stmt::Copy { len, .. } => self.count(len).unwrap_or(Card::lit(self.target.enough)),
            Stmt::Call(_) => Card::lit(self.target.enough),
            s => {
                self.note(s);
                let inside = s.blocks().into_iter().map(|b| self.block(b));
                inside.fold(Card::lit(own + i128::from(stores(s))), |all, b| all.add(&b))
            }
        }
    }

    fn times(&mut self, count: &Card, index: VarId, body: &Block, own: i128) -> Card {
        let inside = self.under(index, count, |w| w.block(body)).add(&Card::lit(own));
        self.count(count).map_or(Card::lit(self.target.enough), |n| n.mul(&inside))
    }

    pub(crate) fn note(&mut self, s: &Stmt) {
        if let Stmt::Let(x, Scalar::Usize, e) = s
            && let Some(c) = integer(e, &self.values)
        {
            self.values.insert(*x, c);
        }
    }

    pub(crate) fn under<R>(&mut self, index: VarId, count: &Card, f: impl FnOnce(&mut Self) -> R) -> R {
        let total = self.count(count).filter(Card::is_total);
        let lanes = self.target.elements;
        let half = |n: Card| Card::op(Op::Div, &n, &Card::lit(2 * lanes)).mul(&Card::lit(lanes));
        self.halves.push((index, total.map(half)));
        let result = f(self);
        self.halves.pop();
        result
    }

    /// The trip count of a loop. In a triangle, whose rows depend on the index of a surrounding loop, it is half of
    /// that loop's.
    pub(crate) fn count(&self, c: &Card) -> Option<Card> {
        let c = written_out(c, &self.values);
        if c.constant().is_some_and(|n| n > i128::from(u32::MAX)) {
            return None;
        }
        if (self.is_known)(&c) {
            return Some(c);
        }
        self.halves.iter().rev().find(|(i, _)| c.mentions(*i)).and_then(|(_, half)| half.clone())
    }
}

/// A size in which names are replaced by their values.
pub(crate) fn written_out(c: &Card, values: &Map<VarId, Card>) -> Card {
    c.subst(&|a| match a {
        Atom::Var(x) => values.get(x).cloned().unwrap_or(Card::var(*x)),
        a => Card::atom(a.clone()),
    })
}

/// The polynomial that equals a size.
pub(crate) fn integer(e: &Expr, values: &Map<VarId, Card>) -> Option<Card> {
    match e {
        Expr::Var(x) => Some(written_out(&Card::var(*x), values)),
        Expr::Lit(Lit::Int(n, _)) => Some(Card::lit(*n)),
        Expr::Size(c, _) => Some(written_out(c, values)),
        Expr::Prim(p @ (Prim::Add | Prim::Sub | Prim::Mul), es, _) => {
            let (a, b) = (integer(&es[0], values)?, integer(&es[1], values)?);
            Some(match p {
                Prim::Add => a.add(&b),
                Prim::Sub => a.sub(&b),
                _ => a.mul(&b),
            })
        }
        _ => None,
    }
}

pub(crate) fn cost(e: &Expr) -> i128 {
    let itself = match e {
        Expr::Prim(p, ..) => i128::from(p.cost()),
        Expr::Load(_) | Expr::App(..) | Expr::If(_) => 1,
        Expr::Var(_) | Expr::Lit(_) | Expr::Const(_) | Expr::Size(..) => 0,
    };
    e.operands().iter().map(cost).sum::<i128>() + itself
}

fn stores(s: &Stmt) -> bool {
    matches!(s, Stmt::Assign(Place::Element(_), _))
}
