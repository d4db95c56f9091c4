//! Dynamic programs, graphs and sparse matrices.

use crate::agree::{Numbers, SIZES, agrees};
use crate::kernels::tables::*;
use crate::plain::tables as plain;
use smooth::Array;

#[test]
fn texts() {
    for (n, m) in SIZES.into_iter().flat_map(|n| [0, 1, 5, 13].map(|m| (n, m))) {
        let mut numbers = Numbers::new((n * 31 + m) as u64);
        let (a, b) = (&numbers.text(n, b"abc"), &numbers.text(m, b"abcd"));
        agrees!(edit_distance(a, b) into [] == plain::edit_distance(a, b));
        let out = Array::from_elem([n + 1, m + 1], 0);
        agrees!(common_subsequence(a, b) into [out.clone()] == plain::common_subsequence(a, b));
        assert!(edit_distance::scratch([n], [m]) < 8 * (m + 1) + 128, "one row");
        assert_eq!(common_subsequence::scratch([n], [m]), 0);
    }
}

#[test]
fn sums() {
    for n in [0, 1, 2, 5] {
        let mut numbers = Numbers::new(n as u64);
        let (w, v) = (&numbers.integers(n, 9), &numbers.integers(n, 100));
        let v: Vec<u64> = v.iter().map(|x| *x as u64).collect();
        let c: Vec<usize> = w.iter().map(|x| x + 1).collect();
        for limit in [0, 1, 10, 40] {
            agrees!(knapsack(w, &v, limit) into [vec![0; limit + 1]] == plain::knapsack(w, &v, limit));
            agrees!(coins(&c, limit) into [vec![0; limit + 1]] == plain::coins(&c, limit));
            assert_eq!((knapsack::scratch([n], [n], limit), coins::scratch([n], limit)), (0, 0));
        }
    }
    for n in 0..9 {
        let d: Vec<u64> = Numbers::new(n as u64).integers(n, 30).iter().map(|x| *x as u64 + 1).collect();
        agrees!(matrix_chain(&d) into [] == plain::matrix_chain(&d));
    }
}

#[test]
fn paths() {
    for n in SIZES {
        let mut numbers = Numbers::new(n as u64);
        let lengths = numbers.vector(n * n).iter().map(|x| if *x < 0.0 { f64::INFINITY } else { *x }).collect();
        let d = &Array::from_vec(lengths, [n, n]);
        let (flat, nested, out) = (d.as_slice(), &d.to_nested(), Array::from_elem([n, n], 0.0));
        agrees!(floyd_warshall(d) reference(nested) into [out.clone()] == plain::floyd_warshall(flat, n));
        assert_eq!(floyd_warshall::scratch([n, n]), 0);
        if n == 0 {
            continue;
        }
        agrees!(dijkstra(d, n / 2) reference(nested, n / 2) into [vec![0.0; n]] == plain::dijkstra(flat, n, n / 2));
        assert!(dijkstra::scratch([n, n], 0) < n + 128, "one flag a node");
        let (from, to) = (&numbers.integers(3 * n, n), &numbers.integers(3 * n, n));
        let mut length: Vec<f64> = numbers.vector(3 * n).iter().map(|x| x.abs()).collect();
        for negative in [0.0, -9.0] {
            length[n] += negative;
            let edges: Vec<_> = (0..3 * n).map(|e| (from[e], to[e], length[e])).collect();
            let want = plain::bellman_ford(&edges, n, 0);
            agrees!(bellman_ford(from, to, &length, n, 0) into [vec![0.0; n]] == want);
        }
        assert_eq!(bellman_ford::scratch([3 * n], [3 * n], [3 * n], n, 0), 0);
        let edges: Vec<_> = from.iter().copied().zip(to.iter().copied()).take(n).collect();
        let (a, b): (Vec<_>, Vec<_>) = edges.iter().copied().unzip();
        agrees!(components(&a, &b, n) into [vec![0; n]] == plain::components(&edges, n));
        agrees!(page_rank(from, to, n, 7) into [vec![0.0; n]] == plain::page_rank(from, to, n, 7));
        assert!(page_rank::scratch([3 * n], [3 * n], n, 7) < 2 * (8 * n + 64) + 64, "two vectors");
    }
}

#[test]
fn ways_through_a_grid() {
    for [n, m] in [[1, 1], [1, 7], [4, 3], [9, 11]] {
        let mut numbers = Numbers::new(n as u64);
        let walls: Vec<bool> = (0..n * m).map(|_| numbers.below(4) == 0).collect();
        let from = (numbers.below(n), numbers.below(m));
        let want = plain::flood(&walls, n, m, from);
        let walls = &Array::from_vec(walls, [n, m]);
        agrees!(flood(walls, from) reference(&walls.to_nested(), from) into [Array::from_elem([n, m], 0)] == want);
    }
}

#[test]
fn sparse_matrices() {
    for n in SIZES {
        let mut numbers = Numbers::new(n as u64);
        let mut start = vec![0];
        (0..n).for_each(|i| start.push(start[i] + numbers.below(4)));
        let count = start[n];
        let (column, value, x) = (&numbers.integers(count, 6), &numbers.vector(count), &numbers.vector(6));
        let want = plain::csr(&start, column, value, x);
        agrees!(csr(&start, column, value, x) into [vec![0.0; n]] == want);
        assert_eq!(csr::scratch([n + 1], [count], [count], [6]), 0);
    }
}
