//! Facts about operations. They have been evaluated, so that no divisor is 0.
//!
//! ```text
//! z = x / y        z · y ≤ x ≤ z · y + y - 1
//! z = x % y        z ≤ y - 1, z ≤ x, x = (x / y) · y + z
//! z = (v % b) / a  z = v / a - (b / a) · (v / b)        a divides b, and (v % b) % a = v % a
//! z = min(x, y)    z ≤ x, z ≤ y
//! z = max(x, y)    z ≥ x, z ≥ y
//! ```

use super::products::Fact;
use smooth_core::shape::card::{Atom, Card, Op};

fn equal(x: &Card, y: &Card) -> [Card; 2] {
    [x.sub(y), y.sub(x)]
}

/// The facts about an operation.
pub(super) fn told(a: &Atom, facts: &[Fact]) -> Vec<Card> {
    let Atom::Op(op, x, y) = a else { return vec![] };
    let (z, x, y) = (Card::atom(a.clone()), &**x, &**y);
    match op {
        Op::Div => {
            let below = x.sub(&z.mul(y));
            let mut told = vec![y.sub(&Card::lit(1)).sub(&below), below];
            // (v % b) / a = v / a - (b / a) · (v / b)
            if let (Some(Atom::Op(Op::Rem, v, b)), Some(a)) = (x.as_atom(), y.constant())
                && let Some(b) = b.constant().filter(|b| a > 0 && b % a == 0)
            {
                let (by_a, by_b) = (Card::op(Op::Div, v, y), Card::op(Op::Div, v, &Card::lit(b)));
                told.extend(equal(&z, &by_a.sub(&by_b.mul(&Card::lit(b / a)))));
            }
            // x ≥ c and so x / y ≥ c / y
            if let Some(y) = y.constant().filter(|y| *y > 0) {
                let least = |f: &Fact| Some(-f.sub(x).constant()?).filter(|c| *c >= y);
                told.extend(facts.iter().filter_map(least).map(|c| z.sub(&Card::lit(c / y))));
            }
            told
        }
        Op::Rem => {
            let whole = x.sub(&z).sub(&Card::op(Op::Div, x, y).mul(y));
            let mut told = vec![y.sub(&Card::lit(1)).sub(&z), x.sub(&z), Card::lit(0).sub(&whole), whole];
            // (v % b) % a = v % a
            if let (Some(Atom::Op(Op::Rem, v, b)), Some(a)) = (x.as_atom(), y.constant())
                && b.constant().is_some_and(|b| a > 0 && b % a == 0)
            {
                told.extend(equal(&z, &Card::op(Op::Rem, v, y)));
            }
            told
        }
        Op::Min => vec![x.sub(&z), y.sub(&z)],
        Op::Max => vec![z.sub(x), z.sub(y)],
        Op::Exp2 => vec![z.sub(&Card::lit(1))],
        Op::Isqrt => vec![x.sub(&z)],
        Op::Log2 => vec![x.sub(&z).sub(&Card::lit(1)), Card::lit(63).sub(&z)],
        Op::NextPower => vec![z.sub(x), z.sub(&Card::lit(1)), x.add(x).add(&Card::lit(1)).sub(&z)],
        Op::Fits => vec![y.sub(&z)],
        Op::Mul | Op::Pow => vec![],
    }
}
