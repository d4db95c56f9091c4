//! Loops that are cut at their borders: claims about kernels that the pass changes and that it leaves, and the meaning for
//! sizes with fewer elements than cuts.

mod common;

use common::{Others, plain, unit};
use smooth_core::loops::{Block, Expr, For, Function, Stmt, eval, print};
use smooth_core::options::Options;
use smooth_core::pass::Switches;
use smooth_core::prim::Prim;
use smooth_core::value::{Lit, Value};

/// Kernels whose inner loops ask where they are.
const CUT: &str = "
#[smooth] fn clamped(a: &[[f64; m]; n]) -> [[f64; m]; n] {
    build([n, m], |i, j| {
        a[i][j] + a[i.saturating_sub(1)][j] + a[(i + 1).min(n - 1)][j] + a[i][j.max(1) - 1] + a[i][(j + 1).clamp(0, m - 1)]
    })
}
#[smooth] fn guarded(a: &[[f64; m]; n]) -> [[f64; m]; n] {
    build([n, m], |i, j| {
        let up = if i == 0 { 0.0 } else { a[i - 1][j] };
        let down = if i + 1 < n { a[i + 1][j] } else { 0.0 };
        let left = if j > 0 { a[i][j - 1] } else { 0.0 };
        let right = if j != m - 1 { a[i][j + 1] } else { 0.0 };
        up + down + left + right
    })
}
#[smooth] fn inner(a: &[[[f64; l]; m]; n]) -> [[[f64; l]; m]; n] {
    build([n, m, l], |i, j, k| {
        if i == 0 || i == n - 1 || j == 0 || j == m - 1 || k == 0 || k == l - 1 {
            a[i][j][k]
        } else {
            a[i - 1][j][k] + a[i + 1][j][k] + a[i][j - 1][k] + a[i][j + 1][k] + a[i][j][k - 1] + a[i][j][k + 1]
        }
    })
}
#[smooth] fn ring(a: &[f64; n], steps: usize) -> [f64; n] {
    ifold(steps, a.clone(), |a, _| build(n, |i| a[(i + 1) % n] - a[(i + n - 1) % n]))
}
#[smooth] fn wide(a: &[f64; n]) -> [f64; n] {
    build(n, |i| if i >= 2 && i + 2 < n { a[i - 2] + a[i + 2] } else if i >= 1 && i + 1 < n { a[i - 1] } else { a[i] })
}
#[smooth] fn from(a: &[f64; n], k: usize) -> [f64; n] { build(n, |i| if i < k { a[i] } else { a[i - k] }) }
#[smooth] fn one(a: &[f64; n], k: usize) -> [f64; n] { build(n, |i| if i == k { 1.0 } else { a[i] }) }
#[smooth] fn triangle(a: &[[f64; n]; n]) -> [[f64; n]; n] { build([n, n], |i, j| if j < i { a[j][i] } else { a[i][j] }) }
#[smooth] fn fixed(a: &[f64; 100]) -> [f64; 100] { build(100, |i| if i == 0 { a[99] } else { a[i - 1] }) }
#[smooth] fn steps(a: &[f64; n], times: usize) -> [f64; n] {
    let mut now = a.clone();
    let mut next = a.clone();
    for _ in 0..times {
        for i in 0..n {
            next[i] = if i == 0 || i == n - 1 { now[i] } else { 0.5 * (now[i - 1] + now[i + 1]) };
        }
        (now, next) = (next, now);
    }
    now
}";

/// Kernels that the pass leaves unchanged.
const LEFT: &[(&str, &str)] = &[
    (
        "it asks about an element",
        "fn f(a: &[f64; n]) -> [f64; n] { build(n, |i| if a[i] > 0.5 { a[i] } else { 0.0 }) }",
    ),
    (
        "whether the diagonal is inside is another question in each row",
        "fn f(n: usize, m: usize) -> [[f64; m]; n] { build([n, m], |i, j| if i == j { 1.0 } else { 0.0 }) }",
    ),
    (
        "it may end early",
        "fn f(a: &[f64; n]) -> [f64; n] {
            let mut b = a.clone();
            for i in 0..n { if b[i] < 0.0 { break; } b[i] = if i == 0 { 1.0 } else { 2.0 }; }
            b
        }",
    ),
    (
        "it hands a sum on",
        "fn f(a: &[f64; n]) -> f64 { ifold(n, 0.0, |s, i| s * 0.5 + if i == 0 { 1.0 } else { a[i - 1] }) }",
    ),
    (
        "a reduction has an order of its own",
        "fn f(a: &[f64; n]) -> f64 { sum(n, |i| if i == 0 { a[i] } else { a[i] - a[i - 1] }) }",
    ),
];

