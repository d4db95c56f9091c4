//! The rules on accumulations: builds and sums in the place of loops that add.
//!
//! ```text
//! scalar      x̄ += e                                        ⟶ e;  two contributions: their sum
//! reduce      for i < n { x̄ += e }                          ⟶ sum n (λi. e)          the place does not depend on i
//! gather      for i < n { a̅[i] += e }                        ⟶ build n (λi. e)
//! columns     for i < n { for j < m { a̅[j] += e } }          ⟶ build m (λj. sum n (λi. e))
//! shifted     for i < n { a̅[i + c] += e }                    ⟶ build m (λp. e[p - c / i]), where it is one          `shifted.rs`
//! literal     a̅[0] += e ; a̅[1] += e'                        ⟶ [e, e']                of few elements
//! split       for i < n { a̅[i] += e ; b̅[i] += e' }           ⟶ two loops             dear terms are on a tape
//! adding      for i < n { a̅[c] += e }                       ⟶ ifold n (λa̅ i. a̅ with [c] += e)   all else
//! ```
//!
//! A nest of loops is taken apart accumulator by accumulator, and of each the first index of its places says the loop that
//! becomes the outermost one. Lengths that are not known to be equal are compared at run time.

use super::chosen::chosen;
use super::form::How;
use super::forward::{is_name, leaves, zero};
use super::lengths::Lengths;
use super::shifted::Shifted;
use super::statements::{
    Back, Before, Block, Shape, Statement, added, before_needed, each, each_shape_mut, each_term_mut, index, is_dear,
    only, pruned,
};
use super::tape;
use crate::fsmooth::{Build, Combine, Expr, Kind, Monoid, Reduce, build, orders};
use crate::mapped::{Mapped, PushAll};
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::sorted::{Map, Set};
use crate::ty::Type;

/// The rules in one kernel.
pub(super) struct Rules<'n> {
    pub(super) names: &'n mut Names,
    pub(super) lengths: Lengths,
    /// The order of sums, and the length of strips.
    pub(super) how: How,
    /// The indices of loops.
    loops: Set<VarId>,
    /// The indices of the sums that the rules have made.
    sums: Set<VarId>,
    /// The shapes of accumulators.
    shapes: Map<VarId, Shape>,
    /// The names of what steps back give.
    backs: Set<VarId>,
    /// The tapes of loops in loops.
    tapes: tape::Shared,
    /// Whether dear terms are looked at as if they were on a tape.
    are_taped: bool,
    /// Whether accumulators are carried from step to step: what is added to a part of one is not an array.
    are_carried: bool,
}

/// An accumulator, or its part behind the first `level` indices.
#[derive(Clone, Copy)]
struct Target<'s> {
    of: VarId,
    shape: &'s Shape,
    level: usize,
}

/// An accumulator, or its part at a place.
#[derive(Clone)]
pub(super) struct InPart {
    pub(super) at: Vec<Expr>,
    /// The axes: those of the place first, and of the part then. None: they are in order.
    pub(super) axes: Vec<usize>,
    pub(super) whole: Expr,
}

/// The contribution of statements to an accumulator.
enum Gathered {
    /// Nothing.
    Nothing,
    /// This, as a whole.
    Whole(Expr),
    /// Numbers at places that are not in order.
    Scattered,
}

impl<'n> Rules<'n> {
    /// The rules for a block.
    pub(super) fn new(names: &'n mut Names, lengths: Lengths, how: How, block: &[Statement]) -> Self {
        let (mut loops, mut shapes) = (Set::new(), Map::new());
        each(block, &mut |s| match s {
            Statement::For(_, i, _) => drop(loops.insert(*i)),
            Statement::Total(x, shape) => drop(shapes.insert(*x, shape.clone())),
            _ => {}
        });
        let (sums, backs, tapes) = (Set::new(), Set::new(), tape::Shared::default());
        Rules { names, lengths, how, loops, sums, shapes, backs, tapes, are_taped: false, are_carried: false }
    }

    /// The block, with names for totals.
    fn block(&mut self, block: Block) -> Block {
        self.block_of(block, &Set::new())
    }

    /// The block of a loop, whose value needs these names.
    fn block_of(&mut self, block: Block, value: &Set<VarId>) -> Block {
        let inner = self.loops(block, Some(value));
        self.totals(inner, &[], false)
    }

    /// The block, where the blocks in its loops and choices have names for totals. It is that of a loop whose value needs these names,
    /// or the outermost one, of which all are needed.
    pub(super) fn loops(&mut self, block: Block, value: Option<&Set<VarId>>) -> Block {
        let mut inner = Block::new();
        let (count, mut block) = (block.len(), block);
        for s in &mut block {
            // A value is not needed for its lengths alone.
            each_shape_mut(s, &mut |shape| shape.extents.iter_mut().for_each(|n| *n = self.lengths.by_sizes(n)));
        }
        let block = chosen(block, value, self.names);
        if block.len() > count {
            self.lengths.add_block(&block);
        }
        let values = values(&block);
        for s in block {
            match s {
                Statement::If(c, a, b) => {
                    let [a, b] = [a, b].map(|s| self.block(s));
                    inner.push_all(self.branch(c, a, b));
                }
                Statement::For(n, i, body) => {
                    let body = self.block_of(body, values.get(&i).unwrap_or(&Set::new()));
                    inner.push_all(self.steps(n, i, body));
                }
                Statement::Back(b) => inner.push_all(self.back(*b)),
                s => inner.push(s),
            }
        }
        inner
    }

