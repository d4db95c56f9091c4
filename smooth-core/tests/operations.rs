//! The objective of a Gaussian mixture does the operations of its formula and no more: counts at every stage, to the
//! last one.

mod common;

use common::{Unit, library, plain};
use smooth_core::dps;
use smooth_core::fsmooth::eval::{self, Arg, World};
use smooth_core::fsmooth::{Callee, Const, Kernel};
use smooth_core::prim::Prim;
use smooth_core::value::{Lit, Value};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::f64::consts::{LN_2, PI};

/// The number of operations on floats.
type Counts = BTreeMap<Prim, u64>;

/// A world that counts operations.
#[derive(Default)]
struct Counting(RefCell<Counts>);

impl World for Counting {
    fn call(&self, callee: &Callee, _: &[Value]) -> Result<Value, String> {
        Err(format!("{} is called: its operations are not counted", callee.name))
    }
    fn constant(&self, c: &Const) -> Lit {
        match c.name.as_str() {
            "PI" => Lit::f64(PI),
            "LN_2" => Lit::f64(LN_2),
            other => panic!("no constant {other}"),
        }
    }
    fn operation(&self, p: Prim, args: &[Lit]) {
        if matches!(args[0], Lit::Float(..)) {
            *self.0.borrow_mut().entry(p).or_default() += 1;
        }
    }
}

/// The counts at each stage. The values must be the same.
fn count(unit: &Unit, name: &str, args: &[Value]) -> Vec<(&'static str, Counts)> {
    let s = &unit.stages[name];
    let (mut all, mut values) = (vec![], vec![]);
    let mut add = |stage, run: &dyn Fn(&dyn World) -> Result<Value, String>| {
        let world = Counting::default();
        values.push(run(&world).unwrap_or_else(|e| panic!("{name}, {stage}: {e}")));
        all.push((stage, world.0.into_inner()));
    };
    let wrapped: Vec<Arg<'_>> = args.iter().cloned().map(Arg::from).collect();
    let run = |k: &Kernel, world: &dyn World| eval::run(k, &wrapped, world);
    add("linked", &|world| run(&s.linked, world));
    add("simplified", &|world| run(&s.simplified, world));
    add("shared", &|world| run(&s.shared, world));
    add("lowered", &|world| dps::eval::run(&s.lowered, args, world).map(|r| r.value));
    add("stored", &|world| dps::eval::run(&s.stored, args, world).map(|r| r.value));
    assert!(values.windows(2).all(|w| w[0] == w[1]), "{name}: {values:?}");
    all
}

fn gmm() -> Unit {
    let kernels = include_str!("../../workloads/src/kernels/gmm.rs");
    let kernels: Vec<&str> = kernels.lines().filter(|l| !l.starts_with("//!") && !l.starts_with("use ")).collect();
    library(&kernels.join("\n"))
}

fn tensor(extents: &[usize], seed: f64) -> Value {
    let numbers: Vec<f64> = (0..extents.iter().product()).map(|i: usize| (seed + i as f64).sin()).collect();
    Value::tensor(extents, &numbers)
}

/// The arguments for `d` dimensions, `k` components and `n` points; the first four are those of every objective.
fn arguments([d, k, n]: [usize; 3]) -> Vec<Value> {
    vec![
        tensor(&[k], 0.1),
        tensor(&[k, d], 0.2),
        tensor(&[k, d * (d + 1) / 2], 0.3),
        tensor(&[n, d], 0.4),
        Value::Scalar(Lit::f64(1.5)),
        Value::Scalar(Lit::usize(2)),
        Value::Scalar(Lit::f64(0.7)),
    ]
}

#[test]
fn exponentials_and_triangular_products() {
    let unit = gmm();
    for (name, taken) in [("gmm_adbench", 7), ("gmm_gradbench", 7), ("gmm_reduced", 4)] {
        for [d, k] in [[1, 1], [2, 5], [3, 2], [7, 4], [19, 2]] {
            let at = |n: usize| count(&unit, name, &arguments([d, k, n])[..taken]);
            let none = at(0);
            for n in [1, 2, 5] {
                for ((stage, counts), (_, before)) in at(n).iter().zip(&none) {
                    let what = format!("{name}, {stage}, d = {d}, k = {k}, n = {n}");
                    let [d, k, n] = [d, k, n].map(|x| x as u64);
                    let of = |counts: &Counts, p| counts.get(&p).copied().unwrap_or(0);
                    // One for each q, and one for each term of a logsumexp: that of each point, and that of alphas.
                    assert_eq!(of(counts, Prim::Exp), k * d + n * k + k, "{what}: exponentials");
                    // A product multiplies once for each element of the triangle with its diagonal; then come the
                    // squares of its elements, and one half of their sum.
                    let product = d * (d + 1) / 2;
                    let more = of(counts, Prim::Mul) - of(before, Prim::Mul);
                    assert_eq!(more, n * k * (product + d + 1), "{what}: multiplications for {n} points");
                }
            }
            // Without points the prior remains: squares of the triangle with its diagonal, and a few scalars.
            for (stage, counts) in &none {
                let (d, k) = (d as u64, k as u64);
                let most = k * (d * (d + 1) / 2 + 4) + 8;
                assert!(counts[&Prim::Mul] <= most, "{name}, {stage}, d = {d}, k = {k}: {counts:?}");
            }
        }
    }
}

/// The counts include a second exponential of the same number.
#[test]
fn repeated_work_is_counted_twice() {
    let unit = plain(
        "#[smooth] fn once(q: &[f64; n]) -> f64 { let e = build(n, |i| q[i].exp()); sum(n, |i| e[i]) * e[0] }
         #[smooth] fn twice(q: &[f64; n]) -> f64 { sum(n, |i| q[i].exp()) * sum(n, |i| 1.0 + q[n - 1 - i].exp()) }",
    );
    let exps = |name| count(&unit, name, &[tensor(&[9], 0.0)]).pop().unwrap().1[&Prim::Exp];
    assert_eq!((exps("once"), exps("twice")), (9, 18));
}
