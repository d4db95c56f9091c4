//! The interface of a kernel: parameters, results, and the arguments that no caller writes.

pub(super) mod functions;
pub(super) mod hidden;
pub(super) mod in_out;
pub(super) mod layout;
pub(super) mod signature;
