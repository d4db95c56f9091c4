//! Public kernels that read constant arrays which their callers cannot name.
use smooth::prelude::*;

const WEIGHTS: [f64; 3] = [0.25, 0.5, 0.25];

mod private {
    const fn squares() -> [[u16; 2]; 3] {
        let mut all = [[0; 2]; 3];
        let mut i = 0;
        while i < 6 {
            all[i / 2][i % 2] = (i * i) as u16;
            i += 1;
        }
        all
    }

    /// `[[0, 1], [4, 9], [16, 25]]`
    pub(super) const SQUARES: [[u16; 2]; 3] = squares();
}

/// The primes below 10.
pub const PRIMES: [u64; 4] = [2, 3, 5, 7];

/// The weighted mean of an element and its neighbours.
#[smooth]
pub fn smoothed(a: &[f64; n]) -> [f64; n - 2] {
    build(n - 2, |i| sum(WEIGHTS.len(), |j| WEIGHTS[j] * a[i + j]))
}

/// The square of a number below 6, from a table.
#[smooth]
pub fn square(i: usize) -> u16 {
    private::SQUARES[i / 2][i % 2]
}

/// [`square`] of each element, by a call that stays one.
#[smooth(passes(inline = false))]
pub fn squares(a: &[usize; n]) -> [u16; n] {
    build(n, |i| square(a[i]))
}

/// Weights and marks.
pub const MARKS: [(f32, u8); 2] = [(0.5, 65), (1.5, 66)];

/// Slopes and offsets.
pub const GATES: &[(f64, f64)] = &[(2.0, 0.5), (-1.0, 0.25)];

mod hidden {
    pub(super) const STEPS: [(f64, (usize, f64)); 2] = [(2.0, (0, 1.0)), (3.0, (1, 1.0))];
    pub(super) static TENS: [(i16, f64); 3] = [(10, 1.0), (20, 2.0), (30, 3.0)];
}

/// A line by its number.
#[smooth]
pub fn gated(x: f64, i: usize) -> f64 {
    let (slope, (k, offset)) = hidden::STEPS[i];
    slope * x + offset * k as f64 - x
}

/// A part of a private table, by a call that stays one.
#[smooth(passes(inline = false))]
pub fn marked(i: usize) -> f64 {
    hidden::TENS[i].0 as f64
}
