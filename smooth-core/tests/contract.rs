//! Fast kernels: their contractions, their meaning where each operation is rounded, and kernels of different modes.

mod common;

use common::{Others, Unit, unit};
use smooth_core::loops::{eval, print};
use smooth_core::options::Options;
use smooth_core::reduction::Order;
use smooth_core::value::Value;

const ROWS: &str = "build([n, m], |i, j| sum(n, |l| a[i][l] * b[l][j]))";

/// Kernels, and how many products they have apart from those that are contracted.
const CONTRACTED: &[(&str, &str, usize)] = &[
    ("a map", "fn f(a: &[f64; n], b: &[f64; n]) -> [f64; n] { build(n, |i| a[i] * b[i] + 1.5) }", 0),
    ("a difference", "fn f(a: &[f64; n], b: &[f64; n]) -> [f64; n] { build(n, |i| a[i] * b[i] - a[0]) }", 0),
    ("from a number", "fn f(a: &[f64; n], b: &[f64; n]) -> [f64; n] { build(n, |i| b[i] - a[i] * 3.0) }", 0),
    ("two products", "fn f(a: &[f64; n], b: &[f64; n]) -> [f64; n] { build(n, |i| a[i] * b[i] + a[0] * b[0]) }", 1),
    (
        "squares that two results take",
        "fn f(a: &[f64; n], b: &[f64; n]) -> ([f64; n], [f64; n]) {
            build(n, |i| { let (x, y) = (a[i] * a[i], b[i] * b[i]); (x - y, x + y + 0.5) })
        }",
        1,
    ),
    ("a sum", "fn f(a: &[f64; n], b: &[f64; n]) -> f64 { sum(n, |i| a[i] * b[i]) }", 0),
    ("a sum of squares", "fn f(a: &[f64; n], b: &[f64; n]) -> f64 { sum(n, |i| { let d = a[i] - b[i]; d * d }) }", 0),
    ("sums", "fn f(a: &[f64; n], b: &[f64; n]) -> (f64, f64) { sum(n, |i| (a[i] * b[i], a[i])) }", 0),
    ("of single width", "fn f(a: &[f32; n], b: &[f32; n]) -> f32 { sum(n, |i| a[i] * b[i]) }", 0),
    ("a fold", "fn f(a: &[f64; n], b: &[f64; n]) -> f64 { ifold(n, 0.5, |s, i| s * a[i] + b[i]) }", 0),
    ("any type", "fn f<T: Real>(a: &[T; n], b: &[T; n]) -> [T; n] { build(n, |i| a[i] * b[i] + a[i]) }", 0),
];

/// Kernels in which nothing is contracted.
const LEFT: &[(&str, &str)] = &[
    ("integers", "fn f(a: &[i32; n], b: &[i32; n]) -> [i32; n] { build(n, |i| a[i] * b[i] + 1) }"),
    ("no sum", "fn f(a: &[f64; n], b: &[f64; n]) -> [f64; n] { build(n, |i| a[i] * b[i] / 3.0) }"),
    (
        "the product is a result, too",
        "fn f(a: &[f64; n], b: &[f64; n]) -> ([f64; n], [f64; n]) {
            build(n, |i| { let x = a[i] * b[i]; (x, x + 1.0) })
        }",
    ),
    ("the largest product", "fn f(a: &[f64; n], b: &[f64; n]) -> f64 { max(n, |i| a[i] * b[i]) }"),
];

fn fast() -> Options {
    Options { fast: true, ..Options::default() }
}

fn loops(u: &Unit) -> String {
    print::function(&u.stages["f"].loops)
}

/// The places where something is contracted.
fn contracted(text: &str) -> usize {
    text.matches("contract(").count() + text.matches("← products").count()
}

#[test]
fn products_that_are_added_are_contracted() {
    for (why, source, left) in CONTRACTED {
        let text = loops(&unit(&format!("#[smooth] {source}"), &fast()));
        assert!(contracted(&text) > 0, "{why}: {text}");
        assert_eq!(text.matches(" * ").count(), *left, "{why}: {text}");
    }
}

#[test]
fn other_products_stay() {
    for (why, source) in LEFT {
        let text = loops(&unit(&format!("#[smooth] {source}"), &fast()));
        assert_eq!(contracted(&text), 0, "{why}: {text}");
    }
}

#[test]
fn other_modes_contract_nothing() {
    let strict = Options { order: Order::Source, ..Options::default() };
    for (why, source, _) in CONTRACTED {
        for options in [&Options::default(), &strict] {
            let text = loops(&unit(&format!("#[smooth] {source}"), options));
            assert_eq!(contracted(&text), 0, "{why}: {text}");
        }
    }
}

