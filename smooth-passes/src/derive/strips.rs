//! Strips: 64 iterations of a loop that adds, side by side.
//!
//! ```text
//! V⟦let x = e⟧                = let X = build 64 (λl. e)              X: the values of x
//! V⟦let x = build m (λj. e)⟧  = let X = build m (λj. V⟦e⟧)            the iteration is the last axis
//! V⟦x̄[ī] += e⟧                = x̄[ī] += sum 64 (λl. e)                of places that vary: for l < 64 { x̄[ī] += e }
//! V⟦for j < m { s }⟧          = for j < m { V⟦s⟧ }
//! V⟦if c then s else t⟧       = V⟦s⟧ where c, V⟦t⟧ where not c
//! ```
//!
//! In a term, `i` is `64 g + l` and `x` is the element of `X` that belongs to `l`. What is the same in all iterations stays as it is.
//! A statement that has no such form is a loop over the iterations.

use super::form::{How, STRIP};
use super::forward::{assembled, is_name, leaves};
use super::lengths::Lengths;
use super::statements::{Before, Block, Shape, Statement, each_term_mut, index};
use crate::fsmooth::{Build, Combine, Demand, Expr, Kind, Monoid, Order, Required, Update, build};
use crate::mapped::{Mapped, PushAll};
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::sorted::{Map, Set};
use crate::span::Origin;
use crate::ty::{Scalar, Type};
use crate::value::Lit;

/// The maximal number of axes of an array.
const MAX_RANK: usize = 6;

/// The strip of a loop over `i` that begins at `begin`, if its statements have one.
pub(super) fn strip(
    block: &[Statement],
    (i, begin): (VarId, &Expr),
    how: How,
    (names, lengths): (&mut Names, &Lengths),
) -> Option<Block> {
    let (values, numbers, totals, loose) = (Map::new(), Map::new(), Map::new(), Set::new());
    let length = how.strips.unwrap_or(STRIP);
    Strip { names, lengths, i, begin, length, order: how.order, values, numbers, loose, totals, conditions: vec![] }
        .block(block)
}

/// The values of a name in the iterations of a strip.
#[derive(Clone)]
enum Values {
    /// An array whose last axis is that of the iterations.
    Last(VarId),
    /// An array whose first axis is that of the iterations.
    First(VarId),
    /// A part of another array, or an index that is a formula.
    Part(Expr),
}

struct Strip<'n> {
    names: &'n mut Names,
    lengths: &'n Lengths,
    i: VarId,
    begin: &'n Expr,
    /// The number of iterations.
    length: u64,
    /// The order of sums.
    order: Order,
    /// The names that vary.
    values: Map<VarId, Values>,
    /// The terms of numbers that vary, and the number of conditions around their names.
    numbers: Map<VarId, (Expr, usize)>,
    /// The numbers that may be anything where a condition around them does not hold.
    loose: Set<VarId>,
    /// The names for the sums of numbers.
    totals: Map<VarId, VarId>,
    /// The conditions around the place that vary.
    conditions: Vec<Expr>,
}

