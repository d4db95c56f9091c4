//! The passes on loops: claims about kernels that they change and that they leave, and the meaning for sizes beyond those
//! of random programs.

mod common;

use common::{Others, plain, unit};
use smooth_core::loops::{Block, Expr, Function, Stmt, eval, print};
use smooth_core::options::Options;
use smooth_core::pass::Switches;
use smooth_core::ty::Scalar;
use smooth_core::value::{Array, Lit, Value};

/// Kernels with an independent index around a sequential one.
const BLOCKED: &str = "
#[smooth] fn product(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
    build([n, m], |i, j| sum(k, |l| a[i][l] * b[l][j]))
}
#[smooth] fn columns(a: &[[f64; m]; n]) -> [f64; m] { build(m, |j| sum(n, |i| a[i][j])) }
#[smooth] fn orbits(c: &[f64; n], d: &[f64; n]) -> [f64; n] {
    build(n, |i| {
        let (x, y) = ifold(20, (0.0, 0.0), |s, _| (s.0 * s.0 - s.1 * s.1 + c[i], 2.0 * s.0 * s.1 + d[i]));
        (x * x + y * y).exp()
    })
}
#[smooth] fn decay(x: &[f64; n], steps: usize) -> [f64; n] {
    build(n, |i| {
        let mut y = x[i];
        for _ in 0..steps {
            y -= 0.1 * y * y;
        }
        y
    })
}
#[smooth] fn escapes(c: &[f64; n], limit: usize) -> [u32; n] {
    build(n, |i| ifold(limit, (0.0, 0), |s, _| if s.0 <= 4.0 { (s.0 * s.0 + c[i], s.1 + 1) } else { s }).1)
}
#[smooth] fn bounces(x: &[f64; n], steps: usize) -> [f64; n] {
    build(n, |i| {
        let (mut y, mut v) = (x[i], 0.0);
        for _ in 0..steps {
            v -= 0.1;
            y += v;
            if y < 0.0 {
                v = -0.5 * v;
                y = 0.0;
            }
        }
        y
    })
}
#[smooth] fn counted(a: &[f64; n], c: &[f64; k]) -> [f64; n] {
    build(n, |i| {
        let (mut x, mut count) = (0.0, 0.0);
        for j in 0..k {
            if c[j] > 0.0 {
                count += 1.0;
                x += a[i] * count;
            }
        }
        x + count
    })
}
#[smooth] fn scaled(a: &[[f64; m]; n], s: &[f64; m]) -> [[f64; m]; n] {
    let mut o = a.clone();
    for j in 0..m {
        let l = s[j].sqrt();
        for i in 0..n { o[i][j] = o[i][j] / l - a[0][j]; }
        o[n / 2][j] += l;
    }
    o
}";

