//! What passes ask before they change a kernel: how variables are used, which terms are equal, what a term costs.
//!
//! Nothing in here rewrites a term.

pub(crate) mod cost;
pub(crate) mod terms;
pub(crate) mod uses;
pub(crate) mod value_numbers;
