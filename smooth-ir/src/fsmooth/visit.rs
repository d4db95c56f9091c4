//! Walks over F̃: parts, binders, free variables, substitution, renaming, size.

use super::{Build, Combine, Combiner, Demand, Expr, IFold, Kind, Reduce, Required, Update};
use crate::mapped::Mapped;
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::role::Role;
use crate::sorted::{Map, Set};

/// The place of a part in the term around it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Slot {
    /// An operand of an operation, an element of a literal, an argument of a call.
    Operand,
    /// The right operand of `&&` and `||`.
    Right,
    /// The value of a `let`.
    Value,
    /// The scope of a `let`.
    Scope,
    /// The condition of an `if`.
    Condition,
    /// The value of an `if` where the condition holds.
    Then,
    /// Its value where the condition does not hold.
    Else,
    /// The term of an assertion that is evaluated if the condition does not hold.
    Failure,
    /// The term that is evaluated after a check.
    Checked,
    /// The function that is called.
    Function,
    /// The body of a function.
    Lambda,
    /// The number of iterations of a loop.
    Count,
    /// The state before the first iteration; the neutral value of a reduction.
    Init,
    /// The test whether a loop continues.
    Test,
    /// The combination of two values of a reduction.
    Combine,
    /// The body of a loop.
    Body,
    /// The array that is read, sliced or measured; the tuple of a projection.
    Base,
    /// An index, or a bound of a slice.
    Index,
}

impl Slot {
    /// The role of the part, which says when it is evaluated: the one answer for all of F̃.
    pub fn role(self) -> Role {
        match self {
            Slot::Right | Slot::Then | Slot::Else | Slot::Failure | Slot::Checked => Role::Maybe,
            Slot::Test | Slot::Combine | Slot::Body => Role::Often,
            Slot::Lambda => Role::Deferred,
            Slot::Operand
            | Slot::Value
            | Slot::Scope
            | Slot::Condition
            | Slot::Function
            | Slot::Count
            | Slot::Init
            | Slot::Base
            | Slot::Index => Role::Once,
        }
    }

    /// Whether the binders of the term are in scope in this part.
    pub fn is_scope(self) -> bool {
        matches!(self, Slot::Scope | Slot::Lambda | Slot::Test | Slot::Combine | Slot::Body)
    }
}

/// A loop over a range: a `build`, an `ifold` or a reduction.
#[derive(Clone, Copy, Debug)]
pub struct Loop<'e> {
    /// Number of iterations.
    pub count: &'e Expr,
    /// The iteration's index.
    pub index: VarId,
    /// The term that an iteration evaluates.
    pub body: &'e Expr,
}

/// A part of a term: its place, and the term there.
pub type Part<E> = (Slot, E);

/// The parts of a node in the order of their evaluation, by reference and by mutable reference from one list.
macro_rules! parts {
    ($kind:expr, $put:ident, $all:ident, $($mutable:tt)?) => {
        match $kind {
            Kind::Var(_) | Kind::Lit(_) | Kind::Const(_) => {}
            Kind::Prim(Prim::And | Prim::Or, es) => {
                let mut slot = Slot::Operand;
                for e in es.$all() {
                    $put(slot, e);
                    slot = Slot::Right;
                }
            }
            Kind::Prim(_, es) | Kind::Array(es) | Kind::Tuple(es) | Kind::Call(_, es) => {
                for e in es.$all() {
                    $put(Slot::Operand, e);
                }
            }
            Kind::Let(_, value, body) => {
                $put(Slot::Value, value);
                $put(Slot::Scope, body);
            }
            Kind::If(c, a, b) => {
                $put(Slot::Condition, c);
                $put(Slot::Then, a);
                $put(Slot::Else, b);
            }
            Kind::Lam(_, body) => $put(Slot::Lambda, body),
            Kind::App(f, es) => {
                $put(Slot::Function, f);
                for e in es.$all() {
                    $put(Slot::Operand, e);
                }
            }
            Kind::Build(Build { count, body, .. }) => {
                $put(Slot::Count, count);
                $put(Slot::Body, body);
            }
            Kind::Reduce(Reduce { count, body, with, .. }) => {
                $put(Slot::Count, count);
                if let Combine::Function(with) = with {
                    let Combiner { init, body: combined, .. } = &$($mutable)? **with;
                    $put(Slot::Init, init);
                    $put(Slot::Combine, combined);
                }
                $put(Slot::Body, body);
            }
            Kind::IFold(IFold { count, init, test, body, .. }) => {
                $put(Slot::Count, count);
                $put(Slot::Init, init);
                if let Some(test) = test {
                    $put(Slot::Test, test);
                }
                $put(Slot::Body, body);
            }
            Kind::Update(Update { array, indices, value, .. }) => {
                $put(Slot::Base, array);
                for i in indices.$all() {
                    $put(Slot::Index, i);
                }
                $put(Slot::Operand, value);
            }
            Kind::Get(a, i) => {
                $put(Slot::Base, a);
                $put(Slot::Index, i);
            }
            Kind::Len(a, _) | Kind::Proj(a, _) => $put(Slot::Base, a),
            Kind::Slice(a, s, t) => {
                $put(Slot::Base, a);
                $put(Slot::Index, s);
                $put(Slot::Index, t);
            }
            Kind::Demand(Demand { what, then }) => {
                match what {
                    Required::InOrder(ends) => {
                        for e in ends.$all() {
                            $put(Slot::Index, e);
                        }
                    }
                    Required::Holds(parts) => {
                        let [condition, failure] = &$($mutable)? **parts;
                        $put(Slot::Condition, condition);
                        $put(Slot::Failure, failure);
                    }
                    Required::Evaluated(e) => $put(Slot::Operand, e),
                }
                $put(Slot::Checked, then);
            }
        }
    };
}

