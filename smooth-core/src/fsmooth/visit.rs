//! Walking F̃: children, binders, free variables, substitution, renaming, size.

use super::{Expr, Kind};
use crate::name::{Names, VarId};
use std::collections::{BTreeMap, BTreeSet};

impl Expr {
    /// The direct subterms, in the order of their evaluation.
    pub fn children(&self) -> Vec<&Expr> {
        match &self.kind {
            Kind::Var(_) | Kind::Lit(_) | Kind::Const(_) => vec![],
            Kind::Prim(_, es) | Kind::Array(es) | Kind::Tuple(es) | Kind::Call(_, es) => es.iter().collect(),
            Kind::Let(_, a, b) | Kind::Get(a, b) | Kind::Build(a, _, b) => vec![a, b],
            Kind::If(a, b, c) | Kind::Slice(a, b, c) => vec![a, b, c],
            Kind::Lam(_, e) | Kind::Len(e, _) | Kind::Proj(e, _) => vec![e],
            Kind::App(f, es) => std::iter::once(&**f).chain(es).collect(),
            Kind::IFold { count, init, body, .. } => vec![count, init, body],
            Kind::Sum { count, body, .. } => vec![count, body],
        }
    }

    /// The same, to be changed in place.
    pub fn children_mut(&mut self) -> Vec<&mut Expr> {
        match &mut self.kind {
            Kind::Var(_) | Kind::Lit(_) | Kind::Const(_) => vec![],
            Kind::Prim(_, es) | Kind::Array(es) | Kind::Tuple(es) | Kind::Call(_, es) => es.iter_mut().collect(),
            Kind::Let(_, a, b) | Kind::Get(a, b) | Kind::Build(a, _, b) => vec![a, b],
            Kind::If(a, b, c) | Kind::Slice(a, b, c) => vec![a, b, c],
            Kind::Lam(_, e) | Kind::Len(e, _) | Kind::Proj(e, _) => vec![e],
            Kind::App(f, es) => std::iter::once(&mut **f).chain(es).collect(),
            Kind::IFold { count, init, body, .. } => vec![count, init, body],
            Kind::Sum { count, body, .. } => vec![count, body],
        }
    }

    /// The variables that this very node binds.
    pub fn binders(&self) -> Vec<VarId> {
        match &self.kind {
            Kind::Let(x, ..) | Kind::Build(_, x, _) | Kind::Sum { index: x, .. } => vec![*x],
            Kind::IFold { state, index, .. } => vec![*state, *index],
            Kind::Lam(ps, _) => ps.iter().map(|(v, _)| *v).collect(),
            _ => vec![],
        }
    }

    fn binders_mut(&mut self) -> Vec<&mut VarId> {
        match &mut self.kind {
            Kind::Let(x, ..) | Kind::Build(_, x, _) | Kind::Sum { index: x, .. } => vec![x],
            Kind::IFold { state, index, .. } => vec![state, index],
            Kind::Lam(ps, _) => ps.iter_mut().map(|(v, _)| v).collect(),
            _ => vec![],
        }
    }

    /// Calls `f` on every node, parents first.
    pub fn each<'e>(&'e self, f: &mut impl FnMut(&'e Expr)) {
        f(self);
        self.children().into_iter().for_each(|c| c.each(f));
    }

    /// Calls `f` on every node, children first.
    pub fn each_mut(&mut self, f: &mut impl FnMut(&mut Expr)) {
        self.children_mut().into_iter().for_each(|c| c.each_mut(f));
        f(self);
    }

    /// The number of nodes.
    pub fn size(&self) -> usize {
        1 + self.children().iter().map(|c| c.size()).sum::<usize>()
    }

    /// How many nodes satisfy `p`.
    pub fn count(&self, p: impl Fn(&Expr) -> bool) -> usize {
        let mut n = 0;
        self.each(&mut |e| n += usize::from(p(e)));
        n
    }

    /// Whether `x` occurs. Binders are unique, so that every occurrence is a free one of its binder.
    pub fn mentions(&self, x: VarId) -> bool {
        matches!(self.kind, Kind::Var(v) if v == x) || self.children().iter().any(|c| c.mentions(x))
    }

    /// The variables it uses and does not bind.
    pub fn free(&self) -> BTreeSet<VarId> {
        let (mut used, mut bound) = (BTreeSet::new(), BTreeSet::new());
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
    pub fn replace(&mut self, x: VarId, value: &mut impl FnMut() -> Expr) {
        if matches!(self.kind, Kind::Var(v) if v == x) {
            *self = value();
        } else {
            self.children_mut().into_iter().for_each(|c| c.replace(x, value));
        }
    }

    /// A copy whose binders are fresh.
    pub fn renamed(&self, names: &mut Names) -> Expr {
        let mut copy = self.clone();
        copy.rename(names, &mut BTreeMap::new());
        copy
    }

    fn rename(&mut self, names: &mut Names, map: &mut BTreeMap<VarId, VarId>) {
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
        self.children_mut().into_iter().for_each(|c| c.rename(names, map));
    }
}

/// Renames every variable, bound or free.
pub fn rename_all(e: &mut Expr, f: &impl Fn(VarId) -> VarId) {
    if let Kind::Var(v) = &mut e.kind {
        *v = f(*v);
    }
    for b in e.binders_mut() {
        *b = f(*b);
    }
    e.children_mut().into_iter().for_each(|c| rename_all(c, f));
}
