//! `f::vjp`, `f::grad`, `f::value_and_grad`: the kernel of `f`, and what cotangents of its results come to in parameters.
//!
//! ```text
//! f::vjp              λx̄ ȳ. (e, y′) ⟶ λx̄ ȳ d_out ȳ̄. ((e, x̄̄), y′, ȳ̄′)     accum (x̄̄, ȳ̄′) = 0 { R⟦(e, y′)⟧ (d_out, ȳ̄) }     ȳ: in-out
//! f::vjp_many         λx̄. e        ⟶ λx̄ d_out. (e, x̄̄)                 accum x̄̄ = 0 { for d < r { R⟦e⟧ d_out[d] }, to x̄̄[d] }
//! f::value_and_grad   λx̄. e        ⟶ λx̄. (e, x̄̄)                       d_out = 1
//! f::grad             λx̄. e        ⟶ λx̄. x̄̄
//! ```
//!
//! Cotangents are stored by rows, however the values are.

use super::forward::{Lets, leaves, with_name};
use super::interface::{Out, changing, element_at, extents, many, rows_of, shape_by_rows, tangent_of, transposed};
use super::reverse::{Opened, Reverse};
use super::statements::{Before, Block, Shape, Statement, before_needed, index};
use super::sweeps::sweeps;
use super::tangent::{listed, parts, tangent, ways};
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
    let many = (wanted.mode == Mode::VjpMany).then(|| many(&kernel, &mut names));
    let mut given = Cotangents { many, ..Cotangents::default() };
    if matches!(wanted.mode, Mode::Vjp | Mode::VjpMany) {
        given.add_results(&kernel, (written, shapes), &mut names);
    }
    given.add_in_out(&changing, (written, wanted), &mut names);
    let results = kernel.body.ty.leaf_count() - in_out(&kernel.interface.params);
    let (o, mut of) = (kernel.body.origin, Vec::new());
    let (befores, values) = sweeps(&mut kernel, &changing, wanted.how(), &mut names, |mode, opened, block| {
        of = given.back((&changing, results), written, (mode, opened), block);
    })?;

    let mut lets = Lets::new();
    let (own, last): (Vec<_>, Vec<_>) = values.into_iter().enumerate().partition(|(k, _)| *k < results);
    let [mut outs, last] = [own, last].map(|all| all.into_iter().mapped(|(k, v)| Out::of_value(v, k, written)));
    if wanted.mode == Mode::Grad {
        outs.clear();
    }
    let mut of_last = Vec::new();
    for (p, of) in changing.iter().zip(of) {
        let whole = build::var(of, given.listed(p.ty()), o);
        let first = usize::from(many.is_some());
        let e = if p.column_major { rows_of(whole, first, &mut names, &mut lets) } else { whole };
        let count = many.map(|(r, _)| index(r, o));
        let mut out = Out::by_rows(e, count.into_iter().chain(extents(p, o)).mapped(Some));
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
    let listed = |t: Type| if wanted.mode.is_of_many() { listed(&t, 1) } else { t };
    let of_arguments = |of: Vec<usize>| of.iter().filter_map(|k| tangent(&arguments[*k])).map(listed).collect_vec();
    let (of_params, last) = (of_arguments(own), of_arguments(in_out));
    let values = if wanted.mode == Mode::Grad { vec![] } else { parts(result) };
    let alone = of_params.is_empty();
    let mut all = [values, of_params].concat();
    let given = match wanted.mode {
        Mode::Vjp | Mode::VjpMany => parts(result).iter().filter_map(tangent).map(listed).collect_vec(),
        _ => vec![],
    };
    let result = match all.len() {
        _ if alone => result.clone(),
        1 => all.remove(0),
        _ => Type::Tuple(all),
    };
    ([arguments.clone(), given, last].concat(), result)
}

/// The cotangents that are parameters.
#[derive(Default)]
struct Cotangents {
    /// The number of them and the index of one, if there are many.
    many: Option<(VarId, VarId)>,
    /// Those of results.
    results: Vec<Param>,
    /// Those of in-out parameters, behind these.
    in_out: Vec<(Param, Param)>,
    /// The conditions on their shapes that the lengths of parameters do not say.
    checks: Vec<Check>,
}

impl Cotangents {
    /// The type of one or of many.
    fn listed(&self, ty: Type) -> Type {
        if self.many.is_some() { listed(&ty, 1) } else { ty }
    }

