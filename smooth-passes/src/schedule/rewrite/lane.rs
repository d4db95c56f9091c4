//! One lane of a part of a loop (`parts.rs`): its statements with a place for each number.
//!
//! ```text
//! lane (let x = e; y ← f) = x̄[o] ← e'; let y' = f'          x has a slot, y is private to the lane, the index is a size
//! ```

use crate::loops::{Access, Block, Buffer, BufferId, Expr, Function, Memory, Place, Reduce, Stmt, With};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::schedule::rewrite::copy::copied;
use crate::shape::card::{Atom, Card};
use crate::sorted::Map;
use crate::span::Origin;
use crate::ty::Scalar;

/// The place of a number.
#[derive(Clone)]
pub(crate) enum At {
    /// An index: it is a size.
    Size(Card),
    /// A variable.
    Var(VarId),
    /// An element. No address may depend on it.
    Element(Access),
}

/// The places of numbers. A number that is not listed is private to the lane.
pub(crate) type Places = Map<VarId, At>;

/// A local array of a variable's values.
pub(crate) fn slot(f: &mut Function, x: VarId, elem: Scalar, length: i128) -> BufferId {
    let (name, len) = (f.names.again(x), Card::lit(length));
    f.buffers.push(Buffer { name, elem, len: len.clone(), memory: Memory::Local(len) });
    BufferId(f.buffers.len() as u32 - 1)
}

/// The element of a slot.
pub(crate) fn in_slot(b: BufferId, offset: &Card) -> At {
    At::Element(Access { buffer: b, offset: offset.clone() })
}

/// The statements of one lane. `None` if a size becomes too large to track, or if an address depends on an element.
pub(crate) fn lane(f: &mut Function, lanes: &[Stmt], declared: &[(VarId, Scalar)], at: &Places) -> Option<Block> {
    let own = |v: &VarId| !at.contains_key(v) && lanes.iter().any(|s| s.binds(*v));
    let mut body: Block = declared.iter().filter(|(v, _)| own(v)).mapped(|(v, s)| Stmt::Var(*v, *s));
    body.push_all(stmts(lanes, at)?);
    Some(copied(f, &body))
}

fn stmts(b: &[Stmt], at: &Places) -> Option<Block> {
    b.iter().map(|s| stmt(s, at)).all_some()
}

fn stmt(s: &Stmt, at: &Places) -> Option<Stmt> {
    Some(match s {
        Stmt::Let(x, s, e) => match at.get(x) {
            Some(At::Element(a)) => Stmt::Assign(Place::Element(a.clone()), expr(e, at)?),
            _ => Stmt::Let(*x, *s, expr(e, at)?),
        },
        Stmt::Assign(Place::Var(x), e) => match at.get(x) {
            Some(At::Element(a)) => Stmt::Assign(Place::Element(a.clone()), expr(e, at)?),
            _ => Stmt::Assign(Place::Var(*x), expr(e, at)?),
        },
        Stmt::Assign(Place::Element(a), e) => Stmt::Assign(Place::Element(access(a, at)?), expr(e, at)?),
        Stmt::If(c, a, b) => Stmt::If(expr(c, at)?, stmts(a, at)?, stmts(b, at)?),
        Stmt::Var(..) => s.clone(),
        Stmt::Reduce(r @ Reduce { with: With::Monoid(_), .. }) => {
            let terms = r.terms.iter().map(|e| expr(e, at)).all_some()?;
            Stmt::Reduce(Reduce { count: card(&r.count, at)?, body: stmts(&r.body, at)?, terms, ..r.clone() })
        }
        _ => return None,
    })
}

fn access(a: &Access, at: &Places) -> Option<Access> {
    Some(Access { buffer: a.buffer, offset: card(&a.offset, at)? })
}

/// A size with the places of its variables. `None` if one is an element, or if the result is untracked.
pub(crate) fn card(c: &Card, at: &Places) -> Option<Card> {
    let element = |a: &&Atom| matches!(a, Atom::Var(v) if matches!(at.get(v), Some(At::Element(_))));
    if c.atoms().iter().any(element) {
        return None;
    }
    let c = c.subst(&|a| match a {
        Atom::Var(v) => match at.get(v) {
            Some(At::Size(c)) => c.clone(),
            Some(At::Var(w)) => Card::var(*w),
            _ => Card::var(*v),
        },
        a => Card::atom(a.clone()),
    });
    (!c.is_untracked()).then_some(c)
}

fn expr(e: &Expr, at: &Places) -> Option<Expr> {
    let all = |es: &[Expr]| es.iter().map(|e| expr(e, at)).all_some();
    Some(match e {
        Expr::Var(x) => match at.get(x) {
            Some(At::Size(c)) => Expr::Size(c.clone(), Origin::default()),
            Some(At::Var(y)) => Expr::Var(*y),
            Some(At::Element(a)) => Expr::Load(a.clone()),
            None => Expr::Var(*x),
        },
        Expr::Size(c, origin) => Expr::Size(card(c, at)?, *origin),
        Expr::Load(a) => Expr::Load(access(a, at)?),
        Expr::Prim(p, es, origin) => Expr::Prim(*p, all(es)?, *origin),
        Expr::App(f, es, s) => Expr::App(*f, all(es)?, *s),
        Expr::If(es) => Expr::If(Box::new(all(&es[..])?.try_into().ok()?)),
        Expr::Lit(_) | Expr::Const(_) => e.clone(),
    })
}
