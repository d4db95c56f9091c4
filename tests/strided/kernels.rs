//! Kernels with strided parameters, and the same kernels without.

use smooth::prelude::*;

/// Each kernel twice: as `strided::f`, with the options, and as `plain::f`, without.
macro_rules! both {
    ($($(#[$doc:meta])* [$($option:tt)*] fn $name:ident$(<$($generic:ident: $bound:ident),*>)?($($params:tt)*) -> $result:ty $body:block)*) => {
        pub mod plain {
            use super::*;
            $($(#[$doc])* #[smooth] pub fn $name$(<$($generic: $bound),*>)?($($params)*) -> $result $body)*
        }
        pub mod strided {
            use super::*;
            $($(#[$doc])* #[smooth($($option)*)] pub fn $name$(<$($generic: $bound),*>)?($($params)*) -> $result $body)*
        }
    };
}

both! {
    /// The mean of each element's four neighbours and itself.
    [strided(m)]
    fn stencil(m: &[[f64; k]; n]) -> [[f64; k]; n] {
        build([n, k], |i, j| {
            if i > 0 && j > 0 && i + 1 < n && j + 1 < k {
                0.2 * (m[i][j] + m[i - 1][j] + m[i + 1][j] + m[i][j - 1] + m[i][j + 1])
            } else {
                m[i][j]
            }
        })
    }

    /// `a b`
    [strided(a, b)]
    fn product(a: &[[f64; k]; n], b: &[[f64; l]; k]) -> [[f64; l]; n] {
        build([n, l], |i, j| sum(k, |h| a[i][h] * b[h][j]))
    }

    [strided(m)]
    fn column_sums(m: &[[f64; k]; n]) -> [f64; k] {
        build(k, |j| sum(n, |i| m[i][j]))
    }

    [strided(m)]
    fn row_sums(m: &[[f64; k]; n]) -> [f64; n] {
        build(n, |i| sum(k, |j| m[i][j]))
    }

    /// Elements at indices from data.
    [strided(m, rows)]
    fn gathered(m: &[[f64; k]; n], rows: &[usize; l], column: usize) -> [f64; l] {
        build(l, |i| m[rows[i]][column])
    }

    /// A copy, and the first of its rows in reverse order.
    [strided(m)]
    fn copies(m: &[[f64; k]; n]) -> ([[f64; k]; n], [f64; k]) {
        let copy = m.clone();
        let mut first = m[0].clone();
        for j in 0..k / 2 {
            first.swap(j, k - 1 - j);
        }
        (copy, first)
    }

    /// Rows of a slice, one after the other added to a state.
    [strided(m)]
    fn folded(m: &[[f64; k]; n], from: usize) -> [f64; k] {
        let below = &m[from..n];
        let mut state = m[0].clone();
        for i in 0..n - from {
            for j in 0..k {
                state[j] = 0.5 * state[j] + below[i][j];
            }
        }
        state
    }

    [strided(x, y)]
    fn dot<T: Real>(x: &[T; n], y: &[T; n]) -> T {
        sum(n, |i| x[i] * y[i])
    }

    /// Of any rank, and of static sizes.
    [strided(t, c)]
    fn ranks(t: &[[[i32; 2]; k]; n], c: &[[i32; 3]; 2]) -> [[i32; k]; n] {
        build([n, k], |i, j| t[i][j][0] - t[i][j][1] + c[1][2] * c[0][i % 3])
    }

    /// Every part of an array of tuples is strided.
    [strided(points)]
    fn norms(points: &[(f64, f32); n]) -> [f64; n] {
        build(n, |i| { let (x, y) = points[i]; (x * x + (y * y) as f64).sqrt() })
    }

    /// `x` is strided, `s` is a number.
    [strided(pair)]
    fn of_tuple(pair: (&[f64; n], f64)) -> f64 {
        let (x, s) = pair;
        s * max(n, |i| x[i])
    }
}

/// A callee that is called, and not inlined.
#[smooth]
pub fn smoothed(x: &[f64; n]) -> [f64; n] {
    build(n, |i| 0.5 * (x[i] + x[n - 1 - i]))
}

/// That kernel with a strided argument.
#[smooth(strided(x))]
pub fn smoothed_strided(x: &[f64; n]) -> [f64; n] {
    build(n, |i| 0.5 * (x[i] + x[n - 1 - i]))
}

#[smooth(strided(m))]
pub fn weighted(m: &[[f64; k]; n], w: &[f64; n]) -> [f64; k] {
    build(k, |j| sum(n, |i| w[i] * m[i][j]))
}

/// Each row is copied into the frame for a callee that takes contiguous arrays.
#[smooth(strided(m), passes(inline = false))]
pub fn rows_for_contiguous(m: &[[f64; k]; n]) -> [[f64; k]; n] {
    build(n, |i| smoothed(&m[i]))
}

/// A part of a row is passed with its strides.
#[smooth(strided(m), passes(inline = false))]
pub fn rows_for_strided(m: &[[f64; k]; n]) -> [[f64; k]; n] {
    build(n, |i| smoothed_strided(&m[i][0..k]))
}

/// Inlined: neither a copy nor a call.
#[smooth(strided(m))]
pub fn rows_joined_in(m: &[[f64; k]; n]) -> [[f64; k]; n] {
    build(n, |i| smoothed(&m[i]))
}

/// The callee gets the caller's matrix with its strides, and contiguous weights with theirs.
#[smooth(strided(m), passes(inline = false))]
pub fn weighted_rows(m: &[[f64; k]; n]) -> [f64; k] {
    let w = build(n, |i| 1.0 / (1 + i) as f64);
    let below = &m[1..n];
    let last = weighted(below, &w[1..n]);
    let all = weighted(m, w);
    build(k, |j| all[j] - last[j])
}

/// Contiguous arrays for strided parameters.
#[smooth(passes(inline = false))]
pub fn passes_contiguous(t: &[[[f64; k]; n]; 2], w: &[f64; n]) -> [f64; k] {
    let first = weighted(&t[0], w);
    let doubled = build([n, k], |i, j| 2.0 * t[1][i][j]);
    let second = weighted(doubled, w);
    build(k, |j| first[j] + second[j])
}

/// A function from Rust takes contiguous rows.
#[smooth(strided(m))]
pub fn applied(f: impl Fn(&[f64; k]) -> f64, m: &[[f64; k]; n]) -> [f64; n] {
    build(n, |i| f(&m[i]))
}

/// A callee that changes its argument gets a copy.
#[smooth]
pub fn reversed_in_place(x: &mut [f64; n]) {
    for i in 0..n / 2 {
        x.swap(i, n - 1 - i);
    }
}

#[smooth(strided(m), passes(inline = false))]
pub fn reversed_row(m: &[[f64; k]; n]) -> [f64; k] {
    let mut row = m[n - 1].clone();
    reversed_in_place(&mut row);
    row
}

#[smooth(strided(m))]
pub fn trace<T: Number, const N: usize>(m: &[[T; N]; N]) -> T {
    sum(N, |i| m[i][i])
}

#[smooth(strided(x))]
pub fn first_three<const N: usize>(x: &[f64; N]) -> [f64; 3] {
    [x[0], x[1], x[2]]
}

#[smooth(strided(m), parallel)]
pub fn shared(m: &[[f64; k]; n]) -> [[f64; k]; n] {
    build([n, k], |i, j| (m[i][j] * 0.25).sin() + m[n - 1 - i][j])
}

#[smooth(strided(m), checks = "all")]
pub fn checked(m: &[[f64; k]; n], i: usize) -> [f64; k] {
    build(k, |j| m[i][j] + m[0][j])
}

#[smooth(strided(m), float = "fast")]
pub fn fast(m: &[[f64; k]; n], x: &[f64; k]) -> [f64; n] {
    build(n, |i| sum(k, |j| m[i][j] * x[j]))
}
