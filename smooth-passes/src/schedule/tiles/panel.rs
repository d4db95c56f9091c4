//! Packing of panels (as in GotoBLAS): elements that all rows of a table read along some columns are copied side by
//! side.
//!
//! ```text
//! for i < n any { for j < m any { …; for l < k { … b[o] … } } }       o = s·l + t·j + …, not in i
//!   ⟶  let panels = if n, m and k are large { m / C } else { 0 }
//!      for p < panels any {
//!        open b̄[C·k]
//!        for l < k any { for c < C any { b̄[C·l + c] ← b[o] } }                     j = C·p + c
//!        … tiles of C columns and of all rows, that read b̄[C·l + c]
//!      }
//!      … tiles of the columns from C·panels on
//! ```
//!
//! The rows of a large operand are far apart, often by a multiple of the size of a cache way, so that they evict each
//! other from the L1 cache. A panel is read sequentially by all rows of the table. It is in the frame: `C·k` elements,
//! and none for a small operand.
//!
//! Needs: one table with a separate loop for each sum, and reads that happen whenever a row is computed. Pays: if the
//! operand does not stay in the L1 cache, and enough rows share the copy. Costs: one more copy of the tile's body.
//!
//! Measured at n = 512, as multiples of the fastest product: one panel at a time 1.21, four 1.17, since the other
//! operand is then read a quarter as often, and no panels 1.83. At n = 256, with 128 KB of `f64`, a copy gains 2 %.
//! Terms are not cut into parts: a panel of 4 096 terms is in the second cache, which is fast enough for one tile.
//!
//! Only elements that are read whatever the values are, and are not written meanwhile, are copied. A table whose sums
//! are in lanes reads along its terms anyway, and one that reads an overlapping window (`b[l + j]`) has no rows that
//! are apart.

use crate::loops::{Access, Block, Buffer, BufferId, Expr, For, Function, Memory, Order, Place, Remark, Stmt};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::pass::{PassId, Switches};
use crate::prim::Prim;
use crate::schedule::facts::access::slope;
use crate::schedule::facts::parts::{Part, each_lane};
use crate::schedule::rewrite::remainder::{compared, in_range, run};
use crate::schedule::rewrite::side::{is_known, opened};
use crate::schedule::tiles::tile::Nest;
use crate::shape::bytes::Bytes;
use crate::shape::card::{Card, Op};
use crate::span::Origin;
use crate::ty::Scalar;

/// The panels of a table.
pub(crate) struct Panels {
    reads: Vec<Read>,
    /// The index of the columns, and the numbers of rows and of columns.
    column: VarId,
    rows: Card,
    columns: Card,
    /// The columns of a panel.
    width: i128,
    /// The number of rows from which on panels pay, and that of terms and of columns.
    enough: i128,
    large: i128,
}

/// A read that has a panel.
struct Read {
    /// The index of the sum, and its count.
    index: VarId,
    count: Card,
    access: Access,
    panel: BufferId,
}

