//! `f::jacobian`, row by row or column by column: the derivative of every number of the results in every number of some parameters.
//!
//! ```text
//! λx̄. e   ⟶   λx̄. (e, Jᵀ)          J = build n (λi. D⟦e⟧[the ith unit vector / ẋ])
//! ```
//!
//! The derivative in `x` has the shape of the result, then that of `x`. `f::hessian` is that of the last results of
//! `f::value_and_grad`.

use super::forward::{Lets, behind, leaves, value_and_changes, with_name};
use super::interface::{Out, changing, element_at, extents, is_float, jacobian_type, shape_by_rows, transposed};
use super::rows::{rows, static_count};
use super::{Derived, Undifferentiable, Wanted};
use crate::derivative::Direction;
use crate::fsmooth::{Expr, Kernel, Written, build};
use crate::mapped::{Mapped, PushAll};
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::shape::{self, Dim, Param};
use crate::sorted::Map;
use crate::span::Origin;
use crate::ty::Type;
use crate::value::Lit;

/// The Jacobian of a kernel without in-out parameters, in the direction that the user gives. Else in that of which there are
/// fewer columns or rows, as far as that is known; forwards, if the kernel has no reverse derivative.
pub(super) fn jacobian(
    kernel: Kernel,
    (written, shapes): (&Written, &[shape::Shape]),
    wanted: &Wanted<'_>,
) -> Result<Derived, Undifferentiable> {
    match wanted.direction {
        _ if has_two_widths(&kernel, wanted) => columns(kernel, written, wanted, 0),
        Some(Direction::Forward) => columns(kernel, written, wanted, 0),
        Some(Direction::Reverse) => rows(kernel, (written, shapes), wanted),
        None if has_fewer_rows(&kernel, shapes, wanted) => {
            rows(kernel.clone(), (written, shapes), wanted).or_else(|_| columns(kernel, written, wanted, 0))
        }
        None => columns(kernel, written, wanted, 0),
    }
}

/// The second derivatives: the columns of the gradient, which is behind the results of a kernel.
pub(super) fn hessian(kernel: Kernel, written: &Written, wanted: &Wanted<'_>) -> Result<Derived, Undifferentiable> {
    let of_gradient = changing(&kernel, wanted.of).len();
    let first = kernel.body.ty.leaf_count() - of_gradient;
    columns(kernel, written, wanted, first)
}

/// Whether floats of both widths are in the result and in what it is derived in: the derivative has the width of the result.
fn has_two_widths(kernel: &Kernel, wanted: &Wanted<'_>) -> bool {
    let of_result = kernel.body.ty.leaf_scalars().into_iter().filter(|s| s.is_float());
    let of_params = changing(kernel, wanted.of).into_iter().map(|(p, _)| p.ty().leaf_scalars()[0]);
    let all = of_result.chain(of_params).collect_vec();
    all.windows(2).any(|pair| pair[0] != pair[1])
}

/// Whether a Jacobian has fewer rows than columns; by the ranks, where neither number is static.
fn has_fewer_rows(kernel: &Kernel, shapes: &[shape::Shape], wanted: &Wanted<'_>) -> bool {
    let params = changing(kernel, wanted.of);
    let literal = |d: &Dim| if let Dim::Lit(n) = d { Some(*n) } else { None };
    let count = |p: &Param| p.dims().iter().map(literal).product::<Option<u64>>();
    let columns = params.iter().map(|(p, _)| count(p)).sum::<Option<u64>>();
    match (columns, static_count(shapes, &kernel.body.ty)) {
        (Some(columns), Some(rows)) => rows < columns,
        (Some(_), None) => false,
        (None, Some(_)) => true,
        (None, None) => {
            let of_params = params.iter().map(|(p, _)| p.dims().len()).max();
            let floats = kernel.body.ty.leaf_scalars().into_iter().zip(shapes).filter(|(s, _)| s.is_float());
            floats.map(|(_, shape)| shape.len()).max() < of_params
        }
    }
}

