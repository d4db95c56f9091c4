//! DPS-F̃ as text, in the paper's notation, for people and for the snapshots.

use super::{
    Alias, Alloc, Arg, Build, Call, Copy, Dest, Fill, Fold, Leaf, Let, Placement, Program, State, Step, Sum, Sums,
    Term, View,
};
use crate::name::Names;
use crate::prim::Spelling;
use crate::shape::card::{Atom, Card};
use crate::shape::{Shape, text};

struct Printer<'n> {
    names: &'n Names,
    out: String,
    indent: usize,
}

/// A whole program.
pub fn program(p: &Program) -> String {
    let mut out = format!("{} = λ", p.name);
    for l in &p.results {
        if let Leaf::Storage(r, ..) = l {
            out += &format!(" {}", p.names.unique(*r));
        }
    }
    out += &format!(" {}.\n", text::params(&p.params, &p.names));
    let mut printer = Printer { names: &p.names, out, indent: 1 };
    printer.pad();
    printer.term(&p.body);
    printer.out + "\n"
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

    fn card(&self, c: &Card) -> String {
        c.show(&|a| match a {
            Atom::Var(v) => self.names.unique(*v),
            Atom::Len(v, axis) => format!("length {} {axis}", self.names.unique(*v)),
            Atom::Op(..) | Atom::Lost => String::new(),
        })
    }

    fn shape(&self, s: &Shape) -> String {
        s.iter().rev().fold("∘".to_string(), |inner, c| format!("({}, {inner})", self.card(c)))
    }

    /// Where a block is, unless it is in the frame.
    fn place(&self, placement: &Placement) -> String {
        match placement {
            Placement::Frame => String::new(),
            Placement::Local => "local ".into(),
            Placement::Heap => "heap ".into(),
            Placement::Empty => "empty ".into(),
            Placement::In(d) => format!("in {} ", self.dest(d)),
        }
    }

    fn dest(&self, d: &Dest) -> String {
        match d {
            Dest::Cell(v) => self.names.unique(*v),
            Dest::Storage(r, is) => {
                is.iter().fold(self.names.unique(*r), |text, i| format!("{text}[{}]", self.flat(i)))
            }
        }
    }

    fn view(&self, v: &View) -> String {
        v.steps.iter().fold(self.names.unique(v.base), |text, s| match s {
            Step::At { index, check, .. } => {
                format!("{text}[{}{}]", if check.is_some() { "?" } else { "" }, self.flat(index))
            }
            Step::Range { start, end, check, .. } => {
                format!("{text}[{}{}..{}]", if check.is_some() { "?" } else { "" }, self.flat(start), self.flat(end))
            }
        })
    }

    fn flat(&self, t: &Term) -> String {
        let mut p = Printer { names: self.names, out: String::new(), indent: self.indent + 1 };
        p.term(t);
        p.out
    }

    fn term(&mut self, t: &Term) {
        let n = |v| self.names.unique(v);
        match t {
            Term::Var(v) => self.out += &n(*v),
            Term::Lit(l) => self.out += &l.to_string(),
            Term::Const(k) => self.out += &format!("const {k}"),
            Term::Size(c) => self.out += &self.card(c),
            Term::Prim(p, args, _) => {
                let args: Vec<String> = args.iter().map(|a| self.flat(a)).collect();
                self.out += &match p.spelling() {
                    Spelling::Infix => format!("({} {} {})", args[0], p.name(), args[1]),
                    _ => format!("({} {})", p.name(), args.join(" ")),
                };
            }
            Term::Load(v) => self.out += &self.view(v),
            Term::App(f, args, _) => {
                self.out += &format!("({} {})", n(*f), args.iter().map(|a| self.flat(a)).collect::<Vec<_>>().join(" "))
            }
            Term::Let(Let { x, value, body, .. }) => {
                self.out += &format!("let {} = {} in", n(*x), self.flat(value));
                self.line();
                self.term(body);
            }
            Term::If(c, a, b) => {
                self.out += &format!("if {} then", self.flat(c));
                self.inside(a);
                self.line();
                self.out += "else";
                self.inside(b);
            }
            Term::Sum(Sum { count, index, body, .. }) => {
                self.out += &format!("(sum {} (λ {}. {}))", self.flat(count), n(*index), self.flat(body));
            }
            Term::Sums(Sums { count, index, terms, body, dests, .. }) => {
                let dests: Vec<String> = dests.iter().map(|d| self.dest(d)).collect();
                let terms: Vec<String> = terms.iter().map(|t| n(*t)).collect();
                let (dests, terms) = (dests.join(", "), terms.join(", "));
                self.out += &format!("{dests} ← sum {} (λ {} to {terms}.", self.flat(count), n(*index));
                self.inside(body);
                self.out.push(')');
            }
            Term::Previous(d) => self.out += &format!("previous {}", self.dest(d)),
            Term::Alloc(Alloc { blocks, body }) => {
                let sizes: Vec<String> =
                    blocks.iter().map(|b| self.place(&b.placement) + &self.shape(&b.shape)).collect();
                let names: Vec<String> = blocks.iter().map(|b| n(b.r)).collect();
                self.out += &format!("alloc {} (λ {}.", sizes.join(" + "), names.join(" "));
                self.inside(body);
                self.out.push(')');
            }
            Term::Fill(Fill { cells, arrays, write, body }) => {
                let names = cells.iter().map(|(c, _)| n(*c)).chain(arrays.iter().map(|(x, _)| n(*x)));
                self.out += &format!("let {} =", names.collect::<Vec<_>>().join(", "));
                if !arrays.is_empty() {
                    self.out += &format!(" {{{}}}", arrays.iter().map(|(_, r)| n(*r)).collect::<Vec<_>>().join(", "));
                }
                self.inside(write);
                self.line();
                self.out += "in";
                self.line();
                self.term(body);
            }
            Term::Alias(Alias { x, view, body, .. }) => {
                self.out += &format!("let {} = {} in", n(*x), self.view(view));
                self.line();
                self.term(body);
            }
            Term::Build(Build { count, index, body }) => {
                self.out += &format!("build {} (λ {}.", self.flat(count), n(*index));
                self.inside(body);
                self.out.push(')');
            }
            Term::Fold(Fold { count, index, states, init, step, then }) => {
                let states: Vec<String> = states
                    .iter()
                    .map(|s| match s {
                        State::Scalar { now, next, .. } => format!("{} → {}", n(*now), n(*next)),
                        State::Array { x, first, next, dest, other, .. } => {
                            let other = other.map_or(String::new(), |o| format!(" and {}", n(o)));
                            let (x, next, first, dest) = (n(*x), n(*next), n(*first), self.dest(dest));
                            format!("{x} → {next} (first {first}, in {dest}{other})")
                        }
                    })
                    .collect();
                self.out += &format!("ifold {} (λ {} over {}.", self.flat(count), n(*index), states.join(", "));
                self.inside(step);
                self.out += ") from";
                self.inside(init);
                self.line();
                self.out += "then ";
                self.term(then);
            }
            Term::Store(d, t) => self.out += &format!("{} ← {}", self.dest(d), self.flat(t)),
            Term::Copy(Copy { dest, view, .. }) => self.out += &format!("copy {} {}", self.dest(dest), self.view(view)),
            Term::AlreadyThere(d, x) => self.out += &format!("already_there {} {}", self.dest(d), n(*x)),
            Term::Seq(ts) => {
                for (k, t) in ts.iter().enumerate() {
                    if k > 0 {
                        self.out += " ;";
                        self.line();
                    }
                    self.term(t);
                }
                if ts.is_empty() {
                    self.out += "()";
                }
            }
            Term::Call(Call { callee, dests, args, .. }) => {
                let dests: Vec<String> = dests.iter().map(|d| self.dest(d)).collect();
                let args: Vec<String> = args
                    .iter()
                    .map(|a| match a {
                        Arg::Scalar(t) => self.flat(t),
                        Arg::View(v, _) => self.view(v),
                    })
                    .collect();
                self.out += &format!("call {callee} {{{}}} {}", dests.join(", "), args.join(" "));
            }
        }
    }
}
