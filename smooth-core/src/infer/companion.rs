//! A kernel's companion: its shape function, inferred once before anything is optimised.

use super::{Fault, Infer};
use crate::elaborate::{Elaborated, WrittenShape};
use crate::fsmooth::Kernel;
use crate::link::ArgumentShape;
use crate::name::VarId;
use crate::shape::{Companion, bytes::Bytes};
use crate::sorted::Map;
use crate::span::Origin;
use crate::ty::Type;

/// The shapes that the user declared, as elaboration found them.
#[derive(Debug)]
pub struct Written<'e> {
    result: &'e [WrittenShape],
    result_at: Origin,
    column_major: &'e [bool],
    lets: &'e Map<VarId, (WrittenShape, Origin)>,
    /// The types of the arguments and of the result as the user sees them.
    pub(crate) interface: &'e (Vec<Type>, Type),
    /// For each generic parameter, in order, whether it is a type.
    pub(crate) are_types: &'e [bool],
    assigned: &'e Map<VarId, VarId>,
}

impl<'e> Written<'e> {
    /// The declared shapes of an elaborated kernel.
    pub fn of(e: &'e Elaborated) -> Self {
        let Elaborated { written_result: result, result_at, column_major, ascriptions: lets, .. } = e;
        let Elaborated { assigned, interface, are_types, .. } = e;
        Written { result, result_at: *result_at, column_major, lets, interface, are_types, assigned }
    }
}

/// The companion that S⟦·⟧ infers, or the faults that it finds. The size of the frame is not known yet.
pub fn companion(
    kernel: &Kernel,
    written: &Written<'_>,
    arguments: Vec<ArgumentShape>,
) -> Result<Companion, Vec<Fault>> {
    let mut infer = Infer::judging(kernel);
    for (v, (shape, at)) in written.lets {
        infer.ascriptions.insert(*v, (shape.clone(), *at, format!("`{}`", kernel.names.name(*v))));
    }
    infer.assigned.clone_from(written.assigned);
    for (v, shape, callee, param) in arguments {
        infer.ascriptions.insert(v, (shape, Origin::default(), format!("argument `{param}` of `{callee}`")));
    }
    infer.results_of_functions();
    let result = infer.shape(&kernel.body);
    infer.written_result(&result, kernel.body.ty(), written.result, written.result_at);
    let values = infer.values(&result);
    let sizes = infer.values_in_sizes();
    let (checks, faults) = infer.finish();
    if !faults.is_empty() {
        return Err(faults);
    }
    let result_type = kernel.body.ty().clone();
    let (result, column_major) = (result.leaves(), written.column_major.to_vec());
    Ok(Companion { result_type, result, values, checks, sizes, frame: Bytes::zero(), column_major })
}
