//! Well-known loops, under `#[smooth]` as one writes them and as plain Rust. `cargo bench --bench loops`; results in
//! `benches/README.md`.
//!
//! Results are compared first. Then the two run alternately for a second, and the ratio of their fastest runs is printed:
//! on a machine with other work this is the reliable number. A name after `--` selects loops.

#[path = "loops/by_hand/mod.rs"]
mod by_hand;
mod inputs;
#[allow(dead_code, reason = "a selection is timed")]
#[path = "../tests/textbook/kernels/mod.rs"]
mod kernels;
mod timing;

use criterion::{Criterion, criterion_group, criterion_main};
use kernels::{dense, in_out, iteration, numbers, physics, signals, sorting, stencils, tables};
use smooth::{Arena, View, ViewMut};
use std::hint::black_box as bb;
use std::time::Duration;
use timing::{fastest, text, timed, wanted};

/// Times two loops alternately, and then each by criterion.
fn versus(c: &mut Criterion, name: &str, mut smooth: impl FnMut(), mut plain: impl FnMut()) {
    if !wanted(name) {
        return;
    }
    let times = fastest(&mut [timed(&mut smooth), timed(&mut plain)], Duration::from_secs(1));
    let ratio = times[0] / times[1];
    println!("{name}: fastest {} with smooth, {} as plain Rust: {ratio:.2}", text(times[0]), text(times[1]));
    let mut group = c.benchmark_group(name);
    group.sample_size(10).warm_up_time(Duration::from_millis(100)).measurement_time(Duration::from_millis(500));
    group.bench_function("smooth", |b| b.iter(&mut smooth));
    group.bench_function("plain", |b| b.iter(&mut plain));
}

/// `timed!(name: (destinations), smooth, plain)`: both write separate destinations, which are compared.
macro_rules! timed {
    ($c:ident $name:literal: $x:ident = $out:expr, $smooth:expr, $plain:expr) => {{
        let (mut first, mut second) = ($out, $out);
        #[allow(unused_mut, reason = "most loops have buffers, which they change")]
        let mut smooth = |$x: &mut _| $smooth;
        #[allow(unused_mut, reason = "most loops have buffers, which they change")]
        let mut plain = |$x: &mut _| $plain;
        let (got, want) = (smooth(&mut first), plain(&mut second));
        assert!(got == want && first == second, "{}: the results differ; it will not be timed", $name);
        versus(
            $c,
            $name,
            || {
                let _ = bb(smooth(bb(&mut first)));
            },
            || {
                let _ = bb(plain(bb(&mut second)));
            },
        );
    }};
}

type Pair = (Vec<f64>, Vec<f64>);
type Bodies = (Vec<[f64; 3]>, Vec<[f64; 3]>);

/// `n` numbers between -1 and 1, the same on every run.
fn numbers_of(n: usize, seed: u64) -> Vec<f64> {
    inputs::numbers(n, seed).iter().map(|x| 2.0 * x - 1.0).collect()
}

fn below(n: usize, limit: usize, seed: u64) -> Vec<usize> {
    numbers_of(n, seed).iter().map(|x| ((x + 1.0) * 0.5 * limit as f64) as usize).collect()
}

/// A symmetric matrix with a large diagonal.
fn definite(n: usize) -> Vec<f64> {
    let m = numbers_of(n * n, 1);
    (0..n * n).map(|k| m[k] + m[k % n * n + k / n] + if k / n == k % n { 3.0 * n as f64 } else { 0.0 }).collect()
}

/// A square matrix as an argument, and as a destination.
fn square<T>(a: &[T], n: usize) -> View<'_, T, 2> {
    View::new(a, [n, n])
}
fn square_mut<T>(a: &mut [T], n: usize) -> ViewMut<'_, T, 2> {
    ViewMut::new(a, [n, n])
}

