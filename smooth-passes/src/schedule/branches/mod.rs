//! Branches in loops: the range is split where a condition changes, or both values are computed. Assertions that are the same in
//! each iteration leave the loop, and exits leave it where they are taken.

pub(super) mod asserted;
pub(super) mod breaks;
pub(super) mod cuts;
pub(super) mod if_convert;
pub(super) mod kept;
pub(super) mod split_ranges;
pub(super) mod unswitch;
