//! Hidden parameters: `usize` constants, constant arrays and const generics. Sizes may mention a `usize`, so it is a
//! parameter like any other, except that no caller writes it. So is a constant array, which is read where Rust keeps it;
//! its extents, which rustc alone knows, are `usize` constants.

use crate::diag::codes;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Binding, Scope};
use crate::elaborate::interface::constants::{ConstPart, Numbers};
use crate::elaborate::interface::signature::MAX_RANK;
use crate::fsmooth::{Const, Expr, Kind, Via, build};
use crate::link::Export;
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::shape::{Dim, Param, ParamKind, Source};
use crate::span::Origin;
use crate::surface::{self, Extent, Function};
use crate::ty::{Scalar, Type};

impl Cx<'_> {
    /// The variable of a hidden parameter.
    fn hide(&mut self, name: &str, source: Source) -> VarId {
        if let Some(known) = self.interface.hidden.iter().find(|p| p.source == source) {
            return known.var;
        }
        self.hide_as(name, ParamKind::Scalar(Scalar::Usize), source)
    }

    /// A new hidden parameter.
    fn hide_as(&mut self, name: &str, kind: ParamKind, source: Source) -> VarId {
        // A variable is one word.
        let word =
            name.rsplit("::").next().unwrap_or(name).trim_end_matches(".len()").replace("[0]", "_0").replace('.', "_");
        let var = self.names.fresh(&if name.ends_with(".len()") { format!("{word}_len") } else { word });
        self.interface.hidden.push(Param {
            var,
            name: name.into(),
            kind,
            source,
            column_major: false,
            strided: false,
            in_out: false,
        });
        var
    }

    /// Appends the hidden parameters to the arguments. Among them are the values, as `usize`s, of the arguments of other
    /// unsigned integer types: sizes may depend on them. Those on which no size depends are dropped when the shapes are known.
    pub(crate) fn append_hidden(&mut self, params: &mut Vec<Param>) {
        for p in params.iter().filter(|p| !p.in_out) {
            if let (ParamKind::Scalar(s), Source::Argument(way)) = (&p.kind, &p.source)
                && s.is_count()
                && *s != Scalar::Usize
            {
                self.hide(&p.name, Source::Value(way.clone()));
            }
        }
        params.append(&mut self.interface.hidden);
    }

    /// The constant at a path, as it is or cast to `ty`.
    pub(crate) fn constant(&mut self, path: &syn::Path, ty: Scalar, cast: Option<Scalar>, at: Extent) -> Expr {
        self.constant_number(path, &Numbers::default(), (ty, cast), at)
    }

    /// A number of the constant at a path.
    pub(crate) fn constant_number(
        &mut self,
        path: &syn::Path,
        number: &Numbers,
        (ty, cast): (Scalar, Option<Scalar>),
        at: Extent,
    ) -> Expr {
        let via = self.own_constant(path, ConstPart::Numbers(number.clone(), cast));
        self.constant_via(number.name(path), ty, via, at)
    }

    /// The way to a part of the constant at a path.
    fn own_constant(&mut self, path: &syn::Path, part: ConstPart) -> Via {
        let name = surface::path_key(path);
        let own = self.interface.const_paths.iter().position(|(p, c)| surface::path_key(p) == name && *c == part);
        Via::Own(own.unwrap_or_else(|| {
            self.interface.const_paths.push((path.clone(), part));
            self.interface.const_paths.len() - 1
        }))
    }

    /// The length of an array of the constant at a path along an axis.
    pub(crate) fn constant_extent(&mut self, path: &syn::Path, array: &Numbers, axis: usize, at: Extent) -> Expr {
        let (array, axis) = array.axis(axis);
        let name = format!("{}{}.len()", array.name(path), "[0]".repeat(axis));
        let via = self.own_constant(path, ConstPart::Extent(array, axis));
        self.constant_via(name, Scalar::Usize, via, at)
    }

    /// An array of numbers of the constant at a path, as they are or cast.
    pub(crate) fn constant_array(
        &mut self,
        path: &syn::Path,
        numbers: &Numbers,
        (elem, cast): (Scalar, Option<Scalar>),
        at: Extent,
    ) -> Option<Expr> {
        let rank = numbers.rank + numbers.inner;
        if rank > MAX_RANK {
            self.error(&codes::PARAM_TYPE, at, format!("an array of {rank} dimensions: there are at most {MAX_RANK}\nput two dimensions into one, of length `n * k`"));
            return None;
        }
        // No constant has a type parameter as its type.
        let elem = if elem.is_open() { Scalar::F64 } else { elem };
        let extents = (0..rank).mapped(|axis| self.constant_extent(path, numbers, axis, at));
        let via = self.own_constant(path, ConstPart::Numbers(numbers.clone(), cast));
        Some(self.array_via(numbers.name(path), (elem, extents), via, at))
    }

    /// A constant array, by the way to reach it.
    fn array_via(&mut self, name: String, (elem, extents): (Scalar, Vec<Expr>), via: Via, at: Extent) -> Expr {
        let ty = Type::Array(elem, extents.len());
        let k = self.const_entry(&name, Type::Array(elem, 1), via);
        let source = Source::Const(k);
        let known = self.interface.hidden.iter().find(|p| p.source == source).map(|p| p.var);
        let v = known.unwrap_or_else(|| {
            let extent = |e: &Expr| match e.kind() {
                Kind::Var(v) => Dim::Param(*v),
                Kind::Lit(l) => Dim::Lit(l.as_int().and_then(|n| u64::try_from(n).ok()).unwrap_or(0)),
                _ => Dim::Anon,
            };
            let dims = extents.iter().mapped(extent);
            self.hide_as(&name, ParamKind::Array(elem, dims), source)
        });
        let o = self.origin(at);
        build::var(v, ty, o)
    }

    /// The entry of a constant in the kernel's table.
    fn const_entry(&mut self, name: &str, ty: Type, via: Via) -> usize {
        let known = self.interface.consts.iter().position(|c| c.via == via && c.ty == ty);
        known.unwrap_or_else(|| {
            self.interface.consts.push(Const { name: name.into(), ty, via });
            self.interface.consts.len() - 1
        })
    }

    /// A constant, by the way to reach it. A `usize` is a hidden parameter, since sizes may mention it.
    fn constant_via(&mut self, name: String, ty: Scalar, via: Via, at: Extent) -> Expr {
        let k = self.const_entry(&name, Type::Scalar(ty), via);
        let o = self.origin(at);
        if ty == Scalar::Usize {
            let v = self.hide(&name, Source::Const(k));
            return build::var(v, Type::USIZE, o);
        }
        build::constant(k, ty, o)
    }

    /// The variable of a constant that is used as a length.
    pub(crate) fn constant_size(&mut self, path: &syn::Path, at: Extent) -> Option<VarId> {
        match self.constant(path, Scalar::Usize, None, at).kind() {
            Kind::Var(v) => Some(*v),
            _ => None,
        }
    }

    /// The variable of a const generic that the arguments do not determine.
    pub(crate) fn hidden_generic(&self, ident: &proc_macro2::Ident) -> Option<VarId> {
        let named = |p: &&Param| matches!(p.source, Source::Generic(_)) && *ident == p.name;
        self.interface.hidden.iter().find(named).map(|p| p.var)
    }

    /// Brings the const generics into scope that are not `inferable` from array arguments.
    pub(crate) fn const_generics(&mut self, f: &Function, inferable: &[proc_macro2::Ident], mut scope: Scope) -> Scope {
        for (k, ident) in f.const_generics().into_iter().enumerate() {
            if !inferable.iter().any(|t| surface::key(t) == surface::key(ident)) {
                let v = self.hide(&ident.to_string(), Source::Generic(k));
                scope = scope.with(ident, Binding::Var(v, Type::USIZE));
            }
        }
        scope
    }

    /// The hidden arguments of the callee at our `n`th path; `consts` are the sizes in the turbofish.
    pub(crate) fn hidden_arguments(
        &mut self,
        n: usize,
        export: &Export,
        consts: &[Option<Expr>],
        at: Extent,
    ) -> Option<Vec<Expr>> {
        let mut terms: Vec<Expr> = Vec::new();
        let first = export.params.iter().position(|p| !p.is_argument()).unwrap_or(0);
        for p in &export.params {
            match &p.source {
                Source::Argument(_) => {}
                // The argument is not known here.
                Source::Value(_) => terms.push(build::index(0, Origin::default())),
                &Source::Const(k) => {
                    let via = Via::Callee(n, k);
                    let term = match &p.kind {
                        ParamKind::Array(elem, dims) => {
                            // Its extents are constants, too, and come before it.
                            let at_dim = |d: &Dim| export.params.iter().position(|q| *d == Dim::Param(q.var));
                            let extent = |d: &Dim| match d {
                                Dim::Lit(n) => Some(build::index(*n, Origin::default())),
                                d => terms.get(at_dim(d)?.checked_sub(first)?).cloned(),
                            };
                            let extents = dims.iter().filter_map(extent).collect_vec();
                            self.array_via(p.name.clone(), (*elem, extents), via, at)
                        }
                        _ => self.constant_via(p.name.clone(), Scalar::Usize, via, at),
                    };
                    terms.push(term);
                }
                &Source::Generic(k) => match consts.get(k).cloned().flatten() {
                    Some(t) => terms.push(t),
                    None => {
                        let message = format!(
                            "the arguments of `{0}` do not determine `{1}`\nwrite it, as in `{0}::<{2}>(…)`",
                            export.name,
                            p.name,
                            export.with_generic(&p.name)
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
