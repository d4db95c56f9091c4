//! The compiler's arithmetic against Rust's: every operation, on every type that it takes.

use smooth_core::prim::Prim;
use smooth_core::ty::Scalar;
use smooth_core::value::Lit;
use std::collections::BTreeSet;

fn int<T: Into<i128>>(x: T, s: Scalar) -> Lit {
    Lit::Int(x.into(), s)
}

/// A `u128` is kept as the `i128` with the same bits.
fn wide(x: u128) -> Lit {
    Lit::Int(x as i128, Scalar::U128)
}

/// The operations that were compared, with the type of their first argument.
#[derive(Default)]
struct Seen(BTreeSet<(Prim, Scalar)>);

impl Seen {
    /// `want` is `None` if Rust panics.
    fn check(&mut self, p: Prim, args: &[Lit], want: Option<Lit>) {
        self.0.insert((p, args[0].scalar()));
        let got = p.eval(args).ok();
        let nan = |l: &Option<Lit>| l.is_some_and(|l| l.scalar().is_float() && l.as_f64().is_nan());
        assert!(got == want || nan(&got) && nan(&want), "{p:?} of {args:?} is {want:?}, not {got:?}");
        let types: Vec<Scalar> = args.iter().map(|l| l.scalar()).collect();
        if let Some(l) = got {
            assert_eq!(p.result(&types), Ok(l.scalar()), "{p:?} of {types:?}");
        }
    }
}

