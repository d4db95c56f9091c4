//! The types of literals and constants, as Rust infers them: `let half = 0.5;` has the type that its uses require.
//! Unification over the whole body finds it.
//!
//! Types that do not unify are left alone: the rules of Fig. 2 report them.

mod calls;
mod constants;
mod statements;
mod unify;

use crate::elaborate::context::scope::Bindings;
use crate::link::Export;
use crate::mapped::{Mapped, PushAll};
use crate::prim::{Prim, Spelling};
use crate::sorted::{Map, Set};
use crate::surface::probes::{Assert, Claim};
use crate::surface::turbofish::Turbofish;
use crate::surface::{self, Closure, Expr, ExprKind, Function, NodeId, Pattern, Stmt, TypeExpr, TypeKind, TypeParams};
use crate::ty::{Scalar, Type};
use crate::value::Lit;
use constants::Constants;
pub(crate) use constants::Part;
use statements::never;
use std::rc::Rc;
use unify::{Ty, Unifier, VarKind};

const USIZE: Ty = Ty::Scalar(Scalar::Usize);
const BOOL: Ty = Ty::Scalar(Scalar::Bool);

type Env = Bindings<Ty>;

/// For each use of a constant that is an array or a tuple, the parts that are taken of it.
pub(crate) type Tables = Map<NodeId, Rc<Part>>;

/// The types of literals and constants, as their uses determine them.
pub(crate) struct Found {
    /// The types of literals and of constants that are numbers.
    pub(crate) literals: Map<NodeId, Scalar>,
    /// The constants that are arrays or tuples.
    pub(crate) tables: Tables,
    /// The types of the values that leave loops, by the numbers of the loops.
    pub(crate) leaving: Map<NodeId, Type>,
    /// The integers that are used as floats, and whether a variable or a state begins with them.
    pub(crate) mixed: Map<NodeId, bool>,
}

struct Literals<'a> {
    open: Unifier,
    /// The open types of literals and constants.
    literals: Vec<(NodeId, Ty)>,
    constants: Constants,
    /// The types of negated operands.
    negated: Vec<Ty>,
    /// The kernel's type parameters.
    type_params: TypeParams,
    linked: &'a [(syn::Path, Export)],
    /// The loops and blocks around a term that a `break` may leave: label, whether it is a loop, type of the value.
    around: Vec<(Option<String>, bool, Ty)>,
    /// The results of the functions around it.
    results: Vec<Ty>,
    /// The types of the values that leave loops and closures.
    leaving: Vec<(NodeId, Ty)>,
    /// The integers that variables and states begin with.
    first: Set<NodeId>,
    /// Integer literals that are assigned to a variable other than a float, or returned where an integer is expected.
    counts: Set<NodeId>,
    /// The types of indices, of ends of ranges, and of operands that have to be integers.
    whole: Vec<Ty>,
    /// The integers that are taken for floats.
    floats: &'a Map<NodeId, bool>,
}

/// The types of the literals and constants of a kernel, as far as their uses determine them, where some integers are floats.
pub(crate) fn types(f: &Function, linked: &[(syn::Path, Export)], floats: &Map<NodeId, bool>) -> Found {
    let mut u = Literals {
        open: Unifier::default(),
        literals: Vec::new(),
        constants: Constants::default(),
        negated: Vec::new(),
        type_params: f.type_params(),
        linked,
        around: Vec::new(),
        results: Vec::new(),
        leaving: Vec::new(),
        first: Set::new(),
        counts: Set::new(),
        whole: Vec::new(),
        floats,
    };
    let sizes = f.params.iter().flat_map(|p| surface::size_names(&p.ty));
    let sizes: Vec<_> = f.const_generics().into_iter().cloned().chain(sizes).collect_vec();
    let env = sizes.iter().fold(Env::default(), |env, i| env.with(i, USIZE));
    let env = f.params.iter().fold(env, |env, p| {
        let ty = u.written(&p.ty);
        u.bind(&p.pattern, &ty, env)
    });
    let result = u.written(&f.result);
    u.results.push(result.clone());
    if u.open.is_whole(&result) {
        u.count(&f.body);
    }
    let body = u.expr(&f.body, &env);
    u.open.unify(&body, &result);
    let counts = u.literals.iter().filter(|(id, _)| u.counts.contains(id)).map(|(_, t)| t.clone());
    u.whole.push_all(counts);
    let mixed = u.literals.iter().filter(|(_, t)| u.open.is_mixed(t, &u.whole));
    let mixed = mixed.map(|(id, _)| (*id, u.first.contains(id))).collect();
    // A negative integer that nothing else constrains is an `i32`.
    for t in std::mem::take(&mut u.negated) {
        u.open.unify_int(&t, Scalar::I32);
    }
    let found = u.literals.iter().filter_map(|(id, t)| match u.open.resolved(t) {
        Ty::Scalar(s) => Some((*id, s)),
        _ => None,
    });
    let leaving = u.leaving.iter().filter_map(|(id, t)| Some((*id, u.open.known(t)?)));
    let tables = u.literals.iter().filter_map(|(id, t)| Some((*id, Rc::new(u.table(*id, t)?))));
    Found { literals: found.collect(), tables: tables.collect(), leaving: leaving.collect(), mixed }
}

