//! Does the solar system keep its energy? The outer planets for a thousand years, by three integrators.
//!
//! ```text
//! cargo run --release --example orbits [FOLDER]
//! ```
//!
//! Leapfrog is symplectic: its energy is wrong by a little, and not more after a thousand years than after a hundred.
//! Yoshida's composition of three leapfrogs is symplectic and of order 4. The method of Runge and Kutta, of order 4 as well,
//! is not: it changes the energy year by year, by the fifth power of the step. The plot `orbits.svg` has the errors of
//! leapfrog and of Runge and Kutta over time.
//!
//! Expected: half the step makes the error 4 times smaller with leapfrog, and 16 times with Yoshida's method; the error of
//! Runge and Kutta grows with time; after one period Jupiter is back where it was, but for the pull of the others.
//!
//! The masses, positions and velocities of 1994-09-05 are those of Hairer, Lubich and Wanner, *Geometric Numerical
//! Integration*, I.2.4: in solar masses, astronomical units and days.

use smooth::prelude::*;
use std::path::PathBuf;

#[path = "support/svg.rs"]
mod svg;

/// The constant of gravitation.
const G: f64 = 2.959_122_082_86e-4;

#[rustfmt::skip]
const BODIES: [(&str, f64, [f64; 3], [f64; 3]); 6] = [
    // The inner planets belong to the sun.
    ("Sun", 1.000_005_976_82, [0.0; 3], [0.0; 3]),
    ("Jupiter", 0.000_954_786_104_043, [-3.502_365_3, -3.816_984_7, -1.550_796_3], [0.005_654_29, -0.004_124_90, -0.001_905_89]),
    ("Saturn", 0.000_285_583_733_151, [9.075_531_4, -3.045_835_3, -1.648_370_8], [0.001_683_18, 0.004_835_25, 0.001_924_62]),
    ("Uranus", 0.000_043_727_316_454_6, [8.310_142_0, -16.290_108_6, -7.252_127_8], [0.003_541_78, 0.001_371_02, 0.000_550_29]),
    ("Neptune", 0.000_051_775_913_844_9, [11.470_766_6, -25.729_482_9, -10.816_945_6], [0.002_889_30, 0.001_145_27, 0.000_396_77]),
    ("Pluto", 1.0 / 1.3e8, [-15.538_735_7, -25.222_559_4, -3.190_238_2], [0.002_767_25, -0.001_707_02, -0.001_365_04]),
];

#[smooth]
fn distance(a: &[f64; 3], b: &[f64; 3]) -> f64 {
    ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2) + (a[2] - b[2]).powi(2)).sqrt()
}

#[smooth]
fn acceleration(x: &[[f64; 3]; n], mass: &[f64; n]) -> [[f64; 3]; n] {
    let mut a = [[0.0; 3]; n];
    for i in 0..n {
        for j in 0..n {
            if i != j {
                let pull = G * mass[j] / distance(&x[i], &x[j]).powi(3);
                for k in 0..3 {
                    a[i][k] += pull * (x[j][k] - x[i][k]);
                }
            }
        }
    }
    a
}

#[smooth]
fn energy(x: &[[f64; 3]; n], v: &[[f64; 3]; n], mass: &[f64; n]) -> f64 {
    let kinetic = sum(n, |i| mass[i] * (v[i][0].powi(2) + v[i][1].powi(2) + v[i][2].powi(2)) / 2.0);
    let potential = sum(n, |i| sum(i, |j| G * mass[i] * mass[j] / distance(&x[i], &x[j])));
    kinetic - potential
}

/// `y += h * slope`
#[smooth]
fn advance(y: &mut [[f64; 3]; n], slope: &[[f64; 3]; n], h: f64) {
    for i in 0..n {
        for k in 0..3 {
            y[i][k] += h * slope[i][k];
        }
    }
}

#[smooth]
fn leapfrog(x: &mut [[f64; 3]; n], v: &mut [[f64; 3]; n], mass: &[f64; n], h: f64) {
    advance(x, v, h / 2.0);
    advance(v, &acceleration(x, mass), h);
    advance(x, v, h / 2.0);
}

/// Leapfrog forwards, back and forwards, so that the errors of third order cancel.
#[smooth]
fn yoshida(x: &mut [[f64; 3]; n], v: &mut [[f64; 3]; n], mass: &[f64; n], h: f64) {
    let w = 1.0 / (2.0 - 2f64.cbrt());
    for part in [w, 1.0 - 2.0 * w, w].iter() {
        leapfrog(x, v, mass, part * h);
    }
}

