//! A row that is taken, changed and put back: its updates become updates of the whole array.
//!
//! ```text
//! a with [ī] = L                           ⟶  a ⊢ L                        L reads the row a[ī], and a only before
//! let t = (…, L, …) in … a with [ī] = t.k  ⟶  let t = (…, a ⊢ L, …) in … t.k
//!
//! a ⊢ a[ī]                  =  a
//! a ⊢ L with [k̄] ⊕= v       =  (a ⊢ L) with [ī, k̄] ⊕= v
//! a ⊢ ifold n (λs j. L) L′  =  ifold n (λS j. a ⊢ L[S[ī]/s]) (a ⊢ L′)
//! a ⊢ let x = L in L′       =  let X = a ⊢ L in a ⊢ L′[X[ī]/x]
//! a ⊢ if c then L else L′   =  if c then a ⊢ L else a ⊢ L′
//! ```
//!
//! A call such as `axpy(x, &mut a[i])` becomes this term if the callee is inlined. Neither the row nor the array is
//! copied.

use crate::fsmooth::{Demand, Expr, IFold, Kernel, Kind, Required, Update, build};
use crate::mapped::Mapped;
use crate::name::{Names, VarId};
use crate::sorted::Map;
use crate::ty::Type;

/// Changes rows in place. Returns whether there was one.
pub(super) fn apply(kernel: &mut Kernel) -> bool {
    let (names, mut any) = (&mut kernel.names, false);
    kernel.body.each_mut(&mut |e| {
        while let Some(changed) = changed(e, names) {
            *e = changed;
            any = true;
        }
    });
    any
}

fn changed(e: &Expr, names: &mut Names) -> Option<Expr> {
    match e.kind() {
        Kind::Update(_) => put_back(e, names),
        Kind::Let(..) => part_put_back(e, names),
        _ => None,
    }
}

/// `a with [ī] = L`.
fn put_back(e: &Expr, names: &mut Names) -> Option<Expr> {
    let (a, indices, value) = row_update(e)?;
    let mut rows = Rows::new(a, indices, names);
    rows.row(value)
}

/// The array, the place and the value of an update of a row.
fn row_update(e: &Expr) -> Option<(&Expr, &[Expr], &Expr)> {
    match e.kind() {
        Kind::Update(Update { array, indices, op: None, value })
            if value.ty.is_array()
                && matches!(array.kind(), Kind::Var(_))
                && indices.iter().all(|i| is_cheap(i, 4)) =>
        {
            Some((array, indices, value))
        }
        _ => None,
    }
}

/// `let t = (…, L, …) in … a with [ī] = t.k`.
fn part_put_back(e: &Expr, names: &mut Names) -> Option<Expr> {
    let Kind::Let(t, value, scope) = e.kind() else { return None };
    if !matches!(value.ty, Type::Tuple(_)) {
        return None;
    }
    let is_part = |e: &Expr| matches!(e.kind(), Kind::Proj(of, _) if matches!(of.kind(), Kind::Var(v) if v == t));
    let mut found = None;
    scope.each(&mut |e| {
        if let Some((a, indices, v)) = row_update(e)
            && let (Kind::Proj(_, k), true) = (v.kind(), is_part(v))
        {
            found.get_or_insert((a, indices, *k));
        }
    });
    let (a, indices, k) = found?;
    let Kind::Var(whole) = a.kind() else { return None };
    // The old array and the row have this use alone.
    let part = |e: &Expr| is_part(e) && matches!(e.kind(), Kind::Proj(_, j) if *j == k);
    let uses = |v: VarId| scope.count(|e| matches!(e.kind(), Kind::Var(w) if *w == v));
    if uses(*whole) != 1 || scope.count(part) != 1 || uses(*t) != scope.count(is_part) {
        return None;
    }
    let mut rows = Rows::new(a, indices, names);
    let changed = rows.tuple(value, k)?;
    let (new, ty) = (rows.names.again(*t), changed.ty.clone());
    let mut scope = (**scope).clone();
    scope.each_mut(&mut |e| {
        let o = e.origin();
        let of_new = |k: usize| build::proj(build::var(new, ty.clone(), o), k, o);
        match e.kind() {
            Kind::Update(Update { value, .. }) if part_of(value, new, k) => *e = of_new(k),
            Kind::Proj(of, j) if matches!(of.kind(), Kind::Var(v) if v == t) => *e = of_new(*j),
            _ => {}
        }
    });
    Some(build::bind(new, changed, scope, e.origin()))
}

/// Whether a term is `t.k`.
fn part_of(e: &Expr, t: VarId, k: usize) -> bool {
    matches!(e.kind(), Kind::Proj(of, j) if *j == k && matches!(of.kind(), Kind::Var(v) if *v == t))
}

