//! The storage passes one by one (Fig. 9 and more): the effect of each on a program, and programs that it must leave
//! alone.

mod common;
#[path = "common/notation.rs"]
mod notation;

use common::{Others, Unit, run_everywhere, unit};
use smooth_core::dps::{self, Alloc, Build, Placement, Program, Reduce, Term};
use smooth_core::lower::{lower, normalise};
use smooth_core::options::Options;
use smooth_core::pass::{PASSES, Switches};
use smooth_core::run::Cx;
use smooth_core::storage;
use smooth_core::value::{Lit, Value};

/// Kernels whose arrays stay: expensive elements, with several consumers or read at other indices than written.
const KERNELS: &str = "
#[smooth] fn softmax(a: &[f64; n]) -> [f64; n] {
    let e = build(n, |i| a[i].exp());
    let s = sum(n, |i| e[i]);
    build(n, |i| e[i] / s)
}
#[smooth] fn softmax_of_rows(m: &[[f64; k]; n]) -> [[f64; k]; n] { build(n, |i| softmax(&m[i])) }
#[smooth] fn mirrored(a: &[f64; n]) -> [f64; n] {
    let e = build(n, |i| a[i].exp());
    build(n, |i| e[i] + e[n - 1 - i])
}
#[smooth] fn chain(a: &[f64; n]) -> [f64; n] { mirrored(&mirrored(&mirrored(&mirrored(a)))) }
#[smooth] fn dying(a: &[f64; n]) -> f64 {
    let e = build(n, |i| a[i].exp());
    let s = sum(n, |i| e[i]);
    let f = build(n, |i| (e[i] / s).sin());
    sum(n, |i| f[i] * f[n - 1 - i])
}
#[smooth] fn living(a: &[f64; n]) -> f64 {
    let e = build(n, |i| a[i].exp());
    let s = sum(n, |i| e[i]);
    let f = build(n, |i| (e[i] / s).sin());
    sum(n, |i| f[i] * f[n - 1 - i] * e[n - 1 - i])
}
#[smooth] fn both(a: &[f64; n]) -> (f64, [f64; n]) {
    let e = build(n, |i| a[i].exp());
    (sum(n, |i| e[i]), e)
}
#[smooth] fn both_first(a: &[f64; n]) -> ([f64; n], f64) {
    let e = build(n, |i| a[i].exp());
    (e.clone(), sum(n, |i| e[i]))
}
#[smooth] fn chosen(a: &[f64; n], yes: bool) -> [f64; n] {
    let e = build(n, |i| a[i].exp());
    let s = sum(n, |i| e[i]);
    if yes { build(n, |i| e[i] / s) } else { e }
}
#[smooth] fn halved(a: &[f64; n], k: usize) -> [f64; n] { ifold(k, a.clone(), |s, _| build(n, |i| s[i] * 0.5)) }
#[smooth] fn normed(a: &[f64; n], k: usize) -> [f64; n] {
    ifold(k, a.clone(), |s, _| {
        let t = 1.0 + sum(n, |i| s[i] * s[i]);
        build(n, |i| s[i] / t)
    })
}
#[smooth] fn smoothed(a: &[f64; n], k: usize) -> [f64; n] {
    ifold(k, a.clone(), |s, _| build(n, |i| (s[i] + s[n - 1 - i]) * 0.5))
}
#[smooth] fn in_a_loop(a: &[f64; n], k: usize) -> f64 {
    sum(k, |j| {
        let e = build(n, |i| (a[i] * j as f64).exp());
        sum(n, |i| e[i] * e[n - 1 - i])
    })
}
#[smooth] fn two_in_a_loop(a: &[f64; n], k: usize) -> f64 {
    sum(k, |j| {
        let s = {
            let e = build(n, |i| (a[i] * j as f64).exp());
            sum(n, |i| e[i] * e[n - 1 - i])
        };
        let f = build([n, n], |i, l| (a[i] * s + a[l]).exp());
        s + sum(n, |i| f[i][n - 1 - i] * f[n - 1 - i][i])
    })
}
#[smooth] fn together(a: &[f64; n], c: &[f64; k]) -> f64 {
    let e = build(n, |i| a[i].exp());
    let f = build(k, |i| c[i].exp());
    sum(n, |i| e[i] * e[n - 1 - i]) + sum(k, |i| f[i] * f[k - 1 - i])
}
#[smooth] fn smaller(a: &[f64; n]) -> f64 {
    let e = build(n + 2, |i| (i as f64).exp());
    let s = sum(n + 2, |i| e[i] * e[n + 1 - i]);
    let f = build(n, |i| (a[i] * s).exp());
    sum(n, |i| f[i] * f[n - 1 - i])
}
";