    /// The block, with names for its totals, as it is before the terms in `live`.
    pub(super) fn totals(&mut self, inner: Block, live: &[Expr], outermost: bool) -> Block {
        let taped = tape::taped(inner, live, outermost, (self.names, &mut self.lengths, &mut self.tapes));
        let mut out = Block::new();
        for s in taped {
            if let Statement::Total(x, shape) = s {
                let extents = shape.extents.iter().mapped(|n| self.lengths.by_sizes(n));
                let value = self.total(x, &Shape { extents, ..shape }, &mut out);
                out.push(Statement::Before(Before::Let(x, value)));
            } else {
                out.push(s);
            }
        }
        out
    }

    /// `back s̄ = ē for i < n { s } → ē′ ⟶ let w = ifold n (λ(s̄, x̄) i. accum x̄ = x̄ { s } in (ē′, x̄)) (ē, 0) in x̄ += w`: the accumulators are
    /// carried, but for the parts of their places that are the same in all steps.
    fn back(&mut self, b: Back) -> Block {
        let steps = b.count.clone();
        let (mut out, carried) = self.threaded(b, &Map::new());
        self.add_carried(carried, &steps, &mut out);
        out
    }

    /// Adds what a fold of this many steps has carried.
    pub(super) fn add_carried(&mut self, all: Vec<(VarId, InPart)>, steps: &Expr, out: &mut Block) {
        for (x, InPart { at, axes, whole }) in all {
            let extents = moved(&axes, &self.shapes[&x].extents);
            let is_safe = at.iter().zip(&extents).all(|(at, n)| self.is_place(at, n));
            let mut own = Block::new();
            self.add_whole((x, &axes), at, whole, &mut own);
            if is_safe {
                out.push_all(own);
            } else {
                let some = build::prim(Prim::Gt, vec![steps.clone(), build::index(0, steps.origin)], steps.origin);
                out.push(Statement::If(some, own, vec![]));
            }
        }
    }

    /// The fold of steps back, and the accumulators behind it. They begin with zeros, or with what is given.
    pub(super) fn threaded(&mut self, b: Back, given: &Map<VarId, InPart>) -> (Block, Vec<(VarId, InPart)>) {
        let Back { count, index: i, carried, body, when, .. } = b;
        let (o, mut inside) = (count.origin, self.block(body));
        let mut bound = bound(&inside);
        bound.extend(carried.iter().map(|c| c.now).chain([i]));
        let values = numbers(&inside);
        let always = if when.is_some() { Set::new() } else { unconditional(&inside) };
        let outer: Vec<(VarId, InPart)> = added(&inside).iter().mapped(|x| {
            if let Some(known) = given.get(x) {
                return (*x, known.clone());
            }
            let shape = self.shapes.get(x).cloned().expect("an accumulator has a total");
            let mut fixed = common(*x, &inside, (&bound, &values));
            // Without a step, or under a condition, another place may be no place.
            if !always.contains(x) {
                let own = fixed.iter_mut().zip(&shape.extents);
                own.for_each(|(at, n)| *at = at.take().filter(|at| self.is_place(at, n)));
            }
            let (first, others): (Vec<_>, Vec<_>) = (0..fixed.len()).partition(|k| fixed[*k].is_some());
            let axes = [first, others].concat();
            let at = fixed.into_iter().flatten().collect_vec();
            let shape = Shape { extents: moved(&axes, &shape.extents), ..shape };
            let is_number = at.len() == shape.extents.len();
            let whole = if is_number { zero(shape.scalar, o) } else { shape.zeros(at.len(), self.names) };
            (*x, InPart { at, axes, whole })
        });
        let mut starts = carried.iter().mapped(|c| c.start.clone());
        starts.push_all(outer.iter().map(|(_, start)| start.whole.clone()));
        let (single, types) = (starts.len() == 1, starts.iter().mapped(|e| e.ty.clone()));
        let start = if single { starts.remove(0) } else { build::tuple(starts, o) };
        let part = |of: VarId, k: usize| {
            let whole = build::var(of, start.ty.clone(), o);
            if single { whole } else { build::proj(whole, k, o) }
        };
        let (state, all) = (self.names.fresh("back"), self.names.fresh("behind"));
        let mut lets = carried.iter().enumerate().mapped(|(k, c)| Before::Let(c.now, part(state, k)));
        let mut next = carried.iter().zip(&types).mapped(|(c, ty)| build::var(c.next, ty.clone(), o));
        for (k, (x, start)) in outer.iter().enumerate() {
            let shape = Shape { extents: moved(&start.axes, &self.shapes[x].extents), ..self.shapes[x].clone() };
            inside.iter_mut().for_each(|s| move_axes(s, *x, &start.axes));
            let (x_now, x_next) = (self.names.again(*x), self.names.again(*x));
            let now = build::var(x_now, types[carried.len() + k].clone(), o);
            lets.push(Before::Let(x_now, part(state, carried.len() + k)));
            let target = Target { of: *x, shape: &shape, level: start.at.len() };
            self.are_carried = true;
            let value = self.taken(target, Some(now), &mut inside);
            self.are_carried = false;
            next.push(build::var(x_next, value.ty.clone(), o));
            inside.push(Statement::Before(Before::Let(x_next, value)));
        }
        lets.push_all(inside.into_iter().filter_map(|s| if let Statement::Before(b) = s { Some(b) } else { None }));
        let next = if single { next.remove(0) } else { build::tuple(next, o) };
        let mut step = before_needed(lets, next);
        if let Some(c) = when {
            step = build::branch(c, step, build::var(state, start.ty.clone(), o), o);
        }
        let fold = build::ifold(count, start.clone(), (state, i), step, o).renamed(self.names);
        self.lengths.add(all, &fold);
        self.backs.insert(all);
        let mut out = vec![Statement::Before(Before::Let(all, fold))];
        out.push_all(carried.iter().enumerate().map(|(k, c)| Statement::Before(Before::Let(c.last, part(all, k)))));
        let behind = outer.into_iter().enumerate();
        let behind = behind.mapped(|(k, (x, start))| (x, InPart { whole: part(all, carried.len() + k), ..start }));
        (out, behind)
    }

