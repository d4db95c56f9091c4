//! Places: parts of mutable variables, which are read and written.
//!
//! ```text
//! read x[i].k    = x'[i].k                                    x' the value of x here
//! write x.k v    = (x'.0, …, v, …)
//! write x[i][j] v = x' with [i, j] = v
//! ```

use crate::diag::codes;
use crate::elaborate::context::Cx;
use crate::elaborate::context::scope::{Binding, Mutable, Place, Scope, Step, Version};
use crate::elaborate::flow::chain::{Chain, Let};
use crate::elaborate::flow::stand_ins::way_to_assign;
use crate::elaborate::flow::state::MutableInfo;
use crate::elaborate::terms::records;
use crate::fsmooth::{Expr, Kind, build};
use crate::mapped::Mapped;
use crate::prim::Prim;
use crate::span::Origin;
use crate::surface::{self, Expr as Surface, ExprKind, Extent};
use crate::ty::Type;

impl Cx<'_> {
    /// A term under a name, unless it is a variable or a literal.
    pub(crate) fn named(&mut self, name: &str, e: Expr, lets: &mut Vec<Let>) -> Expr {
        if matches!(e.kind(), Kind::Var(_) | Kind::Lit(_)) {
            return e;
        }
        let (x, ty, o) = (self.names.fresh(name), e.ty().clone(), e.origin());
        lets.push(Let::Value(x, e));
        build::var(x, ty, o)
    }

    /// An index under a name, unless it costs nothing to repeat.
    pub(crate) fn repeatable(&mut self, name: &str, e: Expr, lets: &mut Vec<Let>) -> Expr {
        if is_cheap_index(&e, 4) { e } else { self.named(name, e, lets) }
    }

    /// The place that an expression denotes. Its indices are evaluated from left to right.
    pub(crate) fn place(&mut self, e: &Surface, chain: &mut Chain) -> Option<Place> {
        let place = match &e.kind {
            ExprKind::Path(p) => self.variable(p, e.at, &chain.scope)?,
            ExprKind::Same(_) if self.flow.copies.contains(&e.id) => {
                let message = "this changes a copy that has no name, so the change is lost\nleave the copy out to change the array itself, or name the copy: `let mut b = a.clone();`";
                self.error(&codes::STATE, e.at, message);
                return None;
            }
            ExprKind::Same(a) if self.is_copied(a, &chain.scope) => return None,
            ExprKind::Same(a) if self.flow.behind.contains(&e.id) && !self.is_reference(a, &chain.scope) => {
                return None;
            }
            ExprKind::Same(a) | ExprKind::Borrow(a) => self.place(a, chain)?,
            ExprKind::Field(a, k) => {
                let mut place = self.place(a, chain)?;
                let Some(part) = (if let Type::Tuple(ts) = &place.ty { ts.get(*k).cloned() } else { None }) else {
                    let message = format!(
                        "a value of type {} has no field {k}{}",
                        place.ty,
                        crate::elaborate::advice::mismatch::parts(&place.ty)
                    );
                    self.error(&codes::MISMATCH, e.at, message);
                    return None;
                };
                place.steps.push(Step::Field(*k));
                Place { ty: part, ..place }
            }
            ExprKind::Index(a, i) => {
                let place = self.place(a, chain);
                self.stays([&**i])?;
                let i = self.index(i, chain);
                let (mut place, i) = (place?, i?);
                let Some(element) = place.ty.element() else {
                    let message = format!(
                        "a value of type {} cannot be indexed{}",
                        place.ty,
                        crate::elaborate::advice::mismatch::parts(&place.ty)
                    );
                    self.error(&codes::NOT_AN_ARRAY, a.at, message);
                    return None;
                };
                let i = in_slice(i, &place.steps);
                let i = self.repeatable("at", i, &mut chain.lets);
                place.steps.push(Step::Index(i));
                Place { ty: element, ..place }
            }
            ExprKind::Slice(a, s, t) => {
                let place = self.place(a, chain);
                self.stays(s.iter().chain(t).map(|b| &**b))?;
                let ends = self.ends(e, [s.as_deref(), t.as_deref()], chain);
                let mut place = place?;
                if !place.ty.is_array() {
                    let message = format!(
                        "a value of type {} cannot be sliced{}",
                        place.ty,
                        crate::elaborate::advice::mismatch::parts(&place.ty)
                    );
                    self.error(&codes::NOT_AN_ARRAY, a.at, message);
                    return None;
                }
                let (start, end) = ends?;
                let length = self.length(&place, &chain.scope, e.at)?;
                let (start, count) = self.bounds(start, end, length, &mut chain.lets);
                place.steps.push(Step::Range(start, count));
                place
            }
            ExprKind::Error => return None,
            _ => {
                let message = "only a variable, its elements and its parts can be assigned";
                self.error(&codes::STATE, e.at, message);
                return None;
            }
        };
        self.typed.types.insert(e.id, place.ty.clone());
        Some(place)
    }

    /// The start and the end of a slice `e`, as they are written.
    pub(crate) fn ends(
        &mut self,
        e: &Surface,
        [s, t]: [Option<&Surface>; 2],
        chain: &mut Chain,
    ) -> Option<(Expr, Option<Expr>)> {
        let start = match s {
            Some(s) => self.index(s, chain),
            None => Some(build::index(0, self.origin(e.at))),
        };
        match t {
            Some(t) => {
                let end = self.index(t, chain);
                Some((start?, Some(end?)))
            }
            None => Some((start?, None)),
        }
    }

    /// Rejects indices of places that leave the statement: nothing may be written then.
    pub(crate) fn stays<'e>(&mut self, indices: impl IntoIterator<Item = &'e Surface>) -> Option<()> {
        let leaves = |e: &&Surface| self.effects(e).is_some_and(|d| !d.exits.is_empty() || d.diverges);
        let found: Vec<Extent> = indices.into_iter().filter(leaves).mapped(|e| e.at);
        for at in &found {
            let message =
                "an index on the left side of an assignment leaves the statement\ncompute the index before, with `let`";
            self.error(&codes::STATE, *at, message);
        }
        found.is_empty().then_some(())
    }

    /// The start of a slice of an array with `length` elements, and the number of its elements; panics where Rust does.
    pub(crate) fn bounds(&mut self, start: Expr, end: Option<Expr>, length: Expr, lets: &mut Vec<Let>) -> (Expr, Expr) {
        let end = end.map_or(length.clone(), |e| within(e, length));
        let end = self.repeatable("end", end, lets);
        let start = self.repeatable("start", within(start, end.clone()), lets);
        let count = self.repeatable("count", minus(end, start.clone()), lets);
        (start, count)
    }

    /// Rejects `*x`, where `x` is not a reference to a place: `mut x` would change a copy.
    fn is_copied(&mut self, a: &Surface, scope: &Scope) -> bool {
        let ExprKind::Path(p) = &a.kind else { return false };
        let Some(Binding::Var(v, _)) = p.get_ident().and_then(|i| scope.lookup(i)) else { return false };
        if self.flow.borrowed.contains(&v) {
            return false;
        }
        let name = surface::path_key(p);
        let message = format!("`*{name}` is assigned, but `{name}` is not a mutable reference");
        let help = way_to_assign(self, &name).unwrap_or_else(|| format!("assign to the element itself, as in `a[i] = …`, or take a reference to it: `let {name} = &mut a[i];`, `for {name} in a.iter_mut()`"));
        self.helped(&codes::STATE, a.at, message, &help);
        true
    }

    /// Whether `a` in `*a` is a mutable reference. Rejects the value of a variable, and a part of it.
    fn is_reference(&mut self, a: &Surface, scope: &Scope) -> bool {
        let known = match &a.kind {
            ExprKind::Path(p) => match p.get_ident().and_then(|i| scope.lookup(i)) {
                Some(Binding::Mutable(m)) => self.flow.mutables[m.0].lent,
                // An unknown name is reported where it is read.
                _ => true,
            },
            ExprKind::Field(t, _) if let Some(name) = self.pair(t, scope) => {
                let message = format!(
                    "`{name}` is a tuple of values, of which none can be assigned\nlet the pattern take it apart, as in `for (x, y) in a.iter_mut().zip(b)`"
                );
                self.error(&codes::STATE, a.at, message);
                return false;
            }
            ExprKind::Field(t, _) | ExprKind::Index(t, _) => !self.is_part(t, scope),
            ExprKind::Same(_) => !self.flow.behind.contains(&a.id),
            _ => true,
        };
        if !known {
            let message = match &a.kind {
                ExprKind::Path(p) => {
                    let name = surface::path_key(p);
                    format!(
                        "`*{name}` is assigned, but `{name}` is not a mutable reference\nassign to the variable itself, `{name} = …`, or let it stand for an element, `let {name} = &mut a[i];`"
                    )
                }
                _ => {
                    "`*` is for what is behind a mutable reference, and this is the value itself\nremove the `*`".into()
                }
            };
            self.error(&codes::STATE, a.at, message);
        }
        known
    }

    /// The name of a tuple that is not assigned.
    fn pair(&self, e: &Surface, scope: &Scope) -> Option<String> {
        let ExprKind::Path(p) = &e.kind else { return None };
        let found = scope.lookup(p.get_ident()?);
        matches!(found, Some(Binding::Var(_, Type::Tuple(_)))).then(|| surface::path_key(p))
    }

    /// Whether a term is a variable that is assigned, or a part of one.
    fn is_part(&self, e: &Surface, scope: &Scope) -> bool {
        match &e.kind {
            ExprKind::Path(p) => {
                let found = p.get_ident().and_then(|i| scope.lookup(i));
                matches!(found, Some(Binding::Mutable(_) | Binding::Part(_)))
            }
            ExprKind::Same(a) | ExprKind::Borrow(a) | ExprKind::Field(a, _) | ExprKind::Index(a, _) => {
                self.is_part(a, scope)
            }
            _ => false,
        }
    }

    /// A variable as a place.
    fn variable(&mut self, path: &syn::Path, at: Extent, scope: &Scope) -> Option<Place> {
        let found = path.get_ident().and_then(|i| scope.lookup(i));
        let name = surface::path_key(path);
        match found {
            Some(Binding::Mutable(m)) => {
                self.may_assign(m, at)?;
                let ty = self.flow.mutables[m.0].ty.clone();
                // A variable that was declared without a value has the type of the first one.
                Some(Place { root: m, steps: vec![], ty: ty.unwrap_or(Type::Tuple(vec![])) })
            }
            Some(Binding::Part(p)) => {
                self.may_assign(p.root, at)?;
                Some((*p).clone())
            }
            Some(Binding::Var(v, _)) if self.flow.borrowed.contains(&v) => {
                let message = format!("`{name}` is taken by `&`, so it can only be read");
                self.error(&codes::ARGUMENT_MUTATION, at, message);
                None
            }
            Some(Binding::Var(..)) => {
                let message = format!("`{name}` is assigned, but it is not mutable");
                let help = way_to_assign(self, &name).unwrap_or_else(|| format!("declare it as `mut {name}`"));
                self.helped(&codes::STATE, at, message, &help);
                None
            }
            Some(Binding::Closure(_)) => {
                self.error(&codes::STATE, at, format!("`{name}` is a closure, and cannot be assigned\nbind the other closure to another name with `let`"));
                None
            }
            Some(Binding::Broken) => None,
            None => {
                let hint = path.get_ident().and_then(|i| scope.similar(i));
                let hint = hint.map(|s| format!("\ndid you mean `{s}`?")).unwrap_or_default();
                self.error(&codes::UNKNOWN_NAME, at, format!("nothing in scope is called `{name}`{hint}"));
                None
            }
        }
    }

    /// Rejects an assignment in a closure to a variable from outside of it.
    fn may_assign(&mut self, m: Mutable, at: Extent) -> Option<()> {
        if m.0 >= self.flow.captured {
            return Some(());
        }
        let name = self.flow.mutables[m.0].name.clone();
        let message = format!(
            "`{name}` is assigned in this closure, but it is declared outside of it: a closure only reads what it captures\n\
             write a loop instead, `for i in 0..n {{ {name} = … }}`"
        );
        self.error(&codes::STATE, at, message);
        None
    }

    /// The value of a mutable variable here.
    pub(crate) fn current(&mut self, m: Mutable, scope: &Scope, at: Extent) -> Option<Expr> {
        match scope.version(m) {
            Some(Version::Value(mut e)) => {
                e.origin = self.origin(at);
                Some(e)
            }
            Some(Version::Broken) => None,
            None => {
                let MutableInfo { name, zero, .. } = &self.flow.mutables[m.0];
                let first = "assign it first, on every path that leads here";
                let help = match zero {
                    Some(zero) => {
                        format!("give it a value where it is declared, `let mut {name} = {zero};`, or {first}")
                    }
                    None => first.into(),
                };
                let message = format!("`{name}` has no value here");
                self.helped(&codes::STATE, at, message, &help);
                None
            }
        }
    }

    /// The value of a place.
    pub(crate) fn read(&mut self, place: &Place, scope: &Scope, at: Extent) -> Option<Expr> {
        let whole = self.current(place.root, scope, at)?;
        Some(part(whole, &place.steps))
    }

    /// The length of the array at a place.
    pub(crate) fn length(&mut self, place: &Place, scope: &Scope, at: Extent) -> Option<Expr> {
        if let Some(Step::Range(_, n)) = place.steps.last() {
            return Some(n.clone());
        }
        let whole = self.current(place.root, scope, at)?;
        let indices = place.steps.iter().rev().take_while(|s| !matches!(s, Step::Field(_)));
        let axis = indices.filter(|s| matches!(s, Step::Index(_))).count();
        let fields = place.steps.iter().rposition(|s| matches!(s, Step::Field(_))).map_or(0, |k| k + 1);
        let o = whole.origin();
        Some(build::len(part(whole, &place.steps[..fields]), axis, o))
    }

    /// A new mutable variable without a value.
    pub(crate) fn mutable(&mut self, name: &str, ty: Option<Type>) -> Mutable {
        self.flow.mutables.push(MutableInfo { name: name.to_string(), ty, zero: None, lent: false });
        Mutable(self.flow.mutables.len() - 1)
    }
}

