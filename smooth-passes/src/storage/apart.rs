//! Disjointness of rows: whether reads of an array are apart from one of its rows, by the facts at each read.
//!
//! ```text
//! a[i]… and a[k]        apart  ⟸  i - k ≠ 0
//! a[s..e]… and a[k]     apart  ⟸  k < s or e ≤ k
//! ```

use super::checks::{Apart, Walk};
use crate::dps::{Program, Term, View};
use crate::shape::card::Card;
use crate::sorted::{Map, Set};

/// The reads that are apart from a row along one of these axes, by their addresses.
pub(super) fn apart(p: &Program, asked: Map<*const View, Vec<Apart>>) -> Set<*const View> {
    let mut walk = Walk::new(p, &[], false);
    walk.asked = asked;
    walk.term(&p.body);
    walk.are_apart
}

impl Walk<'_> {
    /// Whether an index or a range does not contain the index `row`.
    pub(super) fn is_apart(&mut self, Apart { start, end, row }: &Apart) -> bool {
        let value = |cx: &mut Self, t: &Term| cx.values.value(t, &cx.facts);
        if end.is_none()
            && let Some((i, k)) = value(self, start).zip(value(self, row))
            && i.sub(&k).constant().is_some_and(|c| c != 0 && c.abs() < 1 << 31)
        {
            // This holds even if both have wrapped.
            return true;
        }
        let [first, end, row] = [Some(start), end.as_ref(), Some(row)].map(|t| t.and_then(|t| self.exact(t)));
        let Some((first, row)) = first.zip(row) else { return false };
        let end = end.unwrap_or_else(|| first.add(&Card::lit(1)));
        let after = first.sub(&row).sub(&Card::lit(1));
        self.facts.at_least_zero(&after) || self.facts.at_least_zero(&row.sub(&end))
    }
}