    /// The shape of an accumulator that is new.
    pub(super) fn declare(&mut self, of: VarId, shape: Shape) {
        self.shapes.insert(of, shape);
    }

    /// Whether an accumulator is a number.
    pub(super) fn is_number(&self, of: VarId) -> bool {
        self.shapes[&of].extents.is_empty()
    }

    /// The sum of what statements add to a number.
    pub(super) fn number(&mut self, of: VarId, block: &[Statement]) -> Option<Expr> {
        let shape = self.shapes[&of].clone();
        self.scalar(Target { of, shape: &shape, level: 0 }, block)
    }

    /// Whether statements add to an accumulator at places out of order.
    pub(super) fn is_scattered(&mut self, of: VarId, block: &[Statement]) -> bool {
        let shape = self.shapes[&of].clone();
        let extents = shape.extents.iter().mapped(|n| self.lengths.by_sizes(n));
        let shape = Shape { extents, ..shape };
        if shape.extents.is_empty() {
            return false;
        }
        self.are_taped = true;
        let (_, _, rest) = self.sorted(Target { of, shape: &shape, level: 0 }, block);
        self.are_taped = false;
        !rest.is_empty()
    }

    /// Whether an index is one of a loop over this extent.
    fn is_place(&self, at: &Expr, extent: &Expr) -> bool {
        matches!(at.kind, Kind::Var(i) if self.lengths.count(i).is_some_and(|n| self.same(n, extent)))
    }

    /// `x̄[ī] += e`, number by number if that is a part of an array.
    fn add_whole(&mut self, (x, axes): (VarId, &[usize]), at: Vec<Expr>, e: Expr, out: &mut Block) {
        if at.is_empty() || e.ty.rank() == 0 {
            let mut places = at.clone();
            axes.iter().zip(at).for_each(|(axis, i)| places[*axis] = i);
            return out.push(Statement::Add(x, places, e));
        }
        let extents = moved(axes, &self.shapes[&x].extents);
        let (k, o, count) = (self.names.fresh("k"), e.origin, extents[at.len()].clone());
        self.loops.insert(k);
        self.lengths.add_index(k, &count);
        let (mut inside, at) = (Block::new(), at.into_iter().chain([index(k, o)]).collect());
        self.add_whole((x, axes), at, build::get(e, index(k, o), o), &mut inside);
        out.push(Statement::For(count, k, inside));
    }

    /// A loop over steps back: it is not taken apart, unless what these give is on a tape.
    fn steps(&mut self, n: Expr, i: VarId, body: Block) -> Block {
        let is_taped = |x: VarId, e: &Expr| {
            let all = leaves(&build::var(x, e.ty.clone(), e.origin));
            let floats = all.iter().all(|v| v.ty.leaf_scalars()[0].is_float());
            floats && Type::array_of(&e.ty).is_some() && all.iter().all(|v| self.lengths.are_same(v))
        };
        let is_loose = |s: &Statement| match s {
            Statement::Before(Before::Let(x, e)) => {
                self.backs.contains(x) && !(self.lengths.is_size(&n) && is_taped(*x, e))
            }
            _ => false,
        };
        if added(&body).len() < 2 || !body.iter().any(is_loose) {
            return vec![Statement::For(n, i, body)];
        }
        self.back(Back { of: i, count: n, index: i, carried: vec![], body, when: None })
    }

