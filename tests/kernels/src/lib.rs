//! Kernels that the tests use from another crate.
#![deny(warnings, missing_docs, unsafe_code)]

pub mod derivatives;
pub mod layers;
pub mod linalg;
pub mod long;
pub mod probed;
pub mod stamped;
pub mod tables;

mod hidden {
    use smooth::prelude::*;

    /// `2 x`, public in a private module: reachable only through the re-export.
    #[smooth]
    pub fn doubled(x: &[f64; n]) -> [f64; n] {
        build(n, |i| 2.0 * x[i])
    }
}

pub use hidden::doubled;
/// That kernel under a second name.
pub use hidden::doubled as twice;

#[cfg(test)]
mod tests {
    use super::*;
    use smooth::prelude::*;

    #[smooth]
    fn fourfold(x: &[f64; n]) -> [f64; n] {
        doubled(&twice(x))
    }

    #[test]
    fn unit_tests_have_kernels_of_their_own() {
        assert_eq!(fourfold(&[1.0, 2.5]), [4.0, 10.0]);
    }
}
