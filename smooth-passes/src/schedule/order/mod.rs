//! The order of iterations: which may run in any, and which loop is inside of which.

mod copies;
mod forwards;
mod gain;
pub(super) mod independent;
pub(super) mod interchange;
mod read_once;
mod short_sums;
pub(super) mod speculate;
mod substitute;
mod version;
mod write_out;
