//! Independent iterations around sequential ones, as compiled kernels against plain Rust: bits, for counts around the ends of
//! blocks.

use smooth::prelude::*;

/// Steps until a number leaves an interval; the rest of them does nothing.
#[smooth]
fn escapes(c: &[f64; n], limit: usize) -> [u32; n] {
    build(n, |i| {
        let (_, steps) = ifold(limit, (0.0, 0), |s, _| if s.0 <= 4.0 { (s.0 * s.0 + c[i], s.1 + 1) } else { s });
        steps
    })
}

/// Balls that fall, and bounce on the floor.
#[smooth]
fn bounces(x: &[f64; n], steps: usize) -> [f64; n] {
    build(n, |i| {
        let (mut y, mut v) = (x[i], 0.0);
        for _ in 0..steps {
            v -= 0.1;
            y += v;
            if y < 0.0 {
                v = -0.5 * v;
                y = 0.0;
            }
        }
        y
    })
}

/// Numbers with no exact sums.
fn numbers(n: usize, seed: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * 31 + seed * 17) % 101) as f64 * 0.0123 - 0.5).collect()
}

/// Counts around the ends of blocks, whichever length they have.
fn counts() -> impl Iterator<Item = usize> {
    (0..5).chain([31, 32, 33].into_iter().flat_map(|n| [n, 2 * n, 4 * n, 8 * n, 16 * n, 16 * n + 3, 32 * n + 3]))
}

#[test]
fn branches_are_taken_by_each_iteration_alone() {
    for n in counts() {
        let x = numbers(n, 1);
        let (steps, heights) = (escapes(&x, 30), bounces(&x, 30));
        for (i, x) in x.iter().enumerate() {
            let (mut z, mut taken) = (0.0, 0);
            let (mut y, mut v) = (*x, 0.0);
            for _ in 0..30 {
                if z <= 4.0 {
                    (z, taken) = (z * z + x, taken + 1);
                }
                v -= 0.1;
                y += v;
                if y < 0.0 {
                    (v, y) = (-0.5 * v, 0.0);
                }
            }
            assert_eq!(steps[i], taken, "{i} of {n}");
            assert_eq!(heights[i].to_bits(), y.to_bits(), "{i} of {n}");
        }
    }
}
