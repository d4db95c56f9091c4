//! Kernels that call kernels: by any path, across modules and crates, out of macros, and fused.
#![deny(warnings)]

extern crate smooth as sm;

use smooth::prelude::*;
use smooth_core::fsmooth::{Expr, Kind};
use smooth_core::link::Export;

/// The program that kernel `$f` exports, as text.
macro_rules! exported {
    ($($f:tt)*) => { $($f)*::__smooth_kernel! { [{ text }] [] {} } };
}
macro_rules! text {
    ([] [{ $text:literal }] {}) => {
        $text
    };
}

/// How many nodes of the exported program satisfy `p`.
fn count(text: &str, p: impl Fn(&Kind) -> bool) -> usize {
    let body = Export::read(text).unwrap().body.expect("small enough to be inlined");
    body.body.count(|e: &Expr| p(e.kind()))
}

/// Sums, folds, builds: the loops of a program, and the arrays that it makes.
fn loops(text: &str) -> (usize, usize, usize) {
    (
        count(text, |k| matches!(k, Kind::Sum { .. })),
        count(text, |k| matches!(k, Kind::IFold { .. })),
        count(text, |k| matches!(k, Kind::Build(..))),
    )
}

fn calls(text: &str) -> usize {
    count(text, |k| matches!(k, Kind::Call(..)))
}

mod fusion {
    use super::*;
    use smooth_test_kernels::linalg::{vector_add, vector_map, vector_norm};

    #[smooth]
    fn norm_of_sum(a: &[f64; n], b: &[f64; n]) -> f64 {
        vector_norm(&vector_add(a, b))
    }

    #[test]
    fn across_crates_a_norm_of_a_sum_is_one_loop() {
        let text = exported!(norm_of_sum);
        assert_eq!(loops(text), (1, 0, 0), "{text}");
        assert_eq!(calls(text), 0);
        assert_eq!(norm_of_sum::scratch([1000], [1000]), 0);
        assert_eq!(norm_of_sum(&[1.0, 2.0], &[2.0, 2.0]), 5.0);
    }

    #[smooth]
    fn scaled_norm_of_sum(a: &[f64; n], b: &[f64; n], s: f64) -> f64 {
        let scaled = |v: &[f64; n]| vector_map(v, |x| x * s);
        vector_norm(&scaled(&vector_add(a, b)))
    }

    #[test]
    fn a_kernel_of_a_closure_fuses_as_well() {
        let text = exported!(scaled_norm_of_sum);
        assert_eq!(loops(text), (1, 0, 0), "{text}");
        assert_eq!(scaled_norm_of_sum(&[1.0, 2.0], &[2.0, 2.0], 2.0), 10.0);
    }

    #[smooth(passes(fuse = false))]
    fn unfused(a: &[f64; n], b: &[f64; n]) -> f64 {
        vector_norm(&vector_add(a, b))
    }

    #[test]
    fn without_the_pass_the_array_is_there() {
        assert_eq!(loops(exported!(unfused)).2, 1);
        assert_ne!(unfused::scratch([1000], [1000]), 0);
        assert_eq!(unfused(&[1.0, 2.0], &[2.0, 2.0]), 5.0);
    }

    #[smooth(passes(inline = false))]
    fn called(a: &[f64; n], b: &[f64; n]) -> f64 {
        vector_norm(&vector_add(a, b))
    }

    #[test]
    fn uninlined_callees_are_called() {
        assert_eq!(calls(exported!(called)), 2);
        assert_eq!(called(&[1.0, 2.0], &[2.0, 2.0]), 5.0);
        assert_ne!(called::scratch([2], [2]), 0);
    }
}

mod paths {
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
}

mod order {
    use super::*;

    #[smooth]
    fn first(x: f64) -> f64 {
        second(x) + 1.0
    }

    #[smooth]
    fn second(x: f64) -> f64 {
        last::third(x) * 2.0
    }

    mod last {
        use super::*;

        #[smooth]
        pub(super) fn third(x: f64) -> f64 {
            super::fourth(x) - 1.0
        }
    }

    #[smooth]
    fn fourth(x: f64) -> f64 {
        x * x
    }

    #[test]
    fn callees_may_be_defined_later() {
        assert_eq!(first(3.0), 17.0);
        assert_eq!(calls(exported!(first)), 0);
    }
}

