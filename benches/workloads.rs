//! Whole programs, with smooth and as plain loops. `cargo bench --bench workloads`; results in `benches/README.md`.
//!
//! Before criterion times each, the two run alternately for two seconds, and the ratio of their fastest runs is
//! printed: on a machine with other work this is the reliable number.

mod timing;

use criterion::{Criterion, criterion_group, criterion_main};
use smooth::Arena;
use smooth_workloads::hand::{Instance, Kind, Model};
use smooth_workloads::kernels::{ba, gmm, hand, lstm};
use smooth_workloads::{ba as ba_data, by_hand, data, gmm as gmm_data, lstm as lstm_data};
use std::hint::black_box as bb;
use std::time::Duration;
use timing::{fastest, text, timed, wanted};

/// Times two implementations of the same function: alternately, then each by criterion.
fn versus(c: &mut Criterion, name: &str, mut smooth: impl FnMut() -> f64, mut plain: impl FnMut() -> f64) {
    if !wanted(name) {
        return;
    }
    let (got, want) = (smooth(), plain());
    assert!((got - want).abs() <= 1e-11 * want.abs(), "{name}: {got} and {want}; it will not be timed");
    let run = |f: &mut dyn FnMut() -> f64| {
        bb(f());
    };
    let times = fastest(&mut [timed(|| run(&mut smooth)), timed(|| run(&mut plain))], Duration::from_secs(2));
    let ratio = times[0] / times[1];
    println!("{name}: fastest {} with smooth, {} by hand: {ratio:.2}", text(times[0]), text(times[1]));
    let mut group = c.benchmark_group(name);
    group.sample_size(10).warm_up_time(Duration::from_millis(200)).measurement_time(Duration::from_secs(1));
    group.bench_function("smooth", |b| b.iter(&mut smooth));
    group.bench_function("by_hand", |b| b.iter(&mut plain));
}

fn bundle_adjustment(c: &mut Criterion) {
    let p = ba_data::Problem::read(&data("ba/ba1_n49_m7776_p31843.txt")).unwrap();
    let count = p.observations.len();
    let (mut errors, mut weight_errors, mut arena) = (vec![[0.0; 2]; count], vec![0.0; count], Arena::new());
    let (mut hand_errors, mut hand_weight_errors) = (errors.clone(), weight_errors.clone());
    versus(
        c,
        "ba1",
        || {
            ba::ba_objective::into(
                &mut errors,
                &mut weight_errors,
                bb(&p.cameras),
                &p.points,
                &p.observations,
                &p.weights,
                &p.features,
                &mut arena,
            );
            errors[0][0] + weight_errors[0]
        },
        || {
            by_hand::ba_objective_into(&mut hand_errors, &mut hand_weight_errors, bb(&p));
            hand_errors[0][0] + hand_weight_errors[0]
        },
    );
}

fn gaussian_mixture(c: &mut Criterion) {
    for file in ["gmm_d2_K5", "gmm_d10_K25", "gmm_d32_K50"] {
        let p = gmm_data::Problem::read(&data(&format!("gmm/1k/{file}.txt"))).unwrap();
        let (log_gamma, mut arena) = (p.log_gamma(), Arena::new());
        versus(
            c,
            file,
            || gmm::gmm_adbench::into(bb(&p.alphas), &p.means, &p.icf, &p.points, p.gamma, p.m, log_gamma, &mut arena),
            || by_hand::gmm::adbench(bb(&p), log_gamma),
        );
        let mut arena = Arena::new();
        versus(
            c,
            &format!("{file} reduced"),
            || gmm::gmm_reduced::into(bb(&p.alphas), &p.means, &p.icf, &p.points, &mut arena),
            || by_hand::gmm::reduced(bb(&p)),
        );
    }
}

fn hand_tracking(c: &mut Criterion) {
    let m = Model::read(&data("hand/model_small")).unwrap();
    let file = data("hand/simple_small/hand1_t26_c100.txt");
    let x = Instance::read(&file, Kind::Simple, &m).unwrap();
    let (mut errors, mut arena) = (vec![[0.0; 3]; x.points.len()], Arena::new());
    versus(
        c,
        "hand simple_small hand1",
        || {
            hand::hand_simple::into(&mut errors, bb(&x.theta), m.parts(), &x.corresponding, &x.points, &mut arena);
            errors[0][0]
        },
        || by_hand::hand::simple(&m, bb(&x))[0][0],
    );
    let file = data("hand/complicated_small/hand5_t26_c800.txt");
    let x = Instance::read(&file, Kind::Complicated, &m).unwrap();
    let (mut errors, mut arena) = (vec![[0.0; 3]; x.points.len()], Arena::new());
    versus(
        c,
        "hand complicated_small hand5",
        || {
            hand::hand_complicated::into(
                &mut errors,
                bb(&x.theta),
                &x.us,
                m.parts(),
                &m.triangles,
                &x.corresponding,
                &x.points,
                &mut arena,
            );
            errors[0][0]
        },
        || by_hand::hand::complicated(&m, bb(&x))[0][0],
    );
}

fn long_short_term_memory(c: &mut Criterion) {
    let p = lstm_data::Problem::read(&data("lstm/lstm_l2_c1024.txt")).unwrap();
    let mut arena = Arena::new();
    versus(
        c,
        "lstm_l2_c1024",
        || lstm::lstm_loss::into(bb(&p.main), &p.extra, &p.state, &p.text, &mut arena),
        || by_hand::lstm::loss(bb(&p)),
    );
}

criterion_group!(workloads, bundle_adjustment, gaussian_mixture, hand_tracking, long_short_term_memory);
criterion_main!(workloads);
