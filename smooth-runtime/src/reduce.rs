//! The order in which a reduction adds: one definition, so that every caller gets the same bits.
//!
//! [`sum`]`(n, f)` is defined by *lanes*. Let `m = n / 16 * 16`.
//!
//! 1. Lane `l`, for `l` from 0 to 15, is the sum of `f(l)`, `f(16 + l)`, `f(32 + l)`, … below `m`,
//!    in this order.
//! 2. The lanes are added, first to last.
//! 3. `f(m)`, `f(m + 1)`, …, `f(n - 1)` are added to that, in this order.
//!
//! Every sum starts from -0.0, which IEEE 754 addition leaves no trace of: the sum of one element
//! is that element, bit for bit, and below 16 elements the order is source order. An empty sum is
//! 0.0.
//!
//! # Design
//! Sixteen lanes fill two AVX-512 or eight SSE2 registers, enough to hide the latency of an
//! addition. They are added in order and not as a tree because a tree makes LLVM give up the wide
//! registers in the main loop.

/// The number of lanes of [`sum`].
pub const LANES: usize = 16;

/// `f(0) + … + f(n - 1)` in the [lane order](self); vectorises when `f` does.
///
/// Calls `f` once for each index, from first to last.
#[inline(always)]
pub fn sum(n: usize, mut f: impl FnMut(usize) -> f64) -> f64 {
    let m = n / LANES * LANES;
    let mut total = -0.0;
    if m > 0 {
        let mut lanes = [-0.0; LANES];
        let mut i = 0;
        while i < m {
            for (l, lane) in lanes.iter_mut().enumerate() {
                *lane += f(i + l);
            }
            i += LANES;
        }
        for lane in lanes {
            total += lane;
        }
    }
    for i in m..n {
        total += f(i);
    }
    if n == 0 { 0.0 } else { total }
}

/// [`sum`], bit for bit, with `f` called at one place only: for an `f` that is a loop itself, which
/// does not vectorise over `i` and should not be compiled twice.
#[inline(always)]
pub fn sum_nested(n: usize, mut f: impl FnMut(usize) -> f64) -> f64 {
    let m = n / LANES * LANES;
    // The lanes, then each element of the tail.
    let mut parts = [-0.0; 2 * LANES];
    for i in 0..n {
        let part = if i < m { i % LANES } else { LANES + i - m };
        parts[part] += f(i);
    }
    let total = parts[..LANES + n - m].iter().fold(-0.0, |total, part| total + part);
    if n == 0 { 0.0 } else { total }
}

/// `f(0) + … + f(n - 1)` in source order.
#[inline(always)]
pub fn sum_ordered(n: usize, mut f: impl FnMut(usize) -> f64) -> f64 {
    let mut total = -0.0;
    for i in 0..n {
        total += f(i);
    }
    if n == 0 { 0.0 } else { total }
}

/// Several [`sum`]s over one range, each bit for bit as if it were alone.
#[inline(always)]
pub fn sums<const K: usize>(n: usize, mut f: impl FnMut(usize) -> [f64; K]) -> [f64; K] {
    let m = n / LANES * LANES;
    let mut totals = [-0.0; K];
    if m > 0 {
        let mut lanes = [[-0.0; LANES]; K];
        let mut i = 0;
        while i < m {
            for l in 0..LANES {
                let terms = f(i + l);
                for (lanes, term) in lanes.iter_mut().zip(terms) {
                    lanes[l] += term;
                }
            }
            i += LANES;
        }
        for (total, lanes) in totals.iter_mut().zip(lanes) {
            for lane in lanes {
                *total += lane;
            }
        }
    }
    for i in m..n {
        add(&mut totals, f(i));
    }
    if n == 0 { [0.0; K] } else { totals }
}

/// [`sums`], bit for bit, with `f` called at one place only, as in [`sum_nested`].
#[inline(always)]
pub fn sums_nested<const K: usize>(n: usize, mut f: impl FnMut(usize) -> [f64; K]) -> [f64; K] {
    let m = n / LANES * LANES;
    let mut parts = [[-0.0; K]; 2 * LANES];
    for i in 0..n {
        let part = if i < m { i % LANES } else { LANES + i - m };
        add(&mut parts[part], f(i));
    }
    let mut totals = [-0.0; K];
    parts[..LANES + n - m].iter().for_each(|part| add(&mut totals, *part));
    if n == 0 { [0.0; K] } else { totals }
}

/// Several [`sum_ordered`] over one range.
#[inline(always)]
pub fn sums_ordered<const K: usize>(n: usize, mut f: impl FnMut(usize) -> [f64; K]) -> [f64; K] {
    let mut totals = [-0.0; K];
    for i in 0..n {
        add(&mut totals, f(i));
    }
    if n == 0 { [0.0; K] } else { totals }
}

#[inline(always)]
fn add<const K: usize>(totals: &mut [f64; K], terms: [f64; K]) {
    for (total, term) in totals.iter_mut().zip(terms) {
        *total += term;
    }
}
