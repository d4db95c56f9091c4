//! DPS-F̃ → L̃, and L̃ → L̃: lowering to loops, and their schedule. One transformation a file, its equation on top.

mod blocks;
mod branches;
mod cpu;
mod early_exit;
mod facts;
mod floats;
mod lower;
mod memory;
mod order;
mod rewrite;
mod tiles;

use crate::mapped::Mapped;
pub use cpu::threads::callee_frame;
pub use lower::lower;

use crate::dps::Program;
use crate::loops::{Function, target};
use crate::pass::PassId;
use crate::run::{Cx, Walk};

/// The passes in their order.
const WALKS: &[Walk<Function>] = &[
    Walk { name: PassId::Invariant.name(), needs: &[PassId::Invariant], run: branches::asserted::asserted },
    Walk { name: PassId::DeadFills.name(), needs: &[PassId::DeadFills], run: memory::dead_fills::dead_fills },
    Walk { name: PassId::Independent.name(), needs: &[PassId::Independent], run: order::independent::independent },
    Walk { name: PassId::DataLayout.name(), needs: &[PassId::DataLayout], run: memory::data_layout::data_layout },
    Walk { name: PassId::Unswitch.name(), needs: &[PassId::Unswitch], run: branches::unswitch::unswitch },
    Walk {
        name: PassId::ScalarReplacement.name(),
        needs: &[PassId::ScalarReplacement],
        run: memory::scalars::scalar_replacement,
    },
    Walk {
        name: PassId::DoubleBuffers.name(),
        needs: &[PassId::DoubleBuffers],
        run: memory::double_buffers::double_buffers,
    },
    Walk { name: PassId::SplitRanges.name(), needs: &[PassId::SplitRanges], run: branches::split_ranges::split_ranges },
    Walk { name: PassId::IfConvert.name(), needs: &[PassId::IfConvert], run: branches::if_convert::if_convert },
    Walk { name: PassId::Speculate.name(), needs: &[PassId::Speculate], run: order::speculate::speculate },
    Walk { name: PassId::Interchange.name(), needs: &[PassId::Interchange], run: order::interchange::interchange },
    Walk { name: PassId::Collapse.name(), needs: &[PassId::Collapse], run: memory::collapse::collapse },
    Walk { name: PassId::Threads.name(), needs: &[PassId::Threads], run: cpu::threads::threads },
    Walk { name: PassId::Tile.name(), needs: &[PassId::Tile], run: tiles::tile },
    Walk { name: PassId::Block.name(), needs: &[PassId::Block], run: blocks::block::block },
    Walk { name: PassId::Promote.name(), needs: &[PassId::Promote], run: blocks::promote::promote },
    Walk {
        name: PassId::EarlyExits.name(),
        needs: &[PassId::EarlyExits, PassId::Multiversion],
        run: early_exit::early_exits,
    },
    Walk { name: PassId::Extremes.name(), needs: &[PassId::Extremes], run: floats::extremes::extremes },
    Walk { name: PassId::SmallAngles.name(), needs: &[PassId::SmallAngles], run: floats::small_angles::small_angles },
    Walk { name: PassId::Reciprocals.name(), needs: &[PassId::Reciprocals], run: floats::reciprocals::reciprocals },
    Walk { name: PassId::Contract.name(), needs: &[PassId::Contract], run: floats::contract::contract },
    Walk { name: PassId::UnrollAndJam.name(), needs: &[PassId::UnrollAndJam], run: blocks::jam::unroll_and_jam },
    Walk { name: PassId::IfConvert.name(), needs: &[PassId::IfConvert], run: branches::kept::kept },
    Walk { name: PassId::Multiversion.name(), needs: &[PassId::Multiversion], run: cpu::clones::multiversion },
    Walk { name: PassId::Breaks.name(), needs: &[PassId::Breaks], run: branches::breaks::breaks },
];

/// Runs the passes that are on.
pub fn optimise(f: &mut Function, cx: &mut Cx<'_, '_>) {
    for walk in WALKS {
        cx.run(walk, f);
    }
    cpu::threads::count_frames(f);
}

/// The loops of the instances with wider vectors, if they differ: for AVX2, and for AVX-512 if sums in lanes fill its
/// registers.
pub fn wider(p: &Program, narrow: &Function, cx: &mut Cx<'_, '_>) -> Vec<Function> {
    if !narrow.schedule.clones || !(narrow.schedule.tiled || narrow.schedule.exits) {
        return vec![];
    }
    let mut with = |target| {
        let mut f = Function { fast: narrow.fast, parallel: narrow.parallel, ..lower(p, target, narrow.checked) };
        optimise(&mut f, cx);
        f
    };
    let wide = with(&target::WIDE);
    let widest = wide.schedule.lanes.then(|| with(&target::WIDEST));
    std::iter::once(wide).chain(widest).collect_vec()
}
