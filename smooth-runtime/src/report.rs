//! The output of `dbg!` in kernels, and a `Debug` of arrays without an allocator.
use core::fmt::{self, Debug};

/// `n` rows as a list. In a row of numbers each number is a row.
pub fn rows<D: Debug>(n: usize, row: impl Fn(usize) -> D) -> impl Debug {
    fmt::from_fn(move |f| f.debug_list().entries((0..n).map(&row)).finish())
}

/// Prints a value as `dbg!` of std does. Without std nothing is printed.
#[allow(unused_variables, clippy::print_stderr)]
pub fn print_value(file: &str, line: u32, column: u32, text: &str, value: &dyn Debug) {
    #[cfg(feature = "std")]
    std::eprintln!("[{file}:{line}:{column}] {text} = {value:#?}");
}

/// Prints a place, as `dbg!()` does.
#[allow(unused_variables, clippy::print_stderr)]
pub fn print_place(file: &str, line: u32, column: u32) {
    #[cfg(feature = "std")]
    std::eprintln!("[{file}:{line}:{column}]");
}
