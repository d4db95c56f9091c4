//! The interface of a kernel: parameters, results, and the arguments that no caller writes.

pub(super) mod constants;
pub(super) mod functions;
pub(super) mod hidden;
pub(super) mod in_out;
pub(super) mod layout;
pub(super) mod signature;

use crate::elaborate::interface::constants::ConstPart;
use crate::fsmooth::{Callee, Const, Expr, Order, WrittenShape};
use crate::link::Export;
use crate::name::VarId;
use crate::options::Options;
use crate::shape::Param;
use crate::surface::{Function, TypeParams, plain};
use crate::ty::Type;
use proc_macro2::Ident;

/// The kernel as its callers see it, and the kernels and constants that it uses.
pub(crate) struct Interface<'a> {
    pub(crate) own_name: String,
    /// The kernel's type parameters.
    pub(crate) type_params: TypeParams,
    /// The order of its sums.
    pub(crate) order: Order,
    /// The kernel's written result.
    pub(crate) result: Option<Type>,
    pub(crate) result_shapes: Vec<WrittenShape>,
    /// The kernels that it calls, by the paths in its text.
    pub(crate) linked: &'a [(syn::Path, Export)],
    pub(crate) callees: Vec<Callee>,
    pub(super) consts: Vec<Const>,
    pub(super) const_paths: Vec<(syn::Path, ConstPart)>,
    /// Sizes that occur only in the types of function parameters: known to each call, but not to the kernel.
    open_sizes: Vec<String>,
    /// The open sizes that occur only in results: the caller of the kernel passes them.
    open: Vec<(Ident, VarId)>,
    /// Parameters that no caller writes: constants and const generics.
    hidden: Vec<Param>,
    /// The `let`s around the body that make the user's variables from the flat parameters.
    pub(super) openings: Vec<(VarId, Expr)>,
}

impl<'a> Interface<'a> {
    /// The interface of `f`, before its parameters are read.
    pub(crate) fn new(f: &Function, linked: &'a [(syn::Path, Export)], options: &Options) -> Self {
        Interface {
            own_name: plain(&f.name),
            type_params: f.type_params(),
            order: options.order,
            result: None,
            result_shapes: Vec::new(),
            linked,
            callees: Vec::new(),
            consts: Vec::new(),
            const_paths: Vec::new(),
            open_sizes: Vec::new(),
            open: Vec::new(),
            hidden: Vec::new(),
            openings: Vec::new(),
        }
    }
}
