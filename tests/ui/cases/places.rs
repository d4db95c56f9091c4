//! Functions that cannot be kernels where they stand, and sizes in upper case.

use smooth::prelude::*;

struct Filter(f64);

impl Filter {
    #[smooth]
    fn associated(a: &[f64; n]) -> f64 {
        sum(n, |i| a[i])
    }

    #[smooth]
    pub fn method(&self, a: &[f64; n]) -> f64 {
        sum(n, |i| a[i])
    }

    fn plain(&self) -> f64 {
        self.0
    }
}

trait Model {
    #[smooth]
    fn default(x: f64) -> f64 {
        x
    }
}

mod filters {}

#[smooth]
fn filters(x: f64) -> f64 {
    x
}

#[smooth]
fn upper(a: &[[f64; K]; N], b: &[f64; WIDTH]) -> [f64; N] {
    build(N, |i| sum(K, |j| a[i][j]) + b[0])
}

const WIDTH: usize = 3;

fn main() {
    upper(&[[1.0]], &[0.0; 3]);
    Filter(1.0).plain();
}
