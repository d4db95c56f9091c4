//! Loops that change a few elements of large arrays copy none of them: the number of elements that a kernel writes grows
//! with its arrays by as much in many iterations as in few. Random kernels as well, of which a few run in `cargo test`;
//! to run many: `SMOOTH_PROGRAMS=2000 cargo test --release -p smooth-core --test copies`.

mod common;
#[allow(unused_imports, reason = "other tests need all of it")]
#[path = "common/random.rs"]
mod random;

use common::{Others, Unit, run_everywhere, unit};
use random::Rng;
use smooth_core::dps;
use smooth_core::fsmooth::Kernel;
use smooth_core::options::Options;
use smooth_core::shape::{Dim, ParamKind};
use smooth_core::value::{Array, Lit, Value};

/// Kernels of `m` iterations over arrays of `n` rows. The elements of `p` are below 4.
const KERNELS: &str = "
fn three_zero_arrays(p: &[usize; m], n: usize) -> ([[[f64; 2]; 3]; n], [[[f64; 2]; 3]; n], [[[f64; 2]; 3]; n]) {
    let (mut a, mut b, mut c) = ([[[0.0; 2]; 3]; n], [[[0.0; 2]; 3]; n], [[[0.0; 2]; 3]; n]);
    for s in 0..m {
        for i in 0..3 { for j in 0..2 { a[p[s]][i][j] = 1.0; b[p[s]][i][j] += a[p[s]][i][j]; c[p[s]][i][j] -= 2.0; } }
    }
    (a, b, c)
}
fn two_of_rank_4(p: &[usize; m], n: usize) -> ([[[[f64; 2]; 3]; 2]; n], [[[[f64; 2]; 3]; 2]; n]) {
    let (mut a, mut b) = ([[[[0.0; 2]; 3]; 2]; n], [[[[0.0; 2]; 3]; 2]; n]);
    for s in 0..m {
        if a[p[s]][0][2][1] < 3.0 { a[p[s]][0][2][1] += 1.0; } else { b[p[s]][1][0][0] += 1.0; }
    }
    (a, b)
}
fn column_that_stays(p: &[usize; m], n: usize) -> [(u32, usize); n] {
    let mut t = build(n, |i| (0, i / 2));
    for s in 0..m {
        let mut node = p[s];
        while node > 0 { t[node].0 += 1; node = t[node].1; }
    }
    t
}
fn columns_of_three(p: &[usize; m], n: usize) -> [(f64, usize, f64); n] {
    let mut t = build(n, |i| (0.0, i / 2, i as f64));
    for s in 0..m {
        let mut node = p[s];
        loop {
            if node == 0 { break; }
            t[node].2 += t[node].0;
            node = t[node].1;
        }
        t[p[s]].0 = t[0].2;
    }
    t
}
fn pair_of_arrays(p: &[usize; m], n: usize) -> ([f64; n], [usize; n]) {
    let mut t = ([0.0; n], build(n, |i| i / 2));
    for s in 0..m {
        let mut node = p[s];
        while node > 0 { t.0[node] += 1.0; node = t.1[node]; }
    }
    t
}
fn row_under_a_condition(p: &[usize; m], n: usize) -> ([f64; n], [[f64; 2]; n]) {
    let (mut a, mut b) = ([0.0; n], [[0.0, 0.0]; n]);
    for s in 0..m {
        let j = p[s];
        b[j][0] += 1.0;
        let c = b[j][0];
        if c > 2.0 { a[j] = 1.0; b[j] = [c + 1.0, 0.0]; }
    }
    (a, b)
}
fn rows_under_conditions(p: &[usize; m], y: &mut [[[f64; 2]; 3]; n]) -> [[f64; 2]; n] {
    let mut b = [[1.0, 2.0]; n];
    for s in 0..m {
        let j = p[s];
        if b[j][0] > 2.0 {
            if b[j][1] > 2.0 { b[j] = [0.5, 0.25]; } else { b[j][1] += 1.0; y[j] = [[1.0, 2.0]; 3]; }
        } else {
            b[j][0] += 1.5;
            y[j][0] = b[0];
        }
    }
    b
}
fn exchange_and_assignment(p: &[usize; m], n: usize) -> ([f64; n], [f64; n]) {
    let (mut a, mut b) = ([0.0; n], [1.0; n]);
    for s in 0..m {
        b[p[s]] = a[p[s]] + 1.0;
        (a, b) = (b, a);
        b[0] = 0.5;
    }
    (a, b)
}
fn exchange_and_rows(p: &[usize; m], n: usize) -> ([[f64; 2]; n], [[f64; 2]; n]) {
    let (mut a, mut b) = ([[0.0; 2]; n], [[1.0, 2.0]; n]);
    for s in 0..m {
        (a, b) = (b, a);
        a[p[s]] = [b[0][0], 1.0];
        for q in 0..2 { b[p[s]][q] += a[0][q]; }
        if b[0][0] > 2.0 { b[1][0] -= 1.0; }
    }
    (a, b)
}
fn three_change_places(p: &[usize; m], n: usize) -> ([f64; n], [f64; n], [f64; n]) {
    let (mut a, mut b, mut c) = ([0.0; n], [1.0; n], [2.0; n]);
    for s in 0..m {
        (a, b, c) = (b, c, a);
        a[p[s]] += 1.0;
        b[0] = a[p[s]];
        c[1] = b[1] - a[1];
    }
    (a, b, c)
}
fn rows_side_by_side(p: &[usize; m], x: &[f64; n], v: &[f64; n]) -> [[f64; n]; 3] {
    let (mut x, mut v, mut w) = (x.clone(), v.clone(), x.clone());
    for s in 0..m {
        v[p[s]] -= 0.5 * x[p[s]];
        x[p[s]] += 0.5 * v[p[s]];
        w[p[s]] = x[0] + v[0];
    }
    [x, v, w]
}
";

