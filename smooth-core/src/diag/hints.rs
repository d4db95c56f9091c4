//! Ways out for names that people know from elsewhere, and names that are nearly right.

use crate::prim::{Prim, Spelling};

/// What to write for a function that the language does not have: the names of other libraries and of plain Rust.
const FUNCTIONS: &[(&[&str], &str)] = &[
    (
        &["max", "min"],
        "the larger of two numbers is `a.max(b)`; that of an array is `max(a.len(), |i| a[i])`, and so for `min`",
    ),
    (&["pow"], "write `x.powi(2)` for a whole exponent, `x.powf(y)` for any, and `k.pow(2)` for integers"),
    (&["log"], "write `x.ln()`, `x.log2()` or `x.log10()`"),
    (&["zeros"], "write `[0.0; n]`"),
    (&["ones"], "write `[1.0; n]`"),
    (&["full"], "write `[x; n]`"),
    (&["range", "arange", "linspace"], "write `build(n, |i| start + step * i as f64)`"),
    (&["map"], "write `build(a.len(), |i| …)` with `a[i]` in the place of the element"),
    (&["fold"], "write `ifold(n, start, |state, i| …)`"),
    (&["dot"], "write `sum(a.len(), |i| a[i] * b[i])`, or call `smooth::linalg::vector_dot`"),
    (&["norm"], "call `smooth::linalg::vector_norm`"),
    (&["matmul"], "call `smooth::linalg::matrix_mul`"),
    (&["transpose"], "call `smooth::linalg::matrix_transpose`"),
    (&["len"], "write `a.len()`"),
    (&["mean"], "write `sum(a.len(), |i| a[i]) / a.len() as f64`"),
    (&["swap"], "write `(a, b) = (b, a)`, or `a.swap(i, j)` for two elements of one array"),
];

/// What to write for a function that Rust has and kernels have not, or for the method that a function is here.
pub fn function(name: &str) -> Option<String> {
    let row = FUNCTIONS.iter().find(|(names, _)| names.contains(&name));
    let method = || Prim::find(Spelling::Method, name);
    row.map(|(_, way)| way.to_string()).or_else(|| {
        let args = if method()?.arity() > 1 { "y" } else { "" };
        Some(format!("it is a method: write `x.{name}({args})`"))
    })
}

/// What to write for an associated function or a constructor: `Vec::new`, `Some`.
pub fn constructor(path: &str) -> Option<String> {
    let (ty, function) = path.rsplit_once("::").unwrap_or((path, ""));
    let way = match (ty, function) {
        ("Vec", _) => "arrays have a size: write `[0.0; n]`, or `build(n, |i| …)`",
        ("Some" | "Ok" | "Err", _) => {
            "a kernel has no `Option` and no `Result`: return a number and a `bool`, as in `(x, true)`"
        }
        ("i8" | "i16" | "i32" | "i64" | "i128" | "isize" | "u8" | "u16" | "u32" | "u64" | "u128" | "usize", "from") => {
            return Some(format!("write `x as {ty}`"));
        }
        _ => return None,
    };
    Some(way.to_string())
}

/// The candidate that is nearest to a name, unless all are far from it.
pub fn nearest<'a>(name: &str, candidates: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let (distance, best) = candidates.map(|c| (distance(c, name), c)).min()?;
    (distance <= 1 + name.len() / 4 && distance < name.len()).then_some(best)
}

/// Levenshtein's distance, in which a swap of neighbours counts as one change.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut rows = vec![(0..=b.len()).collect::<Vec<usize>>()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let changed = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
            let mut least = changed.min(rows[i - 1][j] + 1).min(row[j - 1] + 1);
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                least = least.min(rows[i - 2][j - 2] + 1);
            }
            row.push(least);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}
