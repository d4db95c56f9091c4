//! Sizes that are computed by shifts, powers, roots and logarithms, also of integers other than `usize`.

use smooth::prelude::*;

#[smooth]
fn levels(levels: u32, x: f64) -> [f64; 1 << levels] {
    build(1 << levels, |i| x * i as f64)
}

#[smooth]
fn power(k: u32, base: usize) -> [usize; base.pow(k)] {
    build(base.pow(k), |i| i)
}

#[smooth]
fn image(w: u32, a: &[f32; n], h: u32) -> [f32; (w as usize) * (h as usize)] {
    build(w as usize * h as usize, |i| a[i % n])
}

#[smooth]
fn narrow(w: u16, h: u8) -> [u32; (w as u32 * h as u32) as usize] {
    build((w as u32 * h as u32) as usize, |i| i as u32)
}

#[smooth]
fn halved(a: &[f64; n]) -> [f64; n >> 1] {
    build(n >> 1, |i| a[2 * i] + a[2 * i + 1])
}

#[smooth]
fn root(n: usize) -> [[usize; n.isqrt()]; n.isqrt()] {
    let k = n.isqrt();
    build([k, k], |i, j| k * i + j)
}

#[smooth]
fn peaks(a: &[f64; n]) -> [f64; n.ilog2() as usize + 1] {
    build(n.ilog2() as usize + 1, |k| a[(1 << k) - 1])
}

#[smooth]
fn padded(a: &[f64; n]) -> [f64; n.next_power_of_two()] {
    let mut b = [0.0; n.next_power_of_two()];
    for i in 0..n {
        b[i] = a[i];
    }
    b
}

#[smooth]
fn blocks(a: &[f64; n], k: u8) -> [f64; n.next_multiple_of(k as usize)] {
    build(n.next_multiple_of(k as usize), |i| if i < n { a[i] } else { 0.5 })
}

#[smooth]
fn apart(n: usize, m: usize) -> [usize; n.abs_diff(m)] {
    build(n.abs_diff(m), |i| i + n.min(m))
}

/// Calls, of numbers and of computed ones.
#[smooth]
fn calls(w: u16, a: &[f64; n]) -> ([f64; _], [f64; _]) {
    (levels(w as u32 + 1, 2.0), levels(n.ilog2(), a[0]))
}

/// A tuple of sizes, and a bound that depends on a loop.
#[smooth]
fn all_levels((most, base): (u8, usize)) -> f64 {
    sum(most as usize, |l| {
        let row = build(base << l, |i| ((i * l) as f64).sin());
        sum(row.len(), |i| row[row.len() - 1 - i] * row[i])
    })
}

#[test]
fn shapes_and_values() {
    assert_eq!(levels(3, 2.0), levels::reference(3, 2.0));
    assert_eq!(levels(0, 2.0), [0.0]);
    assert_eq!((power(3, 3).len(), power(0, 7).len(), power(5, 0).len(), power(0, 0).len()), (27, 1, 0, 1));
    assert_eq!(image(3, &[1.0, 2.0], 2), [1.0, 2.0, 1.0, 2.0, 1.0, 2.0]);
    assert_eq!(narrow(700, 200).len(), 140_000);
    assert_eq!(halved(&[1.0, 2.0, 3.0, 4.0, 5.0]), [3.0, 7.0]);
    assert_eq!(root(10).as_slice(), [0, 1, 2, 3, 4, 5, 6, 7, 8]);
    let a: Vec<f64> = (1..=37).map(f64::from).collect();
    assert_eq!(peaks(&a), [1.0, 2.0, 4.0, 8.0, 16.0, 32.0]);
    for n in 0..20 {
        let (a, m) = (&a[..n], n.next_power_of_two());
        let mut want = a.to_vec();
        want.resize(m, 0.0);
        assert_eq!(padded(a), want);
        assert_eq!(blocks(a, 4), blocks::reference(a, 4));
        assert_eq!(blocks(a, 4).len(), n.next_multiple_of(4));
        assert_eq!(apart(n, 7), apart::reference(n, 7));
    }
    assert_eq!(calls(1, &a), (vec![0.0, 2.0, 4.0, 6.0], (0..32).map(f64::from).collect()));
    assert_eq!(all_levels((3, 2)), all_levels::reference((3, 2)));
    assert_eq!(all_levels((0, 2)), 0.0);
}

#[test]
fn sizes_are_queries() {
    const LEVELS: [usize; 1] = levels::shape(5);
    const IMAGE: usize = image::scratch(640, [3], 480);
    assert_eq!((LEVELS, IMAGE), ([32], 0));
    assert_eq!(image::shape(640, [3], 480), [640 * 480]);
    assert_eq!(narrow::shape(u16::MAX, u8::MAX), [65535 * 255]);
    assert_eq!((root::shape(99), peaks::shape([1])), ([9, 9], [1]));
    assert_eq!((all_levels::scratch(3, 5), all_levels::scratch(0, 5)), (192 + 63, 0));
    let mut out = [0.0; 4];
    levels::into(&mut out, 2, 0.5, &mut Arena::new());
    assert_eq!(out, [0.0, 0.5, 1.0, 1.5]);
}

#[test]
fn what_has_no_value_is_an_overflow() {
    let overflow = |e: ShapeError| matches!(e, ShapeError::Overflow { .. });
    assert!(overflow(levels::try_shape(64).unwrap_err()) && overflow(levels::try_shape(u32::MAX).unwrap_err()));
    assert!(overflow(levels::try_shape(63).unwrap_err()), "more than an array can have");
    assert!(overflow(power::try_shape(41, 3).unwrap_err()) && overflow(power::try_shape(u32::MAX, 2).unwrap_err()));
    assert!(overflow(peaks::try_shape([0]).unwrap_err()), "the logarithm of 0");
    assert!(overflow(padded::try_shape([usize::MAX]).unwrap_err()));
    assert!(overflow(blocks::try_shape([3], 0).unwrap_err()), "a multiple of 0");
    let error = image::try_shape(u32::MAX, [1], u32::MAX).unwrap_err();
    assert!(overflow(error), "{error}");
    assert!(overflow(calls::try_shape(u16::MAX, [1]).unwrap_err()));
}
