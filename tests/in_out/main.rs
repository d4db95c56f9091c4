//! In-out parameters: `&mut` arrays and numbers, whose storage is the destination of their last value.
#![allow(clippy::needless_range_loop, clippy::manual_swap, clippy::manual_memcpy, clippy::ptr_arg)]

mod calls;
mod entry;
#[path = "../heap/mod.rs"]
mod heap;
mod kernels;

use kernels::*;
use smooth::prelude::*;

/// The kernel, `into` and the reference change copies of the arguments alike, and as `$want` does. `into` takes nothing
/// from the heap.
macro_rules! agrees {
    ($f:ident($($a:expr),*; $($y:ident),*), $want:expr) => {{
        let before = ($($y.clone(),)*);
        let value = $f($($a,)* $(&mut $y),*);
        let after = ($($y.clone(),)*);
        let mut arena = Arena::new();
        ($($y,)*) = before.clone();
        let _ = $f::into($($a,)* $(&mut $y,)* &mut arena);
        ($($y,)*) = before.clone();
        let (into, taken, given) = heap::heap(|| $f::into($($a,)* $(&mut $y,)* &mut arena));
        assert_eq!((taken, given), (0, 0), "{}: `into` used the heap", stringify!($f));
        assert_eq!(into, value, "{}: `into` returns", stringify!($f));
        assert_eq!(($($y.clone(),)*), after, "{}: `into` writes", stringify!($f));
        ($($y,)*) = before.clone();
        assert_eq!($f::reference($($a,)* $(&mut $y),*), value, "{}: the reference returns", stringify!($f));
        assert_eq!(($($y.clone(),)*), after, "{}: the reference writes", stringify!($f));
        ($($y,)*) = before;
        #[allow(clippy::redundant_closure_call)]
        let wanted = ($want)($(&mut $y),*);
        assert_eq!(wanted, value, "{} returns", stringify!($f));
        assert_eq!(($($y.clone(),)*), after, "{} writes", stringify!($f));
    }};
}
pub(crate) use agrees;

fn numbers(n: usize) -> Vec<f64> {
    (0..n).map(|k| ((k * k + 3) % 7) as f64 - 2.5).collect()
}

#[test]
fn an_array_is_updated() {
    for n in [0, 1, 2, 5, 40] {
        let (x, mut y) = (numbers(n + 1)[1..].to_vec(), numbers(n));
        agrees!(axpy(2.0, &x; y), |y: &mut Vec<f64>| y.iter_mut().zip(&x).for_each(|(y, x)| *y += 2.0 * x));
        agrees!(scale(0.5; y), |y: &mut Vec<f64>| {
            y.iter_mut().for_each(|y| *y *= 0.5);
            n
        });
        agrees!(reverse(; y), |y: &mut Vec<f64>| y.reverse());
        agrees!(prefix_sums(; y), |y: &mut Vec<f64>| (1..n).for_each(|i| y[i] += y[i - 1]));
        agrees!(set_all(3.0; y), |y: &mut Vec<f64>| y.fill(3.0));
        agrees!(keep(; y), |y: &mut Vec<f64>| y.iter().filter(|y| **y > 0.0).count());
    }
    assert_eq!(
        (axpy::scratch([9], [9]), scale::scratch([9]), reverse::scratch([9]), prefix_sums::scratch([9])),
        (0, 0, 0, 0)
    );
}

#[test]
fn two_arrays_are_updated() {
    let (mut a, mut b) = (numbers(5), vec![1.0; 5]);
    agrees!(exchange(; a, b), |a: &mut Vec<f64>, b: &mut Vec<f64>| std::mem::swap(a, b));
    agrees!(rotate(0.6, 0.8; a, b), |a: &mut Vec<f64>, b: &mut Vec<f64>| {
        for (a, b) in a.iter_mut().zip(b) {
            (*a, *b) = (0.6 * *a - 0.8 * *b, 0.8 * *a + 0.6 * *b);
        }
    });
    assert_eq!((exchange::scratch([5], [5]), rotate::scratch([5], [5])), (0, 0));
}

