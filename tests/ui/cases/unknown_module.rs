//! A path that rustc does not find: its error comes first, and ours says what a kernel may call.

use smooth::prelude::*;

#[smooth]
fn f(x: f64) -> f64 {
    utils::kernel(x)
}

fn main() {}
