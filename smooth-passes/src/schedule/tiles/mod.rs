//! Register tiling: small rectangles of a table of sums, whose totals are in registers.
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
//! Several tables over one index of rows follow each other for the same rows. Then the temporaries between the tables
//! are privatised for each row of a tile ([`crate::schedule::tiles::private`]).
//!
//! An element that depends on the row alone is read once for `C` totals, and one that depends on the column alone once for
//! `R`. Counts are constants, so that LLVM keeps the totals in registers. No sum is reordered.
//!
//! Needs: as for blocks, for both indices. Pays: if the inner loop reads elements that all rows of a tile share, and
//! its reads are adjacent along the columns. Costs: a copy of the body for each kind of tile in the ladder.
//!
//! A rectangle has 4 rows and 32 bytes of columns: with SSE2 its totals are in 8 of 16 registers; twice the columns
//! spill. In the instances for wider vectors it has 64 bytes of columns (`schedule::wider`); only kernels with tiles
//! are scheduled twice. The remainder has smaller tiles, and a single row larger ones. Numbers that only lie between
//! the loops, such as a bias that is added at the end, wait in memory and take no registers. Fewer than 4 rows of
//! more than 256 columns stay blocks, which read on where a tile jumps. `benches/README.md` has the gains.

mod panel;
mod private;
mod sums;
mod tile;

use crate::loops::{Block, Expr, For, Function, Left, Order, Place, Reason, Stmt, Target};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::pass::{PassId, Switches};
use crate::prim::Prim;
use crate::schedule::facts::access::{operations, slope};
use crate::schedule::facts::parts::{
    Part, binders, crossing, declared, each_lane, in_loops, is_simple, parts, write_apart,
};
use crate::schedule::rewrite::remainder::{Rung, compared, ladder};
use crate::schedule::rewrite::replaced::{in_body, replaced};
use crate::schedule::rewrite::trial::attempt;
use crate::schedule::tiles::panel::Panels;
use crate::schedule::tiles::private::Own;
use crate::schedule::tiles::tile::Nest;
use crate::shape::card::Card;
use crate::sorted::Map;
use crate::span::Origin;
use crate::ty::Scalar;

/// Tiles all loops for which it pays.
pub(super) fn tile(f: &mut Function, on: &Switches) -> bool {
    f.schedule.tiled = in_body(f, |b, f| tile_loops(b, f, on));
    f.schedule.tiled
}

/// Tiles the loops of a block.
pub(super) fn tile_loops(b: &mut Block, f: &mut Function, on: &Switches) -> bool {
    replaced(b, f, PassId::Tile, &|s, f| match s {
        Stmt::For(l) if matches!(l.body.last(), Some(Stmt::For(_))) => {
            attempt(f, |f| Ok(vec![Stmt::Block(tiled(l, f, on)?)]))
        }
        _ => Err(None),
    })
}

/// The maximum number of statements of a body that is copied for each kind of tile.
const STATEMENTS: usize = 24;

fn tiled(l: &For, f: &mut Function, on: &Switches) -> Result<Block, Left> {
    let target = &f.schedule.target.tiles;
    let For { index: i, count: n, body, .. } = l;
    let first = body.iter().position(|s| matches!(s, Stmt::For(_))).ok_or(None)?;
    let (head, tables) = body.split_at(first);
    let adds = |s: &Stmt| matches!(s, Stmt::For(For { order: Order::Sequential, .. }) | Stmt::Reduce(_));
    let has_sums = |s: &Stmt| matches!(s, Stmt::For(For { order: Order::Any, body, .. }) if body.iter().any(adds));
    if !tables.iter().all(has_sums) {
        return Err(None);
    }
    let head = head.iter().map(|s| match s {
        Stmt::Let(x, s, e) if is_simple(&Stmt::Let(*x, *s, e.clone())) => Some((*x, *s, e.clone())),
        _ => None,
    });
    let head: Vec<(VarId, Scalar, Expr)> = head.collect::<Option<_>>().ok_or(None)?;
    let own = Own::of(f, *i, tables, target.rows).ok_or(Some(Reason::Writes))?;
    let tables = own.tables(tables);
    let mut nests = vec![];
    for s in &tables {
        if let Stmt::For(table) = s {
            nests.push(nest(f, (*i, n), &head, table, &own)?);
        }
    }
    if nests.iter().any(|nest| nest.rows != nests[0].rows || (nests.len() > 1 && nest.axes[0].0 != *i)) {
        return Err(Some(Reason::Large));
    }
    let mut out = own.open();
    out.extend(tiles(&nests, f, (on, own.is_needed())).ok_or(Some(Reason::Large))?);
    own.counted(f);
    f.schedule.lanes |= nests.iter().any(|nest| nest.in_lanes);
    let both = |es: Vec<Expr>| es.into_iter().reduce(|a, b| Expr::Prim(Prim::And, vec![a, b], Origin::default()));
    let as_it_was = vec![Stmt::For(l.clone())];
    // A test of counts that do not change in the loop runs before it.
    let long = nests.iter().flat_map(|nest| sums::counts(&nest.parts)).filter(|c| c.constant().is_none());
    if let Some(long) = both(long.mapped(|c| compared(Prim::Ge, c, target.terms))) {
        return Ok(vec![Stmt::If(long, out, as_it_was)]);
    }
    let Some(Stmt::For(For { count: m, .. })) = body.last() else { return Ok(out) };
    if nests[0].in_lanes || [n, m].into_iter().any(|c| c.constant().is_some()) {
        return Ok(out);
    }
    let few = both(vec![compared(Prim::Lt, n, target.rows), compared(Prim::Gt, m, target.long)]);
    Ok(few.map_or(vec![], |few| vec![Stmt::If(few, as_it_was, out)]))
}

