//! The memory of the simulated stack: blocks of cells, and the accesses that a lifetime permits.

use super::Machine;
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::shape::Shape;
use crate::shape::card::{Atom, Card};
use crate::ty::Scalar;
use crate::value::{Array, Lit, Value};

/// A block of memory.
pub(super) struct Memory {
    pub(super) cells: Vec<Cell>,
    pub(super) alive: bool,
}

/// A place for a number, and the lifetime that it was written in.
#[derive(Clone, Copy)]
pub(super) struct Cell {
    pub(super) value: Option<Lit>,
    pub(super) life: u64,
}

/// A part of a block, in one lifetime: of storage, the one that is written now; of an array, the one it is read in.
#[derive(Clone, Debug)]
pub(super) struct Part {
    pub(super) block: usize,
    pub(super) offset: usize,
    pub(super) dims: Vec<usize>,
    pub(super) elem: Scalar,
    pub(super) life: u64,
}

impl Part {
    pub(super) fn len(&self) -> usize {
        self.dims.iter().product()
    }

    /// The cell with this number.
    pub(super) fn cell(&self, k: usize) -> Part {
        Part { offset: self.offset + k, dims: vec![], ..*self }
    }

    pub(super) fn at(&self, i: usize) -> Part {
        let stride: usize = self.dims[1..].iter().product();
        Part { offset: self.offset + i * stride, dims: self.dims[1..].to_vec(), ..*self }
    }
}

impl Machine<'_> {
    pub(super) fn block(&mut self, cells: Vec<Cell>) -> usize {
        self.blocks.push(Memory { cells, alive: true });
        self.blocks.len() - 1
    }

    /// A new lifetime.
    pub(super) fn life(&mut self) -> u64 {
        self.lives += 1;
        self.lives
    }

    pub(super) fn dims(&self, shape: &Shape) -> Result<Vec<usize>, String> {
        shape.iter().map(|c| self.card(c)).all_ok()
    }

    pub(super) fn fresh(&mut self, elem: Scalar, shape: &Shape) -> Result<Part, String> {
        let (dims, life) = (self.dims(shape)?, self.life());
        let block = self.block(vec![Cell { value: None, life: 0 }; dims.iter().product()]);
        Ok(Part { block, offset: 0, dims, elem, life })
    }

    pub(super) fn card(&self, c: &Card) -> Result<usize, String> {
        let v = c.eval(&|a| match a {
            Atom::Var(v) => self.scalars.get(v).and_then(|l| l.as_int()).unwrap_or(-1),
            Atom::Len(v, axis) => self.parts.get(v).map_or(-1, |p| p.dims[*axis as usize] as i128),
            Atom::Op(..) | Atom::Untracked => -1,
        });
        v.and_then(|v| usize::try_from(v).ok())
            .ok_or_else(|| "attempt to subtract with overflow (a size is negative or too large)".to_string())
    }

    pub(super) fn scalar(&self, v: VarId) -> Result<Lit, String> {
        self.scalars.get(&v).copied().ok_or_else(|| format!("{} is read before it is assigned", self.p.names.unique(v)))
    }

    pub(super) fn part(&self, v: VarId) -> Result<Part, String> {
        let part =
            self.parts.get(&v).cloned().ok_or_else(|| format!("{} is not an array here", self.p.names.unique(v)))?;
        if self.blocks[part.block].alive {
            Ok(part)
        } else {
            Err(format!("{} is used after its release", self.p.names.unique(v)))
        }
    }

    /// Notes that a cell is read.
    pub(super) fn touched(&self, p: &Part) {
        if let Some(t) = &self.touches {
            t.read(p.block, p.offset);
        }
    }

    pub(super) fn load(&self, p: &Part) -> Result<Lit, String> {
        self.touched(p);
        self.cell(p)
    }

    /// The value of a cell that belongs to the part.
    fn cell(&self, p: &Part) -> Result<Lit, String> {
        let cell = self.blocks[p.block].cells[p.offset];
        match cell.value {
            Some(l) if cell.life == p.life => Ok(l),
            Some(_) => Err("a cell is read when it belongs to another value".into()),
            None => Err("a cell is read before it is written".into()),
        }
    }

    pub(super) fn store(&mut self, p: &Part, l: Lit) -> Result<(), String> {
        let cell = &mut self.blocks[p.block].cells[p.offset];
        if cell.life == p.life {
            return Err("a cell is written twice".into());
        }
        *cell = Cell { value: Some(l), life: p.life };
        self.written += 1;
        self.changed(p);
        Ok(())
    }

    /// Overwrites a cell of a full array within the lifetime in which it was written.
    pub(super) fn overwrite(&mut self, p: &Part, l: Lit) -> Result<(), String> {
        if !p.dims.is_empty() {
            return Err("a scalar stored over an array".into());
        }
        self.cell(p).map_err(|e| format!("an update of an array that is not full: {e}"))?;
        self.blocks[p.block].cells[p.offset].value = Some(l);
        self.written += 1;
        self.changed(p);
        Ok(())
    }

    pub(super) fn cells(&mut self, p: &Part) -> &mut [Cell] {
        &mut self.blocks[p.block].cells[p.offset..p.offset + p.len()]
    }

    /// The whole of a part, which has to be full.
    pub(super) fn read(&self, p: &Part) -> Result<Value, String> {
        let data = (0..p.len())
            .map(|k| {
                let cell = Part { offset: p.offset + k, dims: vec![], ..*p };
                self.load(&cell).map_err(|e| format!("an array is not full: {e}"))
            })
            .all_ok()?;
        Ok(Value::Array(Array { elem: p.elem, dims: p.dims.clone(), data }))
    }

    /// Whether each cell of a part has a value.
    pub(super) fn full(&self, p: &Part) -> Result<(), String> {
        (0..p.len()).try_for_each(|k| self.cell(&p.cell(k)).map(drop)).map_err(|e| format!("an array is not full: {e}"))
    }

    /// Notes that a cell is written.
    fn changed(&self, p: &Part) {
        if let Some(t) = &self.touches {
            t.write(p.block, p.offset);
        }
    }

    pub(super) fn write(&mut self, to: &Part, from: &[Lit]) -> Result<(), String> {
        for (k, l) in from.iter().enumerate() {
            self.store(&Part { offset: to.offset + k, dims: vec![], ..*to }, *l)?;
        }
        Ok(())
    }

    /// Makes a full row a part of the array that it is in.
    pub(super) fn hand_over_row(&mut self, from: &Part, to: &Part) -> Result<(), String> {
        self.full(from)?;
        if (from.block, from.offset, from.len()) != (to.block, to.offset, to.len()) {
            return Err("a row is not where it is said to be".into());
        }
        self.cells(to).iter_mut().for_each(|c| c.life = to.life);
        Ok(())
    }

    /// Moves a full part into the lifetime of `to`, without moving its cells.
    pub(super) fn hand_over(&mut self, from: &Part, to: &Part) -> Result<(), String> {
        self.full(from)?;
        if (from.block, from.offset, from.len()) != (to.block, to.offset, to.len()) {
            return Err("a value is not where it is said to be".into());
        }
        if self.cells(to).iter().any(|c| c.life == to.life) {
            return Err("a cell is written twice".into());
        }
        self.cells(to).iter_mut().for_each(|c| c.life = to.life);
        Ok(())
    }
}
