//! The second phase of F̃ → F̃: what several consumers need is computed once, and column-major parameters are read
//! where they are.
//!
//! It runs on what the kernel itself becomes, after the export is made: a caller fuses with the body as
//! `simplify` left it, in which nothing stands between an array and its consumers.

use super::{columns, cse, invariant, rounds, together};
use crate::fsmooth::Kernel;
use crate::pass::Switches;

/// Shares the work of a simplified kernel; `watch` sees it after each pass.
pub fn share(kernel: &mut Kernel, on: &Switches, watch: &mut dyn FnMut(&'static str, &Kernel)) {
    if on.is_on("fuse") && columns::apply(kernel) {
        watch("columns", kernel);
        rounds(kernel, on, watch);
    }
    if on.is_on("cse") {
        cse::apply(kernel);
        watch("cse", kernel);
    }
    if on.is_on("invariant") {
        invariant::apply(kernel);
        watch("invariant", kernel);
        if on.is_on("cse") {
            // What left different loops may be the same.
            cse::apply(kernel);
            watch("cse", kernel);
        }
    }
    if on.is_on("merge_folds") && together::apply(kernel) {
        watch("merge_folds", kernel);
        if on.is_on("cse") {
            // What both steps need.
            cse::apply(kernel);
            watch("cse", kernel);
        }
    }
}
