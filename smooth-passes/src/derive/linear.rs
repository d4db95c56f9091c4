//! Rules of the user's the other way round: a rule for one mode is one for the other, too, since it is linear.
//!
//! ```text
//! rule (e, (λē ẋ̄. j), (), x̄)   ⟶   rule (e, (λē ẋ̄. j), (λē ȳ. (λẋ̄. j)ᵀ ȳ), x̄)          likewise from the second to the first
//! Lᵀ ȳ = accum x̄̄ = 0 { let x̄ = 0 in R⟦e⟧ ȳ } in x̄̄                          L = λx̄. e
//! ```
//!
//! A rule that cannot be differentiated stays alone.

use super::form::How;
use super::forward::{Lets, behind};
use super::statements::{Block, Shape, Statement, before_needed};
use super::sweeps::sweeps;
use crate::fsmooth::{Callee, Expr, Interface, Kernel, Kind, build, marks};
use crate::mapped::Mapped;
use crate::name::{Names, VarId};
use crate::shape::{Dim, Param, ParamKind, Source};
use crate::ty::Type;

/// Adds the missing rules to all marks of a kernel.
pub(super) fn complete(kernel: &mut Kernel, how: How) {
    if !marks::has_marks(kernel) {
        return;
    }
    let Kernel { names, interface, body, .. } = kernel;
    let callees = &interface.callees;
    body.each_mut(&mut |e| {
        let Kind::Call(k, args) = &mut e.kind else { return };
        let [value, jvp, vjp, of @ ..] = args.as_mut_slice() else { return };
        if !callees[*k].is_mark() {
            return;
        }
        let outs = value.ty.leaves().into_iter().map(|t| (names.fresh("out"), t)).collect_vec();
        let outs = outs.into_iter().mapped(|(x, t)| build::var(x, t, value.origin));
        let floats = outs.iter().filter(|v| v.ty.leaf_scalars()[0].is_float()).cloned().collect_vec();
        let other = match (&jvp.kind, &vjp.kind) {
            (Kind::Lam(params, body), Kind::Tuple(_)) => {
                transposed((params, body), (&outs, of, &floats), (names, callees), how).map(|rule| (vjp, rule))
            }
            (Kind::Tuple(_), Kind::Lam(params, body)) => {
                transposed((params, body), (&outs, &floats, of), (names, callees), how).map(|rule| (jvp, rule))
            }
            _ => None,
        };
        if let Some((slot, rule)) = other {
            *slot = rule;
        }
    });
}

/// `λē ȳ. (λx̄. e)ᵀ ȳ`, of a function `λē x̄. e` that is linear in `x̄`: parameters that are `like` these terms, and a value whose
/// leaves are like others. `None` if it cannot be differentiated.
fn transposed(
    (params, body): (&[(VarId, Type)], &Expr),
    (outs, like, values): (&[Expr], &[Expr], &[Expr]),
    (names, callees): (&mut Names, &[Callee]),
    how: How,
) -> Option<Expr> {
    let o = body.origin;
    let mut body = body.renamed(names);
    let (of_outs, linear) = params.split_at(outs.len());
    for ((x, _), out) in of_outs.iter().zip(outs) {
        body.replace(*x, &mut || out.clone());
    }
    let (mut zeros, mut own) = (Lets::new(), Vec::new());
    for ((x, ty), like) in linear.iter().zip(like) {
        let var = names.again(*x);
        body.replace(*x, &mut || build::var(var, ty.clone(), o));
        zeros.push((var, Shape::of(like).zeros(0, names)));
        own.push(parameter(var, ty, names));
    }
    let given = values.iter().mapped(|v| build::var(names.fresh("d_out"), v.ty.clone(), o));
    let cotangents = given.iter().cloned().mapped(Some);
    let name = String::new();
    let interface = Interface { name, types: vec![], params: own.clone(), callees: callees.to_vec(), consts: vec![] };
    let mut kernel = Kernel { interface, names: Names::default(), generics: vec![], body };
    let (mut of, how) = (Vec::new(), How { keeps_value: false, ..how });
    let swept = sweeps(&mut kernel, &own, how, names, |mode, opened, block: &mut Block| {
        of = own.iter().mapped(|p| mode.declare_parameter(p, vec![]));
        mode.declare_again(&opened.0);
        mode.closed(opened, &cotangents, block);
        for (p, of) in own.iter().zip(&of) {
            block.push(Statement::Total(*of, Shape::of(&build::var(p.var, p.ty(), o))));
        }
    });
    let (befores, _) = swept.ok()?;
    let parts = of.iter().zip(&own).mapped(|(of, p)| build::var(*of, p.ty(), o));
    let body = behind(zeros, before_needed(befores, build::tuple(parts, o)));
    let params = outs
        .iter()
        .chain(&given)
        .filter_map(|v| if let Kind::Var(x) = v.kind { Some((x, v.ty.clone())) } else { None });
    Some(build::lam(params.collect(), body, o))
}

fn parameter(var: VarId, ty: &Type, names: &Names) -> Param {
    let kind = match ty {
        Type::Array(s, rank) => ParamKind::Array(*s, vec![Dim::Anon; *rank]),
        ty => ParamKind::Scalar(ty.expect_scalar()),
    };
    let (name, source) = (names.name(var).to_string(), Source::Argument(vec![0]));
    Param { var, name, kind, source, column_major: false, strided: false, in_out: false }
}
