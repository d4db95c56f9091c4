//! Sums in lanes in a tile: a few lanes of all totals at a time.
//!
//! ```text
//! x ← sum (l < k) { s̄; e }, in a tile of R × C elements, V lanes at a time
//!   ⟶  if k ≥ 32 {                                                                    for the whole table, before its tiles
//!        for r < R any { for c < C any { x̄[C·r + c] ← start } }
//!        open ȳ[16·R·C]; ȳ ← start
//!        for b < ⌈k / 16·T⌉ {
//!          for h < 16 / V {
//!            open z̄[V·R·C]; z̄ ← ȳ[h]
//!            for g < min(T, k / 16 - T·b) {
//!              for r < R any { for c < C any { for v < V any { s̄; z ← z ⊕ e } } }      l = 16·(T·b + g) + V·h + v
//!            }
//!            ȳ[h] ← z̄
//!          }
//!        }
//!        for h < 16 / V { for v < V { for r < R any { for c < C any { x ← x ⊕ y } } } }
//!        for l < k % 16 { for r < R any { for c < C any { s̄; x ← x ⊕ e } } }             the terms that remain
//!      }
//! ```
//!
//! Each total has its 16 lanes, which take their terms and are combined in the order of a reduction. All lanes of a
//! tile at once would not fit into registers. Elements that are read in `T` iterations of all lanes stay in the L1
//! cache until every group of lanes has read them.
//!
//! Pays: if loads are adjacent along the sum's index. Elements of the remainder keep the original sum.
//!
//! All lanes of one total fill 8 registers of SSE2. So a tile takes one register of lanes of all its totals at a
//! time: 4 × 2 totals with the 16 registers of SSE2 and AVX2, 4 × 4 with the 32 of AVX-512, which has a separate body
//! for that. The next lanes read the same 256 terms again, or 1024 where the lanes of a register are a whole cache
//! line, which the others do not need. Nothing is transposed or packed: the operands are read along the sum's index,
//! as the lanes are. Without turns of 256 terms the same tiles took 1.6 in place of 1.05 of the time of the
//! hand-written loop at 784 terms, since the operands of a tile left the nearest cache.

use crate::loops::{Access, Block, BufferId, Expr, For, Function, Order, Place, Reason, Reduce, Stmt, With};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::reduction::{LANES, Monoid};
use crate::schedule::facts::access::{operations, slope};
use crate::schedule::facts::parts::Part;
use crate::schedule::rewrite::combined::combined;
use crate::schedule::rewrite::lane::{At, Places, card, lane, slot};
use crate::schedule::rewrite::remainder::{in_range, run};
use crate::schedule::tiles::tile::Tile;
use crate::shape::card::{Card, Op};
use crate::sorted::Map;
use crate::span::Origin;
use crate::ty::Scalar;
use crate::value::Lit;

/// The number of lanes of a sum.
const ALL: i128 = LANES as i128;

/// The counts of the sums of a table.
pub(crate) fn counts(parts: &[Part]) -> impl Iterator<Item = &Card> {
    parts.iter().filter_map(|p| if let Part::Sum(r) = p { Some(&r.count) } else { None })
}

/// Whether there is a sum in lanes among the parts of a loop.
pub(crate) fn is_in(parts: &[Part]) -> bool {
    parts.iter().any(|p| match p {
        Part::Sum(_) => true,
        Part::Loop(.., inside) => is_in(inside),
        Part::Lanes(_) | Part::Once(_) => false,
    })
}

/// The elements that the terms of a sum read, or the reason why its lanes are not vectors.
pub(crate) fn along<'r>(
    r: &'r Reduce,
    axes: [VarId; 2],
    bound: &Map<VarId, Scalar>,
) -> Result<Vec<&'r Access>, Reason> {
    if !r.body.iter().all(|s| matches!(s, Stmt::Let(..) | Stmt::Var(..) | Stmt::Assign(Place::Var(_), _))) {
        return Err(Reason::Branch);
    }
    let mut loads = vec![];
    let exprs = r.body.iter().flat_map(|s| s.exprs()).chain(&r.terms);
    exprs.into_iter().try_for_each(|e| operations(e, &[axes[0], axes[1], r.index], &mut loads))?;
    let apart = |a: &&Access| !matches!(slope(a, r.index, bound).and_then(|c| c.constant()), Some(0 | 1));
    match loads.iter().find(|a| apart(a)) {
        Some(a) => Err(Reason::Distance(a.buffer, r.index)),
        None => Ok(loads),
    }
}

