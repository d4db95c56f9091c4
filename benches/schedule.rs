//! Gains of the passes on loops: kernels as users write them, with and without one pass. `cargo bench --bench schedule`;
//! results in `benches/README.md`. Words after `--` select kernels.

mod inputs;
mod versus;

use inputs::numbers;
use smooth::{View, ViewMut};
use std::hint::black_box as bb;
use versus::{head, versus};

/// The kernels with these options, in a module.
macro_rules! kernels {
    ($name:ident $($options:tt)*) => {
        mod $name {
            use smooth::prelude::*;

            /// Heat on a chip, with clamped neighbours (Rodinia's hotspot).
            #[smooth($($options)*)]
            pub fn hotspot(t: &[[f64; m]; n], power: &[[f64; m]; n], steps: usize) -> [[f64; m]; n] {
                ifold(steps, t.clone(), |t, _| build([n, m], |i, j| {
                    let up = t[if i == 0 { 0 } else { i - 1 }][j];
                    let down = t[if i == n - 1 { i } else { i + 1 }][j];
                    let left = t[i][j.saturating_sub(1)];
                    let right = t[i][(j + 1).min(m - 1)];
                    let c = t[i][j];
                    let flow = (down + up - 2.0 * c) * 0.3 + (right + left - 2.0 * c) * 0.2;
                    c + 0.1 * (power[i][j] + flow + (80.0 - c) * 0.05)
                }))
            }

            /// The cheapest way down a wall (Rodinia's pathfinder).
            #[smooth($($options)*)]
            pub fn pathfinder(wall: &[[f64; m]; n]) -> [f64; m] {
                ifold(n - 1, wall[0].clone(), |s, t| build(m, |j| {
                    let mut best = s[j];
                    if j > 0 {
                        best = best.min(s[j - 1]);
                    }
                    if j + 1 < m {
                        best = best.min(s[j + 1]);
                    }
                    wall[t + 1][j] + best
                }))
            }

            /// Seven points in space; the surface stays.
            #[smooth($($options)*)]
            pub fn stencil7(a: &[[[f64; l]; m]; n]) -> [[[f64; l]; m]; n] {
                build([n, m, l], |i, j, k| {
                    if i == 0 || i == n - 1 || j == 0 || j == m - 1 || k == 0 || k == l - 1 {
                        a[i][j][k]
                    } else {
                        let (x, y) = (a[i - 1][j][k] + a[i + 1][j][k], a[i][j - 1][k] + a[i][j + 1][k]);
                        0.4 * a[i][j][k] + 0.1 * (x + y + a[i][j][k - 1] + a[i][j][k + 1])
                    }
                })
            }

            /// Upwind advection.
            #[smooth($($options)*)]
            pub fn upwind(u: &[f64; n], steps: usize) -> [f64; n] {
                ifold(steps, u.clone(), |u, _| {
                    build(n, |i| u[i] - 0.3 * (u[i] - if i == 0 { 0.0 } else { u[i - 1] }))
                })
            }

            /// Diffusion on a ring.
            #[smooth($($options)*)]
            pub fn ring(u: &[f64; n], steps: usize) -> [f64; n] {
                ifold(steps, u.clone(), |u, _| {
                    build(n, |i| 0.5 * u[i] + 0.25 * (u[(i + 1) % n] + u[(i + n - 1) % n]))
                })
            }

            /// A sum of what a mask selects.
            #[smooth($($options)*)]
            pub fn masked(x: &[f64; n], mask: &[f64; n], t: f64) -> f64 {
                sum(n, |i| if mask[i] > 0.5 && x[i] < t { x[i] } else { 0.0 })
            }

            /// Points that do not move.
            #[smooth($($options)*)]
            pub fn frozen(x: &[f64; n], y: &[f64; n], z: &[f64; n]) -> [f64; n] {
                build(n, |i| if x[i] > 0.5 { x[i] + y[i] * z[i] } else { x[i] })
            }

            /// A polynomial, after Horner.
            #[smooth($($options)*)]
            pub fn horner(x: &[f64; n], c: &[f64; k]) -> [f64; n] {
                build(n, |i| ifold(k, 0.0, |y, j| y * x[i] + c[j]))
            }

            /// Two images of three colours, one before the other.
            #[smooth($($options)*)]
            pub fn over(front: &[[[f32; 3]; w]; h], back: &[[[f32; 3]; w]; h], alpha: f32) -> [[[f32; 3]; w]; h] {
                build([h, w, 3], |y, x, c| back[y][x][c] + alpha * (front[y][x][c] - back[y][x][c]))
            }

            /// A step of gradient descent with decay.
            #[smooth($($options)*)]
            pub fn descend(weights: &mut [[f64; k]; n], gradient: &[[f64; k]; n], rate: f64) {
                for i in 0..n {
                    for j in 0..k {
                        weights[i][j] -= rate * (gradient[i][j] + 0.001 * weights[i][j]);
                    }
                }
            }

            /// The squared lengths of vectors after a triangular matrix, stored by rows.
            #[smooth($($options)*)]
            pub fn triangle(l: &[f64; t], x: &[[f64; n]; d]) -> [f64; n] {
                build(n, |p| sum(d, |i| {
                    let start = (i * i - i) / 2;
                    let row = &l[start..start + i];
                    let v = ifold(i, x[i][p], |s, j| s + row[j] * x[j][p]);
                    v * v
                }))
            }
        }
    };
}

kernels!(with preset = "DFBS");
kernels!(uncut passes(split_ranges = false));
kernels!(branching passes(if_convert = false));
kernels!(stored passes(promote = false));
kernels!(nested passes(collapse = false));

