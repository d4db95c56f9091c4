//! Tiles: the loops that they make, those that they leave, and the meaning for all small sizes.

mod common;

use common::{Others, plain, unit};
use smooth_core::loops::{Block, Function, Order, Stmt, eval, print};
use smooth_core::options::Options;
use smooth_core::pass::Switches;
use smooth_core::value::Value;

/// Tables of sums, as people write them.
const TILED: &str = "
#[smooth] fn product(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
    build([n, m], |i, j| sum(k, |l| a[i][l] * b[l][j]))
}
#[smooth] fn left_transposed(a: &[[f64; n]; k], b: &[[f64; m]; k]) -> [[f64; m]; n] {
    build([n, m], |i, j| sum(k, |l| a[l][i] * b[l][j]))
}
#[smooth] fn result_transposed(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; n]; m] {
    build([m, n], |j, i| sum(k, |l| a[i][l] * b[l][j]))
}
#[smooth] fn batched(a: &[[[f64; k]; n]; 2], b: &[[[f64; m]; k]; 2]) -> [[[f64; m]; n]; 2] {
    build([2, n, m], |z, i, j| sum(k, |l| a[z][i][l] * b[z][l][j]))
}
#[smooth] fn layer(x: &[[f64; k]; n], w: &[[f64; m]; k]) -> [[f64; m]; n] {
    build([n, m], |i, j| {
        let z = x[i].len() as f64 * 0.1 + sum(k, |l| x[i][l] * w[l][j]);
        if z > 0.0 { z } else { z.exp() - 1.0 }
    })
}
#[smooth] fn distances(x: &[[f64; k]; n], y: &[[f64; m]; k]) -> [[f64; m]; n] {
    build([n, m], |i, j| sum(k, |l| (x[i][l] - y[l][j]) * (x[i][l] - y[l][j])).sqrt())
}
#[smooth] fn nearness(x: &[[f64; k]; n], y: &[[f64; k]; m]) -> [[f64; m]; n] {
    build([n, m], |i, j| ifold(k, 1.0, |s, l| s * 0.5 + x[i][l] * y[j][l]))
}
#[smooth] fn weighted(x: &[[f64; k]; n], y: &[[f64; m]; k]) -> [[f64; m]; n] {
    build([n, m], |i, j| ifold(k, (0.0, 1.0), |s, l| (s.0 + x[i][l] * y[l][j], s.1 * y[l][j])).0)
}";

/// Tables that stay as they are.
const LEFT: &[(&str, &str)] = &[
    (
        "the lanes of a sum are its own",
        "fn f(a: &[[f64; k]; n], b: &[[f64; k]; m]) -> [[f64; m]; n] { build([n, m], |i, j| sum(k, |l| a[i][l] * b[j][l])) }",
    ),
    (
        "rows share nothing",
        "fn f(a: &[[f64; m]; n]) -> [[f64; m]; n] { build([n, m], |i, j| ifold(9, a[i][j], |s, _| s * s + a[i][j])) }",
    ),
    (
        "a check may panic",
        "fn f(a: &[[f64; m]; n], at: &[usize; k]) -> [[f64; m]; n] {
            build([n, m], |i, j| ifold(k, 0.0, |s, l| s * 0.5 + a[at[l]][j] + a[i][j]))
        }",
    ),
    (
        "all sums write the same elements",
        "fn f(a: &[[f64; k]; n], b: &[[f64; m]; k], c: &[f64; n], d: &[f64; m]) -> [[f64; m]; n] {
            build([n, m], |i, j| {
                let t = build(1, |_| (c[i], d[j]));
                let (x, y) = sum(1, |h| t[h]);
                ifold(k, x - y, |s, l| s * 0.5 + a[i][l] * b[l][j])
            })
        }",
    ),
    (
        "the number of terms depends on the row",
        "fn f(a: &[[f64; m]; n]) -> [[f64; m]; n] { build([n, m], |i, j| ifold(i, 0.0, |s, l| s * 0.5 + a[l][j])) }",
    ),
    (
        "the inner loop may end early",
        "fn f(a: &[[f64; m]; k], x: &[f64; n]) -> [[f64; m]; n] {
            build([n, m], |i, j| {
                let mut s = x[i];
                for l in 0..k { if s > 9.0 { break; } s += a[l][j]; }
                s
            })
        }",
    ),
];

fn without(source: &str) -> common::Unit {
    let mut off = Switches::all();
    assert!(off.set("tile", false));
    unit(source, &Options { switches: off, ..Options::default() })
}

/// The sizes of the rectangles that a body computes at once: two loops of constant counts around statements.
fn rectangles(b: &Block, found: &mut Vec<(i128, i128)>) {
    for s in b {
        if let Stmt::For(rows) = s
            && rows.order == Order::Any
            && let (Some(r), [Stmt::For(columns)]) = (rows.count.constant(), rows.body.as_slice())
            && let Some(c) = columns.count.constant()
        {
            found.push((r, c));
        }
        s.blocks().into_iter().for_each(|b| rectangles(b, found));
    }
}

