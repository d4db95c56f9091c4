//! DPS-F̃ → one frame: the placement of each block, and the bytes that one call takes.
//!
//! Small arrays of static size are local variables. All other blocks are in one frame. Nested allocations are live at
//! one time: their bytes add up. Allocations in different branches, or one after the other, are not: the larger one
//! counts. A block whose size depends on a loop index counts with its capacity.

use crate::dps::{Alloc, Block, Call, Placement, Program, Term};
use crate::pass::{PassId, Switches};
use crate::shape::bytes::Bytes;

/// A local array, or a frame on the stack, has at most this many bytes: `SMALL` of the runtime. All locals of a kernel
/// together have at most `LOCALS`.
pub const SMALL: u64 = 4096;

/// Beyond about this many bytes of locals, a stack probe costs more than a frame.
const LOCALS: i128 = 32 * 1024;

/// Decides the placement of every block and gives the size of the frame. Without the pass `stack` every allocation is
/// a system call, as in the paper's `D` to `DFB`.
pub fn plan(program: &mut Program, on: &Switches) -> Bytes {
    let (mut left, stack) = (LOCALS, on.has(PassId::Stack));
    program.body.each_mut(&mut |t| {
        if let Term::Alloc(Alloc { blocks, .. }) = t {
            for b in blocks.iter_mut().filter(|b| b.placement == Placement::Frame) {
                b.placement = if stack { place(b, &mut left) } else { Placement::Heap };
            }
        }
    });
    frame(&program.body)
}

fn place(b: &Block, left: &mut i128) -> Placement {
    let bytes = b.capacity.constant().map(|len| len.saturating_mul(b.elem.bytes().into()));
    match bytes.filter(|bytes| (0..=i128::from(SMALL).min(*left)).contains(bytes)) {
        Some(bytes) => {
            *left -= bytes;
            Placement::Local
        }
        None => Placement::Frame,
    }
}

/// The bytes of the frame that a term needs.
pub fn frame(t: &Term) -> Bytes {
    let inner = t.children().fold(Bytes::zero(), |most, c| most.or(&frame(c)));
    match t {
        Term::Alloc(Alloc { blocks, .. }) => blocks
            .iter()
            .filter(|b| b.placement == Placement::Frame)
            .fold(inner, |bytes, b| Bytes::array(b.elem, b.capacity.clone()).and(&bytes)),
        Term::Call(Call { frame, .. }) => frame.or(&inner),
        _ => inner,
    }
}