macro_rules! integers {
    ($seen:ident: $($t:ident $s:ident;)*) => {$({
        let s = Scalar::$s;
        let values: Vec<$t> = vec![0, 1, 2, 3, 7, 100, $t::MAX, $t::MAX - 1, $t::MIN, $t::MIN + 1, $t::MAX / 2 + 1, (0 as $t).wrapping_sub(1)];
        for &x in &values {
            let lit = |x: $t| Lit::Int(x as i128, s);
            let a = lit(x);
            for (p, r) in [
                (Prim::CountOnes, x.count_ones()), (Prim::CountZeros, x.count_zeros()), (Prim::LeadingZeros, x.leading_zeros()),
                (Prim::LeadingOnes, x.leading_ones()), (Prim::TrailingZeros, x.trailing_zeros()), (Prim::TrailingOnes, x.trailing_ones()),
            ] {
                $seen.check(p, &[a], Some(int(r, Scalar::U32)));
            }
            for (p, r) in [
                (Prim::Not, !x), (Prim::WrappingNeg, x.wrapping_neg()), (Prim::SwapBytes, x.swap_bytes()), (Prim::ReverseBits, x.reverse_bits()),
            ] {
                $seen.check(p, &[a], Some(lit(r)));
            }
            $seen.check(Prim::Ilog2, &[a], x.checked_ilog2().map(|r| int(r, Scalar::U32)));
            $seen.check(Prim::Ilog10, &[a], x.checked_ilog10().map(|r| int(r, Scalar::U32)));
            $seen.check(Prim::ToF64, &[a], Some(Lit::f64(x as f64)));
            $seen.check(Prim::ToF32, &[a], Some(Lit::float((x as f32).into(), Scalar::F32)));
            $seen.check(Prim::ToUsize, &[a], Some(int(x as usize as u64, Scalar::Usize)));
            $seen.check(Prim::ToI8, &[a], Some(int(x as i8, Scalar::I8)));
            $seen.check(Prim::ToI16, &[a], Some(int(x as i16, Scalar::I16)));
            $seen.check(Prim::ToI32, &[a], Some(int(x as i32, Scalar::I32)));
            $seen.check(Prim::ToI64, &[a], Some(int(x as i64, Scalar::I64)));
            $seen.check(Prim::ToIsize, &[a], Some(int(x as isize as i64, Scalar::Isize)));
            $seen.check(Prim::ToU8, &[a], Some(int(x as u8, Scalar::U8)));
            $seen.check(Prim::ToU16, &[a], Some(int(x as u16, Scalar::U16)));
            $seen.check(Prim::ToU32, &[a], Some(int(x as u32, Scalar::U32)));
            $seen.check(Prim::ToU64, &[a], Some(int(x as u64, Scalar::U64)));
            $seen.check(Prim::ToI128, &[a], Some(int(x as i128, Scalar::I128)));
            $seen.check(Prim::ToU128, &[a], Some(wide(x as u128)));
            for n in [0u32, 1, 2, 7, 8, 31, 63, 64, 200] {
                let b = int(n, Scalar::U32);
                $seen.check(Prim::Shl, &[a, b], x.checked_shl(n).map(lit));
                $seen.check(Prim::Shr, &[a, b], x.checked_shr(n).map(lit));
                $seen.check(Prim::Pow, &[a, b], x.checked_pow(n).map(lit));
                for (p, r) in [
                    (Prim::WrappingPow, x.wrapping_pow(n)), (Prim::SaturatingPow, x.saturating_pow(n)),
                    (Prim::WrappingShl, x.wrapping_shl(n)), (Prim::WrappingShr, x.wrapping_shr(n)),
                    (Prim::RotateLeft, x.rotate_left(n)), (Prim::RotateRight, x.rotate_right(n)),
                ] {
                    $seen.check(p, &[a, b], Some(lit(r)));
                }
            }
            for &y in &values {
                let b = lit(y);
                for (p, r) in [
                    (Prim::Add, x.checked_add(y)), (Prim::Sub, x.checked_sub(y)), (Prim::Mul, x.checked_mul(y)),
                    (Prim::Div, x.checked_div(y)), (Prim::Rem, x.checked_rem(y)),
                    (Prim::DivEuclid, x.checked_div_euclid(y)), (Prim::RemEuclid, x.checked_rem_euclid(y)),
                    (Prim::BitAnd, Some(x & y)), (Prim::BitOr, Some(x | y)), (Prim::BitXor, Some(x ^ y)),
                    (Prim::Min, Some(x.min(y))), (Prim::Max, Some(x.max(y))),
                    (Prim::WrappingAdd, Some(x.wrapping_add(y))), (Prim::WrappingSub, Some(x.wrapping_sub(y))),
                    (Prim::WrappingMul, Some(x.wrapping_mul(y))), (Prim::SaturatingAdd, Some(x.saturating_add(y))),
                    (Prim::SaturatingSub, Some(x.saturating_sub(y))), (Prim::SaturatingMul, Some(x.saturating_mul(y))),
                ] {
                    $seen.check(p, &[a, b], r.map(lit));
                }
                for (p, r) in [
                    (Prim::Eq, x == y), (Prim::Ne, x != y), (Prim::Lt, x < y), (Prim::Le, x <= y), (Prim::Gt, x > y), (Prim::Ge, x >= y),
                ] {
                    $seen.check(p, &[a, b], Some(Lit::Bool(r)));
                }
                $seen.check(Prim::AbsDiff, &[a, b], Some(Lit::Int(x.abs_diff(y) as i128, s.unsigned())));
                let (high, clamped) = (lit(100), (y <= 100).then(|| lit(x.clamp(y, 100.max(y)))));
                $seen.check(Prim::Clamp, &[a, b, high], clamped);
            }
        }
    })*};
}

