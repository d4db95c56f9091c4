//! Arrays of tuples: built, scanned, zipped and taken apart, updated by the tuple and by the part.

use super::indices::paren;
use super::places::under;
use super::{Gen, Size, Ty};

impl Gen {
    /// The type of an array of tuples.
    pub(super) fn of_tuples(&mut self) -> Ty {
        let parts = match self.rng.below(6) {
            0 | 1 => vec![Ty::F64, Ty::Usize],
            2 | 3 => vec![Ty::F64, Ty::F64],
            4 => vec![Ty::F64, Ty::Tuple(vec![Ty::F64, Ty::Usize])],
            _ => vec![Ty::Array(vec!["3"]), Ty::F64],
        };
        Ty::Pairs(parts, self.size())
    }

    /// An array of tuples.
    pub(super) fn pairs(&mut self, ts: &[Ty], size: Size, depth: usize) -> String {
        self.note("array of tuples");
        self.fuel -= 1;
        let whole = Ty::Pairs(ts.to_vec(), size);
        let have: Vec<String> = self.vars.iter().filter(|(_, t)| *t == whole).map(|(x, _)| x.clone()).collect();
        if !have.is_empty() && self.rng.one_in(3) {
            return format!("{}.clone()", self.rng.pick(&have));
        }
        let d = depth.saturating_sub(1);
        if depth == 0 || self.fuel <= 0 {
            let (i, entry) = self.looped(size, |g| g.entry(ts, 0));
            return format!("build({size}, |{i}| {entry})");
        }
        match (self.rng.below(12), ts) {
            (0, _) => {
                format!(
                    "(if {} {{ {} }} else {{ {} }})",
                    self.condition(0),
                    self.pairs(ts, size, d),
                    self.pairs(ts, size, 0)
                )
            }
            (1 | 2, _) => self.stateful(&whole, d),
            (3, _) => self.with_let(d, |g| g.pairs(ts, size, d)),
            (4 | 5, _) => self.scan(&Ty::Tuple(ts.to_vec()), size, d),
            (6, _) => {
                // A fold whose state is such an array.
                let (init, x, i, j) = (self.pairs(ts, size, 0), self.name("x"), self.name("i"), self.name("j"));
                let (count, _) = self.count(&["2", "k", "3"]);
                let entry = self.scoped(|g| {
                    g.vars.push((x.clone(), whole.clone()));
                    g.indices.push((j.clone(), size));
                    g.entry(ts, 1)
                });
                format!("ifold({count}, {init}, |{x}, {i}| build({size}, |{j}| {entry}))")
            }
            (7 | 8, [Ty::F64, Ty::Usize]) => {
                let (a, u) = (self.array(&[size], d), self.term(&Ty::Ints(size), d));
                if self.rng.one_in(2) {
                    return format!("zipped(&{a}, &{u})");
                }
                let x = self.name("x");
                format!("({{ let {x}: {} = ({a}, {u}); {x} }})", whole.written())
            }
            (7..=9, [Ty::F64, Ty::F64]) => {
                self.note("call not inlined");
                format!("large_points(&{}, {})", self.pairs(ts, size, d), self.leaf())
            }
            _ => {
                let (i, entry) = self.looped(size, |g| g.entry(ts, d));
                format!("build({size}, |{i}| {entry})")
            }
        }
    }

    /// A tuple of parts.
    fn entry(&mut self, ts: &[Ty], d: usize) -> String {
        if d > 0 && self.rng.one_in(3) {
            return self.tuple(ts, d);
        }
        let parts: Vec<String> = ts
            .iter()
            .map(|t| match t {
                Ty::Tuple(ts) => self.entry(ts, d),
                Ty::F64 => self.scalar(d.min(1)),
                t => self.term(t, 0),
            })
            .collect();
        format!("({})", parts.join(", "))
    }

    /// A number in a tuple at a place.
    fn part(&mut self, place: &str, ts: &[Ty]) -> String {
        let k = self.rng.below(ts.len());
        match &ts[k] {
            Ty::Tuple(ts) => self.part(&format!("{place}.{k}"), ts),
            Ty::Array(_) => format!("{place}.{k}[{}]", self.rng.below(3)),
            Ty::Usize => format!("({place}.{k} as f64)"),
            _ => format!("{place}.{k}"),
        }
    }