/// `end - start`, or 0 where the end is before the start.
pub(crate) fn difference(end: Expr, start: Expr) -> Expr {
    let o = end.origin();
    let number = |e: &Expr| if let Kind::Lit(l) = e.kind() { l.as_int() } else { None };
    match (number(&start), number(&end)) {
        (Some(0), _) => end,
        (Some(a), Some(b)) => build::index((b - a).max(0) as u64, o),
        _ => {
            let most = build::prim(Prim::Max, vec![end, start.clone()], o);
            build::prim(Prim::Sub, vec![most, start], o)
        }
    }
}

/// `end - start`, where the start is within the end.
pub(crate) fn minus(end: Expr, start: Expr) -> Expr {
    let (o, number) = (end.origin(), |e: &Expr| if let Kind::Lit(l) = e.kind() { l.as_int() } else { None });
    match (number(&start), number(&end)) {
        (Some(0), _) => end,
        (Some(a), Some(b)) if a <= b => build::index((b - a) as u64, o),
        _ => build::prim(Prim::Sub, vec![end, start], o),
    }
}

/// `x`, which panics unless `x <= n`.
pub(crate) fn within(x: Expr, n: Expr) -> Expr {
    let (o, number) = (x.origin(), |e: &Expr| if let Kind::Lit(l) = e.kind() { l.as_int() } else { None });
    match (number(&x), number(&n)) {
        (Some(0), _) => x,
        (Some(a), Some(b)) if a <= b => x,
        _ => build::prim(Prim::Within, vec![x, n], o),
    }
}

