//! F̃ → F̃, second phase: terms that several consumers need are computed once, and column-major parameters are read in
//! place.
//!
//! The result is not exported: a caller fuses with the body as `simplify` left it, in which nothing separates an array
//! from its consumers.

mod cse;
mod licm;
mod merge_folds;
mod tables;

use crate::fsmooth::Kernel;
use crate::pass::PassId;
use crate::run::{Cx, Walk};
use crate::simplify::{read_by_columns, spread};

const CSE: Walk<Kernel> = Walk { name: "cse", needs: &[PassId::Cse], run: |k, _| cse::apply(k) };
const LICM: Walk<Kernel> = Walk {
    name: "invariant",
    needs: &[PassId::Invariant],
    // A table may leave more loops.
    run: |k, _| licm::apply(k) | (tables::apply(k) && (licm::apply(k) | true)),
};
const MERGE_FOLDS: Walk<Kernel> =
    Walk { name: "merge_folds", needs: &[PassId::MergeFolds], run: |k, _| merge_folds::apply(k) };

/// Shares the work of a simplified kernel.
pub fn share(kernel: &mut Kernel, cx: &mut Cx<'_, '_>) {
    spread(kernel, cx);
    read_by_columns(kernel, cx);
    cx.run(&CSE, kernel);
    if cx.run(&LICM, kernel) {
        // Terms that left different loops may be equal.
        cx.run(&CSE, kernel);
    }
    if cx.run(&MERGE_FOLDS, kernel) {
        // The steps of both folds may need equal terms.
        cx.run(&CSE, kernel);
    }
}