/// Kernels that write whole arrays, each with the number of elements that it has to write for 5 rows in 8 iterations.
const WHOLE: &[(u64, &str)] = &[
    // Both are filled and updated.
    (
        4 * 5 * 5 * 8,
        "fn twins(x: &[f64; n], l: usize, m: usize) -> ([[[f64; n]; l]; m], [[[f64; n]; l]; m]) {
            let (mut h, mut k) = ([[[0.0; n]; l]; m], [[[0.0; n]; l]; m]);
            for t in 0..m { for i in 0..l { for j in 0..n { h[t][i][j] = x[j]; k[t][i][j] = x[j] + 1.0; } } }
            (h, k)
        }",
    ),
    // Two rows are filled; each iteration writes one, and an element of the other.
    (
        2 * 6 + 1 + 8 * (5 + 1),
        "fn behind(x: &[f64; m], y: &[f64; n]) -> f64 {
            let (mut a, mut b) = ([0.0; n + 1], [0.0; n + 1]);
            a[0] = 1.0;
            for i in 0..m {
                for j in 0..n { b[j + 1] = a[j] * x[i] + b[j] * y[j]; }
                (a, b) = (b, a);
                b[0] = 0.0;
            }
            a[n]
        }",
    ),
    // Two rows are copied; each iteration writes both.
    (
        (2 + 2 * 8) * 5,
        "fn leapfrog(x: &[f64; n], v: &[f64; n], m: usize) -> [[f64; n]; 2] {
            let (mut x, mut v) = (x.clone(), v.clone());
            for s in 0..m {
                for i in 0..n { v[i] -= 0.5 * x[i]; }
                for i in 0..n { x[i] += 0.5 * v[i]; }
            }
            [x, v]
        }",
    ),
];

