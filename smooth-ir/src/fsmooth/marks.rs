//! Marks: calls of no function, whose value is that of the first argument. Derivatives take notice of them.
//!
//! ```text
//! stop_gradient e                    e, with derivative 0
//! rule (e, (λē ẋ̄. j), v, x̄)          e, whose change along changes ẋ̄ of the x̄ is j            j or v may be (), not both
//! rule (e, j, (λē ȳ. v), x̄)          e, whose cotangents ȳ come to v in x̄                     ē: the leaves of e
//! ```

use super::{Callee, Expr, Kernel, Kind, Via, take};
use crate::shape::Companion;
use crate::shape::bytes::Bytes;
use crate::ty::Type;

/// The number of a mark in a table of callees, where it is entered if need be.
pub fn enter(name: &str, callees: &mut Vec<Callee>) -> usize {
    callees.iter().position(|c| c.is_mark() && c.name == name).unwrap_or_else(|| {
        callees.push(mark(name));
        callees.len() - 1
    })
}

/// Whether there is a mark in a kernel.
pub fn has_marks(kernel: &Kernel) -> bool {
    let callees = &kernel.interface.callees;
    let is_mark = |e: &Expr| matches!(&e.kind, Kind::Call(k, _) if callees[*k].is_mark());
    callees.iter().any(Callee::is_mark) && kernel.body.count(is_mark) > 0
}

/// Takes the marks away. Keeps: the value.
pub fn drop_marks(kernel: &mut Kernel) {
    let callees = &kernel.interface.callees;
    kernel.body.each_mut(&mut |e| {
        while let Kind::Call(k, args) = &mut e.kind
            && callees[*k].is_mark()
        {
            *e = take(&mut args[0]);
        }
    });
}

fn mark(name: &str) -> Callee {
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
