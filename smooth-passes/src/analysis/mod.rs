//! The questions that passes ask before they change a kernel: how are variables used, which terms are equal, how
//! much does a term cost?
//!
//! Nothing here rewrites a term.

pub(crate) mod cost;
pub(crate) mod reads;
pub(crate) mod terms;
mod total;
pub(crate) mod uses;
pub(crate) mod value_numbers;
pub(crate) mod versions;
