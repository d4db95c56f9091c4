//! Checked arithmetic on sizes, for the shape and scratch functions, which are `const` where possible.
//! `None` is an overflow of `i128` or a division by zero; any operation on `None` is `None`.
use crate::{ShapeError, arena::ALIGN};

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
