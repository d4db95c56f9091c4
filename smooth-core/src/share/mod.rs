//! F̃ → F̃, second phase: what several consumers need is computed once.
//!
//! It runs on what the kernel itself becomes, after the export is made: a caller fuses with the body as
//! `simplify` left it, in which nothing stands between an array and its consumers.

mod cse;
mod licm;
mod merge_folds;

use crate::fsmooth::Kernel;
use crate::pass::PassId;
use crate::run::{Cx, Walk};

const CSE: Walk<Kernel> = Walk { name: "cse", needs: &[PassId::Cse], run: |k, _| cse::apply(k) };
const LICM: Walk<Kernel> = Walk { name: "invariant", needs: &[PassId::Invariant], run: |k, _| licm::apply(k) };
const MERGE_FOLDS: Walk<Kernel> =
    Walk { name: "merge_folds", needs: &[PassId::MergeFolds], run: |k, _| merge_folds::apply(k) };

/// Shares the work of a simplified kernel.
pub fn share(kernel: &mut Kernel, cx: &mut Cx<'_, '_>) {
    cx.run(&CSE, kernel);
    if cx.run(&LICM, kernel) {
        // What left different loops may be the same.
        cx.run(&CSE, kernel);
    }
    if cx.run(&MERGE_FOLDS, kernel) {
        // What the steps of both folds need.
        cx.run(&CSE, kernel);
    }
}
