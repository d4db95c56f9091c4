//! Long kernels: each `let` nests in F̃, and rustc's stack is limited.

mod common;

use common::{function, library};
use proc_macro2::TokenStream;
use smooth_core::expand;
use smooth_core::options::Options;

/// The stack that rustc gives a macro.
const STACK: usize = 8 << 20;

fn on_rustcs_stack(f: impl FnOnce() + Send + 'static) {
    std::thread::Builder::new().stack_size(STACK).spawn(f).unwrap().join().unwrap();
}

fn lets(n: usize, value: impl Fn(usize) -> String, last: &str) -> TokenStream {
    let lines: String = (1..=n).map(|k| format!("let y{k} = {};\n", value(k))).collect();
    format!("fn f(a: &[f64; m], b: &[f64; m], x: f64) -> f64 {{ {lines} {last} }}").parse().unwrap()
}

#[test]
fn a_thousand_lets() {
    on_rustcs_stack(|| {
        let each_used_once = |k: usize| if k == 1 { "x".into() } else { format!("y{} * x + a[1]", k - 1) };
        let each_used_often = |k: usize| if k < 3 { "x + 1.0".into() } else { format!("y{} * y{}", k - 1, k - 2) };
        for source in [lets(1000, each_used_once, "y1000"), lets(1000, each_used_often, "y1000 + y999")] {
            let code = expand::attribute(TokenStream::new(), source, &"test").to_string();
            assert!(!code.contains("compile_error"), "{code}");
        }
    });
}

/// Fused, two thousand arrays are one term two thousand deep.
#[test]
fn two_thousand_arrays_in_one() {
    on_rustcs_stack(|| {
        let chain = |k: usize| match k {
            1 => "build(m, |i| a[i] * x)".into(),
            k => format!("build(m, |i| y{}[i] * x + b[i])", k - 1),
        };
        let code =
            expand::attribute(TokenStream::new(), lets(2000, chain, "sum(m, |i| y2000[i])"), &"test").to_string();
        assert!(!code.contains("compile_error"), "{code}");
    });
}

#[test]
fn hundreds_of_calls() {
    on_rustcs_stack(|| {
        let unit = library("");
        let chain = |k: usize| if k == 1 { "vector_add(a, b)".into() } else { format!("vector_add(&y{}, a)", k - 1) };
        for source in [
            lets(200, chain, "vector_sum(&y200)"),
            lets(200, |k| format!("vector_norm(&vector_s_mul(a, {k}.0))"), "y200"),
        ] {
            assert!(function(source, &unit, &Options::default()).is_ok());
        }
    });
}
