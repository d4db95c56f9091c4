//! Random questions for proofs about polynomials, and the small numbers that answer them.

use super::random::Rng;
use smooth_core::name::VarId;
use smooth_core::shape::card::{Atom, Card, Op};

/// The number of indeterminates.
const NAMES: u32 = 3;

/// The largest number.
const LARGEST: i128 = 6;

/// Whether a goal follows from facts.
pub struct Question {
    pub facts: Vec<Card>,
    pub goal: Card,
}

/// A polynomial: a sum of few terms.
fn polynomial(rng: &mut Rng, depth: u32) -> Card {
    let name = |rng: &mut Rng| Card::var(VarId(rng.below(NAMES as usize) as u32));
    (0..1 + rng.below(3)).fold(Card::lit(rng.below(6) as i128 - 3), |sum, _| {
        let term = match rng.below(8) {
            0 => name(rng).mul(&name(rng)),
            1 if depth > 0 => Card::op(Op::Div, &name(rng), &Card::lit(2 + rng.below(3) as i128)),
            2 if depth > 0 => Card::op(Op::Rem, &name(rng), &Card::lit(2 + rng.below(3) as i128)),
            3 if depth > 0 => Card::op(Op::Min, &name(rng), &polynomial(rng, depth - 1)),
            4 if depth > 0 => Card::op(Op::Max, &name(rng), &polynomial(rng, depth - 1)),
            5 if depth > 0 => Card::op(Op::Div, &name(rng).mul(&name(rng)), &name(rng)),
            _ => name(rng),
        };
        sum.add(&term.mul(&Card::lit([1, 1, 2, -1, -1, -2][rng.below(6)])))
    })
}

/// A question whose answer is often yes, and about as often narrowly no.
pub fn question(rng: &mut Rng) -> Question {
    let facts: Vec<Card> = (0..1 + rng.below(4)).map(|_| polynomial(rng, 1)).collect();
    let any = |rng: &mut Rng| facts[rng.below(facts.len())].clone();
    let goal = match rng.below(4) {
        0 => polynomial(rng, 1),
        1 => any(rng).add(&polynomial(rng, 0)),
        _ => any(rng).add(&any(rng)).add(&Card::lit(rng.below(4) as i128 - 2)),
    };
    Question { facts, goal }
}

/// All small numbers for the indeterminates.
pub fn numbers() -> impl Iterator<Item = Vec<i128>> {
    let all = (LARGEST + 1).pow(NAMES);
    (0..all).map(|k| (0..NAMES).map(|x| k / (LARGEST + 1).pow(x) % (LARGEST + 1)).collect())
}

/// The number that an indeterminate is.
pub fn value(a: &Atom, numbers: &[i128]) -> i128 {
    match a {
        Atom::Var(x) => numbers[x.0 as usize],
        _ => unreachable!("questions have no lengths"),
    }
}
