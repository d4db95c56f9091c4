//! Rows with names that are computed from each other in a loop, and then put side by side: as variables, as the states of a fold,
//! and as rows of one array.

use super::{Gen, Size, Ty};

impl Gen {
    /// Three rows of an array, or one of some arrays, that a loop computes in turn.
    pub(super) fn turned(&mut self, dims: &[Size], d: usize) -> String {
        self.note("rows in turn");
        let beside = dims.len() > 1 && dims[0] == "3";
        let row = if beside { &dims[1..] } else { dims };
        let (size, q, ty) = (self.size(), self.name("q"), Ty::Array(row.to_vec()));
        let count = if beside { 3 } else { 2 + self.rng.below(2) };
        let names: Vec<String> = (0..count).map(|_| self.name("r")).collect();
        let first: Vec<String> = names.iter().map(|_| self.array(row, d.min(1))).collect();
        let (all, first) = (names.join(", "), first.join(", "));
        let last = names[self.rng.below(count)].clone();
        self.scoped(|g| {
            g.loops += 1;
            let text = match g.rng.below(6) {
                0 if beside => {
                    let s = g.name("s");
                    g.vars.push((s.clone(), Ty::Array(dims.to_vec())));
                    let rows: Vec<String> = (0..3).map(|k| format!("{s}[{k}]")).collect();
                    let (lets, next) = g.next_rows(&rows, row);
                    format!("{{ let mut {s} = [{first}]; for {q} in 0..{size} {{ {lets}{s} = [{next}]; }} {s} }}")
                }
                1 if beside => {
                    let s = g.name("s");
                    let rows: Vec<String> = (0..3).map(|k| format!("{s}[{k}]")).collect();
                    let (lets, next) = g.next_rows(&rows, row);
                    format!("ifold({size}, [{first}], |{s}, {q}| {{ {lets}[{next}] }})")
                }
                2 => {
                    let (lets, next) = g.next_rows(&names, row);
                    let result = if beside { format!("[{all}]") } else { last };
                    format!(
                        "{{ let ({all}) = ifold({size}, ({first}), |({all}), {q}| {{ {lets}({next}) }}); {result} }}"
                    )
                }
                form => {
                    g.vars.extend(names.iter().map(|x| (x.clone(), ty.clone())));
                    let steps: String = (0..1 + g.rng.below(3)).map(|_| g.turn(&names, row)).collect();
                    let variables = all.replace("r", "mut r");
                    let run = match form {
                        3 => format!("let mut {q} = 0; while {q} < {size} {{ {steps}{q} += 1; }}"),
                        _ => format!("for {q} in 0..{size} {{ {steps}}}"),
                    };
                    let result = if beside { format!("[{all}]") } else { last };
                    format!("{{ let ({variables}) = ({first}); {run} {result} }}")
                }
            };
            g.loops -= 1;
            text
        })
    }

    /// Statements that name rows, and the next rows: one of these, computed, or one of the old ones.
    fn next_rows(&mut self, rows: &[String], row: &[Size]) -> (String, String) {
        let (mut lets, mut named) = (String::new(), rows.to_vec());
        for _ in 0..self.rng.below(3) {
            let (x, e) = (self.name("x"), self.row_from(&named, row));
            lets += &format!("let {x} = {e}; ");
            named.push(x);
        }
        let next: Vec<String> = rows
            .iter()
            .map(|_| match self.rng.below(4) {
                0 => format!("{}.clone()", self.rng.pick(rows)),
                1 => format!("{}.clone()", named[named.len() - 1]),
                _ => self.row_from(&named, row),
            })
            .collect();
        (lets, next.join(", "))
    }

    /// A statement that changes some of these rows.
    fn turn(&mut self, names: &[String], row: &[Size]) -> String {
        let (x, y) = (self.rng.pick(names).clone(), self.rng.pick(names).clone());
        let e = self.row_from(names, row);
        match self.rng.below(7) {
            0 if x != y => format!("({x}, {y}) = ({y}, {x}); "),
            1 | 2 if x != y => format!("({x}, {y}) = ({e}, {x}); "),
            3 => {
                let w = self.name("x");
                let after = self.row_from(&[names, std::slice::from_ref(&w)].concat(), row);
                format!("let {w} = {e}; {x} = {after}; {y} = {w}; ")
            }
            4 => format!("if {} {{ {x} = {e}; }} ", self.test(0)),
            _ => format!("{x} = {e}; "),
        }
    }

    /// A row of elements of these rows, most of them at its own indices.
    fn row_from(&mut self, names: &[String], row: &[Size]) -> String {
        let indices: Vec<String> = row.iter().map(|_| self.name("i")).collect();
        let own: String = indices.iter().map(|i| format!("[{i}]")).collect();
        let element = self.scoped(|g| {
            g.indices.extend(indices.iter().cloned().zip(row.iter().copied()));
            let terms: Vec<String> = (0..2 + g.rng.below(2))
                .map(|_| match (g.rng.below(6), g.rng.pick(names).clone()) {
                    (0, x) => g.element(&x, row),
                    (1, _) => g.leaf(),
                    (_, x) => format!("{x}{own}"),
                })
                .collect();
            let between: &str = g.rng.pick::<&str>(&[" - 0.5 * ", " + ", " - "]);
            terms.join(between)
        });
        format!("build([{}], |{}| {element})", row.join(", "), indices.join(", "))
    }
}
