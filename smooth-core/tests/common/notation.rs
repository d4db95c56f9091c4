//! Terms as text: kernels that a test reads, and printed terms to be compared with what its reader writes.

use smooth_core::fsmooth::{Kernel, parse, print};
use smooth_core::lex::Cursor;
use smooth_core::span::Origin;

/// The kernel with that head and that body.
pub fn kernel(head: &str, body: &str) -> Kernel {
    parse::kernel(&mut Cursor::new(&format!("{head}{body}")), Origin::default())
        .unwrap_or_else(|e| panic!("{body}: {e}"))
}

/// The body of a kernel, its variables without their numbers.
pub fn shown(k: &Kernel) -> String {
    numberless(&print::flat(&k.body, &k.names))
}

/// Variables without their numbers.
pub fn numberless(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(i) = rest.find('_') {
        out += &rest[..i];
        rest = rest[i + 1..].trim_start_matches(|c: char| c.is_ascii_digit());
    }
    out + rest
}
