//! Arrays that have a name before they have a value: the value of an exit from a loop, until the exit is taken; and on a path
//! that leaves a statement, the results of the statement. Nobody reads them, but a fold and a branch need their shape.
//!
//! ```text
//! let x = x in e   ⟶   let x = build n̄ (λī. 0) in e      n̄ the extents of a value that replaces x later on
//! ```
//!
//! The extents are found by going back through the term, in the variables in scope at `x`. The shape translation checks that
//! all values have this shape.

use crate::diag::codes;
use crate::elaborate::context::Cx;
use crate::elaborate::flow::chain::{Let, zero};
use crate::elaborate::flow::effects::Target;
use crate::elaborate::flow::state::Unread;
use crate::fsmooth::{Build, Expr, IFold, Kernel, Kind, Update, build};
use crate::mapped::{Mapped, PushAll};
use crate::name::{Names, VarId};
use crate::prim::Prim;
use crate::sorted::{Map, Set};
use crate::span::Origin;
use crate::surface::Extent;
use crate::ty::Type;

impl Cx<'_> {
    /// An array of type `ty`. Its shape is found when the kernel is complete: that of a value that it may have later. `message`
    /// is the error if no shape is found.
    pub(crate) fn unread(
        &mut self,
        ty: &Type,
        (exit, later): (Option<Target>, Vec<Expr>),
        lets: &mut Vec<Let>,
        (at, message): (Extent, String),
    ) -> Expr {
        let (var, o) = (self.names.fresh("unread"), self.origin(at));
        let value = build::var(var, ty.clone(), o);
        lets.push(Let::Value(var, value.clone()));
        self.flow.unread.push(Unread { var, exit, at, later, message });
        value
    }

    /// The value with which an exit is taken.
    pub(crate) fn read_later(&mut self, exit: Target, value: &Expr) {
        let starts = self.flow.unread.iter_mut().filter(|u| u.exit == Some(exit));
        starts.for_each(|u| u.later.push(value.clone()));
    }

    /// Gives these arrays their values.
    pub(crate) fn settle_unread(&mut self, kernel: &mut Kernel) -> Option<()> {
        let unread = std::mem::take(&mut self.flow.unread);
        if unread.is_empty() {
            return Some(());
        }
        let mut meanings = Map::new();
        kernel.body.each(&mut |e| match e.kind() {
            Kind::Let(x, a, _) if *a.kind() == Kind::Var(*x) => {}
            Kind::Let(x, a, _) => drop(meanings.insert(*x, (**a).clone())),
            // A state keeps its shape.
            Kind::IFold(f) => drop(meanings.insert(f.state, (*f.init).clone())),
            _ => {}
        });
        let sizes = kernel.sizes().into_iter().map(|(v, ..)| v);
        let seen = kernel.interface.params.iter().map(|p| p.var).chain(sizes).collect();
        let mut settling = Settling { unread, meanings, seen, names: &mut kernel.names, failed: vec![] };
        settling.walk(&mut kernel.body);
        let failed = settling.failed;
        for (at, message) in &failed {
            self.error(&codes::STATE, *at, message.as_str());
        }
        failed.is_empty().then_some(())
    }
}

struct Settling<'n> {
    unread: Vec<Unread>,
    /// For each variable, a term that has its shape.
    meanings: Map<VarId, Expr>,
    /// The variables bound around the term.
    seen: Set<VarId>,
    names: &'n mut Names,
    failed: Vec<(Extent, String)>,
}

