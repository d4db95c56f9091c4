//! Indices with small offsets, under the conditions that they need: facts for index proofs. One condition in a few is off by
//! one: its check has to stay.

use super::indices::paren;
use super::{Gen, Size};

impl Gen {
    /// A number computed from elements next to the loop's own.
    pub(super) fn near(&mut self) -> String {
        let vectors: Vec<_> = self.arrays().into_iter().filter(|(_, d)| d.len() == 1 && d[0] != "0").collect();
        let (x, dims) = self.rng.pick(&vectors).clone();
        self.note("index beside another");
        let count = *self.rng.pick(&[dims[0], dims[0], dims[0], "p", "n"]);
        let (i, body) = self.looped(count, |g| g.neighbours(&x, dims[0]));
        format!("sum({count}, |{i}| {body})")
    }

    fn neighbours(&mut self, x: &str, size: Size) -> String {
        let own = self.indices.last().map(|(i, _)| i.clone()).unwrap_or_default();
        let base = match self.rng.below(6) {
            0 => "p".to_string(),
            1 => "k".to_string(),
            2 => format!("({own} * 2)"),
            3 => format!("u[{own} % n.max(1)]"),
            _ => own,
        };
        // An index without a value where the loop does not guard it.
        let guard = if base.starts_with('u') { "n > 0 && " } else { "" };
        let (index, condition) = self.neighbour(&base, size);
        let (e, other) = (self.leaf(), self.leaf());
        let read = format!("{x}[{index}]");
        match self.rng.below(8) {
            0 => {
                let inside = self.name("inside");
                format!("{{ let {inside} = {guard}{condition}; if {inside} {{ {read} }} else {{ {e} }} }}")
            }
            1 => format!("(if {guard}{condition} && {read} > {e} {{ {other} }} else {{ 0.5 }})"),
            2 => format!("(if !({guard}{condition}) || {read} > {e} {{ {other} }} else {{ 0.5 }})"),
            3 => format!("(if !({guard}{condition}) {{ {e} }} else {{ {read} * {read} }})"),
            4 => {
                let j = self.name("j");
                format!(
                    "{{ let {j} = if {guard}{condition} {{ {index} }} else {{ {size} }}; if {j} < {size} {{ {x}[{j}] }} else {{ {e} }} }}"
                )
            }
            5 if self.rng.one_in(2) => {
                format!("(if {guard}{index} < {} {{ {e} }} else {{ {read} }})", paren(size))
            }
            5 => format!("(if {guard}{condition} {{ {read} + {x}[{index}] * {e} }} else {{ {other} }})"),
            _ => format!("(if {guard}{condition} {{ {read} - {e} }} else {{ {other} }})"),
        }
    }

    /// An index, and the condition under which it is in range, or one that is off by one.
    fn neighbour(&mut self, base: &str, size: Size) -> (String, String) {
        let (n, d) = (paren(size), self.rng.below(3));
        let off = self.rng.one_in(3);
        if self.rng.one_in(2) {
            let index = format!("{base} + {d}");
            let condition = match (self.rng.below(5), off && d > 0) {
                (0..=2, true) => format!("{index} <= {n}"),
                (3, true) => format!("{base} < {n}"),
                (_, true) => format!("!({index} > {n})"),
                (0, _) => format!("{n} > {index}"),
                (1, _) => format!("!({index} >= {n})"),
                (2, _) => format!("{base} < {n} && {n} - {base} > {d}"),
                (3, _) => format!("{index} + 1 <= {n}"),
                _ => format!("{index} < {n}"),
            };
            return (index, condition);
        }
        let index = format!("{base} - {d}");
        let least = if off { d.saturating_sub(1) } else { d };
        let condition = match self.rng.below(4) {
            0 => format!("{base} + 1 > {least} && {base} < {n}"),
            1 => format!("!({base} < {least}) && {base} < {n} + {least}"),
            2 if d == 1 && !off => format!("{base} != 0 && {base} <= {n}"),
            _ => format!("{base} >= {least} && {base} - {least} < {n}"),
        };
        (index, condition)
    }
}
