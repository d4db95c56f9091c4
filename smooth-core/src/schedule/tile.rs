//! Tiles: small rectangles of a table of sums, whose totals are in registers.
//!
//! ```text
//! for i < n any { s̄; for j < m any { s₁; for l < k { s₂ }; s₃ } }
//!   ⟶  for I < n / R any {
//!        for r < R any { s̄ }
//!        for J < m / C any {
//!          open x̄[R·C]                              one for each variable that lives in several of the parts
//!          for r < R any { for c < C any { s₁ } }
//!          for l < k { for r < R any { for c < C any { s₂ } } }
//!          for r < R any { for c < C any { s₃ } }     i = R·I + r, j = C·J + c, x = x̄[C·r + c]
//!        }
//!        … and the columns that remain
//!      }
//!      … and the rows that remain
//! ```
//!
//! An element that depends on the row alone is read once for `C` totals, and one that depends on the column alone once for
//! `R`. Counts are constants, so that LLVM keeps the totals in registers. No sum is reordered.
//!
//! Needs: what blocks need, for both indices. Pays: if the inner loop reads something that all rows of a tile share, and reads
//! side by side along the columns. Costs: a copy of the body for each kind of tile in the ladder.

use super::lane::{At, Places, card, in_slot, lane, slot};
use super::parts::{Part, binders, crossing, declared, each_lane, is_instruction, is_simple, parts, write_apart};
use super::{in_body, replaced};
use crate::loops::{Access, Block, BufferId, Expr, For, Function, Left, Order, Place, Reason, Stmt};
use crate::name::VarId;
use crate::pass::{PassId, Switches};
use crate::prim::Prim;
use crate::shape::card::{Card, Op};
use crate::span::Origin;
use crate::ty::Scalar;
use crate::value::Lit;
use std::collections::BTreeMap;

/// Bytes of a row of totals: two registers of the narrowest kind.
pub(super) const NARROW: i128 = 32;

/// The same where registers have 32 bytes or more.
pub(super) const WIDE: i128 = 64;

/// Rows of a tile: its totals are in 8 of 16 registers, which leaves some for what is read.
const ROWS: i128 = 4;

/// Columns from which on a few rows are better read side by side than in tiles.
const LONG: i128 = 256;

/// Statements of a body that is copied for each kind of tile.
const STATEMENTS: usize = 24;

/// Tiles all loops for which it pays.
pub(super) fn tile(f: &mut Function, _: &Switches) -> bool {
    f.tiled = in_body(f, |b, f| {
        replaced(b, f, PassId::Tile, &|s, f| match s {
            Stmt::For(l) => Ok(vec![Stmt::Block(tiled(l, f)?)]),
            _ => Err(None),
        })
    });
    f.tiled
}

/// Two independent loops around parts.
struct Nest {
    /// Indices and counts of rows and columns.
    axes: [(VarId, Card); 2],
    /// What each row computes first.
    head: Vec<(VarId, Scalar, Expr)>,
    parts: Vec<Part>,
    /// Variables that live in several parts.
    slots: BTreeMap<VarId, Scalar>,
    declared: Vec<(VarId, Scalar)>,
    /// The largest tile.
    rows: i128,
    columns: i128,
}

