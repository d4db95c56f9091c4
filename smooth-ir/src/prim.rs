//! The scalar operations: one row each, with name, spelling in Rust, signature and cost. `meaning.rs` evaluates them.
//!
//! All have shape ∘ (S-ExpNum, S-ExpBool) except `+`, `-`, `*`, `/`, `%`, `min` and `max` of two
//! `usize`, which the shape translation tracks (S-AddCard, S-MulCard).

use crate::ty::{Bound, Scalar};

/// Rust's notation of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Spelling {
    /// `a + b`.
    Infix,
    /// `-a`.
    Prefix,
    /// `a.sqrt()`, `a.powi(b)`.
    Method,
    /// `a as f64`.
    Cast,
    /// A function of the run-time library that kernels do not name.
    Internal,
    /// An internal function that cannot panic: std's `sin` of a strict kernel.
    Function,
}

/// The signature of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Sig {
    /// `(F, …) -> F` for a float type, with this many arguments.
    Float(usize),
    /// `(T, T) -> T` for numbers.
    Arith,
    /// `(T, …) -> T` for numbers, with this many arguments, as a method (`min`, `clamp`).
    Number(usize),
    /// `(T, T) -> bool` for numbers and bools.
    Compare,
    /// `(bool, bool) -> bool`.
    Logic,
    /// `(T, T) -> T` for integers and bools.
    Bits,
    /// `(T, U) -> T` for two integer types.
    Shift,
    /// `(T, …) -> T` for integers, with this many arguments.
    Ints(usize),
    /// `(T, …) -> T` for unsigned integers, with this many arguments.
    Unsigned(usize),
    /// `(T, u32) -> T` for integers.
    Pow,
    /// `(T, u32) -> T` for integers: a number of bits.
    Rotate,
    /// `T -> u32` for integers.
    Count,
    /// `(T, T) -> U` for integers, where `U` is the unsigned type of their width.
    Distance,
    /// `T -> U` for signed integers, where `U` is the unsigned type of their width.
    Magnitude,
    /// `(U, S) -> U` for unsigned integers, where `S` is the signed type of their width.
    WithSigned,
    /// `(S, U) -> S` for signed integers, where `U` is the unsigned type of their width.
    WithUnsigned,
    /// `(T, …) -> bool` for unsigned integers, with this many arguments.
    TestUnsigned(usize),
    /// `(F, i32) -> F` for a float type.
    Powi,
    /// `T -> T` for floats and signed integers.
    Signed,
    /// `T -> T` for bools and integers.
    Not,
    /// `F -> bool` for a float type.
    Test,
    /// `T -> s` for the scalar type `s`.
    To(Scalar),
    /// `(usize, …) -> usize`, with this many arguments.
    Index(usize),
    /// `(bool, T, T) -> T`.
    Choice,
}

