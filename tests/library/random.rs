//! `smooth::random`: the published blocks, and the properties of the distributions.

use super::heap::heap;
use smooth::array::bincount;
use smooth::prelude::*;
use smooth::random::*;
use std::collections::BTreeSet;
use std::panic::catch_unwind;

/// `kat_vectors` of Random123 1.09, `philox4x32 10`: counter, key, result.
const KNOWN: [([u32; 4], [u32; 2], [u32; 4]); 3] = [
    ([0; 4], [0; 2], [0x6627_e8d5, 0xe169_c58d, 0xbc57_ac4c, 0x9b00_dbd8]),
    ([!0; 4], [!0; 2], [0x408f_276d, 0x41c8_3b0e, 0xa20b_c7c6, 0x6d54_51fd]),
    (
        [0x243f_6a88, 0x85a3_08d3, 0x1319_8a2e, 0x0370_7344],
        [0xa409_3822, 0x299f_31d0],
        [0xd16c_fe09, 0x94fd_cceb, 0x5001_e420, 0x2412_6ea1],
    ),
];

#[test]
fn blocks_are_the_published_ones() {
    for (c, k, want) in KNOWN {
        let word = |low: u32, high: u32| u64::from(high) << 32 | u64::from(low);
        let (key, high, low) = (word(k[0], k[1]), word(c[2], c[3]), word(c[0], c[1]));
        let block = (word(want[0], want[1]), word(want[2], want[3]));
        assert_eq!((philox(key, high, low), philox::reference(key, high, low)), (block, block));
    }
}

/// The numbers themselves, computed by another program, so that no release changes them unnoticed.
#[test]
fn numbers_of_a_key_do_not_change() {
    assert_eq!(bits(42, 2), [0x77f5_493b_9cea_f053, 0x53ba_6cfd_fcdb_2127]);
    assert_eq!(uniform(42, 2), [0.4685865183391049, 0.32706338120338474]);
    assert_eq!(uniform_f32(42, 2), [0.468_586_5, 0.327_063_32]);
    assert_eq!(below(42, 6, 6), [2, 1, 3, 4, 5, 1]);
    assert_eq!(permutation(42, 6), [1, 5, 3, 0, 4, 2]);
    assert_eq!(split(42, 2), [0x9807_e022_2043_9b04, 0x5a93_6ff5_1f85_8d22]);
}

#[test]
fn arrays_have_the_numbers_at_their_indices() {
    for n in [0, 1, 100] {
        let all = 0..n;
        assert!(bits(7, n).into_iter().eq(all.clone().map(|i| bits_at(7, i))));
        assert!(uniform(7, n).into_iter().eq(all.clone().map(|i| uniform_at(7, i))));
        assert!(uniform_f32(7, n).into_iter().eq(all.clone().map(|i| uniform_f32_at(7, i))));
        assert!(normal(7, n).into_iter().eq(all.clone().map(|i| normal_at(7, i))));
        assert!(exponential(7, n).into_iter().eq(all.clone().map(|i| exponential_at(7, i))));
        assert!(below(7, n, 10).into_iter().eq(all.clone().map(|i| below_at(7, i, 10))));
        assert!(split(7, n).into_iter().eq(all.map(|i| split_at(7, i))));
        assert_eq!(normal(7, n), normal::reference(7, n));
        assert_eq!(below(7, n, 10), below::reference(7, n, 10));
        assert_eq!(permutation(7, n), permutation::reference(7, n));
    }
}

/// Mean and variance of `x`.
fn moments(x: &[f64]) -> (f64, f64) {
    let n = x.len() as f64;
    let mean = x.iter().sum::<f64>() / n;
    (mean, x.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / n)
}

#[track_caller]
fn near(found: f64, want: f64, tolerance: f64) {
    assert!((found - want).abs() < tolerance, "{found} is not about {want}");
}

