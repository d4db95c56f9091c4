//! DPS-F̃ → DPS-F̃ (Fig. 9, third stage of §3.5): removes storage that is not needed, reuses storage that is dead.
//!
//! No pass raises the peak; each file says why, and the random programs check it.

mod dead;
mod elide_copy;
mod empty;
mod hoist;
mod in_place;
mod live;
mod merge;
mod overwrite;
mod reuse;

use crate::dps::Program;
use crate::pass::Switches;

type Rule = fn(&mut Program);

/// The passes in their order. Reuse comes before hoisting, which extends the lifetimes of storage. Merging comes last,
/// since the other passes expect one block per allocation.
const PASSES: &[(&str, Rule)] = &[
    ("elide_copy", elide_copy::elide_copy),
    ("in_place", in_place::in_place),
    ("dead", dead::dead),
    ("empty", empty::empty),
    ("reuse", reuse::reuse),
    ("hoist", hoist::hoist),
    ("merge", merge::merge),
];

/// Runs the passes that are on; `watch` sees the program after each.
pub fn optimise(program: &mut Program, on: &Switches, watch: &mut dyn FnMut(&'static str, &Program)) {
    for (name, run) in PASSES.iter().filter(|(name, _)| on.is_on(name)) {
        run(program);
        watch(name, program);
    }
}
