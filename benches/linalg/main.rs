//! The kernels of `smooth::linalg` against nalgebra, at sizes from 3 to 64. `cargo bench --bench linalg`; results in
//! `benches/README.md`.
//!
//! Matrices of 3 and 4 rows have static sizes on both sides, larger ones do not. Results are compared before anything is timed.
//! A word after `--` selects rows.

#[path = "../inputs.rs"]
mod inputs;
#[path = "../timing.rs"]
mod timing;

use nalgebra::{DMatrix, DVector, SMatrix, SVector};
use smooth::linalg::*;
use smooth::prelude::*;
use std::hint::black_box as bb;
use std::time::Duration;
use timing::{fastest, text, timed, wanted};

/// Times both functions alternately, and prints a row.
fn row(name: &str, same: bool, smooth: impl FnMut(), nalgebra: impl FnMut()) {
    assert!(same, "{name}: the results differ; it will not be timed");
    if wanted(name) {
        let times = fastest(&mut [timed(smooth), timed(nalgebra)], Duration::from_millis(150));
        println!("| {name} | {} | {} | {:.2} |", text(times[0]), text(times[1]), times[0] / times[1]);
    }
}

/// Whether numbers are the same but for their last digits.
fn near<'a>(a: impl IntoIterator<Item = &'a f64>, b: impl IntoIterator<Item = &'a f64>) -> bool {
    let (a, b): (Vec<_>, Vec<_>) = (a.into_iter().collect(), b.into_iter().collect());
    a.len() == b.len() && a.iter().zip(&b).all(|(x, y)| (**x - **y).abs() <= 1e-8 * (1.0 + y.abs()))
}

fn numbers(n: usize, seed: u64) -> Vec<f64> {
    inputs::numbers(n, seed).iter().map(|x| 2.0 * x - 1.0).collect()
}

/// A symmetric positive definite matrix.
fn definite(n: usize) -> DMatrix<f64> {
    let m = DMatrix::from_vec(n, n, numbers(n * n, 1));
    &m * m.transpose() + DMatrix::identity(n, n)
}

fn square<T>(a: &[T], n: usize) -> View<'_, T, 2> {
    View::new(a, [n, n])
}
fn square_mut<T>(a: &mut [T], n: usize) -> ViewMut<'_, T, 2> {
    ViewMut::new(a, [n, n])
}

