//! Rows of three that are written out, number by number, as points and pixels are: one term three times, in which a row's own
//! numbers, those of another row and names occur.

use super::{Gen, Size, Ty};

/// Stands for the number of a row, and for that of another one.
const OWN: &str = "§";
const OTHER: &str = "†";

impl Gen {
    /// `build(n, |i| [e, e', e''])`.
    pub(super) fn built_of_rows(&mut self, size: Size) -> String {
        self.note("row written out");
        let (i, body) = self.looped(size, |g| {
            let (names, rows) = g.rows_of(None);
            let rows = format!("[{}]", rows.join(", "));
            if names.is_empty() { rows } else { format!("{{ {}{rows} }}", names.concat()) }
        });
        format!("build({size}, |{i}| {body})")
    }

    /// `for i in 0..n { x[i][0] = e; x[i][1] = e'; x[i][2] = e''; }`.
    pub(super) fn changed_rows(&mut self, d: usize) -> String {
        self.note("row written out");
        let of_three = |(x, t): &(String, Ty)| match t {
            Ty::Array(dims) if dims.len() == 2 && dims[1] == "3" => Some((x.clone(), dims[0])),
            _ => None,
        };
        let (text, x, size) = match self.reach.places.iter().rev().find_map(of_three) {
            Some((x, size)) => (String::new(), x, size),
            None => {
                // There is an argument of `k` such rows.
                let (size, x) = (if self.rng.one_in(2) { "k" } else { self.size() }, self.name("x"));
                let ty = Ty::Array(vec![size, "3"]);
                let init = self.value(&ty, d.min(1));
                self.declare(&x, &ty);
                (format!("let mut {x} = {init}; "), x, size)
            }
        };
        let (i, body) = self.looped(size, |g| {
            let at = format!("{x}[{}]", g.indices.last().map_or("0", |(i, _)| i));
            let (names, rows) = g.rows_of(Some(&at));
            let op = *g.rng.pick(&["=", "=", "=", "+=", "*="]);
            let store = |k: usize| format!("{at}[{k}] {op} {}; ", rows[k]);
            // Each name right before its row, or all of them first.
            if !g.rng.one_in(3) && !names.is_empty() {
                return (0..3).fold(String::new(), |text, k| text + &names[k] + &store(k));
            }
            let order = *g.rng.pick(&[[0, 1, 2], [0, 1, 2], [0, 1, 2], [2, 1, 0], [1, 2, 0]]);
            order.iter().fold(names.concat(), |text, k| text + &store(*k))
        });
        // A sum that reads the changed rows.
        let numbers: Vec<_> = self.reach.places.iter().filter(|(_, t)| *t == Ty::F64).map(|(x, _)| x.clone()).collect();
        let read = numbers.last().map_or(String::new(), |total| {
            format!("{total} += sum({size}, |{i}| {x}[{i}][0] - {x}[{i}][1] * 0.5 + {x}[{i}][2]); ")
        });
        format!("{text}for {i} in 0..{size} {{ {body}}} {read}")
    }

    /// The terms of three rows, and the `let`s of names in them, one for each or none. `own`: the row that changes. The next row
    /// may use a name as well.
    fn rows_of(&mut self, own: Option<&str>) -> (Vec<String>, Vec<String>) {
        let (plain, y) = (!self.rng.one_in(3), self.name("y"));
        let own = own.unwrap_or_default();
        let before = Row { own, y: "", plain };
        let names: Vec<String> = if self.rng.one_in(2) {
            let terms = self.alike(&before).into_iter().enumerate();
            terms.map(|(k, e)| format!("let {y}_{k} = {e}; ")).collect()
        } else {
            vec![]
        };
        let mut rows = self.alike(&Row { y: if names.is_empty() { "" } else { &y }, ..before });
        if !names.is_empty() && self.rng.one_in(2) {
            let (k, first) = (1 + self.rng.below(2), self.rng.one_in(2));
            let (name, before) = (format!("{y}_{k}"), format!("{y}_{}", k - 1));
            let found = if first { rows[k].find(&name) } else { rows[k].rfind(&name) };
            if let Some(at) = found {
                rows[k].replace_range(at..at + name.len(), &before);
            }
        }
        (names, rows)
    }

    /// One term for each row, mostly alike.
    fn alike(&mut self, row: &Row<'_>) -> Vec<String> {
        let text = self.row_term(row, 2);
        // A name with one use would be inlined.
        let y = format!("{}_{OWN}", row.y);
        let text = if row.y.is_empty() { text } else { format!("({text} - {y} * {y})") };
        let of = |k: usize| text.replace(OWN, &k.to_string()).replace(OTHER, &((k + 1) % 3).to_string());
        let mut rows: Vec<String> = (0..3).map(of).collect();
        if !row.plain && self.rng.one_in(3) {
            let (k, e) = (self.rng.below(3), self.row_term(row, 1));
            rows[k] = e.replace(OWN, &k.to_string()).replace(OTHER, &((k + 2) % 3).to_string());
        }
        rows
    }

    fn row_term(&mut self, row: &Row<'_>, depth: usize) -> String {
        if depth == 0 || self.rng.one_in(8) {
            return self.row_leaf(row);
        }
        let [a, b] = [0; 2].map(|_| self.row_term(row, depth - 1));
        match self.rng.below(if row.plain { 8 } else { 12 }) {
            0..=2 => format!("({a} + {b})"),
            3 | 4 => format!("({a} * {b})"),
            5 | 6 => format!("({a} - {b})"),
            7 => format!("({a}).max({b})"),
            8 | 9 => format!("(if {a} < {b} {{ {a} * 0.5 }} else {{ {b} }})"),
            _ => format!("((({a} * 8.0) as i32 / 3) as f64 - {b})"),
        }
    }

    fn row_leaf(&mut self, row: &Row<'_>) -> String {
        let Row { own, y, plain } = row;
        let part = if !plain && self.rng.one_in(5) { OTHER } else { OWN };
        match self.rng.below(if *plain { 12 } else { 15 }) {
            0..=5 if !y.is_empty() => format!("{y}_{OWN}"),
            0..=8 if !own.is_empty() && self.rng.one_in(2) => format!("{own}[{part}]"),
            9 => "s".into(),
            12 => format!("(WEIGHTS[{part}] - s)"),
            13 => format!("v[{part}]"),
            14 => self.leaf(),
            _ => {
                let (i, size) = self.indices.last().cloned().unwrap_or_default();
                let rows = self.arrays().into_iter().filter(|(_, e)| e[..] == [size, "3"]);
                let rows: Vec<String> = rows.map(|(x, _)| x).collect();
                if rows.is_empty() { "s".into() } else { format!("{}[{i}][{part}]", self.rng.pick(&rows)) }
            }
        }
    }
}

/// The operands of the terms of rows.
struct Row<'a> {
    /// The row that changes; empty if there is none.
    own: &'a str,
    /// The beginning of the names of rows; empty if there are none.
    y: &'a str,
    /// Whether all rows are alike, and could be iterations of a loop.
    plain: bool,
}
