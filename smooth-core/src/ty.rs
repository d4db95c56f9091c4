//! Types, shared by every language of the pipeline (Fig. 1: `T`, `M`, `Num`).

use std::fmt;

/// The element types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scalar {
    /// The paper's `Double`.
    F64,
    /// `f32`.
    F32,
    /// The paper's `Index` and `Card` at once: whether a `usize` may be a size is decided by the
    /// shape translation, not by its type.
    Usize,
    /// `i8`.
    I8,
    /// `i16`.
    I16,
    /// `i32`, the type of `powi`'s exponents.
    I32,
    /// `i64`.
    I64,
    /// `u8`.
    U8,
    /// `u16`.
    U16,
    /// `u32`, the type of shifts' and `pow`'s right sides.
    U32,
    /// `u64`.
    U64,
    /// `Bool`.
    Bool,
    /// The kernel's type parameter of that number, `T: Real`: `f32` or `f64`, as the caller likes.
    Real(u8),
}

/// What type parameters are called between the tokens of the user and those that are generated.
const REALS: [&str; 4] = ["T0", "T1", "T2", "T3"];

impl Scalar {
    /// How many type parameters a kernel may have.
    pub const MAX_REALS: usize = REALS.len();

    /// The types with a name of Rust's.
    pub const ALL: [Scalar; 12] = [
        Scalar::F64,
        Scalar::F32,
        Scalar::Usize,
        Scalar::I8,
        Scalar::I16,
        Scalar::I32,
        Scalar::I64,
        Scalar::U8,
        Scalar::U16,
        Scalar::U32,
        Scalar::U64,
        Scalar::Bool,
    ];

    /// Rust's name.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::F64 => "f64",
            Scalar::F32 => "f32",
            Scalar::Usize => "usize",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::Bool => "bool",
            Scalar::Real(k) => REALS[k as usize],
        }
    }

    /// The type that Rust calls so.
    pub fn from_name(name: &str) -> Option<Self> {
        Scalar::ALL.into_iter().find(|s| s.name() == name)
    }

    /// The type of that name in the compiler's own texts: type parameters are among them.
    pub fn from_text(name: &str) -> Option<Self> {
        Scalar::from_name(name).or_else(|| REALS.iter().position(|n| *n == name).map(|k| Scalar::Real(k as u8)))
    }

    /// Bytes of one value (64-bit targets; sizes are planned in elements, so only the frame depends on it). A type
    /// parameter counts as the larger of what it may be.
    pub fn bytes(self) -> u64 {
        match self {
            Scalar::F64 | Scalar::Usize | Scalar::I64 | Scalar::U64 | Scalar::Real(_) => 8,
            Scalar::F32 | Scalar::I32 | Scalar::U32 => 4,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I8 | Scalar::U8 | Scalar::Bool => 1,
        }
    }

    /// Whether arithmetic on it is floating-point arithmetic.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F64 | Scalar::F32 | Scalar::Real(_))
    }

    /// Whether arithmetic on it is integer arithmetic.
    pub fn is_int(self) -> bool {
        !self.is_float() && self != Scalar::Bool
    }

    /// Whether it has negative values.
    pub fn is_signed(self) -> bool {
        self.is_float() || matches!(self, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64)
    }

    /// The smallest and the largest value of an integer type.
    pub fn range(self) -> (i128, i128) {
        let bits = 8 * self.bytes() as u32;
        if self.is_signed() { (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) } else { (0, (1 << bits) - 1) }
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

    /// The scalar types in it.
    pub fn leaf_scalars(&self) -> Vec<Scalar> {
        match self {
            Type::Scalar(s) | Type::Array(s, _) => vec![*s],
            Type::Tuple(ts) => ts.iter().flat_map(Type::leaf_scalars).collect(),
            Type::Fn(ts, r) => ts.iter().chain([&**r]).flat_map(Type::leaf_scalars).collect(),
        }
    }

    /// How many scalars and arrays a value may be made of: a chain of `let`s can double a tuple at every link.
    pub const MAX_LEAVES: usize = 1024;

    /// How many [`leaves`](Type::leaves) it has.
    pub fn leaf_count(&self) -> usize {
        match self {
            Type::Tuple(ts) => ts.iter().map(Type::leaf_count).sum(),
            _ => 1,
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