/// The versions of a row, and the arrays that they are rows of.
struct Rows<'n> {
    names: &'n mut Names,
    a: VarId,
    ty: Type,
    indices: Vec<Expr>,
    /// Names of the row.
    rows: Map<VarId, VarId>,
    /// Tuples, one component of which is the row: the new tuple, its type and the component.
    tuples: Map<VarId, (VarId, Type, usize)>,
    /// Whether the row has been changed by the terms that have been followed, so that the old array is no longer there.
    changed: bool,
}

impl<'n> Rows<'n> {
    fn new(a: &Expr, indices: &[Expr], names: &'n mut Names) -> Self {
        let Kind::Var(v) = *a.kind() else { unreachable!("a variable") };
        let (rows, tuples) = (Map::new(), Map::new());
        Rows { names, a: v, ty: a.ty.clone(), indices: indices.to_vec(), rows, tuples, changed: false }
    }

    /// Whether a term is the row of the old array.
    fn is_taken(&self, e: &Expr) -> bool {
        let mut base = e;
        for i in self.indices.iter().rev() {
            match base.kind() {
                Kind::Get(of, j) if **j == *i => base = of,
                _ => return false,
            }
        }
        matches!(base.kind(), Kind::Var(v) if *v == self.a)
    }

    /// The row of an array.
    fn row_of(&self, whole: Expr) -> Expr {
        let o = whole.origin();
        self.indices.iter().fold(whole, |e, i| build::get(e, i.clone(), o))
    }

    /// The whole array that a term for the row is a row of.
    fn row(&mut self, e: &Expr) -> Option<Expr> {
        let o = e.origin();
        if self.is_taken(e) {
            return Some(build::var(self.a, self.ty.clone(), o));
        }
        match e.kind() {
            Kind::Var(x) => self.rows.get(x).map(|x| build::var(*x, self.ty.clone(), o)),
            Kind::Proj(of, k) => match of.kind() {
                Kind::Var(s) => {
                    let (s, ty, j) = self.tuples.get(s)?;
                    (j == k).then(|| build::proj(build::var(*s, ty.clone(), o), *k, o))
                }
                _ => {
                    let of = self.tuple(of, *k)?;
                    Some(build::proj(of, *k, o))
                }
            },
            Kind::Update(Update { array, indices, op, value }) => {
                let array = self.row(array)?;
                self.changed = true;
                let own = indices.iter().map(|i| self.other(i)).all_some()?;
                let place = self.indices.iter().cloned().chain(own).collect_vec();
                Some(build::update(array, place, *op, self.other(value)?, o))
            }
            Kind::IFold(f) if f.init.ty.is_array() => {
                let (count, init) = (self.other(&f.count)?, self.row(&f.init)?);
                let state = self.names.again(f.state);
                self.rows.insert(f.state, state);
                self.steps(f, (count, init, state), |rows, body| rows.row(body), o)
            }
            Kind::Let(..) => self.scope(e, &mut |rows, b| rows.row(b)),
            Kind::If(c, a, b) => Some(build::branch(self.other(c)?, self.row(a)?, self.row(b)?, o)),
            Kind::Demand(d) => Some(build::require(self.required(d)?, self.row(&d.then)?, o)),
            _ => None,
        }
    }

    /// A tuple whose `k`th component is the row.
    fn tuple(&mut self, e: &Expr, k: usize) -> Option<Expr> {
        let o = e.origin();
        match e.kind() {
            Kind::Var(s) => {
                let (s, ty, j) = self.tuples.get(s)?;
                (*j == k).then(|| build::var(*s, ty.clone(), o))
            }
            Kind::Tuple(es) => {
                let parts = es.iter().enumerate().map(|(j, e)| if j == k { self.row(e) } else { self.other(e) });
                Some(build::tuple(parts.all_some()?, o))
            }
            Kind::IFold(f) => {
                let (count, init) = (self.other(&f.count)?, self.tuple(&f.init, k)?);
                let state = self.names.again(f.state);
                self.tuples.insert(f.state, (state, init.ty.clone(), k));
                self.steps(f, (count, init, state), |rows, body| rows.tuple(body, k), o)
            }
            Kind::Let(..) => self.scope(e, &mut |rows, b| rows.tuple(b, k)),
            Kind::If(c, a, b) => Some(build::branch(self.other(c)?, self.tuple(a, k)?, self.tuple(b, k)?, o)),
            Kind::Demand(d) => Some(build::require(self.required(d)?, self.tuple(&d.then, k)?, o)),
            _ => None,
        }
    }

    /// The requirement of a check, with reads of the whole array instead of the row.
    fn required(&self, Demand { what, .. }: &Demand) -> Option<Required> {
        let mut what = what.clone();
        for e in what.terms_mut() {
            *e = self.other(e)?;
        }
        Some(what)
    }

