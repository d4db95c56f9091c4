//! The meaning of F̃: slow and obvious.

mod empty;
mod reduce;
mod update;

use super::{Build, Callee, Const, Demand, Expr, IFold, Kernel, Kind, Required, Update, Via};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::Prim;
use crate::shape::{Dim, ParamKind, values};
use crate::sorted::Map;
use crate::ty::Type;
use crate::value::{Lit, Value};
use std::rc::Rc;

/// A function from outside: an argument of a higher-order kernel.
pub type HostFn<'h> = Rc<dyn Fn(&[Value]) -> Result<Value, String> + 'h>;

/// An argument of a kernel.
#[derive(Clone)]
pub enum Arg<'h> {
    /// A value.
    Value(Value),
    /// A function.
    Fn(HostFn<'h>),
}

impl From<Value> for Arg<'_> {
    fn from(v: Value) -> Self {
        Arg::Value(v)
    }
}

/// The outside of a kernel: called kernels and constants.
pub trait World {
    /// Calls a kernel that was not inlined.
    fn call(&self, callee: &Callee, args: &[Value]) -> Result<Value, String>;
    /// The value of a user's constant.
    fn constant(&self, c: &Const) -> Lit;
    /// Applies a function parameter by its name, for runs whose arguments are values only.
    fn apply(&self, function: &str, _: &[Value]) -> Result<Value, String> {
        Err(format!("the function `{function}` is not in this world"))
    }
    /// Calls a callee, whether it is a kernel or a function parameter.
    fn answer(&self, callee: &Callee, args: &[Value]) -> Result<Value, String> {
        match (callee.via.clone(), callee.name.as_str()) {
            (Via::Argument(_), name) => self.apply(name, args),
            // The text that it prints is ignored.
            (_, Callee::DBG) => Ok(args[0].clone()),
            (_, Callee::ASSERT) => Err("an assertion failed".into()),
            _ => self.call(callee, args),
        }
    }
    /// Observes every scalar operation, for those who count.
    fn operation(&self, _: Prim, _: &[Lit]) {}
}

/// A world without kernels and constants.
#[derive(Debug)]
pub struct Empty;

impl World for Empty {
    fn call(&self, callee: &Callee, _: &[Value]) -> Result<Value, String> {
        Err(format!("`{}` is not in this world", callee.name))
    }
    fn constant(&self, c: &Const) -> Lit {
        panic!("`{}` is not in this world", c.name)
    }
}

