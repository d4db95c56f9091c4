//! Whatever stands under `#[smooth]`, the macro answers with an error or with a program, never with a panic.

use proc_macro2::TokenStream;
use smooth_core::expand::{attribute, linked};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The output for `item` under `#[smooth(args)]`, or what made it panic.
fn output(args: &str, item: &str) -> Result<String, String> {
    let tokens = |s: &str| s.parse::<TokenStream>().map_err(|e| format!("no Rust tokens: {e}: {s}"));
    let (args, item) = (tokens(args)?, tokens(item)?);
    catch_unwind(AssertUnwindSafe(|| attribute(args, item, "test").to_string())).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        format!("panicked: {}", text.unwrap_or("no message"))
    })
}

/// What is wrong with the answer to a malformed function.
fn complaint(args: &str, item: &str) -> Option<String> {
    match output(args, item) {
        Err(e) => Some(format!("{e}\n    #[smooth({args})] {item}")),
        Ok(out) if !out.contains("compile_error") => Some(format!("accepted\n    #[smooth({args})] {item}")),
        Ok(out) if out.parse::<TokenStream>().is_err() => Some(format!("no tokens come out\n    {item}")),
        Ok(_) => None,
    }
}

fn report(complaints: Vec<String>) {
    assert!(complaints.is_empty(), "{} failures:\n{}", complaints.len(), complaints.join("\n"));
}