/// The nest of one of the tables over an index of rows.
fn nest(
    f: &Function,
    (i, n): (VarId, &Card),
    head: &[(VarId, Scalar, Expr)],
    For { index: j, count: m, body, .. }: &For,
    own: &Own,
) -> Result<Nest, Left> {
    let i = &i;
    let tile_parts = parts(body)?;
    // The dependences are those of rows with privatised temporaries.
    let parts = parts(&own.by_row(body, *i))?;
    if !write_apart(&parts, &[*i, *j]) {
        return Err(Some(Reason::Writes));
    }
    let mut bound: Map<VarId, Scalar> = head.iter().map(|(x, s, _)| (*x, *s)).collect();
    body.iter().for_each(|s| binders(s, &mut bound));
    let mut statements = 0;
    each_lane(&parts, &mut |_| statements += 1);
    let varies = |c: &Card| c.mentions(*i) || c.mentions(*j) || bound.keys().any(|v| c.mentions(*v));
    let few = |c: &Card| c.constant().is_some_and(|n| n < f.schedule.target.tiles.narrow);
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
    let slots: Map<VarId, Scalar> =
        slots.into_iter().filter(|x| !head.iter().any(|(y, ..)| x == y)).map(|x| (x, bound[&x])).collect();
    let (upright, lying) = ([(*i, n.clone()), (*j, m.clone())], [(*j, m.clone()), (*i, n.clone())]);
    let (axes, along) = match (along(&parts, *i, *j, &bound), along(&parts, *j, *i, &bound)) {
        (Ok(Along::Lines), _) => (upright, Along::Lines),
        (_, Ok(Along::Lines)) if head.is_empty() => (lying, Along::Lines),
        (along, _) => (upright, along.map_err(Some)?),
    };
    let in_lanes = sums::counts(&parts).next().is_some();
    if sums::counts(&parts).any(|c| c.constant().is_some_and(|n| n < f.schedule.target.tiles.terms)) {
        return Err(Some(Reason::Few));
    }
    if own.is_needed() && axes[0].0 != *i {
        return Err(Some(Reason::Writes));
    }
    let inside = in_loops(&parts, &bound);
    let in_registers: Vec<Scalar> = slots.iter().filter(|(x, _)| inside.contains(x)).mapped(|(_, s)| *s);
    let (rows, columns) = largest(&in_registers, along, f.schedule.target, in_lanes).ok_or(large)?;
    let mut all = vec![];
    declared(body, &mut all);
    let head = head.to_vec();
    Ok(Nest { axes, row: own.row, head, parts: tile_parts, bound, slots, declared: all, rows, columns, in_lanes })
}

/// The size of the largest tile whose numbers fit in registers, `slots` for each element; `None` if it has one row.
fn largest(slots: &[Scalar], along: Along, target: &Target, in_lanes: bool) -> Option<(i128, i128)> {
    let (bytes, rows) = (slots.iter().map(|s| s.bytes()).max()? as i128, target.tiles.rows);
    let columns = match in_lanes {
        // The lanes of a total fill a register.
        true if target.register == target.widest => 4,
        true => 2,
        // Four registers of 64 bytes are as fast as eight, and fit more tables.
        false => (2 * target.register).min(target.widest) / bytes,
    };
    match (slots.len(), along) {
        (1, _) => Some((rows, columns)),
        (2, _) => Some((rows / 2, columns)),
        (3 | 4, Along::Lines) if !in_lanes => Some((rows / 2, columns / 2)),
        _ => None,
    }
}

