//! Cuts of a loop's range: the indices at which the answer to a question changes.
//!
//! ```text
//! i + r < 0   changes at -r          r - i < 0    changes at r + 1
//! i + r = 0   changes at -r, -r + 1
//! max(i, c)   changes at c           min(i + k, n - 1) at n - k
//! (i + r) % n changes at n - r, 2·n - r
//! ```
//!
//! If `r` has the index of a loop inside, the answer is the same for all its iterations before the first of these places and
//! behind the last.

use crate::loops::{For, Order, Reduce, Stmt};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::schedule::facts::decide::{Ask, Question};
use crate::schedule::facts::decide::{Decide, has_loop};
use crate::shape::card::{Atom, Card, Op};
use crate::shape::condition::Known;
use crate::sorted::Set;

/// The maximum number of cuts of one loop. Several cuts at one end become one.
const CUTS: usize = 2;

/// The sample values of sizes, and of all other numbers, by which cuts are ordered. The order is tested at run time.
const SAMPLES: [i128; 2] = [1000, 500];

impl Decide<'_> {
    /// The indices at which a loop's range is split, in order; none if they would not decide a question of its body.
    pub fn cuts(&mut self, l: &For) -> Vec<Card> {
        let count = self.card(&l.count);
        let questions = self.open_questions(l, &count);
        if questions.is_empty() {
            return vec![];
        }
        let mut bound = Set::new();
        l.body.iter().for_each(|s| s.targets(&mut bound));
        let fixed =
            |c: &Card| !c.atoms().iter().any(|a| matches!(a, Atom::Var(x) if bound.contains(x) || *x == l.index));
        let inner = self.inner(l);
        let mut found = vec![];
        for q in &questions {
            let all = q.changes(l.index, &inner, &count).into_iter();
            found.push_all(all.filter(|c| fixed(c) && self.is_fixed(c) && is_outside(c)));
        }
        // Without an iteration of the loops inside, there is no question.
        let outside = self.facts.enter(&Known::default());
        let around = [(l.index, count.clone())].into_iter().chain(inner);
        let loops = around.map(|(i, n)| self.facts.enter_loop(i, Some(n).filter(|n| self.is_fixed(n)))).count();
        let zero = Card::default();
        found.retain(|c| !self.facts.at_least_zero(&zero.sub(c)) && !self.facts.at_least_zero(&c.sub(&count)));
        (0..loops).for_each(|_| self.facts.leave_loop());
        self.facts.leave(outside);
        in_order(found, &count)
    }

    /// The indices and counts of the loops in an independent one, outer ones first; none if one of them is independent, whose
    /// range can be split itself.
    fn inner(&mut self, l: &For) -> Vec<(VarId, Card)> {
        let (mut all, mut in_order) = (vec![], l.order == Order::Any);
        let mut note = |s: &Stmt| {
            if let Stmt::For(For { index, count, .. }) | Stmt::Reduce(Reduce { index, count, .. }) = s {
                all.push((*index, count.clone()));
                in_order &= !matches!(s, Stmt::For(For { order: Order::Any, .. }));
            }
        };
        l.body.iter().for_each(|s| s.walk(&mut note));
        all.retain(|_| in_order);
        all.into_iter().mapped(|(i, n)| (i, self.card(&n)))
    }

    /// The open questions of a loop's body.
    fn open_questions(&mut self, l: &For, count: &Card) -> Vec<Question> {
        if !l.body.iter().any(asks) {
            return vec![];
        }
        let (questions, env, borders) = (std::mem::take(&mut self.questions), self.env.clone(), self.borders.take());
        let recording = std::mem::replace(&mut self.recording, !has_loop(&l.body));
        self.each_time(l.index, count, |cx| drop(cx.block(l.body.clone())));
        (self.recording, self.env, self.borders) = (recording, env, borders);
        std::mem::replace(&mut self.questions, questions)
    }
}

impl Question {
    /// The indices at which the answer changes. If that moves in the loops inside, the first and the last of them, where most of
    /// the `count` iterations are on their other side.
    fn changes(&self, i: VarId, inner: &[(VarId, Card)], count: &Card) -> Vec<Card> {
        let Question { ask, first, second } = self;
        let (one, zero) = (Card::lit(1), Card::default());
        let of = |c: &Card| {
            let (slope, rest) = c.linear_in(i)?;
            slope.constant().filter(|s| s.abs() == 1).map(|s| (s == 1, rest))
        };
        if *ask == Ask::Times {
            let Some((up, rest)) = of(first).filter(|_| !second.mentions(i)) else { return vec![] };
            let at = |k: i128| {
                let multiple = second.mul(&Card::lit(k));
                if up { multiple.sub(&rest) } else { rest.sub(&multiple).add(&one) }
            };
            return vec![at(1), at(2)];
        }
        let mut all = vec![];
        for (up, rest) in operands(&first.sub(second), i).iter().filter_map(of) {
            let equal = if up { zero.sub(&rest) } else { rest };
            let behind = |c: &Card| c.add(&one);
            let mut ends = ends(equal.clone(), inner);
            ends.sort_by_key(|c| sample(c, count));
            if let [first, .., last] = ends.as_slice() {
                let (first, last) = match ask {
                    Ask::Less if up => (first.clone(), last.clone()),
                    Ask::Less => (behind(first), behind(last)),
                    Ask::Equal => (first.clone(), behind(last)),
                    _ => (behind(first), last.clone()),
                };
                let half = sample(count, count).map(|n| n / 2);
                all.push_all(Some(first).filter(|c| sample(c, count) >= half));
                all.push_all(Some(last).filter(|c| sample(c, count) <= half));
                continue;
            }
            match ask {
                Ask::Less if up => all.push(equal),
                Ask::Less => all.push(behind(&equal)),
                Ask::Equal => all.push_all([behind(&equal), equal]),
                // Either answer is right at `equal`. It goes to the middle part, which makes the part at the end shorter.
                _ if equal.constant().is_some() => all.push(equal),
                _ => all.push(behind(&equal)),
            }
        }
        all
    }
}

