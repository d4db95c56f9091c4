//! Uniformity: the values that differ between the iterations of a loop, and those that do not.
//!
//! ```text
//! varying: the index; x, if x = e or x ← e and e mentions a varying number or reads a buffer that the body writes,
//!          or if a varying condition or count decides the assignment, or in a branch that also computes a varying number
//! ```
//!
//! A value that does not vary is computed once for a block of iterations, as a separate number.

use crate::loops::visit::each_inherited;
use crate::loops::{Block, BufferId, Expr, For, Place, Stmt};
use crate::name::VarId;
use crate::shape::card::Card;
use crate::sorted::Set;

/// The values that differ between iterations.
pub(crate) struct Varying {
    /// Numbers, the index among them.
    pub numbers: Set<VarId>,
    /// Buffers that the body writes.
    pub written: Set<BufferId>,
}

impl Varying {
    /// The varying values in the iterations of a loop over `index`.
    pub fn of(index: VarId, body: &Block) -> Varying {
        let mut v = Varying { numbers: Set::from([index]), written: Set::new() };
        v.writes(body);
        while v.spreads(body) {}
        v
    }

    fn writes(&mut self, b: &Block) {
        let mut note = |s: &Stmt| {
            if let Stmt::Assign(Place::Element(a), _) = s {
                self.written.insert(a.buffer);
            }
        };
        b.iter().for_each(|s| s.walk(&mut note));
    }

    /// Adds the numbers that vary because of those that are known to. Returns whether there were any.
    fn spreads(&mut self, b: &Block) -> bool {
        let mut new = false;
        each_inherited(b, &false, &mut |s, _, decided| {
            let decides = match s {
                Stmt::Let(x, _, e) | Stmt::Assign(Place::Var(x), e) => {
                    new |= (*decided || self.varies(e)) && self.numbers.insert(*x);
                    false
                }
                // A branch runs once as a whole, or in each iteration.
                s @ Stmt::If(..) => !self.is_once(s),
                Stmt::For(l) => self.depends(&l.count) || self.may_end(&l.body),
                _ => false,
            };
            Some(*decided || decides)
        });
        new
    }

    /// Whether the number of iterations of a loop with this body may vary.
    fn may_end(&self, b: &Block) -> bool {
        let mut ends = false;
        each_inherited(b, &false, &mut |s, _, decided| match s {
            Stmt::While(c) => {
                ends |= *decided || self.varies(c);
                None
            }
            Stmt::If(c, ..) => Some(*decided || self.varies(c)),
            Stmt::Block(_) => Some(*decided),
            _ => None,
        });
        ends
    }

    /// Whether a size mentions a varying number.
    pub fn depends(&self, c: &Card) -> bool {
        self.numbers.iter().any(|v| c.mentions(*v))
    }

    /// Whether the value of an expression may differ between iterations.
    pub fn varies(&self, e: &Expr) -> bool {
        e.any(&|e| match e {
            Expr::Var(x) => self.numbers.contains(x),
            Expr::Size(c, _) => self.depends(c),
            Expr::Load(a) => self.written.contains(&a.buffer) || self.depends(&a.offset),
            Expr::App(..) => true,
            _ => false,
        })
    }

    /// Whether a statement does not vary, and writes only numbers.
    pub fn is_once(&self, s: &Stmt) -> bool {
        !s.any(&|s| {
            let varies = s.exprs().iter().any(|e| self.varies(e));
            varies
                || match s {
                    Stmt::Let(x, ..) | Stmt::Var(x, _) | Stmt::Assign(Place::Var(x), _) => self.numbers.contains(x),
                    Stmt::Check { len, .. } | Stmt::CheckRange { len, .. } => self.depends(len),
                    Stmt::If(..) => false,
                    _ => true,
                }
        })
    }
}

/// The indices of the loops in a body.
pub(crate) fn indices(b: &Block, found: &mut Set<VarId>) {
    let mut note = |s: &Stmt| {
        if let Stmt::For(For { index, .. }) = s {
            found.insert(*index);
        }
    };
    b.iter().for_each(|s| s.walk(&mut note));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loops::Order;
    use crate::prim::Prim;
    use crate::ty::Scalar;
    use crate::value::Lit;

    /// Whether `x` varies over `i` where `for k < count { test; x ← 1 }` assigns it.
    fn varies(count: Card, test: Option<Stmt>) -> bool {
        let [i, x, k] = [0, 1, 2].map(VarId);
        let assigned = Stmt::Assign(Place::Var(x), Expr::Lit(Lit::usize(1)));
        let body = test.into_iter().chain([assigned]).collect::<Vec<_>>();
        let inner = Stmt::For(For { index: k, count, order: Order::Sequential, body });
        Varying::of(i, &vec![Stmt::Var(x, Scalar::Usize), inner]).numbers.contains(&x)
    }

    #[test]
    fn a_loop_decides_by_its_count_and_its_end() {
        let less =
            |v: u32| Expr::Prim(Prim::Lt, vec![Expr::Var(VarId(v)), Expr::Lit(Lit::usize(9))], Default::default());
        let (index, size) = (Card::var(VarId(0)), Card::var(VarId(7)));
        assert!(varies(index, None), "the count is the index");
        assert!(!varies(size.clone(), None));
        assert!(varies(size.clone(), Some(Stmt::While(less(0)))), "it ends by the index");
        assert!(!varies(size.clone(), Some(Stmt::While(less(7)))));
        let ends = |v: u32| Stmt::If(less(v), vec![Stmt::While(less(7))], vec![]);
        assert!(varies(size.clone(), Some(ends(0))), "where the index decides, it may end");
        assert!(!varies(size, Some(ends(7))));
    }
}
