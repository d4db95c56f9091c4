//! The order of the named reductions: one definition, so that every caller gets the same bits. A function need not be commutative,
//! so [`reduce`](crate::runs::reduce) has another order.
//!
//! They are defined by *lanes*. Let `m = n / 16 * 16`.
//!
//! 1. Lane `l`, for `l` from 0 to 15, starts with `start` and takes `f(l)`, `f(16 + l)`, `f(32 + l)`, … below `m`,
//!    in this order.
//! 2. The result starts with `start` and takes the lanes, first to last.
//! 3. It takes `f(m)`, `f(m + 1)`, …, `f(n - 1)`, in this order.
//!
//! "`s` takes `x`" means `s = op(s, x)`. Fewer than 16 elements are in source order. The named reductions differ in `op`,
//! `start`, and their value for no elements:
//!
//! | | `op(s, x)` | `start` | no elements |
//! |---|---|---|---|
//! | [`sum`] | `s + x` | -0.0, 0 | 0.0, 0 |
//! | [`prod`] | `s * x` | 1 | 1 |
//! | [`min`] | `x` if `x < s`, else `s` | +∞, `MAX` | the same |
//! | [`max`] | `x` if `x > s`, else `s` | -∞, `MIN` | the same |
//!
//! A sum starts from -0.0, the neutral element of IEEE 754 addition: the sum of one element is that element, bit for
//! bit. The smallest and the largest number ignore NaN, and are the first in this order of 0.0 and -0.0.
//!
//! # Design
//! Sixteen `f64` lanes fill two AVX-512 or eight SSE2 registers, enough to hide the latency of an
//! addition. They are added in order and not as a tree, because a tree keeps LLVM from using the
//! wide registers in the main loop. So the named reductions of fewer than 32 elements are in source order as well, and
//! have no lanes. `min` and `max` compare as x86's instructions for them do.

use crate::Real;
use crate::clones::{Instance, contract};
use core::ops::Range;

/// The number of lanes.
pub const LANES: usize = 16;

/// The number of elements after the lanes that are computed side by side; a divisor of [`LANES`].
const GROUP: usize = 8;

/// [`GROUP`] for each of several reductions.
const FEW: usize = 4;

/// Numbers that can be reduced.
pub trait Summand: Copy + PartialOrd + core::ops::Add<Output = Self> + core::ops::Mul<Output = Self> {
    /// The neutral element of addition, from which a sum starts: -0.0 for floats.
    const START: Self;
    /// The empty sum.
    const ZERO: Self;
    /// The empty product.
    const ONE: Self;
    /// At most every number: -∞ for floats.
    const LEAST: Self;
    /// At least every number: +∞ for floats.
    const GREATEST: Self;
    /// Whether every reduction is in source order: so integers overflow where Rust's do.
    const IN_ORDER: bool;
}

macro_rules! summands {
    ($($start:literal $one:literal $least:ident $greatest:ident $in_order:literal: $($t:ident)*;)*) => {$($(
        impl Summand for $t {
            const START: Self = $start;
            const ZERO: Self = 0 as Self;
            const ONE: Self = $one;
            const LEAST: Self = $t::$least;
            const GREATEST: Self = $t::$greatest;
            const IN_ORDER: bool = $in_order;
        }
    )*)*};
}
summands! {
    -0.0 1.0 NEG_INFINITY INFINITY false: f64 f32;
    0 1 MIN MAX true: usize isize i8 i16 i32 i64 u8 u16 u32 u64 i128 u128;
}

/// The elements `f(0)`, …, `f(n - 1)` reduced by `op` in the [lane order](self), where `op(start, x)` is `x`, and the value for no
/// elements; LLVM vectorises it if it can vectorise `f` and `op`. With one element for each lane, the lane order is the source
/// order, whose code without lanes is shorter.
///
/// Calls `f` once for each index, from first to last.
#[inline(always)]
fn reduce_neutral<T: Copy>(
    n: usize,
    (start, empty): (T, T),
    op: impl Fn(T, T) -> T,
    mut f: impl FnMut(usize) -> T,
) -> T {
    let (mut m, mut total) = (0, start);
    if n >= 2 * LANES {
        m = n / LANES * LANES;
        total = lanes(m, start, &op, &mut f);
        if m == n {
            return total;
        }
    } else if n == 0 {
        return empty;
    }
    rest(m..n, total, op, f)
}

