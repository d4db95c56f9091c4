//! Where is the hiker? An extended Kalman filter on a recorded trajectory.
//!
//! ```text
//! cargo run --release --example kalman [FOLDER]
//! ```
//!
//! The trajectory is the track of a hike, 176 fixes in 76 minutes. A station measures the hiker's distance and direction,
//! with errors of 10 m and of 2 degrees, which are simulated by random numbers of a fixed key. The state is position and
//! velocity; the hiker is predicted to walk on, give or take an acceleration. A measurement is not linear in the state, so the
//! filter corrects by the Jacobian of the measurement. The plot `kalman.svg` has the track, the measured positions, and the
//! filter's.
//!
//! Expected: the filter's positions are off by about half of what the measured ones are, and the filter knows by how much: the
//! mean of the normalised squares of its errors is near 2, the number of measurements.

use smooth::linalg::{matrix_mul, matrix_transpose};
use smooth::prelude::*;
use smooth::random::normal;
use std::path::PathBuf;

#[path = "support/svg.rs"]
mod svg;

/// The station, metres east and north of the start.
const STATION: [f64; 2] = [100.0, -300.0];
/// Standard deviations of a measurement: metres and radians.
const ERRORS: [f64; 2] = [10.0, 2.0 * std::f64::consts::PI / 180.0];
/// The acceleration that the prediction leaves open, m/s² in one second.
const ACCELERATION: f64 = 0.03;

/// Distance and direction of a place from the station.
#[smooth]
fn measured(place: &[f64; 2]) -> [f64; 2] {
    let (dx, dy) = (place[0] - STATION[0], place[1] - STATION[1]);
    [dx.hypot(dy), dy.atan2(dx)]
}

/// Walks on for `t` seconds. The state `x` is east, north, and their velocities; `p` is its covariance.
#[smooth]
fn predict(x: &mut [f64; 4], p: &mut [[f64; 4]; 4], t: f64) {
    let f = [[1.0, 0.0, t, 0.0], [0.0, 1.0, 0.0, t], [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    let (a, b, c) = (t.powi(3) / 3.0, t.powi(2) / 2.0, t);
    let noise = [[a, 0.0, b, 0.0], [0.0, a, 0.0, b], [b, 0.0, c, 0.0], [0.0, b, 0.0, c]];
    let moved = matrix_mul(&matrix_mul(&f, p), &matrix_transpose(&f));
    for i in 0..4 {
        for j in 0..4 {
            p[i][j] = moved[i][j] + ACCELERATION.powi(2) * noise[i][j];
        }
    }
    x[0] += t * x[2];
    x[1] += t * x[3];
}

/// Corrects state and covariance by a measurement `z`. The result is the square of the error in standard deviations.
#[smooth]
fn update(x: &mut [f64; 4], p: &mut [[f64; 4]; 4], z: &[f64; 2]) -> f64 {
    let (dx, dy) = (x[0] - STATION[0], x[1] - STATION[1]);
    let r = dx.hypot(dy);
    let h = [[dx / r, dy / r, 0.0, 0.0], [-dy / (r * r), dx / (r * r), 0.0, 0.0]];
    let ht = matrix_transpose(&h);
    let pht = matrix_mul(p, &ht);
    let s = matrix_mul(&h, &pht);
    let (s00, s01, s11) = (s[0][0] + ERRORS[0].powi(2), s[0][1], s[1][1] + ERRORS[1].powi(2));
    let determinant = s00 * s11 - s01 * s01;
    let inverse = [[s11 / determinant, -s01 / determinant], [-s01 / determinant, s00 / determinant]];
    let gain = matrix_mul(&pht, &inverse);

    let expected = measured(&x[..2]);
    let turn = 2.0 * std::f64::consts::PI;
    let angle = z[1] - expected[1];
    let error = [z[0] - expected[0], angle - turn * (angle / turn).round()];
    for i in 0..4 {
        x[i] += gain[i][0] * error[0] + gain[i][1] * error[1];
        for j in 0..4 {
            p[i][j] -= gain[i][0] * pht[j][0] + gain[i][1] * pht[j][1];
        }
    }
    sum(2, |i| error[i] * (inverse[i][0] * error[0] + inverse[i][1] * error[1]))
}

/// Seconds from the start, and metres to the east and to the north of it.
fn read() -> (Vec<f64>, Vec<[f64; 2]>) {
    let rows: Vec<[f64; 3]> = include_str!("data/hike.csv")
        .lines()
        .skip(1)
        .map(|line| {
            let mut fields = line.split(',').map(|f| f.parse::<f64>().expect("a number"));
            std::array::from_fn(|_| fields.next().expect("three numbers"))
        })
        .collect();
    let [_, latitude, longitude] = rows[0];
    let degree = 6_371_000.0f64.to_radians();
    let place = |r: &[f64; 3]| [(r[2] - longitude) * degree * latitude.to_radians().cos(), (r[1] - latitude) * degree];
    (rows.iter().map(|r| r[0]).collect(), rows.iter().map(place).collect())
}

fn distance(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).hypot(a[1] - b[1])
}

fn main() {
    let folder = std::env::args_os().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let (times, track) = read();
    let noise = normal(5, 2 * track.len());

    // The matrices are in registers: the kernels take no memory, which is known when this is compiled.
    const { assert!(predict::scratch() == 0 && update::scratch() == 0) };
    let mut arena = Arena::on(&mut []);

    let (mut seen, mut path) = (Vec::new(), Vec::new());
    let (mut x, mut p) = ([0.0; 4], [[0.0; 4]; 4]);
    let mut squares = 0.0;
    for k in 0..track.len() {
        let mut z = measured(&track[k]);
        z[0] += ERRORS[0] * noise[2 * k];
        z[1] += ERRORS[1] * noise[2 * k + 1];
        seen.push([STATION[0] + z[0] * z[1].cos(), STATION[1] + z[0] * z[1].sin()]);
        if k == 0 {
            x = [seen[0][0], seen[0][1], 0.0, 0.0];
            for (i, variance) in [200.0, 200.0, 1.0, 1.0].into_iter().enumerate() {
                p[i][i] = variance;
            }
        } else {
            predict::into(&mut x, &mut p, times[k] - times[k - 1], &mut arena);
            squares += update::into(&mut x, &mut p, &z, &mut arena);
        }
        path.push([x[0], x[1]]);
    }

    let off = |places: &[[f64; 2]]| {
        let sum: f64 = places.iter().zip(&track).map(|(&a, &b)| distance(a, b).powi(2)).sum();
        (sum / track.len() as f64).sqrt()
    };
    let length: f64 = track.windows(2).map(|w| distance(w[0], w[1])).sum();
    let normalised = squares / (track.len() - 1) as f64;
    println!("{} fixes in {:.0} minutes, {length:.0} m", track.len(), times[track.len() - 1] / 60.0);
    println!("off by, root mean square:  measured {:.1} m, filtered {:.1} m", off(&seen), off(&path));
    println!("normalised squares of the errors: {normalised:.2} on average");
    assert!(off(&path) < 0.6 * off(&seen));
    assert!((1.5..2.5).contains(&normalised));

    let mut plot = svg::Plot::new(&seen, ["east, m", "north, m"]);
    plot.line(track, "#888");
    plot.line(path, svg::COLOURS[0]);
    for at in seen {
        plot.point(at, 0, svg::COLOURS[1]);
    }
    plot.write(&folder.join("kalman.svg"));
}
