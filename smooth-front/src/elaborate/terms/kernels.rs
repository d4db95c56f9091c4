//! T-App for kernels: checks arguments against an interface that may be generic, and flattens tuples.

use crate::diag::{codes, hints};
use crate::elaborate::advice::counts::{counted, given, plural};
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::Scope;
use crate::fsmooth::{Callee, Declared, Expr, Kind, Via, build, instantiate};
use crate::link::Export;
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::prim::Prim;
use crate::shape::{Source, value_of};
use crate::sorted::sort_by_key;
use crate::surface::parse::extent;
use crate::surface::turbofish::{self, Turbofish};
use crate::surface::{self, Expr as Surface, ExprKind, Extent, TypeParams, terms};
use crate::ty::{Bound, Scalar, Type};
use quote::ToTokens;

/// The generic arguments of a turbofish: types and sizes, `None` where they are to be inferred.
type Generics = (Vec<Option<Scalar>>, Vec<Option<Expr>>);

impl Cx<'_> {
    pub(crate) fn call_kernel(
        &mut self,
        path: &syn::Path,
        args: &[Surface],
        at: Extent,
        scope: &Scope,
    ) -> Option<Expr> {
        let n = self.interface.linked.iter().position(|(p, _)| surface::path_key(p) == surface::path_key(path));
        let Some(n) = n else {
            self.not_a_kernel(path, args, at, scope);
            args.iter()
                .filter(|a| !matches!(a.kind, ExprKind::Closure(_)))
                .for_each(|a| drop(self.expr(a, scope.any())));
            return None;
        };
        let export = &self.interface.linked[n].1;
        if export.poisoned() {
            return None;
        }
        let params = export.argument_types();
        if params.len() != args.len() {
            let message = wrong_count(path, export, args, &self.interface.type_params);
            self.error(&codes::ARITY, at, message);
            return None;
        }
        self.changes_a_place(n, args)?;
        let (mut types, consts) = self.turbofish(path, n, at, scope)?;
        let terms = self.generic_arguments((path, &params), args, &mut types, scope)?;
        let Some(types) = types.into_iter().all_some() else {
            let message = format!(
                "the arguments do not determine the type parameter of `{0}`\nwrite it, as in `{0}::<f64>(…)`",
                export.name
            );
            self.error(&codes::MISMATCH, at, message);
            return None;
        };
        self.apply_kernel((n, &types), terms, &consts, at)
    }

    /// Reports a call of something that is not a kernel, with a way out where one is known.
    fn not_a_kernel(&mut self, path: &syn::Path, args: &[Surface], at: Extent, scope: &Scope) {
        let shown = surface::path_key(path);
        if let Some(way) = self.call_meant(&shown, args, scope) {
            let message = format!("the built-in function `{shown}` does not take these arguments\nwrite `{way}`");
            return self.error(&codes::ARITY, at, message);
        }
        let name = path.segments.last().map(|s| surface::plain(&s.ident)).unwrap_or_default();
        let known = hints::function(&name, &terms::operands(args));
        if !surface::never_a_kernel(path) {
            let message = format!("`{shown}` is not a kernel in scope");
            if let Some(help) = known {
                return self.helped(&codes::NOT_A_KERNEL, at, message, &help);
            }
            return self.error(&codes::NOT_A_KERNEL, at, format!("{message}\nput `#[smooth]` on the function, and import it if it is in another module, as in `use crate::module::kernel;`"));
        }
        let help = hints::constructor(&shown).or(known);
        let help = help.unwrap_or_else(|| "write what it does with the functions and methods of the language".into());
        let message = format!("`{shown}` is not a kernel, and kernels call only kernels");
        self.diags.helped(&codes::NOT_A_KERNEL, extent(path), message, &help);
    }

    /// Reports integers where a kernel takes floats: with the term that computes the same of integers, where all arguments are,
    /// and there is one.
    fn no_floats(&mut self, path: &syn::Path, args: &[Surface], (a, ty): (&Surface, &Type), (p, all): (&Type, bool)) {
        let name = surface::path_key(path);
        let own = args.iter().map(terms::receiver).all_some();
        let way = match own.filter(|_| all).and_then(|own| hints::of_integers(&name, &own)) {
            Some(term) => format!("\nof integers it is `{term}`"),
            None => crate::elaborate::advice::mismatch::way(a, ty, &crate::elaborate::advice::mismatch::closed(p, "")),
        };
        let message = format!("`{name}` computes with floats, but this argument has type {ty}{way}");
        self.error(&codes::MISMATCH, a.at, message);
    }

    /// Applies the callee at our `n`th path, for some types, to a term for each argument.
    pub(crate) fn apply_kernel(
        &mut self,
        (n, types): (usize, &[Scalar]),
        terms: Vec<Expr>,
        consts: &[Option<Expr>],
        at: Extent,
    ) -> Option<Expr> {
        let export = &self.interface.linked[n].1;
        let mut hidden = self.hidden_arguments(n, export, consts, at)?;
        let k = self.instance(n, types);
        let o = self.origin(at);
        // Each part of a tuple is a separate parameter.
        let (mut lets, mut flat): (Vec<(usize, VarId, Expr)>, _) = (Vec::new(), Vec::new());
        let mut sized: Vec<(VarId, Expr)> = Vec::new();
        for p in &export.params {
            let Source::Argument(way) = &p.source else { continue };
            let term = &terms[way[0]];
            let part = if way.len() == 1 {
                term.clone()
            } else {
                let known = lets.iter().find(|(first, ..)| *first == way[0]);
                let x = known.map_or_else(|| self.names.fresh("pair"), |(_, x, _)| *x);
                if known.is_none() {
                    lets.push((way[0], x, term.clone()));
                }
                way[1..].iter().fold(build::var(x, term.ty().stored(), o), |t, part| build::proj(t, *part, o))
            };
            let part = match value_of(&export.params, p) {
                Some(_) if !matches!(part.kind(), Kind::Var(_) | Kind::Lit(_)) => {
                    let x = self.names.fresh(&p.name.replace('.', "_"));
                    let named = build::var(x, part.ty().clone(), o);
                    sized.push((x, part));
                    named
                }
                _ => part,
            };
            for (value, q) in hidden.iter_mut().zip(export.params.iter().filter(|q| !q.is_argument())) {
                if matches!(&q.source, Source::Value(of) if of == way) {
                    *value = build::prim(Prim::ToUsize, vec![part.clone()], o);
                }
            }
            // A size in the turbofish that this argument determines has to agree with it.
            let written = |axis| export.generic(p, axis).and_then(|k| consts.get(k).cloned().flatten());
            let shape: Vec<Option<Expr>> = (0..p.dims().len()).mapped(written);
            let part = if shape.iter().any(Option::is_some) {
                let x = self.names.fresh(&p.name.replace('.', "_"));
                let named = build::var(x, part.ty().clone(), o);
                self.typed.ascriptions.insert(x, (shape, o, Declared::Type));
                sized.push((x, part));
                named
            } else {
                part
            };
            flat.push(if p.column_major { self.transposed(part) } else { part });
        }
        flat.push_all(hidden);
        let companion = &self.interface.callees[k].companion;
        let (ty, flags) = (companion.result_type.clone(), companion.column_major.clone());
        let call = self.transposed_leaves(build::call(k, flat, ty, o), &flags);
        let export = &self.interface.linked[n].1;
        let result = export.result_type().map(|t| instantiate::ty(&t, types));
        // The values of changed arguments follow the result.
        let result = result.and_then(|own| match call.ty() {
            _ if !export.changed().contains(&true) => Some(own),
            Type::Tuple(ts) if own != Type::Tuple(vec![]) => {
                Some(Type::Tuple(std::iter::once(own).chain(ts[1..].iter().cloned()).collect_vec()))
            }
            _ => None,
        });
        let call = result.into_iter().fold(call, |e, t| crate::elaborate::terms::records::retyped(e, &t));
        let lets = lets.into_iter().map(|(_, x, t)| (x, t)).chain(sized);
        Some(lets.rev().fold(call, |e, (x, t)| build::bind(x, t, e, o)))
    }

    /// The index in the callee table of our `n`th path for some types.
    fn instance(&mut self, n: usize, types: &[Scalar]) -> usize {
        let known = |c: &Callee| c.via == Via::Own(n) && c.types == types;
        if let Some(k) = self.interface.callees.iter().position(known) {
            return k;
        }
        let export = &self.interface.linked[n].1;
        let (mut params, mut companion) = export.import(&mut self.names);
        instantiate::interface(&mut params, &mut companion, types);
        let (name, via) = (export.name.clone(), Via::Own(n));
        self.interface.callees.push(Callee { name, params, companion, via, types: types.to_vec() });
        self.interface.callees.len() - 1
    }

    /// The generic arguments for the callee at our `n`th path; `None` for those that the arguments determine.
    pub(crate) fn turbofish(&mut self, path: &syn::Path, n: usize, at: Extent, scope: &Scope) -> Option<Generics> {
        let export = &self.interface.linked[n].1;
        let (bounds, sizes) = (&export.types, export.generics.len());
        let Turbofish { mut types, sizes: written } =
            Turbofish::of(path, &export.are_types, &self.interface.type_params);
        let name = || surface::path_key(path);
        let wrong = match (types.len(), written.len()) {
            (found, _) if found > bounds.len() => Some(wrong_turbofish(name(), bounds.len(), "type", found)),
            (_, found) if found > 0 && found != sizes => Some(wrong_turbofish(name(), sizes, "size", found)),
            _ => None,
        };
        if let Some(message) = wrong {
            self.error(&codes::ARITY, at, message);
            return None;
        }
        types.resize(bounds.len(), None);
        for (ty, bound) in types.iter().zip(bounds) {
            if let Some(s) = ty.filter(|s| !bound.admits(*s)) {
                let (path, bound) = (name(), bound.name());
                let message = format!(
                    "`{path}` is generic over `T: {bound}`, and `{}` is not a `{bound}` type\npass numbers of another type, as in `x as f64`, or bound the kernel's own type parameter in the same way",
                    s.name()
                );
                self.error(&codes::MISMATCH, at, message);
                return None;
            }
        }
        let mut consts = Vec::new();
        for a in written {
            consts.push(match a {
                Some(a) => Some(self.size_argument(a, scope)?),
                None => None,
            });
        }
        Some((types, consts))
    }

    /// A const argument of the turbofish: a number, a const generic or a constant.
    fn size_argument(&mut self, a: &syn::GenericArgument, scope: &Scope) -> Option<Expr> {
        let at = extent(a);
        let size = turbofish::size(a);
        let number = match &size {
            Some(syn::Expr::Path(p)) => {
                let e = self.t_var(&p.path, at, scope.want(&Type::USIZE))?;
                if *e.ty() != Type::USIZE {
                    let message = format!(
                        "a size between `::<` and `>` is a `usize`, and `{}` is {}\nwrite a number, as in `f::<3>(…)`, or the name of a size",
                        surface::path_key(&p.path),
                        e.ty()
                    );
                    self.error(&codes::MISMATCH, at, message);
                    return None;
                }
                return Some(e);
            }
            Some(syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Int(n), .. })) => n.base10_parse().ok(),
            _ => None,
        };
        let Some(number) = number else {
            self.error(
                &codes::PARAM_TYPE,
                at,
                "a size between `::<` and `>` must be a number or the name of a constant\nwrite a number, as in `f::<3>(…)`, or declare a `const` and write its name",
            );
            return None;
        };
        let o = self.origin(at);
        Some(build::index(number, o))
    }

    /// Checks arguments against parameter types and infers the callee's type parameters: from arguments with a type of
    /// their own first, then from literals and constants, then from functions.
    fn generic_arguments(
        &mut self,
        (path, params): (&syn::Path, &[Type]),
        args: &[Surface],
        types: &mut [Option<Scalar>],
        scope: &Scope,
    ) -> Option<Vec<Expr>> {
        let mut terms: Vec<Option<Expr>> = vec![None; args.len()];
        let (mut complete, mut integers) = (true, Vec::new());
        let mut order: Vec<usize> = (0..args.len()).collect_vec();
        sort_by_key(&mut order, |k| match &params[*k] {
            Type::Fn(of, _) => 2 + u8::from(of.iter().any(|p| known(p, types).is_none())),
            _ => u8::from(self.flexible(&args[*k], scope)),
        });
        for k in order {
            let (p, a) = (&params[k], &args[k]);
            let wanted = known(p, types);
            terms[k] = match (&wanted, p) {
                (Some(t), _) => self.argument(t, a, scope),
                // The type of the function's result determines the callee's type parameter.
                (None, Type::Fn(of, r)) => {
                    let of = of.iter().map(|p| known(p, types)).all_some();
                    let Some(of) = of else {
                        let message = "the arguments do not determine the types of this function's parameters\nwrite the callee's type parameter, as in `kernel::<f64>(…)`";
                        self.error(&codes::MISMATCH, a.at, message);
                        complete = false;
                        continue;
                    };
                    let term = self.function(a, &of, scope.any());
                    term.filter(|t| match t.ty() {
                        Type::Fn(takes, found) if *takes == of && unify(r, found, types) => {
                            self.typed.types.insert(a.id, t.ty().clone());
                            true
                        }
                        found => {
                            self.wrong_argument(a, found, &of_bounds(p), p);
                            false
                        }
                    })
                }
                (None, _) => {
                    let term = self.expr(a, scope.any()).and_then(|t| self.value(t, a.at));
                    term.filter(|t| {
                        let fits = unify(p, t.ty(), types);
                        if of_integers(p, t.ty()) {
                            integers.push((k, t.ty().clone()));
                        } else if !fits {
                            self.wrong_argument(a, t.ty(), &of_bounds(p), p);
                        }
                        fits
                    })
                }
            };
            complete &= terms[k].is_some();
        }
        if let [(k, ty), ..] = &integers[..] {
            let floats = params.iter().filter(|p| real(p)).count();
            self.no_floats(path, args, (&args[*k], ty), (&params[*k], floats == integers.len()));
        }
        if complete { terms.into_iter().all_some() } else { None }
    }
}

