//! A-normal form of what is active: each operation has operands that are names, and a name of its own.
//!
//! ```text
//! N⟦op ē⟧ = let x̄ = N⟦ē⟧ in op x̄          N⟦let x = (let y = a in b) in e⟧ = N⟦let y = a in let x = b in e⟧
//! ```
//!
//! The bodies of loops and both sides of an `if` are scopes of their own. What is not active is whole, with a name.

use super::activity::Activity;
use super::forward::{is_name, with_name};
use super::statements::{Before, before};
use crate::fsmooth::{Build, Callee, Demand, Expr, IFold, Kind, Reduce, Update, build, take};
use crate::mapped::{Mapped, PushAll};
use crate::name::{Names, VarId};
use crate::prim::Prim;

/// The normal form of a body.
pub(super) fn normal(body: Expr, activity: &Activity, callees: &[Callee], names: &mut Names) -> Expr {
    Normal { names, callees, activity }.scope(body)
}

struct Normal<'k> {
    names: &'k mut Names,
    callees: &'k [Callee],
    activity: &'k Activity,
}

impl Normal<'_> {
    fn is_active(&self, e: &Expr) -> bool {
        e.ty.leaf_scalars().iter().any(|s| s.is_float()) && self.mentions_active(e)
    }

    fn mentions_active(&self, e: &Expr) -> bool {
        match &e.kind {
            Kind::Var(v) => self.activity.is_active(*v),
            _ => e.any_child(&mut |c| self.mentions_active(c)),
        }
    }

    /// A term with a name for its value behind those of its parts.
    fn scope(&mut self, e: Expr) -> Expr {
        let mut lets = Vec::new();
        let value = self.name(e, "value", &mut lets);
        before(lets, value)
    }

    /// A name for a term, or a tuple of names.
    fn name(&mut self, mut e: Expr, name: &str, lets: &mut Vec<Before>) -> Expr {
        if is_name(&e) {
            return e;
        }
        if !self.is_active(&e) {
            return named(e, name, self.names, lets);
        }
        let o = e.origin;
        match &mut e.kind {
            Kind::Let(x, value, body) => {
                self.bind(*x, take(value), lets);
                self.name(take(body), name, lets)
            }
            Kind::Tuple(es) => build::tuple(es.iter_mut().mapped(|e| self.name(take(e), name, lets)), o),
            Kind::Proj(a, k) => {
                let mut a = self.name(take(a), name, lets);
                match &mut a.kind {
                    Kind::Tuple(es) => es.swap_remove(*k),
                    _ => build::proj(a, *k, o),
                }
            }
            Kind::Demand(Demand { what, then }) => {
                lets.push(Before::Check(what.clone(), o));
                self.name(take(then), name, lets)
            }
            _ => {
                let op = self.operation(e, lets);
                named(op, name, self.names, lets)
            }
        }
    }

    /// `let x = value`.
    fn bind(&mut self, x: VarId, value: Expr, lets: &mut Vec<Before>) {
        let value = match &value.kind {
            _ if !self.is_active(&value) => value,
            Kind::Let(..) | Kind::Tuple(_) | Kind::Proj(..) | Kind::Demand(_) | Kind::Var(_) => {
                let name = self.names.name(x).to_string();
                self.name(value, &name, lets)
            }
            _ => self.operation(value, lets),
        };
        lets.push(Before::Let(x, value));
    }

    /// An active operation on names.
    fn operation(&mut self, mut e: Expr, lets: &mut Vec<Before>) -> Expr {
        let o = e.origin;
        let mut operand = |own: &mut Normal<'_>, e: &mut Expr, name: &str| {
            let value = take(e);
            *e = own.name(value, name, lets);
        };
        match &mut e.kind {
            Kind::Prim(_, es) | Kind::Array(es) => es.iter_mut().for_each(|e| operand(self, e, "x")),
            Kind::Get(a, i) => {
                operand(self, a, "array");
                operand(self, i, "i");
            }
            Kind::Slice(a, s, t) => {
                operand(self, a, "array");
                operand(self, s, "start");
                operand(self, t, "end");
            }
            Kind::Build(Build { count, body, .. }) => {
                operand(self, count, "count");
                self.inside(body);
            }
            Kind::Reduce(Reduce { count, body, .. }) => {
                operand(self, count, "count");
                self.inside(body);
            }
            Kind::IFold(IFold { count, init, body, .. }) => {
                operand(self, count, "count");
                operand(self, init, "start");
                self.inside(body);
            }
            Kind::If(c, a, b) => {
                operand(self, c, "condition");
                self.inside(a);
                self.inside(b);
            }
            Kind::Update(u) => {
                operand(self, &mut u.array, "array");
                u.indices.iter_mut().for_each(|i| operand(self, i, "i"));
                if let Some(p) = u.op.filter(|p| !matches!(p, Prim::Add | Prim::Sub)) {
                    // `a with [ī] ⊕= v` is `a with [ī] = a[ī] ⊕ v`.
                    let Update { array, indices, value, .. } = u;
                    // The array may have a name that is new, of which nobody knows whether it is active.
                    let mut old = (**array).clone();
                    for i in indices {
                        old = named(build::get(old, i.clone(), o), "x", self.names, lets);
                    }
                    let right = self.name(take(value), "x", lets);
                    **value = named(build::prim(p, vec![old, right], o), "value", self.names, lets);
                    u.op = None;
                } else {
                    operand(self, &mut u.value, "value");
                }
            }
            Kind::Call(k, es) if self.callees[*k].is_mark() => {
                // Behind the value and the rules, what they are derivatives in.
                es.iter_mut().skip(3).for_each(|e| operand(self, e, "x"));
            }
            Kind::Call(k, es) if self.callees[*k].name == Callee::DBG => {
                es.iter_mut().for_each(|e| operand(self, e, "x"));
            }
            _ => {}
        }
        e
    }

    fn inside(&mut self, e: &mut Expr) {
        let value = take(e);
        *e = self.scope(value);
    }
}

/// A name for a term that has none.
fn named(e: Expr, name: &str, names: &mut Names, lets: &mut Vec<Before>) -> Expr {
    let mut own = Vec::new();
    let e = with_name(e, name, names, &mut own);
    lets.push_all(own.into_iter().map(|(x, e)| Before::Let(x, e)));
    e
}
