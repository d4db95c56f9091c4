//! Fragments of macros of every kind, wherever a kernel may have them: tokens between invisible delimiters.

use smooth::prelude::*;

/// A type as what `as` converts to, as a generic argument, before `::`, in patterns and in closures.
macro_rules! typed {
    ($t:ty, $name:ident, $zero:ident, $cast:ident, $limits:ident, $closure:ident) => {
        #[smooth]
        fn $zero<T: Real>() -> T {
            0.0
        }

        #[smooth]
        fn $cast(k: usize, x: f64) -> ($t, bool, bool) {
            let less = x as $t < 3 as $t;
            (k as $t + $zero::<$t>(), less, (k as $t) > 1 as $t)
        }

        #[smooth]
        fn $limits(x: f32) -> [$t; 6] {
            [<$t>::MAX, <$t>::from(x), <$t>::EPSILON, <$t>::max(1.0, x as $t), <$t>::sqrt(4.0), <$t>::MIN_POSITIVE]
        }

        #[smooth]
        fn $closure(a: &[$t; n]) -> [$t; n] {
            let f = |x: $t, (y, _): ($t, usize)| -> $t { x + y };
            let z: $t = 1.0;
            let zs: [$t; 2] = [z, z];
            build(n, |i: usize| f(a[i], (zs[1], i)))
        }
    };
}

typed!(f64, double, zero_64, cast_64, limits_64, closure_64);
typed!(f32, single, zero_32, cast_32, limits_32, closure_32);

/// That kernel without a macro.
#[smooth]
fn qualified(x: f64, k: usize) -> ([f64; 4], usize, bool) {
    let big = match k {
        <usize>::MAX => true,
        <usize>::MIN..=3 => false,
        _ => k == <usize>::MAX / 2,
    };
    ([<f64>::MAX, <f64>::from(3), <f64>::max(x, 1.0), <(f64)>::EPSILON], <usize>::min(k, 7), big)
}

#[smooth]
fn qualified_parameter<T: Real>(x: T) -> [T; 3] {
    [<T>::max(x, 1.0), <T>::EPSILON, <T>::from(2)]
}

/// Types that are more than a name.
macro_rules! arrays {
    ($name:ident, $array:ty, $borrowed:ty, $pair:ty, $function:ty) => {
        #[smooth]
        fn $name(a: &$array, b: $borrowed, p: $pair, f: $function) -> $array {
            let c: $array = build(3, |i| a[i] + b[i % b.len()] * p.1);
            build(3, |i| f(c[i]) + p.0)
        }
    };
}

arrays!(of_types, [f64; 3], &[f64], (f64, f64), impl Fn(f64) -> f64);

/// Sizes: numbers, names, sums, in types and between `::<` and `>`.
macro_rules! sized {
    ($name:ident, $n:expr, $m:expr, $l:literal, $k:ident) => {
        #[smooth]
        fn $name(a: &[f64; $n], b: &[[f64; $l]; $k]) -> ([f64; $m], [f64; $l], [f64; $n]) {
            let c: [f64; $m] = build($m, |i| a[i % $n]);
            (c, build($l, |j| sum($k, |i| b[i][j])), again::<$n>(a))
        }
    };
}

#[smooth]
fn again<const N: usize>(a: &[f64; N]) -> [f64; N] {
    build(N, |i| 2.0 * a[i])
}

const TWO: usize = 2;
sized!(of_numbers, 2, 2 + 1, 3, n);
sized!(of_names, TWO, TWO + 1, 3, k);

/// Statements: `let`s, assignments, loops, calls.
macro_rules! statement {
    ($name:ident, $y:ident, $s:stmt, $t:stmt, $u:stmt) => {
        #[smooth]
        fn $name(x: f64) -> f64 {
            $s;
            let z = x;
            $t;
            $u;
            $y + x + z
        }
    };
}

statement!(of_lets, y, let y = 1.0, let mut y = 2.0 * y, y += 1.0);
statement!(of_typed_lets, y, let (y, _): (f64, f64) = (1.0, 2.0), let y = { let z = 4.0; y + z }, assert!(y > 0.0));

/// `statement!` in another macro, which wraps fragments once more.
macro_rules! outer {
    ($t:ty, $e:expr, $s:stmt, $y:ident) => {
        statement!(
            of_two_macros,
            $y,
            $s,
            $y += $e as $t,
            if $y > 100.0 {
                $y = 0.0
            }
        );
    };
}

outer!(f64, 3, let mut y = 1.0, y);

/// Statements that need no `;` after them, and assign to the macro's argument.
macro_rules! changes {
    ($name:ident, $a:ident, $z:ident, $s:stmt, $t:stmt, $b:block) => {
        #[smooth]
        fn $name($a: &[f64; n]) -> f64 {
            let mut $z = 0.0;
            $s
            $t
            if n > 1 $b else $b
            for _ in 0..2 $b
            $b
            $z
        }
    };
}