impl Expr {
    /// Calls `f` on the direct subterms with their places, in the order of their evaluation. Walks over all nodes use
    /// it, because a list of parts for each node would be most of their work.
    pub fn each_part<'e>(&'e self, f: &mut dyn FnMut(Slot, &'e Expr)) {
        parts!(&self.kind, f, iter,);
    }

    /// [`each_part`](Self::each_part) of a term that is changed in place.
    pub fn each_part_mut<'e>(&'e mut self, f: &mut dyn FnMut(Slot, &'e mut Expr)) {
        parts!(&mut self.kind, f, iter_mut, mut);
    }

    /// The direct subterms with their places, in the order of their evaluation.
    pub fn parts(&self) -> Vec<Part<&Expr>> {
        let mut parts = Vec::new();
        self.each_part(&mut |slot, e| parts.push((slot, e)));
        parts
    }

    /// [`parts`](Self::parts) of a term that is changed in place.
    pub fn parts_mut(&mut self) -> Vec<Part<&mut Expr>> {
        let mut parts = Vec::new();
        self.each_part_mut(&mut |slot, e| parts.push((slot, e)));
        parts
    }

    /// Calls `f` on the terms of the parts.
    pub fn each_child<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        self.each_part(&mut |_, e| f(e));
    }

    /// [`each_child`](Self::each_child) of a term that is changed in place.
    pub fn each_child_mut<'e>(&'e mut self, f: &mut dyn FnMut(&'e mut Expr)) {
        self.each_part_mut(&mut |_, e| f(e));
    }

    /// Whether a part's term satisfies `p`. Stops at the first that does.
    pub fn any_child(&self, p: &mut dyn FnMut(&Expr) -> bool) -> bool {
        let mut found = false;
        self.each_part(&mut |_, e| found = found || p(e));
        found
    }

    /// Whether all parts' terms satisfy `p`. Stops at the first that does not.
    pub fn all_children(&self, p: &mut dyn FnMut(&Expr) -> bool) -> bool {
        !self.any_child(&mut |e| !p(e))
    }

    /// The terms of the parts.
    pub fn children(&self) -> impl Iterator<Item = &Expr> {
        self.parts().into_iter().map(|(_, e)| e)
    }

    /// [`children`](Self::children) of a term that is changed in place.
    pub fn children_mut(&mut self) -> impl Iterator<Item = &mut Expr> {
        self.parts_mut().into_iter().map(|(_, e)| e)
    }

    /// The first part in that place.
    pub fn part(&self, slot: Slot) -> Option<&Expr> {
        self.parts().into_iter().find(|(s, _)| *s == slot).map(|(_, e)| e)
    }

    /// [`part`](Self::part) of a term that is changed in place.
    pub fn part_mut(&mut self, slot: Slot) -> Option<&mut Expr> {
        self.parts_mut().into_iter().find(|(s, _)| *s == slot).map(|(_, e)| e)
    }

    /// The part in which the binders are in scope.
    pub fn scope_mut(&mut self) -> Option<&mut Expr> {
        self.parts_mut().into_iter().rfind(|(s, _)| s.is_scope()).map(|(_, e)| e)
    }

    /// The loop over a range that it is.
    pub fn as_loop(&self) -> Option<Loop<'_>> {
        match &self.kind {
            Kind::Build(Build { count, index, body })
            | Kind::Reduce(Reduce { count, index, body, .. })
            | Kind::IFold(IFold { count, index, body, .. }) => Some(Loop { count, index: *index, body }),
            _ => None,
        }
    }

    /// Whether it evaluates a part of itself any number of times: a loop, or a function.
    pub fn is_loop(&self) -> bool {
        let mut repeats = false;
        self.each_part(&mut |slot, _| repeats |= slot.role().repeats());
        repeats
    }

    /// The variables that this very node binds.
    pub fn binders(&self) -> Vec<VarId> {
        match &self.kind {
            Kind::Let(x, ..) | Kind::Build(Build { index: x, .. }) => vec![*x],
            Kind::Reduce(Reduce { index, with: Combine::Named(_), .. }) => vec![*index],
            Kind::Reduce(Reduce { index, with: Combine::Function(f), .. }) => vec![*index, f.left, f.right],
            Kind::IFold(IFold { state, index, .. }) => vec![*state, *index],
            Kind::Lam(ps, _) => ps.iter().mapped(|(v, _)| *v),
            Kind::Var(_) | Kind::Lit(_) | Kind::Const(_) | Kind::Prim(..) | Kind::If(..) | Kind::App(..) => vec![],
            Kind::Get(..) | Kind::Len(..) | Kind::Slice(..) | Kind::Array(_) | Kind::Tuple(_) => vec![],
            Kind::Proj(..) | Kind::Call(..) | Kind::Update(_) | Kind::Demand(_) => vec![],
        }
    }

    fn binders_mut(&mut self) -> Vec<&mut VarId> {
        match &mut self.kind {
            Kind::Let(x, ..) | Kind::Build(Build { index: x, .. }) => vec![x],
            Kind::Reduce(Reduce { index, with: Combine::Named(_), .. }) => vec![index],
            Kind::Reduce(Reduce { index, with: Combine::Function(f), .. }) => vec![index, &mut f.left, &mut f.right],
            Kind::IFold(IFold { state, index, .. }) => vec![state, index],
            Kind::Lam(ps, _) => ps.iter_mut().mapped(|(v, _)| v),
            Kind::Var(_) | Kind::Lit(_) | Kind::Const(_) | Kind::Prim(..) | Kind::If(..) | Kind::App(..) => vec![],
            Kind::Get(..) | Kind::Len(..) | Kind::Slice(..) | Kind::Array(_) | Kind::Tuple(_) => vec![],
            Kind::Proj(..) | Kind::Call(..) | Kind::Update(_) | Kind::Demand(_) => vec![],
        }
    }

    /// Calls `f` on every node, parents first.
    pub fn each<'e>(&'e self, f: &mut dyn FnMut(&'e Expr)) {
        f(self);
        self.each_child(&mut |c| c.each(f));
    }

    /// Calls `f` on every node, children first.
    pub fn each_mut(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        self.each_child_mut(&mut |c| c.each_mut(f));
        f(self);
    }

    /// The number of nodes.
    pub fn size(&self) -> usize {
        let mut size = 1;
        self.each_child(&mut |c| size += c.size());
        size
    }

    /// The number of nodes that satisfy `p`.
    pub fn count(&self, p: impl Fn(&Expr) -> bool) -> usize {
        let mut n = 0;
        self.each(&mut |e| n += usize::from(p(e)));
        n
    }

    /// Whether `x` occurs. Binders are unique, so that every occurrence is a free one of its binder.
    pub fn mentions(&self, x: VarId) -> bool {
        matches!(self.kind, Kind::Var(v) if v == x) || self.any_child(&mut |c| c.mentions(x))
    }

    /// The variables it uses and does not bind.
    pub fn free(&self) -> Set<VarId> {
        let (mut used, mut bound) = (Set::new(), Set::new());
        self.each(&mut |e| {
            if let Kind::Var(v) = e.kind {
                used.insert(v);
            }
            bound.extend(e.binders());
        });
        used.retain(|v| !bound.contains(v));
        used
    }

    /// Replaces `x` everywhere. Binders are unique and `value`'s are too, so nothing is captured; the
    /// caller renames `value` for every occurrence after the first if it has binders.
    pub fn replace(&mut self, x: VarId, value: &mut dyn FnMut() -> Expr) {
        if matches!(self.kind, Kind::Var(v) if v == x) {
            *self = value();
        } else {
            self.each_child_mut(&mut |c| c.replace(x, value));
        }
    }

    /// A copy whose binders are fresh.
    pub fn renamed(&self, names: &mut Names) -> Expr {
        let mut copy = self.clone();
        copy.rename(names, &mut Map::new());
        copy
    }

    fn rename(&mut self, names: &mut Names, map: &mut Map<VarId, VarId>) {
        if let Kind::Var(v) = &mut self.kind {
            if let Some(w) = map.get(v) {
                *v = *w;
            }
            return;
        }
        for b in self.binders_mut() {
            let fresh = names.again(*b);
            map.insert(*b, fresh);
            *b = fresh;
        }
        self.each_child_mut(&mut |c| c.rename(names, map));
    }
}

/// Renames every variable, bound or free.
pub fn rename_all(e: &mut Expr, f: &dyn Fn(VarId) -> VarId) {
    if let Kind::Var(v) = &mut e.kind {
        *v = f(*v);
    }
    for b in e.binders_mut() {
        *b = f(*b);
    }
    e.each_child_mut(&mut |c| rename_all(c, f));
}
