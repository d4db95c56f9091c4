//! Reductions by associative functions that are not commutative, and by the functions of named reductions: those with exact
//! results, against source order, at every stage.

mod common;

use common::{Others, run_everywhere, unit, visible};
use smooth_core::fsmooth::print;
use smooth_core::loops::eval;
use smooth_core::options::Options;
use smooth_core::reduction::Order;
use smooth_core::value::Value;

/// Kernels whose numbers are exact, however their terms are combined.
const EXACT: &[(&str, &str)] = &[
    ("the last one", "fn f(a: &[f64; n]) -> f64 { reduce(n, 0.0, |x, y| if y != 0.0 { y } else { x }, |i| a[i] - 3.0) }"),
    ("the first one", "fn f(a: &[f64; n]) -> f64 { reduce(n, 0.0, |x, y| if x > 2.0 { x } else { y }, |i| a[i]) }"),
    (
        "affine maps",
        "fn f(a: &[f64; n]) -> (f64, f64) {
            reduce(n, (1.0, 0.0), |p, q| (p.0 * q.0 % 97.0, (p.1 * q.0 + q.1) % 97.0), |i| (a[i], a[i] + i as f64 % 5.0))
        }",
    ),
    (
        "matrices",
        "fn f(a: &[f64; n]) -> (f64, f64, f64, f64) {
            reduce(n, (1.0, 0.0, 0.0, 1.0),
                |(a, b, c, d), (p, q, r, s)| ((a * p + b * r) % 89.0, (a * q + b * s) % 89.0, (c * p + d * r) % 89.0, (c * q + d * s) % 89.0),
                |i| if i % 2 == 0 { (1.0, a[i], 0.0, 1.0) } else { (1.0, 0.0, a[i], 1.0) })
        }",
    ),
    (
        "bools and integers beside a float",
        "fn f(a: &[f64; n]) -> (f64, bool, i64) {
            reduce(n, (0.0, false, 0), |x, y| (if y.1 { y.0 } else { x.0 }, x.1 || y.1, x.2 * 3 % 41 + y.2), |i| (a[i], a[i] > 3.0, 1))
        }",
    ),
    (
        "single width",
        "fn f(a: &[f64; n]) -> f32 { reduce(n, 0.0f32, |x, y| if y > 3.0 { y } else { x }, |i| a[i] as f32) }",
    ),
    (
        "loops in both functions",
        "fn f(a: &[f64; n]) -> f64 {
            reduce(n, 0.0, |x, y| if sum(3, |l| y + l as f64) > 12.0 { y } else { x }, |i| ifold(i % 4, a[i], |s, k| s * 2.0 % 7.0))
        }",
    ),
    (
        "one for each row",
        "fn f(a: &[f64; n]) -> [f64; n] {
            build(n, |i| reduce(i, 0.0, |x, y| if y > 3.0 { y } else { x }, |j| a[(i + j) % n]))
        }",
    ),
    (
        "a reduction of reductions",
        "fn f(a: &[f64; n]) -> f64 {
            let last = |x, y| if y > 3.0 { y } else { x };
            reduce(n, 0.0, last, |i| reduce(40, 0.0, last, |j| a[(i + j) % n]))
        }",
    ),
    (
        "a static count",
        "fn f(a: &[f64; n]) -> f64 { reduce(33, 0.0, |x, y| if y > 3.0 { y } else { x }, |i| if i < n { a[i] } else { 0.0 }) }",
    ),
    ("a start that is not neutral", "fn f(a: &[f64; n]) -> f64 { reduce(n, 1000.0, |x, y| x + y, |i| a[i]) }"),
    ("products", "fn f(a: &[f64; n]) -> f64 { reduce(n, a.len() as f64, |x, y| y * x, |i| 1.0 + (a[i] % 2.0)) }"),
    ("an extreme", "fn f(a: &[f64; n]) -> f64 { reduce(n, 3.0, f64::max, |i| a[i]) }"),
    ("an extreme of NaN", "fn f(a: &[f64; n]) -> f64 { reduce(n, f64::NAN, f64::max, |i| if a[i] > 3.0 { a[i] } else { f64::NAN }) }"),
    ("integers", "fn f(a: &[f64; n]) -> i64 { reduce(n, 0, |x, y| x * 7 % 31 + y, |i| a[i] as i64) }"),
];

