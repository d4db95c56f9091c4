//! Sizes bounded by numbers that are not sizes themselves: the same at every stage of the compiler, in any preset.

mod common;

use common::{run_everywhere, unit};
use proc_macro2::TokenStream;
use smooth_core::diag::Diags;
use smooth_core::options::Options;
use smooth_core::ty::Scalar;
use smooth_core::value::{Array, Lit, Value};

const STORED: &str = "
    #[smooth] fn less(n: usize, by: usize) -> usize { n - by }
    #[smooth] fn stored(a: &[f64; n], count: usize) -> f64 {
        let b = build(count, |q| a[q % n] + 1.0);
        ifold(2, b, |s, _| build(count, |q| s[count - 1 - q] * 2.0))[0]
    }";

/// Terms that bound a size: each is at most `i`, and wraps for the first indices where `c` holds.
const BOUNDS: [&str; 9] = [
    "if c { i - 5 } else { 0 }",
    "if c { if i > 2 { i - 3 } else { i - 1 } } else { i }",
    "(if c { (i - 5, 1) } else { (0, i) }).0",
    "d[0].min(i) - if c { 5 } else { 0 }",
    "{ let y = d[0].min(i); if c { y - 5 } else { y } }",
    "{ let x = { let y = d[0].min(i); y * 1 + 0 }; if c { x - 1 } else { x } }",
    "d[0] % (if c { i - 4 } else { i + 1 })",
    "if c { less(i, 5) } else { 0 }",
    "less(d[0].min(i), if c { 5 } else { 0 })",
];

const PRESETS: [&str; 5] =
    ["", "passes(inline = false)", "passes(unroll = false)", "preset = \"D\"", "preset = \"DF\""];

fn numbers(ns: &[i128]) -> Value {
    let data = ns.iter().map(|n| Lit::Int(*n, Scalar::Usize)).collect();
    Value::Array(Array { elem: Scalar::Usize, dims: vec![ns.len()], data })
}

#[test]
fn mean_the_same_at_every_stage() {
    for bound in BOUNDS {
        for preset in PRESETS {
            let options = Options::parse(preset.parse::<TokenStream>().expect("tokens"), &mut Diags::new());
            for body in [
                format!("let x = {bound}; sum(x, |j| stored(a, j + 1))"),
                format!("sum({bound}, |j| stored(a, j + 1))"),
            ] {
                let source = format!(
                    "{STORED} #[smooth] fn f(a: &[f64; n], d: &[usize; 1], c: bool) -> [f64; n] {{ build(n, |i| {{ {body} }}) }}"
                );
                let unit = unit(&source, &options);
                let run = |n: usize, d: i128, c: bool| {
                    let args = [Value::vector(&vec![1.0; n]), numbers(&[d]), Value::Scalar(Lit::Bool(c))];
                    run_everywhere(&unit, "f", &args)
                };
                for n in 0..7 {
                    for d in [0, 3, 9] {
                        assert!(run(n, d, false).is_ok(), "{preset}: {body} for {n} and {d}");
                        assert_eq!(run(n, d, true).is_ok(), n == 0, "{preset}: {body} for {n} and {d}");
                    }
                }
            }
        }
    }
}
