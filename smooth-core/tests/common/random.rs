//! Random well-typed programs of the language, as source text.
//!
//! Needs nothing but std: the compiler's tests interpret these programs, and `tests/random` compiles them.
//!
//! Nearly every index is in range by construction, whatever the sizes are, so that most programs run to an end: a loop
//! index of that size, something made of one that cannot be larger, a remainder where the size is not 0.
#![allow(dead_code)]

use std::collections::BTreeSet;

/// A small generator of numbers: xorshift.
pub struct Rng(pub u64);

impl Rng {
    pub fn new(seed: u64) -> Rng {
        let mut rng = Rng(seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        for _ in 0..4 {
            rng.next();
        }
        rng
    }
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n
    }
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }
    pub fn pick<'a, T>(&mut self, xs: &'a [T]) -> &'a T {
        &xs[self.below(xs.len())]
    }
    /// Numbers that a wrong identity shows itself on: zeros of either sign, ones, an infinity now and then.
    pub fn number(&mut self) -> f64 {
        match self.below(24) {
            0 => 0.0,
            1 | 4 => -0.0,
            2 => 1.0,
            3 if self.one_in(4) => f64::INFINITY,
            _ => self.below(400) as f64 / 100.0 - 2.0,
        }
    }
    pub fn numbers(&mut self, n: usize) -> Vec<f64> {
        (0..n).map(|_| self.number()).collect()
    }
}

/// An extent, as it is written.
pub type Size = &'static str;

/// The extents that arrays have, some of them often: static, symbolic, a parameter, computed.
const SIZES: [Size; 13] = ["n", "n", "n", "k", "k", "k", "3", "3", "p", "p", "1", "n + 1", "0"];

/// What a term can be.
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
}

impl Ty {
    /// In Rust's words.
    pub fn written(&self) -> String {
        let array = |elem: &str, dims: &[Size]| dims.iter().rev().fold(elem.into(), |t, d| format!("[{t}; {d}]"));
        match self {
            Ty::F64 => "f64".into(),
            Ty::Usize => "usize".into(),
            Ty::Bool => "bool".into(),
            Ty::Array(dims) => array("f64", dims),
            Ty::Ints(d) => array("usize", &[d]),
            Ty::Tuple(ts) => format!("({})", ts.iter().map(Ty::written).collect::<Vec<_>>().join(", ")),
        }
    }
}

/// The parameters of every program.
pub const PARAMS: &str = "a: &[f64; n], b: &[f64; n], c: &[f64; k], v: &[f64; 3], m: &[[f64; k]; n], w: &[[f64; 3]; k], \
     t: &[[[f64; 2]; k]; n], u: &[usize; n], s: f64, p: usize, yes: bool";

/// Kernels that programs may call. The last ones are too large to be inlined, though little of them ever runs.
pub fn library() -> String {
    let long: String =
        (0..60).map(|i| format!("let x = (x * 1.{i:02} + 0.25).abs() - x / (1.{i:02} + x * x); ")).collect();
    format!(
        "{SMALL}
#[smooth] fn large(a: &[f64; n], s: f64) -> [f64; n] {{
    let e = build(n, |i| (a[i] * s).exp());
    build(n, |i| {{ let x = e[n - 1 - i] + e[i / 2]; if x > 1.0e300 {{ {long} x }} else {{ x - s }} }})
}}
#[smooth] fn large_number(a: &[f64; n], q: usize) -> f64 {{
    let x = ifold(q, a.clone(), |x, j| build(n, |i| x[n - 1 - i] * 0.5 + j as f64));
    let x = sum(n, |i| x[i] * a[i]);
    if x > 1.0e300 {{ {long} x }} else {{ x }}
}}
#[smooth] fn large_pair(a: &[f64; n], m: &[[f64; k]; n]) -> (f64, [f64; k]) {{
    let x = sum(n, |i| a[i]);
    let e = build(n, |i| (a[i] - x).sin());
    let x = if x > 1.0e300 {{ {long} x }} else {{ x }};
    (x, build(k, |j| sum(n, |i| e[n - 1 - i] * m[i][j]) + sum(n, |i| e[i])))
}}
"
    )
}

