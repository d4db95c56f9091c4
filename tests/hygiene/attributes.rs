//! Attributes and visibility of every kind.

use smooth::prelude::*;

/// Never inlined.
#[smooth]
#[inline(never)]
#[must_use]
pub fn never_inlined(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i])
}

#[smooth]
#[track_caller]
#[inline]
#[must_use = "the sum is all there is"]
pub fn tracked(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i])
}

#[must_use]
#[smooth]
#[deprecated(note = "use `tracked`")]
pub fn old(a: &[f64; n]) -> f64 {
    sum(n, |i| a[i])
}

#[smooth]
#[cold]
#[doc(alias = "slow")]
#[allow(clippy::too_many_arguments, unused_variables)]
fn cold(a: &[f64; n], b: f64, c: f64, d: f64, e: f64, f: f64, g: f64, h: f64) -> f64 {
    sum(n, |i| a[i]) + b + c
}

/// The callee of a kernel that is configured out need not exist.
#[smooth]
#[cfg(any())]
pub fn not_there(a: &[f64; n]) -> f64 {
    nowhere(a)
}

#[cfg(any())]
#[smooth]
pub fn not_there_either(a: &[f64; n]) -> f64 {
    nowhere(a)
}

#[smooth]
#[cfg(not(any()))]
#[cfg_attr(all(test, debug_assertions), doc = "There.")]
pub(crate) fn there(a: &[f64; n]) -> f64 {
    tracked(a)
}

#[smooth]
#[expect(unused_variables, clippy::too_many_arguments, reason = "the interface is given")]
fn expected(a: &[f64; n], b: f64, c: f64, d: f64, e: f64, f: f64, g: f64, h: f64) -> f64 {
    let k = b + c;
    a[0]
}

#[smooth]
#[allow(dead_code)]
fn unused(a: &[f64; n]) -> f64 {
    tracked(a)
}

mod visibility {
    pub mod inner {
        use smooth::prelude::*;

        #[smooth]
        fn private(a: &[f64; n]) -> [f64; n] {
            build(n, |i| a[i] + 1.0)
        }

        #[smooth]
        pub(self) fn to_itself(a: &[f64; n]) -> [f64; n] {
            private(a)
        }

        #[smooth]
        pub(super) fn to_parent(a: &[f64; n]) -> [f64; n] {
            to_itself(a)
        }

        #[smooth]
        pub(in crate::attributes) fn in_path(a: &[f64; n]) -> [f64; n] {
            to_parent(a)
        }

        #[smooth]
        pub(crate) fn in_crate(a: &[f64; n]) -> [f64; n] {
            in_path(a)
        }
    }

    pub(super) use inner::in_path as renamed;
}

#[smooth]
fn all_of_them(a: &[f64; n]) -> [f64; n] {
    let b = visibility::inner::in_crate(a);
    self::visibility::renamed(crate::attributes::visibility::inner::in_path(b))
}

#[test]
fn attributes_are_kept() {
    assert_eq!((never_inlined(&[1.0, 2.0]), tracked(&[1.0, 2.0])), (3.0, 3.0));
    #[expect(deprecated)]
    let old = old(&[1.0]);
    assert_eq!((old, cold(&[1.0], 2.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0)), (1.0, 6.0));
    assert_eq!(expected(&[5.0], 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0), 5.0);
    assert_eq!(there(&[5.0]), 5.0);
    assert_eq!((visibility::renamed(&[5.0]), all_of_them(&[5.0])), (vec![6.0], vec![8.0]));
}

/// A forbidden lint cannot be allowed again.
mod forbidden {
    #![forbid(unsafe_code, missing_docs, nonstandard_style, unused)]
    use smooth::prelude::*;

    #[smooth]
    pub fn powers(a: &[f64; n], k: usize) -> ([f64; n], f64) {
        let t = build(n, |i| a[(i + k) % n]);
        (build(n, |i| t[i] * t[n - 1 - i]), t[k])
    }

    #[test]
    fn work() {
        assert_eq!(powers(&[1.0, 2.0, 3.0], 1).0, [2.0, 9.0, 2.0]);
    }
}

#[smooth]
fn on_parameters(
    #[expect(unused)] a: &[f64; n],
    #[expect(unused_variables)] b: f64,
    #[allow(unused)] (c, d): (f64, f64),
    #[allow(unused)] g: impl Fn(f64) -> f64,
) -> f64 {
    c
}

#[test]
fn parameters_may_have_lint_attributes() {
    assert_eq!(on_parameters(&[1.0], 2.0, (3.0, 4.0), |x| x), 3.0);
}
