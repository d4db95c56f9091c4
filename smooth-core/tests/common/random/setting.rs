//! The parameters of programs, the kernels that they call, and the features that they should have.

/// The parameters of every program.
pub const PARAMS: &str = "a: &[f64; n], b: &[f64; n], c: &[f64; k], v: &[f64; 3], m: &[[f64; k]; n], w: &[[f64; 3]; k], \
     t: &[[[f64; 2]; k]; n], u: &[usize; n], s: f64, p: usize, yes: bool";

/// Kernels that programs may call. The last ones are too large to be inlined, though little of them ever runs.
pub fn library() -> String {
    use super::{asserts, in_out, reshaped, tables};
    let long: String =
        (0..60).map(|i| format!("let x = (x * 1.{i:02} + 0.25).abs() - x / (1.{i:02} + x * x); ")).collect();
    let (small, constants) =
        ([SMALL, in_out::KERNELS, reshaped::KERNELS, tables::KERNELS, asserts::KERNELS].concat(), tables::SOURCE);
    let large = in_out::large(&long);
    format!(
        "{constants}{small}{large}
#[smooth] fn large(a: &[f64; n], s: f64) -> [f64; n] {{
    let e = build(n, |i| (a[i] * s).exp());
    build(n, |i| {{ let x = e[n - 1 - i] + e[i / 2]; if x > 1.0e300 {{ {long} x }} else {{ x - s }} }})
}}
#[smooth] fn large_number(a: &[f64; n], q: usize) -> f64 {{
    let x = ifold(q, a.clone(), |x, j| build(n, |i| x[n - 1 - i] * 0.5 + j as f64));
    let x = sum(n, |i| x[i] * a[i]);
    if x > 1.0e300 {{ {long} x }} else {{ x }}
}}
#[smooth] fn large_pair(a: &[f64; n], m: &[[f64; k]; n]) -> (f64, [f64; k]) {{
    let x = sum(n, |i| a[i]);
    let e = build(n, |i| (a[i] - x).sin());
    let x = if x > 1.0e300 {{ {long} x }} else {{ x }};
    (x, build(k, |j| sum(n, |i| e[n - 1 - i] * m[i][j]) + sum(n, |i| e[i])))
}}
"
    )
}

const SMALL: &str = "
#[smooth] fn map(a: &[f64; n], f: impl Fn(f64) -> f64) -> [f64; n] { build(n, |i| f(a[i])) }
#[smooth] fn zip(a: &[f64; n], b: &[f64; n], f: impl Fn(f64, f64) -> f64) -> [f64; n] { build(n, |i| f(a[i], b[i])) }
#[smooth] fn reduce(a: &[f64; n], x: f64, f: impl Fn(f64, f64) -> f64) -> f64 { ifold(n, x, |x, i| f(x, a[i])) }
#[smooth] fn rows(m: &[[f64; k]; n], f: impl Fn(&[f64; k]) -> f64) -> [f64; n] { build(n, |i| f(&m[i])) }
#[smooth] fn add(a: &[f64; n], b: &[f64; n]) -> [f64; n] { zip(a, b, |x, y| x + y) }
#[smooth] fn scale(a: &[f64; n], s: f64) -> [f64; n] { map(a, |x| x * s) }
#[smooth] fn dot(a: &[f64; n], b: &[f64; n]) -> f64 { sum(n, |i| a[i] * b[i]) }
#[smooth] fn transpose(m: &[[f64; k]; n]) -> [[f64; n]; k] { build([k, n], |i, j| m[j][i]) }
#[smooth] fn product(m: &[[f64; k]; n], o: &[[f64; l]; k]) -> [[f64; l]; n] {
    build([n, l], |i, j| sum(k, |h| m[i][h] * o[h][j]))
}
#[smooth] fn part(a: &[f64; n], s: usize, e: usize) -> [f64; e - s] { build(e - s, |i| a[s + i]) }
#[smooth] fn mean_and_rest(a: &[f64; n]) -> (f64, [f64; n]) {
    let x = sum(n, |i| a[i]) * 0.25;
    (x, build(n, |i| a[i] - x))
}
#[smooth] fn blend<T: Real>(a: &[T; n], b: &[T; n], s: T) -> T { sum(n, |i| a[i] * s + b[i] * (1.0 - s)) }
#[smooth] fn halves<T: Real>(a: &[T; n]) -> [T; n] { build(n, |i| a[n - 1 - i] * 0.5 + 0.1) }
#[smooth] fn zipped(a: &[f64; n], u: &[usize; n]) -> [(f64, usize); n] { build(n, |i| (a[i], u[i])) }
#[smooth] fn weighted(a: &[(f64, usize); n], s: f64) -> f64 { sum(n, |i| a[i].0 * (a[i].1 as f64 - s)) }
#[smooth] fn curve(x: f64, y: f64) -> f64 { let z = x * y; (z * z + 1.0).sqrt() - z }
";

/// Features that a program may have, and that a good share of many programs must have.
pub const FEATURES: &[&str] = &[
    "array pattern",
    "sibling arrays",
    "loop that adds to one element",
    "nested build",
    "nested fold",
    "fold in a build",
    "extreme",
    "product",
    "reduction by a function",
    "condition of all",
    "index of an extreme",
    "reduction of tuples",
    "scan",
    "branch of numbers",
    "branch of arrays",
    "branch of tuples",
    "shared array",
    "random position",
    "size 0",
    "size 1",
    "size 3",
    "symbolic size",
    "parameter as a size",
    "computed size",
    "size of an operation",
    "closure",
    "closure of several",
    "call",
    "call of higher order",
    "call not inlined",
    "tuple",
    "nested tuple",
    "several arrays as a result",
    "slice",
    "transpose",
    "gather",
    "signed offset",
    "usize let",
    "bool let",
    "and, or",
    "count of an outer index",
    "size of an outer index",
    "fold pointwise",
    "fold not pointwise",
    "rank 3",
    "chain of arrays",
    "chosen array",
    "next state with a name",
    "invariant array",
    "other scalars",
    "narrow array",
    "narrow element in place",
    "generic kernel",
    "index as a state",
    "state through min",
    "computed count",
    "cheap initial state",
    "invariant array in a step",
    "guarded index",
    "loop as a guard",
    "assignment to a number",
    "assignment to an element",
    "assignment of an array",
    "assignment of a row",
    "assignment to a part",
    "exchange of variables",
    "swap",
    "row from another row",
    "rows from old rows",
    "rows in turn",
    "exchange in nested loops",
    "fill or copy",
    "declared first",
    "if without else",
    "match",
    "for",
    "for backwards or in steps",
    "for over a part",
    "for over two arrays",
    "for over elements",
    "while or loop",
    "break or continue",
    "early return",
    "statements in a closure",
    "index beside another",
    "scan of rows",
    "scan of tuples",
    "constant table",
    "array of tuples",
    "update of tuples",
    "call that changes",
    "call that changes a row",
    "parameter that changes",
    "parameter of tuples",
    "counter as an index",
    "reshaped",
    "slice of a build",
    "call under a condition",
    "bounded index",
    "reduction of integers",
    "several axes",
    "row written out",
    "power",
    "assertion",
    "assertion that may fail",
    "call that asserts",
];

/// Features that passes on pairs of terms look for, counted like the others.
pub const PAIRS: &[&str] = &["equal terms", "independent folds", "identity"];
