//! No assertion is lost: each of these programs asserts what does not hold, in a place whose value little or nothing of the
//! program uses, and fails at every stage; and it holds nowhere where the program does not come.

use crate::common::{Others, Unit, plain, run_everywhere, unit};
use smooth_core::loops::eval::Direction;
use smooth_core::loops::{self, Block, Stmt};
use smooth_core::options::Options;
use smooth_core::pass::Switches;
use smooth_core::ty::Scalar;
use smooth_core::value::{Lit, Value};

/// Kernels that are called.
const CALLEES: &str = "
    #[smooth] fn positive(x: f64) -> f64 { assert!(x > 0.0, \"{x}\"); x.sqrt() }
    #[smooth] fn all_positive(a: &[f64; n]) -> [f64; n] { build(n, |i| positive(a[i])) }
    #[smooth] fn checks(a: &[f64; n], y: &mut [f64; 1]) { for i in 0..n { assert!(a[i] > 0.0); } y[0] = 1.0; }
    #[smooth(passes(inline = false))] fn apart(a: &[f64; n]) -> [f64; n] { build(n, |i| positive(a[i])) }
";

/// Bodies of `f(a: &[f64; n], k: usize, c: bool) -> f64`, where some element of `a` is not positive.
const LOST: &[&str] = &[
    "for i in 0..n { assert!(a[i] > 0.0); } 1.0",
    "let x = sum(n, |i| { assert!(a[i] > 0.0); a[i] }); 1.0",
    "let x = build(n, |i| { assert!(a[i] > 0.0); a[i] }); 1.0",
    "let x = build(n, |i| { assert!(a[i] > 0.0); a[i] }); x[0]",
    "let x = build(n, |i| { assert!(a[i] > 0.0); a[i] }); x.len() as f64",
    "let x = build(n, |i| { assert!(a[i] > 0.0); a[i] }); sum(n - 1, |i| x[i])",
    "let x = build(n, |i| { assert!(a[i] > 0.0); a[i] }); sum(n, |i| if i == 0 { x[i] } else { 0.0 })",
    "let x = build(n, |i| { assert!(a[i] > 0.0); a[i] }); if c { sum(n, |i| x[i]) } else { 0.0 }",
    "let x = build(n, |i| { assert!(a[i] > 0.0); a[i] }); let y = build(n, |i| x[i] + 1.0); 1.0",
    "let x = build(n, |i| { assert!(a[i] > 0.0); a[i] }); let y = build(n, |i| x[i] + 1.0); y[0]",
    "let x = build(n, |i| { assert!(a[i] > 0.0); a[i] }); let y = &x[..1]; sum(1, |i| y[i])",
    "let x = build([n, 2], |i, j| { assert!(a[i] > 0.0); a[i] }); sum(n, |i| x[i][0])",
    "let x = build([2, n], |j, i| { assert!(a[i] > 0.0); a[i] }); sum(n, |i| x[0][i])",
    "let x = build(n, |i| { assert!(a[i] > 0.0); (a[i], 1.0) }); x[0].1",
    "let x = build(n, |i| (positive(a[i]), 1.0)); sum(n, |i| x[i].1)",
    "let (s, t) = (sum(n, |i| positive(a[i])), 2.0); t",
    "(sum(n, |i| positive(a[i])), 2.0).1",
    "let x = reduce(n, 0.0, |p, q| p + q, |i| { assert!(a[i] > 0.0); a[i] }); 1.0",
    "let x = ifold(n, 0.0, |s, i| { assert!(a[i] > 0.0); s + a[i] }); 1.0",
    "let x = scan(n, 0.0, |s, i| { assert!(a[i] > 0.0); s + a[i] }); x[0]",
    "let x = any(n, |i| { assert!(a[i] > 0.0); a[i] > 9.0 }); 1.0",
    "let f = |x: f64| { assert!(x > 0.0); x }; let y = f(a[n - 1]); let z = f(a[0]); 1.0",
    "let f = |x: f64| { if c { assert!(x > 0.0); } x }; let y = f(a[n - 1]); 1.0",
    "let x = all_positive(a); 1.0",
    "let x = all_positive(a); x[0]",
    "let x = apart(a); 1.0",
    "let x = apart(a); x[0]",
    "let mut y = [0.0; 1]; checks(a, &mut y); 1.0",
    "let mut x = 0.0; for i in 0..n { if i > 0 { assert!(a[i] > 0.0); x = 1.0; } } 1.0",
    "let mut x = [0.0; 4]; for i in 0..n { assert!(a[i] > 0.0); x[0] = a[i]; } 1.0",
    "let mut x = [0.0; 4]; for i in 0..n { assert!(a[i] > 0.0); x[i % 4] = a[i]; } x = [1.0; 4]; x[0]",
    "let mut i = 0; while i < n { assert!(a[i] > 0.0); i += 1; } 1.0",
    "for i in 0..n { for j in 0..2 { if j > 0 { assert!(a[i] > 0.0); } } } 1.0",
    "for i in 0..n { let x = if a[i] > 0.0 { 1.0 } else { panic!(\"element {i}\") }; } 1.0",
    "for i in 0..n { let x = match a[i] > 0.0 { true => i, false => unreachable!() }; } 1.0",
    "for i in 0..n { if a[i] <= 0.0 { todo!() } } 1.0",
    "for i in 0..n { if a[i] > 0.0 { continue; } unimplemented!(\"{}\", a[i]); } 1.0",
    "let x = build(n, |i| if a[i] > 0.0 { a[i] } else { panic!() }); x[0]",
    "if c { for i in 0..n { assert!(a[i] > 0.0); } } 1.0",
    "let x = { for i in 0..n { assert!(a[i] > 0.0); } 3.0 }; 1.0",
    "let x = if c { for i in 0..n { assert!(a[i] > 0.0); } 3.0 } else { 4.0 }; 1.0",
    "let x = c && { for i in 0..n { assert!(a[i] > 0.0); } true }; 1.0",
    "for i in 0..n { match i { 0 => {} _ if { assert!(a[i] > 0.0); k > 99 } => return 5.0, _ => {} } } 1.0",
    "for i in 0..n { debug_assert!(a[i] > 0.0); } 1.0",
    "for i in 0..n { assert_ne!(a[i], -2.0); } 1.0",
    "for i in 0..n { assert_eq!((a[i] > 0.0, i), (true, i), \"{i}\"); } 1.0",
    "assert_ne!(a, [3.0, 1.0, -2.0]); 1.0",
    "let b = build(n, |i| a[i] + 1.0); assert!(all(n, |i| b[i] > 1.0), \"{b:?}\"); 1.0",
    "let b = build(n, |i| build(2, |j| { assert!(a[i] > 0.0); a[i] + j as f64 })); b[0][1]",
    "let b = build(n, |i| build(i + 1, |j| { assert!(a[i] > 0.0); a[i] })[0]); b[1]",
    "max(n, |i| sum(k, |j| { assert!(a[i] > 0.0); a[j] })) * 0.0",
    "let s = sum(n, |i| { assert!(a[i] > 0.0); 0.0 }); let t = sum(n, |i| { assert!(a[i] > 0.0); 0.0 }); 1.0",
];

