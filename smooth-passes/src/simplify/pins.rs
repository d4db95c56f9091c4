//! Pins: terms with assertions in them are evaluated, used or not.
//!
//! ```text
//! let x = a in b          ⟶  let x = a in evaluate x in b             where a asserts
//! f a                     ⟶  let x = a in evaluate x in f x           where a asserts, and f evaluates it exactly once
//! evaluate a in b         ⟶  b                                        where a does not assert (any more), or is b
//! evaluate (ē) in b       ⟶  evaluate e₀ in … in b
//! evaluate build n (λi. e) in b   ⟶  evaluate ifold (λs i. evaluate e in s) 0 n in b
//! let x = build n (λi. a) in evaluate x in let y = sum n (λi. … x[i] …) in b
//!     ⟶  let x = build n (λi. a) in let y = sum n (λi. … x[i] …) in evaluate y in b
//! ```
//!
//! A check is evaluated with the term after it, and most rules drop, move and split terms as if only their values
//! mattered. After `let`s alone a check floats to the front (`rules.rs`); the rest are in branches, loops,
//! functions and callees. A term *asserts* if there is an assertion in it, or if it reads an array whose elements
//! assert. An array that is pinned is stored, unless a loop evaluates each of its elements (the last rule): then it may
//! be fused with that one.

use crate::fsmooth::{Build, Demand, Expr, Kernel, Kind, Required, Slot, build, take};
use crate::mapped::Mapped;
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::sorted::Set;
use crate::ty::Type;

/// Whether there is something to pin.
pub fn asserts(kernel: &Kernel) -> bool {
    let callee = |k: &usize| kernel.interface.callees[*k].companion.asserts;
    let claims = |e: &Expr| match e.kind() {
        Kind::Demand(d) => matches!(d.what, Required::Holds(_)),
        Kind::Call(k, _) => callee(k),
        _ => false,
    };
    kernel.body.count(claims) > 0
}

/// Pins the terms of a kernel that assert.
pub(super) fn pin(kernel: &mut Kernel) -> bool {
    asserts(kernel) && Pins::run(kernel, true)
}

/// Drops and moves pins. Returns whether one was dropped or moved.
pub(super) fn settle(kernel: &mut Kernel) -> bool {
    let is_pin = |e: &Expr| matches!(e.kind(), Kind::Demand(Demand { what: Required::Evaluated(_), .. }));
    kernel.body.count(is_pin) > 0 && Pins::run(kernel, false)
}

struct Pins<'n> {
    names: &'n mut Names,
    /// Whether each callee asserts.
    callees: Vec<bool>,
    /// The variables of `let`s whose values assert.
    asserting: Set<VarId>,
    /// Whether to pin, and not to settle.
    pins: bool,
    changed: bool,
}

impl Pins<'_> {
    fn run(kernel: &mut Kernel, pins: bool) -> bool {
        let callees = kernel.interface.callees.iter().map(|c| c.companion.asserts).collect_vec();
        let mut walk = Pins { names: &mut kernel.names, callees, asserting: Set::new(), pins, changed: false };
        walk.walk(&mut kernel.body);
        walk.changed
    }

    /// Walks a term. Returns whether it asserts.
    fn walk(&mut self, e: &mut Expr) -> bool {
        match &mut e.kind {
            // A number is pinned where it is computed.
            Kind::Var(v) => self.asserting.contains(v) && e.ty.scalar().is_none(),
            Kind::Let(x, value, scope) => {
                let own = self.walk(value);
                if own {
                    self.asserting.insert(*x);
                }
                if value.ty.is_fn() {
                    return self.walk(scope);
                }
                if own && self.pins && !is_pinned(scope, *x) {
                    pin_in(scope, *x, &value.ty);
                    self.changed = true;
                }
                if own && !self.pins && matches!(value.kind, Kind::Build(_)) && hand_on(*x, value, scope) {
                    self.changed = true;
                }
                self.walk(scope) | own
            }
            Kind::Demand(Demand { what: Required::Evaluated(_), .. }) => self.evaluated(e),
            _ => self.parts(e),
        }
    }

    fn parts(&mut self, e: &mut Expr) -> bool {
        let mut own = match &e.kind {
            Kind::Demand(d) => matches!(d.what, Required::Holds(_)),
            Kind::Call(k, _) => self.callees[*k],
            _ => false,
        };
        let named = self.pins && !matches!(e.kind, Kind::Tuple(_));
        let (o, mut lets) = (e.origin, Vec::new());
        for (slot, part) in e.parts_mut() {
            let asserts = self.walk(part);
            own |= asserts && slot != Slot::Failure;
            let once = slot.role().is_once() && !matches!(slot, Slot::Scope | Slot::Function) && !part.ty.is_fn();
            if asserts && named && once && !is_path(part) {
                let x = self.names.fresh("pinned");
                let variable = build::var(x, part.ty.clone(), o);
                lets.push((x, std::mem::replace(part, variable)));
            }
        }
        for (x, value) in lets.into_iter().rev() {
            self.asserting.insert(x);
            let ty = value.ty.clone();
            let mut scope = take(e);
            pin_in(&mut scope, x, &ty);
            *e = build::bind(x, value, scope, o);
            self.changed = true;
        }
        own
    }

    /// Whether a term is a variable of a value that asserts, or a tuple with one.
    fn names_one(&self, e: &Expr) -> bool {
        match e.kind() {
            Kind::Var(v) => self.asserting.contains(v),
            Kind::Tuple(es) | Kind::Array(es) => es.iter().any(|e| self.names_one(e)),
            Kind::Proj(a, _) | Kind::Len(a, _) => self.names_one(a),
            _ => false,
        }
    }

    /// A pin, and the term after it.
    fn evaluated(&mut self, e: &mut Expr) -> bool {
        let Kind::Demand(Demand { what: Required::Evaluated(value), then }) = &mut e.kind else { return false };
        let asserts = self.walk(value) | self.names_one(value);
        let behind = self.walk(then);
        if self.pins {
            return asserts || behind;
        }
        let (o, needed) = (value.origin, asserts && value != then);
        let parts: Vec<Expr> = match &mut value.kind {
            _ if !needed => vec![],
            Kind::Tuple(es) | Kind::Array(es) => std::mem::take(es),
            Kind::Prim(p, es) if !matches!(p, Prim::And | Prim::Or) => std::mem::take(es),
            Kind::Proj(a, _) | Kind::Len(a, _) => vec![take(a)],
            Kind::Build(Build { count, index, body }) => {
                let (s, body) = (self.names.fresh("pinned"), take(body));
                let step = build::evaluate(body, build::var(s, Type::USIZE, o), o);
                vec![build::ifold(take(count), build::index(0, o), (s, *index), step, o)]
            }
            _ => return true,
        };
        self.changed = true;
        let then = take(then);
        *e = parts.into_iter().rev().fold(then, |then, part| build::evaluate(part, then, o));
        asserts || behind
    }
}