impl Strip<'_> {
    /// Whether a term varies between the iterations.
    fn varies(&self, e: &Expr) -> bool {
        e.free().iter().any(|v| *v == self.i || self.values.contains_key(v))
    }

    /// Whether a term is the same in all iterations, and is needed in each of them: where a condition does not hold it may panic.
    fn is_same(&self, e: &Expr) -> bool {
        self.conditions.is_empty() && !self.varies(e)
    }

    fn is_same_count(&self, n: &Expr) -> bool {
        self.is_same(n) || !self.varies(n) && (is_name(n) || matches!(n.kind, Kind::Len(..)))
    }

    /// Whether there is a place, whether or not the conditions around hold.
    fn is_place(&self, of: VarId, at: &[Expr], e: &Expr) -> bool {
        let whole = build::var(of, Type::Array(e.ty.leaf_scalars()[0], at.len()), e.origin);
        let is_index = |(axis, i): (usize, &Expr)| {
            let extent = self.lengths.term(&self.lengths.length(&whole, axis));
            match (&i.kind, extent.as_ref().map(|n| &n.kind)) {
                (Kind::Var(v), Some(_)) => self.lengths.count(*v).is_some_and(|n| self.lengths.term(n) == extent),
                (Kind::Lit(Lit::Int(k, _)), Some(Kind::Lit(Lit::Int(n, _)))) => k < n,
                _ => false,
            }
        };
        self.conditions.is_empty() || at.iter().enumerate().all(is_index)
    }

    fn check_varies(&self, what: &Required) -> bool {
        !self.conditions.is_empty() || what.terms().iter().any(|e| self.varies(e))
    }

    fn block(&mut self, block: &[Statement]) -> Option<Block> {
        let (mut out, mut bound) = (Block::new(), Vec::new());
        for s in block {
            if let Statement::Before(Before::Let(x, _)) = s {
                bound.push((*x, out.len()));
            }
            let before = self.values.clone();
            if self.statement(s, &mut out).is_none() {
                // What the attempt has named does not exist.
                self.values = before;
                out.push(self.one_by_one(s)?);
            }
        }
        for (x, at) in bound.into_iter().rev() {
            if let Some(total) = self.totals.remove(&x)
                && let Some(Statement::Before(Before::Let(all, e))) = out.get(at)
            {
                let (all, o) = (build::var(*all, e.ty.clone(), e.origin), e.origin);
                let l = self.names.fresh("l");
                let mut term = build::get(all, index(l, o), o);
                if self.loose.contains(&x) {
                    term = self.selected(term, l)?;
                }
                let sum = self.sum_over(l, term);
                out.insert(at + 1, Statement::Before(Before::Let(total, sum)));
            }
        }
        Some(out)
    }

    /// The sum of numbers over the iterations `l`.
    fn sum_over(&self, l: VarId, term: Expr) -> Expr {
        let o = term.origin;
        build::reduce(Combine::Named(Monoid::Sum), self.order, (build::index(self.length, o), l), term, o)
    }

    /// The sum of a number with a name, without the factors that are the same in all iterations.
    fn factored(&mut self, e: &Expr) -> Option<Expr> {
        let (mut factors, mut minus, mut e, o) = (Vec::new(), false, e.clone(), e.origin);
        let x = loop {
            let Kind::Var(x) = e.kind else { return None };
            let (term, _) = self.numbers.get(&x)?;
            e = match &term.kind {
                Kind::Var(_) => term.clone(),
                Kind::Prim(Prim::Neg, es) if matches!(es[0].kind, Kind::Var(_)) => {
                    minus = !minus;
                    es[0].clone()
                }
                Kind::Prim(Prim::Mul, es) => match [self.varies(&es[0]), self.varies(&es[1])] {
                    [true, false] if matches!(es[0].kind, Kind::Var(_)) => {
                        factors.push(es[1].clone());
                        es[0].clone()
                    }
                    [false, true] if matches!(es[1].kind, Kind::Var(_)) => {
                        factors.push(es[0].clone());
                        es[1].clone()
                    }
                    _ => break x,
                },
                _ => break x,
            };
        };
        if self.numbers[&x].1 != self.conditions.len() {
            return None;
        }
        let total = *self.totals.entry(x).or_insert_with(|| self.names.again(x));
        let total = build::var(total, e.ty.clone(), o);
        let product = factors.into_iter().fold(total, |e, by| build::prim(Prim::Mul, vec![by, e], o));
        Some(if minus { build::prim(Prim::Neg, vec![product], o) } else { product })
    }

    /// `V⟦s⟧`, if it has a form other than a loop over the iterations.
    fn statement(&mut self, s: &Statement, out: &mut Block) -> Option<()> {
        match s {
            Statement::Before(Before::Let(_, e)) if self.is_same(e) => out.push(s.clone()),
            Statement::Before(Before::Let(x, e)) => {
                if let Some((x, e)) = self.bind(*x, e)? {
                    out.push(Statement::Before(Before::Let(x, e)));
                }
            }
            Statement::Before(Before::Check(what, _)) if !self.check_varies(what) => out.push(s.clone()),
            Statement::Add(x, at, e) if at.iter().all(|i| !self.varies(i)) && self.is_place(*x, at, e) => {
                let sum = if e.ty.rank() == 0 { self.factored(e) } else { None };
                out.push(Statement::Add(*x, at.clone(), sum.map_or_else(|| self.sum(e), Some)?));
            }
            Statement::If(c, a, b) if self.is_same(c) => {
                let [a, b] = [a, b].map(|side| self.block(side));
                out.push(Statement::If(c.clone(), a?, b?));
            }
            Statement::If(c, a, b) => {
                let mut not = build::prim(Prim::Not, vec![c.clone()], c.origin);
                let mut all = Block::new();
                for (c, side) in [(c, a), (&mut not, b)] {
                    self.conditions.push(c.clone());
                    let own = self.block(side);
                    self.conditions.pop();
                    all.push_all(own?);
                }
                out.push_all(all);
            }
            Statement::For(n, j, body) if self.is_same_count(n) => {
                let body = self.block(body)?;
                out.push(Statement::For(n.clone(), *j, body));
            }
            _ => return None,
        }
        Some(())
    }

    /// A statement in each iteration, one after the other.
    fn one_by_one(&mut self, s: &Statement) -> Option<Statement> {
        if matches!(s, Statement::Before(_) | Statement::Total(..) | Statement::Back(_)) {
            return None;
        }
        let (l, o) = (self.names.fresh("l"), self.begin.origin);
        let mut own = s.clone();
        let mut is_complete = true;
        each_term_mut(&mut own, &mut |e| is_complete &= self.set_in_lane(e, l).is_some());
        let mut inside = vec![own];
        for c in self.conditions.clone().iter().rev() {
            inside = vec![Statement::If(self.in_lane(c, l)?, inside, vec![])];
        }
        is_complete.then(|| Statement::For(build::index(self.length, o), l, inside))
    }

    /// The name for the values of another one, and these; nothing for a part of an array and for an index: a place that is read from an
    /// array is in no known range.
    fn bind(&mut self, x: VarId, e: &Expr) -> Option<Option<(VarId, Expr)>> {
        if is_index(e) || e.ty.rank() > 0 && e.ty.leaf_count() == 1 && is_part(e) {
            self.values.insert(x, Values::Part(e.clone()));
            return Some(None);
        }
        if e.ty.scalar().is_some_and(|s| s.is_float()) {
            self.numbers.insert(x, (e.clone(), self.conditions.len()));
            if !self.conditions.is_empty() && is_safe(e) {
                self.loose.insert(x);
            }
        }
        if let Kind::Var(y) = e.kind
            && let Some(values) = self.values.get(&y).cloned()
        {
            self.values.insert(x, values);
            return Some(None);
        }
        let (e, is_last) = self.vector(x, e)?;
        let all = self.names.again(x);
        self.values.insert(x, if is_last { Values::Last(all) } else { Values::First(all) });
        Some(Some((all, e)))
    }

    /// The values of a term with a name, and whether the iteration is their last axis.
    fn vector(&mut self, x: VarId, e: &Expr) -> Option<(Expr, bool)> {
        // Names in the term have no values behind it: the statements bind the same ones again.
        let (values, numbers) = (self.values.clone(), self.numbers.clone());
        let all = self.last(e);
        (self.values, self.numbers) = (values, numbers);
        if let Some(e) = all {
            return Some((e, true));
        }
        // Rows of the same lengths.
        let name = build::var(x, e.ty.clone(), e.origin);
        let same = leaves(&name).iter().all(|leaf| leaf.ty.rank() < MAX_RANK && self.lengths.are_same(leaf));
        if !same || !self.conditions.is_empty() || Type::array_of(&e.ty).is_none() {
            return None;
        }
        let (l, o) = (self.names.fresh("l"), e.origin);
        let row = self.in_lane(e, l)?;
        Some((build::build(build::index(self.length, o), l, row, o), false))
    }

    /// The values of a term, where the iteration is the last axis.
    fn last(&mut self, e: &Expr) -> Option<Expr> {
        let o = e.origin;
        let is_number = e.ty.leaves().iter().all(|t| t.rank() == 0);
        if is_number && !self.has_arrays(e) {
            return self.numbers(e);
        }
        if e.ty.leaves().iter().any(|t| t.rank() >= MAX_RANK) {
            return None;
        }
        match &e.kind {
            Kind::Let(x, value, body) if !self.is_same(value) => Some(match self.bind(*x, value)? {
                Some((x, value)) => build::bind(x, value, self.last(body)?, o),
                None => self.last(body)?,
            }),
            Kind::Let(x, value, body) => Some(build::bind(*x, (**value).clone(), self.last(body)?, o)),
            Kind::Demand(Demand { what, then }) if !self.check_varies(what) => {
                Some(build::require(what.clone(), self.last(then)?, o))
            }
            Kind::Build(Build { count, index, body }) if self.is_same_count(count) => {
                Some(build::build((**count).clone(), *index, self.last(body)?, o))
            }
            Kind::Array(es) => Some(build::array(es.iter().mapped(|e| self.last(e)).all_some()?, o)),
            Kind::Tuple(es) => Some(build::tuple(es.iter().mapped(|e| self.last(e)).all_some()?, o)),
            Kind::Update(u) => self.update(u, o),
            Kind::If(c, a, b) if self.is_same(c) => {
                let [a, b] = [a, b].map(|e| self.last(e));
                Some(build::branch((**c).clone(), a?, b?, o))
            }
            Kind::IFold(f) if f.test.is_none() && self.is_same_count(&f.count) => {
                let init = self.last(&f.init)?;
                let state = self.names.again(f.state);
                self.values.insert(f.state, Values::Last(state));
                let body = self.last(&f.body)?;
                Some(build::ifold((*f.count).clone(), init, (state, f.index), body, o))
            }
            _ if is_number => self.numbers(e),
            _ if is_part(e) => self.elements(e),
            _ => None,
        }
    }

    /// Whether an array that varies has a name in front of a number.
    fn has_arrays(&self, e: &Expr) -> bool {
        match &e.kind {
            Kind::Let(_, value, body) => {
                let is_array = value.ty.leaves().iter().any(|t| t.rank() > 0) && !is_part(value);
                is_array && value.free().iter().any(|v| *v == self.i || self.values.contains_key(v))
                    || self.has_arrays(body)
            }
            Kind::Demand(Demand { then, .. }) => self.has_arrays(then),
            _ => false,
        }
    }

    /// The values of a part of an array.
    fn elements(&mut self, e: &Expr) -> Option<Expr> {
        let o = e.origin;
        if let Type::Tuple(ts) = &e.ty {
            let parts = (0..ts.len()).mapped(|k| self.elements(&build::proj(e.clone(), k, o)));
            return Some(build::tuple(parts.all_some()?, o));
        }
        let (root, path) = path(e);
        if let Some(Values::Last(all)) = root.and_then(|x| self.values.get(&x)).cloned()
            && path.iter().all(|step| step.terms().iter().all(|e| !self.varies(e)))
        {
            let all = build::var(all, Type::array_of(&root_of(e).ty)?, o);
            return Some(path.into_iter().fold(all, |e, step| step.of(e, o)));
        }
        let counts = (0..e.ty.rank()).mapped(|axis| self.lengths.by_sizes(&build::len(e.clone(), axis, o)));
        if counts.iter().any(|n| self.varies(n)) {
            return None;
        }
        let axes = counts.iter().mapped(|_| self.names.fresh("k"));
        let element = axes.iter().fold(e.clone(), |e, k| build::get(e, index(*k, o), o));
        let numbers = self.numbers(&element)?;
        Some(axes.into_iter().zip(counts).rev().fold(numbers, |e, (k, n)| build::build(n, k, e, o)))
    }

    /// `V⟦a with [ī] ⊕= v⟧ = ifold 64 (λA l. A with [ī, l] ⊕= v) V⟦a⟧`.
    fn update(&mut self, u: &Update, o: Origin) -> Option<Expr> {
        if u.value.ty.rank() > 0 {
            return None;
        }
        let all = self.last(&u.array)?;
        let (l, state) = (self.names.fresh("l"), self.names.fresh("all"));
        let mut at = u.indices.iter().mapped(|i| self.in_lane(i, l)).all_some()?;
        at.push(index(l, o));
        let value = self.in_lane(&u.value, l)?;
        let before = build::var(state, all.ty.clone(), o);
        let mut step = build::update(before.clone(), at, u.op, value, o);
        for c in self.conditions.clone().iter().rev() {
            step = build::branch(self.in_lane(c, l)?, step, before.clone(), o);
        }
        Some(build::ifold(build::index(self.length, o), all, (state, l), step, o))
    }

    /// `build 64 (λl. e)`, where the conditions around hold.
    fn numbers(&mut self, e: &Expr) -> Option<Expr> {
        let (l, o) = (self.names.fresh("l"), e.origin);
        let e = if is_safe(e) { self.in_lane(e, l)? } else { self.guarded(e, l)? };
        Some(build::build(build::index(self.length, o), l, e, o))
    }

    /// Numbers of one iteration; 0 where a condition around does not hold.
    fn guarded(&mut self, e: &Expr, l: VarId) -> Option<Expr> {
        let own = self.in_lane(e, l)?;
        self.selected(own, l)
    }

    fn selected(&mut self, e: Expr, l: VarId) -> Option<Expr> {
        let (o, mut own) = (e.origin, e);
        for c in self.conditions.clone().iter().rev() {
            let zero = |s| build::lit(Lit::zero(s), o);
            let zeros = assembled(&own.ty, &mut own.ty.leaf_scalars().into_iter().map(zero), o);
            own = build::branch(self.in_lane(c, l)?, own, zeros, o);
        }
        Some(own)
    }

    /// The sum of a term over the iterations.
    fn sum(&mut self, e: &Expr) -> Option<Expr> {
        let o = e.origin;
        let mut shape = Shape::of(e);
        shape.extents.iter_mut().for_each(|n| *n = self.lengths.by_sizes(n));
        if shape.extents.iter().any(|n| self.varies(n)) || !is_name(e) && e.ty.rank() > 0 {
            return None;
        }
        let axes = shape.extents.iter().mapped(|_| self.names.fresh("k"));
        let element = axes.iter().fold(e.clone(), |e, k| build::get(e, index(*k, o), o));
        let l = self.names.fresh("l");
        let term = self.guarded(&element, l)?;
        let sum = self.sum_over(l, term);
        let loops = axes.into_iter().zip(shape.extents).rev();
        Some(loops.fold(sum, |e, (k, n)| build::build(n, k, e, o)))
    }

    /// A term in one iteration.
    fn in_lane(&mut self, e: &Expr, l: VarId) -> Option<Expr> {
        let mut e = e.clone();
        self.set_in_lane(&mut e, l).map(|()| e)
    }

    fn set_in_lane(&mut self, e: &mut Expr, l: VarId) -> Option<()> {
        let o = e.origin;
        match &e.kind {
            Kind::Var(x) if *x == self.i => {
                *e = build::prim(Prim::Add, vec![self.begin.clone(), index(l, o)], o);
                return Some(());
            }
            Kind::Len(a, _) if self.varies(a) => {
                let known = self.lengths.by_sizes(e);
                if self.varies(&known) {
                    return None;
                }
                *e = known;
                return Some(());
            }
            Kind::Var(_) | Kind::Get(..) | Kind::Proj(..) | Kind::Slice(..) => {
                if let Some(own) = self.part(e, l)? {
                    *e = own;
                    return Some(());
                }
            }
            _ => {}
        }
        let mut is_complete = true;
        e.each_child_mut(&mut |e| is_complete &= self.set_in_lane(e, l).is_some());
        is_complete.then_some(())
    }

    /// A part of a name that varies, in one iteration.
    fn part(&mut self, e: &Expr, l: VarId) -> Option<Option<Expr>> {
        let o = e.origin;
        let (root, path) = path(e);
        let Some(values) = root.and_then(|x| self.values.get(&x)).cloned() else { return Some(None) };
        let mut path = path;
        match values {
            Values::Part(of) => {
                let mut own = path.into_iter().fold(of, |e, step| step.of(e, o));
                self.set_in_lane(&mut own, l)?;
                Some(Some(own))
            }
            Values::First(all) => {
                for step in &mut path {
                    step.each_mut(&mut |e| self.set_in_lane(e, l))?;
                }
                let ty = root_of(e).ty.clone();
                let row = element(&build::var(all, Type::array_of(&ty)?, o), &ty, l, o);
                Some(Some(path.into_iter().fold(row, |e, step| step.of(e, o))))
            }
            Values::Last(all) => {
                for step in &mut path {
                    step.each_mut(&mut |e| self.set_in_lane(e, l))?;
                }
                let all = build::var(all, Type::array_of(&root_of(e).ty)?, o);
                self.at_end(all, path, (e, l)).map(Some)
            }
        }
    }

    /// The part of an array at the end of a path, behind whose axes is that of the iterations.
    fn at_end(&mut self, all: Expr, path: Vec<Step>, (e, l): (&Expr, VarId)) -> Option<Expr> {
        let o = e.origin;
        if let Type::Tuple(ts) = &e.ty {
            let parts = (0..ts.len()).mapped(|k| {
                let path = path.iter().cloned().chain([Step::Field(k)]).collect_vec();
                self.at_end(all.clone(), path, (&build::proj(e.clone(), k, o), l))
            });
            return Some(build::tuple(parts.all_some()?, o));
        }
        // The components first: an array of tuples is a tuple of arrays.
        let (mut all, mut at, mut from) = (all, Vec::new(), None::<Expr>);
        let plus = |from: Option<Expr>, i: Expr| match from {
            Some(from) => build::prim(Prim::Add, vec![from, i], o),
            None => i,
        };
        for step in path {
            match step {
                Step::Field(k) => all = build::proj(all, k, o),
                Step::At(i) => at.push(plus(from.take(), i)),
                Step::Slice(start, _) => from = Some(plus(from.take(), start)),
            }
        }
        // The axes that are left.
        let mut loops = Vec::new();
        for k in 0..e.ty.rank() {
            let count = self.lengths.by_sizes(&build::len(e.clone(), k, o));
            if self.varies(&count) {
                return None;
            }
            let j = self.names.fresh("k");
            at.push(plus(from.take(), index(j, o)));
            loops.push((count, j));
        }
        at.push(index(l, o));
        let number = at.into_iter().fold(all, |a, i| build::get(a, i, o));
        Some(loops.into_iter().rev().fold(number, |e, (n, j)| build::build(n, j, e, o)))
    }
}

