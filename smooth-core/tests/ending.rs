//! Independent iterations around a loop that ends early: which run side by side, and their meaning.

mod common;

use common::{Others, plain, unit};
use smooth_core::loops::{eval, print};
use smooth_core::options::Options;
use smooth_core::pass::Switches;
use smooth_core::ty::Scalar;
use smooth_core::value::{Array, Lit, Value};

/// Kernels with an independent index around a loop that ends early.
const ENDING: &str = "
#[smooth] fn escapes(c: &[f64; n], limit: u32) -> [u32; n] {
    build(n, |i| {
        let (mut x, mut steps) = (0.0, 0);
        while steps < limit && x * x <= 4.0 {
            x = x * x + c[i];
            steps += 1;
        }
        steps
    })
}
#[smooth] fn roots(c: &[f64; n]) -> [f64; n] {
    build(n, |i| {
        let mut x = 1.0;
        loop {
            let y = 0.5 * (x + c[i] * c[i] / x);
            if (y - x).abs() <= 1e-9 { break y; }
            x = y;
        }
    })
}
#[smooth] fn halves(c: &[u64; n]) -> [u32; n] {
    build(n, |i| {
        let (mut x, mut steps) = (c[i], 0);
        while x > 1 {
            x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 };
            steps += 1;
        }
        steps
    })
}
#[smooth] fn until(x: &[f64; n], t: &[f64; m]) -> [f64; n] {
    build(n, |i| {
        let mut s = 0.0;
        for j in 0..m {
            if t[j] > x[i] { break; }
            s += t[j] * x[i];
        }
        s
    })
}
#[smooth] fn limited(x: &[f64; n], limit: u32) -> [f64; n] {
    build(n, |i| {
        let mut s = 1.0;
        for _ in 0..limit as usize {
            if s > x[i] { break; }
            s += s * 0.25;
        }
        s
    })
}
#[smooth] fn points(c: &[f64; n], limit: u32) -> [u8; n] {
    build(n, |i| {
        let (mut x, mut y, mut steps, mut j) = (0.0, 0.0, 3, 0);
        while x * x + y * y <= 4.0 && j < limit {
            (x, y) = (x * x - y * y + c[i], 2.0 * x * y + 0.3);
            steps += 1;
            j += 1;
        }
        steps
    })
}
#[smooth] fn halved(c: &[f64; n], limit: u32) -> ([f32; n], [f32; n]) {
    build(n, |i| {
        let (mut lo, mut hi, mut steps) = (0.0, c[i] as f32, 0);
        while steps < limit && hi - lo > 0.01 {
            let mid = 0.5 * (lo + hi);
            if mid * mid == 0.25 { break; }
            if mid * mid < 0.3 { lo = mid; } else { hi = mid; }
            steps += 1;
        }
        (lo, hi)
    })
}
#[smooth] fn least(x: &[f64; n], t: &[f64; m]) -> f64 {
    min(n, |i| {
        let (mut s, mut j) = (x[i], 0);
        while j < 40 && s < 1.0 {
            s += 0.1;
            j += 1;
        }
        s - t[0]
    })
}";

/// Independent loops around a loop that ends early, whose iterations do not run side by side.
const NOT_SIDE_BY_SIDE: &[(&str, &str)] = &[
    (
        "another element may not be there",
        "fn f(a: &[f64; n], b: &[f64; m]) -> [f64; n] {
            build(n, |i| { let (mut x, mut j) = (0.0, 0); while x < a[i] { x += b[j]; j += 1; } x })
        }",
    ),
    (
        "31 are no block",
        "fn f(a: &[f64; 31]) -> [f64; 31] { build(31, |i| { let mut x = a[i]; while x > 1.0 { x *= 0.5; } x }) }",
    ),
    (
        "a remainder is no instruction",
        "fn f(a: &[u64; n], b: &[u64; n]) -> [u64; n] {
            build(n, |i| { let (mut x, mut y) = (a[i], b[i]); while y > 0 { (x, y) = (y, x % y); } x })
        }",
    ),
    (
        "the index is a number in the loop",
        "fn f(a: &[f64; n]) -> [f64; n] { build(n, |i| { let mut x = a[i]; while x > 1.0 { x -= i as f64; } x }) }",
    ),
    (
        "it is not equally long",
        "fn f(a: &[f64; n]) -> [f64; n] {
            build(n, |i| { let mut x = a[i]; for _ in 0..i { if x < 1.0 { break; } x *= 0.5; } x })
        }",
    ),
    (
        "its length may not be known, where no iteration asks for it",
        "fn f(a: &[f64; n], limit: i64) -> [f64; n] {
            build(n, |i| { let mut x = a[i]; for _ in 0..(limit + 1) as usize { if x < 1.0 { break; } x *= 0.5; } x })
        }",
    ),
    (
        "neighbours are apart",
        "fn f(a: &[[f64; m]; n]) -> [f64; n] {
            build(n, |i| { let mut s = 0.0; for j in 0..m { if s > 9.0 { break; } s += a[i][j]; } s })
        }",
    ),
    (
        "one of them may panic",
        "fn f(a: &[f64; n], at: &[usize; n]) -> [f64; n] {
            build(n, |i| { let mut x = a[at[i]]; while x > 1.0 { x *= 0.5; } x })
        }",
    ),
];

