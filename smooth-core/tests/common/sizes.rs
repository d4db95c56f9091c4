//! The sizes that a companion gives for some arguments, evaluated on integers alone.
#![allow(dead_code, reason = "each test takes what it needs")]

use smooth_core::shape::card::{Atom, Card};
use smooth_core::shape::{Check, Companion, Dim, Param, ParamKind, values};
use smooth_core::value::{Lit, Value};
use std::collections::BTreeMap;

/// The values of a companion's atoms for some arguments: extents and the values of `usize`s, but no elements.
pub fn sizes(params: &[Param], args: &[Value]) -> BTreeMap<Atom, i128> {
    let mut found = BTreeMap::new();
    for (p, v) in params.iter().zip(args) {
        match (&p.kind, v) {
            (ParamKind::Scalar(_), Value::Scalar(Lit::Int(n, _))) => drop(found.insert(Atom::Var(p.var), *n)),
            (ParamKind::Array(_, dims), Value::Array(a)) => {
                for (axis, (d, n)) in dims.iter().zip(&a.dims).enumerate() {
                    let atom = match d {
                        Dim::Size(s) => Atom::Var(*s),
                        _ => Atom::Len(p.var, axis as u32),
                    };
                    found.insert(atom, *n as i128);
                }
            }
            _ => {}
        }
    }
    for (q, of) in values(params) {
        let n = found[&Atom::Var(of)];
        found.entry(Atom::Var(q)).or_insert(n);
    }
    found
}

/// A size for these sizes of the arguments.
pub fn size(c: &Card, at: &BTreeMap<Atom, i128>) -> Option<i128> {
    c.eval(&|a| *at.get(a).unwrap_or_else(|| panic!("{a:?} is not a size of an argument")))
}

/// The bytes of the frame.
pub fn frame(k: &Companion, at: &BTreeMap<Atom, i128>) -> Option<i128> {
    k.frame.eval(&|a| *at.get(a).unwrap_or_else(|| panic!("{a:?} is not a size of an argument")))
}

/// Whether the entry checks pass: only then does the kernel run.
pub fn accepted(k: &Companion, params: &[Param], args: &[Value]) -> bool {
    let at = sizes(params, args);
    k.checks.iter().all(|c| match c {
        Check::Equal { left, right, .. } => size(left, &at).is_some_and(|n| Some(n) == size(right, &at)),
        Check::Size { size: n } => size(n, &at).is_some_and(|n| n >= 0),
        Check::Slice { start, end, len, .. } => match (size(start, &at), size(end, &at), size(len, &at)) {
            (Some(start), Some(end), Some(len)) => 0 <= start && start <= end && end <= len,
            _ => false,
        },
    })
}
