//! Function multiversioning: the kernels that gain from wider vectors than those that every CPU has.
//!
//! ```text
//! clones f  ⟺  a loop of f gains or ends early in blocks (`schedule/early_exit/mod.rs`), and work f ≥ ENOUGH (`schedule/facts/work.rs`)
//!
//! a loop gains ⟸  it is innermost; its iterations are independent, or it is a sum in lanes;
//!                 successive iterations access adjacent elements, in rows that may be adjacent in memory;
//!                 and it has operations, all of which are vector instructions;
//!                 or as above, but reads rows of up to 4 numbers, with much computed from each
//!
//! AVX-512 f  ⟺  of the deepest loops that gain, one computes elementary functions, is a block, has a static count,
//!                is an inner loop and LONG, or is an outermost loop with two operations for each access
//! ```
//!
//! A kernel with clones is compiled for each instruction set (`smooth-runtime/src/clones.rs`). The one for the CPU is
//! chosen at entry if there is enough work, which is known here if sizes are static, and else a comparison of sizes.
//!
//! AVX-512 beats AVX2 only on long rows: on short ones the remainder loop and accesses that straddle cache lines cost
//! more than the wider vectors save. Rows of a triangular loop count as short. So do memory-bound loops of any length.
//!
//! Costs: the code of the body, once for each instance; at run time about enough operations ([`Instances`]).
//!
//! # Measured
//!
//! The sum of three vectors, with and without instances, the smallest of 400 alternating runs in ns:
//!
//! | n | 3 | 16 | 40 | 48 | 64 | 100 | 1000 |
//! |---|---:|---:|---:|---:|---:|---:|---:|
//! | instances | 3.0 | 5.3 | 11.0 | 11.2 | 11.6 | 14.7 | 136 |
//! | one | 2.9 | 5.1 | 10.8 | 12.5 | 16.3 | 24.9 | 240 |
//!
//! Products of 4 × 4 matrices, cross products and serial recurrences have one instance. A loop that changes one row
//! by another of the same matrix gains as well: how far apart the rows are is known where it starts, and LLVM's code
//! asks there.
//!
//! In rows of a few dozen elements AVX-512 takes 32 elements at once, what is left goes one by one, and a vector that
//! does not begin where a cache line does is in two of them. Both instances of `linalg`, AVX-512 / AVX2:
//!
//! | rows | 16 | 24 | 32 | 64 | 96 | 128 | 256 |
//! |---|---:|---:|---:|---:|---:|---:|---:|
//! | `cholesky` | 1.04 | 1.22 | 1.23 | 1.24 | 1.19 | 1.11 | 1.03 |
//! | `qr` | 1.01 | 0.92 | 0.99 | 1.07 | 1.07 | 1.06 | 1.04 |
//! | `least_squares` | 1.00 | 1.01 | 1.02 | 1.18 | 1.13 | 1.13 | 1.12 |
//! | `inverse` | 0.98 | 0.98 | 1.03 | 1.16 | 1.11 | 1.01 | 1.03 |
//! | `vecmat` | 1.80 | 1.31 | 1.09 | 1.04 | 1.03 | 1.03 | 1.01 |
//!
//! So short rows have AVX2, and AVX-512 from 96 elements on, which is a second comparison. Where arrays begin at 16
//! bytes, as those of `Vec` do, a sum of two vectors of 64, 256 and 1024 elements takes 0.98, 0.79 and 0.75 of SSE2's
//! time with AVX-512, and 0.88, 0.69 and 0.72 with AVX2: an outermost loop with less than two operations for each
//! access does not have AVX-512. Tiles, blocks, elementary functions and static lengths have it: there it takes 0.2
//! to 1.0 of AVX2's time. (The other times are from before, when each kernel with AVX2 had AVX-512 as well.)
//!
//! The limit is 128 operations. AVX-512 against SSE2 with a limit of 72, alternately in one run, with the operations
//! of each element: from 128 on, none of nine kernels was more than a few per cent slower.
//!
//! | n | 24 | 32 | 36 | 40 | 48 | 56 | 63 |
//! |---|---:|---:|---:|---:|---:|---:|---:|
//! | `vector_add`, 4 | 1.0 | 0.86 | 0.80 | 0.75 | 0.8 | 0.8 | 0.76 |
//! | `vector_norm`, 4 | 1.02 | 0.78 | 0.76 | 0.75 | 0.70 | 0.76 | 0.8 |
//! | `vector_norm1`, 3 | 1.08 | 0.99 | 0.80 | 0.80 | 1.04 | 0.8 | 0.83 |
//! | `vector_s_mul`, 3 | 1.06 | 1.05 | 0.97 | 1.01 | 1.0 | 0.95 | 0.8 |
//! | `variance` | 1.0 | 0.75 | 0.86 | 0.94 | 0.76 | 0.85 | 0.88 |

