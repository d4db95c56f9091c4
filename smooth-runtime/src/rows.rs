//! Reductions of the rows of a table, one for each: in the order of [`reduce`](crate::reduce), several side by side.
//!
//! Fewer than 32 terms are in source order, and each waits for the one before it; those of other rows do not wait.

use crate::reduce::{LANES, Summand, max, maxs, min, mins, prod, prods, sum, sums};

/// The number of rows that are reduced side by side.
const ROWS: usize = 4;

/// The number of terms from which on this pays.
const SOME: usize = 8;

macro_rules! rows {
    ($($name:ident: $one:ident $several:ident;)*) => {$(
        #[doc = concat!("Calls `then(i, x)` for each `i < n`: `x` is the [`", stringify!($one), "`] of `term(i, l)` for `l < k`.")]
        ///
        /// Terms may be computed in any order.
        #[inline(always)]
        pub fn $name<T: Summand>(n: usize, k: usize, term: impl Fn(usize, usize) -> T, mut then: impl FnMut(usize, T)) {
            // Each range of `k` has a separate loop, in which it is known.
            if k < 2 * LANES {
                if k >= SOME {
                    for group in 0..n / ROWS {
                        let i = ROWS * group;
                        let totals: [T; ROWS] = $several(k, |l| {
                            [term(i, l), term(i + 1, l), term(i + 2, l), term(i + 3, l)]
                        });
                        for (r, total) in totals.into_iter().enumerate() {
                            then(i + r, total);
                        }
                    }
                    for i in n / ROWS * ROWS..n {
                        then(i, $one(k, |l| term(i, l)));
                    }
                } else {
                    for i in 0..n {
                        then(i, $one(k, |l| term(i, l)));
                    }
                }
            } else {
                for i in 0..n {
                    then(i, $one(k, |l| term(i, l)));
                }
            }
        }
    )*};
}

rows! {
    sum_rows: sum sums;
    prod_rows: prod prods;
    min_rows: min mins;
    max_rows: max maxs;
}
