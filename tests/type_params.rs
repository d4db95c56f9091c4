//! Kernels over every scalar type, over all numbers, over floats: called with each kind of type from Rust, by kernels that
//! know the type, and by kernels that are generic themselves.

use smooth::prelude::*;

/// Copies and comparisons.
#[smooth]
fn mirrored<T: Scalar>(a: &[T; n]) -> ([T; n], bool) {
    (build(n, |i| a[n - 1 - i]), all(n, |i| a[i] == a[n - 1 - i]))
}

/// The last element that comes before a value, by a loop with a variable that is declared without a value.
#[smooth]
fn last_of<T: Scalar>(a: &[T; n], before: T) -> (T, usize) {
    let mut found: T = before;
    let mut count = 0;
    for &x in a {
        if x >= before {
            continue;
        }
        let seen;
        if x == found {
            seen = found;
        } else {
            seen = x;
        }
        found = seen;
        count += 1;
    }
    (found, count)
}

/// An early exit, so that some variables have no value yet.
#[smooth]
fn first_above<T: Scalar>(a: &[T; n], x: T, otherwise: T) -> T {
    for i in 0..n {
        let y = a[i];
        if y > x {
            return y;
        }
    }
    otherwise
}

/// A temporary array, whose bytes depend on the type.
#[smooth(passes(fuse = false))]
fn turned_twice<T: Scalar>(a: &[T; n], by: usize) -> [T; n] {
    let once = build(n, |i| a[(i + by) % n]);
    build(n, |i| once[(i + by) % n])
}

/// Arithmetic, literals, reductions.
#[smooth]
fn statistics<T: Number>(a: &[T; n]) -> (T, T, T, T) {
    (sum(n, |i| a[i]), prod(n, |i| 2 * a[i] + 1), min(n, |i| a[i]), max(n, |i| a[i]))
}

#[smooth]
fn total<T: Number>(a: &[T; n]) -> T {
    sum(n, |i| a[i])
}

#[smooth]
fn float_total<T: Real>(a: &[T; n]) -> T {
    sum(n, |i| a[i])
}

/// By a kernel that does not inline it.
#[smooth(passes(inline = false))]
fn called_total(a: &[i8; n]) -> i8 {
    total(a)
}

#[smooth]
fn inlined_total(a: &[i8; n]) -> i8 {
    total(a)
}

#[smooth]
fn places<T: Number>(a: &[T; n]) -> (usize, usize) {
    (argmin(n, |i| a[i]), argmax(n, |i| a[i]))
}

#[smooth]
fn places_of_floats(a: &[f64; n]) -> (usize, usize) {
    places(a)
}

/// Casts from and to a type parameter.
#[smooth]
fn rescaled<T: Number, U: Number>(a: &[T; n], by: f64) -> [U; n] {
    build(n, |i| (a[i] as f64 * by) as U)
}

#[smooth]
fn converted<T: Number, U: Number>(x: T, y: u64) -> (U, U, i64) {
    (x as U, y as U, x as i128 as i64)
}

/// Remainders, bounds, assignments.
#[smooth]
fn folded<T: Number>(a: &[T; n], modulus: T) -> T {
    let mut h: T = 1;
    for i in 0..n {
        h *= 3;
        h += a[i];
        h = h.rem_euclid(modulus).clamp(0, 100).max(2) - 1;
        h = h / 1 % modulus;
    }
    h
}

/// A float kernel that calls one of numbers that calls one of scalars.
#[smooth]
fn norm<T: Real>(a: &[T; n]) -> T {
    sum_of_squares(a).sqrt()
}

#[smooth]
fn sum_of_squares<T: Number>(a: &[T; n]) -> T {
    let (b, _) = mirrored(a);
    sum(n, |i| b[i] * b[i])
}

#[smooth]
fn both(a: &[f32; n], flags: &[bool; n]) -> ([f32; n], [bool; n], f32) {
    let (b, _) = mirrored(a);
    let (f, _) = mirrored(flags);
    (b, f, norm(a))
}

/// A kernel that changes its argument, in every type.
#[smooth]
fn reverse_in_place<T: Scalar>(a: &mut [T; n]) {
    for i in 0..n / 2 {
        a.swap(i, n - 1 - i);
    }
}

#[smooth]
fn wide(a: &[u64; n]) -> u64 {
    let mut b = build(n, |i| a[i] as u128 * a[i] as u128);
    reverse_in_place(&mut b);
    (b[0] >> 64) as u64
}

