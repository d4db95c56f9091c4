//! Derivatives of kernels, as kernels.

pub mod partials;
