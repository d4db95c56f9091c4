//! Arrays of tuples: one type for the user, a tuple of arrays in F̃.
//!
//! ```text
//! a : [(A, B)]   ⟶  a : ([A], [B])                        everywhere, once the kernel is typed
//! e : [(A, B)]   is wanted as ([A], [B])   ⟶  e           the same arrays
//! e : ([A], [B]) is wanted as [(A, B)]     ⟶  e           where the arrays have equal lengths
//! ```

use crate::elaborate::context::Cx;
use crate::fsmooth::{Declared, Expr, Kernel, Kind, WrittenShape, build, records};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::span::Origin;
use crate::surface::{Expr as Surface, Pattern};
use crate::ty::Type;

/// `build n (λi. e)` as the user sees it.
pub(crate) fn list(n: Expr, i: VarId, e: Expr, o: Origin) -> Expr {
    as_list(build::build(n, i, e, o))
}

/// A build or an array literal as the user sees it: an array of tuples, and not a tuple of arrays.
pub(crate) fn as_list(mut e: Expr) -> Expr {
    let element = match e.kind() {
        Kind::Build(b) => Some(b.body.ty().clone()),
        Kind::Array(es) => es.first().map(|e| e.ty().clone()),
        _ => None,
    };
    if let Some(ty) = element.and_then(|t| Type::list_of(&t)) {
        e.ty = ty;
    }
    e
}

/// The columns of an array of tuples.
pub(crate) fn columns(t: &Type) -> Option<Vec<Type>> {
    let Type::Records(ts, rank) = t else { return None };
    let column = |t: &Type| (0..*rank).try_fold(t.clone(), |t, _| Type::list_of(&t));
    ts.iter().map(column).all_some()
}

/// The arrays that an array of tuples is stored as; any other value is itself.
pub(crate) fn columns_of_value(e: Expr) -> Vec<Expr> {
    fn leaves(e: Expr, found: &mut Vec<Expr>) {
        let o = e.origin();
        match (&e.ty, &e.kind) {
            (Type::Tuple(_), Kind::Tuple(es)) => es.iter().for_each(|e| leaves(as_stored(e.clone()), found)),
            (Type::Tuple(ts), _) => (0..ts.len()).for_each(|k| leaves(build::proj(e.clone(), k, o), found)),
            _ => found.push(e),
        }
    }
    let mut found = Vec::new();
    if !e.ty().has_records() {
        return vec![e];
    }
    leaves(as_stored(e), &mut found);
    found
}

/// A value of this type from the arrays that it is stored as.
pub(crate) fn value_of_columns(t: &Type, columns: &mut impl Iterator<Item = Expr>, o: Origin) -> Option<Expr> {
    if !t.has_records() {
        return columns.next();
    }
    let mut own = columns.take(t.leaf_count());
    Some(retyped(crate::elaborate::terms::reductions::assembled(&t.stored(), &mut own, o), t))
}

/// The type of a value that a pattern takes apart: an array of tuples is a tuple of arrays for it.
pub(crate) fn opened(p: &Pattern, t: &Type) -> Type {
    let Pattern::Tuple(ps, _) = p else { return t.clone() };
    let parts = columns(t).or_else(|| if let Type::Tuple(ts) = t { Some(ts.clone()) } else { None });
    match parts.and_then(|ts| Some((Pattern::of_parts(ps, ts.len())?, ts))) {
        Some((ps, ts)) => Type::Tuple(ps.iter().zip(&ts).mapped(|(p, t)| opened(p, t))),
        None => t.clone(),
    }
}

