//! What the user wrote: Rust's own forms with their spans, sugar included (Fig. 1 plus sugar).

pub mod consts;
pub mod layout;
pub mod parse;
pub mod reference;
pub(crate) mod rust;

use crate::ty::Scalar;
use crate::value::Lit;
use proc_macro2::{Ident, Span, TokenStream};

/// First and last token of a construct.
pub type Extent = (Span, Span);

/// A number for each expression, to hang its type on.
pub type NodeId = usize;

/// A function under `#[smooth]`.
#[derive(Clone)]
pub struct Function {
    /// Attributes that are not ours, doc comments among them.
    pub attrs: Vec<syn::Attribute>,
    /// Its visibility.
    pub vis: syn::Visibility,
    /// Its name.
    pub name: Ident,
    /// Its type parameters and const generics, in order.
    pub generics: Vec<Generic>,
    /// What is said of the type parameters, as in a `where` clause.
    pub bounds: TokenStream,
    /// Its parameters.
    pub params: Vec<Param>,
    /// The written result.
    pub result: TypeExpr,
    /// Its body.
    pub body: Expr,
    /// Whether its signature could be read; if not, its body cannot be judged.
    pub complete: bool,
}

/// A generic parameter.
#[derive(Clone)]
pub enum Generic {
    /// `T: Real`.
    Real(Ident),
    /// `const N: usize`.
    Const(Ident),
}

impl Function {
    /// Whether a parameter, or a part of one, has this name.
    pub fn binds(&self, name: &Ident) -> bool {
        let mut names = self.params.iter().flat_map(|p| p.pattern.names());
        names.any(|i| same_name(i, name))
    }

    /// The const generics, in order.
    pub fn const_generics(&self) -> Vec<&Ident> {
        self.generics.iter().filter_map(|g| if let Generic::Const(i) = g { Some(i) } else { None }).collect()
    }

    /// The type parameters, in order.
    pub fn reals(&self) -> Vec<&Ident> {
        self.generics.iter().filter_map(|g| if let Generic::Real(i) = g { Some(i) } else { None }).collect()
    }
}

/// A parameter.
#[derive(Clone)]
pub struct Param {
    /// Lint attributes.
    pub attrs: Vec<syn::Attribute>,
    /// What it is called as a whole: by the user, or, where a pattern takes it apart, by us.
    pub name: Ident,
    /// What it binds.
    pub pattern: Pattern,
    /// Its written type.
    pub ty: TypeExpr,
}

impl Param {
    /// What the pattern binds, with the types of the parts. A pattern that is not made like the type binds nothing.
    pub fn parts(&self) -> Vec<(Option<&Ident>, &TypeExpr)> {
        parts(&self.pattern, &self.ty)
    }
}

fn parts<'p>(pattern: &'p Pattern, ty: &'p TypeExpr) -> Vec<(Option<&'p Ident>, &'p TypeExpr)> {
    match (pattern, &ty.kind) {
        (Pattern::Name(name, ..), _) => vec![(name.as_ref(), ty)],
        (Pattern::Tuple(ps, _), TypeKind::Tuple(ts)) if ps.len() == ts.len() => {
            ps.iter().zip(ts).flat_map(|(p, t)| parts(p, t)).collect()
        }
        (Pattern::Tuple(..), _) => vec![(None, ty)],
    }
}

/// A written type, with sizes.
#[derive(Clone)]
pub struct TypeExpr {
    /// What it says.
    pub kind: TypeKind,
    /// Where.
    pub at: Extent,
}

/// The written types of the language.
#[derive(Clone)]
pub enum TypeKind {
    /// `f64`.
    Scalar(Scalar),
    /// `[T; n]`; `None` for `[T]` and `[T; _]`.
    Array(Box<TypeExpr>, Option<Expr>),
    /// `(A, B)`.
    Tuple(Vec<TypeExpr>),
    /// `impl Fn(A, B) -> C`.
    Fn(Vec<TypeExpr>, Box<TypeExpr>),
}

/// An expression.
#[derive(Clone)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Where it stands.
    pub at: Extent,
    /// Its number.
    pub id: NodeId,
}

