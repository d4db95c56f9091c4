//! Terms that are arrays or tuples.

use super::{Gen, Size, Ty};

impl Gen {
    pub(super) fn array(&mut self, dims: &[Size], depth: usize) -> String {
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
        if self.rows && matches!(dims, [_, "3"]) && self.rng.one_in(2) {
            return self.built_of_rows(size);
        }
        match self.rng.below(28) {
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
            18 if self.rng.one_in(2) => self.chosen(dims, d),
            18 | 27 => self.turned(dims, d),
            19 => self.named_state(dims, d),
            23 if rank == 1 => self.scan(&Ty::F64, size, d),
            23 | 24 if rank > 1 => self.scan(&Ty::Array(dims[1..].to_vec()), size, d),
            25 if rank == 1 => self.counted_array(size, d),
            26 if rank == 1 => self.siblings(size, d.min(1)),
            20..=22 => self.stateful(&Ty::Array(dims.to_vec()), d),
            _ => self.build(dims, d),
        }
    }

    pub(super) fn build(&mut self, dims: &[Size], d: usize) -> String {
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

    /// Two arrays over one range that need the same term, in numbers or in sums, and one computed from both.
    fn siblings(&mut self, size: Size, d: usize) -> String {
        self.note("sibling arrays");
        let mut second = String::new();
        let (i, first) = self.looped(size, |g| {
            let (e, p, q) = (g.scalar(d), g.leaf(), g.leaf());
            if g.rng.one_in(2) {
                second = format!("({e}).sin() - {q}");
                return format!("{p} * ({e}).sin()");
            }
            let (j, f) = g.looped("k", |g| g.leaf());
            second = format!("sum(k, |{j}| ({e} - {f}).cos() - {q})");
            format!("sum(k, |{j}| {p} * ({e} - {f}).sin())")
        });
        let (x, y) = (self.name("x"), self.name("x"));
        let (j, element) = self.looped(size, |g| {
            let (a, b) = (g.surely(size), g.surely(size));
            format!("{x}[{a}] - {y}[{b}]")
        });
        let element = format!("{x}[{j}] * {y}[{j}] + {element}");
        format!(
            "({{ let {x} = build({size}, |{i}| {first}); let {y} = build({size}, |{i}| {second}); \
             build({size}, |{j}| {element}) }})"
        )
    }

    /// A chain of arrays: each dies when the next is computed from it.
    pub(super) fn chain(&mut self, dims: &[Size], d: usize) -> String {
        self.note("chain of arrays");
        let (mut text, links) = (String::new(), 2 + self.rng.below(2));
        let mut last = self.array(dims, d.min(1));
        self.loops += 1;
        for _ in 0..links {
            let x = self.name("x");
            text += &format!("let {x} = {last}; ");
            last = self.mapped(&x, dims);
        }
        self.loops -= 1;
        format!("({{ {text}{last} }})")
    }

    /// An array computed from `x`, whose element at each index is one of the operands.
    fn mapped(&mut self, x: &str, dims: &[Size]) -> String {
        self.scoped(|g| {
            let names: Vec<String> = dims.iter().map(|_| g.name("i")).collect();
            g.indices.extend(names.iter().cloned().zip(dims.iter().copied()));
            let own = names.iter().fold(x.to_string(), |x, j| format!("{x}[{j}]"));
            let one = if g.rng.one_in(2) { own.clone() } else { g.element(x, dims) };
            let (other, e) = (g.element(x, dims), g.leaf());
            format!("build([{}], |{}| {one} - {other}.sin() * {e} + {own})", dims.join(", "), names.join(", "))
        })
    }

    /// A `let` that selects one of two arrays, and an array computed from it.
    fn chosen(&mut self, dims: &[Size], d: usize) -> String {
        self.note("chosen array");
        let x = self.name("x");
        let (c, a, b) = (self.condition(d), self.array(dims, d.min(1)), self.array(dims, d.min(1)));
        format!("({{ let {x} = if {c} {{ {a} }} else {{ {b} }}; {} }})", self.mapped(&x, dims))
    }

    /// A fold whose step gives its next state a name, and reads it again.
    fn named_state(&mut self, dims: &[Size], d: usize) -> String {
        self.note("next state with a name");
        let init = self.initial(&Ty::Array(dims.to_vec()), d.min(1), false);
        let [s, t, q, i] = ["s", "t", "q", "i"].map(|x| self.name(x));
        self.loops += 1;
        let (next, again) = (self.mapped(&s, dims), self.element(&q, dims));
        self.loops -= 1;
        let (count, _) = self.count(&["n", "2", "k", "3"]);
        let step = format!("let {q} = {next}; ({q}.clone(), {t} + {again})");
        format!("({{ let ({s}, _) = ifold({count}, ({init}, 0.0), |({s}, {t}), {i}| {{ {step} }}); {s} }})")
    }

    /// A row of an array of the next higher rank.
    pub(super) fn row(&mut self, dims: &[Size], d: usize) -> String {
        let arrays: Vec<_> = self.arrays().into_iter().filter(|(_, e)| e.len() > 1 && e[1..] == *dims).collect();
        if !arrays.is_empty() {
            let (m, e) = self.rng.pick(&arrays).clone();
            if let Some(i) = self.index(e[0]) {
                return format!("{m}[{i}].clone()");
            }
        }
        self.build(dims, d)
    }

    pub(super) fn sliced(&mut self, dims: &[Size], d: usize) -> String {
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

    pub(super) fn call(&mut self, dims: &[Size], d: usize) -> String {
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

    pub(super) fn tuple(&mut self, ts: &[Ty], depth: usize) -> String {
        self.note(if ts.iter().any(|t| matches!(t, Ty::Tuple(_))) { "nested tuple" } else { "tuple" });
        self.fuel -= 1;
        let d = depth.saturating_sub(1);
        let whole = Ty::Tuple(ts.to_vec());
        match self.rng.below(9) {
            0 if depth > 0 && self.fuel > 0 => {
                self.note("branch of tuples");
                format!("(if {} {{ {} }} else {{ {} }})", self.condition(d), self.tuple(ts, d), self.tuple(ts, d))
            }
            1 | 2 if depth > 0 && self.fuel > 0 => self.fold(&whole, d),
            3 if depth > 0 && self.fuel > 0 => {
                // Destructured by field.
                let (x, value) = (self.name("t"), self.tuple(ts, d));
                let parts: Vec<String> = (0..ts.len()).map(|k| format!("{x}.{k}.clone()")).collect();
                format!("({{ let {x} = {value}; ({}) }})", parts.join(", "))
            }
            4 if depth > 0 && self.fuel > 0 => self.with_let(d, |g| g.tuple(ts, d)),
            8 if depth > 0 && self.fuel > 0 => self.stateful(&whole, d),
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
