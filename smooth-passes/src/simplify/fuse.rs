//! Fusion of a `build` with its consumers (Fig. 4, through a `let`): the array is never built.
//!
//! ```text
//! let x = build n (λi. e) in … x[a] … slice x s t … length x …
//!     ⟶  … let i = a in e … build (t - s) (λk. let i = s + k in e) … n …
//! ```
//!
//! when every use reads an element, a row or a part, or the length; every index is proved to be in range; every part, too,
//! or it is checked where it is taken (`demand s ≤ t ≤ n in build (t - s) …`); and no work is repeated:
//! - there is a single reading use, and the loops around it visit each element at most once, and each row whose
//!   elements share expensive work, or
//! - the element is cheap (a few operations: less than a store and a load). If a loop reads it in many iterations, it
//!   must cost hardly more than a load, and the array must not be stored for its order (`order`).
//!
//! Several uses with equal indices become one first (`common_reads`).
//!
//! An array with several consumers, or read many times at random places, stays unless its elements are cheap.
//! [`is_cheap`](crate::analysis::cost::is_cheap) sees the whole element, with everything that was fused into it.
//! Conversely, a `build` that copies a part of an array that stays is a name for that part ([`Fusion::Part`]).

use crate::analysis::cost::innermost;
use crate::analysis::reads::Reads;
use crate::analysis::terms::extent;
use crate::analysis::terms::{base, trivial};
use crate::analysis::uses::{Part, Read, Uses};
use crate::analysis::versions::Versions;
use crate::fsmooth::{Build, Expr, Kernel, Kind};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::shape::card::{Atom, Card};
use crate::shape::{Dim, Shape};
use crate::sorted::{Map, Set};
use crate::ty::Type;

/// Terms for the extents of rows up to this size are copied to every use.
const EXTENT: usize = 16;

/// Whether the extents of an array are known without it.
pub(super) fn has_extents(array: &Expr) -> bool {
    let known = |axis| extent(array, axis).is_some_and(|n| axis == 0 || n.size() <= EXTENT);
    (0..array.ty().depth()).all(known)
}

/// The way in which an array may be fused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Fusion {
    /// At its only use.
    Once,
    /// At all its uses, if it is cheap ([`is_cheap`](crate::analysis::cost::is_cheap)).
    Cheap,
    /// At all its uses, some of which read an element several times in a loop, if it is as cheap as a load (see
    /// [`cost`](crate::analysis::cost)).
    Again,
    /// By its name: it equals a second array.
    Whole,
    /// By a slice: it is a part of a larger array.
    Part,
}

/// The arrays that are fused.
#[derive(Default, Debug)]
pub(super) struct Fusions {
    /// The fusion of every array that has one: by the variable of its `let`, or, if the array is read at the place
    /// where it is built or is a part of a larger one, by the index of its `build`.
    pub of: Map<VarId, Fusion>,
    /// The arrays with slices that are checked where they are taken.
    pub checked: Set<VarId>,
}

/// Decides which arrays are fused.
pub(super) fn fusions(kernel: &Kernel, occ: &Uses<'_>) -> Fusions {
    let readable = |x: &VarId| {
        let u = occ.get(*x);
        u.count > 0 && u.reads.len() + u.lengths == u.count
    };
    let versions = Versions::of(kernel);
    let stays_there = |array: &Expr| versions.are_read_by(array);
    let builds: Vec<_> = occ.builds.iter().filter(|(x, array)| readable(x) && !stays_there(array)).collect_vec();
    if builds.is_empty() && occ.directs.is_empty() && occ.parts.is_empty() {
        return Fusions::default();
    }
    let mut bounds = Reads::new(kernel, occ);
    let mut checked = Set::new();
    let of_lets = builds.iter().filter_map(|(x, array)| Some((*x, bounds.fusion(*x, array, &mut checked)?)));
    let mut all: Map<VarId, Fusion> = of_lets.collect();
    bounds.moving = all.iter().filter(|(_, f)| **f == Fusion::Once).map(|(x, _)| *x).collect();
    for (x, array) in builds {
        if bounds.moving.contains(x) && !bounds.still_once(*x, array) {
            all.remove(x);
        }
    }
    for d in &occ.directs {
        let Kind::Build(Build { index: j, .. }) = d.array.kind() else { continue };
        let shape = bounds.infer.shape(d.array).first_extents();
        if bounds.is_in_bounds(&shape, &d.read) && bounds.bounds_sizes(d.array, &d.read) {
            all.insert(*j, Fusion::Once);
        }
    }
    for p in &occ.parts {
        let stays = base(p.array).is_some_and(|a| !all.contains_key(&a)) && !stays_there(p.array);
        if stays
            && !all.contains_key(&p.index)
            && let Some(fusion) = bounds.part(p)
        {
            all.insert(p.index, fusion);
        }
    }
    Fusions { of: all, checked }
}

impl<'k, 'o> Reads<'k, 'o> {
    /// The fusion of an array. Notes if slices of it are not proved to be in range.
    fn fusion(&mut self, x: VarId, array: &Expr, checked: &mut Set<VarId>) -> Option<Fusion> {
        let occ = self.occ;
        let uses = occ.get(x);
        let rank = array.ty().depth();
        let shape = self.readable(x, array)?;
        for r in &uses.reads {
            if !self.is_in_bounds(&shape, r) {
                if !has_extents(array) || !self.may_be_checked(&shape, r) {
                    return None;
                }
                checked.insert(x);
            }
            if !self.bounds_sizes(array, r) {
                return None;
            }
        }
        match uses.reads.as_slice() {
            [] => Some(Fusion::Once),
            [r] if self.reads_each_element_once(r, uses.home, array) => Some(Fusion::Once),
            reads if reads.iter().any(|r| r.levels() != rank) => None,
            reads if reads.iter().all(|r| self.reads_each_element_once(r, uses.home, array)) => Some(Fusion::Cheap),
            _ if self.stays_for_its_order(array, uses) => None,
            _ => Some(Fusion::Again),
        }
    }

