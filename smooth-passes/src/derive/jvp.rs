//! `f::jvp`: the kernel of `f`, with tangents of parameters after the parameters, and tangents of results after the results.
//!
//! ```text
//! λx̄ ȳ. (e, ȳ′)   ⟶   λx̄ ȳ ẋ̄ ẏ̄. ((e, D⟦e⟧), ȳ′, D⟦ȳ′⟧)          ȳ: the in-out parameters
//!
//! f::jvp_many:   λx̄ ẋ̄. (e, build r (λd. D⟦e⟧[ẋ̄[d] / ẋ̄]))
//! f::hvp:        that of `f::grad`
//! ```
//!
//! Tangents are stored by rows, however the values are.

use super::forward::{Lets, Tangent, behind, leaves, value_and_changes, with_name};
use super::interface::{Out, changing, is_float, many, rows_of, shape_by_rows, tangent_of, transposed};
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
    let (arguments, result) = &written.interface;
    let mut names = std::mem::take(&mut kernel.names);
    let directions = (wanted.mode == Mode::JvpMany).then(|| many(&kernel, &mut names));
    let count = directions.map(|(r, _)| r);
    let mut moved = changing(&kernel, wanted.of)
        .into_iter()
        .mapped(|(p, at)| (p.clone(), tangent_of(p, at, count, (arguments, wanted.by_columns), &mut names)));
    if wanted.mode == Mode::Hvp {
        // The gradient has the names of tangents.
        moved.iter_mut().for_each(|(_, own)| own.name = own.name.replacen("d_", "v_", 1));
    }
    let (value, changes, mut lets) = values(&kernel, &moved, directions, wanted, &mut names)?;
    let in_out = kernel.interface.params.iter().filter(|p| p.in_out).count();
    let mut outs = Outs { written, directions, names: &mut names, lets: &mut lets };
    let [own, mut last] = outs.of(leaves(&value), changes, in_out);
    // The last value of a tangent is stored as the tangent is.
    let stored = moved.iter().filter(|(p, _)| p.in_out).map(|(_, own)| own.column_major);
    for (out, _) in last[1].iter_mut().zip(stored).filter(|(_, by_columns)| *by_columns) {
        out.store_by_columns(&mut names, &mut lets);
    }
    let outs = [own, last].into_iter().flatten().flatten().collect_vec();

    let more = |t: Type| if count.is_some() { listed(&t, 1) } else { t };
    let changed = parts(result).iter().filter_map(tangent).map(more).collect_vec();
    let result = if changed.is_empty() { result.clone() } else { Type::Tuple([parts(result), changed].concat()) };
    let mut all = arguments.clone();
    all.push_all(wanted.of.iter().filter_map(|k| tangent(&arguments[*k])).map(more));
    let at = kernel.interface.params.iter().take_while(|p| p.is_argument()).count();
    kernel.interface.params.splice(at..at, moved.into_iter().map(|(_, own)| own));
    kernel.names = names;
    Ok(Derived::new(kernel, (written, wanted), (all, result), (lets, outs), vec![]))
}

/// The number of directions and the index of one.
type Directions = Option<(VarId, VarId)>;

/// The kernel's value and the changes of its leaves that are floats, behind `let`s. Of several directions, the value is computed
/// before, and their loop computes again what their changes need.
fn values(
    kernel: &Kernel,
    moved: &[(Param, Param)],
    directions: Directions,
    wanted: &Wanted<'_>,
    names: &mut Names,
) -> Result<(Expr, Vec<Expr>, Lets), Undifferentiable> {
    let (body, o) = (&kernel.body, kernel.body.origin);
    let mut lets = Lets::new();
    let of_one = directions.map(|(_, d)| d);
    let tangents = moved.iter().map(|(p, own)| (p.var, change_of(p, own, of_one, (names, &mut lets), o)));
    let tangents: Map<VarId, Tangent> = tangents.collect();
    let before = directions.map(|_| body.renamed(names));
    let callees = &kernel.interface.callees;
    let (value, mut changes) = value_and_changes(body, tangents, (names, callees), wanted.singular, &mut lets)?;
    let (Some(before), Some((r, d))) = (before, directions) else { return Ok((value, changes, lets)) };
    let mut outer = Lets::new();
    let value = with_name(before, "value", names, &mut outer);
    let all = if changes.len() == 1 { changes.remove(0) } else { build::tuple(changes, o) };
    let all = build::build(build::var(r, Type::USIZE, o), d, behind(lets, all), o);
    let changes = leaves(&with_name(all, "changes", names, &mut outer));
    Ok((value, changes, outer))
}

/// The leaves of a derivative's value.
struct Outs<'a> {
    written: &'a Written,
    directions: Directions,
    names: &'a mut Names,
    lets: &'a mut Lets,
}

impl Outs<'_> {
    /// The results and their changes, then the last values of `in_out` parameters and the changes of these.
    fn of(&mut self, values: Vec<Expr>, changes: Vec<Expr>, in_out: usize) -> [[Vec<Out>; 2]; 2] {
        let (mut outs, mut changes) = ([(); 2].map(|()| [Vec::new(), Vec::new()]), changes.into_iter());
        let results = values.len() - in_out;
        for (k, value) in values.into_iter().enumerate() {
            let [own, changed] = &mut outs[usize::from(k >= results)];
            if is_float(&value.ty) {
                changed.extend(changes.next().map(|change| self.change(change, k)));
            }
            own.push(Out::of_value(value, k, self.written));
        }
        outs
    }

    /// The change of the `k`th leaf of the kernel's value.
    fn change(&mut self, change: Expr, k: usize) -> Out {
        let mut shape = shape_by_rows(k, self.written, self.names);
        let count = self.directions.map(|(r, _)| Some(build::var(r, Type::USIZE, change.origin)));
        shape.splice(0..0, count);
        if !self.written.column_major[k] {
            return Out::by_rows(change, shape);
        }
        Out::by_rows(rows_of(change, usize::from(self.directions.is_some()), self.names, self.lets), shape)
    }
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
