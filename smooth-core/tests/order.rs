//! The order of iterations: which loops are independent, which texts become the same loops, and random nests of loops.

mod common;
#[path = "common/nests.rs"]
mod nests;
#[path = "common/net.rs"]
mod net;
#[path = "common/random.rs"]
mod random;

use common::unit;
use net::{Net, inputs};
use random::Rng;
use smooth_core::loops::{Block, For, Function, Order, Reason, Stmt, print};
use smooth_core::options::Options;
use smooth_core::pass::Switches;

/// Random nests in `cargo test`; `SMOOTH_PROGRAMS` asks for more.
const PROGRAMS: u64 = 150;

/// The loops of a kernel before those passes that make others of them.
fn loops(source: &str) -> String {
    let mut switches = Switches::all();
    for pass in ["tile", "block", "promote", "early_exits", "unroll_and_jam", "collapse"] {
        assert!(switches.set(pass, false));
    }
    let options = Options { switches, ..Options::default() };
    let unit = unit(&format!("#[smooth] {source}"), &options);
    let stages = unit.stages.values().next().expect("a kernel");
    print::function(&stages.loops)
}

/// The loops without the numbers and names of variables, in the order in which these occur.
fn shape(source: &str) -> String {
    let (text, mut seen, mut out) = (loops(source), vec![], String::new());
    let mut word = String::new();
    for c in text.lines().skip(1).collect::<Vec<_>>().join("\n").chars().chain(['\n']) {
        if c.is_alphanumeric() || c == '_' {
            word.push(c);
            continue;
        }
        if word.contains('_') {
            let name = seen.iter().position(|w| *w == word).unwrap_or(seen.len());
            if name == seen.len() {
                seen.push(word.clone());
            }
            out += &format!("v{name}");
        } else {
            out += &word;
        }
        word.clear();
        out.push(c);
    }
    out
}

const PRODUCT: &str = "(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n]";

#[test]
fn products_in_all_orders_are_the_same_loops() {
    let product = |loops: &str| {
        format!("fn f{PRODUCT} {{ let mut c = [[0.0; m]; n]; {loops} {{ c[i][j] += a[i][l] * b[l][j]; }} }} }} c }}")
    };
    let (i, j, l) = ("for i in 0..n", "for j in 0..m", "for l in 0..k");
    let same = [[i, l, j], [l, i, j], [l, j, i]].map(|[x, y, z]| shape(&product(&format!("{x} {{ {y} {{ {z} "))));
    assert_eq!((&same[0], &same[0]), (&same[1], &same[2]));
    let by_columns = [[j, l, i]].map(|[x, y, z]| shape(&product(&format!("{x} {{ {y} {{ {z} "))));
    for text in same.iter().chain(&by_columns) {
        assert_eq!(text.matches(" any").count(), 4, "{text}");
        assert!(text.contains("var "), "{text}");
    }
}

#[test]
fn loops_that_become_no_vectors_stay_as_they_are_written() {
    let text =
        shape("fn f(a: &[[i64; m]; k], c: &mut [i64; m]) { for l in 0..k { for j in 0..m { c[j] += a[l][j] % 7; } } }");
    let outer = text.lines().position(|l| l.trim_start().starts_with("for") && !l.contains(" any"));
    let inner = text.lines().position(|l| l.contains(" any"));
    assert!(outer < inner, "{text}");
}

#[test]
fn rows_as_states_are_sums_of_elements() {
    let rows = shape(&format!(
        "fn f{PRODUCT} {{ build(n, |i| ifold(k, [0.0; m], |row, l| build(m, |j| row[j] + a[i][l] * b[l][j]))) }}"
    ));
    assert_eq!(rows.matches(" any").count(), 2, "{rows}");
    assert!(rows.contains("var "), "{rows}");
    let by_columns = shape(
        "fn f(p: &[[f64; d]; n]) -> [[f64; n]; n] {
            build(n, |i| ifold(d, [0.0; n], |row, k| build(n, |j| row[j] + (p[i][k] - p[j][k]).powi(2))))
        }",
    );
    assert_eq!(by_columns.matches(" any").count(), 2, "{by_columns}");
}

/// Texts of a Gram matrix with ones on its diagonal, or on another line.
const CHOSEN: &[&str] = &[
    "build([m, m], |i, j| if i == j { 1.0 } else { sum(n, |l| x[i][l] * x[j][l]) })",
    "build([m, m], |i, j| if i != j { sum(n, |l| x[i][l] * x[j][l]) } else { 1.0 })",
    "build([m, m], |i, j| if !(i + 1 != j) { 1.0 } else { sum(n, |l| x[i][l] * x[j][l]) })",
    "build([m, m], |i, j| { let s = sum(n, |l| x[i][l] * x[j][l]); if i == j || j == 0 { 1.0 } else { s } })",
    "let g = build([m, m], |i, j| sum(n, |l| x[i][l] * x[j][l])); build([m, m], |i, j| if j == 3 { 1.0 } else { g[i][j] })",
    "let mut c = [[0.0; m]; m]; for i in 0..m { for j in 0..m { \
         if i == j { c[i][j] = 1.0; } else { for l in 0..n { c[i][j] += x[i][l] * x[j][l]; } } } } c",
    "let mut c = [[0.0; m]; m]; for i in 0..m { for j in 0..m { if i != j { \
         let mut s = 0.0; for l in 0..n { s += x[i][l] * x[j][l]; } c[i][j] = s; } else { c[i][j] = 1.0; } } } c",
    "let c = build([m, n], |i, l| x[i][l] - sum(n, |k| x[i][k])); \
         build([m, m], |i, j| if i == j { 1.0 } else { sum(n, |l| c[i][l] * c[j][l]) })",
];

