//! Factors and solutions: their residuals on matrices of many sizes in both types; singular matrices, and shapes that do not
//! fit.

use smooth::linalg::*;
use smooth::prelude::*;

/// Sizes of square matrices.
const SIZES: [usize; 9] = [0, 1, 2, 3, 5, 8, 17, 33, 64];

/// The tests for a type, with matrices and vectors of numbers between -1 and 1.
macro_rules! tests {
    ($t:ident) => {
        mod $t {
            use super::*;

            type Matrix = Array<$t, 2>;

            fn numbers(n: usize, seed: u64) -> Vec<$t> {
                super::super::numbers(n, seed).into_iter().map(|x| (2.0 * x - 1.2) as $t).collect()
            }
            fn matrix(shape: [usize; 2], seed: u64) -> Matrix {
                Array::from_vec(numbers(shape[0] * shape[1], seed), shape)
            }
            fn definite(n: usize) -> Matrix {
                let m = matrix([n, n], 7);
                matrix_add(&matrix_mul(&m, &matrix_transpose(&m)), &identity(n))
            }
            fn size(x: &[$t]) -> $t {
                x.iter().fold(0.0, |s, x| s.max(x.abs()))
            }
            /// The residual of a stable algorithm on numbers of that size, for `n` rows.
            fn left(n: usize, size: $t) -> $t {
                8.0 * (n as $t + 1.0) * $t::EPSILON * size
            }
            #[track_caller]
            fn same(found: &[$t], want: &[$t], n: usize, size: $t) {
                assert_eq!(found.len(), want.len());
                for (x, y) in found.iter().zip(want) {
                    assert!((x - y).abs() <= left(n, size.max(1.0)), "{x} is not {y}: n = {n}, sizes of {size}");
                }
            }

            #[test]
            fn cholesky_put_together() {
                for n in SIZES {
                    let a = definite(n);
                    let l = cholesky(&a);
                    for i in 0..n {
                        assert!(l[[i, i]] > 0.0 && (i + 1..n).all(|j| l[[i, j]] == 0.0));
                    }
                    same(matrix_mul(&l, &matrix_transpose(&l)).as_slice(), a.as_slice(), n, size(a.as_slice()));
                    // Elements above the diagonal are not read.
                    let lower = Array::from_fn([n, n], |[i, j]| if i < j { $t::NAN } else { a[[i, j]] });
                    assert_eq!(cholesky(&lower), l);
                    let b = numbers(n, 8);
                    let x = cholesky_solve(&l, &b);
                    same(&matvec(&a, &x), &b, n, size(a.as_slice()) * size(&x) * n as $t);
                }
            }

            #[test]
            fn lu_put_together() {
                for n in SIZES {
                    let a = matrix([n, n], 9);
                    let (m, order) = lu(&a);
                    let mut sorted = order.clone();
                    sorted.sort_unstable();
                    assert_eq!(sorted, Vec::from_iter(0..n));
                    let lower = Array::from_fn([n, n], |[i, j]| {
                        assert!(i <= j || m[[i, j]].abs() <= 1.0, "the pivot is the largest element");
                        if i > j { m[[i, j]] } else { $t::from(u8::from(i == j)) }
                    });
                    let upper = Array::from_fn([n, n], |[i, j]| if i <= j { m[[i, j]] } else { 0.0 });
                    let rows = Array::from_fn([n, n], |[i, j]| a[[order[i], j]]);
                    same(matrix_mul(&lower, &upper).as_slice(), rows.as_slice(), n, size(m.as_slice()));
                    let b = numbers(n, 10);
                    assert_eq!(lu_solve(&m, &order, &b), solve(&a, &b));
                }
            }

            #[test]
            fn solutions_put_back() {
                for n in SIZES {
                    let (a, b) = (matrix([n, n], 11), numbers(n, 12));
                    let x = solve(&a, &b);
                    same(&matvec(&a, &x), &b, n, size(&x) * n as $t);
                    for k in [0, 1, 3] {
                        let b = matrix([n, k], 13);
                        let x = solve_matrix(&a, &b);
                        same(matrix_mul(&a, &x).as_slice(), b.as_slice(), n, size(x.as_slice()) * n as $t);
                    }
                    let i = inverse(&a);
                    same(matrix_mul(&a, &i).as_slice(), identity(n).as_slice(), n, size(i.as_slice()) * n as $t);
                    if n <= 17 {
                        let product = determinant(&a) * determinant(&i);
                        assert!((product - 1.0).abs() <= left(n, size(i.as_slice()) * n as $t), "{product}, n = {n}");
                    }
                }
                assert_eq!(determinant(&[[0.0, 2.0, 0.0], [0.0, 0.0, 3.0], [5.0 as $t, 0.0, 0.0]]), 30.0);
                assert_eq!(determinant(&[[0.0, 2.0], [3.0 as $t, 0.0]]), -6.0);
                assert_eq!(determinant::<$t>(&Array::from_vec(vec![], [0, 0])), 1.0);
            }

            #[test]
            fn triangles_put_back() {
                for n in SIZES {
                    let m = matrix([n, n], 14);
                    let at = |i: usize, j: usize| if i == j { m[[i, i]] + 2.0 } else { m[[i, j]] / (n as $t) };
                    let lower = Array::from_fn([n, n], |[i, j]| if i < j { 0.0 } else { at(i, j) });
                    let upper = matrix_transpose(&lower);
                    // Elements on the other side of the diagonal are not read.
                    let garbled = |t: &Matrix| Array::from_fn([n, n], |at| if t[at] == 0.0 { $t::NAN } else { t[at] });
                    let b = numbers(n, 15);
                    let check = |x: Vec<$t>, t: &Matrix| same(&matvec(t, &x), &b, n, 4.0 * size(&x));
                    check(solve_lower(&garbled(&lower), &b), &lower);
                    check(solve_upper(&garbled(&upper), &b), &upper);
                    check(solve_lower_transposed(&garbled(&lower), &b), &upper);
                    check(solve_upper_transposed(&garbled(&upper), &b), &lower);
                }
            }

            #[test]
            fn qr_put_together() {
                for n in SIZES {
                    for k in [0, 1, 3, 8, 33] {
                        let a = matrix([n, k], 16);
                        let (q, r) = qr(&a);
                        let least = n.min(k);
                        assert_eq!((q.shape(), r.shape()), ([n, least], [least, k]));
                        same(matrix_mul(&q, &r).as_slice(), a.as_slice(), n + k, 4.0);
                        let orthonormal = matrix_mul(&matrix_transpose(&q), &q);
                        same(orthonormal.as_slice(), identity(least).as_slice(), n, 1.0);
                        assert!((0..least).all(|i| (0..i.min(k)).all(|j| r[[i, j]] == 0.0)));
                    }
                }
            }

            /// The residual is orthogonal to every column.
            #[test]
            fn least_squares_are_orthogonal() {
                for n in SIZES {
                    for k in [0, 1, 2, 5, 17].into_iter().filter(|k| *k <= n) {
                        let (a, b) = (matrix([n, k], 17), numbers(n, 18));
                        let x = least_squares(&a, &b);
                        let rest = vector_sub(&matvec(&a, &x), &b);
                        let along = vecmat(&rest, &a);
                        same(&along, &vec![0.0; k], n, size(&x) * n as $t);
                    }
                }
                // A line through points.
                let x = least_squares(&[[1.0, 0.0], [1.0, 1.0], [1.0, 2.0 as $t]], &[1.0, 3.0, 5.0]);
                same(&x, &[1.0, 2.0], 3, 4.0);
            }

            /// Nothing panics on the way: the result has NaN.
            #[test]
            fn singular_matrices() {
                for n in [1, 2, 3, 8, 17] {
                    let zeros = Array::from_elem([n, n], 0.0 as $t);
                    let (none, b) = (|x: &[$t]| x.iter().any(|x| !x.is_finite()), numbers(n, 19));
                    assert!(none(&solve(&zeros, &b)) && none(inverse(&zeros).as_slice()));
                    assert!(none(&least_squares(&zeros, &b)) && none(&solve_upper(&zeros, &b)));
                    assert_eq!((determinant(&zeros), qr(&zeros).1), (0.0, zeros.clone()));
                    let mut negative = definite(n);
                    negative.as_mut_slice()[n * n - 1] = -1.0;
                    let l = cholesky(&negative);
                    assert!(l.as_slice()[n * n - 1].is_nan() && none(&cholesky_solve(&l, &b)));
                    // Without a pivot in one column, all the others have their factors.
                    let m = matrix([n, n], 20);
                    let gap = Array::from_fn([n, n], |[i, j]| if j == n / 2 { 0.0 } else { m[[i, j]] });
                    let (found, order) = lu(&gap);
                    assert_eq!((found[[n / 2, n / 2]], determinant(&gap).abs(), order.len()), (0.0, 0.0, n));
                    assert!(!none(found.as_slice()));
                    let unknown = Array::from_elem([n, n], $t::NAN);
                    assert!(determinant(&unknown).is_nan() && none(&solve(&unknown, &b)));
                    assert!(qr(&unknown).0.as_slice().iter().all(|x| x.is_nan()) || n == 1);
                }
            }
        }
    };
}

