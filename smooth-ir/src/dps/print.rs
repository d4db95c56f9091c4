//! DPS-F̃ as text, in the paper's notation. `super::parse` has the grammar, and reads it back.

use super::{
    Alias, Alloc, Arg, Block, Build, Call, Combine, Copy, Dest, Fill, Fold, Leaf, Let, Placement, Program, Reduce,
    Reduces, RowThere, State, Step, Term, View,
};
use crate::fsmooth::print::{over, tables};
use crate::lex::quoted;
use crate::mapped::{Both, Mapped};
use crate::name::{Names, VarId};
use crate::prim::Spelling;
use crate::shape::bytes::{Bytes, Sum as BytesSum};
use crate::shape::card::{Atom, Card};
use crate::shape::{Shape, text, total};
use crate::span::{Origin, Spans};
use crate::ty::Scalar;

/// A program for people: its parameters and its body.
pub fn program(p: &Program) -> String {
    annotated(p, None)
}

/// As [`program`], with the line of the user's source that needs each copy.
pub fn program_with_lines(p: &Program, spans: &Spans) -> String {
    let line = |o: Origin| (o.0 > 0).then(|| spans.get(o).start().line);
    annotated(p, Some(&line))
}

/// The line of an origin.
type Lines<'l> = Option<&'l dyn Fn(Origin) -> Option<usize>>;

fn annotated(p: &Program, lines: Lines<'_>) -> String {
    let storage = p.results.iter().filter_map(|l| if let Leaf::Storage(r, ..) = l { Some(*r) } else { None });
    let storage: String = storage.map(|r| format!(" {}", p.names.unique(r))).collect();
    let mut printer = Printer { names: &p.names, out: String::new(), indent: 1, lines };
    printer.pad();
    printer.term(&p.body);
    format!("{} = λ{storage} {}.\n{}\n", p.interface.name, text::params(&p.interface.params, &p.names), printer.out)
}

/// A program with all that belongs to it, as `super::parse::program` reads it.
pub fn exact(p: &Program) -> String {
    let mut printer = Printer { names: &p.names, out: String::new(), indent: 0, lines: None };
    let over = over(&p.interface.types);
    let tables = tables(&p.interface.callees, &p.interface.consts, &p.names);
    let results: Vec<String> = p.results.iter().mapped(|l| printer.leaf(l));
    let params = text::params(&p.interface.params, &p.names);
    printer.term(&p.body);
    let head = format!(
        "program {}{over} {params}{tables}\nto {} [{}]",
        quoted(&p.interface.name),
        p.result_type,
        results.join(", ")
    );
    format!("{head} in\n{}\n", printer.out)
}

struct Printer<'n> {
    names: &'n Names,
    out: String,
    indent: usize,
    lines: Lines<'n>,
}

/// Whether a term extends as far as possible, so that it would include the `;` that follows it.
fn is_open(t: &Term) -> bool {
    t.scope().is_some_and(|_| !matches!(t, Term::Alloc(_))) || matches!(t, Term::If(..) | Term::Fold(_))
}

/// Whether a term is an operand without parentheses.
fn is_operand(t: &Term) -> bool {
    match t {
        Term::Var(_) | Term::Lit(_) | Term::Const(_) | Term::Size(..) | Term::Prim(..) | Term::App(..) => true,
        Term::Load(_)
        | Term::Previous(_)
        | Term::Reduce(_)
        | Term::InRange(..)
        | Term::Demand(..)
        | Term::Assert(..) => true,
        Term::Seq(ts) => ts.is_empty(),
        Term::Let(_)
        | Term::If(..)
        | Term::Reduces(_)
        | Term::Combine(_)
        | Term::Alloc(_)
        | Term::Fill(_)
        | Term::Alias(_) => false,
        Term::Build(_) | Term::Fold(_) | Term::Store(..) | Term::Copy(_) => false,
        Term::AlreadyThere(..) | Term::RowThere(_) => false,
        Term::Call(_) | Term::Set(..) => false,
    }
}

/// An element type and a blank, unless it is `f64`.
fn elem(s: Scalar) -> String {
    if s == Scalar::F64 { String::new() } else { format!("{} ", s.name()) }
}

/// `: ` and a type, unless it is `f64`.
fn typed(s: Scalar) -> String {
    if s == Scalar::F64 { String::new() } else { format!(": {}", s.name()) }
}