/// Loops that run as seldom as they are written: skipped by more than one index, with a check, or of what the loop writes.
const NOT_CHOSEN: &[&str] = &[
    "build([m, m], |i, j| if j <= i { 1.0 } else { sum(n, |l| x[i][l] * x[j][l]) })",
    "build([m, m], |i, j| if i == j { sum(n, |l| x[i][l] * x[j][l]) } else { 1.0 })",
    "build([m, m], |i, j| if x[i][0] == 0.5 { 1.0 } else { sum(n, |l| x[i][l] * x[j][l]) })",
    "build([m, m], |i, j| if j == 0 { 1.0 } else { sum(n, |l| x[i][l] * x[j - 1][l]) })",
    "build([m, m], |i, j| if j == 0 { 1.0 } else { sum(j - 1, |l| x[i][0] * x[j][0]) })",
    "let mut c = [[0.0; m]; m]; for i in 0..m { for j in 0..m { \
         if i == j { c[i][j] += 1.0; } else { for l in 0..n { c[i][j] += x[i][l] * x[j][l]; } } } } c",
];

#[test]
fn loops_that_an_index_seldom_skips_run_always() {
    for (text, chosen) in CHOSEN.iter().map(|t| (t, true)).chain(NOT_CHOSEN.iter().map(|t| (t, false))) {
        let source = format!("#[smooth] fn f(x: &[[f64; n]; m]) -> [[f64; m]; m] {{ {text} }}");
        let unit = unit(&source, &Options::default());
        let f = &unit.stages["f"].loops;
        let found = |pass: &str| f.schedule.remarks.iter().any(|r| r.pass.name() == pass && r.left.is_none());
        assert_eq!(found("speculate"), chosen, "{text}\n{}", print::function(f));
        assert!(!chosen || found("tile"), "{text}\n{}", print::function(f));
    }
}

/// Kernels whose loops are all independent, but for as many as the number says.
const INDEPENDENT: &[(usize, &str)] = &[
    (
        1,
        "fn f(x: &[[f64; m]; n]) -> [[f64; m]; n + 1] { let mut o = [[0.0; m]; n + 1]; for j in 0..m { for i in 0..n { o[i + 1][j] = o[i][j] + x[i][j]; } } o }",
    ),
    (
        0,
        "fn f(a: &[f64; n]) -> [f64; 2 * n] { let mut o = [0.0; 2 * n]; for i in 0..n { o[2 * i] = a[i]; o[2 * i + 1] = -a[i]; } o }",
    ),
    (0, "fn f(a: &[f64; n], b: &mut [f64; n]) { for i in (0..n).rev() { b[i] = b[i] + a[i]; } }"),
    (
        0,
        "fn f(a: &[[f64; m]; n]) -> [[f64; m]; n] { let mut o = [[0.0; m]; n]; \
         for i in 0..n { let mut t = [0.0; m]; for j in 0..m { t[j] = a[i][j] * 2.0; } for j in 0..m { o[i][m - 1 - j] = t[j] + t[0]; } } o }",
    ),
    (
        2,
        "fn f(a: &[[f64; w]; h], k: &[[f64; v]; u]) -> [[f64; w - v + 1]; h - u + 1] { let mut o = [[0.0; w - v + 1]; h - u + 1]; \
         for r in 0..u { for c in 0..v { for i in 0..h - u + 1 { for j in 0..w - v + 1 { o[i][j] += k[r][c] * a[i + r][j + c]; } } } } o }",
    ),
    (
        1,
        "fn f(a: &[[f64; n]; m]) -> ([f64; n], [f64; n]) { let mut s = [0.0; n]; let mut q = [0.0; n]; \
         for i in 0..m { for j in 0..n { s[j] += a[i][j]; q[j] += a[i][j] * a[i][j]; } } (s, q) }",
    ),
    (
        0,
        "fn f(a: &[f64; n]) -> [[f64; 3]; n] { let mut o = [[0.0; 3]; n]; for i in 0..n { if a[i] > 0.0 { o[i][0] = a[i]; } else { o[i][2] = 1.0; } } o }",
    ),
    (0, "fn f(o: &mut [[f64; n]; 2]) { for j in 0..n { o[1][j] += o[0][j]; } }"),
    (
        1,
        "fn f(m: &mut [[f64; n]; n], k: usize, e: usize) { for i in e..n { for j in e..n { for l in k..e { m[i][j] -= m[i][l] * m[l][j]; } } } }",
    ),
    (
        2,
        "fn f(m: &mut [[f64; n]; n]) { for k in (0..n).step_by(8) { let e = (k + 8).min(n); \
         for i in e..n { for j in e..n { for l in k..e { m[i][j] -= m[i][l] * m[l][j]; } } } } }",
    ),
    (
        2,
        "fn f(u: &mut [[f64; n]; n]) { for k in (0..n).step_by(8) { let e = (k + 8).min(n); for b in (e..n).step_by(32) { \
         for i in b..(b + 32).min(n) { for j in b..n { for l in k..e { u[i][j] -= u[l][i] * u[l][j]; } } } } } }",
    ),
    (
        1,
        "fn f(m: &mut [[f64; n]; n]) { for c in 0..n { for i in c + 1..n { m[i][c] /= m[c][c]; for j in c + 1..n { m[i][j] -= m[i][c] * m[c][j]; } } } }",
    ),
    (
        1,
        "fn f(m: &mut [[f64; n]; n], x: &mut [f64; n]) { for c in 0..n { for i in c + 1..n { x[i] -= m[i][c] * x[c]; } } }",
    ),
    (
        1,
        "fn f(m: &mut [[f64; n]; n], x: &mut [f64; n]) { for c in (0..n).rev() { for i in 0..c { x[i] -= m[i][c] * x[c]; } } }",
    ),
    (
        2,
        "fn f(l: &[[f64; n]; n], b: &[[f64; m]; n]) -> [[f64; m]; n] { let mut x = b.clone(); \
         for i in 0..n { for k in 0..i { for j in 0..m { x[i][j] -= l[i][k] * x[k][j]; } } } x }",
    ),
    (0, "fn f(o: &mut [[f64; m]; n]) { for j in 0..m { for i in (0..n).rev() { o[i][j] += o[i][j] * 0.5; } } }"),
    (
        0,
        "fn f(o: &mut [[[f64; k]; m]; n]) { for l in (0..k).rev() { for j in 0..m { for i in (0..n).rev() { o[i][j][l] += 1.0; } } } }",
    ),
    (1, "fn f(o: &mut [[f64; m]; n]) { for j in 0..m { for i in (1..n).rev() { o[i][j] -= o[i - 1][j]; } } }"),
    (1, "fn f(o: &mut [[f64; m]; n]) { for j in (1..m).rev() { for i in (0..n).rev() { o[i][j] -= o[i][j - 1]; } } }"),
];

