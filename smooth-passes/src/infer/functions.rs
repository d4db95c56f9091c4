//! Function parameters as callees: a function over arrays is called in destination-passing style, as a kernel is.
//!
//! ```text
//! f ē   ⟶   call k ē'        f: a parameter over arrays, the kth callee; ē': the arguments, the parts of tuples apart
//! ```
//!
//! Until then `f ē` is an application, which no pass repeats, drops for an equal one or moves out of a loop.

use super::Infer;
use super::demand::{Noted, with_demands};
use crate::fsmooth::{Callee, Expr, Kernel, Kind, build, take};
use crate::mapped::{Mapped, PushAll};
use crate::name::{Names, VarId};
use crate::shape::card::{Atom, Card};
use crate::shape::{Check, Companion, signatures};
use crate::sorted::{Map, Set};
use crate::span::Origin;
use crate::ty::Type;

/// Calls the function parameters of a kernel that was accepted with this companion, except those of numbers.
pub fn call_functions(kernel: &mut Kernel, companion: &Companion) {
    let called = signatures(&kernel.interface.params).filter(|(_, s)| !s.is_of_numbers());
    let called: Vec<(VarId, Callee)> = called.mapped(|(p, s)| (p.var, Callee::argument(p, s)));
    if called.is_empty() {
        return;
    }
    let noted = Noted::of(kernel, companion);
    let first = kernel.interface.callees.len();
    kernel.interface.callees.push_all(called.iter().map(|(_, c)| c.clone()));
    let known = Infer::new(kernel).entry;
    let names = &mut kernel.names;
    kernel.body.each_mut(&mut |e| {
        let Kind::App(f, args) = &mut e.kind else { return };
        let Kind::Var(f) = f.kind() else { return };
        let Some(k) = called.iter().position(|(v, _)| v == f) else { return };
        let safe = noted.is_safe(args.as_ptr().addr());
        let (o, mut lets, mut flat) = (e.origin, Vec::new(), Vec::new());
        std::mem::take(args).into_iter().for_each(|a| parts(a, names, &mut lets, &mut flat));
        *e = build::call(first + k, flat, e.ty.clone(), o);
        if !safe {
            with_demands(e, &called[k].1, names, known_sizes(&known, o));
        }
        for (x, a) in lets.into_iter().rev() {
            *e = build::bind(x, a, take(e), o);
        }
    });
}

/// The parts of an argument, which is evaluated once.
fn parts(a: Expr, names: &mut Names, lets: &mut Vec<(VarId, Expr)>, flat: &mut Vec<Expr>) {
    let Type::Tuple(ts) = a.ty() else { return flat.push(a) };
    let (o, count, ty) = (a.origin, ts.len(), a.ty().clone());
    let of = match a.kind {
        Kind::Tuple(es) => return es.into_iter().for_each(|e| parts(e, names, lets, flat)),
        Kind::Var(_) => a,
        _ => {
            let x = names.fresh("argument");
            lets.push((x, a));
            build::var(x, ty, o)
        }
    };
    (0..count).for_each(|k| parts(build::proj(of.clone(), k, o), names, lets, flat));
}

/// The sizes of the kernel, as terms.
fn known_sizes(entry: &Set<Atom>, o: Origin) -> Map<Atom, Expr> {
    let term = |a: &Atom| match a {
        Atom::Var(v) => Some((a.clone(), build::var(*v, Type::USIZE, o))),
        _ => None,
    };
    entry.iter().filter_map(term).collect()
}

impl Infer<'_> {
    /// The sizes of the results of functions that do not depend on a call: none is negative, whatever the kernel does.
    pub(super) fn results_of_functions(&mut self) {
        for (p, s) in signatures(&self.kernel.interface.params) {
            for size in s.result.iter().flatten() {
                let fixed = size.atoms().into_iter().all(|a| matches!(a, Atom::Op(..)) || self.entry.contains(a));
                if fixed && self.bounded(size, Origin::default(), &format!("the result of `{}`", p.name)) {
                    self.require(Check::Size { size: size.clone() }, Origin::default());
                }
            }
        }
    }

    /// The sizes that a call of a function parameter may use without a check: those of the kernel.
    pub(super) fn own_sizes(&self) -> Map<Atom, Card> {
        self.entry.iter().map(|a| (a.clone(), Card::atom(a.clone()))).collect()
    }
}
