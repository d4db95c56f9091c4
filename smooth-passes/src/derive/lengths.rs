//! Lengths as terms over parameters and sizes, as far as the names before them say, so that equal ones are equal terms.
//!
//! ```text
//! ⟦length (build n (λi. e))⟧ = ⟦n⟧          ⟦length a[i]⟧ₖ = ⟦length a⟧ₖ₊₁          ⟦length x̄⟧ₖ: the kth extent of x̄
//! ```

use super::statements::{Before, Shape, Statement, each};
use crate::fsmooth::{Build, Demand, Expr, IFold, Kernel, Kind, Reduce, build};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::Prim;
use crate::shape::Dim;
use crate::sorted::{Map, Set};
use crate::ty::Type;

/// Whether lengths depend on an index. That of a slice whose end is its start and a number does not.
pub(super) struct Dependent<'e> {
    /// The index, and the numbers that depend on it.
    on: Vec<VarId>,
    values: Map<VarId, &'e Expr>,
    /// Whether there is such a length.
    pub(super) any: bool,
}

impl<'e> Dependent<'e> {
    pub(super) fn on(i: VarId) -> Self {
        Dependent { on: vec![i], values: Map::new(), any: false }
    }

    /// Looks at a term.
    pub(super) fn term(&mut self, e: &'e Expr) {
        e.each(&mut |e| match &e.kind {
            Kind::Build(b) => self.any |= self.is(&b.count),
            Kind::Slice(_, start, end) => {
                let end = match &end.kind {
                    Kind::Var(x) => self.values.get(x).copied().unwrap_or(end),
                    _ => end,
                };
                let is_fixed = matches!(&end.kind, Kind::Prim(Prim::Add, es) if es[0] == **start && !self.is(&es[1]));
                self.any |= !is_fixed && (self.is(start) || self.is(end));
            }
            Kind::Let(x, value, _) => self.name(*x, value),
            _ => {}
        });
    }

    /// Looks at statements.
    pub(super) fn block(&mut self, block: &'e [Statement]) {
        each(block, &mut |s| match s {
            Statement::Before(Before::Let(x, e)) => {
                self.name(*x, e);
                self.term(e);
            }
            Statement::Add(_, _, e) => self.term(e),
            Statement::Total(_, shape) => self.any |= shape.extents.iter().any(|n| self.is(n)),
            _ => {}
        });
    }

    fn name(&mut self, x: VarId, e: &'e Expr) {
        if e.ty == Type::USIZE {
            self.on.extend(self.is(e).then_some(x));
            self.values.insert(x, e);
        }
    }

    fn is(&self, n: &Expr) -> bool {
        self.on.iter().any(|v| n.mentions(*v))
    }
}

/// The names that lengths are made of.
#[derive(Clone, Default)]
pub(super) struct Lengths {
    values: Map<VarId, Expr>,
    /// The counts of loops, by their indices.
    counts: Map<VarId, Expr>,
    /// The extents of parameters and accumulators; `None` where one has no name.
    extents: Map<VarId, Vec<Option<Expr>>>,
    /// The variables that are bound in a loop.
    local: Set<VarId>,
    /// The names of the parameters' extents.
    sizes: Set<VarId>,
}

impl Lengths {
    /// The names of a kernel's parameters.
    pub(super) fn of(kernel: &Kernel) -> Lengths {
        let mut own = Lengths::default();
        for p in &kernel.interface.params {
            let extent = |d: &Dim| match d {
                Dim::Lit(n) => Some(build::index(*n, kernel.body.origin)),
                Dim::Size(v) | Dim::Param(v) => Some(build::var(*v, Type::USIZE, kernel.body.origin)),
                Dim::Anon => None,
            };
            let extents = p.dims().iter().mapped(extent);
            extents.iter().flatten().for_each(|n| own.sizes.extend(n.free().iter().copied()));
            own.extents.insert(p.var, extents);
        }
        own
    }

    /// Adds the names of statements.
    pub(super) fn add_block(&mut self, block: &[Statement]) {
        each(block, &mut |s| match s {
            Statement::Before(Before::Let(x, e)) => self.add(*x, e),
            Statement::For(n, i, _) => self.add_index(*i, n),
            Statement::Back(b) => self.add_index(b.index, &b.count),
            Statement::Total(x, Shape { extents, .. }) => {
                self.extents.insert(*x, extents.iter().mapped(|e| Some(e.clone())));
            }
            _ => {}
        });
    }