/// Expressions that are wrong wherever an `f64` stands; in scope are `a: &[f64; n]`, `x: f64`, `k: usize`,
/// `c: bool`.
const WRONG: &[&str] = &[
    "",
    "n",
    "k",
    "c",
    "a",
    "&a[..]",
    "()",
    "(x,)",
    "(x, x)",
    "|y: f64| y",
    "|| x",
    "unknown",
    "r#unknown",
    "{}",
    "{ x; }",
    "{ let y = x; }",
    "{ let y; x }",
    "{ let mut y = x; y }",
    "{ let (y, z) = x; y }",
    "{ let [y] = a; y }",
    "{ let y: f16 = x; y }",
    "{ let y: [f64; 2] = [x, x, x]; y[0] }",
    "{ let y: _ = x; y }",
    "{ let ref y = x; *y }",
    "{ let y @ z = x; y }",
    "{ let 1.0 = x; x }",
    "{ let x | x = x; x }",
    "{ let build = x; build(n, |i| x) }",
    "{ let sum = 1.0; sum(n, |i| x) }",
    "{ let y = x else { 1.0 }; y }",
    "{ fn f() {} x }",
    "{ struct S; x }",
    "{ use std::f64; x }",
    "{ macro_rules! m { () => {} } x }",
    "{ ; x + x; x }",
    "{ x = 1.0; x }",
    "{ x += 1.0; x }",
    "{ a[0] = x; x }",
    "'a: { x }",
    "unsafe { x }",
    "async { x }",
    "const { 1.0 }",
    "loop { break x }",
    "while c { }",
    "for i in 0..n { }",
    "for i in 0..n { x }",
    "match x { _ => x }",
    "return x",
    "break",
    "continue",
    "x?",
    "x.await",
    "if c { x }",
    "if c { x } else { }",
    "if c { x } else { k }",
    "if x { x } else { x }",
    "if let y = x { y } else { x }",
    "if c { x } else if c { x }",
    "x as f16",
    "x as bool",
    "x as &f64",
    "x as Vec<f64>",
    "c as f64 as u8",
    "a as f64",
    "x + k",
    "x + c",
    "x + a",
    "a + a",
    "x - ()",
    "-a",
    "!x",
    "x && c",
    "x & x",
    "x << 1",
    "x == x",
    "k < k",
    "0..1",
    "..",
    "a[x]",
    "a[c]",
    "a[-1]",
    "a[0][0]",
    "a[()]",
    "a[0, 1]",
    "a[..]",
    "a[0..=1]",
    "x[0]",
    "x[..]",
    "k[0]",
    "[]",
    "[x]",
    "[x; k]",
    "[x; x][0]",
    "[x, k][0]",
    "[[x], [x, x]][0][0]",
    "[x, [x]][0]",
    "[(x, x)][0]",
    "[|y| y][0]",
    "x.0",
    "(x, x).2",
    "(x, x).x",
    "x.field",
    "x.len()",
    "x.no_method()",
    "x.sqrt(x)",
    "x.powi()",
    "x.powi(x)",
    "x.powi(1, 2)",
    "x.max()",
    "x.max(k)",
    "x.max(x, x)",
    "x.sqrt::<f64>()",
    "a.sqrt()",
    "a.len(0)",
    "a.iter()",
    "c.sqrt()",
    "f64::sqrt()",
    "f64::no_function(x)",
    "f64::sqrt(x, x)",
    "usize::sqrt(k)",
    "build(n, |i| x)",
    "build(n)[0]",
    "build()[0]",
    "build(x, |i| x)[0]",
    "build(n, x)[0]",
    "build(n, || x)[0]",
    "build(n, |i, j| x)[0]",
    "build([], |i| x)[0]",
    "build([n, n], |i| x)[0]",
    "build([n, x], |i, j| x)[0][0]",
    "build(n, |i| (x, x))[0]",
    "build(n, |i| |j| x)[0]",
    "build(n, |i| build(i, |j| x))[0][0]",
    "build(a[0] as usize, |i| x)[0]",
    "build(1 - 2, |i| x)[0]",
    "build",
    "sum",
    "sum()",
    "sum(n)",
    "sum(n, x)",
    "sum(n, |i| i)",
    "sum(n, |i| a)",
    "sum(n, |i, j| x)",
    "sum(x, |i| x)",
    "sum(n, |(i, j)| x)",
    "sum(n, |i: f64| x)",
    "sum(n, sum)",
    "sum(n, k)",
    "ifold(n, x)",
    "ifold(n, x, |s| s)",
    "ifold(n, x, |s, i| i)",
    "ifold(n, x, |s, i, j| s)",
    "ifold(n, |s, i| s, x)",
    "ifold(x, x, |s, i| s)",
    "ifold(n, a, |s, i| s)",
    "ifold(n, (), |s, i| s)",
    "ifold(n, |y| y, |s, i| s)(x)",
    "ifold(3, a.to_vec(), |s, i| s[1..].to_vec())[0]",
    "x(x)",
    "k(x)",
    "a(0)",
    "n(x)",
    "(x)(x)",
    "(|y: f64| y)(x)",
    "\"text\"",
    "'c'",
    "b\"bytes\"",
    "b'b'",
    "c\"text\"",
    "1.0f16",
    "1u8",
    "1i64",
    "1_000_000_000_000_000_000_000_000",
    "0xffff_ffff_ffff_ffff_ffff",
    "1e999999999999f32",
    "1x",
    "1.0foo",
    "vec![x]",
    "panic!()",
    "todo!()",
    "m!{}",
    "S { x }",
    "S { ..x }",
    "<f64 as Default>::default()",
    "<f64>::default()",
    "&mut x",
    "&raw const x",
    "*x.0",
    "_",
    "yield x",
    "#[cfg(any())] x",
    "x as",
    "x +",
    "let y = x",
    "PI as f64 as c",
];

/// Types that no parameter has.
const TYPES: &[&str] = &[
    "f16",
    "i128",
    "isize",
    "u128",
    "char",
    "str",
    "&str",
    "String",
    "Vec<f64>",
    "Option<f64>",
    "Self",
    "_",
    "!",
    "()",
    "&(f64, [f64; n])",
    "&mut f64",
    "&mut [f64; n]",
    "&mut [f64]",
    "*const f64",
    "*mut [f64]",
    "[f64; -1]",
    "[f64; 1.5]",
    "[f64; true]",
    "[f64; n + 1]",
    "[f64; { 3 }]",
    "[f64; x]",
    "[f64; p]",
    "[f64; f(n)]",
    "[f64; \"n\"]",
    "[[[[[[[f64; 1]; 1]; 1]; 1]; 1]; 1]; 1]",
    "[f64; 99999999999999999999999]",
    "[f16; n]",
    "[(f64, f64); n]",
    "[String; n]",
    "[&mut f64; n]",
    "&dyn Fn(f64) -> f64",
    "Box<dyn Fn(f64) -> f64>",
    "fn(f64) -> f64",
    "impl Fn(f64)",
    "impl Fn",
    "impl Fn(String) -> f64",
    "impl Fn(f64) -> String",
    "impl Fn(impl Fn(f64) -> f64) -> f64",
    "impl Fn(f64) -> impl Fn(f64) -> f64",
    "impl FnMut(f64) -> f64",
    "impl FnOnce(f64) -> f64",
    "impl Iterator<Item = f64>",
    "impl Copy",
    "impl 'static",
    "impl Fn(f64) -> f64 + Display",
    "[impl Fn(f64) -> f64; 2]",
    "(impl Fn(f64) -> f64, f64)",
    "<f64 as Trait>::Type",
    "m!()",
    "f64<f64>",
    "::f64",
    "f64::consts",
    "dyn Sized",
];

