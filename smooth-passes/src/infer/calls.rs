//! S-App: functions run on the shapes of their arguments, kernels through their companions.

use super::Infer;
use super::value_shape::{ValueShape, of_type};
use crate::fsmooth::{Callee, Expr, Via};
use crate::mapped::Mapped;
use crate::shape::card::{Atom, Card};
use crate::shape::{Check, Dim, Shape};
use crate::sorted::Map;
use crate::span::Origin;
use crate::ty::Type;

impl Infer<'_> {
    /// S-App: the function's own shape function on the shapes of the arguments.
    pub(super) fn s_app(&mut self, f: &Expr, args: &[Expr], at: Origin) -> ValueShape {
        let f = self.shape(f);
        let shapes: Vec<ValueShape> = args.iter().mapped(|a| self.shape(a));
        match f {
            ValueShape::Fun(lam) => {
                for (((v, _), shp), a) in lam.0.iter().zip(shapes).zip(args) {
                    self.bind_let(*v, a, shp);
                }
                self.shape(&lam.1)
            }
            ValueShape::Host(callee) => {
                let shapes: Vec<ValueShape> = shapes.into_iter().flat_map(ValueShape::parts).collect();
                let flat: Vec<&Expr> = args.iter().flat_map(|a| std::iter::repeat_n(a, a.ty().leaf_count())).collect();
                self.call_shape(&callee, (&shapes, &flat), args, at)
            }
            _ => ValueShape::Scalar(None),
        }
    }

    /// A call of a kernel through its companion.
    pub(super) fn s_call(&mut self, k: usize, args: &[Expr], at: Origin) -> ValueShape {
        let kernel = self.kernel;
        if kernel.interface.callees[k].is_mark() {
            return self.shape(&args[0]);
        }
        let shapes: Vec<ValueShape> = args.iter().mapped(|a| self.shape(a));
        self.call_shape(&kernel.interface.callees[k], (&shapes, &args.iter().collect::<Vec<_>>()), args, at)
    }

    /// A call through a companion; `flat` are the terms that its arguments, which have these shapes, are or belong to.
    fn call_shape(
        &mut self,
        callee: &Callee,
        (shapes, flat): (&[ValueShape], &[&Expr]),
        args: &[Expr],
        at: Origin,
    ) -> ValueShape {
        let sizes = self.match_arguments(callee, shapes, flat);
        let subst = |a: &Atom| sizes.get(a).cloned().unwrap_or_else(|| Card::atom(a.clone()));
        let checks: Vec<Check> = callee.companion.checks.iter().mapped(|c| c.subst(&subst));
        self.note_call(args, &checks);
        checks.into_iter().for_each(|c| self.require(c, at));
        let values: Vec<ValueShape> =
            callee.companion.values.iter().mapped(|v| self.value_of(v, callee, &sizes, shapes));
        let shapes = callee.companion.result.iter().map(|s| s.iter().map(|c| c.subst(&subst)).collect::<Shape>());
        of_type(&callee.companion.result_type, &mut shapes.zip(values))
    }

    /// The shape of a leaf of a callee's result. A `usize` is tracked if all its atoms are, and otherwise has a bound
    /// if one can be derived.
    fn value_of(
        &mut self,
        v: &Option<Card>,
        callee: &Callee,
        sizes: &Map<Atom, Card>,
        args: &[ValueShape],
    ) -> ValueShape {
        let Some(c) = v else { return ValueShape::Scalar(None) };
        let value = |of: &Map<Atom, Card>| {
            let known = c.atoms().iter().all(|a| matches!(a, Atom::Op(..)) || of.contains_key(*a));
            known.then(|| c.subst(&|a| of.get(a).cloned().unwrap_or_else(|| Card::atom(a.clone()))))
        };
        if let Some(value) = value(sizes) {
            return ValueShape::number(Some(value));
        }
        let mut named = sizes.clone();
        for (k, (p, shp)) in callee.params.iter().zip(args).enumerate().filter(|(_, (p, _))| p.ty() == Type::USIZE) {
            named.entry(Atom::Var(p.var)).or_insert_with(|| self.as_if_named(k, shp));
        }
        value(&named).and_then(|most| self.facts.upper(&most)).map_or(ValueShape::Scalar(None), ValueShape::AtMost)
    }

    /// The value of each of a callee's entry atoms for these arguments. Reports arguments that do not fit the
    /// signature.
    pub fn match_arguments(&mut self, callee: &Callee, shapes: &[ValueShape], args: &[&Expr]) -> Map<Atom, Card> {
        let is_argument = matches!(callee.via, Via::Argument(_));
        let mut sizes = if is_argument { self.own_sizes() } else { Map::new() };
        for ((p, shp), a) in callee.params.iter().zip(shapes).zip(args) {
            if p.ty() != Type::USIZE {
                continue;
            }
            let in_sizes = callee.companion.sizes.contains(&p.var);
            match shp.card() {
                Some(c) => {
                    if in_sizes {
                        self.bounded(&c, a.origin(), "an array");
                    }
                    sizes.insert(Atom::Var(p.var), c);
                }
                None if in_sizes => self.unknown_size(a, shp, "an array"),
                None => {}
            }
        }
        for ((p, shp), a) in callee.params.iter().zip(shapes).zip(args) {
            for (axis, (d, extent)) in p.dims().iter().zip(shp.extents()).enumerate() {
                let wanted = match d {
                    Dim::Lit(n) => Some(Card::lit((*n).into())),
                    Dim::Size(v) | Dim::Param(v) => sizes.get(&Atom::Var(*v)).cloned(),
                    Dim::Anon => None,
                };
                match (wanted, d) {
                    (Some(want), _) => self.equal_argument((&extent, &want), d, (callee, p), a.origin()),
                    (None, Dim::Size(v)) => drop(sizes.insert(Atom::Var(*v), extent)),
                    (None, _) => drop(sizes.insert(Atom::Len(p.var, axis as u32), extent)),
                }
            }
        }
        sizes
    }
}
