//! The meaning of L̃ on buffers of elements that may not be written yet.
//!
//! Traps what generated code would not notice: an element that is out of range, or read before it is written. A loop
//! whose iterations may run in any order runs in either direction ([`Direction`]). A loop that threads share runs in
//! parts, in an order that mixes them. All orders have to give the same result.

use super::{
    Access, Arg, Block, BufferId, Call, Expr, For, Function, Memory, Order, Out, Output, Place, Reduce, Spread, Stmt,
    Turn, With,
};
use crate::fsmooth::eval::World;
use crate::mapped::{Both, Mapped};
use crate::name::VarId;
use crate::prim::Prim;
use crate::reduction::{self, Ask, Monoid, combine_in, named_in};
use crate::shape::card::{Atom, Card};
use crate::shape::{Dim, ParamKind, open_sizes, values};
use crate::sorted::Map;
use crate::ty::{Scalar, Type};
use crate::value::{Array, Lit, Value};

/// The direction in which loops with [`Order::Any`] run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// First to last.
    Forwards,
    /// Last to first.
    Backwards,
}

/// Runs a function on argument values. `Err` is Rust's panic, or a trap.
pub fn run(f: &Function, args: &[Value], world: &dyn World, direction: Direction) -> Result<Value, String> {
    let mut m = Machine {
        f,
        world,
        direction,
        numbers: Map::new(),
        lens: Map::new(),
        memory: vec![],
        at: Map::new(),
        strided: Map::new(),
    };
    let mut buffers = f.buffers.iter().enumerate().map(|(k, b)| (BufferId(k as u32), b));
    let open = open_sizes(&f.interface.params).into_iter().zip(args.iter().skip(f.interface.params.len()));
    m.numbers.extend(open.map(|(v, n)| (v, n.scalar())));
    for (p, v) in f.interface.params.iter().zip(args) {
        match (&p.kind, v) {
            (ParamKind::Scalar(_), Value::Scalar(l)) => drop(m.numbers.insert(p.var, *l)),
            (ParamKind::Array(_, dims), Value::Array(a)) => {
                for (axis, (d, n)) in dims.iter().zip(&a.dims).enumerate() {
                    m.lens.insert((p.var, axis as u32), *n);
                    if let Dim::Size(s) = d {
                        m.numbers.insert(*s, Lit::usize(*n as u64));
                    }
                }
                let (id, b) = buffers.next().ok_or("an argument without a buffer")?;
                let place = m.allocate(a.data.iter().mapped(|l| Some(*l)));
                m.at.insert(id, place);
                if let Memory::Strided(strides) = &b.memory {
                    m.strided.insert(id, (strides.clone(), a.dims.clone()));
                }
            }
            (ParamKind::Fn(_), _) => {}
            _ => return Err(format!("{}: argument {} is of another kind", f.interface.name, p.name)),
        }
    }
    for (q, of) in values(&f.interface.params) {
        if let (None, Some(n)) = (m.numbers.get(&q), m.numbers.get(&of)) {
            let n = Lit::usize(n.as_int().unwrap_or(0) as u64);
            m.numbers.insert(q, n);
        }
    }
    for (id, b) in buffers.filter(|(_, b)| b.memory == Memory::Result) {
        let place = m.fresh(&b.len)?;
        m.at.insert(id, place);
    }
    m.block(&f.body)?;
    let leaves = f.results.iter().map(|o| m.output(o)).all_ok()?;
    Ok(assemble(&f.result_type, &mut leaves.into_iter()))
}

fn assemble(t: &Type, leaves: &mut impl Iterator<Item = Value>) -> Value {
    match t {
        Type::Tuple(ts) => Value::Tuple(ts.iter().mapped(|t| assemble(t, leaves))),
        _ => leaves.next().unwrap_or_else(|| panic!("a result has fewer values than its type")),
    }
}

/// The number of a piece of memory, and the offset at which a buffer begins in it.
type Spot = (usize, usize);