    /// Those of the results of a kernel.
    fn add_results(&mut self, kernel: &Kernel, (written, shapes): (&Written, &[shape::Shape]), names: &mut Names) {
        let (arguments, result) = &written.interface;
        let several = matches!(result, Type::Tuple(_));
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
                self.add_result(kernel, (written, shapes, at), (format!("{base}{fields}"), source), names);
            }
            place += 1;
        }
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
                let own = axis + usize::from(self.many.is_some());
                self.checks.push(Check::Equal {
                    left: Card::atom(Atom::Len(var, own as u32)),
                    right: shape[stored].clone(),
                    reason: format!("`{name}` is the cotangent of the result, and has its shape"),
                });
            }
            dim
        });
        let dims = self.many.map(|(r, _)| Dim::Size(r)).into_iter().chain(dims).collect_vec();
        let scalar = kernel.body.ty.leaf_scalars()[at];
        let kind = if dims.is_empty() { ParamKind::Scalar(scalar) } else { ParamKind::Array(scalar, dims) };
        self.results.push(Param { var, name, kind, source, column_major: false, strided: false, in_out: false });
    }

    /// Those of in-out parameters.
    fn add_in_out(&mut self, changing: &[Param], (written, wanted): (&Written, &Wanted<'_>), names: &mut Names) {
        let (arguments, result) = &written.interface;
        let first = arguments.len() + parts(result).iter().filter_map(tangent).count();
        for (k, p) in changing.iter().filter(|p| p.in_out).enumerate() {
            let mut own = tangent_of(p, 0, self.many.map(|(r, _)| r), (arguments, wanted.by_columns), names);
            if let Source::Argument(way) = &mut own.source {
                way[0] = first + k;
            }
            self.in_out.push((p.clone(), own));
        }
    }

    /// The sweep back. Returns the names of the cotangents of parameters.
    fn back(
        &self,
        (changing, results): (&[Param], usize),
        written: &Written,
        (mode, opened): (&mut Reverse<'_>, Opened<'_>),
        block: &mut Block,
    ) -> Vec<VarId> {
        let o = opened.1.origin;
        let at = self.many.map(|(_, d)| index(d, o)).into_iter().collect_vec();
        let of = changing.iter().mapped(|p| mode.declare_parameter(p, at.clone()));
        mode.declare_again(&opened.0);
        let (mut inside, mut stored) = (Block::new(), Lets::new());
        let cotangents = self.of_leaves(&leaves(opened.1), (results, &at), written, (mode.names, &mut stored));
        inside.push_all(stored.into_iter().map(|(x, e)| Statement::Before(Before::Let(x, e))));
        mode.closed(opened, &cotangents, &mut inside);
        match self.many {
            Some((r, d)) => block.push(Statement::For(index(r, o), d, inside)),
            None => block.push_all(inside),
        }
        for (p, of) in changing.iter().zip(&of) {
            let mut shape = Shape::of(&build::var(p.var, p.ty(), o));
            shape.extents.splice(0..0, self.many.map(|(r, _)| index(r, o)));
            block.push(Statement::Total(*of, shape));
        }
        of
    }

    /// The cotangent of each leaf of the value, of which the first are results.
    fn of_leaves(
        &self,
        values: &[Expr],
        (results, at): (usize, &[Expr]),
        written: &Written,
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
                return Some(as_stored((own, at), (leaf, p.column_major), names, lets));
            }
            match of_results.next() {
                Some(own) => Some(as_stored((own, at), (leaf, written.column_major[k]), names, lets)),
                None => (k == 0).then(|| build::lit(Lit::float(1.0, s), leaf.origin)),
            }
        };
        values.iter().enumerate().mapped(&mut of_leaf)
    }
}

fn is_in_out(kernel: &Kernel, argument: usize) -> bool {
    let own = |p: &Param| matches!(&p.source, Source::Argument(way) if way[0] == argument);
    kernel.interface.params.iter().any(|p| own(p) && p.in_out)
}

/// A cotangent as the value is stored, with lengths that are known to be those of the value; that `at` an index, of many.
fn as_stored(
    (own, at): (&Param, &[Expr]),
    (value, by_columns): (&Expr, bool),
    names: &mut Names,
    lets: &mut Lets,
) -> Expr {
    let (o, name) = (value.origin, own.name.split('.').next().unwrap_or_default());
    let mut whole = build::var(own.var, own.ty(), o);
    if own.column_major && !at.is_empty() {
        // The axis of many is the last one.
        whole = with_name(transposed(&whole, names), name, names, lets);
    }
    let is_turned = if at.is_empty() { own.column_major != by_columns } else { by_columns };
    let one = at.iter().fold(whole, |whole, d| build::get(whole, d.clone(), o));
    if !is_turned && !own.dims().contains(&Dim::Anon) {
        return with_name(one, name, names, lets);
    }
    let loops = (0..value.ty.rank()).mapped(|_| names.fresh("i"));
    let mut indices = loops.clone();
    if is_turned {
        indices.reverse();
    }
    let element = element_at(one, indices.into_iter());
    let loops = loops.into_iter().enumerate().rev();
    let all = loops.fold(element, |e, (axis, i)| build::build(build::len(value.clone(), axis, o), i, e, o));
    with_name(all, name, names, lets)
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
