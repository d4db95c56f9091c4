//! Branches in loops: the range is split where a condition changes, or both values are computed. Assertions that are the same in
//! each iteration leave the loop.

pub(super) mod asserted;
pub(super) mod cuts;
pub(super) mod if_convert;
pub(super) mod split_ranges;
