//! DPS-F̃ → DPS-F̃ (Fig. 9, third stage of §3.5): storage that is not needed goes.
//!
//! None of these passes makes the peak larger: each removes an allocation or a copy and adds none.

mod dead;
mod elide_copy;
mod empty;

use crate::dps::Program;
use crate::pass::Switches;

/// Runs the passes that are on.
pub fn optimise(program: &mut Program, on: &Switches) {
    if on.is_on("elide_copy") {
        elide_copy::elide_copy(program);
    }
    if on.is_on("dead") {
        dead::dead(program);
    }
    if on.is_on("empty") {
        empty::empty(program);
    }
}
