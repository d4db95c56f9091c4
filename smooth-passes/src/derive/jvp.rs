//! `f::jvp`: the kernel of `f`, with tangents of parameters after the parameters, and tangents of results after the results.
//!
//! ```text
//! λx̄ ȳ. (e, ȳ′)   ⟶   λx̄ ȳ ẋ̄ ẏ̄. ((e, D⟦e⟧), ȳ′, D⟦ȳ′⟧)          ȳ: the in-out parameters
//!
//! f::jvp_many:   λx̄ ẋ̄. (e, build r (λd. D⟦e⟧[ẋ̄[d] / ẋ̄]))
//! ```
//!
//! Tangents are stored by rows, however the values are.

use super::forward::{Forward, Lets, Tangent, behind, leaves};
use super::interface::{Out, changing, is_float, same_lengths, shape_by_rows, tangent_of, transposed};
use super::tangent::{listed, parts, tangent};
use super::{Derived, Undifferentiable, Wanted};
use crate::derivative::Mode;
use crate::fsmooth::{Expr, Kernel, Written, build};
use crate::mapped::{Mapped, PushAll};
use crate::name::{Names, VarId};
use crate::shape::Param;
use crate::sorted::Map;
use crate::span::Origin;
use crate::ty::Type;

/// The derivative of a kernel along changes of arguments: one change, or any number of them. All in-out arguments with floats are
/// among those that change.
pub(super) fn jvp(mut kernel: Kernel, written: &Written, wanted: &Wanted<'_>) -> Result<Derived, Undifferentiable> {
    let Wanted { mode, of, by_columns, singular, .. } = *wanted;
    let (arguments, result) = &written.interface;
    let o = written.result_at;
    let several = (mode == Mode::JvpMany).then(|| (kernel.names.fresh("r"), kernel.names.fresh("d")));
    let (mut names, body) = (std::mem::take(&mut kernel.names), kernel.body.clone());
    let moved = changing(&kernel, of)
        .into_iter()
        .mapped(|(p, at)| (p.clone(), tangent_of(p, at, several.map(|(r, _)| r), (arguments, by_columns), &mut names)));
    let (mut lets, mut outer) = (Lets::new(), Lets::new());
    let direction = several.map(|(_, d)| d);
    let tangents = moved.iter().map(|(p, own)| (p.var, change_of(p, own, direction, (&mut names, &mut lets), o)));
    let tangents: Map<VarId, Tangent> = tangents.collect();

    // Of several directions, the value is computed before, and their loop computes what their tangents need again.
    let first = several.map(|_| body.renamed(&mut names));
    let mut mode_of = Forward::new((&mut names, &kernel.interface.callees), &body, tangents, singular);
    let (value, change) = mode_of.dual(&body, &mut lets);
    if !mode_of.calls.is_empty() {
        return Err(mode_of.calls);
    }
    let value = mode_of.named(value, "value", &mut lets);
    let floats = leaves(&value).iter().mapped(|v| is_float(&v.ty));
    let mut changes = mode_of.filled(&value, &change, &floats);
    let (value, mut lets) = match (first, several) {
        (Some(first), Some((r, d))) => {
            let value = mode_of.named(first, "value", &mut outer);
            let all = if changes.len() == 1 { changes.remove(0) } else { build::tuple(changes, o) };
            let all = build::build(build::var(r, Type::USIZE, o), d, behind(lets, all), o);
            changes = leaves(&mode_of.named(all, "changes", &mut outer));
            (value, outer)
        }
        _ => (value, lets),
    };

    let values = leaves(&value);
    let results = values.len() - kernel.interface.params.iter().filter(|p| p.in_out).count();
    let (mut own, mut last, mut changes) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()], changes.into_iter());
    for (k, value) in values.into_iter().enumerate() {
        let to = if k < results { &mut own } else { &mut last };
        if is_float(&value.ty) {
            let change = changes.next().expect("a change for each float");
            let mut shape = shape_by_rows(k, written, &mut names);
            shape.splice(0..0, several.map(|(r, _)| Some(build::var(r, Type::USIZE, o))));
            let change =
                if written.column_major[k] { rows_of(change, direction, &mut names, &mut lets) } else { change };
            to[1].push(Out::by_rows(change, shape));
        }
        to[0].push(Out::of_value(value, k, written));
    }
    // The last value of a tangent is stored as the tangent is.
    let stored = moved.iter().filter(|(p, _)| p.in_out).map(|(_, own)| own.column_major);
    for (out, _) in last[1].iter_mut().zip(stored).filter(|(_, by_columns)| *by_columns) {
        out.store_by_columns(&mut names, &mut lets);
    }
    let outs = own.into_iter().chain(last).flatten().collect_vec();

    let more = |t: Type| if several.is_some() { listed(&t, 1) } else { t };
    let changed = parts(result).iter().filter_map(tangent).map(more).collect_vec();
    let result = if changed.is_empty() { result.clone() } else { Type::Tuple([parts(result), changed].concat()) };
    let mut all = arguments.clone();
    all.push_all(of.iter().filter_map(|k| tangent(&arguments[*k])).map(more));
    let checks = moved.iter().flat_map(|(p, own)| same_lengths(p, own)).collect_vec();
    let at = kernel.interface.params.iter().take_while(|p| p.is_argument()).count();
    kernel.interface.params.splice(at..at, moved.into_iter().map(|(_, own)| own));
    kernel.names = names;
    Ok(Derived::new(kernel, (written, wanted), (all, result), (lets, outs), checks))
}

/// The tangent of the variable of a parameter: the parameter that it is, or an element of it.
fn change_of(
    p: &Param,
    own: &Param,
    direction: Option<VarId>,
    (names, lets): (&mut Names, &mut Lets),
    o: Origin,
) -> Tangent {
    let mut whole = build::var(own.var, own.ty(), o);
    if own.column_major {
        let (x, by_rows) = (names.again(own.var), transposed(&whole, names));
        lets.push((x, by_rows));
        whole = build::var(x, own.ty(), o);
    }
    let mut change = match direction {
        Some(d) => build::get(whole, build::var(d, Type::USIZE, o), o),
        None => whole,
    };
    if direction.is_some() || p.column_major {
        let (x, ty) = (names.again(own.var), change.ty.clone());
        lets.push((x, change));
        change = build::var(x, ty, o);
    }
    if p.column_major {
        let (x, by_columns) = (names.again(own.var), transposed(&change, names));
        let ty = by_columns.ty.clone();
        lets.push((x, by_columns));
        change = build::var(x, ty, o);
    }
    vec![Some(change)]
}

/// The change of a leaf that is stored by columns, by rows: for each direction, if there are several.
fn rows_of(change: Expr, direction: Option<VarId>, names: &mut Names, lets: &mut Lets) -> Expr {
    let (x, ty, o) = (names.fresh("by_columns"), change.ty.clone(), change.origin);
    lets.push((x, change));
    let whole = build::var(x, ty, o);
    if direction.is_none() {
        return transposed(&whole, names);
    }
    let (d, y) = (names.fresh("d"), names.fresh("by_columns"));
    let one = build::get(whole.clone(), build::var(d, Type::USIZE, o), o);
    let by_rows = transposed(&build::var(y, one.ty.clone(), o), names);
    build::build(build::len(whole, 0, o), d, build::bind(y, one, by_rows, o), o)
}
