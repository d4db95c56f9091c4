//! Every scalar type in kernels: arithmetic, bits, casts, literals, arrays.

#![allow(clippy::manual_range_contains, reason = "the comparisons are the subject")]

use smooth::prelude::*;

/// One kernel per integer type that uses every operation of it, compared with Rust.
macro_rules! integers {
    ($($t:ident)*) => {$(
        mod $t {
            use super::*;

            #[smooth]
            pub fn arithmetic(a: &[$t; n], b: &[$t; n]) -> [[$t; 12]; n] {
                build(n, |i| {
                    let (x, y) = (a[i] / 8, b[i] / 8);
                    [x + y, x.max(y) - x.min(y), (x % 11) * (y % 11), x / (y | 1), x % (y | 1), x & y, x | y, x ^ y, !x, x << 3, x >> 2, x.pow(1)]
                })
            }

            #[smooth]
            pub fn wrapping(a: &[$t; n], b: &[$t; n]) -> [[$t; 9]; n] {
                build(n, |i| {
                    let (x, y) = (a[i], b[i]);
                    [
                        x.wrapping_add(y), x.wrapping_sub(y), x.wrapping_mul(y),
                        x.saturating_add(y), x.saturating_sub(y), x.saturating_mul(y),
                        x.clamp(3, 77), (x / 2).div_euclid(y | 1), (x / 2).rem_euclid(y | 1),
                    ]
                })
            }

            #[smooth]
            pub fn bits(a: &[$t; n]) -> [[u32; 6]; n] {
                build(n, |i| [
                    a[i].count_ones(), a[i].count_zeros(), a[i].leading_zeros(), a[i].trailing_zeros(), a[i].leading_ones(),
                    a[i].trailing_ones(),
                ])
            }

            #[smooth]
            pub fn mixed(a: &[$t; n], b: &[u32; n]) -> [[$t; 9]; n] {
                build(n, |i| {
                    let (x, k) = (a[i], b[i]);
                    [
                        x.rotate_left(k), x.rotate_right(3), x.swap_bytes(), x.reverse_bits(), x.wrapping_neg(), x.wrapping_shl(k),
                        x.wrapping_shr(k), x.wrapping_pow(k), x.saturating_pow(2),
                    ]
                })
            }

            #[smooth]
            pub fn roots(x: $t) -> (u32, u32, $t) {
                (x.ilog2(), x.ilog10(), x.isqrt())
            }

            #[smooth]
            pub fn compared(a: &[$t; n], b: &[$t; n]) -> [[bool; 6]; n] {
                build(n, |i| [a[i] < b[i], a[i] <= b[i], a[i] > b[i], a[i] >= b[i], a[i] == b[i], a[i] != b[i]])
            }

            #[smooth]
            pub fn total(a: &[$t; n]) -> $t {
                sum(n, |i| a[i] / 16)
            }

            #[smooth]
            pub fn limits(x: $t) -> [$t; 4] {
                [$t::MAX, $t::MIN, x, if x == 7 { 1 } else { x }]
            }

            #[test]
            fn as_in_rust() {
                let mut seed = 1u64;
                let mut next = || {
                    seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                    (seed >> 17) as $t
                };
                let mut a: Vec<$t> = (0..40).map(|_| next()).collect();
                let mut b: Vec<$t> = (0..40).map(|_| next()).collect();
                (a[0], b[0], a[1], b[1], a[2]) = ($t::MAX, $t::MIN, $t::MIN, $t::MAX, 0);
                let (arithmetics, wrappings) = (arithmetic(&a, &b), wrapping(&a, &b));
                let counts: Vec<u32> = b.iter().map(|q| *q as u32 % 100).collect();
                for (k, (&p, &q)) in a.iter().zip(&b).enumerate() {
                    let (x, y) = (p / 8, q / 8);
                    let want = [
                        x + y, x.max(y) - x.min(y), (x % 11) * (y % 11), x / (y | 1), x % (y | 1),
                        x & y, x | y, x ^ y, !x, x << 3, x >> 2, x.pow(1),
                    ];
                    assert_eq!(arithmetics[k], want, "{p} {q}");
                    let (h, odd) = (p / 2, q | 1);
                    let want = [
                        p.wrapping_add(q), p.wrapping_sub(q), p.wrapping_mul(q),
                        p.saturating_add(q), p.saturating_sub(q), p.saturating_mul(q),
                        p.clamp(3, 77), h.div_euclid(odd), h.rem_euclid(odd),
                    ];
                    assert_eq!(wrappings[k], want, "{p} {q}");
                    let want = [
                        p.count_ones(), p.count_zeros(), p.leading_zeros(), p.trailing_zeros(), p.leading_ones(), p.trailing_ones(),
                    ];
                    assert_eq!(bits(&a)[k], want);
                    let n = b[k] as u32 % 100;
                    let want = [
                        p.rotate_left(n), p.rotate_right(3), p.swap_bytes(), p.reverse_bits(), p.wrapping_neg(), p.wrapping_shl(n),
                        p.wrapping_shr(n), p.wrapping_pow(n), p.saturating_pow(2),
                    ];
                    assert_eq!(mixed(&a, &counts)[k], want, "{p} {n}");
                    let x = p & $t::MAX | 1;
                    assert_eq!(roots(x), (x.ilog2(), x.ilog10(), x.isqrt()));
                    assert_eq!(compared(&a, &b)[k], [p < q, p <= q, p > q, p >= q, p == q, p != q]);
                }
                assert_eq!(arithmetics.iter().flatten().copied().collect::<Vec<_>>(), arithmetic::reference(&a, &b).concat());
                assert_eq!(wrappings.iter().flatten().copied().collect::<Vec<_>>(), wrapping::reference(&a, &b).concat());
                let small: Vec<$t> = a.iter().map(|x| x / 64).collect();
                assert_eq!(total(&small), small.iter().map(|x| x / 16).sum::<$t>());
                assert_eq!(total(&small), total::reference(&small));
                assert_eq!(limits(7), [$t::MAX, $t::MIN, 7, 1]);
                assert_eq!(limits(7).to_vec(), limits::reference(7));
            }
        }
    )*};
}
integers! { i8 i16 i32 i64 isize u8 u16 u32 u64 usize }

