//! Assignments: to variables, elements, rows and parts of tuples.

use super::indices::{never_empty, paren};
use super::{Gen, Size, Ty};

impl Gen {
    /// A loop that adds to one element of an array that is not empty.
    pub(super) fn gathered(&mut self, x: &str, size: Size) -> String {
        self.note("loop that adds to one element");
        let (bound, i, e) = (self.size(), self.name("i"), self.value(&Ty::F64, 0));
        format!("if {size} > 0 {{ for {i} in 0..{bound} {{ {x}[0] += {e}; }} }} ")
    }

    /// An assignment to one of the variables in reach.
    pub(super) fn assignment(&mut self, d: usize) -> String {
        if self.reach.places.is_empty() {
            return String::new();
        }
        let (x, ty) = self.rng.pick(&self.reach.places).clone();
        if x.contains('.') {
            self.note("assignment to a part");
        }
        match &ty {
            Ty::F64 => {
                self.note("assignment to a number");
                let e = self.value(&Ty::F64, d.min(2));
                match self.rng.below(8) {
                    0 | 1 => format!("{x} = {e}; "),
                    2 => format!("{x} = {x} * 0.5 + {e}; "),
                    3 | 4 => format!("{x} += {e}; "),
                    5 => format!("{x} -= {e}; "),
                    6 => format!("{x} *= {e}; "),
                    _ => format!("{x} /= 1.5 + {e}.abs(); "),
                }
            }
            Ty::Usize => {
                let e = self.value(&Ty::Usize, 0);
                match self.rng.below(4) {
                    0 => format!("{x} = {e}; "),
                    1 => format!("{x} = ({x} + {e}) % 9; "),
                    2 => format!("{x} = {x}.saturating_sub(1); "),
                    _ => format!("{x} += 1; "),
                }
            }
            Ty::Bool => {
                let c = self.test(d.min(1));
                match self.rng.below(4) {
                    0 => format!("{x} = !{x}; "),
                    1 => format!("{x} |= {c}; "),
                    2 => format!("{x} &= {c}; "),
                    _ => format!("{x} = {c}; "),
                }
            }
            Ty::Ints(size) => {
                let size = *size;
                let value = self.pure_natural();
                match self.place(&x, &[size]) {
                    Some((place, guard)) if self.rng.one_in(2) => under(&guard, format!("{place} = {value}; ")),
                    Some((place, guard)) => under(&guard, format!("{place} = ({place} + {value}) % 7; ")),
                    None => format!("{x}.fill(2); "),
                }
            }
            Ty::Array(dims) => self.changed(&x, &dims.clone(), d),
            Ty::Pairs(ts, size) => self.changed_pairs(&x, ts, size, d),
            Ty::Tuple(_) => format!("{x} = {}; ", self.value(&ty, d.min(1))),
        }
    }

    fn pure_natural(&mut self) -> String {
        self.value(&Ty::Usize, 0)
    }

    /// A change of an array: of an element, mostly.
    fn changed(&mut self, x: &str, dims: &[Size], d: usize) -> String {
        if dims.len() == 2 && self.rng.one_in(8) {
            return self.rows_anew(x, dims, d);
        }
        match self.rng.below(12) {
            0 => {
                self.note("assignment of an array");
                format!("{x} = {}; ", self.value(&Ty::Array(dims.to_vec()), d.min(2)))
            }
            1 | 2 => self.swapped(x, dims).unwrap_or_default(),
            3 | 4 => self.filled(x, dims),
            5..=8 if dims.len() > 1 => {
                self.note("assignment of a row");
                if dims.len() == 2 && !self.rng.one_in(3) {
                    return if self.rng.one_in(2) { self.row_of_itself(x, dims) } else { self.row_of_another(x, dims) };
                }
                let row = self.value(&Ty::Array(dims[1..].to_vec()), d.min(1));
                self.place(x, &dims[..1]).map_or(String::new(), |(row_of, g)| under(&g, format!("{row_of} = {row}; ")))
            }
            _ => {
                self.note("assignment to an element");
                let e = self.value(&Ty::F64, d.min(2));
                let op = *self.rng.pick(&["=", "=", "+=", "-=", "*="]);
                let Some((place, guard)) = self.place(x, dims) else { return self.filled(x, dims) };
                match self.rng.below(4) {
                    0 => under(&guard, format!("{place} = {place} * 0.5 + {e}; ")),
                    _ => under(&guard, format!("{place} {op} {e}; ")),
                }
            }
        }
    }

    /// A row computed from another order of its own elements.
    fn row_of_itself(&mut self, x: &str, dims: &[Size]) -> String {
        let Some((row, guard)) = self.place(x, &dims[..1]) else { return String::new() };
        let (j, n, e) = (self.name("j"), paren(dims[1]), self.leaf());
        let at = if self.rng.one_in(2) { format!("{n} - 1 - {j}") } else { format!("{j} / 2") };
        under(&guard, format!("{row} = build({n}, |{j}| {row}[{at}] * 0.5 - {row}[{j}] * {e}); "))
    }