    /// A choice between steps back is not taken apart, nor are the numbers that one between dear terms adds to.
    fn branch(&mut self, c: Expr, a: Block, b: Block) -> Block {
        let is_back = |s: &Statement| matches!(s, Statement::Before(Before::Let(x, _)) if self.backs.contains(x));
        let outer: Set<VarId> = added(&a).iter().chain(added(&b).iter()).copied().collect();
        let mut outer = outer.iter().copied().collect_vec();
        if !a.iter().chain(&b).any(is_back) {
            let dear = |s: &Statement| matches!(s, Statement::Before(Before::Let(_, e)) if is_dear(e));
            let is_dear = a.iter().chain(&b).any(dear) || a.len() + b.len() >= LONG;
            outer.retain(|x| is_dear && self.shapes[x].extents.is_empty());
        }
        if outer.len() < 2 {
            return vec![Statement::If(c, a, b)];
        }
        let o = c.origin;
        let rest = only(&[Statement::If(c.clone(), a.clone(), b.clone())], &|x| !outer.contains(&x));
        let [a, b] = [a, b].map(|mut side| {
            let mut values = Vec::new();
            for x in &outer {
                let shape = self.shapes[x].clone();
                let value = self.taken(Target { of: *x, shape: &shape, level: 0 }, None, &mut side);
                let name = self.names.again(*x);
                values.push(build::var(name, value.ty.clone(), o));
                side.push(Statement::Before(Before::Let(name, value)));
            }
            let lets = side.into_iter().filter_map(|s| if let Statement::Before(b) = s { Some(b) } else { None });
            before_needed(lets.collect_vec(), build::tuple(values, o))
        });
        let (all, whole) = (self.names.fresh("behind"), build::branch(c, a, b, o).renamed(self.names));
        let ty = whole.ty.clone();
        self.lengths.add(all, &whole);
        self.backs.insert(all);
        let mut out = vec![Statement::Before(Before::Let(all, whole))];
        out.push_all(rest.into_iter().filter(|s| !added(std::slice::from_ref(s)).is_empty()));
        out.push_all(
            outer
                .into_iter()
                .enumerate()
                .map(|(k, x)| Statement::Add(x, vec![], build::proj(build::var(all, ty.clone(), o), k, o))),
        );
        out
    }

    /// The total of an accumulator, which is taken out of the statements before.
    fn total(&mut self, of: VarId, shape: &Shape, before: &mut Block) -> Expr {
        self.taken(Target { of, shape, level: 0 }, None, before)
    }

    /// The sum of a start and what statements add, which is taken out of them.
    fn taken(&mut self, target: Target<'_>, start: Option<Expr>, before: &mut Block) -> Expr {
        let Target { of, shape, level } = target;
        let (mut own, mut rest) = (Block::new(), Block::new());
        for s in std::mem::take(before) {
            let one = std::slice::from_ref(&s);
            match &s {
                Statement::Before(_) | Statement::Total(..) | Statement::Back(_) => rest.push(s),
                Statement::Add(x, ..) => {
                    if *x == of {
                        own.push(s)
                    } else {
                        rest.push(s)
                    }
                }
                _ if added(one).contains(&of) => {
                    own.push_all(only(one, &|x| x == of));
                    rest.push_all(only(one, &|x| x != of));
                }
                _ => rest.push(s),
            }
        }
        *before = rest;
        let own = pruned(own);
        let mut value = if shape.extents.len() == level {
            match (start, self.scalar(target, &own)) {
                (Some(a), Some(b)) => build::prim(Prim::Add, vec![a, b], shape.origin),
                (a, b) => a.or(b).unwrap_or_else(|| zero(shape.scalar, shape.origin)),
            }
        } else {
            self.array(target, &own, start)
        };
        // As in a kernel that the user writes; those of the kernel itself are as they are.
        orders::settle(&mut value, &self.loops, &|i| self.sums.contains(&i));
        value.renamed(self.names)
    }

    /// `scalar`, `reduce`: the sum of what a block adds to a number.
    fn scalar(&mut self, t: Target<'_>, block: &[Statement]) -> Option<Expr> {
        let (mut lets, mut sum, o) = (Vec::new(), None, t.shape.origin);
        let none = || zero(t.shape.scalar, o);
        for s in block {
            let term = match s {
                Statement::Before(b) => {
                    lets.push(b.clone());
                    None
                }
                Statement::Add(x, _, e) => (*x == t.of).then(|| e.clone()),
                Statement::If(c, a, b) => match (self.scalar(t, a), self.scalar(t, b)) {
                    (None, None) => None,
                    (a, b) => Some(build::branch(c.clone(), a.unwrap_or_else(none), b.unwrap_or_else(none), o)),
                },
                Statement::For(n, i, body) => self.scalar(t, body).map(|mut e| {
                    let own = self.names.again(*i);
                    e.replace(*i, &mut || index(own, o));
                    self.sums.insert(own);
                    build::reduce(Combine::Named(Monoid::Sum), self.how.order, (n.clone(), own), e, o)
                }),
                Statement::Total(..) | Statement::Back(_) => None,
            };
            sum = match (sum, term) {
                (Some(a), Some(b)) => Some(build::prim(Prim::Add, vec![a, b], o)),
                (a, b) => a.or(b),
            };
        }
        sum.map(|e| before_needed(lets, e))
    }

