//! Function multiversioning: the kernels that gain from wider vectors than those that every CPU has.
//!
//! ```text
//! clones f  ⟺  a loop of f gains or ends early in blocks (`schedule/exits.rs`), and work f ≥ ENOUGH
//! work (for i < n { s̄ }) = n · Σ work s̄             work (p ← e) = the cost of e, and 1 for each load and store
//! work (for i < n { for j < m { s̄ } }) = n · 4 ⌊n/8⌋ · Σ work s̄, if m depends on i: a triangle
//! work f                               = Σ work s̄ without each a · m for which there is a b · m · m' with a <= 4 b
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
//! Costs: the code of the body, once for each instance; at run time about [`ENOUGH`] operations.

use super::borders::hands_on;
use super::decide::has_loop;
use super::parts::is_instruction;
use crate::loops::{Access, Block, Expr, For, Function, Order, Place, Reduce, Stmt, Widest};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::pass::Switches;
use crate::prim::Prim;
use crate::shape::card::{Atom, Card, Op};
use crate::shape::entry_atoms;
use crate::sorted::{Map, Set};
use crate::ty::Scalar;
use crate::value::Lit;

/// The work that takes about 10 ns in vectors of two numbers. From there on, wider vectors gain more than the choice
/// costs.
pub const ENOUGH: i128 = 128;

/// The row length from which on AVX-512 gains. On shorter rows AVX2 was up to twice as fast, and rarely slower.
pub const LONG: i128 = 96;

/// The bytes that a loop must store for wider vectors to be filled.
const WIDE: i128 = 32;

/// The longest rows whose columns LLVM reads as vectors, by shuffles.
const GROUP: i128 = 4;

/// The number of elements of a wide vector.
const FOUR: i128 = 4;

/// Decides whether a function has clones.
pub(super) fn clones(f: &mut Function, _: &Switches) -> bool {
    let is_constant = |c: &Card| c.constant().is_some();
    let mut all = vec![];
    Work::new(&is_constant).gains(&f.body, f, Some(1), &mut all);
    f.widest = if f.exits || f.tiled { Widest::Always } else { widest(&all, f) };
    f.clones = f.work.constant().is_none_or(|n| n >= ENOUGH) && (f.exits || !all.is_empty());
    f.clones
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
    let known: Set<Atom> = entry_atoms(&f.params).into_iter().collect();
    let rows: Option<Vec<&Card>> = deepest.map(|g| g.row.as_ref()).collect();
    let Some(rows) = rows else { return Widest::Always };
    let is_known = |c: &&Card| !c.is_untracked() && c.atoms().into_iter().all(|a| known.contains(a));
    rows.into_iter().find(is_known).map_or(Widest::Never, |c| Widest::Long(c.clone()))
}

/// The work of a function, as a polynomial in its sizes. A loop whose count is not a polynomial in them counts as
/// [`ENOUGH`].
pub(super) fn work(f: &Function) -> Card {
    let known: Set<Atom> = entry_atoms(&f.params).into_iter().collect();
    let all = block_work(&f.body, &|c: &Card| c.atoms().into_iter().all(|a| known.contains(a)));
    if all.is_untracked() { Card::lit(ENOUGH) } else { leading(&all) }
}

/// The size without the terms that are dominated by a different term, so that a call has few terms to evaluate.
fn leading(c: &Card) -> Card {
    let power = |powers: &[(Atom, u32)], a: &Atom| powers.iter().find(|(b, _)| a == b).map_or(0, |(_, power)| *power);
    let divides = |m: &[(Atom, u32)], n: &[(Atom, u32)]| m.iter().all(|(a, power_in_m)| *power_in_m <= power(n, a));
    let is_small =
        |(a, m): &(i128, &[(Atom, u32)])| c.terms().any(|(b, n)| *m != n && divides(m, n) && *a <= b.saturating_mul(4));
    Card::of(c.terms().filter(|term| !is_small(term)))
}

/// The work of statements, as a polynomial in known sizes.
pub(super) fn block_work(b: &Block, is_known: &dyn Fn(&Card) -> bool) -> Card {
    Work::new(is_known).block(b)
}

/// The work of statements that have been visited.
struct Work<'k> {
    is_known: &'k dyn Fn(&Card) -> bool,
    /// The values of names that are polynomials.
    values: Map<VarId, Card>,
    /// The indices of the surrounding loops, with half of their counts rounded down to whole vectors: shorter rows do
    /// not gain.
    halves: Vec<(VarId, Option<Card>)>,
}

