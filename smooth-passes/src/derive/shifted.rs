//! `shifted`: loops that add at a place which has their indices as summands are a loop over places.
//!
//! ```text
//! for i < n { a̅[i + c] += e }                   ⟶ build m (λp. if c ≤ p && p - c < n then e[p - c / i] else 0)
//! for i < n { for j < k { a̅[i + j + c] += e } } ⟶ build m (λp. sum (hi - lo) (λr. e[lo + r / j, p - j - c / i]))
//!     lo = min(k, p + 1 - c - n), hi = min(k, p + 1 - c), or 0 where these are below 0
//! ```
//!
//! The same for `c - i`, `i - j`, `j - i` and `c - i - j`. So the derivative of a stencil is a stencil, and that of a convolution
//! two convolutions.

use super::statements::{Before, Block, Statement};
use crate::fsmooth::{Expr, Kind, build};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::prim::Prim;
use crate::span::Origin;

/// A place of two indices at most: `± i ± j + more - less`.
pub(super) struct Shifted {
    /// The indices of loops in it, and whether each is added.
    pub(super) indices: Vec<(VarId, bool)>,
    pub(super) more: Vec<Expr>,
    pub(super) less: Vec<Expr>,
}

impl Shifted {
    /// A place as a sum, if it is one in which each index of a loop stands once.
    pub(super) fn of(place: &Expr, is_index: &dyn Fn(VarId) -> bool) -> Option<Shifted> {
        let mut own = Shifted { indices: vec![], more: vec![], less: vec![] };
        own.add(place, true, is_index)?;
        let mut seen = own.indices.iter().mapped(|(i, _)| *i);
        seen.sort();
        seen.dedup();
        (seen.len() == own.indices.len()).then_some(own)
    }

    fn add(&mut self, e: &Expr, up: bool, is_index: &dyn Fn(VarId) -> bool) -> Option<()> {
        match &e.kind {
            Kind::Var(i) if is_index(*i) => self.indices.push((*i, up)),
            Kind::Prim(p @ (Prim::Add | Prim::Sub), es) => {
                self.add(&es[0], up, is_index)?;
                self.add(&es[1], up == (*p == Prim::Add), is_index)?;
            }
            _ if *e == build::index(0, e.origin) => {}
            _ if e.free().iter().any(|v| is_index(*v)) => return None,
            _ if up => self.more.push(e.clone()),
            _ => self.less.push(e.clone()),
        }
        Some(())
    }

    /// Whether no sum in [`Shifted::at`] overflows: the numbers in it are made of lengths, or are only subtracted.
    pub(super) fn is_safe(&self, is_of_lengths: &dyn Fn(&Expr) -> bool) -> bool {
        match self.indices.as_slice() {
            [(_, true)] if self.more.is_empty() && self.less.len() == 1 => true,
            [_] => self.less.iter().all(is_of_lengths),
            _ => self.more.iter().chain(&self.less).all(is_of_lengths),
        }
    }

    /// The statements of the loops over the indices, at the place `p`: `own` are the names of the indices in `body`, and `r` is
    /// the index of the loop that is left of two.
    pub(super) fn at(&self, p: Expr, counts: &[Expr], (own, r): (&[VarId], VarId), body: Block) -> Block {
        let o = p.origin;
        let total = |es: &[Expr]| es.iter().cloned().reduce(|a, b| build::prim(Prim::Add, vec![a, b], o));
        let (more, less) = (total(&self.more), total(&self.less));
        let bind = |v: VarId, e: Expr| Statement::Before(Before::Let(v, e));
        let moved = less.iter().cloned().fold(p.clone(), |p, less| build::prim(Prim::Add, vec![p, less], o));
        let terms = Terms { o, p: moved, c: more };
        match self.indices.as_slice() {
            [(_, true)] if terms.c.is_none() && less.is_some() => {
                let below = less.into_iter().fold(counts[0].clone(), |n, less| terms.minus(n, less));
                let inside = terms.prim(Prim::Lt, p, below);
                let block: Block = [bind(own[0], terms.p)].into_iter().chain(body).collect();
                vec![Statement::If(inside, block, vec![])]
            }
            [(_, up)] => {
                let (inside, value) = terms.one(*up, &counts[0]);
                let block: Block = [bind(own[0], value)].into_iter().chain(body).collect();
                vec![Statement::If(inside, block, vec![])]
            }
            [(_, up), (_, inner)] => {
                let j = build::var(own[1], counts[1].ty.clone(), o);
                let (from, to, value) = terms.two((*up, *inner), counts, &j);
                let most = |e: Expr| terms.prim(Prim::Min, counts[1].clone(), e);
                let count = terms.prim(Prim::Sub, most(to), most(from.clone()));
                let r_now = build::var(r, j.ty.clone(), o);
                let at = build::prim(Prim::Add, vec![from, r_now], o);
                let mut block = vec![bind(own[1], at), bind(own[0], value)];
                block.push_all(body);
                vec![Statement::For(count, r, block)]
            }
            _ => unreachable!("a place has one or two indices"),
        }
    }
}