/// Whether a term is a variable or a part of one.
fn is_path(e: &Expr) -> bool {
    match e.kind() {
        Kind::Var(_) => true,
        Kind::Get(a, _) | Kind::Slice(a, ..) | Kind::Proj(a, _) => is_path(a),
        _ => false,
    }
}

/// Whether `x` is pinned at the head of its scope.
fn is_pinned(scope: &Expr, x: VarId) -> bool {
    match scope.kind() {
        Kind::Demand(Demand { what: Required::Evaluated(e), .. }) if *e.kind() == Kind::Var(x) => true,
        Kind::Demand(Demand { then, .. }) => is_pinned(then, x),
        _ => false,
    }
}

fn pin_in(scope: &mut Expr, x: VarId, ty: &Type) {
    let o = scope.origin;
    let then = take(scope);
    *scope = build::evaluate(build::var(x, ty.clone(), o), then, o);
}

/// Moves the pin of an array to the first term that evaluates all of its elements. Returns whether there is one.
fn hand_on(x: VarId, array: &Expr, scope: &mut Expr) -> bool {
    is_pinned(scope, x) && pin_reader(x, array, scope) && {
        unpin(scope, x);
        true
    }
}

/// Drops the pin of `x` at the head of its scope.
fn unpin(scope: &mut Expr, x: VarId) {
    let Kind::Demand(Demand { what, then }) = &mut scope.kind else { return };
    if !matches!(what, Required::Evaluated(v) if *v.kind() == Kind::Var(x)) {
        return unpin(then, x);
    }
    let then = take(then);
    *scope = then;
}

/// Pins the first term of a scope that evaluates all elements of `x`. Returns whether there is one.
fn pin_reader(x: VarId, array: &Expr, scope: &mut Expr) -> bool {
    match &mut scope.kind {
        Kind::Let(y, value, rest) => {
            if !covers(value, &build::var(x, array.ty.clone(), array.origin), array) {
                return pin_reader(x, array, rest);
            }
            if !is_pinned(rest, *y) {
                pin_in(rest, *y, &value.ty);
            }
            true
        }
        Kind::Demand(Demand { then, .. }) => pin_reader(x, array, then),
        _ => covers(scope, &build::var(x, array.ty.clone(), array.origin), array),
    }
}

/// Whether evaluating a loop evaluates all elements of a part of a variable, which are those of the build `array`.
fn covers(e: &Expr, part: &Expr, array: &Expr) -> bool {
    let Kind::Build(Build { count, index, body }) = array.kind() else { return false };
    let Some(own) = e.as_loop().filter(|l| l.count == &**count && e.part(Slot::Test).is_none()) else { return false };
    let mut row = &**body;
    while let Kind::Let(_, _, b) | Kind::Demand(Demand { then: b, .. }) = row.kind() {
        row = b;
    }
    let Some(ty) = array.ty().element() else { return false };
    let at = build::get(part.clone(), build::var(own.index, Type::USIZE, e.origin), e.origin);
    if !ty.is_array() {
        return surely(own.body, &|e| *e == at);
    }
    // A row whose length depends on its index may be any.
    let fixed = matches!(row.kind(), Kind::Build(b) if !b.count.mentions(*index));
    fixed && surely(own.body, &|e| covers(e, &at, row))
}

/// Whether a part that satisfies `p` is evaluated whenever the term is, and does not panic before.
fn surely(e: &Expr, p: &dyn Fn(&Expr) -> bool) -> bool {
    p(e) || e
        .parts()
        .into_iter()
        .any(|(slot, part)| (slot.role().is_once() || slot == Slot::Checked) && surely(part, p))
}
