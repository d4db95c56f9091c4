//! Diagnostics as text with carets, for tests and tools. rustc renders the real ones.

use super::Diags;
use std::fmt::Write;

/// Every diagnostic with the source line it points at.
pub fn render(diags: &Diags, source: &str) -> String {
    let mut out = String::new();
    for d in diags.iter() {
        let (from, to) = (d.span.0.start(), d.span.1.end());
        let line = source.lines().nth(from.line.saturating_sub(1)).unwrap_or("");
        let end = if to.line == from.line { to.column } else { line.chars().count() };
        let width = end.saturating_sub(from.column).max(1);
        let _ = writeln!(out, "error: {}", d.message);
        let _ = writeln!(out, "  {} | {line}", from.line);
        let _ = writeln!(
            out,
            "  {} | {}{}",
            " ".repeat(from.line.to_string().len()),
            " ".repeat(from.column),
            "^".repeat(width)
        );
        let _ = writeln!(out, "  = help: {} [{}]", d.code.way_out, d.code.id);
    }
    out
}