tests!(f32);
tests!(f64);

#[test]
fn shapes_that_do_not_fit() {
    fn text<R: std::fmt::Debug>(result: Result<R, ShapeError>) -> String {
        result.unwrap_err().to_string()
    }
    let square = |name: &str, arg: &str| {
        format!("{name}: argument {arg} has length 3 along axis 1, but n = 2 (from argument {arg})")
    };
    assert_eq!(text(cholesky::try_shape([2, 3])), square("cholesky", "a"));
    assert_eq!(text(lu::try_shape([2, 3])), square("lu", "a"));
    assert_eq!(text(inverse::try_shape([2, 3])), square("inverse", "a"));
    assert_eq!(text(determinant::try_scratch::<f64>([2, 3])), square("determinant", "a"));
    assert_eq!(text(solve::try_shape([2, 2], [3])), "solve: argument b has length 3, but n = 2 (from argument a)");
    assert_eq!(
        text(solve_lower::try_shape([2, 2], [3])),
        "solve_lower: argument b has length 3, but n = 2 (from argument l)"
    );
    assert!(solve_matrix::try_shape([2, 2], [3, 1]).is_err());
    assert!(lu_solve::try_shape([2, 2], [3], [2]).is_err());
    // Fewer equations than unknowns.
    let text = text(least_squares::try_shape([2, 3], [2]));
    assert_eq!(text, "least_squares: slice m[0..k] is out of range: 0..3 of length 2");
    assert_eq!(qr::shape([2, 3]), ([2, 2], [2, 3]));
}

