//! Random well-typed programs of the language, as source text.
//!
//! Sizes are `n`, `k` (symbolic), `3` and `p` (a `usize` parameter). Indices are mostly in range by
//! construction: a loop index of that size, a constant, or a remainder.

/// A small generator of numbers: xorshift.
pub struct Rng(pub u64);

impl Rng {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 11) as usize % n
    }
    fn pick<'a, T>(&mut self, xs: &'a [T]) -> &'a T {
        &xs[self.below(xs.len())]
    }
}

const SIZES: [&str; 4] = ["n", "k", "3", "p"];

#[derive(Clone)]
enum Ty {
    F64,
    Vec(&'static str),
    Mat(&'static str, &'static str),
    Pair(&'static str),
}

/// Writes one program.
pub struct Gen {
    rng: Rng,
    /// Names in scope with their types.
    vars: Vec<(String, Ty)>,
    /// Loop indices in scope with the sizes that bound them.
    indices: Vec<(String, &'static str)>,
    /// Closures of one number in scope.
    closures: Vec<String>,
    fresh: usize,
}

/// Kernels that programs may call.
pub const LIBRARY: &str = "
#[smooth] fn map(a: &[f64; n], f: impl Fn(f64) -> f64) -> [f64; n] { build(n, |i| f(a[i])) }
#[smooth] fn add(a: &[f64; n], b: &[f64; n]) -> [f64; n] { build(n, |i| a[i] + b[i]) }
#[smooth] fn scale(a: &[f64; n], s: f64) -> [f64; n] { map(a, |x| x * s) }
#[smooth] fn dot(a: &[f64; n], b: &[f64; n]) -> f64 { sum(n, |i| a[i] * b[i]) }
#[smooth] fn transpose(m: &[[f64; k]; n]) -> [[f64; n]; k] { build([k, n], |i, j| m[j][i]) }
#[smooth] fn part(a: &[f64; n], s: usize, e: usize) -> [f64; e - s] { build(e - s, |i| a[s + i]) }
";

impl Gen {
    pub fn new(seed: u64) -> Gen {
        let vars = [
            ("a", Ty::Vec("n")),
            ("b", Ty::Vec("n")),
            ("c", Ty::Vec("k")),
            ("v", Ty::Vec("3")),
            ("m", Ty::Mat("n", "k")),
            ("w", Ty::Mat("k", "3")),
            ("s", Ty::F64),
        ];
        Gen {
            rng: Rng(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1),
            vars: vars.into_iter().map(|(n, t)| (n.to_string(), t)).collect(),
            indices: vec![],
            closures: vec![],
            fresh: 0,
        }
    }

    /// A kernel called `f` with a result of a random type.
    pub fn kernel(mut self) -> String {
        let (ret, body) = match self.rng.below(5) {
            0 => ("f64".to_string(), self.scalar(4)),
            1 => {
                let size = *self.rng.pick(&SIZES);
                (format!("[f64; {size}]"), self.vector(size, 4))
            }
            2 => {
                let (r, c) = (*self.rng.pick(&SIZES), *self.rng.pick(&SIZES));
                (format!("[[f64; {c}]; {r}]"), self.matrix(r, c, 3))
            }
            3 => {
                let size = *self.rng.pick(&SIZES);
                (format!("(f64, [f64; {size}])"), format!("({}, {})", self.scalar(3), self.vector(size, 3)))
            }
            _ => {
                let size = *self.rng.pick(&SIZES);
                (format!("(f64, [f64; {size}])"), self.pair(size, 3))
            }
        };
        format!(
            "#[smooth] fn f(a: &[f64; n], b: &[f64; n], c: &[f64; k], v: &[f64; 3], m: &[[f64; k]; n], w: &[[f64; 3]; k], s: f64, p: usize) -> {ret} {{ {body} }}"
        )
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

    fn looped(&mut self, size: &'static str, f: impl FnOnce(&mut Self) -> String) -> (String, String) {
        let i = self.name("i");
        let body = self.scoped(|g| {
            g.indices.push((i.clone(), size));
            f(g)
        });
        (i, body)
    }

    fn index(&mut self, size: &'static str) -> String {
        let fitting: Vec<String> = self.indices.iter().filter(|(_, s)| *s == size).map(|(i, _)| i.clone()).collect();
        if !fitting.is_empty() && self.rng.below(8) > 0 {
            let i = self.rng.pick(&fitting).clone();
            return if self.rng.below(5) == 0 { format!("{size} - 1 - {i}") } else { i };
        }
        if let Some((i, _)) = self.indices.last().filter(|_| self.rng.below(2) == 0) {
            return format!("({i} * 2 + 1) % {size}");
        }
        if size == "3" { self.rng.below(3).to_string() } else { "0".to_string() }
    }

    /// `{ let x = …; … }` around an expression of any type.
    fn with_let(&mut self, depth: usize, body: impl FnOnce(&mut Self) -> String) -> String {
        let x = self.name("x");
        let size = *self.rng.pick(&SIZES);
        let (ty, value) = match self.rng.below(6) {
            0 => (Ty::F64, self.scalar(depth)),
            1 | 2 => (Ty::Vec(size), self.vector(size, depth)),
            3 => {
                let c = *self.rng.pick(&SIZES);
                (Ty::Mat(size, c), self.matrix(size, c, depth.min(2)))
            }
            4 => (Ty::Pair(size), self.pair(size, depth)),
            _ => {
                let f = self.name("g");
                let y = self.name("y");
                let inner = self.scoped(|g| {
                    g.vars.push((y.clone(), Ty::F64));
                    g.scalar(depth.min(2))
                });
                return self.scoped(|g| {
                    g.closures.push(f.clone());
                    let body = body(g);
                    format!("{{ let {f} = |{y}: f64| {inner}; {body} }}")
                });
            }
        };
        self.scoped(|g| {
            if let Ty::Pair(size) = ty {
                let y = g.name("x");
                g.vars.push((x.clone(), Ty::F64));
                g.vars.push((y.clone(), Ty::Vec(size)));
                let body = body(g);
                return format!("{{ let ({x}, {y}) = {value}; {body} }}");
            }
            g.vars.push((x.clone(), ty));
            let body = body(g);
            format!("{{ let {x} = {value}; {body} }}")
        })
    }

    fn condition(&mut self, depth: usize) -> String {
        match self.rng.below(3) {
            0 => format!("n > {}", self.rng.below(4)),
            1 if !self.indices.is_empty() => format!("{} % 2 == 0", self.indices[self.rng.below(self.indices.len())].0),
            _ => format!("{} < {}", self.scalar(depth.saturating_sub(2)), self.scalar(0)),
        }
    }

    fn scalar(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.leaf();
        }
        let d = depth - 1;
        match self.rng.below(13) {
            0..=2 => {
                let op = *self.rng.pick(&["+", "-", "*", "/"]);
                format!("({} {op} {})", self.scalar(d), self.scalar(d))
            }
            3 => format!("({}).{}()", self.scalar(d), self.rng.pick(&["sqrt", "abs", "sin", "exp", "floor"])),
            4 | 5 => {
                let size = *self.rng.pick(&SIZES);
                let (i, body) = self.looped(size, |g| g.scalar(d));
                format!("sum({size}, |{i}| {body})")
            }
            6 => {
                let (size, acc) = (*self.rng.pick(&SIZES), self.name("s"));
                let init = self.scalar(d.min(1));
                let (i, body) = self.looped(size, |g| {
                    g.vars.push((acc.clone(), Ty::F64));
                    let body = g.scalar(d);
                    format!("{acc} * 0.5 + {body}")
                });
                format!("ifold({size}, {init}, |{acc}, {i}| {body})")
            }
            7 => format!("(if {} {{ {} }} else {{ {} }})", self.condition(d), self.scalar(d), self.scalar(d)),
            8 | 9 => self.with_let(d, |g| g.scalar(d)),
            10 => {
                let size = *self.rng.pick(&SIZES);
                format!("dot(&{}, &{})", self.vector(size, d), self.vector(size, d))
            }
            11 => {
                let size = *self.rng.pick(&SIZES);
                let index = self.index(size);
                format!("({})[{index}]", self.vector(size, d))
            }
            _ => match self.closures.last().cloned() {
                Some(f) => format!("{f}({})", self.scalar(d)),
                None => format!("(({}) as f64 + {})", self.index("n"), self.scalar(d)),
            },
        }
    }

    fn leaf(&mut self) -> String {
        match self.rng.below(4) {
            0 => format!("{:.1}", self.rng.below(40) as f64 / 10.0 - 1.5).replace("-", "0.1 - "),
            1 => self.rng.pick(&["(n as f64)", "s", "(k as f64 * 0.5)"]).to_string(),
            _ => {
                let (name, ty) = self.vars[self.rng.below(self.vars.len())].clone();
                match ty {
                    Ty::F64 => name,
                    Ty::Vec(s) | Ty::Pair(s) => format!("{name}[{}]", self.index(s)),
                    Ty::Mat(r, c) => format!("{name}[{}][{}]", self.index(r), self.index(c)),
                }
            }
        }
    }

    fn vector(&mut self, size: &'static str, depth: usize) -> String {
        let have: Vec<String> = self
            .vars
            .iter()
            .filter(|(_, t)| matches!(t, Ty::Vec(s) if *s == size))
            .map(|(n, _)| format!("{n}.clone()"))
            .collect();
        let rows: Vec<(String, &'static str)> = self
            .vars
            .iter()
            .filter_map(|(n, t)| if let Ty::Mat(r, c) = t { (*c == size).then(|| (n.clone(), *r)) } else { None })
            .collect();
        if (depth == 0 || self.rng.below(6) == 0) && !have.is_empty() {
            return self.rng.pick(&have).clone();
        }
        let d = depth.saturating_sub(1);
        match self.rng.below(11) {
            0 if depth > 0 => {
                format!("(if {} {{ {} }} else {{ {} }})", self.condition(d), self.vector(size, d), self.vector(size, d))
            }
            1 | 2 if depth > 0 => self.with_let(d, |g| g.vector(size, d)),
            3 if depth > 0 => format!("add(&{}, &{})", self.vector(size, d), self.vector(size, d)),
            4 if depth > 0 => format!("scale(&{}, {})", self.vector(size, d), self.scalar(d)),
            5 if depth > 0 => {
                let (acc, count) = (self.name("s"), *self.rng.pick(&["n", "2", "k", "p"]));
                let init = self.vector(size, d);
                let (i, body) = self.looped(count, |g| {
                    g.vars.push((acc.clone(), Ty::Vec(size)));
                    let (j, e) = g.looped(size, |g| g.scalar(d.min(2)));
                    format!("build({size}, |{j}| {acc}[{j}] * 0.5 + {e})")
                });
                format!("ifold({count}, {init}, |{acc}, {i}| {body})")
            }
            6 if !rows.is_empty() => {
                let (m, r) = self.rng.pick(&rows).clone();
                format!("{m}[{}].clone()", self.index(r))
            }
            7 if size == "3" => format!("[{}, {}, {}]", self.scalar(d), self.scalar(d), self.scalar(d)),
            8 if size == "3" && depth > 0 => {
                let from = self.rng.below(2);
                format!(
                    "part(&[{}, {}, {}, {}, 0.5], {from}, {})",
                    self.scalar(d),
                    self.scalar(0),
                    self.leaf(),
                    self.scalar(d),
                    from + 3
                )
            }
            9 if size == "3" && depth > 0 => format!(
                "{{ let y = [{}, {}, {}, 2.0]; y[1..4].to_vec() }}",
                self.scalar(d),
                self.scalar(0),
                self.leaf()
            ),
            _ => {
                let (i, body) = self.looped(size, |g| g.scalar(d));
                format!("build({size}, |{i}| {body})")
            }
        }
    }

    fn matrix(&mut self, r: &'static str, c: &'static str, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        match self.rng.below(5) {
            0 if depth > 0 => format!("transpose(&{})", self.matrix(c, r, d)),
            1 if depth > 0 => self.with_let(d, |g| g.matrix(r, c, d)),
            2 => {
                let (i, body) = self.looped(r, |g| g.vector(c, d));
                format!("build({r}, |{i}| {body})")
            }
            _ => {
                let (i, j) = (self.name("i"), self.name("j"));
                let body = self.scoped(|g| {
                    g.indices.push((i.clone(), r));
                    g.indices.push((j.clone(), c));
                    g.scalar(d)
                });
                format!("build([{r}, {c}], |{i}, {j}| {body})")
            }
        }
    }

    fn pair(&mut self, size: &'static str, depth: usize) -> String {
        let d = depth.saturating_sub(1);
        match self.rng.below(3) {
            0 if depth > 0 => {
                let (x, y) = (self.name("s"), self.name("s"));
                let (init, count) = (
                    format!("({}, {})", self.scalar(d.min(1)), self.vector(size, d)),
                    *self.rng.pick(&["n", "2", "p"]),
                );
                let (i, body) = self.looped(count, |g| {
                    g.vars.push((x.clone(), Ty::F64));
                    g.vars.push((y.clone(), Ty::Vec(size)));
                    let (j, e) = g.looped(size, |g| g.scalar(d.min(2)));
                    let s = g.scalar(d.min(2));
                    format!("({x} * 0.5 + {s}, build({size}, |{j}| {y}[{j}] * 0.5 + {e}))")
                });
                format!("ifold({count}, {init}, |({x}, {y}), {i}| {body})")
            }
            1 if depth > 0 => {
                format!("(if {} {{ {} }} else {{ {} }})", self.condition(d), self.pair(size, d), self.pair(size, d))
            }
            _ => format!("({}, {})", self.scalar(d), self.vector(size, d)),
        }
    }
}