impl Panels {
    /// The panels of a table; `None` if it needs none.
    pub fn of(f: &mut Function, nest: &Nest, on: &Switches) -> Option<Panels> {
        let [(i, n), (j, m)] = &nest.axes;
        if !on.has(PassId::Panel) || !is_known(f, m) || nest.in_lanes || !nest.head.is_empty() {
            return None;
        }
        let mut written = vec![];
        each_lane(&nest.parts, &mut |s| stores(s, &mut written));
        let mut found: Vec<(VarId, Card, Access)> = vec![];
        for p in &nest.parts {
            let Part::Loop(l, count, _, inside) = p else { continue };
            let [Part::Lanes(lanes)] = inside.as_slice() else { continue };
            let mut loads = vec![];
            lanes.iter().flat_map(Stmt::exprs).for_each(|e| always(e, &mut loads));
            for a in loads {
                let [Some(row), Some(column), Some(term)] = [*i, *j, *l].map(|v| slope(a, v, &nest.bound)) else {
                    continue;
                };
                let [row, column, term] = [row, column, term].map(|c| c.constant());
                let neighbours = column == Some(1) && term == Some(1);
                let shared = row == Some(0) && column != Some(0) && term != Some(0) && !neighbours;
                let new = !found.iter().any(|(_, _, b)| a == b);
                if shared && new && is_known(f, count) && !written.contains(&a.buffer) {
                    found.push((*l, count.clone(), a.clone()));
                }
            }
        }
        let target = &f.schedule.target.tiles.panels;
        let (large, enough) = (on.from(target.large, 1), on.from(target.rows, 2));
        let fits = |c: &Card, least: i128| c.constant().is_none_or(|n| n >= least);
        found.retain(|(_, count, _)| fits(count, large));
        if found.is_empty() || !fits(m, large) || !fits(n, enough) {
            return None;
        }
        let mut reads = vec![];
        for (index, count, access) in found {
            let Buffer { name, elem, .. } = f.buffer(access.buffer).clone();
            let most = if_large(m, large)
                .mul(&if_large(&count, large))
                .mul(&count)
                .mul(&Card::lit(target.together * nest.columns));
            if most.is_untracked() {
                return None;
            }
            let panel = opened(f, Buffer { name, elem, len: most, memory: Memory::Frame });
            reads.push(Read { index, count, access, panel });
        }
        Some(Panels { reads, column: *j, rows: n.clone(), columns: m.clone(), width: nest.columns, enough, large })
    }

    /// The number of panels.
    pub fn count(&self, f: &mut Function, lets: &mut Block) -> Card {
        let all = Card::op(Op::Div, &self.columns, &Card::lit(self.width));
        let least = [(&self.rows, self.enough), (&self.columns, self.large)];
        let counts = self.reads.iter().map(|r| (&r.count, self.large));
        let unknown = least.into_iter().chain(counts).filter(|(c, _)| c.constant().is_none());
        let tests = unknown.map(|(c, least)| compared(Prim::Ge, c, least));
        let Some(test) = tests.reduce(|a, b| Expr::Prim(Prim::And, vec![a, b], Origin::default())) else {
            return all;
        };
        let panels = f.names.fresh("panels");
        let none = Expr::Size(Card::lit(0), Origin::default());
        let some = Expr::Size(all, Origin::default());
        lets.push(Stmt::Let(panels, Scalar::Usize, Expr::If(Box::new([test, some, none]))));
        Card::var(panels)
    }

    /// The loop over all panels, a group at a time, around the statements that read them.
    pub fn each(
        &self,
        f: &mut Function,
        panels: &Card,
        read: impl FnOnce(&mut Function, &Turn<'_>) -> Option<Block>,
    ) -> Option<Stmt> {
        let together = f.schedule.target.tiles.panels.together;
        let [index, width] = [f.names.fresh("turn"), f.names.fresh("width")];
        let turn = Turn { panels: self, first: Card::var(index).mul(&Card::lit(together)), width };
        let of_turn = Card::op(Op::Min, &Card::lit(together), &panels.sub(&turn.first));
        let mut body = vec![
            Stmt::Let(width, Scalar::Usize, Expr::Size(of_turn, Origin::default())),
            Stmt::Open(self.reads.iter().mapped(|r| r.panel)),
        ];
        body.push_all(self.reads.iter().map(|r| turn.filled(f, r)));
        body.push_all(read(f, &turn)?);
        let bytes = self.reads.iter().map(|r| f.buffer(r.panel)).map(|b| Bytes::array(b.elem, b.len.clone()));
        f.schedule.block = bytes.fold(Bytes::zero(), |all, b| all.and(&b)).or(&f.schedule.block);
        f.schedule.remarks.push(Remark { pass: PassId::Panel, about: self.column, left: None });
        let count = Card::op(Op::Div, &panels.add(&Card::lit(together - 1)), &Card::lit(together));
        Some(Stmt::For(For { index, count, order: Order::Any, body }))
    }

    /// The first element of a row of a panel.
    fn inside(&self, r: &Read, p: VarId, l: VarId) -> Card {
        Card::var(p).mul(&r.count).add(&Card::var(l)).mul(&Card::lit(self.width))
    }
}

/// A group of panels that are filled together.
pub(crate) struct Turn<'p> {
    panels: &'p Panels,
    first: Card,
    width: VarId,
}

