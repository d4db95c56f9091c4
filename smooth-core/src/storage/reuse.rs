//! Reuse of storage whose value is dead.
//!
//! ```text
//! alloc P (λr. … alloc Q (λs. t))   ⟶   alloc P (λr. … alloc in r Q (λs. t))
//! ```
//!
//! if `Q` is never larger than `P`, and `r` holds nothing that is wanted from the first write of `s` to the last
//! read: of a value before, of one that `r` is still to get, or in another turn of a loop. A destination of the
//! kernel's own, too, serves until it is written.
//!
//! Peak: never rises, since an allocation goes and none comes.

use super::live::{Lives, Span};
use crate::dps::{Block, Dest, Home, Leaf, Program, Term};
use crate::name::VarId;
use crate::plan::total;
use crate::shape::card::Card;
use crate::ty::Scalar;

/// Storage in scope: its elements and their number.
type Place = (VarId, Scalar, Card);

/// Finds a place for every block in the order of allocation: the outermost free one of exactly the size, or else
/// the outermost that is large enough.
pub(super) fn reuse(program: &mut Program) {
    let mut lives = Lives::of(program);
    let mut places: Vec<Place> = Vec::new();
    for leaf in &program.results {
        if let Leaf::Storage(r, elem, shape) = leaf {
            places.push((*r, *elem, total(shape)));
        }
    }
    settle(&mut program.body, &mut places, &mut lives);
}

fn settle(t: &mut Term, places: &mut Vec<Place>, lives: &mut Lives) {
    let outside = places.len();
    if let Term::Alloc { blocks, .. } = t {
        for b in blocks.iter_mut().filter(|b| b.home == Home::Frame) {
            match place(b, places, lives) {
                Some(s) => {
                    b.home = Home::In(Dest::Storage(s, vec![]));
                    lives.settle(b.r, s);
                }
                None => places.push((b.r, b.elem, total(&b.shape))),
            }
        }
    }
    t.children_mut().into_iter().for_each(|c| settle(c, places, lives));
    places.truncate(outside);
}

fn place(b: &Block, places: &[Place], lives: &Lives) -> Option<VarId> {
    let wanted = total(&b.shape);
    let free = |s: &&Place| {
        let Some(span) = lives.seen_from(b.r, s.0) else { return false };
        lives.busy(s.0).iter().all(|busy| apart(*busy, span))
    };
    let mut fitting = places.iter().filter(|(_, elem, len)| *elem == b.elem && len.sub(&wanted).never_negative());
    let exact = fitting.clone().filter(|(_, _, len)| *len == wanted).find(free);
    exact.or_else(|| fitting.find(free)).map(|(s, ..)| *s)
}

fn apart(a: Span, b: Span) -> bool {
    a.1 < b.0 || b.1 < a.0
}
