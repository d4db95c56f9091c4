//! Shapes of values, as the rules compute them.

use crate::fsmooth::{Callee, Expr};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::shape::Shape;
use crate::shape::card::Card;
use crate::ty::Type;
use std::rc::Rc;

/// The shape of a value, as the rules compute it.
#[derive(Clone, Debug)]
pub enum ValueShape {
    /// ∘; for a tracked `usize`, its value.
    Scalar(Option<Card>),
    /// ∘; a `usize` that is not tracked, with an upper bound.
    AtMost(Card),
    /// ∘; a `usize` that is not tracked, because its value is too complex.
    TooComplex,
    /// The extents of an array.
    Array(Shape),
    /// The shapes of the fields.
    Tuple(Vec<ValueShape>),
    /// A function: its parameters and body, to be run on shapes (S-Abs).
    Fun(Rc<(Vec<(VarId, Type)>, Expr)>),
    /// A function parameter, called through the companion that its type is.
    Host(Rc<Callee>),
}

impl ValueShape {
    /// The shape of a `usize` with this value, if one is given and it is not too complex to track.
    pub(super) fn number(value: Option<Card>) -> ValueShape {
        if value.as_ref().is_some_and(Card::is_untracked) { ValueShape::TooComplex } else { ValueShape::Scalar(value) }
    }

    /// The leaves.
    pub(super) fn parts(self) -> Vec<ValueShape> {
        match self {
            ValueShape::Tuple(ss) => ss.into_iter().flat_map(ValueShape::parts).collect_vec(),
            s => vec![s],
        }
    }

    /// The shapes of the leaves.
    pub fn leaves(&self) -> Vec<Shape> {
        match self {
            ValueShape::Array(s) => vec![s.clone()],
            ValueShape::Tuple(ss) => ss.iter().flat_map(ValueShape::leaves).collect_vec(),
            _ => vec![vec![]],
        }
    }

    /// For each leaf, whether it is a `usize` with a bound only.
    pub fn at_most(&self) -> Vec<bool> {
        match self {
            ValueShape::Tuple(ss) => ss.iter().flat_map(ValueShape::at_most).collect_vec(),
            s => vec![matches!(s, ValueShape::AtMost(_))],
        }
    }

    /// The extents of an array; none for any other value.
    pub fn extents(&self) -> Shape {
        match self {
            ValueShape::Array(s) => s.clone(),
            _ => vec![],
        }
    }

    /// The extents of an array, or those of the first of a tuple of arrays.
    pub fn first_extents(&self) -> Shape {
        match self {
            ValueShape::Tuple(ss) => ss.first().map(ValueShape::first_extents).unwrap_or_default(),
            s => s.extents(),
        }
    }

    /// The shape with the extents of each array in it changed by `f`, where a number is an array of rank 0; the shape
    /// of a number is `scalar`.
    pub(super) fn each_array(&self, scalar: &ValueShape, f: &mut impl FnMut(Shape) -> Shape) -> ValueShape {
        if let ValueShape::Tuple(ss) = self {
            return ValueShape::Tuple(ss.iter().mapped(|s| s.each_array(scalar, f)));
        }
        let shape = f(self.extents());
        if shape.is_empty() { scalar.clone() } else { ValueShape::Array(shape) }
    }

    /// The value of a `usize`, if it is tracked.
    pub fn card(&self) -> Option<Card> {
        match self {
            ValueShape::Scalar(c) => c.clone(),
            _ => None,
        }
    }
}

/// The shape of a value with unknown numbers.
pub(super) fn forget_values(s: &ValueShape) -> ValueShape {
    match s {
        ValueShape::Scalar(_) | ValueShape::AtMost(_) | ValueShape::TooComplex => ValueShape::Scalar(None),
        ValueShape::Tuple(ss) => ValueShape::Tuple(ss.iter().mapped(forget_values)),
        s => s.clone(),
    }
}

/// Assembles the shape of a value of type `t` from its leaves, each given as an array and as a scalar.
pub(super) fn of_type(t: &Type, leaves: &mut impl Iterator<Item = (Shape, ValueShape)>) -> ValueShape {
    match t {
        Type::Tuple(ts) => ValueShape::Tuple(ts.iter().mapped(|t| of_type(t, leaves))),
        Type::Array(..) => ValueShape::Array(leaves.next().expect("a shape for each leaf").0),
        _ => leaves.next().expect("a shape for each leaf").1,
    }
}
