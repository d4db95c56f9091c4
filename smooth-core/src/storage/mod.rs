//! DPS-F̃ → DPS-F̃ (Fig. 9, third stage of §3.5): storage that is not needed goes.
//!
//! None of these passes makes the peak larger: each removes an allocation or a copy and adds none.

mod dead;
mod elide_copy;
mod empty;

use crate::dps::Program;
use crate::pass::Switches;

/// The passes in their order.
const PASSES: &[(&str, fn(&mut Program))] =
    &[("elide_copy", elide_copy::elide_copy), ("dead", dead::dead), ("empty", empty::empty)];

/// Runs the passes that are on; `watch` sees the program after each.
pub fn optimise(program: &mut Program, on: &Switches, watch: &mut dyn FnMut(&'static str, &Program)) {
    for (name, run) in PASSES.iter().filter(|(name, _)| on.is_on(name)) {
        run(program);
        watch(name, program);
    }
}
