//! The workloads that smooth is measured on: their data, readers, and baselines written by hand.
//!
//! So far bundle adjustment: [`project`] has the kernels, [`ba`] reads ADBench's files, [`by_hand`] has
//! what the generated kernels are compared with, [`stats`] summarises residuals.
//!
//! ```
//! use smooth_workloads::{ba::Problem, data, project::project, stats::Residuals};
//!
//! let problem = Problem::read(&data("ba/test.txt"))?;
//! let residuals = Residuals::of(problem.reprojection_errors(project)).unwrap();
//! assert_eq!(residuals.count, 10);
//! assert!((residuals.sum_of_squares - 1.39958578515181).abs() < 1e-10);
//! # Ok::<_, smooth_workloads::ba::ReadError>(())
//! ```
//!
//! Only [`project`] uses smooth, so that the two can be held against each other.
#![deny(missing_docs)]

use std::path::{Path, PathBuf};

pub mod ba;
pub mod by_hand;
pub mod project;
pub mod stats;

/// The path of a file in this crate's `data` folder, such as `"ba/test.txt"`.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name)
}
