//! Maps and sets as vectors in the order of their keys.
//!
//! They have the interface of std's `BTreeMap` and `BTreeSet`, and their order: equal input gives equal output. A
//! kernel has few variables, and most are entered in the order of their numbers, at the end. Users compile the compiler
//! without optimisation. Trees took a quarter of its code and a sixth of its time, since each type of key and value had
//! its own.

mod map;
mod set;

pub use map::{Entry, Map};
pub use set::Set;

use std::borrow::Borrow;
use std::ops::{Bound, RangeBounds};

/// Sorts by `key`; elements with equal keys keep their order. By insertion, since all that is sorted here is short or nearly in
/// order, and each of std's sorts is three thousand lines of LLVM.
pub fn sort_by_key<T, K: Ord>(xs: &mut [T], mut key: impl FnMut(&T) -> K) {
    for end in 1..xs.len() {
        let mut k = end;
        while k > 0 && key(&xs[k]) < key(&xs[k - 1]) {
            xs.swap(k, k - 1);
            k -= 1;
        }
    }
}

/// The position of `key` among `n` keys in order, the `i`-th of which is `at(i)`; if it is not among them, the position
/// where it belongs.
fn find<'k, K, Q>(n: usize, at: impl Fn(usize) -> &'k K, key: &Q) -> Result<usize, usize>
where
    K: Borrow<Q> + 'k,
    Q: Ord + ?Sized,
{
    let (mut low, mut high) = (0, n);
    // The end is tried first: most keys are new and larger than all keys before.
    let mut middle = n.saturating_sub(1);
    while low < high {
        match key.cmp(at(middle).borrow()) {
            std::cmp::Ordering::Less => high = middle,
            std::cmp::Ordering::Equal => return Ok(middle),
            std::cmp::Ordering::Greater => low = middle + 1,
        }
        middle = low + (high - low) / 2;
    }
    Err(low)
}

/// The places in order that `range` covers, where `find` finds keys.
fn places<Q>(
    range: impl RangeBounds<Q>,
    n: usize,
    find: impl Fn(&Q) -> Result<usize, usize>,
) -> std::ops::Range<usize> {
    let before = |k: &Q| find(k).unwrap_or_else(|at| at);
    let behind = |k: &Q| find(k).map_or_else(|at| at, |at| at + 1);
    let start = match range.start_bound() {
        Bound::Included(k) => before(k),
        Bound::Excluded(k) => behind(k),
        Bound::Unbounded => 0,
    };
    let end = match range.end_bound() {
        Bound::Included(k) => behind(k),
        Bound::Excluded(k) => before(k),
        Bound::Unbounded => n,
    };
    start..end.max(start)
}
