//! `f::jacobian`, column by column: the derivative of every number of the results in every number of some parameters.
//!
//! ```text
//! λx̄. e   ⟶   λx̄. (e, Jᵀ)          J = build n (λi. D⟦e⟧[the ith unit vector / ẋ])
//! ```
//!
//! The derivative in `x` has the shape of the result, then that of `x`.

use super::forward::{Lets, behind, leaves, value_and_changes, with_name};
use super::interface::{Out, changing, element_at, extents, is_float, shape_by_rows, transposed};
use super::tangent::{nested, parts, tangent};
use super::{Derived, Undifferentiable, Wanted};
use crate::fsmooth::{Expr, Kernel, Written, build};
use crate::mapped::{Mapped, PushAll};
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::shape::Param;
use crate::sorted::Map;
use crate::span::Origin;
use crate::ty::Type;
use crate::value::Lit;

/// The Jacobian of a kernel without in-out parameters.
pub(super) fn jacobian(
    mut kernel: Kernel,
    written: &Written,
    wanted: &Wanted<'_>,
) -> Result<Derived, Undifferentiable> {
    let of = wanted.of;
    let (arguments, result) = &written.interface;
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
        for (n, k) in floats.iter().enumerate() {
            for (p, _, indices, columns) in columns.iter().filter(|(_, own, ..)| *own == at) {
                let mut shape = shape_by_rows(*k, written, &mut names);
                let own = shape.len();
                shape.push_all(extents(p, o).into_iter().map(Some));
                let rows = rows(&columns[n], (indices.len(), own), written.column_major[*k], &mut names);
                outs.push(Out::by_rows(rows, shape));
            }
        }
    }

    let derivative = |k: &usize| {
        let x = tangent(&arguments[*k])?;
        let of_parts = parts(result).iter().filter_map(tangent).mapped(|t| nested(&t, &x));
        Some(if of_parts.len() == 1 { of_parts[0].clone() } else { Type::Tuple(of_parts) })
    };
    let result = Type::Tuple([parts(result), of.iter().filter_map(derivative).collect()].concat());
    kernel.names = names;
    Ok(Derived::new(kernel, (written, wanted), (arguments.clone(), result), (lets, outs), vec![]))
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
fn rows(columns: &Expr, (first, own): (usize, usize), by_columns: bool, names: &mut Names) -> Expr {
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
