//! Reuse of storage whose value is dead: blocks share storage if their live ranges are disjoint.
//!
//! ```text
//! alloc P (λr. … alloc Q (λs. t))   ⟶   alloc P (λr. … alloc in r Q (λs. t))
//! ```
//!
//! if `Q` is never larger than `P`, and `r` holds no live value from the first write of `s` to its last read: neither
//! an earlier one, nor one that `r` receives later, nor one of a different iteration of a loop. A destination of the
//! kernel serves in the same way until it is written.
//!
//! Peak: never rises, since an allocation is removed and none is added.
//!
//! The walk is backwards. The destinations of a kernel are live at its end and free before. A forward pass would have
//! to guess whether the first temporary of a chain should use the destination, which is right for chains of even
//! length and wrong for odd ones. Backwards it is known in which ranges the destinations are free, so that a chain of
//! any length takes two buffers, one of them the destination.

use super::live::{Interval, Liveness};
use crate::dps::{Alloc, Dest, Leaf, Placement, Program, Term};
use crate::mapped::PushAll;
use crate::name::VarId;
use crate::shape::card::Card;
use crate::shape::total;
use crate::sorted::Map;
use crate::ty::Scalar;

/// Blocks that share the storage of the outermost of them, which is large enough for each.
struct Shared {
    owner: VarId,
    elem: Scalar,
    len: Card,
    /// Whether the owner is a destination of the kernel.
    fixed: bool,
    members: Vec<VarId>,
    /// The live ranges of all of them, seen from inside the outermost `loops` loops.
    live_ranges: Intervals,
    /// The number of loops around the owner's allocation.
    loops: usize,
    /// The interval from the owner's allocation to its release.
    scope: Interval,
}

/// A set of numbers, as disjoint intervals.
#[derive(Default)]
struct Intervals(Map<usize, usize>);

/// A block that has no storage yet.
struct Candidate {
    r: VarId,
    elem: Scalar,
    len: Card,
    /// Its live range, seen from where it is allocated.
    own: Option<Interval>,
    /// Its live range, seen from outside all loops.
    whole: Option<Interval>,
    /// The number of loops around its allocation.
    loops: usize,
    /// The interval from its allocation to its release.
    scope: Interval,
}

/// Colours live ranges in reverse order of allocation. Destinations are live at the end, so going backwards the ranges
/// in which they are still free are already known.
pub(super) fn reuse(program: &mut Program) {
    let liveness = Liveness::of(program);
    let mut colours: Vec<Shared> = Vec::new();
    for leaf in &program.results {
        if let Leaf::Storage(r, elem, shape) = leaf {
            colours.push(Shared {
                owner: *r,
                elem: *elem,
                len: total(shape),
                fixed: true,
                members: vec![],
                live_ranges: liveness.live_ranges(*r).iter().copied().collect(),
                loops: 0,
                scope: (0, 0),
            });
        }
    }
    let mut blocks = Vec::new();
    program.body.each(&mut |t| {
        if let Term::Alloc(Alloc { blocks: own, .. }) = t {
            let framed = own.iter().filter(|b| b.placement == Placement::Frame);
            blocks.push_all(framed.map(|b| (b.r, b.elem, total(&b.shape))));
        }
    });
    for (r, elem, len) in blocks.into_iter().rev() {
        let (own, whole) = (liveness.seen_from(r, r), liveness.seen_within(r, 0));
        let (loops, scope) = (liveness.loops_around(r), liveness.scope(r));
        let block = Candidate { r, elem, len, own, whole, loops, scope };
        match colours.iter_mut().find_map(|s| s.can_hold(&block, &liveness).then_some(s)) {
            Some(shared) => shared.add(block),
            None => {
                let (Candidate { len, .. }, live_ranges) = (block, own.into_iter().collect());
                colours.push(Shared { owner: r, elem, len, fixed: false, members: vec![], live_ranges, loops, scope });
            }
        }
    }
    let owners: Map<VarId, VarId> = colours.iter().flat_map(|s| s.members.iter().map(|m| (*m, s.owner))).collect();
    program.body.each_mut(&mut |t| {
        if let Term::Alloc(Alloc { blocks, .. }) = t {
            for b in blocks {
                if let Some(owner) = owners.get(&b.r) {
                    b.placement = Placement::In(Dest::Storage(*owner, vec![]));
                }
            }
        }
    });
    super::in_out::settle(program);
}

impl Shared {
    /// Whether a block may share this storage: inside a destination, or as the new owner of blocks inside its scope.
    fn can_hold(&mut self, new: &Candidate, liveness: &Liveness) -> bool {
        let (range, large, small) =
            if self.fixed { (new.whole, &self.len, &new.len) } else { (new.own, &new.len, &self.len) };
        let Some(range) = range else { return false };
        let encloses = new.scope.0 <= self.scope.0 && self.scope.1 <= new.scope.1;
        if self.elem != new.elem || !(self.fixed || encloses) || self.live_ranges.meet(range) {
            return false;
        }
        // Seen from inside fewer loops, a value that is live in one iteration is live in all of them.
        if !self.fixed && new.loops != self.loops {
            let all = self.members.iter().chain([&self.owner]);
            let live_ranges: Intervals = all.filter_map(|m| liveness.seen_within(*m, new.loops)).collect();
            if live_ranges.meet(range) {
                return false;
            }
            (self.live_ranges, self.loops) = (live_ranges, new.loops);
        }
        large.sub(small).never_negative()
    }

    fn add(&mut self, new: Candidate) {
        let Candidate { r, len, own, whole, scope, .. } = new;
        if self.fixed {
            self.members.push(r);
            self.live_ranges.extend(whole);
        } else {
            self.members.push(std::mem::replace(&mut self.owner, r));
            (self.len, self.scope) = (len, scope);
            self.live_ranges.extend(own);
        }
    }
}

impl Intervals {
    fn meet(&self, (from, to): Interval) -> bool {
        self.0.range(..=to).next_back().is_some_and(|(_, end)| *end >= from)
    }
}

impl Extend<Interval> for Intervals {
    fn extend<I: IntoIterator<Item = Interval>>(&mut self, intervals: I) {
        for (mut from, mut to) in intervals {
            while let Some((f, t)) = self.0.range(..=to).next_back().map(|(f, t)| (*f, *t)).filter(|(_, t)| *t >= from)
            {
                self.0.remove(&f);
                (from, to) = (from.min(f), to.max(t));
            }
            self.0.insert(from, to);
        }
    }
}

impl FromIterator<Interval> for Intervals {
    fn from_iter<I: IntoIterator<Item = Interval>>(intervals: I) -> Self {
        let mut all = Intervals::default();
        all.extend(intervals);
        all
    }
}