/// Kernels with rows of `n` elements, each with the numbers of rows that an iteration writes, that are written once, and
/// that are in the frame.
const ROWS: &[([i64; 3], &str)] = &[
    // Leapfrog: two rows with names that are put side by side, as a fold, as loops, and as one array of both.
    (
        [2, 2, 0],
        "fn f(x: &[f64; n], v: &[f64; n], m: usize) -> [[f64; n]; 2] {
            let (mut x, mut v) = (x.clone(), v.clone());
            for s in 0..m { x = build(n, |i| x[i] + 0.5 * v[i]); v = build(n, |i| v[i] - 0.5 * x[i]); }
            [x, v]
        }",
    ),
    (
        [2, 2, 0],
        "fn f(x: &[f64; n], v: &[f64; n], m: usize) -> [[f64; n]; 2] {
            let (x, v) = ifold(m, (x, v), |(x, v), _| {
                let v = build(n, |i| v[i] - 0.5 * x[i]);
                (build(n, |i| x[i] + 0.5 * v[i]), v)
            });
            [x, v]
        }",
    ),
    (
        [2, 2, 0],
        "fn f(x: &[f64; n], v: &[f64; n], m: usize) -> [[f64; n]; 2] {
            let (mut x, mut v, mut s) = (x.clone(), v.clone(), 0);
            while s < m {
                let w = build(n, |i| v[i] - 0.5 * x[i]);
                x = build(n, |i| x[i] + 0.5 * w[i]);
                v = w;
                s += 1;
            }
            [x, v]
        }",
    ),
    (
        [2, 2, 0],
        "fn f(x: &[f64; n], v: &[f64; n], m: usize) -> [[f64; n]; 2] {
            let mut s = [x, v];
            for t in 0..m {
                s[1] = build(n, |i| s[1][i] - 0.5 * s[0][i]);
                s[0] = build(n, |i| s[0][i] + 0.5 * s[1][i]);
            }
            s
        }",
    ),
    // A second buffer of both rows.
    (
        [2, 2, 2],
        "fn f(q: &[f64; n], p: &[f64; n], m: usize) -> [[f64; n]; 2] {
            ifold(m, [q, p], |s, _| {
                let p = build(n, |i| s[1][i] - 0.5 * s[0][i]);
                let q = build(n, |i| s[0][i] + 0.5 * p[i]);
                [q, p]
            })
        }",
    ),
    (
        [2, 2, 2],
        "fn f(x: &[f64; n], v: &[f64; n], m: usize) -> [[f64; n]; 2] {
            let mut s = [x, v];
            for t in 0..m {
                let [x, v] = s;
                let w = build(n, |i| v[i] - 0.5 * x[i]);
                s = [build(n, |i| x[i] + 0.5 * w[i]), w];
            }
            s
        }",
    ),
    (
        [3, 3, 3],
        "fn f(x: &[f64; n], v: &[f64; n], m: usize) -> [[f64; n]; 3] {
            let mut s = [x, v, x];
            for t in 0..m {
                let v = build(n, |i| s[s.len() - 1][i] - 0.5 * s[0][i]);
                let x = build(n, |i| s[s.len() - 2][i] + 0.5 * v[i]);
                s = [x, v, build(n, |i| x[i] * v[i])];
            }
            s
        }",
    ),
    // Rows of rows, of matrices, beside a vector; the conjugate gradients.
    (
        [4, 4, 0],
        "fn f(q: &[f64; n], p: &[f64; n], m: usize) -> [[[f64; n]; 2]; 2] {
            let (mut a, mut b, mut c, mut d) = (q.clone(), p.clone(), q.clone(), p.clone());
            for s in 0..m {
                a = build(n, |i| a[i] + 0.5 * b[i]);
                b = build(n, |i| b[i] - 0.5 * a[i]);
                c = build(n, |i| c[i] + 0.5 * d[i]);
                d = build(n, |i| d[i] - 0.5 * c[i] + a[i]);
            }
            [[a, b], [c, d]]
        }",
    ),
    (
        [3, 3, 0],
        "fn f(q: &[f64; n], p: &[f64; n], m: usize) -> ([[f64; n]; 2], [f64; n]) {
            let (mut a, mut b, mut c) = (q.clone(), p.clone(), q.clone());
            for s in 0..m {
                a = build(n, |i| a[i] + 0.5 * b[i]);
                b = build(n, |i| b[i] - 0.5 * a[i]);
                c = build(n, |i| c[i] + 0.5 * b[i]);
            }
            ([b, a], c)
        }",
    ),
    (
        [3, 3, 0],
        "fn f(c: &[f64; n], b: &[f64; n], m: usize) -> [[f64; n]; 3] {
            let (mut x, mut r, mut p) = ([0.0; n], b.clone(), b.clone());
            for t in 0..m {
                let q = build(n, |i| c[i] * p[i] + p[n - 1 - i]);
                let rr = sum(n, |i| r[i] * r[i]);
                let alpha = rr / (sum(n, |i| p[i] * q[i]) + 1.0);
                x = build(n, |i| x[i] + alpha * p[i]);
                r = build(n, |i| r[i] - alpha * q[i]);
                let beta = sum(n, |i| r[i] * r[i]) / (rr + 1.0);
                p = build(n, |i| r[i] + beta * p[i]);
            }
            [x, r, p]
        }",
    ),
    // Where a row is read after it is overwritten, or which row is read is not known: two buffers.
    (
        [2, 3, 2],
        "fn f(x: &[f64; n], v: &[f64; n], m: usize) -> [[f64; n]; 2] {
            let (mut x, mut v) = (x.clone(), v.clone());
            for s in 0..m {
                let w = build(n, |i| v[i] - 0.5 * x[i]);
                x = build(n, |i| x[i] + v[n - 1 - i] * w[i]);
                v = w;
            }
            [x, v]
        }",
    ),
    (
        [2, 2, 2],
        "fn f(x: &[f64; n], v: &[f64; n], m: usize) -> [[f64; n]; 2] {
            let mut s = [x, v];
            for t in 0..m {
                let v = build(n, |i| s[t % 2][i] - 0.5 * s[0][i]);
                let x = build(n, |i| s[(t + 1) % 2][i] + 0.5 * v[i]);
                s = [x, v];
            }
            s
        }",
    ),
    // A wave equation: in buffers that are exchanged, as a fold, with a next row, and with tuples.
    (
        [1, 2, 1],
        "fn f(x: &[f64; n], c: f64, m: usize) -> [f64; n] {
            let (mut a, mut b) = (x.clone(), x.clone());
            for t in 0..m {
                for i in 1..n - 1 { b[i] = 2.0 * a[i] - b[i] + c * (a[i - 1] - 2.0 * a[i] + a[i + 1]); }
                std::mem::swap(&mut a, &mut b);
            }
            a
        }",
    ),
    (
        [1, 2, 1],
        "fn f(x: &[f64; n], c: f64, m: usize) -> [f64; n] {
            let (a, b) = ifold(m, (x, x), |(a, b), _| {
                let next = build(n, |i| if i == 0 || i + 1 == n { a[i] } else {
                    2.0 * a[i] - b[i] + c * (a[i - 1] - 2.0 * a[i] + a[i + 1])
                });
                (next, a)
            });
            a
        }",
    ),
    (
        [1, 2, 1],
        "fn f(x: &[f64; n], c: f64, m: usize) -> [f64; n] {
            let (mut a, mut b, mut t) = (x.clone(), x.clone(), 0);
            while t < m {
                let next = build(n, |i| 2.0 * a[i] - b[i] + c * a[(i + 1) % n]);
                b = a;
                a = next;
                t += 1;
            }
            a
        }",
    ),
    (
        [1, 2, 1],
        "fn f(x: &[f64; n], c: f64, m: usize) -> [f64; n] {
            let (mut a, mut b) = (x.clone(), x.clone());
            for t in 0..m {
                b = build(n, |i| 2.0 * a[i] - b[i] + c * a[(i + 1) % n]);
                (a, b) = (b, a);
            }
            a
        }",
    ),
    (
        [1, 2, 1],
        "fn f(x: &[f64; n], c: f64, m: usize) -> ([f64; n], f64) {
            let (mut a, mut b, mut r) = (x.clone(), x.clone(), 0.0);
            for t in 0..m {
                let next = build(n, |i| 2.0 * a[i] - b[i] + c * a[(i + 1) % n]);
                r = sum(n, |i| (next[i] - a[i]) * (next[i] - a[i]));
                (a, b) = (next, a);
            }
            (a, r)
        }",
    ),
    (
        [1, 0, 0],
        "fn f(a: &mut [f64; n], b: &mut [f64; n], c: f64, m: usize) {
            for t in 0..m {
                let next = build(n, |i| 2.0 * a[i] - b[i] + c * a[(i + 1) % n]);
                (b, a) = (a, next);
            }
        }",
    ),
    // A loop that ends early, and three buffers.
    (
        [1, 2, 1],
        "fn f(x: &[f64; n], c: f64, m: usize) -> [f64; n] {
            let (mut a, mut b) = (x.clone(), x.clone());
            for t in 0..m {
                if a[0] > 1e9 { break; }
                let next = build(n, |i| 2.0 * a[i] - b[i] + c * a[(i + 1) % n]);
                b = a;
                a = next;
            }
            a
        }",
    ),
    (
        [1, 3, 2],
        "fn f(x: &[f64; n], c: f64, m: usize) -> [f64; n] {
            let (a, _, _) = ifold(m, (x, x, x), |(a, b, d), _| {
                (build(n, |i| a[i] + c * (23.0 * a[(i + 1) % n] - 16.0 * b[(i + 1) % n] + 5.0 * d[i])), a, b)
            });
            a
        }",
    ),
    // The last but one is read elsewhere than where it is overwritten; two states take the place of one.
    (
        [2, 2, 1],
        "fn f(x: &[f64; n], c: f64, m: usize) -> ([f64; n], [f64; n]) {
            ifold(m, (x, x), |(a, b), _| (build(n, |i| a[(i + 1) % n] + c * b[(i + 1) % n]), a))
        }",
    ),
    (
        [2, 3, 0],
        "fn f(x: &[f64; n], c: f64, m: usize) -> ([f64; n], [f64; n], [f64; n]) {
            ifold(m, (x, x, x), |(a, b, d), _| (build(n, |i| a[(i + 1) % n] + c * b[i] + d[i]), a, a))
        }",
    ),
    // Rows that change places: one of them is written elsewhere, since a fold borrows both.
    (
        [1, 3, 1],
        "fn f(x: &[f64; n], c: f64, m: usize) -> [[f64; n]; 2] {
            let (mut a, mut b) = (x.clone(), x.clone());
            for t in 0..m {
                let next = build(n, |i| 2.0 * a[i] - b[i] + c * a[(i + 1) % n]);
                b = a;
                a = next;
            }
            [a, b]
        }",
    ),
    (
        [2, 5, 2],
        "fn f(x: &[f64; n], m: usize) -> [[f64; n]; 3] {
            let (mut a, mut b, mut c) = (x.clone(), x.clone(), x.clone());
            for t in 0..m {
                for i in 0..n { b[i] = a[(i + 1) % n]; }
                (a, b) = (b, a);
                for i in 0..n { c[i] += a[i]; }
            }
            [a, b, c]
        }",
    ),
];

