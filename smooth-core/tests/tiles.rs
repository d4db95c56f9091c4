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
    build([n, m], |i, j| {
        let (s, p) = ifold(k, (0.0, 1.0), |s, l| (s.0 + x[i][l] * y[l][j], s.1 * y[l][j]));
        s + p
    })
}";

/// Tables whose sums are in lanes, since both operands are read along the sum's index.
const IN_LANES: &str = "
#[smooth] fn products(a: &[[f64; k]; n], b: &[[f64; k]; m]) -> [[f64; m]; n] {
    build([n, m], |i, j| sum(k, |l| a[i][l] * b[j][l]))
}
#[smooth] fn layer(x: &[[f64; k]; n], w: &[[f64; k]; m]) -> [[f64; m]; n] {
    build([n, m], |i, j| {
        let z = x[i].len() as f64 * 0.1 + sum(k, |l| x[i][l] * w[j][l]);
        if z > 0.0 { z } else { z.exp() - 1.0 }
    })
}
#[smooth] fn distances(x: &[[f64; k]; n], y: &[[f64; k]; m]) -> [[f64; m]; n] {
    build([n, m], |i, j| sum(k, |l| (x[i][l] - y[j][l]) * (x[i][l] - y[j][l])).sqrt())
}
#[smooth] fn farthest(x: &[[f64; k]; n], y: &[[f64; k]; m]) -> [[f64; m]; n] {
    build([n, m], |i, j| max(k, |l| (x[i][l] - y[j][l]).abs()))
}
#[smooth] fn cosines(x: &[[f64; k]; n], y: &[[f64; k]; m]) -> [[f64; m]; n] {
    build([n, m], |i, j| {
        let (a, b) = sum(k, |l| (x[i][l] * y[j][l], y[j][l] * y[j][l]));
        a / (1.0 + b).sqrt()
    })
}
#[smooth] fn two_layers(x: &[[f64; k]; n], w: &[[f64; k]; m]) -> [[f64; m]; n] {
    let v = build([m, m], |j, l| ((3 * j + l) as f64 * 0.1 - 0.7).exp());
    let hidden = build([n, m], |i, j| sum(k, |l| x[i][l] * w[j][l]).max(0.0));
    build([n, m], |i, j| 0.5 + sum(m, |l| hidden[i][l] * v[j][l]))
}
#[smooth] fn biased(x: &[[f64; k]; n], y: &[[f64; k]; m]) -> [[f64; m]; n] {
    let bias = build(m, |j| (j as f64).sqrt());
    build([n, m], |i, j| bias[j] + sum(k, |l| x[i][l] * y[j][l]) + bias[j])
}
#[smooth] fn scaled(x: &[[f64; k]; n], y: &[[f64; k]; m]) -> [[f64; m]; n] {
    build([n, m], |i, j| {
        let first = if k > 0 { x[i][0] * 0.25 } else { 0.5 };
        first + sum(k, |l| if x[i][l] > y[j][l] { x[i][l] } else { y[j][l] })
    })
}";

/// Tables that the pass leaves unchanged.
const LEFT: &[(&str, &str)] = &[
    (
        "the terms of a sum are apart in memory",
        "fn f(a: &[[[f64; 2]; 40]; n], b: &[[[f64; 2]; 40]; m]) -> [[f64; m]; n] {
            build([n, m], |i, j| sum(40, |l| a[i][l][0] * b[j][l][1]))
        }",
    ),
    (
        "a sum has an operation that is no instruction",
        "fn f(a: &[[f64; k]; n], b: &[[f64; k]; m]) -> [[f64; m]; n] {
            build([n, m], |i, j| sum(k, |l| (a[i][l] * b[j][l]).sin()))
        }",
    ),
    (
        "rows share no term of a sum",
        "fn f(a: &[[[f64; k]; m]; n], b: &[[[f64; k]; m]; n]) -> [[f64; m]; n] {
            build([n, m], |i, j| sum(k, |l| a[i][j][l] * b[i][j][l]))
        }",
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
    let wide = unit.stages["product"].wide.as_slice();
    let [wide] = wide else { panic!("both wide instances have the same loops") };
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
        "total[4 * row + column] ← (if (k == 0) then 0.0 else -0.0)",
        "for l < k",
        "for row < 4 any",
        "for column < 4 any",
        "let term = (a[4 * k * tile + k * row + l] * b[m * l + 4 * panels + 4 * tile + column])",
        "total[4 * row + column] ← (total[4 * row + column] + term)",
        "for row < 4 any",
        "for column < 4 any",
        "out[4 * m * tile + m * row + 4 * panels + 4 * tile + column] ← total[4 * row + column]",
    ];
    let want = want.join("\n");
    assert!(text.contains(&want), "{text}");
}

#[test]
fn large_operands_are_copied_panel_by_panel() {
    let text = plain_names(&print::function(&plain(TILED).stages["product"].loops));
    let want = [
        "let panels: usize = (if (((n >= 16) && (m >= 128)) && (k >= 128)) then m / 4 else 0)",
        "for turn < (panels + 3) / 4 any",
        "let width: usize = min(4, panels - 4 * turn)",
        "open b[16 * k * min(1, k / 128) * min(1, m / 128)]",
        "for l < k any",
        "for panel < width any",
        "for column < 4 any",
        "b[4 * k * panel + column + 4 * l] ← b[m * l + 16 * turn + 4 * panel + column]",
        "for tile < tiles any",
        "for panel < width any",
    ];
    let want = want.join("\n");
    assert!(text.contains(&want), "{text}");
    let few = plain(
        "#[smooth] fn f(a: &[[f64; 100]; 100], b: &[[f64; 100]; 100]) -> [[f64; 100]; 100] {
            build([100, 100], |i, j| sum(100, |l| a[i][l] * b[l][j]))
        }
        #[smooth] fn g(a: &[[f64; 200]; 200], b: &[[f64; 200]; 200]) -> [[f64; 200]; 200] {
            build([200, 200], |i, j| sum(200, |l| a[i][l] * b[l][j]))
        }",
    );
    let opens = |name: &str| plain_names(&print::function(&few.stages[name].loops)).contains("open b[3200]");
    assert!(!opens("f") && opens("g"), "static sizes decide at once");
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
    agree(&plain(TILED));
}

