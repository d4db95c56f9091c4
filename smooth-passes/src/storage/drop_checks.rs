//! Drops the checks that `checks.rs` has proved.
//!
//! ```text
//! x[?i < n]   ⟶   x[i]                        where i is in range
//! x[?i < n]   ⟶   x[let at = i in at]         where only its value is known to be: its terms may have wrapped
//! ```
//!
//! An address is computed from the terms of its indices by operations that must not overflow (`Card::may_wrap`). That
//! of a name has one term.

use crate::dps::{Let, Program, Step, Term};
use crate::name::Names;
use crate::sorted::Set;
use crate::span::Origin;
use crate::ty::Scalar;
use crate::value::Lit;

/// A check that remains.
#[derive(Clone, Debug)]
pub struct Remaining {
    /// The user's index or slice expression.
    pub origin: Origin,
    /// The checked condition, and the reason why it is not proved.
    pub reason: String,
}

/// The outcome of the walk: the nodes whose checks are proved, by their addresses, and the remaining checks.
#[derive(Default)]
pub(super) struct Verdict {
    pub(super) terms: Set<*const Term>,
    pub(super) steps: Set<*const Step>,
    /// Indices whose value is in range, but whose terms may have wrapped.
    pub(super) named: Set<*const Term>,
    pub(super) remaining: Vec<Remaining>,
    /// Whether one of these is of an index that depends on the state of a fold.
    pub(super) about_states: bool,
}

/// Drops the checks of a program that are proved.
pub(super) fn proved(p: &mut Program, verdict: &Verdict) {
    let Verdict { terms, steps, named, .. } = verdict;
    let is_proved = |t: &Term| terms.contains(&std::ptr::from_ref(t));
    let mut names = p.names.clone();
    let mut index = |i: &mut Term| {
        let needs_name = named.contains(&std::ptr::from_ref(&*i));
        let i = i.take();
        if needs_name { with_name(i, &mut names) } else { i }
    };
    p.body.each_mut(&mut |t| {
        if is_proved(t) {
            match t {
                Term::InRange(i, ..) => *t = index(i),
                Term::Demand(..) => *t = Term::Lit(Lit::Bool(true)),
                _ => {}
            }
        }
        if let Term::Let(Let { value, body, .. }) = t
            && matches!(**value, Term::Lit(Lit::Bool(_)))
            && is_proved(value)
        {
            *t = body.take();
        }
        for s in t.views_mut().into_iter().flat_map(|v| &mut v.steps) {
            if steps.contains(&std::ptr::from_ref(&*s)) {
                match s {
                    Step::At { index: i, check, .. } => (*i, *check) = (index(i), None),
                    Step::Range { check, .. } => *check = None,
                }
            }
        }
    });
    p.names = names;
}

fn with_name(i: Term, names: &mut Names) -> Term {
    let x = names.fresh("at");
    Term::Let(Let { x, ty: Scalar::Usize, value: Box::new(i), body: Box::new(Term::Var(x)) })
}
