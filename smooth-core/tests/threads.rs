//! Loops that threads share: which they are, what each part has for itself, and that parts in any order mean the same.

mod common;

use common::{Others, plain, unit};
use smooth_core::loops::{Function, Reason, Spread, Stmt, eval, print};
use smooth_core::options::Options;
use smooth_core::pass::PassId;
use smooth_core::pipeline::Stages;
use smooth_core::value::Value;

const ROWS: &str = "fn f(x: &[[f64; m]; n]) -> [[f64; m]; n] {
    build(n, |i| { let e = build(m, |j| x[i][j].exp()); let s = sum(m, |j| e[j]); build(m, |j| e[j] / s) })
}";

const STEPS: &str = "fn f(x: &[[f64; m]; n]) -> [[f64; m]; n] {
    ifold(3, x.clone(), |u, _| build([n, m], |i, j| {
        u[i][j] + u[if i > 0 { i - 1 } else { i }][j] + u[i][if j + 1 < m { j + 1 } else { j }]
    }))
}";

const OWN: &str = "fn f(x: &[[f64; m]; n]) -> [f64; n] {
    build(n, |i| {
        let mut d = [0.0; m];
        for t in 0..m { let p = d.clone(); for j in 0..m { d[j] = 0.5 * p[(j + t) % m] + x[i][j]; } }
        sum(m, |j| d[j])
    })
}";

/// Kernels of a table, and the strips of their outermost loops.
const SHARED: &[(&str, &str, &[&str])] = &[
    ("a map", "fn f(x: &[[f64; m]; n]) -> [f64; n] { build(n, |i| x[i][0] + 1.0) }", &["out = out[0] by 1"]),
    ("rows", ROWS, &["out = out[0] by m"]),
    (
        "a product",
        "fn f(x: &[[f64; m]; n]) -> [[f64; n]; n] { build([n, n], |i, j| sum(m, |k| x[i][k] * x[j][k])) }",
        &["out = out[0] by n"],
    ),
    ("the inside of a table", STEPS, &["u = u[m] by m"]),
    (
        "two results",
        "fn f(x: &[[f64; m]; n]) -> ([f64; n], [f64; n]) { let s = build(n, |i| (x[i][0].exp(), x[i][1].exp())); (build(n, |i| s[i].0), build(n, |i| s[i].1)) }",
        &["out0 = out0[0] by 1, out1 = out1[0] by 1"],
    ),
    (
        "three numbers",
        "fn f(x: &[[f64; m]; n]) -> [[f64; 3]; n] { build(n, |i| [x[i][0], x[i][1] * 2.0, x[i][2]]) }",
        &["out = out[0] by 3"],
    ),
    ("temporaries", OWN, &["out = out[0] by 1"]),
    (
        "a count of steps",
        "fn f(x: &[[f64; m]; n]) -> [f64; n] { build(n, |i| { let (mut a, mut c) = (x[i][0], 0.0); for k in 0..50 { if a > 4.0 { break; } a = a * a + x[i][1]; c = c + 1.0; } c }) }",
        &["out = out[0] by 1"],
    ),
];

/// Kernels whose outermost loops stay on one thread.
const ALONE: &[(&str, &str, Option<Reason>)] = &[
    ("a total", "fn f(x: &[[f64; m]; n]) -> f64 { sum(n, |i| x[i][0]) }", None),
    ("steps", "fn f(x: &[[f64; m]; n]) -> f64 { ifold(n, 0.0, |s, i| s * 0.5 + x[i][0]) }", None),
    ("little", "fn f(x: &[[f64; m]; n]) -> [f64; 100] { build(100, |i| x[0][i] * 2.0) }", Some(Reason::Few)),
    (
        "a function",
        "fn f(x: &[[f64; m]; n], g: impl Fn(f64) -> f64) -> [f64; n] { build(n, |i| g(x[i][0])) }",
        Some(Reason::Calls),
    ),
];

fn threads(parts: u32) -> Options {
    Options { parallel: Some(parts), ..Options::default() }
}

fn with(options: &Options, source: &str, run: impl FnOnce(&Stages, &common::Unit)) {
    let unit = unit(&format!("#[smooth] {source}"), options);
    run(&unit.stages["f"], &unit);
}

fn spreads(f: &Function) -> Vec<&Spread> {
    fn find<'f>(b: &'f [Stmt], found: &mut Vec<&'f Spread>) {
        for s in b {
            if let Stmt::Spread(s) = s {
                found.push(s);
            }
            s.blocks().into_iter().for_each(|b| find(b, found));
        }
    }
    let mut found = vec![];
    find(&f.body, &mut found);
    found
}

