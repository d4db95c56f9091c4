//! Reductions, compared bit for bit.
use smooth_runtime::reduce::{
    LANES, max, max_nested, min, min_nested, prod, prod_nested, sum, sum_nested, sum_ordered, sums, sums_nested,
    sums_ordered,
};

/// Values whose sum depends on the order of additions.
fn value(seed: usize) -> impl Fn(usize) -> f64 + Copy {
    move |i| {
        let mixed = ((i + 1) * 0x9E37_79B9 + seed * 0x85EB_CA6B) % 10_007;
        (mixed as f64 - 5_000.0) * 1e-3f64.powi((mixed % 7) as i32 - 3)
    }
}

/// `sum` as its documentation defines it.
fn defined(n: usize, f: impl Fn(usize) -> f64) -> f64 {
    if n == 0 {
        return 0.0;
    }
    let m = n / LANES * LANES;
    let lane = |l| (l..m).step_by(LANES).map(&f).fold(-0.0, |a, b| a + b);
    let lanes = (0..LANES).map(lane).fold(-0.0, |a, b| a + b);
    (m..n).map(&f).fold(lanes, |a, b| a + b)
}

#[test]
fn lane_sums_follow_their_definition() {
    for seed in 0..20 {
        for n in 0..200 {
            let f = value(seed);
            let bits = defined(n, f).to_bits();
            assert_eq!(sum(n, f).to_bits(), bits, "sum, n = {n}");
            assert_eq!(sum_nested(n, f).to_bits(), bits, "sum_nested, n = {n}");
        }
    }
}

#[test]
fn sums_below_16_elements_are_in_source_order() {
    for n in 0..LANES {
        assert_eq!(sum(n, value(1)).to_bits(), sum_ordered(n, value(1)).to_bits());
    }
    assert_ne!(sum(100, value(1)).to_bits(), sum_ordered(100, value(1)).to_bits());
}

#[test]
fn other_reductions_have_the_bits_of_lanes() {
    let numbers = [0.0, -0.0, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1.5, -2.0];
    let same = |x: f64, y: f64| x.to_bits() == y.to_bits() || x.is_nan() && y.is_nan();
    for seed in 0..60 {
        for n in 0..70 {
            let f = |i: usize| numbers[(i * (seed + 1) + i * i * seed / 3 + seed) % numbers.len()];
            assert!(same(prod(n, f), prod_nested(n, f)), "prod, n = {n}");
            assert!(same(min(n, f), min_nested(n, f)), "min, n = {n}");
            assert!(same(max(n, f), max_nested(n, f)), "max, n = {n}");
        }
    }
}

#[test]
fn sums_of_zeros_keep_their_sign() {
    for sum in [sum, sum_nested, sum_ordered] as [fn(usize, fn(usize) -> f64) -> f64; 3] {
        assert_eq!(sum(0, |_| 1.0).to_bits(), 0.0f64.to_bits());
        for n in [1, 15, 16, 17, 40] {
            assert_eq!(sum(n, |_| -0.0).to_bits(), (-0.0f64).to_bits());
            assert_eq!(sum(n, |_| 0.0).to_bits(), 0.0f64.to_bits());
        }
    }
}

#[test]
fn each_index_is_visited_once_in_order() {
    macro_rules! visited {
        ($sum:ident, $n:expr) => {{
            let mut visited = Vec::new();
            $sum($n, |i| {
                visited.push(i);
                0.0
            });
            visited
        }};
    }
    for n in 0..50 {
        let expected: Vec<_> = (0..n).collect();
        assert_eq!(visited!(sum, n), expected);
        assert_eq!(visited!(sum_nested, n), expected);
        assert_eq!(visited!(sum_ordered, n), expected);
    }
}

#[test]
fn several_sums_equal_single_sums() {
    for n in (0..70).chain([100, 1000]) {
        let f = |i| [value(1)(i), value(2)(i), -0.0];
        let one = |k: usize| move |i: usize| f(i)[k];
        let bits = |xs: [f64; 3]| xs.map(f64::to_bits);
        assert_eq!(bits(sums(n, f)), bits([0, 1, 2].map(|k| sum(n, one(k)))), "sums, n = {n}");
        assert_eq!(bits(sums_nested(n, f)), bits(sums(n, f)), "sums_nested, n = {n}");
        assert_eq!(bits(sums_ordered(n, f)), bits([0, 1, 2].map(|k| sum_ordered(n, one(k)))), "sums_ordered, n = {n}");
    }
}

#[test]
fn several_sums_visit_each_index_once_in_order() {
    for n in [0, 1, 15, 16, 17, 50] {
        let mut visited = [vec![], vec![], vec![]];
        sums(n, |i| {
            visited[0].push(i);
            [0.0; 2]
        });
        sums_nested(n, |i| {
            visited[1].push(i);
            [0.0; 2]
        });
        sums_ordered(n, |i| {
            visited[2].push(i);
            [0.0; 2]
        });
        assert_eq!(visited, [(); 3].map(|()| (0..n).collect::<Vec<_>>()));
    }
}
