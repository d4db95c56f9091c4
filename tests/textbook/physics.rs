//! Bodies, points and clusters.

use crate::agree::{Numbers, SIZES, agrees};
use crate::kernels::physics::*;
use crate::plain::physics as plain;
use smooth::Array;

#[test]
fn clusters() {
    for (n, k, d) in [(0, 1, 2), (1, 1, 1), (2, 3, 1), (30, 4, 3), (50, 9, 2)] {
        let mut numbers = Numbers::new(n as u64);
        let (p, c) = (&numbers.matrix(n, d), &numbers.matrix(k, d));
        let want = plain::k_means(p.as_slice(), c.as_slice(), d);
        let out = Array::from_elem([k, d], 0.0);
        let (np, nc) = (&p.to_nested(), &c.to_nested());
        if n > 0 {
            agrees!(k_means(p, c) reference(np, nc) into [out.clone(), vec![0; n]] == want);
        }
        assert!(k_means::scratch([n, d], [k, d]) < 8 * k + 128, "one count a centre");
    }
}

#[test]
fn curves() {
    for n in SIZES {
        let mut numbers = Numbers::new(n as u64);
        let (x, y) = (&numbers.vector(n), &numbers.vector(n));
        for limit in [0, 1, 100] {
            agrees!(fit_line(x, y, 0.05, limit) into [] == plain::fit_line(x, y, 0.05, limit));
        }
        agrees!(pendulum(0.7, n, 0.1) into [vec![0.0; n]] == plain::pendulum(0.7, n, 0.1));
        assert_eq!((fit_line::scratch([n], [n], 5), pendulum::scratch(n)), (0, 0));
    }
}
