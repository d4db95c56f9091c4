//! Facts for index proofs: each with a kernel that keeps no check, and a near twin that keeps its check and panics.

#[path = "facts/bounds.rs"]
mod bounds;
mod common;
#[path = "facts/induction.rs"]
mod induction;

use common::wrapping::wrapping;
use common::{Unit, run_everywhere};
use smooth_core::dps::{self, Step, Term};
use smooth_core::prim::Prim;
use smooth_core::shape::card::{Atom, Op};
use smooth_core::ty::Scalar;
use smooth_core::value::{Array, Lit, Value};

/// The kernel with this body, over arrays of one length and a number.
fn kernel(body: &str) -> Unit {
    common::plain(&format!("#[smooth] fn f(a: &[f64; n], x: &[usize; n], m: usize) -> [f64; n] {{ {body} }}"))
}

/// The number of checks that its loops keep.
fn checks(unit: &Unit) -> usize {
    checks_of(unit, "f")
}

fn checks_of(unit: &Unit, kernel: &str) -> usize {
    let mut n = 0;
    unit.stages[kernel].stored.body.each(&mut |t| {
        let steps = t.views().into_iter().flat_map(|v| &v.steps);
        n +=
            steps.filter(|s| matches!(s, Step::At { check: Some(_), .. } | Step::Range { check: Some(_), .. })).count();
        n += usize::from(matches!(t, Term::InRange(..) | Term::Demand(..)));
    });
    n
}

/// The number of runs on small inputs that panic. No run may read out of range without a check, also in a release build.
fn panics(unit: &Unit) -> usize {
    let stored = &unit.stages["f"].stored;
    let (released, mut panics) = (wrapping(stored), 0);
    for n in 0..6usize {
        for m in 0..7usize {
            // Rising or falling.
            let float = |i: usize| if m.is_multiple_of(2) { i } else { n - 1 - i } as f64 + 0.5;
            let floats = (0..n).map(|i| Value::Scalar(Lit::f64(float(i)))).collect();
            let ints = (0..n).map(|i| Value::Scalar(Lit::usize((7 * i + m) as u64 % 6))).collect();
            let arrays = [Value::collect(Scalar::F64, floats, &[]), Value::collect(Scalar::Usize, ints, &[])];
            let args = arrays.into_iter().chain([Value::Scalar(Lit::usize(m as u64))]).collect::<Vec<_>>();
            panics += usize::from(run_everywhere(unit, "f", &args).is_err());
            if common::sizes::accepted(&unit.stages["f"].companion, &stored.interface.params, &args) {
                let run = dps::eval::run(&released, &args, &common::Others(unit)).map(drop);
                assert!(!run.is_err_and(|e| e.contains("unchecked")), "{}", dps::print::program(stored));
            }
        }
    }
    panics
}

/// Asserts that each body keeps no check, and that its twin does, which panics for some input.
fn facts(pairs: &[(&str, &str)]) {
    for (proved, checked) in pairs {
        let unit = kernel(proved);
        let program = || smooth_core::dps::print::program(&unit.stages["f"].stored);
        assert_eq!(checks(&unit), 0, "{proved}\n{}", program());
        panics(&unit);
        // What always panics is rejected unless a condition decides whether it is evaluated.
        let unit = kernel(&format!("if m < 7 {{ {checked} }} else {{ a.clone() }}"));
        assert_ne!(checks(&unit), 0, "{checked}");
        assert_ne!(panics(&unit), 0, "{checked}");
    }
}

/// Asserts how many checks each body keeps, which panics for some input.
fn facts_of(bodies: &[(&str, usize)]) {
    for (body, kept) in bodies {
        let unit = kernel(body);
        let program = || smooth_core::dps::print::program(&unit.stages["f"].stored);
        assert_eq!(checks(&unit), *kept, "{body}\n{}", program());
        assert_ne!(panics(&unit), 0, "{body}");
    }
}

