//! F̃ → F̃ (Fig. 4, first stage of §3.5): meaning kept, work kept.
//!
//! Rounds of three walks until nothing changes: local rules, unrolling of small static loops, and the
//! decisions at `let`s, which need to know how variables are used; then reads that agree get a name, and if there are
//! any, it goes on. Each walk is linear in the kernel.

mod agree;
mod choice;
mod columns;
mod cse;
mod fuse;
mod inline;
mod invariant;
mod number;
mod occur;
mod parts;
mod rules;
mod scalars;
mod share;
mod together;
mod total;
mod unroll;

pub use share::share;

use crate::fsmooth::Kernel;
use crate::pass::Switches;

/// More rounds than any sensible kernel needs; each is linear.
const ROUNDS: usize = 40;

/// Simplifies a kernel's body; `watch` sees it after each walk.
pub fn simplify(kernel: &mut Kernel, on: &Switches, watch: &mut dyn FnMut(&'static str, &Kernel)) {
    rounds(kernel, on, watch);
    crate::link::drop_unused_tables(kernel);
}

fn rounds(kernel: &mut Kernel, on: &Switches, watch: &mut dyn FnMut(&'static str, &Kernel)) {
    for _ in 0..ROUNDS {
        let mut changed = rules::apply(kernel, on);
        watch("rules", kernel);
        if on.is_on("unroll") {
            changed |= unroll::apply(kernel);
            watch("unroll", kernel);
        }
        changed |= inline::apply(kernel, on);
        watch("inline", kernel);
        if !changed && on.is_on("fuse") {
            changed = agree::apply(kernel, on.is_on("dce"));
            watch("agree", kernel);
        }
        if !changed {
            break;
        }
    }
}

/// How many nodes a term may have to be unrolled or copied.
const COPY: usize = 600;