mod privacy {
    use super::*;
    use smooth_test_kernels::layers::{affine, affine_all, affine_called, below, first_steps};

    /// Named like a constant of the other crate: each kernel means its own.
    const GAIN: f64 = 100.0;

    #[smooth]
    fn gained(x: f64) -> f64 {
        GAIN + affine(x)
    }

    #[smooth]
    fn everything(x: &[f64; n]) -> [f64; n] {
        let a = affine_all(x);
        let b = affine_called(x);
        build(n, |i| a[i] + b[i] + below::affine_twice(x[i]) + first_steps(x[i]) + gained(0.0))
    }

    #[test]
    fn helpers_and_constants_behind_a_public_kernel() {
        assert_eq!(affine(2.0), 6.5);
        assert_eq!(gained(2.0), 106.5);
        assert_eq!(affine_called(&[1.0, 2.0]), [6.5, 3.5]);
        assert_eq!(first_steps(1.0), 10.0);
        let x = [1.0, -2.0, 4.0];
        let by_hand = |i: usize| {
            let affine = |x: f64| 3.0 * x + 0.5;
            affine(x[i]) + affine(x[2 - i]) + 2.0 * affine(x[i]) + 4.0 * x[i] + 6.0 + 100.5
        };
        assert_eq!(everything(&x), [by_hand(0), by_hand(1), by_hand(2)]);
        assert_eq!(everything(&x), everything::reference(&x));
    }

    struct Unit;
    impl Unit {
        const METRE: f64 = 100.0;
    }
    mod units {
        pub(super) const INCH: f64 = 2.54;
        pub(super) const PAIR: usize = 2;
        pub(super) const YES: bool = true;
        pub(super) static FOOT: f64 = 30.48;
    }

    #[smooth]
    fn constants(x: f64) -> f64 {
        let inches = if units::YES { x * units::INCH } else { 0.0 };
        inches + Unit::METRE + std::f64::consts::PI + f64::EPSILON + sum(units::PAIR, |i| i as f64)
    }

    #[smooth]
    fn constants_inlined(x: f64) -> f64 {
        constants(x) + 1.0
    }

    #[test]
    fn constants_by_any_path() {
        let by_hand = 2.0 * 2.54 + 100.0 + std::f64::consts::PI + f64::EPSILON + 1.0;
        assert_eq!(constants(2.0), by_hand);
        assert_eq!(constants_inlined(2.0), by_hand + 1.0);
        assert_eq!(units::FOOT, 30.48);
    }
}

mod budget {
    use super::*;
    use smooth_test_kernels::long::{long, longer};

    #[smooth]
    fn through_three(a: &[f64; n]) -> [f64; n] {
        let b = longer(a);
        let c = long(&b);
        build(n, |i| c[i] - b[n - 1 - i])
    }

    #[test]
    fn above_the_budget_a_callee_is_called() {
        assert!(Export::read(exported!(long)).unwrap().body.is_none());
        assert_eq!(calls(exported!(longer)), 2);
        assert_eq!(calls(exported!(through_three)), 3);
        let a = [0.5, -1.5, 2.0, 0.25, 3.0];
        assert_eq!(through_three(&a), through_three::reference(&a));
        assert_eq!(through_three::shape([5]), [5]);
    }
}

mod places {
    use super::*;

    #[test]
    fn in_a_function_body() {
        #[smooth]
        fn outer(x: f64) -> f64 {
            local(x) * 2.0
        }
        #[smooth]
        fn local(x: f64) -> f64 {
            x + 1.0
        }
        assert_eq!(outer(3.0), 8.0);
        let closure = || {
            #[smooth]
            fn innermost(x: f64) -> f64 {
                local(x) - 1.0
            }
            innermost(3.0)
        };
        assert_eq!(closure(), 3.0);
    }

    struct Host;
    impl Host {
        fn method(&self) -> f64 {
            #[smooth]
            fn inside(x: f64) -> f64 {
                crate::order_free(x) + 0.5
            }
            inside(1.0)
        }
    }

    #[test]
    fn in_a_method_body() {
        assert_eq!(Host.method(), 3.5);
    }

    const _: () = {
        #[smooth]
        fn in_a_const_block(x: f64) -> f64 {
            x
        }
        assert!(in_a_const_block::scratch() == 0);
    };

    #[cfg(test)]
    mod tests {
        use super::*;

