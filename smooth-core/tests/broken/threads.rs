//! Mistakes about loops that threads share.

use super::broken_loops::each;
use crate::random::{PARAMS, Rng};
use smooth_core::loops::{Block, Expr, Function, Spread, Stmt};
use smooth_core::shape::card::Card;

/// A program with independent loops outermost: rows with temporaries, neighbours, several numbers of an iteration.
pub fn shared(rng: &mut Rng) -> String {
    let rows = rng.pick(&["n + 5", "p + 4", "k + 3"]);
    let columns = rng.pick(&["n + 2", "p + 3", "k + 2"]);
    let element = rng.pick(&[
        "let e = build(w, |j| x[i][j] * s + j as f64); let t = sum(w, |j| e[j]); build(w, |j| e[j] / (t + 1.0))",
        "let mut d = [s; w]; for t in 0..3 { let q = d.clone(); for j in 0..w { d[j] = q[(j + t) % w] + x[i][j]; } } d",
        "build(w, |j| x[i][j] + x[if i > 0 { i - 1 } else { i }][j])",
    ]);
    format!(
        "fn f({PARAMS}) -> [[f64; {columns}]; {rows}] {{
            let w = {columns};
            let x = build([{rows}, {columns}], |i, j| (s + (3 * i + j) as f64).exp());
            build({rows}, |i| {{ {} }})
        }}",
        element.replace('w', &format!("({columns})"))
    )
}

fn each_spread(f: &mut Function, change: impl Fn(&mut Spread)) {
    each(&mut f.body, &mut |s| {
        if let Stmt::Spread(s) = s {
            change(s);
        }
    });
}

/// All parts begin with the first iteration.
pub fn same_iterations(f: &mut Function) {
    each_spread(f, |s| {
        let first = s.first;
        let zero = |b: &mut Block| {
            each(b, &mut |s| {
                for e in s.exprs_mut() {
                    e.each_mut(&mut |e| match e {
                        Expr::Load(a) => a.offset = a.offset.replace(first, &Card::lit(0)),
                        Expr::Size(c, _) => *c = c.replace(first, &Card::lit(0)),
                        _ => {}
                    });
                }
            });
        };
        zero(&mut s.body);
    });
}

/// The strip of an iteration is one element shorter.
pub fn narrow_strips(f: &mut Function) {
    each_spread(f, |s| {
        for strip in &mut s.strips {
            strip.width = strip.width.sub(&Card::lit(1));
        }
    });
}

/// All parts share the temporaries of a part.
pub fn shared_memory(f: &mut Function) {
    fn hoist(b: &mut Block) {
        let mut k = 0;
        while k < b.len() {
            if let Stmt::Spread(s) = &mut b[k]
                && matches!(s.body.first(), Some(Stmt::Open(_)))
            {
                let open = s.body.remove(0);
                b.insert(k, open);
                k += 1;
            }
            b[k].blocks_mut().into_iter().for_each(hoist);
            k += 1;
        }
    }
    hoist(&mut f.body);
}