#[test]
fn conditions_of_branches() {
    facts(&[
        ("build(n, |i| if i > 0 { a[i - 1] } else { 0.0 })", "build(n, |i| if i >= 0 { a[i - 1] } else { 0.0 })"),
        (
            "build(n, |i| if i + 1 < n { a[i + 1] } else { 0.0 })",
            "build(n, |i| if i + 1 <= n { a[i + 1] } else { 0.0 })",
        ),
        (
            "build(n, |i| if i > 0 && i + 1 < n { a[i - 1] + a[i + 1] } else { 0.0 })",
            "build(n, |i| if i > 0 || i + 1 < n { a[i - 1] + a[i + 1] } else { 0.0 })",
        ),
        (
            "build(n, |i| if i == 0 || i == n - 1 { 0.0 } else { a[i - 1] + a[i + 1] })",
            "build(n, |i| if i == 0 || i == n - 2 { 0.0 } else { a[i - 1] + a[i + 1] })",
        ),
        ("build(n, |i| if !(i < 2) { a[i - 2] } else { 0.0 })", "build(n, |i| if !(i < 1) { a[i - 2] } else { 0.0 })"),
        ("build(n, |i| if i != 0 { a[i - 1] } else { 0.0 })", "build(n, |i| if i != 1 { a[i - 1] } else { 0.0 })"),
        ("build(n, |i| if m < n { a[m] } else { a[i] })", "build(n, |i| if m <= n { a[m] } else { a[i] })"),
        ("build(n, |i| if n > m { a[m] } else { a[i] })", "build(n, |i| if n >= m { a[m] } else { a[i] })"),
        (
            "build(n, |i| if x[i] < n { a[x[i]] } else { 0.0 })",
            "build(n, |i| if x[i] < n + 1 { a[x[i]] } else { 0.0 })",
        ),
        (
            "build(n, |i| if m < n && i < m { a[m - i] } else { 0.0 })",
            "build(n, |i| if m < n && i < m { a[m + i] } else { 0.0 })",
        ),
        ("build(n, |i| if i == m { a[m] } else { 0.0 })", "build(n, |i| if i >= m { 0.0 } else { a[m] })"),
        (
            "build(n, |i| { let inside = i >= m && i - m < n; if inside { a[i - m] } else { a[i] } })",
            "build(n, |i| { let inside = i + m >= n; if inside { a[i + m] } else { a[i] } })",
        ),
    ]);
}

/// Guards of rows and columns, and the checks that are left.
const GUARDS: &[(&str, usize)] = &[
    ("build([h, w], |y, x| if x + 3 < w { a[y][x + 2] + a[y][x + 3] } else { 0.0 })", 0),
    ("build([h, w], |y, x| if x >= 2 && x + 9 < w && y + 1 < h { a[y + 1][x + 8] + a[y][x - 2] } else { 0.0 })", 0),
    ("build([h, w], |y, x| if x + 3 >= w { 0.0 } else { b[y][x + 1][1] + a[y][x + 2] })", 0),
    ("build([h, w], |y, x| if x + 3 < w { a[y][x + 4] } else { 0.0 })", 1),
    // Nothing bounds `m`, so that `x + m + 2` may wrap.
    ("build([h, m], |y, x| if x + m + 2 < w { a[y][x + m + 1] } else { 0.0 })", 1),
    ("build([m, w], |y, x| if y < h && x + m + 2 < w { a[y][x + m + 1] } else { 0.0 })", 1),
];

