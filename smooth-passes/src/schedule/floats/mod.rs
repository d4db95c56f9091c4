//! Rewrites of float operations in loops: contraction, reciprocals, and functions of small angles.

pub(super) mod contract;
pub(super) mod reciprocals;
pub(super) mod small_angles;
