//! Arrays that are stored for the order of their elements, although computing an element costs no more than a load.
//!
//! ```text
//! let x = build m (λp. build k (λq. b[q][p])) in … build n (λi. build m (λj. sum k (λl. … x[j][l] …)))
//! ```
//!
//! stays. Fused, the innermost loop would read `b[l][j]`, one element of each row, again in every iteration of the
//! loop over `i`. Three things make the copy worth its storage:
//! - *gathered*: the source elements for one element of `x` and the next lie far apart, or at unknown places;
//! - *along*: the innermost loop that moves a read of `x` goes along the last axis, so that the copy is read in order;
//! - *again*: a loop around that one does not move the read, so that each copied element is read many times.
//!
//! If no element is read again, the copy would cost what it saves, and the array is fused. The loops decide, for all
//! sizes; only sizes that are static and small count (`SHORT`, `SMALL`, `LINE`).
//!
//! Three sizes count, by measurement: a loop of at most 32 iterations is unrolled, and then the loop around it runs
//! along the rows of the source; a static array of at most 4096 elements stays in the first-level cache; and elements
//! less than a cache line apart, such as the parts of a small record, are not far apart.
//!
//! Times of `matrix_mul` for n × n matrices, the fastest of many alternating runs, default flags:
//!
//! | n | fused | stored | plain loops over rows |
//! |---:|---:|---:|---:|
//! | 3 | 29 ns | 40 ns | 16 ns |
//! | 16 | 1.02 µs | 0.95 µs | 0.96 µs |
//! | 64 | 51.8 µs | 35.6 µs | 43.5 µs |
//! | 256 | 34.2 ms | 2.40 ms | 2.89 ms |
//! | 512 | 524 ms | 28.1 ms | 28.6 ms |
//!
//! Costs: the memory of the copy; about 10 ns where the matrices are tiny and their sizes symbolic; up to a factor of
//! 1.8 where the first matrix has at most three rows, which do not repay the copy.

use crate::analysis::cost::innermost;
use crate::analysis::reads::Reads;
use crate::analysis::uses::{LoopId, Read, VarUses};
use crate::fsmooth::{Build, Expr, Kind};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::shape::card::{Atom, Card};
use crate::sorted::Set;

/// The static count up to which a loop is unrolled, so that LLVM vectorises the loop around it, along which the source
/// is contiguous. Measured on products of matrices, the copy costs a factor of 1.3 to 1.8 at 17 to 32 elements a row,
/// and gains one of 1 to 3.5 at 48 and 64, and of up to 16 at 96 and more.
const SHORT: i128 = 32;

/// The number of elements up to which an array of static shape, like its source, stays in the L1 cache: 32 KiB of
/// `f64`s. At 64 × 64 the copy still costs a factor of 1.5, at 128 × 128 it gains one of 5.
const SMALL: i128 = 4096;

/// Elements at most this far apart share a cache line of eight `f64`s.
const LINE: u128 = 7;

impl Reads<'_, '_> {
    /// Whether an array that could be read in its source is stored for its order. A column-major parameter is not: its
    /// layout changes index arithmetic and nothing else.
    pub(super) fn stays_for_its_order(&mut self, array: &Expr, uses: &VarUses<'_>) -> bool {
        let again: Vec<bool> = uses.reads.iter().filter_map(|r| self.again(r, uses.home)).collect_vec();
        let along = !again.is_empty() && again.iter().all(|along| *along);
        let element = innermost(array);
        along
            && !self.is_by_columns(array)
            && !self.is_small(array)
            && !element.ty().is_array()
            && innermost_index(array).is_some_and(|i| self.gathers(element, i))
    }

    /// Whether an array has static extents, and is small.
    fn is_small(&mut self, array: &Expr) -> bool {
        let extents = self.infer.shape(array).extents();
        let count = extents.iter().try_fold(1, |n: i128, c| n.checked_mul(c.constant()?));
        count.is_some_and(|n| n <= SMALL)
    }

    /// Whether `e` reads an element far from the one that it reads in the next iteration of the loop over `index`.
    fn gathers(&mut self, e: &Expr, index: VarId) -> bool {
        let far = |c: Card| c.constant().is_none_or(|n| n.unsigned_abs() > LINE);
        let here = matches!(e.kind(), Kind::Get(..)) && self.distance(e, index).is_none_or(far);
        here || e.any_child(&mut |c| self.gathers(c, index))
    }

