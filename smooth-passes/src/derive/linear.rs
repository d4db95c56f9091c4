//! Linear functions the other way round: a rule of the user's for one mode is one for the other, too.
//!
//! ```text
//! Lᵀ ȳ = accum x̄̄ = 0 { let x̄ = 0 in R⟦e⟧ ȳ } in x̄̄          L = λx̄. e
//! ```

use super::Undifferentiable;
use super::forward::{Lets, behind, leaves};
use super::statements::{Block, Shape, Statement, before_needed};
use super::sweeps::{How, sweeps};
use crate::fsmooth::{Callee, Expr, Interface, Kernel, Kind, build};
use crate::mapped::Mapped;
use crate::name::{Names, VarId};
use crate::shape::{Dim, Param, ParamKind, Source};
use crate::ty::Type;

/// The value of a function at these values.
pub(super) fn applied((params, body): (&[(VarId, Type)], &Expr), args: &[Expr], names: &mut Names) -> Expr {
    let (mut body, mut lets) = (body.renamed(names), Lets::new());
    for ((x, ty), a) in params.iter().zip(args) {
        let (own, o) = (names.again(*x), a.origin);
        body.replace(*x, &mut || build::var(own, ty.clone(), o));
        lets.push((own, a.clone()));
    }
    behind(lets, body)
}

/// `Lᵀ ȳ`, of a linear function `L`: a tuple of what the cotangents `ȳ` of the leaves of its value come to in its parameters, which
/// are like these terms.
///
/// # Errors
/// The terms of the function that cannot be differentiated.
pub(super) fn transposed(
    (params, body): (&[(VarId, Type)], &Expr),
    like: &[Expr],
    cotangents: Vec<Option<Expr>>,
    (names, callees): (&mut Names, &[Callee]),
    how: How,
) -> Result<Expr, Undifferentiable> {
    let (mut body, o, mut zeros) = (body.renamed(names), body.origin, Lets::new());
    let mut own = Vec::new();
    for ((x, ty), like) in params.iter().zip(like) {
        let var = names.again(*x);
        body.replace(*x, &mut || build::var(var, ty.clone(), o));
        zeros.push((var, Shape::of(like).zeros(0, names)));
        own.push(parameter(var, ty, names));
    }
    let interface = Interface {
        name: String::new(),
        types: vec![],
        params: own.clone(),
        callees: callees.to_vec(),
        consts: vec![],
    };
    let mut kernel = Kernel { interface, names: Names::default(), generics: vec![], body };
    let mut of = Vec::new();
    let how = How { keeps_value: false, ..how };
    let (befores, _) = sweeps(&mut kernel, &own, how, names, |mode, opened, block: &mut Block| {
        of = own.iter().mapped(|p| mode.declare_parameter(p, vec![]));
        mode.declare_again(&opened.0);
        mode.closed(opened, &cotangents, block);
        for (p, of) in own.iter().zip(&of) {
            block.push(Statement::Total(*of, Shape::of(&build::var(p.var, p.ty(), o))));
        }
    })?;
    let parts = of.iter().zip(&own).mapped(|(of, p)| build::var(*of, p.ty(), o));
    Ok(behind(zeros, before_needed(befores, build::tuple(parts, o))))
}

fn parameter(var: VarId, ty: &Type, names: &Names) -> Param {
    let kind = match ty {
        Type::Array(s, rank) => ParamKind::Array(*s, vec![Dim::Anon; *rank]),
        ty => ParamKind::Scalar(ty.expect_scalar()),
    };
    let (name, source) = (names.name(var).to_string(), Source::Argument(vec![0]));
    Param { var, name, kind, source, column_major: false, strided: false, in_out: false }
}

/// A rule as a function, if there is one.
pub(super) fn function(rule: &Expr) -> Option<(&[(VarId, Type)], &Expr)> {
    match &rule.kind {
        Kind::Lam(params, body) => Some((params, body)),
        _ => None,
    }
}

/// The last leaves of a value: of a rule for `jvp`, the changes of those of `value` that are floats.
pub(super) fn changes(whole: &Expr, value: &Expr) -> Vec<Option<Expr>> {
    let own = value.ty.leaf_scalars();
    let mut all = leaves(whole).into_iter().skip(own.len());
    own.into_iter().mapped(|s| if s.is_float() { all.next() } else { None })
}
