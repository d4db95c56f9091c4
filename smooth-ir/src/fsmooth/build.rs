//! The constructors of F̃: they type a node, and nothing else.
//!
//! They trust their callers: `elaborate` reports a mismatch before it builds. An ill-typed node is a bug of the
//! compiler, and panics with the node.

use super::print::nameless;
use super::{Build, Combine, Combiner, Demand, Expr, IFold, Kind, Order, Reduce, Required, Update};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::Prim;
use crate::span::Origin;
use crate::ty::{Scalar, Type};
use crate::value::Lit;

fn node(kind: Kind, ty: Type, origin: Origin) -> Expr {
    Expr { kind, ty, origin }
}

/// Panics because the constructor `what` cannot type these terms.
fn ill_typed<'e>(what: &str, terms: impl IntoIterator<Item = &'e Expr>) -> ! {
    let terms: Vec<String> = terms.into_iter().mapped(|e| format!("`{}` of type {}", nameless(e), e.ty));
    panic!("ill-typed: {what} of {}", terms.join(", "))
}

impl Expr {
    /// The scalar type of a term that has one.
    pub fn scalar(&self) -> Scalar {
        self.ty.scalar().unwrap_or_else(|| ill_typed("the scalar type", [self]))
    }
}

/// `x`.
pub fn var(v: VarId, ty: Type, origin: Origin) -> Expr {
    node(Kind::Var(v), ty, origin)
}

/// A constant.
pub fn lit(l: Lit, origin: Origin) -> Expr {
    node(Kind::Lit(l), Type::Scalar(l.scalar()), origin)
}

/// A `usize` constant.
pub fn index(n: u64, origin: Origin) -> Expr {
    lit(Lit::usize(n), origin)
}

/// The `k`th constant of the user's.
pub fn constant(k: usize, ty: Scalar, origin: Origin) -> Expr {
    node(Kind::Const(k), Type::Scalar(ty), origin)
}

/// `op ē`.
pub fn prim(op: Prim, args: Vec<Expr>, origin: Origin) -> Expr {
    let scalars: Vec<Scalar> = args.iter().mapped(Expr::scalar);
    let ty = op.result(&scalars).unwrap_or_else(|_| ill_typed(op.name(), &args));
    node(Kind::Prim(op, args), Type::Scalar(ty), origin)
}

/// `let x = e in body`.
pub fn bind(x: VarId, e: Expr, body: Expr, origin: Origin) -> Expr {
    let ty = body.ty.clone();
    node(Kind::Let(x, Box::new(e), Box::new(body)), ty, origin)
}

/// `if c then a else b`.
pub fn branch(c: Expr, a: Expr, b: Expr, origin: Origin) -> Expr {
    let ty = a.ty.clone();
    node(Kind::If(Box::new(c), Box::new(a), Box::new(b)), ty, origin)
}

/// `λx̄. e`.
pub fn lam(params: Vec<(VarId, Type)>, body: Expr, origin: Origin) -> Expr {
    let ty = Type::Fn(params.iter().mapped(|(_, t)| t.clone()), Box::new(body.ty.clone()));
    node(Kind::Lam(params, Box::new(body)), ty, origin)
}

/// `f ē`.
pub fn app(f: Expr, args: Vec<Expr>, origin: Origin) -> Expr {
    let ty = match &f.ty {
        Type::Fn(_, r) => (**r).clone(),
        _ => ill_typed("a call", [&f]),
    };
    node(Kind::App(Box::new(f), args), ty, origin)
}

/// `build n (λi. e)`.
pub fn build(n: Expr, i: VarId, e: Expr, origin: Origin) -> Expr {
    let ty = Type::array_of(&e.ty).unwrap_or_else(|| ill_typed("an array", [&e]));
    node(Kind::Build(Build { count: Box::new(n), index: i, body: Box::new(e) }), ty, origin)
}

/// `ifold (λs i. e) e₀ n`.
pub fn ifold(count: Expr, init: Expr, (state, index): (VarId, VarId), body: Expr, origin: Origin) -> Expr {
    let ty = init.ty.clone();
    node(
        Kind::IFold(IFold {
            count: Box::new(count),
            init: Box::new(init),
            state,
            index,
            test: None,
            body: Box::new(body),
        }),
        ty,
        origin,
    )
}

/// The fold, which ends before the first iteration for which `test` does not hold.
pub fn while_holds(mut fold: Expr, test: Expr) -> Expr {
    match &mut fold.kind {
        Kind::IFold(f) => f.test = Some(Box::new(test)),
        _ => ill_typed("a test", [&fold]),
    }
    fold
}

