//! The cost model: the cost of evaluating a term, in additions, and the thresholds that decide on it.
//!
//! The unit is an addition, and a load from the cache costs about as much. The rows of `prim.rs` have the costs of
//! operations.

use crate::fsmooth::{Build, Demand, Expr, Kind, Required, Slot};
use crate::name::VarId;
use crate::sorted::Set;
use crate::ty::Type;

/// An element up to this cost is computed again for each of its readers: that is less than a store and a load.
pub(crate) const RECOMPUTE: u32 = 8;

/// A loop that reads an element in many iterations computes it anew in each up to this cost: a load and an operation.
pub(crate) const RELOAD: u32 = 2;

/// A number up to this cost stays where it is, however often it occurs: LLVM shares loads and additions.
pub(crate) const SHARE: u32 = 1;

/// As [`SHARE`], for sizes and indices, which the shapes track best if they are computed at their use.
pub(crate) const SHARE_INDEX: u32 = 7;

/// A term from this cost on leaves a loop: a division, several loads. LLVM moves cheaper terms.
pub(crate) const HOIST: u32 = 4;

/// A condition up to this cost is evaluated a second time, to guard terms that left a loop.
pub(crate) const GUARD: u32 = 3;

/// The cost of an elementary function. Two sums in lanes have to share terms of at least this cost to be worth merging.
pub(crate) const ELEMENTARY: u32 = 16;

/// The cost of a loop or of a call of a kernel: always worth computing once.
pub(crate) const LOOP: u32 = 1 << 16;

/// The maximum number of nodes of a term that is unrolled or copied.
pub(crate) const COPY: usize = 600;

/// The place where a term is evaluated, which decides which of its nodes are free.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Place {
    /// In place: names for arrays and parts of them are free.
    Here,
    /// In the readers of an array, once for each: slices and literals of arrays and tuples would be built anew.
    Readers,
    /// As the replacement of a load: index arithmetic takes part in the addressing.
    Load,
}

/// The cost of a node without its parts.
pub(crate) fn of_node(e: &Expr, place: Place) -> u32 {
    match e.kind() {
        Kind::Prim(..) if place == Place::Load && *e.ty() == Type::USIZE => 0,
        Kind::Prim(p, _) => p.cost(),
        Kind::Get(..) if place != Place::Readers && e.ty().is_array() => 0,
        Kind::Get(..) => e.ty().leaf_count() as u32,
        Kind::If(..) => 1,
        Kind::Demand(Demand { what: Required::InOrder(_), .. }) => 2,
        Kind::Demand(Demand { what: Required::Holds(_), .. }) => 1,
        Kind::Demand(_) => 0,
        Kind::Var(_) | Kind::Lit(_) | Kind::Const(_) | Kind::Let(..) | Kind::Len(..) | Kind::Proj(..) => 0,
        Kind::Build(_) | Kind::IFold(_) | Kind::Reduce(_) | Kind::Call(..) | Kind::App(..) => LOOP,
        // The array may have to be copied.
        Kind::Update(_) => LOOP,
        Kind::Lam(..) | Kind::Slice(..) | Kind::Array(_) | Kind::Tuple(_) if place != Place::Here => LOOP,
        // Rows are copied into it.
        Kind::Array(_) if e.ty().rank() > 1 => LOOP,
        Kind::Lam(..) | Kind::Slice(..) | Kind::Array(_) | Kind::Tuple(_) => 0,
    }
}

/// The cost of a term.
pub(crate) fn of(e: &Expr, place: Place) -> u32 {
    // The cost of a failure does not matter.
    let parts = e.parts().into_iter().filter(|(slot, _)| *slot != Slot::Failure);
    parts.fold(of_node(e, place), |sum, (_, c)| sum.saturating_add(of(c, place)))
}

/// The cost of one element of an array.
pub(crate) fn of_element(array: &Expr) -> u32 {
    of_value(innermost(array), Place::Readers)
}

/// The cost of an element. That of a tuple is the cost of its parts, since each reader takes those that it needs.
fn of_value(e: &Expr, place: Place) -> u32 {
    match e.kind() {
        Kind::Tuple(es) => es.iter().fold(0, |sum, e| sum.saturating_add(of_value(e, place))),
        Kind::Let(_, a, b) => of(a, place).saturating_add(of_value(b, place)),
        Kind::Demand(Demand { what, then }) => {
            let own = match what {
                Required::InOrder(_) => 0,
                Required::Holds(parts) => of(&parts[0], place),
                Required::Evaluated(e) => of(e, place),
            };
            of_node(e, place).saturating_add(own).saturating_add(of_value(then, place))
        }
        _ => of(e, place),
    }
}

/// The cost of the terms between the outermost `levels` builds of an array, which the elements of a row share. The arrays
/// in `moving` are about to take the place of their readers, so a reader costs as much as they do.
pub(crate) fn of_levels(array: &Expr, levels: usize, moving: &Set<VarId>) -> u32 {
    if levels == 0 {
        return 0;
    }
    let of = |e: &Expr| if mentions(e, moving) { LOOP } else { of(e, Place::Readers) };
    let of_levels = |e, levels| of_levels(e, levels, moving);
    match array.kind() {
        Kind::Build(Build { body: row, .. }) => of_levels(row, levels - 1),
        Kind::Let(_, a, b) => of(a).saturating_add(of_levels(b, levels)),
        Kind::If(c, a, b) => of(c).saturating_add(of_levels(a, levels).max(of_levels(b, levels))),
        Kind::Get(a, i) => of(i).saturating_add(of_levels(a, levels + 1)),
        Kind::Slice(a, s, t) => of(s).saturating_add(of(t)).saturating_add(of_levels(a, levels)),
        Kind::Var(x) if !moving.contains(x) => 0,
        _ => LOOP,
    }
}

/// Whether a variable in `vars` occurs in a term.
fn mentions(e: &Expr, vars: &Set<VarId>) -> bool {
    let here = matches!(e.kind(), Kind::Var(x) if vars.contains(x));
    !vars.is_empty() && (here || e.any_child(&mut |c| mentions(c, vars)))
}

/// Whether a number may be computed several times.
pub(crate) fn is_cheap_number(e: &Expr) -> bool {
    of(e, Place::Readers) <= RECOMPUTE
}

/// Whether an element may be computed anew at each of `times` places.
pub(crate) fn is_cheap(array: &Expr, times: usize) -> bool {
    of_element(array) <= RECOMPUTE && (times <= 1 || array.size() * times <= COPY)
}

/// Whether computing an element anew costs hardly more than loading it. Then it may be done in every iteration.
pub(crate) fn is_as_cheap_as_a_load(array: &Expr, times: usize) -> bool {
    is_cheap(array, times) && of_value(innermost(array), Place::Load) <= RELOAD
}

/// The element of the innermost of nested builds.
pub(crate) fn innermost(e: &Expr) -> &Expr {
    match e.kind() {
        Kind::Build(Build { body, .. }) => innermost(body),
        _ => e,
    }
}
