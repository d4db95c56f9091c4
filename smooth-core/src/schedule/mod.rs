//! DPS-F̃ → L̃, and L̃ → L̃: in which order loops run. One transformation a file, its equation on top.

mod address;
mod answers;
mod block;
mod borders;
mod copy;
mod cuts;
mod decide;
mod folds;
mod lane;
mod local;
mod lower;
mod overwritten;
mod parts;
mod reductions;
mod selects;
mod tile;
mod unused;

pub use lower::lower;

use crate::loops::Function;
use crate::pass::PassId;
use crate::run::{Cx, Walk};

/// The passes in their order.
const WALKS: &[Walk<Function>] = &[
    Walk { name: PassId::Overwritten.name(), needs: &[PassId::Overwritten], run: overwritten::overwritten },
    Walk { name: PassId::Local.name(), needs: &[PassId::Local], run: local::local },
    Walk { name: PassId::Borders.name(), needs: &[PassId::Borders], run: borders::borders },
    Walk { name: PassId::Select.name(), needs: &[PassId::Select], run: selects::selects },
    Walk { name: PassId::Tile.name(), needs: &[PassId::Tile], run: tile::tile },
    Walk { name: PassId::Block.name(), needs: &[PassId::Block], run: block::block },
];

/// Runs the passes that are on.
pub fn optimise(f: &mut Function, cx: &mut Cx<'_, '_>) {
    for walk in WALKS {
        cx.run(walk, f);
    }
}
