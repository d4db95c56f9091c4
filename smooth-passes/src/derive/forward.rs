//! The forward mode: a term's value, and its change along given changes of variables.
//!
//! ```text
//! D⟦x⟧ = ẋ      D⟦c⟧ absent      D⟦op ē⟧ = Σₖ ∂ₖop(ē, r) · D⟦eₖ⟧        r: the value of op ē
//! D⟦let x = e₁ in e₂⟧ = let x = e₁ in let ẋ = D⟦e₁⟧ in D⟦e₂⟧
//! D⟦if c then e₁ else e₂⟧ = if c then D⟦e₁⟧ else D⟦e₂⟧
//! D⟦build n (λi. e)⟧ = build n (λi. D⟦e⟧)          D⟦sum n (λi. e)⟧ = sum n (λi. D⟦e⟧)
//! D⟦e₁[e₂]⟧ = D⟦e₁⟧[e₂]            likewise slices, literals, tuples and projections
//! D⟦a with [ī] = v⟧ = D⟦a⟧ with [ī] = D⟦v⟧          D⟦a with [ī] ⊕= v⟧ = D⟦a⟧ with [ī] = D⟦a[ī] ⊕ v⟧
//! D⟦ifold (λs i. e) e₀ n⟧ = (ifold (λ(s, ṡ) i. (e, D⟦e⟧)) (e₀, D⟦e₀⟧) n).1
//! D⟦reduce n (λi. e) (λa b. f) e₀⟧ = (reduce n (λi. (e, D⟦e⟧)) (λ(a, ȧ) (b, ḃ). (f, D⟦f⟧)) (e₀, D⟦e₀⟧)).1
//! D⟦product n (λi. e)⟧ = (reduce n (λi. (e, D⟦e⟧)) (λ(a, ȧ) (b, ḃ). (a b, ȧ b + a ḃ)) (1, 0)).1
//! D⟦maximum n (λi. e)⟧ = let k = argmax n (λi. e) in D⟦e⟧[k / i]     0 where there is no such k
//! D⟦demand … in e⟧ = D⟦e⟧          checked before the value
//! ```
//!
//! The value and its tangent are one loop, over pairs. A tangent that is 0 everywhere is absent; it becomes an array of zeros
//! only where the other branch, or a later step, has one.

use super::activity::{Activity, part};
use super::lengths::Dependent;
use super::partials::{Partial, Singular, partials};
use super::statements::Shape;
use super::{Called, Problem, Undifferentiable};
use crate::derivative::Mode;
use crate::fsmooth::{
    Build, Callee, Combine, Combiner, Demand, Expr, IFold, Kind, Monoid, Order, Reduce, Update, build,
};
use crate::mapped::{Mapped, PushAll};
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::sorted::Map;
use crate::span::Origin;
use crate::ty::{Scalar, Type};
use crate::value::Lit;

/// The tangent of a term: for each leaf of its type a term, unless it is 0.
pub(super) type Tangent = Vec<Option<Expr>>;

/// Names for terms that are evaluated before another one.
pub(super) type Lets = Vec<(VarId, Expr)>;

/// The forward mode in one kernel.
struct Forward<'k> {
    names: &'k mut Names,
    callees: &'k [Callee],
    singular: Singular,
    activity: Activity,
    /// The tangents of variables, which are names.
    tangents: Map<VarId, Tangent>,
    /// The calls that cannot be differentiated.
    calls: Undifferentiable,
}

/// The value of a body in which some variables have tangents, behind `lets` and by a name; and the changes of its leaves that are
/// floats.
///
/// # Errors
/// The calls that cannot be differentiated.
pub(super) fn value_and_changes(
    body: &Expr,
    tangents: Map<VarId, Tangent>,
    (names, callees): (&mut Names, &[Callee]),
    singular: Singular,
    lets: &mut Lets,
) -> Result<(Expr, Vec<Expr>), Undifferentiable> {
    let activity = Activity::of(body, tangents.iter().map(|(v, t)| (*v, active(t))));
    let mut mode = Forward { names, callees, singular, activity, tangents, calls: Vec::new() };
    let (value, change) = mode.dual(body, lets);
    if !mode.calls.is_empty() {
        return Err(mode.calls);
    }
    let value = mode.named(value, "value", lets);
    let floats = leaves(&value).iter().mapped(|v| v.ty.leaf_scalars()[0].is_float());
    let changes = mode.filled(&value, &change, &floats);
    Ok((value, changes))
}

