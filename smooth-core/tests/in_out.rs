//! In-out parameters in F̃ and DPS-F̃: the argument is in the storage that its last value is written to.

mod common;
#[path = "common/notation.rs"]
mod notation;
use common::{plain, reads_back, run_everywhere};
use notation::kernel;
use smooth_core::dps::{self, Copy, Program, Term};
use smooth_core::fsmooth::eval::{self, Arg, Empty};
use smooth_core::fsmooth::{self, Kernel};
use smooth_core::infer::Infer;
use smooth_core::link::Export;
use smooth_core::lower::{lower, normalise};
use smooth_core::options::Options;
use smooth_core::pass::Switches;
use smooth_core::run::Cx;
use smooth_core::share::share;
use smooth_core::simplify::simplify;
use smooth_core::storage::optimise;
use smooth_core::value::{Lit, Value};

fn numbers(from: f64) -> Value {
    Value::tensor(&[4], &[from, from + 1.0, from + 2.0, from + 4.0])
}

fn copies(t: &Term) -> usize {
    let mut n = 0;
    t.each(&mut |t| n += usize::from(matches!(t, Term::Copy(Copy { .. }))));
    n
}

/// The program of a kernel, checked.
fn lowered(k: &Kernel) -> Program {
    fsmooth::check::check(k).unwrap_or_else(|e| panic!("{e}"));
    let result = Infer::new(k).shape(&k.body).leaves();
    lower(normalise(k.clone()), &result, &[])
}

/// Compiles a kernel and runs it before and after the storage passes: the values are equal, and `wanted` are the copies that
/// are left and the arrays that are allocated.
#[track_caller]
fn stored(head: &str, body: &str, args: &[Value], wanted: (usize, u64)) -> Program {
    let k = kernel(head, body);
    let given: Vec<Arg> = args.iter().map(|v| Arg::from(v.clone())).collect();
    let oracle = eval::run(&k, &given, &Empty).unwrap_or_else(|e| panic!("{e}"));
    let mut shared = k.clone();
    simplify(&mut shared, &mut Cx::unwatched(&Switches::all()));
    share(&mut shared, &mut Cx::unwatched(&Switches::all()));
    let mut p = lowered(&shared);
    let run = |p: &Program, after: &str| {
        let text = dps::print::exact(p);
        dps::check::check(p).unwrap_or_else(|e| panic!("{after}: {e}\n{text}"));
        reads_back(p).unwrap_or_else(|e| panic!("{e}"));
        let r = dps::eval::run(p, args, &Empty).unwrap_or_else(|e| panic!("{after}: {e}\n{text}"));
        assert_eq!(r.value, oracle, "{after}\n{text}");
        r.allocs
    };
    run(&p, "lower");
    let mut watch = |after: &'static str, now: smooth_core::run::Passed<'_>| {
        if let smooth_core::run::Passed::Dps(p) = now {
            run(p, after);
        }
    };
    optimise(&mut p, &mut Cx::new(&Switches::all(), &mut watch));
    let found = (copies(&p.body), run(&p, "storage"));
    assert_eq!(found, wanted, "copies and allocations\n{}", dps::print::exact(&p));
    p
}

const AXPY: &str = r#"kernel "axpy" [a_1 "a": f64, x_2 "x": array f64 [n_0], y_3 "y" mut: array f64 [n_0]] in "#;
const TWO: &str = r#"kernel "two" [x_1 "x" mut: array f64 [n_0], y_2 "y" mut: array f64 [n_0]] in "#;
const ONE: &str = r#"kernel "one" [y_2 "y" mut: array f64 [n_0]] in "#;

fn axpy_arguments() -> Vec<Value> {
    vec![Value::Scalar(Lit::f64(2.0)), numbers(1.0), numbers(10.0)]
}

#[test]
fn an_element_at_a_time_is_in_place() {
    stored(AXPY, "(build n_0 (λ i_4. (y_3[i_4] + (a_1 * x_2[i_4]))))", &axpy_arguments(), (0, 0));
}

#[test]
fn what_never_changes_stays_where_it_is() {
    stored(ONE, "y_2", &[numbers(1.0)], (0, 0));
    stored(ONE, "(tuple (sum n_0 (λ i_3. y_2[i_3])) y_2)", &[numbers(1.0)], (0, 0));
}

