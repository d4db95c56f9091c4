//! Constant arrays: what their uses say about their ranks and elements.

use super::Literals;
use super::unify::{Ty, VarKind};
use crate::mapped::Mapped;
use crate::sorted::{Map, Set};
use crate::surface::{self, Expr, ExprKind, NodeId};
use crate::ty::Scalar;

/// A use of a constant array.
#[derive(Clone, Copy)]
pub(in crate::elaborate) struct Table {
    /// Its rank.
    pub(in crate::elaborate) rank: usize,
    /// The type of its elements, if it is known.
    pub(in crate::elaborate) elem: Option<Scalar>,
    /// Whether its elements are read to be cast to that type, and no use says what they are.
    pub(in crate::elaborate) cast: bool,
    /// Whether its elements have parts.
    pub(in crate::elaborate) tuples: bool,
}

/// What is known about constants.
#[derive(Default)]
pub(super) struct Constants {
    /// The types of constants, by their paths: every use of a constant has the same.
    types: Map<String, Ty>,
    /// Casts of what may be an element of a constant: the constant's use, the element's type, the type it is cast to.
    casts: Vec<(NodeId, Ty, Scalar)>,
    /// The expressions that are cast, and for which that is all.
    operands: Set<NodeId>,
    /// The types of what has a field.
    pub(super) with_fields: Vec<Ty>,
    /// The expressions whose types were variables.
    pub(super) undecided: Vec<(NodeId, Ty)>,
}

impl Literals<'_> {
    /// A constant of the user's.
    pub(super) fn constant(&mut self, e: &Expr, path: &syn::Path) -> Ty {
        let known = self.constants.types.get(&surface::path_key(path)).cloned();
        let ty = known.unwrap_or_else(|| self.open.fresh(VarKind::Any));
        self.constants.types.insert(surface::path_key(path), ty.clone());
        self.literals.push((e.id, ty.clone()));
        ty
    }

    /// The use of a constant as an array, if it is one.
    pub(super) fn table(&self, id: NodeId, ty: &Ty) -> Option<Table> {
        let (mut elem, mut rank) = (self.open.resolved(ty), 0);
        while let Ty::Array(inner) = &elem {
            (elem, rank) = (self.open.resolved(inner), rank + 1);
        }
        let known = if let Ty::Scalar(s) = elem { Some(s) } else { None };
        let cast = if let Ty::Open(v) = elem { self.cast_of(id, v) } else { None };
        // No constant has a type parameter as its type: its elements are cast to `f64` first.
        let to = cast.map(|to| if to.is_open() { Scalar::F64 } else { to });
        let has_fields = |t: &Ty| match (self.open.resolved(t), &elem) {
            (Ty::Open(v), Ty::Open(w)) => v == *w,
            _ => false,
        };
        let tuples = matches!(elem, Ty::Tuple(_)) || self.constants.with_fields.iter().any(has_fields);
        (rank > 0).then_some(Table { rank, elem: known.or(to), cast: known.is_none() && to.is_some(), tuples })
    }

    /// The type that the elements of a constant are cast to, where nothing else says what they are: by this use of the
    /// constant, or by everything that is ever done to them.
    fn cast_of(&self, id: NodeId, elem: usize) -> Option<Scalar> {
        let is_elem = |t: &Ty| matches!(self.open.resolved(t), Ty::Open(v) if v == elem);
        let casts = self.constants.casts.iter().filter(|(_, t, _)| is_elem(t)).mapped(|(root, _, to)| (*root, *to));
        let own = casts.iter().find(|(root, _)| *root == id);
        let only = || self.constants.undecided.iter().all(|(e, t)| !is_elem(t) || self.constants.operands.contains(e));
        let agreed = || casts.first().filter(|(_, to)| casts.iter().all(|(_, other)| other == to) && only());
        own.or_else(agreed).map(|(_, to)| *to)
    }

    /// A cast of `a` from one type to another.
    pub(super) fn cast(&mut self, a: &Expr, from: Ty, to: Scalar) {
        if to == Scalar::Bool {
            return;
        }
        let mut operand = a;
        while let ExprKind::Same(inner) = &operand.kind {
            self.constants.operands.insert(operand.id);
            operand = inner;
        }
        self.constants.operands.insert(operand.id);
        self.constants.casts.push((root(a).id, from, to));
    }
}

/// The array that an element is of.
fn root(e: &Expr) -> &Expr {
    match &e.kind {
        ExprKind::Index(a, _) | ExprKind::Same(a) => root(a),
        _ => e,
    }
}
