//! The programs, written with smooth: small kernels that call each other.
//!
//! Each file follows the mathematics of one benchmark of ADBench. What is read from a file and how is told in
//! [`crate::ba`], [`crate::gmm`], [`crate::hand`] and [`crate::lstm`]; the same programs as plain loops are in
//! [`crate::by_hand`].

pub mod ba;
pub mod gmm;
pub mod hand;
pub mod lstm;
