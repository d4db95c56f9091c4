//! DPS-F̃ → L̃.
//!
//! ```text
//! ⟦x[i][j]⟧           = x[i·c + j]                 x: an array of rows of c elements; `check i < r` before, unless proved
//! ⟦build{d} n (λi. t)⟧ = for i < n any { ⟦t⟧ }
//! ⟦alloc P (λr. t)⟧    = open r; ⟦t⟧               or nothing: r is a part of the storage that it is placed in
//! ⟦let x{r} = t in u⟧  = ⟦t⟧; ⟦u⟧                  x and r are one location
//! ⟦op t u⟧             = s̄; op e f                 with ⟦t⟧ = s₁; e and ⟦u⟧ = s₂; f
//! ```
//!
//! A term with a value becomes statements and an expression. Several names for one piece of storage become one buffer
//! and several offsets.

pub(super) mod address;
pub(super) mod call;
pub(super) mod folds;
pub(super) mod reductions;

use crate::dps::{self, Alias, Alloc, Build, Copy, Fill, Leaf, Let, Placement, Program, Term};
use crate::loops::{
    Access, Block, Buffer, BufferId, Expr, For, Function, Memory, Order, Output, Place, Schedule, Stmt, Target,
};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::prim::Prim;
use crate::shape::card::Card;
use crate::shape::{ParamKind, Shape, total};
use crate::sorted::Map;
use crate::span::Origin;
use crate::ty::Scalar;
use crate::value::Lit;

/// The location of an array or of storage.
#[derive(Clone)]
pub(crate) struct Spot {
    pub access: Access,
    pub shape: Shape,
    /// Its strides, if it is a strided argument or a part of one.
    pub strides: Option<Vec<Card>>,
}

/// A planned program as loops for that machine.
pub fn lower(p: &Program, target: &'static Target, checked: bool) -> Function {
    let mut cx = Lower {
        p,
        f: Function {
            interface: p.interface.clone(),
            names: p.names.clone(),
            buffers: vec![],
            result_type: p.result_type.clone(),
            results: vec![],
            body: vec![],
            checked,
            fast: false,
            parallel: None,
            schedule: Schedule::new(target),
        },
        spots: Map::new(),
        cells: Map::new(),
        types: Map::new(),
        quotients: Map::new(),
        block: vec![],
    };
    cx.parameters();
    let value = cx.results();
    match value {
        Some((x, s)) => {
            let e = cx.last_value(&p.body);
            cx.push(Stmt::Let(x, s, e));
        }
        None => cx.last(&p.body),
    }
    cx.f.body = cx.block;
    if !cx.quotients.is_empty() {
        crate::schedule::rewrite::unused::drop_quotients(&mut cx.f);
    }
    cx.f.schedule.work = crate::schedule::facts::work::work(&cx.f);
    cx.f
}

pub(crate) struct Lower<'p> {
    pub(crate) p: &'p Program,
    pub(crate) f: Function,
    /// The locations of arrays and storage.
    spots: Map<VarId, Spot>,
    /// The variables that are assigned instead of cells.
    pub(crate) cells: Map<VarId, VarId>,
    /// The types of numbers.
    types: Map<VarId, Scalar>,
    /// The terms of names of quotients and remainders.
    pub(crate) quotients: Map<VarId, Term>,
    block: Block,
}

