//! F̃ → F̃ (Fig. 4, first stage of §3.5). Keeps the meaning, and repeats no work.
//!
//! Walks are repeated until nothing changes: local rules, unrolling of small static loops, and the decisions at
//! `let`s, which need to know how variables are used. Then the remaining views are unrolled, and reads that agree get a
//! name; if there are any, the walks start again. Each walk is linear in the kernel.

mod columns;
mod common_reads;
mod fuse;
mod inline;
mod kept;
mod order;
mod pins;
mod quotients;
mod records;
mod rounding;
mod row_calls;
pub(crate) mod rows;
mod rules;
mod states;
mod unroll;

use crate::fsmooth::Kernel;
use crate::pass::{PassId, Switches};
use crate::run::{Cx, Walk};
use crate::shape::Dim;
pub use pins::asserts;

/// The number of iterations after which it gives up: more than any sensible kernel needs. Each is linear.
const ITERATIONS: usize = 40;

/// The walks that are repeated; some read the switches themselves.
const WALKS: &[Walk<Kernel>] = &[
    Walk { name: "rules", needs: &[], run: rules::apply },
    Walk { name: "pins", needs: &[], run: |k, _| pins::settle(k) },
    Walk { name: "quotients", needs: &[PassId::Fold], run: |k, _| quotients::apply(k) },
    Walk { name: "unroll", needs: &[PassId::Unroll], run: |k, _| unroll::apply(k) },
    Walk { name: "inline", needs: &[], run: inline::apply },
    Walk { name: "states", needs: &[PassId::Dce], run: |k, _| states::apply(k) },
];

/// The walks that wait until nothing else changes: a view that is a literal, or a read that has a name, is not fused.
const VIEWS: Walk<Kernel> = Walk { name: "unroll", needs: &[PassId::Unroll], run: |k, _| unroll::finish(k) };
const COMMON_READS: Walk<Kernel> =
    Walk { name: "common_reads", needs: &[PassId::Fuse], run: |k, on| common_reads::apply(k, on.has(PassId::Dce)) };

/// Runs first: pins the terms with assertions, so that they are evaluated.
const PINS: Walk<Kernel> = Walk { name: "pins", needs: &[], run: |k, _| rules::float_checks(k) | pins::pin(k) };
/// Runs first: makes updates of rows updates of elements, which are fused. The term that writes a row may be after a
/// check.
const ROWS: Walk<Kernel> = Walk {
    name: "rows",
    needs: &[PassId::Fuse],
    run: |k, _| rules::float_checks(k) | row_calls::apply(k) | rows::apply(k),
};
/// Runs before `ROWS`: a state that is a row of a second state is not written twice.
const KEPT: Walk<Kernel> = Walk { name: "kept", needs: &[PassId::Fuse], run: |k, _| kept::apply(k) };
/// Elements of arrays of tuples are whole until everything is fused: see `records`.
const GATHER: Walk<Kernel> = Walk { name: "gather", needs: &[PassId::Fuse], run: records::gather };
const SPREAD: Walk<Kernel> = Walk { name: "spread", needs: &[], run: |k, _| records::spread(k) };

/// Not exported: see `columns`.
const COLUMNS: Walk<Kernel> = Walk { name: "columns", needs: &[PassId::Fuse], run: |k, _| columns::apply(k) };

/// Simplifies a kernel's body.
pub fn simplify(kernel: &mut Kernel, cx: &mut Cx<'_, '_>) {
    cx.run(&PINS, kernel);
    cx.run(&KEPT, kernel);
    cx.run(&ROWS, kernel);
    iterate(kernel, &[GATHER], cx);
    crate::link::drop_unused_tables(kernel);
}

/// The largest body, in nodes, that is written out for its derivative, and the largest one that this may give.
const SMALL: usize = 600;
const WRITTEN_OUT: usize = 1_200;

/// Simplifies a kernel's body that is to be differentiated. Its rows stay whole, and its small loops stay loops: they would be
/// differentiated element by element. A small kernel of static sizes is written out instead if `unrolled` asks for it.
pub fn simplify_for_derivatives(kernel: &mut Kernel, on: &Switches, unrolled: bool) {
    let has_sizes = kernel.interface.params.iter().flat_map(|p| p.dims()).any(|d| !matches!(d, Dim::Lit(_)));
    if unrolled && !has_sizes && kernel.body.size() <= SMALL {
        let mut own = kernel.clone();
        simplify(&mut own, &mut Cx::unwatched(on));
        if own.body.size() <= WRITTEN_OUT {
            *kernel = own;
            return;
        }
    }
    let mut on = on.clone();
    on.set(PassId::Unroll.name(), false);
    let mut cx = Cx::unwatched(&on);
    cx.run(&PINS, kernel);
    iterate(kernel, &[GATHER], &mut cx);
    crate::link::drop_unused_tables(kernel);
}

/// Reads the elements of column-major parameters in place: for the kernel itself, not for its callers.
pub(crate) fn read_by_columns(kernel: &mut Kernel, cx: &mut Cx<'_, '_>) {
    if cx.run(&COLUMNS, kernel) {
        iterate(kernel, &[], cx);
    }
}

/// Reads the parts of arrays of tuples apart: for the kernel itself, not for its callers.
pub(crate) fn spread(kernel: &mut Kernel, cx: &mut Cx<'_, '_>) {
    if cx.run(&SPREAD, kernel) {
        iterate(kernel, &[], cx);
    }
}

/// Repeats the walks, `more` of them first, until nothing changes.
fn iterate(kernel: &mut Kernel, more: &[Walk<Kernel>], cx: &mut Cx<'_, '_>) {
    for _ in 0..ITERATIONS {
        let mut changed = false;
        for walk in more.iter().chain(WALKS) {
            changed |= cx.run(walk, kernel);
        }
        if !(changed || cx.run(&VIEWS, kernel) || cx.run(&COMMON_READS, kernel)) {
            break;
        }
    }
}