#[test]
fn guards_of_rows() {
    for (body, kept) in GUARDS {
        let result = if body.contains("[h, m]") { "[[f64; m]; h]" } else { "[[f64; w]; h]" };
        let result = if body.contains("[m, w]") { "[[f64; w]; m]" } else { result };
        let unit = common::plain(&format!(
            "#[smooth] fn f(a: &[[f64; w]; h], b: &[[[f64; 2]; w]; h], m: usize) -> {result} {{ {body} }}"
        ));
        let program = || smooth_core::dps::print::program(&unit.stages["f"].stored);
        assert_eq!(checks(&unit), *kept, "{body}\n{}", program());
        for (h, w) in [(0, 5), (3, 0), (1, 1), (2, 4), (3, 12)] {
            let array = |dims: &[usize]| {
                let data = (0..dims.iter().product()).map(|i: usize| Lit::f64(i as f64)).collect();
                Value::Array(Array { elem: Scalar::F64, dims: dims.to_vec(), data })
            };
            let run = run_everywhere(&unit, "f", &[array(&[h, w]), array(&[h, w, 2]), Value::Scalar(Lit::usize(2))]);
            assert!(run.is_ok() || *kept > 0, "{body} for {h} and {w}");
        }
    }
}

#[test]
fn ranges_up_to_a_difference() {
    let sums = |i: &str| format!("let mut b = a.clone(); for i in 1..n.saturating_sub(1) {{ b[i] += a[{i}]; }} b");
    let by_max = |i: &str| format!("let mut b = a.clone(); for i in m..n.max(m + 1) - 1 {{ b[i] += a[{i}]; }} b");
    facts(&[(&sums("i + 1"), &sums("i + 2")), (&by_max("i + 1"), &by_max("i + 2"))]);
    // Such a range may have more numbers than a `usize` counts.
    let steps = |last: &str| format!("let mut b = a.clone(); for i in (0..={last}).step_by(3) {{ b[i] += 1.0; }} b");
    facts(&[(&steps("n - 1"), &steps("n"))]);
}

#[test]
fn operands_of_and_and_or() {
    facts(&[
        (
            "build(n, |i| if i > 0 && a[i - 1] > 1.0 { 1.0 } else { 0.0 })",
            "build(n, |i| if i > 0 || a[i - 1] > 1.0 { 1.0 } else { 0.0 })",
        ),
        (
            "build(n, |i| if i + 1 >= n || a[i + 1] > 1.0 { 1.0 } else { 0.0 })",
            "build(n, |i| if i >= n || a[i + 1] > 1.0 { 1.0 } else { 0.0 })",
        ),
        (
            "build(n, |i| if x[i] > 0 && x[i] <= n && a[x[i] - 1] > 1.0 { 1.0 } else { 0.0 })",
            "build(n, |i| if x[i] > 0 && x[i] <= n && a[x[i]] > 1.0 { 1.0 } else { 0.0 })",
        ),
    ]);
}

/// Nothing is certain to be out of range in a loop that never has an iteration.
#[test]
fn loops_without_iterations_have_no_certain_index() {
    for body in [
        "build(n, |j| sum(m % 1, |k| { let b = build(0 - k, |i| a[i]); sum(0 - k, |i| b[0 - k - 1 - i] * b[i / 2]) }))",
        "build(n, |j| sum(0 - j, |i| a[j + n]))",
        "{ let mut b = a.clone(); for j in 0..n { for i in j..0 { b[i + n] = 0.0; } } b }",
    ] {
        kernel(body);
    }
}

/// In a release build a subtraction may wrap, and then the comparison is of another number.
#[test]
fn differences_that_may_wrap_say_nothing() {
    facts(&[(
        "build(n, |i| if i - 1 < n { a[i - 1] } else { 0.0 })",
        "build(n, |i| if i < n - 1 || m > 3 { a[i + m] } else { 0.0 })",
    )]);
    let kept = |body| assert_ne!(checks(&kernel(body)), 0, "{body}");
    kept("build(n, |i| if m < n - 2 { a[m + 1] } else { 0.0 })");
    kept("build(n, |i| if x[i] + 1 < n { a[x[i]] } else { 0.0 })");
    kept("build(n, |i| if i - 2 < n { a[i - 1] } else { 0.0 })");
    kept("build(n, |i| if m * m < n { a[m] } else { 0.0 })");
}

