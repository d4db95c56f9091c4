//! The memory of arrays: dead fills, small arrays, double buffers, and loops over contiguous elements.

pub(super) mod collapse;
pub(super) mod data_layout;
pub(super) mod dead_fills;
pub(super) mod double_buffers;
pub(super) mod reroll;
pub(super) mod scalars;
