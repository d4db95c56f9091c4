//! The operations on integers: those of Rust's own types. A [`Lit::Int`] has the bits of its value, so that a `u128`
//! above `i128::MAX` is negative there.

use super::Outcome;
use crate::prim::Prim;
use crate::ty::Scalar;
use crate::value::Lit;

const OVERFLOW: &str = "attempt to compute with overflow";
const BY_ZERO: &str = "attempt to divide by zero";

/// Operations of signed integers alone, and of unsigned ones alone.
macro_rules! own {
    (signed $p:ident $x:ident $y:ident $z:ident $s:ident $checked:ident) => {
        match $p {
            Prim::Neg => $checked($x.checked_neg()),
            Prim::Abs => $checked($x.checked_abs()),
            Prim::Signum => $checked(Some($x.signum())),
            Prim::UnsignedAbs => Ok(Lit::Int($x.unsigned_abs() as i128, $s.unsigned())),
            Prim::SaturatingAddUnsigned => $checked(Some($x.saturating_add_unsigned($y as _))),
            Prim::SaturatingSubUnsigned => $checked(Some($x.saturating_sub_unsigned($y as _))),
            Prim::WrappingAddUnsigned => $checked(Some($x.wrapping_add_unsigned($y as _))),
            Prim::WrappingSubUnsigned => $checked(Some($x.wrapping_sub_unsigned($y as _))),
            Prim::Isqrt => $x
                .checked_isqrt()
                .map(|r| Lit::Int(r as i128, $s))
                .ok_or("argument of integer square root cannot be negative"),
            _ => unreachable!("checked by `result`"),
        }
    };
    (unsigned $p:ident $x:ident $y:ident $z:ident $s:ident $checked:ident) => {
        match $p {
            Prim::SaturatingAddSigned => $checked(Some($x.saturating_add_signed($y as _))),
            Prim::SaturatingSubSigned => $checked(Some($x.saturating_sub_signed($y as _))),
            Prim::WrappingAddSigned => $checked(Some($x.wrapping_add_signed($y as _))),
            Prim::WrappingSubSigned => $checked(Some($x.wrapping_sub_signed($y as _))),
            Prim::Isqrt => $checked(Some($x.isqrt())),
            Prim::DivCeil | Prim::NextMultipleOf if $y == 0 => Err(BY_ZERO),
            Prim::DivCeil => $checked(Some($x.div_ceil($y))),
            Prim::NextMultipleOf => $checked($x.checked_next_multiple_of($y)),
            Prim::Through if $x > $y => $checked(Some(0)),
            Prim::Through => $checked(Some(($y - $x).saturating_add(1))),
            Prim::Steps if $y == 0 => Err("assertion failed: step != 0"),
            Prim::Steps => $checked(Some($x.div_ceil($y))),
            Prim::StepsThrough if $z == 0 => Err("assertion failed: step != 0"),
            Prim::StepsThrough if $x == 0 => $checked(Some(0)),
            Prim::StepsThrough => $checked(Some(($y / $z).saturating_add(1))),
            Prim::NextPowerOfTwo => $checked($x.checked_next_power_of_two()),
            Prim::IsPowerOfTwo => Ok(Lit::Bool($x.is_power_of_two())),
            Prim::IsMultipleOf => Ok(Lit::Bool($x.is_multiple_of($y))),
            _ => unreachable!("checked by `result`"),
        }
    };
}