/// A parameter's type with the type parameters replaced; `None` while one that occurs in it is unknown.
fn known(p: &Type, types: &[Option<Scalar>]) -> Option<Type> {
    let unknown = |s: &Scalar| matches!(s, Scalar::Open(_, k) if types.get(*k as usize).is_some_and(Option::is_none));
    if p.leaf_scalars().iter().any(unknown) {
        return None;
    }
    // Those that are unknown do not occur in it.
    let types: Vec<Scalar> = types.iter().mapped(|t| t.unwrap_or(Scalar::F64));
    Some(instantiate::ty(p, &types))
}

/// A callee's type for a message: its type parameters have no name for the caller.
pub(crate) fn of_bounds(t: &Type) -> String {
    let named = |text: String, s: Scalar| match s {
        Scalar::Open(bound, _) => text.replace(s.name(), &format!("impl {}", bound.name())),
        _ => text,
    };
    t.leaf_scalars().into_iter().fold(t.to_string(), named)
}

/// Whether the numbers of a parameter are floats of the callee's type.
fn real(p: &Type) -> bool {
    let open = |s: &Scalar| matches!(s, Scalar::Open(Bound::Real, _));
    matches!(p, Type::Scalar(_) | Type::Array(..)) && p.leaf_scalars().iter().all(open)
}

