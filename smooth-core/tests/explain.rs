//! What is said about a kernel.

mod common;

use common::{function, plain};
use proc_macro2::TokenStream;
use smooth_core::expand::{Host, attribute};
use smooth_core::explain;
use smooth_core::options::Options;
use std::cell::RefCell;

const SWEEP: &str = "\
#[smooth]
fn sweep(a: &[f64; n], at: &[usize; m], b: &mut [f64; m]) -> [f64; n] {
    let mut x = a.clone();
    let old = x;
    for k in 0..m {
        x[at[k]] += 1.0;
    }
    b[0] = sum(n, |i| old[i] * x[n - 1 - i]);
    x
}";

/// The lines of a section.
fn section<'t>(text: &'t str, title: &str) -> Vec<&'t str> {
    let head = format!("## {title}");
    let lines = text.lines().skip_while(|l| !l.starts_with(&head)).skip(2);
    lines.take_while(|l| !l.starts_with("## ")).filter(|l| !l.is_empty()).collect()
}

#[test]
fn sizes_loops_checks_and_copies_have_their_lines() {
    let unit = plain(SWEEP);
    let text = explain(&unit.stages["sweep"]);
    assert!(text.starts_with("# sweep, line 2\n"), "{text}");
    assert_eq!(section(&text, "Sizes")[0], "λ a: (n, ∘), at: (m, ∘), b: (m, ∘). ((n, ∘) × (m, ∘))");
    assert_eq!(section(&text, "Loops"), ["fold k < m; states: `x` in place", "sum in lanes i < n"]);
    assert_eq!(
        section(&text, "Checks"),
        ["line 6: an element is not known to be below the length `n`", "line 8: `0` may be `m`, the length"]
    );
    assert_eq!(section(&text, "Copies"), ["line 3: `a`, of shape (n, ∘)"]);
    assert_eq!(section(&text, "Temporary arrays"), ["none"]);
    for stage in ["F̃ as written", "F̃ with callees", "F̃ simplified", "F̃ shared", "DPS-F̃", "DPS-F̃ with storage"]
    {
        assert!(!section(&text, stage).is_empty(), "{stage} in\n{text}");
    }
}

/// A host that keeps what it is told.
struct Listener {
    all: bool,
    heard: RefCell<Vec<(String, String)>>,
}

impl Host for Listener {
    fn salt(&self) -> String {
        "test".into()
    }
    fn explains_all(&self) -> bool {
        self.all
    }
    fn explained(&self, kernel: &str, text: &str, _: Option<&str>) {
        self.heard.borrow_mut().push((kernel.into(), text.into()));
    }
}

/// The names of the kernels that are explained where `#[smooth(args)]` is on one.
fn heard(all: bool, args: &str, kernel: &str) -> Vec<String> {
    let host = Listener { all, heard: RefCell::default() };
    let item: TokenStream = kernel.parse().unwrap();
    attribute(args.parse().unwrap(), item, &host);
    host.heard.into_inner().into_iter().map(|(name, _)| name).collect()
}

#[test]
fn a_kernel_is_explained_where_its_attribute_or_the_host_asks() {
    let kernel = "fn twice(x: f64) -> f64 { 2.0 * x }";
    assert!(heard(false, "", kernel).is_empty());
    assert_eq!(heard(false, "explain", kernel), ["twice"]);
    assert_eq!(heard(true, "", kernel), ["twice"]);
    assert!(heard(true, "", "fn twice(x: f64) -> f64 { 2 * x }").is_empty(), "what is rejected is not explained");
    assert!(heard(true, "explain = true", kernel).is_empty());
}

/// The section of the loops of a kernel.
fn loops(kernel: &str) -> String {
    let unit = plain(&format!("#[smooth]\nfn f{kernel}"));
    section(&explain(&unit.stages["f"]), "Loops").join("\n")
}

