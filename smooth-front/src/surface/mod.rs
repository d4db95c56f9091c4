//! The surface tree: Rust's own forms with their spans, sugar included (Fig. 1 plus sugar).

mod builtins;
mod callees;
mod columns;
pub mod consts;
pub mod layout;
mod meant;
mod open;
pub mod parse;
mod patterns;
pub mod probes;
pub mod reference;
pub mod reports;
pub mod rust;
mod statements;
pub mod terms;
pub mod text;
pub mod turbofish;

use crate::mapped::{Mapped, PushAll};
pub use builtins::{
    arity, assigns_to_its_receiver, axes, builtin, builtins, functions, has_axes, is_builtin, is_reserved,
    never_a_kernel, usage, usage_over,
};
pub(crate) use callees::BoundNames;
pub use callees::{callees, first_call};
pub use meant::meant;
pub use open::{open_count, open_lengths};
pub use patterns::{Case, Pattern};
pub use statements::{Adapter, Arm, For, Items, Source, Stmt};

use crate::sorted::{Map, Set};
use crate::ty::{Bound, Scalar};
use crate::value::Lit;
use layout::Layout;
use proc_macro2::{Ident, Span, TokenStream};

/// The spans of the first and the last token of a construct.
pub type Extent = (Span, Span);

/// The number of an expression: the key of its type in later tables.
pub type NodeId = usize;

/// A function under `#[smooth]`.
#[derive(Clone)]
pub struct Function {
    /// Its tokens.
    pub item: TokenStream,
    /// Attributes that are not ours, doc comments among them.
    pub attrs: Vec<syn::Attribute>,
    /// Its visibility.
    pub vis: syn::Visibility,
    /// Its name.
    pub name: Ident,
    /// Its type parameters and const generics, in order.
    pub generics: Vec<Generic>,
    /// The bounds of the type parameters, as predicates of a `where` clause.
    pub bounds: TokenStream,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its written result type.
    pub result: TypeExpr,
    /// The names of its destinations, if they are not those of a kernel.
    pub destinations: Option<Vec<String>>,
    /// Its body.
    pub body: Expr,
    /// The terms that are copies in Rust, and not borrows: `x.clone()`. The language does not tell them apart.
    pub copies: Set<NodeId>,
    /// The terms that are `*x`: an assignment through one changes the referent.
    pub behind: Set<NodeId>,
    /// The constants of the body, as the user wrote them, by their values.
    pub constants: Map<NodeId, TokenStream>,
    /// Whether the whole signature could be read. If not, the body is not type-checked.
    pub complete: bool,
}

/// A generic parameter.
#[derive(Clone)]
pub enum Generic {
    /// `T: Scalar`, `T: Number`, `T: Real`.
    Type(Ident, Bound),
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
        self.generics.iter().filter_map(|g| if let Generic::Const(i) = g { Some(i) } else { None }).collect_vec()
    }

    /// The names of the type parameters, in order.
    pub fn type_names(&self) -> Vec<&Ident> {
        self.generics.iter().filter_map(|g| if let Generic::Type(i, _) = g { Some(i) } else { None }).collect_vec()
    }

    /// For each generic parameter, in order, whether it is a type.
    pub fn are_types(&self) -> Vec<bool> {
        self.generics.iter().mapped(|g| matches!(g, Generic::Type(..)))
    }

    /// The type parameters, in order.
    pub fn type_params(&self) -> TypeParams {
        TypeParams::of(&self.generics)
    }
}

/// The type parameters of a kernel: their names and bounds.
#[derive(Clone, Default)]
pub struct TypeParams(Vec<(String, Bound)>);

impl TypeParams {
    /// The types among generic parameters.
    pub fn of(generics: &[Generic]) -> TypeParams {
        let param = |g: &Generic| if let Generic::Type(i, b) = g { Some((key(i), *b)) } else { None };
        TypeParams(generics.iter().filter_map(param).collect_vec())
    }

    /// Their bounds, in order.
    pub fn bounds(&self) -> Vec<Bound> {
        self.0.iter().mapped(|(_, b)| *b)
    }

    /// The type parameter with this name.
    pub fn find(&self, name: &Ident) -> Option<Scalar> {
        let k = self.0.iter().position(|(own, _)| *own == key(name))?;
        Some(Scalar::Open(self.0[k].1, k as u8))
    }