changes!(
    of_loops,
    a,
    z,
    for x in a {
        z += x
    },
    if z > 5.0 {
        z = 5.0
    },
    {
        z += 1.0;
    }
);

/// Blocks as bodies and as values, paths of kernels and of functions of a type, patterns, labels, literals of either sign.
macro_rules! parts {
    ($name:ident, $first:ident, $kernel:path, $function:path, $b:block, $p:pat, $q:pat, $lt:lifetime, $l:literal, $e:expr) => {
        #[smooth]
        fn $name(x: f64, k: i32) -> (f64, f64, i32) {
            let $p = ($kernel(x), 1.0);
            let b = |_: usize| $b;
            let c = b(0);
            let m = match k {
                $l => 1,
                $q => 2,
                _ => 3,
            };
            let mut i = 0;
            $lt: loop {
                loop {
                    i += 1;
                    if i as f64 > $e {
                        break $lt;
                    }
                }
            }
            ($function(c, $e) + mapped($kernel, x), $first + i as f64, if matches!(k, $q | $l) { m } else { -m } + $l)
        }
    };
}

#[smooth]
fn doubled(x: f64) -> f64 {
    x + x
}

#[smooth]
fn mapped(f: impl Fn(f64) -> f64, x: f64) -> f64 {
    f(f(x))
}

