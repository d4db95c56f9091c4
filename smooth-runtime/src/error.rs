//! Errors in the shapes of a call, with messages that a person can act on.
use crate::message::Message;
use core::{error::Error, fmt};

/// The largest rank at which [`ShapeError::Elements`] shows the whole shape.
const RANKS_SHOWN: usize = 6;

/// The reason why a call was rejected before anything ran.
///
/// [`Display`](fmt::Display) prints one line that starts with the kernel's name and gives both
/// values: `vector_add: argument b has length 4, but n = 3 (from argument a)`.
///
/// ```
/// # use smooth_runtime::{ShapeError, View};
/// let error = View::try_new(&[1.0, 2.0, 3.0], [2, 2]).unwrap_err();
/// assert!(matches!(error, ShapeError::Elements { found: 3, .. }));
/// assert_eq!(error.to_string(), "View: 3 elements do not fit the shape [2, 2]");
/// ```
///
/// # Design
/// All fields are plain constants, so that an error can be constructed and printed while rustc
/// evaluates a constant such as `const B: usize = f::scratch();`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[allow(missing_docs, reason = "each variant's text names its fields")]
pub enum ShapeError {
    /// An axis of an argument differs from the length given by another argument or by its own type.
    /// `from` is the argument that determined `size`; it is empty if the type determined it.
    Mismatch {
        kernel: &'static str,
        argument: &'static str,
        axis: usize,
        rank: usize,
        found: usize,
        size: &'static str,
        expected: usize,
        from: &'static str,
    },
    /// An axis of a destination differs from that axis of the result.
    Destination {
        kernel: &'static str,
        destination: &'static str,
        axis: usize,
        rank: usize,
        found: usize,
        expected: usize,
    },
    /// Two sizes differ that the body requires to be equal.
    Unequal {
        kernel: &'static str,
        left: &'static str,
        left_value: usize,
        right: &'static str,
        right_value: usize,
        reason: &'static str,
    },
    /// A size is more than `isize::MAX`, or divides by zero.
    Overflow { kernel: &'static str, size: &'static str },
    /// A size is below zero.
    Negative { kernel: &'static str, size: &'static str, value: i128 },
    /// A slice does not lie inside its array.
    Slice { kernel: &'static str, slice: &'static str, start: i128, end: i128, len: usize },
    /// The arena is too small and cannot grow.
    ScratchTooSmall { kernel: &'static str, needed: usize, available: usize },
    /// The elements of a view or of an array do not fill its shape. `kernel` is the type's name; `shape`
    /// has the first of `rank` axes.
    Elements { kernel: &'static str, found: usize, shape: [usize; RANKS_SHOWN], rank: usize },
    /// The shape and the strides of a view lead from its first element, number `offset` of `found`, to one that does not
    /// exist: to number `reached`. `kernel` is the type's name.
    Strides { kernel: &'static str, found: usize, offset: usize, reached: i128 },
    /// The rows of a nested array differ in length. `plane` is the index of the plane of `row`, at rank 3.
    Ragged { kernel: &'static str, plane: Option<usize>, row: usize, found: usize, expected: usize },
    /// The planes of a nested array differ in their numbers of rows.
    Planes { kernel: &'static str, plane: usize, found: usize, expected: usize },
    /// The array of another library is not in layout `layout`, or is not contiguous: its stride along `axis` is
    /// `found`. `kernel` is the type's name, `swapped` says whether the array is in the other layout, `copy` how to
    /// make a copy that fits.
    Layout {
        kernel: &'static str,
        value: &'static str,
        layout: &'static str,
        axis: usize,
        found: isize,
        expected: usize,
        swapped: bool,
        copy: &'static str,
    },
}

/// The value of a call, or a panic with its error.
///
/// # Panics
/// If it is an error.
#[inline(always)]
#[track_caller]
pub fn raised<T>(result: Result<T, ShapeError>) -> T {
    match result {
        Ok(value) => value,
        Err(e) => e.raise(),
    }
}

/// [`raised`] for sizes, in a `const fn`.
///
/// # Panics
/// If it is an error.
#[inline(always)]
#[track_caller]
pub const fn raised_size<T: Copy>(result: Result<T, ShapeError>) -> T {
    match result {
        Ok(value) => value,
        Err(e) => e.raise(),
    }
}

/// [`ShapeError::Mismatch`]: `argument` has another extent along `axis` than `size`, the length of `from`. As a function it is
/// less code in each kernel.
///
/// # Errors
/// Always.
#[cold]
pub const fn mismatch<T>(
    kernel: &'static str,
    argument: &'static str,
    [axis, rank]: [usize; 2],
    [found, expected]: [usize; 2],
    [size, from]: [&'static str; 2],
) -> Result<T, ShapeError> {
    Err(ShapeError::Mismatch { kernel, argument, axis, rank, found, size, expected, from })
}

/// Compares the shape of a destination with that of the result.
///
/// # Errors
/// [`ShapeError::Destination`] with the first axis that differs.
#[inline(always)]
pub fn destination<const RANK: usize>(
    kernel: &'static str,
    destination: &'static str,
    found: [usize; RANK],
    expected: [usize; RANK],
) -> Result<(), ShapeError> {
    for (axis, (found, expected)) in found.into_iter().zip(expected).enumerate() {
        if found != expected {
            return Err(ShapeError::Destination { kernel, destination, axis, rank: RANK, found, expected });
        }
    }
    Ok(())
}

impl ShapeError {
    /// The kernel that rejected the call.
    pub const fn kernel(&self) -> &'static str {
        match *self {
            Self::Mismatch { kernel, .. }
            | Self::Destination { kernel, .. }
            | Self::Unequal { kernel, .. }
            | Self::Overflow { kernel, .. }
            | Self::Negative { kernel, .. }
            | Self::Slice { kernel, .. }
            | Self::ScratchTooSmall { kernel, .. }
            | Self::Elements { kernel, .. }
            | Self::Strides { kernel, .. }
            | Self::Ragged { kernel, .. }
            | Self::Planes { kernel, .. }
            | Self::Layout { kernel, .. } => kernel,
        }
    }

    /// The text that [`Display`](fmt::Display) prints.
    pub const fn message(&self) -> Message {
        let text = Message::new().push_str(self.kernel()).push_str(": ");
        match *self {
            Self::Mismatch { argument, axis, rank, found, size, expected, from, .. } => {
                let text = text.push_str("argument ").push_str(argument);
                let text = length(text, axis, rank, found).push_str(", but ");
                if from.is_empty() {
                    text.push_str("must have length ").push_usize(expected)
                } else {
                    let text = text.push_str(size).push_str(" = ").push_usize(expected);
                    text.push_str(" (from argument ").push_str(from).push_str(")")
                }
            }
            Self::Destination { destination, axis, rank, found, expected, .. } => {
                let text = text.push_str("destination ").push_str(destination);
                let text = length(text, axis, rank, found).push_str(", but the result");
                length(text, axis, 1, expected)
            }
            Self::Unequal { left, left_value, right, right_value, reason, .. } => {
                let text = value(text, left, left_value).push_str(" and ");
                value(text, right, right_value).push_str(" differ, but ").push_str(reason)
            }
            Self::Overflow { size, .. } => {
                let why = if contains(size, "ilog2(") {
                    " is too large, or a logarithm of 0"
                } else if contains(size, " / ") || contains(size, " % ") {
                    " is too large, or a division by zero"
                } else if contains(size, " >> ") {
                    " is too large, or a shift by more bits than a number has"
                } else {
                    " is too large"
                };
                text.push_str("the size ").push_str(size).push_str(why)
            }
            Self::Negative { size, value, .. } => {
                let text = text.push_str("the size ").push_str(size);
                text.push_str(" is negative (").push_i128(value).push_str(")")
            }
            Self::Slice { slice, start, end, len, .. } => text
                .push_str("slice ")
                .push_str(slice)
                .push_str(" is out of range: ")
                .push_i128(start)
                .push_str("..")
                .push_i128(end)
                .push_str(" of length ")
                .push_usize(len),
            Self::ScratchTooSmall { needed, available, .. } => text
                .push_str("needs ")
                .push_usize(needed)
                .push_str(" bytes of scratch, but the arena has only ")
                .push_usize(available),
            Self::Elements { found, shape, rank, .. } => {
                let text = text.push_usize(found).push_str(if found == 1 {
                    " element does not fit the shape "
                } else {
                    " elements do not fit the shape "
                });
                axes(text, &shape, rank)
            }
            Self::Strides { found, offset, reached, .. } => {
                let text = text.push_str("shape and strides lead from element ").push_usize(offset);
                let text = text.push_str(" to element ").push_i128(reached).push_str(", but there ");
                let text = text.push_str(if found == 1 { "is " } else { "are " }).push_usize(found);
                text.push_str(if found == 1 { " element" } else { " elements" })
            }
            Self::Ragged { plane, row, found, expected, .. } => {
                let text = length(within(text, row, plane), 0, 1, found).push_str(", but ");
                length(within(text, 0, if plane.is_some() { Some(0) } else { None }), 0, 1, expected)
            }
            Self::Planes { plane, found, expected, .. } => {
                let text = text.push_str("the number of rows of plane ").push_usize(plane);
                let text = text.push_str(" is ").push_usize(found);
                text.push_str(", but that of plane 0 is ").push_usize(expected)
            }
            Self::Layout { value, layout, axis, found, expected, swapped, copy, .. } => {
                let text = text.push_str(value).push_str(" is not ").push_str(layout);
                let text = text.push_str(": its stride along axis ").push_usize(axis);
                let text = text.push_str(" is ").push_i128(found as i128).push_str(", not ").push_usize(expected);
                let text = text.push_str(match (swapped, layout.as_bytes()) {
                    (false, _) => "; ",
                    (true, [b'r', ..]) => "; declare the parameter column_major, or ",
                    (true, _) => "; do not declare the parameter column_major, or ",
                });
                text.push_str(copy)
            }
        }
    }

    /// Panics with the text at the caller's line; in a constant, the evaluation fails with the text.
    ///
    /// # Panics
    /// Always.
    #[cold]
    #[inline(never)]
    #[track_caller]
    pub const fn raise(self) -> ! {
        panic!("{}", self.message().as_str())
    }

    /// The error for `found` elements that do not fill `shape`.
    pub(crate) fn elements(kernel: &'static str, found: usize, shape: &[usize]) -> Self {
        let mut shown = [0; RANKS_SHOWN];
        shown.iter_mut().zip(shape).for_each(|(shown, &len)| *shown = len);
        Self::Elements { kernel, found, shape: shown, rank: shape.len() }
    }
}

/// ` has length 4`, followed by the axis if the rank is above 1.
const fn length(text: Message, axis: usize, rank: usize, value: usize) -> Message {
    let text = text.push_str(" has length ").push_usize(value);
    if rank < 2 { text } else { text.push_str(" along axis ").push_usize(axis) }
}

/// `row 2`, or `row 2 of plane 1`.
const fn within(text: Message, row: usize, plane: Option<usize>) -> Message {
    let text = text.push_str("row ").push_usize(row);
    match plane {
        Some(plane) => text.push_str(" of plane ").push_usize(plane),
        None => text,
    }
}

/// `[2, 3]`
const fn axes(mut text: Message, shape: &[usize], rank: usize) -> Message {
    let mut axis = 0;
    while axis < rank && axis < shape.len() {
        text = text.push_str(if axis == 0 { "[" } else { ", " }).push_usize(shape[axis]);
        axis += 1;
    }
    text.push_str(match rank {
        0 => "[]",
        _ if rank > shape.len() => ", ..]",
        _ => "]",
    })
}

/// `size = value`, or the value alone where the size is a number.
const fn value(text: Message, size: &str, value: usize) -> Message {
    let (bytes, mut k) = (size.as_bytes(), 0);
    while k < bytes.len() && bytes[k].is_ascii_digit() {
        k += 1;
    }
    let text = if k == bytes.len() { text } else { text.push_str(size).push_str(" = ") };
    text.push_usize(value)
}

/// Whether a text has a part.
const fn contains(text: &str, part: &str) -> bool {
    let (text, part, mut at) = (text.as_bytes(), part.as_bytes(), 0);
    while at + part.len() <= text.len() {
        let mut k = 0;
        while k < part.len() && text[at + k] == part[k] {
            k += 1;
        }
        if k == part.len() {
            return true;
        }
        at += 1;
    }
    false
}

impl fmt::Display for ShapeError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.message(), f)
    }
}

impl Error for ShapeError {}
