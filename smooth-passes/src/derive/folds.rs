//! Folds with what the steps back read of their states: the tape of a loop.
//!
//! ```text
//! let x = ifold n (λs i. let v = s[ī] in e) e₀
//!     ⟶ let (x, T, V, m) = ifold n (λ(s, T, V, m) i. let v = s[ī] in (e, T with [i] = s, V with [i] = v, m + 1)) (e₀, 0, 0, 0)
//! ```
//!
//! `T` has the leaves of `s` that are read as a whole, or in loops; of an array of which a step reads some elements or rows, these are
//! `V`. `m` is the number of steps that were made, of a fold with an exit.

use super::forward::{assembled, leaves};
use super::settled::Settled;
use super::statements::{Before, Block, Shape, Statement, each};
use crate::fsmooth::{Demand, Expr, IFold, Kind, build, take};
use crate::mapped::{Mapped, PushAll};
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::sorted::{Map, Set};
use crate::ty::Type;
use crate::value::Lit;

/// A fold, and what it remembers.
#[derive(Clone)]
pub(super) struct Recorded {
    fold: IFold,
    /// The length of the arrays.
    pub(super) room: Expr,
    /// The leaves of the state, with the names of the arrays.
    whole: Vec<(usize, VarId)>,
    /// The number of steps from one state that is remembered to the next.
    every: u64,
    /// Parts of leaves that have a name in a step, with the names of the arrays.
    parts: Vec<Part>,
    /// The name of the number of steps, if it is needed.
    pub(super) steps: Option<VarId>,
}

/// A part of a leaf of the state.
#[derive(Clone)]
struct Part {
    /// The first one of its names in a step.
    name: VarId,
    /// The part that it is, by names of the step.
    term: Expr,
    leaf: usize,
    /// The name of the array.
    of: VarId,
}

/// A block whose folds remember.
pub(super) fn recorded(block: Block, all: &Map<VarId, Recorded>, names: &mut Names) -> Block {
    if all.is_empty() {
        return block;
    }
    let mut out = Block::new();
    for s in block {
        match s {
            Statement::Before(Before::Let(x, _)) if all.contains_key(&x) => {
                out.push_all(all[&x].lets(x, names).into_iter().map(|(x, e)| Statement::Before(Before::Let(x, e))));
            }
            Statement::If(c, a, b) => {
                let [a, b] = [a, b].map(|side| recorded(side, all, names));
                out.push(Statement::If(c, a, b));
            }
            Statement::For(n, i, body) => out.push(Statement::For(n, i, recorded(body, all, names))),
            Statement::Back(mut b) => {
                b.body = recorded(b.body, all, names);
                out.push(Statement::Back(b));
            }
            s => out.push(s),
        }
    }
    out
}

impl Recorded {
    /// A fold that remembers nothing but the number of its steps, if that has a name.
    pub(super) fn of(f: &IFold, steps: Option<VarId>) -> Recorded {
        Recorded { fold: f.clone(), room: (*f.count).clone(), whole: Vec::new(), every: 1, parts: Vec::new(), steps }
    }

    /// Whether it remembers states.
    pub(super) fn is_needed(&self) -> bool {
        !(self.whole.is_empty() && self.parts.is_empty())
    }

    /// The number of axes of each array of states.
    pub(super) fn ranks(&self) -> impl Iterator<Item = usize> {
        let leaves = leaves(&self.fold.init);
        let whole = self.whole.iter().mapped(|(k, _)| 1 + leaves[*k].ty.rank());
        whole.into_iter().chain(self.parts.iter().map(|p| 1 + p.term.ty.rank()))
    }

