//! Operations on floats that loops compute in another way.

pub(super) mod contract;
pub(super) mod reciprocals;
pub(super) mod small_angles;
