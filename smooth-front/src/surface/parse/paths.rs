//! Functions and constants of number types that are paths in Rust: `f64::from(x)`, `std::cmp::max(a, b)`, `T::EPSILON`.
//! All of them are sugar for methods, casts and constants of `f64`.

use super::fragments::inner_type;
use super::{Parser, extent};
use crate::diag::codes;
use crate::mapped::Mapped;
use crate::prim::{Prim, Spelling};
use crate::surface::consts::std_constant;
use crate::surface::{
    Closure, Expr, ExprKind, Extent, Pattern, TypeExpr, TypeKind, TypeParams, function_like, path_key,
};
use crate::ty::{Bound, Scalar};
use crate::value::Lit;
use proc_macro2::{Delimiter, Ident, Span, TokenStream, TokenTree};

/// The names of a path's segments.
fn segments(path: &syn::Path) -> Vec<String> {
    path.segments.iter().mapped(|s| s.ident.to_string())
}

impl Parser<'_> {
    /// The type of numbers before the name in a path.
    pub(super) fn number(&self, path: &syn::Path) -> Option<Scalar> {
        let [ty, _] = path.segments.iter().collect_vec()[..] else { return None };
        self.scalar(&ty.ident.clone().into())
    }

    /// `T` of `T::name`, a type parameter.
    fn open(&self, path: &syn::Path) -> Option<(Scalar, Bound)> {
        let [ty, _] = path.segments.iter().collect_vec()[..] else { return None };
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

    /// Rejects a path that names neither a value nor a function: of the type `Self`, which a kernel does not have, or of a module.
    pub(super) fn no_item(&mut self, e: &syn::Expr, path: &syn::Path) -> Option<ExprKind> {
        let last = segments(path).pop()?;
        if path.segments.iter().any(|s| s.ident == "Self") {
            let message = "`Self` is outside the language: a kernel is a free function and belongs to no type\nwrite the path of a kernel or a constant outside of the `impl`, as in `module::kernel(x)`";
            return Some(self.outside(e, message));
        }
        let module = matches!(last.as_str(), "self" | "super" | "crate");
        module.then(|| {
            let way = format!("write which of its kernels or constants is meant, as in `{last}::kernel(x)`");
            self.outside(e, format!("`{last}` is a module, not a value\n{way}"))
        })
    }

    /// A call by a path.
    pub(super) fn call_by_path(&mut self, path: syn::Path, at: Extent, mut args: Vec<Expr>) -> ExprKind {
        let (names, number) = (segments(&path), self.number(&path));
        match (names.iter().mapped(String::as_str)[..].as_ref(), &mut args[..]) {
            (["std" | "core", "cmp", "min" | "max"], [_, _]) => {}
            ([_, "from"], [_]) if let Some(to @ Scalar::Open(..)) = number => {
                return ExprKind::Cast(Box::new(args.remove(0)), to);
            }
            ([_, _], [x, ..]) if let Some(to @ Scalar::Open(..)) = number => {
                // A literal takes its type from its use.
                if matches!(x.kind, ExprKind::Lit(_, false) | ExprKind::Decimal(_)) {
                    let (at, literal) = (x.at, std::mem::replace(x, self.node(ExprKind::Error, x.at)));
                    *x = self.node(ExprKind::Cast(Box::new(literal), to), at);
                }
            }
            _ => return ExprKind::Call(Box::new(self.node(ExprKind::Path(path), at)), args),
        }
        ExprKind::Method(Box::new(args.remove(0)), Ident::clone(&path.segments[names.len() - 1].ident), args)
    }

    /// A function of numbers that is not called is the closure that calls it.
    ///
    /// ```text
    /// f64::max  =  |x, y| f64::max(x, y)
    /// ```
    pub(super) fn uncalled(&mut self, path: &syn::Path) -> Option<ExprKind> {
        let names = segments(path);
        let name = match names.iter().mapped(String::as_str)[..] {
            ["std" | "core", "cmp", name @ ("min" | "max")] => name,
            [_, name] if self.number(path).is_some() && function_like(path) => name,
            _ => return None,
        };
        let (at, method) = (extent(path), Prim::find(Spelling::Method, name));
        let of = self.number(path).filter(|_| name != "from");
        let own = |k: usize| of.map(|s| if k == 0 { s } else { method.map_or(s, |p| p.second(s)) });
        let names = ["x", "y", "z"].into_iter().take(method.map_or(1, Prim::arity));
        let names = names.mapped(|x| Ident::new(x, Span::mixed_site().located_at(at.0)));
        let args = names.iter().mapped(|x| self.node(ExprKind::Path(x.clone().into()), at));
        let params = names.into_iter().enumerate().mapped(|(k, x)| {
            let ty = own(k).map(|s| TypeExpr { kind: TypeKind::Scalar(s), at });
            Pattern::Name(Some(x), ty, at, false)
        });
        let body = self.call_by_path(path.clone(), at, args);
        let (body, of) = (self.node(body, at), Some(path_key(path)));
        Some(ExprKind::Closure(Box::new(Closure { params, body, of })))
    }

    /// `T::EPSILON`: the constant of `f64` as a `T`, or that of `f32` if a `T` cannot hold a number beyond those of `f32`.
    /// Casts to integers saturate, so that `T::MAX` and `T::MIN` are those of integers, too.
    pub(super) fn open_constant(&mut self, path: &syn::Path) -> Option<ExprKind> {
        let (to, bound) = self.open(path)?;
        let name = &path.segments.last()?.ident;
        let at = extent(path);
        let of = |ty: &str| {
            let ty = syn::Ident::new(ty, name.span());
            std_constant(&syn::parse_quote!(#ty::#name)).map(|l| l.as_f64())
        };
        let (double, single) = (of("f64")?, of("f32")?);
        let least = if name == "MAX" || name == "MIN" { Bound::Number } else { Bound::Real };
        if bound < least {
            let (shown, ty) = (path_key(path), &path.segments[0].ident);
            let message = format!("not every `{ty}: {}` has `{shown}`\nwrite `{ty}: {}`", bound.name(), least.name());
            self.reject(&codes::MISMATCH, path, message);
            return Some(ExprKind::Error);
        }
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

/// The `crate` or `super` that is called, `crate(x)`, `super::<f64>(x)`: syn reads no function of which that is a part.
pub(super) fn called_module(item: &TokenStream) -> Option<Ident> {
    let tokens: Vec<TokenTree> = item.clone().into_iter().collect_vec();
    let punct = |k: usize, c: char| matches!(tokens.get(k), Some(TokenTree::Punct(p)) if p.as_char() == c);
    let called = |k: usize| match tokens.get(k) {
        Some(TokenTree::Group(g)) => g.delimiter() == Delimiter::Parenthesis,
        _ => punct(k, ':') && punct(k + 1, ':') && punct(k + 2, '<'),
    };
    tokens.iter().enumerate().find_map(|(k, t)| match t {
        TokenTree::Ident(i) if ["crate", "super"].iter().any(|m| i == m) && called(k + 1) => Some(i.clone()),
        TokenTree::Group(g) => called_module(&g.stream()),
        _ => None,
    })
}
