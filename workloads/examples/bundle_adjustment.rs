//! Projects every observation of a bundle adjustment problem with the kernels of Fig. 13.
//!
//! ```text
//! cargo run --release --example bundle_adjustment [FILE]
//! ```
//!
//! Prints the size of the problem, statistics of the residuals, the time per projection and the scratch memory. If a
//! file cannot be read, it prints an error with file and line and exits with code 2.

use smooth::prelude::*;
use smooth_workloads::ba::Problem;
use smooth_workloads::data;
use smooth_workloads::project::project;
use smooth_workloads::stats::Residuals;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The number of sweeps over all observations; the fastest is reported.
const SWEEPS: usize = 10;

fn main() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    let file = args.next().map_or_else(|| data("ba/ba1_n49_m7776_p31843.txt"), PathBuf::from);
    if args.next().is_some() {
        eprintln!("usage: bundle_adjustment [FILE]");
        return ExitCode::from(2);
    }
    match Problem::read(&file) {
        Ok(problem) => {
            report(&problem);
            ExitCode::SUCCESS
        }
        Err(e) => {
            eprintln!("error: {e}");
            ExitCode::from(2)
        }
    }
}

fn report(problem: &Problem) {
    println!("cameras       {}", problem.cameras.len());
    println!("points        {}", problem.points.len());
    println!("observations  {}", problem.observations.len());

    let mut arena = Arena::new();
    let mut projections = vec![[0.0; 2]; problem.observations.len()];
    let fastest = (0..SWEEPS).map(|_| sweep(problem, &mut projections, &mut arena)).min().unwrap_or_default();

    let observed = projections.iter().zip(&problem.weights).zip(&problem.features);
    let residuals = observed.map(|((p, w), feature)| [w * (p[0] - feature[0]), w * (p[1] - feature[1])]);
    if let Some(r) = Residuals::of(residuals) {
        println!("residuals     sum of squares {:.12}", r.sum_of_squares);
        println!("              rms {:.6}  mean {:.6}  median {:.6}  max {:.6}", r.rms, r.mean, r.median, r.max);
    }
    let weights: f64 = problem.weight_errors().map(|e| e * e).sum();
    println!("weight errors sum of squares {weights:.12}");
    println!("time          {:.1} ns per projection", fastest.as_secs_f64() * 1e9 / projections.len() as f64);
    println!("scratch       {} bytes ({} taken from the arena)", project::scratch(), arena.high_water());
}

/// Projects every observation once: gathers its camera and its point, and writes the projection in place.
fn sweep(problem: &Problem, projections: &mut [[f64; 2]], arena: &mut Arena) -> Duration {
    let start = Instant::now();
    for (out, [camera, point]) in projections.iter_mut().zip(&problem.observations) {
        project::into(out, &problem.cameras[*camera], &problem.points[*point], arena);
    }
    start.elapsed()
}
