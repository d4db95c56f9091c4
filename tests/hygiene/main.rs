//! Kernels in modules that deny all lints, or that shadow std's names; parameters and constants with names that generated
//! code uses.
#![deny(warnings, missing_docs, unsafe_code, clippy::pedantic, clippy::nursery)]
#![allow(clippy::float_cmp, clippy::many_single_char_names, reason = "small whole numbers in small kernels")]

pub mod all_lints;
mod attributes;
mod fragments;
mod generics;
mod items;
mod kernel_names;
mod macros;
mod places;

/// Every public item is documented, `unsafe` is forbidden, and warnings are errors.
pub mod strict {
    #![forbid(unsafe_code)]
    #![deny(missing_docs, unreachable_pub, unused, nonstandard_style, rust_2018_idioms, missing_debug_implementations)]
    #![deny(
        unused_qualifications,
        unused_results,
        single_use_lifetimes,
        elided_lifetimes_in_paths,
        let_underscore_drop
    )]
    #![deny(
        trivial_casts,
        trivial_numeric_casts,
        variant_size_differences,
        unused_lifetimes,
        missing_copy_implementations
    )]
    use smooth::prelude::*;

    /// The half of `x`.
    const HALF: f64 = 0.5;

    /// `m x`, halved.
    #[smooth]
    #[must_use]
    pub fn matvec(m: &[[f64; k]; n], x: &[f64; k]) -> [f64; n] {
        build(n, |i| HALF * sum(k, |j| m[i][j] * x[j]))
    }

    /// Several results, temporaries, a fold.
    #[smooth]
    #[must_use]
    pub fn several(a: &[f64; n], steps: usize) -> ([f64; n], f64, [[f64; 2]; n]) {
        let e = build(n, |i| a[i].abs());
        let s = ifold(steps, a.clone(), |s, _| build(n, |i| s[n - 1 - i] + e[i]));
        let r = build([n, 2], |i, j| s[i] + e[n - 1 - i] * j as f64);
        (s, e[0], r)
    }

    /// Applies `g` to each element.
    #[smooth]
    pub fn mapped(a: &[f64; n], g: impl Fn(f64) -> f64) -> [f64; n] {
        build(n, |i| g(a[i]))
    }

    #[smooth]
    pub(crate) fn unused_parameters(_a: &[f64; n], _x: f64, b: bool) -> [f64; 2] {
        if b { [1.0, 2.0] } else { [2.0, 1.0] }
    }

    #[smooth]
    fn in_a_test_only(a: &[f64; 3]) -> f64 {
        matvec(&[[1.0, 2.0, 3.0], [0.0; 3]], a)[0]
    }

    #[test]
    fn works() {
        assert_eq!(matvec(&[[1.0, 2.0]], &[2.0, 4.0]), [5.0]);
        assert_eq!(several(&[1.0, -2.0], 1), (vec![-1.0, 3.0], 1.0, vec![[-1.0, 1.0], [3.0, 4.0]]));
        assert_eq!(mapped(&[1.0], |x| x + 1.0), [2.0]);
        assert_eq!(unused_parameters(&[], 0.0, true), [1.0, 2.0]);
        assert_eq!(in_a_test_only(&[1.0, 1.0, 2.0]), 4.5);
    }
}

/// The names of std and of the language mean something else here.
#[allow(dead_code, non_camel_case_types, unused_imports, unused_macros)]
#[allow(clippy::items_after_statements, clippy::missing_const_for_fn)]
mod shadowed {
    use smooth::smooth;

    type Vec = ();
    type Arena = ();
    type View = ();
    type f64x = u8;
    type Result = ();
    struct Option;
    struct Some;
    struct Ok;
    struct Err;
    struct Kernel;
    struct Cells;
    struct ShapeError;
    trait Body {}
    trait Into {}
    trait From {}
    trait Fn {}
    trait Iterator {}
    trait Default {}
    trait Clone {}
    trait Add {}
    mod core {}
    mod std {}
    mod alloc {}
    fn build() {}
    fn sum() {}
    fn ifold() {}
    fn drop() {}
    fn sqrt() {}
    macro_rules! panic {
        () => {};
    }
    macro_rules! vec {
        () => {};
    }
    macro_rules! assert {
        () => {};
    }
    macro_rules! matches {
        () => {};
    }

    #[smooth]
    pub(super) fn dot(a: &[f64; n], b: &[f64; n]) -> f64 {
        sum(n, |i| a[i] * b[i])
    }

