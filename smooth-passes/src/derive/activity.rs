//! Activity: the variables that depend on what is differentiated.
//!
//! A term is active in a leaf of its type if the leaf is a float and an active variable occurs in what computes it. That may say
//! too much, and never too little. The state of a loop is active where its start is, or its step for such a state: the least
//! fixed point.

use crate::fsmooth::{Combine, Expr, IFold, Kind, Reduce, Slot};
use crate::name::VarId;
use crate::sorted::Map;
use crate::ty::Type;

/// The active leaves of variables; what is not in it is not active.
#[derive(Clone, Default, Debug)]
pub(super) struct Activity(Map<VarId, Vec<bool>>);

impl Activity {
    /// The activity of the variables of `e`, where these leaves of variables are active.
    pub(super) fn of(e: &Expr, active: impl IntoIterator<Item = (VarId, Vec<bool>)>) -> Activity {
        let mut own = Activity::default();
        own.add(e, active);
        own
    }

    /// Adds the activity of the variables of another term.
    pub(super) fn add(&mut self, e: &Expr, active: impl IntoIterator<Item = (VarId, Vec<bool>)>) {
        active.into_iter().for_each(|(v, leaves)| drop(self.0.insert(v, leaves)));
        self.term(e);
    }

    /// The active leaves of a variable of this type.
    pub(super) fn leaves(&self, v: VarId, ty: &Type) -> Vec<bool> {
        self.0.get(&v).cloned().unwrap_or_else(|| vec![false; ty.leaf_count()])
    }

    /// Whether a leaf of a variable is active.
    pub(super) fn is_active(&self, v: VarId) -> bool {
        self.0.get(&v).is_some_and(|leaves| leaves.contains(&true))
    }

    fn term(&mut self, e: &Expr) -> Vec<bool> {
        match &e.kind {
            Kind::Var(v) => self.leaves(*v, &e.ty),
            Kind::Let(x, value, body) => {
                let leaves = self.term(value);
                self.0.insert(*x, leaves);
                self.term(body)
            }
            Kind::IFold(IFold { init, state, body, .. }) => {
                let leaves = self.term(init);
                self.settled(&[*state], leaves, body)
            }
            Kind::Reduce(Reduce { body, with: Combine::Function(f), .. }) => {
                let leaves = either(self.term(body), &self.term(&f.init));
                self.settled(&[f.left, f.right], leaves, &f.body)
            }
            Kind::If(_, a, b) => {
                let leaves = self.term(a);
                either(leaves, &self.term(b))
            }
            Kind::Tuple(es) => es.iter().flat_map(|e| self.term(e)).collect(),
            Kind::Proj(a, k) => {
                let (leaves, (first, count)) = (self.term(a), part(&a.ty, *k));
                leaves[first..first + count].to_vec()
            }
            Kind::Build(_) | Kind::Reduce(_) | Kind::Demand(_) | Kind::Get(..) | Kind::Slice(..) => {
                self.of_parts(e, &[Slot::Body, Slot::Checked, Slot::Base])
            }
            Kind::Lit(_) | Kind::Const(_) | Kind::Len(..) => vec![false; e.ty.leaf_count()],
            Kind::Prim(..) | Kind::Update(_) | Kind::Array(_) | Kind::Call(..) | Kind::Lam(..) | Kind::App(..) => {
                let mut any = false;
                e.each_child(&mut |c| any |= self.term(c).contains(&true));
                e.ty.leaf_scalars().iter().map(|s| any && s.is_float()).collect()
            }
        }
    }

    /// The leaves of the part that the value of a term is made of.
    fn of_parts(&mut self, e: &Expr, value: &[Slot]) -> Vec<bool> {
        let mut leaves = vec![false; e.ty.leaf_count()];
        e.each_part(&mut |slot, c| {
            let of = self.term(c);
            if value.contains(&slot) {
                leaves = of;
            }
        });
        leaves
    }

    /// The leaves of states that start with these, when no further step adds one.
    fn settled(&mut self, states: &[VarId], mut leaves: Vec<bool>, step: &Expr) -> Vec<bool> {
        loop {
            for s in states {
                let known = self.0.get(s).cloned().unwrap_or_default();
                leaves = either(leaves, &known);
                self.0.insert(*s, leaves.clone());
            }
            let next = either(leaves.clone(), &self.term(step));
            if next == leaves {
                return leaves;
            }
            leaves = next;
        }
    }
}

fn either(mut a: Vec<bool>, b: &[bool]) -> Vec<bool> {
    a.iter_mut().zip(b).for_each(|(a, b)| *a |= b);
    a
}

/// The first leaf of the `k`th part of a tuple, and how many it has.
pub(super) fn part(tuple: &Type, k: usize) -> (usize, usize) {
    let Type::Tuple(ts) = tuple else { return (0, 0) };
    (ts[..k].iter().map(Type::leaf_count).sum(), ts[k].leaf_count())
}
