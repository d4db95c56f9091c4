//! Division of sizes: what a polynomial has of a product, and what is left of it.

use super::card::{Card, LARGE, Monomial, times};
use std::collections::BTreeMap;

impl Card {
    /// Whether `self - f·m` has no negative term, for some product `m` of atoms: `f·m` has all negative terms of `self`, and
    /// `self` has all positive terms of `f·m`.
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

    /// Each `p·self - q·f` in which a negative term of `self` is gone, for a number `p > 0` and a product `q` that is
    /// at least 0: one for each negative term of `f` that divides one of `self`.
    pub(super) fn without_negatives_of(&self, f: &Card) -> Vec<Card> {
        let negative =
            |c: &Card| c.0.iter().filter(|(_, k)| **k < 0).map(|(m, k)| (m.clone(), -*k)).collect::<Vec<_>>();
        let (own, known) = (negative(self), negative(f));
        let mut found = Vec::new();
        for (m, k) in &own {
            for (n, l) in &known {
                // A constant divides constants only: otherwise it would cost a new negative term for each of `f`.
                let Some(rest) = quotient(m, n).filter(|_| n.is_empty() <= m.is_empty()) else { continue };
                let (p, q) = if k % l == 0 { (1, k / l) } else { (*l, *k) };
                let Some(q) = (q.unsigned_abs() <= LARGE).then(|| Card(BTreeMap::from([(rest, q)]))) else { continue };
                found.push(self.mul(&Card::lit(p)).sub(&f.mul(&q)));
            }
        }
        found
    }
}

/// `m / n`, if `n` divides `m`.
fn quotient(m: &Monomial, n: &Monomial) -> Option<Monomial> {
    let mut rest = m.clone();
    for (a, power) in n {
        let k = rest.binary_search_by(|(b, _)| b.cmp(a)).ok()?;
        rest[k].1 = rest[k].1.checked_sub(*power)?;
    }
    rest.retain(|(_, power)| *power > 0);
    Some(rest)
}