/// A text without the numbers of names.
fn plainly(text: &str) -> String {
    let (mut out, mut rest) = (String::new(), text.chars().peekable());
    while let Some(c) = rest.next() {
        match rest.peek() {
            Some(d) if c == '_' && d.is_ascii_digit() => while rest.next_if(char::is_ascii_digit).is_some() {},
            _ => out.push(c),
        }
    }
    out
}

#[test]
fn outermost_loops_are_shared() {
    for (why, source, strips) in SHARED {
        with(&threads(4), source, |s, _| {
            let text = plainly(&print::function(&s.loops));
            for strip in *strips {
                assert!(text.contains(strip), "{why}: no {strip} in\n{text}");
            }
            let inside =
                spreads(&s.loops).iter().any(|s| s.body.iter().any(|s| s.blocks().iter().any(|b| !b.is_empty())));
            assert!(inside, "{why}");
        });
        with(&Options::default(), source, |s, _| assert!(spreads(&s.loops).is_empty(), "{why}"));
    }
}

#[test]
fn other_loops_stay_on_one_thread() {
    for (why, source, reason) in ALONE {
        with(&threads(4), source, |s, _| {
            assert!(spreads(&s.loops).is_empty(), "{why}: {}", print::function(&s.loops));
            let left = s.loops.schedule.remarks.iter().find(|r| r.pass == PassId::Threads).and_then(|r| r.left);
            assert_eq!(left, *reason, "{why}");
        });
    }
    let mut off = threads(4);
    assert!(off.switches.set("threads", false));
    with(&off, ROWS, |s, _| assert!(spreads(&s.loops).is_empty()));
}

/// A strip begins at an element, even if no iteration touches its first one: without the condition it would not.
#[test]
fn strips_begin_in_their_buffers() {
    for part in ["spread first, some of n - 1 over u = u[m] by m", "spread first, some of m - 1 over u = u[0] by 1"] {
        with(&threads(4), STEPS, |s, _| {
            let text = plainly(&print::function(&s.loops));
            assert!(text.contains(part), "no {part} in\n{text}");
        });
    }
}

/// A strip is computed even if there are no iterations, so its sizes do not follow from there being some.
#[test]
fn strips_of_no_iterations_have_sizes() {
    let source = "fn f(x: &[f64; n]) -> [f64; n] {
        let mut g = [0.0; n];
        for i in (0..n).rev() { if i + 1 < n { g[i + 1] += x[i].exp(); } }
        g
    }";
    with(&threads(4), source, |s, _| {
        for spread in spreads(&s.loops) {
            for strip in &spread.strips {
                for size in [&strip.width, &strip.home.offset] {
                    let negative = (0..4).find(|n| size.eval(&|_| *n).is_none_or(|size| size < 0));
                    assert_eq!(negative, None, "{}", print::function(&s.loops));
                }
            }
        }
    });
}

#[test]
fn each_part_has_its_own_memory() {
    let bytes = |options: &Options| {
        let mut bytes = 0;
        with(options, OWN, |s, _| {
            bytes = s.companion.frame.eval(&|_| 24).expect("a number");
        });
        bytes
    };
    let one = bytes(&Options::default());
    assert!(one > 0);
    for parts in [1, 2, 7] {
        assert_eq!(bytes(&threads(parts)), one * i128::from(parts), "{parts} parts");
    }
    with(&threads(5), OWN, |s, _| {
        let parts: Vec<_> = spreads(&s.loops).iter().map(|s| s.parts).collect();
        assert_eq!(parts, [Some(5)]);
    });
    with(&threads(5), ROWS, |s, _| assert_eq!(spreads(&s.loops)[0].parts, None, "without memory any number"));
}

#[test]
fn parts_in_any_order_mean_the_same() {
    for (why, source, _) in SHARED {
        let alone = plain(&format!("#[smooth] {source}"));
        with(&threads(4), source, |s, unit| {
            for (n, m) in [(0, 3), (1, 3), (2, 4), (7, 5), (33, 18)] {
                let numbers: Vec<f64> = (0..n * m).map(|i| 0.37 * (i % 11) as f64 - 1.5).collect();
                let args = [Value::tensor(&[n, m], &numbers)];
                let want =
                    smooth_core::dps::eval::run(&alone.stages["f"].stored, &args, &Others(&alone)).unwrap().value;
                for loops in std::iter::once(&s.loops).chain(&s.wide) {
                    for direction in [eval::Direction::Forwards, eval::Direction::Backwards] {
                        let got =
                            eval::run(loops, &args, &Others(unit), direction).unwrap_or_else(|e| panic!("{why}: {e}"));
                        assert_eq!(format!("{got:?}"), format!("{want:?}"), "{why}, {n} × {m}");
                    }
                }
            }
        });
    }
}