/// Scratch memory as documented: a number of matrices, and some vectors.
#[test]
fn scratch_memory() {
    let matrices = |bytes: usize, n: usize| bytes / (8 * n * n);
    for n in [24, 64, 256] {
        let (m, v) = ([n, n], [n]);
        let none = [lu::scratch::<f64>(m), lu_solve::scratch::<f64>(m, v, v), cholesky_solve::scratch::<f64>(m, v)];
        let triangles = [solve_lower::scratch::<f64>(m, v), solve_upper_transposed::scratch::<f64>(m, v)];
        assert_eq!((none, triangles), ([0; 3], [0; 2]));
        let one = [cholesky::scratch::<f64>(m), solve::scratch::<f64>(m, v)];
        let also =
            [solve_matrix::scratch::<f64>(m, m), determinant::scratch::<f64>(m), matrix_norm2::scratch::<f64>(m)];
        assert_eq!((one.map(|x| matrices(x, n)), also.map(|x| matrices(x, n))), ([1; 2], [1; 3]));
        let two = [inverse::scratch::<f64>(m), qr::scratch::<f64>(m), least_squares::scratch::<f64>(m, v)];
        assert_eq!(two.map(|x| matrices(x, n)), [2; 3]);
    }
    assert_eq!(matrix_mul::scratch::<f64>([64, 64], [64, 64]), 0);
    assert!(matrix_mul::scratch::<f64>([256, 256], [256, 256]) < 8 * 256 * 256 / 4);
}

/// The order of rows comes from data: an invalid one panics as an index does.
#[test]
#[should_panic(expected = "index out of bounds")]
fn an_order_that_is_none() {
    lu_solve(&[[1.0, 0.0], [0.0, 1.0]], &[0, 2], &[1.0, 2.0]);
}
