//! Every access without a check is proved to be in range a second time, from the loops alone (`common/ranges.rs`): in random
//! programs after each pass, in the library, in the snapshots, in the workloads and in well-known loops. What remains is listed
//! here, but for numbers that come from data or that loops change in ways that no bound describes: those are few.

#[path = "broken/loops.rs"]
#[allow(dead_code)]
mod broken_loops;
#[path = "broken/ranges.rs"]
mod broken_ranges;
mod common;
#[path = "common/net.rs"]
mod net;
#[path = "common/random.rs"]
mod random;
#[path = "common/ranges.rs"]
mod ranges;

use common::files::{WORKLOADS, kernels};
use common::{Others, Unit, library};
use net::{Net, Stage, Watched, inputs};
use random::{Gen, Rng};
use ranges::{Unproved, unproved};
use smooth_core::loops::Function;
use smooth_core::loops::eval::{Direction, run};
use smooth_core::options::Options;
use std::collections::{BTreeMap, BTreeSet};

/// A mistake at the place with a number; whether there is such a place.
type Mistake = fn(&mut Function, usize) -> bool;

/// What makes an access wrong.
const MISTAKES: [(&str, Mistake); 4] = [
    ("takes a border for one later", broken_ranges::one_iteration_more),
    ("writes the next element", broken_ranges::next_element),
    ("drops a check", broken_ranges::no_check),
    ("forgets a condition", broken_ranges::no_condition),
];

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
    let (mut all, mut varies) = (0, 0);
    let mut open = vec![];
    for seed in 1..=number("SMOOTH_PROGRAMS", 30) {
        let w = compiled(&net, seed);
        for (pass, f) in loops(&w) {
            let (accesses, found) = unproved(f, &w.stages.companion.checks);
            all += accesses;
            varies += found.iter().filter(|u| u.varies).count();
            let found: Vec<&Unproved> = found.iter().filter(|u| !u.varies).collect();
            open.extend(found.iter().map(|u| format!("seed {seed}, after {pass}: {}", u.show(f))));
        }
    }
    println!("{all} accesses, {varies} at numbers that loops change or that come from data");
    assert!(open.is_empty(), "{} accesses are not proved:\n{}", open.len(), open.join("\n"));
    assert!(varies * 20 < all, "{varies} of {all} accesses are not proved");
}

/// What is found in known kernels.
#[derive(Default)]
struct Found {
    accesses: usize,
    /// Accesses that are not proved, at numbers that loops change or that come from data.
    varies: usize,
    /// The kernels with others, and how many each has.
    open: BTreeMap<String, usize>,
    /// The exports of the kernels so far: every snapshot has the library.
    seen: BTreeSet<String>,
}

impl Found {
    fn in_unit(&mut self, unit: &Unit) {
        for (name, s) in &unit.stages {
            if !self.seen.insert(s.export.clone()) {
                continue;
            }
            let mut open = 0;
            for f in std::iter::once(&s.loops).chain(&s.wide) {
                let (accesses, found) = unproved(f, &s.companion.checks);
                self.accesses += accesses;
                self.varies += found.iter().filter(|u| u.varies).count();
                for u in found.iter().filter(|u| !u.varies) {
                    open += 1;
                    println!("{}", u.show(f));
                }
            }
            if open > 0 {
                self.open.insert(name.clone(), open);
            }
        }
    }
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

/// The kernels with other accesses that are not proved, and how many. The search for a certificate gives up on panels, whose
/// number is one of two (`product`, `matrix_mul`), on offsets behind a division (the mixtures' triangle, `haar`), on nested
/// maxima (`seidel`, `qr`), and on arms that are never reached (`pad`), among others.
const LEFT: &[(&str, usize)] = &[
    ("argsort", 2),
    ("argsort_by", 2),
    ("back_again", 8),
    ("beside", 1),
    ("gmm_adbench", 3),
    ("gmm_gradbench", 3),
    ("gmm_reduced", 4),
    ("haar", 5),
    ("jacobi", 6),
    ("log_likelihood", 3),
    ("matrix_mul", 8),
    ("merge", 1),
    ("pad", 1),
    ("product", 8),
    ("qr", 16),
    ("queens", 1),
    ("repeat", 1),
    ("romberg", 3),
    ("seidel", 5),
    ("sort_in_place", 2),
    ("sort_in_place_by", 2),
];

#[test]
fn kernels_are_proved_again() {
    let text = |source: &str| {
        let lines = source.lines().filter(|l| !l.starts_with("//!") && !l.starts_with("use "));
        lines.collect::<Vec<_>>().join("\n")
    };
    let mut found = Found::default();
    found.in_unit(&Net::new().library);
    found.in_unit(&kernels(&WORKLOADS, &[]));
    found.in_unit(&kernels(&TEXTBOOK, &[]));
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots")).expect("a folder") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|e| e == "rs") {
            let source = std::fs::read_to_string(&path).expect("a text");
            found.in_unit(&library(&text(&source)));
        }
    }
    let Found { accesses, varies, open, .. } = found;
    println!("{accesses} accesses, {varies} at numbers that loops change or that come from data");
    let open: Vec<(&str, usize)> = open.iter().map(|(name, n)| (name.as_str(), *n)).collect();
    assert_eq!(open, LEFT);
    assert!(varies * 20 < accesses, "{varies} of {accesses} accesses are not proved");
}

/// A function that reads or writes out of range unnoticed is never taken for a proved one, and each mistake is found.
#[test]
fn mistakes_are_not_proved() {
    let net = Net::new();
    let mut caught = [0; MISTAKES.len()];
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
            for place in 0..3 {
                let mut f = w.stages.loops.clone();
                if !mistake(&mut f, place) {
                    break;
                }
                let found = !unproved(&f, checks).1.is_empty();
                caught[k] += usize::from(found);
                let runs =
                    oracle.inputs.iter().map(|(args, _)| run(&f, args, &Others(&net.library), Direction::Forwards));
                let unnoticed = runs.filter_map(Result::err).find(|e| e.contains("unchecked"));
                if let Some(e) = unnoticed.filter(|_| !found) {
                    missed.push(format!("seed {seed}, a pass that {what}, place {place}: {e}"));
                }
            }
        }
    }
    println!("{caught:?}");
    assert!(missed.is_empty(), "{}", missed.join("\n"));
    assert!(caught.iter().all(|n| *n > 0), "{caught:?}");
}
