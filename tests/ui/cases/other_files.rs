//! Calls of functions of other files and modules.

mod away;
mod inside {
    use smooth::prelude::*;

    #[smooth]
    pub fn twice(x: f64) -> f64 {
        x + x
    }
}

use away::imported;
use smooth::prelude::*;

#[smooth]
fn by_path(x: f64) -> f64 {
    away::ordinary(x)
}

#[smooth]
fn by_import(x: f64) -> f64 {
    imported(x)
}

#[smooth]
fn not_imported(x: f64) -> f64 {
    twice(x) + kernel(x)
}

#[smooth]
fn nowhere(x: f64) -> f64 {
    away::kernle(x) + inside::twise(x)
}

#[smooth]
fn right(x: f64) -> f64 {
    away::kernel(x) + inside::twice(x)
}

fn main() {}
