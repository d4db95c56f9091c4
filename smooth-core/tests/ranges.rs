//! Every access without a check is proved to be in range a second time, from the loops alone (`common/ranges.rs`): in random
//! programs after each pass, in the library, in the snapshots, in the workloads and in well-known loops. None is left.
//!
//! An access is a buffer and a polynomial: the goals are `0 <= o` and `o + n <= len`. Known are the ranges of the
//! indices, the conditions and checks before the access, and the entry checks. A certificate writes the goal as a sum
//! of facts times factors that are at least 0, and a rest without negative coefficients (`common/ranges/proof.rs`).
//! Random goals that are proved are compared with all small numbers. A loop with one iteration more, an address one
//! element further or past the end, and a check or a condition that is dropped are found, or the interpreter reads
//! nothing out of range.

#[path = "broken/loops.rs"]
#[allow(dead_code, reason = "each test takes what it needs")]
mod broken_loops;
#[path = "broken/ranges.rs"]
mod broken_ranges;
mod common;
#[path = "common/net.rs"]
mod net;
#[path = "common/ranges/questions.rs"]
mod questions;
#[path = "common/random.rs"]
mod random;
#[path = "common/ranges.rs"]
mod ranges;

use common::files::{NUMBERS, WORKLOADS, kernels};
use common::{Others, library};
use net::{Net, Stage, Watched, inputs};
use questions::Question;
use random::{Gen, Rng};
use ranges::{follows, unproved};
use smooth_core::loops::Function;
use smooth_core::loops::eval::{Direction, run};
use smooth_core::options::Options;
use smooth_core::shape::Check;
use smooth_core::shape::card::Card;
use std::collections::BTreeSet;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Makes a mistake at the place with a number. Returns whether the place exists.
type Mistake = fn(&mut Function, usize) -> bool;

/// Mistakes that make an access wrong.
const MISTAKES: [(&str, Mistake); 5] = [
    ("takes a border for one later", broken_ranges::one_iteration_more),
    ("writes the next element", broken_ranges::next_element),
    ("goes on behind the end", broken_ranges::behind_the_end),
    ("drops a check", broken_ranges::no_check),
    ("forgets a condition", broken_ranges::no_condition),
];

/// The number of places of a program at which mistakes are made.
const PLACES: usize = 3;

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

fn compiled(net: &Net, seed: u64) -> Watched {
    net.watched(net::tokens(&Gen::new(seed).program("f")), &Options::default()).expect("a program")
}

/// The loops of a program after each pass, those for wider vectors too.
fn loops(w: &Watched) -> Vec<(&'static str, &Function)> {
    let passes = w.seen.iter().filter_map(|(pass, s)| if let Stage::Loops(f) = s { Some((*pass, f)) } else { None });
    passes.chain(w.stages.wide.iter().map(|f| ("wide", f))).collect()
}

#[test]
fn random_programs_are_proved_again() {
    let net = Net::new();
    let mut all = 0;
    let mut open = vec![];
    for seed in 1..=number("SMOOTH_PROGRAMS", 30) {
        let w = compiled(&net, seed);
        for (pass, f) in loops(&w) {
            let (accesses, found) = unproved(f, &w.stages.companion.checks);
            all += accesses;
            open.extend(found.iter().map(|u| format!("seed {seed}, after {pass}: {}", u.shown)));
        }
    }
    println!("{all} accesses");
    assert!(open.is_empty(), "{} accesses are not proved:\n{}", open.len(), open.join("\n"));
    assert!(all > 0);
}

/// Well-known loops.
const TEXTBOOK: [&str; 9] = [
    "tests/textbook/kernels/dense.rs",
    "tests/textbook/kernels/in_out.rs",
    "tests/textbook/kernels/iteration.rs",
    "tests/textbook/kernels/numbers.rs",
    "tests/textbook/kernels/physics.rs",
    "tests/textbook/kernels/signals.rs",
    "tests/textbook/kernels/sorting.rs",
    "tests/textbook/kernels/stencils.rs",
    "tests/textbook/kernels/tables.rs",
];

