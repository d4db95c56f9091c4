//! Probes in the compiler: they run at every stage, change no value, and what is asserted is never lost (`lost.rs`).

#[path = "../common/mod.rs"]
mod common;
mod lost;

use common::{Unit, plain, run_everywhere, unit};
use proc_macro2::TokenStream;
use quote::quote;
use smooth_core::expand::{attribute, linked};
use smooth_core::options::Options;
use smooth_core::ty::Scalar;
use smooth_core::value::{Array, Lit, Value};
use smooth_core::{dps, fsmooth, loops};

const KERNELS: &str = include_str!("kernels.rs");

/// A text without its probes: lines that start with one go, and `dbg!(e)` elsewhere is `e`.
fn without(text: &str) -> String {
    let probe = |l: &&str| {
        !["assert", "debug_assert", "dbg!"].iter().any(|p| l.trim_start().starts_with(p) && l.ends_with(';'))
    };
    let mut text = text.lines().filter(probe).collect::<Vec<_>>().join("\n");
    while let Some(at) = text.find("dbg!(") {
        let (mut depth, mut end) = (1, at + 5);
        while depth > 0 {
            depth += match text.as_bytes()[end] {
                b'(' => 1,
                b')' => -1,
                _ => 0,
            };
            end += 1;
        }
        text = format!("{}{}{}", &text[..at], &text[at + 5..end - 1], &text[end..]);
    }
    text
}

fn checked(text: &str) -> Unit {
    unit(text, &Options { checks: true, ..Options::default() })
}

#[test]
fn checked_kernels_have_them_at_every_stage() {
    let u = checked(KERNELS);
    for name in u.stages.keys().filter(|n| *n != "is_sorted") {
        let s = &u.stages[name];
        let kernels = [&s.elaborated.kernel, &s.linked, &s.simplified, &s.shared].map(|k| &k.interface.callees);
        let all = kernels.into_iter().chain([
            &s.lowered.interface.callees,
            &s.stored.interface.callees,
            &s.loops.interface.callees,
        ]);
        for callees in all {
            assert!(callees.iter().any(|c| c.name == fsmooth::Callee::DBG), "{name}");
        }
        common::reads_back(&u.stages[name].stored).unwrap();
    }
    // An inlined kernel brings its own.
    let callees = &u.stages["calls"].stored.interface.callees;
    let through = |c: &&fsmooth::Callee| matches!(c.via, fsmooth::Via::Callee(..)) && c.name.ends_with('!');
    assert!(callees.iter().filter(through).count() > 3, "{callees:?}");
}

