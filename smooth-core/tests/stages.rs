//! The paper's kernels at each stage: claims that are counted on the IRs, and the meaning at every stage.

mod common;

use common::{Unit, library, library_source, run_everywhere, unit};
use smooth_core::dps::{self, Term};
use smooth_core::fsmooth::{self, Kind};
use smooth_core::options::Options;
use smooth_core::pass::Switches;
use smooth_core::shape::bytes::Bytes;
use smooth_core::value::Value;

/// The examples of the paper and of these tests.
const EXAMPLES: &str = "
#[smooth] fn norm_of_sum(a: &[f64; n], b: &[f64; n]) -> f64 { vector_norm(&vector_add(a, b)) }
#[smooth] fn add3(x: &[f64; n], y: &[f64; n], z: &[f64; n]) -> [f64; n] { vector_add(&vector_add(x, y), z) }
#[smooth] fn at_random(a: &[f64; n], k: usize) -> f64 {
    let e = build(n, |i| a[i].exp());
    sum(n, |i| e[(i * k) % n])
}
#[smooth] fn twice(a: &[f64; n]) -> f64 {
    let e = build(n, |i| a[i].exp());
    let largest = ifold(n, 0.0, |m: f64, i| m.max(e[i]));
    sum(n, |i| e[i] / largest)
}
#[smooth] fn smooth_steps(a: &[f64; n], steps: usize) -> [f64; n] {
    ifold(steps, a.clone(), |s, _| build(n, |i| (s[i] + s[n - 1 - i]) * 0.5))
}
";

fn loops(u: &Unit, name: &str) -> usize {
    u.stages[name].simplified.body.count(|e| matches!(e.kind(), Kind::Build(_) | Kind::IFold(_) | Kind::Reduce(_)))
}

fn arrays(u: &Unit, name: &str) -> usize {
    u.stages[name].stored.body.count(|t| matches!(t, Term::Alloc(_)))
}

#[test]
fn norm_of_a_sum_is_one_loop_without_arrays() {
    let u = library(EXAMPLES);
    assert_eq!((loops(&u, "norm_of_sum"), arrays(&u, "norm_of_sum")), (1, 0));
    assert_eq!(u.stages["norm_of_sum"].companion.frame, Bytes::zero());
    let args = [Value::vector(&[1.0, 2.0]), Value::vector(&[2.0, 2.0])];
    assert_eq!(run_everywhere(&u, "norm_of_sum", &args).unwrap().f64(), 5.0);
    // §2.2: the fused function of the paper.
    let s = &u.stages["norm_of_sum"].simplified;
    let text = fsmooth::print::flat(&s.body, &s.names);
    assert!(text.starts_with("(sqrt (sum "), "{text}");
    assert!(!text.contains("build"), "{text}");
}

#[test]
fn sums_of_vectors_are_one_loop_into_the_destination() {
    let u = library(EXAMPLES);
    assert_eq!((loops(&u, "add3"), arrays(&u, "add3")), (1, 0));
    let args: Vec<Value> = [1.0, 2.0, 3.0].iter().map(|x| Value::vector(&[*x; 5])).collect();
    assert_eq!(run_everywhere(&u, "add3", &args).unwrap().f64s(), [6.0; 5]);
}

/// Arrays that must not fuse: reads at random would compute elements again, and so would two consumers.
#[test]
fn expensive_elements_are_stored() {
    let u = library(EXAMPLES);
    for name in ["at_random", "twice"] {
        assert_eq!(arrays(&u, name), 1, "{name}");
    }
    let args = [Value::vector(&[0.1, 0.2, 0.3]), Value::Scalar(smooth_core::value::Lit::usize(2))];
    let (value, _) =
        (run_everywhere(&u, "at_random", &args).unwrap(), run_everywhere(&u, "twice", &args[..1]).unwrap());
    let want: f64 = [0.1f64, 0.3, 0.2].iter().map(|x| x.exp()).sum();
    assert!((value.f64() - want).abs() < 1e-15);
}

