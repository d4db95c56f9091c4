//! Loops that write elements, in several texts, against plain Rust: the same bits in every order of the loops, at sizes with
//! tiles, blocks and remainders.

use smooth::prelude::*;

const SIZES: [[usize; 3]; 10] = [
    [0, 3, 4],
    [3, 0, 4],
    [3, 4, 0],
    [1, 1, 1],
    [2, 3, 5],
    [5, 33, 7],
    [17, 16, 40],
    [70, 5, 9],
    [33, 130, 35],
    [4, 700, 3],
];

fn values(n: usize, seed: u64) -> Vec<f64> {
    let mut s = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut next = || {
        s ^= s << 13;
        s ^= s >> 7;
        s ^= s << 17;
        (s >> 40) as f64 / 1e6 - 8.0
    };
    (0..n).map(|_| next()).collect()
}

fn bits(x: &[f64]) -> Vec<u64> {
    x.iter().map(|x| x.to_bits()).collect()
}

macro_rules! products {
    ([$i:ident $j:ident $l:ident] [$n:ident $m:ident $k:ident] $($name:ident: $a:ident < $x:ident, $b:ident < $y:ident, $c:ident < $z:ident;)*) => {
        $(
            #[smooth]
            fn $name(a: &[[f64; $k]; $n], b: &[[f64; $m]; $k], start: f64) -> [[f64; $m]; $n] {
                let mut c = [[start; $m]; $n];
                for $a in 0..$x {
                    for $b in 0..$y {
                        for $c in 0..$z {
                            c[$i][$j] += a[$i][$l] * b[$l][$j];
                        }
                    }
                }
                c
            }
        )*

        #[test]
        fn products_have_the_same_bits_in_all_orders() {
            for [n, m, k] in SIZES {
                let (a, b) = (values(n * k, 3), values(k * m, 5));
                let mut plain = vec![0.5; n * m];
                for i in 0..n {
                    for j in 0..m {
                        for l in 0..k {
                            plain[m * i + j] += a[k * i + l] * b[m * l + j];
                        }
                    }
                }
                $(
                    let mut out = vec![f64::NAN; n * m];
                    let view = ViewMut::new(&mut out, [n, m]);
                    $name::into(view, View::new(&a, [n, k]), View::new(&b, [k, m]), 0.5, &mut Arena::new());
                    assert_eq!(bits(&out), bits(&plain), "{} at {n}, {m}, {k}", stringify!($name));
                )*
            }
        }
    };
}

products! {
    [i j l] [n m k]
    ijl: i < n, j < m, l < k;
    ilj: i < n, l < k, j < m;
    jil: j < m, i < n, l < k;
    jli: j < m, l < k, i < n;
    lij: l < k, i < n, j < m;
    lji: l < k, j < m, i < n;
}

#[smooth]
fn in_place(a: &[[f64; k]; n], b: &[[f64; m]; k], c: &mut [[f64; m]; n]) {
    for l in 0..k {
        for i in 0..n {
            for j in 0..m {
                c[i][j] -= a[i][l] * b[l][j];
            }
        }
    }
}

#[smooth]
fn taps_outside(a: &[[f64; w]; h], t: &[[f64; v]; u]) -> [[f64; w - v + 1]; h - u + 1] {
    let mut o = [[0.0; w - v + 1]; h - u + 1];
    for r in 0..u {
        for c in 0..v {
            for i in 0..h - u + 1 {
                for j in 0..w - v + 1 {
                    o[i][j] += t[r][c] * a[i + r][j + c];
                }
            }
        }
    }
    o
}

#[smooth]
fn taps_as_sums(a: &[[f64; w]; h], t: &[[f64; v]; u]) -> [[f64; w - v + 1]; h - u + 1] {
    build([h - u + 1, w - v + 1], |i, j| sum(u, |r| sum(v, |c| t[r][c] * a[i + r][j + c])))
}

#[smooth]
fn columns(x: &[[f64; m]; n]) -> [[f64; m]; n + 1] {
    let mut o = [[0.0; m]; n + 1];
    for j in 0..m {
        for i in (0..n).rev() {
            o[i][j] = o[i + 1][j] * 0.5 + x[i][j];
        }
    }
    o
}

#[smooth]
fn solved(l: &[[f64; n]; n], b: &[[f64; m]; n]) -> [[f64; m]; n] {
    let mut x = b.clone();
    for i in 0..n {
        for k in 0..i {
            for j in 0..m {
                x[i][j] -= l[i][k] * x[k][j];
            }
        }
        for j in 0..m {
            x[i][j] /= l[i][i];
        }
    }
    x
}

