//! Kernels that are called and not inlined: under conditions, in loops, with slices and rows as arguments, with
//! several results.

use smooth::linalg::{matrix_mul, matrix_transpose, vector_add, vector_dot, vector_norm, vector_s_mul, vector_sum};
use smooth::prelude::*;

#[smooth]
fn moments(x: &[f64; n]) -> (f64, [f64; n]) {
    let m = vector_sum(x) / n as f64;
    (m, build(n, |i| x[i] - m))
}
#[smooth(passes(inline = false))]
fn called(a: &[f64; n], m: &[[f64; n]; n], k: usize) -> [f64; n] {
    build(n, |i| {
        if i % 2 == 0 {
            let r = vector_s_mul(&m[i], a[i]);
            vector_dot(&r, &m[n - 1 - i]) + vector_sum(&a[0..k])
        } else {
            let (mean, rest) = moments(&vector_add(&m[i], a));
            mean + vector_dot(&rest, &m[i]) + sum(i, |j| vector_norm(&m[j]))
        }
    })
}
#[smooth(passes(inline = false))]
fn folded(m: &[[f64; n]; n], steps: usize) -> [[f64; n]; n] {
    ifold(steps, m.clone(), |s, i| if i % 2 == 0 { matrix_mul(&s, m) } else { matrix_transpose(&s) })
}
#[test]
fn called_kernels_agree_with_their_references() {
    for n in 1..6usize {
        let a: Vec<f64> = (0..n).map(|i| i as f64 * 0.5 - 1.0).collect();
        let element = |i: usize, j: usize| ((i * 3 + j * 5) % 7) as f64 * 0.25 - 0.5;
        let nested: Vec<Vec<f64>> = (0..n).map(|i| (0..n).map(|j| element(i, j)).collect()).collect();
        let m = Array::from_nested(&nested).unwrap();
        // For fewer than 16 terms the order of lanes is source order.
        for k in 0..n {
            assert_eq!(called(&a, &m, k), called::reference(&a, &nested, k));
        }
        for steps in 0..5 {
            assert_eq!(folded(&m, steps).to_nested(), folded::reference(&nested, steps));
        }
    }
}

#[test]
fn frames_contain_the_frames_of_callees() {
    let (a, m) = ([1.0, 2.0, 3.0], [[1.0; 3]; 3]);
    let mut memory = vec![std::mem::MaybeUninit::uninit(); called::scratch([3], [3, 3], 1)];
    let mut out = [0.0; 3];
    called::into(&mut out, &a, &m, 1, &mut Arena::on(&mut memory));
    assert_eq!(out.to_vec(), called(&a, &m, 1));
    memory.pop();
    assert!(matches!(
        called::try_into(&mut out, &a, &m, 1, &mut Arena::on(&mut memory)),
        Err(ShapeError::ScratchTooSmall { .. })
    ));
}

#[smooth]
fn sum_and_columns(b: &[f64; n], m: &[[f64; k]; n]) -> (f64, [f64; k]) {
    (sum(n, |i| b[i]), build(k, |j| sum(n, |i| m[n - 1 - i][j])))
}

#[smooth]
fn turned(a: &[f64; n], s: f64) -> [f64; n] {
    build(n, |i| a[n - 1 - i] * s)
}

/// The result of the second call is built in the storage of the first, from which a number of it is computed.
#[smooth(passes(inline = false))]
fn number_out_of_the_old_array(b: &[f64; n], steps: usize) -> f64 {
    let (x, y) = sum_and_columns(b, build([n, n + 1], |i, j| b[i] + j as f64));
    let z = turned([b[0]], ifold(steps, y[0] * x, |s, _| s * 0.5 + 1.0));
    ifold(1, 0.5, |s, i| s * 0.5 + z[i])
}

#[test]
fn numbers_are_computed_before_destinations_are_borrowed() {
    let b = [1.0, 2.0, -0.5];
    assert_eq!(number_out_of_the_old_array(&b, 3), number_out_of_the_old_array::reference(&b, 3));
}

