//! The derivatives that an attribute asks for: of which parameters, and the signature of each, as if the user had written it.
//!
//! ```text
//! fn f(x: X, s: S) -> R      jvp(x)        ⟶   fn jvp(x: X, s: S, d_x: T(X)) -> (R, T(R))
//!                            jvp_many(x)   ⟶   fn jvp_many(x: X, s: S, d_x: [T(X); r]) -> (R, [T(R); r])
//!                            jacobian(x)   ⟶   fn jacobian(x: X, s: S) -> (R, T(R) with T(X) in the place of each float)
//!                            vjp(x)        ⟶   fn vjp(x: X, s: S, d_out: T(R)) -> (R, T(X))
//!                            vjp_many(x)   ⟶   fn vjp_many(x: X, s: S, d_out: [T(R); r]) -> (R, [T(X); r])
//!                            grad(x)       ⟶   fn grad(x: X, s: S) -> T(X)       fn value_and_grad(x: X, s: S) -> (R, T(X))
//!                            hvp(x)        ⟶   fn hvp(x: X, s: S, v_x: T(X)) -> (T(X), T(X))
//!                            hessian(x)    ⟶   fn hessian(x: X, s: S) -> (R, T(X), T(X) with T(X) in the place of each float)
//! ```
//!
//! `T` is the type of a tangent: the floats of a type. A tuple that has one part left is that part.

use crate::diag::{Diags, codes};
use crate::link::Export;
use crate::mapped::{Mapped, PushAll};
use crate::options::{Derivative, Direction, Mode, Options};
use crate::surface::layout::{Layouts, destinations, ranks};
use crate::surface::terms;
use crate::surface::{
    Expr, ExprKind, Extent, Function, Generic, NodeId, Param, Pattern, TypeExpr, TypeKind, key, length_names, path_key,
    plain,
};
use crate::ty::{Bound, Scalar};
use proc_macro2::{Ident, TokenStream};
use quote::quote;

/// A derivative of a kernel: the positions of the arguments that change, in order, and its signature.
pub struct Signature {
    /// Its kind.
    pub mode: Mode,
    /// The direction of a Jacobian, if the user gives one.
    pub direction: Option<Direction>,
    /// The arguments that change.
    pub of: Vec<usize>,
    /// The function, with the body of the kernel.
    pub function: Function,
}

impl Signature {
    /// The names of the tangents, and of the destinations of changes.
    fn names(&self, f: &Function) -> Vec<String> {
        let tangents = self.function.params.iter().skip(f.params.len()).map(|p| plain(&p.name));
        let changes = destinations(&self.function).into_iter().skip(destinations(f).len());
        tangents.chain(changes).collect_vec()
    }
}

/// The layouts of a kernel itself, and the names of the tangents and changes that are column-major.
pub fn layouts(f: &Function, signatures: &[Signature], all: &Layouts) -> (Layouts, Vec<String>) {
    let names = signatures.iter().flat_map(|s| s.names(f)).collect_vec();
    let of_derivative = |i: &Ident| !f.binds(i) && names.contains(&plain(i));
    let (derived, own) = all.column_major.iter().cloned().partition::<Vec<Ident>, _>(of_derivative);
    (Layouts { column_major: own, ..all.clone() }, derived.iter().mapped(plain))
}

/// The derivatives of `f`. Reports those that it does not have.
pub fn signatures(f: &Function, options: &Options, diags: &mut Diags) -> Vec<Signature> {
    let wanted = options.derivatives.iter();
    wanted.flat_map(|d| of_option(f, d, diags).unwrap_or_default()).collect_vec()
}

/// A derivative of a kernel that the user gives: a function of its signature, which calls the user's kernel, and the layouts of its
/// arrays.
pub struct Rule {
    /// Its kind: `jvp` or `vjp`.
    pub mode: Mode,
    /// The function.
    pub function: Function,
    /// The layouts of its arrays.
    pub layouts: Layouts,
}

