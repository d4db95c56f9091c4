//! A library of kernels as a user would write it: the library has another name here, all is as strict as it can be,
//! and kernels are there for kernels of other crates.
#![deny(warnings, missing_docs, unsafe_code, rust_2018_idioms, rust_2024_compatibility)]
#![allow(edition_2024_expr_fragment_specifier)] // `expr` means what it means here

pub mod functions;
pub mod generic;
pub mod layout;
pub mod sizes;
pub mod stamped;
pub mod tuples;

/// The library under yet another name, for macros of this crate.
#[doc(hidden)]
pub use maths as again;