impl Forward<'_> {
    /// The value of a term and its tangent, behind `lets`. Each term of it is used once.
    fn dual(&mut self, e: &Expr, lets: &mut Lets) -> (Expr, Tangent) {
        if !self.is_active(e) {
            return constant(e.clone());
        }
        let o = e.origin;
        match &e.kind {
            Kind::Var(v) => (e.clone(), self.tangents[v].clone()),
            Kind::Lit(_) | Kind::Const(_) | Kind::Len(..) => constant(e.clone()),
            Kind::Prim(p, args) => self.prim(e, *p, args, lets),
            Kind::Let(x, value, body) => {
                let (value, tangent) = self.dual(value, lets);
                lets.push((*x, value));
                let name = format!("d_{}", self.names.name(*x));
                let tangent = tangent.into_iter().mapped(|t| t.map(|t| self.named(t, &name, lets)));
                self.tangents.insert(*x, tangent);
                self.dual(body, lets)
            }
            Kind::If(c, a, b) => {
                let (mut in_a, mut in_b) = (Lets::new(), Lets::new());
                let (a, b) = (self.dual(a, &mut in_a), self.dual(b, &mut in_b));
                let active = a.1.iter().zip(&b.1).mapped(|(a, b)| a.is_some() || b.is_some());
                let [a, b] = [(a, in_a), (b, in_b)].map(|(dual, mut inside)| {
                    let pair = self.pair(dual, &active, &mut inside);
                    behind(inside, pair)
                });
                self.parts(build::branch((**c).clone(), a, b, o), &active, lets)
            }
            Kind::Build(Build { count, index, body }) => {
                let (body, active) = self.inside(body, Lets::new());
                self.parts(build::build((**count).clone(), *index, body, o), &active, lets)
            }
            Kind::IFold(f) => self.ifold(f, e, lets),
            Kind::Reduce(r) => self.reduce(r, e, lets),
            Kind::Update(u) => self.update(u, e, lets),
            Kind::Get(a, i) => {
                let (a, tangent) = self.dual(a, lets);
                let i = self.named((**i).clone(), "i", lets);
                let at = |a: Expr| build::get(a, i.clone(), o);
                (at(a), tangent.into_iter().mapped(|t| t.map(at)))
            }
            Kind::Slice(a, s, t) => {
                let (a, tangent) = self.dual(a, lets);
                let [s, t] = [(s, "start"), (t, "end")].map(|(e, name)| self.named((**e).clone(), name, lets));
                let of = |a: Expr| build::slice(a, s.clone(), t.clone(), o);
                (of(a), tangent.into_iter().mapped(|t| t.map(of)))
            }
            Kind::Demand(Demand { what, then }) => {
                let (then, active) = self.inside(then, Lets::new());
                self.parts(build::require(what.clone(), then, o), &active, lets)
            }
            Kind::Array(es) => {
                let duals = es.iter().mapped(|e| {
                    let (value, tangent) = self.dual(e, lets);
                    (self.named(value, "element", lets), tangent)
                });
                let tangents = duals.iter().mapped(|(value, tangent)| self.filled(value, tangent, &[true]).remove(0));
                let values = duals.into_iter().mapped(|(value, _)| value);
                (build::array(values, o), vec![Some(build::array(tangents, o))])
            }
            Kind::Tuple(es) => {
                let (values, tangents): (Vec<Expr>, Vec<Tangent>) = es.iter().map(|e| self.dual(e, lets)).unzip();
                (build::tuple(values, o), tangents.concat())
            }
            Kind::Proj(a, k) => {
                let (a, mut tangent) = self.dual(a, lets);
                let (first, count) = part(&a.ty, *k);
                let value = match a.kind {
                    Kind::Tuple(mut es) => es.swap_remove(*k),
                    _ => build::proj(a, *k, o),
                };
                (value, tangent.drain(first..first + count).collect_vec())
            }
            Kind::Call(k, args) if self.callees[*k].is_mark() => self.marked(e, &args[1..], lets),
            Kind::Call(k, args) => {
                let callee = &self.callees[*k].name;
                if callee == Callee::DBG {
                    let (value, tangent) = self.dual(&args[0], lets);
                    return (build::call(*k, vec![value], e.ty.clone(), o), tangent);
                }
                if e.ty.leaf_scalars().iter().any(|s| s.is_float()) {
                    self.calls.push((o, Problem::Call(Called::of(&self.callees[*k]))));
                }
                constant(e.clone())
            }
            Kind::Lam(..) | Kind::App(..) => panic!("a local function is applied where it is called"),
        }
    }

    /// `D⟦stop_gradient e⟧ = 0`, `D⟦rule (e, (λē ẋ̄. j), v, x̄)⟧ = j` at `D⟦x̄⟧`.
    fn marked(&mut self, e: &Expr, rest: &[Expr], lets: &mut Lets) -> (Expr, Tangent) {
        let [jvp, _, of @ ..] = rest else { return constant(e.clone()) };
        let duals = of.iter().mapped(|x| self.dual(x, lets));
        if duals.iter().all(|(_, t)| t.iter().all(Option::is_none)) {
            return constant(e.clone());
        }
        let value = self.named(e.clone(), "value", lets);
        let tangents = duals.into_iter().mapped(|(x, t)| {
            let x = self.named(x, "x", lets);
            let t = self.filled(&x, &t, &[true]).remove(0);
            self.named(t, "d_x", lets)
        });
        let outs = leaves(&value);
        let Some(changes) = applied(jvp, outs.iter().cloned().chain(tangents), self.names) else {
            self.calls.push((e.origin, Problem::Rule(Mode::Vjp)));
            return constant(value);
        };
        let changes = self.named(changes, "d_value", lets);
        let mut all = leaves(&changes).into_iter();
        let change = |v: &Expr| if v.ty.leaf_scalars()[0].is_float() { all.next() } else { None };
        let changes = outs.iter().mapped(change);
        (value, changes)
    }

    /// Whether a variable with a tangent occurs in it.
    fn is_active(&self, e: &Expr) -> bool {
        match &e.kind {
            Kind::Var(v) => self.tangents.get(v).is_some_and(|t| t.iter().any(Option::is_some)),
            _ => e.any_child(&mut |c| self.is_active(c)),
        }
    }

    /// `D⟦op ē⟧`.
    fn prim(&mut self, e: &Expr, p: Prim, args: &[Expr], lets: &mut Lets) -> (Expr, Tangent) {
        let o = e.origin;
        if !e.scalar().is_float() {
            return constant(e.clone());
        }
        let (values, tangents): (Vec<Expr>, Vec<Tangent>) = args.iter().map(|e| self.dual(e, lets)).unzip();
        if tangents.iter().flatten().all(Option::is_none) {
            return constant(build::prim(p, values, o));
        }
        let values: Vec<Expr> = values.into_iter().mapped(|v| self.named(v, "x", lets));
        let r = self.named(build::prim(p, values.clone(), o), "r", lets);
        let tangent = self.combined(p, (&values, &r), tangents.into_iter().flatten().collect_vec());
        (r, vec![tangent])
    }

    /// `Σₖ ∂ₖop(ē, r) · ẋₖ`.
    fn combined(&mut self, p: Prim, (args, r): (&[Expr], &Expr), tangents: Tangent) -> Option<Expr> {
        let o = r.origin;
        let mut terms: Vec<Term> = Vec::new();
        for (partial, tangent) in partials(p, args, r, self.singular).into_iter().zip(tangents) {
            terms.extend(tangent.and_then(|t| term(p, partial, t, o)));
        }
        // One of two sides.
        if let [Term { when: Some(c), .. }, Term { when: Some(d), .. }] = terms.as_slice()
            && matches!(&d.kind, Kind::Prim(Prim::Not, of) if of[0] == *c)
        {
            let b = terms.pop()?.signed(o);
            let a = terms.pop()?;
            return Some(build::branch(a.when.clone()?, a.signed(o), b, o));
        }
        terms.into_iter().fold(None, |sum, t| match (sum, t.when.is_none() && t.minus) {
            (None, _) => Some(t.whole(o)),
            (Some(sum), true) => Some(build::prim(Prim::Sub, vec![sum, t.value], o)),
            (Some(sum), false) => Some(build::prim(Prim::Add, vec![sum, t.whole(o)], o)),
        })
    }

    /// `D⟦ifold (λs i. e) e₀ n⟧`.
    fn ifold(&mut self, f: &IFold, e: &Expr, lets: &mut Lets) -> (Expr, Tangent) {
        let o = e.origin;
        let active = self.activity.leaves(f.state, &e.ty);
        let init = self.dual(&f.init, lets);
        let init = self.pair(init, &active, lets);
        let state = self.names.again(f.state);
        let (whole, inside) = self.opened(&[(f.state, state)], &init.ty, &active, o);
        let mut inside = inside;
        let body = self.dual(&f.body, &mut inside);
        let body = self.pair(body, &active, &mut inside);
        let mut fold = build::ifold((*f.count).clone(), init, (state, f.index), behind(inside, body), o);
        if let Some(test) = &f.test {
            let (mut test, whole) = ((**test).clone(), &whole[0]);
            test.replace(f.state, &mut || value_of(whole.clone(), &active, o));
            fold = build::while_holds(fold, test);
        }
        self.parts(fold, &active, lets)
    }

    /// The `let`s that make variables of pairs in `(variable, pair)`, and the pairs. Their tangents are known from here on.
    fn opened(&mut self, variables: &[(VarId, VarId)], pair: &Type, active: &[bool], o: Origin) -> (Vec<Expr>, Lets) {
        let (mut wholes, mut lets) = (Vec::new(), Lets::new());
        for (x, of) in variables {
            let whole = build::var(*of, pair.clone(), o);
            lets.push((*x, value_of(whole.clone(), active, o)));
            let tangent = tangent_of(&whole, active, o);
            self.tangents.insert(*x, tangent);
            wholes.push(whole);
        }
        (wholes, lets)
    }

    /// `D⟦sum n (λi. e)⟧` and the other reductions.
    fn reduce(&mut self, r: &Reduce, e: &Expr, lets: &mut Lets) -> (Expr, Tangent) {
        let o = e.origin;
        match &r.with {
            Combine::Named(Monoid::Sum) => self.sum(r, e, lets),
            Combine::Named(m) => {
                let count = Box::new(self.named((*r.count).clone(), "count", lets));
                let r = &Reduce { count, ..r.clone() };
                // The terms themselves are those with tangents.
                let (body, index) = self.again(r);
                let value = build::reduce(r.with.clone(), r.order, ((*r.count).clone(), index), body, o);
                let tangent = match m {
                    Monoid::Prod => self.product(r, lets),
                    m => self.extreme(r, if *m == Monoid::Max { Prim::Gt } else { Prim::Lt }, *m, lets),
                };
                (value, tangent)
            }
            Combine::Function(f) => {
                let active = self.activity.leaves(f.left, &e.ty);
                let init = self.dual(&f.init, lets);
                let init = self.pair(init, &active, lets);
                let mut inside = Lets::new();
                let body = self.dual(&r.body, &mut inside);
                let body = self.pair(body, &active, &mut inside);
                let both = [f.left, f.right].map(|x| (x, self.names.again(x)));
                let (_, mut opened) = self.opened(&both, &init.ty, &active, o);
                let combined = self.dual(&f.body, &mut opened);
                let combined = self.pair(combined, &active, &mut opened);
                let with = build::combiner(init, both[0].1, both[1].1, behind(opened, combined));
                let loops = ((*r.count).clone(), r.index);
                let whole = build::reduce(with, r.order, loops, behind(inside, body), o);
                self.parts(whole, &active, lets)
            }
        }
    }

    /// `D⟦sum n (λi. e)⟧`: a sum of the components of the terms and of their tangents.
    fn sum(&mut self, r: &Reduce, e: &Expr, lets: &mut Lets) -> (Expr, Tangent) {
        let (o, mut inside) = (e.origin, Lets::new());
        let (value, tangent) = self.dual(&r.body, &mut inside);
        let active = active(&tangent);
        let mut terms = leaves(&self.named(value, "term", &mut inside));
        let own = terms.len();
        terms.push_all(tangent.into_iter().flatten());
        let body = if terms.len() == 1 { terms.remove(0) } else { build::tuple(terms, o) };
        let sum = build::reduce(r.with.clone(), r.order, ((*r.count).clone(), r.index), behind(inside, body), o);
        let mut sums = leaves(&self.named(sum, "sum", lets)).into_iter();
        let value = assembled(&e.ty, &mut sums.by_ref().take(own), o);
        (value, active.into_iter().mapped(|a| if a { sums.next() } else { None }))
    }

    /// `D⟦product n (λi. e)⟧`: the terms are pairs, which multiply as dual numbers do.
    fn product(&mut self, r: &Reduce, lets: &mut Lets) -> Tangent {
        let (o, mut inside) = (r.body.origin, Lets::new());
        let (value, tangent) = self.dual(&r.body, &mut inside);
        let value = self.named(value, "term", &mut inside);
        let active = active(&tangent);
        if !active.contains(&true) {
            return tangent;
        }
        let pairs = leaves(&value).into_iter().zip(tangent).filter_map(|(x, t)| Some([x, t?]));
        let body = build::tuple(pairs.flatten().collect_vec(), o);
        let [a, b] = ["a", "b"].map(|name| self.names.fresh(name));
        let [left, right] = [a, b].map(|v| leaves(&build::var(v, body.ty.clone(), o)));
        let times = |a: &Expr, b: &Expr| build::prim(Prim::Mul, vec![a.clone(), b.clone()], o);
        let products = (0..left.len()).step_by(2).flat_map(|k| {
            let (x, dx, y, dy) = (&left[k], &left[k + 1], &right[k], &right[k + 1]);
            [times(x, y), build::prim(Prim::Add, vec![times(dx, y), times(x, dy)], o)]
        });
        let products = build::tuple(products.collect_vec(), o);
        let number = |k: usize, x: f64| build::lit(Lit::float(x, left[k].scalar()), o);
        let init = build::tuple((0..left.len()).mapped(|k| number(k, if k % 2 == 0 { 1.0 } else { 0.0 })), o);
        let body = behind(inside, body);
        let count = (*r.count).clone();
        let whole = match r.order {
            Order::Lanes => build::reduce(build::combiner(init, a, b, products), r.order, (count, r.index), body, o),
            Order::Source => {
                build::reduce_in_order(Combiner { init, left: a, right: b, body: products }, count, r.index, body, o)
            }
        };
        let whole = self.named(whole, "products", lets);
        let mut tangents = leaves(&whole).into_iter().skip(1).step_by(2);
        active.into_iter().mapped(|a| if a { tangents.next() } else { None })
    }

    /// `D⟦maximum n (λi. e)⟧`, by the comparison that a better term passes: the tangent of the first of the best terms. NaN is
    /// never better. Where lengths in the term depend on the place, all places are looked at: that which was found is computed from
    /// data.
    fn extreme(&mut self, r: &Reduce, better: Prim, m: Monoid, lets: &mut Lets) -> Tangent {
        let (o, count) = (r.body.origin, r.body.ty.leaf_count());
        let mut tangents = Tangent::new();
        for k in 0..count {
            let (term, index) = self.again(r);
            let search = search((term, index, k), (*r.count).clone(), (better, m), self.names);
            let s = r.body.ty.leaf_scalars()[k];
            let found = self.named(build::proj(search, 1, o), "found", lets);

            // The last component gets the body itself.
            let (body, index) = if k + 1 == count { ((*r.body).clone(), r.index) } else { self.active_copy(r) };
            let mut inside = Lets::new();
            let mut lengths = Dependent::on(index);
            lengths.term(&body);
            let all_places = lengths.any;
            if !all_places {
                inside.push((index, build::prim(Prim::Sub, vec![found.clone(), build::index(1, o)], o)));
            }
            let (_, mut tangent) = self.dual(&body, &mut inside);
            let state = self.names.fresh("change");
            tangents.push(tangent.swap_remove(k).map(|t| {
                if all_places {
                    let place = build::prim(Prim::Add, vec![build::var(index, Type::USIZE, o), build::index(1, o)], o);
                    let is_found = build::prim(Prim::Eq, vec![place, found], o);
                    let other = build::var(state, t.ty.clone(), o);
                    let step = build::branch(is_found, behind(inside, t), other, o);
                    return build::ifold((*r.count).clone(), zero(s, o), (state, index), step, o);
                }
                let some = build::prim(Prim::Gt, vec![found, build::index(0, o)], o);
                build::branch(some, behind(inside, t), zero(s, o), o)
            }));
        }
        tangents
    }

    /// The terms of a reduction once more.
    fn again(&mut self, r: &Reduce) -> (Expr, VarId) {
        let index = self.names.again(r.index);
        let mut body = r.body.renamed(self.names);
        body.replace(r.index, &mut || build::var(index, Type::USIZE, r.body.origin));
        (body, index)
    }

    /// The terms of a reduction once more, to be differentiated.
    fn active_copy(&mut self, r: &Reduce) -> (Expr, VarId) {
        let (body, index) = self.again(r);
        self.activity.add(&body, self.tangents.iter().map(|(v, t)| (*v, active(t))));
        (body, index)
    }

    /// `D⟦a with [ī] = v⟧` and `D⟦a with [ī] ⊕= v⟧`.
    fn update(&mut self, u: &Update, e: &Expr, lets: &mut Lets) -> (Expr, Tangent) {
        let o = e.origin;
        let (array, mut of_array) = self.dual(&u.array, lets);
        let (value, mut of_value) = self.dual(&u.value, lets);
        let (of_array, of_value) = (of_array.remove(0), of_value.remove(0));
        if of_array.is_none() && of_value.is_none() {
            return constant(build::update(array, u.indices.clone(), u.op, value, o));
        }
        let indices = u.indices.iter().mapped(|i| self.named(i.clone(), "i", lets));
        let (array, value) = (self.named(array, "array", lets), self.named(value, "value", lets));
        let new = build::update(array.clone(), indices.clone(), u.op, value.clone(), o);
        let start = of_array.unwrap_or_else(|| self.zeros_like(&array));
        let tangent = match (u.op, of_value) {
            (None, of_value) => {
                let of_value = of_value.unwrap_or_else(|| self.zeros_like(&value));
                build::update(start, indices, None, of_value, o)
            }
            (Some(p @ (Prim::Add | Prim::Sub)), Some(of_value)) => build::update(start, indices, Some(p), of_value, o),
            (Some(Prim::Add | Prim::Sub), None) => start,
            (Some(p), of_value) => {
                let start = self.named(start, "d_array", lets);
                let at = |a: &Expr| indices.iter().fold(a.clone(), |a, i| build::get(a, i.clone(), o));
                let old = self.named(at(&array), "old", lets);
                let r = self.named(build::prim(p, vec![old.clone(), value.clone()], o), "r", lets);
                let tangents = vec![Some(at(&start)), of_value];
                let new = self.combined(p, (&[old, value], &r), tangents).unwrap_or_else(|| zero(r.scalar(), o));
                let new = self.named(new, "d_new", lets);
                build::update(start, indices, None, new, o)
            }
        };
        (new, vec![Some(tangent)])
    }

    /// A part of a loop that is evaluated behind `inside`: the pair of its value and its tangent, and the active leaves.
    fn inside(&mut self, e: &Expr, mut inside: Lets) -> (Expr, Vec<bool>) {
        let dual = self.dual(e, &mut inside);
        let active = active(&dual.1);
        let pair = self.pair(dual, &active, &mut inside);
        (behind(inside, pair), active)
    }

    /// The pair of a value and the tangents of its active leaves; the value alone if there are none.
    fn pair(&mut self, (value, tangent): (Expr, Tangent), active: &[bool], lets: &mut Lets) -> Expr {
        if !active.contains(&true) {
            return value;
        }
        let o = value.origin;
        let absent = tangent.iter().zip(active).any(|(t, active)| *active && t.is_none());
        let value = if absent { self.named(value, "value", lets) } else { value };
        let tangents = self.filled(&value, &tangent, active);
        build::tuple([vec![value], tangents].concat(), o)
    }

    /// The tangents of the active leaves of a value that has a name.
    fn filled(&mut self, value: &Expr, tangent: &Tangent, active: &[bool]) -> Vec<Expr> {
        let wanted = (0..active.len()).filter(|k| active[*k]);
        wanted.map(|k| tangent[k].clone().unwrap_or_else(|| self.zeros_like(&leaves(value)[k]))).collect_vec()
    }

    /// Value and tangent of a pair.
    fn parts(&mut self, pair: Expr, active: &[bool], lets: &mut Lets) -> (Expr, Tangent) {
        if !active.contains(&true) {
            return constant(pair);
        }
        let o = pair.origin;
        let pair = self.named(pair, "both", lets);
        (value_of(pair.clone(), active, o), tangent_of(&pair, active, o))
    }

    /// The tangent of a leaf that does not change: 0, or an array of zeros.
    fn zeros_like(&mut self, leaf: &Expr) -> Expr {
        Shape::of(leaf).zeros(0, self.names)
    }

    /// A term that may be used several times: a name, or a tuple of names.
    fn named(&mut self, e: Expr, name: &str, lets: &mut Lets) -> Expr {
        if is_name(&e) {
            return e;
        }
        let o = e.origin;
        if let Kind::Tuple(es) = e.kind {
            return build::tuple(es.into_iter().mapped(|e| self.named(e, name, lets)), o);
        }
        with_name(e, name, self.names, lets)
    }
}

