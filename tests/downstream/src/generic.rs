//! Kernels generic over types and sizes.

use maths::prelude::*;

/// `a · b`.
///
/// ```
/// use maths::prelude::*;
/// use smooth_test_downstream::generic::dot;
///
/// #[smooth(crate = maths)]
/// fn squares<T: Real>(a: &[T; n]) -> T {
///     dot(a, a)
/// }
///
/// assert_eq!(squares(&[1.0f32, 2.0]), 5.0);
/// ```
#[smooth(crate = maths)]
pub fn dot<T: Real>(a: &[T; n], b: &[T; n]) -> T {
    sum(n, |i| a[i] * b[i])
}

/// `m x`; not inlined into its callers.
#[smooth(crate = maths, passes(inline = false))]
pub fn matvec<T: Real, const N: usize, const K: usize>(m: &[[T; K]; N], x: &[T; K]) -> [T; N] {
    build(N, |i| dot(&m[i], x))
}

/// The sum of each row. `N` is not in the type of a view, so it is compared at entry.
#[smooth(crate = maths)]
pub fn row_sums<T: Real, const N: usize>(m: &[[T; k]; N]) -> [T; N] {
    build(N, |i| sum(k, |j| m[i][j]))
}

/// `N` ones and `M` twos: no argument determines the sizes.
#[smooth(crate = maths)]
pub fn ones_and_twos<T: Real, const N: usize, const M: usize>() -> ([T; N], [T; M]) {
    (build(N, |_| 1.0), build(M, |_| 2.0))
}

/// A size that an argument determines, and one that none does.
#[smooth(crate = maths, preset = "D")]
pub fn resized<T: Real, const TO: usize>(a: &[T; n], fill: T) -> [T; TO] {
    let padded = build(TO + n, |i| if i < n { a[i] } else { fill });
    build(TO, |i| padded[i])
}

