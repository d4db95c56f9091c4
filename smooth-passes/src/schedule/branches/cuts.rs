//! Cuts of a loop's range: the indices at which the answer to a question changes.
//!
//! ```text
//! i + r < 0   changes at -r          r - i < 0    changes at r + 1
//! i + r = 0   changes at -r, -r + 1
//! max(i, c)   changes at c           min(i + k, n - 1) at n - k
//! (i + r) % n changes at n - r, 2·n - r
//! ```

use crate::loops::{For, Stmt};
use crate::mapped::{Mapped, PushAll};
use crate::name::VarId;
use crate::schedule::facts::decide::{Ask, Question};
use crate::schedule::facts::decide::{Decide, has_loop};
use crate::shape::card::{Atom, Card};
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
        let mut found = vec![];
        for q in &questions {
            found.push_all(q.changes(l.index).into_iter().filter(|c| fixed(c) && self.is_fixed(c)));
        }
        self.each_time(l.index, &count, |cx| {
            let inside = |c: &Card| {
                let zero = Card::default();
                !cx.facts.at_least_zero(&zero.sub(c)) && !cx.facts.at_least_zero(&c.sub(&count))
            };
            found.retain(inside);
        });
        in_order(found, &count)
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
    /// The indices at which the answer changes.
    fn changes(&self, i: VarId) -> Vec<Card> {
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
        let Some((up, rest)) = of(&first.sub(second)) else { return vec![] };
        let equal = if up { zero.sub(&rest) } else { rest };
        let behind = equal.add(&one);
        match ask {
            Ask::Less if up => vec![equal],
            Ask::Less => vec![behind],
            Ask::Equal => vec![equal, behind],
            // Either answer is right at `equal`. It goes to the middle part, which makes the part at the end shorter.
            _ if equal.constant().is_some() => vec![equal],
            _ => vec![behind],
        }
    }
}

/// The cuts in order. If there are too many, the last one at a constant distance from the start, and the first one at
/// a constant distance from the end.
fn in_order(found: Vec<Card>, count: &Card) -> Vec<Card> {
    let sample = |c: &Card| {
        c.eval(&|a| {
            let is_size = count.atoms().contains(&a);
            SAMPLES[usize::from(!is_size)]
        })
    };
    let found: Set<(Option<i128>, Card)> = found.into_iter().map(|c| (sample(&c), c)).collect();
    let found = found.into_iter().mapped(|(_, c)| c);
    if found.len() <= CUTS {
        return found;
    }
    let first = found.iter().rfind(|c| c.constant().is_some()).cloned();
    let last = found.iter().find(|c| c.constant().is_none() && count.sub(c).constant().is_some()).cloned();
    first.into_iter().chain(last).collect_vec()
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
