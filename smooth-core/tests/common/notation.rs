//! Printed terms, to be compared with what a reader writes.

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
