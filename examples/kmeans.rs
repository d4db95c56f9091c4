//! Groups of penguins: k-means with a plot.
//!
//! ```text
//! cargo run --release --example kmeans [FOLDER]
//! ```
//!
//! Clusters 342 penguins by the length and the depth of the bill, the length of the flippers, and the body mass, without a
//! look at the species, and then compares the clusters with it. The first centres are chosen by k-means++, ten times; the
//! best clustering counts. The plot `kmeans.svg` has a colour for each cluster and a shape for each species.
//!
//! Expected: 313 of the 342 penguins are in the cluster of their species. All Gentoos are; some Adelies are close to the
//! Chinstraps. Random numbers come from a key, so the output is the same everywhere.

use smooth::prelude::*;
use smooth::random::{below_at, uniform_at};
use std::path::PathBuf;

#[path = "support/svg.rs"]
mod svg;

const FEATURES: usize = 4;
const SPECIES: [&str; 3] = ["Adelie", "Chinstrap", "Gentoo"];

/// Gives each column the mean 0 and the variance 1.
#[smooth]
fn standardise(x: &mut [[f64; d]; n]) -> [f64; d] {
    let mut deviations = [0.0; d];
    for j in 0..d {
        let mean = sum(n, |i| x[i][j]) / n as f64;
        deviations[j] = (sum(n, |i| (x[i][j] - mean).powi(2)) / n as f64).sqrt();
        for i in 0..n {
            x[i][j] = (x[i][j] - mean) / deviations[j];
        }
    }
    deviations
}

#[smooth]
fn squared_distance(a: &[f64; d], b: &[f64; d]) -> f64 {
    ifold(d, 0.0, |s, i| s + (a[i] - b[i]).powi(2))
}

/// The first centres: each is a point, chosen with a probability in proportion to its squared distance from those before.
#[smooth]
fn seeds(x: &[[f64; d]; n], k: usize, key: u64) -> [[f64; d]; k] {
    let mut centres = [[0.0; d]; k];
    let mut chosen = below_at(key, 0, n);
    let mut nearest = [f64::INFINITY; n];
    for c in 0..k {
        centres[c] = x[chosen];
        for i in 0..n {
            nearest[i] = nearest[i].min(squared_distance(&x[i], &centres[c]));
        }
        let mut left = uniform_at(key, c + 1) * sum(n, |i| nearest[i]);
        chosen = 0;
        while chosen + 1 < n && left > nearest[chosen] {
            left -= nearest[chosen];
            chosen += 1;
        }
    }
    centres
}

/// Assigns each point to its nearest centre. The result is the sum of the squared distances.
#[smooth]
fn assign(x: &[[f64; d]; n], centres: &[[f64; d]; k], label: &mut [usize; n]) -> f64 {
    let mut total = 0.0;
    for i in 0..n {
        label[i] = argmin(k, |c| squared_distance(&x[i], &centres[c]));
        total += squared_distance(&x[i], &centres[label[i]]);
    }
    total
}

/// Moves each centre to the mean of its points. A centre without points stays.
#[smooth]
fn recentre(x: &[[f64; d]; n], label: &[usize; n], centres: &mut [[f64; d]; k]) {
    let mut total = [[0.0; d]; k];
    let mut count = [0; k];
    for i in 0..n {
        count[label[i]] += 1;
        for j in 0..d {
            total[label[i]][j] += x[i][j];
        }
    }
    for c in 0..k {
        if count[c] > 0 {
            centres[c] = build(d, |j| total[c][j] / count[c] as f64);
        }
    }
}

fn main() {
    let folder = std::env::args_os().nth(1).map_or_else(std::env::temp_dir, PathBuf::from);
    let mut species = Vec::new();
    let mut measured: Vec<[f64; FEATURES]> = Vec::new();
    for line in include_str!("data/penguins.csv").lines().skip(1) {
        let mut fields = line.split(',');
        let name = fields.next().expect("a species");
        species.push(SPECIES.iter().position(|s| *s == name).expect("one of three"));
        measured.push(std::array::from_fn(|_| fields.next().expect("four numbers").parse().expect("a number")));
    }
    let (n, k) = (measured.len(), SPECIES.len());
    let mut x = Array::from_fn([n, FEATURES], |[i, j]| measured[i][j]);
    standardise(&mut x);

    // All that the loop needs is allocated here.
    let mut arena = Arena::new();
    let mut centres = Array::from_elem([k, FEATURES], 0.0);
    let (mut label, mut best) = (vec![0; n], (f64::INFINITY, vec![0; n]));
    for key in 0..10 {
        seeds::into(&mut centres, &x, k, key, &mut arena);
        let mut before = f64::INFINITY;
        let mut iterations = 0;
        loop {
            let spread = assign::into(&x, &centres, &mut label, &mut arena);
            iterations += 1;
            assert!(spread <= before + 1e-9, "an iteration made it worse");
            if spread == before {
                break;
            }
            before = spread;
            recentre::into(&x, &label, &mut centres, &mut arena);
        }
        println!("key {key}: {iterations:2} iterations, sum of squared distances {before:.2}");
        if before < best.0 {
            best.0 = before;
            best.1.clone_from(&label);
        }
    }

    let label = best.1;
    let mut table = [[0; 3]; 3];
    for (&s, &c) in species.iter().zip(&label) {
        table[s][c] += 1;
    }
    println!("\n           cluster 0  1    2");
    for (name, row) in SPECIES.iter().zip(table) {
        println!("{name:10} {:7} {:4} {:4}", row[0], row[1], row[2]);
    }
    let agree: usize = (0..k).map(|c| table.iter().map(|row| row[c]).max().unwrap_or(0)).sum();
    println!("{agree} of {n} penguins are in the cluster of their species");
    assert_eq!(agree, 313);

    let at: Vec<[f64; 2]> = measured.iter().map(|m| [m[2], m[0]]).collect();
    let mut plot = svg::Plot::new(&at, ["flipper length, mm", "bill length, mm"]);
    for ((&at, &shape), &colour) in at.iter().zip(&species).zip(&label) {
        plot.point(at, shape, svg::COLOURS[colour]);
    }
    plot.write(&folder.join("kmeans.svg"));
}