/// Whole items, one nastier than the other.
const ITEMS: &[&str] = &[
    "",
    ";",
    "f",
    "fn",
    "fn f",
    "fn f()",
    "fn f() {}",
    "fn f();",
    "fn f() -> f64;",
    "fn f() -> f64 {}",
    "fn f() -> () {}",
    "fn f() -> () { () }",
    "fn f() -> ! { loop {} }",
    "fn f() -> f64 { 1.0 } fn g() -> f64 { 1.0 }",
    "struct S;",
    "struct S { x: f64 }",
    "enum E {}",
    "mod m {}",
    "mod m;",
    "const K: f64 = 1.0;",
    "static K: f64 = 1.0;",
    "trait T {}",
    "impl T for S {}",
    "impl S { fn f() -> f64 { 1.0 } }",
    "use a::b;",
    "type T = f64;",
    "extern \"C\" { fn f() -> f64; }",
    "macro_rules! m { () => {} }",
    "m!();",
    "1 + 1",
    "let x = 1.0;",
    "|x| x",
    "async fn f() -> f64 { 1.0 }",
    "const fn f() -> f64 { 1.0 }",
    "unsafe fn f() -> f64 { 1.0 }",
    "extern fn f() -> f64 { 1.0 }",
    "extern \"C\" fn f() -> f64 { 1.0 }",
    "unsafe extern \"C\" fn f(x: f64, ...) -> f64 { 1.0 }",
    "fn f<T>(x: T) -> T { x }",
    "fn f<'a>(x: &'a [f64; n]) -> f64 { x[0] }",
    "fn f<const N: i32>(x: &[f64; N]) -> f64 { x[0] }",
    "fn f<T: Real + Debug>(x: T) -> T { x }",
    "fn f<T: Real, U: Real, V: Real, W: Real, X: Real>(x: T) -> T { x }",
    "fn f(x: f64) -> f64 where f64: Copy { x }",
    "fn f(self) -> f64 { 1.0 }",
    "fn f(&self, x: f64) -> f64 { x }",
    "fn f(&mut self) -> f64 { self.x }",
    "fn f(self: &Self) -> f64 { 1.0 }",
    "fn f(x: f64) -> f64 { self.x }",
    "fn f(x: f64) -> f64 { self }",
    "fn f(mut x: f64) -> f64 { x }",
    "fn f(ref x: f64) -> f64 { x }",
    "fn f(_: f64) -> f64 { 1.0 }",
    "fn f((x, y): (f64, f64)) -> f64 { x }",
    "fn f([x, y]: [f64; 2]) -> f64 { x }",
    "fn f(S { x }: S) -> f64 { x }",
    "fn f(x @ y: f64) -> f64 { x }",
    "fn f(1.0: f64) -> f64 { 1.0 }",
    "fn f(f64) -> f64 { 1.0 }",
    "fn f(x) -> f64 { x }",
    "fn f(x: f64, x: f64) -> f64 { x }",
    "fn f(x: f64, r#x: f64) -> f64 { x }",
    "fn f(n: f64, a: &[f64; n]) -> f64 { a[0] }",
    "fn f(n: &[f64; n]) -> f64 { n[0] }",
    "fn f(a: &[f64; f]) -> f64 { f(a) }",
    "fn f(#[cfg(any())] x: f64) -> f64 { x }",
    "fn f(#[allow(unused)] x: f64) -> f64 { x }",
    "fn f(/** a documented parameter */ x: f64) -> f64 { x }",
    "fn f(x: f64) -> f64 { #[cfg(any())] let y = 1.0; x }",
    "fn f(x: f64) -> f64 { #![allow(unused)] let mut y = 1.0; x }",
    "fn f(x: f64) -> f64 { f(x) }",
    "fn f(x: f64) -> f64 { sum(3, f) }",
    "fn r#f(x: f64) -> f64 { f(x) }",
    "fn f(x: f64) -> impl Fn(f64) -> f64 { |y| x + y }",
    "fn f(x: f64) -> &mut f64 { x }",
    "fn f(x: f64) -> [f64; m] { [x] }",
    "fn f(x: f64) -> [f64; 0] { [x] }",
    "fn f(x: f64) -> [f64; -1] { [x] }",
    "fn f(x: f64) -> [f64; 2] { [x] }",
    "fn f(x: f64) -> [f64; x] { [x] }",
    "fn f(x: f64) -> [[f64; 1]; 1] { [x] }",
    "fn f(x: f64) -> (f64, f64) { x }",
    "fn f(x: f64) -> (f64, f64) { (x, x, x) }",
    "fn f(x: f64) -> f64 { (x, x) }",
    "fn f(x: f64) -> usize { x }",
    "fn f(a: &[f64; 3]) -> f64 { a[3] }",
    "fn f(a: &[f64; 0]) -> f64 { a[0] }",
    "fn f(a: &[f64; 3]) -> [f64; 3] { a[1..5].to_vec() }",
    "fn f(a: &[f64; 3]) -> [f64; 3] { a[2..1].to_vec() }",
    "fn f(a: &[f64; n]) -> [f64; n] { build(n + 1, |i| 0.0) }",
    "fn f(a: &[f64; n], b: &[f64; m], c: bool) -> [f64; n] { if c { a.clone() } else { b.clone() } }",
    "fn f(c: bool) -> (f64, [f64; 2]) { if c { (1.0, [1.0, 2.0]) } else { (1.0, [1.0]) } }",
    "fn f(g: impl Fn(f64) -> f64) -> f64 { g }",
    "fn f(g: impl Fn(f64) -> f64) -> f64 { g() }",
    "fn f(g: impl Fn(f64) -> f64) -> f64 { g(1.0, 2.0) }",
    "fn f(g: impl Fn(f64) -> f64) -> f64 { g(g) }",
    "fn f(g: impl Fn(f64) -> f64) -> f64 { g.len() }",
    "fn f(g: impl Fn(f64) -> f64) -> f64 { (g, 1.0).1 }",
    "fn f(g: impl Fn(&[f64; n]) -> [f64; n]) -> f64 { g(1.0)[0] }",
    "fn f(x: f64) -> f64 { let g = |y| y; g(x)(x) }",
    "fn f(x: f64) -> f64 { let g = |y: f64| |z: f64| y + z; g(x)(x) }",
    "fn f(x: f64) -> f64 { let (g, h) = (|y: f64| y, |y: f64| y); g(x) }",
    "fn f(x: f64) -> f64 { let g = |y: f64| y; let h = g; h }",
    "fn f(x: f64) -> f64 { let frame = |out: &mut f64| arena; frame(x) }",
    "fn größe(länge: &[f64; ñ]) -> f64 { länge + ñ }",
    "fn f(x: f64) -> f64 { let π = 3.0; π + ρ }",
    "pub(in a::b) fn f(x: f64) -> f64 { y }",
    "pub(crate) default fn f(x: f64) -> f64 { x }",
    "#[inline] #[cfg(all())] fn f(x: f64) -> f64 { y }",
    "fn f(out: &[f64; frame], arena: f64) -> f64 { out + arena }",
    "fn f(a: &[f64; usize]) -> f64 { f64 }",
    "fn f() -> f64 { 1e400 + x }",
    "fn f() -> f64 { -9223372036854775809 }",
    "fn f() -> usize { 18446744073709551616 }",
    "fn f(a: &[f64; 18446744073709551616]) -> f64 { a[0] }",
    "fn f(k: usize) -> [f64; k] { build(k * k * k, |i| x) }",
    "fn f(k: usize) -> f64 { build(9999999999 * 9999999999 * 9999999999 * 9999999999 * 9999999999, |i| 0.0)[0].x }",
    "fn f(k: usize) -> usize { 1 / 0 + k.x }",
    "fn f() -> [f64; 1 / 0] { build(1 % 0, |i| y) }",
];

