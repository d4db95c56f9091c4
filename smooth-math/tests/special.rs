//! Zeros, infinities, NaN, subnormal numbers, both ends of every range, and results that are exact.

use core_math as exact;
use smooth_math as ours;
#[cfg(feature = "std")]
use smooth_math::fused;
// Without std there are none.
#[cfg(not(feature = "std"))]
use smooth_math as fused;

/// Numbers at which a function may be special.
const NUMBERS: [f64; 61] = [
    0.0,
    5e-324,
    1e-310,
    2.225_073_858_507_201e-308,
    f64::MIN_POSITIVE,
    1e-300,
    1e-200,
    1e-154,
    1e-100,
    1e-20,
    1e-17,
    1.1e-16,
    f64::EPSILON,
    1e-9,
    0.125,
    0.25,
    0.292_893_2,
    0.34,
    0.414_213_5,
    0.499_999_999_999_999_94,
    0.5,
    0.55,
    std::f64::consts::FRAC_1_SQRT_2,
    0.999_999_999_999_999_9,
    1.0,
    1.000_000_000_000_000_2,
    1.224_744_871_391_589,
    std::f64::consts::SQRT_2,
    1.5,
    1.732_050_807_568_877_2,
    2.0,
    2.414,
    2.5,
    3.0,
    4.0,
    8.0,
    10.0,
    27.0,
    36.7,
    37.5,
    50.0,
    64.0,
    100.0,
    308.25,
    708.0,
    709.782_712_893_384,
    709.782_712_893_384_1,
    710.475_860_073_943_9,
    710.475_860_073_944,
    745.133_219_101_941_1,
    745.133_219_101_941_3,
    1000.0,
    1024.0,
    1075.0,
    1_048_576.0,
    1e22,
    9_007_199_254_740_991.0,
    9_007_199_254_740_993.0,
    1e308,
    f64::MAX,
    f64::INFINITY,
];

fn numbers() -> impl Iterator<Item = f64> {
    NUMBERS.into_iter().flat_map(|x| [x, -x]).chain([f64::NAN])
}

/// Special results have the same bits, others are at most one place away; those with fused multiply-adds two.
fn same(what: &str, at: (f64, f64), (ours, fused): (f64, f64), exact: f64) {
    within(what, at, ours, exact, 1);
    within(what, at, fused, exact, 2);
}

fn within(what: &str, at: (f64, f64), ours: f64, exact: f64, places: u64) {
    let near = ours.is_finite()
        && exact.is_finite()
        && ours.is_sign_positive() == exact.is_sign_positive()
        && ours != 0.0
        && exact != 0.0
        && ours.to_bits().abs_diff(exact.to_bits()) <= places;
    let equal = ours.to_bits() == exact.to_bits() || ours.is_nan() && exact.is_nan();
    // The smallest subnormal number and zero are neighbours, too.
    let ends = ours.abs() + exact.abs() == 5e-324 && ours.is_sign_positive() == exact.is_sign_positive();
    assert!(equal || near || ends, "{what}{at:?}: {ours:e}, exactly {exact:e}");
}

macro_rules! one {
    ($($name:ident $double:ident $single:ident;)*) => {$(
        #[test]
        fn $name() {
            for x in numbers() {
                same(stringify!($name), (x, 0.0), (ours::$name(x), fused::$name(x)), exact::$double(x));
                let x = x as f32;
                let (ours, exact) = (ours::single::$name(x), exact::$single(x));
                assert!(ours.to_bits() == exact.to_bits() || ours.is_nan() && exact.is_nan(), "{x}: {ours}, exactly {exact}");
            }
        }
    )*};
}

one! {
    exp exp expf; exp2 exp2 exp2f; exp_m1 expm1 expm1f; ln log logf; ln_1p log1p log1pf; log2 log2 log2f;
    log10 log10 log10f; sin sin sinf; cos cos cosf; tan tan tanf; asin asin asinf; acos acos acosf; atan atan atanf;
    sinh sinh sinhf; cosh cosh coshf; tanh tanh tanhf; cbrt cbrt cbrtf; asinh asinh asinhf; acosh acosh acoshf; atanh atanh atanhf;
}

macro_rules! two {
    ($($name:ident $double:ident $single:ident;)*) => {$(
        #[test]
        fn $name() {
            for x in numbers() {
                for y in numbers() {
                    same(stringify!($name), (x, y), (ours::$name(x, y), fused::$name(x, y)), exact::$double(x, y));
                    let (x, y) = (x as f32, y as f32);
                    let (ours, exact) = (ours::single::$name(x, y), exact::$single(x, y));
                    let equal = ours.to_bits() == exact.to_bits() || ours.is_nan() && exact.is_nan();
                    assert!(equal, "({x}, {y}): {ours}, exactly {exact}");
                }
            }
        }
    )*};
}

two! { atan2 atan2 atan2f; powf pow powf; hypot hypot hypotf; }

#[test]
fn whole_results_are_exact() {
    for n in -1074..=1023 {
        let power = ours::exp2(f64::from(n));
        assert_eq!((power, ours::log2(power)), (2.0f64.powi(n / 2) * 2.0f64.powi(n - n / 2), f64::from(n)));
        assert_eq!(ours::powf(2.0, f64::from(n)), power);
    }
    for n in 1..1000 {
        let x = f64::from(n);
        assert_eq!((ours::cbrt(x * x * x), ours::powf(x, 2.0), ours::powf(x, 1.0)), (x, x * x, x));
        assert_eq!((ours::hypot(3.0 * x, 4.0 * x), ours::powf(x, -0.0)), (5.0 * x, 1.0));
    }
}

/// The functions for loops have the bits of the functions for all numbers.
macro_rules! near_functions {
    ($($test:ident: $ours:path;)*) => {$(
        #[test]
        fn $test() {
            use $ours as ours;
            for x in numbers().filter(|x| x.is_nan() || x.is_infinite() || x.abs() <= smooth_math::NEAR) {
                let turned = [ours::near::sin(x), ours::near::cos(x), ours::near::tan(x)];
                for (near, all) in turned.into_iter().zip([ours::sin(x), ours::cos(x), ours::tan(x)]) {
                    assert!(near.to_bits() == all.to_bits() || near.is_nan() && all.is_nan(), "{x}");
                }
                let both = ours::sin_cos(x);
                assert!(x.is_nan() || x.is_infinite() || both == (ours::sin(x), ours::cos(x)));
            }
        }
    )*};
}
near_functions! { near: smooth_math; near_fused: fused; }
