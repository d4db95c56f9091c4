use smooth::prelude::*;

pub fn ordinary(x: f64) -> f64 {
    x
}

pub fn imported(x: f64) -> f64 {
    x
}

#[smooth]
pub fn kernel(x: f64) -> f64 {
    x
}