/// Whether an argument has integers where the parameter has floats of the callee's type.
fn of_integers(p: &Type, a: &Type) -> bool {
    real(p) && p.rank() == a.rank() && a.leaf_scalars().iter().all(|s| s.is_int() && !s.is_open())
}

/// Whether an argument type `a` is an instance of the parameter type `p`; records the types that make it one.
pub(crate) fn unify(p: &Type, a: &Type, types: &mut [Option<Scalar>]) -> bool {
    match (p, a) {
        (Type::Tuple(ps), Type::Tuple(ts)) => {
            ps.len() == ts.len() && ps.iter().zip(ts).all(|(p, t)| unify(p, t, types))
        }
        (Type::Records(ps, m), Type::Records(ts, n)) => {
            m == n && ps.len() == ts.len() && ps.iter().zip(ts).all(|(p, t)| unify(p, t, types))
        }
        (Type::Scalar(p), Type::Scalar(s)) => unify_scalar(*p, *s, types),
        (Type::Array(p, m), Type::Array(s, n)) => m == n && unify_scalar(*p, *s, types),
        _ => false,
    }
}

fn unify_scalar(p: Scalar, s: Scalar, types: &mut [Option<Scalar>]) -> bool {
    match p {
        Scalar::Open(bound, k) if bound.admits(s) => *types[k as usize].get_or_insert(s) == s,
        p => p == s,
    }
}