    #[smooth]
    pub(super) fn all(
        m: &[[f64; k]; n],
        x: f64,
        steps: usize,
        g: impl Fn(f64) -> f64,
    ) -> ([[f64; n]; k], f64, [f64; n]) {
        let t = build([k, n], |j, i| g(m[i][j]) + x.sqrt());
        let d = build(n, |i| dot(&m[i], &m[n - 1 - i]));
        let s =
            ifold(steps, d.clone(), |s, l| build(n, |i| if s[i] > 0.0 { s[n - 1 - i].max(d[i]) } else { l as f64 }));
        (t, s[0], s)
    }

    #[smooth]
    pub(super) fn fixed(a: &[f64; 3]) -> [[f64; 3]; 2] {
        let e = build(3, |i| a[i].exp().ln());
        [[e[2], e[1], e[0]], a.clone()]
    }
}

/// Parameters, sizes and variables with names that generated code uses.
mod inner_names {
    use smooth::prelude::*;

    #[smooth]
    fn parameters(
        out: &[f64; n],
        arena: &[f64; count],
        frame: f64,
        plan: usize,
        this: f64,
        cells: &[[f64; axis]; rows],
    ) -> ([f64; n], [[f64; axis]; rows], f64) {
        let x0 = build(n, |i| out[n - 1 - i] + frame);
        let call0 = build(n, |i| x0[(i * 2) % n] + x0[n - 1 - i]);
        (call0, build([rows, axis], |i, j| cells[rows - 1 - i][j] + arena[count - 1]), this + plan as f64)
    }

    #[smooth]
    #[allow(clippy::too_many_arguments)]
    fn more(a: f64, b: f64, c: f64, f: f64, e: f64, s: &[f64; shape0], len: usize, data: usize, index: f64) -> f64 {
        a + b + c + f + e + s[len] + s[data] + index + shape0 as f64
    }

    #[smooth]
    fn out(out0: &[f64; out1], made: f64) -> ([f64; out1], [f64; out1]) {
        (build(out1, |i| out0[i] + made), build(out1, |i| out0[out1 - 1 - i]))
    }

    #[smooth]
    fn plan(frame: usize) -> [f64; frame] {
        build(frame, |arena| arena as f64)
    }

    #[smooth]
    fn shape(a: &[f64; scratch], axis: usize) -> [f64; scratch + axis] {
        let frame = build(scratch, |i| a[scratch - 1 - i].abs());
        build(scratch + axis, |i| frame[(i * 3) % scratch] + a[i % scratch])
    }

    #[smooth]
    fn call(value: f64, kernel: f64, name: f64, body: f64, reference: f64) -> f64 {
        value + kernel + name + body + reference
    }

    #[test]
    fn mean_what_the_user_meant() {
        let m = [[1.0, 2.0], [3.0, 4.0]];
        let (x, y, z) = parameters(&[1.0, 2.0], &[10.0], 0.5, 3, 4.0, &m);
        assert_eq!((x, y.as_slice(), z), (vec![4.0, 5.0], &[13.0, 14.0, 11.0, 12.0][..], 7.0));
        let (mut x2, mut y2, arena) = ([0.0; 2], [[0.0; 2]; 2], &mut Arena::new());
        let z2 = parameters::into(&mut x2, &mut y2, &[1.0, 2.0], &[10.0], 0.5, 3, 4.0, &m, arena);
        assert_eq!((x2, y2, z2), ([4.0, 5.0], [[13.0, 14.0], [11.0, 12.0]], 7.0));
        assert_eq!(parameters::shape([2], [1], 3, [2, 2]), ([2], [2, 2], []));
        assert_eq!(more(1.0, 2.0, 3.0, 4.0, 5.0, &[6.0, 7.0], 0, 1, 8.0), 38.0);
        assert_eq!(out(&[1.0, 2.0], 1.0), (vec![2.0, 3.0], vec![2.0, 1.0]));
        assert_eq!((plan(2), plan::shape(2)), (vec![0.0, 1.0], [2]));
        assert_eq!(shape(&[1.0, -2.0], 1), [3.0, -1.0, 3.0]);
        assert_eq!(shape::scratch([2], 1), shape::try_scratch([2], 1).unwrap());
        assert_eq!(call(1.0, 2.0, 3.0, 4.0, 5.0), 15.0);
    }
}

/// Constants and statics with the names of parameters, variables and items of generated code.
#[allow(non_upper_case_globals, dead_code, clippy::no_effect_underscore_binding)]
mod constants {
    use smooth::prelude::*;

