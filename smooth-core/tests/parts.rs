//! The parts of statements of L̃: each variable and each buffer that a statement has is in one of its parts, and in one only.

mod common;

use common::files::{NUMBERS, WORKLOADS, kernels};
use common::unit;
use smooth_core::loops::visit::Part;
use smooth_core::loops::{Function, Stmt};
use smooth_core::options::Options;
use std::collections::BTreeSet;

/// Kernels with statements that do not occur in the workloads and the library.
const OTHERS: &str = "
#[smooth] fn smoothed(u: &[f64; n], steps: usize) -> [f64; n] {
    ifold(steps, u.clone(), |v, _| build(n, |i| 0.5 * (v[i] + v[n - 1 - i])))
}
#[smooth] fn settled(u: &[f64; n], steps: usize) -> [[f64; n]; steps] {
    scan(steps, u.clone(), |u, _| ifold(3, u.clone(), |v, _| build(n, |i| 0.5 * (v[i] + v[n - 1 - i]))))
}
#[smooth] fn shared(m: &[[f64; k]; n]) -> [f64; n] { build(n, |i| sum(k, |j| m[i][j].exp())) }
#[smooth] fn part(a: &[f64; n], s: usize, e: usize) -> [f64; e - s] { a[s..e].to_vec() }
#[smooth] fn picked(a: &[f64; n], at: &[usize; k]) -> [f64; k] { build(k, |i| a[at[i]]) }
#[smooth] fn last(a: &[(f64, f64); n]) -> (f64, f64) { reduce(n, (1.0, 0.0), |x, y| (x.0 * y.0, x.1 * y.0 + y.1), |i| a[i]) }";

/// The variables and buffers in the text that `derive(Debug)` makes: no field is left out of it.
fn occurrences(text: &str) -> usize {
    text.matches("VarId(").count() + text.matches("BufferId(").count()
}

/// Compares a statement, and those inside it, with their parts. Adds their kinds to `kinds`.
fn compared(s: &Stmt, kinds: &mut BTreeSet<String>) {
    let whole = format!("{s:?}");
    let mut parts = 0;
    s.each_part(&mut |p| {
        parts += match p {
            Part::Block(b, _) => occurrences(&format!("{b:?}")),
            p => occurrences(&format!("{p:?}")),
        };
        if let Part::Block(b, _) = p {
            b.iter().for_each(|s| compared(s, kinds));
        }
    });
    // The name of the original loop of a `spread` is only in remarks.
    let about = usize::from(matches!(s, Stmt::Spread(_)));
    assert_eq!(parts + about, occurrences(&whole), "{whole}");
    kinds.insert(whole.split(['(', ' ', '{']).next().unwrap_or_default().to_string());
}

#[test]
fn the_parts_of_statements_are_all_there_is() {
    let parallel = Options { parallel: Some(4), ..Options::default() };
    let units =
        [kernels(&WORKLOADS, &[]), kernels(&NUMBERS, &[]), unit(OTHERS, &Options::default()), unit(OTHERS, &parallel)];
    let mut kinds = BTreeSet::new();
    for stages in units.iter().flat_map(|u| u.stages.values()) {
        let all = std::iter::once(&stages.loops).chain(&stages.wide);
        all.flat_map(|f: &Function| &f.body).for_each(|s| compared(s, &mut kinds));
    }
    let all = [
        "Assign",
        "Block",
        "Call",
        "Check",
        "CheckRange",
        "Copy",
        "For",
        "If",
        "Let",
        "Open",
        "Reduce",
        "Settle",
        "Spread",
        "Swap",
        "Turn",
        "Var",
        "While",
    ];
    assert_eq!(kinds, all.map(String::from).into(), "a kind of statement is missing here");
}
