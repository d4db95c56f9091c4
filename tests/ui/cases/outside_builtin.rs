//! A built-in function of kernels, called outside of a kernel.

use smooth::builtins::sum;

fn total(a: &[f64]) -> f64 {
    sum(a.len(), |i| a[i])
}

fn main() {
    total(&[1.0]);
}
