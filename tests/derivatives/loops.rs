//! Reverse derivatives of loops that carry a state: against differences and the forward mode, with what they remember.

use crate::numbers::{all_near, numbers};
use smooth::prelude::*;

#[smooth(grad, jvp)]
fn power(x: f64, n: usize) -> f64 {
    let mut p = 1.0;
    for _ in 0..n {
        p = (p * x).sin();
    }
    p
}

#[smooth(grad, jvp)]
fn horner(c: &[f64; n], x: f64) -> f64 {
    let mut p = 0.0;
    for i in 0..n {
        p = p * x + c[i];
    }
    p
}

/// A recurrence in place: a step reads two elements of its state.
#[smooth(vjp, jvp)]
fn prefix(x: &[f64; n]) -> [f64; n] {
    let mut y = x.clone();
    for i in 1..n {
        y[i] += y[i - 1] * y[i];
    }
    y
}

#[smooth(vjp, jvp)]
fn scans(x: &[f64; n]) -> ([f64; n], [f64; n]) {
    (scan(n, 1.0, |s, i| s * x[i] + 1.0), scan_exclusive(n, 1.0, |s, i| (s * x[i]).sin()))
}

/// A loop of steps for each element.
#[smooth(grad, jvp)]
fn independent(x: &[f64; n], y: &[f64; 3]) -> f64 {
    sum(n, |i| ifold(3, x[i], |s, k| s * x[i] + y[k]))
}

#[smooth(grad, jvp)]
fn recurrent(w: &[[f64; k]; k], x: &[[f64; k]; n]) -> f64 {
    let h = ifold(n, build(k, |_| 0.0), |h, t| build(k, |i| (sum(k, |j| w[i][j] * h[j]) + x[t][i]).tanh()));
    sum(k, |i| h[i])
}

#[smooth(vjp, jvp)]
fn heat(u: &[f64; n], steps: usize) -> [f64; n] {
    let mut u = u.clone();
    for _ in 0..steps {
        let v =
            build(
                n,
                |i| {
                    if i == 0 || i == n - 1 { u[i] } else { u[i] + 0.1 * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * u[i] }
                },
            );
        u = v;
    }
    u
}

/// The same with constant weights: its steps are linear.
#[smooth(vjp, jvp)]
fn linear_heat(u: &[f64; n], steps: usize) -> [f64; n] {
    let mut u = u.clone();
    for _ in 0..steps {
        let v = build(n, |i| if i == 0 || i == n - 1 { u[i] } else { u[i] + 0.1 * (u[i - 1] - 2.0 * u[i] + u[i + 1]) });
        u = v;
    }
    u
}

#[smooth(vjp, jvp)]
fn pendulum(q: f64, p: f64, h: f64, n: usize) -> (f64, f64) {
    let (mut q, mut p) = (q, p);
    for _ in 0..n {
        p -= h * q.sin();
        q += h * p;
    }
    (q, p)
}

#[smooth(vjp, jvp)]
fn written(x: &[f64; n]) -> [f64; n] {
    let mut out = [0.0; n];
    for i in 0..n {
        out[i] = x[i] * x[i];
    }
    out
}

#[smooth(vjp, jvp)]
fn in_place(y: &mut [f64; n], x: &[f64; n]) {
    for i in 0..n {
        y[i] *= x[i];
    }
}

#[smooth(grad, jvp)]
fn nested(x: &[f64; n]) -> f64 {
    let mut s = 1.0;
    for i in 0..n {
        for j in 0..n {
            s = (s * x[i] + x[j]).sin();
        }
        let mut p = 1.0;
        for j in 0..i + 1 {
            p *= x[j];
        }
        s = s * x[i] + p;
    }
    s
}

#[smooth(grad, jvp)]
fn exits(x: &[f64; n]) -> f64 {
    let mut s = 0.0;
    for i in 0..n {
        if s > 2.0 {
            break;
        }
        if x[i] < 0.0 {
            continue;
        }
        s += x[i] * x[i] + s * x[i];
    }
    s
}

