//! In-out arrays: the argument is in the storage that its last value is written to.
//!
//! ```text
//! λy. e   ⟶   λr. alloc P (λs. let y'{s} = copy s y in D⟦e[y'/y]⟧ r)        y is in r
//! ```
//!
//! So the body may read the argument where it has written `r` already. The storage passes place `s` in `r` where it need
//! not, and the copy is a no-op.

use super::Lower;
use crate::dps::{Block, Copy, Dest, Fill, Term, View};
use crate::fsmooth::{Expr, Kind, build, visit};
use crate::infer::ValueShape;
use crate::name::VarId;
use crate::span::Origin;

/// The copy of an argument: its new name and storage.
pub(super) struct Given {
    y: VarId,
    copy: VarId,
    block: Block,
}

impl Lower<'_> {
    /// Renames the in-out arrays that a body reads.
    pub(super) fn given(&mut self, body: &mut Expr) -> Vec<Given> {
        let mut read = std::collections::BTreeSet::new();
        body.each(&mut |e| {
            if let Kind::Var(v) = e.kind() {
                read.insert(*v);
            }
        });
        let params = self.infer.kernel.params.iter().filter(|p| p.in_out && p.ty().is_array() && read.contains(&p.var));
        let params: Vec<_> = params.map(|p| (p.var, p.ty())).collect();
        let mut all = Vec::new();
        for (y, ty) in params {
            let shape = self.infer.shape(&build::var(y, ty.clone(), Default::default())).extents();
            let (copy, r) = (self.names.again(y), self.names.again(y));
            self.infer.bind(copy, ValueShape::Array(shape.clone()));
            visit::rename_all(body, &|v| if v == y { copy } else { v });
            all.push(Given { y, copy, block: self.block(r, ty.leaf_scalars()[0], shape) });
        }
        all
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
