//! The facts about loops that passes ask for. Nothing here asks a pass.

pub(super) mod access;
pub(super) mod accumulation;
pub(super) mod answers;
pub(super) mod carried;
mod coverage;
pub(super) mod decide;
pub(super) mod footprint;
pub(super) mod parts;
pub(super) mod splits;
pub(super) mod total;
pub(super) mod uniform;
pub(super) mod values;
pub(super) mod walk;
pub(super) mod work;
pub(super) mod written_prefix;
