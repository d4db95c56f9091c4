//! Loops that threads share: contiguous parts of the iterations, each with its part of the buffers that it writes.
//!
//! With the feature `parallel` the threads are those of rayon: the pool that the call is made in, or the global one. Without
//! it there is one part, and one thread.
//!
//! # Design
//! Parts are made by halving, and `rayon::join` runs both halves: neither allocates. A panic of one half is raised after the
//! other half has ended. If both panic, that of the first half is raised: the first iteration that panics, as on one thread.
//! The slices are split where the iterations are, by safe code.
//!
//! Without the feature the loop is inlined into the function around it, so that sizes that are known there are known in it.
//!
//! # Measured
//!
//! A loop in two parts against the same in one, on two threads of a machine with other work, in two runs
//! (`cargo bench -p smooth-test-threads --features parallel`):
//!
//! | operations | 8 · 1024 | 16 · 1024 | 32 · 1024 | 64 · 1024 | 128 · 1024 | 256 · 1024 | 1024 · 1024 |
//! |---|---:|---:|---:|---:|---:|---:|---:|
//! | one part | 1.89 µs | 3.77 µs | 7.54 µs | 15.1 µs | 30.2 µs | 60.3 µs | 241 µs |
//! | two parts | 1.03 | 0.92 to 1.02 | 0.82 to 1.01 | 0.57 to 0.71 | 0.56 to 0.66 | 0.85 to 1.00 | 0.61 to 1.00 |
//!
//! Below 64 · 1024 operations the other thread may not have woken up when the first one is done, so a part has at
//! least 32 · 1024. Values that a part reads of the code around it are copied into local variables: behind the
//! references that a closure captures, they would be read again after each store.
use crate::cells::Cells;
use crate::clones::Instance;
use core::mem::MaybeUninit;

/// The number of parts for each thread, so that the others do not wait for a slow one.
#[cfg(feature = "parallel")]
const EACH: usize = 4;

/// The number of iterations in a part from which on its first one is a multiple of [`ROUND`].
#[cfg(feature = "parallel")]
const LARGE: usize = 128;

/// The number of iterations of whole vectors and tiles.
#[cfg(feature = "parallel")]
const ROUND: usize = 16;

/// The part of a buffer that some iterations write: `width` elements for each of them.
#[derive(Debug)]
pub struct Strip<'a, T> {
    cells: &'a mut Cells<T>,
    width: usize,
}

/// The elements from `from` on that `count` iterations write, `width` each.
#[inline]
pub fn strip<T>(cells: &mut Cells<T>, from: usize, width: usize, count: usize) -> Strip<'_, T> {
    let cells = cells.get_mut(from..).unwrap_or_default();
    let len = cells.len().min(width.saturating_mul(count));
    Strip { cells: &mut cells[..len], width }
}

impl<'a, T> Strip<'a, T> {
    /// Its elements.
    #[inline(always)]
    pub fn cells(self) -> &'a mut Cells<T> {
        self.cells
    }
}

/// The strips of all buffers that a loop writes.
pub trait Strips: Send + Sized {
    /// Those of the first iterations, and of the others.
    fn split(self, first: usize) -> (Self, Self);
}

impl Strips for () {
    fn split(self, _: usize) -> ((), ()) {
        ((), ())
    }
}

impl<T: Send, S: Strips> Strips for (Strip<'_, T>, S) {
    fn split(self, first: usize) -> (Self, Self) {
        let (Strip { cells, width }, others) = self;
        let at = cells.len().min(width.saturating_mul(first));
        let (left, right) = cells.split_at_mut(at);
        let (a, b) = others.split(first);
        ((Strip { cells: left, width }, a), (Strip { cells: right, width }, b))
    }
}

/// The iterations of a loop, and what they cost.
#[derive(Clone, Copy, Debug)]
pub struct Work {
    /// Their number.
    pub count: usize,
    /// The operations of each; none if they exceed an `i128`.
    pub each: Option<i128>,
    /// The operations that repay the overhead of a part.
    pub grain: usize,
}

/// Scratch memory for parallel parts.
#[derive(Clone, Copy, Debug)]
pub struct Memory {
    /// The number of parts that may have memory at the same time.
    pub parts: usize,
    /// Bytes of each, a multiple of 64; none if they exceed an `i128`.
    pub bytes: Option<i128>,
}

/// A part of a frame.
type Frame = [MaybeUninit<u8>];

/// Runs `run(first, len, strips, frame)` for parts that together are all iterations.
///
/// # Panics
/// If `run` does.
#[inline]
#[track_caller]
pub fn spread<I: Instance, S: Strips>(
    instance: I,
    work: Work,
    memory: Memory,
    strips: S,
    frame: &mut Frame,
    run: impl Fn(usize, usize, S, &mut Frame) + Sync,
) {
    #[cfg(feature = "parallel")]
    {
        let bytes = memory.bytes.and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX);
        halves(instance, (0, work.count), (parts(work).min(memory.parts), bytes), strips, frame, &run);
    }
    #[cfg(not(feature = "parallel"))]
    {
        let Memory { parts: _, bytes: _ } = memory;
        one(instance, (0, work.count), strips, frame, &run);
    }
}

/// Runs one part.
#[inline(always)]
fn one<I: Instance, S: Strips>(
    instance: I,
    (first, len): (usize, usize),
    strips: S,
    frame: &mut Frame,
    run: &(impl Fn(usize, usize, S, &mut Frame) + Sync),
) {
    instance.run(
        (first, len, strips, frame),
        #[inline(always)]
        |(first, len, strips, frame)| run(first, len, strips, frame),
    );
}

/// The number of parts that are worth their overhead.
#[cfg(feature = "parallel")]
fn parts(Work { count, each, grain }: Work) -> usize {
    let each = each.and_then(|n| usize::try_from(n).ok()).unwrap_or(usize::MAX);
    let repaid = (count.saturating_mul(each) / grain.max(1)).min(count);
    if repaid < 2 {
        return 1;
    }
    match rayon::current_num_threads() {
        1 => 1,
        threads => repaid.min(threads.saturating_mul(EACH)),
    }
}

#[cfg(feature = "parallel")]
fn halves<I: Instance, S: Strips>(
    instance: I,
    (first, len): (usize, usize),
    (parts, bytes): (usize, usize),
    strips: S,
    frame: &mut Frame,
    run: &(impl Fn(usize, usize, S, &mut Frame) + Sync),
) {
    if parts < 2 {
        return one(instance, (first, len), strips, frame, run);
    }
    let left = parts / 2;
    let some = len / parts * left + len % parts * left / parts;
    // Parts begin at multiples of the vector width, so that only the last one has a remainder.
    let some = if len / parts >= LARGE { some / ROUND * ROUND } else { some };
    let (a, b) = strips.split(some);
    let (memory_a, memory_b) = frame.split_at_mut(left * bytes);
    rayon::join(
        || halves(instance, (first, some), (left, bytes), a, memory_a, run),
        || halves(instance, (first + some, len - some), (parts - left, bytes), b, memory_b, run),
    );
}
