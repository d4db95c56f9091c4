//! Types, shared by every language of the pipeline (Fig. 1: `T`, `M`, `Num`).

use crate::mapped::Mapped;
use std::fmt;

/// The element types.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Scalar {
    /// The paper's `Double`.
    F64,
    /// `f32`.
    F32,
    /// The paper's `Index` and `Card` in one: the shape translation decides whether a `usize` may be a size, not its
    /// type.
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
    /// `u32`, the type of the right operand of shifts and of `pow`.
    U32,
    /// `u64`.
    U64,
    /// `isize`: the offsets of indices.
    Isize,
    /// `i128`, of local values only.
    I128,
    /// `u128`, of local values only.
    U128,
    /// `Bool`.
    Bool,
    /// The kernel's type parameter with this number: one of the types of its bound, as the caller chooses.
    Open(Bound, u8),
}

/// The bound of a type parameter. Each admits fewer types than the one before it, and has more operations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Bound {
    /// `T: Scalar`: every scalar type. Its values are copied and compared.
    Scalar,
    /// `T: Number`: integers and floats.
    Number,
    /// `T: Real`: floats.
    Real,
}

impl Bound {
    /// All of them.
    pub const ALL: [Bound; 3] = [Bound::Scalar, Bound::Number, Bound::Real];

    /// The name of the trait.
    pub fn name(self) -> &'static str {
        match self {
            Bound::Scalar => "Scalar",
            Bound::Number => "Number",
            Bound::Real => "Real",
        }
    }

    /// The bound with this name.
    pub fn from_name(name: &str) -> Option<Bound> {
        Bound::ALL.into_iter().find(|b| b.name() == name)
    }

    /// Whether a type is one of those that it admits.
    pub fn admits(self, s: Scalar) -> bool {
        match (self, s) {
            (own, Scalar::Open(other, _)) => other >= own,
            (Bound::Scalar, _) => true,
            (Bound::Number, s) => s.is_number(),
            (Bound::Real, s) => s.is_float(),
        }
    }

    /// The type parameters with this bound, by their numbers.
    fn params(self) -> &'static [&'static str; Scalar::MAX_OPEN] {
        match self {
            Bound::Scalar => &["Scalar0", "Scalar1", "Scalar2", "Scalar3"],
            Bound::Number => &["Number0", "Number1", "Number2", "Number3"],
            Bound::Real => &["T0", "T1", "T2", "T3"],
        }
    }
}

impl Scalar {
    /// The maximum number of type parameters of a kernel.
    pub const MAX_OPEN: usize = 4;

    /// All type parameters.
    pub fn all_open() -> impl Iterator<Item = Scalar> {
        Bound::ALL.into_iter().flat_map(|b| (0..Scalar::MAX_OPEN as u8).map(move |k| Scalar::Open(b, k)))
    }

    /// The type parameters of a kernel with these bounds.
    pub fn params(bounds: &[Bound]) -> impl Iterator<Item = Scalar> {
        bounds.iter().zip(0..).map(|(b, k)| Scalar::Open(*b, k))
    }

    /// The types that have a name in Rust: all but type parameters.
    pub const ALL: [Scalar; 15] = [
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
        Scalar::Isize,
        Scalar::I128,
        Scalar::U128,
        Scalar::Bool,
    ];

