//! Arrays at random strides, with other numbers in between.

use super::random::Rng;
use smooth::prelude::*;

/// An array in separate memory.
pub struct Laid<T, const R: usize> {
    data: Vec<T>,
    offset: usize,
    shape: [usize; R],
    strides: [isize; R],
}

impl<T: Copy, const R: usize> Laid<T, R> {
    /// The elements of a contiguous array at random strides, with `other` between them.
    pub fn new(rng: &mut Rng, elements: &[T], shape: [usize; R], other: T) -> Self {
        let mut axes: Vec<usize> = (0..R).collect();
        (1..R).for_each(|k| axes.swap(k, rng.below(k + 1)));
        let (mut strides, mut offset, mut stride) = ([0isize; R], rng.below(3), 1);
        for axis in axes {
            stride *= 1 + rng.below(3);
            let backwards = rng.one_in(2);
            let (len, signed) = (shape[axis], stride as isize);
            strides[axis] = if backwards { -signed } else { signed };
            offset += if backwards { len.saturating_sub(1) * stride } else { 0 };
            stride *= len.max(1);
        }
        let mut laid = Laid { data: vec![other; offset + stride + rng.below(3)], offset, shape, strides };
        for (k, x) in elements.iter().enumerate() {
            let (mut at, mut rest) = (offset as isize, k);
            for axis in (0..R).rev() {
                at += (rest % shape[axis]) as isize * strides[axis];
                rest /= shape[axis];
            }
            laid.data[at as usize] = *x;
        }
        laid
    }

    pub fn view(&self) -> StridedView<'_, T, R> {
        StridedView::new(&self.data, self.offset, self.shape, self.strides)
    }
}
