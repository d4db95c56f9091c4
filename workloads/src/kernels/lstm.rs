//! A character predictor: long short-term memory with diagonal weights, and the loss of its predictions on a text.
//!
//! Vectors have one element for each of the `b` bits of a character.

use smooth::prelude::*;

/// `1 / (1 + exp(-z))`.
///
/// ```
/// assert_eq!(smooth_workloads::kernels::lstm::sigmoid(0.0), 0.5);
/// ```
#[smooth]
pub fn sigmoid(z: f64) -> f64 {
    1.0 / (1.0 + (-z).exp())
}

/// The new hidden state and the new cell of one layer for the input `u`.
///
/// `weights` and `biases` are those of the gates forget, in, out and change. Forget and out depend on the input, in and
/// change on the hidden state.
///
/// ```
/// use smooth_workloads::kernels::lstm::step;
/// let zeros = [[0.0]; 4];
/// let (hidden, cell) = step(&[1.0], &[1.0], &[0.5], &zeros, &zeros);
/// assert_eq!((hidden, cell), (vec![0.5 * 0.25f64.tanh()], vec![0.25]));
/// ```
#[smooth]
pub fn step(
    u: &[f64; b],
    hidden: &[f64; b],
    cell: &[f64; b],
    weights: &[[f64; b]; 4],
    biases: &[[f64; b]; 4],
) -> ([f64; b], [f64; b]) {
    let forget = build(b, |j| sigmoid(u[j] * weights[0][j] + biases[0][j]));
    let ingate = build(b, |j| sigmoid(hidden[j] * weights[1][j] + biases[1][j]));
    let outgate = build(b, |j| sigmoid(u[j] * weights[2][j] + biases[2][j]));
    let change = build(b, |j| (hidden[j] * weights[3][j] + biases[3][j]).tanh());
    let cell = build(b, |j| cell[j] * forget[j] + ingate[j] * change[j]);
    (build(b, |j| outgate[j] * cell[j].tanh()), cell)
}

/// The log likelihood of the next character under a prediction: `Σ next · (y - log (2 + Σ exp y))`.
///
/// ```
/// use smooth_workloads::kernels::lstm::agreement;
/// assert_eq!(agreement(&[0.0, 0.0], &[1.0, 0.0]), -4.0f64.ln());
/// ```
#[smooth]
pub fn agreement(y: &[f64; b], next: &[f64; b]) -> f64 {
    let norm = (2.0 + sum(b, |j| y[j].exp())).ln();
    sum(b, |j| next[j] * (y[j] - norm))
}

/// The loss of an LSTM of `l` layers on a text of `c` characters, per bit of every character but the first.
///
/// For layer `i`, `main[i]` has the weights and the biases of the four gates, and `state[i]` the initial hidden state and
/// cell. `extra` has the weights of the input, the weights of the output and its biases.
///
/// ```
/// use smooth_workloads::{data, kernels::lstm::lstm_loss, lstm::Problem};
///
/// let p = Problem::read(&data("lstm/lstm_l2_c1024.txt"))?;
/// let loss = lstm_loss(&p.main, &p.extra, &p.state, &p.text);
/// assert!((loss - 0.666665179558852).abs() < 1e-12);
/// # Ok::<_, smooth_workloads::ReadError>(())
/// ```
///
/// # Panics
/// If the text is empty.
#[smooth]
pub fn lstm_loss(
    main: &[[[[f64; b]; 4]; 2]; l],
    extra: &[[f64; b]; 3],
    state: &[[[f64; b]; 2]; l],
    text: &[[f64; b]; c],
) -> f64 {
    let start = (build(l, |i| &state[i][0]), build(l, |i| &state[i][1]), 0.0);
    let (_, _, total) = ifold(c - 1, start, |(hidden, cells, total), t| {
        let input = build(b, |j| text[t][j] * extra[0][j]);
        let (hidden, cells, output) = ifold(l, (hidden, cells, input), |(hidden, cells, u), i| {
            let (h, cell) = step(&u, &hidden[i], &cells[i], &main[i][0], &main[i][1]);
            (
                build(l, |k| if k == i { &h } else { &hidden[k] }),
                build(l, |k| if k == i { &cell } else { &cells[k] }),
                h,
            )
        });
        let y = build(b, |j| output[j] * extra[1][j] + extra[2][j]);
        (hidden, cells, total + agreement(&y, &text[t + 1]))
    });
    -total / ((c - 1) * b) as f64
}