    /// A written scalar type: a type parameter, or a type of Rust.
    pub fn scalar(&self, path: &syn::Path) -> Option<Scalar> {
        let name = path.get_ident()?;
        self.find(name).or_else(|| Scalar::from_name(&name.to_string()))
    }

    /// The user's name of a type parameter.
    pub fn name(&self, s: Scalar) -> Option<&str> {
        let Scalar::Open(bound, k) = s else { return None };
        // A key may end with the macro expansion of the name.
        self.0.get(k as usize).filter(|(_, own)| *own == bound)?.0.split('#').next()
    }
}

/// A parameter.
#[derive(Clone)]
pub struct Param {
    /// Lint attributes.
    pub attrs: Vec<syn::Attribute>,
    /// The name of the whole parameter: the user's, or one of ours if a pattern destructures it.
    pub name: Ident,
    /// Its pattern.
    pub pattern: Pattern,
    /// Its written type, without the `&mut` of an in-out parameter.
    pub ty: TypeExpr,
    /// Whether the kernel writes it: `&mut`.
    pub in_out: bool,
}

impl Param {
    /// The names that the pattern binds, with their types. A pattern that does not match the type binds none.
    pub fn parts(&self) -> Vec<(Option<&Ident>, &TypeExpr)> {
        parts(&self.pattern, &self.ty)
    }
}

fn parts<'p>(pattern: &'p Pattern, ty: &'p TypeExpr) -> Vec<(Option<&'p Ident>, &'p TypeExpr)> {
    match (pattern, &ty.kind) {
        (Pattern::Name(name, ..), _) => vec![(name.as_ref(), ty)],
        (Pattern::Tuple(ps, _), TypeKind::Tuple(ts)) if ps.len() == ts.len() => {
            ps.iter().zip(ts).flat_map(|(p, t)| parts(p, t)).collect_vec()
        }
        (Pattern::Tuple(..) | Pattern::Rest(_), _) => vec![(None, ty)],
    }
}

/// A written type, with sizes.
#[derive(Clone)]
pub struct TypeExpr {
    /// Its form.
    pub kind: TypeKind,
    /// Its position.
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
    /// Its form.
    pub kind: ExprKind,
    /// Its position.
    pub at: Extent,
    /// Its number.
    pub id: NodeId,
}

