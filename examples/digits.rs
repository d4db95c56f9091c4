//! A neural network that reads handwritten digits.
//!
//! ```text
//! cargo run --release --example digits
//! ```
//!
//! Trains 64 × 32 × 10 neurons on 1 500 pictures of 8 × 8 pixels by gradient descent, and tests them on 297 others. The
//! gradient is written by hand, and the weights are updated in place. Random numbers come from a key, so the output is the
//! same everywhere.
//!
//! Expected: 95 of 100 digits that were not trained are right. The picture at the end is one that was not.

use smooth::prelude::*;
use smooth::random::{normal_at, permutation, shuffle};

const PIXELS: usize = 64;
const HIDDEN: usize = 32;
const CLASSES: usize = 10;

#[smooth]
fn layer(weights: &[[f32; k]; n], bias: &[f32; n], x: &[f32; k]) -> [f32; n] {
    build(n, |i| bias[i] + sum(k, |j| weights[i][j] * x[j]))
}

#[smooth]
fn rectified(x: &[f32; n]) -> [f32; n] {
    build(n, |i| x[i].max(0.0))
}

/// Random weights, with a variance in inverse proportion to the number of inputs.
#[smooth]
fn initial<const N: usize, const K: usize>(key: u64) -> [[f32; K]; N] {
    build([N, K], |i, j| normal_at(key, i * K + j) as f32 * (2.0 / K as f32).sqrt())
}

/// The classes of pictures.
#[smooth]
fn classify(
    x: &[[f32; PIXELS]; n],
    w1: &[[f32; PIXELS]; HIDDEN],
    b1: &[f32; HIDDEN],
    w2: &[[f32; HIDDEN]; CLASSES],
    b2: &[f32; CLASSES],
) -> [usize; n] {
    build(n, |s| {
        let scores = layer(w2, b2, &rectified(&layer(w1, b1, &x[s])));
        argmax(CLASSES, |i| scores[i])
    })
}

/// One step of gradient descent on the pictures that `batch` names. The result is their mean loss, the cross entropy.
#[smooth]
#[allow(clippy::too_many_arguments, reason = "each weight is an in-out argument of its own")]
fn train(
    x: &[[f32; PIXELS]; n],
    class: &[usize; n],
    batch: &[usize; m],
    rate: f32,
    w1: &mut [[f32; PIXELS]; HIDDEN],
    b1: &mut [f32; HIDDEN],
    w2: &mut [[f32; HIDDEN]; CLASSES],
    b2: &mut [f32; CLASSES],
) -> f32 {
    let mut loss = 0.0;
    let (mut dw1, mut db1) = ([[0.0; PIXELS]; HIDDEN], [0.0; HIDDEN]);
    let (mut dw2, mut db2) = ([[0.0; HIDDEN]; CLASSES], [0.0; CLASSES]);
    for &s in batch {
        // Forwards.
        let hidden = rectified(&layer(w1, b1, &x[s]));
        let scores = layer(w2, b2, &hidden);
        let top = max(CLASSES, |i| scores[i]);
        let odds = build(CLASSES, |i| (scores[i] - top).exp());
        let total = sum(CLASSES, |i| odds[i]);
        loss += total.ln() + top - scores[class[s]];
        // Backwards: by how much the loss grows with each score, and with each hidden neuron.
        let dscores = build(CLASSES, |i| odds[i] / total - if i == class[s] { 1.0 } else { 0.0 });
        let dhidden = build(HIDDEN, |j| if hidden[j] > 0.0 { sum(CLASSES, |i| w2[i][j] * dscores[i]) } else { 0.0 });
        for i in 0..CLASSES {
            db2[i] += dscores[i];
            for j in 0..HIDDEN {
                dw2[i][j] += dscores[i] * hidden[j];
            }
        }
        for i in 0..HIDDEN {
            db1[i] += dhidden[i];
            for j in 0..PIXELS {
                dw1[i][j] += dhidden[i] * x[s][j];
            }
        }
    }
    let step = rate / m as f32;
    for i in 0..HIDDEN {
        b1[i] -= step * db1[i];
        for j in 0..PIXELS {
            w1[i][j] -= step * dw1[i][j];
        }
    }
    for i in 0..CLASSES {
        b2[i] -= step * db2[i];
        for j in 0..HIDDEN {
            w2[i][j] -= step * dw2[i][j];
        }
    }
    loss / m as f32
}

/// Pictures and their classes: a line has 64 digits of base 17, the pixels, and the class.
fn read() -> (Vec<[f32; PIXELS]>, Vec<usize>) {
    let line = |line: &str| {
        let (pixels, class) = line.split_once(' ').expect("two parts");
        let mut pixels = pixels.chars().map(|c| c.to_digit(17).expect("a pixel") as f32 / 16.0);
        (std::array::from_fn(|_| pixels.next().expect("64 pixels")), class.parse::<usize>().expect("a class"))
    };
    include_str!("data/digits.txt").lines().map(line).unzip()
}

fn main() {
    let (pictures, classes) = read();
    // In random order, since the data are sorted by the hands that wrote them.
    let order = permutation(1, pictures.len());
    let x: Vec<_> = order.iter().map(|&i| pictures[i]).collect();
    let class: Vec<_> = order.iter().map(|&i| classes[i]).collect();
    let trained = 1_500;

    let (mut w1, mut b1) = (initial::<HIDDEN, PIXELS>(2), [0.0; HIDDEN]);
    let (mut w2, mut b2) = (initial::<CLASSES, HIDDEN>(3), [0.0; CLASSES]);
    let mut arena = Arena::new();
    let mut batches: Vec<usize> = (0..trained).collect();
    for epoch in 1..=12 {
        shuffle(&mut batches, 100 + epoch);
        let mut loss = 0.0;
        for batch in batches.chunks(10) {
            loss += train::into(&x, &class, batch, 0.2, &mut w1, &mut b1, &mut w2, &mut b2, &mut arena);
        }
        if epoch % 3 == 0 {
            println!("epoch {epoch:2}: loss {:.4}", loss / (trained as f32 / 10.0));
        }
    }
    println!("{} bytes of scratch for a step, none from the heap", arena.high_water());

    let (x, class) = (&x[trained..], &class[trained..]);
    let mut answers = vec![0; x.len()];
    classify::into(&mut answers, x, &w1, &b1, &w2, &b2, &mut arena);
    let right = answers.iter().zip(class).filter(|(a, b)| a == b).count();
    println!("{right} of {} digits that were not trained are right", x.len());
    if let Some(k) = (0..x.len()).find(|&k| answers[k] != class[k]) {
        println!("this is a {}, and was read as a {}:", class[k], answers[k]);
        for row in x[k].chunks(8) {
            let line: String = row.iter().map(|p| ["  ", "..", "oo", "##"][(p * 3.5) as usize]).collect();
            println!("    {}", line.trim_end());
        }
    }
    assert!(right * 100 >= 95 * x.len(), "a network that reads 95 of 100 digits");
}
