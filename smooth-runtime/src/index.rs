//! Checked indices, for generated code where the compiler could not prove the index.

/// An array to slice to any length, so that Rust itself checks an index and the panic is exactly Rust's.
static UNITS: [(); usize::MAX] = [(); usize::MAX];

/// Returns `i` if it is less than `len`.
///
/// # Panics
/// As `a[i]` does, where `a.len() == len`.
#[inline(always)]
#[track_caller]
pub fn index(i: usize, len: usize) -> usize {
    let () = UNITS[..len][i];
    i
}

/// The length of `start..end` if this is a range within `len` elements.
///
/// # Panics
/// As `a[start..end]` does, where `a.len() == len`.
#[inline(always)]
#[track_caller]
pub fn range(start: usize, end: usize, len: usize) -> usize {
    UNITS[..len][start..end].len()
}

/// `a + b` of two sizes. It must not wrap in any build, since the proofs behind removed bounds checks treat sizes as
/// integers.
///
/// # Panics
///
/// If the sum overflows `usize`.
#[track_caller]
#[inline(always)]
pub fn add(a: usize, b: usize) -> usize {
    match a.checked_add(b) {
        Some(sum) => sum,
        None => overflow("attempt to add with overflow"),
    }
}

/// `a * b`, checked as in [`add`].
///
/// # Panics
///
/// If the product overflows `usize`.
#[track_caller]
#[inline(always)]
pub fn mul(a: usize, b: usize) -> usize {
    match a.checked_mul(b) {
        Some(product) => product,
        None => overflow("attempt to multiply with overflow"),
    }
}

/// `a - b`, checked as in [`add`].
///
/// # Panics
///
/// If `b > a`.
#[track_caller]
#[inline(always)]
pub fn sub(a: usize, b: usize) -> usize {
    match a.checked_sub(b) {
        Some(difference) => difference,
        None => overflow("attempt to subtract with overflow"),
    }
}

#[cold]
#[inline(never)]
#[track_caller]
pub(crate) fn overflow(text: &str) -> ! {
    panic!("{text}")
}