#[test]
fn numbers_are_updated() {
    let (mut x, mut v) = (1.0, -2.0);
    agrees!(step(0.5; x, v), |x: &mut f64, v: &mut f64| {
        *v -= 0.5 * *x;
        *x += 0.5 * *v;
    });
    let mut count = 3;
    agrees!(next(; count), |count: &mut u32| {
        *count += 1;
        *count * 2
    });
}

#[test]
fn static_arrays_are_updated() {
    let mut p = [1.0, 2.0, 3.0];
    agrees!(cross(&[0.0, 0.0, 1.0]; p), |p: &mut [f64; 3]| *p = [2.0, -1.0, 0.0]);
    let mut rows = vec![[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]];
    shift(&mut rows, &[1.0, 0.0, -1.0]);
    assert_eq!(rows, [[2.0, 2.0, 2.0], [5.0, 5.0, 5.0]]);
    let mut nested = vec![vec![1.0, 2.0, 3.0], vec![4.0, 5.0, 6.0]];
    shift::reference(&mut nested, &[1.0, 0.0, -1.0]);
    assert_eq!(nested, [[2.0, 2.0, 2.0], [5.0, 5.0, 5.0]]);
    assert_eq!((cross::scratch(), shift::scratch([4, 3], [3])), (0, 0));
}

#[test]
fn views_are_updated() {
    let mut m = Array::from_vec(vec![1.0, 2.0, 3.0, 4.0], [2, 2]);
    transpose(&mut m);
    assert_eq!(m.as_slice(), [1.0, 3.0, 2.0, 4.0]);
    let mut data = [1.0, 2.0, 3.0, 4.0];
    transpose::into(ViewMut::new(&mut data, [2, 2]), &mut Arena::new());
    assert_eq!(data, [1.0, 3.0, 2.0, 4.0]);
    let mut rows = [[1.0, 2.0], [3.0, 4.0]];
    transpose(&mut rows);
    assert_eq!(rows, [[1.0, 3.0], [2.0, 4.0]]);
    let mut nested = vec![vec![1.0, 2.0], vec![3.0, 4.0]];
    transpose::reference(&mut nested);
    assert_eq!(nested, [[1.0, 3.0], [2.0, 4.0]]);
    assert_eq!(transpose::scratch([7, 7]), 0);
}

#[test]
fn column_major_arrays_are_updated() {
    // [[1, 2, 3], [4, 5, 6]]
    let mut columns = [1.0, 4.0, 2.0, 5.0, 3.0, 6.0];
    number_rows(ViewMut::column_major(&mut columns, [2, 3]));
    assert_eq!(columns, [1.0, 14.0, 2.0, 15.0, 3.0, 16.0]);
}

#[test]
fn results_stand_beside_what_is_updated() {
    let mut y = numbers(4);
    let (total, doubled) = replaced(&[1.0, 2.0, 3.0, 4.0], &mut y);
    assert_eq!((total, doubled, y), (4.0, vec![1.0, 3.0, -5.0, 5.0], vec![1.0, 2.0, 3.0, 4.0]));
    let (mut out, mut y) = ([0.0; 4], numbers(4));
    assert_eq!(replaced::into(&mut out, &[1.0, 2.0, 3.0, 4.0], &mut y, &mut Arena::new()), 4.0);
    assert_eq!((out, &y[..]), ([1.0, 3.0, -5.0, 5.0], &[1.0, 2.0, 3.0, 4.0][..]));
    assert_eq!(replaced::shape([4], [4]), ([], [4]));
}

#[test]
fn generic_kernels_update() {
    let (mut a, mut b) = ([1.0f32, 2.0], [1.0f64, 2.0]);
    halve(&mut a);
    halve(&mut b);
    assert_eq!((a, b), ([0.5f32, 1.0], [0.5, 1.0]));
}

/// An early `return`, `break` and `while`.
#[test]
fn early_exits_keep_what_was_written() {
    let mut y = vec![3.0, 2.0, -1.0, 5.0];
    agrees!(until_negative(; y), |y: &mut Vec<f64>| {
        (y[0], y[1]) = (30.0, 20.0);
        2
    });
    let mut y = vec![5.0, 1.0, 4.0, 2.0, 3.0];
    agrees!(insertion_sort(; y), |y: &mut Vec<f64>| y.sort_by(f64::total_cmp));
    assert_eq!((until_negative::scratch([5]), insertion_sort::scratch([5])), (0, 0));
}
