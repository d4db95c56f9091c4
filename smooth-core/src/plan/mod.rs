//! DPS-F̃ → one frame: where each block is, and how many bytes a call takes.
//!
//! Small arrays of static size are local variables. The rest share one frame: what is nested lives
//! together and adds up, what is in different branches or comes one after the other takes turns. A block whose size
//! depends on a loop index counts with the largest one.

use crate::dps::{Alloc, Block, Call, Home, Program, Term};
use crate::pass::{PassId, Switches};
use crate::shape::bytes::Bytes;

/// A local array has at most this many bytes; all locals of a kernel together at most [`LOCALS`].
const LOCAL: i128 = 4096;

/// Above about this much, a stack probe costs more than a frame.
const LOCALS: i128 = 32 * 1024;

/// Decides the home of every block and gives the size of the frame. Without the pass `stack` every allocation is a
/// system call, as in the paper's `D` to `DFB`.
pub fn plan(program: &mut Program, on: &Switches) -> Bytes {
    let (mut left, stack) = (LOCALS, on.has(PassId::Stack));
    program.body.each_mut(&mut |t| {
        if let Term::Alloc(Alloc { blocks, .. }) = t {
            for b in blocks.iter_mut().filter(|b| b.home == Home::Frame) {
                b.home = if stack { place(b, &mut left) } else { Home::Heap };
            }
        }
    });
    frame(&program.body)
}

fn place(b: &Block, left: &mut i128) -> Home {
    let bytes = b.room.constant().map(|len| len.saturating_mul(b.elem.bytes().into()));
    match bytes.filter(|bytes| (0..=LOCAL.min(*left)).contains(bytes)) {
        Some(bytes) => {
            *left -= bytes;
            Home::Local
        }
        None => Home::Frame,
    }
}

/// The bytes of the frame that a term takes.
pub fn frame(t: &Term) -> Bytes {
    let inner = t.children().fold(Bytes::zero(), |most, c| most.or(&frame(c)));
    match t {
        Term::Alloc(Alloc { blocks, .. }) => blocks
            .iter()
            .filter(|b| b.home == Home::Frame)
            .fold(inner, |bytes, b| Bytes::array(b.elem, b.room.clone()).and(&bytes)),
        Term::Call(Call { frame, .. }) => frame.or(&inner),
        _ => inner,
    }
}