/// An index of the array at a place: of a slice it is below the number of its elements.
pub(crate) fn in_slice(i: Expr, steps: &[Step]) -> Expr {
    let Some(Step::Range(_, n)) = steps.last() else { return i };
    let (o, one) = (i.origin(), build::index(1, i.origin()));
    minus(within(build::prim(Prim::Add, vec![i, one.clone()], o), n.clone()), one)
}

/// `a + b`, without an addition where one of them is 0.
pub(crate) fn plus(a: Expr, b: Expr) -> Expr {
    let o = b.origin();
    let is_zero = |e: &Expr| matches!(e.kind(), Kind::Lit(l) if l.as_int() == Some(0));
    match () {
        () if is_zero(&a) => b,
        () if is_zero(&b) => a,
        () => build::prim(Prim::Add, vec![a, b], o),
    }
}

/// Whether a term is arithmetic on a few variables, literals and lengths.
fn is_cheap_index(e: &Expr, operations: usize) -> bool {
    fn operations_in(e: &Expr) -> Option<usize> {
        match e.kind() {
            Kind::Var(_) | Kind::Lit(_) | Kind::Const(_) => Some(0),
            Kind::Len(a, _) | Kind::Proj(a, _) => matches!(a.kind(), Kind::Var(_)).then_some(0),
            Kind::Prim(Prim::Add | Prim::Sub | Prim::Mul | Prim::Min | Prim::Max, args) => {
                args.iter().try_fold(1, |n, a| Some(n + operations_in(a)?))
            }
            _ => None,
        }
    }
    operations_in(e).is_some_and(|n| n <= operations)
}

