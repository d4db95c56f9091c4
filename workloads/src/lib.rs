//! The workloads on which smooth is measured: data, readers, kernels, and hand-written baselines.
//!
//! | program | its kernels | reads ADBench's files | by hand |
//! |---|---|---|---|
//! | bundle adjustment | [`project`], [`kernels::ba`] | [`ba`] | [`by_hand`] |
//! | Gaussian mixture model | [`kernels::gmm`] | [`gmm`] | [`by_hand::gmm`] |
//! | hand tracking | [`kernels::hand`] | [`hand`] | [`by_hand::hand`] |
//! | LSTM | [`kernels::lstm`] | [`lstm`] | [`by_hand::lstm`] |
//!
//! [`scene`] makes a problem for bundle adjustment whose solution is known; [`stats`] summarises residuals. The small and medium instances are in the crate's `data` folder; the large ones are in
//! ADBench, and the example `workloads` takes their paths.
//!
//! ```
//! use smooth_workloads::{ba::Problem, data, project::project, stats::Residuals};
//!
//! let problem = Problem::read(&data("ba/test.txt"))?;
//! let residuals = Residuals::of(problem.reprojection_errors(project)).unwrap();
//! assert_eq!(residuals.count, 10);
//! assert!((residuals.sum_of_squares - 1.39958578515181).abs() < 1e-10);
//! # Ok::<_, smooth_workloads::ReadError>(())
//! ```
//!
//! Only [`project`] and [`kernels`] are kernels; the other code is plain Rust, to compare them with.
#![deny(missing_docs)]

use std::path::{Path, PathBuf};

pub mod ba;
pub mod by_hand;
pub mod gmm;
pub mod hand;
pub mod kernels;
pub mod lstm;
pub mod project;
mod read;
pub mod scene;
pub mod stats;

pub use read::ReadError;

/// The path of a file in this crate's `data` folder, such as `"ba/test.txt"`.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("data").join(name)
}
