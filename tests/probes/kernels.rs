//! Kernels with probes, each one twice: `NAME::plain`, and `NAME::checked` with all checks.

macro_rules! both {
    ($($name:ident { $($f:tt)* })*) => {$(
        pub mod $name {
            pub mod plain {
                #[allow(unused_imports)]
                use {crate::kernels::*, smooth::prelude::*};
                #[smooth]
                pub $($f)*
            }
            pub mod checked {
                #[allow(unused_imports)]
                use {crate::kernels::*, smooth::prelude::*};
                #[smooth(checks = "all")]
                pub $($f)*
            }
        }
    )*};
}

use smooth::prelude::*;

pub const LIMIT: usize = 100;

/// Inlined into the kernels that call it.
#[smooth(checks = "all")]
pub fn root(x: f64) -> f64 {
    assert!(x >= 0.0, "no root of {x}");
    dbg!(x).sqrt()
}

#[smooth]
pub fn quiet_root(x: f64) -> f64 {
    assert!(x >= -1.0);
    dbg!(x).sqrt()
}

#[smooth(checks = "all")]
pub fn each(a: &[f64; n], f: impl Fn(f64) -> f64) -> [f64; n] {
    build(n, |i| f(dbg!(a[i])))
}

#[smooth]
pub fn is_sorted(a: &[f64; n]) -> bool {
    all(n, |i| i == 0 || a[i - 1] <= a[i])
}