    /// Whether an array is fused at its only use though other arrays move into its rows in this walk. A name for a row
    /// of such an array becomes work that the elements share. If not, the next walk decides.
    fn still_once(&mut self, x: VarId, array: &Expr) -> bool {
        let uses = self.occ.get(x);
        uses.reads.iter().all(|r| self.reads_each_element_once(r, uses.home, array))
    }

    /// The shape of an array; `None` if its length is used and cannot be computed without the array.
    pub(super) fn readable(&self, x: VarId, array: &Expr) -> Option<Shape> {
        if self.occ.get(x).lengths > 0 && !has_extents(array) {
            return None;
        }
        Some(self.infer.bound(x)?.first_extents())
    }

    /// Whether the arrays inside an element keep a bound on their size, and a size that can be computed at entry, when
    /// the element's index becomes the index of the read. An index in range need not be a term with a bound, nor have a
    /// value in any iteration.
    fn bounds_sizes(&mut self, array: &Expr, r: &Read<'_>) -> bool {
        let Some(loops) = self.loops_around(r.at) else { return false };
        let indices = r.indices.iter().mapped(|i| self.infer.shape(i).card());
        self.facts.go_inside(loops);
        // `scratch` receives only the `usize` arguments that occur in sizes, so a bound must not mention any other.
        let mut asked = self.facts.clone();
        let params = &self.infer.kernel.interface.params;
        let written = |v: VarId| params.iter().flat_map(|p| p.dims()).any(|d| *d == Dim::Param(v));
        let number = |a: &Atom| params.iter().any(|p| p.dims().is_empty() && *a == Atom::Var(p.var) && !written(p.var));
        asked.forget(number);
        let bounded: Vec<bool> = indices.iter().mapped(|i| i.as_ref().is_some_and(|i| asked.upper(i).is_some()));
        let mut sized = Vec::new();
        innermost(array).each(&mut |e| {
            let has_size =
                matches!(e.kind(), Kind::Build(_) | Kind::IFold(_) | Kind::Call(..) | Kind::App(..) | Kind::Slice(..));
            sized.push_all((has_size && e.ty().leaves().iter().any(Type::is_array)).then_some(e));
        });
        if sized.iter().all(|e| matches!(e.kind(), Kind::Slice(..))) {
            return true;
        }
        let all_bounded = r.range.is_none() && bounded.iter().all(|b| *b);
        all_bounded && sized.into_iter().all(|e| self.has_size_at_entry(e, array, &indices))
    }

    /// Whether the size of an array in an element, at the element's `indices`, has a value even if no iteration of the
    /// loops around reaches the array: storage whose size no longer depends on a loop is allocated before the loop.
    fn has_size_at_entry(&mut self, e: &Expr, array: &Expr, indices: &[Option<Card>]) -> bool {
        let mut card = |e: &Expr| self.infer.shape(e).card();
        let sizes = match e.kind() {
            Kind::Build(Build { count, .. }) => vec![card(count)],
            Kind::Slice(_, s, t) => vec![card(s).zip(card(t)).map(|(s, t)| t.sub(&s))],
            Kind::Call(..) | Kind::App(..) => self.infer.shape(e).leaves().concat().into_iter().mapped(Some),
            // A fold's arrays have the sizes of its initial state.
            _ => return true,
        };
        let (mut own, mut rows) = (Vec::new(), array);
        while let Kind::Build(Build { index, body, .. }) = rows.kind() {
            own.push(*index);
            rows = body;
        }
        let at_read = |n: Card| {
            let known = own.iter().zip(indices).filter_map(|(i, at)| Some((i, at.as_ref()?)));
            known.fold(n, |n, (i, at)| n.replace(*i, at))
        };
        let loops = self.facts.loops();
        let varies = |n: &Card| loops.iter().any(|(i, _)| n.mentions(*i));
        let stays = |n: &Card| !own.iter().any(|i| n.mentions(*i)) || loops.is_empty();
        sizes.into_iter().flatten().filter(|n| !stays(n)).map(at_read).all(|n| varies(&n) || n.is_total())
    }

    /// Whether a build is a part of a larger array, or equals one.
    fn part(&mut self, p: &Part<'_>) -> Option<Fusion> {
        let loops = self.loops_around(p.at)?;
        let start = p.start.map_or(Some(Card::lit(0)), |s| self.infer.shape(s).card())?;
        let count = self.infer.shape(p.count).card()?;
        let len = self.infer.shape(p.array).first_extents().first()?.clone();
        self.facts.go_inside(loops);
        // The row is indexed even if none of its elements is read.
        if !self.facts.at_least_zero(&count.sub(&Card::lit(1))) && !self.has_value(p.array) {
            return None;
        }
        let whole = p.start.is_none() && count == len;
        let fits = self.facts.holds_slice(&start, &start.add(&count), &len);
        if whole { Some(Fusion::Whole) } else { fits.then_some(Fusion::Part) }
    }

    /// Whether a variable or a row of one is in bounds for all arguments. Its indices are variables and literals, which
    /// have been evaluated.
    fn has_value(&mut self, a: &Expr) -> bool {
        let Kind::Get(of, i) = a.kind() else { return true };
        let len = self.infer.shape(of).first_extents().first().cloned();
        let place = self.infer.shape(i).card();
        trivial(i) && place.zip(len).is_some_and(|(i, n)| self.facts.in_range(&i, &n)) && self.has_value(of)
    }
}
