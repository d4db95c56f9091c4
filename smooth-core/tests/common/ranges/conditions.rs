//! Facts about numbers that follow from conditions.
//!
//! ```text
//! a < b          b - a - 1 ≥ 0, and a - b ≥ 0 if it fails
//! a && b         what both say, b where a holds; nothing if it fails
//! a & b          what both say
//! ```

use super::numbers::{Known, Says};
use super::products::Fact;
use super::symbols::LARGEST;
use smooth_core::loops::Expr;
use smooth_core::prim::Prim;
use smooth_core::shape::card::Card;
use smooth_core::value::Lit;

impl Known<'_> {
    /// The facts that follow from a condition, and from its negation.
    pub fn condition(&mut self, e: &Expr) -> Says {
        match e {
            Expr::Var(x) => self.says.get(x).map(|s| (**s).clone()).unwrap_or_default(),
            // -1 ≥ 0 where control never comes.
            Expr::Lit(Lit::Bool(b)) => {
                let (never, always) = (vec![Card::lit(-1)], vec![]);
                if *b { Says::new(always, never) } else { Says::new(never, always) }
            }
            Expr::Prim(Prim::Not, es, _) => {
                let Says { holds, fails } = self.condition(&es[0]);
                Says { holds: fails, fails: holds }
            }
            Expr::Prim(Prim::And, es, _) => {
                let a = self.condition(&es[0]);
                let b = self.then(&a.holds, &es[1]);
                let fails = Says::either(&a.fails, &b.fails, &self.symbols);
                Says { holds: [a.holds, b.holds].concat(), fails }
            }
            Expr::Prim(Prim::Or, es, _) => {
                let a = self.condition(&es[0]);
                let b = self.then(&a.fails, &es[1]);
                let holds = Says::either(&a.holds, &b.holds, &self.symbols);
                Says { holds, fails: [a.fails, b.fails].concat() }
            }
            Expr::Prim(p @ (Prim::BitAnd | Prim::BitOr), es, _) => {
                let (a, b) = (self.condition(&es[0]), self.condition(&es[1]));
                let either = |a: &[Fact], b: &[Fact]| Says::either(a, b, &self.symbols);
                match p {
                    Prim::BitAnd => Says { fails: either(&a.fails, &b.fails), holds: [a.holds, b.holds].concat() },
                    _ => Says { holds: either(&a.holds, &b.holds), fails: [a.fails, b.fails].concat() },
                }
            }
            // if c a false = c && a, if c false b = !c && b
            Expr::If(es) => {
                let c = self.condition(&es[0]);
                let fails = |e: &Expr| *e == Expr::Lit(Lit::Bool(false));
                let (first, arm) = match &**es {
                    [_, arm, other] if fails(other) => (c.holds, arm),
                    [_, other, arm] if fails(other) => (c.fails, arm),
                    _ => return Says::default(),
                };
                let then = self.then(&first, arm);
                Says { holds: [first, then.holds].concat(), fails: vec![] }
            }
            Expr::Prim(p, es, _) if es.len() == 2 && es.iter().all(|e| self.is_usize(e)) => {
                let (a, b) = (self.integer(&es[0], LARGEST), self.integer(&es[1], LARGEST));
                self.comparison(*p, &a, &b)
            }
            _ => Says::default(),
        }
    }

    /// The facts that follow from a condition where others hold first.
    fn then(&self, first: &[Fact], e: &Expr) -> Says {
        let mut then = self.clone();
        then.facts.extend(first.iter().cloned());
        let says = then.condition(e);
        let more = &then.facts[self.facts.len() + first.len()..];
        Says { holds: [more, &says.holds].concat(), fails: [more, &says.fails].concat() }
    }

    fn comparison(&self, p: Prim, a: &Card, b: &Card) -> Says {
        let one = Card::lit(1);
        let less = |a: &Card, b: &Card| Says::new(vec![b.sub(a).sub(&one)], vec![a.sub(b)]);
        let not = |s: Says| Says { holds: s.fails, fails: s.holds };
        let equal = || {
            let apart = Says::new(vec![a.sub(b).sub(&one)], vec![b.sub(a).sub(&one)]);
            let holds = Says::new(vec![a.sub(b), b.sub(a)], vec![]).holds;
            let fails = match [(b, a), (a, b)].map(|(a, b)| self.follows(&a.sub(b))) {
                [true, _] => apart.fails,
                [_, true] => apart.holds,
                _ => Says::either(&apart.holds, &apart.fails, &self.symbols),
            };
            Says { holds, fails }
        };
        match p {
            Prim::Lt => less(a, b),
            Prim::Gt => less(b, a),
            Prim::Ge => not(less(a, b)),
            Prim::Le => not(less(b, a)),
            Prim::Eq => equal(),
            Prim::Ne => not(equal()),
            _ => Says::default(),
        }
    }
}