    /// The distance in elements between `a[ī]` in one iteration of the loop over `index` and in the next; `None` if it
    /// depends on data.
    /// Minima, maxima, quotients and remainders count as near: the cheap ones move slowly.
    fn distance(&mut self, e: &Expr, index: VarId) -> Option<Card> {
        let Kind::Get(rows, i) = e.kind() else { return Some(Card::default()) };
        let outer = self.distance(rows, index)?;
        if !self.mentions(i, index) {
            return Some(outer);
        }
        let slope = self.infer.shape(i).card()?.linear_in(index).map_or_else(Card::default, |(slope, _)| slope);
        let row = if e.ty().is_array() { self.infer.shape(e).extents() } else { vec![] };
        Some(outer.add(&row.iter().fold(slope, |n, extent| n.mul(extent))))
    }

    /// Whether the innermost loop that moves a read goes along the last axis; `None` if every loop around that one also
    /// moves the read. A part is read by a separate loop.
    fn again(&mut self, r: &Read<'_>, home: LoopId) -> Option<bool> {
        let occ = self.occ;
        let loops: Vec<(LoopId, VarId)> =
            occ.between(r.at, home).filter_map(|l| Some((l, occ.loops[l].range?.0))).collect_vec();
        let ends = r.range.map_or(vec![], |(s, t)| vec![s, t]);
        let moved: Vec<Set<LoopId>> = r.indices.iter().chain(&ends).mapped(|i| self.moving(i, &loops));
        let moves = |l: &(LoopId, VarId)| moved.iter().any(|by| by.contains(&l.0));
        let inner = if r.range.is_some() { None } else { Some(loops.iter().position(moves)?) };
        if loops[inner.map_or(0, |k| k + 1)..].iter().all(moves) {
            return None;
        }
        let (Some(k), Some((last, rows))) = (inner, r.indices.split_last()) else { return Some(true) };
        let (l, index) = loops[k];
        let short = self.loop_count(l).is_some_and(|n| n <= SHORT);
        Some(!short && moved[..rows.len()].iter().all(|by| !by.contains(&l)) && self.is_even(last, index))
    }

    /// The count of a loop, if it is static.
    fn loop_count(&mut self, l: LoopId) -> Option<i128> {
        let (_, count) = self.occ.loops[l].range?;
        self.infer.shape(count).card()?.constant()
    }

    /// The loops among `loops`, innermost first, whose iterations may differ in the value of `i`: those whose index it
    /// mentions, and all around the place of any other variable.
    fn moving(&mut self, i: &Expr, loops: &[(LoopId, VarId)]) -> Set<LoopId> {
        let mut moving = Set::new();
        for v in self.mentioned(i) {
            let own = loops.iter().position(|(_, index)| *index == v);
            let home = self.occ.get(v).home;
            let around = || loops.iter().position(|(l, _)| *l == home);
            match own {
                Some(k) => moving.extend([loops[k].0]),
                None => moving.extend(around().map_or(&[][..], |k| &loops[k..]).iter().map(|(l, _)| *l)),
            }
        }
        moving
    }

    fn mentions(&mut self, e: &Expr, v: VarId) -> bool {
        self.mentioned(e).contains(&v)
    }

    /// The variables that the value of an index depends on, as far as it can be tracked.
    fn mentioned(&mut self, e: &Expr) -> Set<VarId> {
        let variable = |a: &Atom| match a {
            Atom::Var(v) | Atom::Len(v, _) => Some(*v),
            _ => None,
        };
        match self.infer.shape(e).card().filter(|c| !c.is_untracked()) {
            Some(c) => c.atoms().into_iter().filter_map(variable).map(|v| self.infer.owner(v)).collect(),
            None => e.free().into_iter().collect(),
        }
    }

    /// Whether `e` grows or falls evenly with `index`, and by at most a line.
    fn is_even(&mut self, e: &Expr, index: VarId) -> bool {
        let slope = |c: Card| c.linear_in(index)?.0.constant();
        self.infer.shape(e).card().and_then(slope).is_some_and(|s| s.unsigned_abs() <= LINE)
    }
}

/// The index of the innermost of nested builds.
fn innermost_index(e: &Expr) -> Option<VarId> {
    match e.kind() {
        Kind::Build(Build { index, body, .. }) => innermost_index(body).or(Some(*index)),
        _ => None,
    }
}
