//! `gather` of shifted and reversed places: the inverse of an affine map, with a cut range.
//!
//! ```text
//! for i < n { a̅[c ± i] += e }                    ⟶  build m (λp. if i = ±(p - c) is in 0..n then e else 0)
//! for i < n { for j < k { a̅[c ± i ± j] += e } }  ⟶  build m (λp. sum (j in the range where i is in 0..n) e)
//! ```

use super::statements::{Before, Block, Statement, each, index};
use crate::fsmooth::{Expr, Kind, build};
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::sorted::{Map, Set};

/// A place: terms that are the same in a nest, and the factors of its indices, which are 1 or -1.
#[derive(Default)]
struct Affine {
    plus: Vec<Expr>,
    minus: Vec<Expr>,
    of: Map<VarId, bool>,
}

impl Affine {
    /// Adds a term, or subtracts it.
    fn add(&mut self, e: &Expr, plus: bool, (loops, bound): (&Set<VarId>, &Set<VarId>)) -> Option<()> {
        match &e.kind {
            Kind::Var(v) if loops.contains(v) => self.of.insert(*v, plus).is_none().then_some(()),
            Kind::Prim(p @ (Prim::Add | Prim::Sub), es) => {
                self.add(&es[0], plus, (loops, bound))?;
                self.add(&es[1], plus == (*p == Prim::Add), (loops, bound))
            }
            _ if e.free().iter().any(|v| loops.contains(v) || bound.contains(v)) => None,
            _ => {
                if plus {
                    self.plus.push(e.clone())
                } else {
                    self.minus.push(e.clone())
                }
                Some(())
            }
        }
    }
}

/// The statements for the place `p` in place of a loop over `i`, all of whose additions are at one place; `q` is the index of the
/// loop that has a cut range, if there is one.
pub(super) fn unshifted(
    (n, i, body): (&Expr, VarId, &[Statement]),
    place: &Expr,
    p: VarId,
    names: &mut Names,
) -> Option<(Block, Option<VarId>)> {
    let (mut loops, mut bound) = (Map::new(), Set::new());
    loops.insert(i, n.clone());
    each(body, &mut |s| match s {
        Statement::For(n, j, _) => drop(loops.insert(*j, n.clone())),
        Statement::Before(Before::Let(x, _)) => drop(bound.insert(*x)),
        _ => {}
    });
    let indices: Set<VarId> = loops.keys().copied().collect();
    let mut at = Affine::default();
    at.add(place, true, (&indices, &bound))?;
    let up = *at.of.get(&i)?;
    let mut others = at.of.iter().filter(|(v, _)| **v != i);
    let other = others.next().map(|(v, plus)| (*v, *plus));
    if others.next().is_some() {
        return None;
    }
    let o = place.origin;
    let op = |p, a: Expr, b: Expr| build::prim(p, vec![a, b], o);
    let plus = |a, b| op(Prim::Add, a, b);
    let less = |a, b| op(Prim::SaturatingSub, a, b);
    let total = |es: &[Expr]| es.iter().cloned().reduce(plus).unwrap_or_else(|| build::index(0, o));
    // c = first - then; here = p + then.
    let (first, then, one) = (total(&at.plus), total(&at.minus), build::index(1, o));
    let here = plus(index(p, o), then);
    let Some((j, j_up)) = other else {
        let (own, inside) = if up {
            let inside = op(
                Prim::And,
                op(Prim::Le, first.clone(), here.clone()),
                op(Prim::Lt, here.clone(), plus(n.clone(), first.clone())),
            );
            (op(Prim::Sub, here, first), inside)
        } else {
            let inside = op(
                Prim::And,
                op(Prim::Le, here.clone(), first.clone()),
                op(Prim::Lt, first.clone(), plus(n.clone(), here.clone())),
            );
            (op(Prim::Sub, first, here), inside)
        };
        let mut block = vec![Statement::Before(Before::Let(i, own))];
        block.extend(body.iter().cloned());
        return Some((vec![Statement::If(inside, block, vec![])], None));
    };
    let count = &loops[&j];
    if count.free().iter().any(|v| indices.contains(v) || bound.contains(v)) {
        return None;
    }
    let at_j = index(j, o);
    let (low, high, own) = match (up, j_up) {
        (true, true) => {
            let end = plus(here.clone(), one);
            (
                less(end.clone(), plus(first.clone(), n.clone())),
                less(end, first.clone()),
                op(Prim::Sub, here, plus(first, at_j)),
            )
        }
        (true, false) => {
            let (low, high) = (less(first.clone(), here.clone()), less(plus(n.clone(), first.clone()), here.clone()));
            (low, high, op(Prim::Sub, plus(here, at_j), first))
        }
        (false, true) => {
            let (low, high) = (less(here.clone(), first.clone()), less(plus(n.clone(), here.clone()), first.clone()));
            (low, high, op(Prim::Sub, plus(first, at_j), here))
        }
        (false, false) => {
            let end = plus(first.clone(), one);
            (
                less(end.clone(), plus(here.clone(), n.clone())),
                less(end, here.clone()),
                op(Prim::Sub, first, plus(here, at_j)),
            )
        }
    };
    let high = op(Prim::Min, count.clone(), high);
    let q = names.again(j);
    let cut = Cut { j, i, q, count: less(high, low.clone()), at: plus(low, index(q, o)), own };
    Some((cut.block(body, &[])?, Some(q)))
}