/// Comparisons and checks in the loops of a block, but for loops under a test of sizes.
fn tests(b: &Block, in_loop: bool) -> usize {
    let compares = |e: &Expr| {
        let asks = |e: &Expr| {
            matches!(e, Expr::If(_))
                || matches!(e, Expr::Prim(Prim::Lt | Prim::Le | Prim::Eq | Prim::Ne | Prim::Min | Prim::Rem, ..))
        };
        e.any(&asks)
    };
    let mut found = 0;
    for s in b {
        match s {
            Stmt::If(_, a, b) if matches!(b.as_slice(), [Stmt::For(_)]) => found += tests(a, in_loop),
            Stmt::For(For { body, .. }) => found += tests(body, true),
            s => {
                let here = matches!(s, Stmt::If(..) | Stmt::Check { .. }) || s.exprs().into_iter().any(compares);
                found += usize::from(in_loop && here);
                found += s.blocks().into_iter().map(|b| tests(b, in_loop)).sum::<usize>();
            }
        }
    }
    found
}

fn of(source: &str, name: &str) -> Function {
    plain(source).stages[name].loops.clone()
}

/// `i_8` as `i`: which number a name has depends on the passes before.
fn without_numbers(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('_') {
        out += &rest[..at];
        rest = rest[at + 1..].trim_start_matches(|c: char| c.is_ascii_digit());
    }
    out + rest
}

#[test]
fn the_inside_has_no_tests() {
    let unit = plain(CUT);
    for (name, s) in &unit.stages {
        let text = print::function(&s.loops);
        // The few elements near an end are under their tests.
        let at_the_ends = if name == "wide" { 4 } else { 0 };
        assert!(tests(&s.loops.body, false) <= at_the_ends, "{text}");
    }
}

#[test]
fn a_range_is_cut_at_its_ends() {
    let text = without_numbers(&print::function(&of(CUT, "from")));
    let want = "from
  if (k <= n)
    for i < k any
      out[i] ← a[i]
    for i < n - k any
      out[k + i] ← a[i]
  else
    for i < n any
      out[i] ← (if (i < k) then a[i] else a[i - k])
  return out
";
    assert_eq!(text, want);
    // Nothing is tested where the sizes are known.
    let text = without_numbers(&print::function(&of(CUT, "fixed")));
    let want = "fixed
  out[0] ← a[99]
  for i < 99 any
    out[i + 1] ← a[i]
  return out
";
    assert_eq!(text, want);
}

#[test]
fn where_it_does_not_pay_loops_stay() {
    for (why, source) in LEFT {
        let source = format!("#[smooth] {source}");
        let mut off = Switches::all();
        assert!(off.set("split_ranges", false));
        let without = unit(&source, &Options { switches: off, ..Options::default() });
        assert_eq!(of(&source, "f").body, without.stages["f"].loops.body, "{why}");
    }
}

#[test]
fn ranges_of_every_length_mean_the_same() {
    let unit = plain(CUT);
    let numbers = |n: usize| (0..n).map(|i| (i * 7 % 11) as f64 * 0.03 - 0.1).collect::<Vec<f64>>();
    let tensor = |dims: &[usize]| Value::tensor(dims, &numbers(dims.iter().product()));
    let count = |n: usize| Value::Scalar(Lit::usize(n as u64));
    let same = |name: &str, args: &[Value]| {
        let s = &unit.stages[name];
        let want = smooth_core::dps::eval::run(&s.stored, args, &Others(&unit)).unwrap().value;
        for direction in [eval::Direction::Forwards, eval::Direction::Backwards] {
            let got = eval::run(&s.loops, args, &Others(&unit), direction);
            assert_eq!(got.as_ref(), Ok(&want), "{name}, {direction:?} of {args:?}");
        }
    };
    for n in 0..6 {
        for m in 0..6 {
            same("clamped", &[tensor(&[n, m])]);
            same("guarded", &[tensor(&[n, m])]);
            for l in 0..4 {
                same("inner", &[tensor(&[n, m, l])]);
            }
            same("from", &[tensor(&[n]), count(m)]);
            same("one", &[tensor(&[n]), count(m)]);
        }
        same("ring", &[tensor(&[n]), count(3)]);
        same("wide", &[tensor(&[n])]);
        same("triangle", &[tensor(&[n, n])]);
        same("steps", &[tensor(&[n]), count(3)]);
    }
    same("one", &[tensor(&[3]), Value::Scalar(Lit::usize(u64::MAX))]);
    same("from", &[tensor(&[3]), Value::Scalar(Lit::usize(u64::MAX))]);
    same("fixed", &[tensor(&[100])]);
}

/// Filters with any number of taps, whose borders move with the index of a tap.
const TAPS: &str = "
#[smooth] fn clamped(a: &[f64; w], c: &[f64; k]) -> [f64; w] {
    build(w, |x| ifold(k, 0.0, |s, i| s + a[(x + i).saturating_sub(k / 2).min(w - 1)] * c[i]))
}
#[smooth] fn guarded(a: &[f64; w], c: &[f64; k]) -> [f64; w] {
    build(w, |x| ifold(k, 0.0, |s, i| s + if x + i >= k / 2 && x + i - k / 2 < w { a[x + i - k / 2] * c[i] } else { 0.0 }))
}
#[smooth] fn backwards(a: &[f64; w], c: &[f64; k]) -> [f64; w] {
    build(w, |x| ifold(k, 0.0, |s, i| s * 0.5 + a[x.saturating_sub(i)] * c[i]))
}
#[smooth] fn same(a: &[f64; w], c: &[f64; k]) -> [f64; w] {
    let mut o = [0.0; w];
    let before = k.saturating_sub(1) / 2;
    for j in 0..k {
        for i in before.saturating_sub(j)..(w + before).saturating_sub(j).min(w) { o[i + j - before] += a[i] * c[j]; }
    }
    o
}
#[smooth] fn by_loops(a: &[f64; w], c: &[f64; k]) -> [f64; w] {
    let mut o = [0.0; w];
    for x in 0..w { for i in 0..k { o[x] += a[(x + i).min(w - 1)] * c[i]; } }
    o
}";

