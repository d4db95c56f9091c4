//! The interface of a kernel, which stays the same in all languages.

use super::{Callee, Const};
use crate::shape::Param;
use crate::ty::Bound;

/// A kernel's name, what it takes, and what it uses of others.
#[derive(Clone, Debug)]
pub struct Interface {
    /// The function's name.
    pub name: String,
    /// The bounds of its type parameters.
    pub types: Vec<Bound>,
    /// Parameters. Symbolic sizes in their types are variables of the body as well.
    pub params: Vec<Param>,
    /// The kernels that it calls.
    pub callees: Vec<Callee>,
    /// The constants that it uses.
    pub consts: Vec<Const>,
}