const SMALL: &str = "
#[smooth] fn map(a: &[f64; n], f: impl Fn(f64) -> f64) -> [f64; n] { build(n, |i| f(a[i])) }
#[smooth] fn zip(a: &[f64; n], b: &[f64; n], f: impl Fn(f64, f64) -> f64) -> [f64; n] { build(n, |i| f(a[i], b[i])) }
#[smooth] fn reduce(a: &[f64; n], x: f64, f: impl Fn(f64, f64) -> f64) -> f64 { ifold(n, x, |x, i| f(x, a[i])) }
#[smooth] fn rows(m: &[[f64; k]; n], f: impl Fn(&[f64; k]) -> f64) -> [f64; n] { build(n, |i| f(&m[i])) }
#[smooth] fn add(a: &[f64; n], b: &[f64; n]) -> [f64; n] { zip(a, b, |x, y| x + y) }
#[smooth] fn scale(a: &[f64; n], s: f64) -> [f64; n] { map(a, |x| x * s) }
#[smooth] fn dot(a: &[f64; n], b: &[f64; n]) -> f64 { sum(n, |i| a[i] * b[i]) }
#[smooth] fn transpose(m: &[[f64; k]; n]) -> [[f64; n]; k] { build([k, n], |i, j| m[j][i]) }
#[smooth] fn product(m: &[[f64; k]; n], o: &[[f64; l]; k]) -> [[f64; l]; n] {
    build([n, l], |i, j| sum(k, |h| m[i][h] * o[h][j]))
}
#[smooth] fn part(a: &[f64; n], s: usize, e: usize) -> [f64; e - s] { build(e - s, |i| a[s + i]) }
#[smooth] fn mean_and_rest(a: &[f64; n]) -> (f64, [f64; n]) {
    let x = sum(n, |i| a[i]) * 0.25;
    (x, build(n, |i| a[i] - x))
}
#[smooth] fn curve(x: f64, y: f64) -> f64 { let z = x * y; (z * z + 1.0).sqrt() - z }
";

/// What a program may have, and what a healthy share of many programs does have.
pub const FEATURES: [&str; 34] = [
    "nested build",
    "nested fold",
    "fold in a build",
    "branch of numbers",
    "branch of arrays",
    "branch of tuples",
    "shared array",
    "random position",
    "size 0",
    "size 1",
    "size 3",
    "symbolic size",
    "parameter as a size",
    "computed size",
    "closure",
    "closure of several",
    "call",
    "call of higher order",
    "call not inlined",
    "tuple",
    "nested tuple",
    "several arrays as a result",
    "slice",
    "transpose",
    "gather",
    "usize let",
    "bool let",
    "and, or",
    "count of an outer index",
    "fold pointwise",
    "fold not pointwise",
    "rank 3",
    "chain of arrays",
    "invariant array",
];

/// One more each, counted like the others: what passes on pairs of terms look for.
pub const PAIRS: [&str; 3] = ["equal terms", "independent folds", "identity"];

/// A program and what is known about it.
pub struct Program {
    /// `fn f(…) -> … { … }`
    pub source: String,
    pub result: Ty,
    pub features: BTreeSet<&'static str>,
    /// Whether a size is asked of an array that may be empty, so that `reference`, on nested `Vec`s, does not know it.
    pub loses: bool,
}

/// Writes one program.
pub struct Gen {
    pub(super) rng: Rng,
    /// Names in scope with their types.
    vars: Vec<(String, Ty)>,
    /// Loop indices in scope with the sizes that bound them.
    indices: Vec<(String, Size)>,
    /// Closures in scope with their numbers of arguments.
    closures: Vec<(String, usize)>,
    /// How many loops and folds are around.
    loops: usize,
    folds: usize,
    fresh: usize,
    /// What is left to spend on terms.
    fuel: isize,
    features: BTreeSet<&'static str>,
    loses: bool,
}

fn paren(size: Size) -> String {
    if size.contains(' ') { format!("({size})") } else { size.into() }
}

/// Sizes that no input makes 0.
fn never_empty(size: Size) -> bool {
    matches!(size, "1" | "3" | "2" | "n + 1")
}

