//! The checker of F̃ (Fig. 2): scopes, unique binders, types recomputed.

use super::{Build, Combine, Demand, Expr, IFold, Kernel, Kind, Order, Reduce, Required, Update};
use crate::mapped::{Both, Mapped};
use crate::name::VarId;
use crate::sorted::{Map, Set};
use crate::ty::{Scalar, Type};

/// Checks a kernel that a pass made. An error is always a bug of the compiler.
pub fn check(k: &Kernel) -> Result<(), String> {
    let mut types: Map<VarId, Type> = k.interface.params.iter().map(|p| (p.var, p.ty())).collect();
    types.extend(k.sizes().into_iter().map(|(v, ..)| (v, Type::USIZE)));
    let mut c = Checker { k, types, bound: Set::new() };
    c.expr(&k.body).map(drop).map_err(|e| format!("{}: {e}", k.interface.name))
}

struct Checker<'k> {
    k: &'k Kernel,
    types: Map<VarId, Type>,
    bound: Set<VarId>,
}

fn same(what: &str, a: &Type, b: &Type) -> Result<(), String> {
    if a == b { Ok(()) } else { Err(format!("{what}: {a} and {b}")) }
}

impl Checker<'_> {
    fn bind(&mut self, v: VarId, t: &Type) -> Result<(), String> {
        if !self.bound.insert(v) || self.types.insert(v, t.clone()).is_some() {
            return Err(format!("{} is bound twice", self.k.names.unique(v)));
        }
        Ok(())
    }

    fn scoped(&mut self, vs: &[(VarId, Type)], body: &Expr) -> Result<Type, String> {
        for (v, t) in vs {
            self.bind(*v, t)?;
        }
        let t = self.expr(body)?;
        for (v, _) in vs {
            self.types.remove(v);
        }
        Ok(t)
    }

    fn usize(&mut self, e: &Expr) -> Result<(), String> {
        let t = self.expr(e)?;
        same("a count or index", &t, &Type::USIZE)
    }

    fn expr(&mut self, e: &Expr) -> Result<Type, String> {
        let t = self.kind(e)?;
        same("the recorded and the real type", &e.ty, &t)?;
        Ok(t)
    }

    fn kind(&mut self, e: &Expr) -> Result<Type, String> {
        match &e.kind {
            Kind::Var(v) => {
                self.types.get(v).cloned().ok_or_else(|| format!("{} is not in scope", self.k.names.unique(*v)))
            }
            Kind::Lit(l) => Ok(Type::Scalar(l.scalar())),
            Kind::Const(k) => {
                self.k.interface.consts.get(*k).map(|c| c.ty.clone()).ok_or_else(|| "no such constant".into())
            }
            Kind::Prim(p, args) => {
                let scalars: Result<Vec<Scalar>, String> = args
                    .iter()
                    .map(|a| self.expr(a)?.scalar().ok_or_else(|| format!("`{}` of an array", p.name())))
                    .collect();
                let scalars = scalars?;
                if scalars.len() != p.arity() {
                    return Err(format!("`{}` of {} arguments", p.name(), scalars.len()));
                }
                p.result(&scalars).map(Type::Scalar).map_err(|want| format!("`{}` wants {want}", p.name()))
            }
            Kind::Let(x, a, b) => {
                let t = self.expr(a)?;
                self.scoped(&[(*x, t)], b)
            }
            Kind::If(c, a, b) => {
                let t = self.expr(c)?;
                same("a condition", &t, &Type::BOOL)?;
                let (a, b) = (self.expr(a)?, self.expr(b)?);
                same("branches", &a, &b)?;
                Ok(a)
            }
            Kind::Lam(ps, body) => {
                let r = self.scoped(ps, body)?;
                if r.is_fn() {
                    return Err("a function that returns a function".into());
                }
                Ok(Type::Fn(ps.iter().mapped(|(_, t)| t.clone()), Box::new(r)))
            }
            Kind::App(f, args) => match self.expr(f)? {
                Type::Fn(ps, r) if ps.len() == args.len() => {
                    for (p, a) in ps.iter().zip(args) {
                        let t = self.expr(a)?;
                        same("an argument", &t, p)?;
                    }
                    Ok(*r)
                }
                t => Err(format!("a call of {t} with {} arguments", args.len())),
            },
            Kind::Build(Build { count: n, index: i, body }) => {
                self.usize(n)?;
                let t = self.scoped(&[(*i, Type::USIZE)], body)?;
                Type::array_of(&t).ok_or_else(|| format!("an array of {t}"))
            }
            Kind::IFold(IFold { count, init, state, index, test, body }) => {
                self.usize(count)?;
                let t = self.expr(init)?;
                let binders = [(*state, t.clone()), (*index, Type::USIZE)];
                if let Some(test) = test {
                    let goes_on = self.scoped(&binders, test)?;
                    same("the test of a fold", &goes_on, &Type::BOOL)?;
                    self.bound.retain(|v| binders.iter().all(|(w, _)| v != w));
                }
                let next = self.scoped(&binders, body)?;
                same("the state of a fold", &t, &next)?;
                Ok(t)
            }
            Kind::Reduce(Reduce { count, index, body, with: Combine::Function(with), order }) => {
                self.usize(count)?;
                if *order != Order::Lanes {
                    return Err("a function that combines in source order is a fold".into());
                }
                let t = self.expr(&with.init)?;
                let combined = self.scoped(&[(with.left, t.clone()), (with.right, t.clone())], &with.body)?;
                same("what combines two values", &t, &combined)?;
                let term = self.scoped(&[(*index, Type::USIZE)], body)?;
                same("a term of a reduction", &t, &term)?;
                let flat = t.leaves().iter().all(|t| t.scalar().is_some());
                if flat { Ok(t) } else { Err(format!("a reduction of {t}")) }
            }
            Kind::Reduce(Reduce { count, index, body, with: Combine::Named(_), .. }) => {
                self.usize(count)?;
                let t = self.scoped(&[(*index, Type::USIZE)], body)?;
                match &t {
                    Type::Tuple(ts) if !ts.is_empty() => {
                        number(&ts[0])?;
                        ts.iter().try_for_each(|t| same("a term of a sum", &ts[0], t))?;
                    }
                    t => number(t)?,
                }
                Ok(t)
            }
            Kind::Update(Update { array, indices, op, value }) => {
                let t = self.expr(array)?;
                let mut place = t.clone();
                for i in indices {
                    self.usize(i)?;
                    place = place.element().ok_or_else(|| format!("an update of an element of {place}"))?;
                }
                let written = self.expr(value)?;
                match op {
                    None => same("an update", &place, &written)?,
                    Some(p) => {
                        let scalars = [&place, &written].both(Type::scalar);
                        let [Some(a), Some(b)] = scalars else { return Err("an accumulation of arrays".into()) };
                        let result = p.result(&[a, b]).map_err(|want| format!("`{}` wants {want}", p.name()))?;
                        same("an accumulation", &place, &Type::Scalar(result))?;
                    }
                }
                if indices.is_empty() { Err("an update without a place".into()) } else { Ok(t) }
            }
            Kind::Get(a, i) => {
                let t = self.expr(a)?;
                self.usize(i)?;
                t.element().ok_or_else(|| format!("an element of {t}"))
            }
            Kind::Len(a, axis) => {
                let t = self.expr(a)?;
                if *axis < t.depth() { Ok(Type::USIZE) } else { Err(format!("axis {axis} of {t}")) }
            }
            Kind::Slice(a, s, t) => {
                let ty = self.expr(a)?;
                self.usize(s)?;
                self.usize(t)?;
                if ty.element().is_some() { Ok(ty) } else { Err(format!("a slice of {ty}")) }
            }
            Kind::Demand(Demand { what, then }) => {
                match what {
                    Required::InOrder(ends) => ends.iter().try_for_each(|e| self.usize(e))?,
                    Required::Holds(parts) => {
                        let [condition, failure] = &**parts;
                        same("an assertion", &Type::BOOL, &self.expr(condition)?)?;
                        self.usize(failure)?;
                    }
                    Required::Evaluated(e) => drop(self.expr(e)?),
                }
                self.expr(then)
            }
            Kind::Array(es) => {
                let first = self.expr(es.first().ok_or("an empty array literal")?)?;
                for e in &es[1..] {
                    let t = self.expr(e)?;
                    same("elements", &first, &t)?;
                }
                Type::array_of(&first).ok_or_else(|| format!("an array of {first}"))
            }
            Kind::Tuple(es) => Ok(Type::Tuple(es.iter().map(|e| self.expr(e)).all_ok()?)),
            Kind::Proj(e, k) => match self.expr(e)? {
                Type::Tuple(ts) if *k < ts.len() => Ok(ts[*k].clone()),
                t => Err(format!("component {k} of {t}")),
            },
            Kind::Call(k, args) => {
                let callee = self.k.interface.callees.get(*k).ok_or("no such callee")?;
                if callee.is_mark() {
                    let types = args.iter().map(|a| self.expr(a)).all_ok()?;
                    return types.into_iter().next().ok_or_else(|| "a mark on nothing".into());
                }
                if callee.params.len() != args.len() {
                    return Err(format!("a call of `{}` with {} arguments", callee.name, args.len()));
                }
                for (p, a) in callee.params.iter().zip(args) {
                    let t = self.expr(a)?;
                    same("an argument", &t, &p.ty())?;
                }
                Ok(callee.companion.result_type.clone())
            }
        }
    }
}

fn number(t: &Type) -> Result<(), String> {
    match t.scalar() {
        Some(s) if s.is_number() => Ok(()),
        _ => Err(format!("a sum of {t}")),
    }
}
