//! A loop over many numbers, which an optimised build makes vector code of, and calls one by one have the same bits.

use smooth_math as ours;
use std::hint::black_box;

const POINTS: u64 = if cfg!(debug_assertions) { 20_000 } else { 1_000_000 };

/// Bit patterns of every kind, numbers of moderate size, and those at which a function may be special.
fn numbers() -> Vec<f64> {
    let special =
        [0.0, 5e-324, 1e-310, f64::MIN_POSITIVE, 0.25, 0.5, 1.0, 2.0, 709.0, 746.0, ours::NEAR, 1e22, f64::MAX];
    let ends = special.into_iter().chain([std::f64::consts::FRAC_PI_4, f64::INFINITY, f64::NAN]);
    let ends = ends.flat_map(|x| [x, x.next_up(), x.next_down()]).flat_map(|x| [x, -x]);
    let mut state = 1u64;
    let drawn = (0..POINTS).map(move |k| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let bits = state ^ state >> 29;
        let unit = (bits >> 11) as f64 / (1u64 << 53) as f64 - 0.5;
        match k % 4 {
            0 => f64::from_bits(bits),
            1 => 4.0 * unit,
            2 => 100.0 * unit,
            _ => 3000.0 * unit,
        }
    });
    ends.chain(drawn).collect()
}

fn same(what: &str, at: (f64, f64), a: f64, b: f64) {
    assert!(a.to_bits() == b.to_bits() || a.is_nan() && b.is_nan(), "{what}{at:?}: {a:e} and {b:e}");
}

macro_rules! functions {
    ($($name:ident: $f:path, $one:path;)*) => {$(
        #[test]
        fn $name() {
            let xs = numbers();
            let mut all = vec![0.0; xs.len()];
            all.iter_mut().zip(&xs).for_each(|(y, &x)| *y = $f(x));
            for (&x, y) in xs.iter().zip(all).filter(|(x, _)| !stringify!($f).contains("near") || x.is_nan() || x.abs() <= ours::NEAR) {
                same(stringify!($name), (x, 0.0), y, $one(black_box(x)));
            }
        }
    )*};
    (two $($name:ident: $f:path;)*) => {$(
        #[test]
        fn $name() {
            let xs = numbers();
            let ys: Vec<f64> = xs.iter().rev().copied().collect();
            let mut all = vec![0.0; xs.len()];
            all.iter_mut().zip(&xs).zip(&ys).for_each(|((z, &x), &y)| *z = $f(x, y));
            for ((&x, &y), z) in xs.iter().zip(&ys).zip(all) {
                same(stringify!($name), (x, y), z, $f(black_box(x), black_box(y)));
            }
        }
    )*};
}

functions! {
    exp: ours::exp, ours::exp; exp2: ours::exp2, ours::exp2; exp_m1: ours::exp_m1, ours::exp_m1; ln: ours::ln, ours::ln;
    ln_1p: ours::ln_1p, ours::ln_1p; log2: ours::log2, ours::log2; log10: ours::log10, ours::log10;
    sin: ours::near::sin, ours::sin; cos: ours::near::cos, ours::cos; tan: ours::near::tan, ours::tan;
    asin: ours::asin, ours::asin; acos: ours::acos, ours::acos; atan: ours::atan, ours::atan;
    sinh: ours::sinh, ours::sinh; cosh: ours::cosh, ours::cosh; tanh: ours::tanh, ours::tanh;
    asinh: ours::asinh, ours::asinh; acosh: ours::acosh, ours::acosh; atanh: ours::atanh, ours::atanh;
    cbrt: ours::cbrt, ours::cbrt;
}
functions! { two powf: ours::powf; atan2: ours::atan2; hypot: ours::hypot; }

#[test]
fn sine_and_cosine_of_one_angle() {
    for x in numbers() {
        let (s, c) = ours::sin_cos(x);
        same("sin", (x, 0.0), s, ours::sin(black_box(x)));
        same("cos", (x, 0.0), c, ours::cos(black_box(x)));
    }
}
