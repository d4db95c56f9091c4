//! The decisions at a `let`: drop it, substitute its value for its uses, float it, or keep it.
//!
//! ```text
//! let x = a in b  ⟶  b                    x unused                                (dead code)
//! let x = a in b  ⟶  b[a/x]               a trivial, or a function
//!                                         x used once, and not from inside a loop  (no work is repeated)
//! let x = (ē) in b ⟶ let x̄ = ē in b[(x̄)/x]
//! let x = build n (λi. e) in b            see `fuse`
//! let x = if c then y else z in b         see `select`
//! f (let x = a in b) ⟶ let x = a in f b   in a part that f evaluates exactly once   (let-floating)
//! ```
//!
//! Everything is decided before the walk. The walk carries it out with one substitution and visits each node once. A
//! value has been walked before it replaces a variable, except an array that is fused at its only use: that is walked
//! there.

mod scalars;
mod select;
mod slices;

use super::fuse::{self, Fusion, Fusions};
use crate::analysis::cost;
use crate::analysis::terms::{constant, extent, trivial};
use crate::analysis::uses::Uses;
use crate::analysis::versions::Versions;
use crate::fsmooth::{Build, Expr, Kernel, Kind, build, take};
use crate::mapped::Mapped;
use crate::name::{Names, VarId};
use crate::pass::{PassId, Switches};
use crate::sorted::{Map, Set};
use crate::span::Origin;
use crate::ty::Type;
use scalars::Places;
use select::{is_choice, is_choice_of_tuples};
use slices::part_of;

/// Walks the whole kernel once. Returns whether it changed.
pub(super) fn apply(kernel: &mut Kernel, on: &Switches) -> bool {
    let occ = Uses::of(kernel, on.has(PassId::Dce));
    let infos = (0..kernel.names.count() as u32).mapped(|v| UseInfo::of(&occ, VarId(v)));
    let fusions = if on.has(PassId::Fuse) { fuse::fusions(kernel, &occ) } else { Fusions::default() };
    let mut cx = Inline {
        infos,
        fusions: fusions.of,
        checked: fusions.checked,
        versions: Versions::of(kernel),
        replacements: Map::new(),
        extents: Map::new(),
        lets: vec![],
        names: &mut kernel.names,
        inline: on.has(PassId::Inline),
        dce: on.has(PassId::Dce),
        scalars: on.has(PassId::Unroll),
        fuse: on.has(PassId::Fuse),
        changed: false,
    };
    kernel.body = cx.scoped(take(&mut kernel.body));
    cx.changed
}

/// The uses of a variable before the walk.
#[derive(Clone, Default, Debug)]
struct UseInfo {
    count: usize,
    in_loop: bool,
    lengths: bool,
    /// The least number of axes that a read indexes, if all uses are lengths or reads without a slice.
    levels: Option<usize>,
    places: Places,
}

impl UseInfo {
    fn of(occ: &Uses<'_>, v: VarId) -> UseInfo {
        let u = occ.get(v);
        let elements = u.reads.iter().filter(|r| r.range.is_none()).count() + u.lengths == u.count;
        let levels = u.reads.iter().map(|r| r.indices.len()).min().filter(|_| elements);
        UseInfo { count: u.count, in_loop: u.in_loop, lengths: u.lengths > 0, levels, places: Places::of(u) }
    }
}

/// The replacement of a variable.
pub(super) enum Replacement {
    /// This term, at every use.
    Is(Expr),
    /// This term, at the only use.
    Moves(Expr),
    /// Elements of this build, at the only use. It has not been walked.
    Raw(Expr),
    /// Copies of this build's elements, at every use.
    Build(Expr),
    /// Its elements at the constant indices that are read.
    Elements(Vec<Option<Expr>>),
}

pub(super) struct Inline<'n> {
    infos: Vec<UseInfo>,
    pub(super) fusions: Map<VarId, Fusion>,
    /// The arrays with slices that are checked where they are taken.
    pub(super) checked: Set<VarId>,
    /// The arrays whose reads stay where they are.
    versions: Versions,
    pub(super) replacements: Map<VarId, Replacement>,
    /// Extents of arrays that have a name or have been fused away.
    pub(super) extents: Map<(VarId, usize), Expr>,
    /// The `let`s that are floating, outermost first.
    pub(super) lets: Vec<(VarId, Expr)>,
    pub(super) names: &'n mut Names,
    inline: bool,
    dce: bool,
    scalars: bool,
    fuse: bool,
    pub(super) changed: bool,
}

/// An index that still has to be applied.
#[derive(Clone)]
pub(super) struct Index {
    pub(super) i: Expr,
    pub(super) origin: Origin,
    /// Whether it is known to be in range.
    sure: bool,
}

