//! Gains of tiles, panels and local states: kernels with and without the pass. `cargo bench --bench tiles`; results in
//! `benches/README.md`.
//!
//! The two forms of a kernel give the same bits, which is asserted. Words after `--` select kernels.

mod inputs;
mod versus;

use inputs::numbers;
use smooth::{Arena, View, ViewMut};
use std::hint::black_box as bb;
use versus::{head, versus};

/// These kernels in two modules, the second one without a pass.
macro_rules! twice {
    ($with:ident $without:ident $pass:ident: $($(#[$doc:meta])* fn $name:ident($($x:ident: $ty:ty),*) -> $out:ty $body:block)*) => {
        mod $with {
            use smooth::prelude::*;
            $($(#[$doc])* #[smooth] pub fn $name($($x: $ty),*) -> $out $body)*
        }
        mod $without {
            use smooth::prelude::*;
            $($(#[$doc])* #[smooth(passes($pass = false))] pub fn $name($($x: $ty),*) -> $out $body)*
        }
    };
}

/// Tables of sums in modules, each with its arguments of the attribute.
macro_rules! tables {
    ($($module:ident($($args:tt)*))*) => {$(
        mod $module {
            use smooth::prelude::*;

            /// A product of matrices.
            #[smooth($($args)*)]
            pub fn product(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
                build([n, m], |i, j| sum(k, |l| a[i][l] * b[l][j]))
            }
            /// A product whose first factor is transposed.
            #[smooth($($args)*)]
            pub fn transposed(a: &[[f64; n]; k], b: &[[f64; m]; k]) -> [[f64; m]; n] {
                build([n, m], |i, j| sum(k, |l| a[l][i] * b[l][j]))
            }
            /// A layer of a network.
            #[smooth($($args)*)]
            pub fn layer(x: &[[f64; k]; n], w: &[[f64; m]; k], bias: &[f64; m]) -> [[f64; m]; n] {
                build([n, m], |i, j| {
                    let z = sum(k, |l| x[i][l] * w[l][j]) + bias[j];
                    if z > 0.0 { z } else { 0.0 }
                })
            }
            /// Squared distances of points whose coordinates are columns.
            #[smooth($($args)*)]
            pub fn distances(x: &[[f64; k]; n], y: &[[f64; m]; k]) -> [[f64; m]; n] {
                build([n, m], |i, j| sum(k, |l| (x[i][l] - y[l][j]) * (x[i][l] - y[l][j])))
            }
        }
    )*};
}

tables! { tiled() blocked(passes(tile = false)) spread(passes(panel = false)) }

twice! { kept turned scalar_replacement:
    /// A chain of transformations.
    fn chain(ms: &[[[f64; 4]; 4]; n]) -> [[f64; 4]; 4] {
        ifold(n, build([4, 4], |i, j| if i == j { 1.0 } else { 0.0 }), |p, q| {
            build([4, 4], |i, j| sum(4, |l| p[i][l] * ms[q][l][j]))
        })
    }
    /// Some steps of a rotation.
    fn spin(m: &[[f64; 3]; 3], steps: usize, x: &[f64; 3]) -> [f64; 3] {
        ifold(steps, x.clone(), |s, _| build(3, |i| sum(3, |j| m[i][j] * s[j])))
    }
}

/// `pair!(name: with, without; x of n = …)`: both write destinations of `n` numbers, which are compared.
macro_rules! pair {
    ($name:expr, $with:path, $without:path, $n:expr, |$x:ident, $arena:ident| ($($arg:expr),*)) => {{
        let (mut first, mut second) = (vec![0.0; $n], vec![0.0; $n]);
        let (mut one, mut other) = (Arena::new(), Arena::new());
        let with = |$x: &mut [f64], $arena: &mut Arena| { $with($($arg,)* $arena); };
        let without = |$x: &mut [f64], $arena: &mut Arena| { $without($($arg,)* $arena); };
        with(&mut first, &mut one);
        without(&mut second, &mut other);
        assert!(first == second, "{}: the results differ; it will not be timed", $name);
        versus(&$name, || with(bb(&mut first), &mut one), || without(bb(&mut second), &mut other));
    }};
}

fn table<const D: usize>(a: &[f64], dims: [usize; D]) -> View<'_, f64, D> {
    View::new(bb(a), dims)
}

fn main() {
    let all = &numbers(1 << 18, 1);
    head();
    for n in [2, 3, 4, 5, 8, 16, 31, 64, 100, 256, 512] {
        pair!(format!("product {n}"), tiled::product::into, blocked::product::into, n * n, |x, arena| (
            ViewMut::new(x, [n, n]),
            table(&all[..n * n], [n, n]),
            table(&all[..n * n], [n, n])
        ));
    }
    for (n, k, m) in [(5, 3, 30), (33, 65, 47), (64, 784, 128), (1000, 20, 100), (1, 100, 100), (1, 512, 512)] {
        let (a, b) = (&all[..n * k], &all[..k * m]);
        pair!(
            format!("transposed {n}x{k}x{m}"),
            tiled::transposed::into,
            blocked::transposed::into,
            n * m,
            |x, arena| (ViewMut::new(x, [n, m]), table(a, [k, n]), table(b, [k, m]))
        );
        pair!(format!("layer {n}x{k}x{m}"), tiled::layer::into, blocked::layer::into, n * m, |x, arena| (
            ViewMut::new(x, [n, m]),
            table(a, [n, k]),
            table(b, [k, m]),
            &all[..m]
        ));
        pair!(format!("distances {n}x{k}x{m}"), tiled::distances::into, blocked::distances::into, n * m, |x, arena| (
            ViewMut::new(x, [n, m]),
            table(a, [n, k]),
            table(b, [k, m])
        ));
    }
    // With tiles on both sides.
    let n = 512;
    let (a, b) = (table(&all[..n * n], [n, n]), table(&all[..n * n], [n, n]));
    pair!("panels: product 512", tiled::product::into, spread::product::into, n * n, |x, arena| (
        ViewMut::new(x, [n, n]),
        a,
        b
    ));
    pair!("panels: transposed 512", tiled::transposed::into, spread::transposed::into, n * n, |x, arena| (
        ViewMut::new(x, [n, n]),
        a,
        b
    ));
    pair!("panels: layer 512", tiled::layer::into, spread::layer::into, n * n, |x, arena| (
        ViewMut::new(x, [n, n]),
        a,
        b,
        &all[..n]
    ));
    pair!("panels: distances 512", tiled::distances::into, spread::distances::into, n * n, |x, arena| (
        ViewMut::new(x, [n, n]),
        a,
        b
    ));
    let rotation = [[0.9, 0.1, 0.0], [-0.1, 0.9, 0.1], [0.0, -0.1, 0.9]];
    for steps in [1, 4, 100] {
        let matrices = vec![[[0.9, 0.1, 0.0, 0.1]; 4]; steps];
        let (mut x, mut y) = ([[0.0; 4]; 4], [[0.0; 4]; 4]);
        versus(&format!("chain {steps}"), || x = kept::chain(bb(&matrices)), || y = turned::chain(bb(&matrices)));
        assert!(x == y);
        let (mut x, mut y) = ([0.0; 3], [0.0; 3]);
        let from = [1.0, 2.0, 3.0];
        versus(
            &format!("spin {steps}"),
            || x = kept::spin(bb(&rotation), bb(steps), bb(&from)),
            || y = turned::spin(bb(&rotation), bb(steps), bb(&from)),
        );
        assert!(x == y);
    }
}