impl Turn<'_> {
    /// The loop over the panels of a group, for tiles that begin at a column and read the panel.
    pub fn each(
        &self,
        f: &mut Function,
        nest: &Nest,
        tile: impl FnOnce(&mut Function, &Nest, Card) -> Option<Block>,
    ) -> Option<Stmt> {
        let index = f.names.fresh("panel");
        let mut nest = nest.clone();
        nest.parts.iter_mut().for_each(|part| self.moved(part, index));
        let body = tile(f, &nest, self.begin(index))?;
        Some(Stmt::For(For { index, count: Card::var(self.width), order: Order::Any, body }))
    }

    /// The first column of a panel.
    fn begin(&self, p: VarId) -> Card {
        self.first.add(&Card::var(p)).mul(&Card::lit(self.panels.width))
    }

    /// Fills the panels.
    fn filled(&self, f: &mut Function, r: &Read) -> Stmt {
        let [p, c] = [f.names.fresh("panel"), f.names.fresh("column")];
        let l = f.names.again(r.index);
        let column = in_range(c, self.panels.width);
        let at =
            r.access.offset.replace(r.index, &Card::var(l)).replace(self.panels.column, &self.begin(p).add(&column));
        let from = Access { buffer: r.access.buffer, offset: at };
        let to = Access { buffer: r.panel, offset: self.panels.inside(r, p, l).add(&column) };
        let row = run(c, self.panels.width, vec![Stmt::Assign(Place::Element(to), Expr::Load(from))]);
        let panels = For { index: p, count: Card::var(self.width), order: Order::Any, body: row };
        Stmt::For(For { index: l, count: r.count.clone(), order: Order::Any, body: vec![Stmt::For(panels)] })
    }

    /// Replaces the reads of operands by reads of a panel.
    fn moved(&self, part: &mut Part, p: VarId) {
        let Part::Loop(l, _, _, inside) = part else { return };
        let [Part::Lanes(lanes)] = inside.as_mut_slice() else { return };
        let column = Card::var(self.panels.column).sub(&self.begin(p));
        for e in lanes.iter_mut().flat_map(Stmt::exprs_mut) {
            e.each_mut(&mut |e| {
                if let Expr::Load(a) = e
                    && let Some(r) = self.panels.reads.iter().find(|r| r.index == *l && r.access == *a)
                {
                    *a = Access { buffer: r.panel, offset: self.panels.inside(r, p, *l).add(&column) };
                }
            });
        }
    }
}

/// 1 where a count is large, else 0.
fn if_large(c: &Card, large: i128) -> Card {
    Card::op(Op::Min, &Card::lit(1), &Card::op(Op::Div, c, &Card::lit(large)))
}

/// The buffers that a statement writes.
fn stores(s: &Stmt, found: &mut Vec<BufferId>) {
    s.walk(&mut |s| {
        if let Stmt::Assign(Place::Element(a), _) = s {
            found.push(a.buffer);
        }
    });
}

/// The elements that an expression loads unconditionally.
fn always<'e>(e: &'e Expr, found: &mut Vec<&'e Access>) {
    if let Expr::Load(a) = e {
        found.push(a);
    }
    let operands = match e {
        Expr::If(_) | Expr::Prim(Prim::And | Prim::Or, ..) => &e.operands()[..1],
        e => e.operands(),
    };
    operands.iter().for_each(|e| always(e, found));
}
