//! Arrays of tuples in statements: updated in place, part by part.

mod kernels {
    use smooth::prelude::*;

    /// An element, a part of one, and two that change places.
    #[smooth(float = "strict")]
    pub fn changed(a: &[(f64, usize); n], k: usize) -> [(f64, usize); n] {
        let mut b = a.clone();
        b[k] = (1.5, 2);
        b[0].1 += k;
        b[n - 1].0 = -1.0;
        b.swap(0, k);
        b
    }

    /// Parts of elements as places, and a copy that is read while its original changes.
    #[smooth(float = "strict")]
    pub fn walked(a: &[(f64, usize); n]) -> ([(f64, usize); n], f64) {
        let mut b = a.clone();
        for p in b.iter_mut() {
            p.0 += 1.0;
        }
        for (x, k) in b.iter_mut() {
            *x *= 2.0;
            *k += 1;
        }
        for (i, (x, _)) in b.iter_mut().enumerate() {
            *x += i as f64;
        }
        let mut s = 0.0;
        for x in b.clone().iter() {
            b[0].0 += x.0;
            s = s * 0.5 + b[0].0;
        }
        for i in 1..n {
            if b[i - 1] < b[i] {
                s += 1.0;
            }
            if b[i] == (7.0, 2) {
                s -= 1.0;
            }
        }
        (b, s)
    }

    /// The nearest of some centres for each point.
    #[smooth(float = "strict")]
    pub fn nearest(x: &[[f64; 2]; n], c: &[[f64; 2]; k]) -> [(f64, usize); n] {
        let mut best = [(f64::INFINITY, 0); n];
        for i in 0..n {
            for j in 0..k {
                let d = sum(2, |l| (x[i][l] - c[j][l]) * (x[i][l] - c[j][l]));
                if d < best[i].0 {
                    best[i] = (d, j);
                }
            }
        }
        best
    }

    /// An insertion sort of keys with their values.
    #[smooth(float = "strict")]
    pub fn sorted(a: &[(f64, usize); n]) -> [(f64, usize); n] {
        let mut b = a.clone();
        for i in 1..n {
            let mut j = i;
            while j > 0 && b[j].0 < b[j - 1].0 {
                b.swap(j, j - 1);
                j -= 1;
            }
        }
        b
    }

    /// Rows, and elements of rows.
    #[smooth(float = "strict")]
    pub fn grid(n: usize, m: usize) -> [[(f64, i32); m]; n] {
        let mut g = [[(0.5, 1); m]; n];
        for i in 0..n {
            for j in 0..m {
                g[i][j].0 += i as f64;
                g[i][j].1 *= 2 + j as i32;
            }
        }
        g[0] = build(m, |j| (j as f64, 7));
        g
    }

    #[smooth(float = "strict")]
    pub fn filled(n: usize) -> [(f64, usize); n] {
        let mut a = [(0.0, 0); n];
        a.fill((1.0, 3));
        a[1..].fill((2.0, 4));
        let b = a.clone();
        a[..2].copy_from_slice(&b[n - 2..]);
        a
    }

    /// Elements in patterns of loops.
    #[smooth(float = "strict")]
    pub fn totals(a: &[(f64, usize); n]) -> (f64, usize) {
        let (mut x, mut k) = (0.0, 0);
        for (v, i) in a.iter() {
            x += v;
            k += i;
        }
        for (j, p) in a.iter().enumerate() {
            x += p.0 * j as f64;
        }
        (x, k)
    }

    /// An exit with an array of tuples.
    #[smooth(float = "strict")]
    pub fn early(a: &[(f64, usize); n], c: bool) -> [(f64, usize); n] {
        if c {
            return build(n, |i| (a[i].0, i));
        }
        let mut b = a.clone();
        for i in 0..n {
            if b[i].1 > 5 {
                return b;
            }
            b[i].1 = 0;
        }
        b
    }

    /// A simulation step: positions with velocities.
    #[smooth(float = "strict")]
    pub fn springs(p: &[(f64, f64); n], steps: usize) -> [(f64, f64); n] {
        let mut p = p.clone();
        for _ in 0..steps {
            for i in 0..n {
                let (x, v) = p[i];
                let v = v - 0.1 * x;
                p[i] = (x + 0.1 * v, v);
            }
        }
        p
    }

