//! Facts about the states of loops, and about numbers that branches choose.

use super::{checks, common, facts, kernel, panics};
use smooth_core::dps;

/// Nested branches choose a number: in one of four it is out of range, so the check stays.
#[test]
fn numbers_of_nested_branches() {
    let of = |values: [&str; 4], more: &str| {
        let [p, q, r, s] = values;
        format!(
            "let mut y = a.clone(); let mut k = 0; for i in 0..n {{
             let v = if a[i] > 2.0 {{ if m > 2 {{ {p} }} else {{ {q} }} }} else {{ if m > 4 {{ {r} }} else {{ {s} }} }};
             y[v] += a[v]; {more} }} y"
        )
    };
    let good = ["i", "n - 1", "n - 1 - i", "k"];
    for more in ["", "if a[i] > 1.0 { k += 1; }"] {
        for wrong in 0..4 {
            let mut values = good;
            values[wrong] = ["i + 1", "n", "n - i", "k + 1"][wrong];
            if wrong == 3 && more.is_empty() {
                values[wrong] = "k + n";
            }
            facts(&[(&of(good, more), &of(values, more))]);
        }
    }
    // A condition that another branch tests, or tested before the number changed, says nothing.
    let kept = |body: &str| {
        let unit = kernel(body);
        assert_ne!(checks(&unit), 0, "{body}\n{}", dps::print::program(&unit.stages["f"].stored));
        assert_ne!(panics(&unit), 0, "{body}");
    };
    kept(
        "let mut y = a.clone(); let mut k = m; for i in 0..n { let v = if k < n { k } else { 0 }; k += 1; y[v] = a[k]; } y",
    );
    kept("let mut y = a.clone(); let mut k = 0; for i in 0..n { if k < n { k += m; } y[k] = 1.0; } y");
    kept(
        "let mut y = a.clone(); let mut k = 0; for i in 0..n {
         let v = if m > 3 { if k < n { k } else { 0 } } else { k }; y[v] = 1.0; k += 2; } y",
    );
    kept(
        "let mut y = a.clone(); let mut v = 0; for i in 0..n {
         if m > 3 { if m < n { v = m; } else { v = 0; } } else { v = n; } y[v] = 1.0; } y",
    );
    kept(
        "let mut y = a.clone(); for i in 0..n {
         let v = if a[i] > 1.0 { if m < n { m } else { i } } else { if m < n { i } else { m } }; y[v] = 1.0; } y",
    );
}

/// The states of loops.
#[test]
fn induction() {
    let sorted = |test: &str| {
        format!(
            "let mut y = a.clone(); for i in 0..n {{ let v = y[i]; let mut j = i;
             while {test} {{ y[j] = y[j - 1]; j -= 1; }} y[j] = v; }} y"
        )
    };
    let packed = |k: &str, grown: &str| {
        format!(
            "let mut y = a.clone(); let mut k = {k}; for i in 0..n {{ if a[i] < 2.0 {{ y[k] = a[i]; {grown} }} }} y"
        )
    };
    let search = |hi: &str, mid: &str, next: &str| {
        format!(
            "let mut lo = 0; let mut hi = {hi}; let mut s = 0.0;
             while lo < hi {{ let mid = {mid}; s += a[mid]; if a[mid] < 2.0 {{ lo = {next}; }} else {{ hi = mid; }} }}
             build(n, |i| s)"
        )
    };
    let half = "lo + (hi - lo) / 2";
    let merged = |test: &str| {
        format!(
            "let mut y = a.clone(); let mut i = 0; let mut j = 0; let h = n / 2;
             for k in 0..n {{ if {test} {{ y[k] = a[i]; i += 1; }} else {{ y[k] = a[h + j]; j += 1; }} }} y"
        )
    };
    let stack = |push: &str, pop: &str| {
        format!(
            "let mut y = a.clone(); let mut top = 0; for i in 0..m {{
             if i % 3 < 2 {{ if {push} {{ y[top] = 1.0; top += 1; }} }} else {{ if {pop} {{ top -= 1; y[top] = 2.0; }} }} }} y"
        )
    };
    let reversed = |j: &str, test: &str| {
        format!(
            "let mut y = a.clone(); let mut i = 0; let mut j = {j};
             while {test} {{ j -= 1; let t = y[i]; y[i] = y[j]; y[j] = t; i += 1; }} y"
        )
    };
    let pairs = [
        // Falls from a number in range while it is tested.
        (sorted("j > 0 && y[j - 1] > v"), sorted("y[j - 1] > v")),
        (sorted("j > 0 && y[j - 1] > v"), sorted("j >= 0 && y[j - 1] > v")),
        (sorted("j > 0 && y[j - 1] > v"), sorted("j > 0 && y[j + 1] > v")),
        // Grows at most once in an iteration.
        (packed("0", "k += 1;"), packed("1", "k += 1;")),
        (packed("0", "k += 1;"), packed("0", "k += 2;")),
        (packed("0", "if a[i] < 1.0 { k += 1; }"), packed("0", "k += 1; if a[i] < 1.0 { k += 1; }")),
        (packed("0", "k += 1;"), packed("m - m", "k += 1; k += m;")),
        (search("n", half, "mid + 1"), search("n + 1", half, "mid + 1")),
        (search("n", half, "mid + 1"), search("n", "lo + (hi - lo)", "mid + 1")),
        (search("n", "lo + ((hi - lo) >> 1)", "mid + 1"), search("m", half, "mid + 1")),
        // Sums that no path changes, and a condition with two ways to hold.
        (merged("j >= n - h || (i < h && a[i] < a[h + j])"), merged("j > n - h || (i < h && a[i] < a[h + j])")),
        (merged("i < h && (j >= n - h || a[i] < a[h + j])"), merged("i < h && (j > n - h || a[i] < a[h + j])")),
        (stack("top < n", "top > 0"), stack("top <= n", "top > 0")),
        (stack("top < n", "top > 0"), stack("top < n", "top >= 0")),
        (stack("top != n", "top != 0"), stack("top != n + 1", "top != 0")),
        (reversed("n", "i < j"), reversed("n + 1", "i < j")),
        (reversed("n", "i < j"), reversed("n", "i <= j")),
    ];
    for (proved, checked) in &pairs {
        facts(&[(proved, checked)]);
    }
}

