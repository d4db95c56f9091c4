//! Kernels defined by macros, with names, types, lengths and expressions as arguments, hygienic temporaries, repetitions.

use smooth::prelude::*;

/// `t` and `n` of the macro are not those of the caller.
macro_rules! kernel {
    ($vis:vis $name:ident, $T:ty, $len:literal, $x:ident, $n:ident => $e:expr) => {
        /// Documented in the macro.
        #[smooth]
        $vis fn $name(a: &[$T; $len], b: &[$T; $n], $x: $T) -> ([$T; $len], [$T; $n]) {
            let t = $x + $x;
            let e = $e;
            let n = 1;
            (build($len, |i| a[i] * t + e), build($n, |i| b[($n - n) - i] + e))
        }
    };
}

kernel!(pub(crate) doubles, f64, 3, x, n => { let t = x * n as f64; t + t });
kernel!(integers, i32, 2, t, e => { let n = t + e as i32; n * n });

/// A type parameter, a const generic, a parameter and a size that are arguments of the macro, and the same inside it.
macro_rules! generic {
    ($name:ident<$T:ident, $N:ident>($a:ident: $n:ident) $body:block) => {
        #[smooth]
        fn $name<$T: Real, const $N: usize>($a: &[[$T; $N]; $n], a: &[$T; n]) -> ([$T; $N], [$T; n]) {
            let s = $body;
            let $a = build(n, |i| a[i] + s);
            (build($N, |_| s), $a)
        }
    };
}

generic!(outer<T, N>(a: n) { sum(n, |i| a[i][N - 1]) });
generic!(other<U, M>(b: k) { sum(k, |i| sum(M, |j| b[i][j])) * 2.0 as U });

/// Probes of a macro: names in a format string are those of where it is written.
macro_rules! probed {
    ($name:ident($x:ident) $c:expr, $text:literal) => {
        #[smooth(checks = "all")]
        fn $name($x: f64, y: f64) -> f64 {
            assert!($c && y < 9.0, $text, $x + y);
            assert_eq!(y, dbg!(y), "{y}");
            dbg!($c);
            $x
        }
    };
}

probed!(positive(y) y > 0.0, "{y} and {}");

#[test]
fn probes_of_macros() {
    assert_eq!(positive(1.0, 2.0), 1.0);
    let failed = |f: fn(f64, f64) -> f64| {
        let failed = std::panic::catch_unwind(|| f(-1.0, 2.0)).unwrap_err();
        failed.downcast_ref::<String>().cloned()
    };
    assert_eq!((failed(positive), failed(positive::reference)), (Some("-1 and 1".into()), Some("-1 and 1".into())));
}

/// One kernel per type, in one repetition; they differ only in the module.
macro_rules! modules {
    ($($name:ident: $T:ident),*) => {$(
        mod $name {
            use smooth::prelude::*;

            #[smooth]
            pub fn same(a: &[f64; n]) -> [f64; n] {
                build(n, |i| a[i] + 1.0)
            }

            #[smooth]
            pub fn typed(a: &[$T; n]) -> [$T; n] {
                let b = same(build(n, |i| a[i] as f64));
                build(n, |i| b[i] as $T)
            }
        }
    )*};
}

modules!(first: f64, second: f32, third: u8);

/// An operator, a path of a kernel and a literal of either sign as arguments.
macro_rules! zipped {
    ($name:ident, $op:tt, $f:path, $k:literal) => {
        #[smooth]
        fn $name(a: &[f64; n], b: &[f64; n]) -> [f64; n] {
            let c = $f(a);
            build(n, |i| c[i] $op b[i] $op $k)
        }
    };
}

zipped!(plus, +, first::same, -1.0);
zipped!(times, *, self::second::same, 0.5);

/// A macro that defines a macro, with a kernel that one calls and the other defines.
macro_rules! pair {
    ($one:ident, $two:ident) => {
        macro_rules! define {
            ($e:expr) => {
                #[smooth]
                fn $one(x: f64) -> f64 {
                    $e * x
                }
            };
        }
        define!(3.0);
        #[smooth]
        fn $two(x: f64) -> f64 {
            let y = $one(x);
            $one(y) + x
        }
    };
}

pair!(tripled, ninefold);