#[test]
fn bounded_indices() {
    facts(&[
        ("build(n, |i| a[i.saturating_sub(1)])", "build(n, |i| a[(i + 1).saturating_sub(m)])"),
        ("build(n, |i| a[(i + 1).min(n - 1)])", "build(n, |i| a[(i + 1).min(n)])"),
        ("build(n, |i| a[(i + m).clamp(0, n - 1)])", "build(n, |i| a[(i + m).clamp(0, n)])"),
        ("build(n, |i| a[(i + m) % n])", "build(n, |i| a[(i + m) % (n + 1)])"),
        ("build(n, |i| a[x[i] % n])", "build(n, |i| a[x[i] % (n + 1)])"),
        ("build(n, |i| a[x[i].min(n - 1)])", "build(n, |i| a[x[i].min(n)])"),
        ("build(n, |i| a[x[i].rem_euclid(n)])", "build(n, |i| a[x[i].div_euclid(n)])"),
        (
            "build(n, |i| { let k = x[i].min(n - 1); a[k] + a[n - 1 - k] })",
            "build(n, |i| { let k = x[i].min(n - 1); a[k] + a[n - k] })",
        ),
        (
            "build(n, |i| { let t = [1.0, 2.0, 3.0, 4.0]; t[x[i] & 3] })",
            "build(n, |i| { let t = [1.0, 2.0, 3.0, 4.0]; t[x[i] & 5] })",
        ),
    ]);
}

#[test]
fn values_that_a_condition_chooses() {
    facts(&[
        (
            "build(n, |i| { let l = if i == 0 { n - 1 } else { i - 1 }; a[l] * a[l] })",
            "build(n, |i| { let l = if i == 0 { n } else { i - 1 }; a[l] * a[l] })",
        ),
        (
            "build(n, |i| { let r = if i + 1 < n { i + 1 } else { 0 }; a[r] * a[r] })",
            "build(n, |i| { let r = if i + 1 < n { i + 2 } else { 0 }; a[r] * a[r] })",
        ),
        ("build(n, |i| a[if x[i] < n { x[i] } else { i }])", "build(n, |i| a[if x[i] <= n { x[i] } else { i }])"),
        (
            "build(n, |i| { let j = x[i]; if j < n { a[j] + a[n - 1 - j] } else { 0.0 } })",
            "build(n, |i| { let j = x[i]; if j < n { a[j] + a[n - j] } else { 0.0 } })",
        ),
    ]);
}

#[test]
fn earlier_checks() {
    facts_of(&[
        ("build(n, |i| a[i + m] * a[i + m])", 1),
        ("build(n, |i| a[x[i]] + a[x[i]])", 1),
        ("build(n, |i| { let j = x[i]; a[j] + x[j] as f64 })", 1),
        ("build(n, |i| a[i + m] + x[i + m] as f64)", 1),
        ("build(n, |i| a[m] + a[m - 1])", 2),
        ("build(n, |i| if m > 0 { a[m] + a[m - 1] } else { 0.0 })", 1),
        ("build(n, |i| if a[m] > 1.0 { a[m] } else { x[m] as f64 })", 1),
        ("build(n, |i| if i > 1 { a[m] } else { x[m] as f64 })", 2),
        ("build(n, |i| if i > 1 && a[m] > 0.5 { a[m] } else { a[i] })", 1),
        ("build(n, |i| if i > 1 || a[m] > 0.5 { a[m] } else { a[i] })", 2),
        ("build(n, |i| sum(m, |k| a[k + m]) + a[m])", 2),
        ("build(n, |i| a[m] + sum(m, |k| a[k] * a[m]))", 1),
    ]);
}