/// Methods of unsigned integers, and differences and absolute values, which are unsigned.
macro_rules! unsigned {
    ($($module:ident $t:ident $signed:ident;)*) => {$(
        mod $module {
            use super::*;

            #[smooth]
            fn multiples(x: $t, y: $t) -> (($t, $t, bool), ($t, bool)) {
                ((x.div_ceil(y), x.next_multiple_of(y), x.is_multiple_of(y)), (x.next_power_of_two(), x.is_power_of_two()))
            }

            #[smooth]
            fn distances(x: $t, p: $signed, q: $signed) -> ($t, $t, $t) {
                let d = p.abs_diff(q);
                (d, p.unsigned_abs() / 2 + d / 2, x.abs_diff(77))
            }

            #[smooth]
            fn moved(x: $t, p: $signed, d: $signed) -> ([$t; 4], [$signed; 4]) {
                (
                    [x.saturating_add_signed(d), x.saturating_sub_signed(d), x.wrapping_add_signed(d), x.wrapping_sub_signed(d)],
                    [p.saturating_add_unsigned(x), p.saturating_sub_unsigned(x), p.wrapping_add_unsigned(x), p.wrapping_sub_unsigned(x)],
                )
            }

            #[test]
            fn moved_by_the_other_sign() {
                let signed = [0, 1, -1, 77, $signed::MAX, $signed::MIN];
                for x in [0, 1, 100, $t::MAX, $t::MAX / 2 + 1] {
                    for (p, d) in signed.iter().flat_map(|p| signed.map(|d| (*p, d))) {
                        let want = (
                            [
                                x.saturating_add_signed(d), x.saturating_sub_signed(d), x.wrapping_add_signed(d),
                                x.wrapping_sub_signed(d),
                            ],
                            [
                                p.saturating_add_unsigned(x), p.saturating_sub_unsigned(x), p.wrapping_add_unsigned(x),
                                p.wrapping_sub_unsigned(x),
                            ],
                        );
                        let (a, b) = moved::reference(x, p, d);
                        assert_eq!((moved(x, p, d), (a[..].try_into().unwrap(), b[..].try_into().unwrap())), (want, want));
                    }
                }
            }

            #[test]
            fn as_in_rust() {
                let pairs: [($t, $t); 5] = [(0, 1), (7, 3), (64, 16), (100, 1), (65, 64)];
                for (x, y) in pairs {
                    let (p, q) = (x as $signed, -(y as $signed));
                    let want = (
                        (x.div_ceil(y), x.next_multiple_of(y), x.is_multiple_of(y)),
                        (x.next_power_of_two(), x.is_power_of_two()),
                    );
                    assert_eq!((multiples(x, y), multiples::reference(x, y)), (want, want));
                    let d: $t = p.abs_diff(q);
                    let want = (d, p.unsigned_abs() / 2 + d / 2, x.abs_diff(77));
                    assert_eq!((distances(x, p, q), distances::reference(x, p, q)), (want, want));
                }
                assert_eq!(distances(0, $signed::MIN, $signed::MAX).0, $t::MAX);
            }
        }
    )*};
}
unsigned! { own_u8 u8 i8; own_u16 u16 i16; own_u32 u32 i32; own_u64 u64 i64; own_usize usize isize; }

