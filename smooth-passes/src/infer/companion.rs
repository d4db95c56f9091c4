//! A kernel's companion: its shape function, inferred once before anything is optimised.

use super::{Fault, Infer};
use crate::fsmooth::{Declared, Kernel, Written};
use crate::link::ArgumentShape;
use crate::mapped::Mapped;
use crate::shape::{Companion, bytes::Bytes};
use crate::span::Origin;
use crate::ty::Type;

/// The companion that S⟦·⟧ infers, or the faults that it finds. The size of the frame is not known yet.
pub fn companion(kernel: &Kernel, written: &Written, arguments: Vec<ArgumentShape>) -> Result<Companion, Vec<Fault>> {
    let mut infer = Infer::judging(kernel);
    for (v, (shape, at, by)) in &written.lets {
        let what = (*by == Declared::Type).then(|| format!("`{}`", kernel.names.name(*v)));
        infer.ascriptions.insert(*v, (shape.clone(), *at, what));
    }
    infer.assigned.clone_from(&written.assigned);
    for (v, shape, callee, param) in arguments {
        infer.ascriptions.insert(v, (shape, Origin::default(), Some(format!("argument `{param}` of `{callee}`"))));
    }
    infer.results_of_functions();
    let result = infer.shape(&kernel.body);
    infer.written_result(&result, kernel.body.ty(), written);
    let leaves = kernel.body.ty().leaves();
    let values =
        infer.values(&result).into_iter().zip(&leaves).map(|(v, t)| v.filter(|_| *t == Type::USIZE)).collect_vec();
    let sizes = infer.values_in_sizes();
    let (checks, faults) = infer.finish();
    if !faults.is_empty() {
        return Err(faults);
    }
    let result_type = kernel.body.ty().clone();
    let (result, column_major) = (result.leaves(), written.column_major.clone());
    Ok(Companion { result_type, result, values, checks, sizes, frame: Bytes::zero(), column_major, asserts: false })
}