use crate::loops::target::Instances;
use crate::loops::{Access, Block, Expr, For, Function, Order, Place, Reduce, Stmt, Widest};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::pass::Switches;
use crate::schedule::facts::carried::hands_on;
use crate::schedule::facts::decide::has_loop;
use crate::schedule::facts::parts::is_vector;
use crate::schedule::facts::work::{Work, block_work, cost, integer, written_out};
use crate::shape::card::{Atom, Card, Op};
use crate::shape::entry_atoms;
use crate::sorted::{Map, Set};
use crate::ty::Scalar;

/// Decides whether a function has clones.
pub(crate) fn multiversion(f: &mut Function, _: &Switches) -> bool {
    let is_constant = |c: &Card| c.constant().is_some();
    let mut all = vec![];
    search(&mut Work::new(&f.schedule.target.instances, &is_constant), &f.body, f, Some(1), &mut all);
    f.schedule.widest = if f.schedule.exits || f.schedule.tiled { Widest::Always } else { widest(&all, f) };
    f.schedule.clones = f.schedule.work.constant().is_none_or(|n| n >= f.schedule.target.instances.enough)
        && (f.schedule.exits || !all.is_empty());
    f.schedule.clones
}

/// A loop that gains from wider vectors.
struct Gain {
    /// The number of loops around it.
    depth: usize,
    /// The trip count, if short rows would make the remainder loop matter. Untracked for an outermost memory-bound
    /// loop, which never gains. `None` for loops that always gain: those of elementary functions, outermost loops that
    /// compute enough, constant counts (LLVM picks vectors that fit) and blocks (only the last one is short).
    row: Option<Card>,
}

/// The rows for which AVX-512 gains more than AVX2.
fn widest(all: &[Gain], f: &Function) -> Widest {
    let depth = all.iter().map(|g| g.depth).max();
    let deepest = all.iter().filter(|g| Some(g.depth) == depth);
    let known: Set<Atom> = entry_atoms(&f.interface.params).into_iter().collect();
    let rows: Option<Vec<&Card>> = deepest.map(|g| g.row.as_ref()).collect();
    let Some(rows) = rows else { return Widest::Always };
    let is_known = |c: &&Card| !c.is_untracked() && c.atoms().into_iter().all(|a| known.contains(a));
    rows.into_iter().find(is_known).map_or(Widest::Never, |c| Widest::Long(c.clone()))
}

/// The elements that an expression reads, each once.
fn loads<'e>(e: &'e Expr, all: &mut Vec<&'e Access>) {
    if let Expr::Load(a) = e
        && !all.contains(&a)
    {
        all.push(a);
    }
    e.operands().iter().for_each(|e| loads(e, all));
}

/// The elements that a statement reads and writes, each once.
fn accesses<'s>(s: &'s Stmt, all: &mut Vec<&'s Access>) {
    s.walk(&mut |s| {
        s.exprs().into_iter().for_each(|e| loads(e, all));
        if let Stmt::Assign(Place::Element(a), _) = s {
            all.push(a);
        }
    });
}