#[smooth]
fn runge_kutta(x: &mut [[f64; 3]; n], v: &mut [[f64; 3]; n], mass: &[f64; n], h: f64) {
    let (mut total_x, mut total_v) = (x.clone(), v.clone());
    let (mut slope_x, mut slope_v) = (v.clone(), acceleration(x, mass));
    for stage in 0..4 {
        let weight = if stage == 0 || stage == 3 { 1.0 / 6.0 } else { 1.0 / 3.0 };
        advance(&mut total_x, &slope_x, weight * h);
        advance(&mut total_v, &slope_v, weight * h);
        let part = if stage < 2 { h / 2.0 } else { h };
        let at = build([n, 3], |i, k| x[i][k] + part * slope_x[i][k]);
        slope_x = build([n, 3], |i, k| v[i][k] + part * slope_v[i][k]);
        slope_v = acceleration(&at, mass);
    }
    for i in 0..n {
        x[i] = total_x[i];
        v[i] = total_v[i];
    }
}

/// Runs `every` steps for each of `errors`, which are those of the energy.
#[smooth]
fn run(
    method: usize,
    x: &mut [[f64; 3]; n],
    v: &mut [[f64; 3]; n],
    mass: &[f64; n],
    h: f64,
    every: usize,
    errors: &mut [f64; m],
) {
    let start = energy(x, v, mass);
    for error in errors.iter_mut() {
        for _ in 0..every {
            match method {
                0 => leapfrog(x, v, mass, h),
                1 => yoshida(x, v, mass, h),
                _ => runge_kutta(x, v, mass, h),
            }
        }
        *error = energy(x, v, mass) / start - 1.0;
    }
}

fn main() {
    let folder = std::env::args_os().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let mass = BODIES.map(|b| b.1);
    let (start_x, start_v) = (BODIES.map(|b| b.2), BODIES.map(|b| b.3));
    let mut arena = Arena::new();
    let mut errors = [0.0; 500];

    const METHODS: [&str; 3] = ["leapfrog", "Yoshida", "Runge-Kutta"];
    const YEARS: f64 = 1_000.0;
    println!("the largest error of the energy in {YEARS} years, and the order between two steps");
    println!("step in days   {:>12}         {:>12}         {:>12}", METHODS[0], METHODS[1], METHODS[2]);
    let mut plot = svg::Plot::new(&[[0.0, -600.0], [YEARS, 600.0]], ["years", "error of the energy, in millionths"]);
    let (mut orders, mut growth) = ([0.0; 3], [0.0; 3]);
    let mut last = [0.0f64; 3];
    for (row, step) in [182.625, 91.3125, 45.65625, 22.828125].into_iter().enumerate() {
        print!("{step:12.2}");
        for method in 0..3 {
            let (mut x, mut v) = (start_x, start_v);
            let every = (YEARS * 365.25 / step) as usize / errors.len();
            run::into(method, &mut x, &mut v, &mass, step, every, &mut errors, &mut arena);
            let largest = errors.iter().fold(0.0f64, |a, e| a.max(e.abs()));
            // From the first tenth of the time to all of it.
            growth[method] = largest / errors[..50].iter().fold(0.0f64, |a, e| a.max(e.abs()));
            orders[method] = (last[method] / largest).log2();
            last[method] = largest;
            print!("   {largest:12.2e}");
            if row > 0 {
                print!(" {:5.2}", orders[method]);
            } else {
                print!("      ");
            }
            if row == 1 && method != 1 {
                let year = |i: usize| (i + 1) as f64 * YEARS / errors.len() as f64;
                plot.line(errors.iter().enumerate().map(|(i, e)| [year(i), 1e6 * e]), svg::COLOURS[method]);
            }
        }
        println!();
    }

    let period = 4_332.589;
    let (mut x, mut v) = (start_x, start_v);
    run::into(1, &mut x, &mut v, &mass, period / 100.0, 100, &mut errors[..1], &mut arena);
    let from_sun = |x: &[[f64; 3]; 6], k: usize| x[1][k] - x[0][k];
    let off = (0..3).map(|k| (from_sun(&x, k) - from_sun(&start_x, k)).powi(2)).sum::<f64>().sqrt();
    println!("after {period} days {} is {off:.3} astronomical units from where it was", BODIES[1].0);
    println!("{} bytes of scratch", arena.high_water());
    plot.write(&folder.join("orbits.svg"));

    assert!((orders[0] - 2.0).abs() < 0.1 && (orders[1] - 4.0).abs() < 0.2);
    assert!(growth[0] < 1.5 && growth[1] < 1.5 && growth[2] > 5.0);
    assert!(off < 0.1);
}
