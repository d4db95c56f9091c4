//! With `checks = "all"` every index and slice is checked, the proved ones too. The results stay the same.

use smooth::prelude::*;

/// These kernels under each of several attributes.
macro_rules! kernels {
    ($module:ident: $how:meta) => {
        mod $module {
            use smooth::prelude::*;

            #[$how]
            pub fn sums(a: &[f64; n], b: &[f64; n]) -> f64 {
                sum(n, |i| a[i] * b[n - 1 - i])
            }

            #[$how]
            pub fn product(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [[f64; m]; n] {
                build([n, m], |i, j| sum(k, |l| a[i][l] * b[l][j]))
            }

            #[$how]
            pub fn stencil(a: &[[f64; m]; n]) -> [[f64; m]; n] {
                build([n, m], |i, j| {
                    if i == 0 || j == 0 || i + 1 == n || j + 1 == m {
                        a[i][j]
                    } else {
                        a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]
                    }
                })
            }

            #[$how]
            pub fn columns(a: &[[f64; m]; n]) -> [f64; m] {
                build(m, |j| sum(n, |i| a[i][j] * a[i][j]))
            }

            #[$how]
            pub fn steps(a: &[f64; n], times: usize) -> [f64; n] {
                ifold(times, a.clone(), |s, _| build(n, |i| 0.5 * (s[i] + s[(i + 1) % n])))
            }

            #[$how]
            pub fn histogram(values: &[usize; n], count: &mut [u32; bins]) {
                for x in values.iter() {
                    if *x < bins {
                        count[*x] += 1;
                    }
                }
            }

            #[$how]
            pub fn sorted(a: &[f64; n]) -> [f64; n] {
                let mut x = a.clone();
                for i in 1..n {
                    let mut j = i;
                    while j > 0 && x[j - 1] > x[j] {
                        x.swap(j - 1, j);
                        j -= 1;
                    }
                }
                x
            }

            #[$how]
            pub fn place(a: &[f64; n], x: f64) -> usize {
                let mut low = 0;
                let mut high = n;
                while low < high {
                    let middle = low + (high - low) / 2;
                    if a[middle] < x {
                        low = middle + 1;
                    } else {
                        high = middle;
                    }
                }
                low
            }

            #[$how]
            pub fn parts(a: &[f64; n], k: usize) -> f64 {
                let head = &a[..k];
                let tail = build(n - k, |i| a[i + k]);
                sum(k, |i| head[i] * 2.0) - sum(n - k, |i| tail[i] * tail[n - k - 1 - i])
            }

            #[$how]
            pub fn last_positive(a: &[f64; n]) -> f64 {
                ifold(n, 0.0, |s, i| if i > 0 && a[i - 1] > a[i] { a[i - 1] } else { s })
            }

            #[$how]
            pub fn planes(t: &[[[f64; 3]; k]; n]) -> [[f64; k]; 3] {
                build(3, |c| build(k, |j| sum(n, |i| t[i][j][c])))
            }

            #[$how]
            pub fn pairs(a: &[f64; n]) -> ([f64; n], [f64; n]) {
                let s = build(n, |i| (a[i] * 1.5 - a[n - 1 - i]).sin());
                let c = build(n, |i| (a[i] * 1.5 - a[n - 1 - i]).cos());
                (s, c)
            }
        }
    };
}

kernels!(proved: smooth);
kernels!(checked: smooth(checks = "all"));

fn numbers(n: usize, seed: usize) -> Vec<f64> {
    (0..n).map(|i| ((i * 37 + seed * 11) % 101) as f64 / 40.0 - 1.2).collect()
}

#[test]
fn all_checks_change_no_result() {
    for n in [0, 1, 2, 3, 5, 16, 17, 33, 70] {
        let (a, b) = (numbers(n, 1), numbers(n, 2));
        assert_eq!(proved::sums(&a, &b), checked::sums(&a, &b));
        assert_eq!(proved::steps(&a, 4), checked::steps(&a, 4));
        assert_eq!(proved::sorted(&a), checked::sorted(&a));
        let sorted = proved::sorted(&a);
        assert_eq!(proved::place(&sorted, 0.3), checked::place(&sorted, 0.3));
        assert_eq!(proved::parts(&a, n / 3), checked::parts(&a, n / 3));
        assert_eq!(proved::last_positive(&a), checked::last_positive(&a));
        assert_eq!(proved::pairs(&a), checked::pairs(&a));
        let values: Vec<usize> = (0..n).map(|i| i * 7 % 11).collect();
        let (mut one, mut other) = ([0; 8], [0; 8]);
        proved::histogram(&values, &mut one);
        checked::histogram(&values, &mut other);
        assert_eq!(one, other);
        for m in [1, 2, 9, 40] {
            let (x, y) = (numbers(n * m, 3), numbers(m * n, 4));
            let (x, y) = (View::new(&x, [n, m]), View::new(&y, [m, n]));
            assert_eq!(proved::product(x, y), checked::product(x, y));
            assert_eq!(proved::stencil(x), checked::stencil(x));
            assert_eq!(proved::columns(x), checked::columns(x));
            let t = numbers(n * m * 3, 5);
            let t = View::new(&t, [n, m, 3]);
            assert_eq!(proved::planes(t), checked::planes(t));
        }
    }
}