/// A step of a path to a part of a value.
#[derive(Clone)]
enum Step {
    At(Expr),
    Slice(Expr, Expr),
    Field(usize),
}

impl Step {
    fn of(self, e: Expr, o: Origin) -> Expr {
        match self {
            Step::At(i) => build::get(e, i, o),
            Step::Slice(s, t) => build::slice(e, s, t, o),
            Step::Field(k) => build::proj(e, k, o),
        }
    }

    fn terms(&self) -> Vec<&Expr> {
        match self {
            Step::At(i) => vec![i],
            Step::Slice(s, t) => vec![s, t],
            Step::Field(_) => vec![],
        }
    }

    fn each_mut(&mut self, f: &mut dyn FnMut(&mut Expr) -> Option<()>) -> Option<()> {
        match self {
            Step::At(i) => f(i),
            Step::Slice(s, t) => f(s).and_then(|()| f(t)),
            Step::Field(_) => Some(()),
        }
    }
}

/// The name at the root of a part, and the way from there.
fn path(e: &Expr) -> (Option<VarId>, Vec<Step>) {
    let (of, step) = match &e.kind {
        Kind::Var(x) => return (Some(*x), vec![]),
        Kind::Get(a, i) => (a, Step::At((**i).clone())),
        Kind::Slice(a, s, t) => (a, Step::Slice((**s).clone(), (**t).clone())),
        Kind::Proj(a, k) => (a, Step::Field(*k)),
        _ => return (None, vec![]),
    };
    let (root, mut all) = path(of);
    all.push(step);
    (root, all)
}

