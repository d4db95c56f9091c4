//! The sizes of a kernel: of its arguments and results, the checks at entry, and the bytes that a call takes from an arena.

use super::taken;
use crate::mapped::{Mapped, PushAll};
use crate::name::Names;
use crate::pipeline::Stages;
use crate::shape::card::Card;
use crate::shape::print::{card, companion};
use crate::shape::{Param, ParamKind};

/// `a [n, k], b [k]; the result [n]`, and a line for each check.
pub(super) fn sizes(s: &Stages) -> String {
    let (params, k, names) = (&s.stored.interface.params, &s.companion, &s.elaborated.kernel.names);
    let arrays = params.iter().filter(|p| matches!(p.kind, ParamKind::Array(..)));
    let takes: Vec<String> = arrays.map(|p| param(p, names)).collect_vec();
    let changed = params.iter().filter(|p| p.in_out);
    let mut gives: Vec<String> = vec![];
    let own = k.results(params);
    for (leaf, by_columns) in k.result[..own].iter().zip(&k.column_major) {
        let mut extents = leaf.clone();
        if *by_columns {
            extents.reverse();
        }
        gives.push(if extents.is_empty() { "a number".into() } else { list(&extents, names) });
    }
    gives.push_all(changed.map(|p| format!("the last `{}`", p.name)));
    let takes = if takes.is_empty() { "numbers alone".into() } else { takes.join(", ") };
    let text = companion(params, k, names);
    let checks = text.lines().filter_map(|line| line.strip_prefix("  check "));
    let mut lines = vec![format!("{takes}; the result: {}", gives.join(", "))];
    lines.push_all(checks.map(|c| format!("checked at entry: {c}")));
    lines.push(format!("scratch bytes: {}", taken(&k.frame, names)));
    lines.join("\n")
}

/// The axes of a parameter, as they are written.
fn param(p: &Param, names: &Names) -> String {
    let extents = (0..p.dims().len()).mapped(|axis| p.extent(p.logical(axis)));
    format!("{} {}", p.name, list(&extents, names))
}

fn list(extents: &[Card], names: &Names) -> String {
    format!("[{}]", extents.iter().mapped(|n| card(n, names)).join(", "))
}