#[test]
fn panels_of_every_size_mean_the_same() {
    let unit = unit(TILED, &Options { switches: Switches::all().even_if_small(), ..Options::default() });
    for name in ["product", "left_transposed", "result_transposed", "layer", "distances", "nearness", "weighted"] {
        let text = plain_names(&print::function(&unit.stages[name].loops));
        assert!(text.contains("let panels: usize = "), "{name} reads panels: {text}");
    }
    agree(&unit);
}

/// Asserts that the tables mean what they did before they were tiles.
fn agree(unit: &common::Unit) {
    let numbers = |n: usize| (0..n).map(|i| (i * 7 % 11) as f64 * 0.3 - 1.1).collect::<Vec<f64>>();
    let tensor = |dims: &[usize]| Value::tensor(dims, &numbers(dims.iter().product()));
    let pairs = (0..=40).flat_map(|n| [(n, (n * 7 + 3) % 41, n % 4), (n % 6, n, 2)]);
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
            let want = smooth_core::dps::eval::run(&s.stored, &args, &Others(unit)).unwrap().value;
            for loops in std::iter::once(&s.loops).chain(&s.wide) {
                for direction in [eval::Direction::Forwards, eval::Direction::Backwards] {
                    let got = eval::run(loops, &args, &Others(unit), direction).unwrap();
                    assert_eq!(
                        got, want,
                        "{name} of {n} x {m}, {k} terms, registers of {} bytes, {direction:?}",
                        loops.schedule.target.register
                    );
                }
            }
        }
    }
}

#[test]
fn tables_of_sums_in_lanes_mean_the_same() {
    let unit = plain(IN_LANES);
    let numbers = |n: usize| (0..n).map(|i| (i * 7 % 113) as f64 * 0.3 - 11.1).collect::<Vec<f64>>();
    let tensor = |dims: &[usize]| Value::tensor(dims, &numbers(dims.iter().product()));
    let sizes = (0..=9).flat_map(|n| [(n, 9 - n, n * 8), (n, 4, n * 3)]);
    for (n, m, k) in
        sizes.chain([(4, 4, 31), (4, 4, 32), (5, 3, 256), (5, 33, 48), (4, 2, 257), (6, 5, 300), (5, 4, 1061)])
    {
        for name in ["products", "layer", "distances", "farthest", "two_layers", "cosines", "biased", "scaled"] {
            let s = &unit.stages[name];
            let args = [tensor(&[n, k]), tensor(&[m, k])];
            let want = smooth_core::dps::eval::run(&s.stored, &args, &Others(&unit)).unwrap().value;
            for loops in std::iter::once(&s.loops).chain(&s.wide) {
                for direction in [eval::Direction::Forwards, eval::Direction::Backwards] {
                    let got = eval::run(loops, &args, &Others(&unit), direction).unwrap();
                    assert_eq!(
                        got, want,
                        "{name} of {n} x {m}, {k} terms, registers of {} bytes, {direction:?}",
                        loops.schedule.target.register
                    );
                }
            }
        }
    }
}

#[test]
fn a_tile_takes_a_few_lanes_of_all_its_sums_at_a_time() {
    let unit = plain(IN_LANES);
    // What is added to a sum of `biased` is in memory meanwhile.
    for name in ["products", "layer", "distances", "farthest", "two_layers", "biased"] {
        let s = &unit.stages[name];
        assert!(tiles(&s.loops).contains(&(4, 2)), "{name}: {:?}", tiles(&s.loops));
        let [avx2, avx512] = s.wide.as_slice() else { panic!("{name}: loops for both sizes of registers") };
        assert!(tiles(avx2).contains(&(4, 2)), "{name}: {:?}", tiles(avx2));
        assert!(tiles(avx512).contains(&(4, 4)), "{name}, twice as many registers: {:?}", tiles(avx512));
    }
    let own = plain_names(&print::function(&unit.stages["two_layers"].loops));
    assert!(own.contains("open hidden[4 * m]"), "each row of a tile has its own hidden layer: {own}");
    assert!(tiles(&unit.stages["cosines"].loops).contains(&(2, 2)), "two totals need twice the registers");
    let text = plain_names(&print::function(&unit.stages["products"].loops));
    let want = [
        "for at < 8 any",
        "total[at] ← -0.0",
        "open total[128] local",
        "for at < 128 any",
        "total[at] ← -0.0",
        "for turn < (groups + 15) / 16",
        "let width: usize = min(16, groups - 16 * turn)",
        "for part < 8",
        "open total[16] local",
        "for at < 16 any",
        "total[at] ← total[16 * part + at]",
        "for group < width",
        "for row < 4 any",
        "for column < 2 any",
        "for lane < 2 any",
    ];
    assert!(text.contains(&want.join("\n")), "{text}");
    let want = [
        "for part < 8",
        "for lane < 2",
        "for row < 4 any",
        "for column < 2 any",
        "total[2 * row + column] ← (total[2 * row + column] + total[16 * part + lane + 4 * row + 2 * column])",
    ];
    assert!(text.contains(&want.join("\n")), "{text}");
}
