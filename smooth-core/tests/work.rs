//! No pass adds work: the operations that the interpreter counts, before and after each phase.

mod common;
#[path = "common/net.rs"]
mod net;
#[path = "common/random.rs"]
mod random;

use common::{Others, Unit, function, library_source, plain, unit};
use random::{Gen, Rng};
use smooth_core::dps;
use smooth_core::fsmooth::eval::{Arg, run_counted};
use smooth_core::fsmooth::{Kernel, Order};
use smooth_core::options::Options;
use smooth_core::shape::ParamKind;
use smooth_core::ty::{Scalar, Type};
use smooth_core::value::{Array, Lit, Value};

/// After the passes a random program does at most `TIMES` its work as written, plus `MORE`: an element of cost 8 may
/// be computed again where it was stored and loaded before (an iteration, a store, a load: 3), and a condition guards
/// terms that leave a loop.
const TIMES: u64 = 3;
const MORE: u64 = 64;

fn work(k: &Kernel, args: &[Value], unit: &Unit) -> Result<u64, String> {
    let args: Vec<Arg<'_>> = args.iter().cloned().map(Arg::from).collect();
    run_counted(k, &args, &Others(unit)).map(|(_, work)| work)
}

/// The work of a kernel as linked, simplified and shared.
fn phases(unit: &Unit, name: &str, args: &[Value]) -> Result<[u64; 3], String> {
    let s = &unit.stages[name];
    Ok([work(&s.linked, args, unit)?, work(&s.simplified, args, unit)?, work(&s.shared, args, unit)?])
}

/// Arguments in which every size is `n`, or `None` for kernels that take functions.
fn arguments(k: &Kernel, n: usize, rng: &mut Rng) -> Option<Vec<Value>> {
    let mut number = || rng.below(1000) as f64 / 250.0 + 0.5;
    k.interface
        .params
        .iter()
        .map(|p| match &p.kind {
            ParamKind::Scalar(Scalar::F64) => Some(Value::Scalar(Lit::f64(number()))),
            ParamKind::Scalar(Scalar::Usize) => Some(Value::Scalar(Lit::usize(n as u64))),
            ParamKind::Scalar(Scalar::Bool) => Some(Value::Scalar(Lit::Bool(true))),
            ParamKind::Scalar(s) => Some(Value::Scalar(Lit::zero(*s))),
            ParamKind::Array(elem, dims) => {
                let extents =
                    dims.iter().map(|d| if let smooth_core::shape::Dim::Lit(m) = d { *m as usize } else { n });
                let extents: Vec<usize> = extents.collect();
                let mut element = |k: usize| match elem {
                    Scalar::Bool => Lit::Bool(k.is_multiple_of(2)),
                    s if s.is_float() => Lit::float(number(), *s),
                    s => Lit::Int((k * 5 % 7) as i128, *s),
                };
                let data = (0..extents.iter().product()).map(&mut element).collect();
                Some(Value::Array(Array { elem: *elem, dims: extents, data }))
            }
            _ => None,
        })
        .collect()
}

#[test]
fn the_library_does_no_extra_work() {
    let project = include_str!("../../workloads/src/project.rs");
    let project: Vec<&str> = project
        .lines()
        .filter(|l| !l.starts_with("//!") && !l.starts_with("use ") && !l.starts_with("pub use "))
        .collect();
    let source = library_source() + &project.join("\n");
    let mut counted = 0;
    for order in [Order::Lanes, Order::Source] {
        let u = unit(&source, &Options { order, ..Options::default() });
        for (name, s) in &u.stages {
            for n in [1, 2, 7, 40] {
                let mut rng = Rng(n as u64);
                let Some(args) = arguments(&s.linked, n, &mut rng) else { continue };
                let Ok([said, simplified, shared]) = phases(&u, name, &args) else { continue };
                assert!(simplified <= said, "{name} at {n}: {simplified} operations instead of {said}");
                assert!(shared <= simplified, "{name} at {n}: {shared} operations shared, {simplified} before");
                counted += 1;
            }
        }
    }
    assert!(counted > 100, "only {counted} runs: this test looks at the wrong place");
}

