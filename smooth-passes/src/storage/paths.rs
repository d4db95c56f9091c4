//! The paths through a term that assigns numbers: straight lines, each with the conditions on the way.
//!
//! ```text
//! paths (if c then t₁ else t₂ ; t) = {c ; p | p ∈ paths (t₁ ; t)} ∪ {¬c ; p | p ∈ paths (t₂ ; t)}
//! ```
//!
//! A path knows the values of the numbers that it assigns, and how they depend on each other: in `if c {(i, j + 1)}
//! else {(i + 1, j)}` exactly one of the two grows. A number that is assigned in a term whose paths are not followed
//! has no value.

use super::checks::Walk;
use crate::dps::{Alias, Dest, Fill, Term};
use crate::name::VarId;
use crate::shape::condition::Condition;
use crate::ty::Scalar;

/// The largest number of choices that are followed both ways.
const CHOICES: usize = 24;

/// The terms that follow on a path, innermost first.
struct Rest<'r, 'p>(&'p [Term], Option<&'r Rest<'r, 'p>>);

/// The callback at the end of each path.
type End<'e, 'p> = &'e mut dyn FnMut(&mut Walk<'p>);

/// A walk along all paths.
struct Paths<'w, 'p, 'e> {
    walk: &'w mut Walk<'p>,
    end: End<'e, 'p>,
    choices: usize,
}

impl<'p> Walk<'p> {
    /// Walks along each path through `t`, and calls `end` there.
    pub(super) fn paths(&mut self, t: &'p Term, end: End<'_, 'p>) {
        let outside = self.facts.enter(&Default::default());
        Paths { walk: self, end, choices: CHOICES }.term(t, None);
        self.facts.leave(outside);
    }
}

impl<'p> Paths<'_, 'p, '_> {
    fn term(&mut self, t: &'p Term, rest: Option<&Rest<'_, 'p>>) {
        match t {
            Term::Seq(ts) => return self.rest(Some(&Rest(ts, rest))),
            Term::Let(l) => return self.value(l.x, l.ty, &l.value, &Rest(std::slice::from_ref(&l.body), rest)),
            Term::If(c, a, b) if self.assigns(t) => {
                let says = self.walk.condition(c);
                if self.choose(c, says, |cx, first| cx.term(if first { a } else { b }, rest)) {
                    return;
                }
                self.others(t);
            }
            Term::Fill(Fill { write, body, .. }) => {
                return self.term(write, Some(&Rest(std::slice::from_ref(body), rest)));
            }
            Term::Alloc(a) => return self.term(&a.body, rest),
            Term::Alias(Alias { view, body, .. }) => {
                self.walk.view(view);
                return self.term(body, rest);
            }
            Term::Fold(f) => {
                self.walk.fold(f);
                return self.term(&f.then, rest);
            }
            Term::Store(Dest::Cell(v), value) if let Some(ty) = self.walk.values.kind(*v) => {
                return self.value(*v, ty, value, &Rest(&[], rest));
            }
            t => self.others(t),
        }
        self.rest(rest);
    }

    fn rest(&mut self, rest: Option<&Rest<'_, 'p>>) {
        match rest {
            Some(Rest([first, more @ ..], outer)) => self.term(first, Some(&Rest(more, *outer))),
            Some(Rest([], outer)) => self.rest(*outer),
            None => (self.end)(self.walk),
        }
    }

    /// Gives a name its value, and follows the rest.
    fn value(&mut self, x: VarId, ty: Scalar, value: &'p Term, rest: &Rest<'_, 'p>) {
        if let Term::Let(l) = value {
            self.walk.bind(l.x, l.ty, &l.value);
            return self.value(x, ty, &l.body, rest);
        }
        if let Term::If(c, a, b) = value
            && matches!(ty, Scalar::Usize | Scalar::Bool)
        {
            let says = self.walk.condition(c);
            if self.choose(c, says, |cx, first| cx.value(x, ty, if first { a } else { b }, rest)) {
                return;
            }
        }
        self.walk.bind(x, ty, value);
        self.rest(Some(rest));
    }

    /// Follows both branches, or the one that is taken if that is known. Returns `false` if there are too many paths.
    fn choose(&mut self, c: &Term, says: Condition, mut go: impl FnMut(&mut Self, bool)) -> bool {
        let taken = self.walk.values.truth(c);
        if taken.is_none() {
            let Some(left) = self.choices.checked_sub(1).filter(|_| self.walk.budget > 0) else { return false };
            self.choices = left;
        }
        for (branch, known) in [(true, says.holds), (false, says.fails)] {
            if taken.is_none_or(|taken| taken == branch) {
                let outside = self.walk.facts.enter(&known);
                go(self, branch);
                self.walk.facts.leave(outside);
            }
        }
        true
    }

    /// Walks a term whose paths are not followed, so that the numbers that it assigns have no known value.
    fn others(&mut self, t: &'p Term) {
        self.walk.term(t);
        t.each(&mut |t| {
            for d in t.dests() {
                if let Dest::Cell(v) = d {
                    self.walk.values.forget(*v, &mut self.walk.facts);
                }
            }
        });
    }

    /// Whether a term assigns a number or a boolean.
    fn assigns(&self, t: &Term) -> bool {
        t.any(&|t| matches!(t, Term::Store(Dest::Cell(v), _) if self.walk.values.kind(*v).is_some()))
    }
}