#[test]
fn borders_that_move_with_a_tap_are_cut() {
    let unit = plain(TAPS);
    let numbers = |n: usize| Value::tensor(&[n], &(0..n).map(|i| (i * 7 % 11) as f64 * 0.3).collect::<Vec<f64>>());
    for (name, s) in &unit.stages {
        let text = print::function(&s.loops);
        // The index of `backwards` has a name that is a difference, and the second guard is asked behind the first one.
        assert!(text.contains("lane") || ["backwards", "guarded", "same"].contains(&name.as_str()), "{text}");
        for (w, k) in (0..9).flat_map(|w| (0..7).map(move |k| (w, k))).chain([(70, 5), (40, 3), (33, 33)]) {
            let args = [numbers(w), numbers(k)];
            let want = smooth_core::dps::eval::run(&s.stored, &args, &Others(&unit)).map(|r| r.value);
            for direction in [eval::Direction::Forwards, eval::Direction::Backwards] {
                let got = eval::run(&s.loops, &args, &Others(&unit), direction);
                assert_eq!(got.ok(), want.as_ref().ok().cloned(), "{name}, {direction:?} of {w} and {k}");
            }
        }
    }
    // In each of its iterations a part of `j` is below `i`.
    let left = "fn f(a: &[f64; n]) -> [f64; n] { build(n, |i| ifold(n, 0.0, |s, j| s * 0.5 + if j < i { a[j] } else { 0.0 })) }";
    assert!(
        !of(&format!("#[smooth] {left}"), "f")
            .schedule
            .remarks
            .iter()
            .any(|r| r.pass.name() == "split_ranges" && r.left.is_none())
    );
}

/// Loops over as many elements as another array has.
const OTHER: &str = "
#[smooth] fn clamped(a: &[f64; n], k: usize) -> [f64; k] { build(k, |i| a[i.clamp(0, n - 1)]) }
#[smooth] fn read(a: &[f64; n], k: usize) -> [f64; k] { build(k, |i| a[i.min(n - 1)]) }
#[smooth] fn difference(a: &[f64; n], b: &[f64; m], k: usize) -> [f64; m] {
    build(m, |i| b[i - i.min(n - 1)] + b[i.saturating_sub(i.min(n - 1))] + k as f64)
}
#[smooth] fn between(a: &[f64; n], k: usize) -> [f64; k] { build(k, |i| a[i.clamp(2, n - 1)]) }
#[smooth] fn written(a: &mut [f64; n], k: usize) { for i in 0..k { a[i.min(n - 1)] = 1.0; } }";

/// `n - 1` panics where there is no element, and a `clamp` to an empty range does: the indices that they bound have no checks.
#[test]
fn an_index_before_nothing_panics() {
    let unit = plain(OTHER);
    for (name, s) in &unit.stages {
        for (n, k) in [(0, 0), (0, 3), (1, 0), (1, 3), (2, 3), (3, 3), (5, 3)] {
            let numbers = |n: usize| Value::vector(&[0.5, 2.0, 3.0, 4.0, 7.0][..n]);
            let mut args = vec![numbers(n), Value::Scalar(Lit::usize(k as u64))];
            if s.stored.interface.params.len() == 3 {
                args.insert(1, numbers(k));
            }
            let want = smooth_core::dps::eval::run(&s.stored, &args, &Others(&unit)).map(|r| r.value);
            let got = eval::run(&s.loops, &args, &Others(&unit), eval::Direction::Forwards);
            assert_eq!(got.as_ref().ok(), want.as_ref().ok(), "{name} of {n} and {k}: {got:?}");
            assert!(!got.is_err_and(|e| e.contains("unchecked")), "{name} of {n} and {k}");
        }
    }
}

#[test]
fn the_smaller_of_two_lengths_is_a_bound() {
    // The lengths from `c + 1` on are numbers: no part of the loop needs another one.
    let source = "#[smooth] fn f(m: &mut [[f64; k]; n]) {
        for c in 0..n.min(k) {
            for i in c + 1..n {
                m[i][c] += m[c][c];
            }
            for j in c..k {
                m[c][j] *= 0.5;
            }
        }
    }";
    let text = print::function(&plain(source).stages["f"].loops);
    assert_eq!(text.matches("for ").count(), 3, "{text}");
    assert!(!text.contains("check"), "{text}");
}