/// The counts of all loops.
fn counts(parts: &[Part]) -> Box<dyn Iterator<Item = &Card> + '_> {
    Box::new(parts.iter().flat_map(|p| match p {
        Part::Lanes(_) | Part::Once(_) => Box::new(std::iter::empty()) as Box<dyn Iterator<Item = &Card>>,
        Part::Loop(_, count, _, inside) => Box::new(std::iter::once(count).chain(counts(inside))),
        Part::Sum(r) => Box::new(std::iter::once(&r.count)),
    }))
}

/// The accesses of inner loops along the columns.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Along {
    /// Adjacent, or one element.
    Lines,
    /// At other distances, in elements that all rows share.
    Gaps,
}

/// The accesses of a body with the index `i` of rows and `j` of columns, or the reason why a tile does not pay.
fn along(parts: &[Part], i: VarId, j: VarId, bound: &Map<VarId, Scalar>) -> Result<Along, Reason> {
    let (mut loads, mut in_lanes, mut fits) = (vec![], vec![], Ok(()));
    let straight = |s: &Stmt| matches!(s, Stmt::Let(..) | Stmt::Assign(Place::Var(_), _));
    for p in parts {
        match p {
            Part::Loop(.., inside) if sums::is_in(inside) => return Err(Reason::InLanes),
            Part::Loop(.., inside) => each_lane(inside, &mut |s| {
                fits = fits.and(straight(s).then_some(()).ok_or(Reason::Branch));
                s.exprs().into_iter().for_each(|e| fits = fits.and(operations(e, &[i, j], &mut loads)));
            }),
            Part::Sum(r) => in_lanes.extend(sums::along(r, [i, j], bound)?),
            Part::Lanes(_) | Part::Once(_) => {}
        }
    }
    fits?;
    let mut along = Along::Lines;
    let mut shared = false;
    for a in in_lanes {
        let none = |v: VarId| slope(a, v, bound).ok_or(Reason::Distance(a.buffer, v)).map(|c| c.constant() == Some(0));
        shared |= none(i)? && !none(j)?;
    }
    for a in loads {
        let slope = |v: VarId| slope(a, v, bound).ok_or(Reason::Distance(a.buffer, v));
        let (rows, columns) = (slope(i)?, slope(j)?);
        let (same_row, same_column) = (rows.constant() == Some(0), columns.constant() == Some(0));
        shared |= same_row && !same_column;
        if !same_column && columns.constant() != Some(1) {
            if !same_row {
                return Err(Reason::Distance(a.buffer, j));
            }
            along = Along::Gaps;
        }
    }
    if shared { Ok(along) } else { Err(Reason::NothingShared) }
}

/// The tiles of all tables, some rows at a time. `shares`: whether the tiles of a row share memory.
fn tiles(nests: &[Nest], f: &mut Function, (on, shares): (&Switches, bool)) -> Option<Block> {
    let mut out = vec![];
    let first = nests.first()?;
    let tall = ladder(f, &first.axes[0].1, &[first.rows, 1], &Card::lit(0), &mut out);
    let mut begin = Card::lit(0);
    if let [nest] = nests
        && !shares
        && let Some(panels) = Panels::of(f, nest, on)
    {
        let count = panels.count(f, &mut out);
        begin = count.mul(&Card::lit(nest.columns));
        out.push(panels.each(f, &count, |f, turn| {
            let tiles = tall.iter().map(|rows| {
                rows.each(f, |f, i| {
                    let tiles = turn.each(f, nest, |f, nest, j| {
                        nest.row(f, (rows.width, &i), &Map::new(), &[Rung::one(nest.columns, j)])
                    });
                    Some(vec![tiles?])
                })
            });
            tiles.collect()
        })?);
    }
    let ladders: Vec<[Vec<Rung>; 2]> = nests.iter().mapped(|nest| nest.ladders(f, &begin, &mut out));
    for rows in &tall {
        let alone = usize::from(rows.width == 1);
        out.push(rows.each(f, |f, i| {
            let (mut all, heads) = first.heads(f, rows.width, &i)?;
            for (nest, ladders) in nests.iter().zip(&ladders) {
                all.extend(nest.row(f, (rows.width, &i), &heads, &ladders[alone])?);
            }
            Some(all)
        })?);
    }
    Some(out)
}