        #[smooth]
        fn of_a_test_module(x: f64) -> f64 {
            crate::order_free(x)
        }

        #[test]
        fn in_a_test_module() {
            assert_eq!(of_a_test_module(2.0), 6.0);
        }
    }
}

#[smooth]
fn order_free(x: f64) -> f64 {
    3.0 * x
}

mod names {
    use super::*;

    #[smooth]
    fn line(x: f64) -> f64 {
        column(x) + 1.0
    }

    #[smooth]
    fn column(x: f64) -> f64 {
        vec(x) * 2.0
    }

    #[smooth]
    fn vec(x: f64) -> f64 {
        x - 1.0
    }

    #[smooth]
    #[allow(non_snake_case)]
    fn CamelCase(xValue: f64) -> f64 {
        xValue
    }

    #[smooth]
    fn größe(λ: f64) -> f64 {
        λ * λ
    }

    #[test]
    fn like_macros_of_std_or_unusual() {
        assert_eq!(line(3.0), 5.0);
        assert_eq!(vec![column(1.0)], [0.0]);
        assert_eq!((CamelCase(1.5), größe(3.0)), (1.5, 9.0));
    }
}

mod raw {
    use super::*;

    #[smooth]
    fn r#type(r#match: f64, r#fn: &[f64; n]) -> f64 {
        r#match * r#fn[0] + r#fn[n - 1]
    }

    #[smooth]
    fn calls_raw(a: &[f64; n]) -> f64 {
        let r#loop = r#type(2.0, a);
        self::r#type(r#loop, a)
    }

    /// A size that is named by a raw identifier, and a size by a parameter.
    #[smooth]
    fn raw_sizes(a: &[f64; r#in], r#final: usize) -> [f64; r#in] {
        build(r#in, |r#as| a[r#as] + r#final as f64)
    }

    #[test]
    fn raw_identifiers() {
        assert_eq!(calls_raw(&[2.0, 5.0]), 23.0);
        assert_eq!(raw_sizes(&[1.0, 2.0], 3), [4.0, 5.0]);
        assert_eq!(raw_sizes::shape([2], 3), [2]);
        assert_eq!(r#type::reference(2.0, &[2.0, 5.0]), 9.0);
    }
}

mod conditional {
    use super::*;

    #[cfg(any())]
    #[smooth]
    fn chosen(x: f64) -> f64 {
        not_even_there(x)
    }

    #[cfg(not(any()))]
    #[smooth]
    fn chosen(x: f64) -> f64 {
        x + 1.0
    }

    #[smooth]
    #[cfg(any())]
    fn chosen_below(x: f64) -> f64 {
        not_even_there(x)
    }

    #[smooth]
    #[cfg(not(any()))]
    fn chosen_below(x: f64) -> f64 {
        chosen(x) + 1.0
    }

    #[cfg_attr(not(any()), smooth)]
    fn attributed(x: f64) -> f64 {
        chosen_below(x) * 2.0
    }

    #[test]
    fn cfg_chooses() {
        assert_eq!(attributed(1.0), 6.0);
    }
}

mod stamped {
    use super::*;
    use smooth_test_kernels::{half_norm, square_plus};

    // `t` of the macro and `t` of the caller are two variables.
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
    fn out_of_macros() {
        assert_eq!(hygienic(1.0), 5.0);
        assert_eq!(hygienic::reference(1.0), 5.0);
        assert_eq!(two(3.0, 2.0), 37.0);
        assert_eq!(half(&[3.0, 4.0]), 2.5);
        assert_eq!((squared(3.0), cubed(2.0), sixth(2.0)), (9.0, 8.0, 64.0));
        assert_eq!((once::inner(1.0), again::inner(2.0)), (3.0, 5.0));
        assert_eq!(shadowed_closure(1.0), 7.0);
    }
}

mod facade {
    // Without the prelude, and without the name `smooth`.
    use sm::smooth as kernel;
    use smooth_test_kernels::layers::affine;

    pub(crate) mod deep {
        pub(crate) use smooth as facade;
    }

    #[kernel(crate = sm)]
    fn renamed(x: f64) -> f64 {
        affine(x) + with_path(x)
    }

    #[sm::smooth(crate = crate::facade::deep::facade)]
    fn with_path(x: f64) -> f64 {
        2.0 * x
    }

    #[test]
    fn under_another_name() {
        assert_eq!(renamed(1.0), 5.5);
    }
}