/// Kernels that `block` leaves unchanged.
const LEFT: &[(&str, &str)] = &[
    (
        "its rows are read side by side along the inner index",
        "fn f(a: &[[f64; k]; n]) -> [f64; n] { build(n, |i| ifold(k, 0.0, |s, j| s * 0.5 + a[i][j])) }",
    ),
    (
        "one iteration may panic, and another one not",
        "fn f(a: &[f64; n], at: &[usize; n]) -> [f64; n] { build(n, |i| ifold(9, 0.0, |s, j| s * a[i] + a[at[i] + j])) }",
    ),
    (
        "a remainder is no instruction",
        "fn f(a: &[f64; n]) -> [f64; n] { build(n, |i| ifold(9, a[i], |s, _| s % 3.0)) }",
    ),
    (
        "the inner loop may end early",
        "fn f(a: &[f64; n]) -> [f64; n] { build(n, |i| { let mut x = a[i]; while x > 1.0 { x *= 0.5; } x }) }",
    ),
    (
        "it runs as often as the outer index says",
        "fn f(a: &[f64; n]) -> [f64; n] { build(n, |i| ifold(i, 0.0, |s, _| s * 0.5 + a[i])) }",
    ),
    (
        "all iterations write the same elements",
        "fn f(a: &[f64; n], b: &[f64; n]) -> [f64; n] {
            build(n, |i| {
                let t = build(1, |_| (a[i], b[i]));
                let (x, y) = sum(1, |j| t[j]);
                x - y
            })
        }",
    ),
    (
        "each element of a row is read once",
        "fn f(a: &[[f64; k]; n], b: &[f64; k]) -> [f64; n] {
            build(n, |i| ifold(k, 0.0, |s, j| s * 0.5 + (a[i][j] - b[j]).abs()))
        }",
    ),
    (
        "four terms are no loop, so that columns would be all that is gained",
        "fn f(a: &[[f64; 4]; n], m: &[[f64; 4]; 4]) -> [[f64; 4]; n] {
            build([n, 4], |i, r| sum(4, |c| a[i][c] * m[r][c]))
        }",
    ),
    (
        "rows are read as they are written",
        "fn f(a: &[[f64; m]; n], s: &[f64; n]) -> [[f64; m]; n] {
            let mut o = a.clone();
            for i in 0..n { let l = s[i].sqrt(); for j in 0..m { o[i][j] /= l; } }
            o
        }",
    ),
    (
        "a transpose goes through one of its arrays by columns in any case",
        "fn f(a: &[[f64; n]; m], s: &[f64; m]) -> [[f64; m]; n] {
            let mut o = [[0.0; m]; n];
            for j in 0..m { let l = s[j].sqrt(); for i in 0..n { o[i][j] = a[j][i] / l; } }
            o
        }",
    ),
    (
        "columns of a triangle have lengths of their own",
        "fn f(a: &[[f64; n]; n], s: &[f64; n]) -> [[f64; n]; n] {
            let mut o = a.clone();
            for j in 0..n { let l = s[j].sqrt(); for i in 0..j { o[i][j] /= l; } }
            o
        }",
    ),
    (
        "three columns are too few",
        "fn f(a: &[[f64; 3]; n], s: &[f64; 3]) -> [[f64; 3]; n] {
            let mut o = a.clone();
            for j in 0..3 { let l = s[j].sqrt(); for i in 0..n { o[i][j] /= l; } }
            o
        }",
    ),
    (
        "three are too few",
        "fn f(a: &[[f64; 3]; n]) -> [f64; 3] { build(3, |j| ifold(n, 0.0, |s, i| s * 0.5 + a[i][j])) }",
    ),
];

/// Kernels whose blocks have memory in addition to their numbers, or that are sums.
const BESIDE: &str = "
#[smooth] fn moved(m: &[[[f64; 2]; 2]; b], x: &[[f64; 2]; n], w: &[[f64; n]; b]) -> [[f64; 2]; n] {
    build(n, |k| {
        let at = |i: usize, r: usize| m[i][r][0] * x[k][0] + m[i][r][1] * x[k][1];
        ifold(b, [0.0; 2], |p, i| build(2, |r| p[r] + w[i][k] * at(i, r)))
    })
}
#[smooth] fn energies(x: &[[f64; d]; n], m: &[[f64; d]; k]) -> [f64; n] {
    build(n, |i| ifold(k, 0.0, |s, c| s * 0.5 + sum(d, |j| (x[i][j] - m[c][j]) * (x[i][j] - m[c][j]))))
}
#[smooth] fn likelihood(x: &[[f64; d]; n], m: &[[f64; d]; k]) -> f64 {
    sum(n, |i| {
        let t = build(k, |c| ifold(d, 0.0, |s, j| s - (x[i][j] - m[c][j]).abs()));
        let most = ifold(k, t[0], |s: f64, c| s.max(t[c]));
        most + sum(k, |c| (t[c] - most).exp()).ln()
    })
}
#[smooth] fn polynomials(x: &[f64; n], c: &[f64; k]) -> f64 { sum(n, |i| ifold(k, 0.0, |s, j| s * x[i] + c[j])) }
#[smooth] fn extremes(x: &[f64; n], c: &[f64; k]) -> (f64, f64) {
    max(n, |i| {
        let y = ifold(k, 0.0, |s, j| s * x[i] + c[j]);
        (y, -y)
    })
}
#[smooth] fn gathered(a: &[f64; n], at: &[usize; k]) -> [f64; n] {
    build(n, |i| ifold(k, 0.0, |s, j| s * a[i] + a[at[j]]))
}";

/// The places of a loop with constant slopes, without the numbers of names.
fn lines(f: &Function) -> Vec<String> {
    let digits = |part: &str| part.trim_start_matches(|c: char| c.is_ascii_digit()).to_string();
    let line = |l: &str| l.trim().split('_').map(digits).collect::<String>();
    print::function(f).lines().map(line).collect()
}