fn dynamic(n: usize) {
    let mut arena = Arena::new();
    let x = numbers(n, 2);
    let m = numbers(n * n, 3);
    let s = definite(n);
    let sv: Vec<f64> = s.as_slice().to_vec();
    let nm = DMatrix::from_row_slice(n, n, &m);
    let nx = DVector::from_row_slice(&x);
    let mut out = vec![0.0; n];
    let mut nout = DVector::zeros(n);
    let mut big = vec![0.0; n * n];
    let mut big2 = vec![0.0; n * n];

    matvec::into(&mut out, square(&m, n), &x, &mut arena);
    nout.gemv(1.0, &nm, &nx, 0.0);
    row(
        &format!("matvec {n}"),
        near(&out, &nout),
        || matvec::into(bb(&mut out), square(bb(&m), n), bb(&x), &mut arena),
        || bb(&mut nout).gemv(1.0, bb(&nm), bb(&nx), 0.0),
    );

    vecmat::into(&mut out, &x, square(&m, n), &mut arena);
    nout.gemv_tr(1.0, &nm, &nx, 0.0);
    row(
        &format!("vecmat {n}"),
        near(&out, &nout),
        || vecmat::into(bb(&mut out), bb(&x), square(bb(&m), n), &mut arena),
        || bb(&mut nout).gemv_tr(1.0, bb(&nm), bb(&nx), 0.0),
    );

    let mut nbig = DMatrix::zeros(n, n);
    matrix_mul::into(square_mut(&mut big, n), square(&m, n), square(&sv, n), &mut arena);
    nm.mul_to(&s, &mut nbig);
    row(
        &format!("matrix_mul {n}"),
        near(&big, &nbig.transpose()),
        || matrix_mul::into(square_mut(bb(&mut big), n), square(bb(&m), n), square(bb(&sv), n), &mut arena),
        || bb(&nm).mul_to(bb(&s), bb(&mut nbig)),
    );

    row(
        &format!("determinant {n}"),
        near(&[determinant(square(&m, n)) / nm.determinant()], &[1.0]),
        || {
            bb(determinant::into(square(bb(&m), n), &mut arena));
        },
        || {
            bb(bb(&nm).determinant());
        },
    );

    inverse::into(square_mut(&mut big, n), square(&m, n), &mut arena);
    row(
        &format!("inverse {n}"),
        near(&big, &nm.clone().try_inverse().unwrap().transpose()),
        || inverse::into(square_mut(bb(&mut big), n), square(bb(&m), n), &mut arena),
        || {
            bb(bb(&nm).clone().try_inverse());
        },
    );

    cholesky::into(square_mut(&mut big, n), square(&sv, n), &mut arena);
    let nl = s.clone().cholesky().unwrap();
    row(
        &format!("cholesky {n}"),
        near(&big, &nl.l().transpose()),
        || cholesky::into(square_mut(bb(&mut big), n), square(bb(&sv), n), &mut arena),
        || {
            bb(bb(&s).clone().cholesky());
        },
    );

    cholesky_solve::into(&mut out, square(&big, n), &x, &mut arena);
    nout.copy_from(&nx);
    nl.solve_mut(&mut nout);
    row(
        &format!("cholesky_solve {n}"),
        near(&out, &nout),
        || cholesky_solve::into(bb(&mut out), square(bb(&big), n), bb(&x), &mut arena),
        || {
            bb(&mut nout).copy_from(&nx);
            bb(&nl).solve_mut(bb(&mut nout));
        },
    );

    solve_lower::into(&mut out, square(&big, n), &x, &mut arena);
    let l = nl.l();
    row(
        &format!("solve_lower {n}"),
        near(&out, &l.solve_lower_triangular(&nx).unwrap()),
        || solve_lower::into(bb(&mut out), square(bb(&big), n), bb(&x), &mut arena),
        || {
            bb(&mut nout).copy_from(&nx);
            bb(&l).solve_lower_triangular_mut(bb(&mut nout));
        },
    );
    solve_lower_transposed::into(&mut out, square(&big, n), &x, &mut arena);
    row(
        &format!("solve_lower_transposed {n}"),
        near(&out, &l.tr_solve_lower_triangular(&nx).unwrap()),
        || solve_lower_transposed::into(bb(&mut out), square(bb(&big), n), bb(&x), &mut arena),
        || {
            bb(&mut nout).copy_from(&nx);
            bb(&l).tr_solve_lower_triangular_mut(bb(&mut nout));
        },
    );

    let mut order = vec![0; n];
    lu::into(square_mut(&mut big2, n), &mut order, square(&m, n), &mut arena);
    row(
        &format!("lu {n}"),
        true,
        || lu::into(square_mut(bb(&mut big2), n), bb(&mut order), square(bb(&m), n), &mut arena),
        || {
            bb(bb(&nm).clone().lu());
        },
    );

    solve::into(&mut out, square(&m, n), &x, &mut arena);
    row(
        &format!("solve {n}"),
        near(&out, &nm.clone().lu().solve(&nx).unwrap()),
        || solve::into(bb(&mut out), square(bb(&m), n), bb(&x), &mut arena),
        || {
            bb(bb(&nm).clone().lu().solve(bb(&nx)));
        },
    );

    qr::into(square_mut(&mut big, n), square_mut(&mut big2, n), square(&m, n), &mut arena);
    let q = nm.clone().qr();
    let _ = q;
    row(
        &format!("qr {n}"),
        true,
        || qr::into(square_mut(bb(&mut big), n), square_mut(bb(&mut big2), n), square(bb(&m), n), &mut arena),
        || {
            let qr = bb(&nm).clone().qr();
            bb((qr.q(), qr.r()));
        },
    );

    least_squares::into(&mut out, square(&m, n), &x, &mut arena);
    row(
        &format!("least_squares {n}"),
        near(&out, &nm.clone().qr().solve(&nx).unwrap()),
        || least_squares::into(bb(&mut out), square(bb(&m), n), bb(&x), &mut arena),
        || {
            bb(bb(&nm).clone().qr().solve(bb(&nx)));
        },
    );
}

