//! Long and deep kernels of statements, on the stack that rustc gives a macro.

use proc_macro2::TokenStream;
use smooth_core::expand;

const STACK: usize = 8 << 20;

/// The expansion of a kernel with this body, in which `n` lines are repeated.
fn expanded(before: &str, n: usize, line: impl Fn(usize) -> String, after: &str) -> String {
    let lines: String = (0..n).map(line).collect();
    let source = format!("fn f(a: &[f64; m], x: f64, n: usize) -> f64 {{ {before} {lines} {after} }}");
    let run = move || {
        let source: TokenStream = source.parse().unwrap();
        expand::attribute(TokenStream::new(), source, &"test").to_string()
    };
    std::thread::Builder::new().stack_size(STACK).spawn(run).unwrap().join().unwrap()
}

fn accepted(before: &str, n: usize, line: impl Fn(usize) -> String, after: &str) {
    let code = expanded(before, n, line, after);
    assert!(!code.contains("compile_error"), "{code}");
}

#[test]
fn many_assignments() {
    accepted("let mut s = x;", 1000, |k| format!("s += a[{k} % m] * x;"), "s");
    accepted("let mut b = [0.0; n];", 60, |k| format!("b[{k}] = x; b[{k}] += b[0];"), "b[1]");
    accepted("let mut s = x;", 200, |k| format!("if s > {k}.0 {{ s *= 0.5; }} else if s < 0.0 {{ s = x; }}"), "s");
    accepted("let mut s = x;", 100, |k| format!("for i in 0..{k} {{ s += x; }}"), "s");
}

#[test]
fn many_exits() {
    accepted("", 150, |k| format!("if x > {k}.0 {{ return {k}.0; }}"), "x");
    accepted("let mut s = x; for i in 0..n {", 100, |k| format!("if i == {k} {{ s += 1.0; continue; }}"), "} s");
    let code = expanded("", 1000, |k| format!("if x > {k}.0 {{ return {k}.0; }}"), "x");
    assert!(code.contains("too many statements"), "{code}");
}

#[test]
fn many_arms() {
    accepted("match n {", 300, |k| format!("{k} => {k}.5,"), "_ => x }");
    accepted("let mut s = x; match n {", 100, |k| format!("{k} => s += {k}.5,"), "_ => {} } s");
}

#[test]
fn deep_blocks() {
    let opened = |open: &str, close: &str, n: usize| (open.repeat(n), close.repeat(n));
    let (open, close) = opened("if x > 1.0 { s += 1.0; ", "}", 60);
    accepted(&format!("let mut s = 0.0; {open}"), 0, |_| String::new(), &format!("{close} s"));
    let (open, close) = opened("for i in 0..n { s += 1.0; if s > 9.0 { break; } ", "}", 12);
    accepted(&format!("let mut s = 0.0; {open}"), 0, |_| String::new(), &format!("{close} s"));
    let (open, close) = opened("{ let mut t = s; t += 1.0; s = t; ", "}", 60);
    accepted(&format!("let mut s = 0.0; {open}"), 0, |_| String::new(), &format!("{close} s"));
}