#[smooth(grad, jvp)]
fn found(x: &[f64; n]) -> f64 {
    for i in 0..n {
        if x[i] > 1.0 {
            return x[i] * x[i];
        }
    }
    x[0]
}

#[smooth(vjp, jvp)]
fn cholesky(a: &[[f64; n]; n]) -> [[f64; n]; n] {
    let mut l = [[0.0; n]; n];
    for j in 0..n {
        let d = a[j][j] - sum(j, |k| l[j][k] * l[j][k]);
        l[j][j] = d.sqrt();
        for i in j + 1..n {
            l[i][j] = (a[i][j] - sum(j, |k| l[i][k] * l[j][k])) / l[j][j];
        }
    }
    l
}

#[smooth(grad, jvp)]
fn swaps(x: &[f64; n]) -> f64 {
    let mut y = x.clone();
    for i in 0..n - 1 {
        if y[i] > y[i + 1] {
            y.swap(i, i + 1);
        }
    }
    sum(n, |i| y[i] * i as f64 * y[i])
}

/// A number of steps from data, where no state is needed.
#[smooth(grad, jvp)]
fn counted(x: f64, k: &[usize; 1]) -> f64 {
    let mut s = x;
    for _ in 0..k[0] {
        s = 0.5 * s + x;
    }
    s
}

#[smooth(vjp_many, jacobian)]
fn many(x: &[f64; n]) -> (f64, f64) {
    let (mut a, mut b) = (x[0], 1.0);
    for i in 1..n {
        (a, b) = (a * b + x[i], (a - b * x[i]).sin());
    }
    (a, b)
}

/// Second order.
#[smooth(grad)]
fn of_a_gradient(c: &[f64; n]) -> f64 {
    let (d_c, d_x) = horner::grad(c, c[0]);
    sum(n, |i| d_c[i] * d_c[i]) + d_x
}

/// A loop with a state under a condition, whose value is that of the choice.
#[smooth(vjp)]
fn turns(v: &[f64; 3], n: usize, s: f64) -> [f64; 3] {
    let mut x = v.clone();
    for _ in 0..n {
        if s > 1.5 {
            x[1] = 2.25;
            for i in 0..3 {
                if x[2] < 1.5 {
                    x.swap(i, 0);
                }
            }
        }
    }
    x
}

#[test]
fn steps_go_backwards() {
    let x = [0.7, 1.3, -0.4, 0.9, 0.5];
    [0, 1, 5].into_iter().for_each(|n| power::check_derivatives(0.8, n));
    horner::check_derivatives(&x, 0.3);
    horner::check_derivatives(&[], 0.3);
    prefix::check_derivatives(&x);
    prefix::check_derivatives(&[]);
    scans::check_derivatives(&x);
    independent::check_derivatives(&x, &[0.5, -0.25, 2.0]);
    recurrent::check_derivatives(&[[0.1, 0.2], [0.3, -0.4]], &[[0.1, 0.2], [0.3, 0.4], [0.5, 0.6]]);
    heat::check_derivatives(&x, 4);
    linear_heat::check_derivatives(&x, 4);
    pendulum::check_derivatives(0.3, 0.2, 0.1, 7);
    written::check_derivatives(&x);
    turns::check_derivatives(&[1.0, 3.0, 0.5], 3, 2.0);
    turns::check_derivatives(&[1.0, 3.0, 0.5], 3, 1.0);
    in_place::check_derivatives(&mut [1.0, 2.0, 3.0], &[0.5, 0.25, 0.75]);
    nested::check_derivatives(&x);
    exits::check_derivatives(&x);
    exits::check_derivatives(&[0.5, -1.0, 2.0, 3.0]);
    found::check_derivatives(&x);
    found::check_derivatives(&[0.5, 0.25]);
    cholesky::check_derivatives(&[[4.0, 1.0, 0.5], [1.0, 5.0, 0.2], [0.5, 0.2, 6.0]]);
    swaps::check_derivatives(&x);
    counted::check_derivatives(0.7, &[3]);
    of_a_gradient::check_derivatives(&x);
}

