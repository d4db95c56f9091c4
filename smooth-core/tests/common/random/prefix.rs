//! Arrays inside a loop whose size depends on its index.

use super::Gen;

impl Gen {
    /// A number computed from such arrays, which are stored, sliced, passed to kernels, or states of folds; `None`
    /// outside of loops.
    pub(super) fn prefix(&mut self, d: usize) -> Option<String> {
        if self.unbounded > 0 {
            return None;
        }
        let (i, size) = self.indices.last()?.clone();
        self.note("size of an outer index");
        // At most `size`, so that every index below `len` is below `size`.
        let len = match self.rng.below(8) {
            0..=2 => format!("({i} + 1)"),
            3 => i.clone(),
            4 | 5 => format!("({size} - {i})"),
            6 => format!("({i} / 2 + 1)"),
            _ => format!("({i} + 1).min({size} - 1)"),
        };
        let x = self.name("x");
        let array = self.counted(&len, size, |g| g.scalar(d.min(2)));
        let use_ = match self.rng.below(9) {
            0 | 1 => {
                let (h, e) = self.looped(size, |g| g.leaf());
                format!("sum({len}, |{h}| {x}[{len} - 1 - {h}] * {x}[{h} / 2] + {e})")
            }
            2 => format!("dot(&{x}, &add(&{x}, &{x}))"),
            3 => {
                self.note("call not inlined");
                let h = self.name("i");
                format!("sum({len}, |{h}| large(&{x}, 0.5)[{len} - 1 - {h}] + {x}[{h}])")
            }
            4 => {
                self.note("call not inlined");
                format!("large_number(&{x}, 2)")
            }
            5 => {
                self.note("fold not pointwise");
                let (y, h, q) = (self.name("x"), self.name("i"), self.name("i"));
                let step = format!("build({len}, |{q}| {y}[{len} - 1 - {q}] * 0.5 + {x}[{q}])");
                format!("dot(&{x}, &ifold(3, {x}.clone(), |{y}, {h}| {step}))")
            }
            6 => {
                self.note("branch of arrays");
                let other = self.counted(&len, size, |g| g.leaf());
                format!("dot(&{x}, &(if {} {{ {x}.clone() }} else {{ {other} }}))", self.condition(0))
            }
            7 => {
                // An array of rows of that size.
                let (y, rows) = (self.name("x"), self.size());
                let (h, row) = self.looped(rows, |g| g.counted(&len, size, |g| g.leaf()));
                let (q, j) = (self.name("i"), self.name("i"));
                let reversed = format!("{y}[{rows} - 1 - {q}][{len} - 1 - {j}]");
                let sums = format!("sum({rows}, |{q}| sum({len}, |{j}| {reversed} * {x}[{j}]))");
                format!("({{ let {y} = build({rows}, |{h}| {row}); {sums} }})")
            }
            _ => {
                self.note("slice");
                let of_size: Vec<_> = self.arrays().into_iter().filter(|(_, d)| *d == [size]).map(|(x, _)| x).collect();
                let whole = match of_size.is_empty() {
                    true => self.array(&[size], d.min(1)),
                    false => self.rng.pick(&of_size).clone(),
                };
                let range = *self.rng.pick(&["..{len}", "{size} - {len}..", "{size} - {len}..{size}"]);
                format!("dot(&({whole})[{}], &{x})", range.replace("{len}", &len).replace("{size}", size))
            }
        };
        Some(format!("({{ let {x} = {array}; {use_} }})"))
    }

    /// A sum whose count comes from data, bounded by a size, so that its index still bounds sizes.
    pub(super) fn prefixes(&mut self, d: usize) -> Option<String> {
        let (at, size) = (self.index("n")?, self.size());
        if self.unbounded > 0 {
            return None;
        }
        let (i, body) = self.looped(size, |g| g.prefix(d).unwrap_or_default());
        let q = self.name("q");
        Some(match self.rng.below(4) {
            0 => format!("sum(u[{at}].min({size}), |{i}| {body})"),
            1 => format!("sum(u[{at}] % ({size} + 1), |{i}| {body})"),
            2 => format!("({{ let {q} = u[{at}]; sum({q}.min({size}), |{i}| {body}) }})"),
            _ => format!("({{ let {q} = u[{at}] % ({size} + 1); sum({q}, |{i}| {body}) }})"),
        })
    }

    /// A build of `len` elements; `len` is at most `size`.
    fn counted(&mut self, len: &str, size: super::Size, f: impl FnOnce(&mut Self) -> String) -> String {
        let (j, e) = self.looped(size, f);
        format!("build({len}, |{j}| {e})")
    }
}