/// A sum that is being tiled.
struct Sum<'s, 'n> {
    tile: &'s Tile<'n>,
    reduce: &'s Reduce,
    with: Monoid,
    /// The indices of the surrounding sequential loops.
    loops: &'s Places,
    /// The slots of its totals.
    totals: Vec<BufferId>,
    /// The number of elements of the tile.
    elements: i128,
    /// The number of lanes in a group, which are in registers together.
    together: i128,
    /// The number of terms of each lane before the next group takes over.
    turn: i128,
}

impl Tile<'_> {
    pub(crate) fn sum(&self, f: &mut Function, r: &Reduce, loops: &Places) -> Option<Block> {
        let With::Monoid(with) = r.with else { return None };
        let [rows, columns] = self.size;
        if columns == 1 {
            return self.each(f, loops, |f, numbers, _| as_it_was(f, r, &numbers));
        }
        let totals = r.totals.iter().map(|x| self.slots.get(x).copied()).all_some()?;
        let bytes = r.elems.iter().map(|s| s.bytes()).max()? as i128;
        let target = f.schedule.target;
        let together = (target.register / bytes).clamp(1, ALL);
        let turn = if together * bytes < target.line { target.tiles.turn } else { target.tiles.long_turn };
        Sum { tile: self, reduce: r, with, loops, totals, elements: rows * columns, together, turn }.all(f)
    }
}

/// The sum of one element.
fn as_it_was(f: &mut Function, r: &Reduce, numbers: &Places) -> Option<Block> {
    let totals: Vec<VarId> = r.totals.iter().mapped(|x| f.names.again(*x));
    let mut all = vec![Stmt::Reduce(Reduce { totals: totals.clone(), ..r.clone() })];
    all.push_all(r.totals.iter().zip(totals).map(|(x, y)| Stmt::Assign(Place::Var(*x), Expr::Var(y))));
    lane(f, &all, &[], numbers)
}

fn sequential(index: VarId, count: Card, body: Block) -> Stmt {
    Stmt::For(For { index, count, order: Order::Sequential, body })
}

fn element(buffer: BufferId, offset: &Card) -> Access {
    Access { buffer, offset: offset.clone() }
}

impl Sum<'_, '_> {
    fn all(&self, f: &mut Function) -> Option<Block> {
        let Reduce { index, count, .. } = self.reduce;
        let count = card(count, self.loops)?;
        let mut out = vec![];
        let groups = match count.constant() {
            Some(n) => Card::lit(n / ALL),
            None => {
                let x = f.names.fresh("groups");
                out.push(Stmt::Let(x, Scalar::Usize, Expr::size(Card::op(Op::Div, &count, &Card::lit(ALL)))));
                Card::var(x)
            }
        };
        let mut tiled = self.fill(f, &self.totals, self.elements, Monoid::start);
        tiled.push_all(self.lanes(f, &groups)?);
        let (full, rest) = (groups.mul(&Card::lit(ALL)), f.names.again(*index));
        let terms = self.tile.each(f, self.loops, |f, numbers, at| {
            self.term(f, (numbers, full.add(&Card::var(rest))), &self.totals, at)
        })?;
        tiled.push(sequential(rest, count.sub(&full), terms));
        out.push_all(tiled);
        Some(out)
    }

