//! Written types: parameters, sizes, the result.

mod lengths;

use crate::diag::codes;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Binding, Scope};
use crate::fsmooth::WrittenShape;
use crate::fsmooth::{Expr, build};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::shape::{Dim, Param, ParamKind, Source};
use crate::surface::layout::{Layout, Layouts};
use crate::surface::{self, ExprKind, Function, Pattern, TypeExpr, TypeKind};
use crate::ty::{Scalar, Type};
use crate::value::Lit;
use proc_macro2::Ident;

/// The maximal rank of an array.
pub(crate) const MAX_RANK: usize = 6;

/// The names that may be used as a length: `usize` parameters and symbolic sizes.
#[derive(Clone)]
pub(crate) struct Lengths {
    pub(crate) values: Vec<(Ident, VarId)>,
    pub(crate) sizes: Vec<(Ident, VarId)>,
    /// The layouts of the arrays.
    pub(crate) layouts: Layouts,
}

/// A parameter or a part of one: its name, its path in the arguments, its variable and its pattern.
pub(crate) struct Leaf<'p> {
    pub(crate) name: String,
    pub(crate) way: Vec<usize>,
    pub(crate) var: VarId,
    pub(crate) pattern: Option<&'p Pattern>,
    pub(crate) in_out: bool,
}