#[smooth]
fn halves(x: u64, by: u32) -> u64 {
    x >> by
}
#[smooth]
fn doubled_halves(x: u64, by: u32) -> u64 {
    halves(x, by) << 1
}
#[smooth]
fn doubled_twice(x: u64, by: u32) -> u64 {
    doubled_halves(x, by) << 1u8
}
#[test]
fn shifts_pass_through_calls() {
    assert_eq!(doubled_twice(1 << 40, 31), 1 << 11);
}

#[smooth]
fn head(a: &[f64; n], k: usize) -> f64 {
    let c = &a[..k];
    sum(k, |i| a[i] + c[i])
}
#[smooth]
fn tail(a: &[f64; n], k: usize) -> f64 {
    let t = build(n - k, |i| a[i + k]);
    sum(n - k, |i| t[i] * t[n - k - 1 - i])
}
mod demanded {
    use super::*;
    #[smooth]
    pub fn joined(a: &[f64; n], k: usize, yes: bool) -> f64 {
        if yes { head(a, k) + tail(a, k) } else { 0.5 }
    }
    pub const LINE: u32 = line!() + 3;
    #[smooth(passes(inline = false))]
    pub fn called(a: &[f64; n], k: usize, yes: bool) -> f64 {
        if yes { head(a, k) + tail(a, k) } else { 0.5 }
    }
    #[smooth(preset = "D")]
    pub fn stored(a: &[f64; n], k: usize, yes: bool) -> f64 {
        if yes { head(a, k) + tail(a, k) } else { 0.5 }
    }
    #[smooth(passes(inline = false))]
    pub fn in_a_loop(a: &[f64; n], k: usize, yes: bool) -> f64 {
        sum(n, |i| if yes || i > 2 { head(&a[i..], k) + tail(a, i + k) } else { 0.5 })
    }
}
/// The text of the panic of a call, and its line.
fn panic_of(f: impl FnOnce() -> f64) -> (String, u32) {
    use std::panic::{AssertUnwindSafe, catch_unwind, set_hook, take_hook};
    thread_local!(static LINE: std::cell::Cell<u32> = const { std::cell::Cell::new(0) });
    let before = take_hook();
    set_hook(Box::new(|info| LINE.set(info.location().map_or(0, |l| l.line()))));
    let result = catch_unwind(AssertUnwindSafe(f));
    set_hook(before);
    let panic = result.expect_err("a panic");
    let text = panic.downcast_ref::<String>().map_or_else(|| *panic.downcast_ref::<&str>().unwrap(), String::as_str);
    (text.to_string(), LINE.get())
}
/// The checks of a callee under a condition are performed where the call is, and only if it is evaluated.
#[test]
fn a_call_under_a_condition_demands_what_its_callee_checks() {
    let a = [1.0, 2.5, -0.5, 4.0];
    for f in [demanded::joined, demanded::called, demanded::stored] {
        for n in 0..=a.len() {
            for k in 0..=a.len() + 1 {
                assert_eq!(f(&a[..n], k, false), 0.5);
                if k <= n {
                    assert_eq!(f(&a[..n], k, true), demanded::joined::reference(&a[..n], k, true));
                }
            }
        }
    }
    for k in 0..2 {
        assert_eq!(demanded::in_a_loop(&a[..3], k, false), 1.5);
        assert_eq!(demanded::in_a_loop(&a[..k], 1 - k, k == 0), demanded::in_a_loop::reference(&a[..k], 1 - k, k == 0));
    }
    let slice = |n: usize, k: usize| format!("range end index {k} out of range for slice of length {n}");
    let (text, at) = panic_of(|| demanded::called(&a[..2], 3, true));
    assert_eq!((text, at), (slice(2, 3), demanded::LINE));
    let (text, _) = panic_of(|| demanded::joined(&[], 1, true));
    assert_eq!(text, slice(0, 1));
    let (text, _) = panic_of(|| demanded::in_a_loop(&a[..1], 2, true));
    assert_eq!(text, slice(1, 2));
    // Without a condition, at entry.
    assert_eq!(panic_of(|| head(&a[..2], 3)).0, "head: slice a[0..k] is out of range: 0..3 of length 2");
}

/// Callees that write or read several rows of one array. Rust lends it to one of them.
mod rows {
    use super::*;

