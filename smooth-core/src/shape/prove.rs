//! Bounds: whether a size or an index is never negative, given the loops around it.

use super::card::Card;
use crate::name::VarId;

/// The loops around a term, outermost first: index and count, where the count can be followed.
pub type Loops = [(VarId, Option<Card>)];

/// Whether `c >= 0` for all values of the loop indices and all sizes.
///
/// Each loop index, innermost first, is put at the end of its range where the expression is smallest;
/// what remains is a polynomial in sizes, non-negative if its coefficients are, or if it is after taking
/// off what the running loops tell: a loop that runs has a count of at least 1.
pub fn at_least_zero(c: &Card, loops: &Loops) -> bool {
    if c.never_negative() {
        return true;
    }
    let mut low = c.clone();
    let mut facts = Vec::new();
    for (i, count) in loops.iter().rev() {
        let last = count.as_ref().map(|n| n.sub(&Card::lit(1)));
        facts.extend(last.clone());
        if !low.mentions(*i) {
            continue;
        }
        let Some((slope, rest)) = low.linear_in(*i) else { return false };
        low = match last {
            _ if slope.never_negative() => rest,
            Some(last) if Card::default().sub(&slope).never_negative() => slope.mul(&last).add(&rest),
            _ => return false,
        };
    }
    // low = f·m + rest with a fact f >= 0, a size m (or 1) and rest >= 0.
    let sizes: Vec<Card> = low.atoms().into_iter().map(|a| Card::atom(a.clone())).chain([Card::lit(1)]).collect();
    low.never_negative() || facts.iter().any(|f| sizes.iter().any(|m| low.sub(&f.mul(m)).never_negative()))
}

/// Whether `0 <= i < len`.
pub fn in_range(i: &Card, len: &Card, loops: &Loops) -> bool {
    at_least_zero(i, loops) && at_least_zero(&len.sub(i).sub(&Card::lit(1)), loops)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_of_loops_are_in_range() {
        let [n, m, i, j] = [0, 1, 2, 3].map(|k| Card::var(VarId(k)));
        let lit = Card::lit;
        let loops = [(VarId(2), Some(n.clone())), (VarId(3), Some(i.clone()))];
        let inside = |e: &Card| in_range(e, &n, &loops);
        assert!(inside(&i));
        assert!(inside(&j), "j < i < n");
        assert!(inside(&n.sub(&lit(1)).sub(&i)), "reversed");
        assert!(!inside(&i.add(&lit(1))));
        assert!(inside(&i.sub(&j).sub(&lit(1))), "i - j - 1");
        assert!(inside(&lit(0)), "the loop runs, so n >= 1");
        assert!(!inside(&lit(1)));
        assert!(at_least_zero(&n.mul(&m).sub(&i.mul(&m)).sub(&m), &loops), "row i of n rows of m");
        assert!(!at_least_zero(&i.mul(&i).sub(&n), &loops));
    }
}
