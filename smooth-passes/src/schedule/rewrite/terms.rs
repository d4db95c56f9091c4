//! Reductions in lanes as loops, without a change of order.
//!
//! ```text
//! total ← sum (i < n) { s̄; e }
//!   ⟶  open lanes[16]; for k < min(16, 16·(n / 16)) any { lanes[k] ← -0.0 }
//!      for q < n / 16 { for k < 16 any { s̄; lanes[k] ← lanes[k] + e } }              i = 16·q + k
//!      var total; total ← -0.0; for k < min(16, 16·(n / 16)) { total ← total + lanes[k] }
//!      for r < n % 16 { s̄; total ← total + e }                                       i = 16·(n / 16) + r
//!      if n = 0 { total ← 0 }
//! ```

use crate::loops::visit::Part;
use crate::loops::{Access, Block, Buffer, BufferId, Expr, For, Function, Memory, Order, Place, Reduce, Stmt, With};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::reduction::{LANES, Monoid};
use crate::schedule::rewrite::combined::{beginning, combined};
use crate::schedule::rewrite::copy::copied;
use crate::shape::card::{Atom, Card, Op};
use crate::span::Origin;
use crate::ty::Scalar;

/// A reduction that is being lowered.
pub(crate) struct Totals {
    with: Monoid,
    elems: Vec<Scalar>,
    count: Card,
    /// The totals of each lane.
    pub lanes: Vec<BufferId>,
    /// The components of the result.
    totals: Vec<VarId>,
}

fn lanes() -> Card {
    Card::lit(LANES as i128)
}

/// The number of full rounds of all lanes.
fn rounds(n: &Card) -> Card {
    Card::op(Op::Div, n, &lanes())
}

impl Totals {
    /// The lanes of a reduction; `None` if it is by a function.
    pub fn of(f: &mut Function, r: &Reduce) -> Option<Totals> {
        let With::Monoid(with) = r.with else { return None };
        let lane = |elem: &Scalar| {
            let (name, len) = (f.names.fresh("lanes"), lanes());
            f.buffers.push(Buffer { name, elem: *elem, len: len.clone(), memory: Memory::Local(len) });
            BufferId(f.buffers.len() as u32 - 1)
        };
        let lanes = r.elems.iter().mapped(lane);
        Some(Totals { with, elems: r.elems.clone(), count: r.count.clone(), lanes, totals: r.totals.clone() })
    }

    /// The number of lanes that have a term.
    fn used(&self) -> Card {
        Card::op(Op::Min, &lanes(), &rounds(&self.count).mul(&lanes()))
    }

    fn each_lane(&self, f: &mut Function, order: Order, body: impl FnOnce(&Card) -> Block) -> Stmt {
        let index = f.names.fresh("lane");
        let body = body(&Card::var(index));
        Stmt::For(For { index, count: self.used(), order, body })
    }

    fn lane(&self, k: usize, at: &Card) -> Access {
        Access { buffer: self.lanes[k], offset: at.clone() }
    }

    /// The variables of the result.
    pub fn declare(&self) -> Block {
        self.totals.iter().zip(&self.elems).mapped(|(x, s)| Stmt::Var(*x, *s))
    }

    /// The statements before the first round: initial values of the lanes.
    pub fn start(&self, f: &mut Function) -> Stmt {
        self.each_lane(f, Order::Any, |at| {
            let start = |(k, s): (usize, &Scalar)| {
                Stmt::Assign(Place::Element(self.lane(k, at)), Expr::Lit(self.with.start(*s)))
            };
            self.elems.iter().enumerate().mapped(start)
        })
    }

    /// A round: the terms that `term` gives for each lane.
    pub fn round(&self, f: &mut Function, term: impl FnOnce(&mut Function, &Card) -> (Block, Vec<Expr>)) -> Stmt {
        let index = f.names.fresh("lane");
        let (mut body, terms) = term(f, &Card::var(index));
        for (k, e) in terms.into_iter().enumerate() {
            let lane = self.lane(k, &Card::var(index));
            self.add(f, (k, Place::Element(lane)), e, &mut body);
        }
        Stmt::For(For { index, count: lanes(), order: Order::Any, body })
    }