    /// The array that a block makes of a start, or of zeros.
    fn array(&mut self, t: Target<'_>, block: &[Statement], start: Option<Expr>) -> Expr {
        let (mut lets, own, rest) = self.sorted(t, block);
        let wholes = start.into_iter().chain(own).collect();
        let start = self.sum_of(t, wholes, &mut lets).unwrap_or_else(|| self.zeros(t));
        if rest.is_empty() {
            return before_needed(lets, start);
        }
        let start = self.named(start, &mut lets);
        before_needed(lets, self.adding(t, &rest, start))
    }

    /// The names in a block, the contributions that are whole arrays, and the statements that scatter theirs.
    fn sorted(&mut self, t: Target<'_>, block: &[Statement]) -> (Vec<Before>, Vec<Expr>, Block) {
        let (mut lets, mut wholes, mut rest) = (Vec::new(), Vec::new(), Block::new());
        if !added(block).is_empty()
            && let Some(whole) = self.literal(t, block)
        {
            return (lets, vec![whole], rest);
        }
        for s in block {
            match s {
                Statement::Before(b) => lets.push(b.clone()),
                s => match self.gathered(t, s) {
                    Gathered::Nothing => {}
                    Gathered::Whole(e) => wholes.push(e),
                    Gathered::Scattered => rest.push(s.clone()),
                },
            }
        }
        (lets, wholes, rest)
    }

    /// Zeros of the shape of a target.
    fn zeros(&mut self, t: Target<'_>) -> Expr {
        t.shape.zeros(t.level, self.names)
    }

    /// A name for a term.
    fn named(&mut self, e: Expr, lets: &mut Vec<Before>) -> Expr {
        if is_name(&e) {
            return e;
        }
        let (x, ty, o) = (self.names.fresh("part"), e.ty.clone(), e.origin);
        lets.push(Before::Let(x, e));
        build::var(x, ty, o)
    }

    /// The sum of arrays, element by element.
    fn sum_of(&mut self, t: Target<'_>, mut wholes: Vec<Expr>, lets: &mut Vec<Before>) -> Option<Expr> {
        if wholes.len() < 2 {
            return wholes.pop();
        }
        let o = t.shape.origin;
        let parts = wholes.into_iter().mapped(|e| self.named(e, lets));
        let indices = t.shape.extents[t.level..].iter().mapped(|_| self.names.fresh("i"));
        let at = |a: &Expr| indices.iter().fold(a.clone(), |a, i| build::get(a, index(*i, o), o));
        let sum = parts.iter().map(at).reduce(|a, b| build::prim(Prim::Add, vec![a, b], o))?;
        let loops = indices.iter().zip(&t.shape.extents[t.level..]).rev();
        Some(loops.fold(sum, |e, (i, n)| build::build(n.clone(), *i, e, o)))
    }

    /// `literal`: an array with a known number of elements, and all places at known ones.
    fn literal(&mut self, t: Target<'_>, block: &[Statement]) -> Option<Expr> {
        if self.are_carried && t.level + 1 < t.shape.extents.len() {
            return None;
        }
        let o = t.shape.origin;
        let extent = self.lengths.term(&t.shape.extents[t.level])?;
        let count = (0..=FEW).find(|n| extent == build::index(*n, o)).filter(|n| *n > 0)?;
        let mut literal = true;
        each(block, &mut |s| {
            if let Statement::Add(_, at, _) = s {
                literal &= at.get(t.level).is_some_and(|i| matches!(i.kind, Kind::Lit(_)));
            }
        });
        if !literal {
            return None;
        }
        let inner = Target { level: t.level + 1, ..t };
        let mut lets = Vec::new();
        let own = block.iter().filter(|s| !matches!(s, Statement::Before(_)));
        let own = own.cloned().collect_vec();
        lets.push_all(block.iter().filter_map(|s| if let Statement::Before(b) = s { Some(b.clone()) } else { None }));
        let elements = (0..count).mapped(|k| {
            let place = build::index(k, o);
            let block = at_places(&own, &|at| at[t.level] == place);
            if t.level + 1 == t.shape.extents.len() {
                self.scalar(inner, &block).unwrap_or_else(|| zero(t.shape.scalar, o))
            } else {
                self.array(inner, &block, None)
            }
        });
        Some(before_needed(lets, build::array(elements, o)))
    }

    /// The contribution of a statement to an array.
    fn gathered(&mut self, t: Target<'_>, s: &Statement) -> Gathered {
        let o = t.shape.origin;
        match s {
            Statement::Add(x, at, e) if *x == t.of => {
                if at.len() == t.level {
                    Gathered::Whole(e.clone())
                } else {
                    Gathered::Scattered
                }
            }
            Statement::If(c, a, b) => match (self.all_gathered(t, a), self.all_gathered(t, b)) {
                (Gathered::Scattered, _) | (_, Gathered::Scattered) => Gathered::Scattered,
                (Gathered::Nothing, Gathered::Nothing) => Gathered::Nothing,
                (a, b) => {
                    let [a, b] = [a, b].map(|side| if let Gathered::Whole(e) = side { e } else { self.zeros(t) });
                    Gathered::Whole(build::branch(c.clone(), a, b, o))
                }
            },
            Statement::For(n, i, body) => match self.placed(t, (n, *i), body) {
                Gathered::Scattered => self.shifted(t, s),
                other => other,
            },
            _ => Gathered::Nothing,
        }
    }

