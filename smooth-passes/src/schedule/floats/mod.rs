//! Rewrites of float operations in loops: contraction, extremes, reciprocals, and functions of small angles.

pub(super) mod contract;
pub(super) mod extremes;
pub(super) mod reciprocals;
pub(super) mod small_angles;
