//! Use analysis: the uses of each variable, counted in one walk before anything is decided.

use super::terms::{base, offset};
use crate::fsmooth::{Build, Expr, Kernel, Kind, Slot};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::sorted::Set;

/// The uses of one variable.
#[derive(Default, Debug)]
pub(crate) struct VarUses<'k> {
    /// Number of occurrences.
    pub count: usize,
    /// Whether one of them is under a loop or function that does not enclose the binder.
    pub in_loop: bool,
    /// The occurrences that read an element, a row or a part.
    pub reads: Vec<Read<'k>>,
    /// The number of occurrences in `length x`.
    pub lengths: usize,
    /// The loop around the binder.
    pub home: LoopId,
    /// The region of the binder.
    pub region: RegionId,
}

/// `x[ī]` or `slice x[ī] s t`.
#[derive(Debug)]
pub(crate) struct Read<'k> {
    /// The indices applied, outermost first.
    pub indices: Vec<&'k Expr>,
    /// The bounds of the slice that is taken of that.
    pub range: Option<(&'k Expr, &'k Expr)>,
    /// The loop around it.
    pub at: LoopId,
    /// The region that it is in.
    pub region: RegionId,
}

impl Read<'_> {
    /// The number of axes that it indexes or slices.
    pub(crate) fn levels(&self) -> usize {
        self.indices.len() + usize::from(self.range.is_some())
    }
}

/// A place in [`Uses::loops`].
pub(crate) type LoopId = usize;

/// A loop around terms.
#[derive(Debug)]
pub(crate) struct Loop<'k> {
    /// The loop around it; its own number for the outermost, which is the kernel itself.
    pub outer: LoopId,
    depth: usize,
    /// Index and count; `None` for a function, which may be called any number of times.
    pub range: Option<(VarId, &'k Expr)>,
    /// Whether it is a `build`.
    pub builds: bool,
    /// The region of its body.
    pub region: RegionId,
}

/// A place in [`Uses::regions`].
pub(crate) type RegionId = usize;

/// Terms that are evaluated together, as far as the syntax shows: those of the kernel, of a branch, of the right
/// operand of `&&` and `||`, or of a loop's body.
#[derive(Clone, Copy, Debug)]
struct Region<'k> {
    /// The region around it; its own number for the outermost.
    outer: RegionId,
    /// The term that it is a part of, and the place there.
    part: Option<(&'k Expr, Slot)>,
    /// The other branch of an `if`, if it has a lower number.
    other: Option<RegionId>,
}

/// An array that is read in place: `(build n (λj. e))[ī]`.
#[derive(Debug)]
pub(crate) struct Direct<'k> {
    /// The array.
    pub array: &'k Expr,
    /// The indices by which it is read.
    pub read: Read<'k>,
}

/// A build that is a part of a larger array: `build n (λi. a[s + i])`.
#[derive(Debug)]
pub(crate) struct Part<'k> {
    /// `i`.
    pub index: VarId,
    /// `n`.
    pub count: &'k Expr,
    /// `a`: a variable or a row of one.
    pub array: &'k Expr,
    /// `s`; `None` for 0.
    pub start: Option<&'k Expr>,
    /// The loop around it.
    pub at: LoopId,
}

impl<'k> Part<'k> {
    fn of(e: &'k Expr, at: LoopId) -> Option<Self> {
        let Kind::Build(Build { count, index, body }) = e.kind() else { return None };
        let Kind::Get(array, place) = body.kind() else { return None };
        let start = offset(place, *index)?;
        let path = base(array).is_some() && !array.mentions(*index);
        path.then_some(Part { index: *index, count, array, start, at })
    }
}

/// The uses of all variables of a kernel.
#[derive(Debug)]
pub(crate) struct Uses<'k> {
    uses: Vec<VarUses<'k>>,
    /// The loops; the first is the kernel itself.
    pub loops: Vec<Loop<'k>>,
    /// The regions; the first is the kernel itself.
    regions: Vec<Region<'k>>,
    /// The region that the walk is in.
    region: RegionId,
    /// The `build`s that are bound by a `let`.
    pub builds: Vec<(VarId, &'k Expr)>,
    /// The `build`s that are read in place.
    pub directs: Vec<Direct<'k>>,
    /// The `build`s that copy a part of a larger array.
    pub parts: Vec<Part<'k>>,
}

impl<'k> Uses<'k> {
    /// Walks the kernel. With `dce`, uses in dead values do not count.
    pub(crate) fn of(kernel: &'k Kernel, dce: bool) -> Self {
        let mut uses = Uses {
            uses: (0..kernel.names.count()).mapped(|_| VarUses::default()),
            loops: vec![Loop { outer: 0, depth: 0, range: None, builds: false, region: 0 }],
            regions: vec![Region { outer: 0, part: None, other: None }],
            region: 0,
            builds: vec![],
            directs: vec![],
            parts: vec![],
        };
        uses.walk(&kernel.body, 0, dce);
        uses
    }