    /// Remembers what a step back reads, and reads it there.
    pub(super) fn keep(&mut self, step: &mut Block, settled: &Settled, names: &mut Names) {
        read_last(step, settled);
        let IFold { state, index, init, body, .. } = &self.fold;
        let (ty, o) = (&init.ty, init.origin);
        let bound = names_of(body);
        let part = |s: &Statement| match s {
            Statement::Before(Before::Let(v, e)) if bound.contains(v) && matches!(e.kind, Kind::Get(..)) => {
                let leaf = leaves_behind(ty, &path(base(e), *state)?);
                (leaf.len() == 1).then_some((*v, leaf.start))
            }
            _ => None,
        };
        let known = self.parts.iter().map(|p| (p.leaf, p.term.clone()));
        let read_here = step.iter().filter_map(|s| match (part(s), s) {
            (Some((_, leaf)), Statement::Before(Before::Let(_, e))) => Some((leaf, e.clone())),
            _ => None,
        });
        let mut terms: Vec<(usize, Expr)> = Vec::new();
        for (leaf, e) in known.chain(read_here) {
            if !terms.iter().any(|(k, own)| (*k, own) == (leaf, &e)) {
                terms.push((leaf, e));
            }
        }
        let others = step.iter().filter(|s| part(s).is_none()).cloned().collect_vec();
        let mut whole = read(&others, *state, ty);
        // All elements of a small array are no more than the array.
        for (k, leaf) in leaves(init).iter().enumerate() {
            let own = terms.iter().filter(|(of, _)| *of == k).map(|(_, e)| static_count(e)).sum::<Option<u64>>();
            if let (Some(own), Some(all)) = (own.filter(|n| *n > 0), static_count(leaf))
                && own >= all
            {
                whole.insert(k);
            }
        }
        for k in whole.iter().filter(|k| !self.whole.iter().any(|(own, _)| own == *k)).copied().collect_vec() {
            self.whole.push((k, names.fresh("states")));
        }
        for s in step.iter_mut() {
            let Some((v, leaf)) = part(s).filter(|(_, leaf)| !self.whole.iter().any(|(own, _)| own == leaf)) else {
                continue;
            };
            let Statement::Before(Before::Let(_, e)) = s else { continue };
            let known = self.parts.iter().find(|p| p.name == v || p.leaf == leaf && p.term == *e).map(|p| p.of);
            let of = known.unwrap_or_else(|| {
                let of = names.fresh("parts");
                self.parts.push(Part { name: v, term: e.clone(), leaf, of });
                of
            });
            *e = element(of, &e.ty, &build::var(*index, Type::USIZE, o));
        }
    }

    /// Remembers the whole state every `m` steps, in these arrays.
    pub(super) fn keep_every(&mut self, m: u64, names: &mut Names) -> Vec<VarId> {
        let own = (0..self.fold.init.ty.leaf_count()).map(|k| match self.whole.iter().find(|(leaf, _)| *leaf == k) {
            Some((_, of)) => *of,
            None => names.fresh("states"),
        });
        let of = own.collect_vec();
        self.whole = of.iter().copied().enumerate().collect();
        (self.every, self.parts) = (m, vec![]);
        of
    }

    /// The state at a step. A leaf that is not remembered as a whole is that of the start: it has the same lengths.
    pub(super) fn state_at(&self, at: &Expr) -> Expr {
        let init = &self.fold.init;
        let mut parts =
            leaves(init).into_iter().enumerate().map(|(k, start)| match self.whole.iter().find(|(own, _)| *own == k) {
                Some((_, of)) => element(*of, &start.ty, at),
                None => start,
            });
        assembled(&init.ty, &mut parts, init.origin)
    }

    /// The names of its value, of the states and of the number of steps.
    fn lets(&self, x: VarId, names: &mut Names) -> Vec<(VarId, Expr)> {
        let IFold { count, init, state, index, test, body } = &self.fold;
        let (o, count, parts) = (init.origin, (**count).clone(), leaves(init));
        let mut starts = vec![(**init).clone()];
        let shapes = self
            .whole
            .iter()
            .map(|(k, _)| (*k, 0))
            .chain(self.parts.iter().map(|p| (p.leaf, parts[p.leaf].ty.rank() - p.term.ty.rank())));
        starts.push_all(
            shapes
                .map(|(k, first)| {
                    let mut shape = Shape::of(&parts[k]);
                    shape.extents.drain(..first);
                    shape.extents.insert(0, self.room.clone());
                    shape.zeros(0, names)
                })
                .collect_vec(),
        );
        starts.push_all(self.steps.map(|_| build::index(0, o)));
        let start = build::tuple(starts, o);
        let (all, both, last) = (names.fresh("states"), names.fresh("both"), self.whole.len() + self.parts.len());
        let at = |k: usize| build::proj(build::var(all, start.ty.clone(), o), k, o);
        let own = leaves(&build::var(*state, init.ty.clone(), o));
        let values = self.whole.iter().map(|(k, _)| own[*k].clone());
        let values = values.chain(self.parts.iter().map(|p| build::var(p.name, p.term.ty.clone(), o)));
        let (i, every) = (build::var(*index, Type::USIZE, o), build::index(self.every, o));
        let place = |p: Prim| build::prim(p, vec![i.clone(), every.clone()], o);
        let mut more = values.enumerate().mapped(|(k, value)| {
            let put = |place: Expr| build::update(at(1 + k), vec![place], None, value, o);
            if self.every == 1 {
                return put(i.clone());
            }
            let is_kept = build::prim(Prim::Eq, vec![place(Prim::Rem), build::index(0, o)], o);
            build::branch(is_kept, put(place(Prim::Div)), at(1 + k), o)
        });
        more.push_all(self.steps.map(|_| build::prim(Prim::Add, vec![at(1 + last), build::index(1, o)], o)));
        let step = build::bind(*state, at(0), beside((**body).clone(), more), o);
        let mut fold = build::ifold(count, start.clone(), (all, *index), step, o);
        if let Some(test) = test {
            let mut test = (**test).clone();
            test.replace(*state, &mut || at(0));
            fold = build::while_holds(fold, test);
        }
        let part = |k: usize| build::proj(build::var(both, start.ty.clone(), o), k, o);
        let arrays = self.whole.iter().map(|(_, of)| *of).chain(self.parts.iter().map(|p| p.of)).chain(self.steps);
        let mut out = vec![(both, fold.renamed(names)), (x, part(0))];
        out.push_all(arrays.enumerate().map(|(k, of)| (of, part(1 + k))));
        out
    }
}

