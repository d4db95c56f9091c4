//! Signs of integers in loops that are compiled for AVX-512: with the feature DQ, rustc 1.95 reads a mask register there that
//! nobody has written (rust-lang/rust 158622, LLVM 198197), so instances do without it. Optimised builds show it, which
//! `.ci/run` makes of this file; the right values are those of plain loops, compiled for every CPU.

use smooth::__private::limit_instances;
use smooth::prelude::*;

/// The signed product of a number of sign and magnitude with `b`, of 128 bits: its upper words in another order. Only the last
/// loop gives the kernel several instances.
#[smooth]
fn upper(a: &[i64; n], b: &[i64; n]) -> ([i64; n], [u64; n]) {
    let mut w = [0i128; n];
    for i in 0..n {
        let m = (a[i] & i64::MAX) as i128 * b[i] as i128;
        w[i] = if a[i] < 0 { -m } else { m };
    }
    let mut o = [0; n];
    for i in 0..n {
        o[i] = (w[(i * 7) % n] >> 64) as i64;
    }
    (o, build(n, |i| ((a[i] ^ b[i]).rotate_left(7) as u64).wrapping_mul(3)))
}

/// The lower words of these products, in their order.
#[smooth]
fn lower(a: &[i64; n], b: &[i64; n]) -> ([i64; n], [u64; n]) {
    let product = |i| {
        let m = (a[i] & i64::MAX) as i128 * b[i] as i128;
        if a[i] < 0 { -m } else { m }
    };
    (build(n, |i| product(i) as i64), build(n, |i| ((a[i] ^ b[i]).rotate_left(7) as u64).wrapping_mul(3)))
}

/// Signs that choose between numbers of other widths.
#[smooth]
fn chosen(a: &[i64; n], b: &[i64; n]) -> ([f64; n], [i32; n], [u64; n]) {
    let x = build(n, |i| if a[i] < 0 { -(b[i] as f64) } else { b[i] as f64 * 0.5 });
    let y = build(n, |i| if b[i] - a[i] / 2 < 0 { (a[i] >> 33) as i32 } else { !(a[i] as i32) });
    let z = |i| if (a[i] ^ b[i]) < 0 { !(a[i] as u128) } else { b[i] as u128 * 3 };
    (x, y, build(n, |i| (z(i) >> 1) as u64))
}

/// The results of `upper`, `lower` and `chosen`, one element at a time.
struct Expected {
    upper: Vec<i64>,
    lower: Vec<i64>,
    turned: Vec<u64>,
    chosen: (Vec<f64>, Vec<i32>, Vec<u64>),
}

fn expected(a: &[i64], b: &[i64]) -> Expected {
    let n = a.len();
    let word = |i: usize| {
        let m = i128::from(a[i] & i64::MAX) * i128::from(b[i]);
        if std::hint::black_box(a[i]) < 0 { -m } else { m }
    };
    let each = 0..n;
    Expected {
        upper: each.clone().map(|i| (word(i * 7 % n) >> 64) as i64).collect(),
        lower: each.clone().map(|i| word(i) as i64).collect(),
        turned: each.clone().map(|i| ((a[i] ^ b[i]).rotate_left(7) as u64).wrapping_mul(3)).collect(),
        chosen: (
            each.clone().map(|i| if a[i] < 0 { -(b[i] as f64) } else { b[i] as f64 * 0.5 }).collect(),
            each.clone().map(|i| if b[i] - a[i] / 2 < 0 { (a[i] >> 33) as i32 } else { !(a[i] as i32) }).collect(),
            each.map(|i| ((if (a[i] ^ b[i]) < 0 { !(a[i] as u128) } else { b[i] as u128 * 3 }) >> 1) as u64).collect(),
        ),
    }
}

fn compare(a: &[i64], b: &[i64], level: u8) {
    let want = expected(a, b);
    let place = || format!("{} elements, instance {level}", a.len());
    assert_eq!(upper(a, b), (want.upper, want.turned.clone()), "{}", place());
    assert_eq!(lower(a, b), (want.lower, want.turned), "{}", place());
    assert_eq!(chosen(a, b), want.chosen, "{}", place());
}

#[test]
fn signs_choose_in_every_instance() {
    let best = limit_instances(u8::MAX);
    for level in 1..=best {
        assert_eq!(limit_instances(level), level);
        for n in (1..=40).chain([64, 100, 257]) {
            for signs in [0b01u64, 0b0110, 0x5bd1_e995_9e37_79b9, !0, 0] {
                let negative = |i: usize| signs.rotate_right(i as u32) & 1 == 1;
                let of = |i: usize| if negative(i) { i64::MIN + 100 + i as i64 } else { (1 << 62) + i as i64 };
                let a: Vec<i64> = (0..n).map(of).collect();
                let b: Vec<i64> = (0..n).map(|i| (1 << (60 - i % 60)) + i as i64).collect();
                compare(&a, &b, level);
            }
        }
    }
    assert_eq!(limit_instances(u8::MAX), best);
}
