//! The interface of a derivative: the parameters that tangents are, the shapes of what it gives, its value from their leaves.

use super::Wanted;
use super::forward::{Lets, with_name};
use super::tangent::{nested, parts, tangent, way_to};
use crate::derivative::Mode;
use crate::fsmooth::{Expr, Kernel, Written, WrittenShape, build, take};
use crate::mapped::Mapped;
use crate::name::{Names, VarId};
use crate::shape::card::{Atom, Card};
use crate::shape::{Dim, Param, ParamKind, Source};
use crate::sorted::Map;
use crate::span::Origin;
use crate::ty::{Scalar, Type};

/// The parameters that change: those of the arguments `of` that have floats, with the place of the argument among these.
pub(super) fn changing<'k>(kernel: &'k Kernel, of: &[usize]) -> Vec<(&'k Param, usize)> {
    let place = |p: &'k Param| {
        let (Source::Argument(way), ParamKind::Scalar(s) | ParamKind::Array(s, _)) = (&p.source, &p.kind) else {
            return None;
        };
        let at = of.iter().position(|k| *k == way[0])?;
        s.is_float().then_some((p, at))
    };
    kernel.interface.params.iter().filter_map(place).collect()
}

/// The tangent of a parameter as a parameter: that of the `at`th argument that changes. It has the shape of the parameter, after
/// the size of `more` of them if there are several.
pub(super) fn tangent_of(
    p: &Param,
    at: usize,
    more: Option<VarId>,
    (arguments, by_columns): (&[Type], &[String]),
    names: &mut Names,
) -> Param {
    let Source::Argument(way) = &p.source else { panic!("an argument has a tangent") };
    let inner = way_to(&arguments[way[0]], &way[1..]);
    let field: String = inner.iter().map(|k| format!(".{k}")).collect();
    let name = match p.name.split_once('.') {
        Some((whole, _)) => format!("d_{}{field}", whole.trim_start_matches('_')),
        None => format!("d_{}", p.name.trim_start_matches('_')),
    };
    let mut dims = more.map(Dim::Size).into_iter().chain(by_rows(p)).collect_vec();
    let whole = name.split('.').next().unwrap_or_default();
    let column_major = dims.len() > 1 && by_columns.iter().any(|n| n == whole);
    if column_major {
        dims.reverse();
    }
    let scalar = p.ty().leaf_scalars()[0];
    let kind = if dims.is_empty() { ParamKind::Scalar(scalar) } else { ParamKind::Array(scalar, dims) };
    let source = Source::Argument([vec![arguments.len() + at], inner].concat());
    let var = names.fresh(&name.replace('.', "_"));
    Param { var, name, kind, source, column_major, strided: false, in_out: p.in_out }
}

/// The extents of a parameter, row by row.
pub(super) fn by_rows(p: &Param) -> Vec<Dim> {
    let dims = p.dims().iter().cloned();
    if p.column_major { dims.rev().collect() } else { dims.collect() }
}

/// The extents of a parameter as terms, row by row.
pub(super) fn extents(p: &Param, o: Origin) -> Vec<Expr> {
    let extent = |axis: usize| match &p.dims()[axis] {
        Dim::Lit(n) => build::index(*n, o),
        Dim::Size(v) | Dim::Param(v) => build::var(*v, Type::USIZE, o),
        Dim::Anon => build::len(build::var(p.var, p.ty(), o), axis, o),
    };
    let axes = 0..p.dims().len();
    if p.column_major { axes.rev().mapped(extent) } else { axes.mapped(extent) }
}

/// Gives names to the lengths of the parameters that change, so that tangents and cotangents have the same ones. Returns what
/// stands for each length now.
pub(super) fn name_lengths(kernel: &mut Kernel, of: &[usize]) -> impl Fn(&Atom) -> Card + use<> {
    let mut named: Map<(VarId, u32), VarId> = Map::new();
    let changing = changing(kernel, of).into_iter().mapped(|(p, _)| p.var);
    let Kernel { names, interface, .. } = kernel;
    for p in interface.params.iter_mut().filter(|p| changing.contains(&p.var)) {
        if let ParamKind::Array(_, dims) = &mut p.kind {
            let rank = dims.len();
            for (axis, d) in (0..).zip(dims).filter(|(_, d)| **d == Dim::Anon) {
                // Messages have it.
                let which = if rank == 1 { String::new() } else { axis.to_string() };
                let size = names.fresh(&format!("{}_len{which}", p.name.replace('.', "_")));
                *d = Dim::Size(size);
                named.insert((p.var, axis), size);
            }
        }
    }
    move |a| match a {
        Atom::Len(x, axis) => named.get(&(*x, *axis)).map_or_else(|| Card::atom(a.clone()), |size| Card::var(*size)),
        a => Card::atom(a.clone()),
    }
}

/// The number of tangents or cotangents, under the name that the signature has (`r`, or `r_` where the kernel has an `r`), and the
/// index of one.
pub(super) fn many(kernel: &Kernel, names: &mut Names) -> (VarId, VarId) {
    let sizes = kernel.sizes().into_iter().mapped(|(v, ..)| v);
    let mut name = "r".to_string();
    while kernel.interface.params.iter().any(|p| p.name == name) || sizes.iter().any(|v| names.name(*v) == name) {
        name.push('_');
    }
    (names.fresh(&name), names.fresh("d"))
}

