//! A table of sums in tiles, and one of its tiles.

use crate::loops::{Block, BufferId, Expr, For, Function, Order, Stmt};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::schedule::facts::parts::Part;
use crate::schedule::rewrite::lane::{At, Places, card, in_slot, lane, slot};
use crate::schedule::rewrite::remainder::{Rung, in_range, ladder, run, widths};
use crate::shape::card::Card;
use crate::sorted::Map;
use crate::ty::Scalar;

/// The maximum number of elements of nested loops that LLVM unrolls entirely. It makes no vectors of a loop over rows
/// whose columns alone are unrolled: 4 × 16 `f32` took 12 times as long.
const UNROLLED: i128 = 32;

/// Two independent loops around parts.
#[derive(Clone)]
pub(crate) struct Nest {
    /// Indices and counts of rows and columns.
    pub(crate) axes: [(VarId, Card); 2],
    /// The number of a row in its tile.
    pub(super) row: VarId,
    /// The names that each row computes before its tables.
    pub(crate) head: Vec<(VarId, Scalar, Expr)>,
    pub(crate) parts: Vec<Part>,
    /// The variables that it binds.
    pub(crate) bound: Map<VarId, Scalar>,
    /// Variables that live in several parts.
    pub(super) slots: Map<VarId, Scalar>,
    pub(super) declared: Vec<(VarId, Scalar)>,
    /// The largest tile.
    pub(super) rows: i128,
    pub(crate) columns: i128,
    /// Whether its sums are in lanes.
    pub(crate) in_lanes: bool,
}

impl Nest {
    /// The tiles of a row: of several rows, and of one alone, which has registers for more columns.
    pub(super) fn ladders(&self, f: &mut Function, begin: &Card, lets: &mut Block) -> [Vec<Rung>; 2] {
        let kinds = match self.in_lanes {
            true => [vec![self.columns, 1], vec![1]],
            false => [widths(self.columns), widths(4 * self.columns)],
        };
        kinds.map(|widths| ladder(f, &self.axes[1].1, &widths, begin, lets))
    }

    /// Statements that compute the heads of some rows, and the slots of their values.
    pub(super) fn heads(&self, f: &mut Function, rows: i128, i: &Card) -> Option<(Block, Map<VarId, BufferId>)> {
        let heads: Map<VarId, BufferId> = self.head.iter().map(|(x, s, _)| (*x, slot(f, *x, *s, rows))).collect();
        if heads.is_empty() {
            return Some((vec![], heads));
        }
        let head: Vec<Stmt> = self.head.iter().mapped(|(x, s, e)| Stmt::Let(*x, *s, e.clone()));
        let r = f.names.fresh("row");
        let mut numbers: Places = heads.iter().map(|(x, b)| (*x, in_slot(*b, &Card::var(r)))).collect();
        numbers.insert(self.axes[0].0, At::Size(i.add(&Card::var(r))));
        let body = lane(f, &head, &[], &numbers)?;
        let each = Stmt::For(For { index: r, count: Card::lit(rows), order: Order::Any, body });
        Some((vec![Stmt::Open(heads.values().copied().collect_vec()), each], heads))
    }

    /// The tiles of some rows.
    pub(super) fn row(
        &self,
        f: &mut Function,
        (rows, i): (i128, &Card),
        heads: &Map<VarId, BufferId>,
        columns: &[Rung],
    ) -> Option<Block> {
        let each = columns.iter().map(|rung| {
            rung.each(f, |f, j| {
                let slots = self.slots.iter().map(|(x, s)| (*x, slot(f, *x, *s, rows * rung.width))).collect();
                Tile { nest: self, heads, slots, size: [rows, rung.width], at: [i.clone(), j] }.all(f)
            })
        });
        each.collect()
    }
}

/// A tile that is being built.
pub(crate) struct Tile<'n> {
    nest: &'n Nest,
    heads: &'n Map<VarId, BufferId>,
    /// The slots of the numbers of all elements that live in several parts.
    pub(crate) slots: Map<VarId, BufferId>,
    /// Rows and columns.
    pub(crate) size: [i128; 2],
    at: [Card; 2],
}

impl Tile<'_> {
    fn all(&self, f: &mut Function) -> Option<Block> {
        let mut out = vec![Stmt::Open(self.slots.values().copied().collect_vec())];
        out.extend(self.parts(f, &self.nest.parts, &mut Map::new())?);
        Some(out)
    }

    fn parts(&self, f: &mut Function, parts: &[Part], loops: &mut Places) -> Option<Block> {
        let parts: Vec<Block> = parts.iter().map(|p| self.part(f, p, loops)).collect::<Option<_>>()?;
        Some(parts.concat())
    }

    fn part(&self, f: &mut Function, p: &Part, loops: &mut Places) -> Option<Block> {
        match p {
            Part::Loop(index, count, order, inside) => {
                let new = f.names.again(*index);
                loops.insert(*index, At::Var(new));
                let count = card(count, loops)?;
                let body = self.parts(f, inside, loops)?;
                Some(vec![Stmt::For(For { index: new, count, order: *order, body })])
            }
            Part::Once(s) => Some(vec![(**s).clone()]),
            Part::Sum(r) => self.sum(f, r, loops),
            Part::Lanes(lanes) => {
                let all = self.unrolled();
                let all = all.map(|columns| {
                    self.some(f, loops, columns, |f, numbers, _| lane(f, lanes, &self.nest.declared, &numbers))
                });
                Some(all.collect::<Option<Vec<Block>>>()?.concat())
            }
        }
    }

    /// Ranges of columns whose loops LLVM unrolls entirely before it makes vectors: first column and count.
    fn unrolled(&self) -> impl Iterator<Item = (i128, i128)> + use<> {
        let [rows, columns] = self.size;
        let width = if rows == 1 { columns } else { columns.min(UNROLLED / rows) };
        (0..columns / width).map(move |part| (part * width, width))
    }

    /// Statements for each element. The callback gets the places of its numbers, and its position in a slot.
    pub(crate) fn each(
        &self,
        f: &mut Function,
        loops: &Places,
        body: impl FnOnce(&mut Function, Places, &Card) -> Option<Block>,
    ) -> Option<Block> {
        self.some(f, loops, (0, self.size[1]), body)
    }

    /// As `each`, for the elements of some columns.
    fn some(
        &self,
        f: &mut Function,
        loops: &Places,
        (first, count): (i128, i128),
        body: impl FnOnce(&mut Function, Places, &Card) -> Option<Block>,
    ) -> Option<Block> {
        let [r, c] = [f.names.fresh("row"), f.names.fresh("column")];
        let [rows, columns] = self.size;
        let (at_row, at_column) = (in_range(r, rows), in_range(c, count).add(&Card::lit(first)));
        let inside = at_row.mul(&Card::lit(columns)).add(&at_column);
        let mut numbers = loops.clone();
        numbers.extend(self.slots.iter().map(|(x, b)| (*x, in_slot(*b, &inside))));
        numbers.extend(self.heads.iter().map(|(x, b)| (*x, in_slot(*b, &at_row))));
        let [(i, _), (j, _)] = self.nest.axes;
        numbers.insert(self.nest.row, At::Size(at_row.clone()));
        numbers.insert(i, At::Size(self.at[0].add(&at_row)));
        numbers.insert(j, At::Size(self.at[1].add(&at_column)));
        let body = body(f, numbers, &inside)?;
        Some(run(r, rows, run(c, count, body)))
    }
}
