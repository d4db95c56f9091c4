//! Random well-typed programs of the language, as source text.
//!
//! Needs nothing but std: the compiler's tests interpret these programs, and `tests/random` compiles them.
//!
//! Nearly every index is in range by construction, whatever the sizes are, so that most programs run to an end: a loop
//! index bounded by that size, a term in one that cannot be larger, a remainder if the size is not 0.
#![allow(dead_code, reason = "each test takes what it needs")]

#[path = "random/anew.rs"]
mod anew;
#[path = "random/arrays.rs"]
mod arrays;
#[path = "random/asserts.rs"]
mod asserts;
#[path = "random/bounded.rs"]
mod bounded;
#[path = "random/counters.rs"]
mod counters;
#[path = "random/counts.rs"]
mod counts;
#[path = "random/extras.rs"]
mod extras;
#[path = "random/functions.rs"]
mod functions;
#[path = "random/guards.rs"]
mod guards;
#[path = "random/in_out.rs"]
mod in_out;
#[path = "random/indices.rs"]
mod indices;
#[path = "random/lets.rs"]
mod lets;
#[path = "random/loops.rs"]
mod loops;
#[path = "random/narrow.rs"]
mod narrow;
#[path = "random/near.rs"]
mod near;
#[path = "random/numbers.rs"]
mod numbers;
#[path = "random/pairs.rs"]
mod pairs;
#[path = "random/places.rs"]
mod places;
#[path = "random/prefix.rs"]
mod prefix;
#[path = "random/reductions.rs"]
mod reductions;
#[path = "random/reshaped.rs"]
mod reshaped;
#[path = "random/rng.rs"]
mod rng;
#[path = "random/scans.rs"]
mod scans;
#[path = "random/setting.rs"]
mod setting;
#[path = "random/statements.rs"]
mod statements;
#[path = "random/tables.rs"]
pub mod tables;
#[path = "random/turned.rs"]
mod turned;
#[path = "random/walk.rs"]
mod walk;
#[path = "random/written_out.rs"]
mod written_out;

#[allow(unused_imports)]
pub use extras::EXTRAS;
#[allow(unused_imports)]
pub use functions::with_arguments;
pub use rng::Rng;
pub use setting::{FEATURES, PAIRS, PARAMS, library};
use std::collections::BTreeSet;

/// An extent, as it is written.
pub type Size = &'static str;

/// The extents that arrays have, some of them often: static, symbolic, a parameter, computed.
const SIZES: [Size; 18] = [
    "n",
    "n",
    "n",
    "k",
    "k",
    "k",
    "3",
    "3",
    "p",
    "p",
    "1",
    "n + 1",
    "p / 2",
    "0",
    "n.isqrt()",
    "(1 << p % 3)",
    "n.next_power_of_two()",
    "(p >> 1)",
];

/// The types of terms.
#[derive(Clone, PartialEq, Debug)]
pub enum Ty {
    F64,
    Usize,
    Bool,
    /// Of `f64`.
    Array(Vec<Size>),
    /// Of `usize`.
    Ints(Size),
    Tuple(Vec<Ty>),
    /// An array of tuples.
    Pairs(Vec<Ty>, Size),
}

impl Ty {
    /// The type in Rust.
    pub fn written(&self) -> String {
        let array = |elem: &str, dims: &[Size]| dims.iter().rev().fold(elem.into(), |t, d| format!("[{t}; {d}]"));
        match self {
            Ty::F64 => "f64".into(),
            Ty::Usize => "usize".into(),
            Ty::Bool => "bool".into(),
            Ty::Array(dims) => array("f64", dims),
            Ty::Ints(d) => array("usize", &[d]),
            Ty::Tuple(ts) => format!("({})", ts.iter().map(Ty::written).collect::<Vec<_>>().join(", ")),
            Ty::Pairs(ts, d) => array(&Ty::Tuple(ts.clone()).written(), &[d]),
        }
    }

    /// The type of this part of an array of tuples, if the array is taken apart.
    fn in_array(&self, size: Size) -> Ty {
        match self {
            Ty::F64 => Ty::Array(vec![size]),
            Ty::Array(dims) => Ty::Array([&[size], dims.as_slice()].concat()),
            Ty::Tuple(ts) => Ty::Pairs(ts.clone(), size),
            _ => Ty::Ints(size),
        }
    }

    /// Whether it is `()`.
    pub fn is_unit(&self) -> bool {
        matches!(self, Ty::Tuple(ts) if ts.is_empty())
    }
}

