//! Dense linear algebra: bit for bit the plain loops, in the storage of the results.

use crate::agree::{Numbers, SIZES, agrees};
use crate::kernels::dense::*;
use crate::plain::dense as plain;
use smooth::Array;

fn square(n: usize) -> Array<f64, 2> {
    Array::from_elem([n, n], 0.0)
}

#[test]
fn factorizations() {
    for n in SIZES {
        let mut numbers = Numbers::new(n as u64);
        let (a, s) = (&numbers.definite(n), &numbers.matrix(n, n));
        agrees!(cholesky(a) reference(&a.to_nested()) into [square(n)] == plain::cholesky(a.as_slice(), n));
        agrees!(lu(s) reference(&s.to_nested()) into [square(n), vec![0; n]] == plain::lu(s.as_slice(), n));
        assert_eq!((cholesky::scratch([n, n]), lu::scratch([n, n])), (0, 0));
        for k in [1, 2, 5, 9] {
            let m = &numbers.matrix(n, k);
            let (q, r) = (square(n), Array::from_elem([n, k], 0.0));
            if n > 0 {
                agrees!(qr(m) reference(&m.to_nested()) into [q.clone(), r.clone()] == plain::qr(m.as_slice(), n, k));
                assert!(qr::scratch([n, k]) < 8 * n + 128, "one vector");
            }
            let want = plain::gram_schmidt(m.as_slice(), n, k);
            if n > 0 {
                agrees!(gram_schmidt(m) reference(&m.to_nested()) into [r.clone()] == want);
            }
            assert_eq!(gram_schmidt::scratch([n, k]), 0);
        }
    }
}

#[test]
fn a_singular_matrix_has_factors() {
    let m = &Array::from_vec(vec![1.0, 2.0, 0.0, 2.0, 4.0, 0.0, 3.0, 1.0, 0.0], [3, 3]);
    agrees!(lu(m) reference(&m.to_nested()) into [square(3), vec![0; 3]] == plain::lu(m.as_slice(), 3));
    let b = &[1.0, 2.0, 3.0];
    agrees!(gauss(m, b) reference(&m.to_nested(), b) into [vec![0.0; 3]] == vec![f64::NAN; 3]);
    agrees!(determinant(m) reference(&m.to_nested()) into [] == 0.0);
}

#[test]
fn solutions() {
    for n in SIZES {
        let mut numbers = Numbers::new(7 + n as u64);
        let (a, s, b) = (&numbers.definite(n), &numbers.matrix(n, n), &numbers.vector(n));
        let (na, ns) = (&a.to_nested(), &s.to_nested());
        let (pa, ps) = (a.as_slice(), s.as_slice());
        agrees!(forward(a, b) reference(na, b) into [vec![0.0; n]] == plain::forward(pa, b));
        agrees!(backward(a, b) reference(na, b) into [vec![0.0; n]] == plain::backward(pa, b));
        agrees!(gauss(s, b) reference(ns, b) into [vec![0.0; n]] == plain::gauss(ps, b));
        agrees!(inverse(a) reference(na) into [square(n)] == plain::inverse(pa, n));
        agrees!(determinant(s) reference(ns) into [] == plain::determinant(ps, n));
        let scratch = [forward::scratch([n, n], [n]), backward::scratch([n, n], [n]), inverse::scratch([n, n])];
        assert_eq!(scratch, [0; 3]);
        for bytes in [gauss::scratch([n, n], [n]), determinant::scratch([n, n])] {
            assert!(bytes < 8 * n * n + 128, "one matrix");
        }
    }
}

#[test]
fn products() {
    for [n, k, m] in [[0, 0, 0], [1, 1, 1], [2, 3, 4], [7, 1, 5], [9, 11, 10]] {
        let mut numbers = Numbers::new(n as u64);
        let (a, b) = (&numbers.matrix(n, k), &numbers.matrix(k, m));
        let want = plain::matmul(a.as_slice(), b.as_slice(), [n, k, m]);
        let out = Array::from_elem([n, m], 0.0);
        agrees!(matmul(a, b) reference(&a.to_nested(), &b.to_nested()) into [out.clone()] == want);
        assert_eq!(matmul::scratch([n, k], [k, m]), 0);
    }
}
