//! Projects every observation of a bundle adjustment problem with the kernels of Fig. 13.
//!
//! ```text
//! cargo run --release --example bundle_adjustment [FILE]
//! ```
//!
//! Without a file, the problem is a scene that the example makes: 49 cameras around 7776 points, each point seen by four
//! cameras, with half a pixel of noise. So the errors at the solution are that noise; those of a displaced solution are
//! what an adjustment starts with. A file has ADBench's format, which replicates one camera, one point and one observation.
//!
//! Prints the size of the problem, statistics of the reprojection errors, the time per projection and the scratch memory. If a
//! file cannot be read, it prints an error with file and line and exits with code 2.

use smooth::prelude::*;
use smooth_workloads::ba::Problem;
use smooth_workloads::project::project;
use smooth_workloads::scene::{displaced, scene};
use smooth_workloads::stats::Residuals;
use std::f64::consts::{FRAC_PI_2, LN_2};
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The number of sweeps over all observations; the fastest is reported.
const SWEEPS: usize = 10;

/// The noise of a coordinate of a feature, in pixels.
const SIGMA: f64 = 0.5;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    let file = args.next();
    if args.next().is_some() {
        eprintln!("usage: bundle_adjustment [FILE]");
        return ExitCode::from(2);
    }
    let Some(file) = file else {
        of_scene();
        return ExitCode::SUCCESS;
    };
    match Problem::read(Path::new(&file)) {
        Ok(problem) => {
            of_file(&problem);
            ExitCode::SUCCESS
        }
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::from(2)
        }
    }
}

fn of_scene() {
    let problem = scene(49, 7776, 4, SIGMA);
    sizes(&problem);
    println!("reprojection errors, in pixels:");
    let projections = timed(&problem, |projections| {
        errors("at the solution", &problem, projections);
        // Two coordinates with normally distributed errors are off by a length that has Rayleigh's distribution.
        let [rms, mean, median] = [2_f64.sqrt(), FRAC_PI_2.sqrt(), (2.0 * LN_2).sqrt()].map(|factor| SIGMA * factor);
        println!("  noise of {SIGMA} has  rms {rms:.3}  mean {mean:.3}  median {median:.3}");
        let start = displaced(&problem, 0.02);
        let mut off = vec![[0.0; 2]; start.observations.len()];
        sweep(&start, &mut off, &mut Arena::new());
        errors("before adjusting", &start, &off);
    });
    println!("the first observations, in pixels:");
    let observed = problem.observations.iter().zip(&projections).zip(&problem.features);
    for (([camera, point], [u, v]), [x, y]) in observed.take(4) {
        let (right, down) = (u - x, v - y);
        println!(
            "  point {point} by camera {camera:2}: projected to ({u:.2}, {v:.2}), seen at ({x:.2}, {y:.2}), off by ({right:+.2}, {down:+.2})"
        );
    }
}

fn of_file(problem: &Problem) {
    sizes(problem);
    timed(problem, |projections| {
        println!("one camera, point and observation, replicated: all of them have the same error");
        if let Some(r) = Residuals::of(residuals(problem, projections)) {
            println!("residuals     sum of squares {:.12}", r.sum_of_squares);
            println!("              rms {:.6}  max {:.6}", r.rms, r.max);
        }
        let weights: f64 = problem.weight_errors().map(|e| e * e).sum();
        println!("weight errors sum of squares {weights:.12}");
    });
}

fn sizes(problem: &Problem) {
    println!("cameras       {}", problem.cameras.len());
    println!("points        {}", problem.points.len());
    println!("observations  {}", problem.observations.len());
}

/// The difference of each projection from its feature, times the weight of the observation.
fn residuals(problem: &Problem, projections: &[[f64; 2]]) -> impl Iterator<Item = [f64; 2]> {
    let observed = projections.iter().zip(&problem.weights).zip(&problem.features);
    observed.map(|((p, w), feature)| [w * (p[0] - feature[0]), w * (p[1] - feature[1])])
}

fn errors(what: &str, problem: &Problem, projections: &[[f64; 2]]) {
    if let Some(r) = Residuals::of(residuals(problem, projections)) {
        println!("  {what:16}  rms {:.3}  mean {:.3}  median {:.3}  max {:.3}", r.rms, r.mean, r.median, r.max);
    }
}

/// Projects all observations several times, and prints the fastest time after what is said about them.
fn timed(problem: &Problem, say: impl FnOnce(&[[f64; 2]])) -> Vec<[f64; 2]> {
    let mut arena = Arena::new();
    let mut projections = vec![[0.0; 2]; problem.observations.len()];
    let fastest = (0..SWEEPS).map(|_| sweep(problem, &mut projections, &mut arena)).min().unwrap_or_default();
    say(&projections);
    println!("time          {:.1} ns per projection", fastest.as_secs_f64() * 1e9 / projections.len() as f64);
    println!("scratch       {} bytes ({} taken from the arena)", project::scratch(), arena.high_water());
    projections
}

/// Projects every observation once: gathers its camera and its point, and writes the projection in place.
fn sweep(problem: &Problem, projections: &mut [[f64; 2]], arena: &mut Arena) -> Duration {
    let start = Instant::now();
    for (out, [camera, point]) in projections.iter_mut().zip(&problem.observations) {
        project::into(out, &problem.cameras[*camera], &problem.points[*point], arena);
    }
    start.elapsed()
}
