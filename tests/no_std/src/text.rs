//! Errors as text, without a `String`.
use core::fmt::{self, Write};
use smooth::ShapeError;

/// A writer that keeps one byte of the text.
struct Byte {
    skip: usize,
    found: u8,
}

impl Write for Byte {
    fn write_str(&mut self, s: &str) -> fmt::Result {
        if self.found == 0 {
            self.found = s.as_bytes().get(self.skip).copied().unwrap_or(0);
            self.skip = self.skip.saturating_sub(s.len());
        }
        Ok(())
    }
}

/// Byte `at` of the error's text; 0 at its end, and if there is no error.
pub fn byte(result: Result<(), ShapeError>, at: usize) -> u8 {
    let mut byte = Byte { skip: at, found: 0 };
    match result {
        Ok(()) => 0,
        Err(e) => write!(byte, "{e}").map_or(0, |()| byte.found),
    }
}
