//! Explanations of kernels.

mod common;

use common::{function, plain};
use proc_macro2::TokenStream;
use smooth_core::expand::{Host, attribute};
use smooth_core::explain;
use smooth_core::explain::stages;
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
    assert_eq!(section(&text, "Sizes")[0], "a [n], at [m], b [m]; the result: [n], the last `b`");
    assert_eq!(
        section(&text, "Loops"),
        [
            "fold k < m; states: `x` in place; in order, since each iteration needs `x` of the one before (line 6)",
            "sum in lanes i < n"
        ]
    );
    assert_eq!(
        section(&text, "Checks"),
        ["line 6: an element is not known to be below the length `n`", "line 8: `0` may be `m`, the length"]
    );
    assert_eq!(section(&text, "Copies"), ["line 3: `a`, of shape (n, ∘)"]);
    assert_eq!(section(&text, "Temporary arrays"), ["none"]);
    assert!(!text.contains("F̃"), "no notation of a stage in\n{text}");
    let text = stages(&unit.stages["sweep"]);
    for stage in ["F̃ as written", "F̃ with callees", "F̃ simplified", "F̃ shared", "DPS-F̃", "DPS-F̃ with storage"]
    {
        assert!(!section(&text, stage).is_empty(), "{stage} in\n{text}");
    }
}

/// A host that keeps the explanations.
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

/// The explanation of a kernel under `#[smooth(args)]`, with its name.
fn said(all: bool, args: &str, kernel: &str) -> Vec<(String, String)> {
    let host = Listener { all, heard: RefCell::default() };
    let item: TokenStream = kernel.parse().unwrap();
    attribute(args.parse().unwrap(), item, &host);
    host.heard.into_inner()
}

/// The names of the kernels that are explained where `#[smooth(args)]` is on one.
fn heard(all: bool, args: &str, kernel: &str) -> Vec<String> {
    said(all, args, kernel).into_iter().map(|(name, _)| name).collect()
}

#[test]
fn the_stages_are_shown_where_the_attribute_asks_for_them() {
    let kernel = "fn twice(a: &[f64; n]) -> [f64; n] { build(n, |i| 2.0 * a[i]) }";
    let [short, long] = ["explain", "explain = \"stages\""].map(|args| said(false, args, kernel).remove(0).1);
    assert!(short.lines().count() < 35 && !short.contains('λ'), "{short}");
    assert!(long.starts_with(&short) && long.contains("\n## DPS-F̃\n"), "{long}");
    assert_eq!(said(true, "", kernel), said(true, "explain", kernel));
}

/// The text under each heading of a kernel is about that kernel.
#[test]
fn derivatives_have_stages_of_their_own() {
    let kernel = "fn cube(x: f64) -> f64 { x * x * x }";
    let [short, long] = ["jvp, explain", "jvp, explain = \"stages\""].map(|args| said(false, args, kernel).remove(0).1);
    let [(own, derivative), (own_stages, its_stages)] =
        [&short, &long].map(|text| text.split_once("\n# cube::jvp").expect("a heading"));
    assert!(own_stages.starts_with(own) && its_stages.starts_with(derivative), "{long}");
    for text in [own_stages, its_stages] {
        assert_eq!(text.matches("## F̃ as written").count(), 1, "{text}");
    }
    assert!(its_stages.contains("d_x") && !own_stages.contains("d_x"), "{long}");
}