#[test]
fn distributions_have_their_moments() {
    const N: usize = 100_000;
    let (mean, variance) = moments(&uniform(1, N));
    near(mean, 0.5, 0.004);
    near(variance, 1.0 / 12.0, 0.002);
    let z = normal(2, N);
    let (mean, variance) = moments(&z);
    near(mean, 0.0, 0.015);
    near(variance, 1.0, 0.02);
    near(z.iter().filter(|z| z.abs() < 1.0).count() as f64 / N as f64, 0.6827, 0.006);
    let (mean, variance) = moments(&exponential(3, N));
    near(mean, 1.0, 0.015);
    near(variance, 1.0, 0.05);
    // Neighbours and other keys are not correlated.
    let x = uniform(1, N + 1);
    let product = |y: &[f64]| x.iter().zip(y).map(|(x, y)| (x - 0.5) * (y - 0.5)).sum::<f64>() / N as f64 * 12.0;
    for y in [&x[1..], &uniform(split_at(1, 0), N), &uniform(2, N)] {
        near(product(y), 0.0, 0.015);
    }
}

#[test]
fn integers_are_below_their_bound_and_equally_probable() {
    let mut found = [0; 7];
    below(5, 70_000, 7).into_iter().for_each(|x| found[x] += 1);
    assert!(found.iter().all(|k| (9_600..10_400).contains(k)), "{found:?}");
    assert_eq!(below(5, 3, 1), [0; 3]);
    // Half of all draws are rejected for this bound.
    let bound = (1 << 63) + 1;
    let x = below(9, 1000, bound);
    assert!(x.iter().all(|x| *x < bound));
    let small = x.iter().filter(|x| **x < bound / 2).count();
    assert!((400..600).contains(&small), "{small}");
    assert!(below(9, 0, 0).is_empty());
    assert!(catch_unwind(|| below(9, 1, 0)).is_err());
}

#[test]
fn permutations_are_permutations() {
    let mut orders = BTreeSet::new();
    let mut first = [0; 4];
    for key in split(11, 2400) {
        let order = permutation(key, 4);
        assert_eq!(order.iter().collect::<BTreeSet<_>>().len(), 4);
        first[order[0]] += 1;
        orders.insert(order);
    }
    assert_eq!(orders.len(), 24, "all orders occur");
    assert!(first.iter().all(|k| (500..700).contains(k)), "{first:?}");
    assert_eq!((permutation(0, 0), permutation(0, 1)), (vec![], vec![0]));
}

#[test]
fn nothing_is_stored_but_the_result() {
    let mut out = [0.0; 100];
    let ((), taken, given) = heap(|| normal::into(&mut out, 3, 100, &mut Arena::on(&mut [])));
    assert_eq!((taken, given), (0, 0));
    let mut order = [0; 100];
    let ((), taken, given) = heap(|| permutation::into(&mut order, 3, 100, &mut Arena::on(&mut [])));
    assert_eq!((taken, given), (0, 0));
}

/// A random walk: numbers of a key in a scan, in any order in a sum.
#[smooth]
fn walk(key: u64, n: usize) -> ([f64; n], f64) {
    let steps = build(n, |i| normal_at(key, i));
    (scan(n, 0.0, |x, i| x + steps[i]), sum(n, |i| normal_at(key, n - 1 - i)))
}

#[test]
fn kernels_draw_numbers() {
    let (path, end) = walk(6, 50);
    assert_eq!(walk::reference(6, 50).0, path);
    near(path[49], end, 1e-12);
}

#[test]
fn shuffles_and_samples() {
    for n in [0, 1, 2, 100] {
        let mut a: Vec<u8> = (0..n as u8).collect();
        shuffle(&mut a, 5);
        assert!(a.iter().map(|x| usize::from(*x)).eq(permutation(5, n)));
        for k in [0, 1, n / 2, n] {
            let chosen = sample(9, n, k.min(n));
            let once: std::collections::BTreeSet<usize> = chosen.iter().copied().collect();
            assert!(once.len() == k.min(n) && once.iter().all(|i| *i < n));
        }
    }
    // Each of three is the first one about as often as the others.
    let first = bincount(&(0..3000).map(|key| sample(key, 3, 1)[0]).collect::<Vec<_>>(), 3);
    assert!(first.iter().all(|n| (850..1150).contains(n)), "{first:?}");
}