/// Twice an index, and one more, is a `usize` where the index is at most the length of an argument.
#[test]
fn children_of_a_heap() {
    let sifted = |test: &str, right: &str| {
        format!(
            "let mut y = a.clone(); let mut i = 0; while {test} {{ let mut c = 2 * i + 1;
             if {right} && y[c] < y[c + 1] {{ c += 1; }} if y[i] >= y[c] {{ break; }} y.swap(i, c); i = c; }} y"
        )
    };
    facts(&[
        (&sifted("2 * i + 1 < n", "c + 1 < n"), &sifted("2 * i + 1 <= n", "c + 1 < n")),
        (&sifted("2 * i + 1 < n", "c + 1 < n"), &sifted("2 * i + 1 < n", "c + 1 <= n")),
        (&sifted("2 * i + 1 < n", "c + 1 < n"), &sifted("2 * i < n", "c + 1 < n")),
    ]);
    // Three times as much may wrap, and so may twice the number of rows without elements.
    let kept = |source: &str| {
        let unit = common::plain(source);
        assert_ne!(checks(&unit), 0, "{source}\n{}", dps::print::program(&unit.stages["f"].stored));
    };
    kept(
        "#[smooth] fn f(a: &[f64; n]) -> [f64; n] { let mut y = a.clone(); let mut i = 0;
         while 3 * i + 1 < n { y[i] += y[3 * i + 1]; i = 3 * i + 1; } y }",
    );
    kept(
        "#[smooth] fn f(a: &[[f64; k]; n]) -> [[f64; k]; n] { let mut y = a.clone(); let mut i = 0;
         while 2 * i + 1 < n { y[i][0] += 1.0; i = 2 * i + 1; } y }",
    );
    kept(
        "#[smooth] fn f(n: usize) -> f64 { let y = [1.0; n]; let mut s = 0.0; let mut i = 0;
         while 2 * i + 1 < n { s += y[i] * s.sin(); i = 2 * i + 1; } s }",
    );
}

/// A number that starts at 0 is below the length in each iteration that has an element.
#[test]
fn numbers_below_a_length_that_may_be_0() {
    let ring = |test: &str, next: &str| {
        format!("let mut y = a.clone(); let mut k = 0; for i in 0..m {{ if {test} {{ y[k] += 1.0; k = {next}; }} }} y")
    };
    let largest = |range: &str, place: &str| {
        format!(
            "let mut y = a.clone(); let mut p = 0; if n > 0 {{ for i in {range} {{ if a[i] > a[p] {{ p = {place}; }} }}
             y[p] = 1.0; }} y"
        )
    };
    facts(&[
        (&largest("1..n", "i"), &largest("1..n", "i + 1")),
        (&largest("1..n", "i"), &largest("1..n + 1", "i")),
        (&largest("0..n - 1", "i + 1"), &largest("0..n", "i + 1")),
        (&ring("n > 0", "(k + 1) % n"), &ring("m > 0", "(k + 1) % n")),
        (&ring("n > 0", "(k + 1) % n"), &ring("n > 0", "(k + 1) % (n + 1)")),
        (&ring("n > 0", "if k + 1 < n { k + 1 } else { 0 }"), &ring("n > 0", "if k < n { k + 1 } else { 0 }")),
    ]);
}