    fn steps(
        &mut self,
        f: &IFold,
        (count, init, state): (Expr, Expr, VarId),
        body: impl FnOnce(&mut Self, &Expr) -> Option<Expr>,
        o: crate::span::Origin,
    ) -> Option<Expr> {
        self.changed = true;
        let test = match &f.test {
            Some(t) => Some(self.other(t)?),
            None => None,
        };
        let body = body(self, &f.body)?;
        let fold = build::ifold(count, init, (state, f.index), body, o);
        Some(match test {
            Some(t) => build::while_holds(fold, t),
            None => fold,
        })
    }

    /// `let x = v in b`, where `v` may be the row or have it as a component.
    fn scope(&mut self, e: &Expr, rest: &mut dyn FnMut(&mut Self, &Expr) -> Option<Expr>) -> Option<Expr> {
        let Kind::Let(x, v, b) = e.kind() else { return None };
        let o = e.origin();
        if !self.concerns(v) {
            return Some(build::bind(*x, (**v).clone(), rest(self, b)?, o));
        }
        if self.is_taken(v) {
            self.rows.insert(*x, self.a);
            return rest(self, b);
        }
        if v.ty.is_array()
            && let Some(whole) = self.attempt(|rows| rows.row(v))
        {
            let new = self.names.again(*x);
            self.rows.insert(*x, new);
            return Some(build::bind(new, whole, rest(self, b)?, o));
        }
        if let Type::Tuple(ts) = &v.ty {
            let arrays = (0..ts.len()).filter(|k| ts[*k].is_array()).collect_vec();
            for k in arrays {
                if let Some(whole) = self.attempt(|rows| rows.tuple(v, k)) {
                    let new = self.names.again(*x);
                    self.tuples.insert(*x, (new, whole.ty.clone(), k));
                    return Some(build::bind(new, whole, rest(self, b)?, o));
                }
            }
        }
        let v = self.other(v)?;
        Some(build::bind(*x, v, rest(self, b)?, o))
    }

    /// The result of `f`. If it is `None`, the names that `f` has recorded are forgotten.
    fn attempt<R>(&mut self, f: impl FnOnce(&mut Self) -> Option<R>) -> Option<R> {
        let (rows, tuples, changed) = (self.rows.clone(), self.tuples.clone(), self.changed);
        let found = f(self);
        if found.is_none() {
            (self.rows, self.tuples, self.changed) = (rows, tuples, changed);
        }
        found
    }

    /// Whether a term mentions the array or the row.
    fn concerns(&self, e: &Expr) -> bool {
        let ours = |x: &VarId| *x == self.a || self.rows.contains_key(x) || self.tuples.contains_key(x);
        e.count(|e| matches!(e.kind(), Kind::Var(x) if ours(x))) > 0
    }

    /// Any other term: its reads of the row are reads of the whole arrays. It may not read the old array once the row
    /// has been changed, nor pass a tuple on.
    fn other(&self, e: &Expr) -> Option<Expr> {
        // A part of the old array would still be needed later.
        if !self.changed && e.ty.scalar().is_none() && e.mentions(self.a) {
            return None;
        }
        let mut new = e.clone();
        self.replace(&mut new).then_some(new)
    }

    fn replace(&self, e: &mut Expr) -> bool {
        let o = e.origin();
        match e.kind() {
            // A size is not read from memory.
            Kind::Len(of, _) if self.is_taken(of) => true,
            Kind::Var(x) if *x == self.a => !self.changed,
            Kind::Var(x) if self.tuples.contains_key(x) => false,
            Kind::Var(x) => {
                if let Some(whole) = self.rows.get(x) {
                    *e = self.row_of(build::var(*whole, self.ty.clone(), o));
                }
                true
            }
            Kind::Proj(of, k) if let Kind::Var(s) = of.kind() => {
                if let Some((new, ty, j)) = self.tuples.get(s) {
                    let part = build::proj(build::var(*new, ty.clone(), o), *k, o);
                    *e = if j == k { self.row_of(part) } else { part };
                }
                true
            }
            _ => e.children_mut().all(|c| self.replace(c)),
        }
    }
}

/// Whether an index is arithmetic of at most this number of operations on variables, numbers and lengths, so that it
/// may be computed again.
fn is_cheap(e: &Expr, operations: usize) -> bool {
    match e.kind() {
        Kind::Prim(..) => operations > 0 && e.all_children(&mut |c| is_cheap(c, operations - 1)),
        Kind::Var(_) | Kind::Lit(_) | Kind::Const(_) => true,
        Kind::Len(a, _) => matches!(a.kind(), Kind::Var(_)),
        _ => false,
    }
}