    #[smooth]
    fn both(x: &mut [f64; q], y: &mut [f64; q]) {
        for i in 0..q {
            (x[i], y[i]) = (y[q - 1 - i], x[i]);
        }
    }
    #[smooth]
    fn pair(x: &[f64; q]) -> ([f64; q], [f64; q]) {
        (build(q, |i| x[i] + 1.0), build(q, |i| x[q - 1 - i]))
    }
    #[smooth]
    fn one(x: &[f64; q]) -> [f64; q] {
        scan(q, 0.0, |s, i| s + x[i])
    }
    #[smooth(passes(inline = false))]
    fn of_a_call(x: &[f64; n]) -> [[f64; n]; 2] {
        let (v, w) = pair(x);
        [w, v]
    }
    #[smooth(passes(inline = false))]
    fn of_two_calls(x: &[f64; n]) -> [[f64; n]; 2] {
        let v = one(x);
        let w = one(&v);
        [w, v]
    }
    #[smooth(passes(inline = false))]
    fn in_a_loop(x: &[f64; 3], m: usize) -> [[f64; 3]; 2] {
        let (mut v, mut w) = (x.clone(), x.clone());
        for _ in 0..m {
            both(&mut v, &mut w);
            let (p, q) = pair(&v);
            v = q;
            w = p;
        }
        [w, v]
    }
    #[smooth(passes(inline = false))]
    fn of_an_argument(a: &mut [[f64; n]; 2]) {
        let (mut v, mut w) = (a[0].clone(), a[1].clone());
        both(&mut v, &mut w);
        a[0] = w;
        a[1] = v;
    }

    #[test]
    fn a_call_has_each_array_to_itself() {
        for n in 0..4 {
            let x: Vec<f64> = (0..n).map(|i| i as f64 * 0.5 - 1.0).collect();
            assert_eq!(of_a_call(&x).to_nested(), of_a_call::reference(&x));
            assert_eq!(of_two_calls(&x).to_nested(), of_two_calls::reference(&x));
        }
        for m in 0..5 {
            assert_eq!(in_a_loop(&[1.0, 2.0, 4.0], m).concat(), in_a_loop::reference(&[1.0, 2.0, 4.0], m).concat());
        }
        let mut a = [[1.0, 2.0], [3.0, 4.0]];
        of_an_argument(&mut a);
        assert_eq!(a, [[1.0, 2.0], [4.0, 1.0]]);
    }
}

/// Results that a callee updates in place, beside what the array was before.
mod beside {
    use smooth::prelude::*;
    use smooth::sort::{sort, sort_in_place};

    #[smooth]
    pub fn first(x: &[f64; n]) -> ([f64; n], f64) {
        let mut s = x.clone();
        sort_in_place(&mut s);
        (s, x[0])
    }

    #[smooth]
    pub fn between(x: &[f64; n]) -> (f64, [f64; n], f64) {
        (x[0], sort(x), x[1])
    }

    #[smooth]
    pub fn whole(x: &[f64; n]) -> ([f64; n], [f64; n], [f64; n]) {
        (sort(x), x.clone(), build(n, |i| x[i] * 2.0))
    }

    #[smooth]
    pub fn nested(x: &[f64; n]) -> (([f64; n], f64), [[f64; n]; 2]) {
        ((sort(x), sum(n, |i| x[i])), [sort(x), x.clone()])
    }
}

#[test]
fn a_copy_comes_before_the_call_that_updates_it() {
    let (x, sorted) = ([3.0, 1.0, 2.0, 0.0], vec![0.0, 1.0, 2.0, 3.0]);
    assert_eq!(beside::first(&x), (sorted.clone(), 3.0));
    assert_eq!(beside::between(&x), (3.0, sorted.clone(), 1.0));
    assert_eq!(beside::whole(&x), (sorted.clone(), x.to_vec(), vec![6.0, 2.0, 4.0, 0.0]));
    let ((s, sum), rows) = beside::nested(&x);
    assert_eq!((s, sum, rows.as_slice()), (sorted.clone(), 6.0, &*[&*sorted, &x].concat()));
}