/// The kernels with these storage passes alone, after all passes of F̃.
fn with(storage: &[&str]) -> Unit {
    let mut options = Options::default();
    for p in PASSES.iter().filter(|p| p.rung == 'B') {
        options.switches.set(p.name, storage.contains(&p.name));
    }
    unit(KERNELS, &options)
}

/// The numbers of blocks of a kernel that have bytes, and that are placed in other storage.
fn blocks(u: &Unit, name: &str) -> (usize, usize) {
    let (mut own, mut inside) = (0, 0);
    u.stages[name].stored.body.each(&mut |t| {
        if let Term::Alloc(Alloc { blocks, .. }) = t {
            inside += blocks.iter().filter(|b| matches!(b.placement, Placement::In(_))).count();
            own += blocks.iter().filter(|b| !matches!(b.placement, Placement::In(_) | Placement::Empty)).count();
        }
    });
    (own, inside)
}

fn allocs(u: &Unit, name: &str) -> usize {
    u.stages[name].stored.body.count(|t| matches!(t, Term::Alloc(_)))
}

fn count(u: &Unit, name: &str, p: impl Fn(&Term) -> bool) -> usize {
    u.stages[name].stored.body.count(p)
}

const BASE: [&str; 2] = ["elide_copy", "dead"];

#[test]
fn a_dead_array_gives_its_storage_to_the_next() {
    let (without, u) = (with(&BASE), with(&["elide_copy", "dead", "in_place"]));
    let cases = [
        // Built in the destination, and divided there; row by row in a loop.
        ("softmax", (1, 0), (0, 1)),
        ("softmax_of_rows", (1, 0), (0, 1)),
        // Copied to the destination, so built there; also under branches.
        ("both", (1, 0), (0, 1)),
        ("both_first", (1, 0), (0, 1)),
        ("chosen", (1, 0), (0, 1)),
        // Written over a temporary.
        ("dying", (2, 0), (1, 1)),
        // Not if the old array is read later, or at another index than is written.
        ("living", (2, 0), (2, 0)),
        ("mirrored", (1, 0), (1, 0)),
    ];
    for (name, before, after) in cases {
        assert_eq!((blocks(&without, name), blocks(&u, name)), (before, after), "{name}");
    }
    assert_eq!(count(&u, "softmax", |t| matches!(t, Term::Previous(_))), 1);
    assert_eq!(count(&u, "both", |t| matches!(t, Term::AlreadyThere(..))), 1);
    assert_eq!(count(&u, "both", |t| matches!(t, Term::Copy(_))), 0);
}

#[test]
fn a_fold_that_reads_only_what_it_overwrites_needs_one_buffer() {
    let (without, u) = (with(&BASE), with(&["elide_copy", "dead", "in_place"]));
    for (name, before, after) in [("halved", (1, 0), (0, 0)), ("normed", (1, 0), (0, 0)), ("smoothed", (1, 0), (1, 0))]
    {
        assert_eq!((blocks(&without, name), blocks(&u, name)), (before, after), "{name}");
    }
}

