//! DPS-F̃ → L̃, and L̃ → L̃: lowering to loops, and their schedule. One transformation a file, its equation on top.

mod address;
mod answers;
mod block;
mod borders;
mod call;
mod clones;
mod collapse;
mod contract;
mod copy;
mod cuts;
mod decide;
mod ending;
mod exits;
mod flags;
mod folds;
mod front;
mod ladder;
mod lane;
mod limits;
mod local;
mod lower;
mod near;
mod overwritten;
mod own;
mod panel;
mod parts;
mod promote;
mod reciprocals;
mod reductions;
mod roll;
mod rows;
mod selects;
mod side;
mod strips;
mod sums;
mod terms;
mod threads;
mod tile;
mod turns;
mod unused;
mod varies;

pub use clones::{ENOUGH, LONG};
pub use lower::lower;
pub use threads::{GRAIN, callee_frame};

use crate::dps::Program;
use crate::loops::{Block, For, Function, Left, Order, Reduce, Remark, Stmt};
use crate::pass::PassId;
use crate::run::{Cx, Walk};

/// The passes in their order.
const WALKS: &[Walk<Function>] = &[
    Walk { name: PassId::Overwritten.name(), needs: &[PassId::Overwritten], run: overwritten::overwritten },
    Walk { name: PassId::Local.name(), needs: &[PassId::Local], run: local::local },
    Walk { name: PassId::Turns.name(), needs: &[PassId::Turns], run: turns::turns },
    Walk { name: PassId::Borders.name(), needs: &[PassId::Borders], run: borders::borders },
    Walk { name: PassId::Select.name(), needs: &[PassId::Select], run: selects::selects },
    Walk { name: PassId::Collapse.name(), needs: &[PassId::Collapse], run: collapse::collapse },
    Walk { name: PassId::Threads.name(), needs: &[PassId::Threads], run: threads::threads },
    Walk { name: PassId::Tile.name(), needs: &[PassId::Tile], run: tile::tile },
    Walk { name: PassId::Block.name(), needs: &[PassId::Block], run: block::block },
    Walk { name: PassId::Promote.name(), needs: &[PassId::Promote], run: promote::promote },
    Walk { name: PassId::Exits.name(), needs: &[PassId::Exits, PassId::Clones], run: exits::exits },
    Walk { name: PassId::Near.name(), needs: &[PassId::Near], run: near::near },
    Walk { name: PassId::Reciprocals.name(), needs: &[PassId::Reciprocals], run: reciprocals::reciprocals },
    Walk { name: PassId::Contract.name(), needs: &[PassId::Contract], run: contract::contract },
    Walk { name: PassId::Rows.name(), needs: &[PassId::Rows], run: rows::rows },
    Walk { name: PassId::Clones.name(), needs: &[PassId::Clones], run: clones::clones },
];

/// Runs the passes that are on.
pub fn optimise(f: &mut Function, cx: &mut Cx<'_, '_>) {
    for walk in WALKS {
        cx.run(walk, f);
    }
    threads::count_frames(f);
}

/// The loops of the instances with wider vectors, if they differ: for AVX2, and for AVX-512 if sums in lanes fill its
/// registers.
pub fn wider(p: &Program, narrow: &Function, cx: &mut Cx<'_, '_>) -> Vec<Function> {
    if !narrow.clones || !(narrow.tiled || narrow.exits) {
        return vec![];
    }
    let mut with = |register| {
        let mut f = Function { register, fast: narrow.fast, parallel: narrow.parallel, ..lower(p, narrow.checked) };
        optimise(&mut f, cx);
        f
    };
    let wide = with(tile::WIDE);
    let widest = wide.lanes.then(|| with(tile::WIDEST));
    std::iter::once(wide).chain(widest).collect()
}

/// Runs a transformation on the body of a function and the rest of the function.
fn in_body(f: &mut Function, transform: impl FnOnce(&mut Block, &mut Function) -> bool) -> bool {
    let mut body = std::mem::take(&mut f.body);
    let changed = transform(&mut body, f);
    f.body = body;
    changed
}

/// The replacement of a loop, or the reason why it is left.
type Better = Result<Block, Left>;

/// Replaces independent loops and reductions, outer ones first, if `new` has a replacement. Replacements are not
/// visited.
fn replaced(b: &mut Block, f: &mut Function, pass: PassId, new: &impl Fn(&Stmt, &mut Function) -> Better) -> bool {
    let mut changed = false;
    for mut s in std::mem::take(b) {
        let about = match &s {
            Stmt::For(For { index, order: Order::Any, .. }) | Stmt::Reduce(Reduce { index, .. }) => Some(*index),
            _ => None,
        };
        if let Some(about) = about {
            match new(&s, f) {
                Ok(new) => {
                    f.remarks.push(Remark { pass, about, left: None });
                    b.extend(new);
                    changed = true;
                    continue;
                }
                Err(None) => {}
                Err(left) => f.remarks.push(Remark { pass, about, left }),
            }
        }
        s.blocks_mut().into_iter().for_each(|b| changed |= replaced(b, f, pass, new));
        b.push(s);
    }
    changed
}
