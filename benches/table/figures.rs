//! Times that the transformations of loops were expected to reach without wide registers.
//!
//! Each transformation was made by hand on the code that the compiler emitted for these programs before it had any, on a CPU
//! of the same kind (Zen 4): SSE2, no fused multiply-add. Elementary functions are std's, except for the sines, which were
//! polynomials in that measurement as well. The Mandelbrot set had other sizes in it.

use super::report::Times;
use super::row::{BASE, PLAIN, SMOOTH};
use std::fmt::Write as _;

/// A row's time in nanoseconds, and plain Rust's in the same measurement.
const FIGURES: &[(&str, f64, f64)] = &[
    ("add3 into, n = 100", 24.7, 24.6),
    ("add3 new, n = 100", 32.0, 38.8),
    ("cross", 1.4, 1.78),
    ("project", 22.3, 26.2),
    ("gmm, d = 2, K = 5, n = 1000", 27_000.0, 81_400.0),
    ("gmm, d = 10, K = 25, n = 1000", 354_000.0, 1_525_000.0),
    ("hand, 22 × 544", 23_500.0, 33_300.0),
    ("matmul 4", 6.5, 7.84),
    ("matmul 16", 939.0, 1_156.0),
    ("matmul 64", 40_000.0, 45_700.0),
    ("matmul 256", 2_250_000.0, 2_770_000.0),
    ("matmul 512", 21_960_000.0, 23_500_000.0),
    ("norm of a sum, n = 1000", 219.0, 796.0),
    ("norm of a sum, n = 1000000", 231_000.0, 828_000.0),
    ("heat, 512 × 512, 60 steps", 14_100_000.0, 42_400_000.0),
    ("paths, 100 × 100 000", 3_650_000.0, 8_790_000.0),
    ("mri-q, 2048 × 2048", 24_900_000.0, 123_900_000.0),
    ("7-point stencil, 128³", 1_960_000.0, 3_220_000.0),
    ("histogram, 10⁶ into 256", 378_000.0, 474_000.0),
    ("softmax, 1024 × 256", 1_253_000.0, 1_169_000.0),
    ("perceptron, 64 × 784-128-10", 1_030_000.0, 5_055_000.0),
];

/// The rows against their figures: times, and multiples of plain Rust's times.
pub fn compared(rows: &[Times]) -> String {
    let mut out = format!(
        "| | {SMOOTH} / {BASE} | {SMOOTH} / {PLAIN} | figure / {PLAIN} | {SMOOTH} / figure | of these ratios |"
    );
    out += "\n|---|---:|---:|---:|---:|---:|";
    for row in rows {
        let Some((_, figure, plain)) = FIGURES.iter().find(|(name, ..)| *name == row.name) else { continue };
        let Some(time) = row.time(SMOOTH) else { continue };
        let to = |who| row.time(who).map_or(f64::NAN, |t| time / t);
        let (to_plain, figure_to_plain) = (to(PLAIN), figure / plain);
        let _ = write!(
            out,
            "\n| {} | {:.2} | {to_plain:.2} | {figure_to_plain:.2} | {:.2} | {:.2} |",
            row.name,
            to(BASE),
            time / figure,
            to_plain / figure_to_plain,
        );
    }
    out
}