#[test]
fn entry_checks() {
    let of = |body: &str| {
        common::plain(&format!(
            "#[smooth] fn dot(a: &[f64; n], b: &[f64; n]) -> f64 {{ sum(n, |i| a[i] * b[i]) }}
             #[smooth] fn f(a: &[f64; n], b: &[f64; m]) -> f64 {{ {body} }}"
        ))
    };
    let equal = of("dot(a, b) + sum(n, |i| b[i])");
    assert_eq!((equal.stages["f"].companion.checks.len(), checks(&equal)), (1, 0));
    let open = of("sum(n, |i| b[i])");
    assert_eq!(checks(&open), 1);
    // Slices and sizes, unless a condition decides whether they are evaluated.
    let sums = |slice: &str, rest: &str| {
        format!("let c = {slice}; let s = sum(c.len(), |i| c[i]) + {rest}; build(n, |i| s * a[i])")
    };
    facts_of(&[
        (&sums("&a[..m]", "sum(m, |i| a[i])"), 0),
        (&sums("&a[..m]", "sum(m + 1, |i| a[i])"), 1),
        (&sums("&a[m..]", "sum(n - m, |i| a[i + m])"), 0),
        (&sums("&a[m - 2..m]", "a[m - 2]"), 0),
        (&sums("&a[m - 2..m]", "a[m]"), 1),
        ("let s = if m > 3 { sum(m, |i| a[..m][i]) } else { 0.0 }; let t = sum(m, |i| a[i]); build(n, |i| s + t)", 2),
        ("let s = build(n - 2, |i| a[i]); let t = a[0] + a[1]; build(n, |i| t + sum(n - 2, |i| s[i] * s[i]))", 0),
        ("let s = build(n - 1, |i| a[i]); let t = a[0] + a[1]; build(n, |i| t + sum(n - 1, |i| s[i] * s[i]))", 1),
    ]);
}

/// The kernel with this body, and two that check a slice and a size at entry.
fn under_a_condition(attribute: &str, body: &str) -> Unit {
    common::plain(&format!(
        "#[smooth] fn head(a: &[f64; n], k: usize) -> f64 {{ let c = &a[..k]; sum(k, |i| a[i] + c[i]) }}
             #[smooth] fn tail(a: &[f64; n], k: usize) -> f64 {{
                 let t = build(n - k, |i| a[i + k] * 2.0); sum(n - k, |i| t[i]) + sum(n - k, |i| t[i] * t[i])
             }}
             #[smooth{attribute}]
             fn f(a: &[f64; n], x: &[usize; n], m: usize) -> [f64; n] {{ {body} }}"
    ))
}

/// A call under a condition performs the checks of its callee, which the callee's body relies on.
#[test]
fn calls_under_conditions() {
    for (body, kept) in [
        ("let s = head(a, m); build(n, |i| s)", 0),
        ("let s = if m > 2 { head(a, m) } else { 0.0 }; build(n, |i| s)", 1),
        ("let s = if m <= n { head(a, m) } else { a[n] }; build(n, |i| s)", 1),
        ("build(n, |i| if i > 0 { head(a, m) } else { 0.0 })", 1),
        ("build(n, |i| head(a, i + 1) + head(&a[i..], m))", 1),
        ("let s = tail(a, m); build(n, |i| s)", 0),
        ("let s = if n > 2 { tail(a, m) } else { 0.0 }; build(n, |i| s)", 1),
        ("let s = if n > 2 && m > 0 || m < n { tail(a, m) } else { a[0] }; build(n, |i| s)", 2),
        ("let s = if n >= m { tail(a, m) } else { a[n] }; build(n, |i| s)", 1),
    ] {
        for attribute in ["", "(passes(inline = false))"] {
            let unit = under_a_condition(attribute, body);
            let program = || smooth_core::dps::print::program(&unit.stages["f"].stored);
            assert_eq!(checks(&unit), kept, "{attribute} {body}\n{}", program());
            assert_ne!(panics(&unit), 0, "{body}");
            for callee in ["head", "tail"] {
                assert_eq!(checks_of(&unit, callee), 0);
            }
        }
    }
}