/// Parts of tuples whose names would collide with others if they were derived from the names of the parameters.
#[smooth]
fn parts(p: (f64, (f64, &[f64; n])), p_1: (f64, f64), r#type: f64, type_: f64) -> [f64; n] {
    let ((a, (b, c)), (d, e)) = (p, p_1);
    build(n, |i| a + 10.0 * b + 100.0 * c[i] + 1000.0 * d + 10000.0 * e + r#type - type_)
}

#[test]
fn names_mean_what_they_mean_in_rust() {
    let (a, b) = doubles(&[1.0, 2.0, 3.0], &[10.0, 20.0], 1.0);
    assert_eq!((a, b), ([6.0, 8.0, 10.0], vec![24.0, 14.0]));
    assert_eq!(doubles::reference(&[1.0, 2.0, 3.0], &[10.0, 20.0], 1.0), (vec![6.0, 8.0, 10.0], vec![24.0, 14.0]));
    assert_eq!(integers(&[1, 2], &[5], 2), ([13, 17], vec![14]));
    assert_eq!(outer(&[[1.0f32, 2.0], [3.0, 4.0]], &[10.0]), ([6.0, 6.0], vec![16.0]));
    assert_eq!(outer::reference(&[vec![1.0, 2.0], vec![3.0, 4.0]], &[10.0]), (vec![6.0, 6.0], vec![16.0]));
    assert_eq!(other(&[[1.0, 2.0], [3.0, 4.0]], &[10.0]), ([20.0, 20.0], vec![30.0]));
    assert_eq!((first::typed(&[1.0]), second::typed(&[1.0]), third::typed(&[1])), (vec![2.0], vec![2.0], vec![2]));
    assert_eq!((plus(&[1.0], &[5.0]), times(&[1.0], &[5.0])), (vec![6.0], vec![5.0]));
    assert_eq!(parts((1.0, (2.0, &[3.0])), (4.0, 5.0), 9.0, 9.0), [54321.0]);
    assert_eq!((tripled(1.0), ninefold(1.0)), (3.0, 10.0));
}

/// `x` and `a` of the macro are not those of the caller; two parameters without a name.
macro_rules! patterns {
    ($name:ident, $a:ident) => {
        #[smooth]
        fn $name(($a, x): (&[f64; n], f64), (r#type, (r#in,)): (f64, (usize,)), _: f64, _: usize, unused: f64) -> f64 {
            let x = x + r#type;
            x + $a[0] + r#in as f64 + sum(n, |i| $a[i]) + unused
        }
    };
}

patterns!(one_x_or_two, x);
patterns!(no_x_twice, a);

#[test]
fn patterns_of_parameters() {
    let a = [1.0, 2.0];
    for x in [one_x_or_two, no_x_twice] {
        assert_eq!(x((&a, 3.0), (4.0, (5,)), 0.0, 0, 0.5), 16.5);
    }
    assert_eq!(one_x_or_two::reference((&a, 3.0), (4.0, (5,)), 0.0, 0, 0.5), 16.5);
}

/// The compiler's own names, as a user may write them.
mod names_of_the_compiler {
    use smooth::prelude::*;

    #[smooth]
    fn parts(a: &[usize; n], r#__part0: usize) -> ([usize; n], usize) {
        let mut b = a.to_vec();
        let mut x = 0;
        (x, .., b[r#__part0]) = (2, 0, 7);
        (b, x)
    }

    #[smooth]
    fn exchanged(a: &[usize; n], r#__index0: usize) -> ([usize; n], usize) {
        let (mut b, mut c, mut k) = (a.to_vec(), a.to_vec(), 0);
        std::mem::swap(
            &mut b[{
                k += 1;
                k
            }],
            &mut c[r#__index0],
        );
        for i in 0..n {
            b[i] = b[i] * 10 + c[i];
        }
        (b, k)
    }

    /// An assertion has a hidden variable, which no name of a user reaches.
    macro_rules! asserted {
        ($y:ident) => {
            #[smooth(checks = "all")]
            fn asserted(x: f64) -> f64 {
                let mut $y = x;
                $y += 2.0;
                assert!(x > 0.0, "not positive");
                $y
            }
        };
    }

    asserted!(r#token);

    /// A name that the macro writes in the attribute is not a parameter of the function that it is given.
    macro_rules! by_columns {
        ($i:item) => {
            #[smooth(column_major(out))]
            $i
        };
    }

    by_columns! { fn added(out: &[[f64; k]; n]) -> [[f64; k]; n] { build([n, k], |i, j| out[i][j] + 1.0) } }

    #[smooth]
    fn shadowed(x: f64) -> (f64, f64) {
        let y = x;
        let r#x = 2.0 * x;
        (x, r#y)
    }

    #[test]
    fn are_other_names() {
        assert_eq!(shadowed(3.0), (6.0, 3.0));
        assert_eq!(parts(&[1, 2, 3, 4], 0), (vec![7, 2, 3, 4], 2));
        assert_eq!(exchanged(&[1, 2, 3, 4], 3), (vec![11, 42, 33, 42], 1));
        assert_eq!(asserted(1.0), 3.0);
        let a = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        assert_eq!(added(smooth::View::new(&a, [2, 3])).as_slice(), [2.0, 5.0, 3.0, 6.0, 4.0, 7.0]);
    }
}

/// Two parameters that change, spelled alike.
macro_rules! changing {
    ($name:ident, $x:ident) => {
        #[smooth]
        fn $name($x: &mut [f64; n], x: &mut f64) -> f64 {
            $x[0] += *x;
            *x = $x[1];
            *x * 2.0
        }
    };
}

changing!(one_x_that_changes, y);
changing!(two_x_that_change, x);

#[test]
fn parameters_that_change() {
    for f in [one_x_that_changes, two_x_that_change, one_x_that_changes::reference, two_x_that_change::reference] {
        let (mut a, mut b) = ([1.0, 2.0], 4.0);
        assert_eq!((f(&mut a, &mut b), a, b), (4.0, [5.0, 2.0], 2.0));
    }
}