/// Factors and products of matrices, in the storage of their results.
fn matrices(c: &mut Criterion) {
    let n = 100;
    let (a, b, m, mut arena) = (&definite(n), &numbers_of(n, 2), &numbers_of(n * n, 3), Arena::new());
    timed!(c "cholesky": x = vec![0.0; n * n],
        dense::cholesky::into(square_mut(x, n), square(a, n), &mut arena),
        by_hand::cholesky(x, a, n));
    timed!(c "lu": x = (vec![0.0; n * n], vec![0; n]),
        { let (x, p): &mut (Vec<f64>, Vec<usize>) = x; dense::lu::into(square_mut(x, n), p, square(m, n), &mut arena) },
        { let (x, p): &mut (Vec<f64>, Vec<usize>) = x; by_hand::lu(x, p, m, n) });
    let mut v = vec![0.0; n];
    timed!(c "qr": x = (vec![0.0; n * n], vec![0.0; n * n]),
        { let (q, r): &mut Pair = x; dense::qr::into(square_mut(q, n), square_mut(r, n), square(m, n), &mut arena) },
        { let (q, r): &mut Pair = x; by_hand::qr(q, r, &mut v, m, n, n) });
    timed!(c "gram_schmidt": x = vec![0.0; n * n],
        dense::gram_schmidt::into(square_mut(x, n), square(m, n), &mut arena),
        by_hand::gram_schmidt(x, m, n, n));
    timed!(c "forward": x = vec![0.0; n],
        dense::forward::into(x, square(a, n), b, &mut arena),
        by_hand::forward(x, a, b));
    timed!(c "matmul": x = vec![0.0; n * n],
        dense::matmul::into(square_mut(x, n), square(a, n), square(m, n), &mut arena),
        by_hand::matmul(x, a, m, n));
    timed!(c "floyd_warshall": x = vec![0.0; n * n],
        tables::floyd_warshall::into(square_mut(x, n), square(a, n), &mut arena),
        by_hand::floyd_warshall(x, a, n));
    let mut buffers = [0; 3].map(|_| vec![0.0; n]);
    timed!(c "conjugate_gradient": x = vec![0.0; n],
        iteration::conjugate_gradient::into(x, square(a, n), b, 1e-20, &mut arena),
        by_hand::conjugate_gradient(x, buffers.each_mut().map(|b| &mut b[..]), a, b, 1e-20));
}

/// Grids and recurrences.
fn steps(c: &mut Criterion) {
    let (n, mut arena) = (100, Arena::new());
    let (a, rod, mut other, mut line) =
        (&numbers_of(n * n, 3), &numbers_of(1000, 4), vec![0.0; n * n], vec![0.0; 1000]);
    timed!(c "seidel": x = vec![0.0; n * n],
        stencils::seidel::into(square_mut(x, n), square(a, n), 5, &mut arena),
        by_hand::seidel(x, a, n, n, 5));
    timed!(c "jacobi": x = vec![0.0; n * n],
        stencils::jacobi::into(square_mut(x, n), square(a, n), 5, &mut arena),
        by_hand::jacobi(x, &mut other, a, n, n, 5));
    timed!(c "heat": x = vec![0.0; 1000],
        stencils::heat::into(x, rod, 101, &mut arena),
        by_hand::heat(x, &mut line, rod, 101));
    let board: Vec<u8> = a.iter().map(|x| u8::from(*x > 0.3)).collect();
    let mut cells = vec![0; n * n];
    timed!(c "life": x = vec![0; n * n],
        stencils::life::into(square_mut(x, n), square(&board, n), 3, &mut arena),
        by_hand::life(x, &mut cells, &board, n, n, 3));
    let r: Vec<f64> = rod[..200].iter().map(|x| x * 0.1).collect();
    timed!(c "durbin": x = vec![0.0; 200],
        iteration::durbin::into(x, &r, &mut arena),
        by_hand::durbin(x, &mut line[..200], &r));
    let d: Vec<f64> = rod.iter().map(|x| x + 4.0).collect();
    timed!(c "thomas": x = vec![0.0; 1000],
        iteration::thomas::into(x, rod, &d, rod, rod, &mut arena),
        by_hand::thomas(x, &mut line, rod, &d, rod, rod));
    timed!(c "mandelbrot": x = vec![0; 60 * 40],
        iteration::mandelbrot::into(ViewMut::new(x, [40, 60]), 60, 40, 200, &mut arena),
        by_hand::mandelbrot(x, 60, 40, 200));
}

