//! Counts of loops, and initial states of folds, which are the value of a fold without iterations.

use super::indices::paren;
use super::{Gen, Size, Ty};

/// Counts that are expensive enough to get a name when a term leaves the loop, each with a size that bounds the loop's
/// index. Small sizes make them 0.
const COMPUTED: [(&str, Size); 8] = [
    ("p / 2", "p"),
    ("n / 2", "n"),
    ("k / 2", "k"),
    ("(n + p) % 3", "3"),
    ("(n * p + k) / 2 % 3", "3"),
    ("sum(n, |i| u[i]) % 4", "3"),
    ("sum(k, |i| i + 1) / 3 % 3", "3"),
    ("ifold(p, n, |q, i| q / 2 + i).min(3)", "3"),
];

impl Gen {
    /// A count, and a size that bounds the loop's index: one of `simple`, or a computed count.
    pub(super) fn count(&mut self, simple: &[Size]) -> (String, Size) {
        if self.rng.below(5) < 3 {
            let size = *self.rng.pick(simple);
            return (size.into(), size);
        }
        self.note("computed count");
        match self.index("n").filter(|_| self.rng.one_in(4)) {
            // A different count in each iteration of the loops around.
            Some(at) => (format!("u[{at}] % 4"), "3"),
            None => {
                let (count, size) = *self.rng.pick(&COMPUTED);
                (count.into(), size)
            }
        }
    }

    /// The initial state of a fold: often cheaper to compute twice than to store, most often if a term `leaves` the
    /// fold.
    pub(super) fn initial(&mut self, ty: &Ty, d: usize, leaves: bool) -> String {
        if self.rng.below(3) > usize::from(leaves) {
            return self.term(ty, d);
        }
        if !matches!(ty, Ty::F64) {
            self.note("cheap initial state");
        }
        self.cheap(ty)
    }

    /// A term that is a literal or a load, and arrays and tuples of them.
    fn cheap(&mut self, ty: &Ty) -> String {
        match ty {
            Ty::F64 => self.rng.pick(&["0.0", "1.5", "s"]).to_string(),
            Ty::Array(dims) if dims.len() == 1 && self.rng.one_in(2) => format!("[0.5; {}]", dims[0]),
            Ty::Array(dims) => {
                let of_size = |(_, d): &(String, Vec<Size>)| d == dims;
                let alike = self.arrays().into_iter().find(of_size).filter(|_| self.rng.one_in(2));
                let names: Vec<String> = dims.iter().map(|_| self.name("i")).collect();
                let own: String = names.iter().map(|i| format!("[{i}]")).collect();
                let element = alike.map_or("0.25".into(), |(x, _)| format!("{x}{own}"));
                format!("build([{}], |{}| {element})", dims.join(", "), names.join(", "))
            }
            Ty::Tuple(ts) => format!("({})", ts.iter().map(|t| self.cheap(t)).collect::<Vec<_>>().join(", ")),
            t => self.term(t, 0),
        }
    }

    /// `{ let x = array; step }`: an array that is the same in each iteration of a fold, used together with the state
    /// so that nothing but the array leaves the fold. `before` is the number of indices outside of the fold.
    pub(super) fn with_steady_array(
        &mut self,
        ty: &Ty,
        state: &str,
        before: usize,
        step: impl FnOnce(&mut Self) -> String,
    ) -> String {
        let size = match ty {
            Ty::Array(dims) => dims[0],
            _ => self.size(),
        };
        let inside = self.indices.split_off(before);
        let (i, e) = self.looped(size, |g| g.leaf());
        self.indices.extend(inside);
        // The leaf may read the state itself.
        if e.contains(state) {
            return step(self);
        }
        self.note("invariant array in a step");
        let (x, y) = (self.name("x"), self.name("y"));
        let step = step(self);
        let n = paren(size);
        let used = match ty {
            Ty::F64 => {
                let h = self.name("i");
                format!("{y} * 0.5 + sum({size}, |{h}| {x}[{h}] * {x}[{n} - 1 - {h}] + {state} * 0.25)")
            }
            Ty::Array(dims) => {
                let names: Vec<String> = dims.iter().map(|_| self.name("j")).collect();
                let (own, first) = (names.iter().map(|j| format!("[{j}]")).collect::<String>(), &names[0]);
                let element = format!("{y}{own} + {x}[{first}] * {x}[{n} - 1 - {first}]");
                format!("build([{}], |{}| {element})", dims.join(", "), names.join(", "))
            }
            _ => y.clone(),
        };
        format!("{{ let {x} = build({size}, |{i}| ({e}).exp()); let {y} = {step}; {used} }}")
    }
}
