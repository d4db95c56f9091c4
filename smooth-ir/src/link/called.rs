//! A derivative of a kernel as a rule of it, which calls the derivative: callers have no text of the kernel.
//!
//! ```text
//! f::jvp   λx̄ ȳ ẋ̄ ẏ̄.       (e, ė, y′, ẏ′)  ⟶  λx̄ ȳ ẋ̄ ẏ̄.            let r = f::jvp … in ((e, y′), (ė, ẏ′))
//! f::vjp   λx̄ ȳ d_out ȳ̄.   (e, x̄̄, y′, ȳ̄′)  ⟶  λx̄ ȳ e y′ d_out ȳ̄.  let r = f::vjp … in (x̄̄, ȳ̄′)         ȳ: in-out
//! ```
//!
//! Changes are in the order of what changes.

use super::{Export, leaves};
use crate::derivative::Mode;
use crate::fsmooth::{Callee, Expr, Interface, Kernel, Via, build};
use crate::mapped::{Mapped, PushAll};
use crate::name::Names;
use crate::shape::{Dim, Param, ParamKind, Source, in_out};
use crate::span::Origin;
use crate::ty::{Scalar, Type};

/// A derivative of a kernel as a rule of it, which calls it by the `path`th path. `None` for other derivatives, and where
/// arrays are stored by columns.
pub fn as_rule(derivative: &Export, mode: Mode, of: &Export, path: usize) -> Option<Kernel> {
    let (mut names, value) = (Names::default(), of.companion.as_ref()?);
    let (params, companion) = derivative.import(&mut names);
    let is_new = |p: &Param| matches!(p.source, Source::Const(_)) && of.params.iter().all(|q| q.name != p.name);
    if !matches!(mode, Mode::Jvp | Mode::Vjp)
        || params.iter().any(|p| p.column_major || is_new(p))
        || companion.column_major.contains(&true)
    {
        return None;
    }
    let (types, result) = (Scalar::params(&derivative.types).collect(), companion.result_type.clone());
    let callee = Callee { name: derivative.name.clone(), params, companion, via: Via::Own(path), types };
    let (mut params, o) = (derivative.import(&mut names).0, Origin::default());
    let args = params.iter().mapped(|p| build::var(p.var, p.ty(), o));
    let mut body = build::call(0, args, result, o);
    // Changes are behind the value already where all of it is results.
    if mode == Mode::Vjp || in_out(&derivative.params) > 0 {
        let both = names.fresh("both");
        let all = Parts::of(leaves(build::var(both, body.ty.clone(), o)), of, in_out(&derivative.params));
        let parts = if mode == Mode::Vjp { all.cotangents(of) } else { all.values_and_changes() };
        body = build::bind(both, body, build::tuple(parts, o), o);
    }
    if mode == Mode::Vjp {
        add_values(&mut params, of, &value.result_type, &mut names);
    }
    // The last values are parts of the result.
    params.iter_mut().for_each(|p| p.in_out = false);
    let interface = Interface {
        name: derivative.name.clone(),
        types: derivative.types.clone(),
        params,
        callees: vec![callee],
        consts: vec![],
    };
    Some(Kernel { interface, names, generics: derivative.generics.clone(), body })
}

/// The parts of what a derivative gives.
struct Parts {
    /// The results of the kernel, and the derivatives behind them.
    own: [Vec<Expr>; 2],
    /// The last values of in-out parameters, and the derivatives behind them.
    last: [Vec<Expr>; 2],
}

impl Parts {
    /// The leaves of a derivative with so many in-out parameters, of the kernel `of`.
    fn of(mut leaves: Vec<Expr>, of: &Export, in_outs: usize) -> Parts {
        let values = of.companion.as_ref().map_or(0, |c| c.result_type.leaf_count());
        let changed = in_out(&of.params);
        let mut last = leaves.split_off(leaves.len() - in_outs);
        let of_last = last.split_off(changed);
        let of_own = leaves.split_off(values - changed);
        Parts { own: [leaves, of_own], last: [last, of_last] }
    }

    /// The value of the kernel, then its changes.
    fn values_and_changes(self) -> Vec<Expr> {
        let Parts { own: [own, of_own], last: [last, of_last] } = self;
        [own, last, of_own, of_last].concat()
    }

    /// The cotangents of the kernel's arguments, in the order of these.
    fn cotangents(self, of: &Export) -> Vec<Expr> {
        let [mut own, mut last] = [self.own, self.last].map(|[_, derivatives]| derivatives.into_iter());
        let floats = of.params.iter().filter(|p| p.is_argument() && p.ty().leaf_scalars()[0].is_float());
        floats.filter_map(|p| if p.in_out { last.next() } else { own.next() }).collect()
    }
}

/// Adds parameters for the value of a kernel between its arguments and their cotangents.
fn add_values(params: &mut Vec<Param>, of: &Export, value: &Type, names: &mut Names) {
    let (own, count) = (of.argument_types().len(), value.leaf_count());
    let first = params.iter().position(|p| !matches!(&p.source, Source::Argument(way) if way[0] < own));
    for p in params.iter_mut() {
        if let Source::Argument(way) = &mut p.source
            && way[0] >= own
        {
            way[0] += count;
        }
    }
    let outs = value.leaves().into_iter().enumerate().mapped(|(k, t)| {
        let kind = match t {
            Type::Array(s, rank) => ParamKind::Array(s, vec![Dim::Anon; rank]),
            t => ParamKind::Scalar(t.expect_scalar()),
        };
        let (var, source) = (names.fresh("out"), Source::Argument(vec![own + k]));
        Param { var, name: "out".into(), kind, source, column_major: false, strided: false, in_out: false }
    });
    let first = first.unwrap_or(params.len());
    let mut rest = params.split_off(first);
    params.push_all(outs);
    params.append(&mut rest);
}
