//! Which kernels gain from wider vectors than those that every CPU has.
//!
//! ```text
//! clones f  ⟺  a loop of f gains or ends early in blocks (`schedule/exits.rs`), and work f ≥ ENOUGH
//! work (for i < n { s̄ }) = n · Σ work s̄          work (p ← e) = what e costs, and each load and store one more
//!
//! a loop gains ⟸  it is innermost, its iterations are independent or its total has lanes,
//!                 one after the other they read and write neighbours, and it computes something, by instructions;
//!                 or they read rows of up to 4 numbers and compute much of these
//! ```
//!
//! A kernel with clones is compiled for each set of instructions (`smooth-runtime/src/clones.rs`), and the CPU chooses at
//! entry, if there is enough to do. Where sizes are static that is known here, and elsewhere it is a comparison of sizes.
//!
//! Costs: the code of the body, once for each instance; at run time about as much as [`ENOUGH`] stands for.

use super::borders::hands_on;
use super::decide::has_loop;
use super::parts::is_instruction;
use crate::loops::{Access, Block, Expr, For, Function, Order, Place, Reduce, Stmt};
use crate::name::VarId;
use crate::pass::Switches;
use crate::prim::Prim;
use crate::shape::card::{Atom, Card};
use crate::shape::entry_atoms;
use crate::sorted::{Map, Set};

/// Operations that take about 30 ns, in vectors of two numbers.
pub const ENOUGH: i128 = 256;

/// Bytes of neighbours from which on wider vectors have something to hold.
const WIDE: i128 = 32;

/// Elements of a row that LLVM reads as columns, by shuffles.
const GROUP: i128 = 4;

/// Decides whether a function has clones.
pub(super) fn clones(f: &mut Function, _: &Switches) -> bool {
    f.clones = f.work.constant().is_none_or(|n| n >= ENOUGH) && (f.exits || any_gains(&f.body, f, Some(1)));
    f.clones
}

/// How much a function does: a polynomial in its sizes. A loop whose count is none counts as enough.
pub(super) fn work(f: &Function) -> Card {
    let known: Set<Atom> = entry_atoms(&f.params).into_iter().collect();
    let all = block_work(&f.body, &|c: &Card| c.atoms().into_iter().all(|a| known.contains(a)));
    if all.is_untracked() { Card::lit(ENOUGH) } else { all }
}