/// Finds the loops in a block that gain. `times` is the number of times that the block runs; `None` if it depends
/// on sizes.
fn search(w: &mut Work<'_>, b: &Block, f: &Function, times: Option<i128>, all: &mut Vec<Gain>) {
    for s in b {
        w.note(s);
        match s {
            Stmt::For(l) => {
                let times = inside(w, times, &l.count);
                if has_loop(&l.body) {
                    w.under(l.index, &l.count, |w| search(w, &l.body, f, times, all));
                } else if is_enough(w.target, times, &l.body, &[]) && gains(l, f) {
                    all.push(gain(w, &l.count, &l.body, &[]));
                }
            }
            Stmt::Reduce(r) => {
                let times = inside(w, times, &r.count);
                if has_loop(&r.body) {
                    w.under(r.index, &r.count, |w| search(w, &r.body, f, times, all));
                } else if is_enough(w.target, times, &r.body, &r.terms) && totals_gain(r) {
                    all.push(gain(w, &r.count, &r.body, &r.terms));
                }
            }
            s => s.blocks().into_iter().for_each(|b| search(w, b, f, times, all)),
        }
    }
}

fn gain(w: &Work<'_>, count: &Card, body: &Block, terms: &[Expr]) -> Gain {
    let costs = |e: &Expr| matches!(e, Expr::Prim(p, ..) if p.is_elementary());
    let much = body.iter().any(|s| s.any_expr(&costs)) || terms.iter().any(|e| e.any(&costs));
    let mut touched = vec![];
    body.iter().for_each(|s| accesses(s, &mut touched));
    terms.iter().for_each(|e| loads(e, &mut touched));
    let work = block_work(w.target, body, &|_| true).constant().unwrap_or(w.target.enough);
    let work = work + terms.iter().map(|e| cost(e) + 1).sum::<i128>();
    let (depth, count) = (w.halves.len(), written_out(count, &w.values));
    let is_block =
        |c: &Card| matches!(c.as_atom(), Some(Atom::Op(Op::Min, a, b)) if a.constant().or(b.constant()).is_some());
    let row = match depth {
        _ if much => None,
        0 if work >= 3 * touched.len() as i128 => None,
        0 => Some(Card::atom(Atom::Untracked)),
        _ => Some(count).filter(|c| c.constant().is_none() && !is_block(c)),
    };
    Gain { depth, row }
}

fn inside(w: &Work<'_>, times: Option<i128>, count: &Card) -> Option<i128> {
    Some(times?.saturating_mul(w.count(count)?.constant()?))
}

fn is_enough(target: &Instances, times: Option<i128>, body: &Block, terms: &[Expr]) -> bool {
    let each = || {
        block_work(target, body, &|_| true).constant().unwrap_or(target.enough) + terms.iter().map(cost).sum::<i128>()
    };
    times.is_none_or(|n| n.saturating_mul(each()) >= target.enough)
}

/// Whether the iterations of a loop without loops inside can be lanes of wide vectors.
fn gains(l: &For, f: &Function) -> bool {
    let target = &f.schedule.target.instances;
    let mut seen = Seen::of(&l.body);
    l.body.iter().for_each(|s| s.walk(&mut |s| seen.stmt(s)));
    let apart = match l.order {
        Order::Any => true,
        Order::Sequential => !hands_on(&l.body) && seen.loads.iter().all(|a| seen.keeps_apart(a, l.index)),
    };
    let bytes = |a: &Access| i128::from(f.buffer(a.buffer).elem.bytes());
    // The loops of a tile have as many iterations as registers hold.
    let fill = |a: &Access| f.schedule.tiled || l.count.constant().is_none_or(|n| n * bytes(a) >= target.filled);
    let side_by_side = |a: &Access| slope(a, l.index, &seen.bound);
    let stored: Vec<Option<i128>> = seen.stores.iter().mapped(side_by_side);
    apart
        && seen.plain
        && seen.computes
        && stored.iter().all(|slope| matches!(slope, Some(-1 | 1)))
        && seen.stores.iter().any(fill)
        && (seen.loads.iter().all(|a| matches!(side_by_side(a), Some(-1..=1)))
            || seen.loads.iter().all(|a| matches!(side_by_side(a), Some(n) if (-1..=target.group).contains(&n)))
                && repays(target, &seen.loads, &l.body))
}

