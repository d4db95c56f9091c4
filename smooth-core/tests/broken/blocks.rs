//! Mistakes about blocks of iterations with memory of their own, and about sums over blocks.

use super::broken_loops::each;
use crate::random::{PARAMS, Rng};
use smooth_core::loops::{Expr, For, Function, Order, Place, Stmt};
use smooth_core::shape::card::{Atom, Card, Op};

/// A program with an independent index around folds that read rows several times, or around temporaries; or a sum of folds.
pub fn around(rng: &mut Rng) -> String {
    let terms = rng.pick(&["n", "p", "k", "p + 17"]);
    let few = rng.pick(&["p + 2", "n + 1", "k + 3"]);
    let count = rng.pick(&["k + 33", "n + 64", "p + 50"]);
    let (out, element) = match rng.below(5) {
        0 => {
            ("[f64; k]".to_string(), format!("build(k, |i| ifold({terms}, s, |z, j| z * 0.5 + s * w[i][0] - w[i][2]))"))
        }
        1 => (
            "[f64; k]".to_string(),
            format!("build(k, |i| ifold({terms}, s, |z, j| z * 0.5 + sum(3, |c| w[i][c] * (s - j as f64))))"),
        ),
        2 => (
            format!("[f64; {count}]"),
            format!(
                "build({count}, |i| {{
                    let t = build({few}, |q| ifold({terms}, s + (i + q) as f64, |z, j| z * 0.5 + j as f64));
                    ifold({few}, 0.0, |z: f64, q| z.max(t[q])) + sum({few}, |q| t[q] * s)
                }})"
            ),
        ),
        3 => ("f64".to_string(), format!("sum({count}, |i| ifold({terms}, i as f64, |z, j| z * 0.25 + s))")),
        _ => (
            "(f64, f64)".to_string(),
            format!("max({count}, |i| {{ let z = ifold({terms}, i as f64, |z, j| s - z * 0.25); (z, -z) }})"),
        ),
    };
    format!("fn f({PARAMS}) -> {out} {{ {element} }}")
}

/// Leaves out the terms behind the last full round of lanes.
pub fn without_the_rest(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::For(For { count, order: Order::Sequential, .. }) = s
            && let Some(Atom::Op(Op::Rem, _, lanes)) = count.as_atom()
            && lanes.constant() == Some(16)
        {
            *count = Card::lit(0);
        }
    });
}

/// Copies the first element of a row to all of its columns.
pub fn one_column(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::For(For { index, order: Order::Any, body, .. }) = s
            && let [Stmt::Assign(Place::Element(_), Expr::Load(from))] = body.as_mut_slice()
        {
            from.offset = from.offset.replace(*index, &Card::lit(0));
        }
    });
}

/// Takes the last block for a full one.
pub fn full_block(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::Let(_, _, Expr::Size(c, _)) = s
            && let Some(Atom::Op(Op::Min, x, y)) = c.as_atom()
            && let Some(length) = x.constant().or(y.constant())
        {
            *c = Card::lit(length);
        }
    });
}
