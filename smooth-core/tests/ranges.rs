//! Every access without a check is proved to be in range a second time, from the loops alone (`common/ranges.rs`): in random
//! programs after each pass, in the library, in the snapshots and in the workloads. What remains is listed here.

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

use common::{Others, Unit, library};
use net::{Net, Stage, Watched, inputs};
use random::{Gen, Rng};
use ranges::{Unproved, unproved};
use smooth_core::loops::Function;
use smooth_core::loops::eval::{Direction, run};
use smooth_core::options::Options;

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

/// The accesses of each kernel that are not proved, where there are any: by its name, how many there are, and how many.
fn left(unit: &Unit, all: &mut usize, found: &mut Vec<(String, usize)>) {
    for (name, s) in &unit.stages {
        let mut open = 0;
        for f in std::iter::once(&s.loops).chain(&s.wide) {
            let (accesses, found) = unproved(f, &s.companion.checks);
            *all += accesses;
            open += found.len();
            found.iter().for_each(|u| println!("{}", u.show(f)));
        }
        if open > 0 && found.iter().all(|(n, _)| n != name) {
            found.push((name.clone(), open));
        }
    }
}

/// The kernels with accesses that the loops alone do not prove, and how many. `product` has panels, whose number is one of two,
/// and `beside` an index that is one of two; in the others loops change an index, and its bounds are their invariants.
const LEFT: &[(&str, usize)] = &[("back_again", 23), ("beside", 1), ("product", 22), ("sort", 4), ("sorted", 10)];

#[test]
fn kernels_are_proved_again() {
    let text = |source: &str| {
        let lines = source.lines().filter(|l| !l.starts_with("//!") && !l.starts_with("use "));
        lines.collect::<Vec<_>>().join("\n")
    };
    let (mut all, mut found) = (0, vec![]);
    left(&Net::new().library, &mut all, &mut found);
    left(&library(""), &mut all, &mut found);
    left(&library(&text(include_str!("../../workloads/src/project.rs"))), &mut all, &mut found);
    for file in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/snapshots")).expect("a folder") {
        let path = file.expect("a file").path();
        if path.extension().is_some_and(|e| e == "rs") {
            let source = std::fs::read_to_string(&path).expect("a text");
            left(&library(&text(&source)), &mut all, &mut found);
        }
    }
    println!("{all} accesses");
    found.sort();
    let found: Vec<(&str, usize)> = found.iter().map(|(name, n)| (name.as_str(), *n)).collect();
    assert_eq!(found, LEFT);
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
