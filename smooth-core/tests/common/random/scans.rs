//! Scans: the states of a fold as an array, of numbers, of rows, of tuples.

use super::{Gen, Size, Ty};

impl Gen {
    /// The states of a fold over a state of any type, `size` of them.
    pub(super) fn scan(&mut self, state: &Ty, size: Size, d: usize) -> String {
        self.note(match state {
            Ty::Array(_) => "scan of rows",
            Ty::Tuple(_) => "scan of tuples",
            _ => "scan",
        });
        let name = *self.rng.pick(&["scan", "scan_exclusive"]);
        let init = self.initial(state, d.min(1), false);
        self.folds += 1;
        let mut pattern = String::new();
        let (i, body) = self.looped(size, |g| {
            pattern = g.pattern(state);
            let (pattern, vars) = (pattern.clone(), g.vars.clone());
            g.step(state, &pattern, d, &vars)
        });
        self.folds -= 1;
        // A state needs the type that its parts do not say.
        let typed = if matches!(state, Ty::Tuple(_)) { format!(": {}", state.written()) } else { String::new() };
        format!("{name}({size}, {init}, |{pattern}{typed}, {i}| {body})")
    }

    /// A number computed from the states of a tuple, which are an array of tuples, or several arrays.
    pub(super) fn scanned(&mut self, d: usize) -> String {
        let size = self.size();
        let (x, y, i) = (self.name("x"), self.name("x"), self.name("i"));
        if self.rng.one_in(4) {
            return self.scanned_pairs(size, d);
        }
        if self.rng.one_in(2) {
            let states = self.scan(&Ty::Tuple(vec![Ty::F64, Ty::Usize]), size, d);
            return match self.rng.below(2) {
                0 => format!("({{ let {x} = {states}; sum({size}, |{i}| {x}[{i}].0 - {x}[{i}].1 as f64) }})"),
                _ => format!("({{ let ({x}, {y}) = {states}; sum({size}, |{i}| {x}[{i}] * {y}[{i}] as f64) }})"),
            };
        }
        let inner = self.size();
        let states = self.scan(&Ty::Tuple(vec![Ty::Array(vec![inner]), Ty::F64]), size, d);
        let j = self.name("j");
        let rows = format!("sum({inner}, |{j}| {x}[{i}][{j}])");
        format!("({{ let ({x}, {y}) = {states}; sum({size}, |{i}| {rows} - {y}[{i}]) }})")
    }

    /// A number computed from states that are arrays of tuples, which a step reads in another order.
    fn scanned_pairs(&mut self, size: Size, d: usize) -> String {
        self.note("scan of tuples");
        let (x, s, i, j, inner) = (self.name("x"), self.name("s"), self.name("i"), self.name("j"), self.size());
        let name = *self.rng.pick(&["scan", "scan_exclusive"]);
        let (init, term) = (self.leaf(), self.scalar(d.min(1)));
        let step = format!("({s}[{inner} - 1 - {j}].0 * 0.5 + {term}, {s}[{j}].1 + {i})");
        let states =
            format!("{name}({size}, build({inner}, |{j}| ({init}, {j})), |{s}, {i}| build({inner}, |{j}| {step}))");
        format!(
            "({{ let {x} = {states}; sum({size}, |{i}| sum({inner}, |{j}| {x}[{i}][{j}].0 - {x}[{i}][{j}].1 as f64)) }})"
        )
    }
}