fn tiled(l: &For, f: &mut Function) -> Result<Block, Left> {
    let For { index: i, count: n, body, .. } = l;
    let Some((Stmt::For(For { index: j, count: m, order: Order::Any, body }), head)) = body.split_last() else {
        return Err(None);
    };
    let sums = |s: &Stmt| matches!(s, Stmt::For(For { order: Order::Sequential, .. }) | Stmt::Reduce(_));
    if !body.iter().any(sums) {
        return Err(None);
    }
    let head = head.iter().map(|s| match s {
        Stmt::Let(x, s, e) if is_simple(&Stmt::Let(*x, *s, e.clone())) => Some((*x, *s, e.clone())),
        _ => None,
    });
    let head: Vec<(VarId, Scalar, Expr)> = head.collect::<Option<_>>().ok_or(None)?;
    let parts = parts(body)?;
    if !write_apart(&parts, &[*i, *j]) {
        return Err(Some(Reason::Writes));
    }
    let mut bound: BTreeMap<VarId, Scalar> = head.iter().map(|(x, s, _)| (*x, *s)).collect();
    body.iter().for_each(|s| binders(s, &mut bound));
    let mut statements = 0;
    each_lane(&parts, &mut |_| statements += 1);
    let varies = |c: &Card| c.mentions(*i) || c.mentions(*j) || bound.keys().any(|v| c.mentions(*v));
    let few = |c: &Card| c.constant().is_some_and(|n| n < 2);
    if [n, m].into_iter().any(few) {
        return Err(Some(Reason::Few));
    }
    if [n, m].into_iter().any(varies) || counts(&parts).any(varies) {
        return Err(Some(Reason::Lengths));
    }
    let large = Some(Reason::Large);
    if statements > STATEMENTS {
        return Err(large);
    }
    let slots = crossing(&parts, &bound).ok_or(large)?;
    let slots: BTreeMap<VarId, Scalar> =
        slots.into_iter().filter(|x| !head.iter().any(|(y, ..)| x == y)).map(|x| (x, bound[&x])).collect();
    let (upright, lying) = ([(*i, n.clone()), (*j, m.clone())], [(*j, m.clone()), (*i, n.clone())]);
    let (axes, along) = match (along(&parts, *i, *j, &bound), along(&parts, *j, *i, &bound)) {
        (Ok(Along::Lines), _) => (upright, Along::Lines),
        (_, Ok(Along::Lines)) if head.is_empty() => (lying, Along::Lines),
        (along, _) => (upright, along.map_err(Some)?),
    };
    let (rows, columns) = largest(&slots, along, f.row).ok_or(large)?;
    let mut all = vec![];
    declared(body, &mut all);
    let tiles = Nest { axes, head, parts, slots, declared: all, rows, columns }.tiles(f).ok_or(large)?;
    if [n, m].into_iter().any(|c| c.constant().is_some()) {
        return Ok(tiles);
    }
    let compare = |p: Prim, c: &Card, n: i128| {
        Expr::Prim(
            p,
            vec![Expr::Size(c.clone(), Origin::default()), Expr::Lit(Lit::usize(n as u64))],
            Origin::default(),
        )
    };
    let both = vec![compare(Prim::Lt, n, ROWS), compare(Prim::Gt, m, LONG)];
    Ok(vec![Stmt::If(Expr::Prim(Prim::And, both, Origin::default()), vec![Stmt::For(l.clone())], tiles)])
}

/// The largest tile whose totals are in registers; `None` if it has one row.
fn largest(slots: &BTreeMap<VarId, Scalar>, along: Along, row: i128) -> Option<(i128, i128)> {
    let bytes = slots.values().map(|s| s.bytes()).max()? as i128;
    let columns = row / bytes;
    match (slots.len(), along) {
        (1, _) => Some((ROWS, columns)),
        (2, _) => Some((ROWS / 2, columns)),
        (3 | 4, Along::Lines) => Some((ROWS / 2, columns / 2)),
        _ => None,
    }
}

/// The counts of all loops.
fn counts(parts: &[Part]) -> Box<dyn Iterator<Item = &Card> + '_> {
    Box::new(parts.iter().flat_map(|p| match p {
        Part::Lanes(_) | Part::Once(_) => Box::new(std::iter::empty()) as Box<dyn Iterator<Item = &Card>>,
        Part::Loop(_, count, _, inside) => Box::new(std::iter::once(count).chain(counts(inside))),
    }))
}

/// How inner loops read along the columns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Along {
    /// Side by side, or not at all.
    Lines,
    /// At other distances, which all rows share.
    Gaps,
}