    /// The result of a kernel is updated.
    #[smooth(float = "strict")]
    pub fn again(a: &[(f64, usize); n]) -> f64 {
        let mut s = sorted(a);
        s[0].0 *= 2.0;
        s[n - 1] = (0.25, 9);
        sum(n, |i| s[i].0 + s[i].1 as f64)
    }

    /// The best pair by a reduction whose values are pairs.
    #[smooth(float = "strict")]
    pub fn lowest(a: &[(f64, usize); n]) -> (f64, usize) {
        reduce(n, (f64::INFINITY, 0), |p, q| if q.0 < p.0 { q } else { p }, |i| a[i])
    }

    /// All states of a scan over pairs, as an array of pairs and as a pair of arrays.
    #[smooth(float = "strict")]
    pub fn states(a: &[(f64, usize); n]) -> ([(f64, usize); n], [f64; n], [usize; n]) {
        let all = scan(n, (0.0, 0), |(x, k), i| (x + a[i].0, k + a[i].1));
        let (x, k) = scan_exclusive(n, (1.0, 1), |s, i| (s.0 * a[i].0, s.1 * a[i].1));
        (build(n, |i| all[n - 1 - i]), x, k)
    }

    /// An array of tuples that is changed: an argument for each part.
    #[smooth(float = "strict")]
    pub fn advance(p: &mut [(f64, f64); n], dt: f64) {
        for i in 0..n {
            let (x, v) = p[i];
            let v = v - dt * x;
            p[i] = (x + dt * v, v);
        }
    }

    /// With a result, and other arrays that are changed.
    #[smooth(float = "strict")]
    pub fn ranked(p: &mut [(f64, usize)], total: &mut f64, first: &mut [f64; 2]) -> [(usize, f64); 2] {
        p[0].1 += 1;
        *total += p[0].0;
        first[1] = p[1].0;
        [(p[0].1, 0.5), (7, *total)]
    }

    /// Calls of both, of a variable and of a part of one.
    #[smooth(float = "strict")]
    pub fn driven(
        a: &[(f64, f64); n],
        k: &[(f64, usize); m],
    ) -> ([(f64, f64); n], [(usize, f64); 2], [(f64, usize); m], f64) {
        let mut p = a.clone();
        for _ in 0..3 {
            advance(&mut p, 0.1);
        }
        advance(&mut p[1..], 0.5);
        let (mut q, mut total, mut first) = (k.clone(), 1.0, [0.0; 2]);
        let r = ranked(&mut q, &mut total, &mut first);
        (p, r, q, total + first[1] + r[1].1)
    }

    /// Two sums of parts.
    #[smooth(float = "strict")]
    pub fn sums(a: &[(f64, usize); n]) -> (f64, usize) {
        sum(n, |i| a[i])
    }
}

use kernels::*;

const KEYS: [f64; 6] = [2.0, -1.0, 0.5, 7.0, 0.25, 3.0];
const VALUES: [usize; 6] = [3, 1, 4, 1, 5, 9];
const A: (&[f64], &[usize]) = (&KEYS, &VALUES);

#[test]
fn elements_and_parts() {
    for k in 0..6 {
        let mut b: Vec<(f64, usize)> = KEYS.into_iter().zip(VALUES).collect();
        b[k] = (1.5, 2);
        b[0].1 += k;
        b[5].0 = -1.0;
        b.swap(0, k);
        assert_eq!(changed(A, k), b.into_iter().unzip());
        assert_eq!(changed(A, k), changed::reference(A, k));
    }
    assert_eq!(changed::scratch([6], [6], 1), 0);
}

#[test]
fn parts_of_elements_in_loops() {
    let mut b: Vec<(f64, usize)> = KEYS.into_iter().zip(VALUES).collect();
    for (i, (x, k)) in b.iter_mut().enumerate() {
        *x = (*x + 1.0) * 2.0 + i as f64;
        *k += 1;
    }
    let mut s = 0.0;
    for p in b.clone() {
        b[0].0 += p.0;
        s = s * 0.5 + b[0].0;
    }
    for i in 1..6 {
        s += f64::from(b[i - 1] < b[i]) - f64::from(b[i] == (7.0, 2));
    }
    assert_eq!(walked(A), (b.into_iter().unzip(), s));
    assert_eq!(walked(A), walked::reference(A));
}

