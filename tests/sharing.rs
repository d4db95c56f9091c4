//! Terms with several consumers are computed once, and the result stays the same, bit for bit.

use smooth::prelude::*;

/// These kernels under each of several attributes.
macro_rules! kernels {
    ($module:ident: $how:meta) => {
        mod $module {
            use smooth::prelude::*;

            /// Two sums that need the same exponential.
            #[$how]
            pub fn moments(a: &[f64; n]) -> (f64, f64) {
                (sum(n, |i| a[i].exp()), sum(n, |i| a[i] * a[i].exp()))
            }

            /// Two sums that need the same inner sum.
            #[$how]
            pub fn nested(a: &[f64; n], b: &[f64; k]) -> f64 {
                let most = sum(n, |i| sum(k, |j| (a[i] * b[j]).sin()));
                let other = sum(n, |i| a[i] * sum(k, |j| (a[i] * b[j]).sin()));
                most - other
            }

            /// Folds over numbers and pairs.
            #[$how]
            pub fn range(a: &[f64; n]) -> [f64; 4] {
                let most = ifold(n, 0.0, |m: f64, i| m.max(a[i]));
                let least = ifold(n, 0.0, |m: f64, i| m.min(a[i]));
                let (place, value) = ifold(n, (0, 0.0), |(p, v), i| if a[i] > v { (i, a[i]) } else { (p, v) });
                [most, least, place as f64, value]
            }

            /// Two arrays that need the same angle, in each element and in sums for each.
            #[$how]
            pub fn waves(a: &[f64; n], b: &[f64; k]) -> ([f64; n], [f64; n]) {
                let re = build(n, |i| sum(k, |j| (a[i] * b[j] - 0.5 * a[i]).cos()));
                let im = build(n, |i| sum(k, |j| (a[i] * b[j] - 0.5 * a[i]).sin()));
                (re, im)
            }

            /// Two planes of points in polar coordinates, which rows of other planes are added to.
            #[$how]
            pub fn polar(m: &[[f64; k]; n], s: f64) -> ([[f64; k]; n], [[f64; k]; n], f64) {
                let length = build([n, k], |i, j| (m[i][j] * m[i][j] + s * s + 1.0).sqrt());
                let unit = build([n, k], |i, j| m[i][j] / (m[i][j] * m[i][j] + s * s + 1.0).sqrt());
                let all = sum(n, |i| sum(k, |j| length[i][j] * unit[n - 1 - i][j]));
                (length, unit, all)
            }

            /// The exponential and the whole array `e` are the same for each row.
            #[$how]
            pub fn rows(m: &[[f64; k]; n], b: &[f64; k], s: f64) -> [f64; n] {
                build(n, |r| {
                    let e = build(k, |j| b[j].exp() - s.exp());
                    sum(k, |j| e[j] * m[r][j]) + sum(k, |j| e[(j * 2) % k])
                })
            }

            /// An element that exists only if there are rows.
            #[$how]
            pub fn guarded(a: &[f64; n], b: &[f64; k]) -> [f64; n] {
                build(n, |i| a[i] / (b[n - 1] * b[0]).sqrt())
            }
        }
    };
}

kernels!(shared: smooth);
kernels!(apart: smooth(passes(cse = false, invariant = false, merge_folds = false)));
kernels!(strict: smooth(float = "strict"));

fn numbers(n: usize, seed: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * 37 + seed * 11) % 101) as f64 / 40.0 - 1.2).collect()
}

fn bits(xs: impl AsRef<[f64]>) -> Vec<u64> {
    xs.as_ref().iter().map(|x| x.to_bits()).collect()
}

#[test]
fn sharing_changes_no_bit() {
    for n in [0, 1, 2, 15, 16, 17, 33, 100] {
        for k in [1, 2, 16, 19] {
            let (a, b, m) = (numbers(n, 1), numbers(k, 2), numbers(n * k, 3));
            let rows: Vec<Vec<f64>> = m.chunks(k).map(<[f64]>::to_vec).collect();
            let view = || View::new(&m, [n, k]);
            let (x, y) = shared::moments(&a);
            let (p, q) = apart::moments(&a);
            assert_eq!(bits([x, y]), bits([p, q]));
            let (x, y) = strict::moments(&a);
            let (p, q) = strict::moments::reference(&a);
            assert_eq!(bits([x, y]), bits([p, q]));
            assert_eq!(bits([shared::nested(&a, &b)]), bits([apart::nested(&a, &b)]));
            assert_eq!(bits([strict::nested(&a, &b)]), bits([strict::nested::reference(&a, &b)]));
            assert_eq!(bits(shared::range(&a)), bits(apart::range(&a)));
            let ((p, q), (x, y)) = (shared::waves(&a, &b), apart::waves(&a, &b));
            assert_eq!((bits(p), bits(q)), (bits(x), bits(y)));
            let ((p, q), (x, y)) = (strict::waves(&a, &b), strict::waves::reference(&a, &b));
            assert_eq!((bits(p), bits(q)), (bits(x), bits(y)));
            let (p, q, r) = shared::polar(view(), 0.5);
            let (x, y, z) = apart::polar(view(), 0.5);
            assert_eq!(
                (bits(p.as_slice()), bits(q.as_slice()), bits([r])),
                (bits(x.as_slice()), bits(y.as_slice()), bits([z]))
            );
            assert_eq!(bits(strict::range(&a)), bits(strict::range::reference(&a)));
            assert_eq!(bits(shared::rows(view(), &b, 0.5)), bits(apart::rows(view(), &b, 0.5)));
            assert_eq!(bits(strict::rows(view(), &b, 0.5)), bits(strict::rows::reference(&rows, &b, 0.5)));
        }
    }
}

#[test]
fn hoisted_terms_run_only_if_the_loop_does() {
    // No rows: nothing is read, nothing is out of range.
    assert_eq!(shared::guarded(&[], &[1.0]), []);
    assert_eq!(shared::guarded(&[], &[]), []);
    assert_eq!(shared::guarded(&[6.0, 8.0], &[4.0, 1.0]), [3.0, 4.0]);
    assert!(std::panic::catch_unwind(|| shared::guarded(&[1.0, 2.0], &[1.0])).is_err());
}

/// Too large to be inlined.
#[smooth(passes(inline = false))]
fn turned(a: &[f64; n], s: f64) -> [f64; n] {
    let e = build(n, |i| (a[i] * s).exp());
    build(n, |i| e[n - 1 - i] + e[i / 2])
}

/// A temporary for the first element is in the storage of that element.
#[smooth(preset = "DFB", passes(inline = false))]
fn in_its_own_cell(s: f64, k: usize) -> [f64; 2] {
    [s * turned(&build(1, |_| s * k as f64), 0.5)[0], s]
}

#[test]
fn a_temporary_may_be_in_the_storage_of_its_element() {
    assert_eq!(in_its_own_cell(0.3, 2).to_vec(), in_its_own_cell::reference(0.3, 2));
}

/// A number that is the length of no array, and of a loop with functions that do not vary in the loop around.
#[smooth]
fn no_length(x: &[f64; n], k: usize, c: &[f64; m]) -> [f64; m] {
    build(m, |q| sum(k, |i| x[i % n].tanh() * c[q]))
}

#[test]
fn a_table_is_as_long_as_an_array() {
    let (x, c) = ([0.3, -0.5, 0.9], [1.0, 2.0]);
    let tanh: f64 = (0..7).map(|i| x[i % 3].tanh()).sum();
    for (found, c) in no_length(&x, 7, &c).into_iter().zip(c) {
        assert!((found - tanh * c).abs() < 1e-12);
    }
}