/// A leaf of a derivative's value: its term, its written shape, and whether it is stored by columns.
pub(super) struct Out {
    pub(super) value: Expr,
    pub(super) shape: WrittenShape,
    pub(super) by_columns: bool,
}

impl Out {
    /// The `k`th leaf of a kernel's value.
    pub(super) fn of_value(value: Expr, k: usize, written: &Written) -> Out {
        Out { value, shape: written.result[k].clone(), by_columns: written.column_major[k] }
    }

    /// Stores it by columns, if it has several axes.
    pub(super) fn store_by_columns(&mut self, names: &mut Names, lets: &mut Lets) {
        if self.shape.len() > 1 {
            let o = self.value.origin;
            let (x, ty) = (names.fresh("by_rows"), self.value.ty.clone());
            lets.push((x, take(&mut self.value)));
            self.value = transposed(&build::var(x, ty, o), names);
            self.shape.reverse();
            self.by_columns = true;
        }
    }

    /// A leaf of a derivative that has this shape by rows.
    pub(super) fn by_rows(value: Expr, shape: WrittenShape) -> Out {
        Out { value, shape, by_columns: false }
    }
}

/// The shape of the `k`th leaf of a kernel's value, by rows, once more.
pub(super) fn shape_by_rows(k: usize, written: &Written, names: &mut Names) -> WrittenShape {
    let mut shape = written.result[k].iter().mapped(|n| n.as_ref().map(|n| n.renamed(names)));
    if written.column_major[k] {
        shape.reverse();
    }
    shape
}

/// A result of this type, followed by the last values of in-out parameters, from the leaves of all.
pub(super) fn joined(result: &Type, mut leaves: impl Iterator<Item = Expr>, o: Origin) -> Expr {
    let own = (*result != Type::Tuple(vec![])).then(|| super::forward::assembled(&result.stored(), &mut leaves, o));
    let mut all = own.into_iter().chain(leaves).collect_vec();
    if all.len() == 1 { all.remove(0) } else { build::tuple(all, o) }
}

/// The type of what a Jacobian gives; of a Hessian, the last result is the gradient, and alone has one.
pub(super) fn jacobian_type(written: &Written, wanted: &Wanted<'_>) -> Type {
    let (arguments, result) = &written.interface;
    let all = parts(result);
    let first = if wanted.mode == Mode::Hessian { all.len() - 1 } else { 0 };
    let derivative = |k: &usize| {
        let x = tangent(&arguments[*k])?;
        let of_parts = all[first..].iter().filter_map(tangent).mapped(|t| nested(&t, &x));
        Some(if of_parts.len() == 1 { of_parts[0].clone() } else { Type::Tuple(of_parts) })
    };
    let derivatives = wanted.of.iter().filter_map(derivative).collect_vec();
    Type::Tuple([all, derivatives].concat())
}

/// `aᵀ`, of an array that has a name: all axes in the opposite order.
pub(super) fn transposed(a: &Expr, names: &mut Names) -> Expr {
    let (rank, o) = (a.ty.rank(), a.origin);
    let indices = (0..rank).mapped(|_| names.fresh("i"));
    let element = element_at(a.clone(), indices.iter().rev().copied());
    let loops = indices.iter().enumerate().rev();
    loops.fold(element, |e, (k, i)| build::build(build::len(a.clone(), rank - 1 - k, o), *i, e, o))
}

/// An array that is stored by columns, by rows, behind its `first` axes.
pub(super) fn rows_of(e: Expr, first: usize, names: &mut Names, lets: &mut Lets) -> Expr {
    let axes = (0..first).chain((first..e.ty.rank()).rev()).collect_vec();
    permuted(e, &axes, names, lets)
}

/// An array whose `k`th axis is the axis `axes[k]` of another one.
pub(super) fn permuted(e: Expr, axes: &[usize], names: &mut Names, lets: &mut Lets) -> Expr {
    let (o, whole) = (e.origin, with_name(e, "turned", names, lets));
    let indices = axes.iter().mapped(|_| names.fresh("i"));
    let of_axis = |axis: usize| indices[axes.iter().position(|own| *own == axis).unwrap_or(axis)];
    let element = element_at(whole.clone(), (0..axes.len()).map(of_axis));
    let loops = indices.iter().zip(axes).rev();
    loops.fold(element, |e, (i, axis)| build::build(build::len(whole.clone(), *axis, o), *i, e, o))
}

/// `a[i]…`, at indices that are variables.
pub(super) fn element_at(a: Expr, indices: impl Iterator<Item = VarId>) -> Expr {
    let o = a.origin;
    indices.fold(a, |a, i| build::get(a, build::var(i, Type::USIZE, o), o))
}

/// Whether a leaf is a float, or an array of floats.
pub(super) fn is_float(ty: &Type) -> bool {
    ty.leaf_scalars().first().copied().is_some_and(Scalar::is_float)
}