impl Literals<'_> {
    /// A literal or a constant.
    fn number(&mut self, e: &Expr, kind: VarKind) -> Ty {
        let open = self.open.fresh(kind);
        self.literals.push((e.id, open.clone()));
        open
    }

    /// Notes the literals of the value that a variable or a state begins with.
    fn begin(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Lit(Lit::Int(..), false) => drop(self.first.insert(e.id)),
            ExprKind::Unary("neg", a) | ExprKind::Same(a) | ExprKind::Repeat(a, _) => self.begin(a),
            ExprKind::Tuple(es) | ExprKind::Array(es) => es.iter().for_each(|e| self.begin(e)),
            _ => {}
        }
    }

    /// Notes the integers that are values of a term.
    fn count(&mut self, e: &Expr) {
        match &e.kind {
            ExprKind::Lit(Lit::Int(..), false) => drop(self.counts.insert(e.id)),
            ExprKind::Unary("neg", e) | ExprKind::Same(e) | ExprKind::Block(_, e) => self.count(e),
            ExprKind::If(_, a, b) => [a, b].into_iter().for_each(|e| self.count(e)),
            ExprKind::Match(_, arms) => arms.iter().for_each(|a| self.count(&a.body)),
            ExprKind::Closure(c) => self.count(&c.body),
            ExprKind::Call(_, args) => {
                args.iter().filter(|e| matches!(e.kind, ExprKind::Closure(_))).for_each(|e| self.count(e));
            }
            _ => {}
        }
    }

    /// Notes the types of operands that only integers can be.
    fn operands(&mut self, p: Prim, operands: &[&Ty]) {
        let floats = operands.iter().enumerate();
        let floats = floats.mapped(|(k, _)| if k == 0 { Scalar::F64 } else { p.second(Scalar::F64) });
        let float = operands.iter().any(|t| self.open.is_float(t));
        if p == Prim::Rem && !float || p.result(&floats).is_err() {
            self.whole.push_all(operands.iter().map(|t| (*t).clone()));
        }
    }

    fn written(&mut self, t: &TypeExpr) -> Ty {
        match &t.kind {
            TypeKind::Scalar(s) => Ty::Scalar(*s),
            TypeKind::Array(elem, _) => Ty::Array(Box::new(self.written(elem))),
            TypeKind::Tuple(ts) => Ty::Tuple(ts.iter().map(|t| self.written(t)).collect()),
            TypeKind::Fn(ts, r) => {
                let ts = ts.iter().mapped(|t| self.written(t));
                Ty::Fn(ts, Box::new(self.written(r)))
            }
        }
    }

    /// A callee's type, with its type parameters replaced.
    fn known(t: &Type, types: &[Ty]) -> Ty {
        let scalar = |s: Scalar| match s {
            Scalar::Open(_, k) => types.get(k as usize).cloned().unwrap_or(Ty::Scalar(s)),
            s => Ty::Scalar(s),
        };
        match t {
            Type::Scalar(s) => scalar(*s),
            Type::Array(s, rank) => (0..*rank).fold(scalar(*s), |t, _| Ty::Array(Box::new(t))),
            Type::Tuple(ts) => Ty::Tuple(ts.iter().map(|t| Self::known(t, types)).collect()),
            Type::Records(ts, rank) => {
                let element = Self::known(&Type::Tuple(ts.clone()), types);
                (0..*rank).fold(element, |t, _| Ty::Array(Box::new(t)))
            }
            Type::Fn(ts, r) => Ty::Fn(ts.iter().mapped(|t| Self::known(t, types)), Box::new(Self::known(r, types))),
        }
    }

    fn bind(&mut self, p: &Pattern, ty: &Ty, env: Env) -> Env {
        match p {
            Pattern::Name(name, written, ..) => {
                let written = written.as_ref().map(|t| self.written(t));
                written.iter().for_each(|t| self.open.unify(ty, t));
                name.as_ref().map_or(env.clone(), |i| env.with(i, written.unwrap_or(ty.clone())))
            }
            Pattern::Rest(_) => env,
            Pattern::Tuple(ps, _) => {
                let known = self.open.parts(ty);
                // The parts before `..` are known by their numbers.
                if let (None, [ps @ .., Pattern::Rest(_)]) = (known, &ps[..]) {
                    return ps.iter().enumerate().fold(env, |env, (k, p)| {
                        let t = self.open.field(ty, k).unwrap_or_else(|| self.open.fresh(VarKind::Any));
                        self.bind(p, &t, env)
                    });
                }
                let Some(ps) = Pattern::of_parts(ps, known.unwrap_or(ps.len())) else { return env };
                let parts: Vec<Ty> = ps.iter().mapped(|_| self.open.fresh(VarKind::Any));
                self.open.unify(ty, &Ty::Tuple(parts.clone().into()));
                ps.iter().zip(&parts).fold(env, |env, (p, t)| self.bind(p, t, env))
            }
        }
    }

    fn closure(&mut self, id: NodeId, c: &Closure, params: &[Ty], env: &Env) -> Ty {
        let inner = c.params.iter().zip(params).fold(env.clone(), |env, (p, t)| self.bind(p, t, env));
        let (around, result) = (std::mem::take(&mut self.around), self.open.fresh(VarKind::Any));
        self.results.push(result.clone());
        self.leaving.push((id, result.clone()));
        let body = self.expr(&c.body, &inner);
        self.results.pop();
        self.around = around;
        self.open.unify(&result, &body);
        body
    }

    /// The result type of a function applied to arguments of these types.
    fn applied(&mut self, f: &Expr, params: &[Ty], env: &Env) -> Ty {
        match &f.kind {
            ExprKind::Same(f) => self.applied(f, params, env),
            ExprKind::Closure(c) => self.closure(f.id, c, params, env),
            ExprKind::Path(path) => {
                let Some((wanted, result)) = self.function(path, env) else { return self.open.fresh(VarKind::Any) };
                wanted.iter().zip(params).for_each(|(w, p)| self.open.unify(w, p));
                result
            }
            _ => self.expr(f, env),
        }
    }

    /// The parameters and the result of a closure or kernel.
    fn function(&mut self, path: &syn::Path, env: &Env) -> Option<(Vec<Ty>, Ty)> {
        if let Some(bound) = path.get_ident().and_then(|i| env.find(i)) {
            return match self.open.resolved(&bound) {
                Ty::Fn(params, result) => Some((params, *result)),
                _ => None,
            };
        }
        let key = surface::path_key(path);
        let (_, export) = self.linked.iter().find(|(p, _)| surface::path_key(p) == key)?;
        let mut given = Turbofish::of(path, &export.are_types, &self.type_params).types.into_iter();
        let types: Vec<Ty> = (0..export.types.len())
            .mapped(|_| given.next().flatten().map_or_else(|| self.open.fresh(VarKind::Any), Ty::Scalar));
        let params = export.argument_types().iter().mapped(|t| Self::known(t, &types));
        Some((params, Self::known(&export.result_type()?, &types)))
    }

    fn argument(&mut self, wanted: &Ty, a: &Expr, env: &Env) {
        let found = match wanted {
            Ty::Fn(params, result) => {
                let found = self.applied(a, params, env);
                return self.open.unify(&found, result);
            }
            _ => self.expr(a, env),
        };
        if matches!(wanted, Ty::Scalar(s) if s.is_int()) {
            self.whole.push(found.clone());
        }
        self.open.unify(&found, wanted);
    }

    /// The sides of a comparison have one type.
    fn assertion(&mut self, a: &Assert, env: &Env) -> Ty {
        match &a.claim {
            Claim::Never(_) => {}
            Claim::Holds(c, _) => self.argument(&BOOL, c, env),
            Claim::Equal(a, b) | Claim::Differ(a, b) => {
                let (a, b) = (self.expr(a, env), self.expr(b, env));
                self.open.unify(&a, &b);
            }
        }
        a.message.iter().flat_map(|m| &m.args).for_each(|(_, e)| drop(self.expr(e, env)));
        if a.claim.is_never() { self.open.fresh(VarKind::Any) } else { Ty::Tuple([].into()) }
    }

    fn all(&mut self, es: &[Expr], env: &Env) {
        es.iter().for_each(|e| drop(self.expr(e, env)));
    }

    fn expr(&mut self, e: &Expr, env: &Env) -> Ty {
        let ty = self.form(e, env);
        if let Ty::Open(_) = ty {
            self.constants.undecided.push((e.id, ty.clone()));
        }
        ty
    }

    fn form(&mut self, e: &Expr, env: &Env) -> Ty {
        match &e.kind {
            ExprKind::Lit(Lit::Int(..), false) => {
                self.number(e, if self.floats.contains_key(&e.id) { VarKind::Float } else { VarKind::Int })
            }
            ExprKind::Lit(l, _) => Ty::Scalar(l.scalar()),
            ExprKind::Decimal(_) => self.number(e, VarKind::Float),
            ExprKind::Path(path) => match path.get_ident().and_then(|i| env.find(i)) {
                Some(t) => t,
                None => match surface::consts::std_constant(path).map(|l| l.scalar()) {
                    // It has the type of a type parameter where one is wanted.
                    Some(Scalar::F64) => self.open.fresh(VarKind::Any),
                    Some(s) => Ty::Scalar(s),
                    None => self.constant(e, path),
                },
            },
            ExprKind::Binary(op, left, right) => {
                let (a, b) = (self.expr(left, env), self.expr(right, env));
                let Some(p) = Prim::find(Spelling::Infix, op) else { return a };
                self.operands(p, &[&a, &b]);
                if !matches!(p, Prim::Shl | Prim::Shr) {
                    self.open.unify(&a, &b);
                }
                p.always().map_or_else(|| self.open.either(a, b), Ty::Scalar)
            }
            ExprKind::Unary(op, a) => {
                let a = self.expr(a, env);
                if Prim::find(Spelling::Prefix, op) == Some(Prim::Neg) {
                    self.negated.push(a.clone());
                }
                a
            }
            ExprKind::Same(a) | ExprKind::OfLength(a, _) => self.expr(a, env),
            ExprKind::Call(f, args) => self.call(f, args, env),
            ExprKind::Method(a, name, args) => {
                let a = self.expr(a, env);
                self.method(a, &name.to_string(), args, env)
            }
            ExprKind::Index(a, i) => {
                let (a, i) = (self.expr(a, env), self.expr(i, env));
                self.whole.push(i.clone());
                self.open.unify(&i, &USIZE);
                let element = self.open.fresh(VarKind::Any);
                self.open.unify(&a, &Ty::Array(Box::new(element.clone())));
                element
            }
            ExprKind::Slice(a, start, end) => {
                let a = self.expr(a, env);
                [start, end].into_iter().flatten().for_each(|i| self.argument(&USIZE, i, env));
                let element = self.open.fresh(VarKind::Any);
                self.open.unify(&a, &Ty::Array(Box::new(element)));
                a
            }
            ExprKind::Array(es) => {
                let element = self.open.fresh(VarKind::Any);
                es.iter().for_each(|e| self.argument(&element, e, env));
                Ty::Array(Box::new(element))
            }
            ExprKind::Repeat(x, n) => {
                self.argument(&USIZE, n, env);
                Ty::Array(Box::new(self.expr(x, env)))
            }
            ExprKind::Tuple(es) => {
                let parts = es.iter().mapped(|e| self.expr(e, env));
                self.open.tuple(parts)
            }
            ExprKind::Field(a, k) => {
                let a = self.expr(a, env);
                self.open.field(&a, *k).unwrap_or_else(|| self.open.fresh(VarKind::Any))
            }
            ExprKind::Cast(a, to) => {
                let from = self.expr(a, env);
                self.cast(a, from, *to);
                Ty::Scalar(*to)
            }
            ExprKind::If(c, a, b) => {
                self.argument(&BOOL, c, env);
                let (ta, tb) = (self.expr(a, env), self.expr(b, env));
                self.open.unify(&ta, &tb);
                if never(a) { tb } else { self.open.either(ta, tb) }
            }
            ExprKind::Block(stmts, last) => {
                let mut env = env.clone();
                for s in stmts {
                    match s {
                        Stmt::Let(p, value) => {
                            if !matches!(p, Pattern::Name(_, Some(_), ..)) {
                                self.begin(value);
                            }
                            let t = self.expr(value, &env);
                            env = self.bind(p, &t, env);
                        }
                        Stmt::Declare(p) => {
                            let t = self.open.fresh(VarKind::Any);
                            env = self.bind(p, &t, env);
                        }
                        Stmt::Do(e) => drop(self.expr(e, &env)),
                    }
                }
                let value = self.expr(last, &env);
                if never(e) { self.open.fresh(VarKind::Any) } else { value }
            }
            ExprKind::Dbg(d) => match &d.value {
                Some(value) => self.expr(value, env),
                None => Ty::Tuple([].into()),
            },
            ExprKind::Assert(a) => self.assertion(a, env),
            ExprKind::Closure(c) => {
                let params: Vec<Ty> = c.params.iter().mapped(|_| self.open.fresh(VarKind::Any));
                let result = self.closure(e.id, c, &params, env);
                Ty::Fn(params, Box::new(result))
            }
            _ => self.statement(e, env),
        }
    }
}
