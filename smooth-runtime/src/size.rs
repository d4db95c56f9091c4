//! Checked arithmetic on sizes, for the shape and scratch functions, which are `const` where possible.
//! `None` is an overflow of `i128` or a division by zero; any operation on `None` is `None`.
use crate::{ShapeError, arena::ALIGN, index::overflow};

/// Functions of two sizes, each a name and a formula.
macro_rules! arithmetic {
    ($($(#[$doc:meta])* $name:ident = |$a:ident, $b:ident| $value:expr;)*) => {$(
        $(#[$doc])*
        #[inline(always)]
        pub const fn $name(a: Option<i128>, b: Option<i128>) -> Option<i128> {
            match (a, b) {
                (Some($a), Some($b)) => $value,
                _ => None,
            }
        }
    )*};
}

arithmetic! {
    /// `a * b`
    size_mul = |a, b| a.checked_mul(b);
    /// `a + b`
    size_add = |a, b| a.checked_add(b);
    /// `a / b` with a remainder that is not negative: rounded down if `b` is positive.
    size_div = |a, b| a.checked_div_euclid(b);
    /// The remainder of [`size_div`], which is never negative.
    size_rem = |a, b| a.checked_rem_euclid(b);
    /// The smaller size.
    size_min = |a, b| Some(if a < b { a } else { b });
    /// The larger size.
    size_max = |a, b| Some(if a > b { a } else { b });
}

/// Operations that may have no value, each with one for `usize`s that panics then.
macro_rules! computed {
    ($($(#[$doc:meta])* $name:ident $exact:ident = |$a:ident, $b:ident| $value:expr;)*) => {
        arithmetic! { $($(#[$doc])* $name = |$a, $b| $value;)* }
        $(
            $(#[$doc])*
            ///
            /// # Panics
            /// If it has no value.
            #[track_caller]
            #[inline(always)]
            pub fn $exact(a: usize, b: usize) -> usize {
                exact($name(Some(a as i128), Some(b as i128)))
            }
        )*
    };
}

computed! {
    /// `1 << a`
    size_exp2 exp2 = |a, _b| if a >= 0 && a < 64 { Some(1 << a) } else { None };
    /// `a.pow(b)`
    size_pow pow = |a, b| power(a, b);
    /// `a.isqrt()`
    size_isqrt isqrt = |a, _b| a.checked_isqrt();
    /// `a.ilog2()`
    size_ilog2 ilog2 = |a, _b| if a > 0 { Some(a.ilog2() as i128) } else { None };
    /// `a.next_power_of_two()`
    size_next_power next_power = |a, _b| if a < 0 || a > 1 << 63 { None } else { Some((a as u128).next_power_of_two() as i128) };
    /// `a`, if it is no more than `b`.
    size_fits fits = |a, b| if a >= 0 && a <= b { Some(a) } else { None };
}

/// `a.pow(b)`, if it fits in 64 bits.
const fn power(a: i128, b: i128) -> Option<i128> {
    if a < 0 || b < 0 || b > u32::MAX as i128 {
        return None;
    }
    match a.checked_pow(b as u32) {
        Some(power) if power <= u64::MAX as i128 => Some(power),
        _ => None,
    }
}

#[track_caller]
#[inline(always)]
fn exact(size: Option<i128>) -> usize {
    match size {
        Some(size) if size <= usize::MAX as i128 => size as usize,
        _ => overflow("attempt to compute a size with overflow"),
    }
}

/// `k` times each of some sizes.
#[inline(always)]
pub const fn size_term<const N: usize>(k: i128, sizes: [usize; N]) -> Option<i128> {
    // Two numbers of 128 bits are multiplied in ten instructions, and most sizes are products that need one each.
    if k >= 0 && k <= usize::MAX as i128 {
        let (mut product, mut at) = (Some(k as usize), 0);
        while at < N {
            product = match product {
                Some(p) => p.checked_mul(sizes[at]),
                None => None,
            };
            at += 1;
        }
        if let Some(product) = product {
            return Some(product as i128);
        }
    }
    large_term(k, &sizes)
}

/// [`size_term`] where it may be more than a `usize`.
#[cold]
#[inline(never)]
const fn large_term(k: i128, sizes: &[usize]) -> Option<i128> {
    let (mut product, mut at) = (Some(k), 0);
    while at < sizes.len() {
        product = size_mul(product, Some(sizes[at] as i128));
        at += 1;
    }
    product
}

/// The bytes of `n` blocks of `len` elements of `size` bytes, each block rounded up to a multiple of 64. A negative length
/// counts as 0.
#[inline(always)]
pub const fn size_of_blocks(n: i128, len: Option<i128>, size: usize) -> Option<i128> {
    size_mul(Some(n), round64(size_mul(size_max(len, Some(0)), Some(size as i128))))
}

/// The next multiple of 64.
const fn round64(v: Option<i128>) -> Option<i128> {
    match size_add(v, Some(ALIGN as i128 - 1)) {
        Some(v) => Some(v & -(ALIGN as i128)),
        None => None,
    }
}

/// The value `v` of the size `text` of `kernel`, if it is a valid size.
///
/// # Errors
/// [`ShapeError::Negative`], and [`ShapeError::Overflow`] above `isize::MAX`.
#[inline(always)]
pub const fn size(v: Option<i128>, kernel: &'static str, text: &'static str) -> Result<usize, ShapeError> {
    match v {
        Some(value) if value < 0 => Err(ShapeError::Negative { kernel, size: text, value }),
        Some(value) if value <= isize::MAX as i128 => Ok(value as usize),
        _ => Err(ShapeError::Overflow { kernel, size: text }),
    }
}