pub(super) fn block_work(b: &Block, is_known: &dyn Fn(&Card) -> bool) -> Card {
    let times = |count: &Card, inside: Card| {
        let endless = count.constant().is_some_and(|n| n > i128::from(u32::MAX));
        if is_known(count) && !endless { count.mul(&inside) } else { Card::lit(ENOUGH) }
    };
    let stmt = |s: &Stmt| {
        let own: i128 = s.exprs().into_iter().map(cost).sum();
        match s {
            Stmt::For(l) => times(&l.count, block_work(&l.body, is_known)),
            Stmt::Reduce(r) => times(&r.count, block_work(&r.body, is_known).add(&Card::lit(own + 1))),
            Stmt::Copy { len, .. } => times(len, Card::lit(1)),
            Stmt::Call(_) => Card::lit(ENOUGH),
            s => {
                let inside = s.blocks().into_iter().map(|b| block_work(b, is_known));
                inside.fold(Card::lit(own + i128::from(stores(s))), |all, b| all.add(&b))
            }
        }
    };
    b.iter().map(stmt).fold(Card::lit(0), |all, s| all.add(&s))
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

/// Whether a loop in a block gains that runs so often; `None`: as often as the sizes say.
fn any_gains(b: &Block, f: &Function, times: Option<i128>) -> bool {
    let inside = |count: &Card| times.and_then(|n| Some(n.saturating_mul(count.constant()?)));
    b.iter().any(|s| match s {
        Stmt::For(l) if has_loop(&l.body) => any_gains(&l.body, f, inside(&l.count)),
        Stmt::For(l) => is_enough(inside(&l.count), &l.body, &[]) && gains(l, f),
        Stmt::Reduce(r) if has_loop(&r.body) => any_gains(&r.body, f, inside(&r.count)),
        Stmt::Reduce(r) => is_enough(inside(&r.count), &r.body, &r.terms) && totals_gain(r),
        s => s.blocks().into_iter().any(|b| any_gains(b, f, times)),
    })
}

fn is_enough(times: Option<i128>, body: &Block, terms: &[Expr]) -> bool {
    let each = block_work(body, &|_| true).constant().unwrap_or(ENOUGH) + terms.iter().map(cost).sum::<i128>();
    times.is_none_or(|n| n.saturating_mul(each) >= ENOUGH)
}

/// Whether the iterations of a loop without loops inside can be lanes of wide vectors.
fn gains(l: &For, f: &Function) -> bool {
    let mut seen = Seen::of(&l.body);
    l.body.iter().for_each(|s| seen.stmt(s));
    let apart = match l.order {
        Order::Any => true,
        Order::Sequential => !hands_on(&l.body) && seen.loads.iter().all(|a| seen.keeps_apart(a)),
    };
    let bytes = |a: &Access| i128::from(f.buffer(a.buffer).elem.bytes());
    // The loops of a tile have as many iterations as registers hold.
    let fill = |a: &Access| f.tiled || l.count.constant().is_none_or(|n| n * bytes(a) >= WIDE);
    let side_by_side = |a: &Access| slope(a, l.index, &seen.bound);
    let stored: Vec<Option<i128>> = seen.stores.iter().map(side_by_side).collect();
    apart
        && seen.plain
        && seen.computes
        && stored.iter().all(|slope| matches!(slope, Some(-1 | 1)))
        && seen.stores.iter().any(fill)
        && (seen.loads.iter().all(|a| matches!(side_by_side(a), Some(-1..=1)))
            || seen.loads.iter().all(|a| matches!(side_by_side(a), Some(-1..=GROUP))) && repays(&seen.loads, &l.body))
}

/// Whether so much is computed from what is read that shuffles do not matter.
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

/// How far apart the elements are that two iterations in turn read or write; `None` if that is not a number.
fn slope(a: &Access, index: VarId, bound: &Set<VarId>) -> Option<i128> {
    if bound.iter().any(|v| a.offset.mentions(*v)) {
        return None;
    }
    a.offset.linear_in(index)?.0.constant()
}

/// What the body of a loop does.
struct Seen {
    /// Whether there is an instruction for vectors for all of it.
    plain: bool,
    /// Whether it does more than to move numbers, which a function of the system does as fast as the memory is.
    computes: bool,
    loads: Vec<Access>,
    stores: Vec<Access>,
    /// The numbers that it computes.
    bound: Set<VarId>,
}

impl Seen {
    fn of(b: &Block) -> Seen {
        let mut bound = Map::new();
        b.iter().for_each(|s| super::parts::binders(s, &mut bound));
        Seen { plain: true, computes: false, loads: vec![], stores: vec![], bound: bound.into_keys().collect() }
    }

    /// Whether no other iteration writes what a load reads.
    fn keeps_apart(&self, load: &Access) -> bool {
        self.stores.iter().all(|a| a.buffer != load.buffer || a == load)
    }

    fn stmt(&mut self, s: &Stmt) {
        match s {
            Stmt::Let(_, _, e) | Stmt::Assign(Place::Var(_), e) => self.expr(e),
            Stmt::Assign(Place::Element(a), e) => {
                self.expr(e);
                self.stores.push(a.clone());
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
            Expr::Load(a) => self.loads.push(a.clone()),
            Expr::Prim(p, ..) => self.plain &= is_vector(*p),
            Expr::Size(c, _) => self.plain &= c.never_negative() && c.is_total(),
            Expr::Var(_) | Expr::Lit(_) | Expr::Const(_) | Expr::If(_) | Expr::App(..) => {}
        }
        e.operands().iter().for_each(|e| self.expr(e));
    }
}

/// Whether AVX2 and AVX-512 have instructions for it.
pub(super) fn is_vector(p: Prim) -> bool {
    match p {
        p if is_instruction(p) || p.target().is_some() => true,
        Prim::MulAdd
        | Prim::Contract
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
