//! The meaning of DPS-F̃ on a simulated stack.
//!
//! Traps what the generated code must never do: a cell written twice, a cell read before it is written,
//! storage used outside its `alloc`, an array that is not full when it gets its name. Reports the peak,
//! which has to be what `plan` announced.

use super::{Arg, Dest, Home, Leaf, Program, State, Step, Term, View};
use crate::fsmooth::eval::{World, sum_in, sums_in};
use crate::name::VarId;
use crate::shape::bytes::ALIGN;
use crate::shape::card::{Atom, Card};
use crate::shape::{Dim, ParamKind, Shape};
use crate::ty::{Scalar, Type};
use crate::value::{Array, Lit, Value};
use std::collections::BTreeMap;

/// A block of memory.
struct Block {
    cells: Vec<Option<Lit>>,
    alive: bool,
}

/// A part of a block.
#[derive(Clone, Debug)]
struct Part {
    block: usize,
    offset: usize,
    dims: Vec<usize>,
    elem: Scalar,
}

impl Part {
    fn len(&self) -> usize {
        self.dims.iter().product()
    }

    fn at(&self, i: usize) -> Part {
        let stride: usize = self.dims[1..].iter().product();
        Part { offset: self.offset + i * stride, dims: self.dims[1..].to_vec(), ..*self }
    }
}

/// What a run gave.
#[derive(Debug)]
pub struct Run {
    /// The result.
    pub value: Value,
    /// The largest number of frame bytes in use at one time.
    pub peak: u64,
    /// How many allocations were made.
    pub allocs: u64,
}

struct Machine<'p> {
    p: &'p Program,
    world: &'p dyn World,
    scalars: BTreeMap<VarId, Lit>,
    parts: BTreeMap<VarId, Part>,
    blocks: Vec<Block>,
    in_use: u64,
    peak: u64,
    allocs: u64,
}

