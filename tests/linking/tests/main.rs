//! Kernels that call kernels: by any path, across modules and crates, defined by macros, and fused.
#![deny(warnings)]

extern crate smooth as sm;

use smooth::prelude::*;
use smooth_core::fsmooth::{Expr, Kind};
use smooth_core::link::Export;
use smooth_core::prim::Prim;

/// The program that kernel `$f` exports, as text.
macro_rules! exported {
    ($($f:tt)*) => { $($f)*::__smooth_kernel! { [{ text }] [] {} } };
}
macro_rules! text {
    ([] [{ $text:literal }] {}) => {
        $text
    };
}

/// The number of nodes of the exported program that satisfy `p`.
fn count(text: &str, p: impl Fn(&Kind) -> bool) -> usize {
    let body = Export::read(text).unwrap().body.expect("small enough to be inlined");
    body.body.count(|e: &Expr| p(e.kind()))
}

/// The numbers of sums, folds and builds of a program.
fn loops(text: &str) -> (usize, usize, usize) {
    (
        count(text, |k| matches!(k, Kind::Reduce { .. })),
        count(text, |k| matches!(k, Kind::IFold { .. })),
        count(text, |k| matches!(k, Kind::Build(..))),
    )
}

fn calls(text: &str) -> usize {
    count(text, |k| matches!(k, Kind::Call(..)))
}

mod fusion;
mod paths;
mod places;
mod privacy;
mod stamped;

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
    fn a_callee_above_the_budget_is_called() {
        assert!(!Export::read(exported!(long)).unwrap().is_inlined());
        assert_eq!(calls(exported!(longer)), 2);
        assert_eq!(calls(exported!(through_three)), 3);
        let a = [0.5, -1.5, 2.0, 0.25, 3.0];
        assert_eq!(through_three(&a), through_three::reference(&a));
        assert_eq!(through_three::shape([5]), [5]);
    }

    /// Its text is there for a caller that differentiates it.
    #[smooth(jvp, vjp)]
    fn through_long(a: &[f64; n], s: f64) -> f64 {
        let b = long(a);
        sum(n, |i| b[i] * s)
    }

    #[test]
    fn a_callee_above_the_budget_is_differentiated() {
        assert_eq!(calls(exported!(through_long)), 1);
        let (a, d_a) = ([0.5, -1.5, 2.0], [1.0, 0.25, -2.0]);
        let (value, forward) = through_long::jvp(&a, 1.5, &d_a, 0.5);
        assert_eq!(value.to_bits(), through_long(&a, 1.5).to_bits());
        let (_, differences) = through_long::jvp::reference(&a, 1.5, &d_a, 0.5);
        assert!((forward - differences).abs() <= 1e-7 * differences.abs(), "{forward} is not {differences}");
        let (_, back_a, back_s) = through_long::vjp(&a, 1.5, 1.0);
        let reverse = back_a.iter().zip(&d_a).map(|(a, d)| a * d).sum::<f64>() + 0.5 * back_s;
        assert!((forward - reverse).abs() <= 1e-12 * forward.abs(), "{forward} is not {reverse}");
    }

    /// Its text is not there, and its derivatives are called.
    #[smooth(jvp, vjp)]
    fn through_longest(a: &[f64; n], s: f64) -> f64 {
        let b = smooth_test_kernels::long::longest(a);
        sum(n, |i| b[i].abs().ln() * s)
    }

    #[test]
    fn derivatives_of_a_callee_are_called() {
        assert!(Export::read(exported!(smooth_test_kernels::long::longest)).unwrap().body.is_none());
        let (a, d_a) = ([0.5, -1.5, 2.0], [1.0, 0.25, -2.0]);
        let (value, forward) = through_longest::jvp(&a, 1.5, &d_a, 0.5);
        assert_eq!(value.to_bits(), through_longest(&a, 1.5).to_bits());
        through_longest::check_derivatives(&a, 1.5);
        let (_, back_a, back_s) = through_longest::vjp(&a, 1.5, 1.0);
        let reverse = back_a.iter().zip(&d_a).map(|(a, d)| a * d).sum::<f64>() + 0.5 * back_s;
        assert!((forward - reverse).abs() <= 1e-12 * forward.abs(), "{forward} is not {reverse}");
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

    /// Raw identifiers as names of a size and of a parameter that is a size.
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

#[smooth]
fn first_and_pair(a: &[f64; n]) -> (f64, [f64; 2]) {
    (a[0], [a[0], a[1]])
}

#[smooth]
fn copy_and_place(a: &[f64; n], k: usize) -> ([f64; n], [usize; 1]) {
    (build(n, |i| a[i]), [k])
}

#[smooth]
fn reads_pair(a: &[f64; n]) -> f64 {
    let (x, pair) = first_and_pair(a);
    x + pair[1]
}

#[smooth]
fn reads_place(a: &[f64; n], k: usize) -> f64 {
    let (copy, place) = copy_and_place(a, k);
    copy[place[0]] + sum(n, |i| copy[i])
}

#[test]
fn array_literals_in_tuples_of_callees() {
    assert_eq!(reads_pair(&[1.0, 2.0]), 3.0);
    assert_eq!(reads_place(&[1.0, 2.0], 1), 5.0);
}
