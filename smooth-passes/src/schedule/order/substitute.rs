//! Forward substitution: names of indices become polynomials in addresses.
//!
//! ```text
//! let x = a + i; s̄; b[x]  ⟶  s̄; b[a + i]        in a nest of loops; a + i a `usize`, of numbers that are not assigned
//! ```
//!
//! A range `a..b` gives its index such a name, and so does a filter that reads backwards. Only in an address without the name
//! the passes behind see how it moves with the index `i`. A name of a minimum or of a quotient stays: it is computed once.

use crate::loops::visit::{each_block, each_outermost};
use crate::loops::{Access, Block, Expr, For, Function, Order, Reduce, Stmt};
use crate::name::VarId;
use crate::prim::Prim;
use crate::schedule::facts::decide::{Decide, has_loop};
use crate::schedule::order::interchange::is_name;
use crate::schedule::rewrite::unused::{reads, results};
use crate::shape::card::{Atom, Card};
use crate::sorted::Map;
use crate::ty::Scalar;
use crate::value::Lit;

/// The polynomials of names.
#[derive(Default)]
pub(super) struct Names(Map<VarId, Card>);

impl Names {
    /// Notes the polynomial of a name that a statement binds, with the facts behind it.
    pub fn meet(&mut self, s: &Stmt, cx: &mut Decide<'_>) {
        if let Stmt::Let(x, Scalar::Usize, e) = s
            && cx.integer(e).is_some()
            && let Some(c) = self.polynomial(e).filter(|c| cx.is_fixed(c) && !has_operation(c))
        {
            self.0.insert(*x, c);
        }
    }

    /// Replaces the names in the addresses of nests, and drops those that are not read any more; whether there were any.
    pub fn replace(&self, f: &Function, b: &mut Block) -> bool {
        let mut changed = false;
        let mut replace = |a: &mut Access| {
            let new = self.replaced(&a.offset);
            changed |= new != a.offset;
            a.offset = new;
        };
        each_outermost(b, &mut |s| {
            let outermost = is_nest(s);
            if outermost {
                s.each_access_mut(&mut replace);
            }
            !outermost
        });
        if changed {
            let mut used = results(f);
            reads(f, b, &mut used);
            let is_left = |s: &Stmt| !matches!(s, Stmt::Let(x, ..) if self.0.contains_key(x) && !used.contains(x));
            each_block(b, &mut |b| b.retain(is_left));
        }
        changed
    }

    /// A size with the polynomials of its names.
    fn replaced(&self, c: &Card) -> Card {
        let known = |a: &Atom| if let Atom::Var(x) = a { self.0.get(x).map(|value| (*x, value)) } else { None };
        let names: Vec<(VarId, &Card)> = c.atoms().into_iter().filter_map(known).collect();
        names.into_iter().fold(c.clone(), |c, (x, value)| c.replace(x, value))
    }

    /// The polynomial that an expression is.
    fn polynomial(&self, e: &Expr) -> Option<Card> {
        match e {
            Expr::Var(x) => Some(self.replaced(&Card::var(*x))),
            Expr::Lit(Lit::Int(n, Scalar::Usize)) => Some(Card::lit(*n)),
            Expr::Size(c, _) => Some(self.replaced(c)),
            Expr::Prim(p @ (Prim::Add | Prim::Sub | Prim::Mul), es, _) => {
                let (a, b) = (self.polynomial(&es[0])?, self.polynomial(&es[1])?);
                Some(match p {
                    Prim::Add => a.add(&b),
                    Prim::Sub => a.sub(&b),
                    _ => a.mul(&b),
                })
            }
            _ => None,
        }
    }
}

/// Whether a statement is a nest that may become tiles or blocks: sums or folds in an independent loop, or independent loops in
/// each other behind names. LLVM makes vectors of others, and a name is computed once.
fn is_nest(s: &Stmt) -> bool {
    match s {
        Stmt::For(For { order: Order::Any, body, .. }) | Stmt::Reduce(Reduce { body, .. }) => {
            body.iter().any(|s| s.any(&adds))
        }
        Stmt::For(For { body, .. }) => body.split_last().is_some_and(|(last, names)| {
            matches!(last, Stmt::For(For { order: Order::Any, body, .. }) if has_loop(body))
                && names.iter().all(is_name)
        }),
        _ => false,
    }
}

fn adds(s: &Stmt) -> bool {
    matches!(s, Stmt::For(For { order: Order::Sequential, .. }) | Stmt::Reduce(_))
}

/// Whether a size is not a polynomial of names.
fn has_operation(c: &Card) -> bool {
    c.atoms().into_iter().any(|a| matches!(a, Atom::Op(..) | Atom::Untracked))
}
