//! The arrays of a fold's state are updated in place, also if the next state has a name, is read again in the step, or
//! is a component of a tuple. The part of the last state that is the result is in the destination from the start.

// The next state is also summed.
//~ arrays(stored): 0
//~ copies(stored): 1
//~ peak: 0
//~ run: relaxed([2, 4], 2) == ([0.5, 1.0], 4.5)
#[smooth]
fn relaxed(a: &[f64; n], steps: usize) -> ([f64; n], f64) {
    ifold(steps, (a.clone(), 0.0), |(s, total), _| {
        let next = build(n, |i| s[i] * 0.5);
        let all = sum(n, |i| next[i]);
        (next, total + all)
    })
}

// The step reads other elements of the old state: two buffers, and no copy.
//~ copies(stored): 1
//~ peak: bytes (n, ∘)
//~ run: swapped([2, 4], 1) == ([2, 1], 3)
#[smooth]
fn swapped(a: &[f64; n], steps: usize) -> ([f64; n], f64) {
    ifold(steps, (a.clone(), 0.0), |(s, total), _| {
        let next = build(n, |i| s[n - 1 - i] * 0.5);
        let all = sum(n, |i| next[i]);
        (next, total + all)
    })
}

// Three arrays, of which one is the result; the others are not copied.
//~ copies(stored): 0
//~ peak: 2 * bytes (n, ∘)
//~ run: moments([[2, 4], [0, 0]]) == [-1.0, -0.5]
#[smooth]
fn moments(g: &[[f64; n]; t]) -> [f64; n] {
    let (x, _, _) = ifold(t, ([0.0; n], [0.0; n], [0.0; n]), |(x, m, v), k| {
        let m = build(n, |i| 0.5 * m[i] + g[k][i]);
        let v = build(n, |i| 0.5 * v[i] + g[k][i] * g[k][i]);
        (build(n, |i| x[i] - m[i] / v[i].max(2.0)), m, v)
    });
    x
}

// Positions and speeds, each in its destination.
//~ peak: 0
//~ run: springs([0, 1, 0], [0, 0, 0], 1) == ([0, 0.5, 0], [0, -0.5, 0])
#[smooth]
fn springs(x: &[f64; n], v: &[f64; n], steps: usize) -> ([f64; n], [f64; n]) {
    ifold(steps, (x.clone(), v.clone()), |(x, v), _| {
        let force = build(n, |i| if i == 0 || i == n - 1 { 0.0 } else { x[i - 1] - 2.0 * x[i] + x[i + 1] });
        let v = build(n, |i| v[i] + 0.25 * force[i]);
        (build(n, |i| x[i] + v[i]), v)
    })
}

// Conjugate gradients: the residual, the direction and its image.
//~ copies(stored): 2
//~ peak: 3 * bytes (n, ∘)
//~ run: solve([[2, 0], [0, 2]], [2, 4], 1) == [1, 2]
#[smooth]
fn solve(a: &[[f64; n]; n], b: &[f64; n], steps: usize) -> [f64; n] {
    let (x, _, _, _) = ifold(steps, ([0.0; n], b.clone(), b.clone(), vector_dot(b, b)), |(x, r, p, rr), _| {
        let ap = build(n, |i| vector_dot(&a[i], &p));
        let alpha = rr / vector_dot(&p, &ap);
        let r = build(n, |i| r[i] - alpha * ap[i]);
        let next = vector_dot(&r, &r);
        (build(n, |i| x[i] + alpha * p[i]), r, build(n, |i| r[i] + next / rr * p[i]), next)
    });
    x
}
