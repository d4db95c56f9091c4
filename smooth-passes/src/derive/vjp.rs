//! `f::vjp`, `f::grad`, `f::value_and_grad`: the kernel of `f`, and what cotangents of its results come to in parameters.
//!
//! ```text
//! f::vjp              λx̄ ȳ. (e, y′) ⟶ λx̄ ȳ d_out ȳ̄. ((e, x̄̄), y′, ȳ̄′)     accum (x̄̄, ȳ̄′) = 0 { R⟦(e, y′)⟧ (d_out, ȳ̄) }     ȳ: in-out
//! f::value_and_grad   λx̄. e        ⟶ λx̄. (e, x̄̄)                       d_out = 1
//! f::grad             λx̄. e        ⟶ λx̄. x̄̄
//! ```
//!
//! Cotangents are stored by rows, however the values are.

use super::accumulate::Rules;
use super::forward::{Lets, leaves, with_name};
use super::interface::{Out, changing, extents, is_float, shape_by_rows, tangent_of, transposed};
use super::lengths::Lengths;
use super::reverse::Reverse;
use super::statements::{Before, Block, Shape, Statement, before_needed};
use super::tangent::{parts, tangent, ways};
use super::{Backward, Derived, Undifferentiable, Wanted};
use crate::fsmooth::{Expr, Kernel, Kind, Written, build, take};
use crate::mapped::{Mapped, PushAll};
use crate::name::Names;
use crate::shape::card::{Atom, Card};
use crate::shape::{self, Check, Dim, Param, ParamKind, Source};
use crate::span::Origin;
use crate::ty::Type;
use crate::value::Lit;

/// The reverse derivative of a kernel. All in-out arguments with floats are among those that change.
pub(super) fn vjp(
    mut kernel: Kernel,
    (written, shapes): (&Written, &[shape::Shape]),
    backward: Backward,
    wanted: &Wanted<'_>,
) -> Result<Derived, Undifferentiable> {
    let (arguments, result) = &written.interface;
    let o = kernel.body.origin;
    let mut names = std::mem::take(&mut kernel.names);
    let changing_params = changing(&kernel, wanted.of).into_iter().mapped(|(p, at)| (p.clone(), at));
    let in_out = kernel.interface.params.iter().filter(|p| p.in_out).count();
    let results = kernel.body.ty.leaf_count() - in_out;

    // The parameters that cotangents are.
    let mut checks = Vec::new();
    let seeds = if backward == Backward::Vjp {
        cotangents(&kernel, (written, shapes), results, &mut names, &mut checks)
    } else {
        vec![]
    };
    let in_out_at = parts(result).iter().filter_map(tangent).count();
    let mut in_outs: Vec<(Param, Param)> = Vec::new();
    for (p, _) in changing_params.iter().filter(|(p, _)| p.in_out) {
        let place = in_outs.len();
        let mut own = tangent_of(p, 0, None, (arguments, wanted.by_columns), &mut names);
        if let Source::Argument(way) = &mut own.source {
            way[0] = arguments.len() + in_out_at + place;
        }
        in_outs.push((p.clone(), own));
    }

    // The body in normal form, and what it adds to the cotangents of parameters.
    let vars = changing_params.iter().mapped(|(p, _)| p.var);
    let callees = std::mem::take(&mut kernel.interface.callees);
    let (mut mode, body) = Reverse::of(&kernel.body, &vars, (&mut names, &callees), wanted.singular);
    let accumulators = changing_params.iter().mapped(|(p, _)| {
        let name = format!("d_{}", p.name.replace('.', "_"));
        mode.declare_parameter(p.var, &name)
    });
    let mut block = Block::new();
    let (lets, value) = mode.opened(&body, &mut block);
    let values = leaves(value);
    let mut by_rows = Lets::new();
    let mut seeds_left = seeds.iter();
    let mut in_out_left = in_outs.iter();
    let cotangent = values.iter().enumerate().mapped(|(k, leaf)| {
        let s = leaf.ty.leaf_scalars()[0];
        if k >= results {
            let own = s.is_float().then(|| in_out_left.next()).flatten()?;
            return Some(as_stored(&own.1, own.0.column_major, mode.names, &mut by_rows));
        }
        if !s.is_float() {
            return None;
        }
        match backward {
            Backward::Vjp => {
                let own = seeds_left.next()?;
                Some(as_stored(own, written.column_major[k], mode.names, &mut by_rows))
            }
            _ => (k == 0).then(|| build::lit(Lit::float(1.0, s), o)),
        }
    });
    block.splice(0..0, by_rows.into_iter().map(|(x, e)| Statement::Before(Before::Let(x, e))));
    mode.closed((lets, value), &cotangent, &mut block);
    let problems = mode.problems();
    if !problems.is_empty() {
        return Err(problems);
    }
    for ((p, _), of) in changing_params.iter().zip(&accumulators) {
        block.push(Statement::Total(*of, Shape::of(&build::var(p.var, p.ty(), o))));
    }
    kernel.interface.callees = callees;
    let lengths = Lengths::of(&kernel, &block);
    let keeps_value = backward != Backward::Grad || in_out > 0;
    let live = if keeps_value { values.clone() } else { vec![] };
    let block = Rules { names: &mut names, lengths, order: wanted.order }.block(block, &live, true);
    let befores = block.into_iter().filter_map(|s| if let Statement::Before(b) = s { Some(b) } else { None });
    let befores = befores.collect_vec();

    // The derivatives, by rows.
    let mut outs = Vec::new();
    let mut last = Vec::new();
    let (mut derivatives, mut lets) = (Vec::new(), Lets::new());
    for ((p, _), of) in changing_params.iter().zip(&accumulators) {
        let whole = build::var(*of, p.ty(), o);
        let e = if p.column_major { transposed(&whole, &mut names) } else { whole };
        let shape = extents(p, o).into_iter().mapped(Some);
        if p.in_out {
            let own = &in_outs.iter().find(|(q, _)| q.var == p.var).expect("a cotangent of each in-out parameter").1;
            let mut out = Out::by_rows(e, shape);
            if own.column_major {
                out.store_by_columns(&mut names, &mut lets);
            }
            last.push(out);
        } else {
            derivatives.push(Out::by_rows(e, shape));
        }
    }
    for (k, leaf) in values.iter().enumerate() {
        let out = Out::of_value(leaf.clone(), k, written);
        if k >= results {
            last.insert(k - results, out);
        } else if backward != Backward::Grad {
            outs.push(out);
        }
    }
    outs.push_all(derivatives);
    outs.push_all(last);

    let types = wanted.of.iter().filter(|k| !is_in_out(&kernel, **k));
    let of_params = types.filter_map(|k| tangent(&arguments[*k])).collect_vec();
    let own = if backward == Backward::Grad { vec![] } else { parts(result) };
    let mut all = [own, of_params.clone()].concat();
    let result = match all.len() {
        _ if of_params.is_empty() => result.clone(),
        1 => all.remove(0),
        _ => Type::Tuple(all),
    };
    let mut arguments = arguments.clone();
    if backward == Backward::Vjp {
        arguments.push_all(parts(&written.interface.1).iter().filter_map(tangent));
    }
    for k in wanted.of.iter().filter(|k| is_in_out(&kernel, **k)) {
        arguments.push_all(tangent(&written.interface.0[*k]));
    }
    checks.push_all(in_outs.iter().flat_map(|(p, own)| super::interface::same_lengths(p, own)));
    let at = kernel.interface.params.iter().take_while(|p| p.is_argument()).count();
    let new = seeds.into_iter().chain(in_outs.into_iter().map(|(_, own)| own));
    kernel.interface.params.splice(at..at, new);
    kernel.names = names;
    let mut derived =
        Derived::new(kernel, (written, wanted, backward.name()), (arguments, result), (lets, outs), checks);
    let body = take(&mut derived.kernel.body);
    derived.kernel.body = before_needed(befores, body);
    Ok(derived)
}