/// The best value of the `k`th leaf of the terms of a reduction, by the comparison that a better one passes, and one more than
/// its index; 0 where there is none. Of equal terms it is the first one, and NaN is never better.
pub(super) fn search(
    (term, index, k): (Expr, VarId, usize),
    count: Expr,
    (better, m): (Prim, Monoid),
    names: &mut Names,
) -> Expr {
    let (o, mut before) = (term.origin, Lets::new());
    let term = if let Kind::Tuple(mut es) = term.kind {
        with_name(es.swap_remove(k), "term", names, &mut before)
    } else {
        leaves(&with_name(term, "term", names, &mut before)).swap_remove(k)
    };
    let s = term.scalar();
    let init = build::tuple(vec![build::lit(m.start(s), o), build::index(0, o)], o);
    let (best, ty) = (names.fresh("best"), init.ty.clone());
    let state = build::var(best, ty, o);
    // The first term is better than none.
    let [so_far, found] = [0, 1].map(|k| build::proj(state.clone(), k, o));
    let is_better = build::prim(better, vec![term.clone(), so_far.clone()], o);
    let none = build::prim(Prim::Eq, vec![found, build::index(0, o)], o);
    let same = build::prim(Prim::And, vec![none, build::prim(Prim::Eq, vec![term.clone(), so_far], o)], o);
    let is_better = build::prim(Prim::Or, vec![is_better, same], o);
    let place = build::prim(Prim::Add, vec![build::var(index, Type::USIZE, o), build::index(1, o)], o);
    let step = build::branch(is_better, build::tuple(vec![term, place], o), state, o);
    build::ifold(count, init, (best, index), behind(before, step), o)
}

