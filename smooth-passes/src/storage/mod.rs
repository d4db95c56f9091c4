//! DPS-F̃ → DPS-F̃ (Fig. 9, third stage of §3.5): removes storage that is not needed, reuses storage that is dead.
//!
//! No pass raises the peak; each file says why, and the random programs check it.

mod affine;
mod apart;
mod borrowed;
mod checks;
mod coalesce;
mod dead;
mod drop_checks;
mod elide_copy;
mod empty;
mod guesses;
mod hoist;
mod in_out;
mod in_place;
mod induction;
mod invariant;
mod live;
mod merge;
mod overwrite;
mod paths;
mod promote;
mod reshape;
mod reuse;
mod rows;
mod values;

pub use checks::remaining;
pub use drop_checks::Remaining;
pub use rows::{CopiedRow, copied_rows};

use crate::dps::Program;
use crate::pass::PassId;
use crate::run::{Cx, Walk};
use crate::shape::Check;

macro_rules! walks {
    ($($id:ident $run:path;)*) => {
        &[$(Walk { name: PassId::$id.name(), needs: &[PassId::$id], run: |p, _| { $run(p); true } }),*]
    };
}

/// The passes in their order. Reuse comes before hoisting, which extends the lifetimes of storage. Merging comes last,
/// since the other passes expect one block per allocation.
const WALKS: &[Walk<Program>] = walks! {
    ElideCopy elide_copy::elide_copy;
    InPlace coalesce::coalesce;
    PlaceRows rows::rows;
    InPlace in_place::in_place;
    Dead dead::dead;
    Empty empty::empty;
    Reuse reuse::reuse;
    Hoist hoist::hoist;
    Merge merge::merge;
};

/// The walk that runs after all checks were dropped, since it moves indices away from their use.
const INVARIANT: Walk<Program> = Walk {
    name: PassId::Invariant.name(),
    needs: &[PassId::Invariant],
    run: |p, _| {
        invariant::invariant(p);
        true
    },
};

/// Runs the passes that are on.
pub fn optimise(program: &mut Program, cx: &mut Cx<'_, '_>) {
    for walk in WALKS {
        cx.run(walk, program);
    }
}

/// Drops redundant checks, and moves terms that were kept at their checks. `entry` are the checks that were passed
/// before the program runs.
pub fn drop_checks(program: &mut Program, entry: &[Check], cx: &mut Cx<'_, '_>) {
    checks::checks(program, entry, cx.on().has(PassId::InPlace));
    cx.check("checks", program);
    cx.show("checks", program);
    cx.run(&INVARIANT, program);
    if cx.on().has(PassId::InPlace) {
        reshape::reshape(program, entry);
        cx.check("reshape", program);
        cx.show("reshape", program);
    }
}