#[test]
fn without_the_instruction_the_bits_are_those_of_portable() {
    for (why, source, _) in CONTRACTED.iter().filter(|(why, ..)| !["any type", "of single width"].contains(why)) {
        let unit = unit(&format!("#[smooth] {source}"), &fast());
        let s = &unit.stages["f"];
        for n in [1, 2, 15, 16, 17, 40] {
            let numbers = |k: usize| (0..n).map(|i| (0.37 * (i * k) as f64).sin() * 3.0).collect::<Vec<f64>>();
            let args = [Value::tensor(&[n], &numbers(3)), Value::tensor(&[n], &numbers(5))];
            let want = smooth_core::dps::eval::run(&s.stored, &args, &Others(&unit)).unwrap().value;
            for direction in [eval::Direction::Forwards, eval::Direction::Backwards] {
                let got = eval::run(&s.loops, &args, &Others(&unit), direction).unwrap();
                assert_eq!(format!("{got:?}"), format!("{want:?}"), "{why}, {n}");
            }
        }
    }
}

#[test]
fn a_tile_of_sums_is_contracted() {
    let source = format!("#[smooth] fn f(a: &[[f64; n]; n], b: &[[f64; m]; n]) -> [[f64; m]; n] {{ {ROWS} }}");
    let text = loops(&unit(&source, &fast()));
    assert!(contracted(&text) > 0, "{text}");
    assert!(!text.contains(" * term") && !text.contains("+ term"), "{text}");
}

/// `f`, and its callee, a kernel of another mode.
fn mixed(callee: (&str, &Options), f: (&str, &Options)) -> Unit {
    let mut all = unit(callee.0, callee.1);
    let more = common::function(f.0.parse().unwrap(), &all, f.1);
    all.stages.insert("f".into(), more.unwrap_or_else(|_| panic!("{} is rejected", f.0)));
    all
}

#[test]
fn inlined_code_takes_the_mode_of_its_caller_unless_strict() {
    let strict = Options { order: Order::Source, ..Options::default() };
    let (portable, fast) = (Options::default(), fast());
    let own = "#[smooth] fn g(a: &[f64; n]) -> [f64; n] { build(n, |i| a[i] * a[i] + 1.5) }";
    let higher =
        "#[smooth] fn g(a: &[f64; n], h: impl Fn(f64) -> f64) -> [f64; n] { build(n, |i| h(a[i]) * a[i] + 1.5) }";
    let call = "fn f(a: &[f64; n]) -> [f64; n] { g(a) }";
    let with = "fn f(a: &[f64; n]) -> [f64; n] { let b = g(a, |x| x + 2.0); build(n, |i| b[i] * 3.0 + 1.0) }";
    for (callee, f, joined, count) in [
        // Inlined, and contracted or not as the kernel around it.
        ((own, &portable), (call, &fast), true, true),
        ((own, &fast), (call, &portable), true, false),
        ((own, &fast), (call, &strict), true, false),
        // A strict kernel is called, and keeps its roundings.
        ((own, &strict), (call, &fast), false, false),
        ((own, &strict), (call, &portable), true, false),
        // A callee that takes a function is always inlined: if it is strict, the kernel around it contracts nothing.
        ((higher, &portable), (with, &fast), true, true),
        ((higher, &strict), (with, &fast), true, false),
    ] {
        let text = loops(&mixed(callee, f));
        let what = (callee.1.order, callee.1.fast, f.1.order, f.1.fast);
        assert_eq!((!text.contains("call g"), contracted(&text) > 0), (joined, count), "{what:?}: {text}");
    }
}

#[test]
fn strict_text_stays_strict_through_a_kernel_between() {
    let strict = Options { order: Order::Source, ..Options::default() };
    let mut all = unit("#[smooth] fn g(a: &[f64; n]) -> [f64; n] { build(n, |i| a[i] * a[i] + 1.5) }", &strict);
    let between = "fn h(a: &[f64; n]) -> [f64; n] { g(a) }";
    let h = common::function(between.parse().unwrap(), &all, &Options::default()).ok().unwrap();
    all.exports.insert("h".into(), smooth_core::link::Export::read(&h.export).unwrap());
    all.stages.insert("h".into(), h);
    let f = common::function("fn f(a: &[f64; n]) -> [f64; n] { h(a) }".parse().unwrap(), &all, &fast()).ok().unwrap();
    let text = print::function(&f.loops);
    assert!(text.contains("call h") && contracted(&text) == 0, "{text}");
}
