//! DPS-F̃ → one frame: where each block is, and how many bytes a call takes.
//!
//! Small arrays of static size are local variables. The rest share one frame: what is nested lives
//! together and adds up, what is in different branches or comes one after the other takes turns.

use crate::dps::{Block, Home, Program, Term};
use crate::pass::Switches;
use crate::shape::bytes::Bytes;
use crate::shape::card::Card;
use crate::shape::total;

/// A local array has at most this many bytes; all locals of a kernel together at most [`LOCALS`].
const LOCAL: i128 = 4096;

/// Above about this much, a stack probe costs more than a frame.
const LOCALS: i128 = 32 * 1024;

/// Decides the home of every block and gives the size of the frame. Without the pass `stack` every allocation
/// is a system call, as in the paper's `D` to `DFB`.
pub fn plan(program: &mut Program, on: &Switches) -> Bytes {
    let (mut left, stack) = (LOCALS, on.is_on("stack"));
    program.body.each_mut(&mut |t| {
        if let Term::Alloc { blocks, .. } = t {
            for b in blocks.iter_mut().filter(|b| b.home == Home::Frame) {
                b.home = if stack { place(b, &mut left) } else { Home::Heap };
            }
        }
    });
    frame(program, &program.body)
}

fn place(b: &Block, left: &mut i128) -> Home {
    let bytes = total(&b.shape).constant().map(|len| len.saturating_mul(b.elem.bytes().into()));
    match bytes.filter(|bytes| (0..=LOCAL.min(*left)).contains(bytes)) {
        Some(bytes) => {
            *left -= bytes;
            Home::Local
        }
        None => Home::Frame,
    }
}

/// The bytes of the frame that a term takes.
pub fn frame(p: &Program, t: &Term) -> Bytes {
    let inner = t.children().into_iter().fold(Bytes::zero(), |most, c| most.or(&frame(p, c)));
    match t {
        Term::Alloc { blocks, .. } => blocks
            .iter()
            .filter(|b| b.home == Home::Frame)
            .fold(inner, |bytes, b| Bytes::array(b.elem, total(&b.shape)).and(&bytes)),
        Term::Call { callee, sizes, .. } => {
            let callee = &p.callees[*callee];
            let atoms = crate::shape::entry_atoms(&callee.params);
            let own = callee.companion.frame.subst(&|a| {
                atoms.iter().position(|b| a == b).map_or_else(|| Card::atom(a.clone()), |k| sizes[k].clone())
            });
            own.or(&inner)
        }
        _ => inner,
    }
}
