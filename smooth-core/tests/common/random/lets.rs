//! Names for terms and functions, and conditions.

use super::{Gen, Size, Ty};

impl Gen {
    /// `{ let x = …; … }` around a term of any type.
    pub(super) fn with_let(&mut self, depth: usize, body: impl FnOnce(&mut Self) -> String) -> String {
        let ty = match self.rng.below(15) {
            0 => Ty::F64,
            1..=4 => Ty::Array(vec![self.size()]),
            5 => Ty::Array(vec![self.size(), self.size()]),
            6 => Ty::Tuple(vec![Ty::F64, Ty::Array(vec![self.size()])]),
            7 => Ty::Tuple(vec![
                Ty::Array(vec![self.size()]),
                Ty::Tuple(vec![Ty::F64, Ty::Array(vec![self.size(), self.size()])]),
            ]),
            8 => Ty::Usize,
            9 => Ty::Bool,
            10 => Ty::Ints(self.size()),
            11 | 12 => self.of_tuples(),
            _ => return self.with_closure(depth, body),
        };
        match &ty {
            Ty::Usize => self.note("usize let"),
            Ty::Bool => self.note("bool let"),
            _ => {}
        }
        let value = self.term(&ty, depth);
        self.bound(ty, value, body)
    }

    /// `{ let x = value; body }`, taken apart if it is a tuple.
    pub(super) fn bound(&mut self, ty: Ty, value: String, body: impl FnOnce(&mut Self) -> String) -> String {
        self.scoped(|g| {
            let pattern = g.pattern(&ty);
            let value = match &ty {
                Ty::Array(dims) if dims[0] == "3" => g.taken_apart(&value),
                _ => value,
            };
            let body = match &ty {
                Ty::Array(dims) if dims.len() == 1 && g.rng.one_in(3) => g.shared(&pattern, dims[0], body),
                _ => body(g),
            };
            format!("({{ let {pattern} = {value}; {body} }})")
        })
    }

    /// An array of three elements, each with a name.
    fn taken_apart(&mut self, value: &str) -> String {
        self.note("array pattern");
        let names = [(); 3].map(|()| self.name("x")).join(", ");
        format!("{{ let [{names}] = {value}; [{names}] }}")
    }

    /// Two more consumers of an array before the term itself: a loop in order and one at other places.
    fn shared(&mut self, x: &str, size: Size, body: impl FnOnce(&mut Self) -> String) -> String {
        self.note("shared array");
        let (i, e) = self.looped(size, |g| g.leaf());
        let (j, at) = self.looped(size, |g| g.surely(size));
        let y = self.name("x");
        let consumers = format!("let {y} = sum({size}, |{i}| {x}[{i}] * {e}) - sum({size}, |{j}| {x}[{at}]);");
        self.vars.push((y, Ty::F64));
        format!("({{ {consumers} {} }})", body(self))
    }

    pub(super) fn pattern(&mut self, ty: &Ty) -> String {
        match ty {
            Ty::Tuple(ts) => format!("({})", ts.iter().map(|t| self.pattern(t)).collect::<Vec<_>>().join(", ")),
            t => {
                let x = self.name(if *t == Ty::Usize { "q" } else { "x" });
                self.vars.push((x.clone(), t.clone()));
                x
            }
        }
    }

    fn with_closure(&mut self, depth: usize, body: impl FnOnce(&mut Self) -> String) -> String {
        let (f, count) = (self.name("g"), 1 + self.rng.below(3));
        self.note(if count > 1 { "closure of several" } else { "closure" });
        let (params, inner) = self.lambda(count, depth.min(2), true);
        self.scoped(|g| {
            g.closures.push((f.clone(), count));
            let body = body(g);
            format!("({{ let {f} = |{params}| {inner}; {body} }})")
        })
    }

    /// A function of numbers: its parameters and its body.
    pub(super) fn lambda(&mut self, count: usize, depth: usize, typed: bool) -> (String, String) {
        self.scoped(|g| {
            let names: Vec<String> = (0..count).map(|_| g.name("y")).collect();
            g.vars.extend(names.iter().map(|y| (y.clone(), Ty::F64)));
            let inner = g.scalar(depth);
            let last = &names[count - 1];
            let params: Vec<String> =
                names.iter().map(|y| if typed { format!("{y}: f64") } else { y.clone() }).collect();
            (params.join(", "), format!("{inner} + {last} * 0.5"))
        })
    }

    pub(super) fn condition(&mut self, depth: usize) -> String {
        let flags: Vec<String> = self.vars.iter().filter(|(_, t)| *t == Ty::Bool).map(|(x, _)| x.clone()).collect();
        let simple = match self.rng.below(6) {
            0 => format!("n > {}", self.rng.below(4)),
            1 if !self.indices.is_empty() => format!("{} % 2 == 0", self.indices[self.rng.below(self.indices.len())].0),
            2 => "yes".into(),
            3 if !flags.is_empty() => self.rng.pick(&flags).clone(),
            // The second operand may be evaluated only if the first is true.
            4 if self.indices.iter().any(|(_, s)| *s == "n") => {
                let i = self.indices.iter().rev().find(|(_, s)| *s == "n").map_or("", |(i, _)| i).to_string();
                self.note("and, or");
                return format!("({i} > 0 && a[{i} - 1] < b[{i}])");
            }
            _ => format!("{} < {}", self.scalar(depth.min(1)), self.scalar(0)),
        };
        if depth > 0 && self.rng.one_in(4) {
            self.note("and, or");
            let other = self.condition(0);
            return match self.rng.below(3) {
                0 => format!("({simple} && {other})"),
                1 => format!("({simple} || {other})"),
                _ => format!("!({simple} || {other})"),
            };
        }
        format!("({simple})")
    }
}