#[test]
fn rows_become_columns_and_temporaries_have_room() {
    let unit = plain(BESIDE);
    let of = |name: &str| lines(&unit.stages[name].loops);
    let has =
        |name: &str, want: &str| assert!(of(name).iter().any(|l| l == want), "{name}: {want}\n{}", of(name).join("\n"));
    has("moved", "x[lane + 256 * row] ← x[512 * block + 2 * lane + row]");
    has("energies", "if ((n >= 32) && (d <= 128))");
    has("energies", "x[lane + 64 * row] ← x[64 * d * block + d * lane + row]");
    has("energies", "for round < d / 16");
    has("likelihood", "if (((n >= 32) && (k <= 128)) && (d <= 128))");
    has("polynomials", "for round < width / 16");
    has("polynomials", "for rest < n % 16");
    has("gathered", "check at < n");
    for name in ["polynomials", "extremes", "gathered"] {
        assert!(!of(name).iter().any(|l| l.contains("sum ") || l.contains("maximum ")), "{name} has no loop as it was");
    }
}

#[test]
fn memory_of_blocks_is_a_part_of_the_frame() {
    let unit = plain(BESIDE);
    let frame = |name: &str, sizes: [i128; 3]| {
        let s = &unit.stages[name];
        let entry = smooth_core::shape::entry_atoms(&s.stored.interface.params);
        let at = |a: &_| entry.iter().position(|b| b == a).map_or(-1, |k| sizes[k]);
        s.companion.frame.eval(&at).unwrap()
    };
    assert_eq!(frame("energies", [100, 5, 3]), 64 * 5 * 8, "a column of 64 for each coordinate");
    assert_eq!(frame("energies", [100, 1000, 3]), 64 * 128 * 8, "rows of more than 128 stay");
    assert_eq!(frame("moved", [7, 100, 0]), 0, "short rows are local");
    let framed = frame("likelihood", [100, 3, 2]);
    assert_eq!(framed, 64 + (2 + 3) * 64 * 8, "as before, and room for 64 points");
}

fn opened(b: &Block) -> usize {
    let here = b.iter().filter(|s| matches!(s, Stmt::Open(_))).count();
    here + b.iter().flat_map(|s| s.blocks()).map(opened).sum::<usize>()
}

fn of(source: &str, name: &str) -> Function {
    plain(source).stages[name].loops.clone()
}

#[test]
fn an_independent_index_runs_innermost() {
    let mut switches = Switches::all();
    assert!(switches.set("promote", false));
    let unit = unit(BLOCKED, &Options { switches, ..Options::default() });
    let text = print::function(&unit.stages["columns"].loops);
    let want = "columns
  for block_10 < (m_1 + 511) / 512 any
    let width_11: usize = min(512, m_1 - 512 * block_10)
    open total_12[512] local
    for lane_13 < width_11 any
      total_12[lane_13] ← (if (n_0 == 0) then 0.0 else -0.0)
    for i_4 < n_0
      for lane_14 < width_11 any
        let term_15 = a_2[m_1 * i_4 + 512 * block_10 + lane_14]
        total_12[lane_14] ← (total_12[lane_14] + term_15)
    for lane_16 < width_11 any
      out_6[512 * block_10 + lane_16] ← total_12[lane_16]
  return out_6
";
    assert_eq!(text, want);
    for name in ["orbits", "decay", "escapes", "bounces", "counted"] {
        let f = &unit.stages[name].loops;
        assert_eq!(opened(&f.body), 1, "{}", print::function(f));
    }
}

#[test]
fn where_it_does_not_pay_loops_stay() {
    for (why, source) in LEFT {
        let source = format!("#[smooth] {source}");
        let mut off = Switches::all();
        assert!(off.set("block", false));
        let without = unit(&source, &Options { switches: off, ..Options::default() });
        assert_eq!(of(&source, "f").body, without.stages["f"].loops.body, "{why}");
    }
}