/// Kernels with a loop whose iterations depend on each other, and the reason that is given for it.
const CARRIED: &[(Reason, &str)] = &[
    (Reason::Writes, "fn f(b: &mut [f64; n]) { for i in 0..n - 1 { b[i] = b[i + 1] + 1.0; } }"),
    (Reason::Writes, "fn f(b: &mut [f64; n]) { for i in 0..n - 1 { b[i + 1] = b[i] + 1.0; } }"),
    (Reason::Writes, "fn f(b: &mut [f64; n]) { for i in 0..n / 2 { b[2 * i] = b[i] + 1.0; } }"),
    (Reason::Writes, "fn f(at: &[usize; n], b: &mut [f64; m]) { for i in 0..n { if at[i] < m { b[at[i]] += 1.0; } } }"),
    (
        Reason::Writes,
        "fn f(a: &[f64; n], b: &mut [f64; n]) { let mut t = [0.0; 4]; for i in 0..n { t[i % 4] += a[i]; b[i] = t[0]; } }",
    ),
    (
        Reason::Assigns,
        "fn f(a: &[f64; n], b: &mut [f64; n]) { let mut s = 0.0; for i in 0..n { s = s * 0.5 + a[i]; b[i] = s; } }",
    ),
    (Reason::Ends, "fn f(a: &[f64; n], b: &mut [f64; n]) { for i in 0..n { if a[i] > 1.0 { break; } b[i] = a[i]; } }"),
    (Reason::Calls, "fn f(g: impl Fn(f64) -> f64, b: &mut [f64; n]) { for i in 0..n { b[i] = g(b[i]); } }"),
    (Reason::Calls, "fn f(b: &mut [f64; n]) { for i in 0..n { b[i] = dbg!(b[i]) + 1.0; } }"),
    (
        Reason::Writes,
        "fn f(o: &mut [[f64; m]; n]) { for i in 0..n { for j in 1..m { o[i][j] = o[i][j - 1] * 0.5; } } }",
    ),
    (
        Reason::Writes,
        "fn f(m: &mut [[f64; n]; n], e: usize) { for i in e..n { for j in e..n { m[i][j] -= m[i][e] * 0.5; } } }",
    ),
    (Reason::Writes, "fn f(x: &mut [f64; n], c: usize) { if c < n { for i in c..n { x[i] -= x[c]; } } }"),
];

fn sequential(b: &Block, found: &mut usize) {
    let mut note = |s: &Stmt| *found += usize::from(matches!(s, Stmt::For(For { order: Order::Sequential, .. })));
    b.iter().for_each(|s| s.walk(&mut note));
}

#[test]
fn iterations_with_elements_of_their_own_run_in_any_order() {
    for (left, source) in INDEPENDENT {
        let mut switches = Switches::all();
        for pass in ["tile", "block", "promote", "early_exits"] {
            assert!(switches.set(pass, false));
        }
        let unit = unit(&format!("#[smooth] {source}"), &Options { switches, ..Options::default() });
        let (mut found, f) = (0, &unit.stages["f"].loops);
        sequential(&f.body, &mut found);
        assert_eq!(found, *left, "{source}\n{}", print::function(f));
    }
}

