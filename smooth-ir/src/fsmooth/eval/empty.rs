//! The inner extents of arrays without elements.

use super::{Bound, Eval};
use crate::fsmooth::{Build, Demand, Expr, IFold, Kind, Reduce, Update};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::ty::Type;
use crate::value::{Array, Lit, Value};

impl Eval<'_, '_> {
    /// For each leaf of an element, the inner extents of an array without elements: those that an element would have,
    /// or 0 if these depend on an element.
    pub(super) fn empty_dims(&mut self, body: &Expr, i: VarId) -> Vec<Vec<usize>> {
        let leaves = body.ty.leaves();
        if leaves.iter().all(|t| t.rank() == 0) {
            return vec![vec![]; leaves.len()];
        }
        self.set(i, Value::Scalar(Lit::usize(0)));
        // The program does not evaluate it, so it is not counted as work.
        let work = self.work;
        let dims = match &body.ty {
            Type::Tuple(_) => self.stand_in(body).map(|v| v.leaves().iter().mapped(extents)),
            _ => self.shape_only(body).map(|dims| vec![dims]),
        };
        self.work = work;
        dims.unwrap_or_else(|| leaves.iter().mapped(|t| vec![0; t.rank()]))
    }

    fn shape_only(&mut self, e: &Expr) -> Option<Vec<usize>> {
        match &e.kind {
            Kind::Let(x, a, b) => {
                self.stand_in_for(*x, a)?;
                self.shape_only(b)
            }
            Kind::Call(..) | Kind::Proj(..) => match self.stand_in(e)? {
                Value::Array(a) => Some(a.dims),
                _ => None,
            },
            Kind::If(_, a, _) | Kind::Demand(Demand { then: a, .. }) => self.shape_only(a),
            Kind::Build(Build { count: n, index: i, body }) => {
                let mut dims = vec![self.usize(n).ok()?];
                dims.push_all(self.empty_dims(body, *i).concat());
                Some(dims)
            }
            Kind::IFold(IFold { init: a, .. }) | Kind::Update(Update { array: a, .. }) => self.shape_only(a),
            Kind::Get(a, _) => Some(self.shape_only(a)?[1..].to_vec()),
            Kind::Slice(a, s, t) => {
                let mut dims = self.shape_only(a)?;
                dims[0] = self.usize(t).ok()?.checked_sub(self.usize(s).ok()?)?;
                Some(dims)
            }
            Kind::Array(es) => {
                let mut dims = vec![es.len()];
                if e.ty.rank() > 1 {
                    dims.push_all(self.shape_only(&es[0])?);
                }
                Some(dims)
            }
            _ => match self.expr(e) {
                Ok(Value::Array(a)) => Some(a.dims),
                _ => None,
            },
        }
    }

    /// Binds `x` to `a`, or to a value of its shape.
    fn stand_in_for(&mut self, x: VarId, a: &Expr) -> Option<()> {
        let bound = match self.function(a) {
            Ok(bound) => bound,
            Err(_) => Bound::Value(self.stand_in(a)?),
        };
        self.env.insert(x, bound);
        Some(())
    }

    /// The value of a term, or a value of its shape if it would need an element that does not exist.
    fn stand_in(&mut self, e: &Expr) -> Option<Value> {
        if let Ok(v) = self.expr(e) {
            return Some(v);
        }
        match (&e.ty, &e.kind) {
            (_, Kind::Call(k, args)) => {
                let args = args.iter().map(|a| self.stand_in(a)).all_some()?;
                self.world.call(&self.k.interface.callees[*k], &args).ok()
            }
            (_, Kind::Proj(t, k)) => match self.stand_in(t)? {
                Value::Tuple(mut vs) => Some(vs.swap_remove(*k)),
                _ => None,
            },
            (Type::Scalar(s), _) => Some(Value::Scalar(Lit::zero(*s))),
            (Type::Array(elem, _), _) => {
                let dims = self.shape_only(e)?;
                let data = vec![Lit::zero(*elem); dims.iter().product()];
                Some(Value::Array(Array { elem: *elem, dims, data }))
            }
            (_, Kind::Let(x, a, b)) => {
                self.stand_in_for(*x, a)?;
                self.stand_in(b)
            }
            (_, Kind::If(_, a, _) | Kind::IFold(IFold { init: a, .. }) | Kind::Update(Update { array: a, .. })) => {
                self.stand_in(a)
            }
            (_, Kind::Demand(Demand { then, .. })) => self.stand_in(then),
            (Type::Tuple(_), Kind::Build(Build { count, index, body })) => {
                let n = self.usize(count).ok()?;
                let inner = self.empty_dims(body, *index);
                let element = self.stand_in(body).filter(|_| n > 0);
                Some(Value::array_of(&e.ty, element.into_iter().cycle().take(n).collect_vec(), &|leaf| {
                    inner[leaf].clone()
                }))
            }
            (Type::Tuple(_), Kind::Get(a, _)) => Some(first(&self.stand_in(a)?)),
            // Several totals: those of a term.
            (Type::Tuple(_), Kind::Reduce(Reduce { index, body, .. })) => {
                self.set(*index, Value::Scalar(Lit::usize(0)));
                self.stand_in(body)
            }
            (_, Kind::Tuple(es)) => es.iter().map(|e| self.stand_in(e)).all_some().map(Value::Tuple),
            _ => None,
        }
    }
}

fn extents(v: &Value) -> Vec<usize> {
    match v {
        Value::Array(a) => a.dims.clone(),
        _ => vec![],
    }
}

/// A value of the shape of the elements of an array, or of a tuple of arrays.
fn first(v: &Value) -> Value {
    match v {
        Value::Tuple(vs) => Value::Tuple(vs.iter().mapped(first)),
        Value::Array(a) if a.dims.len() == 1 => Value::Scalar(Lit::zero(a.elem)),
        Value::Array(a) => {
            let dims = a.dims[1..].to_vec();
            let data = vec![Lit::zero(a.elem); dims.iter().product()];
            Value::Array(Array { elem: a.elem, dims, data })
        }
        Value::Scalar(l) => Value::Scalar(*l),
    }
}
