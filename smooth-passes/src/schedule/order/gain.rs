//! The gain of an order of loops: what tiles and blocks make of it. That is tried.

use crate::loops::visit::each_inherited;
use crate::loops::{Function, Left, Order, Stmt};
use crate::pass::{PassId, Switches};
use crate::schedule::blocks::block::block_loops;
use crate::schedule::blocks::folds::jam_folds;
use crate::schedule::rewrite::trial::attempt;
use crate::schedule::tiles::tile_loops;

/// The number of tiles, of blocks, of folds in several rows at a time, and of sequential loops inside independent ones.
pub(super) type Gain = (usize, usize, usize, usize);

/// Whether an order of loops is better than another one. Without tiles, blocks and rows it stays as it is written: memory
/// is read best in the order that the user had in mind.
pub(super) fn is_better(new: Gain, old: Gain) -> bool {
    new > old && (new.0, new.1, new.2) != (0, 0, 0)
}

/// The gain of some statements. The function stays as it is.
pub(super) fn gain(f: &mut Function, on: &Switches, b: &[Stmt]) -> Gain {
    let (before, mut gain) = (f.schedule.remarks.len(), (0, 0, 0, 0));
    let _: Result<(), Left> = attempt(f, |f| {
        let mut b = b.to_vec();
        tile_loops(&mut b, f, on);
        block_loops(&mut b, f);
        jam_folds(&mut b, f);
        let made = |pass| f.schedule.remarks[before..].iter().filter(|r| r.pass == pass && r.left.is_none()).count();
        (gain.0, gain.1) = (made(PassId::Tile), made(PassId::Block));
        // What tiles leave counts for nothing.
        gain.2 = if (gain.0, gain.1) == (0, 0) { made(PassId::UnrollAndJam) } else { 0 };
        Err(None)
    });
    gain.3 = inside_any(b);
    gain
}

/// The number of sequential loops inside independent ones.
fn inside_any(b: &[Stmt]) -> usize {
    let mut found = 0;
    each_inherited(b, &false, &mut |s, _, inside| {
        let order = if let Stmt::For(l) = s { Some(l.order) } else { None };
        found += usize::from(*inside && order == Some(Order::Sequential));
        Some(*inside || order == Some(Order::Any))
    });
    found
}
