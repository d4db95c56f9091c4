//! Functions and constants of number types that are paths in Rust: `f64::from(x)`, `std::cmp::max(a, b)`, `T::EPSILON`.
//! All of them are sugar for what the language has as methods, casts and constants of `f64`.

use super::fragments::{inner, inner_type};
use super::{Parser, extent};
use crate::mapped::Mapped;
use crate::surface::consts::std_constant;
use crate::surface::{Expr, ExprKind, Extent, TypeParams};
use crate::ty::{Bound, Scalar};
use crate::value::Lit;

/// The names of a path's segments.
fn segments(path: &syn::Path) -> Vec<String> {
    path.segments.iter().mapped(|s| s.ident.to_string())
}

impl Parser<'_> {
    /// `T` of `T::name`, a type parameter.
    fn open(&self, path: &syn::Path) -> Option<(Scalar, Bound)> {
        let [ty, _] = path.segments.iter().collect::<Vec<_>>()[..] else { return None };
        match TypeParams::of(&self.generics).find(&ty.ident)? {
            s @ Scalar::Open(bound, _) => Some((s, bound)),
            _ => None,
        }
    }

    /// A path without `<` and `>` around a type of numbers: `f64::MAX` for `<f64>::MAX`.
    pub(super) fn plain_path(&self, p: &syn::ExprPath) -> Option<syn::Path> {
        let Some(qself) = &p.qself else { return Some(p.path.clone()) };
        let syn::Type::Path(ty) = inner_type(&qself.ty) else { return None };
        let (true, true) = (qself.position == 0, self.scalar(&ty.path).is_some()) else { return None };
        let segments = ty.path.segments.iter().chain(&p.path.segments).cloned().collect();
        Some(syn::Path { leading_colon: None, segments })
    }

    /// A call of a function of numbers by its path.
    pub(super) fn number_function(&mut self, c: &syn::ExprCall) -> Option<ExprKind> {
        let syn::Expr::Path(f) = inner(&c.func) else { return None };
        let (path, args) = (&self.plain_path(f)?, c.args.iter().collect::<Vec<_>>());
        let last = path.segments.last()?.ident.clone();
        let open = self.open(path).map(|(s, _)| s);
        match (segments(path).iter().mapped(String::as_str)[..].as_ref(), &args[..]) {
            (["std" | "core", "cmp", "min" | "max"], [a, b]) => {
                let a = self.boxed(a);
                Some(ExprKind::Method(a, last, vec![self.expr(b)]))
            }
            ([ty, "from"], [x]) => {
                let to = open.or_else(|| Scalar::from_name(ty)).filter(|s| s.is_float() || s.is_open())?;
                Some(ExprKind::Cast(self.boxed(x), to))
            }
            ([_, _], [x, rest @ ..]) => {
                let (to, first) = (open?, self.expr(x));
                // A literal has no type of its own.
                let literal = matches!(first.kind, ExprKind::Lit(_, false) | ExprKind::Decimal(_));
                let first = if literal { self.node(ExprKind::Cast(Box::new(first), to), extent(x)) } else { first };
                Some(ExprKind::Method(Box::new(first), last, rest.iter().mapped(|a| self.expr(a))))
            }
            _ => None,
        }
    }

    /// `T::EPSILON`: the constant of `f64` as a `T`, or that of `f32` if a `T` cannot hold a number beyond those of `f32`.
    pub(super) fn open_constant(&mut self, path: &syn::Path) -> Option<ExprKind> {
        let (to, bound) = self.open(path)?;
        if bound != Bound::Real {
            return None;
        }
        let name = &path.segments.last()?.ident;
        let at = extent(path);
        let of = |ty: &str| {
            let ty = syn::Ident::new(ty, name.span());
            std_constant(&syn::parse_quote!(#ty::#name)).map(|l| l.as_f64())
        };
        let (double, single) = (of("f64")?, of("f32")?);
        let wide = self.as_type(double, to, at);
        if double == single || double.is_nan() {
            return Some(wide.kind);
        }
        let (beyond, infinity) = (self.as_type(1e300, to, at), self.as_type(f64::INFINITY, to, at));
        let is_wide = self.node(ExprKind::Binary("<", Box::new(beyond), Box::new(infinity)), at);
        let narrow = self.as_type(single, to, at);
        Some(ExprKind::If(Box::new(is_wide), Box::new(wide), Box::new(narrow)))
    }

    /// `x as T`.
    fn as_type(&mut self, x: f64, to: Scalar, at: Extent) -> Expr {
        let x = self.node(ExprKind::Lit(Lit::float(x, Scalar::F64), true), at);
        self.node(ExprKind::Cast(Box::new(x), to), at)
    }
}
