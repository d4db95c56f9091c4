//! Buffers that change places in an inner loop: nothing is copied in the loops around it.

mod common;

use common::plain;
use smooth_core::loops::{Block, Stmt, print};
use smooth_core::pipeline::Stages;
use smooth_core::value::{Lit, Value};

/// The number of statements that copy an array, or move one back to its original buffer: in all, and inside of loops.
fn moves(b: &Block, inside: bool) -> [usize; 2] {
    let mut found = [0; 2];
    for s in b {
        let here = usize::from(matches!(s, Stmt::Copy { .. } | Stmt::Settle(_)));
        let within = inside || matches!(s, Stmt::For(_));
        let below = s.blocks().into_iter().map(|b| moves(b, within));
        found = below.fold([found[0] + here, found[1] + here * usize::from(inside)], |[a, b], [c, d]| [a + c, b + d]);
    }
    found
}

/// Runs a kernel of `x`, `outer` and `inner` at every stage, and returns its moves.
fn moved(source: &str) -> [usize; 2] {
    let unit = plain(source);
    let (name, stages): (&String, &Stages) = unit.stages.iter().next_back().expect("a kernel");
    for (n, outer, inner) in [(0, 2, 1), (1, 0, 1), (3, 0, 3), (3, 1, 0), (3, 1, 1), (4, 2, 3), (5, 3, 3), (2, 3, 2)] {
        let x: Vec<f64> = (0..n).map(|i| 0.25 + i as f64).collect();
        let [outer, inner] = [outer, inner].map(|k| Value::Scalar(Lit::usize(k)));
        common::run_everywhere(&unit, name, &[Value::vector(&x), outer, inner]).unwrap();
    }
    println!("{}", print::function(&stages.loops));
    moves(&stages.loops.body, false)
}

/// A kernel with `a`, a copy of `x`, and `b`, and its steps.
fn kernel(steps: &str) -> String {
    format!(
        "#[smooth] fn f(x: &[f64; n], outer: usize, inner: usize) -> [f64; n] {{
            let mut a = x.clone();
            let mut b = [0.0; n];
            for t in 0..outer {{ {steps} }}
            a
        }}"
    )
}

/// The steps of an inner loop that exchanges `a` and `b`.
const EXCHANGE: &str = "for s in 0..inner {
    for i in 0..n { b[i] = 0.5 * a[i] + a[(i + s) % n]; }
    (a, b) = (b, a);
}";

#[test]
fn nothing_is_copied_in_the_loops_around() {
    for steps in [
        EXCHANGE.to_string(),
        format!("{EXCHANGE} if n > 0 {{ a[0] += t as f64; }}"),
        format!("if n > 0 {{ b[t % n] = a[0]; }} {EXCHANGE} if n > 0 {{ b[t % n] += 1.0; }}"),
        // Rows that are built, and a `while`.
        "for s in 0..inner { b = build(n, |i| 0.5 * a[i] + a[(i + s + t) % n]); (a, b) = (b, a); }".to_string(),
        "let mut s = 0; while s < inner { for i in 0..n { b[i] = a[i] + a[(i + s) % n]; } (a, b) = (b, a); s += 1; }"
            .to_string(),
        // Three loops; under a condition; two inner loops; one that exchanges as well.
        format!("for r in 0..3 {{ {EXCHANGE} }} if n > 0 {{ b[t % n] += 1.0; }}"),
        format!("if t % 2 == 0 {{ {EXCHANGE} }} else if n > 0 {{ a[0] = 0.5; }}"),
        format!("{EXCHANGE} if n > 0 {{ b[t % n] += 1.0; }} {EXCHANGE}"),
        // The outer loop ends early.
        format!("if t > 1 {{ break; }} {EXCHANGE}"),
    ] {
        // The argument, and what is brought home in the end.
        assert_eq!(moved(&kernel(&steps)), [2, 0], "{steps}");
    }
}

/// One state that is computed anew by each step.
#[test]
fn one_state_in_two_buffers() {
    let built = "for s in 0..inner { a = build(n, |i| 0.5 * a[i] + a[(i + s + t) % n]); }";
    for more in ["", "if n > 0 { a[t % n] += 1.0; }"] {
        assert_eq!(moved(&kernel(&format!("{built} {more}"))), [2, 0], "{more}");
    }
    // The second buffer of the first loop is not open outside: its state is brought home for the second one.
    let again = "for s in 0..2 { a = build(n, |i| a[i] - a[n - 1 - i]); }";
    assert_eq!(moved(&kernel(&format!("{built} {again}"))), [3, 1]);
}

/// A fold whose first state is read later copies that state, so as to end in its destination.
#[test]
fn what_is_read_later_is_copied() {
    let later = "let c = a.clone(); for s in 0..inner { a = build(n, |i| 0.5 * a[i] + a[(i + s) % n]); }
        for i in 0..n { a[i] += c[n - 1 - i]; }";
    assert_eq!(moved(&kernel(later))[1], 1);
}

/// Three buffers that change places begin where they end: only pairs are brought home.
#[test]
fn three_buffers() {
    let three = "#[smooth] fn f(x: &[f64; n], outer: usize, inner: usize) -> [f64; n] {
        let (mut a, mut b, mut c) = (x.clone(), [1.0; n], [2.0; n]);
        for t in 0..outer {
            for s in 0..inner {
                for i in 0..n { c[i] = a[i] + b[(i + s) % n]; }
                (a, b, c) = (b, c, a);
            }
        }
        a
    }";
    assert!(moved(three)[1] > 0);
}