/// Arguments for sizes: a float is 1.5, numbers are below 4.
fn arguments(k: &Kernel, n: usize, m: usize) -> Vec<Value> {
    let size = |name: &str| if name.starts_with('m') { m } else { n };
    let argument = |kind: &ParamKind, name: &str| match kind {
        ParamKind::Scalar(s) if s.is_float() => Value::Scalar(Lit::float(1.5, *s)),
        ParamKind::Scalar(s) => Value::Scalar(Lit::Int(size(name) as i128, *s)),
        ParamKind::Array(elem, dims) => {
            let extent = |d: &Dim| match d {
                Dim::Lit(n) => *n as usize,
                Dim::Size(v) | Dim::Param(v) => size(&k.names.unique(*v).to_string()),
                Dim::Anon => n,
            };
            let dims: Vec<usize> = dims.iter().map(extent).collect();
            // The same rows, however many there are.
            let element = |k: usize| match elem {
                s if s.is_float() => Lit::float((k * 37 % 19) as f64 / 4.0 - 1.0, *s),
                s => Lit::Int((k * 7 % 11 % 4) as i128, *s),
            };
            let data = (0..dims.iter().product()).map(element).collect();
            Value::Array(Array { elem: *elem, dims, data })
        }
        kind => panic!("a parameter {kind:?}"),
    };
    k.interface.params.iter().map(|p| argument(&p.kind, &p.name)).collect()
}

/// The number of elements that a kernel copies in each of 8 iterations because its arrays have 4 rows more: nothing else
/// that it writes in an iteration depends on their length.
fn copied(unit: &Unit, name: &str) -> Result<i64, String> {
    let s = &unit.stages[name];
    let written = |n, m| -> Result<i64, String> {
        let args = arguments(&s.elaborated.kernel, n, m);
        run_everywhere(unit, name, &args)?;
        dps::eval::run(&s.stored, &args, &Others(unit)).map(|r| r.written as i64)
    };
    let [few, many] = [written(5, 8)? - written(9, 8)?, written(5, 16)? - written(9, 16)?];
    Ok(few - many)
}

fn without(pass: &str) -> Options {
    let mut options = Options::default();
    assert!(pass.is_empty() || options.switches.set(pass, false));
    options
}