/// Whether the work for each load outweighs the shuffles.
fn repays(target: &Instances, loads: &[Access], body: &Block) -> bool {
    block_work(target, body, &|_| true).constant() > Some(3 * loads.len() as i128)
}

/// Whether the terms of a total can be lanes of wide vectors.
fn totals_gain(r: &Reduce) -> bool {
    let mut seen = Seen::of(&r.body);
    r.body.iter().for_each(|s| s.walk(&mut |s| seen.stmt(s)));
    r.terms.iter().for_each(|e| seen.expr(e));
    seen.plain
        && seen.stores.is_empty()
        && seen.loads.iter().all(|a| matches!(slope(a, r.index, &seen.bound), Some(-1..=1)))
}

/// The distance between the elements that two successive iterations access; `None` if it is not a number.
fn slope(a: &Access, index: VarId, bound: &Set<VarId>) -> Option<i128> {
    if bound.iter().any(|v| a.offset.mentions(*v)) {
        return None;
    }
    a.offset.linear_in(index)?.0.constant()
}

/// The operations and accesses of a loop's body.
struct Seen {
    /// Whether all of its operations are vector instructions.
    plain: bool,
    /// Whether it has operations. Copies alone are as fast as memory in a library function.
    computes: bool,
    loads: Vec<Access>,
    stores: Vec<Access>,
    /// The numbers that it computes, except for those in `values`.
    bound: Set<VarId>,
    /// The numbers that are polynomials.
    values: Map<VarId, Card>,
}

impl Seen {
    fn of(b: &Block) -> Seen {
        let mut bound = Map::new();
        b.iter().for_each(|s| crate::schedule::facts::parts::binders(s, &mut bound));
        let bound = bound.into_keys().collect();
        Seen { plain: true, computes: false, loads: vec![], stores: vec![], bound, values: Map::new() }
    }

    /// Whether a load is expected to be disjoint from the stores of different iterations. The distance between two rows
    /// of one matrix is known only when the loop starts, where LLVM tests it.
    fn keeps_apart(&self, load: &Access, index: VarId) -> bool {
        let beside = |a: &Access| {
            let distance = a.offset.sub(&load.offset);
            distance.constant().is_none()
                && !distance.mentions(index)
                && !self.bound.iter().any(|x| distance.mentions(*x))
        };
        self.stores.iter().all(|a| a.buffer != load.buffer || a == load || beside(a))
    }

    fn stmt(&mut self, s: &Stmt) {
        match s {
            Stmt::Let(x, Scalar::Usize, e) => {
                self.expr(e);
                if let Some(c) = integer(e, &self.values) {
                    self.values.insert(*x, c);
                    self.bound.remove(x);
                }
            }
            Stmt::Let(_, _, e) | Stmt::Assign(Place::Var(_), e) | Stmt::If(e, ..) => self.expr(e),
            Stmt::Assign(Place::Element(a), e) => {
                self.expr(e);
                self.stores.push(self.access(a));
            }
            Stmt::Var(..) | Stmt::Block(_) => {}
            _ => self.plain = false,
        }
    }

    fn expr(&mut self, e: &Expr) {
        self.computes |= !e.operands().is_empty();
        match e {
            Expr::Load(a) => self.loads.push(self.access(a)),
            Expr::Prim(p, ..) => self.plain &= is_vector(*p),
            Expr::Size(c, _) => self.plain &= c.never_negative() && c.is_total(),
            Expr::Var(_) | Expr::Lit(_) | Expr::Const(_) | Expr::If(_) | Expr::App(..) => {}
        }
        e.operands().iter().for_each(|e| self.expr(e));
    }

    /// An access whose address has the values instead of names that are polynomials.
    fn access(&self, a: &Access) -> Access {
        Access { buffer: a.buffer, offset: written_out(&a.offset, &self.values) }
    }
}
