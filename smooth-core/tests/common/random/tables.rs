//! Constants of the crate: arrays of each type that are indexed, sliced, passed on, copied and changed.

use super::indices::paren;
use super::{Gen, Ty};

macro_rules! constants {
    ($($name:ident: $ty:ty = $value:expr;)*) => {
        $(pub const $name: $ty = $value;)*

        /// The constants as text.
        pub const SOURCE: &str =
            concat!($("pub const ", stringify!($name), ": ", stringify!($ty), " = ", stringify!($value), ";\n",)*);
    };
}

constants! {
    WEIGHTS: [f64; 3] = [0.5, -1.25, 2.0];
    CURVE: [f64; 5] = [0.0, 0.25, 1.0, -0.0, 4.5];
    STEPS: [usize; 4] = [3, 1, 0, 2];
    GRID: [[f64; 3]; 2] = [[1.0, -0.5, 0.25], [0.0, 2.0, -3.0]];
    BYTES: [u8; 6] = [115, 109, 0, 255, 116, 104];
    FLAGS: [bool; 3] = [true, false, true];
    HALF: f64 = 0.5;
    WIDTH: usize = 2;
}

/// Kernels with constants that callers do not name.
pub const KERNELS: &str = "
#[smooth] fn tabled(x: f64, q: usize) -> f64 { CURVE[q % CURVE.len()] * x + WEIGHTS[q % 3] }
#[smooth] fn interpolated(x: f64) -> f64 {
    let last = CURVE.len() - 1;
    let at = x.abs().min(1.0) * last as f64;
    let i = (at as usize).min(last - 1);
    CURVE[i] * (1.0 - at + i as f64) + CURVE[i + 1] * (at - i as f64)
}
#[smooth] fn filtered(a: &[f64; n]) -> [f64; n] {
    build(n, |i| sum(WEIGHTS.len(), |j| WEIGHTS[j] * a[(i + STEPS[j]) % n]))
}
";

impl Gen {
    /// A number computed from constants.
    pub(super) fn read_table(&mut self, d: usize) -> String {
        self.note("constant table");
        let q = format!("({})", self.natural());
        let last = self.surely("3");
        match self.rng.below(14) {
            // Operands of known type determine the types of the constants.
            0 => format!("({} + s - WEIGHTS[{last}])", self.scalar(d)),
            1 => {
                let at = *self.rng.pick(&["{q} % CURVE.len()", "{q}.min(CURVE.len() - 1)", "{q} % 5", "{q}.min(4)"]);
                format!("(CURVE[{}] * s)", at.replace("{q}", &q))
            }
            2 => {
                let vectors: Vec<_> = self.arrays().into_iter().filter(|(_, e)| e.len() == 1 && e[0] != "0").collect();
                let (x, dims) = self.rng.pick(&vectors).clone();
                let n = paren(dims[0]);
                format!("(if {n} > 0 {{ {x}[STEPS[{q} % 4] % {n}] }} else {{ HALF }})")
            }
            3 => {
                let (i, e) = self.looped("3", |g| g.scalar(d));
                format!("sum(WEIGHTS.len(), |{i}| WEIGHTS[{i}] * (s - {e}))")
            }
            4 => format!("dot(&WEIGHTS, &{})", self.array(&["3"], d)),
            5 => format!("dot(&GRID[{q} % 2], &{})", self.array(&["3"], d)),
            6 => {
                let x = self.name("x");
                let e = self.scoped(|g| {
                    g.vars.push((x.clone(), Ty::Array(vec!["3"])));
                    g.scalar(d)
                });
                format!("({{ let {x}: [f64; 3] = WEIGHTS; {e} - {x}[{last}] }})")
            }
            7 => format!("(BYTES[{q} % 6] as f64)"),
            8 => format!("(if FLAGS[{q} % FLAGS.len()] {{ {} }} else {{ {} }})", self.scalar(d), self.leaf()),
            9 => {
                let (i, e) = self.looped("2", |g| g.scalar(d));
                format!("(sum(WIDTH, |{i}| {e} * GRID[{i}][{last}] - s) * HALF)")
            }
            10 => format!("tabled({}, {q})", self.scalar(d)),
            11 => format!("interpolated({})", self.scalar(d)),
            12 => {
                let (x, i) = (self.name("x"), self.name("i"));
                let e = self.leaf();
                format!(
                    "({{ let mut {x} = GRID; {x}[1][{last}] += {e}; {x}[{q} % 2].copy_from_slice(&WEIGHTS); \
                     sum(2, |{i}| dot(&{x}[{i}], &GRID[1 - {i}])) }})"
                )
            }
            _ => {
                let (size, q) = (self.size(), self.name("i"));
                let a = self.array(&[size], d);
                format!("sum({size}, |{q}| filtered(&{a})[{q}])")
            }
        }
    }
}
