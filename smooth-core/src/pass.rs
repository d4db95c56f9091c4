//! The passes that can be switched off, one row each, and which of them are on.

use std::collections::BTreeSet;

macro_rules! passes {
    ($($id:ident $name:literal $rung:literal $doc:literal;)*) => {
        /// A pass that can be switched off without changing what is accepted or what it means.
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
        pub enum PassId { $(#[doc = $doc] $id),* }

        /// Every switchable pass.
        pub const PASSES: &[Pass] = &[$(Pass { id: PassId::$id, name: $name, rung: $rung, doc: $doc }),*];
    };
}

impl PassId {
    /// Its name in `#[smooth(passes(name = false))]`.
    pub const fn name(self) -> &'static str {
        PASSES[self as usize].name
    }
}

/// The row of a pass.
#[derive(Debug)]
pub struct Pass {
    /// The compiler's name for it.
    pub id: PassId,
    /// Its name in `#[smooth(passes(name = false))]`.
    pub name: &'static str,
    /// The rung of the paper's ladder (§5) from which on it runs: `D`, `F`, `B` or `S`.
    pub rung: char,
    /// Its effect, in the words of `docs/language.md`.
    pub doc: &'static str,
}

passes! {
    Inline "inline" 'D' "joins the bodies of callees in, and moves values that are used once to their use";
    Fold "fold" 'D' "folds constants, and applies identities that are exact for every float";
    Dce "dce" 'D' "computes nothing that nobody reads";
    Cse "cse" 'D' "computes equal terms once";
    Invariant "invariant" 'D' "computes before a loop what is the same in each of its iterations";
    Fuse "fuse" 'F' "never builds an array that is only read element by element (Fig. 4)";
    MergeFolds "merge_folds" 'F' "runs independent folds over one range as one loop, where that is faster";
    Unroll "unroll" 'F' "makes small loops of static count straight-line code, and small arrays scalars";
    ElideCopy "elide_copy" 'B' "builds results where they are wanted, and makes copies names";
    InPlace "in_place" 'B' "makes an array in the storage of another that dies in it, element by element";
    Dead "dead" 'B' "allocates nothing that nobody reads (Fig. 9)";
    Empty "empty" 'B' "gives arrays without elements no storage (Fig. 9)";
    Reuse "reuse" 'B' "lets storage whose value is dead serve for other arrays";
    Hoist "hoist" 'B' "moves allocations out of loops (Fig. 9)";
    Merge "merge" 'B' "makes allocations that follow each other one (Fig. 9)";
    Stack "stack" 'S' "keeps storage on a stack; without it, each allocation asks the system";
}

/// The paper's ladder (§5): each rung has the passes of the ones before it and more. `D` is destination-passing style
/// alone, with a system call for memory for each allocation; `DF` fuses; `DFB` optimises buffers as well; `DFBS` has
/// them on a stack, and is the default.
pub const PRESETS: [&str; 4] = ["D", "DF", "DFB", "DFBS"];

/// Which passes are on.
#[derive(Clone, Debug, Default)]
pub struct Switches {
    off: BTreeSet<PassId>,
}

impl Switches {
    /// All of them.
    pub fn all() -> Self {
        Switches::default()
    }

    /// None of them.
    pub fn none() -> Self {
        Switches { off: PASSES.iter().map(|p| p.id).collect() }
    }

    /// The passes of a preset, or `None` if there is no such preset.
    pub fn preset(name: &str) -> Option<Self> {
        PRESETS
            .contains(&name)
            .then(|| Switches { off: PASSES.iter().filter(|p| !name.contains(p.rung)).map(|p| p.id).collect() })
    }

    /// Switches the pass of that name; false if there is none.
    pub fn set(&mut self, name: &str, on: bool) -> bool {
        let Some(pass) = PASSES.iter().find(|p| p.name == name) else { return false };
        if on {
            self.off.remove(&pass.id);
        } else {
            self.off.insert(pass.id);
        }
        true
    }

    /// Whether a pass runs.
    pub fn has(&self, pass: PassId) -> bool {
        !self.off.contains(&pass)
    }
}
