//! Mistakes about tables of sums, and about small states.

use super::broken_loops::each;
use crate::random::{PARAMS, Rng};
use smooth_core::loops::{Access, Expr, For, Function, Memory, Order, Place, Stmt};
use smooth_core::name::VarId;
use smooth_core::shape::card::{Atom, Card, Op};

/// A program whose result is a table of sums: two independent indices around one that they share, at sizes that are not
/// multiples of a tile's.
pub fn table(rng: &mut Rng) -> String {
    if rng.below(3) == 0 {
        return table_in_lanes(rng);
    }
    let rows = rng.pick(&["n + 9", "n", "p + 3", "k + 4"]);
    let columns = rng.pick(&["n + 14", "p + 7", "k", "n + k"]);
    let terms = rng.pick(&["p", "k", "n", "p + 2"]);
    let left = rng.pick(&["x[l][i]", "x[l][i] * s", "(x[l][i] - y[l][j])"]);
    let sum = format!("sum({terms}, |l| {left} * y[l][j])");
    let element = match rng.below(5) {
        0 => format!("{sum} * 0.5 + g[i]"),
        1 => format!("{{ let z = {sum} + h[j]; if z > 0.0 {{ z }} else {{ 0.0 }} }}"),
        2 => format!("if yes {{ {sum} }} else {{ s }}"),
        3 => format!("ifold({terms}, g[i], |z, l| z * 0.5 + {left} * y[l][j])"),
        _ => sum,
    };
    // Elements that are read often and cost more than a load are kept.
    format!(
        "fn f({PARAMS}) -> [[f64; {columns}]; {rows}] {{
            let x = build([{terms}, {rows}], |l, i| (s + (3 * i + l) as f64).exp());
            let y = build([{terms}, {columns}], |l, j| (s - (l + 2 * j) as f64).exp());
            let g = build({rows}, |i| (s + i as f64).exp());
            let h = build({columns}, |j| (s - j as f64).exp());
            build([{rows}, {columns}], |i, j| {element})
        }}"
    )
}

/// Such a kernel where all is read along the sum's own index, so that its order is that of lanes.
fn table_in_lanes(rng: &mut Rng) -> String {
    let rows = rng.pick(&["n + 5", "p + 3", "k + 4"]);
    let columns = rng.pick(&["n + 3", "p + 4", "k + 2"]);
    let terms = rng.pick(&["p + 1", "k + 33", "n + 32", "p + 47"]);
    let term = rng.pick(&["x[i][l] * y[j][l]", "(x[i][l] - y[j][l]) * s", "if yes { x[i][l] } else { y[j][l] }"]);
    // With an element that it reads, the first table has fewer rows in a tile than the second one.
    let first = rng.pick(&["v[0][1]", "o"]);
    let name = rng.pick(&["sum", "sum", "max"]);
    // An array whose rows read only themselves is built row by row.
    let element =
        rng.pick(&["{t}", "{t} + x[0][0]", "{ let z = {t} + x[0][0] * g[i]; if z > 0.0 { z } else { 0.0 } }"]);
    let element = element.replace("{t}", &format!("{name}({terms}, |l| {term})"));
    format!(
        "fn f({PARAMS}) -> [[f64; {columns}]; {rows}] {{
            let v = build([{rows}, n + 32], |i, l| (s + (3 * i + l) as f64).exp());
            let w = build([{terms}, n + 32], |i, l| (s - (i + l) as f64).exp());
            let o = v[0][1];
            let x = build([{rows}, {terms}], |i, l| {first} + sum(n + 32, |q| v[i][q] * w[l][q]));
            let y = build([{columns}, {terms}], |j, l| (s - (l + 2 * j) as f64).exp());
            let g = build({rows}, |i| (s + i as f64).exp());
            build([{rows}, {columns}], |i, j| {element})
        }}"
    )
}

/// Keeps one row of totals for all rows of a tile.
pub fn one_row(f: &mut Function) {
    let small: Vec<VarId> = {
        let mut found = vec![];
        each(&mut f.body, &mut |s| {
            if let Stmt::For(For { index, order: Order::Any, count, .. }) = s
                && count.constant().is_some()
            {
                found.push(*index);
            }
        });
        found
    };
    let locals: Vec<bool> = f.buffers.iter().map(|b| matches!(b.memory, Memory::Local(_))).collect();
    let first = |a: &mut Access| {
        let inside: Vec<&VarId> = small.iter().filter(|v| a.offset.mentions(**v)).collect();
        if let ([row, _], true) = (inside.as_slice(), locals[a.buffer.0 as usize]) {
            a.offset = a.offset.replace(**row, &Card::lit(0));
        }
    };
    each(&mut f.body, &mut |s| {
        s.accesses_mut().into_iter().for_each(&first);
        s.exprs_mut().into_iter().for_each(|e| {
            e.each_mut(&mut |e| {
                if let Expr::Load(a) = e {
                    first(a);
                }
            });
        });
    });
}