/// Texts with reversed ranges, and the same with the ranges themselves.
const BACKWARDS: &[(&str, &str)] = &[
    (
        "for j in 0..m { for i in (0..n).rev() { let mut s = 0.0; for l in 0..k { s += a[i][l] * b[l][j]; } c[i][j] = s; } }",
        "for j in 0..m { for i in 0..n { let mut s = 0.0; for l in 0..k { s += a[i][l] * b[l][j]; } c[i][j] = s; } }",
    ),
    (
        "for j in (0..m).rev() { for i in (0..n).rev() { for l in 0..k { c[i][j] += a[i][l] * b[l][j]; } } }",
        "for j in 0..m { for i in 0..n { for l in 0..k { c[i][j] += a[i][l] * b[l][j]; } } }",
    ),
    (
        "for i in (0..n).rev() { for j in (0..m).rev() { c[i][j] += i as f64; } }",
        "for i in 0..n { for j in 0..m { c[i][j] += i as f64; } }",
    ),
    (
        "for i in 0..n { for j in 0..m { c[n - 1 - i][m - 1 - j] += 1.0; } }",
        "for i in 0..n { for j in 0..m { c[i][j] += 1.0; } }",
    ),
    (
        "for i in (0..n).rev() { for j in 0..i.min(m) { c[i][j] = 0.5; } }",
        "for i in 0..n { for j in 0..i.min(m) { c[i][j] = 0.5; } }",
    ),
];

/// The same with an element that moves the other way, or that another iteration writes.
const BOTH_WAYS: &[(&str, &str)] = &[
    (
        "for i in (0..n).rev() { for j in 0..m { c[i][j] = d[n - 1 - i][j]; } }",
        "for i in 0..n { for j in 0..m { c[i][j] = d[n - 1 - i][j]; } }",
    ),
    (
        "for j in 0..m { for i in (1..n).rev() { c[i][j] -= c[i - 1][j]; } }",
        "for j in 0..m { for i in 1..n { c[i][j] -= c[i - 1][j]; } }",
    ),
];

#[test]
fn independent_loops_run_forwards() {
    for ((text, other), same) in BACKWARDS.iter().map(|t| (t, true)).chain(BOTH_WAYS.iter().map(|t| (t, false))) {
        let head = "fn f(a: &[[f64; k]; n], b: &[[f64; m]; k], d: &[[f64; m]; n]) -> [[f64; m]; n]";
        let [a, b] = [text, other].map(|text| shape(&format!("{head} {{ let mut c = [[0.0; m]; n]; {text} c }}")));
        assert_eq!(a == b, same, "{text}\n{a}\n{b}");
    }
}

/// Texts of a step that takes products of parts of a matrix from another part of it.
const STEPS: &[&str] = &[
    "for i in e..n { for j in e..n { for l in k..e { m[i][j] -= m[i][l] * m[l][j]; } } }",
    "for l in k..e { for i in e..n { for j in e..n { m[i][j] -= m[i][l] * m[l][j]; } } }",
    "for i in e..n { for l in k..e { let f = m[i][l]; for j in e..n { m[i][j] -= f * m[l][j]; } } }",
    "for i in e..n { for j in e..n { let mut x = m[i][j]; for l in k..e { x -= m[i][l] * m[l][j]; } m[i][j] = x; } }",
    "for i in e..n { for j in e..n { for l in k..e { m[i][j] -= m[l][i] * m[l][j]; } } }",
    "for k in (0..n).step_by(16) { let e = (k + 16).min(n); for i in e..n { for j in e..n { \
         for l in k..e { m[i][j] -= m[i][l] * m[l][j]; } } } }",
    "for k in (0..n).step_by(16) { let e = (k + 16).min(n); for i in k + 16..n { for j in k + 16..n { \
         for l in k..e { m[i][j] -= m[i][l] * m[l][j]; } } } }",
    "for k in (0..n).step_by(16) { let e = (k + 16).min(n); for b in (e..n).step_by(32) { \
         for i in b..(b + 32).min(n) { for j in b..n { for l in k..e { m[i][j] -= m[l][i] * m[l][j]; } } } } }",
];

/// Steps that read what they write, by one row or column.
const OVERLAPS: &[&str] = &[
    "for i in e..n { for j in e..n { for l in k..e + 1 { m[i][j] -= m[i][l] * m[l][j]; } } }",
    "for i in e..n { for j in e - 1..n { for l in k..e { m[i][j] -= m[i][l] * m[l][j]; } } }",
    "for i in e..n { for j in e..n { for l in e..n { m[i][j] -= m[i][l] * m[l][j]; } } }",
];

#[test]
fn steps_of_factorisations_are_tiles() {
    for (text, tiled) in STEPS.iter().map(|t| (t, true)).chain(OVERLAPS.iter().map(|t| (t, false))) {
        let source =
            format!("#[smooth] fn f(m: &mut [[f64; n]; n], k: usize, e: usize) {{ if e > 0 && e < n {{ {text} }} }}");
        let unit = unit(&source, &Options::default());
        let f = &unit.stages["f"].loops;
        let found = f.schedule.remarks.iter().any(|r| r.pass.name() == "tile" && r.left.is_none());
        assert_eq!(found, tiled, "{text}\n{}", print::function(f));
    }
}