    /// Whether a name is the index of a loop.
    pub(super) fn is_index(&self, i: VarId) -> bool {
        self.counts.contains_key(&i)
    }

    /// The count of the loop over an index.
    pub(super) fn count(&self, i: VarId) -> Option<&Expr> {
        self.counts.get(&i)
    }

    /// Adds the index of a loop.
    pub(super) fn add_index(&mut self, i: VarId, count: &Expr) {
        self.counts.insert(i, count.clone());
        self.local.insert(i);
    }

    /// Adds a name. The loop of a value comes before the loops that know it.
    pub(super) fn add(&mut self, x: VarId, e: &Expr) {
        self.values.entry(x).or_insert_with(|| e.clone());
        self.add_term(e);
    }

    /// Adds the names in a term.
    pub(super) fn add_term(&mut self, e: &Expr) {
        e.each(&mut |e| match &e.kind {
            Kind::Let(x, value, _) => {
                self.values.insert(*x, (**value).clone());
                self.local.insert(*x);
            }
            _ => {
                if let Kind::Build(Build { count, index, .. })
                | Kind::Reduce(Reduce { count, index, .. })
                | Kind::IFold(IFold { count, index, .. }) = &e.kind
                {
                    self.counts.insert(*index, (**count).clone());
                }
                self.local.extend(e.binders());
            }
        });
    }

    /// The term that a name stands for, if it is bound by a `let`.
    pub(super) fn named(&self, x: VarId) -> Option<&Expr> {
        self.values.get(&x)
    }

    /// Whether a number may be the length of an array: it is known when the kernel is called, and not computed from data.
    pub(super) fn is_size(&self, n: &Expr) -> bool {
        match &n.kind {
            Kind::Lit(_) | Kind::Const(_) | Kind::Len(..) => true,
            Kind::Var(x) => match self.values.get(x).or_else(|| self.counts.get(x)) {
                Some(e) => self.is_size(e),
                None => !self.local.contains(x),
            },
            Kind::Prim(p, es) => is_of_sizes(*p) && es.iter().all(|e| self.is_size(e)),
            _ => false,
        }
    }

    /// Whether a number is made of lengths, so that it is far below the largest `usize`.
    pub(super) fn is_of_lengths(&self, n: &Expr) -> bool {
        match &n.kind {
            Kind::Lit(_) | Kind::Len(..) => true,
            Kind::Var(x) => match self.values.get(x) {
                Some(e) => self.is_of_lengths(e),
                None => self.sizes.contains(x),
            },
            Kind::Prim(p, es) => is_of_sizes(*p) && *p != Prim::Mul && es.iter().all(|e| self.is_of_lengths(e)),
            _ => false,
        }
    }

    /// `⟦length e⟧` along an axis.
    pub(super) fn length(&self, e: &Expr, axis: usize) -> Expr {
        self.known(e, axis).unwrap_or_else(|| build::len(e.clone(), axis, e.origin))
    }

    fn known(&self, e: &Expr, axis: usize) -> Option<Expr> {
        match &e.kind {
            Kind::Var(x) => match self.extents.get(x) {
                Some(extents) => self.term(extents.get(axis)?.as_ref()?),
                None => self.known(self.values.get(x)?, axis),
            },
            Kind::Proj(a, k) => match &self.value(a)?.kind {
                Kind::Build(b) if axis == 0 => self.term(&b.count),
                Kind::Build(b) => self.outside(self.known(self.part(&b.body, *k)?, axis - 1)?),
                Kind::Tuple(es) => self.known(&es[*k], axis),
                Kind::IFold(f) => match &self.value(&f.init)?.kind {
                    Kind::Tuple(es) => self.known(&es[*k], axis),
                    _ => None,
                },
                _ => None,
            },
            Kind::Build(b) if axis == 0 => self.term(&b.count),
            Kind::Build(b) => self.outside(self.known(result(&b.body), axis - 1)?),
            Kind::Get(a, _) => self.known(a, axis + 1),
            Kind::Slice(a, _, _) if axis > 0 => self.known(a, axis),
            Kind::Slice(_, start, end)
                if matches!(start.kind, Kind::Lit(_)) && **start == build::index(0, e.origin) =>
            {
                self.term(end)
            }
            Kind::Update(u) => self.known(&u.array, axis),
            Kind::IFold(f) => self.known(&f.init, axis),
            Kind::Array(es) if axis == 0 => Some(build::index(es.len() as u64, e.origin)),
            Kind::Array(es) => self.known(&es[0], axis - 1),
            Kind::Let(..) | Kind::Demand(_) => self.known(result(e), axis),
            Kind::If(_, a, b) => self.known(a, axis).filter(|n| self.known(b, axis).as_ref() == Some(n)),
            _ => None,
        }
    }