#[test]
fn every_type_is_copied_and_compared() {
    assert_eq!(mirrored(&[true, false]), (vec![false, true], false));
    assert_eq!(mirrored(&[1u8, 2, 1]), (vec![1, 2, 1], true));
    assert_eq!(mirrored(&[i64::MIN, i64::MAX]), (vec![i64::MAX, i64::MIN], false));
    assert_eq!(mirrored(&[0.5f32]), (vec![0.5], true));
    assert_eq!(mirrored(&[u64::MAX; 0]), (vec![], true));
    assert_eq!(mirrored::reference(&[true, false]), (vec![false, true], false));
    assert!(!mirrored(&[f64::NAN]).1);
    assert_eq!(last_of(&[3usize, 9, 2], 5), (2, 2));
    assert_eq!(last_of(&[true, false], true), (false, 1));
    assert_eq!(last_of::reference(&[true, false], true), (false, 1));
    assert_eq!(first_above(&[1i8, -3, 7], 1, 0), 7);
    assert_eq!((first_above(&[false], false, true), first_above(&[0.5], 0.5, -1.0)), (true, -1.0));
    assert!(first_above::reference(&[false], false, true));
}

#[test]
fn scratch_depends_on_the_type() {
    let rounded = |bytes: usize| bytes.next_multiple_of(64) + 63;
    assert_eq!(turned_twice::scratch::<bool>([100], 1), rounded(100));
    assert_eq!(turned_twice::scratch::<u16>([100], 1), rounded(200));
    assert_eq!(turned_twice::scratch::<f64>([100], 1), rounded(800));
    assert_eq!(turned_twice::scratch::<u128>([100], 1), rounded(1600));
    assert_eq!(turned_twice(&[1u16, 2, 3], 1), [3, 1, 2]);
    assert_eq!(turned_twice(&[1u128 << 100, 2, 3], 1), [3, 1 << 100, 2]);
    let mut memory = [std::mem::MaybeUninit::uninit(); 128 + 63];
    let mut out = [false; 100];
    turned_twice::into(&mut out, &[true; 100], 3, &mut Arena::on(&mut memory));
    assert_eq!(out, [true; 100]);
}

#[test]
fn all_numbers_have_arithmetic() {
    assert_eq!(statistics(&[1u8, 2, 3]), (6, 105, 1, 3));
    assert_eq!(statistics(&[-1i32, 2]), (1, -5, -1, 2));
    assert_eq!(statistics(&[0.5f32, 1.0]), (1.5, 6.0, 0.5, 1.0));
    assert_eq!(statistics::<u64>(&[]), (0, 1, u64::MAX, 0));
    assert_eq!(statistics::<i16>(&[]), (0, 1, i16::MAX, i16::MIN));
    assert_eq!(statistics::<f64>(&[]), (0.0, 1.0, f64::INFINITY, f64::NEG_INFINITY));
    assert_eq!(statistics::reference(&[1u8, 2, 3]), (6, 105, 1, 3));
    assert_eq!((folded(&[5i32, -90, 4], 17), folded(&[5u8, 90, 4], 17)), (14, 10));
    assert_eq!((folded::reference(&[5i32, -90, 4], 17), folded::reference(&[5u8, 90, 4], 17)), (14, 10));
    assert_eq!(folded(&[5.0, -90.0, 4.0], 17.0), folded::reference(&[5.0, -90.0, 4.0], 17.0));
    assert_eq!(norm(&[3.0f32, 4.0]), 5.0);
    assert_eq!(both(&[3.0, 4.0], &[true, false]), (vec![4.0, 3.0], vec![false, true], 5.0));
    let mut a = [b'a', b'b', b'c'];
    reverse_in_place(&mut a);
    assert_eq!(a, *b"cba");
    assert_eq!(wide(&[7, u64::MAX]), u64::MAX - 1);
}

