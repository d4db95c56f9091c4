//! Terms that are numbers, and folds of any type.

use super::{Gen, Ty, leaves};

impl Gen {
    pub(super) fn scalar(&mut self, depth: usize) -> String {
        self.fuel -= 1;
        if depth == 0 || self.fuel <= 0 {
            return self.leaf();
        }
        let d = depth - 1;
        match self.rng.below(57) {
            0..=2 => {
                let op = *self.rng.pick(&["+", "-", "*", "/"]);
                format!("({} {op} {})", self.scalar(d), self.scalar(d))
            }
            3 | 51 => {
                self.note("identity");
                let form = *self.rng.pick(&["+ 0.0", "* 0.0", "* 0.0 + 0.0", "* 1.0", "- 0.0", "/ 1.0", "+ -0.0"]);
                format!("({} {form})", self.leaf())
            }
            4 => match self.rng.below(7) {
                0 => format!("({}).min({})", self.scalar(d), self.leaf()),
                1 => format!("({}).max({})", self.scalar(d), self.leaf()),
                k => format!("({}).{}()", self.scalar(d), ["sqrt", "abs", "sin", "exp", "floor"][k - 2]),
            },
            53 => {
                self.note("power");
                let known = (*self.rng.pick(&["2", "2", "2", "3", "0", "-1", "-2", "5"])).to_string();
                let exponent = if self.rng.one_in(4) { format!("{} as i32 % 4", self.leaf()) } else { known };
                format!("({}).powi({exponent})", self.scalar(d))
            }
            5..=7 | 49 | 50 => {
                let size = self.size();
                let (count, size) = self.count(&[size]);
                let (i, body) = self.looped(size, |g| g.scalar(d));
                if body.contains("sum(") || body.contains("ifold(") {
                    self.note("nested fold");
                }
                self.reduction(&count, size, &i, &body)
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
            23 | 24 => self.narrow(d),
            25 => self.prefix(d).unwrap_or_else(|| self.leaf()),
            26 => self.prefixes(d).unwrap_or_else(|| self.leaf()),
            27 => self.walk(d),
            28 | 29 => self.guarded(d),
            30..=32 => self.stateful(&Ty::F64, d),
            33 => self.matched(d),
            34 | 35 => self.near(),
            36 | 37 => self.read_table(d),
            38 => self.scanned(d),
            39..=41 => self.read_pairs(d),
            42 => self.reshaped(d),
            43 => self.sliced_build(d),
            44 | 45 => self.called_under_a_condition(d),
            46 | 47 => self.bounded(),
            54..=56 => self.asserted(d),
            48 => {
                let (size, j) = (self.size(), self.name("i"));
                let (array, e) = (self.counted_array(size, d), self.leaf());
                let x = self.name("x");
                format!("({{ let {x} = {array}; sum({size}, |{j}| {x}[{j}] * {e}) }})")
            }
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

    /// A term twice, or two folds over the same range: candidates for sharing.
    pub(super) fn pair_of_terms(&mut self, d: usize) -> String {
        if self.rng.one_in(3) {
            // Equal except for the index.
            self.note("equal terms");
            let arrays: Vec<_> = self.arrays().into_iter().filter(|(_, d)| d.len() == 1).collect();
            let (x, dims) = self.rng.pick(&arrays).clone();
            let (i, j, size) = (self.name("i"), self.name("i"), dims[0]);
            return format!("sum({size}, |{i}| sum({size}, |{j}| ({x}[{i}] - {x}[{j}]) * {x}[{i}]))");
        }
        if self.rng.one_in(2) {
            self.note("equal terms");
            let e = self.scalar(d);
            // One under a condition, which must not be evaluated for both.
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
        // The second fold sometimes needs the first, and is then not independent of it.
        let second = if self.rng.one_in(3) { format!("{second} + {x}") } else { second };
        let fold = if self.rng.one_in(2) {
            format!("ifold({size}, 0.5, |{y}, {j}| {y} * 0.5 + {second})")
        } else {
            format!("sum({size}, |{j}| {second})")
        };
        format!("({{ let {x} = sum({size}, |{i}| {first}); let {y} = {fold}; {x} - {y} }})")
    }

    /// An array inside a loop that does not depend on its index, read at random so that it is stored.
    pub(super) fn invariant(&mut self, d: usize) -> String {
        self.note("invariant array");
        let (outer, inner) = (self.size(), self.size());
        let (count, outer) = self.count(&[outer]);
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
        format!("sum({count}, |{i}| {body})")
    }

    /// `ifold` over a state of any type.
    pub(super) fn fold(&mut self, ty: &Ty, d: usize) -> String {
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
            None => self.count(&["n", "2", "k", "p", "3"]),
        };
        let (outside, steady) = (self.indices.len(), self.rng.one_in(3));
        let init = self.initial(ty, d.min(2), steady);
        self.folds += 1;
        let mut pattern = String::new();
        let (i, body) = self.looped(bound, |g| {
            pattern = g.pattern(ty);
            let (pattern, state) = (pattern.clone(), g.vars.clone());
            let step = |g: &mut Self| g.step(ty, &pattern, d, &state);
            if steady && matches!(ty, Ty::F64 | Ty::Array(_)) {
                return g.with_steady_array(ty, &pattern, outside, step);
            }
            step(g)
        });
        self.folds -= 1;
        format!("ifold({count}, {init}, |{pattern}, {i}| {body})")
    }

    /// The next state of a fold, computed from the variables of `pattern`; its numbers mostly get smaller.
    pub(super) fn step(&mut self, ty: &Ty, pattern: &str, d: usize, state: &[(String, Ty)]) -> String {
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
                        // The state is out of scope, so that no other element of it is read.
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
}