/// Whether an index below `small` is below `large`.
fn fits(small: Size, large: Size) -> bool {
    small == large || matches!((small, large), ("n", "n + 1") | ("1", "3" | "2" | "n + 1") | ("2", "3"))
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
        Gen {
            rng,
            vars: vars.into_iter().map(|(n, t)| (n.to_string(), t)).collect(),
            indices: vec![],
            closures: vec![],
            loops: 0,
            folds: 0,
            fresh: 0,
            fuel,
            features: BTreeSet::new(),
            loses: false,
        }
    }

    /// A kernel called `name` with a result of a random type.
    pub fn program(mut self, name: &str) -> Program {
        let result = match self.rng.below(12) {
            0..=3 => Ty::F64,
            4..=6 => Ty::Array(vec![self.size()]),
            7 => Ty::Array(vec![self.size(), self.size()]),
            8 => Ty::Array(vec![self.size(), self.size(), self.size()]),
            9 => Ty::Tuple(vec![Ty::F64, Ty::Array(vec![self.size()])]),
            10 => Ty::Tuple(vec![Ty::Array(vec![self.size()]), Ty::Array(vec![self.size(), self.size()])]),
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
        let body = self.term(&result, 5);
        let source = format!("fn {name}({PARAMS}) -> {} {{ {body} }}", result.written());
        Program { source, result, features: self.features, loses: self.loses }
    }

    fn note(&mut self, feature: &'static str) {
        debug_assert!(FEATURES.contains(&feature) || PAIRS.contains(&feature), "{feature}");
        self.features.insert(feature);
    }

    fn size(&mut self) -> Size {
        let size = *self.rng.pick(&SIZES);
        // An array without elements is worth one look.
        let size = if size == "0" && !self.rng.one_in(3) { "n" } else { size };
        self.note(match size {
            "0" => "size 0",
            "1" => "size 1",
            "3" => "size 3",
            "p" => "parameter as a size",
            "n + 1" => "computed size",
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

    /// An index that is surely below `size`, if there is one.
    fn index(&mut self, size: Size) -> Option<String> {
        let fitting: Vec<String> = self.indices.iter().filter(|(_, s)| fits(s, size)).map(|(i, _)| i.clone()).collect();
        let inside = self.indices.iter().any(|(_, s)| *s == size) || never_empty(size);
        if !fitting.is_empty() && !self.rng.one_in(12) {
            let i = self.rng.pick(&fitting).clone();
            let n = paren(size);
            let (form, random) = match self.rng.below(18) {
                0..=9 => (i, false),
                10 | 11 => (format!("{size} - 1 - {i}"), true),
                12 => (format!("({i} + 1) % {n}"), true),
                13 => (format!("{i} / 2"), true),
                14 => (format!("{i}.min(1)"), true),
                15 => (format!("({i} + 1).min({size} - 1)"), true),
                16 => {
                    let ints: Vec<_> = self
                        .vars
                        .iter()
                        .filter_map(|(x, t)| if let Ty::Ints(s) = t { Some((x.clone(), *s)) } else { None })
                        .collect();
                    let (x, s) = self.rng.pick(&ints).clone();
                    let at = self.indices.iter().rev().find(|(_, o)| fits(o, s)).map(|(j, _)| j.clone());
                    match at {
                        Some(j) => {
                            self.note("gather");
                            (format!("{x}[{j}] % {n}"), true)
                        }
                        None => (i, false),
                    }
                }
                _ => (format!("{i}.max({size} - 1 - {i})"), true),
            };
            if random {
                self.note("random position");
            }
            return Some(form);
        }
        if inside {
            let numbers: Vec<String> = self
                .vars
                .iter()
                .filter(|(_, t)| *t == Ty::Usize)
                .map(|(x, _)| x.clone())
                .chain(self.indices.iter().map(|(i, _)| i.clone()))
                .collect();
            if !numbers.is_empty() && self.rng.one_in(2) {
                self.note("random position");
                return Some(format!("({} * 2 + 1) % {}", self.rng.pick(&numbers), paren(size)));
            }
        }
        match size {
            "3" => Some(self.rng.below(3).to_string()),
            _ if never_empty(size) => Some("0".into()),
            _ => None,
        }
    }

    /// An index below the bound of the innermost loop.
    fn surely(&mut self, size: Size) -> String {
        let own = self.indices.last().map_or("0".to_string(), |(i, _)| i.clone());
        self.index(size).unwrap_or(own)
    }

    /// An element of an array; behind a condition where the array may be empty.
    fn element(&mut self, x: &str, dims: &[Size]) -> String {
        let (mut text, mut empty) = (x.to_string(), vec![]);
        for d in dims {
            let i = match self.index(d) {
                Some(i) => i,
                None if *d == "0" => return "0.5".into(),
                None => {
                    empty.push(format!("{} > 0", paren(d)));
                    if self.rng.one_in(2) { "0".into() } else { format!("{d} - 1") }
                }
            };
            text += &format!("[{i}]");
        }
        if empty.is_empty() {
            return text;
        }
        if empty.len() > 1 {
            self.note("and, or");
        }
        format!("(if {} {{ {text} }} else {{ 0.5 }})", empty.join(" && "))
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
            _ => {
                // The arrays made last are the more interesting ones.
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
        }
    }

    fn natural(&mut self) -> String {
        let i = self.indices.last().map_or("k".to_string(), |(i, _)| i.clone());
        match self.rng.below(4) {
            0 => format!("({i} * 2 + 1) % 5"),
            1 => format!("({i} / 2).max(1)"),
            2 => format!("({i} + p).min(n)"),
            _ => format!("{i} + 1"),
        }
    }

    /// `{ let x = …; … }` around a term of any type.
    fn with_let(&mut self, depth: usize, body: impl FnOnce(&mut Self) -> String) -> String {
        let ty = match self.rng.below(13) {
            0 => Ty::F64,
            1..=4 => Ty::Array(vec![self.size()]),
            5 => Ty::Array(vec![self.size(), self.size()]),
            6 => Ty::Tuple(vec![Ty::F64, Ty::Array(vec![self.size()])]),
            7 => Ty::Tuple(vec![
                Ty::Array(vec![self.size()]),
                Ty::Tuple(vec![Ty::F64, Ty::Array(vec![self.size(), self.size()])]),
            ]),
            8 => Ty::Usize,
            9 => Ty::Bool,
            10 => Ty::Ints(self.size()),
            _ => return self.with_closure(depth, body),
        };
        match &ty {
            Ty::Usize => self.note("usize let"),
            Ty::Bool => self.note("bool let"),
            _ => {}
        }
        let value = self.term(&ty, depth);
        self.bound(ty, value, body)
    }

    /// `{ let x = value; body }`, taken apart if it is a tuple.
    fn bound(&mut self, ty: Ty, value: String, body: impl FnOnce(&mut Self) -> String) -> String {
        self.scoped(|g| {
            let pattern = g.pattern(&ty);
            let body = match &ty {
                Ty::Array(dims) if dims.len() == 1 && g.rng.one_in(3) => g.shared(&pattern, dims[0], body),
                _ => body(g),
            };
            format!("({{ let {pattern} = {value}; {body} }})")
        })
    }

    /// Two more consumers of an array before the term itself: a loop in order and one at other places.
    fn shared(&mut self, x: &str, size: Size, body: impl FnOnce(&mut Self) -> String) -> String {
        self.note("shared array");
        let (i, e) = self.looped(size, |g| g.leaf());
        let (j, at) = self.looped(size, |g| g.surely(size));
        let y = self.name("x");
        let consumers = format!("let {y} = sum({size}, |{i}| {x}[{i}] * {e}) - sum({size}, |{j}| {x}[{at}]);");
        self.vars.push((y, Ty::F64));
        format!("({{ {consumers} {} }})", body(self))
    }

    fn pattern(&mut self, ty: &Ty) -> String {
        match ty {
            Ty::Tuple(ts) => format!("({})", ts.iter().map(|t| self.pattern(t)).collect::<Vec<_>>().join(", ")),
            t => {
                let x = self.name(if *t == Ty::Usize { "q" } else { "x" });
                self.vars.push((x.clone(), t.clone()));
                x
            }
        }
    }

    fn with_closure(&mut self, depth: usize, body: impl FnOnce(&mut Self) -> String) -> String {
        let (f, count) = (self.name("g"), 1 + self.rng.below(3));
        self.note(if count > 1 { "closure of several" } else { "closure" });
        let (params, inner) = self.lambda(count, depth.min(2), true);
        self.scoped(|g| {
            g.closures.push((f.clone(), count));
            let body = body(g);
            format!("({{ let {f} = |{params}| {inner}; {body} }})")
        })
    }

    /// A function of numbers: its parameters and its body.
    fn lambda(&mut self, count: usize, depth: usize, typed: bool) -> (String, String) {
        self.scoped(|g| {
            let names: Vec<String> = (0..count).map(|_| g.name("y")).collect();
            g.vars.extend(names.iter().map(|y| (y.clone(), Ty::F64)));
            let inner = g.scalar(depth);
            let last = &names[count - 1];
            let params: Vec<String> =
                names.iter().map(|y| if typed { format!("{y}: f64") } else { y.clone() }).collect();
            (params.join(", "), format!("{inner} + {last} * 0.5"))
        })
    }

    fn condition(&mut self, depth: usize) -> String {
        let flags: Vec<String> = self.vars.iter().filter(|(_, t)| *t == Ty::Bool).map(|(x, _)| x.clone()).collect();
        let simple = match self.rng.below(6) {
            0 => format!("n > {}", self.rng.below(4)),
            1 if !self.indices.is_empty() => format!("{} % 2 == 0", self.indices[self.rng.below(self.indices.len())].0),
            2 => "yes".into(),
            3 if !flags.is_empty() => self.rng.pick(&flags).clone(),
            // The second operand may only be looked at where the first is true.
            4 if self.indices.iter().any(|(_, s)| *s == "n") => {
                let i = self.indices.iter().rev().find(|(_, s)| *s == "n").map_or("", |(i, _)| i).to_string();
                self.note("and, or");
                return format!("({i} > 0 && a[{i} - 1] < b[{i}])");
            }
            _ => format!("{} < {}", self.scalar(depth.min(1)), self.scalar(0)),
        };
        if depth > 0 && self.rng.one_in(4) {
            self.note("and, or");
            let other = self.condition(0);
            return match self.rng.below(3) {
                0 => format!("({simple} && {other})"),
                1 => format!("({simple} || {other})"),
                _ => format!("!({simple} || {other})"),
            };
        }
        format!("({simple})")
    }

    fn scalar(&mut self, depth: usize) -> String {
        self.fuel -= 1;
        if depth == 0 || self.fuel <= 0 {
            return self.leaf();
        }
        let d = depth - 1;
        match self.rng.below(25) {
            0..=2 => {
                let op = *self.rng.pick(&["+", "-", "*", "/"]);
                format!("({} {op} {})", self.scalar(d), self.scalar(d))
            }
            3 => {
                self.note("identity");
                let form = *self.rng.pick(&["+ 0.0", "* 0.0", "* 0.0 + 0.0", "* 1.0", "- 0.0", "/ 1.0", "+ -0.0"]);
                format!("({} {form})", self.leaf())
            }
            4 => match self.rng.below(8) {
                0 => format!("({}).min({})", self.scalar(d), self.leaf()),
                1 => format!("({}).max({})", self.scalar(d), self.leaf()),
                2 => format!("({}).powi(2)", self.scalar(d)),
                k => format!("({}).{}()", self.scalar(d), ["sqrt", "abs", "sin", "exp", "floor"][k - 3]),
            },
            5..=7 => {
                let size = self.size();
                let (i, body) = self.looped(size, |g| g.scalar(d));
                if body.contains("sum(") || body.contains("ifold(") {
                    self.note("nested fold");
                }
                format!("sum({size}, |{i}| {body})")
            }
            8 => self.fold(&Ty::F64, d),
            9 if !self.indices.is_empty() => {
                self.note("count of an outer index");
                let (i, size) = self.indices[self.indices.len() - 1].clone();
                if self.rng.one_in(2) {
                    let (j, body) = self.looped(size, |g| g.scalar(d));
                    return format!("sum({i} + 1, |{j}| {body})");
                }
                let acc = self.name("s");
                let init = self.leaf();
                let (j, body) = self.looped(size, |g| {
                    g.vars.push((acc.clone(), Ty::F64));
                    g.scalar(d)
                });
                format!("ifold({i}, {init}, |{acc}, {j}| {acc} * 0.5 + {body})")
            }
            10 | 11 => {
                self.note("branch of numbers");
                format!("(if {} {{ {} }} else {{ {} }})", self.condition(d), self.scalar(d), self.scalar(d))
            }
            12..=15 => self.with_let(d, |g| g.scalar(d)),
            16 => self.pair_of_terms(d),
            17 => {
                self.note("call");
                let size = self.size();
                format!("dot(&{}, &{})", self.array(&[size], d), self.array(&[size], d))
            }
            18 => {
                self.note("call");
                format!("curve({}, {})", self.scalar(d), self.scalar(d))
            }
            19 => {
                self.note("call of higher order");
                let size = self.size();
                let a = self.array(&[size], d);
                let (params, body) = self.lambda(2, d.min(1), false);
                format!("reduce(&{a}, {}, |{params}| {body})", self.leaf())
            }
            20 => {
                self.note("call not inlined");
                let size = self.size();
                format!("large_number(&{}, {})", self.array(&[size], d), self.rng.pick(&["p", "2", "n"]))
            }
            21 => {
                let size = self.size();
                let Some(index) = self.index(size) else { return self.leaf() };
                format!("({})[{index}]", self.array(&[size], d))
            }
            22 => self.invariant(d),
            _ => match self.closures.is_empty() {
                false => {
                    let (f, count) = self.rng.pick(&self.closures).clone();
                    let args: Vec<String> = (0..count).map(|k| self.scalar(if k == 0 { d } else { 0 })).collect();
                    format!("{f}({})", args.join(", "))
                }
                true => format!("({} + {})", self.leaf(), self.scalar(d)),
            },
        }
    }

    /// A term twice, or two folds over the same range: what can be shared.
    fn pair_of_terms(&mut self, d: usize) -> String {
        if self.rng.one_in(3) {
            // Equal but for the index.
            self.note("equal terms");
            let arrays: Vec<_> = self.arrays().into_iter().filter(|(_, d)| d.len() == 1).collect();
            let (x, dims) = self.rng.pick(&arrays).clone();
            let (i, j, size) = (self.name("i"), self.name("i"), dims[0]);
            return format!("sum({size}, |{i}| sum({size}, |{j}| ({x}[{i}] - {x}[{j}]) * {x}[{i}]))");
        }
        if self.rng.one_in(2) {
            self.note("equal terms");
            let e = self.scalar(d);
            // Under a condition too: there it may not be computed for both.
            return match self.rng.below(3) {
                0 => format!("({e} * {e})"),
                1 => format!("(if {} {{ {e} }} else {{ {e} + {} }})", self.condition(0), self.leaf()),
                _ => format!("({e} + (if {} {{ {e} }} else {{ 0.25 }}))", self.condition(0)),
            };
        }
        self.note("independent folds");
        let size = self.size();
        let (i, first) = self.looped(size, |g| g.scalar(d.min(2)));
        let (j, second) = self.looped(size, |g| g.scalar(d.min(2)));
        let (x, y) = (self.name("x"), self.name("x"));
        // The second one may need the first: then they are not independent after all.
        let second = if self.rng.one_in(3) { format!("{second} + {x}") } else { second };
        let fold = if self.rng.one_in(2) {
            format!("ifold({size}, 0.5, |{y}, {j}| {y} * 0.5 + {second})")
        } else {
            format!("sum({size}, |{j}| {second})")
        };
        format!("({{ let {x} = sum({size}, |{i}| {first}); let {y} = {fold}; {x} - {y} }})")
    }

    /// An array inside a loop that does not depend on its index, read at random so that it is stored.
    fn invariant(&mut self, d: usize) -> String {
        self.note("invariant array");
        let (outer, inner) = (self.size(), self.size());
        let indices = std::mem::take(&mut self.indices);
        let (j, e) = self.looped(inner, |g| g.scalar(d.min(1)));
        self.indices = indices;
        let x = self.name("x");
        let (i, body) = self.looped(outer, |g| {
            let (h, use_) = g.looped(inner, |g| {
                let at = g.surely(inner);
                format!("{x}[{at}] * {}", g.leaf())
            });
            format!("{{ let {x} = build({inner}, |{j}| ({e}).exp()); sum({inner}, |{h}| {use_}) + {} }}", g.leaf())
        });
        format!("sum({outer}, |{i}| {body})")
    }

    /// `ifold` over a state of any type.
    fn fold(&mut self, ty: &Ty, d: usize) -> String {
        if self.folds > 0 {
            self.note("nested fold");
        }
        if self.loops > 0 {
            self.note("fold in a build");
        }
        let dependent = self.indices.last().filter(|_| self.rng.one_in(4)).cloned();
        let (count, bound) = match dependent {
            Some((i, size)) => {
                self.note("count of an outer index");
                (i, size)
            }
            None => {
                let size = *self.rng.pick(&["n", "2", "k", "p", "3"]);
                (size.to_string(), size)
            }
        };
        let init = self.term(ty, d.min(2));
        self.folds += 1;
        let mut pattern = String::new();
        let (i, body) = self.looped(bound, |g| {
            pattern = g.pattern(ty);
            let state = g.vars.clone();
            g.step(ty, &pattern.clone(), d, &state)
        });
        self.folds -= 1;
        format!("ifold({count}, {init}, |{pattern}, {i}| {body})")
    }

    /// The next state of a fold: out of `pattern`'s variables, mostly getting smaller.
    fn step(&mut self, ty: &Ty, pattern: &str, d: usize, state: &[(String, Ty)]) -> String {
        match ty {
            Ty::F64 => format!("{pattern} * 0.5 + {}", self.scalar(d)),
            Ty::Array(dims) => {
                let pointwise = self.rng.one_in(2);
                self.note(if pointwise { "fold pointwise" } else { "fold not pointwise" });
                if d > 1 && self.rng.one_in(6) {
                    return self.array(dims, d);
                }
                self.loops += 1;
                let body = self.scoped(|g| {
                    let names: Vec<String> = dims.iter().map(|_| g.name("j")).collect();
                    g.indices.extend(names.iter().cloned().zip(dims.iter().copied()));
                    let own: String = names.iter().map(|j| format!("[{j}]")).collect();
                    if pointwise {
                        // The state itself is out of sight, lest it be read somewhere else.
                        let hidden = g.vars.iter().position(|(x, _)| x == pattern).map(|k| (k, g.vars.remove(k)));
                        let e = g.scalar(d.min(1));
                        if let Some((k, hidden)) = hidden {
                            g.vars.insert(k, hidden);
                        }
                        return format!(
                            "build([{}], |{}| {pattern}{own} * 0.5 + {e})",
                            dims.join(", "),
                            names.join(", ")
                        );
                    }
                    let at = g.element(pattern, dims);
                    let e = g.scalar(d.min(1));
                    format!("build([{}], |{}| {at} * 0.5 + {pattern}{own} + {e})", dims.join(", "), names.join(", "))
                });
                self.loops -= 1;
                body
            }
            Ty::Tuple(ts) => {
                let names: Vec<String> = state[state.len() - leaves(ty)..].iter().map(|(x, _)| x.clone()).collect();
                let (mut at, mut parts) = (0, vec![]);
                for t in ts {
                    let n = leaves(t);
                    parts.push(self.step(t, &names[at], d.min(2), &state[..state.len() - leaves(ty) + at + n]));
                    at += n;
                }
                format!("({})", parts.join(", "))
            }
            t => self.term(t, d),
        }
    }

    fn array(&mut self, dims: &[Size], depth: usize) -> String {
        self.fuel -= 1;
        let rank = dims.len();
        if rank == 3 {
            self.note("rank 3");
        }
        let have: Vec<String> = self.arrays().into_iter().filter(|(_, d)| d == dims).map(|(x, _)| x).collect();
        let rows = self.arrays().iter().any(|(_, e)| e.len() == rank + 1 && e[1..] == *dims);
        if rows && self.rng.one_in(4) {
            return self.row(dims, depth.min(1));
        }
        if (depth == 0 || self.fuel <= 0 || self.rng.one_in(8)) && !have.is_empty() {
            return format!("{}.clone()", self.rng.pick(&have));
        }
        if depth == 0 || self.fuel <= 0 {
            return self.build(dims, 0);
        }
        let d = depth - 1;
        let size = dims[0];
        match self.rng.below(20) {
            0 => {
                self.note("branch of arrays");
                format!("(if {} {{ {} }} else {{ {} }})", self.condition(d), self.array(dims, d), self.array(dims, d))
            }
            1..=3 => self.with_let(d, |g| g.array(dims, d)),
            4 | 5 => self.chain(dims, d),
            6..=8 => self.fold(&Ty::Array(dims.to_vec()), d),
            9 => self.row(dims, d),
            10 => self.sliced(dims, d),
            11..=14 => self.call(dims, d),
            15 if size == "3" || size == "1" => {
                let rest = &dims[1..];
                let n = if size == "3" { 3 } else { 1 };
                let mut one = || if rest.is_empty() { self.scalar(d) } else { self.array(rest, d) };
                let es: Vec<String> = (0..n).map(|_| one()).collect();
                format!("[{}]", es.join(", "))
            }
            16 if rank == 1 => format!("[{}; {size}]", self.scalar(d)),
            17 if rank > 1 => {
                self.note("nested build");
                let (i, body) = self.looped(size, |g| g.array(&dims[1..], d));
                format!("build({size}, |{i}| {body})")
            }
            _ => self.build(dims, d),
        }
    }

    fn build(&mut self, dims: &[Size], d: usize) -> String {
        if self.loops > 0 {
            self.note("nested build");
        }
        self.loops += 1;
        let text = self.scoped(|g| {
            let names: Vec<String> = dims.iter().map(|_| g.name("i")).collect();
            g.indices.extend(names.iter().cloned().zip(dims.iter().copied()));
            let body = g.scalar(d);
            format!("build([{}], |{}| {body})", dims.join(", "), names.join(", "))
        });
        self.loops -= 1;
        text
    }

    /// Arrays out of one another, each dead when the next is there.
    fn chain(&mut self, dims: &[Size], d: usize) -> String {
        self.note("chain of arrays");
        let (mut text, links) = (String::new(), 2 + self.rng.below(2));
        let mut last = self.array(dims, d.min(1));
        self.loops += 1;
        for _ in 0..links {
            let x = self.name("x");
            text += &format!("let {x} = {last}; ");
            last = self.scoped(|g| {
                let names: Vec<String> = dims.iter().map(|_| g.name("i")).collect();
                g.indices.extend(names.iter().cloned().zip(dims.iter().copied()));
                let (one, other, e) = (g.element(&x, dims), g.element(&x, dims), g.leaf());
                let own: String = names.iter().map(|j| format!("[{j}]")).collect();
                format!("build([{}], |{}| {one} - {other}.sin() * {e} + {x}{own})", dims.join(", "), names.join(", "))
            });
        }
        self.loops -= 1;
        format!("({{ {text}{last} }})")
    }

    /// A row of an array of a rank more.
    fn row(&mut self, dims: &[Size], d: usize) -> String {
        let arrays: Vec<_> = self.arrays().into_iter().filter(|(_, e)| e.len() > 1 && e[1..] == *dims).collect();
        if !arrays.is_empty() {
            let (m, e) = self.rng.pick(&arrays).clone();
            if let Some(i) = self.index(e[0]) {
                return format!("{m}[{i}].clone()");
            }
        }
        self.build(dims, d)
    }

    fn sliced(&mut self, dims: &[Size], d: usize) -> String {
        let with = |first: Size| std::iter::once(first).chain(dims[1..].iter().copied()).collect::<Vec<_>>();
        self.note("slice");
        match dims {
            ["n", ..] => {
                let x = self.array(&with("n + 1"), d);
                let range = *self.rng.pick(&["1..", "..n", "1..n + 1", "0..n"]);
                format!("({x})[{range}].to_vec()")
            }
            ["3"] => {
                let from = self.rng.below(3);
                let (x, y) = (self.scalar(d), self.leaf());
                format!("part(&[{x}, {y}, s, 2.0, {x}], {from}, {})", from + 3)
            }
            ["1", ..] => {
                let x = self.array(&with("3"), d);
                let from = self.rng.below(3);
                format!("({x})[{from}..{}].to_vec()", from + 1)
            }
            _ => {
                let x = self.array(dims, d);
                format!("({x})[..{}].to_vec()", dims[0])
            }
        }
    }

    fn call(&mut self, dims: &[Size], d: usize) -> String {
        self.note("call");
        match dims {
            [_] => match self.rng.below(8) {
                0 => format!("add(&{}, &{})", self.array(dims, d), self.array(dims, d)),
                1 => format!("scale(&{}, {})", self.array(dims, d), self.scalar(d)),
                2 | 3 => {
                    self.note("call of higher order");
                    let a = self.array(dims, d);
                    if self.rng.one_in(2) {
                        let (params, body) = self.lambda(1, d.min(2), false);
                        return format!("map(&{a}, |{params}| {body})");
                    }
                    let (params, body) = self.lambda(2, d.min(2), false);
                    format!("zip(&{a}, &{}, |{params}| {body})", self.array(dims, d))
                }
                4 => {
                    self.note("call of higher order");
                    self.loses = true;
                    let inner = self.size();
                    let m = self.array(&[dims[0], inner], d);
                    let row = self.name("x");
                    let (j, e) = self.looped(inner, |g| {
                        g.vars.push((row.clone(), Ty::Array(vec![inner])));
                        g.element(&row, &[inner])
                    });
                    format!("rows(&{m}, |{row}| sum({inner}, |{j}| {e}))")
                }
                5 | 6 => {
                    self.note("call not inlined");
                    format!("large(&{}, {})", self.array(dims, d), self.leaf())
                }
                _ => {
                    self.note("call not inlined");
                    self.note("tuple");
                    self.loses = true;
                    let other = self.size();
                    let (a, m) = (self.array(&[other], d.min(1)), self.array(&[other, dims[0]], d));
                    let (x, y) = (self.name("x"), self.name("x"));
                    format!("({{ let ({x}, {y}) = large_pair(&{a}, &{m}); scale(&{y}, {x}) }})")
                }
            },
            [r, c] => {
                self.loses = true;
                if self.rng.one_in(2) {
                    self.note("transpose");
                    return format!("transpose(&{})", self.array(&[c, r], d));
                }
                let inner = self.size();
                format!("product(&{}, &{})", self.array(&[r, inner], d), self.array(&[inner, c], d.min(1)))
            }
            _ => self.build(dims, d),
        }
    }

    fn tuple(&mut self, ts: &[Ty], depth: usize) -> String {
        self.note(if ts.iter().any(|t| matches!(t, Ty::Tuple(_))) { "nested tuple" } else { "tuple" });
        self.fuel -= 1;
        let d = depth.saturating_sub(1);
        let whole = Ty::Tuple(ts.to_vec());
        match self.rng.below(8) {
            0 if depth > 0 && self.fuel > 0 => {
                self.note("branch of tuples");
                format!("(if {} {{ {} }} else {{ {} }})", self.condition(d), self.tuple(ts, d), self.tuple(ts, d))
            }
            1 | 2 if depth > 0 && self.fuel > 0 => self.fold(&whole, d),
            3 if depth > 0 && self.fuel > 0 => {
                // Taken apart by field.
                let (x, value) = (self.name("t"), self.tuple(ts, d));
                let parts: Vec<String> = (0..ts.len()).map(|k| format!("{x}.{k}.clone()")).collect();
                format!("({{ let {x} = {value}; ({}) }})", parts.join(", "))
            }
            4 if depth > 0 && self.fuel > 0 => self.with_let(d, |g| g.tuple(ts, d)),
            5 if matches!(ts, [Ty::F64, Ty::Array(d)] if d.len() == 1) => {
                self.note("call");
                let Ty::Array(dims) = &ts[1] else { return String::new() };
                format!("mean_and_rest(&{})", self.array(dims, d))
            }
            _ => {
                let parts: Vec<String> = ts.iter().map(|t| self.term(t, d)).collect();
                format!("({})", parts.join(", "))
            }
        }
    }
}

fn leaves(ty: &Ty) -> usize {
    match ty {
        Ty::Tuple(ts) => ts.iter().map(leaves).sum(),
        _ => 1,
    }
}
