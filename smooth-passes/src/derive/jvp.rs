//! `f::jvp`: the kernel of `f`, with tangents of parameters after the parameters, and tangents of results after the results.
//!
//! ```text
//! λx̄ ȳ. (e, ȳ′)   ⟶   λx̄ ȳ ẋ̄ ẏ̄. ((e, D⟦e⟧), ȳ′, D⟦ȳ′⟧)          ȳ: the in-out parameters
//! ```
//!
//! Tangents are stored by rows, however the values are.

use super::forward::{Forward, Tangent, assembled, behind, leaves};
use super::partials::Singular;
use super::tangent::{parts, tangent, way_to};
use crate::fsmooth::{Expr, Kernel, Written, WrittenShape, build};
use crate::mapped::Mapped;
use crate::name::{Names, VarId};
use crate::shape::card::{Atom, Card};
use crate::shape::{Check, Dim, Param, ParamKind, Source};
use crate::sorted::Map;
use crate::span::Origin;
use crate::ty::Type;

/// A derivative: a kernel, its types and shapes as if they were written, and what the shapes of its arguments must agree in.
#[derive(Debug)]
pub struct Derived {
    /// The kernel.
    pub kernel: Kernel,
    /// Its types and shapes.
    pub written: Written,
    /// The conditions on the shapes of its arguments that the lengths of its parameters do not say.
    pub checks: Vec<Check>,
}

/// The places of calls of kernels that are too large to be joined in, with the names of these.
pub type Undifferentiable = Vec<(Origin, String)>;

/// The derivative of a kernel along changes of the arguments `of`, in order, which has this name after the kernel's. All in-out
/// arguments with floats are among them.
pub fn jvp(
    mut kernel: Kernel,
    written: &Written,
    (name, of): (&str, &[usize]),
    singular: Singular,
) -> Result<Derived, Undifferentiable> {
    let (arguments, result) = &written.interface;
    let mut lets = Vec::new();
    let moved = moving(&mut kernel, arguments, of);
    let tangents = tangents_of(&moved, &mut kernel, &mut lets, written.result_at);

    let mut mode = Forward::new((&mut kernel.names, &kernel.interface.callees), &kernel.body, tangents, singular);
    let (value, change) = mode.dual(&kernel.body, &mut lets);
    if !mode.calls.is_empty() {
        return Err(mode.calls);
    }
    let value = mode.named(value, "value", &mut lets);
    let values = leaves(&value);
    let floats = values.iter().mapped(|v| v.ty.leaf_scalars()[0].is_float());
    let mut filled = mode.filled(&value, &change, &floats).into_iter();
    let changes: Tangent = floats.into_iter().mapped(|float| if float { filled.next() } else { None });

    let results = values.len() - kernel.interface.params.iter().filter(|p| p.in_out).count();
    let outs = Outs { written, names: &mut kernel.names }.all(values, changes, results);
    let changed = parts(result).iter().filter_map(tangent).collect_vec();
    let result = if changed.is_empty() { result.clone() } else { Type::Tuple([parts(result), changed].concat()) };
    let arguments = [arguments.clone(), of.iter().filter_map(|k| tangent(&arguments[*k])).collect_vec()].concat();
    let body = joined(&result, outs.iter().map(|out| out.value.clone()), written.result_at);

    let checks = moved.iter().flat_map(|(p, own)| same_lengths(p, own)).collect_vec();
    let at = kernel.interface.params.iter().take_while(|p| p.is_argument()).count();
    kernel.interface.params.splice(at..at, moved.into_iter().map(|(_, own)| own));
    kernel.interface.name = format!("{}::{name}", kernel.interface.name);
    kernel.body = behind(lets, body);
    let (result_shapes, column_major) = outs.into_iter().map(|out| (out.shape, out.by_columns)).unzip();
    let written = Written {
        interface: (arguments, result),
        are_types: written.are_types.clone(),
        result: result_shapes,
        result_at: written.result_at,
        column_major,
        lets: Map::new(),
        assigned: Map::new(),
    };
    Ok(Derived { kernel, written, checks })
}