/// Transposes, rows and slices of computed arrays are fused with their readers, through `let`s, closures and other
/// kernels.
#[test]
fn views_of_computed_arrays_are_not_stored() {
    let u = library(
        "
#[smooth] fn scaled(m: &[[f64; k]; n], s: f64) -> [[f64; k]; n] { build([n, k], |i, j| (m[i][j] * s).exp()) }
#[smooth] fn column_sums(m: &[[f64; k]; n]) -> [f64; k] {
    let t = matrix_transpose(&scaled(m, 2.0));
    build(k, |i| vector_sum(&t[i]))
}
#[smooth] fn column(m: &[[f64; k]; n], j: usize) -> [f64; n] { build(n, |i| m[i][j]) }
#[smooth] fn through_a_closure(m: &[[f64; k]; n]) -> [f64; k] {
    let s = scaled(m, 2.0);
    let part = |j: usize| column(&s, j);
    build(k, |j| vector_sum(&part(j)))
}
#[smooth] fn halves(a: &[f64; n]) -> f64 {
    let e = build(n, |i| a[i].exp());
    let low = &e[0..n / 2];
    vector_sum(low)
}
#[smooth] fn halves_of_halves(a: &[f64; n]) -> f64 {
    let e = vector_s_mul(a, 2.0);
    let low = &e[0..n / 2];
    let high = &low[n / 4..n / 2];
    vector_sum(high) + vector_dot(low, low)
}
",
    );
    for (name, count) in [("column_sums", 2), ("through_a_closure", 2), ("halves", 1), ("halves_of_halves", 2)] {
        assert_eq!((loops(&u, name), arrays(&u, name)), (count, 0), "{name}");
    }
    let m = [Value::tensor(&[2, 3], &[0.1, 0.2, 0.3, 0.4, 0.5, 0.6])];
    let sums = run_everywhere(&u, "column_sums", &m).unwrap();
    assert_eq!(sums, run_everywhere(&u, "through_a_closure", &m).unwrap());
    let a = [Value::vector(&[1.0, 2.0, 3.0, 4.0, 5.0])];
    assert_eq!(run_everywhere(&u, "halves", &a).unwrap().f64(), smooth_math::exp(1.0) + smooth_math::exp(2.0));
    assert_eq!(run_everywhere(&u, "halves_of_halves", &a).unwrap().f64(), 4.0 + 20.0);
}

/// The state of a fold is in two buffers, one of them the destination.
#[test]
fn a_fold_over_an_array_needs_a_second_buffer() {
    let u = library(EXAMPLES);
    assert_eq!(arrays(&u, "smooth_steps"), 1);
    for steps in 0..4 {
        let args = [Value::vector(&[1.0, 2.0, 4.0]), Value::Scalar(smooth_core::value::Lit::usize(steps))];
        let want = if steps == 0 { vec![1.0, 2.0, 4.0] } else { vec![2.5, 2.0, 2.5] };
        assert_eq!(run_everywhere(&u, "smooth_steps", &args).unwrap().f64s(), want);
        let run = dps::eval::run(&u.stages["smooth_steps"].stored, &args, &common::Others(&u)).unwrap();
        assert_eq!((run.peak, run.allocs), (64, 1));
    }
}

/// Fig. 13: scalars only, although the figure has vectors.
#[test]
fn project_is_scalar_code() {
    let u = library(include_str!("../../workloads/src/project.rs").split_once("use smooth::prelude::*;").unwrap().1);
    assert_eq!((loops(&u, "project"), arrays(&u, "project")), (0, 0));
    let cam = [0.1, 0.1, 0.1, 0.2, 0.1, 0.3, 1.2, 0.01, 0.03, 0.009, 1.2e-4];
    let p = run_everywhere(&u, "project", &[Value::vector(&cam), Value::vector(&[0.03, 0.11, -0.7])]).unwrap().f64s();
    let want = [0.347_895_582_884_000_7, -0.076_959_405_282_116_58];
    assert!(p.iter().zip(want).all(|(p, w)| (p - w).abs() < 1e-15 * 4.0), "{p:?}");
}