/// Arguments that the attribute does not take.
const ARGS: &[&str] = &[
    "float",
    "float = strict",
    "float = 1",
    "float = \"quick\"",
    "float = \"portable\" \"strict\"",
    "float(strict)",
    "flaot = \"strict\"",
    "strict",
    "strict, strict",
    "passes",
    "passes = false",
    "passes(fuse)",
    "passes(fuse = 1)",
    "passes(fuse = \"no\")",
    "passes(fuse: false)",
    "passes(none = false)",
    "passes(fuse = false, none = true)",
    "passes[fuse = false]",
    "crate",
    "crate = 1",
    "crate = \"smooth\"",
    "crate(smooth)",
    "=",
    ",",
    ",,",
    "= =",
    "1",
    "\"strict\"",
    "a::b = 1",
    "unsafe(float = \"strict\")",
    "float = \"strict\"; crate = x",
];

/// Where an expression may stand.
const PLACES: &[&str] = &[
    "fn f(a: &[f64; n], x: f64, k: usize, c: bool) -> f64 { @ }",
    "fn f(a: &[f64; n], x: f64, k: usize, c: bool) -> f64 { let y = 1.0; x * (@) }",
    "fn f(a: &[f64; n], x: f64, k: usize, c: bool) -> f64 { sum(n, |i| a[i] * { @ }) }",
    "fn f(a: &[f64; n], x: f64, k: usize, c: bool) -> [f64; n] { build(n, |i| if c { 0.0 } else { @ }) }",
    "fn f(a: &[f64; n], x: f64, k: usize, c: bool) -> f64 { ifold(3, 0.0, |s, i| { let g = |y: f64| y + { @ }; g(s) }) }",
];