#[test]
fn blocks_of_every_length_mean_the_same() {
    let unit = plain(BLOCKED);
    let numbers = |n: usize| (0..n).map(|i| (i * 7 % 11) as f64 * 0.03 - 0.1).collect::<Vec<f64>>();
    let tensor = |dims: &[usize]| Value::tensor(dims, &numbers(dims.iter().product()));
    let four = Value::Scalar(Lit::usize(4));
    for n in [0, 1, 2, 255, 256, 257, 511, 512, 513, 1030] {
        for (name, args) in [
            ("columns", vec![tensor(&[3, n])]),
            ("columns", vec![tensor(&[0, n])]),
            ("scaled", vec![tensor(&[3, n]), tensor(&[n])]),
            ("product", vec![tensor(&[2, 3]), tensor(&[3, n])]),
            ("orbits", vec![tensor(&[n]), tensor(&[n])]),
            ("decay", vec![tensor(&[n]), four.clone()]),
            ("escapes", vec![tensor(&[n]), four.clone()]),
            ("bounces", vec![tensor(&[n]), four.clone()]),
            ("counted", vec![tensor(&[n]), tensor(&[5])]),
        ] {
            let s = &unit.stages[name];
            let want = smooth_core::dps::eval::run(&s.stored, &args, &Others(&unit)).unwrap().value;
            for direction in [eval::Direction::Forwards, eval::Direction::Backwards] {
                let got = eval::run(&s.loops, &args, &Others(&unit), direction).unwrap();
                assert_eq!(got, want, "{name} of {n}, {direction:?}");
            }
        }
    }
}

#[test]
fn blocks_with_memory_of_their_own_mean_the_same() {
    let unit = plain(BESIDE);
    let numbers = |n: usize| (0..n).map(|i| (i * 7 % 11) as f64 * 0.03 - 0.1).collect::<Vec<f64>>();
    let tensor = |dims: &[usize]| Value::tensor(dims, &numbers(dims.iter().product()));
    let at = |k: usize| {
        let data = (0..k as u64).map(|j| Lit::usize(j * 3 % 5)).collect();
        Value::Array(Array { elem: Scalar::Usize, dims: vec![k], data })
    };
    for n in [0, 1, 16, 31, 32, 33, 64, 65, 131, 259] {
        // Rows of 130 are too long for a block.
        let long = if n == 33 { 130 } else { 3 };
        for (k, d) in [(1, 0), (3, 2), (17, 16), (33, 1), (2, long)] {
            for (name, args) in [
                ("moved", vec![tensor(&[k, 2, 2]), tensor(&[n, 2]), tensor(&[k, n])]),
                ("energies", vec![tensor(&[n, d]), tensor(&[k, d])]),
                ("likelihood", vec![tensor(&[n, d]), tensor(&[k, d])]),
                ("polynomials", vec![tensor(&[n]), tensor(&[k])]),
                ("extremes", vec![tensor(&[n]), tensor(&[k])]),
                ("gathered", vec![tensor(&[n.max(5)]), at(k)]),
            ] {
                let s = &unit.stages[name];
                let want = smooth_core::dps::eval::run(&s.stored, &args, &Others(&unit)).unwrap().value;
                for direction in [eval::Direction::Forwards, eval::Direction::Backwards] {
                    let got = eval::run(&s.loops, &args, &Others(&unit), direction).unwrap();
                    assert_eq!(got, want, "{name} of {n}, {k} and {d}, {direction:?}");
                }
            }
        }
    }
}

/// Folds with small states.
const STATES: &str = "
#[smooth] fn lorenz(x: &[f64; 3], steps: usize) -> [f64; 3] {
    ifold(steps, [x[0], x[1], x[2]], |s, _| [s[0] + 0.1 * (s[1] - s[0]), s[0] * (28.0 - s[2]), s[0] * s[1] - s[2]])
}
#[smooth] fn chain(ms: &[[[f64; 4]; 4]; n]) -> [[f64; 4]; 4] {
    ifold(n, build([4, 4], |i, j| if i == j { 1.0 } else { 0.0 }),
        |p, q| build([4, 4], |i, j| sum(4, |l| p[i][l] * ms[q][l][j])))
}
#[smooth] fn ended(x: &[f64; 3], steps: usize) -> [f64; 3] {
    let mut s = [x[0], x[1], x[2]];
    for _ in 0..steps {
        if s[0] > 2.0 { break; }
        s = [s[1] + s[2], s[2] + s[0], s[0] + s[1]];
    }
    s
}
#[smooth] fn each(x: &[[f64; 3]; n], steps: usize) -> [[f64; 3]; n] {
    build(n, |i| ifold(steps, [x[i][0], x[i][1], x[i][2]], |s, _| [s[1] + s[2], s[2] - s[0], s[0] * 0.5]))
}";