#[test]
fn casts_are_those_of_rust() {
    assert_eq!(rescaled::<u8, i16>(&[200, 3], -0.5), [-100, -1]);
    assert_eq!(rescaled::<f64, u8>(&[f64::NAN, -1.0, 300.0, 7.9], 1.0), [0, 0, 255, 7]);
    assert_eq!(rescaled::reference::<f64, u8>(&[f64::NAN, -1.0, 300.0, 7.9], 1.0), [0, 0, 255, 7]);
    assert_eq!(converted::<i64, u8>(-1, 300), (255, 44, -1));
    assert_eq!(converted::<i64, u64>(i64::MAX, u64::MAX), (i64::MAX as u64, u64::MAX, i64::MAX));
    assert_eq!(converted::reference::<i64, u64>(i64::MAX, u64::MAX), (i64::MAX as u64, u64::MAX, i64::MAX));
    assert_eq!(converted::<f32, f64>(0.1, 1 << 60), (f64::from(0.1f32), (1u64 << 60) as f64, 0));
}

#[test]
fn integers_are_added_in_source_order_and_floats_in_lanes() {
    // In lanes, the first one would be 200.
    let a: Vec<i8> = (0..33).map(|i| if i % 2 == 0 { 100 } else { -100 }).collect();
    assert_eq!((total(&a), called_total(&a), inlined_total(&a)), (100, 100, 100));
    assert_eq!((total::reference(&a), called_total::reference(&a)), (100, 100));
    let a: Vec<f64> = (0..100).map(|i| 0.1 * f64::from(i).exp()).collect();
    assert_eq!(total(&a).to_bits(), float_total(&a).to_bits());
    assert_eq!(total(&[-0.0f32]).to_bits(), (-0.0f32).to_bits());
}

#[test]
#[should_panic(expected = "overflow")]
#[cfg(debug_assertions)]
fn an_overflow_is_that_of_the_type() {
    total(&[100u8, 100, 100]);
}

#[test]
fn the_first_of_equal_numbers_is_found() {
    let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0];
    for k in 0..125 {
        let a = [special[k % 5], special[k / 5 % 5], special[k / 25]];
        let want = places_in_order(&a);
        assert_eq!((places(&a), places_of_floats(&a), places::reference(&a)), (want, want, want), "{a:?}");
    }
    assert_eq!((places(&[3u8, 255, 3, 255]), places(&[i64::MAX, i64::MAX])), ((0, 1), (0, 0)));
    assert_eq!(places(&[i8::MIN, i8::MIN]), (0, 0));
}

/// As for floats: a NaN is never better than a number.
fn places_in_order(a: &[f64]) -> (usize, usize) {
    let best = |better: fn(f64, f64) -> bool| {
        let (mut at, mut x) = (0, f64::NAN);
        for (i, y) in a.iter().enumerate() {
            if better(*y, x) || x.is_nan() && !y.is_nan() {
                (at, x) = (i, *y);
            }
        }
        at
    };
    (best(|y, x| y < x), best(|y, x| y > x))
}

/// The type is that of the function's result.
#[smooth]
fn added<T: Real>(n: usize, term: impl Fn(usize) -> T) -> T {
    ifold(n, 0.0, |s, i| s + term(i))
}

#[smooth]
fn composed<T: Number>(g: impl Fn(T) -> T, f: impl Fn(usize) -> T) -> T {
    g(f(3))
}

#[smooth]
fn products<T: Real>(n: usize, pair: impl Fn(usize) -> [T; 2]) -> T {
    sum(n, |i| pair(i)[0] * pair(i)[1])
}

#[smooth]
fn of_closures<T: Real>(a: &[T; n], b: &[f64; n]) -> (T, f32, f64, f64) {
    let named = |i| b[i] * 2.0;
    let rounded = added(n, |i| b[i] as f32);
    (added(n, |i| a[i] * a[i]), rounded, added(n, named) + added(2, |_| 0.5), products(n, |i| [b[i], 3.0]))
}

#[smooth]
fn of_parameters(a: &[i32; n], f: impl Fn(usize) -> f32) -> (f32, i32) {
    (added(n, f), composed(|x| x * 2, |i| a[i]))
}

#[test]
fn closures_determine_type_parameters() {
    let (a, b) = ([1.0f32, 2.0, 3.0, 4.0], [1.5, 2.5, -0.5, 1.0]);
    assert_eq!(of_closures(&a, &b), (30.0f32, 4.5f32, 9.0 + 1.0, 13.5));
    assert_eq!(of_closures(&a.map(f64::from), &b).0, 30.0f64);
    assert_eq!(of_parameters(&[1, 2, 3, 4], |i| i as f32 * 0.5), (3.0, 8));
    assert_eq!(added(3, |i| i as f32), 3.0f32);
}