/// A direct part of an expression.
#[derive(Clone, Copy)]
pub enum Child<'e> {
    /// A subexpression.
    Expr(&'e Expr),
    /// A pattern: its names are in scope in all later children.
    Pattern(&'e Pattern),
    /// A pattern of a `match`: the same.
    Case(&'e Case),
}

impl Expr {
    /// The direct parts, in order of evaluation. The only walk that knows every construct: a new one does not compile
    /// until it is listed here.
    pub fn children(&self) -> Vec<Child<'_>> {
        let exprs = match &self.kind {
            ExprKind::Lit(..) | ExprKind::Decimal(_) | ExprKind::Path(_) | ExprKind::Error => vec![],
            ExprKind::Binary(_, a, b) | ExprKind::Index(a, b) | ExprKind::Repeat(a, b) => vec![&**a, &**b],
            ExprKind::Unary(_, a) | ExprKind::Same(a) | ExprKind::Field(a, _) | ExprKind::Cast(a, _) => vec![&**a],
            ExprKind::Call(f, args) => std::iter::once(&**f).chain(args).collect_vec(),
            ExprKind::Method(a, _, args) => std::iter::once(&**a).chain(args).collect_vec(),
            ExprKind::Slice(a, s, t) => std::iter::once(a).chain(s).chain(t).mapped(|b| &**b),
            ExprKind::Array(es) | ExprKind::Tuple(es) => es.iter().collect_vec(),
            ExprKind::If(c, a, b) => vec![&**c, &**a, &**b],
            ExprKind::Block(stmts, last) => {
                let parts = stmts.iter().flat_map(|s| match s {
                    Stmt::Let(p, e) => vec![Child::Expr(e), Child::Pattern(p)],
                    Stmt::Declare(p) => vec![Child::Pattern(p)],
                    Stmt::Do(e) => vec![Child::Expr(e)],
                });
                return parts.chain([Child::Expr(last)]).collect_vec();
            }
            ExprKind::Wild | ExprKind::Continue(_) => vec![],
            ExprKind::Borrow(a) | ExprKind::Loop(_, a) | ExprKind::Labelled(_, a) => vec![&**a],
            ExprKind::OfLength(a, _) => vec![&**a],
            ExprKind::Assign(_, place, value) => vec![&**value, &**place],
            ExprKind::While(_, c, body) => vec![&**c, &**body],
            ExprKind::Break(_, e) | ExprKind::Return(e) => e.iter().mapped(|e| &**e),
            ExprKind::For(f) => {
                let items = f.items.exprs().into_iter().map(Child::Expr);
                return items.chain([Child::Pattern(&f.pattern), Child::Expr(&f.body)]).collect_vec();
            }
            ExprKind::Match(e, arms) => {
                let mut parts = vec![Child::Expr(e)];
                for a in arms {
                    parts.push_all(a.patterns.iter().flat_map(Case::exprs).map(Child::Expr));
                    parts.push_all(a.patterns.iter().map(Child::Case));
                    parts.push_all(a.guard.iter().chain([&a.body]).map(Child::Expr));
                }
                return parts;
            }
            ExprKind::Dbg(d) => d.value.iter().collect_vec(),
            ExprKind::Assert(a) => a.exprs(),
            ExprKind::Closure(c) => {
                return c.params.iter().map(Child::Pattern).chain([Child::Expr(&c.body)]).collect_vec();
            }
        };
        exprs.into_iter().mapped(Child::Expr)
    }
}

impl Expr {
    /// Whether something in it assigns, so that the order of evaluation of this term and its siblings matters.
    pub fn assigns(&self) -> bool {
        match &self.kind {
            ExprKind::Assign(..) | ExprKind::Borrow(_) => true,
            ExprKind::Method(_, m, _) if builtins::assigns_to_its_receiver(m) => true,
            _ => self.children().into_iter().any(|c| if let Child::Expr(e) = c { e.assigns() } else { false }),
        }
    }
}

/// A closure: `|x, y: f64| body`.
#[derive(Clone)]
pub struct Closure {
    /// Its parameters.
    pub params: Vec<Pattern>,
    /// Its body.
    pub body: Expr,
    /// The function of numbers that is written for it: `f64::max`.
    pub of: Option<String>,
}

/// Rust's expressions, as far as the language has them.
#[derive(Clone)]
pub enum ExprKind {
    /// A literal, and whether its type is fixed: an integer without suffix takes the type that its context wants.
    Lit(Lit, bool),
    /// A float without suffix, as its digits: they are rounded once, when the type is known.
    Decimal(String),
    /// `x`, `path::to::f`, `PI`.
    Path(syn::Path),
    /// `a + b`, by Rust's operator.
    Binary(&'static str, Box<Expr>, Box<Expr>),
    /// `-a`, `!a`.
    Unary(&'static str, Box<Expr>),
    /// `&a`, `*a`, `a.clone()`: the value of `a`.
    Same(Box<Expr>),
    /// An array of this number of elements, which a pattern takes apart.
    OfLength(Box<Expr>, usize),
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
    /// `if c { a } else { b }`; without `else`, `b` is `()`.
    If(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `{ …; e }`; without a last expression, `e` is `()`, a tuple without parts.
    Block(Vec<Stmt>, Box<Expr>),
    /// `|x| e`.
    Closure(Box<Closure>),
    /// `&mut a`.
    Borrow(Box<Expr>),
    /// `place = e`, `place op= e` with Rust's operator; the place may be a tuple of places, or `_`.
    Assign(Option<&'static str>, Box<Expr>, Box<Expr>),
    /// `_` on the left of an assignment.
    Wild,
    /// `match e { arms }`.
    Match(Box<Expr>, Vec<Arm>),
    /// `for`.
    For(Box<For>),
    /// `'label: while c { body }`.
    While(Option<syn::Lifetime>, Box<Expr>, Box<Expr>),
    /// `'label: loop { body }`.
    Loop(Option<syn::Lifetime>, Box<Expr>),
    /// `'label: { body }`.
    Labelled(syn::Lifetime, Box<Expr>),
    /// `break 'label e`.
    Break(Option<syn::Lifetime>, Option<Box<Expr>>),
    /// `continue 'label`.
    Continue(Option<syn::Lifetime>),
    /// `return e`.
    Return(Option<Box<Expr>>),
    /// `dbg!(e)`.
    Dbg(Box<probes::Dbg>),
    /// `assert!(c)` and the like; its value is `()`.
    Assert(Box<probes::Assert>),
    /// An expression that was rejected and reported.
    Error,
}

/// The hygiene-aware key of a name: two identifiers denote one variable if they read the same and come from the same
/// macro expansion. `proc_macro2` shows that expansion only in the debug text of a span.
pub fn key(ident: &Ident) -> String {
    let debug = format!("{:?}", ident.span());
    match debug.split_once(' ') {
        Some((context, _)) if context.starts_with('#') => format!("{}{context}", plain(ident)),
        _ => plain(ident),
    }
}

/// Whether two identifiers are one variable. Most differ as texts, which are cheaper to compare than keys.
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

/// A name without the `r#` of a raw identifier.
pub fn plain(i: &Ident) -> String {
    let name = i.to_string();
    name.strip_prefix("r#").unwrap_or(&name).to_string()
}

/// The names that are not upper-case and occur as a length in a parameter's type: parameters or symbolic sizes.
pub fn size_names(t: &TypeExpr) -> Vec<Ident> {
    match &t.kind {
        TypeKind::Scalar(_) => vec![],
        TypeKind::Array(elem, len) => {
            let name = match len.as_ref().map(|e| &e.kind) {
                Some(ExprKind::Path(p)) if function_like(p) => p.get_ident().cloned(),
                _ => None,
            };
            name.into_iter().chain(size_names(elem)).collect_vec()
        }
        TypeKind::Tuple(ts) => ts.iter().flat_map(size_names).collect_vec(),
        TypeKind::Fn(ts, r) => ts.iter().flat_map(size_names).chain(size_names(r)).collect_vec(),
    }
}

/// Every name in the lengths of a written type.
pub fn length_names(t: &TypeExpr) -> Vec<Ident> {
    fn names(e: &Expr, found: &mut Vec<Ident>) {
        match &e.kind {
            ExprKind::Path(p) => found.push_all(p.get_ident().cloned()),
            _ => e.children().into_iter().for_each(|c| {
                if let Child::Expr(e) = c {
                    names(e, found)
                }
            }),
        }
    }
    let mut found = Vec::new();
    match &t.kind {
        TypeKind::Scalar(_) => {}
        TypeKind::Array(elem, len) => {
            len.iter().for_each(|e| names(e, &mut found));
            found.push_all(length_names(elem));
        }
        TypeKind::Tuple(ts) => found.push_all(ts.iter().flat_map(length_names)),
        TypeKind::Fn(ts, r) => found.push_all(ts.iter().chain([&**r]).flat_map(length_names)),
    }
    found
}

/// The names whose values follow from the lengths of an argument: symbolic sizes, and const generics if Rust's type of
/// the argument contains them (the type of a view does not).
pub fn inferable_sizes(t: &TypeExpr, generics: &[Ident], layout: Layout) -> Vec<Ident> {
    let columns = t.columns();
    if let TypeKind::Tuple(ts) = &columns.kind {
        return ts.iter().flat_map(|t| inferable_sizes(t, generics, layout)).collect_vec();
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
    let is_view = layout.at(lengths.len(), false) != Layout::Rows;
    let view = is_view || lengths.len() > 1 && lengths[1..].iter().any(open);
    let names = lengths.iter().filter_map(|len| if let Some(ExprKind::Path(p)) = len { p.get_ident() } else { None });
    names.filter(|i| symbolic(i) || !view && generic(i)).cloned().collect_vec()
}

/// The `f64` and `sqrt` of `f64::sqrt`, the `i32` and `pow` of `i32::pow`.
pub fn number_function(path: &syn::Path) -> Option<(Scalar, String)> {
    let s: Vec<String> = path.segments.iter().mapped(|s| s.ident.to_string());
    match s.as_slice() {
        [ty, f] => Scalar::from_name(ty).map(|ty| (ty, f.clone())),
        _ => None,
    }
}

/// Whether a path is not upper-case, and so by Rust's naming convention a function or a variable and not a constant. An
/// unbound name of one segment may also be a symbolic size of the signature. Most alphabets have one case only: a letter
/// is upper-case if there is a lower-case one for it.
pub fn function_like(path: &syn::Path) -> bool {
    let upper = |c: char| c.to_lowercase().ne([c]);
    path.segments.last().is_some_and(|s| !plain(&s.ident).starts_with(upper))
}

/// The float of type `s` nearest to the number with these digits.
pub fn decimal(digits: &str, s: Scalar) -> Option<Lit> {
    match s {
        Scalar::F32 => digits.parse::<f32>().ok().map(|x| Lit::float(x.into(), s)),
        s if s.is_float() => digits.parse::<f64>().ok().map(|x| Lit::float(x, s)),
        _ => None,
    }
}
