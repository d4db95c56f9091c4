//! Terms over the other scalar types, converted back to `f64`: arithmetic, arrays, sums, generic kernels.

use super::Gen;

/// For each type, a term that converts a number to it, uses it twice, and converts back.
const TYPES: [&str; 7] = ["f32", "u8", "i16", "u32", "i64", "i8", "isize"];

impl Gen {
    pub(super) fn narrow(&mut self, d: usize) -> String {
        self.note("other scalars");
        let t = *self.rng.pick(&TYPES);
        let float = t == "f32";
        match self.rng.below(7) {
            0 if float => format!("((({}) as f32 * 0.3 + ({}) as f32).sqrt() as f64)", self.scalar(d), self.leaf()),
            0 => {
                let op = *self.rng.pick(&["&", "|", "^"]);
                format!("((({}) as {t} {op} (({}) as {t} >> 1)) as f64)", self.scalar(d), self.leaf())
            }
            6 if !float => {
                self.note("narrow element in place");
                let (size, x) = (self.size(), self.name("x"));
                let (i, start) = self.looped(size, |g| g.scalar(d));
                let step = |g: &mut Self| {
                    let op = *g.rng.pick(&["<<= 2", ">>= 1", ">>= 3u8", "^= 5", "|= 9", "&= 6"]);
                    format!("{x}[{i}] {op}; ")
                };
                let steps = format!("{}{}", step(self), step(self));
                let sum = format!("sum({size}, |{i}| {x}[{i}] as f64)");
                format!(
                    "({{ let mut {x} = build({size}, |{i}| ({start}) as {t}); for {i} in 0..{size} {{ {steps}}} {sum} }})"
                )
            }
            1 => {
                let size = self.size();
                let small = if float { "as f32" } else { "as i32 % 100" };
                let (i, body) = self.looped(size, |g| g.scalar(d));
                format!("(sum({size}, |{i}| ({body}) {small}) as f64)")
            }
            2 | 5 => {
                self.note("generic kernel");
                let size = self.size();
                let (i, body) = self.looped(size, |g| g.scalar(d));
                let (j, other) = self.looped(size, |g| g.scalar(d.min(1)));
                let t = *self.rng.pick(&["f32", "f64"]);
                let (x, y) =
                    (format!("build({size}, |{i}| ({body}) as {t})"), format!("build({size}, |{j}| ({other}) as {t})"));
                format!("(blend(&{x}, &halves(&{y}), 0.3) as f64)")
            }
            _ => {
                // It is read at random, and therefore stored, together with arrays of other widths.
                self.note("narrow array");
                let (size, x) = (self.size(), self.name("x"));
                let (i, body) = self.looped(size, |g| g.scalar(d));
                let (j, use_) = self.looped(size, |g| {
                    let (at, own) = (g.surely(size), g.surely(size));
                    let both = if float {
                        format!("{x}[{at}] * 0.5 + {x}[{own}]")
                    } else {
                        format!("{x}[{at}].wrapping_add({x}[{own}])")
                    };
                    format!("({both}) as f64 + {}", g.leaf())
                });
                format!("({{ let {x} = build({size}, |{i}| ({body}) as {t}); sum({size}, |{j}| {use_}) }})")
            }
        }
    }
}
