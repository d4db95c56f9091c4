//! DPS-F̃ → DPS-F̃ (Fig. 9, third stage of §3.5): storage that is not needed goes, what is dead is used again.
//!
//! None of these passes makes the peak larger; each says why, and the random programs hold it to that.

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

/// The passes in their order. Reuse comes before hoisting, which makes storage live longer; merging last, since
/// the others look at one block at a time.
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