impl Cx<'_> {
    /// The value of `at` as one of type `wanted`, if it is the same in F̃.
    pub(crate) fn converted(&mut self, e: Expr, wanted: &Type, at: &Surface) -> Expr {
        let from = e.ty().clone();
        let concerns = from != *wanted && (from.has_records() || wanted.has_records());
        if !concerns || from.is_fn() || from.stored() != wanted.stored() {
            return e;
        }
        self.typed.conversions.entry(at.id).or_insert_with(|| from.clone());
        self.typed.types.insert(at.id, wanted.clone());
        if !joins(&from, wanted) {
            return retyped(e, wanted);
        }
        let (x, o) = (self.names.fresh("parts"), e.origin());
        let mut lets = vec![(x, e)];
        let zipped = self.zipped(build::var(x, from.clone(), o), &from, wanted, &mut lets);
        lets.into_iter().rev().fold(zipped, |body, (x, a)| {
            let o = a.origin();
            build::bind(x, a, body, o)
        })
    }

    /// Requires that arrays which become one array of tuples have equal lengths.
    fn zipped(&mut self, e: Expr, from: &Type, to: &Type, lets: &mut Vec<(VarId, Expr)>) -> Expr {
        let o = e.origin();
        match (from, to) {
            (Type::Tuple(ts), Type::Tuple(us)) => {
                let parts = ts.iter().zip(us).enumerate();
                build::tuple(parts.mapped(|(k, (t, u))| self.zipped(build::proj(e.clone(), k, o), t, u, lets)), o)
            }
            (Type::Tuple(_), Type::Records(_, rank)) => {
                let mut first = None;
                let whole = self.columns_of(retyped(e, &from.stored()), *rank, &mut first, lets);
                retyped(whole, to)
            }
            _ => retyped(e, to),
        }
    }

    /// The columns of `e`, all but the first with names whose lengths are declared.
    fn columns_of(&mut self, e: Expr, rank: usize, first: &mut Option<Expr>, lets: &mut Vec<(VarId, Expr)>) -> Expr {
        let o = e.origin();
        if let Type::Tuple(ts) = e.ty().clone() {
            let parts = (0..ts.len()).map(|k| self.columns_of(build::proj(e.clone(), k, o), rank, first, lets));
            return build::tuple(parts.collect_vec(), o);
        }
        let Some(first) = first else {
            *first = Some(e.clone());
            return e;
        };
        let shape: WrittenShape = (0..rank).mapped(|axis| Some(build::len(first.clone(), axis, o)));
        let (x, ty) = (self.names.fresh("part"), e.ty().clone());
        self.typed.ascriptions.insert(x, (shape, o, Declared::Type));
        lets.push((x, e));
        build::var(x, ty, o)
    }

    /// Replaces the user's types by those of F̃, and literals of tuples by tuples of literals.
    pub(crate) fn erase(&mut self, kernel: &mut Kernel, written: &mut [WrittenShape]) {
        let names = &mut kernel.names;
        let mut store = |e: &mut Expr| e.each_mut(&mut |e| stored(e, names));
        store(&mut kernel.body);
        let lets = self.typed.ascriptions.values_mut().map(|(shape, ..)| shape);
        lets.chain(written).flatten().flatten().for_each(&mut store);
    }
}

fn stored(e: &mut Expr, names: &mut crate::name::Names) {
    e.ty = e.ty.stored();
    if let Kind::Lam(ps, _) = &mut e.kind {
        ps.iter_mut().for_each(|(_, t)| *t = t.stored());
    }
    if let Kind::Array(es) = &mut e.kind
        && matches!(es[0].ty(), Type::Tuple(_))
    {
        *e = records::literal(std::mem::take(es), names, e.origin());
    }
    records::spread_update(e, names);
}

/// A term with its type in F̃.
pub(crate) fn as_stored(e: Expr) -> Expr {
    let ty = e.ty().stored();
    retyped(e, &ty)
}

/// A term with another type that is the same in F̃.
pub(crate) fn retyped(mut e: Expr, ty: &Type) -> Expr {
    e.ty = ty.clone();
    e
}

/// Whether arrays become an array of tuples.
fn joins(from: &Type, to: &Type) -> bool {
    match (from, to) {
        (Type::Tuple(ts), Type::Tuple(us)) => ts.iter().zip(us).any(|(t, u)| joins(t, u)),
        (Type::Tuple(_), Type::Records(..)) => true,
        _ => false,
    }
}
