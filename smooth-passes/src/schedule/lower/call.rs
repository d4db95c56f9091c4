//! Calls of kernels and of functions from Rust, and assertions, which end in a call if they fail.
//!
//! ```text
//! ⟦call k d̄ x v⟧   =   … ← call k(⟦x⟧, v at o of shape P)             with its strides, if the parameter of k is strided
//! ⟦assert t u⟧        =   if not ⟦t⟧ ⟦u⟧
//! ```

use crate::dps::{self, Dest, Term};
use crate::loops::{Arg, Call, Expr, Out, Place, Stmt};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::Prim;
use crate::schedule::lower::address::contiguous;
use crate::schedule::lower::{Lower, Spot};
use crate::span::Origin;

impl Lower<'_> {
    /// A call. An argument for a strided parameter is passed with its strides.
    pub(crate) fn call(&mut self, c: &dps::Call, value: Option<VarId>) {
        let callee = &self.p.interface.callees[c.callee];
        let args = c.args.iter().zip(&callee.params).map(|(a, p)| match a {
            dps::Arg::Scalar(t) => {
                let e = self.value(t);
                // The value is read before the call writes its destinations.
                Arg::Scalar(self.kept("argument", e))
            }
            dps::Arg::View(v, shape) => {
                let spot = self.view(v);
                let strides = p.strided.then(|| spot.strides.unwrap_or_else(|| contiguous(shape)));
                Arg::Array(spot.access, shape.clone(), strides)
            }
            dps::Arg::There(k) => Arg::There(*k),
        });
        let args = args.collect_vec();
        let mut outs: Vec<Out> = value.into_iter().mapped(|x| Out::Place(Place::Var(x)));
        for d in &c.dests {
            outs.push(match d {
                Dest::Cell(_) => Out::Place(self.place(d)),
                d => match self.dest(d) {
                    Spot { access, shape, .. } if shape.is_empty() => Out::Place(Place::Element(access)),
                    Spot { access, shape, .. } => Out::Array(access, shape),
                },
            });
        }
        self.push(Stmt::Call(Call { callee: c.callee, outs, args, sizes: c.sizes.clone(), fails: None }));
    }

    /// A condition, and the term that is evaluated if it does not hold.
    pub(crate) fn assertion(&mut self, [condition, failure]: &[Term; 2], origin: Origin) {
        let condition = self.value(condition);
        let (mut failure, _) = self.computed(failure);
        if let Some(Stmt::Call(c)) = failure.iter_mut().rfind(|s| matches!(s, Stmt::Call(_))) {
            c.fails = Some(origin);
        }
        let fails = match condition {
            Expr::Prim(Prim::Not, mut es, _) => es.swap_remove(0),
            holds => Expr::Prim(Prim::Not, vec![holds], Origin::default()),
        };
        self.push(Stmt::If(fails, failure, vec![]));
    }
}