/// A slice of an array that is built is read with an offset, after a check.
#[test]
fn slices_of_built_arrays() {
    let blocks = |unit: &Unit| unit.stages["f"].stored.body.count(|t| matches!(t, Term::Alloc(_)));
    let of = |rest: &str| format!("let d = build(n, |i| a[i].sqrt() + 1.0); {rest}");
    let sum = "let s = sum(c.len(), |i| c[i]);";
    for (rest, kept, stored) in [
        (format!("let c = &d[1..]; {sum} build(n, |i| s)"), 0, 0),
        (format!("let c = &d[..m]; {sum} build(n, |i| s)"), 0, 0),
        (format!("let c = &d[m..n - 1]; {sum} build(n, |i| s)"), 0, 0),
        (format!("let s = if m > 2 {{ let c = &d[1..]; {sum} s }} else {{ 0.0 }}; build(n, |i| s)"), 1, 0),
        (format!("let s = if m > 2 {{ let c = &d[m..]; {sum} s }} else {{ 0.0 }}; build(n, |i| s)"), 1, 0),
        (format!("let s = if m <= n {{ let c = &d[m..]; {sum} s }} else {{ a[n] }}; build(n, |i| s)"), 1, 0),
        // It might need more memory than the array.
        (format!("let s = if n > 2 {{ let c = &d[..m]; {sum} s }} else {{ 0.0 }}; build(n, |i| s)"), 1, 1),
        ("let c = &d[1..]; build(n, |i| if i > 0 { c[i - 1] } else { 0.0 })".into(), 0, 0),
        ("let c = &d[1..]; build(n, |i| if i > 0 { c[i] } else { 0.0 })".into(), 1, 1),
    ] {
        let unit = kernel(&of(&rest));
        let program = || smooth_core::dps::print::program(&unit.stages["f"].stored);
        assert_eq!((checks(&unit), blocks(&unit)), (kept, stored), "{rest}\n{}", program());
        assert_ne!(panics(&unit), 0, "{rest}");
    }
    // A check in a loop keeps no term there that is the same in each iteration.
    let unit = kernel(&of(
        "build(n, |i| { let c = &d[1..]; let s = sum(n, |k| a[k].exp()); s + if i > 0 { c[i - 1] } else { 0.0 } })",
    ));
    let loops = |t: &Term| matches!(t, Term::Build(b) if b.body.any(&|t| matches!(t, Term::Reduce(_))));
    assert_eq!(unit.stages["f"].stored.body.count(loops), 0);
}

/// Each check that remains has a reason.
#[test]
fn remaining_checks_have_reasons() {
    let reasons = |body: &str| -> Vec<String> {
        let unit = kernel(body);
        let s = &unit.stages["f"];
        let kept = smooth_core::storage::remaining(&s.stored, &s.companion.checks);
        assert_eq!(kept.len(), checks(&unit));
        kept.into_iter().map(|r| r.reason).collect()
    };
    assert_eq!(reasons("build(n, |i| if m < 7 { a[i + 1] } else { 0.0 })"), ["`i + 1` may be `n`, the length"]);
    assert_eq!(
        reasons("build(n, |i| if m < 7 { a[i - 1] } else { 0.0 })"),
        ["`i - 1` may be negative, for a length of `n`"]
    );
    assert_eq!(reasons("build(n, |i| a[i + m])"), ["`m + i` is not known to be below the length `n`"]);
    assert_eq!(reasons("build(n, |i| a[x[i]])"), ["an element is not known to be below the length `n`"]);
    assert_eq!(reasons("build(n, |i| a[x[i] >> 1])"), ["`(an element) / 2` is not known to be below the length `n`"]);
    assert_eq!(reasons("build(n, |i| a[x[i] ^ 1])"), ["the index depends on data, for a length of `n`"]);
    assert_eq!(reasons("build(n, |i| if i > 0 { a[i - 1] } else { 0.0 })"), [""; 0]);
    assert_eq!(
        reasons("let s = if n > 2 { let c = &a[..m]; sum(m, |i| c[i]) } else { 0.0 }; build(n, |i| s)"),
        ["the ends of this slice of n elements are not known to be in order and in range"]
    );
    let unit = under_a_condition("", "let s = if n > 2 { tail(a, m) } else { 0.0 }; build(n, |i| s)");
    let s = &unit.stages["f"];
    let kept = smooth_core::storage::remaining(&s.stored, &s.companion.checks);
    assert_eq!(kept.into_iter().map(|r| r.reason).collect::<Vec<_>>(), ["the size `n - m` may be negative"]);
}