#[test]
fn several_cotangents_are_those_one_by_one() {
    let x = numbers(6, 0.4);
    let (_, _, (d_a, d_b)) = many::jacobian(&x);
    let (_, _, d_x) = many::vjp_many(&x, &[1.0, 0.0], &[0.0, 1.0]);
    all_near(d_x.as_slice(), &[d_a, d_b].concat());
    let (_, _, (w_a, w_b)) = many::jacobian::reference(&x);
    all_near(d_x.as_slice(), &[w_a, w_b].concat());
}

/// Bytes for so many numbers, and for the alignment of the arena.
#[test]
fn what_is_remembered_is_what_the_steps_back_read() {
    let near = |bytes: usize, numbers: usize| {
        assert!((8 * numbers..8 * numbers + 256).contains(&bytes), "{bytes} bytes, and not {numbers} numbers");
    };
    near(independent::grad::scratch([1000], [3]), 0);
    near(linear_heat::vjp::scratch([100], 1000, [100]), 100);
    near(prefix::vjp::scratch([1000], [1000]), 1000);
    near(written::vjp::scratch([1000], [1000]), 1000);
    near(in_place::vjp::scratch([1000], [1000], [1000]), 1000);
    near(pendulum::vjp::scratch(1000), 2000);
    near(heat::vjp::scratch([100], 1000, [100]), 100 * 1000 + 100);
}

/// A loop that may end early, in whose steps lengths depend on the index.
#[smooth(grad)]
fn triangle(x: &[f64; n]) -> f64 {
    let mut b = 0.5;
    for i in 0..n {
        if b > 2.0 {
            break;
        }
        for j in 0..i {
            b = (b * x[j]).sin() + 0.7;
        }
        let row = &x[..i];
        b = b * sum(row.len(), |j| row[j]) + x[i];
    }
    b
}

/// Loops of a number of steps that sizes give by more than a difference.
#[smooth(grad)]
fn every_other(x: &[f64; n]) -> f64 {
    let mut s = 0.3;
    for i in (0..n).step_by(2) {
        s = s * x[i] + x[i].sin();
    }
    for i in (0..n).step_by(3).rev() {
        s = s * x[i] + 0.1;
    }
    for i in 0..=n {
        s = s * x[i.min(n - 1)] + 0.1;
    }
    s
}

#[test]
fn lengths_in_steps_depend_on_the_index() {
    for n in [1, 2, 5, 9] {
        triangle::check_derivatives(&numbers(n, 0.4));
        every_other::check_derivatives(&numbers(n, 0.4));
    }
}

/// Steps over parts of arrays: the arguments say how many there are, and not the sizes alone.
#[smooth(grad(x), jvp(x))]
fn over_parts(x: &[f64; n], y: &[f64; m], a: usize, b: usize) -> f64 {
    let mut s = 1.0;
    for v in x[a..b].iter() {
        s = (s * v).sin() + v;
    }
    for (i, v) in x[a..].iter().enumerate() {
        s = (s * v).sin() + i as f64;
    }
    for v in &x[..b] {
        s = (s * v).cos();
    }
    for (v, w) in x[a..b].iter().rev().zip(&y[a..b]) {
        s = (s * v).sin() + w;
        if s > 1.9 {
            break;
        }
    }
    s
}

/// Steps over ranges of other integers.
#[smooth(grad(x), jvp(x))]
fn over_integers(x: f64, n: usize) -> f64 {
    let mut s = x;
    for i in 0..n as i64 {
        s = (s * x).sin() + i as f64;
    }
    for i in (-1..n as isize - 1).rev() {
        s = (s * x).sin() + i as f64;
    }
    for i in 1..=n as i32 {
        s = (s * x).sin() + i as f64;
    }
    for i in (2..n as u32).step_by(2) {
        s = (s * x).sin() + i as f64;
    }
    s
}

/// The rows of a triangle, in a loop.
#[smooth(grad, jvp)]
fn over_rows(x: &[[f64; n]; n]) -> f64 {
    let mut t = 0.0;
    for i in 0..n {
        let mut s = 1.0;
        for j in 0..i as i64 {
            s = (s * x[i][j as usize]).sin() + 0.5;
        }
        t += s;
    }
    t
}

