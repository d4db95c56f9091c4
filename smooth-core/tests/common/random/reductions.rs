//! Reductions by other operations than addition, and scans.

use super::{Gen, Size};

impl Gen {
    /// A number that is a reduction of `body` over `i`: half of the time a sum.
    pub(super) fn reduction(&mut self, count: &str, size: Size, i: &str, body: &str) -> String {
        let form = self.rng.below(24);
        let [x, y] = [(); 2].map(|()| self.name("x"));
        match form {
            0 | 1 => {
                self.note("extreme");
                format!("{}({count}, |{i}| {body})", ["min", "max"][form])
            }
            2 | 19 => {
                self.note("product");
                format!("prod({count}, |{i}| {body})")
            }
            3 | 4 => {
                self.note("reduction by a function");
                self.combined(count, i, body, (&x, &y))
            }
            5 => {
                self.note("condition of all");
                let all = format!("all({count}, |{i}| {body} > s)");
                format!("(if any({count}, |{i}| {body} < s) || {all} {{ 1.5 }} else {{ s }})")
            }
            6 => {
                self.note("condition of all");
                format!("(count({count}, |{i}| {body} < s) as f64)")
            }
            7 => {
                self.note("index of an extreme");
                format!("sum({count}, |{i}| v[argmin(3, |{x}| v[{x}] * {body})])")
            }
            8 | 9 => {
                self.note("reduction of tuples");
                let (name, z) = (["sum", "max"][form - 8], self.name("x"));
                format!(
                    "({{ let ({x}, ({y}, {z})) = {name}({count}, |{i}| ({body}, ({i} as f64, {i}))); \
                     {x} - {y} * {z} as f64 }})"
                )
            }
            10 | 11 => {
                self.note("scan");
                let (name, z) = (["scan", "scan_exclusive"][form - 10], self.name("i"));
                format!(
                    "({{ let {x} = {name}({size}, s, |{y}, {i}| {y} * 0.5 + {body}); sum({size}, |{z}| {x}[{z}]) }})"
                )
            }
            12 => {
                self.note("reduction of tuples");
                let name = *self.rng.pick(&["prod", "min"]);
                format!("({{ let ({x}, {y}) = {name}({count}, |{i}| ({body}, {i} as f64 * 0.5)); {x} - {y} }})")
            }
            13 => {
                self.note("reduction of tuples");
                format!(
                    "({{ let ({x}, {y}) = reduce({count}, (0.0, 0), |{x}, {y}| ({x}.0 + {y}.0, {x}.1 ^ {y}.1), \
                     |{i}| ({body}, {i})); {x} - {y} as f64 }})"
                )
            }
            14 => {
                self.note("reduction of tuples");
                let c = self.condition(0);
                format!("({{ let ({x}, {y}) = count({count}, |{i}| ({body} < s, {c})); {x} as f64 - {y} as f64 }})")
            }
            15 => {
                self.note("index of an extreme");
                let name = *self.rng.pick(&["argmin", "argmax"]);
                format!("(if {count} > 0 {{ v[{name}({count}, |{i}| {body}) % 3] }} else {{ s }})")
            }
            16 | 17 => {
                self.note("reduction of integers");
                let name = *self.rng.pick(&["sum", "min", "max", "prod"]);
                format!("({name}({count}, |{i}| {body} as i64 % 5) as f64)")
            }
            18 => {
                self.note("reduction of integers");
                format!("(reduce({count}, 1, |{x}, {y}| {x} * {y} % 7, |{i}| ({body} as u64 % 7)) as f64)")
            }
            20 | 21 => self.over_axes(count, i, body),
            _ => format!("sum({count}, |{i}| {body})"),
        }
    }

    /// A reduction over two axes, one of them of three elements.
    fn over_axes(&mut self, count: &str, i: &str, body: &str) -> String {
        self.note("several axes");
        let [j, x, y] = ["i", "x", "x"].map(|name| self.name(name));
        let (axes, indices) = match self.rng.one_in(2) {
            true => (format!("[{count}, 3]"), format!("|{i}, {j}|")),
            false => (format!("[3, {count}]"), format!("|{j}, {i}|")),
        };
        let term = format!("{body} * v[{j}]");
        match self.rng.below(7) {
            0 => format!("max({axes}, {indices} {term})"),
            1 => format!("(count({axes}, {indices} {term} < s) as f64)"),
            2 => format!("(if any({axes}, {indices} {term} < s) {{ 1.5 }} else {{ s }})"),
            3 => format!("reduce({axes}, s, |{x}, {y}| if {y} > 0.25 {{ {y} }} else {{ {x} }}, {indices} {term})"),
            4 | 5 => {
                let name = *self.rng.pick(&["argmin", "argmax"]);
                format!(
                    "(if {count} > 0 {{ let ({x}, {y}) = {name}({axes}, {indices} {term}); \
                     v[{x} % 3] - v[{y} % 3] * s }} else {{ s }})"
                )
            }
            _ => format!("({{ let ({x}, {y}) = sum({axes}, {indices} ({term}, {j})); {x} - {y} as f64 }})"),
        }
    }

    /// A reduction by an associative function. Only the last two are commutative.
    fn combined(&mut self, count: &str, i: &str, body: &str, (x, y): (&str, &str)) -> String {
        let number = |f: String| format!("reduce({count}, s, |{x}, {y}| {f}, |{i}| {body})");
        match self.rng.below(6) {
            0 => number(format!("if {y} > 0.25 {{ {y} }} else {{ {x} }}")),
            1 => number(format!("if sum(3, |l| v[l] * {y}) > 0.0 {{ {y} }} else {{ {x} }}")),
            2 => format!(
                "({{ let ({x}, {y}) = reduce({count}, (1.0, s), |{x}, {y}| ({x}.0 * {y}.0, {x}.1 * {y}.0 + {y}.1), \
                 |{i}| (0.5, {body})); {x} + {y} }})"
            ),
            3 => format!(
                "reduce({count}, (s, false), |{x}, {y}| if {y}.1 {{ {y} }} else {{ {x} }}, |{i}| ({body}, {i} % 2 == 0)).0"
            ),
            4 => format!("reduce({count}, 0.0, f64::max, |{i}| {body})"),
            _ => number(format!("{y} + {x}")),
        }
    }
}