/// Parts of tuples have names in proofs only: no pass looks for their binders.
#[test]
fn parts_of_states_are_indices() {
    let unit = kernel(
        "let y = build(n, |i| a[i] + 1.5);
         let (q, s) = ifold(3, (m + 1, 0.5), |(q, s), i| (q.max(i), s * 0.5 + if n > 0 { y[q % n] } else { 0.0 }));
         build(n, |i| y[q % n] + s)",
    );
    assert_eq!(checks(&unit), 0);
    panics(&unit);
}

#[test]
fn statements() {
    facts(&[
        (
            "let mut y = [0.0; n]; for i in 1..n { y[i] = a[i - 1] + y[i - 1]; } y",
            "let mut y = [0.0; n]; for i in 0..n { y[i] = a[i] + y[i - 1]; } y",
        ),
        (
            "let mut y = a.clone(); let mut i = 0; while i < n { y[i] += 1.0; i += 1; } y",
            "let mut y = a.clone(); let mut i = 0; while i <= n { y[i] += 1.0; i += 1; } y",
        ),
        (
            "let mut y = a.clone(); for i in (1..n).rev() { y[i] = y[i - 1]; } y",
            "let mut y = a.clone(); for i in (0..n).rev() { y[i] = y[i - 1]; } y",
        ),
        (
            "let mut y = a.clone(); for i in (1..n).step_by(2) { y[i] += y[i - 1]; } y",
            "let mut y = a.clone(); for i in (0..n).step_by(2) { y[i] += y[i + 1]; } y",
        ),
        (
            "let mut y = [0.0; n]; for i in 0..n { let j = x[i]; if j >= n { continue; } y[j] += a[i]; } y",
            "let mut y = [0.0; n]; for i in 0..n { let j = x[i]; if j > n { continue; } y[j] += a[i]; } y",
        ),
        (
            "let mut y = [0.0; n]; for i in 0..n { for k in x[i]..m { if k < n { y[i] += a[k]; } } } y",
            "let mut y = [0.0; n]; for i in 0..n { for k in x[i]..m { if k <= n { y[i] += a[k]; } } } y",
        ),
        (
            "let mut y = [0.0; n]; let mut i = 0; loop { if i >= n { break; } y[i] = a[n - 1 - i]; i += 1; } y",
            "let mut y = [0.0; n]; let mut i = 0; loop { if i > n { break; } y[i] = a[n - 1 - i]; i += 1; } y",
        ),
    ]);
}

/// An array that is read at a place that a condition proves is never built.
#[test]
fn fusion_under_conditions() {
    let blocks = |body: &str| kernel(body).stages["f"].stored.body.count(|t| matches!(t, Term::Alloc(_)));
    let next = |condition: &str| {
        format!("let d = build(n, |i| a[i] * 2.0); build(n, |i| if {condition} {{ d[i + 1] }} else {{ 0.0 }})")
    };
    assert_eq!(blocks(&next("i + 1 < n")), 0);
    assert_eq!(blocks(&next("i + 1 <= n")), 1);
    assert_eq!(blocks(&next("i < m && n > i + 1")), 0);
    assert_eq!(blocks(&next("i < m || n > i + 1")), 1);
}

/// The number of elements that innermost folds set.
fn sets(unit: &Unit) -> usize {
    let mut n = 0;
    unit.stages["f"].stored.body.each(&mut |t| {
        if let Term::Fold(f) = t
            && f.step.count(Term::is_loop) == 0
        {
            n += f.step.count(|t| matches!(t, Term::Set(..)));
        }
    });
    n
}