macro_rules! signed {
    ($seen:ident: $($t:ident $s:ident;)*) => {$(
        for x in [0, 1, -1, 77, $t::MAX, $t::MIN, $t::MIN + 1] {
            let lit = |x: $t| Lit::Int(x as i128, Scalar::$s);
            $seen.check(Prim::Neg, &[lit(x)], x.checked_neg().map(lit));
            $seen.check(Prim::Abs, &[lit(x)], x.checked_abs().map(lit));
            $seen.check(Prim::Signum, &[lit(x)], Some(lit(x.signum())));
            $seen.check(Prim::UnsignedAbs, &[lit(x)], Some(Lit::Int(x.unsigned_abs() as i128, Scalar::$s.unsigned())));
            $seen.check(Prim::Isqrt, &[lit(x)], x.checked_isqrt().map(lit));
            for d in [0, 1, 77, 78, <$t>::MAX.unsigned_abs(), <$t>::MIN.unsigned_abs(), <$t>::MIN.unsigned_abs() + 77] {
                let args = [lit(x), Lit::Int(d as i128, Scalar::$s.unsigned())];
                for (p, r) in [
                    (Prim::SaturatingAddUnsigned, x.saturating_add_unsigned(d)), (Prim::WrappingAddUnsigned, x.wrapping_add_unsigned(d)),
                    (Prim::SaturatingSubUnsigned, x.saturating_sub_unsigned(d)), (Prim::WrappingSubUnsigned, x.wrapping_sub_unsigned(d)),
                ] {
                    $seen.check(p, &args, Some(lit(r)));
                }
            }
        }
    )*};
}

macro_rules! unsigned {
    ($seen:ident: $($t:ident $s:ident;)*) => {$(
        let values = [0, 1, 2, 3, 77, 128, $t::MAX, $t::MAX - 1, $t::MAX / 2, $t::MAX / 2 + 1];
        for x in values {
            let lit = |x: $t| Lit::Int(x as i128, Scalar::$s);
            $seen.check(Prim::Isqrt, &[lit(x)], Some(lit(x.isqrt())));
            $seen.check(Prim::NextPowerOfTwo, &[lit(x)], x.checked_next_power_of_two().map(lit));
            $seen.check(Prim::IsPowerOfTwo, &[lit(x)], Some(Lit::Bool(x.is_power_of_two())));
            for d in values.map($t::cast_signed) {
                let args = [lit(x), Lit::Int(d as i128, Scalar::$s.signed())];
                for (p, r) in [
                    (Prim::SaturatingAddSigned, x.saturating_add_signed(d)), (Prim::WrappingAddSigned, x.wrapping_add_signed(d)),
                    (Prim::SaturatingSubSigned, x.saturating_sub_signed(d)), (Prim::WrappingSubSigned, x.wrapping_sub_signed(d)),
                ] {
                    $seen.check(p, &args, Some(lit(r)));
                }
            }
            for y in values {
                let args = [lit(x), lit(y)];
                $seen.check(Prim::DivCeil, &args, (y > 0).then(|| lit(x.div_ceil(y))));
                $seen.check(Prim::NextMultipleOf, &args, x.checked_next_multiple_of(y).map(lit));
                $seen.check(Prim::IsMultipleOf, &args, Some(Lit::Bool(x.is_multiple_of(y))));
            }
        }
    )*};
}

