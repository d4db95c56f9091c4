//! Loop distribution: the body of an independent loop as parts. A part is a sequence of statements that several
//! iterations may interleave, or a loop of such parts.

use crate::loops::visit::each_inherited;
use crate::loops::{Access, Block, Call, Expr, For, Left, Order, Place, Reason, Reduce, Stmt, With};
use crate::name::VarId;
use crate::prim::Prim;
use crate::shape::card::Card;
use crate::sorted::{Map, Set};
use crate::ty::Scalar;

/// A part of a loop's body.
#[derive(Clone)]
pub(crate) enum Part {
    /// Statements without loops.
    Lanes(Vec<Stmt>),
    /// A statement that does not vary between iterations.
    Once(Box<Stmt>),
    /// A loop: its index, its count, its order.
    Loop(VarId, Card, Order, Vec<Part>),
    /// A named reduction in lanes, whose terms write nothing.
    Sum(Reduce),
}

/// The parts of a body without independent loops and uniform statements, or the reason why iterations cannot be
/// interleaved.
pub(crate) fn parts(b: &Block) -> Result<Vec<Part>, Left> {
    parts_of(b, Order::Sequential, &|_| false)
}

/// The parts of a body. If `any` is [`Order::Any`], independent loops are parts, too. `once` says whether a statement
/// does not vary between iterations.
pub(crate) fn parts_of(b: &Block, any: Order, once: &impl Fn(&Stmt) -> bool) -> Result<Vec<Part>, Left> {
    let (mut all, mut lanes) = (vec![], vec![]);
    for s in b {
        match s {
            s if once(s) => {
                all.push(Part::Lanes(std::mem::take(&mut lanes)));
                all.push(Part::Once(Box::new(s.clone())));
            }
            // Declared again in the part that needs it.
            Stmt::Var(..) => {}
            Stmt::For(For { index, count, order, body }) if *order == Order::Sequential || *order == any => {
                all.push(Part::Lanes(std::mem::take(&mut lanes)));
                all.push(Part::Loop(*index, count.clone(), *order, parts_of(body, any, once)?));
            }
            Stmt::Reduce(r @ Reduce { body, with: With::Monoid(_), .. }) => {
                body.iter().find(|s| !is_simple(s)).map_or(Ok(()), |s| Err(obstacle(s)))?;
                all.push(Part::Lanes(std::mem::take(&mut lanes)));
                all.push(Part::Sum(r.clone()));
            }
            s if is_simple(s) => {
                // A store that seldom happens is apart from the stores before it, which are vectors then.
                if stores(s) && lanes.last().is_some_and(is_store) {
                    all.push(Part::Lanes(std::mem::take(&mut lanes)));
                }
                lanes.push(s.clone());
            }
            s => return Err(obstacle(s)),
        }
    }
    all.push(Part::Lanes(lanes));
    all.retain(|p| !matches!(p, Part::Lanes(lanes) if lanes.is_empty()));
    Ok(all)
}

/// Whether a condition decides about a store.
fn stores(s: &Stmt) -> bool {
    matches!(s, Stmt::If(..)) && s.any(&is_store)
}

fn is_store(s: &Stmt) -> bool {
    matches!(s, Stmt::Assign(Place::Element(_), _))
}

/// The reason why statements of several iterations may not be interleaved; `None` if an inner loop may be free of it.
pub(crate) fn obstacle(mut s: &Stmt) -> Left {
    while let Stmt::If(..) | Stmt::Block(_) = s
        && let Some(inner) = s.blocks().into_iter().flatten().find(|s| !is_simple(s))
    {
        s = inner;
    }
    match s {
        Stmt::Check { origin, .. } | Stmt::CheckRange { origin, .. } => Some(Reason::Checked(*origin)),
        Stmt::Call(Call { fails: Some(origin), .. }) => Some(Reason::Asserted(*origin)),
        Stmt::While(_) => Some(Reason::Ends),
        Stmt::Reduce(_) => Some(Reason::InLanes),
        Stmt::Open(_) | Stmt::Copy { .. } | Stmt::Turn(_) | Stmt::Swap(..) | Stmt::Settle(_) => Some(Reason::OwnArray),
        Stmt::Let(..) | Stmt::Assign(..) | Stmt::Call(_) | Stmt::If(..) | Stmt::Block(_) => Some(Reason::Calls),
        Stmt::For(_) | Stmt::Var(..) | Stmt::Spread(_) => None,
    }
}

/// Whether statements of several iterations may be interleaved.
pub(crate) fn is_simple(s: &Stmt) -> bool {
    !s.any(&|s| match s {
        Stmt::Let(_, _, e) | Stmt::Assign(_, e) | Stmt::If(e, ..) => e.any(&|e| matches!(e, Expr::App(..))),
        Stmt::Var(..) => false,
        _ => true,
    })
}

pub(crate) fn each_lane<'p>(parts: &'p [Part], f: &mut impl FnMut(&'p Stmt)) {
    for p in parts {
        match p {
            Part::Lanes(lanes) => lanes.iter().for_each(&mut *f),
            Part::Once(_) => {}
            Part::Loop(.., inside) => each_lane(inside, f),
            Part::Sum(r) => r.body.iter().for_each(&mut *f),
        }
    }
}