fn root_of(e: &Expr) -> &Expr {
    match &e.kind {
        Kind::Get(a, _) | Kind::Slice(a, _, _) | Kind::Proj(a, _) => root_of(a),
        _ => e,
    }
}

/// Whether a term is a part of an array that has a name.
fn is_part(e: &Expr) -> bool {
    match &e.kind {
        Kind::Var(_) => true,
        Kind::Get(a, _) | Kind::Slice(a, _, _) | Kind::Proj(a, _) => is_part(a),
        _ => false,
    }
}

/// The largest formula of an index that is computed again, in nodes.
const INDEX: usize = 8;

/// Whether a term is an index that costs as little as reading it.
fn is_index(e: &Expr) -> bool {
    let is_cheap = |e: &Expr| match &e.kind {
        Kind::Var(_) | Kind::Lit(_) => true,
        Kind::Prim(p, _) => matches!(p, Prim::Add | Prim::Sub | Prim::Mul | Prim::Min | Prim::Max),
        _ => false,
    };
    e.ty == Type::USIZE && e.size() <= INDEX && e.count(|e| !is_cheap(e)) == 0
}

/// Whether a term is an operation on names that never panics.
fn is_safe(e: &Expr) -> bool {
    let is_known = |e: &Expr| e.ty.rank() == 0 && (is_name(e) || matches!(e.kind, Kind::Lit(_)));
    match &e.kind {
        Kind::Prim(_, es) => {
            e.ty.scalar().is_some_and(|s| s.is_float() || s == Scalar::Bool) && es.iter().all(is_known)
        }
        _ => false,
    }
}

/// The element of an array of values of this type.
fn element(all: &Expr, ty: &Type, l: VarId, o: Origin) -> Expr {
    match ty {
        Type::Tuple(ts) => {
            build::tuple(ts.iter().enumerate().mapped(|(k, t)| element(&build::proj(all.clone(), k, o), t, l, o)), o)
        }
        _ => build::get(all.clone(), index(l, o), o),
    }
}