/// The loops of known kernels, each once, with the checks in front of them.
fn known_kernels() -> Vec<(Function, Vec<Check>)> {
    let text = |source: &str| {
        let lines = source.lines().filter(|l| !l.starts_with("//!") && !l.starts_with("use "));
        lines.collect::<Vec<_>>().join("\n")
    };
    let files = [WORKLOADS.as_slice(), &NUMBERS, &TEXTBOOK];
    let mut units: Vec<_> = files.iter().map(|files| kernels(files, &[])).collect();
    units.push(Net::new().library);
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots")).expect("a folder") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|e| e == "rs") {
            let source = std::fs::read_to_string(&path).expect("a text");
            units.push(library(&text(&source)));
        }
    }
    // Every snapshot has the library.
    let mut seen = BTreeSet::new();
    let all = units.into_iter().flat_map(|u| u.stages.into_values()).filter(|s| seen.insert(s.export.clone()));
    all.flat_map(|s| std::iter::once(s.loops).chain(s.wide).map(move |f| (f, s.companion.checks.clone()))).collect()
}

#[test]
fn kernels_are_proved_again() {
    let all = known_kernels();
    let next = AtomicUsize::new(0);
    let some = || {
        let mine = std::iter::from_fn(|| all.get(next.fetch_add(1, Ordering::Relaxed)));
        mine.map(|(f, checks)| unproved(f, checks)).collect::<Vec<_>>()
    };
    let found = std::thread::scope(|s| {
        let two = [s.spawn(some), s.spawn(some)];
        two.into_iter().flat_map(|t| t.join().expect("no panic")).collect::<Vec<_>>()
    });
    let accesses: usize = found.iter().map(|(accesses, _)| accesses).sum();
    println!("{accesses} accesses");
    let open: Vec<String> = found.into_iter().flat_map(|(_, open)| open).map(|u| u.shown).collect();
    assert!(open.is_empty(), "{} accesses are not proved:\n{}", open.len(), open.join("\n"));
    assert!(accesses > 0);
}

/// A function that reads or writes out of range unnoticed is never taken for a proved one, and each mistake is found.
#[test]
fn mistakes_are_not_proved() {
    let net = Net::new();
    let (mut made, mut caught) = ([0; MISTAKES.len()], [0; MISTAKES.len()]);
    let mut missed = vec![];
    for seed in 1..=number("SMOOTH_PROGRAMS", 40) {
        let w = compiled(&net, seed);
        let checks = &w.stages.companion.checks;
        if !unproved(&w.stages.loops, checks).1.is_empty() {
            continue;
        }
        let mut oracle = net.oracle(&w.stages.elaborated.kernel, &inputs(&mut Rng::new(seed)));
        oracle.run_only_what_entry_accepts(&w.stages);
        for (k, (what, mistake)) in MISTAKES.iter().enumerate() {
            for place in 0..PLACES {
                let mut f = w.stages.loops.clone();
                if !mistake(&mut f, place) {
                    break;
                }
                let found = !unproved(&f, checks).1.is_empty();
                made[k] += 1;
                caught[k] += usize::from(found);
                if found {
                    continue;
                }
                let runs =
                    oracle.inputs.iter().map(|(args, _)| run(&f, args, &Others(&net.library), Direction::Forwards));
                let unnoticed = runs.filter_map(Result::err).find(|e| e.contains("unchecked"));
                if let Some(e) = unnoticed {
                    missed.push(format!("seed {seed}, a pass that {what}, place {place}: {e}"));
                }
            }
        }
    }
    println!("{made:?}, {caught:?} found");
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    // A loop may run once more, a check or a condition may be missing, and nothing is out of range.
    assert!(caught.iter().all(|n| *n > 0), "{caught:?}");
    // Elements after the end are in range nowhere, but some accesses to them are unreachable.
    assert!(caught[2] * 10 > made[2] * 9, "{} of {} are found", caught[2], made[2]);
}

/// A goal that is proved holds for all small numbers for which the facts hold and the operations have a value.
#[test]
fn what_is_proved_is_true() {
    let mut proved = 0;
    for seed in 1..=number("SMOOTH_GOALS", 600) {
        let mut rng = Rng::new(seed);
        let Question { facts, goal } = questions::question(&mut rng);
        if !follows(&goal, &facts) {
            continue;
        }
        proved += usize::from(!goal.never_negative());
        let counterexample = questions::numbers().find(|n| {
            let value = |c: &Card| c.eval(&|a| questions::value(a, n));
            facts.iter().all(|f| value(f).is_some_and(|v| v >= 0)) && value(&goal).is_some_and(|v| v < 0)
        });
        assert_eq!(counterexample, None, "seed {seed}: {goal:?} does not follow from {facts:?}");
    }
    println!("{proved} goals are proved");
    assert!(proved > 100, "{proved} goals are proved");
}