/// Too large to be inlined into its callers.
#[smooth(crate = maths)]
pub fn long<T: Real>(a: &[T; n]) -> [T; n] {
    let b = build(n, |i| a[n - 1 - i] * 0.01);
    build(n, |i| {
        let x = a[i];
        let x = x * 0.50 + (x * 1.0).sin() / (x * x + 1.0) + b[(i * 2) % n];
        let x = x * 0.51 + (x * 1.1).sin() / (x * x + 2.0) + b[(i * 3) % n];
        let x = x * 0.52 + (x * 1.2).sin() / (x * x + 3.0) + b[(i * 4) % n];
        let x = x * 0.53 + (x * 1.3).sin() / (x * x + 4.0) + b[(i * 5) % n];
        let x = x * 0.54 + (x * 1.4).sin() / (x * x + 5.0) + b[(i * 6) % n];
        let x = x * 0.55 + (x * 1.5).sin() / (x * x + 6.0) + b[(i * 7) % n];
        let x = x * 0.56 + (x * 1.6).sin() / (x * x + 7.0) + b[(i * 8) % n];
        let x = x * 0.57 + (x * 1.7).sin() / (x * x + 8.0) + b[(i * 9) % n];
        let x = x * 0.58 + (x * 1.8).sin() / (x * x + 9.0) + b[(i * 10) % n];
        let x = x * 0.59 + (x * 1.9).sin() / (x * x + 10.0) + b[(i * 11) % n];
        let x = x * 0.60 + (x * 2.0).sin() / (x * x + 11.0) + b[(i * 12) % n];
        let x = x * 0.61 + (x * 2.1).sin() / (x * x + 12.0) + b[(i * 13) % n];
        let x = x * 0.62 + (x * 2.2).sin() / (x * x + 13.0) + b[(i * 14) % n];
        let x = x * 0.63 + (x * 2.3).sin() / (x * x + 14.0) + b[(i * 15) % n];
        let x = x * 0.64 + (x * 2.4).sin() / (x * x + 15.0) + b[(i * 16) % n];
        let x = x * 0.65 + (x * 2.5).sin() / (x * x + 16.0) + b[(i * 17) % n];
        let x = x * 0.66 + (x * 2.6).sin() / (x * x + 17.0) + b[(i * 18) % n];
        let x = x * 0.67 + (x * 2.7).sin() / (x * x + 18.0) + b[(i * 19) % n];
        let x = x * 0.68 + (x * 2.8).sin() / (x * x + 19.0) + b[(i * 20) % n];
        let x = x * 0.69 + (x * 2.9).sin() / (x * x + 20.0) + b[(i * 21) % n];
        let x = x * 0.70 + (x * 3.0).sin() / (x * x + 21.0) + b[(i * 22) % n];
        let x = x * 0.71 + (x * 3.1).sin() / (x * x + 22.0) + b[(i * 23) % n];
        let x = x * 0.72 + (x * 3.2).sin() / (x * x + 23.0) + b[(i * 24) % n];
        let x = x * 0.73 + (x * 3.3).sin() / (x * x + 24.0) + b[(i * 25) % n];
        let x = x * 0.74 + (x * 3.4).sin() / (x * x + 25.0) + b[(i * 26) % n];
        let x = x * 0.75 + (x * 3.5).sin() / (x * x + 26.0) + b[(i * 27) % n];
        let x = x * 0.76 + (x * 3.6).sin() / (x * x + 27.0) + b[(i * 28) % n];
        let x = x * 0.77 + (x * 3.7).sin() / (x * x + 28.0) + b[(i * 29) % n];
        let x = x * 0.78 + (x * 3.8).sin() / (x * x + 29.0) + b[(i * 30) % n];
        let x = x * 0.79 + (x * 3.9).sin() / (x * x + 30.0) + b[(i * 31) % n];
        let x = x * 0.80 + (x * 4.0).sin() / (x * x + 31.0) + b[(i * 32) % n];
        let x = x * 0.81 + (x * 4.1).sin() / (x * x + 32.0) + b[(i * 33) % n];
        let x = x * 0.82 + (x * 4.2).sin() / (x * x + 33.0) + b[(i * 34) % n];
        let x = x * 0.83 + (x * 4.3).sin() / (x * x + 34.0) + b[(i * 35) % n];
        let x = x * 0.84 + (x * 4.4).sin() / (x * x + 35.0) + b[(i * 36) % n];
        let x = x * 0.85 + (x * 4.5).sin() / (x * x + 36.0) + b[(i * 37) % n];
        let x = x * 0.86 + (x * 4.6).sin() / (x * x + 37.0) + b[(i * 38) % n];
        let x = x * 0.87 + (x * 4.7).sin() / (x * x + 38.0) + b[(i * 39) % n];
        let x = x * 0.88 + (x * 4.8).sin() / (x * x + 39.0) + b[(i * 40) % n];
        let x = x * 0.89 + (x * 4.9).sin() / (x * x + 40.0) + b[(i * 41) % n];
        x
    })
}

/// Two arrays of any type, an element of each in turn.
#[smooth(crate = maths)]
pub fn interleaved<T: Scalar>(a: &[T; n], b: &[T; n]) -> [T; 2 * n] {
    build(2 * n, |i| if i % 2 == 0 { a[i / 2] } else { b[i / 2] })
}

macro_rules! mixed {
    ($($c:literal)*) => {
        /// Remainders of numbers, with a temporary array; too large to be inlined into its callers.
        #[smooth(crate = maths)]
        pub fn mixed<T: Number>(a: &[T; n], modulus: T) -> [T; n] {
            let b = build(n, |i| {
                let x = a[i];
                $(let x = (x % modulus + (i % 2) as T * $c % modulus) % modulus + (x / $c).min(1).max(0);)*
                x
            });
            build(n, |i| b[n - 1 - i] + b[i] % 3)
        }
    };
}

mixed!(1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30);
