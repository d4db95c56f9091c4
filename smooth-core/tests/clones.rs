//! Kernels that are compiled for wider vectors, and the sizes from which on these are used.

mod common;

use common::{plain, unit};
use smooth_core::explain;
use smooth_core::loops::Widest;
use smooth_core::options::Options;
use smooth_core::pass::Switches;

/// The explanation of a kernel's instances: the size from which on there are several, nothing if that does not depend on
/// sizes.
fn several(source: &str, name: &str) -> Option<String> {
    let text = explain(&plain(source).stages[name]);
    let line = text.lines().skip_while(|l| !l.starts_with("## Instances")).nth(2).expect("a line");
    let after = line.strip_prefix("what the crate is compiled for; AVX2")?;
    let after =
        after.trim_start_matches(" and AVX-512 on a CPU that has them").trim_start_matches(" on a CPU that has it");
    Some(after.trim_start_matches(", where ").to_string())
}

#[test]
fn avx_512_is_for_long_rows() {
    let (always, never) = (Widest::Always, Widest::Never);
    for (source, text) in [
        ("fn f(a: &[f64; n]) -> [f64; n] { build(n, |i| a[i] * 2.0) }", "never"),
        ("fn f(a: &[[f64; m]; n]) -> [[f64; m]; n] { build([n, m], |i, j| a[i][j] * 2.0) }", "never"),
        ("fn f(a: &[f64; n]) -> [f64; n] { build(n, |i| ((a[i] * 2.0 + 1.0) * a[i] + 3.0) * a[i] + 4.0) }", "always"),
        ("fn f(a: &[f64; n], b: &[f64; n]) -> f64 { sum(n, |i| a[i] * b[i]) }", "never"),
        ("fn f(a: &[f64; n]) -> f64 { sum(n, |i| a[i] * a[i]) }", "always"),
        ("fn f(a: &[[f64; m]; n]) -> [[f64; m]; n] { build([n, m], |i, j| a[i][j] * a[0][j]) }", "m ≥ 96"),
        ("fn f(a: &[[f64; m]; n]) -> [[f64; m]; n] { build([n, m], |i, j| (a[i][j] * a[0][j]).exp()) }", "always"),
        ("fn f(a: &[[f64; 40]; n]) -> [[f64; 40]; n] { build([n, 40], |i, j| a[i][j] * a[0][j]) }", "always"),
        (
            "fn f(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
                build([n, m], |i, j| sum(k, |l| a[i][l] * b[l][j]))
            }",
            "always",
        ),
        // Half a square, below the triangle and with whole rows in the same nest.
        (
            "fn f(a: &[[f64; n]; n]) -> [[f64; n]; n] {
                let mut b = a.clone();
                for i in 1..n { for j in i..n { b[i][j] -= 0.5 * b[0][j]; } }
                b
            }",
            "never",
        ),
        (
            "fn f(a: &[[f64; n]; n], c: &[[f64; m]; n]) -> ([[f64; n]; n], [[f64; m]; n]) {
                let (mut b, mut d) = (a.clone(), c.clone());
                for i in 1..n {
                    for j in i..n { b[i][j] -= 0.5 * b[0][j]; }
                    for j in 0..m { d[i][j] -= 0.5 * d[0][j]; }
                }
                (b, d)
            }",
            "m ≥ 96",
        ),
        // Blocks of many iterations around a loop.
        ("fn f(a: &[f64; n], k: usize) -> [f64; n] { build(n, |i| ifold(k, a[i], |s, _| s * s + a[i])) }", "always"),
    ] {
        let f = plain(&format!("#[smooth] {source}")).stages["f"].loops.clone();
        assert!(f.schedule.clones, "{source}");
        let want = match text {
            "always" => f.schedule.widest == always,
            "never" => f.schedule.widest == never,
            text => explain(&plain(&format!("#[smooth] {source}")).stages["f"])
                .contains(&format!("; AVX-512 for rows of {text}")),
        };
        assert!(want, "{source}: {:?}", f.schedule.widest);
    }
}