#[test]
fn steps_are_bounded_by_parts_and_by_other_integers() {
    let (x, y) = (numbers(7, 0.4), numbers(9, 0.3));
    for (a, b) in [(0, 0), (2, 5), (0, 7), (7, 7), (3, 4)] {
        over_parts::check_derivatives(&x, &y, a, b);
    }
    assert!(over_parts::grad::scratch([7], [9], 2, 5) <= over_parts::grad::scratch([7], [9], 0, 7));
    [0, 1, 2, 3, 8].into_iter().for_each(|n| over_integers::check_derivatives(0.8, n));
    over_rows::check_derivatives(&[[0.1, 0.2, 0.3], [0.4, 0.5, 0.6], [0.7, 0.8, 0.9]]);
    let past_the_end = std::panic::catch_unwind(|| over_parts::grad(&x, &y, 5, 8));
    assert!(past_the_end.is_err());
    let turned = std::panic::catch_unwind(|| over_parts::grad(&x, &y, 5, 4));
    assert!(turned.is_err());
}

/// Exits depend on the state, and so does what the steps back read.
#[smooth(grad, jvp)]
fn until(x: &[f64; n], w: f64) -> f64 {
    let mut s = [1.0, w];
    for i in 0..n {
        if s[0] > 40.0 {
            break;
        }
        s = [s[1] * x[i] + s[0], s[0] * w];
    }
    s[0]
}

#[smooth(grad)]
fn slope_until(x: &[f64; n], w: f64) -> f64 {
    let (d_x, d_w) = until::grad(x, w);
    sum(n, |i| d_x[i] * d_x[i]) + d_w
}

/// A root, by steps until they are small.
#[smooth(grad)]
fn root(x: f64) -> f64 {
    let mut s = x;
    for _ in 0..50 {
        let next = 0.5 * (s + x / s);
        let done = (next - s).abs() < 1e-14;
        s = next;
        if done {
            break;
        }
    }
    s
}

#[smooth(grad)]
fn slope_of_root(x: f64) -> f64 {
    root::grad(x)
}

#[smooth(grad, jvp)]
fn curvature_of_root(x: f64) -> f64 {
    slope_of_root::grad(x)
}

#[test]
fn gradients_of_gradients_go_through_exits() {
    slope_until::check_derivatives(&[0.5, 3.0, 2.0, 1.5, 4.0, 0.1], 1.25);
    slope_until::check_derivatives(&[0.5, 0.3], 1.25);
    let third = curvature_of_root::grad(2.0);
    assert!((third - 0.375 * 2f64.powf(-2.5)).abs() < 1e-12, "{third}");
}

/// A counter beside a pair of arrays, of which an inner loop takes one: `count` is no state, and the pair is whole.
#[smooth]
fn spread(s: f64, o: &mut [(f64, f64); n]) {
    for i in 1..n {
        o[i] = (o[i].0 + o[i - 1].1 * s, o[i].1 * 0.5);
    }
}

#[smooth(vjp)]
fn counted_pairs(x: &[f64; n], s: f64, o: &mut [(f64, f64); k]) -> f64 {
    let mut count = 0;
    let mut total = 0.0;
    for i in 0..n {
        count += 1;
        spread(s, o);
        total += x[i] * count as f64;
    }
    total
}

#[test]
fn a_counter_beside_pairs_is_no_state() {
    counted_pairs::check_derivatives(&[0.3, 0.5, -0.2], 0.7, (&mut [0.1, 0.3, 0.5], &mut [0.2, -0.4, 0.6]));
}

/// An element that is multiplied in place, of an array that has a name for the first time.
#[smooth(vjp(w))]
fn multiplied(w: &[f64; n], p: usize) -> (f64, [f64; n]) {
    let (_, mut x) = ifold(p, (1.5, [0.5; n]), |(a, _), i| (a * 0.5, build(n, |_| w[(i + 1).min(n - 1)])));
    x[0] *= 3.0;
    (x[0], x)
}

#[test]
fn an_element_is_multiplied_in_place() {
    for p in 0..3 {
        multiplied::check_derivatives(&[0.7, 0.1, 0.4], p);
    }
}
