//! Public kernels that use items which their callers cannot name: private and crate-wide kernels, private constants,
//! kernels defined later.
use smooth::prelude::*;

const GAIN: f64 = 3.0;

mod offsets {
    pub(super) const OFFSET: f64 = 0.5;
    pub(super) const COUNT: usize = 4;
}

/// `3 x + 0.5`, through a private and a crate-wide kernel that are defined below.
#[smooth]
pub fn affine(x: f64) -> f64 {
    scaled(x) + shifted(0.0)
}

#[smooth]
fn scaled(x: f64) -> f64 {
    GAIN * x
}

/// `x + 0.5`
#[smooth]
pub(crate) fn shifted(x: f64) -> f64 {
    x + self::offsets::OFFSET
}

/// [`affine`] of each element, by a path from the crate root.
#[smooth]
pub fn affine_all(x: &[f64; n]) -> [f64; n] {
    build(n, |i| crate::layers::affine(x[i]))
}

/// The sum of `x + i` for the first four `i`.
#[smooth]
pub fn first_steps(x: f64) -> f64 {
    sum(offsets::COUNT, |i| x + i as f64)
}

/// [`affine_all`] with its callee left as a call, which has to reach the private kernels that it calls in turn.
#[smooth(passes(inline = false))]
pub fn affine_called(x: &[f64; n]) -> [f64; n] {
    let y = build(n, |i| scaled(x[i]));
    build(n, |i| y[n - 1 - i] + shifted(0.0))
}

/// A child of this module.
pub mod below {
    use smooth::prelude::*;

    /// `2 affine(x)`, by a path from the parent module.
    #[smooth]
    pub fn affine_twice(x: f64) -> f64 {
        2.0 * super::affine(x)
    }
}