/// A program and its properties.
pub struct Program {
    /// `fn f(…) -> … { … }`
    pub source: String,
    pub result: Ty,
    /// The names of its parameters in addition to [`PARAMS`].
    pub extras: Vec<&'static str>,
    pub features: BTreeSet<&'static str>,
    /// Whether the program uses an inner extent of an array that may be empty: `reference`, on nested `Vec`s, loses it.
    pub loses: bool,
}

/// The generator of one program.
pub struct Gen {
    pub(super) rng: Rng,
    /// Names in scope with their types.
    vars: Vec<(String, Ty)>,
    /// Loop indices in scope with the sizes that bound them.
    indices: Vec<(String, Size)>,
    /// Closures in scope with their numbers of arguments.
    closures: Vec<(String, usize)>,
    /// The number of loops around.
    loops: usize,
    /// The number of folds around.
    folds: usize,
    fresh: usize,
    /// A bound on the size of the program that is still to be written.
    fuel: isize,
    features: BTreeSet<&'static str>,
    loses: bool,
    /// The variables that statements may change, and the loops and blocks that they may leave.
    reach: statements::Reach,
    /// The number of loops around whose indices do not bound sizes.
    unbounded: usize,
    /// The parameters in addition to [`PARAMS`].
    extras: Vec<&'static str>,
    /// Whether many rows are written out, in one program of eight.
    rows: bool,
}

impl Gen {
    pub fn new(seed: u64) -> Gen {
        let vars = [
            ("a", Ty::Array(vec!["n"])),
            ("b", Ty::Array(vec!["n"])),
            ("c", Ty::Array(vec!["k"])),
            ("v", Ty::Array(vec!["3"])),
            ("m", Ty::Array(vec!["n", "k"])),
            ("w", Ty::Array(vec!["k", "3"])),
            ("t", Ty::Array(vec!["n", "k", "2"])),
            ("u", Ty::Ints("n")),
            ("s", Ty::F64),
        ];
        let mut rng = Rng::new(seed);
        let fuel = 6 + rng.below(if rng.0.is_multiple_of(8) { 40 } else { 20 }) as isize;
        let rows = rng.0 % 8 == 1;
        Gen {
            rng,
            rows,
            vars: vars.into_iter().map(|(n, t)| (n.to_string(), t)).collect(),
            indices: vec![],
            closures: vec![],
            loops: 0,
            folds: 0,
            fresh: 0,
            fuel,
            features: BTreeSet::new(),
            loses: false,
            reach: statements::Reach::default(),
            unbounded: 0,
            extras: vec![],
        }
    }

    /// A kernel called `name` with a result of a random type.
    pub fn program(mut self, name: &str) -> Program {
        let changes = self.choose_extras();
        let result = match self.rng.below(14) {
            _ if changes && self.rng.one_in(4) => Ty::Tuple(vec![]),
            0..=3 => Ty::F64,
            4..=6 => Ty::Array(vec![self.size()]),
            7 => Ty::Array(vec![self.size(), self.size()]),
            8 => Ty::Array(vec![self.size(), self.size(), self.size()]),
            9 => Ty::Tuple(vec![Ty::F64, Ty::Array(vec![self.size()])]),
            10 => Ty::Tuple(vec![Ty::Array(vec![self.size()]), Ty::Array(vec![self.size(), self.size()])]),
            11 => self.of_tuples(),
            12 => Ty::Tuple(vec![self.of_tuples(), Ty::F64]),
            _ => Ty::Tuple(vec![
                Ty::Tuple(vec![Ty::F64, Ty::Array(vec![self.size()])]),
                Ty::Array(vec![self.size()]),
                Ty::F64,
            ]),
        };
        if let Ty::Tuple(ts) = &result
            && ts.iter().filter(|t| **t != Ty::F64).count() > 1
        {
            self.note("several arrays as a result");
        }
        let body = match changes || self.rng.one_in(3) {
            true => self.body(&result, 4),
            false => self.term(&result, 5),
        };
        let arrow = if result.is_unit() { String::new() } else { format!("-> {} ", result.written()) };
        let source = format!("fn {name}({}) {arrow}{{ {body} }}", self.params());
        Program { source, result, extras: self.extras, features: self.features, loses: self.loses }
    }

    fn note(&mut self, feature: &'static str) {
        debug_assert!(FEATURES.contains(&feature) || PAIRS.contains(&feature), "{feature}");
        self.features.insert(feature);
    }

