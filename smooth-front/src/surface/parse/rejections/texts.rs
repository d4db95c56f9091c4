//! Literals of text: a kernel has numbers only.

use crate::mapped::Mapped;
use quote::ToTokens;

/// The way out for a literal of text.
pub(in crate::surface::parse) fn way_out(l: &syn::Lit) -> String {
    match l {
        syn::Lit::Char(c) => match byte(c.value()) {
            Some(byte) => format!("a kernel has no text: write `{byte}`, a number of type `u8`"),
            None => format!("a kernel has no text: write the number of the character, `{}`", u32::from(c.value())),
        },
        syn::Lit::ByteStr(s) => bytes(&s.to_token_stream().to_string(), &s.value()),
        syn::Lit::Str(s) => {
            let (value, literal) = (s.value(), s.to_token_stream());
            let mut chars = value.chars();
            match (chars.next().and_then(byte), chars.next()) {
                (Some(byte), None) => format!("a kernel has no text: write `{byte}`, a number of type `u8`"),
                _ if value.is_ascii() => {
                    format!("a kernel has no text, but numbers: {}", bytes(&format!("b{literal}"), value.as_bytes()))
                }
                _ => {
                    format!("a kernel has no text: take its bytes, `{literal}.as_bytes()`, as a parameter, `&[u8; n]`")
                }
            }
        }
        _ => "literals are `bool`s and numbers: pass a number".into(),
    }
}

/// The literal of a character as a byte, `b'a'`, if it is one.
fn byte(c: char) -> Option<String> {
    match c {
        ' '..='~' | '\t' | '\n' | '\r' => Some(format!("b'{}'", c.escape_default())),
        _ if c.is_ascii() => Some(format!("b'\\x{:02x}'", u32::from(c))),
        _ => None,
    }
}

/// Longer arrays are not shown.
const SHOWN: usize = 8;

/// The way out for `b"…"`.
fn bytes(literal: &str, value: &[u8]) -> String {
    let constant = format!("make it a constant outside of the kernel, `const BYTES: &[u8] = {literal};`");
    let elements: Vec<String> = value.iter().filter_map(|b| byte(char::from(*b))).collect_vec();
    if (1..=SHOWN).contains(&value.len()) && elements.len() == value.len() {
        format!("write the array `[{}]`, or {constant}", elements.join(", "))
    } else {
        constant
    }
}