/// How a body reads if `i` is the index of rows and `j` the one of columns, or why a tile does not pay.
fn along(parts: &[Part], i: VarId, j: VarId, bound: &BTreeMap<VarId, Scalar>) -> Result<Along, Reason> {
    let (mut loads, mut fits) = (vec![], Ok(()));
    for p in parts {
        if let Part::Loop(.., inside) = p {
            each_lane(inside, &mut |s| {
                if !matches!(s, Stmt::Let(..) | Stmt::Assign(Place::Var(_), _)) {
                    fits = Err(Reason::Branch);
                }
                s.exprs().into_iter().for_each(|e| fits = fits.and(operations(e, [i, j], &mut loads)));
            });
        }
    }
    fits?;
    let mut along = Along::Lines;
    let mut shared = false;
    for a in loads {
        let slope = |v: VarId| slope(a, v, bound).ok_or(Reason::Distance);
        let (rows, columns) = (slope(i)?, slope(j)?);
        let (same_row, same_column) = (rows.constant() == Some(0), columns.constant() == Some(0));
        shared |= same_row && !same_column;
        if !same_column && columns.constant() != Some(1) {
            if !same_row {
                return Err(Reason::Distance);
            }
            along = Along::Gaps;
        }
    }
    if shared { Ok(along) } else { Err(Reason::NothingShared) }
}

/// Whether all operations of an expression are instructions; what it loads.
fn operations<'e>(e: &'e Expr, axes: [VarId; 2], loads: &mut Vec<&'e Access>) -> Result<(), Reason> {
    match e {
        Expr::Load(a) => loads.push(a),
        Expr::Prim(p, ..) if !is_instruction(*p) => return Err(Reason::Operation(*p)),
        // An address is not computed unless its element is needed.
        Expr::If(es) if es[1..].iter().any(Expr::loads) => return Err(Reason::Branch),
        Expr::Size(c, _) if axes.iter().any(|v| c.mentions(*v)) => return Err(Reason::Counts),
        Expr::Var(v) if axes.contains(v) => return Err(Reason::Counts),
        Expr::App(..) => return Err(Reason::Calls),
        _ => {}
    }
    e.operands().iter().try_for_each(|e| operations(e, axes, loads))
}

/// The distance of an access from the one of the next iteration, if it is the same for all.
fn slope(a: &Access, i: VarId, bound: &BTreeMap<VarId, Scalar>) -> Option<Card> {
    let (slope, rest) = a.offset.linear_in(i)?;
    (!bound.keys().any(|v| rest.mentions(*v) || slope.mentions(*v))).then_some(slope)
}

/// A rung of the ladder: `count` tiles of one width, side by side.
struct Rung {
    width: i128,
    begin: Card,
    count: Card,
}

/// Tiles of these widths, each of which divides the one before it, that cover an axis of `n`. The last width is 1.
fn ladder(f: &mut Function, n: &Card, widths: &[i128], lets: &mut Block) -> Vec<Rung> {
    if let Some(n) = n.constant() {
        // One tile for all that remains.
        let rest = Rung { width: n % widths[0], begin: Card::lit(n / widths[0] * widths[0]), count: Card::lit(1) };
        let all = Rung { width: widths[0], begin: Card::lit(0), count: Card::lit(n / widths[0]) };
        return [all, rest].into_iter().filter(|r| r.width > 0 && r.count != Card::lit(0)).collect();
    }
    let mut bound = |name: &str, c: Card| {
        let x = f.names.fresh(name);
        lets.push(Stmt::Let(x, Scalar::Usize, Expr::Size(c, Origin::default())));
        Card::var(x)
    };
    let mut rungs: Vec<Rung> = vec![];
    for width in widths {
        let (begin, rest) = match rungs.last() {
            None => (Card::lit(0), n.clone()),
            Some(above) => {
                let begin = bound("begin", above.begin.add(&above.count.mul(&Card::lit(above.width))));
                let rest = Card::op(Op::Rem, n, &Card::lit(above.width));
                (begin, rest)
            }
        };
        let count = bound("tiles", Card::op(Op::Div, &rest, &Card::lit(*width)));
        rungs.push(Rung { width: *width, begin, count });
    }
    rungs
}

/// The widths of tiles: the largest, which is a power of two, some columns, one.
fn widths(largest: i128) -> Vec<i128> {
    std::iter::once(largest).chain([4, 1].into_iter().filter(|w| *w < largest)).collect()
}

impl Rung {
    /// A loop over its tiles.
    fn each(&self, f: &mut Function, body: impl FnOnce(&mut Function, Card) -> Option<Block>) -> Option<Stmt> {
        if self.count.constant() == Some(1) {
            return Some(Stmt::Block(body(f, self.begin.clone())?));
        }
        let index = f.names.fresh("tile");
        let body = body(f, self.begin.add(&Card::var(index).mul(&Card::lit(self.width))))?;
        Some(Stmt::For(For { index, count: self.count.clone(), order: Order::Any, body }))
    }
}