/// The first `m` elements, a multiple of the number of lanes.
#[inline(always)]
fn lanes<T: Copy>(m: usize, start: T, op: impl Fn(T, T) -> T, mut f: impl FnMut(usize) -> T) -> T {
    let mut lanes = [start; LANES];
    let mut i = 0;
    while i < m {
        for (l, lane) in lanes.iter_mut().enumerate() {
            *lane = op(*lane, f(i + l));
        }
        i += LANES;
    }
    lanes.into_iter().fold(start, op)
}

/// The elements after the lanes. Their computation, except for `op`, runs side by side in groups.
#[inline(always)]
fn rest<T: Copy>(
    Range { start: mut i, end: n }: Range<usize>,
    mut total: T,
    op: impl Fn(T, T) -> T,
    mut f: impl FnMut(usize) -> T,
) -> T {
    while i < n / GROUP * GROUP {
        for l in 0..GROUP {
            total = op(total, f(i + l));
        }
        i += GROUP;
    }
    for i in i..i + n % GROUP {
        total = op(total, f(i));
    }
    total
}

/// `reduce_neutral`, bit for bit, with a single call site of `f`: for an `f` that contains a loop, which is not vectorised over
/// `i` and should not be compiled twice.
#[inline(always)]
pub fn reduce_nested<T: Copy>(n: usize, start: T, op: impl Fn(T, T) -> T, mut f: impl FnMut(usize) -> T) -> T {
    let m = n / LANES * LANES;
    let (mut lanes, mut total) = ([start; LANES], start);
    for i in 0..n {
        let term = f(i);
        if i >= m {
            total = op(total, term);
            continue;
        }
        lanes[i % LANES] = op(lanes[i % LANES], term);
        if i + 1 == m {
            lanes.iter().for_each(|lane| total = op(total, *lane));
        }
    }
    total
}

/// The elements reduced in source order.
#[inline(always)]
pub fn reduce_ordered<T: Copy>(n: usize, start: T, op: impl Fn(T, T) -> T, mut f: impl FnMut(usize) -> T) -> T {
    let mut total = start;
    for i in 0..n {
        total = op(total, f(i));
    }
    total
}

/// Several reductions over one range, each with the bits that it has alone.
#[inline(always)]
fn several<T: Copy, const K: usize>(
    n: usize,
    start: T,
    op: impl Fn(T, T) -> T,
    mut f: impl FnMut(usize) -> [T; K],
) -> [T; K] {
    let m = if n < 2 * LANES { 0 } else { n / LANES * LANES };
    let mut totals = [start; K];
    let mut i = 0;
    if m > 0 {
        let mut lanes = [[start; LANES]; K];
        while i < m {
            for l in 0..LANES {
                let terms = f(i + l);
                for (lanes, term) in lanes.iter_mut().zip(terms) {
                    lanes[l] = op(lanes[l], term);
                }
            }
            i += LANES;
        }
        for (total, lanes) in totals.iter_mut().zip(lanes) {
            for lane in lanes {
                *total = op(*total, lane);
            }
        }
    }
    while i < n / FEW * FEW {
        for l in 0..FEW {
            totals = each(&op)(totals, f(i + l));
        }
        i += FEW;
    }
    for i in i..i + n % FEW {
        totals = each(&op)(totals, f(i));
    }
    totals
}

/// Several sums of products, each in the [lane order](self): a product and its addition are rounded as the instance does it.
#[inline(always)]
pub fn products<I: Instance, T: Real, const K: usize>(
    n: usize,
    cpu: I,
    mut f: impl FnMut(usize) -> [(T, T); K],
) -> [T; K] {
    let m = if n < 2 * LANES { 0 } else { n / LANES * LANES };
    let mut totals = [T::START; K];
    if m > 0 {
        let mut lanes = [[T::START; LANES]; K];
        let mut i = 0;
        while i < m {
            for l in 0..LANES {
                for (lanes, (a, b)) in lanes.iter_mut().zip(f(i + l)) {
                    lanes[l] = contract(cpu, a, b, lanes[l]);
                }
            }
            i += LANES;
        }
        for (total, lanes) in totals.iter_mut().zip(lanes) {
            for lane in lanes {
                *total = *total + lane;
            }
        }
    }
    for i in m..n {
        for (total, (a, b)) in totals.iter_mut().zip(f(i)) {
            *total = contract(cpu, a, b, *total);
        }
    }
    if n == 0 { [T::ZERO; K] } else { totals }
}