#[test]
fn a_chain_needs_two_buffers_one_of_them_the_destination() {
    let (without, u) = (with(&BASE), with(&["elide_copy", "dead", "reuse"]));
    assert_eq!((blocks(&without, "chain"), blocks(&u, "chain")), ((4, 0), (1, 3)));
    // A larger block serves for a smaller array.
    assert_eq!((blocks(&without, "smaller"), blocks(&u, "smaller")), ((2, 0), (1, 1)));
    // Both are read to the end.
    assert_eq!(blocks(&u, "living"), (2, 0));
    assert_eq!(blocks(&u, "together"), (2, 0));
    // The old state is read while the new one is written.
    assert_eq!(blocks(&u, "smoothed"), (1, 0));
}

#[test]
fn allocations_leave_loops_unless_they_share_bytes() {
    let inside = |u: &Unit, name: &str| {
        let mut n = 0;
        u.stages[name].stored.body.each(&mut |t| {
            if let Term::Reduce(Reduce { body, .. }) | Term::Build(Build { body, .. }) = t {
                n += body.count(|t| matches!(t, Term::Alloc(_)));
            }
        });
        n
    };
    let (without, u) = (with(&BASE), with(&["elide_copy", "dead", "hoist"]));
    assert_eq!((inside(&without, "in_a_loop"), inside(&u, "in_a_loop")), (1, 0));
    // `e` and `f` share their bytes in the loop. Outside, both would be live at the same time.
    assert!(inside(&u, "two_in_a_loop") >= 1);
    for name in ["in_a_loop", "two_in_a_loop", "chain", "smoothed"] {
        assert_eq!(u.stages[name].companion.frame, without.stages[name].companion.frame, "{name}: the peak");
    }
}

#[test]
fn allocations_that_follow_each_other_become_one() {
    let (without, u) = (with(&BASE), with(&["elide_copy", "dead", "merge"]));
    assert_eq!((allocs(&without, "together"), allocs(&u, "together")), (2, 1));
    assert_eq!((blocks(&without, "together"), blocks(&u, "together")), ((2, 0), (2, 0)));
    assert_eq!((allocs(&without, "chain"), allocs(&u, "chain")), (4, 1));
    for name in ["together", "chain", "two_in_a_loop"] {
        assert_eq!(u.stages[name].companion.frame, without.stages[name].companion.frame, "{name}: the peak");
    }
}

/// Every kernel means the same at every stage under every preset, and each rung of the ladder allocates at most as
/// often as the one before.
#[test]
fn every_preset_means_the_same() {
    let usize = |n: u64| Value::Scalar(Lit::usize(n));
    let (m, yes) = (Value::tensor(&[2, 3], &[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]), Value::Scalar(Lit::Bool(true)));
    for n in [0, 1, 4] {
        let a = Value::vector(&[0.3, -1.5, 2.0, 0.25][..n]);
        let calls: Vec<(&str, Vec<Value>)> = vec![
            ("softmax", vec![a.clone()]),
            ("softmax_of_rows", vec![m.clone()]),
            ("chain", vec![a.clone()]),
            ("dying", vec![a.clone()]),
            ("living", vec![a.clone()]),
            ("both", vec![a.clone()]),
            ("both_first", vec![a.clone()]),
            ("chosen", vec![a.clone(), yes.clone()]),
            ("chosen", vec![a.clone(), Value::Scalar(Lit::Bool(false))]),
            ("halved", vec![a.clone(), usize(3)]),
            ("normed", vec![a.clone(), usize(2)]),
            ("smoothed", vec![a.clone(), usize(3)]),
            ("in_a_loop", vec![a.clone(), usize(2)]),
            ("two_in_a_loop", vec![a.clone(), usize(2)]),
            ("together", vec![a.clone(), Value::vector(&[1.0, 2.0])]),
            ("smaller", vec![a.clone()]),
        ];
        let units: Vec<Unit> = smooth_core::pass::PRESETS
            .iter()
            .map(|p| unit(KERNELS, &Options { switches: Switches::preset(p).expect("a preset"), ..Options::default() }))
            .collect();
        for (name, args) in &calls {
            let values: Vec<Value> =
                units.iter().map(|u| run_everywhere(u, name, args).unwrap_or_else(|e| panic!("{name}: {e}"))).collect();
            assert!(values.iter().all(|v| *v == values[0]), "{name}");
            let run = |u: &Unit| dps::eval::run(&u.stages[*name].stored, args, &Others(u)).unwrap();
            assert_eq!(units[..3].iter().map(|u| run(u).peak).max(), Some(0), "{name}: no frame without a stack");
            let allocs: Vec<u64> = units.iter().map(|u| run(u).allocs).collect();
            assert!(allocs.is_sorted_by(|a, b| a >= b), "{name}: {allocs:?}");
        }
    }
}