macro_rules! floats {
    ($seen:ident: $($t:ident $s:ident $ours:path;)*) => {$({
        use $ours as ours;
        let lit = |x: $t| Lit::float(x.into(), Scalar::$s);
        let values: [$t; 16] = [
            0.0, -0.0, 1.0, -1.0, 0.1, -2.5, 3.7, 255.9, 1e10, -1e30, $t::MAX, $t::MIN_POSITIVE, $t::INFINITY, $t::NEG_INFINITY,
            $t::NAN, 16_777_217.0,
        ];
        for x in values {
            let a = lit(x);
            for (p, r) in [
                (Prim::Neg, -x), (Prim::Sqrt, x.sqrt()), (Prim::StdCbrt, x.cbrt()), (Prim::StdSin, x.sin()), (Prim::StdCos, x.cos()),
                (Prim::StdTan, x.tan()), (Prim::StdAsin, x.asin()), (Prim::StdAcos, x.acos()), (Prim::StdAtan, x.atan()),
                (Prim::StdSinh, x.sinh()), (Prim::StdCosh, x.cosh()), (Prim::StdTanh, x.tanh()), (Prim::StdAsinh, x.asinh()),
                (Prim::StdAcosh, x.acosh()), (Prim::StdAtanh, x.atanh()), (Prim::StdExp, x.exp()), (Prim::StdExp2, x.exp2()),
                (Prim::StdExpM1, x.exp_m1()), (Prim::StdLn, x.ln()), (Prim::StdLn1p, x.ln_1p()), (Prim::StdLog2, x.log2()),
                (Prim::StdLog10, x.log10()), (Prim::Recip, x.recip()), (Prim::Abs, x.abs()), (Prim::Signum, x.signum()),
                (Prim::Floor, x.floor()), (Prim::Ceil, x.ceil()), (Prim::Round, x.round()), (Prim::Trunc, x.trunc()),
                (Prim::Fract, x.fract()), (Prim::ToRadians, x.to_radians()), (Prim::ToDegrees, x.to_degrees()),
            ] {
                $seen.check(p, &[a], Some(lit(r)));
            }
            for (p, r) in [
                (Prim::Cbrt, ours::cbrt(x)), (Prim::Sin, ours::sin(x)), (Prim::Cos, ours::cos(x)), (Prim::Tan,
                ours::tan(x)), (Prim::Asin, ours::asin(x)), (Prim::Acos, ours::acos(x)), (Prim::Atan,
                ours::atan(x)), (Prim::Sinh, ours::sinh(x)), (Prim::Cosh, ours::cosh(x)), (Prim::Tanh,
                ours::tanh(x)), (Prim::Asinh, ours::asinh(x)), (Prim::Acosh, ours::acosh(x)), (Prim::Atanh,
                ours::atanh(x)), (Prim::Exp, ours::exp(x)), (Prim::Exp2, ours::exp2(x)), (Prim::ExpM1,
                ours::exp_m1(x)), (Prim::Ln, ours::ln(x)), (Prim::Ln1p, ours::ln_1p(x)), (Prim::Log2,
                ours::log2(x)), (Prim::Log10, ours::log10(x)),
            ] {
                $seen.check(p, &[a], Some(lit(r)));
            }
            for (p, r) in [
                (Prim::NearSin, ours::near::sin(x)), (Prim::NearCos, ours::near::cos(x)), (Prim::NearTan, ours::near::tan(x)),
            ] {
                $seen.check(p, &[a], Some(lit(r)));
            }
            for (p, r) in [(Prim::IsNan, x.is_nan()), (Prim::IsFinite, x.is_finite()), (Prim::IsInfinite, x.is_infinite())] {
                $seen.check(p, &[a], Some(Lit::Bool(r)));
            }
            $seen.check(Prim::ToF64, &[a], Some(Lit::f64(x as f64)));
            $seen.check(Prim::ToF32, &[a], Some(Lit::float((x as f32).into(), Scalar::F32)));
            $seen.check(Prim::ToUsize, &[a], Some(int(x as usize as u64, Scalar::Usize)));
            $seen.check(Prim::ToI8, &[a], Some(int(x as i8, Scalar::I8)));
            $seen.check(Prim::ToI16, &[a], Some(int(x as i16, Scalar::I16)));
            $seen.check(Prim::ToI32, &[a], Some(int(x as i32, Scalar::I32)));
            $seen.check(Prim::ToI64, &[a], Some(int(x as i64, Scalar::I64)));
            $seen.check(Prim::ToIsize, &[a], Some(int(x as isize as i64, Scalar::Isize)));
            $seen.check(Prim::ToU8, &[a], Some(int(x as u8, Scalar::U8)));
            $seen.check(Prim::ToU16, &[a], Some(int(x as u16, Scalar::U16)));
            $seen.check(Prim::ToU32, &[a], Some(int(x as u32, Scalar::U32)));
            $seen.check(Prim::ToU64, &[a], Some(int(x as u64, Scalar::U64)));
            $seen.check(Prim::ToI128, &[a], Some(int(x as i128, Scalar::I128)));
            $seen.check(Prim::ToU128, &[a], Some(wide(x as u128)));
            for n in [-3i32, 0, 1, 2, 5, 13, -1074, i32::MIN] {
                $seen.check(Prim::Powi, &[a, int(n, Scalar::I32)], Some(lit(ours::powi(x, n))));
            }
            for y in values {
                let b = lit(y);
                for (p, r) in [
                    (Prim::Add, x + y), (Prim::Sub, x - y), (Prim::Mul, x * y), (Prim::Div, x / y), (Prim::Rem, x % y),
                    (Prim::Min, x.min(y)), (Prim::Max, x.max(y)), (Prim::DivEuclid, x.div_euclid(y)), (Prim::RemEuclid, x.rem_euclid(y)),
                    (Prim::StdAtan2, x.atan2(y)), (Prim::StdLog, x.log(y)), (Prim::StdPowf, x.powf(y)), (Prim::StdHypot, x.hypot(y)),
                    (Prim::Copysign, x.copysign(y)), (Prim::Atan2, ours::atan2(x, y)), (Prim::Log, ours::log(x, y)),
                    (Prim::Powf, ours::powf(x, y)), (Prim::Hypot, ours::hypot(x, y)),
                ] {
                    $seen.check(p, &[a, b], Some(lit(r)));
                }
                for (p, r) in [
                    (Prim::Eq, x == y), (Prim::Ne, x != y), (Prim::Lt, x < y), (Prim::Le, x <= y), (Prim::Gt, x > y), (Prim::Ge, x >= y),
                ] {
                    $seen.check(p, &[a, b], Some(Lit::Bool(r)));
                }
                $seen.check(Prim::MulAdd, &[a, b, lit(0.3)], Some(lit(x.mul_add(y, 0.3))));
                $seen.check(Prim::Contract, &[a, b, lit(0.3)], Some(lit(x * y + 0.3)));
                $seen.check(Prim::Clamp, &[a, b, lit(5.0)], (y <= 5.0).then(|| lit(x.clamp(y, 5.0))));
            }
        }
    })*};
}