/// A part of a value.
pub(crate) fn part(whole: Expr, steps: &[Step]) -> Expr {
    let o = whole.origin();
    let (mut e, mut offset) = (whole, None);
    for (k, s) in steps.iter().enumerate() {
        e = match s {
            Step::Field(k) => build::proj(e, *k, o),
            Step::Index(i) => build::get(e, shifted(offset.take(), i), o),
            Step::Range(s, n) => {
                let start = shifted(offset.take(), s);
                if k + 1 < steps.len() {
                    offset = Some(start);
                    continue;
                }
                let end = plus(start.clone(), n.clone());
                build::slice(e, start, end, o)
            }
        };
    }
    e
}

/// An index of a slice as an index of the array.
fn shifted(start: Option<Expr>, i: &Expr) -> Expr {
    start.map_or(i.clone(), |s| plus(s, i.clone()))
}

/// The value `whole` with a new part. `new` makes the innermost array around the part that is not a row, from the old array
/// and the indices of the part; without indices it makes the part itself.
pub(crate) fn part_written(whole: Expr, steps: &[Step], new: &mut dyn FnMut(Expr, Vec<Expr>) -> Expr) -> Expr {
    let o = whole.origin();
    match steps.first() {
        None => new(whole, vec![]),
        Some(Step::Field(k)) => {
            let Type::Tuple(ts) = whole.ty().clone() else { return whole };
            let parts = (0..ts.len()).map(|j| {
                let old = build::proj(whole.clone(), j, o);
                if j == *k { part_written(old, &steps[1..], new) } else { old }
            });
            build::tuple(parts.collect_vec(), o)
        }
        // A part of an element is an element of the column.
        Some(_) if let Some(field) = steps.iter().position(|s| matches!(s, Step::Field(_))) => {
            let Some(columns) = records::columns(whole.ty()) else { return whole };
            let ty = whole.ty().clone();
            let mut of_column = steps.to_vec();
            of_column[..=field].rotate_right(1);
            let apart = records::retyped(whole, &Type::Tuple(columns));
            records::retyped(part_written(apart, &of_column, new), &ty)
        }
        Some(_) => {
            let (mut indices, mut offset) = (Vec::new(), None);
            for s in steps {
                match s {
                    Step::Index(i) => indices.push(shifted(offset.take(), i)),
                    Step::Range(s, _) => offset = Some(shifted(offset.take(), s)),
                    Step::Field(_) => {}
                }
            }
            new(whole, indices)
        }
    }
}

/// A value with another part, or with the old part `⊕` a value.
pub(crate) fn updated(whole: Expr, steps: &[Step], op: Option<Prim>, value: Expr, o: Origin) -> Expr {
    part_written(whole, steps, &mut |old, indices| {
        if indices.is_empty() { value.clone() } else { build::update(old, indices, op, value.clone(), o) }
    })
}
