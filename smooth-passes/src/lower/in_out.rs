//! In-out arrays: the argument is in the storage that its last value is written to.
//!
//! ```text
//! λy. e   ⟶   λr. alloc P (λs. let y'{s} = copy s y in D⟦e[y'/y]⟧ r)        y is in r
//! ```
//!
//! So the body may read the argument after it has written `r`. If it does not, the storage passes place `s` in `r`, and
//! the copy is a no-op.

use super::Lower;
use crate::dps::{Block, Copy, Dest, Fill, Term, View};
use crate::fsmooth::{Kernel, Kind, build, visit};
use crate::infer::ValueShape;
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::shape::Param;
use crate::sorted::Set;
use crate::span::Origin;

/// The copy of an argument: its new name and storage.
pub(super) struct Given {
    y: VarId,
    copy: VarId,
    block: Block,
}

/// Renames the in-out arrays that a kernel reads: the arrays and their new names.
pub(super) fn renamed(kernel: &mut Kernel) -> Vec<(VarId, VarId)> {
    let mut read = Set::new();
    kernel.body.each(&mut |e| {
        if let Kind::Var(v) = e.kind() {
            read.insert(*v);
        }
    });
    let mut copies = Vec::new();
    for p in kernel.interface.params.iter().filter(|p| p.in_out && p.ty().is_array() && read.contains(&p.var)) {
        let copy = kernel.names.again(p.var);
        visit::rename_all(&mut kernel.body, &|v| if v == p.var { copy } else { v });
        copies.push((p.var, copy));
    }
    copies
}

impl Lower<'_> {
    /// The storage of the copies.
    pub(super) fn given(&mut self, copies: Vec<(VarId, VarId)>) -> Vec<Given> {
        let given = |(y, copy)| {
            let ty = self.infer.kernel.interface.params.iter().find(|p| p.var == y).map(Param::ty)?;
            let shape = self.infer.shape(&build::var(y, ty.clone(), Origin::default())).extents();
            self.infer.bind(copy, ValueShape::Array(shape.clone()));
            let r = self.names.again(y);
            Some(Given { y, copy, block: self.block(r, *ty.leaf_scalars().first()?, shape) })
        };
        copies.into_iter().filter_map(given).collect_vec()
    }
}

impl Given {
    /// The copy, before the term that reads it.
    pub(super) fn before(self, body: Term) -> Term {
        let Given { y, copy, block } = self;
        let view = View { base: y, steps: vec![] };
        let write = Term::Copy(Copy {
            dest: Dest::Storage(block.r, vec![]),
            view,
            shape: block.shape.clone(),
            origin: Origin::default(),
        });
        let arrays = vec![(copy, block.r)];
        let fill = Fill { cells: vec![], arrays, write: Box::new(write), body: Box::new(body) };
        Term::alloc(block, Term::Fill(fill))
    }
}
