//! Trip counts: a loop that ends when a count reaches a limit becomes a loop of that many iterations.
//!
//! ```text
//! x ← a; s₁; for k < ∞ { t̄; while x < e and c; s̄ }   ⟶   let n = if a < e then e - a else 0
//!                                                         x ← a; s₁; for k < n { t̄; while c; s̄ }
//! ```
//!
//! if each step adds 1 to `x` or makes `c` fail, by a flag; `a` is a literal; and `e` does not vary in the surrounding
//! loop. Then `x = a + k` while an iteration runs, so that lanes of a block need not compare separate counts.

use crate::loops::visit::flow;
use crate::loops::{Block, Expr, Function, Place, Stmt};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::Prim;
use crate::schedule::early_exit::body::{Parts, STEPS, incremented, number};
use crate::shape::card::{Card, Op};
use crate::sorted::Map;
use crate::span::Origin;
use crate::ty::Scalar;
use crate::value::Lit;

/// The count of a loop that only its test ends.
const ENDLESS: i128 = u64::MAX as i128;

/// Moves limits from the test into the count of the loop. `outer` is the index and the count of the surrounding loop.
pub(crate) fn limit(f: &mut Function, parts: &mut Parts, outer: (VarId, &Card)) {
    let mut all = vec![];
    conjuncts(&parts.runs, false, &mut all);
    if all.len() == 1 {
        return;
    }
    let flags = ends(&all);
    let found = all.iter().enumerate().find_map(|(at, (e, negated))| {
        let (x, end) = below(e, *negated)?;
        let (first, ty) = (first(&parts.before, x)?, *parts.bound.get(&x)?);
        // The difference of larger integers might not fit in a `usize`.
        let fits = ty == Scalar::Usize || ty.is_int() && ty.bytes() <= 4;
        (fits && grows(&parts.step, x, &flags)).then(|| (at, first, ty, end.clone()))
    });
    let Some((at, first, ty, end)) = found else { return };
    let endless = parts.count.constant() == Some(ENDLESS);
    let count = match end {
        Expr::Lit(Lit::Int(n, _)) if n - first >= STEPS => Card::lit(n - first),
        Expr::Lit(_) => return,
        end => {
            let own = parts.bound.keys().chain([&outer.0, &parts.index]).any(|x| end.mentions(*x));
            let simple = |e: &Expr| matches!(e, Expr::Var(_) | Expr::Lit(_) | Expr::Size(..) | Expr::Prim(..));
            let (name, first_of_all) = (matches!(end, Expr::Var(_)), at == 0 && endless);
            if own || end.any(&|e| !simple(e)) || !name && !first_of_all {
                return;
            }
            // A limit that may panic is computed only if there is an iteration, which would compute it too.
            let some = prim(Prim::Gt, vec![Expr::size(outer.1.clone()), number(0, Scalar::Usize)]);
            let (n, e) = (f.names.fresh("limit"), distance(first, end, ty));
            let e = if name { e } else { Expr::If(Box::new([some, e, number(0, Scalar::Usize)])) };
            parts.limits.push(Stmt::Let(n, Scalar::Usize, e));
            Card::var(n)
        }
    };
    let Some(runs) = without(&parts.runs, false, &mut (0..=at).rev()) else { return };
    parts.count = if endless { count } else { Card::op(Op::Min, &parts.count, &count) };
    parts.runs = runs;
    limit(f, parts, outer);
}

fn prim(p: Prim, es: Vec<Expr>) -> Expr {
    Expr::Prim(p, es, Origin::default())
}

/// The conjuncts of `e`, or of its negation. The flag of a conjunct says whether it is negated.
fn conjuncts(e: &Expr, negated: bool, found: &mut Vec<(Expr, bool)>) {
    match e {
        Expr::Prim(Prim::Not, es, _) => conjuncts(&es[0], !negated, found),
        Expr::Prim(p, es, _) if joins(*p, negated) => es.iter().for_each(|e| conjuncts(e, negated, found)),
        e => found.push((e.clone(), negated)),
    }
}

/// Whether the operands of `p` are conjuncts, in a condition or in the negation of one.
fn joins(p: Prim, negated: bool) -> bool {
    if negated { matches!(p, Prim::Or | Prim::BitOr) } else { matches!(p, Prim::And | Prim::BitAnd) }
}

/// A condition without one of its conjuncts: `left` counts down to 0 at that one.
fn without(e: &Expr, negated: bool, left: &mut impl Iterator<Item = usize>) -> Option<Expr> {
    match e {
        Expr::Prim(Prim::Not, es, _) => Some(prim(Prim::Not, vec![without(&es[0], !negated, left)?])),
        Expr::Prim(p, es, origin) if joins(*p, negated) => {
            let (a, b) = (without(&es[0], negated, left), without(&es[1], negated, left));
            match (a, b) {
                (Some(a), Some(b)) => Some(Expr::Prim(*p, vec![a, b], *origin)),
                (a, b) => a.or(b),
            }
        }
        e => Some(e.clone()).filter(|_| left.next() != Some(0)),
    }
}