/// Casts from one type to all others.
macro_rules! casts {
    ($($from:ident [$($value:expr),*];)*) => {$(
        mod $from {
            use super::*;

            #[smooth]
            fn cast(x: $from) -> ((f64, f32), usize, i8, i16, i32, i64, u8, u16, (u32, u64)) {
                (
                    (x as f64, x as f32), x as usize, x as i8, x as i16, x as i32, x as i64,
                    x as u8, x as u16, (x as u32, x as u64),
                )
            }

            #[smooth]
            fn to_isize(x: $from) -> (isize, isize) {
                (x as isize, x as isize / 2)
            }

            #[test]
            fn as_in_rust() {
                for x in [$($value),*] {
                    let x: $from = x;
                    let want = (
                        (x as f64, x as f32), x as usize, x as i8, x as i16, x as i32, x as i64,
                        x as u8, x as u16, (x as u32, x as u64),
                    );
                    let same = |got| format!("{got:?}") == format!("{want:?}");
                    assert!(same(cast(x)), "{x}");
                    assert!(same(cast::reference(x)), "{x}");
                    assert_eq!((to_isize(x), to_isize::reference(x)), ((x as isize, x as isize / 2), to_isize(x)));
                }
            }
        }
    )*};
}
mod casts {
    use super::*;
    casts! {
        f64 [0.0, -0.0, 1.5, -1.5, 127.9, 128.0, -129.0, 255.5, 1e10, -1e10, 1e19, 1e300, -1e300, f64::NAN, f64::INFINITY, 0.1];
        f32 [0.0, -0.0, 1.5, -1.5, 127.9, 128.0, -129.0, 255.5, 1e10, -1e10, 1e19, 3e38, f32::NAN, f32::NEG_INFINITY, 0.1];
        i8 [0, 1, -1, i8::MAX, i8::MIN];
        i16 [0, 1, -1, 300, i16::MAX, i16::MIN];
        i32 [0, 1, -1, 70_000, 16_777_217, i32::MAX, i32::MIN];
        i64 [0, 1, -1, 1 << 40, (1 << 53) + 1, i64::MAX, i64::MIN];
        u8 [0, 1, 200, u8::MAX];
        u16 [0, 1, 300, u16::MAX];
        u32 [0, 1, 16_777_217, u32::MAX];
        u64 [0, 1, (1 << 53) + 1, u64::MAX];
        usize [0, 1, 300, usize::MAX];
    }

    #[smooth]
    fn of_bool(x: bool) -> (usize, i8, u64) {
        (x as usize, x as i8, x as u64)
    }

    #[test]
    fn operations_on_bools() {
        assert_eq!((of_bool(false), of_bool(true)), ((0, 0, 0), (1, 1, 1)));
        assert_eq!(of_bool::reference(true), (1, 1, 1));
    }
}

mod singles {
    use super::*;

    /// Most functions, a literal that is rounded once, a sum in lanes.
    #[smooth(float = "strict")]
    fn functions(x: &[f32; n], k: f32) -> [[f32; 8]; n] {
        build(n, |i| {
            let y = x[i] * 0.1 + k;
            [
                y.sin(),
                y.exp().sqrt(),
                y.powi(3),
                y.abs().powf(1.5),
                y.atan2(2.0),
                y.hypot(3.0),
                y.floor(),
                std::f32::consts::PI * y,
            ]
        })
    }

    #[smooth]
    fn sums(x: &[f32; n]) -> (f32, f64) {
        (sum(n, |i| x[i]), sum(n, |i| x[i] as f64))
    }

    #[smooth(float = "strict")]
    fn strict(x: &[f32; n]) -> f32 {
        sum(n, |i| x[i])
    }

    #[test]
    fn functions_of_f32() {
        let x: Vec<f32> = (0..50).map(|i| i as f32 * 0.37 - 4.0).collect();
        for (x, got) in x.iter().zip(functions(&x, 0.25)) {
            let y = x * 0.1f32 + 0.25;
            let want = [
                y.sin(),
                y.exp().sqrt(),
                y.powi(3),
                y.abs().powf(1.5),
                y.atan2(2.0),
                y.hypot(3.0),
                y.floor(),
                std::f32::consts::PI * y,
            ];
            assert_eq!(got, want);
        }
        assert_eq!(functions(&x, 0.25).concat(), functions::reference(&x, 0.25).concat());
    }

