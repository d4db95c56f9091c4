//! Matrices of static sizes: a kernel with a size in its type, which calls the library's.

use super::{near, numbers, row};
use nalgebra::{SMatrix, SVector};
use smooth::linalg::*;
use smooth::prelude::*;
use std::hint::black_box as bb;

macro_rules! small {
    ($name:ident $n:literal $determinant:ident $inverse:ident) => {
        pub fn $name() {
            type Matrix = [[f64; $n]; $n];
            type Vector = [f64; $n];
            #[smooth]
            fn right(m: &[[f64; $n]; $n], x: &[f64; $n]) -> [f64; $n] {
                matvec(m, x)
            }
            #[smooth]
            fn left(x: &[f64; $n], m: &[[f64; $n]; $n]) -> [f64; $n] {
                vecmat(x, m)
            }
            #[smooth]
            fn product(a: &[[f64; $n]; $n], b: &[[f64; $n]; $n]) -> [[f64; $n]; $n] {
                matrix_mul(a, b)
            }
            #[smooth]
            fn solved(a: &[[f64; $n]; $n], b: &[f64; $n]) -> [f64; $n] {
                solve(a, b)
            }
            #[smooth]
            fn root(a: &[[f64; $n]; $n]) -> [[f64; $n]; $n] {
                cholesky(a)
            }
            #[smooth]
            fn by_root(l: &[[f64; $n]; $n], b: &[f64; $n]) -> [f64; $n] {
                cholesky_solve(l, b)
            }
            #[smooth]
            fn triangles(a: &[[f64; $n]; $n]) -> ([[f64; $n]; $n], [usize; $n]) {
                lu(a)
            }
            #[smooth]
            fn orthogonal(a: &[[f64; $n]; $n]) -> ([[f64; $n]; $n], [[f64; $n]; $n]) {
                qr(a)
            }
            #[smooth]
            fn nearest(a: &[[f64; $n]; $n], b: &[f64; $n]) -> [f64; $n] {
                least_squares(a, b)
            }

            let (v, mut arena) = (numbers($n * $n, 3), Arena::new());
            let named = |name: &str| format!("{name} {}", $n);
            let m: Matrix = std::array::from_fn(|i| std::array::from_fn(|j| v[i * $n + j]));
            let x: Vector = numbers($n, 2).try_into().expect("so many");
            let other = SMatrix::<f64, $n, $n>::from_fn(|i, j| m[i][j]);
            let other_x = SVector::<f64, $n>::from(x);
            let other_s = other * other.transpose() + SMatrix::<f64, $n, $n>::identity();
            let s: Matrix = std::array::from_fn(|i| std::array::from_fn(|j| other_s[(i, j)]));
            let (mut y, mut other_y) = ([0.0; $n], SVector::<f64, $n>::zeros());
            let (mut big, mut second, mut order) = ([[0.0; $n]; $n], [[0.0; $n]; $n], [0; $n]);
            let mut other_big = SMatrix::<f64, $n, $n>::zeros();

            let same = near(&right(&m, &x), &(other * other_x));
            row(
                &named("matvec"),
                same,
                || *bb(&mut y) = right(bb(&m), bb(&x)),
                || {
                    *bb(&mut other_y) = bb(other) * bb(other_x);
                },
            );
            let same = near(&left(&x, &m), &other.tr_mul(&other_x));
            row(
                &named("vecmat"),
                same,
                || *bb(&mut y) = left(bb(&x), bb(&m)),
                || {
                    *bb(&mut other_y) = bb(&other).tr_mul(bb(&other_x));
                },
            );
            let same = near(product(&m, &s).as_flattened(), &(other * other_s).transpose());
            row(
                &named("matrix_mul"),
                same,
                || *bb(&mut big) = product(bb(&m), bb(&s)),
                || {
                    *bb(&mut other_big) = bb(other) * bb(other_s);
                },
            );
            let (same, mut number) = (near(&[$determinant(&m)], &[other.determinant()]), 0.0);
            row(
                &named("determinant"),
                same,
                || *bb(&mut number) = $determinant(bb(&m)),
                || {
                    bb(bb(&other).determinant());
                },
            );
            let same = near($inverse(&m).as_flattened(), &other.try_inverse().expect("an inverse").transpose());
            row(
                &named("inverse"),
                same,
                || *bb(&mut big) = $inverse(bb(&m)),
                || {
                    *bb(&mut other_big) = bb(other).try_inverse().expect("an inverse");
                },
            );
            let (l, other_l) = (root(&s), other_s.cholesky().expect("a root"));
            let same = near(l.as_flattened(), &other_l.l().transpose());
            row(
                &named("cholesky"),
                same,
                || root::into(bb(&mut big), bb(&s), &mut arena),
                || {
                    bb(bb(other_s).cholesky());
                },
            );
            let same = near(&by_root(&l, &x), &other_l.solve(&other_x));
            row(
                &named("cholesky_solve"),
                same,
                || by_root::into(bb(&mut y), bb(&l), bb(&x), &mut arena),
                || {
                    *bb(&mut other_y) = bb(&other_l).solve(bb(&other_x));
                },
            );
            let (f, other_f) = (triangles(&m).0, other.lu());
            let packed = other_f.l() + other_f.u() - SMatrix::<f64, $n, $n>::identity();
            let same = near(f.as_flattened(), &packed.transpose());
            row(
                &named("lu"),
                same,
                || triangles::into(bb(&mut big), bb(&mut order), bb(&m), &mut arena),
                || {
                    bb(bb(other).lu());
                },
            );
            let same = near(&solved(&m, &x), &other.lu().solve(&other_x).expect("a solution"));
            row(
                &named("solve"),
                same,
                || solved::into(bb(&mut y), bb(&m), bb(&x), &mut arena),
                || {
                    *bb(&mut other_y) = bb(other).lu().solve(bb(&other_x)).expect("a solution");
                },
            );
            let (q, r) = orthogonal(&m);
            let same = near(matrix_mul(&q, &r).as_slice(), m.as_flattened());
            row(
                &named("qr"),
                same,
                || orthogonal::into(bb(&mut big), bb(&mut second), bb(&m), &mut arena),
                || {
                    let qr = bb(other).qr();
                    bb((qr.q(), qr.r()));
                },
            );
            let same = near(&nearest(&m, &x), &other.qr().solve(&other_x).expect("a solution"));
            row(
                &named("least_squares"),
                same,
                || nearest::into(bb(&mut y), bb(&m), bb(&x), &mut arena),
                || {
                    *bb(&mut other_y) = bb(other).qr().solve(bb(&other_x)).expect("a solution");
                },
            );
        }
    };
}

small!(three 3 determinant3 inverse3);
small!(four 4 determinant4 inverse4);
