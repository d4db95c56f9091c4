//! Loops as statements: over numbers and elements, with conditions, with values.

use super::statements::{Kind, Target};
use super::{Gen, Size, Ty};

impl Gen {
    /// A loop that ends when its condition does not hold.
    pub(super) fn while_loop(&mut self, d: usize) -> String {
        self.note("while or loop");
        let (size, c) = (self.size(), self.test(0));
        let (q, body) = self.counted_loop(size, Kind::Loop, d);
        let c = if self.rng.one_in(2) { format!(" && {c}") } else { String::new() };
        format!("let mut {q} = 0; {}while {q} < {size}{c} {{ {} }} ", body.0, body.1)
    }

    pub(super) fn endless_loop(&mut self, d: usize) -> String {
        self.note("while or loop");
        let size = self.size();
        let (q, body) = self.counted_loop(size, Kind::Loop, d);
        format!("let mut {q} = 0; {}loop {{ if {q} >= {size} {{ break; }} {} }} ", body.0, body.1)
    }

    /// A loop that is a number.
    pub(super) fn valued_loop(&mut self, d: usize) -> String {
        self.note("while or loop");
        let size = self.size();
        let (q, body) = self.counted_loop(size, Kind::Valued, d);
        let (x, end) = (self.name("x"), self.value(&Ty::F64, 0));
        self.vars.push((x.clone(), Ty::F64));
        format!("let mut {q} = 0; let {x} = {}loop {{ if {q} >= {size} {{ break {end}; }} {} }}; ", body.0, body.1)
    }

    /// The counter of a loop; its label, and its body, which has the count as an index.
    fn counted_loop(&mut self, size: Size, kind: Kind, d: usize) -> (String, (String, String)) {
        let (q, i, label) = (self.name("q"), self.name("i"), format!("'{}", self.name("l")));
        self.loops += 1;
        let body = self.inside(Target { label: label.clone(), kind }, |g| {
            g.indices.push((i.clone(), size));
            g.unbounded += 1;
            let text = g.some(d) + &if g.rng.one_in(2) { g.leave(0) } else { String::new() };
            g.unbounded -= 1;
            text
        });
        self.loops -= 1;
        (q.clone(), (format!("{label}: "), format!("let {i} = {q}; {q} += 1; {body}")))
    }

    /// A loop over numbers or over the elements of an array.
    pub(super) fn for_loop(&mut self, d: usize) -> String {
        self.note("for");
        let label = format!("'{}", self.name("l"));
        let target = Target { label: label.clone(), kind: Kind::Loop };
        self.loops += 1;
        let text = match self.rng.below(10) {
            0..=6 => {
                let (range, size, plain) = self.range();
                let i = self.name("i");
                let body = self.inside(target, |g| {
                    g.indices.push((i.clone(), size));
                    g.unbounded += usize::from(!plain);
                    let text = g.some(d) + &if g.rng.one_in(4) { g.leave(0) } else { String::new() };
                    g.unbounded -= usize::from(!plain);
                    text
                });
                format!("{label}: for {i} in {range} {{ {body}}} ")
            }
            7 => self.changed_elements(d, &target),
            _ => self.elements(d, target),
        };
        self.loops -= 1;
        text
    }

    /// A range; a size that bounds its numbers; whether it starts at 0 and goes up to that size.
    fn range(&mut self) -> (String, Size, bool) {
        let (size, n) = (self.size(), 1 + self.rng.below(3));
        let outer = self.indices.last().cloned();
        match (self.rng.below(19), outer) {
            (0 | 12, _) => {
                self.note("for backwards or in steps");
                (format!("(0..{size}).rev()"), size, false)
            }
            (1 | 13, _) => {
                self.note("for backwards or in steps");
                (format!("(0..{size}).step_by({n})"), size, false)
            }
            (2, _) => {
                self.note("for backwards or in steps");
                (format!("(1..{size}).rev().step_by({n})"), size, false)
            }
            (15 | 17, _) => {
                self.note("for over a part");
                (format!("(0..{size}).skip({n})"), size, false)
            }
            (16 | 18, _) => {
                self.note("for over a part");
                (format!("(0..{size}).take({n})"), size, false)
            }
            (3, _) => ("0..=2".into(), "3", false),
            (4, _) => (format!("{}..{size}", n - 1), size, false),
            (5, Some((i, _))) => (format!("{i}..{size}"), size, false),
            (6, Some((i, _))) => (format!("{i} + 1..{size}"), size, false),
            (7, Some((i, outer))) => (format!("0..{i}"), outer, false),
            (8, Some((i, outer))) => (format!("0..={i}"), outer, false),
            (9, _) if self.indices.iter().any(|(_, s)| *s == "n") => {
                let i = self.indices.iter().rev().find(|(_, s)| *s == "n").map_or("", |(i, _)| i);
                (format!("u[{i}] % 3..{size}"), size, false)
            }
            _ => (format!("0..{size}"), size, true),
        }
    }

    /// `for &x in a.iter()`, with or without its index.
    fn elements(&mut self, d: usize, target: Target) -> String {
        self.note("for over elements");
        // The array of the iterator does not change in the loop.
        let fixed: Vec<_> = self
            .arrays()
            .into_iter()
            .filter(|(x, dims)| dims.len() == 1 && !self.reach.places.iter().any(|(y, _)| y == x))
            .collect();
        let (a, dims) = self.rng.pick(&fixed).clone();
        let (y, i, label) = (self.name("y"), self.name("i"), target.label.clone());
        let numbered = self.rng.one_in(2);
        let beside = self.rng.one_in(2).then(|| (self.rng.pick(&fixed).0.clone(), self.name("z")));
        if beside.is_some() {
            self.note("for over two arrays");
        }
        let body = self.inside(target, |g| {
            g.vars.push((y.clone(), Ty::F64));
            g.vars.extend(beside.iter().map(|(_, z)| (z.clone(), Ty::F64)));
            if numbered {
                g.indices.push((i.clone(), dims[0]));
                g.unbounded += 1;
            }
            let text = g.some(d);
            g.unbounded -= usize::from(numbered);
            text
        });
        let (item, items) = match beside {
            Some((b, z)) => (format!("(&{y}, &{z})"), format!("{a}.iter().zip({b}.iter())")),
            None => (format!("&{y}"), format!("{a}.iter()")),
        };
        match numbered {
            true => format!("{label}: for ({i}, {item}) in {items}.enumerate() {{ {body}}} "),
            false => format!("{label}: for {item} in {items} {{ {body}}} "),
        }
    }

    /// `for x in a.iter_mut()`, whose body does not read the array.
    fn changed_elements(&mut self, d: usize, target: &Target) -> String {
        let arrays: Vec<_> =
            self.reach.places.iter().filter(|(_, t)| matches!(t, Ty::Array(e) if e.len() == 1)).collect();
        if arrays.is_empty() {
            return self.elements(d, target.clone());
        }
        let a = self.rng.pick(&arrays).0.clone();
        let y = self.name("y");
        let hidden = self.vars.iter().position(|(x, _)| *x == a).map(|k| (k, self.vars.remove(k)));
        let e = self.value(&Ty::F64, d.min(1));
        if let Some((k, hidden)) = hidden {
            self.vars.insert(k, hidden);
        }
        self.note("for over elements");
        match self.rng.below(2) {
            0 => format!("for {y} in {a}.iter_mut() {{ *{y} = *{y} * 0.5 + {e}; }} "),
            _ => format!("for {y} in {a}.iter_mut() {{ *{y} += {e}; }} "),
        }
    }
}
