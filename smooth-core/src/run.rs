//! How passes are run: each is run if its switches are on, its output is checked, and whoever watches sees it.

use crate::dps::{self, Program};
use crate::fsmooth::{self, Kernel};
use crate::pass::{PassId, Switches};

/// The result of a pass.
#[derive(Debug)]
pub enum Passed<'k> {
    /// A kernel.
    Smooth(&'k Kernel),
    /// A program.
    Dps(&'k Program),
}

/// Sees the result of each pass, with the pass's name.
pub type Watch<'w> = dyn FnMut(&'static str, Passed<'_>) + Send + 'w;

/// A language that passes work on.
pub trait Language {
    /// Checks a term that a pass made; an error is always a bug of ours.
    fn check(&self) -> Result<(), String>;
    /// The term as it is shown.
    fn passed(&self) -> Passed<'_>;
}

impl Language for Kernel {
    fn check(&self) -> Result<(), String> {
        fsmooth::check::check(self)
    }

    fn passed(&self) -> Passed<'_> {
        Passed::Smooth(self)
    }
}

impl Language for Program {
    fn check(&self) -> Result<(), String> {
        dps::check::check(self)
    }

    fn passed(&self) -> Passed<'_> {
        Passed::Dps(self)
    }
}

/// One walk of a pass.
#[derive(Debug)]
pub struct Walk<L> {
    /// Its name where stages are shown.
    pub name: &'static str,
    /// The passes that have to be on.
    pub needs: &'static [PassId],
    /// Changes the term; whether it did.
    pub run: fn(&mut L, &Switches) -> bool,
}

/// Runs passes on the terms of one kernel.
pub struct Cx<'c, 'w> {
    on: &'c Switches,
    watch: Option<&'c mut Watch<'w>>,
}

impl<'c, 'w> Cx<'c, 'w> {
    /// Shows each result to `watch`.
    pub fn new(on: &'c Switches, watch: &'c mut Watch<'w>) -> Self {
        Cx { on, watch: Some(watch) }
    }

    /// With nobody watching.
    pub fn unwatched(on: &'c Switches) -> Self {
        Cx { on, watch: None }
    }

    /// Which passes are on.
    pub fn on(&self) -> &'c Switches {
        self.on
    }

    /// Runs a walk if its passes are on; whether it changed anything.
    pub fn run<L: Language>(&mut self, walk: &Walk<L>, term: &mut L) -> bool {
        if !walk.needs.iter().all(|id| self.on.has(*id)) {
            return false;
        }
        let changed = (walk.run)(term, self.on);
        self.check(walk.name, term);
        self.show(walk.name, term);
        changed
    }

    /// A checker's complaint is our bug, never the user's.
    pub fn check<L: Language>(&self, after: &str, term: &L) {
        verify(after, || term.check());
    }

    /// Shows a term to whoever watches.
    pub fn show<L: Language>(&mut self, after: &'static str, term: &L) {
        if let Some(watch) = &mut self.watch {
            watch(after, term.passed());
        }
    }
}

/// Panics if a check fails, in debug builds.
pub fn verify(after: &str, check: impl FnOnce() -> Result<(), String>) {
    if cfg!(debug_assertions)
        && let Err(e) = check()
    {
        panic!("after `{after}`: {e}");
    }
}
