//! Indices that are out of range wherever they are evaluated, or in an iteration that takes place whenever the loop has
//! any.
//!
//! ```text
//! i[k := 0] < 0      i[k := n - 1] >= len      k the index of a loop of n iterations, each of which evaluates a[i]
//! ```
//!
//! The first and the last iteration count as such only if no condition, no exit and no count of a loop in between
//! depends on the iteration. In all other cases nothing is rejected.

use super::Infer;
use super::errors::is_unknown;
use super::value_shape::ValueShape;
use crate::diag::codes;
use crate::fsmooth::Expr;
use crate::mapped::Mapped;
use crate::name::VarId;
use crate::shape::card::{Atom, Card, Op};
use crate::span::Origin;

/// An end of the range of a loop.
#[derive(Clone, Copy, PartialEq)]
enum End {
    First,
    Last,
}

/// A way out for any loop.
const FEWER: &str = "let the loop have fewer iterations, or read the element under an `if`";

/// The value of each atom in a quick test of the claim that an index is out of range. It refutes the claim for most
/// indices, which are in range.
const SAMPLE: i128 = 8;

impl Infer<'_> {
    /// The shape of the element at an index.
    pub(super) fn element(&mut self, shape: &ValueShape, i: &Expr, at: Origin) -> ValueShape {
        let i = self.shape(i).card();
        if let (Some(len), Some(i)) = (shape.first_extents().first(), i)
            && !self.accepted
            && !self.facts.is_conditional()
            && let Some(message) = self.outside(&i, len)
            && self.may_be_reached(len)
        {
            self.fault(&codes::OUT_OF_RANGE, at, message);
        }
        shape.each_array(&ValueShape::Scalar(None), &mut |shape| shape.into_iter().skip(1).collect_vec())
    }

    /// Whether the loops around the place may have an iteration, and the array an element. Where one of them never has,
    /// everything follows from the facts.
    fn may_be_reached(&self, len: &Card) -> bool {
        let counts = self.facts.loops().iter().filter_map(|(_, n)| n.as_ref());
        let empty = |n: &Card| n.constant().is_none() && self.facts.at_least_zero(&Card::default().sub(n));
        !counts.chain([len]).any(empty)
    }

    /// The message about an index that is certain to be out of range.
    fn outside(&self, i: &Card, len: &Card) -> Option<String> {
        let counts = self.facts.loops().iter().filter_map(|(_, n)| n.as_ref());
        let (mut sizes, runs) =
            ([i, len].into_iter().chain(counts.clone()), |n: &Card| n.constant().is_none_or(|n| n > 0));
        if sizes.any(|c| is_unknown(c) || c.is_untracked())
            || len.constant().is_some_and(|n| n < 0 || n == 0 && i.constant().is_none())
            || !counts.clone().all(runs)
            || self.may_end && (i.constant().is_none() || len.constant().is_none())
        {
            return None;
        }
        let below = |i: &Card| self.certainly(&Card::lit(-1).sub(i));
        let beyond = |i: &Card| self.certainly(&i.sub(len));
        let length = self.quoted(len);
        if below(i) || beyond(i) {
            let (shown, n) = (self.quoted(i), self.show(len));
            return Some(format!(
                "index {shown} is out of range for an array of length {length}\nthe indices of this array are at least 0 and less than {n}"
            ));
        }
        let (highest, last) = self.at_end(i, End::Last);
        if !last.is_empty() && beyond(&highest) {
            let way = self.less(i, &highest.sub(len), &last).unwrap_or_else(|| FEWER.into());
            return Some(format!(
                "the largest value of this index is {}, out of range for an array of length {length}\n{way}",
                self.quoted(&highest)
            ));
        }
        let (lowest, first) = self.at_end(i, End::First);
        if !first.is_empty() && below(&lowest) {
            let way = self.more(i, &lowest, &first).unwrap_or_else(|| FEWER.into());
            return Some(format!(
                "the smallest value of this index is {}, and no index is less than 0\n{way}",
                self.quoted(&lowest)
            ));
        }
        None
    }

    /// Whether `c >= 0` wherever the place is reached.
    fn certainly(&self, c: &Card) -> bool {
        c.eval(&|_| SAMPLE).is_none_or(|n| n >= 0) && self.facts.at_least_zero(c)
    }

    /// The largest or the smallest value of an index, with the variables of loops replaced by their first or last
    /// values; and these variables. A variable stays if the count of a loop further in depends on it: that loop may
    /// have no iterations then.
    fn at_end(&self, i: &Card, end: End) -> (Card, Vec<VarId>) {
        let loops = self.facts.loops();
        let (mut value, mut ended) = (i.clone(), Vec::new());
        for (at, (k, count)) in loops.iter().enumerate().rev() {
            let known = |a: &Atom| {
                self.is_fixed(&Card::atom(a.clone())) || loops.iter().any(|(j, _)| *a == Atom::Var(*j) && j != k)
            };
            let independent = |n: &Card| n.atoms().into_iter().all(known);
            if !loops[at + 1..].iter().all(|(_, n)| n.as_ref().is_some_and(independent)) {
                continue;
            }
            let Some((slope, _)) = value.linear_in(*k).filter(|(slope, _)| *slope != Card::default()) else { continue };
            let (grows, falls) = (slope.never_negative(), Card::default().sub(&slope).never_negative());
            let last = count.as_ref().map(|n| running(n).sub(&Card::lit(1)));
            let to = if grows && end == End::First || falls && end == End::Last {
                Some(Card::lit(0))
            } else {
                last.filter(|_| grows || falls)
            };
            if let Some(to) = to {
                value = value.replace(*k, &to);
                ended.push(*k);
            }
        }
        (value, ended)
    }

    /// The way out for an index that is too large by `by + 1`, in the last iterations of the loops `last`.
    fn less(&self, i: &Card, by: &Card, last: &[VarId]) -> Option<String> {
        let (name, start, count) = self.variable_of(i, last)?;
        let end = start.add(&count?).sub(&Card::lit(by.constant()? + 1));
        let shown = self.quoted(&end);
        let (start, end) = (self.show(&start), self.show(&end));
        Some(format!(
            "`{name}` must be less than {shown}: end the loop there, as `{start}..{end}` does, or read the element under `if {name} < {end} {{ … }}`"
        ))
    }

    /// The way out for an index that is too small, `lowest`, in the first iterations of the loops `first`.
    fn more(&self, i: &Card, lowest: &Card, first: &[VarId]) -> Option<String> {
        let (name, start, count) = self.variable_of(i, first)?;
        let end = count.map_or_else(|| "n".into(), |n| self.show(&start.add(&n)));
        let least = self.show(&start.sub(lowest));
        Some(format!(
            "`{name}` must be at least {least}: start the loop there, as `{least}..{end}` does, or read the element under `if {name} >= {least} {{ … }}`"
        ))
    }

    /// The user's variable in an index that is this variable and a constant: its name, its first value, and the number
    /// of its values.
    fn variable_of(&self, i: &Card, ended: &[VarId]) -> Option<(String, Card, Option<Card>)> {
        let [k] = ended else { return None };
        let (_, count) = self.facts.loops().iter().find(|(j, _)| j == k)?;
        i.linear_in(*k).filter(|(slope, _)| slope.constant() == Some(1))?;
        let name = self.kernel.names.name(*k);
        // A range that does not start at 0 gives its values the name of the loop's index.
        let values = self.env.iter().filter(|(v, _)| *v != k && self.kernel.names.name(**v) == name);
        let start = values
            .filter_map(|(_, shp)| shp.card()?.linear_in(*k).filter(|(slope, _)| slope.constant() == Some(1)))
            .map(|(_, start)| start);
        Some((name.to_string(), start.into_iter().next().unwrap_or_default(), count.as_ref().map(running)))
    }

    /// A size in a message, in the user's names unless it is a number.
    fn quoted(&self, c: &Card) -> String {
        if c.constant().is_some() { self.show(c) } else { format!("`{}`", self.show(c)) }
    }
}

/// The number of iterations of a loop that has one: of the loop over `a..b`, which has `max b a - a`, it is `b - a`.
fn running(count: &Card) -> Card {
    let ends = count.atoms().into_iter().find_map(|a| match a {
        Atom::Op(Op::Max, end, start) if *count == Card::atom(a.clone()).sub(start) => Some(end.sub(start)),
        _ => None,
    });
    ends.unwrap_or_else(|| count.clone())
}