    /// A row computed from another row of the same array.
    pub(super) fn row_of_another(&mut self, x: &str, dims: &[Size]) -> String {
        let Some((row, mut guard)) = self.place(x, &dims[..1]) else { return String::new() };
        let Some((other, condition)) = self.at(dims[0]) else { return String::new() };
        guard.extend(condition);
        self.note("row from another row");
        let (j, h, n, e) = (self.name("j"), self.name("h"), paren(dims[1]), self.leaf());
        let text = match self.rng.below(3) {
            0 => format!("for {j} in 0..{n} {{ {row}[{j}] = {x}[{h}][{j}] * 0.5 - {row}[{j}]; }}"),
            1 => format!("{row} = build({n}, |{j}| {x}[{h}][{n} - 1 - {j}] - {e});"),
            _ => format!("{row} = build({n}, |{j}| {row}[{j}] + {x}[{h}][{j}] * {e});"),
        };
        under(&guard, format!("{{ let {h} = {other}; {text} }} "))
    }

    /// Nested loops that exchange elements of an array.
    pub(super) fn exchanges(&mut self, x: &str, size: Size) -> String {
        self.note("exchange in nested loops");
        let (i, j, n) = (self.name("i"), self.name("j"), paren(size));
        let inner = match self.rng.below(3) {
            0 => format!("{i} + 1..{n}"),
            1 => format!("0..{i}"),
            _ => format!("0..{n} - {i}"),
        };
        let test = match self.rng.below(3) {
            0 => format!("{x}[{j}] < {x}[{i}]"),
            1 => format!("({i} + {j}) % 2 == 0"),
            _ => self.test(0),
        };
        let text = match self.rng.below(3) {
            0 => format!("{x}.swap({i}, {j});"),
            1 => format!("let old = {x}[{i}]; {x}[{i}] = {x}[{j}]; {x}[{j}] = old;"),
            _ => format!("({x}[{i}], {x}[{j}]) = ({x}[{j}], {x}[{i}] * 0.5);"),
        };
        format!("for {i} in 0..{size} {{ for {j} in {inner} {{ if {test} {{ {text} }} }} }} ")
    }

    /// An exchange of elements or rows.
    pub(super) fn swapped(&mut self, x: &str, dims: &[Size]) -> Option<String> {
        self.note("swap");
        let (path, mut guard, size) = match dims {
            [size] => (x.to_string(), vec![], *size),
            [.., size] if self.rng.one_in(2) => {
                let (path, guard) = self.place(x, &dims[..dims.len() - 1])?;
                (path, guard, *size)
            }
            _ => (x.to_string(), vec![], dims[0]),
        };
        let [(i, first), (j, second)] = [self.at(size)?, self.at(size)?];
        guard.extend(first.into_iter().chain(second));
        Some(under(&guard, format!("{path}.swap({i}, {j}); ")))
    }

    /// `fill` and `copy_from_slice`, of all, of a row, or of a part.
    fn filled(&mut self, x: &str, dims: &[Size]) -> String {
        self.note("fill or copy");
        let Some((last, rows)) = dims.split_last() else { return String::new() };
        let Some((path, guard)) = self.place(x, rows) else { return String::new() };
        let part = if self.rng.one_in(2) { format!("[{}]", self.half(last)) } else { String::new() };
        let others: Vec<_> = self.arrays().into_iter().filter(|(y, d)| d == &[*last] && root(y) != root(x)).collect();
        if !others.is_empty() && self.rng.one_in(2) {
            let y = self.rng.pick(&others).0.clone();
            return under(&guard, format!("{path}{part}.copy_from_slice(&{y}{part}); "));
        }
        let e = *self.rng.pick(&["0.5", "s", "-1.25", "(p as f64)"]);
        under(&guard, format!("{path}{part}.fill({e}); "))
    }

    /// Two variables of one type change places, or one element and a number.
    pub(super) fn exchange(&mut self) -> String {
        let places = self.reach.places.clone();
        let (x, ty) = self.rng.pick(&places).clone();
        let alike: Vec<_> = places.iter().filter(|(y, t)| *t == ty && root(y) != root(&x)).collect();
        if let Some((y, _)) = alike.first() {
            self.note("exchange of variables");
            return format!("({x}, {y}) = ({y}, {x}); ");
        }
        self.assignment(1)
    }

    /// A place in an array, and the conditions under which it exists; `None` if there is none.
    pub(super) fn place(&mut self, x: &str, dims: &[Size]) -> Option<(String, Vec<String>)> {
        let (mut path, mut guard) = (x.to_string(), vec![]);
        for d in dims {
            let (i, condition) = self.at(d)?;
            path += &format!("[{i}]");
            guard.extend(condition);
        }
        Some((path, guard))
    }

    /// An index, and the condition under which there is one.
    fn at(&mut self, size: Size) -> Option<(String, Option<String>)> {
        if size == "0" {
            return None;
        }
        match self.index(size) {
            Some(i) => Some((i, None)),
            None if never_empty(size) => Some(("0".into(), None)),
            None => {
                let i = if self.rng.one_in(2) { "0".into() } else { format!("{size} - 1") };
                Some((i, Some(format!("{} > 0", paren(size)))))
            }
        }
    }
}

/// The variable that a place is a part of.
pub(super) fn root(x: &str) -> &str {
    x.trim_matches(['(', ')', '*']).split('.').next().unwrap_or_default()
}

/// A statement under conditions.
pub(super) fn under(guard: &[String], statement: String) -> String {
    match guard {
        [] => statement,
        all => format!("if {} {{ {statement}}} ", all.join(" && ")),
    }
}
