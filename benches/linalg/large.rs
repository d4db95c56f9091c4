//! Matrices whose sizes are known at run time. What smooth writes to a destination, nalgebra does as well where it can; its
//! factorisations take a matrix, so a copy is made for them.

use super::{near, numbers, row};
use nalgebra::{DMatrix, DVector};
use smooth::linalg::*;
use smooth::prelude::*;
use std::hint::black_box as bb;

/// A square matrix as an argument, and as a destination.
fn square<T>(a: &[T], n: usize) -> View<'_, T, 2> {
    View::new(a, [n, n])
}
fn square_mut<T>(a: &mut [T], n: usize) -> ViewMut<'_, T, 2> {
    ViewMut::new(a, [n, n])
}

pub fn rows(n: usize) {
    let (x, m) = (&numbers(n, 2), &numbers(n * n, 3));
    let (other, other_x) = (&DMatrix::from_row_slice(n, n, m), &DVector::from_row_slice(x));
    products(n, m, x, other, other_x);
    positive(n, x, other, other_x);
    general(n, m, x, other, other_x);
    factors(n);
}

/// The factorisations.
pub fn factors(n: usize) {
    let m = &numbers(n * n, 3);
    let other = &DMatrix::from_row_slice(n, n, m);
    let (mut arena, named) = (Arena::new(), |name: &str| format!("{name} {n}"));
    let (mut first, mut second, mut order) = (vec![0.0; n * n], vec![0.0; n * n], vec![0; n]);
    let other_s = &(other * other.transpose() + DMatrix::identity(n, n));
    let s = other_s.as_slice();
    let (l, other_l) = (cholesky(square(s, n)), other_s.clone().cholesky().expect("a root"));
    row(
        &named("cholesky"),
        near(l.as_slice(), &other_l.l().transpose()),
        || cholesky::into(square_mut(bb(&mut first), n), square(bb(s), n), &mut arena),
        || {
            bb(bb(other_s).clone().cholesky());
        },
    );
    let (factors, other_factors) = (lu(square(m, n)).0, other.clone().lu());
    let packed = other_factors.l() + other_factors.u() - DMatrix::identity(n, n);
    row(
        &named("lu"),
        near(factors.as_slice(), &packed.transpose()),
        || lu::into(square_mut(bb(&mut first), n), bb(&mut order), square(bb(m), n), &mut arena),
        || {
            bb(bb(other).clone().lu());
        },
    );
    let (q, r) = qr(square(m, n));
    row(
        &named("qr"),
        near(matrix_mul(&q, &r).as_slice(), m),
        || qr::into(square_mut(bb(&mut first), n), square_mut(bb(&mut second), n), square(bb(m), n), &mut arena),
        || {
            let qr = bb(other).clone().qr();
            bb((qr.q(), qr.r()));
        },
    );
}

fn products(n: usize, m: &[f64], x: &[f64], other: &DMatrix<f64>, other_x: &DVector<f64>) {
    let (mut arena, named) = (Arena::new(), |name: &str| format!("{name} {n}"));
    let (mut y, mut other_y) = (vec![0.0; n], DVector::zeros(n));
    row(
        &named("matvec"),
        near(&matvec(square(m, n), x), &(other * other_x)),
        || matvec::into(bb(&mut y), square(bb(m), n), bb(x), &mut arena),
        || bb(&mut other_y).gemv(1.0, bb(other), bb(other_x), 0.0),
    );
    row(
        &named("vecmat"),
        near(&vecmat(x, square(m, n)), &other.tr_mul(other_x)),
        || vecmat::into(bb(&mut y), bb(x), square(bb(m), n), &mut arena),
        || bb(&mut other_y).gemv_tr(1.0, bb(other), bb(other_x), 0.0),
    );
    let (mut product, mut other_product) = (vec![0.0; n * n], DMatrix::zeros(n, n));
    row(
        &named("matrix_mul"),
        near(matrix_mul(square(m, n), square(m, n)).as_slice(), &(other * other).transpose()),
        || matrix_mul::into(square_mut(bb(&mut product), n), square(bb(m), n), square(bb(m), n), &mut arena),
        || bb(other).mul_to(bb(other), bb(&mut other_product)),
    );
}