/// Whether iterations at different indices write different elements. A temporary that was moved out of the loop is
/// overwritten by each iteration, so that two iterations cannot be interleaved.
pub(crate) fn write_apart(parts: &[Part], indices: &[VarId]) -> bool {
    let moves = |a: &Access, i: VarId| a.offset.linear_in(i).is_some_and(|(slope, _)| slope.constant() != Some(0));
    let meets = |s: &Stmt| matches!(s, Stmt::Assign(Place::Element(a), _) if !indices.iter().all(|i| moves(a, *i)));
    let mut all = true;
    each_lane(parts, &mut |s| all &= !s.any(&meets));
    all
}

/// The variables that a body declares, in its sequential loops as well.
pub(crate) fn declared(b: &Block, found: &mut Vec<(VarId, Scalar)>) {
    each_inherited(b, &(), &mut |s, _, ()| {
        found.extend(if let Stmt::Var(x, s) = s { Some((*x, *s)) } else { None });
        matches!(s, Stmt::For(_)).then_some(())
    });
}

pub(crate) fn binders(s: &Stmt, found: &mut Map<VarId, Scalar>) {
    s.walk(&mut |s| match s {
        Stmt::Let(x, s, _) | Stmt::Var(x, s) => drop(found.insert(*x, *s)),
        Stmt::Reduce(r) => found.extend(r.totals.iter().copied().zip(r.elems.iter().copied())),
        _ => {}
    });
}

/// Whether there is a vector instruction, or branch-free code of vector instructions.
pub(crate) fn is_instruction(p: Prim) -> bool {
    match p {
        Prim::Add | Prim::Sub | Prim::Mul | Prim::Div | Prim::Neg | Prim::Not | Prim::Abs | Prim::Min | Prim::Max => {
            true
        }
        Prim::Lt | Prim::Le | Prim::Gt | Prim::Ge | Prim::Eq | Prim::Ne | Prim::And | Prim::Or => true,
        Prim::BitAnd | Prim::BitOr | Prim::BitXor | Prim::WrappingAdd | Prim::WrappingSub | Prim::WrappingMul => true,
        p => p == Prim::Sqrt || p.is_straight(),
    }
}

/// The variables that occur in several parts; `None` if an address depends on one.
pub(crate) fn crossing(parts: &[Part], bound: &Map<VarId, Scalar>) -> Option<Set<VarId>> {
    let mut seen: Map<VarId, usize> = Map::new();
    count(parts, bound, &mut seen);
    let crossing: Set<VarId> = seen.into_iter().filter(|(_, n)| *n > 1).map(|(v, _)| v).collect();
    let mut plain = true;
    each_lane(parts, &mut |s| plain &= !crossing.iter().any(|v| s.addresses(*v)));
    plain.then_some(crossing)
}

/// The variables that occur in loops and sums: between the other parts a number may be in memory, in these it may not.
pub(crate) fn in_loops(parts: &[Part], bound: &Map<VarId, Scalar>) -> Set<VarId> {
    let mut seen = Map::new();
    let loops = parts.iter().filter(|p| matches!(p, Part::Loop(..) | Part::Sum(_)));
    loops.for_each(|p| count(std::slice::from_ref(p), bound, &mut seen));
    seen.into_keys().collect()
}

/// Counts the parts in which each variable occurs.
fn count(parts: &[Part], bound: &Map<VarId, Scalar>, seen: &mut Map<VarId, usize>) {
    for p in parts {
        match p {
            Part::Lanes(lanes) => {
                for v in bound.keys().filter(|v| lanes.iter().any(|s| s.binds(**v) || s.mentions(**v))) {
                    *seen.entry(*v).or_insert(0) += 1;
                }
            }
            Part::Once(_) => {}
            Part::Loop(.., inside) => count(inside, bound, seen),
            Part::Sum(r) => {
                let reads = |v: VarId| r.terms.iter().any(|e| e.mentions(v)) || r.body.iter().any(|s| s.mentions(v));
                let binds = |v: VarId| r.totals.contains(&v) || r.body.iter().any(|s| s.binds(v));
                for v in bound.keys().filter(|v| reads(**v) || binds(**v)) {
                    *seen.entry(*v).or_insert(0) += 1;
                }
            }
        }
    }
}

/// Whether an operation on these operands is made of a few vector instructions, in wide registers at least.
pub(crate) fn is_instructions(p: Prim, es: &[Expr]) -> bool {
    let constant = |es: &[Expr]| es.iter().all(|e| matches!(e, Expr::Lit(_)));
    match p {
        // LLVM writes out a known power. Bounds may be in the wrong order, and an amount of bits too large.
        Prim::Powi | Prim::Clamp | Prim::Shl | Prim::Shr => constant(&es[1..]),
        Prim::Signum | Prim::Round => true,
        p => is_vector(p) || p.is_elementary(),
    }
}

/// Whether AVX2 and AVX-512 have instructions for it.
pub(crate) fn is_vector(p: Prim) -> bool {
    match p {
        p if is_instruction(p) || p.target().is_some() => true,
        Prim::MulAdd
        | Prim::Contract
        | Prim::Choose
        | Prim::Opaque
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