#[test]
fn in_place() {
    let mut b: Vec<(f64, usize)> = KEYS.into_iter().zip(VALUES).collect();
    b.sort_by(|p, q| p.0.total_cmp(&q.0));
    assert_eq!(sorted(A), b.into_iter().unzip());
    assert_eq!(sorted(A), sorted::reference(A));
    assert_eq!(sorted::scratch([6], [6]), 0);
    let (x, c) = ([[0.0, 1.0], [2.0, 2.5], [5.0, -1.0]], [[0.0, 0.0], [4.0, 0.0]]);
    let rows = |m: &[[f64; 2]]| m.iter().map(|r| r.to_vec()).collect::<Vec<_>>();
    assert_eq!(nearest(&x, &c), (vec![1.0, 10.25, 2.0], vec![0, 0, 1]));
    assert_eq!(nearest(&x, &c), nearest::reference(&rows(&x), &rows(&c)));
    assert_eq!(nearest::scratch([3, 2], [2, 2]), 0);
    let p = ([1.0, -0.5], [0.0, 0.25]);
    assert_eq!(springs((&p.0, &p.1), 7), springs::reference((&p.0, &p.1), 7));
    assert_eq!(springs::scratch([2], [2], 7), 0);
}

#[test]
fn rows_and_slices() {
    let (x, k) = grid(2, 3);
    let (want_x, want_k) = grid::reference(2, 3);
    assert_eq!((x.as_slice(), k.as_slice()), (&want_x.concat()[..], &want_k.concat()[..]));
    assert_eq!(k.as_slice(), [7, 7, 7, 2, 3, 4]);
    assert_eq!(grid::scratch(2, 3), 0);
    assert_eq!(filled(4), (vec![2.0; 4], vec![4; 4]));
    assert_eq!(filled(4), filled::reference(4));
}

#[test]
fn values_and_exits() {
    assert_eq!(totals(A), totals::reference(A));
    for c in [true, false] {
        assert_eq!(early(A, c), early::reference(A, c));
    }
    assert_eq!(early(A, false), (KEYS.to_vec(), vec![0, 0, 0, 0, 0, 9]));
    assert_eq!(again(A), again::reference(A));
    assert_eq!(lowest(A), (-1.0, 1));
    assert_eq!(lowest(A), lowest::reference(A));
    assert_eq!(states(A), states::reference(A));
    assert_eq!(states(A).2, [1, 3, 3, 12, 12, 60]);
    assert_eq!(sums(A), (11.75, 23));
    assert_eq!(sums(A), sums::reference(A));
}

#[test]
fn changed_arguments() {
    let (mut x, mut v) = (vec![1.0, -0.5, 2.0], vec![0.0, 0.25, -1.0]);
    let (mut rx, mut rv) = (x.clone(), v.clone());
    advance((&mut x, &mut v), 0.1);
    advance::reference((&mut rx, &mut rv), 0.1);
    assert_eq!((&x, &v), (&rx, &rv));
    assert_eq!(v, [-0.1, 0.25 + 0.05, -1.2]);
    assert_eq!(advance::scratch([3], [3]), 0);
    advance::into((&mut x, &mut v), 0.1, &mut smooth::Arena::new());
    let e = advance::try_into((&mut x, &mut v[1..]), 0.1, &mut smooth::Arena::new()).unwrap_err();
    assert_eq!(e.to_string(), "advance: argument p.1 has length 2, but n = 3 (from argument p.0)");
    let (mut a, mut b, mut total, mut first) = ([1.5, 2.5], [1, 2], 1.0, [0.0; 2]);
    assert_eq!(ranked((&mut a, &mut b), &mut total, &mut first), ([2, 7], [0.5, 2.5]));
    assert_eq!((b, total, first), ([2, 2], 2.5, [0.0, 2.5]));
    let p = (&[1.0, -0.5, 2.0][..], &[0.0, 0.25, -1.0][..]);
    let (own, reference) = (driven(p, A), driven::reference(p, A));
    assert_eq!((own.0, own.2, own.3), (reference.0, reference.2, reference.3));
    assert_eq!((own.1.0.to_vec(), own.1.1.to_vec()), reference.1);
}
