//! Marks: calls of no function, whose value is that of the first argument. Derivatives take notice of them.
//!
//! ```text
//! stop_gradient e                  e, with derivative 0
//! rule (e, (λẋ̄. j), v, x̄)          e, whose change along ẋ̄ is the last part of j
//! rule (e, j, (λȳ. v), x̄)          e, whose cotangents ȳ come to v in x̄         j or v may be (), not both
//! ```

use super::{Callee, Expr, Interface, Kernel, Kind, Via, take};
use crate::shape::Companion;
use crate::shape::bytes::Bytes;
use crate::ty::Type;

impl Callee {
    /// The name of a value that derivatives take for constant.
    pub const STOP: &str = "stop_gradient";
    /// The name of a value that has a derivative of its own.
    pub const RULE: &str = "rule";

    /// Whether it is no function: the value of a call is that of its first argument.
    pub fn is_mark(&self) -> bool {
        self.via == Via::Mark
    }

    /// The type of the value of a call with these arguments.
    pub fn result_type<'t>(&'t self, args: &'t [Expr]) -> &'t Type {
        args.first().filter(|_| self.is_mark()).map_or(&self.companion.result_type, |e| &e.ty)
    }

    /// The number of a mark in a table of callees, where it is entered if need be.
    pub fn mark(name: &str, callees: &mut Vec<Callee>) -> usize {
        callees.iter().position(|c| c.is_mark() && c.name == name).unwrap_or_else(|| {
            callees.push(Callee::of_mark(name));
            callees.len() - 1
        })
    }

    fn of_mark(name: &str) -> Callee {
        let companion = Companion {
            result_type: Type::Tuple(vec![]),
            result: vec![],
            values: vec![],
            checks: vec![],
            sizes: vec![],
            frame: Bytes::zero(),
            column_major: vec![],
            asserts: false,
        };
        Callee { name: name.into(), params: vec![], companion, via: Via::Mark, types: vec![] }
    }
}

impl Interface {
    /// Whether a term is this mark.
    pub fn is_marked(&self, e: &Expr, name: &str) -> bool {
        matches!(&e.kind, Kind::Call(k, _) if self.callees[*k].is_mark() && self.callees[*k].name == name)
    }
}

impl Kernel {
    /// Whether there is a mark in it.
    pub fn has_marks(&self) -> bool {
        let is_mark = |e: &Expr| matches!(&e.kind, Kind::Call(k, _) if self.interface.callees[*k].is_mark());
        self.interface.callees.iter().any(Callee::is_mark) && self.body.count(is_mark) > 0
    }

    /// Takes the marks away. Keeps: the value.
    pub fn drop_marks(&mut self) {
        let callees = &self.interface.callees;
        self.body.each_mut(&mut |e| {
            while let Kind::Call(k, args) = &mut e.kind
                && callees[*k].is_mark()
            {
                *e = take(&mut args[0]);
            }
        });
    }
}
