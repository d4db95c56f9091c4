//! Combinations of features, in each preset and with single passes off: type parameters, const generics, constants,
//! tuples, column-major arrays, functions, calls of kernels of another crate. Each is compared with its reference.

use maths::prelude::*;
use smooth_test_downstream::{functions, generic, layout, tuples};

const D: usize = 3;
const HALF: f32 = 0.5;

macro_rules! in_presets {
    ($($name:ident($($option:tt)*))*) => {$(
        mod $name {
            use super::*;

            #[smooth(crate = maths, column_major(m, out1), $($option)*)]
            pub fn all<const N: usize, T: Real, const M: usize>(
                p: (&[[T; N]; n], (T, &[[T; D]; N])),
                m: &[[T; N]; D],
                k: usize,
            ) -> ([[T; D]; n], [[T; n]; M], ([T; N], T)) {
                let (a, (s, b)) = p;
                let t = build([N, D], |i, j| b[i][j] * s + m[j][i] * HALF as T);
                let c = layout::product(a, t);
                let r = ifold(k, build(N, |j| m[0][j]), |r, step| {
                    let u = build(N, |i| r[(i + 1) % N] + step as T);
                    build(N, |i| u[N - 1 - i] + r[i])
                });
                let one = generic::dot(&r, &m[D - 1]);
                let e = build([M, n], |i, j| if i < D { c[j][i] } else { one });
                let q = generic::matvec(b, &c[0]);
                (c, e, (generic::resized::<T, N>(q, s), one))
            }

            #[smooth(crate = maths, $($option)*)]
            pub fn calls(a: &[[f32; 2]; n], s: f32, w: &[f64; n], k: usize) -> ([[f32; D]; n], [[f32; n]; 5], [f32; 2], [f64; n], f64) {
                let b: [[f32; D]; 2] = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
                let m = build([D, 2], |i, j| (i * 2 + j) as f32);
                let (c, e, (r, one)) = all::<2, _, 5>((a, (s, b)), m, k);
                let pairs = build([n, 2], |i, j| (i + j) as i16);
                let v = tuples::through(w, pairs);
                let g = functions::mapped(v, |x| x * 2.0 + one as f64);
                (c, e, r, g, functions::folded(&g, 0.0, |x, y| x + y))
            }

            #[test]
            fn kernels_agree_with_their_references() {
                for n in 0..5 {
                    let nested: Vec<Vec<f32>> = (0..n).map(|i| (0..2).map(|j| (3 * i + j) as f32 - 2.0).collect()).collect();
                    let rows: Vec<[f32; 2]> = nested.iter().map(|r| [r[0], r[1]]).collect();
                    let b = [[1.0f32, -2.0, 3.0], [0.0, 5.0, -6.0]];
                    let b_nested = b.map(|r| r.to_vec());
                    let m_nested: Vec<Vec<f32>> = (0..3).map(|i| (0..2).map(|j| (i * 2 + j) as f32).collect()).collect();
                    let m: Vec<f32> = (0..6).map(|at| m_nested[at % 3][at / 3]).collect();
                    let w: Vec<f64> = (0..n).map(|i| i as f64 - 1.0).collect();
                    for k in 0..4 {
                        if n == 0 {
                            // `c[0]` of an empty array.
                            assert!(std::panic::catch_unwind(|| calls(&rows, 2.0, &w, k)).is_err());
                            continue;
                        }
                        let view = || View::column_major(&m, [3, 2]);
                        let got = all::<2, _, 4>((&rows, (2.0, &b)), view(), k);
                        let want = all::reference::<_, 4>((&nested, (2.0, &b_nested)), &m_nested, k);
                        assert_eq!(got.0.iter().map(|r| r.to_vec()).collect::<Vec<_>>(), want.0);
                        for i in 0..4 {
                            for j in 0..n {
                                assert_eq!(got.1[[i, j]], want.1[i][j]);
                            }
                        }
                        assert_eq!((&got.2 .0[..], got.2 .1), (&want.2 .0[..], want.2 .1));
                        // The same with destinations, and an arena of exactly `scratch` bytes.
                        let bytes = all::scratch::<f32, 4>([n, 2], [2, 3], [3, 2], k);
                        let mut memory = vec![std::mem::MaybeUninit::uninit(); bytes];
                        let (mut x, mut y, mut z) = (vec![[9.0f32; 3]; n], vec![9.0f32; 4 * n], [9.0f32; 2]);
                        let out1 = ViewMut::column_major(&mut y, [4, n]);
                        let mut arena = Arena::on(&mut memory);
                        let one = all::into::<2, _, 4>(&mut x, out1, &mut z, (&rows, (2.0, &b)), view(), k, &mut arena);
                        assert_eq!((x, &y[..], z, one), (got.0, got.1.as_slice(), got.2 .0, got.2 .1));

                        let got = calls(&rows, 2.0, &w, k);
                        let want = calls::reference(&nested, 2.0, &w, k);
                        assert_eq!(got.0.iter().map(|r| r.to_vec()).collect::<Vec<_>>(), want.0);
                        assert_eq!(got.1.as_slice(), want.1.concat());
                        assert_eq!((&got.2[..], got.3, got.4), (&want.2[..], want.3, want.4));
                    }
                }
            }
        }
    )*};
}

in_presets! {
    d(preset = "D")
    df(preset = "DF")
    dfb(preset = "DFB")
    dfbs(preset = "DFBS")
    strict(float = "strict")
    not_inlined(passes(inline = false))
    not_inlined_d(preset = "D", passes(inline = false))
    not_fused(passes(fuse = false))
    not_in_place(passes(in_place = false, elide_copy = false))
    no_reuse(passes(reuse = false, hoist = false, merge = false))
    not_unrolled(passes(unroll = false, fold = false))
    no_stack(passes(stack = false, fuse = false))
}
