//! Functions against each other: on a machine with other work, only what ran alternately can be compared.

use std::time::{Duration, Instant};

/// Runs a function that often, and says how long that took.
pub type Timed<'a> = Box<dyn FnMut(u32) -> Duration + 'a>;

/// A function to be timed. The loop around it is compiled with it, so that no call of a closure counts.
pub fn timed<'a>(mut f: impl FnMut() + 'a) -> Timed<'a> {
    Box::new(move |runs| {
        let start = Instant::now();
        (0..runs).for_each(|_| f());
        start.elapsed()
    })
}

/// The fastest run of each, in nanoseconds: all run alternately for about that long, and at least five times.
pub fn fastest(all: &mut [Timed<'_>], how_long: Duration) -> Vec<f64> {
    // Enough runs for some microseconds, so that the clock does not count.
    let enough = |one: &mut Timed<'_>| {
        one(1);
        let mut runs = 1;
        while runs < 1 << 20 && one(runs) < Duration::from_micros(20) {
            runs *= 2;
        }
        runs
    };
    let runs: Vec<u32> = all.iter_mut().map(enough).collect();
    let mut fastest = vec![f64::MAX; all.len()];
    let (start, mut rounds) = (Instant::now(), 0);
    while rounds < 5 || start.elapsed() < how_long {
        // Each begins a round in its turn, forwards and backwards: what the one before left in the caches is not its merit.
        for turn in 0..all.len() {
            let k = (rounds / 2 + turn) % all.len();
            let k = if rounds % 2 == 0 { k } else { all.len() - 1 - k };
            fastest[k] = fastest[k].min(all[k](runs[k]).as_nanos() as f64 / f64::from(runs[k]));
        }
        rounds += 1;
    }
    fastest
}

/// Whether the words after `--` on the command line, without options of cargo, select this name. No words select all.
pub fn wanted(name: &str) -> bool {
    let words: Vec<String> = std::env::args().skip(1).filter(|a| !a.starts_with('-')).collect();
    words.is_empty() || words.iter().any(|w| name.contains(w.as_str()))
}

/// A time with its unit, three digits.
pub fn text(nanoseconds: f64) -> String {
    let (value, unit) = match nanoseconds {
        t if t < 1e3 => (t, "ns"),
        t if t < 1e6 => (t / 1e3, "µs"),
        t if t < 1e9 => (t / 1e6, "ms"),
        t => (t / 1e9, "s"),
    };
    let digits = if value < 10.0 { 2 } else { usize::from(value < 100.0) };
    format!("{value:.digits$} {unit}")
}
