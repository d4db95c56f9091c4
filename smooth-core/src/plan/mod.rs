//! DPS-F̃ → offsets in one frame: where each allocation is, and how many bytes a call takes.
//!
//! Small arrays of static size are local variables. The rest share one frame: what is nested lives
//! together and adds up, what is in different branches or comes one after the other takes turns.

use crate::dps::{Home, Program, Term};
use crate::shape::bytes::Bytes;
use crate::shape::card::Card;

/// A local array has at most this many bytes; all locals of a kernel together at most [`LOCALS`].
const LOCAL: i128 = 4096;

/// Above about this much, a stack probe costs more than a frame.
const LOCALS: i128 = 32 * 1024;

/// Decides the home of every allocation and gives the size of the frame.
pub fn plan(program: &mut Program) -> Bytes {
    let mut left = LOCALS;
    program.body.each_mut(&mut |t| {
        if let Term::Alloc { elem, shape, home: home @ Home::Frame, .. } = t
            && let Some(len) = total(shape).constant()
        {
            let bytes = len.saturating_mul(elem.bytes().into());
            if (0..=LOCAL.min(left)).contains(&bytes) {
                left -= bytes;
                *home = Home::Local;
            }
        }
    });
    frame(program, &program.body)
}

/// The number of elements of a shape.
pub fn total(shape: &[Card]) -> Card {
    shape.iter().fold(Card::lit(1), |n, c| n.mul(c))
}

fn frame(p: &Program, t: &Term) -> Bytes {
    let inner = t.children().into_iter().fold(Bytes::zero(), |most, c| most.or(&frame(p, c)));
    match t {
        Term::Alloc { elem, shape, home: Home::Frame, .. } => Bytes::array(*elem, total(shape)).and(&inner),
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
