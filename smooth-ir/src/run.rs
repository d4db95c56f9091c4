//! Runs passes: a pass runs if its switches are on, its output is checked and shown to the watcher.

use crate::dps::Program;
use crate::fsmooth::Kernel;
use crate::loops::Function;
use crate::pass::{PassId, Switches};

/// The output of a pass.
#[derive(Debug)]
pub enum Passed<'k> {
    /// A kernel.
    Smooth(&'k Kernel),
    /// A program.
    Dps(&'k Program),
    /// Loops.
    Loops(&'k Function),
}

/// A watcher: sees the output of each pass, with the pass's name.
pub type Watch<'w> = dyn FnMut(&'static str, Passed<'_>) + Send + 'w;

/// A language that passes work on.
pub trait Language {
    /// Checks the output of a pass. An error is a bug of the compiler.
    #[cfg(feature = "checked")]
    fn check(&self) -> Result<(), String>;
    /// The term as the watcher sees it.
    fn passed(&self) -> Passed<'_>;
}

impl Language for Kernel {
    #[cfg(feature = "checked")]
    fn check(&self) -> Result<(), String> {
        crate::fsmooth::check::check(self)
    }

    fn passed(&self) -> Passed<'_> {
        Passed::Smooth(self)
    }
}

impl Language for Program {
    #[cfg(feature = "checked")]
    fn check(&self) -> Result<(), String> {
        crate::dps::check::check(self)
    }

    fn passed(&self) -> Passed<'_> {
        Passed::Dps(self)
    }
}

impl Language for Function {
    #[cfg(feature = "checked")]
    fn check(&self) -> Result<(), String> {
        crate::loops::check::check(self)
    }

    fn passed(&self) -> Passed<'_> {
        Passed::Loops(self)
    }
}

/// One walk of a pass.
#[derive(Debug)]
pub struct Walk<L> {
    /// Its name in the list of stages.
    pub name: &'static str,
    /// The passes that must be on for it to run.
    pub needs: &'static [PassId],
    /// Rewrites the term; returns whether it changed.
    pub run: fn(&mut L, &Switches) -> bool,
}

/// Runs passes on the terms of one kernel.
pub struct Cx<'c, 'w> {
    on: &'c Switches,
    watch: Option<&'c mut Watch<'w>>,
}

impl<'c, 'w> Cx<'c, 'w> {
    /// Runs passes and shows each output to `watch`.
    pub fn new(on: &'c Switches, watch: &'c mut Watch<'w>) -> Self {
        Cx { on, watch: Some(watch) }
    }

    /// Runs passes without a watcher.
    pub fn unwatched(on: &'c Switches) -> Self {
        Cx { on, watch: None }
    }

    /// The switches.
    pub fn on(&self) -> &'c Switches {
        self.on
    }

    /// Runs a walk if its passes are on; returns whether it changed anything.
    pub fn run<L: Language>(&mut self, walk: &Walk<L>, term: &mut L) -> bool {
        if !walk.needs.iter().all(|id| self.on.has(*id)) {
            return false;
        }
        let changed = (walk.run)(term, self.on);
        self.check(walk.name, term);
        self.show(walk.name, term);
        changed
    }

    /// Checks a term, with the feature `checked`: an error is a bug of the compiler, never the user's.
    #[cfg_attr(not(feature = "checked"), expect(unused_variables, reason = "there is no check"))]
    pub fn check<L: Language>(&self, after: &str, term: &L) {
        #[cfg(feature = "checked")]
        verify(after, term.check());
    }

    /// Shows a term to the watcher.
    pub fn show<L: Language>(&mut self, after: &'static str, term: &L) {
        if let Some(watch) = &mut self.watch {
            watch(after, term.passed());
        }
    }
}

/// Panics if a check failed.
#[cfg(feature = "checked")]
pub fn verify(after: &str, check: Result<(), String>) {
    if let Err(e) = check {
        panic!("after `{after}`: {e}");
    }
}
