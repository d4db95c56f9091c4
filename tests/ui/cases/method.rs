//! A kernel is a free function: neither `self` nor an `impl` block.

use smooth::prelude::*;

struct Model;

impl Model {
    #[smooth]
    fn method(&self, x: f64) -> f64 {
        x
    }

    #[smooth]
    fn associated(x: f64) -> f64 {
        x
    }
}

trait Kernel {
    #[smooth]
    fn required(x: f64) -> f64;
}

#[smooth]
fn free(self, x: f64) -> f64 {
    x
}

fn main() {}