#[test]
fn loops_say_what_shaped_them() {
    let product = "(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
        build([n, m], |i, j| sum(k, |l| a[i][l] * b[l][j]))
    }";
    assert_eq!(
        loops(product),
        "build i < n; in tiles\n  build j < m; reads large operands from panels; iterations side by side\n    sum in source order l < k"
    );
    let columns = "(a: &[[f64; m]; n]) -> [f64; m] { build(m, |j| sum(n, |i| a[i][j] * a[i][j])) }";
    assert_eq!(loops(columns), "build j < m; iterations side by side\n  sum in source order i < n");
    let stencil = "(a: &[f64; n]) -> [f64; n] {
        build(n, |i| if i == 0 || i + 1 == n { a[i] } else { a[i - 1] + a[i + 1] })
    }";
    assert_eq!(loops(stencil), "build i < n; cut at its borders");
    let masked = "(a: &[f64; n], x: &[f64; n]) -> f64 { sum(n, |i| if a[i] > 0.5 { x[i] } else { 0.0 }) }";
    assert_eq!(loops(masked), "sum in lanes i < n; a branch is a choice of values");
    let state = "(x: f64, n: usize) -> [f64; 3] { ifold(n, [x, 0.0, 1.0], |s, i| [s[1], s[2] * x, s[0] + 1.0]) }";
    assert_eq!(loops(state), "fold i < n; states: `s` in local variables");
    let fill = "(a: &[f64; n]) -> [f64; n] {
        let mut x = [0.0; n];
        for i in 0..n { x[i] = a[i] * 2.0 + 1.0; }
        x
    }";
    assert_eq!(loops(fill), "fold i < n; states: `x` in place\nbuild i < n; not run, since all is written again");
}

#[test]
fn loops_say_why_they_stayed() {
    let table = |element: &str| {
        loops(&format!(
            "(a: &[[f64; k]; n], b: &[[f64; m]; k], c: &[[f64; k]; m], at: &[usize; k]) -> [[f64; m]; n] {{
                build([n, m], |i, j| {element})
            }}"
        ))
    };
    assert_eq!(
        table("sum(k, |l| a[i][l] * c[j][l])"),
        "build i < n; in tiles\n  build j < m; short sums of several rows side by side\n    sum in lanes l < k"
    );
    assert_eq!(
        table("sum(k, |l| (a[i][l] * c[j][l]) % 3.0)"),
        "build i < n; not in tiles, since there is no vector instruction for `%`\n  build j < m\n    sum in lanes l < k"
    );
    assert_eq!(
        table("reduce(k, 0.0, |x, y| x + y * 0.5, |l| a[i][l] * c[j][l])"),
        "build i < n; not in tiles, since it combines by a function, or in lanes in a loop\n  build j < m\n    reduce in lanes l < k"
    );
    assert_eq!(
        table("sum(k, |l| (a[i][l] * b[l][j]) % 3.0)"),
        "build i < n; not in tiles, since there is no vector instruction for `%`\n  build j < m; iterations one by one, \
         since there is no vector instruction for `%`\n    sum in source order l < k"
    );
    assert_eq!(
        table("sum(k, |l| a[i][at[l]] * b[l][j])"),
        "build i < n; not in tiles, since an index in it is checked (line 3)\n  build j < m; iterations side by side\n    sum \
         in source order l < k"
    );
    let row =
        |element: &str| loops(&format!("(a: &[f64; n], m: &[[f64; k]; n]) -> [f64; n] {{ build(n, |i| {element}) }}"));
    assert_eq!(
        row("ifold(i, 0.0, |s, j| s * 0.5 + a[j])"),
        "build i < n; iterations one by one, since the loops in it are not equally long\n  fold j < i; states: `s`"
    );
    assert_eq!(
        row("ifold(k, 0.0, |s, j| s * 0.5 + m[i][j])"),
        "build i < n; iterations one by one, since neighbours are apart in memory\n  fold j < k; states: `s`"
    );
    let masked = "(a: &[f64; n], x: &[f64; m]) -> f64 { sum(n, |i| if a[i] > 0.5 { x[i] } else { 0.0 }) }";
    assert_eq!(
        loops(masked),
        "sum in lanes i < n; with a branch, since a value that is not needed may be out of range, or panic"
    );
    let state = "(x: f64, n: usize) -> [f64; 48] { ifold(n, [x; 48], |s, i| build(48, |j| s[47 - j] * x + s[j])) }";
    assert_eq!(
        loops(state),
        "fold i < n; states: `s` in two buffers, since it has more than 32 numbers\nbuild i < 48\n  build j < 48"
    );
}