#[test]
fn malformed_expressions() {
    let all = PLACES.iter().flat_map(|p| WRONG.iter().map(move |e| p.replace('@', e)));
    report(all.filter_map(|item| complaint("", &item)).collect());
}

#[test]
fn malformed_types() {
    let shapes = [
        "fn f(p: f64, x: @) -> f64 { p }",
        "fn f(p: f64, x: &[@; n]) -> f64 { p }",
        "fn f(p: f64) -> f64 { let y: @ = p; p }",
    ];
    let all = shapes.iter().flat_map(|s| TYPES.iter().map(move |t| s.replace('@', t)));
    report(all.filter_map(|item| complaint("", &item)).collect());
}

#[test]
fn malformed_items() {
    report(ITEMS.iter().filter_map(|item| complaint("", item)).collect());
}

#[test]
fn malformed_arguments() {
    report(ARGS.iter().filter_map(|args| complaint(args, "fn f(x: f64) -> f64 { x }")).collect());
}

/// Deep nesting of every recursive form, past what the compiler takes and well within what `syn` takes.
#[test]
fn deep_nesting() {
    let forms = [
        ("(", ")"),
        ("{", "}"),
        ("-", ""),
        ("&", ""),
        ("1.0 + (", ")"),
        ("f64::sqrt(", ")"),
        ("[", "][0]"),
        ("(", ",).0"),
        ("if c {", "} else { x }"),
        ("if c { x } else {", "}"),
        ("sum(n, |i| ", ")"),
        ("build(n, |i| ", ")[0]"),
        ("ifold(n, x, |s, i| ", ")"),
        ("{ let y = ", "; y }"),
        ("{ let g = |y: f64| ", "; g(x) }"),
    ];
    let mut complaints = Vec::new();
    for (open, close) in forms {
        for depth in [10, 150, 300] {
            // An unknown name in the middle: too deep or not, there is an error.
            let body = format!("{}unknown{}", open.repeat(depth), close.repeat(depth));
            let item = format!("fn f(a: &[f64; n], x: f64, c: bool) -> f64 {{ {body} }}");
            // Real compilers run macros on a larger stack than the test harness gives.
            let run = move || complaint("", &item);
            let thread = std::thread::Builder::new().stack_size(64 << 20).spawn(run).expect("a thread");
            complaints.extend(
                thread.join().expect("caught inside").map(|c| format!("{open} {depth}: {}", &c[..c.len().min(200)])),
            );
        }
    }
    let long = format!("fn f(x: f64) -> f64 {{ unknown {} }}", "+ x ".repeat(150));
    complaints.extend(complaint("", &long));
    let arrays = format!("fn f(a: &{}f64{}) -> f64 {{ 0.0 }}", "[".repeat(40), "; n]".repeat(40));
    complaints.extend(complaint("", &arrays).map(|_| String::new()).filter(|_| output("", &arrays).is_err()));
    report(complaints);
}