impl Lower<'_> {
    fn parameters(&mut self) {
        for q in &self.p.interface.params {
            match &q.kind {
                ParamKind::Array(elem, dims) => {
                    let shape: Shape = (0..dims.len()).mapped(|axis| q.extent(axis));
                    let strides = q.strided.then(|| self.strides(q));
                    // An in-out argument is known by its storage.
                    let (name, memory) = match (self.p.storage_of(q.var), &strides) {
                        (Some(r), _) => (r, Memory::InOut),
                        (None, Some(strides)) => (q.var, Memory::Strided(strides.clone())),
                        (None, None) => (q.var, Memory::Argument),
                    };
                    self.buffer(name, *elem, shape, memory);
                    let spot = self.spot(name);
                    let strides = strides.map(|all| all.into_iter().mapped(Card::var));
                    self.spots.insert(q.var, Spot { strides, ..spot });
                }
                ParamKind::Scalar(s) => drop(self.types.insert(q.var, *s)),
                ParamKind::Fn(..) => {}
            }
        }
    }

    /// The destinations of the results; the variable of a result that is the body's value.
    fn results(&mut self) -> Option<(VarId, Scalar)> {
        let mut value = None;
        for l in &self.p.results {
            let output = match l {
                Leaf::Value(s) => {
                    let x = self.f.names.fresh("result");
                    value = Some((x, *s));
                    Output::Var(x)
                }
                Leaf::Cell(v, s) => {
                    self.push(Stmt::Var(*v, *s));
                    Output::Var(*v)
                }
                Leaf::Storage(r, elem, shape) => {
                    let id = match self.spots.get(r) {
                        Some(argument) => argument.access.buffer,
                        None => self.buffer(*r, *elem, shape.clone(), Memory::Result),
                    };
                    Output::Buffer(id, shape.clone())
                }
            };
            self.f.results.push(output);
        }
        value
    }

    /// A new buffer with one array in it.
    pub(crate) fn buffer(&mut self, name: VarId, elem: Scalar, shape: Shape, memory: Memory) -> BufferId {
        let id = BufferId(self.f.buffers.len() as u32);
        self.f.buffers.push(Buffer { name, elem, len: total(&shape), memory });
        self.spots.insert(name, Spot { access: Access { buffer: id, offset: Card::lit(0) }, shape, strides: None });
        id
    }

    pub(crate) fn push(&mut self, s: Stmt) {
        match &s {
            Stmt::Let(x, s, _) | Stmt::Var(x, s) => drop(self.types.insert(*x, *s)),
            _ => {}
        }
        self.block.push(s);
    }

    /// Records the type of a number that no statement binds: `usize` for every index.
    pub(crate) fn typed(&mut self, x: VarId, s: Scalar) {
        self.types.insert(x, s);
    }

    /// The type of an expression.
    fn scalar(&self, e: &Expr) -> Scalar {
        match e {
            // Sizes are the only variables that nothing binds.
            Expr::Var(v) => self.types.get(v).copied().unwrap_or(Scalar::Usize),
            Expr::Lit(l) => l.scalar(),
            Expr::Const(k) => self.p.interface.consts[*k].ty.expect_scalar(),
            Expr::Size(..) => Scalar::Usize,
            Expr::Prim(p, es, _) => {
                let args: Vec<Scalar> = es.iter().mapped(|e| self.scalar(e));
                p.result(&args).unwrap_or_else(|e| panic!("{e}"))
            }
            Expr::Load(a) => self.f.buffers[a.buffer.0 as usize].elem,
            Expr::If(es) => self.scalar(&es[1]),
            Expr::App(_, _, s) => *s,
        }
    }

    pub(crate) fn fresh(&mut self, name: &str) -> VarId {
        self.f.names.fresh(name)
    }

    pub(crate) fn again(&mut self, like: VarId) -> VarId {
        self.f.names.again(like)
    }

    /// The statements that `f` makes, as a separate block.
    pub(crate) fn apart<R>(&mut self, f: impl FnOnce(&mut Self) -> R) -> (Block, R) {
        let around = std::mem::take(&mut self.block);
        let r = f(self);
        (std::mem::replace(&mut self.block, around), r)
    }

    /// A term without a value, as a block.
    pub(crate) fn written(&mut self, t: &Term) -> Block {
        self.apart(|cx| cx.last(t)).0
    }

    /// A term with a value, as a block and an expression.
    pub(crate) fn computed(&mut self, t: &Term) -> (Block, Expr) {
        self.apart(|cx| cx.last_value(t))
    }

    pub(crate) fn spot(&self, v: VarId) -> Spot {
        self.spots.get(&v).cloned().unwrap_or_else(|| panic!("`{}` is nowhere", self.p.names.unique(v)))
    }

    pub(crate) fn put_at(&mut self, v: VarId, spot: Spot) {
        self.spots.insert(v, spot);
    }

    /// The value of a term, after the statements that it needs. Storage that it takes is given back.
    pub(crate) fn value(&mut self, t: &Term) -> Expr {
        if !opens(t) {
            return self.last_value(t);
        }
        let (mut block, e) = self.computed(t);
        let (x, s) = (self.fresh("value"), self.scalar(&e));
        block.push(Stmt::Assign(Place::Var(x), e));
        self.push(Stmt::Var(x, s));
        self.push(Stmt::Block(block));
        Expr::Var(x)
    }

    /// The statements of a term without a value. Storage that it takes is given back.
    pub(crate) fn write(&mut self, t: &Term) {
        if !opens(t) {
            return self.last(t);
        }
        let block = self.written(t);
        self.push(Stmt::Block(block));
    }

    /// The value of the last term of a block.
    fn last_value(&mut self, t: &Term) -> Expr {
        match t {
            Term::Var(v) => Expr::Var(*v),
            Term::Lit(l) => Expr::Lit(*l),
            Term::Const(k) => Expr::Const(*k),
            Term::Size(c, origin) => Expr::Size(c.clone(), *origin),
            Term::Prim(p @ (Prim::And | Prim::Or), ts, origin) => {
                let a = self.value(&ts[0]);
                let (more, b) = self.computed(&ts[1]);
                if more.is_empty() {
                    return Expr::Prim(*p, vec![a, b], *origin);
                }
                let settled = Expr::Lit(Lit::Bool(*p == Prim::Or));
                let (yes, no) = ((more, b), (vec![], settled));
                if *p == Prim::And {
                    self.either(a, Scalar::Bool, yes, no)
                } else {
                    self.either(a, Scalar::Bool, no, yes)
                }
            }
            Term::Prim(p, ts, origin) => Expr::Prim(*p, self.values(ts), *origin),
            Term::App(f, ts, s) => Expr::App(*f, self.values(ts), *s),
            Term::Load(v) => Expr::Load(self.view(v).access),
            Term::Previous(d) => Expr::Load(self.dest(d).access),
            Term::If(c, a, b) => {
                let c = self.value(c);
                let ((first, a), (second, b)) = (self.computed(a), self.computed(b));
                if first.is_empty() && second.is_empty() {
                    return Expr::If(Box::new([c, a, b]));
                }
                let s = self.scalar(&a);
                self.either(c, s, (first, a), (second, b))
            }
            Term::InRange(i, n, origin) => {
                let i = self.value(i);
                let x = self.bound("index", Scalar::Usize, i);
                self.push(Stmt::Check { index: Expr::Var(x), len: n.clone(), origin: *origin });
                Expr::Var(x)
            }
            Term::Demand(ends, origin) => {
                self.demand(ends, *origin);
                Expr::Lit(Lit::Bool(true))
            }
            Term::Assert(parts, origin) => {
                self.assertion(parts, *origin);
                Expr::Lit(Lit::Bool(true))
            }
            Term::Reduce(r) => self.reduce(r),
            Term::Call(c) if c.dests.is_empty() => {
                let s = self.p.interface.callees[c.callee].companion.result_type.expect_scalar();
                let x = self.fresh("value");
                self.push(Stmt::Var(x, s));
                self.call(c, Some(x));
                Expr::Var(x)
            }
            Term::Let(_) | Term::Alloc(_) | Term::Fill(_) | Term::Alias(_) => {
                let body = self.head(t);
                self.last_value(body)
            }
            Term::Fold(f) => {
                self.fold(f);
                self.last_value(&f.then)
            }
            Term::Seq(ts) => {
                let Some((last, before)) = ts.split_last() else { unreachable!("an empty sequence has no value") };
                before.iter().for_each(|t| self.write(t));
                self.last_value(last)
            }
            t => unreachable!("a term without a value where one is needed: {t:?}"),
        }
    }

    /// A check of three numbers, the last of which gets a name: it need not be the length of a buffer.
    fn demand(&mut self, ends: &[Term], origin: Origin) {
        let mut ends = self.values(ends);
        let (Some(len), Some(end), Some(start)) = (ends.pop(), ends.pop(), ends.pop()) else {
            unreachable!("a check of three numbers")
        };
        let len = Card::var(self.bound("len", Scalar::Usize, len));
        self.push(Stmt::CheckRange { start, end, len, origin });
    }

    /// One of two values, each with its statements.
    fn either(&mut self, c: Expr, s: Scalar, (mut first, a): (Block, Expr), (mut second, b): (Block, Expr)) -> Expr {
        let x = self.fresh("either");
        first.push(Stmt::Assign(Place::Var(x), a));
        second.push(Stmt::Assign(Place::Var(x), b));
        self.push(Stmt::Var(x, s));
        self.push(Stmt::If(c, first, second));
        Expr::Var(x)
    }

    /// The values of terms, evaluated in their order. A load gets a name if a later term needs statements, which may
    /// write the element.
    fn values(&mut self, ts: &[Term]) -> Vec<Expr> {
        let mut values: Vec<Expr> = Vec::with_capacity(ts.len());
        for t in ts {
            let (block, e) = self.apart(|cx| cx.value(t));
            if !block.is_empty() {
                values = values.into_iter().mapped(|e| self.kept("operand", e));
            }
            self.block.push_all(block);
            values.push(e);
        }
        values
    }

    /// An expression whose value does not change in later statements.
    pub(crate) fn kept(&mut self, name: &str, e: Expr) -> Expr {
        if !e.loads() {
            return e;
        }
        let s = self.scalar(&e);
        Expr::Var(self.bound(name, s, e))
    }

    /// A name for a value.
    pub(crate) fn bound(&mut self, name: &str, s: Scalar, e: Expr) -> VarId {
        let x = self.fresh(name);
        self.push(Stmt::Let(x, s, e));
        x
    }

    /// The statements of a term that binds names for its body; the body.
    fn head<'t>(&mut self, t: &'t Term) -> &'t Term {
        match t {
            Term::Let(Let { value, body, .. }) if let Term::Demand(ends, origin) = &**value => {
                self.demand(ends, *origin);
                body
            }
            Term::Let(Let { value, body, .. }) if let Term::Assert(parts, origin) = &**value => {
                self.assertion(parts, *origin);
                body
            }
            Term::Let(Let { x, ty, value, body }) => {
                if *ty == Scalar::Usize && crate::schedule::lower::address::divides(value) {
                    self.quotients.insert(*x, (**value).clone());
                }
                let e = self.value(value);
                self.push(Stmt::Let(*x, *ty, e));
                body
            }
            Term::Alloc(Alloc { blocks, body }) => {
                let opened: Vec<BufferId> = blocks.iter().filter_map(|b| self.alloc(b)).collect_vec();
                if !opened.is_empty() {
                    self.push(Stmt::Open(opened));
                }
                body
            }
            Term::Fill(Fill { cells, arrays, write, body }) => {
                cells.iter().for_each(|(c, s)| self.push(Stmt::Var(*c, *s)));
                self.write(write);
                for (x, r) in arrays {
                    let spot = self.spot(*r);
                    self.spots.insert(*x, spot);
                }
                body
            }
            Term::Alias(Alias { x, view, shape, body, .. }) => {
                let spot = self.view(view);
                self.spots.insert(*x, Spot { shape: shape.clone(), ..spot });
                body
            }
            t => unreachable!("a term that binds nothing: {t:?}"),
        }
    }

    /// The buffer of a block that is not placed in other storage.
    fn alloc(&mut self, b: &dps::Block) -> Option<BufferId> {
        let memory = match &b.placement {
            Placement::In(d) => {
                let access = self.dest(d).access;
                self.spots.insert(b.r, Spot { access, shape: b.shape.clone(), strides: None });
                return None;
            }
            Placement::Frame => Memory::Frame,
            Placement::Heap => Memory::Heap,
            Placement::Local => Memory::Local(b.capacity.clone()),
            Placement::Empty => Memory::Empty,
        };
        Some(self.buffer(b.r, b.elem, b.shape.clone(), memory))
    }

    /// The statements of the last term of a block.
    fn last(&mut self, t: &Term) {
        match t {
            Term::Let(_) | Term::Alloc(_) | Term::Fill(_) | Term::Alias(_) => {
                let body = self.head(t);
                self.last(body);
            }
            Term::Seq(ts) => {
                if let Some((last, before)) = ts.split_last() {
                    before.iter().for_each(|t| self.write(t));
                    self.last(last);
                }
            }
            Term::If(c, a, b) => {
                let c = self.value(c);
                let (a, b) = (self.written(a), self.written(b));
                self.push(Stmt::If(c, a, b));
            }
            Term::Build(Build { count, index, body }) => {
                let count = self.count(count);
                self.typed(*index, Scalar::Usize);
                let body = self.written(body);
                self.push(Stmt::For(For { index: *index, count, order: Order::Any, body }));
            }
            Term::Fold(f) => {
                self.fold(f);
                self.last(&f.then);
            }
            Term::Store(d, t) | Term::Set(d, t) => {
                let e = self.value(t);
                let place = self.place(d);
                self.push(Stmt::Assign(place, e));
            }
            Term::Copy(Copy { dest, view, shape, origin }) => {
                let (from, to) = (self.view(view), self.dest(dest).access);
                self.copy(to, from, shape, *origin);
            }
            Term::AlreadyThere(..) | Term::RowThere(_) => {}
            Term::Reduces(r) => self.reduces(r),
            Term::Combine(c) => self.combine(c),
            Term::Call(c) => self.call(c, None),
            t => unreachable!("a value where a term that writes is needed: {t:?}"),
        }
    }
}

/// Whether a term takes storage until its end.
fn opens(t: &Term) -> bool {
    let mut t = t;
    loop {
        t = match t {
            Term::Alloc(Alloc { blocks, .. }) if blocks.iter().any(|b| !matches!(b.placement, Placement::In(_))) => {
                return true;
            }
            Term::Let(_) | Term::Alloc(_) | Term::Fill(_) | Term::Alias(_) => match t.scope() {
                Some(body) => body,
                None => return false,
            },
            Term::Fold(f) => &f.then,
            Term::Seq(ts) => match ts.last() {
                Some(last) => last,
                None => return false,
            },
            _ => return false,
        };
    }
}