/// Bodies that never come to an assertion that does not hold.
const UNREACHED: &[&str] = &[
    "if n > 9 { assert!(a[2] > 0.0); } 1.0",
    "for i in 0..n - 1 { assert!(a[i] > 0.0); } 1.0",
    "for i in 3..n { assert!(k > 99); } 1.0",
    "for i in 0..n { for j in 3..n { assert!(k > 99, \"{i} {j}\"); } } 1.0",
    "let x = build(0, |i| { assert!(k > 99); 1.0 }); 1.0",
    "for i in 0..n { if a[i] < 0.0 { break; } assert!(a[i] > 0.0); } 1.0",
    "let mut i = 0; while i < n && a[i] > 0.0 { assert!(a[i] > 0.0); i += 1; } 1.0",
    "if a[2] < 0.0 { return 2.0; } assert!(a[2] > 0.0); 1.0",
    "let f = |x: f64| { assert!(x > 0.0); x }; f(a[0])",
    "let f = |x: f64| { assert!(x > 0.0); x }; 1.0",
    "k < 99 || { assert!(a[2] > 0.0); true }; let y = k < 99 || { assert!(a[2] > 0.0); true }; 1.0",
    "let x = if a[2] < 0.0 { 1.0 } else { panic!() }; x",
    "match k { 2 => 1.0, _ => unreachable!() }",
    "let x = build(n, |i| if a[i] > -9.0 { a[i] } else { panic!(\"{}\", a[i]) }); x[0]",
    "let b = build(n, |i| if i < 2 { positive(a[i]) } else { 0.0 }); b[1]",
];

fn arguments() -> Vec<Value> {
    let number = Value::Scalar(Lit::Int(2, Scalar::Usize));
    vec![Value::vector(&[3.0, 1.0, -2.0]), number, Value::Scalar(Lit::Bool(true))]
}

fn text(body: &str) -> String {
    // A separate statement whose value is not used is rejected.
    let body = body.trim_start_matches("k < 99 || { assert!(a[2] > 0.0); true }; ");
    format!("{CALLEES} #[smooth] fn f(a: &[f64; n], k: usize, c: bool) -> f64 {{ {body} }}")
}