/// The second phase gets its tokens from generated code; whatever comes, it does not panic.
#[test]
fn second_phase_on_nonsense() {
    let item = "fn f(x: f64) -> f64 { g(x) }";
    let states = [
        String::new(),
        "[]".into(),
        "[] []".into(),
        "[] [] {}".into(),
        "[] [] { {} {} }".into(),
        format!("[] [] {{ {{}} {{ {item} }} }}"),
        format!("[] [{{}}] {{ {{}} {{ {item} }} }}"),
        format!("[] [{{1}}] {{ {{}} {{ {item} }} }}"),
        format!("[] [{{\"\"}}] {{ {{}} {{ {item} }} }}"),
        format!("[] [{{\"smooth\"}}] {{ {{}} {{ {item} }} }}"),
        format!("[] [{{\"smooth 0 kernel\"}}] {{ {{}} {{ {item} }} }}"),
        format!("[] [{{\"smooth 1 kernel\"}}] {{ {{}} {{ {item} }} }}"),
        format!("[] [{{\"smooth 1 kernel \\\"g\\\" (\"}}] {{ {{}} {{ {item} }} }}"),
        format!("[] [{{\"((((\"}}] {{ {{}} {{ {item} }} }}"),
    ];
    for state in states {
        let tokens = state.parse::<TokenStream>().expect("tokens");
        let out = catch_unwind(AssertUnwindSafe(|| linked(tokens, "test").to_string()));
        let out = out.unwrap_or_else(|_| panic!("panicked on {state}"));
        assert!(out.is_empty() || out.contains("compile_error"), "accepted {state}: {out}");
    }
}