    /// All terms except for the remainder.
    fn lanes(&self, f: &mut Function, groups: &Card) -> Option<Block> {
        let [b, w, h, g] = ["turn", "width", "part", "group"].map(|name| f.names.fresh(name));
        let size_of_part = self.together * self.elements;
        let (lanes, part) = (self.slots(f, ALL * self.elements), self.slots(f, size_of_part));
        let from = Card::var(h).mul(&Card::lit(size_of_part));
        let l = Card::var(b).mul(&Card::lit(self.turn)).add(&Card::var(g)).mul(&Card::lit(ALL));
        let l = l.add(&Card::var(h).mul(&Card::lit(self.together)));
        let terms = self.side_by_side(f, |f, numbers, v, at| self.term(f, (numbers, l.add(v)), &part, at))?;
        let mut inside = vec![Stmt::Open(part.clone())];
        inside.push(self.moved(f, (&part, &Card::lit(0)), (&lanes, &from)));
        inside.push(sequential(g, Card::var(w), terms));
        inside.push(self.moved(f, (&lanes, &from), (&part, &Card::lit(0))));
        let width = Card::op(Op::Min, &Card::lit(self.turn), &groups.sub(&Card::var(b).mul(&Card::lit(self.turn))));
        let parts = Card::lit(ALL / self.together);
        let turn = vec![Stmt::Let(w, Scalar::Usize, Expr::size(width)), sequential(h, parts.clone(), inside)];
        let turns = Card::op(Op::Div, &groups.add(&Card::lit(self.turn - 1)), &Card::lit(self.turn));
        let mut out = vec![Stmt::Open(lanes.clone())];
        out.push_all(self.fill(f, &lanes, ALL * self.elements, Monoid::start));
        out.push(sequential(b, turns, turn));
        let (h, v) = (f.names.fresh("part"), f.names.fresh("lane"));
        let from = Card::var(h).mul(&Card::lit(size_of_part)).add(&Card::var(v));
        let combine = self.tile.each(f, self.loops, |_, _, at| {
            let from = from.add(&at.mul(&Card::lit(self.together)));
            let add = |(to, y): (&BufferId, &BufferId)| {
                let to = element(*to, at);
                let sum =
                    combined(self.with, Expr::Load(to.clone()), Expr::Load(element(*y, &from)), Origin::default());
                Stmt::Assign(Place::Element(to), sum)
            };
            Some(self.totals.iter().zip(&lanes).mapped(add))
        })?;
        out.push(sequential(h, parts, vec![sequential(v, Card::lit(self.together), combine)]));
        Some(out)
    }

    /// Statements for a group of lanes of each element. `body` gets the lane, and its position in a slot.
    fn side_by_side(
        &self,
        f: &mut Function,
        body: impl FnOnce(&mut Function, Places, &Card, &Card) -> Option<Block>,
    ) -> Option<Block> {
        self.tile.each(f, self.loops, |f, numbers, at| {
            let v = f.names.fresh("lane");
            let lane = in_range(v, self.together);
            let body = body(f, numbers, &lane, &at.mul(&Card::lit(self.together)).add(&lane))?;
            Some(run(v, self.together, body))
        })
    }

    /// Statements that add the term at `l` to each total.
    fn term(&self, f: &mut Function, (mut numbers, l): (Places, Card), to: &[BufferId], at: &Card) -> Option<Block> {
        let Reduce { index, body, terms, elems, .. } = self.reduce;
        numbers.insert(*index, At::Size(l));
        let mut all = body.clone();
        for ((e, s), to) in terms.iter().zip(elems).zip(to) {
            let (x, to) = (f.names.fresh("term"), element(*to, at));
            all.push(Stmt::Let(x, *s, e.clone()));
            let sum = combined(self.with, Expr::Load(to.clone()), Expr::Var(x), Origin::default());
            all.push(Stmt::Assign(Place::Element(to), sum));
        }
        lane(f, &all, &[], &numbers)
    }

    /// A local array for each total.
    fn slots(&self, f: &mut Function, length: i128) -> Vec<BufferId> {
        let Reduce { totals, elems, .. } = self.reduce;
        totals.iter().zip(elems).mapped(|(x, s)| slot(f, *x, *s, length))
    }

    /// Sets all elements of local arrays to one value.
    fn fill(&self, f: &mut Function, to: &[BufferId], count: i128, value: fn(Monoid, Scalar) -> Lit) -> Block {
        let e = f.names.fresh("at");
        let store = |(b, s): (&BufferId, &Scalar)| {
            Stmt::Assign(Place::Element(element(*b, &in_range(e, count))), Expr::Lit(value(self.with, *s)))
        };
        run(e, count, to.iter().zip(&self.reduce.elems).mapped(store))
    }

    /// Copies the totals of a group of lanes.
    fn moved(&self, f: &mut Function, to: (&[BufferId], &Card), from: (&[BufferId], &Card)) -> Stmt {
        let e = f.names.fresh("at");
        let at = |(b, start): (BufferId, &Card)| element(b, &start.add(&Card::var(e)));
        let each =
            to.0.iter()
                .zip(from.0)
                .map(|(x, y)| Stmt::Assign(Place::Element(at((*x, to.1))), Expr::Load(at((*y, from.1)))));
        let count = Card::lit(self.together * self.elements);
        Stmt::For(For { index: e, count, order: Order::Any, body: each.collect_vec() })
    }
}