/// The methods of floats whose arguments and result have one type: operation, method, arity, cost. Such a method needs
/// one row: `meaning.rs` calls the method of Rust.
///
/// An elementary function has two meanings, and so two operations: that of `smooth-math`, and for strict kernels that
/// of std. Functions of angles have a third one: those of `smooth_math::near` (`schedule/floats/small_angles.rs`).
macro_rules! float_methods {
    ($then:ident! { $($rest:tt)* }) => {
        $then! {
            floats {
                Sqrt sqrt 1, 8;
                MulAdd mul_add 3, 4;
                Recip recip 1, 4;
                Copysign copysign 2, 2;
                Floor floor 1, 4;
                Ceil ceil 1, 4;
                Round round 1, 4;
                Trunc trunc 1, 4;
                Fract fract 1, 4;
                ToRadians to_radians 1, 1;
                ToDegrees to_degrees 1, 1;
            }
            elementary {
                Cbrt StdCbrt cbrt std_cbrt 1;
                Sin StdSin sin std_sin 1;
                Cos StdCos cos std_cos 1;
                Tan StdTan tan std_tan 1;
                Asin StdAsin asin std_asin 1;
                Acos StdAcos acos std_acos 1;
                Atan StdAtan atan std_atan 1;
                Atan2 StdAtan2 atan2 std_atan2 2;
                Sinh StdSinh sinh std_sinh 1;
                Cosh StdCosh cosh std_cosh 1;
                Tanh StdTanh tanh std_tanh 1;
                Asinh StdAsinh asinh std_asinh 1;
                Acosh StdAcosh acosh std_acosh 1;
                Atanh StdAtanh atanh std_atanh 1;
                Exp StdExp exp std_exp 1;
                Exp2 StdExp2 exp2 std_exp2 1;
                ExpM1 StdExpM1 exp_m1 std_exp_m1 1;
                Ln StdLn ln std_ln 1;
                Ln1p StdLn1p ln_1p std_ln_1p 1;
                Log StdLog log std_log 2;
                Log2 StdLog2 log2 std_log2 1;
                Log10 StdLog10 log10 std_log10 1;
                Powf StdPowf powf std_powf 2;
                Hypot StdHypot hypot std_hypot 2;
            }
            near {
                NearSin near_sin Sin sin;
                NearCos near_cos Cos cos;
                NearTan near_tan Tan tan;
            }
            $($rest)*
        }
    };
}
pub(crate) use float_methods;