/// Unusual and right: no error, and what comes out is a file of Rust.
#[test]
fn valid_edges() {
    let items = [
        "fn f() -> f64 { 1.0 }",
        "fn f<>() -> f64 { 1.0 }",
        "fn f<const N: usize>(x: &[f64; N]) -> f64 { x[0] }",
        "fn f<T: Real + Copy>(x: T) -> T { x }",
        "fn f<T, const N: usize>(x: &[T; N], y: (T, (T,))) -> [T; N] where T: Real { build(N, |i| x[i] * y.0) }",
        "fn f(x: &[f64; N], y: &[u8; a::N]) -> [f64; a::N] { build(a::N, |i| y[i] as f64) }",
        "fn f() -> bool { true }",
        "fn f() -> usize { 0 }",
        "fn f() -> [f64; 0] { build(0, |_| 0.0) }",
        "fn f(a: &[f64; 0]) -> [f64; 0] { a.clone() }",
        "fn f(a: &[f64; 0]) -> f64 { sum(0, |i| a[i]) }",
        "fn f(a: &[[f64; 0]; 0]) -> usize { a.len() }",
        "fn f(a: &[f64; 1]) -> f64 { a[0] }",
        "fn f(x: f64, y: f64) -> f64 { x }",
        "fn f(a: &[f64; n], b: &[f64; m]) -> f64 { 0.0 }",
        "fn f(a: &[f64; n]) -> usize { n }",
        "fn f(_x: f64) -> f64 { 1.0 }",
        "fn f(x: f64) -> f64 { let x = x + 1.0; let x = x * x; x }",
        "fn f(x: f64) -> f64 { { { { x } } } }",
        "fn f(x: f64) -> f64 { ((((x)))) }",
        "fn f(x: f64,) -> f64 { x }",
        "fn f(x: f64) -> (f64,) { (x,) }",
        "fn r#type(r#match: f64) -> f64 { let r#fn = r#match; r#fn }",
        "fn r#loop(a: &[f64; r#for]) -> usize { r#for }",
        "fn größe(länge: &[f64; ñ]) -> f64 { sum(ñ, |ı| länge[ı]) }",
        "fn f(n: usize, a: &[f64; n]) -> usize { n }",
        "fn f(a: &[f64; n], n: usize) -> usize { n }",
        "fn f(out: &[f64; n], arena: f64, frame: f64) -> f64 { out[0] + arena + frame }",
        "fn f(out: &[f64; n], arena: &[f64; n]) -> [f64; n] { build(n, |i| out[i] + arena[i]) }",
        "fn f(a: &[f64]) -> usize { a.len() }",
        "fn f(a: &[[f64]]) -> usize { a.len() }",
        "fn f(a: &[f64; n]) -> [f64; _] { build(n + 1, |i| 0.0) }",
        "fn f(a: &[f64; n]) -> [f64; n + 1] { build(1 + n, |i| 0.0) }",
        "fn f(a: &[[[f64; k]; m]; n]) -> f64 { a[0][0][0] }",
        "fn f(x: f64) -> f64 { let _ = x; let (y, _) = (x, x); y }",
        "fn f(x: f64) -> f64 { let g = |y: f64| y; x }",
        "fn f(x: f64) -> f64 { let g = |y| y + x; let h = |y| g(g(y)); h(x) }",
        "fn f(x: f64) -> f64 { let x = |x: f64| x; 1.0 }",
        "fn f(x: f64) -> f64 { let build = x; build }",
        "fn f(a: &[f64; n]) -> f64 { let i = 3.0; sum(n, |i| a[i]) + i }",
        "fn f(sum: f64, ifold: f64) -> f64 { sum + ifold }",
        "fn f(a: &[f64; n]) -> f64 { ifold(n, 0.0, |_, _| 1.0) }",
        "fn f(a: &[f64; n]) -> f64 { ifold(0, 0.0, |s, i| s + a[i]) }",
        "fn f(x: f64) -> f64 { if true { x } else { -x } }",
        "fn f(x: f64) -> f64 { 1e308 * 1e-320 * 0x10 as f64 * 1_0.0_1 }",
        "fn f(x: f64) -> f64 { x.powi(-2) + x.powi(2147483647) }",
        "fn f(x: f64) -> f64 { PI * std::f64::consts::E + crate::a::K + f64::MAX + x }",
        "fn f(g: impl Fn(f64) -> f64 + Copy) -> f64 { g(g(1.0)) }",
        "fn f(g: impl Fn(f64, usize) -> f64, x: f64) -> f64 { g(x, 2) }",
        "fn f(c: bool, d: bool) -> bool { c && !d || c == d }",
        "/// Documented.\n#[inline]\n#[must_use]\npub fn f(x: f64) -> f64 { x }",
        "pub(crate) fn f(x: f64) -> f64 { x }",
        "fn f(a: &[f64; n]) -> (f64, [f64; n], usize) { (1.0, a.clone(), n) }",
        "fn f(a: &[f64; n]) -> f64 { a[n - 1] + a[0] + a[n] }",
        "fn f(a: &[f64; n], k: usize) -> [f64; _] { a[k..].to_vec() }",
        "fn f(a: &[f64; 4]) -> [f64; 0] { a[2..2].to_vec() }",
        "fn f(x: f64) -> [[f64; 2]; 2] { [[x; 2]; 2] }",
        "fn f(x: f64) -> f64 { let (a, (b, c)) = (x, (x, x)); a + b + c }",
        "fn f(x: f64) -> f64 { f64::max(f64::sqrt(x), 1.0) }",
    ];
    let mut complaints = Vec::new();
    for (args, item) in items.iter().map(|i| ("", *i)).chain([
        ("float = \"strict\"", items[0]),
        ("float = \"portable\",", items[0]),
        ("passes(fuse = false, inline = false)", items[0]),
        ("passes()", items[0]),
        ("crate = a::b", items[0]),
        ("crate = ::smooth", items[0]),
    ]) {
        match output(args, item) {
            Err(e) => complaints.push(format!("{e}\n    {item}")),
            Ok(out) if out.contains("compile_error") => {
                let from = out.find("compile_error").unwrap_or(0);
                let text: String = out[from..].chars().take(200).collect();
                complaints.push(format!("rejected: {text}\n    #[smooth({args})] {item}"));
            }
            Ok(out) => {
                if let Err(e) = out
                    .parse::<TokenStream>()
                    .map_err(|e| e.to_string())
                    .and_then(|t| syn::parse2::<syn::File>(t).map_err(|e| e.to_string()))
                {
                    complaints.push(format!("no Rust: {e}\n    {item}"));
                }
            }
        }
    }
    report(complaints);
}

/// The tables are as large as promised.
#[test]
fn many() {
    assert!(ITEMS.len() + TYPES.len() + WRONG.len() + ARGS.len() >= 300);
}
