//! The meaning of DPS-F̃ on a simulated stack.
//!
//! Traps errors of the generated code: it must not write a cell twice in one lifetime, read a cell before it is written
//! or after it was overwritten for a different value, use storage outside its `alloc`, or name an array that is not
//! full. Reports the peak, which equals the frame that `plan` announced if every allocation was reached.

mod calls;
mod folds;
mod live;
mod memory;

use super::{
    Alias, Alloc, Block, Build, Combine, Copy, Dest, Fill, Leaf, Let, Placement, Program, Reduce, Reduces, RowThere,
    Step, Term, View,
};
use crate::fsmooth::eval::World;
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::reduction::{Ask, combine_in, named_in};
use crate::shape::bytes::ALIGN;
use crate::shape::{Dim, ParamKind, open_sizes, values};
use crate::sorted::{Map, Set};
use crate::ty::Type;
use crate::value::{Lit, Value};
use calls::apart;
use live::Touches;
use memory::{Cell, Memory, Part};

/// The outcome of a run.
#[derive(Debug)]
pub struct Run {
    /// The result.
    pub value: Value,
    /// The largest number of frame bytes in use at one time.
    pub peak: u64,
    /// The largest number of frame bytes that are live, if the run was asked for it ([`run_live`]).
    pub live: u64,
    /// The number of allocations that were made.
    pub allocs: u64,
    /// The number of cells that were written, those of copies included.
    pub written: u64,
    /// The blocks of the frame that were allocated at least once.
    pub reached: Set<VarId>,
    /// The number of calls in the program that were made at least once.
    pub called: usize,
}

struct Machine<'p> {
    p: &'p Program,
    world: &'p dyn World,
    scalars: Map<VarId, Lit>,
    parts: Map<VarId, Part>,
    blocks: Vec<Memory>,
    in_use: u64,
    peak: u64,
    allocs: u64,
    written: u64,
    reached: Set<VarId>,
    /// Calls that were made, by their addresses.
    called: Set<*const Term>,
    lives: u64,
    touches: Option<Touches>,
}

/// Runs a program on argument values, followed by those of the open sizes. Function parameters are `world`'s: the
/// arguments at their positions are ignored.
pub fn run(p: &Program, args: &[Value], world: &dyn World) -> Result<Run, String> {
    run_with(p, args, world, None)
}

/// As [`run`], and computes [`Run::live`].
pub fn run_live(p: &Program, args: &[Value], world: &dyn World) -> Result<Run, String> {
    run_with(p, args, world, Some(Touches::default()))
}

fn run_with(p: &Program, args: &[Value], world: &dyn World, touches: Option<Touches>) -> Result<Run, String> {
    let mut m = Machine {
        p,
        world,
        scalars: Map::new(),
        parts: Map::new(),
        blocks: vec![],
        in_use: 0,
        peak: 0,
        allocs: 0,
        written: 0,
        reached: Set::new(),
        called: Set::new(),
        lives: 0,
        touches,
    };
    let open = open_sizes(&p.interface.params).into_iter().zip(args.iter().skip(p.interface.params.len()));
    m.scalars.extend(open.map(|(v, n)| (v, n.scalar())));
    for (param, v) in p.interface.params.iter().zip(args) {
        match (&param.kind, v) {
            (ParamKind::Scalar(_), Value::Scalar(l)) => drop(m.scalars.insert(param.var, *l)),
            (ParamKind::Array(elem, dims), Value::Array(a)) => {
                let life = m.life();
                let block = m.block(a.data.iter().mapped(|l| Cell { value: Some(*l), life }));
                m.parts.insert(param.var, Part { block, offset: 0, dims: a.dims.clone(), elem: *elem, life });
                for (d, n) in dims.iter().zip(&a.dims) {
                    if let Dim::Size(s) = d {
                        m.scalars.insert(*s, Lit::usize(*n as u64));
                    }
                }
            }
            (ParamKind::Fn(_), _) => {}
            _ => return Err(format!("{}: argument {} is of another kind", p.interface.name, param.name)),
        }
    }
    for (q, of) in values(&p.interface.params) {
        if let (None, Some(n)) = (m.scalars.get(&q), m.scalars.get(&of)) {
            let n = Lit::usize(n.as_int().unwrap_or(0) as u64);
            m.scalars.insert(q, n);
        }
    }
    let mut outs = Vec::new();
    let given: Map<VarId, VarId> = p.in_out().filter_map(|(q, _)| Some((p.storage_of(q.var)?, q.var))).collect();
    for l in &p.results {
        if let Leaf::Storage(r, elem, shape) = l {
            let part = match given.get(r) {
                // Writing there overwrites the argument.
                Some(x) => Part { life: m.life(), ..m.part(*x)? },
                None => m.fresh(*elem, shape)?,
            };
            m.parts.insert(*r, part.clone());
            outs.push(part);
        }
    }
    let value = m.term(&p.body)?;
    let mut outs = outs.into_iter();
    let mut leaves = Vec::new();
    for l in &p.results {
        leaves.push(match l {
            Leaf::Value(_) => Value::Scalar(value.ok_or("no value")?),
            Leaf::Cell(v, _) => Value::Scalar(m.scalar(*v)?),
            Leaf::Storage(..) => m.read(&outs.next().ok_or("no storage")?)?,
        });
    }
    if m.in_use != 0 {
        return Err("storage is still in use at the end".into());
    }
    let value = assemble(&p.result_type, &mut leaves.into_iter());
    let live = m.touches.map_or(0, |t| t.most());
    Ok(Run {
        value,
        peak: m.peak,
        live,
        allocs: m.allocs,
        written: m.written,
        reached: m.reached,
        called: m.called.len(),
    })
}

