//! Rerolling: short rows that are written out become iterations again, if their elements are adjacent.
//!
//! ```text
//! for i < n { s̄[c·i]; s̄[c·i + 1]; …; s̄[c·i + c - 1] }  ⟶  for e < c·n { s̄[e] }
//! ```
//!
//! A `build` of three elements is three statements, which pays if they share values. Here they do not: all elements of
//! all rows are computed alike, so that a vector may hold any four of them.
//!
//! Needs: straight-line statements, equally many for each element, which differ only in the names that they bind and in
//! `0, 1, …, c - 1` in offsets of elements `c` apart, do not use each other's names, and are the only uses of the
//! index. If an operation may panic, its copies have one place in the source, which the panic names.

use crate::loops::{Access, Expr, For, Function, Place, Stmt};
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::schedule::rewrite::copy::renamed;
use crate::shape::ParamKind;
use crate::shape::card::Card;
use crate::sorted::{Map, Set};

/// A loop over elements instead of one over rows of at most `longest`.
pub(crate) fn rolled(l: &For, floats: &Floats, longest: i128) -> Option<For> {
    let step = l.body.iter().find_map(|s| match s {
        Stmt::Assign(Place::Element(a), _) => Some(a.offset.linear_in(l.index)?.0.constant()?),
        _ => None,
    });
    let step = step.filter(|c| (2..=longest).contains(c))?;
    let each = l.body.len() / step as usize;
    let is_straight = |s: &Stmt| matches!(s, Stmt::Let(..) | Stmt::Var(..) | Stmt::Assign(..));
    if each * step as usize != l.body.len() || !l.body.iter().all(is_straight) {
        return None;
    }
    let (first, others) = l.body.split_at(each);
    let of =
        |k: i128| shifted(first, l.index, step, &|own, rest| own.mul(&Card::lit(step)).add(&rest).add(&Card::lit(k)));
    let floats = l.body.iter().all(|s| floats.are_all(s));
    let same = |(k, row): (usize, &[Stmt])| {
        let names: Map<VarId, VarId> = bound(row).zip(bound(first)).collect();
        let apart = !row.iter().any(|s| bound(first).any(|x| s.mentions(x) || assigns(s, x)));
        apart && Some(renamed(row, names)) == of(k as i128 + 1) && (floats || origins(row) == origins(first))
    };
    let body = shifted(first, l.index, step, &|own, rest| own.add(&rest))?;
    others.chunks(each).enumerate().all(same).then(|| For { body, count: l.count.mul(&Card::lit(step)), ..l.clone() })
}

fn bound(b: &[Stmt]) -> impl Iterator<Item = VarId> {
    b.iter().filter_map(|s| if let Stmt::Let(x, ..) | Stmt::Var(x, _) = s { Some(*x) } else { None })
}

/// The numbers and buffers of a function that are floats, whose operations do not panic.
pub(crate) struct Floats {
    numbers: Set<VarId>,
    buffers: Vec<bool>,
}

impl Floats {
    pub fn of(f: &Function) -> Floats {
        let buffers = f.buffers.iter().mapped(|b| b.elem.is_float());
        let scalars = f.interface.params.iter().filter(|p| matches!(p.kind, ParamKind::Scalar(s) if s.is_float()));
        let mut floats = Floats { numbers: scalars.map(|p| p.var).collect(), buffers };
        f.body.iter().for_each(|s| s.walk(&mut |s| floats.add(s)));
        floats
    }

    fn add(&mut self, s: &Stmt) {
        match s {
            Stmt::Let(x, ty, _) | Stmt::Var(x, ty) if ty.is_float() => drop(self.numbers.insert(*x)),
            Stmt::Reduce(r) => {
                let totals = r.totals.iter().zip(&r.elems).filter(|(_, ty)| ty.is_float());
                self.numbers.extend(totals.map(|(x, _)| *x));
            }
            _ => {}
        }
    }

    /// Whether all numbers in a statement are floats.
    fn are_all(&self, s: &Stmt) -> bool {
        let elem = |a: &Access| self.buffers[a.buffer.0 as usize];
        let other = |e: &Expr| match e {
            Expr::Load(a) => !elem(a),
            Expr::Var(x) => !self.numbers.contains(x),
            Expr::Lit(l) => !l.scalar().is_float(),
            Expr::Prim(p, ..) => p.target().is_some_and(|to| !to.is_float()),
            Expr::Size(..) | Expr::App(..) | Expr::Const(_) => true,
            Expr::If(_) => false,
        };
        s.accesses().into_iter().all(elem) && !s.exprs().into_iter().any(|e| e.any(&other))
    }
}

/// The source places of the operations of statements.
fn origins(b: &[Stmt]) -> Vec<u32> {
    fn of(e: &Expr, all: &mut Vec<u32>) {
        if let Expr::Prim(_, _, origin) | Expr::Size(_, origin) = e {
            all.push(origin.0);
        }
        e.operands().iter().for_each(|e| of(e, all));
    }
    let mut all = vec![];
    b.iter().flat_map(|s| s.exprs()).for_each(|e| of(e, &mut all));
    all
}

fn assigns(s: &Stmt, x: VarId) -> bool {
    matches!(s, Stmt::Assign(Place::Var(y), _) if *y == x)
}

/// Statements with each offset `step · index + rest` replaced by `new`; `None` if the index is used elsewhere.
fn shifted(b: &[Stmt], index: VarId, step: i128, new: &dyn Fn(Card, Card) -> Card) -> Option<Vec<Stmt>> {
    let offset = |o: &Card| match o.linear_in(index)? {
        (by, rest) if by == Card::lit(step) => Some(new(Card::var(index), rest)),
        (by, _) => (by == Card::lit(0)).then(|| o.clone()),
    };
    let mut b = b.to_vec();
    b.iter_mut().all(|s| s.readdress(&[index], &offset)).then_some(b)
}
