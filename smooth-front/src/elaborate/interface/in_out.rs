//! In-out parameters: the kernel computes its result and the last value of each of them.
//!
//! ```text
//! λx̄ ȳ. e   ⟶   λx̄ ȳ. (e, ȳ′)        ȳ′: the variables ȳ after e; without a result only these, and a single one as it is
//! ```
//!
//! The last value of an array of tuples is an array for each part.

use crate::diag::codes;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Binding, Mutable, Scope};
use crate::elaborate::flow::chain::{End, zero};
use crate::elaborate::flow::effects::Target;
use crate::elaborate::flow::probes::settled;
use crate::elaborate::flow::statements::{Region, Then, value_types};
use crate::fsmooth::WrittenShape;
use crate::fsmooth::{Expr, build};
use crate::mapped::{Mapped, PushAll};
use crate::shape::{Dim, Param};
use crate::span::Origin;
use crate::surface::{Extent, Function};
use crate::ty::Type;

impl Cx<'_> {
    /// The body of a kernel: its result, and the last values of its in-out parameters.
    pub(crate) fn kernel_body(&mut self, f: &Function, ty: Option<&Type>, scope: &Scope) -> Option<Expr> {
        let names = f.params.iter().filter(|p| p.in_out).flat_map(|p| p.pattern.names());
        let outs = names.filter_map(|name| match scope.lookup(name) {
            Some(Binding::Mutable(m)) => Some(m),
            _ => None,
        });
        let mut outs: Vec<Mutable> = outs.collect();
        outs.iter().for_each(|m| self.flow.lend(*m));
        let probed = self.runs_probes(&f.body).then(|| {
            let o = self.origin(f.body.at);
            self.with_token(scope, o)
        });
        let (scope, token) = probed.map_or((scope.clone(), None), |(scope, token)| (scope, Some(token)));
        outs.push_all(token);
        let region = Region { outs, value: true, want: ty, end: Some(Target::Return(f.body.id)) };
        let flow = self.flow(&f.body, &scope, &Then::End, &region);
        let (mut flow, ty) = (flow?, ty?);
        let (o, at) =
            (self.origin(crate::elaborate::context::tail(&f.body).at), crate::elaborate::context::tail(&f.body).at);
        // A body that never ends has any type.
        let found = value_types(&flow).into_iter().find(|found| found != ty).unwrap_or_else(|| ty.clone());
        if found.is_fn() {
            self.error(
                &codes::FUNCTION_VALUE,
                at,
                "a function is stored or returned\ncall the function, and store or return its result",
            );
            return None;
        }
        if found != *ty {
            let hint = self.way(&f.body, &found, ty);
            let message = match &found {
                Type::Tuple(ts) if ts.is_empty() => {
                    format!(
                        "the body ends without a value, but the result is declared as {ty}\nend the body with the value, without a `;` after it"
                    )
                }
                _ => format!("the body has type {found}, but the result is declared as {ty}"),
            };
            match (&found, ty) {
                (Type::Scalar(s), Type::Array(..)) => {
                    let s = Type::Scalar(*s);
                    let help = format!("write the result as `-> {s}`, or make an array of it, as in `build(n, |i| …)`");
                    self.helped(&codes::MISMATCH, at, message, &help);
                }
                (Type::Array(..), Type::Scalar(_)) => {
                    let help = "write an array as the result, as in `-> [f64; n]`, or compute a number from it, as in `sum(n, |i| a[i])`";
                    self.helped(&codes::MISMATCH, at, message, help);
                }
                (_, Type::Tuple(ts)) if ts.is_empty() => {
                    let help =
                        format!("write the type of the result, as in `-> {found}`, or end the body without a value");
                    self.helped(&codes::MISMATCH, at, message, &help);
                }
                (Type::Tuple(ts), _) if ts.is_empty() => self.error(&codes::MISMATCH, at, message),
                _ => self.error(&codes::MISMATCH, at, message + &hint),
            }
            return None;
        }
        self.typed.types.insert(f.body.id, found);
        if flow.is_never() {
            flow.end = End::Done(self.nowhere(&scope, &region, ty, at)?);
        }
        Some(flow.term(&mut |mut values| {
            let token = token.and_then(|_| values.pop().flatten());
            let mut values = values.into_iter();
            let result = values.next().flatten().or_else(|| zero(ty, o));
            let result = joined(result.unwrap_or_else(|| build::tuple(vec![], o)), values.flatten().collect(), o);
            settled(result, token, o)
        }))
    }
}

impl Cx<'_> {
    /// The results of a body that always panics: a result of the declared shape, which nobody reads.
    fn nowhere(&mut self, scope: &Scope, region: &Region, ty: &Type, at: Extent) -> Option<Vec<Option<Expr>>> {
        let o = self.origin(at);
        let result = self.empty_result(ty, o);
        if result.is_none() {
            let message = "this kernel always panics, and the shape of its result is not declared";
            self.helped(&codes::OUTSIDE, at, message, "write the lengths of the result, as in `-> [f64; n]`");
            return None;
        }
        self.results(result, scope, region)
    }
}

/// The result and the last values.
fn joined(result: Expr, last: Vec<Expr>, o: Origin) -> Expr {
    let result = (*result.ty() != Type::Tuple(vec![])).then_some(result);
    let last = last.into_iter().flat_map(crate::elaborate::terms::records::columns_of_value);
    let mut all: Vec<Expr> = result.into_iter().chain(last).collect();
    if all.len() == 1 { all.remove(0) } else { build::tuple(all, o) }
}

/// The shapes that the last values must have: those of the arguments, as they are stored.
pub(crate) fn written_shapes(params: &[Param], o: Origin) -> Vec<WrittenShape> {
    let extent = |p: &Param, axis: usize| match &p.dims()[axis] {
        Dim::Lit(n) => build::index(*n, o),
        Dim::Size(v) | Dim::Param(v) => build::var(*v, Type::USIZE, o),
        Dim::Anon => build::len(build::var(p.var, p.ty(), o), axis, o),
    };
    let shape = |p: &Param| (0..p.dims().len()).mapped(|axis| Some(extent(p, axis)));
    params.iter().filter(|p| p.in_out).mapped(shape)
}
