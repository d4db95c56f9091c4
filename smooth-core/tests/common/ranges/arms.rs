//! Knowledge in a branch, and after it.
//!
//! ```text
//! if c { x ← a } else { x ← b }        x is a where c holds, b where it does not
//! ```

use super::Walk;
use super::numbers::{Known, Says, never};
use super::products::Fact;
use super::proof::Case;
use smooth_core::name::VarId;
use std::rc::Rc;

impl<'f> Walk<'f> {
    /// Walks through a scope in which these facts hold. Returns the knowledge at its end.
    pub(super) fn under(&mut self, facts: &[Fact], f: impl FnOnce(&mut Self)) -> Known<'f> {
        let outside = self.known.clone();
        self.known.facts.extend(facts.iter().cloned());
        f(self);
        std::mem::replace(&mut self.known, outside)
    }

    /// Ends a scope whose facts hold after it, as do the values of variables from the scope around.
    pub(super) fn after(&mut self, inside: Known<'f>) {
        for x in self.known.variables.clone() {
            match inside.values.get(&x) {
                Some(value) => self.known.values.insert(x, value.clone()),
                None => self.known.values.remove(&x),
            };
            match inside.says.get(&x) {
                Some(says) => self.known.says.insert(x, says.clone()),
                None => self.known.says.remove(&x),
            };
        }
        self.known.facts = inside.facts;
        self.known.checked = inside.checked;
    }

    /// Joins two arms, whose own facts begin at `from`. A variable has its value in one of them.
    pub(super) fn join(&mut self, from: usize, a: &Known<'f>, b: &Known<'f>) {
        for x in self.known.variables.clone() {
            self.join_says(x, from, a, b);
            let case =
                |k: &Known<'f>| Some(Case { when: k.facts[from..].to_vec(), value: (**k.values.get(&x)?).clone() });
            match (case(a), case(b)) {
                (Some(a), Some(b)) if a.value == b.value => self.known.assign(x, Some(a.value)),
                (Some(a), Some(b)) => {
                    let value = self.known.symbols.one_of(x, vec![a, b]);
                    self.known.assign(x, Some(value));
                }
                _ => drop(self.known.values.remove(&x)),
            }
        }
    }

    /// The facts of a condition after two arms: if it can hold in one of them only, those of that arm; likewise if it fails.
    fn join_says(&mut self, x: VarId, from: usize, a: &Known<'f>, b: &Known<'f>) {
        let (Some(of_a), Some(of_b)) = (a.says.get(&x), b.says.get(&x)) else {
            self.known.says.remove(&x);
            return;
        };
        if !Rc::ptr_eq(of_a, of_b) {
            let whole = |k: &Known<'f>, part: &[Fact]| [&k.facts[from..], part].concat();
            let either = |of_a: &[Fact], of_b: &[Fact]| match (never(of_a), never(of_b)) {
                (true, _) => whole(b, of_b),
                (_, true) => whole(a, of_a),
                _ => vec![],
            };
            let says = Says { holds: either(&of_a.holds, &of_b.holds), fails: either(&of_a.fails, &of_b.fails) };
            self.known.says.insert(x, Rc::new(says));
        }
    }
}