#[test]
fn extremes_of_terms_with_numbers_from_outside_go_in_lanes() {
    for text in [
        "let c = a[0] * 0.5; let mut e = c; for j in 0..n { e = e.max(a[j] - c); } e",
        "let c = a[0] * 0.5; let mut e = c; for j in 0..n { if a[j] - c > e { e = a[j] - c; } } e",
        "let mut m = -1.0; for i in 0..n { m = m.max(a[i]); } ifold(n, m, |e, j| e.min(m - a[j]))",
        "let w = s as f64; let mut e = 0.0; for j in 0..n { e = e.max(a[j] * w); } e",
    ] {
        let source = format!("#[smooth] fn f(a: &[f64; n], s: f32) -> f64 {{ {text} }}");
        let unit = unit(&source, &Options::default());
        let f = &unit.stages["f"].loops;
        let found = f.schedule.remarks.iter().any(|r| r.pass.name() == "extremes" && r.left.is_none());
        assert!(found, "{text}\n{}", print::function(f));
    }
}

#[test]
fn iterations_that_depend_on_each_other_stay_in_order() {
    for (reason, source) in CARRIED {
        let unit = unit(&format!("#[smooth] {source}"), &Options::default());
        let (mut found, f) = (0, &unit.stages["f"].loops);
        sequential(&f.body, &mut found);
        assert!(found > 0, "{source}\n{}", print::function(f));
        let given = f.schedule.remarks.iter().any(|r| r.pass.name() == "independent" && r.left == Some(*reason));
        assert!(given, "{source}\n{:?}", f.schedule.remarks);
    }
}