/// A contribution to a tangent: a value, subtracted if `minus`, where a condition holds.
pub(super) struct Term {
    pub(super) when: Option<Expr>,
    minus: bool,
    value: Expr,
}

impl Term {
    pub(super) fn signed(self, o: Origin) -> Expr {
        if self.minus { build::prim(Prim::Neg, vec![self.value], o) } else { self.value }
    }

    fn whole(mut self, o: Origin) -> Expr {
        let (when, s) = (self.when.take(), self.value.scalar());
        let value = self.signed(o);
        match when {
            Some(c) => build::branch(c, value, zero(s, o), o),
            None => value,
        }
    }
}

/// `∂ₖop · ẋₖ`.
pub(super) fn term(p: Prim, partial: Partial, tangent: Expr, o: Origin) -> Option<Term> {
    Some(match partial {
        Partial::Zero => return None,
        Partial::One => Term { when: None, minus: false, value: tangent },
        Partial::Minus => Term { when: None, minus: true, value: tangent },
        Partial::Cast => Term { when: None, minus: false, value: build::prim(p, vec![tangent], o) },
        Partial::Times(factor) => {
            Term { when: None, minus: false, value: build::prim(Prim::Mul, vec![factor, tangent], o) }
        }
        Partial::Over(factor, divisor) => {
            let product = build::prim(Prim::Mul, vec![factor, tangent], o);
            Term { when: None, minus: false, value: build::prim(Prim::Div, vec![product, divisor], o) }
        }
        Partial::If(c, inner) => {
            let inner = term(p, *inner, tangent, o)?;
            let when = match inner.when {
                Some(d) => build::prim(Prim::And, vec![c, d], o),
                None => c,
            };
            Term { when: Some(when), ..inner }
        }
    })
}

