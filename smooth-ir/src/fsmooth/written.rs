//! The types and shapes that the user wrote. Inference confirms the shapes or refutes them.

use super::Expr;
use crate::name::VarId;
use crate::sorted::Map;
use crate::span::Origin;
use crate::ty::Type;

/// A written shape: a term for each extent, `None` for one that is not written.
pub type WrittenShape = Vec<Option<Expr>>;

/// The declaration of the shape of a `let`.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Declared {
    /// A written type.
    Type,
    /// The pattern that takes the array apart.
    Pattern,
}

/// The types and shapes that the user wrote, as elaboration finds them.
#[derive(Debug)]
pub struct Written {
    /// The types of the arguments and of the result as the user sees them.
    pub interface: (Vec<Type>, Type),
    /// For each generic parameter, in order, whether it is a type.
    pub are_types: Vec<bool>,
    /// The shape of each leaf of the result, then of each in-out parameter.
    pub result: Vec<WrittenShape>,
    /// The origin of the result type.
    pub result_at: Origin,
    /// For each of these leaves, whether it is column-major.
    pub column_major: Vec<bool>,
    /// The shapes of `let`s.
    pub lets: Map<VarId, (WrittenShape, Origin, Declared)>,
    /// The arrays that are assigned to a variable, and the ones that they replace.
    pub assigned: Map<VarId, VarId>,
}
