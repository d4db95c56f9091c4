//! The optimising passes by name, and which of them are on.

use std::collections::BTreeSet;

/// A pass that can be switched off without changing what is accepted or what it means.
#[derive(Debug)]
pub struct Pass {
    /// Its name in `#[smooth(passes(name = false))]`.
    pub name: &'static str,
    /// What it does.
    pub doc: &'static str,
}

/// Every switchable pass.
pub const PASSES: &[Pass] = &[
    Pass { name: "inline", doc: "callees' bodies are joined in, values used once are moved to their use" },
    Pass { name: "fuse", doc: "arrays that are only read element by element are never built (Fig. 4)" },
    Pass { name: "fold", doc: "constant folding and identities that are exact for IEEE floats" },
    Pass { name: "unroll", doc: "small loops of static count become straight-line code, small arrays become scalars" },
    Pass { name: "dce", doc: "what nobody reads is not computed" },
    Pass { name: "empty", doc: "arrays without elements take no storage (Fig. 9)" },
    Pass { name: "dead", doc: "storage that nobody reads is not allocated (Fig. 9)" },
    Pass { name: "elide_copy", doc: "results are built where they are wanted, copies become names" },
];

/// Which passes are on.
#[derive(Clone, Debug, Default)]
pub struct Switches {
    off: BTreeSet<&'static str>,
}

impl Switches {
    /// All of them.
    pub fn all() -> Self {
        Switches::default()
    }

    /// None of them.
    pub fn none() -> Self {
        Switches { off: PASSES.iter().map(|p| p.name).collect() }
    }

    /// Switches one; false if there is no such pass.
    pub fn set(&mut self, name: &str, on: bool) -> bool {
        let Some(pass) = PASSES.iter().find(|p| p.name == name) else { return false };
        if on {
            self.off.remove(pass.name);
        } else {
            self.off.insert(pass.name);
        }
        true
    }

    /// Whether a pass runs.
    pub fn is_on(&self, name: &str) -> bool {
        !self.off.contains(name)
    }
}
