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

/// Points that move by the weighted sum of some transforms.
#[smooth]
fn moved(m: &[[[f64; 2]; 2]; b], x: &[[f64; 2]; n], w: &[[f64; n]; b]) -> [[f64; 2]; n] {
    build(n, |k| {
        let at = |i: usize, r: usize| m[i][r][0] * x[k][0] + m[i][r][1] * x[k][1];
        ifold(b, [0.0; 2], |p, i| build(2, |r| p[r] + w[i][k] * at(i, r)))
    })
}

/// Distances of points from several others. The last one counts most.
#[smooth]
fn energies(x: &[[f64; d]; n], m: &[[f64; d]; k]) -> [f64; n] {
    build(n, |i| ifold(k, 0.0, |s, c| s * 0.5 + sum(d, |j| (x[i][j] - m[c][j]) * (x[i][j] - m[c][j]))))
}

/// A sum over points of the contributions of several others.
#[smooth]
fn likelihood(x: &[[f64; d]; n], m: &[[f64; d]; k]) -> f64 {
    sum(n, |i| {
        let t = build(k, |c| ifold(d, 0.0, |s, j| s - (x[i][j] - m[c][j]).abs()));
        let most = ifold(k, t[0], |s: f64, c| if t[c] > s { t[c] } else { s });
        most + sum(k, |c| 1.0 / (1.0 + (most - t[c])))
    })
}

/// Products and extremes of polynomials.
#[smooth]
fn polynomials(x: &[f64; n], c: &[f32; k]) -> (f64, f64, f64) {
    let at = |i: usize| ifold(k, 1.0, |s, j| s * x[i] + c[j] as f64);
    (prod(n, |i| at(i)), min(n, |i| at(i)), max(n, |i| at(i)))
}

/// Elements at places that are checked.
#[smooth]
fn gathered(a: &[f64; n], at: &[usize; k]) -> [f64; n] {
    build(n, |i| ifold(k, 0.0, |s, j| s * a[i] + a[at[j]]))
}

/// A count that is the same for all elements, in a branch together with a sum that is not.
#[smooth]
fn counted(a: &[f64; n], c: &[f64; k]) -> [f64; n] {
    build(n, |i| {
        let (mut x, mut count) = (0.0, 0.0);
        for j in 0..k {
            if c[j] > 0.0 {
                count += 1.0;
                x += a[i] * count;
            }
        }
        x + count
    })
}

/// The order of a reduction in 16 lanes.
fn in_lanes(n: usize, start: f64, term: impl Fn(usize) -> f64, with: impl Fn(f64, f64) -> f64) -> f64 {
    let full = n / 16 * 16;
    let mut lanes = [start; 16];
    (0..full).for_each(|i| lanes[i % 16] = with(lanes[i % 16], term(i)));
    let total = if full > 0 { lanes.into_iter().fold(start, &with) } else { start };
    (full..n).fold(total, |total, i| with(total, term(i)))
}

