//! Kernels and what can go wrong around them: every kernel of the library, of the workloads and of `tests/kernels` on
//! poisoned destinations, in arenas of every size, with values and sizes that nobody means.
//!
//! Hostile conditions, and the files that test them:
//!
//! | | |
//! |---|---|
//! | sizes 0 and 1 | here, for every kernel; `tests/random`, `tests/textbook`, `memory.rs` |
//! | `usize::MAX`, products and sums of sizes that overflow | `shapes.rs` here; `soundness.rs`, `bounds.rs`, `sizes.rs` |
//! | shapes that do not match | `shapes.rs` here; `bounds.rs`, `layout.rs`, `exchange.rs` |
//! | no elements, and huge extents | `shapes.rs` here; a loop over 2⁶⁰ rows of no elements takes its time, as in Rust |
//! | NaN, infinities, the largest numbers | here, for every kernel; `values.rs` for the language, against references |
//! | indices out of range, from data | `values.rs` here; `bounds.rs`, `soundness.rs` |
//! | arenas of every size, guard bytes around them | `probe.rs` here, for every kernel |
//! | arenas and arrays at any address | `probe.rs` and `calls.rs` here; `memory.rs` at all 64 offsets |
//! | unwritten destinations and frames | `probe.rs` here, for every kernel; `tests/random`, `tests/textbook` |
//! | every instance of the loops | `probe.rs` here, for every kernel; `clones.rs`, `tests/random`, `tests/textbook` |
//! | blocks of the heap | `probe.rs` here, for every kernel; `memory.rs`, `tests/textbook` |
//! | closures that panic | `calls.rs` here; `memory.rs`, `states.rs` |
//! | closures that call kernels | `calls.rs` here; `memory.rs` |
//! | eight threads at once | `calls.rs` here, with every kernel |
//! | ten million calls | `calls.rs` here; `tests/resident.rs` measures the memory of a million |
#![deny(warnings)]
#![allow(clippy::float_cmp, reason = "the same bits")]
#![allow(clippy::needless_range_loop, clippy::ptr_arg, reason = "arguments as users write them")]

#[path = "../heap/mod.rs"]
mod heap;
#[path = "../poison/mod.rs"]
mod poison;

#[allow(dead_code, unused_macros, unused_imports, reason = "the other test needs all of it")]
#[path = "../textbook/agree.rs"]
mod agree;

mod calls;
mod library;
mod probe;
mod shapes;
mod values;
mod workloads;

use agree::Numbers;
use std::fs;
use std::path::Path;

/// Numbers that are not, and those at the ends.
const WILD: [f64; 10] = [
    f64::NAN,
    f64::INFINITY,
    f64::NEG_INFINITY,
    0.0,
    -0.0,
    f64::MAX,
    f64::MIN,
    f64::MIN_POSITIVE,
    5e-324,
    1.8446744073709552e19,
];

/// `n` numbers, some of them equal; about half of `wild` ones are among [`WILD`].
fn numbers(n: usize, seed: u64, wild: bool) -> Vec<f64> {
    let mut all = Numbers::new(seed);
    let plain = all.integers(n, 40);
    let number = |k: usize| k as f64 * 0.25 - 5.0;
    plain.into_iter().map(|k| if wild && k % 2 == 0 { WILD[k / 2 % WILD.len()] } else { number(k) }).collect()
}

/// `n` numbers below `limit`.
fn integers(n: usize, seed: u64, limit: usize) -> Vec<usize> {
    Numbers::new(seed).integers(n, limit)
}

/// Checks that a file probes each public kernel of the sources; those that take functions of arrays, or no argument that says
/// their type, are only called by kernels.
#[track_caller]
fn kernels_in<'a>(files: impl IntoIterator<Item = &'a str>, here: &str) {
    let (mut found, mut missing) = (0, Vec::new());
    for file in files {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
        let text = fs::read_to_string(&path).expect(file);
        for (at, _) in text.match_indices("\n#[smooth").chain(text.match_indices("\n    #[smooth")) {
            let Some((_, item)) = text[at + 1..].split_once('\n') else { continue };
            let Some(signature) = item.trim_start().strip_prefix("pub fn ") else { continue };
            let name = signature.split(['(', '<']).next().unwrap_or_default();
            let head = signature.split_once('{').map_or(signature, |(head, _)| head);
            let call = if head.contains("Fn(&") { format!("{name}(") } else { format!("probe!({name}(") };
            found += 1;
            if !here.contains(&call) && !here.contains(&format!("{name}::<f64>(")) {
                missing.push(format!("{file}: `{name}`"));
            }
        }
    }
    assert!(found > 10, "{found} kernels: this test looks in the wrong place");
    assert!(missing.is_empty(), "no `probe!` of {missing:#?}");
}
