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
use super::interface::{Out, changing, element_at, extents, same_lengths, shape_by_rows, tangent_of, transposed};
use super::reverse::Reverse;
use super::statements::{Before, Block, Shape, Statement, before_needed};
use super::tangent::{parts, tangent, ways};
use super::{Derived, Undifferentiable, Wanted};
use crate::derivative::Mode;
use crate::fsmooth::{Expr, Kernel, Kind, Written, build, take};
use crate::mapped::{Mapped, PushAll};
use crate::name::{Names, VarId};
use crate::shape::card::{Atom, Card};
use crate::shape::{self, Check, Dim, Param, ParamKind, Source, in_out};
use crate::ty::Type;
use crate::value::Lit;

/// The reverse derivative of a kernel. All in-out arguments with floats are among those that change.
pub(super) fn vjp(
    mut kernel: Kernel,
    (written, shapes): (&Written, &[shape::Shape]),
    wanted: &Wanted<'_>,
) -> Result<Derived, Undifferentiable> {
    let mut names = std::mem::take(&mut kernel.names);
    let changing = changing(&kernel, wanted.of).into_iter().mapped(|(p, _)| p.clone());
    let mut given = match wanted.mode {
        Mode::Vjp => Cotangents::of_results(&kernel, (written, shapes), &mut names),
        _ => Cotangents::default(),
    };
    given.add_in_out(&changing, (written, wanted), &mut names);
    let Sweeps { befores, values, of } = sweeps(&mut kernel, &changing, &given, (written, wanted), &mut names)?;

    let mut lets = Lets::new();
    let results = values.len() - in_out(&kernel.interface.params);
    let (own, last): (Vec<_>, Vec<_>) = values.into_iter().enumerate().partition(|(k, _)| *k < results);
    let [mut outs, last] = [own, last].map(|all| all.into_iter().mapped(|(k, v)| Out::of_value(v, k, written)));
    if wanted.mode == Mode::Grad {
        outs.clear();
    }
    let mut of_last = Vec::new();
    for (p, of) in changing.iter().zip(of) {
        let whole = build::var(of, p.ty(), kernel.body.origin);
        let e = if p.column_major { transposed(&whole, &mut names) } else { whole };
        let mut out = Out::by_rows(e, extents(p, kernel.body.origin).into_iter().mapped(Some));
        match given.in_out.iter().find(|(q, _)| q.var == p.var) {
            Some((_, own)) => {
                if own.column_major {
                    out.store_by_columns(&mut names, &mut lets);
                }
                of_last.push(out);
            }
            None => outs.push(out),
        }
    }
    outs.push_all(last.into_iter().chain(of_last));

    let interface = interface(&kernel, written, wanted);
    let at = kernel.interface.params.iter().take_while(|p| p.is_argument()).count();
    let new = given.results.into_iter().chain(given.in_out.into_iter().map(|(_, own)| own));
    kernel.interface.params.splice(at..at, new);
    kernel.names = names;
    let mut derived = Derived::new(kernel, (written, wanted), interface, (lets, outs), given.checks);
    let body = take(&mut derived.kernel.body);
    derived.kernel.body = before_needed(befores, body);
    Ok(derived)
}

/// The types of the arguments and of the result.
fn interface(kernel: &Kernel, written: &Written, wanted: &Wanted<'_>) -> (Vec<Type>, Type) {
    let (arguments, result) = &written.interface;
    let (in_out, own) = wanted.of.iter().partition::<Vec<usize>, _>(|k| is_in_out(kernel, **k));
    let of_arguments = |of: Vec<usize>| of.iter().filter_map(|k| tangent(&arguments[*k])).collect_vec();
    let (of_params, last) = (of_arguments(own), of_arguments(in_out));
    let values = if wanted.mode == Mode::Grad { vec![] } else { parts(result) };
    let alone = of_params.is_empty();
    let mut all = [values, of_params].concat();
    let given = match wanted.mode {
        Mode::Vjp => parts(result).iter().filter_map(tangent).collect_vec(),
        _ => vec![],
    };
    let result = match all.len() {
        _ if alone => result.clone(),
        1 => all.remove(0),
        _ => Type::Tuple(all),
    };
    ([arguments.clone(), given, last].concat(), result)
}