#[test]
fn operations_match_rust() {
    let mut seen = Seen::default();
    integers! { seen: i8 I8; i16 I16; i32 I32; i64 I64; u8 U8; u16 U16; u32 U32; u64 U64; usize Usize; isize Isize; i128 I128; u128 U128; }
    signed! { seen: i8 I8; i16 I16; i32 I32; i64 I64; isize Isize; i128 I128; }
    unsigned! { seen: u8 U8; u16 U16; u32 U32; u64 U64; usize Usize; u128 U128; }
    floats! { seen: f64 F64 smooth_math; f32 F32 smooth_math::single; }
    for n in [0, 1, 7] {
        seen.check(Prim::OneOf, &[Lit::usize(3), Lit::usize(n)], (n > 0).then_some(Lit::usize(3)));
        seen.check(Prim::Within, &[Lit::usize(3), Lit::usize(n)], (n >= 3).then_some(Lit::usize(3)));
        let through = |first: u64, last: u64| (first..=last).count() as u64;
        seen.check(Prim::Through, &[Lit::usize(n), Lit::usize(5)], Some(Lit::usize(through(n, 5))));
        let steps = || (0..10).step_by(n as usize).count() as u64;
        seen.check(Prim::Steps, &[Lit::usize(10), Lit::usize(n)], (n > 0).then(|| Lit::usize(steps())));
        for to in [0, 4, 5] {
            // Between no numbers there is no distance.
            let (count, last) = (through(3, to), to.wrapping_sub(3));
            let steps = || (3..=to).step_by(n as usize).count() as u64;
            let args = [count, last, n].map(Lit::usize);
            seen.check(Prim::StepsThrough, &args, (n > 0).then(|| Lit::usize(steps())));
        }
    }
    let last = Lit::usize(u64::MAX);
    for by in [3 << 62, u64::MAX - 1, u64::MAX, 1 << 61, u64::MAX / 3] {
        let steps = (0..=u64::MAX).step_by(by as usize).count() as u64;
        seen.check(Prim::StepsThrough, &[last, last, Lit::usize(by)], Some(Lit::usize(steps)));
    }
    seen.check(Prim::StepsThrough, &[last, last, Lit::usize(1)], Some(last));
    seen.check(Prim::Through, &[Lit::usize(u64::MAX - 3), last], Some(Lit::usize(4)));
    seen.check(Prim::Through, &[Lit::usize(0), last], Some(last));
    for x in [false, true] {
        let a = Lit::Bool(x);
        seen.check(Prim::Not, &[a], Some(Lit::Bool(!x)));
        for to in Scalar::ALL.into_iter().filter(|s| s.is_int()) {
            seen.check(Prim::cast(to).expect("a cast"), &[a], Some(int(u8::from(x), to)));
        }
        for y in [false, true] {
            let b = Lit::Bool(y);
            let all = [
                (Prim::And, x && y),
                (Prim::Or, x || y),
                (Prim::BitAnd, x & y),
                (Prim::BitOr, x | y),
                (Prim::BitXor, x ^ y),
                (Prim::Eq, x == y),
                (Prim::Ne, x != y),
                (Prim::Lt, !x & y),
                (Prim::Le, x <= y),
                (Prim::Gt, x & !y),
                (Prim::Ge, x >= y),
            ];
            for (p, r) in all {
                seen.check(p, &[a, b], Some(Lit::Bool(r)));
            }
        }
    }
    for a in [false, true].map(Lit::Bool) {
        for (b, c) in [(false, true), (true, false)].map(|(b, c)| (Lit::Bool(b), Lit::Bool(c))) {
            seen.check(Prim::Choose, &[a, b, c], Some(if a == Lit::Bool(true) { b } else { c }));
        }
        let floats = [Lit::f64(-0.0), Lit::f64(f64::NAN)];
        assert_eq!(
            Prim::Choose.eval(&[a, floats[0], floats[1]]).ok(),
            Some(floats[usize::from(a == Lit::Bool(false))])
        );
    }
    for s in Scalar::ALL.into_iter().filter(|s| s.is_number()) {
        let x = if s.is_float() { Lit::zero(s) } else { Lit::Int(7, s) };
        seen.check(Prim::Opaque, &[x], Some(x));
    }
    // The text of a literal is that of Rust.
    for (l, text) in [(wide(u128::MAX), "340282366920938463463374607431768211455u128"), (wide(7), "7u128")] {
        assert_eq!(l.to_string(), text);
    }
    assert_eq!(Lit::Int(i128::MIN, Scalar::I128).to_string(), format!("{}i128", i128::MIN));
    // Every signature that the table accepts was compared.
    for p in Prim::ALL.iter().filter(|p| !p.target().is_some_and(Scalar::is_open)) {
        for s in Scalar::ALL {
            let args: Vec<Scalar> = (0..p.arity()).map(|k| if k == 0 { s } else { p.second(s) }).collect();
            assert_eq!(p.result(&args).is_ok(), seen.0.contains(&(*p, s)), "{p:?} of {args:?}");
        }
    }
}

/// The sign and the payload of a NaN come from an operand that the CPU and rustc choose, so no pass keeps them.
#[test]
fn nan_results_do_not_depend_on_the_order_of_operands() {
    let (a, b) = (Lit::f64(f64::NAN), Lit::f64(-f64::NAN));
    for p in [Prim::Add, Prim::Sub, Prim::Mul, Prim::Div, Prim::Rem] {
        assert_eq!(p.eval(&[a, b]).ok(), p.eval(&[b, a]).ok(), "{p:?}");
    }
}