/// The derivatives of `f` that the user gives. Reports those that it cannot have.
///
/// ```text
/// fn f(x: X, s: S) -> R      jvp = g   ⟶   fn rule(x: X, s: S, d_x: T(X)) -> (R, T(R)) { g(x, s, d_x) }
///                            vjp = g   ⟶   fn rule(x: X, s: S, out: R, d_out: T(R)) -> T(X) { g(x, s, out, d_out) }
/// ```
pub fn rules(f: &Function, callees: &[(syn::Path, Export)], options: &Options, diags: &mut Diags) -> Vec<Rule> {
    let f = &over_reals(f);
    let rule = |(mode, path): &(Mode, syn::Path)| {
        let at = crate::surface::parse::extent(path);
        if let Some(p) = f.params.iter().find(|p| p.in_out) {
            let text = format!("a rule for a kernel that changes an argument: `{}` is `&mut`", plain(&p.name));
            diags.helped(&codes::DERIVATIVE, at, text, "return what changes, as a result");
            return None;
        }
        let wanted = Derivative { mode: *mode, of: None, direction: None, at };
        let Signature { function, .. } = of_option(f, &wanted, diags)?.pop()?;
        let mut callee = path.clone();
        // Sizes that the arguments do not determine are those of the kernel.
        let has_ours = |(p, e): &(syn::Path, Export)| path_key(p) == path_key(path) && e.are_types == f.are_types();
        if let Some(last) = callee.segments.last_mut()
            && last.arguments.is_none()
            && callees.iter().any(has_ours)
            && !f.generics.is_empty()
        {
            let names = f.generics.iter().map(|g| match g {
                Generic::Type(name, _) => name,
                Generic::Const(name) => name,
            });
            last.arguments = syn::PathArguments::AngleBracketed(syn::parse_quote!(::<#(#names),*>));
        }
        Some(ruled(f, function, (*mode, callee, at), &options.layouts))
    };
    options.rules.iter().filter_map(rule).collect_vec()
}

/// A function of any numbers as one of floats: a rule is one for these alone.
fn over_reals(f: &Function) -> Function {
    fn real(t: &TypeExpr) -> TypeExpr {
        let kind = match &t.kind {
            TypeKind::Scalar(Scalar::Open(_, k)) => TypeKind::Scalar(Scalar::Open(Bound::Real, *k)),
            TypeKind::Array(elem, len) => TypeKind::Array(Box::new(real(elem)), len.clone()),
            TypeKind::Tuple(ts) => TypeKind::Tuple(ts.iter().mapped(real)),
            kind => kind.clone(),
        };
        TypeExpr { kind, at: t.at }
    }
    let mut f = f.clone();
    f.params.iter_mut().for_each(|p| p.ty = real(&p.ty));
    f.result = real(&f.result);
    for g in &mut f.generics {
        if let Generic::Type(_, bound) = g {
            *bound = Bound::Real;
        }
    }
    f
}

/// A rule whose derivative has this signature.
fn ruled(f: &Function, mut function: Function, (mode, path, at): (Mode, syn::Path, Extent), own: &Layouts) -> Rule {
    let mut layouts = own.clone();
    let by_columns = |name: &str| own.column_major.iter().any(|c| plain(c) == name);
    let (params, results, values) = (f.params.len(), destinations(f), parts(&f.result));
    if mode == Mode::Vjp {
        let several = matches!(f.result.kind, TypeKind::Tuple(_));
        let outs = values.iter().enumerate().mapped(|(k, t)| {
            let name = free_name(f, if several { format!("out{k}") } else { "out".into() });
            parameter(Ident::new(&name, f.name.span()), of_parameter(t.clone()), false)
        });
        function.params.splice(params..params, outs);
        let mut changes = parts(&function.result).split_off(values.len());
        let kind = if changes.len() == 1 { changes.remove(0).kind } else { TypeKind::Tuple(changes) };
        function.result = TypeExpr { kind, at };
        function.destinations = function.destinations.map(|mut names| names.split_off(results.len()));
    }
    // A change is stored as what changes.
    let changes =
        function.params[params..].iter().map(|p| plain(&p.name)).chain(function.destinations.iter().flatten().cloned());
    for name in changes.collect_vec() {
        if name.strip_prefix("d_").is_some_and(by_columns) {
            layouts.column_major.push(Ident::new(&name, f.name.span()));
        }
    }
    let mut id = NodeId::MAX;
    let mut node = |kind: ExprKind| {
        id -= 1;
        Expr { kind, at, id }
    };
    for p in &mut function.params {
        p.pattern = Pattern::Name(Some(p.name.clone()), None, at, false);
    }
    if let Some(last) = path.segments.last() {
        function.item = written(&last.ident, &function.params, &function.result);
    }
    let args = function.params.iter().mapped(|p| node(ExprKind::Path(p.name.clone().into())));
    let callee = node(ExprKind::Path(path));
    function.body = node(ExprKind::Call(Box::new(callee), args));
    Rule { mode, function, layouts }
}

/// The derivatives that an option gives.
fn of_option(f: &Function, d: &Derivative, diags: &mut Diags) -> Option<Vec<Signature>> {
    let name = d.mode.name();
    let error = |diags: &mut Diags, at, text: String, help: &str| diags.helped(&codes::DERIVATIVE, at, text, help);
    if let Some(p) = f.params.iter().find(|p| matches!(p.ty.kind, TypeKind::Fn(..))) {
        let text = format!("`{name}` of a kernel that takes a function: `{}`", plain(&p.name));
        let help = format!(
            "differentiate a kernel that calls `{0}` with a closure, as in `#[smooth({name})] fn g(x: f64) -> f64 {{ {0}(…, |y| …) }}`",
            plain(&f.name)
        );
        error(diags, p.ty.at, text, &help);
        return None;
    }
    let changes = |p: &Param| tangent(&p.ty).is_some();
    if !changes_in(&f.result) && !f.params.iter().any(|p| p.in_out && changes(p)) {
        let text = format!("`{name}` of a kernel without floats in its result");
        error(
            diags,
            f.result.at,
            text,
            "a derivative is one of floats: return `f64`, `f32` or `T: Real`, or arrays of them",
        );
        return None;
    }
    let of = match &d.of {
        None => (0..f.params.len()).filter(|k| changes(&f.params[*k])).collect_vec(),
        Some(names) => {
            let found = names.iter().mapped(|i| named(f, i, d.mode, diags));
            let mut of = found.all_some()?;
            let twice = (0..of.len()).find(|k| of[..*k].contains(&of[*k]));
            if let Some(i) = twice.map(|k| &names[k]) {
                let text = format!("`{name}` names `{i}` twice: there is one derivative in it");
                error(diags, (i.span(), i.span()), text, "remove one of them");
                return None;
            }
            of.sort_unstable();
            of
        }
    };
    if of.is_empty() {
        let text = format!("`{name}` of a kernel without floats in its parameters");
        error(diags, d.at, text, "a derivative is one along floats: take `f64`, `f32` or `T: Real`, or arrays of them");
        return None;
    }
    let in_out = match d.mode {
        Mode::Jvp | Mode::JvpMany | Mode::Vjp | Mode::VjpMany => None,
        Mode::Jacobian => Some("`jvp`, which has in-out tangents"),
        Mode::Grad | Mode::ValueAndGrad | Mode::Hvp | Mode::Hessian => Some("`vjp`, which has in-out cotangents"),
    };
    if let Some((way, p)) = in_out.zip(f.params.iter().find(|p| p.in_out)) {
        let text = format!("`{name}` of a kernel that changes an argument: `{}` is `&mut`", plain(&p.name));
        error(diags, d.at, text, &format!("return what changes, as a result; or take {way}"));
        return None;
    }
    let is_number = |t: &TypeExpr| matches!(t.kind, TypeKind::Scalar(s) if s.is_float());
    if d.mode.is_of_number() && !parts(&f.result).first().is_some_and(is_number) {
        let text = format!("`{name}` of a kernel whose first result is not one float number");
        let help = "return one number first, as `sum` gives it; or take `vjp`, which has a cotangent for each number of a result, or `jacobian`";
        error(diags, f.result.at, text, help);
        return None;
    }
    if d.mode == Mode::Hessian && of.len() > 1 {
        let all = of.iter().mapped(|k| plain(&f.params[*k].name));
        let text = format!("`hessian` in several parameters: {}", all.iter().mapped(|x| format!("`{x}`")).join(", "));
        let help = format!("name one, as in `hessian({})`; `hvp` is for several: the Hessian times a vector", all[0]);
        error(diags, d.at, text, &help);
        return None;
    }
    let left_out = |k: &usize| f.params[*k].in_out && changes(&f.params[*k]) && !of.contains(k);
    let left_out = (0..f.params.len()).filter(left_out).collect_vec();
    if let Some(k) = left_out.first() {
        let p = plain(&f.params[*k].name);
        let text = format!("`{name}` without `{p}`, which is `&mut`: its last value changes with the other parameters");
        let mut all = [of, left_out.clone()].concat();
        all.sort_unstable();
        let all = all.iter().mapped(|k| plain(&f.params[*k].name)).join(", ");
        error(
            diags,
            d.at,
            text,
            &match d.mode {
                Mode::Vjp | Mode::VjpMany => {
                    format!("write `{name}({all})`, and pass zeros where the last value of `{p}` does not count")
                }
                _ => format!("write `{name}({all})`, and pass zeros where `{p}` does not change at first"),
            },
        );
        return None;
    }
    let all = Mode::of_option(d.mode.option()).into_iter().mapped(|mode| signature(f, mode, of.clone(), (d, diags)));
    all.all_some()
}

/// A derivative in the arguments `of`.
fn signature(f: &Function, mode: Mode, of: Vec<usize>, (d, diags): (&Derivative, &mut Diags)) -> Option<Signature> {
    let function = match mode {
        Mode::Jvp | Mode::JvpMany => moved(f, mode, &of),
        Mode::Jacobian => jacobian(f, &of),
        Mode::Vjp | Mode::VjpMany | Mode::Grad | Mode::ValueAndGrad => backward(f, mode, &of),
        Mode::Hvp | Mode::Hessian => second(f, mode, &of),
    };
    let deepest = function.params.iter().map(|p| &p.ty).chain([&function.result]).flat_map(ranks).max();
    if deepest > Some(MAX_RANK) {
        let text = format!("`{}` would have arrays of more than {MAX_RANK} axes", mode.name());
        let help = "name parameters of fewer axes, or put two axes into one, of length `n * k`";
        diags.helped(&codes::DERIVATIVE, d.at, text, help);
        return None;
    }
    Some(Signature { mode, direction: d.direction, function, of })
}

/// The maximal rank of an array.
const MAX_RANK: usize = crate::elaborate::MAX_RANK;

fn changes_in(t: &TypeExpr) -> bool {
    tangent(t).is_some()
}

/// The position of the parameter that an option names.
fn named(f: &Function, i: &Ident, mode: Mode, diags: &mut Diags) -> Option<usize> {
    let (at, option) = ((i.span(), i.span()), mode.name());
    let names = f.params.iter().filter(|p| changes_in(&p.ty)).mapped(|p| format!("`{}`", plain(&p.name)));
    let all =
        if names.is_empty() { "none has floats".into() } else { format!("those with floats are {}", names.join(", ")) };
    let found =
        f.params.iter().position(|p| p.pattern.names().iter().any(|n| key(n) == key(i)) || key(&p.name) == key(i));
    match found {
        None => {
            let text = format!("`{option}({i})`: there is no parameter `{i}`");
            let help = match mode {
                Mode::Jacobian if Direction::named(&i.to_string()).is_some() => {
                    format!("a direction stands last, and there is one, as in `jacobian(x, {i})`")
                }
                Mode::Jacobian => format!(
                    "write the name of a parameter: {all}; or a direction, which stands last: `forward`, column by column, or `reverse`, row by row"
                ),
                _ if Direction::named(&i.to_string()).is_some() => format!(
                    "`{option}` has one direction; `jacobian(x, {i})` has the choice. Or write the name of a parameter: {all}"
                ),
                _ => format!("write the name of a parameter: {all}"),
            };
            diags.helped(&codes::DERIVATIVE, at, text, &help);
            None
        }
        Some(k) if !matches!(f.params[k].pattern, Pattern::Name(..)) => {
            let text = format!("`{option}({i})`: `{i}` is a part of a parameter");
            let help = "give the parameter a name, and take it apart in the kernel, as in `let (a, b) = p;`";
            diags.helped(&codes::DERIVATIVE, at, text, help);
            None
        }
        Some(k) if !changes_in(&f.params[k].ty) => {
            let text = format!("`{option}({i})`: `{i}` has no floats, so there is no derivative in it");
            diags.helped(&codes::DERIVATIVE, at, text, &format!("name parameters of floats: {all}"));
            None
        }
        found => found,
    }
}

/// The type of a tangent; `None` if there is no float in the type.
fn tangent(t: &TypeExpr) -> Option<TypeExpr> {
    let kind = match &t.kind {
        TypeKind::Scalar(s) => s.is_float().then_some(TypeKind::Scalar(*s))?,
        TypeKind::Array(elem, len) => TypeKind::Array(Box::new(tangent(elem)?), len.clone()),
        TypeKind::Tuple(ts) => {
            let mut parts = ts.iter().filter_map(tangent).collect_vec();
            match parts.len() {
                0 => return None,
                1 => return parts.pop(),
                _ => TypeKind::Tuple(parts),
            }
        }
        TypeKind::Fn(..) => return None,
    };
    Some(TypeExpr { kind, at: t.at })
}

/// The signature of a derivative along changes of the arguments `of`.
fn moved(f: &Function, mode: Mode, of: &[usize]) -> Function {
    let listed = |t: TypeExpr| listed(f, mode, t);
    let tangent_of = |k: &usize| {
        let p = &f.params[*k];
        Some(parameter(tangent_name(f, p), listed(tangent(&p.ty)?), p.in_out))
    };
    let tangents = of.iter().filter_map(tangent_of).collect_vec();
    let names = tangents.iter().mapped(|p| format!("`{}`", p.name)).join(", ");
    let change = |k: usize, t: &TypeExpr| {
        let name = if matches!(f.result.kind, TypeKind::Tuple(_)) { format!("d_out{k}") } else { "d_out".into() };
        Some((name, listed(tangent(t)?)))
    };
    let changes = parts(&f.result).iter().enumerate().filter_map(|(k, t)| change(k, t)).collect_vec();
    let doc = match mode {
        Mode::JvpMany => format!("the changes of its value along the changes {names} of its arguments, `r` of each"),
        _ => format!("the change of its value along the changes {names} of its arguments"),
    };
    Derived { f, mode, tangents, changes, doc }.function()
}

/// The type of a tangent, or of any number of them.
fn listed(f: &Function, mode: Mode, t: TypeExpr) -> TypeExpr {
    if !mode.is_of_many() {
        return t;
    }
    TypeExpr { at: t.at, kind: TypeKind::Array(Box::new(t), Some(free_size(f))) }
}

/// A parameter that the user has not written.
fn parameter(name: Ident, ty: TypeExpr, in_out: bool) -> Param {
    let at = (name.span(), name.span());
    let pattern = Pattern::Name(Some(name.clone()), None, at, false);
    Param { attrs: vec![], name, pattern, ty, in_out }
}

/// The signature of a reverse derivative in the arguments `of`.
fn backward(f: &Function, mode: Mode, of: &[usize]) -> Function {
    let several = matches!(f.result.kind, TypeKind::Tuple(_));
    let of_result = |(k, t): (usize, &TypeExpr)| {
        let name = free_name(f, if several { format!("d_out{k}") } else { "d_out".into() });
        Some(parameter(Ident::new(&name, f.name.span()), listed(f, mode, of_parameter(tangent(t)?)), false))
    };
    let results = if matches!(mode, Mode::Vjp | Mode::VjpMany) { parts(&f.result) } else { vec![] };
    let (in_out, own) = of.iter().partition::<Vec<usize>, _>(|k| f.params[**k].in_out);
    let derivative = |k: &usize| {
        let p = &f.params[*k];
        Some((tangent_name(f, p), listed(f, mode, tangent(&p.ty)?)))
    };
    let last = in_out.iter().filter_map(derivative).map(|(name, t)| parameter(name, t, true));
    let tangents = results.iter().enumerate().filter_map(of_result).chain(last).collect_vec();
    let changes = own.iter().filter_map(derivative).map(|(name, t)| (name.to_string(), t)).collect_vec();
    let names = of.iter().mapped(|k| format!("`{}`", plain(&f.params[*k].name))).join(", ");
    let doc = match mode {
        Mode::Vjp | Mode::VjpMany => {
            let given = tangents.iter().mapped(|p| format!("`{}`", p.name)).join(", ");
            let many = if mode == Mode::Vjp { "" } else { ", `r` of each" };
            format!("the cotangents of {names} that those of its results, {given}, come to{many}")
        }
        Mode::Grad => format!("what its first result changes by along {names}"),
        _ => format!("the derivative of its first number in {names}"),
    };
    Derived { f, mode, tangents, changes, doc }.function()
}

/// The type of an array as a parameter: lengths are numbers or names.
fn of_parameter(t: TypeExpr) -> TypeExpr {
    let kind = match t.kind {
        TypeKind::Array(elem, len) => {
            let len = len.filter(|n| matches!(n.kind, ExprKind::Lit(..) | ExprKind::Path(_)));
            TypeKind::Array(Box::new(of_parameter(*elem)), len)
        }
        TypeKind::Tuple(ts) => TypeKind::Tuple(ts.into_iter().mapped(of_parameter)),
        kind => kind,
    };
    TypeExpr { kind, at: t.at }
}

/// The signature of the Jacobian in the arguments `of`.
fn jacobian(f: &Function, of: &[usize]) -> Function {
    let change = |k: &usize| {
        let (p, x) = (&f.params[*k], tangent(&f.params[*k].ty)?);
        let mut rows = parts(&f.result).iter().filter_map(tangent).mapped(|t| nested(&t, &x));
        let kind = if rows.len() == 1 { rows.remove(0) } else { TypeExpr { kind: TypeKind::Tuple(rows), at: x.at } };
        Some((tangent_name(f, p).to_string(), kind))
    };
    let changes = of.iter().filter_map(change).collect_vec();
    let names = of.iter().mapped(|k| format!("`{}`", plain(&f.params[*k].name))).join(", ");
    let doc = format!("its derivative in {names}: that of each number of its value in each number of an argument");
    Derived { f, mode: Mode::Jacobian, tangents: vec![], changes, doc }.function()
}

/// The signature of a second derivative in the arguments `of`.
fn second(f: &Function, mode: Mode, of: &[usize]) -> Function {
    let named = |letter: &str, p: &Param| free_name(f, format!("{letter}_{}", plain(&p.name).trim_start_matches('_')));
    let each = |letter: &'static str, t: &dyn Fn(TypeExpr) -> TypeExpr| {
        let one = |k: &usize| Some((named(letter, &f.params[*k]), t(tangent(&f.params[*k].ty)?)));
        of.iter().filter_map(one).collect_vec()
    };
    let tangents = match mode {
        Mode::Hvp => each("v", &|t| t),
        _ => vec![],
    };
    let changes = [each("d", &|t| t), each("h", &|t| if mode == Mode::Hvp { t } else { nested(&t, &t) })].concat();
    let directions = tangents.iter().mapped(|(name, _)| format!("`{name}`")).join(", ");
    let tangents = tangents
        .into_iter()
        .zip(of)
        .mapped(|((name, t), k)| parameter(Ident::new(&name, f.params[*k].name.span()), t, false));
    let names = of.iter().mapped(|k| format!("`{}`", plain(&f.params[*k].name))).join(", ");
    let doc = match mode {
        Mode::Hvp => {
            format!("what its first result changes by along {names}, and the change of that along {directions}")
        }
        _ => format!("the first and the second derivatives of its first number in {names}"),
    };
    Derived { f, mode, tangents, changes, doc }.function()
}

/// A derivative of `f`: the parameters after those of `f`, the results after those of `f` with their names, and what these are.
struct Derived<'f> {
    f: &'f Function,
    mode: Mode,
    tangents: Vec<Param>,
    changes: Vec<(String, TypeExpr)>,
    doc: String,
}

