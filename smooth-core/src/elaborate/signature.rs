//! Written types: parameters, sizes, the result.

use super::scope::{Binding, Scope};
use super::{Cx, WrittenShape};
use crate::diag::codes;
use crate::shape::{Dim, Param, ParamKind};
use crate::surface::{self, ExprKind, Function, TypeExpr, TypeKind};
use crate::ty::{Scalar, Type};
use crate::value::Lit;
use proc_macro2::Ident;

impl Cx<'_> {
    /// The type that is written, sizes aside.
    pub(super) fn written(&mut self, t: &TypeExpr) -> Option<Type> {
        match &t.kind {
            TypeKind::Scalar(s) => Some(Type::Scalar(*s)),
            TypeKind::Array(elem, _) => Type::array_of(&self.written(elem)?),
            TypeKind::Tuple(ts) => Some(Type::Tuple(ts.iter().map(|t| self.written(t)).collect::<Option<_>>()?)),
            TypeKind::Fn(ps, r) => {
                let ps = ps.iter().map(|t| self.written(t)).collect::<Option<_>>()?;
                Some(Type::Fn(ps, Box::new(self.written(r)?)))
            }
        }
    }

    /// Parameters and symbolic sizes, and the scope they make.
    pub(super) fn parameters(&mut self, f: &Function) -> (Vec<Param>, Scope) {
        let mut scope = Scope::default();
        let vars: Vec<_> = f.params.iter().map(|p| self.fresh(&p.name)).collect();
        // A size may be named before the `usize` parameter that gives it.
        let values: Vec<_> = f
            .params
            .iter()
            .zip(&vars)
            .filter(|(p, _)| matches!(p.ty.kind, TypeKind::Scalar(Scalar::Usize)))
            .map(|(p, v)| (p.name.clone(), *v))
            .collect();
        let mut sizes: Vec<(Ident, crate::name::VarId)> = Vec::new();
        let arrays = |t: &TypeExpr| if matches!(t.kind, TypeKind::Fn(..)) { vec![] } else { surface::size_names(t) };
        for ident in f.params.iter().flat_map(|p| arrays(&p.ty)) {
            let known = |list: &[(Ident, crate::name::VarId)]| {
                list.iter().any(|(i, _)| surface::key(i) == surface::key(&ident))
            };
            if known(&values) || known(&sizes) {
                continue;
            }
            if f.params.iter().any(|p| surface::key(&p.name) == surface::key(&ident)) {
                self.error(
                    &codes::PARAM_TYPE,
                    (ident.span(), ident.span()),
                    format!("`{ident}` stands as a length, but the parameter `{ident}` is no `usize`"),
                );
            }
            let v = self.fresh(&ident);
            scope = scope.with(&ident, Binding::Var(v, Type::USIZE));
            sizes.push((ident, v));
        }
        self.open_sizes = f
            .params
            .iter()
            .filter(|p| matches!(p.ty.kind, TypeKind::Fn(..)))
            .flat_map(|p| surface::size_names(&p.ty))
            .map(|i| surface::key(&i))
            .collect();
        let mut params = Vec::new();
        for (p, var) in f.params.iter().zip(&vars) {
            let kind = match &p.ty.kind {
                TypeKind::Scalar(s) => Some(ParamKind::Scalar(*s)),
                TypeKind::Array(..) => {
                    self.dims(&p.ty, &values, &sizes, false).map(|(s, dims)| ParamKind::Array(s, dims))
                }
                TypeKind::Fn(args, r) => self.fn_param(args, r, &values, &sizes),
                TypeKind::Tuple(_) => {
                    self.error(
                        &codes::PARAM_TYPE,
                        p.ty.at,
                        format!("the parameter `{}` is a tuple: pass its parts as parameters of their own", p.name),
                    );
                    None
                }
            };
            let Some(kind) = kind else {
                scope = scope.with(&p.name, Binding::Broken);
                continue;
            };
            let param = Param { var: *var, name: surface::plain(&p.name), kind };
            scope = scope.with(&p.name, Binding::Var(*var, param.ty()));
            params.push(param);
        }
        (params, scope)
    }

    fn fn_param(
        &mut self,
        args: &[TypeExpr],
        r: &TypeExpr,
        values: &[(Ident, crate::name::VarId)],
        sizes: &[(Ident, crate::name::VarId)],
    ) -> Option<ParamKind> {
        let mut ps = Vec::new();
        for t in args {
            let ty = self.written(t)?;
            if ty.is_fn() {
                self.error(&codes::PARAM_TYPE, t.at, "a function parameter takes numbers and arrays, no functions");
                return None;
            }
            let dims = if ty.is_array() { self.dims(t, values, sizes, true)?.1 } else { vec![] };
            ps.push((ty, dims));
        }
        let result = self.written(r)?;
        let dims = if result.is_array() { self.dims(r, values, sizes, true)?.1 } else { vec![] };
        Some(ParamKind::Fn(ps, result, dims))
    }

    /// Element type and extents of a written array.
    fn dims(
        &mut self,
        t: &TypeExpr,
        values: &[(Ident, crate::name::VarId)],
        sizes: &[(Ident, crate::name::VarId)],
        open: bool,
    ) -> Option<(Scalar, Vec<Dim>)> {
        match &t.kind {
            TypeKind::Array(elem, len) => {
                let dim = match len.as_ref().map(|e| (&e.kind, e.at)) {
                    None => Dim::Anon,
                    Some((ExprKind::Lit(Lit::Int(n, _), _), _)) => Dim::Lit(u64::try_from(*n).ok()?),
                    Some((ExprKind::Path(p), at)) => {
                        match p.get_ident() {
                            Some(i) if surface::function_like(p) => {
                                let find = |list: &[(Ident, crate::name::VarId)]| {
                                    list.iter().find(|(j, _)| surface::key(i) == surface::key(j)).map(|(_, v)| *v)
                                };
                                match (find(values), find(sizes)) {
                                    (Some(v), _) => Dim::Param(v),
                                    (_, Some(v)) => Dim::Size(v),
                                    _ if open => Dim::Anon,
                                    _ => return None,
                                }
                            }
                            _ => {
                                self.error(&codes::PARAM_TYPE, at, "a constant as a length: write the number, or a lower-case name for a symbolic size");
                                return None;
                            }
                        }
                    }
                    Some((ExprKind::Error, _)) => return None,
                    Some((_, at)) => {
                        self.error(
                            &codes::PARAM_TYPE,
                            at,
                            "the length of a parameter is a number or a name; expressions stand in results",
                        );
                        return None;
                    }
                };
                let (scalar, inner) = self.dims(elem, values, sizes, open)?;
                Some((scalar, std::iter::once(dim).chain(inner).collect()))
            }
            TypeKind::Scalar(s) => Some((*s, vec![])),
            _ => None,
        }
    }

    /// The written result: its type, and the extents of each leaf.
    pub(super) fn result_type(&mut self, f: &Function, scope: &Scope) -> Option<(Type, Vec<WrittenShape>)> {
        let ty = self.written(&f.result)?;
        let mut leaves = Vec::new();
        self.result_leaves(&f.result, scope, &mut leaves)?;
        Some((ty, leaves))
    }

    fn result_leaves(&mut self, t: &TypeExpr, scope: &Scope, leaves: &mut Vec<WrittenShape>) -> Option<()> {
        match &t.kind {
            TypeKind::Tuple(ts) => ts.iter().try_for_each(|t| self.result_leaves(t, scope, leaves)),
            _ => {
                leaves.push(self.written_shape(t, scope)?);
                Some(())
            }
        }
    }

    /// The extents of a written type, as terms over what is in scope.
    pub(super) fn written_shape(&mut self, t: &TypeExpr, scope: &Scope) -> Option<WrittenShape> {
        match &t.kind {
            TypeKind::Array(elem, len) => {
                let extent = match len {
                    None => None,
                    // A size that only a function parameter's type names is known to the caller alone.
                    Some(e) if matches!(&e.kind, ExprKind::Path(p) if p.get_ident().is_some_and(|i| scope.find(i).is_none() && self.open_sizes.contains(&surface::key(i)))) => {
                        None
                    }
                    Some(e) => Some(self.usize(e, scope)?),
                };
                let mut shape = vec![extent];
                shape.extend(self.written_shape(elem, scope)?);
                Some(shape)
            }
            _ => Some(vec![]),
        }
    }
}