/// Takes the columns that remain for one more tile.
pub fn past_the_end(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::Let(_, _, Expr::Size(c, _)) = s
            && let Some(Atom::Op(Op::Div, x, y)) = c.as_atom()
            && y.constant() == Some(4)
        {
            *c = Card::op(Op::Div, &x.add(&Card::lit(3)), y);
        }
    });
}

/// Combines the first lanes of a tile's sums again, instead of the others.
pub fn first_lanes(f: &mut Function) {
    let fixed = |l: &For| l.order == Order::Sequential && l.count.constant().is_some();
    each(&mut f.body, &mut |s| {
        if let Stmt::For(parts) = s
            && fixed(parts)
            && let [Stmt::For(lanes)] = parts.body.as_mut_slice()
            && fixed(lanes)
        {
            let (part, none) = (parts.index, Card::lit(0));
            each(&mut lanes.body, &mut |s| {
                s.exprs_mut().into_iter().for_each(|e| {
                    e.each_mut(&mut |e| {
                        if let Expr::Load(a) = e {
                            a.offset = a.offset.replace(part, &none);
                        }
                    });
                });
            });
        }
    });
}

/// The indices of independent loops whose count is not constant and `fits`.
fn long(f: &mut Function, fits: impl Fn(&Card) -> bool) -> Vec<VarId> {
    let mut found = vec![];
    each(&mut f.body, &mut |s| {
        if let Stmt::For(For { index, order: Order::Any, count, .. }) = s
            && count.constant().is_none()
            && fits(count)
        {
            found.push(*index);
        }
    });
    found
}

/// Replaces some indices by 0 in reads of the frame that do not depend on the `others`.
fn at_the_first(f: &mut Function, indices: &[VarId], others: &[VarId]) {
    let frame: Vec<bool> = f.buffers.iter().map(|b| b.memory == Memory::Frame).collect();
    let first = |a: &mut Access| {
        if frame[a.buffer.0 as usize] && !others.iter().any(|v| a.offset.mentions(*v)) {
            indices.iter().for_each(|v| a.offset = a.offset.replace(*v, &Card::lit(0)));
        }
    };
    each(&mut f.body, &mut |s| {
        s.exprs_mut().into_iter().for_each(|e| {
            e.each_mut(&mut |e| {
                if let Expr::Load(a) = e {
                    first(a);
                }
            });
        });
    });
}

/// Reads in all rows of a tile the elements that the first row has written.
pub fn one_hidden_row(f: &mut Function) {
    let others = long(f, |_| true);
    let mut rows = vec![];
    each(&mut f.body, &mut |s| {
        if let Stmt::For(For { index, order: Order::Any, count, .. }) = s
            && count.constant().is_some_and(|n| n < 8)
        {
            rows.push(*index);
        }
    });
    at_the_first(f, &rows, &others);
}

/// Reads the first panel of a turn instead of each.
pub fn first_panel(f: &mut Function) {
    let is_width = |c: &Card| matches!(c.as_atom(), Some(Atom::Var(_)));
    let (panels, others) = (long(f, is_width), long(f, |c| !is_width(c)));
    at_the_first(f, &panels, &others);
}

/// Takes the last turn of panels for a full one.
pub fn full_turn(f: &mut Function) {
    each(&mut f.body, &mut |s| {
        if let Stmt::Let(_, _, Expr::Size(c, _)) = s
            && let Some(Atom::Op(Op::Min, x, y)) = c.as_atom()
            && [x, y].iter().any(|c| c.constant() == Some(4))
        {
            *c = Card::lit(4);
        }
    });
}

/// Does not pass on the state of a step.
pub fn kept_state(f: &mut Function) {
    let locals: Vec<bool> = f.buffers.iter().map(|b| matches!(b.memory, Memory::Local(_))).collect();
    let is_local = |a: &Access| locals[a.buffer.0 as usize];
    let hands_on = |s: &Stmt| {
        matches!(s, Stmt::For(l) if matches!(l.body.as_slice(),
            [Stmt::Assign(Place::Element(to), Expr::Load(from))] if is_local(to) && is_local(from)))
    };
    each(&mut f.body, &mut |s| {
        if let Stmt::For(For { body, order: Order::Sequential, .. }) = s {
            body.retain(|s| !hands_on(s));
        }
    });
}