/// Sequences, tables and whole numbers.
fn sequences(c: &mut Criterion) {
    let mut arena = Arena::new();
    let text = |seed| below(300, 4, seed).iter().map(|x| *x as u8).collect::<Vec<u8>>();
    let (s, t, mut row) = (text(1), text(2), vec![0; 301]);
    timed!(c "edit_distance": _x = (),
        tables::edit_distance::into(&s, &t, &mut arena),
        by_hand::edit_distance(&mut row, &s, &t));
    let (weights, values) = (below(50, 40, 3), below(50, 100, 4).iter().map(|x| *x as u64).collect::<Vec<_>>());
    timed!(c "knapsack": x = vec![0; 1001],
        tables::knapsack::into(x, &weights, &values, 1000, &mut arena),
        by_hand::knapsack(x, &weights, &values, 1000));
    let start: Vec<usize> = (0..=1000).map(|i| 5 * i).collect();
    let (column, value, vector) = (&below(5000, 1000, 5), &numbers_of(5000, 6), &numbers_of(1000, 7));
    timed!(c "csr": x = vec![0.0; 1000],
        tables::csr::into(x, &start, column, value, vector, &mut arena),
        by_hand::csr(x, &start, column, value, vector));
    timed!(c "prefix_sums": x = vec![0.0; 5000],
        signals::prefix_sums::into(x, value, &mut arena),
        by_hand::prefix_sums(x, value));
    timed!(c "histogram": x = vec![0; 50],
        signals::histogram::into(x, value, 50, &mut arena),
        by_hand::histogram(x, value));
    let (re, im) = (&numbers_of(1024, 8), &numbers_of(1024, 9));
    let (sin, cos): Pair = (0..512).map(|k| (-std::f64::consts::TAU * k as f64 / 1024.0).sin_cos()).unzip();
    timed!(c "fft": x = (vec![0.0; 1024], vec![0.0; 1024]),
        { let (x, y): &mut Pair = x; signals::fft::into(x, y, re, im, &cos, &sin, &mut arena) },
        { let (x, y): &mut Pair = x; by_hand::fft(x, y, re, im, &cos, &sin) });
    timed!(c "selection_sort": x = vec![0.0; 200],
        sorting::selection_sort::into(x, &value[..200], &mut arena),
        by_hand::selection_sort(x, &value[..200]));
    timed!(c "insertion_sort": x = vec![0.0; 12],
        { let x: &mut Vec<f64> = x; x.copy_from_slice(&value[..12]); in_out::insertion_sort::into(x, &mut arena) },
        { let x: &mut Vec<f64> = x; x.copy_from_slice(&value[..12]); by_hand::insertion_sort(x) });
    let eight: [f64; 8] = value[..8].try_into().expect("eight");
    timed!(c "sort_eight": x = [0.0; 8], *x = sorting::sort_eight(bb(&eight)), *x = by_hand::sort_eight(bb(&eight)));
    timed!(c "sieve": x = vec![false; 10_000], numbers::sieve::into(x, 10_000, &mut arena), by_hand::sieve(x));
    timed!(c "crc32": _x = (), numbers::crc32::into(bb(&s), &mut arena), by_hand::crc32(bb(&s)));
}

/// Bodies and clusters.
fn points(c: &mut Criterion) {
    let mut arena = Arena::new();
    let three = |seed| numbers_of(150, seed).chunks(3).map(|p| [p[0], p[1], p[2]]).collect::<Vec<[f64; 3]>>();
    let mass: Vec<f64> = numbers_of(50, 3).iter().map(|x| x + 2.0).collect();
    timed!(c "n_body": x = (three(1), three(2)),
        { let (p, v): &mut Bodies = x; in_out::n_body::into(p, v, &mass, 0.001, &mut arena) },
        { let (p, v): &mut Bodies = x; by_hand::n_body(p, v, &mass, 0.001) });
    let (p, centres, mut counts) = (&numbers_of(1500, 4), &numbers_of(24, 5), vec![0; 8]);
    type Clusters = (Vec<f64>, Vec<usize>);
    timed!(c "k_means": x = (vec![0.0; 24], vec![0; 500]),
        { let (m, l): &mut Clusters = x; let m = ViewMut::new(m, [8, 3]);
          physics::k_means::into(m, l, View::new(p, [500, 3]), View::new(centres, [8, 3]), &mut arena) },
        { let (m, l): &mut Clusters = x; by_hand::k_means(m, l, &mut counts, p, centres, 3) });
}

criterion_group!(loops, matrices, steps, sequences, points);
criterion_main!(loops);
