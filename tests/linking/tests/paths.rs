//! Paths by which a kernel names another: imports, renames, globs, relative and absolute paths.

use super::*;
use smooth_test_kernels::linalg;
use smooth_test_kernels::linalg::vector_dot as scalar_product;
use smooth_test_kernels::{doubled, twice};

#[smooth]
fn renamed(a: &[f64; n]) -> f64 {
    scalar_product(a, a)
}

#[smooth]
fn by_module(a: &[f64; n]) -> f64 {
    linalg::vector_dot(a, a)
}

#[smooth]
fn by_crate_name(a: &[f64; n]) -> f64 {
    ::smooth_test_kernels::linalg::vector_dot(a, a)
}

#[smooth]
fn both_names(a: &[f64; n]) -> [f64; n] {
    let d = doubled(a);
    let t = twice(a);
    build(n, |i| d[i] + t[i])
}

#[test]
fn imports_renames_and_reexports() {
    let a = [1.0, 2.0, 3.0];
    assert_eq!((renamed(&a), by_module(&a), by_crate_name(&a)), (14.0, 14.0, 14.0));
    assert_eq!(both_names(&a), [4.0, 8.0, 12.0]);
}

pub(crate) mod inner {
    use super::super::*;

    pub(crate) use self::deepest::third as reexported;

    #[smooth]
    pub(crate) fn half(x: f64) -> f64 {
        0.5 * x
    }

    pub(crate) mod deepest {
        use super::super::super::*;

        #[smooth]
        pub(in crate::paths) fn quarter(x: f64) -> f64 {
            super::half(crate::paths::inner::half(x))
        }

        #[smooth]
        pub(crate) fn third(x: f64) -> f64 {
            x / 3.0
        }
    }
}

#[smooth]
fn relative(x: f64) -> f64 {
    self::inner::half(x) + crate::paths::inner::deepest::quarter(x) + inner::reexported(x)
}

mod globbed {
    use super::super::*;
    use super::inner::deepest::*;
    use super::inner::*;

    #[smooth]
    pub(super) fn by_glob(x: f64) -> f64 {
        half(x) + quarter(x) + third(x) + reexported(x)
    }
}

#[test]
fn relative_absolute_and_glob_paths() {
    assert_eq!(relative(12.0), 13.0);
    assert_eq!(globbed::by_glob(12.0), 17.0);
}
