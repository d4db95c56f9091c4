//! The library of smooth apart from linear algebra, in its own language. The facade, `smooth-dsl`, exports it as
//! `smooth::array`, `smooth::sort` and so on: depend on that.
//!
//! It is a package of its own so that cargo compiles its kernels beside those of `smooth-linalg`.
#![no_std]
#![deny(missing_docs)]

// Expansions name the facade, which depends on this crate: the items that they use are here under the same names.
extern crate self as smooth;
use smooth_macros::__link;
use smooth_runtime::{__with_alloc, private as __private};

// And what they use in editors.
#[cfg(rust_analyzer)]
#[path = "../../src/shown.rs"]
mod __shown;
#[cfg(rust_analyzer)]
#[path = "../../src/builtins.rs"]
mod builtins;
#[cfg(rust_analyzer)]
use smooth_runtime::{Array, Scalar};

/// The items of `smooth::prelude` that kernels here use.
mod prelude {
    pub use smooth_macros::smooth;
    pub use smooth_runtime::{Number, Real, Scalar};
}

pub mod array;
pub mod convolution;
pub mod random;
pub mod scan;
pub mod sort;
pub mod statistics;
