//! Random programs mean the same at every stage, whatever passes run, and use no more memory than announced.

mod common;
#[path = "common/random.rs"]
mod random;

use common::{Unit, function, plain, run_everywhere};
use random::{Gen, LIBRARY, Rng};
use smooth_core::options::Options;
use smooth_core::pass::PASSES;
use smooth_core::shape::card::Atom;
use smooth_core::shape::{Dim, ParamKind};
use smooth_core::value::Value;
use smooth_core::{dps, fsmooth};

/// Programs in `cargo test`; `SMOOTH_PROGRAMS` asks for more.
const PROGRAMS: u64 = 1_000;

fn numbers(rng: &mut Rng, n: usize) -> Vec<f64> {
    (0..n).map(|_| rng.below(400) as f64 / 100.0 - 2.0).collect()
}

fn args(rng: &mut Rng) -> Vec<Value> {
    let mut size = |most: usize| rng.below(most + 1);
    let (n, k, p) = (size(4), size(3), size(2));
    vec![
        Value::vector(&numbers(rng, n)),
        Value::vector(&numbers(rng, n)),
        Value::vector(&numbers(rng, k)),
        Value::vector(&numbers(rng, 3)),
        Value::tensor(&[n, k], &numbers(rng, n * k)),
        Value::tensor(&[k, 3], &numbers(rng, k * 3)),
        Value::Scalar(smooth_core::value::Lit::f64(rng.below(30) as f64 / 10.0)),
        Value::Scalar(smooth_core::value::Lit::usize(p as u64)),
    ]
}

/// The bytes that the companion announces for these arguments.
fn announced(unit: &Unit, args: &[Value]) -> i128 {
    let s = &unit.stages["f"];
    let k = &s.simplified;
    let lookup = |a: &Atom| -> i128 {
        for (p, v) in k.params.iter().zip(args) {
            match (&p.kind, a) {
                (ParamKind::Scalar(_), Atom::Var(x)) if *x == p.var => return v.usize() as i128,
                (ParamKind::Array(_, dims), Atom::Var(x)) => {
                    if let Some(axis) = dims.iter().position(|d| *d == Dim::Size(*x)) {
                        return v.array().dims[axis] as i128;
                    }
                }
                _ => {}
            }
        }
        panic!("an atom of no argument")
    };
    s.companion.frame.eval(&lookup).expect("no overflow")
}

fn check(seed: u64, library: &str) -> bool {
    let source = Gen::new(seed).kernel();
    let mut unit = plain(library);
    let text: proc_macro2::TokenStream = source.replace("#[smooth] ", "").parse().unwrap();
    let compiled =
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| function(text.clone(), &unit, &Options::default())));
    let stages = match compiled {
        Err(_) => panic!("seed {seed} makes the compiler panic:\n{source}"),
        Ok(Err(d)) => panic!("seed {seed} is rejected:\n{source}\n{}", smooth_core::diag::render::render(&d, &source)),
        Ok(Ok(stages)) => stages,
    };
    unit.stages.insert("f".into(), stages);
    let mut rng = Rng(seed.wrapping_mul(77) | 1);
    let mut fine = false;
    for _ in 0..3 {
        let args = args(&mut rng);
        let run = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| run_everywhere(&unit, "f", &args)));
        let Ok(run) = run else {
            let s = &unit.stages["f"];
            panic!(
                "seed {seed}\n{source}\n{args:?}\n{}\n{}",
                fsmooth::print::pretty(&s.simplified.body, &s.simplified.names),
                dps::print::program(&s.stored)
            );
        };
        let Ok(value) = run else { continue };
        fine = true;
        let peak = dps::eval::run(&unit.stages["f"].stored, &args, &common::Others(&unit)).unwrap().peak;
        assert!(i128::from(peak) <= announced(&unit, &args), "seed {seed}: more memory than announced\n{source}");
        if seed.is_multiple_of(5) {
            for pass in PASSES {
                let mut options = Options::default();
                options.switches.set(pass.name, false);
                let Ok(other) = function(text.clone(), &unit, &options) else {
                    panic!("seed {seed} is rejected without `{}`\n{source}", pass.name)
                };
                let run = dps::eval::run(&other.stored, &args, &common::Others(&unit));
                assert_eq!(
                    run.map(|r| common::visible(&r.value)),
                    Ok(common::visible(&value)),
                    "seed {seed} without `{}`\n{source}",
                    pass.name
                );
            }
        }
    }
    fine
}

#[test]
fn random_programs_keep_their_meaning() {
    let count = std::env::var("SMOOTH_PROGRAMS").ok().and_then(|n| n.parse().ok()).unwrap_or(PROGRAMS);
    let start = std::env::var("SMOOTH_SEED").ok().and_then(|n| n.parse().ok()).unwrap_or(1);
    let fine = (start..start + count).filter(|seed| check(*seed, LIBRARY)).count() as u64;
    assert!(
        fine * 4 > count * 3,
        "only {fine} of {count} programs ran to an end: the generator makes too many that panic"
    );
}