/// Runs a kernel. `Err` is Rust's panic: an index out of range, an integer overflow.
pub fn run(k: &Kernel, args: &[Arg<'_>], world: &dyn World) -> Result<Value, String> {
    run_counted(k, args, world).map(|(value, _)| value)
}

/// [`run`], and its work: [`Prim::cost`](crate::prim::Prim::cost) for each scalar operation, 1 for each scalar loaded,
/// each condition, each iteration of a loop and each scalar stored in an array. Names for parts of arrays are free. So
/// are called kernels, whose work is counted by themselves.
pub fn run_counted(k: &Kernel, args: &[Arg<'_>], world: &dyn World) -> Result<(Value, u64), String> {
    let mut e = Eval { k, world, env: Map::new(), work: 0 };
    e.enter(args)?;
    let value = e.expr(&k.body)?;
    Ok((value, e.work))
}

/// The number of scalars that are stored when a term becomes an element of an array: all of them if the term names an
/// array. The elements of a new array are counted when they are computed.
fn stored(e: &Expr, v: &Value) -> u64 {
    match (e.kind(), v) {
        (_, Value::Scalar(_)) => 1,
        (Kind::Let(_, _, b) | Kind::If(_, b, _) | Kind::Demand(Demand { then: b, .. }), v) => stored(b, v),
        (Kind::Var(_) | Kind::Get(..) | Kind::Slice(..) | Kind::Proj(..), Value::Array(a)) => a.data.len() as u64,
        (Kind::Tuple(es), Value::Tuple(vs)) => es.iter().zip(vs).map(|(e, v)| stored(e, v)).sum(),
        (Kind::Var(_) | Kind::Get(..) | Kind::Proj(..), Value::Tuple(vs)) => vs.iter().map(|v| stored(e, v)).sum(),
        _ => 0,
    }
}

#[derive(Clone)]
enum Bound<'h> {
    Value(Value),
    Closure(Vec<VarId>, Rc<Expr>),
    Host(HostFn<'h>),
}

struct Eval<'k, 'h> {
    k: &'k Kernel,
    world: &'k dyn World,
    env: Map<VarId, Bound<'h>>,
    work: u64,
}

impl<'h> Eval<'_, 'h> {
    fn enter(&mut self, args: &[Arg<'h>]) -> Result<(), String> {
        for (p, a) in self.k.interface.params.iter().zip(args) {
            let bound = match a {
                Arg::Value(v) => Bound::Value(v.clone()),
                Arg::Fn(f) => Bound::Host(f.clone()),
            };
            if let (ParamKind::Array(_, dims), Arg::Value(v)) = (&p.kind, a) {
                for (d, n) in dims.iter().zip(&v.array().dims) {
                    if let Dim::Size(s) = d {
                        let size = Value::Scalar(Lit::usize(*n as u64));
                        match self.env.get(s) {
                            Some(Bound::Value(old)) if *old != size => {
                                return Err(format!("{}: argument {} has another size", self.k.interface.name, p.name));
                            }
                            _ => drop(self.env.insert(*s, Bound::Value(size))),
                        }
                    }
                }
            }
            self.env.insert(p.var, bound);
        }
        for (q, p) in values(&self.k.interface.params) {
            if let (None, Some(Bound::Value(n))) = (self.env.get(&q), self.env.get(&p)) {
                let n = n.scalar().as_int().unwrap_or(0) as u64;
                self.env.insert(q, Bound::Value(Value::Scalar(Lit::usize(n))));
            }
        }
        Ok(())
    }

    fn set(&mut self, v: VarId, value: Value) {
        self.env.insert(v, Bound::Value(value));
    }

    fn variable(&self, v: VarId) -> Result<Value, String> {
        match self.env.get(&v) {
            Some(Bound::Value(value)) => Ok(value.clone()),
            _ => Err(format!("{} has no value", self.k.names.unique(v))),
        }
    }

    fn usize(&mut self, e: &Expr) -> Result<usize, String> {
        Ok(self.expr(e)?.usize())
    }

    fn expr(&mut self, e: &Expr) -> Result<Value, String> {
        match &e.kind {
            Kind::Var(v) => self.variable(*v),
            Kind::Lit(l) => Ok(Value::Scalar(*l)),
            Kind::Const(k) => Ok(Value::Scalar(self.world.constant(&self.k.interface.consts[*k]))),
            Kind::Prim(p, args) => {
                self.work += u64::from(p.cost());
                let first = self.expr(&args[0])?.scalar();
                match (p, first) {
                    (Prim::And, Lit::Bool(false)) | (Prim::Or, Lit::Bool(true)) => return Ok(Value::Scalar(first)),
                    _ => {}
                }
                let mut values = vec![first];
                for a in &args[1..] {
                    values.push(self.expr(a)?.scalar());
                }
                self.world.operation(*p, &values);
                p.eval(&values).map(Value::Scalar).map_err(String::from)
            }
            Kind::Let(x, a, b) => {
                let bound = self.function(a)?;
                self.env.insert(*x, bound);
                self.expr(b)
            }
            Kind::If(c, a, b) => {
                self.work += 1;
                if self.expr(c)?.scalar() == Lit::Bool(true) { self.expr(a) } else { self.expr(b) }
            }
            Kind::Lam(..) => Err("a function as a value".into()),
            Kind::App(f, args) => {
                let f = self.function(f)?;
                let bounds: Vec<Bound<'h>> = args.iter().map(|a| self.function(a)).all_ok()?;
                self.apply(f, bounds)
            }
            Kind::Build(Build { count: n, index: i, body }) => {
                let n = self.usize(n)?;
                let mut elements = Vec::new();
                for k in 0..n {
                    self.set(*i, Value::Scalar(Lit::usize(k as u64)));
                    let element = self.expr(body)?;
                    self.work += 1 + stored(body, &element);
                    elements.push(element);
                }
                let inner = if n == 0 { self.empty_dims(body, *i) } else { vec![] };
                Ok(Value::array_of(&e.ty, elements, &|leaf| inner.get(leaf).cloned().unwrap_or_default()))
            }
            Kind::IFold(IFold { count, init, state, index, test, body }) => {
                let n = self.usize(count)?;
                let mut s = self.expr(init)?;
                for k in 0..n {
                    self.work += 1;
                    self.set(*state, s);
                    self.set(*index, Value::Scalar(Lit::usize(k as u64)));
                    if let Some(test) = test
                        && self.expr(test)?.scalar() != Lit::Bool(true)
                    {
                        return self.variable(*state);
                    }
                    s = self.expr(body)?;
                }
                Ok(s)
            }
            Kind::Update(Update { array, indices, op, value }) => self.update(array, indices, *op, value),
            Kind::Reduce(r) => self.reduce(r, &e.ty),
            Kind::Get(a, i) => {
                let a = self.expr(a)?;
                let i = self.usize(i)?;
                self.work += e.ty.leaves().iter().filter(|t| t.scalar().is_some()).count() as u64;
                a.get(i).ok_or_else(|| format!("index out of bounds: the len is {} but the index is {i}", a.dims()[0]))
            }
            Kind::Len(a, axis) => Ok(Value::Scalar(Lit::usize(self.expr(a)?.dims()[*axis] as u64))),
            Kind::Slice(a, s, t) => {
                let a = self.expr(a)?;
                let (s, t) = (self.usize(s)?, self.usize(t)?);
                a.slice(s, t).ok_or_else(|| format!("slice {s}..{t} of length {}", a.dims()[0]))
            }
            Kind::Demand(Demand { what, then }) => {
                match what {
                    Required::InOrder(ends) => {
                        let [s, t, n] = &**ends;
                        let (s, t, n) = (self.usize(s)?, self.usize(t)?, self.usize(n)?);
                        if s > t || t > n {
                            return Err(format!("slice {s}..{t} of length {n}"));
                        }
                    }
                    Required::Holds(parts) => {
                        let [condition, failure] = &**parts;
                        self.work += 1;
                        if self.expr(condition)?.scalar() != Lit::Bool(true) {
                            self.expr(failure)?;
                            return Err("an assertion that does not hold".into());
                        }
                    }
                    Required::Evaluated(e) => drop(self.expr(e)?),
                }
                self.expr(then)
            }
            Kind::Array(es) => {
                let values = es.iter().map(|e| self.expr(e)).all_ok()?;
                self.work += es.iter().zip(&values).map(|(e, v)| stored(e, v)).sum::<u64>();
                let Type::Array(elem, _) = &e.ty else { return Err("an array literal that is not an array".into()) };
                Ok(Value::collect(*elem, values, &[]))
            }
            Kind::Tuple(es) => Ok(Value::Tuple(es.iter().map(|e| self.expr(e)).all_ok()?)),
            Kind::Proj(e, k) => match self.expr(e)? {
                Value::Tuple(mut vs) => Ok(vs.swap_remove(*k)),
                _ => Err("a projection of no tuple".into()),
            },
            Kind::Call(k, args) if self.k.interface.callees[*k].is_mark() => self.expr(&args[0]),
            Kind::Call(k, args) => {
                let args = args.iter().map(|a| self.expr(a)).all_ok()?;
                self.world.answer(&self.k.interface.callees[*k], &args)
            }
        }
    }

    /// Evaluates to a function or a value.
    fn function(&mut self, e: &Expr) -> Result<Bound<'h>, String> {
        match &e.kind {
            Kind::Lam(ps, body) => {
                // The environment only grows, and binders are unique, so the body may be run later.
                let body = self.close(ps, body);
                Ok(body)
            }
            Kind::Var(v) if e.ty.is_fn() => self.env.get(v).cloned().ok_or_else(|| "an unbound function".into()),
            _ => self.expr(e).map(Bound::Value),
        }
    }

    fn close(&self, ps: &[(VarId, Type)], body: &Expr) -> Bound<'h> {
        Bound::Closure(ps.iter().mapped(|(v, _)| *v), Rc::new(body.clone()))
    }

    fn apply(&mut self, f: Bound<'h>, args: Vec<Bound<'h>>) -> Result<Value, String> {
        match f {
            Bound::Closure(ps, body) => {
                for (p, a) in ps.into_iter().zip(args) {
                    self.env.insert(p, a);
                }
                self.expr(&body)
            }
            Bound::Host(f) => {
                let values: Vec<Value> = args
                    .into_iter()
                    .map(|a| match a {
                        Bound::Value(v) => Ok(v),
                        _ => Err("a function passed to a function from outside".to_string()),
                    })
                    .all_ok()?;
                f(&values)
            }
            Bound::Value(_) => Err("a call of a value".into()),
        }
    }
}
