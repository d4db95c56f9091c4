//! Uninitialised memory as generated code sees it: typed and flat, without bounds checks where the compiler proved
//! the index.
use crate::{Element, Scalar, arena::ALIGN};
use core::{mem::MaybeUninit, slice};

/// The cells of a destination or of a temporary, which may not be written yet.
pub type Cells<T> = [MaybeUninit<T>];

/// An array that is aligned to cache lines.
#[derive(Debug)]
#[repr(C, align(64))]
pub struct Lines<A>(pub A);

/// Splits the cells of `len` scalars off the front of a frame and returns them with the rest.
///
/// # Panics
/// If the frame is too small, which a frame from [`Arena::frame`](crate::Arena::frame) never is.
#[inline(always)]
#[track_caller]
pub fn split<T: Scalar>(frame: &mut [MaybeUninit<u8>], len: usize) -> (&mut Cells<T>, &mut [MaybeUninit<u8>]) {
    debug_assert!(frame.is_empty() || frame.as_ptr().addr().is_multiple_of(ALIGN), "F1: a frame starts 64-aligned");
    let bytes = len.checked_mul(size_of::<T>()).and_then(|b| b.checked_next_multiple_of(ALIGN));
    let Some((head, rest)) = bytes.and_then(|b| frame.split_at_mut_checked(b)) else { too_small() };
    // SAFETY: cells accept any bytes (F2), and `align_to_mut` aligns them; by F1 the prefix that it skips is
    // empty.
    let (_, cells, _) = unsafe { head.align_to_mut() };
    let Some(cells) = cells.get_mut(..len) else { too_small() };
    (cells, rest)
}

#[cold]
#[inline(never)]
#[track_caller]
fn too_small() -> ! {
    panic!("smooth: a frame is smaller than its kernel's plan; this is a bug of smooth")
}

/// `a[i]`
///
/// # Safety
/// `i < a.len()` (F4).
#[inline(always)]
pub unsafe fn at<T: Copy>(a: &[T], i: usize) -> T {
    debug_assert!(i < a.len(), "F4: index {i} of length {}", a.len());
    // SAFETY: F4.
    unsafe { *a.get_unchecked(i) }
}

/// The current value of `r[i]`, in a cell that is about to be overwritten.
///
/// # Safety
/// `i < r.len()` (F4), and the cell is written (F5).
#[inline(always)]
pub unsafe fn old<T: Copy>(r: &Cells<T>, i: usize) -> T {
    debug_assert!(i < r.len(), "F4: index {i} of length {}", r.len());
    // SAFETY: F4 and F5.
    unsafe { r.get_unchecked(i).assume_init() }
}

/// `r[i] = v`
///
/// # Safety
/// `i < r.len()` (F4).
#[inline(always)]
pub unsafe fn put<T>(r: &mut Cells<T>, i: usize, v: T) {
    debug_assert!(i < r.len(), "F4: index {i} of length {}", r.len());
    // SAFETY: F4.
    unsafe { r.get_unchecked_mut(i) }.write(v);
}

/// `&a[from..]`
///
/// # Safety
/// `from <= a.len()` (F4).
#[inline(always)]
pub unsafe fn row<T>(a: &[T], from: usize) -> &[T] {
    debug_assert!(from <= a.len(), "F4: from {from} of {}", a.len());
    // SAFETY: F4.
    unsafe { slice::from_raw_parts(a.as_ptr().add(from), a.len().unchecked_sub(from)) }
}

/// `&mut r[from..]`
///
/// # Safety
/// `from <= r.len()` (F4).
#[inline(always)]
pub unsafe fn row_mut<T>(r: &mut Cells<T>, from: usize) -> &mut Cells<T> {
    debug_assert!(from <= r.len(), "F4: from {from} of {}", r.len());
    // SAFETY: F4.
    unsafe { slice::from_raw_parts_mut(r.as_mut_ptr().add(from), r.len().unchecked_sub(from)) }
}

/// `i * stride`, a part of an offset.
///
/// As the product cannot overflow, LLVM knows that cells `3 * i + 1` and `3 * j` differ.
///
/// # Safety
/// The product is the offset of a place in a slice, and so at most `isize::MAX` (F4).
#[inline(always)]
pub unsafe fn times(i: usize, stride: usize) -> usize {
    // SAFETY: F4. A stride of more than `isize::MAX` is one of an array without elements, where `i` is 0.
    unsafe { i.cast_signed().unchecked_mul(stride.cast_signed()).cast_unsigned() }
}

/// `a + b`, both parts of an offset.
///
/// # Safety
/// The sum is the offset of a place in a slice, and so at most `isize::MAX` (F4).
#[inline(always)]
pub unsafe fn plus(a: usize, b: usize) -> usize {
    // SAFETY: F4.
    unsafe { a.cast_signed().unchecked_add(b.cast_signed()).cast_unsigned() }
}

/// `&a[from..from + len]`
///
/// # Safety
/// `from + len <= a.len()` (F4).
#[inline(always)]
pub unsafe fn part<T>(a: &[T], from: usize, len: usize) -> &[T] {
    debug_assert!(from <= a.len() && len <= a.len() - from, "F4: {len} from {from} of {}", a.len());
    // SAFETY: F4.
    unsafe { a.get_unchecked(from..from + len) }
}