#[test]
fn what_is_read_after_it_was_overwritten_is_copied() {
    stored(ONE, "(build n_0 (λ i_3. y_2[(n_0 - (i_3 + 1))]))", &[numbers(1.0)], (1, 1));
    let both = "(tuple (build n_0 (λ i_3. (y_2[i_3] + 1.0))) (build n_0 (λ i_4. y_2[(n_0 - (i_4 + 1))])))";
    stored(ONE, both, &[numbers(1.0)], (1, 1));
}

#[test]
fn two_that_swap_need_one_copy_more_than_they_are() {
    stored(TWO, "(tuple y_2 x_1)", &[numbers(1.0), numbers(10.0)], (3, 1));
    stored(TWO, "(tuple x_1 y_2)", &[numbers(1.0), numbers(10.0)], (0, 0));
}

#[test]
fn two_that_are_updated_are_in_place() {
    let sums = "(tuple (build n_0 (λ i_3. (x_1[i_3] + 1.0))) (build n_0 (λ i_4. (y_2[i_4] * 2.0))))";
    stored(TWO, sums, &[numbers(1.0), numbers(10.0)], (0, 0));
}

#[test]
fn what_is_only_written_is_not_read() {
    let p = stored(ONE, "(build n_0 (λ i_3. 1.0))", &[numbers(1.0)], (0, 0));
    assert!(!dps::print::exact(&p).contains("already_there"));
}

#[test]
fn updates_are_in_place() {
    stored(ONE, "(update y_2 [1] 7.0)", &[numbers(1.0)], (0, 0));
    stored(ONE, "(let b_3 = (update y_2 [1] y_2[0]) in (update + b_3 [0] b_3[1]))", &[numbers(1.0)], (0, 0));
    let scaled = "(let d_5 = y_2[0] in (ifold n_0 (λ s_3 i_4. (update / s_3 [i_4] d_5)) y_2))";
    stored(ONE, scaled, &[numbers(2.0)], (0, 0));
    let prefix = "(ifold (n_0 - 1) (λ s_3 i_4. (update + s_3 [(i_4 + 1)] s_3[i_4])) y_2)";
    stored(ONE, prefix, &[numbers(1.0)], (0, 0));
    let early = "(ifold n_0 (λ s_3 i_4. while (s_3[i_4] < 12.0) do (update * s_3 [i_4] 2.0)) y_2)";
    stored(ONE, early, &[numbers(10.0)], (0, 0));
    let both = "(ifold n_0 (λ s_3 i_4. (let a_5 = (proj 0 s_3) in (let b_6 = (proj 1 s_3) in (let t_7 = a_5[i_4] in \
        (tuple (update a_5 [i_4] b_6[i_4]) (update b_6 [i_4] t_7)))))) (tuple x_1 y_2))";
    stored(TWO, both, &[numbers(1.0), numbers(10.0)], (0, 0));
}

#[test]
fn steps_in_two_buffers_end_in_the_argument() {
    let heat = "(ifold 3 (λ s_3 i_4. (build n_0 (λ j_5. (s_3[((j_5 + 1) % n_0)] + s_3[j_5])))) y_2)";
    stored(ONE, heat, &[numbers(1.0)], (0, 1));
}

/// Exports say which parameters are written.
#[test]
fn exports_are_read_back() {
    let unit = plain("#[smooth] pub fn f(a: f64, y: &mut [f64; n]) -> f64 { sum(n, |i| a * y[i]) }");
    let text = &unit.stages["f"].export;
    let export = Export::read(text).unwrap_or_else(|e| panic!("{e}"));
    assert_eq!(export.params.iter().map(|p| p.in_out).collect::<Vec<_>>(), [false, true]);
    assert_eq!(export.companion.as_ref().map(|c| c.result.len()), Some(2));
    assert_eq!(Export::read(&export.write()).map(|e| e.write()), Ok(export.write()));
}

