//! Kernels in a crate without any prelude: no std, no other crate, no attribute of a tool has its name here without a
//! path. Every kind of item that an expansion has, and every place where kernels may be.
#![no_implicit_prelude]
#![deny(warnings)]

extern crate smooth;
extern crate std;

#[::smooth::smooth]
fn scaled(a: &[f64; n], s: f64) -> [f64; n] {
    build(n, |i| a[i] * s)
}

/// A kernel that calls another.
#[::smooth::smooth]
fn norm(a: &[f64; n]) -> f64 {
    let twice = scaled(a, 2.0);
    sum(n, |i| twice[i] * a[i]).sqrt()
}

/// A kernel that calls others and is not inlined, and so calls them in destination-passing style.
#[::smooth::smooth(passes(inline = false))]
fn twice(a: &[f64; n], steps: usize) -> [f64; n] {
    ifold(steps, scaled(a, norm(a)), |s, _| scaled(&s, 0.5))
}

/// A kernel of higher order, and one that passes a kernel and a closure to it.
#[::smooth::smooth]
fn map(a: &[f64; n], f: impl Fn(f64) -> f64) -> [f64; n] {
    build(n, |i| f(a[i]))
}

#[::smooth::smooth]
fn square(x: f64) -> f64 {
    x * x
}

#[::smooth::smooth]
fn mapped(a: &[f64; n]) -> [f64; n] {
    let shifted = map(a, |x| x + 1.0);
    map(&shifted, square)
}

/// A function of arrays.
#[::smooth::smooth]
fn rows(m: &[[f64; k]; n], f: impl Fn(&[f64; k]) -> f64) -> [f64; n] {
    build(n, |i| f(&m[i]))
}

#[::smooth::smooth]
fn norms(m: &[[f64; k]; n]) -> [f64; n] {
    rows(m, norm)
}

/// Generic over a type and over a size.
#[::smooth::smooth]
fn total<T: ::smooth::Real>(a: &[T; n]) -> T {
    sum(n, |i| a[i])
}

#[::smooth::smooth]
fn totals<T: ::smooth::Real, const N: usize>(m: &[[T; N]; n]) -> [T; n] {
    build(n, |i| total(&m[i]))
}

/// Tuples as parameter and result, every kind of scalar, in and out by columns.
#[::smooth::smooth]
fn parts((a, s): (&[f64; n], f64), k: usize, b: bool) -> ([f64; n], f64, [[u8; 2]; k]) {
    (scaled(a, s), if b { norm(a) } else { 0.0 }, build([k, 2], |i, j| (i + j) as u8))
}

#[::smooth::smooth(column_major(m, out))]
fn transposed(m: &[[f64; k]; n]) -> [[f64; n]; k] {
    let (r, _, _) = parts((&m[0], 1.0), 2, true);
    build([k, n], |j, i| m[i][j] + r[j] - r[j])
}

#[::smooth::smooth(strided(m, x))]
fn picked(m: &[[f64; k]; n], x: &[f64; 3]) -> [[f64; n]; k] {
    build([k, n], |j, i| m[i][j] + x[j % 3])
}

/// The reference of this kernel uses methods of std's traits.
#[::smooth::smooth]
fn forms(a: &[f64; n], x: i32, k: usize) -> ([[f64; n]; 2], i32, [usize; 3], bool) {
    let rows = [a.clone(), a.to_vec()];
    let part = &a[k.min(n)..];
    let least = x.clamp(-1, 1).abs().pow(2).wrapping_add(x.rem_euclid(3)).signum();
    let sizes = [part.len(), k.max(n).saturating_sub(1) << 1u8, rows[0].len()];
    (rows, least, sizes, (x as f64).powi(2).max(1.0).is_nan() || !(x == 3) && x as i8 <= 1)
}

const SIZE: usize = 2;

/// Static sizes: a constant `scratch`.
#[::smooth::smooth]
fn fixed(a: &[f64; SIZE]) -> [f64; 3] {
    let n = norm(a);
    [n, n + 1.0, a[1]]
}

/// Two kernels of any visibility in any place.
pub mod inner {
    /// Public, and so a macro of the crate.
    #[::smooth::smooth]
    pub fn visible(a: &[f64; n]) -> f64 {
        super::norm(a) + hidden(a)
    }

    #[::smooth::smooth]
    pub(super) fn hidden(a: &[f64; n]) -> f64 {
        a[0]
    }
}

