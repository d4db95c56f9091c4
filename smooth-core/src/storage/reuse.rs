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
use crate::dps::{Alloc, Dest, Home, Leaf, Program, Term};
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
    /// When it is in use, as seen from inside as many loops as there are around the owner.
    busy: Spans,
    loops: usize,
    /// When the owner exists.
    scope: Span,
}

/// Numbers that are taken, as spans that do not meet.
#[derive(Default)]
struct Spans(BTreeMap<usize, usize>);

/// A block that looks for a place.
struct Guest {
    r: VarId,
    elem: Scalar,
    len: Card,
    /// When it is in use, as seen from where it is allocated, and from outside of all loops.
    here: Option<Span>,
    whole: Option<Span>,
    loops: usize,
    /// When it exists.
    scope: Span,
}

/// Colours lifetimes, the last allocation first: at the end the destinations are taken, and what is free before
/// that is known when it is asked for.
pub(super) fn reuse(program: &mut Program) {
    let lives = Lives::of(program);
    let mut places: Vec<Place> = Vec::new();
    for leaf in &program.results {
        if let Leaf::Storage(r, elem, shape) = leaf {
            let busy = lives.busy(*r).iter().copied().collect();
            let len = total(shape);
            places.push(Place {
                owner: *r,
                elem: *elem,
                len,
                fixed: true,
                members: vec![],
                busy,
                loops: 0,
                scope: (0, 0),
            });
        }
    }
    let mut blocks = Vec::new();
    program.body.each(&mut |t| {
        if let Term::Alloc(Alloc { blocks: here, .. }) = t {
            blocks.extend(here.iter().filter(|b| b.home == Home::Frame).map(|b| (b.r, b.elem, total(&b.shape))));
        }
    });
    for (r, elem, len) in blocks.into_iter().rev() {
        let (here, whole) = (lives.seen_from(r, r), lives.seen_within(r, 0));
        let guest = Guest { r, elem, len, here, whole, loops: lives.loops_around(r), scope: lives.scope(r) };
        match places.iter_mut().find_map(|p| p.takes(&guest, &lives).then_some(p)) {
            Some(p) => p.take(guest),
            None => {
                let busy = here.into_iter().collect();
                let Guest { len, loops, scope, .. } = guest;
                places.push(Place { owner: r, elem, len, fixed: false, members: vec![], busy, loops, scope });
            }
        }
    }
    let homes: BTreeMap<VarId, VarId> = places.iter().flat_map(|p| p.members.iter().map(|m| (*m, p.owner))).collect();
    program.body.each_mut(&mut |t| {
        if let Term::Alloc(Alloc { blocks, .. }) = t {
            for b in blocks {
                if let Some(owner) = homes.get(&b.r) {
                    b.home = Home::In(Dest::Storage(*owner, vec![]));
                }
            }
        }
    });
}

impl Place {
    /// Whether a block may be here as well: in a destination, or around those that are here, as their owner.
    fn takes(&mut self, new: &Guest, lives: &Lives) -> bool {
        let (span, large, small) =
            if self.fixed { (new.whole, &self.len, &new.len) } else { (new.here, &new.len, &self.len) };
        let Some(span) = span else { return false };
        let encloses = new.scope.0 <= self.scope.0 && self.scope.1 <= new.scope.1;
        if self.elem != new.elem || !(self.fixed || encloses) || self.busy.meets(span) {
            return false;
        }
        // From inside of fewer loops, what is in use in a turn is in use in all of them.
        if !self.fixed && new.loops != self.loops {
            let all = self.members.iter().chain([&self.owner]);
            let busy: Spans = all.filter_map(|m| lives.seen_within(*m, new.loops)).collect();
            if busy.meets(span) {
                return false;
            }
            (self.busy, self.loops) = (busy, new.loops);
        }
        large.sub(small).never_negative()
    }

    fn take(&mut self, new: Guest) {
        let Guest { r, len, here, whole, scope, .. } = new;
        if self.fixed {
            self.members.push(r);
            self.busy.extend(whole);
        } else {
            self.members.push(std::mem::replace(&mut self.owner, r));
            (self.len, self.scope) = (len, scope);
            self.busy.extend(here);
        }
    }
}

impl Spans {
    fn meets(&self, (from, to): Span) -> bool {
        self.0.range(..=to).next_back().is_some_and(|(_, end)| *end >= from)
    }
}

impl Extend<Span> for Spans {
    fn extend<I: IntoIterator<Item = Span>>(&mut self, spans: I) {
        for (mut from, mut to) in spans {
            while let Some((f, t)) = self.0.range(..=to).next_back().map(|(f, t)| (*f, *t)).filter(|(_, t)| *t >= from)
            {
                self.0.remove(&f);
                (from, to) = (from.min(f), to.max(t));
            }
            self.0.insert(from, to);
        }
    }
}

impl FromIterator<Span> for Spans {
    fn from_iter<I: IntoIterator<Item = Span>>(spans: I) -> Self {
        let mut all = Spans::default();
        all.extend(spans);
        all
    }
}
