//! Patterns of `match`: alternatives with names, at the top and further in, and guards, which are asked for each alternative.

use smooth::prelude::*;

#[smooth]
fn guarded(a: i64, b: i64) -> i64 {
    match (a, b) {
        (_, y) | (y, _) if y == 1 => 10 + y,
        (0, x) | (x, 0) if x > 3 => x,
        _ => 0,
    }
}

#[smooth]
fn inside(a: i64, b: i64, c: i64) -> i64 {
    match ((a, b), c) {
        ((0, x) | (x, 0), 3) => x,
        (_, 1 | 2) => 7,
        (z @ ((5, _) | (_, 5)), _) => z.0,
        _ => -1,
    }
}

#[smooth]
fn both(a: i64, b: i64, c: i64) -> i64 {
    match ((a, b), c) {
        ((0 | 1, x) | (x, 0 | 2), 3 | 1) if x > 2 => x,
        ((1, y) | (y, 1), z) | ((z, y), 2) if y > z => y * 10 + z,
        (_, -1 | 2) => 7,
        (z @ ((5, _) | (_, 5)), _) if z.1 < 3 => z.0,
        _ => -1,
    }
}

/// A guard of an alternative changes what the loop does.
#[smooth]
fn in_a_loop(a: &[(i64, i64); n], most: i64) -> i64 {
    let mut s = 0;
    for i in 0..n {
        match a[i] {
            (x, y) | (y, x) if x + s < y => s += x,
            (x, _) if x > most => return s,
            (_, x @ 1..=3) | (x @ 1..=3, _) => s -= x,
            _ => continue,
        }
        s += 1;
    }
    s
}

#[test]
fn every_alternative_is_tried() {
    for (a, b) in (-3..6).flat_map(|a| (-3..6).map(move |b| (a, b))) {
        assert_eq!(guarded(a, b), guarded::reference(a, b), "{a} {b}");
        for c in -2..4 {
            assert_eq!(inside(a, b, c), inside::reference(a, b, c), "{a} {b} {c}");
            assert_eq!(both(a, b, c), both::reference(a, b, c), "{a} {b} {c}");
        }
        for most in 0..5 {
            let (first, second) = ([a, 2, b, 4, -1], [b, a, 1, 2 * b, 3]);
            let args = (&first[..], &second[..]);
            assert_eq!(in_a_loop(args, most), in_a_loop::reference(args, most), "{a} {b} {most}");
        }
    }
    assert_eq!((guarded(1, 5), guarded(5, 1), inside(0, 4, 3), inside(4, 0, 3)), (11, 11, 4, 4));
}