/// A place `p` and what is added to the indices in it.
struct Terms {
    o: Origin,
    p: Expr,
    c: Option<Expr>,
}

impl Terms {
    fn prim(&self, op: Prim, a: Expr, b: Expr) -> Expr {
        build::prim(op, vec![a, b], self.o)
    }

    /// `a - b`, or 0.
    fn minus(&self, a: Expr, b: Expr) -> Expr {
        self.prim(Prim::SaturatingSub, a, b)
    }

    /// `e + c`.
    fn more(&self, e: Expr) -> Expr {
        self.c.iter().cloned().fold(e, |e, c| self.prim(Prim::Add, e, c))
    }

    /// `c`.
    fn c(&self) -> Expr {
        self.c.clone().unwrap_or_else(|| build::index(0, self.o))
    }

    fn behind(&self, e: Expr) -> Expr {
        self.prim(Prim::Add, e, build::index(1, self.o))
    }

    /// Whether an index below `n` has the place `c ± i`, and that index.
    fn one(&self, up: bool, n: &Expr) -> (Expr, Expr) {
        let (a, b) = if up { (self.p.clone(), self.c.clone()) } else { (self.c(), Some(self.p.clone())) };
        let i = b.iter().cloned().fold(a.clone(), |a, b| self.prim(Prim::Sub, a, b));
        let below = |i: Expr| self.prim(Prim::Lt, i, n.clone());
        let inside = match b {
            // No operation overflows, whatever `c` is.
            Some(b) => self.prim(Prim::And, self.prim(Prim::Ge, a.clone(), b.clone()), below(self.minus(a, b))),
            None => below(i.clone()),
        };
        (inside, i)
    }

    /// The first and the last of the indices `j`, as far as there are so many, for which another one has the place `c ± i ± j`, and that one.
    fn two(&self, up: (bool, bool), counts: &[Expr], j: &Expr) -> (Expr, Expr, Expr) {
        let (p, n) = (self.p.clone(), counts[0].clone());
        match up {
            (true, true) => {
                let begin = match &self.c {
                    Some(c) => self.minus(self.behind(p.clone()), c.clone()),
                    None => self.behind(p.clone()),
                };
                let own = self.c.iter().cloned().fold(p, |p, c| self.prim(Prim::Sub, p, c));
                (self.minus(begin.clone(), n), begin, self.prim(Prim::Sub, own, j.clone()))
            }
            (true, false) => {
                let own = self.prim(Prim::Add, p.clone(), j.clone());
                let i = self.c.iter().cloned().fold(own, |own, c| self.prim(Prim::Sub, own, c));
                (self.minus(self.c(), p.clone()), self.minus(self.more(n), p), i)
            }
            (false, true) => {
                let i = self.prim(Prim::Sub, self.more(j.clone()), p.clone());
                let to = self.prim(Prim::Add, n, p.clone());
                let to = self.c.iter().cloned().fold(to, |to, c| self.minus(to, c));
                (self.minus(p, self.c()), to, i)
            }
            (false, false) => {
                let end = self.behind(self.c());
                let i = self.prim(Prim::Sub, self.prim(Prim::Sub, self.c(), p.clone()), j.clone());
                let from = self.minus(end.clone(), self.prim(Prim::Add, p.clone(), n));
                (from, self.minus(end, p), i)
            }
        }
    }
}
