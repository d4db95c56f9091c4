//! `f::jacobian`, row by row: the same as column by column, by the reverse mode.
//!
//! ```text
//! λx̄. e   ⟶   λx̄. (e, J)          J = build m (λk. accum x̄ = 0 { R⟦e⟧ (the kth unit vector) })
//! ```
//!
//! Few rows are written one after the other, over one value of the kernel. The cotangent of an array that is a literal is that
//! of one of its elements: what the others depend on is not touched.

use super::forward::Lets;
use super::interface::{Out, changing, extents, is_float, jacobian_type, permuted, rows_of, shape_by_rows};
use super::reverse::{Opened, Reverse};
use super::statements::{Block, Shape, Statement, before_needed, index};
use super::sweeps::sweeps;
use super::{Derived, Undifferentiable, Wanted};
use crate::fsmooth::{Expr, Kernel, Kind, Written, build, take};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::shape::{self, Param};
use crate::ty::Type;

/// The largest number of rows that are written one after the other.
const FEW: u64 = 16;

/// The Jacobian of a kernel without in-out parameters.
pub(super) fn rows(
    mut kernel: Kernel,
    (written, shapes): (&Written, &[shape::Shape]),
    wanted: &Wanted<'_>,
) -> Result<Derived, Undifferentiable> {
    let (mut names, o) = (std::mem::take(&mut kernel.names), written.result_at);
    let places = changing(&kernel, wanted.of).into_iter().mapped(|(p, at)| (p.clone(), at));
    let params = places.iter().mapped(|(p, _)| p.clone());
    let few = static_count(shapes, &kernel.body.ty).is_some_and(|n| (1..=FEW).contains(&n));
    let mut parts: Vec<Vec<Expr>> = Vec::new();
    let (befores, values) = sweeps(&mut kernel, &params, wanted.how(), &mut names, |mode, opened, block| {
        for (k, leaf) in super::forward::leaves(opened.1).iter().enumerate().filter(|(_, leaf)| is_float(&leaf.ty)) {
            let own = Rows { params: &params, opened: &opened, block: &mut *block };
            parts.push(match (few, shapes[k].iter().map(extent_of).collect::<Option<Vec<_>>>()) {
                (true, Some(extents)) if !extents.contains(&0) => own.one_by_one(leaf, &extents, mode),
                _ => own.by_loops(leaf, mode),
            });
        }
    })?;

    let mut lets = Lets::new();
    let mut outs = values.iter().enumerate().mapped(|(k, v)| Out::of_value(v.clone(), k, written));
    let floats = (0..values.len()).filter(|k| is_float(&values[*k].ty)).collect_vec();
    for at in 0..wanted.of.len() {
        for (n, k) in floats.iter().enumerate() {
            for (j, (p, _)) in places.iter().enumerate().filter(|(_, (_, own))| *own == at) {
                let mut shape = shape_by_rows(*k, written, &mut names);
                let own = shape.len();
                shape.push_all(extents(p, o).into_iter().map(Some));
                let mut part = take(&mut parts[n][j]);
                if written.column_major[*k] {
                    let axes = (0..own).rev().chain(own..part.ty.rank()).collect_vec();
                    part = permuted(part, &axes, &mut names, &mut lets);
                }
                if p.column_major {
                    part = rows_of(part, own, &mut names, &mut lets);
                }
                outs.push(Out::by_rows(part, shape));
            }
        }
    }
    let interface = (written.interface.0.clone(), jacobian_type(written, wanted));
    kernel.names = names;
    let mut derived = Derived::new(kernel, (written, wanted), interface, (lets, outs), vec![]);
    let body = take(&mut derived.kernel.body);
    derived.kernel.body = before_needed(befores, body);
    Ok(derived)
}

/// The number of floats of a value, if its shape is static.
pub(super) fn static_count(shapes: &[shape::Shape], ty: &Type) -> Option<u64> {
    let floats = ty.leaf_scalars().into_iter().zip(shapes).filter(|(s, _)| s.is_float());
    floats.map(|(_, shape)| shape.iter().map(extent_of).product::<Option<u64>>()).sum()
}

