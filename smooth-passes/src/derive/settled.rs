//! Elements of the state of a fold that no later step writes: a step back reads them from the last state, and nothing is kept of them.
//!
//! ```text
//! let x = ifold n (λs j. … let v = s[i, k] in … s with [i, j] = e …) e₀      k < j:  v = x[i, k]
//! ```
//!
//! A write at an index of a loop comes after all that this loop has read at a lesser one, and writes of the loops inside likewise at
//! their axes. So it is with factors of matrices, with the tables of dynamic programs, and where what is known is found first.

use super::forward::leaves;
use crate::fsmooth::{Build, Demand, Expr, IFold, Kind, Reduce, Update, build};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::Prim;
use crate::sorted::{Map, Set};
use crate::ty::Type;
use crate::value::Lit;

/// The elements that a last state has, as terms, by their names.
pub(super) type Settled = Map<VarId, Expr>;

/// Those of all folds of a body in normal form.
pub(super) fn settled(body: &Expr) -> Settled {
    let mut all = Settled::new();
    of_term(body, &mut all);
    all
}

fn of_term(e: &Expr, all: &mut Settled) {
    if let Kind::Let(x, value, _) = &e.kind
        && let Kind::IFold(f) = &value.kind
    {
        for (v, e) in of_fold(*x, f, value) {
            all.entry(v).or_insert(e);
        }
    }
    e.each_child(&mut |c| of_term(c, all));
}

/// Those of a fold with a name.
fn of_fold(x: VarId, f: &IFold, whole: &Expr) -> Vec<(VarId, Expr)> {
    let count = f.init.ty.leaf_count();
    let mut lines = Lines::default();
    lines.versions.insert(f.state, (0..count).mapped(|leaf| Some(Version { leaf, depth: 1, place: 0 })));
    let last = lines.inside((f.index, &f.count), f.test.as_deref(), &f.body);
    lines.broken.extend((0..count).filter(|k| last[*k].is_none_or(|v| v.leaf != *k)));
    let parts = leaves(&build::var(x, whole.ty.clone(), whole.origin));
    let is_settled = |r: &Access| {
        let mut writes = lines.writes.iter().filter(|w| w.leaf == r.leaf);
        !lines.broken.contains(&r.leaf) && writes.all(|w| lines.is_before(r, w))
    };
    let term = |r: &Access| r.at.iter().fold(parts[r.leaf].clone(), |a, i| build::get(a, i.clone(), i.origin));
    lines.reads.iter().filter(|(_, r)| is_settled(r)).map(|(v, r)| (*v, term(r))).collect()
}

/// A version of a leaf of the state: its value at a place in the text, where so many loops were around.
#[derive(Clone, Copy)]
struct Version {
    leaf: usize,
    depth: usize,
    place: usize,
}

/// An element that is read or written, the loops around, outermost first, and the place in the text: of a read those of the version.
#[derive(Clone)]
struct Access {
    leaf: usize,
    at: Vec<Expr>,
    loops: Vec<VarId>,
    place: usize,
}

/// The versions of the leaves of a state in a step.
#[derive(Default)]
struct Lines {
    /// The versions that the leaves of a name are.
    versions: Map<VarId, Vec<Option<Version>>>,
    /// The names of rows and elements of versions.
    parts: Map<VarId, Access>,
    /// The leaves that are something else at the end of a step.
    broken: Set<usize>,
    reads: Vec<(VarId, Access)>,
    writes: Vec<Access>,
    /// The number of places in the text so far.
    place: usize,
    /// The names in order, each with the number of loops and the branch around it.
    names: Map<VarId, (usize, usize, usize)>,
    /// The branch around.
    branch: usize,
    branches: usize,
    loops: Vec<VarId>,
    values: Map<VarId, Expr>,
    /// The counts of loops, by their indices.
    counts: Map<VarId, Expr>,
}

