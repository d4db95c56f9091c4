//! Reductions, each in its order.

use super::Eval;
use crate::fsmooth::{Combine, Combiner, Reduce};
use crate::mapped::Mapped;
use crate::reduction::{Ask, combine_in, named_in};
use crate::ty::Type;
use crate::value::{Lit, Value};

impl Eval<'_, '_> {
    pub(super) fn reduce(&mut self, r: &Reduce, ty: &Type) -> Result<Value, String> {
        let Reduce { count, index, body, with, order } = r;
        let n = self.usize(count)?;
        self.work += n as u64;
        let with = match with {
            Combine::Named(with) => *with,
            Combine::Function(f) => {
                let Combiner { init, left, right, body: combined } = &**f;
                let start = self.expr(init)?;
                return combine_in(n, start, |ask| match ask {
                    Ask::Term(k) => {
                        self.set(*index, Value::Scalar(Lit::usize(k as u64)));
                        self.expr(body)
                    }
                    Ask::Combine(a, b) => {
                        self.set(*left, a);
                        self.set(*right, b);
                        self.expr(combined)
                    }
                });
            }
        };
        let leaves = ty.leaves();
        let elem = leaves.first().and_then(Type::scalar).ok_or("a reduction of no numbers")?;
        let totals = named_in((with, *order, elem), (n, leaves.len()), |k| {
            self.set(*index, Value::Scalar(Lit::usize(k as u64)));
            Ok(self.expr(body)?.leaves().iter().mapped(Value::scalar))
        })?;
        let mut totals = totals.into_iter().map(Value::Scalar);
        match ty {
            Type::Tuple(_) => Ok(Value::Tuple(totals.collect_vec())),
            _ => totals.next().ok_or_else(|| "a reduction without a value".into()),
        }
    }
}
