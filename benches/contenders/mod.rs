//! The same four programs, implemented in four ways.

mod by_hand;
mod nalgebra;
mod ndarray;
mod smooth;

pub use by_hand::BY_HAND;
pub use nalgebra::NALGEBRA;
pub use ndarray::NDARRAY;
pub use smooth::SMOOTH;

/// `out = x + y + z`, with the vectors and the result in the form that suits the contender best.
pub trait Add3 {
    /// Computes the sum once.
    fn step(&mut self) -> &Vec<f64>;
}

/// Takes the three vectors.
pub type SetUp = fn(&[f64], &[f64], &[f64]) -> Box<dyn Add3>;

/// One way to write the programs.
pub struct Contender {
    /// Its name.
    pub name: &'static str,
    /// Sets `x + y + z` up; only [`Add3::step`] is timed.
    pub add3: SetUp,
    /// `a × b`.
    pub cross: fn(&[f64; 3], &[f64; 3]) -> [f64; 3],
    /// `|a + b|`.
    pub norm_of_sum: fn(&[f64], &[f64]) -> f64,
    /// A camera's projection of a point.
    pub project: fn(&[f64; 11], &[f64; 3]) -> [f64; 2],
}