#[test]
fn they_are_in_every_expansion() {
    let text = "fn f(a: &[f64; n], k: usize) -> f64 {
        assert!(k < LIMIT, \"{k} of {}\", LIMIT);
        dbg!(a);
        let x = dbg!(a[k]);
        assert_eq!(a, a);
        if x > 9.0 {
            todo!(\"{x}\");
        }
        sum(n, |i| dbg!(x * a[i]))
    }";
    let whole = attribute(TokenStream::new(), text.parse().unwrap(), &"test").to_string();
    let kernel = &whole[whole.find("fn call0").unwrap()..];
    let words = ["print_value", ":: core :: assert", "LIMIT", "`left == right` failed", ":: core :: todo"];
    for word in words {
        assert!(kernel.contains(word), "{word}\n{kernel}");
    }
}

/// A build without debug assertions has the kernel that the text without them is: the loops are the same.
#[test]
fn what_a_build_does_not_assert_leaves_no_trace() {
    let in_release = Options { debug_assertions: false, ..Options::default() };
    for (body, assertion) in [
        ("build(n, |i| { @ 2.0 * a[i] })", "debug_assert!(a[i] > 0.0);"),
        ("build(n, |i| { let x = a[i]; @ 2.0 * x })", "debug_assert!(x > 0.0 && x < 9.0, \"{x} {}\", a[i]);"),
        ("let s = sum(n, |i| { @ a[i] }); build(n, |i| a[i] / s)", "debug_assert_ne!(a[i], 0.0);"),
        ("let b = build(n, |i| { @ a[i] * a[i] }); build(n, |i| b[i] + 1.0)", "debug_assert_eq!(i, i);"),
        ("let mut b = a.clone(); for i in 1..n { @ b[i] += b[i - 1]; } b", "debug_assert!(dbg!(b[i]) > 0.0);"),
        ("let f = |x: f64| { @ x.sqrt() }; build(n, |i| f(a[i]) + f(1.0))", "debug_assert!(x >= 0.0);"),
        ("@ build(n, |i| a[i])", "for i in 0..n { if a[i] > 1.0 { debug_assert!(i > 3); } }"),
        ("@ build(n, |i| a[i])", "debug_assert_eq!(a, &build(n, |i| a[i] + 1.0));"),
    ] {
        let loops = |body: String, options: &Options| {
            let u = unit(&format!("#[smooth] fn f(a: &[f64; n]) -> [f64; n] {{ {body} }}"), options);
            let text = loops::print::function(&u.stages["f"].loops);
            // Names have numbers behind them, in the order in which they were made.
            text.split('_').map(|part| part.trim_start_matches(|c: char| c.is_ascii_digit())).collect::<String>()
        };
        let asserted = body.replace('@', assertion);
        let plain = loops(body.replace('@', ""), &in_release);
        assert_eq!(loops(asserted.clone(), &in_release), plain, "{asserted}");
        assert_ne!(loops(asserted.clone(), &Options::default()), plain, "{asserted}");
    }
}

/// The `cfg` of the crate of the kernel decides which of the two expansions is compiled.
#[test]
fn each_build_gets_its_own_expansion() {
    let text = |body: &str| -> TokenStream { format!("pub fn f(x: f64) -> f64 {{ {body} x }}").parse().unwrap() };
    let first = |body: &str| attribute(quote!(float = "strict"), text(body), &"test").to_string();
    let item = text("debug_assert!(x > 0.0, \"it is {x}\");");
    let second = |end: TokenStream| linked(quote!([] [] { { float = "strict" } { #item } #end }), &"test").to_string();
    for body in ["debug_assert!(x > 0.0, \"it is {x}\");", "if x > 1.0 { debug_assert_eq!(x, f(x)); }"] {
        let both = first(body);
        let (item, places) = (text(body).to_string(), ["cfg (debug_assertions)", "cfg (not (debug_assertions))"]);
        assert!(both.matches(&item).count() == 2 && places.iter().all(|cfg| both.matches(cfg).count() == 1), "{both}");
        assert!(both.contains("} { debug_assertions }"), "{both}");
    }
    for body in ["assert!(x > 0.0);", "dbg!(x);", "if x > 1.0 { panic!() }"] {
        assert!(!first(body).contains("debug_assertions"), "{body}");
    }
    for body in ["debug_assert!(y > 0.0);", "debug_assert!({ x = 2.0; x > 0.0 });", "debug_assert_eq!(x, 1);"] {
        let item = text(body);
        let [debug, release] = [quote!(), quote!({ debug_assertions })]
            .map(|end| linked(quote!([] [] { {} { #item } #end }), &"test").to_string());
        assert!(debug.contains("compile_error") && debug == release, "{debug}\n{release}");
    }
    // The reference asserts as the text does.
    let (debug, release) = (second(quote!()), second(quote!({ debug_assertions })));
    assert!(debug.matches("debug_assert !").count() == 2 && debug.contains("call0"), "{debug}");
    assert!(release.matches("debug_assert !").count() == 1 && !release.contains("call0"), "{release}");
}

#[test]
fn they_change_no_value_and_fail_where_they_do_not_hold() {
    let (u, v) = (plain(KERNELS), plain(&without(KERNELS)));
    let w = checked(KERNELS);
    let a = Value::vector(&[1.0, 2.0, 4.0, 9.0]);
    let k = |n: u64| Value::Scalar(Lit::usize(n));
    let integer = |n: i128| Value::Scalar(Lit::Int(n, Scalar::I64));
    let integers = |ns: &[i128]| {
        let data: Vec<Lit> = ns.iter().map(|n| Lit::Int(*n, Scalar::I64)).collect();
        Value::Array(Array { elem: Scalar::I64, dims: vec![ns.len()], data })
    };
    for (name, args) in [
        ("root", vec![Value::Scalar(Lit::float(2.0, Scalar::F64))]),
        ("normalised", vec![a.clone()]),
        ("steps", vec![a.clone(), k(2)]),
        ("steps", vec![a.clone(), k(5)]),
        ("guards", vec![integers(&[0, 3, -1, 0, 7, 2]), integer(0)]),
        ("guards", vec![integers(&[0, 3, -1, 0, 7, 2]), integer(2)]),
        ("guards", vec![integers(&[4, 1, 7, 7]), integer(8)]),
        ("calls", vec![a.clone(), Value::Scalar(Lit::Int(3, Scalar::U64))]),
    ] {
        let want = run_everywhere(&v, name, &args).unwrap();
        assert_eq!(run_everywhere(&u, name, &args).unwrap(), want, "{name}");
        assert_eq!(run_everywhere(&w, name, &args).unwrap(), want, "{name}");
    }
    let fails = |name: &str, args: &[Value]| {
        assert!(run_everywhere(&v, name, args).is_ok(), "{name}");
        assert_eq!(run_everywhere(&u, name, args).unwrap_err(), "an assertion failed");
        let stored = &u.stages[name].stored;
        assert_eq!(dps::eval::run(stored, args, &common::Others(&u)).err().unwrap(), "an assertion failed");
    };
    fails("normalised", &[Value::vector(&[1.0, -1.0])]);
    fails("normalised", &[Value::vector(&[1.0, -3.0])]);
    fails("steps", &[Value::vector(&[2.0, 1.0]), k(0)]);
    fails("steps", &[Value::vector(&[2.0, 100.0]), k(1)]);
    fails("steps", &[Value::vector(&[2.0]), k(1)]);
}

/// An asserted condition is a fact for all code that runs only after the assertion: no check repeats it.
#[test]
fn proofs_rely_on_assertions() {
    let checks = |body: &str| {
        let u = plain(&format!("#[smooth] fn f(a: &[f64; n], b: &[usize; m], k: usize) -> f64 {{ {body} }}"));
        dps::print::program(&u.stages["f"].stored).matches("[?").count()
    };
    for (body, count) in [
        ("assert!(k < n); a[k]", 0),
        ("assert!(k <= n); a[k]", 1),
        ("debug_assert!(k < n); a[k]", 0),
        ("if m > 3 { assert!(k < n); } a[k]", 1),
        ("if m > 3 { assert!(k < n); a[k] } else { 0.0 }", 0),
        ("assert!(n >= 2 && k < n - 2, \"{k}\"); a[k] + a[k + 1] + a[k + 2]", 0),
        ("assert!(n > 0 && k < n - 1); a[k] + a[k + 1]", 0),
        ("assert_eq!(n, m); sum(n, |i| b[i] as f64)", 0),
        ("if k >= n { panic!() } a[k]", 0),
        ("if k > n { panic!() } a[k]", 1),
        ("match k < n { true => a[k], false => unreachable!() }", 0),
        ("match k { 0 => 1.0, _ if k < n => a[k - 1], _ => panic!(\"{k}\") }", 0),
        ("let mut s = 0.0; for j in 0..m { assert!(j < n); s += a[j]; } s", 0),
        ("sum(m, |j| { assert!(j < n); a[j] })", 0),
        ("sum(m, |j| { assert!(k < n); a[k] })", 0),
        ("let x = build(m, |j| { assert!(k < n); 1.0 }); sum(m, |j| x[j]) + a[k]", 1),
    ] {
        assert_eq!(checks(body), count, "{body}");
    }
}

#[test]
fn explanations_and_documentation_speak_of_them() {
    let text = "fn f(a: &[f64; n], k: usize) -> f64 {
        assert!(a[0] > 0.0);
        for i in 0..n {
            dbg!(a[i]);
        }
        a[k]
    }";
    let u = plain(&format!("#[smooth] {text}"));
    let explained = smooth_core::explain::explain(&u.stages["f"]);
    assert!(explained.contains("`k` is not known to be below"), "{explained}");
    assert!(explained.contains("it is asserted"), "{explained}");
    assert!(!explained.contains("slice of"), "{explained}");
    assert!(explained.contains("states: `token`"), "{explained}");
    let whole = attribute(TokenStream::new(), text.parse().unwrap(), &"test").to_string();
    assert!(whole.contains("if an assertion does not hold"), "{whole}");
}
