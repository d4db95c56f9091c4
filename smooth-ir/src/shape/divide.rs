//! Division of sizes: the quotient and the remainder of two polynomials.
//!
//! ```text
//! a = q·d + r, 0 <= r < d   ⟹   a / d = q, a % d = r
//! ```

use super::card::{Atom, Card, LARGE, Monomial, times};
use super::facts::Facts;
use crate::mapped::Mapped;
use crate::sorted::sort_by_key;
use std::sync::Arc;

/// The maximum number of terms of a quotient.
const QUOTIENT: usize = 16;

impl Facts {
    /// Quotient and remainder of two numbers, where the facts prove that the remainder is in range. So `d >= 1`.
    pub fn divide(&self, a: &Card, d: &Card) -> Option<(Card, Card)> {
        let (q, r) = a.split(d)?;
        let one = Card::lit(1);
        let next = (q.sub(&one), r.add(d));
        [(q, r), next].into_iter().find(|(_, r)| self.at_least_zero(r) && self.at_least_zero(&d.sub(r).sub(&one)))
    }
}

/// A term with a negative coefficient: its product, and the coefficient without its sign.
pub(super) struct Negative(Monomial, i128);

impl Card {
    /// `q` and `r` such that the size is `q·d + r`, by polynomial division: while a term of `r` is a multiple of the
    /// leading term of `d`, this multiple of `d` is moved to `q`. The leading term has the highest degree, so that
    /// lower ones replace it.
    pub fn split(&self, d: &Card) -> Option<(Card, Card)> {
        if self.is_untracked() || d.is_untracked() {
            return None;
        }
        let degree = |m: &Monomial| m.iter().map(|(_, power)| *power).sum::<u32>();
        let (lead, l) = d.0.iter().max_by_key(|(m, _)| degree(m)).filter(|(_, l)| **l > 0)?;
        let (mut q, mut r) = (Card::default(), self.clone());
        for _ in 0..QUOTIENT {
            let term = |(m, k): (&Monomial, &i128)| {
                let times = k.div_euclid(*l);
                (times != 0).then(|| Some(Card::monomial(quotient(m, lead)?, times))).flatten()
            };
            let Some(part) = r.0.iter().find_map(term) else { return Some((q, r)) };
            (q, r) = (q.add(&part), r.sub(&part.mul(d)));
        }
        None
    }

    /// Its terms with positive coefficients.
    pub fn positive_part(&self) -> Card {
        Card(Arc::new(self.0.iter().filter(|(_, k)| **k > 0).map(|(m, k)| (m.clone(), *k)).collect()))
    }

    /// Whether `self - f·m` has no negative term, for some product `m` of atoms: `f·m` has all negative terms of
    /// `self`, and `self` has all positive terms of `f·m`.
    pub(super) fn is_at_least_multiple_of(&self, f: &Card) -> bool {
        let negatives = |c: &Card| c.0.values().filter(|k| **k < 0).count();
        let (own, known) = (negatives(self), negatives(f));
        let Some((first, _)) = self.0.iter().find(|(_, k)| **k < 0) else { return self.never_negative() };
        if own > known || f.0.len() - known > self.0.len() - own {
            return false;
        }
        let mut factors = f.0.iter().filter(|(_, l)| **l < 0).filter_map(|(n, _)| quotient(first, n));
        factors.any(|m| {
            let at = |n| self.0.get(&times(&m, n)).copied().unwrap_or(0);
            let (mut cancelled, mut terms) = (0, f.0.iter().map(|(n, l)| (at(n), l)));
            terms.all(|(k, l)| {
                cancelled += usize::from(k < 0);
                k >= *l
            }) && cancelled == own
        })
    }

    /// Its terms with negative coefficients, a constant last.
    pub(super) fn negatives(&self) -> Vec<Negative> {
        let mut found: Vec<Negative> = self.0.iter().filter(|(_, k)| **k < 0).mapped(|(m, k)| Negative(m.clone(), -*k));
        sort_by_key(&mut found, |Negative(m, _)| m.is_empty());
        found
    }

    /// Each `p·self - q·f` in which a negative term of `self` is gone, for a number `p > 0` and a product `q` that is
    /// at least 0: one for each negative term of `f` that divides it.
    pub(super) fn without_negative_of(&self, Negative(m, k): &Negative, f: &Card) -> Vec<Card> {
        let mut found = Vec::new();
        for (n, l) in f.0.iter().filter(|(_, l)| **l < 0).map(|(n, l)| (n, -*l)) {
            // A constant divides constants only: otherwise it would cost a new negative term for each of `f`.
            if n.is_empty() && !m.is_empty() {
                continue;
            }
            let Some(rest) = quotient(m, n) else { continue };
            let (p, q) = if k % l == 0 { (1, k / l) } else { (l, *k) };
            let Some(q) = (q.unsigned_abs() <= LARGE).then(|| Card::monomial(rest, q)) else { continue };
            found.push(self.mul(&Card::lit(p)).sub(&f.mul(&q)));
        }
        found
    }
}