#[test]
fn loops_that_end_early_say_whether_they_run_side_by_side() {
    let newton = |step: &str, more: &str| {
        loops(&format!(
            "(a: &[f64; n], at: &[usize; n], limit: u32) -> [f64; n] {{
                build(n, |i| {{
                    let mut x = 1.0;
                    let mut k = 0;
                    while k < limit && {more} {{
                        x = {step};
                        k += 1;
                    }}
                    x
                }})
            }}"
        ))
    };
    let first = |text: String| text.lines().next().unwrap().to_string();
    assert_eq!(
        first(newton("0.5 * (x + a[i] / x)", "x * x - a[i] > 1e-9")),
        "build i < n; iterations side by side until few are left"
    );
    // States of two widths.
    assert_eq!(
        first(newton("0.5 * (x + a[i] / x)", "(x * x - a[i]) as f32 > 1e-9")),
        "build i < n; iterations side by side until few are left, in wide registers"
    );
    let stayed = [
        ("x % 3.0", "x > a[i]", "there is no vector instruction for `%`"),
        ("x * a[at[i]]", "x > 1e-9", "an index in it is checked (line 7)"),
    ];
    for (step, more, reason) in stayed {
        let want = format!("; not side by side, since {reason}");
        assert!(first(newton(step, more)).ends_with(&want), "{}", newton(step, more));
    }
}

#[test]
fn rows_that_are_copied_to_their_places_have_their_lines() {
    let rows = |row: &str, store: &str| {
        let source = format!(
            "#[smooth] fn f(m: &[[f64; k]; n], p: &[usize; n]) -> ([[f64; k]; n], f64) {{
                let mut a = m.clone();
                let mut total = 0.0;
                for i in 1..n {{
                    let row = {row};
                    {store}
                }}
                (a, total)
            }}"
        );
        let text = explain(&plain(&source).stages["f"]);
        section(&text, "Copies").into_iter().skip(1).map(String::from).collect::<Vec<_>>()
    };
    let copied = ["line 6: the row `row`, of shape (k, ∘), to its place"];
    let (built, scanned) =
        ("build(k, |j| a[i - 1][j] + m[i][k - 1 - j])", "scan(k, 0.0, |s, j| 0.5 * s + a[i - 1][j])");
    assert!(rows(built, "a[i] = row;").is_empty());
    assert!(rows("build(k, |j| m[i][k - 1 - j])", "a[p[i]] = row;").is_empty());
    assert_eq!(rows(built, "a[p[i]] = row;"), copied);
    assert_eq!(rows(built, "a[i] = row; for j in 0..k { total += row[j] * row[k - 1 - j]; }"), copied);
    assert_eq!(rows(scanned, "a[p[i]] = row;"), ["line 6: the row `scanned`, of shape (k, ∘), to its place"]);
}

#[test]
fn strided_arguments_are_copied_for_callees() {
    let mut options = Options::default();
    options.layouts.strided = vec![proc_macro2::Ident::new("m", proc_macro2::Span::call_site())];
    assert!(options.switches.set("inline", false));
    let callee = "fn first(x: &[f64; n]) -> f64 { x[0] }";
    let kernel = "fn f(m: &[[f64; k]; n]) -> f64 {
    sum(n, |i| first(&m[i])) + sum(n, |i| first(
        &m[i][1..k]
    ))
}";
    let stages = function(kernel.parse().unwrap(), &plain(&format!("#[smooth] {callee}")), &options);
    let copies = explain(&stages.unwrap_or_else(|e| panic!("{e:?}")));
    assert_eq!(
        section(&copies, "Copies"),
        [
            "line 2: of `m`, which is strided, for a callee: shape (k, ∘)",
            "line 3: of `m`, which is strided, for a callee: shape (k - 1, ∘)"
        ]
    );
}
