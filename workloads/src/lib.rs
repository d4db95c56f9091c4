//! The workloads that smooth is measured on: their data, readers, and baselines written by hand.
//!
//! So far bundle adjustment: [`ba`] reads ADBench's files, [`by_hand`] has what a generated kernel
//! is compared with, [`stats`] summarises residuals.
//!
//! ```
//! use smooth_workloads::{ba::Problem, by_hand, data, stats::Residuals};
//!
//! let problem = Problem::read(&data("ba/test.txt"))?;
//! let residuals = Residuals::of(problem.reprojection_errors(by_hand::project)).unwrap();
//! assert_eq!(residuals.count, 10);
//! assert!((residuals.sum_of_squares - 1.39958578515181).abs() < 1e-10);
//! # Ok::<_, smooth_workloads::ba::ReadError>(())
//! ```
//!
//! Nothing here uses smooth itself, so that the two can be held against each other.
#![deny(missing_docs)]

use std::path::{Path, PathBuf};

pub mod ba;
pub mod by_hand;
pub mod stats;

/// The path of a file in this crate's `data` folder, such as `"ba/test.txt"`.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name)
}