    #[smooth]
    fn own_functions(x: &[f32; n]) -> [[f32; 3]; n] {
        build(n, |i| [x[i].sin(), x[i].exp(), x[i].atan2(0.7)])
    }

    /// The functions of `f32` are those of `f64`, rounded.
    #[test]
    fn own_functions_of_f32() {
        let x: Vec<f32> = (0..50).map(|i| i as f32 * 0.37 - 4.0).chain([1e7, -3e30, 1e-40, f32::INFINITY]).collect();
        for (x, got) in x.iter().zip(own_functions(&x)) {
            let y = f64::from(*x);
            let want = [y.sin(), y.exp(), y.atan2(f64::from(0.7f32))].map(|y| y as f32);
            assert_eq!(got.map(|y| y.to_string()), want.map(|y| y.to_string()), "{x}");
        }
    }

    #[test]
    fn sums_of_f32() {
        let x: Vec<f32> = (0..1000).map(|i| (i as f32).sin()).collect();
        let in_order = x.iter().fold(-0.0f32, |s, x| s + x);
        assert_eq!(strict(&x), in_order);
        assert_eq!(strict::reference(&x), in_order);
        let lanes = |l: usize| x[..992].iter().skip(l).step_by(16).fold(-0.0f32, |s, x| s + x);
        let total = (0..16).map(lanes).fold(-0.0f32, |s, x| s + x);
        assert_eq!(sums(&x).0, x[992..].iter().fold(total, |s, x| s + x));
        let exact: f64 = x.iter().map(|x| f64::from(*x)).sum();
        assert!((sums(&x).1 - exact).abs() < 1e-12);
    }
}

mod mixed {
    use super::*;

    /// A blur of an image of bytes: sums in `u32`, a shift, a cast back.
    #[smooth]
    fn blur(image: &[[u8; w]; h]) -> [[u8; w - 1]; h - 1] {
        build([h - 1, w - 1], |y, x| {
            let four =
                image[y][x] as u32 + image[y][x + 1] as u32 + image[y + 1][x] as u32 + image[y + 1][x + 1] as u32;
            ((four + 2) >> 2) as u8
        })
    }

    /// Reads through an index array of a narrow type.
    #[smooth]
    fn gather(table: &[i16; n], at: &[u8; m], keep: &[bool; m]) -> [i32; m] {
        build(m, |i| if keep[i] { table[at[i] as usize] as i32 * -2 } else { -1 })
    }

    /// A checksum: a fold over bits.
    #[smooth]
    fn crc(bytes: &[u8; n]) -> u32 {
        let last = ifold(n, 0xFFFF_FFFFu32, |crc, i| {
            ifold(8, crc ^ bytes[i] as u32, |c, _| if c & 1 == 1 { (c >> 1) ^ 0xEDB8_8320 } else { c >> 1 })
        });
        !last
    }

    #[test]
    fn images_tables_checksums() {
        let image = Array::from_fn([4, 5], |[y, x]| (40 * y + 11 * x) as u8);
        let blurred = blur(&image);
        for y in 0..3 {
            for x in 0..4 {
                let four: u32 =
                    [(0, 0), (0, 1), (1, 0), (1, 1)].iter().map(|(j, i)| u32::from(image[y + j][x + i])).sum();
                assert_eq!(u32::from(blurred[y][x]), (four + 2) / 4);
            }
        }
        assert_eq!(gather(&[10, -20, 30], &[2, 0, 1, 1], &[true, true, false, true]), [-60, -20, -1, 40]);
        assert_eq!(crc(b"123456789"), 0xCBF4_3926);
        assert_eq!(crc::reference(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    #[cfg(debug_assertions)]
    fn overflow_panics_as_in_rust() {
        #[smooth]
        fn doubled(x: i8) -> i8 {
            x * 2
        }
        assert_eq!(doubled(-64), -128);
        let panic = std::panic::catch_unwind(|| doubled(64)).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"attempt to multiply with overflow"));
    }
}

/// The type of `let half = 0.5;` is inferred from its uses, as in Rust.
mod types_by_use {
    use super::*;

    #[smooth]
    fn halved(a: &[f32; n]) -> [f32; n] {
        let half = 0.5;
        build(n, |i| a[i] * half)
    }

    #[smooth]
    fn mean<T: Real>(a: &[T; n]) -> T {
        let total = ifold(n, 0.0, |s, i| s + a[i]);
        total / n as T
    }