#[test]
fn a_kernel_is_explained_where_its_attribute_or_the_host_asks() {
    let kernel = "fn twice(x: f64) -> f64 { 2.0 * x }";
    assert!(heard(false, "", kernel).is_empty());
    assert_eq!(heard(false, "explain", kernel), ["twice"]);
    assert_eq!(heard(true, "", kernel), ["twice"]);
    assert!(heard(true, "", "fn twice(x: f64) -> f64 { 2 * x }").is_empty(), "what is rejected is not explained");
    assert!(heard(true, "explain = true", kernel).is_empty());
    assert_eq!(heard(false, "explain = \"stages\"", kernel), ["twice"]);
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
        "build i < n; in tiles\n  build j < m; reads large operands from panels; iterations side by side\n    \
         sum in source order l < k; its sums in registers"
    );
    let columns = "(a: &[[f64; m]; n]) -> [f64; m] { build(m, |j| sum(n, |i| a[i][j] * a[i][j])) }";
    assert_eq!(
        loops(columns),
        "build j < m; iterations side by side\n  sum in source order i < n; its sums in registers"
    );
    let stencil = "(a: &[f64; n]) -> [f64; n] {
        build(n, |i| if i == 0 || i + 1 == n { a[i] } else { a[i - 1] + a[i + 1] })
    }";
    assert_eq!(loops(stencil), "build i < n; cut at its borders");
    let masked = "(a: &[f64; n], x: &[f64; n]) -> f64 { sum(n, |i| if a[i] > 0.5 { x[i] } else { 0.0 }) }";
    assert_eq!(loops(masked), "sum in lanes i < n; a branch is a choice of values");
    let state = "(x: f64, n: usize) -> [f64; 3] { ifold(n, [x, 0.0, 1.0], |s, i| [s[1], s[2] * x, s[0] + 1.0]) }";
    assert_eq!(
        loops(state),
        "fold i < n; states: `s` in local variables; in order, since each iteration needs `s` of the one before (line 2)"
    );
    let fill = "(a: &[f64; n]) -> [f64; n] {
        let mut x = [0.0; n];
        for i in 0..n { x[i] = a[i] * 2.0 + 1.0; }
        x
    }";
    assert_eq!(
        loops(fill),
        "fold i < n; states: `x` in place; iterations in any order\nbuild i < n; not run, since all is written again"
    );
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
        "build i < n; in tiles\n  build j < m; several rows side by side\n    sum in lanes l < k"
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
        "build i < n; not in tiles, since an index in it is checked (line 3): an index in bounds by itself, as in `.min(n - 1)`, \
         needs no check\n  build j < m; iterations side by side\n    sum \
         in source order l < k; its sums in registers"
    );
    let row =
        |element: &str| loops(&format!("(a: &[f64; n], m: &[[f64; k]; n]) -> [f64; n] {{ build(n, |i| {element}) }}"));
    assert_eq!(
        row("ifold(i, 0.0, |s, j| s * 0.5 + a[j])"),
        "build i < n; iterations one by one, since the loops in it are not equally long\n  fold j < i; states: `s`; in order, since each iteration needs `s` of the one before (line 2)"
    );
    assert_eq!(
        row("ifold(k, 0.0, |s, j| s * 0.5 + m[i][j])"),
        "build i < n; iterations one by one, since neighbours along `i` are apart in `m`: an array with that axis last, such as a \
         transposed one, would do; several rows side by side\n  fold j < k; states: `s`"
    );
    let masked = "(a: &[f64; n], x: &[f64; m]) -> f64 { sum(n, |i| if a[i] > 0.5 { x[i] } else { 0.0 }) }";
    assert_eq!(
        loops(masked),
        "sum in lanes i < n; with a branch, since a value that is not needed may be out of range, or panic"
    );
    let state = "(x: f64, n: usize) -> [f64; 48] { ifold(n, [x; 48], |s, i| build(48, |j| s[47 - j] * x + s[j])) }";
    assert_eq!(
        loops(state),
        "fold i < n; states: `s` in two buffers, since it has more than 32 numbers; in order, since each iteration needs `s` of the \
         one before\nbuild i < 48\n  build j < 48"
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
        (
            "x * a[at[i]]",
            "x > 1e-9",
            "an index in it is checked (line 7): an index in bounds by itself, as in `.min(n - 1)`, needs no check",
        ),
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

#[test]
fn loops_around_folds_name_their_obstacle() {
    let row = |body: &str| {
        let params =
            "a: &[f64; n], b: &[f64; n], c: &[f64; k], m: &[[f64; n]; k], limit: &[u32; n], g: impl Fn(f64) -> f64";
        let text = loops(&format!("({params}) -> [f64; n] {{ build(n, |i| {{ {body} }}) }}"));
        text.lines().next().unwrap().to_string()
    };
    let stayed = |reason: &str| format!("build i < n; iterations one by one, since {reason}");
    let side_by_side = "build i < n; iterations side by side";
    // Where the explanation suggests another text, the next claim has it.
    assert_eq!(
        row("ifold(n, 0.0, |s, j| s * 0.5 + if j < i { a[j] } else { 0.0 })"),
        stayed(
            "the index `i` is a number in it, besides what it indexes: numbers from an array that is an argument would do"
        )
    );
    assert_eq!(row("ifold(n, 0.0, |s, j| s * 0.5 + if a[j] < b[i] { 1.0 } else { 0.0 })"), side_by_side);
    assert_eq!(
        row("ifold(k, 0.0, |s, j| s * 0.5 + if m[j][i] > 0.0 { a[i].sin() } else { b[i].exp() })"),
        stayed(
            "a branch in it reads what the other one does not: values that are read before the `if`, which then chooses one, \
             would do"
        )
    );
    let chosen =
        "let (x, y) = (a[i].sin(), b[i].exp()); ifold(k, 0.0, |s, j| s * 0.5 + if m[j][i] > 0.0 { x } else { y })";
    assert_eq!(row(chosen), side_by_side);
    assert_eq!(row("ifold(k, 0.0, |s, j| s * 0.5 + m[j][i])"), side_by_side);
    assert_eq!(
        row("ifold(n, 0.0, |s, j| g(s * 0.5 + a[j]) + a[i])"),
        stayed("it calls a function that is not joined in")
    );
    let ends = "let mut s = 0.0;
        for j in 0..n {
            let (mut x, mut k) = (1.0, 0);
            while k < limit[j] && x < a[i] { x *= 1.5; k += 1; }
            s = 0.5 * s + x;
        }
        s";
    assert_eq!(row(ends), stayed("a loop in it may end early"));
    let states = |n: usize| (0..n).map(|k| format!("x{k}")).collect::<Vec<_>>();
    let large = |n: usize| {
        let lets: String = states(n).iter().map(|x| format!("let mut {x} = a[i];")).collect();
        let next: String = states(n).windows(2).map(|x| format!("{} = {} * c[j] + {};", x[0], x[1], x[0])).collect();
        format!("{lets} for j in 0..k {{ {next} }} {}", states(n).join(" + "))
    };
    assert_eq!(row(&large(40)), stayed("its body is too large"));
    assert_eq!(row(&large(4)), side_by_side);
}

#[test]
fn loops_in_order_say_what_an_iteration_needs() {
    let in_order = |body: &str| {
        let text = loops(&format!("(a: &[f64; n], b: &mut [f64; n], at: &[usize; n]) -> f64 {{\n{body} }}"));
        text.lines().next().unwrap().split_once("; in order, ").map(|(_, reason)| reason.to_string())
    };
    let sum = "let mut s = 0.0; for i in 0..n {\n s += a[i]; } s";
    let needs = |what: &str| Some(format!("since each iteration needs {what} of the one before"));
    assert_eq!(in_order(sum), needs("`s`").map(|t| t + " (line 4): `sum(n, |i| …)` adds in lanes instead"));
    let largest = "let mut s = 0.0; for i in 0..n { s = s.max(a[i]); } s";
    assert_eq!(in_order(largest), needs("`s`").map(|t| t + " (line 3): `max(n, |i| …)` compares in lanes instead"));
    // Not a sum of terms that can be computed one by one.
    let decay = "let mut s = 0.0; for i in 0..n { s = 0.5 * s + a[i]; } s";
    assert_eq!(in_order(decay), needs("`s`").map(|t| t + " (line 3)"));
    let two = "let (mut x, mut y) = (0.0, 1.0); for i in 0..n { x = a[i];\n y = 0.5 * y + x; } x + y";
    assert_eq!(in_order(two), needs("a value").map(|t| t + " (line 4)"));
    assert_eq!(in_order("for i in 1..n { b[i] += b[i - 1]; } 0.0"), needs("`b`").map(|t| t + " (line 3)"));
    assert_eq!(in_order("for i in 0..n { b[at[i]] += 1.0; } 0.0"), needs("`b`").map(|t| t + " (line 3)"));
    let halves = "let mut x = a[0]; while x > 1.0 { x = 0.5 * x; } x";
    assert_eq!(in_order(halves), Some("since each iteration decides whether there is a next one".into()));
    // Each element depends only on its own old value.
    assert_eq!(in_order("for i in 0..n { b[i] = 0.5 * b[i] + a[i]; } 0.0"), None);
    let last = Some("since it assigns a number from outside".to_string());
    assert_eq!(in_order("let mut s = 0.0; for i in 0..n { b[i] -= a[i]; s = a[i]; } s"), last);
}

#[test]
fn tables_states_and_threads_say_why_they_stayed() {
    let rows = "(t: &[[[f64; m]; k]; n]) -> [[f64; m]; n] { build([n, m], |i, j| sum(k, |l| t[i][l][j])) }";
    assert!(loops(rows).starts_with("build i < n; not in tiles, since its rows share nothing that they read\n"));
    let shifted = "(x: f64, n: usize, k: usize) -> [f64; 8] {
        ifold(n, [x; 8], |s, i| build(8, |j| s[(j + k) % 8] * x + s[j]))
    }";
    let state = "fold i < n; states: `s` in two buffers, since an index of it is not constant; in order, ";
    assert!(loops(shifted).starts_with(state), "{}", loops(shifted));
    // The row's length is that of the loop around it.
    let options = Options { parallel: Some(64), ..Options::default() };
    let kernel = "fn f(a: &[f64; n]) -> [f64; n] {
        build(n, |i| { let x = scan(i, 0.0, |s, j| s * 0.5 + a[j]); sum(i, |j| x[j] * x[i - 1 - j]) })
    }";
    let stages = function(kernel.parse().unwrap(), &plain("#[smooth] fn g(x: f64) -> f64 { x }"), &options);
    let text = explain(&stages.unwrap_or_else(|e| panic!("{e:?}")));
    let reason = "on one thread, since the memory that its iterations need is not known at entry";
    assert!(section(&text, "Loops")[0].ends_with(reason), "{text}");
}

#[test]
fn a_loop_that_asserts_says_where() {
    let said = |condition: &str| {
        let text = format!(
            "fn f(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {{\nbuild([n, m], |i, j| sum(k, |l| {{\n\
             assert!({condition});\na[i][l] * b[l][j] }})) }}"
        );
        let unit = plain(&format!("#[smooth] {text}"));
        section(&explain(&unit.stages["f"]), "Loops").join("\n")
    };
    let apart = said("a[i][l] > 0.0");
    assert!(apart.contains("since each iteration asserts something (line 3)"), "{apart}");
    // What is the same in each iteration is asserted before.
    let once = said("k > 2");
    assert!(once.contains("in tiles") && !once.contains("asserts"), "{once}");
}
