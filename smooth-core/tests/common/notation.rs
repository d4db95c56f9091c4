//! Terms as text: kernels that a test reads, and printed terms that it compares with the expected text.
#![allow(dead_code, reason = "each test takes what it needs")]

use smooth_core::fsmooth::{Kernel, parse, print};
use smooth_core::lex::Cursor;
use smooth_core::span::Origin;

/// The kernel with this head and this body.
pub fn kernel(head: &str, body: &str) -> Kernel {
    parse::kernel(&mut Cursor::new(&format!("{head}{body}")), Origin::default())
        .unwrap_or_else(|e| panic!("{body}: {e}"))
}

/// The body of a kernel, its variables without their numbers.
pub fn shown(k: &Kernel) -> String {
    numberless(&print::flat(&k.body, &k.names))
}

/// A text with variables instead of `variable_number`.
pub fn numberless(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(i) = rest.find('_') {
        let after = &rest[i + 1..];
        let digits = after.trim_start_matches(|c: char| c.is_ascii_digit());
        out += &rest[..i + usize::from(digits.len() == after.len())];
        rest = digits;
    }
    out + rest
}

/// A term that a test writes on several lines, on one.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
