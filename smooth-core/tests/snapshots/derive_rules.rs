//! The rules on what the reverse mode adds, one by one: where each fires, and where it must not.

// scalar, reduce: a number is one sum, and what is read twice is added once.
//~ derivative: grad
//~ sums(simplified): 1
//~ folds(simplified): 0
//~ updates(simplified): 0
//~ allocs(stored): 0
#[smooth(grad(s))]
fn scaled(x: &[f64; n], s: f64) -> f64 {
    sum(n, |i| x[i] * s * s)
}

// dead: of two parameters, what the other one's derivative needs is not computed.
//~ derivative: grad
//~ prints(simplified): b
#[smooth(grad(a))]
fn dead(a: &[f64; n], b: &[f64; n]) -> f64 {
    sum(n, |i| a[i] * b[i] + b[i].exp() * b[i])
}

// gather: each element has its own iteration.
//~ derivative: grad
//~ prints(simplified): (build n (λ i. (x[i] + x[i])))
#[smooth(grad)]
fn gather(x: &[f64; n]) -> f64 {
    sum(n, |i| x[i] * x[i])
}

// columns: the loop over places becomes the outer one.
//~ derivative: grad
//~ builds(simplified): 1
//~ sums(simplified): 1
//~ updates(simplified): 0
//~ zeros(stored): 0
#[smooth(grad(w))]
fn columns(w: &[f64; k], x: &[[f64; k]; n]) -> f64 {
    sum(n, |i| sum(k, |j| w[j] * x[i][j]))
}

// literal: few elements at known places are written one by one.
//~ derivative: grad
//~ loops(simplified): 0
//~ updates(simplified): 0
#[smooth(grad)]
fn literal(x: &[f64; 3]) -> f64 {
    x[0] * x[1] + x[2] * x[0]
}

// store, split: a dear number of each iteration is kept for two loops.
//~ derivative: grad
//~ arrays(stored): 1
//~ computed(stored): 0
//~ updates(simplified): 0
#[smooth(grad(a, b))]
fn split(a: &[f64; k], b: &[f64; n], x: &[[f64; k]; n]) -> f64 {
    sum(n, |i| (sum(k, |j| a[j] * x[i][j]) * b[i]).exp())
}

// … and a cheap one is not.
//~ derivative: grad
//~ arrays(stored): 0
#[smooth(grad(a, b))]
fn again(a: &[f64; n], b: &[f64; n]) -> f64 {
    sum(n, |i| (a[i] - b[i]) * (a[i] - b[i]))
}

// sweeps: the value and the gradient share the loop and its exponential.
//~ derivative: value_and_grad
//~ arrays(stored): 0
//~ loops(stored): 1
#[smooth(grad(s))]
fn sweeps(x: &[f64; n], s: f64) -> f64 {
    sum(n, |i| (x[i] * s).exp())
}

// zeros: only what is added at places from data begins with zeros.
//~ derivative: grad
//~ updates(simplified): 1
//~ zeros(stored): 1
#[smooth(grad)]
fn zeros(x: &[f64; n], y: &[f64; m], at: &[usize; m]) -> f64 {
    sum(m, |i| x[at[i]] * y[i])
}

// checks: a place that the value reads is checked where something is added as well, since no loop relies on another one.
//~ derivative: vjp
//~ checked(stored): 2
#[smooth(vjp)]
fn checks(x: &[f64; n], at: &[usize; m]) -> [f64; m] {
    build(m, |i| x[at[i]])
}

// adding: the state of a loop that adds is not remembered.
//~ derivative: grad
//~ arrays(stored): 0
//~ folds(simplified): 0
#[smooth(grad)]
fn adding(x: &[f64; n]) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        s += x[i] * x[i];
    }
    s
}

// … and one that multiplies is.
//~ derivative: grad
//~ arrays(stored): 1
#[smooth(grad)]
fn multiplying(x: &[f64; n]) -> f64 {
    let mut s = 1.0;
    for i in 0..n {
        s = s * x[i] + s;
    }
    s
}

// moved: differences of an element and what does not change have no accumulator of their own.
//~ derivative: grad
//~ arrays(stored): 0
//~ loops(simplified): 2
#[smooth(grad(mean))]
fn moved(mean: &[f64; d], x: &[f64; d], w: &[[f64; d]; d]) -> f64 {
    let v = build(d, |j| x[j] - mean[j]);
    sum(d, |i| sum(d, |j| w[i][j] * v[j]))
}

// extremes: the greatest of a loop remembers a place.
//~ derivative: grad
//~ arrays(stored): 0
#[smooth(grad)]
fn greatest(x: &[f64; n]) -> f64 {
    let mut most = x[0];
    for i in 0..n {
        most = most.max(x[i]);
    }
    most
}

// store: three rows of a Jacobian share the tape of an inner loop.
//~ derivative: jacobian
//~ arrays(stored): 1
#[smooth(jacobian(a, reverse))]
fn rows(a: &[f64; n], count: usize) -> [f64; 3] {
    let x = sum(n, |i| a[i]);
    let e = build(n, |i| (a[i] - x).sin());
    let dear = |i: usize, j: usize| ifold(count, 1.5, |y, _| y * 0.5 + i as f64 + j as f64);
    build(3, |j| x * (sum(n, |i| e[n - 1 - i] * dear(i, j)) + sum(n, |i| e[i])))
}

// sweeps: but not of numbers of two widths, …
//~ derivative: value_and_grad
//~ sums(simplified): 3
#[smooth(grad(s, t))]
fn widths(a: &[f64; n], s: f64, t: f32) -> f64 {
    sum(n, |i| (a[i] * s).exp() as f32 * t) as f64
}

// … which of one width is one sum.
//~ derivative: value_and_grad
//~ sums(simplified): 1
#[smooth(grad(s, t))]
fn width(a: &[f64; n], s: f64, t: f64) -> f64 {
    sum(n, |i| (a[i] * s).exp() * t)
}