/// `m / n`, if `n` divides `m`.
fn quotient(m: &Monomial, n: &Monomial) -> Option<Monomial> {
    let divides = |(a, power): &(Atom, u32)| m.iter().any(|(b, own)| a == b && own >= power);
    if !n.iter().all(divides) {
        return None;
    }
    let mut rest = m.clone();
    for (a, power) in n {
        let k = rest.binary_search_by(|(b, _)| b.cmp(a)).ok()?;
        rest[k].1 -= power;
    }
    rest.retain(|(_, power)| *power > 0);
    Some(rest)
}

#[cfg(test)]
mod tests {
    use super::super::card::numbers;
    use super::*;
    use crate::name::VarId;

    fn vars<const N: usize>() -> [Card; N] {
        std::array::from_fn(|k| Card::var(VarId(k as u32)))
    }

    /// The facts inside loops over the first counts, whose indices are the last variables.
    fn inside(loops: &[(&Card, &Card)]) -> Facts {
        let mut facts = Facts::new(Default::default());
        for (i, n) in loops {
            let Some(Atom::Var(i)) = i.as_atom() else { unreachable!() };
            facts.enter_loop(*i, Some((*n).clone()));
        }
        facts
    }

    #[test]
    fn rows_and_columns_of_flat_indices() {
        let [n, k, i, j] = vars();
        let lit = Card::lit;
        let facts = inside(&[(&i, &n), (&j, &k)]);
        assert_eq!(facts.divide(&i.mul(&k).add(&j), &k), Some((i.clone(), j.clone())));
        assert_eq!(facts.divide(&j, &k), Some((lit(0), j.clone())));
        assert_eq!(facts.divide(&i.mul(&k), &k), Some((i.clone(), lit(0))), "k >= 1, since the inner loop runs");
        let reversed = i.mul(&k).add(&k).sub(&lit(1)).sub(&j);
        assert_eq!(facts.divide(&reversed, &k), Some((i.clone(), k.sub(&lit(1)).sub(&j))));
        let wide = k.add(&lit(1));
        assert_eq!(facts.divide(&i.mul(&wide).add(&j), &wide), Some((i.clone(), j.clone())), "a framed row");
        assert_eq!(facts.divide(&i.mul(&lit(6)).add(&lit(5)), &lit(3)), Some((i.mul(&lit(2)).add(&lit(1)), lit(2))));
    }

    #[test]
    fn what_is_not_known_to_be_a_remainder_stays() {
        let [n, k, i, j] = vars();
        let facts = inside(&[(&i, &n), (&j, &k)]);
        assert_eq!(facts.divide(&i.mul(&k).add(&j), &n), None, "another size");
        assert_eq!(facts.divide(&i.mul(&k).add(&j).add(&Card::lit(1)), &k), None, "j + 1 may be k");
        assert_eq!(facts.divide(&i.mul(&Card::lit(3)), &Card::lit(2)), None);
        assert_eq!(inside(&[(&i, &n)]).divide(&i.mul(&k), &k), None, "k may be 0");
        assert_eq!(facts.divide(&i, &Card::lit(0)), None);
    }

    /// Wherever all loops run and nothing panics, quotient and remainder are those of the integers.
    #[test]
    fn quotients_and_remainders_are_right() {
        let mut next = numbers(11);
        let mut divided = 0;
        for _ in 0..4_000 {
            let [n, k, i, j] = vars();
            let facts = inside(&[(&i, &n), (&j, &k)]);
            let d = [k.clone(), n, Card::lit(1 + next(3) as i128), Card::random(&mut next, 1, 2)][next(4)].clone();
            let a = Card::random(&mut next, 1, 4).mul(&d).add(&Card::random(&mut next, 1, 4));
            let Some((q, r)) = facts.divide(&a, &d) else { continue };
            divided += 1;
            for case in 0..4usize.pow(4) {
                let values = [case % 4, case / 4 % 4, case / 16 % 4, case / 64].map(|v| v as i128);
                if values[2] >= values[0] || values[3] >= values[1] {
                    continue;
                }
                let at =
                    |c: &Card| c.eval(&|a| if let Atom::Var(v) = a { values[v.0 as usize] } else { unreachable!() });
                if let (Some(a), Some(d)) = (at(&a).filter(|a| *a >= 0), at(&d)) {
                    assert_eq!((at(&q), at(&r)), (a.checked_div(d), a.checked_rem(d)), "{a} by {d} at {values:?}");
                }
            }
        }
        assert!(divided > 500, "{divided} divisions");
    }
}