impl Cx<'_> {
    /// The written type without its sizes.
    pub(crate) fn written(&mut self, t: &TypeExpr) -> Option<Type> {
        match &t.kind {
            TypeKind::Scalar(s) => Some(Type::Scalar(*s)),
            TypeKind::Array(elem, _) => Type::list_of(&self.written(elem)?),
            TypeKind::Tuple(parts) => {
                let ts: Vec<Type> = parts.iter().map(|t| self.written(t)).collect::<Option<_>>()?;
                self.few_parts(&ts, t.at)?;
                Some(Type::Tuple(ts))
            }
            TypeKind::Fn(ps, r) => {
                let ps = ps.iter().map(|t| self.written(t)).collect::<Option<_>>()?;
                Some(Type::Fn(ps, Box::new(self.written(r)?)))
            }
        }
    }

    /// The parameters, and the scope with their names and the symbolic sizes.
    pub(crate) fn parameters(&mut self, f: &Function, layouts: &Layouts) -> (Vec<Param>, Scope) {
        let mut scope = Scope::default();
        // A size may be named before the `usize` parameter that gives it.
        let mut values: Vec<(Ident, VarId)> = Vec::new();
        for (name, ty) in f.params.iter().flat_map(surface::Param::parts) {
            if let (Some(name), TypeKind::Scalar(Scalar::Usize)) = (name, &ty.kind) {
                values.push((name.clone(), self.fresh(name)));
            }
        }
        let mut sizes: Vec<(Ident, VarId)> = Vec::new();
        let generics: Vec<Ident> = f.const_generics().into_iter().cloned().collect();
        let inferable = |(name, ty)| surface::inferable_sizes(ty, &generics, layouts.named(name));
        for ident in f.params.iter().flat_map(surface::Param::parts).flat_map(inferable) {
            let known = |list: &[(Ident, VarId)]| list.iter().any(|(i, _)| surface::same_name(i, &ident));
            if known(&values) || known(&sizes) {
                continue;
            }
            if f.binds(&ident) {
                self.not_a_length(&ident);
            }
            let v = self.fresh(&ident);
            scope = scope.with(&ident, Binding::Var(v, Type::USIZE));
            let n = surface::plain(&ident);
            let way =
                format!("write `let mut {n} = {n};` before: `{n}` is the size of an argument, and this changes a copy");
            crate::elaborate::flow::stand_ins::note_value(self, &ident, Some(way));
            sizes.push((ident, v));
        }
        self.interface.open_sizes = f
            .params
            .iter()
            .filter(|p| matches!(p.ty.kind, TypeKind::Fn(..)))
            .flat_map(|p| surface::size_names(&p.ty))
            .mapped(|i| surface::key(&i));
        let inferable: Vec<Ident> = sizes.iter().mapped(|(i, _)| i.clone());
        scope = self.const_generics(f, &inferable, scope);
        for i in surface::open_lengths(f) {
            if f.binds(&i) {
                self.not_a_length(&i);
            }
            let v = self.fresh(&i);
            self.interface.open.push((i, v));
        }
        sizes.push_all(self.interface.open.iter().cloned());
        let lengths = Lengths { values, sizes, layouts: layouts.clone() };
        let mut params = Vec::new();
        for (k, p) in f.params.iter().enumerate() {
            let leaf = self.leaf(&p.pattern, surface::plain(&p.name), vec![k], &lengths);
            let leaf = Leaf { in_out: p.in_out, ..leaf };
            let term = self.parameter((&p.ty, Layout::Rows), leaf, (&lengths, &[]), &mut params);
            let Some(term) = term else {
                crate::elaborate::flow::lets::broken_names(&p.pattern, &mut scope);
                for size in
                    surface::length_names(&p.ty).iter().filter(|i| scope.find(i).is_none()).cloned().collect::<Vec<_>>()
                {
                    scope = scope.with(&size, Binding::Broken);
                }
                continue;
            };
            // The user's variable is computed from the flat parameters.
            let seen = if matches!(term.kind(), crate::fsmooth::Kind::Var(_)) {
                term
            } else {
                let (seen, ty, o) = (self.fresh(&p.name), term.ty().clone(), term.origin());
                self.interface.openings.push((seen, term));
                build::var(seen, ty, o)
            };
            match self.destructure(&p.pattern, seen, &scope) {
                Some((parts, inner)) => {
                    self.interface.openings.push_all(parts);
                    scope = inner;
                    let names = p.parts().into_iter().filter(|(_, t)| matches!(t.kind, TypeKind::Array(..)));
                    let vars = names.filter_map(|(i, _)| match scope.lookup(i?) {
                        Some(Binding::Var(v, _)) => Some(v),
                        _ => None,
                    });
                    let vars = vars.collect();
                    self.flow.borrow(vars);
                }
                None => crate::elaborate::flow::lets::broken_names(&p.pattern, &mut scope),
            }
        }
        self.check_layouts(f, layouts);
        (params, scope)
    }

    fn not_a_length(&mut self, ident: &Ident) {
        let message = format!(
            "`{ident}` is used as a length, but the parameter `{ident}` is not a `usize`\ndeclare it as `{ident}: usize`, or give the length a name of its own"
        );
        self.error(&codes::PARAM_TYPE, (ident.span(), ident.span()), message);
    }

    /// The leaf of a pattern, with the user's name if the pattern is one.
    fn leaf<'p>(&mut self, pattern: &'p Pattern, name: String, way: Vec<usize>, lengths: &Lengths) -> Leaf<'p> {
        let Pattern::Name(Some(ident), ..) = pattern else {
            let var = self.names.fresh(&name.replace('.', "_"));
            return Leaf { name, way, var, pattern: Some(pattern), in_out: false };
        };
        let value = lengths.values.iter().find(|(i, _)| surface::same_name(i, ident));
        let var = value.map_or_else(|| self.fresh(ident), |(_, v)| *v);
        Leaf { name: surface::plain(ident), way, var, pattern: Some(pattern), in_out: false }
    }

    /// Adds a parameter, or the parts of a tuple, to `params`; returns the value of the user's variable. It is an
    /// element of arrays of the `outer` extents: each part of an array of tuples is an array.
    pub(crate) fn parameter(
        &mut self,
        (t, layout): (&TypeExpr, Layout),
        leaf: Leaf<'_>,
        (lengths, outer): (&Lengths, &[Dim]),
        params: &mut Vec<Param>,
    ) -> Option<Expr> {
        let name = leaf.pattern.and_then(|p| if let Pattern::Name(name, ..) = p { name.as_ref() } else { None });
        let layout = if layout == Layout::Rows { lengths.layouts.named(name) } else { layout };
        let kind = match &t.kind {
            TypeKind::Tuple(ts) if ts.is_empty() => {
                // An array of `()` was rejected as an array.
                if outer.is_empty() {
                    let message =
                        format!("`{}` has type `()`: it holds no value to compute with\nremove it", leaf.name);
                    self.error(&codes::PARAM_TYPE, t.at, message);
                }
                return None;
            }
            TypeKind::Tuple(ts) => {
                let mut parts = Vec::new();
                for (k, t) in ts.iter().enumerate() {
                    if matches!(t.kind, TypeKind::Fn(..)) {
                        self.error(
                            &codes::FUNCTION_VALUE,
                            t.at,
                            "a function in a tuple\npass it as a parameter of its own, as in `f: impl Fn(f64) -> f64`",
                        );
                        return None;
                    }
                    let name = format!("{}.{k}", leaf.name);
                    let way = leaf.way.iter().copied().chain([k]).collect();
                    let leaf = match leaf.pattern {
                        Some(Pattern::Tuple(ps, _)) if ps.len() == ts.len() => self.leaf(&ps[k], name, way, lengths),
                        _ => {
                            let var = self.names.fresh(&name.replace('.', "_"));
                            Leaf { name, way, var, pattern: None, in_out: leaf.in_out }
                        }
                    };
                    parts.push(self.parameter((t, layout), leaf, (lengths, outer), params));
                }
                let parts: Vec<Expr> = parts.into_iter().collect::<Option<_>>()?;
                self.few_parts(parts.iter().map(Expr::ty), t.at)?;
                let o = self.origin(t.at);
                return Some(build::tuple(parts, o));
            }
            TypeKind::Array(..) if t.is_of_tuples() => {
                return self.records((t, layout), leaf, (lengths, outer), params);
            }
            TypeKind::Scalar(s) if outer.is_empty() => ParamKind::Scalar(*s),
            TypeKind::Scalar(_) | TypeKind::Array(..) => {
                let (s, own) = self.dims(t, lengths)?;
                let dims: Vec<Dim> = outer.iter().cloned().chain(own).collect();
                if dims.len() > MAX_RANK {
                    let message = format!(
                        "an array of {} dimensions: there are at most {MAX_RANK}\nput two dimensions into one, of length `n * k`",
                        dims.len()
                    );
                    self.error(&codes::PARAM_TYPE, t.at, message);
                    return None;
                }
                ParamKind::Array(s, dims)
            }
            TypeKind::Fn(args, r) => ParamKind::Fn(self.function_type(&leaf.name, args, r, lengths)?),
        };
        let rank = if let ParamKind::Array(_, dims) = &kind { dims.len() } else { 0 };
        let layout = layout.at(rank, leaf.in_out && layout == Layout::Strided);
        let is_reversed = layout == Layout::Columns;
        let kind = match kind {
            ParamKind::Array(s, mut dims) if is_reversed => {
                dims.reverse();
                ParamKind::Array(s, dims)
            }
            kind => kind,
        };
        let Leaf { name, way, var, in_out, .. } = leaf;
        let (source, strided) = (Source::Argument(way), layout == Layout::Strided);
        let param = Param { var, name, kind, source, column_major: is_reversed, strided, in_out };
        let o = self.origin(t.at);
        let ty = if is_reversed { param.ty() } else { self.written(t).unwrap_or_else(|| param.ty()) };
        let ty = if ty.is_fn() { ty } else { param.ty() };
        let term = build::var(var, ty, o);
        params.push(param);
        Some(if is_reversed { self.transposed(term) } else { term })
    }

    /// An array of tuples: an array for each part, all of the same extents.
    fn records(
        &mut self,
        (t, layout): (&TypeExpr, Layout),
        leaf: Leaf<'_>,
        (lengths, outer): (&Lengths, &[Dim]),
        params: &mut Vec<Param>,
    ) -> Option<Expr> {
        let (mut element, mut dims) = (t, outer.to_vec());
        while let TypeKind::Array(inner, _) = &element.kind {
            dims.push(match self.dim(element, lengths)? {
                // The parts agree in a length without a name, too.
                Dim::Anon => Dim::Size(self.names.fresh("len")),
                dim => dim,
            });
            element = inner;
        }
        let parts = self.parameter((element, layout), leaf, (lengths, &dims), params)?;
        let ty = self.written(t)?;
        Some(crate::elaborate::terms::records::retyped(parts, &ty))
    }

    /// Element type and extents of a written array.
    fn dims(&mut self, t: &TypeExpr, lengths: &Lengths) -> Option<(Scalar, Vec<Dim>)> {
        match &t.kind {
            TypeKind::Array(elem, _) => {
                let dim = self.dim(t, lengths)?;
                let (scalar, inner) = self.dims(elem, lengths)?;
                Some((scalar, std::iter::once(dim).chain(inner).collect()))
            }
            TypeKind::Scalar(s) => Some((*s, vec![])),
            _ => None,
        }
    }

    /// The extent of a written array along its first axis.
    fn dim(&mut self, t: &TypeExpr, lengths: &Lengths) -> Option<Dim> {
        let TypeKind::Array(_, len) = &t.kind else { return None };
        match len.as_ref().map(|e| (&e.kind, e.at)) {
            None => Some(Dim::Anon),
            Some((ExprKind::Lit(Lit::Int(n, _), _), _)) => Some(Dim::Lit(u64::try_from(*n).ok()?)),
            Some((ExprKind::Path(p), at)) => self.named_length(p, at, lengths),
            Some((ExprKind::Error, _)) => None,
            Some((ExprKind::Unary("neg", _), at)) => {
                let message = "the length of an array is not negative\nwrite a number without a sign, or a name, as in `&[f64; n]`";
                self.error(&codes::PARAM_TYPE, at, message);
                None
            }
            Some((kind, at)) => {
                let message =
                    "the length of a parameter must be a number or a name: expressions are allowed in results only";
                self.helped(&codes::PARAM_TYPE, at, message, &lengths::way_out(t, kind, lengths));
                None
            }
        }
    }

    /// The length that a path denotes.
    pub(crate) fn named_length(&mut self, p: &syn::Path, at: surface::Extent, lengths: &Lengths) -> Option<Dim> {
        let find =
            |list: &[(Ident, VarId)], i: &Ident| list.iter().find(|(j, _)| surface::same_name(i, j)).map(|(_, v)| *v);
        let known = p.get_ident().and_then(|i| {
            let value = find(&lengths.values, i).map(Dim::Param);
            value.or_else(|| find(&lengths.sizes, i).map(Dim::Size))
        });
        // A const generic that the arguments do not determine, or a constant.
        let known = known.or_else(|| p.get_ident().and_then(|i| self.hidden_generic(i)).map(Dim::Param));
        match known {
            Some(dim) => Some(dim),
            None if p.get_ident().is_some() && surface::function_like(p) => None,
            None => Some(Dim::Param(self.constant_size(p, at)?)),
        }
    }

    /// The written result: its type, and the extents of each leaf.
    pub(crate) fn result_type(&mut self, f: &Function, scope: &Scope) -> Option<(Type, Vec<WrittenShape>)> {
        let ty = self.written(&f.result)?;
        let mut leaves = Vec::new();
        self.result_leaves(&f.result.columns(), scope, &mut leaves)?;
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
    pub(crate) fn written_shape(&mut self, t: &TypeExpr, scope: &Scope) -> Option<WrittenShape> {
        let scope = self.with_open(scope);
        match &t.kind {
            TypeKind::Array(elem, len) => {
                let extent = match len {
                    None => None,
                    // A size that occurs in a function's parameter only belongs to a call.
                    Some(e) if matches!(&e.kind, ExprKind::Path(p) if p.get_ident().is_some_and(|i| scope.find(i).is_none() && self.interface.open_sizes.contains(&surface::key(i)))) => {
                        None
                    }
                    Some(e) => Some(self.usize(e, &scope)?),
                };
                let mut shape = vec![extent];
                shape.push_all(self.written_shape(elem, &scope)?);
                Some(shape)
            }
            _ => Some(vec![]),
        }
    }
}