/// The presets, and with all checks.
fn options() -> Vec<Options> {
    let preset = |name: &str| Options { switches: Switches::preset(name).unwrap(), ..Options::default() };
    let checks = Options { checks: true, ..Options::default() };
    [Options::default(), checks].into_iter().chain(["D", "DF"].map(preset)).collect()
}

/// The value of the last stage.
fn in_loops(u: &Unit, args: &[Value]) -> Result<Value, String> {
    loops::eval::run(&u.stages["f"].loops, args, &Others(u), Direction::Forwards)
}

#[test]
fn no_assertion_is_lost() {
    for body in LOST {
        for options in options() {
            let u = unit(&text(body), &options);
            assert_eq!(run_everywhere(&u, "f", &arguments()).unwrap_err(), "an assertion failed", "{body}");
            // Each stage fails: `run_everywhere` compares it with the first one.
            assert!(in_loops(&u, &arguments()).is_err(), "{body}");
        }
        let mut holds = arguments();
        holds[0] = Value::vector(&[3.0, 1.0, 2.0]);
        assert!(run_everywhere(&plain(&text(body)), "f", &holds).is_ok(), "{body}");
    }
}

#[test]
fn none_fires_where_the_program_does_not_come() {
    for body in UNREACHED {
        for options in options() {
            let u = unit(&text(body), &options);
            assert!(run_everywhere(&u, "f", &arguments()).is_ok(), "{body}");
            assert_eq!(in_loops(&u, &arguments()).err(), None, "{body}");
        }
    }
}

/// A body that never ends well has any type.
#[test]
fn kernels_that_always_panic() {
    for result in ["f64", "(f64, usize)", "[f64; n]", "([[f64; 3]; n], bool)", "[(f64, u8); n]", "[f64; n + 1]"] {
        for body in ["todo!()", "todo!();", "let x = n + 1; panic!(\"{x}\")", "if n > 2 { panic!() } else { todo!() }"]
        {
            let u = plain(&format!("#[smooth] fn f(a: &[f64; n]) -> {result} {{ {body} }}"));
            let failed = run_everywhere(&u, "f", &arguments()[..1]);
            assert_eq!(failed.unwrap_err(), "an assertion failed", "{result} {body}");
        }
    }
}

/// Whether each iteration of a loop asserts something.
fn asserts_in_a_loop(b: &Block, inside: bool) -> bool {
    b.iter().any(|s| {
        let own = inside || matches!(s, Stmt::For(_) | Stmt::Reduce(_));
        matches!(s, Stmt::Call(c) if inside && c.fails.is_some())
            || s.blocks().into_iter().any(|b| asserts_in_a_loop(b, own))
    })
}

#[test]
fn what_stays_the_same_is_asserted_before_the_loop() {
    for (body, moves) in [
        ("sum(n, |i| { assert!(k < n); a[i] })", true),
        ("let b = build(n, |i| { assert!(k < n); a[i] + a[k] }); b[0]", true),
        ("let b = build(n, |i| build(k, |j| { assert!(k < n, \"{k} of {n}\"); a[i] })); b[0][1]", true),
        ("let mut s = 0.0; for i in 0..n { s += a[i]; assert_eq!(k, 2); } s", true),
        ("let mut s = 0.0; for i in 0..n { if k > 2 { panic!() } s += a[i]; } s", true),
        ("let t = sum(n, |i| a[i]); max(n, |i| { assert!(t > 0.0, \"{t}\"); a[i] / t })", true),
        ("max(n, |i| { assert!(a[0] < a[n - 1]); a[i] })", true),
        ("let mut s = 0.0; for i in 0..n { assert!(i < 9); s += a[i]; } s", false),
        ("let mut s = 0.0; for i in 0..n { assert!(s < 9.0); s += a[i]; } s", false),
        ("let mut s = 0.0; for i in 0..n { if a[i] > 9.0 { assert!(k < n); } s += a[i]; } s", false),
        ("let mut s = 0.0; for i in 0..n { if a[i] < 0.0 { break; } assert!(k < 2); s += a[i]; } s", false),
        ("let mut s = 0.0; for i in 0..n { assert!(k < n, \"{i}\"); s += a[i]; } s", false),
        ("sum(n, |i| { assert!(a[i] > -9.0); a[i] })", false),
    ] {
        let u = plain(&text(body));
        let f = &u.stages["f"].loops;
        assert_eq!(!asserts_in_a_loop(&f.body, false), moves, "{body}\n{}", loops::print::function(f));
    }
}
