//! Simplification by facts: conditions, extremes, remainders and checks that the facts at their place decide.
//!
//! ```text
//! if e a b        ⟶  a           e follows from the facts
//! min a b         ⟶  a           b - a ≥ 0 follows; max, clamp, saturating_sub likewise
//! a % n           ⟶  a - q·n     0 ≤ a - q·n < n follows
//! check e < n     ⟶              0 ≤ e < n follows
//! let x = o; b[x] ⟶  b[o]        o a polynomial
//! ```
//!
//! Only numbers that are *exact* are compared (`shape/condition.rs`): those whose `usize` value is known to be the
//! integer of the polynomial. Nothing is concluded about variables that are assigned. Questions that stay open are
//! recorded: [`Question`].

use crate::loops::{Access, Block, Expr, For, Function, Place, Reduce, Stmt, With};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::prim::Prim;
use crate::schedule::facts::splits::Progress;
use crate::shape::ParamKind;
use crate::shape::card::Card;
use crate::shape::condition::{Condition, Known};
use crate::shape::facts::Facts;
use crate::sorted::{Map, Set};
use crate::span::Origin;
use crate::ty::Scalar;
use crate::value::Lit;

/// The types and values of names.
#[derive(Clone, Default)]
pub(crate) struct Env {
    /// The types of numbers; a number that is not listed is a `usize`.
    pub types: Map<VarId, Scalar>,
    /// Variables that are assigned.
    pub assigned: Set<VarId>,
    /// The values of names, as polynomials.
    pub values: Map<VarId, Card>,
    /// Conditions with one outcome.
    truths: Map<VarId, bool>,
    /// The facts of conditions that have a name.
    pub says: Map<VarId, Condition>,
}

/// A question about two numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Ask {
    /// Whether the first is less.
    Less,
    /// Whether they are equal.
    Equal,
    /// The larger one. Either answer is right if they are equal.
    Larger,
    /// The quotient of the first by the second.
    Times,
}

/// A question that the facts leave open.
#[derive(Clone, Debug)]
pub(crate) struct Question {
    pub ask: Ask,
    pub first: Card,
    pub second: Card,
}

pub(crate) struct Decide<'f> {
    pub f: &'f mut Function,
    pub facts: Facts,
    pub env: Env,
    /// Open questions in innermost loops, and in values that have a name.
    pub questions: Vec<Question>,
    /// Whether open questions are recorded.
    pub recording: bool,
    /// The state of the pass `split_ranges`, while it runs.
    pub borders: Option<Progress>,
    /// The rewrite of a loop: as one loop, unless a pass has its own.
    pub each_loop: fn(&mut Decide<'_>, For, &mut Block),
}