    /// The statements after the last round: the lanes combined, first to last.
    pub fn finish(&self, f: &mut Function) -> Block {
        let mut out: Block = vec![];
        for (x, s) in self.totals.iter().zip(&self.elems) {
            out.push(Stmt::Assign(Place::Var(*x), beginning(self.with, *s, &self.count)));
        }
        let index = f.names.fresh("lane");
        let mut body = vec![];
        for (k, x) in self.totals.iter().enumerate() {
            let lane = Expr::Load(self.lane(k, &Card::var(index)));
            self.add(f, (k, Place::Var(*x)), lane, &mut body);
        }
        out.push(Stmt::For(For { index, count: self.used(), order: Order::Sequential, body }));
        out
    }

    /// The terms after the last round.
    pub fn rest(
        &self,
        f: &mut Function,
        term: impl FnOnce(&mut Function, &Card) -> Option<(Block, Vec<Expr>)>,
    ) -> Option<Block> {
        let index = f.names.fresh("rest");
        let (mut body, terms) = term(f, &Card::var(index))?;
        for (k, (x, e)) in self.totals.iter().zip(terms).enumerate() {
            self.add(f, (k, Place::Var(*x)), e, &mut body);
        }
        let count = Card::op(Op::Rem, &self.count, &lanes());
        Some(vec![Stmt::For(For { index, count, order: Order::Sequential, body })])
    }

    /// Adds one more term, which gets a name, to the `k`th accumulator.
    fn add(&self, f: &mut Function, (k, to): (usize, Place), term: Expr, body: &mut Block) {
        let x = f.names.fresh("term");
        body.push(Stmt::Let(x, self.elems[k], term));
        let so_far = match &to {
            Place::Var(x) => Expr::Var(*x),
            // A choice of values reads no memory.
            Place::Element(a) if matches!(self.with, Monoid::Min | Monoid::Max) => {
                let y = f.names.fresh("so_far");
                body.push(Stmt::Let(y, self.elems[k], Expr::Load(a.clone())));
                Expr::Var(y)
            }
            Place::Element(a) => Expr::Load(a.clone()),
        };
        body.push(Stmt::Assign(to, combined(self.with, so_far, Expr::Var(x), Origin::default())));
    }
}

/// A body with each reduction in it as loops, without scopes; the buffers that it opened. `None` if there is one by a
/// function.
pub(crate) fn in_loops(f: &mut Function, b: &Block, opened: &mut Vec<BufferId>) -> Option<Block> {
    let mut out = vec![];
    for s in b {
        match s {
            Stmt::Open(bs) => opened.extend(bs),
            Stmt::Block(b) => out.push_all(in_loops(f, b, opened)?),
            Stmt::For(For { index, count, order, body }) => {
                let (index, count, order, body) = (*index, count.clone(), *order, in_loops(f, body, opened)?);
                out.push(Stmt::For(For { index, count, order, body }));
            }
            Stmt::Reduce(r) => {
                let totals = Totals::of(f, r)?;
                opened.extend(&totals.lanes);
                let body = in_loops(f, &r.body, opened)?;
                let rounds = rounds(&r.count);
                out.push(totals.start(f));
                let q = f.names.fresh("round");
                let at = |k: &Card| Card::var(q).mul(&lanes()).add(k);
                let round = totals.round(f, |_, k| at_index(&body, &r.terms, r.index, &at(k)));
                out.push(Stmt::For(For {
                    index: q,
                    count: rounds.clone(),
                    order: Order::Sequential,
                    body: vec![round],
                }));
                out.push_all(totals.declare());
                out.push_all(totals.finish(f));
                let last = |f: &mut Function, k: &Card| {
                    let (body, terms) = at_index(&body, &r.terms, r.index, &rounds.mul(&lanes()).add(k));
                    again(f, body, r.elems.iter().copied().zip(terms))
                };
                out.push_all(totals.rest(f, last)?);
            }
            s => out.push(s.clone()),
        }
    }
    Some(out)
}

