//! The text of an error, built without an allocator and also in constant evaluation.
use core::fmt;

/// Longer texts are truncated. Names are short, so only an adversarial one reaches this limit.
const CAPACITY: usize = 320;

/// A short text in an inline buffer, truncated at a character boundary if it does not fit.
#[doc(hidden)]
#[derive(Clone, Copy)]
pub struct Message {
    bytes: [u8; CAPACITY],
    len: usize,
    /// The text was truncated, so that nothing may be appended any more.
    cut: bool,
}

impl Message {
    pub(crate) const fn new() -> Self {
        Message { bytes: [0; CAPACITY], len: 0, cut: false }
    }

    pub(crate) const fn push_str(mut self, text: &str) -> Self {
        if self.cut {
            return self;
        }
        let fits = text.floor_char_boundary(CAPACITY - self.len);
        self.cut = fits < text.len();
        let mut i = 0;
        while i < fits {
            self.bytes[self.len + i] = text.as_bytes()[i];
            i += 1;
        }
        self.len += fits;
        self
    }

    pub(crate) const fn push_usize(self, value: usize) -> Self {
        self.push_i128(value as i128)
    }

    pub(crate) const fn push_i128(self, value: i128) -> Self {
        let mut digits = [0; 40]; // a sign and the 39 digits of 2^127
        let mut start = digits.len();
        let mut rest = value.unsigned_abs();
        loop {
            start -= 1;
            digits[start] = b'0' + (rest % 10) as u8;
            rest /= 10;
            if rest == 0 {
                break;
            }
        }
        if value < 0 {
            start -= 1;
            digits[start] = b'-';
        }
        self.push_str(text(digits.split_at(start).1))
    }

    /// The text.
    pub const fn as_str(&self) -> &str {
        text(self.bytes.split_at(self.len).0)
    }
}

/// The text of bytes that are whole characters.
const fn text(bytes: &[u8]) -> &str {
    match core::str::from_utf8(bytes) {
        Ok(text) => text,
        Err(_) => unreachable!(),
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_are_written_in_full() {
        let text = Message::new().push_i128(i128::MIN).push_str(" ").push_i128(0).push_usize(7);
        assert_eq!(text.as_str(), "-170141183460469231731687303715884105728 07");
    }

    #[test]
    fn a_long_text_is_truncated_at_a_character_boundary() {
        let text = (0..CAPACITY).fold(Message::new(), |text, _| text.push_str("aä"));
        assert_eq!(text.as_str().len(), CAPACITY - CAPACITY % 3 + 1);
        assert!(text.as_str().ends_with("äa"));
        assert_eq!(text.push_str("b").as_str(), text.as_str());
    }
}
