//! Arrays that are assigned whole, of rows that are computed from their old rows.

use super::indices::paren;
use super::{Gen, Size};

impl Gen {
    /// `if c { x = [row, …]; }`, where each row reads one of the old ones, in another order.
    pub(super) fn rows_anew(&mut self, x: &str, dims: &[Size], d: usize) -> String {
        self.note("rows from old rows");
        let rows = match dims[0] {
            "1" => format!("[{}]", self.row_anew(x, "0", dims[1])),
            "3" => {
                let shift = self.rng.below(3);
                let rows: Vec<String> =
                    (0..3).map(|k| self.row_anew(x, &((k + shift) % 3).to_string(), dims[1])).collect();
                format!("[{}]", rows.join(", "))
            }
            size => {
                let (i, n) = (self.name("i"), paren(size));
                let old = if self.rng.one_in(2) { format!("{n} - 1 - {i}") } else { i.clone() };
                format!("build({n}, |{i}| {})", self.row_anew(x, &old, dims[1]))
            }
        };
        let stored = format!("{x} = {rows}; ");
        match self.rng.below(4) {
            0 => stored,
            1 => {
                let other = self.assignment(d.min(1));
                format!("if {} {{ {stored}}} else {{ {other}}} ", self.test(1))
            }
            _ => format!("if {} {{ {stored}}} ", self.test(1)),
        }
    }

    /// A row that is stored before it is put where it belongs: the states of a scan, or a variable.
    fn row_anew(&mut self, x: &str, old: &str, size: Size) -> String {
        let (j, s, n, e) = (self.name("j"), self.name("s"), paren(size), self.leaf());
        let read = match self.rng.below(3) {
            0 => format!("{x}[{old}][{n} - 1 - {j}]"),
            1 => format!("{x}[{old}][{j}]"),
            _ => format!("{x}[{old}][{j} / 2]"),
        };
        match self.rng.below(3) {
            0 => format!("scan({n}, {e}, |{s}, {j}| {s} * 0.5 - {read})"),
            1 => format!(
                "{{ let mut {s} = build({n}, |_| {e}); for {j} in 0..{n} {{ {s}[{n} - 1 - {j}] += {read} * 0.5 - {s}[{j}]; }} {s} }}"
            ),
            _ => format!("build({n}, |{j}| {read} * {e})"),
        }
    }
}
