//! F̃ over dual numbers modulo the prime 2⁶¹ - 1: every law of the rational numbers holds without rounding, and a term has a
//! derivative as it has over the rationals. Floats are numbers of the field, compared by their smallest representatives; functions
//! that it does not have (roots, logarithms) are any function of their arguments, with the derivative of the table.

use smooth_core::derive::partials::{Partial, Singular, partials};
use smooth_core::fsmooth::eval::World;
use smooth_core::fsmooth::{
    Build, Callee, Combine, Demand, Expr, IFold, Kernel, Kind, Monoid, Order, Reduce, Required, Update, build,
};
use smooth_core::name::VarId;
use smooth_core::prim::Prim;
use smooth_core::reduction::{Ask, combine_in};
use smooth_core::shape::{Dim, ParamKind, values};
use smooth_core::span::Origin;
use smooth_core::ty::{Scalar, Type};
use smooth_core::value::{Lit, Value};
use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash, Hasher};

const P: u64 = (1 << 61) - 1;

/// A number of the field.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct F(pub u64);

impl F {
    pub fn of(x: i128) -> F {
        F(x.rem_euclid(P.into()) as u64)
    }

    /// A float, which is an integer times a power of two. The infinities are the smallest and the largest number.
    pub fn float(x: f64) -> F {
        if x.is_infinite() || x.is_nan() {
            return if x > 0.0 { F(P - 1) } else { F(0) };
        }
        let bits = x.to_bits();
        let (exponent, fraction) = ((bits >> 52 & 0x7ff) as i32, i128::from(bits & ((1 << 52) - 1)));
        let (m, e) = if exponent == 0 { (fraction, -1074) } else { (fraction | 1 << 52, exponent - 1075) };
        let two = if e < 0 { F(2).inverse() } else { F(2) };
        let scale = two.power(u64::from(e.unsigned_abs()));
        F::of(if x < 0.0 { -m } else { m }) * scale
    }

    fn power(self, mut n: u64) -> F {
        let (mut base, mut out) = (self, F(1));
        while n > 0 {
            if n & 1 == 1 {
                out = out * base;
            }
            base = base * base;
            n >>= 1;
        }
        out
    }

    /// 1 over it; that of 0 is 0.
    pub fn inverse(self) -> F {
        self.power(P - 2)
    }
}

impl std::ops::Add for F {
    type Output = F;
    fn add(self, b: F) -> F {
        F::of(i128::from(self.0) + i128::from(b.0))
    }
}

impl std::ops::Sub for F {
    type Output = F;
    fn sub(self, b: F) -> F {
        F::of(i128::from(self.0) - i128::from(b.0))
    }
}

impl std::ops::Mul for F {
    type Output = F;
    fn mul(self, b: F) -> F {
        F::of(i128::from(self.0) * i128::from(b.0))
    }
}

/// A scalar: a number with its change, or something else.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum S {
    F(F, F),
    Lit(Lit),
}

#[derive(Clone, PartialEq, Debug)]
pub enum V {
    S(S),
    A(Vec<usize>, Vec<S>),
    T(Vec<V>),
}

/// The error of a term that this arithmetic does not have.
pub const OUTSIDE: &str = "outside";

impl V {
    /// A value, whose floats do not change.
    pub fn of(v: &Value) -> V {
        match v {
            Value::Scalar(l) => V::S(scalar(*l)),
            Value::Array(a) => V::A(a.dims.clone(), a.data.iter().map(|l| scalar(*l)).collect()),
            Value::Tuple(vs) => V::T(vs.iter().map(V::of).collect()),
        }
    }

    /// With the changes that another value of its shape has as its numbers.
    pub fn along(self, by: &V) -> V {
        let one = |(x, by): (S, &S)| match (x, by) {
            (S::F(x, _), S::F(by, _)) => S::F(x, *by),
            (x, _) => x,
        };
        match (self, by) {
            (V::S(x), V::S(by)) => V::S(one((x, by))),
            (V::A(dims, data), V::A(_, by)) => V::A(dims, data.into_iter().zip(by).map(one).collect()),
            (v, _) => v,
        }
    }