#[test]
fn small_states_are_local() {
    let unit = plain(STATES);
    for (name, s) in &unit.stages {
        let text = print::function(&s.loops);
        assert!(!text.contains("  turn ") && !text.contains("swap") && !text.contains("settle"), "{text}");
        let steps = |n: usize| Value::Scalar(Lit::usize(n as u64));
        for n in 0..=5 {
            let args = match name.as_str() {
                "chain" => vec![Value::tensor(&[n, 4, 4], &(0..16 * n).map(|i| (i % 7) as f64).collect::<Vec<_>>())],
                "each" => vec![Value::tensor(&[3, 3], &[0.5, 1.0, -2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]), steps(n)],
                _ => vec![Value::tensor(&[3], &[0.5, 1.0, 0.25]), steps(n)],
            };
            let want = smooth_core::dps::eval::run(&s.stored, &args, &Others(&unit)).unwrap().value;
            for direction in [eval::Direction::Forwards, eval::Direction::Backwards] {
                assert_eq!(eval::run(&s.loops, &args, &Others(&unit), direction).unwrap(), want, "{name}, {n} steps");
            }
        }
    }
}

#[test]
fn other_states_change_places() {
    for (why, source) in [
        (
            "it is too large",
            "fn f(x: &[f64; 40], k: usize) -> [f64; 40] { ifold(k, x.clone(), |s, _| build(40, |i| s[39 - i])) }",
        ),
        (
            "its size is symbolic",
            "fn f(x: &[f64; n], k: usize) -> [f64; n] { ifold(k, x.clone(), |s, _| build(n, |i| s[n - 1 - i])) }",
        ),
        (
            "which element is read is not known",
            "fn f(x: &[f64; 4], at: &[usize; k]) -> [f64; 4] { ifold(k, x.clone(), |s, l| build(4, |i| s[at[l]] + s[3 - i])) }",
        ),
    ] {
        let text = print::function(&of(&format!("#[smooth] {source}"), "f"));
        assert!(text.contains("  turn "), "{why}: {text}");
    }
}

/// Kernels that write each element of an array before they read it.
const WRITTEN_AGAIN: &[&str] = &[
    "fn f(a: &[f64; n]) -> [f64; n] { let mut b = [0.0; n]; for i in 0..n { b[i] = a[i] * 2.0; } b }",
    "fn f(a: &[f64; n]) -> [f64; n] { let mut b = [0.0; n]; for i in 0..n { if a[i] > 0.0 { b[i] = a[i]; } else { b[i] = 1.0; } } b }",
    "fn f(a: &[f64; n]) -> [f64; n] { let mut b = [0.0; n]; for i in 0..n { b[i] = if i > 0 { b[i - 1] + a[i] } else { a[i] }; } b }",
    "fn f(a: &[f64; 7]) -> [f64; 7] { let mut b = [0.0; 7]; b[0] = a[6]; for i in 1..7 { b[i] = b[i - 1] * a[i]; } b }",
    "fn f(n: usize, m: usize) -> [[f64; m]; n] { let mut b = [[0.0; m]; n]; for i in 0..n { for j in 0..m { b[i][j] = (i * j) as f64; } } b }",
    "fn f(a: &[f64; m], n: usize) -> [[f64; m]; n] { let mut b = [[0.0; m]; n]; for i in 0..n { b[i] = build(m, |j| if i == 0 { a[j] } else { b[i - 1][(j + 1) % m] }); } b }",
    "fn f(a: &[f64; n]) -> [f64; n] { let mut b = a.clone(); for i in 0..n { b[i] = sum(i, |k| b[k]) + 1.0; } b }",
    "fn f(a: &[[f64; m]; n], s: &[f64; m]) -> [[f64; m]; n] { let mut b = [[0.0; m]; n]; for j in 0..m { for i in 0..n { b[i][j] = a[i][j] * 2.0; } } b }",
    "fn f(a: &[[f64; m]; n], s: &[f64; m]) -> [[f64; m]; n] { let mut b = [[0.0; m]; n]; for j in 0..m { let l = s[j].sqrt(); for i in (0..n).rev() { b[i][j] = if i > 0 { a[i - 1][j] / l } else { l }; } } b }",
    "fn f(a: &[[f64; m]; n], s: &[f64; m]) -> [[f64; m]; n] { let mut b = [[0.0; m]; n]; for i in (0..n).rev() { for j in (0..m).rev() { if a[i][j] > 0.0 { b[i][j] = a[i][j]; } else { b[i][j] = 1.0; } } } b }",
    "fn f(a: &[[f64; m]; n], s: &[f64; m]) -> [[f64; m]; n] { let mut b = [[0.0; m]; n]; for i in (0..n).rev() { b[i] = build(m, |j| a[i][j] * s[j]); } b }",
    "fn f(a: &[[f64; m]; n], s: &[f64; m]) -> [[f64; m]; n] { let mut b = [[0.0; m]; n]; for j in 0..m { for i in 0..n { let e = a[i][j] * 0.5; b[n - 1 - i][j] = e; } } b }",
    "fn f(n: usize, m: usize, l: usize) -> [[[f64; l]; m]; n] { let mut b = [[[0.0; l]; m]; n]; for j in 0..m { for k in 0..l { for i in 0..n { b[i][j][k] = (i + k) as f64; } } } b }",
];

