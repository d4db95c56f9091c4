//! Every lint that rustc allows by default, denied for every kind of kernel; and a module without a prelude.
#![forbid(
    absolute_paths_not_starting_with_crate,
    ambiguous_negative_literals,
    elided_lifetimes_in_paths,
    explicit_outlives_requirements,
    ffi_unwind_calls,
    impl_trait_overcaptures,
    impl_trait_redundant_captures,
    let_underscore_drop,
    macro_use_extern_crate,
    meta_variable_misuse,
    missing_copy_implementations,
    missing_debug_implementations,
    missing_docs,
    redundant_imports,
    redundant_lifetimes,
    single_use_lifetimes,
    tail_expr_drop_order,
    trivial_casts,
    trivial_numeric_casts,
    unit_bindings,
    unnameable_types,
    unreachable_pub,
    unsafe_code,
    unsafe_op_in_unsafe_fn,
    unused_extern_crates,
    unused_import_braces,
    unused_lifetimes,
    unused_macro_rules,
    unused_qualifications,
    unused_results,
    variant_size_differences,
    unused,
    nonstandard_style,
    keyword_idents
)]

/// A length.
pub const LENGTH: usize = 2;

/// Parameters and results of all kinds, temporaries, calls.
pub mod kernels {
    use super::LENGTH;
    use smooth::prelude::*;

    /// Inlined into its callers.
    #[smooth]
    #[must_use]
    pub fn inner<T: Real>(a: &[T; n], b: &[T; n]) -> T {
        sum(n, |i| a[i] * b[i])
    }

    /// Called by its callers.
    #[smooth(passes(inline = false), column_major(m, out))]
    #[must_use]
    pub fn called<T: Real, const N: usize>(m: &[[T; N]; n], p: (T, &[bool; n])) -> [[T; n]; N] {
        let (s, keep) = p;
        build([N, n], |i, j| if keep[j] { m[j][i] * s } else { 0.0 })
    }

    /// Called with strides; one of its parameters only gives a size.
    #[smooth(strided(m, x))]
    #[must_use]
    pub fn strided<T: Real>(m: &[[T; 2]; n], x: &[f64; k]) -> [T; k] {
        build(k, |i| m[i % n][0])
    }

    /// All features at once.
    #[smooth(column_major(out1))]
    #[must_use]
    pub fn all<T: Real, const N: usize>(
        a: &[[T; N]; n],
        p: (&[i16; LENGTH], usize),
        rest: &[[u8]],
    ) -> ([T; N], [[T; n]; N], ([i16; LENGTH], T)) {
        let (b, k) = p;
        let keep = [true; n];
        let t = called::<_, N>(a, (2.0, keep));
        (build(N, |i| t[i][k]), t, (build(LENGTH, |i| b[i] + rest[i][0] as i16), inner(&a[0], &a[0])))
    }

    /// A function parameter.
    #[smooth(float = "strict")]
    pub fn mapped(a: &[f32; n], g: impl Fn(f32) -> f32) -> [f32; n] {
        let t = build(n, |i| a[i].abs());
        build(n, |i| g(t[n - 1 - i]) + t[i])
    }

    /// A function parameter over arrays, whose result's length is given.
    #[smooth]
    pub fn of_arrays(a: &[f64; n], g: impl Fn(&[f64; n]) -> [f64; m]) -> [f64; m] {
        g(a)
    }

    /// The unrolled loop has indices that overflow under conditions that do not hold, which rustc denies by default.
    #[smooth]
    #[must_use]
    pub fn edges(m: &[[f64; 3]; n]) -> f64 {
        sum(n, |i| {
            sum(3, |j| {
                if i > 0 && i + 1 < n && j > 0 && j + 1 < 3 {
                    m[i - 1][j] + m[i + 1][j] - m[i][j - 1] - m[i][j + 1]
                } else {
                    m[i][j]
                }
            })
        })
    }

    /// Probes that run.
    #[smooth(checks = "all")]
    #[must_use]
    pub fn probed<T: Real>(a: &[(T, [u8; LENGTH]); n], k: usize) -> T {
        assert!(k < n && !(n > 9), "{k} of {n} is {:?}", a[k]);
        let x = dbg!(a[k]).0;
        debug_assert_ne!(x, 7.0);
        let s = sum(n, |i| {
            assert_eq!(a[i], a[i]);
            dbg!(a[i].0 - x)
        });
        dbg!(s, a[0].1);
        s
    }

    #[smooth]
    pub(super) fn private(x: usize) -> (bool, usize) {
        (x > 3, x % 3)
    }
}

/// No item of std is in scope, and no name `std`.
#[no_implicit_prelude]
mod nothing_in_scope {
    use ::smooth::{Real, smooth};

    #[smooth]
    pub(super) fn all<T: Real>(m: &[[T; k]; n], steps: usize) -> ([[T; n]; k], [T; n]) {
        assert!(steps < 9, "{steps}");
        let s = ifold(steps, build(n, |i| m[i][0]), |s, _| build(n, |i| s[n - 1 - i] + m[i][0]));
        (build([k, n], |i, j| m[j][i]), s)
    }

    #[smooth(checks = "all")]
    pub(super) fn probed(a: &[u8; n]) -> u8 {
        assert_eq!(dbg!(a).len(), n, "{a:?}");
        debug_assert!(n > 0);
        a[0]
    }
}

#[test]
fn work() {
    assert_eq!(nothing_in_scope::all(&[[1.0f32, 2.0]], 1).1, [2.0]);
    assert_eq!(nothing_in_scope::probed(&[3]), 3);
    assert_eq!(kernels::probed((&[1.0, 2.0], &[[1, 2], [3, 4]]), 1), -1.0);
    assert_eq!(kernels::private(4), (true, 1));
    assert_eq!(kernels::mapped(&[1.0, -2.0], |x| x), [3.0, 3.0]);
    let (x, y, z) = kernels::all(&[[1.0, 2.0], [3.0, 4.0]], (&[1, 2], 1), &[[3], [4]]);
    assert_eq!((x, y.as_slice(), z), ([6.0, 8.0], [2.0, 4.0, 6.0, 8.0].as_slice(), ([4, 6], 5.0)));
    assert_eq!(kernels::of_arrays(&[1.0], |a, out| out.copy_from_slice(a), 1), [1.0]);
    assert_eq!(kernels::edges(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0, 8.0, 9.0]]), 40.0);
}