/// Reads settled elements from the last states.
fn read_last(block: &mut Block, settled: &Settled) {
    for s in block {
        match s {
            Statement::Before(Before::Let(v, e)) => {
                if let Some(last) = settled.get(v) {
                    *e = last.clone();
                }
            }
            Statement::If(_, a, b) => {
                read_last(a, settled);
                read_last(b, settled);
            }
            Statement::For(_, _, body) => read_last(body, settled),
            _ => {}
        }
    }
}

/// A term with others beside its value, behind its names.
pub(super) fn beside(mut e: Expr, more: Vec<Expr>) -> Expr {
    let mut now = &mut e;
    let mut ty = vec![now.ty.clone()];
    ty.extend(more.iter().map(|e| e.ty.clone()));
    let ty = Type::Tuple(ty);
    loop {
        if !matches!(now.kind, Kind::Let(..) | Kind::Demand(_)) {
            let (value, o) = (take(now), now.origin);
            *now = build::tuple(std::iter::once(value).chain(more).collect(), o);
            return e;
        }
        now.ty.clone_from(&ty);
        let (Kind::Let(_, _, inner) | Kind::Demand(Demand { then: inner, .. })) = &mut now.kind else { return e };
        now = inner;
    }
}

/// The number of numbers of a value, if its lengths are literals.
fn static_count(e: &Expr) -> Option<u64> {
    let length = |n: &Expr| match n.kind {
        Kind::Lit(Lit::Int(n, _)) => u64::try_from(n).ok(),
        _ => None,
    };
    Shape::of(e).extents.iter().map(length).product()
}

/// An element of an array of such values.
fn element(of: VarId, ty: &Type, at: &Expr) -> Expr {
    let all = Type::array_of(ty).unwrap_or_else(|| ty.clone());
    build::get(build::var(of, all, at.origin), at.clone(), at.origin)
}

/// The names that a term binds in front of its value.
fn names_of(mut e: &Expr) -> Set<VarId> {
    let mut all = Set::new();
    while let Kind::Let(_, _, inner) | Kind::Demand(Demand { then: inner, .. }) = &e.kind {
        if let Kind::Let(x, ..) = &e.kind {
            all.insert(*x);
        }
        e = inner;
    }
    all
}

/// The array that a part is one of.
fn base(e: &Expr) -> &Expr {
    if let Kind::Get(a, _) = &e.kind { base(a) } else { e }
}

/// The leaves of a variable of this type that statements read, but for their lengths.
fn read(block: &Block, x: VarId, ty: &Type) -> Set<usize> {
    let mut all = Set::new();
    let mut of = |e: &Expr| reads(e, (x, ty), &mut all);
    each(block, &mut |s| match s {
        Statement::Before(Before::Let(_, e)) | Statement::If(e, ..) | Statement::For(e, ..) => of(e),
        Statement::Before(Before::Check(what, _)) => what.terms().iter().for_each(&mut of),
        Statement::Add(_, at, e) => at.iter().chain([e]).for_each(&mut of),
        Statement::Back(b) => {
            of(&b.count);
            b.carried.iter().for_each(|c| of(&c.start));
        }
        Statement::Total(..) => {}
    });
    all
}

fn reads(e: &Expr, (x, ty): (VarId, &Type), all: &mut Set<usize>) {
    match &e.kind {
        Kind::Len(a, _) if path(a, x).is_some() => {}
        Kind::Var(_) | Kind::Proj(..) => match path(e, x) {
            Some(way) => all.extend(leaves_behind(ty, &way)),
            None => e.each_child(&mut |c| reads(c, (x, ty), all)),
        },
        _ => e.each_child(&mut |c| reads(c, (x, ty), all)),
    }
}

/// The way to a part of a variable.
fn path(e: &Expr, x: VarId) -> Option<Vec<usize>> {
    match &e.kind {
        Kind::Var(v) => (*v == x).then(Vec::new),
        Kind::Proj(a, k) => {
            let mut way = path(a, x)?;
            way.push(*k);
            Some(way)
        }
        _ => None,
    }
}

fn leaves_behind(ty: &Type, way: &[usize]) -> std::ops::Range<usize> {
    let (mut ty, mut first) = (ty, 0);
    for k in way {
        let Type::Tuple(ts) = ty else { break };
        first += ts[..*k].iter().map(Type::leaf_count).sum::<usize>();
        ty = &ts[*k];
    }
    first..first + ty.leaf_count()
}