#[smooth]
fn rows_with_room(x: &[[f64; m]; n]) -> [[f64; m]; n] {
    let mut o = [[0.0; m]; n];
    for i in 0..n {
        let mut t = [0.0; m];
        for j in 0..m {
            t[j] = x[i][j] * 2.0;
        }
        for j in 0..m {
            o[i][m - 1 - j] = if j > 0 { t[j] - t[j - 1] } else { t[0] };
        }
    }
    o
}

#[smooth]
fn neighbours(x: &mut [f64; n], steps: usize) {
    for _ in 0..steps {
        for i in 0..n - 1 {
            x[i] = x[i + 1] * 0.5 + x[i];
        }
        for i in 1..n {
            x[i] -= x[i - 1] * 0.25;
        }
    }
}

#[test]
fn accumulations_into_arguments_have_the_bits_of_plain_loops() {
    for [n, m, k] in SIZES {
        let (a, b, start) = (values(n * k, 3), values(k * m, 5), values(n * m, 7));
        let mut plain = start.clone();
        for l in 0..k {
            for i in 0..n {
                for j in 0..m {
                    plain[m * i + j] -= a[k * i + l] * b[m * l + j];
                }
            }
        }
        let mut c = start;
        in_place(View::new(&a, [n, k]), View::new(&b, [k, m]), ViewMut::new(&mut c, [n, m]));
        assert_eq!(bits(&c), bits(&plain), "{n}, {m}, {k}");
    }
}

#[test]
fn filters_have_the_bits_of_plain_loops() {
    for ([h, w], [u, v]) in
        [([9, 70], [3, 3]), ([40, 41], [1, 5]), ([6, 6], [6, 6]), ([35, 90], [2, 33]), ([40, 9], [34, 2])]
    {
        let (a, t) = (values(h * w, 3), values(u * v, 5));
        let (rows, columns) = (h - u + 1, w - v + 1);
        let mut plain = vec![0.0; rows * columns];
        for i in 0..rows {
            for j in 0..columns {
                for r in 0..u {
                    for c in 0..v {
                        plain[columns * i + j] += t[v * r + c] * a[w * (i + r) + j + c];
                    }
                }
            }
        }
        let out = taps_outside(View::new(&a, [h, w]), View::new(&t, [u, v]));
        assert_eq!(bits(out.as_slice()), bits(&plain), "{h}, {w}, {u}, {v}");
        let sums = taps_as_sums(View::new(&a, [h, w]), View::new(&t, [u, v]));
        let nested = |x: &[f64], w: usize| x.chunks(w).map(<[f64]>::to_vec).collect::<Vec<_>>();
        for (x, y) in sums.as_slice().iter().zip(&plain) {
            assert!((x - y).abs() <= 1e-10 * y.abs().max(1.0), "{h}, {w}, {u}, {v}: {x} {y}");
        }
        if u < 32 && v < 32 {
            let reference = taps_as_sums::reference(nested(&a, w), nested(&t, v)).concat();
            assert_eq!(bits(sums.as_slice()), bits(&reference), "{h}, {w}, {u}, {v}");
        }
    }
}

#[test]
fn recurrences_have_the_bits_of_plain_loops() {
    for [n, m, _] in SIZES {
        let x = values(n * m, 3);
        let mut plain = vec![0.0; (n + 1) * m];
        for j in 0..m {
            for i in (0..n).rev() {
                plain[m * i + j] = plain[m * (i + 1) + j] * 0.5 + x[m * i + j];
            }
        }
        assert_eq!(bits(columns(View::new(&x, [n, m])).as_slice()), bits(&plain), "{n}, {m}");

        let l: Vec<f64> = values(n * n, 9).iter().map(|x| x.abs() + 1.0).collect();
        let mut plain = x.clone();
        for i in 0..n {
            for k in 0..i {
                for j in 0..m {
                    plain[m * i + j] -= l[n * i + k] * plain[m * k + j];
                }
            }
            for j in 0..m {
                plain[m * i + j] /= l[n * i + i];
            }
        }
        assert_eq!(bits(solved(View::new(&l, [n, n]), View::new(&x, [n, m])).as_slice()), bits(&plain), "{n}, {m}");

        let mut plain = vec![0.0; n * m];
        for i in 0..n {
            for j in 0..m {
                let (own, before) = (x[m * i + j] * 2.0, if j > 0 { x[m * i + j - 1] * 2.0 } else { 0.0 });
                plain[m * i + m - 1 - j] = if j > 0 { own - before } else { own };
            }
        }
        assert_eq!(bits(rows_with_room(View::new(&x, [n, m])).as_slice()), bits(&plain), "{n}, {m}");
    }
    for n in [1, 2, 3, 17, 64, 100] {
        let mut x = values(n, 11);
        let mut plain = x.clone();
        for _ in 0..3 {
            for i in 0..n - 1 {
                plain[i] += plain[i + 1] * 0.5;
            }
            for i in 1..n {
                plain[i] -= plain[i - 1] * 0.25;
            }
        }
        neighbours(&mut x, 3);
        assert_eq!(bits(&x), bits(&plain), "{n}");
    }
}