const KERNELS: &str = "
    #[smooth] pub fn axpy(a: f64, x: &[f64; n], y: &mut [f64; n]) { for i in 0..n { y[i] += a * x[i]; } }
    #[smooth] pub fn reverse(y: &mut [f64; n]) -> usize { for i in 0..n / 2 { y.swap(i, n - 1 - i); } n }
    #[smooth] pub fn step(x: &mut f64, v: &mut f64) { *v -= *x; *x += *v; }
    #[smooth] pub fn both(x: &[f64; n], y: &mut [f64; n]) -> f64 {
        axpy(2.0, x, y);
        let count = reverse(y);
        let z = y.clone();
        axpy(y[0], &z, y);
        let (mut p, mut v) = (y[0], count as f64);
        step(&mut p, &mut v);
        y[0] = v;
        p
    }
    #[smooth] pub fn mixed(a: &mut [f64; n], b: &mut [f64; n]) {
        for i in 0..n {
            let t = a[i];
            a[i] = b[n - 1 - i];
            b[i] = t;
        }
        axpy(1.0, &a.clone(), b);
    }
    #[smooth] pub fn made(m: &mut [[f64; k]; n]) {
        axpy(0.5, &{ build(k, |i| 1.5 + i as f64) }, &mut m[1]);
    }
    #[smooth] pub fn rows(m: &mut [[f64; k]; n], x: &[f64; k]) -> usize {
        let mut total = 0;
        for i in 0..n {
            axpy(m[i][0], x, &mut m[i]);
            if i > 0 {
                axpy(1.0, &m[i - 1].clone(), &mut m[i]);
                total += reverse(&mut m[i]);
            }
        }
        total
    }
    #[smooth] pub fn turn(a: &mut [f64; n], steps: usize) {
        let mut from = a.clone();
        let mut to = a.clone();
        for _ in 0..steps {
            for i in 0..n { to[i] = from[n - 1 - i] + 1.0; }
            (from, to) = (to, from);
        }
        a.copy_from_slice(&from);
    }
    #[smooth] pub fn turned(m: &mut [[f64; k]; n], steps: usize) {
        for i in 0..n { turn(&mut m[i], steps); }
    }
";

/// Every stage means the same, whatever passes are off.
#[test]
fn no_pass_is_needed() {
    let v = |k: f64| Value::vector(&[k, k + 1.0, k * 2.0, 7.0]);
    let m = Value::tensor(&[3, 4], &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 1.5, 2.5, 3.5]);
    let off =
        [&[][..], &["in_place"], &["elide_copy"], &["reuse"], &["fuse"], &["inline"], &["dce", "cse", "invariant"]];
    let more = [&["inline", "in_place"][..], &["inline", "fuse"], &["inline", "elide_copy", "in_place", "reuse"]];
    for off in off.into_iter().chain(more) {
        let mut options = Options::default();
        for pass in off {
            assert!(options.switches.set(pass, false), "no pass `{pass}`");
        }
        let unit = common::unit(KERNELS, &options);
        let run = |name: &str, args: &[Value]| run_everywhere(&unit, name, args).unwrap_or_else(|e| panic!("{e}"));
        run("both", &[v(1.0), v(3.0)]);
        run("mixed", &[v(1.0), v(3.0)]);
        run("made", std::slice::from_ref(&m));
        run("rows", &[m.clone(), v(1.0)]);
        run("turned", &[m.clone(), Value::Scalar(Lit::usize(3))]);
        run("step", &[Value::Scalar(Lit::f64(1.0)), Value::Scalar(Lit::f64(2.0))]);
    }
}

/// Callees that are not inlined, and callees on rows, allocate nothing.
#[test]
fn callees_change_what_is_there() {
    for off in [&[][..], &["inline"]] {
        let mut options = Options::default();
        off.iter().for_each(|pass| assert!(options.switches.set(pass, false)));
        let source = "
            #[smooth] fn axpy(a: f64, x: &[f64; n], y: &mut [f64; n]) { for i in 0..n { y[i] += a * x[i]; } }
            #[smooth] fn twice(x: &[f64; n], y: &mut [f64; n]) { axpy(1.0, x, y); axpy(y[0], x, y); }
            #[smooth] fn rows(x: &[f64; k], m: &mut [[f64; k]; n]) { for i in 0..n { axpy(m[i][0], x, &mut m[i]); } }
        ";
        let unit = common::unit(source, &options);
        for name in ["twice", "rows"] {
            let p = &unit.stages[name].stored;
            let allocates =
                p.body.count(|t| matches!(t, Term::Alloc(a) if a.blocks.iter().any(|b| b.placement.dest().is_none())));
            assert_eq!((copies(&p.body), allocates), (0, 0), "{name}\n{}", dps::print::exact(p));
        }
    }
}

/// The value of a statement has no parts, and so its `let` no names.
#[test]
fn values_without_parts_read_back() {
    let source = "#[smooth] fn f(yes: bool, h: &mut f64) { let mut x = yes; 'b: { x &= yes; if yes { break 'b; } } }";
    let unit = common::unit(source, &Options { switches: Switches::none(), ..Options::default() });
    let lowered = &unit.stages["f"].lowered;
    assert!(dps::print::program(lowered).contains("let =\n"), "{}", dps::print::program(lowered));
    reads_back(lowered).unwrap_or_else(|e| panic!("{e}"));
}
