//! Hidden parameters: `usize` constants and const generics. Sizes may mention them, so they are parameters like any
//! `usize`, except that no caller writes them.

use super::Cx;
use super::scope::{Binding, Scope};
use crate::diag::codes;
use crate::fsmooth::{Const, Expr, Kind, Via, build};
use crate::link::Export;
use crate::name::VarId;
use crate::shape::{Param, ParamKind, Source};
use crate::surface::{self, Extent, Function};
use crate::ty::{Scalar, Type};

impl Cx<'_> {
    /// The variable of a hidden parameter.
    fn hide(&mut self, name: &str, source: Source) -> VarId {
        if let Some(known) = self.hidden.iter().find(|p| p.source == source) {
            return known.var;
        }
        // A variable is one word.
        let var = self.names.fresh(name.rsplit("::").next().unwrap_or(name));
        let kind = ParamKind::Scalar(Scalar::Usize);
        self.hidden.push(Param { var, name: name.into(), kind, source, column_major: false, in_out: false });
        var
    }

    /// The constant at a path, as it is or cast to `ty`.
    pub(super) fn constant(&mut self, path: &syn::Path, ty: Scalar, cast: Option<Scalar>, at: Extent) -> Expr {
        let name = surface::path_key(path);
        let own = self.const_paths.iter().position(|(p, c)| surface::path_key(p) == name && *c == cast);
        let own = own.unwrap_or_else(|| {
            self.const_paths.push((path.clone(), cast));
            self.const_paths.len() - 1
        });
        self.constant_via(name, ty, Via::Own(own), at)
    }

    /// A constant, by the way to reach it. A `usize` is a hidden parameter, since sizes may mention it.
    fn constant_via(&mut self, name: String, ty: Scalar, via: Via, at: Extent) -> Expr {
        let known = self.consts.iter().position(|c| c.via == via && c.ty == ty);
        let k = known.unwrap_or_else(|| {
            self.consts.push(Const { name: name.clone(), ty, via });
            self.consts.len() - 1
        });
        let o = self.origin(at);
        if ty == Scalar::Usize {
            let v = self.hide(&name, Source::Const(k));
            return build::var(v, Type::USIZE, o);
        }
        build::constant(k, ty, o)
    }

    /// The variable of a constant that is used as a length.
    pub(super) fn constant_size(&mut self, path: &syn::Path, at: Extent) -> Option<VarId> {
        match self.constant(path, Scalar::Usize, None, at).kind() {
            Kind::Var(v) => Some(*v),
            _ => None,
        }
    }

    /// The variable of a const generic that the arguments do not determine.
    pub(super) fn hidden_generic(&self, ident: &proc_macro2::Ident) -> Option<VarId> {
        let named = |p: &&Param| matches!(p.source, Source::Generic(_)) && *ident == p.name;
        self.hidden.iter().find(named).map(|p| p.var)
    }

    /// Brings the const generics into scope that are not `inferable` from array arguments.
    pub(super) fn const_generics(&mut self, f: &Function, inferable: &[proc_macro2::Ident], mut scope: Scope) -> Scope {
        for (k, ident) in f.const_generics().into_iter().enumerate() {
            if !inferable.iter().any(|t| surface::key(t) == surface::key(ident)) {
                let v = self.hide(&ident.to_string(), Source::Generic(k));
                scope = scope.with(ident, Binding::Var(v, Type::USIZE));
            }
        }
        scope
    }

    /// The hidden arguments of the callee at our `n`th path; `consts` are the sizes in the turbofish.
    pub(super) fn hidden_arguments(
        &mut self,
        n: usize,
        export: &Export,
        consts: &[Option<Expr>],
        at: Extent,
    ) -> Option<Vec<Expr>> {
        let mut terms = Vec::new();
        for p in &export.params {
            match p.source {
                Source::Argument(_) => {}
                Source::Const(k) => terms.push(self.constant_via(p.name.clone(), Scalar::Usize, Via::Callee(n, k), at)),
                Source::Generic(k) => match consts.get(k).cloned().flatten() {
                    Some(t) => terms.push(t),
                    None => {
                        let message = format!(
                            "the arguments of `{0}` do not determine `{1}`: write it, as in `{0}::<3>(…)`",
                            export.name, p.name
                        );
                        self.error(&codes::MISMATCH, at, message);
                        return None;
                    }
                },
            }
        }
        Some(terms)
    }
}