    fn size(&mut self) -> Size {
        let size = *self.rng.pick(&SIZES);
        // Arrays without elements are rare.
        let size = if size == "0" && !self.rng.one_in(3) { "n" } else { size };
        self.note(match size {
            "0" => "size 0",
            "1" => "size 1",
            "3" => "size 3",
            "p" => "parameter as a size",
            "n + 1" | "p / 2" => "computed size",
            "n.isqrt()" | "(1 << p % 3)" | "n.next_power_of_two()" | "(p >> 1)" => "size of an operation",
            _ => "symbolic size",
        });
        size
    }

    fn name(&mut self, hint: &str) -> String {
        self.fresh += 1;
        format!("{hint}{}", self.fresh)
    }

    fn scoped<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let (v, i, c) = (self.vars.len(), self.indices.len(), self.closures.len());
        let t = f(self);
        self.vars.truncate(v);
        self.indices.truncate(i);
        self.closures.truncate(c);
        t
    }

    /// A term with one more loop index in scope, and its name.
    fn looped(&mut self, size: Size, f: impl FnOnce(&mut Self) -> String) -> (String, String) {
        let i = self.name("i");
        self.loops += 1;
        let body = self.scoped(|g| {
            g.indices.push((i.clone(), size));
            f(g)
        });
        self.loops -= 1;
        (i, body)
    }

    fn arrays(&self) -> Vec<(String, Vec<Size>)> {
        let array = |(x, t): &(String, Ty)| if let Ty::Array(d) = t { Some((x.clone(), d.clone())) } else { None };
        self.vars.iter().filter_map(array).collect()
    }

    fn leaf(&mut self) -> String {
        match self.rng.below(10) {
            0 => format!("{:.1}", self.rng.below(40) as f64 / 10.0),
            1 => self.rng.pick(&["(n as f64)", "s", "(k as f64 * 0.5)", "(p as f64)"]).to_string(),
            2 if !self.indices.is_empty() => {
                let i = self.rng.below(self.indices.len());
                format!("({} as f64)", self.indices[i].0)
            }
            3..=5 => {
                let numbers: Vec<String> =
                    self.vars.iter().filter(|(_, t)| *t == Ty::F64).map(|(x, _)| x.clone()).collect();
                self.rng.pick(&numbers).clone()
            }
            6 if self.rng.one_in(3) => {
                let pairs = |(x, t): &(String, Ty)| match t {
                    Ty::Pairs(ts, d) => Some((x.clone(), ts.clone(), *d)),
                    _ => None,
                };
                match self.vars.iter().rev().find_map(pairs) {
                    Some((x, ts, size)) => self.part_of(&x, &ts, size),
                    None => format!("(WEIGHTS[{}] - s)", self.rng.below(3)),
                }
            }
            _ => {
                // Prefer recent arrays.
                let arrays = self.arrays();
                let recent = arrays.len().min(4);
                let from = if self.rng.one_in(2) { arrays.len() - recent } else { 0 };
                let (x, dims) = self.rng.pick(&arrays[from..]).clone();
                self.element(&x, &dims)
            }
        }
    }

    /// A term of any type.
    fn term(&mut self, ty: &Ty, depth: usize) -> String {
        match ty {
            Ty::F64 => self.scalar(depth),
            Ty::Bool => self.condition(depth),
            Ty::Usize => self.natural(),
            Ty::Array(dims) => self.array(dims, depth),
            Ty::Ints(d) => {
                let d = *d;
                let (i, e) = self.looped(d, |g| g.surely(d));
                format!("build({d}, |{i}| {e})")
            }
            Ty::Tuple(ts) => self.tuple(ts, depth),
            Ty::Pairs(ts, d) => self.pairs(&ts.clone(), d, depth),
        }
    }

    fn natural(&mut self) -> String {
        let numbers: Vec<_> = self.vars.iter().filter(|(_, t)| *t == Ty::Usize).map(|(x, _)| x.clone()).collect();
        let i = match self.indices.last() {
            _ if !numbers.is_empty() && self.rng.one_in(3) => format!("({} % 9)", self.rng.pick(&numbers)),
            Some((i, _)) => i.clone(),
            None => "k".into(),
        };
        match self.rng.below(4) {
            0 => format!("({i} * 2 + 1) % 5"),
            1 => format!("({i} / 2).max(1)"),
            2 => format!("({i} + p).min(n)"),
            _ => format!("{i} + 1"),
        }
    }
}

fn leaves(ty: &Ty) -> usize {
    match ty {
        Ty::Tuple(ts) => ts.iter().map(leaves).sum(),
        _ => 1,
    }
}
