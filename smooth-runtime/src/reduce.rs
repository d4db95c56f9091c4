//! The order of additions in a reduction: one definition, so that every caller gets the same bits.
//!
//! [`sum`]`(n, f)` is defined by *lanes*. Let `m = n / 16 * 16`.
//!
//! 1. Lane `l`, for `l` from 0 to 15, is the sum of `f(l)`, `f(16 + l)`, `f(32 + l)`, … below `m`,
//!    in this order.
//! 2. The lanes are added, first to last.
//! 3. `f(m)`, `f(m + 1)`, …, `f(n - 1)` are added to the result, in this order.
//!
//! Every sum starts from -0.0, the neutral element of IEEE 754 addition: the sum of one element is
//! that element, bit for bit, and a sum of fewer than 16 elements is in source order. An empty sum
//! is 0.0.
//!
//! # Design
//! Sixteen `f64` lanes fill two AVX-512 or eight SSE2 registers, enough to hide the latency of an
//! addition. They are added in order and not as a tree, because a tree keeps LLVM from using the
//! wide registers in the main loop.

/// The number of lanes of [`sum`].
pub const LANES: usize = 16;

/// Numbers that can be summed.
pub trait Summand: Copy + core::ops::AddAssign {
    /// The neutral element of addition, from which a sum starts: -0.0 for floats.
    const START: Self;
    /// The empty sum.
    const ZERO: Self;
}

macro_rules! summands {
    ($($start:literal: $($t:ty)*;)*) => {$($(
        impl Summand for $t {
            const START: Self = $start;
            const ZERO: Self = 0 as Self;
        }
    )*)*};
}
summands! {
    -0.0: f64 f32;
    0: usize i8 i16 i32 i64 u8 u16 u32 u64;
}

/// `f(0) + … + f(n - 1)` in the [lane order](self); LLVM vectorises it if it can vectorise `f`.
///
/// Calls `f` once for each index, from first to last.
#[inline(always)]
pub fn sum<T: Summand>(n: usize, mut f: impl FnMut(usize) -> T) -> T {
    let m = n / LANES * LANES;
    let mut total = T::START;
    if m > 0 {
        let mut lanes = [T::START; LANES];
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
    if n == 0 { T::ZERO } else { total }
}

/// [`sum`], bit for bit, with a single call site of `f`: for an `f` that contains a loop, which is not
/// vectorised over `i` and should not be compiled twice.
#[inline(always)]
pub fn sum_nested<T: Summand>(n: usize, mut f: impl FnMut(usize) -> T) -> T {
    let [total] = sums_nested(n, |i| [f(i)]);
    total
}

/// `f(0) + … + f(n - 1)` in source order.
#[inline(always)]
pub fn sum_ordered<T: Summand>(n: usize, mut f: impl FnMut(usize) -> T) -> T {
    let mut total = T::START;
    for i in 0..n {
        total += f(i);
    }
    if n == 0 { T::ZERO } else { total }
}

/// Several [`sum`]s over one range, each with the bits of a sum of its own.
#[inline(always)]
pub fn sums<T: Summand, const K: usize>(n: usize, mut f: impl FnMut(usize) -> [T; K]) -> [T; K] {
    let m = n / LANES * LANES;
    let mut totals = [T::START; K];
    if m > 0 {
        let mut lanes = [[T::START; LANES]; K];
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
    if n == 0 { [T::ZERO; K] } else { totals }
}

/// [`sums`], bit for bit, with a single call site of `f`, as in [`sum_nested`].
#[inline(always)]
pub fn sums_nested<T: Summand, const K: usize>(n: usize, mut f: impl FnMut(usize) -> [T; K]) -> [T; K] {
    let m = n / LANES * LANES;
    let (mut lanes, mut totals) = ([[T::START; K]; LANES], [T::START; K]);
    for i in 0..n {
        let terms = f(i);
        if i >= m {
            add(&mut totals, terms);
            continue;
        }
        add(&mut lanes[i % LANES], terms);
        if i + 1 == m {
            lanes.iter().for_each(|lane| add(&mut totals, *lane));
        }
    }
    if n == 0 { [T::ZERO; K] } else { totals }
}

/// Several [`sum_ordered`]s over one range.
#[inline(always)]
pub fn sums_ordered<T: Summand, const K: usize>(n: usize, mut f: impl FnMut(usize) -> [T; K]) -> [T; K] {
    let mut totals = [T::START; K];
    for i in 0..n {
        add(&mut totals, f(i));
    }
    if n == 0 { [T::ZERO; K] } else { totals }
}

#[inline(always)]
fn add<T: Summand, const K: usize>(totals: &mut [T; K], terms: [T; K]) {
    for (total, term) in totals.iter_mut().zip(terms) {
        *total += term;
    }
}