const HEAD: &str = r#"
    kernel "k" [a_0 "a": array f64 [n_1], b_2 "b": array f64 [3], x_3 "x": f64, k_4 "k": usize] in
"#;

/// A program in which one array is a copy of `a`, or is built only to be copied.
fn lowered(body: &str) -> Program {
    let k = notation::kernel(HEAD, body);
    let n = k.interface.params[0].extent(0);
    let p = lower(normalise(k), &[vec![n]], &[]);
    dps::check::check(&p).unwrap();
    p
}

/// The number of blocks that are not placed in other storage.
fn own_blocks(p: &Program) -> usize {
    let mut n = 0;
    p.body.each(&mut |t| {
        if let Term::Alloc(Alloc { blocks, .. }) = t {
            n += blocks.iter().filter(|b| !matches!(b.placement, Placement::In(_))).count();
        }
    });
    n
}

fn copies(p: &Program) -> usize {
    p.body.count(|t| matches!(t, Term::Copy(_)))
}

#[test]
fn copies_become_names_or_destinations() {
    let mut p = lowered("(let y_5 = a_0 in (build n_1 (λ i_6. (y_5[i_6] + y_5[i_6]))))");
    assert_eq!((own_blocks(&p), copies(&p)), (1, 1), "D-VarVector copies");
    storage::optimise(&mut p, &mut Cx::unwatched(&Switches::all()));
    dps::check::check(&p).unwrap();
    assert_eq!((own_blocks(&p), copies(&p)), (0, 0));

    let mut p = lowered("(let y_5 = (build n_1 (λ i_6. (exp a_0[i_6]))) in y_5)");
    assert_eq!((own_blocks(&p), copies(&p)), (1, 1));
    storage::optimise(&mut p, &mut Cx::unwatched(&Switches::all()));
    dps::check::check(&p).unwrap();
    assert_eq!((own_blocks(&p), copies(&p)), (0, 0), "built in the destination");
}

#[test]
fn array_read_before_its_copy_is_built_in_the_destination() {
    let mut p = lowered(
        "(let y_5 = (build n_1 (λ i_6. (exp a_0[i_6]))) in
         (let s_7 = y_5[0] in
         (if (s_7 > x_3) then y_5 else a_0)))",
    );
    storage::optimise(&mut p, &mut Cx::unwatched(&Switches::all()));
    // It is read before the condition, so it can be built in the destination; the other branch overwrites it.
    assert_eq!((own_blocks(&p), copies(&p)), (0, 1));
}

#[test]
fn empty_storage_takes_no_bytes() {
    let mut p = lowered("(let y_5 = (build 0 (λ i_6. x_3)) in (build n_1 (λ i_7. (sum k_4 (λ j_8. y_5[j_8])))))");
    storage::optimise(&mut p, &mut Cx::unwatched(&Switches::all()));
    assert_eq!(
        p.body.count(|t| matches!(t, Term::Alloc(Alloc { blocks, .. }) if blocks[0].placement == Placement::Empty)),
        1
    );
}