#[test]
fn nothing_is_copied_in_each_iteration() {
    for pass in ["", "merge_folds"] {
        let unit = unit(&KERNELS.replace("\nfn ", "\n#[smooth] fn "), &without(pass));
        assert!(unit.stages.len() > 10);
        let found: Vec<_> = unit.stages.keys().map(|name| (name, copied(&unit, name))).collect();
        let wrong: Vec<_> = found.iter().filter(|(_, copied)| *copied != Ok(0)).collect();
        assert!(wrong.is_empty(), "without `{pass}`: {wrong:?}");
    }
}

#[test]
fn arrays_are_written_once() {
    for (want, text) in WHOLE {
        let unit = unit(&format!("#[smooth] {text}"), &without(""));
        let (name, s) = unit.stages.iter().next().expect("a kernel");
        let args = arguments(&s.elaborated.kernel, 5, 8);
        run_everywhere(&unit, name, &args).unwrap();
        assert_eq!(dps::eval::run(&s.stored, &args, &Others(&unit)).unwrap().written, *want, "{text}");
    }
}

/// Rows that are in their arrays, without a copy, whose last states are computed in two buffers.
const BORROWED: &[&str] = &[
    "fn f(m: usize, n: usize) -> [[[f64; n]; m]; 3] {
        scan_exclusive(3, scan(m, build([n], |i| 1.5), |x, i| build([n], |j| x[j] * 0.5 + 1.0)), |x, i| {
            ifold(3, scan_exclusive(m, build([n], |i| 1.2), |x, i| build([n], |j| x[j] * 0.5 + 0.75)), |x, i| {
                build([m, n], |j, k| x[m - 1 - j][0.min(n - 1)] * 0.5 + x[j][k] + 1.5)
            })
        })
    }",
    // A fold that is a row of the result begins with another row, or reads it in its steps.
    "fn f(y: &[f64; n], m: usize) -> [[f64; n]; 2] {
        let w = build(n, |i| y[i] + 1.0);
        [ifold(m, build(n, |i| w[i] - y[n - 1 - i]), |q, _| build(n, |i| q[n - 1 - i] + y[i])), w]
    }",
    "fn f(y: &[f64; n], m: usize) -> [[f64; n]; 2] {
        let w = build(n, |i| y[i] + 1.0);
        [w, ifold(m, build(n, |i| y[n - 1 - i]), |q, _| build(n, |i| q[n - 1 - i] + w[n - 1 - i]))]
    }",
    "fn f(y: &[f64; n], m: usize) -> [[f64; n]; 2] {
        let w = build(n, |i| y[i] + 1.0);
        let (mut q, mut t) = (build(n, |i| w[n - 1 - i]), 0);
        while t < m { q = build(n, |i| q[n - 1 - i] + w[i]); t += 1; }
        [q, w]
    }",
    "fn f(x: &[f64; n], y: &[f64; n], m: usize) -> [[f64; n]; 4] {
        let (w, v) = (build(n, |i| y[i] + 1.0), build(n, |i| x[i] * 2.0));
        let p = ifold(m, v.clone(), |q, _| build(n, |i| q[n - 1 - i] + w[i]));
        [v, ifold(m, build(n, |i| w[i] - p[n - 1 - i]), |q, _| build(n, |i| q[n - 1 - i] + v[i])), p, w]
    }",
    "fn f(y: &[f64; n], m: usize) -> [[f64; n]; 3] {
        let w = build(n, |i| y[i] + 1.0);
        let (p, q) = ifold(m, (build(n, |i| w[n - 1 - i]), w.clone()), |(p, q), _| (build(n, |i| q[i] + w[i]), p));
        [p, w, q]
    }",
    "fn f(y: &[f64; 300], m: usize) -> [[f64; 300]; 2] {
        let w = build(300, |i| y[i] + 1.0);
        [ifold(m, w.clone(), |q, _| build(300, |i| q[299 - i] + w[i])), w]
    }",
    "fn f(a: &mut [[f64; n]; 2], m: usize) {
        let w = build(n, |i| a[0][i] + a[1][n - 1 - i]);
        *a = [w, ifold(m, build(n, |i| w[n - 1 - i]), |q, _| build(n, |i| q[n - 1 - i] + w[i]))];
    }",
    "fn f(y: &[f64; n], m: usize) -> [[[f64; n]; 2]; m] {
        build(m, |s| {
            let w = build(n, |i| y[i] + s as f64);
            [ifold(m, build(n, |i| w[n - 1 - i]), |q, _| build(n, |i| q[n - 1 - i] + 1.0)), w]
        })
    }",
    "fn f(y: &[f64; n], m: usize) -> [f64; m] {
        build(m, |t| {
            let w = build(t, |i| i as f64 + 1.0);
            let z = [ifold(t, build(t, |i| w[t - 1 - i]), |q, _| build(t, |i| q[t - 1 - i] + w[i])), w];
            sum(t, |i| z[i % 2][t - 1 - i] * z[0][0])
        })
    }",
    // A fold whose states change places computes the first state of one that is a row.
    "fn f(x: &[f64; n], y: &[f64; n], m: usize) -> [[f64; n]; 2] {
        let w = build(n, |i| y[n - 1 - i] * 1.5);
        let (p, q) = ifold(m, (build(n, |i| y[i] + w[n - 1 - i]), build(n, |i| y[n - 1 - i] + 1.0)), |(p, q), _| (q, p));
        [w, ifold(m, p.clone(), |r, _| build(n, |i| x[i]))]
    }",
    // A row, and then a fold in one buffer, which reads its last state there.
    "fn f(x: &[f64; n], y: &[f64; n], m: usize) -> [[f64; n]; 3] {
        let (p, q) = ifold(m, (build(n, |i| y[n - 1 - i]), x.clone()), |(p, q), _| {
            (build(n, |i| x[n - 1 - i] + y[n - 1 - i]), build(n, |i| q[n - 1 - i] * 0.5))
        });
        [ifold(m, q.clone(), |r, _| build(n, |i| r[i] + 1.0)), build(n, |i| p[n - 1 - i] * 2.0), p]
    }",
    // A row of the result is computed from another one, and both are last values.
    "fn f(x: &[f64; n], y: &[f64; n], m: usize) -> [[f64; n]; 4] {
        let (mut v, mut w, mut u) = (build(n, |i| x[i] + 1.0), x.clone(), build(n, |i| y[i] + 1.0));
        for _ in 0..m { w = v; v = build(n, |i| x[i] + y[i]); (w, u) = (u, w); }
        [build(n, |i| v[n - 1 - i]), v, u, u]
    }",
    "fn f(x: &[f64; n], y: &[f64; n], m: usize) -> [[f64; n]; 3] {
        let (mut v, mut w, mut u) = (build(n, |i| x[i] + 1.0), x.clone(), build(n, |i| y[i] + 1.0));
        for _ in 0..m { w = v; v = build(n, |i| x[i] + y[i]); (w, u) = (u, w); }
        let t = build(n, |i| v[n - 1 - i] + u[i]);
        [t, build(n, |i| v[i] * 2.0 + t[i]), build(n, |i| u[i] - 1.0)]
    }",
];

