//! 128-bit integers in local values.

use smooth::prelude::*;

/// A constant above `i128::MAX`.
const ODD: u128 = 0xda94_2042_e4dd_58b5_0000_0000_0000_0001;
const SMALLEST: i128 = i128::MIN;

/// The upper half of a product.
#[smooth]
pub fn upper(a: u64, b: u64) -> u64 {
    (a as u128 * b as u128 >> 64) as u64
}

#[smooth]
fn uppers(a: &[u64; n], by: u64) -> [u64; n] {
    build(n, |i| upper(a[i], by))
}

#[smooth]
fn modular(a: u64, b: u64, m: u64) -> u64 {
    let product = a as u128 * b as u128;
    (product % m as u128) as u64
}

/// A generator with a state of 128 bits.
#[smooth]
fn pcg(seed: u64, n: usize) -> [u64; n] {
    build(n, |i| {
        let state = ifold(i + 1, seed as u128, |s, _| s.wrapping_mul(ODD).wrapping_add(0xffff_ffff_ffff_ffff_ffff));
        ((state >> 64) as u64 ^ state as u64).rotate_right((state >> 122) as u32)
    })
}

/// An array of them, and a sum.
#[smooth(passes(fuse = false))]
fn stored(a: &[u64; n]) -> (u64, bool) {
    let squares = build(n, |i| a[i] as u128 * a[i] as u128);
    let total = sum(n, |i| squares[i] + squares[n - 1 - i]);
    ((total >> 64) as u64, total > i128::MAX as u128)
}

#[smooth]
fn signed(x: i64) -> (i64, bool, f64, u32) {
    let big = x as i128 * i64::MAX as i128;
    (
        (big >> 63) as i64,
        big < -170141183460469231731687303715884105728 + 1,
        big as f64,
        (SMALLEST + x.abs() as i128).leading_ones(),
    )
}

#[smooth]
fn rounded<T: Real>(x: u64) -> (T, T, u64) {
    let big = u128::MAX - x as u128;
    let close = x as T;
    (big as T, (big / 3) as i128 as T, close as u128 as u64)
}

#[smooth]
fn overflows(x: u64) -> u64 {
    ((u128::MAX - 5 + x as u128) >> 70) as u64
}

#[test]
fn as_in_rust() {
    let numbers = [0, 1, 7, u64::MAX, u64::MAX - 1, 1 << 63, 0x9e37_79b9_7f4a_7c15];
    for a in numbers {
        let want: Vec<u64> = numbers.iter().map(|b| ((u128::from(a) * u128::from(*b)) >> 64) as u64).collect();
        assert_eq!(uppers(&numbers, a), want);
        assert_eq!(uppers::reference(&numbers, a), want);
        for b in numbers {
            let m = 0xffff_ffff_ffff_ffc5u64;
            let want = (u128::from(a) * u128::from(b) % u128::from(m)) as u64;
            assert_eq!((modular(a, b, m), modular::reference(a, b, m)), (want, want));
        }
        let x = a as i64 / 2;
        let big = i128::from(x) * i128::from(i64::MAX);
        let leading = (i128::MIN + i128::from(x.abs())).leading_ones();
        let want = ((big >> 63) as i64, false, big as f64, leading);
        assert_eq!((signed(x), signed::reference(x)), (want, want));
        let big = u128::MAX - u128::from(a);
        let want = (big as f32, (big / 3) as i128 as f32, a as f32 as u128 as u64);
        assert_eq!((rounded::<f32>(a), rounded::reference::<f32>(a)), (want, want));
    }
    let want = |n: usize| {
        let mut s = 42u128;
        (0..n)
            .map(|_| {
                s = s.wrapping_mul(ODD).wrapping_add(0xffff_ffff_ffff_ffff_ffff);
                ((s >> 64) as u64 ^ s as u64).rotate_right((s >> 122) as u32)
            })
            .collect::<Vec<_>>()
    };
    assert_eq!((pcg(42, 9), pcg::reference(42, 9)), (want(9), want(9)));
    let a = [u64::MAX / 3, 5, u64::MAX / 2];
    let total = a.iter().map(|a| 2 * u128::from(*a) * u128::from(*a)).sum::<u128>();
    let want = ((total >> 64) as u64, total > i128::MAX as u128);
    assert_eq!((stored(&a), stored::reference(&a)), (want, want));
    assert_eq!(stored::scratch([4]), 64 + 63);
    assert_eq!(overflows(5), u64::MAX >> 6);
}

#[test]
#[should_panic(expected = "attempt to add with overflow")]
fn overflow_panics() {
    overflows(6);
}
