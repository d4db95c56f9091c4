//! Paths into modules that do not exist.

use smooth::prelude::*;

mod utilities {
    use smooth::prelude::*;

    #[smooth]
    pub fn kernel(x: f64) -> f64 {
        x
    }
}

#[smooth]
fn nowhere(x: f64) -> f64 {
    foo::bar(x)
}

#[smooth]
fn misspelt(x: f64) -> f64 {
    utilites::kernel(x) + crate::deep::inside::kernel(x)
}

fn main() {}