/// The operation on one type.
macro_rules! one_type {
    ($t:ident $sign:ident $p:ident $a:ident $s:ident) => {{
        use Prim::*;
        let n = |k: usize| $a.get(k).and_then(|l| l.as_int()).unwrap_or(0);
        let (x, y, z) = (n(0) as $t, n(1) as $t, n(2) as $t);
        // A number of bits, or an exponent.
        let m = n(1) as u32;
        let shift = u32::try_from(n(1)).unwrap_or(u32::MAX);
        let is = |i: $t| Ok(Lit::Int(i as i128, $s));
        let checked = |i: Option<$t>| i.map(|i| Lit::Int(i as i128, $s)).ok_or(OVERFLOW);
        let counted = |n: u32| Ok(Lit::Int(n.into(), Scalar::U32));
        match $p {
            Add => checked(x.checked_add(y)),
            Sub => checked(x.checked_sub(y)),
            Mul => checked(x.checked_mul(y)),
            Div | Rem | DivEuclid | RemEuclid if y == 0 => Err(BY_ZERO),
            Div => checked(x.checked_div(y)),
            Rem => checked(x.checked_rem(y)),
            DivEuclid => checked(x.checked_div_euclid(y)),
            RemEuclid => checked(x.checked_rem_euclid(y)),
            Min => is(x.min(y)),
            Max => is(x.max(y)),
            Clamp if y > z => Err("assertion failed: min <= max"),
            Clamp => is(x.clamp(y, z)),
            Not => is(!x),
            BitAnd => is(x & y),
            BitOr => is(x | y),
            BitXor => is(x ^ y),
            Shl => x.checked_shl(shift).map(|i| Lit::Int(i as i128, $s)).ok_or("attempt to shift with overflow"),
            Shr => x.checked_shr(shift).map(|i| Lit::Int(i as i128, $s)).ok_or("attempt to shift with overflow"),
            Pow => checked(x.checked_pow(m)),
            WrappingAdd => is(x.wrapping_add(y)),
            WrappingSub => is(x.wrapping_sub(y)),
            WrappingMul => is(x.wrapping_mul(y)),
            WrappingNeg => is(x.wrapping_neg()),
            WrappingShl => is(x.wrapping_shl(m)),
            WrappingShr => is(x.wrapping_shr(m)),
            WrappingPow => is(x.wrapping_pow(m)),
            SaturatingAdd => is(x.saturating_add(y)),
            SaturatingSub => is(x.saturating_sub(y)),
            SaturatingMul => is(x.saturating_mul(y)),
            SaturatingPow => is(x.saturating_pow(m)),
            RotateLeft => is(x.rotate_left(m)),
            RotateRight => is(x.rotate_right(m)),
            SwapBytes => is(x.swap_bytes()),
            ReverseBits => is(x.reverse_bits()),
            CountOnes => counted(x.count_ones()),
            CountZeros => counted(x.count_zeros()),
            LeadingZeros => counted(x.leading_zeros()),
            LeadingOnes => counted(x.leading_ones()),
            TrailingZeros => counted(x.trailing_zeros()),
            TrailingOnes => counted(x.trailing_ones()),
            Ilog2 | Ilog10 if x < 1 => Err("argument of integer logarithm must be positive"),
            Ilog2 => counted(x.ilog2()),
            Ilog10 => counted(x.ilog10()),
            OneOf if y == 0 => Err("an empty range has no smallest or largest element"),
            OneOf => is(x),
            Within if x > y => Err("a range or a copy is larger than its slice"),
            Within => is(x),
            AbsDiff => Ok(Lit::Int(x.abs_diff(y) as i128, $s.unsigned())),
            p => own!($sign p x y z $s checked),
        }
    }};
}

macro_rules! types {
    ($($s:ident $t:ident $sign:ident;)*) => {
        /// The value of an operation on integers of type `s`; `Err` is Rust's panic.
        #[allow(clippy::cast_lossless, clippy::unnecessary_cast, reason = "the same text for every type")]
        pub(super) fn integer(p: Prim, a: &[Lit], s: Scalar) -> Outcome {
            match s {
                $(Scalar::$s => one_type!($t $sign p a s),)*
                _ => unreachable!("no integer type"),
            }
        }

        /// The integer of type `s` with the low bits of `i`.
        pub(super) fn wrapped(i: i128, s: Scalar) -> Lit {
            match s {
                $(Scalar::$s => Lit::Int(i as $t as i128, s),)*
                _ => unreachable!("no integer type"),
            }
        }

        /// The integer of type `s` nearest to `x` in the direction of 0.
        pub(super) fn truncated(x: f64, s: Scalar) -> Lit {
            match s {
                $(Scalar::$s => Lit::Int(x as $t as i128, s),)*
                _ => unreachable!("no integer type"),
            }
        }

        /// The integer `i` of type `s`, rounded once.
        pub(super) fn rounded(i: i128, s: Scalar, to: Scalar) -> Lit {
            match s {
                $(Scalar::$s if to == Scalar::F32 => Lit::float((i as $t as f32).into(), to),
                Scalar::$s => Lit::float(i as $t as f64, to),)*
                _ => unreachable!("no integer type"),
            }
        }
    };
}

// A `usize` and an `isize` have 64 bits in the compiler.
types! {
    I8 i8 signed; I16 i16 signed; I32 i32 signed; I64 i64 signed; Isize i64 signed;
    U8 u8 unsigned; U16 u16 unsigned; U32 u32 unsigned; U64 u64 unsigned; Usize u64 unsigned;
    I128 i128 signed; U128 u128 unsigned;
}
