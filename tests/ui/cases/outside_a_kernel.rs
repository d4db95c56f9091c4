//! Built-in functions outside of a kernel.

use smooth::builtins::{build, sum};

fn imported() -> f64 {
    let squares: [f64; 3] = build(3, |i| i as f64);
    sum(3, |i| squares[i])
}

fn not_imported() -> f64 {
    ifold(3, 0.0, |s, i| s + i as f64)
}

fn main() {}