impl<'k> Work<'k> {
    fn new(is_known: &'k dyn Fn(&Card) -> bool) -> Work<'k> {
        Work { is_known, values: Map::new(), halves: vec![] }
    }

    fn block(&mut self, b: &Block) -> Card {
        b.iter().map(|s| self.stmt(s)).fold(Card::lit(0), |all, s| all.add(&s))
    }

    fn stmt(&mut self, s: &Stmt) -> Card {
        let own: i128 = s.exprs().into_iter().map(cost).sum();
        match s {
            Stmt::For(l) => self.times(&l.count, l.index, &l.body, 0),
            Stmt::Reduce(r) => self.times(&r.count, r.index, &r.body, own + 1),
            Stmt::Copy { len, .. } => self.count(len).unwrap_or(Card::lit(ENOUGH)),
            Stmt::Call(_) => Card::lit(ENOUGH),
            s => {
                self.note(s);
                let inside = s.blocks().into_iter().map(|b| self.block(b));
                inside.fold(Card::lit(own + i128::from(stores(s))), |all, b| all.add(&b))
            }
        }
    }

    fn times(&mut self, count: &Card, index: VarId, body: &Block, own: i128) -> Card {
        let inside = self.under(index, count, |w| w.block(body)).add(&Card::lit(own));
        self.count(count).map_or(Card::lit(ENOUGH), |n| n.mul(&inside))
    }

    fn note(&mut self, s: &Stmt) {
        if let Stmt::Let(x, Scalar::Usize, e) = s
            && let Some(c) = integer(e, &self.values)
        {
            self.values.insert(*x, c);
        }
    }

    fn under<R>(&mut self, index: VarId, count: &Card, f: impl FnOnce(&mut Self) -> R) -> R {
        let total = self.count(count).filter(Card::is_total);
        let half = |n: Card| Card::op(Op::Div, &n, &Card::lit(2 * FOUR)).mul(&Card::lit(FOUR));
        self.halves.push((index, total.map(half)));
        let result = f(self);
        self.halves.pop();
        result
    }

    /// The trip count of a loop. In a triangle, whose rows depend on the index of a surrounding loop, it is half of
    /// that loop's.
    fn count(&self, c: &Card) -> Option<Card> {
        let c = written_out(c, &self.values);
        if c.constant().is_some_and(|n| n > i128::from(u32::MAX)) {
            return None;
        }
        if (self.is_known)(&c) {
            return Some(c);
        }
        self.halves.iter().rev().find(|(i, _)| c.mentions(*i)).and_then(|(_, half)| half.clone())
    }
}

/// A size in which names are replaced by their values.
fn written_out(c: &Card, values: &Map<VarId, Card>) -> Card {
    c.subst(&|a| match a {
        Atom::Var(x) => values.get(x).cloned().unwrap_or(Card::var(*x)),
        a => Card::atom(a.clone()),
    })
}

/// The polynomial that equals a size.
fn integer(e: &Expr, values: &Map<VarId, Card>) -> Option<Card> {
    match e {
        Expr::Var(x) => Some(written_out(&Card::var(*x), values)),
        Expr::Lit(Lit::Int(n, _)) => Some(Card::lit(*n)),
        Expr::Size(c, _) => Some(written_out(c, values)),
        Expr::Prim(p @ (Prim::Add | Prim::Sub | Prim::Mul), es, _) => {
            let (a, b) = (integer(&es[0], values)?, integer(&es[1], values)?);
            Some(match p {
                Prim::Add => a.add(&b),
                Prim::Sub => a.sub(&b),
                _ => a.mul(&b),
            })
        }
        _ => None,
    }
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
    s.exprs().into_iter().for_each(|e| loads(e, all));
    if let Stmt::Assign(Place::Element(a), _) = s {
        all.push(a);
    }
    s.blocks().into_iter().flatten().for_each(|s| accesses(s, all));
}

fn stores(s: &Stmt) -> bool {
    matches!(s, Stmt::Assign(Place::Element(_), _))
}

fn cost(e: &Expr) -> i128 {
    let itself = match e {
        Expr::Prim(p, ..) => i128::from(p.cost()),
        Expr::Load(_) | Expr::App(..) | Expr::If(_) => 1,
        Expr::Var(_) | Expr::Lit(_) | Expr::Const(_) | Expr::Size(..) => 0,
    };
    e.operands().iter().map(cost).sum::<i128>() + itself
}

impl Work<'_> {
    /// Finds the loops in a block that gain. `times` is the number of times that the block runs; `None` if it depends
    /// on sizes.
    fn gains(&mut self, b: &Block, f: &Function, times: Option<i128>, all: &mut Vec<Gain>) {
        for s in b {
            self.note(s);
            match s {
                Stmt::For(l) => {
                    let times = self.inside(times, &l.count);
                    if has_loop(&l.body) {
                        self.under(l.index, &l.count, |w| w.gains(&l.body, f, times, all));
                    } else if is_enough(times, &l.body, &[]) && gains(l, f) {
                        all.push(self.gain(&l.count, &l.body, &[]));
                    }
                }
                Stmt::Reduce(r) => {
                    let times = self.inside(times, &r.count);
                    if has_loop(&r.body) {
                        self.under(r.index, &r.count, |w| w.gains(&r.body, f, times, all));
                    } else if is_enough(times, &r.body, &r.terms) && totals_gain(r) {
                        all.push(self.gain(&r.count, &r.body, &r.terms));
                    }
                }
                s => s.blocks().into_iter().for_each(|b| self.gains(b, f, times, all)),
            }
        }
    }