/// Kernels that may read an element that was filled only.
const FILLED: &[&str] = &[
    "fn f(a: &[f64; n]) -> [f64; n] { let mut b = [0.0; n]; for i in 0..n { if a[i] > 0.0 { b[i] = a[i]; } } b }",
    "fn f(a: &[f64; n]) -> [f64; n] { let mut b = [0.0; n]; for i in 0..n { if a[i] < 0.0 { break; } b[i] = a[i]; } b }",
    "fn f(a: &[f64; n]) -> [f64; n] { let mut b = [0.0; n]; for i in 1..n { b[i] = a[i]; } b }",
    "fn f(a: &[f64; n]) -> [f64; n] { let mut b = [0.0; n]; for i in 0..n { b[i] = a[i] + b[n - 1 - i]; } b }",
    "fn f(a: &[f64; n], k: usize) -> [f64; n] { let mut b = [0.0; n]; for i in 0..n { b[i] = a[i] + b[k]; } b }",
    "fn f(a: &[f64; n]) -> [f64; n] { let mut b = [0.0; n]; for i in 0..n / 2 { b[2 * i] = a[i]; } b }",
    "fn f(n: usize, m: usize) -> [[f64; m]; n] { let mut b = [[0.0; m]; n]; for i in 0..n { for j in 0..i.min(m) { b[i][j] = (i + 1) as f64; } } b }",
    "fn f(a: &[[f64; m]; n], s: &[f64; m]) -> [[f64; m]; n] { let mut b = [[0.0; m]; n]; for j in 1..m { for i in 0..n { b[i][j] = a[i][j] * 2.0; } } b }",
    "fn f(a: &[[f64; m]; n], s: &[f64; m]) -> [[f64; m]; n] { let mut b = [[0.0; m]; n]; for j in 0..m { for i in 0..n - 1 { b[i][j] = a[i][j] * 2.0; } } b }",
    "fn f(a: &[[f64; m]; n], s: &[f64; m]) -> [[f64; m]; n] { let mut b = [[0.0; m]; n]; for j in 0..m { for i in 0..n.min(j) { b[i][j] = a[i][j] * 2.0; } } b }",
    "fn f(a: &[[f64; m]; n], s: &[f64; m]) -> [[f64; m]; n] { let mut b = [[0.0; m]; n]; for j in 0..m { for i in 0..n { if s[j] > 0.5 { b[i][j] = a[i][j] * 2.0; } } } b }",
    "fn f(a: &[[f64; m]; n], s: &[f64; m]) -> [[f64; m]; n] { let mut b = [[0.0; m]; n]; for j in 0..m { for i in 0..n { if s[j] > 0.5 { b[i][j] = a[i][j] * 2.0; } else { b[n - 1 - i][j] = 1.5 * s[j]; } } } b }",
    "fn f(a: &[[f64; m]; n], s: &[f64; m]) -> [[f64; m]; n] { let mut b = [[0.0; m]; n]; for j in 0..m { for i in 0..n { b[i][j] = a[i][j] + b[n - 1 - i][j]; } } b }",
    "fn f(a: &[[f64; m]; n], s: &[f64; m]) -> [[f64; m]; n] { let mut b = [[0.0; m]; n]; for j in 0..m { if s[j] < 0.0 { break; } for i in 0..n { b[i][j] = a[i][j] * 2.0; } } b }",
    "fn f(a: &[[f64; m]; n], s: &[f64; m]) -> [[f64; m]; n] { let mut b = [[0.0; m]; n]; for j in 0..m { for i in 0..n { b[i][0] = a[i][j] * s[j]; } } b }",
];