/// What the sweeps give: names, the leaves of the kernel's value, and for each parameter the name of its cotangent.
struct Sweeps {
    befores: Vec<Before>,
    values: Vec<Expr>,
    of: Vec<VarId>,
}

/// The sweep that computes the kernel's value, and the one back, which adds to the cotangents of parameters.
fn sweeps(
    kernel: &mut Kernel,
    changing: &[Param],
    given: &Cotangents,
    (written, wanted): (&Written, &Wanted<'_>),
    names: &mut Names,
) -> Result<Sweeps, Undifferentiable> {
    let vars = changing.iter().mapped(|p| p.var);
    let callees = std::mem::take(&mut kernel.interface.callees);
    let (mut mode, body) = Reverse::of(kernel, &vars, (names, &callees), wanted.singular);
    let of = changing.iter().mapped(|p| mode.declare_parameter(p.var, &format!("d_{}", p.name.replace('.', "_"))));
    let mut block = Block::new();
    let (lets, value) = mode.opened(&body, &mut block);
    let values = leaves(value);
    let results = values.len() - in_out(&kernel.interface.params);
    let mut as_stored = Lets::new();
    let cotangents = given.of_leaves(&values, results, (written, wanted.mode), (mode.names, &mut as_stored));
    block.push_all(as_stored.into_iter().map(|(x, e)| Statement::Before(Before::Let(x, e))));
    mode.closed((lets, value), &cotangents, &mut block);
    let (problems, mut lengths) = mode.ended();
    kernel.interface.callees.clone_from(&callees);
    if !problems.is_empty() {
        return Err(problems);
    }
    for (p, of) in changing.iter().zip(&of) {
        block.push(Statement::Total(*of, Shape::of(&build::var(p.var, p.ty(), kernel.body.origin))));
    }
    let live = if wanted.mode == Mode::Grad { vec![] } else { values.clone() };
    lengths.add_block(&block);
    let block = Rules { names, lengths, order: wanted.order }.block(block, &live, true);
    let befores = block.into_iter().filter_map(|s| if let Statement::Before(b) = s { Some(b) } else { None });
    Ok(Sweeps { befores: befores.collect(), values, of })
}

/// The cotangents that are parameters.
#[derive(Default)]
struct Cotangents {
    /// Those of results.
    results: Vec<Param>,
    /// Those of in-out parameters, behind these.
    in_out: Vec<(Param, Param)>,
    /// The conditions on their shapes that the lengths of parameters do not say.
    checks: Vec<Check>,
}

impl Cotangents {
    /// The cotangents of the results of a kernel.
    fn of_results(kernel: &Kernel, (written, shapes): (&Written, &[shape::Shape]), names: &mut Names) -> Self {
        let (arguments, result) = &written.interface;
        let several = matches!(result, Type::Tuple(_));
        let mut own = Cotangents::default();
        let (mut leaf, mut place) = (0, arguments.len());
        for (k, part) in parts(result).iter().enumerate() {
            let scalars = part.stored().leaf_scalars();
            let floats = (0..scalars.len()).filter(|at| scalars[*at].is_float()).mapped(|at| leaf + at);
            leaf += scalars.len();
            let Some(ty) = tangent(part) else { continue };
            let base = if several { format!("d_out{k}") } else { "d_out".into() };
            for (at, way) in floats.into_iter().zip(ways(&ty)) {
                let fields: String = way.iter().map(|k| format!(".{k}")).collect();
                let source = Source::Argument([vec![place], way].concat());
                own.add_result(kernel, (written, shapes, at), (format!("{base}{fields}"), source), names);
            }
            place += 1;
        }
        own
    }

    /// The cotangent of a leaf of the value.
    fn add_result(
        &mut self,
        kernel: &Kernel,
        (written, shapes, at): (&Written, &[shape::Shape], usize),
        (name, source): (String, Source),
        names: &mut Names,
    ) {
        let var = names.fresh(&name.replace('.', "_"));
        let (by_rows, shape) = (shape_by_rows(at, written, names), &shapes[at]);
        let rank = shape.len();
        let dims = (0..rank).mapped(|axis| {
            let dim = by_rows.get(axis).and_then(|e| e.as_ref()).and_then(|e| dim_of(kernel, e)).unwrap_or(Dim::Anon);
            if dim == Dim::Anon {
                let stored = if written.column_major[at] { rank - 1 - axis } else { axis };
                self.checks.push(Check::Equal {
                    left: Card::atom(Atom::Len(var, axis as u32)),
                    right: shape[stored].clone(),
                    reason: format!("`{name}` is the cotangent of the result"),
                });
            }
            dim
        });
        let scalar = kernel.body.ty.leaf_scalars()[at];
        let kind = if dims.is_empty() { ParamKind::Scalar(scalar) } else { ParamKind::Array(scalar, dims) };
        self.results.push(Param { var, name, kind, source, column_major: false, strided: false, in_out: false });
    }

    /// Those of in-out parameters.
    fn add_in_out(&mut self, changing: &[Param], (written, wanted): (&Written, &Wanted<'_>), names: &mut Names) {
        let (arguments, result) = &written.interface;
        let first = arguments.len() + parts(result).iter().filter_map(tangent).count();
        for (k, p) in changing.iter().filter(|p| p.in_out).enumerate() {
            let mut own = tangent_of(p, 0, None, (arguments, wanted.by_columns), names);
            if let Source::Argument(way) = &mut own.source {
                way[0] = first + k;
            }
            self.checks.push_all(same_lengths(p, &own));
            self.in_out.push((p.clone(), own));
        }
    }

    /// The cotangent of each leaf of the value, of which the first are results.
    fn of_leaves(
        &self,
        values: &[Expr],
        results: usize,
        (written, mode): (&Written, Mode),
        (names, lets): (&mut Names, &mut Lets),
    ) -> Vec<Option<Expr>> {
        let (mut of_results, mut in_out) = (self.results.iter(), self.in_out.iter());
        let mut of_leaf = |(k, leaf): (usize, &Expr)| {
            let s = leaf.ty.leaf_scalars()[0];
            if !s.is_float() {
                return None;
            }
            if k >= results {
                let (p, own) = in_out.next()?;
                return Some(as_stored(own, (leaf, p.column_major), names, lets));
            }
            match mode {
                Mode::Vjp => Some(as_stored(of_results.next()?, (leaf, written.column_major[k]), names, lets)),
                _ => (k == 0).then(|| build::lit(Lit::float(1.0, s), leaf.origin)),
            }
        };
        values.iter().enumerate().mapped(&mut of_leaf)
    }
}

fn is_in_out(kernel: &Kernel, argument: usize) -> bool {
    let own = |p: &Param| matches!(&p.source, Source::Argument(way) if way[0] == argument);
    kernel.interface.params.iter().any(|p| own(p) && p.in_out)
}

/// A cotangent as the value is stored, with lengths that are known to be those of the value.
fn as_stored(own: &Param, (value, by_columns): (&Expr, bool), names: &mut Names, lets: &mut Lets) -> Expr {
    let o = value.origin;
    let whole = build::var(own.var, own.ty(), o);
    let is_turned = own.column_major != by_columns;
    if !is_turned && !own.dims().contains(&Dim::Anon) {
        return whole;
    }
    let mut indices = own.dims().iter().mapped(|_| names.fresh("i"));
    let loops = indices.clone();
    if is_turned {
        indices.reverse();
    }
    let element = element_at(whole, indices.into_iter());
    let loops = loops.into_iter().enumerate().rev();
    let all = loops.fold(element, |e, (axis, i)| build::build(build::len(value.clone(), axis, o), i, e, o));
    with_name(all, own.name.split('.').next().unwrap_or_default(), names, lets)
}

/// An extent as a dimension of a parameter.
fn dim_of(kernel: &Kernel, e: &Expr) -> Option<Dim> {
    match &e.kind {
        Kind::Lit(Lit::Int(n, _)) => Some(Dim::Lit(u64::try_from(*n).ok()?)),
        Kind::Var(v) if kernel.sizes().iter().any(|(s, ..)| s == v) => Some(Dim::Size(*v)),
        Kind::Var(v) if kernel.interface.params.iter().any(|p| p.var == *v) => Some(Dim::Param(*v)),
        _ => None,
    }
}
