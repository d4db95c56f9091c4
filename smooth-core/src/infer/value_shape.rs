//! Shapes of values, as the rules compute them.

use crate::fsmooth::Expr;
use crate::name::VarId;
use crate::shape::Shape;
use crate::shape::card::Card;
use crate::ty::Type;
use std::rc::Rc;

/// The shape of a value, as the rules compute it.
#[derive(Clone, Debug)]
pub enum ValueShape {
    /// ∘; for a `usize` that sizes can be made of, its value.
    Scalar(Option<Card>),
    /// ∘; a `usize` that no size can be made of, and what it is at most.
    AtMost(Card),
    /// ∘; a `usize` that no size can be made of, since it is longer than sizes are followed.
    Long,
    /// The extents of an array.
    Array(Shape),
    /// The shapes of the parts.
    Tuple(Vec<ValueShape>),
    /// A function, to be run on shapes (S-Abs).
    Fun(Rc<(Vec<(VarId, Type)>, Expr)>),
    /// A function from outside; the extents of its result.
    Host(Type, Shape),
}

impl ValueShape {
    /// A `usize` of that value, if it can be followed.
    pub(super) fn number(value: Option<Card>) -> ValueShape {
        if value.as_ref().is_some_and(Card::is_untracked) { ValueShape::Long } else { ValueShape::Scalar(value) }
    }

    /// The shapes of the leaves.
    pub fn leaves(&self) -> Vec<Shape> {
        match self {
            ValueShape::Array(s) => vec![s.clone()],
            ValueShape::Tuple(ss) => ss.iter().flat_map(ValueShape::leaves).collect(),
            _ => vec![vec![]],
        }
    }

    /// For each leaf, whether it is a `usize` of which only a bound is known.
    pub fn at_most(&self) -> Vec<bool> {
        match self {
            ValueShape::Tuple(ss) => ss.iter().flat_map(ValueShape::at_most).collect(),
            s => vec![matches!(s, ValueShape::AtMost(_))],
        }
    }

    /// The shape of an array or scalar.
    pub fn extents(&self) -> Shape {
        match self {
            ValueShape::Array(s) => s.clone(),
            _ => vec![],
        }
    }

    /// The value of a `usize`, if it can be followed.
    pub fn card(&self) -> Option<Card> {
        match self {
            ValueShape::Scalar(c) => c.clone(),
            _ => None,
        }
    }
}

/// The shape of a value whose numbers may be any.
pub(super) fn forget_values(s: &ValueShape) -> ValueShape {
    match s {
        ValueShape::Scalar(_) | ValueShape::AtMost(_) | ValueShape::Long => ValueShape::Scalar(None),
        ValueShape::Tuple(ss) => ValueShape::Tuple(ss.iter().map(forget_values).collect()),
        s => s.clone(),
    }
}

/// Puts the shapes of arrays and those of scalars, one of each for a leaf, back into the form of a type.
pub(super) fn of_type(t: &Type, leaves: &mut impl Iterator<Item = (Shape, ValueShape)>) -> ValueShape {
    match t {
        Type::Tuple(ts) => ValueShape::Tuple(ts.iter().map(|t| of_type(t, leaves)).collect()),
        Type::Array(..) => ValueShape::Array(leaves.next().expect("a shape for each leaf").0),
        _ => leaves.next().expect("a shape for each leaf").1,
    }
}
