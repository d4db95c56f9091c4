//! The library that is written in the language: `random`, `scan`, `sort`, `array`, `statistics` and `convolution`, against
//! plain Rust, on arrays of no, one and many elements; called from Rust and by kernels.
#![allow(clippy::float_cmp, reason = "the bits are the subject")]

#[path = "library/array.rs"]
mod array;
#[path = "library/convolution.rs"]
mod convolution;
#[path = "heap/mod.rs"]
mod heap;
#[path = "library/random.rs"]
mod random;
#[path = "library/scan.rs"]
mod scan;
#[path = "library/sort.rs"]
mod sort;
#[path = "library/statistics.rs"]
mod statistics;

/// Lengths: 0, 1, around the sixteen elements that are sorted by insertion, and several merges.
const LENGTHS: [usize; 9] = [0, 1, 2, 15, 16, 17, 33, 100, 1000];

/// `n` numbers. Every third one is repeated elsewhere; some are NaN, infinite or zeros with a sign.
fn numbers(n: usize, mut seed: u64) -> Vec<f64> {
    let mut next = move || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize
    };
    let special = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0];
    let number = |k: usize, x: usize| match k % 8 {
        0 => special[x % 5],
        1..=3 => (x % 10) as f64,
        _ => x as f64 / 1e6 - 1000.0,
    };
    (0..n).map(|_| number(next(), next())).collect()
}

fn bits(a: &[f64]) -> Vec<u64> {
    a.iter().map(|x| x.to_bits()).collect()
}

/// The table of the reference has each kernel with the names of its arguments.
#[test]
fn the_table_shows_calls() {
    let page = include_str!("../docs/reference.md").replace("::<T>(", "(");
    let linalg =
        std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/smooth-linalg/src/linalg")).expect("the folder");
    let files = ["array", "convolution", "random", "scan", "sort", "statistics"]
        .map(|name| format!("smooth-arrays/src/{name}.rs"));
    let linalg = linalg.map(|file| format!("smooth-linalg/src/linalg/{}", file.expect("a file").file_name().display()));
    let (mut found, mut missing) = (0, Vec::new());
    for file in files.into_iter().chain(linalg) {
        let text = std::fs::read_to_string(format!("{}/{file}", env!("CARGO_MANIFEST_DIR"))).expect("a file");
        let kernels =
            text.split("\n#[smooth").skip(1).filter_map(|item| item.split_once("\npub fn ")?.1.split_once('('));
        for (name, rest) in kernels {
            let name = name.split('<').next().unwrap_or_default();
            // Parameters are names before a single colon; those of function types have none.
            let signature = rest.split_once("{\n").map_or(rest, |(head, _)| head);
            let params = signature.split(": ").filter_map(|before| before.rsplit([' ', '(', '\n']).next());
            let count = signature.matches(": ").count();
            let changed = |k: usize| signature.split(": ").nth(k + 1).is_some_and(|ty| ty.starts_with("&mut "));
            let params = params.take(count).enumerate();
            let params: Vec<String> =
                params.map(|(k, name)| format!("{}{name}", if changed(k) { "&mut " } else { "" })).collect();
            let call = format!("`{name}({})`", params.join(", "));
            found += 1;
            // What makes the numbers of one place is beside what makes an array of them.
            if !name.ends_with("_at") && name != "philox" && !page.contains(&call) {
                missing.push(call);
            }
        }
    }
    assert!(found > 100, "{found} kernels: this test looks in the wrong place");
    assert!(missing.is_empty(), "not in the table: {missing:#?}");
}
