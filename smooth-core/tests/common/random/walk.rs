//! Folds that walk: a number in their state is an index of arrays.

use super::Gen;
use super::indices::{never_empty, paren};

impl Gen {
    /// A number that such a fold computes from the elements that it visits, or from the array in its state.
    pub(super) fn walk(&mut self, d: usize) -> String {
        self.note("index as a state");
        self.folds += 1;
        let [q, s, i] = ["q", "s", "i"].map(|x| self.name(x));
        let arrays: Vec<_> = self.arrays().into_iter().filter(|(_, e)| e.len() == 1 && *e != ["0"]).collect();
        let (x, dims) = self.rng.pick(&arrays).clone();
        let (size, start) = (dims[0], self.natural());
        // The array itself, or a state that begins with it.
        let carried = self.rng.one_in(2);
        let y = if carried { self.name("x") } else { x.clone() };
        let (count, bound) = self.count(&["n", "k", "3", "p", "n + 1"]);
        self.loops += 1;
        let (next, read, e, step) = self.scoped(|g| {
            g.indices.push((i.clone(), bound));
            let (next, read) = (g.moved(&q, &i, size), g.looked_at(&y, &q, &i, size));
            g.vars.push((s.clone(), super::Ty::F64));
            let (j, at) = (g.name("j"), g.looked_at(&y, &q, &i, size));
            let near = format!("build({size}, |{j}| {y}[{j}] * 0.5 + {})", at.replace(&i, &j));
            let step = if g.rng.one_in(3) {
                format!("(if {} {{ {near} }} else {{ {y}.clone() }})", g.condition(0))
            } else {
                near
            };
            (next, read, g.scalar(d.min(1)), step)
        });
        self.loops -= 1;
        self.folds -= 1;
        let end = self.looked_at(&y, &q, "p", size);
        if carried {
            let body = format!("({next}, {s} * 0.5 + {read} + {e}, {step})");
            let fold = format!("ifold({count}, ({start}, 0.5, {x}.clone()), |({q}, {s}, {y}), {i}| {body})");
            return format!("({{ let ({q}, {s}, {y}) = {fold}; {s} - {end} }})");
        }
        let fold = format!("ifold({count}, ({start}, 0.5), |({q}, {s}), {i}| ({next}, {s} * 0.5 + {read} + {e}))");
        format!("({{ let ({q}, {s}) = {fold}; {s} - {end} }})")
    }

    /// The next place of a walk at `q` in iteration `i`, never far away.
    fn moved(&mut self, q: &str, i: &str, size: &str) -> String {
        let n = paren(size);
        match self.rng.below(9) {
            0 => format!("({q} * 2 + 1) % 7"),
            1 => format!("({q} + {i}) % ({n} + 1)"),
            2 => self.min_state(format!("({q} + 1).min({n})")),
            3 => self.min_state(format!("{q}.min({i} + 1)")),
            4 => self.min_state(format!("({q} + 2).min({i} + p).max(1)")),
            5 => format!("(if {} {{ {q} }} else {{ {q} + 1 }})", self.condition(0)),
            6 => format!("{q}.max({i})"),
            7 => format!("(if {q} > {i} {{ {q} - {i} }} else {{ {i} }})"),
            _ => format!("{q} / 2 + {i}"),
        }
    }

    fn min_state(&mut self, form: String) -> String {
        self.note("state through min");
        form
    }

    /// The element of `x` at the walk's place.
    fn looked_at(&mut self, x: &str, q: &str, i: &str, size: &str) -> String {
        let n = paren(size);
        let at = match self.rng.below(12) {
            // May be out of range; the program then panics.
            0 => q.to_string(),
            1..=4 => format!("{q} % {n}"),
            5 | 6 => format!("({q} + {i}) % {n}"),
            7 | 8 => self.min_state(format!("{q}.min({size} - 1)")),
            9 => self.min_state(format!("({q} + {i}).min({size} - 1)")),
            _ => format!("{size} - 1 - {q} % {n}"),
        };
        if never_empty(size) { format!("{x}[{at}]") } else { format!("(if {n} > 0 {{ {x}[{at}] }} else {{ 0.5 }})") }
    }
}