    /// A value of this shape with other numbers.
    pub fn filled(self, next: &mut dyn FnMut() -> F) -> V {
        match self {
            V::S(_) => V::S(S::F(next(), F(0))),
            V::A(dims, data) => V::A(dims, data.iter().map(|_| S::F(next(), F(0))).collect()),
            V::T(vs) => V::T(vs.into_iter().map(|v| v.filled(next)).collect()),
        }
    }

    /// The number of its numbers.
    pub fn count(&self) -> usize {
        if let V::A(_, data) = self { data.len() } else { 1 }
    }

    /// The sum of the products of its numbers with those of another value of its shape.
    pub fn inner(&self, other: &V) -> F {
        let product = |(a, b): (&S, &S)| if let (S::F(a, _), S::F(b, _)) = (a, b) { *a * *b } else { F(0) };
        self.numbers().iter().zip(other.numbers()).map(product).fold(F(0), |a, b| a + b)
    }

    /// Values of one shape as an array.
    pub fn list(all: &[V]) -> V {
        let dims = if let V::A(dims, _) = &all[0] { dims.clone() } else { vec![] };
        let data = all.iter().flat_map(|v| v.numbers().to_vec()).collect::<Vec<_>>();
        V::A([vec![all.len()], dims].concat(), data)
    }

    /// The numbers of the `k`th of `of` values that are the elements of an array.
    pub fn one_of(&self, k: usize, of: usize) -> V {
        let count = self.count() / of;
        V::A(vec![count], self.numbers()[k * count..(k + 1) * count].to_vec())
    }

    fn numbers(&self) -> &[S] {
        match self {
            V::S(s) => std::slice::from_ref(s),
            V::A(_, data) => data,
            V::T(_) => &[],
        }
    }

    /// The Jacobian of this value in `x`, by its columns.
    pub fn jacobian(&self, x: &V, columns: &[V]) -> V {
        let dims = |v: &V| if let V::A(dims, _) = v { dims.clone() } else { vec![] };
        let of_number = |k: usize| columns.iter().map(move |column| column.numbers()[k]);
        let data: Vec<S> = (0..self.count()).flat_map(of_number).collect();
        match [dims(self), dims(x)].concat() {
            all if all.is_empty() && data.len() == 1 => V::S(data[0]),
            all => V::A(all, data),
        }
    }

    /// Its leaves; the extents of empty arrays are not known.
    pub fn leaves(&self) -> Vec<V> {
        match self {
            V::T(vs) => vs.iter().flat_map(V::leaves).collect(),
            V::A(_, data) if data.is_empty() => vec![V::A(vec![], vec![])],
            v => vec![v.clone()],
        }
    }

    /// Its leaves, with the extents of empty arrays as far as they are known.
    pub fn parts_of(&self) -> Vec<V> {
        if let V::T(vs) = self { vs.iter().flat_map(V::parts_of).collect() } else { vec![self.clone()] }
    }

    /// Its numbers alone, and their changes as a value; none if it has none.
    pub fn parts(&self, float: bool) -> (V, Option<V>) {
        let both = |s: &S| if let S::F(x, dx) = s { (S::F(*x, F(0)), S::F(*dx, F(0))) } else { (*s, *s) };
        let (value, change) = match self {
            V::S(s) => {
                let (x, dx) = both(s);
                (V::S(x), V::S(dx))
            }
            V::A(dims, data) => {
                let (x, dx) = data.iter().map(both).unzip();
                (V::A(dims.clone(), x), V::A(dims.clone(), dx))
            }
            V::T(_) => panic!("a leaf"),
        };
        (value, float.then_some(change))
    }

    fn s(self) -> Result<S, String> {
        if let V::S(s) = self { Ok(s) } else { Err("no scalar".into()) }
    }

    fn get(&self, i: usize) -> Option<V> {
        match self {
            V::T(vs) => vs.iter().map(|v| v.get(i)).collect::<Option<_>>().map(V::T),
            V::A(dims, data) if dims.first().is_some_and(|n| i < *n) => {
                let inner: usize = dims[1..].iter().product();
                let part = &data[i * inner..(i + 1) * inner];
                Some(if dims.len() == 1 { V::S(part[0]) } else { V::A(dims[1..].to_vec(), part.to_vec()) })
            }
            _ => None,
        }
    }