impl Settling<'_> {
    fn walk(&mut self, mut e: &mut Expr) {
        let mut own = Vec::new();
        // A chain of `let`s may be long.
        while let Kind::Let(..) = e.kind() {
            let Kind::Let(x, a, body) = &mut e.kind else { unreachable!("a `let`") };
            if *a.kind() == Kind::Var(*x) {
                self.settle(*x, a);
            } else {
                self.walk(a);
            }
            if self.seen.insert(*x) {
                own.push(*x);
            }
            e = body;
        }
        own.push_all(e.binders().into_iter().filter(|v| self.seen.insert(*v)));
        e.each_child_mut(&mut |e| self.walk(e));
        self.seen.retain(|v| !own.contains(v));
    }

    fn settle(&mut self, x: VarId, place: &mut Expr) {
        let Some(k) = self.unread.iter().position(|u| u.var == x) else { return };
        let (ty, o) = (place.ty().clone(), place.origin());
        let later = std::mem::take(&mut self.unread[k].later);
        let stored = |mut value: Expr| {
            value.each_mut(&mut |e| e.ty = e.ty.stored());
            value
        };
        match later.into_iter().find_map(|value| self.like(&ty, &stored(value), o)) {
            Some(value) => *place = value,
            None => self.failed.push((self.unread[k].at, self.unread[k].message.clone())),
        }
    }

    /// A value of the shape of another one.
    fn like(&mut self, ty: &Type, value: &Expr, o: Origin) -> Option<Expr> {
        if let Type::Tuple(ts) = ty {
            let parts = ts.iter().enumerate().map(|(k, t)| self.like(t, &self.part(value, k)?, o));
            return Some(build::tuple(parts.collect::<Option<_>>()?, o));
        }
        if ty.is_array() {
            let element = zero(&Type::Scalar(*ty.leaf_scalars().first()?), o)?;
            let extents = self.extents(value)?;
            let rows = extents.into_iter().rev();
            return Some(rows.fold(element, |e, n| build::build(n, self.names.fresh("i"), e, o)));
        }
        zero(ty, o)
    }

    /// A term that has the shape of a variable that is not in scope.
    fn meaning(&self, v: VarId) -> Option<&Expr> {
        self.meanings.get(&v).filter(|_| !self.seen.contains(&v))
    }

    /// The extents of an array.
    fn extents(&self, e: &Expr) -> Option<Vec<Expr>> {
        let lengths = |e: &Expr| {
            let rank = if let Type::Array(_, rank) = e.ty() { *rank } else { 0 };
            (0..rank).mapped(|axis| build::len(e.clone(), axis, e.origin()))
        };
        if !e.ty().is_array() {
            return Some(vec![]);
        }
        match e.kind() {
            Kind::Var(v) if self.seen.contains(v) => Some(lengths(e)),
            Kind::Const(_) => Some(lengths(e)),
            Kind::Var(v) => self.extents(self.meaning(*v)?),
            Kind::Let(_, _, body) => self.extents(body),
            Kind::If(_, a, b) => self.extents(a).or_else(|| self.extents(b)),
            Kind::Build(Build { count, body, .. }) => self.under(self.number(count)?, body),
            Kind::Array(es) => self.under(build::index(es.len() as u64, e.origin()), &es[0]),
            Kind::IFold(IFold { init, .. }) => self.extents(init),
            Kind::Update(Update { array, .. }) => self.extents(array),
            Kind::Get(a, _) => Some(self.extents(a)?.split_off(1)),
            Kind::Slice(a, s, t) => {
                let mut extents = self.extents(a)?;
                extents[0] = build::prim(Prim::Sub, vec![self.number(t)?, self.number(s)?], e.origin());
                Some(extents)
            }
            Kind::Proj(a, k) => {
                let part = self.part(a, *k)?;
                if part == *e { Some(lengths(e)) } else { self.extents(&part) }
            }
            _ => None,
        }
    }

    fn under(&self, n: Expr, row: &Expr) -> Option<Vec<Expr>> {
        Some(std::iter::once(n).chain(self.extents(row)?).collect_vec())
    }

    /// A part of a tuple.
    fn part(&self, e: &Expr, k: usize) -> Option<Expr> {
        match e.kind() {
            Kind::Var(v) if self.seen.contains(v) => Some(build::proj(e.clone(), k, e.origin())),
            Kind::Var(v) => self.part(self.meaning(*v)?, k),
            Kind::Let(_, _, body) => self.part(body, k),
            Kind::If(_, a, b) => self.part(a, k).or_else(|| self.part(b, k)),
            Kind::Tuple(es) => es.get(k).cloned(),
            Kind::Array(es) => {
                let parts = es.iter().map(|e| self.part(e, k)).collect::<Option<_>>()?;
                Some(build::array(parts, e.origin()))
            }
            Kind::IFold(IFold { init, .. }) => self.part(init, k),
            Kind::Proj(a, j) => {
                let whole = self.part(a, *j)?;
                if whole == *e { Some(build::proj(whole, k, e.origin())) } else { self.part(&whole, k) }
            }
            // A `build` of tuples is a tuple of arrays.
            Kind::Build(Build { count, index, body }) => {
                Some(build::build((**count).clone(), *index, self.part(body, k)?, e.origin()))
            }
            _ => None,
        }
    }

    /// A number in the variables in scope.
    fn number(&self, e: &Expr) -> Option<Expr> {
        match e.kind() {
            Kind::Lit(_) | Kind::Const(_) => Some(e.clone()),
            Kind::Var(v) if self.seen.contains(v) => Some(e.clone()),
            Kind::Var(v) => self.number(self.meaning(*v)?),
            Kind::Let(_, _, body) => self.number(body),
            Kind::Len(a, axis) => {
                if let Kind::Var(v) = a.kind()
                    && self.seen.contains(v)
                {
                    return Some(e.clone());
                }
                self.extents(a)?.get(*axis).cloned()
            }
            Kind::Proj(a, k) => {
                let part = self.part(a, *k)?;
                if part == *e { Some(part) } else { self.number(&part) }
            }
            Kind::Prim(p, args) => {
                let args = args.iter().map(|a| self.number(a)).all_some()?;
                Some(build::prim(*p, args, e.origin()))
            }
            _ => None,
        }
    }
}
