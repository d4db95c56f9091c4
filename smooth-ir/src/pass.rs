//! The passes that can be switched off, one row each, and the switches.

use crate::sorted::Set;

macro_rules! passes {
    ($($id:ident $name:literal $rung:literal $doc:literal;)*) => {
        /// A pass that can be switched off: neither the accepted kernels nor their meaning depend on it.
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
    /// Its name in the compiler.
    pub id: PassId,
    /// Its name in `#[smooth(passes(name = false))]`.
    pub name: &'static str,
    /// The first rung of the paper's ladder (§5) on which it runs: `D`, `F`, `B` or `S`.
    pub rung: char,
    /// Its description, identical to that in `docs/reference.md`.
    pub doc: &'static str,
}

passes! {
    Inline "inline" 'D' "inlines callees, and values that are used once";
    Fold "fold" 'D' "folds constants and known quotients, and applies identities that are exact for every float";
    Dce "dce" 'D' "removes computations whose results are not used";
    Cse "cse" 'D' "computes equal terms once";
    Invariant "invariant" 'D' "computes loop-invariant terms before the loop";
    Fuse "fuse" 'F' "never builds an array that is only read element by element (Fig. 4)";
    MergeFolds "merge_folds" 'F' "runs independent loops over one range as one loop, where that is faster";
    Unroll "unroll" 'F' "unrolls small loops of static count, and replaces small arrays by scalars";
    ElideCopy "elide_copy" 'B' "builds results in their destinations, and replaces copies by aliases";
    InPlace "in_place" 'B' "updates an array in its own storage, and builds one in the storage of another that dies there";
    PlaceRows "place_rows" 'B' "writes a row that is stored as a whole in its place";
    Dead "dead" 'B' "removes allocations that are never read (Fig. 9)";
    Empty "empty" 'B' "allocates nothing for empty arrays (Fig. 9)";
    Reuse "reuse" 'B' "reuses the storage of dead values for other arrays";
    Hoist "hoist" 'B' "moves allocations out of loops (Fig. 9)";
    DeadFills "dead_fills" 'B' "fills no array whose elements are all written again before they are read";
    DoubleBuffers "double_buffers" 'B' "brings buffers that change places in an inner loop home behind the outermost one";
    Merge "merge" 'B' "merges consecutive allocations (Fig. 9)";
    Independent "independent" 'S' "finds loops whose iterations write elements of their own, which may run in any order, like those of `build`, and replaces names of indices in their addresses";
    DataLayout "data_layout" 'S' "stores a temporary matrix by columns where its loops run along columns, and in the place of the array that it is copied to";
    Unswitch "unswitch" 'S' "takes a condition that is the same in all iterations out of their loop, where it chooses between loops";
    ScalarReplacement "scalar_replacement" 'S' "keeps small states of loops in local variables, in place of buffers that change places";
    SplitRanges "split_ranges" 'S' "cuts the range of a loop where a comparison with its index changes, so that the inside has no tests";
    IfConvert "if_convert" 'S' "computes both of two cheap values that a condition chooses from, so that inner loops have no branch";
    Speculate "speculate" 'S' "runs a loop always that an index seldom skips, where that makes tiles or blocks";
    Interchange "interchange" 'S' "puts independent loops outside of those that accumulate, and fuses neighbours, where that makes tiles or blocks";
    ShortSums "short_sums" 'S' "adds sums of fewer than 32 terms in loops, where that makes tiles or blocks";
    Collapse "collapse" 'S' "goes through all elements of arrays that lie side by side in one loop, in place of one for each axis";
    Threads "threads" 'S' "splits outermost independent loops of `#[smooth(parallel)]` kernels, so that threads share them";
    Tile "tile" 'S' "computes small rectangles of a table of sums at once, so that what they read is read once";
    Panel "panel" 'S' "copies what all rows of a large table of sums read along some columns, so that it lies side by side";
    Block "block" 'S' "runs blocks of independent iterations side by side, so that loops that cannot be vectors become some";
    UnrollAndJam "unroll_and_jam" 'S' "adds the terms of short sums for several rows at a time, since each addition of one row waits for the one before";
    Promote "promote" 'S' "keeps what a block of iterations adds to in registers while a loop adds to it";
    EarlyExits "early_exits" 'S' "runs blocks of independent iterations side by side until few of those that end early are left";
    Extremes "extremes" 'S' "compares neighbours in lanes where a loop takes their largest or smallest";
    SmallAngles "small_angles" 'S' "keeps the reduction of large angles out of inner loops, so that those with sines are vectors";
    Reciprocals "reciprocals" 'S' "in fast kernels: divides by what is the same for all iterations of a loop once, and multiplies by the reciprocal";
    Contract "contract" 'S' "in fast kernels: computes `a * b + c` with one rounding where the CPU has an instruction for it";
    Multiversion "multiversion" 'S' "compiles loops that gain for AVX2 and AVX-512 as well, and chooses by the CPU";
    Breaks "breaks" 'S' "leaves a loop where a `break` or `return` is, in place of a flag that the next iteration tests";
    Stack "stack" 'S' "allocates on a stack; without it, each allocation calls the system's allocator";
}

/// The paper's ladder (§5): each preset adds passes to the one before it. `D` is destination-passing style alone, with
/// one call of the system's allocator for each allocation; `DF` fuses; `DFB` optimises buffers as well; `DFBS`
/// allocates them on a stack, and is the default.
pub const PRESETS: [&str; 4] = ["D", "DF", "DFB", "DFBS"];

/// The passes that are on.
#[derive(Clone, Debug, Default)]
pub struct Switches {
    off: Set<PassId>,
    small: bool,
}

impl Switches {
    /// All passes.
    pub fn all() -> Self {
        Switches::default()
    }

    /// No pass.
    pub fn none() -> Self {
        Switches { off: PASSES.iter().map(|p| p.id).collect(), small: false }
    }

    /// The passes of a preset; `None` if there is no such preset.
    pub fn preset(name: &str) -> Option<Self> {
        PRESETS
            .contains(&name)
            .then(|| PASSES.iter().filter(|p| !name.contains(p.rung)).map(|p| p.id).collect())
            .map(|off| Switches { off, small: false })
    }

    /// Switches the pass with this name. Returns `false` if there is none.
    pub fn set(&mut self, name: &str, on: bool) -> bool {
        let Some(pass) = PASSES.iter().find(|p| p.name == name) else { return false };
        if on {
            self.off.remove(&pass.id);
        } else {
            self.off.insert(pass.id);
        }
        true
    }

    /// For tests: applies to small sizes too the transformations that pay only for large ones.
    pub fn even_if_small(mut self) -> Self {
        self.small = true;
        self
    }

    /// The size from which on a transformation pays: `most`, or `least` in tests.
    pub fn from(&self, most: i128, least: i128) -> i128 {
        if self.small { least } else { most }
    }

    /// Whether a pass runs.
    pub fn has(&self, pass: PassId) -> bool {
        !self.off.contains(&pass)
    }
}
