//! Assignments to parts of arrays mean what they mean in Rust.

mod common;

use common::same::Interpreted;
use common::{plain, run_everywhere};
use smooth_core::value::Value;

const A: &[f64] = &[3.0, -1.5, 4.0, 0.25, 5.0];
const NONE: &[f64] = &[];

same! {
    fn elements_are_assigned(a: &[f64]) -> [f64; 5] {
        let mut b = [0.0; 5];
        for i in 0..a.len() { b[a.len() - 1 - i] = a[i]; b[i] += 0.5; }
        b
    } on (A), (NONE);
    fn rows_and_elements_of_matrices(a: &[f64]) -> [[f64; 3]; 4] {
        let mut m = [[0.0; 3]; 4];
        for i in 0..4 { for j in 0..3 { m[i][j] = a[i] * j as f64; m[i][j] -= 1.0; } }
        m[2] = m[1];
        m[0] = [a[0], a[1], a[2]];
        let row = m[3];
        m[3] = m[0];
        m[0] = row;
        m
    } on (A);
    fn arrays_are_filled_and_copied(a: &[f64]) -> [f64; 8] {
        let mut b = [0.0; 8];
        b.fill(7.0);
        b[2..5].fill(a[1]);
        b[6..].fill(1.0);
        b[..1].fill(2.0);
        b[3..6].copy_from_slice(&a[1..4]);
        let mut c = [0.0; 8];
        c.copy_from_slice(&b);
        c[0] += 100.0;
        c
    } on (A);
    fn rows_are_filled_and_copied(a: &[f64]) -> [[f64; 5]; 3] {
        let mut m = [[0.0; 5]; 3];
        m[1].copy_from_slice(&[a[0], a[1], a[2], a[3], a[4]]);
        let k = a.len();
        m[1][k - 4..k].copy_from_slice(&a[k - 5..k - 1]);
        m[2].fill(1.5);
        m[0][1..3].fill(2.0);
        m[0][3..].copy_from_slice(&a[..2]);
        m[2][1] = 9.0;
        m
    } on (A);
    fn elements_and_rows_are_swapped(n: usize) -> [[usize; 3]; 4] {
        let mut m = [[0; 3]; 4];
        for i in 0..4 { for j in 0..3 { m[i][j] = 10 * i + j; } }
        m.swap(0, n);
        m[1].swap(n % 3, 2);
        m[2][1..].swap(0, 1);
        m
    } on (0), (1), (3);
    fn a_bubble_sort(a: &[f64]) -> [f64; 5] {
        let mut b = [0.0; 5];
        b.copy_from_slice(a);
        for i in 0..b.len() { for j in 0..b.len() - 1 - i { if b[j] > b[j + 1] { b.swap(j, j + 1); } } }
        b
    } on (A);
    fn an_insertion_sort(a: &[f64]) -> [f64; 5] {
        let mut b = [0.0; 5];
        for i in 0..5 {
            let x = a[i];
            let mut j = i;
            while j > 0 && b[j - 1] > x { b[j] = b[j - 1]; j -= 1; }
            b[j] = x;
        }
        b
    } on (A);
    fn references_to_elements(a: &[f64]) -> [f64; 5] {
        let mut b = [1.0; 5];
        for x in b.iter_mut() { *x += a[0]; *x *= 2.0; }
        for (i, x) in b.iter_mut().enumerate() { if i == 3 { continue; } *x += a[i]; }
        for x in &mut b { if *x > 12.0 { *x = 0.0; break; } }
        for x in b[1..3].iter_mut().rev() { *x = -*x; }
        b
    } on (A);
    fn references_to_rows(a: &[f64]) -> [[f64; 2]; 3] {
        let mut m = [[0.0; 2]; 3];
        for (i, row) in m.iter_mut().enumerate() { row[0] = a[i]; for x in row.iter_mut() { *x += 1.0; } }
        let last = &mut m[2];
        last[1] = 7.0;
        last.swap(0, 1);
        m
    } on (A);
    fn arrays_in_tuples(a: &[f64]) -> ([f64; 5], usize) {
        let mut state = ([0.0; 5], 0);
        for i in 0..a.len() { if a[i] > 0.0 { state.0[state.1] = a[i]; state.1 += 1; } }
        state.0.swap(0, 1);
        state.0[3..].fill(-1.0);
        state
    } on (A), (NONE);
    fn buffers_change_places(n: usize) -> [f64; 5] {
        let (mut old, mut new) = ([0.0; 5], [0.0; 5]);
        old[2] = 1.0;
        for _ in 0..n {
            for i in 1..4 { new[i] = 0.5 * old[i] + 0.25 * (old[i - 1] + old[i + 1]); }
            (old, new) = (new, old);
        }
        old
    } on (0), (1), (4);
    fn an_array_leaves_a_loop(n: usize) -> [f64; 3] {
        let mut x = [1.0, 2.0, 3.0];
        for k in 0..n { x[k % 3] *= 2.0; if x[0] > 7.0 { return x; } }
        x[1] = 0.0;
        x
    } on (2), (20);
    fn one_of_two_arrays_leaves_a_loop(n: usize) -> [f64; 3] {
        let mut x = [1.0, 2.0, 3.0];
        let y = [0.0, 0.5, 0.25];
        for k in 0..n {
            let z = [x[0], y[1], 0.0];
            x[k % 3] *= 2.0;
            if x[1] > 7.0 { return y; }
            if x[0] > 3.0 { return z; }
        }
        x
    } on (2), (20);
    fn a_histogram(a: &[f64]) -> [usize; 4] {
        let mut h = [0; 4];
        for &x in a.iter() { let k = (x.abs() as usize).min(3); h[k] += 1; }
        h
    } on (A), (NONE);
    fn an_array_is_built_in_a_loop(n: usize) -> [f64; 3] {
        let mut x = [0.0; 3];
        for k in 0..n { let d = [1.0, k as f64, 2.0]; let y = x; for i in 0..3 { x[i] = y[2 - i] + d[i]; } }
        x
    } on (0), (1), (5);
    fn references_outlive_the_name_of_their_variable(n: usize) -> ([f64; 3], usize) {
        let mut out = [0.0; 3];
        {
            let mut a = [0.0, 1.0, 2.0];
            let p = &mut a[1];
            let a = n + 1;
            for k in 0..a { *p += k as f64; }
            if a > 2 { *p *= 2.0; }
            let mut b = [0.0; 2];
            let q = &mut b[0];
            for b in 0..n { let r = &mut *q; *r += b as f64; if b > 1 { *r += 0.5; } }
            out[0] = *p;
            out[1] = *q;
        }
        (out, n)
    } on (0), (1), (4);
    fn elements_outlive_the_name_of_their_array(n: usize) -> [f64; 3] {
        let mut a = [0.0, 1.0, 2.0];
        for x in a.iter_mut() {
            let mut a = 1.0;
            for k in 0..n { *x += k as f64 + a; a += 1.0; if *x > 3.0 { *x -= a; } }
            match n { 0 => {} 1 => { *x = 7.0; } _ => { *x += a; } }
        }
        a
    } on (0), (1), (4);
    fn old_values_stay(n: usize) -> ([f64; 3], [f64; 3]) {
        let mut x = [0.0, 1.0, 2.0];
        let y = x;
        x[n] = 10.0;
        let mut z = x;
        z[0] = y[1];
        (x, z)
    } on (0), (2);
}