/// The Jacobian column by column, of the leaves of the result from the `first` one on.
fn columns(
    mut kernel: Kernel,
    written: &Written,
    wanted: &Wanted<'_>,
    first: usize,
) -> Result<Derived, Undifferentiable> {
    let of = wanted.of;
    let o = written.result_at;
    let (mut names, body) = (std::mem::take(&mut kernel.names), kernel.body.clone());
    let mut lets = Lets::new();

    // For each number or array of floats that changes, the columns, leaf by leaf of the result.
    let mut columns: Vec<(&Param, usize, Vec<VarId>, Vec<Expr>)> = Vec::new();
    for (p, at) in changing(&kernel, of) {
        let body = body.renamed(&mut names);
        let (indices, mut inside) = (p.dims().iter().mapped(|_| names.fresh("column")), Lets::new());
        let unit = unit(p, &indices, &mut names, o);
        let x = names.fresh(&format!("d_{}", p.name.replace('.', "_")));
        let ty = unit.ty.clone();
        inside.push((x, unit));
        let tangents: Map<_, _> = [(p.var, vec![Some(build::var(x, ty, o))])].into_iter().collect();
        let callees = (&mut names, kernel.interface.callees.as_slice());
        let (_, mut changes) = value_and_changes(&body, tangents, callees, wanted.singular, &mut inside)?;
        let all = if changes.len() == 1 { changes.remove(0) } else { build::tuple(changes, o) };
        let loops = indices.iter().zip(extents(p, o)).rev();
        let all = loops.fold(behind(inside, all), |e, (i, n)| build::build(n, *i, e, o));
        let all = with_name(all, "columns", &mut names, &mut lets);
        columns.push((p, at, indices, leaves(&all)));
    }

    let x = names.fresh("value");
    lets.push((x, body.clone()));
    let values = leaves(&build::var(x, body.ty.clone(), o));
    let mut outs = values.iter().enumerate().mapped(|(k, v)| Out::of_value(v.clone(), k, written));
    let floats = (0..values.len()).filter(|k| is_float(&values[*k].ty)).collect_vec();
    for at in 0..of.len() {
        for (n, k) in floats.iter().enumerate().filter(|(_, k)| **k >= first) {
            for (p, _, indices, columns) in columns.iter().filter(|(_, own, ..)| *own == at) {
                let mut shape = shape_by_rows(*k, written, &mut names);
                let own = shape.len();
                shape.push_all(extents(p, o).into_iter().map(Some));
                let rows = turned(&columns[n], (indices.len(), own), written.column_major[*k], &mut names);
                outs.push(Out::by_rows(rows, shape));
            }
        }
    }

    kernel.names = names;
    let interface = (written.interface.0.clone(), jacobian_type(written, wanted));
    Ok(Derived::new(kernel, (written, wanted), interface, (lets, outs), vec![]))
}

/// The unit vector of a parameter: 1 at the indices, 0 elsewhere.
fn unit(p: &Param, indices: &[VarId], names: &mut Names, o: Origin) -> Expr {
    let s = p.ty().leaf_scalars()[0];
    let [zero, one] = [0.0, 1.0].map(|x| build::lit(Lit::float(x, s), o));
    let own = indices.iter().mapped(|_| names.fresh("i"));
    let index = |v: &VarId| build::var(*v, Type::USIZE, o);
    let here = own.iter().zip(indices).map(|(i, at)| build::prim(Prim::Eq, vec![index(i), index(at)], o));
    let here = here.reduce(|a, b| build::prim(Prim::And, vec![a, b], o));
    let element = match here {
        Some(here) => build::branch(here, one, zero, o),
        None => one,
    };
    let unit = own.iter().zip(extents(p, o)).rev().fold(element, |e, (i, n)| build::build(n, *i, e, o));
    if !p.column_major {
        return unit;
    }
    let x = names.fresh("unit");
    let by_columns = transposed(&build::var(x, unit.ty.clone(), o), names);
    build::bind(x, unit, by_columns, o)
}

/// Columns, whose indices are the first axes, as rows: with the axes of the result first.
fn turned(columns: &Expr, (first, own): (usize, usize), by_columns: bool, names: &mut Names) -> Expr {
    let o = columns.origin;
    if first == 0 && !by_columns || own == 0 {
        return columns.clone();
    }
    let [of_x, of_result] = [first, own].map(|n| (0..n).mapped(|_| names.fresh("i")));
    let inner = if by_columns { of_result.iter().rev().copied().collect() } else { of_result.clone() };
    let element = element_at(columns.clone(), of_x.iter().copied().chain(inner));
    let extent = |axis: usize| build::len(columns.clone(), axis, o);
    let axis_of = |k: usize| if by_columns { first + own - 1 - k } else { first + k };
    let e = of_x.iter().enumerate().rev().fold(element, |e, (k, i)| build::build(extent(k), *i, e, o));
    of_result.iter().enumerate().rev().fold(e, |e, (k, i)| build::build(extent(axis_of(k)), *i, e, o))
}
