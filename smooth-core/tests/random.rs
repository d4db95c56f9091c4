//! Random programs mean the same after each pass, whichever passes run, and use the announced memory.

mod common;
#[path = "common/net.rs"]
mod net;
#[path = "common/random.rs"]
mod random;
#[path = "common/reduce.rs"]
mod reduce;

use net::Net;
use random::{FEATURES, Gen, PAIRS, with_arguments};
use smooth_core::options::Options;
use smooth_core::pass::{PASSES, PRESETS, Switches};
use smooth_core::surface::layout::Layouts;
use std::collections::BTreeMap;

/// Programs in `cargo test`; `SMOOTH_PROGRAMS` asks for more.
const PROGRAMS: u64 = 700;

/// The number of other options under which each program is compiled, in rotation.
const OTHERS: usize = 1;

fn with(switches: Switches) -> Options {
    Options { switches, ..Options::default() }
}

/// Every single pass off, every preset, nothing on.
fn others() -> Vec<(String, Options)> {
    let off = |name: &str| {
        let mut switches = Switches::all();
        assert!(switches.set(name, false));
        (format!("without `{name}`"), with(switches))
    };
    let preset = |name: &&str| (format!("in preset {name}"), with(Switches::preset(name).expect("a preset")));
    let mut all: Vec<_> = PASSES.iter().map(|p| off(p.name)).collect();
    all.extend(PRESETS.iter().map(preset));
    all.push(("without any pass".into(), with(Switches::none())));
    // Column-major matrices change most reads, so this option is used more often.
    let layouts = Layouts { column_major: net::matrices(), strided: vec![] };
    let columns = Options { layouts, ..Options::default() };
    all.extend((0..3).map(|_| ("with column-major parameters".to_string(), columns.clone())));
    // Strided ones change the addresses of all reads, in checked kernels and among threads, too.
    let strided = Options { layouts: Layouts { column_major: vec![], strided: net::arrays() }, ..Options::default() };
    let strided = [
        strided.clone(),
        Options { checks: true, ..strided.clone() },
        Options { parallel: Some(5), ..strided.clone() },
        Options { switches: Switches::all().even_if_small(), ..strided.clone() },
        Options { switches: Switches::none(), ..strided },
    ];
    all.extend(strided.into_iter().map(|o| ("with strided parameters".to_string(), o)));
    // Transformations that pay only for large operands are applied to small ones, too.
    let small = with(Switches::all().even_if_small());
    all.extend((0..3).map(|_| ("as if all were large".to_string(), small.clone())));
    // Each index is checked where it is used: none of them may be out of range that was proved to be in range.
    let checked = Options { checks: true, ..Options::default() };
    all.extend((0..3).map(|_| ("with all checks".to_string(), checked.clone())));
    // Contractions have the bits of separate operations where the CPU has no instruction for them.
    let mut exact = Switches::all();
    assert!(exact.set("reciprocals", false));
    let fast = Options { fast: true, ..with(exact) };
    all.extend((0..3).map(|_| ("as fast kernels".to_string(), fast.clone())));
    // Threads share loops, in parts that run in an order that mixes them.
    let parallel = Options { parallel: Some(5), ..Options::default() };
    all.extend((0..6).map(|_| ("with threads".to_string(), parallel.clone())));
    all
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// Statistics of some programs.
#[derive(Default)]
struct Seen {
    fine: u64,
    wrong: u64,
    called: u64,
    features: BTreeMap<&'static str, u64>,
}

/// Judges the programs of these seeds. With `SMOOTH_GO_ON=1` failures are listed, and the first one does not end the test.
fn judge(seeds: impl Iterator<Item = u64>) -> Seen {
    let (net, others) = (Net::new(), others());
    let all = ("with all passes".to_string(), Options::default());
    let (go_on, mut seen) = (number("SMOOTH_GO_ON", 0) == 1, Seen::default());
    for seed in seeds {
        let mut program = Gen::new(seed).program("f");
        // Every other program that calls kernels gets them as arguments.
        if let Some(source) = with_arguments(&program.source).filter(|_| seed % 4 < 2) {
            program.source = source;
            seen.called += 1;
        }
        let chosen = (0..OTHERS).map(|k| others[(seed as usize * OTHERS + k) % others.len()].clone());
        let options: Vec<_> = std::iter::once(all.clone()).chain(chosen).collect();
        match net.program(&program.source, seed, &options) {
            Ok(end) => seen.fine += u64::from(end),
            Err(f) if go_on => {
                seen.wrong += 1;
                println!("seed {seed}, after `{}`: {}", f.after, f.what.lines().next().unwrap_or_default());
            }
            Err(f) => {
                let same = |s: &str| net.program(s, seed, &options).is_err_and(|g| g.kind() == f.kind());
                let small = reduce::reduce(&program.source, same);
                let f = net.program(&small, seed, &options).err().unwrap_or(f);
                panic!(
                    "seed {seed}, after `{}`: {}\n\n{}\n\nreduced to\n{small}\n\nbefore\n{}\n\nafter\n{}",
                    f.after, f.what, program.source, f.before, f.now
                );
            }
        }
        for f in program.features {
            *seen.features.entry(f).or_default() += 1;
        }
        if seed.is_multiple_of(10_000) {
            println!("seed {seed}");
        }
    }
    seen
}

#[test]
fn random_programs_keep_their_meaning() {
    let (count, start) = (number("SMOOTH_PROGRAMS", PROGRAMS), number("SMOOTH_SEED", 1));
    let seeds = start..start + count;
    let two = std::thread::scope(|s| {
        let two = [0, 1].map(|odd| {
            let seeds = seeds.clone().filter(move |seed| seed % 2 == odd);
            s.spawn(move || judge(seeds))
        });
        two.map(|t| t.join().unwrap_or_else(|e| std::panic::resume_unwind(e)))
    });
    let mut seen = Seen::default();
    for half in two {
        seen.fine += half.fine;
        seen.wrong += half.wrong;
        seen.called += half.called;
        half.features.into_iter().for_each(|(f, n)| *seen.features.entry(f).or_default() += n);
    }
    let Seen { fine, wrong, called, features } = seen;
    println!("{count} programs from seed {start}, {fine} ran to an end, {called} call their arguments");
    for f in FEATURES.iter().chain(PAIRS) {
        println!("{:6} have: {f}", features.get(f).unwrap_or(&0));
    }
    assert_eq!(wrong, 0, "programs fail");
    assert!(fine * 10 >= count * 9, "only {fine} of {count} programs ran to an end");
    if count >= 500 {
        let rare: Vec<_> =
            FEATURES.iter().chain(PAIRS).filter(|f| features.get(*f).unwrap_or(&0) * 100 < count).collect();
        assert!(rare.is_empty(), "fewer than one in 100 programs have: {rare:?}");
        assert!(called * 20 > count, "only {called} of {count} programs call their arguments");
    }
}
