//! The state of a walk that splits loops, beside the facts: `branches/split_ranges.rs` changes it.

use crate::shape::card::Card;

/// The state of such a walk.
#[derive(Clone, Default)]
pub(crate) struct Progress {
    /// The number of nodes that have been copied.
    pub copied: usize,
    /// The number of surrounding independent loops.
    pub independent: usize,
    /// The number of surrounding border parts.
    pub borders: usize,
    /// Whether this walk only collects the assumptions of the cuts.
    pub looking: bool,
    /// The outermost loop around the place that is split, if there is one.
    pub outermost: Option<Outermost>,
}

/// The assumptions of the cuts in a nest of loops.
#[derive(Clone)]
pub(crate) struct Outermost {
    /// The number of names before its first copy.
    pub names: usize,
    /// Sizes that have to be at least 0.
    pub tests: Vec<Card>,
}

impl Outermost {
    pub fn add(&mut self, tests: &[Card]) {
        for t in tests {
            if !self.tests.contains(t) {
                self.tests.push(t.clone());
            }
        }
    }
}
