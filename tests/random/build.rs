//! Writes random programs as kernels, and for each the data that its test needs. Each is compiled as an ordinary kernel, and
//! once more as one of the others in [`PRESETS`], which take turns.
//!
//! `SMOOTH_KERNELS` sets the number of programs, `SMOOTH_SEED` the seed.

#[path = "../../smooth-core/tests/common/random.rs"]
mod random;

use random::{EXTRAS, FEATURES, Gen, Program, Ty};
use std::fmt::Write;
use std::path::Path;

/// The default number of programs.
const PROGRAMS: usize = 300;

/// The default seed.
const SEED: usize = 24_448;

/// Longer programs are left out: they are slow to compile and find few additional errors. So are programs whose reference
/// always loses a size.
const LENGTH: usize = 1_000;

/// The module of the kernels of a preset, and the arguments of their attribute; first that of all programs.
const PRESETS: [(&str, &str); 6] = [
    ("dfbs", "preset = \"DFBS\""),
    ("d", "preset = \"D\""),
    ("df", "preset = \"DF\""),
    ("dfb", "preset = \"DFB\""),
    ("checked", "checks = \"all\""),
    ("strided", STRIDED),
];

/// The options of programs whose arrays are strided; the kernels that they call take contiguous ones.
const STRIDED: &str = "strided(a, b, c, v, m, w, t, u)";

fn number(name: &str, default: usize) -> usize {
    println!("cargo::rerun-if-env-changed={name}");
    std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(default)
}

/// The parts of a result.
#[derive(Default)]
struct Parts {
    /// The arrays in it, which are destinations.
    arrays: Vec<String>,
    /// The numbers in it, which `into` returns.
    numbers: Vec<String>,
}

impl Parts {
    /// A pattern for a result of type `t`.
    fn pattern(&mut self, t: &Ty) -> String {
        match t {
            // An array of tuples is a tuple of arrays.
            Ty::Tuple(ts) | Ty::Pairs(ts, _) => {
                let whole = matches!(t, Ty::Pairs(..));
                let part = |t: &Ty| match t {
                    Ty::Tuple(ts) if whole => Ty::Pairs(ts.clone(), "n"),
                    _ if whole => Ty::Ints("n"),
                    t => t.clone(),
                };
                format!("({})", ts.iter().map(|t| self.pattern(&part(t))).collect::<Vec<_>>().join(", "))
            }
            Ty::Array(_) | Ty::Ints(_) => {
                self.arrays.push(format!("a{}", self.arrays.len()));
                format!("mut a{}", self.arrays.len() - 1)
            }
            _ => {
                self.numbers.push(format!("x{}", self.numbers.len()));
                format!("x{}", self.numbers.len() - 1)
            }
        }
    }
}

/// The arguments for a parameter that is not in [`random::PARAMS`]: of the kernel, of its reference, and its extents.
fn arguments(extra: &str) -> [&'static str; 3] {
    match extra {
        "y" => ["&mut own.y", "&mut own.y", "[n]"],
        "z" => ["&mut own.z", "&mut own.nested", "[n, k]"],
        "h" => ["&mut own.h", "&mut own.h", ""],
        "e" => ["(&own.e.0, &own.e.1)", "(&own.e.0, &own.e.1)", "[n], [n]"],
        _ => ["(&mut own.o.0, &mut own.o.1)", "(&mut own.o.0, &mut own.o.1)", "[k], [k]"],
    }
}

/// The other preset of the `k`th program.
fn other(k: usize) -> usize {
    1 + k % (PRESETS.len() - 1)
}

fn check(name: &str, p: &Program, other: &str) -> String {
    let mut parts = Parts::default();
    let pattern = parts.pattern(&p.result);
    let returned = match parts.numbers.as_slice() {
        [one] => one.clone(),
        all => format!("({})", all.join(", ")),
    };
    let own: Vec<_> = EXTRAS.iter().filter(|(x, _)| p.extras.contains(x)).map(|(x, _)| arguments(x)).collect();
    let all = |k: usize| own.iter().map(|a| a[k]).filter(|a| !a.is_empty()).collect::<Vec<_>>().join(", ");
    format!(
        "program! {{ {name} {} {pattern} => [{}] {returned}; own n k: [{}] [{}] [{}]; {other} }}\n",
        p.loses,
        parts.arrays.join(" "),
        all(0),
        all(1),
        all(2)
    )
}

fn kernels(text: &str, options: &str) -> String {
    text.replace("#[smooth] fn", &format!("#[smooth(float = \"strict\", {options})]\npub fn"))
}

/// The programs of the seeds from one on, and further programs with features that fewer than one in a hundred has. The test
/// fails if ten times as many seeds have too few of these.
fn programs(count: usize, seed: u64) -> Vec<(String, Program)> {
    let mut seeds = (seed..seed + 10 * count as u64)
        .map(|seed| (format!("p{seed}"), Gen::new(seed)))
        .map(|(name, g)| (name.clone(), g.program(&name)))
        .filter(|(_, p)| p.source.len() <= LENGTH && !(p.loses && p.features.contains("size 0")));
    let mut programs: Vec<_> = seeds.by_ref().take(count).collect();
    for (name, program) in seeds {
        let often = |f: &&str| programs.iter().filter(|(_, p)| p.features.contains(f)).count() >= count / 100;
        if FEATURES.iter().any(|f| program.features.contains(f) && !often(f)) {
            programs.push((name, program));
        }
    }
    programs
}

fn main() -> std::io::Result<()> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=../../smooth-core/tests/common/random.rs");
    println!("cargo::rerun-if-changed=../../smooth-core/tests/common/random");
    let (count, seed) = (number("SMOOTH_KERNELS", PROGRAMS), number("SMOOTH_SEED", SEED) as u64);
    let programs = programs(count, seed);
    let mut out = String::new();
    for (preset, (name, options)) in PRESETS.into_iter().enumerate() {
        let in_it = programs.iter().enumerate().filter(|(k, _)| preset == 0 || preset == other(*k));
        let bodies: String = in_it.map(|(_, (_, p))| format!("#[smooth] {}\n", p.source)).collect();
        let of_library = if options == STRIDED { "preset = \"DFBS\"" } else { options };
        let (library, bodies) = (kernels(&random::library(), of_library), kernels(&bodies, options));
        let _ = writeln!(
            out,
            "pub mod {name} {{\nuse smooth::prelude::*;\npub mod library {{\nuse smooth::prelude::*;\n{library}}}\nuse library::*;\n{bodies}}}"
        );
    }
    programs.iter().enumerate().for_each(|(k, (name, p))| out += &check(name, p, PRESETS[other(k)].0));
    let names: Vec<String> = programs.iter().map(|(name, _)| format!("(\"{name}\", {name})")).collect();
    let _ = writeln!(out, "/// Every program.\nconst ALL: &[(&str, Check)] = &[{}];", names.join(", "));
    let to = std::env::var("OUT_DIR").map(|d| Path::new(&d).join("programs.rs")).expect("OUT_DIR");
    std::fs::write(to, out)
}