fn tiles(f: &Function) -> Vec<(i128, i128)> {
    let mut found = vec![];
    rectangles(&f.body, &mut found);
    found.sort_unstable();
    found.dedup();
    found
}

#[test]
fn tables_of_sums_have_tiles() {
    let unit = plain(TILED);
    let of = |name: &str| tiles(&unit.stages[name].loops);
    for name in ["product", "left_transposed", "result_transposed", "batched", "layer", "distances"] {
        assert_eq!(of(name), [(4, 4)], "{name}");
    }
    assert_eq!(of("nearness"), [(4, 4)], "elements with gaps between them are read once for all rows");
    assert_eq!(of("weighted"), [(2, 4)], "two totals need twice the registers");
    let wide = unit.stages["product"].wide.as_ref().expect("loops for wider vectors");
    assert_eq!(tiles(wide), [(4, 4), (4, 8)], "wider registers hold twice the columns");
    let narrow = plain(&TILED.replace("f64", "f32"));
    assert_eq!(tiles(&narrow.stages["product"].loops), [(4, 4), (4, 8)]);
    let fixed = "#[smooth] fn f(a: &[[f64; k]; 17], b: &[[f64; 20]; k]) -> [[f64; 20]; 17] {
        build([17, 20], |i, j| sum(k, |l| a[i][l] * b[l][j]))
    }";
    assert!(tiles(&plain(fixed).stages["f"].loops).contains(&(4, 4)));
}

/// The lines of a text, without the numbers of names.
fn plain_names(text: &str) -> String {
    let line = |l: &str| {
        let mut parts = l.trim().split('_');
        let first = parts.next().unwrap_or_default().to_string();
        parts.fold(first, |all, part| all + part.trim_start_matches(|c: char| c.is_ascii_digit()))
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n")
}

#[test]
fn a_tile_has_its_totals_and_the_order_of_its_sums() {
    let text = plain_names(&print::function(&plain(TILED).stages["product"].loops));
    let want = [
        "for tile < tiles any",
        "open total[16] local",
        "for row < 4 any",
        "for column < 4 any",
        "total[4 * row + column] ← -0.0",
        "for l < k",
        "for row < 4 any",
        "for column < 4 any",
        "let term = (a[4 * k * tile + k * row + l] * b[m * l + 4 * tile + column])",
        "total[4 * row + column] ← (total[4 * row + column] + term)",
        "for row < 4 any",
        "for column < 4 any",
        "if (k == 0)",
        "total[4 * row + column] ← 0.0",
        "out[4 * m * tile + m * row + 4 * tile + column] ← total[4 * row + column]",
    ];
    let want = want.join("\n");
    assert!(text.contains(&want), "{text}");
}

#[test]
fn where_it_does_not_pay_tables_stay() {
    for (why, source) in LEFT {
        let source = format!("#[smooth] {source}");
        let (with, without) = (plain(&source), without(&source));
        assert_eq!(with.stages["f"].loops.body, without.stages["f"].loops.body, "{why}");
    }
}

#[test]
fn tiles_of_every_size_mean_the_same() {
    let unit = plain(TILED);
    let numbers = |n: usize| (0..n).map(|i| (i * 7 % 11) as f64 * 0.3 - 1.1).collect::<Vec<f64>>();
    let tensor = |dims: &[usize]| Value::tensor(dims, &numbers(dims.iter().product()));
    let pairs = (0..=40).flat_map(|n| [(n, (n * 7 + 3) % 41, n % 3), (n % 6, n, 2)]);
    for (n, m, k) in pairs {
        let (right, left) = (tensor(&[k, m]), tensor(&[n, k]));
        for (name, args) in [
            ("product", [left.clone(), right.clone()]),
            ("left_transposed", [tensor(&[k, n]), right.clone()]),
            ("result_transposed", [left.clone(), right.clone()]),
            ("batched", [tensor(&[2, n, k]), tensor(&[2, k, m])]),
            ("layer", [left.clone(), right.clone()]),
            ("distances", [left.clone(), right.clone()]),
            ("nearness", [left.clone(), tensor(&[m, k])]),
            ("weighted", [left, right]),
        ] {
            let s = &unit.stages[name];
            let want = smooth_core::dps::eval::run(&s.stored, &args, &Others(&unit)).unwrap().value;
            for loops in std::iter::once(&s.loops).chain(&s.wide) {
                for direction in [eval::Direction::Forwards, eval::Direction::Backwards] {
                    let got = eval::run(loops, &args, &Others(&unit), direction).unwrap();
                    assert_eq!(got, want, "{name} of {n} x {m}, {k} terms, rows of {}, {direction:?}", loops.row);
                }
            }
        }
    }
}
