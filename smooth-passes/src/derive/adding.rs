//! Folds that add: each component of the state changes by additions alone, and nothing else reads it.
//!
//! ```text
//! s ::= the state | s + e | s - e | s with [ī] += e | let x̄ = s in s | if c then s else s | ifold n (λt j. s) s | (s̄)       e: without the state
//!     | build n̄ (λī. s), where the state is read at [ī]
//! ```
//!
//! The cotangent of such a state is the same before and after each step, and no step needs a state.

use super::activity::part;
use crate::fsmooth::{Build, Demand, Expr, IFold, Kind};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::Prim;
use crate::sorted::Map;

/// Whether a fold adds.
pub(super) fn adds(f: &IFold) -> bool {
    let all = (0..f.init.ty.leaf_count()).collect_vec();
    let mut sums = Sums { of: [(f.state, all.clone())].into_iter().collect(), axes: vec![] };
    f.test.is_none() && sums.leaves(&f.body) == Some(all)
}

/// The names of sums: for each of their leaves, the component of the state that it continues.
struct Sums {
    of: Map<VarId, Vec<usize>>,
    /// The indices of the builds around the place.
    axes: Vec<VarId>,
}

impl Sums {
    /// Whether a term does not read the state. A length of it is known without.
    fn is_without(&self, e: &Expr) -> bool {
        match &e.kind {
            Kind::Var(x) => !self.of.contains_key(x),
            Kind::Len(a, _) if matches!(a.kind, Kind::Var(_)) => true,
            _ => !e.any_child(&mut |e| !self.is_without(e)),
        }
    }

    /// The components that a term is, with additions, leaf by leaf.
    fn leaves(&mut self, e: &Expr) -> Option<Vec<usize>> {
        match &e.kind {
            Kind::Var(x) => self.of.get(x).cloned(),
            Kind::Build(Build { count, index, body }) if self.is_without(count) => {
                self.axes.push(*index);
                let own = self.leaves(body);
                self.axes.pop();
                own
            }
            Kind::Get(..) => {
                let (of, at) = element(e);
                let is_own = |(i, axis): (&Expr, &VarId)| matches!(i.kind, Kind::Var(v) if v == *axis);
                let same = at.len() == self.axes.len() && at.into_iter().zip(&self.axes).all(is_own);
                if same { self.leaves(of) } else { None }
            }
            Kind::Proj(a, k) => {
                let (first, count) = part(&a.ty, *k);
                Some(self.leaves(a)?[first..first + count].to_vec())
            }
            Kind::Tuple(es) => Some(es.iter().mapped(|e| self.leaves(e)).all_some()?.concat()),
            Kind::Let(x, value, body) => {
                if !self.is_without(value) {
                    let own = self.leaves(value)?;
                    self.of.insert(*x, own);
                }
                self.leaves(body)
            }
            Kind::Demand(Demand { what, then }) => {
                let without = what.terms().iter().all(|e| self.is_without(e));
                if without { self.leaves(then) } else { None }
            }
            Kind::Prim(Prim::Add, es) if self.is_without(&es[1]) => self.leaves(&es[0]),
            Kind::Prim(Prim::Add, es) if self.is_without(&es[0]) => self.leaves(&es[1]),
            Kind::Prim(Prim::Sub, es) if self.is_without(&es[1]) => self.leaves(&es[0]),
            Kind::Update(u) => {
                let without = u.indices.iter().chain([&*u.value]).all(|e| self.is_without(e));
                let adds = matches!(u.op, Some(Prim::Add | Prim::Sub));
                if adds && without { self.leaves(&u.array) } else { None }
            }
            Kind::If(c, a, b) if self.is_without(c) => {
                self.leaves(a).filter(|own| self.leaves(b).as_ref() == Some(own))
            }
            Kind::IFold(f) if f.test.is_none() && self.is_without(&f.count) => {
                let own = self.leaves(&f.init)?;
                self.of.insert(f.state, own.clone());
                self.leaves(&f.body).filter(|after| *after == own)
            }
            _ => None,
        }
    }
}

/// The array that an element is one of, and its place.
fn element(e: &Expr) -> (&Expr, Vec<&Expr>) {
    let (mut e, mut at) = (e, vec![]);
    while let Kind::Get(a, i) = &e.kind {
        at.insert(0, &**i);
        e = a;
    }
    (e, at)
}