/// `op` on each of several numbers.
#[inline(always)]
fn each<T: Copy, const K: usize>(op: impl Fn(T, T) -> T) -> impl Fn([T; K], [T; K]) -> [T; K] {
    move |mut totals, terms| {
        for (total, term) in totals.iter_mut().zip(terms) {
            *total = op(*total, term);
        }
        totals
    }
}

/// The functions of one reduction: in lanes, in lanes with a single call site of `f`, in source order; of one number for
/// each index, and of several.
macro_rules! named {
    ($(
        $(#[$doc:meta])*
        $name:ident $nested:ident $ordered:ident $many:ident $many_nested:ident $many_ordered:ident:
            $start:ident $empty:ident $op:expr;
    )*) => {$(
        $(#[$doc])*
        ///
        /// In the [lane order](self); of integers in source order.
        #[inline(always)]
        pub fn $name<T: Summand>(n: usize, f: impl FnMut(usize) -> T) -> T {
            if T::IN_ORDER {
                return $ordered(n, f);
            }
            reduce_neutral(n, (T::$start, T::$empty), $op, f)
        }

        #[doc = concat!("[`", stringify!($name), "`], bit for bit, with a single call site of `f`.")]
        #[inline(always)]
        pub fn $nested<T: Summand>(n: usize, f: impl FnMut(usize) -> T) -> T {
            if T::IN_ORDER {
                return $ordered(n, f);
            }
            let total = reduce_nested(n, T::$start, $op, f);
            if n == 0 { T::$empty } else { total }
        }

        #[doc = concat!("[`", stringify!($name), "`] in source order.")]
        #[inline(always)]
        pub fn $ordered<T: Summand>(n: usize, f: impl FnMut(usize) -> T) -> T {
            let total = reduce_ordered(n, T::$start, $op, f);
            if n == 0 { T::$empty } else { total }
        }

        #[doc = concat!("Several [`", stringify!($name), "`]s over one range, each with the bits of one of its own.")]
        #[inline(always)]
        pub fn $many<T: Summand, const K: usize>(n: usize, f: impl FnMut(usize) -> [T; K]) -> [T; K] {
            if T::IN_ORDER {
                return $many_ordered(n, f);
            }
            let totals = several(n, T::$start, $op, f);
            if n == 0 { [T::$empty; K] } else { totals }
        }

        #[doc = concat!("[`", stringify!($many), "`], bit for bit, with a single call site of `f`.")]
        #[inline(always)]
        pub fn $many_nested<T: Summand, const K: usize>(n: usize, f: impl FnMut(usize) -> [T; K]) -> [T; K] {
            if T::IN_ORDER {
                return $many_ordered(n, f);
            }
            let totals = reduce_nested(n, [T::$start; K], each($op), f);
            if n == 0 { [T::$empty; K] } else { totals }
        }

        #[doc = concat!("[`", stringify!($many), "`] in source order.")]
        #[inline(always)]
        pub fn $many_ordered<T: Summand, const K: usize>(n: usize, f: impl FnMut(usize) -> [T; K]) -> [T; K] {
            let totals = reduce_ordered(n, [T::$start; K], each($op), f);
            if n == 0 { [T::$empty; K] } else { totals }
        }
    )*};
}

named! {
    /// `f(0) + … + f(n - 1)`.
    sum sum_nested sum_ordered sums sums_nested sums_ordered: START ZERO |s: T, x| s + x;
    /// `f(0) * … * f(n - 1)`.
    prod prod_nested prod_ordered prods prods_nested prods_ordered: ONE ONE |s: T, x| s * x;
    /// The smallest of `f(0)`, …, `f(n - 1)` that is not NaN.
    min min_nested min_ordered mins mins_nested mins_ordered:
        GREATEST GREATEST |s: T, x| if x < s { x } else { s };
    /// The largest of `f(0)`, …, `f(n - 1)` that is not NaN.
    max max_nested max_ordered maxs maxs_nested maxs_ordered: LEAST LEAST |s: T, x| if x > s { x } else { s };
}