/// Whether a number that a loop's body computes has a value in front of the loop, too: none of its operations relies on what is
/// known inside.
fn is_outside(c: &Card) -> bool {
    c.atoms().into_iter().all(|a| !matches!(a, Atom::Op(..)) || Card::atom(a.clone()).is_total())
}

/// The differences with one or the other operand in place of an extreme that depends on `i`. One inside another atom, as in a
/// quotient, stays.
fn operands(c: &Card, i: VarId) -> Vec<Card> {
    let extreme = |a: &&Atom| matches!(a, Atom::Op(Op::Min | Op::Max, x, y) if x.mentions(i) || y.mentions(i));
    let is_term = |(slope, _): &(Card, Card)| *slope != Card::lit(0);
    let in_front = |e| c.linear_in_atom(e).filter(is_term).map(|parts| (e, parts));
    let found = c.atoms().into_iter().filter(extreme).find_map(in_front);
    match found {
        Some((Atom::Op(_, x, y), (slope, rest))) => {
            let with = |to: &Card| operands(&slope.mul(to).add(&rest), i);
            [with(x), with(y)].concat()
        }
        _ => vec![c.clone()],
    }
}

/// The first and the last place of a cut that moves with the indices of loops inside.
fn ends(c: Card, inner: &[(VarId, Card)]) -> Vec<Card> {
    let mut all = vec![c];
    for (j, n) in inner.iter().rev() {
        let both = |c: Card| match c.linear_in(*j).filter(|_| c.mentions(*j)) {
            Some((slope, rest)) => vec![slope.mul(&n.sub(&Card::lit(1))).add(&rest), rest],
            None => vec![c],
        };
        all = all.into_iter().flat_map(both).collect_vec();
    }
    all
}

/// The value of a number for sample values of sizes.
fn sample(c: &Card, count: &Card) -> Option<i128> {
    let sizes = count.atoms();
    c.eval(&|a| SAMPLES[usize::from(!sizes.contains(&a))])
}

/// The cuts in order. If there are too many, the last one at a constant distance from the start, and the first one at
/// a constant distance from the end; or else the last one in the first half, and the first one in the second.
fn in_order(found: Vec<Card>, count: &Card) -> Vec<Card> {
    let found: Set<(Option<i128>, Card)> = found.into_iter().map(|c| (sample(&c, count), c)).collect();
    let mut found: Vec<(Option<i128>, Card)> = found.into_iter().collect_vec();
    if found.len() > CUTS {
        let end = sample(count, count);
        found.retain(|(at, _)| at.is_none_or(|at| at > 0) && (end.is_none() || *at < end));
    }
    if found.len() > CUTS {
        let half = sample(count, count).map(|n| n / 2);
        let at_an_end = |c: &Card| c.constant().is_some() || count.sub(c).constant().is_some();
        let evident = found.iter().any(|(_, c)| at_an_end(c));
        let first = found.iter().rfind(|(at, c)| c.constant().is_some() || (!evident && *at < half));
        let last = found
            .iter()
            .find(|(at, c)| c.constant().is_none() && (count.sub(c).constant().is_some() || (!evident && *at >= half)));
        return first.into_iter().chain(last).mapped(|(_, c)| c.clone());
    }
    found.into_iter().mapped(|(_, c)| c)
}

/// Whether a statement may have questions.
fn asks(s: &Stmt) -> bool {
    use crate::loops::Expr;
    use crate::loops::visit::Part;
    let in_card = |c: &Card| c.atoms().iter().any(|a| matches!(a, Atom::Op(..)));
    let in_expr = |e: &Expr| match e {
        Expr::Prim(p, ..) => crate::schedule::branches::split_ranges::compares(*p),
        Expr::Size(c, _) => in_card(c),
        Expr::Load(a) => in_card(&a.offset),
        _ => false,
    };
    s.any_part(&|p| match p {
        Part::Expr(e) => e.any(&in_expr),
        Part::Access(a, _) => in_card(&a.offset),
        _ => false,
    })
}
