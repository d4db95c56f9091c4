//! Constants in the body of a kernel: kernel, reference and plain Rust agree.

#[macro_use]
mod same;

same! {
    // In scope in all of the block, in any order.
    numbers [n = 3] (a: &[f64; n]) -> (f64, i64) {
        let y = a[0] * SCALE;
        const SCALE: f64 = 1.0 / THIRD;
        const THIRD: f64 = 0.25 + HALF;
        const HALF: f64 = 0.5;
        const LOW: i64 = -(1 << 40);
        (y + THIRD, LOW)
    } on (&[3.0, 0.0, 0.0]);

    arrays [n = 2] (a: &[f64; n]) -> ([f64; 3], [[f64; 2]; 2], f64) {
        const M: usize = 3;
        const WEIGHTS: [f64; M] = [0.25, 0.5, 0.25];
        const ROWS: [[f64; 2]; 2] = [[1.0, 2.0], [3.0, 4.0]];
        const PAIRS: &[(f64, usize); 2] = &[(1.0, 2), (3.0, 0)];
        let mut out = [0.0; M];
        for j in 0..M {
            out[j] = WEIGHTS[j] * a[0] + WEIGHTS.len() as f64;
        }
        let mut m = ROWS;
        m[0][0] = a[1];
        for r in ROWS {
            m[1][1] += r[0];
        }
        let (x, k) = PAIRS[1];
        (out, m, x + WEIGHTS[k])
    } on (&[4.0, 9.0]);

    in_patterns [] (x: i32) -> f64 {
        const LOW: i32 = -2;
        const HIGH: i32 = LOW + 5;
        match x {
            LOW => 1.0,
            0..=HIGH => {
                const HIGH: f64 = 7.0;
                HIGH
            }
            _ => 0.0,
        }
    } on (-2), (-1), (0), (3), (4);

    // Members of paths and methods with the name of a constant are not uses of it.
    of_paths [] (x: f64) -> (f64, f64) {
        const TOL: f64 = 2.0 * EPSILON;
        const EPSILON: f64 = f64::EPSILON;
        const MAX: f64 = MIN + f64::MAX;
        const MIN: f64 = -1.0;
        (x + TOL, MAX)
    } on (1.0);

    in_closures_and_loops [n = 4] (a: &[f64; n]) -> f64 {
        const K: f64 = 2.0;
        let f = |x: f64| {
            const K: f64 = 3.0;
            x * K
        };
        let mut s = 0.0;
        for x in a.iter() {
            const STEP: usize = 2;
            for _ in 0..STEP {
                s = s * K + f(*x);
            }
        }
        s
    } on (&[1.0, 2.0, 3.0, 4.0]);
}

/// Constants outside of kernels, which those of their bodies hide.
mod hidden {
    pub const EPSILON: f64 = 10.0;

    pub mod outer {
        pub const N: usize = 2;
    }

    pub mod kernels {
        #[allow(unused_imports, reason = "to be hidden")]
        use super::EPSILON;
        use super::outer;
        use smooth::prelude::*;

        #[smooth]
        pub fn small(x: f64) -> f64 {
            const TOL: f64 = 2.0 * EPSILON;
            const EPSILON: f64 = f64::EPSILON;
            x + TOL
        }

        /// Not the generic parameters of these names.
        #[smooth]
        pub fn names<T: Real, const N: usize>(a: &[T; N]) -> T {
            const K: usize = outer::N;
            const T: usize = 1;
            const U: usize = T + 1;
            a[0] * (K + U) as T
        }

        #[smooth]
        pub fn widened<T: Number>(x: T) -> f64 {
            f64::from(x)
        }
    }
}

#[test]
fn a_body_hides_what_is_outside() {
    use hidden::kernels::{names, small, widened};
    let expected = 1.0 + 2.0 * f64::EPSILON;
    assert_eq!((small(1.0), small::reference(1.0)), (expected, expected));
    assert_eq!((names(&[1.5, 0.0]), names::reference(&[1.5, 0.0])), (6.0, 6.0));
    assert_eq!((widened(3), widened(2.5f32)), (3.0, 2.5));
    assert_eq!((widened::reference(3), widened::reference(2.5f32)), (3.0, 2.5));
    assert_eq!(hidden::EPSILON, 10.0);
}