    #[smooth]
    fn balance(a: &[i32; n]) -> i32 {
        let (up, down) = ifold(n, (0, 0), |(up, down), i| if a[i] > 0 { (up + a[i], down) } else { (up, down - a[i]) });
        let (one, minus) = (1, -1);
        if up > down { one } else { minus }
    }

    #[smooth]
    fn many(a: &[u32; n], least: u32) -> u64 {
        let count = sum(n, |i| if a[i] >= least { 1 } else { 0 });
        count
    }

    #[smooth]
    fn smoothed(a: &[f32; n]) -> [f32; n - 2] {
        let weights = [0.25, 0.5, 0.25];
        let at = |row, i, j| weights[j] * row[i + j];
        build(n - 2, |i| sum(3, |j| at(a, i, j)))
    }

    #[smooth]
    fn sign(x: f64) -> f64 {
        let s = if x < 0.0 { -1 } else { 1 };
        let t = ifold(2, 1, |t, _| -t);
        (s * t) as f64
    }

    const SCALE: f32 = 4.0;

    #[smooth]
    fn blend<T: Real>(a: T, b: T, t: T) -> T {
        a + (b - a) * t
    }

    #[smooth]
    fn through_calls(x: f32) -> f32 {
        let (scale, t) = (SCALE, 0.5);
        let start = blend::<f32>(1.0, 3.0, 0.5);
        blend(start, 10.0, t) * scale * x
    }

    #[test]
    fn they_have_them() {
        assert_eq!((halved(&[3.0]), halved::reference(&[3.0])), (vec![1.5f32], vec![1.5f32]));
        assert_eq!((mean(&[1.0f32, 2.0]), mean(&[1.0f64, 2.0]), mean::reference(&[1.0f32])), (1.5, 1.5, 1.0));
        assert_eq!((balance(&[1, -2]), balance(&[3, -2]), balance::reference(&[1])), (-1, 1, 1));
        assert_eq!((many(&[1, 5, 9], 5), many::reference(&[], 0)), (2u64, 0));
        assert_eq!((smoothed(&[0.0, 4.0, 0.0, 0.0]), smoothed::reference(&[4.0; 3])), (vec![2.0f32, 1.0], vec![4.0]));
        assert_eq!((sign(-2.0), sign(2.0), sign::reference(-2.0)), (-1.0, 1.0, -1.0));
        assert_eq!((through_calls(1.0), through_calls::reference(1.0)), (24.0f32, 24.0));
    }
}

/// Roundings that a conversion or a comparison makes superfluous, in a kernel and in Rust.
macro_rules! rounded {
    ($($name:ident $t:ident)*) => {$(
        mod $name {
            use super::*;

            rounded! { @ #[smooth] kernel $t }
            rounded! { @ #[inline] rust $t }

            #[test]
            fn roundings_keep_their_values() {
                let special = [0.0, -0.0, 0.5, -0.5, 1.0, -1.0, 2.9999, 3.0, 3.0001, -2.0, -2.5, 4.0, 254.9, 255.0, 256.5];
                let large = [1e9, -1e9, 4_294_967_296.0, $t::MAX, $t::MIN, $t::INFINITY, $t::NEG_INFINITY, $t::NAN];
                let near = special.into_iter().flat_map(|a: $t| [a.next_up(), a.next_down()]);
                for x in special.into_iter().chain(large).chain(near) {
                    for k in [-3, 0, 2, i32::MAX] {
                        assert_eq!(kernel(x, k), rust(x, k), "{x} and {k}");
                    }
                }
            }
        }
    )*};
    (@ #[$of:ident] $name:ident $t:ident) => {
        #[$of]
        pub fn $name(x: $t, k: i32) -> [f64; 12] {
            let b = (x * 1.5).floor();
            let c = (x + 0.25).ceil();
            [
                x.floor() as usize as f64,
                x.floor() as u8 as f64,
                x.floor() as i8 as f64,
                x.trunc() as i32 as f64,
                x.ceil() as u16 as f64,
                if b >= 0.0 && b < 5.0 { b as usize as f64 } else { -1.0 },
                if c > -3.0 && c <= 2.0 { 1.0 } else { 0.0 },
                if x.floor() <= 3.0 { 1.0 } else { 0.0 },
                if x.floor() > -2.0 { 1.0 } else { 0.0 },
                if 2.0 > x.ceil() { 1.0 } else { 0.0 },
                if -1.0 <= x.ceil() { 1.0 } else { 0.0 },
                if x.floor() < k as $t { 1.0 } else { 0.0 },
            ]
        }
    };
}

rounded! { rounded_f64 f64 rounded_f32 f32 }