/// Every kernel of Fig. 3 means the same at every stage, with all passes and with none.
#[test]
fn the_library_at_every_stage() {
    let v = |x: &[f64]| Value::vector(x);
    let m = || Value::tensor(&[2, 3], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let t = || Value::tensor(&[3, 2], &[1.0, 0.5, -1.0, 2.0, 0.25, 4.0]);
    let n = |n: u64| Value::Scalar(smooth_core::value::Lit::usize(n));
    let (a, b) = ([0.3, -1.5, 2.0], [1.0, 0.25, -4.0]);
    let two = || vec![v(&a), v(&b)];
    let calls: Vec<(&str, Vec<Value>)> = vec![
        ("vector_range", vec![n(4)]),
        ("vector_range", vec![n(0)]),
        ("vector_add", two()),
        ("vector_sub", two()),
        ("vector_e_mul", two()),
        ("vector_s_mul", vec![v(&a), Value::Scalar(smooth_core::value::Lit::f64(2.5))]),
        ("vector_sum", vec![v(&a)]),
        ("vector_dot", two()),
        ("vector_norm", vec![v(&a)]),
        ("vector_slice", vec![v(&a), n(1), n(2)]),
        ("vector_cross", two()),
        ("vector_out_prod", vec![v(&a), v(&b[..2])]),
        ("matrix_rows", vec![m()]),
        ("matrix_cols", vec![m()]),
        ("matrix_add", vec![m(), m()]),
        ("matrix_transpose", vec![m()]),
        ("matrix_mul", vec![m(), t()]),
    ];
    let none = Options { switches: Switches::none(), ..Options::default() };
    for (options, what) in [(Options::default(), "all passes"), (none, "no passes")] {
        let u = unit(&library_source(), &options);
        for (name, args) in &calls {
            run_everywhere(&u, name, args).unwrap_or_else(|e| panic!("{name} with {what}: {e}"));
        }
    }
}

/// The expansion of a function.
fn expansion(source: &str) -> String {
    smooth_core::expand::attribute(Default::default(), source.parse().unwrap(), &"test").to_string()
}

#[test]
fn cells_are_addressed_in_their_rows() {
    let code = expansion("fn f(a: &mut [[f64; m]; n]) { for i in 0..n { for j in 1..m { a[i][j] *= 2.0; } } }");
    for access in ["old (__rt :: row (", "put (__rt :: row_mut ("] {
        assert_eq!(code.matches(access).count(), 1, "{access}: {code}");
    }
}

#[test]
fn a_counter_that_nothing_reads_is_not_emitted() {
    let halves = |c: &str| expansion(&format!("fn f(x: f64) -> f64 {{ let mut y = x; {c} {{ y *= 0.5; }} y }}"));
    let body = |code: &str| code[code.find("fn body").expect("a body")..].to_string();
    let code = body(&halves("while y > 1.0"));
    assert!(code.contains("loop {") && !code.contains("usize :: MAX"), "{code}");
    let code = body(&halves("for _ in 0..9"));
    assert!(code.contains("for ") && !code.contains("loop {"), "{code}");
}

#[test]
fn loops_with_checked_updates_count_at_their_end() {
    let count = |update: &str| {
        let source = format!("fn f(x: &[u32; n], c: &mut [u32; m]) {{ for i in 0..n {{ {update} }} }}");
        expansion(&source)
    };
    let code = count("c[x[i] as usize] += 1;");
    let body = &code[code.find("while ").expect("a counter at the end")..];
    assert!(body.find(":: put").unwrap() < body.find("i += 1").unwrap(), "{body}");
    for other in ["c[x[i] as usize] = 1;", "if i < m { c[i] += x[i]; }"] {
        assert!(!count(other).contains("while "), "{other}");
    }
}