    /// A number in an element of an array of tuples.
    pub(super) fn part_of(&mut self, x: &str, ts: &[Ty], size: Size) -> String {
        match self.index(size) {
            Some(i) => self.part(&format!("{x}[{i}]"), ts),
            None if size == "0" => "0.5".into(),
            None => format!("(if {} > 0 {{ {} }} else {{ 0.5 }})", paren(size), self.part(&format!("{x}[0]"), ts)),
        }
    }

    /// A number computed from an array of tuples.
    pub(super) fn read_pairs(&mut self, d: usize) -> String {
        let ty = self.of_tuples();
        let Ty::Pairs(ts, size) = ty.clone() else { return self.leaf() };
        let (array, x) = (self.pairs(&ts, size, d), self.name("x"));
        let text = self.scoped(|g| {
            g.vars.push((x.clone(), ty.clone()));
            match (g.rng.below(8), ts.as_slice()) {
                (0, _) => {
                    // The array taken apart.
                    let parts: Vec<Ty> = ts.iter().map(|t| t.in_array(size)).collect();
                    let pattern = g.pattern(&Ty::Tuple(parts));
                    format!("let {pattern} = {x}; {}", g.scalar(d))
                }
                (1 | 2, [Ty::F64, last @ (Ty::F64 | Ty::Usize)]) => {
                    let (y, z, i) = (g.name("y"), g.name("y"), g.name("i"));
                    let name = *g.rng.pick(&["sum", "min", "max"]);
                    let cast = if *last == Ty::Usize { " as f64" } else { "" };
                    match g.rng.below(2) {
                        0 => format!("let ({y}, {z}) = {name}({size}, |{i}| {x}[{i}]); {y} - {z}{cast}"),
                        _ => format!("sum({x}.len(), |{i}| {{ let ({y}, {z}) = {x}[{i}]; {y} * {z}{cast} }})"),
                    }
                }
                (3 | 4, [Ty::F64, Ty::Usize]) => format!("weighted(&{x}, {})", g.leaf()),
                (5, [Ty::F64, Ty::F64]) => {
                    let (y, z, i) = (g.name("x"), g.name("x"), g.name("i"));
                    let points = format!("large_points(&{x}, {})", g.leaf());
                    format!("let ({y}, {z}) = {points}; sum({size}, |{i}| {y}[{i}] * {z}[{i}])")
                }
                _ => {
                    let (i, e) = g.looped(size, |g| {
                        let (one, other) = (g.part_of(&x, &ts, size), g.part_of(&x, &ts, size));
                        format!("{one} * 0.5 - {other} * {}", g.leaf())
                    });
                    format!("sum({size}, |{i}| {e})")
                }
            }
        });
        format!("({{ let {x} = {array}; {text} }})")
    }

    /// A change of an array of tuples.
    pub(super) fn changed_pairs(&mut self, x: &str, ts: &[Ty], size: Size, d: usize) -> String {
        self.note("update of tuples");
        let whole = Ty::Pairs(ts.to_vec(), size);
        let Some((place, guard)) = self.place(x, &[size]) else { return format!("{x} = {}; ", self.value(&whole, 0)) };
        let entry = Ty::Tuple(ts.to_vec());
        let text = match self.rng.below(10) {
            0 => return format!("{x} = {}; ", self.value(&whole, d.min(1))),
            1 => return self.swapped(x, &[size]).unwrap_or_default(),
            2 => return format!("{x}.fill({}); ", self.value(&entry, 0)),
            3 | 4 => format!("{place} = {}; ", self.value(&entry, d.min(1))),
            5 if ts[0] == Ty::F64 => {
                let y = self.name("y");
                format!("let {y} = {place}; {place}.0 = {y}.0 * 0.5 - {}; ", self.value(&Ty::F64, 0))
            }
            6 if ts == [Ty::F64, Ty::F64] => format!("({place}.1, {place}.0) = {place}; "),
            _ => {
                let op = *self.rng.pick(&["=", "+=", "-=", "*="]);
                let k = usize::from(ts[0] != Ty::F64);
                format!("{place}.{k} {op} {}; ", self.value(&Ty::F64, d.min(1)))
            }
        };
        under(&guard, text)
    }
}