#[test]
fn random_programs_do_little_extra_work() {
    let count: u64 = std::env::var("SMOOTH_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(500);
    let (mut fine, mut sums, mut u) = (0, [0; 3], net::Net::new().library);
    for seed in 1..=count {
        let source = Gen::new(seed).program("f").source;
        let Ok(stages) = function(source.parse().unwrap(), &u, &Options::default()) else {
            panic!("seed {seed} is rejected:\n{source}")
        };
        u.stages.insert("f".into(), stages);
        for (n, given) in net::inputs(&mut Rng::new(seed)).iter().enumerate() {
            let args = net::arguments(&u.stages["f"].linked.interface.params, given);
            let Ok(all @ [said, simplified, shared]) = phases(&u, "f", &args) else { continue };
            for (what, work) in [("simplified", simplified), ("shared", shared)] {
                assert!(
                    work <= TIMES * said + MORE,
                    "seed {seed}, input {n}: {work} operations {what}, {said} as written\n{source}"
                );
            }
            sums.iter_mut().zip(all).for_each(|(s, w)| *s += w);
            fine += 1;
        }
    }
    assert!(fine > count, "only {fine} runs");
    println!("{fine} runs: {} operations as written, {} simplified, {} shared", sums[0], sums[1], sums[2]);
}

/// Kernels with the power of `n` in which their work grows.
const GROWING: &[(&str, u32, &str)] = &[
    (
        "chain",
        1,
        "fn chain(a: &[f64; n]) -> f64 {
        let b = build(n, |i| a[i] + a[(i + 1) % n] + a[(i + 2) % n]);
        let c = build(n, |i| b[i] + b[(i + 1) % n] + b[(i + 2) % n]);
        let d = build(n, |i| c[i] + c[(i + 1) % n] + c[(i + 2) % n]);
        let e = build(n, |i| d[i] + d[(i + 1) % n] + d[(i + 2) % n]);
        sum(n, |i| e[i] * e[(i + 1) % n])
    }",
    ),
    (
        "gather",
        2,
        "fn gather(a: &[f64; n], k: usize) -> [f64; n] {
        let e = build(n, |i| sum(n, |j| (a[i] * a[j]).exp()));
        build(n, |i| e[(i * k) % n] + e[(i + 1) % n])
    }",
    ),
    (
        "softmax",
        1,
        "fn softmax(a: &[f64; n]) -> [f64; n] {
        let most = ifold(n, 0.0, |m: f64, i| m.max(a[i]));
        let e = build(n, |i| (a[i] - most).exp());
        let total = sum(n, |i| e[i]);
        build(n, |i| e[i] / total)
    }",
    ),
    (
        "rows",
        2,
        "fn rows(m: &[[f64; n]; n]) -> [[f64; n]; n] {
        build(n, |r| {
            let e = build(n, |i| m[r][i].exp());
            let total = sum(n, |i| e[i]);
            build(n, |i| e[i] / total)
        })
    }",
    ),
    (
        "product",
        3,
        "fn product(a: &[[f64; n]; n], b: &[[f64; n]; n]) -> [[f64; n]; n] {
        build(n, |i| build(n, |j| sum(n, |k| a[i][k] * b[k][j])))
    }",
    ),
    (
        "two_products",
        3,
        "fn two_products(a: &[[f64; n]; n], b: &[[f64; n]; n]) -> [[f64; n]; n] {
        let c = build(n, |i| build(n, |j| sum(n, |k| a[i][k] * b[k][j])));
        build(n, |i| build(n, |j| sum(n, |k| c[i][k] * a[k][j])))
    }",
    ),
    (
        "columns_of_rows",
        2,
        "fn columns_of_rows(a: &[f64; n]) -> [f64; n] {
        let rows = build(n, |i| {
            let s = sum(n, |k| (a[i] * a[k]).exp());
            build(n, |j| s * a[j])
        });
        build(n, |j| sum(n, |i| rows[i][j]))
    }",
    ),
    (
        "rows_that_share_an_array",
        2,
        "fn rows_that_share_an_array(a: &[f64; n]) -> [f64; n] {
        let rows = build(n, |i| {
            let e = build(n, |k| (a[i] * a[k]).exp());
            build(n, |j| e[j] + e[n - 1 - j])
        });
        build(n, |j| sum(n, |i| rows[i][j]))
    }",
    ),
    (
        "rows_that_are_folds",
        3,
        "fn rows_that_are_folds(a: &[f64; n], k: usize) -> [f64; n] {
        let rows = build(n, |i| ifold(k, a, |s, _| build(n, |j| s[j] * a[i])));
        build(n, |j| sum(n, |i| rows[i][j]))
    }",
    ),
    (
        "parts_of_rows",
        2,
        "fn parts_of_rows(a: &[f64; n]) -> f64 {
        let rows = build(n, |i| {
            let s = sum(n, |k| (a[i] * a[k]).exp());
            build(n, |j| s * a[j])
        });
        sum(n, |i| { let half = &rows[i][..n / 2]; sum(n / 2, |j| half[j]) })
    }",
    ),
    (
        "chosen",
        1,
        "fn chosen(a: &[f64; n], b: &[f64; n]) -> [f64; n] {
        build(n, |i| {
            let x = if a[i] > b[i] { a } else { b };
            let (y, z) = if a[0] > b[i] { (x, b) } else { (b, a) };
            x[i] + y[i] * z[n - 1 - i]
        })
    }",
    ),
    (
        "chosen_rows",
        2,
        "fn chosen_rows(a: &[f64; n]) -> [f64; n] {
        let rows = build(n, |i| if i % 2 == 0 { build(n, |j| (a[i] * a[j]).exp()) } else { [0.0; n] });
        build(n, |j| sum(n, |i| rows[i][j]))
    }",
    ),
    (
        "literal_of_rows",
        2,
        "fn literal_of_rows(a: &[f64; n], b: &[f64; n]) -> [f64; n] {
        build(n, |i| {
            let rows = [a.clone(), b.clone()];
            rows[i % 2][i]
        })
    }",
    ),
    (
        "outside",
        2,
        "fn outside(m: &[[f64; n]; n], a: &[f64; n]) -> [f64; n] {
        build(n, |r| {
            let e = build(n, |i| a[i].exp());
            sum(n, |i| e[i] * m[r][i])
        })
    }",
    ),
];