#[test]
fn loops_over_neighbours_gain() {
    for (source, from) in [
        ("fn f(a: &[f64; n], b: &[f64; n]) -> [f64; n] { build(n, |i| a[i] + b[i]) }", "4 * n ≥ 128"),
        ("fn f(a: &[f64; n]) -> f64 { sum(n, |i| a[i] * a[i]) }", "4 * n ≥ 128"),
        ("fn f(a: &[f64; n]) -> [f64; n] { let mut b = a.clone(); for i in 0..n { b[i] *= 2.0; } b }", ""),
        ("fn f(a: &[f64; 100]) -> [f64; 100] { build(100, |i| a[i].mul_add(2.0, 1.0)) }", ""),
        ("fn f(a: &[[f64; m]; n]) -> [[f64; m]; n] { build([n, m], |i, j| a[i][j] * a[0][j]) }", ""),
        (
            "fn f(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
                build([n, m], |i, j| sum(k, |l| a[i][l] * b[l][j]))
            }",
            "",
        ),
        // Rows of one matrix, which are disjoint where the loop runs; a triangle of them.
        (
            "fn f(a: &[[f64; n]; n]) -> [[f64; n]; n] {
                let mut b = a.clone();
                for i in 1..n { for j in i..n { b[i][j] -= 0.5 * b[0][j]; } }
                b
            }",
            "",
        ),
        ("fn f(a: &[[f64; 3]; n]) -> [f64; n] { build(n, |i| (a[i][0] * a[i][1] + a[i][2]).sqrt()) }", ""),
        ("fn f(a: &[f64; n], g: impl Fn(f64) -> f64) -> [f64; n] { build(n, |i| g(a[i])) }", ""),
        // A term is counted unless another one is about as large for all sizes.
        (
            "fn f(a: &[f64; n], b: &[[f64; n]; m]) -> ([f64; n], [[f64; n]; m]) {
                (build(n, |i| a[i] * 2.0), build([m, n], |i, j| b[i][j] + a[j]))
            }",
            "4 * n * m ≥ 128; AVX-512 for rows of n ≥ 96",
        ),
        (
            "fn f(a: &[f64; n], b: &[[f64; n]; m]) -> ([f64; n], [[f64; n]; m]) {
                (build(n, |i| a[i].exp()), build([m, n], |i, j| b[i][j] + a[j]))
            }",
            "18 * n + 4 * n * m ≥ 128; AVX-512 for rows of n ≥ 96",
        ),
    ] {
        let got = several(&format!("#[smooth] {source}"), "f");
        println!("{source}: {got:?}");
        assert!(got.as_ref().is_some_and(|got| from.is_empty() || got == from), "{source}: {got:?}");
    }
}

#[test]
fn other_loops_have_one_instance() {
    for (why, source) in [
        ("it is small", "fn f(a: &[f64; 3], b: &[f64; 3]) -> [f64; 3] { build(3, |i| a[i] + b[i]) }"),
        (
            "it is small",
            "fn f(a: &[[f64; 4]; 4], b: &[[f64; 4]; 4]) -> [[f64; 4]; 4] {
                build([4, 4], |i, j| sum(4, |k| a[i][k] * b[k][j]))
            }",
        ),
        (
            "each step needs the one before",
            "fn f(a: &[f64; n]) -> [f64; n] { let mut b = a.clone(); for i in 1..n { b[i] += 0.5 * b[i - 1]; } b }",
        ),
        (
            "it goes through a row in the other direction",
            "fn f(a: &[f64; n]) -> [f64; n] { let mut b = a.clone(); for i in 0..n { b[i] += 0.5 * b[n - 1 - i]; } b }",
        ),
        ("each step needs the one before", "fn f(a: &[f64; n]) -> f64 { ifold(n, 0.0, |s, i| s * 0.5 + a[i]) }"),
        (
            "what it reads is not known to be there",
            "fn f(a: &[f64; n], at: &[usize; m]) -> [f64; m] { build(m, |i| a[at[i]]) }",
        ),
        ("it reads columns", "fn f(a: &[[f64; m]; n]) -> [[f64; n]; m] { build([m, n], |i, j| a[j][i]) }"),
        (
            "it reads rows and computes little",
            "fn f(a: &[[f64; 4]; n], b: &[[f64; 4]; n]) -> [f64; n] { build(n, |i| sum(4, |d| a[i][d] * b[i][d])) }",
        ),
        ("remainders have no instruction", "fn f(a: &[u32; n]) -> [u32; n] { build(n, |i| a[i] % 7) }"),
        ("it moves numbers", "fn f(a: &[f64; n]) -> [f64; n] { build(n, |i| a[i]) }"),
        ("it fills", "fn f(n: usize) -> [f64; n] { build(n, |_| 0.5) }"),
        (
            "it may end early",
            "fn f(a: &[f64; n]) -> f64 { let mut i = 0; while i < n && a[i] > 0.0 { i += 1; } i as f64 }",
        ),
    ] {
        assert_eq!(several(&format!("#[smooth] {source}"), "f"), None, "{why}");
    }
}

#[test]
fn it_can_be_switched_off() {
    let source = "#[smooth] fn f(a: &[f64; n]) -> f64 { sum(n, |i| a[i]) }";
    let mut switches = Switches::all();
    assert!(switches.set("multiversion", false));
    let off = unit(source, &Options { switches, ..Options::default() });
    assert!(plain(source).stages["f"].loops.schedule.clones);
    assert!(!off.stages["f"].loops.schedule.clones);
}
