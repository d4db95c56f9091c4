//! Branches in inner loops that become choices between two values: claims about kernels that the pass changes and that it
//! leaves.

mod common;

use common::{plain, unit};
use smooth_core::loops::{Block, Expr, Stmt, print};
use smooth_core::options::Options;
use smooth_core::pass::Switches;
use smooth_core::prim::Prim;

/// Kernels whose inner loops choose.
const CHOOSING: &str = "
#[smooth] fn masked(x: &[f64; n], mask: &[f64; n], t: f64) -> f64 {
    sum(n, |i| if mask[i] > 0.5 && x[i] < t { x[i] } else { 0.0 })
}
#[smooth] fn damped(x: &[f64; n], y: &[f64; n]) -> [f64; n] { build(n, |i| if x[i] > 0.0 { x[i] * y[i] } else { 0.1 }) }
#[smooth] fn frozen(x: &[f64; n], solid: &[u8; n], steps: usize) -> [f64; n] {
    ifold(steps, x.clone(), |s, _| build(n, |i| if solid[i] == 1 || s[i] > 9.0 { s[i] } else { s[i] * 0.5 + x[n - 1 - i] }))
}
#[smooth] fn stored(x: &[[f64; m]; n], t: f64) -> [[f64; m]; n] {
    let mut out = x.clone();
    for i in 0..n {
        for j in 0..m {
            if x[i][j] > t {
                let d = x[i][j] - t;
                out[i][j] = d * d;
            } else {
                out[i][j] = x[n - 1 - i][j];
            }
        }
    }
    out
}";

/// Kernels that the pass leaves unchanged.
const LEFT: &[(&str, &str)] = &[
    (
        "the element may not be there",
        "fn f(x: &[f64; n], at: &[usize; n]) -> [f64; n] { build(n, |i| if at[i] < n { x[at[i]] } else { 0.0 }) }",
    ),
    (
        "a logarithm is dear",
        "fn f(x: &[f64; n]) -> [f64; n] { build(n, |i| if x[i] > 0.0 { x[i].ln() } else { 0.0 }) }",
    ),
    (
        "an addition may overflow",
        "fn f(x: &[i32; n]) -> [i32; n] { build(n, |i| if x[i] < 9 { x[i] + 1 } else { x[i] - 1 }) }",
    ),
    (
        "a recurrence is no vector",
        "fn f(x: &[f64; n]) -> f64 { ifold(n, 0.0, |s, i| if x[i] > 0.5 { s * 0.5 + x[i] } else { s - x[i] }) }",
    ),
    (
        "another row is written before",
        "fn f(x: &[f64; n]) -> [f64; n] {
            let mut a = [0.0; n];
            for i in 1..n { a[i] = if x[i] > 0.5 { a[i - 1] } else { x[i] }; }
            a
        }",
    ),
];

/// Conditions in loops on which it depends what is read.
fn branches(b: &Block, in_loop: bool) -> usize {
    let jumps = |e: &Expr| match e {
        Expr::If(es) => {
            let new = |e: &Expr| matches!(e, Expr::Load(_)) && !es[0].any(&|c| c == e);
            es[1..].iter().any(|e| e.any(&new))
        }
        Expr::Prim(p, ..) => matches!(p, Prim::And | Prim::Or),
        _ => false,
    };
    let of = |s: &Stmt| {
        let inside = in_loop || matches!(s, Stmt::For(_) | Stmt::Reduce(_));
        let here = matches!(s, Stmt::If(..)) || s.exprs().into_iter().any(|e| e.any(&jumps));
        usize::from(inside && here) + s.blocks().into_iter().map(|b| branches(b, inside)).sum::<usize>()
    };
    b.iter().map(of).sum()
}

#[test]
fn inner_loops_do_not_branch() {
    for (_, s) in plain(CHOOSING).stages {
        assert_eq!(branches(&s.loops.body, false), 0, "{}", print::function(&s.loops));
    }
}

#[test]
fn where_a_value_may_not_be_there_branches_stay() {
    for (why, source) in LEFT {
        let source = format!("#[smooth] {source}");
        let mut off = Switches::all();
        assert!(off.set("if_convert", false));
        let without = unit(&source, &Options { switches: off, ..Options::default() });
        let text = |u: common::Unit| print::function(&u.stages["f"].loops);
        assert_eq!(text(plain(&source)), text(without), "{why}");
    }
}
