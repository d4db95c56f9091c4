//! Comparisons of numbers, as far as the facts at a place decide them.
//!
//! ```text
//! a < b    ⟶  true if b - a - 1 ≥ 0 follows, false if a - b ≥ 0 does     a, b exact
//! max a b  ⟶  a if a - b ≥ 0 follows
//! a % n    ⟶  a - q·n if 0 ≤ a - q·n < n follows
//! ```

use crate::loops::Expr;
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::prim::Prim;
use crate::schedule::facts::decide::{Ask, Decide, Question};
use crate::shape::card::{Atom, Card, Op};
use crate::shape::condition::Condition;
use crate::sorted::Map;
use crate::ty::Scalar;
use crate::value::Lit;

impl Decide<'_> {
    fn ask(&mut self, ask: Ask, first: &Card, second: &Card) {
        if self.recording {
            self.questions.push(Question { ask, first: first.clone(), second: second.clone() });
        }
    }

    /// Whether `a + gap ≤ b` follows.
    pub(crate) fn at_most(&self, a: &Card, b: &Card, gap: i128) -> bool {
        let c = b.sub(a).sub(&Card::lit(gap));
        !self.is_refuted(&c) && self.facts.at_least_zero(&c)
    }

    /// Whether a size is negative in an example: in the first iterations of all loops, in the middle ones, or in the
    /// last ones. This saves a proof that would fail, which takes longest.
    pub(crate) fn is_refuted(&self, c: &Card) -> bool {
        (0..3).any(|at| {
            let mut indices: Map<VarId, i128> = Map::new();
            for (i, n) in self.facts.loops() {
                match n.as_ref().map_or(Some(1), |n| value(n, &indices)) {
                    Some(n) if n > 0 => drop(indices.insert(*i, (n - 1) * at / 2)),
                    _ => return false,
                }
            }
            let holds = self.facts.assumed().all(|f| value(f, &indices).is_some_and(|f| f >= 0));
            holds && value(c, &indices).is_some_and(|c| c < 0)
        })
    }

    pub(crate) fn is_less(&mut self, a: &Card, b: &Card) -> Option<bool> {
        let answer = if self.at_most(a, b, 1) { Some(true) } else { self.at_most(b, a, 0).then_some(false) };
        if answer.is_none() {
            self.ask(Ask::Less, a, b);
        }
        answer
    }

    pub(crate) fn are_equal(&mut self, a: &Card, b: &Card) -> Option<bool> {
        let (below, above) = (self.at_most(a, b, 0), self.at_most(b, a, 0));
        let apart = (below && self.at_most(a, b, 1)) || (above && self.at_most(b, a, 1));
        let answer = if below && above { Some(true) } else { apart.then_some(false) };
        if answer.is_none() {
            self.ask(Ask::Equal, a, b);
        }
        answer
    }

    /// Whether `a` is at least `b`; `false` if it is at most `b`; `None` if neither follows.
    pub(crate) fn is_at_least(&mut self, a: &Card, b: &Card) -> Option<bool> {
        let answer = if self.at_most(b, a, 0) { Some(true) } else { self.at_most(a, b, 0).then_some(false) };
        if answer.is_none() {
            self.ask(Ask::Larger, a, b);
        }
        answer
    }

    pub(crate) fn quotient(&mut self, a: &Card, n: &Card) -> Option<(Card, Card)> {
        let answer = self.facts.divide(a, n);
        if answer.is_none() {
            self.ask(Ask::Times, a, n);
        }
        answer
    }

    /// A size with values instead of names, and with its operations decided.
    pub(crate) fn card(&mut self, c: &Card) -> Card {
        let known = |cx: &Self, a: &Atom| match a {
            Atom::Var(x) => cx.env.values.contains_key(x),
            a => matches!(a, Atom::Op(..)),
        };
        if !c.atoms().into_iter().any(|a| known(self, a)) {
            return c.clone();
        }
        let mut sum = Card::default();
        for (k, powers) in c.terms() {
            let mut product = Card::lit(k);
            for (a, power) in powers {
                let value = self.atom(a);
                product = (0..*power).fold(product, |product, _| product.mul(&value));
            }
            sum = sum.add(&product);
        }
        sum
    }

    fn atom(&mut self, a: &Atom) -> Card {
        let Atom::Op(op, x, y) = a else {
            let value = if let Atom::Var(x) = a { self.env.values.get(x).cloned() } else { None };
            return value.unwrap_or_else(|| Card::atom(a.clone()));
        };
        let (x, y) = (self.card(x), self.card(y));
        let decided = match op {
            Op::Max => self.is_at_least(&x, &y).map(|first| if first { x.clone() } else { y.clone() }),
            Op::Min => self.is_at_least(&x, &y).map(|first| if first { y.clone() } else { x.clone() }),
            Op::Rem => self.quotient(&x, &y).map(|(_, r)| r),
            Op::Div => self.facts.divide(&x, &y).map(|(q, _)| q),
            _ => None,
        };
        // Proofs about addresses may rely on the operands not being negative, since a size is computed exactly.
        decided.filter(|c| self.is_size(c)).unwrap_or_else(|| Card::op(*op, &x, &y))
    }

    /// Whether a polynomial is never negative, so that it is a size.
    pub(crate) fn is_size(&self, c: &Card) -> bool {
        c.never_negative() || (!self.is_refuted(c) && self.facts.at_least_zero(c))
    }

    /// The integer that an expression is, if it is exact.
    pub(crate) fn integer(&mut self, e: &Expr) -> Option<Card> {
        self.number(e).filter(|(_, exact)| *exact).map(|(c, _)| c)
    }

    /// A polynomial that equals an expression's value modulo 2^w, and whether it equals it exactly.
    pub(crate) fn number(&mut self, e: &Expr) -> Option<(Card, bool)> {
        let (c, exact) = match e {
            Expr::Var(x) if self.env.types.get(x).is_none_or(|s| *s == Scalar::Usize) => {
                (self.env.values.get(x).cloned().unwrap_or(Card::var(*x)), true)
            }
            Expr::Lit(Lit::Int(n, Scalar::Usize)) => (Card::lit(*n), *n <= u32::MAX.into()),
            Expr::Size(c, _) => (self.card(c), true),
            Expr::Prim(p @ (Prim::Add | Prim::Sub | Prim::Mul), es, _) => {
                let ((a, first), (b, second)) = (self.number(&es[0])?, self.number(&es[1])?);
                let c = match p {
                    Prim::Add => a.add(&b),
                    Prim::Sub => a.sub(&b),
                    _ => a.mul(&b),
                };
                let exact = first && second && self.facts.is_exact(&c);
                (c, exact)
            }
            Expr::Prim(p @ (Prim::Min | Prim::Max), es, _) if self.scalar(&es[0]) == Scalar::Usize => {
                let (a, b) = (self.integer(&es[0])?, self.integer(&es[1])?);
                (self.card(&Card::op(if *p == Prim::Min { Op::Min } else { Op::Max }, &a, &b)), true)
            }
            _ => return None,
        };
        (!c.is_untracked()).then_some((c, exact))
    }

    /// The type of an expression.
    pub(crate) fn scalar(&self, e: &Expr) -> Scalar {
        match e {
            Expr::Var(x) => self.env.types.get(x).copied().unwrap_or(Scalar::Usize),
            Expr::Lit(l) => l.scalar(),
            Expr::Const(k) => self.f.interface.consts[*k].ty.expect_scalar(),
            Expr::Size(..) => Scalar::Usize,
            Expr::Prim(p, es, _) => {
                let args: Vec<Scalar> = es.iter().mapped(|e| self.scalar(e));
                p.result(&args).unwrap_or_else(|e| panic!("{e}"))
            }
            Expr::Load(a) => self.f.buffer(a.buffer).elem,
            Expr::If(es) => self.scalar(&es[1]),
            Expr::App(_, _, s) => *s,
        }
    }

    /// Whether the value of a size does not change while its variables are in scope.
    pub(crate) fn is_fixed(&self, c: &Card) -> bool {
        !c.is_untracked() && !c.atoms().iter().any(|a| matches!(a, Atom::Var(x) if self.env.assigned.contains(x)))
    }

    /// The facts of a condition.
    pub(crate) fn condition(&mut self, e: &Expr) -> Condition {
        match e {
            Expr::Var(x) => self.env.says.get(x).cloned().unwrap_or_default(),
            Expr::Prim(Prim::Not, es, _) => self.condition(&es[0]).negated(),
            Expr::Prim(p @ (Prim::And | Prim::Or), es, _) => {
                let sign = if *p == Prim::And { |c: Condition| c } else { Condition::negated };
                let first = sign(self.condition(&es[0]));
                let outside = self.facts.enter(&first.holds);
                let second = sign(self.condition(&es[1]));
                self.facts.leave(outside);
                sign(first.and(second))
            }
            Expr::Prim(p, es, _) if es.len() == 2 => match (self.number(&es[0]), self.number(&es[1])) {
                (Some((a, _)), Some((b, _))) if self.is_fixed(&a) && self.is_fixed(&b) => {
                    self.facts.compare(*p, &a, &b)
                }
                _ => Condition::default(),
            },
            _ => Condition::default(),
        }
    }
}

/// A size in an example, where all sizes are equal.
fn value(c: &Card, indices: &Map<VarId, i128>) -> Option<i128> {
    c.eval(&|a| if let Atom::Var(x) = a { indices.get(x).copied().unwrap_or(SIZE) } else { SIZE })
}

/// The sizes in examples.
const SIZE: i128 = 1000;
