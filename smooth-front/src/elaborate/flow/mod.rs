//! Statements, loops and exits as terms.

pub(super) mod assign;
pub(super) mod borrows;
pub(super) mod chain;
pub(super) mod control;
pub(super) mod effects;
pub(super) mod exchanges;
pub(super) mod exits;
pub(super) mod items;
pub(super) mod iteration;
pub(super) mod lets;
pub(super) mod match_;
pub(super) mod places;
pub(super) mod probes;
pub(super) mod stand_ins;
pub(super) mod state;
pub(super) mod statements;
pub(super) mod unread;
pub(super) mod updates;