/// Loops that store a constant or an argument, and nothing else.
fn fills(b: &Block) -> usize {
    let is_fill = |s: &&Stmt| match s {
        Stmt::For(l) => matches!(l.body.as_slice(), [Stmt::Assign(_, Expr::Lit(_) | Expr::Load(_))]),
        Stmt::Copy { .. } => true,
        _ => false,
    };
    b.iter().filter(is_fill).count() + b.iter().flat_map(|s| s.blocks()).map(fills).sum::<usize>()
}

#[test]
fn arrays_that_are_written_again_are_not_filled() {
    for source in WRITTEN_AGAIN {
        let f = of(&format!("#[smooth] {source}"), "f");
        assert_eq!(fills(&f.body), 0, "{}", print::function(&f));
    }
}

#[test]
fn arrays_that_may_be_read_are_filled() {
    for source in FILLED {
        let f = of(&format!("#[smooth] {source}"), "f");
        assert_eq!(fills(&f.body), 1, "{}", print::function(&f));
    }
}

/// Rows that a fold computes from the previous row in two buffers.
const SUBSTEPS: &str = "
#[smooth] fn kept(u: &[f64; n], steps: usize) -> [[f64; n]; steps] {
    scan(steps, u.clone(), |u, _| ifold(3, u.clone(), |v, _| build(n, |i| 0.5 * (v[i] + v[n - 1 - i]))))
}
#[smooth] fn forced(u: &[f64; n], steps: usize) -> [[f64; n]; steps] {
    scan(steps, u.clone(), |u, _| ifold(3, u.clone(), |v, _| build(n, |i| 0.5 * (v[i] + v[n - 1 - i]) + u[i])))
}
#[smooth] fn assigned(n: usize, steps: usize) -> [[f64; n]; steps] {
    let mut z = [[1.0; n]; steps];
    for t in 1..steps {
        z[t] = ifold(3, build(n, |i| z[t - 1][i] * 2.0), |v, _| build(n, |i| 0.5 * (v[i] + v[n - 1 - i])));
    }
    z
}";

/// The checker finds a buffer that is used while a part of it has a name, which Rust would reject.
#[test]
fn rows_beside_which_others_are_read_do_not_change_places() {
    let unit = plain(SUBSTEPS);
    for (name, s) in &unit.stages {
        smooth_core::loops::check::check(&s.loops).unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}

/// An address is computed without overflow. Without overflow checks `2 * p + 1` may be 1 for a large `p`.
#[test]
fn an_index_whose_terms_may_wrap_has_a_name() {
    let parameters = "a: &[f64; n], r: &[[f64; 3]; n], p: usize, q: usize";
    for index in ["2 * p + 1", "p * q", "p + q", "p + q + 1", "p + 1"] {
        for read in [format!("a[{index}]"), format!("r[{index}][2]")] {
            for body in [read.clone(), format!("let x = {read}; if p > 9 {{ x + {read} }} else {{ x }}")] {
                let text = print::function(&of(&format!("#[smooth] fn f({parameters}) -> f64 {{ {body} }}"), "f"));
                let addresses = text.split('[').skip(1).filter_map(|part| part.split(']').next());
                assert!(addresses.filter(|at| at.contains("p_0") || at.contains("q_1")).count() == 0, "{text}");
            }
        }
    }
    let hidden = "let k = p - q; if p < n / 2 { a[2 * k + 2 * q] + a[2 * k + 2 * q + 1] * k as f64 } else { 0.0 }";
    let text = print::function(&of(&format!("#[smooth] fn f({parameters}) -> f64 {{ {hidden} }}"), "f"));
    assert!(!text.contains("[2 * k") && !text.contains("check"), "{text}");
    let text = print::function(&of(&format!("#[smooth] fn f({parameters}) -> f64 {{ a[p - 1] - r[p][2] }}"), "f"));
    assert!(text.contains("a_3[p_0 - 1]") && text.contains("[3 * p_0 + 2]"), "{text}");
}
