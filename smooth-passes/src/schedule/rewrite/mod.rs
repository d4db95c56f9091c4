//! The tools with which passes build loops from loops.

pub(super) mod combined;
pub(super) mod copy;
pub(super) mod lane;
pub(super) mod remainder;
pub(super) mod replaced;
pub(super) mod side;
pub(super) mod terms;
pub(super) mod trial;
pub(super) mod unused;