fn sum_of(n: usize, term: impl Fn(usize) -> f64) -> f64 {
    if n == 0 { 0.0 } else { in_lanes(n, -0.0, term, |a, b| a + b) }
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

#[test]
fn a_branch_is_made_as_a_whole() {
    let c = numbers(9, 3);
    for n in counts() {
        let a = numbers(n, 2);
        for (i, got) in counted(&a, &c).into_iter().enumerate() {
            let positive = c.iter().filter(|c| **c > 0.0);
            let (x, count) = positive.fold((0.0, 0.0), |(x, count), _| (x + a[i] * (count + 1.0), count + 1.0));
            assert_eq!(got.to_bits(), (x + count).to_bits(), "{i} of {n}");
        }
    }
}

#[test]
fn rows_that_are_read_several_times_are_columns() {
    for n in counts() {
        for (k, d) in [(1, 3), (5, 2), (3, 17), (2, 33), (2, 130)] {
            let (x, m, w) = (numbers(n * d, 1), numbers(k * d, 2), numbers(n * k, 3));
            let energies = energies(View::new(&x, [n, d]), View::new(&m, [k, d]));
            let pairs: Vec<[f64; 2]> = numbers(2 * n, 4).chunks(2).map(|x| [x[0], x[1]]).collect();
            let turns: Vec<[[f64; 2]; 2]> = numbers(4 * k, 5).chunks(4).map(|m| [[m[0], m[1]], [m[2], m[3]]]).collect();
            let moved = moved(&turns, &pairs, View::new(&w, [k, n]));
            for i in 0..n {
                let apart = |c: usize, j: usize| x[i * d + j] - m[c * d + j];
                let want = (0..k).fold(0.0, |s, c| s * 0.5 + sum_of(d, |j| apart(c, j) * apart(c, j)));
                assert_eq!(energies[i].to_bits(), want.to_bits(), "{i} of {n}, {k} and {d}");
                for r in 0..2 {
                    let at = |c: usize| turns[c][r][0] * pairs[i][0] + turns[c][r][1] * pairs[i][1];
                    let want = (0..k).fold(0.0, |p, c| p + w[c * n + i] * at(c));
                    assert_eq!(moved[i][r].to_bits(), want.to_bits(), "{i} of {n}, {k}, coordinate {r}");
                }
            }
        }
    }
}

#[test]
fn sums_over_blocks_keep_their_order() {
    for n in counts() {
        for (k, d) in [(1, 3), (5, 2), (17, 1), (40, 3), (2, 130), (130, 2)] {
            let (x, m) = (numbers(n * d, 1), numbers(k * d, 2));
            let want = sum_of(n, |i| {
                let t: Vec<f64> =
                    (0..k).map(|c| (0..d).fold(0.0, |s, j| s - (x[i * d + j] - m[c * d + j]).abs())).collect();
                let most = t.iter().fold(t[0], |s, t| if *t > s { *t } else { s });
                most + sum_of(k, |c| 1.0 / (1.0 + (most - t[c])))
            });
            let got = likelihood(View::new(&x, [n, d]), View::new(&m, [k, d]));
            assert_eq!(got.to_bits(), want.to_bits(), "{n}, {k} and {d}");
        }
        let (x, c): (Vec<f64>, Vec<f32>) = (numbers(n, 6), vec![0.5, -0.25, 0.125, 0.75]);
        let at = |i: usize| c.iter().fold(1.0, |s, c| s * x[i] + f64::from(*c));
        let (product, least, most) = polynomials(&x, &c);
        assert_eq!(product.to_bits(), in_lanes(n, 1.0, at, |a, b| a * b).to_bits(), "{n}");
        assert_eq!(least, in_lanes(n, f64::INFINITY, at, |a, b| if b < a { b } else { a }), "{n}");
        assert_eq!(most, in_lanes(n, f64::NEG_INFINITY, at, |a, b| if b > a { b } else { a }), "{n}");
    }
}

#[test]
fn checks_are_made_wherever_there_is_an_iteration() {
    let a = numbers(70, 7);
    let want = |i: usize| [3, 0, 69].iter().fold(0.0, |s, at| s * a[i] + a[*at]);
    assert!(gathered(&a, &[3, 0, 69]).iter().enumerate().all(|(i, x)| x.to_bits() == want(i).to_bits()));
    assert!(gathered(&[], &[3]).is_empty(), "nothing is read");
    let panics = |at: &[usize]| std::panic::catch_unwind(|| gathered(&a, at)).is_err();
    assert!(panics(&[3, 70]) && !panics(&[]));
}

/// Steps until a number leaves an interval.
#[smooth]
fn leaves(c: &[f64; n], limit: u32) -> [u32; n] {
    build(n, |i| {
        let (mut x, mut steps) = (0.0, 0);
        while steps < limit && x * x <= 4.0 {
            x = x * x + c[i];
            steps += 1;
        }
        steps
    })
}

/// Square roots by Newton's method.
#[smooth]
fn roots(c: &[f64; n]) -> [f64; n] {
    build(n, |i| {
        let mut x = 1.0;
        loop {
            let y = 0.5 * (x + c[i] / x);
            if (y - x).abs() <= 1e-9 {
                break y;
            }
            x = y;
        }
    })
}

/// Collatz.
#[smooth]
fn halvings(c: &[u64; n]) -> [u32; n] {
    build(n, |i| {
        let (mut x, mut steps) = (c[i], 0);
        while x > 1 {
            x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
            steps += 1;
        }
        steps
    })
}

/// Sums of numbers up to the first that is too large.
#[smooth]
fn up_to(x: &[f64; n], t: &[f64; m]) -> (f64, [f64; n]) {
    let each = build(n, |i| {
        let mut s = 0.0;
        for j in 0..m {
            if t[j] > x[i] {
                break;
            }
            s += t[j] * x[i];
        }
        s
    });
    let total = sum(n, |i| {
        let (mut s, mut j) = (x[i], 0);
        while s < 1.0 && j < 20 {
            s += 0.375;
            j += 1;
        }
        s
    });
    (total, each)
}

/// Numbers without a pattern, from 0 to 1.
fn random(n: usize) -> Vec<f64> {
    let mut state = 88_172_645_463_325_252_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state >> 11) as f64 / (1_u64 << 53) as f64
    };
    (0..n).map(|_| next()).collect()
}