impl Lines {
    /// The versions that the leaves of a term are.
    fn value(&mut self, e: &Expr) -> Vec<Option<Version>> {
        match &e.kind {
            Kind::Var(x) => self.versions.get(x).cloned().unwrap_or_else(|| none(e)),
            Kind::Proj(t, k) => {
                let Type::Tuple(ts) = &t.ty else { return none(e) };
                let first = ts[..*k].iter().map(Type::leaf_count).sum::<usize>();
                self.value(t)[first..first + e.ty.leaf_count()].to_vec()
            }
            Kind::Tuple(es) => es.iter().flat_map(|e| self.value(e)).collect_vec(),
            Kind::Let(x, a, b) => {
                let own = self.value(a);
                if let Some(part) = self.part(a) {
                    if a.ty.rank() == 0 {
                        self.reads.push((*x, part.clone()));
                    }
                    self.parts.insert(*x, part);
                }
                self.versions.insert(*x, own);
                self.names.insert(*x, (self.names.len(), self.loops.len(), self.branch));
                self.values.insert(*x, (**a).clone());
                self.value(b)
            }
            Kind::Demand(Demand { what, then }) => {
                what.terms().iter().for_each(|e| drop(self.value(e)));
                self.value(then)
            }
            Kind::If(c, a, b) => {
                self.value(c);
                let [a, b] = [a, b].map(|e| {
                    self.branches += 1;
                    let around = std::mem::replace(&mut self.branch, self.branches);
                    let value = self.value(e);
                    self.branch = around;
                    value
                });
                self.either(a, b)
            }
            Kind::Update(Update { array, indices, value, op }) => {
                indices.iter().chain([&**value]).for_each(|e| drop(self.value(e)));
                let of = self.value(array);
                self.place += 1;
                let now = self.now(of);
                for Version { leaf, place, .. } in now.iter().flatten().copied() {
                    let own = Access { leaf, at: indices.clone(), loops: self.loops.clone(), place };
                    // The element has this value then.
                    if let (Kind::Var(v), None, 0) = (&value.kind, op, value.ty.rank())
                        && self.is_beside(*v, indices)
                    {
                        self.reads.push((*v, own.clone()));
                    }
                    self.writes.push(own);
                }
                now
            }
            Kind::IFold(f) => {
                self.value(&f.count);
                let init = self.value(&f.init);
                self.place += 1;
                let (depth, place) = (self.loops.len() + 1, self.place);
                let inside = init.iter().mapped(|v| v.map(|v| Version { depth, place, ..v }));
                self.versions.insert(f.state, inside);
                let last = self.inside((f.index, &f.count), f.test.as_deref(), &f.body);
                let both = self.either(init, last);
                self.place += 1;
                self.now(both)
            }
            Kind::Build(Build { count, index, body }) | Kind::Reduce(Reduce { count, index, body, .. }) => {
                self.value(count);
                self.inside((*index, count), None, body);
                none(e)
            }
            _ => {
                e.each_child(&mut |c| drop(self.value(c)));
                none(e)
            }
        }
    }

    /// Whether a name is bound where it is written, in the same iteration and on the same conditions, and the indices before it.
    fn is_beside(&self, v: VarId, indices: &[Expr]) -> bool {
        let Some((order, depth, branch)) = self.names.get(&v).copied() else { return false };
        let is_known = |i: &VarId| self.names.get(i).is_none_or(|(own, ..)| *own < order);
        (depth, branch) == (self.loops.len(), self.branch) && indices.iter().all(|i| i.free().iter().all(is_known))
    }

    /// The value of a loop's step.
    fn inside(&mut self, (index, count): (VarId, &Expr), test: Option<&Expr>, body: &Expr) -> Vec<Option<Version>> {
        self.loops.push(index);
        self.counts.insert(index, count.clone());
        test.into_iter().for_each(|test| drop(self.value(test)));
        let value = self.value(body);
        self.loops.pop();
        value
    }

    /// New versions.
    fn now(&self, of: Vec<Option<Version>>) -> Vec<Option<Version>> {
        of.into_iter().mapped(|v| v.map(|v| Version { depth: self.loops.len(), place: self.place, ..v }))
    }

    /// One version or another, the older one: a leaf of which one side is no version is broken.
    fn either(&mut self, a: Vec<Option<Version>>, b: Vec<Option<Version>>) -> Vec<Option<Version>> {
        let mut one = |(a, b): (Option<Version>, Option<Version>)| match (a, b) {
            (Some(a), Some(b)) if a.leaf == b.leaf => {
                Some(Version { depth: a.depth.min(b.depth), place: a.place.min(b.place), ..a })
            }
            (a, b) => {
                self.broken.extend([a, b].into_iter().flatten().map(|v| v.leaf));
                None
            }
        };
        a.into_iter().zip(b).map(&mut one).collect()
    }

