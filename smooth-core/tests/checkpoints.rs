//! The work of derivatives that remember a few states of a loop, counted: no step runs more than `r` more times, where
//! `steps ≤ C(c + r, c)`; with a state every few steps each runs once more.

mod common;

use common::{Others, function, plain};
use proc_macro2::Span;
use smooth_core::fsmooth::Kernel;
use smooth_core::fsmooth::eval::{Arg, run_counted};
use smooth_core::options::{Derivative, Mode, Options, Tape};
use smooth_core::ty::Scalar;
use smooth_core::value::{Array, Lit, Value};

/// A kernel whose steps are dear beside what keeps the account of them.
const FLOW: &str = "fn flow(x: &[f64; n], steps: usize) -> [f64; n] {
    let mut y = x.clone();
    for t in 0..steps {
        y = build(n, |i| y[i] + (y[(i + 1) % n] * y[i] + t as f64).sin() * 0.01);
    }
    y
}";

const LENGTH: usize = 300;

/// The kernel, and its derivative with a tape.
fn flow(tape: Option<Tape>) -> (Kernel, Kernel) {
    let at = Span::call_site();
    let derivatives = vec![Derivative { mode: Mode::Vjp, of: None, direction: None, at: (at, at) }];
    let options = Options { derivatives, tape, ..Options::default() };
    let stages = function(FLOW.parse().expect("tokens"), &plain(""), &options).expect("a kernel");
    (stages.simplified.clone(), stages.derivatives[0].stages.simplified.clone())
}

/// The work of a kernel, and its value.
fn work(k: &Kernel, steps: usize) -> (Value, u64) {
    let unit = plain("");
    let numbers = |from: usize| {
        let data = (0..LENGTH).map(|i| Lit::float(((from + i * 7) % 10) as f64 / 10.0, Scalar::F64)).collect();
        Value::Array(Array { elem: Scalar::F64, dims: vec![LENGTH], data })
    };
    let mut args = vec![numbers(0), Value::Scalar(Lit::usize(steps as u64)), numbers(3)];
    args.truncate(k.interface.params.len());
    let args: Vec<Arg<'_>> = args.into_iter().map(Arg::from).collect();
    run_counted(k, &args, &Others(&unit)).expect("it runs")
}

/// `C(c + r, c)`.
fn most(c: usize, r: usize) -> usize {
    (1..=c).fold(1, |b, k| b * (r + k) / k)
}

#[test]
fn no_step_runs_more_often_than_it_should() {
    let (kernel, all) = flow(None);
    let step = (work(&kernel, 2).1 - work(&kernel, 1).1) as f64;
    for c in [1, 2, 3, 5] {
        let (_, few) = flow(Some(Tape::Checkpoints(c as u64)));
        for steps in [0, 1, 2, 3, 4, 6, 10, 11, 20, 35, 60] {
            let ((value, own), (other, more)) = (work(&all, steps), work(&few, steps));
            assert_eq!(value, other, "{c} {steps}");
            // The least number of runs that is enough for all steps.
            let r = (0..).find(|r| most(c, *r) >= steps).expect("a number");
            let runs = (more as f64 - own as f64) / step;
            assert!(runs <= 1.1 * (r * steps) as f64 + 2.0, "{c} places, {steps} steps: {runs} runs");
            // Most steps run as often: the best that there is has as many runs as this, but for those of the last steps.
            let best: usize = (0..r).map(|r| steps - most(c, r).min(steps)).sum();
            assert!(runs >= 0.9 * best as f64 - 2.0, "{c} places, {steps} steps: {runs} runs, and at least {best}");
        }
    }
}

#[test]
fn steps_in_blocks_run_once_more() {
    let (kernel, all) = flow(None);
    let step = (work(&kernel, 2).1 - work(&kernel, 1).1) as f64;
    for m in [1, 2, 4, 7] {
        let (_, every) = flow(Some(Tape::Every(m as u64)));
        for steps in [0, 1, 2, 7, 8, 30] {
            let ((value, own), (other, more)) = (work(&all, steps), work(&every, steps));
            assert_eq!(value, other, "{m} {steps}");
            let runs = (more as f64 - own as f64) / step;
            let again = (steps - steps.div_ceil(m)) as f64;
            assert!(
                runs <= 1.2 * again + 0.1 * steps as f64 + 2.0,
                "every {m}, {steps} steps: {runs} runs, and not {again}"
            );
        }
    }
}