/// A body and terms with `at` instead of an index.
pub(crate) fn at_index(body: &Block, terms: &[Expr], index: VarId, at: &Card) -> (Block, Vec<Expr>) {
    fn card(c: &mut Card, index: VarId, at: &Card) {
        *c = c.subst(&|a| if *a == Atom::Var(index) { at.clone() } else { Card::atom(a.clone()) });
    }
    fn expr(e: &mut Expr, index: VarId, at: &Card) {
        e.each_mut(&mut |e| match e {
            Expr::Var(x) if *x == index => *e = Expr::Size(at.clone(), Origin::default()),
            Expr::Size(c, _) => card(c, index, at),
            Expr::Load(a) => card(&mut a.offset, index, at),
            _ => {}
        });
    }
    fn stmt(s: &mut Stmt, index: VarId, at: &Card) {
        s.exprs_mut().into_iter().for_each(|e| expr(e, index, at));
        s.cards_mut().into_iter().for_each(|c| card(c, index, at));
        s.accesses_mut().into_iter().for_each(|a| card(&mut a.offset, index, at));
    }
    let (mut body, mut terms) = (body.clone(), terms.to_vec());
    body.iter_mut().for_each(|s| s.walk_mut(&mut |s| stmt(s, index, at)));
    terms.iter_mut().for_each(|e| expr(e, index, at));
    (body, terms)
}

/// A copy of a body and of the terms after it, with fresh names.
fn again(f: &mut Function, mut body: Block, terms: impl Iterator<Item = (Scalar, Expr)>) -> Option<(Block, Vec<Expr>)> {
    // The names of the terms follow those of the body.
    let own = body.len();
    body.push_all(terms.map(|(s, e)| Stmt::Let(f.names.fresh("term"), s, e)));
    let mut body = copied(f, &body);
    let value = |s| if let Stmt::Let(_, _, e) = s { Some(e) } else { None };
    let terms = body.split_off(own).into_iter().map(value).all_some()?;
    Some((body, terms))
}

/// Whether all sizes are known as polynomials.
pub(crate) fn is_tracked(s: &Stmt) -> bool {
    let unknown = |e: &Expr| match e {
        Expr::Size(c, _) => c.is_untracked(),
        Expr::Load(a) => a.offset.is_untracked(),
        _ => false,
    };
    !s.any_part(&|p| match p {
        Part::Expr(e) => e.any(&unknown),
        Part::Access(a, _) => a.offset.is_untracked(),
        Part::Size(c) => c.is_untracked(),
        _ => false,
    })
}

/// The sum of the terms that blocks store in `results`.
pub(crate) fn summed(
    f: &mut Function,
    t: &Totals,
    results: &[BufferId],
    mut groups: For,
    (count, width, length): (&Card, VarId, i128),
) -> Option<Block> {
    let lanes = Card::lit(LANES as i128);
    let q = f.names.fresh("round");
    let terms =
        |at: &Card| -> Vec<Expr> { results.iter().mapped(|b| Expr::Load(Access { buffer: *b, offset: at.clone() })) };
    let round = t.round(f, |_, k| (vec![], terms(&Card::var(q).mul(&lanes).add(k))));
    let rounds = Card::op(Op::Div, &Card::var(width), &lanes);
    groups.body.push(Stmt::For(For { index: q, count: rounds, order: Order::Sequential, body: vec![round] }));
    let last = Card::op(Op::Rem, count, &Card::lit(length));
    let done = Card::op(Op::Div, &last, &lanes).mul(&lanes);
    let mut out = vec![Stmt::Open(t.lanes.iter().chain(results).copied().collect_vec()), t.start(f), Stmt::For(groups)];
    out.push_all(t.finish(f));
    out.push_all(t.rest(f, |_, k| Some((vec![], terms(&done.add(k)))))?);
    Some(out)
}
