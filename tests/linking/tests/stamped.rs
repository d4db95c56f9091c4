//! Kernels defined by macros.

use super::*;
use smooth_test_kernels::{half_norm, square_plus};

// The `t` of the macro and the `t` of the caller are two variables.
square_plus!(hygienic(t): t + 1.0, t);
square_plus!(two(t, u): t * u, t - u);
half_norm!(half);

macro_rules! powers {
    ($($name:ident = $base:ident ^ $n:literal),* $(,)?) => {
        $(
            #[smooth]
            fn $name(x: f64) -> f64 {
                let y = $base(x);
                y.powi($n)
            }
        )*
    };
}
powers! { same = identity ^ 1, squared = same ^ 2, cubed = same ^ 3, sixth = squared ^ 3 }

#[smooth]
fn identity(x: f64) -> f64 {
    x
}

macro_rules! twice_over {
    ($name:ident) => {
        mod $name {
            use smooth::prelude::*;

            #[smooth]
            pub(crate) fn inner(x: f64) -> f64 {
                helper(x) + 1.0
            }

            #[smooth]
            fn helper(x: f64) -> f64 {
                2.0 * x
            }
        }
    };
}
twice_over!(once);
twice_over!(again);

#[smooth]
fn shadowed_closure(x: f64) -> f64 {
    let x = x + 1.0;
    let f = |x: f64| {
        let x = x * 2.0;
        x + 1.0
    };
    f(x) + x
}

#[test]
fn kernels_defined_by_macros() {
    assert_eq!(hygienic(1.0), 5.0);
    assert_eq!(hygienic::reference(1.0), 5.0);
    assert_eq!(two(3.0, 2.0), 37.0);
    assert_eq!(half(&[3.0, 4.0]), 2.5);
    assert_eq!((squared(3.0), cubed(2.0), sixth(2.0)), (9.0, 8.0, 64.0));
    assert_eq!((once::inner(1.0), again::inner(2.0)), (3.0, 5.0));
    assert_eq!(shadowed_closure(1.0), 7.0);
}