/// The message for a call with too few or too many arguments: the call with those that are missing by name. Sizes that stand
/// in an array, a tuple or between `::<` and `>` are written as arguments.
fn wrong_count(path: &syn::Path, export: &Export, args: &[Surface], own_types: &TypeParams) -> String {
    let name = surface::path_key(path);
    let mut own: Vec<String> = Vec::new();
    for p in &export.params {
        if let Source::Argument(way) = &p.source
            && way[0] == own.len()
        {
            let whole = p.name.split('.').next().unwrap_or_default();
            own.push(format!("{}{whole}", if p.in_out { "&mut " } else { "" }));
        }
    }
    let text = |e: &Surface| terms::term(e).unwrap_or_else(|| "…".into());
    let apart = args.iter().flat_map(|a| match &a.kind {
        ExprKind::Array(parts) | ExprKind::Tuple(parts) => parts.as_slice(),
        _ => std::slice::from_ref(a),
    });
    let apart: Vec<String> = apart.map(text).collect_vec();
    let Turbofish { types, sizes } = Turbofish::of(path, &export.are_types, own_types);
    let sizes = sizes.into_iter().flatten().filter_map(|a| Some(turbofish::size(a)?.to_token_stream().to_string()));
    let with_sizes: Vec<String> = args.iter().map(text).chain(sizes).collect_vec();
    let call = if apart.len() == own.len() {
        apart
    } else if with_sizes.len() == own.len() {
        with_sizes
    } else {
        args.iter().map(text).chain(own.iter().skip(args.len()).cloned()).take(own.len()).collect_vec()
    };
    let takes = if own.is_empty() { String::new() } else { format!(", `{}`", own.join("`, `")) };
    let (count, given) = (counted(own.len()), given(args.len()));
    // The types that the arguments do not determine.
    let params = export.argument_types();
    let found: Vec<Scalar> = params.iter().flat_map(Type::leaf_scalars).collect_vec();
    let determined = |k: usize| found.iter().any(|s| matches!(s, Scalar::Open(_, own) if *own as usize == k));
    let types: Vec<String> = match (0..export.types.len()).all(determined) {
        true => vec![],
        false => (0..export.types.len())
            .map(|k| types.get(k).copied().flatten().unwrap_or(Scalar::F64).name().to_string())
            .collect_vec(),
    };
    let types = if types.is_empty() { String::new() } else { format!("::<{}>", types.join(", ")) };
    format!("`{name}` takes {count}{takes}, but {given}\nwrite `{name}{types}({})`", call.join(", "))
}

/// The message for a turbofish with the wrong number of types or sizes.
fn wrong_turbofish(kernel: String, wanted: usize, kind: &str, found: usize) -> String {
    format!(
        "`{kernel}` is generic over {}, but {}\nwrite as many between `::<` and `>`, or leave them out",
        plural(wanted, kind),
        given(found)
    )
}