struct Machine<'f> {
    f: &'f Function,
    world: &'f dyn World,
    direction: Direction,
    numbers: Map<VarId, Lit>,
    lens: Map<(VarId, u32), usize>,
    memory: Vec<Vec<Option<Lit>>>,
    at: Map<BufferId, Spot>,
    /// The strides of strided arguments, and their extents. Strides have no values: an element is identified by its
    /// indices.
    strided: Map<BufferId, (Vec<VarId>, Vec<usize>)>,
}

/// The outcome of a statement: whether the surrounding loop continues.
type Goes = Result<bool, String>;

impl Machine<'_> {
    fn allocate(&mut self, elements: Vec<Option<Lit>>) -> Spot {
        self.memory.push(elements);
        (self.memory.len() - 1, 0)
    }

    fn fresh(&mut self, len: &Card) -> Result<Spot, String> {
        let len = self.size(len)?;
        Ok(self.allocate(vec![None; len]))
    }

    fn output(&self, o: &Output) -> Result<Value, String> {
        match o {
            Output::Var(v) => self.number(*v).map(Value::Scalar),
            Output::Buffer(b, shape) => self.array(&Access { buffer: *b, offset: Card::lit(0) }, shape),
        }
    }

    fn number(&self, v: VarId) -> Result<Lit, String> {
        let l = self.numbers.get(&v).copied();
        l.ok_or_else(|| format!("{} is read before it is assigned", self.f.names.unique(v)))
    }

    /// The integer that a polynomial denotes.
    fn integer(&self, c: &Card) -> Option<i128> {
        c.eval(&|a| match a {
            Atom::Var(v) => self.numbers.get(v).and_then(|l| l.as_int()).unwrap_or(-1),
            Atom::Len(v, axis) => self.lens.get(&(*v, *axis)).map_or(-1, |n| *n as i128),
            Atom::Op(..) | Atom::Untracked => -1,
        })
    }

    fn size(&self, c: &Card) -> Result<usize, String> {
        let n = self.integer(c).and_then(|n| usize::try_from(n).ok());
        n.ok_or_else(|| "attempt to subtract with overflow (a size is negative or too large)".to_string())
    }

    fn element(&self, a: &Access, further: usize) -> Result<Spot, String> {
        let buffer = self.f.buffer(a.buffer);
        let name = || self.f.names.unique(buffer.name);
        if let Some((strides, dims)) = self.strided.get(&a.buffer) {
            let indices = self.indices(a, strides)?;
            if further > 0 || indices.iter().zip(dims).any(|(i, n)| i >= n) {
                return Err(format!("unchecked index of {}: {indices:?} of {dims:?}", name()));
            }
            let at = indices.iter().zip(dims).fold(0, |at, (i, n)| at * n + i);
            return Ok((self.at[&a.buffer].0, at));
        }
        let (memory, base) = *self.at.get(&a.buffer).ok_or_else(|| format!("{} is not open", name()))?;
        let offset = self.integer(&a.offset).and_then(|n| usize::try_from(n).ok());
        let at = offset.map(|n| n + further);
        let within = |at: &usize| base + at < self.memory[memory].len() && *at < self.size(&buffer.len).unwrap_or(0);
        match at.filter(within) {
            Some(at) => Ok((memory, base + at)),
            None => Err(format!("unchecked index of {}: {at:?}", name())),
        }
    }

    /// The indices along the axes of a strided argument.
    fn indices(&self, a: &Access, strides: &[VarId]) -> Result<Vec<usize>, String> {
        let indices = a.indices(strides).ok_or("an offset that is not a sum of multiples of strides")?;
        indices.iter().map(|i| self.size(i)).all_ok()
    }

    fn load(&self, a: &Access, further: usize) -> Result<Lit, String> {
        let (memory, at) = self.element(a, further)?;
        self.memory[memory][at].ok_or_else(|| "an element is read before it is written".to_string())
    }

    fn store(&mut self, a: &Access, further: usize, l: Lit) -> Result<(), String> {
        let (memory, at) = self.element(a, further)?;
        self.memory[memory][at] = Some(l);
        Ok(())
    }

    fn loads(&self, a: &Access, len: usize) -> Result<Vec<Lit>, String> {
        (0..len).map(|k| self.load(a, k)).all_ok()
    }

    fn array(&self, a: &Access, shape: &[Card]) -> Result<Value, String> {
        let dims = shape.iter().map(|c| self.size(c)).all_ok()?;
        if let Some((strides, own)) = self.strided.get(&a.buffer) {
            return self.part((a, self.indices(a, strides)?, own), dims);
        }
        let data = self.loads(a, dims.iter().product())?;
        Ok(Value::Array(Array { elem: self.f.buffer(a.buffer).elem, dims, data }))
    }

    /// A part of a strided argument, from the first indices on along its last axes.
    fn part(&self, (a, first, own): (&Access, Vec<usize>, &[usize]), dims: Vec<usize>) -> Result<Value, String> {
        let (outer, memory) = (own.len() - dims.len(), &self.memory[self.at[&a.buffer].0]);
        let within = |axis: usize| first[axis] < own[axis] || (axis >= outer && dims[axis - outer] == 0);
        let fits = |axis: usize| axis < outer || first[axis] + dims[axis - outer] <= own[axis];
        let count: usize = dims.iter().product();
        if count > 0 && !(0..own.len()).all(|axis| within(axis) && fits(axis)) {
            return Err(format!("a part of {} from {first:?} on", self.f.names.unique(self.f.buffer(a.buffer).name)));
        }
        let element = |mut k: usize| {
            let mut index = first.clone();
            for (axis, n) in dims.iter().enumerate().rev() {
                index[outer + axis] += k % n;
                k /= n;
            }
            let at = index.iter().zip(own).fold(0, |at, (i, n)| at * n + i);
            memory[at].ok_or_else(|| "an element is read before it is written".to_string())
        };
        let data = (0..count).map(element).all_ok()?;
        Ok(Value::Array(Array { elem: self.f.buffer(a.buffer).elem, dims, data }))
    }

    fn put(&mut self, p: &Place, l: Lit) -> Result<(), String> {
        match p {
            Place::Var(v) => {
                self.numbers.insert(*v, l);
                Ok(())
            }
            Place::Element(a) => self.store(a, 0, l),
        }
    }

    fn expr(&self, e: &Expr) -> Result<Lit, String> {
        match e {
            Expr::Var(v) => self.number(*v),
            Expr::Lit(l) => Ok(*l),
            Expr::Const(k) => Ok(self.world.constant(&self.f.interface.consts[*k])),
            Expr::Size(c, _) => Ok(Lit::usize(self.size(c)? as u64)),
            Expr::Load(a) => self.load(a, 0),
            Expr::If(es) => self.expr(&es[if self.expr(&es[0])? == Lit::Bool(true) { 1 } else { 2 }]),
            Expr::App(g, args, _) => {
                let args = args.iter().map(|e| self.expr(e).map(Value::Scalar)).all_ok()?;
                let g = self.f.interface.params.iter().find(|p| p.var == *g).ok_or("no such function")?;
                Ok(self.world.apply(&g.name, &args)?.scalar())
            }
            Expr::Prim(p, es, _) => {
                let first = self.expr(&es[0])?;
                if let (Prim::And, Lit::Bool(false)) | (Prim::Or, Lit::Bool(true)) = (p, first) {
                    return Ok(first);
                }
                let rest = es[1..].iter().map(|e| self.expr(e));
                let values = std::iter::once(Ok(first)).chain(rest).all_ok()?;
                self.world.operation(*p, &values);
                p.eval(&values).map_err(String::from)
            }
        }
    }

    fn exprs(&self, es: &[Expr]) -> Result<Vec<Lit>, String> {
        es.iter().map(|e| self.expr(e)).all_ok()
    }

    fn usize(&self, e: &Expr) -> Result<usize, String> {
        self.expr(e)?.as_int().and_then(|i| usize::try_from(i).ok()).ok_or_else(|| "no usize".to_string())
    }

    fn block(&mut self, b: &Block) -> Goes {
        for s in b {
            if !self.stmt(s)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn stmt(&mut self, s: &Stmt) -> Goes {
        match s {
            Stmt::Let(x, _, e) => {
                let l = self.expr(e)?;
                self.numbers.insert(*x, l);
            }
            Stmt::Var(x, _) => drop(self.numbers.remove(x)),
            Stmt::Assign(p, e) => {
                let l = self.expr(e)?;
                self.put(p, l)?;
            }
            Stmt::Open(bs) => {
                for b in bs {
                    let spot = self.fresh(&self.f.buffer(*b).len)?;
                    self.at.insert(*b, spot);
                }
            }
            Stmt::Block(b) => return self.block(b),
            Stmt::Check { index, len, .. } => {
                let (i, n) = (self.usize(index)?, self.size(len)?);
                if i >= n {
                    return Err(format!("index out of bounds: the len is {n} but the index is {i}"));
                }
            }
            Stmt::CheckRange { start, end, len, .. } => {
                let (s, e, n) = (self.usize(start)?, self.usize(end)?, self.size(len)?);
                if s > e || e > n {
                    return Err(format!("slice {s}..{e} of length {n}"));
                }
            }
            Stmt::For(l) => self.run(l)?,
            Stmt::While(e) => return Ok(self.expr(e)? == Lit::Bool(true)),
            Stmt::Reduce(r) => self.reduce(r)?,
            Stmt::If(c, a, b) => return self.block(if self.expr(c)? == Lit::Bool(true) { a } else { b }),
            Stmt::Copy { to, from, len, .. } => {
                let elements = self.loads(from, self.size(len)?)?;
                elements.into_iter().enumerate().try_for_each(|(k, l)| self.store(to, k, l))?;
            }
            Stmt::Turn(Turn { names, homes, by, .. }) => {
                let (m, by) = (names.len(), self.size(by)?);
                let spots = homes.iter().map(|h| self.home(h)).all_ok()?;
                self.at.extend(names.iter().enumerate().map(|(k, name)| (*name, spots[(k + m - by % m) % m])));
            }
            Stmt::Swap(a, b) => {
                let (old, new) = (self.at[a], self.at[b]);
                self.at.extend([(*a, new), (*b, old)]);
            }
            Stmt::Settle(t) => self.settle(t)?,
            Stmt::Call(c) => self.call(c)?,
            Stmt::Spread(s) => self.spread(s)?,
        }
        Ok(true)
    }

    /// The place of the first element of a home; the home may have no elements.
    fn home(&self, a: &Access) -> Result<Spot, String> {
        let (memory, base) = self.at.get(&a.buffer).copied().ok_or("a home that is not open")?;
        Ok((memory, base + self.size(&a.offset)?))
    }

    fn run(&mut self, l: &For) -> Result<(), String> {
        let n = self.size(&l.count)?;
        for k in 0..n {
            let backwards = l.order == Order::Any && self.direction == Direction::Backwards;
            let k = if backwards { n - 1 - k } else { k };
            self.numbers.insert(l.index, Lit::usize(k as u64));
            if !self.block(&l.body)? {
                break;
            }
        }
        Ok(())
    }

    /// Runs a loop in parts of different lengths, the odd parts first; in reverse if the direction is backwards.
    fn spread(&mut self, s: &Spread) -> Result<(), String> {
        let n = self.size(&s.count)?;
        let mut parts = vec![];
        let (mut first, mut len) = (0, 1);
        while first < n {
            parts.push((first, len.min(n - first)));
            (first, len) = (first + len, len % 3 + 1);
        }
        let (even, odd): (Vec<_>, Vec<_>) = parts.into_iter().enumerate().partition(|(k, _)| k % 2 == 0);
        let mut order: Vec<(usize, usize)> = odd.into_iter().chain(even).mapped(|(_, part)| part);
        if self.direction == Direction::Backwards {
            order.reverse();
        }
        for (first, len) in order {
            self.numbers.extend([(s.first, first), (s.len, len)].both(|(x, n)| (x, Lit::usize(n as u64))));
            for strip in &s.strips {
                let ((memory, base), width) = (self.home(&strip.home)?, self.size(&strip.width)?);
                self.at.insert(strip.name, (memory, base + first * width));
            }
            self.block(&s.body)?;
        }
        Ok(())
    }

    fn reduce(&mut self, r: &Reduce) -> Result<(), String> {
        let n = self.size(&r.count)?;
        let totals = match &r.with {
            With::Monoid(m) => {
                let elem = r.elems.first().copied().unwrap_or(Scalar::F64);
                let kind = (*m, reduction::Order::Lanes, elem);
                named_in(kind, (n, r.terms.len()), |k| self.term(r, k))?
            }
            With::Products => {
                let elem = r.elems.first().copied().unwrap_or(Scalar::F64);
                let kind = (Monoid::Sum, reduction::Order::Lanes, elem);
                named_in(kind, (n, r.elems.len()), |k| {
                    let factors = self.term(r, k)?;
                    let product = |pair: &[Lit]| Prim::Mul.eval(pair).map_err(String::from);
                    factors.chunks(2).map(product).all_ok()
                })?
            }
            With::Function { init, left, right, body, next } => {
                let start = self.exprs(init)?;
                combine_in(n, start, |ask| match ask {
                    Ask::Term(k) => self.term(r, k),
                    Ask::Combine(a, b) => {
                        self.numbers.extend(left.iter().copied().zip(a).chain(right.iter().copied().zip(b)));
                        self.block(body)?;
                        self.exprs(next)
                    }
                })?
            }
        };
        self.numbers.extend(r.totals.iter().copied().zip(totals));
        Ok(())
    }

    fn term(&mut self, r: &Reduce, k: usize) -> Result<Vec<Lit>, String> {
        self.numbers.insert(r.index, Lit::usize(k as u64));
        self.block(&r.body)?;
        self.exprs(&r.terms)
    }

    fn settle(&mut self, Turn { names, homes, one, .. }: &Turn) -> Result<(), String> {
        let count = if *one { 1 } else { names.len() };
        let mut moved = vec![];
        for (name, home) in names.iter().zip(homes).take(count) {
            let len = self.size(&self.f.buffer(*name).len)?;
            let (home, (memory, at)) = (self.home(home)?, self.at[name]);
            // If the loops around had no iterations, the elements are unwritten.
            moved.push((home, self.memory[memory][at..at + len].to_vec()));
        }
        for ((memory, at), elements) in moved {
            self.memory[memory][at..at + elements.len()].copy_from_slice(&elements);
        }
        Ok(())
    }

    fn call(&mut self, c: &Call) -> Result<(), String> {
        let callee = &self.f.interface.callees[c.callee];
        c.sizes.iter().try_for_each(|n| self.size(n).map(drop))?;
        let args = c.args.iter().map(|a| match a {
            Arg::Scalar(e) => self.expr(e).map(Value::Scalar),
            Arg::Array(a, shape, _) => self.array(a, shape),
            Arg::There(k) => match &c.outs[*k] {
                Out::Array(a, shape) => self.array(a, shape),
                Out::Place(Place::Var(v)) => self.number(*v).map(Value::Scalar),
                Out::Place(Place::Element(a)) => self.load(a, 0).map(Value::Scalar),
            },
        });
        let result = self.world.answer(callee, &args.all_ok()?)?;
        for (o, v) in c.outs.iter().zip(result.leaves()) {
            match (o, v) {
                (Out::Array(a, _), Value::Array(v)) => {
                    v.data.iter().enumerate().try_for_each(|(k, l)| self.store(a, k, *l))?;
                }
                (Out::Place(p), v) => self.put(p, v.scalar())?,
                (Out::Array(..), _) => return Err("a number where an array was expected".into()),
            }
        }
        Ok(())
    }
}