    /// The contribution of a block to an array, or to a number.
    fn all_gathered(&mut self, t: Target<'_>, block: &[Statement]) -> Gathered {
        if t.level == t.shape.extents.len() {
            return self.scalar(t, block).map_or(Gathered::Nothing, Gathered::Whole);
        }
        let (mut lets, wholes, rest) = self.sorted(t, block);
        if !rest.is_empty() {
            return Gathered::Scattered;
        }
        match self.sum_of(t, wholes, &mut lets) {
            Some(e) => Gathered::Whole(before_needed(lets, e)),
            None => Gathered::Nothing,
        }
    }

    /// `gather`, `columns`: a loop of which one index is the first one of all places.
    fn placed(&mut self, t: Target<'_>, (n, i): (&Expr, VarId), body: &[Statement]) -> Gathered {
        let o = t.shape.origin;
        let mut places = Vec::new();
        each(body, &mut |s| {
            if let Statement::Add(_, at, _) = s {
                places.push(at.get(t.level));
            }
        });
        let Some(Some(Expr { kind: Kind::Var(j), .. })) = places.first() else { return Gathered::Scattered };
        if places.iter().any(|p| p.is_none_or(|p| !matches!(p.kind, Kind::Var(k) if k == *j))) {
            return Gathered::Scattered;
        }
        let mut j = *j;
        let extent = &t.shape.extents[t.level];
        let inner = Target { level: t.level + 1, ..t };
        let moved = j != i;
        let (count, block) = if !moved {
            if self.are_carried && !self.same(n, extent) {
                return Gathered::Scattered;
            }
            (n.clone(), body.to_vec())
        } else {
            // The loop over `j` becomes the outermost one.
            let Some(count) = count_of(body, j) else { return Gathered::Scattered };
            if !self.are_taped && dear_around(body, j) {
                return Gathered::Scattered;
            }
            let nest = vec![Statement::For(n.clone(), i, body.to_vec())];
            let same = self.same(&count, extent);
            if self.are_carried && !same {
                return Gathered::Scattered;
            }
            // The loop moves outwards, where terms may bind its index.
            let own = self.names.again(j);
            self.lengths.add_index(own, extent);
            self.loops.insert(own);
            let block = without_loop(nest, (j, own), !same, o);
            j = own;
            (extent.clone(), block)
        };
        let row = match self.all_gathered(inner, &block) {
            Gathered::Whole(row) => row,
            other => return other,
        };
        let row = if moved || self.same(&count, extent) {
            row
        } else {
            // Beyond the loop nothing is added.
            let none = self.zeros(inner);
            let inside = build::prim(Prim::Lt, vec![index(j, o), count], o);
            build::branch(inside, row, none, o)
        };
        Gathered::Whole(build::build(extent.clone(), j, row, o))
    }

    /// `shifted`: a loop that adds at places with its index as a summand; at several ones, loop by loop.
    fn shifted(&mut self, t: Target<'_>, nest: &Statement) -> Gathered {
        let nest = std::slice::from_ref(nest);
        let values = numbers(nest);
        let place = |at: &[Expr]| at.get(t.level).map(|at| expanded(at, &values));
        let mut places = Vec::new();
        each(nest, &mut |s| {
            if let Statement::Add(_, at, _) = s {
                let own = place(at);
                if !places.contains(&own) {
                    places.push(own);
                }
            }
        });
        if places.len() > PLACES || self.are_carried {
            return Gathered::Scattered;
        }
        let single = places.len() == 1;
        let (mut wholes, mut lets) = (Vec::new(), Vec::new());
        for p in places {
            let Some(p) = p else { return Gathered::Scattered };
            let own = pruned(at_places(nest, &|at| place(at).as_ref() == Some(&p)));
            let found = match (&p.kind, own.as_slice()) {
                (Kind::Var(_), [Statement::For(n, i, body)]) if !single => self.placed(t, (n, *i), body),
                _ => self.at_shifted(t, &p, own),
            };
            match found {
                Gathered::Whole(e) => wholes.push(e),
                Gathered::Nothing => {}
                Gathered::Scattered => return Gathered::Scattered,
            }
        }
        match self.sum_of(t, wholes, &mut lets) {
            Some(e) => Gathered::Whole(before_needed(lets, e)),
            None => Gathered::Nothing,
        }
    }

