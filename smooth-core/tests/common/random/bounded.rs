//! Indices that an operation or a condition keeps in range, and conditions that do not.

use super::indices::paren;
use super::{Gen, Size};

impl Gen {
    /// A number computed from such elements.
    pub(super) fn bounded(&mut self) -> String {
        self.note("bounded index");
        if self.rng.one_in(4) {
            return self.window();
        }
        let vectors: Vec<_> = self.arrays().into_iter().filter(|(_, d)| d.len() == 1 && d[0] != "0").collect();
        let (x, dims) = self.rng.pick(&vectors).clone();
        let (size, n): (Size, _) = (dims[0], paren(dims[0]));
        let (i, e) = (self.name("i"), self.leaf());
        if self.rng.one_in(8) {
            // Indices that may be out of range if `lucky` holds: one element too many, a bound that is too large or on the
            // wrong side, a disjunction of conditions.
            let lucky = *self.rng.pick(&["p > 2", "yes", "s > 0.5"]);
            return match self.rng.below(5) {
                0 => format!("sum({n} + 1, |{i}| if {i} <= {n} && {lucky} {{ {x}[{i}] }} else {{ {e} }})"),
                1 => format!("sum({size}, |{i}| if {lucky} {{ {x}[({i} + 1).min({n})] }} else {{ {e} }})"),
                2 => format!("sum({size}, |{i}| if {lucky} {{ {x}[{i}.max(p)] }} else {{ {e} }})"),
                3 => format!("sum({size}, |{i}| if {lucky} {{ {x}[({i} + p) % ({n} + 1)] }} else {{ {e} }})"),
                _ => format!(
                    "sum({size}, |{i}| if {lucky} && ({i} > 0 || {i} + 1 < {n}) {{ {x}[{i} + 1] }} else {{ {e} }})"
                ),
            };
        }
        let read = match self.rng.below(11) {
            0 => format!("{x}[{i}.saturating_sub(1)]"),
            1 => format!("{x}[({i} + 1).min({n} - 1)]"),
            2 => format!("{x}[({i} + p).clamp(0, {n} - 1)]"),
            3 => format!("(if {n} > 1 {{ {x}[{i}.clamp(1, {n} - 1)] }} else {{ {e} }})"),
            4 => format!("{x}[({i} + 1) % {n}]"),
            5 => format!("{x}[(p + {i}).saturating_sub({i}).min({i})]"),
            6 => format!("(if {i} > 0 && {i} + 1 < {n} {{ {x}[{i} - 1] * {x}[{i} + 1] }} else {{ {x}[{i}] }})"),
            7 => format!("(if {i} == 0 || {i} == {n} - 1 {{ {e} }} else {{ {x}[{i} - 1] - {x}[{i} + 1] }})"),
            8 => format!("(if {i} + p < {n} {{ {x}[{i} + p] }} else if {i} >= p {{ {x}[{i} - p] }} else {{ {e} }})"),
            9 => format!("{x}[{i}.max({n} / 2).min({n} - 1)]"),
            _ => {
                // Off by one.
                let wrong = ["{i} + 1 <= {n}", "{i} <= {n}", "{i} + p < {n} + 1", "!({i} + 1 > {n})"];
                let guard = self.rng.pick(&wrong).replace("{i}", &i).replace("{n}", &n);
                let at = if guard.contains('p') { "p" } else { "1" };
                format!("(if {guard} && {i} > 1 {{ {x}[{i} + {at}] }} else {{ {e} }})")
            }
        };
        format!("sum({size}, |{i}| {read} - {e})")
    }

    /// A stencil in two dimensions.
    fn window(&mut self) -> String {
        let matrices: Vec<_> = self.arrays().into_iter().filter(|(_, d)| d.len() == 2).collect();
        let (x, dims) = self.rng.pick(&matrices).clone();
        let (r, c) = (paren(dims[0]), paren(dims[1]));
        let (i, j, e) = (self.name("i"), self.name("j"), self.leaf());
        let (guard, read) = match self.rng.below(4) {
            0 => (
                format!("{i} > 0 && {i} + 1 < {r} && {j} > 0 && {j} + 1 < {c}"),
                format!("{x}[{i} - 1][{j}] + {x}[{i} + 1][{j}] - {x}[{i}][{j} - 1] - {x}[{i}][{j} + 1]"),
            ),
            1 => (format!("{i} > 0 && {j} + 1 < {c}"), format!("{x}[{i} - 1][{j} + 1]")),
            2 => (format!("!({i} == 0 || {j} == 0)"), format!("{x}[{i} - 1][{j} - 1] * {x}[{i}][{j}]")),
            _ => (
                format!("{i} + 1 < {r} || {j} + 1 < {c}"),
                format!("{x}[({i} + 1).min({r} - 1)][({j} + 1).min({c} - 1)]"),
            ),
        };
        format!("sum({r}, |{i}| sum({c}, |{j}| if {guard} {{ {read} }} else {{ {x}[{i}][{j}] * {e} }}))")
    }
}