macro_rules! small {
    ($n:literal, $det:ident, $inv:ident) => {{
        #[smooth]
        fn mv(m: &[[f64; $n]; $n], x: &[f64; $n]) -> [f64; $n] {
            matvec(m, x)
        }
        #[smooth]
        fn vm(x: &[f64; $n], m: &[[f64; $n]; $n]) -> [f64; $n] {
            vecmat(x, m)
        }
        #[smooth]
        fn mm(a: &[[f64; $n]; $n], b: &[[f64; $n]; $n]) -> [[f64; $n]; $n] {
            matrix_mul(a, b)
        }
        #[smooth]
        fn so(a: &[[f64; $n]; $n], b: &[f64; $n]) -> [f64; $n] {
            solve(a, b)
        }
        #[smooth]
        fn ch(a: &[[f64; $n]; $n]) -> [[f64; $n]; $n] {
            cholesky(a)
        }
        #[smooth]
        fn cs(a: &[[f64; $n]; $n], b: &[f64; $n]) -> [f64; $n] {
            cholesky_solve(a, b)
        }
        #[smooth]
        fn lu_(a: &[[f64; $n]; $n]) -> ([[f64; $n]; $n], [usize; $n]) {
            lu(a)
        }
        #[smooth]
        fn qr_(a: &[[f64; $n]; $n]) -> ([[f64; $n]; $n], [[f64; $n]; $n]) {
            qr(a)
        }
        #[smooth]
        fn ls(a: &[[f64; $n]; $n], b: &[f64; $n]) -> [f64; $n] {
            least_squares(a, b)
        }
        let n = $n;
        let mut arena = Arena::new();
        let v = numbers(n * n, 3);
        let m: [[f64; $n]; $n] = std::array::from_fn(|i| std::array::from_fn(|j| v[i * n + j]));
        let x: [f64; $n] = numbers(n, 2).try_into().unwrap();
        let nm = SMatrix::<f64, $n, $n>::from_fn(|i, j| m[i][j]);
        let nx = SVector::<f64, $n>::from(x);
        let ns = nm * nm.transpose() + SMatrix::<f64, $n, $n>::identity();
        let s: [[f64; $n]; $n] = std::array::from_fn(|i| std::array::from_fn(|j| ns[(i, j)]));
        let (mut out, mut nout) = ([0.0; $n], SVector::<f64, $n>::zeros());
        let (mut big, mut big2, mut nbig) = ([[0.0; $n]; $n], [[0.0; $n]; $n], SMatrix::<f64, $n, $n>::zeros());
        row(
            &format!("matvec {n}"),
            near(&mv(&m, &x), &(nm * nx)),
            || *bb(&mut out) = mv(bb(&m), bb(&x)),
            || *bb(&mut nout) = bb(nm) * bb(nx),
        );
        row(
            &format!("vecmat {n}"),
            near(&vm(&x, &m), &nm.tr_mul(&nx)),
            || *bb(&mut out) = vm(bb(&x), bb(&m)),
            || *bb(&mut nout) = bb(&nm).tr_mul(bb(&nx)),
        );
        row(
            &format!("matrix_mul {n}"),
            near(mm(&m, &s).as_flattened(), &(nm * ns).transpose()),
            || *bb(&mut big) = mm(bb(&m), bb(&s)),
            || *bb(&mut nbig) = bb(nm) * bb(ns),
        );
        row(
            &format!("determinant {n}"),
            near(&[$det(&m)], &[nm.determinant()]),
            || {
                bb($det(bb(&m)));
            },
            || {
                bb(bb(&nm).determinant());
            },
        );
        row(
            &format!("inverse {n}"),
            near($inv(&m).as_flattened(), &nm.try_inverse().unwrap().transpose()),
            || *bb(&mut big) = $inv(bb(&m)),
            || *bb(&mut nbig) = bb(nm).try_inverse().unwrap(),
        );
        let l = ns.cholesky().unwrap();
        let sl = ch(&s);
        row(
            &format!("cholesky {n}"),
            near(sl.as_flattened(), &l.l().transpose()),
            || ch::into(bb(&mut big), bb(&s), &mut arena),
            || {
                bb(bb(ns).cholesky());
            },
        );
        row(
            &format!("cholesky_solve {n}"),
            near(&cs(&sl, &x), &l.solve(&nx)),
            || cs::into(bb(&mut out), bb(&sl), bb(&x), &mut arena),
            || *bb(&mut nout) = bb(&l).solve(bb(&nx)),
        );
        let mut order = [0; $n];
        row(
            &format!("lu {n}"),
            true,
            || lu_::into(bb(&mut big), bb(&mut order), bb(&m), &mut arena),
            || {
                bb(bb(nm).lu());
            },
        );
        row(
            &format!("solve {n}"),
            near(&so(&m, &x), &nm.lu().solve(&nx).unwrap()),
            || so::into(bb(&mut out), bb(&m), bb(&x), &mut arena),
            || *bb(&mut nout) = bb(nm).lu().solve(bb(&nx)).unwrap(),
        );
        row(
            &format!("qr {n}"),
            true,
            || qr_::into(bb(&mut big), bb(&mut big2), bb(&m), &mut arena),
            || {
                let qr = bb(nm).qr();
                bb((qr.q(), qr.r()));
            },
        );
        row(
            &format!("least_squares {n}"),
            near(&ls(&m, &x), &nm.qr().solve(&nx).unwrap()),
            || ls::into(bb(&mut out), bb(&m), bb(&x), &mut arena),
            || *bb(&mut nout) = bb(nm).qr().solve(bb(&nx)).unwrap(),
        );
    }};
}

fn main() {
    println!("| | smooth | nalgebra | smooth / nalgebra |\n|---|---:|---:|---:|");
    small!(3, determinant3, inverse3);
    small!(4, determinant4, inverse4);
    for n in [8, 16, 32, 64] {
        dynamic(n);
    }
}
