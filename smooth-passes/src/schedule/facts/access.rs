//! The elements that expressions read: which, and how far apart those of successive iterations are.

use crate::loops::{Access, Expr, Reason};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::Prim;
use crate::schedule::facts::parts::is_instruction;
use crate::shape::card::Card;
use crate::sorted::Map;
use crate::ty::Scalar;

/// The elements that an expression loads unconditionally.
pub(crate) fn reads(e: &Expr) -> Vec<Access> {
    match e {
        Expr::Load(a) => vec![a.clone()],
        Expr::If(es) => reads(&es[0]),
        Expr::Prim(Prim::And | Prim::Or, es, _) => reads(&es[0]),
        e => e.operands().iter().flat_map(reads).collect_vec(),
    }
}

/// Checks that all operations of an expression are vector instructions, and collects its loads.
pub(crate) fn operations<'e>(e: &'e Expr, axes: &[VarId], loads: &mut Vec<&'e Access>) -> Result<(), Reason> {
    match e {
        Expr::Load(a) => loads.push(a),
        Expr::Prim(p, ..) if !is_instruction(*p) => return Err(Reason::Operation(*p)),
        // An address is not computed unless its element is needed.
        Expr::If(es) if es[1..].iter().any(Expr::loads) => return Err(Reason::Branch),
        Expr::Size(c, _) => axes.iter().find(|v| c.mentions(**v)).map_or(Ok(()), |v| Err(Reason::Counts(*v)))?,
        Expr::Var(v) if axes.contains(v) => return Err(Reason::Counts(*v)),
        Expr::App(..) => return Err(Reason::Calls),
        _ => {}
    }
    e.operands().iter().try_for_each(|e| operations(e, axes, loads))
}

/// The distance between the elements that two successive iterations access, if it does not vary.
pub(crate) fn slope(a: &Access, i: VarId, bound: &Map<VarId, Scalar>) -> Option<Card> {
    let (slope, rest) = a.offset.linear_in(i)?;
    (!bound.keys().any(|v| rest.mentions(*v) || slope.mentions(*v))).then_some(slope)
}
