//! A library of kernels as a user would write it: under another name for the facade, with all lints denied, and with
//! kernels for kernels of other crates.
#![deny(warnings, missing_docs, unsafe_code, rust_2018_idioms, rust_2024_compatibility)]
#![deny(clippy::pedantic, clippy::nursery)]
#![allow(edition_2024_expr_fragment_specifier)] // `expr` has the meaning of this edition

pub mod functions;
pub mod generic;
pub mod layout;
pub mod sizes;
pub mod stamped;
pub mod tuples;

/// The facade under yet another name, for macros of this crate.
#[doc(hidden)]
pub use maths as again;

#[cfg(test)]
#[allow(clippy::float_cmp)]
mod tests {
    use maths::prelude::*;

    /// A kernel in a test, which can call private kernels of the crate.
    #[smooth(crate = maths)]
    fn shifted_dot(a: &[f64; 3]) -> f64 {
        let b = crate::stamped::shifted_by_five(a, 1.0);
        crate::generic::dot(&b, a)
    }

    /// The macro finds the name of the facade in the manifest.
    #[smooth]
    fn total(a: &[f64; n]) -> f64 {
        sum(n, |i| a[i])
    }

    #[smooth]
    fn mean(a: &[f64; n]) -> f64 {
        total(a) / n as f64
    }

    #[test]
    fn a_renamed_facade_is_found() {
        assert_eq!(mean(&[1.0, 2.0]), 1.5);
    }

    #[test]
    fn work() {
        assert_eq!(crate::stamped::shifted_by_five(&[1.0, 2.0, 3.0], 1.0), [6.0, 7.0, 8.0]);
        assert_eq!(shifted_dot(&[1.0, 0.0, 2.0]), 6.0 + 14.0);
    }
}