#[smooth]
fn first_elements(b: &[[f64; m]; k], h: &mut [f64; p], times: usize) {
    for _ in 0..times {
        for l in 0..k {
            for j in 0..m {
                if 0 < p {
                    h[0] += b[l][j];
                }
            }
        }
    }
}

#[smooth]
fn some_elements(b: &[[f64; m]; k], h: &mut [f64; p]) {
    for l in 0..k {
        for j in 0..m {
            if 2 * j < p {
                h[2 * j] += b[l][j];
            }
        }
    }
}

#[smooth]
fn overlapping_rows(a: &[[f64; k]; n], b: &[[f64; m]; k]) -> [f64; 3 * n + m] {
    let mut w = [0.0; 3 * n + m];
    for l in 0..k {
        for i in 0..n {
            for j in 0..m {
                if j < 3 {
                    w[3 * i + j] += a[i][l] * b[l][j];
                }
            }
        }
    }
    w
}

#[smooth]
fn in_turns(b: &[[f64; m]; k], times: usize) -> ([f64; k], [f64; k]) {
    let (mut g, mut h) = ([0.0; k], [1.0; k]);
    for i in 1..k {
        for _ in 0..times {
            for j in 0..m {
                g[i - 1] = g[i - 1] * 0.5 + b[i][j];
            }
            std::mem::swap(&mut g, &mut h);
        }
    }
    (g, h)
}

#[smooth(parallel)]
fn backwards(x: &[f64; n]) -> [f64; n] {
    let mut g = [0.0; n];
    for i in (0..n).rev() {
        if i + 1 < n {
            g[i + 1] += x[i];
        }
    }
    g
}

#[test]
fn elements_under_conditions_have_the_bits_of_plain_loops() {
    for [n, m, k] in SIZES {
        let (a, b) = (values(n * k, 3), values(k * m, 5));
        for p in [0, 1, m, 2 * m] {
            let (mut first, mut some) = (values(p, 7), values(p, 7));
            let (mut out, mut others) = (first.clone(), some.clone());
            for _ in 0..2 {
                (0..k * m).filter(|_| p > 0).for_each(|i| first[0] += b[i]);
            }
            for l in 0..k {
                (0..m).filter(|j| 2 * j < p).for_each(|j| some[2 * j] += b[m * l + j]);
            }
            first_elements(View::new(&b, [k, m]), &mut out, 2);
            some_elements(View::new(&b, [k, m]), &mut others);
            assert_eq!(bits(&out), bits(&first), "{k}, {m}, {p}");
            assert_eq!(bits(&others), bits(&some), "{k}, {m}, {p}");
        }
        let mut plain = vec![0.0; 3 * n + m];
        for l in 0..k {
            for i in 0..n {
                (0..m.min(3)).for_each(|j| plain[3 * i + j] += a[k * i + l] * b[m * l + j]);
            }
        }
        let out = overlapping_rows(View::new(&a, [n, k]), View::new(&b, [k, m]));
        assert_eq!(bits(out.as_slice()), bits(&plain), "{n}, {m}, {k}");

        let (mut g, mut h) = (vec![0.0; k], vec![1.0; k]);
        for i in 1..k {
            for _ in 0..3 {
                (0..m).for_each(|j| g[i - 1] = g[i - 1] * 0.5 + b[m * i + j]);
                std::mem::swap(&mut g, &mut h);
            }
        }
        let out = in_turns(View::new(&b, [k, m]), 3);
        assert_eq!([bits(out.0.as_slice()), bits(out.1.as_slice())], [bits(&g), bits(&h)], "{m}, {k}");

        let x = values(n, 9);
        let plain: Vec<f64> = (0..n).map(|i| if i > 0 { 0.0 + x[i - 1] } else { 0.0 }).collect();
        assert_eq!(bits(backwards(&x).as_slice()), bits(&plain), "{n}");
    }
}