    const a: f64 = 100.0;
    const i: usize = 7;
    const n: usize = 1000;
    const m: f64 = 100.0;
    const x: f64 = 100.0;
    const arena: f64 = 100.0;
    const plan: f64 = 100.0;
    const made: f64 = 100.0;
    const value: f64 = 100.0;
    const e: f64 = 100.0;
    const axis: usize = 100;
    const call: f64 = 100.0;
    static count: f64 = 100.0;
    static s: f64 = 100.0;
    const C0: f64 = 100.0;
    const NAME: &str = "constant";

    #[smooth]
    fn means_the_parameters(a_: &[f64; k], x_: f64) -> [f64; k] {
        let t = build(k, |j| a_[k - 1 - j] + x_);
        build(k, |j| t[(j * 2) % k] + t[k - 1 - j] + C0)
    }

    #[test]
    fn work() {
        assert_eq!(means_the_parameters(&[1.0, 2.0], 1.0), [105.0, 106.0]);
        let mut result = [0.0; 2];
        means_the_parameters::into(&mut result, &[1.0, 2.0], 1.0, &mut Arena::new());
        assert_eq!(result, [105.0, 106.0]);
        assert_eq!((means_the_parameters::shape([2]), NAME), ([2], "constant"));
    }
}

#[allow(non_upper_case_globals, dead_code)]
mod inner_constants {
    use smooth::prelude::*;

    const out: f64 = 100.0;
    static frame: f64 = 100.0;

    #[smooth]
    fn with_temporaries(x: &[f64; k]) -> [f64; k] {
        let t = build(k, |j| x[k - 1 - j].abs());
        build(k, |j| t[(j * 2) % k] + t[k - 1 - j])
    }

    #[test]
    fn work() {
        assert_eq!(with_temporaries(&[1.0, -2.0]), [3.0, 4.0]);
    }
}

#[test]
fn shadowing_changes_nothing() {
    use smooth::prelude::*;
    let m = [[1.0, 2.0], [3.0, 4.0]];
    let (t, first, s) = shadowed::all(&m, 4.0, 2, |x| x * 2.0);
    assert_eq!((t.as_slice(), first, s), (&[4.0, 8.0, 6.0, 10.0][..], 11.0, vec![11.0, 11.0]));
    let (mut t, mut s) = ([[0.0; 2]; 2], [0.0; 2]);
    let first = shadowed::all::into(&mut t, &mut s, &m, 4.0, 2, |x| x * 2.0, &mut Arena::new());
    assert_eq!((t, first, s), ([[4.0, 8.0], [6.0, 10.0]], 11.0, [11.0, 11.0]));
    assert_eq!(shadowed::fixed(&[0.0, 0.0, 0.0]), [[0.0; 3]; 2]);
    assert_eq!(shadowed::dot(&[1.0], &[2.0]), 2.0);
}

/// Parameters with the names that generated code once gave to its own variables.
mod captured_names {
    use smooth::prelude::*;

    #[smooth(float = "strict")]
    fn count_of_a_fold(a: &[f64; n], count: usize) -> [f64; n] {
        ifold(3, a.clone(), |x, _| build(n, |j| x[j] + count as f64))
    }

    #[smooth(float = "strict")]
    fn buffers_of_a_fold(x_now: f64, x: &[f64; count], x_spare: f64) -> [f64; count] {
        ifold(count, x.clone(), |x, _| {
            build(count, |j| x[j] * x_now + x_spare + ifold(2, x.clone(), |x, _| build(count, |q| x[q] + x_now))[j])
        })
    }

    #[smooth]
    fn sizes_at_entry(a: &[f64; bytes], shape0: usize, out: f64, __frame: f64) -> [f64; shape0] {
        build(shape0, |i| out + __frame + a[i % bytes])
    }

    #[test]
    fn mean_the_parameters() {
        assert_eq!(count_of_a_fold(&[0.5], 0), [0.5]);
        let x = [0.5, -1.0, 2.0];
        for n in 0..4 {
            assert_eq!(buffers_of_a_fold(0.5, &x[..n], 0.25), buffers_of_a_fold::reference(0.5, &x[..n], 0.25));
        }
        assert_eq!(sizes_at_entry(&[1.0, 2.0], 3, 10.0, 100.0), [111.0, 112.0, 111.0]);
        assert_eq!(sizes_at_entry::shape([2], 3), [3]);
    }
}
