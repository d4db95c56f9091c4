//! Statements: variables that change, branches and `match`, loops that end early, and results that are returned early.
//!
//! Every program ends: a `while` or a `loop` counts its iterations.

use super::indices::paren;
use super::{Gen, Size, Ty};

/// The places that statements may change, and the targets that they may leave; none inside of a term or of a closure.
#[derive(Default)]
pub struct Reach {
    /// Variables and their parts.
    pub(super) places: Vec<(String, Ty)>,
    /// The loops and blocks around.
    pub(super) targets: Vec<Target>,
    /// The type of the kernel's result.
    pub(super) result: Option<Ty>,
}

/// A loop or a block with a label.
#[derive(Clone, PartialEq)]
pub struct Target {
    pub(super) label: String,
    pub(super) kind: Kind,
}

/// The kind of a `break`.
#[derive(Clone, Copy, PartialEq)]
pub enum Kind {
    Loop,
    /// The `break` of a `loop` has a value.
    Valued,
    /// A block has no `continue`.
    Block,
}

impl Gen {
    /// The body of a kernel, which may return early.
    pub(super) fn body(&mut self, ty: &Ty, d: usize) -> String {
        self.reach.result = Some(ty.clone());
        self.fuel += 10 + 4 * self.extras.len() as isize;
        let text = self.changing(ty, d);
        self.reach = Reach::default();
        text
    }

    /// A block with local variables, as a term.
    pub(super) fn stateful(&mut self, ty: &Ty, d: usize) -> String {
        if self.loops > 0 {
            self.note("statements in a closure");
        }
        let text = self.pure(|g| g.changing(ty, d));
        format!("({{ {text} }})")
    }

