//! Reductions.
//!
//! ```text
//! ⟦sum n (λi. t)⟧          = total ← sum (i < n) { s̄; e }; total            with ⟦t⟧ = s̄; e
//! ⟦sum_in_order n (λi. t)⟧ = var total; total ← -0.0; for i < n { s̄; total ← total + e }; total, or 0 if n = 0
//! ```

use crate::dps::{self, Combine, Dest, Reduces, Term};
use crate::loops::{Block, Expr, For, Order, Place, Reduce, Stmt, With};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::reduction::{self, Monoid};
use crate::schedule::lower::Lower;
use crate::schedule::rewrite::combined::{beginning, combined};
use crate::shape::card::Card;
use crate::span::Origin;
use crate::ty::Scalar;

impl Lower<'_> {
    /// A reduction with one result.
    pub(crate) fn reduce(&mut self, r: &dps::Reduce) -> Expr {
        let dps::Reduce { count, index, elem, body, with, order, origin } = r;
        let count = self.count(count);
        self.typed(*index, Scalar::Usize);
        let (body, term) = self.computed(body);
        let totals = self.named((*index, count), &[*elem], (body, vec![term]), (*with, *order, *origin));
        Expr::Var(totals[0])
    }

    /// Several reductions by one named operation, in one loop.
    pub(crate) fn reduces(&mut self, r: &Reduces) {
        let Reduces { count, index, elem, terms, body, dests, with, order, origin } = r;
        let count = self.count(count);
        self.typed(*index, Scalar::Usize);
        let elems = vec![*elem; terms.len()];
        let body = self.assigned(terms, &elems, body);
        let values = terms.iter().mapped(|t| Expr::Var(*t));
        let totals = self.named((*index, count), &elems, (body, values), (*with, *order, *origin));
        self.store_all(dests, &totals);
    }

    /// A reduction by a function.
    pub(crate) fn combine(&mut self, c: &Combine) {
        let Combine { count, index, elems, terms, body, left, right, next, combine, init, dests } = c;
        let count = self.count(count);
        self.typed(*index, Scalar::Usize);
        let starts: Vec<VarId> = next.iter().mapped(|v| self.again(*v));
        self.cells.extend(next.iter().copied().zip(starts.iter().copied()));
        let init = self.assigned(&starts, elems, init);
        init.into_iter().for_each(|s| self.push(s));
        self.cells.retain(|v, _| !next.contains(v));
        let body = self.assigned(terms, elems, body);
        left.iter().chain(right).zip(elems.iter().cycle()).for_each(|(v, s)| self.typed(*v, *s));
        let combine = self.assigned(next, elems, combine);
        let variables = |vs: &[VarId]| vs.iter().mapped(|v| Expr::Var(*v));
        let totals: Vec<VarId> = next.iter().mapped(|v| self.again(*v));
        totals.iter().zip(elems).for_each(|(v, s)| self.typed(*v, *s));
        self.push(Stmt::Reduce(Reduce {
            index: *index,
            count,
            elems: elems.clone(),
            body,
            terms: variables(terms),
            with: With::Function {
                init: variables(&starts),
                left: left.clone(),
                right: right.clone(),
                body: combine,
                next: variables(next),
            },
            totals: totals.clone(),
        }));
        self.store_all(dests, &totals);
    }

    /// A term that assigns these cells, which it declares first.
    fn assigned(&mut self, cells: &[VarId], elems: &[Scalar], t: &Term) -> Block {
        let (block, ()) = self.apart(|cx| {
            cells.iter().zip(elems).for_each(|(v, s)| cx.push(Stmt::Var(*v, *s)));
            let t = cx.written(t);
            t.into_iter().for_each(|s| cx.push(s));
        });
        block
    }

    fn store_all(&mut self, dests: &[Dest], totals: &[VarId]) {
        for (d, total) in dests.iter().zip(totals) {
            let place = self.place(d);
            self.push(Stmt::Assign(place, Expr::Var(*total)));
        }
    }

    /// The totals of named reductions.
    fn named(
        &mut self,
        (index, count): (VarId, Card),
        elems: &[Scalar],
        (mut body, terms): (Block, Vec<Expr>),
        (with, order, origin): (Monoid, reduction::Order, Origin),
    ) -> Vec<VarId> {
        let totals: Vec<VarId> = elems.iter().mapped(|_| self.fresh("total"));
        totals.iter().zip(elems).for_each(|(v, s)| self.typed(*v, *s));
        // Fewer terms than lanes are in source order anyway.
        let few = count.constant().is_some_and(|n| n < reduction::LANES as i128);
        if order == reduction::Order::Lanes && !few {
            let (elems, with) = (elems.to_vec(), With::Monoid(with));
            self.push(Stmt::Reduce(Reduce { index, count, elems, body, terms, with, totals: totals.clone() }));
            return totals;
        }
        for (total, s) in totals.iter().zip(elems) {
            self.push(Stmt::Var(*total, *s));
            self.push(Stmt::Assign(Place::Var(*total), beginning(with, *s, &count)));
        }
        for ((total, term), s) in totals.iter().zip(terms).zip(elems) {
            let x = self.fresh("term");
            self.typed(x, *s);
            body.push(Stmt::Let(x, *s, term));
            body.push(Stmt::Assign(Place::Var(*total), combined(with, Expr::Var(*total), Expr::Var(x), origin)));
        }
        self.push(Stmt::For(For { index, count, order: Order::Sequential, body }));
        totals
    }
}
