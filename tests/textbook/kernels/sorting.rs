//! Arrays that are searched, sorted and rearranged.

use smooth::prelude::*;

/// Eight numbers, by exchanges of neighbours.
#[smooth]
pub fn sort_eight(a: &[f64; 8]) -> [f64; 8] {
    let mut b = a.clone();
    for i in 1..8 {
        for j in (1..=i).rev() {
            if b[j - 1] > b[j] {
                b.swap(j - 1, j);
            }
        }
    }
    b
}

/// Rounds of exchanges, until there is none; and their number.
#[smooth]
pub fn bubble_sort(a: &[i64; n]) -> ([i64; n], usize) {
    let mut b = a.clone();
    let mut rounds = 0;
    loop {
        let mut swapped = false;
        for i in 1..n {
            if b[i - 1] > b[i] {
                b.swap(i - 1, i);
                swapped = true;
            }
        }
        rounds += 1;
        if !swapped {
            break;
        }
    }
    (b, rounds)
}

/// The smallest of the rest, again and again.
#[smooth]
pub fn selection_sort(a: &[f64; n]) -> [f64; n] {
    let mut b = a.clone();
    for i in 0..n {
        let mut least = i;
        for j in i + 1..n {
            if b[j] < b[least] {
                least = j;
            }
        }
        b.swap(i, least);
    }
    b
}

/// A heap, and its largest element to the end, again and again.
#[smooth]
pub fn heap_sort(a: &[u32; n]) -> [u32; n] {
    let mut h = a.clone();
    for k in 0..2 * n {
        // First each half from the last to the first, then each end from the last to the first.
        let (start, end) = if k < n { (n - 1 - k, n) } else { (0, 2 * n - 1 - k) };
        if k >= n {
            h.swap(0, end);
        }
        let mut parent = start;
        loop {
            let mut child = 2 * parent + 1;
            if child >= end {
                break;
            }
            if child + 1 < end && h[child + 1] > h[child] {
                child += 1;
            }
            if h[parent] >= h[child] {
                break;
            }
            h.swap(parent, child);
            parent = child;
        }
    }
    h
}

/// Two sorted arrays as one.
#[smooth]
pub fn merge(a: &[f64; n], b: &[f64; m]) -> [f64; n + m] {
    let mut out = [0.0; n + m];
    let (mut i, mut j) = (0, 0);
    for k in 0..n + m {
        if j == m || i < n && a[i] <= b[j] {
            out[k] = a[i];
            i += 1;
        } else {
            out[k] = b[j];
            j += 1;
        }
    }
    out
}

/// Numbers below `limit`, sorted by counting them.
#[smooth]
pub fn counting_sort(a: &[usize; n], limit: usize) -> [usize; n] {
    let mut starts = [0; limit + 1];
    for &x in a.iter() {
        starts[x + 1] += 1;
    }
    for i in 0..limit {
        starts[i + 1] += starts[i];
    }
    let mut out = [0; n];
    for &x in a.iter() {
        out[starts[x]] = x;
        starts[x] += 1;
    }
    out
}

/// The first place at which `x` can stand in a sorted array.
#[smooth]
pub fn binary_search(a: &[f64; n], x: f64) -> usize {
    let mut low = 0;
    let mut high = n;
    while low < high {
        let middle = low + (high - low) / 2;
        if a[middle] < x {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low
}

/// The first element that satisfies a condition, or `n`.
#[smooth]
pub fn position(a: &[f64; n], limit: f64) -> usize {
    for (i, x) in a.iter().enumerate() {
        if *x > limit {
            return i;
        }
    }
    n
}

/// Elements below the pivot first; and their number.
#[smooth]
pub fn partition(a: &[f64; n], pivot: f64) -> ([f64; n], usize) {
    let mut b = a.clone();
    let mut count = 0;
    for i in 0..n {
        if b[i] < pivot {
            b.swap(i, count);
            count += 1;
        }
    }
    (b, count)
}

/// The elements in reverse order, by exchanges.
#[smooth]
pub fn reverse(a: &[u8; n]) -> [u8; n] {
    let mut b = a.clone();
    let mut i = 0;
    let mut j = n;
    while i + 1 < j {
        j -= 1;
        b.swap(i, j);
        i += 1;
    }
    b
}