both! {
    numbers {
        fn numbers(a: &[f64; n], k: usize) -> f64 {
            let x = dbg!(a[k] + 1.0);
            assert!(x > 0.0 && !(n > LIMIT));
            dbg!();
            dbg!(x, k > 1).0 * 2.0 + dbg!(a[0])
        }
    }

    arrays {
        fn arrays(a: &[f64; n], m: &[[i32; k]; n], p: &[(u8, f64); j]) -> [f64; n] {
            dbg!(a);
            dbg!((m, p));
            let b = dbg!(build(n, |i| (a[i], [m[i][0], 2])));
            dbg!(&a[1..]);
            build(n, |i| b[i].0 + b[i].1[1] as f64)
        }
    }

    wide {
        fn wide(a: u64) -> u64 {
            let (mut b, small) = (a as u128, 1u8);
            b *= b;
            dbg!(b, small, -1i8);
            b as u64
        }
    }

    loops {
        fn loops(a: &[f64; n]) -> f64 {
            let mut x = 0.0;
            for i in 0..n {
                assert!(a[i] >= 0.0, "element {i} of {n} is {:.2}", a[i]);
            }
            let mut k = 0;
            while dbg!(k) < n {
                if k == 2 {
                    dbg!(k);
                    break;
                }
                match k {
                    0 => dbg!(x),
                    _ => dbg!(x + 0.5),
                };
                x += a[k];
                k += 1;
            }
            for _ in 0..2 {
                dbg!(x);
            }
            dbg!(x);
            dbg!(x);
            x
        }
    }

    guards {
        fn guards(a: &[i64; n], k: i64) -> i64 {
            let mut s = 0;
            for i in 0..n {
                s += match (a[i], k) {
                    (0, _) => 1,
                    (x, 1..=3) if dbg!(x) > s => x,
                    (_, y) if dbg!(k * y > 5) && { assert!(y < 99, "{x:?} {y}", x = a); y < 9 } => {
                        s -= 1;
                        dbg!(2 * y)
                    }
                    _ if dbg!(i) == 2 => 100,
                    _ => -1,
                };
            }
            let t = match k {
                1 if dbg!(s) > 3 => 1,
                2 => 2,
                _ if dbg!(s) > 4 => 3,
                _ => dbg!(4),
            };
            s + t
        }
    }

    parts {
        fn parts(a: &[f64; n]) -> [f64; n] {
            let mut b = *a;
            let part = &mut b[1..];
            part[0] = 4.0;
            dbg!(&part);
            assert!(part[0] > 0.0, "{part:?}");
            assert_eq!(part.len() + 1, n);
            b
        }
    }

    early {
        fn early(a: &[f64; n], wanted: f64) -> usize {
            for i in 0..n {
                if a[i] == wanted {
                    dbg!(i);
                    return i;
                }
                assert_ne!(a[i], 5.0);
            }
            assert!(is_sorted(a), "nothing is {wanted}");
            n
        }
    }

    closures {
        fn closures(a: &[f64; n]) -> f64 {
            let half = |x: f64| {
                assert!(x < 8.0);
                0.5 * dbg!(x)
            };
            let s = sum(n, |i| half(a[i]));
            let t = ifold(n, 1.0, |t, i| {
                if i > 0 {
                    dbg!(t);
                }
                t * a[i]
            });
            let u = reduce(n, 0.0, |p, q| { assert!(p >= 0.0); p + q }, |i| a[i]);
            s + t + u
        }
    }

    callees {
        fn callees(a: &[f64; n]) -> [f64; n] {
            let b = each(a, |x| { dbg!(x > 1.0); root(x) });
            build(n, |i| b[i] + quiet_root(a[i]))
        }
    }

    crates {
        fn crates(a: &[f32; n]) -> f32 {
            smooth_test_kernels::probed::positive(a) + smooth_test_kernels::probed::first(a)
        }
    }

    in_out {
        fn in_out(a: &[f64; n], b: &mut [f64; n]) {
            for i in 0..n {
                b[i] += a[i];
                dbg!(b[i]);
            }
            assert!(b[0] > 0.0, "{:?} {b:?}", a);
        }
    }

    nested {
        fn nested(a: &mut [f64; 2], c: f64) -> f64 {
            in_out::checked::in_out(&[c; 2], a);
            assert!(dbg!(a[1]) > 1.0);
            dbg!(root(c))
        }
    }

    generic {
        fn generic<T: Real, const N: usize>(a: &[T; N], k: u8) -> T {
            assert_eq!(N, 2, "{k:>w$} {} {}", a[0], k + 1, w = 4usize);
            let x = dbg!(a[0]);
            debug_assert_ne!(k, 7);
            dbg!(a);
            x + 0.5
        }
    }

    equal {
        fn equal(a: &[f64; n], b: &[f64; m], c: &[(u8, f64); n]) -> usize {
            assert_ne!((n, m), (3, 0));
            assert_eq!(a, b, "sizes {n} and {m}");
            assert_eq!(c, c);
            assert_ne!((a, m), (b, n), "{}", 1.5);
            n
        }
    }

    columns {
        fn columns(m: &[[f64; k]; n], f: impl Fn(f64) -> f64) -> f64 {
            dbg!(m);
            dbg!(f(m[0][1]))
        }
    }
}

/// Column-major arrays are shown by their rows.
#[smooth(checks = "all", column_major(m))]
pub fn by_columns(m: &[[f64; k]; n]) -> f64 {
    dbg!(m)[0][1]
}

#[smooth]
pub fn mean3(a: &[f64; n]) -> f64 {
    assert!(n > 3, "need more than 3, got {}", n);
    sum(n, |i| a[i]) / (n - 3) as f64
}

#[smooth]
pub fn third(a: &[f64; n], x: f64) -> f64 {
    let y = if n > 2 { a[2] } else { panic!("no element {} of {n}: {x:.3}", 2) };
    y
}

#[smooth]
pub fn sign(k: usize) -> f64 {
    match k {
        0 => 1.0,
        1 => -1.0,
        5 => unreachable!("{k}"),
        6 => unreachable!(),
        7 => todo!(),
        8 => unimplemented!("{}", k),
        _ => panic!(),
    }
}

#[smooth]
pub fn unwritten(a: &[f64; n]) -> [[f64; 2]; n] {
    let k = n;
    todo!("{k}")
}

#[smooth]
pub fn in_debug(a: &[f64; n], k: usize) -> f64 {
    debug_assert!(k < n);
    a[k]
}

#[smooth]
pub fn scaled(a: &[f64; n], s: f64) -> [f64; n] {
    assert!(s > 0.0);
    build(n, |i| s * a[i])
}