    /// Something without effects on the code around it.
    fn pure<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let reach = std::mem::take(&mut self.reach);
        let t = f(self);
        self.reach = reach;
        t
    }

    /// A term.
    pub(super) fn value(&mut self, ty: &Ty, d: usize) -> String {
        self.pure(|g| g.term(ty, d))
    }

    /// A condition.
    pub(super) fn test(&mut self, d: usize) -> String {
        self.pure(|g| g.condition(d))
    }

    /// Variables, statements, and the value of the first variable.
    fn changing(&mut self, ty: &Ty, d: usize) -> String {
        self.scoped(|g| {
            let (mut text, last) = if ty.is_unit() { Default::default() } else { g.variable(ty, d) };
            for _ in 0..g.rng.below(3) {
                let other = match g.rng.below(9) {
                    0..=2 => Ty::F64,
                    3 => Ty::Usize,
                    4 => Ty::Bool,
                    5 => Ty::Ints(g.size()),
                    6 => g.of_tuples(),
                    7 => Ty::Array(vec![g.size(), g.size()]),
                    _ => Ty::Array(vec![g.size()]),
                };
                // One of the same type can change places with the first.
                let other = if g.rng.one_in(3) && !ty.is_unit() { ty.clone() } else { other };
                text += &g.variable(&other, d.min(1)).0;
            }
            let count = 1 + g.rng.below(4);
            text += &g.statements(count, d.min(3));
            text + &last
        })
    }

    /// The `let` of a variable, and its value as a term.
    fn variable(&mut self, ty: &Ty, d: usize) -> (String, String) {
        let init = self.value(ty, d);
        // A change that nobody reads is rejected where it is one of a copy of a part, and not of the value of a block.
        let is_part = [")", "]"].iter().any(|end| init.ends_with(end));
        let init = if is_part { format!("{{ {init} }}") } else { init };
        if matches!(ty, Ty::Tuple(_)) && self.rng.one_in(2) {
            let names = self.mutable_pattern(ty);
            return (format!("let {names} = {init}; "), names.replace("mut ", ""));
        }
        let x = self.name(if *ty == Ty::Usize { "q" } else { "x" });
        self.declare(&x, ty);
        let written = if *ty == Ty::F64 { ": f64" } else { "" };
        (format!("let mut {x}{written} = {init}; "), x)
    }

    fn mutable_pattern(&mut self, ty: &Ty) -> String {
        match ty {
            Ty::Tuple(ts) => format!("({})", ts.iter().map(|t| self.mutable_pattern(t)).collect::<Vec<_>>().join(", ")),
            t => {
                let x = self.name("x");
                self.declare(&x, t);
                format!("mut {x}")
            }
        }
    }

    /// A variable and its parts, which may be read and changed.
    pub(super) fn declare(&mut self, x: &str, ty: &Ty) {
        self.reach.places.push((x.into(), ty.clone()));
        match ty {
            Ty::Tuple(ts) => ts.iter().enumerate().for_each(|(k, t)| self.declare(&format!("{x}.{k}"), t)),
            t => self.vars.push((x.into(), t.clone())),
        }
    }

    /// Several statements, which may read what they declare.
    pub(super) fn statements(&mut self, count: usize, d: usize) -> String {
        let (places, targets) = (self.reach.places.len(), self.reach.targets.len());
        let text = self.scoped(|g| (0..count).map(|_| g.statement(d)).collect());
        self.reach.places.truncate(places);
        self.reach.targets.truncate(targets);
        text
    }

    fn statement(&mut self, d: usize) -> String {
        self.fuel -= 1;
        if d == 0 || self.fuel <= 0 {
            return self.assignment(0);
        }
        let d = d - 1;
        match self.rng.below(if self.rows { 41 } else { 32 }) {
            0..=5 => self.assignment(d),
            6..=9 => self.for_loop(d),
            10 => self.while_loop(d),
            11 => self.endless_loop(d),
            12 => self.valued_loop(d),
            13 | 14 => self.branch(d),
            15 | 16 => self.cases(d),
            17 => {
                let ty = if self.rng.one_in(2) { Ty::F64 } else { Ty::Array(vec![self.size()]) };
                let value = self.value(&ty, d);
                let x = self.name("x");
                self.vars.push((x.clone(), ty));
                format!("let {x} = {value}; ")
            }
            18 => self.later(d),
            19 | 20 => self.exchange(),
            21 => self.labelled(d),
            22..=24 => self.changing_call(d),
            25..=27 => {
                let vector = |(x, t): &(String, Ty)| match t {
                    Ty::Array(dims) if dims.len() == 1 => Some((x.clone(), dims[0])),
                    _ => None,
                };
                match self.reach.places.iter().rev().find_map(vector) {
                    Some((x, size)) if self.rng.one_in(3) => self.gathered(&x, size),
                    Some((x, size)) if self.rng.one_in(2) => self.exchanges(&x, size),
                    Some((x, size)) => self.counter(&x, size),
                    None => self.changing_call(d),
                }
            }
            28 => {
                let matrix = |(x, t): &(String, Ty)| match t {
                    Ty::Array(dims) if dims.len() == 2 => Some((x.clone(), dims.clone())),
                    _ => None,
                };
                match self.reach.places.iter().rev().find_map(matrix) {
                    Some((x, dims)) => self.row_of_another(&x, &dims),
                    None => self.assignment(d),
                }
            }
            29 | 30 => self.leave(d),
            31 => self.pure(Self::assertion),
            _ => self.changed_rows(d),
        }
    }

    /// `if` with any number of branches.
    fn branch(&mut self, d: usize) -> String {
        let (c, then) = (self.test(d.min(1)), self.some(d));
        match self.rng.below(4) {
            0 => format!("if {c} {{ {then}}} else {{ {}}} ", self.some(d)),
            1 => {
                let (other, second, third) = (self.test(0), self.some(d), self.some(d));
                format!("if {c} {{ {then}}} else if {other} {{ {second}}} else {{ {third}}} ")
            }
            _ => {
                self.note("if without else");
                format!("if {c} {{ {then}}} ")
            }
        }
    }

    /// One or two statements.
    pub(super) fn some(&mut self, d: usize) -> String {
        let count = 1 + self.rng.below(2);
        self.statements(count, d)
    }

    /// `match` on numbers or truth values.
    fn cases(&mut self, d: usize) -> String {
        self.note("match");
        let [a, b, c] = [0; 3].map(|_| self.some(d.min(1)));
        if self.rng.one_in(3) {
            let (first, second) = (self.test(0), self.test(0));
            return format!(
                "match ({first}, {second}) {{ (true, _) => {{ {a}}} (false, true) => {{ {b}}} _ => {{ {c}}} }} "
            );
        }
        let (on, guard) = (self.pure(Self::natural), self.test(0));
        let k = self.name("q");
        match self.rng.below(3) {
            0 => format!("match ({on}) % 4 {{ 0 => {{ {a}}} 1 | 2 if {guard} => {{ {b}}} _ => {{ {c}}} }} "),
            1 => {
                format!("match ({on}) % 5 {{ 0..=1 => {{ {a}}} {k} if {k} > 2 && {guard} => {{ {b}}} _ => {{ {c}}} }} ")
            }
            _ => format!("match {on} {{ {k} @ (1 | 3..) if {k} != 4 => {{ {a}}} 0 => {{ {b}}} _ => {{ {c}}} }} "),
        }
    }

    /// A `match` that is a number.
    pub(super) fn matched(&mut self, d: usize) -> String {
        self.note("match");
        let (on, k) = (self.natural(), self.name("q"));
        let (a, b, guard) = (self.scalar(d), self.scalar(d), self.condition(0));
        self.vars.push((k.clone(), Ty::Usize));
        let c = self.scalar(d.min(1));
        self.vars.pop();
        format!("(match ({on}) % 6 {{ 0 | 5 => {a}, 1..3 if {guard} => {b}, {k} => {c} + {k} as f64 }})")
    }

    /// A variable that gets its value after its `let`.
    fn later(&mut self, d: usize) -> String {
        self.note("declared first");
        let ty = if self.rng.one_in(2) { Ty::F64 } else { Ty::Array(vec![self.size()]) };
        let (c, a, b) = (self.test(0), self.value(&ty, d), self.value(&ty, d.min(1)));
        let x = self.name("x");
        self.vars.push((x.clone(), ty));
        format!("let {x}; if {c} {{ {x} = {a}; }} else {{ {x} = {b}; }} ")
    }

    /// A block that can be left.
    fn labelled(&mut self, d: usize) -> String {
        let label = format!("'{}", self.name("b"));
        let body = self.inside(Target { label: label.clone(), kind: Kind::Block }, |g| {
            let (first, leave, last) = (g.some(d.min(1)), g.leave(0), g.some(d.min(1)));
            format!("{first}{leave}{last}")
        });
        format!("{label}: {{ {body}}} ")
    }

    /// Statements inside a loop or a block.
    pub(super) fn inside(&mut self, target: Target, f: impl FnOnce(&mut Self) -> String) -> String {
        let places = self.reach.places.len();
        self.reach.targets.push(target);
        let text = self.scoped(f);
        self.reach.targets.pop();
        self.reach.places.truncate(places);
        text
    }

    /// `if c { break; }` and the like.
    pub(super) fn leave(&mut self, d: usize) -> String {
        if self.reach.result.is_some() && (self.reach.targets.is_empty() || self.rng.one_in(4)) {
            self.note("early return");
            let (c, ty) = (self.test(0), self.reach.result.clone().unwrap_or(Ty::F64));
            if ty.is_unit() {
                return format!("if {c} {{ return; }} ");
            }
            return format!("if {c} {{ return {}; }} ", self.value(&ty, d.min(1)));
        }
        let Some(innermost) = self.reach.targets.iter().rev().find(|t| t.kind != Kind::Block).cloned() else {
            let Some(block) = self.reach.targets.last().cloned() else { return self.assignment(d) };
            return format!("if {} {{ break {}; }} ", self.test(0), block.label);
        };
        let target = if self.rng.one_in(2) { self.rng.pick(&self.reach.targets).clone() } else { innermost.clone() };
        // Inside a labelled block, Rust wants the label.
        let bare = target == innermost && self.reach.targets.last() == Some(&innermost) && self.rng.one_in(2);
        let label = if bare { String::new() } else { format!(" {}", target.label) };
        self.note("break or continue");
        let c = self.test(0);
        if target.kind != Kind::Block && self.rng.one_in(3) {
            return format!("if {c} {{ continue{label}; }} ");
        }
        let value = if target.kind == Kind::Valued { format!(" {}", self.value(&Ty::F64, 0)) } else { String::new() };
        format!("if {c} {{ break{label}{value}; }} ")
    }

    /// A part of an array, from size to size.
    pub(super) fn half(&mut self, size: Size) -> String {
        let n = paren(size);
        match self.rng.below(4) {
            0 => format!("..{n} / 2"),
            1 => format!("{n} / 2.."),
            2 => format!("{n} / 3..{n} / 2"),
            _ => format!("{n} - {n} / 2.."),
        }
    }
}
