//! Constant arrays: what their uses say about their ranks and elements.

use crate::elaborate::literals::Literals;
use crate::elaborate::literals::unify::{Ty, VarKind};
use crate::mapped::Mapped;
use crate::sorted::{Map, Set};
use crate::surface::{self, Expr, ExprKind, NodeId};
use crate::ty::Scalar;

/// A use of a constant, or a part of one.
pub(crate) enum Part {
    /// Numbers, with their type if it is known, and whether only casts determine it.
    Number(Option<Scalar>, bool),
    /// A part that no use reads.
    Unused,
    /// A tuple. Parts after the last one that is read may be missing.
    Tuple(Vec<Part>),
    /// An array.
    Array(Box<Part>),
}

/// The maximum nesting depth of the types of constants. A variable may be a part of itself, which is reported elsewhere.
const DEPTH: usize = 12;

/// The facts that determine the types of constants.
#[derive(Default)]
pub(crate) struct Constants {
    /// The types of constants, by their paths: all uses of a constant have one type.
    types: Map<String, Ty>,
    /// Casts of terms that may be elements of a constant: the constant's use, the element's type, the type it is cast to.
    casts: Vec<(NodeId, Ty, Scalar)>,
    /// The operands of casts.
    operands: Set<NodeId>,
    /// The expressions whose types were variables.
    pub(crate) undecided: Vec<(NodeId, Ty)>,
}

impl Literals<'_> {
    /// A constant of the user's.
    pub(crate) fn constant(&mut self, e: &Expr, path: &syn::Path) -> Ty {
        let known = self.constants.types.get(&surface::path_key(path)).cloned();
        let ty = known.unwrap_or_else(|| self.open.fresh(VarKind::Any));
        self.constants.types.insert(surface::path_key(path), ty.clone());
        self.literals.push((e.id, ty.clone()));
        ty
    }

    /// The use of a constant as an array or a tuple, if it is one.
    pub(crate) fn table(&self, id: NodeId, ty: &Ty) -> Option<Part> {
        let several = match self.open.resolved(ty) {
            Ty::Array(_) | Ty::Tuple(_) => true,
            Ty::Open(v) => !self.open.fields(v).is_empty(),
            Ty::Scalar(_) | Ty::Fn(..) => false,
        };
        several.then(|| self.part(id, ty, DEPTH))
    }

    fn part(&self, id: NodeId, ty: &Ty, depth: usize) -> Part {
        let unknown = Part::Number(None, false);
        let Some(depth) = depth.checked_sub(1) else { return unknown };
        match self.open.resolved(ty) {
            Ty::Scalar(s) => Part::Number(Some(s), false),
            Ty::Array(t) => Part::Array(Box::new(self.part(id, &t, depth))),
            Ty::Tuple(ts) => Part::Tuple(ts.iter().mapped(|t| self.part(id, t, depth))),
            Ty::Fn(..) => unknown,
            Ty::Open(v) => {
                let mut parts = Vec::new();
                for (k, t) in self.open.fields(v) {
                    while parts.len() <= *k {
                        parts.push(Part::Unused);
                    }
                    parts[*k] = self.part(id, t, depth);
                }
                let is_used = || self.constants.undecided.iter().any(|(_, t)| self.open.is(t, v));
                match self.cast_of(id, v) {
                    _ if !parts.is_empty() => Part::Tuple(parts),
                    // No constant has a type parameter as its type: its elements are cast to `f64` first.
                    Some(to) => Part::Number(Some(if to.is_open() { Scalar::F64 } else { to }), true),
                    None if is_used() => unknown,
                    None => Part::Unused,
                }
            }
        }
    }

    /// The type that the elements of a constant are cast to, if nothing else determines their type: in this use of the
    /// constant, or in all of its uses.
    fn cast_of(&self, id: NodeId, elem: usize) -> Option<Scalar> {
        let is_elem = |t: &Ty| self.open.is(t, elem);
        let casts = self.constants.casts.iter().filter(|(_, t, _)| is_elem(t)).mapped(|(root, _, to)| (*root, *to));
        let own = casts.iter().find(|(root, _)| *root == id);
        let only = || self.constants.undecided.iter().all(|(e, t)| !is_elem(t) || self.constants.operands.contains(e));
        let agreed = || casts.first().filter(|(_, to)| casts.iter().all(|(_, other)| other == to) && only());
        own.or_else(agreed).map(|(_, to)| *to)
    }

    /// A cast of `a` from one type to another.
    pub(crate) fn cast(&mut self, a: &Expr, from: Ty, to: Scalar) {
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
        ExprKind::Index(a, _) | ExprKind::Field(a, _) | ExprKind::Same(a) => root(a),
        _ => e,
    }
}