#[test]
fn rows_of_two_buffers_stay_in_their_arrays() {
    for text in BORROWED {
        let unit = unit(&format!("#[smooth] {text}"), &without(""));
        for (n, m) in [(1, 1), (2, 3), (3, 2)] {
            run_everywhere(&unit, "f", &arguments(&unit.stages["f"].elaborated.kernel, n, m)).unwrap();
        }
    }
}

/// Kernels that are called with rows of one array, to read and to write. Rust lends a buffer to one of them.
const CALLED: &str = "
    fn both(x: &mut [f64; q], y: &mut [f64; q]) { for i in 0..q { (x[i], y[i]) = (y[q - 1 - i], x[i]); } }
    fn add(x: &mut [f64; q], y: &[f64; q]) { for i in 0..q { x[i] += y[q - 1 - i]; } }
    fn pair(x: &[f64; q]) -> ([f64; q], [f64; q]) { (build(q, |i| x[i] + 1.0), build(q, |i| x[q - 1 - i])) }
    fn one(x: &[f64; q]) -> [f64; q] { scan(q, 0.0, |s, i| s + x[i]) }
    fn two_results(x: &[f64; n]) -> [[f64; n]; 2] { let (v, w) = pair(x); [w, v] }
    fn static_rows(x: &[f64; 4]) -> [[f64; 4]; 2] { let (v, w) = pair(x); [w, v] }
    fn one_of_the_other(x: &[f64; n]) -> [[f64; n]; 2] { let v = one(x); let w = one(&v); [w, v] }
    fn one_of_each(x: &[f64; n]) -> [[f64; n]; 3] { let u = one(x); let v = one(&u); let w = one(&v); [w, u, v] }
    fn in_a_tuple(x: &[f64; n]) -> ([f64; n], [[f64; n]; 2]) { let (v, w) = pair(x); let u = one(&w); (v, [u, w]) }
    fn two_variables(x: &[f64; n]) -> [[f64; n]; 2] {
        let (mut v, mut w) = (build(n, |i| x[i] + 1.0), build(n, |i| x[i] + 2.0));
        both(&mut v, &mut w);
        [w, v]
    }
    fn in_a_loop(x: &[f64; n], m: usize) -> [[f64; n]; 2] {
        let (mut v, mut w) = (x.clone(), x.clone());
        for _ in 0..m { both(&mut v, &mut w); }
        [w, v]
    }
    fn by_a_loop(x: &[f64; n], m: usize) -> [[f64; n]; 2] {
        let (mut v, mut w) = (x.clone(), x.clone());
        for _ in 0..m { let (p, q) = pair(&v); v = q; w = p; }
        [w, v]
    }
    fn one_changes(x: &[f64; n]) -> [[f64; n]; 2] {
        let (mut v, mut w) = (one(x), one(x));
        add(&mut v, &w);
        add(&mut w, &v);
        [w, v]
    }
    fn rows_of_an_argument(x: &[f64; n], a: &mut [[f64; n]; 2]) {
        let (mut v, mut w) = (a[0].clone(), a[1].clone());
        both(&mut v, &mut w);
        add(&mut w, x);
        a[0] = w;
        a[1] = v;
    }
    fn rows_of_rows(x: &[f64; n], m: usize) -> [[[f64; n]; 2]; m] {
        build(m, |i| { let (v, w) = pair(x); [w, v] })
    }";

#[test]
fn a_call_has_each_array_to_itself() {
    let unit = unit(&CALLED.replace("\n    fn ", "\n    #[smooth] fn "), &without("inline"));
    let calls = |s: &smooth_core::pipeline::Stages| s.stored.body.any(&|t| matches!(t, dps::Term::Call(_)));
    let (mut called, names) = (0, unit.stages.iter().filter(|(_, s)| calls(s)).map(|(name, _)| name));
    for name in names {
        called += 1;
        for (n, m) in [(0, 1), (1, 2), (2, 3), (4, 0), (5, 1)] {
            run_everywhere(&unit, name, &arguments(&unit.stages[name].elaborated.kernel, n, m)).unwrap();
        }
    }
    assert_eq!(called, 11);
}