/// The leaves that have a tangent.
fn active(tangent: &Tangent) -> Vec<bool> {
    tangent.iter().mapped(Option::is_some)
}

/// A term without tangent.
fn constant(e: Expr) -> (Expr, Tangent) {
    let count = e.ty.leaf_count();
    (e, vec![None; count])
}

pub(super) fn zero(s: Scalar, o: Origin) -> Expr {
    build::lit(Lit::zero(s), o)
}

/// `let x̄ = ē in e`.
pub(super) fn behind(lets: Lets, e: Expr) -> Expr {
    lets.into_iter().rev().fold(e, |body, (x, a)| {
        let o = a.origin;
        build::bind(x, a, body, o)
    })
}

/// The value of a pair that has a name.
fn value_of(pair: Expr, active: &[bool], o: Origin) -> Expr {
    if active.contains(&true) { build::proj(pair, 0, o) } else { pair }
}

/// The tangent of a pair that has a name.
fn tangent_of(pair: &Expr, active: &[bool], o: Origin) -> Tangent {
    let mut next = 0;
    let tangent = |active: &bool| {
        next += usize::from(*active);
        active.then(|| build::proj(pair.clone(), next, o))
    };
    active.iter().mapped(tangent)
}

/// A term with a name, which is put before another one unless it has one.
pub(super) fn with_name(e: Expr, name: &str, names: &mut Names, lets: &mut Lets) -> Expr {
    if is_name(&e) {
        return e;
    }
    let (x, ty, o) = (names.fresh(name), e.ty.clone(), e.origin);
    lets.push((x, e));
    build::var(x, ty, o)
}

