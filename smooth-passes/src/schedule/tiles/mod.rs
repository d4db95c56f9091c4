//! Register tiles of tables of sums.

pub(super) mod panel;
pub(super) mod private;
pub(super) mod sums;
pub(super) mod tile;
