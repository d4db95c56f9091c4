//! Blocks of independent iterations that run side by side.

pub(super) mod block;
pub(super) mod jam;
pub(super) mod promote;
