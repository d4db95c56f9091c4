//! Reductions by a function that has a name.
//!
//! ```text
//! reduce n (λi. e) (λa b. a + b) 0       ⟶   sum n (λi. e)
//! reduce n (λi. e) (λa b. a + b) x       ⟶   x + sum n (λi. e)             products likewise
//! reduce n (λi. e) (λa b. max a b) x     ⟶   max x (maximum n (λi. e))     minima likewise; x a number that is written
//! ```
//!
//! also of tuples, if all components are combined in this way. A `reduce` assumes only that its function is associative.
//! These functions are also commutative, so that vectors can hold neighbours. The rule looks at the kernel's own text, with
//! its local closures, before any callee is inlined. An extreme with an initial value that may be NaN stays a `reduce`:
//! of NaN alone it is NaN, where the named reduction is infinite.

use crate::fsmooth::{Combine, Combiner, Expr, Kind, Monoid, Order, Reduce, build, take};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::Prim;
use crate::sorted::Map;
use crate::ty::{Scalar, Type};
use crate::value::Lit;

/// The maximum number of nodes of a function that the rule examines.
const NODES: usize = 100;

/// Gives the reductions of a kernel their names.
pub(crate) fn settle(body: &mut Expr) {
    walk(body, &mut Map::default());
}

fn walk(e: &mut Expr, names: &mut Map<VarId, Expr>) {
    if let Kind::Let(x, a, _) = &e.kind
        && (matches!(a.kind(), Kind::Lam(..)) || literal(a).is_some())
    {
        names.insert(*x, (**a).clone());
    }
    e.each_child_mut(&mut |c| walk(c, names));
    if let Kind::Reduce(r) = &mut e.kind
        && let Some(named) = named(r, names)
    {
        *e = named;
    }
}

/// The reduction by its name.
fn named(r: &mut Reduce, names: &Map<VarId, Expr>) -> Option<Expr> {
    let Reduce { count, index, body, with: Combine::Function(f), order: Order::Lanes } = r else { return None };
    let Combiner { init, left, right, body: combined } = &mut **f;
    let open = |e: &Expr| Open { names, left: NODES }.term(e, &Map::default());
    let ty = init.ty().clone();
    let elem = one_type(&ty)?;
    let both = open(combined)?;
    let with = match (&ty, both.kind()) {
        (Type::Tuple(ts), Kind::Tuple(parts)) if parts.len() == ts.len() => {
            let found = parts.iter().enumerate().map(|(k, part)| operation(part, *left, *right, Some(k)));
            let found: Vec<Monoid> = found.all_some()?;
            *found.first().filter(|first| found.iter().all(|m| m == *first))?
        }
        _ => operation(&both, *left, *right, None)?,
    };
    let starts = match (&ty, open(init)) {
        (Type::Tuple(_), Some(e)) if matches!(e.kind(), Kind::Tuple(_)) => e.children().map(literal).all_some(),
        (_, Some(e)) => literal(&e).map(|l| vec![l]),
        _ => None,
    };
    let neutral = |l: &Lit| *l == with.empty(elem) || *l == with.start(elem);
    let plain = starts.as_ref().is_some_and(|ls| ls.iter().all(neutral));
    let number = starts.is_some_and(|ls| ls.iter().all(|l| !l.as_f64().is_nan()));
    if !plain && !number && matches!(with, Monoid::Min | Monoid::Max) {
        return None;
    }
    let (o, left, right) = (combined.origin(), *left, *right);
    let terms = build::reduce(Combine::Named(with), Order::Lanes, (take(count), *index), take(body), o);
    if plain {
        return Some(terms);
    }
    let (init, combined) = (take(init), take(combined));
    Some(build::bind(left, init, build::bind(right, terms, combined, o), o))
}

/// The type of the numbers in a value, if all have the same.
fn one_type(ty: &Type) -> Option<Scalar> {
    let parts = match ty {
        Type::Tuple(ts) => ts.as_slice(),
        t => std::slice::from_ref(t),
    };
    let elem = parts.first()?.scalar().filter(|s| s.has_float_literals())?;
    parts.iter().all(|t| t.scalar() == Some(elem)).then_some(elem)
}

