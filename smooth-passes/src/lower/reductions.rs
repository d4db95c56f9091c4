//! D⟦reduction⟧: the terms and the function that combines them are numbers, so only the results have destinations.

use super::{Lower, Part};
use crate::dps::{self, Dest, Fill, Term};
use crate::fsmooth::{Combine, Combiner, Expr, Reduce, Slot};
use crate::mapped::{Both, Mapped};
use crate::name::VarId;
use crate::ty::Type;

impl Lower<'_> {
    /// The value of a reduction of numbers.
    pub(super) fn reduce(&mut self, e: &Expr, r: &Reduce) -> Term {
        let elem = self.scalar_type(e);
        let Reduce { count, index, body, with, order } = r;
        match with {
            Combine::Named(with) => {
                let (count, body) = self.terms(*index, count, |cx| cx.scalar(body));
                Term::Reduce(dps::Reduce {
                    count,
                    index: *index,
                    elem,
                    body,
                    with: *with,
                    order: *order,
                    origin: e.origin(),
                })
            }
            Combine::Function(f) => {
                let total = self.names.fresh("total");
                let write = Box::new(self.combine(e, r, f, &[Dest::Cell(total)]));
                Term::Fill(Fill { cells: vec![(total, elem)], arrays: vec![], write, body: Box::new(Term::Var(total)) })
            }
        }
    }

    /// Writes the components of a reduction.
    pub(super) fn reduces(&mut self, e: &Expr, r: &Reduce, dests: &[Dest]) -> Term {
        let Reduce { count, index, body, with, order } = r;
        match with {
            Combine::Named(with) => {
                let terms = self.fresh_cells("term", dests.len());
                let (count, body) = self.terms(*index, count, |cx| cx.write(body, &cells(&terms)));
                let elem = e.ty().leaves().first().unwrap_or(e.ty()).expect_scalar();
                let (index, with, order, dests, origin) = (*index, *with, *order, dests.to_vec(), e.origin());
                Term::Reduces(dps::Reduces { count, index, elem, terms, body, dests, with, order, origin })
            }
            Combine::Function(f) => self.combine(e, r, f, dests),
        }
    }

    fn combine(&mut self, e: &Expr, r: &Reduce, f: &Combiner, dests: &[Dest]) -> Term {
        let Combiner { init, left, right, body: combined } = f;
        let width = dests.len();
        let [next, terms] = ["next", "term"].both(|name| self.fresh_cells(name, width));
        let start = self.infer.shape(init);
        let init = Box::new(self.write(init, &cells(&next)));
        let mut operand = |v: VarId| {
            let parts = match e.ty() {
                Type::Scalar(_) => vec![v],
                _ => (0..width).mapped(|_| self.names.again(v)),
            };
            parts.iter().enumerate().for_each(|(k, part)| self.infer.name_part(v, k, *part));
            self.infer.bind_state(v, e.ty(), &start);
            if matches!(e.ty(), Type::Tuple(_)) {
                self.parts.insert(v, parts.iter().mapped(|p| Part::Scalar(*p)));
            }
            parts
        };
        let (left, right) = (operand(*left), operand(*right));
        let combine = Box::new(self.part(e, Slot::Then, |cx| cx.write(combined, &cells(&next))));
        let (count, body) = self.terms(r.index, &r.count, |cx| cx.write(&r.body, &cells(&terms)));
        let elems = e.ty().leaves().iter().mapped(Type::expect_scalar);
        let (index, dests) = (r.index, dests.to_vec());
        Term::Combine(dps::Combine { count, index, elems, terms, body, left, right, next, combine, init, dests })
    }

    /// A count, and the body of the loop.
    fn terms(&mut self, index: VarId, count: &Expr, body: impl FnOnce(&mut Self) -> Term) -> (Box<Term>, Box<Term>) {
        let count = self.enter(index, count);
        let body = body(self);
        self.infer.leave_loop();
        (Box::new(count), Box::new(body))
    }

    fn fresh_cells(&mut self, name: &str, width: usize) -> Vec<VarId> {
        (0..width).mapped(|_| self.names.fresh(name))
    }
}

fn cells(vs: &[VarId]) -> Vec<Dest> {
    vs.iter().mapped(|v| Dest::Cell(*v))
}