    /// The name in Rust, or in the compiler for a type parameter.
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
            Scalar::Isize => "isize",
            Scalar::I128 => "i128",
            Scalar::U128 => "u128",
            Scalar::Bool => "bool",
            Scalar::Open(b, k) => b.params()[k as usize],
        }
    }

    /// The type with this name in Rust.
    pub fn from_name(name: &str) -> Option<Self> {
        Scalar::ALL.into_iter().find(|s| s.name() == name)
    }

    /// The type with this name in the compiler's notation, type parameters included.
    pub fn from_text(name: &str) -> Option<Self> {
        Scalar::from_name(name).or_else(|| Scalar::all_open().find(|s| s.name() == name))
    }

    /// The bytes of one value on a 64-bit target; only the size of the frame depends on it. A type parameter counts as
    /// the largest of its types.
    pub fn bytes(self) -> u64 {
        match self {
            Scalar::I128 | Scalar::U128 | Scalar::Open(Bound::Scalar | Bound::Number, _) => 16,
            Scalar::F64 | Scalar::Usize | Scalar::I64 | Scalar::U64 | Scalar::Isize => 8,
            Scalar::Open(Bound::Real, _) => 8,
            Scalar::F32 | Scalar::I32 | Scalar::U32 => 4,
            Scalar::I16 | Scalar::U16 => 2,
            Scalar::I8 | Scalar::U8 | Scalar::Bool => 1,
        }
    }

    /// Whether it is a type parameter, so that its values are not known before the caller is.
    pub fn is_open(self) -> bool {
        matches!(self, Scalar::Open(..))
    }

    /// Whether it has arithmetic.
    pub fn is_number(self) -> bool {
        !matches!(self, Scalar::Bool | Scalar::Open(Bound::Scalar, _))
    }

    /// Whether arithmetic on it is floating-point arithmetic.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F64 | Scalar::F32 | Scalar::Open(Bound::Real, _))
    }

    /// Whether arithmetic on it is integer arithmetic.
    pub fn is_int(self) -> bool {
        self.is_number() && !self.is_float() && !self.is_open()
    }

    /// Whether arithmetic on it is, or may turn out to be, integer arithmetic, which panics where it overflows.
    pub fn may_overflow(self) -> bool {
        self.is_number() && !self.is_float()
    }

    /// Whether its literals are kept as floats: those of type parameters are, until the type is known.
    pub fn has_float_literals(self) -> bool {
        self.is_float() || self.is_open()
    }

    /// Whether it has negative values.
    pub fn is_signed(self) -> bool {
        let integer = matches!(self, Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::I128);
        self.is_float() || integer || self == Scalar::Isize
    }

    /// Whether it is an unsigned integer.
    pub fn is_unsigned(self) -> bool {
        self.is_int() && !self.is_signed()
    }

    /// Whether sizes may depend on numbers of this type: an unsigned one, no wider than a `usize` of 64 bits.
    pub fn is_count(self) -> bool {
        self.is_unsigned() && !self.is_wide()
    }

    /// The unsigned type of the width of an integer type.
    pub fn unsigned(self) -> Scalar {
        match self {
            Scalar::I8 => Scalar::U8,
            Scalar::I16 => Scalar::U16,
            Scalar::I32 => Scalar::U32,
            Scalar::I64 => Scalar::U64,
            Scalar::I128 => Scalar::U128,
            Scalar::Isize => Scalar::Usize,
            s => s,
        }
    }

    /// The signed type of the width of an integer type.
    pub fn signed(self) -> Scalar {
        match self {
            Scalar::U8 => Scalar::I8,
            Scalar::U16 => Scalar::I16,
            Scalar::U32 => Scalar::I32,
            Scalar::U64 => Scalar::I64,
            Scalar::U128 => Scalar::I128,
            Scalar::Usize => Scalar::Isize,
            s => s,
        }
    }

    /// Whether its width is that of an address.
    fn is_address(self) -> bool {
        matches!(self, Scalar::Usize | Scalar::Isize)
    }

    /// Whether its values do not fit in a machine word, so that it is not a type of parameters and results.
    pub fn is_wide(self) -> bool {
        matches!(self, Scalar::I128 | Scalar::U128)
    }

    /// Whether this type has every value of `other`, on every platform: Rust's `From`. A `bool` is 0 or 1.
    pub fn holds(self, other: Scalar) -> bool {
        match (self, other) {
            _ if self == other => true,
            (Scalar::F64, Scalar::F32) => true,
            (Scalar::F64 | Scalar::F32, _) => {
                other == Scalar::Bool || other.is_int() && !other.is_address() && 2 * other.bytes() <= self.bytes()
            }
            _ if !self.is_int() => false,
            _ if other == Scalar::Bool => true,
            _ if !other.is_int() => false,
            _ if other.is_address() => false,
            (Scalar::Usize, _) => matches!(other, Scalar::U8 | Scalar::U16),
            (Scalar::Isize, _) => matches!(other, Scalar::U8 | Scalar::I8 | Scalar::I16),
            _ => self.least() <= other.least() && other.most() <= self.most(),
        }
    }

    /// The smallest value of an integer type.
    pub fn least(self) -> i128 {
        if self.is_signed() { i128::MIN >> (128 - 8 * self.bytes()) } else { 0 }
    }

    /// The largest value of an integer type. Of a type parameter: the largest integer up to which each is a float, too.
    pub fn most(self) -> u128 {
        if self.is_open() {
            return 1 << f64::MANTISSA_DIGITS;
        }
        u128::MAX >> (128 - 8 * self.bytes() + u64::from(self.is_signed()))
    }
}

