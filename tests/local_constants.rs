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
