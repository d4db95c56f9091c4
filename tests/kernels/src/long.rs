//! Kernels above the inlining budget, which are called.
use smooth::prelude::*;

const STEP: f64 = 0.25;

macro_rules! long {
    ($(#[$doc:meta])* $vis:vis fn $name:ident: $($c:literal)*) => {
        $(#[$doc])*
        #[smooth]
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
    pub fn long: 1.01 1.02 1.03 1.04 1.05 1.06 1.07 1.08 1.09 1.10 1.11 1.12 1.13 1.14 1.15 1.16 1.17 1.18 1.19
    1.20 1.21 1.22 1.23 1.24 1.25 1.26 1.27 1.28 1.29 1.30 1.31 1.32 1.33 1.34 1.35 1.36 1.37 1.38 1.39 1.40
    1.41 1.42 1.43 1.44 1.45 1.46 1.47 1.48 1.49 1.50);
long!(
    fn private: 2.01 2.02 2.03 2.04 2.05 2.06 2.07 2.08 2.09 2.10 2.11 2.12 2.13 2.14 2.15 2.16 2.17 2.18 2.19
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