/// The value of a rule at these values, if there is one.
pub(super) fn applied(rule: &Expr, args: impl IntoIterator<Item = Expr>, names: &mut Names) -> Option<Expr> {
    let Kind::Lam(params, body) = &rule.kind else { return None };
    let (mut body, mut lets) = (body.renamed(names), Lets::new());
    for ((x, ty), a) in params.iter().zip(args) {
        let (own, o) = (names.again(*x), a.origin);
        body.replace(*x, &mut || build::var(own, ty.clone(), o));
        lets.push((own, a));
    }
    Some(behind(lets, body))
}

/// A term that costs nothing: a name, a constant, or a part of a name.
pub(super) fn is_name(e: &Expr) -> bool {
    match &e.kind {
        Kind::Var(_) | Kind::Lit(_) | Kind::Const(_) => true,
        Kind::Proj(a, _) => is_name(a),
        _ => false,
    }
}

/// The leaves of a value that has a name, or is a tuple of such values.
pub(super) fn leaves(e: &Expr) -> Vec<Expr> {
    match (&e.kind, &e.ty) {
        (Kind::Tuple(es), _) => es.iter().flat_map(leaves).collect_vec(),
        (_, Type::Tuple(ts)) => (0..ts.len()).flat_map(|k| leaves(&build::proj(e.clone(), k, e.origin))).collect_vec(),
        _ => vec![e.clone()],
    }
}

/// A value of this type from its leaves.
pub(super) fn assembled(ty: &Type, leaves: &mut dyn Iterator<Item = Expr>, o: Origin) -> Expr {
    match ty {
        Type::Tuple(ts) => build::tuple(ts.iter().mapped(|t| assembled(t, leaves, o)), o),
        _ => leaves.next().expect("a term for each leaf"),
    }
}