/// The parameters that have tangents, with the parameters that these are.
fn moving(kernel: &mut Kernel, arguments: &[Type], of: &[usize]) -> Vec<(Param, Param)> {
    let mut moved = Vec::new();
    for p in &kernel.interface.params {
        let (Source::Argument(way), ParamKind::Scalar(s) | ParamKind::Array(s, _)) = (&p.source, &p.kind) else {
            continue;
        };
        let Some(at) = of.iter().position(|k| *k == way[0]).filter(|_| s.is_float()) else { continue };
        let inner = way_to(&arguments[way[0]], &way[1..]);
        let field: String = inner.iter().map(|k| format!(".{k}")).collect();
        let name = match p.name.split_once('.') {
            Some((whole, _)) => format!("d_{whole}{field}"),
            None => format!("d_{}", p.name),
        };
        let kind = match p.kind.clone() {
            ParamKind::Array(s, dims) if p.column_major => ParamKind::Array(s, dims.into_iter().rev().collect()),
            kind => kind,
        };
        let source = Source::Argument([vec![arguments.len() + at], inner].concat());
        let var = kernel.names.fresh(&name.replace('.', "_"));
        let own = Param { var, name, kind, source, column_major: false, strided: false, in_out: p.in_out };
        moved.push((p.clone(), own));
    }
    moved
}

/// The tangents of the variables of parameters.
fn tangents_of(
    moved: &[(Param, Param)],
    kernel: &mut Kernel,
    lets: &mut Vec<(VarId, Expr)>,
    o: Origin,
) -> Map<VarId, Tangent> {
    let mut tangents = Map::new();
    for (p, own) in moved {
        let whole = build::var(own.var, own.ty(), o);
        let tangent = if p.column_major {
            let (x, by_columns) = (kernel.names.again(own.var), transposed(&whole, &mut kernel.names));
            lets.push((x, by_columns));
            build::var(x, own.ty(), o)
        } else {
            whole
        };
        tangents.insert(p.var, vec![Some(tangent)]);
    }
    tangents
}

/// The conditions that a tangent has the lengths of a parameter that are not named.
fn same_lengths(p: &Param, own: &Param) -> Vec<Check> {
    let anonymous = (0..p.dims().len()).filter(|axis| p.dims()[*axis] == Dim::Anon);
    let same = anonymous.map(|axis| {
        let of_own = if p.column_major { p.dims().len() - 1 - axis } else { axis };
        let [left, right] = [(own.var, of_own), (p.var, axis)].map(|(v, axis)| Card::atom(Atom::Len(v, axis as u32)));
        Check::Equal { left, right, reason: format!("`{}` is the change of `{}`", own.name, p.name) }
    });
    same.collect_vec()
}

/// A leaf of a derivative's value: its term, its written shape, and whether it is stored by columns.
struct Out {
    value: Expr,
    shape: WrittenShape,
    by_columns: bool,
}

/// The leaves of a derivative's value.
struct Outs<'k> {
    written: &'k Written,
    names: &'k mut Names,
}

impl Outs<'_> {
    /// The results and their tangents, then the last values of in-out parameters and the tangents of these.
    fn all(mut self, values: Vec<Expr>, changes: Tangent, results: usize) -> Vec<Out> {
        let (mut own, mut last) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
        for (k, (value, change)) in values.into_iter().zip(changes).enumerate() {
            let to = if k < results { &mut own } else { &mut last };
            to[1].extend(change.map(|change| self.change(change, k)));
            to[0].push(Out { value, shape: self.written.result[k].clone(), by_columns: self.written.column_major[k] });
        }
        own.into_iter().chain(last).flatten().collect_vec()
    }

    /// The tangent of the `k`th leaf.
    fn change(&mut self, change: Expr, k: usize) -> Out {
        let mut shape = self.written.result[k].iter().mapped(|n| n.as_ref().map(|n| n.renamed(self.names)));
        if !self.written.column_major[k] {
            return Out { value: change, shape, by_columns: false };
        }
        shape.reverse();
        let x = self.names.fresh("by_columns");
        let (whole, o) = (build::var(x, change.ty.clone(), change.origin), change.origin);
        let by_rows = transposed(&whole, self.names);
        Out { value: build::bind(x, change, by_rows, o), shape, by_columns: false }
    }
}

/// A result of this type, followed by the last values of in-out parameters, from the leaves of all.
fn joined(result: &Type, mut leaves: impl Iterator<Item = Expr>, o: Origin) -> Expr {
    let own = (*result != Type::Tuple(vec![])).then(|| assembled(&result.stored(), &mut leaves, o));
    let mut all = own.into_iter().chain(leaves).collect_vec();
    if all.len() == 1 { all.remove(0) } else { build::tuple(all, o) }
}

/// `aᵀ`, of an array that has a name: all axes in the opposite order.
fn transposed(a: &Expr, names: &mut Names) -> Expr {
    let (rank, o) = (a.ty.rank(), a.origin);
    let indices = (0..rank).mapped(|_| names.fresh("i"));
    let element = indices.iter().rev().fold(a.clone(), |t, i| build::get(t, build::var(*i, Type::USIZE, o), o));
    let loops = indices.iter().enumerate().rev();
    loops.fold(element, |e, (k, i)| build::build(build::len(a.clone(), rank - 1 - k, o), *i, e, o))
}