/// The loop with a cut range, and the value of the index that it takes the place of.
struct Cut {
    j: VarId,
    i: VarId,
    q: VarId,
    count: Expr,
    at: Expr,
    own: Expr,
}

impl Cut {
    /// A nest with the cut loop. What depends on the other index moves into it.
    fn block(&self, block: &[Statement], moved: &[Before]) -> Option<Block> {
        let (mut out, mut moved) = (Block::new(), moved.to_vec());
        for s in block {
            match s {
                Statement::Before(b) => {
                    let depends = match b {
                        Before::Let(_, e) => self.depends(e, &moved),
                        Before::Check(what, _) => what.terms().iter().any(|e| self.depends(e, &moved)),
                    };
                    if depends { moved.push(b.clone()) } else { out.push(s.clone()) }
                }
                Statement::For(_, v, body) if *v == self.j => {
                    let lets = [(self.j, self.at.clone()), (self.i, self.own.clone())];
                    let lets = lets.map(|(x, e)| Statement::Before(Before::Let(x, e)));
                    let inside = lets.into_iter().chain(moved.iter().cloned().map(Statement::Before));
                    let inside = inside.chain(body.iter().cloned()).collect();
                    out.push(Statement::For(self.count.clone(), self.q, inside));
                }
                Statement::For(n, v, body) if !self.depends(n, &moved) => {
                    out.push(Statement::For(n.clone(), *v, self.block(body, &moved)?));
                }
                Statement::If(c, a, b) if !self.depends(c, &moved) => {
                    let [a, b] = [a, b].map(|side| self.block(side, &moved));
                    out.push(Statement::If(c.clone(), a?, b?));
                }
                _ => return None,
            }
        }
        Some(out)
    }

    fn depends(&self, e: &Expr, moved: &[Before]) -> bool {
        let is_moved = |v: &VarId| moved.iter().any(|b| matches!(b, Before::Let(x, _) if x == v));
        e.free().iter().any(|v| *v == self.i || is_moved(v))
    }
}

/// The places in a block that are additions' indices along an axis, each once; nothing if one has no such index.
pub(super) fn places(block: &[Statement], level: usize) -> Option<Vec<Expr>> {
    let mut all: Option<Vec<Expr>> = Some(vec![]);
    each(block, &mut |s| {
        if let Statement::Add(_, at, _) = s {
            match (at.get(level), &mut all) {
                (Some(at), Some(all)) => {
                    if !all.contains(at) {
                        all.push(at.clone());
                    }
                }
                _ => all = None,
            }
        }
    });
    all
}

/// The part of a block that adds at one of these places.
pub(super) fn at_place(block: &[Statement], level: usize, place: &Expr) -> Block {
    let one = |s: &Statement| match s {
        Statement::Add(_, at, _) => (at[level] == *place).then(|| s.clone()),
        Statement::If(c, a, b) => {
            let [a, b] = [a, b].map(|side| at_place(side, level, place));
            (adds(&a) || adds(&b)).then(|| Statement::If(c.clone(), a, b))
        }
        Statement::For(n, i, body) => {
            let body = at_place(body, level, place);
            adds(&body).then(|| Statement::For(n.clone(), *i, body))
        }
        s => Some(s.clone()),
    };
    block.iter().filter_map(one).collect()
}

fn adds(block: &[Statement]) -> bool {
    let mut any = false;
    each(block, &mut |s| any |= matches!(s, Statement::Add(..)));
    any
}