impl Nest {
    fn tiles(&self, f: &mut Function) -> Option<Block> {
        let mut out = vec![];
        let [(_, n), (_, m)] = &self.axes;
        let tall = ladder(f, n, &[self.rows, 1], &mut out);
        let wide = ladder(f, m, &widths(self.columns), &mut out);
        // A row alone has registers for more columns.
        let alone = ladder(f, m, &widths(4 * self.columns), &mut out);
        for rows in &tall {
            let columns = if rows.width == 1 { &alone } else { &wide };
            out.push(rows.each(f, |f, i| self.row(f, (rows.width, i), columns))?);
        }
        Some(out)
    }

    /// The tiles of some rows.
    fn row(&self, f: &mut Function, (rows, i): (i128, Card), columns: &[Rung]) -> Option<Block> {
        let mut out = vec![];
        let heads: BTreeMap<VarId, BufferId> = self.head.iter().map(|(x, s, _)| (*x, slot(f, *x, *s, rows))).collect();
        if !heads.is_empty() {
            out.push(Stmt::Open(heads.values().copied().collect()));
            let head: Vec<Stmt> = self.head.iter().map(|(x, s, e)| Stmt::Let(*x, *s, e.clone())).collect();
            let r = f.names.fresh("row");
            let mut numbers: Places = heads.iter().map(|(x, b)| (*x, in_slot(*b, &Card::var(r)))).collect();
            numbers.insert(self.axes[0].0, At::Size(i.add(&Card::var(r))));
            let body = lane(f, &head, &[], &numbers)?;
            out.push(Stmt::For(For { index: r, count: Card::lit(rows), order: Order::Any, body }));
        }
        for rung in columns {
            let tile = |f: &mut Function, j: Card| {
                let slots = self.slots.iter().map(|(x, s)| (*x, slot(f, *x, *s, rows * rung.width))).collect();
                Tile { nest: self, heads: &heads, slots, size: [rows, rung.width], at: [i.clone(), j] }.all(f)
            };
            out.push(rung.each(f, tile)?);
        }
        Some(out)
    }
}

/// A tile in the making.
struct Tile<'n> {
    nest: &'n Nest,
    heads: &'n BTreeMap<VarId, BufferId>,
    slots: BTreeMap<VarId, BufferId>,
    size: [i128; 2],
    at: [Card; 2],
}

impl Tile<'_> {
    fn all(&self, f: &mut Function) -> Option<Block> {
        let mut out = vec![Stmt::Open(self.slots.values().copied().collect())];
        out.extend(self.parts(f, &self.nest.parts, &mut BTreeMap::new())?);
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
            Part::Lanes(lanes) => {
                let [r, c] = [f.names.fresh("row"), f.names.fresh("column")];
                let [rows, columns] = self.size;
                let (at_row, at_column) = (in_range(r, rows), in_range(c, columns));
                let inside = at_row.mul(&Card::lit(columns)).add(&at_column);
                let mut numbers = loops.clone();
                numbers.extend(self.slots.iter().map(|(x, b)| (*x, in_slot(*b, &inside))));
                numbers.extend(self.heads.iter().map(|(x, b)| (*x, in_slot(*b, &at_row))));
                let [(i, _), (j, _)] = self.nest.axes;
                numbers.insert(i, At::Size(self.at[0].add(&at_row)));
                numbers.insert(j, At::Size(self.at[1].add(&at_column)));
                let body = lane(f, lanes, &self.nest.declared, &numbers)?;
                Some(run(r, rows, run(c, columns, body)))
            }
        }
    }
}

/// The index of a loop that [`run`] makes.
fn in_range(index: VarId, count: i128) -> Card {
    if count == 1 { Card::lit(0) } else { Card::var(index) }
}

/// A loop, unless it has one iteration.
fn run(index: VarId, count: i128, body: Block) -> Block {
    if count == 1 {
        return body;
    }
    vec![Stmt::For(For { index, count: Card::lit(count), order: Order::Any, body })]
}
