//! The programs, written with smooth: small kernels that call each other.
//!
//! Each file follows the mathematics of one benchmark of ADBench. [`crate::ba`], [`crate::gmm`], [`crate::hand`] and
//! [`crate::lstm`] describe the input files; [`crate::by_hand`] has the same programs as plain loops.

pub mod ba;
pub mod gmm;
pub mod hand;
pub mod lstm;