#[::smooth::smooth]
fn across(a: &[f64; n]) -> f64 {
    inner::visible(a) + self::inner::hidden(a)
}

/// A kernel with derivatives, whose references are differences.
#[::smooth::smooth(jvp, jvp_many, jacobian)]
fn bent(x: &[f64; n], (s, k): (f64, usize), m: &[[f64; k]; n]) -> ([f64; n], f64) {
    (build(n, |i| (x[i] * s).sin() * sum(k, |j| m[i][j])), s * s)
}

#[test]
fn derivatives_compute_what_their_references_do() {
    let (x, m) = ([0.1, 0.2], [0.5, 0.25, 1.0, 2.0, 0.125, 0.75]);
    let m = ::smooth::View::new(&m[..], [2, 3]);
    let near = |a: f64, b: f64| a - b < 1e-9 && b - a < 1e-9;
    let (_, _, a, b) = bent::jvp(&x, (0.5, 3), m, &x, 2.0, m);
    let (_, _, c, d) = bent::jvp::reference(&x, (0.5, 3), m, &x, 2.0, m);
    ::std::assert!(near(a[0], c[0]) && near(a[1], c[1]) && near(b, d));
    let (twice, many) = ([0.1, 0.2, 0.3, 0.4], [0.5; 12]);
    let (twice, many) = (::smooth::View::new(&twice[..], [2, 2]), ::smooth::View::new(&many[..], [2, 2, 3]));
    let (_, _, a, b) = bent::jvp_many(&x, (0.5, 3), m, twice, &[1.0, 2.0], many);
    let (_, _, c, d) = bent::jvp_many::reference(&x, (0.5, 3), m, twice, &[1.0, 2.0], many);
    ::std::assert!(near(a[[1, 0]], c[1][0]) && near(a[[0, 1]], c[0][1]) && near(b[1], d[1]));
    let (_, _, (a, _), (b, _), (c, _)) = bent::jacobian(&x, (0.5, 3), m);
    let (_, _, (d, _), (e, _), (f, _)) = bent::jacobian::reference(&x, (0.5, 3), m);
    ::std::assert!(near(a[[1, 1]], d[1][1]) && near(b[1], e[1]) && near(c[[1, 1, 2]], f[1][1][2]));
}

#[test]
fn kernels_compute_what_their_references_do() {
    use ::std::assert_eq;
    let a = [3.0, 4.0];
    let nested = ::std::vec![a.to_vec(), a.to_vec()];
    let m = ::smooth::Array::from_nested(&nested).unwrap();
    assert_eq!(norm(&a), norm::reference(&a));
    assert_eq!(twice(&a, 3), twice::reference(&a, 3));
    assert_eq!(mapped(&a), [16.0, 25.0]);
    assert_eq!(norms(&m), [norm(&a), norm(&a)]);
    assert_eq!(totals(&[[1.0f32, 2.0], [3.0, 4.0]]), [3.0, 7.0]);
    let (scaled, norm, bytes) = parts((&a, 2.0), 1, true);
    assert_eq!((scaled, norm), (::std::vec![6.0, 8.0], norm::reference(&a)));
    assert_eq!(bytes, ::std::vec![[0, 1]]);
    assert_eq!(fixed(&a).to_vec(), fixed::reference(&a));
    let (rows, least, sizes, odd) = forms(&a, -2, 1);
    assert_eq!((rows.to_nested(), least, sizes.to_vec(), odd), forms::reference(&a, -2, 1));
    assert_eq!(across(&a), across::reference(&a));
    assert_eq!(picked(&[[1.0, 2.0]], &[0.5, 0.25, 0.0]), [[1.5], [2.25]]);
}

#[test]
fn kernels_stand_in_functions() {
    #[::smooth::smooth]
    fn local(a: &[f64; n]) -> f64 {
        other(a) + 1.0
    }
    #[::smooth::smooth]
    fn other(a: &[f64; n]) -> f64 {
        a[0]
    }
    ::std::assert_eq!(local(&[1.0]), 2.0);
}

#[test]
fn destinations_and_errors() {
    let mut arena = ::smooth::Arena::new();
    let mut out = [0.0; 2];
    twice::into(&mut out, &[3.0, 4.0], 1, &mut arena);
    ::std::assert!(twice::try_into(&mut out, &[3.0], 1, &mut arena).is_err());
    ::std::assert_eq!(twice::shape([2], 1), [2]);
    const BYTES: usize = fixed::scratch();
    ::std::assert_eq!(BYTES, 0);
}
