//! Powers with whole exponents: those that are exact, special ones, and the documented order of multiplications.

use smooth_math::{powi, single};
use std::hint::black_box;

/// The documented products, written apart from those of the library.
macro_rules! documented {
    ($name:ident, $float:ident) => {
        fn $name(x: $float, n: i32) -> $float {
            let mut squares = vec![x];
            for _ in 1..32 {
                squares.push(squares.last().unwrap() * squares.last().unwrap());
            }
            let digits = (0..32).filter(|k| n.unsigned_abs() >> k & 1 == 1);
            let power = digits.map(|k| squares[k]).reduce(|power, factor| power * factor).unwrap_or(1.0);
            if n < 0 { 1.0 / power } else { power }
        }
    };
}
documented!(double_documented, f64);
documented!(single_documented, f32);

const EXPONENTS: [i32; 27] = [
    0,
    1,
    -1,
    2,
    -2,
    3,
    -3,
    4,
    5,
    6,
    7,
    -7,
    8,
    13,
    -20,
    40,
    127,
    -149,
    1000,
    1023,
    1024,
    -1074,
    -1075,
    1 << 30,
    i32::MAX,
    -i32::MAX,
    i32::MIN,
];

#[test]
fn products_are_in_the_documented_order() {
    let xs = [
        0.0,
        5e-324,
        1e-310,
        1e-160,
        0.1,
        0.3,
        0.9,
        1.0,
        1.0 + f64::EPSILON,
        1.1,
        2.0,
        2.5,
        10.0,
        1e160,
        1e308,
        f64::INFINITY,
    ];
    for x in xs.into_iter().flat_map(|x| [x, -x, 1.0 - x]).chain([f64::NAN]) {
        for n in EXPONENTS {
            let (ours, want) = (powi(x, black_box(n)), double_documented(x, n));
            assert!(
                ours.to_bits() == want.to_bits() || ours.is_nan() && want.is_nan(),
                "{x:e}^{n}: {ours:e}, {want:e}"
            );
            let (ours, want) = (single::powi(x as f32, black_box(n)), single_documented(x as f32, n));
            assert!(
                ours.to_bits() == want.to_bits() || ours.is_nan() && want.is_nan(),
                "{x:e}^{n}: {ours:e}, {want:e}"
            );
        }
    }
}

#[test]
fn small_exponents_are_products() {
    for x in [0.1, -0.7, 1.1, 3.3e100] {
        assert_eq!([powi(x, 0), powi(x, 1), powi(x, 2), powi(x, 3)], [1.0, x, x * x, x * (x * x)]);
        assert_eq!([powi(x, -1), powi(x, -2)], [1.0 / x, 1.0 / (x * x)]);
        let y = x as f32;
        assert_eq!([single::powi(y, 2), single::powi(y, 3), single::powi(y, -1)], [y * y, y * (y * y), 1.0 / y]);
    }
}

#[test]
fn exact_powers_are_exact() {
    for n in 0..=1023 {
        let two = f64::from_bits((1023 + n as u64) << 52);
        assert_eq!((powi(2.0, n), powi(0.5, n), powi(2.0, -n), powi(0.5, -n)), (two, 1.0 / two, 1.0 / two, two));
    }
    for n in 0..=22 {
        assert_eq!((powi(10.0, n), powi(-10.0, n).abs()), (10u128.pow(n as u32) as f64, 10u128.pow(n as u32) as f64));
    }
    assert_eq!((powi(10.0, -3), powi(10.0, -22), single::powi(10.0, -2)), (0.001, 1e-22, 0.01));
    for n in 0..=33 {
        assert_eq!(powi(3.0, n), 3u64.pow(n as u32) as f64);
    }
    assert_eq!(
        (powi(2.0, -1074), powi(0.5, 1074), single::powi(2.0, -149), single::powi(0.5, 149)),
        (0.0, 5e-324, 0.0, 1e-45)
    );
}

#[test]
fn special_powers() {
    let inf = f64::INFINITY;
    assert_eq!((powi(f64::NAN, 0), powi(inf, 0), powi(0.0, 0)), (1.0, 1.0, 1.0));
    assert_eq!((powi(-inf, 3), powi(-inf, 2), powi(-inf, -3).to_bits()), (-inf, inf, (-0.0f64).to_bits()));
    assert_eq!((powi(-0.0, 3).to_bits(), powi(-0.0, -3), powi(-0.0, -2)), ((-0.0f64).to_bits(), -inf, inf));
    assert_eq!((powi(1.0, i32::MIN), powi(-1.0, i32::MIN), powi(-1.0, i32::MAX)), (1.0, 1.0, -1.0));
    assert_eq!((powi(2.0, i32::MIN), powi(0.5, i32::MIN), powi(-0.5, -i32::MAX)), (0.0, inf, -inf));
}