impl Derived<'_> {
    fn function(self) -> Function {
        let Derived { f, mode, tangents, changes, doc } = self;
        let (at, params) = (f.name.span(), [f.params.clone(), tangents].concat());
        let own = |(name, t): &(String, TypeExpr)| match ranks(t).into_iter().filter(|rank| *rank > 0).count() {
            1 => vec![name.clone()],
            arrays if name == "d_out" => (0..arrays).mapped(|k| format!("{name}{k}")),
            arrays => (0..arrays).mapped(|k| format!("{name}_{k}")),
        };
        let (values, names) = match mode {
            Mode::Grad | Mode::Hvp => (vec![], vec![]),
            _ => (parts(&f.result), destinations(f)),
        };
        let destinations = [names, changes.iter().flat_map(own).collect_vec()].concat();
        let alone = changes.is_empty();
        let mut all = [values, changes.into_iter().map(|(_, t)| t).collect()].concat();
        let kind = match all.len() {
            _ if alone => f.result.kind.clone(),
            1 => all.remove(0).kind,
            _ => TypeKind::Tuple(all),
        };
        let (result, name) = (TypeExpr { kind, at: f.result.at }, Ident::new(mode.name(), at));
        let keeps = ["cfg", "allow", "warn", "deny", "forbid", "expect"];
        let kept = f.attrs.iter().filter(|a| keeps.iter().any(|k| a.path().is_ident(k))).cloned();
        let doc = match mode {
            Mode::Grad | Mode::Hvp => format!(" The derivative of `{}`: {doc}.", plain(&f.name)),
            _ => format!(" The value of `{}`, and {doc}.", plain(&f.name)),
        };
        let attrs = std::iter::once(syn::parse_quote!(#[doc = #doc])).chain(kept).collect_vec();
        let item = written(&name, &params, &result);
        // The names in the user's bounds are not in scope in the module.
        let (vis, bounds) = (syn::parse_quote!(pub), TokenStream::new());
        Function { item, name, vis, attrs, params, result, bounds, destinations: Some(destinations), ..f.clone() }
    }
}

/// The parts of a result: those of a tuple, or the whole.
fn parts(result: &TypeExpr) -> Vec<TypeExpr> {
    match &result.kind {
        TypeKind::Tuple(ts) => ts.clone(),
        _ => vec![result.clone()],
    }
}

/// A type with another one in the place of each of its floats, of the float's width.
fn nested(t: &TypeExpr, of: &TypeExpr) -> TypeExpr {
    let kind = match &t.kind {
        TypeKind::Array(elem, len) => TypeKind::Array(Box::new(nested(elem, of)), len.clone()),
        TypeKind::Tuple(ts) => TypeKind::Tuple(ts.iter().mapped(|t| nested(t, of))),
        TypeKind::Scalar(s) => return of_width(of, *s),
        TypeKind::Fn(..) => return of.clone(),
    };
    TypeExpr { kind, at: t.at }
}

/// A type of floats with all of them of this type.
fn of_width(t: &TypeExpr, s: Scalar) -> TypeExpr {
    let kind = match &t.kind {
        TypeKind::Array(elem, len) => TypeKind::Array(Box::new(of_width(elem, s)), len.clone()),
        TypeKind::Tuple(ts) => TypeKind::Tuple(ts.iter().mapped(|t| of_width(t, s))),
        TypeKind::Scalar(_) => TypeKind::Scalar(s),
        kind @ TypeKind::Fn(..) => kind.clone(),
    };
    TypeExpr { kind, at: t.at }
}

/// The name of a tangent: that of the parameter behind `d_`, and one that no parameter has.
fn tangent_name(f: &Function, p: &Param) -> Ident {
    let name = free_name(f, format!("d_{}", plain(&p.name).trim_start_matches('_')));
    Ident::new(&name, p.name.span())
}

/// A name that no parameter has.
fn free_name(f: &Function, mut name: String) -> String {
    while f.params.iter().any(|q| plain(&q.name) == name || q.pattern.names().iter().any(|i| plain(i) == name)) {
        name.push('_');
    }
    name
}

/// The number of directions: a size that the kernel does not have.
fn free_size(f: &Function) -> Expr {
    let mut taken = f.params.iter().flat_map(|p| length_names(&p.ty)).mapped(|i| plain(&i));
    taken.push_all(f.params.iter().flat_map(|p| p.pattern.names()).map(plain));
    let mut name = "r".to_string();
    while taken.contains(&name) {
        name.push('_');
    }
    let at = f.name.span();
    let kind = ExprKind::Path(Ident::new(&name, at).into());
    Expr { kind, at: (at, at), id: 0 }
}

/// The tokens of a signature, for documentation.
fn written(name: &Ident, params: &[Param], result: &TypeExpr) -> TokenStream {
    let params = params.iter().map(|p| {
        let name = &p.name;
        let ty = if p.in_out {
            let ty = type_tokens(&p.ty);
            quote!(&mut #ty)
        } else {
            borrowed(&p.ty)
        };
        quote!(#name: #ty)
    });
    let result = type_tokens(result);
    quote!(fn #name(#(#params),*) -> #result {})
}

/// The type of a parameter: arrays are borrowed.
fn borrowed(t: &TypeExpr) -> TokenStream {
    let own = type_tokens(t);
    match &t.kind {
        TypeKind::Array(..) => quote!(&#own),
        TypeKind::Tuple(ts) => {
            let ts = ts.iter().map(borrowed);
            quote!((#(#ts),*))
        }
        _ => own,
    }
}

fn type_tokens(t: &TypeExpr) -> TokenStream {
    match &t.kind {
        TypeKind::Scalar(s) => s.name().parse().unwrap_or_default(),
        TypeKind::Array(elem, len) => {
            let elem = type_tokens(elem);
            let len: Option<TokenStream> = len.as_ref().and_then(terms::term).and_then(|n| n.parse().ok());
            len.map_or(quote!([#elem]), |n| quote!([#elem; #n]))
        }
        TypeKind::Tuple(ts) => {
            let ts = ts.iter().map(type_tokens);
            quote!((#(#ts),*))
        }
        TypeKind::Fn(ps, r) => {
            let (ps, r) = (ps.iter().map(type_tokens), type_tokens(r));
            quote!(impl Fn(#(#ps),*) -> #r)
        }
    }
}
