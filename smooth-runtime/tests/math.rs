//! The functions of std: std's own with the feature `std`, and within a few ulps of them with `libm`.
#![cfg(any(feature = "std", feature = "libm"))]
use smooth_runtime::math;

/// The largest error in ulps: with `std` the bits are std's, with `libm` the last bits may differ.
const ULPS: f64 = if cfg!(feature = "std") { 0.0 } else { 8.0 };

macro_rules! compare {
    ($float:ident: $($f:ident $name:ident($($x:expr),*) $within:expr;)*) => {$(
        for x in [-2.5, -1.0, -0.75, -0.0, 0.0, 0.3, 0.5, 1.0, 1.5, 2.5, 3.0, 40.0, $float::INFINITY, $float::NAN] {
            let (ours, std) = (math::$name(x $(, $x)*), $float::$f(x $(, $x)*));
            let close = (ours - std).abs() <= $within as $float * $float::EPSILON * std.abs();
            assert!(
                ours.to_bits() == std.to_bits() || close || (ours.is_nan() && std.is_nan()),
                "{}::{}({x}): {ours}, std has {std}", stringify!($float), stringify!($f)
            );
        }
    )*};
}

macro_rules! functions {
    ($($name:ident: $float:ident;)*) => {$(
        #[test]
        fn $name() {
            compare! { $float:
                // Results that are defined exactly.
                sqrt sqrt() 0.0; floor floor() 0.0; ceil ceil() 0.0; round round() 0.0; trunc trunc() 0.0;
                fract fract() 0.0; mul_add mul_add(0.1, -0.3) 0.0; powi powi(0) 0.0; powi powi(1) 0.0;
                powi powi(7) 0.0; powi powi(-3) ULPS; powi powi(i32::MIN) 0.0; abs abs() 0.0; signum signum() 0.0;
                copysign copysign(-1.0) 0.0; recip recip() 0.0; to_radians to_radians() 0.0;
                to_degrees to_degrees() 0.0;
                // Results that may differ in the last bits.
                cbrt std_cbrt() ULPS; sin std_sin() ULPS; cos std_cos() ULPS; tan std_tan() ULPS;
                asin std_asin() ULPS; acos std_acos() ULPS; atan std_atan() ULPS; atan2 std_atan2(0.7) ULPS;
                sinh std_sinh() ULPS; cosh std_cosh() ULPS; tanh std_tanh() ULPS; asinh std_asinh() ULPS;
                acosh std_acosh() ULPS; atanh std_atanh() ULPS; exp std_exp() ULPS; exp2 std_exp2() ULPS;
                exp_m1 std_exp_m1() ULPS; ln std_ln() ULPS; ln_1p std_ln_1p() ULPS; log std_log(3.0) ULPS;
                log2 std_log2() ULPS; log10 std_log10() ULPS; powf std_powf(2.5) ULPS; powf std_powf(-2.0) ULPS;
                hypot std_hypot(1.5) ULPS;
            }
            assert!(math::is_nan($float::NAN) && !math::is_nan($float::INFINITY) && !math::is_finite($float::INFINITY));
        }
    )*};
}

functions! {
    functions_of_f64: f64;
    functions_of_f32: f32;
}

#[test]
fn min_and_max() {
    assert_eq!((math::min(f64::NAN, 1.0), math::max(1.0f32, f32::NAN)), (1.0, 1.0));
    assert_eq!((math::min(-3i8, 4), math::max(3u64, 4), math::max(3usize, 2)), (-3, 4, 3));
}