    pub(crate) fn get(&self, v: VarId) -> &VarUses<'k> {
        &self.uses[v.0 as usize]
    }

    /// The loops between `inner` and `outer`, innermost first.
    pub(crate) fn between(&self, inner: LoopId, outer: LoopId) -> impl Iterator<Item = LoopId> {
        std::iter::successors(Some(inner), |l| Some(self.loops[*l].outer)).take_while(move |l| *l != outer && *l != 0)
    }

    /// Whether evaluating a whole region evaluates one of these reads on every path.
    pub(crate) fn surely_reads(&self, region: RegionId, reads: &[Read<'_>]) -> bool {
        let mut open: Set<RegionId> = reads.iter().map(|r| r.region).collect();
        // Innermost first, `else` before `then`: reads in both branches count as one next to the `if`.
        while let Some(r) = open.pop_last() {
            if r == region {
                return true;
            }
            let Region { outer, other, .. } = self.regions[r];
            if other.is_some_and(|then| open.contains(&then)) {
                open.insert(outer);
            }
        }
        false
    }

    /// Whether a region is `outer` or a part of it: the body of a loop, and not its test.
    pub(crate) fn is_inside(&self, region: RegionId, outer: RegionId) -> bool {
        region == outer || (self.regions[region].outer != region && self.is_inside(self.regions[region].outer, outer))
    }

    /// The terms that a region is a part of, outermost first, each with the place in it.
    pub(crate) fn parts_around(&self, region: RegionId) -> Vec<(&'k Expr, Slot)> {
        let mut found = Vec::new();
        let mut r = region;
        while let Some(part) = self.regions[r].part {
            found.push(part);
            r = self.regions[r].outer;
        }
        found.reverse();
        found
    }

    fn walk(&mut self, e: &'k Expr, at: LoopId, dce: bool) {
        match e.kind() {
            Kind::Var(v) => return self.occurs(*v, at),
            Kind::Len(a, _) => {
                if let Kind::Var(v) = a.kind() {
                    self.uses[v.0 as usize].lengths += 1;
                }
            }
            Kind::Get(..) => return self.read(e, None, at, dce),
            Kind::Slice(a, s, t) => {
                self.read(a, Some((&**s, &**t)), at, dce);
                self.walk(s, at, dce);
                return self.walk(t, at, dce);
            }
            Kind::Let(x, a, b) => {
                (self.uses[x.0 as usize].home, self.uses[x.0 as usize].region) = (at, self.region);
                self.walk(b, at, dce);
                if !dce || self.uses[x.0 as usize].count > 0 {
                    if matches!(a.kind(), Kind::Build(_)) {
                        self.builds.push((*x, &**a));
                    }
                    self.walk(a, at, dce);
                }
                return;
            }
            _ => {}
        }
        self.parts.push_all(Part::of(e, at));
        let inner = self.enter(e, at);
        let (own, first) = (self.region, self.regions.len());
        for b in e.binders() {
            (self.uses[b.0 as usize].home, self.uses[b.0 as usize].region) = (inner, first);
        }
        // The branches of an `if` have neighbouring numbers.
        let parts = e.parts();
        let regions = parts.iter().filter(|(slot, _)| !slot.role().is_once());
        let regions: Vec<Region<'k>> = regions.mapped(|(slot, _)| Region {
            outer: own,
            part: Some((e, *slot)),
            other: (*slot == Slot::Else).then_some(first),
        });
        self.regions.push_all(regions);
        let mut next = first;
        for (slot, c) in parts {
            if !slot.role().is_once() {
                self.region = next;
                next += 1;
            }
            self.walk(c, if slot.is_scope() { inner } else { at }, dce);
            self.region = own;
        }
    }

    fn occurs(&mut self, v: VarId, at: LoopId) {
        let home = self.uses[v.0 as usize].home;
        let deeper = self.loops[at].depth > self.loops[home].depth;
        let uses = &mut self.uses[v.0 as usize];
        uses.count += 1;
        uses.in_loop |= deeper;
    }

    /// An array with indices, sliced or not.
    fn read(&mut self, e: &'k Expr, range: Option<(&'k Expr, &'k Expr)>, at: LoopId, dce: bool) {
        let mut indices = Vec::new();
        let mut base = e;
        while let Kind::Get(a, i) = base.kind() {
            self.walk(i, at, dce);
            indices.push(&**i);
            base = a;
        }
        indices.reverse();
        let read = Read { indices, range, at, region: self.region };
        match base.kind() {
            Kind::Var(v) if base.ty().element().is_some() => self.uses[v.0 as usize].reads.push(read),
            Kind::Build(_) => self.directs.push(Direct { array: base, read }),
            _ => {}
        }
        self.walk(base, at, dce);
    }

    /// The loop that `e` puts around its body.
    fn enter(&mut self, e: &'k Expr, at: LoopId) -> LoopId {
        if !e.is_loop() {
            return at;
        }
        let range = e.as_loop().map(|l| (l.index, l.count));
        let builds = matches!(e.kind(), Kind::Build(_));
        let region = self.regions.len() + usize::from(e.part(Slot::Test).is_some());
        self.loops.push(Loop { outer: at, depth: self.loops[at].depth + 1, range, builds, region });
        self.loops.len() - 1
    }
}