#[test]
fn no_phase_changes_the_order_of_growth() {
    for (name, power, source) in GROWING {
        let u = plain(&format!("#[smooth] {source}"));
        let at = |n: usize| {
            let args = arguments(&u.stages[*name].linked, n, &mut Rng(9)).unwrap();
            phases(&u, name, &args).unwrap_or_else(|e| panic!("{name}: {e}"))
        };
        // A copy is not an operation, but it is work.
        let written = |n: usize| {
            let args = arguments(&u.stages[*name].linked, n, &mut Rng(9)).unwrap();
            dps::eval::run(&u.stages[*name].stored, &args, &Others(&u))
                .unwrap_or_else(|e| panic!("{name}: {e}"))
                .written
        };
        let sizes = [12, 24, 48].map(|n| {
            let [said, simplified, shared] = at(n);
            [said, simplified, shared, written(n)]
        });
        for phase in 0..4 {
            for k in 0..2 {
                let (less, more) = (sizes[k][phase], sizes[k + 1][phase]);
                let most = less * 2u64.pow(*power) * 11 / 10;
                assert!(
                    more <= most,
                    "{name}, phase {phase}: {less} grow to {more}, at most {most} in order n^{power}"
                );
            }
            assert!(sizes[2][phase] <= sizes[2][0] * TIMES, "{name}: {:?}", sizes[2]);
        }
    }
}

/// Sharing reduces the number of operations by at least 30 %.
#[test]
fn sharing_saves_operations() {
    let u = plain(
        "#[smooth] fn twice(a: &[f64; n]) -> f64 { sum(n, |i| a[i].exp()) / (1.0 + sum(n, |i| a[i].exp())) }
         #[smooth] fn fixed(a: &[f64; n], s: f64) -> [f64; n] { build(n, |i| a[i] * s.exp()) }
         #[smooth] fn moments(a: &[f64; n]) -> (f64, f64) { (sum(n, |i| a[i].exp()), sum(n, |i| a[i] * a[i].exp())) }",
    );
    for name in ["twice", "fixed", "moments"] {
        let args = arguments(&u.stages[name].linked, 100, &mut Rng(9)).unwrap();
        let [said, _, shared] = phases(&u, name, &args).unwrap();
        assert!(shared * 10 < said * 7, "{name}: {shared} operations of {said}");
        assert_eq!(u.stages[name].shared.body.ty(), u.stages[name].simplified.body.ty());
    }
    assert!(matches!(u.stages["moments"].shared.body.ty(), Type::Tuple(_)));
}