fn is_in_out(kernel: &Kernel, argument: usize) -> bool {
    let own = |p: &Param| matches!(&p.source, Source::Argument(way) if way[0] == argument);
    kernel.interface.params.iter().any(|p| own(p) && p.in_out)
}

/// A cotangent as the value is stored.
fn as_stored(own: &Param, by_columns: bool, names: &mut Names, lets: &mut Lets) -> Expr {
    let o = Origin::default();
    let whole = build::var(own.var, own.ty(), o);
    if own.column_major == by_columns {
        return whole;
    }
    let turned = transposed(&whole, names);
    with_name(turned, "by_columns", names, lets)
}

/// The parameters that the cotangents of results are.
fn cotangents(
    kernel: &Kernel,
    (written, shapes): (&Written, &[shape::Shape]),
    results: usize,
    names: &mut Names,
    checks: &mut Vec<Check>,
) -> Vec<Param> {
    let (arguments, result) = &written.interface;
    let several = matches!(result, Type::Tuple(_));
    let scalars = kernel.body.ty.leaf_scalars();
    let mut leaf = 0;
    let mut all = Vec::new();
    let mut place = arguments.len();
    for (k, part) in parts(result).iter().enumerate() {
        let own = part.stored().leaf_count();
        let floats = (leaf..leaf + own).filter(|at| *at < results && scalars[*at].is_float()).collect_vec();
        leaf += own;
        let Some(ty) = tangent(part) else { continue };
        let base = if several { format!("d_out{k}") } else { "d_out".into() };
        for (at, way) in floats.into_iter().zip(ways(&ty)) {
            let fields: String = way.iter().map(|k| format!(".{k}")).collect();
            let name = format!("{base}{fields}");
            let var = names.fresh(&name.replace('.', "_"));
            let by_rows = shape_by_rows(at, written, names);
            let rank = shapes[at].len();
            let cards = &shapes[at];
            let mut dims = Vec::new();
            for axis in 0..rank {
                let stored = if written.column_major[at] { rank - 1 - axis } else { axis };
                let dim = by_rows.get(axis).and_then(|e| e.as_ref()).and_then(|e| dim_of(kernel, e));
                let dim = dim.unwrap_or(Dim::Anon);
                if dim == Dim::Anon {
                    checks.push(Check::Equal {
                        left: Card::atom(Atom::Len(var, axis as u32)),
                        right: cards[stored].clone(),
                        reason: format!("`{name}` is the cotangent of the result"),
                    });
                }
                dims.push(dim);
            }
            let scalar = scalars[at];
            let kind = if dims.is_empty() { ParamKind::Scalar(scalar) } else { ParamKind::Array(scalar, dims) };
            let source = Source::Argument([vec![place], way].concat());
            all.push(Param { var, name, kind, source, column_major: false, strided: false, in_out: false });
        }
        place += 1;
    }
    debug_assert!(all.iter().all(|p| is_float(&p.ty())));
    all
}

/// An extent as a dimension of a parameter.
fn dim_of(kernel: &Kernel, e: &Expr) -> Option<Dim> {
    match &e.kind {
        Kind::Lit(Lit::Int(n, _)) => Some(Dim::Lit(u64::try_from(*n).ok()?)),
        Kind::Var(v) if kernel.sizes().iter().any(|(s, ..)| s == v) => Some(Dim::Size(*v)),
        Kind::Var(v) if kernel.interface.params.iter().any(|p| p.var == *v && p.is_argument()) => Some(Dim::Param(*v)),
        _ => None,
    }
}
