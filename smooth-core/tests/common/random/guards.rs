//! Indices that have a value only under a condition or a loop around them: a remainder by a size that may be 0, the
//! last element of an array that may be empty, a number minus one. Several reads have such an index in common, so that
//! it would pay to evaluate it once, somewhere else.

use super::indices::{never_empty, paren};
use super::{Gen, Size};

/// The shapes of arrays that are read with such indices.
const SHAPES: [&[Size]; 7] =
    [&["n", "k"], &["k", "n"], &["n", "n"], &["p", "n"], &["n"], &["k", "3"], &["n", "k", "p"]];

/// An index, and the conditions under which it has a value and is in range.
struct Guarded {
    index: String,
    conditions: Vec<String>,
}

impl Gen {
    /// A number computed from two elements of an array.
    pub(super) fn guarded(&mut self, d: usize) -> String {
        self.note("guarded index");
        let (x, dims, definition) = self.looked_up(d);
        let count = *self.rng.pick(&[dims[0], dims[0], dims[dims.len() - 1], "p", "k", "3", "0"]);
        let (i, body) = self.looped(count, |g| g.two_elements(&x, &dims, count));
        format!("({{ {definition}sum({count}, |{i}| {body}) }})")
    }

    /// An array in scope, or a new one: its name, its extents, and its `let`.
    fn looked_up(&mut self, d: usize) -> (String, Vec<Size>, String) {
        let there: Vec<_> = self.arrays().into_iter().filter(|(_, dims)| !dims.contains(&"0")).collect();
        if self.rng.one_in(3) {
            let (x, dims) = self.rng.pick(&there).clone();
            return (x, dims, String::new());
        }
        let (x, dims) = (self.name("x"), self.rng.pick(&SHAPES).to_vec());
        let array = self.build(&dims, d.min(1));
        (x.clone(), dims, format!("let {x} = {array}; "))
    }

    /// `x[e][f] ⊕ x[e][g]` under the conditions of the indices, in a loop of `count` iterations.
    fn two_elements(&mut self, x: &str, dims: &[Size], count: Size) -> String {
        let i = self.indices.last().map(|(i, _)| i.clone()).unwrap_or_default();
        let (last, rows) = dims.split_last().expect("an extent");
        let mut all: Vec<Guarded> = rows.iter().map(|n| self.partial(n)).collect();
        let ends: Vec<Guarded> = (0..2)
            .map(|_| match *last == count && self.rng.one_in(2) {
                true => Guarded { index: i.clone(), conditions: vec![] },
                false => self.partial(last),
            })
            .collect();
        let named = !rows.is_empty() && self.rng.one_in(4);
        let q = if named { self.name("q") } else { all.first().map(|g| g.index.clone()).unwrap_or_default() };
        let path: String =
            all.iter().enumerate().map(|(k, g)| format!("[{}]", if k == 0 { &q } else { &g.index })).collect();
        let [f, g] = [0, 1].map(|k| format!("{x}{path}[{}]", ends[k].index));
        let e = self.leaf();
        let read = match self.rng.below(4) {
            0 => format!("{f} * {g} - {e}"),
            1 => format!("({f} - {e}) / ({g} + 8.5)"),
            2 => format!("(if s > {e} {{ {f} }} else {{ {g} }})"),
            _ => format!("{f}.sin() - {f}.sin() * {g}"),
        };
        let read = if named { format!("{{ let {q} = {}; {read} }}", all[0].index) } else { read };
        all.extend(ends);
        let mut conditions: Vec<String> = all.into_iter().flat_map(|g| g.conditions).collect();
        conditions.sort();
        conditions.dedup();
        // The loop is also a guard.
        if self.rng.one_in(2) {
            let own = format!("{} > 0", paren(count));
            if conditions.contains(&own) {
                self.note("loop as a guard");
                conditions.retain(|c| *c != own);
            }
        }
        match conditions.as_slice() {
            [] => read,
            [c] => format!("(if {c} {{ {read} }} else {{ 0.5 }})"),
            [c, rest @ ..] if self.rng.one_in(2) => {
                format!("(if {c} {{ if {} {{ {read} }} else {{ 1.5 }} }} else {{ 0.5 }})", rest.join(" && "))
            }
            all => format!("(if {} {{ {read} }} else {{ 0.5 }})", all.join(" && ")),
        }
    }

    /// An index below `size`, in terms of unrelated numbers.
    fn partial(&mut self, size: Size) -> Guarded {
        let n = paren(size);
        let p = *self.rng.pick(&["p", "k", "n", "(p + 1)", "(p * 2 + 1)"]);
        let (index, needs) = match self.rng.below(9) {
            0..=3 => (format!("{p} % {n}"), None),
            4 => (format!("{size} - 1"), None),
            5 => (format!("{size} - 1 - {p} % {n}"), None),
            6 => (format!("{p}.min({size} - 1)"), None),
            7 => (format!("(p - 1) % {n}"), Some("p > 0")),
            _ => (format!("(p - 2).max(1) % {n}"), Some("p > 1")),
        };
        let mut conditions: Vec<String> = needs.into_iter().map(String::from).collect();
        if !never_empty(size) {
            conditions.push(format!("{n} > 0"));
        }
        Guarded { index, conditions }
    }
}