fn steps_of(c: f64, limit: u32) -> u32 {
    let (mut x, mut steps) = (0.0, 0);
    while steps < limit && x * x <= 4.0 {
        (x, steps) = (x * x + c, steps + 1);
    }
    steps
}

fn root_of(c: f64) -> f64 {
    let mut x = 1.0;
    loop {
        let y = 0.5 * (x + c / x);
        if f64::abs(y - x) <= 1e-9 {
            return y;
        }
        x = y;
    }
}

fn halvings_of(c: u64) -> u32 {
    std::iter::successors(Some(c).filter(|x| *x > 1), |x| {
        Some(if x % 2 == 0 { x / 2 } else { 3 * x + 1 }).filter(|x| *x > 1)
    })
    .count() as u32
}

/// With the instances from the widest down.
#[test]
fn iterations_that_end_early_have_the_same_bits() {
    for level in [3, 2, 1] {
        smooth::__private::limit_instances(level);
        for n in [0, 1, 2, 31, 32, 33, 64, 200] {
            // At once, never before the limit, all alike, one of many, and at random.
            let mut cases = vec![vec![9.0; n], vec![0.0; n], vec![0.3; n], random(n)];
            cases.push((0..n).map(|i| if i % 32 == 5 { 0.0 } else { 3.0 }).collect());
            cases.push((0..n).map(|i| if i % 7 < 3 { 0.251 } else { 0.1 }).collect());
            for c in &cases {
                for limit in [0, 1, 7, 8, 9, 30] {
                    let got = leaves(c, limit);
                    assert!(c.iter().zip(got.iter()).all(|(c, s)| *s == steps_of(*c, limit)), "{n}, {limit}, {level}");
                }
                let large: Vec<f64> = c.iter().map(|c| 0.5 + c * c * 1e4).collect();
                let got = roots(&large);
                assert!(
                    large.iter().zip(got.iter()).all(|(c, x)| x.to_bits() == root_of(*c).to_bits()),
                    "{n}, {level}"
                );
                let whole: Vec<u64> = c.iter().map(|c| (c * 1e4) as u64).collect();
                let got = halvings(&whole);
                assert!(whole.iter().zip(got.iter()).all(|(c, s)| *s == halvings_of(*c)), "{n}, {level}");
                for m in [0, 1, 8, 31] {
                    let t: Vec<f64> = (0..m).map(|j| f64::from(j) * 0.04).collect();
                    let (total, each) = up_to(c, &t);
                    for (x, s) in c.iter().zip(each.iter()) {
                        let want = t.iter().take_while(|t| *t <= x).fold(0.0, |s, t| s + t * x);
                        assert_eq!(s.to_bits(), want.to_bits(), "{n}, {m}, {level}");
                    }
                    let last = |x: f64| {
                        let (mut s, mut j) = (x, 0);
                        while s < 1.0 && j < 20 {
                            (s, j) = (s + 0.375, j + 1);
                        }
                        s
                    };
                    assert_eq!(total.to_bits(), sum_of(n, |i| last(c[i])).to_bits(), "{n}, {level}");
                }
            }
        }
    }
    smooth::__private::limit_instances(3);
}
