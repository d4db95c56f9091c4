//! Loops whose number of iterations depends on the values that they compute.

use crate::agree::{Numbers, SIZES, agrees};
use crate::kernels::iteration::*;
use crate::plain::iteration as plain;
use smooth::Array;

#[test]
fn linear_systems() {
    for n in SIZES {
        let mut numbers = Numbers::new(n as u64);
        let (a, b) = (&numbers.definite(n), &numbers.vector(n));
        let (flat, nested) = (a.as_slice(), &a.to_nested());
        for tolerance in [1e-3, 1e-20] {
            let want = plain::conjugate_gradient(flat, b, tolerance);
            agrees!(conjugate_gradient(a, b, tolerance) reference(nested, b, tolerance) into [vec![0.0; n]] == want);
        }
        assert!(conjugate_gradient::scratch([n, n], [n]) < 3 * (8 * n + 64) + 64, "three vectors");
        for limit in [0, 1, 3, 1000] {
            let want = plain::power_iteration(flat, n, limit);
            agrees!(power_iteration(a, limit) reference(nested, limit) into [vec![0.0; n]] == want);
        }
        assert!(power_iteration::scratch([n, n], 9) < 8 * n + 128, "one vector");
        let [r, c] = [0, 1].map(|_| numbers.vector(n));
        let r: Vec<f64> = r.iter().map(|x| x * 0.1).collect();
        let d: Vec<f64> = numbers.vector(n).iter().map(|x| x + 4.0).collect();
        agrees!(durbin(&r) into [vec![0.0; n]] == plain::durbin(&r));
        agrees!(thomas(&r, &d, &c, b) into [vec![0.0; n]] == plain::thomas(&r, &d, &c, b));
        assert!(durbin::scratch([n]) < 8 * n + 128 && thomas::scratch([n], [n], [n], [n]) < 8 * n + 128, "one vector");
    }
}

#[test]
fn zeros() {
    for x in [0.0, 1e-300, 0.25, 1.0, 2.0, 144.0, 1e9, f64::INFINITY, f64::NAN, -1.0] {
        agrees!(newton(x) into [] == plain::newton(x));
    }
    for p in [&[-2.0, 0.0, 1.0][..], &[0.5, -1.0], &[], &[1.0, -3.0, 0.0, 1.0]] {
        agrees!(bisection(p, 0.0, 2.0) into [] == plain::bisection(p, 0.0, 2.0));
    }
    assert_eq!((newton::scratch(), bisection::scratch([3])), (0, 0));
}

#[test]
fn images() {
    for [w, h] in [[0, 0], [1, 1], [2, 3], [30, 20]] {
        for limit in [0, 1, 50] {
            agrees!(mandelbrot(w, h, limit) into [Array::from_elem([h, w], 0)] == plain::mandelbrot(w, h, limit));
        }
        assert_eq!(mandelbrot::scratch(w, h), 0);
    }
}

#[test]
fn integrals() {
    for levels in 0..9 {
        agrees!(romberg(0.0, 1.0, levels) into [] == plain::romberg(0.0, 1.0, levels));
    }
    assert!((4.0 * romberg(0.0, 1.0, 8) - std::f64::consts::PI).abs() < 1e-13);
}