    fn value<'e>(&'e self, e: &'e Expr) -> Option<&'e Expr> {
        match &e.kind {
            Kind::Var(x) => self.values.get(x).and_then(|e| self.value(e)),
            Kind::Let(..) | Kind::Demand(_) => self.value(result(e)),
            _ => Some(e),
        }
    }

    fn part<'e>(&'e self, e: &'e Expr, k: usize) -> Option<&'e Expr> {
        match &self.value(e)?.kind {
            Kind::Tuple(es) => Some(&es[k]),
            _ => None,
        }
    }

    /// A length that names nothing that a loop binds.
    fn outside(&self, n: Expr) -> Option<Expr> {
        n.free().iter().all(|v| !self.local.contains(v)).then_some(n)
    }

    /// A length by sizes and names outside of loops, if it is known.
    pub(super) fn by_sizes(&self, n: &Expr) -> Expr {
        self.term(n).and_then(|n| self.outside(n)).unwrap_or_else(|| n.clone())
    }

    /// Whether a name has the same lengths in each iteration of the loops that bind it.
    pub(super) fn are_same(&self, name: &Expr) -> bool {
        let axes = 0..name.ty.rank();
        axes.into_iter().all(|axis| self.known(name, axis).and_then(|n| self.outside(n)).is_some())
    }

    /// A length as a term over other lengths.
    pub(super) fn term(&self, n: &Expr) -> Option<Expr> {
        match &n.kind {
            Kind::Len(a, axis) => Some(self.length(a, *axis)),
            Kind::Var(x) => match self.values.get(x) {
                Some(value) if value.ty == Type::USIZE && is_length(value) => self.term(value),
                _ => Some(n.clone()),
            },
            Kind::Prim(p, es) => {
                let es = es.iter().mapped(|e| self.term(e)).all_some()?;
                Some(build::prim(*p, es, n.origin))
            }
            _ => Some(n.clone()),
        }
    }
}

/// Whether sizes have an operation.
fn is_of_sizes(p: Prim) -> bool {
    use Prim::{Add, Div, DivCeil, DivEuclid, Max, Min, Mul, Rem, RemEuclid, SaturatingSub, Sub};
    use Prim::{Steps, StepsThrough, Through};
    matches!(p, Add | Sub | Mul | Div | DivCeil | DivEuclid | Rem | RemEuclid | Min | Max | SaturatingSub)
        || matches!(p, Steps | StepsThrough | Through)
}

/// Whether a term is made of lengths, numbers and names alone.
fn is_length(e: &Expr) -> bool {
    match &e.kind {
        Kind::Var(_) | Kind::Lit(_) | Kind::Len(..) => true,
        Kind::Prim(Prim::Add | Prim::Sub | Prim::Mul, es) => es.iter().all(is_length),
        _ => false,
    }
}

/// The value of a term behind its names and checks.
fn result(mut e: &Expr) -> &Expr {
    while let Kind::Let(_, _, inner) | Kind::Demand(Demand { then: inner, .. }) = &e.kind {
        e = inner;
    }
    e
}

/// The body of a loop over independent terms with this index.
pub(super) fn body_of(e: &Expr, i: VarId) -> Option<&Expr> {
    match &e.kind {
        Kind::Build(Build { index, body, .. }) | Kind::Reduce(Reduce { index, body, .. }) if *index == i => Some(body),
        _ => None,
    }
}