fn extent_of(n: &shape::card::Card) -> Option<u64> {
    n.constant().and_then(|n| u64::try_from(n).ok())
}

/// The rows of one leaf of the value.
struct Rows<'a, 'e> {
    params: &'a [Param],
    opened: &'a Opened<'e>,
    block: &'a mut Block,
}

impl Rows<'_, '_> {
    /// The accumulators of one row, or of each row behind these indices.
    fn declared(&self, at: &[Expr], mode: &mut Reverse<'_>) -> Vec<VarId> {
        let of = self.params.iter().mapped(|p| mode.declare_parameter(p, at.to_vec()));
        mode.declare_again(&self.opened.0);
        of
    }

    /// Each row on its own: literals of them, for each parameter.
    fn one_by_one(mut self, leaf: &Expr, extents: &[u64], mode: &mut Reverse<'_>) -> Vec<Expr> {
        let o = leaf.origin;
        let mut all = Vec::new();
        for place in places(extents) {
            let of = self.declared(&[], mode);
            self.seed(leaf, &place, mode);
            mode.back(&self.opened.0, self.block);
            let own = self.params.iter().zip(of).mapped(|(p, of)| {
                let x = build::var(p.var, p.ty(), o);
                self.block.push(Statement::Total(of, Shape::of(&x)));
                build::var(of, p.ty(), o)
            });
            all.push(own);
        }
        let of_param = |j: usize| {
            let mut rows = all.iter().mapped(|row| row[j].clone());
            for n in extents.iter().rev() {
                rows = rows.chunks(*n as usize).map(|rows| build::array(rows.to_vec(), o)).collect();
            }
            rows.swap_remove(0)
        };
        (0..self.params.len()).mapped(of_param)
    }

    /// Adds 1 to the cotangent of one number of a leaf, or of the literal that it is.
    fn seed(&mut self, leaf: &Expr, place: &[u64], mode: &mut Reverse<'_>) {
        let (mut leaf, mut place) = (leaf, place);
        while let Kind::Var(x) = leaf.kind
            && let Some((_, Expr { kind: Kind::Array(es), .. })) = self.opened.0.iter().find(|(y, _)| *y == x)
            && let [k, rest @ ..] = place
        {
            (leaf, place) = (&es[*k as usize], rest);
        }
        let at = place.iter().mapped(|k| build::index(*k, leaf.origin));
        mode.add_one(leaf, at, self.block);
    }

    /// All rows by loops over the places of the leaf.
    fn by_loops(self, leaf: &Expr, mode: &mut Reverse<'_>) -> Vec<Expr> {
        let o = leaf.origin;
        let indices = (0..leaf.ty.rank()).mapped(|_| mode.names.fresh("row"));
        let at = indices.iter().mapped(|i| index(*i, o));
        let of = self.declared(&at, mode);
        let mut inside = Block::new();
        mode.add_one(leaf, at, &mut inside);
        mode.back(&self.opened.0, &mut inside);
        let extents = (0..indices.len()).mapped(|axis| build::len(leaf.clone(), axis, o));
        let loops = indices.iter().zip(&extents).rev();
        let nest = loops.fold(inside, |block, (i, n)| vec![Statement::For(n.clone(), *i, block)]);
        self.block.push_all(nest);
        self.params.iter().zip(of).mapped(|(p, of)| {
            let mut shape = Shape::of(&build::var(p.var, p.ty(), o));
            shape.extents.splice(0..0, extents.iter().cloned());
            self.block.push(Statement::Total(of, shape));
            let scalar = p.ty().leaf_scalars()[0];
            let rank = extents.len() + p.dims().len();
            build::var(of, if rank == 0 { Type::Scalar(scalar) } else { Type::Array(scalar, rank) }, o)
        })
    }
}

/// The places of an array, in order.
fn places(extents: &[u64]) -> Vec<Vec<u64>> {
    extents.iter().fold(vec![vec![]], |all, n| {
        all.iter().flat_map(|place| (0..*n).map(move |k| [place.clone(), vec![k]].concat())).collect()
    })
}
