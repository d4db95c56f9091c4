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
use crate::dps::{Dest, Home, Leaf, Program, Term};
use crate::name::VarId;
use crate::shape::card::Card;
use crate::shape::total;
use crate::ty::Scalar;
use std::collections::BTreeMap;

/// Blocks that share one place: that of the outermost of them, which has room for each.
struct Place {
    owner: VarId,
    elem: Scalar,
    len: Card,
    /// A destination has an owner from the start.
    fixed: bool,
    members: Vec<VarId>,
}

/// Colours lifetimes, the last allocation first: at the end the destinations are taken, and what is free before
/// that is known when it is asked for.
pub(super) fn reuse(program: &mut Program) {
    let lives = Lives::of(program);
    let mut places: Vec<Place> = Vec::new();
    for leaf in &program.results {
        if let Leaf::Storage(r, elem, shape) = leaf {
            places.push(Place { owner: *r, elem: *elem, len: total(shape), fixed: true, members: vec![] });
        }
    }
    let mut blocks = Vec::new();
    program.body.each(&mut |t| {
        if let Term::Alloc { blocks: here, .. } = t {
            blocks.extend(here.iter().filter(|b| b.home == Home::Frame).map(|b| (b.r, b.elem, total(&b.shape))));
        }
    });
    for (r, elem, len) in blocks.into_iter().rev() {
        match places.iter_mut().find(|p| p.takes(r, elem, &len, &lives)) {
            Some(p) if p.fixed => p.members.push(r),
            Some(p) => {
                p.members.push(std::mem::replace(&mut p.owner, r));
                p.len = len;
            }
            None => places.push(Place { owner: r, elem, len, fixed: false, members: vec![] }),
        }
    }
    let homes: BTreeMap<VarId, VarId> = places.iter().flat_map(|p| p.members.iter().map(|m| (*m, p.owner))).collect();
    program.body.each_mut(&mut |t| {
        if let Term::Alloc { blocks, .. } = t {
            for b in blocks {
                if let Some(owner) = homes.get(&b.r) {
                    b.home = Home::In(Dest::Storage(*owner, vec![]));
                }
            }
        }
    });
}

impl Place {
    /// Whether `r` may be here as well: in a destination, or around those that are here, as their owner.
    fn takes(&self, r: VarId, elem: Scalar, len: &Card, lives: &Lives) -> bool {
        let (outer, large, small) = if self.fixed { (self.owner, &self.len, len) } else { (r, len, &self.len) };
        let span = |r: VarId| lives.seen_from(r, outer);
        self.elem == elem
            && large.sub(small).never_negative()
            && (self.fixed || lives.encloses(r, self.owner))
            && span(r).is_some_and(|new| {
                let others = self.members.iter().chain((!self.fixed).then_some(&self.owner));
                others.filter_map(|m| span(*m)).all(|old| apart(old, new))
                    && (!self.fixed || lives.busy(self.owner).iter().all(|busy| apart(*busy, new)))
            })
    }
}

fn apart(a: Span, b: Span) -> bool {
    a.1 < b.0 || b.1 < a.0
}
