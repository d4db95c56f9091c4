//! The optimising passes by name, and which of them are on.

use std::collections::BTreeSet;

/// A pass that can be switched off without changing what is accepted or what it means.
#[derive(Debug)]
pub struct Pass {
    /// Its name in `#[smooth(passes(name = false))]`.
    pub name: &'static str,
    /// The rung of the paper's ladder (§5) from which on it runs: `D`, `F`, `B` or `S`.
    pub rung: char,
    /// What it does.
    pub doc: &'static str,
}

/// Every switchable pass.
pub const PASSES: &[Pass] = &[
    pass("inline", 'D', "callees' bodies are joined in, values used once are moved to their use"),
    pass("fold", 'D', "constant folding and identities that are exact for IEEE floats"),
    pass("dce", 'D', "what nobody reads is not computed"),
    pass("cse", 'D', "terms that occur several times are computed once"),
    pass("invariant", 'D', "what is the same in each step of a loop is computed before it"),
    pass("fuse", 'F', "arrays that are only read element by element are never built (Fig. 4)"),
    pass("merge_folds", 'F', "independent folds over one range run as one loop, where that is faster"),
    pass("unroll", 'F', "small loops of static count become straight-line code, small arrays become scalars"),
    pass("elide_copy", 'B', "results are built where they are wanted, copies become names"),
    pass("in_place", 'B', "an array that dies where another is made of it, element by element, gives it its storage"),
    pass("dead", 'B', "storage that nobody reads is not allocated (Fig. 9)"),
    pass("empty", 'B', "arrays without elements take no storage (Fig. 9)"),
    pass("reuse", 'B', "storage whose value is dead serves for other arrays"),
    pass("hoist", 'B', "allocations move out of loops (Fig. 9)"),
    pass("merge", 'B', "allocations that follow each other become one (Fig. 9)"),
    pass("stack", 'S', "storage is on a stack; without it, each allocation asks the system"),
];

const fn pass(name: &'static str, rung: char, doc: &'static str) -> Pass {
    Pass { name, rung, doc }
}

/// The paper's ladder (§5): each has the passes of those before it and more. `D` is destination-passing style
/// alone, with a system call for memory for each allocation; `DF` fuses; `DFB` optimises buffers as well;
/// `DFBS` has them on a stack, and is what runs unless something else is asked for.
pub const PRESETS: [&str; 4] = ["D", "DF", "DFB", "DFBS"];

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

    /// The passes of a preset, or `None` if there is no such preset.
    pub fn preset(name: &str) -> Option<Self> {
        PRESETS
            .contains(&name)
            .then(|| Switches { off: PASSES.iter().filter(|p| !name.contains(p.rung)).map(|p| p.name).collect() })
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
