//! One evaluation of a benchmark program on an instance of ADBench: value, time, scratch memory.
//!
//! ```text
//! cargo run --release --example workloads ba|gmm|lstm FILE
//! cargo run --release --example workloads hand-simple|hand-complicated FILE MODEL_FOLDER
//! ```
//!
//! Without arguments it runs each program on an instance in this repository. The value is the one that ADBench's tools
//! print: for bundle adjustment and hand tracking, the sum of the squares of all residuals. If a file cannot be read, it
//! prints an error with file and line and exits with code 2.

use smooth::Arena;
use smooth_workloads::hand::{Instance, Kind, Model};
use smooth_workloads::kernels::{ba, gmm, hand, lstm};
use smooth_workloads::{ReadError, ba as ba_data, data, gmm as gmm_data, lstm as lstm_data};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The time for which a program is run repeatedly; the fastest run is reported.
const PATIENCE: Duration = Duration::from_secs(1);

fn main() -> ExitCode {
    let args: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let program = args.first().map_or("all", |p| p.to_str().unwrap_or_default());
    let outcome = match (program, &args[args.len().min(1)..]) {
        ("ba", [file]) => bundle_adjustment(file),
        ("gmm", [file]) => gaussian_mixture(file),
        ("lstm", [file]) => long_short_term_memory(file),
        ("hand-simple", [file, model]) => hand_tracking(file, model, Kind::Simple),
        ("hand-complicated", [file, model]) => hand_tracking(file, model, Kind::Complicated),
        ("all", []) => all(),
        _ => {
            eprintln!("usage: workloads [ba|gmm|lstm FILE]");
            eprintln!("       workloads [hand-simple|hand-complicated FILE MODEL_FOLDER]");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::from(2)
        }
    }
}

fn all() -> Result<(), ReadError> {
    let model = data("hand/model_small");
    bundle_adjustment(&data("ba/ba1_n49_m7776_p31843.txt"))?;
    gaussian_mixture(&data("gmm/1k/gmm_d10_K25.txt"))?;
    hand_tracking(&data("hand/simple_small/hand5_t26_c800.txt"), &model, Kind::Simple)?;
    hand_tracking(&data("hand/complicated_small/hand5_t26_c800.txt"), &model, Kind::Complicated)?;
    long_short_term_memory(&data("lstm/lstm_l2_c1024.txt"))
}

fn bundle_adjustment(file: &Path) -> Result<(), ReadError> {
    let p = ba_data::Problem::read(file)?;
    let sizes = [p.cameras.len(), p.points.len(), p.observations.len()];
    println!("{}: {} cameras, {} points, {} observations", file.display(), sizes[0], sizes[1], sizes[2]);
    let (mut errors, mut weight_errors) = (vec![[0.0; 2]; sizes[2]], vec![0.0; sizes[2]]);
    time(ba::ba_objective::scratch([sizes[0], 11], [sizes[1], 3], [sizes[2], 2], [sizes[2]], [sizes[2], 2]), |arena| {
        let (cameras, observed) = (&p.cameras, &p.observations);
        ba::ba_objective::into(
            &mut errors,
            &mut weight_errors,
            cameras,
            &p.points,
            observed,
            &p.weights,
            &p.features,
            arena,
        );
    });
    println!("  reprojection errors {:.15e}", squares(errors.as_flattened()));
    println!("  weight errors       {:.15e}", squares(&weight_errors));
    Ok(())
}

fn gaussian_mixture(file: &Path) -> Result<(), ReadError> {
    let p = gmm_data::Problem::read(file)?;
    let ([d, k, n], log_gamma) = (p.sizes(), p.log_gamma());
    println!("{}: {d} dimensions, {k} components, {n} points", file.display());
    let scratch = gmm::gmm_adbench::scratch([k], [k, d], [k, d * (d + 1) / 2], [n, d], p.m);
    let value = time(scratch, |arena| {
        gmm::gmm_adbench::into(&p.alphas, &p.means, &p.icf, &p.points, p.gamma, p.m, log_gamma, arena)
    });
    let gradbench = gmm::gmm_gradbench(&p.alphas, &p.means, &p.icf, &p.points, p.gamma, p.m, log_gamma);
    println!("  ADBench   {value:.15e}");
    println!("  GradBench {gradbench:.15e}");
    println!("  reduced   {:.15e}", gmm::gmm_reduced(&p.alphas, &p.means, &p.icf, &p.points));
    Ok(())
}

fn hand_tracking(file: &Path, folder: &Path, kind: Kind) -> Result<(), ReadError> {
    let m = Model::read(folder)?;
    let x = Instance::read(file, kind, &m)?;
    println!("{}: {} vertices, {} points, {kind:?}", file.display(), m.vertices.len(), x.points.len());
    let mut errors = vec![[0.0; 3]; x.points.len()];
    let [bones, vertices, points] = [m.parents.len(), m.vertices.len(), x.points.len()];
    let (transforms, at, weights) = ([bones, 4, 4], [vertices, 4], [bones, vertices]);
    match kind {
        Kind::Simple => {
            let scratch =
                hand::hand_simple::scratch([26], transforms, transforms, [bones], at, weights, [points], [points, 3]);
            time(scratch, |arena| {
                hand::hand_simple::into(&mut errors, &x.theta, m.parts(), &x.corresponding, &x.points, arena);
            });
        }
        Kind::Complicated => {
            let scratch = hand::hand_complicated::scratch(
                [26],
                [points, 2],
                transforms,
                transforms,
                [bones],
                at,
                weights,
                [m.triangles.len(), 3],
                [points],
                [points, 3],
            );
            time(scratch, |arena| {
                let (triangles, corresponding) = (&m.triangles, &x.corresponding);
                hand::hand_complicated::into(
                    &mut errors,
                    &x.theta,
                    &x.us,
                    m.parts(),
                    triangles,
                    corresponding,
                    &x.points,
                    arena,
                );
            });
        }
    }
    println!("  errors {:.15e}, the first {:.15e}", squares(errors.as_flattened()), errors[0][0]);
    Ok(())
}

fn long_short_term_memory(file: &Path) -> Result<(), ReadError> {
    let p = lstm_data::Problem::read(file)?;
    let [l, c, b] = p.sizes();
    println!("{}: {l} layers, {c} characters of {b} bits", file.display());
    let scratch = lstm::lstm_loss::scratch([l, 2, 4, b], [3, b], [l, 2, b], [c, b]);
    let loss = time(scratch, |arena| lstm::lstm_loss::into(&p.main, &p.extra, &p.state, &p.text, arena));
    println!("  loss {loss:.15e}");
    Ok(())
}

fn squares(errors: &[f64]) -> f64 {
    // In chunks, since adding half a million terms one by one would lose digits.
    errors.chunks(512).map(|piece| piece.iter().map(|e| e * e).sum::<f64>()).sum()
}

/// Runs a program for [`PATIENCE`], prints the fastest time and the memory, and returns the last result.
fn time<T>(scratch: usize, mut run: impl FnMut(&mut Arena<'_>) -> T) -> T {
    let mut arena = Arena::new();
    let (start, mut fastest) = (Instant::now(), Duration::MAX);
    loop {
        let before = Instant::now();
        let result = run(&mut arena);
        fastest = fastest.min(before.elapsed());
        if start.elapsed() > PATIENCE {
            println!("  time per evaluation {fastest:?}");
            println!("  scratch {scratch} bytes ({} taken from the arena)", arena.high_water());
            return result;
        }
    }
}
