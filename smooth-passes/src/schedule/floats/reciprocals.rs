//! Reciprocals of loop-invariant divisors, in fast kernels.
//!
//! ```text
//! for i < n { s̄[x / c] }   ⟶   let r = 1 / c; for i < n { s̄[x · r] }          c loop-invariant
//! ```
//!
//! Likewise around a reduction. Needs: floats, and a divisor that is a variable or a constant that the loop neither
//! binds nor assigns. Pays: a division takes several times as long as a product, and only one is left.

use crate::loops::{Block, Expr, Function, Stmt};
use crate::name::VarId;
use crate::pass::Switches;
use crate::prim::Prim;
use crate::schedule::facts::decide::Decide;
use crate::schedule::rewrite::replaced::{each_rewritten, in_body};
use crate::sorted::Set;
use crate::span::Origin;
use crate::ty::Scalar;
use crate::value::Lit;

/// Multiplies by reciprocals in a fast function.
pub(crate) fn reciprocals(f: &mut Function, _: &Switches) -> bool {
    f.fast
        && in_body(f, |b, f| {
            let mut walk = Walk { cx: Decide::new(f), changed: false };
            walk.cx.note_all(b);
            walk.block(b);
            walk.changed
        })
}

struct Walk<'f> {
    cx: Decide<'f>,
    changed: bool,
}

impl Walk<'_> {
    /// Outer loops first, so that a reciprocal is computed as seldom as it can be.
    fn block(&mut self, b: &mut Block) {
        each_rewritten(b, &(), &mut |s, (before, _), ()| {
            if let Stmt::For(_) | Stmt::Reduce(_) = s {
                let mut found = vec![];
                self.divisors(s, &mut found);
                let mut bound = Set::new();
                s.targets(&mut bound);
                found.retain(|(c, _)| !matches!(c, Expr::Var(x) if bound.contains(x)));
                for (divisor, scalar) in found {
                    let r = self.cx.f.names.fresh("reciprocal");
                    self.cx.env.types.insert(r, scalar);
                    let one = Expr::Lit(Lit::float(1.0, scalar));
                    let value = Expr::Prim(Prim::Div, vec![one, divisor.clone()], Origin::default());
                    before.push(Stmt::Let(r, scalar, value));
                    multiply(s, &divisor, r);
                    self.changed = true;
                }
            }
            Some(())
        });
    }

    /// The divisors of floats in a statement, with their types.
    fn divisors(&self, s: &Stmt, found: &mut Vec<(Expr, Scalar)>) {
        s.walk(&mut |s| s.exprs().into_iter().for_each(|e| self.divisors_in(e, found)));
    }

    fn divisors_in(&self, e: &Expr, found: &mut Vec<(Expr, Scalar)>) {
        if let Expr::Prim(Prim::Div, es, _) = e
            && matches!(es[1], Expr::Var(_) | Expr::Const(_) | Expr::Lit(_))
        {
            let scalar = self.cx.scalar(&es[1]);
            if scalar.is_float() && !found.iter().any(|(c, _)| *c == es[1]) {
                found.push((es[1].clone(), scalar));
            }
        }
        e.operands().iter().for_each(|e| self.divisors_in(e, found));
    }
}

/// Replaces divisions by products with a reciprocal.
fn multiply(s: &mut Stmt, divisor: &Expr, r: VarId) {
    s.each_expr_mut(&mut |e| {
        if let Expr::Prim(p @ Prim::Div, es, _) = e
            && es[1] == *divisor
        {
            *p = Prim::Mul;
            es[1] = Expr::Var(r);
        }
    });
}