/// `a with [ī] = v`, `a with [ī] ⊕= v`.
pub fn update(a: Expr, indices: Vec<Expr>, op: Option<Prim>, value: Expr, origin: Origin) -> Expr {
    let ty = a.ty.clone();
    node(Kind::Update(Update { array: Box::new(a), indices, op, value: Box::new(value) }), ty, origin)
}

/// `sum n (λi. e)`, `reduce n (λi. e) (λa b. e) e₀`.
pub fn reduce(with: Combine, order: Order, (count, index): (Expr, VarId), body: Expr, origin: Origin) -> Expr {
    let ty = body.ty.clone();
    node(Kind::Reduce(Reduce { count: Box::new(count), index, body: Box::new(body), with, order }), ty, origin)
}

/// `reduce n (λi. e) (λa b. e') e₀` in source order: `ifold (λa i. let b = e in e') e₀ n`.
pub fn reduce_in_order(with: Combiner, count: Expr, index: VarId, body: Expr, origin: Origin) -> Expr {
    let step = bind(with.right, body, with.body, origin);
    ifold(count, with.init, (with.left, index), step, origin)
}

/// `(λa b. e) e₀`.
pub fn combiner(init: Expr, left: VarId, right: VarId, body: Expr) -> Combine {
    Combine::Function(Box::new(Combiner { init, left, right, body }))
}

/// `a[i]`.
pub fn get(a: Expr, i: Expr, origin: Origin) -> Expr {
    let ty = a.ty.element().unwrap_or_else(|| ill_typed("an element", [&a]));
    node(Kind::Get(Box::new(a), Box::new(i)), ty, origin)
}

/// `length a` along `axis`.
pub fn len(a: Expr, axis: usize, origin: Origin) -> Expr {
    node(Kind::Len(Box::new(a), axis), Type::USIZE, origin)
}

/// `slice a s e`.
pub fn slice(a: Expr, s: Expr, e: Expr, origin: Origin) -> Expr {
    let ty = a.ty.clone();
    node(Kind::Slice(Box::new(a), Box::new(s), Box::new(e)), ty, origin)
}

/// `demand start ≤ end ≤ len in then`.
pub fn demand([start, end, len]: [Expr; 3], then: Expr, origin: Origin) -> Expr {
    require(Required::InOrder(Box::new([start, end, len])), then, origin)
}

/// `assert condition else failure in then`.
pub fn assert(condition: Expr, failure: Expr, then: Expr, origin: Origin) -> Expr {
    require(Required::Holds(Box::new([condition, failure])), then, origin)
}

/// `evaluate value in then`.
pub fn evaluate(value: Expr, then: Expr, origin: Origin) -> Expr {
    require(Required::Evaluated(Box::new(value)), then, origin)
}

/// `then`, evaluated after a check.
pub fn require(what: Required, then: Expr, origin: Origin) -> Expr {
    let ty = then.ty.clone();
    node(Kind::Demand(Demand { what, then: Box::new(then) }), ty, origin)
}

/// `[ē]`.
pub fn array(es: Vec<Expr>, origin: Origin) -> Expr {
    let ty = Type::array_of(&es[0].ty).unwrap_or_else(|| ill_typed("an array", [&es[0]]));
    node(Kind::Array(es), ty, origin)
}

/// `(ē)`.
pub fn tuple(es: Vec<Expr>, origin: Origin) -> Expr {
    let ty = Type::Tuple(es.iter().mapped(|e| e.ty.clone()));
    node(Kind::Tuple(es), ty, origin)
}

/// `e.k`.
pub fn proj(e: Expr, k: usize, origin: Origin) -> Expr {
    let ty = match &e.ty {
        Type::Tuple(ts) if k < ts.len() => ts[k].clone(),
        _ => ill_typed("a projection", [&e]),
    };
    node(Kind::Proj(Box::new(e), k), ty, origin)
}

/// A mark on a value.
pub fn marked(mark: usize, value: Expr, rest: Vec<Expr>, origin: Origin) -> Expr {
    let ty = value.ty.clone();
    call(mark, std::iter::once(value).chain(rest).collect(), ty, origin)
}

/// `call k ē`.
pub fn call(k: usize, args: Vec<Expr>, result: Type, origin: Origin) -> Expr {
    node(Kind::Call(k, args), result, origin)
}