/// Panics for the same arguments as plain Rust, first and last of all stages.
macro_rules! panics {
    ($($name:ident: |$b:ident, $a:ident, $s:ident, $e:ident, $k:ident| $body:block;)*) => {$(
        #[test]
        fn $name() {
            #[allow(clippy::all, unused)]
            fn rust($a: &[f64], $s: usize, $e: usize, $k: usize) -> [f64; 4] { let mut $b = [0.0; 4]; $body $b }
            let source = concat!(
                "#[smooth] fn kernel(", stringify!($a), ": &[f64], ", stringify!($s), ": usize, ", stringify!($e),
                ": usize, ", stringify!($k), ": usize) -> [f64; 4] { let mut ", stringify!($b), " = [0.0; 4];",
                stringify!($body), stringify!($b), "}"
            );
            let unit = plain(source);
            let stages = &unit.stages["kernel"];
            for n in 0..216 {
                let (s, e, k) = (n / 36, n / 6 % 6, n % 6);
                let rust = std::panic::catch_unwind(|| rust(&A[..3], s, e, k)).ok().map(|v| v.value());
                let args = [A[..3].value(), s.value(), e.value(), k.value()];
                let found = run_everywhere(&unit, "kernel", &args).ok();
                assert_eq!(found, rust, "{source} {s} {e} {k}");
                let last = smooth_core::dps::eval::run(&stages.stored, &args, &common::Others(&unit));
                assert_eq!(last.is_err(), rust.is_none(), "{source} {s} {e} {k}");
            }
        }
    )*};
}

panics! {
    slices_are_filled_in_range: |b, a, s, e, k| { b[s..e].fill(1.0); };
    slices_of_slices_are_in_range: |b, a, s, e, k| { b[s..e][..k].fill(1.0); b[e..].fill(2.0); };
    loops_over_slices_are_in_range: |b, a, s, e, k| { for x in a[s..e].iter() { b[k] = *x; break; } };
    elements_of_slices_are_in_range: |b, a, s, e, k| { b[s..e][k] += a[0]; };
    assigned_slices_are_in_range: |b, a, s, e, k| { for x in b[s..e].iter_mut() { *x += 1.0; } b[1..][s..].swap(0, k); };
    copies_have_one_length: |b, a, s, e, k| { b[s..e].copy_from_slice(&a[..k]); };
    whole_copies_have_one_length: |b, a, s, e, k| { b[k..].copy_from_slice(a); };
    slices_computed_from_data_are_in_range: |b, a, s, e, k| { let n = a[s] as usize; b[n..e].fill(a[0]); };
}