/// The neutral elements and the functions of reductions that equal a named one, and that one.
const NAMED: &[(&str, &str, &str)] = &[
    ("0.0", "|x, y| x + y", "sum(n, |i| a[i])"),
    ("-0.0", "|x, y| y + x", "sum(n, |i| a[i])"),
    ("0.0", "|x, y| { let s = y + x; s }", "sum(n, |i| a[i])"),
    ("0.0", "add", "sum(n, |i| a[i])"),
    ("0.0", "|x, y| add(y, x)", "sum(n, |i| a[i])"),
    ("zero", "|x: f64, y: f64| -> f64 { return x + y; }", "sum(n, |i| a[i])"),
    ("1.0", "|x, y| x * y", "prod(n, |i| a[i])"),
    ("f64::NEG_INFINITY", "f64::max", "max(n, |i| a[i])"),
    ("f64::NEG_INFINITY", "|x, y| y.max(x)", "max(n, |i| a[i])"),
    ("-f64::INFINITY", "|x, y| if y > x { y } else { x }", "max(n, |i| a[i])"),
    ("f64::NEG_INFINITY", "|x, y| if x < y { y } else { x }", "max(n, |i| a[i])"),
    ("f64::INFINITY", "f64::min", "min(n, |i| a[i])"),
    ("f64::INFINITY", "|x, y| if y <= x { y } else { x }", "min(n, |i| a[i])"),
];

fn strict() -> Options {
    Options { order: Order::Source, ..Options::default() }
}

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * i + 3 * i) % 7) as f64).collect()
}

#[test]
fn functions_need_not_be_commutative() {
    for (why, source) in EXACT {
        let source = format!("#[smooth] {source}");
        let (portable, in_order) = (unit(&source, &Options::default()), unit(&source, &strict()));
        for n in (0..=100).step_by(if why.len() % 2 == 0 { 1 } else { 3 }).chain([15, 16, 17, 31, 32, 33, 257]) {
            let args = [Value::tensor(&[n], &numbers(n))];
            let [got, expected] = [&portable, &in_order].map(|u| run_everywhere(u, "f", &args).expect(why));
            let loops = &portable.stages["f"].loops;
            let [forwards, backwards] = [eval::Direction::Forwards, eval::Direction::Backwards]
                .map(|direction| eval::run(loops, &args, &Others(&portable), direction).expect(why));
            let texts = [&got, &forwards, &backwards].map(|v| format!("{:?}", visible(v)));
            assert_eq!(texts, [(); 3].map(|()| format!("{:?}", visible(&expected))), "{why}, {n}");
        }
    }
}

#[test]
fn functions_with_a_name_are_that_reduction() {
    let kernel = |e: &str| {
        let lets = "let add = |x: f64, y: f64| x + y; let zero = 0.0; let _ = (add(zero, 1.0), zero);";
        let text = format!("#[smooth] fn f(a: &[f64; n]) -> f64 {{ {lets} {e} }}");
        let text = print::nameless(&unit(&text, &Options::default()).stages["f"].simplified.body);
        // The numbers of the variables differ.
        text.split('_').map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit())).collect::<Vec<_>>().join("_")
    };
    for (start, f, named) in NAMED {
        assert_eq!(kernel(&format!("reduce(n, {start}, {f}, |i| a[i])")), kernel(named), "{f}");
    }
    for (start, f) in
        [("a[0]", "f64::max"), ("0.0", "|x, y| x + 2.0 * y"), ("0.0", "|x, y| x + x"), ("0.0", "|x, y| x - y")]
    {
        let text = kernel(&format!("reduce(n, {start}, {f}, |i| a[i])"));
        assert!(text.contains("reduce"), "{f}: {text}");
    }
}
