//! Searches and sorts, in the storage of their results.

use crate::agree::{Numbers, SIZES, agrees};
use crate::kernels::sorting::*;
use crate::plain::sorting as plain;

#[test]
fn sorts() {
    for n in SIZES {
        let mut numbers = Numbers::new(n as u64);
        let a = &numbers.vector(n);
        agrees!(selection_sort(a) into [vec![0.0; n]] == plain::sorted(a));
        let i: Vec<i64> = numbers.integers(n, 40).iter().map(|x| *x as i64 - 20).collect();
        agrees!(bubble_sort(&i) into [vec![0; n]] == plain::bubble_sort(&i));
        let u: Vec<u32> = numbers.integers(n, 1000).iter().map(|x| *x as u32).collect();
        agrees!(heap_sort(&u) into [vec![0; n]] == plain::sorted(&u));
        let k = &numbers.integers(n, 9);
        agrees!(counting_sort(k, 9) into [vec![0; n]] == plain::sorted(k));
        let scratch = [selection_sort::scratch([n]), bubble_sort::scratch([n]), heap_sort::scratch([n])];
        assert_eq!(scratch, [0; 3]);
    }
    for seed in 0..20 {
        let a: [f64; 8] = Numbers::new(seed).vector(8).try_into().expect("eight");
        agrees!(sort_eight(&a) reference(&a) into [[0.0; 8]] == plain::sorted(&a));
    }
    const NOTHING: usize = sort_eight::scratch();
    assert_eq!(NOTHING, 0);
}

#[test]
fn searches() {
    for n in SIZES {
        let mut numbers = Numbers::new(n as u64);
        let (a, b) = (&numbers.vector(n), &plain::sorted(&numbers.vector(9)));
        let s = &plain::sorted(a);
        agrees!(merge(s, b) into [vec![0.0; n + 9]] == plain::merge(s, b));
        for x in [-2.0, -0.5, 0.0, 0.3, 2.0] {
            agrees!(binary_search(s, x) into [] == plain::binary_search(s, x));
            agrees!(position(a, x) into [] == plain::position(a, x));
            agrees!(partition(a, x) into [vec![0.0; n]] == plain::partition(a, x));
        }
        assert_eq!((merge::scratch([n], [9]), partition::scratch([n])), (0, 0));
        assert_eq!((binary_search::scratch([n]), position::scratch([n])), (0, 0));
    }
}

#[test]
fn rearrangements() {
    for n in SIZES {
        let mut numbers = Numbers::new(n as u64);
        let text = &numbers.text(n, b"abc");
        agrees!(reverse(text) into [vec![0; n]] == text.iter().rev().copied().collect::<Vec<_>>());
        assert_eq!(reverse::scratch([n]), 0);
    }
}