/// Compares random programs with their meaning after each pass. Returns how many were changed by each of these passes.
fn random_programs(source: fn(&mut Rng) -> String, passes: &[&str]) -> (u64, Vec<u64>) {
    let programs = std::env::var("SMOOTH_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(PROGRAMS);
    let first = std::env::var("SMOOTH_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let net = Net::new();
    let small = Options { switches: Switches::all().even_if_small(), ..Options::default() };
    let all = [
        Options::default(),
        small.clone(),
        Options { parallel: Some(3), ..small.clone() },
        Options { checks: true, ..small },
    ];
    let mut changed = vec![0; passes.len()];
    for seed in first..first + programs {
        let source = source(&mut Rng::new(seed));
        let options = &all[seed as usize % all.len()];
        let watched = net.watched(source.parse().expect("tokens"), options);
        let w = watched.unwrap_or_else(|e| panic!("seed {seed}: {e}\n{source}"));
        let mut oracle = net.oracle(&w.stages.elaborated.kernel, &inputs(&mut Rng::new(seed)));
        oracle.run_only_what_entry_accepts(&w.stages);
        for (pass, stage) in &w.seen {
            assert_eq!(
                net.judge(stage, &oracle).err(),
                None,
                "seed {seed}, after {pass}:\n{source}\n{}",
                stage.print()
            );
        }
        let remarks = &w.stages.loops.schedule.remarks;
        for (pass, count) in passes.iter().zip(&mut changed) {
            let seen = w.seen.iter().any(|(name, _)| name == pass);
            *count += u64::from(seen || remarks.iter().any(|r| r.pass.name() == *pass && r.left.is_none()));
        }
    }
    (programs, changed)
}

#[test]
fn random_nests_keep_their_meaning() {
    let (programs, changed) = random_programs(nests::nest, &["independent", "interchange", "short_sums", "extremes"]);
    let [marked, moved, short, lanes] = changed[..] else { panic!("{changed:?}") };
    assert!(30 * short > programs && 50 * lanes > programs, "{short} with short sums, {lanes} with extremes in lanes");
    assert!(2 * marked > programs && 10 * moved > programs, "{marked} with independent loops, {moved} interchanged");
}

#[test]
fn random_choices_keep_their_meaning() {
    let (programs, changed) = random_programs(nests::choice, &["speculate", "unswitch"]);
    assert!(changed.iter().all(|n| 10 * n > programs), "{changed:?} of {programs}");
}

#[test]
fn random_repetitions_keep_their_meaning() {
    let (programs, changed) = random_programs(nests::again, &["invariant"]);
    assert!(2 * changed[0] > programs, "{changed:?} of {programs}");
}

#[test]
fn random_filters_keep_their_meaning() {
    let (programs, changed) = random_programs(nests::filters, &["split_ranges", "promote"]);
    assert!(4 * changed[0] > programs && 30 * changed[1] > programs, "{changed:?} of {programs}");
}

#[test]
fn random_factors_keep_their_meaning() {
    let (programs, changed) = random_programs(nests::factors, &["independent", "interchange", "tile"]);
    let [marked, moved, tiled] = changed[..] else { panic!("{changed:?}") };
    assert!(2 * marked > programs && 10 * moved > programs && 50 * tiled > programs, "{changed:?} of {programs}");
}

#[test]
fn random_layouts_keep_their_meaning() {
    let passes =
        ["data_layout", "interchange", "split_ranges", "unroll_and_jam", "scalar_replacement", "block", "dead_fills"];
    let (programs, changed) = random_programs(nests::layouts, &passes);
    assert!(changed.iter().all(|n| 50 * n > programs), "{changed:?} of {programs}");
}

/// Texts that multiply a matrix, or its transpose, by a second one.
const TWO_WAYS: &[&str] = &[
    "build([n, n], |i, j| if t { sum(n, |k| a[k][i] * b[k][j]) } else { sum(n, |k| a[i][k] * b[k][j]) })",
    "let mut c = [[0.0; n]; n]; for i in 0..n { for j in 0..n { \
         if t { for k in 0..n { c[i][j] += a[k][i] * b[k][j]; } } else { for k in 0..n { c[i][j] += a[i][k] * b[k][j]; } } } } c",
    "let mut c = [[0.0; n]; n]; for j in 0..n { for i in 0..n { let mut s = 0.0; \
         if !t { for k in 0..n { s += a[i][k] * b[k][j]; } } else { for k in 0..n { s += a[k][i] * b[k][j]; } } c[i][j] = s; } } c",
    "let mut c = [[0.0; n]; n]; for i in 0..n { if t && n > 8 { for j in 0..n { c[i][j] = sum(n, |k| a[k][i] * b[k][j]); } } \
         else { for j in 0..n { c[i][j] = sum(n, |k| a[i][k] * b[k][j]); } } } c",
    "let mut c = [[0.0; n]; n]; for i in 0..n { for j in 0..n { \
         if t { for k in 0..n { c[i][j] += a[k][i] * b[k][j]; } } } } c",
    "let mut c = [[0.0; n]; n]; for i in 0..n { for j in 0..n { match n { \
         64 => for k in 0..n { c[i][j] += a[k][i] * b[k][j]; }, \
         65 => for k in 0..n { c[i][j] += a[k][i] * b[j][k]; }, \
         _ => for k in 0..n { c[i][j] += a[i][k] * b[k][j]; }, } } } c",
];

/// Texts whose condition is not the same in all iterations, or reads an element.
const OWN_WAYS: &[&str] = &[
    "build([n, n], |i, j| if (i + j) % 3 == 0 { sum(n, |k| a[k][i] * b[k][j]) } else { sum(n, |k| a[i][k] * b[k][j]) })",
    "build([n, n], |i, j| if a[0][0] > 0.5 { sum(n, |k| a[k][i] * b[k][j]) } else { sum(n, |k| a[i][k] * b[k][j]) })",
];

#[test]
fn conditions_that_are_the_same_leave_loops() {
    for (text, leaves) in TWO_WAYS.iter().map(|t| (t, true)).chain(OWN_WAYS.iter().map(|t| (t, false))) {
        let source =
            format!("#[smooth] fn f(t: bool, a: &[[f64; n]; n], b: &[[f64; n]; n]) -> [[f64; n]; n] {{ {text} }}");
        let f = &unit(&source, &Options::default()).stages["f"].loops;
        let found = |pass: &str| f.schedule.remarks.iter().any(|r| r.pass.name() == pass && r.left.is_none());
        assert_eq!(found("unswitch"), leaves, "{text}\n{}", print::function(f));
        assert!(!leaves || found("tile"), "{text}\n{}", print::function(f));
        // Each of the two conditions of a `match` leaves both loops.
        let times = f.schedule.remarks.iter().filter(|r| r.pass.name() == "unswitch").count();
        assert!(!text.contains("match") || times == 4, "{times}: {text}\n{}", print::function(f));
    }
}

/// Steps of delay lines, which move the elements of a small array.
const DELAYS: &[&str] = &[
    "for k in (1..4).rev() { w[k] = w[k - 1]; }",
    "for k in 1..4 { w[4 - k] = w[3 - k]; }",
    "for k in (0..3).rev() { let v = w[k]; w[k + 1] = v; }",
    "for k in 0..3 { w[k] = w[k + 1]; }",
    "for k in 0..2 { w[k] = w[k + 2]; }",
];

/// Steps that stay loops: the values are not moved alone, or are more than registers hold.
const NO_DELAYS: &[&str] =
    &["for k in (1..4).rev() { w[k] = w[k - 1] * 0.5; }", "for k in (1..40).rev() { v[k] = v[k - 1]; }"];

#[test]
fn delay_lines_are_written_out() {
    let of = |step: &str| {
        let source = format!(
            "#[smooth] fn f(x: &[f64; n]) -> [f64; n] {{
                let (mut w, mut v) = ([0.0; 4], [0.0; 40]);
                let mut y = [0.0; n];
                for i in 0..n {{ {step} w[0] += x[i]; v[0] = w[3]; y[i] = w[3] - w[1] + v[39]; }}
                y
            }}"
        );
        unit(&source, &Options::default()).stages["f"].loops.clone()
    };
    let is_loop = |s: &Stmt| matches!(s, Stmt::For(_));
    let nested = |f: &Function| {
        f.body.iter().any(|s| s.any(&|s| is_loop(s) && s.blocks().into_iter().flatten().any(|s| s.any(&is_loop))))
    };
    for step in DELAYS {
        assert!(!nested(&of(step)), "{step}\n{}", print::function(&of(step)));
    }
    for step in NO_DELAYS {
        assert!(nested(&of(step)), "{step}\n{}", print::function(&of(step)));
    }
}

