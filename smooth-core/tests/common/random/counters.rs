//! Loops whose counters are indices: insertion sort, two pointers, bisection, a stack. One bound in a few is off by one:
//! its check has to stay.

use super::indices::paren;
use super::{Gen, Size, Ty};

impl Gen {
    /// An array that such a loop changes.
    pub(super) fn counted_array(&mut self, size: Size, d: usize) -> String {
        let (array, x) = (self.array(&[size], d), self.name("x"));
        let text = self.scoped(|g| {
            g.vars.push((x.clone(), Ty::Array(vec![size])));
            g.counter(&x, size)
        });
        format!("({{ let mut {x} = {array}; {text}{x} }})")
    }

    /// A loop that changes `x` at its counters.
    pub(super) fn counter(&mut self, x: &str, size: Size) -> String {
        self.note("counter as an index");
        let n = paren(size);
        let [q, r, i] = ["q", "q", "i"].map(|x| self.name(x));
        let e = self.value(&Ty::F64, 0);
        let off = self.rng.one_in(8);
        match self.rng.below(10) {
            0 | 1 => {
                // An insertion sort.
                let y = self.name("y");
                let test = match (self.rng.below(3), off) {
                    (_, true) => format!("{q} + 1 > 0 && {x}[{q} - 1] > {y}"),
                    (0, _) => format!("{q} >= 1 && {x}[{q} - 1] > {y}"),
                    (1, _) => format!("{q} != 0 && !({x}[{q} - 1] <= {y})"),
                    _ => format!("{q} > 0 && {x}[{q} - 1] > {y}"),
                };
                format!(
                    "for {i} in 1..{size} {{ let {y} = {x}[{i}]; let mut {q} = {i}; \
                     while {test} {{ {x}[{q}] = {x}[{q} - 1]; {q} -= 1; }} {x}[{q}] = {y}; }} "
                )
            }
            2 => {
                // Two pointers that meet.
                let test = match (self.rng.below(2), off) {
                    (_, true) => format!("{q} <= {r}"),
                    (0, _) => format!("{q} + 1 < {r}"),
                    _ => format!("{q} < {r}"),
                };
                let step = match self.rng.below(2) {
                    0 => format!("{x}.swap({q}, {r}); {q} += 1;"),
                    _ => format!(
                        "if {x}[{q}] > {e} {{ {x}[{r}] = {x}[{q}] * 0.5; {q} += 1; }} else {{ {x}[{q}] = {e}; }}"
                    ),
                };
                format!("let (mut {q}, mut {r}) = (0, {n}); while {test} {{ {r} -= 1; {step} }} ")
            }
            3 => {
                // Elements that are large enough, moved to the front.
                let end = if off { format!("{q} <= {n} / 2") } else { format!("{q} < {size}") };
                format!(
                    "let mut {q} = 0; for {i} in 0..{size} {{ if {x}[{i}] > {e} {{ {x}[{q}] = {x}[{i}]; {q} += 1; }} }} \
                     while {end} {{ {x}[{q}] = 0.5; {q} += 1; }} "
                )
            }
            4 => {
                // Bisection.
                let (half, at) = (self.name("q"), if off { format!("{q} <= {n}") } else { format!("{q} < {size}") });
                format!(
                    "let (mut {q}, mut {r}) = (0, {n}); while {q} < {r} {{ let {half} = {q} + ({r} - {q}) / 2; \
                     if {x}[{half}] < {e} {{ {q} = {half} + 1; }} else {{ {r} = {half}; }} }} if {at} {{ {x}[{q}] = {e}; }} "
                )
            }
            5 => {
                // Backwards.
                let (least, from) = if self.rng.one_in(2) { (1, " - 1") } else { (0, "") };
                let least = if off { 0 } else { least };
                format!(
                    "let mut {q} = {n}; while {q} > {least} {{ {q} -= 1; {x}[{q}] = {x}[{q}{from}] * 0.5 + {e}; }} "
                )
            }
            6 => {
                // In steps.
                let (start, step) = (
                    *self.rng.pick(&["0", "1", "p", "p % 2"]),
                    *self.rng.pick(&["{q} += 2", "{q} += 1 + p", "{q} = {q} * 2 + 1"]),
                );
                let test = if off { format!("{q} < {n} + 1") } else { format!("{q} < {size}") };
                format!("let mut {q} = {start}; while {test} {{ {x}[{q}] *= {e}; {}; }} ", step.replace("{q}", &q))
            }
            7 => {
                // Stages of doubled distance.
                format!(
                    "let mut {q} = 1; while {q} < {size} {{ for {i} in {q}..{size} {{ {x}[{i}] -= {x}[{i} - {q}] * 0.5; }} \
                     {q} *= 2; }} "
                )
            }
            8 => {
                // Two arrays at once.
                let fixed: Vec<_> = self.arrays().into_iter().filter(|(y, e)| e.len() == 1 && y != x).collect();
                let (y, dims) = self.rng.pick(&fixed).clone();
                let (m, op) = (paren(dims[0]), if off { "<=" } else { "<" });
                format!(
                    "let (mut {q}, mut {r}) = (0, 0); while {q} {op} {n} && {r} < {m} {{ \
                     if {x}[{q}] <= {y}[{r}] {{ {q} += 1; }} else {{ {x}[{q}] = {y}[{r}]; {r} += 1; }} }} "
                )
            }
            _ => {
                // A stack.
                let (c, op) = (self.test(0), if off { "<=" } else { "<" });
                format!(
                    "let mut {q} = 0; for {i} in 0..5 {{ if {c} && {q} {op} {n} {{ {x}[{q}] = {e} + {i} as f64; {q} += 1; }} \
                     else if {q} > 0 {{ {q} -= 1; {x}[{q}] = {x}[{q}] * 0.5; }} }} "
                )
            }
        }
    }
}