/// A type, without sizes: shapes are inferred (Fig. 8).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum Type {
    /// `Num` and `Bool`.
    Scalar(Scalar),
    /// `Array<Array<…>>`, `rank` levels deep; rank is at least 1.
    Array(Scalar, usize),
    /// A tuple.
    Tuple(Vec<Type>),
    /// `rank` levels of arrays of tuples, as the user sees them; rank is at least 1. F̃ has a tuple of arrays instead
    /// ([`stored`](Type::stored)), so that this form exists in `elaborate` and in interfaces only.
    Records(Vec<Type>, usize),
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

    /// The array of `elem` in F̃, in which an array of tuples is a tuple of arrays. `None` if the language does not
    /// have such an array.
    pub fn array_of(elem: &Type) -> Option<Type> {
        match elem {
            Type::Scalar(s) => Some(Type::Array(*s, 1)),
            Type::Array(s, rank) => Some(Type::Array(*s, rank + 1)),
            Type::Tuple(ts) if !ts.is_empty() => ts.iter().map(Type::array_of).all_some().map(Type::Tuple),
            Type::Records(..) => Type::array_of(&elem.stored()),
            Type::Tuple(_) | Type::Fn(..) => None,
        }
    }

    /// The array of `elem` as the user sees it: an array of tuples is not a tuple of arrays.
    pub fn list_of(elem: &Type) -> Option<Type> {
        let storable = Type::array_of(elem)?;
        Some(match elem {
            Type::Tuple(ts) => Type::Records(ts.clone(), 1),
            Type::Records(ts, rank) => Type::Records(ts.clone(), rank + 1),
            _ => storable,
        })
    }

    /// The type in F̃ of a value that has this type for the user.
    pub fn stored(&self) -> Type {
        match self {
            Type::Scalar(_) | Type::Array(..) => self.clone(),
            Type::Tuple(ts) => Type::Tuple(ts.iter().mapped(Type::stored)),
            Type::Records(ts, rank) => {
                let element = Type::Tuple(ts.iter().mapped(Type::stored));
                (0..*rank).fold(element, |t, _| Type::array_of(&t).unwrap_or(t))
            }
            Type::Fn(ts, r) => Type::Fn(ts.iter().mapped(Type::stored), Box::new(r.stored())),
        }
    }

    /// Whether an array of tuples occurs in it.
    pub fn has_records(&self) -> bool {
        match self {
            Type::Scalar(_) | Type::Array(..) => false,
            Type::Records(..) => true,
            Type::Tuple(ts) => ts.iter().any(Type::has_records),
            Type::Fn(ts, r) => ts.iter().any(Type::has_records) || r.has_records(),
        }
    }

    /// The type of an element. The element of a tuple of arrays is the tuple of their elements.
    pub fn element(&self) -> Option<Type> {
        match self {
            Type::Array(s, 1) => Some(Type::Scalar(*s)),
            Type::Array(s, rank) => Some(Type::Array(*s, rank - 1)),
            Type::Records(ts, 1) => Some(Type::Tuple(ts.clone())),
            Type::Records(ts, rank) => Some(Type::Records(ts.clone(), rank - 1)),
            Type::Tuple(ts) if !ts.is_empty() => ts.iter().map(Type::element).all_some().map(Type::Tuple),
            _ => None,
        }
    }

    /// The number of indices that a value of this type takes: the rank of an array; of a tuple of arrays, the lowest
    /// rank.
    pub fn depth(&self) -> usize {
        match self {
            Type::Tuple(ts) => ts.iter().map(Type::depth).min().unwrap_or(0),
            t => t.rank(),
        }
    }

    /// The scalar type, if it is one.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Type::Scalar(s) => Some(*s),
            _ => None,
        }
    }

    /// The scalar type of something that an earlier check found to be a scalar. Panics with the type if it is not one:
    /// that is a bug of the compiler.
    pub fn expect_scalar(&self) -> Scalar {
        self.scalar().unwrap_or_else(|| panic!("a value of type {self} where a scalar was checked"))
    }

    /// Whether it is an array.
    pub fn is_array(&self) -> bool {
        matches!(self, Type::Array(..) | Type::Records(..))
    }

    /// Whether it is a function.
    pub fn is_fn(&self) -> bool {
        matches!(self, Type::Fn(..))
    }

    /// The number of nested array levels; 0 for a scalar.
    pub fn rank(&self) -> usize {
        match self {
            Type::Array(_, rank) | Type::Records(_, rank) => *rank,
            _ => 0,
        }
    }

    /// The scalar types that occur in it, left to right.
    pub fn leaf_scalars(&self) -> Vec<Scalar> {
        match self {
            Type::Scalar(s) | Type::Array(s, _) => vec![*s],
            Type::Tuple(ts) | Type::Records(ts, _) => ts.iter().flat_map(Type::leaf_scalars).collect_vec(),
            Type::Fn(ts, r) => ts.iter().chain([&**r]).flat_map(Type::leaf_scalars).collect_vec(),
        }
    }

    /// The largest number of leaves of a value: a chain of `let`s can double a tuple at every link.
    pub const MAX_LEAVES: usize = 1024;

    /// The number of its [`leaves`](Type::leaves).
    pub fn leaf_count(&self) -> usize {
        match self {
            Type::Tuple(ts) | Type::Records(ts, _) => ts.iter().map(Type::leaf_count).sum(),
            _ => 1,
        }
    }

    /// The scalars, arrays and functions in it, left to right: tuples flattened.
    pub fn leaves(&self) -> Vec<Type> {
        match self {
            Type::Tuple(ts) => ts.iter().flat_map(Type::leaves).collect_vec(),
            Type::Records(..) => self.stored().leaves(),
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
            Type::Records(ts, rank) => {
                write!(f, "{}(", "[".repeat(*rank))?;
                list(f, ts)?;
                write!(f, "){}", "]".repeat(*rank))
            }
            Type::Fn(ts, r) => {
                f.write_str("fn(")?;
                list(f, ts)?;
                write!(f, ") -> {r}")
            }
        }
    }
}