/// A symmetric positive definite matrix, and what is solved with its factor.
fn positive(n: usize, x: &[f64], other: &DMatrix<f64>, other_x: &DVector<f64>) {
    let (mut arena, named) = (Arena::new(), |name: &str| format!("{name} {n}"));
    let other_s = &(other * other.transpose() + DMatrix::identity(n, n));
    let s = other_s.as_slice();
    let (l, other_l) = (&cholesky(square(s, n)), &other_s.clone().cholesky().expect("a root"));
    let (mut y, mut other_y) = (vec![0.0; n], DVector::zeros(n));
    row(
        &named("cholesky_solve"),
        near(&cholesky_solve(l, x), &other_l.solve(other_x)),
        || cholesky_solve::into(bb(&mut y), bb(l), bb(x), &mut arena),
        || {
            bb(&mut other_y).copy_from(other_x);
            bb(other_l).solve_mut(bb(&mut other_y));
        },
    );
    let (triangle, u) = (&other_l.l(), &matrix_transpose(l));
    row(
        &named("solve_lower"),
        near(&solve_lower(l, x), &triangle.solve_lower_triangular(other_x).expect("a solution")),
        || solve_lower::into(bb(&mut y), bb(l), bb(x), &mut arena),
        || {
            bb(&mut other_y).copy_from(other_x);
            bb(triangle).solve_lower_triangular_mut(bb(&mut other_y));
        },
    );
    row(
        &named("solve_lower_transposed"),
        near(&solve_lower_transposed(l, x), &triangle.tr_solve_lower_triangular(other_x).expect("a solution")),
        || solve_lower_transposed::into(bb(&mut y), bb(l), bb(x), &mut arena),
        || {
            bb(&mut other_y).copy_from(other_x);
            bb(triangle).tr_solve_lower_triangular_mut(bb(&mut other_y));
        },
    );
    let upper = &triangle.transpose();
    row(
        &named("solve_upper"),
        near(&solve_upper(u, x), &upper.solve_upper_triangular(other_x).expect("a solution")),
        || solve_upper::into(bb(&mut y), bb(u), bb(x), &mut arena),
        || {
            bb(&mut other_y).copy_from(other_x);
            bb(upper).solve_upper_triangular_mut(bb(&mut other_y));
        },
    );
}

fn general(n: usize, m: &[f64], x: &[f64], other: &DMatrix<f64>, other_x: &DVector<f64>) {
    let (mut arena, named) = (Arena::new(), |name: &str| format!("{name} {n}"));
    let (mut first, mut y) = (vec![0.0; n * n], vec![0.0; n]);
    row(
        &named("determinant"),
        near(&[determinant(square(m, n)) / other.determinant()], &[1.0]),
        || {
            bb(determinant::into(square(bb(m), n), &mut arena));
        },
        || {
            bb(bb(other).determinant());
        },
    );
    row(
        &named("inverse"),
        near(inverse(square(m, n)).as_slice(), &other.clone().try_inverse().expect("an inverse").transpose()),
        || inverse::into(square_mut(bb(&mut first), n), square(bb(m), n), &mut arena),
        || {
            bb(bb(other).clone().try_inverse());
        },
    );
    row(
        &named("solve"),
        near(&solve(square(m, n), x), &other.clone().lu().solve(other_x).expect("a solution")),
        || solve::into(bb(&mut y), square(bb(m), n), bb(x), &mut arena),
        || {
            bb(bb(other).clone().lu().solve(bb(other_x)));
        },
    );
    row(
        &named("least_squares"),
        near(&least_squares(square(m, n), x), &other.clone().qr().solve(other_x).expect("a solution")),
        || least_squares::into(bb(&mut y), square(bb(m), n), bb(x), &mut arena),
        || {
            bb(bb(other).clone().qr().solve(bb(other_x)));
        },
    );
    let norm = other.singular_values().max();
    row(
        &named("matrix_norm2"),
        near(&[matrix_norm2(square(m, n))], &[norm]),
        || {
            bb(matrix_norm2::into(square(bb(m), n), &mut arena));
        },
        || {
            bb(bb(other).singular_values().max());
        },
    );
}
