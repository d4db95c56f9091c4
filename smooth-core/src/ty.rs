//! Types, shared by every language of the pipeline (Fig. 1: `T`, `M`, `Num`).

use std::fmt;

/// The element types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scalar {
    /// The paper's `Double`.
    F64,
    /// The paper's `Index` and `Card` at once: whether a `usize` may be a size is decided by the
    /// shape translation, not by its type.
    Usize,
    /// The exponents of `powi`.
    I32,
    /// `Bool`.
    Bool,
}

impl Scalar {
    /// Rust's name.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::F64 => "f64",
            Scalar::Usize => "usize",
            Scalar::I32 => "i32",
            Scalar::Bool => "bool",
        }
    }

    /// The type of that name, if the language has it.
    pub fn from_name(name: &str) -> Option<Self> {
        [Scalar::F64, Scalar::Usize, Scalar::I32, Scalar::Bool].into_iter().find(|s| s.name() == name)
    }

    /// Bytes of one value (64-bit targets; sizes are planned in elements, so only the frame depends on it).
    pub fn bytes(self) -> u64 {
        match self {
            Scalar::F64 | Scalar::Usize => 8,
            Scalar::I32 => 4,
            Scalar::Bool => 1,
        }
    }

    /// Whether arithmetic on it is integer arithmetic.
    pub fn is_int(self) -> bool {
        matches!(self, Scalar::Usize | Scalar::I32)
    }
}

/// A type. Sizes are no part of it: shapes are inferred (Fig. 8).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `Num` and `Bool`.
    Scalar(Scalar),
    /// `Array<Array<…>>`, `rank` levels deep; rank is at least 1.
    Array(Scalar, usize),
    /// Several values at once.
    Tuple(Vec<Type>),
    /// `T̄ ⇒ M`.
    Fn(Vec<Type>, Box<Type>),
}

impl Type {
    /// `f64`.
    pub const F64: Type = Type::Scalar(Scalar::F64);
    /// `usize`.
    pub const USIZE: Type = Type::Scalar(Scalar::Usize);
    /// `bool`.
    pub const BOOL: Type = Type::Scalar(Scalar::Bool);

    /// The array of `elem`, or `None` where the language has no such array.
    pub fn array_of(elem: &Type) -> Option<Type> {
        match elem {
            Type::Scalar(s) => Some(Type::Array(*s, 1)),
            Type::Array(s, rank) => Some(Type::Array(*s, rank + 1)),
            Type::Tuple(_) | Type::Fn(..) => None,
        }
    }

    /// What indexing gives.
    pub fn element(&self) -> Option<Type> {
        match self {
            Type::Array(s, 1) => Some(Type::Scalar(*s)),
            Type::Array(s, rank) => Some(Type::Array(*s, rank - 1)),
            _ => None,
        }
    }

    /// The scalar type, if it is one.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Type::Scalar(s) => Some(*s),
            _ => None,
        }
    }

    /// Whether it is an array.
    pub fn is_array(&self) -> bool {
        matches!(self, Type::Array(..))
    }

    /// Whether it is a function.
    pub fn is_fn(&self) -> bool {
        matches!(self, Type::Fn(..))
    }

    /// The number of nested array levels; 0 for a scalar.
    pub fn rank(&self) -> usize {
        match self {
            Type::Array(_, rank) => *rank,
            _ => 0,
        }
    }

    /// The scalars and arrays it is made of, left to right.
    pub fn leaves(&self) -> Vec<Type> {
        match self {
            Type::Tuple(ts) => ts.iter().flat_map(Type::leaves).collect(),
            t => vec![t.clone()],
        }
    }
}

impl fmt::Display for Type {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, ts: &[Type]| {
            for (k, t) in ts.iter().enumerate() {
                write!(f, "{}{t}", if k > 0 { ", " } else { "" })?;
            }
            Ok(())
        };
        match self {
            Type::Scalar(s) => f.write_str(s.name()),
            Type::Array(s, rank) => {
                write!(f, "{}{}{}", "[".repeat(*rank), s.name(), "]".repeat(*rank))
            }
            Type::Tuple(ts) => {
                f.write_str("(")?;
                list(f, ts)?;
                f.write_str(")")
            }
            Type::Fn(ts, r) => {
                f.write_str("fn(")?;
                list(f, ts)?;
                write!(f, ") -> {r}")
            }
        }
    }
}
