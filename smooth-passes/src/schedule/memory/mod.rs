//! The memory of arrays: fills, small arrays, double buffers, and the elements of arrays that lie side by side.

pub(super) mod collapse;
pub(super) mod dead_fills;
pub(super) mod double_buffers;
pub(super) mod reroll;
pub(super) mod scalars;
