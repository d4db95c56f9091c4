//! `powi` has one order of multiplications, whatever is known of its arguments while it is compiled: of constants, in loops that
//! are unrolled, in every mode and in the reference. std's is folded by compilers with another function, in optimised
//! builds, so `.ci/run` makes one of this file.

use smooth::prelude::*;
use std::hint::black_box;

/// The documented products, with a number that is unknown to compilers.
fn documented(x: f64, n: i32) -> f64 {
    let (x, mut power) = (black_box(x), None);
    let mut factor = x;
    for k in 0..32 {
        if n.unsigned_abs() >> k & 1 == 1 {
            power = Some(power.map_or(factor, |power: f64| power * factor));
        }
        factor *= factor;
    }
    let power = power.unwrap_or(1.0);
    if n < 0 { 1.0 / power } else { power }
}

const BASE: f64 = 0.3;

#[smooth]
fn constants() -> [f64; 7] {
    [
        2f64.powi(-1074),
        0.1f64.powi(40),
        1.1f64.powi(1000),
        0.3f64.powi(7),
        BASE.powi(-20),
        f64::powi(0.9, 13),
        BASE.powi(i32::MIN),
    ]
}

#[smooth(float = "strict")]
fn constants_of_strict() -> [f64; 7] {
    constants()
}

#[smooth(float = "strict")]
fn strict(x: &[f64; n], k: &[i32; n]) -> [f64; n] {
    build(n, |i| x[i].powi(k[i]))
}

#[smooth(float = "fast")]
fn fast(x: &[f64; n], k: &[i32; n]) -> [f64; n] {
    build(n, |i| x[i].powi(k[i]))
}

#[smooth]
fn portable<T: Real>(x: &[T; n], k: &[i32; n]) -> [T; n] {
    build(n, |i| x[i].powi(k[i]))
}

#[smooth]
fn decay(n: usize) -> [f64; n] {
    build(n, |i| 0.9f64.powi(i as i32))
}

#[smooth]
fn decay_of(x: f64, n: usize) -> [f64; n] {
    build(n, |i| x.powi(i as i32))
}

#[smooth]
fn decay_unrolled() -> [f64; 16] {
    build(16, |i| 0.9f64.powi(i as i32))
}

#[smooth]
fn known_exponents(x: &[f64; n]) -> [[f64; 6]; n] {
    build(n, |i| {
        let y = x[i];
        [y.powi(2), y.powi(3), y.powi(-1), y.powi(-2), y.powi(7), y.powi(-13)]
    })
}

#[smooth]
fn in_sums(x: &[f64; n]) -> (f64, f64) {
    (sum(n, |i| x[i].powi(3)), ifold(n, 0.0, |s, i| s + 1.1f64.powi(i as i32) * x[i].powi(-3)))
}

fn bits(xs: &[f64]) -> Vec<u64> {
    xs.iter().map(|x| x.to_bits()).collect()
}

#[test]
fn constants_have_the_bits_of_arguments() {
    let (x, k) = ([2.0, 0.1, 1.1, 0.3, BASE, 0.9, BASE], [-1074, 40, 1000, 7, -20, 13, i32::MIN]);
    let want: Vec<u64> = x.iter().zip(k).map(|(x, k)| documented(*x, k).to_bits()).collect();
    for got in
        [constants().to_vec(), constants_of_strict().to_vec(), constants::reference(), constants_of_strict::reference()]
    {
        assert_eq!(bits(&got), want);
    }
    for got in [portable(&x, &k), strict(&x, &k), fast(&x, &k), portable::reference(&x, &k), strict::reference(&x, &k)]
    {
        assert_eq!(bits(&got), want);
    }
}

#[test]
fn loops_have_the_bits_of_arguments() {
    let want: Vec<u64> = (0..16).map(|i| documented(0.9, i).to_bits()).collect();
    for got in [decay(16), decay_of(0.9, 16), decay_unrolled().to_vec(), decay_unrolled::reference()] {
        assert_eq!(bits(&got), want);
    }
    let x: Vec<f64> = (0..100).map(|i| (f64::from(i) - 50.5) * 0.37).collect();
    for got in [known_exponents(&x).concat(), known_exponents::reference(&x).concat()] {
        for (x, got) in x.iter().zip(got.chunks(6)) {
            assert_eq!(bits(got), [2, 3, -1, -2, 7, -13].map(|k| documented(*x, k).to_bits()));
        }
    }
    let (lanes, in_order) = in_sums(&x);
    let want = x.iter().zip(0..).fold(0.0, |s, (x, i)| s + documented(1.1, i) * documented(*x, -3));
    assert_eq!(
        (in_order.to_bits(), (lanes - x.iter().map(|x| x * (x * x)).sum::<f64>()).abs() < 1e-6),
        (want.to_bits(), true)
    );
}

#[test]
fn powers_of_f32_are_of_f32() {
    let x: Vec<f32> = (0..50).map(|i| i as f32 * 0.3 - 7.0).collect();
    let k: Vec<i32> = (0..50).map(|i| i % 9 - 4).collect();
    for ((x, k), got) in x.iter().zip(&k).zip(portable(&x, &k)) {
        let power = (0..k.unsigned_abs()).fold(1.0, |p, _| f64::from(*x) * p);
        let want = if *k < 0 { 1.0 / power } else { power };
        assert!((f64::from(got) - want).abs() <= 3e-7 * want.abs() || f64::from(got) == want, "{x}^{k}: {got}, {want}");
    }
    let (got, want) = (portable(&x, &k), portable::reference(&x, &k));
    assert!(got.iter().zip(&want).all(|(a, b)| a.to_bits() == b.to_bits()));
}
