//! Assertions, of what holds and of what may not, where values are used and where they are not.

use super::{Gen, Ty};

/// Kernels that assert.
pub const KERNELS: &str = "
#[smooth] fn ordered(x: f64) -> f64 { assert!(!(x > 0.0 && x < 0.0), \"asserted: {}\", x); x * 0.5 }
#[smooth] fn bounded(a: &[f64; n], s: f64) -> [f64; n] {
    build(n, |i| { assert!(!(a[i] > s * 64.0 && s > 1.0), \"asserted\"); a[i] - s })
}
";

impl Gen {
    /// An assertion as a statement; few of them fail for some arguments. Its message has a word by which it is known.
    pub(super) fn assertion(&mut self) -> String {
        self.note("assertion");
        let c = if self.rng.one_in(6) { self.doubtful() } else { self.evident() };
        match self.rng.below(8) {
            0 => format!("assert_eq!({c}, true, \"asserted\"); "),
            1 => format!("assert_ne!({c}, false, \"asserted {{}}\", n); "),
            2 => format!("if !{c} {{ panic!(\"asserted\"); }} "),
            3 => format!("match {c} {{ true => {{}} false => unreachable!(\"asserted\") }} "),
            4 => format!("debug_assert!({c}, \"asserted\"); "),
            _ => format!("assert!({c}, \"asserted: {{}}\", s); "),
        }
    }

    /// A condition that holds, and which not every stage can know to hold.
    fn evident(&mut self) -> String {
        match (self.rng.below(4), self.indices.last().cloned()) {
            (0, Some((i, size))) if self.unbounded == 0 => format!("({i} < {size})"),
            (1, Some((i, _))) => format!("({i} + 1 > p.min({i}))"),
            (2, _) => "(n <= a.len())".into(),
            _ => {
                let x = self.leaf();
                format!("!({x} > 0.0 && {x} < 0.0)")
            }
        }
    }

    /// A condition that does not hold for some arguments.
    fn doubtful(&mut self) -> String {
        self.note("assertion that may fail");
        match self.rng.below(6) {
            0 => "(n < 4)".into(),
            1 => "(p != 2 || yes)".into(),
            2 => "(k > 0)".into(),
            3 => "(s < 2.0)".into(),
            _ => format!("({} < 3.0)", self.leaf()),
        }
    }

    /// A number beside an assertion.
    pub(super) fn asserted(&mut self, d: usize) -> String {
        let e = self.scalar(d);
        match self.rng.below(8) {
            0 | 1 => format!("({{ {}{e} }})", self.assertion()),
            2 => {
                let (x, unused) = (self.name("x"), self.leaf());
                format!("({{ let {x} = {{ {}{unused} }}; {e} }})", self.assertion())
            }
            3 => {
                let (c, other) = (self.condition(0), self.leaf());
                format!("(if {c} {{ {}{e} }} else {{ {other} }})", self.assertion())
            }
            4 => {
                let (size, x) = (self.size(), self.name("x"));
                let (i, body) = self.looped(size, |g| format!("{{ {}{} }}", g.assertion(), g.leaf()));
                let loops = *self.rng.pick(&["build", "sum", "max"]);
                format!("({{ let {x} = {loops}({size}, |{i}| {body}); {e} }})")
            }
            5 => {
                let size = self.size();
                let (i, body) = self.looped(size, Self::assertion);
                format!("({{ for {i} in 0..{size} {{ {body}}} {e} }})")
            }
            6 => {
                let [f, y] = ["g", "y"].map(|x| self.name(x));
                let body = self.scoped(|g| {
                    g.vars.push((y.clone(), Ty::F64));
                    g.assertion()
                });
                let other = self.leaf();
                format!("({{ let {f} = |{y}: f64| {{ {body}{y} * 0.5 }}; {f}({e}) + {f}({other}) }})")
            }
            _ => {
                self.note("call that asserts");
                let size = self.size();
                let (x, array) = (self.name("x"), self.array(&[size], d.min(1)));
                match self.rng.one_in(2) {
                    true => format!("ordered({e})"),
                    false => format!("({{ let {x} = bounded(&{array}, s); {e} }})"),
                }
            }
        }
    }
}
