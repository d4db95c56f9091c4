//! The documentation that the macro adds does not hide that there is none of the user's own.
#![deny(missing_docs)]

use smooth::prelude::*;

/// Documented.
#[smooth]
pub fn total(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i])
}

#[smooth]
pub fn undocumented(a: &[f64; n]) -> f64 {
    total(a)
}

fn main() {}