/// Indices that still have to be applied, the next one last.
pub(super) type PendingIndices = Vec<Index>;

impl Inline<'_> {
    /// A term that is not evaluated exactly once: nothing floats out of it.
    pub(super) fn scoped(&mut self, e: Expr) -> Expr {
        let mark = self.lets.len();
        let e = self.floating(e, vec![]);
        self.land(mark, e)
    }

    /// A term that is evaluated exactly once: its `let`s float. Those of arrays stay around a scalar, so that their
    /// storage is given back.
    pub(super) fn operand(&mut self, e: Expr) -> Expr {
        let mark = self.lets.len();
        let e = self.floating(e, vec![]);
        let stays = e.ty.scalar().is_some() && self.lets[mark..].iter().any(|(_, a)| a.ty.is_array());
        if stays || !self.inline {
            return self.land(mark, e);
        }
        self.changed |= self.lets.len() > mark;
        e
    }

    /// The `let`s that have floated since `mark`, around `e`.
    fn land(&mut self, mark: usize, e: Expr) -> Expr {
        let lets = self.lets.split_off(mark);
        lets.into_iter().rev().fold(e, |b, (x, a)| {
            let o = a.origin;
            build::bind(x, a, b, o)
        })
    }

    /// `e[ī]`, walked; its `let`s are added to `self.lets`.
    fn floating(&mut self, mut e: Expr, mut pending: PendingIndices) -> Expr {
        // The number of indices that are applied directly to `e`.
        let mut direct = 0;
        loop {
            match e.kind {
                Kind::Let(x, a, b) => {
                    self.bind(x, *a);
                    (e, direct) = (*b, 0);
                }
                Kind::Get(a, i) => {
                    pending.push(Index { i: self.operand(*i), origin: e.origin, sure: false });
                    (e, direct) = (*a, direct + 1);
                }
                Kind::Build(Build { index: j, body, .. }) if pending.last().is_some_and(|i| i.sure) => {
                    let info = self.info(j);
                    if let Some(Index { i, .. }) = pending.pop() {
                        self.settle(j, info, i);
                    }
                    self.changed = true;
                    (e, direct) = (*body, 0);
                }
                Kind::Build(Build { index: j, .. }) if direct > 0 && self.fusions.get(&j) == Some(&Fusion::Once) => {
                    sure(&mut pending, direct);
                }
                Kind::Build(Build { count: n, index: j, body }) if self.fusions.contains_key(&j) => {
                    (e, direct) = (part_of(*n, j, *body, self.fusions[&j], e.origin), 0);
                    self.changed = true;
                }
                Kind::If(c, yes, no) if self.fuse && !pending.is_empty() => {
                    return self.choice([*c, *yes, *no], pending, e.origin);
                }
                Kind::Slice(a, s, t) if self.is_fused(&a) => return indexed(self.part(*a, *s, *t, e.origin), pending),
                Kind::Var(x) => match self.replacements.get(&x) {
                    Some(Replacement::Build(array)) => {
                        e = array.renamed(self.names);
                        sure(&mut pending, direct);
                    }
                    Some(Replacement::Raw(_)) => {
                        let Some(Replacement::Raw(array)) = self.replacements.remove(&x) else {
                            unreachable!("seen above")
                        };
                        e = array;
                        sure(&mut pending, direct);
                    }
                    Some(Replacement::Elements(es)) => {
                        let k = pending.last().and_then(|p| usize::try_from(constant(&p.i)?).ok());
                        if let Some(Some(element)) = k.and_then(|k| es.get(k)) {
                            e = element.clone();
                            pending.pop();
                            self.changed = true;
                        }
                        return indexed(e, pending);
                    }
                    Some(Replacement::Is(_) | Replacement::Moves(_)) => return indexed(self.value(x), pending),
                    None => return indexed(e, pending),
                },
                _ => break,
            }
        }
        self.parts(&mut e);
        indexed(e, pending)
    }

    /// The parts of a node: `let`s float out of those that are evaluated exactly once.
    fn parts(&mut self, e: &mut Expr) {
        if let Kind::Len(a, axis) = &e.kind
            && let Kind::Var(x) = a.kind
            && let Some(n) = self.extents.get(&(x, *axis))
        {
            *e = n.clone();
            self.changed = true;
            return;
        }
        for (slot, place) in e.parts_mut() {
            let part = take(place);
            *place = if slot.role().is_once() { self.operand(part) } else { self.scoped(part) };
        }
    }

    fn info(&mut self, x: VarId) -> Option<UseInfo> {
        self.infos.get_mut(x.0 as usize).map(std::mem::take)
    }

    /// `let x = a` in front of the rest.
    fn bind(&mut self, x: VarId, a: Expr) {
        let info = self.info(x);
        let unused = info.as_ref().is_some_and(|f| f.count == 0);
        if unused && self.dce {
            self.changed = true;
        } else if self.fusions.get(&x) == Some(&Fusion::Once) && self.may_check(x, &a) {
            if info.is_some_and(|f| f.lengths) || self.checked.contains(&x) {
                self.name_extents(x, &a);
            }
            self.put(x, Replacement::Raw(a));
        } else {
            let a = self.operand(a);
            self.settle(x, info, a);
        }
    }

    /// Replaces or keeps a `let` whose value has been walked. A variable without information is new: it stays in this
    /// walk.
    fn settle(&mut self, x: VarId, info: Option<UseInfo>, a: Expr) {
        let info = info.unwrap_or(UseInfo { count: 2, in_loop: true, ..UseInfo::default() });
        if a.ty.is_fn() {
            return self.put(x, if info.count == 1 { Replacement::Moves(a) } else { Replacement::Is(a) });
        }
        let fused = match self.fusions.get(&x) {
            Some(Fusion::Cheap) => cost::is_cheap(&a, info.count),
            Some(Fusion::Again) => cost::is_as_cheap_as_a_load(&a, info.count),
            _ => false,
        };
        if fused && self.may_check(x, &a) {
            if info.lengths || self.checked.contains(&x) {
                self.name_extents(x, &a);
            }
            return self.put(x, Replacement::Build(a));
        }
        if a.ty.is_array() {
            for axis in 0..a.ty.rank() {
                if let Some(n) = extent(&a, axis).filter(trivial) {
                    self.extents.insert((x, axis), n);
                }
            }
        }
        if let Kind::Tuple(es) = a.kind {
            let parts = es.into_iter().mapped(|e| self.named(x, e));
            return self.put(x, Replacement::Is(build::tuple(parts, a.origin)));
        }
        let stays = self.versions.are_read_by(&a) && !names_a_variable(&a);
        let moves = self.inline && info.count == 1 && !info.in_loop && shallow(&a, DEPTH) && !stays;
        if trivial(&a) && !stays {
            return self.put(x, Replacement::Is(a));
        }
        if moves {
            return self.put(x, Replacement::Moves(a));
        }
        if self.fuse && is_choice_of_tuples(&a) {
            return self.choose_parts(x, a);
        }
        if self.fuse && info.levels == Some(a.ty.rank()) && is_choice(&a) {
            return self.choose(x, a);
        }
        if self.scalars && info.places.any() {
            return self.scalarise(x, a, &info.places);
        }
        self.lets.push((x, a));
    }

    pub(super) fn put(&mut self, x: VarId, by: Replacement) {
        self.replacements.insert(x, by);
        self.changed = true;
    }

    /// A term for `e` that may be repeated: `e` itself, or a new variable named like `x`.
    pub(super) fn named(&mut self, x: VarId, e: Expr) -> Expr {
        if trivial(&e) && (names_a_variable(&e) || !self.versions.are_read_by(&e)) {
            return e;
        }
        let y = self.names.again(x);
        let variable = build::var(y, e.ty.clone(), e.origin);
        self.lets.push((y, e));
        variable
    }

    /// The value of `x`. A size stays available, since it may be needed again as the extent of an array.
    fn value(&mut self, x: VarId) -> Expr {
        match self.replacements.get(&x) {
            Some(Replacement::Moves(e)) if e.ty != Type::USIZE => match self.replacements.remove(&x) {
                Some(Replacement::Moves(e)) => e,
                _ => unreachable!("seen above"),
            },
            Some(Replacement::Is(e) | Replacement::Moves(e)) => e.renamed(self.names),
            _ => unreachable!("asked for a value"),
        }
    }
}

/// Whether a term is a variable or a component of one: an alias of the value, at any place.
fn names_a_variable(e: &Expr) -> bool {
    match e.kind() {
        Kind::Var(_) => true,
        Kind::Proj(a, _) => names_a_variable(a),
        _ => false,
    }
}

/// Marks the next `n` indices as in range.
fn sure(pending: &mut PendingIndices, n: usize) {
    pending.iter_mut().rev().take(n).for_each(|i| i.sure = true);
}

/// `e[ī]`.
pub(super) fn indexed(e: Expr, pending: PendingIndices) -> Expr {
    pending.into_iter().rev().fold(e, |e, p| build::get(e, p.i, p.origin))
}

/// The depth from which on an expression stays in a `let`. rustc compiles a thousand `let`s, each used by the next, but
/// not a thousand nested expressions.
const DEPTH: usize = 24;

/// Whether a term nests at most `depth` deep.
fn shallow(e: &Expr, depth: usize) -> bool {
    depth > 0 && e.all_children(&mut |c| shallow(c, depth - 1))
}