/// Kernels whose steps are numbers of one width, and not small. The flag: whether the test reads two states that nothing reads
/// after the loop.
const ONE_WIDTH: &[(&str, bool)] =
    &[("escapes", false), ("points", true), ("halved", false), ("limited", false), ("roots", false), ("until", false)];

#[test]
fn iterations_that_end_early_run_side_by_side() {
    for (name, s) in &plain(ENDING).stages {
        assert!(s.loops.schedule.exits && s.loops.schedule.clones, "{name}");
        let (narrow, wide) = (print::function(&s.loops), print::function(s.wide.first().expect("wide loops")));
        let of_one = ONE_WIDTH.iter().find(|(one, _)| one == name);
        // All that a step does is in one innermost loop over 32 places.
        let steps = |text: &str| text.lines().filter(|l| l.contains("< 32")).count();
        match of_one {
            Some((_, flag)) => {
                for text in [&narrow, &wide] {
                    assert!(text.contains("choose("), "{text}");
                    assert_eq!(text.contains("if (on"), *flag, "{text}");
                    assert!(!text.contains("bool local"), "{text}");
                }
                let limited = ["escapes", "points", "halved"].contains(&name.as_str());
                assert_eq!(narrow.contains("let limit"), limited, "{narrow}");
            }
            None => {
                assert!(!narrow.contains("running"), "{name}: narrow registers hold too few");
                assert_eq!(wide.matches("while (running").count(), 1, "{wide}");
            }
        }
        assert!((1..=2).contains(&steps(&wide)), "{wide}");
    }
    for (why, source) in NOT_SIDE_BY_SIDE {
        assert!(!plain(&format!("#[smooth] {source}")).stages["f"].loops.schedule.exits, "{why}");
    }
    let mut off = Switches::all();
    assert!(off.set("early_exits", false));
    let without = unit(ENDING, &Options { switches: off, ..Options::default() });
    assert!(without.stages.values().all(|s| !s.loops.schedule.exits && s.wide.is_empty()));
}

/// A count overflows where the user's does, also where it is added to after several steps.
#[test]
fn counts_overflow() {
    let unit = plain(
        "#[smooth] fn f(c: &[f64; n]) -> [u8; n] {
            build(n, |i| { let (mut x, mut k) = (c[i], 250); while x > 1.0 { x *= 0.5; k += 1; } k })
        }",
    );
    let s = &unit.stages["f"];
    for (largest, fits) in [(32.0, true), (33.0, false), (1e9, false)] {
        for n in [1, 32, 70] {
            let data: Vec<f64> = (0..n).map(|i| if i == n / 2 { largest } else { (i % 31) as f64 }).collect();
            let args = [Value::tensor(&[n], &data)];
            let want = smooth_core::dps::eval::run(&s.stored, &args, &Others(&unit)).map(|r| r.value).ok();
            assert_eq!(want.is_some(), fits);
            for loops in std::iter::once(&s.loops).chain(&s.wide) {
                let got = eval::run(loops, &args, &Others(&unit), eval::Direction::Forwards).ok();
                assert_eq!(got, want, "{largest} of {n}");
            }
        }
    }
}