    /// The contribution of a nest of loops at one place.
    fn at_shifted(&mut self, t: Target<'_>, place: &Expr, nest: Block) -> Gathered {
        let (o, extent) = (t.shape.origin, t.shape.extents[t.level].clone());
        let bound = bound(&nest);
        let Some(mut form) = Shifted::of(place, &|v| bound.contains(&v)) else { return Gathered::Scattered };
        // The loop inside is the one that is left.
        let mut order = Vec::new();
        each(&nest, &mut |s| {
            if let Statement::For(_, i, _) = s {
                order.push(*i);
            }
        });
        form.indices.sort_by_key(|(i, _)| order.iter().position(|j| j == i));
        let counts = form.indices.iter().mapped(|(i, _)| count_of(&nest, *i)).all_some();
        let Some(counts) = counts else { return Gathered::Scattered };
        let is_outside = |e: &Expr| e.free().iter().all(|v| !bound.contains(v));
        let is_dear = |(i, _): &(VarId, bool)| !self.are_taped && dear_around(&nest, *i);
        if !(1..=2).contains(&counts.len())
            || !counts.iter().chain(&form.more).chain(&form.less).all(is_outside)
            || !form.is_safe(&|e| self.lengths.is_of_lengths(e))
            || form.indices.iter().any(is_dear)
        {
            return Gathered::Scattered;
        }
        let (mut body, mut own) = (nest, Vec::new());
        for ((i, _), n) in form.indices.iter().zip(&counts) {
            let new = self.names.again(*i);
            self.lengths.add_index(new, n);
            body = without_loop(body, (*i, new), false, o);
            own.push(new);
        }
        let (p, r) = (self.names.fresh("at"), self.names.fresh("part"));
        self.lengths.add_index(p, &extent);
        self.loops.insert(p);
        let block = form.at(index(p, o), &counts, (&own, r), body);
        self.lengths.add_block(&block);
        match self.all_gathered(Target { level: t.level + 1, ..t }, &block) {
            Gathered::Whole(row) => Gathered::Whole(build::build(extent, p, row, o)),
            other => other,
        }
    }

    fn same(&self, a: &Expr, b: &Expr) -> bool {
        self.lengths.term(a).is_some_and(|a| self.lengths.term(b) == Some(a))
    }

    /// `adding`: the state of an accumulator behind a block.
    fn adding(&mut self, t: Target<'_>, block: &[Statement], state: Expr) -> Expr {
        let (mut lets, mut now, o) = (Vec::new(), state, t.shape.origin);
        for s in block {
            let next = match s {
                Statement::Before(b) => {
                    lets.push(b.clone());
                    continue;
                }
                Statement::Add(x, at, e) if *x == t.of => match &at[t.level..] {
                    [] => match self.sum_of(t, vec![now.clone(), e.clone()], &mut lets) {
                        Some(sum) => sum,
                        None => continue,
                    },
                    at => build::update(now.clone(), at.to_vec(), Some(Prim::Add), e.clone(), o),
                },
                Statement::If(c, a, b) => {
                    let [a, b] = [a, b].map(|side| self.adding(t, side, now.clone()));
                    build::branch(c.clone(), a, b, o)
                }
                Statement::For(n, i, body) => {
                    let (state, ty) = (self.names.fresh("sums"), now.ty.clone());
                    let step = self.adding(t, body, build::var(state, ty, o));
                    build::ifold(n.clone(), now.clone(), (state, *i), step, o)
                }
                Statement::Add(..) | Statement::Total(..) | Statement::Back(_) => continue,
            };
            now = self.named(next, &mut lets);
        }
        before_needed(lets, now)
    }
}

/// The number of statements from which on those of a choice are executed once for all numbers.
const LONG: usize = 12;

/// The maximum number of places at which a loop adds that becomes loops over places.
const PLACES: usize = 16;

/// The elements of an array that is written as a literal.
const FEW: u64 = 16;

/// The names that the values of loops bind, by the indices of the loops.
fn values(block: &[Statement]) -> Map<VarId, Set<VarId>> {
    let mut all = Map::new();
    for s in block {
        if let Statement::Before(Before::Let(_, e)) = s
            && let Kind::Build(Build { index, body, .. }) | Kind::Reduce(Reduce { index, body, .. }) = &e.kind
        {
            let names = tape::opened(body).0.into_iter();
            let names = names.filter_map(|b| if let Before::Let(x, _) = b { Some(x) } else { None });
            all.insert(*index, names.collect());
        }
    }
    all
}

/// The names that a block binds.
fn bound(block: &[Statement]) -> Set<VarId> {
    let mut all = Set::new();
    each(block, &mut |s| match s {
        Statement::Before(Before::Let(x, _)) | Statement::For(_, x, _) => drop(all.insert(*x)),
        _ => {}
    });
    all
}

/// The indices of all places in an accumulator that are the same ones in all steps of a block, axis by axis.
fn common(of: VarId, block: &[Statement], (bound, values): (&Set<VarId>, &Map<VarId, Expr>)) -> Vec<Option<Expr>> {
    let mut all: Option<Vec<Option<Expr>>> = None;
    let is_fixed = |e: &Expr| e.free().iter().all(|v| !bound.contains(v));
    let fixed = |e: &Expr| Some(expanded(e, values)).filter(is_fixed);
    each(block, &mut |s| {
        if let Statement::Add(x, at, _) = s
            && *x == of
        {
            let own = at.iter().map(fixed);
            let same = match &all {
                None => own.collect_vec(),
                Some(all) => own.zip(all).mapped(|(a, b)| a.filter(|a| b.as_ref() == Some(a))),
            };
            all = Some(same);
        }
    });
    all.unwrap_or_default()
}

