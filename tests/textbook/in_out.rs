//! Kernels that change their arguments: in the storage of the argument, and nowhere else.

use crate::agree::{Numbers, SIZES, agrees, bits};
use crate::heap::heap;
use crate::kernels::in_out::*;
use crate::plain::in_out as plain;
use crate::plain::sorting::sorted;
use smooth::Arena;

fn points(numbers: &mut Numbers, n: usize) -> Vec<[f64; 3]> {
    (0..n).map(|_| numbers.vector(3).try_into().expect("three")).collect()
}

/// `changes!(f(before, arguments) == expected)`: the call, and `into` on an arena without memory.
macro_rules! changes {
    ($f:ident($before:expr $(, $arg:expr)*) == $want:expr) => {{
        let (want, mut x, mut y) = (bits(&$want), $before.clone(), $before.clone());
        $f(&mut x $(, $arg)*);
        assert_eq!(bits(&x), want, "{}", stringify!($f));
        let ((), taken, _) = heap(|| $f::into(&mut y $(, $arg)*, &mut Arena::on(&mut [])));
        assert_eq!((bits(&y), taken), (want, 0), "{}::into", stringify!($f));
    }};
}

#[test]
fn vectors() {
    for n in SIZES {
        let mut numbers = Numbers::new(n as u64);
        let a = &numbers.vector(n);
        changes!(insertion_sort(a) == sorted(a));
        let mut b = a.clone();
        plain::accumulate(&mut b);
        changes!(accumulate(a) == b);
        for rounds in [0, 1, 4] {
            let mut b = a.clone();
            plain::smooth_in_place(&mut b, rounds);
            changes!(smooth_in_place(a, rounds) == b);
        }
        let scratch = [insertion_sort::scratch([n]), accumulate::scratch([n]), smooth_in_place::scratch([n], 4)];
        assert_eq!(scratch, [0; 3]);
        let m = &numbers.matrix(n, n);
        let turned: Vec<f64> = (0..n * n).map(|k| m[[k % n, k / n]]).collect();
        changes!(transpose_in_place(m) == turned);
    }
}

#[test]
fn bodies() {
    for n in SIZES {
        let mut numbers = Numbers::new(n as u64);
        let (position, velocity) = (points(&mut numbers, n), points(&mut numbers, n));
        let mass: Vec<f64> = numbers.vector(n).iter().map(|x| x + 2.0).collect();
        let (mut p, mut v) = (position.clone(), velocity.clone());
        (0..3).for_each(|_| plain::n_body(&mut p, &mut v, &mass, 0.01));
        let want = bits(&(p, v));

        let (mut p, mut v) = (position.clone(), velocity.clone());
        (0..3).for_each(|_| n_body(&mut p, &mut v, &mass, 0.01));
        assert_eq!(bits(&(p, v)), want);
        let (mut p, mut v) = (position.clone(), velocity.clone());
        simulate(&mut p, &mut v, &mass, 3);
        assert_eq!(bits(&(p, v)), want);
        let (mut p, mut v) = (position.clone(), velocity.clone());
        let ((), taken, _) = heap(|| simulate::into(&mut p, &mut v, &mass, 3, &mut Arena::on(&mut [])));
        assert_eq!((bits(&(p, v)), taken), (want, 0));
        assert_eq!((n_body::scratch([n, 3], [n, 3], [n]), simulate::scratch([n, 3], [n, 3], [n], 3)), (0, 0));
    }
}

#[test]
fn calls_on_rows_and_locals() {
    for n in SIZES {
        let mut numbers = Numbers::new(n as u64);
        let (columns, x) = (&numbers.matrix(5, n), &numbers.vector(5));
        let want = plain::by_columns(columns.as_slice(), x, n);
        agrees!(by_columns(columns, x) reference(&columns.to_nested(), x) into [vec![0.0; n]] == want);
        assert_eq!(by_columns::scratch([5, n], [5]), 0);
        let m = numbers.definite(n);
        let (mut a, mut b) = (m.clone(), m.as_slice().to_vec());
        eliminate(&mut a);
        plain::eliminate(&mut b, n);
        assert_eq!(bits(&a), bits(&b));
        assert!(eliminate::scratch([n, n]) < 8 * n + 128, "one row");
    }
}