/// `&mut r[from..from + len]`
///
/// # Safety
/// `from + len <= r.len()` (F4).
#[inline(always)]
pub unsafe fn part_mut<T>(r: &mut Cells<T>, from: usize, len: usize) -> &mut Cells<T> {
    debug_assert!(from <= r.len() && len <= r.len() - from, "F4: {len} from {from} of {}", r.len());
    // SAFETY: F4.
    unsafe { r.get_unchecked_mut(from..from + len) }
}

/// The values in the cells.
///
/// # Safety
/// Every cell is written (F5).
#[inline(always)]
pub unsafe fn init<T>(r: &Cells<T>) -> &[T] {
    // SAFETY: F5.
    unsafe { r.assume_init_ref() }
}

/// The cells of values, to be overwritten.
///
/// # Safety
/// Only values are written into the cells (F6).
#[inline(always)]
pub unsafe fn cells<T>(r: &mut [T]) -> &mut Cells<T> {
    // SAFETY: the same bytes (F2), borrowed for the same lifetime; they stay values (F6).
    unsafe { slice::from_raw_parts_mut(r.as_mut_ptr().cast(), r.len()) }
}

/// Writes `from` into `to`.
///
/// # Panics
/// If the lengths differ.
#[inline(always)]
pub fn copy<T: Copy>(to: &mut Cells<T>, from: &[T]) {
    to.write_copy_of_slice(from);
}

/// Copies `len` elements to another place of the same cells.
///
/// # Panics
/// If one of the two parts is out of range.
#[inline(always)]
pub fn copy_within<T: Copy>(cells: &mut Cells<T>, to: usize, from: usize, len: usize) {
    cells.copy_within(from..from + len, to);
}

/// The scalars of all elements, in order.
#[inline(always)]
pub fn flat<E: Element>(a: &[E]) -> &[E::Scalar] {
    // SAFETY: each element is `E::LEN` scalars, one after the other (F3), borrowed for the same lifetime.
    unsafe { slice::from_raw_parts(a.as_ptr().cast(), a.len() * E::LEN) }
}

/// The scalars of one element.
#[inline(always)]
pub fn flat_one<E: Element>(a: &E) -> &[E::Scalar] {
    flat(slice::from_ref(a))
}

/// The cells of the scalars of all elements, to be overwritten.
///
/// # Safety
/// Only values are written into the cells (F6).
#[inline(always)]
pub unsafe fn flat_cells<E: Element>(r: &mut [E]) -> &mut Cells<E::Scalar> {
    // SAFETY: F6; an element whose scalars are values is a value (F3).
    flatten(unsafe { cells(r) })
}

/// The cells of the scalars of one element, to be overwritten.
///
/// # Safety
/// Only values are written into the cells (F6).
#[inline(always)]
pub unsafe fn flat_one_cells<E: Element>(r: &mut E) -> &mut Cells<E::Scalar> {
    // SAFETY: F6.
    unsafe { flat_cells(slice::from_mut(r)) }
}

/// An element that is not written yet.
#[derive(Debug)]
pub struct UnwrittenElement<E>(MaybeUninit<E>);

impl<E: Element> UnwrittenElement<E> {
    /// Its memory, on the stack.
    #[inline(always)]
    #[expect(clippy::new_without_default, reason = "generated code calls it by its name")]
    pub fn new() -> Self {
        UnwrittenElement(MaybeUninit::uninit())
    }

    /// The cells of its scalars.
    #[inline(always)]
    pub fn cells(&mut self) -> &mut Cells<E::Scalar> {
        flatten(slice::from_mut(&mut self.0))
    }

    /// The element.
    ///
    /// # Safety
    /// Every cell is written (F5).
    #[inline(always)]
    pub unsafe fn written(self) -> E {
        // SAFETY: every scalar is written (F5), so the element is a value (F3).
        unsafe { self.0.assume_init() }
    }
}

/// The cells of elements as the cells of their scalars.
#[inline(always)]
pub(crate) fn flatten<E: Element>(r: &mut Cells<E>) -> &mut Cells<E::Scalar> {
    // SAFETY: each element is `E::LEN` scalars, one after the other (F3); both sides accept any
    // bytes (F2); borrowed for the same lifetime.
    unsafe { slice::from_raw_parts_mut(r.as_mut_ptr().cast(), r.len() * E::LEN) }
}

/// [`settle`] for two states that exchanged their buffers: `now` is the first one's, and its destination begins at `home`.
#[inline(always)]
pub fn settle_both<T: Copy>(home: *const MaybeUninit<T>, now: &mut Cells<T>, other: &mut Cells<T>) {
    if !core::ptr::eq(home, now.as_ptr()) {
        now.swap_with_slice(other);
    }
}

/// Copies the last state of a fold that ended early, `now`, to its destination, which begins at `home`. The destination is
/// `spare`, unless it is `now` itself.
#[inline(always)]
pub fn settle<T: Copy>(home: *const MaybeUninit<T>, now: &Cells<T>, spare: &mut Cells<T>) {
    if !core::ptr::eq(home, now.as_ptr()) {
        spare.copy_from_slice(now);
    }
}