#[test]
fn iterations_that_end_early_mean_the_same() {
    let unit = plain(ENDING);
    let numbers = |n: usize| (0..n).map(|i| (i * 7 % 11) as f64 * 0.3 - 0.4).collect::<Vec<f64>>();
    let tensor = |n: usize| Value::tensor(&[n], &numbers(n));
    let whole = |n: usize| {
        let data = (0..n as i128).map(|i| Lit::Int(i * 7 % 30, Scalar::U64)).collect();
        Value::Array(Array { elem: Scalar::U64, dims: vec![n], data })
    };
    for n in [0, 1, 31, 32, 33, 64, 100] {
        for m in [1, 7, 8, 9, 21_usize] {
            for (name, args) in [
                ("escapes", vec![tensor(n), Value::Scalar(Lit::Int(m as i128, Scalar::U32))]),
                ("limited", vec![tensor(n), Value::Scalar(Lit::Int(m as i128, Scalar::U32))]),
                ("points", vec![tensor(n), Value::Scalar(Lit::Int(m as i128, Scalar::U32))]),
                ("halved", vec![tensor(n), Value::Scalar(Lit::Int(m as i128, Scalar::U32))]),
                ("roots", vec![tensor(n)]),
                ("halves", vec![whole(n)]),
                ("until", vec![tensor(n), tensor(m)]),
                ("least", vec![tensor(n), tensor(m)]),
            ] {
                let s = &unit.stages[name];
                let want = smooth_core::dps::eval::run(&s.stored, &args, &Others(&unit)).unwrap().value;
                for loops in std::iter::once(&s.loops).chain(&s.wide) {
                    for direction in [eval::Direction::Forwards, eval::Direction::Backwards] {
                        let got = eval::run(loops, &args, &Others(&unit), direction).unwrap();
                        assert_eq!(got, want, "{name} of {n} and {m}, {direction:?}");
                    }
                }
            }
        }
    }
}

/// Searches in the elements of a table: the condition depends on the row, the column, the step, on several of these or on none,
/// and what follows depends on the search or on the row alone.
fn searches() -> String {
    let conditions = [
        "i < m",
        "j < k",
        "n < m",
        "i == l",
        "l + j < n",
        "i < j",
        "x[l] > i as f64",
        "2.0 * x[l] > j as f64",
        "i < m && x[l] > 1.5",
        "l == 2 || j + 1 == m",
    ];
    let forms = [
        "{ let mut s = 3.0; for l in 0..k { if COND { s = 2.0; break; } s += 0.5; } s }",
        "{ let (mut s, mut l) = (0.5, 0); while l < k && !(COND) { s += x[l]; l += 1; } s * 2.0 }",
        "{ if all(k, |l| COND) { 2.0 } else { 3.0 } }",
        "{ if any(k, |l| COND) { 2.0 } else { j as f64 } }",
    ];
    let uses = [
        "FORM",
        "let v = FORM; let row = i as f64 * 3.0; if i < m { v + row } else { v }",
        "let v = FORM; if v == 2.0 { v } else { v * 0.5 + j as f64 }",
    ];
    let mut source = String::new();
    for condition in conditions {
        for form in forms {
            for text in uses {
                let body = text.replace("FORM", &form.replace("COND", condition));
                let name = source.len();
                source += &format!(
                    "#[smooth] fn f{name}(x: &[f64; k], n: usize, m: usize) -> [[f64; m]; n] {{
                        build([n, m], |i, j| {{ {body} }})
                    }}\n"
                );
            }
        }
    }
    source
}

#[test]
fn searches_in_tables_mean_the_same() {
    let source = searches();
    let unit = plain(&source);
    assert!(unit.stages.values().filter(|s| s.loops.schedule.exits).count() > 20);
    for (n, m, k) in [(3, 40, 2), (40, 3, 9), (33, 70, 11), (0, 5, 3), (5, 0, 3), (2, 33, 0)] {
        let x: Vec<f64> = (0..k).map(|l| (l * 7 % 11) as f64 * 1.7 - 0.4).collect();
        let size = |n: usize| Value::Scalar(Lit::Int(n as i128, Scalar::Usize));
        let args = [Value::tensor(&[k], &x), size(n), size(m)];
        for (name, s) in &unit.stages {
            let want = smooth_core::dps::eval::run(&s.stored, &args, &Others(&unit)).unwrap().value;
            for loops in std::iter::once(&s.loops).chain(&s.wide) {
                let got = eval::run(loops, &args, &Others(&unit), eval::Direction::Backwards).unwrap();
                assert_eq!(got, want, "{name} of {n}, {m} and {k} in\n{source}");
            }
        }
    }
}
