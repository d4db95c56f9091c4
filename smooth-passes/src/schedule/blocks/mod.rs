//! Blocks of independent iterations, which are interleaved.

pub(super) mod block;
pub(super) mod folds;
pub(super) mod jam;
pub(super) mod promote;