/// The operation by which two values are combined, or those at one place of two tuples.
fn operation(e: &Expr, left: VarId, right: VarId, place: Option<usize>) -> Option<Monoid> {
    let is = |e: &Expr, v: VarId| match (e.kind(), place) {
        (Kind::Proj(t, k), Some(place)) => *k == place && *t.kind() == Kind::Var(v),
        (kind, None) => *kind == Kind::Var(v),
        _ => false,
    };
    let are = |a: &Expr, b: &Expr| is(a, left) && is(b, right) || is(a, right) && is(b, left);
    match e.kind() {
        Kind::Prim(p, args) => {
            let [a, b] = args.as_slice() else { return None };
            let with = match p {
                Prim::Add => Monoid::Sum,
                Prim::Mul => Monoid::Prod,
                Prim::Min => Monoid::Min,
                Prim::Max => Monoid::Max,
                _ => return None,
            };
            are(a, b).then_some(with)
        }
        // The next value, if it is better: so NaN is ignored, as in the named reductions.
        Kind::If(c, a, b) if is(a, right) && is(b, left) => {
            let Kind::Prim(p, args) = c.kind() else { return None };
            let [x, y] = args.as_slice() else { return None };
            let next_first = is(x, right) && is(y, left);
            let next_last = is(x, left) && is(y, right);
            match p {
                Prim::Gt | Prim::Ge if next_first => Some(Monoid::Max),
                Prim::Lt | Prim::Le if next_last => Some(Monoid::Max),
                Prim::Lt | Prim::Le if next_first => Some(Monoid::Min),
                Prim::Gt | Prim::Ge if next_last => Some(Monoid::Min),
                _ => None,
            }
        }
        _ => None,
    }
}

/// The value of a term of literals.
fn literal(e: &Expr) -> Option<Lit> {
    match e.kind() {
        Kind::Lit(l) => Some(*l),
        Kind::Prim(p, args) => {
            let args: Vec<Lit> = args.iter().map(literal).all_some()?;
            p.eval(&args).ok()
        }
        _ => None,
    }
}

/// Terms without `let`s and closures.
struct Open<'a> {
    /// The `let`s that name closures and numbers.
    names: &'a Map<VarId, Expr>,
    /// The number of nodes that may still be examined.
    left: usize,
}

impl Open<'_> {
    fn term(&mut self, e: &Expr, env: &Map<VarId, Expr>) -> Option<Expr> {
        self.left = self.left.checked_sub(1)?;
        let o = e.origin();
        Some(match e.kind() {
            Kind::Var(x) => env.get(x).or_else(|| self.names.get(x)).unwrap_or(e).clone(),
            Kind::Lit(_) | Kind::Lam(..) => e.clone(),
            Kind::Let(x, a, b) => {
                let mut inner = env.clone();
                inner.insert(*x, self.term(a, env)?);
                self.term(b, &inner)?
            }
            Kind::App(f, args) => {
                let f = self.term(f, env)?;
                let Kind::Lam(params, body) = f.kind() else { return None };
                let mut inner = env.clone();
                for ((x, _), a) in params.iter().zip(args) {
                    inner.insert(*x, self.term(a, env)?);
                }
                self.term(body, &inner)?
            }
            Kind::Proj(a, k) => {
                let a = self.term(a, env)?;
                match a.kind() {
                    Kind::Tuple(parts) => parts.get(*k)?.clone(),
                    _ => build::proj(a, *k, o),
                }
            }
            Kind::Tuple(parts) => build::tuple(self.terms(parts, env)?, o),
            Kind::Prim(p, args) => build::prim(*p, self.terms(args, env)?, o),
            Kind::If(c, a, b) => build::branch(self.term(c, env)?, self.term(a, env)?, self.term(b, env)?, o),
            _ => return None,
        })
    }

    fn terms(&mut self, es: &[Expr], env: &Map<VarId, Expr>) -> Option<Vec<Expr>> {
        es.iter().map(|e| self.term(e, env)).all_some()
    }
}