    fn gain(&self, count: &Card, body: &Block, terms: &[Expr]) -> Gain {
        let costs = |e: &Expr| matches!(e, Expr::Prim(p, ..) if p.is_elementary());
        let much = body.iter().any(|s| s.any_expr(&costs)) || terms.iter().any(|e| e.any(&costs));
        let mut touched = vec![];
        body.iter().for_each(|s| accesses(s, &mut touched));
        terms.iter().for_each(|e| loads(e, &mut touched));
        let work = block_work(body, &|_| true).constant().unwrap_or(ENOUGH);
        let work = work + terms.iter().map(|e| cost(e) + 1).sum::<i128>();
        let (depth, count) = (self.halves.len(), written_out(count, &self.values));
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

    fn inside(&self, times: Option<i128>, count: &Card) -> Option<i128> {
        Some(times?.saturating_mul(self.count(count)?.constant()?))
    }
}

fn is_enough(times: Option<i128>, body: &Block, terms: &[Expr]) -> bool {
    let each = || block_work(body, &|_| true).constant().unwrap_or(ENOUGH) + terms.iter().map(cost).sum::<i128>();
    times.is_none_or(|n| n.saturating_mul(each()) >= ENOUGH)
}

/// Whether the iterations of a loop without loops inside can be lanes of wide vectors.
fn gains(l: &For, f: &Function) -> bool {
    let mut seen = Seen::of(&l.body);
    l.body.iter().for_each(|s| seen.stmt(s));
    let apart = match l.order {
        Order::Any => true,
        Order::Sequential => !hands_on(&l.body) && seen.loads.iter().all(|a| seen.keeps_apart(a, l.index)),
    };
    let bytes = |a: &Access| i128::from(f.buffer(a.buffer).elem.bytes());
    // The loops of a tile have as many iterations as registers hold.
    let fill = |a: &Access| f.tiled || l.count.constant().is_none_or(|n| n * bytes(a) >= WIDE);
    let side_by_side = |a: &Access| slope(a, l.index, &seen.bound);
    let stored: Vec<Option<i128>> = seen.stores.iter().mapped(side_by_side);
    apart
        && seen.plain
        && seen.computes
        && stored.iter().all(|slope| matches!(slope, Some(-1 | 1)))
        && seen.stores.iter().any(fill)
        && (seen.loads.iter().all(|a| matches!(side_by_side(a), Some(-1..=1)))
            || seen.loads.iter().all(|a| matches!(side_by_side(a), Some(-1..=GROUP))) && repays(&seen.loads, &l.body))
}

/// Whether the work for each load outweighs the shuffles.
fn repays(loads: &[Access], body: &Block) -> bool {
    block_work(body, &|_| true).constant() > Some(3 * loads.len() as i128)
}

/// Whether the terms of a total can be lanes of wide vectors.
fn totals_gain(r: &Reduce) -> bool {
    let mut seen = Seen::of(&r.body);
    r.body.iter().for_each(|s| seen.stmt(s));
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
        b.iter().for_each(|s| super::parts::binders(s, &mut bound));
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
            Stmt::Let(_, _, e) | Stmt::Assign(Place::Var(_), e) => self.expr(e),
            Stmt::Assign(Place::Element(a), e) => {
                self.expr(e);
                self.stores.push(self.access(a));
            }
            Stmt::Var(..) => {}
            Stmt::If(c, a, b) => {
                self.expr(c);
                a.iter().chain(b).for_each(|s| self.stmt(s));
            }
            Stmt::Block(b) => b.iter().for_each(|s| self.stmt(s)),
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

/// Whether AVX2 and AVX-512 have instructions for it.
pub(super) fn is_vector(p: Prim) -> bool {
    match p {
        p if is_instruction(p) || p.target().is_some() => true,
        Prim::MulAdd
        | Prim::Contract
        | Prim::Choose
        | Prim::Clamp
        | Prim::Copysign
        | Prim::Recip
        | Prim::Floor
        | Prim::Ceil
        | Prim::Trunc => true,
        Prim::Shl | Prim::Shr | Prim::WrappingNeg | Prim::WrappingShl | Prim::WrappingShr => true,
        Prim::IsNan | Prim::IsFinite | Prim::IsInfinite | Prim::AbsDiff | Prim::UnsignedAbs => true,
        p => matches!(p, Prim::RotateLeft | Prim::RotateRight | Prim::ToRadians | Prim::ToDegrees),
    }
}
