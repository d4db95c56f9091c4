//! `a with [ī] = v`: a copy of the array, so that users of the old array do not see the change.

use super::{Eval, stored};
use crate::fsmooth::Expr;
use crate::prim::Prim;
use crate::value::Value;

impl Eval<'_, '_> {
    pub(super) fn update(
        &mut self,
        array: &Expr,
        indices: &[Expr],
        op: Option<Prim>,
        value: &Expr,
    ) -> Result<Value, String> {
        let Value::Array(mut a) = self.expr(array)? else { return Err("an update of no array".into()) };
        let (mut at, mut rest) = (0, a.dims.as_slice());
        for i in indices {
            let (n, i) = (rest[0], self.usize(i)?);
            if i >= n {
                return Err(format!("index out of bounds: the len is {n} but the index is {i}"));
            }
            rest = &rest[1..];
            at += i * rest.iter().product::<usize>();
        }
        let len = rest.iter().product::<usize>();
        let new = self.expr(value)?;
        self.work += stored(value, &new);
        let new = match (op, new) {
            (Some(p), new) => {
                self.work += 1 + u64::from(p.cost());
                let operands = [a.data[at], new.scalar()];
                self.world.operation(p, &operands);
                vec![p.eval(&operands).map_err(String::from)?]
            }
            (None, Value::Scalar(l)) => vec![l],
            (None, Value::Array(row)) if row.dims == rest => row.data,
            (None, v) => return Err(format!("an update of a place of shape {rest:?} with {v:?}")),
        };
        a.data.splice(at..at + len, new);
        Ok(Value::Array(a))
    }
}