    fn len(&self, axis: usize) -> usize {
        match self {
            V::T(vs) => vs[0].len(axis),
            V::A(dims, _) => dims.get(axis).copied().unwrap_or(0),
            V::S(_) => 0,
        }
    }

    fn slice(&self, s: usize, t: usize) -> V {
        match self {
            V::T(vs) => V::T(vs.iter().map(|v| v.slice(s, t)).collect()),
            V::A(dims, data) => {
                let inner: usize = dims[1..].iter().product();
                V::A([&[t - s], &dims[1..]].concat(), data[s * inner..t * inner].to_vec())
            }
            v => v.clone(),
        }
    }

    /// An array of these elements, of this type.
    fn array(ty: &Type, elements: Vec<V>) -> V {
        match ty {
            Type::Tuple(ts) => {
                let column =
                    |k: usize| elements.iter().map(move |e| if let V::T(vs) = e { vs[k].clone() } else { e.clone() });
                V::T(ts.iter().enumerate().map(|(k, t)| V::array(t, column(k).collect())).collect())
            }
            t => {
                let inner = match elements.first() {
                    Some(V::A(dims, _)) => dims.clone(),
                    _ => vec![
                        0;
                        t.rank()
                            .saturating_sub(usize::from(elements.is_empty()))
                            .saturating_sub(usize::from(!elements.is_empty()))
                    ],
                };
                let n = elements.len();
                let data = elements.into_iter().flat_map(|e| match e {
                    V::A(_, data) => data,
                    V::S(s) => vec![s],
                    V::T(_) => vec![],
                });
                V::A([vec![n], inner].concat(), data.collect())
            }
        }
    }
}

fn scalar(l: Lit) -> S {
    if l.scalar().is_float() { S::F(F::float(l.as_f64()), F(0)) } else { S::Lit(l) }
}

pub struct Eval<'k> {
    k: &'k Kernel,
    world: &'k dyn World,
    env: BTreeMap<VarId, V>,
}

/// Runs a kernel.
pub fn run(k: &Kernel, args: &[V], world: &dyn World) -> Result<V, String> {
    let mut e = Eval { k, world, env: BTreeMap::new() };
    for (p, a) in k.interface.params.iter().zip(args) {
        if let (ParamKind::Array(_, dims), V::A(lens, _)) = (&p.kind, a) {
            for (d, n) in dims.iter().zip(lens) {
                if let Dim::Size(s) = d {
                    // The first one: those of empty results are not all known.
                    e.env.entry(*s).or_insert(V::S(S::Lit(Lit::usize(*n as u64))));
                }
            }
        }
        e.env.insert(p.var, a.clone());
    }
    for (q, p) in values(&k.interface.params) {
        let n = e.env.get(&p).cloned().unwrap_or(V::S(S::Lit(Lit::usize(0))));
        if let (None, V::S(S::Lit(n))) = (e.env.get(&q), n) {
            e.env.insert(q, V::S(S::Lit(Lit::usize(n.as_int().unwrap_or(0) as u64))));
        }
    }
    e.expr(&k.body)
}