fn list<T>(parts: impl IntoIterator<Item = T>, text: impl Fn(T) -> String) -> String {
    parts.into_iter().mapped(text).join(", ")
}

impl Printer<'_> {
    fn pad(&mut self) {
        self.out += &"  ".repeat(self.indent);
    }

    fn line(&mut self) {
        self.out.push('\n');
        self.pad();
    }

    fn inside(&mut self, t: &Term) {
        self.indent += 1;
        self.line();
        self.term(t);
        self.indent -= 1;
    }

    fn name(&self, v: VarId) -> String {
        self.names.unique(v)
    }

    fn card(&self, c: &Card) -> String {
        if c.is_untracked() {
            return "untracked".into();
        }
        c.show(&|a| match a {
            Atom::Var(v) => self.name(*v),
            Atom::Len(v, axis) => format!("length {} {axis}", self.name(*v)),
            Atom::Op(..) | Atom::Untracked => String::new(),
        })
    }

    fn shape(&self, s: &Shape) -> String {
        s.iter().rev().fold("∘".to_string(), |inner, c| format!("({}, {inner})", self.card(c)))
    }

    fn bytes(&self, b: &Bytes) -> String {
        let array = |((s, len), n): (&(Scalar, Card), &u64)| {
            let times = if *n == 1 { String::new() } else { format!("{n} * ") };
            format!("{times}bytes {}({}, ∘)", elem(*s), self.card(len))
        };
        let sum = |s: &BytesSum| {
            let constant = (s.constant > 0 || s.arrays.is_empty()).then(|| s.constant.to_string());
            constant.into_iter().chain(s.arrays.iter().map(array)).collect_vec().join(" + ")
        };
        match b.sums() {
            [one] => sum(one),
            many => format!("max({})", list(many, sum)),
        }
    }

    fn leaf(&self, l: &Leaf) -> String {
        match l {
            Leaf::Storage(r, s, shape) => format!("{}: {}{}", self.name(*r), elem(*s), self.shape(shape)),
            Leaf::Cell(c, s) => format!("{}: {}", self.name(*c), s.name()),
            Leaf::Value(s) => s.name().into(),
        }
    }

    fn block(&self, Block { elem: s, shape, capacity, placement, .. }: &Block) -> String {
        let place = match placement {
            Placement::Frame => String::new(),
            Placement::Local => "local ".into(),
            Placement::Heap => "heap ".into(),
            Placement::Empty => "empty ".into(),
            Placement::In(d) => format!("in {} ", self.dest(d)),
        };
        let most =
            if total(shape) == *capacity { String::new() } else { format!(" up to {{{}}}", self.card(capacity)) };
        format!("{place}{}{}{most}", elem(*s), self.shape(shape))
    }

    fn dest(&self, d: &Dest) -> String {
        match d {
            Dest::Cell(v) => self.name(*v),
            Dest::Storage(r, is) => is.iter().fold(self.name(*r), |text, i| format!("{text}[{}]", self.operand(i))),
        }
    }

    fn view(&self, v: &View) -> String {
        v.steps.iter().fold(self.name(v.base), |text, s| match s {
            Step::At { index, check: None, .. } => format!("{text}[{}]", self.operand(index)),
            Step::At { index, check: Some(n), .. } => format!("{text}[?{} < {}]", self.operand(index), self.card(n)),
            Step::Range { start, end, check, .. } => {
                let (start, end) = (self.operand(start), self.operand(end));
                match check {
                    None => format!("{text}[{start}..{end}]"),
                    Some(n) => format!("{text}[?{start}..{end} <= {}]", self.card(n)),
                }
            }
        })
    }

    fn state(&self, s: &State) -> String {
        match s {
            State::Scalar { now, next, ty } => format!("{} → {}{}", self.name(*now), self.name(*next), typed(*ty)),
            State::Array { x, first, next, dest, other, onto, elem: s, shape } => {
                let other = other.map_or(String::new(), |o| format!(" and {}", self.name(o)));
                let onto = onto.map_or(String::new(), |y| format!(" onto {}", self.name(y)));
                let (x, next, first, dest) = (self.name(*x), self.name(*next), self.name(*first), self.dest(dest));
                format!("{x} → {next}: {}{} (first {first}, in {dest}{other}{onto})", elem(*s), self.shape(shape))
            }
        }
    }

    fn arg(&self, a: &Arg) -> String {
        match a {
            Arg::Scalar(t) => self.operand(t),
            Arg::View(v, shape) => format!("{}: {}", self.view(v), self.shape(shape)),
            Arg::There(k) => format!("there {k}"),
        }
    }

    /// A term on one line.
    fn flat(&self, t: &Term) -> String {
        let mut p = Printer { names: self.names, out: String::new(), indent: self.indent + 1, lines: self.lines };
        p.term(t);
        p.out
    }

    /// An operand, in parentheses if it needs them.
    fn operand(&self, t: &Term) -> String {
        let text = self.flat(t);
        if is_operand(t) { text } else { format!("({text})") }
    }

    fn operands(&self, ts: &[Term]) -> String {
        ts.iter().map(|t| format!(" {}", self.operand(t))).collect()
    }

    fn scope(&mut self, body: &Term) {
        self.line();
        self.term(body);
    }

    fn sequence(&mut self, ts: &[Term]) {
        for (k, t) in ts.iter().enumerate() {
            let last = k + 1 == ts.len();
            let alone = match t {
                Term::Seq(ts) => !ts.is_empty(),
                // A sequence of one ends in `;`.
                t => is_open(t) && (!last || k == 0),
            };
            if alone {
                self.out += &format!("({})", self.flat(t));
            } else {
                self.term(t);
            }
            match (last, k) {
                (true, 0) => self.out += " ;",
                (true, _) => {}
                (false, _) => {
                    self.out += " ;";
                    self.line();
                }
            }
        }
        if ts.is_empty() {
            self.out += "()";
        }
    }

    fn term(&mut self, t: &Term) {
        match t {
            Term::Var(v) => self.out += &self.name(*v),
            Term::Lit(l) => self.out += &l.to_string(),
            Term::Const(k) => self.out += &format!("(const {k})"),
            Term::Size(c, _) => self.out += &format!("{{{}}}", self.card(c)),
            Term::Prim(p, args, _) => {
                self.out += &match (p.spelling(), args.as_slice()) {
                    (Spelling::Infix, [a, b]) => format!("({} {} {})", self.operand(a), p.name(), self.operand(b)),
                    _ => format!("({}{})", p.name(), self.operands(args)),
                };
            }
            Term::Load(v) if v.steps.is_empty() => self.out += &format!("(load {})", self.view(v)),
            Term::Load(v) => self.out += &self.view(v),
            Term::Previous(d) => self.out += &format!("previous {}", self.dest(d)),
            Term::App(f, args, s) => {
                self.out += &format!("(apply {}{}{})", elem(*s), self.name(*f), self.operands(args));
            }
            Term::Let(Let { x, ty, value, body }) => {
                self.out += &format!("let {}{} = {} in", self.name(*x), typed(*ty), self.flat(value));
                self.scope(body);
            }
            Term::If(c, a, b) => {
                self.out += &format!("if {} then", self.flat(c));
                self.inside(a);
                self.line();
                self.out += "else";
                self.inside(b);
            }
            Term::Reduce(Reduce { count, index, elem: s, body, with, order, .. }) => {
                let (sum, count) = (format!("{} {}", with.word(*order), elem(*s)), self.operand(count));
                self.out += &format!("({sum}{count} (λ {}. {}))", self.name(*index), self.flat(body));
            }
            Term::Reduces(Reduces { count, index, elem: s, terms, body, dests, with, order, .. }) => {
                let (sum, count) = (format!("{} {}", with.word(*order), elem(*s)), self.operand(count));
                let (dests, terms) = (list(dests, |d| self.dest(d)), list(terms, |t| self.name(*t)));
                self.out += &format!("{dests} ← {sum}{count} (λ {} to {terms}.", self.name(*index));
                self.inside(body);
                self.out.push(')');
            }
            Term::Combine(Combine { count, index, elems, terms, body, left, right, next, combine, init, dests }) => {
                let cells = |vs: &[VarId]| {
                    let typed = |(v, s): (&VarId, &Scalar)| format!("{}{}", self.name(*v), typed(*s));
                    list(vs.iter().zip(elems), typed)
                };
                let (terms, next) = (cells(terms), cells(next));
                let pairs = list(left.iter().zip(right), |(a, b)| format!("{} {}", self.name(*a), self.name(*b)));
                let (dests, count) = (list(dests, |d| self.dest(d)), self.operand(count));
                self.out += &format!("{dests} ← reduce {count} (λ {} to {terms}.", self.name(*index));
                self.inside(body);
                self.out += &format!(") by (λ {pairs} to {next}.");
                self.inside(combine);
                self.out += ") from (";
                self.inside(init);
                self.out.push(')');
            }
            Term::Alloc(Alloc { blocks, body }) => {
                let shapes: Vec<String> = blocks.iter().mapped(|b| self.block(b));
                let names: Vec<String> = blocks.iter().mapped(|b| self.name(b.r));
                self.out += &format!("alloc {} (λ {}.", shapes.join(" + "), names.join(" "));
                self.inside(body);
                self.out.push(')');
            }
            Term::Fill(Fill { cells, arrays, write, body }) => {
                let arrays = arrays.iter().map(|(x, r)| format!("{}{{{}}}", self.name(*x), self.name(*r)));
                let cells = cells.iter().map(|(c, s)| format!("{}{{•}}{}", self.name(*c), typed(*s)));
                let names: Vec<_> = cells.chain(arrays).collect_vec();
                // A tuple without parts has none.
                self.out += &if names.is_empty() { "let =".into() } else { format!("let {} =", names.join(", ")) };
                self.inside(write);
                self.line();
                self.out += "in";
                self.scope(body);
            }
            Term::Alias(Alias { x, view, elem: s, shape, body }) => {
                let ty = format!("{}{}", elem(*s), self.shape(shape));
                self.out += &format!("let {}: {ty} = {} in", self.name(*x), self.view(view));
                self.scope(body);
            }
            Term::Build(Build { count, index, body }) => {
                self.out += &format!("build {} (λ {}.", self.operand(count), self.name(*index));
                self.inside(body);
                self.out.push(')');
            }
            Term::Fold(Fold { count, index, test, at_home, states, init, step, then }) => {
                let states = list(states, |s| self.state(s));
                self.out += &format!("ifold {} (λ {} over {states}.", self.operand(count), self.name(*index));
                if let Some(test) = test {
                    self.out += &format!(" while {} do", self.operand(test));
                }
                self.inside(step);
                self.out += if *at_home { ") at_home from" } else { ") from" };
                self.inside(init);
                self.line();
                self.out += "then ";
                self.term(then);
            }
            Term::Store(d, t) => self.out += &format!("{} ← {}", self.dest(d), self.operand(t)),
            Term::Set(d, t) => self.out += &format!("set {} ← {}", self.dest(d), self.operand(t)),
            Term::Demand(ts, _) => self.out += &format!("(demand{})", self.operands(ts)),
            Term::Assert(parts, _) => self.out += &format!("(assert{})", self.operands(&parts[..])),
            Term::InRange(t, n, _) => self.out += &format!("(in_range {} {{{}}})", self.operand(t), self.card(n)),
            Term::Copy(Copy { dest, view, shape, origin }) => {
                let line = self.lines.and_then(|lines| lines(*origin));
                let line = line.map_or(String::new(), |n| format!(" (line {n})"));
                self.out += &format!("copy {} {}: {}{line}", self.dest(dest), self.view(view), self.shape(shape));
            }
            Term::AlreadyThere(d, x) => self.out += &format!("already_there {} {}", self.dest(d), self.name(*x)),
            Term::RowThere(RowThere { dest, array, at, row }) => {
                let there = at.iter().cloned().fold(dest.clone(), |d, i| d.at(i));
                let [array, row] = [array, row].both(|x| self.name(*x));
                self.out += &format!("already_there {} {array} but {} {row}", self.dest(dest), self.dest(&there));
            }
            Term::Seq(ts) => self.sequence(ts),
            Term::Call(Call { callee, dests, args, sizes, frame }) => {
                let (dests, args) = (list(dests, |d| self.dest(d)), list(args, |a| self.arg(a)));
                self.out += &format!("call {callee} {{{dests}}} ({args})");
                if !sizes.is_empty() {
                    self.out += &format!(" sizes ({})", list(sizes, |c| self.card(c)));
                }
                if *frame != Bytes::zero() {
                    self.out += &format!(" frame {}", self.bytes(frame));
                }
            }
        }
    }
}
