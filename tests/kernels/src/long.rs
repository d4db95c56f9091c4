//! Kernels above the inlining budget, which are called.
use smooth::prelude::*;

const STEP: f64 = 0.25;

macro_rules! long {
    ($(#[$doc:meta])* [$($option:ident)*] $vis:vis fn $name:ident: $($c:literal)*) => {
        $(#[$doc])*
        #[smooth($($option),*)]
        $vis fn $name(a: &[f64; n]) -> [f64; n] {
            // Read in another order than written, so that it has to be stored.
            let first = build(n, |i| {
                let s = a[i];
                $(let s = (s * $c + STEP).abs() - s / ($c + s * s);)*
                s
            });
            build(n, |i| first[n - 1 - i] + first[i] * 0.5)
        }
    };
}

long!(
    /// Fifty arbitrary operations per element, and the result added to its reverse.
    [] pub fn long: 1.01 1.02 1.03 1.04 1.05 1.06 1.07 1.08 1.09 1.10 1.11 1.12 1.13 1.14 1.15 1.16 1.17 1.18 1.19
    1.20 1.21 1.22 1.23 1.24 1.25 1.26 1.27 1.28 1.29 1.30 1.31 1.32 1.33 1.34 1.35 1.36 1.37 1.38 1.39 1.40
    1.41 1.42 1.43 1.44 1.45 1.46 1.47 1.48 1.49 1.50);
long!(
    /// So many operations that callers do not have its text: they call its derivatives.
    [jvp vjp] pub fn longest: 1.01 1.02 1.03 1.04 1.05 1.06 1.07 1.08 1.09 1.10 1.11 1.12 1.13 1.14 1.15 1.16 1.17 1.18 1.19 1.20 1.21 1.22
    1.23 1.24 1.25 1.26 1.27 1.28 1.29 1.30 1.31 1.32 1.33 1.34 1.35 1.36 1.37 1.38 1.39 1.40 1.41 1.42 1.43 1.44
    1.45 1.46 1.47 1.48 1.49 1.50 1.51 1.52 1.53 1.54 1.55 1.56 1.57 1.58 1.59 1.60 1.61 1.62 1.63 1.64 1.65 1.66
    1.67 1.68 1.69 1.70 1.71 1.72 1.73 1.74 1.75 1.76 1.77 1.78 1.79 1.80 1.81 1.82 1.83 1.84 1.85 1.86 1.87 1.88
    1.89 1.90 1.91 1.92 1.93 1.94 1.95 1.96 1.97 1.98 1.99 2.00 2.01 2.02 2.03 2.04 2.05 2.06 2.07 2.08 2.09 2.10
    2.11 2.12 2.13 2.14 2.15 2.16 2.17 2.18 2.19 2.20 2.21 2.22 2.23 2.24 2.25 2.26 2.27 2.28 2.29 2.30 2.31 2.32
    2.33 2.34 2.35 2.36 2.37 2.38 2.39 2.40 2.41 2.42 2.43 2.44 2.45 2.46 2.47 2.48 2.49 2.50 2.51 2.52 2.53 2.54
    2.55 2.56 2.57 2.58 2.59 2.60 2.61 2.62 2.63 2.64 2.65 2.66 2.67 2.68 2.69 2.70 2.71 2.72 2.73 2.74 2.75 2.76
    2.77 2.78 2.79 2.80 2.81 2.82 2.83 2.84 2.85 2.86 2.87 2.88 2.89 2.90);
long!(
    [] fn private: 2.01 2.02 2.03 2.04 2.05 2.06 2.07 2.08 2.09 2.10 2.11 2.12 2.13 2.14 2.15 2.16 2.17 2.18 2.19
    2.20 2.21 2.22 2.23 2.24 2.25 2.26 2.27 2.28 2.29 2.30 2.31 2.32 2.33 2.34 2.35 2.36 2.37 2.38 2.39 2.40
    2.41 2.42 2.43 2.44 2.45 2.46 2.47 2.48 2.49 2.50);

/// [`long`](fn@long) of a private kernel of the same length: small enough to be inlined elsewhere, together with its calls.
#[smooth]
pub fn longer(a: &[f64; n]) -> [f64; n] {
    long(&private(a))
}

/// [`long`](fn@long) in place: what it returns is the sum of what was there.
#[smooth]
pub fn lengthen(a: &mut [f64; n]) -> f64 {
    let total = sum(n, |i| a[i]);
    let b = long(a);
    a.copy_from_slice(&b);
    total
}