impl Eval<'_> {
    fn usize(&mut self, e: &Expr) -> Result<usize, String> {
        match self.expr(e)?.s()? {
            S::Lit(Lit::Int(n, _)) => usize::try_from(n).map_err(|_| "a negative size".into()),
            _ => Err("no integer".into()),
        }
    }

    fn test(&mut self, e: &Expr) -> Result<bool, String> {
        Ok(self.expr(e)?.s()? == S::Lit(Lit::Bool(true)))
    }

    fn set(&mut self, v: VarId, n: usize) {
        self.env.insert(v, V::S(S::Lit(Lit::usize(n as u64))));
    }

    fn expr(&mut self, e: &Expr) -> Result<V, String> {
        match &e.kind {
            Kind::Var(v) => self.env.get(v).cloned().ok_or_else(|| format!("{} has no value", self.k.names.unique(*v))),
            Kind::Lit(l) => Ok(V::S(scalar(*l))),
            Kind::Const(k) => Ok(V::S(scalar(self.world.constant(&self.k.interface.consts[*k])))),
            Kind::Prim(p @ (Prim::And | Prim::Or), args) => {
                let first = self.test(&args[0])?;
                let value = if first == (*p == Prim::Or) { first } else { self.test(&args[1])? };
                Ok(V::S(S::Lit(Lit::Bool(value))))
            }
            Kind::Prim(p, args) => {
                let args = args.iter().map(|a| self.expr(a)?.s()).collect::<Result<Vec<S>, _>>()?;
                self.prim(*p, &args, e.scalar()).map(V::S)
            }
            Kind::Let(x, a, b) => {
                let a = self.expr(a)?;
                self.env.insert(*x, a);
                self.expr(b)
            }
            Kind::If(c, a, b) => {
                if self.test(c)? {
                    self.expr(a)
                } else {
                    self.expr(b)
                }
            }
            Kind::Lam(..) | Kind::App(..) => Err("a function".into()),
            Kind::Build(Build { count, index, body }) => {
                let mut elements = Vec::new();
                for k in 0..self.usize(count)? {
                    self.set(*index, k);
                    elements.push(self.expr(body)?);
                }
                Ok(V::array(&e.ty, elements))
            }
            Kind::IFold(IFold { count, init, state, index, test, body }) => {
                let (n, mut s) = (self.usize(count)?, self.expr(init)?);
                for k in 0..n {
                    self.env.insert(*state, s.clone());
                    self.set(*index, k);
                    if let Some(test) = test
                        && !self.test(test)?
                    {
                        return Ok(s);
                    }
                    s = self.expr(body)?;
                }
                Ok(s)
            }
            Kind::Reduce(r) => self.reduce(r, &e.ty),
            Kind::Update(u) => self.update(u),
            Kind::Get(a, i) => {
                let (a, i) = (self.expr(a)?, self.usize(i)?);
                a.get(i).ok_or_else(|| "index out of bounds".into())
            }
            Kind::Len(a, axis) => Ok(V::S(S::Lit(Lit::usize(self.expr(a)?.len(*axis) as u64)))),
            Kind::Slice(a, s, t) => {
                let (a, s, t) = (self.expr(a)?, self.usize(s)?, self.usize(t)?);
                if s <= t && t <= a.len(0) { Ok(a.slice(s, t)) } else { Err("slice out of bounds".into()) }
            }
            Kind::Demand(Demand { what, then }) => {
                match what {
                    Required::InOrder(ends) => {
                        let [s, t, n] = &**ends;
                        let (s, t, n) = (self.usize(s)?, self.usize(t)?, self.usize(n)?);
                        if s > t || t > n {
                            return Err("slice out of bounds".into());
                        }
                    }
                    Required::Holds(parts) => {
                        if !self.test(&parts[0])? {
                            return Err("an assertion failed".into());
                        }
                    }
                    Required::Evaluated(e) => drop(self.expr(e)?),
                }
                self.expr(then)
            }
            Kind::Array(es) => {
                let elements = es.iter().map(|e| self.expr(e)).collect::<Result<Vec<V>, _>>()?;
                Ok(V::array(&e.ty, elements))
            }
            Kind::Tuple(es) => es.iter().map(|e| self.expr(e)).collect::<Result<_, _>>().map(V::T),
            Kind::Proj(e, k) => match self.expr(e)? {
                V::T(mut vs) => Ok(vs.swap_remove(*k)),
                _ => Err("a projection of no tuple".into()),
            },
            Kind::Call(k, args) if self.k.interface.callees[*k].name == Callee::DBG => self.expr(&args[0]),
            Kind::Call(..) => Err(OUTSIDE.into()),
        }
    }

    fn update(&mut self, Update { array, indices, op, value }: &Update) -> Result<V, String> {
        let V::A(dims, mut data) = self.expr(array)? else { return Err("no array".into()) };
        let mut at = 0;
        for (axis, i) in indices.iter().enumerate() {
            let i = self.usize(i)?;
            if i >= dims[axis] {
                return Err("index out of bounds".into());
            }
            at = at * dims[axis] + i;
        }
        let inner: usize = dims[indices.len()..].iter().product();
        let new = match self.expr(value)? {
            V::S(s) => vec![s],
            V::A(_, row) => row,
            V::T(_) => return Err("a tuple in an array".into()),
        };
        for (to, new) in data[at * inner..][..inner].iter_mut().zip(new) {
            *to = match op {
                None => new,
                Some(p) => self.prim(*p, &[*to, new], array.ty.leaf_scalars()[0])?,
            };
        }
        Ok(V::A(dims, data))
    }

    fn reduce(&mut self, r: &Reduce, ty: &Type) -> Result<V, String> {
        let n = self.usize(&r.count)?;
        match &r.with {
            Combine::Named(m) => {
                let elem = ty.leaf_scalars()[0];
                let start = match m {
                    Monoid::Sum => Lit::zero(elem),
                    m => m.empty(elem),
                };
                let mut totals = vec![scalar(start); ty.leaf_count()];
                let mut found = vec![false; totals.len()];
                for i in 0..n {
                    self.set(r.index, i);
                    let term = self.expr(&r.body)?.leaves();
                    for ((total, x), found) in totals.iter_mut().zip(term).zip(&mut found) {
                        let x = x.s()?;
                        *total = match m {
                            Monoid::Sum => self.prim(Prim::Add, &[*total, x], elem)?,
                            Monoid::Prod => self.prim(Prim::Mul, &[*total, x], elem)?,
                            m => {
                                let p = if *m == Monoid::Max { Prim::Gt } else { Prim::Lt };
                                let better = self.prim(p, &[x, *total], Scalar::Bool)? == S::Lit(Lit::Bool(true));
                                // The first term is better than none.
                                let same = self.prim(Prim::Eq, &[x, *total], Scalar::Bool)? == S::Lit(Lit::Bool(true));
                                let better = better || !*found && same;
                                *found |= better;
                                if better { x } else { *total }
                            }
                        };
                    }
                }
                let mut totals = totals.into_iter();
                Ok(nested(ty, &mut totals))
            }
            Combine::Function(f) => {
                assert_eq!(r.order, Order::Lanes, "a function in lanes");
                let start = self.expr(&f.init)?;
                combine_in(n, start, |ask| match ask {
                    Ask::Term(i) => {
                        self.set(r.index, i);
                        self.expr(&r.body)
                    }
                    Ask::Combine(a, b) => {
                        self.env.insert(f.left, a);
                        self.env.insert(f.right, b);
                        self.expr(&f.body)
                    }
                })
            }
        }
    }

    fn prim(&mut self, p: Prim, args: &[S], ty: Scalar) -> Result<S, String> {
        let lits: Option<Vec<Lit>> = args.iter().map(|s| if let S::Lit(l) = s { Some(*l) } else { None }).collect();
        if let Some(lits) = lits {
            return match ty.is_float() {
                true => Ok(S::F(F::of(lits[0].as_int().unwrap_or(0)), F(0))),
                false => p.eval(&lits).map(S::Lit).map_err(String::from),
            };
        }
        let number = |k: usize| if let S::F(x, dx) = args[k] { (x, dx) } else { (F(0), F(0)) };
        let ((a, da), (b, db)) = (number(0), if args.len() > 1 { number(1) } else { (F(0), F(0)) });
        let bool = |b: bool| Ok(S::Lit(Lit::Bool(b)));
        Ok(match p {
            Prim::Add => S::F(a + b, da + db),
            Prim::Sub => S::F(a - b, da - db),
            Prim::Neg => S::F(F(0) - a, F(0) - da),
            Prim::Mul => S::F(a * b, da * b + a * db),
            Prim::Div => S::F(a * b.inverse(), (da * b - a * db) * b.inverse() * b.inverse()),
            Prim::MulAdd | Prim::Contract => {
                let (c, dc) = number(2);
                S::F(a * b + c, da * b + a * db + dc)
            }
            Prim::Powi => {
                let S::Lit(n) = args[1] else { return Err("no exponent".into()) };
                let n = n.as_int().ok_or("no exponent")?;
                let power = |n: i128| if n < 0 { a.inverse() } else { a }.power(n.unsigned_abs() as u64);
                S::F(power(n), if n == 0 { F(0) } else { F::of(n) * power(n - 1) * da })
            }
            Prim::Choose => {
                if args[0] == S::Lit(Lit::Bool(true)) {
                    args[1]
                } else {
                    args[2]
                }
            }
            Prim::Opaque => args[0],
            Prim::Max => {
                if a >= b {
                    args[0]
                } else {
                    args[1]
                }
            }
            Prim::Min => {
                if a <= b {
                    args[0]
                } else {
                    args[1]
                }
            }
            Prim::Clamp if a < b => args[1],
            Prim::Clamp => {
                if a > number(2).0 {
                    args[2]
                } else {
                    args[0]
                }
            }
            Prim::Eq => return bool(a == b),
            Prim::Ne => return bool(a != b),
            Prim::Lt => return bool(a < b),
            Prim::Le => return bool(a <= b),
            Prim::Gt => return bool(a > b),
            Prim::Ge => return bool(a >= b),
            Prim::IsNan | Prim::IsInfinite => return bool(false),
            Prim::IsFinite => return bool(true),
            p if !ty.is_float() => {
                // Any integer that depends on the number.
                let _ = p;
                S::Lit(if ty == Scalar::Bool { Lit::Bool(a.0 % 2 == 1) } else { Lit::Int((a.0 % 5).into(), ty) })
            }
            p if p.target().is_some() => args[0],
            p => self.any(p, args, ty)?,
        })
    }

    /// A function that the field does not have.
    fn any(&mut self, p: Prim, args: &[S], ty: Scalar) -> Result<S, String> {
        let mut hasher = DefaultHasher::new();
        p.strict().hash(&mut hasher);
        let o = Origin::default();
        let mut terms = Vec::new();
        for (k, s) in args.iter().enumerate() {
            let (value, ty) = match s {
                S::F(x, _) => {
                    x.hash(&mut hasher);
                    (V::S(S::F(*x, F(0))), ty)
                }
                S::Lit(l) => {
                    l.hash(&mut hasher);
                    (V::S(*s), l.scalar())
                }
            };
            // Variables that no kernel has.
            let v = VarId(u32::MAX - k as u32);
            self.env.insert(v, value);
            terms.push(build::var(v, Type::Scalar(ty), o));
        }
        let (value, own) = (F::of(hasher.finish().into()), VarId(u32::MAX - 9));
        self.env.insert(own, V::S(S::F(value, F(0))));
        let r = build::var(own, Type::Scalar(ty), o);
        let mut change = F(0);
        for (s, partial) in args.iter().zip(partials(p, &terms, &r, Singular::Zero)) {
            if let S::F(_, dx) = s
                && *dx != F(0)
            {
                change = change + self.factor(&partial)? * *dx;
            }
        }
        Ok(S::F(value, change))
    }

    fn factor(&mut self, p: &Partial) -> Result<F, String> {
        Ok(match p {
            Partial::Zero => F(0),
            Partial::One | Partial::Cast => F(1),
            Partial::Minus => F(0) - F(1),
            Partial::Times(e) => {
                let saved = self.env.clone();
                let factor = self.expr(e)?.s()?;
                self.env = saved;
                if let S::F(x, _) = factor { x } else { F(0) }
            }
            Partial::Over(a, b) => {
                let saved = self.env.clone();
                let [a, b] = [self.expr(a)?.s()?, self.expr(b)?.s()?];
                self.env = saved;
                if let (S::F(a, _), S::F(b, _)) = (a, b) { a * b.inverse() } else { F(0) }
            }
            Partial::If(c, inner) => {
                let saved = self.env.clone();
                let holds = self.test(c)?;
                self.env = saved;
                if holds { self.factor(inner)? } else { F(0) }
            }
        })
    }
}

fn nested(ty: &Type, totals: &mut impl Iterator<Item = S>) -> V {
    match ty {
        Type::Tuple(ts) => V::T(ts.iter().map(|t| nested(t, totals)).collect()),
        _ => V::S(totals.next().unwrap()),
    }
}