#[test]
fn elements_that_loops_keep_are_numbers() {
    let row = |each: &str| format!("let mut b = a.clone(); for i in 0..n {{ for k in 0..m {{ {each} }} }} b");
    for (each, kept) in [
        ("b[i] += a[x[k]] * 2.0;", 0),
        ("b[i] += a[x[k]]; if b[i] > 4.0 { b[i] -= 4.0; }", 0),
        ("if a[k] > 1.0 { b[i] -= a[k]; }", 0),
        ("let s = b[i] * 2.0; b[i] = s + a[k];", 0),
        ("if a[k] > 1.0 { b[i] -= a[k]; } else { b[i] = 0.0; }", 0),
        // Other places are read or written, or the place varies.
        ("b[i] += b[k];", 1),
        ("b[k] += 1.0;", 1),
        ("b[i] += 1.0; b[k] += 1.0;", 2),
        ("b[x[i]] += a[k]; b[i] += 1.0;", 2),
        ("b[x[k]] += 1.0;", 1),
    ] {
        let unit = kernel(&row(each));
        assert_eq!(sets(&unit), kept, "{each}\n{}", smooth_core::dps::print::program(&unit.stages["f"].stored));
        panics(&unit);
    }
    // In range only if there is an iteration, and only where the loop has not ended.
    for body in [
        "let mut b = a.clone(); for k in 0..n { b[0] += a[k]; } b",
        "let mut b = a.clone(); for k in m..n { b[m] += a[k]; } b",
        "let mut b = a.clone(); let mut k = 0; while k < n { b[0] += a[k]; k += 1; } b",
    ] {
        let unit = kernel(body);
        assert_eq!(sets(&unit), 1, "{body}");
        panics(&unit);
    }
    let two = "for k in 0..m { b[i] += a[k]; s += a[k]; }";
    let numbers = kernel(&format!("let mut b = a.clone(); let mut s = 0.0; for i in 0..n {{ {two} b[i] *= s; }} b"));
    assert_eq!(sets(&numbers), 0, "{}", smooth_core::dps::print::program(&numbers.stages["f"].stored));
    panics(&numbers);
}

/// The number of remainders that innermost folds compute.
fn remainders(unit: &Unit) -> usize {
    let mut n = 0;
    unit.stages["f"].stored.body.each(&mut |t| {
        if let Term::Fold(f) = t
            && f.step.count(Term::is_loop) == 0
        {
            n += f.step.count(|t| match t {
                Term::Prim(p, ..) => *p == Prim::Rem,
                Term::Size(c, _) => c.atoms().iter().any(|a| matches!(a, Atom::Op(Op::Rem, ..))),
                _ => false,
            });
        }
    });
    n
}

#[test]
fn divisions_leave_the_loops_that_do_not_change_them() {
    let row = |each: &str| format!("let mut b = a.clone(); for i in 0..n {{ for k in 0..m {{ {each} }} }} b");
    for (each, kept) in [
        ("b[k % n] += a[(i + 1) % n] * 2.0;", 1),
        ("b[i] += a[(i + 1) % n] + a[(i + 2) % n];", 0),
        ("let j = (i + m) % n; b[j] += a[k % n];", 1),
        // In a branch it may not be evaluated.
        ("if a[k % n] > 1.0 { b[i] += a[(i + 1) % n]; }", 2),
    ] {
        let unit = kernel(&row(each));
        assert_eq!(remainders(&unit), kept, "{each}\n{}", smooth_core::dps::print::program(&unit.stages["f"].stored));
        panics(&unit);
    }
    // Nor is a loop entered that ends by its test.
    let unit = kernel("let mut b = a.clone(); let mut k = 0; while k < n { b[m % n] += a[k]; k += 1; } b");
    assert_eq!(remainders(&unit), 1);
    panics(&unit);
}