#[test]
fn rows_are_written_once() {
    for (want, text) in ROWS {
        let unit = unit(&format!("#[smooth] {text}"), &without(""));
        let run = |n: usize, m: usize| {
            let args = arguments(&unit.stages["f"].elaborated.kernel, n, m);
            run_everywhere(&unit, "f", &args).unwrap_or_else(|e| panic!("{e} for {n}, {m}\n{text}"));
            let run = dps::eval::run(&unit.stages["f"].stored, &args, &Others(&unit)).unwrap();
            [run.written as i64, run.peak as i64]
        };
        for (n, m) in [(1, 0), (1, 3), (2, 1), (3, 4), (5, 7)] {
            run(n, m);
        }
        // By 8 elements more of a row: its lines are 64 bytes.
        let of_a_row = |m| std::array::from_fn::<i64, 2, _>(|k| (run(24, m)[k] - run(16, m)[k]) / 8);
        let ([few, bytes], [many, _]) = (of_a_row(4), of_a_row(12));
        let each = (many - few) / 8;
        assert_eq!([each, few - 4 * each, bytes / 8], *want, "{text}");
    }
}

/// A random kernel that changes elements and rows of up to three arrays in a loop.
struct Gen {
    rng: Rng,
    /// The arrays, with the numbers of elements along the axes of a row, or `None` for rows that are tuples.
    arrays: Vec<(String, Option<Vec<usize>>)>,
    /// The numbers in scope.
    numbers: Vec<String>,
    /// Indices below the size that is given, of loops over parts of a row.
    inner: Vec<(String, usize)>,
    fresh: usize,
}

impl Gen {
    fn kernel(name: &str, seed: u64) -> String {
        let rng = Rng::new(seed);
        let mut g = Gen { rng, arrays: vec![], numbers: vec!["1.5".into()], inner: vec![], fresh: 0 };
        let (mut params, mut lets, mut results, mut types) = (String::new(), String::new(), vec![], vec![]);
        for k in 0..1 + g.rng.below(3) {
            let again = g.arrays.last().map(|(_, row)| row.clone()).filter(|_| g.rng.one_in(2));
            let any = [Some(vec![]), Some(vec![2]), Some(vec![2]), Some(vec![3, 2]), Some(vec![2, 3, 2]), None];
            let row = again.unwrap_or_else(|| g.rng.pick(&any).clone());
            let of = |elem: &str| match &row {
                Some(dims) => {
                    format!("[{}; n]", dims.iter().rev().fold(elem.to_string(), |t, d| format!("[{t}; {d}]")))
                }
                None => format!("[({elem}, usize); n]"),
            };
            let x = format!("x{k}");
            let init = match (&row, g.rng.below(4)) {
                (None, _) => "build(n, |i| (i as f64, i / 2))".to_string(),
                (Some(_), 0) => {
                    params += &format!(", {x}: &mut {}", of("f64"));
                    g.arrays.push((x, row.clone()));
                    continue;
                }
                (Some(_), 1) => {
                    params += &format!(", y{k}: &{}", of("f64"));
                    format!("y{k}.clone()")
                }
                (Some(dims), 2) => {
                    let axes: String = (0..dims.len()).map(|a| format!(", i{a}")).collect();
                    let sizes: String = dims.iter().map(|d| format!(", {d}")).collect();
                    let sum: String = (0..dims.len()).map(|a| format!(" + i{a}")).collect();
                    format!("build([n{sizes}], |i{axes}| (i{sum}) as f64)")
                }
                (Some(_), _) => of("0.0"),
            };
            lets += &format!("let mut {x} = {init}; ");
            types.push(of("f64"));
            results.push(x.clone());
            g.arrays.push((x, row));
        }
        let inside = if g.rng.one_in(4) { "for r in 0..2 { for s in 0..m { STEP} }" } else { "for s in 0..m { STEP}" };
        let mut step = "let j = p[s]; ".to_string();
        for _ in 0..1 + g.rng.below(4) {
            step += &g.statement(3);
        }
        if g.rng.one_in(3) {
            step += &g.exchange();
            step += &if g.rng.one_in(2) { g.statement(1) } else { String::new() };
        }
        if g.rng.one_in(5) {
            step = format!("{step}if {} {{ break; }} ", g.condition());
        }
        let body = lets + &inside.replace("STEP", &step);
        let (types, results) = match results.len() {
            0 => ("f64".to_string(), "1.0".to_string()),
            1 => (types.concat(), results.concat()),
            _ => (format!("({})", types.join(", ")), format!("({})", results.join(", "))),
        };
        format!("#[smooth] fn {name}(p: &[usize; m], n: usize{params}) -> {types} {{ {body} {results} }}")
    }

    fn row(&mut self) -> String {
        self.rng.pick(&["j", "j", "0", "p[s]", "j / 2", "(j + s) % 4"]).to_string()
    }

    fn place(&mut self, d: usize) -> String {
        let own: Vec<String> = self.inner.iter().filter(|(_, n)| *n <= d).map(|(q, _)| q.clone()).collect();
        if own.is_empty() || self.rng.one_in(3) { self.rng.below(d).to_string() } else { self.rng.pick(&own).clone() }
    }