    /// The part of a version that a term is: an element or a row, which may be one of a row with a name.
    fn part(&mut self, e: &Expr) -> Option<Access> {
        let (mut at, mut of) = (Vec::new(), e);
        while let Kind::Get(a, i) = &of.kind {
            at.insert(0, (**i).clone());
            of = a;
        }
        if at.is_empty() {
            return None;
        }
        if let Kind::Var(x) = &of.kind
            && let Some(row) = self.parts.get(x)
        {
            let at = [row.at.clone(), at].concat();
            return Some(Access { at, ..row.clone() });
        }
        match (matches!(of.kind, Kind::Var(_) | Kind::Proj(..)), &self.value(of)[..]) {
            (true, [Some(v)]) => {
                Some(Access { leaf: v.leaf, at, loops: self.loops[..v.depth].to_vec(), place: v.place })
            }
            _ => None,
        }
    }

    /// Whether an element is not written after it was read. A write of a later step of a loop that it has in common with the read is
    /// at a greater index, and one of the same step likewise by a loop inside, or before it.
    fn is_before(&self, read: &Access, write: &Access) -> bool {
        let both = read.loops.iter().zip(&write.loops).take_while(|(a, b)| a == b).map(|(a, _)| *a);
        let mut axes = (0..read.at.len().min(write.at.len())).collect_vec();
        for i in both {
            let is_less = |axis: &usize| match (self.most(&read.at[*axis], i), self.least(&write.at[*axis], i)) {
                (Some(most), Some(least)) => most < least,
                _ => false,
            };
            if axes.iter().any(is_less) {
                return true;
            }
            // The axis at which this loop writes, step by step.
            let is_same = |axis: &usize| match (self.affine(&write.at[*axis]), self.most(&read.at[*axis], i)) {
                (Some((v, to)), Some(most)) => v == i && most == to,
                _ => false,
            };
            let Some(axis) = axes.iter().copied().find(is_same) else { return false };
            axes.retain(|a| *a != axis);
        }
        write.place <= read.place
    }

    /// An index as a variable and a number.
    fn affine(&self, e: &Expr) -> Option<(VarId, i128)> {
        let number = |e: &Expr| if let Kind::Lit(Lit::Int(n, _)) = e.kind { Some(n) } else { None };
        match &e.kind {
            Kind::Var(x) => match self.values.get(x) {
                Some(value) => self.affine(value).or(Some((*x, 0))),
                None => Some((*x, 0)),
            },
            Kind::Prim(Prim::Add, es) => match (number(&es[0]), number(&es[1])) {
                (Some(n), _) => self.affine(&es[1]).map(|(v, k)| (v, k + n)),
                (_, Some(n)) => self.affine(&es[0]).map(|(v, k)| (v, k + n)),
                _ => None,
            },
            Kind::Prim(Prim::Sub, es) => {
                let n = number(&es[1])?;
                self.affine(&es[0]).map(|(v, k)| (v, k - n))
            }
            _ => None,
        }
    }

    /// The number `k` with which an index is at most `i + k`.
    fn most(&self, e: &Expr, i: VarId) -> Option<i128> {
        let (v, k) = self.affine(e)?;
        if v == i {
            return Some(k);
        }
        self.most(self.counts.get(&v)?, i).map(|n| n - 1 + k)
    }

    /// The number `k` with which an index is at least `i + k`.
    fn least(&self, e: &Expr, i: VarId) -> Option<i128> {
        match &e.kind {
            _ if self.affine(e).is_some_and(|(v, _)| v == i) => self.affine(e).map(|(_, k)| k),
            Kind::Var(x) => self.least(self.values.get(x)?, i),
            Kind::Prim(Prim::Add | Prim::Max, es) => self.least(&es[0], i).max(self.least(&es[1], i)),
            _ => None,
        }
    }
}

fn none(e: &Expr) -> Vec<Option<Version>> {
    vec![None; e.ty.leaf_count()]
}