parts!(of_parts, first, self::doubled, f64::max, { let two = 2.0; two + 1.0 }, (first, _), 1 | 2..=3, 'out, -1, 1.5 + 0.5);

/// An operand that would be another one without its delimiters.
macro_rules! operand {
    ($name:ident, $k:ident, $e:expr) => {
        #[smooth]
        fn $name($k: usize) -> [f64; 3] {
            [-$e, $e.sqrt(), 2.0 * $e]
        }
    };
}

operand!(of_a_cast, k, k as f64);
operand!(of_a_sum, k, 1.0 + k as f64);

/// A body, a visibility, options and an attribute.
macro_rules! around {
    ($vis:vis $name:ident, $option:meta, $order:literal, $attribute:meta, $body:block) => {
        #[smooth($option, float = $order)]
        #[$attribute]
        $vis fn $name(a: &[f64; n]) -> f64 $body
    };
}

around!(pub(super) of_a_body, checks = "all", "strict", allow(clippy::let_and_return), { let s = sum(1, |_| 2.0); s });

/// Ranges, places, bounds, and the types of sizes and functions.
macro_rules! ranges {
    ($name:ident, $bound:path, $size:ty, $T:ident, $f:ty, $range:expr, $part:expr, $one:expr, $two:expr, $whole:expr, $a:ident) => {
        #[smooth]
        fn $name<$T: $bound, const N: $size>($a: &[$T; N], f: impl Fn($f) -> $f) -> ([$T; 2], $f) {
            let mut $a = $a.clone();
            for i in $range {
                $a[i] += 1;
            }
            // The last two swaps cancel each other.
            std::mem::swap(&mut $one, &mut $two);
            std::mem::swap($whole, &mut $two);
            std::mem::swap(&mut $two, $whole);
            $one = 5;
            let b = $a[$part].to_vec();
            (b, f(1 as $f))
        }
    };
}

ranges!(of_ranges, Number, usize, T, f64, 1..3, 1..3, a[0], a[2], &mut a[1], a);

#[test]
fn ranges_and_bounds_are_what_they_are_without_a_macro() {
    assert_eq!(of_ranges(&[1, 2, 3], |x| -x), ([3, 1], -1.0));
    assert_eq!(of_ranges::reference(&[1, 2, 3], |x| -x), (vec![3, 1], -1.0));
}

#[test]
fn types_are_what_they_are_without_a_macro() {
    assert_eq!((cast_64(2, 2.5), cast_64::reference(2, 2.5)), ((2.0, true, true), (2.0, true, true)));
    assert_eq!((cast_32(1, 3.0), cast_32::reference(1, 3.0)), ((1.0, false, false), (1.0, false, false)));
    let limits = [f64::MAX, 0.5, f64::EPSILON, 1.0, 2.0, f64::MIN_POSITIVE];
    assert_eq!((limits_64(0.5), limits_64::reference(0.5).try_into()), (limits, Ok(limits)));
    let limits = [f32::MAX, 0.5, f32::EPSILON, 1.0, 2.0, f32::MIN_POSITIVE];
    assert_eq!((limits_32(0.5), limits_32::reference(0.5).try_into()), (limits, Ok(limits)));
    assert_eq!((closure_64(&[1.0]), closure_32::reference(&[1.0])), (vec![2.0], vec![2.0]));
    assert_eq!((closure_32(&[1.0]), closure_64::reference(&[1.0])), (vec![2.0], vec![2.0]));
    assert_eq!(of_types(&[1.0, 2.0, 3.0], &[1.0], (0.5, 2.0), |x| -x), [-2.5, -3.5, -4.5]);
    assert_eq!(of_types::reference(&[1.0, 2.0, 3.0], &[1.0], (0.5, 2.0), |x| -x), [-2.5, -3.5, -4.5]);
}

#[test]
fn qualified_paths_are_those_of_the_type() {
    let expected = [f64::MAX, 3.0, 2.0, f64::EPSILON];
    for (k, capped, big) in [(2, 2, false), (usize::MAX, 7, true), (usize::MAX / 2, 7, true), (9, 7, false)] {
        assert_eq!(qualified(2.0, k), (expected, capped, big));
        assert_eq!(qualified::reference(2.0, k), (expected.to_vec(), capped, big));
    }
    assert_eq!(qualified_parameter(3.0f32), [3.0, f32::EPSILON, 2.0]);
    assert_eq!(qualified_parameter::reference(3.0f64), [3.0, f64::EPSILON, 2.0]);
}

#[test]
fn sizes_are_what_they_are_without_a_macro() {
    let (a, b) = ([1.0, 2.0], [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    let expected = ([1.0, 2.0, 1.0], [5.0, 7.0, 9.0], [2.0, 4.0]);
    assert_eq!((of_numbers(&a, &b), of_names(&a, &b)), (expected, expected));
    let (x, y, z) = expected;
    assert_eq!(of_names::reference(&a, &b.map(Vec::from)), (x.to_vec(), y.to_vec(), z.to_vec()));
}

#[test]
fn statements_are_what_they_are_without_a_macro() {
    assert_eq!((of_lets(0.5), of_lets::reference(0.5)), (4.0, 4.0));
    assert_eq!((of_typed_lets(0.5), of_typed_lets::reference(0.5)), (6.0, 6.0));
    assert_eq!((of_two_macros(0.5), of_two_macros::reference(0.5)), (5.0, 5.0));
    assert_eq!((of_loops(&[2.0, 4.0]), of_loops::reference(&[2.0, 4.0])), (9.0, 9.0));
}

#[test]
fn all_other_parts_are_what_they_are_without_a_macro() {
    for (k, m) in [(-1, 0), (1, 1), (3, 1), (4, -4)] {
        assert_eq!((of_parts(1.0, k), of_parts::reference(1.0, k)), ((7.0, 5.0, m), (7.0, 5.0, m)));
    }
    assert_eq!((of_a_cast(4), of_a_cast::reference(4)), ([-4.0, 2.0, 8.0], vec![-4.0, 2.0, 8.0]));
    assert_eq!((of_a_sum(3), of_a_sum::reference(3)), ([-4.0, 2.0, 8.0], vec![-4.0, 2.0, 8.0]));
    assert_eq!((of_a_body(&[1.0]), of_a_body::reference(&[1.0])), (2.0, 2.0));
}

/// A statement in braces before one that begins with punctuation, as kernels and as plain functions.
macro_rules! before_punctuation {
    ($($name:ident $plain:ident: $z:ident $x:ident $s:stmt, $b:block, $e:expr;)*) => {
        $(
            #[smooth]
            fn $name($x: f64) -> [f64; 6] {
                let mut $z = 1.0;
                let a = { $s -$z };
                let b = { $b ($z - 1.0) * 2.0 };
                let c = { $s !($z > $x) };
                let d = { $b [$z, 2.0][0] };
                let e = { $s <f64>::abs($z) };
                $b *&mut $z += 1.0;
                [a, b, if c { 1.0 } else { 0.0 }, d, e, 2.0 * $e - $z]
            }

            #[allow(unused_parens, clippy::all, clippy::pedantic, clippy::nursery)]
            fn $plain($x: f64) -> [f64; 6] {
                let mut $z = 1.0;
                let a = { $s -$z };
                let b = { $b ($z - 1.0) * 2.0 };
                let c = { $s !($z > $x) };
                let d = { $b [$z, 2.0][0] };
                let e = { $s <f64>::abs($z) };
                $b *&mut $z += 1.0;
                [a, b, if c { 1.0 } else { 0.0 }, d, e, 2.0 * $e - $z]
            }
        )*
    };
}

before_punctuation! {
    with_if plain_if: z x if x > 0.0 { z += x; }, { z *= 2.0; }, if x > 1.0 { x } else { 3.0 };
    with_while plain_while: z x while z < x { z += 1.0; }, { z += 0.5; }, { x + 1.0 };
    with_braces plain_braces: z x { z += x; }, { if x > 0.5 { z -= x; } }, match x > 0.0 { true => x, false => 2.0 };
}

#[test]
fn statements_in_braces_end_there() {
    for x in [-1.0, 0.5, 2.5] {
        assert_eq!((with_if(x), with_while(x), with_braces(x)), (plain_if(x), plain_while(x), plain_braces(x)));
    }
}
