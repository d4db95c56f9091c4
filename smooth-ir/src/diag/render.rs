//! Diagnostics as text with carets, for tests and tools. rustc renders the real ones.

use super::Diags;
use proc_macro2::Span;
use std::fmt::Write;

/// Every diagnostic with the source line it points at.
pub fn render(diags: &Diags, source: &str) -> String {
    let mut out = String::new();
    for d in diags.iter() {
        let _ = writeln!(out, "error: {}", d.message);
        place(&mut out, d.span, source);
        let _ = writeln!(out, "  = help: {} [{}]", d.way_out(), d.code.id);
        for (span, text) in d.notes() {
            let _ = writeln!(out, "error: {text}");
            place(&mut out, span, source);
        }
    }
    out
}

/// The source line of a span, with carets below it.
fn place(out: &mut String, span: (Span, Span), source: &str) {
    let (from, to) = (span.0.start(), span.1.end());
    let line = source.lines().nth(from.line.saturating_sub(1)).unwrap_or("");
    let end = if to.line == from.line { to.column } else { line.chars().count() };
    let width = end.saturating_sub(from.column).max(1);
    let _ = writeln!(out, "  {} | {line}", from.line);
    let margin = " ".repeat(from.line.to_string().len());
    let _ = writeln!(out, "  {margin} | {}{}", " ".repeat(from.column), "^".repeat(width));
}