/// Runs a program on argument values.
pub fn run(p: &Program, args: &[Value], world: &dyn World) -> Result<Run, String> {
    let mut m = Machine {
        p,
        world,
        scalars: BTreeMap::new(),
        parts: BTreeMap::new(),
        blocks: vec![],
        in_use: 0,
        peak: 0,
        allocs: 0,
    };
    for (param, v) in p.params.iter().zip(args) {
        match (&param.kind, v) {
            (ParamKind::Scalar(_), Value::Scalar(l)) => drop(m.scalars.insert(param.var, *l)),
            (ParamKind::Array(elem, dims), Value::Array(a)) => {
                let block = m.block(a.data.iter().map(|l| Some(*l)).collect());
                m.parts.insert(param.var, Part { block, offset: 0, dims: a.dims.clone(), elem: *elem });
                for (d, n) in dims.iter().zip(&a.dims) {
                    if let Dim::Size(s) = d {
                        m.scalars.insert(*s, Lit::usize(*n as u64));
                    }
                }
            }
            _ => return Err(format!("{}: argument {} is of another kind", p.name, param.name)),
        }
    }
    let mut outs = Vec::new();
    for l in &p.results {
        if let Leaf::Storage(r, elem, shape) = l {
            let part = m.fresh(*elem, shape)?;
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
    Ok(Run { value, peak: m.peak, allocs: m.allocs })
}

fn assemble(t: &Type, leaves: &mut impl Iterator<Item = Value>) -> Value {
    match t {
        Type::Tuple(ts) => Value::Tuple(ts.iter().map(|t| assemble(t, leaves)).collect()),
        _ => leaves.next().unwrap_or(Value::Tuple(vec![])),
    }
}

impl Machine<'_> {
    fn block(&mut self, cells: Vec<Option<Lit>>) -> usize {
        self.blocks.push(Block { cells, alive: true });
        self.blocks.len() - 1
    }

    fn fresh(&mut self, elem: Scalar, shape: &Shape) -> Result<Part, String> {
        let dims = shape.iter().map(|c| self.card(c)).collect::<Result<Vec<_>, _>>()?;
        let block = self.block(vec![None; dims.iter().product()]);
        Ok(Part { block, offset: 0, dims, elem })
    }

    fn card(&self, c: &Card) -> Result<usize, String> {
        let v = c.eval(&|a| match a {
            Atom::Var(v) => self.scalars.get(v).and_then(|l| l.as_int()).unwrap_or(-1),
            Atom::Len(v, axis) => self.parts.get(v).map_or(-1, |p| p.dims[*axis as usize] as i128),
            Atom::Op(..) | Atom::Lost => -1,
        });
        v.and_then(|v| usize::try_from(v).ok())
            .ok_or_else(|| "attempt to subtract with overflow (a size is negative or too large)".to_string())
    }

    fn scalar(&self, v: VarId) -> Result<Lit, String> {
        self.scalars.get(&v).copied().ok_or_else(|| format!("{} is read before it is assigned", self.p.names.unique(v)))
    }

    fn part(&self, v: VarId) -> Result<Part, String> {
        let part = self.parts.get(&v).cloned().ok_or_else(|| format!("{} is no array here", self.p.names.unique(v)))?;
        if self.blocks[part.block].alive {
            Ok(part)
        } else {
            Err(format!("{} is used after its release", self.p.names.unique(v)))
        }
    }

    fn load(&self, p: &Part) -> Result<Lit, String> {
        self.blocks[p.block].cells[p.offset].ok_or_else(|| "a cell is read before it is written".to_string())
    }

    fn store(&mut self, p: &Part, l: Lit) -> Result<(), String> {
        let cell = &mut self.blocks[p.block].cells[p.offset];
        if cell.is_some() {
            return Err("a cell is written twice".into());
        }
        *cell = Some(l);
        Ok(())
    }

    fn read(&self, p: &Part) -> Result<Value, String> {
        let cells = &self.blocks[p.block].cells[p.offset..p.offset + p.len()];
        let data =
            cells.iter().map(|c| c.ok_or_else(|| "an array is not full".to_string())).collect::<Result<_, _>>()?;
        Ok(Value::Array(Array { elem: p.elem, dims: p.dims.clone(), data }))
    }

    fn write(&mut self, to: &Part, from: &[Lit]) -> Result<(), String> {
        for (k, l) in from.iter().enumerate() {
            self.store(&Part { offset: to.offset + k, dims: vec![], ..*to }, *l)?;
        }
        Ok(())
    }

    fn dest(&mut self, d: &Dest) -> Result<Part, String> {
        let Dest::Storage(r, is) = d else { return Err("a scalar where storage was expected".into()) };
        let mut part = self.part(*r)?;
        for i in is {
            let i = self.usize(i)?;
            if i >= part.dims[0] {
                return Err(format!("destination {}[{i}] is out of range", self.p.names.unique(*r)));
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
            Term::Const(k) => Ok(Some(self.world.constant(&self.p.consts[*k]))),
            Term::Size(c) => Ok(Some(Lit::usize(self.card(c)? as u64))),
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
                p.eval(&values).map(Some).map_err(String::from)
            }
            Term::Load(v) => {
                let part = self.view(v)?;
                if !part.dims.is_empty() {
                    return Err("a load of a whole array".into());
                }
                self.load(&part).map(Some)
            }
            Term::App(..) => Err("functions from outside are not simulated".into()),
            Term::Let(x, _, a, b) => {
                let l = self.value(a)?;
                self.scalars.insert(*x, l);
                self.term(b)
            }
            Term::If(c, a, b) => {
                if self.bool(c)? {
                    self.term(a)
                } else {
                    self.term(b)
                }
            }
            Term::Sum { count, index, body, order } => {
                let n = self.usize(count)?;
                let total = sum_in(*order, n, |k| {
                    self.index(*index, k);
                    Ok(self.value(body)?.as_f64())
                })?;
                Ok(Some(Lit::f64(total)))
            }
            Term::Sums { count, index, terms, body, dests, order } => {
                let n = self.usize(count)?;
                let totals = sums_in(*order, n, terms.len(), |k| {
                    self.index(*index, k);
                    self.scalars.retain(|v, _| !terms.contains(v));
                    self.term(body)?;
                    terms.iter().map(|t| Ok(self.scalar(*t)?.as_f64())).collect()
                })?;
                for (d, total) in dests.iter().zip(totals) {
                    self.put(d, Lit::f64(total))?;
                }
                Ok(None)
            }
            Term::Alloc { r, elem, shape, home, body } => {
                let part = self.fresh(*elem, shape)?;
                let bytes =
                    (part.len() as u64 * elem.bytes()).next_multiple_of(ALIGN) * u64::from(*home == Home::Frame);
                if *home == Home::Empty && part.len() > 0 {
                    return Err("an empty allocation with elements".into());
                }
                let block = part.block;
                self.parts.insert(*r, part);
                self.in_use += bytes;
                self.peak = self.peak.max(self.in_use);
                self.allocs += 1;
                let value = self.term(body)?;
                self.in_use -= bytes;
                self.blocks[block].alive = false;
                self.blocks[block].cells = vec![];
                Ok(value)
            }
            Term::Fill { x, r, write, body } => {
                self.term(write)?;
                let part = self.part(*r)?;
                self.read(&part)?;
                self.parts.insert(*x, part);
                self.term(body)
            }
            Term::Alias { x, view, body, .. } => {
                let part = self.view(view)?;
                self.parts.insert(*x, part);
                self.term(body)
            }
            Term::Cells { cells, write, body } => {
                self.scalars.retain(|v, _| !cells.iter().any(|(c, _)| c == v));
                self.term(write)?;
                self.term(body)
            }
            Term::Build { count, index, body } => {
                for k in 0..self.usize(count)? {
                    self.index(*index, k);
                    self.term(body)?;
                }
                Ok(None)
            }
            Term::Fold { count, index, states, init, step, then } => {
                let n = self.usize(count)?;
                self.fold(n, *index, states, init, step)?;
                self.term(then)
            }
            Term::Store(d, t) => {
                let l = self.value(t)?;
                self.put(d, l)?;
                Ok(None)
            }
            Term::Copy { dest, view, .. } => {
                let from = self.view(view)?;
                let Value::Array(a) = self.read(&from)? else { return Err("a copy of no array".into()) };
                let to = self.dest(dest)?;
                if to.dims != a.dims {
                    return Err(format!("a copy of shape {:?} into shape {:?}", a.dims, to.dims));
                }
                self.write(&to, &a.data)?;
                Ok(None)
            }
            Term::Seq(ts) => ts.iter().try_fold(None, |_, t| self.term(t)),
            Term::Call { callee, dests, args, .. } => self.call(*callee, dests, args),
        }
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

    fn call(&mut self, callee: usize, dests: &[Dest], args: &[Arg]) -> Result<Option<Lit>, String> {
        let mut values = Vec::new();
        for a in args {
            values.push(match a {
                Arg::Scalar(t) => Value::Scalar(self.value(t)?),
                Arg::View(v, _) => {
                    let part = self.view(v)?;
                    self.read(&part)?
                }
            });
        }
        let result = self.world.call(&self.p.callees[callee], &values)?;
        if dests.is_empty() {
            return Ok(Some(result.scalar()));
        }
        for (d, v) in dests.iter().zip(result.leaves()) {
            match (d, v) {
                (Dest::Cell(c), v) => self.assign(*c, v.scalar())?,
                (d, Value::Array(a)) => {
                    let to = self.dest(d)?;
                    self.write(&to, &a.data)?;
                }
                (d, v) => {
                    let to = self.dest(d)?;
                    self.store(&to, v.scalar())?;
                }
            }
        }
        Ok(None)
    }

    fn fold(&mut self, n: usize, index: VarId, states: &[State], init: &Term, step: &Term) -> Result<(), String> {
        // The buffer that the initial state goes to, so that the last step writes the destination.
        let mut buffers = BTreeMap::new();
        for s in states {
            match s {
                State::Scalar { next, .. } => drop(self.scalars.remove(next)),
                State::Array { x, first, dest, other, .. } => {
                    let (d, o) = (self.dest(dest)?, self.part(*other)?);
                    let (now, next) = if n.is_multiple_of(2) { (d, o) } else { (o, d) };
                    self.parts.insert(*first, now.clone());
                    buffers.insert(*x, (now, next));
                }
            }
        }
        self.term(init)?;
        self.turn(states)?;
        for k in 0..n {
            self.index(index, k);
            for s in states {
                if let State::Array { x, next, .. } = s
                    && let Some((now, free)) = buffers.get_mut(x)
                {
                    self.read(now)?;
                    for c in &mut self.blocks[free.block].cells[free.offset..free.offset + free.len()] {
                        *c = None;
                    }
                    self.parts.insert(*x, now.clone());
                    self.parts.insert(*next, free.clone());
                    std::mem::swap(now, free);
                }
            }
            self.term(step)?;
            self.turn(states)?;
        }
        Ok(())
    }

    /// What was `next` is `now`.
    fn turn(&mut self, states: &[State]) -> Result<(), String> {
        for s in states {
            if let State::Scalar { now, next, .. } = s {
                let l = self.scalar(*next)?;
                self.scalars.remove(next);
                self.scalars.insert(*now, l);
            }
        }
        Ok(())
    }
}