impl Decide<'_> {
    /// The state outside of a function's loops, without facts.
    pub fn new(f: &mut Function) -> Decide<'_> {
        let mut env = Env::default();
        for p in &f.interface.params {
            if let ParamKind::Scalar(s) = p.kind {
                env.types.insert(p.var, s);
            }
        }
        let mut facts = Facts::default();
        facts.know_lengths(&f.interface.params);
        Decide {
            f,
            facts,
            env,
            questions: vec![],
            recording: false,
            borders: None,
            each_loop: |cx, l, out| cx.plain_loop(l, out),
        }
    }

    /// Records the variables that the statements of a block bind, inner blocks included.
    pub fn note_all(&mut self, b: &Block) {
        b.iter().for_each(|s| s.walk(&mut |s| self.note(s)));
    }

    /// Records the variables that a statement binds.
    pub fn note(&mut self, s: &Stmt) {
        match s {
            Stmt::Let(x, s, _) => drop(self.env.types.insert(*x, *s)),
            Stmt::Var(x, s) => {
                self.env.types.insert(*x, *s);
                self.env.assigned.insert(*x);
            }
            Stmt::Reduce(Reduce { elems, totals, with, .. }) => {
                let sides: &[&Vec<VarId>] = match with {
                    With::Monoid(_) | With::Products => &[totals],
                    With::Function { left, right, .. } => &[totals, left, right],
                };
                for xs in sides {
                    self.env.types.extend(xs.iter().copied().zip(elems.iter().copied()));
                }
            }
            _ => {}
        }
    }

    /// Records the value of a name.
    pub fn define(&mut self, x: VarId, value: Card) {
        self.env.values.insert(x, value);
    }

    /// Records the value of a name, if it is known.
    pub fn name(&mut self, x: VarId, e: &Expr) {
        if let Some(c) = self.integer(e).filter(|c| self.is_fixed(c)) {
            self.define(x, c);
        }
    }

    /// The bounds of a quotient that is rounded up, and has a name, as the count of a loop by steps.
    ///
    /// ```text
    /// x = ⌈a / s⌉   ⟹   a ≤ s·x ≤ a + s - 1
    /// ```
    fn steps(&mut self, x: VarId, e: &Expr) -> Option<[Known; 2]> {
        let Expr::Prim(Prim::DivCeil, es, _) = e else { return None };
        let (a, s) = (self.integer(&es[0])?, self.integer(&es[1])?.constant().filter(|s| *s > 0)?);
        let times = Card::var(x).mul(&Card::lit(s));
        let bounds = [times.sub(&a), a.add(&Card::lit(s - 1)).sub(&times)];
        self.is_fixed(&a).then(|| bounds.map(Known::at_least_zero))
    }

    /// Records the facts of a condition that has a name.
    pub fn says(&mut self, x: VarId, e: &Expr) {
        let says = self.condition(e);
        self.env.says.insert(x, says);
    }

    /// The facts after a check of an index, if its numbers do not change.
    pub fn passed(&mut self, index: &Expr, len: &Card) -> Option<Known> {
        let (i, len) = (self.number(index)?.0, self.card(len));
        (self.is_fixed(&i) && self.is_fixed(&len)).then(|| self.facts.index(&i, &len))
    }

    /// Records what a statement that was passed says about numbers.
    pub fn meet(&mut self, s: &Stmt) {
        self.note(s);
        match s {
            Stmt::Let(x, Scalar::Usize, e) => {
                self.name(*x, e);
                self.steps(*x, e).into_iter().flatten().for_each(|known| self.facts.assume(&known));
                if let Expr::Size(c, _) = e {
                    let c = self.card(c);
                    self.facts.assume(&Known::at_least_zero(c));
                }
            }
            Stmt::Let(x, Scalar::Bool, e) => self.says(*x, e),
            Stmt::Check { index, len, .. } => {
                self.passed(index, len).into_iter().for_each(|known| self.facts.assume(&known));
            }
            _ => {}
        }
    }

    /// Statements simplified by further facts.
    pub fn under(&mut self, known: &Known, b: Block) -> Block {
        let outside = self.facts.enter(known);
        let b = self.block(b);
        self.facts.leave(outside);
        b
    }

    /// Runs `f` with the facts of each iteration of a loop.
    pub fn each_time(&mut self, index: VarId, count: &Card, f: impl FnOnce(&mut Self)) {
        let outside = self.facts.enter(&Known::default());
        self.facts.enter_iteration(index, Some(count.clone()).filter(|n| self.is_fixed(n)));
        f(self);
        self.facts.leave_loop();
        self.facts.leave(outside);
    }

    pub fn block(&mut self, b: Block) -> Block {
        let mut out = Block::new();
        b.into_iter().for_each(|s| self.stmt(s, &mut out));
        out
    }

    fn stmt(&mut self, mut s: Stmt, out: &mut Block) {
        self.note(&s);
        match s {
            Stmt::Let(x, ty, e) => {
                let recording = std::mem::replace(&mut self.recording, true);
                let e = self.expr(e);
                self.recording = recording;
                match (&e, ty) {
                    (Expr::Lit(Lit::Bool(b)), _) => {
                        self.env.truths.insert(x, *b);
                        return;
                    }
                    (_, Scalar::Bool) => self.says(x, &e),
                    (_, Scalar::Usize) => self.name(x, &e),
                    _ => {}
                }
                out.push(Stmt::Let(x, ty, e));
            }
            Stmt::Check { index, len, origin } => {
                let (index, len) = (self.expr(index), self.card(&len));
                let i = self.number(&index).map(|(c, _)| c);
                let holds = |i: &Card| !self.is_refuted(i) && self.facts.is_index(i, &len);
                if !self.f.checked && i.as_ref().is_some_and(holds) {
                    return;
                }
                let known = self.passed(&index, &len);
                out.push(Stmt::Check { index, len, origin });
                known.into_iter().for_each(|known| self.facts.assume(&known));
            }
            Stmt::CheckRange { start, end, len, origin } => {
                let (start, end, len) = (self.expr(start), self.expr(end), self.card(&len));
                if let (Some(s), Some(e)) = (self.integer(&start), self.integer(&end))
                    && !self.f.checked
                    && self.facts.holds_slice(&s, &e, &len)
                {
                    return;
                }
                out.push(Stmt::CheckRange { start, end, len, origin });
            }
            Stmt::If(c, a, b) => {
                let c = self.expr(c);
                if let Expr::Lit(Lit::Bool(t)) = c {
                    let b = self.block(if t { a } else { b });
                    out.push_all(spliced(b));
                    return;
                }
                let says = self.condition(&c);
                let (a, b) = (self.under(&says.holds, a), self.under(&says.fails, b));
                out.push(Stmt::If(c, a, b));
            }
            Stmt::Block(b) => {
                let b = self.under(&Known::default(), b);
                out.push(Stmt::Block(b));
            }
            Stmt::For(l) => (self.each_loop)(self, l, out),
            Stmt::Spread(mut s) => {
                s.body = self.under(&Known::default(), s.body);
                out.push(Stmt::Spread(s));
            }
            Stmt::Reduce(Reduce { index, count, elems, mut body, mut terms, mut with, totals }) => {
                let count = self.card(&count);
                let recording = std::mem::replace(&mut self.recording, !has_loop(&body));
                self.each_time(index, &count, |cx| {
                    body = cx.block(std::mem::take(&mut body));
                    terms = cx.exprs(std::mem::take(&mut terms));
                });
                self.recording = recording;
                if let With::Function { init, body, next, .. } = &mut with {
                    *init = self.exprs(std::mem::take(init));
                    *body = self.under(&Known::default(), std::mem::take(body));
                    *next = self.exprs(std::mem::take(next));
                }
                out.push(Stmt::Reduce(Reduce { index, count, elems, body, terms, with, totals }));
            }
            Stmt::Assign(place, e) => {
                let e = self.expr(e);
                let place = match place {
                    Place::Element(a) => Place::Element(self.access(a)),
                    place => place,
                };
                out.push(Stmt::Assign(place, e));
            }
            _ => {
                for e in s.exprs_mut() {
                    *e = self.expr(std::mem::replace(e, Expr::Const(0)));
                }
                for c in s.cards_mut() {
                    *c = self.card(c);
                }
                for a in s.accesses_mut() {
                    a.offset = self.card(&a.offset);
                }
                out.push(s);
            }
        }
    }

    /// A loop whose body is simplified by the range of its index.
    pub fn plain_loop(&mut self, l: For, out: &mut Block) {
        let For { index, count, order, mut body } = l;
        let count = self.card(&count);
        let recording = std::mem::replace(&mut self.recording, !has_loop(&body));
        self.each_time(index, &count, |cx| body = cx.block(std::mem::take(&mut body)));
        self.recording = recording;
        out.push(Stmt::For(For { index, count, order, body }));
    }

    fn exprs(&mut self, es: Vec<Expr>) -> Vec<Expr> {
        es.into_iter().mapped(|e| self.expr(e))
    }

    fn access(&mut self, a: Access) -> Access {
        Access { buffer: a.buffer, offset: self.card(&a.offset) }
    }

    fn expr(&mut self, e: Expr) -> Expr {
        match e {
            Expr::Var(x) => self.env.truths.get(&x).map_or(Expr::Var(x), |t| Expr::Lit(Lit::Bool(*t))),
            Expr::Size(c, origin) => Expr::Size(self.card(&c), origin),
            Expr::Load(a) => Expr::Load(self.access(a)),
            Expr::If(es) => {
                let [c, a, b] = *es;
                let c = self.expr(c);
                if let Expr::Lit(Lit::Bool(t)) = c {
                    return self.expr(if t { a } else { b });
                }
                let says = self.condition(&c);
                let (a, b) = (self.expr_under(&says.holds, a), self.expr_under(&says.fails, b));
                if a == b { a } else { Expr::If(Box::new([c, a, b])) }
            }
            Expr::Prim(p @ (Prim::And | Prim::Or), es, origin) => {
                let mut es = es.into_iter();
                let (Some(a), Some(b)) = (es.next(), es.next()) else { unreachable!("two operands") };
                let a = self.expr(a);
                let settles = p == Prim::Or;
                if let Expr::Lit(Lit::Bool(t)) = a {
                    return if t == settles { a } else { self.expr(b) };
                }
                let says = self.condition(&a);
                let b = self.expr_under(if settles { &says.fails } else { &says.holds }, b);
                match b {
                    Expr::Lit(Lit::Bool(t)) if t == settles => b,
                    Expr::Lit(Lit::Bool(_)) => a,
                    b => Expr::Prim(p, vec![a, b], origin),
                }
            }
            Expr::Prim(p, es, origin) => {
                let es = self.exprs(es);
                self.decided(p, &es, origin).unwrap_or(Expr::Prim(p, es, origin))
            }
            Expr::App(f, es, s) => Expr::App(f, self.exprs(es), s),
            Expr::Lit(_) | Expr::Const(_) => e,
        }
    }

    fn expr_under(&mut self, known: &Known, e: Expr) -> Expr {
        let outside = self.facts.enter(known);
        let e = self.expr(e);
        self.facts.leave(outside);
        e
    }

    /// An operation on numbers, decided if the facts allow it.
    fn decided(&mut self, p: Prim, es: &[Expr], origin: Origin) -> Option<Expr> {
        if let (Prim::Not, [Expr::Lit(Lit::Bool(t))]) = (p, es) {
            return Some(Expr::Lit(Lit::Bool(!t)));
        }
        let c: Vec<Card> = es.iter().map(|e| self.integer(e)).all_some()?;
        let truth = |t: bool| Expr::Lit(Lit::Bool(t));
        match p {
            Prim::Lt => self.is_less(&c[0], &c[1]).map(truth),
            Prim::Gt => self.is_less(&c[1], &c[0]).map(truth),
            Prim::Ge => self.is_less(&c[0], &c[1]).map(|t| truth(!t)),
            Prim::Le => self.is_less(&c[1], &c[0]).map(|t| truth(!t)),
            Prim::Eq => self.are_equal(&c[0], &c[1]).map(truth),
            Prim::Ne => self.are_equal(&c[0], &c[1]).map(|t| truth(!t)),
            Prim::Max | Prim::Min => {
                let first = self.is_at_least(&c[0], &c[1])? == (p == Prim::Max);
                self.one_of(es, &c, usize::from(!first))
            }
            // A range from one number to a smaller one panics.
            Prim::Clamp if !self.at_most(&c[1], &c[2], 0) => None,
            Prim::Clamp => match (self.is_at_least(&c[0], &c[1]), self.is_at_least(&c[0], &c[2])) {
                (Some(false), _) => self.one_of(es, &c, 1),
                (_, Some(true)) => self.one_of(es, &c, 2),
                (Some(true), Some(false)) => self.one_of(es, &c, 0),
                (Some(true), None) => Some(Expr::Prim(Prim::Min, vec![es[0].clone(), es[2].clone()], origin)),
                _ => None,
            },
            Prim::SaturatingSub => Some(match self.is_at_least(&c[0], &c[1])? {
                true => Expr::Prim(Prim::Sub, es.to_vec(), origin),
                false => Expr::Lit(Lit::usize(0)),
            }),
            Prim::Rem => self.quotient(&c[0], &c[1]).map(|(_, r)| Expr::Size(r, origin)),
            Prim::Div => self
                .facts
                .divide(&c[0], &c[1])
                .map(|(q, _)| q)
                .filter(|q| self.is_size(q))
                .map(|q| Expr::Size(q, origin)),
            _ => None,
        }
    }

    /// The operand `k`, which is the value; `None` if it might be negative: proofs about the value take it to be a
    /// size.
    fn one_of(&self, es: &[Expr], c: &[Card], k: usize) -> Option<Expr> {
        self.is_size(&c[k]).then(|| es[k].clone())
    }
}

/// The statements of a block, in a scope if they allocate storage.
pub(crate) fn spliced(b: Block) -> Block {
    if b.iter().any(|s| matches!(s, Stmt::Open(_) | Stmt::Turn(_))) { vec![Stmt::Block(b)] } else { b }
}

/// Whether there is a loop in a block.
pub(crate) fn has_loop(b: &Block) -> bool {
    b.iter().any(|s| s.any(&|s| matches!(s, Stmt::For(_) | Stmt::Reduce(_))))
}
