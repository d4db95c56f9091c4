//! The LSTM as plain loops.

use crate::lstm::Problem;

/// The loss of the network on its text.
pub fn loss(p: &Problem) -> f64 {
    let [_, c, b] = p.sizes();
    let (main, extra, text) = (p.main.as_slice(), p.extra.as_slice(), p.text.as_slice());
    let mut state = p.state.as_slice().to_vec();
    let (mut u, mut total) = (vec![0.0; b], 0.0);
    for t in 0..c - 1 {
        let (now, next) = (&text[t * b..][..b], &text[(t + 1) * b..][..b]);
        for j in 0..b {
            u[j] = now[j] * extra[j];
        }
        for (state, main) in state.chunks_exact_mut(2 * b).zip(main.chunks_exact(8 * b)) {
            let (hidden, cell) = state.split_at_mut(b);
            step(&mut u, hidden, cell, main);
        }
        let mut exps = 2.0;
        for j in 0..b {
            u[j] = u[j] * extra[b + j] + extra[2 * b + j];
            exps += u[j].exp();
        }
        let norm = exps.ln();
        for j in 0..b {
            total += next[j] * (u[j] - norm);
        }
    }
    -total / ((c - 1) * b) as f64
}

/// One layer: replaces its input `u` by its output.
fn step(u: &mut [f64], hidden: &mut [f64], cell: &mut [f64], main: &[f64]) {
    let b = u.len();
    let (hidden, cell, main) = (&mut hidden[..b], &mut cell[..b], &main[..8 * b]);
    for j in 0..b {
        let gate = |gate: usize, x: f64| x * main[gate * b + j] + main[(4 + gate) * b + j];
        let forget = sigmoid(gate(0, u[j]));
        let ingate = sigmoid(gate(1, hidden[j]));
        let outgate = sigmoid(gate(2, u[j]));
        let change = gate(3, hidden[j]).tanh();
        cell[j] = cell[j] * forget + ingate * change;
        hidden[j] = outgate * cell[j].tanh();
        u[j] = hidden[j];
    }
}

fn sigmoid(z: f64) -> f64 {
    1.0 / (1.0 + (-z).exp())
}
