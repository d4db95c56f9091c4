//! D⟦ifold⟧: scalars of the state are variables, arrays are in two buffers that alternate.

use super::{Lower, Part};
use crate::dps::{Dest, Fold, State, Term};
use crate::fsmooth::{Expr, IFold, Kind, Slot};
use crate::infer::ValueShape;
use crate::mapped::Mapped;
use crate::ty::Type;

impl Lower<'_> {
    /// Writes the last state into `dests`. Without destinations the state is one scalar, which the term returns.
    pub(super) fn fold(&mut self, e: &Expr, dests: &[Dest]) -> Term {
        let Kind::IFold(IFold { count, init, state, index, test, body }) = e.kind() else { unreachable!("a fold") };
        let start = self.infer.shape(init);
        let (iterations, (n, count)) = (count, self.count(count));
        let (mut states, mut first, mut next, mut parts, mut buffers) = (vec![], vec![], vec![], vec![], vec![]);
        for (k, (t, shape)) in e.ty().leaves().iter().zip(start.leaves()).enumerate() {
            match t {
                Type::Array(elem, _) => {
                    let [x, a, b, other] = [(); 4].map(|()| self.names.again(*state));
                    first.push(Dest::Storage(a, vec![]));
                    next.push(Dest::Storage(b, vec![]));
                    parts.push(Part::Array(x));
                    self.infer.bind(x, ValueShape::Array(shape.clone()));
                    buffers.push(self.block(other, *elem, shape.clone()));
                    states.push(State::Array {
                        x,
                        first: a,
                        next: b,
                        dest: dests[k].clone(),
                        other: Some(other),
                        onto: None,
                        elem: *elem,
                        shape,
                    });
                }
                t => {
                    // The variable of a state of one scalar has the state's own name.
                    let now = if matches!(e.ty(), Type::Scalar(_)) { *state } else { self.names.again(*state) };
                    let after = self.names.fresh("next");
                    first.push(Dest::Cell(after));
                    next.push(Dest::Cell(after));
                    parts.push(Part::Scalar(now));
                    states.push(State::Scalar { now, next: after, ty: t.expect_scalar() });
                }
            }
        }
        let init_term = self.write(init, &first);
        for (k, part) in parts.iter().enumerate() {
            if let Part::Scalar(now) = part {
                self.infer.name_part(*state, k, *now);
            }
        }
        self.infer.bind_state(*state, e.ty(), &start);
        if e.ty().is_array() {
            // The step reads the state by its own name, so the variable of its buffer gets that name.
            if let State::Array { x, .. } = &mut states[0] {
                *x = *state;
            }
        } else if !matches!(e.ty(), Type::Scalar(_)) {
            self.parts.insert(*state, parts.clone());
        }
        self.enter_loop(*index, iterations, n);
        let test = test.as_ref().map(|t| Box::new(self.scalar(t)));
        let step = self.part(e, Slot::Body, |cx| cx.write(body, &next));
        self.infer.leave_loop();
        let last = |p: &Part| if let Part::Scalar(v) = p { Some(Term::Var(*v)) } else { None };
        let then = match dests {
            [] => last(&parts[0]).unwrap_or_else(|| panic!("a fold over an array has no destination")),
            _ => Term::Seq(
                parts
                    .iter()
                    .zip(dests)
                    .filter_map(|(p, d)| Some(Term::Store(d.clone(), Box::new(last(p)?))))
                    .collect_vec(),
            ),
        };
        let fold = Term::Fold(Fold {
            count: Box::new(count),
            index: *index,
            test,
            at_home: false,
            states,
            init: Box::new(init_term),
            step: Box::new(step),
            then: Box::new(then),
        });
        buffers.into_iter().rev().fold(fold, |body, block| Term::alloc(block, body))
    }
}