macro_rules! prims {
    (
        floats { $($q:ident $method:ident $arity:tt, $q_cost:literal;)* }
        elementary { $($e:ident $std:ident $function:ident $std_function:ident $e_arity:tt;)* }
        near { $($near:ident $near_function:ident $far:ident $of:ident;)* }
        $($p:ident $name:literal $spelling:ident $sig:expr, $cost:literal;)*
    ) => {
        /// A scalar operation.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum Prim {
            $(#[doc = $name] $p,)*
            $(#[doc = stringify!($method)] $q,)*
            $(#[doc = stringify!($function)] $e, #[doc = stringify!($std_function)] $std,)*
            $(#[doc = stringify!($near_function)] $near),*
        }

        impl Prim {
            /// Every row.
            pub const ALL: &[Prim] = &[$(Prim::$p,)* $(Prim::$q,)* $(Prim::$e, Prim::$std,)* $(Prim::$near),*];

            /// Its name: the operator, the method, or the type of a cast.
            pub fn name(self) -> &'static str {
                match self {
                    $(Prim::$p => $name,)*
                    $(Prim::$q => stringify!($method),)*
                    $(Prim::$e => stringify!($function), Prim::$std => stringify!($std_function),)*
                    $(Prim::$near => stringify!($near_function)),*
                }
            }

            /// Its spelling in Rust.
            pub fn spelling(self) -> Spelling {
                match self {
                    $(Prim::$p => Spelling::$spelling,)*
                    $(Prim::$std)|* | $(Prim::$near)|* => Spelling::Function,
                    _ => Spelling::Method,
                }
            }

            fn sig(self) -> Sig {
                match self {
                    $(Prim::$p => $sig,)*
                    $(Prim::$q => Sig::Float($arity),)*
                    $(Prim::$e | Prim::$std => Sig::Float($e_arity),)*
                    $(Prim::$near)|* => Sig::Float(1),
                }
            }

            /// A rough cost in additions; from 8 on an operation is not worth computing twice.
            pub fn cost(self) -> u32 {
                match self {
                    $(Prim::$p => $cost,)*
                    $(Prim::$q => $q_cost,)*
                    $(Prim::$e | Prim::$std)|* | $(Prim::$near)|* => 16,
                }
            }

            /// The operation that it is in a strict kernel.
            pub fn strict(self) -> Prim {
                match self {
                    $(Prim::$e => Prim::$std,)*
                    _ => self,
                }
            }

            /// Whether it is an elementary function, of `smooth-math` or of std.
            pub fn is_elementary(self) -> bool {
                matches!(self, $(Prim::$e | Prim::$std)|* | $(Prim::$near)|*)
            }

            /// Whether it is a function of `smooth-math` without a call.
            pub fn is_straight(self) -> bool {
                match self {
                    $(Prim::$near)|* => true,
                    p => p.strict() != p && p.near().is_none(),
                }
            }

            /// The variant of a function of an angle for angles that are not large.
            pub fn near(self) -> Option<Prim> {
                match self {
                    $(Prim::$far => Some(Prim::$near),)*
                    _ => None,
                }
            }
        }
    };
}

float_methods! { prims! {
    Add "+" Infix Sig::Arith, 1;
    Sub "-" Infix Sig::Arith, 1;
    Mul "*" Infix Sig::Arith, 1;
    Div "/" Infix Sig::Arith, 4;
    Rem "%" Infix Sig::Arith, 8;
    Neg "neg" Prefix Sig::Signed, 1;
    Not "not" Prefix Sig::Not, 1;
    And "&&" Infix Sig::Logic, 1;
    Or "||" Infix Sig::Logic, 1;
    Eq "==" Infix Sig::Compare, 1;
    Ne "!=" Infix Sig::Compare, 1;
    Lt "<" Infix Sig::Compare, 1;
    Le "<=" Infix Sig::Compare, 1;
    Gt ">" Infix Sig::Compare, 1;
    Ge ">=" Infix Sig::Compare, 1;
    BitAnd "&" Infix Sig::Bits, 1;
    BitOr "|" Infix Sig::Bits, 1;
    BitXor "^" Infix Sig::Bits, 1;
    Shl "<<" Infix Sig::Shift, 1;
    Shr ">>" Infix Sig::Shift, 1;
    Min "min" Method Sig::Number(2), 2;
    Max "max" Method Sig::Number(2), 2;
    Clamp "clamp" Method Sig::Number(3), 4;
    DivEuclid "div_euclid" Method Sig::Number(2), 8;
    RemEuclid "rem_euclid" Method Sig::Number(2), 8;
    Pow "pow" Method Sig::Pow, 8;
    WrappingAdd "wrapping_add" Method Sig::Ints(2), 1;
    WrappingSub "wrapping_sub" Method Sig::Ints(2), 1;
    WrappingMul "wrapping_mul" Method Sig::Ints(2), 1;
    WrappingNeg "wrapping_neg" Method Sig::Ints(1), 1;
    WrappingShl "wrapping_shl" Method Sig::Rotate, 1;
    WrappingShr "wrapping_shr" Method Sig::Rotate, 1;
    WrappingPow "wrapping_pow" Method Sig::Pow, 8;
    SaturatingAdd "saturating_add" Method Sig::Ints(2), 2;
    SaturatingSub "saturating_sub" Method Sig::Ints(2), 2;
    SaturatingMul "saturating_mul" Method Sig::Ints(2), 2;
    SaturatingPow "saturating_pow" Method Sig::Pow, 8;
    RotateLeft "rotate_left" Method Sig::Rotate, 1;
    RotateRight "rotate_right" Method Sig::Rotate, 1;
    SwapBytes "swap_bytes" Method Sig::Ints(1), 1;
    ReverseBits "reverse_bits" Method Sig::Ints(1), 4;
    Isqrt "isqrt" Method Sig::Ints(1), 16;
    CountOnes "count_ones" Method Sig::Count, 2;
    CountZeros "count_zeros" Method Sig::Count, 2;
    LeadingZeros "leading_zeros" Method Sig::Count, 2;
    LeadingOnes "leading_ones" Method Sig::Count, 2;
    TrailingZeros "trailing_zeros" Method Sig::Count, 2;
    TrailingOnes "trailing_ones" Method Sig::Count, 2;
    Ilog2 "ilog2" Method Sig::Count, 2;
    Ilog10 "ilog10" Method Sig::Count, 8;
    AbsDiff "abs_diff" Method Sig::Distance, 2;
    SaturatingAddSigned "saturating_add_signed" Method Sig::WithSigned, 2;
    SaturatingSubSigned "saturating_sub_signed" Method Sig::WithSigned, 2;
    WrappingAddSigned "wrapping_add_signed" Method Sig::WithSigned, 1;
    WrappingSubSigned "wrapping_sub_signed" Method Sig::WithSigned, 1;
    SaturatingAddUnsigned "saturating_add_unsigned" Method Sig::WithUnsigned, 2;
    SaturatingSubUnsigned "saturating_sub_unsigned" Method Sig::WithUnsigned, 2;
    WrappingAddUnsigned "wrapping_add_unsigned" Method Sig::WithUnsigned, 1;
    WrappingSubUnsigned "wrapping_sub_unsigned" Method Sig::WithUnsigned, 1;
    UnsignedAbs "unsigned_abs" Method Sig::Magnitude, 1;
    DivCeil "div_ceil" Method Sig::Unsigned(2), 8;
    NextMultipleOf "next_multiple_of" Method Sig::Unsigned(2), 8;
    NextPowerOfTwo "next_power_of_two" Method Sig::Unsigned(1), 4;
    IsPowerOfTwo "is_power_of_two" Method Sig::TestUnsigned(1), 2;
    IsMultipleOf "is_multiple_of" Method Sig::TestUnsigned(2), 8;
    ToF64 "f64" Cast Sig::To(Scalar::F64), 1;
    ToF32 "f32" Cast Sig::To(Scalar::F32), 1;
    ToUsize "usize" Cast Sig::To(Scalar::Usize), 2;
    ToI8 "i8" Cast Sig::To(Scalar::I8), 2;
    ToI16 "i16" Cast Sig::To(Scalar::I16), 2;
    ToI32 "i32" Cast Sig::To(Scalar::I32), 1;
    ToI64 "i64" Cast Sig::To(Scalar::I64), 2;
    ToIsize "isize" Cast Sig::To(Scalar::Isize), 2;
    ToU8 "u8" Cast Sig::To(Scalar::U8), 2;
    ToU16 "u16" Cast Sig::To(Scalar::U16), 2;
    ToU32 "u32" Cast Sig::To(Scalar::U32), 2;
    ToU64 "u64" Cast Sig::To(Scalar::U64), 2;
    ToI128 "i128" Cast Sig::To(Scalar::I128), 2;
    ToU128 "u128" Cast Sig::To(Scalar::U128), 2;
    ToT0 "T0" Cast Sig::To(Scalar::Open(Bound::Real, 0)), 1;
    ToT1 "T1" Cast Sig::To(Scalar::Open(Bound::Real, 1)), 1;
    ToT2 "T2" Cast Sig::To(Scalar::Open(Bound::Real, 2)), 1;
    ToT3 "T3" Cast Sig::To(Scalar::Open(Bound::Real, 3)), 1;
    ToNumber0 "Number0" Cast Sig::To(Scalar::Open(Bound::Number, 0)), 2;
    ToNumber1 "Number1" Cast Sig::To(Scalar::Open(Bound::Number, 1)), 2;
    ToNumber2 "Number2" Cast Sig::To(Scalar::Open(Bound::Number, 2)), 2;
    ToNumber3 "Number3" Cast Sig::To(Scalar::Open(Bound::Number, 3)), 2;
    Contract "contract" Internal Sig::Float(3), 2;
    Choose "choose" Internal Sig::Choice, 1;
    Opaque "opaque" Internal Sig::Number(1), 1;
    Powi "powi" Method Sig::Powi, 8;
    Abs "abs" Method Sig::Signed, 1;
    Signum "signum" Method Sig::Signed, 2;
    IsNan "is_nan" Method Sig::Test, 1;
    IsFinite "is_finite" Method Sig::Test, 1;
    IsInfinite "is_infinite" Method Sig::Test, 1;
    OneOf "one_of" Internal Sig::Index(2), 1;
    Within "within" Internal Sig::Index(2), 1;
    Through "through" Internal Sig::Index(2), 2;
    Steps "steps" Internal Sig::Index(2), 8;
    StepsThrough "steps_through" Internal Sig::Index(3), 8;
} }

impl Prim {
    /// The names of all methods.
    pub fn methods() -> impl Iterator<Item = &'static str> {
        Prim::ALL.iter().filter(|p| p.spelling() == Spelling::Method).map(|p| p.name())
    }

    /// The operation with this spelling and name in Rust.
    pub fn find(spelling: Spelling, name: &str) -> Option<Prim> {
        Prim::ALL.iter().copied().find(|p| p.spelling() == spelling && p.name() == name)
    }

    /// The cast to a type, if the language has it.
    pub fn cast(to: Scalar) -> Option<Prim> {
        Prim::find(Spelling::Cast, to.name())
    }

    /// The type that a cast converts to.
    pub fn target(self) -> Option<Scalar> {
        match self.sig() {
            Sig::To(to) => Some(to),
            _ => None,
        }
    }

    /// The number of arguments.
    pub fn arity(self) -> usize {
        match self.sig() {
            Sig::Float(n) | Sig::Number(n) | Sig::Ints(n) | Sig::Unsigned(n) => n,
            Sig::TestUnsigned(n) | Sig::Index(n) => n,
            Sig::Choice => 3,
            Sig::Signed | Sig::Not | Sig::Test | Sig::Count | Sig::Magnitude | Sig::To(_) => 1,
            _ => 2,
        }
    }

    /// The type that a second argument takes if it is a literal, after a first one of type `first`.
    pub fn second(self, first: Scalar) -> Scalar {
        match self.sig() {
            Sig::Powi => Scalar::I32,
            Sig::Pow | Sig::Rotate | Sig::Shift => Scalar::U32,
            Sig::WithSigned => first.signed(),
            Sig::WithUnsigned => first.unsigned(),
            _ => first,
        }
    }

    /// Whether the second argument has the width of the first one, and the opposite signedness.
    pub fn is_mixed(self) -> bool {
        matches!(self.sig(), Sig::WithSigned | Sig::WithUnsigned)
    }

    /// The result type, if it does not depend on the arguments.
    pub fn always(self) -> Option<Scalar> {
        match self.sig() {
            Sig::Compare | Sig::Logic | Sig::Test | Sig::TestUnsigned(_) => Some(Scalar::Bool),
            Sig::Count => Some(Scalar::U32),
            Sig::To(to) => Some(to),
            _ => None,
        }
    }

    /// Whether the result has the unsigned type of the width of the first argument.
    pub fn unsigns(self) -> bool {
        matches!(self.sig(), Sig::Distance | Sig::Magnitude)
    }

    /// The result type for arguments of these types, or a description of the arguments that it takes.
    pub fn result(self, args: &[Scalar]) -> Result<Scalar, &'static str> {
        use Scalar::Bool;
        let same = args.windows(2).all(|w| w[0] == w[1]);
        let first = args[0];
        let second = args.get(1).copied();
        match self.sig() {
            Sig::Float(_) if same && first.is_float() => Ok(first),
            Sig::Float(_) => Err("floats of the same type"),
            Sig::Arith | Sig::Number(_) if same && first.is_number() => Ok(first),
            Sig::Arith | Sig::Number(_) => Err("numbers of the same type"),
            Sig::Compare if same => Ok(Bool),
            Sig::Compare => Err("two values of the same type"),
            Sig::Logic if same && first == Bool => Ok(Bool),
            Sig::Logic => Err("two `bool`s"),
            Sig::Bits if same && (first.is_int() || first == Bool) => Ok(first),
            Sig::Bits => Err("two integers or `bool`s of the same type"),
            Sig::Shift if first.is_int() && second.is_some_and(Scalar::is_int) => Ok(first),
            Sig::Shift => Err("integers"),
            Sig::Ints(_) if same && first.is_int() => Ok(first),
            Sig::Distance if same && first.is_int() => Ok(first.unsigned()),
            Sig::Ints(1) => Err("an integer"),
            Sig::Ints(_) | Sig::Distance => Err("two integers of the same type"),
            Sig::Unsigned(_) if same && first.is_unsigned() => Ok(first),
            Sig::TestUnsigned(_) if same && first.is_unsigned() => Ok(Bool),
            Sig::Unsigned(1) | Sig::TestUnsigned(1) => Err("an unsigned integer"),
            Sig::Unsigned(_) | Sig::TestUnsigned(_) => Err("two unsigned integers of the same type"),
            Sig::WithSigned if first.is_unsigned() && second == Some(first.signed()) => Ok(first),
            Sig::WithSigned => Err("an unsigned integer and a signed one of its width"),
            Sig::WithUnsigned if first.is_int() && first.is_signed() && second == Some(first.unsigned()) => Ok(first),
            Sig::WithUnsigned => Err("a signed integer and an unsigned one of its width"),
            Sig::Magnitude if first.is_int() && first.is_signed() => Ok(first.unsigned()),
            Sig::Magnitude => Err("a signed integer"),
            Sig::Rotate if first.is_int() && second == Some(Scalar::U32) => Ok(first),
            Sig::Rotate => Err("an integer and a number of bits of type `u32`"),
            Sig::Pow if first.is_int() && second == Some(Scalar::U32) => Ok(first),
            Sig::Pow => Err("an integer and an exponent of type `u32` (for floats use `powi`)"),
            Sig::Count if first.is_int() => Ok(Scalar::U32),
            Sig::Count => Err("an integer"),
            Sig::Powi if first.is_float() && second == Some(Scalar::I32) => Ok(first),
            Sig::Powi => Err("a float and an integer exponent (`i32`)"),
            Sig::Signed if first.is_signed() => Ok(first),
            Sig::Signed => Err("a float or a signed integer"),
            Sig::Not if first.is_int() || first == Bool => Ok(first),
            Sig::Not => Err("`bool` or an integer"),
            Sig::Test if first.is_float() => Ok(Bool),
            Sig::Test => Err("a float"),
            Sig::To(to) if first == Bool && !to.is_int() => Err("a number"),
            Sig::To(_) if matches!(first, Scalar::Open(Bound::Scalar, _)) => Err("a number"),
            Sig::To(to) => Ok(to),
            Sig::Choice if first == Bool && args[1..].windows(2).all(|w| w[0] == w[1]) => Ok(args[1]),
            Sig::Choice => Err("a `bool` and two values of the same type"),
            Sig::Index(_) if same && first == Scalar::Usize => Ok(first),
            Sig::Index(_) => Err("an index and a count"),
        }
    }

    /// Whether it may panic for some operands, if its result has the type `result`.
    pub fn may_panic(self, result: Scalar) -> bool {
        use Prim::{Clamp, Ilog2, Ilog10, Isqrt, Max, Min};
        match self.sig() {
            Sig::Unsigned(_) => true,
            Sig::Ints(_) | Sig::Count => matches!(self, Isqrt | Ilog2 | Ilog10),
            Sig::Arith | Sig::Signed | Sig::Shift | Sig::Pow => result.may_overflow(),
            Sig::Index(_) => true,
            Sig::Number(_) => self == Clamp || result.may_overflow() && !matches!(self, Min | Max),
            _ => false,
        }
    }

    /// Whether its value is the same on every machine, so that it may be folded at compile time: the integer
    /// operations, the float operations that IEEE 754 rounds correctly, and the elementary functions of `smooth-math`.
    pub fn exact(self) -> bool {
        use Prim::{Contract, DivEuclid, MulAdd, Rem, RemEuclid, Sqrt};
        let on_integers =
            matches!(self.sig(), Sig::Pow | Sig::Ints(_) | Sig::Unsigned(_) | Sig::TestUnsigned(_) | Sig::Count);
        self.cost() < 8 && !matches!(self, MulAdd | Contract)
            || on_integers
            || matches!(self, Rem | Sqrt | DivEuclid | RemEuclid)
            || self.strict() != self
    }
}