/// Texts that compute a matrix column by column, without an array for the columns.
const COLUMNS: &[&str] = &[
    "let c = build(m, |j| { let l = sum(n, |i| x[i][j] * x[i][j]).sqrt(); build(n, |i| x[i][j] / l) });
     build([n, m], |i, j| c[j][i])",
    "let c = build(m, |j| { let mut s = build(n, |i| x[i][j]); for i in 1..n { s[i] += s[i - 1]; } s });
     build([n, m], |i, j| c[j][i])",
    "let mut c = [[0.0; n]; m]; for j in 0..m { let mut s = 0.0; for i in 0..n { s += x[i][j]; c[j][i] = s; } }
     let mut o = [[0.0; m]; n]; for i in 0..n { for j in 0..m { o[i][j] = c[j][i]; } } o",
    "let c = build(m, |j| { let mut s = build(n, |i| x[i][j]); for i in 1..n { s[i] += s[i - 1]; } s });
     build([n, m], |i, j| 2.0 * c[j][i] + 1.0)",
];

/// Texts that go through a matrix column by column, with numbers that each column has of its own.
const NAMED: &[&str] = &[
    "for j in 0..m { for i in 0..n { o[i][j] = x[i][j] / s[j].sqrt(); } }",
    "for j in 0..m { let l = s[j].sqrt(); for i in 0..n { o[i][j] = x[i][j] / l; } }",
    "for j in 0..m { let l = s[j]; for i in 0..n { o[i][j] = x[i][j] * l; } }",
    "for j in 0..m { let l = s[j].sqrt(); let k = l * 2.0 + s[j]; for i in (0..n).rev() { o[i][j] = (x[i][j] - k) / l; } }",
    "for j in (0..m).rev() { let l = s[j].exp(); for i in 0..n { o[i][j] = x[i][j] * l; } o[n - 1][j] += l; }",
    "for j in 0..m { let l = j as f64 * 0.5; for i in 0..n { o[i][j] = x[i][j] * l; } }",
    "for j in 0..m { let l = o[0][j] - s[j]; for i in 0..n { o[i][j] -= l; } }",
    "for j in 0..m { let mut l = 0.0; for k in 0..m { l += s[k] * s[j]; } for i in 0..n { o[i][j] = x[i][j] * l; } }",
];

/// Such texts whose loops stay: rows, elements that need the number of their column, and columns of different lengths.
const NAMED_ROWS: &[&str] = &[
    "for i in 0..n { let l = x[i][0].sqrt(); for j in 0..m { o[i][j] = x[i][j] / l; } }",
    "for j in 0..m { let l = s[j].sqrt(); for i in 0..n { o[i][j] = x[i][j] * l + (j as f64); } }",
    "for j in 0..m { let l = s[j].sqrt(); for i in 0..j % n { o[i][j] = x[i][j] * l; } }",
];

#[test]
fn columns_with_numbers_of_their_own_are_side_by_side() {
    for (text, side_by_side) in NAMED.iter().map(|t| (t, true)).chain(NAMED_ROWS.iter().map(|t| (t, false))) {
        let source = format!(
            "#[smooth] fn f(x: &[[f64; m]; n], s: &[f64; m]) -> [[f64; m]; n] {{ \
             let mut o = [[1.0; m]; n]; if n > 0 && m > 0 {{ {text} }} o }}"
        );
        let f = &unit(&source, &Options::default()).stages["f"].loops;
        let found = f.schedule.remarks.iter().any(|r| r.pass.name() == "block" && r.left.is_none());
        assert_eq!(found, side_by_side, "{text}\n{}", print::function(f));
    }
}

/// Texts that need the columns beside the result.
const KEPT_COLUMNS: &[&str] = &[
    "let c = build(m, |j| { let mut s = build(n, |i| x[i][j]); for i in 1..n { s[i] += s[i - 1]; } s });
     build([n, m], |i, j| c[j][i] + c[j][n - 1 - i])",
    "let c = build(m, |j| { let mut s = build(n, |i| x[i][j]); for i in 1..n { s[i] += s[i - 1]; } s });
     let mut o = build([n, m], |i, j| c[j][i]); for i in 1..n { for j in 0..m { o[i][j] += c[j][i - 1]; } } o",
];

#[test]
fn columns_are_computed_in_place_of_the_result() {
    for (text, stored) in COLUMNS.iter().map(|t| (t, false)).chain(KEPT_COLUMNS.iter().map(|t| (t, true))) {
        let f = shape(&format!("fn f(x: &[[f64; m]; n]) -> [[f64; m]; n] {{ {text} }}"));
        assert_eq!(f.contains("open"), stored, "{text}\n{f}");
    }
}

