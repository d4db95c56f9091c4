//! Arrays of tuples outside a kernel: `[(A, B); n]` is `([A; n], [B; n])`, one array per part.

use super::{Expr, Extent, TypeExpr, TypeKind};
use crate::mapped::Mapped;

impl TypeExpr {
    /// The type as it is at the boundary, without arrays of tuples.
    pub fn columns(&self) -> TypeExpr {
        let kind = match &self.kind {
            TypeKind::Array(elem, len) => return over(elem.columns(), len, self.at),
            TypeKind::Tuple(ts) => TypeKind::Tuple(ts.iter().mapped(TypeExpr::columns)),
            kind => kind.clone(),
        };
        TypeExpr { kind, at: self.at }
    }

    /// Whether it is an array whose elements are tuples, at any depth.
    pub fn is_of_tuples(&self) -> bool {
        match &self.kind {
            TypeKind::Array(elem, _) => matches!(elem.kind, TypeKind::Tuple(_)) || elem.is_of_tuples(),
            _ => false,
        }
    }
}

/// The array, or the tuple of arrays, of these elements.
fn over(elem: TypeExpr, len: &Option<Expr>, at: Extent) -> TypeExpr {
    let kind = match elem.kind {
        TypeKind::Tuple(ts) => TypeKind::Tuple(ts.into_iter().mapped(|t| over(t, len, at))),
        kind => TypeKind::Array(Box::new(TypeExpr { kind, at: elem.at }), len.clone()),
    };
    TypeExpr { kind, at }
}