fn assemble(t: &Type, leaves: &mut impl Iterator<Item = Value>) -> Value {
    match t {
        Type::Tuple(ts) => Value::Tuple(ts.iter().mapped(|t| assemble(t, leaves))),
        _ => leaves.next().unwrap_or_else(|| panic!("a result has fewer values than its type")),
    }
}

impl Machine<'_> {
    fn dest(&mut self, d: &Dest) -> Result<Part, String> {
        let Dest::Storage(r, is) = d else { return Err("a scalar where storage was expected".into()) };
        let mut part = self.part(*r)?;
        for i in is {
            let i = self.usize(i)?;
            if i >= part.dims[0] {
                return Err(format!("unchecked destination {}[{i}] out of range", self.p.names.unique(*r)));
            }
            part = part.at(i);
        }
        Ok(part)
    }

    fn view(&mut self, v: &View) -> Result<Part, String> {
        let mut part = self.part(v.base)?;
        for s in &v.steps {
            let len = part.dims[0];
            match s {
                Step::At { index, check, .. } => {
                    let i = self.usize(index)?;
                    if i >= len {
                        let text = format!("index out of bounds: the len is {len} but the index is {i}");
                        return Err(if check.is_some() { text } else { format!("unchecked {text}") });
                    }
                    part = part.at(i);
                }
                Step::Range { start, end, check, .. } => {
                    let (s, e) = (self.usize(start)?, self.usize(end)?);
                    if s > e || e > len {
                        let text = format!("slice {s}..{e} of length {len}");
                        return Err(if check.is_some() { text } else { format!("unchecked {text}") });
                    }
                    let stride: usize = part.dims[1..].iter().product();
                    part.offset += s * stride;
                    part.dims[0] = e - s;
                }
            }
        }
        Ok(part)
    }

    fn usize(&mut self, t: &Term) -> Result<usize, String> {
        let l = self.value(t)?;
        l.as_int().and_then(|i| usize::try_from(i).ok()).ok_or_else(|| "no usize".to_string())
    }

    fn value(&mut self, t: &Term) -> Result<Lit, String> {
        self.term(t)?.ok_or_else(|| "a term without value".to_string())
    }

    fn bool(&mut self, t: &Term) -> Result<bool, String> {
        Ok(self.value(t)? == Lit::Bool(true))
    }

    fn index(&mut self, i: VarId, k: usize) {
        self.scalars.insert(i, Lit::usize(k as u64));
    }

    fn assign(&mut self, v: VarId, l: Lit) -> Result<(), String> {
        if self.scalars.insert(v, l).is_some() {
            return Err(format!("{} is assigned twice", self.p.names.unique(v)));
        }
        Ok(())
    }

    fn term(&mut self, t: &Term) -> Result<Option<Lit>, String> {
        match t {
            Term::Var(v) => self.scalar(*v).map(Some),
            Term::Lit(l) => Ok(Some(*l)),
            Term::Const(k) => Ok(Some(self.world.constant(&self.p.interface.consts[*k]))),
            Term::Size(c, _) => Ok(Some(Lit::usize(self.card(c)? as u64))),
            Term::Prim(p, args, _) => {
                use crate::prim::Prim;
                let first = self.value(&args[0])?;
                match (p, first) {
                    (Prim::And, Lit::Bool(false)) | (Prim::Or, Lit::Bool(true)) => return Ok(Some(first)),
                    _ => {}
                }
                let mut values = vec![first];
                for a in &args[1..] {
                    values.push(self.value(a)?);
                }
                self.world.operation(*p, &values);
                p.eval(&values).map(Some).map_err(String::from)
            }
            Term::Load(v) => {
                let part = self.view(v)?;
                if !part.dims.is_empty() {
                    return Err("a load of a whole array".into());
                }
                self.load(&part).map(Some)
            }
            Term::App(f, args, _) => self.apply(*f, args),
            Term::Let(Let { x, value, body, .. }) => {
                let l = self.value(value)?;
                self.scalars.insert(*x, l);
                self.term(body)
            }
            Term::If(c, a, b) => {
                if self.bool(c)? {
                    self.term(a)
                } else {
                    self.term(b)
                }
            }
            Term::Reduce(Reduce { count, index, elem, body, with, order, .. }) => {
                let n = self.usize(count)?;
                let total = named_in((*with, *order, *elem), (n, 1), |k| {
                    self.index(*index, k);
                    self.value(body).map(|l| vec![l])
                })?;
                Ok(total.first().copied())
            }
            Term::Reduces(Reduces { count, index, elem, terms, body, dests, with, order, .. }) => {
                let n = self.usize(count)?;
                let totals = named_in((*with, *order, *elem), (n, terms.len()), |k| {
                    self.index(*index, k);
                    self.assigned(terms, body)
                })?;
                dests.iter().zip(totals).try_for_each(|(d, total)| self.put(d, total))?;
                Ok(None)
            }
            Term::Combine(Combine { count, index, terms, body, left, right, next, combine, init, dests, .. }) => {
                let n = self.usize(count)?;
                let start = self.assigned(next, init)?;
                let totals = combine_in(n, start, |ask| match ask {
                    Ask::Term(k) => {
                        self.index(*index, k);
                        self.assigned(terms, body)
                    }
                    Ask::Combine(a, b) => {
                        self.scalars.extend(left.iter().copied().zip(a).chain(right.iter().copied().zip(b)));
                        self.assigned(next, combine)
                    }
                })?;
                dests.iter().zip(totals).try_for_each(|(d, total)| self.put(d, total))?;
                Ok(None)
            }
            Term::Previous(d) => {
                let part = self.dest(d)?;
                self.touched(&part);
                let cell = self.blocks[part.block].cells[part.offset];
                match cell.value {
                    Some(l) if cell.life != part.life => Ok(Some(l)),
                    _ => Err("an old cell is read after it was overwritten".into()),
                }
            }
            Term::Alloc(Alloc { blocks, body }) => {
                let before = self.in_use;
                let mut owned = Vec::new();
                for b in blocks {
                    let part = self.place(b)?;
                    if !matches!(b.placement, Placement::In(_)) {
                        owned.push(part.block);
                    }
                    self.parts.insert(b.r, part);
                }
                self.peak = self.peak.max(self.in_use);
                self.allocs += u64::from(!owned.is_empty());
                let value = self.term(body)?;
                self.in_use = before;
                for block in owned {
                    self.blocks[block] = Memory { cells: vec![], alive: false };
                }
                Ok(value)
            }
            Term::Fill(Fill { cells, arrays, write, body }) => {
                self.scalars.retain(|v, _| !cells.iter().any(|(c, _)| c == v));
                for (_, r) in arrays {
                    let life = self.life();
                    self.parts.entry(*r).and_modify(|p| p.life = life);
                }
                self.term(write)?;
                for (x, r) in arrays {
                    let part = self.part(*r)?;
                    self.full(&part)?;
                    self.parts.insert(*x, part);
                }
                self.term(body)
            }
            Term::AlreadyThere(d, x) => {
                let (from, to) = (self.part(*x)?, self.dest(d)?);
                self.hand_over(&from, &to)?;
                Ok(None)
            }
            Term::RowThere(RowThere { dest, array, at, row }) => {
                let (all, to) = (self.part(*array)?, self.dest(dest)?);
                let there = self.dest(&at.iter().cloned().fold(dest.clone(), Dest::at))?;
                let from = self.part(*row)?;
                self.hand_over_row(&from, &Part { life: all.life, ..there })?;
                self.hand_over(&all, &to)?;
                Ok(None)
            }
            Term::Alias(Alias { x, view, body, .. }) => {
                let part = self.view(view)?;
                self.parts.insert(*x, part);
                self.term(body)
            }
            Term::Build(Build { count, index, body }) => {
                for k in 0..self.usize(count)? {
                    self.index(*index, k);
                    self.term(body)?;
                }
                Ok(None)
            }
            Term::Fold(f) => {
                self.fold(f)?;
                self.term(&f.then)
            }
            Term::Store(d, t) => {
                let l = self.value(t)?;
                self.put(d, l)?;
                Ok(None)
            }
            Term::Set(d, t) => {
                let l = self.value(t)?;
                let part = self.dest(d)?;
                self.overwrite(&part, l)?;
                Ok(None)
            }
            Term::InRange(t, n, _) => {
                let (i, n) = (self.usize(t)?, self.card(n)?);
                if i >= n {
                    return Err(format!("index out of bounds: the len is {n} but the index is {i}"));
                }
                Ok(Some(Lit::usize(i as u64)))
            }
            Term::Demand(ts, _) => {
                let ends = ts.iter().map(|t| self.usize(t)).collect::<Result<Vec<_>, _>>()?;
                if ends.is_sorted() {
                    Ok(Some(Lit::Bool(true)))
                } else {
                    Err(format!("a slice out of range: {ends:?}"))
                }
            }
            Term::Assert(parts, _) => {
                let [condition, failure] = &**parts;
                if !self.bool(condition)? {
                    self.term(failure)?;
                    return Err("an assertion that does not hold".into());
                }
                Ok(Some(Lit::Bool(true)))
            }
            Term::Copy(Copy { dest, view, .. }) => {
                let from = self.view(view)?;
                let Value::Array(a) = self.read(&from)? else { return Err("a copy of no array".into()) };
                let to = self.dest(dest)?;
                apart(&from, &to)?;
                if to.dims != a.dims {
                    return Err(format!("a copy of shape {:?} into shape {:?}", a.dims, to.dims));
                }
                self.write(&to, &a.data)?;
                Ok(None)
            }
            Term::Seq(ts) => ts.iter().try_fold(None, |_, t| self.term(t)),
            Term::Call(c) => {
                self.called.insert(std::ptr::from_ref(t));
                self.call(c)
            }
        }
    }

    /// Runs a term that assigns these cells: their values.
    fn assigned(&mut self, cells: &[VarId], t: &Term) -> Result<Vec<Lit>, String> {
        self.scalars.retain(|v, _| !cells.contains(v));
        self.term(t)?;
        cells.iter().map(|c| self.scalar(*c)).all_ok()
    }

    fn put(&mut self, d: &Dest, l: Lit) -> Result<(), String> {
        if let Dest::Cell(v) = d {
            return self.assign(*v, l);
        }
        let part = self.dest(d)?;
        if !part.dims.is_empty() {
            return Err("a scalar stored over an array".into());
        }
        self.store(&part, l)
    }

    /// The memory of a block of an allocation.
    fn place(&mut self, b: &Block) -> Result<Part, String> {
        if let Placement::In(d) = &b.placement {
            let (place, dims, life) = (self.dest(d)?, self.dims(&b.shape)?, self.life());
            let part = Part { dims, life, ..place.clone() };
            return if part.len() <= place.len() && part.elem == b.elem {
                Ok(part)
            } else {
                Err(format!("{} does not fit where it lives", self.p.names.unique(b.r)))
            };
        }
        let part = self.fresh(b.elem, &b.shape)?;
        if b.placement == Placement::Empty && part.len() > 0 {
            return Err("an empty allocation with elements".into());
        }
        if b.placement == Placement::Frame {
            self.in_use += (part.len() as u64 * b.elem.bytes()).next_multiple_of(ALIGN);
            if let Some(t) = &mut self.touches {
                t.frame.insert(part.block, b.elem.bytes());
            }
            self.reached.insert(b.r);
        }
        Ok(part)
    }
}