fn singles(n: usize, seed: u64) -> Vec<f32> {
    numbers(n, seed).into_iter().map(|x| x as f32).collect()
}

fn main() {
    head();
    for n in [16, 256] {
        let (t, p) = (numbers(n * n, 1), numbers(n * n, 2));
        let (t, p) = (View::new(&t, [n, n]), View::new(&p, [n, n]));
        assert_eq!(with::hotspot(t, p, 9), uncut::hotspot(t, p, 9));
        let name = format!("hotspot {n}");
        versus(&name, || drop(bb(with::hotspot(bb(t), bb(p), 20))), || drop(bb(uncut::hotspot(bb(t), bb(p), 20))));
    }
    let wall = numbers(100 * 10_000, 3);
    let wall = View::new(&wall, [100, 10_000]);
    assert_eq!(with::pathfinder(wall), uncut::pathfinder(wall));
    versus("pathfinder", || drop(bb(with::pathfinder(bb(wall)))), || drop(bb(uncut::pathfinder(bb(wall)))));
    for n in [8, 48] {
        let a = numbers(n * n * n, 4);
        let (a, mut out, mut other) = (View::new(&a, [n, n, n]), a.clone(), a.clone());
        with::stencil7::into(ViewMut::new(&mut out, [n, n, n]), a, &mut smooth::Arena::new());
        uncut::stencil7::into(ViewMut::new(&mut other, [n, n, n]), a, &mut smooth::Arena::new());
        assert_eq!(out, other);
        versus(
            &format!("stencil7 {n}"),
            || with::stencil7::into(ViewMut::new(bb(&mut out), [n, n, n]), bb(a), &mut smooth::Arena::new()),
            || uncut::stencil7::into(ViewMut::new(bb(&mut other), [n, n, n]), bb(a), &mut smooth::Arena::new()),
        );
    }
    for n in [10, 1_000] {
        let u = numbers(n, 5);
        assert_eq!(with::upwind(&u, 9), uncut::upwind(&u, 9));
        assert_eq!(with::ring(&u, 9), uncut::ring(&u, 9));
        versus(&format!("upwind {n}"), || drop(bb(with::upwind(bb(&u), 50))), || drop(bb(uncut::upwind(bb(&u), 50))));
        versus(&format!("ring {n}"), || drop(bb(with::ring(bb(&u), 50))), || drop(bb(uncut::ring(bb(&u), 50))));
    }
    for n in [10, 1_000, 100_000] {
        let (x, y, z) = (numbers(n, 6), numbers(n, 7), numbers(n, 8));
        assert_eq!(with::masked(&x, &y, 0.5).to_bits(), branching::masked(&x, &y, 0.5).to_bits());
        assert_eq!(with::frozen(&x, &y, &z), branching::frozen(&x, &y, &z));
        let masked = |f: fn(&[f64], &[f64], f64) -> f64| {
            move |x: &[f64], y: &[f64]| {
                bb(f(bb(x), bb(y), 0.5));
            }
        };
        let (ours, theirs) = (masked(with::masked), masked(branching::masked));
        versus(&format!("masked {n}"), || ours(&x, &y), || theirs(&x, &y));
        versus(
            &format!("frozen {n}"),
            || drop(bb(with::frozen(bb(&x), bb(&y), bb(&z)))),
            || drop(bb(branching::frozen(bb(&x), bb(&y), bb(&z)))),
        );
    }
    let (x, c) = (numbers(1_000, 9), numbers(40, 10));
    for k in [2, 5, 9, 40] {
        let c = &c[..k];
        assert_eq!(with::horner(&x, c), stored::horner(&x, c));
        versus(
            &format!("horner {k}"),
            || drop(bb(with::horner(bb(&x), bb(c)))),
            || drop(bb(stored::horner(bb(&x), bb(c)))),
        );
    }
    for d in [2, 4, 10, 30] {
        let (l, x) = (numbers(d * (d - 1) / 2, 11), numbers(1_000 * d, 12));
        let x = View::new(&x, [d, 1_000]);
        assert_eq!(with::triangle(&l, x), stored::triangle(&l, x));
        versus(
            &format!("triangle {d}"),
            || drop(bb(with::triangle(bb(&l), bb(x)))),
            || drop(bb(stored::triangle(bb(&l), bb(x)))),
        );
    }
    for [h, w] in [[100, 1], [100, 3], [30, 40], [480, 640]] {
        let (front, back) = (singles(h * w * 3, 13), singles(h * w * 3, 14));
        let (front, back) = (View::new(&front, [h, w, 3]), View::new(&back, [h, w, 3]));
        let (mut out, mut other) = (with::over(front, back, 0.3), nested::over(front, back, 0.3));
        assert_eq!(out, other);
        versus(
            &format!("over {h} × {w}"),
            || with::over::into(bb(&mut out), bb(front), bb(back), bb(0.3), &mut smooth::Arena::new()),
            || nested::over::into(bb(&mut other), bb(front), bb(back), bb(0.3), &mut smooth::Arena::new()),
        );
    }
    for k in [3, 8, 30, 300] {
        let gradient = numbers(100 * k, 15);
        let gradient = View::new(&gradient, [100, k]);
        let (mut one, mut other) = (gradient.to_row_major(), gradient.to_row_major());
        with::descend(&mut one, gradient, 0.1);
        nested::descend(&mut other, gradient, 0.1);
        assert_eq!(one, other);
        versus(
            &format!("descend {k}"),
            || with::descend(bb(&mut one), bb(gradient), bb(1e-9)),
            || nested::descend(bb(&mut other), bb(gradient), bb(1e-9)),
        );
    }
}