/// Texts of the forces between points, with a vector of three numbers as a state.
const VECTORS: &[&str] = &[
    "build(n, |i| ifold(n, [0.0; 3], |a, j| {
         let d = build(3, |c| p[j][c] - p[i][c]); let w = q[j] / (d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + 0.01);
         build(3, |c| a[c] + w * d[c]) }))",
    "let mut a = [[0.0; 3]; n]; for i in 0..n { for j in 0..n { let mut d = [0.0; 3]; let mut r = 0.01;
         for c in 0..3 { d[c] = p[j][c] - p[i][c]; r += d[c] * d[c]; }
         for c in 0..3 { a[i][c] += q[j] * d[c] / r; } } } a",
    "let mut a = [[0.0; 3]; n]; for i in 0..n { let mut s = [0.0; 3]; for j in 0..n {
         let mut r = 0.01; for c in 0..3 { let e = p[j][c] - p[i][c]; r += e * e; }
         for c in 0..3 { s[c] += q[j] * (p[j][c] - p[i][c]) / r; } } a[i] = s; } a",
    "let mut a = [[0.0; 3]; n]; for i in 0..n { let (mut x, mut y, mut z) = (0.0, 0.0, 0.0); for j in 0..n {
         let (dx, dy, dz) = (p[j][0] - p[i][0], p[j][1] - p[i][1], p[j][2] - p[i][2]);
         let w = q[j] / (dx * dx + dy * dy + dz * dz + 0.01); x += w * dx; y += w * dy; z += w * dz; }
         a[i] = [x, y, z]; } a",
];

#[test]
fn small_vectors_are_numbers_in_blocks() {
    for text in VECTORS {
        let source = format!("#[smooth] fn f(p: &[[f64; 3]; n], q: &[f64; n]) -> [[f64; 3]; n] {{ {text} }}");
        let f = &unit(&source, &Options::default()).stages["f"].loops;
        let blocks = f.schedule.remarks.iter().filter(|r| r.pass.name() == "block" && r.left.is_none());
        assert!(blocks.count() > 0, "{text}\n{}", print::function(f));
    }
}

/// Loops over rows that are combined with one of them, and loops that are not independent with one index alone either.
const MEETING: &[(&str, bool)] = &[
    ("for k in 0..n { for i in 0..n { for j in 0..n { o[i][j] = o[i][j].min(o[i][k] + o[k][j]); } } }", true),
    (
        "for k in 0..n { for i in 0..n { for j in 0..n { let t = o[i][k] + o[k][j]; if t < o[i][j] { o[i][j] = t; } } } }",
        true,
    ),
    ("for k in 0..n { for i in 0..n { if i != k { for j in 0..n { o[i][j] -= o[k][j] * 0.5; } } } }", true),
    ("for k in 0..n { for i in 0..n { let a = o[i][k]; for j in 0..n { o[i][j] -= a * o[k][j]; } } }", true),
    ("for k in 0..n { for i in 1..n { for j in 0..n { o[i][j] += o[i - 1][j] * o[k][j]; } } }", false),
    ("for k in 0..n { for i in 0..n { for j in 1..n { o[i][j] += o[i][j - 1] * o[i][k]; } } }", true),
    ("for k in 0..n { for i in 0..k + 1 { o[i][0] -= o[k][0]; } }", true),
    ("for k in 0..n { for i in 0..k + 1 { o[i][0] -= o[k / 2][0] * o[i / 2][0]; } }", false),
];

#[test]
fn loops_that_meet_at_one_index_are_split_there() {
    for (text, split) in MEETING {
        let source =
            format!("#[smooth] fn f(x: &[[f64; n]; n]) -> [[f64; n]; n] {{ let mut o = x.clone(); {text} o }}");
        let f = &unit(&source, &Options::default()).stages["f"].loops;
        let rows = f.schedule.remarks.iter().filter(|r| r.pass.name() == "independent" && r.left.is_none());
        let named = rows.filter(|r| f.names.name(r.about) == "i").count();
        assert_eq!(named > 0, *split, "{text}\n{}", print::function(f));
    }
}

#[test]
fn folds_along_rows_are_interleaved() {
    for (text, rows) in [
        ("let mut o = [0.0; n]; for i in 0..n { for j in 0..m { o[i] += x[i][j]; } } o", true),
        ("let mut o = [0.0; n]; for j in 0..m { for i in 0..n { o[i] += x[i][j]; } } o", true),
        ("build(n, |i| ifold(m, 0.0, |s, j| s * 0.5 + x[i][j]))", true),
        ("build(n, |i| ifold(i, 0.0, |s, j| s * 0.5 + x[0][j]))", false),
    ] {
        let source = format!("#[smooth] fn f(x: &[[f64; m]; n]) -> [f64; n] {{ {text} }}");
        let f = &unit(&source, &Options::default()).stages["f"].loops;
        let found = f.schedule.remarks.iter().any(|r| r.pass.name() == "unroll_and_jam" && r.left.is_none());
        assert_eq!(found, rows, "{text}\n{}", print::function(f));
    }
}

/// A search for a border between accesses that tried all ways to divide them would not end.
#[test]
fn many_elements_are_compared_once() {
    for at in ["{k}", "n - {k}", "i % 2 + {k}", "2 * i + {k}"] {
        let writes =
            (1..40).map(|k| format!("if x[i] > {k}.0 {{ o[{}] += x[i]; }}", at.replace("{k}", &k.to_string())));
        let writes: String = writes.collect();
        let source = format!(
            "#[smooth] fn f(x: &[f64; n]) -> [f64; 2 * n + 100] {{ let mut o = [0.0; 2 * n + 100]; if n > 100 {{ for i in 0..n {{ {writes} }} }} o }}"
        );
        let (mut found, stages) = (0, &unit(&source, &Options::default()).stages["f"]);
        sequential(&stages.loops.body, &mut found);
        assert!(found > 0, "{at}");
    }
}