/// Exits of loops, labels, loops in loops and states that change places.
#[test]
fn induction_over_control_flow() {
    facts(&[
        // The last iteration leaves the index at the length, and its flag up.
        (
            "let mut s = 0.0; let mut i = 0; if n > 0 { loop { s += a[i]; i += 1; if i == n { break; } } } build(n, |i| s)",
            "let mut s = 0.0; let mut i = 0; if n > 0 { loop { s += a[i]; i += 1; if i > n { break; } } } build(n, |i| s)",
        ),
        (
            "let mut s = 0.0; let mut i = 0; if n > 0 { loop { s += a[i]; i += 1; if i == n { break; } } } build(n, |i| s)",
            "let mut s = 0.0; let mut i = 0; if n > 0 { loop { s += a[i]; i += 1; if i == n { break; } } } build(n, |k| a[i])",
        ),
        (
            "let mut s = 0.0; let mut k = 0; for i in 0..n { if a[i] > 3.0 { continue; } if m > 4 { break; } s += a[k]; k += 1; } build(n, |i| s)",
            "let mut s = 0.0; let mut k = 0; for i in 0..n { if a[i] > 3.0 { k += 1; continue; } if m > 4 { break; } s += a[k]; k += 2; } build(n, |i| s)",
        ),
        (
            "let mut s = 0.0; let mut k = 0; 'o: for i in 0..n { for j in 0..n { if a[j] > 2.0 { k = j; break 'o; } } s += a[k]; } build(n, |i| s)",
            "let mut s = 0.0; let mut k = 0; 'o: for i in 0..n { for j in 0..n { if a[j] > 2.0 { k = j + 1; break; } } s += a[k]; } build(n, |i| s)",
        ),
        // An inner loop changes the state of the outer one.
        (
            "let mut y = a.clone(); let mut k = 0; for i in 0..n { while k < n && a[k] < 4.0 { k += 1; } if k < n { y[k] = 1.0; } if k > 0 { y[k - 1] = 2.0; } } y",
            "let mut y = a.clone(); let mut k = 0; for i in 0..n { while k < n && a[k] < 4.0 { k += 1; } if k < n { y[k] = 1.0; } if k > 0 { y[k] = 2.0; } } y",
        ),
        (
            "let mut y = a.clone(); let mut k = 0; while k < n { let s = k; while k < n && a[k] > 2.0 { k += 1; } for j in s..k { y[j] = 0.0; } k += 1; } y",
            "let mut y = a.clone(); let mut k = 0; while k < n { let s = k; while k <= n && m > k { k += 1; } for j in s..k { y[j] = 0.0; } k += 1; } y",
        ),
        // States that change places.
        (
            "let mut s = 0.0; let mut i = 0; let mut j = 1; if n > 1 { for k in 0..m { s += a[i] - a[j]; (i, j) = (j, i); } } build(n, |i| s)",
            "let mut s = 0.0; let mut i = 0; let mut j = 2; if n > 1 { for k in 0..m { s += a[i]; (i, j) = (j, i); } } build(n, |i| s)",
        ),
        (
            "let mut s = 0.0; let mut i = 0; let mut j = n; for k in 0..n { j -= 1; s += a[j] * a[i]; i += 1; } build(n, |i| s)",
            "let mut s = 0.0; let mut i = 0; let mut j = n; for k in 0..n { s += a[i]; s += a[j]; j -= 1; i += 1; } build(n, |i| s)",
        ),
    ]);
}

/// A check that is dropped leaves its index, a constant too.
#[test]
fn checks_of_constants() {
    let unit = kernel(
        "let mut y = a.clone(); for i in 0..m { y[0] = y[0] + a[0]; y[0] = y[0] * 2.0; y[1] = 3.0; y[0] = 1.0; } y",
    );
    assert_eq!(checks(&unit), 2, "{}", dps::print::program(&unit.stages["f"].stored));
    assert_ne!(panics(&unit), 0);
}

/// Facts after a loop do not hold in it, also where a proof about a later loop walks through it again.
#[test]
fn the_end_of_a_loop_says_nothing_about_its_iterations() {
    let body = "let mut y = a.clone(); let mut p = n; for i in 0..n { p -= 1; } for i in 0..n { p -= 1; y[p + 1] += 1.0; p -= 1; } y";
    let unit = kernel(body);
    assert_ne!(checks(&unit), 0, "{}", dps::print::program(&unit.stages["f"].stored));
    assert_ne!(panics(&unit), 0);
}

/// In a release build a state may wrap.
#[test]
fn states_that_may_wrap_say_nothing() {
    let kept = |body| assert_ne!(checks(&kernel(body)), 0, "{body}");
    kept("let mut s = 0.0; let mut k = m; while k < n || m > 100 { k += 1; s += a[k - 1]; } build(n, |i| s)");
    kept("let mut s = 0.0; let mut k = 0; for i in 0..n { k -= 1; if k < n { s += a[k + 1]; } } build(n, |i| s)");
    kept("let mut s = 0.0; let mut k = n; while m > 0 { k -= 1; s += a[k]; } build(n, |i| s)");
    kept(
        "let mut s = 0.0; let mut k = 0; while a[m] > 0.0 { k += 1; if k > 0 { s += a[k - 1 - (k - 1)]; s += a[k]; } } build(n, |i| s)",
    );
    kept("let mut k = 1; for i in 0..m { k *= 3; } build(n, |i| if k > 0 { a[i] } else { a[i + 1] })");
}
