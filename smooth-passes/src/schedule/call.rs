//! Calls of kernels and of functions from Rust.
//!
//! ```text
//! ⟦call k d̄ x v⟧   =   … ← call k(⟦x⟧, v at o of shape P)             with its strides, if the parameter of k is strided
//! ```

use super::address::contiguous;
use super::lower::{Lower, Spot};
use crate::dps::{self, Dest};
use crate::loops::{Arg, Call, Out, Place, Stmt};
use crate::mapped::Mapped;
use crate::name::VarId;

impl Lower<'_> {
    /// A call. What a callee takes at any strides comes with those that it has.
    pub(super) fn call(&mut self, c: &dps::Call, value: Option<VarId>) {
        let callee = &self.p.callees[c.callee];
        let args = c.args.iter().zip(&callee.params).map(|(a, p)| match a {
            dps::Arg::Scalar(t) => {
                let e = self.value(t);
                // The call writes its destinations.
                Arg::Scalar(self.kept("argument", e))
            }
            dps::Arg::View(v, shape) => {
                let spot = self.view(v);
                let strides = p.strided.then(|| spot.strides.unwrap_or_else(|| contiguous(shape)));
                Arg::Array(spot.access, shape.clone(), strides)
            }
            dps::Arg::There(k) => Arg::There(*k),
        });
        let args = args.collect();
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
        self.push(Stmt::Call(Call { callee: c.callee, outs, args, sizes: c.sizes.clone() }));
    }
}
