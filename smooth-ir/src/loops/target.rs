//! The machines that loops are scheduled for: every threshold of a schedule, with the measurement that it comes from.
//!
//! Another machine is another [`Target`]. Limits on the work of the compiler itself stay with the passes that have
//! them, and so do numbers that are part of the language, such as the lanes of a sum.

/// A machine, as passes see it.
#[derive(Debug)]
pub struct Target {
    /// The bytes of a register.
    pub register: i128,
    /// The bytes of the largest register that an instance of the same function may have.
    pub widest: i128,
    /// The bytes of a cache line.
    pub line: i128,
    /// Instances for several instruction sets.
    pub instances: Instances,
    /// Threads.
    pub threads: Threads,
    /// Arrays as variables.
    pub scalars: Scalars,
    /// Branches as choices.
    pub selects: Selects,
    /// Tables of sums in registers.
    pub tiles: Tiles,
    /// Independent iterations side by side.
    pub blocks: Blocks,
    /// Accumulators in registers.
    pub promote: Promote,
    /// Rows of a matrix side by side.
    pub jam: Jam,
    /// Iterations that end at different times, side by side.
    pub exits: Exits,
    /// The maximum cost of all angles of an iteration together that are computed twice.
    pub angles: u32,
}

/// Thresholds of instances for several instruction sets.
#[derive(Debug)]
pub struct Instances {
    /// The work that takes about 10 ns in vectors of two numbers. From there on, wider vectors gain more than the choice
    /// costs.
    pub enough: i128,
    /// The row length from which on AVX-512 gains. On shorter rows AVX2 was up to twice as fast, and rarely slower.
    pub long: i128,
    /// The bytes that a loop must store for wider vectors to be filled.
    pub filled: i128,
    /// The longest rows whose columns LLVM reads as vectors, by shuffles.
    pub group: i128,
    /// The number of elements of a wide vector.
    pub elements: i128,
}

/// Thresholds of loops that threads share.
#[derive(Debug)]
pub struct Threads {
    /// The work of a part that repays handing it to a second thread.
    pub grain: i128,
}

/// Thresholds of arrays as variables.
#[derive(Debug)]
pub struct Scalars {
    /// The maximum number of elements of a state that fits in registers.
    pub state: i128,
    /// The longest row whose elements become iterations again.
    pub row: i128,
}

/// Thresholds of branches as choices.
#[derive(Debug)]
pub struct Selects {
    /// The maximum cost of a value that is computed though it may not be needed.
    pub cost: u32,
}

/// Thresholds of tiles.
#[derive(Debug)]
pub struct Tiles {
    /// The rows of a tile. Its totals are in 8 of 16 registers, which leaves some for operands.
    pub rows: i128,
    /// The static number of rows or columns from which on tiles pay. Three columns of 544 rows took 0.4 of the time in blocks.
    pub narrow: i128,
    /// The number of columns from which on few rows are faster in the original loop than in tiles.
    pub long: i128,
    /// The number of terms from which on tiling the lanes of a sum pays.
    pub terms: i128,
    /// The number of terms of each lane after which the next group of lanes takes over.
    pub turn: i128,
    /// As `turn`, if each group of lanes fills a cache line, so that the next group reuses nothing.
    pub long_turn: i128,
    /// Copies of operands.
    pub panels: Panels,
}

/// Thresholds of copies of a tile's operands.
#[derive(Debug)]
pub struct Panels {
    /// The number of terms, and of columns, from which on an operand is large: 128 KB of `f64`.
    pub large: i128,
    /// The number of rows from which on a copy pays.
    pub rows: i128,
    /// The number of panels that are filled together. Operands without panels are read once for each such group.
    pub together: i128,
}

/// Thresholds of blocks.
#[derive(Debug)]
pub struct Blocks {
    /// The maximum number of elements of all variables of a block, which have to stay in the L1 cache.
    pub elements: i128,
    /// As `elements`, with the privatised temporaries and columns of the iterations.
    pub beside: i128,
    /// The largest block: longer ones read no faster.
    pub longest: i128,
    /// The largest block with memory in the frame.
    pub short: i128,
    /// The maximum number of iterations of a loop that LLVM unrolls.
    pub unrolled: i128,
    /// The smallest block: LLVM unrolls shorter ones before it makes vectors.
    pub shortest: i128,
    /// The number of columns from which on loops through each of them are faster in a block. One column of 100 000 rows took
    /// 3.6 of the time.
    pub columns: i128,
    /// The maximum number of elements of a temporary, or of a row, that each iteration of a block has in the frame.
    pub private: i128,
    /// The cost of the operations for each element that is read once from which on copies of these elements pay.
    pub gathered: i128,
}

/// Thresholds of accumulators in registers.
#[derive(Debug)]
pub struct Promote {
    /// The number of iterations whose elements are in registers together: four registers of the widest, and all of a
    /// short block.
    pub strip: i128,
    /// The maximum number of elements that an iteration promotes. Two strips would not fit in the registers of the
    /// narrowest instance.
    pub most: usize,
    /// The number of steps from which on it pays to load and store the accumulator once.
    pub steps: i128,
    /// The distance in elements from one step to the next up to which a strip is read as fast as a longer row.
    pub near: i128,
    /// The maximum number of steps whose reads are farther apart.
    pub far: i128,
    /// The maximum cost of a step. Beyond it, loads and stores do not matter.
    pub cost: u32,
}

/// Thresholds of rows side by side.
#[derive(Debug)]
pub struct Jam {
    /// The number of interleaved rows. If there were more, LLVM would gather the terms from memory.
    pub rows: i128,
    /// The number of terms from which on it pays.
    pub terms: i128,
}

/// Thresholds of iterations that end at different times.
#[derive(Debug)]
pub struct Exits {
    /// The number of lanes of a block. LLVM unrolls a shorter loop before it makes vectors, and a longer block waits
    /// longer for its last lane.
    pub lanes: i128,
    /// The number of running lanes up to which it is faster to finish them one by one.
    pub few: i128,
    /// The minimum number of operations and accesses of a step that counts the running lanes. In a smaller one, LLVM
    /// unrolls all 32 lanes before it makes vectors, and then adds them up one by one.
    pub step: usize,
}

/// A CPU with the instructions that every one of its kind has: SSE2, or Neon.
pub static NARROW: Target = X86;

/// A CPU with AVX2.
pub static WIDE: Target = Target { register: 32, ..X86 };

/// A CPU with AVX-512, which has twice as many registers.
pub static WIDEST: Target = Target { register: 64, ..X86 };

const X86: Target = Target {
    register: 16,
    widest: 64,
    line: 64,
    instances: Instances { enough: 128, long: 96, filled: 32, group: 4, elements: 4 },
    threads: Threads { grain: 32 * 1024 },
    scalars: Scalars { state: 32, row: 16 },
    selects: Selects { cost: 16 },
    tiles: Tiles {
        rows: 4,
        narrow: 4,
        long: 256,
        terms: 32,
        turn: 16,
        long_turn: 64,
        panels: Panels { large: 128, rows: 16, together: 4 },
    },
    blocks: Blocks {
        elements: 1024,
        beside: 2048,
        longest: 512,
        short: 64,
        unrolled: 16,
        shortest: 32,
        columns: 4,
        private: 128,
        gathered: 8,
    },
    promote: Promote { strip: 32, most: 2, steps: 4, near: 512, far: 16, cost: 8 },
    jam: Jam { rows: 4, terms: 8 },
    exits: Exits { lanes: 32, few: 4, step: 9 },
    angles: 32,
};