/// A closure: `|x, y: f64| body`.
#[derive(Clone)]
pub struct Closure {
    /// Its parameters.
    pub params: Vec<Pattern>,
    /// Its body.
    pub body: Expr,
}

/// What a `let` or a closure parameter binds.
#[derive(Clone)]
pub enum Pattern {
    /// `x`, `_`, with the type if one is written.
    Name(Option<Ident>, Option<TypeExpr>, Extent),
    /// `(a, b)`.
    Tuple(Vec<Pattern>, Extent),
}

impl Pattern {
    /// The names in it, left to right.
    pub fn names(&self) -> Vec<&Ident> {
        match self {
            Pattern::Name(name, ..) => name.iter().collect(),
            Pattern::Tuple(ps, _) => ps.iter().flat_map(Pattern::names).collect(),
        }
    }
}

/// A statement of a block.
#[derive(Clone)]
pub enum Stmt {
    /// `let p = e;`.
    Let(Pattern, Expr),
}

/// Rust's expressions, as far as the language has them.
#[derive(Clone)]
pub enum ExprKind {
    /// An integer without suffix may still become another type of its kind.
    Lit(Lit, bool),
    /// A float without suffix, by its digits: each type rounds them once.
    Decimal(String),
    /// `x`, `path::to::f`, `PI`.
    Path(syn::Path),
    /// `a + b`, by Rust's operator.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `-a`, `!a`.
    Unary(&'static str, Box<Expr>),
    /// `&a`, `*a`, `a.clone()`: the value of `a`.
    Same(Box<Expr>),
    /// `f(a, b)`.
    Call(Box<Expr>, Vec<Expr>),
    /// `a.m(b)`.
    Method(Box<Expr>, Ident, Vec<Expr>),
    /// `a[i]`.
    Index(Box<Expr>, Box<Expr>),
    /// `a[s..e]`; either end may be missing.
    Slice(Box<Expr>, Option<Box<Expr>>, Option<Box<Expr>>),
    /// `[a, b]`.
    Array(Vec<Expr>),
    /// `[a; n]`.
    Repeat(Box<Expr>, Box<Expr>),
    /// `(a, b)`.
    Tuple(Vec<Expr>),
    /// `a.0`.
    Field(Box<Expr>, usize),
    /// `a as f64`.
    Cast(Box<Expr>, Scalar),
    /// `if c { a } else { b }`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `{ …; e }`.
    Block(Vec<Stmt>, Box<Expr>),
    /// `|x| e`.
    Closure(Box<Closure>),
    /// Stands for something already reported.
    Error,
}

/// The hygiene-aware key of a name: two identifiers are one variable when they read the same and come
/// from the same macro expansion. Spans offer that context only through their debug text.
pub fn key(ident: &Ident) -> String {
    let debug = format!("{:?}", ident.span());
    match debug.split_once(' ') {
        Some((context, _)) if context.starts_with('#') => format!("{}{context}", plain(ident)),
        _ => plain(ident),
    }
}

/// Whether two identifiers are one variable. Most differ as texts, which costs less to see than their keys.
pub fn same_name(a: &Ident, b: &Ident) -> bool {
    plain(a) == plain(b) && key(a) == key(b)
}

/// A path without generic arguments.
pub fn bare(path: &syn::Path) -> syn::Path {
    let mut path = path.clone();
    path.segments.iter_mut().for_each(|s| s.arguments = syn::PathArguments::None);
    path
}

/// A path as the key of a callee: its tokens, without generic arguments.
pub fn path_key(path: &syn::Path) -> String {
    let tokens: TokenStream = quote::ToTokens::to_token_stream(&bare(path));
    tokens.to_string().replace(' ', "")
}

/// The paths of everything the function may call by name, each once, in order: paths in call position
/// and lower-case paths as arguments, unless they are parameters, locals or built in.
pub fn callees(f: &Function) -> Vec<syn::Path> {
    let mut found: Vec<syn::Path> = Vec::new();
    let mut bound: Bound = f.params.iter().flat_map(|p| p.pattern.names()).map(key).collect();
    bound.extend(f.params.iter().flat_map(|p| size_names(&p.ty)).map(|i| key(&i)));
    bound.extend(f.const_generics().into_iter().map(key));
    bound.push(key(&f.name));
    walk_calls(&f.body, &mut bound, &mut found);
    found
}

/// A name without the mark of a raw identifier.
pub fn plain(i: &Ident) -> String {
    let name = i.to_string();
    name.strip_prefix("r#").unwrap_or(&name).to_string()
}

/// The functions that are the language's own.
pub const BUILTINS: &[&str] = &["build", "ifold", "sum"];

/// The lower-case names that stand as a length in a parameter's type: parameters or symbolic sizes.
pub fn size_names(t: &TypeExpr) -> Vec<Ident> {
    match &t.kind {
        TypeKind::Scalar(_) => vec![],
        TypeKind::Array(elem, len) => {
            let name = match len.as_ref().map(|e| &e.kind) {
                Some(ExprKind::Path(p)) if function_like(p) => p.get_ident().cloned(),
                _ => None,
            };
            name.into_iter().chain(size_names(elem)).collect()
        }
        TypeKind::Tuple(ts) => ts.iter().flat_map(size_names).collect(),
        TypeKind::Fn(ts, r) => ts.iter().flat_map(size_names).chain(size_names(r)).collect(),
    }
}

/// The names whose values the lengths of an argument tell: symbolic sizes, and the const generics that are part of
/// the argument's type in Rust, which those of a view are not.
pub fn sizes_told(t: &TypeExpr, generics: &[Ident], column_major: bool) -> Vec<Ident> {
    if let TypeKind::Tuple(ts) = &t.kind {
        return ts.iter().flat_map(|t| sizes_told(t, generics, column_major)).collect();
    }
    let (mut t, mut lengths) = (t, Vec::new());
    while let TypeKind::Array(elem, len) = &t.kind {
        lengths.push(len.as_ref().map(|e| &e.kind));
        t = elem;
    }
    let generic = |i: &Ident| generics.iter().any(|g| key(g) == key(i));
    let symbolic = |i: &Ident| !generic(i) && function_like(&i.clone().into());
    let open = |len: &Option<&ExprKind>| match len {
        Some(ExprKind::Path(p)) => p.get_ident().is_some_and(symbolic),
        Some(ExprKind::Lit(..)) => false,
        _ => true,
    };
    let view = lengths.len() > 1 && (column_major || lengths[1..].iter().any(open));
    let names = lengths.iter().filter_map(|len| if let Some(ExprKind::Path(p)) = len { p.get_ident() } else { None });
    names.filter(|i| symbolic(i) || !view && generic(i)).cloned().collect()
}

fn builtin(path: &syn::Path) -> bool {
    path.get_ident().is_some_and(|i| BUILTINS.contains(&i.to_string().as_str()))
}

/// The names that are bound where a walk has come to.
#[derive(Default)]
pub(crate) struct Bound {
    order: Vec<String>,
    times: std::collections::BTreeMap<String, usize>,
}

impl Bound {
    /// One more name.
    pub fn push(&mut self, name: String) {
        *self.times.entry(name.clone()).or_insert(0) += 1;
        self.order.push(name);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Forgets all but the first `n`.
    pub fn truncate(&mut self, n: usize) {
        for name in self.order.drain(n..) {
            self.times.entry(name).and_modify(|k| *k -= 1);
        }
    }

    /// Whether a name is bound.
    pub fn contains(&self, name: &str) -> bool {
        self.times.get(name).is_some_and(|k| *k > 0)
    }
}

impl Extend<String> for Bound {
    fn extend<I: IntoIterator<Item = String>>(&mut self, names: I) {
        names.into_iter().for_each(|n| self.push(n));
    }
}

impl FromIterator<String> for Bound {
    fn from_iter<I: IntoIterator<Item = String>>(names: I) -> Self {
        let mut bound = Bound::default();
        bound.extend(names);
        bound
    }
}

fn note(path: &syn::Path, bound: &Bound, found: &mut Vec<syn::Path>) {
    let local = path.get_ident().is_some_and(|i| bound.contains(&key(i)));
    if !local
        && float_function(path).is_none()
        && !builtin(path)
        && !found.iter().any(|p| path_key(p) == path_key(path))
    {
        found.push(bare(path));
    }
}

fn bind(p: &Pattern, bound: &mut Bound) {
    bound.extend(p.names().into_iter().map(key));
}

fn walk_calls(e: &Expr, bound: &mut Bound, found: &mut Vec<syn::Path>) {
    let depth = bound.len();
    match &e.kind {
        ExprKind::Call(f, args) => {
            match &f.kind {
                ExprKind::Path(p) => note(p, bound, found),
                _ => walk_calls(f, bound, found),
            }
            // Of a built-in's arguments the last is a function, of a float function's none.
            let functions = match &f.kind {
                ExprKind::Path(p) if builtin(p) => args.len().saturating_sub(1)..args.len(),
                ExprKind::Path(p) if float_function(p).is_some() => 0..0,
                _ => 0..args.len(),
            };
            for (k, a) in args.iter().enumerate() {
                match &a.kind {
                    ExprKind::Path(p) if functions.contains(&k) && function_like(p) => note(p, bound, found),
                    _ => walk_calls(a, bound, found),
                }
            }
        }
        ExprKind::Block(stmts, last) => {
            for Stmt::Let(p, e) in stmts {
                walk_calls(e, bound, found);
                bind(p, bound);
            }
            walk_calls(last, bound, found);
        }
        ExprKind::Closure(c) => {
            c.params.iter().for_each(|p| bind(p, bound));
            walk_calls(&c.body, bound, found);
        }
        _ => children(e).into_iter().for_each(|c| walk_calls(c, bound, found)),
    }
    bound.truncate(depth);
}

/// The `sqrt` of `f64::sqrt`, the `pow` of `i32::pow`.
pub fn float_function(path: &syn::Path) -> Option<String> {
    let s: Vec<String> = path.segments.iter().map(|s| s.ident.to_string()).collect();
    match s.as_slice() {
        [ty, f] if Scalar::from_name(ty).is_some() => Some(f.clone()),
        _ => None,
    }
}

/// Whether a path reads like a function and not like a constant: by Rust's naming convention. A name
/// of one segment that no parameter or `let` binds may also be a size of the signature.
pub fn function_like(path: &syn::Path) -> bool {
    path.segments.last().is_some_and(|s| s.ident.to_string().starts_with(|c: char| c.is_lowercase() || c == '_'))
}

/// The direct subexpressions.
pub fn children(e: &Expr) -> Vec<&Expr> {
    match &e.kind {
        ExprKind::Lit(..) | ExprKind::Decimal(_) | ExprKind::Path(_) | ExprKind::Error => vec![],
        ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) | ExprKind::Repeat(a, b) => vec![a, b],
        ExprKind::Unary(_, a) | ExprKind::Same(a) | ExprKind::Field(a, _) | ExprKind::Cast(a, _) => vec![a],
        ExprKind::Call(f, args) => std::iter::once(&**f).chain(args).collect(),
        ExprKind::Method(a, _, args) => std::iter::once(&**a).chain(args).collect(),
        ExprKind::Slice(a, s, t) => std::iter::once(a).chain(s).chain(t).map(|b| &**b).collect(),
        ExprKind::Array(es) | ExprKind::Tuple(es) => es.iter().collect(),
        ExprKind::If(c, a, b) => vec![c, a, b],
        ExprKind::Block(stmts, last) => stmts.iter().map(|Stmt::Let(_, e)| e).chain([&**last]).collect(),
        ExprKind::Closure(c) => vec![&c.body],
    }
}

/// The float of type `s` that is next to the number of these digits.
pub fn decimal(digits: &str, s: Scalar) -> Option<Lit> {
    match s {
        Scalar::F32 => digits.parse::<f32>().ok().map(|x| Lit::float(x.into(), s)),
        s if s.is_float() => digits.parse::<f64>().ok().map(|x| Lit::float(x, s)),
        _ => None,
    }
}