/// The terms that belong to the axes of an accumulator, in another order of them; those behind stay.
fn moved(axes: &[usize], of: &[Expr]) -> Vec<Expr> {
    let first = axes.iter().map(|k| of[*k].clone());
    first.chain(of[axes.len()..].iter().cloned()).collect()
}

/// Places in an accumulator with its axes in another order.
fn move_axes(s: &mut Statement, of: VarId, axes: &[usize]) {
    match s {
        Statement::Add(x, at, _) if *x == of => *at = moved(axes, at),
        Statement::If(_, a, b) => a.iter_mut().chain(b).for_each(|s| move_axes(s, of, axes)),
        Statement::For(_, _, body) => body.iter_mut().for_each(|s| move_axes(s, of, axes)),
        _ => {}
    }
}

/// The accumulators to which each execution of a block adds, without a condition.
fn unconditional(block: &[Statement]) -> Set<VarId> {
    let mut all: Set<VarId> = Set::new();
    let mut not = Set::new();
    for s in block {
        match s {
            Statement::Add(x, ..) => drop(all.insert(*x)),
            s => not.extend(added(std::slice::from_ref(s)).iter().copied()),
        }
    }
    all.iter().filter(|x| !not.contains(x)).copied().collect()
}

/// The names of numbers that are not floats, with their values.
fn numbers(block: &[Statement]) -> Map<VarId, Expr> {
    let mut all = Map::new();
    each(block, &mut |s| {
        if let Statement::Before(Before::Let(x, e)) = s
            && matches!(e.kind, Kind::Prim(..) | Kind::Var(_) | Kind::Lit(_))
            && e.ty.scalar().is_some_and(|s| !s.is_float())
        {
            all.insert(*x, e.clone());
        }
    });
    all
}

/// A number without names of others.
fn expanded(e: &Expr, values: &Map<VarId, Expr>) -> Expr {
    let mut e = e.clone();
    while let Some(x) = e.free().iter().copied().find(|x| values.contains_key(x)) {
        e.replace(x, &mut || values[&x].clone());
    }
    e
}

/// The parts of statements that add at these places.
fn at_places(block: &[Statement], keeps: &dyn Fn(&[Expr]) -> bool) -> Block {
    let one = |s: &Statement| match s {
        Statement::Add(_, at, _) => keeps(at).then(|| s.clone()),
        Statement::If(c, a, b) => {
            let [a, b] = [a, b].map(|block| at_places(block, keeps));
            (!added(&a).is_empty() || !added(&b).is_empty()).then(|| Statement::If(c.clone(), a, b))
        }
        Statement::For(n, i, body) => {
            let body = at_places(body, keeps);
            (!added(&body).is_empty()).then(|| Statement::For(n.clone(), *i, body))
        }
        s => Some(s.clone()),
    };
    block.iter().filter_map(one).collect()
}

/// The count of the loop over `j`.
fn count_of(block: &[Statement], j: VarId) -> Option<Expr> {
    let mut count = None;
    each(block, &mut |s| {
        if let Statement::For(n, i, _) = s
            && *i == j
        {
            count = Some(n.clone());
        }
    });
    count
}

/// Whether a dear term is outside of the loop over `j`: it would be computed for each `j`.
fn dear_around(block: &[Statement], j: VarId) -> bool {
    block.iter().any(|s| match s {
        Statement::Before(Before::Let(_, e)) => is_dear(e),
        Statement::For(_, i, body) => *i != j && dear_around(body, j),
        Statement::If(c, a, b) => is_dear(c) || dear_around(a, j) || dear_around(b, j),
        _ => false,
    })
}

/// A nest without the loop over `j`, which is `own` in its body, behind its condition if it is `guarded`.
fn without_loop(block: Block, (j, own): (VarId, VarId), guarded: bool, o: crate::span::Origin) -> Block {
    let mut out = Block::new();
    for s in block {
        match s {
            Statement::For(n, i, mut body) if i == j => {
                let mut rename = |e: &mut Expr| e.replace(j, &mut || index(own, o));
                body.iter_mut().for_each(|s| each_term_mut(s, &mut rename));
                if guarded {
                    out.push(Statement::If(build::prim(Prim::Lt, vec![index(own, o), n], o), body, vec![]));
                } else {
                    out.push_all(body);
                }
            }
            Statement::For(n, i, body) => out.push(Statement::For(n, i, without_loop(body, (j, own), guarded, o))),
            Statement::If(c, a, b) => {
                let [a, b] = [a, b].map(|side| without_loop(side, (j, own), guarded, o));
                out.push(Statement::If(c, a, b));
            }
            s => out.push(s),
        }
    }
    out
}