/// The flags that end the loop once they are set.
fn ends(all: &[(Expr, bool)]) -> Vec<VarId> {
    all.iter()
        .filter_map(|(e, negated)| if let Expr::Var(x) = e { Some(*x).filter(|_| *negated) } else { None })
        .collect_vec()
}

/// The flags that end a loop once they are set, and that its step never resets.
pub(crate) fn lasting(runs: &Expr, step: &Block) -> Vec<VarId> {
    let mut all = vec![];
    conjuncts(runs, false, &mut all);
    let lasts = |x: VarId, way: &Map<VarId, Is>| matches!(way.get(&x), None | Some(Is::Count(0) | Is::True));
    let stays = |x: &VarId| ways(step, *x).is_some_and(|all| all.iter().all(|way| lasts(*x, way)));
    ends(&all).into_iter().filter(stays).collect_vec()
}

/// `x < e`, in one of its forms for integers.
fn below(e: &Expr, negated: bool) -> Option<(VarId, &Expr)> {
    let Expr::Prim(p, es, _) = e else { return None };
    let (x, end) = match (p, negated) {
        (Prim::Lt, false) | (Prim::Ge, true) => (&es[0], &es[1]),
        (Prim::Gt, false) | (Prim::Le, true) => (&es[1], &es[0]),
        _ => return None,
    };
    if let Expr::Var(x) = x { Some((*x, end)) } else { None }
}

/// The literal, not negative, that a block assigns to a number.
fn first(b: &Block, x: VarId) -> Option<i128> {
    let mut all = b.iter().filter(|s| s.binds(x));
    match (all.next()?, all.next()) {
        (Stmt::Assign(Place::Var(_), Expr::Lit(Lit::Int(n, _))), None) if *n >= 0 => Some(*n),
        _ => None,
    }
}

/// The value of a number after some statements, in terms of `x`, a count or a flag.
#[derive(Clone, Copy, PartialEq)]
enum Is {
    /// `x` plus a constant.
    Count(i128),
    True,
    Other,
}

/// The maximum number of paths through a step that are followed.
const WAYS: usize = 16;

/// The values of numbers after a step, on each path through it.
fn ways(b: &Block, x: VarId) -> Option<Vec<Map<VarId, Is>>> {
    let mut transfer = |s: &Stmt, all: &mut Vec<Map<VarId, Is>>| {
        if let Stmt::Let(y, _, e) | Stmt::Assign(Place::Var(y), e) = s {
            for way in &mut *all {
                let value = |z: VarId| way.get(&z).copied().unwrap_or(if z == x { Is::Count(0) } else { Is::Other });
                let is = match (e, incremented(e).map(|(z, _)| value(z))) {
                    (_, Some(Is::Count(n))) => Is::Count(n + 1),
                    (Expr::Var(z), _) => value(*z),
                    (Expr::Lit(Lit::Bool(true)), _) => Is::True,
                    _ => Is::Other,
                };
                way.insert(*y, is);
            }
        }
        let follows = matches!(s, Stmt::Let(..) | Stmt::Var(..) | Stmt::Assign(Place::Var(_), _) | Stmt::If(..));
        (follows && all.len() <= WAYS).then_some(())
    };
    flow(b, vec![Map::new()], &mut transfer, |yes, no| [yes, no].concat()).filter(|all| all.len() <= WAYS)
}

/// Whether a step adds 1 to a number, or sets one of the flags, on each path.
fn grows(step: &Block, x: VarId, flags: &[VarId]) -> bool {
    let ends = |way: &Map<VarId, Is>| flags.iter().any(|f| way.get(f) == Some(&Is::True));
    let all = ways(step, x);
    all.is_some_and(|all| all.iter().all(|way| way.get(&x) == Some(&Is::Count(1)) || ends(way)))
}

/// `e - first`, or 0.
fn distance(first: i128, e: Expr, ty: Scalar) -> Expr {
    let usize =
        |e: Expr| Prim::cast(Scalar::Usize).filter(|_| ty != Scalar::Usize).map_or(e.clone(), |p| prim(p, vec![e]));
    if first == 0 && ty.is_unsigned() {
        return usize(e);
    }
    let less = prim(Prim::Lt, vec![number(first, ty), e.clone()]);
    let some = prim(Prim::WrappingSub, vec![usize(e), number(first, Scalar::Usize)]);
    Expr::If(Box::new([less, some, number(0, Scalar::Usize)]))
}