    fn element(&mut self) -> String {
        let (x, row) = self.rng.pick(&self.arrays).clone();
        let at = self.row();
        match row {
            None => format!("{x}[{at}].0"),
            Some(dims) => dims.iter().fold(format!("{x}[{at}]"), |x, d| format!("{x}[{}]", self.place(*d))),
        }
    }

    fn number(&mut self) -> String {
        match self.rng.below(4) {
            0 => self.rng.pick(&self.numbers).clone(),
            1 => format!("({} * 0.5)", self.element()),
            2 => format!("({} + 1.0)", self.element()),
            _ => self.element(),
        }
    }

    fn condition(&mut self) -> String {
        format!("{} > {}.0", self.element(), self.rng.below(3))
    }

    fn block(&mut self, d: usize) -> String {
        let numbers = self.numbers.len();
        let text = (0..1 + self.rng.below(2)).map(|_| self.statement(d)).collect();
        self.numbers.truncate(numbers);
        text
    }

    fn statement(&mut self, d: usize) -> String {
        match self.rng.below(if d == 0 { 5 } else { 10 }) {
            0 => format!("{} = {}; ", self.element(), self.number()),
            1 => format!("{} += {}; ", self.element(), self.number()),
            2 | 3 => self.whole_row(),
            4 => {
                let (x, i, j) = (self.rng.pick(&self.arrays).0.clone(), self.row(), self.row());
                format!("{x}.swap({i}, {j}); ")
            }
            5 => format!("if {} {{ {}}} ", self.condition(), self.block(d - 1)),
            6 => format!("if {} {{ {}}} else {{ {}}} ", self.condition(), self.block(d - 1), self.block(d - 1)),
            7 => {
                self.fresh += 1;
                let (c, value) = (format!("c{}", self.fresh), self.number());
                self.numbers.push(c.clone());
                format!("let {c} = {value}; ")
            }
            8 => {
                self.fresh += 1;
                let (q, size) = (format!("q{}", self.fresh), 2 + self.rng.below(2));
                self.inner.push((q.clone(), size));
                let text = format!("for {q} in 0..{size} {{ {}}} ", self.block(d - 1));
                self.inner.pop();
                text
            }
            _ => {
                self.fresh += 1;
                let v = format!("v{}", self.fresh);
                let tree = self.arrays.iter().find(|(_, row)| row.is_none()).map(|(x, _)| x.clone());
                let next = tree.map_or(format!("{v} / 2"), |x| format!("{x}[{v}].1"));
                format!("let mut {v} = j; while {v} > 0 {{ {}{v} = {next}; }} ", self.block(d - 1))
            }
        }
    }

    fn whole_row(&mut self) -> String {
        let (x, row) = self.rng.pick(&self.arrays).clone();
        let at = self.row();
        let Some(dims) = row else { return format!("{x}[{at}] = ({}, {at} / 2); ", self.number()) };
        let alike: Vec<String> =
            self.arrays.iter().filter(|(_, r)| r.as_ref() == Some(&dims)).map(|(y, _)| y.clone()).collect();
        let value = match self.rng.below(3) {
            0 => format!("{}[{}]", self.rng.pick(&alike).clone(), self.row()),
            1 if !dims.is_empty() => {
                let axes: Vec<String> = (0..dims.len()).map(|a| format!("i{a}")).collect();
                let sum = axes.join(" + ");
                format!("build({dims:?}, |{}| {} + ({sum}) as f64)", axes.join(", "), self.number())
            }
            _ => dims.iter().rev().fold(self.number(), |v, d| format!("[{v}; {d}]")),
        };
        format!("{x}[{at}] = {value}; ")
    }

    /// Two arrays of one type change places.
    fn exchange(&mut self) -> String {
        let (x, row) = self.rng.pick(&self.arrays).clone();
        match self.arrays.iter().find(|(y, r)| *y != x && *r == row) {
            Some((y, _)) => format!("({x}, {y}) = ({y}, {x}); "),
            None => String::new(),
        }
    }
}

/// Kernels in `cargo test`; `SMOOTH_PROGRAMS` asks for more.
const PROGRAMS: u64 = 30;

#[test]
fn random_kernels_copy_nothing_in_each_iteration() {
    let number = |name: &str, default| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default);
    let (count, start) = (number("SMOOTH_PROGRAMS", PROGRAMS), number("SMOOTH_SEED", 1));
    let (mut wrong, mut fine) = (vec![], 0);
    for seed in start..start + count {
        let source = Gen::kernel("f", seed);
        for pass in ["", "merge_folds"] {
            match copied(&unit(&source, &without(pass)), "f") {
                Ok(0) => fine += 1,
                Ok(copied) => wrong.push(format!("{copied} without `{pass}`, seed {seed}: {source}")),
                Err(_) => {}
            }
        }
    }
    // Nothing is counted for nothing.
    let plain = unit(&Gen::kernel("f", 3), &without("in_place"));
    assert!(copied(&plain, "f").is_ok_and(|copied| copied > 0));
    println!("{fine} of {count} kernels ran to an end and copy nothing, {} copy:\n{}", wrong.len(), wrong.join("\n"));
    assert!(fine + wrong.len() as u64 > count, "most kernels panic");
    assert_eq!(wrong.len(), 0);
}
