//! Arrays that start on a line of the cache: where an array happens to lie is worth up to a factor of 1.8.

use super::inputs;
use std::ops::{Deref, DerefMut};

/// The elements of an array, the first of them on a multiple of 64 bytes.
pub struct Buffer<T> {
    memory: Vec<T>,
    start: usize,
    len: usize,
}

impl<T: Copy + Default> Buffer<T> {
    /// An array of zeros.
    pub fn zeros(len: usize) -> Self {
        let memory = vec![T::default(); len + 64 / size_of::<T>().min(64)];
        // `align_offset` may answer that there is no such place; then the array lies where it lies.
        let start = memory.as_ptr().align_offset(64).min(memory.len() - len);
        Buffer { memory, start, len }
    }

    /// A copy.
    pub fn of(elements: &[T]) -> Self {
        let mut copy = Buffer::zeros(elements.len());
        copy.copy_from_slice(elements);
        copy
    }
}

impl<T: Copy + Default> Clone for Buffer<T> {
    fn clone(&self) -> Self {
        Buffer::of(self)
    }
}

impl<T> Deref for Buffer<T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.memory[self.start..self.start + self.len]
    }
}

impl<T> DerefMut for Buffer<T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.memory[self.start..self.start + self.len]
    }
}

/// `n` numbers between 0 and 1, the same on every run.
pub fn numbers(n: usize, seed: u64) -> Buffer<f64> {
    Buffer::of(&inputs::numbers(n, seed))
}
